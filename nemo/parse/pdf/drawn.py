"""A page as PDFium knows it, and what it draws beside its characters (版面图形). Called with PDFium's lock held."""

import ctypes
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from nemo.parse.lines import Box, Glyph
from nemo.parse.pdf import ruled_tables
from nemo.parse.pdf.ruled_tables import RulingLine

_MAX_PATHS = 20_000
_MAX_LINKS = 5_000
_FINE = 100
"""``PageToDevice`` answers in whole pixels; this many per point keeps 0.01 pt."""
_HIDDEN_DRAWING = 0.5
_MANY_CURVES = 30
WHOLE_PAGE = 0.8
"""A picture over this share of the page is the page."""
FIGURE_SHARE = 0.04
"""A picture over this share of its page may be a figure; a seal of 45 mm covers 0.03 of A4."""
_HEADLINE_WIDE, _HEADLINE_HIGH = 0.3, 12.0
"""Share of the page and points from which on a smaller one may be a title that was drawn."""
_MAX_FIGURES = 20
"""Pictures of one page that are looked at as figures."""
_MAX_BYTES = 64 << 20


class SheetPicture(NamedTuple):
    """A picture on a page."""

    box: Box
    """As far as it lies on the page."""
    sha256: str
    """Of its bytes in the file."""


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """What PDFium knows about one page, free of PDFium objects."""

    number: int
    width: float
    height: float
    glyphs: tuple[Glyph, ...]
    rules: tuple[RulingLine, ...]
    picture: float
    """Share of the page that its largest picture covers."""
    repaired: int
    """Radicals replaced by the characters they stand for."""
    watermark: str = ""
    """Words printed aslant over the page."""
    broken: bool = False
    links: tuple[Box, ...] = ()
    """Places that open an address when they are clicked."""
    gutter: float = 0.0
    """Where two pages on it meet, points from the left; 0 for a sheet that is one page."""
    image: float = 0.0
    """Share of the page under its largest picture alone, without what may be hidden in drawings."""
    lost: int = 0
    """Pieces of text that it draws when its fonts explain next to none of their characters, else 0."""
    stated: bool = False
    """Its words are those that the file states behind glyphs that show nothing."""
    pictures: tuple[SheetPicture, ...] = ()
    """Its pictures that may be figures."""


class PageDrawing(NamedTuple):
    """What a page draws."""

    rules: tuple[RulingLine, ...]
    image: float
    """Share of the page under its largest picture."""
    hidden: float
    """``_HIDDEN_DRAWING`` when something hides in a form or the page is full of curves, either of which may be text that
    no text layer holds, else 0."""
    pictures: tuple[SheetPicture, ...]
    """Those that are large enough to be figures."""


def matrix_of(page: pypdfium2.PdfPage, width: float, height: float) -> tuple[float, ...]:
    """Page space → shown page (rotation and crop applied), points from the top left: x' = ax + cy + e, y' = bx + dy + f."""
    w, h = round(width * _FINE), round(height * _FINE)
    x, y = ctypes.c_int(), ctypes.c_int()

    def device(px: float, py: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(page, 0, 0, w, h, 0, px, py, ctypes.byref(x), ctypes.byref(y))
        return x.value / _FINE, y.value / _FINE

    e, f = device(0, 0)
    ax, bx = device(1000, 0)
    cx, dx = device(0, 1000)
    return (ax - e) / 1000, (bx - f) / 1000, (cx - e) / 1000, (dx - f) / 1000, e, f


def shown(matrix: tuple[float, ...], left: float, bottom: float, right: float, top: float) -> Box:
    """Return a box of page space as it lies on the shown page."""
    a, b, c, d, e, f = matrix
    x0, y0 = a * left + c * bottom + e, b * left + d * bottom + f
    x1, y1 = a * right + c * top + e, b * right + d * top + f
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def objects(page: pypdfium2.PdfPage, matrix: tuple[float, ...], width: float, height: float) -> PageDrawing:
    """Return what a page draws beside its characters."""
    rules: list[RulingLine] = []
    pictures: list[SheetPicture] = []
    area = width * height
    image, drawn, curves = 0.0, 0.0, 0
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _MAX_PATHS)):
        item = pdfium.FPDFPage_GetObject(page, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            curves += 1
            rules += _path_rules(item, matrix)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE and area:
            box = _bounds(item, matrix)
            image = max(image, box.width * box.height / area)
            box = Box(max(0.0, box.left), max(0.0, box.top), min(width, box.right), min(height, box.bottom))
            line = box.width >= _HEADLINE_WIDE * width and box.height >= _HEADLINE_HIGH and box.top < height / 4
            least = 0.0 if line else FIGURE_SHARE
            if least <= box.width * box.height / area < WHOLE_PAGE and len(pictures) < _MAX_FIGURES:
                pictures.append(SheetPicture(box, _digest(item)))
        elif kind in (pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_SHADING):
            drawn = _HIDDEN_DRAWING
    return PageDrawing(tuple(rules), image, _HIDDEN_DRAWING if curves >= _MANY_CURVES else drawn, tuple(pictures))


def _digest(item: Any) -> str:
    """Return the hash of a picture's bytes as they lie in the file; empty when it holds too many."""
    size = pdfium.FPDFImageObj_GetImageDataRaw(item, None, 0)
    if size > _MAX_BYTES:
        return ""
    held = ctypes.create_string_buffer(size)
    pdfium.FPDFImageObj_GetImageDataRaw(item, held, size)
    return hashlib.sha256(held.raw).hexdigest()


def links(page: pypdfium2.PdfPage, matrix: tuple[float, ...]) -> Iterator[Box]:
    """Yield the places that open an address when they are clicked."""
    place, link, rect = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(_MAX_LINKS):
        if not pdfium.FPDFLink_Enumerate(page, ctypes.byref(place), ctypes.byref(link)):
            return
        action = pdfium.FPDFLink_GetAction(link)
        if pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
            continue  # an entry of a table of contents leads to a place in the file
        if pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(rect)):
            yield shown(matrix, rect.left, rect.bottom, rect.right, rect.top)


def _bounds(item: Any, matrix: tuple[float, ...]) -> Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(item, left, bottom, right, top):
        return Box(0, 0, 0, 0)
    return shown(matrix, left.value, bottom.value, right.value, top.value)


def _path_rules(item: Any, matrix: tuple[float, ...]) -> list[RulingLine]:
    """Thin filled boxes (Word) and straight segments (everything else) of a path."""
    box = _bounds(item, matrix)
    if min(box.width, box.height) <= ruled_tables.THIN:
        return ruled_tables.rule_of(box)
    count = pdfium.FPDFPath_CountSegments(item)
    if not 2 <= count <= 2000:
        return []
    own = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, own)
    found: list[RulingLine] = []
    start = last = None
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(item, index)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        px, py = own.a * x.value + own.c * y.value + own.e, own.b * x.value + own.d * y.value + own.f
        point = shown(matrix, px, py, px, py)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO or last is None:
            start = point
        else:
            found += ruled_tables.rule_between(last, point)
        if start is not None and pdfium.FPDFPathSegment_GetClose(segment):
            found += ruled_tables.rule_between(point, start)
        last = point
    return found
