"""Web pages printed to PDF (网页打印): the site's boilerplate comes along, and the paper may be too narrow for the page.

A print is known by its links, by the address or the hour that the browser prints at the edge of every sheet, or by a
site's footer. Its lines are told apart like the rows of a web page; columns beside the text are split off first.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from nemo.parse.boilerplate import PageRow, sort_rows
from nemo.parse.lines import Box, PrintedLine, body_size, ended, width
from nemo.parse.web.surroundings import clean_title, number_beside, posted
from nemo.rules import page_words
from nemo.text.letter.titles import looks_like_title
from nemo.types import Fault

STAMP = re.compile(
    r"^(?P<site>https?://\S+)(?:\s+(?:第\s*)?(?P<page>\d{1,4})\s*/\s*\d{1,4}(?:\s*页)?)?$|"
    r"^(?:(?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4})[ ,]+(?:[上下]午\s?)?\d{1,2}:\d{2}(?::\d{2})?(?:[\s\u4e00-\u9fff《【].*)?$|"
    r"^.{4,}\s(?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2}\s+\d{1,2}:\d{2}(?::\d{2})?$"
)
"""What a browser prints at the edge of a sheet: address and page, or hour and title."""
_WHEN = re.compile(
    r"(?:(?:19|20)\d\d[/-]\d{1,2}[/-]\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4})[ ,]+(?:[上下]午\s?)?\d{1,2}:\d{2}(?::\d{2})?"
)
_EDGE_LINES = 3
_LONG = 20.0
"""A line this wide (em) reaches the edges of its column when it is no last one."""
_COLUMN_LINES, _MANY_LINES = 4, 6
"""So many long lines tell where a column ends, and so many of the text do it without the foot of the page."""
_COLUMN_SHARE = 0.4
_FEW_BEYOND = 0.1
"""Share of long lines that may run beyond the text's right edge."""
_APART = 1.2
"""A column beside the text begins this many em behind the text's right edge."""
_MENU_LINES = 3
_LABELS_TEXT = re.compile(r"[\d。；，：:、]|^第.{1,6}[条章节]")
"""What a line at the left of a text has that belongs to it: a number, a label, words of a sentence."""
_WITHIN_WORDS = 0.5
"""Em between two characters, below which nothing parts them."""
_LINKED = 0.6
"""A line is a link when this share of its characters is."""
_LINKS = 5
_TITLE_SCALE = 1.2
_TITLE_CHARS = 150
_CUT_LINES = 4
_CUT_SHARE = 0.5
_CUT_NEAR = 1.5
"""Lines that end this close (em) to the paper's edge, without a margin, were cut off."""
_FLOATED = 12.0
"""A line beside a floating block this wide (em) may reach the block's edge."""
_GAP, _SAME_EDGE = 1.0, 0.6
"""Em between a text and a block that floats beside it; lines of one block begin within so many em of each other."""
_BEYOND = 0.3
"""Em beyond the paper's edge; less is the blank within a character's square."""


def linked_share(line: PrintedLine, links: Sequence[Box]) -> float:
    """Return the share of a line's characters that stand under one of the links, 0 to 1."""
    boxes = [box for char, box in zip(line.text, line.boxes, strict=False) if box and not char.isspace()]
    hit = sum(1 for box in boxes if any(link.covers(box) for link in links))
    return hit / len(boxes) if boxes else 0.0


def with_links(lines: Sequence[PrintedLine], links: Sequence[Box]) -> list[PrintedLine]:
    """Return the lines of a sheet, each with the share of it that is links."""
    return [part for line in lines for part in _without_links_beside(line, links)]


def links_among(lines: Sequence[PrintedLine]) -> frozenset[str]:
    """Return the words of the lines that are links to elsewhere, or stand in a column of them."""
    return frozenset(line.text for line in lines if line.linked >= _LINKED or line.aside)


