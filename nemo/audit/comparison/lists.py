"""What stands side by side in a provision (列举): a memo joins it as the provision does, and leaves out nothing that takes part."""

import re
from collections.abc import Iterator
from functools import lru_cache

from nemo.audit.comparison.alignment import SHORTENED, content, idle, nearest, support
from nemo.audit.comparison.bodies import GENERAL, SUFFIX, same_body
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.wording import WordingChange
from nemo.audit.keyed import in_order

_CLAUSES = re.compile("[，,。；;：:\n]")
_APART, _LAST = 14, 4
_BOTH, _EITHER = re.compile("、|和|以及|(?<![涉波普危顾触以])及(?![时其])|与"), re.compile("或者?")
_TOO, _OR = re.compile("并且|而且|且|并|同时|以及|又"), re.compile("或者?|还是|之一")
_TOGETHER = re.compile("同时(?!时)|共同|一并|均|都")
_JOINTS = ((_TOO, _OR, False), (_OR, _TOO, False), (_EITHER, _BOTH, True), (_BOTH, _EITHER, True))
"""How a saying joins two things, how the provision does, and whether this is so of bodies alone."""
_JOINT = re.compile(f"{_BOTH.pattern}|{_EITHER.pattern}")
_BODY = re.compile(f"(?:{SUFFIX}|负责人|工程师)$")
_TURNED_TO = re.compile("(?:由|经|报|向|征求|征得|会同)[^，。；]{0,40}$")
_TERRITORY = re.compile("直辖市")
"""Of several territories a case has one: 报省…部门和直辖市…部门核准 is 报省…部门或者直辖市…部门核准."""
_SIGNS = re.compile("^[^，。；]{0,24}?(?:签字|盖章|批准|同意|审核|审查|共同)")
_RUN = re.compile("(?:[\u4e00-\u9fa5]{2}(?:、|或者?|和|以?及)){1,12}[\u4e00-\u9fa5]{2}")
_OPEN = re.compile("等(?![级待效于])|其他|以外")
_FRAME = re.compile("(?:由|经|向|报(?!告))(?P<who>[^，。；]{2,80}?)(?P<act>共同|签字|报告(?![书表])|通报)")
_OWN_OR = re.compile("(?:应当|必须|须)(?P<one>自行|自主|自己)[^，。；、]{0,6}?或者?(?P<other>委托|聘请|送)")


def joined(saying: str, place: str) -> WordingChange | None:
    """Return two things of which a saying wants both where the provision leaves the choice, or the other way; of bodies (经甲、乙签字) 、 is both."""
    for mine, theirs, bodies in _JOINTS:
        for match in theirs.finditer(place):
            before = _CLAUSES.split(place[: match.start()].rstrip("，,"))[-1]
            after = _CLAUSES.split(place[match.end() :])[0]
            left, right = content(before[-_APART:])[-1:], content(after[:_APART])[:1]
            take_part = _BODY.search(before) and (_TURNED_TO.search(before) or _SIGNS.match(after))
            one_of = theirs is _BOTH and (_EITHER.search(before + after) or _TERRITORY.match(after))
            if not left or not right or left == right or (bodies and (not take_part or one_of)):
                continue
            end = before[-_LAST:] if bodies else left[0][-2:]
            both = re.search(
                f"{re.escape(end)}(?P<gap>(?:[^，,。；]|[，,](?=并|同时|还|且|而且|或)){{0,{_APART}}}?){re.escape(right[0][:2])}",
                saying,
            )
            gap = both["gap"] if both else ""
            told = (mine.match if bodies else mine.search)(gap) and not theirs.search(gap)
            if mine is _TOO and not told:  # 同时符合甲和乙, of 甲或者乙
                clause = next((c for c in _CLAUSES.split(saying) if both and both[0] in c), "")
                told = _BOTH.search(gap) and _TOGETHER.search(clause.replace(gap, "")) and not _EITHER.search(gap)
            if both and told and both[0] not in place:
                return WordingChange(both[0], f"{left[0]}{match[0]}{right[0]}")
    return None


@lru_cache(maxsize=64)
def _runs(text: str) -> tuple[frozenset[str], ...]:
    """Return the lists of words of two characters in a text, each as the set of its words."""
    return tuple(frozenset(_JOINT.split(m[0])) for m in _RUN.finditer(text))


def siblings(saying: str, place: str, text: str) -> list[str]:
    """Return the words of a saying that its text lists beside one of the provision, which the saying does not have (轻型, of 小型)."""
    told = ((w, run - {w}) for run in _runs(text) for w in run if w in saying and w not in place and not idle(w))
    alike = (w for w, others in told if any(set(v) & set(w) and v in place and v not in saying for v in others))
    return list(dict.fromkeys(w for w in alike if support(w, place) < SHORTENED))


def _frames(text: str) -> Iterator[tuple[str, str, list[str]]]:
    for match in _FRAME.finditer(text):
        who = [w.strip() for w in _JOINT.split(match["who"])]
        yield match["act"], match["who"], [w for w in who if w and not GENERAL.match(w)]


def dropped(saying: str, place: str) -> WordingChange | None:
    """Return the bodies of a saying where others must take part too (由甲、乙共同验收), or a duty that has lost its alternative."""
    if OWN.search(saying):
        return None
    near = "\n".join(nearest(saying, place))
    for act, said, own in () if _OPEN.search(saying) else _frames(saying):
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
