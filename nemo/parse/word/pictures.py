"""Pictures inside Word documents (文档中的图片): tables and seals pasted as images are read by OCR, in their place."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from zipfile import ZipFile

from lxml import etree

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse.other.archive import Budget, read_member
from nemo.parse.other.markup import parse_xml
from nemo.types import Fault, Span

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT_R = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"
_LEAST_WIDE, _LEAST_HIGH = 160, 24
"""Pixels below which a picture is an ornament; a line of print is higher."""
_LEAST_CONFIDENCE = 0.6
"""Below it what was recognised is a drawing taken for words."""
_MOST = 40
_TIME_SHARE = 0.5
"""Of a file's time limit."""


@dataclass
class Pictures:
    """The pictures of one document, read when their place is reached."""

    container: ZipFile
    targets: Mapping[str, str]
    budget: Budget
    seconds: float
    began: float = field(default_factory=time.monotonic)
    dropped: int = 0
    """Pictures of which nothing was read."""
    read: list[tuple[tuple[str, ...], float]] = field(default_factory=list)
    """Lines and mean confidence of each picture that was read, in order."""

    @classmethod
    def of(cls, container: ZipFile, main: str, budget: Budget, seconds: float) -> Pictures:
        """Return the pictures that the part ``main`` refers to."""
        folder, name = dirname(main), main.rsplit("/", 1)[-1]
        content = read_member(container, join(folder, "_rels", f"{name}.rels"), budget)
        targets: dict[str, str] = {}
        for relation in parse_xml(content) if content is not None else ():
            if relation.get("Type", "").endswith("/image") and relation.get("TargetMode") != "External":
                target = relation.get("Target", "")
                targets[relation.get("Id", "")] = target[1:] if target[:1] == "/" else normpath(join(folder, target))
        return cls(container, targets, budget, seconds * _TIME_SHARE)

    def lines(self, element: etree._Element) -> tuple[str, ...]:
        """Return the lines recognised in a picture (``a:blip``, ``v:imagedata``); none when nothing could be read."""
        keys = (element.get(space + name) for space in (_R, _STRICT_R) for name in ("embed", "id"))
        target = self.targets.get(next((key for key in keys if key), ""))
        content = read_member(self.container, target, self.budget) if target else None
        late = time.monotonic() - self.began > self.seconds or len(self.read) >= _MOST
        found = _recognised(content) if content and not late else None
        if found is None:
            self.dropped += 1
            return ()
        self.read.append(found)
        return found[0]

    def faults(self, text: str) -> list[Fault]:
        """Return what a reader must know of the pictures; each that was read has its place in ``text``."""
        faults, at = [], 0
        for rows, confidence in self.read:
            start = text.find(rows[0], at)
            end = text.find(rows[-1], max(start, 0)) + len(rows[-1])
            placed = start >= 0 and end >= start
            at = end if placed else at
            message = f"此处文字由文档中的图片识别得出（置信度 {confidence:.2f}），引用前请核对原件。"
            faults.append(Fault("picture_recognised", message, Span(start, end) if placed else None))
        if self.dropped:
            message = f"文档中有 {self.dropped} 处图片，图片里的内容未读入，请核对原件。"
            faults.append(Fault("pictures_dropped", message))
        return faults


def _recognised(content: bytes) -> tuple[tuple[str, ...], float] | None:
    """Return the lines of a picture and their mean confidence, None when it holds none that can be relied on."""
    from nemo.parse.pdf import scan  # heavy: only for documents with pictures

    try:
        image = next(scan.frames(content, 1)[1])
        if image.width < _LEAST_WIDE or image.height < _LEAST_HIGH:
            return None
        rows, confidence = scan.read_page(image, 1)
    except (UnreadableDocumentError, MissingDependencyError):
        return None  # a drawing in a format of Windows, or no OCR here: counted, and said, as not read
    words = tuple(row.text for row in rows if row.text.strip())
    return (words, confidence) if words and confidence >= _LEAST_CONFIDENCE else None
