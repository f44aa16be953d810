"""Fits what the sums mean (``nemo/rerank/verdict.py``): probabilities, the threshold of refusal, where lists end (校准).

A library's own questions may be thirty: every fit starts from the judgement that ships and leaves it only as far as the
questions say so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

import numpy as np

from nemo.rerank.domain import MOST
from nemo.rerank.verdict import Calibration, Logistic, answer_row, chance_rows, sure_row
from nemo.train.lists import TrainingCase, rank_of

DEPTH = 10
"""Candidates of each list that say what a sum means; none below is ever offered."""

PRIOR = 20.0
"""How many questions' worth of evidence the judgement that ships weighs."""

FALSE_REFUSALS = 0.04
"""Share of answerable questions that may be refused at most."""

SHARES = (0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
"""What share of the best probability may end a list."""

SECONDARY = 100
"""Questions with secondary provisions from which on the end of lists is fitted: without them every list looks too long."""


@dataclass(frozen=True, slots=True)
class ScoredCase:
    """A case with its sums, best first."""

    case: TrainingCase
    sums: np.ndarray

    @classmethod
    def of(cls, case: TrainingCase, sums: np.ndarray) -> ScoredCase:
        """Order a case by its sums."""
        order = np.argsort(-sums, kind="stable")
        return cls(case.without(order), sums[order])

    @property
    def rank(self) -> int | None:
        """Rank of the first gold article, from 1; None when it is not among the candidates."""
        return rank_of(self.case.gold, self.case.units)


def confidence(verdict: Calibration, scored: ScoredCase, at: Mapping[str, int]) -> float:
    """Return how sure an answer is of its first provision, as ``DomainReranker.judge`` does."""
    return verdict.confidence(_chance(verdict, scored), verdict.answerable(scored.case.rows, scored.sums, at))


def _chance(verdict: Calibration, scored: ScoredCase) -> float:
    return float(verdict.chances(scored.sums)[0])


def answers(verdict: Calibration, scored: ScoredCase, at: Mapping[str, int]) -> bool:
    """Tell whether the ranker would answer, as ``DomainReranker.judge`` does."""
    whole, sure = _signs(verdict, scored, at)
    return sure or whole >= verdict.threshold


def _signs(verdict: Calibration, scored: ScoredCase, at: Mapping[str, int]) -> tuple[float, bool]:
    """Return the weighed probability that a list holds an answer, and whether its first hit alone is reason enough."""
    whole, strange = verdict.answerable(scored.case.rows, scored.sums, at), scored.case.strange
    first, chance, in_field = scored.case.rows[0], _chance(verdict, scored), bool(scored.case.lexical[0])
    headed = float(first[at["d_head"]]) if first[at["title_place"]] >= 0 else -1.0
    return verdict.weighed(whole, strange), verdict.vouches(whole, chance, strange, in_field=in_field, headed=headed)


def fit(
    scored: Sequence[ScoredCase], refusable: Sequence[ScoredCase], shipped: Calibration, at: Mapping[str, int]
) -> Calibration:
    """Fit the judgement, starting from the shipped one; ``at`` is the column of each feature."""
    rows = np.concatenate([chance_rows(s.sums)[:DEPTH] for s in scored])
    good = np.concatenate([s.case.good[:DEPTH] for s in scored])
    chance = logistic(rows, good, np.ones(len(rows)), shipped.chance)
    verdict = replace(shipped, chance=chance)
    if refusable:
        verdict = replace(verdict, answer=_answer(scored, refusable, shipped, at))
        verdict = replace(verdict, threshold=_threshold(verdict, scored, refusable, at))
    verdict = replace(verdict, sure=_sure(verdict, scored, at))
    return replace(verdict, least=_least(verdict, scored))


def _answer(
    scored: Sequence[ScoredCase], refusable: Sequence[ScoredCase], shipped: Calibration, at: Mapping[str, int]
) -> Logistic:
    both = [*scored, *refusable]
    rows = np.stack([answer_row(s.case.rows, s.sums, at) for s in both])
    held = np.array([s.case.answerable for s in both])
    fewer = min(len(scored), len(refusable))
    weights = np.where(held, fewer / len(scored), fewer / len(refusable))  # as many of each, whatever was handed in
    return logistic(rows, held, weights, shipped.answer)


def _sure(verdict: Calibration, scored: Sequence[ScoredCase], at: Mapping[str, int]) -> Logistic:
    """Fit the confidence on what would be answered: how often is the first provision right?"""
    offered = [s for s in scored if answers(verdict, s, at)]
    if not offered:
        return verdict.sure
    rows = [sure_row(_chance(verdict, s), verdict.answerable(s.case.rows, s.sums, at)) for s in offered]
    right = np.array([s.case.good[0] for s in offered], bool)
    return logistic(np.stack(rows), right, np.ones(len(rows)), verdict.sure)


def logistic(rows: np.ndarray, labels: np.ndarray, weights: np.ndarray, prior: Logistic) -> Logistic:
    """Fit a logistic regression by Newton's method, drawn towards a prior one (极大后验); ``PRIOR`` says how near.

    ``rows`` are (n, d), ``labels`` (n,) bool, ``weights`` (n,) how much each counts.
    """
    scale = np.maximum(rows.std(axis=0), 1e-6)
    inputs = np.concatenate([rows / scale, np.ones((len(rows), 1))], axis=1)
    start = np.append(prior.weights * scale, prior.bias)
    pull = np.full(len(start), PRIOR)
    pull[-1] = 1.0  # how many questions have an answer differs most from library to library
    found = start.copy()
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        slope = inputs.T @ (weights * (chance - labels)) + pull * (found - start)
        bend = (inputs * (weights * np.maximum(chance * (1 - chance), 1e-6))[:, None]).T @ inputs + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        found = found - step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-9))
        if float(np.abs(step).max()) < 1e-6:
            break
    return Logistic(found[:-1] / scale, float(found[-1]))


def _threshold(
    verdict: Calibration, scored: Sequence[ScoredCase], refusable: Sequence[ScoredCase], at: Mapping[str, int]
) -> float:
    """Return the threshold with the best mean of answering and refusing among those with few false refusals."""
    held = [_signs(verdict, s, at) for s in scored]
    none = [_signs(verdict, s, at) for s in refusable]
    best, chosen = -1.0, verdict.threshold
    for threshold in np.unique(np.quantile([whole for whole, _ in (*held, *none)], np.linspace(0, 1, 101))).tolist():
        missed = fmean(not (sure or whole >= threshold) for whole, sure in held)
        refused = fmean(not (sure or whole >= threshold) for whole, sure in none)
        if (missed <= FALSE_REFUSALS or best < 0) and refused - missed > best:
            best, chosen = refused - missed, threshold
    return chosen


def _least(verdict: Calibration, scored: Sequence[ScoredCase]) -> float:
    """Return where lists end best: the mean of precision and recall of what is kept."""
    answered = [s for s in scored if s.case.good.any() and len(s.case.labelled.good) > len(s.case.labelled.gold)]
    if len(answered) < SECONDARY:
        return verdict.least
    tried = {share: _kept_well(replace(verdict, least=share), answered) for share in SHARES}
    return max(tried, key=lambda share: (tried[share], share))


def _kept_well(verdict: Calibration, scored: Sequence[ScoredCase]) -> float:
    total = 0.0
    for each in scored:
        kept = each.case.good[: verdict.keep(verdict.chances(each.sums).tolist(), MOST)]
        total += 2 * kept.sum() / (len(kept) + min(int(each.case.good.sum()), MOST))
    return total / len(scored)
