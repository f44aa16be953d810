"""What the trees' sums mean: how likely each hit is evidence, where the list ends, whether there is an answer at all (判定).

All of it is logistic regression on a few numbers, fitted on questions whose regulation the trees had not seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nemo.types.fixed_point import fixed, steady

NEAREST = 20
"""How many sums, from the best, share the probability."""

SIGNS = [
    "ms_both",
    "ms_text",
    "ms_low",
    "ms_close",
    "ms_top",
    "ms_res",
    "d_full",
    "d_text",
    "p_any",
    "p_rel",
    "p_miss",
    "w_any",
    "w_miss",
    "w_missing",
    "rev",
    "sum",
    "asked_size",
    "asked_words",
    "res_share",
    "asks_values",
    "asks_value_fact",
    "asks_value_formula",
    "asks_value_fee",
]
"""Features of the first hit that tell whether it answers."""

HIGHEST = ("ms_both", "p_any", "w_any", "d_full")
LOWEST = ("p_miss", "w_miss", "w_missing")
"""Features whose best value in the whole list tells it too."""

FIRST = (1, 2, 3, 5)
"""Of so many hits from the first, the one that lacks least of the values asked for tells it too."""


SURE = 0.7
"""Probability of the first hit that answers even when the list as a whole is doubtful, if the question has a word of the
field: some hit looks best to an instruction or to small talk, too."""
FLOOR = 0.1
"""Below this probability of any answer nothing is sure: in a short list some hit always looks best."""

USUAL, STEEP, LEAST = 0.15, 12.0, 0.04
"""Strangeness of a question (``nemo/rerank/strangeness.py``) at which the probability of an answer counts as it is, how fast its
log-odds fall with more of it, and the probability below which the plainest question is refused."""
FEW = 20
"""Candidates below which plain words are no reason to answer: in a short list some hit always looks best."""
LIKELY = 0.5
"""A question no stranger than ``USUAL`` is answered from ``LEAST`` on where the first hit is as likely as this."""
FOREIGN = 0.35
"""Nothing is sure for a stranger question."""
TITLED, PROBABLE, OWN_WORDS = 0.42, 0.4, 0.4
"""Nearness of the first hit's headings to a question, and its probability, from which it answers what is asked in
strange words, up to this share of them (国企拖欠小公司货款 of 保障中小企业款项支付条例)."""


@dataclass(frozen=True)
class Logistic:
    """Logistic regression: ``1 / (1 + exp(-(x @ weights + bias)))``."""

    weights: np.ndarray
    bias: float

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Logistic:
        """Read from a model card; raises KeyError, TypeError or ValueError when it is damaged."""
        return cls(np.array(data["weights"], np.float64), float(data["bias"]))

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Return one probability per row."""
        odds = fixed(rows * self.weights, 36).sum(axis=-1) + self.bias
        out: np.ndarray = 1 / (1 + steady(np.exp(-np.clip(odds, -30, 30))))
        return out


@dataclass(frozen=True)
class Calibration:
    """The fitted judgement of one model."""

    chance: Logistic
    answer: Logistic
    sure: Logistic
    """From the probability of the first hit and of an answer to how often the first hit is right."""
    threshold: float
    """Probability of an answer below which nothing is offered."""
    least: float
    """The list ends before the first hit whose probability is a smaller share of the best one's."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Calibration:
        """Read from a model card; raises KeyError, TypeError or ValueError when it is damaged."""
        return cls(
            Logistic.of(data["chance"]),
            Logistic.of(data["answer"]),
            Logistic.of(data["sure"]),
            float(data["threshold"]),
            float(data["least"]),
        )

    def chances(self, sums: np.ndarray) -> np.ndarray:
        """Return for each hit of an ordered list the probability that it is evidence; never rising."""
        found = self.chance(chance_rows(sums))
        return np.minimum.accumulate(found)

    def answerable(self, rows: np.ndarray, sums: np.ndarray, at: Mapping[str, int]) -> float:
        """Return the probability that the list holds an answer.

        Args:
            rows: (n, features) of the ordered list.
            sums: (n,) the trees' sums, falling.
            at: Column of each feature.
        """
        return float(self.answer(answer_row(rows, sums, at)))

    def weighed(self, whole: float, strange: float) -> float:
        """Return the probability of an answer to a question of this strangeness, to be held against ``threshold``."""
        odds = whole / max(1 - whole, 1e-9) * math.exp(STEEP * (USUAL - strange))
        return float(steady(np.array(odds / (1 + odds)))) if whole >= LEAST else 0.0

    def vouches(self, whole: float, chance: float, strange: float, *, in_field: bool, headed: float) -> bool:
        """Tell whether the first hit alone is reason enough to answer; ``headed`` is how near its headings are."""
        sure = whole >= FLOOR and chance >= SURE and strange < FOREIGN and in_field
        titled = whole >= FLOOR and chance >= PROBABLE and strange < OWN_WORDS and headed >= TITLED
        return sure or titled or (whole >= LEAST and chance >= LIKELY and strange < USUAL)

    def confidence(self, chance: float, answerable: float) -> float:
        """Return how often the first hit is right when its probability and that of an answer are these."""
        return float(self.sure(sure_row(chance, answerable)))

    def keep(self, chances: Sequence[float], most: int) -> int:
        """Return how many hits of an ordered list are evidence, at least one."""
        weak = [at for at, chance in enumerate(chances[:most]) if chance < self.least * chances[0]]
        return weak[0] if weak else min(len(chances), most)


def sure_row(chance: float, answerable: float) -> np.ndarray:
    """Return what the confidence is read from: the log-odds of both and their product."""
    both = np.clip(np.array([chance, answerable], np.float64), 1e-3, 1 - 1e-3)
    odds = steady(np.log(both / (1 - both)))
    return np.append(odds, odds.prod())


def chance_rows(sums: np.ndarray) -> np.ndarray:
    """Return (n, 5) what the probability of each hit of an ordered list is read from."""
    best = sums[0]
    second = sums[1] if len(sums) > 1 else best - 3.0
    nearest = fixed(steady(np.exp(sums[:NEAREST] - best)), 40)
    shares = sums - best - steady(np.log(nearest.sum()))
    ahead = sums - np.where(np.arange(len(sums)) == 0, second, best)
    return np.stack([sums, shares, ahead, np.full(len(sums), best), steady(np.log1p(np.arange(len(sums))))], axis=1)


def answer_row(rows: np.ndarray, sums: np.ndarray, at: Mapping[str, int]) -> np.ndarray:
    """Return what the probability of an answer is read from; see :meth:`Verdict.answerable`."""
    gaps = [sums[0] - sums[min(place, len(sums) - 1)] for place in (1, 4, 19)]
    shares = fixed(steady(np.exp(sums[:NEAREST] - sums[0])), 40)
    shares /= shares.sum()
    spread = -fixed(shares * steady(np.log(shares + 1e-9)), 40).sum()
    own = [rows[0, at[name]] for name in SIGNS]
    highest = [rows[:, at[name]].max() for name in HIGHEST]
    lowest = [rows[:, at[name]].min() for name in LOWEST]
    lacking = [rows[:first, at["lacks_values"]].min() for first in FIRST]
    return np.array([sums[0], *gaps, sums[:5].mean(), spread, *highest, *own, *lowest, *lacking], np.float64)
