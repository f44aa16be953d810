"""Page furniture goes as blocks, wherever it stands; the text around it stays, and what went can be seen."""

import io

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from nemo.parse import furniture, parse
from nemo.parse.lines import PrintedLine
from nemo.parse.pdf import reader, webprint
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

TITLE = "关于示例省储能电站参与演示市场有关事项的通知"
BODY = (
    "示例发改能源〔2031〕12号",
    "各市发展改革委，有关发电企业：",
    "为规范储能电站参与演示市场，现将有关事项通知如下。",
    "一、参与条件",
    "（一）储能电站额定功率不低于5兆瓦，持续放电时间不少于2小时。",
    "（二）具备独立计量条件，并接入调度自动化系统。",
    "二、价格机制",
    "放电电量按照0.42元/千瓦时结算，充电电量按照0.21元/千瓦时结算。",
    "三、本通知自2031年5月1日起施行，有效期三年。",
    "示例省发展和改革委员会",
    "2031年4月12日",
)
MENU = ("设为首页", "首页", "机构概况", "政务公开", "通知公告")
FOOT = ("网站地图", "主办单位：示例省发展和改革委员会", "网站标识码：9900000002", "示ICP备99000002号")
OTHERS = ("关于另一件演示事项的通知", "2031-03-01", "关于第三件演示事项的公告", "2031-02-01")


def read(content: bytes, name: str) -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


def dump(*blocks: tuple[str, ...]) -> ParsedDocument:
    return read("\n".join(row for block in blocks for row in block).encode(), "页面.txt")


CHAPTERS = ["第一章　总则", "第二章　成本构成", "第三章　核定方法", "第四章　附则"]


def headed(heads: list[str], size: float) -> list[list[PrintedLine]]:
    """Sheets of a rule, one to a chapter, each under a head of a size in points."""
    sheets = []
    for page, (head, chapter) in enumerate(zip(heads, CHAPTERS, strict=True), 1):
        title = [("示例成本监审办法", 18.0)] if page == 1 else []
        rows = [(head, size), *title, (chapter, 16.0), (BODY[page + 1], 15.0), (BODY[-page - 2], 15.0)]
        sheets.append(
            [
                PrintedLine(row, page, 80.0, 80.0 + 15 * len(row), 40.0 + 40 * at, 55.0 + 40 * at, high)
                for at, (row, high) in enumerate(rows)
                if row
            ]
        )
    return sheets


HEADS = [
    ("the chapter of each sheet", ["示例成本监审办法", *CHAPTERS[1:]], 9.0, 4),
    ("the title and the chapter", [f"示例成本监审办法　{chapter}" for chapter in CHAPTERS], 9.0, 4),
    ("words that stand nowhere else", ["甲部分说明", "乙部分说明", "丙部分说明", "丁部分说明"], 9.0, 0),
    ("headings as large as the text", ["示例成本监审办法", *CHAPTERS[1:]], 15.0, 0),
    ("on two sheets only", ["示例成本监审办法", CHAPTERS[1], "", ""], 9.0, 0),
]


@pytest.mark.parametrize(("remark", "heads", "size", "gone"), HEADS, ids=[row[0] for row in HEADS])
def test_heads_that_change_from_sheet_to_sheet_go(remark: str, heads: list[str], size: float, gone: int) -> None:
    cleaned = furniture.strip(headed(heads, size))
    assert len(cleaned.removed) == gone, remark
    left = [line.text for sheet in cleaned.pages for line in sheet]
    assert [chapter for chapter in CHAPTERS if chapter not in left] == []


def test_heads_that_share_their_words_go_on_two_sheets() -> None:
    heads = ["省政府文件 示例省公报2031年第9期", "示例省公报2031年第9期 部门文件", "1.表中数值", "2.另见附件"]
    for more in ([], [PrintedLine("示例电站 | 10", 1, apart=True)] * 40):  # rows of tables, whose size is not known
        cleaned = furniture.strip([[*sheet, *more, *sheet[-1:] * 4] for sheet in headed(heads, 9.0)])
        assert cleaned.removed == tuple(heads[:2])


HEAD = (*MENU, TITLE, "发布时间：2031-04-15", "来源：示例网")


