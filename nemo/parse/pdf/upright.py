"""How a page lies (页面方向): page space → the page as it is shown, and by how much it must be turned to be read.

Calls PDFium: only from ``nemo.parse.pdf.reader``, behind its lock.
"""

from __future__ import annotations

import ctypes
import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from nemo.parse.lines import Box, Glyph

FEW = 60
"""Characters a page, below which nothing is told from them."""
_FINE = 100
"""``PageToDevice`` answers in whole pixels; this many per point keeps 0.01 pt."""
_SLANTED = 0.1
"""Sine of twice the angle above which a character stands aslant: 3 degrees off the page's axes."""
_ANGLES = 200
"""Characters of a page whose direction is looked at."""
_TURNED = 0.6
"""Share of them that must run one way for the page to be turned."""


def turn_of(text: pypdfium2.PdfTextPage, matrix: tuple[float, ...], placed: Sequence[Glyph]) -> int:
    """Return by how many quarters a page must be turned counter-clockwise for most of its lines to run to the right.

    A table drawn sideways, or a page that was turned by hand, is read as if it stood upright; both the letters and the
    lines that they make must lie so, for a font may hold letters that lie on their sides.
    """
    count = text.count_chars()
    a, b, c, d, _, _ = matrix
    votes: Counter[int] = Counter()
    for index in range(0, count, max(1, count // _ANGLES)):
        if chr(pdfium.FPDFText_GetUnicode(text.raw, index)).isspace():
            continue
        angle = baseline(text.raw, index)
        x, y = math.cos(angle), math.sin(angle)
        right, down = a * x + c * y, b * x + d * y
        votes[(0 if right > 0 else 2) if abs(right) >= abs(down) else (1 if down > 0 else 3)] += 1
    turn, agreed = votes.most_common(1)[0] if votes else (0, 0)
    if not turn or count < FEW or agreed <= _TURNED * sum(votes.values()):
        return 0
    steps = [(b.box.left - a.box.left, b.box.top - a.box.top) for a, b in pairwise(placed) if not a.char.isspace()]
    upended = sum(abs(down) > abs(right) for right, down in steps) * 2 > len(steps)
    return turn if upended == (turn != 2) else 0


def runs_back(placed: Sequence[Glyph]) -> bool:
    """Whether PDFium gives the characters of a page on its head from the last to the first."""
    steps = [b.box.left - a.box.left for a, b in pairwise(g for g in placed if not g.char.isspace())]
    return sum(step < 0 for step in steps) * 2 > len(steps)


def matrix_of(page: pypdfium2.PdfPage, width: float, height: float) -> tuple[float, ...]:
    """Page space → shown page (rotation and crop applied), points from the top left: x' = ax + cy + e, y' = bx + dy + f."""
    w, h = round(width * _FINE), round(height * _FINE)
    x, y = ctypes.c_int(), ctypes.c_int()

    def at(px: float, py: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(page, 0, 0, w, h, 0, px, py, ctypes.byref(x), ctypes.byref(y))
        return x.value / _FINE, y.value / _FINE

    e, f = at(0, 0)
    ax, bx = at(1000, 0)
    cx, dx = at(0, 1000)
    return (ax - e) / 1000, (bx - f) / 1000, (cx - e) / 1000, (dx - f) / 1000, e, f


def shown(matrix: tuple[float, ...], left: float, bottom: float, right: float, top: float) -> Box:
    """Return a box of page space on the page as shown, in points from its top left corner."""
    a, b, c, d, e, f = matrix
    x0, y0 = a * left + c * bottom + e, b * left + d * bottom + f
    x1, y1 = a * right + c * top + e, b * right + d * top + f
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def aslant(angle: float) -> bool:
    """Tell whether an angle in radians lies off the page's axes."""
    return abs(math.sin(2 * angle)) > _SLANTED


def baseline(text: pdfium.FPDF_TEXTPAGE, index: int) -> float:
    """Return the angle in radians at which the line of a character runs; PDFium's own also counts the slope of italics."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    return math.atan2(matrix.b, matrix.a)
