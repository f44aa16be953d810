"""Printed lines → paragraphs (断行重组): decide where a line break was only the edge of the paper.

Evidence, strongest first: a measured first-line indent, whether the line above reached the usual right edge, how it
ends, and whether the line below opens with a number (第十二条, （一）, 1.). Characters are never altered; only the break
between two lines of one paragraph goes away, or becomes one space between two Latin words.

Widths and indents are in em: one Chinese character is 1, a Latin letter counts 0.5 where no geometry is known.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from nemo.text.words.normalise import simplified
from nemo.text.words.openings import has_title, is_clause_title, is_headline, opens_unit, read_clause, read_head
from nemo.types import Level, Page, RecognisedLine, Span


class Box(NamedTuple):
    """A rectangle as a page is shown, in points (or pixels) from its top left corner."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def around(cls, boxes: Iterable["Box"]) -> "Box":
        """Return the smallest box that holds some boxes, one at least."""
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return cls(min(lefts), min(tops), max(rights), max(bottoms))

    @property
    def width(self) -> float:
        """From its left to its right edge."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From its top to its bottom."""
        return self.bottom - self.top

    @property
    def across(self) -> float:
        """Where its middle is, from the left."""
        return (self.left + self.right) / 2

    @property
    def down(self) -> float:
        """Where its middle is, from the top."""
        return (self.top + self.bottom) / 2

    def covers(self, other: "Box") -> bool:
        """Whether the middle of another lies within."""
        return self.left <= other.across <= self.right and self.top <= other.down <= self.bottom

    def shared_height(self, other: "Box") -> float:
        """Return the height that two boxes share; below 0 where one stands under the other."""
        return min(self.bottom, other.bottom) - max(self.top, other.top)


class Glyph(NamedTuple):
    """One character with its place; ``guessed`` marks a space that is not in the file."""

    char: str
    box: Box
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One printed line, outer white space removed. Geometry in points from the top left corner, None when unknown."""

    text: str
    page: int
    left: float | None = None
    right: float | None = None
    top: float | None = None
    bottom: float | None = None
    size: float = 0.0
    """Height of the characters in points; 0 when unknown."""
    apart: bool = False
    """Never joined with a neighbour: table rows."""
    blank_before: bool = False
    """An empty line, or a gap clearly wider than usual, stands above."""
    boxes: tuple[Box | None, ...] = ()
    """Place of every character of ``text``; None for characters that a reader added (the bars of table rows)."""
    linked: float = 0.0
    """Share of its characters under links of the file."""
    aside: bool = False
    """It stands in a column beside the text."""
    edge: float | None = None
    """Right edge of the room that lines had beside a block which floats in the text; None where none does."""
    recognised: tuple[RecognisedLine, ...] = ()
    """What OCR read it from, left to right; empty for a line of a text layer."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A line measured against its page: the facts the joining rules look at."""

    indent: float | None
    """Em right of the usual left edge; None when it cannot be known."""
    slack: float
    """Em left empty before the usual right edge; about 0 for a full line."""
    centred: bool = False
    scale: float = 1.0
    """Character height relative to the body's."""
    short: bool = False
    """Clearly ends before the usual right edge."""


_ENDED = re.compile(r"[。；：！？…;:!?][”’」』）)]?$|[。；][（(][^（()）。]{1,20}[）)]$")
_CONTENTS = re.compile(r"(?:[.．…·]\s?){2}\s*(?:\d{1,4}|[-—–]\s?\d{1,4}\s?[-—–])$|[.…·]{6}$")

