"""What a memo tells otherwise than the provision it retells, kind by kind (比对项).

Each comparer looks for one kind of thing in both texts and returns the first that parts them; ``COMPARERS`` is all of
them in their order. Each needs words of the provision on both sides of what it compares, so that a free retelling is left
alone.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from nemo.audit.comparison.alignment import UNNEEDED, content, cover, nearest, passages, support, told_in
from nemo.audit.comparison.bodies import SUFFIX, renamed
from nemo.audit.comparison.crossed import crossed
from nemo.audit.comparison.duties import borne_out, other_body
from nemo.audit.comparison.rules_told import other_bound
from nemo.audit.comparison.slots import STEP, other_slot, steps
from nemo.audit.comparison.stance import BOUND, FORCE, OWN, turned_act
from nemo.audit.comparison.statements import turned
from nemo.audit.comparison.wording import WordingChange, not_abridged
from nemo.audit.keyed import keyed, speaks_of
from nemo.rules import load
from nemo.settings import Settings

Comparer = Callable[[str, str], WordingChange | None]
"""Takes the memo's words and the provision they are said to retell."""
_SENTENCES, _CLAUSES = re.compile("[。；;\n]"), re.compile("[，,。；;：:\n]")

# --- times: how often, by which day, from which event on

_TERM_ENDS = re.compile("届满|期满|到期")
"""No step of its own: any term has an end."""
_FULL_DAY = re.compile(r"(?:19|20)\d{2} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日")
_BESIDE = 2
"""Characters on either side by which what is denied is known; that two days from which a term counts have in common."""


def _full_days(text: str) -> set[str]:
    return {m[0].replace(" ", "") for m in _FULL_DAY.finditer(text)}


def of_its_day(saying: str, place: str) -> str:
    """Return the sentences of a provision that speak of the day of a saying, where others speak of other days."""
    days = _full_days(saying)
    parts = [s for s in re.split("(?<=[。；;\n])", place) if days & _full_days(s)]
    return "".join(parts) if parts and len(_full_days(place)) > len(days) else place


# --- levels of government, and how many are meant

_STAGE = re.compile(
    r"(?P<stage>(?:逾期|拒不|情节(?:特别)?严重|(?<!可能)造成|经[^，。；]{2,10}后?仍)[^，。；]{0,16}的?)[，,](?P<then>[^。；;\n]+)"
)
_STAGED = re.compile("逾期|拒|仍|[不未没][^，。；]{0,4}改|不听|严重|后果|造成|限期|再次|又[不未没]|[不未没]按期")
_TELLS, _SURELY, _WHOLLY = 3, 0.8, 0.88
"""Words from which on a saying tells a rule; shares of them that make a passage the one it retells, and the only one."""


_SANCTION = re.compile("罚款|吊销|停产停业|停业整[顿治]|停产整[顿治]|关闭|没收|撤职")


_FURTHER = re.compile(r"(?P<stage>经[^，。；]{2,40}仍[^，。；]{0,12}的)[，,](?P<then>[^。；;\n]+)")
_LEAVE = re.compile(
    rf"(?<![未非])(?P<stage>(?:报请?|提请|经)(?![营济常])[^，。；]{{0,30}}?{SUFFIX}[^，。；]{{0,6}}?(?:批准|同意|核准))后?[，,](?P<then>[^，。；;\n]+)"
)
_GATES = (
    (_STAGE, _STAGED),
    (_FURTHER, re.compile("(?<!曾)经(?![营济常])|仍|催|再次|屡")),
    (_LEAVE, re.compile("批|同意|核准|许可|[报经](?![营济常告])|审[查核定]|申请|提请|[征取]得|决定")),
)
"""What a provision waits for before it makes something of a case, each with the words that tell of it: that somebody goes on
(逾期不改正的), that a demand was in vain (经催交仍不支付的), the leave of another body (报甲批准)."""


