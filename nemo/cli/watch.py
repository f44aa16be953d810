"""``watch``: sources that are looked at on a schedule (采集)."""

from typing import Annotated, Any

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import Json, Library, app, out, show_json

group = typer.Typer(
    no_args_is_help=True,
    help="定期采集：新增、列出、立即采集、暂停来源。须先设置 NEMO_DISCOVERY=1；所得待人确认后入库。",
)
app.add_typer(group, name="watch")

Number = Annotated[int, typer.Argument(help="编号，见 watch list")]


@group.command()
def add(
    subject: Annotated[str, typer.Argument(help="官方来源代码（如 nea）、文件夹的绝对路径，或 s3://桶/前缀")],
    schedule: Annotated[str, typer.Option("--schedule", help="daily、weekly 或五段 cron，如 '30 5 * * 1-5'")] = "daily",
    library: Library = None,
    as_json: Json = False,
) -> None:
    """新增一个采集来源，或改它的计划；到点由运行中的程序采集，也可用 watch run。"""
    with reached(library) as backend:
        _show(backend.watching("add", {"subject": subject, "schedule": schedule}), as_json)


@group.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出采集来源：计划、下次时间、上次成功、条目数与告警。"""
    with reached(library) as backend:
        _show(backend.watching("list", {}), as_json)


@group.command()
def run(
    number: Annotated[int | None, typer.Argument(help="编号；不给则采集全部未暂停的来源")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """立即采集；资料库由运行中的程序持有时，在它的后台进行。"""
    with reached(library) as backend:
        _show(backend.watching("run", {"watch": number}), as_json)


@group.command()
def pause(
    number: Number,
    resume: Annotated[bool, typer.Option("--resume", help="恢复")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """暂停一个来源，正在进行的立即停下；--resume 恢复。"""
    with reached(library) as backend:
        _show(backend.watching("pause", {"watch": number, "paused": not resume}), as_json)


def _show(state: dict[str, Any], as_json: bool) -> None:
    if as_json:
        show_json(state)
        return
    for one in state["watches"]:
        entries = "" if one["entries"] is None else f"，条目 {one['entries']}"
        due = "" if one["paused"] else f"，下次 {str(one['next'])[:16]}"
        out.print(f"{one['id']}  {one['name']}（{one['schedule']}）  {one['health']}{entries}{due}")
        if one["remark"]:
            out.print(f"   {one['remark']}")
        newest = one["visits"][0] if one["visits"] else None
        for words in [*newest["alarms"], newest["problem"]] if newest else []:
            if words:
                out.print(f"   {words}")
    out.print(f"共 {len(state['watches'])} 个来源。待确认的文件见应用“采集”页。")
