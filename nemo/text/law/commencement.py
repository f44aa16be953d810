"""Clauses that say when a text begins and ends to apply (施行条款、有效期条款).

A date is a commencement only when the text itself is its subject (本办法自…起施行): most dates in a regulation are
terms, transitions or the dates of other texts. Clauses are found on the flat text; nothing is computed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.text.words.days import DATE, dates_in, to_day
from nemo.text.words.flat import Flat
from nemo.text.words.numerals import NUMERAL, parse_number
from nemo.types import Day, Span

SELF = (
    "本(?:法典|法|暂行条例|暂行规定|暂行办法|实施条例|实施细则|实施办法|实施方案|实施意见|条例|若干规定|若干意见|程序规定|规定|办法|"
    "细则|解释|议事规则|规则|决定|决议|规程|规范|修正案|批复|安排|意见|方案|通知|通告|公告|标准|导则|准则|指引|指南|制度|章程|"
    "措施|目录|要求|政策|命令|令|函|文件|计划|规划)"
)
"""How a text names itself."""

_SELF = re.compile(SELF)
_VERB = "(?:施行|实施|执行|生效|试行)(?!之?[前后日]|以[前后]|的|期间|过程|情况|方案|细则|办法)"
_MANNER = "(?:正式|开始|全面|统一|同步){0,3}"
_TAIL = re.compile(
    rf"(?:零时|0时|00时|24时)?(?P<of>之日)?(?P<from>起)?，?{_MANNER}"
    rf"(?:(?:在[^。；，]{{1,20}}?|于[^。；，]{{1,12}}?){_MANNER}){{0,2}}(?P<verb>{_VERB})"
)
_UNTIL = re.compile(rf"(?:零时|0时)?起?(?:至|到|—|-)(?P<d>{DATE})(?:24时)?(?:止|终止|为止)?")
_PUBLISHED = re.compile(
    r"(?:自|从|于|在)?(?:正式)?(?P<trigger>公布|发布|颁布|颁发|印发|批准|通过|公告|签发|下发|发文|签署|登报)(?:之日|日|后)?起?，?(?:满)?"
    rf"(?:(?P<n>[{NUMERAL}]+)(?P<unit>个?工作日|个月|日|天|年)(?:后|以后|期满)?)?(?:之日)?起?(?:正式|开始)?(?P<verb>{_VERB})"
)
_NOW = re.compile(rf"自即日起(?:正式|开始)?(?P<verb>{_VERB})")
_NOT_SUBJECT = re.compile(
    r"(?:施行|实施|公布|执行|发布|印发|生效|出台)(?:之?[前后]|以[前后]|之日|期间|过程)|^(?:所称|规定的|第)|其中|但是?[^，]*$"
)
_LAST_PART = re.compile(
    r"(?:现予.*|并|并于|均|一律|且|同时|于|自|在.{0,20}|已.*|经.*|由.{2,40}|有效期.*|试行期.*|暂定.*|报.*备案|原?《.*》|如无特殊.*)?"
)
_ORDER = re.compile(
    r"现予(?:以)?(?:公布|发布|印发|颁布)|予以(?:公布|发布|印发|颁布)|现(?:将)?[^。]{0,80}?(?:印发|公布|发布)|印发给?你们|同意[^。]{0,20}(?:印发|施行)"
)
_ORDER_PART = re.compile(r"(?:(?:相关|有关|修订|上述|以上|新增)(?:条款|规定|内容|文件|规则)|并|请.*|均|一并)?")
_HEADING = re.compile(
    rf"(?:.*附则)?(?:第[{NUMERAL}]+条|[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|\d+[.、])?(?:施行日期|实施时间|执行时间|施行时间)?"
)
_UNIT = rf"第[{NUMERAL}]+[条章](?:之[{NUMERAL}]+)?(?:第[{NUMERAL}]+款)?(?:第?（[{NUMERAL}]+）项|第[{NUMERAL}]+项)?"
_ROW = rf"(?:{_UNIT}(?:至|到|、|和|及|以及|，)?){{1,60}}(?:(?:（?关于[^，。；]{{1,24}})?的?(?:规定|内容)|条款|款)?"
_UNITS = re.compile(rf"{_ROW}(?:均|则)?，?$")
_OWN_NUMBER = re.compile(rf"第[{NUMERAL}]+条(?:之[{NUMERAL}]+)?(?=第[{NUMERAL}]+[条章])")
_LEANS = re.compile(r"(?:根据|依照|按照|违反|依据|适用|符合)[^，。；]{0,8}$")
_REST = re.compile(
    r"(?:其他|其它|其余|余下|剩余)的?各?(?:条款|规定|条文|内容|部分|条|款|章节|章|项)?(?:的规定)?(?:均|则|都)?，?$"
)
_APART = re.compile(
    rf"除(?P<a>{_ROW})(?:以外|之外|外)|（(?P<b>{_ROW})除外）|(?P<c>{_ROW})的?(?:施行|实施|生效|执行)(?:日期|时间)?，?"
    r"(?:由[^。；，]{2,30}?)?(?:另行|另外|再行)(?:规定|公布|通知|确定|发布)"
)
_NAMED = re.compile(r"(?:新版|新的|修订后的?|原)?(?P<name>《[^《》]+》|“[^”]+”)(?:（[^）]*）)*$")
_TERM = re.compile(
    rf"有效期(?:限)?[^。；，]{{0,15}}?(?P<y>[{NUMERAL}]+)\s*年|试行(?:期|期限|时间)?(?:为|暂定为?)?(?P<t>[{NUMERAL}]+)(?P<unit>年|个月)"
)
_TERM_DATE = re.compile(
    rf"(?:有效期(?:限)?(?:为)?(?:截?至|截止到?|到|截至)|(?:执行|施行|实施|试行|有效)(?:期限)?(?:截?至|到|截止到?)|至)(?P<d>{DATE})(?:止|终止|失效)?|"
    rf"(?P<e>{DATE})(?:起)?(?:自动)?(?:失效|废止|停止执行)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence part that starts the text, or some of its articles."""

    start: int
    """Flat position of 自."""
    end: int
    """Flat position after the verb."""
    strength: int
    """3: the text names itself; 2: an order or a bare clause; 1: it says who puts it into force (由…发布施行)."""
    day: Day | None = None
    trigger: str = ""
    """Act from whose day it counts (公布, 印发…) when no date is written; 即日 for 自即日起."""
    after: int = 0
    unit: str = ""
    until: Day | None = None
    units: str = ""
    """Articles or chapters it is limited to (第三条、第五条), empty for the whole text and for the rest of it."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Articles that the clause of the whole text leaves out, without a day of their own (除第三条外；另行公布)."""

    start: int
    """Flat."""
    end: int
    units: str


