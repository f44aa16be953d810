"""Tables in a text, found by how every parser writes them: one line a row, cells between bars (表格识别).

A table is a run of such lines. Blank lines, page numbers and 续表 do not end it, and header rows that are printed again
on the next page are no rows. What stands around it is read from the neighbouring lines: caption, unit, notes.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from nemo.text.structure.lines import TextLine, in_blocks
from nemo.text.words.sentences import trim
from nemo.types import Span, Table, TableRow

_BREAK = re.compile(r"[^\n\r\f\v\x85\u2028\u2029]*")
_BLANKS = " \t\u3000\u00a0\u200b\ufeff"
_ROW = re.compile(r"\s\|\s|^\||\|$")
_RULE = re.compile(r"\|?[\s:|-]*-{2,}[\s:|-]*")
"""The line below the header of a Markdown table."""
_CONTINUED = re.compile(
    r"续\s*(?:附?表|专栏).{0,12}|.{0,40}[（(]续(?:表)?[）)]|[-—－–\s]*(?:第\s*)?\d{1,4}\s*页?(?:\s*[/／共]\s*\d{1,4}\s*页?)?[-—－–\s]*"
)
"""What may stand between two pages of one table: 续表, page numbers."""
_CAPTION = re.compile(r"(?:续?附?表|专栏)\s*(?:[A-Z]?[\d一二三四五六七八九十]|[:：])")
_INTRODUCES = re.compile(r"[：:]$")
_LABELS = re.compile(
    r"(?:[\u4e00-\u9fa5]{2,8}[:：]\s{0,9}[^\s:：|]{1,40}(?:\s{1,90}|$)){1,6}|[（(][^（）()]{1,60}[）)]"
)
"""A line of labels with their values (编制单位：…　执行时间：…), or one in brackets, above a table: no title of it."""
_WORD = re.compile(r"[\u4e00-\u9fffA-Za-z]{2}")
_UNIT = re.compile(
    r"(?:计量)?(?<!编制)(?<!填报)(?<!报送)(?<!公示)(?<!发布)(?<!建设)(?<!制表)(?<!责任)(?<!主办)(?<!项目)单位\s*[:：]\s*[^（）()\s]+(?:[（(][^（）()]*[）)])?"
)
_NOTE = re.compile(r"[*＊]?\s*(?:附?注|备注|说明|资料来源|数据来源)\s*\d{0,2}\s*[.．、:：]")
_NUMBERED = re.compile(r"[（(]?\d{1,2}[）).．、]|[①-⑳]")
_VALUE = re.compile(r"[-+—–~～<>≤≥＜＞±\[［〔（(]*\d[\d,.，]*(?!\d*\s*年(?:底|末)?$)")
_ORDINAL = re.compile(r"[（(]?(?:\d{1,3}(?:\.\d{1,2})*|[一二三四五六七八九十]{1,3})[）).．、]?")
_MEASURE = re.compile(
    r"[（(]?(?:[元分角万亿千百度%％‰吨时小天日个次毫微米克升兆瓦伏安kKMGWVAhmt³²/·.]|标准煤){1,12}[）)]?"
)
_PART_OF = re.compile(r"(?:其中|#)")
_TITLE_WIDTH = 45
_GROUP_WIDTH = 40
_MOST_HEADER_ROWS = 3


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that may be a row."""

    span: Span
    cells: tuple[Span, ...]

    def words(self, text: str) -> list[str]:
        return [cell.of(text) for cell in self.cells]


def tables(text: str) -> tuple[Table, ...]:
    """Return the tables of ``text`` in order; every span is an offset into it."""
    return _tables(text) if "|" in text else ()


@lru_cache(maxsize=64)
def _tables(text: str) -> tuple[Table, ...]:
    lines = [trim(text, Span(*m.span()), _BLANKS) for m in _BREAK.finditer(text)]
    lines = [line for line in lines if line.start < line.end]
    found: list[Table] = []
    for first, last in _runs(lines, text):
        outer: Table | None = None
        for part, (start, end) in enumerate(_nested(lines, first, last, text)):
            table = _rest(lines, start, end, outer, text) if part == 2 and outer else _table(lines, start, end, text)
            table = _inner(table, lines[start - 1], text) if part == 1 and table else table
            outer = outer or table
            found += [table] if table is not None else []
    return tuple(found)


