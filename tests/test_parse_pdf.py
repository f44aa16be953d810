"""PDF: text, pages, furniture, ruled tables, and quotes found again on the page."""

import io
import threading

import pytest
from parse_samples import NOTICE, TITLE, pdf, wrapped

from nemo.errors import UnreadableDocumentError
from nemo.parse import furniture, parse
from nemo.parse.lines import PrintedLine
from nemo.parse.pdf import reader
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

LONG = [*NOTICE[:-2], *list(NOTICE[2:9]) * 6, *NOTICE[-2:]]
COPIES = ("抄送：示例监管局，示例省发展改革委。", "示例省能源局办公室 2024年5月20日印发")


def read(content: bytes, settings: Settings | None = None) -> ParsedDocument:
    return parse(RawDocument.of(content, "示例.pdf"), settings or Settings())


@pytest.fixture(scope="module")
def notice() -> bytes:
    return pdf(
        LONG, ["示例省能源局关于加强分布式光伏", "接入管理工作的通知"], letterhead="示例省能源局文件", tail=COPIES
    )


def test_paragraphs_come_back_exactly(notice: bytes) -> None:
    assert read(notice).text.split("\n") == ["示例省能源局关于加强分布式光伏", "接入管理工作的通知", *LONG]


def test_pages_tile_the_text_and_carry_printed_numbers(notice: bytes) -> None:
    parsed = read(notice)
    assert [p.number for p in parsed.pages] == list(range(1, len(parsed.pages) + 1))
    assert [p.printed for p in parsed.pages] == [str(p.number) for p in parsed.pages]
    assert len(parsed.pages) > 3
    assert parsed.pages[0].span.start == 0
    assert parsed.pages[-1].span.end == len(parsed.text)
    assert all(a.span.end == b.span.start for a, b in zip(parsed.pages, parsed.pages[1:], strict=False))


def test_furniture_leaves_the_text_and_is_kept(notice: bytes) -> None:
    parsed = read(notice)
    assert parsed.margin == ("示 例 省 能 源 局 文 件", *COPIES)
    for words in ("文 件", "抄送", "印发", "—"):
        assert words not in parsed.text


def test_running_heads_leave_the_text() -> None:
    parsed = read(pdf(LONG, head="Q/示例 001—2024"))
    assert parsed.text.split("\n") == LONG
    assert parsed.margin == ("Q/示例 001—2024",)


def test_bare_page_numbers_need_their_neighbours() -> None:
    from nemo.parse.furniture import strip
    from nemo.parse.lines import PrintedLine

    numbered = [[PrintedLine("正文", i), PrintedLine(str(i + 6), i)] for i in (1, 2, 3)]
    assert strip(numbered).printed == ["7", "8", "9"]
    values = [[PrintedLine("电压等级", 1), PrintedLine("35", 1)], [PrintedLine("正文", 2)], [PrintedLine("正文", 3)]]
    assert strip(values).printed == [None, None, None]


@pytest.mark.parametrize("row", range(len(NOTICE)))
def test_every_paragraph_is_found_on_its_page(row: int) -> None:
    content = pdf(NOTICE, [TITLE])
    parsed = read(content)
    start = parsed.text.index(NOTICE[row])
    boxes = reader.locate(content, 1, NOTICE[row], before=parsed.text[:start])
    assert boxes
    assert all(b.left < b.right and b.top < b.bottom for b in boxes)
    assert [b.top for b in boxes] == sorted(b.top for b in boxes)


def test_a_quote_over_a_page_edge_is_boxed_on_both_pages(notice: bytes) -> None:
    parsed = read(notice)
    page = next(p for p in parsed.pages[:-1] if parsed.text[p.span.end - 1] != "\n")
    edge = page.span.end
    quote, before = parsed.text[edge - 30 : edge + 12], parsed.text[: edge - 30]
    assert reader.locate(notice, page.number, quote, before)
    assert reader.locate(notice, page.number + 1, quote, before)
    assert not reader.locate(notice, 1 if page.number > 2 else len(parsed.pages), quote, before)


def test_nothing_is_boxed_by_approximation(notice: bytes) -> None:
    assert reader.locate(notice, 1, "各市能源主管部门、有关电网企业：") == ()
    assert reader.locate(notice, 1, "") == ()


def test_a_repeated_quote_needs_what_stands_before_it() -> None:
    content = pdf(["第一条 应当依法办理。", "第二条 应当依法办理。"])
    assert reader.locate(content, 1, "应当依法办理。") == ()
    (box,) = reader.locate(content, 1, "应当依法办理。", before="第一条 应当依法办理。\n第二条 ")
    (first,) = reader.locate(content, 1, "应当依法办理。", before="第一条 ")
    assert box.top > first.top


def test_render_draws_the_quote(notice: bytes) -> None:
    from PIL import Image

    plain = reader.render(notice, 1, None, 1.0)
    boxed = reader.render(notice, 1, NOTICE[1], 1.0)
    assert (plain.boxes, boxed.pages) == ((), len(read(notice).pages))
    a, b = (Image.open(io.BytesIO(p.png)).convert("RGB") for p in (plain, boxed))
    assert a.size == b.size == (596, 842)
    box = boxed.boxes[0]
    at = (round(box.right) - 1, round((box.top + box.bottom) / 2))
    assert a.getpixel(at) != b.getpixel(at)
    assert a.getpixel((5, 5)) == b.getpixel((5, 5))


