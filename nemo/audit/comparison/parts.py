"""Whether a memo tells of one part of a provision what stands in another, or leaves the end of a rule out (分项与但书)."""

import re

from nemo.audit.comparison.alignment import content, cover, nearest, passages, rarity
from nemo.audit.comparison.stance import OWN
from nemo.audit.comparison.values import amounts, within
from nemo.audit.comparison.wording import WordingChange

_STOPS = re.compile("[，,。；;：:\n]")
_OBJECTS = re.compile("(?P<verb>视为|没收|责令|吊销|撤销|免征|退还|收回)(?P<what>(?!的|之)[\u4e00-\u9fa5、]{2,18})")
"""Consequences that are known by what stands behind their verb."""
_ITEM = re.compile(
    r"(?m)^[ \t\u3000]{0,8}[（(]?[一二三四五六七八九十\d]{1,3}[）)、.．][ \t\u3000]{0,4}(?P<item>[^\n]{2,400})"
)
_WORDS, _BORNE, _APART, _HALF, _TELLS = 3, 0.85, 0.1, 0.5, 4.0
"""Words by which a part is known; share of them that it bears out; by how much other parts bear out less; what another
consequence has in common; rarity of words that tell one item from another."""
_PROVISO = re.compile(
    r"[，；]但(?:是，?)?(?P<but>[^。；]{4,60}?)(?:的?除外|的?(?:可以不|不受|不适用|不在此限|无需|不需要)[^。；]{0,40})"
)
_REFERS = re.compile("法律|法规|规章|国家|国务院|另有|依照|本法|本条例|前款|本条")
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
        if said and there and cover(said[:1], "，".join(what for what, _ in there)) < _HALF:
            return WordingChange(match[0], there[0][1])
    return None


def of_another_item(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of one item or sentence that the provision tells of another one."""
    items = [(_labels(m["item"]), m["item"]) for m in _ITEM.finditer(place)]
    stem = _ITEM.sub("", place)
    for clause in _STOPS.split(saying) if len(items) > 1 else ():
        named = [item for labels, item in items if any(label in clause for label in labels)]
        if len(named) == 1 and (found := _astray(clause, named[0] + stem, [i for _, i in items if i != named[0]])):
            return found
    parts = passages(place)
    for sentence in re.split("[。；;\n]", saying) if len(parts) > 1 else ():
        told = content(sentence)
        scored = sorted(((cover(told, part), part) for part in parts), reverse=True)
        if len(told) < _WORDS or scored[0][0] < _BORNE or scored[0][0] - scored[1][0] < _APART or OWN.search(sentence):
            continue
        for clause in _STOPS.split(sentence):
            found = _value_of_others(clause, scored[0][1], [part for _, part in scored[1:]])
            if found and len(content(clause)) > 1:
                return found
    return None


def _labels(item: str) -> list[str]:
    """Return the things that an item of a list names in front of its value (县城、建制镇 0.6元)."""
    first = min((v.span.start for v in amounts(item)), default=len(item))
    head = re.split("[，,：:；]", item[:first])[0].rstrip("为是的")
    return [label for label in re.split("[、和及或]", head) if len(label) > 1]


def _astray(clause: str, item: str, others: list[str]) -> WordingChange | None:
    """Return a value or words of a clause that not the item it names has, but another one."""
    if found := _value_of_others(clause, item, others):
        return found
    strange = [w for w in content(clause) if w not in item and any(w in other for other in others)]
    if strange and cover(tuple(strange), item) < _HALF and rarity(strange) >= _TELLS:
        return WordingChange(clause.strip(), item.split("\n")[0].strip(" ；。"))
    return None


def _value_of_others(clause: str, own: str, others: list[str]) -> WordingChange | None:
    """Return the value that a clause gives to what one part speaks of and that only other parts have."""
    there, told = amounts(own), content(clause)
    for value in (v for v in amounts(clause) if v.kind not in ("count", "number")):
        alike = [v for v in there if v.kind == value.kind]
        if not alike or value.same in {v.same for v in there} or within(own, value, clause):
            continue
        having = [other for other in others if value.same in {v.same for v in amounts(other)}]
        if told and having and all(cover(told, own) >= cover(told, other) for other in having):
            return WordingChange(value.span.of(clause), alike[0].span.of(own))
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
        if not match or _REFERS.search(match["but"]) or len(told) < _WORDS:
            continue
        if not any(rule and rule in part for part in nearest(saying, place.replace("；", "，"))):
            continue
        retells = cover(told, rule) >= _WHOLE and cover(content(rule), saying) >= _HALF
        if retells and cover(content(match["but"]), saying) < _TOUCHED:
            return WordingChange("", match[0].lstrip("，；"))
    return None
