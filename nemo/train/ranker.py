"""Trains the ranker by cross-fitting: every question is judged by trees that saw none about its work (交叉拟合)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import numpy as np

from nemo.rerank.domain import Model
from nemo.rerank.verdict import Calibration
from nemo.train import judging, trees
from nemo.train.figures import Judged, TrainingComparison, TrainingMeasures, compare, judged
from nemo.train.judging import ScoredCase
from nemo.train.lists import ProgressCallback, TrainingCase, withheld

T = TypeVar("T")

FEWEST = 30
"""Questions without an answer from which on they teach refusal; below, the judgement that ships stays, and withheld works
only measure it."""


@dataclass(frozen=True, slots=True)
class Trained:
    """A ranker that may be installed."""

    grown: trees.AddedTrees
    verdict: Calibration
    comparison: TrainingComparison
    tried: tuple[TrainingComparison, ...]
    """Everything that was compared; :attr:`comparison` is the last of it."""
    simulated: bool
    """Whether refusal was measured on withheld works."""


@dataclass(frozen=True, slots=True)
class RankerFold:
    """What cross-fitting works on."""

    cases: Sequence[TrainingCase]
    fold: np.ndarray
    shipped: Model
    seen: bool = False
    """Whether the shipped model was told the answers."""

    @property
    def at(self) -> dict[str, int]:
        """Column of each feature."""
        return {name: column for column, name in enumerate(self.shipped.names)}

    @property
    def simulated(self) -> bool:
        """Whether there are too few questions without an answer."""
        return sum(not c.answerable for c in self.cases) < FEWEST

    def grown_without(self, held: int, seed: int) -> trees.AddedTrees:
        """Grow trees for one fold: the next fold says when to stop, the others teach."""
        watch = (held + 1) % (int(self.fold.max()) + 1)
        sides = list(zip(self.cases, self.fold.tolist(), strict=True))
        learn = [c for c, f in sides if f not in (held, watch)]
        return trees.grow(learn, [c for c, f in sides if f == watch], seed)


def train(fold_set: RankerFold, seed: int, progress: ProgressCallback) -> Trained:
    """Train on all cases and compare with the model that ships; where the order gets no better, only the judgement."""
    grown = []
    for held in range(int(fold_set.fold.max()) + 1):
        grown.append(fold_set.grown_without(held, seed))
        progress("交叉拟合", held + 1, int(fold_set.fold.max()) + 1)
    comparison, verdict = _tried(fold_set, grown, "重排（续训）")
    if comparison.better or not any(g.rounds for g in grown):
        rounds = int(median(g.rounds for g in grown))
        return Trained(
            trees.grow(fold_set.cases, (), seed, rounds), verdict, comparison, (comparison,), fold_set.simulated
        )
    none = trees.AddedTrees(None, 0)
    judged_only, verdict = _tried(fold_set, [none] * len(grown), "重排（次序不变，只校准判断）")
    return Trained(none, verdict, judged_only, (comparison, judged_only), fold_set.simulated)


def _tried(
    fold_set: RankerFold, grown: Sequence[trees.AddedTrees], part: str
) -> tuple[TrainingComparison, Calibration]:
    """Compare trees, one set for each fold, with those that ship; return that and the judgement fitted on everything."""
    fold, at, shipped = fold_set.fold, fold_set.at, fold_set.shipped.verdict
    new = [ScoredCase.of(case, grown[f].sums(case)) for case, f in zip(fold_set.cases, fold, strict=True)]
    halves = _Halves(fold_set.cases, fold, grown if fold_set.simulated else [])
    verdicts = [_fit(_chosen(new, fold != held), shipped, at) for held in range(int(fold.max()) + 1)]
    before = [(ScoredCase.of(case, case.base), shipped) for case in fold_set.cases]
    after = [(s, verdicts[f]) for s, f in zip(new, fold, strict=True)]
    after_halves = [(s, verdicts[f]) for s, f in zip(halves.new, halves.fold, strict=True)]
    old_side = _side([*before, *((s, shipped) for s in halves.old)], at)
    new_side = _side([*after, *after_halves], at)
    return compare(part, old_side, new_side, real=not fold_set.simulated, seen=fold_set.seen), _fit(new, shipped, at)


class _Halves:
    """The answerable questions once more, as if their works were not held; none when that is not needed."""

    def __init__(self, cases: Sequence[TrainingCase], fold: np.ndarray, grown: Sequence[trees.AddedTrees]) -> None:
        self.fold = np.empty(0, np.int64)
        self.old: list[ScoredCase] = []
        self.new: list[ScoredCase] = []
        if not grown:
            return
        places = []
        for case, f in zip(cases, fold.tolist(), strict=True):
            for made in withheld([case]):
                places.append(f)
                self.old.append(ScoredCase.of(made, made.base))
                self.new.append(ScoredCase.of(made, grown[f].sums(made)))
        self.fold = np.array(places, np.int64)


def _chosen(values: Sequence[T], mask: Sequence[bool] | np.ndarray) -> list[T]:
    return [value for value, chosen in zip(values, mask, strict=True) if chosen]


def _fit(scored: Sequence[ScoredCase], shipped: Calibration, at: Mapping[str, int]) -> Calibration:
    held = [s for s in scored if s.case.answerable]
    return judging.fit(held, [s for s in scored if not s.case.answerable], shipped, at)


def _side(entries: Sequence[Judged], at: Mapping[str, int]) -> TrainingMeasures:
    held = [e for e in entries if e[0].case.answerable]
    return judged(held, [e for e in entries if not e[0].case.answerable], at)