@dataclass(frozen=True, slots=True)
class Term:
    """How long a text is to apply."""

    span: Span
    """Flat."""
    years: int = 0
    months: int = 0
    last: Day | None = None
    """Last day on which it applies."""


def clauses(flat: Flat, names: Iterable[str] = ()) -> tuple[Clause, ...]:
    """Return every clause that starts the text or some of its articles, in order.

    Args:
        flat: The text.
        names: Other names of the text, without marks: titles it issues (《山东…规则》), short names it gives them (细则).
    """
    known = frozenset(names)
    found = [c for c in (*_dated(flat, known), *_triggered(flat, known)) if not inside_quote(flat, c.start)]
    return tuple(sorted(found, key=lambda clause: clause.start))


def main_clause(found: Sequence[Clause]) -> Clause | None:
    """Return the clause of the whole text: the last of the strongest ones."""
    whole = [clause for clause in found if not clause.units]
    return max(whole, key=lambda clause: (clause.strength, clause.start), default=None)


def _dated(flat: Flat, names: frozenset[str]) -> Iterator[Clause]:
    text = flat.text
    for start, end, day in dates_in(flat):
        lead = text[max(0, start - 1) : start]
        opens = lead in ("自", "从", "于")
        tail = _TAIL.match(text, end)
        until = _UNTIL.match(text, end)
        if tail and (opens or tail["from"]):
            stop, last = tail.end(), None
        elif until and opens and _VERB_BEFORE.search(text[max(0, start - 12) : start]):
            stop, last = until.end(), to_day(until["d"])
        else:
            continue
        begin = start - 1 if opens else start
        strength, units = _subject(flat, begin, names)
        if strength:
            yield Clause(begin - _rest(flat, begin), stop, strength, day=day, until=last, units=units)


_VERB_BEFORE = re.compile(r"(?:施行|实施|执行|试行|有效期)(?:期|期限|时间|日期)?(?:为|：)?(?:自|从)$")


def _triggered(flat: Flat, names: frozenset[str]) -> Iterator[Clause]:
    for match in _PUBLISHED.finditer(flat.text):
        bare = match[0][0] not in "自从于在" and "之日" not in match[0] and not match["n"]
        strength, units = _subject(flat, match.start(), names)
        if strength < (3 if bare else 2) or (units and bare):
            continue
        count = parse_number(match["n"]) if match["n"] else 0
        rank = 1 if bare else strength
        start = match.start() - _rest(flat, match.start())
        yield Clause(start, match.end(), rank, None, match["trigger"], count or 0, match["unit"] or "", units=units)
    for match in _NOW.finditer(flat.text):
        strength, _ = _subject(flat, match.start(), names)
        if strength:
            yield Clause(match.start(), match.end(), strength, trigger="即日")


def _subject(flat: Flat, at: int, names: frozenset[str]) -> tuple[int, str]:
    """Return (strength, units): whether the sentence up to ``at`` speaks of this text, or of some of its articles."""
    opening = sentence_start(flat, at)
    before = flat.text[opening:at]
    units = _units(flat, opening, before)
    if units:
        return 3, units
    if _rest(flat, at):
        return 3, ""
    named = _NAMED.search(before)
    if named is not None:
        return (3, "") if named["name"][1:-1] in names else (0, "")
    if _speaks_of_itself(before):
        return 3, ""
    last = before.rpartition("，")[2]
    ordered = _ORDER.search(before) is not None and _ORDER_PART.fullmatch(last) is not None
    return (2, "") if ordered or _HEADING.fullmatch(before) else (0, "")


