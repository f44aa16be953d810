"""The way in: from an address to parsed text."""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import NamedTuple

from nemo.types.figures import Picture
from nemo.types.places import Fault, Span


@dataclass(frozen=True, slots=True)
class Lead:
    """An address where a regulation may be found; nothing has been fetched (线索)."""

    url: str
    title: str
    found_by: str


@dataclass(frozen=True, slots=True)
class RawDocument:
    """The bytes of one file exactly as they came, kept for ever (原始文件)."""

    content: bytes
    name: str
    """File name as uploaded, without any folder."""
    sha256: str
    """Hex digest of ``content``."""
    url: str | None = None
    media_type: str | None = None
    fetched_at: dt.datetime | None = None

    @classmethod
    def of(
        cls,
        content: bytes,
        name: str,
        *,
        url: str | None = None,
        media_type: str | None = None,
        fetched_at: dt.datetime | None = None,
    ) -> RawDocument:
        """Make a raw document and compute its hash; a name in another encoding than UTF-8 becomes readable."""
        return cls(content, readable(name), hashlib.sha256(content).hexdigest(), url, media_type, fetched_at)


def readable(name: str) -> str:
    """Return a file name as it can be shown and stored.

    Python carries bytes that are not UTF-8 as lone surrogates, which nothing can encode again: they are read as
    GB 18030, the encoding of Chinese systems, or shown as ``�``.
    """
    if not any("\ud800" <= char <= "\udfff" for char in name):
        return name
    given = name.encode("utf-8", "surrogatepass" if any("\ud800" <= c < "\udc80" for c in name) else "surrogateescape")
    try:
        return given.decode("gb18030")
    except UnicodeDecodeError:
        return given.decode("utf-8", "replace")


class RecognisedLine(NamedTuple):
    """A stretch of one printed line as OCR read it, outer edges as shares (0–1) of the page from its top left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float
    confidence: float
    unsure: str = ""
    """Days, numbers and amounts of it that were read unsurely, joined by 、."""


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet of a paginated file."""

    number: int
    """Physical page from 1; never interpolated."""
    printed: str | None
    """The number on the paper (页脚), None when none was read."""
    span: Span
    recognised: tuple[RecognisedLine, ...] = ()
    """The lines of the text, in its order, on a page that was read by OCR; empty on any other."""

    def lines_of(self, span: Span, text: str) -> list[RecognisedLine]:
        """Return the recognised lines that ``span`` of the whole ``text`` touches; they differ from it in blanks and bars only."""
        if not self.recognised or not self.span.overlaps(span):
            return []
        start = _solid(text[self.span.start : max(span.start, self.span.start)])
        end = start + _solid(text[max(span.start, self.span.start) : min(span.end, self.span.end)])
        found, at = [], 0
        for line in self.recognised:
            begins, at = at, at + _solid(line.text)
            if begins < end and start < at:
                found.append(line)
        return found


def _solid(text: str) -> int:
    """Return how many characters are neither white space nor the bars between the cells of a table row."""
    return sum(not char.isspace() and char != "|" for char in text)


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file's text with its pages and everything the parser had to leave out (解析结果)."""

    text: str
    pages: tuple[Page, ...]
    """Empty for formats without pages (HTML, Word, Markdown, plain text without form feeds)."""
    parser: str
    """Name of the parser that read it, e.g. ``pdf/pdfium``."""
    ocr_confidence: float | None = None
    """Mean confidence of recognised text, None when every character came from a text layer."""
    faults: tuple[Fault, ...] = ()
    title: str | None = None
    """Title the container states (HTML title, first Markdown heading, Word title style); a hint only."""
    margin: tuple[str, ...] = ()
    """Taken out of the text but evidence for its facts: letterhead (红头), 抄送 and 印发 lines, index cards (索引卡)."""
    removed: tuple[str, ...] = ()
    """Everything taken out of the text, in reading order, to be looked at: navigation, prints' headers and footers."""
    url: str | None = None
    """Canonical address stated by the page itself."""
    pictures: tuple[Picture, ...] = ()
    """Pictures of the file that belong to its text, in its order."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a batch of files, or the building of an index, stands."""

    done: int
    total: int
    name: str
    chunks: int
    """Chunks done so far."""
    seconds: float
    """Since it began."""

    @property
    def seconds_left(self) -> float | None:
        """Expected remaining time, None before the first file is done."""
        return self.seconds / self.done * (self.total - self.done) if self.done else None
