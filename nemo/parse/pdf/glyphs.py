"""Placed characters → printed lines (字形成行): pure geometry, no PDF library.

The reader's own order is kept while it runs down the page; a page whose order jumps (letterhead written last) is
sorted by position when it has one column, piece by piece where one pass draws what another left out. Spaces that the reader only guessed from a gap are dropped between Chinese
characters; spaces of the file are kept.
"""

import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from statistics import median

from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.pdf import columns, scripts

_FEW = 6
"""Fewer Chinese characters than this have no usual width."""
_KERNING = 0.9
"""A guessed space narrower than this many em between Chinese characters is only kerning."""
_AUTOSPACE = 0.6
"""The same between Chinese and Latin: Word sets a quarter em there, more in stretched lines."""
_NUMBERED = re.compile(r"(\d{1,4}) +(?=\S)")
_COUNTS = (re.compile(r"^(?P<n>\d{1,4})(?: |$)"), re.compile(r"(?:^|(?<= ))(?P<n>\d{1,4})$"))
"""A number at the left or right end of a row."""
_OUTSIDE = 0.5
"""Em between the text and the numbers that count its lines, at least."""
_LINES_NUMBERED, _MOSTLY = 8, 0.8
"""Rows of a page that are numbered, at least, and their share in those of more than one character."""
_NEAR = 1.5
"""Em from the edge of the text within which a line is full."""
_LOWER = 1.6
"""Heights that a character may stand below the one before it in a line."""
_FILLED = 0.25
"""Share of the rows of a page drawn in passes in which one fills the gaps of another, at least; formulas have few such rows."""
_LEAP = 10
"""Heights from one run down to the next, beyond which both are of different blocks."""
_WIDE_GAP = 1.2
_PARAGRAPH_GAP = 1.9
"""A line pitch this many times the usual one separates blocks."""


def wide(char: str) -> bool:
    """Whether a character takes a full square (汉字, full-width punctuation)."""
    return unicodedata.east_asian_width(char) in "WF" or char in "“”‘’…—"


def lines_of(glyphs: Iterable[Glyph], page: int) -> list[PrintedLine]:
    """Return the printed lines of one page in reading order; a line feed among the glyphs ends a run."""
    runs = [run for run in map(_trim, scripts.attached(_split(glyphs))) if run]
    bands = columns.bands(runs)
    if bands is None:
        return _with_gaps([_line(row, page) for row in _uncounted(_unnumbered(_rows(runs)))])
    found: list[PrintedLine] = []
    for above, band in zip([None, *bands], bands, strict=False):
        lines = _with_gaps([_moved(_line(row, page), band.shift) for row in _rows(band.runs)])
        parted = above is not None and above.across != band.across
        found += [replace(lines[0], blank_before=True), *lines[1:]] if parted else lines
    return found


def _moved(line: PrintedLine, by: float) -> PrintedLine:
    """Measure a line of the second column as if it stood in the first; its characters keep their places."""
    if not by or line.left is None or line.right is None:
        return line
    return replace(line, left=line.left - by, right=line.right - by)


def _split(glyphs: Iterable[Glyph]) -> list[list[Glyph]]:
    runs: list[list[Glyph]] = [[]]
    for glyph in glyphs:
        if glyph.char in "\r\n":
            if runs[-1]:
                runs.append([])
        else:
            if runs[-1] and _drops(runs[-1][-1], glyph):
                runs.append([])
            runs[-1].append(glyph)
    return runs


def _drops(last: Glyph, glyph: Glyph) -> bool:
    """Whether a character begins another printed line though the reader reported no break: lower and to the left, or
    lower than any character of a formula stands; in a file drawn upwards, higher and far to the left.
    """
    height = max(1.0, min(last.box.height, glyph.box.height))
    left, down = last.box.left - glyph.box.left, glyph.box.down - last.box.down
    lower = down > height * (1 if left > 0 else _LOWER)
    upper = -down > height and left > _FEW * height and not last.char.isspace()  # a guessed space has no size
    return (lower or upper) and not glyph.char.isspace()


def _trim(run: list[Glyph]) -> list[Glyph]:
    start, end = 0, len(run)
    while start < end and run[start].char.isspace():
        start += 1
    while end > start and run[end - 1].char.isspace():
        end -= 1
    return run[start:end]


def _middle(run: Sequence[Glyph]) -> float:
    return run[0].box.down


def _start(run: Sequence[Glyph]) -> float:
    return run[0].box.left


