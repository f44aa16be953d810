"""Pages whose words lie sideways or on their head are set upright before they are read (横排、倒置页). Called with PDFium's lock held.

PDFium orders and measures what it reads by the page's rotation, so a page is turned by that, and everything read from
it afterwards, its picture too, belongs to the upright page.
"""

import ctypes
import math
from collections import Counter

import pypdfium2
import pypdfium2.raw as pdfium

from nemo.parse.pdf import drawn

_FEWEST = 60
"""Characters of a page, below which its direction is not asked: a stamp or a running title set down the margin."""
_SAMPLE = 200
"""Characters of a page whose direction is looked at."""
_AGREED = 0.6
"""Share of them that must run one way for the page to be turned."""
_SLANTED = 0.1
"""Sine of twice the angle above which a character stands aslant: 3 degrees off the page's axes."""
_OFF = 0.5
"""Em between where a character stands and its line."""
_STEP = 4.0
"""Two characters that follow each other in a line stand no further apart than so many of their heights."""


def opened(document: pypdfium2.PdfDocument, number: int) -> tuple[pypdfium2.PdfPage, pypdfium2.PdfTextPage, bool]:
    """Return a page, from 1, as it is read upright, its characters, and whether it was turned for that.

    Raises:
        PdfiumError: the page is damaged.
    """
    page = document[number - 1]
    text = page.get_textpage()
    quarters = _quarters(page, text)
    if quarters:
        text.close()
        page.set_rotation((page.get_rotation() + 90 * quarters) % 360)
        text = page.get_textpage()
    return page, text, quarters > 0


def is_aslant(text: pdfium.FPDF_TEXTPAGE, index: int) -> bool:
    """Whether a character stands aslant on the page, as those of watermarks do; the slope of italics does not count."""
    angles = pdfium.FPDFText_GetCharAngle(text, index), _baseline(text, index)
    return all(abs(math.sin(2 * angle)) > _SLANTED for angle in angles)


def lies_across(text: pdfium.FPDF_TEXTPAGE, index: int, matrix: tuple[float, ...]) -> bool:
    """Whether the line of a character does not run to the right of the page that ``matrix`` shows."""
    a, b, c, d, *_ = matrix
    x, y = math.cos(angle := _baseline(text, index)), math.sin(angle)
    return _direction(a * x + c * y, b * x + d * y) != 0


def holds_forms(page: pypdfium2.PdfPage) -> bool:
    """Whether a page draws forms (ISO 32000-1 §8.10): pages set into a sheet, two or more on one, are such."""
    kinds = (
        pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, i))
        for i in range(pdfium.FPDFPage_CountObjects(page))
    )
    return any(kind == pdfium.FPDF_PAGEOBJ_FORM for kind in kinds)


def place_in_form(text: pdfium.FPDF_TEXTPAGE, index: int) -> tuple[float, float, float, float] | None:
    """Return left, bottom, right and top of a character of a form that PDFium places as if the form were the page; None
    for any other.

    It does so with characters that the file spells out (``ActualText``); their matrix is right. Only level lines are read.
    """
    matrix, x, y = pdfium.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    pdfium.FPDFText_GetCharOrigin(text, index, ctypes.byref(x), ctypes.byref(y))
    em = pdfium.FPDFText_GetFontSize(text, index) * matrix.a
    generated = pdfium.FPDFText_IsGenerated(text, index) == 1
    if generated or em <= 0 or matrix.b or matrix.c or abs(matrix.f - y.value) < _OFF * em:
        return None
    wide = em if pdfium.FPDFText_GetUnicode(text, index) > 0xFF else em / 2
    return matrix.e, matrix.f - 0.12 * em, matrix.e + wide, matrix.f + 0.88 * em


def _baseline(text: pdfium.FPDF_TEXTPAGE, index: int) -> float:
    """Return the angle in radians at which the line of a character runs; PDFium's own also counts the slope of italics."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    return math.atan2(matrix.b, matrix.a)


def _quarters(page: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage) -> int:
    """Return by how many quarters a page must be turned clockwise for most of its words to run to the right.

    Both the letters and the line they make must lie so: a font may hold letters that lie on their sides, and 竖排 runs
    down the page with its letters upright.
    """
    count = text.count_chars()
    if count < _FEWEST:
        return 0
    a, b, c, d, *_ = drawn.matrix_of(page, *page.get_size())
    votes: Counter[int] = Counter()
    for index in range(0, count - 1, max(1, count // _SAMPLE)):
        if (run := _run(text, index)) is not None:
            (x, y), (along, up) = run
            letter, line = _direction(a * x + c * y, b * x + d * y), _direction(a * along + c * up, b * along + d * up)
            votes[letter if letter == line else 0] += 1
    turn, agreed = votes.most_common(1)[0] if votes else (0, 0)
    return turn if agreed > _AGREED * sum(votes.values()) else 0


def _direction(right: float, down: float) -> int:
    """Quarters clockwise that bring a direction on the shown page to the right."""
    if abs(right) >= abs(down):
        return 0 if right > 0 else 2
    return 3 if down > 0 else 1


def _run(text: pypdfium2.PdfTextPage, index: int) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return how a character lies and where the next one stands from it, in page space; None when it has none in its line."""
    boxes = (pdfium.FS_RECTF(), pdfium.FS_RECTF())
    for at, box in enumerate(boxes, index):
        if chr(pdfium.FPDFText_GetUnicode(text.raw, at)).isspace():
            return None
        pdfium.FPDFText_GetLooseCharBox(text.raw, at, ctypes.byref(box))
    angle = _baseline(text.raw, index)
    (x, y), (to_x, to_y) = (((box.left + box.right) / 2, (box.bottom + box.top) / 2) for box in boxes)
    size = max(abs(boxes[0].right - boxes[0].left), abs(boxes[0].top - boxes[0].bottom))
    near = 0 < math.hypot(to_x - x, to_y - y) <= _STEP * size
    return ((math.cos(angle), math.sin(angle)), (to_x - x, to_y - y)) if near else None
