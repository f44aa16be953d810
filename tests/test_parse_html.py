"""Web pages: the body and nothing else, whatever the site."""

import html
import json

import pytest
from parse_samples import NOTICE, PAGES, TITLE, page_sidebar, page_stub, page_table_layout, page_trs

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

ADDRESS = "https://nyj.example.gov.cn/zwgk/202405/t20240522_1.html"


def read(content: bytes, name: str = "页面.html", url: str | None = ADDRESS) -> ParsedDocument:
    return parse(RawDocument.of(content, name, url=url), Settings())


def page(body: str, head: str = "") -> bytes:
    return f"<html><head><meta charset=utf-8><title>{TITLE}</title>{head}</head><body>{body}</body></html>".encode()


def block(rows: list[str]) -> str:
    return "<div>" + "".join(f"<p>{row}</p>" for row in rows) + "</div>"


@pytest.mark.parametrize("name", PAGES)
def test_every_paragraph_of_the_body_and_no_shell(name: str) -> None:
    parsed = read(PAGES[name]())
    rows = parsed.text.split("\n")
    assert [row for row in NOTICE if row not in rows] == []
    extra = [row for row in rows if row not in NOTICE and row != TITLE]
    assert all(row.startswith(("附件：", "联系人：")) for row in extra), extra
    assert parsed.title == TITLE
    assert parsed.pages == ()


def test_a_headline_that_the_name_of_the_page_repeats_is_the_title() -> None:
    shown = f"<title>【问答】《示例规范》 - 政策解读 - 示例网</title><body><h1>示例省能源局</h1><ol><li>政策解读</li></ol><h1>【问答】《示例规范》</h1>{block(list(NOTICE))}"
    assert read(f"<meta charset=utf-8>{shown}".encode()).title == "【问答】《示例规范》"


def test_sidebar_numbers_never_enter_the_text() -> None:
    parsed = read(page_sidebar())
    assert "2026" not in parsed.text
    assert "答记者问" not in parsed.text


def test_a_number_with_a_tool_right_behind_it_is_told_beside_the_text() -> None:
    row = "<div><span>示能安全〔2031〕9号</span><span>发布时间：2031-04-02</span></div>"
    parsed = read(page(f"<div>{TITLE}</div>{row}{block([*NOTICE[2:]])}"))
    assert ("示能安全〔2031〕9号" in parsed.margin, "示能安全" in parsed.text) == (True, False)


def test_scripts_never_enter_the_text() -> None:
    assert "脚本" not in read(page_trs()).text


def test_declared_gb2312_is_read_as_gb18030() -> None:
    parsed = read(page_table_layout())
    assert "㛃" in parsed.text
    assert "\ufffd" not in parsed.text
    assert parsed.parser == "html/gb18030"


@pytest.mark.parametrize(
    ("remark", "declared", "real"),
    [("says gb2312, is UTF-8", "gb2312", "utf-8"), ("says UTF-8, is GBK", "utf-8", "gbk"), ("says nothing, is GBK", "", "gbk"),
     ("says an unknown name", "x-unheard-of", "gb18030")],
)  # fmt: skip
def test_a_wrong_declaration_does_no_harm(remark: str, declared: str, real: str) -> None:
    meta = f"<meta charset={declared}>" if declared else ""
    content = f"<html><head>{meta}</head><body>{block(list(NOTICE))}</body></html>".encode(real)
    assert read(content).text.split("\n") == list(NOTICE), remark


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_characters_are_a_page_with_and_without_a_mark(encoding: str) -> None:
    content = f"<html><head><title>{TITLE}</title></head><body>{block(list(NOTICE))}</body></html>".encode(encoding)
    parsed = read(content)
    assert parsed.text.split("\n")[-len(NOTICE) :] == list(NOTICE)
    assert parsed.parser.startswith("html/utf-")


@pytest.mark.parametrize("declared", ["<meta charset=big5>", ""])
def test_a_page_in_big5_is_read(declared: str) -> None:
    rows = ["示能〔2034〕15號", "各有關電力企業：", "一、儲能項目應當在併網前30日提交檢測報告（演示文本）。"]
    content = f"<html><head>{declared}</head><body>{block(rows)}</body></html>".encode("big5")
    assert read(content).text.split("\n") == rows


