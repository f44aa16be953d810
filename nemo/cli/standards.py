"""``standards``: what is known of standards by their numbers (标准状态表)."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from nemo.cli.frame import Json, Library, app, contents, opened, print_result

group = typer.Typer(
    no_args_is_help=True,
    help="标准状态表：导入、列出。列：编号,名称,状态（现行、废止、被代替、即将实施）,实施日期,废止日期,被代替,来源。",
)
app.add_typer(group, name="standards")


@group.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(help="CSV，首行为列名；UTF-8 或 GB18030")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """导入一张标准状态表；有一行不对则全部不导入。引文提到已废止或被代替的标准时，答复会注明。"""
    from nemo.accounts import OPERATOR

    content = contents(file)
    with opened(library) as engine:
        count = engine.law.import_standards(content, file.name, OPERATOR.name)
    print_result({"imported": count}, [f"已导入 {count} 项标准。"], as_json)


@group.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出已知的标准及其状态：导入的，与库内标准文本写明的。"""
    with opened(library, read_only=True) as engine:
        found = [asdict(one) for one in engine.law.standards().values()]
    heirs = [f"，由 {one['replaced_by']} 代替" if one["replaced_by"] else "" for one in found]
    lines = [
        f"{one['number']}  {one['status']}{heir}  {one['title']}（{one['source']}）"
        for one, heir in zip(found, heirs, strict=True)
    ]
    print_result({"standards": found}, [*lines, f"共 {len(found)} 项"], as_json)
