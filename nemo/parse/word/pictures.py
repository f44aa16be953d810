"""Where the pictures of a Word document lie in its container (文档中的图片)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from posixpath import dirname, join, normpath
from zipfile import ZipFile

from lxml import etree

from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.parse.other.markup import parse_xml
from nemo.parse.pictures import EmbeddedPicture, PictureReader

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT_R = "{http://purl.oclc.org/ooxml/officeDocument/relationships}"


@dataclass
class Pictures:
    """The pictures of one document, read when their place is reached."""

    container: ZipFile
    targets: Mapping[str, str]
    budget: Budget
    reader: PictureReader

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
        return cls(container, targets, budget, PictureReader(seconds))

    def met(self, element: etree._Element, row: int) -> EmbeddedPicture | None:
        """Take a picture (``a:blip``, ``v:imagedata``) that stands below ``row`` rows; None when there is nothing to keep."""
        keys = (element.get(space + name) for space in (_R, _STRICT_R) for name in ("embed", "id"))
        target = self.targets.get(next((key for key in keys if key), ""))
        content = read_member(self.container, target, self.budget) if target else None
        if not content:
            self.reader.dropped += 1
            return None
        found = self.reader.take(content, target or "")
        if found is not None:
            found.row = row
        return found


def content_of(document: bytes, source: str, budget: Budget) -> bytes | None:
    """Return the bytes of a picture of a document, None when it has none of that name.

    Raises:
        UnreadableDocumentError: damaged or over the budget.
    """
    with open_zip(document) as container:
        return read_member(container, source, budget)
