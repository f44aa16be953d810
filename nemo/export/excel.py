"""A report as an Excel file: one row a quote, every cell plain text (Excel 导出).

A quote that begins with = + - @ or a tab stays text (``quotePrefix``), so nothing in a regulation is ever run as a
formula; its value is the quote, character by character.
"""

import io
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from nemo.export.characters import visible
from nemo.export.proof import ProofOutcome
from nemo.export.report import NATION, UNPLACED, ExportReport, ReportPassage, fields, shown, source, statement

LONGEST = 32_767
"""UTF-16 units that a cell can hold."""

RISKY = tuple("=+-@\t\n＝＋－＠'|%")
"""First characters that some spreadsheet program takes for the start of a formula."""

_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
"""Excel reads ``_x0041_`` as A; the underscore itself must be escaped."""

WIDTHS = {
    "栏目": 24, "引文": 70, "前文": 40, "后文": 40, "表": 30, "法规": 32, "位置": 18, "发布机关": 20, "施行日期依据": 30, "时效依据": 30,
    "核验": 18, "注意": 30, "复核意见": 30, "网址": 30, "文件": 32, "引文SHA-256": 30, "文本SHA-256": 30, "原件SHA-256": 30,
}  # fmt: skip
WRAP = Alignment(wrap_text=True, vertical="top")
HEAD = PatternFill("solid", fgColor="E8EEF4")
WRONG = PatternFill("solid", fgColor="F8D7DA")


def write(report: ExportReport) -> bytes:
    """Return the report as the bytes of a .xlsx file."""
    book = Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)  # a new workbook has one sheet
    if front := {"matrix": _matrix, "many": _results}.get(report.kind):
        front(sheet, report)
        sheet = book.create_sheet()
    if any(report.passages):
        _quotes(sheet, report)
        sheet = book.create_sheet()
    _about(sheet, report)
    book.properties.creator = "Nemo"
    book.properties.title = report.title
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def put(sheet: Worksheet, row: int, column: int, text: str) -> Cell:
    """Write text into a cell, as text, whatever it begins with."""
    cell = sheet.cell(row, column)
    words = _ESCAPE.sub("_x005F_", visible(text))
    if len(words.encode("utf-16-le")) // 2 > LONGEST:
        words = f"〔本格 {len(text)} 字，超出 Excel 单元格上限 {LONGEST} 字，全文见 Word 导出或核验包〕"
        cell.fill = WRONG
    cell.value = words
    cell.data_type = "s"
    cell.quotePrefix = text.startswith(RISKY)
    cell.alignment = WRAP
    return cell


def table(sheet: Worksheet, title: str, widths: Mapping[str, int], lines: Iterable[Sequence[str | int]] = ()) -> None:
    """Fill a sheet with a row of heads, each with the width of its column in letters, and rows of words and numbers."""
    sheet.title = title
    for column, (name, width) in enumerate(widths.items(), 1):
        cell = put(sheet, 1, column, name)
        cell.font, cell.fill = Font(bold=True), HEAD
        sheet.column_dimensions[get_column_letter(column)].width = width
    for row, values in enumerate(lines, 2):
        for column, value in enumerate(values, 1):
            put(sheet, row, column, str(value))
            if isinstance(value, int):
                sheet.cell(row, column, value).data_type = "n"
    sheet.freeze_panes, sheet.print_title_rows = "A2", "1:1"
    sheet.page_setup.orientation, sheet.page_setup.fitToHeight = "landscape", 0
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    if sheet.max_row > 1:
        sheet.auto_filter.ref = sheet.dimensions


def _quotes(sheet: Worksheet, report: ExportReport) -> None:
    said = [fields(passage) for passage in report.passages]
    names = [*dict.fromkeys(name for values in said for name, words in values.items() if words)]
    lines = [[values.get(name, "") for name in names] for values in said]
    table(sheet, "引文", {name: WIDTHS.get(name, 14) for name in names}, lines)
    for row, passage in enumerate(report.passages, 2):
        if passage.proof.outcome is not ProofOutcome.PASSED:
            sheet.cell(row, names.index("核验") + 1).fill = WRONG


def _matrix(sheet: Worksheet, report: ExportReport) -> None:
    """What stands beside the provinces above, each province's own in a column of its own, one quote a cell over its source."""
    own = [g for g in report.groups if g.heading not in (NATION, UNPLACED)]
    last = max(2, len(own) + 1)
    table(sheet, "对照", {"栏目": 14} | {group.heading: _WIDE for group in own})
    row = 2
    for group in report.groups[: len(report.groups) - len(own)]:
        for words in itertools.chain.from_iterable(map(_placed, group.passages)):
            put(sheet, row, 1, group.heading if row % 2 == 0 else "出处")
            put(sheet, row, 2, words)
            sheet.merge_cells(start_row=row, end_row=row, start_column=2, end_column=last)
            sheet.row_dimensions[row].height = _high(words, _WIDE * (last - 1))
            row += 1
    for column, group in enumerate(own, 2):
        pairs = [*((note, "") for note in group.notes), *map(_placed, group.passages)]
        for place, words in enumerate(itertools.chain.from_iterable(pairs)):
            put(sheet, row + place, 1, "出处" if place % 2 else "本省规定")
            put(sheet, row + place, column, words)


def _placed(passage: ReportPassage) -> tuple[str, str]:
    return shown(passage.quote), source(fields(passage))


_WIDE, _LINE, _HIGHEST = 60, 15, 409
"""Width of a column of quotes in letters of half a character; points of a line, and of the highest row there is."""


def _high(words: str, width: int) -> int:
    """Return the height in points of a row of joined cells, which no program finds by itself."""
    lines = sum(-(-2 * len(line) // width) or 1 for line in words.split("\n"))
    return min(_LINE * (lines + 1), _HIGHEST)


def _results(sheet: Worksheet, report: ExportReport) -> None:
    """One row a question and province: what it came to, with the first quote and its place."""
    widths = {
        "问题": 48, "省份": 12, "结论": 14, "引文条数": 10, "首条引文": 70, "出处": 40, "说明": 40, "答复编号": 24,
    }  # fmt: skip
    lines = []
    for group, answer in zip(report.groups, report.answers, strict=True):
        first = _placed(group.passages[0]) if group.passages else ("", "")
        became = answer.verdict.value if answer.verdict else "拒答"
        lines.append((*group.asked, became, len(group.passages), *first, "".join(group.notes), answer.trace_id))
    table(sheet, "逐题", widths, lines)


def _about(sheet: Worksheet, report: ExportReport) -> None:
    sheet.title = "说明"
    put(sheet, 1, 1, report.title).font = Font(bold=True, size=14)
    lines = [
        *report.facts,
        # the notes of many questions stand beside them
        *((group.heading, note) for group in report.groups if not any(group.asked) for note in group.notes),
        *((f"核验声明 {number}", line) for number, line in enumerate(statement(report), 1)),
    ]
    for row, (name, words) in enumerate(lines, 2):
        put(sheet, row, 1, name)
        put(sheet, row, 2, words)
    sheet.column_dimensions["A"].width = 22
    sheet.column_dimensions["B"].width = 100
