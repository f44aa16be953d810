"""What a comparison of provinces shows of each (对照): amounts that only one has, words that only look alike."""

from types import SimpleNamespace
from typing import Any

import pytest

from nemo.export import ReportColumn
from nemo.store.search.facets import NATIONAL
from nemo.text.words.quantities import quantities
from nemo.ui.answer import amounts, matrix


@pytest.mark.parametrize(
    ("remark", "text", "expected"),
    [
        ("Arabic", "自受理之日起10个工作日内", [("10个工作日", "10工作日")]),
        ("Chinese numerals", "自受理之日起十个工作日内", [("十个工作日", "10工作日")]),
        ("a day is a day", "三十日内或者30天内", [("三十日", "30日"), ("30天", "30日")]),
        ("capacity", "6兆瓦以上、不足3.5万千瓦", [("6兆瓦", "6000千瓦"), ("3.5万千瓦", "35000千瓦")]),
        ("voltage", "接入10千伏及以下", [("10千伏", "10千伏")]),
        ("shares", "不低于百分之二十，不超过15%", [("百分之二十", "20%"), ("15%", "15%")]),
        ("sums", "处五万元以上10万元以下罚款", [("五万元", "50000元"), ("10万元", "100000元")]),
        ("days of the calendar are no amounts", "2031年3月15日起施行", []),
        ("half", "半年以内", [("半年", "6个月")]),
        ("a fraction", "四分之三以上、1/5以内", [("四分之三", "75%"), ("1/5", "20%")]),
        ("one length", "两公里，500米", [("两公里", "2000米"), ("500米", "500米")]),
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
    assert amounts.own(said) == {"gd": frozenset({"6000千瓦"}), "sd": frozenset({"3工作日"})}
    assert [s.of(said["gd"][0]) for s in amounts.places(said["gd"][0], frozenset({"6000千瓦"}))] == ["6兆瓦"]


def test_one_column_alone_differs_from_nothing() -> None:
    assert amounts.own({"gd": ["十日"], "sd": []}) == {}


@pytest.mark.parametrize(("own", "national", "shown"), [(0.75, 0.9, "near"), (0.85, 0.9, "own"), (0.75, 0.0, "own")])
def test_words_alike_are_no_answer_where_a_national_rule_is_far_surer(own: float, national: float, shown: str) -> None:
    """临时用地期限: a provincial rule on berths is not what is asked where the national one on land answers."""

    def quoted(name: str, score: float) -> Any:
        return SimpleNamespace(regulation_id=name, score=score)

    def column(*quotes: Any, own: tuple[Any, ...] = ()) -> ReportColumn:
        answer: Any = SimpleNamespace(quotes=quotes)
        return ReportColumn("sd", answer, own)

    berths, land = quoted("berths", own), quoted("land", national)
    columns = [column(berths, own=(berths,)), column(*([land] if national else []))]
    found = matrix.weighed(columns, {"berths": "sd", "land": NATIONAL})[0]
    assert (found.own, found.near) == (((berths,), ()) if shown == "own" else ((), (berths,)))
