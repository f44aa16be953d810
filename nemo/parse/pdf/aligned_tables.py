"""Tables without rules (无线表格): printed lines whose words stand in the same columns → rows as text ``a | b``.

Only what is surely a table is touched: three or more lines one below the other, cut by wide gaps into as many pieces,
whose pieces begin, end or have their middle at the same place, with figures in one of the columns.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from nemo.parse.lines import Box, PrintedLine

_GAP = 1.6
"""Em of empty paper between two columns."""
_SHIFT = 1.5
"""Em by which the places of a column may differ."""
_LEAST = 3
"""Rows of a table, the header among them."""
_MANY = 4
"""Columns that do not stand one below the other by chance: two rows without a gap in them are enough."""
_PITCH = 3.5
"""Em from the top of one row to the next at most."""
_FIGURE = re.compile(r"\d")
_LEADER = re.compile(r"[.…·]{4}")
"""Dots of a table of contents."""
_SENTENCE = re.compile(r"[。；]")


class _ColumnPiece(NamedTuple):
    """A stretch of one line between wide gaps: characters [start, end) and its place."""

    start: int
    end: int
    left: float
    right: float


def with_tables(found: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return the lines of a page, those of tables without rules as rows; where a column is empty the cell is."""
    pieces = [_pieces(line) for line in found]
    out = list(found)
    at = 0
    while at < len(out):
        rows: list[list[_ColumnPiece | None]] = [[*pieces[at]]]
        end = at + 1
        while end < len(out) and (row := _continued(out, pieces, end, rows)) is not None:
            rows.append(row)
            end += 1
        while None in rows[-1] and not _has_figures(out[end - 1], rows[-1]):
            rows.pop()  # what stands below a table in some of its columns (two who sign) is no row of it
            end -= 1
        full = sum(None not in row for row in rows)
        if len(rows) >= _LEAST and full >= (_LEAST if len(rows[0]) < _MANY else 2) and _is_table(out[at:end], rows):
            out[at:end] = [_row(line, own) for line, own in zip(out[at:end], rows, strict=True)]
        at = end
    return out


def _pieces(line: PrintedLine) -> list[_ColumnPiece]:
    """Return the stretches of a line; OCR has found them already."""
    if line.recognised and line.left is not None and line.right is not None:
        return _recognised(line, line.left, line.right)
    if len(line.boxes) != len(line.text) or not line.size:
        return []
    solid = [(i, b) for i, b in enumerate(line.boxes) if b is not None and not line.text[i].isspace()]
    out: list[_ColumnPiece] = []
    for index, box in solid:
        if out and box.left - out[-1].right <= _GAP * line.size:
            out[-1] = out[-1]._replace(end=index + 1, right=max(out[-1].right, box.right))
        else:
            out.append(_ColumnPiece(index, index + 1, box.left, box.right))
    return out


def _recognised(line: PrintedLine, left: float, right: float) -> list[_ColumnPiece]:
    """Return what OCR read as stretches of their own; their places are shares of the page, the line's are points."""
    read, at = line.recognised, 0
    scale = (right - left) / max(max(r.right for r in read) - read[0].left, 1e-9)
    out: list[_ColumnPiece] = []
    for part in read:
        start = line.text.find(part.text, at)
        if start < 0:
            return []
        at = start + len(part.text)
        out.append(_ColumnPiece(start, at, part.left * scale, part.right * scale))
    return out


def _continued(
    lines: Sequence[PrintedLine],
    pieces: Sequence[list[_ColumnPiece]],
    at: int,
    rows: Sequence[Sequence[_ColumnPiece | None]],
) -> list[_ColumnPiece | None] | None:
    """Return a line that stands below the one before in the same columns as a row, None where a column is empty; None for
    any other line.
    """
    size = max(lines[at].size, 1.0)
    top, before = lines[at].top, lines[at - 1].top
    if len(pieces[at]) < 2 or top is None or before is None or not 0 < top - before <= _PITCH * size:
        return None
    above = next([p for p in row if p] for row in reversed(rows) if None not in row)
    below = _cut(lines[at], pieces[at], above, size) if len(pieces[at]) < len(above) else pieces[at]
    row: list[_ColumnPiece | None] = []
    rest = list(below)
    for column in above:
        row.append(rest.pop(0) if rest and _same_column(column, rest[0], size) else None)
    return None if rest or row[0] is None or len(above) < 2 else row


def _cut(
    line: PrintedLine, pieces: Sequence[_ColumnPiece], above: Sequence[_ColumnPiece], size: float
) -> list[_ColumnPiece]:
    """Return the stretches of a line cut at the blanks behind which a column begins: what fills a column all but touches the next."""
    out: list[_ColumnPiece] = []
    for piece in pieces:
        for at in range(piece.start + 1, piece.end if line.boxes else 0):
            box, before = line.boxes[at], line.boxes[at - 2]
            begins = box and any(abs(box.left - column.left) <= size / 2 for column in above[1:])
            if begins and box and before and line.text[at - 1].isspace():
                out.append(piece._replace(end=at - 1, right=before.right))
                piece = piece._replace(start=at, left=box.left)
        out.append(piece)
    return out


def _has_figures(line: PrintedLine, row: Sequence[_ColumnPiece | None]) -> bool:
    """Whether every cell of a row behind its label holds figures."""
    return all(_FIGURE.search(line.text, p.start, p.end) for p in row[1:] if p)


def _same_column(a: _ColumnPiece, b: _ColumnPiece, size: float) -> bool:
    shifts = (a.left - b.left, a.right - b.right, (a.left + a.right - b.left - b.right) / 2)
    return min(map(abs, shifts)) <= _SHIFT * size


def _is_table(lines: Sequence[PrintedLine], pieces: Sequence[Sequence[_ColumnPiece | None]]) -> bool:
    """Whether aligned lines hold figures in a column and neither sentences nor the dots of a table of contents."""
    if any(_LEADER.search(line.text) or _SENTENCE.search(line.text) for line in lines):
        return False
    cells = [[line.text[p.start : p.end] if p else "" for p in own] for line, own in zip(lines, pieces, strict=True)]
    if all(len(cell.strip()) <= 1 for row in cells for cell in row):
        return False
    columns = list(zip(*cells[1:], strict=True))
    return any(sum(bool(_FIGURE.search(cell)) for cell in column) > 0.5 * len(column) for column in columns[1:])


def _row(line: PrintedLine, pieces: Sequence[_ColumnPiece | None]) -> PrintedLine:
    text = ""
    boxes: list[Box | None] = []
    for index, piece in enumerate(pieces):
        if index:
            text += " | "
            boxes += [None] * 3
        if piece is not None:
            text += line.text[piece.start : piece.end]
            boxes += line.boxes[piece.start : piece.end]
    return replace(line, text=text, boxes=tuple(boxes) if line.boxes else (), apart=True)