def _units(flat: Flat, opening: int, before: str) -> str:
    """Return the articles named right before 自, without the number of the article that says so."""
    match = _UNITS.search(before)
    if match is None or _LEANS.search(before[: match.start()]):
        return ""
    if not flat.opens_line(opening + match.start()):
        return match[0]
    own = _OWN_NUMBER.match(match[0])
    if own is not None:
        return match[0][own.end() :]
    return "" if re.fullmatch(rf"{_UNIT}，?", match[0]) else match[0]


def _rest(flat: Flat, at: int) -> int:
    """Return the length of 其余条款 right before ``at``; 0 when no article was named shortly before."""
    before = flat.text[max(0, at - 200) : at]
    match = _REST.search(before)
    return len(match[0]) if match is not None and re.search(_UNIT, before[: match.start()]) else 0


def apart(flat: Flat, clause: Clause) -> tuple[Apart, ...]:
    """Return the articles that the sentence of ``clause``, or the one after it, leaves without a day."""
    start = sentence_start(flat, clause.start)
    stop = sentence_end(flat, min(len(flat.text), sentence_end(flat, clause.end) + 1))
    found = []
    for match in _APART.finditer(flat.text, start, stop):
        units = match["a"] or match["b"] or match["c"]
        begin = match.start()
        own = _OWN_NUMBER.match(units) if match["c"] and flat.opens_line(begin) else None
        shift = own.end() if own else 0
        found.append(Apart(begin + shift, match.end(), units[shift:]))
    return tuple(found)


def _speaks_of_itself(before: str) -> bool:
    named = list(_SELF.finditer(before))
    if not named:
        return False
    own = named[-1]
    if re.search(r"(?:根据|依照|按照|违反|依据|适用)$", before[: own.start()]):
        return False
    rest = re.sub(r"（[^）]*）", "", before[own.end() :])
    if len(rest) > 160 or _NOT_SUBJECT.search(rest):
        return False
    _, comma, last = rest.rpartition("，")
    return _LAST_PART.fullmatch(last) is not None if comma else len(rest) <= 40 and not re.search(r"[的：]$", rest)


def sentence_start(flat: Flat, at: int) -> int:
    """Return the flat position after the last 。 or ； before ``at``, at most 400 characters back."""
    low = max(0, at - 400)
    return max(flat.text.rfind("。", low, at), flat.text.rfind("；", low, at), low - 1) + 1


def sentence_end(flat: Flat, at: int) -> int:
    """Return the flat position of the next 。 at or after ``at``, at most 400 characters on."""
    stop = flat.text.find("。", at, at + 400)
    return stop if stop >= 0 else min(len(flat.text), at + 400)


def inside_quote(flat: Flat, at: int) -> bool:
    """Tell whether a position lies in a quotation: an amending text quotes the clauses of the amended one."""
    low = max(0, at - 600)
    opened = flat.text.rfind("“", low, at)
    return opened > flat.text.rfind("”", low, at) and flat.text.find("”", at, at + 200) >= 0


def term_of(flat: Flat, clause: Clause | None) -> Term | None:
    """Return the term (有效期) that the text sets for itself: in its commencement sentence, or in one about itself."""
    if clause is not None:
        if clause.until is not None:
            return Term(Span(clause.start, clause.end), last=clause.until)
        stop = sentence_end(flat, clause.end)
        near = _term_in(flat, sentence_start(flat, clause.start), stop, clause)
        following = re.match(r"。(?:本[\u4e00-\u9fa5]{1,4})?(?:有效期|试行期)", flat.text[stop : stop + 12])
        near = near or (_term_in(flat, stop, sentence_end(flat, stop + 1), clause) if following else None)
        if near is not None:
            return near
    for own in re.finditer(
        rf"{SELF}(?:的)?(?:有效期|试行期|试行|自[^。；]{{4,20}}有效|执行期|实施期|施行期)", flat.text
    ):
        found = _term_in(flat, own.start(), sentence_end(flat, own.end()), None)
        if found is not None:
            return found
    return None


def _term_in(flat: Flat, start: int, end: int, clause: Clause | None) -> Term | None:
    dated = next(
        (m for m in _TERM_DATE.finditer(flat.text, start, end) if not clause or m.start() >= clause.start), None
    )
    if dated is not None:
        last = to_day(dated["d"] or dated["e"])
        return Term(Span(*dated.span()), last=last) if last else None
    counted = _TERM.search(flat.text, start, end)
    if counted is None:
        return None
    count = parse_number(counted["y"] or counted["t"]) or 0
    if not 0 < count <= 50:
        return None
    months = count if counted["unit"] == "个月" else 0
    return Term(Span(*counted.span()), years=0 if months else count, months=months)
