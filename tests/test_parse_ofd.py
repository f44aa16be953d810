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


def test_rules_drawn_on_a_page_make_a_table() -> None:
    words = [(32, 60, "项目"), (72, 60, "适用范围"), (32, 70, "甲类"), (72, 70, "接入三十五千伏及以上"), (72, 76, "等级的风电场"), (32, 86, "乙类"), (72, 86, "其他电站")]  # fmt: skip
    paths = ["M 30 53 L 150 53 L 150 89 L 30 89 C", "M 30 63 L 150 63", "M 30 79 L 150 79", "M 70 53 L 70 89"]
    page = [(x, y, 5.0, text) for x, y, text in [(28, 45, "各市能源局："), *words, (28, 110, "以上自发布之日起执行。")]]
    rows = read(ofd([page], paths=paths)).text.split("\n")
    assert rows[1:-1] == ["项目 | 适用范围", "甲类 | 接入三十五千伏及以上等级的风电场", "乙类 | 其他电站"]


def test_columns_without_rules_that_all_but_touch_are_cells() -> None:
    table = [
        ("序号", "项目名称", "主体", "规模"),
        ("1", "示例微电网", "甲公司", "12兆瓦"),
        ("2", "示例工业园区微电网", "乙公司", "8兆瓦"),
    ]
    page = [
        (x, 60.0 + 10 * y, 4.5, word)
        for y, row in enumerate(table)
        for x, word in zip((28, 45, 92, 140), row, strict=True)
    ]
    assert read(ofd([page])).text.split("\n") == [" | ".join(row) for row in table]
