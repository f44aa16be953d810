"""Whether a memo states another value than the provision it retells (数值比对).

A value is compared with that of the same kind whose clause and sentence speak most of what the memo's clause speaks of.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

from nemo.audit.keyed import Topic, keyed, topic
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import Amount, quantities
from nemo.types import Span

_FRAME_WORDS = re.compile(
    r"(?:时限|期限|期间|比例|上限|下限|金额|数额|标准|罚款额|宽度|距离|容量)?(?:是|为|系|即|定为|设定为|规定为|不超过|不得超过|不少于|不得少于|至少|最多|最高|最低|最长|须|要|有)*$"
)
"""What a memo writes between a thing and its value."""
_CASE = re.compile(
    r"(?:(?:本|该|此)(?:项目|工程|公司|合同|次|案|所)|我[们司方公单]|贵[府司方公单局院]|目标公司|[甲乙丙]方|拟建)[^,，。;；]{0,14}(?:测算|实测|实际|现[有为]|已|拟|目前|约定|承诺|计划|预计|合计|仅|共)|共(?=\d)"
)
"""The memo speaks of its own case: its values are not those of the law."""
_BARE = re.compile(
    r"(?:超过|低于|大于|小于|等于|少于|高于|为|取)(\d{1,6}(?:\.\d{1,3})?)(?![\d.,%‰℃°/\u4e00-\u9fa5A-Za-z（(〔\[-])"
)
"""A number without a unit (最高不超过1)."""
_KINDS = re.compile("([两二三四五六七八九十]{1,3})(类|种)(?=以上|以下)")
_MORE = re.compile(
    r"(?P<n>\d{1,9}(?:\.\d{1,4})?|[一二三四五六七八九十百]{1,5})(?P<scale>万|亿)?(?P<u>人次?|户|立方米|千伏安|平方米|件|株|(?<=\d)时(?=[前后起至之]))"
)
"""What is counted by ten thousands, volumes, hours of the clock (1000万人, 二百立方米, 21时前)."""
_FINED = re.compile("[罚处](?:款|以)?(?=[\\d一二三四五六七八九十百])[^，。；]{2,16}")
_BARE_FINE = re.compile(r"(\d{1,4}(?:\.\d{1,2})?|[一二三四五六七八九十百]{1,4})万(?![元吨千瓦平立人户度])")
"""A fine told without its unit (罚5万至30万)."""
_ONCE = re.compile("等值(?=以[上下])")
_SHARED_NUMBER = r"(?:\d{1,6}(?:\.\d{1,3})?万?|[一二三四五六七八九十百]{1,5}万?)"
_SHARED = re.compile(
    rf"(?<![\d年月第.之一二三四五六七八九十百千]){_SHARED_NUMBER}(?:[（()）]?[-—–~～至到（(]{_SHARED_NUMBER}){{0,3}}[（()）]?[-—–~～至到（(]$"
)
"""Numbers in front of one with a unit that is theirs too."""
_BOUND_BEFORE = re.compile(
    "(?:(?P<most>不(?:得|应|能)?(?:超过|高于|多于|大于|超出|突破)|至多|最[长多高大]|(?<![不得应])(?:不足|低于|少于|小于|不满|未满))|"
    "(?P<least>不(?:得|应|能)?(?:低于|少于|小于|短于)|至少|最[短少低小]|(?<![不得应能未])(?:超过|高于|多于|大于|超出)))[^，。；\\d]{0,2}$"
)
_BOUND_AFTER = re.compile("的?(?:(?P<most>以[下内])|(?P<least>以上))")
_CLAUSE_ENDS = re.compile("[。；;，,、：:\n]")
_APART = re.compile(rf"{_CLAUSE_ENDS.pattern}|、(?=对)")
"""Where what is told of one value ends (对个人处二元、对单位处十元)."""
_NEARBY = 40
_FROM_TO, _FROM_ON = re.compile("以上|[到至~～—–-]"), re.compile("[\u4e00-\u9fa5]{0,6}?以上的(?!罚)")
"""Between the ends of a range; behind a value from which on a thing is what a provision speaks of (一万吨标准煤以上的用能单位)."""
_ENDS = re.compile("[\u4e00-\u9fa5]{2}$")
_IN_ALL = re.compile(r"(?:合计|总[共计]|[一总]?共|共计|连同|累计|也就是|即|前后)[^，。；\d]{0,8}$")
"""What a memo writes in front of the sum of two values of a provision (60日, 可以延长30日: 合计最长90日)."""
_BRACKET = re.compile("[（(][^（()）]{0,200}[）)]")
_INCLUDED = re.compile(r"[（(](?:不)?含(?:本数|[\d一二三四五六七八九十百千万]{1,8}[^（()）]{0,4})[）)]")
"""Behind a bound: whether it is of the range (3人以下（含3人）); it states no value of its own."""
_BOUNDS = re.compile("(?:不(?:得|应|能)?(?:超过|少于|低于|高于)|至少|至多|最[多少高低])[^,，。；;]{0,4}$")
_KEPT = re.compile(r"(?:未|不|没有)(?:超过|突破|超出|低于|少于|高于|达到?|满|足)|符合|满足|以内|小于|低于")
_OPENS_LIST = re.compile(r"([^。；;\n：:]{4,120})[：:]\s*\n")
_ITEM = re.compile(r"[ \u3000]{0,8}[（(][一二三四五六七八九十\d]{1,3}[）)]")
_SCALES = {"万": 10**4, "亿": 10**8}
_NUMERAL = r"[\d一二三四五六七八九十百千万点.]"
_RANGE = 3
"""Characters between the two ends of one range."""
_SPOKEN, _CLOSER, _SURELY, _ONE_UNIT = 0.3, 0.15, 0.6, 0.05
"""How much of a memo's clause the clause and sentence of a value must speak of: of a value that the provision does not
know; more than the value's own, and in all, of one that it gives to something else. What an equal unit adds."""


