"""Clauses that say when a text begins and ends to apply (施行条款、有效期条款).

A date is a commencement only when the text itself is its subject (本办法自…起施行): most dates in a regulation are
terms, transitions or the dates of other texts. Clauses are found on the flat text; nothing is computed here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.text.words.days import DATE, FIGURED, LAST_DAY, dates_in, last_day, to_day
from nemo.text.words.flat import FlatText
from nemo.text.words.numerals import NUMERAL, parse_number
from nemo.types import Day, Span

SELF = (
    "本(?:法典|法|暂行条例|暂行规定|暂行办法|实施条例|实施细则|实施办法|实施方案|实施意见|条例|若干规定|若干意见|程序规定|规定|办法|"
    "细则|解释|议事规则|规则|决定|决议|规程|规范|修正案|批复|安排|意见|方案|通知|通告|公告|标准|导则|准则|指引|指南|制度|章程|"
    "措施|目录|要求|政策|命令|令|函|文件|计划|规划)"
)
"""How a text names itself."""

_SELF = re.compile(SELF)
ANY_DATE, ANY_LAST_DAY = f"(?:{DATE}|{FIGURED})", f"(?:{LAST_DAY}|{FIGURED})"
_VERB = "(?:施行|实施|执行|生效|试行|实行)(?!之?[前后日]|以[前后]|的|期间|过程|情况|方案|细则|办法)"
_MANNER = "(?:正式|开始|全面|统一|同步|暂定|暂){0,3}"
_HOUR = "(?:零时|0时|00时|24时)?(?:（含(?:当日|本日)?）)?"
_TAIL = re.compile(
    rf"{_HOUR}(?P<of>之日)?(?:的?(?:抄见|用|结算)?电量|(?:电费)?结算)?(?P<from>起)?，?{_MANNER}"
    rf"(?:(?:在[^。；，]{{1,20}}?|于[^。；，]{{1,12}}?){_MANNER}){{0,2}}(?P<verb>{_VERB})"
)
_UNTIL = re.compile(
    rf"{_HOUR}起?(?:至|到|—|–|-|~|～)(?P<d>{ANY_DATE}|(?:\d{{1,2}}月)?\d{{1,2}}日)(?:24时)?(?:止|终止|为止)?(?P<verb>试行|施行|实施|执行|有效)?"
)
_LABEL = re.compile(r"(?:执行|施行|实施|试行|有效)(?:期限?|时间|日期)(?:为|是|：)?(?P<from>自|从)?$")
"""What a price table or a letter sets before its days (执行时间：…)."""
_PERIOD = re.compile(rf"{_LABEL.pattern}|(?:施行|实施|执行|试行)(?:自|从)$")
_COUNTED_FROM = re.compile(r"起(?:计算|算)")
_GAP = 2
"""Characters of blank between two labels of a line (执行时间：…　　单位：…), at least."""
_OPEN_END = re.compile(rf"{_HOUR}起?")
_MONTH = re.compile(r"(?:执行|实施|施行)(?:期限?|时间|日期)(?:为|：)?(?P<y>\d{4})年(?P<m>\d{1,2})月份?(?!\d)")
SINCE_MONTH = re.compile(r"(?<=[自从])(?P<month>[12]\d{3}年(?:1[0-2]|0?[1-9])月)份?(?!\d)")
"""A month alone: the text starts on its first day, which no word states (推定)."""
_NEXT = "次月(?:1日|1号|一日|首日)?|下月(?:1日|一日)|次日|次年(?:1月1日|一月一日)"
_PUBLISHED = re.compile(
    r"(?:自|从|于|在)?(?:正式)?(?P<trigger>公布|发布|颁布|颁发|印发|批准|通过|公告|签发|下发|发文|签署|登报)(?:之日|日|后)?(?:起|后|的)?，?[满第]?"
    rf"(?:(?P<n>[{NUMERAL}]+)(?P<unit>个?工作日|个月|日|天|年)(?:后|以后|期满)?|(?P<next>{_NEXT}))?(?:之日)?起?{_MANNER}(?P<verb>{_VERB})"
)
_NOW = re.compile(rf"自即日起(?:正式|开始)?(?P<verb>{_VERB})")
_NOT_SUBJECT = re.compile(
    r"(?:施行|实施|公布|执行|发布|印发|生效|出台)(?:之?[前后]|以[前后]|之日|期间|过程)|^(?:所称|规定的|第)|其中|但是?[^，]*$"
)
_LAST_PART = re.compile(
    r"(?:现予.*|并|并于|均|一律|且|同时|于|自|在.{0,20}|已.*|经.*|由.{2,40}|有效期.*|试行期.*|暂定.*|报.*备案|原?《.*》|如无特殊.*)?"
)
_ORDER = re.compile(
    r"现予(?:以)?(?:公布|发布|印发|颁布)|予以(?:公布|发布|印发|颁布)|现(?:将)?[^。]{0,80}?(?:印发|公布|发布)|(?:印发|下达|下发)给?你们|同意[^。]{0,20}(?:印发|施行)|"
    r"现(?:将|就)[^。]{2,80}如下(?=[，：])|"
    r"决定(?:对|将)?[^，。；《》]{0,20}(?:调整|核定|制定|实行|延续|取消|降低|提高|完善|优化)[^。；《》]{2,60}(?=，)"
)
_ORDER_PART = re.compile(r"(?:(?:相关|有关|修订|上述|以上|新增)(?:条款|规定|内容|文件|规则)|并|请.*|均|一并)?")
_HEADING = re.compile(
    rf"(?:.*附则)?(?:备?注：|(?:备?注：)?第[{NUMERAL}]+条|[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|\d+[.、])?(?:施行日期|实施时间|执行时间|施行时间)?"
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
_ABOVE = re.compile(
    r"(?:^|[，。；：、.\d）条])(?:上述|以上|前述|[两二三四五六七八九][个项])[\u4e00-\u9fa5]{0,12}?"
    r"(?:规定|政策|措施|价格|电价|标准|参数|意见|事项|要求|办法|机制|内容|规则|细则|文件|制度)(?:均|统一|分别)?，?$"
)
"""A letter that says of all it set out or issues when it starts (上述电价自…起执行, 两项规则自…起施行)."""
_BELOW = "(?:下列|以下|下述|下表|附表|附件)"
_FOLLOWS = re.compile(
    rf"{_HOUR}起，?{_MANNER}(?:(?:执行|实行|试行){_BELOW}|[^。；，]{{2,40}}按照?{_BELOW}[^。；，]{{0,20}}执行)"
)
"""A letter that starts what stands below it (自…起执行下列价格：, 自…起，电价按照下表执行), with no other subject before the day."""
_NO_SUBJECT = re.compile(r"[，。：\d](?:现?决定)?[自从]$")
_SHOWN = re.compile(
    r"(?:如下表?|下表|附[表件][^。；，]{0,8}|(?:^|[，：])现?将[^。；，]{2,60}(?:修改|调整|核定|降低|提高)[为至到][^。；，]{1,30})，$"
)
_OWN = rf"(?:(?<![\u4e00-\u9fa5])|(?<=[条起行效施])|{SELF}的?)"
_COUNT = (
    rf"(?P<y{{0}}>[{NUMERAL}]+)\s*年(?:零?(?P<m{{0}}>[{NUMERAL}]+)个月)?(?!\d*月|底|末)|(?P<n{{0}}>[{NUMERAL}]+)个月"
)
_TERM = re.compile(
    rf"{_OWN}(?:暂定)?(?:(?:有效|试行|执行|实施|施行)期(?:限)?|试行时间|期限)[^。；，]{{0,15}}?(?:{_COUNT.format(1)})|"
    rf"(?:起|暂定?|试行)(?:暂定?)?(?:执行|施行|实施|试行|实行)?(?:期限?)?为?(?:{_COUNT.format(2)})(?!后|以后|以上)"
)
"""有效期五年, 起暂定执行两年, 起两年内有效; a permit's own term (许可证有效期) has a name before it."""
_TERM_DATE = re.compile(
    rf"(?:有效期(?:限)?(?:为)?(?:截?至|截止到?|到|截至)|(?:执行|施行|实施|试行|有效)(?:期限)?(?:截?至|到|截止到?))(?P<c>{ANY_LAST_DAY})|至(?P<d>{ANY_DATE})(?:止|终止|失效)?|"
    rf"(?P<e>{ANY_DATE})(?:起)?(?:自动|自行|自然)?(?:失效|废止|停止执行)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence part that starts the text, or some of its articles."""

    start: int
    """Flat position of 自."""
    end: int
    """Flat position after the verb."""
    strength: int
    """3: the text names itself; 2: an order, a label or a bare clause; 1: it says who puts it into force (由…发布施行),
    or speaks of all that stands above (上述规定)."""
    day: Day | None = None
    trigger: str = ""
    """Act from whose day it counts (公布, 印发…) when no date is written; 即日 for 自即日起."""
    after: int = 0
    unit: str = ""
    """Of ``after`` (日, 个月, 年, 个工作日), or 次日, 次月, 次年 for the first day after the day, month or year of the act."""
    until: Day | None = None
    units: str = ""
    """Articles or chapters it is limited to (第三条、第五条), empty for the whole text and for the rest of it."""


@dataclass(frozen=True, slots=True)
class ExcludedArticles:
    """Articles that the clause of the whole text leaves out, without a day of their own (除第三条外；另行公布)."""

    start: int
    """Flat."""
    end: int
    units: str


@dataclass(frozen=True, slots=True)
class ApplicationTerm:
    """How long a text is to apply."""

    span: Span
    """Flat."""
    years: int = 0
    months: int = 0
    last: Day | None = None
    """Last day on which it applies."""


def clauses(flat: FlatText, names: Iterable[str] = ()) -> tuple[Clause, ...]:
    """Return every clause that starts the text or some of its articles, in order.

    ``names`` are other names of the text, without marks: titles it issues (《山东…规则》), short names it gives
    them (细则).
    """
    known = frozenset(names)
    found = [c for c in (*_dated(flat, known), *_triggered(flat, known)) if not inside_quote(flat, c.start)]
    return tuple(sorted(found, key=lambda clause: clause.start))


def main_clause(found: Sequence[Clause]) -> Clause | None:
    """Return the clause of the whole text: the last of the strongest ones; None where 上述… starts on several days."""
    whole = [clause for clause in found if not clause.units]
    best = max(whole, key=lambda clause: (clause.strength, clause.start), default=None)
    parted = best is not None and best.strength == 1 and len({c.day for c in whole if c.day is not None}) > 1
    return None if parted else best


def _dated(flat: FlatText, names: frozenset[str]) -> Iterator[Clause]:
    text = flat.text
    for start, end, day in (*dates_in(flat, figured=True), *_months_in(flat)):
        lead = text[max(0, start - 1) : start]
        opens = lead in ("自", "从", "于")
        tail = _TAIL.match(text, end)
        until = _UNTIL.match(text, end)
        before = text[max(0, start - 12) : start]
        follows = _FOLLOWS.match(text, end) if opens and _NO_SUBJECT.search(before) else None
        if follows:
            yield Clause(start - 1, follows.end(), 1, day=day)
            continue
        if tail and (opens or tail["from"]):
            stop, last = tail.end(), None
        elif until and (_PERIOD.search(before) or (opens and until["verb"])):
            stop, last = until.end(), _completed(until["d"], day)
        elif opens and _COUNTED_FROM.match(text, end) and "有效期" in before:
            stop, last = end + 1, None
        elif _LABEL.search(before) and _ends_entry(flat, end):
            stop, last = end, None
        else:
            continue
        begin = start - 1 if opens else start
        strength, units = _subject(flat, begin, names)
        if strength:
            yield Clause(begin - _rest(flat, begin), stop, strength, day=day, until=last, units=units)
    for month in _MONTH.finditer(text):
        first, final = to_day(f"{month['y']}年{month['m']}月1日"), last_day(f"{month['y']}年{month['m']}月")
        strength, _ = _subject(flat, month.start("y"), names)
        if first and strength and _ends_entry(flat, month.end()):
            yield Clause(month.start("y"), month.end("m") + 1, strength, day=first, until=final)


def _months_in(flat: FlatText) -> Iterator[tuple[int, int, Day]]:
    """Yield (flat start, flat end, first day) of the months from which something runs (自2031年4月起, 自2031年4月份电费结算起)."""
    for match in SINCE_MONTH.finditer(flat.text):
        if (tail := _TAIL.match(flat.text, match.end())) and tail["from"] and (first := last_day(match["month"])):
            yield match.start("month"), match.end(), first.replace(day=1)


def _ends_entry(flat: FlatText, end: int) -> bool:
    """Tell whether a day ends its line, its bracket or its sentence (起 aside), or a wide gap stands behind it."""
    hour = _OPEN_END.match(flat.text, end)
    stop = hour.end() if hour else end
    return flat.ends_line(stop) or flat.text[stop] in "）。；" or flat.offsets[stop] - flat.offsets[stop - 1] > _GAP


def _completed(words: str, first: Day) -> Day | None:
    """Return a last day of which only the month or the day is written (2031年4月1日至30日)."""
    if (whole := to_day(words)) is not None:
        return whole
    year = "" if "年" in words else f"{first.year}年"
    return to_day(f"{year}{'' if '月' in words else f'{first.month}月'}{words}")


def _triggered(flat: FlatText, names: frozenset[str]) -> Iterator[Clause]:
    for match in _PUBLISHED.finditer(flat.text):
        bare = match[0][0] not in "自从于在" and "之日" not in match[0] and not (match["n"] or match["next"])
        strength, units = _subject(flat, match.start(), names)
        if strength < (3 if bare else 1) or (units and bare):
            continue
        count = parse_number(match["n"]) if match["n"] else 0
        rank = 1 if bare else strength
        start = match.start() - _rest(flat, match.start())
        unit = match["unit"] or (match["next"] or "").replace("下月", "次月")[:2]
        yield Clause(start, match.end(), rank, None, match["trigger"], count or 0, unit, units=units)
    for match in _NOW.finditer(flat.text):
        strength, _ = _subject(flat, match.start(), names)
        if strength:
            yield Clause(match.start(), match.end(), strength, trigger="即日")


def _subject(flat: FlatText, at: int, names: frozenset[str]) -> tuple[int, str]:
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
    if ordered or _HEADING.fullmatch(before) or _labelled(flat, opening, before):
        return 2, ""
    return (1, "") if _ABOVE.search(before) or _SHOWN.search(before) else (0, "")


def _labelled(flat: FlatText, opening: int, before: str) -> bool:
    """Tell whether 执行时间： opens a line, a cell or a bracket of its own right before a day, or stands behind a blank."""
    label = _LABEL.search(before)
    if label is None:
        return False
    headed = _HEADING.fullmatch(before, 0, label.start()) is not None
    at = opening + label.start()
    return headed or flat.opens_line(at) or flat.text[at - 1] in "（|" or flat.offsets[at] - flat.offsets[at - 1] > 1


def _units(flat: FlatText, opening: int, before: str) -> str:
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


def _rest(flat: FlatText, at: int) -> int:
    """Return the length of 其余条款 right before ``at``; 0 when no article was named shortly before."""
    before = flat.text[max(0, at - 200) : at]
    match = _REST.search(before)
    return len(match[0]) if match is not None and re.search(_UNIT, before[: match.start()]) else 0


def apart(flat: FlatText, clause: Clause) -> tuple[ExcludedArticles, ...]:
    """Return the articles that the sentence of ``clause``, or the one after it, leaves without a day."""
    start = sentence_start(flat, clause.start)
    stop = sentence_end(flat, min(len(flat.text), sentence_end(flat, clause.end) + 1))
    found = []
    for match in _APART.finditer(flat.text, start, stop):
        units = match["a"] or match["b"] or match["c"]
        begin = match.start()
        own = _OWN_NUMBER.match(units) if match["c"] and flat.opens_line(begin) else None
        shift = own.end() if own else 0
        found.append(ExcludedArticles(begin + shift, match.end(), units[shift:]))
    return tuple(found)


def _speaks_of_itself(before: str) -> bool:
    named = list(_SELF.finditer(before))
    if not named:
        return False
    own = named[-1]
    if re.search(r"(?:根据|依照|按照|违反|依据|适用)$", before[: own.start()]):
        return False
    rest = _LABEL.sub("", re.sub(r"（[^）]*）", "", before[own.end() :]))
    if len(rest) > 160 or _NOT_SUBJECT.search(rest):
        return False
    _, comma, last = rest.rpartition("，")
    return _LAST_PART.fullmatch(last) is not None if comma else len(rest) <= 40 and not re.search(r"[的：]$", rest)


def sentence_start(flat: FlatText, at: int) -> int:
    """Return the flat position after the last 。 or ； before ``at``, at most 400 characters back."""
    low = max(0, at - 400)
    return max(flat.text.rfind("。", low, at), flat.text.rfind("；", low, at), low - 1) + 1


def sentence_end(flat: FlatText, at: int) -> int:
    """Return the flat position of the next 。 at or after ``at``, at most 400 characters on."""
    stop = flat.text.find("。", at, at + 400)
    return stop if stop >= 0 else min(len(flat.text), at + 400)


def inside_quote(flat: FlatText, at: int) -> bool:
    """Tell whether a position lies in a quotation: an amending text quotes the clauses of the amended one."""
    low = max(0, at - 600)
    opened = flat.text.rfind("“", low, at)
    return opened > flat.text.rfind("”", low, at) and flat.text.find("”", at, at + 200) >= 0


def term_of(flat: FlatText, clause: Clause | None) -> ApplicationTerm | None:
    """Return the term (有效期) that the text sets for itself: in its commencement sentence, or in one about itself."""
    if clause is not None:
        if clause.until is not None:
            return ApplicationTerm(Span(clause.start, clause.end), last=clause.until)
        stop = sentence_end(flat, clause.end)
        near = _term_in(flat, sentence_start(flat, clause.start), stop, clause)
        following = re.match(
            r"。(?:本[\u4e00-\u9fa5]{1,4})?(?:暂定)?(?:有效期|试行期|执行期)", flat.text[stop : stop + 12]
        )
        near = near or (_term_in(flat, stop, sentence_end(flat, stop + 1), clause) if following else None)
        if near is not None:
            return near
    for own in re.finditer(
        rf"{SELF}(?:的)?(?:暂定)?(?:有效期|试行期|试行|自[^。；]{{4,20}}有效|执行期|实施期|施行期)", flat.text
    ):
        found = _term_in(flat, own.start(), sentence_end(flat, own.end()), None)
        if found is not None and not inside_quote(flat, own.start()):
            return found
    return None


def _term_in(flat: FlatText, start: int, end: int, clause: Clause | None) -> ApplicationTerm | None:
    dated = next(
        (m for m in _TERM_DATE.finditer(flat.text, start, end) if not clause or m.start() >= clause.start), None
    )
    if dated is not None:
        last = last_day(dated["c"] or dated["d"] or dated["e"])
        return ApplicationTerm(Span(*dated.span()), last=last) if last else None
    counted = _TERM.search(flat.text, start, end)
    if counted is None:
        return None
    years, months, alone = (
        parse_number(counted[f"{name}1"] or counted[f"{name}2"] or "零") or 0 for name in ("y", "m", "n")
    )
    if not 0 < years + (months + alone) / 12 <= 50:
        return None
    return ApplicationTerm(Span(*counted.span()), years=years, months=months + alone)
