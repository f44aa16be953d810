"""Word files: every quote reads back character by character, every source stands in a real footnote."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import docx
import pytest
from docx.document import Document
from docx.oxml import OxmlElement
from docx.oxml.parser import parse_xml
from docx.text.run import Run
from hypothesis import given
from hypothesis import strategies as st

from nemo import export, rules, settings
from nemo.export.characters import visible
from nemo.export.footnotes import fill
from nemo.export.word import BESIDE, QUOTE
from nemo.store.library import Library
from nemo.text.words.linebreaks import joined
from nemo.types import Answer, Chunk, Hit, Review, Span, Verdict
from tests.export_samples import FORBIDDEN, NASTY, answer, in_parts, law, place, quote, store
from tests.store_samples import opened
from tests.test_export_answer import AT

RULES = rules.load(settings.load().rules)
LAW = law("青石镇风车检修规定（=cmd|' /C calc'!A0）", [*NASTY, *FORBIDDEN], url="https://demo.example/?a=1&b=<2>")
SUN = law("山东光板清洗规定", ["光板每月清洗一次。"], province="sd")
SEA = law("广东海上作业规定", ["六级风停工。"], province="gd")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with opened(tmp_path_factory.mktemp("word")) as found:
        store(found, LAW, SUN, SEA)
        yield found


def written(library: Library, given: Answer) -> bytes:
    return export.write(export.of_answer(given, library, RULES), "docx")


def read(content: bytes) -> Document:
    return docx.Document(io.BytesIO(content))


def quotes_in(document: Document) -> list[str]:
    return [p.runs[0].text for p in document.paragraphs if p.style is not None and p.style.name == QUOTE]


def text_of(document: Document) -> str:
    cells = [c.text for t in document.tables for r in t.rows for c in r.cells]
    return "\n".join([*(p.text for p in document.paragraphs), *cells])


def footnotes(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        root = parse_xml(archive.read("word/footnotes.xml"))
    name = f"{{{root.nsmap['w']}}}id"
    return {note.get(name): "".join(note.itertext()) for note in root}


def test_every_quote_reads_back_exactly(library: Library) -> None:
    document = read(written(library, answer(*(quote(LAW, words) for words in NASTY))))
    assert quotes_in(document) == [joined(words) for words in NASTY]


def test_what_no_file_can_carry_is_shown_by_its_code(library: Library) -> None:
    document = read(written(library, answer(*(quote(LAW, words) for words in FORBIDDEN))))
    assert quotes_in(document) == [visible(words) for words in FORBIDDEN]
    assert "竖表〔U+000B〕换页〔U+000C〕结束" in quotes_in(document)
    assert "〔U+十六进制码〕" in text_of(document)


@given(st.text(alphabet=st.characters(codec=None), max_size=60))  # any code point, lone surrogates too
def test_any_text_reads_back(text: str) -> None:
    element = OxmlElement("w:r")
    fill(element, text)
    assert Run(element, None).text == visible(text)  # type: ignore[arg-type]
    if not re.search("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]", text):
        assert visible(text) == text


def test_every_quote_has_a_footnote_with_its_source_and_hashes(library: Library) -> None:
    content = written(library, answer(*(quote(LAW, words) for words in NASTY[:3])))
    notes = footnotes(content)
    assert list(notes) == ["-1", "0", "1", "2", "3"]
    span = place(LAW, NASTY[0])
    for part in (LAW.title, "第1条", "演示令第3号", "施行日期：2021-03-01", "自2021年3月1日起施行", LAW.sha256,
                 f"第{span.start}至{span.end}字符", "https://demo.example/?a=1&b=<2>"):  # fmt: skip
        assert part in notes["1"]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        body = archive.read("word/document.xml").decode()
        assert re.findall(r'<w:footnoteReference w:id="(\d+)"/>', body) == ["1", "2", "3"]
        assert "footnotes+xml" in archive.read("[Content_Types].xml").decode()
        assert "footnotes.xml" in archive.read("word/_rels/document.xml.rels").decode()
        assert not [name for name in archive.namelist() if "thumbnail" in name]


def test_question_filters_date_and_statement_are_there(library: Library) -> None:
    text = text_of(read(written(library, answer(quote(LAW, NASTY[0])))))
    for part in (
        "多久检修一次？",
        "广东",
        "2026-11-20",
        "t-1",
        "核验声明",
        "共 1 条，通过 1 条，不符 0 条，无法核对 0 条",
    ):
        assert part in text
    assert "逐字核验通过" in text


def test_text_beside_a_quote_is_marked_and_exact(library: Library) -> None:
    cut = quote(LAW, NASTY[2], before=place(LAW, NASTY[0]), after=place(LAW, NASTY[1]))
    document = read(written(library, answer(cut)))
    beside = [[r.text for r in p.runs] for p in document.paragraphs if p.style is not None and p.style.name == BESIDE]
    assert beside == [["前文：", NASTY[0]], ["后文：", NASTY[1]]]


def test_a_quote_that_no_longer_stands_is_marked(library: Library) -> None:
    wrong = replace(quote(LAW, NASTY[0]), text="改过的文字")
    gone = replace(quote(LAW, NASTY[1]), regulation_id="0" * 16)
    text = text_of(read(written(library, answer(wrong, gone))))
    assert "不符：" in text and "无法核对：" in text
    assert "逐字核验通过" not in text and "通过 0 条，不符 1 条，无法核对 1 条" in text


def test_recognised_text_is_not_called_verbatim(tmp_path: Path) -> None:
    scanned = law("扫描件", ["条文。"], ocr_confidence=0.87)
    with opened(tmp_path) as library:
        store(library, scanned)
        text = text_of(read(written(library, answer(quote(scanned, "条文。")))))
    assert "逐字核验通过" not in text and "不称逐字，引用前须对照原页" in text and "置信度 0.87" in text


def test_a_refusal_has_no_quotes(library: Library) -> None:
    document = read(written(library, answer()))
    assert quotes_in(document) == [] and "没有找到。" in text_of(document)


def test_several_questions_stand_under_their_headings(library: Library) -> None:
    document = read(written(library, in_parts(quote(LAW, NASTY[0]), quote(SUN, "每月清洗一次"))))
    said = [p.text for p in document.paragraphs]
    places = [
        said.index(words) for words in ("多久检修？", NASTY[0], "多久清洗？", "每月清洗一次", "怎么罚？", "没有找到。")
    ]
    assert places == sorted(places)
    assert quotes_in(document) == [NASTY[0], "每月清洗一次"] and "依据另见上文引文①。" in said


def test_provinces_side_by_side(library: Library) -> None:
    nation, own = quote(LAW, NASTY[0]), quote(SUN, "每月清洗一次")
    columns = [
        export.ReportColumn("sd", answer(nation, own, trace="t-1"), (own,)),
        export.ReportColumn("gd", answer(nation, trace="t-2")),
        export.ReportColumn("nm", answer(trace="t-3")),
    ]
    document = read(export.write(export.of_matrix("多久？", columns, library, RULES), "docx"))
    assert quotes_in(document) == [NASTY[0]]
    head, row = document.tables[-1].rows
    assert [c.text for c in head.cells] == ["山东", "广东", "内蒙古"]
    assert row.cells[0].paragraphs[0].runs[0].text == "每月清洗一次"
    assert "没有检索到足以答复的条文" in row.cells[1].text and row.cells[1].text == row.cells[2].text
    assert document.sections[0].page_width > document.sections[0].page_height


def test_a_review_session(library: Library) -> None:
    reviewed = [
        replace(quote(LAW, NASTY[0]), review=Review(Verdict.APPROVED, "王敏", AT)),
        replace(quote(LAW, NASTY[1]), review=Review(Verdict.REJECTED, "李强", AT, "断章取义")),
        quote(LAW, NASTY[2]),
    ]
    report = export.of_review(reviewed, [("复核人", "不限")], library)
    document = read(export.write(report, "docx"))
    assert quotes_in(document) == [joined(NASTY[1]), joined(NASTY[2]), joined(NASTY[0])]
    assert "断章取义" in text_of(document) and "已复核，王敏，2026-11-20" in text_of(document)


@pytest.mark.parametrize("form", ["docx", "xlsx", "pdf", "json"])
def test_a_refusal_says_what_was_looked_for_and_what_lies_nearest(library: Library, form: str) -> None:
    """未作答复也要存档：问题、范围、日期、资料库多大、为什么、最相关的条文；不冒充核验过的引文。"""
    cut = place(SUN, "每月清洗一次")
    near = Hit(Chunk(Chunk.id_of(SUN.id, cut), SUN.id, "1", cut, cut.of(SUN.text)), 0.4)
    gone = Hit(Chunk("gone:0-2", "gone", "1", Span(0, 2), "已删"), 0.3)
    refused = answer()
    assert refused.refusal is not None
    report = export.of_answer(replace(refused, refusal=replace(refused.refusal, related=(near, gone))), library, RULES)
    assert report.title == "法规查询记录（未作答复）" and ("适用日期", "2026-11-20") in report.facts
    assert ("资料库", f"导出时收有 {len(library.rows())} 部法规") in report.facts
    assert [group.heading for group in report.groups] == ["资料库中没有足以答复的原文", "相关条文（不构成答复）"]
    assert report.groups[1].notes == ("《山东光板清洗规定》第1条（现行有效）：每月清洗一次",)
    assert "逐字比对" not in "".join(export.report.statement(report)) and export.write(report, form)
