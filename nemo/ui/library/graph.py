"""The graph of the law on the page: a neighbourhood as a picture, the way between two nodes, who must do what (图谱)."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.errors import NotFoundError
from nemo.text.letter.titles import in_marks
from nemo.text.words.linebreaks import joined
from nemo.types import today
from nemo.ui.answer import download
from nemo.ui.library import proposals
from nemo.ui.library.relations import graphviz, quoted, source
from nemo.ui.shared import choices, frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.graph import GraphNode, GraphScope, LawGraph, ResolvedEdge
    from nemo.rules import Rules

_PREFIX = "graph"
_WORDS, _TO, _KINDS, _VIEW = "graph_words", "graph_to", "graph_kinds", "graph_view"
_AUTHORITY, _ABOUT = "graph_authority", "graph_about"
_WRITTEN = "_graph_written"
_VIEWS = {"around": "邻域", "path": "路径", "duties": "职权表", "proposals": "候选关系"}
_DRAWN = 14
"""More edges than this make a picture whose words are too small to read; the list has them all."""
_SHAPES = {
    "regulation": "box",
    "provision": "note",
    "authority": "hexagon",
    "actor": "ellipse",
    "term": "oval",
    "duty": "component",
}
_FORMS = {"graphml": ("导出 GraphML", ":material/download:"), "jsonld": ("导出 JSON-LD", ":material/download:")}
_OTHERS = 6
"""Other nodes that the words may have meant."""
_LINES = 100
"""Rows of a table on the screen."""


def draw() -> None:
    """Draw the controls and what they ask for."""
    rules = frame.engine().rules
    for words in _follow(rules):
        frame.notice("warn", "链接中的条件有误", words)
    _controls(rules)
    graph = frame.engine().answers.graph
    if unread := graph.unread():
        frame.notice("warn", f"{unread} 部法规尚未按现行规则读入图谱", "请管理员在“系统”页重建索引，随之补读。")
    try:
        if st.session_state[_VIEW] == "proposals":
            proposals.draw()
        else:
            {"around": _around, "path": _path, "duties": _duties}[st.session_state[_VIEW]](graph, _scope())
    except NotFoundError as error:
        frame.notice("info", "图谱中没有找到", error.message, error.tips)


def _follow(rules: Rules) -> list[str]:
    """Set the controls from the address when it did not come from them."""
    given, state = st.query_params.to_dict(), st.session_state
    if _WORDS in state and given == state.get(_WRITTEN):
        return []
    chosen, wrong = choices.read(given, rules)
    known = [kind.code for kind in rules.graph_kinds if kind.of == "edge"]
    state[_WORDS], state[_TO] = given.get("node", ""), given.get("to", "")
    state[_AUTHORITY], state[_ABOUT] = given.get("authority", ""), given.get("about", "")
    state[_KINDS] = [code for code in given.get("kinds", "").split(",") if code in known]
    state[_VIEW] = given.get("view", "") if given.get("view") in _VIEWS else ("path" if state[_TO] else "around")
    choices.put(_PREFIX, chosen)
    state[_WRITTEN] = given
    return wrong


def _write() -> None:
    state = st.session_state
    params = {
        "node": state[_WORDS] or "", "to": state.get(_TO) or "", "view": state[_VIEW] or "around",
        "kinds": ",".join(state[_KINDS]), "authority": state.get(_AUTHORITY) or "", "about": state.get(_ABOUT) or "",
    } | choices.get(_PREFIX).params()  # fmt: skip
    state[_WRITTEN] = {key: value for key, value in params.items() if value}
    st.query_params.from_dict(state[_WRITTEN])


def _controls(rules: Rules) -> None:
    names = {kind.code: kind.name for kind in rules.graph_kinds if kind.of == "edge"}
    view = st.session_state[_VIEW]
    fields = {
        "around": ((_WORDS, "节点", "法规名称（可带 第…条）、机关、主体或术语"),),
        "path": ((_WORDS, "起点", "如 可再生能源法第十四条"), (_TO, "终点", "如 电力法")),
        "duties": ((_AUTHORITY, "机关", "机关名称中的字，如 能源主管部门"), (_ABOUT, "事项", "句中须有的字，如 并网")),
    }.get(view)
    with st.container(border=True, key="filters", gap="small"):
        st.segmented_control(
            "视图", list(_VIEWS), format_func=_VIEWS.__getitem__, key=_VIEW, required=True, on_change=_write,
            label_visibility="collapsed",
        )  # fmt: skip
        if fields is None:
            return
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="question_row"):
            for key, label, hint in fields:
                st.text_input(label, key=key, placeholder=hint, icon=":material/search:", on_change=_write)
            st.selectbox(
                "省份", ["", *choices.names(rules, "province")], key=f"{_PREFIX}_province", on_change=_write,
                format_func=lambda code: choices.named(rules, "province", [code]) or "全部", width=150,
            )  # fmt: skip
            choices.draw_day(_PREFIX, _write)
        with st.container(horizontal=True, vertical_alignment="top", gap="medium", key="filter_row"):
            st.pills(
                "关系", list(names), selection_mode="multi", format_func=names.__getitem__, key=_KINDS, on_change=_write,
                wrap=True,
            )  # fmt: skip
            _corpora()


def _corpora() -> None:
    """Draw the choice of corpora, where there are any or one is named in the address."""
    engine, key = frame.engine(), f"{_PREFIX}_corpora"
    known = sorted({*(c.name for c in engine.corpora.seen(engine.person)), *(st.session_state.get(key) or ())})
    if known:
        st.multiselect(
            "资料集", known, format_func=safe.label, key=key, on_change=_write, placeholder="全部", width=240
        )


def _scope() -> GraphScope:
    from nemo.graph import GraphScope

    chosen = choices.get(_PREFIX)
    engine = frame.engine()
    within = engine.corpora.texts(chosen.corpora, engine.person)
    return GraphScope(tuple(st.session_state[_KINDS]), chosen.province, chosen.day or today(), within)


def _around(graph: LawGraph, scope: GraphScope) -> None:
    from nemo.graph import formats

    words = (st.session_state[_WORDS] or "").strip()
    if not words:
        _overview(graph, scope)
        return
    centre = graph.named(words)
    named = ":" in words or words == centre.name
    others = [] if named else [node for node in graph.search(words, _OTHERS + 1) if node != centre][:_OTHERS]
    edges = graph.around(centre, scope)
    found = formats.neighbourhood(graph, edges, centre, scope.day)
    name = _called(centre.kind, centre.name)
    st.html(f'<h2 class="section-head">{safe.name(name)}（{safe.text(graph.kind_name(centre.kind))}）</h2>')
    if others:
        links = "　".join(_link(node.id, _told_apart(graph, node, centre)) for node in others)
        st.html(f'<p class="quiet beside">也可能是：{links}</p>')
    if duty := found["nodes"][0].get("duty"):
        _parts(duty)
    if not edges:
        frame.notice("info", "没有符合条件的关系", "请放宽关系、省份或适用日期。")
        return
    _picture(found, edges)
    _list(found)
    with st.container(horizontal=True, gap="small"):
        file = download.file_name("图谱", centre.name, str(scope.day))
        write = functools.partial(formats.written, graph, edges)
        download.files(file, write, _FORMS, key="graph")


def _told_apart(graph: LawGraph, node: GraphNode, centre: GraphNode) -> str:
    """Return what a node is called; of a text that bears the name of the one in the middle, with its day or its file."""
    name = _called(node.kind, node.name)
    row = graph.row(node.regulation_id) if node.name == centre.name else None
    return f"{name}（{row.version_date or row.validity.effective or row.file}）" if row else name


def _parts(duty: Mapping[str, Any]) -> None:
    """Draw what a duty is made of; what its sentence does not state is a dash."""
    said = {
        "主体": [duty["actor"]], "情态": [duty["modal"]], "行为": [duty["act"]], "条件": duty["conditions"], "期限": duty["deadlines"],
        "金额": duty["amounts"],
    }  # fmt: skip
    rows = [(name, tables.verbatim("；".join(words) or "—")) for name, words in said.items()]
    fines = "".join(f"<p>{tables.verbatim(p['words'])} {source(p)}</p>" for p in duty["penalties"])
    st.html(tables.plain((), [*rows, ("处罚", fines or "—")], "duty"))


def _overview(graph: LawGraph, scope: GraphScope) -> None:
    found = _counted(graph, scope, login.name(), hash(frame.engine().state))
    counts = {kind: count for kind, count in found.items() if not scope.kinds or kind in scope.kinds}
    each = " · ".join(f"{graph.kind_name(kind)} {count}" for kind, count in counts.items())
    st.html(f'<p class="quiet">写下一个节点开始。所选范围内共 {sum(counts.values())} 条关系：{safe.text(each)}</p>')


@st.cache_data(max_entries=8, show_spinner=False)
def _counted(_graph: LawGraph, scope: GraphScope, *seen: object) -> dict[str, int]:
    """Return how many edges of each kind there are; ``seen`` keys the cache: the person and the library's state."""
    return _graph.counts(scope)


