"""Whether a memo turns what a provision makes of an act: whether it must, may, may not, need not be done (情态).

A retelling need not use the words of the law. So each clause of the memo is set beside the clause of the provision that
speaks of the same act, known by its characters, and only what stands before the act is compared: the modal verb, or the
negation where there is none. What speaks of the memo's own project is the memo's conclusion.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nemo.audit.comparison.alignment import content, cover
from nemo.audit.comparison.bodies import GENERAL, SUFFIX
from nemo.audit.comparison.scope import EXCEPTIONS
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed, letters, share, topic
from nemo.text.words.quantities import quantities

BOUND = re.compile(
    r"(?:不(?:得|应|能|可|宜)?|未|低|少|超)(?:少于|超过|高于|低于|多于|大于|小于|早于|晚于|迟于|短于|长于|超出|满|足)"
)
_FORCES = {
    "exempt": r"不(?=(?:承担|负责|支付|缴纳|缴|办理|履行)(?![^，。；]{0,8}的(?:[，罚处税]|$)))|无需|无须|毋须|毋需|不必|不用(?=[\u4e00-\u9fa5]{2})(?!于|地|水|电|能|海|作|户)|不需要?|可以?不(?!能)|免于|免予|免(?:[征收缴纳交税除]|(?=[^，。；费疫]{1,6}[税费]))|豁免",
    "forbid": r"不得|(?<![当应以可])不予|不可以?(?!抗|移动|再生|分割|逆|预见|避免|撤销)|不能(?!的|够?按)|不[准许]|不允许|严?禁(?!止(?:[类性]|范围|(?:开采|开发|建设|养殖|开垦|准入)区))止?|不应当?",
    "duty": r"应当|必须|(?<![供相响对反适])应(?![急用对付力收税答邀])|(?<!无)须(?!知)|(?<![不无确必急所亟供刚])需要?(?=[经报向由取申办按])|(?<![主重必需首概摘纲只就不简扼])要(?![求素点件害闻道么是约塞览职略旨])|有义务|有责任",
    "permit": r"不在[^，。；]{0,2}禁止之列|不属于?禁止|有(?=[^，。；]{2,12}的权利)|(?<![许认尚方才后])可以?(?![能再行靠持研供见控])|(?<!所)有权(?!人)|允许|准许|(?<!不)鼓励|提倡",
    "deny": r"(?<![除])(?:不再|不(?=[计纳列予进改视适属作参公接按给收受开算核颁发支补赔退返认购调])|未(?=[计纳列]))|拒绝|拒不(?![^，。；]{0,12}的)|(?:自动|即行|当即)(?:暂停|停止|取消)",
}
FORCE = re.compile("|".join(f"(?P<{name}>{words})" for name, words in _FORCES.items()))
_CARRIED = frozenset(("duty", "permit", "forbid"))
_FREE = frozenset(("says", "leads"))
_NEGATIVE = frozenset(("exempt", "forbid", "deny"))
OWN = re.compile(
    r"(?:本|该|此)(?:项目|工程|公司|合同|次|案|所)|贵|我[们司方公单]|你[们司方公单局]|目标公司|[甲乙丙]方|拟建"
)
_SENTENCE, _CLAUSE = re.compile(r"[^。；;\n]+"), re.compile(r"[^,，、：:()（）]+(?:、[^,，、：:()（）]+)*")
_LABEL = re.compile("^[^，。；：]{1,10}：(?=.{8})")
"""What a memo calls what it tells of (代理购电：) tells nothing of it."""
_DENIED = re.compile("[不未没无非免]")
"""A clause that denies without a word of force: nobody tells from the characters which act it denies."""
_STATES = re.compile(r"[为是][\d一二三四五六七八九十百][^，。；]{0,8}$")
"""A clause that states a value: it goes on with what was told before it."""
_RULES = re.compile("责令|(?:^|的)由[^，。；]{2,30}(?:部门|机关|机构|政府)")
"""A clause with a body of its own that orders: it does not go on with the force of the one before it."""
_SUBJECT = re.compile(rf"[^，。；的]{{0,12}}?{SUFFIX}(?=[\u4e00-\u9fa5]{{2}})")
"""A clause with a subject of its own does not go on with the force of the one before it (用户可以委托…，供电企业配合)."""
_CASE = re.compile(r"(?:(?<!目)的|时|后|前|期间|情况下|情形下)$")
_BODY = re.compile(r"(?:部门|机构|机关|单位|企业|公司|政府|委员会|国务院|局|业主|用户|组织|[者人方])(?=应|可|须|必|不)")
_VERB = re.compile(rf"^(?:{'|'.join(_FORCES.values())})(?:自行|直接|随意|擅自|再|先|仍|继续)*([\u4e00-\u9fa5]{{2}})")
_TITLE = re.compile(r"^[^，。]{0,60}?关于[^，。]{0,120}(?:通知|意见|公告|函)$")
_ITEM = re.compile(r"^\s*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]")
_WITH_LEAVE = re.compile(r"(?<![未非])经(?![停营济常过])|取得|获得|除|批准后|同意后|[只仅](?:允许|可以?|能|得)")
_APART = re.compile("除(?!外)([^。；，]{4,30}?)(?:以外|之外|外)|(?:[，；]|但是?)([^。；，除]{4,60}?)的?除外")
_WITHOUT = re.compile(r"未经|非经|未取得|未获|除[^，。；]{2,40}外|否则")
"""Whoever may do it with leave may not without: 经批准可以 is what 未经批准不得 says."""
_ENDS = re.compile("停止|终止|取消|暂停")
"""What is to be stopped is not done any more (停止征收, told as 不再征收)."""
_AT_CHOICE = re.compile("可以?(?:自[行主])?决定是否")
_FORBIDS = re.compile("(?:禁止|不得|严禁)[^，。；]{1,24}$")
"""What somebody may not allow (禁止甲允许乙) is not allowed."""
_EITHER = re.compile("可以?([^，。；可]{1,14}?)[，,]?[也亦]可以?(?!不)")
"""A choice, as 或者 is one (可以转账，也可以付现)."""
_AT_WILL = re.compile("根据需要|视情况|一项或者多项|必要时")
"""A duty that leaves to who has it whether the single thing is done."""
_LEAST, _FIRST = 4, 6
"""Characters by which an act is known."""
_ALIKE, _PLAIN, _SURELY, _CLOSE, _UNHEARD, _HALF = 0.65, 0.75, 0.8, 0.3, 0.35, 0.5
_SHORTEST, _NEAR, _ALL = 2, 0.1, 0.8


@dataclass(frozen=True, slots=True)
class _Act:
    """A clause with its force."""

    force: str
    """Key of ``_FORCES``; ``says`` of a clause that neither binds nor denies, ``leads`` where a later one of its sentence does."""
    whole: frozenset[str]
    """Characters of its sentence: the subject and the case may stand in other clauses."""
    act: frozenset[str]
    """Characters of the clause."""
    after: frozenset[str]
    """Characters behind the modal verb."""
    words: str
    sentence: str
    who: frozenset[str]
    """Characters of the clause before the modal verb."""
    listed: bool
    """An item of a list whose opening words have the force."""


def turned_act(saying: str, place: str) -> WordingChange | None:
    """Return the modal verb or negation of a saying that a provision has otherwise; None when there is none.

    Args:
        saying: The memo's words.
        place: The provision they are said to retell.
    """
    held = [act for sentence in _stated(place) for act in _acts(*sentence)]
    label = _LABEL.match(saying)
    own = [act for sentence in _stated(saying[label.end() :] if label else saying) for act in _acts(*sentence)]
    told = [act for act in own if not _as_told(act, held, keyed(place).key)]
    cases = "，".join(c for c in _CLAUSE.findall(place) if _CASE.search(c))
    for said in told:
        if (
            said.force == "leads"
            or len(said.act) < _LEAST
            or any(said.act < other.act for other in own if other.force not in _FREE)
            or (OWN.search(said.sentence) and said.force != "permit")
            or (said.force in _FREE and (_DENIED.search(said.words) or _STATES.search(said.words)))
            or (said.force == "deny" and cover(content(said.words), cases) >= _HALF)
        ):
            continue
        scored = [_scored(said, h) for h in held]
        if said.force not in _FREE:
            scored = [row for row in scored if row[3].force != "leads"]
        best = max(scored, key=_sum, default=None)
        if best is None:
            continue
        if allowed := _allowed(said, held):
            return allowed
        need = _PLAIN if _FREE & {said.force, best[3].force} else _ALIKE
        if min(best[:2]) < need:
            continue
        near = [row[3] for row in scored if _sum(row) >= _sum(best) - _CLOSE]
        most = max(share(said.whole, h.whole) for h in near)  # of several that do it the rule whose case the memo tells
        near = [h for h in near if share(said.whole, h.whole) >= most - _CLOSE]
        if said.force == "permit":  # that somebody does it allows it to nobody else
            near = [h for h in near if h.force != "says"] or near
        if all(_turns(said, h, min(best[:3]) >= _SURELY) for h in near) and not _told_too(said, best[3], own):
            return WordingChange(said.words, best[3].words)
    return _other_force(told, own, held)


def _as_told(said: _Act, held: list[_Act], whole: str) -> bool:
    """Tell whether a provision has an act with the same force: word for word, or in words that bear it out."""
    if said.force in _NEGATIVE and keyed(said.words).key in whole:
        return True
    values = {v.same for v in quantities(said.words)} if said.force == "permit" else set()
    if any(values & {v.same for v in quantities(h.sentence)} for h in held):
        return True  # 可约定至六个月, of 不得超过六个月
    most = max((share(said.whole, h.whole) for h in held), default=0.0)
    near = (h for h in held if share(said.whole, h.whole) >= most - _CLOSE and h.force not in _FREE)
    borne = [(cover(content(said.words), h.words), h.force) for h in near]
    best = max((score for score, _ in borne), default=0.0)
    return any(force == said.force and score >= max(_ALIKE, best - _NEAR) for score, force in borne)


def _other_force(told: list[_Act], own: list[_Act], held: list[_Act]) -> WordingChange | None:
    """Return an act that the acts of the provision most like it all have otherwise, whatever words they use."""
    for said in told:
        if (
            said.force in _FREE
            or len(letters(_bare(said.words))) < _SHORTEST
            or (OWN.search(said.sentence) and said.force != "permit")
        ):
            continue
        scored = [(_alike(said, h), h) for h in held if h.force != "leads"]
        best = max(scored, key=lambda pair: pair[0], default=None)
        if best is None or best[0] < (_ALL if best[1].force == "says" else _HALF):
            continue
        near = [h for score, h in scored if score >= best[0] - _NEAR]
        if all(_turns(said, h, sure=False) or _weakened(said, h) for h in near) and not _told_too(said, best[1], own):
            return WordingChange(said.words, best[1].words)
    return None


def _told_too(said: _Act, held: _Act, own: list[_Act]) -> bool:
    """Tell whether a memo tells the provision's act beside its own (原则上不收费，但…的可以收)."""
    return any(o is not said and o.force == held.force and _alike(o, held) >= _alike(said, held) for o in own)