def test_rotated_pages_are_located_as_shown() -> None:
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE, [TITLE])))
    writer.pages[0].rotate(90)
    out = io.BytesIO()
    writer.write(out)
    image = reader.render(out.getvalue(), 1, NOTICE[1], 1.0)
    assert image.boxes
    assert all(0 <= b.left < b.right <= 843 and 0 <= b.top < b.bottom <= 596 for b in image.boxes)


def test_threads_may_render_at_once(notice: bytes) -> None:
    found: list[int] = []

    def work() -> None:
        for page in (1, 2, 3):
            found.append(len(reader.render(notice, page, None, 0.5).png))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert len(set(found)) <= 3


def drawn(lines: list[tuple[float, float, float, str]]) -> bytes:
    """A page of (x, y, angle, text)."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out)
    for x, y, angle, text in lines:
        canvas.saveState()
        canvas.translate(x, y)
        canvas.rotate(angle)
        canvas.setFont("STSong-Light", 14)
        canvas.drawString(0, 0, text)
        canvas.restoreState()
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_a_hyphen_at_the_end_of_a_line_is_kept() -> None:
    text = read(drawn([(60, 700, 0, "另见标准 inter-"), (60, 676, 0, "national 的规定。")])).text
    assert text.replace("\n", "") == "另见标准 inter-national 的规定。"


def test_a_slanted_watermark_is_no_text() -> None:
    parsed = read(
        drawn([(60, 700, 0, "第一条 为了规范管理，"), (200, 500, 45, "仅供内部参考"), (60, 676, 0, "制定本办法。")])
    )
    assert parsed.text == "第一条 为了规范管理，制定本办法。"
    assert parsed.margin == ("仅供内部参考",)


def test_numbers_beside_the_lines_of_a_draft_are_no_text() -> None:
    rules = ["第一条 " + "为了规范容量电费的疏导工作，" * 3, "第二条 " + "电网企业应当按月公布收支情况，" * 3]
    rows = [row for rule in rules for row in wrapped(rule[:-1] + "。", 12, 2)]
    numbers = [(60 if n > 9 else 66, 780 - 24 * n, 0, str(n)) for n in range(1, len(rows) + 1)]
    lines = [(90 + 24 * row.startswith("第"), 780 - 24 * n, 0, row) for n, row in enumerate(rows, 1)]
    plain = read(drawn(lines)).text
    assert plain.count("\n") == 1 and read(drawn(sorted([*numbers, *lines], key=lambda row: -row[1]))).text == plain
    listed = [(90, 780 - 24 * n, 0, f"示例{'站' * (n % 7)}") for n in range(1, len(rows) + 1)]
    assert read(drawn(sorted([*numbers, *listed], key=lambda row: -row[1]))).text.startswith("1 示例站\n2 ")


def test_text_drawn_as_curves_asks_for_recognition() -> None:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out)
    for i in range(60):
        canvas.bezier(60 + 8 * i, 700, 62 + 8 * i, 710, 64 + 8 * i, 690, 66 + 8 * i, 700)
    canvas.showPage()
    canvas.line(60, 700, 500, 700)
    canvas.showPage()
    canvas.save()
    curves, rule = reader.read_sheets(out.getvalue(), 9)
    assert reader.needs_ocr(curves)
    assert not reader.needs_ocr(rule)


# --- tables ----------------------------------------------------------------------------------------------------------

ROWS = [
    ["机组类型", "调节速率（%/分钟）", "备注"],
    ["循环流化床", "1.0", "含掺烧机组"],
    ["燃气机组", "3.0", "单循环、联合循环机组均适用本项规定的要求"],
]


def table_pdf(rows: list[list[str]], spans: list[tuple[str, tuple[int, int], tuple[int, int]]] | None = None) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    style = ParagraphStyle("s", fontName="STSong-Light", fontSize=12, leading=18, wordWrap="CJK")
    cells = [[Paragraph(text, style) for text in row] for row in rows]
    table = Table(cells, colWidths=[110, 110, 140], style=[("GRID", (0, 0), (-1, -1), 0.7, "black"), *(spans or [])])
    out = io.BytesIO()
    SimpleDocTemplate(out, pagesize=A4).build(
        [
            Paragraph("第三条 机组调节速率应当符合下表。", style),
            table,
            Paragraph("第四条 本办法自发布之日起施行。", style),
        ]
    )
    return out.getvalue()


def test_ruled_tables_become_rows_in_place() -> None:
    text = read(table_pdf(ROWS)).text
    assert text.split("\n") == [
        "第三条 机组调节速率应当符合下表。",
        *[" | ".join(row) for row in ROWS],
        "第四条 本办法自发布之日起施行。",
    ]


def test_lines_of_a_cell_that_end_before_its_widest_are_parted() -> None:
    rows = [["限价", "下限百元<br/>上限暂定为一千二百元"], ["说明", "机组应当满足本项规定的全部要求"]]
    assert "限价 | 下限百元 上限暂定为一千二百元\n说明 | 机组应当满足本项规定的全部要求" in read(table_pdf(rows)).text


def boxed_pdf(row: tuple[tuple[int, str], ...], boxes: tuple[tuple[int, int], ...]) -> bytes:
    """Return a page of three lines, of which the middle one is drawn piece by piece, with boxes from one x to another."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    page = Canvas(out, pagesize=A4)
    page.setFont("STSong-Light", 12)
    page.drawString(80, 780, "第三条 披露的信息在样例平台上保存，供样例主体随时查询，保存的时间不少")
    for x, words in row:
        page.drawString(x, 756, words)
    page.drawString(80, 732, "由样例机构封存。")
    for start, end in boxes:
        page.rect(start, 752, end - start, 16)
    page.showPage()
    page.save()
    return out.getvalue()


