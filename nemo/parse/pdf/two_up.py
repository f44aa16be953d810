"""Two pages on one sheet (拼版打印): a sheet that was printed so is read half by half, each half as a page of its own.

Known by a sheet that is wider than high, a strip in its middle that nothing crosses, and on both sides of it what only
pages have: a stamp of the browser, a page number, or lines of prose that run on to an edge of their own.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.parse import furniture
from nemo.parse.furniture import CleanedPages
from nemo.parse.lines import Box, PrintedLine, ended, width
from nemo.parse.pdf import glyphs
from nemo.parse.pdf.drawn import DrawnPage
from nemo.parse.pdf.webprint import STAMP

_WIDER = 1.2
"""A sheet this many times wider than high may hold two pages."""
_STRIP = 8.0
"""Points of empty paper between two pages, at least."""
_AROUND = 0.06
"""Share of the width, on either side of the middle, in which the strip lies."""
_RUNNING, _LONG = 3, 12.0
"""So many lines of so many em that run on below show a page of prose."""


def marked(sheets: Sequence[DrawnPage]) -> list[DrawnPage]:
    """Return the sheets of a file, those that hold two pages with the place between them."""
    strips = {sheet.number: strip for sheet in sheets if (strip := _strip(sheet))}
    sure = {sheet.width for sheet in sheets if sheet.number in strips and _are_pages(sheet, strips[sheet.number])}
    return [replace(s, gutter=strips[s.number]) if s.number in strips and s.width in sure else s for s in sheets]


def _strip(sheet: DrawnPage) -> float:
    """Return the middle of the empty strip nearest to the middle of a sheet, 0 without one."""
    if sheet.width < _WIDER * sheet.height or not sheet.glyphs:
        return 0.0
    middle, reach = sheet.width / 2, _AROUND * sheet.width
    spans = [(g.box.left, g.box.right) for g in sheet.glyphs if not g.char.isspace()]
    spans += [(rule.start, rule.end) if rule.horizontal else (rule.at, rule.at) for rule in sheet.rules]
    near = sorted((a, b) for a, b in spans if b > middle - reach and a < middle + reach)
    edge, found = middle - reach, 0.0
    for left, right in (*near, (middle + reach, middle + reach)):
        at = (edge + left) / 2
        if left - edge >= _STRIP and (not found or abs(at - middle) < abs(found - middle)):
            found = at
        edge = max(edge, right)
    return found


def _are_pages(sheet: DrawnPage, gutter: float) -> bool:
    parts = [glyphs.lines_of(half.glyphs, sheet.number) for half in halves(replace(sheet, gutter=gutter))]
    edges = [[line.text for line in (*part[:2], *part[-2:])] for part in parts]
    stamped = all(any(STAMP.match(text) or furniture.page_number(text) for text in texts) for texts in edges)
    prose = [sum(width(line.text) >= _LONG and not ended(line.text) for line in part) for part in parts]
    return stamped or min(prose) >= _RUNNING


def halves(sheet: DrawnPage) -> list[DrawnPage]:
    """Return the sheet, or the left and the right page on it; their characters keep their places."""
    if not sheet.gutter:
        return [sheet]
    return [_half(sheet, 0.0, sheet.gutter), _half(sheet, sheet.gutter, sheet.width)]


def _half(sheet: DrawnPage, left: float, right: float) -> DrawnPage:
    inside = (g for g in sheet.glyphs if g.char in "\r\n" or left <= g.box.across < right)
    rules = (
        rule._replace(start=max(rule.start, left), end=min(rule.end, right)) if rule.horizontal else rule
        for rule in sheet.rules
        if (rule.start < right and rule.end > left if rule.horizontal else left <= rule.at < right)
    )
    return replace(sheet, glyphs=tuple(inside), rules=tuple(rules), gutter=0.0)


def cleaned(
    sheets: Sequence[DrawnPage],
    found: Sequence[list[PrintedLine]],
    clean: Callable[[list[list[PrintedLine]]], CleanedPages],
) -> CleanedPages:
    """Clean the pages of sheets, each half of a sheet as a page; the lines come back sheet by sheet.

    Lines of a right page are measured from the left edge of their page, as those of the left one are.
    """
    pages: list[list[PrintedLine]] = []
    for sheet, lines in zip(sheets, found, strict=True):
        right = [_is_right(line, sheet.gutter) for line in lines]
        pages.append([line for line, beyond in zip(lines, right, strict=True) if not beyond])
        if sheet.gutter:
            pages.append([_moved(line, -sheet.gutter) for line, beyond in zip(lines, right, strict=True) if beyond])
    done = clean(pages)
    rest = zip(done.pages, done.printed, strict=True)
    together: list[list[PrintedLine]] = []
    numbers: list[str | None] = []
    for sheet in sheets:
        own, number = next(rest)
        if sheet.gutter:
            beside, other = next(rest)
            own = own + [replace(line, boxes=_shifted(line.boxes, sheet.gutter)) for line in beside]
            number = None if other else number  # a sheet of two pages has no one number
        together.append(own)
        numbers.append(number)
    return replace(done, pages=together, printed=numbers)


def _is_right(line: PrintedLine, gutter: float) -> bool:
    return bool(gutter) and line.left is not None and line.left >= gutter


def _moved(line: PrintedLine, by: float) -> PrintedLine:
    assert line.left is not None and line.right is not None
    return replace(line, left=line.left + by, right=line.right + by, boxes=_shifted(line.boxes, by))


def _shifted(boxes: Sequence[Box | None], by: float) -> tuple[Box | None, ...]:
    return tuple(box and box._replace(left=box.left + by, right=box.right + by) for box in boxes)
