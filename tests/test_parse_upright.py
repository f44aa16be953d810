"""Pages whose words lie sideways or on their head are read, shown and boxed upright, however the file turns them."""

import io

import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from nemo.parse import parse, render
from nemo.settings import Settings
from nemo.types import RawDocument

LINES = (
    "附件",
    "演示省供热机组核定结果（演示文本）",
    "第一条 供热期内机组最小技术出力以额定工况核定，供热面积变化超过百分之十的，",
    "应当在变化发生之日起三十日内向演示省能源局申请重新核定，逾期未申请的按照",
    "原核定结果执行。",
    "第二条 本结果自2031年1月1日起执行，有效期一年。",
)
GRID = (("序号", "电厂", "最小技术出力"), ("1", "演示甲电厂", "181"), ("2", "演示乙电厂", "196"))
QUOTE = "应当在变化发生之日起三十日内向演示省能源局申请重新核定"


def page(drawn: int, rotate: int, number: bool = False) -> bytes:
    """One page: its words turned by so many quarters, and the page itself by its own mark (degrees)."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    wide, high = (842, 595) if drawn % 2 else (595, 842)
    canvas = Canvas(out, pagesize=(595, 842))
    if number:
        canvas.setFont("STSong-Light", 10)
        canvas.drawCentredString(297, 25, "— 7 —")
    canvas.translate(297.5, 421)
    canvas.rotate(90 * drawn)
    canvas.translate(-wide / 2, -high / 2)
    canvas.setFont("STSong-Light", 12)
    for at, words in enumerate(LINES):
        canvas.drawString(84 if words.startswith("第") else 60, high - 80 - 22 * at, words)
    for y in range(len(GRID) + 1):
        canvas.line(60, high - 230 - 24 * y, 360, high - 230 - 24 * y)
    for x in range(4):
        canvas.line(60 + 100 * x, high - 230, 60 + 100 * x, high - 302)
    for y, row in enumerate(GRID):
        for x, words in enumerate(row):
            canvas.drawString(64 + 100 * x, high - 246 - 24 * y, words)
    canvas.showPage()
    canvas.save()
    document = pypdfium2.PdfDocument(out.getvalue())
    document[0].set_rotation(rotate)
    marked = io.BytesIO()
    document.save(marked)
    return marked.getvalue()


@pytest.mark.parametrize("drawn", range(4))
@pytest.mark.parametrize("rotate", (0, 90, 180, 270))
def test_a_page_is_read_the_same_however_it_lies(drawn: int, rotate: int) -> None:
    text = parse(RawDocument.of(page(drawn, rotate), "x.pdf"), Settings()).text
    assert text.split("\n")[-3:] == [" | ".join(row) for row in GRID]
    assert "".join(text.split("\n")[:-3]) == "".join(LINES)


@pytest.mark.parametrize("drawn", range(4))
def test_the_page_is_shown_upright_and_the_quote_boxed_in_its_line(drawn: int) -> None:
    raw = RawDocument.of(page(drawn, 0), "x.pdf")
    shown, upright = (render(one, 1, QUOTE) for one in (raw, RawDocument.of(page(0, 0), "y.pdf")))
    (box,) = shown.boxes
    assert box.right - box.left > 8 * (box.bottom - box.top), "it lies along its words"
    wide, high = Image.open(io.BytesIO(shown.png)).size
    assert (wide > high) == bool(drawn % 2)
    (straight,) = upright.boxes
    assert (round(box.right - box.left), round(box.top)) == (round(straight.right - straight.left), round(straight.top))


def test_the_number_of_the_sheet_does_not_fall_into_a_table_that_lies_across_it() -> None:
    parsed = parse(RawDocument.of(page(1, 0, number=True), "x.pdf"), Settings())
    assert "7" not in parsed.text and any("7" in words for words in parsed.margin)


def test_lines_that_run_down_the_page_with_upright_letters_are_not_turned() -> None:
    """竖排: turning the page would lay every letter on its side."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842))
    canvas.setFont("STSong-Light", 12)
    for column, words in enumerate(LINES):
        for at, char in enumerate(words.replace(" ", "")):
            canvas.drawString(500 - 30 * column, 780 - 16 * at, char)
    canvas.save()
    shown = render(RawDocument.of(out.getvalue(), "x.pdf"), 1)
    wide, high = Image.open(io.BytesIO(shown.png)).size
    assert wide < high
