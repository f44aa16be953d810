"""When: how often, before or after, by which day, from which event on, and of which of two things (时限、先后与对应)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nemo.audit.keyed import KeyedText, keyed
from nemo.audit.wording import KINDRED, WordingChange
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import quantities

_EVERY = re.compile(
    r"[按每逐](?P<times>[两二三四五六七八九十\d]{0,2}(?:[-—–~～至到][二三四五六七八九十\d]{1,2})?)(?:一|个)?(?P<unit>日|周|旬|月|季度?|半年|年)(?:度)?(?!限|龄|利率|级)"
)
_DAY = re.compile(
    r"(?P<month>每年|每月|第[一二三1-3]个月|次月|当月|翌年|次年|\d{1,2}月|[一二三四五六七八九十]{1,2}月)"
    r"(?:份)?(?P<day>\d{1,2}日|[一二三四五六七八九十]{1,3}日|月?底|月?末)(?:[（(]含[）)])?(?:之)?前"
)
_SIDE = re.compile(r"(?P<event>[\u4e00-\u9fa5]{3,12}?)(?P<side>之?前|以前|之?后|以后)(?![款项条述列期])")
_OTHER = {"前": "后", "后": "前"}
_NAMED = 3
"""Characters in front of 前 or 后 by which an event is known."""
_STEPS = (
    "开工", "竣工|完工", "受理", "申请|提交|提出|递交", "批准|核准|审批|准予|许可", "备案", "签订|签署|订立", "投产|投运|并网",
    "公布|发布|印发|公告", "收到|接到|送达|告知|通知|签收", "寄出|发出|投递|交寄", "届满|期满|到期", "验收", "结束|终止|终了", "发生", "发现|知道|得知", "交付|移交",
    "登记", "施行|实施", "核发|颁发|取得", "生效",
)  # fmt: skip
"""Steps of a procedure from which a term counts; words of one entry are one step."""
_STEP = re.compile("|".join(f"(?P<s{n}>{words})" for n, words in enumerate(_STEPS)))
_FULL_DAY, _MORE = re.compile(r"(?:19|20)\d{2} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日"), 0.15
_FROM = re.compile("[自从][^，。；,;自从]{2,24}?之?日起|以[^，。；,;以]{2,16}之日(?:为|作为)")
_LEVEL = re.compile("(?P<level>上一级|上级|本级|同级|下级|下一级)(?=人民政府|地方|主管|行政|管理|部门|机关)")
_AS_HIGH = {
    "上一级": ["上级"],
    "上级": ["上一级"],
    "本级": ["同级"],
    "同级": ["本级"],
    "下级": ["下一级"],
    "下一级": ["下级"],
}
_RANKS, _RANKED = ("乡镇|乡级", "县级|县(?=人民政府)", "设区的市级?|市级|地级市", "省级|省、自治区、直辖市"), 0.35
_FIRST_THEN = re.compile(
    r"(?:先|优先|首先)(?P<first>[\u4e00-\u9fa5]{2,6}?)[、，,]?(?:再|然后|其次|后)(?P<then>[\u4e00-\u9fa5]{2,6}?)(?=[、，,。；;的后]|$)"
)
_NUMERAL = re.compile(r"[\d一二两三四五六七八九十半]{1,4}个?(?:工作日|[日天周月年])$")
_ANCHOR = re.compile(r"[^，,。；;：:、\n]{0,16}$")
_HEAD, _TAIL, _REPEATED = 6, 4, 4
"""Characters of the beginning and the end of a clause, and of what two parallel things share in front of their ends."""
_SPLIT = re.compile("[，,。；;：:\n]")


def out_of_time(saying: str, place: str) -> WordingChange | None:
    """Return a rhythm, day, side, starting event or pair that a provision states otherwise; None when there is none.

    Args:
        saying: The memo's words.
        place: The provision they are said to retell.
    """
    steps = (_order, _rhythm, _day, _side, _start, _level, _rank, _crossed)
    return next((found for step in steps if (found := step(saying, place)) is not None), None)


def _order(saying: str, place: str) -> WordingChange | None:
    """Return two steps in an order that the provision turns (先保平衡后保安全)."""
    for match in _FIRST_THEN.finditer(saying):
        for sentence in re.split("[。；;\n]", place):
            first, then = sentence.find(match["first"]), sentence.find(match["then"])
            if 0 <= then < first and re.search("次序|顺序|依次|先|优先|再|后", sentence):
                return WordingChange(match[0], sentence[then : first + len(match["first"])])
    return None


def _full_days(text: str) -> set[str]:
    return {m[0].replace(" ", "") for m in _FULL_DAY.finditer(text)}


def of_its_day(saying: str, place: str) -> str:
    """Return the sentences of a provision that speak of the day of a saying, where others speak of other days."""
    days = _full_days(saying)
    parts = [s for s in re.split("(?<=[。；;\n])", place) if days & _full_days(s)]
    return "".join(parts) if parts and len(_full_days(place)) > len(days) else place


def other_day(saying: str, place: str) -> WordingChange | None:
    """Return the sentence of another day that a saying tells of its own (前按均价, 起按节点价)."""
    own = of_its_day(saying, place)
    said = keyed(_FULL_DAY.sub("", saying))
    if own == place or len(said.key) < _HEAD:
        return None
    others = [s for s in re.split("[。；;\n]", place) if _FULL_DAY.search(s) and s not in own]
    best = max(others, key=lambda s: keyed(s).covers(said), default="")
    surely = best and keyed(best).covers(said) >= keyed(own).covers(said) + _MORE
    return WordingChange(saying.strip(), best.strip()[:60]) if surely else None


def _rhythm(saying: str, place: str) -> WordingChange | None:
    """Return how often a saying has done what a provision has done at another rhythm (按季度 for 按月)."""
    held = {_times(m): m[0] for m in _EVERY.finditer(place)}
    for clause in _SPLIT.split(saying):
        for said in _EVERY.finditer(clause):
            rest = keyed(clause.replace(said[0], "", 1))
            if held and _times(said) not in held and keyed(place).covers(rest) >= KINDRED:
                unit = [words for times, words in held.items() if times[-1] == _times(said)[-1]]
                return WordingChange(said[0], (unit or list(held.values()))[0])
    return None


def _times(match: re.Match[str]) -> tuple[int | None, ...]:
    """Return how often, as numbers, and the unit's character (每3—5年 is 每三至五年)."""
    return (*(_number(n) for n in re.split("[-—–~～至到]", match["times"]) if n), ord(match["unit"][0]))


