"""Pictures inside documents (文档中的图片): kept with their place, read by OCR where it is there, shown from checked bytes.

What is shown of a picture is always a new PNG made from its decoded pixels: nothing else that its bytes may hold gets
out. Vector formats (SVG, EMF) are not decoded at all.
"""

import hashlib
import io
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse.lines import rejoin
from nemo.types import Fault, Picture, Span

_LEAST_WIDE, _LEAST_HIGH = 160, 24
"""Pixels below which a picture is an ornament; a line of print is higher."""
_LEAST_CONFIDENCE = 0.75
"""Below it what was recognised is a drawing or a photograph taken for words."""
_LEAST_CHINESE = 4
"""Chinese characters below which the words of a picture are marks of a drawing."""
_CHINESE = re.compile("[\u4e00-\u9fff]")
MOST = 60
"""Pictures of one file that are kept."""
_MOST_READ = 40
_TIME_SHARE = 0.5
"""Of a file's time limit."""
_SHOWN_SIDE = 1600
"""Pixels of the long side of what is shown."""


@dataclass(slots=True)
class EmbeddedPicture:
    """A picture as a reader of a format met it, before the text is put together."""

    source: str
    sha256: str
    words: tuple[str, ...] = ()
    """Its recognised lines, each a row of the text; none when nothing could be relied on."""
    confidence: float | None = None
    row: int = 0
    """Number of rows of the text above it."""
    inside: bool = False
    """It stands in the row of that number, not before it."""
    page: int | None = None
    box: tuple[float, ...] = ()

    def placed(self, text: str, ends: Sequence[int]) -> Picture:
        """Return it with its place in the text whose rows end at ``ends``."""
        above = ends[min(self.row, len(ends)) - 1] if self.row and ends else 0
        start = text.find(self.words[0], above) if self.words else -1
        end = text.find(self.words[-1], start) + len(self.words[-1]) if start >= 0 else -1
        if end < start or start < 0:
            start = end = ends[self.row] if self.inside and self.row < len(ends) else above
        return Picture(
            Span(start, end), self.source, self.sha256, self.page, self.box, self.confidence if end > start else None
        )


@dataclass
class PictureReader:
    """Decodes and reads the pictures of one document within its time."""

    seconds: float
    """Time limit of the file."""
    began: float = field(default_factory=time.monotonic)
    dropped: int = 0
    """Pictures of which nothing was read."""
    met: list[EmbeddedPicture] = field(default_factory=list)
    read: int = 0

    def take(self, content: bytes, source: str) -> EmbeddedPicture | None:
        """Decode and read a picture of the file; None when it is an ornament or cannot be decoded."""
        try:
            image = decoded(content)
        except UnreadableDocumentError:
            image = None  # damaged, huge, or a drawing in a format of Windows: counted, and said, as not read
        if image is None or image.width < _LEAST_WIDE or image.height < _LEAST_HIGH or len(self.met) >= MOST:
            self.dropped += 1
            return None
        return self.keep(image, EmbeddedPicture(source, hashlib.sha256(content).hexdigest()))

    def keep(self, image: Any, met: EmbeddedPicture) -> EmbeddedPicture:
        """Read a decoded picture and keep it."""
        found = self._recognised(image)
        if found is None:
            self.dropped += 1
        else:
            met.words, met.confidence = found
        self.met.append(met)
        return met

    def _recognised(self, image: Any) -> tuple[tuple[str, ...], float] | None:
        """Return the lines of a picture and their mean confidence, None when it holds none that can be relied on."""
        if time.monotonic() - self.began > self.seconds * _TIME_SHARE or self.read >= _MOST_READ:
            return None
        from nemo.parse.pdf import scan  # heavy: only for documents with pictures

        try:
            rows, confidence = scan.read_page(image, 1)
        except MissingDependencyError:
            return None
        self.read += 1
        told = any("。" in row.text for row in rows)  # the words of a drawing are no paragraphs
        words = tuple(filter(None, rejoin([rows])[0].split("\n") if told else (row.text.strip() for row in rows)))
        said = len(_CHINESE.findall("".join(words))) >= _LEAST_CHINESE
        return (words, confidence) if said and confidence >= _LEAST_CONFIDENCE else None

    def placed(self, text: str, rows: Iterable[str]) -> tuple[Picture, ...]:
        """Return the pictures with their places in the text that was put together from ``rows``, in its order."""
        ends = list(_ends(text, rows))
        return tuple(sorted((met.placed(text, ends) for met in self.met), key=lambda each: each.span))


def _ends(text: str, rows: Iterable[str]) -> Iterator[int]:
    """Yield where each row ends in the text; joining rows never alters one."""
    at = 0
    for row in rows:
        found = text.find(row, at)
        at = found + len(row) if found >= 0 else at
        yield at


def faults(pictures: Iterable[Picture], dropped: int = 0) -> Iterator[Fault]:
    """Yield what a reader must know of the pictures of a document."""
    for each in pictures:
        if each.confidence is not None:
            where = "此处文字由文档中的图片" if each.page is None else "文字由页中的图片"
            advice = (
                "，引用前请核对原件" if each.page is None else ""
            )  # a page in doubt is advised to be looked at anyway
            message = f"{where}识别得出（置信度 {each.confidence:.2f}）{advice}。"
            yield Fault("picture_recognised", message, each.span)
    if dropped:
        yield Fault("pictures_dropped", f"文档中有 {dropped} 处图片，图片里的内容未读入，请核对原件。")


def decoded(content: bytes) -> Any:
    """Return the first picture of some bytes as an RGB Pillow image of bounded size.

    Raises:
        UnreadableDocumentError: no picture that Pillow decodes, damaged, or too many pixels.
    """
    from nemo.parse.pdf import scan

    return next(scan.frames(content, 1_000)[1])


def png(image: Any) -> bytes:
    """Return a decoded picture as a new PNG, no side longer than 1600 pixels."""
    image.thumbnail((_SHOWN_SIDE, _SHOWN_SIDE))
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()