def _path(graph: LawGraph, scope: GraphScope) -> None:
    from nemo.graph import formats

    ends = [(st.session_state.get(key) or "").strip() for key in (_WORDS, _TO)]
    if not all(ends):
        st.html('<p class="quiet">写下起点与终点，列出两者之间最短的一条路径，只经过入库的法规。</p>')
        return
    first, last = (graph.named(words) for words in ends)
    edges = graph.path(first, last, scope)
    if not edges:
        frame.notice(
            "info",
            "两个节点之间没有路径",
            f"{_called(first.kind, first.name)}与{_called(last.kind, last.name)}之间没有由引用、依据、术语等连成的路径；"
            "路径只经过入库的法规；可放宽关系、省份、资料集或适用日期。",
        )
        return
    found = formats.neighbourhood(graph, edges, first, scope.day)
    _picture(found, edges)
    _list(found)


def _duties(graph: LawGraph, scope: GraphScope) -> None:
    from nemo.graph import duties, formats

    authority, about = ((st.session_state.get(key) or "").strip() for key in (_AUTHORITY, _ABOUT))
    if not authority and not about:
        st.html('<p class="quiet">写下机关名称或事项中的字，列出机关 × 事项 × 省份。</p>')
        return
    table = formats.table(graph, duties(graph, authority, about, scope))
    if not table["total"]:
        frame.notice("info", "没有符合条件的职权", "请换用机关或事项中的字，或放宽关系、省份、适用日期。")
        return
    st.html(f'<h2 class="section-head">{table["texts"]} 部法规中 {table["total"]} 处</h2>')
    draw_table(table)


