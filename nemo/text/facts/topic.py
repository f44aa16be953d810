"""What a text is about: kinds of power plant (电源类型) and class of document (文件类别), by the words of the rule data."""

import re
from collections.abc import Sequence

from nemo.rules import Category, Rules
from nemo.text.words.flat import flatten
from nemo.types import Evidence, Origin

TITLE_STRONG, TITLE_WEAK = 5, 4
"""What a word of a class in the title is worth; one in the opening is worth 1."""
TITLE_END = 3
"""What it is worth besides when the title ends in it: …技术细则 is a technical text, whatever it regulates."""
ENOUGH = 3
"""The least worth that tells a class: three words of the opening, or one of the title."""
OPENING = 600
"""Characters from the start that tell what a text is about."""
BODY_MENTIONS = 3
"""Mentions of a kind of plant that make a text bear on it: named once among others (风电、光伏等) it rules the others, too."""


def assets_of(text: str, title: str, rules: Rules) -> tuple[tuple[str, ...], Evidence | None]:
    """Return the kinds of plant a text bears on; empty means every kind (or none in particular).

    Words that name one kind decide; 新能源 and 可再生能源 mean every kind that they name in common.
    """
    shown, body = flatten(title).text, flatten(text).text
    named = (
        [a for a in rules.assets if any(w in shown for w in a.strong)]
        or _renewables(rules.assets, shown, body[:OPENING])
        or _throughout(rules.assets, body)
        or _in_common(rules.assets, shown, body)
    )
    every = {a.code for a in rules.assets if a.strong}
    found = tuple(a.code for a in named)
    if not found or set(found) >= every:
        return (), None
    words = next((w for a in named for w in (*a.strong, *a.weak) if w in shown or w in body), "")
    return found, Evidence("assets", words, Origin.DERIVED)


def _renewables(assets: Sequence[Category], title: str, opening: str) -> list[Category]:
    """Return the kinds that the opening names for a title of 新能源; other kinds mentioned further on are none of it."""
    shared = _titled(assets, title)
    meant = [a for a in assets if any(w in opening for w in a.strong)]
    return meant if all(a in shared for a in meant) else []


def _titled(assets: Sequence[Category], title: str) -> list[Category]:
    """Return the kinds that a title names by a shared term; none where another stands beside them (煤炭与新能源)."""
    shared = [a for a in assets if _shared(a, assets, title)]
    return [] if any(w in title for a in assets if a not in shared for w in a.weak) else shared


def _in_common(assets: Sequence[Category], title: str, body: str) -> list[Category]:
    """Return the kinds that a text means by a shared term alone: in its title, or from its opening on again and again."""
    if any(w in title for a in assets for w in a.weak):
        return _titled(assets, title)
    return [a for a in assets if _shared(a, assets, body[:OPENING]) and _meant(a, assets, body)]


def _throughout(assets: Sequence[Category], body: str) -> list[Category]:
    """Return the kinds that a text names again and again, with those that it names at all where it begins, or means by a shared term.

    煤电 by name and 新能源 all through are all kinds; a kind that is named once is none that the text is confined to.
    """
    if not any(_often(a.strong, body) for a in assets):
        return []
    opening = body[:OPENING]
    beside = [a for a in assets if _meant(a, assets, body) or any(w in opening for w in a.strong)]
    return [a for a in assets if a in beside or _often(a.strong, body)]


def _meant(asset: Category, assets: Sequence[Category], body: str) -> bool:
    return _often(_shared_terms(asset, assets), body)


def _often(words: Sequence[str], body: str) -> bool:
    return sum(body.count(w) for w in _distinct(words)) >= BODY_MENTIONS


def _distinct(words: Sequence[str]) -> list[str]:
    """Leave out words that contain another one of the list, so that no mention counts twice."""
    return [word for word in words if not any(other != word and other in word for other in words)]


def _shared(asset: Category, assets: Sequence[Category], words: str) -> bool:
    """Tell whether words name the asset by a term it shares with others (新能源)."""
    return any(w in words for w in _shared_terms(asset, assets))


def _shared_terms(asset: Category, assets: Sequence[Category]) -> list[str]:
    others = {w for a in assets if a.code != asset.code for w in a.weak}
    return [w for w in asset.weak if w in others]


def doc_class_of(text: str, title: str, rules: Rules) -> tuple[str | None, Evidence | None]:
    """Return the class whose words stand in the title and opening most, None when too few do."""
    shown, opening = flatten(title).text, flatten(text).text[:OPENING]
    scores = {c.code: _score(c, shown, opening) for c in rules.doc_classes}
    best = max(rules.doc_classes, key=lambda c: scores[c.code], default=None)
    if best is None or scores[best.code] < ENOUGH:
        return None, None
    words = next(w for w in (*best.strong, *best.weak) if w in shown or (w in best.strong and w in opening))
    return best.code, Evidence("doc_class", words, Origin.DERIVED)


def _score(doc_class: Category, title: str, opening: str) -> int:
    strong = _distinct(doc_class.strong)
    ends = any(re.sub(r"(?:（[^（）]*）|》|的通知)+$", "", title).endswith(word) for word in strong)
    in_title = TITLE_END * ends + TITLE_STRONG * _count(strong, title) + TITLE_WEAK * _count(doc_class.weak, title)
    return in_title + _count(strong, opening)


def _count(words: Sequence[str], text: str) -> int:
    return sum(word in text for word in words)
