"""The graph as plain data: JSON, GraphML, and JSON-LD in the terms of ELI and Akoma Ntoso (导出)."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

import networkx as nx

from nemo.graph.counted import CountedTable, sentence_at
from nemo.graph.duty import DutyParts
from nemo.graph.nodes import GraphNode, ResolvedEdge
from nemo.graph.related import ROLES, RelatedProvision
from nemo.graph.view import LawGraph
from nemo.types import Day, Span, status_of, today
from nemo.types.plain import picked

CONTEXT = {
    "eli": "http://data.europa.eu/eli/ontology#",
    "akn": "http://docs.oasis-open.org/legaldocml/ns/akn/3.0#",
    "nemo": "urn:nemo:graph:",
    "name": "http://www.w3.org/2000/01/rdf-schema#label",
}


def node(graph: LawGraph, one: GraphNode, day: Day | None = None) -> dict[str, Any]:
    """Return a node; what is law, is so on ``day`` or today."""
    row = graph.row(one.regulation_id) if one.regulation_id else None
    return {
        **picked(one, "id kind"),
        "kind_name": graph.kind_name(one.kind),
        "name": one.name,
        "regulation_id": one.regulation_id or None,
        "label": one.label or None,
        "province": row and row.province,
        "status": status_of(row, day or today()).value if row and one.held else None,
        "duty": _duty(graph, parts, one) if (parts := graph.parts(one)) else None,
    }


def _duty(graph: LawGraph, parts: DutyParts, one: GraphNode) -> dict[str, Any]:
    text = graph.library.text(one.regulation_id)
    return {
        **picked(parts, "actor modal"),
        "act": parts.act.of(text),
        "conditions": [span.of(text) for span in parts.conditions],
        **picked(parts, "deadlines amounts"),
        "penalties": [
            {**place(graph, p.regulation_id, p.edge.label, p.edge.span), "words": p.edge.span.of(text)}
            for p in parts.penalties
        ],
    }


def edge(graph: LawGraph, one: ResolvedEdge) -> dict[str, Any]:
    """Return an edge with the words that prove it and the sentence they stand in."""
    text = graph.library.text(one.regulation_id)
    return {
        "kind": one.kind,
        "kind_name": graph.kind_name(one.kind),
        **picked(one, "source=source.id target=target.id"),
        **place(graph, one.regulation_id, one.label, one.span),
        "words": one.span.of(text),
        "sentence": sentence_at(text, one.span).of(text),
        **picked(one, "rule confidence"),
        "approved_by": one.approved or None,
    }


def place(graph: LawGraph, regulation_id: str, label: str, span: Span) -> dict[str, Any]:
    """Return where some words stand."""
    regulation = graph.library.regulation(regulation_id)
    found = regulation.find(label) if label else None
    filed = {"regulation_id": regulation_id, **picked(regulation, "title province")}
    return {**filed, "article": found.path() if found else None, "label": label or None, **span._asdict()}


def neighbourhood(
    graph: LawGraph, edges: Sequence[ResolvedEdge], centre: GraphNode | None = None, day: Day | None = None
) -> dict[str, Any]:
    """Return edges with the nodes at their ends."""
    nodes = dict.fromkeys([*([centre] if centre else []), *(n for e in edges for n in (e.source, e.target))])
    return {
        "centre": centre.id if centre else None,
        "nodes": [node(graph, n, day) for n in nodes],
        "edges": [edge(graph, e) for e in edges],
        "unread": graph.unread(),
    }


def related(graph: LawGraph, found: Iterable[RelatedProvision], day: Day | None) -> list[dict[str, Any]]:
    """Return related provisions with their words and the edge that leads to each."""
    return [_related(graph, one, day or today()) for one in found]


def _related(graph: LawGraph, one: RelatedProvision, day: Day) -> dict[str, Any]:
    regulation = graph.library.regulation(one.node.regulation_id)
    found = regulation.find(one.node.label)
    assert found is not None, "a related node is a provision of a held text"
    return {
        "role": ROLES[one.role],
        **picked(regulation, "regulation_id=id file title"),
        "article": found.path(),
        "label": found.label,
        **found.span._asdict(),
        "text": found.span.of(regulation.text),
        "status": status_of(regulation, day).value,
        "from": one.start.name,
        "because": edge(graph, one.by),
    }


def table(graph: LawGraph, found: CountedTable) -> dict[str, Any]:
    """Return a counted table; every row says where its words stand."""
    rows = [
        {
            "kind": row.edge.kind,
            "kind_name": graph.kind_name(row.edge.kind),
            "name": row.name or None,
            **place(graph, row.edge.regulation_id, row.edge.label, row.words),
            "text": row.words.of(graph.library.text(row.edge.regulation_id)),
        }
        for row in found.rows
    ]
    names = [{"name": name, "count": count} for name, count in found.names]
    return {**picked(found, "heading subject total texts"), "names": names, "rows": rows}


MOST_EXPORTED = 5_000
"""Edges of one file."""


def written(graph: LawGraph, edges: Sequence[ResolvedEdge], form: str) -> str:
    """Return a file of edges: ``graphml`` or ``jsonld``."""
    return graphml(graph, edges) if form == "graphml" else json.dumps(json_ld(graph, edges), ensure_ascii=False)


def graphml(graph: LawGraph, edges: Sequence[ResolvedEdge]) -> str:
    """Return edges as GraphML (graphml.graphdrawing.org), with the words of each as its attributes."""
    made: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for one in edges:
        for end in (one.source, one.target):
            made.add_node(end.id, kind=end.kind, name=end.name, label=end.label)
        edge_values = edge(graph, one)
        kept = ("kind", "title", "article", "start", "end", "words", "rule", "confidence", "approved_by")
        made.add_edge(one.source.id, one.target.id, **{k: edge_values[k] for k in kept if edge_values[k] is not None})
    return "\n".join(nx.generate_graphml(made))


def json_ld(graph: LawGraph, edges: Sequence[ResolvedEdge]) -> dict[str, Any]:
    """Return edges as JSON-LD: one resource a node, each edge as its property with the words beside it."""
    terms = {kind.code: kind.eli or f"nemo:{kind.code}" for kind in graph.rules.graph_kinds}
    found: dict[str, dict[str, Any]] = {}
    for one in edges:
        for end in (one.source, one.target):
            found.setdefault(end.id, {"@id": f"nemo:{end.id}", "@type": terms[end.kind], "name": end.name})
        edge_values = edge(graph, one)
        said = {
            f"nemo:{key}": edge_values[key]
            for key in ("title", "article", "words", "start", "end", "rule", "confidence", "approved_by")
        }
        value = {"@id": f"nemo:{one.target.id}", "nemo:proof": {k: v for k, v in said.items() if v is not None}}
        found[one.source.id].setdefault(terms[one.kind], []).append(value)
    return {"@context": CONTEXT, "@graph": list(found.values())}