_NUMBER_OPEN = re.compile(r"[〔\[［﹝]\s?(?:19|20)\d{2}\s?[〕\]］﹞]\s?第?\d{0,5}$")
_NUMBER_ENDS = re.compile(r"\d{0,5}\s?号")
"""A document number broken before its last digits or 号."""
_NUMBER_ALONE = re.compile(r"[\u4e00-\u9fa5]{2,20}\s?[〔\[［﹝(（](?:19|20)\d{2}[〕\]］﹞)）]\s?第?\d{1,5}\s?号$")
_HEADED = re.compile(
    r"(?:通知|公告|通告|通报|意见|批复|复函|函|决定|办法|细则|规则|规定|方案)(?:[（(][^（()）]{1,12}[）)])?$"
)
_ADDRESSEE = re.compile(
    r"(?:各|有关|国家|国网|[\u4e00-\u9fa5]{2,12}(?:省|市|区|县|委|局|厅|办|公司))[^。；]{0,80}[：:]$"
)
_DATED = re.compile(r"^\d{4}年\d{1,2}月\d{1,2}日[ 　]")
_ADOPTED = re.compile(r"(?:通过|修正|修订|批准|公布|发布|施行)$")
"""题注: one line for every adoption and amendment."""

SHORT_GEOMETRY = 1.6
"""Slack in em above which a measured line is short: justified Chinese lines end within one character of the edge."""
SHORT_TEXT = 2.6
"""The same for lines without geometry, where Latin letters are only estimated."""
SHORT_SHARE = 0.75
"""A line without geometry and without an ending is short below this share of the usual width (docs/law.md, broken lines)."""
INDENTED = 1.2
"""An indent of two characters is the rule; 1.2 em separates it from hanging punctuation and rounding."""
TITLE_SCALE = 1.15
_SET_RIGHT = 8.0
"""A line that begins so many em behind the next one is a signature or a day at the right edge, whole by itself."""
_WRAP_LEAST, _WRAP_MOST = 18.0, 80.0
"""Widths in em between which a text may have been broken by hand or by a program."""
_WRAP_ROWS = 4
_WRAP_SHARE = 0.5
_WRAP_NEAR = 3.5
_BRIEF_ROWS, _BRIEF_FULL, _BRIEF_LEAST = 24, 2, 12.0
"""Rows of a text that is too short for its lines to show a usual width, those of them that must reach the greatest, and
the least of it in em: the screen of a telephone."""
_BEYOND = 0.1
"""Share of the lines that may reach beyond the usual right edge."""
_FEW = 8
"""Lines of which edges are told."""
_SAME_FORMAT = 0.1
"""Sheets whose widths differ by no more than this share are of one format; a landscape sheet is not."""
_SMALLER = 1.08
"""Lines smaller than the body by this factor have edges of their own."""
_PROSE = re.compile("[，。；、]")
_OPEN_ENDS = "，、（《〈“‘〔"
_OPEN_SLACK = 6.0
"""A line that ends in a comma goes on, unless it is so short that it is an address or a list entry."""


def ended(text: str) -> bool:
    """Whether a line ends like a finished paragraph (docs/law.md, broken lines); 》 and ） do not count."""
    return bool(_ENDED.search(text)) or bool(_CONTENTS.search(text))


def width(text: str) -> float:
    """Estimated width in em."""
    return sum(1.0 if unicodedata.east_asian_width(c) in "WFA" else 0.5 for c in text)


def joint(above: str, below: str) -> str:
    """What stands between two lines of one paragraph: a space between Latin words, nothing in Chinese or within a number."""
    last, first = above[-1:], below[:1]
    latin = (
        not (last.isdigit() and first.isdigit())
        and last.isascii()
        and first.isascii()
        and first.isalnum()
        and (last.isalnum() or last in ",.;:)")
    )
    return " " if latin else ""