def test_the_lines_of_preformatted_text_are_its_paragraphs() -> None:
    rows = "\n".join(f"    {row}" for row in NOTICE)
    assert read(page(f"<pre>{rows}</pre>")).text.split("\n")[-len(NOTICE) :] == list(NOTICE)


def test_a_short_notice_in_a_block_named_like_a_tool_is_kept() -> None:
    content = page(f'<div class="nav"><a>首页</a></div><div id="print">{block(list(NOTICE[1:4]))}</div>')
    assert NOTICE[2] in read(content).text


def test_a_page_saved_whole_is_read() -> None:
    import base64

    body = base64.encodebytes(page_trs()).decode()
    head = 'From: <Saved by a browser>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="XX"\r\n\r\n'
    part = f"--XX\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n{body}\r\n--XX--\r\n"
    assert read((head + part).encode(), "a.doc").text == read(page_trs()).text


def test_a_page_of_frames_saved_whole_is_read() -> None:
    parts = {
        "main": '<html><head><title>示例</title></head><frameset cols="90,*"><frame src="x/menu"><frame src="x/text"></frameset></html>',
        "menu": "<html><body><a href=1>栏目一</a><br><a href=2>栏目二</a></body></html>",
        "text": f"<html><head><title>{TITLE}</title></head><body><table><tr><td>{block(list(NOTICE))}</td></tr></table></body></html>",
    }
    head = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="XX"\r\n\r\n'
    kind = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: 8bit"
    body = "".join(f"--XX\r\n{kind}\r\nContent-Location: x/{name}\r\n\r\n{part}\r\n" for name, part in parts.items())
    assert read(f"{head}{body}--XX--\r\n".encode(), "a.mht").text.split("\n") == list(NOTICE)


HELD = "<h3>关于检修的通知</h3>" + "".join(
    f"<p>{row}</p>" for row in ("各电站：", "为做好检修工作，现通知如下。", "一、电站应当每年检修一次，停运的除外。")
)
"""A text that a page holds elsewhere than in its elements."""


@pytest.mark.parametrize(
    ("remark", "shown"),
    [
        ("frame written into an attribute", f'<h1>网站首页</h1><iframe srcdoc="{HELD}"></iframe>'),
        (
            "data as JSON",
            f'<div>加载中</div><script id="__NEXT_DATA__">{{"list": ["其他文章"], "body": {json.dumps(HELD)}}}</script>',
        ),
        (
            "data of a program",
            f"<div>加载中</div><script>window.__NUXT__=(function(a){{return {{body:{json.dumps(HELD)},n:a}}}}(1))</script>",
        ),
        (
            "a field that a script shows",
            f'<div>加载中</div><div id="show"></div><textarea id="held" style="display:none">{html.escape(HELD)}</textarea>',
        ),
    ],
    ids=["frame", "json", "program", "field"],
)
def test_a_text_that_the_page_holds_elsewhere_is_read(remark: str, shown: str) -> None:
    text = read(f"<html><head><meta charset=utf-8><title>详情</title></head><body>{shown}</body></html>".encode()).text
    assert "关于检修的通知\n各电站：" in text, remark
    assert "一、电站应当每年检修一次，停运的除外。" in text
    assert "其他文章" not in text and "加载中" not in text


def test_data_of_a_page_that_shows_its_text_are_not_read_again() -> None:
    shown = page(block(NOTICE) + f"<script>var state={{body:{json.dumps(HELD)}}}</script>")
    assert "每年检修一次" not in read(shown).text


def test_attachments_are_named_with_full_addresses() -> None:
    (absent,) = (fault.message for fault in read(page_trs()).faults if "附件" in fault.message)
    assert "分布式光伏接入申请表.pdf（https://nyj.example.gov.cn/zwgk/202405/P020240522345.pdf）" in absent


def test_canonical_address_wins_over_the_fetched_one() -> None:
    assert read(page_trs(), url="https://nyj.example.gov.cn/x?from=list").url == ADDRESS


