"""What stands beside a provision: its definitions, exceptions, penalties, what it points to and what points to it (关联条款).

One step from a provision along its edges. The order is that of the use for a reader: what limits the provision and what
follows from breaking it come before what merely names it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nemo.graph.nodes import GraphNode, ResolvedEdge, article_of
from nemo.graph.view import GraphScope, LawGraph
from nemo.store.records.edges import StoredEdge
from nemo.text.law.acts import most_alike
from nemo.types import Span

ROLES = {
    "penalty": "处罚",
    "exemption": "除外",
    "duty": "所罚的义务",
    "definition": "定义",
    "cited": "所引条文",
    "citing": "引用本条",
    "parallel": "同一事项",
}
MOST = 8
"""Related provisions below an answer."""
EACH = 3
"""Of one role, so that no role crowds out the others."""


@dataclass(frozen=True, slots=True)
class RelatedProvision:
    """A provision that belongs to one that was quoted."""

    role: str
    """Key of ``ROLES``."""
    node: GraphNode
    by: ResolvedEdge
    """The edge that leads there: its words say why."""
    start: GraphNode
    """The quoted provision, or the step before."""


def related(
    graph: LawGraph, quoted: Sequence[tuple[str, Span]], scope: GraphScope, steps: int = 1
) -> list[RelatedProvision]:
    """Return the provisions at most ``steps`` (1 or 2) steps from those that were quoted, the most useful first.

    Of the scope day and province count; kinds are not looked at.
    """
    starts = [node for i, span in quoted if (node := _node_at(graph, i, span)) is not None and node.label]
    seen = set(starts)
    found: list[RelatedProvision] = []
    for _ in range(steps):
        new: list[RelatedProvision] = []
        for start in dict.fromkeys(starts):
            for one in _beside(graph, start, scope):
                if one.node not in seen and one.node.label:
                    seen.add(one.node)
                    new.append(one)
        found += _few(new)
        starts = [one.node for one in new]
    return found[: MOST * steps]


def _node_at(graph: LawGraph, regulation_id: str, span: Span) -> GraphNode | None:
    if graph.row(regulation_id) is None:
        return None
    chain = graph.library.regulation(regulation_id).chain(Span(span.start, span.start + 1))
    return graph.provision(regulation_id, chain[-1].label) if chain else None


def _parallel(graph: LawGraph, start: GraphNode, scope: GraphScope) -> Iterator[RelatedProvision]:
    """Yield what the texts of the other level on the same matter say of it: national for provincial and the other way."""
    own = graph.library.regulation(start.regulation_id)
    found = own.find(start.label)
    if found is None:
        return
    for edge in graph.resolved(graph.library.edges.of([start.regulation_id], ("same_matter",)), scope):
        if not graph.inside(edge.target.regulation_id, scope):
            continue
        other = graph.library.regulation(edge.target.regulation_id)
        articles = other.articles()
        at = most_alike(found.span.of(own.text), [node.span.of(other.text) for node in articles])
        if at is not None:
            yield RelatedProvision("parallel", graph.provision(other.id, articles[at].label), edge, start)


def _few(found: Sequence[RelatedProvision]) -> list[RelatedProvision]:
    kept: list[RelatedProvision] = []
    for role in ROLES:
        kept += [one for one in found if one.role == role][:EACH]
    return kept[:MOST]


def _beside(graph: LawGraph, start: GraphNode, scope: GraphScope) -> Iterator[RelatedProvision]:
    """Yield the neighbours of one provision in every role."""
    around = list(graph.resolved(_own(graph, start), scope))
    terms = {e.target for e in around if e.kind == "uses_term" and e.source == start}
    for edge in graph.resolved(graph.library.edges.of([start.regulation_id], ("defines",)), scope):
        if edge.target in terms:
            yield RelatedProvision("definition", edge.source, edge, start)
    for edge in [*around, *graph.pointing(start, scope)]:
        outward = edge.source == start or edge.target != start
        other = (
            edge.target if outward else graph.provision(edge.regulation_id, edge.label) if edge.label else edge.source
        )
        role = _role(edge, outward, other, graph)
        if role and other != start and other.kind == "provision":
            yield RelatedProvision(role, other, edge, start)
    yield from _parallel(graph, start, scope)


def _own(graph: LawGraph, start: GraphNode) -> list[StoredEdge]:
    stored = graph.library.edges.of([start.regulation_id], ("uses_term", "penalises", "cites"))
    return [s for s in stored if start.label in (article_of(s.edge.label), article_of(s.edge.target_label))]


def _role(edge: ResolvedEdge, outward: bool, other: GraphNode, graph: LawGraph) -> str:
    if edge.kind == "penalises":
        return "duty" if outward else "penalty"
    if edge.kind != "cites":
        return ""
    if outward:
        return "cited"
    told = graph.library.edges.of([other.regulation_id], ("penalises", "exempts")) if other.regulation_id else ()
    kinds = {stored.edge.kind for stored in told if article_of(stored.edge.label) == other.label}
    return "penalty" if "penalises" in kinds else "exemption" if "exempts" in kinds else "citing"
