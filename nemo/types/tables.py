"""Tables in a text (表格): every piece is a place in the text, nothing is copied or filled in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nemo.types.places import Span


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row (表行)."""

    span: Span
    """The whole line."""
    cells: tuple[Span, ...]
    """Its cells without surrounding blanks; an empty cell is an empty span where it stands."""
    above: tuple[Span, ...] = ()
    """What the row stands under, outermost first: group rows and cells merged over several rows (合并单元格)."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table, over as many pages as it runs (表格)."""

    caption: Span | None
    """Its title line, or the end of the sentence that leads in to it (见下表：)."""
    unit: Span | None
    """Where the unit of all values stands (单位：元/千瓦时)."""
    header: tuple[TableRow, ...]
    """Header rows, one for each level; empty when the first row is a row of values already."""
    rows: tuple[TableRow, ...]
    notes: tuple[Span, ...] = ()
    """Lines below it that begin with 注, 备注, 说明 and the like."""
    apart: bool = False
    """Its rows go on behind a table in one of its cells: the header stands above that."""

    @property
    def head(self) -> Span | None:
        """All header rows as one slice; None when there is none."""
        return Span(self.header[0].span.start, self.header[-1].span.end) if self.header else None

    @property
    def span(self) -> Span:
        """From the first header row to the last row, without caption and notes."""
        head = None if self.apart else self.head
        return Span(head.start if head else self.rows[0].span.start, self.rows[-1].span.end)


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A slice of the text that is shown beside a quoted row."""

    span: Span
    text: str

    @classmethod
    def of(cls, span: Span | None, text: str) -> TablePiece | None:
        """Cut ``span`` out of ``text``; None for None."""
        return None if span is None else cls(span, span.of(text))


@dataclass(frozen=True, slots=True)
class QuotedRow:
    """What makes a quoted table row readable; every piece is a slice of the same text (表行引文)."""

    row: TablePiece
    cells: tuple[TablePiece, ...]
    caption: TablePiece | None = None
    unit: TablePiece | None = None
    header: TablePiece | None = None
    """All header rows as one slice."""
    columns: tuple[tuple[TablePiece, ...], ...] = ()
    """For each header row its cells."""
    above: tuple[TablePiece, ...] = ()
    """Labels the row stands under, outermost first."""

    def pieces(self) -> Iterator[TablePiece]:
        """Yield every slice it is made of."""
        yield from (piece for piece in (self.caption, self.unit, self.header) if piece is not None)
        for cells in (*self.columns, self.above, (self.row,), self.cells):
            yield from cells

    @classmethod
    def of(cls, table: Table, row: TableRow, text: str) -> QuotedRow:
        """Cut the row and what belongs beside it out of ``text``."""

        def cut(span: Span) -> TablePiece:
            return TablePiece(span, span.of(text))

        return cls(
            cut(row.span),
            tuple(cut(cell) for cell in row.cells),
            TablePiece.of(table.caption, text),
            TablePiece.of(table.unit, text),
            TablePiece.of(table.head, text),
            tuple(tuple(cut(cell) for cell in line.cells) for line in table.header),
            tuple(cut(span) for span in row.above),
        )
