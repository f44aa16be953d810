"""The typed slots of a rule that a claim and a provision must fill alike (要素比对).

How often, by which day, between which ends, on which side of a bound, at which level, of which grade or class, from which
step on: each slot of a clause is set beside those of its kind in the provision.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

from nemo.audit.comparison.alignment import nearest, passages
from nemo.audit.comparison.values import ranges, sided
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import quantities

Key = frozenset[object]
_CLAUSES = re.compile("[，,。；;：:\n]")
_EVERY = re.compile(
    r"(?P<once>一次性)(?=[^，。；]{0,8}(?:补偿|支付|缴纳|给予|付清|发放))|[按每逐](?P<times>[两二三四五六七八九十\d]{0,2}(?:[-—–~～至到][二三四五六七八九十\d]{1,2})?)(?:一|个)?(?P<unit>日|周|旬|月|季度?|半年|年|亩|公顷|平方米|立方米|吨|千瓦时?|公里)(?:度)?(?!限|龄|利率|级)"
)
_BY_DAY = re.compile(
    r"(?P<month>每年|每月|第[一二三1-3]个月|次月|当月|翌年|次年|\d{1,2}月|[一二三四五六七八九十]{1,2}月)"
    r"(?:份)?(?P<day>\d{1,2}日|[一二三四五六七八九十]{1,3}日|月?底|月?末)(?:[（(]含[）)])?(?:之)?前"
)
_AT_LAST = re.compile("(?:最[晚迟]|不[晚迟]于|截[至止])(?:(?:19|20)\\d{2}年)?([^，。；前]{2,8}?[日底末])(?!前)")
"""What a retelling says for 前 (最晚3月底)."""
_DATE = re.compile(
    r"(?P<day>(?:19|20)\d{2} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日)(?:[（(]不?含[）)])?(?P<side>起|之?前|以前|之?后|以后|至)(?P<what>[\u4e00-\u9fa5]{0,2})"
)
_RELATIVE = re.compile(
    "(?:(?P<above>上一级|上级)|(?P<same>本级|同级)|(?P<below>下一级|下级))(?=人民政府|地方|主管|行政|管理|部门|机关)"
)
_RANKS = (
    "乡镇|乡级|乡人民|乡[（(]镇", "县级|县(?=人民政府)", "设区的市级?|市级|地级市", "省级|省、自治区、直辖市|省(?=人民政府)",
    "国务院|国家(?=[\u4e00-\u9fa5]{1,8}[局委部])",
)  # fmt: skip
_RANK = re.compile("|".join(f"(?P<r{n}>{words})" for n, words in enumerate(_RANKS)))
_GRADE = re.compile("(?P<grade>特别重大|特大|重大|较大)(?=[\u4e00-\u9fa5、]{0,14}(?:事故|事件|火?灾害?|险情))")
_GRADES = ("较大", "重大", "特大")
"""Grades of what happens (生产安全事故报告和调查处理条例第三条): each is a rule of its own."""
_TIMES = re.compile("(?:只能|[只仅]可以?|最多|至多|可以?|不得?超过)[^，。；]{0,8}?(?P<n>[一二两三四五六\\d]{1,2})次")
_CLASS = re.compile("(?<![同另某这那每此])(?P<class>[ⅠⅡⅢⅣⅤ一二三四五甲乙丙])(?P<of>类|级(?!以上|以下))")
_STEPS = (
    "开工", "竣工|完工", "受理", "申请|提交|提出|递交", "批准|核准|审批|准予|许可|同意", "备案", "签订|签署|订立", "投产|投运|并网|投入(?:生产|使用|运行)",
    "公布|发布|印发|公告", "变更|变动", "注销", "收到|接到|送达|告知|通知|签收", "寄出|发出|投递|交寄", "届满|期满|到期", "验收", "结束|终止|终了", "发生", "发现|知道|得知|知悉|获知|获悉", "交付|移交",
    "记载|登载", "登记", "施行|实施", "核发|颁发|取得", "生效", "可行性研究|可研", "初步设计|初设", "施工图",
)  # fmt: skip
"""Steps of a procedure from which a term counts; words of one entry are one step."""
STEP = re.compile("|".join(f"(?P<s{n}>{words})" for n, words in enumerate(_STEPS)))
_FROM = re.compile(
    "[自从][^，。；,;自从]{1,24}?时(?=设立|起|生效|成立|取得|转移|完成)|[自从][^，。；,;自从]{2,24}?之?日起|以[^，。；,;以]{2,16}之日(?:为|作为)"
)
_NUMERAL = re.compile(r"[\d一二两三四五六七八九十半]{1,4}个?(?:工作日|[日天周月年])$")
_DATED = re.compile("[为是以](?P<event>[^，。；,;为是以]{2,80}?)(?:的?当[日天]|之日)")
_SAYS_ITSELF = re.compile("(?:时间|日期)为[^。；]{0,60}(?:当日|之日)")
_COUNTS = re.compile("起|后|之日|时")
_ANCHOR = re.compile(r"[^，,。；;：:、\n]{0,16}$")
_COMMON_YEAR = 2001
_KINDRED, _LEAST = 0.35, 2
"""Share of the rest of a clause that must stand in the provision; characters from which on there is a rest."""


@dataclass(frozen=True, slots=True)
class FilledSlot:
    """What fills one slot."""

    kind: tuple[object, ...]
    """Only what fills slots of one kind is compared."""
    key: Key
    """What it is, in a form of its own; empty of what says too little to be compared."""
    words: str
    satisfies: Key = frozenset()
    """All that it stands for, where that is more (县级以上)."""


def steps(words: str) -> frozenset[int]:
    """Return the steps of a procedure that some words name."""
    return frozenset(n for m in STEP.finditer(words) for n in range(len(_STEPS)) if m[f"s{n}"])


def _number(words: str) -> int | None:
    return int(words) if words.isdecimal() else parse_number(words)


def _rhythms(text: str) -> Iterator[FilledSlot]:
    for m in _TIMES.finditer(text):
        yield FilledSlot(("times",), frozenset((_number(m["n"]),)), m[0])
    for m in _EVERY.finditer(text):
        times = (*(_number(n) for n in re.split("[-—–~～至到]", m["times"] or "") if n), (m["unit"] or "一次")[0])
        yield FilledSlot(("rhythm",), frozenset((times,)), m[0])


def _days(text: str) -> Iterator[FilledSlot]:
    for m in _BY_DAY.finditer(_AT_LAST.sub(r"\1前", text)):
        month = _number(m["month"][:-1]) or m["month"]
        day = _number(m["day"][:-1])
        day = None if isinstance(month, int) and day == monthrange(_COMMON_YEAR, month)[1] else day
        yield FilledSlot(("day", type(month)), frozenset(((month, day or "底"),)), m[0])
    for m in _DATE.finditer(text):
        date = m["day"].replace(" ", "")
        yield FilledSlot(("date", m["side"][-1], m["what"]), frozenset((date,)), m[0])


def _bounds(text: str) -> Iterator[FilledSlot]:
    for low, high, words in ranges(text):
        yield FilledSlot(("range", low[1]), frozenset(((low, high),)), words)
    for same, side, words in sided(text):
        yield FilledSlot(("side", same), frozenset((side,) if side else ()), words)


def _levels(text: str) -> Iterator[FilledSlot]:
    for m in _RELATIVE.finditer(text):
        yield FilledSlot(("relative",), frozenset((m.lastgroup,)), m[0])
    for m in _RANK.finditer(text):
        rank = int((m.lastgroup or "r0")[1:])
        more = range(rank, len(_RANKS)) if text.startswith("以上", m.end()) else ()
        yield FilledSlot(("rank",), frozenset((rank,)), m[0], frozenset((rank, *more)))


def _grades(text: str) -> Iterator[FilledSlot]:
    for m in _GRADE.finditer(text):
        grade = m["grade"].replace("特别重大", "特大")
        below = _GRADES[: _GRADES.index(grade)] if re.match("[^，。；]{0,6}以下", text[m.end() :]) else ()
        yield FilledSlot(("grade",), frozenset((grade,)), m[0], frozenset((grade, *below)))
    for m in _CLASS.finditer(text):
        yield FilledSlot(("class", m["of"]), frozenset((m["class"],)), m[0])


def _starts(text: str) -> Iterator[FilledSlot]:
    """Yield the step from which each term counts; of a text that says itself which day an event is only what it says."""
    for value in quantities(text):
        if value.kind == "time" and (m := _ANCHOR.search(text[: value.span.start])):
            words = m[0] + value.span.of(text)
            counts = _COUNTS.search(words) or STEP.search(_NUMERAL.sub("", words)[-2:])
            yield FilledSlot(("term", value.same), steps(m[0]) if counts else frozenset(), words, steps(m[0]))
    for m in _FROM.finditer(text):
        yield FilledSlot(("from",), steps(m[0]), m[0])
    for m in _DATED.finditer(text):
        if event := steps(m["event"]):
            yield FilledSlot(("dated",), event, m["event"])


_TURN = re.compile("(?P<before>前|提前)|(?P<after>后的?|起)")
_TURNED = re.compile("(?:以|之)?(?:(?P<before>前)|(?P<after>后))(?!款)")
_STEP_TURN = re.compile(rf"{STEP.pattern}[^，。；、]{{0,2}}?{_TURNED.pattern}")


def _turns(text: str) -> Iterator[FilledSlot]:
    """Yield on which side of an event each term runs (期满前二个月, 提前十日), and on which side of a step a thing is done."""
    for value in quantities(text):
        ahead = re.search(f"(?:{_TURN.pattern})$", text[: value.span.start])
        if value.kind == "time" and (m := _TURNED.match(text, value.span.end) or ahead):
            yield FilledSlot(
                ("turn", value.same), frozenset((m.lastgroup,)), text[min(m.start(), value.span.start) : value.span.end]
            )
    for m in _STEP_TURN.finditer(text):
        for step in steps(m[0]):
            yield FilledSlot(("turn", step), frozenset((m.lastgroup,)), m[0])


_MAY = "(?<![许认])可以?(?![能证])"
_PENALTY = re.compile(
    f"(?P<may>{_MAY}[^，。；]{{0,4}})?(?P<must>(?:应当?|必须|须|一律)?并?(?=处)|应当?|必须|须|一律|并)?(?:处?(?P<act>吊销|没收|暂扣)|处以?|罚款?)"
)
"""A penalty with its force: who writes 处 as the law does says that it is imposed, who writes 罚 only how much."""


def _penalties(text: str) -> Iterator[FilledSlot]:
    """Yield whether each penalty, known by its amounts or its act, must or may be imposed."""
    for m in _PENALTY.finditer(text):
        clause = m[0] + _CLAUSES.split(text[m.end() :])[0]
        what = m["act"] or frozenset(v.same for v in quantities(clause) if v.kind in ("money", "share"))
        what = what or (
            "罚款" in clause and not re.search(r"[\d一二三四五六七八九十]倍", clause) and "罚款"
        )  # its amount stands elsewhere
        may = "may" if m["may"] else "must"
        too = "may" if re.search(f"{_MAY}[^。；]{{2,40}}，$", text[: m.start()]) else may  # 可以责令停产，并处…
        if what:
            stated = m["may"] or m["must"] is not None
            yield FilledSlot(("penalty", what), frozenset((may, too) if stated else ()), clause, frozenset((may, too)))


_FINDERS: tuple[Callable[[str], Iterator[FilledSlot]], ...] = (
    _rhythms,
    _days,
    _bounds,
    _levels,
    _grades,
    _starts,
    _turns,
    _penalties,
)


def filled(text: str) -> list[FilledSlot]:
    """Return what fills the slots of a text, kind by kind."""
    return [slot for find in _FINDERS for slot in find(text)]


def other_slot(saying: str, place: str) -> WordingChange | None:
    """Return what fills a slot of a saying of which the provision has others of its kind and not this one."""
    held, whole = filled(place), keyed(place)
    for clause in _CLAUSES.split(saying):
        for said in filled(clause) if held else ():
            there = [h for h in held if h.kind == said.kind and (h.key or said.kind != ("from",))]
            known: set[object] = set().union(*(h.satisfies or h.key for h in there))
            rest = keyed(clause.replace(said.words, "", 1))
            if (
                said.key
                and there
                and all(h.satisfies or h.key for h in there)
                and not said.key & known
                and (len(rest.key) <= _LEAST or whole.covers(rest) >= _KINDRED or isinstance(said.kind[-1], frozenset))
                and not (said.kind[0] in ("term", "from") and _SAYS_ITSELF.search(place))
            ):
                near = [n for n in filled("\n".join(nearest(clause, place))) if n.kind == said.kind]
                return WordingChange(said.words, (near or there)[0].words)
        if (found := _apart(filled(clause), place)) is not None:
            return found
    return None


def _apart(said: list[FilledSlot], place: str) -> WordingChange | None:
    """Return a grade or class that a clause tells together with another where no passage has both (Ⅲ类…属于重大事故)."""
    for one, other in permutations((s for s in said if s.kind[0] in ("grade", "class")), 2):
        rows = [filled(passage) for passage in passages(place)]
        rows = [row for row in rows if any(s.kind == one.kind and s.key == one.key for s in row)]
        there = [s for row in rows for s in row if s.kind == other.kind]
        if one.kind != other.kind and there and not any(s.key == other.key for s in there):
            return WordingChange(other.words, there[0].words)
    return None
