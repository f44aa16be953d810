"""Two columns of prose are read one after the other; tables are left alone."""

import io
import re
from collections.abc import Sequence

import pytest
from parse_samples import wrapped
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from nemo.parse import parse
from nemo.parse.pdf import reader
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

TITLE = "示例省政府公报演示文本"
LEFT = [
    "第一条 为规范演示电力市场运营，维护演示电力市场秩序和社会公共利益，保障演示市场成员合法权益，结合示例省实际，制定本规则。",
    "第二条 本规则适用于示例省行政区域内的演示电力中长期交易、演示现货交易和演示辅助服务交易，法律另有规定的除外。",
    "第三条 演示市场成员应当遵守本规则，不得操纵演示市场价格，不得损害其他演示市场成员的利益，违者依照本规则处理。",
]
RIGHT = [
    "第四条 演示调度机构应当按照公开公平公正的原则实施调度，及时披露调度信息，并接受能源监管机构的监督检查和社会监督。",
    "第五条 演示交易机构负责组织演示电力交易，提供结算依据，按月发布演示市场运行报告，并保存交易记录不少于五年时间。",
    "第六条 本规则自2031年7月1日起施行，有效期五年，由示例省能源主管部门会同能源监管机构负责解释，并适时组织评估修订。",
]
WIDE = 20


def printed(order: str, left: Sequence[str] = LEFT, right: Sequence[str] = RIGHT) -> bytes:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("STSong-Light", 18)
    canvas.drawCentredString(297, 800, TITLE)
    canvas.setFont("STSong-Light", 12)
    canvas.drawCentredString(297, 30, "— 3 —")  # stands in the gutter
    columns = [
        [(x + 24 * first, 750 - 20 * i, words) for i, (first, words) in enumerate(_rows(rows))]
        for x, rows in ((45, left), (315, right))
    ]
    placed = sorted(columns[0] + columns[1], key=lambda p: -p[1]) if order == "row by row" else columns[0] + columns[1]
    if order == "right first":
        placed = columns[1] + columns[0]
    for x, y, words in placed:
        canvas.drawString(x, y, words)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _rows(rows: Sequence[str]) -> list[tuple[bool, str]]:
    return [(i == 0, words) for row in rows for i, words in enumerate(wrapped(row, WIDE))]


def read(content: bytes) -> ParsedDocument:
    return parse(RawDocument.of(content, "公报.pdf"), Settings())


@pytest.mark.parametrize("order", ["row by row", "column by column", "right first"])
def test_columns_are_read_one_after_the_other(order: str) -> None:
    assert read(printed(order)).text.split("\n") == [TITLE, *LEFT, *RIGHT]


def test_columns_of_a_few_lines_and_of_short_sentences_are_told_by_the_lines_that_go_on() -> None:
    """The last page of a gazette, and questions and answers: fewer than half of the lines reach the edge."""
    asked = ["问：演示办法何时施行？", "答：自2031年7月1日起施行。", LEFT[0]]
    assert read(printed("row by row", LEFT[:2], RIGHT[:2])).text.split("\n") == [TITLE, *LEFT[:2], *RIGHT[:2]]
    assert read(printed("row by row", asked, asked)).text.split("\n") == [TITLE, *asked, *asked]


def test_figures_drawn_in_a_pass_of_their_own_stand_in_the_gaps_left_for_them() -> None:
    """The Chinese from the foot upwards, then the figures from the head downwards."""
    rows = [
        "示例项目应当自纳入年度方案之日起24个月内建成投产，",
        "功率不低于50兆瓦、时长2小时，逾期30日的每日扣减1%，",
        "直至扣完为止，自2031年7月1日起执行。",
    ]
    canvas = Canvas(out := io.BytesIO(), pagesize=(595, 842))
    pieces = [
        (60 + 12 * sum(0.5 if char.isascii() else 1 for char in row[: found.start()]), 700 - 22 * at, found[0])
        for at, row in enumerate(rows)
        for found in re.finditer(r"[\x00-\x7f]+|[^\x00-\x7f]+", row)
    ]
    for latin in (False, True):
        canvas.setFont("Helvetica" if latin else "STSong-Light", 11 if latin else 12)
        for x, y, words in sorted(pieces, key=lambda piece: -piece[1] if latin else piece[1]):
            if words.isascii() == latin:
                canvas.drawString(x, y, words)
    canvas.save()
    assert read(out.getvalue()).text == "".join(rows)