@dataclass(frozen=True, slots=True)
class WrongValue:
    """A value of a memo that a provision states otherwise, each with the whole clause it stands in."""

    said: str
    """The memo's clause."""
    value: str
    """The right value."""
    wording: str
    """The provision's clause."""


def wrong_value(saying: str, place: str) -> WrongValue | None:
    """Return the value of a saying that a provision states otherwise; None when there is none.

    A memo states values of its own project too: these are left alone. A value that the provision gives to something else
    is as wrong as one that it does not know.
    """
    known = amounts(place)
    held = [(v, *_around(place, v, known)) for v in known]
    before, whole = "", keyed(place).key
    told: list[tuple[str, Amount, Topic]] = []
    for match in re.finditer(r"[^,，。;；:：]+", saying) if held else ():
        as_it_stands = re.search(f"{re.escape(keyed(match[0]).key)}(?!{_NUMERAL})", whole)  # 八十 is no 八十五
        clause, values = match[0], [] if as_it_stands else amounts(match[0])
        for index, value in enumerate(values):
            if (
                glossed(clause, value, values[index + 1 :], known)
                or within(place, value, clause)
                or _counts_the_same(place, value, clause)
                or _CASE.search(clause)
                or _kept(known, saying, clause, value)
            ):
                continue
            first = index  # of a range: 五十至三百米
            while first and values[first].span.start - values[first - 1].span.end <= 1:
                first -= 1
            start = values[first - 1].span.end if first else 0
            last = index  # what stands behind a range is of both its ends
            while last + 1 < len(values) and values[last + 1].span.start - values[last].span.end <= _RANGE:
                last += 1
            after = clause[values[last].span.end :] if last + 1 == len(values) else ""
            piece = _FRAME_WORDS.sub("", clause[start : values[first].span.start]) + after
            said = topic(piece), topic(before + piece), frozenset(_ENDS.findall(piece))
            near = _likest(held, value, *said)
            both = any(_same(v, value) for v in known) and near and any(_same(v, near) for v in amounts(saying))
            told.append((clause, value, said[0]))
            if near is not None and not both:  # who tells both values knows which is which
                return WrongValue(clause.strip(), near.span.of(place), _clause(place, near.span))
        before = clause
    for (clause, one, its), (_, other, theirs) in combinations(told, 2):  # unless each is told of what the other is of
        there, here = ([h for h in held if _same(h[0], v)] for v in (other, one))
        fits = (its.within(h[1]) >= _SURELY > its.within(o[1]) for h in there for o in here)
        crossed = (theirs.within(h[1]) >= _SURELY > theirs.within(o[1]) for h in here for o in there)
        if one.kind == other.kind and one.same != other.same and any(fits) and any(crossed):
            span = there[0][0].span
            return WrongValue(clause.strip(), span.of(place), _clause(place, span))
    return None


def _counts_the_same(place: str, value: Amount, clause: str) -> bool:
    """Tell whether a provision counts the same thing so often, in the same words (3人以上死亡)."""
    counted = re.match("(?:以[上下内])?的?[\u4e00-\u9fa5]{2}", clause[value.span.end :])
    words = clause[value.span.start : value.span.end + counted.end()] if counted else ""
    return value.kind == "count" and bool(words) and re.search(f"(?<!{_NUMERAL}){re.escape(words)}", place) is not None


def _clause(text: str, span: Span) -> str:
    start = max((m.end() for m in _CLAUSE_ENDS.finditer(text, 0, span.start)), default=0)
    end = _CLAUSE_ENDS.search(text, span.end)
    return text[start : end.start() if end else len(text)].strip()


