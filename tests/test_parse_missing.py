"""Text that is not there: pages that only announce a paper, files whose fonts were lost."""

import io

import pytest
from parse_samples import NOTICE, TITLE

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

CUT = TITLE[:-4] + "（2020"
"""A title that a site cut off inside its bracket, as it prints it over its menu."""
MENU = ["设为首页", "工作邮箱", "首页", "机构概览", "动态要闻", "信息公开", "在线办事"]
TOOLS = ["2024-05-22 10:14", "来源： 示例监管局", "Aa", "字体：", "小", "|", "中", "|", "大"]
FOOT = [
    "扫一扫在手机打开当前页", "网站地图", "办公地址：示例市示例路1号", "值班电话：020-00000000", "（接听时间：工作日 08:30-12:00、14:00-17:00）",
    "主办单位: 示例监管局", "京公网安备 00000000000000号", "网站标识码：bm00000000", "京ICP备00000000号",
]  # fmt: skip


def read(content: bytes, name: str) -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


def dump(*body: str) -> bytes:
    return "\n".join([CUT, *MENU, CUT, *TOOLS, TITLE, *body, *FOOT]).encode()


def web(body: str) -> bytes:
    return (
        f'<html><head><meta charset=utf-8><title>{TITLE}</title></head><body><div class="nav"><a href=/>首页</a></div><h1>{TITLE}</h1>'
        f'<p>来源：示例监管局</p><div class="TRS_Editor">{body}</div><p>主办单位: 示例监管局</p></body></html>'
    ).encode()


@pytest.mark.parametrize(
    ("remark", "content", "name"),
    [
        ("copied page with its title three times and a menu under a cut bracket", dump(), "甲.txt"),
        ("copied page with the name of an attachment", dump("附件：示例实施细则（征求意见稿）.docx"), "乙.txt"),
        ("the title again in the body", web(f"<p>{TITLE}</p><p>{TITLE}</p><p><a href=a.pdf>附件：{TITLE}.pdf</a></p>"), "丙.html"),
        ("links with long names and no format", web("<p>附件：</p>" + "".join(
            f'<p><a href="P{i}.docx">{i}.示例省电力辅助服务市场运营规则及并网运行管理实施细则配套文件汇编（{i}年修订征求意见稿）</a></p>' for i in (1, 2)
        )), "丁.html"),
    ],
)  # fmt: skip
def test_a_page_that_only_announces_its_text_is_refused(remark: str, content: bytes, name: str) -> None:
    with pytest.raises(UnreadableDocumentError, match="正文缺失") as caught:
        read(content, name)
    assert any("附件" in tip for tip in caught.value.tips), remark


def test_refusal_names_the_attachments() -> None:
    with pytest.raises(UnreadableDocumentError) as caught:
        read(web('<p><a href="https://nyj.example.gov.cn/a.pdf">附件：示例实施细则.pdf</a></p>'), "戊.html")
    assert any("示例实施细则" in tip and "https://nyj.example.gov.cn/a.pdf" in tip for tip in caught.value.tips)


def test_a_short_body_is_kept_and_the_menu_is_no_part_of_the_title() -> None:
    body = "各有关单位：为做好并网运行管理，现将有关事项通知如下，请认真贯彻执行，执行中遇到的问题及时向我局报告。"
    text = read(dump(body), "己.txt").text
    assert body in text
    assert not any(word in text for word in (*MENU, "接听时间"))


def printed(pieces: list[str], stated: bool) -> bytes:
    """A sheet whose glyphs show nothing, one piece a character, with or without the words behind them."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    for row, words in enumerate(pieces):
        for column, char in enumerate(words):
            begin = (
                f"/Span <</ActualText <FEFF{char.encode('utf-16-be').hex().upper()}>>> BDC" if stated else "/Span BMC"
            )
            place = f"1 0 0 1 {60 + 12 * column} {780 - 24 * row} Tm"
            canvas._code.append(f"{begin} BT /F1 12 Tf {place} ( ) Tj ET EMC")
    canvas.setFont("Helvetica", 12)
    canvas.drawString(300, 100, "2026")
    canvas.showPage()
    canvas.save()
    return out.getvalue()


ROWS = [
    "示例省能源局关于开展试点工作的复函",
    "你局来文收悉。经研究，原则同意开展试点。",
    "试点期限为二年，届满前应当评估。",
]


def test_words_behind_empty_glyphs_are_read_and_said_to_be_such() -> None:
    parsed = read(printed(ROWS, stated=True), "庚.pdf")
    assert all(row in parsed.text for row in ROWS), parsed.text
    assert [fault.code for fault in parsed.faults] == ["glyphs_missing"]


def test_a_file_whose_characters_are_lost_is_refused() -> None:
    with pytest.raises(UnreadableDocumentError, match=r"字体缺失|没有可读文字"):
        read(printed(ROWS, stated=False), "辛.pdf")


def test_a_lost_page_among_sound_ones_is_named() -> None:
    import pypdf
    from parse_samples import pdf

    writer = pypdf.PdfWriter()
    for content in (pdf(NOTICE, [TITLE]), printed(ROWS, stated=False)):
        for page in pypdf.PdfReader(io.BytesIO(content)).pages:
            writer.add_page(page)
    out = io.BytesIO()
    writer.write(out)
    faults = {fault.code: fault.message for fault in read(out.getvalue(), "壬.pdf").faults}
    assert f"第{len(writer.pages)}页" in faults["text_lost"]
