"""What a text is about: kinds of power plant (电源类型) and class of document (文件类别), by the words of the rule data."""

from __future__ import annotations

from collections.abc import Sequence

from nemo.rules import Category, Rules
from nemo.text.flat import flatten
from nemo.types import Evidence, Origin

TITLE_WEIGHT = 3.0
OPENING = 600
"""Characters from the start that tell what a text is about."""
BODY_MENTIONS = 3
"""Mentions of a kind of plant anywhere that make a text bear on it."""


def assets_of(text: str, title: str, rules: Rules) -> tuple[tuple[str, ...], Evidence | None]:
    """Return the kinds of plant a text bears on; empty means every kind (or none in particular).

    Words that name one kind decide; 新能源 and 可再生能源 mean every kind that they name in common.
    """
    shown, body = flatten(title).text, flatten(text).text
    strong = [a for a in rules.assets if any(w in shown for w in a.strong)]
    if not strong:
        strong = [a for a in rules.assets if _mentioned(a, body)]
    if not strong:
        strong = [
            a for a in rules.assets if _shared(a, rules.assets, shown) or _shared(a, rules.assets, body[:OPENING])
        ]
    every = {a.code for a in rules.assets if a.strong}
    found = tuple(a.code for a in strong)
    if not found or set(found) >= every:
        return (), None
    words = next((w for a in strong for w in (*a.strong, *a.weak) if w in shown or w in body), "")
    return found, Evidence("assets", words, Origin.DERIVED)


def _mentioned(asset: Category, body: str) -> bool:
    words = _distinct(asset.strong)
    return any(w in body[:OPENING] for w in words) or sum(body.count(w) for w in words) >= BODY_MENTIONS


def _distinct(words: Sequence[str]) -> list[str]:
    """Leave out words that contain another one of the list, so that no mention counts twice."""
    return [word for word in words if not any(other != word and other in word for other in words)]


def _shared(asset: Category, assets: Sequence[Category], words: str) -> bool:
    """Tell whether words name the asset by a term it shares with others (新能源)."""
    others = {w for a in assets if a.code != asset.code for w in a.weak}
    return any(w in words for w in asset.weak if w in others)


def doc_class_of(text: str, title: str, rules: Rules) -> tuple[str | None, Evidence | None]:
    """Return the class whose words stand in the title and opening most, None when none does."""
    shown, opening = flatten(title).text, flatten(text).text[:OPENING]
    scores = {c.code: _score(c, shown, opening) for c in rules.doc_classes}
    best = max(scores, key=lambda code: scores[code], default=None)
    if best is None or scores[best] <= 0:
        return None, None
    chosen = next(c for c in rules.doc_classes if c.code == best)
    words = next(w for w in chosen.strong if w in shown or w in opening)
    return best, Evidence("doc_class", words, Origin.DERIVED)


def _score(doc_class: Category, title: str, opening: str) -> float:
    in_title = sum(w in title for w in _distinct(doc_class.strong))
    return TITLE_WEIGHT * in_title + sum(w in opening for w in _distinct(doc_class.strong))