def _nested(lines: Sequence[Span], first: int, last: int, text: str) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) of a run; of one with a table in a cell (表中表) those of the rows before, in and behind it.

    It follows the row that holds it, which introduces it (补助标准如下：) or has an empty cell for it, has columns of its own,
    and ends where the outer table goes on. A row that only introduces it is none of the outer table.
    """
    wide = [len(_cells(line, text, False)) for line in lines[first:last]]
    holds = (i for i in range(1, len(wide) - 2) if _holds_table(lines[first + i : first + i + 2], wide[: i + 2], text))
    at = next(holds, None)
    if at is None:
        yield first, last
        return
    end = next((i for i in range(at + 1, len(wide)) if wide[i] == wide[at]), len(wide))
    said = [words for cell in _cells(lines[first + at], text, False)[1:] if (words := cell.of(text))]
    yield first, first + at + (at < 2 or any(_INTRODUCES.search(words) is None for words in said))
    yield first + at + 1, first + end
    if end < len(wide):
        yield first + end, last


def _inner(table: Table, holder: Span, text: str) -> Table:
    """Return a table in a cell under the words that introduce it, its rows under the label of the row that holds it."""
    label, *rest = [cell for cell in _cells(holder, text, False) if cell.start < cell.end]
    introduces = next((cell for cell in rest if _INTRODUCES.search(cell.of(text))), label)
    rows = tuple(replace(row, above=(label, *row.above)) for row in table.rows)
    return replace(table, caption=introduces, rows=rows)


def _holds_table(pair: Sequence[Span], wide: Sequence[int], text: str) -> bool:
    """Whether the first of two rows holds a table that the second opens: a header of another width."""
    if len(set(wide[:-1])) > 1 or wide[-1] in (1, wide[0]):
        return False
    said = [cell.of(text) for cell in _cells(pair[0], text, False)[1:]]
    introduced = any(not words or "：" in words or ":" in words for words in said)
    return introduced and not any(_VALUE.match(cell.of(text)) for cell in _cells(pair[1], text, False))


def _rest(lines: Sequence[Span], first: int, last: int, outer: Table, text: str) -> Table | None:
    """Return the rows of a table behind one in its cell, under the header of the rows before it."""
    rows = [_Row(line, _cells(line, text, False)) for line in lines[first:last]]
    body = _body(rows, text)
    notes = _below(lines, last, text)
    return replace(outer, rows=body, notes=notes, apart=True) if body else None


def _is_row(words: str) -> bool:
    return _ROW.search(words) is not None


def _runs(lines: Sequence[Span], text: str) -> Iterator[tuple[int, int]]:
    """Yield (first, last + 1) of each run of rows among the lines that are not blank."""
    index = 0
    while index < len(lines):
        if not _is_row(lines[index].of(text)):
            index += 1
            continue
        first, last = index, index
        while (following := _next_row(lines, last, text)) is not None:
            if _is_other_header(lines[first].of(text), lines[following].of(text)):
                yield first, last + 1
                first = following
            last = following
        yield first, last + 1
        index = last + 1


def _is_other_header(first: str, words: str) -> bool:
    """Whether a row begins another table: a header that opens like the first one (机组类型 | …) and goes on differently."""
    label = first.partition("|")[0].strip()
    return bool(label) and words.partition("|")[0].strip() == label and words != first and not re.search(r"\d", words)


def _next_row(lines: Sequence[Span], last: int, text: str) -> int | None:
    """Return the next row of the run that ``last`` is in, over what does not end a table."""
    at = last + 1
    while at < len(lines) and _CONTINUED.fullmatch(lines[at].of(text)):
        at += 1
    if at < len(lines) and _is_row(lines[at].of(text)):
        return at
    if at == last + 1 and at + 1 < len(lines) and _is_group_line(lines, at, text):
        return at + 1
    return None


def _is_group_line(lines: Sequence[Span], at: int, text: str) -> bool:
    """Whether a line without bars is a row whose one cell runs over all columns (通栏)."""
    words, below = lines[at].of(text), lines[at + 1].of(text)
    if not _is_row(below) or len(words) > _GROUP_WIDTH or words[-1] in "。；：:，、":
        return False
    if _CAPTION.match(words) or _UNIT.search(words) or _NOTE.match(words):
        return False
    same = len(_cells(lines[at - 1], text, False)) == len(_cells(lines[at + 1], text, False))
    return same and any(_VALUE.match(cell.of(text)) for cell in _cells(lines[at + 1], text, False))


def _cells(line: Span, text: str, closed: bool) -> tuple[Span, ...]:
    """Cut a line at its bars; ``closed``: a bar stands at both ends (Markdown)."""
    words = line.of(text)
    if not _is_row(words):
        return (line,)
    start, end = line
    if closed:
        start += words.startswith("|")
        end -= words.endswith("|")
    bounds = [start - 1, *(i for i in range(start, end) if text[i] == "|"), end]
    return tuple(_cell(text, a + 1, b) for a, b in pairwise(bounds))


def _cell(text: str, start: int, end: int) -> Span:
    cell = trim(text, Span(start, end), _BLANKS)
    return cell if cell.start < cell.end else Span(start, start)


def _table(lines: Sequence[Span], first: int, last: int, text: str) -> Table | None:
    """Return the table of a run, None when it is a line with bars and no table."""
    run = [line for line in lines[first:last] if not _CONTINUED.fullmatch(line.of(text))]
    closed = all(w.startswith("|") and w.endswith("|") for w in (r.of(text) for r in run) if _is_row(w))
    rows = [_Row(r, _cells(r, text, closed)) for r in run if not _RULE.fullmatch(r.of(text))]
    inner = [i for i, row in enumerate(rows) if i and _NOTE.match(row.span.of(text))]
    notes = tuple(row.span for row in rows[inner[0] :]) if inner else ()
    rows = rows[: inner[0]] if inner else rows
    if len(rows) < 2 or _is_frame(rows):
        return None
    header = _header(rows, text)
    caption, unit = _above(lines, first, text)
    unit = unit or _unit_in(caption, text)
    said = {row.span.of(text) for row in header}
    body = _body([row for row in rows[len(header) :] if row.span.of(text) not in said], text)
    if not body:
        return None
    head = tuple(TableRow(row.span, row.cells) for row in header)
    return Table(caption, unit, head, body, (*notes, *_below(lines, last, text)))


def _is_frame(rows: Sequence[_Row]) -> bool:
    """Whether most rows hold words in one cell only: lines drawn around running text, no table."""
    filled = sum(sum(cell.start < cell.end for cell in row.cells) > 1 for row in rows)
    return 2 * filled < len(rows)


# --- header


def _header(rows: Sequence[_Row], text: str) -> list[_Row]:
    """Return the header rows: the first when it holds no value, and further levels below merged cells."""
    first = rows[0].words(text)
    if any(_VALUE.fullmatch(cell) for cell in first) or len(rows[0].cells) < 2:
        return []
    header = [rows[0]]
    for row in rows[1:_MOST_HEADER_ROWS]:
        if row is rows[-1] or not _is_level(header[-1], row, text):
            break
        header.append(row)
    return header


def _is_level(above: _Row, row: _Row, text: str) -> bool:
    """Whether ``row`` is one more level of a header: units, or names below merged cells."""
    words, over = row.words(text), above.words(text)
    cells = [word for word in words if word]
    if _parts_merged(over, words):
        return True
    if not cells or any(_VALUE.match(word) or len(word) > _GROUP_WIDTH for word in cells):
        return False
    if all(_MEASURE.fullmatch(word) for word in cells):
        return True
    merged = "" in over or len(set(over)) < len(over) or len(over) != len(words)
    hangs = words[0] in ("", over[0]) or len(over) != len(words)
    repeats = words[0] == over[0] or len(cells) > len(set(cells)) or words[0] == ""
    return merged and hangs and (repeats or len(over) < len(words)) and len(cells) > 1


def _parts_merged(over: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words name the parts of merged cells above them, all of these parts and nothing else (电度电价 over 不满1千伏, 35千伏).

    Where a cell reaches down (用电分类) the place below it is empty; a bare number is a value.
    """
    if len(over) != len(words) or words[0] or any(_VALUE.fullmatch(word) for word in words):
        return False
    ends = [i for i, word in enumerate(over) if word and i]
    parts = list(zip([0, *ends], [*ends, len(over)], strict=True))
    return any(words) and all(not any(words[a:b]) or (b - a > 1 and words[a]) for a, b in parts)


