"""The ruling on what a memo says in its own words (转述判定)."""

from __future__ import annotations

from nemo.audit.finding import MemoVerdict, TruePlace
from nemo.audit.holdings import HeldText, HeldUnit
from nemo.audit.keyed import KeyedText, keyed
from nemo.audit.scope import ClaimScope, Ruling, joined, place_of
from nemo.audit.wording import clauses, difference, wrong_value
from nemo.text.letter.titles import in_marks
from nemo.text.words.quantities import quantities
from nemo.types import Provision

_OF_THE_LAW = 0.62
"""A clause of which this share of pairs stands in one provision retells it."""
_SUPPORTED = 0.5
_ELSEWHERE = 0.8
_LONG = 10


def saying(scope: ClaimScope, words: str) -> Ruling | None:
    """Rule on words of the memo that retell a provision; None where they retell none, and nothing can be said."""
    cited, held = scope.cited(), scope.words()
    keys = [(span.of(words), keyed(words, span)) for span in clauses(words)]
    best = {text: _best(scope, key) for text, key in keys}
    legal = [(t, k) for t, k in keys if best[t][0] >= _OF_THE_LAW or _covered(cited, k) >= _OF_THE_LAW]
    if not scope.provisions:
        return _of_text(scope, words, legal, best)
    astray = [(t, k) for t, k in legal if _covered(cited, k) < _SUPPORTED and best[t][0] >= _covered(cited, k) + 0.25]
    length = sum(len(k.key) for _, k in astray)
    if length >= _LONG and length >= 0.5 * sum(len(k.key) for _, k in legal):
        if older := _older(scope, words, [k for _, k in keys], need=_OF_THE_LAW):
            return older
        unit = best[max(astray, key=lambda pair: len(pair[1].key))[0]][1]
        if unit is not None:
            return _wrong(scope.text, unit)
    if (unit := _whole(scope, words)) is not None:
        return _older(scope, words, [k for _, k in keys], need=_OF_THE_LAW) or _wrong(scope.text, unit)
    if (changed := _changed(scope, words, keys, held)) is not None:
        return _older(scope, words, [k for _, k in keys], need=_OF_THE_LAW) or changed
    if not legal:
        return _older(scope, words, [k for _, k in keys], need=_OF_THE_LAW) or _far(scope, words, keys)
    return None


def _covered(place: KeyedText, clause: KeyedText) -> float:
    """Return which share of a clause stands in a place."""
    return place.covers(clause)


def _whole(scope: ClaimScope, words: str) -> HeldUnit | None:
    """Return the other article that holds all of the words as they are, where the cited one does not."""
    key = keyed(words).key
    if len(key) < 2 * _LONG or key in scope.cited().key:
        return None
    return next((u for u in scope.others() if key in u.words.key), None)


def _best(scope: ClaimScope, clause: KeyedText) -> tuple[float, HeldUnit | None]:
    units = list(scope.others()) if scope.provisions else list(scope.text.units)
    return max(((u.words.covers(clause), u) for u in units), key=lambda pair: pair[0], default=(0.0, None))


def _wrong(text: HeldText, unit: HeldUnit) -> Ruling:
    true = place_of(text, unit.provision.span)
    return Ruling(MemoVerdict.WRONG_PROVISION, true, f"所引条款没有作此规定，见{in_marks(true.title)}{true.label}。")


def _changed(scope: ClaimScope, words: str, keys: list[tuple[str, KeyedText]], held: str) -> Ruling | None:
    """Rule on a value, duty or body that the cited words state otherwise."""
    if (wrong := wrong_value(words, held)) is not None:
        value, right = wrong
        if not _stated_elsewhere_in(held, value.same):
            true = _proof(scope, right)
            return Ruling(MemoVerdict.TEXT_DIFFERS, true, f"数值不符：原文为“{right}”，文稿写作“{_around(words)}”。")
    for text, key in keys:
        if scope.cited().covers(key) < _SUPPORTED:
            continue
        if (found := difference(text, held)) is not None:
            true = _proof(scope, found.true)
            return Ruling(
                MemoVerdict.TEXT_DIFFERS, true, f"转述与原文不符：原文为“{found.true}”，文稿写作“{found.said}”。"
            )
    return None


def _around(words: str) -> str:
    return words if len(words) <= 40 else words[:40] + "…"


def _stated_elsewhere_in(held: str, same: tuple[float, str]) -> bool:
    return any(v.same == same for v in quantities(held))


def _proof(scope: ClaimScope, value: str) -> TruePlace:
    place = scope.provisions[0].span if scope.provisions else scope.text.units[0].provision.span
    for provision in scope.provisions:
        at = scope.source.find(value, provision.span.start, provision.span.end) if value else -1
        if at >= 0:
            place = provision.span
    return place_of(scope.text, place, value=value or None)


def _older(scope: ClaimScope, words: str, keys: list[KeyedText], *, need: float) -> Ruling | None:
    """Rule that words retell an older version under the same number."""
    for text, provisions in scope.older:
        if not provisions:
            continue
        where = joined(text.regulation.text, provisions)
        length = sum(len(k.key) for k in keys)
        share = sum(where.covers(k) * len(k.key) for k in keys) / length if length else 0.0
        now = sum(scope.cited().covers(k) * len(k.key) for k in keys) / length if length else 0.0
        if share >= need and share >= now and not _contradicts(words, text, provisions):
            return Ruling(MemoVerdict.NOT_IN_FORCE, None, "", text.row)
    return None


def _contradicts(words: str, text: HeldText, provisions: tuple[Provision, ...]) -> bool:
    held = "\n".join(p.span.of(text.regulation.text) for p in provisions)
    if wrong_value(words, held) is not None:
        return True
    return any(difference(s.of(words), held) is not None for s in clauses(words))


def _of_text(
    scope: ClaimScope, words: str, legal: list[tuple[str, KeyedText]], best: dict[str, tuple[float, HeldUnit | None]]
) -> Ruling | None:
    """Rule on words that retell a text cited as a whole: each clause against the article it retells."""
    for text, _ in legal:
        unit = best[text][1]
        if unit is None:
            continue
        held = unit.provision.span.of(scope.source)
        near = ClaimScope(scope.holdings, scope.text, (unit.provision,))
        if (ruling := _changed(near, text, [(text, keyed(text))], held)) is not None:
            return ruling
    return None


def _far(scope: ClaimScope, words: str, keys: list[tuple[str, KeyedText]]) -> Ruling | None:
    """Rule on words that nothing in the cited text says and another text does."""
    long = [k for _, k in keys if len(k.key) >= _LONG]
    if not long:
        return None
    for text in scope.holdings.elsewhere(words, [scope.text.row.id]):
        for unit in text.units:
            length = sum(len(k.key) for k in long)
            if sum(unit.words.covers(k) * len(k.key) for k in long) / length >= _ELSEWHERE:
                return _wrong(text, unit)
    return None
