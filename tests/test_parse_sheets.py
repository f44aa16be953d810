"""Spreadsheets: what a reader sees in the cells, as caption, unit line, rows and notes."""

import datetime as dt
import io
import zipfile
from collections.abc import Callable

import pytest

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.text.structure.tables import tables
from nemo.types import ParsedDocument, RawDocument

TITLE = "演示广东省电网输配电价表（演示文本）"
UNIT = "单位：元/千瓦时"
NOTE = "注：1.表中电价含增值税。"
HEAD = ["用电分类", "电压等级", "电量电价", "比例"]
ROWS = [
    ["工商业用电（单一制）", "不满1千伏", 0.2211, 0.05],
    ["", "35千伏", 0.1, 0.125],
    ["工商业用电（两部制）", "110千伏", 0.0921, 1],
]  # fmt: skip
SHOWN = [
    "用电分类 | 电压等级 | 电量电价 | 比例",
    "工商业用电（单一制） | 不满1千伏 | 0.2211 | 5.0%",
    "| 35千伏 | 0.1000 | 12.5%",
    "工商业用电（两部制） | 110千伏 | 0.0921 | 100.0%",
]
STORED = [SHOWN[0], SHOWN[1].replace("5.0%", "0.05"), "| 35千伏 | 0.1 | 0.125", SHOWN[3].replace("100.0%", "1")]


def read(content: bytes, name: str = "附表.xlsx") -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


def xlsx(change: Callable[[object], None] | None = None) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for row in ([TITLE], [None, None, None, UNIT], HEAD, *ROWS, [NOTE], ["2.本表自2025年7月1日起执行。"]):
        sheet.append([None if cell == "" else cell for cell in row])
    sheet.merge_cells("A1:D1")
    sheet.merge_cells("A4:A5")
    sheet.merge_cells("A7:D7")
    for row in range(4, 7):
        sheet.cell(row, 3).number_format = "0.0000"
        sheet.cell(row, 4).number_format = "0.0%"
    if change:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def xls() -> bytes:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("附表")
    sheet.write_merge(0, 0, 0, 3, TITLE)
    sheet.write(1, 3, UNIT)
    for down, row in enumerate([HEAD, *ROWS], 2):
        for right, cell in enumerate(row):
            if cell != "":
                sheet.write(down, right, cell)
    sheet.write_merge(6, 6, 0, 3, NOTE)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods() -> bytes:
    def cell(value: object) -> str:
        if isinstance(value, (int, float)):
            return f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value}</text:p></table:table-cell>'
        return (
            f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
            if value
            else "<table:table-cell/>"
        )

    lines = [[TITLE], ["", "", "", UNIT], HEAD, *ROWS, [NOTE]]
    rows = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in lines)
    spaces = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    body = f'<office:body><office:spreadsheet><table:table table:name="附表">{rows}</table:table></office:spreadsheet></office:body>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml", f'<?xml version="1.0"?><office:document-content {spaces}>{body}</office:document-content>'
        )
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "make", "rows"),
    [
        ("附表.xlsx", xlsx, SHOWN),
        ("附表.xls", xls, STORED),
        ("附表.et", xls, STORED),
        ("附表.ods", ods, STORED),
        ("无名", xlsx, SHOWN),
    ],
)
def test_a_sheet_is_caption_unit_rows_and_notes(name: str, make: Callable[[], bytes], rows: list[str]) -> None:
    """The cells of the old format have none of their own: it shows what it stores."""
    parsed = read(make(), name)
    assert parsed.text.split("\n")[: len(rows) + 3] == [TITLE, UNIT, *rows, NOTE]
    assert parsed.title == TITLE
    (table,) = tables(parsed.text)
    assert (table.caption.of(parsed.text), table.unit.of(parsed.text)) == (TITLE, UNIT)
    assert [row.span.of(parsed.text) for row in table.rows] == rows[1:]
    assert table.notes[0].of(parsed.text) == NOTE
    formats = [fault.code for fault in parsed.faults]
    assert formats == (["cell_formats_lost"] if make is ods else [])


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (0.05, "0%", "5%"), (0.0515, "0.00%", "5.15%"), (1234567.891, "#,##0.00", "1,234,567.89"), (0.1 + 0.2, "General", "0.3"),
        (2025, "General", "2025"), (3.0, "0", "3"), (2.5, "0", "3"), (-0.5, "0.00_ ", "-0.50"), (dt.date(2025, 7, 1), "yyyy-mm-dd", "2025-07-01"),
        (1500, '#,##0"万元"', "1,500万元"), (0.3545, '0.0000"元/千瓦时"', "0.3545元/千瓦时"), (12, "¥#,##0.00", "¥12.00"), (2.5, 'General"倍"', "2.5倍"),
        (1500000, '0,"千元"', "1500000"), (dt.date(2025, 7, 1), 'yyyy"年"m"月"d"日"', "2025年7月1日"), ("第一行\n第二行", "General", "第一行第二行"), ("甲|乙", "General", "甲｜乙"),
    ],
)  # fmt: skip
def test_a_cell_says_what_it_shows(value: object, form: str, shown: str) -> None:
    def change(book: object) -> None:
        cell = book.active.cell(4, 3)  # type: ignore[attr-defined]
        cell.value, cell.number_format = value, form

    assert read(xlsx(change)).text.split("\n")[3].split(" | ")[2] == shown


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (0.0515, "0.00%", "5.15%"), (1234567.891, "#,##0.00", "1,234,567.89"), (0.1 + 0.2, "General", "0.3"), (2025, "General", "2025"),
        (dt.date(2025, 7, 1), 'yyyy"年"m"月"d"日"', "2025年7月1日"), (dt.date(2025, 7, 1), 'yyyy"年"m"月"', "2025年7月"), (True, "General", "TRUE"),
        (dt.datetime(2025, 7, 1, 9, 30), "yyyy-mm-dd hh:mm", "2025-07-01 09:30"), (0.25, "0.00_ ", "0.25"),
    ],
)  # fmt: skip
def test_a_cell_of_the_old_format_says_what_it_shows(value: object, form: str, shown: str) -> None:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("附表")
    for right, word in enumerate(("项目", "数值")):
        sheet.write(0, right, word)
    sheet.write(1, 0, "演示甲")
    sheet.write(1, 1, value, xlwt.easyxf(num_format_str=form))
    out = io.BytesIO()
    book.save(out)
    assert read(out.getvalue()).text == f"项目 | 数值\n演示甲 | {shown}"


