"""What stands side by side in a provision (列举): a memo joins it as the provision does, and adds or leaves out nothing."""

import re
from collections.abc import Iterator
from functools import lru_cache

from nemo.audit.comparison.alignment import content, idle, nearest, support
from nemo.audit.comparison.bodies import GENERAL, SUFFIX, same_body
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import in_order

_CLAUSES = re.compile("[，,。；;：:\n]")
_JOINTS = (re.compile("并且|而且|且|并|同时|以及|又"), re.compile("或者?|还是|之一"))
_APART, _LAST = 14, 4
_BOTH, _EITHER = re.compile("、|和|以?及|与"), re.compile("或者?")
_JOINT = re.compile(f"{_BOTH.pattern}|{_EITHER.pattern}")
_BODY = re.compile(f"(?:{SUFFIX}|负责人|工程师)$")
_TURNED_TO = re.compile("(?:由|经|报|向|征求|征得|会同)[^，。；]{0,40}$")
_SIGNS = re.compile("^[^，。；]{0,24}?(?:签字|盖章|批准|同意|审核|审查|共同)")
_RUN = re.compile("(?:[\u4e00-\u9fa5]{2}(?:、|或者?|和|以?及)){1,12}[\u4e00-\u9fa5]{2}")
_OPEN = re.compile("等(?![级待效于])|其他|以外")
_FRAME = re.compile("(?:由|经|向|报)(?P<who>[^，。；]{2,80}?)(?P<act>共同|签字|报告|通报)")
_OWN_OR = re.compile("(?:应当|必须|须)(?P<one>自行|自主|自己)[^，。；、]{0,6}?或者?(?P<other>委托)")
_LEAST, _KNOWN = 3, 2
"""Members of a list of which one may be strange; of those the members that stand in one list of the provision."""


def listed(saying: str, place: str) -> WordingChange | None:
    """Return what a saying joins, adds or leaves out otherwise than a list of the provision."""
    return _bodies(saying, place) or _added(saying, place) or _dropped(saying, place)


def joined(saying: str, place: str) -> WordingChange | None:
    """Return two things that a saying joins by 并 where the provision leaves the choice (或者), or the other way."""
    for mine, theirs in (_JOINTS, _JOINTS[::-1]):
        for match in theirs.finditer(place):
            left = content(_CLAUSES.split(place[max(0, match.start() - _APART) : match.start()].rstrip("，,"))[-1])[-1:]
            right = content(_CLAUSES.split(place[match.end() : match.end() + _APART])[0])[:1]
            if not left or not right or left == right:
                continue
            both = re.search(
                f"{re.escape(left[0][-2:])}(?P<between>[^，,。；]{{0,{_APART}}}?){re.escape(right[0][:2])}", saying
            )
            if both and both[0] not in place and mine.search(both["between"]) and not theirs.search(both["between"]):
                return WordingChange(both[0], f"{left[0]}{match[0]}{right[0]}")
    return None


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what stands in a clause in front of a place and behind it."""
    return _CLAUSES.split(text[:start])[-1], _CLAUSES.split(text[end:])[0]


def _bodies(saying: str, place: str) -> WordingChange | None:
    """Return two bodies one of which is enough for a saying where both take part (经甲或者乙签字, of 经甲、乙签字), or the other way."""
    for mine, theirs in ((_EITHER, _BOTH), (_BOTH, _EITHER)):
        for match in theirs.finditer(place):
            before, after = _around(place, *match.span())
            right = content(after[:_APART])[:1]
            takes = _TURNED_TO.search(before) or _SIGNS.match(after)
            if not right or not takes or not _BODY.search(before) or (theirs is _BOTH and _EITHER.search(before + after)):
                continue
            ends = f"{re.escape(before[-_LAST:])}(?P<joint>{mine.pattern})[^，。；、]{{0,8}}?{re.escape(right[0][:2])}"
            both = re.search(ends, saying)
            if both and both[0] not in place:
                return WordingChange(both[0], f"{before[-_LAST:]}{match[0]}{right[0]}")
    return None


def _added(saying: str, place: str) -> WordingChange | None:
    """Return what a saying adds to a closed list of the provision (现金、支票或保函, of 现金或者支票)."""
    for clause in _CLAUSES.split(saying):
        parts = _JOINT.split(clause)
        own = [parts[0][-2:], *parts[1:-1], parts[-1][:2]]
        known = [m for m in own if m in place]
        named = re.search(SUFFIX, parts[-1][:_APART])  # bodies are compared as bodies
        if named or len(parts) < _LEAST or len(known) < _KNOWN or _OPEN.search(clause):
            continue
        one, two = known[:_KNOWN]
        both = re.search(f"{re.escape(one)}(?:{_JOINT.pattern}){re.escape(two)}(?P<rest>[^，。；]*)", place)
        strange = [m for m in own if m not in place and not _stands(m, place)]
        if both and strange and not _OPEN.search(both["rest"]):
            return WordingChange(strange[0], f"{one}、{two}")
    return None


def _stands(member: str, place: str) -> bool:
    """Tell whether a member of a list stands in a provision, shortened or under a word that says the same."""
    return all(support(word, place) >= 0.9 for word in content(member)) or in_order(member, place)


@lru_cache(maxsize=64)
def _runs(text: str) -> tuple[frozenset[str], ...]:
    """Return the lists of words of two characters in a text, each as the set of its words."""
    return tuple(frozenset(_JOINT.split(m[0])) for m in _RUN.finditer(text))


def siblings(saying: str, place: str, text: str) -> list[str]:
    """Return the words of a saying that its text lists beside one of the provision, which the saying does not have (轻型, of 小型)."""
    told = ((w, run - {w}) for run in _runs(text) for w in run if w in saying and w not in place and not idle(w))
    alike = (w for w, others in told if any(set(v) & set(w) and v in place and v not in saying for v in others))
    return list(dict.fromkeys(w for w in alike if support(w, place) < 1))


def _frames(text: str) -> Iterator[tuple[str, str, list[str]]]:
    for match in _FRAME.finditer(text):
        who = [w.strip() for w in _JOINT.split(match["who"])]
        yield match["act"], match["who"], [w for w in who if w and not GENERAL.match(w)]


def _dropped(saying: str, place: str) -> WordingChange | None:
    """Return the bodies of a saying where others must take part too (由甲、乙共同验收), or a duty that has lost its alternative."""
    if _OPEN.search(saying) or OWN.search(saying):
        return None
    near = "\n".join(nearest(saying, place))
    for act, said, own in _frames(saying):
        for other, true, held in _frames(near):
            if act != other or _EITHER.search(true) or not 0 < len(own) < len(held) or _EITHER.search(said):
                continue
            if all(any(same_body(a, b) or in_order(a, b) for b in held) for a in own):
                return WordingChange(said, true)
    for match in _OWN_OR.finditer(near):
        told = re.search(f"(?:应当?|必?须){match['other']}", saying)
        if told and match["one"] not in saying:
            return WordingChange(told[0], match[0])
    return None
