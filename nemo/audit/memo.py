"""The text of a memo as findings count in it (文稿文字): Word, PDF, plain text.

Of a Word file: the paragraphs of its body joined by one newline, then the cells of tables, the footnotes and the text
boxes in reading order, each on lines of its own. Automatic numbers are no text. A comment can be put at every place,
for each line knows its paragraph.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from zipfile import ZipFile

from lxml import etree

from nemo import parse
from nemo.errors import UnreadableDocumentError
from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.parse.other.markup import local, parse_xml
from nemo.parse.other.plain import decode
from nemo.settings import Settings
from nemo.text.words.days import dates_in, to_day
from nemo.text.words.flat import flatten
from nemo.types import Day, RawDocument, Span

_MAIN, _NOTES = "word/document.xml", ("word/footnotes.xml", "word/endnotes.xml")
_APART = {"tbl", "txbxContent"}
"""What stands beside the running paragraphs: it is read after them."""
_GONE = {"del", "moveFrom", "instrText", "delText", "Fallback", "pPr", "rPr"}
_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_REFERENCES = ("footnoteReference", "endnoteReference")
_SEPARATORS = {"separator", "continuationSeparator"}
_CALL = re.compile("\0([^\0]*)\0")
"""A reference to a note in the words of a paragraph, until its place is known; no file can hold this character."""
_NOTE_MARK = re.compile(r"(?m)^[ \t\u3000]*(\[\^?\d{1,3}\])[:：]?(?=.*\S)")
"""The mark of a note in a text without formatting: [1] or [^1] at the head of its line."""
_SIGNED = re.compile(r"^[^。；]{0,12}$")
_LAST_LINES = 6
_HEAD = re.compile("[^，。；《》]{4,60}")
"""What a running head may be: no sentence and no citation."""
_Line = tuple[etree._Element, str]
"""A paragraph with its words."""


@dataclass(frozen=True, slots=True)
class Memo:
    """A text to be audited."""

    name: str
    text: str
    printed: bool = False
    """Lines are those of a print (PDF): a line end says nothing of the sentence."""
    turns: tuple[tuple[int, int], ...] = ()
    """Where the lines of a Word file begin, each with its turn in reading: a table's between paragraphs, a note's where it
    is referred to."""
    rows: tuple[Span, ...] = ()
    """Rows of Word tables, cell after cell on lines of their own; of others the lines that begin with a bar."""
    notes: tuple[tuple[Span, int], ...] = ()
    """Lines of notes (脚注), each with the place of the text that refers to it."""

    def turn(self, offset: int) -> tuple[int, int]:
        """Return when a place of the text is read, to be compared with that of another."""
        at = bisect_right(self.turns, offset, key=lambda turn: turn[0]) - 1
        return (self.turns[at][1] if self.turns else 0), offset

    def day(self) -> Day | None:
        """Return the day under which the memo is signed: a date alone on one of its last or first lines."""
        found = sorted((self.turn(m.start()), m[0]) for m in re.finditer(r"[^\n]+", self.text))
        lines = [
            line for _, line in found if line.strip()
        ]  # in reading order: the tables of a Word file stand behind its signature
        for line in [*reversed(lines[-_LAST_LINES:]), *lines[:_LAST_LINES]]:
            dates = dates_in(flatten(line))
            if len(dates) == 1 and _SIGNED.match(flatten(line).text[: dates[0][0]] + flatten(line).text[dates[0][1] :]):
                return dates[0][2]
        iso = re.search(r"(?m)^[ \t\u3000]*(?:日期[:：]?[ \t\u3000]*)?(20\d\d-\d\d-\d\d)[ \t\u3000]*$", self.text)
        return to_day(iso[1]) if iso else None


def read(raw: RawDocument, settings: Settings) -> Memo:
    """Read a memo.

    Raises:
        UnreadableDocumentError: damaged, or without text.
    """
    head = raw.content[:8]
    if head.startswith(b"PK\x03\x04"):
        return _word(raw, settings)
    if head.startswith((b"%PDF", b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        text, printed = _without_heads(parse.parse(raw, settings).text), True
    else:
        text, printed = decode(raw.content)[0].replace("\r\n", "\n").replace("\r", "\n"), False
    return _readable(Memo(raw.name, text, printed, notes=tuple(_marked_notes(text))))


def _without_heads(text: str) -> str:
    """Take the running head of a short print out where it recurs: a line of its first lines that stands in it again."""
    lines = text.split("\n")
    first = {line for line in map(str.strip, lines[:_LAST_LINES]) if _HEAD.fullmatch(line)}
    return "\n".join(line for n, line in enumerate(lines) if n < _LAST_LINES or line.strip() not in first)


def _marked_notes(text: str) -> Iterator[tuple[Span, int]]:
    """Yield the lines of notes that one mark in the text refers to."""
    for match in _NOTE_MARK.finditer(text):
        at = text.find(match[1])
        if at < match.start(1) and text[at - 1 : at].strip():
            yield Span(match.end(), (text + "\n").index("\n", match.end())), at


def _readable(memo: Memo) -> Memo:
    if not memo.text.strip():
        raise UnreadableDocumentError("文稿中没有可读的文字。", ("请另存为 .docx 或 .txt 后再上传。",))
    return memo


def _word(raw: RawDocument, settings: Settings) -> Memo:
    budget = Budget(settings.max_document_bytes, settings.max_archive_files)
    with open_zip(raw.content) as container:
        body = _part(container, _MAIN, budget)
        notes = [part for name in _NOTES if (part := _part(container, name, budget)) is not None]
    if body is None:
        raise UnreadableDocumentError("这不是 Word 文稿，或缺少正文部分。", ("请另存为 .docx 后再上传。",))
    apart: list[etree._Element] = []
    lines = list(_paragraphs(body, apart))
    tables = [e for e in apart if local(e) == "tbl"]
    boxes = [e for e in apart if local(e) != "tbl"]
    first = len(lines)
    lines += _inside(tables, boxes)
    between = len(lines)
    for note in notes:
        real = [n for n in note if not _SEPARATORS & {v for k, v in n.attrib.items() if str(k).endswith("}type")}]
        lines += _inside(real, boxes)
    lines += _inside(boxes, [])
    lines, calls = _called(lines)
    rows = _rows(tables, lines[:between], first)
    starts = list(accumulate((len(line) + 1 for _, line in lines), initial=0))
    turns = _turns(body, [paragraph for paragraph, _ in lines])
    text = "\n".join(line for _, line in lines)
    spans = (Span(start, start + len(line)) for start, (_, line) in zip(starts, lines, strict=False))
    called = tuple((span, calls[of]) for span, (p, _) in zip(spans, lines, strict=True) if (of := _note_of(p)) in calls)
    return _readable(Memo(raw.name, text, turns=tuple(zip(starts, turns, strict=False)), rows=rows, notes=called))


def _called(lines: list[_Line]) -> tuple[list[_Line], dict[str, int]]:
    """Take the references to notes out of the words of paragraphs; return the lines and where each reference stood."""
    out: list[_Line] = []
    calls: dict[str, int] = {}
    at = 0
    for paragraph, words in lines:
        parts = _CALL.split(words)
        place = at
        for n, part in enumerate(parts):
            if n % 2:
                calls.setdefault(part, place)
            else:
                place += len(part)
        out.append((paragraph, "".join(parts[::2])))
        at = place + 1
    return out, calls


def _note_of(paragraph: etree._Element) -> str:
    """Return the kind and number of the note around a paragraph; empty outside notes."""
    note = next((e for e in paragraph.iterancestors() if local(e) in ("footnote", "endnote")), None)
    return "" if note is None else _id(note)


def _turns(body: etree._Element, paragraphs: list[etree._Element]) -> Iterator[int]:
    """Yield the turn of every paragraph: its place in the body, or that of the reference to the note it stands in."""
    place = {element: n for n, element in enumerate(body.iter())}
    called = {_id(e): n for e, n in place.items() if str(local(e)).endswith("noteReference")}
    for paragraph in paragraphs:
        note = _note_of(paragraph)
        yield called.get(note, len(place)) if note else place.get(paragraph, -1)


def _id(element: etree._Element) -> str:
    """Return the kind and number of a note, or of the reference to one."""
    number = next((v for k, v in element.attrib.items() if str(k).endswith("}id")), "")
    return f"{str(local(element)).removesuffix('Reference')} {number}"


def _rows(tables: list[etree._Element], lines: list[_Line], at: int) -> tuple[Span, ...]:
    """Return where the rows of tables stand in the text; a table in a cell is part of its row."""
    found: list[Span] = []
    start = sum(len(line) + 1 for _, line in lines[:at])
    for table in tables:
        for row in (e for e in table if local(e) == "tr"):
            count = sum(local(e) == "p" and not _in_box(e, row) for e in row.iter())
            length = sum(len(line) + 1 for _, line in lines[at : at + count])
            found.append(Span(start, max(start, start + length - 1)))
            at, start = at + count, start + length
    return tuple(found)


def _part(container: ZipFile, name: str, budget: Budget) -> etree._Element | None:
    content = read_member(container, name, budget)
    return parse_xml(content) if content is not None else None


def _inside(places: list[etree._Element], boxes: list[etree._Element]) -> list[_Line]:
    """Return the lines of tables, notes or boxes, with the tables in them; boxes in them are kept for later."""
    out: list[_Line] = []
    for place in places:
        for paragraph in place.iter():
            if local(paragraph) == "p" and not _in_box(paragraph, place):
                found: list[etree._Element] = []
                out.append((paragraph, "".join(_words(paragraph, found))))
                boxes += [e for e in found if local(e) == "txbxContent"]
    return out


def _in_box(paragraph: etree._Element, place: etree._Element) -> bool:
    for above in paragraph.iterancestors():
        if above is place:
            return False
        if local(above) in ("txbxContent", "Fallback"):
            return True
    return False


def _paragraphs(element: etree._Element, apart: list[etree._Element]) -> Iterator[_Line]:
    for child in element:
        kind = local(child)
        if kind == "p":
            yield child, "".join(_words(child, apart))
        elif kind in _APART:
            apart.append(child)
        elif kind not in _GONE:
            yield from _paragraphs(child, apart)


def _words(element: etree._Element, apart: list[etree._Element]) -> Iterator[str]:
    for child in element:
        kind = local(child)
        if kind == "t":
            yield child.text or ""
        elif kind in _MARKS:
            yield _MARKS[kind]
        elif kind in _REFERENCES:
            yield f"\0{_id(child)}\0"
        elif kind in _APART:
            apart.append(child)
        elif kind not in _GONE:
            yield from _words(child, apart)
