"""``graph``: the graph of the law on the command line (图谱)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nemo.cli.backend import reached
from nemo.cli.frame import (
    AsOf,
    Json,
    Library,
    Province,
    app,
    err,
    opened,
    out,
    output,
    print_result,
    show_json,
    write_out,
)
from nemo.errors import BadRequestError
from nemo.text.words.days import day_of

if TYPE_CHECKING:
    from nemo.engine import Engine
    from nemo.graph import GraphScope

group = typer.Typer(no_args_is_help=True, help="图谱：查找节点、邻域、路径、职权表，导出。每条边附证明它的原文。")
app.add_typer(group, name="graph")

Node = Annotated[str, typer.Argument(help="节点：编号、法规名称（可带 第…条）、机关、主体或术语")]
Within = Annotated[list[str] | None, typer.Option("--corpus", help="只看这个资料集中的法规，可多次给出")]
Kind = Annotated[list[str] | None, typer.Option("--kind", help="边的类别，如 penalises；可写多次")]
SHOWN = 20


@group.command()
def search(words: Node, library: Library = None, as_json: Json = False) -> None:
    """按名称查找节点。"""
    from nemo.graph import formats

    with opened(library, read_only=True) as engine:
        nodes = [formats.node(engine.answers.graph, node) for node in engine.answers.graph.search(words)]
    lines = [f"{node['kind_name']}  {node['name']}  {node['id']}" for node in nodes]
    print_result({"nodes": nodes}, [*lines, f"共 {len(nodes)} 个节点"], as_json)


@group.command()
def around(
    node: Node,
    kind: Kind = None,
    province: Province = None,
    as_of: AsOf = None,
    corpus: Within = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出一个节点的邻域。"""
    from nemo.graph import formats

    with opened(library, read_only=True) as engine:
        scope = _scope(engine, kind, province, as_of, corpus)
        centre = engine.answers.graph.named(node)
        found = formats.neighbourhood(engine.answers.graph, engine.answers.graph.around(centre, scope), centre)
    show_json(found) if as_json else _print_edges(found)


