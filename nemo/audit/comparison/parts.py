"""Whether a memo makes another consequence of a case, or leaves a condition or the end of a rule out (后果、条件与但书)."""

import re

from nemo.audit.comparison.alignment import content, cover, nearest
from nemo.audit.comparison.stance import FORCE, OWN
from nemo.audit.comparison.wording import WordingChange

_OBJECTS = re.compile(
    "(?P<verb>视为|没收|责令|吊销|撤销|免征|退还|收回)(?P<what>(?!决定|[的之会将后前时])[\u4e00-\u9fa5、]{2,18})"
)
"""Consequences that are known by what stands behind their verb."""
SANCTION = re.compile("罚款|吊销|停产停业|停业整[顿治]|停产整[顿治]|关闭|没收|撤职|代为")
_STAGE = re.compile(
    "(?P<stage>情节严重|情节特别严重|拒不|逾期|造成)[^，。；的]{0,14}的?[，,]?(?P<then>(?:(?!情节|拒不|逾期|造成)[^。；：\n])+)"
)
_LISTED = re.compile("(?:^|\n)(?P<stem>[^\n]{4,200})：\n(?P<items>(?:[（(][^\n]+(?:\n|$))+)")
_BOTH = re.compile("(?P<one>[^，。；：]{4,40}?)，?[并]?且(?P<two>[^，。；：]{3,30}?)的，(?P<then>[^，。；：]{2,40})")
_MADE, _HARDLY, _UNTOLD = 0.6, 0.3, 0.4
"""Shares of a case that a saying tells, of an outcome that the words a list opens with do not know, of a condition left untold."""
_WORDS, _HALF = 3, 0.5
"""Words from which on a saying tells a rule; share that another consequence has in common."""
_PROVISO = re.compile(
    r"[，；]但(?:是，?)?(?P<but>[^。；]{4,60}?)(?:的?除外|的?(?:可以不|不受|不适用|不在此限|无需|不需要)[^。；]{0,40})|"
    r"，(?P<out>[^。；，]{16,60}?)的除外"
)
_REFERS = re.compile("另有|依照|本法|本条例|前款|本条|^(?:法律|国家|国务院)[^。；]{0,12}$")
"""An exception that only refers to other rules: a retelling may leave it to them."""
_GIVES = re.compile("但|除|不包括|不含|例外|另有|不适用|不在此限|不算")
_WHOLE, _TOUCHED = 0.85, 0.6
"""Shares of a saying that its rule bears out, and of an exception that a saying may touch without giving it."""


def other_object(saying: str, place: str) -> WordingChange | None:
    """Return 视为同意 where the provision has 视为放弃, and 没收设施 where it has 没收违法所得."""
    held = [(m["verb"], m["what"], m[0]) for m in _OBJECTS.finditer(place)]
    for match in _OBJECTS.finditer(saying):
        there = [(what, whole) for verb, what, whole in held if verb == match["verb"]]
        said = content(match["what"])
        if (
            said
            and there
            and max(cover(w, "，".join(what for what, _ in there)) for w in (said[:1], said[-1:])) < _HALF
        ):
            return WordingChange(match[0], there[0][1])
    return None


def other_outcome(saying: str, place: str) -> WordingChange | None:
    """Return the sanction that a saying has at a stage (情节严重的) of which the provision has others, the duty of a list in another verb."""
    held: dict[str, str] = {}
    for match in _STAGE.finditer(place):
        held[match["stage"]] = held.get(match["stage"], "") + match["then"]
    for match in _STAGE.finditer(saying):
        there = held.get(match["stage"], "")
        if there and any(m[0] not in there for m in SANCTION.finditer(match["then"])):
            return WordingChange(match[0], there)
    listed = list(_LISTED.finditer(place))
    if len(listed) != 1 or len(FORCE.findall(place)) != len(FORCE.findall(listed[0]["stem"])) or OWN.search(saying):
        return None
    for clause in re.split("[，,。；;：:\n]", saying):
        force = FORCE.search(clause)
        told, case = content(clause[force.end() :]) if force else (), content(saying.replace(clause, ""))
        if told and case and cover(told, listed[0]["stem"]) < _HARDLY and cover(case, listed[0]["items"]) >= _MADE:
            return WordingChange(clause.strip(), listed[0]["stem"])
    return None


def half_condition(saying: str, place: str) -> WordingChange | None:
    """Return the second of two conditions (…且…的) of which a saying tells the first and the outcome alone."""
    for match in _BOTH.finditer(place):
        one, two, then = (cover(content(match[name]), saying) for name in ("one", "two", "then"))
        if content(match["two"]) and one >= _WHOLE - 0.05 and then >= _HALF and two < _UNTOLD:
            return WordingChange("", f"且{match['two']}")
    return None


def without_proviso(saying: str, place: str, after: str) -> WordingChange | None:
    """Return the exception (但…除外) of a rule that a saying tells as a whole without it.

    Args:
        saying: The memo's words.
        place: The provision.
        after: What the memo writes next: it may give the exception itself.
    """
    if _GIVES.search(saying) or _GIVES.search(after) or OWN.search(saying):
        return None
    told = content(saying)
    for sentence in re.split("[。\n]", place):
        match = _PROVISO.search(sentence)
        rule = sentence[: match.start()].rsplit("；", 1)[-1] if match else ""
        but = (match["but"] or match["out"]) if match else ""
        if not match or _REFERS.search(but) or len(told) < _WORDS:
            continue
        if not any(rule and rule in part for part in nearest(saying, place.replace("；", "，"))):
            continue
        retells = cover(told, rule) >= _WHOLE and cover(content(rule), saying) >= _HALF
        if retells and cover(content(but), saying) < _TOUCHED:
            return WordingChange("", match[0].lstrip("，；"))
    return None
