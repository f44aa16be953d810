"""Amounts in quotes that stand side by side (数值): which of them the other columns do not have.

A difference of wording is everywhere and says little; a different period, sum or capacity is what a comparison is for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nemo.text.words.numerals import parse_number
from nemo.types import Span

_UNIT = (
    "个?(?:工作日|自然日|日历日|小时|分钟|月|季度|周|年)|日|天|秒|千瓦时|万千瓦|千瓦|兆瓦|千伏安|千伏|伏|公里|千米|米|"
    "平方米|平方公里|公顷|亩|吨|亿元|万元|元|倍|次|份|kWh|kV|MW|GW|kW|MWh"
)
_LARGE = {"万": 10_000, "亿": 100_000_000}
_CHINESE = "[〇零一二两三四五六七八九十百千万]{1,16}"
_AMOUNT = re.compile(
    rf"百分之(?P<share>{_CHINESE}(?:点{_CHINESE})?)|(?<!\d)(?P<percent>\d+(?:\.\d+)?)\s*[%％]"
    rf"|(?P<number>(?<!\d)\d+(?:\.\d+)?|{_CHINESE})\s*(?P<unit>{_UNIT})"
)


def amounts(text: str) -> list[tuple[Span, str]]:
    """Return where amounts stand and what they come to, so that 十个工作日 and 10个工作日 are one."""
    found = []
    for match in _AMOUNT.finditer(text):
        if match["unit"]:
            times, unit = _LARGE.get(match["unit"][0], 1), match["unit"].lstrip("万亿").removeprefix("个")
            meaning = _number(match["number"], times) + unit.replace("天", "日")
        else:
            meaning = _number(match["share"] or match["percent"]) + "%"
        found.append((Span(*match.span()), meaning))
    return found


def _number(words: str, times: int = 1) -> str:
    value = float(words) if words[0].isdecimal() else parse_number(words)
    return words if value is None else f"{value * times:.10g}"


def own(columns: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return the amounts that only one column has, by column; columns without text count for nothing.

    Args:
        columns: The quotes of each.
    """
    said = {name: {m for text in texts for _, m in amounts(text)} for name, texts in columns.items() if texts}
    if len(said) < 2:
        return {}
    return {
        name: frozenset(mine.difference(*(other for key, other in said.items() if key != name)))
        for name, mine in said.items()
    }


def places(text: str, meant: frozenset[str]) -> list[Span]:
    """Return where the amounts ``meant`` stand in a text."""
    return [span for span, meaning in amounts(text) if meaning in meant]
