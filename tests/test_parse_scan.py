"""Scans: recognised text is marked as such; a garbled text layer is not believed."""

import functools
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from parse_samples import NOTICE, pdf, wrapped

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.parse import garble, parse, render
from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.pdf import drawn, places, reader, scan
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument, RecognisedLine

FONTS = ("NotoSerifCJK-Regular.ttc", "NotoSansCJK-Regular.ttc", "wqy-microhei.ttc", "uming.ttc")


def read(content: bytes, name: str = "示例.png") -> ParsedDocument:
    return parse(RawDocument.of(content, name), Settings())


def picture(rows: list[str]) -> Any:
    """A scanned page: 200 dpi, 28 characters a line; a lower one would be enlarged, which takes three times as long."""
    from PIL import Image, ImageDraw, ImageFont

    path = next((p for name in FONTS for p in Path("/usr/share/fonts").rglob(name)), None)
    if path is None:
        pytest.skip("no Chinese font is installed (Debian: fonts-wqy-microhei)")
    font = ImageFont.truetype(str(path), 40)
    image = Image.new("RGB", (1500, max(800, 90 + 70 * len(rows))), "white")
    pen = ImageDraw.Draw(image)
    for index, row in enumerate(rows):
        pen.text((180, 40 + 70 * index), row, font=font, fill="black")
    return image


def saved(image: Any, form: str, **more: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **more)
    return out.getvalue()


def distance(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


@pytest.fixture
def recogniser(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[int, tuple[list[str], float]]], None]:
    """Replace the recogniser by fixed lines and confidences per page."""

    def install(pages: dict[int, tuple[list[str], float]]) -> None:
        def read_page(image: Any, number: int) -> tuple[list[PrintedLine], float]:
            rows, score = pages[number]
            return [
                PrintedLine(r, number, 100, 100 + 16 * len(r), 30.0 * i, 30.0 * i + 16, 16) for i, r in enumerate(rows)
            ], score

        monkeypatch.setattr(scan, "read_page", read_page)

    return install


def scanned_pdf(pages: int) -> bytes:
    """A PDF of pictures without a text layer."""
    from PIL import Image

    images = [Image.new("RGB", (600, 850), "white") for _ in range(pages)]
    return saved(images[0], "PDF", save_all=True, append_images=images[1:])


@functools.cache
def real_notice() -> ParsedDocument:
    """A picture of one paragraph, read by the real recogniser: once for all tests."""
    return read(saved(picture(wrapped(NOTICE[2])), "PNG"))


def test_a_real_picture_is_read() -> None:
    rows, parsed = wrapped(NOTICE[2]), real_notice()
    wanted = "".join(rows)
    assert distance("".join(parsed.text.split()), wanted) <= 0.05 * len(wanted)
    assert parsed.parser == "scan/rapidocr"
    assert parsed.ocr_confidence is not None
    assert parsed.ocr_confidence > 0.8
    assert [f.code for f in parsed.faults] == ["ocr_pages"]


