"""The tree of a text with headings: 编, 分编, 章, 节, 条 and what stands before, between and after them.

Plans have chapters without articles; then 一、（一）1. or plain paragraphs hang under the chapters.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from nemo.text.structure.annexes import tail_start
from nemo.text.structure.bodies import fill
from nemo.text.structure.nodes import Node
from nemo.text.structure.outline import items, loose, outline
from nemo.text.structure.paragraphs import Paragraph
from nemo.text.words.numerals import article_label
from nemo.text.words.openings import ListMark, MarkKind, NumberedHead
from nemo.types import Fault, Level

_RANK = {Level.PART: 0, Level.SUBPART: 1, Level.CHAPTER: 2, Level.SECTION: 3}
_GROUP_TITLE_WIDTH = 80
_SENTENCE = re.compile(r"[。；：，:;,]")
_TITLE_LENGTH = 20
_MIN_TITLES = 3
_TITLED_SHARE = 0.6
"""Share of the articles that must have a title line before any is read as one."""


CLOSING = "附则"
"""Heading of the closing provisions; in a code (刑法) it has no number."""


def headed(units: Sequence[Paragraph], text: str) -> tuple[list[Node], list[Fault]]:
    """Return the nodes of a text with headings in order, and the lists in it that lost their numbers."""
    heads = [i for i, unit in enumerate(units) if unit.head is not None]
    first = heads[0]
    last = max(i for i, unit in enumerate(units) if i <= heads[-1] or (unit.mark is not None and unit.ended))
    end = tail_start(units, last, text)
    builder = _Builder(text, units)
    for unit in units[first:end]:
        builder.take(unit)
    nodes = outline(units[:first], text) + builder.finish() + [loose(unit) for unit in units[end:]]
    return nodes, builder.faults


def _titled(units: Sequence[Paragraph], text: str) -> bool:
    """Whether the articles of a text have titles: most numbers are followed by a few words on the line, no sentence."""
    heads = [i for i, unit in enumerate(units) if unit.article]
    titles = sum(_is_title(units, i, text) for i in heads)
    return titles >= _MIN_TITLES and titles >= _TITLED_SHARE * len(heads)


def _is_title(units: Sequence[Paragraph], index: int, text: str) -> bool:
    words = units[index].words(text)
    below = units[index + 1] if index + 1 < len(units) else None
    return 0 < len(words) <= _TITLE_LENGTH and not _SENTENCE.search(words) and below is not None and below.head is None


def _is_closing(unit: Paragraph, text: str) -> bool:
    return unit.head is None and re.sub(r"[\s\u3000*#_]", "", unit.span.of(text)) == CLOSING


class _Builder:
    """The open 编, 章 and 节, and the open article with its paragraphs."""

    def __init__(self, text: str, units: Sequence[Paragraph]) -> None:
        self._text = text
        self._titled = _titled(units, text)
        self._articled = any(unit.article for unit in units)
        self._top: list[Node] = []
        self._above: list[tuple[int, Node]] = []
        self._article: Node | None = None
        self._units: list[Paragraph] = []
        self._loose: list[Paragraph] = []
        self._group: Node | None = None
        self.faults: list[Fault] = []
        self._parted = any(unit.head is not None and unit.head.level is Level.PART for unit in units)
        self._closing = {u.span.start for u, below in pairwise(units) if _is_closing(u, text) and below.article}

    def take(self, unit: Paragraph) -> None:
        """Add one paragraph."""
        if unit.article is not None:
            self._open_article(unit, unit.article)
        elif unit.head is not None:
            key = article_label(unit.head.number, unit.head.insertion)
            self._open_upper(unit, Node(unit.head.level, *unit.span, unit.head.printed, key, unit.head.name))
        elif unit.span.start in self._closing:  # 附则: it stands beside the parts or chapters, not in the last one
            level = Level.PART if self._parted else Level.CHAPTER
            self._open_upper(unit, Node(level, *unit.span, "", CLOSING, CLOSING))
        elif unit.mark is not None and self._is_group(unit, unit.mark):
            self._open_group(unit, unit.mark)
        elif self._article is not None:
            self._units.append(unit)
        else:
            self._loose.append(unit)

    def _open_article(self, unit: Paragraph, head: NumberedHead) -> None:
        self._close_article()
        key = article_label(head.number, head.insertion)
        self._article = self._add(Node(Level.ARTICLE, *unit.span, head.printed, key, head.name))
        words = unit.words(self._text)
        if words[:1] in ("【", "［") and (end := max(words.find("】"), words.find("］"))) > 0:
            self._article.heading = words[1:end].strip()
        elif self._titled and len(words) <= _TITLE_LENGTH and not _SENTENCE.search(words):
            self._article.heading = words.strip()
            unit = replace(unit, body=unit.span.end)
        self._units = [unit]

    def _open_upper(self, unit: Paragraph, node: Node) -> None:
        """Open a 编, 章 or 节, which closes those of its rank and below."""
        self._close_article()
        self._group = None
        rank = _RANK[node.level]
        while self._above and self._above[-1][0] >= rank:
            self._above.pop()
        node.heading = CLOSING if node.key == CLOSING else unit.words(self._text).strip().replace("\n", "")
        self._add(node)
        self._above.append((rank, node))

    def _is_group(self, unit: Paragraph, mark: ListMark) -> bool:
        """Whether a unit is a group title of a judicial interpretation: ``一、合同的订立`` between articles."""
        if not self._articled or mark.kind is not MarkKind.CN:
            return False
        if unit.line.hashes:
            return True
        return not unit.ended and unit.measure(self._text) <= _GROUP_TITLE_WIDTH and not self._introduced()

    def _introduced(self) -> bool:
        """Whether the paragraph before announces a list, whose first item this then is."""
        if not self._units:
            return False
        before = self._units[-1]
        return self._text[before.span.end - 1] in "：:" or (before.mark is not None and before.mark.kind is MarkKind.CN)

    def _open_group(self, unit: Paragraph, mark: ListMark) -> None:
        self._close_article()
        self._group = None
        self._group = self._add(Node(Level.OUTLINE, *unit.span, mark.printed, mark.key, mark.step, in_path=False))
        self._group.heading = unit.words(self._text).strip()

    def _above_or_top(self) -> list[Node]:
        if self._group is not None:
            return self._group.children
        return self._above[-1][1].children if self._above else self._top

    def _add(self, node: Node) -> Node:
        self._above_or_top().append(node)
        return node

    def _close_article(self) -> None:
        self._above_or_top().extend(items(self._loose, self._text))
        self._loose = []
        if self._article is None:
            return
        for place in fill(self._article, self._units, self._text):
            message = f"{self._article.step}有一处列举的项号在原文中缺失，引用时注明“项号原文缺失”。"
            self.faults.append(Fault("item_numbers_lost", message, place))
        self._article.end = max(self._article.end, self._units[-1].span.end)
        self._article, self._units = None, []

    def finish(self) -> list[Node]:
        """Return the top nodes."""
        self._close_article()
        return self._top
