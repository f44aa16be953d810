"""Plain text: encodings, pages, refusal of what is no text, and dumps of PDFs and web pages."""

from email.message import EmailMessage

import pytest
from parse_samples import NOTICE, TITLE, wrapped

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

TITLE_LINE = "示例省能源局关于开展示例评估的函"
TEXT = "示例省储能管理办法\r\n\r\n第一条　为了规范管理，制定本办法。\n第二条  本办法自2024年6月1日起施行。\n"


def read(content: bytes, name: str = "示例.txt") -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("UTF-8", TEXT.encode()),
        ("UTF-8 with mark", b"\xef\xbb\xbf" + TEXT.encode()),
        ("UTF-16 little endian with mark", b"\xff\xfe" + TEXT.encode("utf-16-le")),
        ("UTF-16 big endian with mark", b"\xfe\xff" + TEXT.encode("utf-16-be")),
        ("UTF-16 without mark", TEXT.encode("utf-16-le")),
        ("GB18030", TEXT.encode("gb18030")),
        ("GBK", TEXT.encode("gbk")),
    ],
)
def test_every_encoding_gives_the_same_text(remark: str, content: bytes) -> None:
    assert read(content).text == TEXT, remark


def test_short_gbk_is_recognised() -> None:
    assert read("电力调度管理办法".encode("gbk")).text == "电力调度管理办法"


def test_gb18030_characters_outside_gbk_survive() -> None:
    text = "联系人：㛃女士、𠮷先生，电话见附件。各有关单位应当按照本通知要求执行。"
    assert read(text.encode("gb18030")).text == text


def test_text_is_untouched_so_offsets_hold() -> None:
    text = "  第一条　前有空格\t和制表符\r\n\r\n\r\n第二条\u200b零宽字符  \n"
    assert read(text.encode()).text == text


def test_form_feeds_are_pages() -> None:
    text = "第一页。\n\f第二页。\f\f第四页"
    pages = read(text.encode()).pages
    assert [(p.number, p.span.of(text).strip("\n\f")) for p in pages] == [
        (1, "第一页。"),
        (2, "第二页。"),
        (3, ""),
        (4, "第四页"),
    ]
    assert pages[0].span.start == 0
    assert pages[-1].span.end == len(text)


def test_a_closing_form_feed_is_no_page() -> None:
    assert len(read("一。\f二。\f\n".encode()).pages) == 2


def test_markdown_is_kept_and_its_heading_is_a_hint() -> None:
    text = "# 示例省电力条例\n\n2024年5月20日 通过\n\n## 第一章 总则\n\n第一条 *示例*\n"
    parsed = read(text.encode(), "a.md")
    assert parsed.text == text
    assert parsed.title == "示例省电力条例"


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("empty", b""),
        ("blank", b" \n\t "),
        ("zero bytes", b"\x00" * 64),
        ("control characters", bytes(range(1, 32)) * 20),
        ("a program", b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 4),
        ("random high bytes", bytes((i * 73 + 131) % 128 + 128 for i in range(999))),
    ],
)
def test_binary_is_refused(remark: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocumentError) as caught:
        read(content)
    assert caught.value.tips, remark


@pytest.mark.parametrize(
    "magic", [b"MZ\x90\x00", b"\x00\x00\x00 ftypisom", b"ID3\x03\x00", b"AC1027\x00\x00", b"SQLite format 3\x00"]
)
def test_a_program_a_film_or_a_drawing_is_no_text_in_a_wrong_encoding(magic: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match="无法识别的文件格式"):
        read(magic + bytes(range(256)) * 20, "x.txt")


def test_a_letter_passed_on_by_mail_is_read_without_the_mail() -> None:
    title = "示例省能源局关于开展新能源场站网络安全专项检查和整改情况评估的函"  # as wide as a full line
    letter = [title, "示能函〔2032〕112号", "各市能源局：", "一、评估结果每季度更新一次，于每季度首月15日前公布。"]
    signed = ["示例省能源局", "2032年7月6日"]
    heads = ["发件人: 张某 <z@example.com>", "日期: 2032年7月8日 15:20", "主题: 关于开展示例评估的函", "收件人: 李某"]
    rows = [
        "请看下面这个，周五前反馈。",
        "---------- 转发的邮件 ---------",
        *heads,
        "",
        *(f"> {row}" for row in (*letter, *signed)),
    ]
    mail = EmailMessage()
    mail["Subject"], mail["From"] = "转发：函", "a@example.com"
    mail.set_content("\n".join([*rows, "", "发自我的手机"]), charset="utf-8")
    assert read(mail.as_bytes(), "x.eml").text.split("\n") == [*letter, *signed]
    copied = [*heads, "李某，您好，", "请看下面这个，周五前反馈。谢谢！", *rows[7:], "发自我的手机"]
    assert read("\n".join(copied).encode(), "x.txt").text.split("\n") == [*letter, *signed]