def test_a_quote_on_a_scan_is_boxed_roughly_where_it_is_printed() -> None:
    """``picture`` prints row n at (180, 40 + 70 n) in characters of 40 pixels; a box may be half a character off."""
    from PIL import Image

    rows = wrapped(NOTICE[2])
    image = picture(rows)
    files = [RawDocument.of(saved(image, "PNG"), "a.png"), RawDocument.of(saved(image, "PDF", resolution=200), "a.pdf")]
    for raw, parsed in zip(files, (real_notice(), parse(files[1], Settings())), strict=True):
        quote = rows[1][3:9]
        assert quote in parsed.text.replace("\n", "")
        shown = render(raw, 1, quote, 200 / 72, None, parsed.pages)
        (box,) = shown.boxes
        across = Image.open(io.BytesIO(shown.png)).width / image.width
        assert shown.estimated
        assert box.left / across == pytest.approx(180 + 3 * 40, abs=30)
        assert box.right / across == pytest.approx(180 + 9 * 40, abs=30)
        assert box.top / across == pytest.approx(40 + 70, abs=30) and box.bottom / across == pytest.approx(160, abs=30)
        assert render(raw, 1, "并无此句的引文", 2.0, None, parsed.pages).boxes == ()
        assert render(raw, 1, quote).boxes == ()


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_scan_that_lies_on_its_side_is_read_and_boxed_as_it_lies(turn: int) -> None:
    """``picture`` prints row n at (180, 40 + 70 n); turned counter-clockwise it is read as if it stood upright."""
    rows = [*wrapped(NOTICE[2]), *wrapped(NOTICE[4])]
    upright = picture(rows)
    image = upright.rotate(turn, expand=True)
    raw = RawDocument.of(saved(image, "PNG"), "a.png")
    parsed = parse(raw, Settings())
    wanted = "".join(rows)
    assert distance("".join(parsed.text.split()), wanted) <= 0.05 * len(wanted)
    (box,) = render(raw, 1, rows[1][:9], 1.0, None, parsed.pages).boxes
    row = places.turned(Box(180, 110, 180 + 9 * 40, 160), turn // 90, upright.width, upright.height)
    assert box.left < (row.left + row.right) / 2 < box.right and box.top < (row.top + row.bottom) / 2 < box.bottom


def test_a_red_stamp_over_the_signature_is_no_part_of_it() -> None:
    from PIL import ImageDraw, ImageFont

    rows = [*wrapped(NOTICE[2]), *wrapped(NOTICE[4]), "　　　　示例省能源局", "　　　　2034年5月20日"]
    image = picture(rows)
    plain, pen = image.copy(), ImageDraw.Draw(image)
    font = ImageFont.truetype(next(str(p) for n in FONTS for p in Path("/usr/share/fonts").rglob(n)), 40)
    high = 40 + 70 * (len(rows) - 1)
    pen.ellipse((380, high - 200, 760, high + 120), outline=(225, 40, 40), width=9)
    pen.text((540, high - 50), "★", font=font, fill=(225, 40, 40))
    pen.text((720, high), "演示专用章", font=font, fill=(225, 40, 40))
    text = read(saved(image, "PNG")).text
    assert text.split("\n")[-2:] == ["2034年5月20日", "演示专用章"]
    assert distance(text.removesuffix("\n演示专用章"), read(saved(plain, "PNG")).text) <= 2, (
        "letters under the ring may suffer"
    )


@pytest.mark.parametrize(
    ("remark", "line", "weak", "told"),
    [
        ("a digit read unsurely", "2035年6月8日", 3, "2035年6月8日"),
        ("an amount among words", "不低于0.81元", 5, "0.81"),
        ("a word read unsurely", "不低于0.81元", 1, ""),
        ("read surely", "示发改〔2035〕6号", None, ""),
        ("no such day", "2035年月8日", None, "2035年月8日"),
        ("a month alone", "自2035年4月", None, ""),
    ],
)
def test_figures_read_unsurely_are_told(remark: str, line: str, weak: int | None, told: str) -> None:
    assert scan._unsure(line, [0.5 if at == weak else 0.99 for at in range(len(line))]) == told, remark


def test_a_figure_that_another_reading_has_otherwise_is_doubted() -> None:
    place = Box(10, 10, 90, 20)
    read = [scan.RecognisedPiece("2035年6月8日", place, 0.99), scan.RecognisedPiece("2033年6月8日", place, 0.99)]
    assert scan._compared(read[0], read[1:]).unsure == "2035年6月8日"
    assert scan._compared(read[0], read[:1]).unsure == ""


def test_each_line_keeps_its_confidence_and_comes_back_from_the_catalogue() -> None:
    from nemo.store.catalogue.codec import decode, encode
    from nemo.types import Page

    parsed = real_notice()
    (page,) = parsed.pages
    assert "".join(line.text for line in page.recognised) == "".join(parsed.text.split())
    assert all(0.5 < line.confidence <= 1 and 0 <= line.left < line.right <= 1 for line in page.recognised)
    assert decode(Page, encode(page)) == page


def test_a_quote_has_the_confidence_of_its_own_lines() -> None:
    from nemo.types import Page, Regulation, Span, Validity

    text = "第一条 首行的文字\n第二条 次行的文字\n第三条 有文字层的一页"
    edge = text.index("第三条")
    lines = tuple(
        RecognisedLine(t, 0, 0, 1, 1, c) for t, c in (("第一条首行", 0.5), ("的文字", 0.7), ("第二条 次行的文字", 0.9))
    )
    pages = (Page(1, None, Span(0, edge), lines), Page(2, None, Span(edge, len(text))))
    held = Regulation("x", "t", text, (), Validity(), file="a.pdf", sha256="0", pages=pages, ocr_confidence=0.8)
    assert held.recognised(Span(0, 3)) == 0.5
    assert held.recognised(Span(0, text.index("\n"))) == pytest.approx((0.5 * 5 + 0.7 * 3) / 8)
    assert held.recognised(Span(text.index("次"), edge - 1)) == pytest.approx(0.9)
    assert held.recognised(Span(edge, len(text))) is None
    assert replace(held, pages=()).recognised(Span(0, 3)) == 0.8


def test_a_quote_across_lines_of_a_mixed_file_is_boxed_on_its_page(recogniser: Any) -> None:
    """A page with a text layer keeps its exact boxes beside one that was recognised."""
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE[:3], numbers=False)))
    writer.append(io.BytesIO(scanned_pdf(1)))
    out = io.BytesIO()
    writer.write(out)
    recogniser({2: (["第九条 扫描页的文字"], 0.97)})
    parsed = read(out.getvalue(), "a.pdf")
    line = RecognisedLine("第九条 扫描页的文字", 0.1, 0.1, 0.6, 0.15, 0.97)
    pages = (parsed.pages[0], replace(parsed.pages[1], recognised=(line,)))
    raw = RawDocument.of(out.getvalue(), "a.pdf")
    exact = render(raw, 1, NOTICE[1], 1.0, None, pages)
    assert exact.boxes == render(raw, 1, NOTICE[1], 1.0).boxes != () and not exact.estimated
    rough = render(raw, 2, "扫描页", 1.0, None, pages)
    assert rough.estimated and len(rough.boxes) == 1


