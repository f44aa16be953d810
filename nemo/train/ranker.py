"""Trains the ranker by cross-fitting: every question is judged by trees that saw none about its work (交叉拟合)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from nemo.rerank.domain import Model
from nemo.rerank.verdict import Verdict
from nemo.train import judging, trees
from nemo.train.figures import Comparison, Judged, Side, compare, judged
from nemo.train.folds import folds
from nemo.train.judging import Scored
from nemo.train.lists import Case, Told, withheld

FEWEST = 30
"""Questions without an answer from which on they alone teach refusal; below, withheld works are added."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A ranker that may be installed."""

    grown: trees.Grown
    verdict: Verdict
    comparison: Comparison
    simulated: bool
    """Whether refusal was learned from withheld works too."""


def train(cases: Sequence[Case], measured: Sequence[bool], shipped: Model, seed: int, told: Told) -> Trained:
    """Train on all cases and compare with the model that ships, on those that are ``measured``.

    Args:
        cases: All questions, in a fixed order.
        measured: For each, whether it counts in the comparison.
        shipped: The model to start from.
        seed: Makes the result repeatable.
        told: Told of the progress.
    """
    at = {name: column for column, name in enumerate(shipped.names)}
    fold = folds([c.labelled.group for c in cases])
    grown = [_grow_without(cases, fold, held, seed, told) for held in range(fold.max() + 1)]
    new = [Scored.of(case, grown[f].sums(case)) for case, f in zip(cases, fold, strict=True)]
    old = [Scored.of(case, case.base) for case in cases]
    refusable = [i for i, c in enumerate(cases) if not c.answerable]
    simulated = len(refusable) < FEWEST
    halves = _Halves(cases, fold, grown if simulated else [])
    verdicts = [_fit(new, fold != held, halves.new, halves.fold != held, shipped, at) for held in range(fold.max() + 1)]
    before = _side([(s, shipped.verdict) for s in old], measured, [(s, shipped.verdict) for s in halves.old], at)
    after_refusable = [(s, verdicts[f]) for s, f in zip(halves.new, halves.fold, strict=True)]
    after = _side([(s, verdicts[f]) for s, f in zip(new, fold, strict=True)], measured, after_refusable, at)
    count = sum(m and not c.answerable for m, c in zip(measured, cases, strict=True)) + len(halves.old)
    everything = np.ones(len(fold), bool)
    verdict = _fit(new, everything, halves.new, np.ones(len(halves.fold), bool), shipped, at)
    rounds = int(median(g.rounds for g in grown))
    final = trees.grow(cases, (), seed, rounds)
    return Trained(final, verdict, compare("重排（排序与拒答）", before, after, count), simulated)


class _Halves:
    """The answerable questions once more, as if their works were not held; none when that is not needed."""

    def __init__(self, cases: Sequence[Case], fold: np.ndarray, grown: Sequence[trees.Grown]) -> None:
        self.fold = np.empty(0, np.int64)
        self.old: list[Scored] = []
        self.new: list[Scored] = []
        if not grown:
            return
        places = []
        for case, f in zip(cases, fold.tolist(), strict=True):
            for made in withheld([case]):
                places.append(f)
                self.old.append(Scored.of(made, made.base))
                self.new.append(Scored.of(made, grown[f].sums(made)))
        self.fold = np.array(places, np.int64)


def _grow_without(cases: Sequence[Case], fold: np.ndarray, held: int, seed: int, told: Told) -> trees.Grown:
    """Grow trees for one fold: the next fold says when to stop, the others teach."""
    count = int(fold.max()) + 1
    watch = (held + 1) % count
    learn = [c for c, f in zip(cases, fold, strict=True) if f not in (held, watch)]
    grown = trees.grow(learn, [c for c, f in zip(cases, fold, strict=True) if f == watch], seed)
    told("交叉拟合", held + 1, count)
    return grown


def _fit(
    scored: Sequence[Scored],
    chosen: np.ndarray,
    extra: Sequence[Scored],
    extra_chosen: np.ndarray,
    shipped: Model,
    at: dict[str, int],
) -> Verdict:
    used = [s for s, c in zip(scored, chosen, strict=True) if c]
    held = [s for s in used if s.case.answerable]
    none = [s for s in used if not s.case.answerable] + [s for s, c in zip(extra, extra_chosen, strict=True) if c]
    return judging.fit(held, none, shipped.verdict, at)


def _side(entries: Sequence[Judged], measured: Sequence[bool], extra: Sequence[Judged], at: dict[str, int]) -> Side:
    used = [e for e, m in zip(entries, measured, strict=True) if m]
    held = [e for e in used if e[0].case.answerable]
    return judged(held, [*(e for e in used if not e[0].case.answerable), *extra], at)
