"""What another answer says of the candidates: of a follow-up the one before it, of a part the one to the whole (旁证)."""

from collections.abc import Sequence

from nemo.types import Hit, Ranked

LEANS = 4.0
"""By how much the odds rise that a follow-up is answered from a regulation the answer before it quoted."""

WHOLE = 2.0
"""By how much the odds rise, at a probability of 1, that a part is answered from what answers the whole question."""

DOUBTFUL, SURE = 0.5, 0.8
"""A part whose own words lead nowhere surely is answered from what surely answers the whole, within one text."""


def leaning(hits: Sequence[Hit], regulation_ids: frozenset[str]) -> list[Hit]:
    """Return the hits in the order of their chances when some regulations are likelier beforehand, best first."""
    likelier = [
        _with_chance(hit, _likelier(hit.score, LEANS)) if hit.chunk.regulation_id in regulation_ids else hit
        for hit in hits
    ]
    return sorted(likelier, key=lambda hit: -hit.score)


def supported(hits: Sequence[Hit], whole: Sequence[Ranked]) -> list[Hit]:
    """Return the hits of a part in the order of their chances when the whole question is answered from some, best first."""
    of_text: dict[str, list[Ranked]] = {}
    for one in whole:
        of_text.setdefault(one.regulation_id, []).append(one)

    doubtful = bool(whole) and bool(hits) and hits[0].score < DOUBTFUL and whole[0].score >= SURE
    own = doubtful and hits[0].chunk.regulation_id == whole[0].regulation_id

    def chance(hit: Hit) -> float:
        if own and hit.chunk.regulation_id == whole[0].regulation_id and whole[0].span.overlaps(hit.chunk.span):
            return 1.0
        here = (r.score for r in of_text.get(hit.chunk.regulation_id, ()) if r.span.overlaps(hit.chunk.span))
        return _likelier(hit.score, WHOLE ** max(here, default=0.0))

    order = sorted(hits, key=lambda hit: -chance(hit))
    return [_with_chance(hit, held.score) for hit, held in zip(order, hits, strict=True)]


def _likelier(chance: float, odds: float) -> float:
    return odds * chance / (1 - chance + odds * chance)


def _with_chance(hit: Hit, chance: float) -> Hit:
    return Hit(hit.chunk, chance, {**hit.scores, "probability": chance})
