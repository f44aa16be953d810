"""How likely each hit is evidence after a further stage put them in order: the last stage decides (逐级校准).

A stage gives an order, and may state a chance for each hit. Neither is calibrated, and no outside model's weights are
here to calibrate it by. What can be known is how far it agrees with the stage before: one that puts the leaders last is
wrong about the list, one that lifts a hit over them has seen something. Both probabilities are logistic regressions on
place, agreement and the probabilities before, fitted on simulated stages from an oracle over good and mediocre ones to
chance and reversed order, over questions whose regulation the stage before had not seen (``python -m training stages``).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nemo.rerank.verdict import Logistic
from nemo.types import Hit
from nemo.types.fixed_point import fixed, steady

HEAD = 20
"""Hits at least, from the first, over which agreement is taken."""

LEAST = 1e-4
"""No probability is taken for surer than this, either way."""

STATED = "stated"
"""Name among a hit's scores of the chance that a stage states itself."""

PLACED = Logistic(np.array([0.323, -1.0, 3.226, -0.289, 0.775, 0.567, 0.671, -3.118, -0.717]), -1.576)
"""Over :func:`rows`, of a stage that only gives an order."""
SPOKEN = Logistic(np.array([0.438, -0.89, 2.017, 0.768, 0.018, 0.611, 0.628, -1.828, -0.165, 0.854, -0.33]), -1.168)
"""Over :func:`rows`, of a stage that states chances."""
WHOLE = Logistic(np.array([0.656, 0.635, -0.217, 0.383, -1.672]), -0.135)
"""Over :func:`whole_row`: whether the list holds an answer at all."""


def after(before: Sequence[Hit], ranked: Sequence[Hit]) -> list[Hit]:
    """Return ``ranked`` with the probabilities that follow from its order.

    Each hit ``before`` has its ``probability`` and the list's ``answerable``; those of ``ranked`` that the stage
    looked at may carry :data:`STATED`.
    """
    if not ranked:
        return []
    places = {hit.chunk.id: place for place, hit in enumerate(before)}
    order = np.array([places[hit.chunk.id] for hit in ranked])
    chances = np.array([hit.scores["probability"] for hit in before])
    stated = np.array([hit.scores[STATED] for hit in ranked if STATED in hit.scores])
    if not len(stated) and (order == np.arange(len(order))).all():
        return list(ranked)  # it agrees and says nothing more
    head = head_of(order, len(stated))
    found = chances_after(order[:head], chances, stated if len(stated) else None)
    whole = float(WHOLE(whole_row(before[0].scores["answerable"], found[0], chances[0], order[:head], chances)))
    behind = np.minimum(chances[order[head:]], found[-1])
    every = np.minimum.accumulate(np.concatenate([found, behind])).tolist()
    return [
        replace(hit, score=chance, scores={**_without(hit), "probability": chance, "answerable": whole})
        for hit, chance in zip(ranked, every, strict=True)
    ]


def _without(hit: Hit) -> dict[str, float]:
    """Return the scores of a hit but what the stage stated: the next one speaks for itself."""
    return {name: score for name, score in hit.scores.items() if name != STATED}


def head_of(order: np.ndarray, stated: int) -> int:
    """Return how many hits, from the first, the stage looked at: those it spoke of; else as far as it moved one."""
    return stated or min(len(order), max(HEAD, int(np.flatnonzero(order != np.arange(len(order)))[-1]) + 1))


def chances_after(order: np.ndarray, chances: np.ndarray, stated: np.ndarray | None) -> np.ndarray:
    """Return (n,) the probability of each hit in the new order; never rising.

    Args:
        order: (n,) place before of each hit, in the new order.
        chances: (m,) probabilities before, in the order before.
        stated: (n,) what the stage itself states, None when it only gives an order.
    """
    model = PLACED if stated is None else SPOKEN
    return np.minimum.accumulate(model(rows(order, chances, stated)))


def rows(order: np.ndarray, chances: np.ndarray, stated: np.ndarray | None) -> np.ndarray:
    """Return (n, 9 or 11) what the probability of each hit is read from."""
    count = len(order)
    own = log_odds(chances[order])
    agreed, sunk = agreement(order, chances)
    place = steady(np.log1p(np.arange(count)))
    first = (np.arange(count) == 0).astype(float)
    every = [np.full(count, agreed), np.full(count, sunk)]
    columns = [own, place, first, *every, own * sunk, place * sunk, first * sunk, place * agreed]
    if stated is not None:
        said = log_odds(stated)
        columns += [said, said * sunk]
    return np.stack(columns, axis=1)


def whole_row(whole: float, first: float, leader: float, order: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """Return (5,) what the probability of an answer is read from.

    Args:
        whole: That probability by the stage before.
        first: Probability now of the hit that is first now.
        leader: Probability before of the hit that was first before.
        order: See :func:`chances_after`.
        chances: See :func:`chances_after`.
    """
    return np.array([*log_odds(np.array([whole, first, leader])), *agreement(order, chances)])


def agreement(order: np.ndarray, chances: np.ndarray) -> tuple[float, float]:
    """Return Kendall's tau of the two orders, and how far down (0 to 1) what was likely before stands now."""
    count = len(order)
    if count < 2:
        return 1.0, 0.0
    above = np.sign(order[None, :] - order[:, None])[np.triu_indices(count, 1)]
    weights = fixed(chances[order], 30)
    sunk = float((weights * np.arange(count)).sum() / max(float(weights.sum()), LEAST) / (count - 1))
    return float(above.sum()) / len(above), sunk


def log_odds(chances: np.ndarray) -> np.ndarray:
    """Return the log-odds of probabilities, none surer than :data:`LEAST`."""
    kept = np.clip(chances, LEAST, 1 - LEAST)
    return steady(np.log(kept / (1 - kept)))