def _bare(words: str) -> str:
    return FORCE.sub("", words)


def _alike(said: _Act, held: _Act) -> float:
    """Return how much of an act and its sentence another speaks of (0 to 1)."""
    act, sentence = topic(_bare(said.words)), topic(_bare(held.sentence))
    whole = topic(_bare(said.sentence)).within(sentence)
    return 0.5 * act.within(topic(_bare(held.words))) + 0.2 * act.within(sentence) + 0.3 * whole


def _weakened(said: _Act, held: _Act) -> bool:
    """Tell whether one may do what the other must, in the same verb (可以设立 for 应当设立相应的)."""
    verbs = [
        re.match(r"(?:依法|及时|自行|自愿|先|也|再)*([\u4e00-\u9fa5]{2})", _bare(act.words)) for act in (said, held)
    ]
    if _AT_WILL.search(held.sentence):
        return False
    stated = FORCE.match(held.words) is not None and {said.force, held.force} == {"permit", "duty"}
    return stated and all(verbs) and verbs[0][1] == verbs[1][1]  # type: ignore[index]


def tells_exception(sentence: str, rule: str) -> bool:
    """Tell whether a sentence is of something that a rule takes out (除甲、乙外; 甲、乙除外)."""
    things = (thing for apart in _APART.finditer(rule) for thing in re.split("、|或者?|和|以及", apart[1] or apart[2]))
    return any(content(thing) and cover(content(thing), sentence) >= _SURELY for thing in things)