def test_confidence_is_the_mean_over_characters(recogniser: Any) -> None:
    recogniser({1: (["第一条 示例文字。"] * 3, 0.99), 2: (["第二条 示例文字。"], 0.59)})
    parsed = read(scanned_pdf(2), "a.pdf")
    assert parsed.ocr_confidence == pytest.approx((0.99 * 3 + 0.59) / 4)
    assert parsed.parser == "pdf/ocr"
    assert [f.code for f in parsed.faults] == ["ocr_pages", "ocr_low_confidence"]
    assert "第1、2页" in parsed.faults[0].message
    assert "第2页" in parsed.faults[1].message


def test_only_pages_without_a_text_layer_are_recognised(recogniser: Any) -> None:
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE[:3], numbers=False)))
    writer.append(io.BytesIO(scanned_pdf(1)))
    out = io.BytesIO()
    writer.write(out)
    recogniser({2: (["第九条 扫描页的文字。"], 0.97)})
    parsed = read(out.getvalue(), "a.pdf")
    assert parsed.parser == "pdf/pdfium"
    assert parsed.text.split("\n") == [*NOTICE[:3], "第九条 扫描页的文字。"]
    assert parsed.ocr_confidence == pytest.approx(0.97)


def test_a_scan_without_result_is_refused(recogniser: Any) -> None:
    recogniser({1: ([], 0.0)})
    with pytest.raises(UnreadableDocumentError):
        read(scanned_pdf(1), "a.pdf")


def test_a_scan_that_cannot_finish_in_time_is_refused_early(recogniser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(0, 10_000, 50))
    monkeypatch.setattr(scan.time, "monotonic", lambda: float(next(ticks)))
    recogniser({n: (["第一条 示例文字。"], 0.99) for n in range(1, 10)})
    with pytest.raises(UnreadableDocumentError, match="约需 450 秒，超过单个文件时限 300 秒"):
        parse(RawDocument.of(scanned_pdf(9), "a.pdf"), Settings(parse_seconds=300))


def test_pages_of_a_scan_can_be_shown() -> None:
    from PIL import Image

    frames = [Image.new("L", (80 + n, 60), 255) for n in range(2)]
    raw = RawDocument.of(saved(frames[0], "TIFF", save_all=True, append_images=frames[1:]), "a.tif")
    shown = render(raw, 2, "第一条")
    assert (shown.pages, shown.boxes) == (2, ())
    assert Image.open(io.BytesIO(shown.png)).size == (81, 60)
    with pytest.raises(UnreadableDocumentError, match="没有第 3 页"):
        render(raw, 3)
    with pytest.raises(UnreadableDocumentError, match="没有页面图像"):
        render(RawDocument.of("第一条".encode(), "a.txt"), 1)


