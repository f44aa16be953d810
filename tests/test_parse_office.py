"""Word files: what Word shows is what is read. Old formats need a program of the system."""

from __future__ import annotations

import io
import shutil
import time
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from parse_samples import NOTICE

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse import parse
from nemo.parse.word import office
from nemo.parse.word.numbering import format_number
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

W = nsdecls("w")


def read(content: bytes, name: str = "示例.docx") -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


def saved(document: docx.document.Document) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def with_paragraph(xml: str) -> bytes:
    """A document whose only paragraph has this content."""
    document = docx.Document()
    document.element.body.insert(0, parse_xml(f"<w:p {W}>{xml}</w:p>"))
    return saved(document)


def test_paragraphs_and_tables_in_place() -> None:
    document = docx.Document()
    document.add_paragraph(NOTICE[0])
    table = document.add_table(2, 2)
    for cell, text in zip(
        (c for row in table.rows for c in row.cells), ["项目", "限值", "电压偏差", "±7%"], strict=True
    ):
        cell.text = text
    document.add_paragraph(NOTICE[1])
    assert read(saved(document)).text.split("\n") == [NOTICE[0], "项目 | 限值", "电压偏差 | ±7%", NOTICE[1]]


def test_blank_and_zero_width_paragraphs_vanish_indents_too() -> None:
    document = docx.Document()
    for text in ("　　第一条　为了规范管理。", "\u200b", "", "  ", "第二条　施行。"):
        document.add_paragraph(text)
    assert read(saved(document)).text == "第一条　为了规范管理。\n第二条　施行。"


def test_line_break_inside_a_paragraph_makes_a_line() -> None:
    document = docx.Document()
    document.add_paragraph("第一条　为了规范管理。\n第二条　施行。")
    assert read(saved(document)).text == "第一条　为了规范管理。\n第二条　施行。"


@pytest.mark.parametrize(
    ("remark", "xml", "expected"),
    [
        ("inserted text stays", "<w:r><w:t>应当</w:t></w:r><w:ins><w:r><w:t>依法</w:t></w:r></w:ins><w:r><w:t>办理</w:t></w:r>", "应当依法办理"),
        ("deleted text goes", "<w:r><w:t>应当</w:t></w:r><w:del><w:r><w:delText>可以</w:delText></w:r></w:del><w:r><w:t>办理</w:t></w:r>", "应当办理"),
        ("moved text stands once", "<w:moveFrom><w:r><w:t>应当</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>应当</w:t></w:r></w:moveTo>", "应当"),
        ("link and tag", "<w:hyperlink><w:r><w:t>应当</w:t></w:r></w:hyperlink><w:smartTag><w:r><w:t>办理</w:t></w:r></w:smartTag>", "应当办理"),
        ("field result, not its code", "<w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>8</w:t></w:r>", "8"),
        ("hidden text", "<w:r><w:rPr><w:vanish/></w:rPr><w:t>批注</w:t></w:r><w:r><w:t>办理</w:t></w:r>", "办理"),
        ("pronunciation above characters", "<w:r><w:ruby><w:rt><w:r><w:t>dian</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>电</w:t></w:r></w:rubyBase></w:ruby></w:r>", "电"),
        ("content control", "<w:sdt><w:sdtContent><w:r><w:t>办理</w:t></w:r></w:sdtContent></w:sdt>", "办理"),
        ("text box once, after its paragraph",
         '<w:r><w:t>正文</w:t></w:r><w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="wps">'
         "<w:txbxContent><w:p><w:r><w:t>框内</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>框内</w:t></w:r></w:p>"
         "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>", "正文\n框内"),
    ],
)  # fmt: skip
def test_what_word_shows(remark: str, xml: str, expected: str) -> None:
    assert read(with_paragraph(xml)).text == expected, remark


def test_a_paragraph_whose_end_was_deleted_runs_on() -> None:
    document = docx.Document()
    deleted = f'<w:p {W}><w:pPr><w:rPr><w:del w:id="1" w:author="a"/></w:rPr></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>'
    for xml in (deleted % "第一条　应当", deleted % "依法", f"<w:p {W}><w:r><w:t>办理。</w:t></w:r></w:p>"):
        document.element.body.insert(len(document.element.body) - 1, parse_xml(xml))
    assert read(saved(document)).text == "第一条　应当依法办理。"


NUMBERING = f"""<w:numbering {W}>
<w:abstractNum w:abstractNumId="1">
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="chineseCountingThousand"/><w:suff w:val="space"/><w:lvlText w:val="第%1条"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:suff w:val="nothing"/><w:lvlText w:val="（%2）"/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%3."/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl></w:abstractNum>
<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="3"/></w:num></w:numbering>"""


def numbered(rows: list[tuple[int, int, str]]) -> bytes:
    """A document of (list, level, text) paragraphs; list 0 is none."""
    document = docx.Document()
    part = document.part.numbering_part
    part._element = parse_xml(NUMBERING)
    for number, level, text in rows:
        pr = f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr></w:pPr>' if number else ""
        document.element.body.insert(
            len(document.element.body) - 1, parse_xml(f"<w:p {W}>{pr}<w:r><w:t>{text}</w:t></w:r></w:p>")
        )
    return saved(document)


