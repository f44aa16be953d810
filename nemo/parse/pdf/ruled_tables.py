"""Ruled tables (有线表格): lines drawn on a page → rows as citable text ``a | b``.

A grid is built from the horizontal and vertical rules that touch each other; cells whose common border is missing are
one (合并单元格). Every character of the table must come out in its rows, else the table is left as plain lines.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nemo.parse import lines
from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.pdf import aligned_tables, glyphs

THIN = 2.5
"""A box at most this many points thick is a ruling line."""
_SHORT = 8.0
"""Rules shorter than this (points) are underlines of a character or parts of a picture."""
_NEAR = 3.0
"""Rules within this many points of each other are the same one, or touch."""
_OPEN = 3
"""So many upright rules that end at one height are the sides of cells."""
_MAX_RULES = 4000
_BESIDE = 1.5
"""Heights of a boxed line within which a character beside it is one of the same sentence."""
_TIGHT = 0.35
"""Height of a line below which a gap between two characters is none that cells leave."""
_FRAME_CHARS = 200
_FRAME_REACH = 0.6
"""A cell of this many characters that spans the table is text inside a frame."""


class RulingLine(NamedTuple):
    """A horizontal or vertical line: position across, start and end along."""

    horizontal: bool
    at: float
    start: float
    end: float


class RuledGrid(NamedTuple):
    """One table: rule positions and the rules themselves."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rules: tuple[RulingLine, ...]

    @property
    def box(self) -> Box:
        """Outer border."""
        return Box(self.xs[0], self.ys[0], self.xs[-1], self.ys[-1])


def rule_of(box: Box) -> list[RulingLine]:
    """Return the rule that a thin box draws; none when it is too short."""
    if box.width >= box.height:
        return [RulingLine(True, box.down, box.left, box.right)] if box.width >= _SHORT else []
    return [RulingLine(False, box.across, box.top, box.bottom)] if box.height >= _SHORT else []


def within(rules: Iterable[RulingLine], width: float, height: float) -> tuple[RulingLine, ...]:
    """Return the parts of rules that lie on a page; a browser prints the rules of a whole site on every sheet of it."""
    found = []
    for rule in rules:
        across, along = (height, width) if rule.horizontal else (width, height)
        start, end = max(rule.start, 0.0), min(rule.end, along)
        if 0 <= rule.at <= across and end - start >= _SHORT:
            found.append(rule._replace(start=start, end=end))
    return tuple(found)


def rule_between(a: Box, b: Box) -> list[RulingLine]:
    """Return the rule between two points, none when it is slanted or short."""
    box = Box.around((a, b))
    return rule_of(box) if min(box.width, box.height) <= 0.8 else []


def with_tables(found: Sequence[Glyph], rules: Sequence[RulingLine], page: int) -> list[PrintedLine]:
    """Return a page's lines with the rows of every table in its place."""
    grids = grids_of(rules[:_MAX_RULES])
    rest = list(found)
    tables: list[list[PrintedLine]] = []
    for grid in grids:
        inside = [g for g in rest if grid.box.covers(g.box)]
        table = _table_rows(grid, inside, page)
        frame = not any(map(_has_cells, table)) or any(_is_frame(row, grid) for row in table)
        if not frame and not _is_marked(grid, table, rest):
            taken = set(map(id, inside))
            rest = [g if id(g) not in taken else Glyph("\n", g.box) for g in rest]
            tables.append(table)
    return _woven(aligned_tables.with_tables(glyphs.lines_of(rest, page)), tables)


def _has_cells(row: PrintedLine) -> bool:
    """Whether a row has words in two cells; where none has, boxes are drawn around the lines or paragraphs of a text."""
    return sum(map(bool, map(str.strip, row.text.split("|")))) > 1


def _is_frame(row: PrintedLine, grid: RuledGrid) -> bool:
    """Whether a row holds the running text of a page: a web page lays itself out in boxes, which are no table."""
    longest = max(row.text.split(" | "), key=len)
    if len(longest) < _FRAME_CHARS:
        return False
    at = row.text.index(longest)
    words = Box.around(filter(None, row.boxes[at : at + len(longest)]))
    return words.width >= _FRAME_REACH * grid.box.width


def _is_marked(grid: RuledGrid, table: Sequence[PrintedLine], found: Iterable[Glyph]) -> bool:
    """Whether one row is a line of a text: words of a sentence with a box drawn around them (修订处加框).

    Words go on beside the box, or through its sides without the room that a cell leaves.
    """
    box, near = grid.box, _BESIDE * grid.box.height
    if len(table) > 1:
        return False
    line = [each.box for each in found if box.top <= each.box.down <= box.bottom and not each.char.isspace()]
    if any(box.left - near <= b.right <= box.left or box.right <= b.left <= box.right + near for b in line):
        return True
    return all(_runs_through(at, line) for at in grid.xs[1:-1])


