"""Two columns of prose (两栏排版) are read one after the other, whatever order a file draws them in: pure geometry.

Strict on purpose: both columns must be filled, line by line, to an edge of their own. Cells of a table are not, and what
stands beside them must stay beside them.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from nemo.parse.lines import Glyph, ended

_GAP = 1.2
"""Em between two columns, at least."""
_FEWEST = 4
"""Lines of a column."""
_RUNNING = 3
"""Lines of a column that fill it and go on below: the cells of a table hold no such stretch."""
_NARROWEST = 10.0
"""Em that the lines of a column are wide."""
_FULL = 0.6
"""Share of a column's lines that end at its edge, or end a sentence."""
_NEAR = 1.5
_SAME = 0.6
"""Em within which the lines of a column begin or end alike."""
_HEAD_ABOVE = 2.5
"""Em from a running head down to the text, at least."""
_MOST_STRAYS = 2
"""Pieces that may end or begin nearer to the middle than a column does."""
_MOST_ACROSS = 0.25
"""Share of lines that may run over both columns: titles, and the first lines of a page."""


class ColumnBand(NamedTuple):
    """Runs that are read together, and how far they are moved to stand under the first column (points)."""

    runs: list[list[Glyph]]
    shift: float
    across: bool = False
    """It runs over both columns: a title, a number; what is above or below it in a column is no part of it."""


def bands(runs: Sequence[list[Glyph]]) -> list[ColumnBand] | None:
    """Return the runs of a page in the order they are read, None for a page without two columns of prose."""
    if len(runs) < _FEWEST:
        return None
    em = median(max(1.0, run[0].box.height) for run in runs)
    pieces = [piece for run in runs for piece in _pieces(run, em)]
    gutter = _gutter(pieces, em)
    if gutter is None:
        return None
    left = [p for p in pieces if p[-1].box.right <= gutter]
    right = [p for p in pieces if p[0].box.left >= gutter]
    across = sorted((p for p in pieces if p[0].box.left < gutter < p[-1].box.right), key=_level)
    head = _head(left, right, across, em)
    left, right = [p for p in left if p not in head], [p for p in right if p not in head]
    if len(across) > _MOST_ACROSS * len(pieces) or not (_is_prose(left, em) and _is_prose(right, em)):
        return None
    shift = min(p[0].box.left for p in right) - min(p[0].box.left for p in left)
    found = [ColumnBand(head, 0.0, across=True)] if head else []
    edges = [float("-inf"), *map(_level, across), float("inf")]
    for index, (above, below) in enumerate(pairwise(edges)):
        for column, by in ((left, 0.0), (right, shift)):
            inside = sorted((p for p in column if above <= _level(p) < below), key=_level)
            found += [ColumnBand(inside, by)] if inside else []
        found += [ColumnBand([across[index]], 0.0, across=True)] if index < len(across) else []
    return found


def _head(
    left: Sequence[list[Glyph]], right: Sequence[list[Glyph]], across: Sequence[list[Glyph]], em: float
) -> list[list[Glyph]]:
    """Return the running head (公报名 期号) whose halves stand level over both columns, far above all else; none without one."""
    if not (left and right):
        return []
    head = [min(left, key=_level), min(right, key=_level)]
    rest = [_level(p) for p in (*left, *right, *across) if p not in head]
    apart = min(rest, default=0.0) - max(map(_level, head)) > _HEAD_ABOVE * em
    return head if apart and abs(_level(head[0]) - _level(head[1])) < _SAME * em else []


def _level(run: Sequence[Glyph]) -> float:
    return run[0].box.down


def _pieces(run: list[Glyph], em: float) -> list[list[Glyph]]:
    """Cut a run at its wide gaps, blanks at the cuts left out."""
    solid = [glyph for glyph in run if not (glyph.guessed and glyph.char == " ")]
    found: list[list[Glyph]] = [[]]
    for glyph in solid:
        if found[-1] and glyph.box.left - found[-1][-1].box.right > _GAP * em:
            found.append([])
        found[-1].append(glyph)
    return [piece for piece in found if piece] if len(found) > 1 else [run]


def _gutter(pieces: Sequence[Sequence[Glyph]], em: float) -> float | None:
    """Return the middle of the widest gap between the right edges on one side and the left edges on the other; what is
    centred on the page, its number or a title, belongs to no side.
    """
    starts = sorted(p[0].box.left for p in pieces)
    middle = (starts[0] + max(p[-1].box.right for p in pieces)) / 2
    beside = [p for p in pieces if abs((p[0].box.left + p[-1].box.right) / 2 - middle) > _NEAR * em]
    left = sorted((p[-1].box.right for p in beside if p[-1].box.right <= middle + _NEAR * em), reverse=True)
    right = sorted(p[0].box.left for p in beside if p[0].box.left >= middle - _NEAR * em)
    if len(left) < _FEWEST or len(right) < _FEWEST:
        return None
    inner, outer = left[_strays(left, em)], right[_strays(right, em)]
    return (inner + outer) / 2 if outer - inner >= _GAP * em else None


def _strays(edges: Sequence[float], em: float) -> int:
    """Return how many of the first edges a column does not share: those of a running head that reaches over the gap."""
    shared = (i for i, edge in enumerate(edges) if sum(abs(other - edge) < _SAME * em for other in edges) >= _FEWEST)
    first = next(shared, 0)
    return first if first <= _MOST_STRAYS else 0


def _is_prose(column: Sequence[Sequence[Glyph]], em: float) -> bool:
    """Whether most lines of a column are long and either reach one edge or end a sentence."""
    if len(column) < _FEWEST:
        return False
    wide = median(p[-1].box.right - p[0].box.left for p in column)
    edge = max(p[-1].box.right for p in column)
    full = [edge - p[-1].box.right < _NEAR * em for p in column]
    done = [ended("".join(glyph.char for glyph in p).rstrip()) for p in column]
    running = sum(reaches and not over for reaches, over in zip(full, done, strict=True))
    share = sum(reaches or over for reaches, over in zip(full, done, strict=True)) / len(column)
    return wide >= _NARROWEST * em and running >= _RUNNING and share >= _FULL
