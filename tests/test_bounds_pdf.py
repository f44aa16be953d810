"""Where the measures of pages bite (界限), of PDF and of scans: each row grows one thing until the decision turns."""

import contextlib
import io
import math
import struct
import time
import zlib
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pypdfium2.raw as pdfium
import pytest
from PIL import Image

from nemo.parse import lines as parsed
from nemo.parse import pictures
from nemo.parse.furniture import CleanedPages
from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.pdf import (
    actual_text,
    aligned_tables,
    glyphs,
    places,
    reader,
    ruled_tables,
    sample,
    scan,
    two_up,
    upright,
    webprint,
)
from nemo.parse.pdf import pictures as figures
from nemo.parse.pdf.drawn import DrawnPage, SheetPicture
from nemo.parse.pictures import EmbeddedPicture, PictureReader
from nemo.types import Page, ParsedDocument, Span
from tests.bounds import Bounds, refused, turns

pytestmark = pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
WHITE = Image.new("RGB", (100, 100), "white")


def glyph(char: str, left: float, top: float = 0.0) -> Glyph:
    return Glyph(char, Box(left, top, left + 10, top + 10))


def placed(text: str, left: float = 0.0, top: float = 0.0, **more: object) -> PrintedLine:
    """Return a line of 10-point characters, one beside the other."""
    boxes = tuple(Box(left + 10 * i, top, left + 10 * i + 10, top + 10) for i in range(len(text)))
    told = {"left": left, "right": left + 10 * len(text), "top": top, "bottom": top + 10, "size": 10.0, "boxes": boxes}
    return PrintedLine(text, 1, **{**told, **more})  # type: ignore[arg-type]


def follows(distance: int) -> bool:
    """Whether a character ten points high stands in one line with one so far from it."""

    def box(_: object, at: int, place: Any) -> None:
        place._obj.left, place._obj.right, place._obj.top = at * distance, at * distance + 10, 10

    with (
        mock.patch.object(upright.pdfium, "FPDFText_GetUnicode", lambda *_: ord("样")),
        mock.patch.object(upright.pdfium, "FPDFText_GetLooseCharBox", box),
        mock.patch.object(upright, "_baseline", lambda *_: 0.0),
    ):
        return upright._run(SimpleNamespace(raw=None), 0) is not None  # type: ignore[arg-type]


def set_apart(lines: int) -> bool:
    """Whether a page whose lines all stand two characters further in has an edge of its own."""
    pages = [[placed("样" * 30)] * 40, [placed("样" * 28, 20)] * lines]
    return parsed._measured_shapes(pages, [500.0, 500.0], 10.0)[1][0].indent == 0


def spaced(first: str, gap: float, last: str) -> str:
    """Return what a guessed space between two characters becomes."""
    space = Glyph(" ", Box(10, 0, 10 + gap, 10), guessed=True)
    return glyphs.lines_of([glyph(first, 0), space, glyph(last, 10 + gap)], 1)[0].text


def sheet(text: str = "", **more: object) -> DrawnPage:
    told = {"rules": (), "picture": 0.0, "repaired": 0, **more}
    return DrawnPage(1, 100, 100, tuple(glyph(char, 0) for char in text), **told)  # type: ignore[arg-type]


def row(*pieces: tuple[float, str], top: float = 0.0) -> PrintedLine:
    """Return a line whose pieces begin at these places."""
    boxes = [Box(left + 10 * i, top, left + 10 * i + 10, top + 10) for left, text in pieces for i in range(len(text))]
    return placed("".join(text for _, text in pieces), top=top, boxes=tuple(boxes), right=boxes[-1].right)


def unruled(rows: int = 4, gap: float = 100.0, shift: float = 0.0, pitch: float = 20.0) -> bool:
    found = [row((0, "甲乙"), (20 + gap + shift * (i == 2), "1"), top=pitch * i) for i in range(rows)]
    return " | " in aligned_tables.with_tables(found)[0].text


