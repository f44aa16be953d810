"""Rich text (.rtf) and OpenDocument texts (.odt): what a reader sees is read, and nothing that was deleted or hidden."""

import io
import zipfile

import pytest

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

HEAD = r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\fnil\fcharset134 SimSun;}{\f1\froman\fcharset0 Times New Roman;}}{\info{\title x}}"


def hexed(words: str) -> str:
    """Chinese as Word writes it: bytes of GBK."""
    return "".join(f"\\'{byte:02x}" for byte in words.encode("gb18030"))


def coded(words: str) -> str:
    """Chinese as other programs write it: numbers of Unicode, a sign behind each for readers that know none."""
    return "".join(f"\\u{ord(char) - 65536 if ord(char) > 32767 else ord(char)}?" for char in words)


def rtf(body: str) -> ParsedDocument:
    return parse(RawDocument.of(f"{HEAD}{body}}}".encode("latin-1"), "a.doc"), Settings())


SHOWN = [
    ("bytes of the file's page", hexed("第一条　电站应当备案。") + r"\par", "第一条　电站应当备案。"),
    ("numbers of Unicode", coded("第一条　电站应当备案。") + r"\par", "第一条　电站应当备案。"),
    ("a character half as code, half as a letter", r"\'ab" + "A" + hexed("电站") + r"\par", "獳电站".replace("獳", b"\xabA".decode("gb18030"))),
    ("a paragraph of a Mac", r"\f0 " + hexed("第一条　备案。") + "\\\n" + hexed("第二条　核准。"), "第一条　备案。\n第二条　核准。"),
    ("deleted words", hexed("价格为") + r"{\deleted " + hexed("三") + "}" + hexed("五元。") + r"\par", "价格为五元。"),
    ("hidden words", hexed("价格为") + r"\v " + hexed("三") + r"\v0 " + hexed("五元。") + r"\par", "价格为五元。"),
    ("a number that was set by itself", r"{\pntext\f1 1.\tab}" + hexed("项目概况。") + r"\par", "1.\t项目概况。"),
    ("an exponent", "10{\\super 3}" + hexed("千瓦，不是一百零三。") + r"\par", "10³千瓦，不是一百零三。"),
    ("a note", hexed("备案") + r"{\footnote \pard{\chftn} " + hexed("见目录。") + "}" + hexed("即可。") + r"\par", "备案即可。\n注1：见目录。"),
    ("a running foot", r"{\footer\pard " + hexed("第一页") + r"\par}" + hexed("正文如下。") + r"\par", "正文如下。"),
    ("a text box and its copy", r"{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt " + hexed("框中文字。") + r"\par}}{\shprslt " + hexed("框中文字。") + r"\par}}", "框中文字。"),
    (
        "a table",
        r"\trowd\cellx1\cellx2\pard\intbl " + hexed("电压") + r"\cell " + hexed("价格") + r"\cell\row\trowd\cellx1\cellx2\intbl 35"
        + hexed("千伏") + r"\cell 0.31\par " + hexed("含税") + r"\cell\row\pard " + hexed("以上为价格。") + r"\par",
        "电压 | 价格\n35千伏 | 0.31 含税\n以上为价格。",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "body", "text"), SHOWN, ids=[row[0] for row in SHOWN])
def test_what_is_shown_of_rich_text_is_read(remark: str, body: str, text: str) -> None:
    assert rtf(body).text == text, remark


def test_a_picture_in_rich_text_is_told() -> None:
    read = rtf(hexed("见图。") + r"\par{\pict\pngblip 89504e47}{\pict\bin4 }}}}}" + r"\par " + hexed("图后。"))
    assert read.text == "见图。\n图后。"
    assert [fault.code for fault in read.faults] == ["pictures_dropped"]


@pytest.mark.parametrize("content", [b"{\\rtf1\\ansi }", b"{\\rtf1" + b"{" * 5000, b"{\\rtf1\\bin99999999 x"])
def test_rich_text_without_words_or_built_to_harm_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableDocumentError):
        parse(RawDocument.of(content, "a.rtf"), Settings())


NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table", "style", "drawing")
)  # fmt: skip
LISTS = "".join(
    f'<text:list-style style:name="{name}">{"".join(levels)}</text:list-style>'
    for name, levels in {
        "article": ['<text:list-level-style-number text:level="1" style:num-prefix="第" style:num-suffix="条" style:num-format="一, 二, 三, ..."/>'],
        "dotted": [
            '<text:list-level-style-number text:level="1" style:num-format="1"/>',
            '<text:list-level-style-number text:level="2" style:num-format="1" text:display-levels="2"/>',
        ],
    }.items()
)  # fmt: skip


def item(style: str, words: str, more: str = "") -> str:
    return f'<text:list text:style-name="{style}"{more}><text:list-item><text:p>{words}</text:p></text:list-item></text:list>'


ON = ' text:continue-numbering="true"'
CELLS = "<table:table-row><table:table-cell><text:p>{}</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row>"


def odt(body: str, **parts: str) -> ParsedDocument:
    out = io.BytesIO()
    content = f"<office:document-content {NAMES}><office:automatic-styles>{LISTS}</office:automatic-styles><office:body><office:text>{body}</office:text></office:body></office:document-content>"
    with zipfile.ZipFile(out, "w") as container:
        container.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        for name, part in {"content.xml": content, **parts}.items():
            container.writestr(name, part)
    return parse(RawDocument.of(out.getvalue(), "a.odt"), Settings())


OPENED = [
    ("articles that count on", item("article", "备案。") + "<text:p>中间一款。</text:p>" + item("article", "核准。", ON), "第一条　备案。\n中间一款。\n第二条　核准。"),
    ("a list that begins anew", item("article", "备案。") + item("article", "另起。"), "第一条　备案。\n第一条　另起。"),
    (
        "clauses of two levels",
        item("dotted", "总则") + f'<text:list text:style-name="dotted"{ON}><text:list-item><text:list><text:list-item><text:p>适用范围。</text:p>'
        "</text:list-item><text:list-item><text:p>术语。</text:p></text:list-item></text:list></text:list-item></text:list>" + item("dotted", "附则", ON),
        "1　总则\n1.1　适用范围。\n1.2　术语。\n2　附则",
    ),
    (
        "what was deleted",
        '<text:tracked-changes><text:changed-region><text:deletion><text:p>旧的规定。</text:p></text:deletion></text:changed-region></text:tracked-changes>'
        '<text:p>新的<text:change text:change-id="c"/>规定。</text:p>',
        "新的规定。",
    ),
    ("blanks, tabs and marks", "<text:p>单位：<text:s text:c=\"2\"/>元<text:tab/>千瓦时<text:span>\n  价</text:span>格。</text:p>", "单位：  元\t千瓦时 价格。"),
    ("a note", "<text:p>备案<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>见目录。</text:p></text:note-body></text:note>即可。</text:p>", "备案即可。\n注1：见目录。"),
    ("a table with a covered cell", f"<table:table><table:table-header-rows>{CELLS.format('电压', '价格')}</table:table-header-rows>{CELLS.format('35千伏', '0.31')}</table:table>", "电压 |  | 价格\n35千伏 |  | 0.31"),
    ("a remark", "<text:p>正文<office:annotation><text:p>批注。</text:p></office:annotation>如下。</text:p>", "正文如下。"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "body", "text"), OPENED, ids=[row[0] for row in OPENED])
def test_what_is_shown_of_an_opendocument_text_is_read(remark: str, body: str, text: str) -> None:
    assert odt(body).text == text, remark


def test_an_opendocument_text_that_is_locked_or_empty_is_refused() -> None:
    with pytest.raises(UnreadableDocumentError, match="加密"):
        odt("<text:p>x</text:p>", **{"META-INF/manifest.xml": "<m><encryption-data/></m>"})
    with pytest.raises(UnreadableDocumentError, match="没有文字"):
        odt("<text:p/>")
    with pytest.raises(UnreadableDocumentError, match="嵌套过深"):
        odt("<text:list><text:list-item>" * 70 + "<text:p>x</text:p>" + "</text:list-item></text:list>" * 70)
