"""The physical lines of a text, and which of them are hard-wrapped (行与版式).

A PDF dump breaks a paragraph every 26–40 characters, a web page or Word file gives one line per paragraph, and a
notice with an enclosed rule may mix both. So lines are judged in runs: within a run that is wrapped, every line knows
the usual line width.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nemo.types import Span

_BREAK = re.compile(r"\r\n|[\n\r\f\v\x1c-\x1e\x85\u2028\u2029]")
BLANKS = " \t\u3000\u00a0\u2002\u2003\u2009\u200b\u200c\u200d\u2060\ufeff\xad"
"""White space and zero-width characters that may surround a line."""
_MARKUP = re.compile(r"<!--.*?-->|(?P<hashes>#{1,6})(?=[\s\u3000])")
_TERMINAL = re.compile(r"[。；;：:！!？?…][”’」』）)\]】]{0,2}$|[。；][（(][^（()）。]{1,20}[）)]$")
"""Also a remark in brackets behind the sentence: ……情况。（公开信息）"""
_THIN_BLANK = re.compile(
    r"(?<=[，、。；：）》”]) +|(?<! ) +(?=[（《“])|(?<=[0-9A-Za-z%]) +(?=[^\x00-\x7f])|(?<=[^\x00-\x7f]) +(?=[0-9A-Za-z])"
)
_WIDEST = 128
"""Widest wrapped line, in half-width units; longer lines are paragraphs."""
_MIN_RUN = 5
_NOTE_REACH = 60
"""Lines of a page, above which a note belongs to none of its words."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line without surrounding blanks; ``text == span.of(whole)``."""

    span: Span
    text: str
    measure: int
    """Width in half-width units, without the thin blanks that extraction puts beside marks and digits."""
    indent: int = 0
    """Width of the leading blanks in half-width units."""
    after_blank: bool = False
    """An empty line stands before it (not one made by a page break)."""
    after_page: bool = False
    """A page break stands before it."""
    hashes: int = 0
    """Number of leading ``#`` of a marked-up heading."""
    width: int = 0
    """Usual line width of the wrapped run it belongs to, in half-width units; 0 = one line per paragraph."""
    indented_run: bool = False
    """The run shows the first lines of its paragraphs by indentation."""
    glued: bool = False
    """Not a line of its own: the rest of one, from a place where a heading or item may have been glued on."""
    table: bool = False
    """No line but the rows of a whole table, which hold no headings and no list numbers."""
    picture: bool = False
    """No line but all words recognised in a picture; ``table`` too."""

    @property
    def ended(self) -> bool:
        """Whether it ends the way a paragraph ends (。；：！？…, perhaps with a closing quote)."""
        return _TERMINAL.search(self.text[-24:]) is not None


def in_blocks(lines: Sequence[TextLine], text: str, blocks: Iterable[Span], *, picture: bool = False) -> list[TextLine]:
    """Return the lines with those of each block, the rows of a table or the words of a picture, as one line."""
    spans = list(blocks)
    out: list[TextLine] = []
    for line in lines:
        while spans and spans[0].end <= line.span.start:
            spans.pop(0)
        if not spans or not spans[0].overlaps(line.span):
            out.append(line)
        elif not (out and out[-1].table and out[-1].span == spans[0]):
            words = spans[0].of(text)
            block = replace(line, span=spans[0], text=words, measure=len(words) * 2, width=0, table=True)
            out.append(replace(block, picture=True) if picture else block)
    return out


def footnotes(lines: Sequence[TextLine]) -> Iterator[Span]:
    """Yield the notes at the foot of pages (脚注): lines that open with a sign (①) that a line shortly above carries behind a
    word. A list stands below the line that announces it and is referred to by no such sign.
    """
    for index, line in enumerate(lines):
        sign = line.text[:1]
        if not "①" <= sign <= "⑳" or line.table:
            continue
        above = [each.text for each in lines[max(0, index - _NOTE_REACH) : index] if not "①" <= each.text[:1] <= "⑳"]
        if (
            above
            and above[-1][-1] not in "：:"
            and any(re.search(rf"[\u4e00-\u9fff》”）)%]{sign}", text) for text in above)
        ):
            yield line.span