def _allowed(said: _Act, held: list[_Act]) -> WordingChange | None:
    """Return what a memo allows a thing of which the provision only demands something else (可以外排 for 应当回收)."""
    for other in (
        h for h in held if said.force == "permit" and h.force == "forbid" and not _WITHOUT.search(h.sentence)
    ):
        verb = next((w for w in content(_bare(said.words)) if w in _bare(other.words)[:_FIRST]), None)
        told = share(letters(_bare(other.words)), said.act) >= _HALF
        free = _WITH_LEAVE.search(said.sentence) or tells_exception(said.sentence, other.sentence)
        if verb and told and share(said.whole, other.whole) >= _HALF and not free:
            return WordingChange(said.words, other.words)
    before = said.act - said.after
    if said.force != "permit" or len(before) < _LEAST - 1 or any(h.force == "permit" for h in held):
        return None
    there = [h for h in held if h.force in ("duty", "forbid") and share(before, h.act) >= _SURELY]
    unheard = all(share(said.after, h.whole) < _UNHEARD for h in held)
    return WordingChange(said.words, there[0].words) if there and unheard else None


def _scored(said: _Act, held: _Act) -> tuple[float, float, float, _Act]:
    whole = share(said.act, held.whole)
    if held.listed and len(said.after) < _LEAST:  # 应当贴花, of what stands under 免征
        return whole, whole, whole, held
    verb = _VERB.match(said.words)
    if verb and verb[1] in held.sentence and said.force != "says":  # 可以挪用于其他支出, of what 不得挪用
        return (
            max(whole, _ALIKE if whole >= _HALF else 0),
            max(_ALIKE, share(said.after, held.whole)),
            1.0 if verb[1] in held.words else 0.0,
            held,
        )
    return whole, share(said.after, held.whole), share(said.after, held.act), held


