"""Pages of an original without their blank edges (裁边)."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from nemo.ui.library.source_page import trimmed


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
