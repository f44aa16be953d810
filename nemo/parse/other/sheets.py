"""Spreadsheets (电子表格): xlsx, xls, ods, et as xls, csv → caption, unit line, rows as ``a | b``, notes.

What a cell shows is read, not what it stores: a rate of 0.05 that is shown as 5% is 5%, and what is hidden is no part of
the text. Of ods, and of an xls that is damaged, only the stored values are known, and a fault says so. Formulas count by
the value saved with them.
"""

import csv
import datetime as dt
import io
import itertools
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from nemo.errors import UnreadableDocumentError
from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.settings import Settings
from nemo.text.letter.titles import looks_like_title
from nemo.types import Fault, ParsedDocument, RawDocument

_MOST_ROWS, _MOST_COLUMNS = 5000, 100
"""What is read of one sheet."""
_MOST_MERGED = 1_000_000
"""Cells that merged ranges of an xlsx may cover in all: openpyxl makes an object of each."""
_MERGED = re.compile(rb'<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_LABEL = re.compile(r"[:：]|^[（(][^（）()]{4,40}[）)]$")
_NO_CAPTION = re.compile(
    r"附[\s\u3000]*[件表录]?[\s\u3000]*[\d一二三四五六七八九十]*[\s\u3000]*[:：]?$|(?:计量)?单位\s*[:：]|[（(].*[）)]$"
)
"""A lone row above a table that does not name it: 附件2, its unit, a remark."""
_UNNAMED = re.compile(r"(?:Sheet|工作表)\s*\d*", re.IGNORECASE)
_LEAST_NAME = 6
"""The name of a sheet that is a title has so many characters at least."""
_FIXED = re.compile(r"[#,]*0(?:\.(?P<places>0+))?")
_PERCENT = re.compile(r"0(?:\.(?P<places>0+))?%")
_WITH_WORDS = re.compile(
    r"(?P<before>(?:\"[^\"]{1,20}\"|[¥￥$])*)(?P<form>General|[#0,._ ]+)(?P<after>(?:\"[^\"]{1,20}\"|\\.|[\u4e00-\u9fff/·])*)"
)
"""A format with the unit that a cell shows behind its number, or the sign before it (#,##0"万元")."""
_BREAK = re.compile(r"(?<!\s)\s*[\r\n]\s*")
_WRONG = (ValueError, TypeError, AttributeError, SyntaxError, AssertionError, OverflowError)
"""What openpyxl raises on parts that contradict each other."""
_SEPARATORS = ",\t;"
_SEPARATED_ROWS = 3
_ALIKE = 0.9
"""Share of the rows with several cells that have the same number of them, of a table."""
_DAMAGED = ("请用 Excel 或 WPS 打开后另存为 .xlsx 再上传。",)


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """One sheet: its shown words row by row, and the cells that reach over several columns."""

    name: str
    rows: tuple[tuple[str, ...], ...]
    wide: frozenset[tuple[int, int]]
    """Row and column, from 0, of cells that are merged to the right."""
    cut: bool = False
    """It has more rows or columns than are read."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a spreadsheet.

    Raises:
        UnreadableDocumentError: damaged, encrypted, too large, or without text.
    """
    kind = _kind(raw.content)
    read = (_xlsx(raw, settings) if kind == "xlsx" else _xls(raw) if kind == "xls" else None) or _calamine(
        raw, settings
    )
    return _assembled(*read, kind)


def parse_separated(text: str, encoding: str, faults: Sequence[Fault]) -> ParsedDocument | None:
    """Read text whose lines are the rows of one table, cells apart by comma, tab or semicolon (csv); None for any other."""
    found = next((rows for mark in _SEPARATORS if (rows := _separated(text, mark))), None)
    if found is None:
        return None
    cut = len(found) > _MOST_ROWS or max(map(len, found)) > _MOST_COLUMNS
    cells = tuple(tuple(_shown(word, None) for word in row[:_MOST_COLUMNS]) for row in found[:_MOST_ROWS])
    return _assembled([SheetGrid("csv", cells, frozenset(), cut)], list(faults), f"csv/{encoding}")


def _separated(text: str, mark: str) -> list[list[str]] | None:
    """Return the rows of a table, None where most lines are none or do not have the same number of cells."""
    if text.count(mark) < _SEPARATED_ROWS:
        return None
    try:
        rows = [row for row in csv.reader(text.splitlines(), delimiter=mark) if any(map(str.strip, row))]
    except csv.Error:
        return None
    sizes = Counter(len(row) for row in rows if sum(map(bool, row)) > 1)
    usual = max(sizes.values(), default=0)
    alike = usual >= _SEPARATED_ROWS and usual >= _ALIKE * sizes.total() and 2 * usual > len(rows)
    told = sum("。" in cell for row in rows for cell in row)
    return rows if alike and 2 * told < usual else None


def _assembled(grids: Sequence[SheetGrid], faults: list[Fault], kind: str) -> ParsedDocument:
    parts = [(grid, _lines(grid)) for grid in grids]
    parts = [(grid, rows) for grid, rows in parts if rows]
    if not parts:
        raise UnreadableDocumentError("电子表格里没有内容。", ("请确认文件内容后重新上传。",))
    cut = [grid.name for grid, _ in parts if grid.cut]
    if cut:
        message = f"工作表“{'、'.join(cut)}”超过 {_MOST_ROWS} 行或 {_MOST_COLUMNS} 列，其后的内容未读入。"
        faults.append(Fault("sheet_cut", message))
    text = "\n".join(row for grid, rows in parts for row in _named(grid.name, rows, len(parts)))
    above = itertools.takewhile(lambda row: " | " not in row, parts[0][1])
    name = parts[0][0].name.strip()
    named = None if _UNNAMED.fullmatch(name) or len(name) < _LEAST_NAME else name
    title = next((row for row in above if not _NO_CAPTION.match(row)), named)
    if not any(" | " in row for row in parts[0][1]) and not looks_like_title(title or ""):  # a cover
        captions = (rows[0] for _, rows in parts[1:])
        title = next(filter(looks_like_title, captions), title)
    return ParsedDocument(text, (), f"sheet/{kind}", faults=tuple(faults), title=title)


def _kind(content: bytes) -> str:
    if content.startswith(b"PK"):
        return "ods" if b"mimetypeapplication/vnd.oasis" in content[:200] else "xlsx"
    return "xls"


def _check_size(content: bytes, settings: Settings) -> None:
    """Unpack every member once within the limits, before a library does so without any; count the merged cells too."""
    budget, merged = Budget(settings.max_document_bytes, settings.max_archive_files), 0
    with open_zip(content) as container:
        for name in container.namelist():
            part = read_member(container, name, budget) or b""
            merged += sum(_area(*found.groups()) for found in _MERGED.finditer(part))
            if merged > _MOST_MERGED:
                message = f"电子表格的合并单元格覆盖超过 {_MOST_MERGED // 10_000} 万格，未读取。"
                raise UnreadableDocumentError(message, ("请取消整行、整列的合并后重新上传。",))


def _area(left: bytes, top: bytes, right: bytes, bottom: bytes) -> int:
    """Return how many cells lie between two corners such as B2 and C9."""
    return (_column(right) - _column(left) + 1) * (int(bottom) - int(top) + 1)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number


# --- the three libraries


def _xlsx(raw: RawDocument, settings: Settings) -> tuple[list[SheetGrid], list[Fault]]:
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    _check_size(raw.content, settings)
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw.content), data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, zlib.error, LookupError, OSError, *_WRONG) as error:
        raise UnreadableDocumentError("电子表格已损坏，无法读取。", _DAMAGED) from error
    shown = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    faults = _hidden(s.title for s in book.worksheets if s not in shown)
    return [_openpyxl_grid(sheet, faults) for sheet in shown], faults