def draw_table(table: Mapping[str, Any]) -> None:
    """Draw a counted table; every row opens its provision."""
    rules, homes = frame.engine().rules, choices.homes(frame.engine().regulations())
    lines = (
        (
            safe.name(row["name"] or "—"), safe.text(row["kind_name"]),
            safe.text(choices.named(rules, "province", [homes.get(row["regulation_id"], "")])),
            f'<span class="verbatim">{safe.paragraph(row["text"])}</span>', source(row),
        )
        for row in table["rows"][:_LINES]
    )  # fmt: skip
    st.html(tables.plain(("名称", "关系", "省份", "原文", "出处"), lines, "ties counted"))
    if (more := table["total"] - _LINES) > 0:
        st.caption(f"只列前 {_LINES} 行，另有 {more} 行；可加条件缩小范围，或用接口取全表。")


def draw_beside(beside: Mapping[str, Any]) -> None:
    """Draw what stands below an answer: related provisions, and the table counted over the library."""
    for one in beside["related"]:
        why = one["because"]
        st.html(
            f'<div class="beside"><p class="quiet">{safe.text(one["role"])} · {source(one)} · {safe.text(one["status"])}'
            f" · 因{safe.name(one['from'])}“{safe.text(why['words'])}”</p>"
            f'<div class="verbatim">{safe.paragraph(one["text"])}</div></div>'
        )
    if table := beside["counted"]:
        head = f"全库统计：{table['heading']}，{table['texts']} 部法规中 {table['total']} 处"
        st.html(f'<h3 class="side-head">{safe.text(head)}</h3>')
        draw_table(table)
    if not beside["related"] and not beside["counted"]:
        st.html('<p class="quiet">没有读到与所引条文相关联的其他条款。</p>')


