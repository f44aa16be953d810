"""Amounts with their units as a text states them (数量): 十个工作日, 3.5万千瓦, 百分之二十.

The one grammar of values for whoever compares them: quotes side by side, provisions of two levels, a memo with its
source. Two ways of writing one value have one amount and one unit: 三十日 and 30天, 五万元 and 50,000元.
"""

import re
from dataclasses import dataclass

from nemo.text.words.numerals import parse_number
from nemo.types import Span

LENGTHS = "公里|千米|米|厘米|毫米|海里"
AREAS = "公顷|亩|平方米|平方公里"
UNITS = {
    "time": "个?工作日|个?自然日|个?日历日|个月|季度|日|天|年|小时|分钟|毫秒|秒|周|working days?|days?|months?|years?|hours?",
    "money": "亿元|万元|千元|百元|元|倍",
    "power": "亿千瓦时|万千瓦时|千瓦时|万千瓦|千瓦|兆瓦时|兆瓦|千伏安|千伏|伏|赫兹|MWh|kWh|MW|kW|GWh|GW|吉瓦时|吉瓦|kV|Hz",
    "length": f"{LENGTHS}|km",
    "area": AREAS,
    "weight": "蒸吨|万吨|吨|千克|公斤|克标准煤|克|毫克|mg",
    "share": "%|‰|个百分点|成",
    "count": "次|家|人|名|份|项|台|级|处|个(?!工作日|自然日|日历日|月|百分点)",
    "other": "分(?![\u4e00-\u9fa5])|分贝|℃|°C|度|兆帕",
}
"""Units by the kind of what they measure, as alternatives of a regular expression."""
_N = "[一二三四五六七八九十百千万亿两半零〇]"
_VALUE = re.compile(
    rf"(?P<of>[百千万])分之(?P<share>{_N}{{1,24}}(?:点{_N}{{1,8}})?|\d{{1,12}}(?:\.\d{{1,8}})?)|"
    r"(?<![百千万十])(?P<below>[二三四五六七八九十])分之(?P<above>[一二三四五六七八九])|(?<![\d/])(?P<b>[1-9])/(?P<a>[2-9]|10)(?![\d/年月])|(?P<half>一半)|"
    rf"(?<![\d,第.])(?<!{_N})(?!千[伏瓦])(?P<n>\d[\d,]{{0,24}}(?:\.\d{{1,8}})?|{_N}{{1,24}}(?:点{_N}{{1,8}})?)[ \u3000]?(?P<u>{'|'.join(UNITS.values())})"
)
_KINDS = {kind: re.compile(units) for kind, units in UNITS.items()}
_SCALED = re.compile("([百千万亿])(?=元|千瓦|吨)")
_SCALES = {"百": 100, "千": 1000, "万": 10**4, "亿": 10**8}
_SAME = {
    "working day": (1, "工作日"), "day": (1, "日"), "month": (1, "个月"), "year": (1, "年"), "hour": (1, "小时"),
    "天": (1, "日"), "自然日": (1, "日"), "日历日": (1, "日"), "mg": (0.001, "克"), "毫克": (0.001, "克"),
    "公斤": (1000, "克"), "千克": (1000, "克"), "公里": (1000, "米"), "千米": (1000, "米"), "km": (1000, "米"),
    "MW": (1000, "千瓦"), "兆瓦": (1000, "千瓦"), "GW": (10**6, "千瓦"), "吉瓦": (10**6, "千瓦"), "kW": (1, "千瓦"),
    "MWh": (1000, "千瓦时"), "兆瓦时": (1000, "千瓦时"), "GWh": (10**6, "千瓦时"), "吉瓦时": (10**6, "千瓦时"),
    "kWh": (1, "千瓦时"), "kV": (1, "千伏"), "Hz": (1, "赫兹"), "公顷": (10_000, "平方米"), "平方公里": (10**6, "平方米"),
    "成": (10, "%"),
}  # fmt: skip
"""Units that are others, multiplied: two ways of writing one value have one unit."""
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit."""

    amount: float
    unit: str
    """In its standard form: 日, 元, 千瓦."""
    kind: str
    """Key of ``UNITS``."""
    span: Span

    @property
    def same(self) -> tuple[float, str]:
        """What two ways of writing one value share."""
        return self.amount, self.unit

    @property
    def folded(self) -> str:
        """The value in its one form: 3工作日, 60%."""
        return f"{self.amount:.10g}{self.unit}"


def quantities(text: str) -> list[Amount]:
    """Return the values of a text in their order, days and years of the calendar left out."""
    return [found for match in _VALUE.finditer(text) if (found := _read(match)) is not None]


def _read(match: re.Match[str]) -> Amount | None:
    if match["half"] or match["below"] or match["b"]:
        above, below = (match["b"], match["a"]) if match["b"] else (match["above"] or "一", match["below"] or "二")
        part = float(above) / float(below) if match["b"] else (parse_number(above) or 0) / (parse_number(below) or 1)
        return Amount(round(part * 100, 6), "%", "share", Span(*match.span()))
    share = match["share"]
    amount, unit = _amount(share or match["n"]), "%" if share else match["u"]
    if (parts := _SCALES[match["of"]] if share else 1000 if unit == "‰" else 100) != 100 and amount is not None:
        amount, unit = amount * 100 / parts, "%"
    if amount is None or (unit == "年" and (amount in _YEARS or re.search(r"\.(?:19|20)\d\d$", match["n"]))):
        return None
    if unit == "日" and match.start() and match.string[match.start() - 1] == "月":
        return None
    kind = next(kind for kind, units in _KINDS.items() if units.fullmatch(unit))
    if scale := _SCALED.match(unit):
        amount, unit = amount * _SCALES[scale[1]], unit[1:]
    if kind == "time":
        unit = unit.removeprefix("个") if unit != "个月" else unit
    times, unit = _SAME.get(unit.removesuffix("s"), (1, unit))
    if kind == "time" and unit == "年" and amount % 1:  # half a year is six months
        times, unit = 12, "个月"
    return Amount(amount * times, unit, kind, Span(*match.span()))


def _amount(words: str) -> float | None:
    words = words.replace(",", "")
    if words[0].isdecimal():
        return float(words)
    whole, _, part = words.partition("点")
    if whole == "半":
        return 0.5
    number = parse_number(whole.replace("半", ""))
    if number is None:
        return None
    digits = [parse_number(c) for c in part]
    return number + (float("0." + "".join(map(str, digits))) if part else 0.0)


def folded(text: str) -> str:
    """Return a text with its values in one form: 三个工作日 → 3工作日, 百分之六十 → 60%."""
    out, at = [], 0
    for value in quantities(text):
        out += [text[at : value.span.start], value.folded]
        at = value.span.end
    return "".join([*out, text[at:]])