def _number(words: str) -> int | None:
    return int(words) if words.isdecimal() else parse_number(words)


def _days(text: str) -> Iterator[tuple[str, tuple[int | str, int | str]]]:
    for match in _DAY.finditer(text):
        month, day = match["month"], match["day"]
        yield match[0], (_number(month[:-1]) or month, _number(day[:-1]) or "底")


def _day(saying: str, place: str) -> WordingChange | None:
    """Return the day by which something is due where the provision names another (每月25日前 for 每月22日前)."""
    held = list(_days(place))
    for clause in _SPLIT.split(saying):
        for words, day in _days(clause):
            near = [w for w, other in held if type(other[0]) is type(day[0])]
            if near and day not in [other for _, other in held]:
                return WordingChange(words, near[0])
    return None


def _side(saying: str, place: str) -> WordingChange | None:
    """Return 登记后 where the provision says 登记前."""
    for match in _SIDE.finditer(saying):
        event, side = match["event"][-_NAMED:], match["side"][-1]
        there = {m[1] for m in re.finditer(f"{re.escape(event)}[^，。；、]{{0,8}}?([前后])", place)}
        there = there or {m[1] for m in re.finditer(f"{re.escape(event[1:])}[之以]?([前后])", place)}
        if there == {_OTHER[side]}:
            return WordingChange(f"{event}{side}", f"{event}{_OTHER[side]}")
    return None


