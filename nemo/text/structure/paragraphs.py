"""From lines to paragraphs: where one ends, and what number it begins with (自然段).

One pass, because whether a line begins a paragraph depends on the headings accepted before it.
"""

import re
from collections.abc import Iterator
from collections.abc import Sequence as Many
from dataclasses import dataclass, replace
from itertools import pairwise

from nemo.text.structure.headings import Sequence, Surroundings, is_heading, opens_rule
from nemo.text.structure.lines import TextLine, measure
from nemo.text.words.normalise import squash
from nemo.text.words.openings import (
    ListMark,
    MarkKind,
    NumberedHead,
    has_title,
    is_dotted,
    is_headline,
    read_head,
    read_mark,
)
from nemo.types import Level, Span

_COMMA = re.compile(r"[，。；]")
_SEPARATE = re.compile(
    r"附[件表录：:]|[（(]|.{0,12}(?:19|20)\d{2}年\d{1,2}月\d{1,2}日$|\||.{2,20}(?:[局委部厅]|办公室|委员会|政府)$"
)
"""What never continues a broken sentence: annexes, dates, issuers, table rows."""
_SHORT = 0.75
"""Share of the usual width below which a line shows that its paragraph ended."""
_INDENT = 4
"""Width of the two characters by which the first line of a paragraph is shorter, in half-width units."""
_SOON = 4
"""How many candidates ahead the next number is looked for."""
_CONTINUES = frozenset("，。；、：）》〉”’」』！？…,;)%％")
_UNFINISHED = frozenset("，、（《〈“‘「『(〔﹝[,")
_CN = "[〇零一二三四五六七八九十百千]"
_GLUED = re.compile(
    rf"(?<=[。；;])(?=第{_CN}{{1,9}}[编章节条][\s\u3000])|(?<=\S)[\s\u3000]{{1,8}}(?=第{_CN}{{1,9}}[编章节条][\s\u3000])"
    r"|(?<=[。；])(?=第[一二三四五六七八九十]{1,3}[章节][^。；，：]{2,30}$)"
    r"|(?<=[：:；;。])[\s\u3000]*(?=[（(]\s?(?:[一二三四五六七八九十]{1,3}|\d{1,2})[）)])"
)
_ALONE = re.compile(
    r"附[\s\u3000]?[件表录图][\s\u3000]*(?:[0-9]{1,3}|[一二三四五六七八九十]{1,3}|[A-Z])?[\s\u3000]*[:：]?"
)
"""An annex heading on a line of its own begins a paragraph whatever stands before it."""
_PRINTED_BY = re.compile(r"日\s*印\s*发$")
"""The last line of a notice (版记)."""
_REFERS_TO = frozenset("见照按和与及、，（(《“")
_DATE_SPLIT = re.compile(r"\d$")
_DATE_REST = re.compile(r"[年月日号〕]|\d{1,4}$")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph with the number it begins with, if any."""

    span: Span
    body: int
    """Where the words after the number begin."""
    line: TextLine
    """Its first line."""
    ended: bool
    """It ends with 。；：！？…"""
    head: NumberedHead | None = None
    mark: ListMark | None = None

    def words(self, text: str) -> str:
        """Return the words after the number."""
        return text[self.body : self.span.end]

    @property
    def article(self) -> NumberedHead | None:
        """The number of the article that it begins, None when it begins none."""
        return self.head if self.head is not None and self.head.level is Level.ARTICLE else None

    @property
    def plain(self) -> bool:
        """Whether it begins with no number."""
        return self.head is None and self.mark is None

    def measure(self, text: str) -> int:
        """Width of the whole paragraph in half-width units."""
        return measure(self.span.of(text))


def paragraphs(lines: Many[TextLine]) -> list[Paragraph]:
    """Join lines to paragraphs and decide which of them begin with a heading or a list number."""
    pieces = list(_unglued(lines))
    reader = _ParagraphReader(_HeadingsAhead(pieces))
    for index, line in enumerate(pieces):
        reader.take(index, line)
    return reader.finish()


class _HeadingsAhead:
    """What stands below a line: the heading numbers still to come."""

    def __init__(self, lines: Many[TextLine]) -> None:
        following = [line.text for line in lines[1:]] + [""]
        self._heads = {
            i: head
            for i, (line, below) in enumerate(zip(lines, following, strict=False))
            if not line.table and (head := read_head(line.text, below)) is not None
        }
        self.broken = any(line.text[0] in _CONTINUES and not line.width and not line.glued for line in lines)
        """Some line begins with a closing mark: a web page broke sentences into lines."""
        self._order: dict[Level, list[int]] = {}
        self._place: dict[int, int] = {}
        for index, head in self._heads.items():
            places = self._order.setdefault(head.level, [])
            self._place[index] = len(places)
            places.append(index)

    def head(self, index: int) -> NumberedHead | None:
        """Return the heading number that a line seems to begin with."""
        return self._heads.get(index)

    def number_below(self, index: int) -> int | None:
        """Return the number that the next line seems to begin with."""
        below = self._heads.get(index + 1)
        return below.number if below is not None and not below.referring else None

    def confirmed(self, index: int) -> bool:
        """Whether the next number comes soon among the candidates of the same level."""
        head = self._heads[index]
        place = self._place[index]
        following = self._order[head.level][place + 1 : place + 1 + _SOON]
        return any(self._heads[i].number == head.number + 1 for i in following)


def _unglued(lines: Many[TextLine]) -> Iterator[TextLine]:
    """Cut lines where a heading or an item may have been glued to the sentence before."""
    for line in lines:
        cuts = [] if line.table else [m.end() for m in _GLUED.finditer(line.text)]
        yield from _pieces(line, [c for c in cuts if c < len(line.text)]) if cuts else (line,)


def _pieces(line: TextLine, cuts: list[int]) -> Iterator[TextLine]:
    bounds = [0, *cuts, len(line.text)]
    for index, (start, end) in enumerate(pairwise(bounds)):
        part = line.text[start:end].rstrip()
        span = Span(line.span.start + start, line.span.start + start + len(part))
        yield replace(line, span=span, text=part, glued=index > 0)


class _ParagraphReader:
    """The state of the pass: numbers accepted so far, the open paragraph, an open quotation."""

    def __init__(self, ahead: _HeadingsAhead) -> None:
        self._ahead = ahead
        self._sequence = Sequence()
        self._items: dict[MarkKind, int] = {}
        self._lines: list[TextLine] = []
        self._head: NumberedHead | None = None
        self._mark: ListMark | None = None
        self._quoted = False
        self._done: list[Paragraph] = []

    def take(self, index: int, line: TextLine) -> None:
        """Add one line: a new paragraph, or more of the open one."""
        previous = self._lines[-1] if self._lines else None
        if line.table or (previous is not None and previous.table):
            self._take_beside_table(index, line)
            return
        after_end = not line.glued and (
            self._title_open() or (ends_paragraph(previous, line) and not self._mid_sentence(line))
        )
        head = self._heading(index, line, after_end)
        mark = None if head else self._item(line, after_end)
        if head or mark or (after_end and self._begins(previous, line)):
            self._close()
            self._head, self._mark = head, mark
        self._lines.append(line)
        self._watch_quotes(line.text)

    def _take_beside_table(self, index: int, line: TextLine) -> None:
        """Add a table to the sentence that leads in to it, else as a paragraph; what follows a table is a new one."""
        joins = (
            line.table and not line.picture and bool(self._lines) and (self._lines[-1].ended and not self._title_open())
        )
        if not joins:
            head = None if line.table else self._heading(index, line, True)
            mark = None if line.table or head else self._item(line, True)
            self._close()
            self._head, self._mark = head, mark
        self._lines.append(line)

    def _mid_sentence(self, line: TextLine) -> bool:
        """Whether the open paragraph is a sentence that a web page broke in the middle.

        Titles, numbers, signatures and table rows hold no commas, so only running text is ever continued.
        """
        if not self._lines:
            return False
        last = self._lines[-1]
        if last.width or line.width or last.ended or line.after_blank or read_mark(line.text) is not None:
            return False
        if self._mark is not None and not self._ahead.broken:
            return False
        return any(_COMMA.search(held.text) for held in self._lines) and not _SEPARATE.match(squash(line.text))

    def _title_open(self) -> bool:
        """Whether the open paragraph is a chapter title, which no line continues."""
        return bool(self._lines) and (
            (self._head is not None and self._head.level.value != "条") or self._lines[-1].hashes > 0
        )

    def _heading(self, index: int, line: TextLine, after_end: bool) -> NumberedHead | None:
        head = self._ahead.head(index)
        if head is None:
            return None
        if line.glued:
            accepted = self._glued_heading(index, line, head)
        else:
            around = Surroundings(
                before=self._lines[-1].text if self._lines else "",
                after_end=after_end,
                next_number=self._ahead.number_below(index),
                confirmed=self._ahead.confirmed(index),
                marked=line.hashes > 0,
                quoted=self._quoted,
            )
            accepted = is_heading(head, line.text, around, self._sequence)
        if not accepted:
            return None
        self._sequence.take(head)
        self._items.clear()
        self._quoted = False
        return head

    def _glued_heading(self, index: int, line: TextLine, head: NumberedHead) -> bool:
        """Decide for a number in the middle of a line: only the very next one, after 。 or a chapter title."""
        if head.referring or not self._sequence.follows(head):
            return False
        first = self._sequence.begins(head)
        after_title = self._head is not None and self._head.level is not Level.ARTICLE
        after_sentence = bool(self._lines) and self._lines[-1].text[-1] in "。；;"
        if head.level is not Level.ARTICLE:
            below = self._ahead.number_below(index) is not None
            return below and has_title(head, line.text) and (after_sentence or after_title or first)
        if first and not after_title:
            return opens_rule(head, line.text)
        return head.separated and (after_sentence or after_title)

    def _item(self, line: TextLine, after_end: bool) -> ListMark | None:
        mark = read_mark(line.text)
        if mark is None:
            return None
        if line.glued:
            before = self._lines[-1].text[-1:] if self._lines else ""
            first = mark.number == 1 and before in "：:"
            if not first and mark.number != self._items.get(mark.kind, -9) + 1:
                return None
        elif not after_end:
            return None
        self._items[mark.kind] = mark.number
        return mark

    def _begins(self, previous: TextLine | None, line: TextLine) -> bool:
        """Whether an unnumbered line after a possible paragraph end really begins a paragraph."""
        if previous is None or not line.width or line.after_blank or self._title_open():
            return True
        if line.indented_run:
            return line.indent > 0 or not previous.ended
        if not previous.ended or is_dotted(line.text):
            return True
        first = len(self._lines) == 1
        if previous.measure + previous.indent <= line.width - (_INDENT + 2 if first else 2):
            return True
        return not line.ended and line.measure <= line.width - _INDENT + 1

    def _watch_quotes(self, words: str) -> None:
        opened, closed = words.rfind("“"), words.rfind("”")
        if opened != closed:
            self._quoted = opened > closed

    def _close(self) -> None:
        if not self._lines:
            return
        first, last = self._lines[0], self._lines[-1]
        number = self._head or self._mark
        after = first.text[number.length :] if number else first.text
        blanks = len(after) - len(after.lstrip())
        body = first.span.start + len(first.text) - len(after) + blanks
        span = Span(first.span.start, last.span.end)
        self._done.append(Paragraph(span, min(body, span.end), first, last.ended, self._head, self._mark))
        self._lines = []

    def finish(self) -> list[Paragraph]:
        """Return all paragraphs."""
        self._close()
        return self._done


def ends_paragraph(previous: TextLine | None, line: TextLine) -> bool:
    """Tell whether ``previous`` may have ended its paragraph, so that ``line`` may begin one (段末).

    》 and ） prove nothing: ``依照《土地管理法》`` runs on into ``第九条``.
    """
    if previous is None or line.hashes:
        return True
    if line.after_blank:
        return line.text[0] not in _CONTINUES
    if _PRINTED_BY.search(previous.text):
        return True
    if _ALONE.fullmatch(line.text) and previous.text[-1] not in _REFERS_TO:
        return True
    if _runs_on(previous, line):
        return False
    if previous.ended or (read_head(line.text) is None and is_headline(line.text)):
        return True
    if previous.width and line.width:
        return previous.measure + previous.indent < _SHORT * previous.width or (
            line.indented_run and 2 <= line.indent <= 8
        )
    return not (line.after_page and previous.measure > 40)


def _runs_on(previous: TextLine, line: TextLine) -> bool:
    """Whether ink alone shows that the sentence goes on: a comma at the end, a closing mark at the start."""
    if line.text[0] in _CONTINUES or previous.text[-1] in _UNFINISHED:
        return True
    if not previous.ended and _open_bracket(previous.text):
        return True
    if _DATE_REST.match(line.text) and (_DATE_SPLIT.search(previous.text) or previous.text[-1] in "年月〔"):
        return measure(line.text) <= 4 or measure(previous.text) <= 4
    return False


def _open_bracket(words: str) -> bool:
    """Whether a bracket opened in ``words`` is not closed there."""
    return any(words.rfind(opening) > words.rfind(closing) for opening, closing in ("《》", "（）", "〔〕", "()"))