def drawing(paths: int = 0, image: float = 0.0, images: int = 1, box: float = 0.0) -> DrawnPage:
    """Return a sheet of 200 points that draws slanted lines, pictures over a share of it, and a box so high."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, (200, 200))
    for place in range(paths):
        canvas.line(place, 0, place + 30, 40)
    for place in range(images if image else 0):
        side = 200 * math.sqrt(image)
        canvas.drawImage(ImageReader(Image.new("RGB", (8, 8), (place, 0, 0))), 0, 0, side, side)
    if box:
        canvas.rect(50, 50, 90, box, stroke=0, fill=1)
    canvas.showPage()
    canvas.save()
    return reader.read_sheets(out.getvalue(), 9)[0]


def lettered(*pages: str, width: float = 200.0) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, (width, 200))
    for text in pages:
        canvas.setFont("Helvetica", 10)
        for at in range(0, len(text), 1000):
            canvas.drawString(0, 150 - at / 500, text[at : at + 1000])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def begins_before(pages: int) -> bool:
    """Whether a quote is found on the last of so many pages that it runs over."""
    texts = [letter * 30 for letter in "abcdefghi"[:pages]]
    return bool(reader.locate(lettered(*texts), pages, "".join(texts), ""))


def counted(characters: int) -> Any:
    """Return a page of so many characters, of which none can be read."""
    counts = iter((characters, 0))
    return SimpleNamespace(raw=None, count_chars=lambda: next(counts))


def figures_of(sheets: int, share: float = 0.3, layer: int = 0) -> tuple[int, tuple[str, ...]]:
    """Return how many figures so many pages with one and the same blank picture hold, and what a reader is told."""
    picture = SheetPicture(Box(0, 30, 100 * share, 90), "0f")
    pages = [[placed("上文"), *([placed("样" * layer, 0, 50, right=20)] if layer else [])] for _ in range(sheets)]
    found = figures.FiguresOfPages(
        [DrawnPage(i + 1, 100, 100, (), (), share, 0, image=share, pictures=(picture,)) for i in range(sheets)],
        CleanedPages(pages, [None] * sheets, ()), 60, lambda _: WHITE,
    )  # fmt: skip
    return len(found.placed("上文")), tuple(fault.code for fault in found.faults(()))


def inked(red: int, dark: int, high: int = 10) -> list[scan.RecognisedPiece]:
    """Return what is a stamp on a page with so many columns of red and of black ink in one piece."""
    page = Image.new("RGB", (200, 1000), "white")
    page.paste((220, 20, 20), (0, 0, red, high))
    page.paste((0, 0, 0), (red, 0, red + dark, high))
    with mock.patch.object(scan, "_pieces", return_value=[]):
        return scan._without_stamps(page, [scan.RecognisedPiece("样例", Box(0, 0, 72, 72), 0.9)])


def red_beside(high: int) -> bool:
    page = Image.new("RGB", (200, 1000), "white")
    page.paste((220, 20, 20), (0, 900, 50, 900 + high))
    with mock.patch.object(scan, "_pieces", return_value=[]) as again:
        scan._without_stamps(page, [scan.RecognisedPiece("样例", Box(0, 0, 72, 72), 0.9)])
    return again.called


def turned(surer: float) -> int:
    scores = iter([("样例", 0.5), ("样例", 0.5 + surer)])
    with mock.patch.object(scan, "_read_line", side_effect=lambda _: next(scores)):
        return scan._turn(WHITE, [scan.RecognisedPiece("甲乙丙丁戊己庚辛", Box(0, 0, 30, 5), 0.9)])


def recognised(text: str = "样例电站应当备案", sure: float = 0.9, read: int = 0, elapsed: float = 0.0) -> bool:
    """Whether the words of a picture are relied on."""
    one = PictureReader(1000.0, began=time.monotonic() - elapsed, read=read)
    with mock.patch.object(scan, "read_page", return_value=([PrintedLine(text, 1)], sure)):
        return bool(one.keep(WHITE, EmbeddedPicture("", "")).words)


def frame(characters: int = 300, reach: float = 90.0) -> bool:
    """Whether a cell with so many characters, as wide as this in a box of 100 points, is running text."""
    step = reach / characters
    boxes = tuple(Box(step * i, 0, step * i + step, 10) for i in range(characters))
    return ruled_tables._is_frame(placed("样" * characters, boxes=boxes), ruled_tables.RuledGrid((0, 100), (0, 10), ()))


def printed(text: str, size: float, times: int = 1) -> str | None:
    return webprint.printed_title(
        [placed("样例电站的其他事项按照有关规定办理"), *[placed(text, size=size)] * times] * 1
    )


def edges(same: int, others: int, beyond: int = 0) -> bool:
    """Whether the text's column has no right edge: so many long lines end alike, the others short of it or beyond."""
    lines = [placed("样" * 20)] * same + [placed("样" * 20, -30 * i - 15) for i in range(others)]
    return webprint._right_edge([[*lines, *(placed("样" * 20, 30 * i + 15) for i in range(beyond))]]) is None