def starts_new(above: PrintedLine, below: PrintedLine, a: Shape, b: Shape, hang: float | None = None) -> bool:
    """Whether ``below`` (its shape is ``b``) opens a new paragraph after ``above`` (``a``).

    ``hang`` is the indent of the continuation lines of the paragraph so far, None when it has only one line.
    """
    if above.apart or below.apart or below.blank_before or _CONTENTS.search(above.text):
        return True
    if _note_runs_on(above.text, below.text) or (_NUMBER_OPEN.search(above.text) and _NUMBER_ENDS.match(below.text)):
        return False
    if _set_right(a, b) or _both_right(above.text, below.text, a, b):
        return True
    if a.centred or b.centred or abs(a.scale - b.scale) > TITLE_SCALE - 1:
        return True
    if _titled(below.text) or (_DATED.match(below.text) and _ADOPTED.search(above.text)):
        return True
    named = above.right is None or ("关于" in above.text and "，" not in above.text)
    if (above.right is None and _is_set_in(b, below)) or (named and _heads_letter(above.text, below.text)):
        return True
    if above.text[-1:] in _OPEN_ENDS and a.slack < _OPEN_SLACK:
        return False
    done = ended(above.text)
    titled = is_headline(below.text) or (b.short and is_clause_title(below.text))
    numbered = opens_unit(below.text) or (done and (read_clause(below.text) is not None or titled))
    if above.right is None and not done:
        return a.short or (numbered and a.slack > SHORT_GEOMETRY)
    if a.short:
        return numbered or not _pushed_word(below.text, a, b)
    if above.right is None and below.text.startswith("但"):
        return False  # where breaks are only guessed, a proviso stays with what it limits
    if b.indent is None:
        return done and (numbered or a.slack > 0.6)
    if b.indent >= INDENTED:
        return numbered or not _hanging(above, a, b, hang)
    return done and numbered


def _set_right(a: Shape, b: Shape) -> bool:
    """Whether a line is set at the right edge: above one that begins far before it, or above another of the signature."""
    if a.indent is None or b.indent is None:
        return False
    return a.indent - b.indent > _SET_RIGHT or min(a.indent, b.indent) > 2 * _SET_RIGHT


def _both_right(above: str, below: str, a: Shape, b: Shape) -> bool:
    """Whether two lines, neither of them ended, begin in the right half of their column: a body and its day."""
    halves = (
        shape.indent is not None and shape.indent > width(text) + shape.slack
        for text, shape in ((above, a), (below, b))
    )
    return all(halves) and not ended(above)


def _note_runs_on(above: str, below: str) -> bool:
    """Whether a note in brackets under the title, set in the middle, goes on: （…2027年1月⏎1日起施行）."""
    note = above[:1] in "（(" and _open(above) == 1
    return note and below[-1:] in "）)" and _open(below) == -1 and not opens_unit(below)


def _is_set_in(shape: Shape, line: PrintedLine) -> bool:
    """Whether a line of text without geometry is set in by blanks that only first lines of its text have."""
    return line.left is not None and shape.indent is not None and shape.indent >= INDENTED


def _heads_letter(above: str, below: str) -> bool:
    """Whether a title (…的通知) stands above a number or an addressee, which is where a letter begins."""
    return bool(_HEADED.search(above) and (_ADDRESSEE.match(below) or _NUMBER_ALONE.match(below)))


def _titled(text: str) -> bool:
    """Whether a line is a 编, 章 or 节 with its title."""
    head = read_head(text)
    return head is not None and head.level is not Level.ARTICLE and head.separated and has_title(head, text)


def _open(text: str) -> int:
    return sum(c in "（(" for c in text) - sum(c in "）)" for c in text)


def _hanging(above: PrintedLine, a: Shape, b: Shape, hang: float | None) -> bool:
    """Whether an indented line still belongs to the paragraph: hanging list items, blocks set in from the edge."""
    if a.indent is None or b.indent is None:
        return False
    if hang is not None:
        return hang >= INDENTED and abs(b.indent - hang) < 0.5
    if ended(above.text):
        return False
    item = opens_unit(above.text) and a.indent + 0.5 < b.indent < a.indent + 5
    return item or (abs(a.indent - b.indent) < 0.5 and not 1.4 <= b.indent <= 2.6)


def _pushed_word(text: str, a: Shape, b: Shape) -> bool:
    """A line stays short when what may not be parted did not fit: a Latin word, or a character and the marks that close
    behind it (本），). That is no end of a paragraph.
    """
    word = re.match(r"[A-Za-z0-9./%+\-]+[，。；、）]?|[\u4e00-\u9fff][，。；：、）》”]{2,3}", text)
    if word is None or b.indent is None or b.indent >= INDENTED:
        return False
    return width(word.group()) * 1.1 + 0.5 >= a.slack


