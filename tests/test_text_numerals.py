"""Numerals of articles and lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.words.numerals import article_label, article_name, parse_article, parse_number, to_chinese

READ = [
    ("one digit", "六", 6),
    ("ten alone", "十", 10),
    ("teens", "十二", 12),
    ("tens", "二十", 20),
    ("written-out ten", "一十五", 15),
    ("with a zero", "一百零五", 105),
    ("round zero", "一百〇五", 105),
    ("circle as zero", "一百○五", 105),
    ("thousand", "一千二百六十", 1260),
    ("two as 两", "两千", 2000),
    ("ten thousand", "三万二千", 32000),
    ("year by digits", "二〇二五", 2025),
    ("old twenty", "廿三", 23),
    ("Arabic", "128", 128),
    ("full width", "１２", 12),
    ("mixed", "3千", 3000),
    ("blank inside", "一百 二十八", 128),
    ("zero", "零", 0),
    ("nothing", "", None),
    ("a word", "若干", None),
    ("with unit", "第六条", None),
    ("too long to be a number", "一" * 40, None),
]


@pytest.mark.parametrize(("remark", "text", "expected"), READ, ids=[r[0] for r in READ])
def test_numerals_are_read(remark: str, text: str, expected: int | None) -> None:
    assert parse_number(text) == expected


WRITTEN = [
    (0, "零"),
    (6, "六"),
    (10, "十"),
    (12, "十二"),
    (20, "二十"),
    (105, "一百零五"),
    (110, "一百一十"),
    (128, "一百二十八"),
    (1000, "一千"),
    (1005, "一千零五"),
    (1242, "一千二百四十二"),
    (10005, "一万零五"),
]


@pytest.mark.parametrize(("number", "expected"), WRITTEN)
def test_numbers_are_written_as_articles_are(number: int, expected: str) -> None:
    assert to_chinese(number) == expected


@given(st.integers(0, 10**8 - 1))
def test_writing_and_reading_agree(number: int) -> None:
    assert parse_number(to_chinese(number)) == number


@pytest.mark.parametrize("number", [-1, 10**8])
def test_numbers_outside_the_range_are_refused(number: int) -> None:
    with pytest.raises(ValueError):
        to_chinese(number)


ARTICLES = [
    ("plain", "第六条", (6, 0), "6", "第六条"),
    ("insertion", "第一百二十条之一", (120, 1), "120.1", "第一百二十条之一"),
    ("Arabic", "第10条", (10, 0), "10", "第十条"),
    ("full width with blanks", "第 １２ 条", (12, 0), "12", "第十二条"),
]


@pytest.mark.parametrize(("remark", "text", "expected", "label", "name"), ARTICLES, ids=[r[0] for r in ARTICLES])
def test_article_names(remark: str, text: str, expected: tuple[int, int], label: str, name: str) -> None:
    assert parse_article(text) == expected
    assert article_label(*expected) == label
    assert article_name(*expected) == name


@given(st.text(max_size=30))
def test_reading_never_raises(text: str) -> None:
    parse_number(text)
    parse_article(text)