def test_a_card_at_the_foot_that_is_drawn_first_stands_below_the_text() -> None:
    canvas = Canvas(out := io.BytesIO(), pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    card = [(x, 300 - 22 * n, f"{words}{n}") for x, words in ((60, "示例栏目"), (260, "示例内容")) for n in range(3)]
    for x, y, words in card:
        canvas.drawString(x, y, words)
    for at, words in enumerate(wrapped(LEFT[0], 38)):
        canvas.drawString(60 + 24 * (not at), 750 - 22 * at, words)
    canvas.save()
    first, *rest = read(out.getvalue()).text.split("\n")
    assert first == LEFT[0]
    assert rest == [words for _, _, words in card]


def test_a_quote_in_the_second_column_is_boxed_there() -> None:
    boxes = reader.locate(printed("row by row"), 1, RIGHT[1], before=RIGHT[0])
    assert boxes
    assert all(box.left > 300 for box in boxes)


def test_short_cells_in_two_columns_are_no_prose() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    names = [
        "演示济南",
        "演示青岛市区",
        "演示烟台",
        "演示潍坊高新区",
        "演示临沂",
        "演示淄博",
        "演示威海",
        "演示日照市",
        "演示德州",
    ]
    for index, name in enumerate(names):
        canvas.drawString(60, 750 - 22 * index, name)
        canvas.drawString(330, 750 - 22 * index, f"装机容量{index + 11}万千瓦")
    canvas.showPage()
    canvas.save()
    rows = read(out.getvalue()).text.split("\n")
    assert all(
        name in row and f"{index + 11}万千瓦" in row for index, (name, row) in enumerate(zip(names, rows, strict=True))
    )


def counted(left: float, step: int) -> bytes:
    """A draft whose every so manyth line has its number at a place of the page, smaller than the text."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(out := io.BytesIO(), pagesize=(595, 842))
    for at, (first, words) in enumerate(
        [(i == 0, words) for row in LEFT for i, words in enumerate(wrapped(row, 24))], 1
    ):
        canvas.setFont("STSong-Light", 16)
        canvas.drawString(90 + 32 * first, 800 - 36 * at, words)
        canvas.setFont("Helvetica", 9)
        canvas.drawString(left, 800 - 36 * at, "" if at % step else str(at))
    canvas.drawString(297, 40, "1")
    canvas.showPage()
    canvas.save()
    return out.getvalue()


@pytest.mark.parametrize(("left", "step"), [(60, 5), (535, 5), (60, 3)])
def test_numbers_that_count_some_lines_are_no_text(left: float, step: int) -> None:
    assert read(counted(left, step)).text.split("\n") == LEFT


def test_numbers_beside_the_lines_that_count_nothing_stay() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(out := io.BytesIO(), pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    for at, words in enumerate(["限价（元）", "甲地", "乙地", "丙地", "丁地", "戊地", "己地", "庚地"]):
        canvas.drawString(90, 780 - 30 * at, words)
        canvas.drawString(400, 780 - 30 * at, {3: "5", 6: "9"}.get(at, ""))
    canvas.showPage()
    canvas.save()
    assert "丙地 5" in read(out.getvalue()).text


def test_a_running_head_over_both_columns_is_no_line_of_them() -> None:
    content = printed("column by column")
    text = read(_with_head(content)).text
    assert "第7期" not in text and text.split("\n")[1:] == read(content).text.split("\n")[1:]


def _with_head(content: bytes) -> bytes:
    """The page with the halves of a running head above it, nothing in the middle, as a gazette prints it."""
    from pypdf import PdfReader, PdfWriter

    canvas = Canvas(out := io.BytesIO(), pagesize=(595, 842))
    canvas.setFont("STSong-Light", 9)
    canvas.drawString(45, 828, "示例省公报")
    canvas.drawRightString(550, 828, "2031年第7期")
    canvas.save()
    writer = PdfWriter(clone_from=io.BytesIO(content))
    writer.pages[0].merge_page(PdfReader(out).pages[0])
    writer.write(whole := io.BytesIO())
    return whole.getvalue()
