"""OFD: pages in the order of Document.xml, characters placed, any namespace."""

import io
import zipfile

import pytest
from parse_samples import NOTICE, ofd, wrapped

from nemo.errors import UnreadableDocumentError
from nemo.parse import parse
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument


def read(content: bytes, settings: Settings | None = None) -> ParsedDocument:
    return parse(RawDocument.of(content, "示例.ofd"), settings or Settings())


def sheets(rows: list[str], per_page: int = 10) -> list[list[tuple[float, float, float, str]]]:
    """28 characters of 5 mm a line; the page number at the foot."""
    placed = [(25.0 + (10.0 if i == 0 else 0.0), text) for row in rows for i, text in enumerate(wrapped(row))]
    pages = [placed[i : i + per_page] for i in range(0, len(placed), per_page)]
    return [
        [*[(x, 40.0 + 9.0 * i, 5.0, text) for i, (x, text) in enumerate(page)], (90.0, 280.0, 4.0, f"— {n} —")]
        for n, page in enumerate(pages, 1)
    ]


ROWS = [row for row in NOTICE if row.isascii() is False][:9]


def test_pages_and_paragraphs_in_reading_order() -> None:
    parsed = read(ofd(sheets(ROWS)))
    assert "".join(parsed.text.split()) == "".join("".join(ROWS).split())
    assert [p.printed for p in parsed.pages] == [str(p.number) for p in parsed.pages]
    assert len(parsed.pages) > 1


def test_any_namespace() -> None:
    assert read(ofd(sheets(ROWS), "urn:some-writer")).text == read(ofd(sheets(ROWS))).text


def test_places_are_read_as_a_writer_prints_doubles() -> None:
    placed = [
        [(x + 0.449999999999996, y + 0.050000000000004, size, text) for x, y, size, text in page]
        for page in sheets(ROWS)
    ]
    assert read(ofd(placed)).text == read(ofd(sheets(ROWS))).text


def test_too_many_pages_are_refused() -> None:
    with pytest.raises(UnreadableDocumentError, match="超过上限 1 页"):
        read(ofd(sheets(ROWS)), Settings(max_pages=1))


def test_a_missing_page_is_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(ofd(sheets(ROWS)))) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if "/P1/" not in name:
                new.writestr(name, old.read(name))
    with pytest.raises(UnreadableDocumentError, match="缺少部件"):
        read(out.getvalue())


def test_pictures_only_is_refused_with_the_way_out() -> None:
    with pytest.raises(UnreadableDocumentError, match="没有文字") as caught:
        read(ofd([[]]))
    assert "PDF" in caught.value.tips[0]