# --- rows


def _body(rows: Sequence[_Row], text: str) -> tuple[TableRow, ...]:
    """Return the rows with what they stand under; group rows are no rows of their own."""
    width = max((len(row.cells) for row in rows), default=0)
    groups: list[tuple[str, Span]] = []
    merged: dict[int, Span] = {}
    whole: Span | None = None
    found = []
    for index, row in enumerate(rows):
        name = _group_name(row, width, text) if index + 1 < len(rows) else None
        if name is not None:
            kind = _kind(row, text)
            kept = next((i for i, (other, _) in enumerate(groups) if other == kind), len(groups))
            groups[kept:] = [(kind, name)]
            merged.clear()
            continue
        labels = _inherited(row, merged, text)
        own = _label(row, text)
        part = own is not None and _PART_OF.match(own.of(text)) is not None
        whole = whole if part else own
        over = (whole,) if part and whole is not None else ()
        found.append(TableRow(row.span, row.cells, (*(span for _, span in groups), *labels, *over)))
    return tuple(found)


def _group_name(row: _Row, width: int, text: str) -> Span | None:
    """Return the words of a group row (一、输配电线路), None for any other row."""
    cells = [(i, cell) for i, cell in enumerate(row.cells) if cell.start < cell.end]
    if not cells or len(cells) > 2 or cells[0][0] != 0 or width < 2:
        return None
    if len(cells) == 2 and (cells[1][0] != 1 or not _ORDINAL.fullmatch(cells[0][1].of(text)) or width < 3):
        return None
    words = cells[-1][1].of(text)
    if len(row.cells) > 1 and len(cells) == len(row.cells):
        return None
    if len(words) > _GROUP_WIDTH or words[-1] in "。；" or _VALUE.fullmatch(words):
        return None
    return Span(cells[0][1].start, cells[-1][1].end)