def _unconditional(saying: str, place: str) -> WordingChange | None:
    """Return what a saying makes of a case at once where the provision waits for more (逾期不改正的，处…罚款)."""
    for gate, tells in _GATES:
        free = gate.sub("", place)
        bare = [s for s in _SENTENCES.split(saying) if not tells.search(s) and len(content(s)) >= _TELLS]
        for said, stage in ((s, stage) for s in bare for stage in gate.finditer(place)):
            then = content(stage["then"])
            marks = [m[0] for m in _SANCTION.finditer(stage["then"]) if m[0] not in free]
            mark = next((w for w in marks if w in said), None)
            if gate is not _STAGE and not mark and cover(then, free) < _SURELY and cover(then, said) >= _WHOLLY:
                mark = stage["then"]
            other = re.search("或者?[^，。；]{0,12}$", place[: stage.start()])  # 不复垦，或者经整改仍不合格的
            told = other or (stage[0].startswith("造成") and cover(content(stage["stage"]), said) >= _ALIKE)
            if mark and not told and any(stage["then"] in p for p in nearest(said, place.replace("；", "，"))):
                return WordingChange(mark, f"{stage['stage']}，{stage['then']}")
    return None


_ENOUGH = re.compile("即可|可以?(?=[^，。；可]{1,10}或)|(?:应当?|必?须|需)(?=经[^，。；]{1,40}(?:批准|同意|核准|许可))")
"""What is enough is no choice (提前申请即可), one of two ways neither (可自行或委托), what takes leave no duty (延长须经批准, of 经批准，可以延长)."""
_BY_LEAVE = re.compile("经[^，。；]{1,40}(?:批准|同意|核准|许可)[，,后]{0,2}可以?")
"""经同意可以延长 is what 需要延长的，应当经同意 says."""
_FREED = re.compile("((?:应当?|可以?|必须)[^，。；]{0,12}?)免[除予于征收]")
"""To set free is what must or may be done there (可以减轻或者免除), and says nothing of whether."""
_MAY = re.compile("^(?:可以?|有权)(?=..)")


_UNLIKE = (
    ("duty", "permit"), ("permit", "duty"), ("exempt", "duty"), ("exempt", "forbid"), ("exempt", "permit"), ("deny", "exempt"),
)  # fmt: skip
"""Forces of a saying and of the provision that are two rules."""


def _choice(saying: str, place: str) -> WordingChange | None:
    """Return a duty that a saying makes of what the passage it retells only allows, or the other way round."""
    near, own = ("\n".join(nearest(saying, place)), content(saying))
    for clause in _CLAUSES.split(saying):
        bare = _MAY.sub("", clause, count=1)
        if (
            bare != clause
            and len(bare) >= _SHORT
            and any(keyed(bare).key == keyed(c).key for c in _CLAUSES.split(near))
        ):
            before = _SENTENCES.split(near[: near.find(bare)])[-1]
            if not FORCE.search(before):
                return WordingChange(clause, bare)
    if len(own) < _TELLS or cover(own, near) < _SURELY or OWN.search(saying) or _BY_LEAVE.search(saying):
        return None
    items = (p if not FORCE.search(p.split("：")[-1]) else p.split("：")[-1] for p in nearest(saying, place))
    texts = (_FREED.sub(r"\1", text) for text in (_ENOUGH.sub("", saying), "\n".join(items)))
    texts = (_IN_CASE.sub("", text) for text in texts)
    mine, theirs = ({m.lastgroup: m[0] for m in FORCE.finditer(BOUND.sub("", text))} for text in texts)
    for one, other in _UNLIKE:
        told_so = any(
            one in {m.lastgroup for m in FORCE.finditer("\n".join(nearest(c, place)))}
            for c in _CLAUSES.split(saying)
            if mine.get(one, "\0") in c
        )
        if (
            (not told_so or (one == "exempt" and "可" not in saying))
            and mine.keys() == {one}
            and (
                theirs.keys() == {other} or (one == "exempt" and theirs.keys() == {one, other} == {"exempt", "permit"})
            )
            and (other != "forbid" or mine[one].startswith("可"))
            and (one != "deny" or theirs[other].startswith("可"))
        ):
            return WordingChange(mine[one], theirs[other])
    return None