@pytest.mark.parametrize(
    ("remark", "blocks"),
    [
        ("a list of others above the text", (HEAD, ("排行榜", *OTHERS), BODY, FOOT)),
        ("a list of others in the middle of the text", (HEAD, BODY[:5], ("相关政策与解读", *OTHERS), BODY[5:], FOOT)),
        ("two lists", (HEAD, BODY[:3], ("相关链接", *OTHERS[:2]), BODY[3:7], ("排行榜", *OTHERS), BODY[7:], FOOT)),
        ("a list of others below the text", (HEAD, BODY, ("相关文章", *OTHERS), FOOT)),
        ("a footer in the middle of a page saved in two parts", (HEAD, BODY[:7], FOOT, BODY[7:], FOOT)),
        ("nothing but menu and footer", (HEAD, BODY, FOOT)),
    ],
)
def test_nothing_is_cut_behind_the_head_of_a_list(remark: str, blocks: tuple[tuple[str, ...], ...]) -> None:
    parsed = dump(*blocks)
    assert parsed.text.split("\n") == [TITLE, *BODY], remark
    assert all(row not in parsed.text for row in (*FOOT, *OTHERS)), remark


def test_what_was_taken_out_can_be_seen() -> None:
    parsed = dump(HEAD, BODY, ("相关链接", *OTHERS), FOOT)
    assert {*MENU, *FOOT, *OTHERS} <= set(parsed.removed)
    told = [fault.message for fault in parsed.faults if fault.code in ("furniture_removed", "much_removed")]
    assert len(told) == 1
    assert all(row in told[0] for row in (*FOOT, *OTHERS))


def test_a_large_share_taken_out_is_a_fault_of_its_own() -> None:
    codes = [fault.code for fault in dump(HEAD, BODY, ("相关链接", *OTHERS * 12), FOOT).faults]
    assert "much_removed" in codes
    assert "furniture_removed" not in codes


def test_words_of_menus_inside_the_text_are_text() -> None:
    rows = ("四、名词解释", "打印", "下载", "五、技术支持由示例公司提供，版权所有人另行约定。")
    assert all(row in dump(HEAD, BODY[:9], rows, BODY[9:], FOOT).text.split("\n") for row in rows)


def test_the_index_card_is_evidence_and_no_text() -> None:
    card = ("索引号：9900/2031-00012", "发文机关：示例省发展和改革委员会", "成文日期：2031-04-12")
    parsed = dump(MENU, card, (TITLE,), ("来源：示例网",), BODY, FOOT)
    assert all(row not in parsed.text and row in parsed.margin for row in card)
    assert not any("来源" in row for row in parsed.margin)


def test_a_card_whose_labels_blanks_part_from_their_values_is_evidence_too() -> None:
    card = ("索引号 9900/2031-00012 主题分类 能源", "发文字号 示发改〔2031〕9号 成文日期 2031-04-12")
    parsed = dump(MENU, card, (TITLE,), ("来源：示例网",), BODY, FOOT)
    assert "9900/2031" not in parsed.text
    assert parsed.margin[:1] == ("索引号：9900/2031-00012 主题分类：能源",)
    rows = ("名称 单价", "分类 施策", "标题 字体")
    assert all(row in dump(HEAD, BODY[:9], rows, BODY[9:], FOOT).text for row in rows)