def rejoin(
    pages: Sequence[Sequence[PrintedLine]], widths: Sequence[float] | None = None
) -> tuple[str, tuple[Page, ...]]:
    """Join printed lines, those of every sheet in reading order without furniture, into paragraphs.

    Sheets of one width (in points, where known) share the edges of their text.

    Returns:
        The text, paragraphs separated by one line feed, and each page's span with ``printed`` unset.
    """
    shapes = _shapes(pages, widths or [0.0] * len(pages))
    readable = [[_in_simplified(line) for line in sheet] for sheet in pages]
    parts: list[str] = []
    length = 0
    starts: list[int] = []
    above: tuple[PrintedLine, Shape] | None = None
    hang: float | None = None
    for sheet, own, measured in zip(pages, readable, shapes, strict=True):
        opened = False
        for line, read, shape in zip(sheet, own, measured, strict=True):
            if above is not None:
                fresh = starts_new(above[0], read, above[1], shape, hang)
                hang = None if fresh else shape.indent
                gap = "\n" if fresh else joint(above[0].text, line.text)
                parts.append(gap)
                length += len(gap)
            if not opened:
                starts.append(length)
                opened = True
            parts.append(line.text)
            length += len(line.text)
            above = (read, shape)
        if not opened:
            starts.append(length)
    return "".join(parts), page_spans(starts, length)


def _in_simplified(line: PrintedLine) -> PrintedLine:
    """The line as rules read it: 第一條 opens an article as 第一条 does."""
    read = simplified(line.text)
    return line if read == line.text else replace(line, text=read)


def run_on(rows: Iterable[str], goes_on: Callable[[str, str], bool], *, apart: bool = True) -> list[str]:
    """Return rows, each put behind the one above where that goes on in it; Latin words and numbers grow together unless ``apart``."""
    joined: list[str] = []
    for row in rows:
        if joined and goes_on(joined[-1], row):
            joined[-1] += (joint(joined[-1], row) if apart else "") + row
        else:
            joined.append(row)
    return joined


def unwrapped(rows: Sequence[str]) -> list[str]:
    """Return rows with the breaks of a fixed line width undone; of a text that was not set to one only those behind a comma."""
    if not wrapped(rows):
        return run_on(rows, lambda above, row: above.endswith(_COMMAS) and _breaks_sentence(above, row))
    text, _ = rejoin([[PrintedLine(row, 1, apart=" | " in row) for row in rows]])
    return text.split("\n")


def unbroken(paragraph: str) -> list[str]:
    """Return the lines into which breaks set by hand (手动换行) part one paragraph, sentences over several of them joined."""
    joined: list[str] = []
    run: list[str] = []
    for part in paragraph.split("\n"):
        run.append(part)
        if ended(part.strip()):
            joined += run_on(run, _breaks_sentence) if part.rstrip().endswith(_STOPS) else run
            run = []
    return joined + run


_STOPS, _COMMAS = ("。", "；"), ("，", "、")

_SET_IN = re.compile("[ \\u3000•●■◆★*·—-]|$")
"""How a line begins that begins a paragraph."""


def _breaks_sentence(above: str, below: str) -> bool:
    """Whether a break by hand stands in a sentence: no number, title, heading or day above it, no unit or indent below."""
    own = _NUMBER_ALONE.fullmatch(above) or _HEADED.search(above) or is_headline(above) or width(above) < _BRIEF_LEAST
    return not (own or ended(above) or "|" in above + below or _SET_IN.match(below) or opens_unit(below))


def wrapped(rows: Iterable[str]) -> bool:
    """Whether the rows were broken at a fixed width: most long ones stop short of a sentence's end, at one width."""
    rows = list(rows)
    long = [row for row in rows if width(row) >= _WRAP_LEAST and " | " not in row]
    if _briefly_wrapped(rows):
        return True
    open_ended = [width(row) for row in long if not ended(row)]
    if len(open_ended) < _WRAP_ROWS or len(open_ended) < _WRAP_SHARE * len(long):
        return False
    usual = usual_width([PrintedLine(row, 1) for row in long])
    full = sum(1 for wide in open_ended if abs(wide - usual) <= _WRAP_NEAR)
    return usual <= _WRAP_MOST and full >= _WRAP_SHARE * len(open_ended)