# --- picture and list -------------------------------------------------------------------------------------------------


def _picture(found: Mapping[str, Any], edges: Sequence[ResolvedEdge]) -> None:
    shade = "dark" if st.context.theme.type == "dark" else "light"
    st.graphviz_chart(dot(found, shade), alt="邻域图，内容与下方列表相同")
    if (more := len(edges) - _DRAWN) > 0:
        st.caption(f"图中只画出前 {_DRAWN} 条关系，其余 {more} 条见下方列表。")


def dot(found: Mapping[str, Any], shade: str = "light") -> str:
    """Return edges with their nodes in the language of Graphviz; every label is quoted."""
    edges = [e for e in found["edges"] if e["source"] != e["target"]][:_DRAWN]
    ends = {end for e in edges for end in (e["source"], e["target"])}
    numbers = {node["id"]: f"n{i}" for i, node in enumerate(found["nodes"])}
    shown = [node for node in found["nodes"] if node["id"] in ends | {found["centre"]}]
    nodes = {}
    for node in shown:
        style = "" if node["regulation_id"] or node["kind"] != "regulation" else ", style=dashed"
        wide = ", penwidth=2.4" if node["id"] == found["centre"] else ""
        label = quoted(_called(node["kind"], node["name"]), "未入库" if style else node["status"] or node["kind_name"])
        nodes[numbers[node["id"]]] = f"label={label}, shape={_SHAPES.get(node['kind'], 'plaintext')}{style}{wide}"
    ties = [(numbers[e["source"]], numbers[e["target"]], f"label={quoted(e['kind_name'])}") for e in edges]
    if found["centre"] not in ends:  # a way that begins at a provision goes on from its text
        home = next(node["regulation_id"] for node in shown if node["id"] == found["centre"])
        texts = (n["id"] for n in found["nodes"] if n["kind"] == "regulation" and n["regulation_id"] == home)
        look = f"label={quoted('载于')}, style=dotted"
        ties = [*((numbers[found["centre"]], numbers[each], look) for each in texts), *ties]
    return graphviz(nodes, ties, shade)


def _list(found: Mapping[str, Any]) -> None:
    names = {node["id"]: _called(node["kind"], node["name"]) for node in found["nodes"]}
    lines = (
        (
            _link(e["source"], names[e["source"]]), safe.text(e["kind_name"]),
            _link(e["target"], names[e["target"]]) if e["source"] != e["target"] else "—",
            tables.verbatim(joined(e["words"])), source(e) + _approved(e),
        )
        for e in found["edges"]
    )  # fmt: skip
    st.html(tables.plain(("自", "关系", "至", "依据原文", "出处"), lines, "ties"))


def _called(kind: str, name: str) -> str:
    """Return a node's name as it is written: the title of a text in book marks, any other as it is."""
    return in_marks(name) if kind == "regulation" else name


def _approved(edge: Mapping[str, Any]) -> str:
    return f'<p class="quiet">模型提出，{safe.name(edge["approved_by"])} 核准</p>' if edge["approved_by"] else ""


def _link(node_id: str, name: str) -> str:
    params = {"node": node_id} | choices.get(_PREFIX).params()
    return frame.anchor(safe.name(name), "graph", params)
