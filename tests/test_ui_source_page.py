"""Pages of an original without their blank edges (裁边)."""

import io

import pytest
from PIL import Image, ImageDraw

from nemo.ui.library.source_page import framed, trimmed


def sheet(*prints: tuple[int, int, int, int]) -> bytes:
    page = Image.new("RGB", (600, 800), "white")
    for box in prints:
        ImageDraw.Draw(page).rectangle(box, fill="black")
    out = io.BytesIO()
    page.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize(
    ("remark", "prints", "size"),
    [
        ("wide edges go, 28 pixels stay", [(100, 200, 399, 499)], (300 + 56, 300 + 56)),
        ("a page number at the foot stays", [(100, 200, 399, 499), (300, 760, 309, 769)], (300 + 56, 570 + 56)),
        ("print up to the edge stays whole", [(0, 0, 599, 799)], (600, 800)),
        ("a blank page stays as it is", [], (600, 800)),
    ],
)
def test_only_blank_edges_are_cut(remark: str, prints: list[tuple[int, int, int, int]], size: tuple[int, int]) -> None:
    assert Image.open(io.BytesIO(trimmed(sheet(*prints)))).size == size


def test_a_picture_is_framed_where_it_stands_on_its_page() -> None:
    blank = io.BytesIO()
    Image.new("RGB", (400, 600), "white").save(blank, "PNG")
    shown = Image.open(io.BytesIO(framed(blank.getvalue(), (0.25, 0.5, 0.75, 0.8))))
    assert shown.size == (400, 600)
    inked = shown.convert("L").point(lambda light: 255 if light < 245 else 0).getbbox()
    assert inked == (100, 300, 301, 481) and shown.getpixel((200, 400)) == (255, 255, 255)