# --- negation, opposites, consequence

_NOT = re.compile("不予|不得|不再|不需|不能|不可|不应|不|未经|未|无需|无须|免予|免于|非")
_ALIKE, _CLOSE, _SHORT = 0.5, 0.15, 4
_IN_CASE = re.compile("[^,，。；;：:\n]{1,80}的(?=[,，])")
"""A case: what it denies is no rule (未经验收的，…)."""


_NOT_THIS = re.compile("(?<![是除并无若莫])非(?![法常])(?P<what>(?:(?!的)[\u4e00-\u9fa5]){3,4})")


@lru_cache(maxsize=1)
def _each() -> list[list[re.Pattern[str]]]:
    """Return the opposites (对立词) of the rule data, each with its sides."""
    entries = load(Settings().rules).opposites
    return [[re.compile(side) for side in words.split()] for entry in entries for words in entry.words]


def _contrast(saying: str, place: str) -> WordingChange | None:
    """Return a word for which a provision has its opposite, in a clause that otherwise is the provision's."""
    for words in _each():
        for match, word in ((found, each) for each in words for found in each.finditer(saying)):
            others = [other for other in words if other is not word]
            clauses = [c for c in _CLAUSES.split(place) if any(o.search(c) for o in others) or word.search(c)]
            start, end = _clause(saying, *match.span())
            rest = keyed(saying[start : match.start()] + saying[match.end() : end])
            both = all(w.search(saying[start:end]) for w in words) and all(w.search(place) for w in words)
            both = both or (saying[start:end].endswith("的") and word.search(place) is not None)  # a case it names
            if (
                both
                or not clauses
                or len(rest.key) < _SHORT
                or any(w in place for w in _with_neighbours(saying, match))
            ):
                continue
            scored = {c: keyed(c).covers(rest) for c in clauses}
            best = max(scored, key=lambda c: scored[c])
            whole = best if word.search(place) else next(s for s in _SENTENCES.split(place) if best in s)
            known = any(word.search(c) and scored[c] >= scored[best] - _CLOSE for c in clauses)
            held = next((found for o in others if (found := o.search(best))), None)
            if (
                _NOT.match(match[0]) and not (held and _NOT.match(held[0])) and _NOT.search(best)
            ):  # 不收取, of 不得向用户收取
                continue
            if held and not known and speaks_of(whole, whole, rest, _ALIKE):
                return WordingChange(match[0], held[0])
    return None


def _with_neighbours(text: str, match: re.Match[str]) -> list[str]:
    """Return a word with the two characters in front of it, and with those behind it."""
    sides = text[max(0, match.start() - _BESIDE) : match.end()], text[match.start() : match.end() + _BESIDE]
    told = (side for side in sides if not FORCE.match(side))  # 应当征得 tells nothing of from whom
    return [side for side in told if len(side) == len(match[0]) + _BESIDE and not _CLAUSES.search(side)]


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    ends = [m.start() for m in _CLAUSES.finditer(text)]
    return max((e + 1 for e in ends if e < start), default=0), min((e for e in ends if e >= end), default=len(text))


def opposed(saying: str, place: str) -> list[str]:
    """Return the words of a saying of which a provision has only an opposite (重伤, of 死亡), whatever clause has it."""
    sides = [(word, [o for o in words if o is not word]) for words in _each() for word in words]
    found = ((word.search(saying), word, others) for word, others in sides if not word.search(place))
    return [
        m[0]
        for m, _, others in found
        if m
        and not UNNEEDED.search(saying[: m.start()])
        and any(o.search(place) for o in others)
        and not any(o.search(saying) for o in others)
    ]