@pytest.mark.parametrize(
    ("remark", "row", "boxes", "expected"),
    [
        ("words go on beside the boxes", ((80, "于"), (92, "2"), (98, "年，且封存期限为"), (194, "5"), (200, "年，期满后")), ((92, 98), (98, 194), (194, 200)), "不少于2年，且封存期限为5年，期满后"),
        ("words run through a side", ((80, "于当月结算周期及时疏导，期满后"),), ((80, 176), (176, 260)), "不少于当月结算周期及时疏导，期满后"),
        ("one box around the line and an empty one before it", ((98, "于两年，期满后"),), ((80, 96), (96, 300)), "不少于两年，期满后由样例机构"),
        ("cells leave room", ((84, "样例年限"), (204, "5年")), ((80, 200), (200, 300)), "样例年限 | 5年"),
    ],
)  # fmt: skip
def test_words_in_a_box_are_no_table(
    remark: str, row: tuple[tuple[int, str], ...], boxes: tuple[tuple[int, int], ...], expected: str
) -> None:
    assert expected in read(boxed_pdf(row, boxes)).text, remark


def test_merged_cells_stand_in_their_first_row() -> None:
    rows = [["机组类型", "限值", ""], ["燃煤机组", "1.0", "含掺烧"], ["", "2.0", "纯凝"]]
    text = read(table_pdf(rows, [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 1), (0, 2))])).text
    assert text.split("\n")[1:4] == ["机组类型 | 限值 |", "燃煤机组 | 1.0 | 含掺烧", "| 2.0 | 纯凝"]


def test_a_table_row_is_found_on_the_page() -> None:
    content = table_pdf(ROWS)
    boxes = reader.locate(content, 1, "燃气机组 | 3.0 | 单循环、联合循环机组均适用本项规定的要求")
    assert len(boxes) >= 3


# --- what cannot be read ---------------------------------------------------------------------------------------------


def encrypted() -> bytes:
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE)))
    writer.encrypt("secret", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_encrypted_pdf_is_refused_by_name() -> None:
    with pytest.raises(UnreadableDocumentError, match="加密"):
        read(encrypted())


def test_too_many_pages_are_refused(notice: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match="超过上限 2 页"):
        read(notice, Settings(max_pages=2))


def test_a_page_that_does_not_exist(notice: bytes) -> None:
    with pytest.raises(UnreadableDocumentError, match="没有第 99 页"):
        reader.render(notice, 99)


def test_an_empty_page_between_others_stays_a_page() -> None:
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE[:3], numbers=False)))
    writer.add_blank_page()
    writer.append(io.BytesIO(pdf(NOTICE[3:6], numbers=False)))
    out = io.BytesIO()
    writer.write(out)
    parsed = read(out.getvalue())
    assert [p.number for p in parsed.pages] == [1, 2, 3]
    assert parsed.pages[1].span.of(parsed.text).strip() == ""
    assert parsed.pages[2].span.of(parsed.text).startswith(NOTICE[3])


def sheets_that_begin_alike(above: float) -> list[list[PrintedLine]]:
    """Three pages of eight lines, 28 points apart; the first ones differ in a number only, ``above`` the others."""
    found = []
    for page in range(1, 4):
        texts = [f"受理机构应当在{page}日内办结，逾期的", *(f"第{page * 10 + n}项内容各不相同" for n in range(7))]
        tops = [100 - above, *(100.0 + 28 * n for n in range(7))]
        found.append([PrintedLine(t, page, 90, 500, top, top + 16, 16) for t, top in zip(texts, tops, strict=True)])
    return found


@pytest.mark.parametrize(
    ("remark", "above", "taken"),
    [("clauses of the text that are alike", 28.0, 0), ("a running head above the text", 45.0, 3)],
)
def test_a_running_head_stands_apart_from_the_text(remark: str, above: float, taken: int) -> None:
    cleaned = furniture.strip(sheets_that_begin_alike(above))
    assert len(cleaned.margin) == taken, remark
    assert sum(map(len, cleaned.pages)) == 24 - taken