@pytest.mark.parametrize(
    "href", ["javascript:alert(1)", "file:///etc/passwd.pdf", "data:text/html,x.pdf", "http://[::1/x.pdf"]
)
def test_canonical_address_is_a_web_address(href: str) -> None:
    content = page(block(list(NOTICE)), f'<link rel="canonical" href="{href}">')
    assert read(content).url == ADDRESS


LETTER = (
    "示例能规〔2025〕7号",
    "各市能源主管部门：",
    "为规范示例项目备案，现将《示例省光伏发电项目备案管理办法》印发给你们，请认真落实。",
    "示例省能源局",
    "2025年3月4日",
    "示例省光伏发电项目备案管理办法",
    "第一条　为了简化备案，制定本办法。",
    "第二条　本办法自2025年4月1日起施行。",
)


def test_the_letter_above_an_enclosed_rule_is_kept_with_its_day_of_signing() -> None:
    tools = "<p>发布日期：2025-03-06</p><p>来源：示例省能源局</p><p>2025-03-06</p>"
    assert read(page(tools + block(list(LETTER)))).text.split("\n") == [TITLE, *LETTER]


@pytest.mark.parametrize(
    ("remark", "files"),
    [
        ("list of files", '<p>附件下载：</p><ul><li><a href="1.xlsx">附件1：信息表.xlsx</a></li><li><a href="2.docx">附件2：承诺书.docx</a></li></ul>'),
        ("names without suffix", '<p>附件</p><p><a href="1.xlsx">附件1：项目清单</a></p>'),
        ("one line", '<p>附件：<a href="1.pdf">申请表.pdf</a></p>'),
        ("file that is not linked", "<p>附件：</p><p>1.申请表.wps</p>"),
    ],
)  # fmt: skip
def test_files_to_download_are_no_part_of_the_last_article(remark: str, files: str) -> None:
    parsed = read(page(f"<div>{block(list(NOTICE) + list(LETTER))}<div>{files}</div></div>"))
    assert parsed.text.split("\n")[-1] == LETTER[-1], remark


def test_attachments_that_a_letter_names_above_its_signature_are_its_text() -> None:
    rows = [*NOTICE[:-2], "附件：1.项目清单.xlsx", *NOTICE[-2:]]
    assert "附件：1.项目清单.xlsx" in read(page(block(rows))).text


def test_a_page_without_a_body_is_refused_with_its_attachments() -> None:
    with pytest.raises(UnreadableDocumentError, match="正文缺失") as caught:
        read(page_stub())
    assert f"{TITLE}.pdf" in caught.value.tips[0]
    assert "https://nyj.example.gov.cn/zwgk/202405/P0202405221.pdf" in caught.value.tips[0]


def test_signature_beside_the_body_is_kept() -> None:
    content = page(
        f'<div class="nav"><a>首页</a></div><div><div id="zoom">{block(list(NOTICE[:-2]))}</div>'
        f"<div><p>{NOTICE[-2]}</p><p>{NOTICE[-1]}</p></div></div>"
    )
    assert read(content).text.split("\n")[-2:] == list(NOTICE[-2:])


def test_annex_beside_the_body_is_kept() -> None:
    content = page(
        f'<div><div class="TRS_Editor">{block(list(NOTICE) * 3)}</div><div><p>第一条　附件的第一条。</p></div></div>'
    )
    assert "第一条　附件的第一条。" in read(content).text


@pytest.mark.parametrize(
    "row", ["第1页/共2页　<a href=1>上一页</a> [1] <a href=2>2</a> <a href=2>下一页</a>", "PART 02"]
)
def test_what_a_page_sets_between_its_parts_is_no_text(row: str) -> None:
    shown = read(page(block([*NOTICE[:5], row, *NOTICE[5:]]))).text.split("\n")
    assert [each for each in shown if each != TITLE] == [each for each in NOTICE if each != TITLE]