def unheard(saying: str, place: str) -> list[str]:
    """Return the steps and sanctions of a saying of which no word of the same kind stands in a provision."""
    there = steps(place)
    told = (m[0] for m in STEP.finditer(saying) if not steps(m[0]) & there and not _TERM_ENDS.match(m[0]))
    taken = [word for word in told if support(word, place) < 1]
    return [*taken, *(m[0] for m in _SANCTION.finditer(saying) if m[0] not in place)]


_DEGREE = re.compile(
    "([\u4e00-\u9fa5]{2})((?:特别)?(?:重大|严重|较大)|故意|明显)(?!事故|隐患|危险源)([\u4e00-\u9fa5]{2})"
)

_ON_SIDE = re.compile("([\u4e00-\u9fa5]{2})(?<![元倍米年月日天千万百十亿吨度瓦伏时顷亩里级人])(以[上下内外])")
_OTHER_SIDE = {"以上": "以下", "以下": "以上", "以内": "以外", "以外": "以内"}


def _any_degree(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of any degree, or of the other side, where the provision names one (造成重大损害, 水位以上, 非本案调查人员)."""
    bare = [(m[1] + m[3], m[0]) for m in _DEGREE.finditer(place)]
    bare += [(m[1] + _OTHER_SIDE[m[2]], m[0]) for m in _ON_SIDE.finditer(place)]
    bare += [(m["what"], m[0]) for m in _NOT_THIS.finditer(place) if not _NOT.search(saying)]
    bare = [(said, true) for said, true in bare if said in saying and not re.search(f"(?<!非){said}", place)]
    return WordingChange(*bare[0]) if bare else None


COMPARERS: tuple[Comparer, ...] = (
    other_body, other_slot, _contrast, turned_act, _unconditional, _choice, crossed, turned, _any_degree, other_bound,
)  # fmt: skip
_OF_ALL_RULES = (other_slot, _unconditional, crossed, other_bound)
"""What sets several rules, or the whole of one, beside each other: clauses that are right by themselves count too."""
_FREELY, _ALIGNED = (other_body, turned_act, crossed), 0.7
"""What sets freely told words beside each other, not the filling of one slot or near words. Share of the words of a sentence that the passages nearest to it must bear out: what tells little of a rule contradicts none."""


def otherwise(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells otherwise than a provision, None when no comparer finds anything.

    What only passages have that tell another rule is no difference; but who crosses two rules has both. A clause that is
    one of the provision's with words left out is right by itself, and a sentence whose words the provision hardly has is
    no retelling that could be compared.
    """
    told, left = told_in(saying, place), not_abridged(saying, place)
    sure = cover(content(saying), told) >= _WHOLLY
    looks = ((look, saying if look in _OF_ALL_RULES else left) for look in COMPARERS)
    for look, words in (*looks, (turned, saying)):  # 经检测的, of 未经检测的: its clauses are right by themselves
        if look in _OF_ALL_RULES or told == place or look(words, told) is not None:
            change = look(words, told if look is other_body and sure else place)
            if change is None or change.said.strip() == change.true.strip():
                continue
            if look in _FREELY and not _aligned(change.said, saying, place):
                continue
            clause = next((c for c in _CLAUSES.split(words) if change.said in c), words)
            others = "\n".join(p for p in passages(place) if p not in told)
            turned_to = re.search(f"[向报]{re.escape(change.said)}", clause) is not None
            if look is not other_body or not (
                turned_to and borne_out(change.said, clause, others)
            ):  # of another sentence
                return change
    return None


def _aligned(said: str, saying: str, place: str) -> bool:
    """Tell whether the sentence with some words is otherwise told of the provision closely enough to be compared with it."""
    sentence, held = (renamed(t) for t in (next((s for s in _SENTENCES.split(saying) if said in s), saying), place))
    return cover(content(BOUND.sub("，", sentence)), "\n".join(nearest(sentence, held))) >= _ALIGNED
