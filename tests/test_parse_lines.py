"""Printed lines → paragraphs: which breaks are only the edge of the paper."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from parse_samples import wrapped

from nemo.parse.lines import PrintedLine, joint, rejoin, unbroken, unwrapped, width
from nemo.parse.lines import wrapped as broken_at_a_width

LEFT, EM = 100.0, 16.0


def placed(rows: list[tuple[float, str]], page: int = 1, size: float = EM) -> list[PrintedLine]:
    """Lines at an indent in em, 28 em to the line."""
    return [
        PrintedLine(text, page, LEFT + indent * EM, LEFT + (indent + width(text)) * EM, 28.0 * i, 28.0 * i + EM, size)
        for i, (indent, text) in enumerate(rows)
    ]


def printed(paragraphs: list[str]) -> list[PrintedLine]:
    rows = [(2.0 if i == 0 else 0.0, text) for par in paragraphs for i, text in enumerate(wrapped(par))]
    return placed(rows)


FULL = "电网企业应当按照国家有关规定为依法取得行政许可的发电企业办"
FILL = "示例文字用来填满一整行以便确定版心的宽度到此为止共二十八字"[:28]


@pytest.mark.parametrize(
    ("remark", "above", "below", "joined"),
    [
        ("sentence runs on", (0, FILL), (0, "理并网手续。"), True),
        ("sentence ends at the edge, next line not indented", (0, FILL[:-1] + "。"), (0, "应当及时办理。"), True),
        ("next line indented", (0, FILL[:-1] + "。"), (2, "电网企业应当及时办理。"), False),
        ("short line ends the paragraph", (0, "应当及时办理"), (0, "电网企业应当及时办理。"), False),
        ("article after a finished paragraph, not indented", (0, FILL[:-1] + "。"), (0, "第十二条 电网企业应当办理。"), False),
        ("article number inside a sentence", (0, FILL), (0, "第十二条的规定办理。"), True),
        ("item after a finished paragraph", (0, FILL[:-1] + "："), (0, "（一）项目已经备案；"), False),
        ("a number that only looks like an item", (2, "（一）未经电力调度机构同意擅自改变调度管辖范围内的"), (0, "一、二次设备的状态、定值。"), True),
        ("comma at the end of a line a little short", (0, FILL[:-3] + "，"), (0, "并按照规定办理。"), True),
        ("Latin word pushed to the next line", (0, FILL[:-4]), (0, "GB/T29319的规定。"), True),
        ("clause of a standard after a full line", (0, FILL[:-1] + "。"), (0, "3.2.2 供热机组应当配置储热装置。"), False),
        ("and after one a little short of the edge", (0, FILL[:-4] + "。"), (0, "3.2.2 供热机组应当配置储热装置。"), False),
        ("clause printed without its blank", (0, FILL[:-1] + "。"), (0, "3.2.2供热机组应当配置储热装置。"), False),
        ("chapter of a standard", (0, FILL[:-1] + "。"), (0, "3 一般规定"), False),
        ("annex clause of a standard", (0, FILL[:-1] + "。"), (0, "A.2 试验方法"), False),
        ("clause number inside a sentence", (0, FILL), (0, "4.2.2 的规定时，应当重做。"), True),
        ("quantity inside a sentence", (0, FILL), (0, "2.5 倍以上的，应当整改。"), True),
        ("quantity that begins a sentence", (0, FILL[:-1] + "。"), (0, "2.5倍以上的，应当整改。"), True),
        ("an addressee under a title as wide as the text", (0, "示例省能源局关于做好示例新型储能项目并网运行管理工作的通知"), (0, "各市能源局："), False),
        ("table of contents", (0, "第一章 总则 ................ 1"), (0, "第二章 运行管理 ............ 6"), False),
    ],
)  # fmt: skip
def test_joining_measured_lines(remark: str, above: tuple[float, str], below: tuple[float, str], joined: bool) -> None:
    frame = [(2.0, "本办法所称新型储能，是指除抽水蓄能外以电力为输出形式的储"), (0.0, FILL), (0.0, FILL), (0.0, "能。")]
    text, _ = rejoin([placed([*frame, (2.0, FULL[:26]), above, below, (2.0, FULL[:26]), (0.0, FILL)])])
    assert ((above[1] + below[1]) in text.replace(" ", "") or (above[1] + below[1]) in text) is joined, remark


def test_centred_titles_stay_apart() -> None:
    rows = [
        (6.0, "示例省新型储能电站建设"),
        (9.0, "运行管理办法"),
        (2.0, FILL[:26]),
        (0.0, FILL),
        (0.0, "能。"),
        (2.0, FILL[:26]),
        (0.0, FILL),
    ]
    lines = placed(rows)
    text, _ = rejoin([lines])
    assert text.split("\n")[:2] == ["示例省新型储能电站建设", "运行管理办法"]


def test_a_day_at_the_right_edge_is_whole() -> None:
    rows = [
        (2.0, FILL[:26]),
        (0.0, FILL),
        (0.0, "能。"),
        (18.0, "2033年1月24日"),
        (0.0, "附件"),
        (0.0, FILL),
        (0.0, FILL),
    ]
    text, _ = rejoin([placed(rows)])
    assert "2033年1月24日" in text.split("\n")


def test_a_line_beside_a_floating_block_ends_no_paragraph() -> None:
    whole = placed([(2.0, FILL[:16]), (0.0, FILL[:18]), (0.0, FILL), (0.0, FILL)])
    edge = whole[1].right
    lines = [replace(line, edge=edge) if n < 2 else line for n, line in enumerate(whole)]
    assert rejoin([lines])[0] == FILL[:16] + FILL[:18] + FILL + FILL
    assert rejoin([whole])[0] != FILL[:16] + FILL[:18] + FILL + FILL


BOXED = [
    "分批推进已经复函的示范基地建设，到规划期末，基本建成首批",
    "次复函的示范基地。统筹推进后续示范基地规划，分省报送进度",
    "设。",
]
NAMES = ["示例省第一能源建设投资集团公司", "示例省第二能源建设投资集团公司", "示例省第三能源建设投资集团公司"]


@pytest.mark.parametrize(
    ("remark", "rows", "size", "paragraphs"),
    [
        ("a frame of smaller characters, its lines set in alike", BOXED, 12.0, 1),
        ("a frame whose lines list one thing after the other", [row.replace("，", "、") for row in BOXED], 12.0, 1),
        ("a frame of the body's size, narrower on both sides", [row[:20] for row in BOXED[:2]] + ["表。"], EM, 1),
        ("names of one length below each other", NAMES, EM, 3),
        ("names of one length in smaller characters", NAMES, 12.0, 3),
    ],
)
def test_lines_in_a_frame_keep_edges_of_their_own(remark: str, rows: list[str], size: float, paragraphs: int) -> None:
    body = [(2.0, FILL[:26]), (0.0, FILL), (0.0, "能。")]
    inside = [PrintedLine(row, 1, LEFT + 1.7 * EM, LEFT + 1.7 * EM + size * width(row), 0.0, 0.0, size) for row in rows]
    text, _ = rejoin([[*placed(body * 3), *inside, *placed(body * 3)]])
    assert text.count("\n") == 6 - 1 + paragraphs, text


SHORT_LETTER = [
    "示例电力交易中心关于开展跨省绿电交易的公告各",
    "市场主体：",
    "定于2033年7月22日开展八月跨省绿电交易，申报时",
    "间为9时至11时。",
]


@pytest.mark.parametrize(
    ("remark", "rows", "broken"),
    [
        ("a sentence over two lines of the greatest width", SHORT_LETTER, True),
        ("paragraphs of their own length", [*SHORT_LETTER, FILL + FILL], False),
        ("names below each other", ["广东示例甲电力工程建设安装有限公司", "广东示例乙电力工程建设安装有限公司"], False),
    ],
)
def test_few_lines_show_that_they_were_broken(remark: str, rows: list[str], broken: bool) -> None:
    assert broken_at_a_width(rows) is broken, remark


BY_HAND = [
    ("in a sentence", "二、电站应当在汛前完成启闭试验和带载试验，试验\n记录保存不少于5年，未完成的不得蓄水。", 1),
    ("without a comma", "监测数据缺失的电站应当在发现之时起的\n2小时内报告。", 1),
    ("before an item", "电站应当在汛前完成启闭试验\n（一）启闭试验。", 2),
    ("below a heading", "一、落实汛前检查\n电站应当在汛前完成启闭试验，并作记录。", 2),
    ("below a title", "关于做好汛前检查的通知\n为做好汛前检查，现将有关事项通知如下。", 2),
    ("between number and addressee", "星能〔2031〕5号\n各电站，各有关单位：", 2),
    ("in a signature", "星河省能源管理局\n2031年5月6日", 2),
    ("before an indent", "电站应当完成汛前启闭试验\n　　电站应当作记录。", 2),
    ("between fields of a form", "填报单位名称（盖章）\n联系电话", 2),
]


@pytest.mark.parametrize(("remark", "paragraph", "count"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_breaks_set_by_hand(remark: str, paragraph: str, count: int) -> None:
    assert unbroken(paragraph) == (paragraph.split("\n") if count > 1 else [paragraph.replace("\n", "")]), remark


def test_a_sentence_broken_behind_a_comma_goes_on_in_a_text_that_was_not_wrapped() -> None:
    rows = ["一、电站应当在汛前完成启闭试验，", "并作记录。", "（一）坝高一百米以上的电站；", "（二）其他电站。"]
    assert unwrapped(rows) == ["一、电站应当在汛前完成启闭试验，并作记录。", *rows[2:]]


def test_a_note_under_the_title_is_one_line() -> None:
    rows = [
        (6.0, "示例省海上风电项目用海办法"),
        (2.9, "（2026年9月1日示例局令第2号公布　自2027"),
        (10.0, "年1月1日起施行）"),
        (2.0, FILL[:26]),
        (0.0, FILL),
        (0.0, FILL),
    ]
    text, _ = rejoin([placed(rows)])
    assert text.split("\n")[1] == "（2026年9月1日示例局令第2号公布　自2027年1月1日起施行）"


def test_hanging_items_are_one_paragraph() -> None:
    rows = [
        *[(2.0, FILL[:26]), (0.0, FILL), (0.0, "能。")],
        *[(1.5, "1. " + FILL[:25]), (3.0, FILL[:25]), (3.0, FILL[:24] + "；"), (1.5, "2. 应当配置消防系统。")],
        *[(2.0, FILL[:26]), (0.0, FILL), (0.0, "能。")],
    ]
    text, _ = rejoin([placed(rows)])
    assert text.split("\n")[1:3] == ["1. " + FILL[:25] + FILL[:25] + FILL[:24] + "；", "2. 应当配置消防系统。"]


def test_lines_of_a_preamble_stay_lines() -> None:
    rows = [
        *[(2.0, FILL[:26]), (0.0, FILL), (0.0, "能。"), (2.0, FILL[:26]), (0.0, FILL), (0.0, "能。")],
        *[
            (2.0, "2009年8月27日 示例省人民代表大会常务委员会会议第一次修正"),
            (2.0, "2015年4月24日 示例省人民代表大会常务委员会会议第二次修正"),
        ],
    ]
    text, _ = rejoin([placed(rows)])
    assert text.split("\n")[-1].startswith("2015年")


def test_joint_is_empty_in_chinese_and_a_space_between_words() -> None:
    assert joint("有效期", "2 年。") == ""
    assert joint("（GB/T", "31997）") == " "
    assert joint("执行GB/", "T 31997") == ""


def test_pages_cover_the_text_and_break_inside_a_word() -> None:
    first = placed([(2.0, FILL[:26]), (0.0, FILL)], 1)
    second = placed([(0.0, FILL), (0.0, "并网。"), (2.0, FILL[:26])], 2)
    text, pages = rejoin([first, [], second])
    assert text.split("\n")[0] == FILL[:26] + FILL + FILL + "并网。"
    assert [p.number for p in pages] == [1, 2, 3]
    assert pages[0].span.start == 0
    assert pages[-1].span.end == len(text)
    assert all(a.span.end == b.span.start for a, b in pairwise(pages))
    assert pages[2].span.of(text).startswith(FILL)
    assert pages[1].span.of(text) == ""


CHINESE = st.text(
    st.sampled_from("电网企业应当依法办理并网手续一二三的和，。；：、（）《》第条1 2aG%"), min_size=1, max_size=30
).map(str.strip)


@settings(max_examples=150)
@given(st.lists(st.lists(CHINESE.filter(bool), max_size=8), max_size=4), st.booleans())
def test_no_character_is_altered_or_lost(pages: list[list[str]], measured: bool) -> None:
    sheets = [
        placed([(0.0, t) for t in page], n) if measured else [PrintedLine(t, n) for t in page]
        for n, page in enumerate(pages, 1)
    ]
    text, spans = rejoin(sheets)
    squashed = "".join(text.split())
    assert squashed == "".join("".join(t.split()) for page in pages for t in page)
    assert len(spans) == len(pages)
    assert all(0 <= p.span.start <= p.span.end <= len(text) for p in spans)


def test_paragraphs_survive_wrapping() -> None:
    paragraphs = [
        "第一条 为了规范示例省分布式光伏项目接入管理，保障电网安全稳定运行，维护各方合法权益，根据有关法律、行政法规，结合本省实际，制定本办法。",
        "电网企业应当公平开放电网，不得无正当理由拒绝、拖延办理并网手续；但是，法律、行政法规另有规定的除外。依照前款规定办理的，应当告知申请人。",
        "（一）装机容量在6兆瓦及以上的项目，应当具备有功功率调节能力，调节速率不得低于每分钟百分之十；",
        "第二条 本办法自2024年6月1日起施行。",
    ] * 4
    text, _ = rejoin([printed(paragraphs)])
    assert text.split("\n") == paragraphs


def test_short_lines_that_end_at_one_place_are_no_right_edge() -> None:
    """A page of headings and single lines: two of them end alike, three reach further, none of them was broken."""
    rows = [
        (0.0, "1 样板总则"),
        (0.0, "1.1 样板依据"),
        (0.0, "1.1.1 为规范样板市场的交易行为制定本细则并在全省范围内施行"),
        (0.0, "1.1.2 本细则适用于在样板省内参加样板市场交易的经营主体和市场运营机构"),
        (0.0, "2 样板申报"),
        (0.0, "2.1 样板限价"),
        (0.0, "2.1.1 经营主体应当在竞价日完成申报并对所申报的数据负责，逾期未申报的采用缺省数据"),
    ]
    text, _ = rejoin([placed(rows)])
    assert text.split("\n") == [words for _, words in rows]


def test_a_table_that_reaches_beyond_the_text_moves_none_of_its_edges() -> None:
    rows = [PrintedLine("评价等级 | 分数区间", 1, LEFT - 24.0, LEFT + 26 * EM, 0.0, 0.0, 0.0, apart=True)] * 3
    text = placed([(2.0, FILL[:26]), *[(0.0, FILL)] * 8, (0.0, "能。")])
    assert rejoin([[*text, *rows]])[0].split("\n")[0] == FILL[:26] + FILL * 8 + "能。"


def test_lines_set_in_the_middle_of_a_page_of_columns_tell_no_edge() -> None:
    rows = [replace(line, left=LEFT + 17 * EM, right=LEFT + 32 * EM) for line in placed([(0.0, "示例核算因子表")] * 2)]
    text = placed([(2.0, FILL[:26]), *[(0.0, FILL)] * 8, (0.0, "能。")])
    assert rejoin([[*rows, *text]])[0].split("\n")[-1] == FILL[:26] + FILL * 8 + "能。"


def test_a_mark_that_hangs_over_the_edge_is_no_line_beyond_it() -> None:
    body = [(2.0, FILL[:25] + "1"), (0.0, FILL[:27] + "1"), (0.0, "能。")]
    beyond = [(2.0, FILL[:26] + "，"), (2.0, FILL + "示例。"), (2.0, FILL + "示例示例。")]
    text, _ = rejoin([placed([*body * 5, *beyond, *body])])
    assert text.split("\n")[0] == FILL[:25] + "1" + FILL[:27] + "1能。"
