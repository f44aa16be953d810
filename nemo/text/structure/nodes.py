"""The tree while it is built, and its freezing into provisions with labels and legal paths (条文树)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nemo.text.words.numerals import to_chinese
from nemo.types import Level, Provision, Span

_UPPER = {Level.PART: "p", Level.SUBPART: "b", Level.CHAPTER: "c", Level.SECTION: "s"}
LOST_NUMBER = "（项号原文缺失）"
"""Step of an item whose number was lost on conversion."""


@dataclass(slots=True)
class Node:
    """A provision under construction."""

    level: Level
    start: int
    end: int
    number: str = ""
    key: str = ""
    """The bare number for the label."""
    step: str = ""
    heading: str = ""
    children: list[Node] = field(default_factory=list)
    in_path: bool = True
    """Whether the paths of its children begin with its own step."""
    whole: bool = False
    """Its number says its whole place (``4.1.2``), so label and path do not repeat those above."""

    def add(self, child: Node) -> Node:
        """Append a child and return it."""
        self.children.append(child)
        return child


def freeze(nodes: Sequence[Node]) -> tuple[Provision, ...]:
    """Close spans, give unique labels and legal paths, and return the finished tree."""
    for node in nodes:
        _close(node)
    namer = _Namer()
    return tuple(namer.freeze(node, _NodePlace()) for node in nodes)


def _close(node: Node) -> None:
    for child in node.children:
        _close(child)
        node.end = max(node.end, child.end)


@dataclass(frozen=True, slots=True)
class _NodePlace:
    """Where a node hangs."""

    parent: str = ""
    """Label of the node above."""
    prefix: str = ""
    """Path of the node above."""
    region: str = ""
    """Label of the annex it lies in, empty in the main text."""
    region_prefix: str = ""
    """Path of that annex."""
    under_title: bool = False
    """The node above is a 编, 章 or 节."""


class _Namer:
    """Hands out labels; a repeated one gets ``@2``."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}
        self._preambles: dict[str, int] = {}

    def freeze(self, node: Node, place: _NodePlace) -> Provision:
        """Return the provision of ``node``, whose span is closed."""
        label = self._unique(self._label(node, place))
        _number_paragraphs(node)
        prefix = place.region_prefix if node.whole else place.prefix
        below = prefix + node.step if node.in_path else prefix
        if node.level is Level.ANNEX:
            inner = _NodePlace(label, below, label, below + " ")
            outline = _NodePlace(label, below + " ", label, below + " ")
        else:
            title = node.level in _UPPER
            inner = _NodePlace(label, below, place.region, place.region_prefix, title)
            outline = _NodePlace(label, below + " " if title else below, place.region, place.region_prefix, title)
        children = tuple(self.freeze(c, outline if c.level is Level.OUTLINE else inner) for c in node.children)
        span = Span(node.start, node.end)
        return Provision(node.level, node.number, label, node.heading, span, children, prefix, node.step)

    def _label(self, node: Node, place: _NodePlace) -> str:
        parent, region = place.parent, place.region
        inside = region + "." if region else ""
        if node.level is Level.ANNEX:
            return "x" + node.key
        if node.level is Level.PREAMBLE:
            self._preambles[region] = self._preambles.get(region, 0) + 1
            return f"{inside}t{self._preambles[region]}"
        if node.level in _UPPER:
            above = parent + "." if place.under_title else inside
            return above + _UPPER[node.level] + node.key
        if node.level is Level.ARTICLE or node.whole or not parent or parent == region:
            return inside + node.key
        if node.level is Level.OUTLINE and place.under_title:
            return f"{parent}.{node.key}"
        return f"{parent}-{node.key}"

    def _unique(self, label: str) -> str:
        count = self._used.get(label, 0) + 1
        self._used[label] = count
        return label if count == 1 else self._unique(f"{label}@{count}")


def _number_paragraphs(node: Node) -> None:
    """Give 款 and unnumbered units their keys and steps; a sole 款 has no step (第一款 is not written)."""
    own = [child for child in node.children if child.level is Level.PARAGRAPH]
    legal = node.level is Level.ARTICLE
    for index, child in enumerate(own, 1):
        child.key = str(index) if legal else f"p{index}"
        child.step = f"第{to_chinese(index)}款" if legal and len(own) > 1 else ""