def _openpyxl_grid(sheet: Any, faults: list[Fault]) -> SheetGrid:
    high, across = min(sheet.max_row, _MOST_ROWS), min(sheet.max_column, _MOST_COLUMNS)
    out = {number - 1 for number, row in sheet.row_dimensions.items() if row.hidden}
    rows = [
        [_shown(cell.value, cell.number_format) for cell in row]
        for row in sheet.iter_rows(max_row=high, max_col=across)
    ]
    wide = frozenset((m.min_row - 1, m.min_col - 1) for m in sheet.merged_cells.ranges if m.max_col > m.min_col)
    seen = _seen(sheet.title, rows, out, {at - 1 for at in _hidden_columns(sheet)}, faults)
    return SheetGrid(sheet.title, seen, wide, (high, across) != (sheet.max_row, sheet.max_column))


def _seen(
    name: str, rows: Sequence[Sequence[str]], out: Collection[int], aside: Collection[int], faults: list[Fault]
) -> tuple[tuple[str, ...], ...]:
    """Return what a sheet shows; words in hidden rows and columns (from 0) are no part of it, and a fault tells of them."""
    seen = [tuple("" if y in out or x in aside else word for x, word in enumerate(row)) for y, row in enumerate(rows)]
    unseen = sum(tuple(row) != shown for row, shown in zip(rows, seen, strict=True))
    if unseen:
        faults.append(Fault("rows_hidden", f"工作表“{name}”有 {unseen} 行的内容在隐藏的行或列里，未读入。"))
    return tuple(seen)


