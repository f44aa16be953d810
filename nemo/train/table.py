"""Tunes the table of the built-in embedder on questions: right provisions nearer, the retriever's mistakes farther (调优).

Contrastive learning with in-batch and hard negatives, in NumPy and SciPy: the gradient of a table of terms is a sparse
product. Terms are dropped at random, so that no single word is learned by heart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BATCH = 192
NEGATIVES = 2
"""Hard negatives of each question in a batch."""
TEMPERATURE = 0.05
DROPPED = 0.3
"""Share of the terms left out of each text at each step."""
RATE = 6e-4
EPOCHS = 12


@dataclass(frozen=True, slots=True)
class TrainingPairs:
    """Questions with a chunk that answers each, and chunks that retrieval mistook for it."""

    questions: np.ndarray
    """(n,) row of each question."""
    right: np.ndarray
    """(n,) number of the chunk that answers."""
    wrong: Sequence[np.ndarray]
    """Numbers of chunks that do not."""
    answers: Sequence[frozenset[int]]
    """Every chunk that answers: never a negative."""


def tune(
    table: np.ndarray,
    asked: csr_array,
    held: csr_array,
    pairs: TrainingPairs,
    seed: int,
    after: Callable[[int, np.ndarray], bool],
) -> None:
    """Tune a table, (terms, dim) float32, in place on the bags of the questions and chunks.

    ``after`` is told the number of each finished epoch and the table; False ends it.
    """
    rng = np.random.default_rng(seed)
    scale = float(np.abs(table).mean()) / 0.06  # the rate is for entries of this size
    steps = Adam(table)
    for epoch in range(1, EPOCHS + 1):
        order = rng.permutation(len(pairs.questions))
        for start in range(0, len(order), BATCH):
            said, slope = _drawn(table, asked, held, pairs, order[start : start + BATCH], rng)
            steps.step(table, said, slope, RATE * scale)
        if not after(epoch, table):
            return


def _drawn(
    table: np.ndarray,
    asked: csr_array,
    held: csr_array,
    pairs: TrainingPairs,
    chosen: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and slopes of one batch of questions with their answers and hard negatives."""
    wrong = [rng.choice(pairs.wrong[i], min(NEGATIVES, len(pairs.wrong[i])), replace=False) for i in chosen]
    chunks = np.concatenate([pairs.right[chosen], *wrong]).astype(np.int64)
    questions = dropped(asked[pairs.questions[chosen]], rng, DROPPED)
    passages = dropped(held[chunks], rng, DROPPED)
    return slopes(table, questions, passages, _other_answers(pairs, chosen, chunks))


def slopes(
    table: np.ndarray, questions: csr_array, passages: csr_array, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows that a batch uses, and their slopes: in-batch contrast over cosines (InfoNCE, van den Oord 2018).

    Args:
        table: (terms, dim).
        questions: (n, terms); question ``i`` belongs to passage ``i``.
        passages: (n or more, terms).
        other: (n, passages) bool: never a negative.
    """
    from scipy.sparse import csr_array

    q, q_length = _unit(questions @ table)
    d, d_length = _unit(passages @ table)
    shares = q @ d.T / np.float32(TEMPERATURE)
    shares[other] = -1e4
    shares -= shares.max(axis=1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=1, keepdims=True)
    shares[np.arange(len(q)), np.arange(len(q))] -= 1
    shares /= TEMPERATURE * len(q)
    used = np.zeros(len(table), bool)
    used[questions.indices] = used[passages.indices] = True
    said, place = np.flatnonzero(used), np.cumsum(used) - 1

    def narrow(rows: csr_array) -> csr_array:
        return csr_array((rows.data, place[rows.indices], rows.indptr), shape=(rows.shape[0], len(said)))

    slope = narrow(questions).T @ _through(shares @ d, q, q_length)
    slope += narrow(passages).T @ _through(shares.T @ q, d, d_length)
    return said, np.asarray(slope, np.float32)


def _other_answers(pairs: TrainingPairs, chosen: np.ndarray, chunks: np.ndarray) -> np.ndarray:
    """Tell where a chunk of the batch answers a question and is not the one it is paired with."""
    other = np.array([[c in pairs.answers[i] for c in chunks.tolist()] for i in chosen])
    other[np.arange(len(chosen)), np.arange(len(chosen))] = False
    return other


def dropped(bags: csr_array, rng: np.random.Generator, share: float) -> csr_array:
    """Return bags without a share of their terms, drawn by lot."""
    out = bags.copy()
    out.data = out.data * (rng.random(len(out.data)) >= share).astype(np.float32)
    out.eliminate_zeros()
    return out


def _unit(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    return sums / lengths, lengths


def _through(slope: np.ndarray, unit: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the slope before the scaling to length 1."""
    out: np.ndarray = (slope - (slope * unit).sum(axis=1, keepdims=True) * unit) / lengths
    return out


class Adam:
    """Adam (Kingma and Ba 2015) on the rows that a step touches."""

    def __init__(self, table: np.ndarray) -> None:
        self._mean = np.zeros_like(table)
        self._square = np.zeros_like(table)
        self._count = 0

    def step(self, table: np.ndarray, rows: np.ndarray, slope: np.ndarray, rate: float) -> None:
        """Move ``rows`` of ``table`` down ``slope``; those without one stay."""
        self._count += 1
        moved = slope.any(axis=1)
        touched, part = rows[moved], slope[moved]
        self._mean[touched] += 0.1 * (part - self._mean[touched])
        self._square[touched] += 0.02 * (part * part - self._square[touched])
        mean = self._mean[touched] / (1 - 0.9**self._count)
        square = self._square[touched] / (1 - 0.98**self._count)
        table[touched] -= rate * mean / (np.sqrt(square) + 1e-8)
