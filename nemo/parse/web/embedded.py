"""What a web page holds within itself: pictures (``data:`` addresses, RFC 2397; 内嵌图片), frames written into an attribute
(``srcdoc``), the text in the data of its scripts. Read, never fetched.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Sequence

import lxml.html
from lxml import etree

from nemo.parse.pictures import MOST, PictureReader, faults
from nemo.text.letter.titles import looks_like_title
from nemo.types import Fault, Picture

_DATA = re.compile(r"""(?i)data:image/(?:png|jpe?g|gif|bmp|webp);base64,([A-Za-z0-9+/=%\s]{64,})""")
_MARK = "\ufdd0"
"""A noncharacter stands for a picture among the rows; one of the page's own is no character of any text."""
_SHORT = 400
"""Characters of a body below which its pictures may be the text."""
_MARKED = re.compile(_MARK + r"(\d{1,3})" + _MARK)


_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_MARKUP = re.compile(r"<(?:p|div|br|span|section|table)\b", re.IGNORECASE)


def open_frames(root: etree._Element, parser: lxml.html.HTMLParser) -> None:
    """Put the pages that frames carry in an attribute in their places, as programs that save a page as one file write them."""
    for frame in list(root.iter("iframe")):
        source = (frame.attrib.pop("srcdoc", "") or "").strip()
        body = lxml.html.document_fromstring(source, parser=parser).find("body") if source else None
        if body is not None and frame.getparent() is not None:
            body.tag, body.tail, frame.tail = "div", frame.tail, None
            frame.getparent().replace(frame, body)


def in_scripts(root: etree._Element) -> str:
    """Return the longest text with markup in the data of a page's scripts (__NEXT_DATA__, __NUXT__) or in the fields of a form that
    they show it from, under what is said before it and reads like its title; empty without one.
    """
    best, said, title = "", "", ""
    for words in (*_literals(root), *_fields(root)):
        if looks_like_title(words) and "关于" in words:
            title = words
        if len(words) > len(best) and _MARKUP.search(words):
            best, said = words, title
    return f"<h1>{said}</h1>{best}" if said else best


def _literals(root: etree._Element) -> Iterator[str]:
    for literal in (m[1] for script in root.iter("script") for m in _LITERAL.finditer(script.text or "")):
        try:
            yield json.loads(f'"{literal}"', strict=False)
        except ValueError:
            continue  # a string of the program, written otherwise than data are


def _fields(root: etree._Element) -> Iterator[str]:
    for field in root.iter("textarea", "input"):
        yield (field.text if field.tag == "textarea" else field.get("value")) or ""


def taken_out(page: str) -> tuple[str, list[bytes]]:
    """Return the source of a page with short names in place of its embedded pictures, and their bytes."""
    found: list[bytes] = []

    def named(match: re.Match[str]) -> str:
        if len(found) >= MOST:
            return "data:"
        found.append(_decoded(match[1]))
        return f"data:{len(found) - 1}"

    return _DATA.sub(named, page.replace(_MARK, "")), found


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()))
    except (binascii.Error, ValueError):
        return b""


def content_of(page: str, source: str) -> bytes | None:
    """Return the bytes of an embedded picture of a page's source, None when it has none of that name."""
    found = taken_out(page)[1]
    number = source.removeprefix("data:")
    return found[int(number)] if number.isdecimal() and int(number) < len(found) else None


class EmbeddedPictures:
    """The embedded pictures of one page, put among the rows of its text."""

    def __init__(self, page: str, seconds: float) -> None:
        """Take them out of the source of a page; ``seconds`` is the time limit of the file."""
        self.page, self._contents = taken_out(page)
        self.reader = PictureReader(seconds)
        self._images = 0

    def mark(self, block: etree._Element) -> None:
        """Put a paragraph of its own where each embedded picture of the body stands."""
        images = block.findall(".//img")
        self._images = len(images)
        for image in images:
            number = (image.get("src") or "").strip().removeprefix("data:")
            if number.isdecimal() and int(number) < len(self._contents):
                marker = etree.Element("div")
                marker.text = f"{_MARK}{number}{_MARK}"
                image.addnext(marker)
                marker.tail, image.tail = image.tail, None

    def rows(self, rows: Sequence[str]) -> list[str]:
        """Return rows with the words of each picture in the place of its mark."""
        found: list[str] = []
        for row in rows:
            inside = bool(unmarked(row).strip())
            words: list[str] = []
            for number in _MARKED.findall(row):
                met = self.reader.take(self._contents[int(number)], f"data:{number}")
                if met is not None:
                    met.row, met.inside = len(found), inside
                    words += met.words
            if inside:
                found.append(" ".join((unmarked(row).strip(), *words)))
            else:
                found += words
        return found

    def faults(self, met: Sequence[Picture], characters: int) -> Iterator[Fault]:
        """Yield what a reader must know of the pictures of a body of so many characters."""
        yield from faults(met)
        unread = self._images - sum(each.confidence is not None for each in met)
        if unread and characters < _SHORT:
            message = f"网页正文中有 {unread} 张图片，图片里的内容未读入，请核对原网页。"
            yield Fault("pictures_dropped", message)


def unmarked(row: str) -> str:
    """Return a row without the marks of pictures."""
    return _MARKED.sub("", row) if _MARK in row else row
