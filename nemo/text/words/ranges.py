"""Ranges of amounts that a text rules (档次): 十公顷以上不满六十公顷, 从业人员一百人以上."""

import math
import re
from typing import NamedTuple

from nemo.text.words.quantities import Amount, quantities

LOWER = re.compile("及?以上")
UPPER = re.compile("及?以下|以内")
BEFORE_LOWER = re.compile("(?:超过|大于|高于|多于|不少于|不低于|不小于|满)$")
BEFORE_UPPER = re.compile("(?:不满|不足|不超过|(?<!不)(?:低于|少于|小于)|不高于|不大于|未达到?)$")
NOT_LOWER = re.compile("(?:不超过|不满)$")
FROM = re.compile(r"(?<![\d.])(\d{1,9}(?:\.\d{1,4})?)\s?[-—–~～至]{1,2}$")
"""The lower end of a range that has its unit behind the upper one (50～100兆瓦)."""
PERSONS = re.compile("(?<=[0-9一二三四五六七八九十百千万两几])个(?=人)")
"""Counts persons (两个人), who are ruled as 2人."""
JOINED = 4
"""Characters at most between the two ends of one range (六十公顷以上不满一百公顷)."""


class AmountRange(NamedTuple):
    """From one amount to another in one unit."""

    least: float
    most: float
    unit: str

    def holds(self, amount: Amount) -> bool:
        """Tell whether an amount lies in the range; of both ends it is not known whether they belong to it."""
        return amount.unit == self.unit and self.least <= amount.amount <= self.most


def ranges(text: str) -> list[AmountRange]:
    """Return the ranges that a text states, in order; an amount that is no end of one is none."""
    ends = [(each, _is_lower(text, each), _is_upper(text, each)) for each in quantities(text)]
    out: list[AmountRange] = []
    opened: Amount | None = None
    for each, lower, upper in ends:
        if upper:
            joined = opened is not None and opened.unit == each.unit and each.span.start - opened.span.end <= JOINED
            least = opened.amount if joined and opened is not None else -math.inf
            if joined:
                out.pop()
            out.append(AmountRange(least, each.amount, each.unit))
        elif lower:
            out.append(AmountRange(each.amount, math.inf, each.unit))
        opened = each if lower and not upper else None
    return out


def sizes(text: str) -> list[AmountRange]:
    """Return the ranges that a label names, those of one amount too: 60万千瓦及以上, 50～100兆瓦, 时长2小时."""
    found = ranges(text)
    for each in quantities(text):
        if not any(each.unit == other.unit and each.amount in (other.least, other.most) for other in found):
            start = FROM.search(text[: each.span.start])
            figure = re.match(r"[\d.]+", text[each.span.start :])
            scale = each.amount / float(figure[0]) if figure else 1.0
            least = float(start[1]) * scale if start else each.amount
            found.append(AmountRange(least, each.amount, each.unit))
    return found


def _is_lower(text: str, each: Amount) -> bool:
    before = text[: each.span.start]
    return bool(LOWER.match(text, each.span.end)) or bool(BEFORE_LOWER.search(before) and not NOT_LOWER.search(before))


def _is_upper(text: str, each: Amount) -> bool:
    return bool(UPPER.match(text, each.span.end) or BEFORE_UPPER.search(text[: each.span.start]))


def inside(asked: str, text: str) -> bool:
    """Tell whether a range that a text rules holds an amount that a question names."""
    return any(each.holds(amount) for amount in _named(asked) for each in ranges(text))


def outside(asked: str, text: str) -> bool:
    """Tell whether a text rules ranges in the unit of an amount that a question names and none of them holds it."""
    ruled = ranges(text)
    return any(each.unit == amount.unit for amount in _named(asked) for each in ruled) and not inside(asked, text)


def _named(asked: str) -> list[Amount]:
    return [each for each in quantities(PERSONS.sub("", asked)) if each.kind != "time"]
