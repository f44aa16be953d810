"""Tunes the built-in embedder by cross-fitting and compares what retrieval brings up (向量模型调优)."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, cast

import numpy as np

from nemo.answer.retrieve import Retriever
from nemo.embed.builtin import BuiltinEmbedder
from nemo.evaluation.golden import of_ranks
from nemo.store.library import Library
from nemo.train import table
from nemo.train.figures import TrainingComparison, TrainingMeasures, compare
from nemo.train.folds import folds
from nemo.train.lists import ProgressCallback, TrainingCase, TrainingContext, candidates, rank_of, units_of
from nemo.train.space import TableSearch, TermBags

WATCHED = 400
"""Questions that say when to stop, at most."""
PATIENCE = 2
"""Epochs without a gain after which tuning stops."""
MEASURED = 1500
"""Held-out questions that are asked, at most."""


@dataclass(frozen=True, slots=True)
class TunedTable:
    """A table that may be installed."""

    table: np.ndarray
    comparison: TrainingComparison


@dataclass(frozen=True, slots=True)
class TuningData:
    """What tuning works on."""

    context: TrainingContext
    shipped: BuiltinEmbedder
    numbers: dict[str, int]
    held: TermBags
    """Every chunk."""

    def retriever(self, rows: np.ndarray) -> Retriever:
        """Return the real retriever over the vectors of another table."""
        space = TableSearch(self.context.library, self.numbers, self.held.vectors(rows))
        return Retriever(cast(Library, space), self.shipped.with_table(rows), self.context.settings)


def train(
    given: TuningData, cases: Sequence[TrainingCase], known: bool, seed: int, progress: ProgressCallback
) -> TunedTable:
    """Tune on the answerable cases and compare with the table that ships; ``known`` says that it was told the answers."""
    useful = [c for c in cases if c.gold.any()]
    asked = TermBags(given.shipped, [c.query.text for c in useful])
    fold = folds([c.labelled.group for c in useful])
    sample = _sample(np.arange(len(useful)), seed)
    ranks: dict[int, tuple[int | None, int | None]] = {}
    epochs = []
    for number in range(fold.max() + 1):
        epoch, rows = _without(given, useful, asked, fold, number, seed)
        epochs.append(epoch)
        retriever = given.retriever(rows)
        for i in sample[fold[sample] == number].tolist():
            ranks[i] = rank_of(useful[i].gold, useful[i].units), _found(retriever, useful[i], given.numbers)
        progress("向量调优", number + 1, int(fold.max()) + 1)
    pairs = list(ranks.values())
    before, after = _side([b for b, _ in pairs]), _side([a for _, a in pairs])
    final = _learn(given, useful, asked, np.arange(len(useful)), seed, int(median(epochs)))
    return TunedTable(final, compare("向量模型（检索）", before, after, seen=known))


def _sample(numbers: np.ndarray, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.sort(rng.permutation(numbers)[:MEASURED])


def _side(ranks: Sequence[int | None]) -> TrainingMeasures:
    figures = {k: v for k, v in of_ranks(ranks).items() if k != "hit@3"}
    return TrainingMeasures(figures | {"recall": fmean(r is not None for r in ranks)}, ranks)


def _found(retriever: Retriever, case: TrainingCase, numbers: dict[str, int]) -> int | None:
    """Return the rank of the first right article that retrieval brings up."""
    hits = candidates(retriever, case.query, case.named)
    gold = np.array([any(place.holds(h.chunk) for place in case.labelled.gold) for h in hits], bool)
    return rank_of(gold, units_of(hits))


def _pairs(cases: Sequence[TrainingCase], chosen: np.ndarray) -> table.TrainingPairs:
    answers = [frozenset(cases[i].chunks[cases[i].good].tolist()) for i in chosen]
    return table.TrainingPairs(
        chosen,
        np.array([cases[i].chunks[np.flatnonzero(cases[i].gold)[0]] for i in chosen]),
        [cases[i].chunks[~cases[i].good][:10] for i in chosen],
        answers,
    )


def _without(
    given: TuningData, cases: Sequence[TrainingCase], asked: TermBags, fold: np.ndarray, number: int, seed: int
) -> tuple[int, np.ndarray]:
    """Tune without one fold; the next fold says after how many epochs to stop. Returns epochs and table."""
    watch = (number + 1) % (int(fold.max()) + 1)
    watched = np.flatnonzero(fold == watch)[:WATCHED]
    rows = given.shipped.table.copy()
    best: list[Any] = [0, _near(given, cases, asked, watched, rows), rows.copy()]

    def after(epoch: int, current: np.ndarray) -> bool:
        reached = _near(given, cases, asked, watched, current)
        if reached > best[1]:
            best[:] = [epoch, reached, current.copy()]
        return bool(epoch - best[0] < PATIENCE)

    learn = np.flatnonzero((fold != number) & (fold != watch))
    if len(learn):
        table.tune(rows, asked.rows, given.held.rows, _pairs(cases, learn), seed, after)
    return best[0], best[2]


def _learn(
    given: TuningData, cases: Sequence[TrainingCase], asked: TermBags, chosen: np.ndarray, seed: int, epochs: int
) -> np.ndarray:
    rows = given.shipped.table.copy()
    if epochs:
        pairs = _pairs(cases, chosen)
        table.tune(rows, asked.rows, given.held.rows, pairs, seed, lambda epoch, _: epoch < epochs)
    return rows


def _near(
    given: TuningData, cases: Sequence[TrainingCase], asked: TermBags, chosen: np.ndarray, rows: np.ndarray
) -> float:
    """Return the mean reciprocal rank of the right chunk among the candidates, by the vectors of a table."""
    questions = asked.vectors(rows)[chosen]
    total = 0.0
    for vector, i in zip(questions, chosen.tolist(), strict=True):
        case = cases[i]
        picked = given.held.rows[case.chunks] @ rows
        scores = (picked @ vector) / np.maximum(np.linalg.norm(picked, axis=1), 1e-6)
        total += 1 / (1 + int((scores > scores[case.gold].max()).sum()))
    return total / max(1, len(chosen))
