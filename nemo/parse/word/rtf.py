"""Rich text (.rtf): what is shown of it, with its tables, numbers and notes (RTF specification 1.9.1).

Deleted and hidden words are left out; a file in which they came back would show a repealed sentence as law.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from nemo.errors import UnreadableDocumentError
from nemo.parse.lines import unbroken, unwrapped
from nemo.parse.pictures import faults as picture_faults
from nemo.parse.word import formulas
from nemo.parse.word.docx import raised
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_FONT = re.compile(rb"\\f(\d{1,5})(?:\\[a-z]+-?\d{0,10} ?){0,12}?\\fcharset(\d{1,3})")
_CHARSETS = {128: "cp932", 129: "cp949", 134: "gb18030", 136: "cp950"}
"""Code pages of fonts by their character set; any other font writes in the file's own."""
_PAGES = {"936": "gb18030", "950": "cp950", "932": "cp932", "65001": "utf-8"}
_GONE = frozenset((
    "fonttbl", "colortbl", "stylesheet", "info", "header", "headerl", "headerr", "headerf", "footer", "footerl",
    "footerr", "footerf", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "fldinst", "objdata",
    "objclass", "objname", "sp", "sn", "sv", "shprslt", "nonesttables", "xe", "tc", "txe", "rxe", "template",
    "nextfile", "upr", "bkmkstart", "bkmkend", "listtable", "listoverridetable", "revtbl", "rsidtbl", "themedata",
    "datastore", "generator", "atnid", "atnauthor", "annotation",
))  # fmt: skip
"""Groups that hold no text of the document itself, or hold it a second time."""
_SHOWN = frozenset(("shpinst", "nesttableprops"))
"""Groups marked as skippable that hold text or rows nevertheless."""
_SIGNS = {
    "line": "\n", "tab": "\t", "emdash": "—", "endash": "–", "emspace": " ", "enspace": " ", "qmspace": " ", "bullet": "•",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
_SYMBOLS = {"~": "\xa0", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_MAX_DEPTH = 500


@dataclass(frozen=True)
class _Group:
    """What holds inside one pair of braces."""

    gone: bool = False
    hidden: bool = False
    note: bool = False
    font: int = -1
    skip: int = 1
    """Characters that follow one in Unicode for readers that know none (uc)."""
    starred: bool = False
    high: bool = False
    """Set as a superscript: 10³ is not 103."""


@dataclass
class _RtfReader:
    """One pass over a file."""

    codec: str
    fonts: dict[int, str]
    group: _Group = _Group()
    outer: list[_Group] = field(default_factory=list)
    waiting: bytearray = field(default_factory=bytearray)
    """Bytes of the text not yet decoded: a character may be written half as code, half as a letter."""
    passed: int = 0
    """Characters still to be passed over behind one in Unicode."""
    words: list[str] = field(default_factory=list)
    cells: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    within: bool = False
    """The paragraph stands in a cell."""
    dropped: int = 0

    def say(self, words: str) -> None:
        """Take words where they are shown."""
        self.decode()
        if not (self.group.gone or self.group.hidden):
            self._write(words)

    def _write(self, words: str) -> None:
        (self.notes if self.group.note else self.words).append(raised(words) if self.group.high else words)

    def take(self, content: bytes) -> None:
        """Take bytes of the text."""
        over = min(self.passed, len(content))
        self.passed -= over
        if not (self.group.gone or self.group.hidden):
            self.waiting += content[over:]

    def decode(self) -> None:
        """Turn the waiting bytes into words."""
        if self.waiting:
            words = self.waiting.decode(self.fonts.get(self.group.font, self.codec), errors="replace")
            self.waiting.clear()
            self._write(words)

    def end(self) -> str:
        """Return the words since the last paragraph, cell or row."""
        self.decode()
        words = "".join(self.words).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self.words.clear()
        return words.replace("\u2028", "\n").strip(" \t\n　")

    def enter(self) -> None:
        """A group opens."""
        self.decode()
        if len(self.outer) >= _MAX_DEPTH:
            raise UnreadableDocumentError("RTF 文档嵌套过深，无法读取。", ("请用 Word 打开后另存为 .docx 再上传。",))
        self.outer.append(self.group)
        self.passed = 0

    def leave(self) -> None:
        """A group closes."""
        self.decode()
        if self.group.note and self.outer and not self.outer[-1].note:
            self.notes.append("\n")
        self.group = self.outer.pop() if self.outer else self.group
        self.passed = 0


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a rich text file.

    Raises:
        UnreadableDocumentError: nested too deep, or without text.
    """
    content = raw.content
    page = re.search(rb"\\ansicpg(\d{1,5})", content[:4096])
    fonts = {int(f): _CHARSETS[int(c)] for f, c in _FONT.findall(content[:200_000]) if int(c) in _CHARSETS}
    reader = _RtfReader(_PAGES.get(page[1].decode() if page else "936", "cp1252"), fonts)
    at = 0
    while (token := _TOKEN.match(content, at)) is not None:
        at = token.end()
        at += _read(reader, token)
    if last := reader.end():
        reader.rows.append(last)
    reader.rows += [" | ".join(reader.cells)] if any(reader.cells) else []
    rows = [row for block in reader.rows for row in block.split("\n") if row.strip()]
    notes = [note for note in "".join(reader.notes).split("\n") if note.strip()]
    rows += [f"注{number}：{note.strip()}" for number, note in enumerate(notes, 1)]
    if not rows:
        raise UnreadableDocumentError(
            "RTF 文档里没有文字。", ("如内容是图片，请另存为 PDF 后上传，系统会进行文字识别。",)
        )
    text = "\n".join(unwrapped(rows))
    faults = (*picture_faults((), reader.dropped), *formulas.unreadable(text))
    return ParsedDocument(text, (), "rtf", faults=faults)


def _read(reader: _RtfReader, token: re.Match[bytes]) -> int:
    """Take one token; return how many bytes of pure data follow it."""
    word, number, code, symbol, brace, plain = token.groups()
    if brace:
        reader.enter() if brace == b"{" else reader.leave()
    elif code:
        reader.take(bytes.fromhex(code.decode()))
    elif plain:
        reader.take(plain)
    elif symbol:
        _symbol(reader, symbol.decode("latin-1"))
    elif word:
        value = int(number) if number else None
        _word(reader, word.decode(), value)
        return max(value or 0, 0) if word == b"bin" else 0
    return 0


def _symbol(reader: _RtfReader, symbol: str) -> None:
    if symbol == "*":
        reader.group = replace(reader.group, starred=True)
    elif symbol in "\r\n":
        _paragraph(reader, None)
    elif symbol in _SYMBOLS:
        reader.say(_SYMBOLS[symbol])


def _word(reader: _RtfReader, word: str, value: int | None) -> None:
    """Take one control word."""
    group = reader.group
    if group.starred:
        reader.group = group = replace(group, starred=False, gone=group.gone or word not in _SHOWN)
        if word == "moMath" and not reader.outer[-1].gone:
            reader.words.append(formulas.UNREAD)
    if word in _GONE:
        reader.group = replace(group, gone=True)
    elif word == "pict":
        reader.dropped += not group.gone
        reader.group = replace(group, gone=True)
    elif word == "footnote":
        reader.decode()
        reader.group = replace(group, note=True)
    elif word in _ACTS:
        _ACTS[word](reader, value)
    elif word in _SIGNS:
        reader.say(_SIGNS[word])


def _unicode(reader: _RtfReader, value: int | None) -> None:
    reader.say(chr((value or 0) % 65536))
    reader.passed = reader.group.skip


def _font(reader: _RtfReader, value: int | None) -> None:
    reader.decode()
    reader.group = replace(reader.group, font=-1 if value is None else value)


def _hide(reader: _RtfReader, value: int | None) -> None:
    """Hidden or deleted words begin; with 0 they end."""
    reader.decode()
    reader.group = replace(reader.group, hidden=value != 0)


def _plain(reader: _RtfReader, value: int | None) -> None:
    reader.decode()
    reader.group = replace(reader.group, hidden=False, font=-1, high=False)


def _high(reader: _RtfReader, value: int | None) -> None:
    reader.decode()
    reader.group = replace(reader.group, high=value != 0)


def _level(reader: _RtfReader, value: int | None) -> None:
    _high(reader, 0)


def _skip(reader: _RtfReader, value: int | None) -> None:
    reader.group = replace(reader.group, skip=min(value or 0, 16))


def _paragraph(reader: _RtfReader, value: int | None) -> None:
    if reader.group.gone or reader.group.note:
        return
    if reader.within:
        reader.say(" ")
    elif words := reader.end():
        reader.rows += unbroken(words)


def _default(reader: _RtfReader, value: int | None) -> None:
    reader.within = False


def _inside(reader: _RtfReader, value: int | None) -> None:
    reader.within = True


def _cell(reader: _RtfReader, value: int | None) -> None:
    if not reader.group.gone:
        reader.cells.append(" ".join(reader.end().split()))


def _row(reader: _RtfReader, value: int | None) -> None:
    """A row of a table ends; one of a single cell is a frame around its words."""
    if not reader.group.gone and any(reader.cells):
        reader.rows.append(" | ".join(reader.cells).strip(" "))
    reader.cells.clear()
    reader.within = False


def _blank(reader: _RtfReader, value: int | None) -> None:
    reader.say(" ")


_ACTS: dict[str, Callable[[_RtfReader, int | None], None]] = {
    "u": _unicode, "f": _font, "v": _hide, "deleted": _hide, "plain": _plain, "super": _high, "nosupersub": _level, "uc": _skip, "par": _paragraph, "sect": _paragraph,
    "page": _paragraph, "pard": _default, "intbl": _inside, "cell": _cell, "row": _row, "nestcell": _blank, "nestrow": _blank,
}  # fmt: skip