def test_pages_of_a_tiff_are_pages(recogniser: Any) -> None:
    from PIL import Image

    frames = [Image.new("L", (80, 60), 255) for _ in range(3)]
    recogniser({n: ([f"第{n}页的文字。"], 0.95) for n in (1, 2, 3)})
    parsed = read(saved(frames[0], "TIFF", save_all=True, append_images=frames[1:]), "a.tif")
    assert [p.number for p in parsed.pages] == [1, 2, 3]


def test_a_missing_recogniser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    scan._engine.cache_clear()
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    with pytest.raises(MissingDependencyError, match="rapidocr"):
        read(saved(picture(wrapped(NOTICE[2])), "PNG"))


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("PNG header only", b"\x89PNG\r\n\x1a\n" + b"\x00" * 40),
        ("JPEG cut off", b"\xff\xd8\xff\xe0" + b"\x00" * 90),
        ("TIFF of nothing", b"II*\x00" + b"\xff" * 60),
        ("GIF of nothing", b"GIF89a" + b"\xff" * 60),
    ],
)
def test_damaged_pictures_are_refused(remark: str, content: bytes) -> None:
    with pytest.raises(UnreadableDocumentError):
        read(content)


# --- text layers -----------------------------------------------------------------------------------------------------


def sheet(text: str, picture: float = 0.0) -> drawn.DrawnPage:
    box = Box(0, 0, 10, 10)
    return drawn.DrawnPage(1, 595, 842, tuple(Glyph(c, box) for c in text), (), picture, 0)


@pytest.mark.parametrize(
    ("remark", "text", "picture", "expected"),
    [
        ("good text", "第一条 电网企业应当公平开放电网。", 0.0, False),
        ("good text over a picture of the page", "第一条 电网企业应当公平开放电网。", 1.0, False),
        ("private-use characters", "第一条 \ue001\ue002\ue003\ue004应当公平开放电网。", 0.0, True),
        ("replacement marks", "第一条 \ufffd\ufffd\ufffd应当公平开放电网。", 0.0, True),
        ("nothing but a picture", "", 1.0, True),
        ("a page number over a picture", "— 8 —", 0.9, True),
        ("an empty sheet", "", 0.0, False),
    ],
)
def test_which_pages_need_recognition(remark: str, text: str, picture: float, expected: bool) -> None:
    assert reader.needs_ocr(sheet(text, picture)) is expected, remark


def test_a_stamp_over_a_scan_does_not_hide_it() -> None:
    stamped = replace(sheet("收文编号：演示〔2024〕0123号 示例市能源局办公室", 1.0), image=1.0)
    assert reader.needs_ocr(stamped)
    assert not reader.needs_ocr(replace(sheet("第一条 电网企业应当公平开放电网。" * 5, 1.0), image=1.0))


def test_a_picture_beside_text_is_told() -> None:
    """An annex that stands as a picture under its heading is not read, and the reader must know."""
    import pypdf

    writer = pypdf.PdfWriter(io.BytesIO(pdf(NOTICE[:3], numbers=False)))
    photo = pypdf.PdfReader(io.BytesIO(scanned_pdf(1))).pages[0]
    writer.pages[0].merge_transformed_page(photo, pypdf.Transformation().scale(0.6))
    out = io.BytesIO()
    writer.write(out)
    parsed = read(out.getvalue(), "a.pdf")
    assert parsed.text.split("\n") == list(NOTICE[:3])
    assert [f.code for f in parsed.faults] == ["pictures_dropped"]


@pytest.mark.parametrize(
    ("damaged", "repaired"),
    [("⻛电、⽔电", "风电、水电"), ("⻔户⽹站", "门户网站"), ("⼴东⻅⻚⾏", "广东见页行"), ("风电", "风电")],
)
def test_radicals_become_characters_one_for_one(damaged: str, repaired: str) -> None:
    assert garble.repair(damaged)[0] == repaired
    assert len(damaged) == len(repaired)
