"""The page of the original: PDF with the quote boxed, pictures as they are, other formats not at all."""

import io
from pathlib import Path
from typing import Any

import pytest
from parse_samples import NOTICE, pdf

from nemo import settings
from nemo.engine import Engine
from nemo.errors import NotFoundError, UnreadableDocumentError
from nemo.parse.lines import PrintedLine
from nemo.parse.pdf import scan
from nemo.types import RawDocument, Span

ROWS = ("第一条　本办法为演示文本，由本项目编写，不作为办事依据。", "第二条　本办法自2024年6月1日起施行。")


def test_the_page_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def recognised(image: Any, number: int) -> tuple[list[PrintedLine], float]:
        return [
            PrintedLine(r, number, 100, 100 + 16 * len(r), 30.0 * i, 30.0 * i + 16, 16) for i, r in enumerate(ROWS)
        ], 0.99

    monkeypatch.setattr(scan, "read_page", recognised)
    raws = [
        RawDocument.of(pdf(NOTICE[1:], [NOTICE[0]]), "通知.pdf"),
        RawDocument.of(pages("TIFF", 2), "扫描.tif"),
        RawDocument.of("\n".join(("演示省并网办法（演示文本）", *ROWS)).encode(), "办法.md"),
    ]
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        engine.intake.ingest_raw(raws, facts={"province": "gd"})
        ids = {row.file: row.id for row in engine.regulations()}
        text = engine.regulation(ids["通知.pdf"]).text
        start = text.index(NOTICE[4])
        image = engine.page_image(ids["通知.pdf"], 1, Span(start, start + len(NOTICE[4])))
        assert image.png.startswith(b"\x89PNG") and len(image.boxes) >= 2
        assert engine.page_image(ids["通知.pdf"], 1).boxes == ()
        scanned = engine.page_image(ids["扫描.tif"], 2, Span(0, 5))
        assert scanned.png.startswith(b"\x89PNG") and (scanned.boxes, scanned.pages) == ((), 2)
        with pytest.raises(UnreadableDocumentError, match="没有页面图像"):
            engine.page_image(ids["办法.md"], 1)
        with pytest.raises(UnreadableDocumentError, match="没有第 9 页"):
            engine.page_image(ids["通知.pdf"], 9)
        with pytest.raises(NotFoundError):
            engine.page_image("nothing", 1)


def pages(kind: str, count: int) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    frames = [Image.new("L", (600, 850), 255) for _ in range(count)]
    frames[0].save(out, kind, save_all=True, append_images=frames[1:])
    return out.getvalue()
