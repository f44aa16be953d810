"""Pictures, tables and formulas of a text (图表): where each stands, what it is called, which bytes of the file it is."""

import enum
from collections.abc import Iterator
from dataclasses import dataclass

from nemo.types.places import Span
from nemo.types.tables import TablePiece


class FigureKind(enum.StrEnum):
    """What a figure is."""

    PICTURE = "图"
    TABLE = "表"
    FORMULA = "公式"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the file, as its reader met it (图片)."""

    span: Span
    """The words recognised in it; empty, where it stands, when there are none."""
    source: str
    """Its name in a container, ``data:3`` for the third picture written into a web page, empty for one on a page."""
    sha256: str
    """Of its bytes in the file, before anything decoded them."""
    page: int | None = None
    """Sheet from 1, None for formats without pages."""
    box: tuple[float, ...] = ()
    """Left, top, right and bottom as shares (0–1) of its page; empty without one."""
    confidence: float | None = None
    """Mean OCR confidence of the words; None when none were recognised."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One picture, table or formula of a text."""

    number: int
    """From 1, in the order of the text; with the text's id its address."""
    kind: FigureKind
    span: Span
    """Words of a picture, rows of a table, a formula; empty for a picture without words."""
    name: str = ""
    """How the text calls it, without blanks: 图1, 附表2, 式（3）; empty when it is not numbered."""
    caption: Span | None = None
    notes: Span | None = None
    """Of a formula the list of its variables (式中…), of a table the lines below it."""
    pages: tuple[int, ...] = ()
    unread: bool = False
    """Some of it could not be read: it may be looked at, never quoted."""
    picture: Picture | None = None


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure beside a quote, with slices of the text that make it readable (引文所附图表)."""

    figure: Figure
    path: str
    """Of the article it stands in, or of the entry of an outline."""
    label: str = ""
    """Of the same."""
    caption: TablePiece | None = None
    text: TablePiece | None = None
    """Words recognised in a picture, or a formula; None for a table, which is read from the text."""
    notes: TablePiece | None = None

    def pieces(self) -> Iterator[TablePiece]:
        """Yield every slice it is made of."""
        yield from (piece for piece in (self.caption, self.text, self.notes) if piece is not None)