def _runs_through(at: float, line: Sequence[Box]) -> bool:
    """Whether the characters on both sides of an upright rule stand as near as those of one word."""
    left, right = [b for b in line if b.across < at], [b for b in line if b.across >= at]
    if not left or not right:
        return False
    last, first = max(left, key=lambda b: b.right), min(right, key=lambda b: b.left)
    return first.left - last.right < _TIGHT * last.height


def grids_of(rules: Sequence[RulingLine]) -> list[RuledGrid]:
    """Return the tables that rules draw, top to bottom; a single box or a lone line is none."""
    groups = _touching(_merged(rules))
    grids = []
    for group in groups:
        xs = _positions(r.at for r in group if not r.horizontal)
        ys = _positions([*(r.at for r in group if r.horizontal), *_open_ends(group)])
        if len(xs) >= 2 and len(ys) >= 2 and len(xs) + len(ys) >= 5 and len(xs) >= 3:
            grids.append(RuledGrid(xs, ys, tuple(group)))
    return sorted(grids, key=lambda grid: grid.ys[0])


def _open_ends(group: Sequence[RulingLine]) -> list[float]:
    """Return where upright rules end together beyond the last flat one: a page break cut the border of the row (跨页表格)."""
    flat = [rule.at for rule in group if rule.horizontal]
    uprights = [rule for rule in group if not rule.horizontal]
    ends = [rule.start for rule in uprights if rule.start < min(flat, default=0.0) - _SHORT]
    ends += [rule.end for rule in uprights if rule.end > max(flat, default=rule.end) + _SHORT]
    return [at for at in ends if sum(abs(at - other) <= _NEAR for other in ends) >= _OPEN]


def _merged(rules: Sequence[RulingLine]) -> list[RulingLine]:
    """Join collinear pieces (a border drawn cell by cell) into whole rules."""
    merged: list[RulingLine] = []
    for rule in sorted(rules, key=lambda r: (r.horizontal, round(r.at), r.start)):
        last = merged[-1] if merged else None
        if (
            last
            and last.horizontal == rule.horizontal
            and abs(last.at - rule.at) < 1.2
            and rule.start <= last.end + _NEAR
        ):
            merged[-1] = last._replace(end=max(last.end, rule.end))
        else:
            merged.append(rule)
    return [r for r in merged if r.end - r.start >= _SHORT]