def _briefly_wrapped(rows: Sequence[str]) -> bool:
    """Whether the few rows of a short text were broken: rows that do not end, at the width that none exceeds or after the
    same number of characters, prose among them.
    """
    most, longest = max(map(width, rows), default=0.0), max(map(len, rows), default=0)
    open_ended = [row for row in rows if not ended(row) and width(row) >= _BRIEF_LEAST and " | " not in row]
    near = [row for row in open_ended if width(row) >= most - _WRAP_NEAR]
    alike = [row for row in open_ended if len(row) == longest]
    brief = len(rows) <= _BRIEF_ROWS and most <= _WRAP_MOST
    return brief and any(len(full) >= _BRIEF_FULL and any("，" in row for row in full) for full in (near, alike))


def page_spans(starts: Sequence[int], length: int) -> tuple[Page, ...]:
    """Return pages numbered from 1 whose spans run from each start to the next; the last ends at ``length``."""
    ends = [*starts[1:], length][: len(starts)]
    return tuple(Page(i + 1, None, Span(s, max(s, e))) for i, (s, e) in enumerate(zip(starts, ends, strict=True)))


def _shapes(pages: Sequence[Sequence[PrintedLine]], widths: Sequence[float]) -> list[list[Shape]]:
    every = [line for sheet in pages for line in sheet if not line.apart]
    if any(line.right is not None for line in every):
        return _measured_shapes(pages, widths, body_size(every))
    few = len(every) <= _BRIEF_ROWS  # their short lines may share a width by chance
    usual = max((width(line.text) for line in every), default=0.0) if few else usual_width(every)
    return [[_estimated_shape(line, usual) for line in sheet] for sheet in pages]


def usual_width(lines: Iterable[PrintedLine]) -> float:
    """Width in em of a full line: the widest value that several lines share."""
    counts = Counter(round(width(line.text)) for line in lines)
    total = sum(counts.values())
    shared = [w for w in counts if counts[w] + counts[w - 1] + counts[w + 1] >= max(3, total * 0.04)]
    return float(max(shared, default=max(counts, default=0)))


def _estimated_shape(line: PrintedLine, usual: float) -> Shape:
    """Without geometry a full line two characters short, and not ended, was indented; blanks of the file tell it better."""
    wide = width(line.text)
    slack = max(0.0, usual - wide)
    if line.left is not None:
        return Shape(line.left, slack, short=slack > SHORT_TEXT if ended(line.text) else wide < SHORT_SHARE * usual)
    if not ended(line.text):
        return Shape(2.0 if slack > 1.0 else 0.0, slack, short=wide < SHORT_SHARE * usual)
    indent = 2.0 if opens_unit(line.text) else None
    return Shape(0.0 if slack < 1.0 else indent, slack, short=slack > SHORT_TEXT)


def _measured_shapes(pages: Sequence[Sequence[PrintedLine]], widths: Sequence[float], em: float) -> list[list[Shape]]:
    formats = [next(w for w in widths if abs(w - wide) <= _SAME_FORMAT * wide) for wide in widths]
    edges: dict[float, tuple[float, float]] = {}
    for wide in dict.fromkeys(formats):
        lines = [line for sheet, own in zip(pages, formats, strict=True) if own == wide for line in sheet]
        prose = [line for line in lines if not line.apart]
        alone = len(prose) == len(lines) or wide == formats[0] or len(prose) >= _FEW
        edges[wide] = _edges(prose if alone else lines, em)  # of a sheet that is a table its rows tell the edges
    shapes: list[list[Shape]] = []
    for sheet, wide in zip(pages, formats, strict=True):
        whole = edges[wide]
        prose = [line for line in sheet if not line.apart]  # a table beside them may reach beyond the lines of the text
        own = _edges(prose, em) if len(prose) >= _FEW else whole
        left = own[0] if abs(own[0] - whole[0]) < 3 * em else whole[0]
        right = own[1] if abs(own[1] - whole[1]) < 3 * em else whole[1]
        measured = [_measured_shape(line, left, right, em) for line in sheet]
        for run, own_left, own_right, size in _boxes(sheet, left, right, em):
            for at in range(run.start, run.stop):
                boxed = _measured_shape(sheet[at], own_left, own_right, size)
                on_page = measured[at]
                measured[at] = replace(boxed, scale=on_page.scale, centred=on_page.centred or boxed.centred)
        shapes.append(measured)
    return shapes