def _anchors(text: str) -> list[tuple[tuple[float, str], str, set[int]]]:
    """Return the terms of a text, each with the words in front of it and the steps of a procedure they name."""
    found = []
    for value in quantities(text):
        if value.kind == "time" and (match := _ANCHOR.search(text[: value.span.start])):
            found.append((value.same, match[0] + value.span.of(text), _steps(match[0])))
    return found + [((0.0, "起"), m[0], _steps(m[0])) for m in _FROM.finditer(text)]


def _steps(words: str) -> set[int]:
    return {n for m in _STEP.finditer(words) for n in range(len(_STEPS)) if m[f"s{n}"]}


def _start(saying: str, place: str) -> WordingChange | None:
    """Return the step from which a memo counts a term that the provision counts from another."""
    held = _anchors(place)
    if re.search("(?:时间|日期)为[^。；]{0,60}(?:当日|之日)", place):  # the provision says itself which day an event is
        return None
    for same, words, steps in _anchors(saying):
        if not re.search("起|后|之日|时", words) and not _STEP.search(_NUMERAL.sub("", words)[-2:]):
            continue
        terms = [(w, s) for other, w, s in held if other == same and (s or same[1] != "起")]
        if steps and terms and all(s and not s & steps for _, s in terms):
            return WordingChange(words, terms[0][0])
    return None


def _level(saying: str, place: str) -> WordingChange | None:
    """Return 上级人民政府 where the provision says 本级人民政府."""
    held = {m["level"]: m[0] for m in _LEVEL.finditer(place)}
    for said in _LEVEL.finditer(saying):
        same = {said["level"], *_AS_HIGH.get(said["level"], ())}
        if held and not same & held.keys():
            return WordingChange(said[0], next(iter(held.values())))
    return None


def _rank(saying: str, place: str) -> WordingChange | None:
    """Return 县级…部门批准 where the provision says 设区的市级以上…部门批准."""
    held = [(n, m) for n, rank in enumerate(_RANKS) for m in re.finditer(rank, place)]
    known = {n for n, _ in held} | {
        r for n, m in held if place[m.end() :].startswith("以上") for r in range(n, len(_RANKS))
    }
    for clause in _SPLIT.split(saying):
        for rank, said in ((n, m) for n, r in enumerate(_RANKS) for m in re.finditer(r, clause)):
            if held and rank not in known and keyed(place).covers(keyed(clause.replace(said[0], "", 1))) >= _RANKED:
                return WordingChange(said[0], held[0][1][0])
    return None


def _common_end(one: str, other: str) -> int:
    return next((n for n in range(min(len(one), len(other)), 0, -1) if one[-n:] == other[-n:]), 0)


def _crossed(saying: str, place: str) -> WordingChange | None:
    """Return a clause that goes from one of two parallel things over to what is said of the other."""
    held = keyed(place)
    for clause in _SPLIT.split(saying):
        said = keyed(clause).key
        size = next((n for n in range(len(said), _HEAD - 1, -1) if said[:n] in held.key), 0)
        if size and len(said) - size >= _TAIL and (end := _beyond(held, place, said, size)):
            start = held.key.find(said[:size])
            return WordingChange(clause.strip(), held.span(start, end).of(place))
    return None


def _beyond(held: KeyedText, place: str, said: str, size: int) -> int:
    """Return where the rest of a clause stands behind another thing of the same kind; 0 where it does not."""
    start = held.key.find(said[:size])
    at = held.key.find(said[size:], start + size)
    gap = held.key[start + size : at] if at > 0 else ""
    same = _common_end(said[:size], gap)
    if not _REPEATED <= same < len(gap) <= len(said) * 2:
        return 0
    before = place[held.offsets[at - same] - 1]
    return 0 if before in "，、；。：\n " else at  # there the subject is said again, and left out once