def _without_links_beside(line: PrintedLine, links: Sequence[Box]) -> list[PrintedLine]:
    """Return a line in parts where a menu stands beside the text: links, a wide gap, and words that are none."""
    for before, after in () if line.apart else _gaps(line, _APART):
        parts = [_piece(line, 0, before + 1), _piece(line, after, len(line.text))]
        shares = [linked_share(part, links) for part in parts]
        if max(shares) >= _LINKED and min(shares) == 0:
            return [replace(part, linked=share) for part, share in zip(parts, shares, strict=True)]
    return [replace(line, linked=linked_share(line, links))]


def take_stamps(sheets: Sequence[list[PrintedLine]]) -> tuple[list[str], list[str | None]]:
    """Take the lines that a browser prints at the edges out of every sheet, in place.

    Returns:
        Their words, and the page number that each sheet's stamp prints, None where it prints none.
    """
    taken: list[str] = []
    numbers: list[str | None] = []
    for sheet in sheets:
        edges = {*range(min(_EDGE_LINES, len(sheet))), *range(max(0, len(sheet) - _EDGE_LINES), len(sheet))}
        stamps = {i: found for i in sorted(edges) if (found := STAMP.match(sheet[i].text.replace(" | ", "")))}
        numbers.append(next((found["page"] for found in stamps.values() if found["page"]), None))
        taken += [sheet[i].text for i in stamps]
        for index in reversed(stamps):
            del sheet[index]
    return taken, numbers


def title_in(stamps: Sequence[str]) -> str | None:
    """Return the page's title as the browser printed it beside the hour, None when no stamp carries one."""
    rests = [_WHEN.sub("", stamp).strip() for stamp in stamps if _WHEN.search(stamp)]
    return next((clean_title(rest) for rest in rests if len(rest) >= 6), None)


def page_title(stamps: Sequence[str], sheet: Sequence[PrintedLine]) -> str:
    """Return what a print calls itself: the browser's stamp, the largest words, or the line above the site's tools."""
    headline = printed_title(sheet) or posted([line.text for line in sheet]) or ""
    named = title_in(stamps) or ""
    return headline if headline and not looks_like_title(named) else f"{named} {headline}"


def printed_title(sheet: Sequence[PrintedLine]) -> str | None:
    """Return the words in the largest characters of a sheet, which a page gives its title; None when all are alike, or
    when the site sets the text itself in larger ones.
    """
    words = page_words()
    own = [line for line in sheet if width(line.text) >= 6 and not words.is_tool(line.text) and line.linked < 0.5]
    largest = max((line.size for line in own), default=0.0)
    if not own or largest < _TITLE_SCALE * body_size(own):
        return None
    title = "".join(line.text for line in own if line.size > 0.95 * largest)
    return None if len(title) > _TITLE_CHARS or re.search("[。；]", title) else title


def is_print(sheets: Sequence[Sequence[PrintedLine]], stamps: Sequence[str], links: int) -> bool:
    """Whether a PDF is a web page printed: stamps, or a site's footer, or navigation made of links."""
    words = page_words()
    feet = sum(1 for sheet in sheets for line in sheet if words.is_foot(line.text))
    menus = sum(1 for line in (sheets[0] if sheets else ()) if words.is_menu(line.text))
    return bool(stamps) or (feet + menus >= 2 and (links >= _LINKS or feet >= 2))


def without_boilerplate(
    sheets: Sequence[Sequence[PrintedLine]], title: str | None = None
) -> tuple[list[list[PrintedLine]], tuple[str, ...], list[PrintedLine]]:
    """Take the boilerplate of a site out of a print whose stamps are removed; ``title`` is what the page is called.

    Returns:
        The lines that stay, the entries of the index card, and everything taken out.
    """
    edge = _right_edge(sheets)
    split = [_without_floats([part for line in sheet for part in _parted(line, edge)]) for sheet in sheets]
    parted = [_downwards(sheet) for sheet in _without_columns(split)]
    lines = [line for sheet in parted for line in sheet]
    told = page_words().with_colons([line.text for line in lines])
    rows = [PageRow(words, line.linked, line.aside) for words, line in zip(told, lines, strict=True)]
    found = sort_rows(rows, title)
    gone = set(found.removed)
    kept: list[list[PrintedLine]] = []
    at = 0
    for sheet in parted:
        own, taken = ([line for i, line in enumerate(sheet, at) if (i in gone) is out] for out in (False, True))
        kept.append(_beside_floats(_behind_floats(own, taken), taken))
        at += len(sheet)
    body = "\n".join(told[i] for i in found.kept)
    cards = (*(told[i] for i in found.cards), *number_beside(told, title, body))
    return kept, cards, [lines[i] for i in found.removed]


