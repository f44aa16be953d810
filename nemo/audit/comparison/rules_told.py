"""Whether a memo binds somebody by a rule that binds somebody else (规则主体)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from nemo.audit.comparison.alignment import content, cover, passages
from nemo.audit.comparison.bodies import GENERAL, NOT_OF_NAME, SUFFIX, same_body, stands
from nemo.audit.comparison.stance import FORCE, OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed

_TELLS, _SURELY, _APART = 2, 0.8, 0.15
"""Words from which on something is told; shares of them by which two rules surely speak of one thing; by how much another must be less near."""

_ACT = "(?:应当?|可以?|不得|必须|须|负责|承担|享有|未(?=[按依将经在]))"
_ROLE = rf"(?:{SUFFIX}|[\u4e00-\u9fa5](?:方(?![可法案式面])|人(?![民员大])|者)|法规|规章)"
_PARTY, _FIRM = re.compile("[人方]$"), re.compile("(?:企业|公司|单位|经营者)$")
_SUBJECT = re.compile(
    rf"^(?:因|但|其中|[^，。；]{{2,12}}时)?(?P<who>(?:(?!应当|可以)[^由])*?{_ROLE})(?P<act>{_ACT}[^由]{{2,}})$"
)
_ITEM = re.compile(r"^[\s\u3000]*[（(][一二三四五六七八九十\d]{1,3}[）)]")
_BY = re.compile(
    rf"^(?P<thing>[^，]*?)(?<![缘理事])由(?P<who>(?:(?!{NOT_OF_NAME})[^，由]){{2,30}}{_ROLE})(?P<act>(?:[\u4e00-\u9fa5、]){{2,}})"
)


class _Bound(NamedTuple):
    """Who is bound by a clause, what it speaks of in front of that, and what has to be done."""

    about: str
    who: str
    act: str


def _bound(text: str) -> Iterator[_Bound]:
    who = ""
    for sentence in re.findall("[^。；;\n]+[。；;\n]?", text):
        before: list[str] = []
        for clause in map(str.strip, re.split("[，,：:]", _ITEM.sub("", sentence.rstrip("。；;\n")))):
            if match := _BY.search(clause) or _SUBJECT.search(clause):
                who = "" if _BY.search(clause) else match["who"]
                yield _Bound("，".join([*before, match.groupdict().get("thing") or ""]), match["who"], match["act"])
                before = []
            elif who and FORCE.match(clause):  # the subject of the stretch before it
                yield _Bound("，".join(before), who, clause)
                before = []
            else:
                before.append(clause)
        who = who if sentence.endswith(("；", ";")) else ""


def other_bound(saying: str, place: str) -> WordingChange | None:
    """Return whom a saying binds by a rule that binds somebody else: its case and its act are that rule's, the subject is not."""
    held = list(_bound(place))
    for said in _bound(saying):
        named = any(said.who == row.who for row in held) or not GENERAL.match(said.who)
        if OWN.search(said.who) or not named or len(content(said.about + "，" + said.act)) < _TELLS:
            continue
        rows = sorted(((_like(said, row), row) for row in held), key=lambda pair: pair[0], reverse=True)
        if not rows or rows[0][0] < _SURELY or (len(rows) > 1 and rows[1][0] > rows[0][0] - _APART):
            continue
        best = rows[0][1]
        party = said.who not in place and _PARTY.search(said.who) and _FIRM.search(best.who)  # 承运人, of 铁路运输企业
        if party or _one(said.who, best.who) or GENERAL.match(best.who):
            continue
        there = next(p for p in passages(place) if best.act in p or best.act[:6] in p)
        if not stands(said.who, there):
            return WordingChange(said.who, best.who)
    return None


def _like(said: _Bound, held: _Bound) -> float:
    """Return how much two rules speak of one thing, who is bound aside: the lesser of what is told of case and act."""
    about, act = content(said.about), content(said.act)
    forces = [FORCE.match(row.act) for row in (said, held)]
    if all(forces) and len({m.lastgroup for m in forces if m}) > 1:
        return 0.0
    whole = f"{held.about}，{held.act}"
    return min(cover(about, held.about) if about else 1.0, cover(act, whole) if act else 1.0)


def _one(said: str, held: str) -> bool:
    short, full = keyed(said).key, keyed(held).key
    return same_body(said, held) or short in full or full in short
