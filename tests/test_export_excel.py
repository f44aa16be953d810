"""Excel files: every cell is text, reads back character by character, and is never run as a formula."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from nemo import export
from nemo.export import excel
from nemo.export.characters import visible
from nemo.store.library import Library
from nemo.text.words.linebreaks import joined
from nemo.types import Review, Verdict
from tests.export_samples import FORBIDDEN, NASTY, answer, in_parts, law, quote, store
from tests.store_samples import opened
from tests.test_export_answer import AT
from tests.test_export_word import LAW, RULES, SEA, SUN

LONG = law("长文", ["长" * 40_000])


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened(tmp_path_factory.mktemp("excel")) as found:
        store(found, LAW, SUN, SEA, LONG)
        yield found


def rows(content: bytes, sheet: str = "引文") -> list[dict[str, str]]:
    head, *lines = openpyxl.load_workbook(io.BytesIO(content))[sheet].iter_rows(values_only=True)
    return [{str(k): "" if v is None else str(v) for k, v in zip(head, line, strict=True)} for line in lines]


def as_excel_shows(value: str) -> str:
    """Excel reads ``_x005F_`` as an underscore; openpyxl does not."""
    return re.sub(r"_x005F_(?=x[0-9A-Fa-f]{4}_)", "_", value)


def test_every_quote_reads_back_exactly(library: Library) -> None:
    content = export.write(export.of_answer(answer(*(quote(LAW, w) for w in NASTY)), library, RULES), "xlsx")
    assert [as_excel_shows(row["引文"]) for row in rows(content)] == [joined(words) for words in NASTY]
    assert {row["法规"] for row in rows(content)} == {LAW.title}


def test_what_no_file_can_carry_is_shown_by_its_code(library: Library) -> None:
    content = export.write(export.of_answer(answer(*(quote(LAW, w) for w in FORBIDDEN)), library, RULES), "xlsx")
    assert [row["引文"] for row in rows(content)] == [visible(words) for words in FORBIDDEN]


@pytest.mark.parametrize(
    "risky", ["=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "＝1+1", "#NULL!", "1E5", "TRUE"]
)
def test_nothing_is_a_formula(risky: str) -> None:
    book = Workbook()
    excel.put(book.active, 1, 1, risky)  # type: ignore[arg-type]
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
        styles = archive.read("xl/styles.xml").decode()
    assert "<f>" not in sheet and 't="inlineStr"' in sheet
    assert ('quotePrefix="1"' in styles) is risky.startswith(excel.RISKY)
    cell = openpyxl.load_workbook(out).active["A1"]  # type: ignore[index]
    assert (cell.value, cell.data_type) == (risky, "s")


@settings(max_examples=60)
@given(st.lists(st.text(alphabet=st.characters(codec=None), max_size=40), min_size=1, max_size=12))
def test_any_text_reads_back(texts: list[str]) -> None:
    book = Workbook()
    for row, text in enumerate(texts, 1):
        excel.put(book.active, row, 1, text)  # type: ignore[arg-type]
    out = io.BytesIO()
    book.save(out)
    sheet = openpyxl.load_workbook(out).active
    read = [sheet.cell(row, 1).value or "" for row in range(1, len(texts) + 1)]  # type: ignore[union-attr]
    assert [as_excel_shows(str(value)) for value in read] == [visible(text) for text in texts]


def test_a_quote_too_long_for_a_cell_is_not_cut(library: Library) -> None:
    content = export.write(export.of_answer(answer(quote(LONG, "长" * 40_000)), library, RULES), "xlsx")
    (row,) = rows(content)
    assert "40000 字" in row["引文"] and "核验包" in row["引文"]


def test_sources_hashes_review_and_statement_are_there(library: Library) -> None:
    cut = replace(quote(LAW, NASTY[0]), review=Review(Verdict.APPROVED, "王敏", AT))
    content = export.write(export.of_answer(answer(cut), library, RULES), "xlsx")
    (row,) = rows(content)
    expected = {
        "位置": "第1条", "文号": "演示令第3号", "施行日期": "2021-03-01", "时效": "现行有效", "适用日期": "2026-11-20",
        "核验": "逐字核验通过", "复核": "已复核", "复核人": "王敏", "复核日": "2026-11-20", "原件SHA-256": LAW.sha256,
    }  # fmt: skip
    assert {name: row[name] for name in expected} == expected
    about = openpyxl.load_workbook(io.BytesIO(content))["说明"]
    text = "\n".join(str(c.value) for line in about.iter_rows() for c in line if c.value)
    for part in ("多久检修一次？", "t-1", "广东", "共 1 条，通过 1 条"):
        assert part in text


def test_provinces_side_by_side(library: Library) -> None:
    nation, sun, sea = quote(LAW, NASTY[0]), quote(SUN, "每月清洗一次"), quote(SEA, "六级风停工")
    columns = [
        export.ReportColumn("sd", answer(nation, sun, trace="t-1"), (sun,)),
        export.ReportColumn("gd", answer(nation, trace="t-2"), near=(sea,)),
        export.ReportColumn("nm", answer(trace="t-3")),
    ]
    content = export.write(export.of_matrix("多久？", columns, library, RULES), "xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(content))["对照"]
    lines = [list(line) for line in sheet.iter_rows(values_only=True)]
    assert lines[0] == ["栏目", "山东", "广东", "内蒙古"]
    assert lines[1] == ["省份待核的规定", NASTY[0], None, None]  # its issuer is of no known province
    assert lines[2][0] == "出处" and "第1条" in lines[2][1]
    assert lines[3][:2] == ["本省规定", "每月清洗一次"] and lines[3][3].startswith("资料库内的本省文本中没有")
    assert "最相关的本省条文" in lines[3][2] and lines[5][2] == "六级风停工"
    assert [row["栏目"] for row in rows(content)] == ["省份待核的规定", "山东", "广东（相关条文，不构成答复）"]
    high, wide = sheet.row_dimensions[2].height, sheet.column_dimensions["B"].width
    assert high >= 15 * len(NASTY[0].split("\n")) and wide >= 60  # joined cells find no height by themselves


def test_a_refusal_is_a_file_too(library: Library) -> None:
    """It opens on what was asked and why there is no answer, not on a sheet of quotes without one."""
    book = openpyxl.load_workbook(io.BytesIO(export.write(export.of_answer(answer(), library, RULES), "xlsx")))
    told = {str(name): str(value) for name, value in book.active.iter_rows(max_col=2, values_only=True)}
    assert book.sheetnames == ["说明"] and told["答复性质"] == "拒答"
    assert "没有找到。" in [line[1] for line in book.active.iter_rows(values_only=True)]


def test_no_column_of_quotes_is_empty(library: Library) -> None:
    found = rows(export.write(export.of_answer(answer(quote(LAW, NASTY[0])), library, RULES), "xlsx"))
    assert all(any(row[name] for row in found) for name in found[0]) and "复核人" not in found[0]


def test_several_questions_stand_in_a_column_of_their_own(library: Library) -> None:
    given = in_parts(quote(LAW, NASTY[0]), quote(SUN, "每月清洗一次"))
    content = export.write(export.of_answer(given, library, RULES), "xlsx")
    assert [row["栏目"] for row in rows(content)] == ["多久检修？", "多久清洗？"]
    book = openpyxl.load_workbook(io.BytesIO(content))
    told = [cell.value for sheet in book for line in sheet.iter_rows() for cell in line]
    assert "怎么罚？" in told and "没有找到。" in told
