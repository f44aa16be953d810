"""Reads how a text moves the days of another: 推迟施行, 暂缓施行, 恢复施行, 延长有效期, 继续有效.

What is only proposed (拟延长), denied (不再延长) or said of single provisions, periods inside a rule (过渡期) or of what is
no rule (许可证有效期延长) moves no day of a text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nemo.text.law import clearance_tables
from nemo.text.law.commencement import ANY_DATE, ANY_LAST_DAY, sentence_end, sentence_start
from nemo.text.law.repeals import COORDINATED, ITEM_OPENS, listed_items, made_of
from nemo.text.letter.titles import NUMBER, looks_like_title, marks, masked
from nemo.text.words.days import COUNT, last_day, plus_days, to_day
from nemo.text.words.flat import FlatText
from nemo.text.words.numerals import NUMERAL
from nemo.types import Day, Relation, RelationKind

_SPEAKS = re.compile(
    r"延长|延续|延期|延后|延缓|延迟|展期|续期|顺延|推迟|暂缓|缓期|暂不|暂停|推延|继续|恢复|仍然?有效|调整|变更|修改为：?“"
)
_TERM = r"(?:有效|执行|试行|施行|实施|使用|适用)?期限?|(?:有效期)?(?:截止|届满|失效|到期)(?:日期|时间)"
_START = r"(?:正式)?(?:施行|实施|执行|生效|启用)(?:的?(?:起始)?(?:日期|时间|日|时限))?"
_RUNS = r"(?:正式)?(?:施行|实施|执行|生效|启用|试行)"
_GAP = re.compile(
    rf"（[^）]*）|[，、]|的|等?(?:以上|上述)?[一二两三四五六七八九十\d]{{0,3}}[件项个份部][\u4e00-\u9fa5]{{0,6}}?(?:文件|规章|通知|办法|规定)|"
    rf"文件|文(?=的|有|自|继|延|推|暂|施|实|执)|(?:将|已|拟)?于?{ANY_DATE}(?:有效期)?(?:届满|到期|失效|期满)(?:失效)?|"
    rf"(?:{_TERM})?(?:届满|到期|期满)(?:后|时|前)?|(?<=[期满])。|(?:现)?(?:经|因|为|鉴于|由于|考虑到|根据)[^，。；《》]{{1,30}}(?=，)|现(?:决定|将|予)?|决定|"
    rf"统一|改为|不再自{ANY_DATE}起(?:{_RUNS})|均|一律|予以|分别|可以?继续|自{ANY_DATE}起|由{ANY_DATE}|原定(?:于|自)?(?:{ANY_DATE})?(?:起)?(?:{_RUNS})?"
)
"""What may stand between a row of titles and what is said of them; eaten piece by piece."""
_MOVE = r"(?:延长|延续|延期|延后|展期|续期|顺延|推迟|延迟|调整|变更|修改|改|延(?=至|到))"
_LONGER = re.compile(
    rf"(?:(?:{_TERM})(?:的)?(?:由{ANY_DATE})?(?:统一|均|再|相应|予以|自{ANY_DATE}起)*{_MOVE}|(?:再)?(?:延长|延续|延期|展期|续期|顺延)(?:{_RUNS}|使用|有效)?)"
    rf"(?:的?(?:{_TERM}))?(?:截?至|到|为)?，?(?:{_TERM})?(?:为|至|到)?(?:(?P<day>{ANY_LAST_DAY})(?!起?{_RUNS})|{COUNT})"
)
_GOES_ON = re.compile(
    rf"(?P<on>(?:继续|仍然?|依然)(?:有效|{_RUNS}|适用|沿用)|重新(?:公布|发布|印发)(?=，?有效期))(?:[^。；]{{0,40}}?(?:(?:{_TERM})(?:为|延长)?(?:截?至|到)?|至|延长至?)(?:(?P<day>{ANY_LAST_DAY})|{COUNT}))?"
)
_PUT_OFF = re.compile(
    rf"(?:(?:{_START})(?:由{ANY_DATE})?(?:统一|相应)?(?:推迟|延迟|延后|顺延|延期|调整|变更|改|推延|延缓)|(?:推迟|延迟|延后|延期|推延|延缓|顺延)(?:{_RUNS})?)"
    rf"(?:(?:至|到|为)(?:自)?(?P<day>{ANY_DATE})(?:零时|起|后)*(?:{_RUNS})?|{COUNT}(?:后|起|再)?(?:{_RUNS})?)"
)
_STAYED = re.compile(
    rf"(?:暂缓|缓期|暂不|暂停|延缓|推迟|延期|停止|中止)(?:{_RUNS}|适用)(?:(?:，?(?:期限|时间|缓期|暂缓|延期))?(?:截?至|到)(?P<last>{ANY_DATE})(?P<since>起)?|，(?:改)?自(?P<anew>{ANY_DATE})起{_RUNS})?"
)
_RESUMED = re.compile(
    rf"(?:[自从]?(?:(?P<day>{ANY_DATE})|即日|(?:本[通公][知告])?(?:发布|印发|公布)之日)起，?)?(?:恢复|重新)(?:{_RUNS})(?!的|前)"
)
"""A start that was put off without a day comes after all."""
_SINCE = re.compile(rf"自(?P<day>{ANY_DATE})起")
_CLAUSE = re.compile(
    rf"(?:的|中)*第[{NUMERAL}]+条[^。；“]{{0,16}}“[^”]{{0,40}}(?:{_TERM})[^”]{{0,40}}”(?:修改|调整|变更)为：?“[^”]{{0,40}}?(?:(?:至|到)(?P<day>{ANY_LAST_DAY}))[^”]{{0,12}}”"
)
"""A clause on the term that is written anew (第三条“有效期三年”修改为“有效期至…”)."""
_NEW_START = re.compile(rf"自(?P<day>{ANY_DATE})起(?:{_RUNS})")
_MOVES_START = re.compile(
    r"(?:调整|推迟|延[期后迟缓]|变更|推延|顺延)[^。]{0,80}(?:施行|实施|执行|生效)(?:的?(?:日期|时间))?"
)
"""In the title of a notice: the day it names for the rule is a new start (关于调整《X》施行日期的通知)."""
_LONGER_FIRST = re.compile(r"(?:延长|延续|顺延|展期)(?:对|了)?原?$")
_OFF_FIRST = re.compile(rf"(?:推迟|暂缓|缓期|延期|延后|延缓|暂不|暂停)(?:{_RUNS})?(?:对|了)?原?$")
_DAY_BEHIND = re.compile(rf"[^。；]{{0,24}}?(?:至|到|为)(?:自)?(?P<day>{ANY_LAST_DAY})(?:起)?(?:{_RUNS})?")
_COUNT_BEHIND = re.compile(rf"[^。；]{{0,16}}?{COUNT}")
_NOT_SAID = re.compile(r"拟|征求|建议|申请|可以|如需|需要|是否|不再|不予|不得|不能|报请|研究(?![，决同])|授权|有权")
_ON_IT = re.compile(r"(?:根据|依照|按照|依据|违反|适用|符合|遵照|落实|执行好|关于)[^，。；《》]{0,6}$")
_LIST_LEAD = re.compile(
    rf"(?:下列|以下|所列|目录|清单)[^。；《》]{{0,60}}(?:继续有效|继续{_RUNS}|(?:有效期|期限)[^。；《》]{{0,12}}(?:延长|延续)|延长有效期)[^。；《》]{{0,40}}：?$"
)

_TO_DAY = re.compile(rf"(?:至|到)({ANY_LAST_DAY})")


@dataclass(frozen=True, slots=True)
class _TitleRow:
    """Texts that stand side by side, by title or number."""

    start: int
    """Flat."""
    end: int
    named: tuple[tuple[str, str | None], ...]


def moved(flat: FlatText, title: str) -> Iterator[Relation]:
    """Yield how a text moves the start or the end of others.

    Args:
        flat: The text.
        title: Its title: a notice that adjusts a start may only name the new day.
    """
    if not _SPEAKS.search(flat.text):
        return
    yield from _listed(flat)
    yield from clearance_tables.continued(flat.source)
    shown = masked(flat)
    for row in _rows(flat, shown):
        opening, end = sentence_start(flat, row.start), sentence_end(flat, row.end)
        if flat.text[end - 1 : end] in ("期", "满"):  # …将于…到期。经评估，有效期延长至…
            end = sentence_end(flat, end + 1)
        lead, tail = shown[opening : row.start], shown[row.end : end]
        item = ITEM_OPENS.search(lead)
        if item is not None and flat.opens_line(row.start - len(item[0])):
            lead = ""  # 一、《A》有效期延长至… is said by itself, whatever leads to the list (需要继续实施，现通知如下)
        if _NOT_SAID.search(lead) or _ON_IT.search(lead):
            continue
        said = _said_of(lead, tail, _MOVES_START.search(title) is not None)
        if said is None:
            continue
        kind, day, before, behind = said
        span = flat.span(row.start - before, row.end + behind)
        for name, number in row.named:
            yield Relation(kind, name, span.of(flat.source), number, span=span, from_day=day)


def _said_of(lead: str, tail: str, adjusts: bool) -> tuple[RelationKind, Day | None, int, int] | None:
    """Return (kind, day, how many characters before the titles say so, how many behind them)."""
    if (verb := _LONGER_FIRST.search(lead)) is not None:
        found = _DAY_BEHIND.match(tail) or _COUNT_BEHIND.match(tail)
        return (RelationKind.EXTENDS, _after(found), len(lead) - verb.start(), found.end()) if found else None
    if (verb := _OFF_FIRST.search(lead)) is not None:
        found = _DAY_BEHIND.match(tail)
        day = last_day(found["day"]) if found else None
        return RelationKind.POSTPONES, day, len(lead) - verb.start(), found.end() if found else 0
    at = 0
    while at < len(tail):
        if (found := _PUT_OFF.match(tail, at)) is not None:
            return RelationKind.POSTPONES, to_day(found["day"] or ""), 0, found.end()
        if (found := _LONGER.match(tail, at) or _GOES_ON.match(tail, at) or _CLAUSE.match(tail, at)) is not None:
            return RelationKind.EXTENDS, _after(found), 0, found.end()
        if (found := _STAYED.match(tail, at)) is not None:
            last = to_day(found["last"]) if found["last"] else None
            begins = to_day(found["anew"]) if found["anew"] else last and plus_days(last, 0 if found["since"] else 1)
            return RelationKind.POSTPONES, begins, 0, found.end()
        if (found := _RESUMED.match(tail, at)) is not None:
            since = _SINCE.search(lead)
            named = found["day"] or (since["day"] if since else "")
            return RelationKind.POSTPONES, to_day(named), len(lead) - since.start() if since else 0, found.end()
        if adjusts and (found := _NEW_START.match(tail, at)) is not None:
            return RelationKind.POSTPONES, to_day(found["day"]), 0, found.end()
        gap = _GAP.match(tail, at)
        if gap is None or gap.end() == at:
            return None
        at = gap.end()
    return None


def _after(found: re.Match[str]) -> Day | None:
    """Return the day after the last one that is named, None when a term is counted or left open."""
    words = found.groupdict().get("day")
    last = last_day(words) if words else None
    return plus_days(last, 1) if last else None


def _rows(flat: FlatText, shown: str) -> Iterator[_TitleRow]:
    """Yield the rows of titles, and of numbers that stand for one (甲发〔2021〕1号文件)."""
    named: list[tuple[int, int, str, str | None]] = []
    for mark in marks(flat):
        if looks_like_title(mark.title):
            named.append((mark.start, mark.end, mark.title, mark.number))
    inside = [(m.start(), m.end()) for m in re.finditer(r"（[^（）]*）|《▮*》", shown)]
    for match in re.finditer(NUMBER, shown):
        if not any(start <= match.start() < end for start, end in inside):
            named.append((*match.span(), "", match[0]))
    named.sort()
    row: list[tuple[int, int, str, str | None]] = []
    for each in named:
        if row and not made_of(shown[row[-1][1] : each[0]], COORDINATED):
            yield _row(row)
            row = []
        row.append(each)
    if row:
        yield _row(row)


def _row(row: Sequence[tuple[int, int, str, str | None]]) -> _TitleRow:
    return _TitleRow(row[0][0], row[-1][1], tuple((title, number) for _, _, title, number in row))


def _listed(flat: FlatText) -> Iterator[Relation]:
    """Yield the items of lists of texts that go on (下列文件继续有效：1.《A》…), with the day that their head names."""
    for lead, item in listed_items(flat.source, _LIST_LEAD):
        if _NOT_SAID.search(lead):
            continue
        own = _TO_DAY.search(item.words)
        stated = own or _TO_DAY.search(lead)
        day = last_day(stated[1]) if stated else None
        words = item.words if own else f"{lead}{item.words}"
        yield Relation(
            RelationKind.EXTENDS, item.target_title, words, item.target_number, span=item.span,
            from_day=plus_days(day, 1) if day else None,
        )  # fmt: skip
