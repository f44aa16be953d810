"""Figures on pages with a text layer (版面中的图): told from ornaments, read by OCR, put where they stand in the text."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nemo.parse import pictures
from nemo.parse.furniture import CleanedPages
from nemo.parse.lines import Box, PrintedLine
from nemo.parse.pdf.drawn import FIGURE_SHARE, DrawnPage, SheetPicture
from nemo.parse.pdf.places import listing
from nemo.parse.pictures import EmbeddedPicture, PictureReader
from nemo.text.letter.form import title_of
from nemo.types import Fault, Picture

_BESIDE_TEXT = 0.2
"""A picture over this share of a page with text may hold what a reader must know of."""
_REPEATED = 3
"""The same picture so often is an ornament: the head of every chapter, a letterhead."""
_STRIP_WIDE, _STRIP_HIGH = 0.5, 0.25
"""Shares of the page that the picture of a letterhead covers."""
_LAYERED = 10
"""Characters of the text layer that lie on a picture from which on its words are those."""


class FiguresOfPages:
    """The figures of one file."""

    def __init__(
        self, sheets: Sequence[DrawnPage], cleaned: CleanedPages, seconds: float, bitmap: Callable[[int], Any]
    ) -> None:
        """Choose the figures of pages that are no scans, read them, and put their words among the lines of ``cleaned``."""
        self._pages = cleaned.pages
        self._site = cleaned.site_title is not None
        self._titled = self._site or title_of("\n".join(line.text for line in cleaned.pages[0])) is not None
        self._reader = PictureReader(seconds)
        self._unread: set[int] = set()
        """Pages with a large picture of which nothing was read."""
        often = Counter(picture.sha256 for sheet in sheets for picture in sheet.pictures)
        for sheet in sheets:
            figures = [p for p in sheet.pictures if often[p.sha256] < _REPEATED and self._is_figure(sheet, p)]
            if figures and len(self._reader.met) < pictures.MOST:
                page = bitmap(sheet.number)
                for figure in sorted(figures, key=lambda each: each.box.top):
                    self._take(sheet, figure, page)
            elif sheet.image >= _BESIDE_TEXT and sheet.pictures:
                self._unread.add(sheet.number)

    def _is_figure(self, sheet: DrawnPage, picture: SheetPicture) -> bool:
        """Whether a picture is to be read: no ornament, and not the head of a paper (红头) or of a printed web page.

        The head is what nothing stands above on page 1, a wide strip or what the title of a web page lies on. Of a text without
        a title it is the title.
        """
        own, box = self._pages[sheet.number - 1], picture.box
        small = box.width * box.height < FIGURE_SHARE * sheet.width * sheet.height
        if sheet.number > 1 or any(line.bottom is not None and line.bottom <= box.top + line.size for line in own):
            return not small
        flat = box.height <= _STRIP_HIGH * sheet.height
        if flat and not self._titled:
            return True
        strip = flat and box.width >= _STRIP_WIDE * sheet.width
        return not (small or strip or self._site or any(_lies_on(line, box) for line in own))

    def _take(self, sheet: DrawnPage, figure: SheetPicture, page: Any) -> None:
        """Read one figure; its words become lines of the page below those that stand above it."""
        own, box = self._pages[sheet.number - 1], figure.box
        shares = (box.left / sheet.width, box.top / sheet.height, box.right / sheet.width, box.bottom / sheet.height)
        met = EmbeddedPicture("", figure.sha256, page=sheet.number, box=tuple(round(share, 4) for share in shares))
        at = _below(own, box)
        met.row = sum(map(len, self._pages[: sheet.number - 1])) + at
        layer = sum(len(line.text) for line in own if _lies_on(line, box))
        if layer >= _LAYERED or len(self._reader.met) >= pictures.MOST:
            self._reader.met.append(met)
            return
        self._reader.keep(cropped(page, shares), met)
        if met.words:
            own[at:at] = [PrintedLine(words, sheet.number, apart=True) for words in met.words]
        elif sheet.image >= _BESIDE_TEXT:
            self._unread.add(sheet.number)

    def placed(self, text: str) -> tuple[Picture, ...]:
        """Return the figures with their places in the text that was joined from the pages' lines."""
        return self._reader.placed(text, [line.text for page in self._pages for line in page])

    def faults(self, met: Sequence[Picture]) -> Iterator[Fault]:
        """Yield what a reader must know of them."""
        yield from pictures.faults(met)
        if self._unread:
            shown = listing(sorted(self._unread))
            yield Fault("pictures_dropped", f"第{shown}页除文字外有大幅图片，图片里的内容未读入，请核对原件。")


def _below(lines: Sequence[PrintedLine], box: Box) -> int:
    """Return how many lines are read before a picture: those up to the last that stands above it."""
    at = 0
    for index, line in enumerate(lines):
        if line.bottom is None or line.left is None or line.right is None:
            at += at == index  # words of the picture above this one
        elif line.bottom <= box.top + line.size and line.left < box.right and box.left < line.right:
            at = index + 1
    return at


def _lies_on(line: PrintedLine, box: Box) -> bool:
    if line.left is None or line.right is None or line.top is None or line.bottom is None:
        return False
    return box.covers(Box(line.left, line.top, line.right, line.bottom))


def cropped(page: Any, shares: Sequence[float]) -> Any:
    """Return the part of a page's image under a box given in shares of the page."""
    wide, high = page.size
    left, top, right, bottom = shares
    return page.crop((round(left * wide), round(top * high), max(1, round(right * wide)), max(1, round(bottom * high))))