_Held = tuple[Amount, Topic, Topic, Topic]
"""A value with what its clause between the values around it, its whole clause, and its sentence speak of."""


def _around(place: str, value: Amount, held: list[Amount]) -> tuple[Topic, Topic, Topic]:
    words = value.span.of(place)
    near, wide = (_sentence(place, value.span, whole=whole).replace(words, "", 1) for whole in (False, True))
    item = _ITEM.match(place, place.rfind("\n", 0, value.span.start) + 1)
    opens = _OPENS_LIST.findall(place[: value.span.start]) if item else []
    return topic(_beside(place, held, value)), topic(near), topic("".join(opens[-1:]) + wide)


def _likest(held: list[_Held], value: Amount, clause: Topic, sentence: Topic, ends: frozenset[str]) -> Amount | None:
    """Return the value that a provision states of what a memo states another of.

    ``ends`` are the characters right in front of the value: what only its own clause has is what the memo speaks of.
    """
    scored = []
    for other, beside, its_clause, its_sentence in (h for h in held if _comparable(h[0], value)):
        wide = sentence.within(its_sentence) if sentence.letters else float(len(held) == 1)
        near = max(clause.within(beside), clause.within(its_clause))
        score = (near + wide) / 2 if len(clause.letters) > 1 else wide
        scored.append((score + _ONE_UNIT * (other.unit == value.unit), other, beside, its_clause))
    own = max((row for row in scored if _same(row[1], value)), key=lambda row: row[0], default=None)
    best = max((row for row in scored if not _same(row[1], value)), key=lambda row: row[0], default=None)
    if best is None or own is None:
        return best[1] if best is not None and best[0] >= _SPOKEN else None
    alone = own[2].letters - best[3].letters
    if ends & own[2].pairs - best[2].pairs or (alone and alone <= sentence.letters):
        return None
    theirs, mine = best[2].pairs - own[2].pairs, own[2].pairs - best[2].pairs
    low, high = sorted((best[1].span, own[1].span))
    parted = high.start - low.end > _RANGE and theirs & sentence.pairs and not mine & sentence.pairs
    return best[1] if best[0] >= max(own[0] + (0 if parted else _CLOSER), _SURELY) else None


def _comparable(one: Amount, other: Amount) -> bool:
    """Tell whether two values measure one thing: of things that are counted only those counted alike."""
    persons = {one.unit, other.unit} <= {"人", "名"}
    return one.kind == other.kind and (one.kind != "count" or one.unit == other.unit or persons)


def _same(one: Amount, other: Amount) -> bool:
    """Tell whether two values are one: two persons may be counted as 人 or 名."""
    return one.same == other.same or (one.kind == other.kind == "count" and one.amount == other.amount)


def sided(text: str) -> Iterator[tuple[tuple[float, str], str, str]]:
    """Yield the values of a text with the side they bound (``most``, ``least`` or none) and the words that say it."""
    for value in quantities(text):
        before, after = _BOUND_BEFORE.search(text[: value.span.start]), _BOUND_AFTER.match(text, value.span.end)
        side = (after and after.lastgroup) or (before and before.lastgroup) or ""
        start, end = before.start() if before else value.span.start, after.end() if after else value.span.end
        yield value.same, side, text[start:end]


def ranges(text: str) -> Iterator[tuple[tuple[float, str], tuple[float, str], str]]:
    """Yield both ends of every range of a text (五米至五十米, 五万元以上十万元以下) with its words."""
    for one, two in pairwise(sorted(amounts(text), key=lambda value: value.span)):
        if one.kind == two.kind and _FROM_TO.fullmatch(text[one.span.end : two.span.start]) and one.amount < two.amount:
            yield one.same, two.same, text[one.span.start : two.span.end]


def glossed(clause: str, value: Amount, later: list[Amount], held: list[Amount]) -> bool:
    """Tell whether a memo itself gives a value as the provision states it, in brackets (一天（24小时）)."""
    known = {v.same for v in held}
    return any(v.same in known and re.fullmatch("[（(]", clause[value.span.end : v.span.start]) for v in later[:1])


def _kept(held: list[Amount], saying: str, clause: str, value: Amount) -> bool:
    """Tell whether a memo sets its own value beside the bound, which it states too (取1.8%，未超过2%)."""
    known = {v.same for v in held}
    if value.same in known or _BOUNDS.search(clause[: value.span.start]):
        return False
    bounds = (v for v in amounts(saying) if v.same in known and v.unit == value.unit)
    return next(bounds, None) is not None and _KEPT.search(saying) is not None


