"""The edges of the graph with those to pictures, tables and formulas, which stand apart from sentences (图谱的图表边)."""

from collections.abc import Iterator

from nemo.rules import Rules
from nemo.text.law.edges import EdgeReader
from nemo.text.structure.figures import figures, shown
from nemo.types import Regulation
from nemo.types.graph import GraphEdge

_FIGURES = "f1"
"""Raised when what is a figure, or its name, changes."""


class GraphReader(EdgeReader):
    """Finds every edge of one text; made once from the rule data."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.version += f"-{_FIGURES}"

    def edges(self, regulation: Regulation) -> tuple[GraphEdge, ...]:
        """Return the edges of a regulation in the order of their words, each once."""
        found = dict.fromkeys((*super().edges(regulation), *_shows(regulation)))
        return tuple(sorted(found, key=lambda e: (e.span, e.kind, e.source, e.target, e.target_label)))


def _shows(regulation: Regulation) -> Iterator[GraphEdge]:
    """Yield an edge from each provision to every figure in it that has a caption or a number."""
    for figure in figures(regulation):
        place = figure.caption or figure.span
        name = " ".join(figure.caption.of(regulation.text).split()) if figure.caption else figure.name
        if name and place.end > place.start:
            label = shown(figure, regulation).label
            yield GraphEdge("shows", label, "", "figure", name, "", place, "figure", 0.97)
