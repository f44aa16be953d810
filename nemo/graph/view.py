"""The graph over one library: look-ups, neighbourhoods, paths (图谱视图). Always of the library's present state."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx

from nemo.errors import NotFoundError
from nemo.graph.duty import DutyParts, name_of, taken_apart
from nemo.graph.nodes import OWN, WHOLE, GraphNode, ResolvedEdge, article_of, parsed
from nemo.lawview import LawOverview
from nemo.rules import Rules
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.store.records.edges import StoredEdge
from nemo.text.facts.graph_edges import GraphReader
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import article_label, parse_article
from nemo.types import Day, Status, status_of, today

BETWEEN = ("based_on", "implements", "amends", "repeals", "same_matter", "cites")
"""Kinds that tie texts; a path runs along these, along provisions named as broken, and along defined terms."""
ALONG = (*BETWEEN, "penalises", "defines", "uses_term")
_ADDRESS = re.compile(
    r"《?(?P<title>[^《》]+?)》?(?P<article>第[一二三四五六七八九十百千零〇\d]+条(?:之[一二三四五六七八九十]+)?)?$"
)
MOST = 60
"""Edges of a neighbourhood that a reader can still see apart."""
APART = 3
"""Steps that count for the one from a provision to its text, so that what ties two provisions of a text is preferred."""
FAR = 12
"""Steps of the longest path that is looked for."""


@dataclass(frozen=True, slots=True)
class GraphScope:
    """What of the graph is looked at; None means everything."""

    kinds: tuple[str, ...] = ()
    province: str | None = None
    """National texts are always in."""
    day: Day | None = None
    """Only texts that are law on it, or whose status is not known."""
    within: frozenset[str] | None = None
    """Only these texts: those of the corpora that were named."""
    unheld: bool = False
    """Whether a path may run through texts and standards that are cited and not held; at its ends they always may be."""


class LawGraph:
    """The graph of one library; thread-safe."""

    def __init__(self, library: Library, rules: Rules, law: LawOverview) -> None:
        self._law = law
        self.library = library
        self.rules = rules
        heads = next(entry.words for entry in rules.graph_words if entry.code == "heads")
        self._organ = re.compile(f"(?:{'|'.join(heads)})$")
        self._kept: tuple[tuple[object, ...], nx.Graph[str]] | None = None
        self._lock = threading.Lock()

    # --- what is there

    def counts(self, scope: GraphScope | None = None) -> dict[str, int]:
        """Return how many edges of each kind there are in the texts looked at, kinds in the order of the rule data."""
        whole = scope is None or (scope.within is None and scope.province is None and scope.day is None)
        inside = None if whole or scope is None else {r.id for r in self.library.rows() if self.inside(r.id, scope)}
        found = self.library.edges.counts(inside)
        return {kind.code: found.get(kind.code, 0) for kind in self.rules.graph_kinds if kind.of == "edge"}

    def unread(self) -> int:
        """Return how many held texts were not read for the graph, or by rules that were others."""
        return len(self.library.edges.unread(self._reader))

    @cached_property
    def _reader(self) -> str:
        return GraphReader(self.rules).version

    def kind_name(self, code: str) -> str:
        """Return the Chinese name of a kind of node or edge."""
        return next((kind.name for kind in self.rules.graph_kinds if kind.code == code), code)

    def row(self, regulation_id: str) -> RegulationRow | None:
        """Return a held text, None when it was removed meanwhile."""
        return self.library.row(regulation_id) if self.library.holds(regulation_id) else None

    # --- nodes

    def search(self, words: str, limit: int = 20) -> list[GraphNode]:
        """Return nodes whose name holds some words: what is called so, then texts, then those most often met.

        Texts leave half of the room to the rest: hundreds of titles begin with the name of an authority.
        """
        key = title_key(words)
        texts = [
            GraphNode("regulation", r.title, r.id) for r in self.library.rows() if key and key in title_key(r.title)
        ]
        met: dict[GraphNode, int] = {}
        for stored in self.library.edges.named(words):
            for node in self._ends(stored):
                if node is not None and node.kind not in WHOLE and words in node.name:
                    met[node] = met.get(node, 0) + 1
        others = sorted(met, key=lambda n: (-met[n], n.name))
        texts.sort(key=lambda n: title_key(n.name) != key)
        exact = [n for n in (*texts, *others) if title_key(n.name) == key]
        room = max(limit // 2, limit - len(others))
        return list(dict.fromkeys((*exact, *texts[:room], *others)))[:limit]

    def node(self, node_id: str) -> GraphNode:
        """Return the node of an id.

        Raises:
            BadRequestError: it is no id.
            NotFoundError: the text, or its provision, is not held.
        """
        kind, name, more = parsed(node_id)
        if kind == "duty":
            found = self.duty(name, more)
            return self._duty(found) if found else _nothing(node_id)
        if kind not in WHOLE:
            return GraphNode(kind, name, more)
        row = self.row(name)
        if row is None:
            return GraphNode(kind, name) if kind == "regulation" else _nothing(node_id)
        return self.provision(row.id, more) if more else GraphNode("regulation", row.title, row.id)

    def named(self, words: str) -> GraphNode:
        """Return the node that words mean: its id, a title with or without 第…条, else the best that is found.

        Raises:
            NotFoundError: nothing is called so.
        """
        if words.partition(":")[0] in {kind.code for kind in self.rules.graph_kinds if kind.of == "node"}:
            return self.node(words)
        match = _ADDRESS.match(words.strip())
        if match is not None and match["article"]:
            number, held = parse_article(match["article"]), self.holder(match["title"], None)
            if number is not None and held is not None:
                return self.provision(held, article_label(*number))
        title = words.strip("《》 ")
        if (held := self.holder(title, None)) is not None:  # the one of several that edges lead to
            return self._text(held)
        try:
            return self._text(self._law.edition(title, today()).id)
        except NotFoundError:
            found = self.search(title, 1)
        if not found:
            raise NotFoundError(f"图谱中没有“{words}”。请换用法规名称、机关、主体或术语再找。")
        return found[0]

    def provision(self, regulation_id: str, label: str) -> GraphNode:
        """Return the node of a provision, or of the text when it has no such provision."""
        regulation = self.library.regulation(regulation_id)
        found = regulation.find(article_of(label))
        if found is None:
            return GraphNode("regulation", regulation.title, regulation_id)
        return GraphNode("provision", f"{in_marks(regulation.title)}{found.path()}", regulation_id, found.label)

    def duty(self, regulation_id: str, begins: str) -> StoredEdge | None:
        """Return the edge of the duty whose words begin at a place of a text; None when there is none."""
        own = self.library.edges.of([regulation_id], ("obliges",)) if self.row(regulation_id) else []
        return next((s for s in own if str(s.edge.span.start) == begins), None)

    def parts(self, node: GraphNode) -> DutyParts | None:
        """Return what a duty is made of; None of a node that is none."""
        found = self.duty(node.regulation_id, node.label) if node.kind == "duty" else None
        if found is None:
            return None
        return taken_apart(self.library.text(node.regulation_id), found, self.library.edges.of([node.regulation_id]))

    def _duty(self, stored: StoredEdge) -> GraphNode:
        name = name_of(self.library.text(stored.regulation_id), stored)
        return GraphNode("duty", name, stored.regulation_id, str(stored.edge.span.start))

    # --- edges

    def around(self, node: GraphNode, scope: GraphScope | None = None, limit: int = MOST) -> list[ResolvedEdge]:
        """Return the edges at a node, those between texts first."""
        scope = scope or GraphScope()
        if node.kind == "duty":
            return list(self._at_duty(node, scope))[:limit]
        found = []
        for edge in self._at(node, scope):
            if node in (edge.source, edge.target) or node.kind not in WHOLE:
                found.append(edge)
            elif edge.kind == "obliges":
                found += [replace(edge, kind="states", source=node), edge]
        found = list(dict.fromkeys(found))
        found.sort(key=lambda e: (e.source == e.target, ALONG.index(e.kind) if e.kind in ALONG else len(ALONG)))
        return found[:limit]

    def _at(self, node: GraphNode, scope: GraphScope) -> Iterator[ResolvedEdge]:
        edges = self.library.edges
        if not node.held:
            named = edges.named(node.name, scope.kinds, limit=4 * MOST)
            exact = (s for s in named if node.name in (s.edge.source, s.edge.target))
            yield from self.resolved(exact, scope)
            return
        own = edges.of([node.regulation_id], scope.kinds)
        if node.label:
            own = [s for s in own if node.label in (article_of(s.edge.label), article_of(s.edge.target_label))]
        else:
            own = [s for s in own if s.edge.kind in BETWEEN]
        yield from self.resolved(own, scope)
        yield from self.pointing(node, scope)

    def _at_duty(self, node: GraphNode, scope: GraphScope) -> Iterator[ResolvedEdge]:
        """Yield who has a duty, where it stands, what it states and what punishes its breach."""
        found, parts = self.duty(node.regulation_id, node.label), self.parts(node)
        if found is None or parts is None:
            return
        for edge in self.resolved([found], scope):
            yield from (edge, replace(edge, kind="states", source=self._place(edge.regulation_id, edge.label)))
        own = self.library.edges.of([node.regulation_id], ("states",))
        inside = [s for s in own if found.edge.span.contains(s.edge.span)]
        yield from (replace(edge, source=node) for edge in self.resolved(inside, scope))
        for edge in self.resolved(parts.penalties, scope):
            yield replace(edge, source=self._place(edge.regulation_id, edge.label), target=node)

    def pointing(self, node: GraphNode, scope: GraphScope) -> Iterator[ResolvedEdge]:
        """Yield the edges of other texts that end at a held text or one of its provisions."""
        row = self.row(node.regulation_id)
        if row is None:
            return
        names = {row.title, row.short_title, row.title.removeprefix("中华人民共和国"), row.document_number or ""} - {""}
        names |= {alias for a in self.rules.aliases if a.title == row.title for alias in a.aliases}
        label = node.label or None
        inward = (
            s
            for s in self.library.edges.to(sorted(names), scope.kinds)
            if s.regulation_id != node.regulation_id and (label is None or article_of(s.edge.target_label) == label)
        )
        yield from (e for e in self.resolved(inward, scope) if e.target.regulation_id == node.regulation_id)

    def resolved(self, stored: Iterable[StoredEdge], scope: GraphScope | None = None) -> Iterator[ResolvedEdge]:
        """Yield edges with their ends looked up; what stands in texts out of scope, or removed, falls out."""
        scope = scope or GraphScope()
        inside: dict[str, bool] = {}
        for one in stored:
            if one.regulation_id not in inside:
                inside[one.regulation_id] = self.inside(one.regulation_id, scope)
            if not inside[one.regulation_id]:
                continue
            for source, target in self._pairs(one, scope.day):
                edge = one.edge
                proof = (one.regulation_id, edge.label, edge.span, edge.rule, edge.confidence, one.approved)
                yield ResolvedEdge(edge.kind, source, target, *proof)

    def inside(self, regulation_id: str, scope: GraphScope) -> bool:
        """Tell whether a text is one of those looked at."""
        row = self.row(regulation_id)
        if row is None or (scope.within is not None and regulation_id not in scope.within):
            return False
        if scope.province and row.province not in (scope.province, "cn"):
            return False
        return scope.day is None or status_of(row, scope.day) in (Status.IN_FORCE, Status.UNKNOWN)

    def _pairs(self, stored: StoredEdge, day: Day | None) -> Iterator[tuple[GraphNode, GraphNode]]:
        edge, own = stored.edge, stored.regulation_id
        if edge.kind == "same_matter":
            here = self._text(own)
            yield from ((here, self._text(other)) for other in self._same(own, edge.target))
            return
        source = self._ends(stored)[0] or self._place(own, edge.label)
        yield source, self._duty(stored) if edge.kind == "obliges" else self._target(stored, day)

    def _ends(self, stored: StoredEdge) -> tuple[GraphNode | None, GraphNode | None]:
        """Return the ends that are no texts, without looking anything up."""
        edge, own = stored.edge, stored.regulation_id
        source = target = None
        if edge.target_kind not in WHOLE:
            target = GraphNode(edge.target_kind, edge.target, own if edge.target_kind in OWN else "")
        if edge.source and edge.kind == "delegates":
            source = GraphNode("delegation", edge.source, own)
        elif edge.source:
            source = self._named_end(edge.source)
        return source, target

    def _target(self, stored: StoredEdge, day: Day | None) -> GraphNode:
        edge, own = stored.edge, stored.regulation_id
        if (named := self._ends(stored)[1]) is not None:
            return named
        if not edge.target:
            return self._place(own, edge.target_label or edge.label)
        held = self.holder(edge.target, day)
        if held is None:
            return GraphNode("regulation", edge.target)
        return self._place(held, edge.target_label) if edge.target_label else self._text(held)

    def holder(self, title: str, day: Day | None) -> str | None:
        """Return the version of a named text that is law on a day, else the newest; None when none is held."""
        found = [
            row for i in self._law.find(title, title if "号" in title else None) if (row := self.row(i)) is not None
        ]
        best = next((r for r in found if status_of(r, day or today()) is Status.IN_FORCE), None)
        return best.id if best else found[0].id if found else None

    def _named_end(self, name: str) -> GraphNode:
        return GraphNode("authority" if self._organ.search(name) else "actor", name)

    def _text(self, regulation_id: str) -> GraphNode:
        row = self.row(regulation_id)
        return GraphNode("regulation", row.title if row else regulation_id, regulation_id)

    def _place(self, regulation_id: str, label: str) -> GraphNode:
        return self.provision(regulation_id, label) if label else self._text(regulation_id)

    def _same(self, regulation_id: str, matter: str) -> list[str]:
        """Return the texts on the same matter of the other level: national for one of a province and the other way."""
        matters = self.library.view.once(self._matters)
        row = self.row(regulation_id)
        others = (self.row(i) for i in matters.get(matter, ()) if i != regulation_id)
        return [o.id for o in others if o and row and (o.province == "cn") != (row.province == "cn")]

    def _matters(self, _: Sequence[RegulationRow]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for stored in self.library.edges.all(("same_matter",)):
            found.setdefault(stored.edge.target, []).append(stored.regulation_id)
        return found

    # --- paths

    def path(self, first: GraphNode, last: GraphNode, scope: GraphScope | None = None) -> list[ResolvedEdge]:
        """Return the shortest way between two nodes, empty when there is none; an edge may be walked either way.

        A text and its provisions count as neighbours, so that a way may run from 第五条 to the text it stands in. Through
        what is only cited nobody can read on, so a way leads round it unless the scope says otherwise.
        """
        scope = scope or GraphScope()
        whole = self._whole(scope.day)
        inside = {node.name: True for node in (first, last) if not node.held and node.kind not in OWN}

        def open_to(node: str) -> bool:
            kind, name, more = parsed(node)
            held = more if kind in OWN else name
            if held not in inside:
                unheld = kind == "standard" or self.row(held) is None
                inside[held] = scope.unheld if unheld else self.inside(held, scope)
            return inside[held]

        def open_along(one: str, other: str) -> bool:
            return not (held := whole[one][other]["held"]) or any(self._open(stored, scope) for stored in held)

        graph = nx.subgraph_view(whole, filter_node=open_to, filter_edge=open_along)
        ends = [n.id if n.id in graph or not n.held else f"regulation:{n.regulation_id}" for n in (first, last)]
        try:
            _, way = nx.bidirectional_dijkstra(graph, *ends, weight=lambda a, b, tie: 1 if tie["held"] else APART)
        except (nx.NetworkXNoPath, nx.NodeNotFound):
            return []
        steps = (self._step(graph[a][b]["held"], way, scope) for a, b in itertools.pairwise(way[: FAR + 1]))
        return [edge for edge in steps if edge is not None]

    def _open(self, stored: StoredEdge, scope: GraphScope) -> bool:
        return (not scope.kinds or stored.edge.kind in scope.kinds) and self.inside(stored.regulation_id, scope)

    def _step(self, held: Sequence[StoredEdge], way: Sequence[str], scope: GraphScope) -> ResolvedEdge | None:
        among = self.resolved((stored for stored in held if self._open(stored, scope)), scope)
        return next((e for e in among if e.source.id in way and e.target.id in way), None)

    def _whole(self, day: Day | None) -> nx.Graph[str]:
        """Return everything a path may run along, nodes by their ids; kept for one day until the library changes."""
        with self._lock:
            key = (self.library.generation, day, self.library.proposals.version())
            if self._kept is None or self._kept[0] != key:
                self._kept = (key, self._walkable(day))
            return self._kept[1]

    def _walkable(self, day: Day | None) -> nx.Graph[str]:
        graph: nx.Graph[str] = nx.Graph()
        holders: dict[str, str | None] = {}

        def tie(one: str, other: str, stored: StoredEdge | None) -> None:
            if not graph.has_edge(one, other):
                graph.add_edge(one, other, held=[])
            if stored is not None:
                graph[one][other]["held"].append(stored)

        for stored in self.library.edges.all(ALONG):
            edge, own = stored.edge, stored.regulation_id
            if edge.kind == "same_matter":
                for other in self._same(own, edge.target):
                    tie(f"regulation:{own}", f"regulation:{other}", stored)
                continue
            if edge.target_kind in WHOLE and edge.target and edge.target not in holders:
                holders[edge.target] = self.holder(edge.target, day)
            held = (holders[edge.target] if edge.target else own) if edge.target_kind in WHOLE else None
            if held:
                target = _id_of(held, edge.target_label or ("" if edge.target else edge.label))
            else:
                target = self._target(stored, None).id if edge.target_kind not in WHOLE else f"regulation:{edge.target}"
            source = _id_of(own, edge.label)
            for node in (source, target):
                if "#" in node:
                    tie(node, node.replace("provision:", "regulation:").partition("#")[0], None)
            if source != target:
                tie(source, target, stored)
        return graph


def _id_of(regulation_id: str, label: str) -> str:
    return f"provision:{regulation_id}#{article_of(label)}" if label else f"regulation:{regulation_id}"


def _nothing(node_id: str) -> GraphNode:
    raise NotFoundError(f"图谱中没有节点“{node_id}”，它所在的法规可能已被删除或替换。请重新查找。")