@pytest.mark.parametrize(
    ("remark", "rows", "expected"),
    [
        ("articles count on over other paragraphs", [(1, 0, "甲"), (0, 0, "乙"), (1, 0, "丙")], ["第一条 甲", "乙", "第二条 丙"]),
        ("items start anew in each article", [(1, 0, "甲"), (1, 1, "乙"), (1, 1, "丙"), (1, 0, "丁"), (1, 1, "戊")],
         ["第一条 甲", "（一）乙", "（二）丙", "第二条 丁", "（一）戊"]),
        ("third level", [(1, 0, "甲"), (1, 1, "乙"), (1, 2, "丙"), (1, 2, "丁")], ["第一条 甲", "（一）乙", "1.丙", "2.丁"]),
        ("a symbol bullet has no text", [(2, 0, "甲")], ["甲"]),
        ("a list of its own starts anew", [(1, 0, "甲"), (1, 0, "乙"), (3, 0, "丙"), (3, 0, "丁")], ["第一条 甲", "第二条 乙", "第一条 丙", "第二条 丁"]),
        ("dotted clauses of standards", [(4, 0, "甲"), (4, 1, "乙"), (4, 1, "丙"), (4, 0, "丁"), (4, 1, "戊")], ["1 甲", "1.1 乙", "1.2 丙", "2 丁", "2.1 戊"]),
        ("eleven articles", [(1, 0, "甲")] * 11, [*[f"第{n}条 甲" for n in "一二三四五六七八九十"], "第十一条 甲"]),
    ],
)  # fmt: skip
def test_automatic_numbers_are_restored(remark: str, rows: list[tuple[int, int, str]], expected: list[str]) -> None:
    assert read(numbered(rows)).text.split("\n") == expected, remark


@pytest.mark.parametrize(
    ("form", "number", "expected"),
    [
        ("decimal", 7, "7"), ("decimalZero", 7, "07"), ("decimalFullWidth", 12, "１２"), ("decimalEnclosedCircle", 3, "③"),
        ("chineseCountingThousand", 120, "一百二十"), ("ideographDigital", 10, "一〇"), ("ideographTraditional", 2, "乙"),
        ("upperRoman", 14, "XIV"), ("lowerLetter", 28, "bb"), ("unheardOf", 5, "5"), ("decimal", 0, "0"),
    ],
)  # fmt: skip
def test_number_formats(form: str, number: int, expected: str) -> None:
    assert format_number(number, form) == expected


def test_numbers_may_come_from_the_style() -> None:
    document = docx.Document()
    document.part.numbering_part._element = parse_xml(NUMBERING)
    style = document.styles["Heading 1"].element
    style.get_or_add_pPr().append(parse_xml(f'<w:numPr {W}><w:numId w:val="1"/></w:numPr>'))
    document.add_paragraph("为了规范管理。", style="Heading 1")
    assert read(saved(document)).text == "第一条 为了规范管理。"


def test_title_style_is_a_hint() -> None:
    document = docx.Document()
    document.add_paragraph("示例省电力条例", style="Title")
    document.add_paragraph("第一条　总则。")
    assert read(saved(document)).title == "示例省电力条例"


def test_footnotes_follow_the_text() -> None:
    content = with_paragraph('<w:r><w:t>额定功率</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>')
    notes = f'<w:footnotes {W}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>指交流侧功率。</w:t></w:r></w:p></w:footnote></w:footnotes>'
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr("word/footnotes.xml", notes)
    assert read(out.getvalue()).text == "额定功率\n注1：指交流侧功率。"


def test_pictures_are_named_as_a_fault() -> None:
    from PIL import Image

    picture = io.BytesIO()
    Image.new("RGB", (20, 20)).save(picture, "PNG")
    document = docx.Document()
    document.add_paragraph("见下图。")
    document.add_picture(io.BytesIO(picture.getvalue()))
    assert [f.code for f in read(saved(document)).faults] == ["pictures_dropped"]


# --- old formats -----------------------------------------------------------------------------------------------------

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 504


def test_an_old_word_file_is_known_by_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(MissingDependencyError, match="antiword"):
        read(OLE + "WordDocument".encode("utf-16-le"), "其实是旧格式.docx")


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        ("EncryptedPackage", "加密"),
        ("Workbook", "电子表格"),
        ("PowerPoint Document", "演示文稿"),
        ("Other", "无法读取"),
    ],
)
def test_other_ole_files_are_refused_by_name(stream: str, message: str) -> None:
    with pytest.raises(UnreadableDocumentError, match=message):
        read(OLE + stream.encode("utf-16-le"), "a.doc")


def test_rtf_needs_libreoffice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(MissingDependencyError, match="libreoffice-writer"):
        read(b"{\\rtf1\\ansi hello}", "a.doc")


@pytest.mark.skipif(shutil.which("antiword") is None, reason="antiword is not installed")
def test_damaged_old_word_file_is_refused() -> None:
    with pytest.raises((UnreadableDocumentError, MissingDependencyError)):
        read(OLE + "WordDocument".encode("utf-16-le") + b"\xff" * 4000, "a.doc")


def test_antiword_tables_read_like_the_others() -> None:
    assert office._table_row("|项目   |限值 |") == "项目 | 限值"
    assert office._table_row("第一条 条文。") == "第一条 条文。"


def test_a_program_that_hangs_ends_with_everything_it_started(tmp_path: Path) -> None:
    mark = tmp_path / "late"
    began = time.monotonic()
    with pytest.raises(UnreadableDocumentError, match="超时"):
        office._run(["sh", "-c", f"(sleep 2; touch {mark}) & sleep 30"], 0.3)
    time.sleep(2.2)
    assert not mark.exists() and time.monotonic() - began < 10
