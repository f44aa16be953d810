"""Where a quote stands on a page (引文定位): match over printed lines, merge character boxes, draw them."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from nemo.errors import UnreadableDocumentError
from nemo.parse.lines import Box, PrintedLine, width
from nemo.types import Page, RecognisedLine

_BEFORE = 20_000
"""Characters before a quote that are compared to tell repeated ones apart."""
_FILL = (255, 196, 0, 80)
_EDGE = (214, 120, 0, 255)


@dataclass(frozen=True, slots=True)
class PageImage:
    """A rendered page."""

    png: bytes
    boxes: tuple[Box, ...]
    """Where the quote stands, in pixels; empty when it was not found on this page."""
    pages: int
    """Number of pages in the file."""
    estimated: bool = False
    """The boxes lie inside lines that OCR read, by the width of the characters: they show where to look, no more."""


def require_page(page: int, count: int) -> None:
    """Refuse a page, from 1, that a file of so many pages does not have.

    Raises:
        UnreadableDocumentError: it has none of this number.
    """
    if not 1 <= page <= count:
        raise UnreadableDocumentError(f"没有第 {page} 页，该文件共 {count} 页。", ("请选择已有的页码。",))


def listing(numbers: Sequence[int]) -> str:
    """Return numbers of pages as they are told: 1、2、5, the first twenty of many."""
    return "、".join(map(str, numbers[:20])) + "…" * (len(numbers) > 20)


class _Placed(NamedTuple):
    char: str
    page: int
    box: Box | None


def boxes_of(printed: Sequence[PrintedLine], page: int, quote: str, before: str | None) -> tuple[Box, ...]:
    """Return the boxes of a quote on one page, one per printed line; white space does not count.

    ``printed`` are lines of the page and its neighbours in reading order, furniture removed; ``before`` is the text
    before the quote, None when unknown, empty for the opening of the document.

    Returns:
        Empty when the quote does not occur, or occurs more than once and ``before`` does not decide.
    """
    placed: list[_Placed] = []
    for line in printed:
        if len(line.boxes) == len(line.text):
            pairs = zip(line.text, line.boxes, strict=True)
            placed += [_Placed(c, line.page, b) for c, b in pairs if not c.isspace()]
    words = _squash(quote)
    start = _find("".join(p.char for p in placed), words, None if before is None else _squash(before))
    return () if start is None else _merged(placed[start : start + len(words)], page)


def recognised_lines(page: Page, wide: float, high: float) -> list[PrintedLine]:
    """Return the lines that OCR read a page from, in the page's unit; each character has its share of the box."""
    on_its_head = [b.top < a.top for a, b in pairwise(page.recognised)]
    back = sum(on_its_head) * 2 > len(on_its_head)
    return [
        PrintedLine(each.text, page.number, boxes=tuple(_shared_out(each, wide, high, back=back)))
        for each in page.recognised
    ]


def turned(box: Box, turn: int, wide: float, high: float) -> Box:
    """Return where a box on a sheet (``wide``, ``high``) stands after ``turn`` quarters (0 to 3) counter-clockwise."""
    left, top, right, bottom = box
    for _ in range(turn):
        left, top, right, bottom = top, wide - right, bottom, wide - left
        wide, high = high, wide
    return Box(left, top, right, bottom)


def _shared_out(line: RecognisedLine, wide: float, high: float, *, back: bool) -> Iterator[Box]:
    """Give each character its share of a line's box, from the right on a page on its head; of a line that runs up or
    down the page the whole box.
    """
    total, at = max(0.5, width(line.text)), 0.0
    box = Box(line.left * wide, line.top * high, line.right * wide, line.bottom * high)
    upended = box.height > box.width and len(line.text) > 1
    for char in line.text:
        start, at = at, at + width(char) / total * box.width
        ends = (box.right - at, box.right - start) if back else (box.left + start, box.left + at)
        yield box if upended else Box(ends[0], box.top, ends[1], box.bottom)


def _squash(text: str) -> str:
    return "".join(c for c in text if not c.isspace())


def _find(text: str, quote: str, before: str | None) -> int | None:
    """Place of the one occurrence that is meant, None when there is none or it cannot be told."""
    if not quote or quote not in text:
        return None
    found = [i for i in range(len(text)) if text.startswith(quote, i)]
    if len(found) > 1 and before is not None:
        shared = [_shared_ending(text[:i], before) for i in found]
        found = [i for i, n in zip(found, shared, strict=True) if n == max(shared)]
    return found[0] if len(found) == 1 else None


def _shared_ending(text: str, before: str) -> int:
    """Number of characters that both end in; the text may begin later than ``before``, or the other way round."""
    pairs = zip(reversed(text[-_BEFORE:]), reversed(before[-_BEFORE:]), strict=False)
    length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return _BEFORE if length == len(before) == len(text) else length


def _merged(placed: Sequence[_Placed], page: int) -> tuple[Box, ...]:
    """Merge character boxes that stand on one line and touch."""
    merged: list[Box] = []
    for box in (p.box for p in placed if p.page == page and p.box is not None):
        if merged and _continues(merged[-1], box):
            merged[-1] = Box.around((merged[-1], box))
        else:
            merged.append(box)
    return tuple(merged)


def _continues(last: Box, box: Box) -> bool:
    height = max(1.0, box.height)
    level = last.shared_height(box) > 0.5 * min(height, last.height)
    return level and -0.5 * height <= max(box.left - last.right, last.left - box.right) <= 3 * height


def boxed_png(image: Any, boxes: Sequence[Box]) -> bytes:
    """Return a Pillow image as PNG with the boxes drawn over it, translucent."""
    from PIL import Image, ImageDraw

    if boxes:
        layer = Image.new("RGBA", image.size, (0, 0, 0, 0))
        pen = ImageDraw.Draw(layer)
        for box in boxes:
            pen.rectangle((box.left - 1, box.top - 1, box.right + 1, box.bottom + 1), _FILL, _EDGE)
        image = Image.alpha_composite(image.convert("RGBA"), layer).convert("RGB")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
