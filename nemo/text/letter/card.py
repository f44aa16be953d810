"""The index card of a government site (信息公开目录、公文要素表): labels with values around a text, never part of it.

A card says what a cut-off or reflowed page no longer does: number, bodies, days. It is evidence beside the text, so what
the text itself says wins.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nemo.text.letter.titles import SIGN, tidy
from nemo.text.words.days import DATE, to_day
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Day, Span

NUMBER, ISSUER, SIGNED, POSTED, EFFECTIVE, ENDS, OTHER = (
    "document_number", "issuer", "promulgated", "posted", "effective", "ends", "other",
)  # fmt: skip
"""What a label of a card speaks of; ``POSTED`` is the day a site put the text up, which tells the publication for want of words only."""

_LABELS = {
    NUMBER: "发文字号|发文文号|公文文号|文件编号|文号",
    ISSUER: "发文机关|发文机构|发文单位|制发机关|制发机构|制发单位|发布机构|发布机关|发布单位|印发机关|印发单位|公开机构|公开主体",
    SIGNED: "成文日期|发文日期|制发日期|生成日期|印发日期|签发日期|成文时间|发文时间|印发时间",
    POSTED: "发布日期|公开日期|发布时间|公布时间|上网日期",
    EFFECTIVE: "实施日期|施行日期|生效日期|执行日期|生效时间|实施时间",
    ENDS: "废止日期|失效日期|失效时间|有效期至",
    OTHER: (
        "公开事项名称|信息名称|文件名称|事项名称|标题|名称|信息索引号|索引号|主题分类|组配分类|公文种类|体裁分类|信息分类|分类|主题词|关键词|有效性|时效性|效力状态|"
        "公开方式|公开时限|公开范围|公开属性|公开形式|服务对象|主办单位|信息来源|文章来源|来源|内容概述|统一登记号|统一编号|"
        "浏览次数|点击数|字体|打印|截止日期"
    ),
}
_STRONG = frozenset(
    ("索引号", "信息索引号", "公开事项名称", "发文字号", "成文日期", "制发日期", "发文机关", "发文机构", "统一登记号")
)
"""Labels that only cards carry: one of them and another label make a card."""
_TOLD = 3
"""Kinds of facts with a value each that make a card of a table without such a label (文号 | … | 发布日期 | …)."""
_LABEL = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in _LABELS.items()))
_SET_APART = re.compile("[：|丨】〕\\]]")
_NUMBER = re.compile(
    rf"(?P<sign>{SIGN})〔(?P<year>(?:19|20)\d{{2}})〕第?(?P<no>\d{{1,5}})号|[\u4e00-\u9fa5]{{2,24}}(?:令|公告)(?:\d{{4}}年?)?第?\d{{1,4}}号"
)
_ISO = re.compile(r"(?P<y>(?:19|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})")
_REACH = 160
"""Flat characters from one label of a card to the next."""


@dataclass(frozen=True, slots=True)
class CardEntry:
    """One label of a card with its value."""

    kind: str
    label: str
    value: str
    """In one line, without the label."""
    span: Span
    """Covers label and value in the original."""

    def number(self) -> str | None:
        """Return the document number in the value, in its usual form (发改能源〔2031〕5号)."""
        match = _NUMBER.search(flatten(self.value).text)
        if match is None:
            return None
        return f"{match['sign']}〔{match['year']}〕{match['no']}号" if match["sign"] else match[0]

    def day(self) -> Day | None:
        """Return the day in the value, however it is written."""
        flat = flatten(self.value).text
        written = re.search(DATE, flat)
        if written is not None:
            return to_day(written[0])
        iso = _ISO.search(flat)
        try:
            return dt.date(int(iso["y"]), int(iso["m"]), int(iso["d"])) if iso else None
        except ValueError:
            return None  # no calendar holds such a day


@lru_cache(maxsize=16)
def card_of(text: str) -> tuple[CardEntry, ...]:
    """Return the entries of the index cards around a text, in text order; empty when there is none.

    A label alone is no card (a form may ask for 名称：); two labels near each other, one of which only cards carry, are, and
    so are three facts of a text in a table of its own.
    """
    flat = flatten(text)
    found = list(_labels(flat))
    entries: list[CardEntry] = []
    row: list[re.Match[str]] = []
    for match in [*found, None]:
        if match is not None and (not row or match.start() - row[-1].end() <= _REACH):
            row.append(match)
            continue
        entries += _entries(flat, row)
        row = [match] if match is not None else []
    return tuple(entries)


def _labels(flat: FlatText) -> Iterator[re.Match[str]]:
    """Yield the labels with a colon or a cell's edge behind them; short ones at a line, a cell or after a blank only."""
    for match in _LABEL.finditer(flat.text):
        behind = flat.text[match.end() : match.end() + 1]
        if _SET_APART.match(behind) and (len(match[0]) >= 4 or _opens_cell(flat, match.start())):
            yield match


def _opens_cell(flat: FlatText, start: int) -> bool:
    if start == 0 or flat.opens_line(start):
        return True
    return flat.text[start - 1] in "|丨】]〕号日" or flat.offsets[start] - flat.offsets[start - 1] > 1


def _entries(flat: FlatText, row: list[re.Match[str]]) -> list[CardEntry]:
    names = {match[0] for match in row}
    if len(names) < 2:
        return []
    entries = []
    for index, match in enumerate(row):
        start = match.end() + 1
        end = row[index + 1].start() if index + 1 < len(row) else _line_end(flat, start)
        if flat.text[match.end()] in "|丨":
            end = _cell_end(flat, start, end)
        while end > start and flat.text[end - 1] in "|丨[〔":
            end -= 1
        value = flat.text[start:end].strip("|丨")
        if value:
            words = tidy(flat.words(start, end).replace("|", " "))
            entries.append(CardEntry(match.lastgroup or OTHER, match[0], words, flat.span(match.start(), end)))
    told = {entry.kind for entry in entries} - {OTHER}
    return entries if names & _STRONG or len(told) >= _TOLD else []


def _cell_end(flat: FlatText, start: int, end: int) -> int:
    """Return where the first filled cell behind a label ends: at the edge of the cell or of its row."""
    filled = next((at for at in range(start, end) if flat.text[at] not in "|丨"), end)
    return next((at for at in range(filled + 1, end) if flat.text[at] in "|丨" or flat.opens_line(at)), end)


def _line_end(flat: FlatText, start: int) -> int:
    """Return where the last value of a card ends: with its line, or with the next one where its own line is empty."""
    end = start
    while end < len(flat.text) and not (end > start and flat.opens_line(end)) and end - start < _REACH:
        end += 1
    return end


def first_of(text: str, kind: str) -> CardEntry | None:
    """Return the first entry of a kind whose value can be read as what its label says."""
    for entry in card_of(text):
        if entry.kind != kind:
            continue
        if kind == NUMBER and entry.number() is None:
            continue
        if kind in (SIGNED, POSTED, EFFECTIVE, ENDS) and entry.day() is None:
            continue
        return entry
    return None