def _hidden_columns(sheet: Any) -> set[int]:
    """Return the numbers, from 1, of hidden columns; one entry of the file may stand for several."""
    hidden = [column for column in sheet.column_dimensions.values() if column.hidden]
    spans = [(column.min or column.index, column.max or column.index) for column in hidden]
    return {at for low, high in spans if isinstance(low, int) for at in range(low, min(high, _MOST_COLUMNS) + 1)}


def _xls(raw: RawDocument) -> tuple[list[SheetGrid], list[Fault]] | None:
    """Read an xls with its formats and hidden parts; None for one that is encrypted or too damaged for that."""
    import xlrd

    try:
        book = xlrd.open_workbook(file_contents=raw.content, formatting_info=True, logfile=io.StringIO())
        faults = _hidden(sheet.name for sheet in book.sheets() if sheet.visibility)
        return [_xlrd_grid(book, sheet, faults) for sheet in book.sheets() if not sheet.visibility], faults
    except (xlrd.XLRDError, xlrd.compdoc.CompDocError, struct.error, LookupError, MemoryError, *_WRONG):
        return None  # calamine may still know its values, or say what is wrong with it


def _xlrd_grid(book: Any, sheet: Any, faults: list[Fault]) -> SheetGrid:
    import xlrd

    def shown(cell: Any) -> str:
        form, value = book.format_map[book.xf_list[cell.xf_index].format_key].format_str, cell.value
        if cell.ctype == xlrd.XL_CELL_DATE and value >= 1:
            value = xlrd.xldate_as_datetime(value, book.datemode)
        elif cell.ctype == xlrd.XL_CELL_BOOLEAN:
            value = bool(value)
        elif cell.ctype == xlrd.XL_CELL_ERROR:
            value = xlrd.error_text_from_code.get(value, "")
        return _shown(value, form)

    rows = [[shown(cell) for cell in sheet.row(y)[:_MOST_COLUMNS]] for y in range(min(sheet.nrows, _MOST_ROWS))]
    out = {y for y, row in sheet.rowinfo_map.items() if row.hidden}
    aside = {x for x, column in sheet.colinfo_map.items() if column.hidden}
    wide = frozenset((top, left) for top, _, left, right in sheet.merged_cells if right - left > 1)
    cut = sheet.nrows > _MOST_ROWS or sheet.ncols > _MOST_COLUMNS
    return SheetGrid(sheet.name, _seen(sheet.name, rows, out, aside, faults), wide, cut)


def _calamine(raw: RawDocument, settings: Settings) -> tuple[list[SheetGrid], list[Fault]]:
    import python_calamine as calamine

    if raw.content.startswith(b"PK"):
        _check_size(raw.content, settings)
    try:
        book = calamine.load_workbook(io.BytesIO(raw.content))
        shown = [m.name for m in book.sheets_metadata if m.visible == calamine.SheetVisibleEnum.Visible]
        grids = [_calamine_grid(book.get_sheet_by_name(name)) for name in shown]
    except calamine.PasswordError as error:
        raise UnreadableDocumentError("电子表格已加密，需要密码才能打开。", _DAMAGED) from error
    except (calamine.CalamineError, ValueError, OSError) as error:
        raise UnreadableDocumentError("电子表格已损坏，无法读取。", _DAMAGED) from error
    faults = _hidden(m.name for m in book.sheets_metadata if m.name not in shown)
    message = "表中数值按单元格保存的值读出，百分号、小数位等显示格式和隐藏的行、列未识别，引用前请核对原件。"
    return grids, [*faults, Fault("cell_formats_lost", message)]


def _calamine_grid(sheet: Any) -> SheetGrid:
    rows = []
    for _, row in zip(range(_MOST_ROWS), sheet.iter_rows(), strict=False):
        rows.append(tuple(_shown(value, "") for value in row[:_MOST_COLUMNS]))
    top, left = sheet.start or (0, 0)
    ranges = sheet.merged_cell_ranges or []
    # iter_rows leaves out the empty columns on the left, and no rows
    wide = frozenset((a[0], a[1] - left) for a, b in ranges if b[1] > a[1]) | frozenset(
        (a[0] - top, a[1] - left) for a, b in ranges if b[1] > a[1]
    )
    return SheetGrid(
        sheet.name, tuple(rows), wide, sheet.total_height > _MOST_ROWS or sheet.total_width > _MOST_COLUMNS
    )


def _hidden(names: Iterable[str]) -> list[Fault]:
    hidden = list(names)
    return [Fault("sheets_hidden", f"工作表“{'、'.join(hidden)}”是隐藏的，未读入。")] if hidden else []


# --- cells