def printed(rows: list[str], *, aside: bool = False) -> bytes:
    """A web page printed by a browser: hour and title above, address and page below, a menu of links."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    sheets = [rows[i : i + 12] for i in range(0, len(rows), 12)]
    for number, sheet in enumerate(sheets, 1):
        canvas.setFont("STSong-Light", 8)
        canvas.drawString(24, 820, f"2031/6/2 10:28 {TITLE}-示例网")
        canvas.drawString(24, 20, f"https://fgw.example.gov.cn/a/202104/t2031.html {number}/{len(sheets)}")
        if number == 1:
            canvas.drawString(60, 790, "首页   机构概况   政务公开")
            canvas.linkURL("https://fgw.example.gov.cn/", (60, 785, 300, 800))
        for index, row in enumerate(sheet):
            canvas.setFont("STSong-Light", 12)
            canvas.drawString(60, 750 - 24 * index, row)
            if aside and index in (5, 6, 7):
                canvas.setFont("STSong-Light", 7)
                canvas.drawString(470, 750 - 24 * index, OTHERS[0])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


LONG = [f"（{'一二三四五六七八九'[i]}）第{i + 1}项演示内容应当按照本通知规定办理并报送示例省能源局。" for i in range(9)]


@pytest.mark.parametrize("aside", [False, True])
def test_a_print_of_a_page_holds_neither_hour_nor_address_nor_side_column(aside: bool) -> None:
    rows = [TITLE, *BODY[:4], *LONG, *BODY[6:]]
    parsed = read(printed(rows, aside=aside), "打印.pdf")
    assert "2031/6/2" not in parsed.text
    assert "example" not in parsed.text
    assert "机构概况" not in parsed.text
    assert OTHERS[0] not in parsed.text
    assert "".join(rows).replace(" ", "") == parsed.text.replace("\n", "").replace(" ", "")
    assert [page.printed for page in parsed.pages] == ["1", "2"]


WRAPPED = "为规范储能电站参与演示市场，根据演示条例，结合示例省实际，现将放电电量结算价格确定为每千瓦时零点四二元有关事项通知如下。"


@pytest.mark.parametrize("width", [28, 34, 40])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "utf-32", "utf-32-le"])
def test_lines_of_a_fixed_width_become_paragraphs_again(width: int, encoding: str) -> None:
    paragraphs = [f"第{n}条　{WRAPPED * 2}" for n in "一二三四五六"]
    rows = [p[i : i + width] for p in paragraphs for i in range(0, len(p), width)]
    assert read("\n".join(rows).encode(encoding), "断行.txt").text.split("\n") == paragraphs


def test_radicals_are_resolved_whatever_the_format() -> None:
    html = f"<html><body><h1>{TITLE}</h1>" + "".join(f"<p>{row}</p>" for row in BODY) + "</body></html>"
    for name, content in (("a.txt", "\n".join(BODY)), ("a.md", "\n".join(BODY)), ("a.html", html)):
        parsed = read(content.replace("日", "⽇").replace("行", "⾏").encode(), name)
        assert "自2031年5月1日起施行" in parsed.text, name
        assert "radicals_repaired" in [fault.code for fault in parsed.faults], name


def test_menus_and_footers_alone_are_no_much_removed() -> None:
    codes = [fault.code for fault in dump(HEAD * 2, BODY, FOOT * 3).faults]
    assert "furniture_removed" in codes
    assert "much_removed" not in codes


CUTS = [
    ("between paragraphs", BODY[4], BODY[5], False),
    (
        "within a sentence",
        "储能电站应当按照调度指令运行，因自身原因未执行的，",
        "当月容量补偿按照未执行次数扣减，直至扣完。",
        True,
    ),
    (
        "before a new unit",
        "储能电站应当按照调度指令运行，因自身原因未执行的，",
        "（三）当月容量补偿按照未执行次数扣减。",
        False,
    ),
]


@pytest.mark.parametrize(("remark", "above", "below", "broken"), CUTS, ids=[c[0] for c in CUTS])
def test_a_sentence_broken_by_a_cut_is_a_fault(remark: str, above: str, below: str, broken: bool) -> None:
    rows = [TITLE, *BODY[:4], above]
    page = "".join(f"<p>{row}</p>" for row in rows)
    links = "".join(f'<p><a href="/{i}.html">{row}</a></p>' for i, row in enumerate(OTHERS))
    rest = "".join(f"<p>{row}</p>" for row in (below, *BODY[6:]))
    content = f'<html><head><meta charset=utf-8><title>{TITLE}</title></head><body><div class="TRS_Editor">{page}<p>相关链接</p>{links}{rest}</div></body></html>'
    parsed = read(content.encode(), "甲.html")
    assert above in parsed.text
    assert below in parsed.text
    assert ("sentence_cut" in [fault.code for fault in parsed.faults]) is broken, remark


@pytest.mark.parametrize(
    ("remark", "left", "right", "cut"),
    [
        ("a margin on the left, none on the right", 40.0, 594.0, True),
        ("margins on both sides", 40.0, 555.0, False),
        ("no margins at all: every line is whole", 0.0, 594.0, False),
        ("no margins, and the page wider than the paper", 0.0, 610.0, True),
    ],
)
def test_a_print_is_cut_where_its_lines_run_over_the_edge(remark: str, left: float, right: float, cut: bool) -> None:
    words = "演示单位应当在每年三月底前报送上一年度运行情况和装机容量发电量利用小时"
    lines = [PrintedLine(words, 1, left, right, 20.0 * n, 20.0 * n + 12, 12.0) for n in range(6)]
    assert bool(webprint.cut_fault([lines], 595.0)) is cut, remark


def test_notes_at_the_foot_of_a_sheet_never_part_the_sentence_above_them() -> None:
    first = ["第三条　评估机构应当独立开展评估。", "第四条　评估机构对热失控①评估结论的真实性负责，不得与被评估单位"]
    notes = ["________", "①热失控是指放热连锁反应。", "②消防系统包括探测系统。"]
    sheets = [
        [*(PrintedLine(row, 1, size=16.0) for row in first), *(PrintedLine(row, 1, size=10.5) for row in notes)],
        [PrintedLine("存在利害关系。", 2, size=16.0), PrintedLine("第五条　本细则自发布之日起施行。", 2, size=16.0)],
    ]
    assert [line.text for line in furniture.strip(sheets).pages[0]] == [first[0], *notes, first[1]]


def test_rows_below_the_day_of_signing_are_those_of_the_page_unless_an_annex_is_among_them() -> None:
    asked = ("我有话说", "您的姓名（必填）", "请输入内容，不超过500字。", "看不清？换一张")
    parsed = dump(MENU, (TITLE,), BODY, ("（联系人：张某）",), asked, FOOT)
    assert parsed.text.split("\n")[-2:] == ["2031年4月12日", "（联系人：张某）"]
    assert set(asked) <= set(parsed.removed)
    annexed = dump(MENU, (TITLE,), BODY, ("附件", "参与企业名单", "甲公司", "乙公司"), FOOT)
    assert annexed.text.split("\n")[-2:] == ["甲公司", "乙公司"]


def test_letters_of_a_watermark_between_the_lines_are_no_text() -> None:
    def sheet(step: float) -> list[PrintedLine]:
        words = [(row, 80.0, 15.0) for row in BODY[:9]]
        for at, letter in enumerate("内部资料"):
            words.insert(2 * at + 1, (letter, 120.0 + step * at, 34.0))
        return [
            PrintedLine(row, 1, left, left + size * len(row), 40.0 * at, 40.0 * at + size, size)
            for at, (row, left, size) in enumerate(words)
        ]

    slanted = furniture.strip([sheet(45.0)])
    assert [line.text for line in slanted.pages[0]] == list(BODY[:9]) and slanted.margin == ("内部资料",)
    assert len(furniture.strip([sheet(0.0)]).pages[0]) == 13  # a name set downwards


def test_a_foot_of_several_rows_and_a_head_close_to_the_text_leave_its_sentences_whole() -> None:
    head, foot = "示例省发展和改革委员会规范性文件", "示例省发展和改革委员会发布"
    rules = [f"储能电站按照第{n}类参与，报送装机容量、持续放电时间和接入系统" for n in range(1, 5)]
    ends = [f"方案，经第{n}次审查后执行。" for n in range(1, 5)]

    def sheet(page: int, rows: list[str]) -> list[PrintedLine]:
        tops = [67.0, *(104.0 + 31 * at for at in range(len(rows))), 717.0, 733.0, 756.0]
        words = [(head, 16.0), *((row, 16.0) for row in rows), (f"- {page} -", 16.6), ("X", 24.9), (foot, 14.1)]
        return [
            PrintedLine(row, page, 80.0, 80.0 + size * len(row), top, top + size, size)
            for top, (row, size) in zip(tops, words, strict=True)
        ]

    pages = [[TITLE, *BODY[1:5], rules[0]]]
    pages += [[ends[at - 1], *BODY[4:7], rules[at]] for at in range(1, 4)]
    cleaned = furniture.strip([sheet(page, rows) for page, rows in enumerate(pages, 1)])
    assert [[line.text for line in page] for page in cleaned.pages] == pages
    assert cleaned.printed == ["1", "2", "3", "4"] and set(cleaned.margin) == {head, foot, "X"}


def test_a_quote_over_the_turn_of_a_page_is_found_between_foot_and_head() -> None:
    """A few sheets around it show less of what runs through the file than the whole of it did."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    rows = [f"储能电站按照第{n}类参与演示市场的报送装机容量与持续放电时间以及接入系统方案后" for n in range(60)]
    for page in range(6):
        canvas.setFont("STSong-Light", 12)
        canvas.drawString(60, 780, "示例省发展和改革委员会规范性文件")
        for at, row in enumerate(rows[10 * page : 10 * page + 10]):
            canvas.drawString(60, 756 - 24 * at, row)
        canvas.drawString(280, 90, f"- {page + 1} -")
        canvas.setFont("STSong-Light", 20)
        canvas.drawString(290, 66, "X")
        canvas.setFont("STSong-Light", 10)
        canvas.drawString(400, 44, "示例省发展和改革委员会发布")
        canvas.showPage()
    canvas.save()
    quote = rows[29] + rows[30]
    pages = [page for page in (3, 4) if reader.locate(file.getvalue(), page, quote)]
    assert pages == [3, 4]