def test_tables_become_rows() -> None:
    table = "<table><tr><th>机组类型</th><th>调节速率<br>（%/分钟）</th></tr><tr><td>循环流化床</td><td>1.0</td></tr></table>"
    rows = read(page(block(list(NOTICE[:6])) + table + block(list(NOTICE[6:])))).text.split("\n")
    at = rows.index("机组类型 | 调节速率 （%/分钟）")
    assert rows[at + 1] == "循环流化床 | 1.0"
    assert rows[at - 1] == NOTICE[5]
    assert rows[at + 2] == NOTICE[6]


def test_source_line_breaks_inside_a_paragraph_are_no_breaks() -> None:
    content = page(
        "<div><p>电网企业应当\n      公平开放电网，执行 GB/T\n 29319 的规定。</p>" + block(list(NOTICE)) + "</div>"
    )
    assert "电网企业应当公平开放电网，执行 GB/T 29319 的规定。" in read(content).text


@pytest.mark.parametrize(
    ("remark", "shape", "first", "numbers"),
    [
        ("paragraphs in the items", "", "", ("1. ", "2. ")),
        ("a list that goes on", "start=3", "", ("3. ", "4. ")),
        ("an item with a number of its own", "", "value=5", ("5. ", "6. ")),
        ("Chinese numerals", "style='list-style-type: cjk-ideographic'", "", ("一、", "二、")),
        ("an editor's numerals in brackets", "class='custom_cn2 list-paddingleft-1'", "", ("（一）", "（二）")),
        ("letters", "type=a", "", ("a. ", "b. ")),
        ("none", "style='list-style: none'", "", ("", "")),
    ],
)
def test_an_item_of_a_list_begins_with_the_number_it_is_shown_with(
    remark: str, shape: str, first: str, numbers: tuple[str, str]
) -> None:
    said = ("示例单位应当按月披露。", "示例单位应当按期整改。")
    items = f"<li {first}><p>{said[0]}</p></li><li><p>{said[1]}</p></li>"
    body = f"<div>{block(list(NOTICE[:4]))}<ol {shape}>{items}</ol>{block(list(NOTICE[4:]))}</div>"
    rows = read(page(body)).text.split("\n")
    assert [row for row in rows if row.endswith(said)] == [n + w for n, w in zip(numbers, said, strict=True)], remark


def test_markup_characters_stay_text() -> None:
    content = page(block([*NOTICE, "当 U&lt;0.9 或 P&gt;5&#37; 时，应当上报 &amp; 记录。"]))
    assert "当 U<0.9 或 P>5% 时，应当上报 & 记录。" in read(content).text


def test_an_exponent_of_a_page_stays_one() -> None:
    content = page(
        block(
            [
                *NOTICE[:-2],
                "年减排不低于1.2×10<sup>4</sup>吨，浓度不高于50mg/m<span style='vertical-align: super'>3</span>[<sup>注</sup>]。",
            ]
        )
    )
    assert "1.2×10⁴吨，浓度不高于50mg/m³[注]。" in read(content).text


def test_hidden_text_is_left_out() -> None:
    content = page('<p style="display:none">第九十九条 看不见的条文不得引用，也不得展示。</p>' + block(list(NOTICE)))
    assert "第九十九条" not in read(content).text


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("no text", page("")),
        ("script only", page("<script>var a='第一条 本办法';</script>")),
        ("markup cut off", b"<html><head><title>x"),
        ("deep nesting", b"<html><body>" + b"<div>" * 30000 + "文".encode() * 5),
        ("null bytes", b"<html>\x00\x00<body>\x00</body>"),
    ],
)
def test_pages_without_text_are_refused(remark: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocumentError):
        read(content)


def test_deep_nesting_keeps_the_text() -> None:
    content = b"<html><body>" + b"<span>" * 600 + "".join(f"<p>{r}</p>" for r in NOTICE).encode()
    assert NOTICE[3] in read(content).text


def test_a_tag_of_half_a_million_attributes_costs_no_minutes() -> None:
    crowded = "<p " + " ".join(f"a{n}=1" for n in range(500_000)) + f">{NOTICE[-1]}</p>"
    parsed = read(page(block(NOTICE[:-1]) + crowded))
    assert parsed.text == read(page(block(NOTICE))).text
