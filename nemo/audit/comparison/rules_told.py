"""What a memo makes of a rule as a whole (规则整体): it allows what is forbidden, takes its exception away, makes one of its
cases the only one, counts from another event, or binds somebody else by it.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from nemo.audit.comparison.alignment import content, cover, nearest, passages
from nemo.audit.comparison.bodies import GENERAL, NOT_OF_NAME, SUFFIX, same_body, stands
from nemo.audit.comparison.stance import BOUND, FORCE, OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import keyed

_SENTENCES, _CLAUSES = re.compile("[。；;\n]"), re.compile("[，,。；;：:\n]")
_TELLS, _WHOLLY, _SURELY, _HALF, _APART = 2, 0.88, 0.8, 0.5, 0.15
"""Words from which on something is told; shares of them that make two texts tell one thing, surely, by half; by how much another is less near."""

_FORBIDS = re.compile("严?禁止?(?!止)|不得|不准|不允许")
_CONDITIONED = re.compile(
    "未[经按依取获]|擅自|除|违反|无[^，。；]{1,10}[证照]|没有|非法|的[，,][^，。；]{0,8}不得|方可|但"
)
"""What is forbidden only so may be done otherwise."""
_LEAVE = re.compile("确需|确有必要|需要|经[^，。；]{2,24}(?:批准|同意|许可)|可以|除外|但")
_ALLOWS = re.compile(
    "(?<![许认方不])可以?(?![能])|允许|[的时][，,](?:还|也|则|只)?(?:应当?|须|必须|要|需)|但(?:是)?(?:应当?|须|要|需)"
)
_REFUSES = re.compile("[不无未非禁]|责令|处|罚|没收|吊销|追究|承担|拒绝|限期|停止|除")
_EXCEPTED = re.compile("[也亦](?:同样)?不(?:能)?例外|也包括在内")
_NONE_EXCEPTED = re.compile("没有(?:任何)?例外|(?<![也亦])不存在例外|(?:在|无论|不论)?任何情况下[都均也]?(?=不|[应须])")
_EXCEPTION = re.compile("除外|除[^，。；]{2,40}外|但(?!书)|确需|确有必要|特殊(?:情况|需要|原因)")
_TAKEN_OUT = re.compile("除[^，。；]{2,40}(?=[，外])|[^，。；]{2,40}除外")
_ONLY = re.compile(
    "只有(?:在|当|经)?(?P<case>[^。；]{3,40}?)(?:以?后|时|的|情况下|情形下)?[，,]?[^，。；]{0,24}(?:方|才)(?:可|能|得)"
)
_OR = re.compile("或者?")
_EVENT = re.compile(
    "(?P<event>(?:(?![的在自于起])[\u4e00-\u9fa5]){2,8}?)(?:之日)?(?P<side>之?前|以前|之?后|以后|之日)(?=[，,起的]|[\u4e00-\u9fa5]{2})"
)
_AT_ONCE = re.compile("同时|同步")
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


def allowed(saying: str, place: str) -> WordingChange | None:
    """Return what a saying allows, or tells as a thing that is done on conditions, where the provision forbids it."""
    if OWN.search(saying):
        return None
    for sentence in filter(None, _SENTENCES.split(saying)):
        opened = _ALLOWS.search(BOUND.sub("", sentence))
        if not opened or _REFUSES.search(sentence):
            continue
        act = sentence if opened[0][0] in "可允" else sentence[: opened.end()]
        told = content(act.split("，但")[0])
        free = [p for p in passages(place) if not _FORBIDS.search(p)]
        leave = "\n".join(p for p in free if _LEAVE.search(p))
        own = any(cover(content(sentence), p) >= _SURELY and cover(told, p) >= _WHOLLY for p in free)
        if len(told) < _TELLS + 1 or own or (leave and cover(told, leave) >= _WHOLLY):
            continue
        for passage in passages(place):
            match = _FORBIDS.search(BOUND.sub("", passage))
            if match and not _CONDITIONED.search(passage) and cover(told, passage) >= _WHOLLY:
                return WordingChange(sentence.strip(), passage)
    return None


def unexcepted(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of a thing too (…也不例外), or of all, where the provision has a rule of its own for it."""
    for clause in _CLAUSES.split(saying):
        if (match := _EXCEPTED.search(clause)) and (thing := content(clause[: match.start()])):
            own = nearest(saying.replace(clause, ""), place)
            if out := next((m[0] for m in _TAKEN_OUT.finditer(place) if cover(thing, m[0]) >= _WHOLLY), ""):
                return WordingChange(clause.strip(), out)
            its = [p for p in passages(place) if cover(thing, p) >= _WHOLLY and cover(content(p), saying) < _SURELY]
            if its and any(cover(thing, p) < _HALF for p in own):
                return WordingChange(clause.strip(), its[0])
        if _NONE_EXCEPTED.search(clause) and (
            found := next((p for p in passages(place) if _EXCEPTION.search(p)), None)
        ):
            return WordingChange(clause.strip(), found)
    return None


def only_case(saying: str, place: str) -> WordingChange | None:
    """Return a case that a saying makes the only one (只有…方可) where the provision has another one too (…或者…)."""
    for match in _ONLY.finditer(saying):
        case = content(match["case"])
        for clause in (c for p in nearest(saying, place) for c in _CLAUSES.split(p)):
            cases = [part for part in _OR.split(clause) if len(content(part)) >= _TELLS]
            told = [part for part in cases if cover(case, part) >= _SURELY]
            other = [part for part in cases if cover(content(part), saying) < _SURELY]
            if len(cases) > 1 and told and other:
                return WordingChange(match[0], clause)
    return None


def other_event(saying: str, place: str) -> WordingChange | None:
    """Return an event before, behind or from which a saying has something done where the provision names quite another."""
    for clause in _CLAUSES.split(saying):
        for match in _EVENT.finditer(clause):
            event, near = content(match["event"]), "\n".join(nearest(saying, place))
            rest = content(saying.replace(match["event"], "，", 1))
            if not event or len(rest) < _TELLS + 1 or cover(rest, near) < _WHOLLY:
                continue
            if _AT_ONCE.search(near) and match["side"][-1] == "后" and not _AT_ONCE.search(saying) and "后" not in near:
                return WordingChange(match[0], _AT_ONCE.search(near)[0])  # type: ignore[index]
            if cover(event, place) >= _HALF:
                continue
            theirs = [m for m in _EVENT.finditer(near) if m["side"][-1] == match["side"][-1]]
            theirs = [m for m in theirs if content(m["event"]) and cover(content(m["event"]), saying) < _HALF]
            if theirs:
                return WordingChange(match[0], theirs[0][0])
    return None


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
