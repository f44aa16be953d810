"""Whether a memo turns who must do something, or the side of a bound (主体与界限).

A retelling need not use the words of the law. So a clause is set beside the clause of the provision that speaks of the
same thing, and only the body that acts (由价格主管部门) and the side of a bound (不得少于, 不得超过) are compared. What speaks of the memo's own project (本项目, 贵司) is the memo's conclusion.
"""

import re

from nemo.audit.comparison.alignment import content, cover, nearest, passages
from nemo.audit.comparison.bodies import GENERAL, NOT_OF_NAME, SUFFIX, bodies, core, same_body, stands
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed, letters, share

_ASIDE = re.compile(r"[（(][^（）()]{1,20}[）)]")
"""What stands in brackets behind a body (业主（项目法人）)."""
_NO_BODY = re.compile("^被|要|送达|通知|告知|收到|没有?|[日天月年]内|不")
"""No name of a body has these: a clause was read as one."""
_RUN = re.compile(r"(?<![缘理事自经])由([\u4e00-\u9fa5\d（）、]{4,26})")
_MANNER = re.compile(r"^(?:自行|单独|统一|直接|依法|组织|负责|共同|全部|全额|另行|按照?规定|在[^，。；]{2,12}?内)+")
_ACTING = re.compile(r"由([^，。；由]{2,24})$")
_ANY_BODY = re.compile(rf"([^，。；的]{{0,20}}{SUFFIX})")
_ASKS = re.compile(
    rf"(?:申请|提请|报请|委托|责令|邀请|服从)([^，。；]{{2,24}}?{SUFFIX})(?:的|统一|组织|负责|进行){{0,3}}$"
)
_LONGEST, _ABOUT, _SHADE, _WHOLLY = 9, 0.5, 0.15, 0.8
"""Characters of a body that no ending names (财政); shares by which words are known, are as near as others, are borne out."""
_BESIDES = re.compile(r"(?<![缘理事自经])由([^，。；由]{2,10}?)(?:协商|共同|自行|自主)")
_RELATIVE = re.compile("^(?:本级|同级|上一?级|下一?级|所在地|当地)(?![省市县])")
"""A body that is named by another one: no name can be set against it."""
_TURNED_TO = frozenset("向报问")


def other_body(saying: str, place: str) -> WordingChange | None:
    """Return the body that a saying lets act where the provision names another; None when there is none.

    Compared is only with the passages that speak of what the sentence tells: a body may do one thing and another the next.
    """
    whole = keyed(place).key
    for sentence in re.split("[。；;\n]", _ASIDE.sub("", saying)):
        if not sentence or keyed(sentence).key in whole:
            continue
        near = nearest(sentence, place)
        if (stranger := _stranger(_of_its_own(sentence, keyed("\n".join(near)).key), near)) is not None:
            return stranger
        for said, role in bodies(sentence):
            clause = next((c for c in re.split("[，,]", sentence) if said in c), sentence)
            if OWN.search(clause) or keyed(clause).key in whole or cover(content(sentence), "\n".join(near)) < _ABOUT:
                continue
            held = _instead(said, role, _told_by(sentence, clause, said, place))
            if held is not None and not borne_out(said, clause, place):
                return WordingChange(said, held)
    return None


def borne_out(said: str, clause: str, place: str) -> bool:
    """Tell whether one passage bears out a clause nearly whole, its body included."""
    told = content(clause)
    return any(stands(said, passage) and cover(told, passage) >= _WHOLLY for passage in passages(place))


def _told_by(sentence: str, clause: str, said: str, place: str) -> list[str]:
    """Return the passages that a sentence retells apart from a body; with those of its clause, where these know more of it."""
    near, own = (nearest(words.replace(said, "，", 1), place) for words in (sentence, clause))
    done = content(clause.replace(said, "，", 1))
    more = cover(done, "\n".join(own)) >= cover(done, "\n".join(near)) + _SHADE
    return [*near, *own] if more else near


def _instead(said: str, role: str, near: list[str]) -> str | None:
    """Return the body that has this part in the passages, where none of them lets the body that was said act."""
    if GENERAL.match(said) or _NO_BODY.search(said) or any(stands(said, passage) for passage in near):
        return None
    there = [(body, its) for passage in near for body, its in bodies(_ASIDE.sub("", passage))]
    turned_to = role[0] in _TURNED_TO
    if role == "首":
        alike = [b for b, its in there if its in ("主", "首")]
    else:
        alike = [b for b, its in there if its == role or (its[0] == role[0] if turned_to else its[0] not in _TURNED_TO)]
    if any(same_body(said, b) for b, _ in there) or any(GENERAL.match(b) for b, _ in there):
        return None
    named = [b for b in alike if _RELATIVE.match(said) or not _RELATIVE.match(b)]
    if not named and role == "由":
        named = [m[1] for passage in near for m in _BESIDES.finditer(passage)]
    return named[0] if named else None


def _of_its_own(saying: str, whole: str) -> str:
    """Return a saying without the clauses that stand in the provision as they are."""
    parts = ((part, keyed(part).key) for part in re.split("(?<=[，,。；;：:\n])", saying))
    return "".join(part if key and key not in whole else "，" for part, key in parts)


def _stranger(saying: str, near: list[str]) -> WordingChange | None:
    """Return the body behind 由 that nothing in front of the same act names in the passages (费用由财政承担)."""
    for match in _RUN.finditer(saying):
        run, head = match[1], re.split("[,，。；;：:\n]", saying[: match.start()])[-1]
        named = re.match(rf"(?:(?!{NOT_OF_NAME}).)*{SUFFIX}", run)
        for size in [named.end()] if named else range(2, min(_LONGEST, len(run) - 1)):
            body, done = run[:size], _MANNER.sub("", run[size:]) or run[size:]
            act = done[:2]
            acting = [c[: m.start()] for c in near for m in re.finditer(re.escape(act), c)]
            if len(act) < 2 or not acting or OWN.search(head + body):
                continue
            rest, shares = keyed(head), [keyed(re.split("[，,]", w)[-1] if _ACTING.search(w) else w) for w in acting]
            likest = max(part.covers(rest) for part in shares)
            acting = [w for w, part in zip(acting, shares, strict=True) if part.covers(rest) >= likest - _SHADE]
            bodies_there = list(_ANY_BODY.finditer(acting[0]))
            held = _ACTING.search(acting[0]) or _ASKS.search(acting[0]) or next(iter(bodies_there[::-1]), None)
            known = GENERAL.match(body) or any(_acts_in(letters(core(body)), words) for words in acting)
            if held and not known:
                return WordingChange(f"由{body}", held[1])
            break
    return None


def _acts_in(core: frozenset[str], before: str) -> bool:
    """Tell whether a body stands in front of an act, not as one that only asks another to do it (应当申请乙组织)."""
    acts = _ACTING.search(before) or _ASKS.search(before)
    return not core or share(core, letters(acts[1] if acts else before)) >= _ABOUT