def _sum(row: tuple[float, float, float, _Act]) -> float:
    """Return how much of a clause an act of the provision speaks of."""
    return row[0] + row[1] + row[2]


def _turns(said: _Act, held: _Act, sure: bool) -> bool:
    if said.force in _FREE and held.words.startswith("拒"):  # 拒不执行 is the breach, and no rule
        return False
    if said.force in _NEGATIVE and _ENDS.search(held.words) and not _ENDS.search(said.words):
        return False
    if frozenset((said.force, held.force)) == {"permit", "duty"}:
        if "或" in said.words and "或" in held.words:  # 可自行或委托, of 应当自行或者委托
            return False
        acting = _BODY.search(said.sentence) is not None and share(said.who, held.whole) >= _SURELY
        stated = all(act.listed or FORCE.search(act.words) for act in (said, held))  # not carried over from a clause
        return bool(sure and stated and (acting or not said.who))
    if held.force == "permit" and re.match("(?:应当?|必?须|需)经", said.words):  # 延长须经批准, of 经批准，可以延长
        return False
    if tells_exception(said.sentence, held.sentence):  # 不得分包主体部分, of what 除主体部分外可以分包
        return False
    outside = (
        re.search("以外|之外", said.words) and held.force == "forbid"
    )  # 须在一百米以外, of what is forbidden within
    if outside or (said.force in _NEGATIVE) is (held.force in _NEGATIVE):
        return False
    with_leave = (
        _WITH_LEAVE.search(a.sentence) and _WITHOUT.search(b.sentence) for a, b in ((said, held), (held, said))
    )
    return not any(with_leave)


def _carries(force: str | None, clause: str) -> bool:
    """Tell whether the force of a clause is that of the next too: a leave is only where the sentence says so (并, 也)."""
    return force in _CARRIED and (force != "permit" or re.match("[并或也且]", clause) is not None)


def _stated(text: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a text, the items of a list each with the words the list opens with."""
    stem = ""
    for match in _SENTENCE.finditer(text):
        words = match[0].strip()
        if stem and _ITEM.match(words):
            yield _ITEM.sub("", words), "" if EXCEPTIONS.search(stem) else stem
            continue
        above = f"{stem}，" if stem and not FORCE.search(words) else ""
        stem = above + words.rstrip("：:") if words.endswith(("：", ":")) else ""
        if words and not _TITLE.match(words):
            yield words, ""


def _choice(match: re.Match[str]) -> str:
    """Return what a sentence leaves the choice of, where its duty is told in front of it."""
    duty = any(m.lastgroup == "duty" for m in FORCE.finditer(match.string, 0, match.start()))
    return f"{match[1]}或者" if duty else match[0]


def _acts(sentence: str, stem: str = "") -> Iterator[_Act]:
    """Yield the clauses of a sentence; one without a force of its own goes on with that of the clause before it."""
    free = OWN.sub("", BOUND.sub("", _AT_CHOICE.sub("可以", _EITHER.sub(_choice, sentence))))
    opens = [m.lastgroup for m in FORCE.finditer(stem)]
    whole, bound = letters(stem + free), bool(FORCE.search(free))
    force = opens[-1] if opens else None
    for clause in map(str.strip, _CLAUSE.findall(free)):
        if clause.endswith("除外") or (_CASE.search(clause) and not stem):
            continue
        found = [
            m for m in FORCE.finditer(clause) if m.lastgroup != "permit" or not _FORBIDS.search(clause[: m.start()])
        ]
        own = letters(FORCE.sub("", clause))
        act = (own | letters(stem)) if opens else own if len(own) >= _LEAST else whole
        for n, match in enumerate(found):
            end = found[n + 1].start() if n + 1 < len(found) else len(clause)
            force = match.lastgroup if match[0] != "不能" else "says"
            after = letters(clause[match.end() : end]) or act
            yield _Act(
                match.lastgroup or "",
                whole,
                act,
                after,
                clause[match.start() : end].strip(),
                stem + sentence,
                frozenset() if GENERAL.match(clause[: match.start()]) else letters(clause[: match.start()]),
                bool(opens),
            )
        if not found and len(own) >= _LEAST:
            goes_on = opens or (_carries(force, clause) and not _RULES.search(clause) and not _SUBJECT.match(clause))
            carried = force if goes_on else "leads" if bound else "says"
            yield _Act(carried or "says", whole, act, act, clause, stem + sentence, frozenset(), bool(opens))