def _downwards(sheet: list[PrintedLine]) -> list[PrintedLine]:
    """Return the lines of a sheet from its top to its foot, what stands beside the text last: browsers print blocks that
    float before those that do not. Where lines stand side by side the order stays.
    """
    own = sorted((line for line in sheet if not line.aside), key=lambda line: line.top or 0.0)
    beside = any((a.bottom or 0.0) - (b.top or 0.0) > 0.5 * max(a.size, 1.0) for a, b in pairwise(own))
    return sheet if beside else [*own, *(line for line in sheet if line.aside)]


def _beside_floats(own: Sequence[PrintedLine], taken: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return the lines of a sheet, those beside a block that floated at their right with the edge of the room it left them.

    Such lines are shorter than others and end no paragraph by that.
    """
    known = [line for line in own if line.right is not None and line.top is not None]
    floats = [
        block for block in taken if block.left is not None and block.top is not None
        and any((line.right or 0.0) < block.left and _overlap(line, block) for line in known)
    ]  # fmt: skip
    if not floats:
        return list(own)
    left, top = min(block.left or 0.0 for block in floats), min(block.top or 0.0 for block in floats)
    whole = [block for block in taken if any(_is_of(block, one) for one in floats)]
    bottom = max((block.bottom or 0.0) + block.size for block in (*floats, *whole))
    near = {
        id(line): line.right or 0.0 for line in known
        if (line.right or 0.0) < left and (line.bottom or 0.0) >= top and (line.top or 0.0) <= bottom
    }  # fmt: skip
    edge = max((near[id(line)] for line in known if id(line) in near and width(line.text) >= _FLOATED), default=None)
    return [replace(line, edge=edge) if id(line) in near else line for line in own]


def _behind_floats(own: Sequence[PrintedLine], taken: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return the lines of a sheet, those behind a block that floated at their left where they would begin without it."""
    blocks = [block for block in taken if block.right is not None and width(block.text) <= _FLOATED]
    near = {
        id(line): line.left for line in own
        if line.left is not None and any(line.left > (b.right or 0.0) and _is_beside(line, b) for b in blocks)
    }  # fmt: skip
    long = [line for line in own if line.left is not None and width(line.text) >= _LONG]
    left = min((line.left or 0.0 for line in long if id(line) not in near), default=None)
    room = min((near[id(line)] for line in long if id(line) in near), default=None)
    if left is None or room is None or room <= left:
        return list(own)
    return [replace(line, left=near[id(line)] - room + left) if id(line) in near else line for line in own]


def _is_beside(line: PrintedLine, block: PrintedLine) -> bool:
    """Tell whether a line stands within the height that a block keeps free, which is one line more than it shows."""
    return (line.bottom or 0.0) >= (block.top or 0.0) and (line.top or 0.0) <= (block.bottom or 0.0) + block.size


def _overlap(line: PrintedLine, block: PrintedLine) -> bool:
    """Tell whether two lines stand at one height."""
    middle = ((block.top or 0.0) + (block.bottom or 0.0)) / 2
    return (line.top or 0.0) <= middle <= (line.bottom or 0.0)


def _without_floats(sheet: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return the lines of a sheet in parts where short lines of a block that floats stand on the lines of a sentence."""
    parts = [_at_gap(line) for line in sheet]
    aside: set[tuple[int, int]] = set()
    for at, (above, below) in enumerate(pairwise(parts)):
        block = _floating(above, below)
        if block is None:
            continue
        for run in (range(at, -1, -1), range(at + 1, len(parts))):
            pieces = ((i, next((n for n, each in enumerate(parts[i]) if _is_of(each, block)), None)) for i in run)
            aside |= {(i, n) for i, n in takewhile(lambda piece: piece[1] is not None, pieces) if n is not None}
    return [
        replace(part, aside=part.aside or (i, n) in aside) for i, line in enumerate(parts) for n, part in enumerate(line)
    ] if aside else list(sheet)  # fmt: skip


def _gaps(line: PrintedLine, least: float) -> list[tuple[int, int]]:
    """Return the places of the characters on both sides of each gap of a line that is wider than so many em."""
    boxes = [(at, box) for at, box in enumerate(line.boxes) if box and not line.text[at].isspace()]
    wide = least * max(line.size, 1.0)
    return [(a, b) for (a, left), (b, right) in pairwise(boxes) if right.left - left.right > wide]


def _at_gap(line: PrintedLine) -> list[PrintedLine]:
    """Return the two parts of a line on both sides of its only wide gap, the line alone when it has none or several."""
    gaps = _gaps(line, _GAP)
    if line.apart or len(gaps) != 1 or len(line.boxes) != len(line.text):
        return [line]
    ((end, start),) = gaps
    return [_piece(line, 0, end + 1), _piece(line, start, len(line.text))]


def _floating(above: Sequence[PrintedLine], below: Sequence[PrintedLine]) -> PrintedLine | None:
    """Return the part of two lines that belongs to a block: short on both, from one edge, while the other goes on."""
    if len(above) < 2 or len(below) < 2:
        return None
    for block, text in ((1, 0), (0, 1)):
        brief = max(width(above[block].text), width(below[block].text)) <= _FLOATED
        goes_on = width(above[text].text) >= _LONG and not ended(above[text].text)
        if brief and goes_on and _is_of(below[block], above[block]):
            return above[block]
    return None


def _is_of(part: PrintedLine, block: PrintedLine) -> bool:
    same = abs((part.left or 0.0) - (block.left or 0.0)) < _SAME_EDGE * max(block.size, 1.0)
    return same and width(part.text) <= _FLOATED


def _right_edge(sheets: Sequence[Sequence[PrintedLine]]) -> float | None:
    """Return the right edge of the text's column in points: where most of its long lines end; None when unclear."""
    every = [line for sheet in sheets for line in sheet if not line.apart and line.linked < 0.5]
    em = body_size(every)
    own = [line for line in every if line.size < _TITLE_SCALE * em]
    known = [(line, right) for line in own if (right := _first_stretch(line)) is not None]
    foot = page_words().is_foot  # the foot of a page is wider than its text, but of a few lines tells the width as well
    text = [right for line, right in known if not foot(line.text)]
    rights = text if len(text) >= _MANY_LINES else [right for _, right in known]
    if len(rights) < _COLUMN_LINES:
        return None
    edges = [r for r in rights if sum(r - em <= other <= r for other in rights) >= _COLUMN_SHARE * len(rights)]
    edge = max(edges, default=None)
    beyond = sum(edge is not None and right > edge + em for right in rights)
    return edge if beyond <= _FEW_BEYOND * len(rights) else None


def _without_columns(sheets: Sequence[list[PrintedLine]]) -> list[list[PrintedLine]]:
    """Return the lines of the sheets, those of a column at the left of all long lines, and what stands in one column with
    links at their right, marked ``aside``.
    """
    every = [line for sheet in sheets for line in sheet if not (line.apart or line.aside)]
    em = body_size(every)
    stretches = [
        part for line in every for part in _at_gap(line) if width(part.text) >= _LONG and part.linked < _LINKED
    ]
    lefts = [part.left for part in stretches if part.left is not None]
    if len(lefts) < _COLUMN_LINES:
        return list(sheets)
    left, right = min(lefts) - em, max(part.right or 0.0 for part in stretches)
    links = [line.left for line in every if line.linked >= _LINKED and (line.left or 0.0) > right]

    def parts(line: PrintedLine) -> list[PrintedLine]:
        found = _at_gap(line)
        return found if len(found) > 1 and (found[0].right or 0.0) < left else [line]

    def is_left(part: PrintedLine) -> bool:
        return not part.apart and part.right is not None and part.right < left and width(part.text) <= _FLOATED

    def is_right(part: PrintedLine) -> bool:
        near = any(abs((part.left or 0.0) - (link or 0.0)) < _SAME_EDGE * em for link in links)
        return near and width(part.text) <= _FLOATED

    split = [[part for line in sheet for part in parts(line)] for sheet in sheets]
    beside = [part for sheet in split for part in sheet if is_left(part)]
    menu = len(beside) >= _MENU_LINES and not any(_LABELS_TEXT.search(part.text) for part in beside)
    return [
        [replace(part, aside=part.aside or (menu and is_left(part)) or is_right(part)) for part in sheet]
        for sheet in (split if menu else sheets)
    ]


def _first_stretch(line: PrintedLine) -> float | None:
    """Where the words of a line end before the first wide gap in it; None for a short stretch."""
    boxes = [box for box in line.boxes if box]
    wide = _APART * max(line.size, 1.0)
    end = next((i for i, (a, b) in enumerate(pairwise(boxes), 1) if b.left - a.right > wide), len(boxes))
    return boxes[end - 1].right if end >= _LONG else None


def _parted(line: PrintedLine, edge: float | None) -> list[PrintedLine]:
    """Split a line where a column beside the text begins; that part is marked ``aside``."""
    if edge is None or line.right is None or line.left is None or len(line.boxes) != len(line.text):
        return [line]
    limit = edge + _APART * max(line.size, 1.0)
    if line.left > limit:
        return [replace(line, aside=True, apart=False)]
    split = next((i for i, box in enumerate(line.boxes) if box and box.left > limit), None)
    if split is None:
        return [line]
    own = len(line.text[:split].rstrip(" |"))
    last, first = line.boxes[own - 1] if own else None, line.boxes[split]
    if last and first and first.left - last.right < _WITHIN_WORDS * max(line.size, 1.0):
        return [line]  # its words run on: the text is wider than its long lines told
    parts = [_piece(line, 0, own), replace(_piece(line, split, len(line.text)), aside=True)]
    return [part for part in parts if part.text]


def _piece(line: PrintedLine, start: int, end: int) -> PrintedLine:
    boxes = line.boxes[start:end]
    place = Box.around(filter(None, boxes)) if any(boxes) else line
    return replace(line, text=line.text[start:end], boxes=boxes, left=place.left, right=place.right, apart=False)


def cut_fault(sheets: Sequence[Sequence[PrintedLine]], page_width: float) -> tuple[Fault, ...]:
    """Return the fault of a print whose right edge was cut off: its lines run into the edge of the paper.

    Where they begin at the other edge too, the page was printed without margins, and only what lies beyond the paper is
    cut.
    """
    long = [line for sheet in sheets for line in sheet if width(line.text) >= _LONG and line.right is not None]
    em = body_size(long)
    bare = min((line.left for line in long if line.left is not None), default=0.0) < _CUT_NEAR * em
    limit = page_width + _BEYOND * em if bare else page_width - _CUT_NEAR * em
    cut = [line for line in long if line.right is not None and line.right > limit and not ended(line.text)]
    if len(cut) < _CUT_LINES or len(cut) < _CUT_SHARE * sum(1 for line in long if not ended(line.text)):
        return ()
    pages = "、".join(str(n) for n in dict.fromkeys(line.page for line in cut))
    return (Fault("right_edge_cut", f"第{pages}页的右边缘在打印时被切掉，每行末尾缺字，引用前请核对原网页。"),)