def _kind(row: _Row, text: str) -> str:
    """Return the form of a group's number: a group ends those of its own form and what is below them."""
    number = _ORDINAL.match(row.span.of(text))
    return "" if number is None else re.sub(r"[一二三四五六七八九十]+", "一", re.sub(r"\d+", "1", number[0]))


def _inherited(row: _Row, merged: dict[int, Span], text: str) -> list[Span]:
    """Return the labels that reach down from rows above into empty cells, and note this row's own."""
    labels = []
    for column, cell in enumerate(row.cells[:-1]):
        words = cell.of(text)
        if words and not _ORDINAL.fullmatch(words):
            if not _VALUE.fullmatch(words):
                merged[column] = cell
            for other in [c for c in merged if c > column]:
                del merged[other]
            break
        if not words and column in merged:
            labels.append(merged[column])
    else:
        return labels
    for later, cell in enumerate(row.cells[column + 1 : -1], column + 1):
        words = cell.of(text)
        if not words or _VALUE.match(words):
            break
        merged[later] = cell
    return labels


def _label(row: _Row, text: str) -> Span | None:
    """Return the first cell that is words."""
    return next((c for c in row.cells if c.of(text) and not _ORDINAL.fullmatch(c.of(text))), None)


# --- around


def _above(lines: Sequence[Span], first: int, text: str) -> tuple[Span | None, Span | None]:
    """Return caption and unit line above the first row; a note in brackets between both (执行时间) is a caption only where none is."""
    unit = noted = None
    for line in reversed(lines[max(0, first - 4) : first]):
        words = line.of(text)
        if _is_row(words):
            break
        if unit is None and (said := _UNIT.search(words)) and len(words) - len(said[0]) <= 2:
            unit = Span(line.start + said.start(), line.start + said.end())
            continue
        if _CONTINUED.fullmatch(words) or (_LABELS.fullmatch(words) and not _CAPTION.match(words)):
            unit = unit or _unit_in(line, text)
            continue
        if words[0] in "（(" and words[-1] in "）)" and not _CAPTION.match(words):
            noted, unit = noted or line, unit or _unit_in(line, text)
            continue
        titled = len(words) <= _TITLE_WIDTH and words[-1] not in "。；，、！？" and _WORD.search(words)
        return (line if titled or _CAPTION.match(words) or _INTRODUCES.search(words) else noted), unit
    return noted, unit


def _unit_in(caption: Span | None, text: str) -> Span | None:
    said = _UNIT.search(text, *caption) if caption else None
    return Span(*said.span()) if said else None


def _below(lines: Sequence[Span], last: int, text: str) -> tuple[Span, ...]:
    """Return the notes below a table."""
    found: list[Span] = []
    for line in lines[last : last + 12]:
        words = line.of(text)
        if _is_row(words) or not (_NOTE.match(words) or (found and _NUMBERED.match(words))):
            break
        found.append(line)
    return tuple(found)


# --- reading a table


def with_tables(lines: Sequence[TextLine], text: str) -> list[TextLine]:
    """Return the lines of ``text`` with the rows of each table as one line, that no number in a cell is taken for a list."""
    return in_blocks(lines, text, [table.span for table in tables(text)])


def row_at(text: str, span: Span) -> tuple[Table, TableRow] | None:
    """Return the row that ``span`` lies in with its table, None when it lies in none."""
    for table in tables(text):
        if table.span.overlaps(span):
            at = bisect_right(table.rows, span.start, key=lambda row: row.span.start) - 1
            return (table, table.rows[at]) if at >= 0 and table.rows[at].span.contains(span) else None
    return None


def context(table: Table, row: TableRow, text: str) -> str:
    """Return what a row means beside its own words: caption, header, what it stands under; one line."""
    pieces = [table.caption, *(cell for line in table.header for cell in line.cells), *row.above]
    return " ".join(dict.fromkeys(p.of(text) for p in pieces if p is not None and p.start < p.end))
