"""``memory``: what one asked, noted, decided and added (记忆); ``quality``: the answers day by day (答复指标)."""

from typing import Annotated

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import Json, Library, app, print_result

group = typer.Typer(
    no_args_is_help=True, help="记忆：在自己问过、批注、复核和添加的内容中查找，列出，删除。程序运行时也可使用。"
)
app.add_typer(group, name="memory")

App = Annotated[str, typer.Option("--app", help="应用的名称；nemo 为提问、批注与复核")]
Limit = Annotated[int, typer.Option(min=1, max=100, help="最多列出多少条")]


@group.command()
def search(
    query: Annotated[str, typer.Argument(help="要找的内容")],
    app: App = "nemo",
    limit: Limit = 10,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """按字词与含义查找，附日期与所引法规此后的变化。"""
    with reached(library) as backend:
        found = backend.memory("search", {"query": query, "app": app, "limit": limit})
    lines = [
        f"{one['day']}  {one['kind']} {one['key']}  {one['title']}"
        + (f"（此后：{'、'.join(one['changed'])}）" if one["changed"] else "")
        for one in found["memories"]
    ]
    print_result(found, [*lines, f"共 {len(lines)} 条"], as_json)


@group.command(name="list")
def list_(app: App = "nemo", limit: Limit = 100, library: Library = None, as_json: Json = False) -> None:
    """由新到旧列出。"""
    search("", app, limit, library, as_json)


@group.command()
def forget(
    kind: Annotated[str, typer.Argument(help="类别：question、note 或 session")],
    key: Annotated[str, typer.Argument(help="编号，见 search 与 list")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """删除一条；给出记录链链首，可证明已删除。"""
    with reached(library) as backend:
        gone = backend.memory("forget", {"kind": kind, "key": key})
    print_result(gone, [f"已删除 {gone['kind']} {gone['forgotten']}；记录链链首 {gone['chain']}"], as_json)


@app.command()
def quality(
    days: Annotated[int, typer.Option(min=1, max=400, help="最近多少天")] = 30,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """每日答复指标：次数、拒答及原因、核验、用时、缓存、来源。"""
    with reached(library) as backend:
        found = backend.quality(days)
    lines = [f"{one['day']}  {one['measure']}  {one['count']} 次，合计 {one['total']:g}" for one in found["days"]]
    print_result(found, [*lines, f"共 {len({one['day'] for one in found['days']})} 天有答复"], as_json)