def _touching(rules: list[RulingLine]) -> list[list[RulingLine]]:
    """Group rules that cross or touch, by union-find over horizontal × vertical pairs."""
    parent = list(range(len(rules)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    flat = [i for i, r in enumerate(rules) if r.horizontal]
    upright = [i for i, r in enumerate(rules) if not r.horizontal]
    for i in flat:
        for j in upright:
            if _cross(rules[i], rules[j]):
                parent[root(i)] = root(j)
    groups: dict[int, list[RulingLine]] = {}
    for i, rule in enumerate(rules):
        groups.setdefault(root(i), []).append(rule)
    return [g for g in groups.values() if len(g) >= 4]


def _cross(flat: RulingLine, upright: RulingLine) -> bool:
    return (
        flat.start - _NEAR <= upright.at <= flat.end + _NEAR and upright.start - _NEAR <= flat.at <= upright.end + _NEAR
    )


def _positions(values: Iterable[float]) -> tuple[float, ...]:
    merged: list[float] = []
    for value in sorted(values):
        if not merged or value - merged[-1] > _NEAR:
            merged.append(value)
    return tuple(merged)


def _table_rows(grid: RuledGrid, inside: Sequence[Glyph], page: int) -> list[PrintedLine]:
    """Rows of one table; empty when a character would be lost. A cell that reaches right or down leaves its places empty."""
    owner = _cells(grid)
    cells: dict[tuple[int, int], list[Glyph]] = {}
    for glyph in inside:
        row, column = _slot(grid.ys, glyph.box.down), _slot(grid.xs, glyph.box.across)
        cells.setdefault(owner[row, column], []).append(glyph)
    rows: list[PrintedLine] = []
    for row in range(len(grid.ys) - 1):
        own = [owner[row, column] for column in range(len(grid.xs) - 1)]
        own = own[:1] if len(set(own)) == 1 else own
        shown = [cell[0] == row and cell not in own[:column] for column, cell in enumerate(own)]
        texts = [_cell_text(cells.get(cell, []) if here else [], page) for cell, here in zip(own, shown, strict=True)]
        if any(text for text, _ in texts):
            rows.append(_row_line(texts, grid, row, page))
    kept = sum(1 for line in rows for c, b in zip(line.text, line.boxes, strict=True) if b and not c.isspace())
    return rows if kept == sum(1 for g in inside if not g.char.isspace()) else []


def _slot(positions: Sequence[float], value: float) -> int:
    for index, right in enumerate(positions[1:]):
        if value <= right:
            return index
    return len(positions) - 2


def _cells(grid: RuledGrid) -> dict[tuple[int, int], tuple[int, int]]:
    """Map each grid square to the top left square of its cell; squares without a border between them are one cell."""
    owner: dict[tuple[int, int], tuple[int, int]] = {}
    for row in range(len(grid.ys) - 1):
        for column in range(len(grid.xs) - 1):
            middle_x = (grid.xs[column] + grid.xs[column + 1]) / 2
            middle_y = (grid.ys[row] + grid.ys[row + 1]) / 2
            if column and not _bordered(grid, False, grid.xs[column], middle_y):
                owner[row, column] = owner[row, column - 1]
            elif row and not _bordered(grid, True, grid.ys[row], middle_x):
                owner[row, column] = owner[row - 1, column]
            else:
                owner[row, column] = (row, column)
    return owner


def _bordered(grid: RuledGrid, horizontal: bool, at: float, along: float) -> bool:
    return any(r.horizontal == horizontal and abs(r.at - at) <= _NEAR and r.start <= along <= r.end for r in grid.rules)


def _cell_text(cell: Sequence[Glyph], page: int) -> tuple[str, tuple[Box | None, ...]]:
    """Lines of a cell joined as one, with a blank behind those that end before its widest: each says a thing of its own."""
    text = ""
    boxes: list[Box | None] = []
    found = glyphs.lines_of(_with_breaks(cell), page)
    reach = [(line.right or 0.0) - (line.left or 0.0) for line in found]
    short = [max(reach) - own > lines.SHORT_GEOMETRY * line.size for own, line in zip(reach, found, strict=True)]
    for line, parted in zip(found, [False, *short], strict=False):
        gap = (" " if parted else lines.joint(text, line.text)) if text else ""
        text += gap + line.text
        boxes += [None] * len(gap) + list(line.boxes)
    return text, tuple(boxes)


def _with_breaks(cell: Sequence[Glyph]) -> list[Glyph]:
    """Put a break where the reader's order moved to another printed line."""
    out: list[Glyph] = []
    for glyph in cell:
        if out and glyph.box.top > out[-1].box.bottom - 1 and not glyph.char.isspace():
            out.append(Glyph("\n", glyph.box))
        out.append(glyph)
    return out


def _row_line(texts: Sequence[tuple[str, tuple[Box | None, ...]]], grid: RuledGrid, row: int, page: int) -> PrintedLine:
    boxes: list[Box | None] = []
    for index, (_, own) in enumerate(texts):
        boxes += [None] * (3 if index else 0) + list(own)
    text = " | ".join(text for text, _ in texts)
    lead = len(text) - len(text.lstrip())
    text = text.strip()
    return PrintedLine(
        text,
        page,
        grid.xs[0],
        grid.xs[-1],
        grid.ys[row],
        grid.ys[row + 1],
        apart=True,
        boxes=tuple(boxes[lead : lead + len(text)]),
    )


def _over(line: PrintedLine, table: Sequence[PrintedLine]) -> bool:
    """Whether a line and a table share a column of the page."""
    lefts, rights = [r.left for r in table if r.left is not None], [r.right for r in table if r.right is not None]
    if not any(line.boxes) or not lefts or not rights:
        return True
    printed = Box.around(filter(None, line.boxes))  # its edges may be those of another column
    return printed.left < max(rights) and printed.right > min(lefts)


def _heads(line: PrintedLine, table: Sequence[PrintedLine]) -> bool:
    """Whether a line above a table stands in its column, none that runs over two of them."""
    middle = Box.around(filter(None, line.boxes)).across if any(line.boxes) else 0.0
    return any((row.left or 0.0) <= middle <= (row.right or 0.0) for row in table)


def _in_columns(plain: Sequence[PrintedLine]) -> bool:
    """Whether the lines of a page are read column by column: those of the second are measured as if in the first."""
    known = ((line.left, next((box.left for box in line.boxes if box), None)) for line in plain)
    return any(left is not None and first is not None and first - left > _SHORT for left, first in known)


def _woven(plain: list[PrintedLine], tables: Sequence[list[PrintedLine]]) -> list[PrintedLine]:
    """Put each table behind the nearest line above it in its own column; the order of the plain lines may jump (a footer
    written first).
    """
    behind: dict[int, list[PrintedLine]] = {}
    columns = _in_columns(plain)
    for table in sorted(tables, key=lambda table: table[0].left or 0.0) if columns else tables:
        top = table[0].top or 0.0
        higher = [(line.top, at) for at, line in enumerate(plain) if line.top is not None and line.top < top]
        above = [(y, at) for y, at in higher if _over(plain[at], table)] or higher
        at = max(above)[1] if above else -1
        if columns and above and not _heads(plain[at], table):
            below = (i for i in range(at + 1, len(plain)) if (plain[i].top or 0.0) >= top and _over(plain[i], table))
            at = next(below, at + 1) - 1
        behind.setdefault(at, []).extend(table)
    out = behind.get(-1, [])
    for at, line in enumerate(plain):
        out += [line, *behind.get(at, [])]
    return out
