"""Words behind glyphs that show nothing (替代文本): ``ActualText``, ISO 32000-1 §14.9.4, of pages whose fonts were lost.

A program that prints without the right font writes empty glyphs and keeps the words beside them. PDFium leaves them out
of the text of a page. Called with PDFium's lock held, from ``nemo.parse.pdf.reader`` alone.
"""

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from nemo.parse.lines import Box, Glyph

LOST_SHARE = 0.3
"""A page with fewer characters than this for each of its pieces of text has lost them: a piece holds one or more."""
_FEWEST = 20
"""Pieces of text on a page below which nothing is concluded."""
_BYTES = 4096
_MOST = 20_000
_MISSING = "\ufffd"
"""A piece for which the file states nothing: seen as damaged, never left out unseen."""

Shown = Callable[[float, float, float, float], Box]
"""Left, bottom, right and top in page space → the place on the shown page."""


def is_lost(characters: int, pieces: int) -> bool:
    """Whether a page's text is lost: next to no characters for the pieces of text that it draws."""
    return pieces >= _FEWEST and characters < LOST_SHARE * pieces


def pieces_of(page: pypdfium2.PdfPage) -> int:
    """Return how many pieces of text a page draws."""
    return sum(1 for _ in _text_objects(page))


def glyphs_of(page: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage, shown: Shown) -> list[Glyph]:
    """Return a page's characters as its file states them, in the order it draws them; each about one em wide."""
    found: list[Glyph] = []
    spoken: set[int] = set()
    for item in _text_objects(page):
        words, mark = _actual(item)
        if words is None:
            words = _own(item, text)
        elif mark in spoken:
            continue  # one text behind several pieces is said once
        spoken.add(mark)
        placed = list(_placed(item, words or _MISSING, shown))
        if found and abs(placed[0].box.top - found[-1].box.top) > 0.5 * placed[0].box.height:
            found.append(Glyph("\n", found[-1].box))
        found += placed
    return found


def _text_objects(page: pypdfium2.PdfPage) -> Iterator[Any]:
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _MOST)):
        item = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_TEXT:
            yield item


def _actual(item: Any) -> tuple[str | None, int]:
    """Return the words that a piece stands for, None when the file says none, and a number for the mark that says them."""
    size, buffer = ctypes.c_ulong(), (ctypes.c_ubyte * _BYTES)()
    for index in range(pdfium.FPDFPageObj_CountMarks(item)):
        mark = pdfium.FPDFPageObj_GetMark(item, index)
        if pdfium.FPDFPageObjMark_GetParamBlobValue(mark, b"ActualText", buffer, _BYTES, size):
            content = bytes(buffer[: min(size.value, _BYTES)])
            return _decoded(content), ctypes.addressof(mark.contents)
    return None, 0


def _decoded(content: bytes) -> str:
    if content.startswith(b"\xfe\xff"):
        return content[2:].decode("utf-16-be", errors="replace")
    if content.startswith(b"\xef\xbb\xbf"):
        return content[3:].decode("utf-8", errors="replace")
    return content.decode("latin-1")


def _own(item: Any, text: pypdfium2.PdfTextPage) -> str:
    """Return what PDFium reads in one piece."""
    buffer = (ctypes.c_ushort * _BYTES)()
    size = pdfium.FPDFTextObj_GetText(item, text, buffer, 2 * _BYTES)
    return bytes(buffer)[: max(0, size - 2)].decode("utf-16-le", errors="replace")


def _placed(item: Any, words: str, shown: Shown) -> Iterator[Glyph]:
    place, size = pdfium.FS_MATRIX(), ctypes.c_float()
    pdfium.FPDFPageObj_GetMatrix(item, place)
    pdfium.FPDFTextObj_GetFontSize(item, size)
    em = max(1.0, abs(size.value * (place.a or place.b or 1.0)))
    left = place.e
    for char in words:
        wide = em if ord(char) > 0xFF else em / 2
        yield Glyph(char, shown(left, place.f, left + wide, place.f + em))
        left += wide
