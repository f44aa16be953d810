"""Commands about what is held: ``show``, ``figures``, ``list``, ``remove``, ``reindex``, ``verify``, ``backup``, ``serve`` (资料库)."""

from __future__ import annotations

import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import (
    AsOf,
    Json,
    Library,
    app,
    err,
    new_file,
    opened,
    out,
    output,
    print_result,
    show_json,
    write_out,
)
from nemo.cli.progress import bar
from nemo.errors import BadRequestError
from nemo.text.words.days import day_of

if TYPE_CHECKING:
    from nemo.export.bundle import BundleReport
    from nemo.store.verify import Verification

SHOWN = {
    "title": "名称", "id": "编号", "document_number": "文号", "issuer": "发布机关", "level": "级别",
    "province": "地域", "promulgated": "公布", "first_effective": "原始施行", "effective_date": "本版本施行",
    "ends": "失效", "as_of": "适用日期", "status": "时效", "status_evidence": "时效依据", "file": "文件",
}  # fmt: skip
"""Fields of ``show`` and their Chinese names."""


@app.command()
def show(
    regulation: Annotated[str, typer.Argument(help="法规编号或名称")],
    article: Annotated[str | None, typer.Option("--article", help="条，如 第六条")] = None,
    as_of: AsOf = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """显示一部法规或其中一条在某日的文本与时效。"""
    day = day_of(as_of)
    with reached(library) as backend:
        view = backend.show(regulation, article, day.isoformat() if day else None)
    if as_json:
        show_json(view)
        return
    for name, label in SHOWN.items():
        out.print(f"{label}：{view[name] if view[name] is not None else '—'}")
    for fault in view["faults"]:
        out.print(f"解析时发现：{fault['message']}")
    out.print()
    for provision in view["provisions"]:
        differs = provision["status_evidence"] != view["status_evidence"]
        apart = f" {provision['status']}：{provision['status_evidence']}" if differs else ""
        out.print(f"〔{provision['path'] or '正文'}〕{apart}", style="bold")
        out.print(provision["text"])


@app.command()
def figures(
    regulation: Annotated[str, typer.Argument(help="法规名称、编号或文件名")],
    picture: Annotated[int | None, typer.Option("--picture", min=1, help="只取这一幅图片，另存为 PNG")] = None,
    to: Annotated[Path | None, output("--to", help="图片存到这个文件，默认为 图N.png")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出一部法规的图片、表格与公式，附所在条款与页码；图片可另存为文件。"""
    path = to or Path(f"图{picture}.png")
    with reached(library) as backend:
        found = backend.figures(regulation)
        if picture:
            write_out(path, backend.picture(regulation, picture))
            found["figures"] = [one for one in found["figures"] if one["figure"] == picture]
    lines = [f"已存为 {path}" if picture else f"共 {len(found['figures'])} 项"]
    for one in reversed(found["figures"]):
        words = " ".join(((one["caption"] or one["text"] or {}).get("text") or one["name"] or "").split())[:80]
        pages = "".join(f"  第{page}页" for page in one["page_numbers"])
        lines.insert(0, f"{one['figure']}  {one['kind']}  {words}  {one['section_reference']}{pages}")
    print_result(found, lines, as_json)


@app.command(name="list")
def list_(library: Library = None, as_json: Json = False) -> None:
    """列出库内法规。"""
    with reached(library) as backend:
        rows = backend.listing()
    if as_json:
        show_json({"regulations": rows})
        return
    from rich.table import Table

    from nemo.text.words.invisible import marked

    table = Table("编号", "名称", "版本", "级别", "省", "类别", "时效", "条")
    for row in rows:
        values = (
            row[k] for k in ("id", "title", "version_date", "level", "province", "doc_class", "status", "articles")
        )
        table.add_row(*("" if v is None else marked(str(v)) for v in values))
    out.print(table)
    out.print(f"共 {len(rows)} 部")


@app.command()
def remove(
    regulation: Annotated[str, typer.Argument(help="法规编号")], library: Library = None, as_json: Json = False
) -> None:
    """删除一部法规及其全部索引。"""
    from nemo.accounts import OPERATOR

    with opened(library) as engine:
        title = engine.intake.remove(regulation, OPERATOR)
    print_result({"removed": regulation, "title": title}, [f"已删除《{title}》（{regulation}）"], as_json)


@app.command()
def reindex(library: Library = None, as_json: Json = False) -> None:
    """用目录库重建全部索引。"""
    with opened(library) as engine, bar() as progress:
        count = engine.intake.reindex(progress)
    print_result({"chunks": count}, [f"已重建索引：{count} 个片段"], as_json)


@app.command()
def verify(
    bundle: Annotated[Path | None, typer.Argument(help="核验包（导出的 JSON）；不写则核对资料库自身")] = None,
    alone: Annotated[bool, typer.Option("--alone", help="不用资料库，只核对核验包自身")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """核对：重切每条引文、逐项比对索引与目录、校验原始文件；有差异则退出码非零。给出核验包时，用资料库核对包内引文。

    只读：不创建、不修改、不修复任何东西，应用运行时也可以核对。
    """
    if alone:
        if bundle is None:
            raise BadRequestError("--alone 用于核对核验包。请写出核验包文件。")
        raise typer.Exit(_check_alone(bundle, as_json))
    with opened(library, read_only=True) as engine:
        if bundle is not None:
            code = _check_bundle(engine.answers.check_bundle(bundle), as_json)
        else:
            code = _check_library(engine.library.inspect(), as_json)
    if code:
        raise typer.Exit(code)


def _check_alone(bundle: Path, as_json: bool) -> int:
    from nemo import settings
    from nemo.export.bundle import check_alone

    return _check_bundle(check_alone(bundle, settings.load().chain_key), as_json)


def _check_bundle(report: BundleReport, as_json: bool) -> int:
    print_result(report.as_json(), report.lines(), as_json)
    return report.exit_code


def _check_library(found: Verification, as_json: bool) -> int:
    lines = [f"差异：{difference}" for difference in found.differences]
    lines += [f"未核对：{what}（{count}）" for what, count in found.unchecked.items()]
    way_out = "索引的差异请运行 python -m nemo reindex 重建；原始文件受损的请重新上传；内容被改动的请从备份恢复。"
    end = way_out if found.differences else "核对通过：引文、索引与原始文件一致。"
    print_result(found.as_json(), [*lines, end], as_json)
    return 1 if found.differences else 0


@app.command()
def chain(
    head: Annotated[str | None, typer.Option("--head", help="从前抄下的链首，如 812:9f3c…；核对它是否仍在链上")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """显示记录链的链首：抄下或打印保存，日后用 --head 核对此前的一切记录是否原样。不在链上则退出码非零。"""
    with opened(library, read_only=True) as engine:
        newest = engine.library.chain_head()
        number, _, digest = (head or "").partition(":")
        if head is not None and not (number.isdecimal() and len(digest) == 64):
            raise BadRequestError("链首写作 环号:哈希（64 位十六进制）。请照抄完整的一行。")
        stands = head is None or engine.library.chain_holds(int(number), digest.lower())
    current = None if newest is None else {**asdict(newest), "head": str(newest)}
    if as_json:
        show_json({"ok": stands, "chain": current})
    elif newest is None:
        out.print("记录链尚未开始：这个资料库还没有由本版本写入过。")
    else:
        out.print(f"链首 {newest}")
        out.print(
            f"链名 {newest.chain[:16]}，共 {newest.number} 环，{newest.at}，{'有' if newest.keyed else '没有'}密钥签印"
        )
    if head is not None and not as_json:
        out.print(
            "所给链首仍在链上。" if stands else "所给链首不在链上：在它之前的记录被改写或截去过，或这是另一个资料库。"
        )
    if not stands:
        raise typer.Exit(1)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="要写出的备份文件，如 nemo-20261120.zip", parser=new_file)],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把整个资料库备份为一个文件，逐项带校验值；索引不在其中，恢复时重建。"""
    with reached(library) as backend:
        made = backend.backup(file)
    said = f"已备份 {made.regulations} 部法规、{made.files} 个原始文件：{file}（{made.size / 2**20:.1f} MiB）"
    print_result(asdict(made), [said], as_json)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="由 backup 写出的备份文件")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把备份恢复到一个空的资料库文件夹，逐项核对校验值，再重建索引并核对；有差异则退出码非零。"""
    from nemo import settings
    from nemo.store.files import backup as backups

    found = settings.load(library=library)
    if found.database_url is not None:
        raise BadRequestError(
            "restore 只恢复到文件夹。请不设 NEMO_DATABASE 恢复，再用 python -m nemo migrate-library --to 地址 搬过去。"
        )
    made = backups.restore(file, found.library)
    with opened(library) as engine:
        checked = engine.library.inspect()
    differences = [str(difference) for difference in checked.differences]
    if as_json:
        show_json({**asdict(made), "library": found.library, "ok": not differences, "differences": differences})
    else:
        out.print(f"已恢复 {made.regulations} 部法规、{made.files} 个原始文件到 {found.library}。")
        _check_library(checked, as_json)
    if differences:
        raise typer.Exit(1)


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="端口")] = 8501,
    host: Annotated[str, typer.Option("--host", help="监听地址")] = "127.0.0.1",
    readers: Annotated[
        int | None, typer.Option("--readers", min=0, max=64, help="回答进程数；默认每核一个，问题重叠时启动")
    ] = None,
    library: Library = None,
) -> None:
    """启动网页应用、程序接口 /api 与智能体接口 /mcp（一个进程拥有资料库，其余只读回答，可供多人使用）。"""
    import os

    from nemo import settings
    from nemo.store.files.disk import require_readable

    _check_address(host, port)
    given = settings.load(library=library, readers=readers)
    require_readable(given.library)
    for name, value in given:
        if isinstance(value, Path):  # the process that serves works in the folder of its pages
            os.environ[f"NEMO_{name.upper()}"] = str(value.absolute())
    if readers is not None:
        os.environ["NEMO_READERS"] = str(readers)
    served = Path(__file__).resolve().parent.parent / "web" / "server.py"
    command = [sys.executable, "-m", "nemo.web", "run", str(served)]
    command += ["--server.port", str(port), "--server.address", host, "--logger.hideWelcomeMessage", "true"]
    err.print(f"地址 http://{f'[{host}]' if ':' in host else host}:{port}，按 Ctrl+C 停止。")
    os.chdir(settings.PROJECT)
    os.execv(sys.executable, command)  # noqa: S606  (our own interpreter and arguments)


def _check_address(host: str, port: int) -> None:
    """Refuse an address at which this machine cannot listen; the server itself would end in a traceback.

    Raises:
        BadRequestError: the host is none of this machine's, or the port is taken or reserved.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[
            0
        ]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        raise BadRequestError(
            f"不能在 {host} 的端口 {port} 上监听：地址不是本机的，或端口已被占用、须有权限。请改用 --host、--port 的其他值。"
        ) from error
