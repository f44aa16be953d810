"""Amounts that only one province has (数值差异)."""

from __future__ import annotations

import pytest

from nemo.text.words.quantities import quantities
from nemo.ui.answer import amounts


@pytest.mark.parametrize(
    ("remark", "text", "expected"),
    [
        ("Arabic", "自受理之日起10个工作日内", [("10个工作日", "10工作日")]),
        ("Chinese numerals", "自受理之日起十个工作日内", [("十个工作日", "10工作日")]),
        ("a day is a day", "三十日内或者30天内", [("三十日", "30日"), ("30天", "30日")]),
        ("capacity", "6兆瓦以上、不足3.5万千瓦", [("6兆瓦", "6兆瓦"), ("3.5万千瓦", "35000千瓦")]),
        ("voltage", "接入10千伏及以下", [("10千伏", "10千伏")]),
        ("shares", "不低于百分之二十，不超过15%", [("百分之二十", "20%"), ("15%", "15%")]),
        ("sums", "处五万元以上10万元以下罚款", [("五万元", "50000元"), ("10万元", "100000元")]),
        ("days of the calendar are no amounts", "2031年3月15日起施行", []),
        ("half", "半年以内", [("半年", "0.5年")]),
        ("decimal in Chinese", "百分之二点五", [("百分之二点五", "2.5%")]),
        ("months", "六个月内", [("六个月", "6个月")]),
        ("numbers of articles are no amounts", "依照第十条、第二款处理", []),
        ("nothing", "应当书面答复。", []),
    ],
)
def test_amounts(remark: str, text: str, expected: list[tuple[str, str]]) -> None:
    assert [(value.span.of(text), value.folded) for value in quantities(text)] == expected


def test_only_what_no_other_column_says_is_its_own() -> None:
    said = {"gd": ["十个工作日内答复，6兆瓦以上"], "sd": ["10个工作日内答复", "3个工作日"], "nm": []}
    assert amounts.own(said) == {"gd": frozenset({"6兆瓦"}), "sd": frozenset({"3工作日"})}
    assert [s.of(said["gd"][0]) for s in amounts.places(said["gd"][0], frozenset({"6兆瓦"}))] == ["6兆瓦"]


def test_one_column_alone_differs_from_nothing() -> None:
    assert amounts.own({"gd": ["十日"], "sd": []}) == {}
