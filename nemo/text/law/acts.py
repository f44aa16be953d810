"""Which duty a penalty punishes when it names no article (违反本条例规定，未…的，处…罚款): the one that speaks of the same act.

The words of the act are looked for in the provisions that state duties; what they share is weighed by how rare it is in the
text. A match needs most of the act and stands for the article that holds most; a text that repeats itself gives none.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nemo.text.words.flat import FlatText
from nemo.types import Level, Provision, Regulation
from nemo.types.graph import GraphEdge

SAME_ACT = "same_act"
"""Rule of an edge from a penalty to the duty of the same act."""
ENOUGH = 0.5
"""Share of an act, by weight, that its duty must hold. Chosen on the ``dev`` half of ``benchmarks/two_provisions.jsonl``."""
AHEAD = 1.1
"""So many times as much as the next article."""
ALIKE = 0.3
"""Share of a provision that the provision of another level of law holds when both rule the same."""
_ACT = re.compile(
    r"(?:^|[。；]|(?:规定|要求|办法|条例|本法)，)(?P<a>[^。；：]{6,160}?)的，(?=[^，。；：]{0,40}(?:由|责令|处|给予|予以|没收|可以|依法|依照|应当|限期))"
)
_NO_ACT = re.compile(r"^(?:拒不|逾期|情节|构成|造成|经|依照|给予)|下列|法律、(?:行政)?法规|罚款")
"""What only leads to acts, or says when more is due."""
_NAMED = re.compile(r"第[一二三四五六七八九十百千零〇\d]+条")
_OPENING = re.compile(
    r"^.{0,30}?违反(?:本[法条例办规定细则]{1,2}|国家)?(?:的?有?关?规定)?，|^第.{1,8}条|^[（(].{1,3}[）)]"
)


@dataclass(frozen=True, slots=True)
class _Unit:
    """The own words of one provision: without those of its parts."""

    article: str
    label: str
    start: int
    end: int


def same_acts(regulation: Regulation, flat: FlatText, found: Sequence[GraphEdge]) -> Iterator[GraphEdge]:
    """Yield an edge from each penalty that names no article to the article of the duty it punishes."""
    penal = {e.label.split("-")[0] for e in found if e.kind == "penalises"}
    units = list(_units(regulation, flat))
    duties = [unit for unit in units if unit.article not in penal and unit.article != "1"]
    held: dict[str, list[int]] = defaultdict(list)
    for number, unit in enumerate(duties):
        for pair in _pairs(flat.text[unit.start : unit.end]):
            held[pair].append(number)
    weight = {pair: math.log(1 + len(duties) / len(places)) for pair, places in held.items()}
    for unit in units:
        if unit.article in penal:
            for start, end in _acts(unit, flat):
                article = _punished(flat.text[start:end], duties, held, weight)
                if article:
                    span = flat.span(start, end)
                    yield GraphEdge("penalises", unit.label, "", "provision", "", article, span, SAME_ACT, 0.85)


def most_alike(words: str, others: Sequence[str]) -> int | None:
    """Return which of some provisions says most of what a provision says; None when none says enough of it."""
    wanted, held = _pairs(words), [_pairs(other) for other in others]
    common = Counter(pair for each in held for pair in each & wanted)
    weight = {pair: math.log(1 + len(others) / count) for pair, count in common.items()}
    whole = math.fsum(weight.get(pair, math.log(1 + len(others))) for pair in wanted)
    shares = [math.fsum(weight[pair] for pair in each & wanted) for each in held]
    best = max(range(len(shares)), key=lambda i: (shares[i], -i), default=None)
    return best if best is not None and shares[best] >= ALIKE * whole > 0 else None


def _units(regulation: Regulation, flat: FlatText) -> Iterator[_Unit]:
    for node in regulation.walk():
        if node.level is Level.ARTICLE:
            yield from _inside(node, node.label, flat)


def _inside(node: Provision, article: str, flat: FlatText) -> Iterator[_Unit]:
    end = node.children[0].span.start if node.children else node.span.end
    yield _Unit(article, node.label, flat.place(node.span.start), flat.place(end))
    for child in node.children:
        yield from _inside(child, article, flat)


def _acts(unit: _Unit, flat: FlatText) -> Iterator[tuple[int, int]]:
    """Yield the places of the acts that a penal provision names: a condition that ends in 的, or an item of its list."""
    text = flat.text[unit.start : unit.end]
    if re.match(r"[（(]", text):
        if _NAMED.search(text) is None and _NO_ACT.search(text) is None:
            yield unit.start, unit.end
        return
    for match in _ACT.finditer(text):
        if _NAMED.search(match[0]) is None and _NO_ACT.search(match["a"]) is None:
            yield unit.start + match.start("a"), unit.start + match.end("a")


def _punished(act: str, duties: Sequence[_Unit], held: dict[str, list[int]], weight: dict[str, float]) -> str | None:
    """Return the label of the article that speaks of an act, None when none or more than one does."""
    pairs = _pairs(_OPENING.sub("", act))
    most = math.log(1 + len(duties))
    whole = math.fsum(weight.get(pair, most) for pair in pairs)  # whatever the order of a set
    if len(pairs) < 5 or not whole:
        return None
    by_unit: dict[int, list[float]] = defaultdict(list)
    for pair in pairs:
        for number in held.get(pair, ()):
            by_unit[number].append(weight[pair])
    by_article: dict[str, float] = defaultdict(float)
    for number, weights in by_unit.items():
        article = duties[number].article
        by_article[article] = max(by_article[article], math.fsum(weights))
    best = sorted(by_article.items(), key=lambda each: (-each[1], each[0]))[:2]
    if not best or best[0][1] < ENOUGH * whole:
        return None
    return None if len(best) > 1 and best[0][1] < AHEAD * best[1][1] else best[0][0]


def _pairs(text: str) -> set[str]:
    """Return the pairs of neighbouring characters of a text, punctuation left out."""
    words = re.sub(r"[^\w]|[的未不得应当按照规定]", "", text)
    return {words[i : i + 2] for i in range(len(words) - 1)}