def _boxes(
    sheet: Sequence[PrintedLine], left: float, right: float, em: float
) -> Iterator[tuple[range, float, float, float]]:
    """Yield runs of lines that keep edges of their own, as in a frame (专栏) or a note: with these and their size in points.

    Their lines are smaller than the body's or end before it, and most full ones are prose that goes on below.
    """

    def set_in(line: PrintedLine) -> float:
        if line.apart or line.left is None or line.right is None or line.edge is not None:
            return 0.0
        within = line.left > left + em / 2 and line.right < right - SHORT_GEOMETRY * em
        return round(line.size) if within or line.size * _SMALLER < em else 0.0

    end = 0
    for size, run in groupby(sheet, set_in):
        lines = list(run)
        start, end = end, end + len(lines)
        own = max((line.right or 0.0 for line in lines), default=0.0)
        full = [line for line in lines if abs((line.right or 0.0) - own) < em / 3]
        prose = [line for line in full if _PROSE.search(line.text) and not ended(line.text)]
        if size and len(prose) > 1 and 2 * len(prose) > len(full):
            yield range(start, end), min(line.left or 0.0 for line in full), own, size


def _measured_shape(line: PrintedLine, left: float, right: float, em: float) -> Shape:
    if line.left is None or line.right is None:
        return Shape(None, 0.0)
    indent, slack = (line.left - left) / em, ((right if line.edge is None else line.edge) - line.right) / em
    centred = indent > 2.6 and slack > SHORT_GEOMETRY and abs(indent - slack) < 1.0
    scale = line.size / em if line.size else 1.0
    return Shape(indent, slack, centred, scale, slack > SHORT_GEOMETRY)


def body_size(lines: Iterable[PrintedLine]) -> float:
    """Character height in points of most of the text whose height is known, as that of tables' rows is not; 1 when there is none."""
    counts: Counter[float] = Counter()
    for line in lines:
        if line.size:
            counts[round(line.size * 2) / 2] += len(line.text)
    return max(counts, key=lambda size: counts[size], default=1.0)


def _edges(lines: Sequence[PrintedLine], em: float) -> tuple[float, float]:
    """Usual left and right edge in points: the extremes that at least two (or 4 %) of the lines share.

    Where many lines reach beyond a shared right edge it is none: short lines that happen to end at one place.
    """
    own = [line for line in lines if line.size < TITLE_SCALE * em] or lines  # titles are set in the middle
    spans = [(line.left, line.right) for line in own if line.left is not None and line.right is not None]
    if not spans:
        return 0.0, 0.0
    left = _shared([s[0] for s in spans], em, max(2, round(len(spans) * 0.04)))
    spans = [s for s in spans if s[0] < left + _SET_RIGHT * em] or spans  # what is set in the middle fills no line
    right = -_shared([-s[1] for s in spans], em, max(2, round(len(spans) * 0.04)))
    beyond = [s[1] for s in spans if s[1] > right + SHORT_GEOMETRY * em]  # one mark may hang over the edge
    return left, max(beyond) if len(beyond) > max(1.0, _BEYOND * len(spans)) else right


def _shared(values: Sequence[float], em: float, need: int) -> float:
    """The smallest value with ``need`` neighbours within 0.6 em; the median of the cluster steadies it."""
    ordered = sorted(values)
    for value in ordered:
        cluster = [v for v in ordered if value <= v <= value + 0.6 * em]
        if len(cluster) >= need:
            return cluster[len(cluster) // 2]
    return ordered[0]