def measure(text: str) -> int:
    """Return the printed width of ``text``: 1 for an ASCII character, 2 for a Han character."""
    return len(text.encode("gbk", "replace"))


def read_lines(text: str, page_starts: Sequence[int] = ()) -> list[TextLine]:
    """Split ``text`` into its non-empty lines and find out which runs of them are hard-wrapped.

    ``page_starts`` are offsets at which pages begin, for texts whose page breaks are not form feeds.
    """
    return _with_layout(list(_raw_lines(text, frozenset(page_starts))))


def _raw_lines(text: str, page_starts: frozenset[int]) -> Iterator[TextLine]:
    blank = page = False
    start = 0
    for end, broken_by in _breaks(text):
        page = page or start in page_starts
        line = _line(text, start, end, blank and not page, page)
        if line is None:
            blank = True
        else:
            if line.text:
                yield line
            blank = page = False
        page = page or broken_by == "\f"
        start = end + len(broken_by)


def _breaks(text: str) -> Iterator[tuple[int, str]]:
    for match in _BREAK.finditer(text):
        yield match.start(), match[0]
    yield len(text), ""


def _line(text: str, start: int, end: int, after_blank: bool, after_page: bool) -> TextLine | None:
    """Return the line, None when it is blank; a line of mere markup has an empty text."""
    raw = text[start:end]
    body = raw.lstrip(BLANKS)
    if not body.strip(BLANKS):
        return None
    lead = len(raw) - len(body)
    markup = _MARKUP.match(body)
    hashes = 0
    if markup:
        hashes = len(markup["hashes"] or "")
        rest = body[markup.end() :].lstrip(BLANKS)
        lead, body = len(raw) - len(rest), rest
    body = body.rstrip(BLANKS)
    span = Span(start + lead, start + lead + len(body))
    indent = 0 if hashes else measure(raw[:lead])
    width = measure(body if len(body) > 2 * _WIDEST else _THIN_BLANK.sub("", body))
    return TextLine(span, body, width, indent, after_blank, after_page, hashes)


def _with_layout(lines: list[TextLine]) -> list[TextLine]:
    """Give every line the width of its run."""
    done: list[TextLine] = []
    run: list[TextLine] = []
    for line in lines:
        if line.measure > _WIDEST:
            done.extend(_laid_out(run))
            done.append(line)
            run = []
        else:
            run.append(line)
    done.extend(_laid_out(run))
    return done


def _laid_out(run: list[TextLine]) -> list[TextLine]:
    width = _usual_width(run)
    if not width:
        return run
    indented = sum(2 <= line.indent <= 8 for line in run)
    shows = 0.05 * len(run) <= indented <= 0.7 * len(run)
    ignore_blanks = sum(line.after_blank for line in run) > 0.5 * len(run)
    return [
        replace(
            line,
            after_blank=line.after_blank and not ignore_blanks,
            width=width,
            indented_run=shows,
        )
        for line in run
    ]


def _usual_width(run: Sequence[TextLine]) -> int:
    """Return the width at which a run is wrapped, 0 when it is not.

    In a wrapped run the full lines stop in the middle of a sentence; in a run of paragraphs the long ones end in 。
    """
    if len(run) < _MIN_RUN:
        return 0
    widths = sorted(line.measure + line.indent for line in run)
    widest = widths[int(len(widths) * 0.9)]
    if widest < 30:
        return 0
    counts = Counter(width for width in widths if width >= 0.85 * widest)
    often = 0.3 * max(counts.values())
    usual = max(width for width, count in counts.items() if count >= often)
    full = [line for line in run if 0.85 * usual <= line.measure + line.indent]
    running_on = sum(not line.ended for line in full)
    return usual if running_on >= max(3, 0.45 * len(full)) else 0