def _height(run: Sequence[Glyph]) -> float:
    return max(1.0, run[0].box.height)


def _beside(a: Sequence[Glyph], b: Sequence[Glyph]) -> bool:
    """Whether two runs stand on the same line of the page."""
    return a[0].box.shared_height(b[0].box) > 0.5 * min(_height(a), _height(b))


def _rows(runs: list[list[Glyph]]) -> list[list[Glyph]]:
    jumps = any(_middle(b) < _middle(a) - _height(a) for a, b in itertools.pairwise(runs))
    if jumps and _single_column(runs):
        runs = sorted(runs, key=_middle)
    elif jumps and (woven := _woven(runs)):
        return woven
    elif jumps:
        runs = _blocks_down(runs)
    return [_merge(row) for row in _level(runs)]


def _level(runs: Iterable[list[Glyph]]) -> list[list[list[Glyph]]]:
    """Return runs that follow each other by the line of the page that they stand on."""
    rows: list[list[list[Glyph]]] = []
    for run in runs:
        if rows and _beside(rows[-1][-1], run):
            rows[-1].append(run)
        else:
            rows.append([run])
    return rows


def _blocks_down(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Return the runs of a page with what was drawn first below all else, as a card or a foot, put there; blocks that stand beside each
    other keep their order.
    """
    blocks = [list(runs[:1])]
    for above, run in itertools.pairwise(runs):
        if not -_height(above) <= _middle(run) - _middle(above) <= _LEAP * _height(above):
            blocks.append([])
        blocks[-1].append(run)
    found: list[list[tuple[int, list[list[Glyph]]]]] = []
    lowest = float("-inf")
    for at, block in sorted(enumerate(blocks), key=lambda each: min(map(_middle, each[1]))):
        if min(map(_middle, block)) > lowest:
            found.append([])
        found[-1].append((at, block))
        lowest = max(lowest, *map(_middle, block))
    return [run for beside in found for _, block in sorted(beside, key=lambda each: each[0]) for run in block]


def _woven(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Return the rows of a page of sentences that was drawn in passes, the figures of a line in the gaps that the Chinese left for
    them; none for any other page.
    """
    pieces = [(piece, at) for at, run in enumerate(runs) for piece in _pieces(run)]
    drawn = {id(piece): at for piece, at in pieces}
    rows = [sorted(row, key=_start) for row in _level(sorted((piece for piece, _ in pieces), key=_middle))]
    passes = [[drawn[id(piece)] for piece in row] for row in rows]
    filled = sum(any(a == c != b for a, b, c in zip(row, row[1:], row[2:], strict=False)) for row in passes)
    whole = [_merge(row) for row in rows]
    parted = sum(_columns(row, _size(row)) > 0 for row in whole)
    return whole if filled >= _FILLED * len(whole) and parted <= len(whole) // 10 else []


def _pieces(run: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Yield the parts of a run between the gaps at which the reader guessed a space."""
    for gap, piece in itertools.groupby(run, lambda glyph: glyph.guessed):
        if not gap:
            yield list(piece)


def _unnumbered(rows: list[list[Glyph]]) -> list[list[Glyph]]:
    """Return the rows of a page without the numbers (行号) that a draft sets left of them, each one more than that above.

    They stand beside sentences that fill their lines; the numbers of a list or of a table's rows stand beside short ones,
    names, or ones with columns.
    """
    heads = [_NUMBERED.match("".join(g.char for g in row)) for row in rows]
    found = [(at, head) for at, head in enumerate(heads) if head]
    if len(found) < max(_LINES_NUMBERED, _MOSTLY * sum(len(row) > 1 for row in rows)):
        return rows
    counted = all(int(b[1]) - int(a[1]) == 1 for (_, a), (_, b) in itertools.pairwise(found))
    cut = {at: rows[at][head.end() :] for at, head in found}
    edge = max(row[-1].box.right for row in cut.values())
    full = [
        row
        for row in cut.values()
        if row[-1].box.right > edge - _NEAR * (size := _size(row)) and not _columns(row, size)
    ]
    said = sum(any(g.char in "，。；" for g in row) for row in full)
    beside = max(rows[at][head.end(1) - 1].box.right for at, head in found)
    aside = all(row[0].box.left > beside for row in cut.values())
    return [cut.get(at, row) for at, row in enumerate(rows)] if counted and aside and 4 * said >= len(cut) else rows


def _uncounted(rows: list[list[Glyph]]) -> list[list[Glyph]]:
    """Return the rows of a page without the numbers (行号) that a draft sets at every fifth or tenth of them outside its text, left or
    right: each is greater than the one before by the rows between both.
    """
    for side, pattern in enumerate(_COUNTS):
        heads = [pattern.search("".join(g.char for g in row)) for row in rows]
        cut = [
            row if m is None else _trim([*row[: m.start("n")], *row[m.end("n") :]])
            for row, m in zip(rows, heads, strict=True)
        ]
        edges = [(min(g.box.left for g in row), -max(g.box.right for g in row))[side] for row in cut if row]
        if not edges:
            continue
        outside = min(edges) - _OUTSIDE * median(map(_size, filter(None, cut)))
        marks = [
            (at, int(m["n"])) for at, (row, m) in enumerate(zip(rows, heads, strict=True))
            if m and (row[m.end("n") - 1].box.right, -row[m.start("n")].box.left)[side] < outside
        ]  # fmt: skip
        steps = [(b - a, n - m) for (a, m), (b, n) in itertools.pairwise(marks)]
        if all(rows_on == step > 1 for rows_on, step in steps) and (steps or any(n == at + 1 > 1 for at, n in marks)):
            counted = {at for at, _ in marks}
            kept = (own if at in counted else row for at, (row, own) in enumerate(zip(rows, cut, strict=True)))
            return [row for row in kept if row]
    return rows


def _single_column(runs: Sequence[Sequence[Glyph]]) -> bool:
    """At most a few runs stand beside another one."""
    ordered = sorted(runs, key=_middle)
    beside = sum(1 for a, b in itertools.pairwise(ordered) if _beside(a, b))
    return beside <= max(1, len(ordered) // 10)


def _merge(row: list[list[Glyph]]) -> list[Glyph]:
    """Put the runs of one printed line together, left to right, with a guessed space at gaps."""
    merged: list[Glyph] = []
    for run in sorted(row, key=_start):
        if merged:
            edge = merged[-1].box
            if run[0].box.left - edge.right > 0.25 * _height(run):
                merged.append(Glyph(" ", Box(edge.right, edge.top, run[0].box.left, edge.bottom), True))
        merged += run
    return merged


def _line(run: Sequence[Glyph], page: int) -> PrintedLine:
    size = _size(run)
    kept = [g for i, g in enumerate(run) if not (g.guessed and _kerning(run, i, size))]
    place = Box.around([g.box for g in run if not g.char.isspace()] or [g.box for g in run])
    text, boxes = "".join(g.char for g in kept), tuple(g.box for g in kept)
    return PrintedLine(text, page, size=size, apart=_columns(run, size) >= 2, boxes=boxes, **place._asdict())


def _size(run: Sequence[Glyph]) -> float:
    """Character size: the advance of Chinese characters is exact, the height of Latin ones an estimate.

    Of a few characters the widest counts: some fonts give narrow ones (日, 1) the box of their ink.
    """
    advances = [g.box.width for g in run if wide(g.char)]
    heights = [g.box.height for g in run if not g.char.isspace()]
    if 0 < len(advances) < _FEW:
        return float(max(advances))
    return float(median(advances or heights or [0.0]))


def _kerning(run: Sequence[Glyph], at: int, size: float) -> bool:
    """Whether a guessed space is no character: a small gap beside a Chinese one."""
    before, after = run[at - 1], run[at + 1]
    gap = (after.box.left - before.box.right) / max(size, 1.0)
    chinese = wide(before.char) + wide(after.char)
    return gap < (0.0, _AUTOSPACE, _KERNING)[chinese]


def _columns(run: Sequence[Glyph], size: float) -> int:
    """Number of wide gaps inside a line: two or more are a table row without rules, or spaced-out letters."""
    solid = [g for g in run if not g.char.isspace()]
    gaps = [b.box.left - a.box.right for a, b in itertools.pairwise(solid)]
    return sum(1 for gap in gaps if gap > _WIDE_GAP * max(size, 1.0))


def _with_gaps(found: list[PrintedLine]) -> list[PrintedLine]:
    """Mark lines that stand clearly apart from the line above."""
    pitches = [b.top - a.top for a, b in itertools.pairwise(found) if a.top is not None and b.top is not None]
    usual = median([p for p in pitches if p > 0] or [0.0])
    if not usual:
        return found
    marked = found[:1]
    for line, pitch in zip(found[1:], pitches, strict=True):
        marked.append(replace(line, blank_before=True) if pitch > _PARAGRAPH_GAP * usual else line)
    return marked