@group.command()
def path(
    first: Node,
    last: Annotated[str, typer.Argument(help="另一端，写法相同")],
    kind: Kind = None,
    province: Province = None,
    as_of: AsOf = None,
    corpus: Within = None,
    unheld: Annotated[bool, typer.Option("--unheld", help="也经过只被引用、未入库的法规与标准")] = False,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出两个节点之间最短的路径，只经过入库的法规；可限定关系、省份、适用日期与资料集。"""
    from nemo.graph import formats

    with opened(library, read_only=True) as engine:
        graph = engine.answers.graph
        start = graph.named(first)
        scope = replace(_scope(engine, kind, province, as_of, corpus), unheld=unheld)
        found = formats.neighbourhood(graph, graph.path(start, graph.named(last), scope), start)
    show_json(found) if as_json else _print_edges(found)


@group.command()
def duties(
    authority: Annotated[str, typer.Option(help="机关名称中的字")] = "",
    about: Annotated[str, typer.Option(help="句中须有的字")] = "",
    kind: Kind = None,
    province: Province = None,
    as_of: AsOf = None,
    corpus: Within = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出机关的职权：机关 × 事项 × 省份。"""
    from nemo.graph import duties as duties_of
    from nemo.graph import formats

    with opened(library, read_only=True) as engine:
        found = duties_of(engine.answers.graph, authority, about, _scope(engine, kind, province, as_of, corpus))
        table = formats.table(engine.answers.graph, found)
    show_json(table) if as_json else print_table(table)


@group.command()
def export(
    node: Node,
    file: Annotated[Path, output(help="写入的文件：.graphml 或 .jsonld")],
    library: Library = None,
    as_json: Json = False,
) -> None:
    """把一个节点的邻域导出为 GraphML 或 JSON-LD。"""
    from nemo.graph import formats

    form = file.suffix.removeprefix(".")
    if form not in ("graphml", "jsonld"):
        raise BadRequestError(f"不能导出为 {file.name}。文件名请以 .graphml 或 .jsonld 结尾。")
    with opened(library, read_only=True) as engine:
        edges = engine.answers.graph.around(engine.answers.graph.named(node), limit=formats.MOST_EXPORTED)
        write_out(file, formats.written(engine.answers.graph, edges, form).encode())
    print_result({"file": str(file), "edges": len(edges)}, [f"已写入 {file}：{len(edges)} 条边"], as_json)


@group.command()
def propose(
    regulations: Annotated[list[str], typer.Argument(help="法规编号、文件名或名称；全文会发给模型")],
    model: Annotated[str | None, typer.Option(help="模型名；默认上次所用的")] = None,
    thinking: Annotated[int | None, typer.Option(help="思考额度")] = None,
    most_tokens: Annotated[int | None, typer.Option(help="用量上限，token")] = None,
    price_sent: Annotated[float | None, typer.Option(help="发出的单价，每百万 token")] = None,
    price_received: Annotated[float | None, typer.Option(help="收到的单价，每百万 token")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """向 Gemini 征询规则没有读到的关系（待核）；Ctrl+C 停止，已提出的保留。"""
    given: dict[str, Any] = {
        "model": model, "thinking": thinking, "most_tokens": most_tokens, "price_sent": price_sent, "price_received": price_received,
    }  # fmt: skip
    stated = {name: value for name, value in given.items() if value is not None}
    with reached(library) as backend:
        plain = backend.propose(
            regulations, stated, lambda r: err.print(f"{r['done']} / {r['pieces']} 次调用，提出 {r['found']} 条")
        )
    dropped = "，".join(f"{why} {count}" for why, count in plain["dropped"].items()) or "0"
    cost = "" if plain["cost"] is None else f"，费用 {plain['cost']:.4f}"
    lines = [
        f"{plain['state']}：提出 {plain['found']} 条；未采用 {dropped}",
        f"token 发出 {plain['sent']}，收到 {plain['received']}{cost}",
    ]
    print_result(plain, [*lines, *filter(None, [plain["problem"]])], as_json)


@group.command()
def proposals(
    state: Annotated[str | None, typer.Option(help="待核、已核准或已驳回；默认全部")] = None,
    library: Library = None,
    as_json: Json = False,
) -> None:
    """列出候选关系；核准之前不进入图谱、答复与导出。"""
    from nemo.store.records.proposals import ProposalState

    if state is not None and state not in list(ProposalState):
        raise BadRequestError(f"没有状态“{state}”。可选：{'、'.join(ProposalState)}。")
    with opened(library, read_only=True) as engine:
        found = engine.answers.proposals.listing(ProposalState(state) if state else None)
    lines = []
    for one in found["proposals"]:
        who = f"（{one['by'] or '未登录'} {one['decided'][:10]} {one['reason']}）" if one["decided"] else ""
        lines.append(
            f"{one['number']}  {one['state']}{who}  {one['source_name']} —{one['kind_name']}→ {one['target_name']}"
        )
        lines.append(f"   《{one['title']}》{one['article'] or ''}：{one['words']}")
    print_result(found, [*lines, "，".join(f"{name} {count} 条" for name, count in found["counts"].items())], as_json)


@group.command()
def decide(
    number: Annotated[int, typer.Argument(help="候选关系的编号")],
    verdict: Annotated[str, typer.Argument(help="核准 或 驳回")],
    reason: Annotated[str, typer.Option(help="理由；驳回时必须写明")] = "",
    library: Library = None,
    as_json: Json = False,
) -> None:
    """核准或驳回一条候选关系。"""
    if verdict not in ("核准", "驳回"):
        raise BadRequestError("结论请写 核准 或 驳回。")
    with reached(library) as backend:
        decided = backend.decide(number, verdict == "核准", reason)
    print_result(decided, [f"候选关系 {number} 已{verdict}。"], as_json)


def _scope(
    engine: Engine, kinds: list[str] | None, province: str | None, as_of: str | None, corpora: list[str] | None
) -> GraphScope:
    from nemo.graph import GraphScope

    engine.rules.check_codes(province=province)
    within = engine.corpora.texts(corpora or (), engine.person)
    return GraphScope(tuple(kinds or ()), province, day_of(as_of), within)


def _print_edges(found: Mapping[str, Any]) -> None:
    names = {node["id"]: node["name"] for node in found["nodes"]}
    for edge in found["edges"]:
        out.print(f"{names[edge['source']]} —{edge['kind_name']}→ {names[edge['target']]}")
        out.print(f"   《{edge['title']}》{edge['article'] or ''}：{edge['words']}")
    out.print(f"共 {len(found['edges'])} 条边")
    if found["unread"]:
        out.print(f"注意：{found['unread']} 部法规尚未读入图谱。请运行 python -m nemo reindex。")


def print_table(table: Mapping[str, Any]) -> None:
    """Print a counted table: how many, by whom, and the first rows."""
    subject = "、".join(table["subject"]) or "全部"
    out.print(f"全库统计：{table['heading']}（{subject}），{table['texts']} 部法规中 {table['total']} 处")
    out.print("，".join(f"{each['name']} {each['count']}" for each in table["names"][:SHOWN]))
    for row in table["rows"][:SHOWN]:
        out.print(f"{row['name'] or '—'}  《{row['title']}》{row['article'] or ''}：{row['text']}")