def test_a_workbook_that_only_calamine_reads_says_that_formats_and_hidden_parts_are_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import xlrd

    def damaged(**_: object) -> None:
        raise xlrd.XLRDError("演示损坏")

    monkeypatch.setattr(xlrd, "open_workbook", damaged)
    parsed = read(xls())
    assert TITLE in parsed.text
    assert [(f.code, "隐藏的行、列" in f.message) for f in parsed.faults] == [("cell_formats_lost", True)]


def test_every_sheet_is_read_and_named_and_hidden_ones_are_said() -> None:
    def change(book: object) -> None:
        for name, state in (("山东", "visible"), ("底稿", "hidden")):
            sheet = book.create_sheet(name)  # type: ignore[attr-defined]
            sheet.sheet_state = state
            for row in (["地区", "电价"], ["演示济南", "0.61"]):
                sheet.append(row)

    parsed = read(xlsx(change))
    assert "山东\n地区 | 电价\n演示济南 | 0.61" in parsed.text
    assert "底稿" not in parsed.text
    assert [(f.code, "底稿" in f.message) for f in parsed.faults] == [("sheets_hidden", True)]


def test_hidden_rows_and_columns_are_not_read_and_said() -> None:
    def change(book: object) -> None:
        sheet = book.create_sheet("山东")  # type: ignore[attr-defined]
        for row in (["地区", "旧价", "电价"], ["演示济南", "0.59", "0.61"], ["演示旧区", "0.57", "0.58"]):
            sheet.append(row)
        sheet.column_dimensions["B"].hidden = sheet.row_dimensions[3].hidden = True

    parsed = read(xlsx(change))
    assert "山东\n地区 | 电价\n演示济南 | 0.61" in parsed.text and "旧" not in parsed.text
    assert [(f.code, "3 行" in f.message) for f in parsed.faults] == [("rows_hidden", True)]


def test_a_merge_of_the_whole_sheet_is_refused_before_it_is_opened() -> None:
    """openpyxl makes an object of each merged cell: of seventeen thousand million it has the memory for none."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(xlsx())) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'ref="A1:D1"', b'ref="A1:XFD1048576"'))
    with pytest.raises(UnreadableDocumentError, match="合并单元格覆盖超过 100 万格"):
        read(out.getvalue())


def test_a_sheet_beyond_the_limit_says_what_is_missing() -> None:
    def change(book: object) -> None:
        book.active.cell(1_000_000, 16_000).value = "末"  # type: ignore[attr-defined]

    assert "sheet_cut" in [fault.code for fault in read(xlsx(change)).faults]


@pytest.mark.parametrize("content", [xlsx()[:-400], xlsx()[:900], xls()[:2000], ods()[:300]])
def test_a_damaged_spreadsheet_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableDocumentError):
        read(content)


def test_an_empty_spreadsheet_is_refused() -> None:
    import openpyxl

    out = io.BytesIO()
    openpyxl.Workbook().save(out)
    with pytest.raises(UnreadableDocumentError, match="没有内容"):
        read(out.getvalue())


def test_a_cover_tables_below_each_other_and_labels_with_values_of_their_own_are_told_apart() -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.title, book.active["A1"] = "封面", "示例省能源局"
    sheet = book.create_sheet("目录")
    for row in (
        ["示例省2031年监管目录"], ["（自2031年2月1日起执行）", "单位：元"], ["填报单位：示例省能源局", "统计日期：", dt.date(2031, 1, 31)], ["项目", "期限", "能耗"],
        ["示例一期", dt.date(2031, 9, 30), 7], [None], ["示例省线损率表"], [None, "单位：%"], ["年份", "线损率"], ["2031年", 3.1],
    ):  # fmt: skip
        sheet.append(row)
    sheet["C3"].number_format, sheet["B5"].number_format = 'yyyy"年"m"月"d"日"', 'm"月"d"日前"'
    out = io.BytesIO()
    book.save(out)
    parsed = read(out.getvalue())
    assert parsed.title == "示例省2031年监管目录"
    assert parsed.text.split("\n")[2:] == [
        "示例省2031年监管目录", "（自2031年2月1日起执行）  单位：元", "填报单位：示例省能源局  统计日期：  2031年1月31日", "项目 | 期限 | 能耗",
        "示例一期 | 9月30日前 | 7", "示例省线损率表", "单位：%", "年份 | 线损率", "2031年 | 3.1",
    ]  # fmt: skip