def test_a_bound_at_the_head_of_a_line_is_no_mark_of_a_mail() -> None:
    assert "\n> 500 千瓦\n" in read("\n".join(["容量分档", "> 500 千瓦", *map(str, NOTICE)]).encode(), "x.txt").text


def test_a_few_damaged_bytes_are_named() -> None:
    parsed = read(TEXT.encode() * 30 + b"\xe7\x94")
    assert [f.code for f in parsed.faults] == ["undecodable_characters"]


def test_pdf_dump_loses_its_furniture_and_its_line_breaks() -> None:
    first = [row for par in NOTICE[:4] for row in wrapped(par)]
    second = [row for par in NOTICE[4:] for row in wrapped(par)]
    dump = "\n".join(["[第 1 页]", "— 1 —", *first, "示 例 省 能 源 局 文 件", "", "[第 2 页]", "— 2 —", *second])
    parsed = read(dump.encode())
    assert parsed.text.split("\n") == list(NOTICE)
    assert [p.printed for p in parsed.pages] == ["1", "2"]
    assert parsed.margin == ("示 例 省 能 源 局 文 件",)
    assert [f.code for f in parsed.faults] == ["text_dump"]


def test_web_dump_keeps_the_body_only() -> None:
    shell = [
        f"{TITLE}_示例省能源局",
        "设为首页",
        "首页",
        "信息公开",
        TITLE,
        "2024-05-22 09:30",
        "来源：示例省能源局",
        "字体：",
        "大",
    ]
    foot = [
        "扫一扫在手机打开当前页",
        "网站地图",
        "主办单位：示例省能源局",
        "网站标识码：9900000001",
        "示ICP备99000001号",
    ]
    broken = ["示例能规〔", "2024", "〕", "18", "号", *NOTICE[1:-1], "202", "4", "年", "5", "月", "20", "日"]
    parsed = read("\n".join([*shell, *broken, *foot]).encode())
    assert parsed.text.split("\n") == [TITLE, *NOTICE]
    assert parsed.title == TITLE


def test_a_page_without_a_body_is_refused() -> None:
    rows = [
        TITLE,
        "首页",
        "2024-05-22 09:30",
        "来源：示例省能源局",
        "附件：",
        "20240522.pdf",
        "网站地图",
        "主办单位：示例省能源局",
        "示ICP备99000001号",
    ]
    with pytest.raises(UnreadableDocumentError, match="正文缺失") as caught:
        read("\n".join(rows).encode())
    assert caught.value.tips[0] == "附件：20240522.pdf。"


def test_bold_words_of_markdown_lose_their_marks() -> None:
    assert (
        read("# 示例通知\n\n最高不超过**8%**，星号*不是*强调。\n".encode(), "示例.md").text
        == "# 示例通知\n\n最高不超过8%，星号*不是*强调。\n"
    )


def test_a_post_of_an_account_is_copied_with_what_stands_around_it() -> None:
    told = "示例电力 2033年6月2日 08:11 山东\n{}\n▼往期精彩回顾▼\n示例周报（第22期）\n编辑：小示\n"
    letter = (
        "关于明确示例补偿有关事项的通知\n示监能〔2033〕4号\n各有关企业：\n为明确示例补偿标准，现将有关事项通知如下：\n"
        "一、里程补偿上限为6元/兆瓦。\n示例监管办公室\n2033年5月28日"
    )
    assert read(told.format(letter).encode()).text == letter


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (("类别　　　电压      元/千瓦时", "  沿海      高压      0.60", "  内河      低压      0.45"), "bars"),
        (("示例甲　　示例乙　　示例丙", "示例丁　　示例戊　　示例己", "示例庚　　示例辛　　示例壬"), ""),
        (("沿海  高压  0.60", "内河  低压  0.45"), ""),
    ],
)
def test_rows_set_with_blanks_are_a_table_where_they_hold_figures(rows: tuple[str, ...], shown: str) -> None:
    text = read("\n".join([*NOTICE[:4], *rows, *NOTICE[4:]]).encode()).text
    cells = [" | ".join(row.replace("　", "  ").split()) if shown else row for row in rows]
    assert "\n".join(cells) in text
