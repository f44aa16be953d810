"""What stands inside an article: 款, 项 and 目 (条内层次).

款 carry no numbers: every unnumbered paragraph is one, also after a list; items belong to the 款 before them. But a
paragraph between （一） and （二） is part of （一）: the numbers show that the list has not ended.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from nemo.text.structure.nodes import LOST_NUMBER, Node
from nemo.text.structure.paragraphs import Paragraph
from nemo.text.words.numerals import to_chinese
from nemo.text.words.openings import ListMark, MarkKind
from nemo.types import Level, Span

_TABLE_ROW = 30
"""Width under which an unpunctuated paragraph with digits is a row of a list or table, not a 款."""
_LAST_ITEM = re.compile(r"(?:其他[^。]{0,80}|的)。$")
"""How the last item of a list ends (其他…情形。); another paragraph there is the next 款."""
_INTRODUCES = re.compile(r"[：:]$")
_MIN_LOST = 2


def fill(article: Node, units: Sequence[Paragraph], text: str) -> list[Span]:
    """Hang the 款, 项 and 目 of ``units`` under an article; the first of them begins with its number.

    Returns:
        The places of lists whose numbers were lost.
    """
    body = _Body(article, text)
    marked = [at for at, unit in enumerate(units) if unit.mark is not None]
    index = 0
    while index < len(units):
        if units[index].line.picture and index:
            body.take_picture(units, index, _after(units, marked, index))
            index += 1
            continue
        size = _lost_list(units, index, text) if index else 0
        if size:
            body.take_lost(units[index : index + size])
        elif not body.run_on(units[index], _after(units, marked, index)):
            body.take(units[index], first=index == 0)
        index += max(size, 1)
    return body.lost


def _after(units: Sequence[Paragraph], marked: Sequence[int], index: int) -> Iterator[Paragraph]:
    """Yield the numbered units after ``index``; where they stand is known, so that no step goes over all that follow."""
    return (units[marked[at]] for at in range(bisect_right(marked, index), len(marked)))


class _Body:
    """The open 款 and the open lists inside it."""

    def __init__(self, article: Node, text: str) -> None:
        self._article = article
        self._text = text
        self._paragraph: Node | None = None
        self._open: list[tuple[MarkKind, Node]] = []
        self._last: Paragraph | None = None
        self.lost: list[Span] = []
        """Places of lists whose numbers were lost."""

    def take(self, unit: Paragraph, first: bool) -> None:
        """Add one paragraph of the article."""
        if first:
            if unit.body < unit.span.end:
                self._new_paragraph(unit.body, unit.span.end)
        elif unit.mark is not None:
            self._add_item(unit.mark, unit)
        elif self._list_goes_on(unit):
            self._add_lost(self._siblings(), [unit])
        elif self._is_row(unit):
            self._stretch(unit.span.end)
        else:
            self._new_paragraph(unit.span.start, unit.span.end)
        self._last = unit

    def take_picture(self, units: Sequence[Paragraph], index: int, numbered: Iterable[Paragraph]) -> None:
        """Add the words of a picture as a unit of their own: below the article, or where a list goes on, beside its items."""
        mark = self._next_number(numbered) or next((u.mark for u in units[index + 1 :] if not u.line.picture), None)
        parent = self._article
        if mark is not None and self._paragraph is not None:
            above = list(takewhile(lambda each: each[0] is not mark.kind, self._open))
            parent = above[-1][1] if above else self._paragraph
        parent.add(Node(Level.PREAMBLE, units[index].span.start, units[index].span.end))

    def take_lost(self, units: Sequence[Paragraph]) -> None:
        """Add a list whose numbers were lost, below the 款 or item that announces it."""
        parent = self._open[-1][1] if self._open else self._need_paragraph(units[0])
        self._add_lost(parent, units)
        self._last = units[-1]

    def run_on(self, unit: Paragraph, numbered: Iterable[Paragraph]) -> bool:
        """Add a paragraph to an open item if it is unnumbered and that item's list goes on after it, in ``numbered``.

        Returns:
            Whether it does: the next number of a kind that is open is the very next one.
        """
        mark = self._next_number(numbered) if self._open and unit.plain else None
        if mark is None:
            return False
        self._open = self._open[: [kind for kind, _ in self._open].index(mark.kind) + 1]
        self._stretch(unit.span.end)
        self._last = unit
        return True

    def _next_number(self, numbered: Iterable[Paragraph]) -> ListMark | None:
        """Return the next number of a kind that is open, where it is the very next one; None where that list has ended."""
        numbers = {kind: int(node.key) for kind, node in self._open}
        mark = next((each.mark for each in numbered if each.mark is not None and each.mark.kind in numbers), None)
        return mark if mark is not None and mark.number == numbers[mark.kind] + 1 else None

    def _list_goes_on(self, unit: Paragraph) -> bool:
        """Whether an unnumbered paragraph is the next item of a list whose last item ended in ；."""
        if not self._open or self._last is None or self._text[self._last.span.end - 1] not in "；;":
            return False
        words = unit.words(self._text)
        return words[-1:] in "；;" or (len(words) < _TABLE_ROW * 2 and _LAST_ITEM.search(words) is not None)

    def _siblings(self) -> Node:
        """Return the node whose children the innermost open items are."""
        return self._open[-2][1] if len(self._open) > 1 else self._need_paragraph()

    def _add_lost(self, parent: Node, units: Sequence[Paragraph]) -> None:
        level = Level.ITEM if parent is self._paragraph else Level.SUBITEM
        for unit in units:
            key = str(len(parent.children) + 1)
            parent.add(Node(level, unit.span.start, unit.span.end, key=key, step=LOST_NUMBER))
        self.lost.append(Span(units[0].span.start, units[-1].span.end))

    def _new_paragraph(self, start: int, end: int) -> None:
        self._paragraph = self._article.add(Node(Level.PARAGRAPH, start, end))
        self._open = []

    def _need_paragraph(self, unit: Paragraph | None = None) -> Node:
        if self._paragraph is None:
            start = unit.span.start if unit else self._article.end
            self._new_paragraph(start, start)
        assert self._paragraph is not None
        return self._paragraph

    def _add_item(self, mark: ListMark, unit: Paragraph) -> None:
        kinds = [kind for kind, _ in self._open]
        if mark.kind in kinds:
            self._open = self._open[: kinds.index(mark.kind)]
        parent = self._open[-1][1] if self._open else self._need_paragraph(unit)
        level = Level.SUBITEM if self._open else Level.ITEM
        node = Node(level, unit.span.start, unit.span.end, mark.printed, str(mark.number), _step(mark, level))
        self._open.append((mark.kind, parent.add(node)))

    def _is_row(self, unit: Paragraph) -> bool:
        """Whether an unnumbered paragraph after an item is part of it: a table row, or the item runs on."""
        if not self._open or self._last is None or self._last.ended:
            return False
        words = unit.words(self._text)
        return not unit.ended and unit.measure(self._text) < _TABLE_ROW and any(c.isdigit() for c in words)

    def _stretch(self, end: int) -> None:
        self._open[-1][1].end = end


def _step(mark: ListMark, level: Level) -> str:
    """Return the legal step: 第二项 for （二） and 二、 under a 款, 第1目 for 1. under an item, else as printed."""
    if level is Level.ITEM:
        if mark.kind in (MarkKind.CN, MarkKind.CN_BRACKET):
            return f"第{to_chinese(mark.number)}项"
        return mark.printed if mark.kind in (MarkKind.LETTER, MarkKind.UPPER) else f"第{mark.number}项"
    return f"第{mark.number}目" if mark.kind is MarkKind.DIGIT else mark.step


def _lost_list(units: Sequence[Paragraph], index: int, text: str) -> int:
    """Return how many units from ``index`` form a list that lost its numbers, 0 when none begins there.

    Signature: the paragraph before ends in ：, then two or more plain ones end in ；, the last one in ；or 。
    """
    before = units[index - 1]
    if not _INTRODUCES.search(before.span.of(text)):
        return 0
    size = 0
    while index + size < len(units) and units[index + size].plain:
        last = text[units[index + size].span.end - 1]
        if last in "；;":
            size += 1
            continue
        if size >= 1 and last in "。":
            size += 1
        break
    return size if size >= _MIN_LOST else 0
