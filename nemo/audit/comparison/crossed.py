"""Whether a memo tells of one case what the provision makes of another (错位).

A provision is taken apart into its rules (规则): of each its case (the condition, or who or what it speaks of) and what it
makes of it. A memo may tell them in any words and order, but it may not tell of the case of one what only another has:
a value, a body, an act. So a word that stands in the outcome of some rules is looked for in all that applies to the
rules whose case the memo tells; where none of them has it, and the case of those that have it is not told, the memo has
crossed two rules.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from nemo.audit.comparison.alignment import content, cover, rarity, support
from nemo.audit.comparison.bodies import GENERAL, SUFFIX, bodies, stands
from nemo.audit.comparison.slots import STEP, steps
from nemo.audit.comparison.stance import FORCE, OWN
from nemo.audit.comparison.values import amounts, within
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed, letters
from nemo.text.words.tokenise import plain_words

_SENTENCES, _PARTS, _CLAUSES = re.compile("[。\n]"), re.compile("[；;]"), re.compile("[，,：:]")
_ITEM = re.compile(r"^[ \t\u3000]*[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．]")
_NUMBER = re.compile(r"^第[^条款]{1,8}条[\s\u3000]*")
_CASE = re.compile("(?<!目)的$|(?:时|后|前|期间|情况下|情形下|范围内)$")
_LABEL = re.compile("[^，：]{4,24}：")
"""What a memo tells something of, as a case (复制一级文物：报甲批准)."""
_SETS = re.compile("^(?:因|对|经|自|在|除|但|遇有?|按照|根据)")
_OPENS = re.compile("[的时]$")
_BACK = re.compile("(?:依[照据])?前款(?![^，。；]{0,12}[以之]外)|已经")
"""A case that goes on with the rule before it."""
_CRIME = re.compile("构成犯罪的，依法追究刑事责任(?:；尚不[^，。；]{2,12}的，|(?=[；。]))")
"""What every penalty says of crimes: no rule of its own."""
_ASIDE = re.compile("[（(][^（）()]*[，,][^（）()]*[）)]")
_AS_TO = re.compile("对(?![^，。；]{6,}的$)")
"""对直接负责的主管人员 goes on with the rule before it, 对符合规划的 opens another."""
_GOES_ON = re.compile("^(?:但|逾期|拒不|情节|造成|构成|仍|其中|并)")
_ACTS = re.compile(
    rf"{FORCE.pattern}|(?<![缘理事自])由|责令|处(?=[\d一二三四五六七八九十以罚])|免|减|视为|为(?=[\d一二三四五六七八九十])"
)
_ACTING = re.compile("并|但|可|应|处|责令|给予|没收|支付|最|其|不")
"""What a clause with a value opens with that speaks of nothing new."""
_OF_CASE = re.compile("[^，。；]{0,12}?的(?!罚款|处罚)")
"""Behind a value: it belongs to a case (跨河桥长不足一百米的桥梁)."""
_OR = re.compile("、|，|或者?|和|及|以及")
_BODY = re.compile(rf"^[^，]*{SUFFIX}$")
"""A case that is only who acts: a memo may leave it out, and who does what is compared by itself."""
_OPENS_IN, _LISTS, _WHOLLY = re.compile(r"的(?=视为|视同|由|应|处|可|不|\d)"), 3, 0.8
"""Behind the case of a clause; marks of a list told as one; share that makes a clause a rule."""
_TURNED_TO = re.compile("[报经向][^，。；]{1,24}$")
_STAGE = re.compile("^(?:逾期|拒不|经[^，。；]{2,20}仍|情节)|未及时")
_STAGED = re.compile("逾期|拒|仍|到期|[不未没][^，。；]{0,4}改|不听|不成|未果|无效|来不及|严重")
"""The case of a rule that goes on with the one before it; words in which a memo tells it (协商不成的)."""
_STANDS, _LEAST = 6, 4
"""Characters by which the case of a rule stands in a sentence as it is; of the shortest case that does."""
_TOLD, _SURELY, _UNTOLD, _BORNE, _TELLS, _SUBJECT = 0.6, 0.3, 0.4, 0.43, 4.0, 2
"""Shares of the words of a case that tell it, that stand as they are, and that leave it untold; share that bears a word out; rarity
of words that tell one outcome from another; characters of what a clause with a value of its own speaks of."""


@dataclass(frozen=True, slots=True)
class ProvisionRule:
    """One rule of a provision."""

    case: str
    """Its condition, or who or what it speaks of."""
    then: str
    """What it makes of it."""
    held: str
    """All that applies to it: also what its sentence or list opens with, and the case that it goes on with."""

    @property
    def words(self) -> str:
        """Its own words."""
        return "，".join(filter(None, (self.case, self.then)))


@lru_cache(maxsize=256)
def rules_of(place: str) -> tuple[ProvisionRule, ...]:
    """Return the rules of a provision in the order of its words."""
    found: list[ProvisionRule] = []
    stem = ""
    place = _CRIME.sub("", _ASIDE.sub("", _NUMBER.sub("", place)))
    for sentence in filter(None, map(str.strip, _SENTENCES.split(place))):
        stem = stem if _ITEM.match(sentence) else ""
        opening = stem
        if sentence.endswith(("：", ":")):  # all of it opens the list: 责令限期改正；逾期不改正的，处…：
            stem = sentence.rstrip("：:")
            continue
        for part in map(str.strip, _PARTS.split(sentence)):
            text = _ITEM.sub("", part)
            found += _taken_apart(text, opening, found[-1] if found else None)
            opening = opening or _subject(text)
    return tuple(found)


def _cut(clause: str) -> int:
    """Return where a clause goes on from what it speaks of to what it makes of it; 0 where it does not tell them apart."""
    act = _ACTS.search(clause)
    values = (v.span for v in amounts(clause) if not _OF_CASE.match(clause, v.span.end))
    at = min([act.start() if act else len(clause), *(span.start for span in values)])
    return at if at < len(clause) else 0


def _subject(part: str) -> str:
    """Return what a sentence opens with and goes on to speak of behind a semicolon."""
    first = _CLAUSES.split(part)[0]
    return "" if _is_case(first) else first[: _cut(first)]


def _is_case(clause: str) -> bool:
    return _CASE.search(clause) is not None or (_SETS.match(clause) is not None and not _cut(clause))


def _taken_apart(part: str, opening: str, above: ProvisionRule | None) -> Iterator[ProvisionRule]:
    """Yield the rules of a stretch without a semicolon: each case begins one, and each thing with a value of its own."""
    last = above.case if above else ""
    left = {value.same for value in amounts(above.then)} if above else set()
    case: list[str] = []
    then: list[str] = []
    before, grouped = opening, False
    clauses = list(filter(None, map(str.strip, _CLAUSES.split(part))))
    for place, clause in enumerate(clauses):
        each = bool(then and amounts(clause)) and _cut(clause) >= _SUBJECT and not _ACTING.match(clause)
        if then and (each or (_OPENS.search(clause) and not _AS_TO.match(clause))):
            yield _rule(case, then, before)
            last = ("，".join(case) or last) if not each else last if grouped else "，".join((*case, *then))
            grouped = each
            before = opening or ("" if case else then[0][: _cut(then[0])])
            case, then = [], []
        if (
            not case
            and not then
            and last
            and (each or _GOES_ON.match(clause) or left & {v.same for v in amounts(clause)})
        ):
            before = "，".join(filter(None, (opening, last)))
        opens = (
            not case or clause.startswith("或") or case[-1].startswith("违反")
        )  # 进行…工程，或者在…范围内进行…，未依照…的
        breach = case[:1] and case[0].startswith("违反") and any(c.endswith("的") for c in clauses[place:])
        if (
            not each
            and not then
            and (_is_case(clause) or breach or (opens and not _cut(clause) and not _ACTS.match(clause)))
        ):
            case.append(clause)
        else:
            then.append(clause)
    if case or then:
        yield _rule(case, then, before)


def _rule(case: Sequence[str], then: Sequence[str], before: str) -> ProvisionRule:
    if then and (cut := _cut(then[0])):
        case, then = [*case, then[0][:cut]], [then[0][cut:], *then[1:]]
    words = "，".join(case), "，".join(then)
    return ProvisionRule(*words, "，".join(filter(None, (before, *words))))


def crossed(saying: str, place: str) -> WordingChange | None:
    """Return what a saying makes of a case of which the provision makes something else; None when it crosses no rules."""
    rules, whole = rules_of(place), keyed(place).key
    for sentence in re.split("[。；;\n]", saying) if len(rules) > 1 else ():
        if OWN.search(sentence) or keyed(sentence).key in whole:
            continue
        if (found := _value(sentence, rules)) is not None:
            return found
        key = keyed(sentence).key
        others = [r for r in rules if r.held != r.case or amounts(r.case)]  # a heading tells of all
        others = [rule for rule in others if not _BODY.match(rule.case) and _untold(rule, rules, sentence)]
        others = [rule for rule in others if keyed(rule.case).key.rstrip("的")[-_STANDS:] not in key]
        near = _near(rules, others)
        others = [r for r in others if not (_BACK.match(r.case) or any(n.case and n.words in r.held for n in near))]
        goes_on = _STAGED.search(reduce(lambda words, rule: words.replace(rule.case or "\0", ""), near, sentence))
        others = [r for r in others if not (goes_on and _STAGE.search(r.case))]
        if not (strange := _strange(sentence, near, others) if others else ""):
            continue
        clause = next((c for c in _CLAUSES.split(sentence) if strange in c), sentence)
        cased = _LABEL.match(sentence) or any(_is_case(c) for c in _CLAUSES.split(sentence) if c.strip())
        own = _OPENS_IN.search(clause) or (not cased and len(content(clause)) >= _LISTS)
        if clause.count("、") >= _LISTS or (own and _whole(clause, others)):
            continue
        before = sentence[: sentence.find(clause) + len(clause)]  # a case stands in front of what is made of it
        told = [rule for rule in near if not _BODY.match(rule.case) and _told(rule, rules, before)]
        if told:
            likest = max(told, key=lambda rule: cover(content(sentence), rule.held))
            if STEP.fullmatch(strange) and not STEP.search(likest.then):  # a step is set against another one
                continue
            return WordingChange(clause.strip(), likest.words)
    return None


def _near(rules: Sequence[ProvisionRule], others: Sequence[ProvisionRule]) -> list[ProvisionRule]:
    """Return the rules whose case a sentence may tell, without those of a body that go on with another rule."""
    found: list[ProvisionRule] = []
    apart = False
    for rule in rules:
        if rule in others or not _BODY.match(rule.case):
            apart = rule in others
        if not apart:
            found.append(rule)
    return found


def _whole(clause: str, rules: Sequence[ProvisionRule]) -> bool:
    """Tell whether a clause that has a case of its own is one of the rules, case and outcome."""
    return any(cover(content(clause), rule.words) >= _WHOLLY for rule in rules)


def _own(rule: ProvisionRule, rules: Sequence[ProvisionRule]) -> list[tuple[str, ...]]:
    """Return the words that only the case of a rule has, of each of several cases; signs of it where it has no such word."""
    others = "\n".join([rule.then, *(other.words for other in rules if other is not rule)])
    own = [tuple(w for w in plain_words(case) if len(w) > 1 and w not in others) for case in _OR.split(rule.case)]
    return [words for words in own if words] or [(sign,) for sign in sorted(letters(rule.case) - letters(others))]


def _bounds(rule: ProvisionRule) -> set[tuple[float, str]]:
    return {value.same for value in amounts(rule.case)}


def _told(rule: ProvisionRule, rules: Sequence[ProvisionRule], words: str) -> bool:
    """Tell whether words tell the case of a rule, and surely of this rule."""
    bounds = _bounds(rule)
    if bounds and all(bounds != _bounds(other) for other in rules if other is not rule):
        return bounds <= {value.same for value in amounts(words)}
    stand = ((case, [w for w in case if w in words]) for case in _own(rule, rules))
    return any(here and cover(case, words) >= _TOLD and rarity(here) >= _SURELY * rarity(case) for case, here in stand)


def _untold(rule: ProvisionRule, rules: Sequence[ProvisionRule], words: str) -> bool:
    """Tell whether words tell nothing of the case of a rule that has a case of its own."""
    own = _own(rule, rules)
    return bool(own) and all(cover(case, words) < (_UNTOLD if any(w in words for w in case) else _TOLD) for case in own)


def _value(sentence: str, rules: Sequence[ProvisionRule]) -> WordingChange | None:
    """Return a value that a sentence gives to the case it tells last, and that only other rules have."""
    start = 0
    for value in amounts(sentence):
        before = sentence[start : value.span.start]
        if _OF_CASE.match(sentence, value.span.end):
            continue
        start = value.span.end
        alike = [rule for rule in rules if any(v.kind == value.kind for v in amounts(rule.then))]
        having = [rule for rule in alike if value.same in {v.same for v in amounts(rule.words)}]
        told = [rule for rule in alike if _told(rule, alike, before)]
        if value.kind in ("count", "number") or not having or not told:
            continue
        own = max(reversed(told), key=lambda rule: len(amounts(rule.case)))  # 一年以上不满三年, no 三年以上
        told_all = content(sentence)
        goes_on = any(own.case.split("，")[0] in rule.held for rule in having)  # 上游五百米，下游三千米
        goes_on = goes_on or any(cover(told_all, rule.held) > cover(told_all, own.held) for rule in having)
        if not goes_on and not within(own.then, value, sentence):
            return WordingChange(sentence.strip(), own.words)
    return None


def _strange(sentence: str, near: Sequence[ProvisionRule], others: Sequence[ProvisionRule]) -> str:
    """Return the value, body or step of a sentence that only rules have of which it does not tell the case; a word where it
    tells the case of another in the words of the law; empty without one.
    """
    held, elsewhere = "\n".join(r.held for r in near), "\n".join(r.words for r in others)
    here, there = {v.same for v in amounts(held)}, {v.same for v in amounts(elsewhere)}
    for value in amounts(sentence):
        if (
            value.kind != "count"
            and value.same in there
            and value.same not in here
            and not within(held, value, sentence)
        ):
            return value.span.of(sentence)
    for body, _ in bodies(sentence):
        if not GENERAL.match(body) and stands(body, elsewhere) and not stands(body, held):
            return body
    outcome = "，".join(c for c in _CLAUSES.split(sentence) if not _CASE.search(c))
    steps_taken = (m[0] for m in STEP.finditer(outcome) if _TURNED_TO.search(outcome[: m.start()]))
    step = next(
        (w for w in steps_taken if w in elsewhere and not steps(w) & steps(held)), ""
    )  # 报甲备案, of what 报甲批准
    key, cases = keyed(sentence).key, (keyed(rule.case).key.rstrip("的") for rule in near)
    if step or not any(len(case) >= _LEAST and case in key for case in cases):
        return step
    words = [w for w in content(outcome) if len(w) > 1 and w in elsewhere and support(w, held) < _BORNE]
    return max(words, key=len) if rarity(words) >= _TELLS else ""
