"""Word files: what Word shows is what is read. Old formats need a program of the system."""

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
        ("boxes of a form", '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/><w:t>并网</w:t><w:sym w:font="Wingdings" w:char="F0A8"/><w:t>离网</w:t></w:r>', "☑并网□离网"),
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
        ("a paragraph without words is counted", [(1, 0, "甲"), (1, 0, ""), (1, 0, "乙")], ["第一条 甲", "第三条 乙"]),
        ("eleven articles", [(1, 0, "甲")] * 11, [*[f"第{n}条 甲" for n in "一二三四五六七八九十"], "第十一条 甲"]),
    ],
)  # fmt: skip
def test_automatic_numbers_are_restored(remark: str, rows: list[tuple[int, int, str]], expected: list[str]) -> None:
    assert read(numbered(rows)).text.split("\n") == expected, remark


def test_a_row_that_begins_further_right_keeps_its_columns() -> None:
    document = docx.Document()
    table = document.add_table(2, 3)
    for cell, words in zip(table.rows[0].cells, ("机组", "限值", "周期"), strict=True):
        cell.text = words
    short = table.rows[1]._tr
    short.get_or_add_trPr().append(parse_xml(f'<w:gridBefore {W} w:val="1"/>'))
    short.remove(short.tc_lst[0])
    for cell, words in zip(short.tc_lst, ("80%", "一年"), strict=True):
        cell.p_lst[0].append(parse_xml(f"<w:r {W}><w:t>{words}</w:t></w:r>"))
    assert read(saved(document)).text.split("\n") == ["机组 | 限值 | 周期", "| 80% | 一年"]


def test_automatic_numbers_of_rows_are_their_cells() -> None:
    document = docx.Document()
    document.part.numbering_part._element = parse_xml(NUMBERING)
    table = document.add_table(3, 2)
    for row, words in zip(table.rows, ("示例电站甲", "示例电站乙", "示例电站丙"), strict=True):
        row.cells[0].paragraphs[0]._p.append(parse_xml(f'<w:pPr {W}><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr>'))
        row.cells[1].text = words
    assert read(saved(document)).text.split("\n") == ["1 | 示例电站甲", "2 | 示例电站乙", "3 | 示例电站丙"]


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


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_notes_follow_the_text(kind: str) -> None:
    content = with_paragraph(f'<w:r><w:t>额定功率</w:t></w:r><w:r><w:{kind}Reference w:id="2"/></w:r>')
    notes = f'<w:{kind}s {W}><w:{kind} w:type="separator" w:id="0"><w:p/></w:{kind}><w:{kind} w:id="2"><w:p><w:r><w:t>指交流侧功率。</w:t></w:r></w:p></w:{kind}></w:{kind}s>'
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        new.writestr(f"word/{kind}s.xml", notes)
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
        office._run(["sh", "-c", f"(sleep 2; touch {mark}) & sleep 600"], 0.3)
    time.sleep(2.2)
    assert not mark.exists() and time.monotonic() - began < 300, "it did not wait for what it started"


# --- formulas and pictures


MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def r(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def frac(above: str, below: str) -> str:
    return f"<m:f><m:num>{above}</m:num><m:den>{below}</m:den></m:f>"


def sub(base: str, below: str) -> str:
    return f"<m:sSub><m:e>{r(base)}</m:e><m:sub>{r(below)}</m:sub></m:sSub>"


def sup(base: str, above: str) -> str:
    return f"<m:sSup><m:e>{base}</m:e><m:sup>{r(above)}</m:sup></m:sSup>"


SUM = (
    '<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>' + r("i=1") + "</m:sub><m:sup>" + r("n") + "</m:sup><m:e>"
    + sub("Q", "i") + "</m:e></m:nary>"
)  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "written"),
    [
        (r("η=") + frac(sub("E", "放"), sub("E", "充")), "η=E_放 / E_充"),
        (frac(r("a+b"), r("c")), "(a+b) / c"),
        (frac(r("a"), r("b×c")), "a / (b×c)"),
        (frac(r("a"), r("b")) + r("c"), "(a / b)c"),
        (r("x÷") + frac(r("a"), r("b")), "x÷(a / b)"),
        (frac(frac(r("a"), r("b")), r("c")), "(a / b) / c"),
        (r("2") + frac(r("a"), r("b")), "2(a / b)"),
        (sup("<m:d><m:e>" + r("a+b") + "</m:e></m:d>", "2"), "(a+b)^2"),
        (sup(r("ab"), "2"), "(ab)^2"),
        (sub("P", "max"), "P_(max)"),
        (sup(r("e"), "-kt"), "e^(-kt)"),
        ("<m:rad><m:radPr><m:degHide m:val='1'/></m:radPr><m:deg/><m:e>" + r("a+b") + "</m:e></m:rad>", "√(a+b)"),
        ("<m:rad><m:deg>" + r("3") + "</m:deg><m:e>" + r("V") + "</m:e></m:rad>", "[3]√(V)"),
        (SUM, "∑_(i=1)^(n) (Q_i)"),
        ("<m:func><m:fName>" + r("min") + "</m:fName><m:e><m:d><m:e>" + r("a,b") + "</m:e></m:d></m:e></m:func>", "min(a,b)"),
        ("<m:bar><m:barPr><m:pos m:val='top'/></m:barPr><m:e>" + r("P") + "</m:e></m:bar>", "P\u0305"),
    ],
)  # fmt: skip
def test_a_formula_keeps_its_structure_in_one_line(formula: str, written: str) -> None:
    parsed = read(
        with_paragraph(f"<w:r><w:t>效率按</w:t></w:r><m:oMath {MATH}>{formula}</m:oMath><w:r><w:t>计算。</w:t></w:r>")
    )
    assert parsed.text == f"效率按{written}计算。"
    assert [fault.code for fault in parsed.faults] == ["formulas_linear"]


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("a matrix", f"<m:oMath {MATH}>{r('A=')}<m:m><m:mr><m:e>{r('1')}</m:e><m:e>{r('2')}</m:e></m:mr></m:m></m:oMath>"),
        ("a fraction without a denominator", f"<m:oMath {MATH}>{r('x=')}{frac(r('a'), '')}</m:oMath>"),
        ("a binomial", f"<m:oMath {MATH}><m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num>{r('n')}</m:num><m:den>{r('k')}</m:den></m:f></m:oMath>"),
        ("a part of a later standard", f"<m:oMath {MATH}>{r('x')}<m:novel><m:e>{r('y')}</m:e></m:novel></m:oMath>"),
        ("an equation editor's object", '<w:r><w:object><o:OLEObject xmlns:o="urn:schemas-microsoft-com:office:office" ProgID="Equation.3"/></w:object></w:r>'),
    ],
)  # fmt: skip
def test_a_formula_without_such_a_form_is_a_fault_and_none_of_it_is_written(remark: str, content: str) -> None:
    parsed = read(with_paragraph(f"<w:r><w:t>费用按</w:t></w:r>{content}<w:r><w:t>计算。</w:t></w:r>"))
    assert parsed.text == "费用按\ufffd计算。", remark
    (fault,) = parsed.faults
    assert fault.code == "formula_unreadable"
    assert fault.span is not None
    assert fault.span.of(parsed.text) == parsed.text


def test_an_exponent_is_no_digit_more() -> None:
    raised = '<w:r><w:t>不超过10</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>3</w:t></w:r><w:r><w:t>千瓦。</w:t></w:r>'
    assert read(with_paragraph(raised)).text == "不超过10³千瓦。"


def picture(rows: list[str]) -> io.BytesIO:
    from PIL import Image, ImageDraw, ImageFont

    font = ImageFont.truetype("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc", 34)
    image = Image.new("RGB", (900, max(740, 70 * len(rows) + 40)), "white")  # the recogniser enlarges lower ones
    for index, row in enumerate(rows):
        ImageDraw.Draw(image).text((30, 20 + 70 * index), row, fill="black", font=font)
    out = io.BytesIO()
    image.save(out, "PNG")
    out.seek(0)
    return out


@pytest.mark.skipif(not Path("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc").exists(), reason="no Chinese font")
def test_a_picture_with_words_is_read_in_its_place_and_marked() -> None:
    document = docx.Document()
    document.add_paragraph("第一条 电价标准见下图。")
    document.add_picture(picture(["演示山东输配电价标准", "不满1千伏电价为0.2211元"]))
    document.add_paragraph("第二条 本办法自2025年7月1日起施行。")
    parsed = read(saved(document))
    rows = parsed.text.split("\n")
    assert rows[0] == "第一条 电价标准见下图。"
    assert rows[-1] == "第二条 本办法自2025年7月1日起施行。"
    assert "0.2211" in rows[2]
    (fault,) = parsed.faults
    assert (fault.code, fault.span.of(parsed.text).split("\n")) == ("picture_recognised", rows[1:3])
    assert "置信度" in fault.message