def cut(width: int = 30, lines: int = 6, others: int = 0, near: float = 0.0, left: float = 40.0) -> int:
    """Return whether a print 500 points wide was cut off, by long lines that end near its edge and others before it."""
    ends = [placed("样" * width, left, right=500 - near)] * lines + [placed("样" * width, left, right=300)] * others
    return len(webprint.cut_fault([ends], 500))


def quarters(characters: int = 1000, across: int = 1000) -> tuple[int, int]:
    """Return by how many quarters a page is turned of which so many characters run down, and how many were looked at."""
    seen: list[int] = []

    def run(_: object, index: int) -> object:
        seen.append(index)
        return ((0.0, 1.0), (0.0, 1.0)) if index < across else ((1.0, 0.0), (1.0, 0.0))

    page: Any = SimpleNamespace(get_size=lambda: (100, 100))
    text: Any = SimpleNamespace(count_chars=lambda: characters)
    with (
        mock.patch.object(upright, "_run", run),
        mock.patch.object(upright.drawn, "matrix_of", return_value=(1, 0, 0, 1)),
    ):
        return upright._quarters(page, text), len(seen)


def aslant(degrees: float) -> bool:
    angle = math.radians(degrees)
    with (
        mock.patch.object(pdfium, "FPDFText_GetCharAngle", return_value=angle),
        mock.patch.object(upright, "_baseline", return_value=angle),
    ):
        return upright.is_aslant(None, 0)


def said_to_be(width: int, height: int) -> bytes:
    """Return the head of a PNG that says so many pixels of itself."""
    said = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + said + struct.pack(">I", zlib.crc32(said)) + b"\0\0\0\0IDAT"


def shown_of(layer: int) -> str:
    """Return what is said of a page whose text layer reads so many signs that no Chinese text is written in."""
    text = "规定" * 60 + "É" * layer
    parsed = ParsedDocument(text, (Page(1, None, Span(0, len(text))),), "probe")
    with mock.patch.object(scan, "read_page", return_value=([PrintedLine("规定" * 60 + "限" * layer, 1)], 0.9)):
        return sample.compared(parsed, lambda _: WHITE)[-1].message


def hyphened(code: int) -> str:
    """Return the characters of a page on which PDFium gives this code."""
    page = SimpleNamespace(raw=None, count_chars=lambda: 1)
    asked = {"FPDFText_GetUnicode": code, "FPDFText_GetCharAngle": 0.0, "FPDFText_IsGenerated": 0}
    with contextlib.ExitStack() as stack:
        for name, said in asked.items():
            stack.enter_context(mock.patch.object(pdfium, name, return_value=said))
        stack.enter_context(mock.patch.object(pdfium, "FPDFText_GetLooseCharBox"))
        return "".join(each.char for each in reader._glyphs(page, (1, 0, 0, 1, 0, 0), False)[0])  # type: ignore[arg-type]


