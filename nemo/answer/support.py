"""What another answer says of the candidates: of a follow-up the one before it, of a part the one to the whole (旁证)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nemo.types import Hit, Ranked

LEANS = 4.0
"""By how much the odds rise that a follow-up is answered from a regulation the answer before it quoted."""

WHOLE = 2.0
"""By how much the odds rise, at a probability of 1, that a part is answered from what answers the whole question."""


def leaning(hits: Sequence[Hit], regulation_ids: frozenset[str]) -> list[Hit]:
    """Return the hits in the order of their chances when some regulations are likelier beforehand, best first."""
    return _by_chance(_likelier(h, LEANS) if h.chunk.regulation_id in regulation_ids else h for h in hits)


def supported(hits: Sequence[Hit], whole: Sequence[Ranked]) -> list[Hit]:
    """Return the hits of a part in the order of their chances when the whole question is answered from some, best first."""

    def of(hit: Hit) -> float:
        here = (
            r.score for r in whole if r.regulation_id == hit.chunk.regulation_id and r.span.overlaps(hit.chunk.span)
        )
        return max(here, default=0.0)

    chances = [hit.score for hit in hits]
    order = _by_chance(_likelier(hit, WHOLE ** of(hit)) for hit in hits)
    return [_with_chance(hit, chance) for hit, chance in zip(order, chances, strict=True)]


def _likelier(hit: Hit, odds: float) -> Hit:
    return _with_chance(hit, odds * hit.score / (1 - hit.score + odds * hit.score))


def _with_chance(hit: Hit, chance: float) -> Hit:
    return replace(hit, score=chance, scores={**hit.scores, "probability": chance})


def _by_chance(hits: Iterable[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda h: -h.score)
