"""A question about the whole library, answered by counting (全库统计): 哪些部门…, 有多少…, 列出所有…期限、处罚.

A table whose every row is a place in a held text: who, what, where, and the words. What is asked for is read from the
question by data (``data/rules/graph_asked.toml``); the subject is the words that remain, and a row must hold all of them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.graph.nodes import ResolvedEdge
from nemo.graph.view import GraphScope, LawGraph
from nemo.rules import GraphAsked
from nemo.store.records.edges import StoredEdge
from nemo.text.words import tokenise
from nemo.types import Span

MOST = 300
"""Rows that are shown; how many there are is told."""
_GLUE = re.compile(
    r"哪些|哪个|什么|多少|几个|几部|所有|全部|列出|列举|列明|统计|一共|总共|共有|分别|各|请|有关|关于|规定|条文|条款|法规|文件|由|对|的|了|有|是|在(?![线建役册职])|和|与|及|吗|呢|[？?，。、“”《》]|要求|我国|全国|各省|省份"
)


@dataclass(frozen=True, slots=True)
class CountedRow:
    """One row: an edge with the words around it."""

    edge: ResolvedEdge
    name: str
    """The authority, the actor, the term, the amount."""
    words: Span
    """The sentence the edge stands in."""


@dataclass(frozen=True, slots=True)
class CountedTable:
    """What was counted."""

    heading: str
    subject: tuple[str, ...]
    """Words every row holds."""
    rows: tuple[CountedRow, ...]
    total: int
    texts: int
    names: tuple[tuple[str, int], ...]
    """How often each name stands in a row, most often first."""


def counted(graph: LawGraph, question: str, scope: GraphScope) -> CountedTable | None:
    """Return the table a question asks for, None when it asks for none."""
    asked = next((a for a in graph.rules.graph_asked if re.search(a.pattern, question)), None)
    if asked is None:
        return None
    rest = re.sub("|".join([asked.pattern, *map(re.escape, asked.nouns)]), "，", question)
    pieces = tuple(dict.fromkeys(piece for piece in _GLUE.split(rest) if len(piece) > 1))
    words = tuple(dict.fromkeys(w for piece in pieces for w in tokenise.words(piece) if len(w) > 1))
    whole = _rows(graph, asked, pieces, scope)
    return _table(asked.name, pieces, whole) if whole else _table(asked.name, words, _rows(graph, asked, words, scope))


def duties(graph: LawGraph, authority: str, about: str, scope: GraphScope) -> CountedTable:
    """Return what authorities must do, may do and watch over: authority × duty × province (职权表).

    ``authority`` and ``about`` are words in its name and in the sentence, empty for any; without kinds in the scope
    it is 义务与权限, 监督管理, 处罚.
    """
    kinds = scope.kinds or ("obliges", "supervises", "penalises")
    asked = GraphAsked("职权", "", kinds, "", named="authority")
    stored = graph.library.edges.named(authority, kinds, None) if authority else None
    rows = [row for row in _rows(graph, asked, (about,) if about else (), scope, stored) if authority in row.name]
    return _table("职权", (about,) if about else (), rows)


def _table(heading: str, subject: tuple[str, ...], rows: Sequence[CountedRow]) -> CountedTable:
    names = Counter(row.name for row in rows if row.name)
    ordered = tuple(sorted(names.items(), key=lambda each: (-each[1], each[0])))
    texts = len({row.edge.regulation_id for row in rows})
    return CountedTable(heading, subject, tuple(rows[:MOST]), len(rows), texts, ordered)


def _rows(
    graph: LawGraph,
    asked: GraphAsked,
    subject: Sequence[str],
    scope: GraphScope,
    stored: Iterable[StoredEdge] | None = None,
) -> list[CountedRow]:
    """Return the rows of a table, of all edges or of those given; a sentence whose actor is known gives none without one."""
    looked_at = graph.library.edges.all(asked.kinds, subject) if stored is None else stored
    rows = list(_every_row(graph, asked, subject, scope, looked_at))
    named = {(row.edge.regulation_id, row.words) for row in rows if row.name}
    return [row for row in rows if row.name or (row.edge.regulation_id, row.words) not in named]


def _every_row(
    graph: LawGraph, asked: GraphAsked, subject: Sequence[str], scope: GraphScope, looked_at: Iterable[StoredEdge]
) -> Iterator[CountedRow]:
    seen: set[tuple[str, str, Span]] = set()
    held: dict[str, str] = {}
    for stored in looked_at:
        if asked.ends and stored.edge.target_kind not in asked.ends:
            continue
        if asked.modals and stored.edge.rule not in asked.modals:
            continue
        text = held.get(stored.regulation_id)
        if text is None:
            row = graph.row(stored.regulation_id)
            text = held[stored.regulation_id] = graph.library.text(stored.regulation_id) if row else ""
        words = sentence_at(text, stored.edge.span)
        said = words.of(text)
        if not all(w in said for w in subject):
            continue
        for edge in graph.resolved([stored], scope):
            name = _name(edge, asked)
            key = (edge.regulation_id, name, words)
            if key not in seen and (name or not asked.named):
                seen.add(key)
                yield CountedRow(edge, name, words)


def _name(edge: ResolvedEdge, asked: GraphAsked) -> str:
    if asked.named == "authority":
        return edge.source.name if edge.source.kind == "authority" else ""
    if asked.named == "target":
        return edge.target.name
    return edge.source.name if edge.source.kind in ("authority", "actor") else ""


def sentence_at(text: str, span: Span) -> Span:
    """Return the sentence around some words, up to 400 characters to either side."""
    start = max(text.rfind(mark, max(0, span.start - 400), span.start) for mark in "。\n") + 1
    ends = [at for mark in "。\n" if (at := text.find(mark, span.end, span.end + 400)) >= 0]
    begin = max(start, span.start - 400)
    while begin < span.start and text[begin].isspace():
        begin += 1
    return Span(begin, min(ends) + 1 if ends else min(len(text), span.end + 400))