BOUNDS: Bounds = [
    # 字形成行
    ("汉字之间不满 0.9 字的猜测空格不留", lambda n: spaced("样", n / 10, "例"), (1, 120), 90),
    ("汉字与西文之间不满 0.6 字的猜测空格不留", lambda n: spaced("样", n / 10, "a"), (1, 120), 60),
    ("两处空当各宽于 1.2 字的行独立成行", lambda n: glyphs.lines_of([glyph("甲", 0), glyph("乙", 10 + n / 10), glyph("丙", 20 + n / 5)], 1)[0].apart, (10, 200), 121),
    ("比前一字低过 1.6 个字高，另起一行", lambda n: len(glyphs.lines_of([glyph("甲", 0), glyph("乙", 10, n)], 1)), (5, 60), 17),
    ("宽为高的 1.2 倍起，可能是一张两页", lambda n: bool(two_up._strip(DrawnPage(1, n, 100, (glyph("甲", 0), glyph("乙", n - 10)), (), 0.0, 0))), (100, 300), 120),
    ("两页之间的空白在中线左右各 6% 以内", lambda n: bool(two_up._strip(DrawnPage(1, 1000, 100, (Glyph("甲", Box(0, 0, 500 + n, 10)), glyph("乙", 900)), (), 0.0, 0))), (0, 300), 53),
    ("行距超过通常的 1.9 倍，前有空行", lambda n: glyphs.lines_of([g for i, top in enumerate((0, 20, 40, 60, 60 + n)) for g in (glyph("\n", 0, top), glyph("甲", i % 2, top))], 1)[-1].blank_before, (20, 90), 39),
    # 无线表格
    ("无线表格的栏间宽于 1.6 字", lambda n: unruled(gap=n / 10), (10, 300), 161),
    ("无线表格各行的栏位相差不超过 1.5 字", lambda n: unruled(shift=n / 10), (1, 300), 151),
    ("无线表格至少三行", lambda n: unruled(rows=n), (1, 9), 3),
    ("无线表格的行距不超过 3.5 字", lambda n: unruled(pitch=n), (11, 90), 36),
    # 网页打印
    ("浏览器印在纸边的字在前三行以内", lambda n: len(webprint.take_stamps([[*[placed("样例")] * n, placed("https://example.invalid/"), *[placed("样例")] * 9]])[0]), (0, 8), 3),
    ("至少 20 字宽的行才算到了纸边", lambda n: cut(width=n), (8, 40), 20),
    ("相隔四个字高以内的才是同一行的下一字", follows, (10, 90), 41),
    ("八行起，一页自有左右边", set_apart, (2, 30), 8),
    ("四行到了纸边，才是右边被切", lambda n: cut(lines=n), (1, 9), 4),
    ("半数没写完的行到了纸边，才是右边被切", lambda n: cut(lines=n, others=20 - n), (4, 16), 10),
    ("离纸边不满 1.5 字才算到了纸边", lambda n: cut(near=n), (1, 40), 15),
    ("四行长行才看出右边", lambda n: edges(n, 0), (1, 9), 4),
    ("四成长行止于一处，才是右边", lambda n: edges(n, 20 - n), (4, 16), 8),
    ("一成以上的长行更宽，就没有右边", lambda n: edges(20 - n, 0, n), (0, 9), 3),
    ("没有页边的网页，超出纸面 0.3 字才是被切", lambda n: cut(near=-n / 10, left=0.0), (1, 90), 31),
    ("满 60 字的页才看方向", lambda n: quarters(n)[0], (10, 300), 60),
    ("至多看 200 字的方向", lambda n: quarters(n)[1] == n - 1, (200, 900), 400),
    ("六成以上的字转向才转页", lambda n: quarters(200, n)[0], (60, 190), 120),
    ("右边之外 1.2 字起是旁栏", lambda n: webprint._parted(placed("样例", 200 + n), 200.0)[0].aside, (1, 90), 13),
    ("六成字是链接的行是链接", lambda n: len(webprint.links_among([placed("样例", linked=n / 10)])), (1, 10), 6),
    ("五个链接加一处导航、一处页脚是网页打印", lambda n: webprint.is_print([[placed("首页"), placed("主办单位：样例局")]], (), n), (0, 9), 5),
    ("标题的字号为正文 1.2 倍", lambda n: printed("关于样例的通知", n / 10), (100, 150), 120),
    ("标题不超过 150 字", lambda n: printed("样" * 10, 15, 1) and webprint.printed_title([*[placed("样例电站的其他事项按照有关规定办理")] * 20, placed("题" * n, size=15)]) is None, (20, 300), 151),
    # 字体缺失
    ("字数不到文字块数的三成，文字丢失", lambda n: actual_text.is_lost(n, 100), (1, 90), 30),
    ("二十个文字块起才判断文字丢失", lambda n: actual_text.is_lost(0, n), (1, 90), 20),
    # 版面图形
    ("三十条曲线起可能是画出来的字", lambda n: drawing(paths=n).picture, (1, 90), 30),
    ("画出来的字按盖住半页计", lambda n: drawing(paths=40).picture >= n / 100, (10, 99), 51),
    ("超过版面 4% 的图才可能是插图", lambda n: len(drawing(image=n / 1000).pictures), (10, 90), 40),
    ("超过版面八成的图就是版面", lambda n: len(drawing(image=n / 1000).pictures), (500, 990), 801),
    ("一页至多看 20 幅插图", lambda n: len(drawing(image=0.1, images=n).pictures) == n, (1, 60), 21),
    ("一图出现三次是饰物", lambda n: figures_of(n)[0] > 0, (1, 9), 3),
    ("盖住版面两成的图没有读出，提请核对", lambda n: figures_of(3, n / 100)[1], (1, 90), 20),
    ("图下已有十字文字层，不再识别", lambda n: figures_of(1, 0.3, n)[1], (1, 40), 10),
    # 有线表格
    ("2.5 点以内的框是一条线", lambda n: len(drawing(box=n / 10).rules), (1, 90), 26),
    ("满 200 字的格是网页的框", lambda n: frame(n), (50, 400), 200),
    ("宽度不到六成的格不是网页的框", lambda n: frame(reach=n), (10, 99), 60),
    # 文字层
    ("图像盖住半页而没有文字，是扫描页", lambda n: reader.needs_ocr(sheet(picture=n / 100)), (1, 99), 50),
    ("扫描页上至多 50 字是盖章", lambda n: reader.needs_ocr(sheet("样" * n, image=0.9)), (20, 90), 51),
    ("5% 以上的字读不出，要识别", lambda n: reader._garbled("\ue000" * n + "样" * (100 - n)), (1, 60), 6),
    ("一半以上的字是今天不写的，要识别", lambda n: reader._garbled("㐀" * n + "样" * (100 - n)), (1, 90), 51),
    ("八个汉字起的行是句子", lambda n: reader._garbled("样" * n + "\n" + "\ue000" * 9), (1, 40), 8),
    ("斜出 3 度的字是水印", lambda n: aslant(n / 10), (1, 300), 29),
    ("缺字体的文件每页至少 60 字", lambda n: refused(lambda: reader._require_text([sheet(lost=30)], "样" * n, False)), (1, 200), 60),
    ("一页至多五万字符", lambda n: refused(lambda: reader._glyphs(counted(n), (), False)), (49_998, 50_003), 50_001),
    ("识别用的图像每英寸 200 点", lambda n: reader.page_bitmap(lettered("", width=n), 1).width >= 200, (50, 90), 72),
    ("摘录可以起于前两页", begins_before, (2, 9), 4),
    # 扫描件
    ("识别置信度不到 0.9 另作提示", lambda n: len(list(scan._faults({1: n / 100}, {1: 5}, 0.9))), (50, 99), 90),
    ("图片长边至多 3400 像素", lambda n: scan._flat(Image.new("RGB", (n, 10))).width == n, (3000, 3800), 3401),
    ("图片的短边至少为长边的四分之一", lambda n: scan._padded(Image.new("RGB", (800, n))).height == n, (5, 400), 200),
    ("明暗相差 16 级起才有内容", lambda n: scan._is_blank(Image.merge("RGB", [Image.linear_gradient("L").point(lambda v: 255 - v * n // 255)] * 3)), (1, 90), 16),
    ("倒置的读法要高出 0.05", lambda n: turned(n / 1000), (1, 400), 51),
    ("墨迹七成是红的才是印章", lambda n: inked(n, 100 - n)[0].stamp, (10, 99), 70),
    ("文字之外的红占页高 3% 才是印章", red_beside, (5, 90), 30),
    ("识别三页后估计时间", lambda n: refused(lambda: scan._check_time(100, n, 10, 1)), (1, 9), 3),
    ("每英寸 200 像素折为 72 点", lambda n: scan._box(((n, 0), (n, 9))).left >= 72, (100, 300), 200),
    ("图片至多一亿五千万像素", lambda n: refused(lambda: scan.frames(said_to_be(1000, n), 9)), (149_000, 151_000), 150_001),
    # 摘录的位置
    ("前文至多比较两万字", lambda n: places._shared_ending("样" * n, "样" * 30_000) == n, (19_000, 21_000), 20_001),
    ("所举的字至多十二个", lambda n: shown_of(n).count("É") == n, (2, 60), 13),
    # 图片里的字
    ("置信度不到 0.75 的图中文字不用", lambda n: recognised(sure=n / 100), (10, 99), 75),
    ("不满四个汉字的图中文字不用", lambda n: recognised("样" * n), (1, 9), 4),
    ("一份文件至多识别 40 幅图", lambda n: recognised(read=n), (1, 90), 40),
    ("图片至多用去时限的一半", lambda n: recognised(elapsed=10 * n), (1, 99), 50),
    ("显示的图长边至多 1600 像素", lambda n: Image.open(io.BytesIO(pictures.png(Image.new("RGB", (n, 10))))).width == n, (1000, 2000), 1601),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: object, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at  # type: ignore[arg-type]


def test_a_quote_is_boxed_in_a_colour_that_leaves_its_words_readable() -> None:
    image = Image.open(io.BytesIO(places.boxed_png(WHITE, [Box(20, 20, 60, 60)])))
    assert [image.getpixel(at) for at in ((40, 40), (19, 40), (5, 5))] == [
        (255, 236, 175),
        (214, 120, 0),
        (255, 255, 255),
    ]


@pytest.mark.parametrize(("code", "read"), [(0x2, "-\n"), (0xFFFE, "-\n"), (0x3, "\x03"), (0x14, "\x14"), (0x2D, "-")])
def test_what_stands_for_a_hyphen_at_the_end_of_a_line(code: int, read: str) -> None:
    assert hyphened(code) == read
