"""Nodes of the graph, and edges between them (图谱的节点)."""

from dataclasses import dataclass

from nemo.errors import BadRequestError
from nemo.types import Span

WHOLE = frozenset(("regulation", "provision"))
"""Kinds of nodes that are pieces of held texts."""
OWN = frozenset(("term", "figure"))
"""Kinds of nodes that are one text's own: another text's of the same name is another node."""
PLACED = WHOLE | {"duty"}
"""Kinds of nodes whose id is a text and a place in it."""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """Something the law speaks of."""

    kind: str
    """Code of ``data/rules/graph_kinds.toml``."""
    name: str
    """What a reader calls it."""
    regulation_id: str = ""
    """Of a held text and its provisions; of a term the text that defines it; empty for what is not held."""
    label: str = ""
    """Label of a provision: that of the article, or of the entry of an outline; of a duty where its words begin."""

    @property
    def id(self) -> str:
        """A name that no other node has: ``provision:ID#6``, ``authority:省能源局``."""
        if self.kind in PLACED and self.regulation_id:
            return f"{self.kind}:{self.regulation_id}" + (f"#{self.label}" if self.label else "")
        return f"{self.kind}:{self.name}" + (f"@{self.regulation_id}" if self.regulation_id else "")

    @property
    def held(self) -> bool:
        """Whether it is a text, or part of one, that can be opened."""
        return self.kind in WHOLE and bool(self.regulation_id)


@dataclass(frozen=True, slots=True)
class ResolvedEdge:
    """An edge whose ends are known, with the words that prove it."""

    kind: str
    source: GraphNode
    target: GraphNode
    regulation_id: str
    """The text the words stand in."""
    label: str
    """The provision they stand in, empty outside all."""
    span: Span
    rule: str
    confidence: float
    approved: str = ""
    """Who approved it, of one that a model proposed; empty of what was read by rules."""


def parsed(node_id: str) -> tuple[str, str, str]:
    """Return (kind, name or regulation id, label or regulation id of a term) of the id of a node.

    Raises:
        BadRequestError: it is none.
    """
    kind, colon, rest = node_id.partition(":")
    if not colon or not rest:
        raise BadRequestError(f"节点编号“{node_id}”不正确。请从图谱的查找结果中选取，如 authority:省能源局。")
    name, _, more = rest.partition("#" if kind in PLACED else "@")
    return kind, name, more


def article_of(label: str) -> str:
    """Return the label of the article that a label lies in; entries of outlines keep theirs."""
    return label.split("-")[0] if label[:1].isdigit() else label