def _shown(value: object, form: str | None) -> str:
    """Return a cell as it is shown."""
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).upper()
    if isinstance(value, (int, float)):
        return _number(value, (form or "").split(";")[0])
    if isinstance(value, dt.datetime) and value.time() != dt.time():
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, dt.date):
        return _dated(value, form) if form and "月" in form else f"{value:%Y-%m-%d}"
    return _BREAK.sub(_joint, str(value).strip()).replace("|", "｜")


def _dated(value: dt.date, form: str) -> str:
    """Return a day in the words of its format (yyyy"年"m"月";@ or m"月"d"日前")."""
    parts = {"y": value.year, "m": value.month, "d": value.day}
    words = re.sub(r"\[[^\[\]]{0,40}\]|[\"\\]", "", form.partition(";")[0])
    return re.sub("[yY]{1,4}|[mM]{1,4}|[dD]{1,4}", lambda part: str(parts[part[0][0].lower()]), words)


def _joint(found: re.Match[str]) -> str:
    around = found.string[found.start() - 1 : found.start()] + found.string[found.end() : found.end() + 1]
    return " " if around.isascii() else ""


def _number(value: float, form: str) -> str:
    plain = format(value, ".15g")
    if "e" in plain or "n" in plain:
        return plain
    exact = Decimal(plain)
    around = _WITH_WORDS.fullmatch(form)
    own = around["form"].strip("_ ") if around else form
    if around and own != form.strip("_ ") and (own == "General" or _FIXED.fullmatch(own)):
        before, after = (re.sub(r"[\"\\]", "", around[side]) for side in ("before", "after"))
        return f"{before}{_number(value, own)}{after}"
    if found := _PERCENT.search(form):
        return f"{_rounded(exact * 100, found['places'])}%"
    if found := _FIXED.fullmatch(form.strip("_ ()*")):
        return format(_rounded(exact, found["places"]), ",f" if "," in form else "f")
    return plain


def _rounded(value: Decimal, places: str | None) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-len(places or "")), ROUND_HALF_UP)


# --- lines


def _lines(grid: SheetGrid) -> list[str]:
    """Return the sheet as lines, one table below the other."""
    starts = [0, *(y for y in range(1, len(grid.rows)) if _begins_table(grid.rows, y)), len(grid.rows)]
    return [line for start, end in itertools.pairwise(starts) for line in _lines_of(_part(grid, start, end))]


def _begins_table(rows: Sequence[Sequence[str]], y: int) -> bool:
    """Whether a row is the caption of a further table: words alone below an empty row, above a row of several cells and what
    says its unit.
    """
    below = next((row for row in rows[y + 1 : y + 3] if not _is_labels(row)), ())
    alone = not any(rows[y - 1]) and sum(map(bool, rows[y])) == 1
    return alone and sum(map(bool, below)) > 1 and not _NO_CAPTION.match(max(rows[y]))


def _part(grid: SheetGrid, start: int, end: int) -> SheetGrid:
    """Return the rows of a sheet from ``start`` to ``end`` as a sheet."""
    wide = frozenset((y - start, x) for y, x in grid.wide if start <= y < end)
    return SheetGrid(grid.name, grid.rows[start:end], wide)


def _lines_of(grid: SheetGrid) -> list[str]:
    """Return one table: what stands alone in its row as it is, the rest as table rows of one width."""
    used = [c for c in range(max(map(len, grid.rows), default=0)) if any(c < len(r) and r[c] for r in grid.rows)]
    filled = [[c for c, word in enumerate(row) if word] for row in grid.rows]
    tabular = [i for i, cells in enumerate(filled) if len(cells) > 1 and not _is_labels(grid.rows[i])]
    first, last = (tabular[0], tabular[-1]) if tabular else (0, -1)
    found: list[str] = []
    for index, (row, cells) in enumerate(zip(grid.rows, filled, strict=True)):
        if not cells:
            continue
        outside = not first <= index <= last and (len(cells) == 1 or index not in tabular)
        if outside or (len(cells) == 1 and (index, cells[0]) in grid.wide) or len(used) == 1:
            found.append("  ".join(row[c] for c in cells))
        else:
            found.append(" | ".join(row[c] if c < len(row) else "" for c in used).strip(" "))
    return found


def _is_labels(row: Sequence[str]) -> bool:
    """Whether every cell of a row says what it is by itself (填报单位：…　单位：万元), or stands behind the label that does:
    no row of the table.
    """
    words = [word for word in row if word]
    return all(
        _LABEL.search(word) or above.endswith(("：", ":")) for above, word in zip(["", *words], words, strict=False)
    )


def _named(name: str, rows: Sequence[str], sheets: int) -> Iterator[str]:
    """Put the sheet's name first where it says something that the rows do not."""
    named = any(name in row for row in rows[:3])
    if sheets > 1 and not named and not _UNNAMED.fullmatch(name):
        yield name
    yield from rows