def amounts(text: str) -> list[Amount]:
    """Return the values of a text, also those that share the unit of the next one (每3至5年, 110（66）千伏)."""
    text = _INCLUDED.sub(lambda m: " " * len(m[0]), text)
    found = [Amount(float(m[1]), "", "number", Span(*m.span(1))) for m in _BARE.finditer(text)]
    found += [Amount(float(parse_number(m[1]) or 0), m[2], "kinds", Span(*m.span())) for m in _KINDS.finditer(text)]
    for fined in _FINED.finditer(text):
        for m in _BARE_FINE.finditer(text, *fined.span()):
            many = float(m[1]) if m[1][0].isdecimal() else float(parse_number(m[1]) or 0)
            found.append(Amount(many * _SCALES["万"], "元", "money", Span(*m.span())))
    found += [Amount(1.0, "倍", "money", Span(*m.span())) for m in _ONCE.finditer(text)]
    plain = quantities(text)
    for m in (
        m for m in _MORE.finditer(text) if not any(m.start() < v.span.end and v.span.start < m.end() for v in plain)
    ):
        many = float(m["n"]) if m["n"][0].isdecimal() else float(parse_number(m["n"]) or 0)
        found.append(Amount(many * _SCALES.get(m["scale"] or "", 1), m["u"], f"of {m['u']}", Span(*m.span())))
    for value in plain:
        low = max(0, value.span.start - _NEARBY)
        shared = _SHARED.search(text[low : value.span.start])
        for match in re.finditer(_SHARED_NUMBER, shared[0]) if shared else ():
            bare = match[0].removesuffix("万")
            number = float(bare) if bare[0].isdecimal() else parse_number(bare)
            start = low + shared.start() + match.start()  # type: ignore[union-attr]
            if number is not None:
                scale = 10**4 if "万" in match[0] + value.span.of(text) and value.kind == "money" else 1
                found.append(Amount(float(number) * scale, value.unit, value.kind, Span(start, start + len(match[0]))))
        named = value.unit == "级" and re.match("[\u4e00-\u9fa5]", text[value.span.end :])  # 七级伤残
        last = re.search("(?<!以)上$", text[: value.span.start]) and value.amount == 1  # 上一年度
        if not named and not last:
            found.append(value)
    return found


def within(place: str, value: Amount, clause: str) -> bool:
    """Tell whether a value lies in the range that a provision leaves: 处八万元 of 五万元以上十万元以下, 六十公顷 of 五十公顷以上的用海."""
    after, before = clause[value.span.end :], clause[: value.span.start]
    held = amounts(place)
    if _IN_ALL.search(before) and any(
        one.unit == two.unit == value.unit and one.amount + two.amount == value.amount
        for one, two in combinations(held, 2)
    ):
        return True
    if (
        re.match("的?(?:以[上下内]|之?内)", after)
        or re.search(rf"{_NUMERAL}\S{{0,3}}[到至~～—-]$", before)
        or _BOUND_BEFORE.search(before)
    ):
        return False
    ends = [
        (one.amount, two.amount)
        for one, two in pairwise(held)
        if one.unit == two.unit == value.unit and _FROM_TO.fullmatch(place[one.span.end : two.span.start])
    ]
    ends += [(v.amount, float("inf")) for v in held if v.unit == value.unit and _FROM_ON.match(place, v.span.end)]
    return any(low <= value.amount <= high for low, high in ends)


def _beside(text: str, held: list[Amount], value: Amount) -> str:
    """Return the words of a value's clause or bracket between the values around it (市区内…一米、市区外…二米)."""
    inner, text = _outside(text, value.span)
    if inner:
        return inner.replace(value.span.of(text), "", 1)
    clause = _APART.split(text[: value.span.start])[-1]
    start = max([value.span.start - len(clause), *(v.span.end for v in held if v.span.end <= value.span.start)])
    after = _APART.split(text[value.span.end :])[0]
    end = min([value.span.end + len(after), *(v.span.start for v in held if v.span.start >= value.span.end)])
    return text[start : value.span.start] + text[value.span.end : end]


def _outside(text: str, span: Span) -> tuple[str, str]:
    """Return what stands in the bracket around a place, empty where none does, and the text with all other brackets blank."""
    inner = next((m[0][1:-1] for m in _BRACKET.finditer(text) if m.start() < span.start and span.end < m.end()), "")
    return inner, text if inner else _BRACKET.sub(lambda m: " " * len(m[0]), text)


def _sentence(text: str, span: Span, *, whole: bool) -> str:
    """Return the clause or sentence around a value: of a bracket what stands in it, else what stands beside brackets."""
    inner, text = _outside(text, span) if not whole else ("", text)
    if inner:
        return inner
    start = max(text.rfind(mark, 0, span.start) for mark in ("。\n" if whole else "。；\n,，")) + 1
    ends = [e for mark in "。；\n" if (e := text.find(mark, span.end)) >= 0]
    return text[start : min(ends, default=len(text))]
