"""How likely a provision does not say what a memo says of it (蕴含判断).

What no comparer takes apart is weighed as a whole: how much of a saying stands nowhere in the provision, whether its
clauses deny or allow what the likest clauses do not. The weights are a logistic regression, fitted on 1,675 sayings of
memos written for it, nearly half of them wrong. Held out set by set, of the sayings that no comparer objects to, 19 that
were wrong and 4 of 857 that were right are called wrong for sure (``SURE``), 38 and 17 at least doubtful.
"""

import difflib
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from nemo.audit.duties import renamed
from nemo.audit.keyed import keyed, letters, share, topic
from nemo.audit.stance import BOUND, OWN
from nemo.text.words.quantities import quantities

SURE, DOUBTFUL = 0.9, 0.8
"""From these probabilities on a saying is called wrong, and is one that no machine should call right."""
_NOT = re.compile(
    "不得|不予|不再|不需|不能|不可|不应|不必|不|未|无需|无须|无权|没有|拒绝|拒不|免|非|禁止|严禁|除外|以外"
)
_MAY = re.compile("可以|可(?![能再靠])|有权|允许|自行|随时|即可")
_MUST = re.compile("应当|必须|应|须|需")
_ABSOLUTE = re.compile("一律|任何|无需|即可|自行|仅|只|不再|仍|同样|直接|单独|随时|也可|酌情|视情|统一|优先|均")
_BODY = re.compile("[由经报向][\u4e00-\u9fa5]{2}")
_LEAVE = re.compile("[未非]经([^，。；]{0,20}(?:批准|同意|许可))[^。；]{0,16}?不得(?:擅自)?")
"""What may not be done without leave may be done with it."""
_SENTENCE, _CLAUSE = re.compile("[。；;\n]"), re.compile("[。；;\n，,：:]")
_NUMBER = re.compile(r"^(?:第[^条款]{1,8}[条款]|[（(][一二三四五六七八九十\d]{1,3}[）)])[\s\u3000]*")
_HAN = re.compile("[\u4e00-\u9fa5]")
_LEAST, _SPEAKS, _HEAD = 4, 0.4, 7
"""Characters of a saying that can be weighed, share of them that the provision has too; characters of its head."""
_OURS = re.compile(r"我[方司们局公]|贵[司方局府单公]|\[\d")
_WEIGHTS = {
    "run": 0.23, "gap": 0.13, "denials": 1.05, "allows": 1.46, "absolute": 0.93, "values": -1.17, "strange": 2.48,
    "bodies": 0.71, "blocks": -0.32, "whole": -2.56, "head": 1.46, "denied": 0.83, "swapped": 2.11,
}  # fmt: skip
_BIAS = -0.91


@dataclass(frozen=True, slots=True)
class SayingDoubt:
    """A saying that a provision may not bear out."""

    probability: float
    held: str
    """The clause of the provision that is likest to the saying."""


def doubt(saying: str, place: str) -> SayingDoubt | None:
    """Return how likely a saying is wrong of a provision; None of one that tells too little, or of the memo's own case."""
    speaks = letters(saying)
    if len(speaks) < _LEAST or share(speaks, letters(place)) < _SPEAKS or OWN.search(saying) or _OURS.search(saying):
        return None
    seen = evidence(saying, place)
    probability = 1 / (1 + math.exp(-_BIAS - sum(weight * seen[name] for name, weight in _WEIGHTS.items())))
    return SayingDoubt(probability, _NUMBER.sub("", _likest(saying, _CLAUSE.split(place))))


def evidence(saying: str, place: str) -> dict[str, float]:
    """Return what is weighed: counts, shares and flags by their names."""
    said, held = (_LEAVE.sub(r"经\1，可以", BOUND.sub("", renamed(text))) for text in (saying, place))
    mine, theirs = keyed(said), keyed(held)
    near = _likest(said, _SENTENCE.split(held)) or held
    blocks = difflib.SequenceMatcher(None, theirs.key, mine.key, autojunk=False).get_matching_blocks()
    sizes = [b.size for b in blocks if b.size > 1]
    values, known = ([q.same for q in quantities(text)] for text in (saying, place))
    return {
        "run": _longest(c not in held for c in _HAN.findall(said)),
        "gap": _longest(mine.key[i : i + 2] not in theirs.pairs for i in range(len(mine.key) - 1)),
        "denials": float((len(_NOT.findall(said)) - len(_NOT.findall(near))) % 2),
        "allows": float(bool(_MAY.search(said)) and not _MAY.search(held)),
        "absolute": float(sum(word not in held for word in _ABSOLUTE.findall(said))),
        "values": float(min(3, len(values))),
        "strange": float(min(2, sum(v not in known for v in values)) if not OWN.search(said) else 0),
        "bodies": float(len(_BODY.findall(said))),
        "blocks": float(len(sizes)),
        "whole": max(sizes, default=0) / max(1, len(mine.key)),
        "head": share(letters(said[:_HEAD]), letters(near)),
        **_turned(said, held),
    }


def _turned(said: str, held: str) -> dict[str, float]:
    """Return how like the clauses are of which one denies, or allows, what the other does not."""
    denied = swapped = 0.0
    clauses = [c for c in _CLAUSE.split(held) if len(c) > 2] or [held]
    for clause in [c for c in _CLAUSE.split(said) if len(letters(c)) > 2] or [said]:
        near = _likest(_bare(clause), clauses)
        like = topic(_bare(clause)).within(topic(near))
        if (len(_NOT.findall(clause)) - len(_NOT.findall(near))) % 2:
            denied = max(denied, like)
        may, must = (bool(p.search(clause)) - bool(p.search(near)) for p in (_MAY, _MUST))
        if may * must < 0:
            swapped = max(swapped, like)
    return {"denied": denied, "swapped": swapped}


def _bare(clause: str) -> str:
    return _NOT.sub("", _MAY.sub("", _MUST.sub("", clause)))


def _likest(words: str, parts: list[str]) -> str:
    own = topic(words)
    return max((p for p in parts if len(p) > 2), key=lambda p: own.within(topic(p)), default="").strip()


def _longest(flags: Iterable[bool]) -> float:
    """Return the longest run of true flags."""
    longest = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        longest = max(longest, run)
    return float(longest)
