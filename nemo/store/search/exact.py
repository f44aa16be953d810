"""The exact vector index: one matrix in memory and the dot product (精确检索). The yardstick of every other store.

Rows are kept as whole numbers of steps, two bytes each, and multiplied in float32: a product of two unit vectors of 4,000
steps stays below 2^24, so it is added up without rounding and comes out the same on every processor (at most 2e-4, mostly
1e-4, beside the product of the unrounded vectors). The engine holds BLAS to one thread: waking every core for a millisecond's work costs more than it brings.

Readers take one immutable state and never wait. Rows are appended behind the end that older states know; deleted rows
are marked dead and squeezed out once they are many.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from nemo.store.search.inverted import InvertedFile
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, best, require_shape

UNIT = 4000.0
"""Steps to the length of a vector. 4,000² and what rounding adds up to 8,000 dimensions is below 2^24."""

DEAD_SHARE = 0.25
"""Squeeze when more than this share of the rows is dead."""

WHOLE_SHARE = 0.75
"""From this share of allowed rows on, one product over everything is cheaper than many over slices."""


BLOCK = 2048
"""Rows multiplied at once: as float32 they stay in the processor's cache, so that memory is read at two bytes a number."""

SAMPLED = 16
"""One product of so many tells about where the best of all begin."""

FILTERS_KEPT = 8
"""The rows that so many filters let through are remembered."""


@dataclass(frozen=True, slots=True)
class _State:
    """``numbers`` rise; ``matrix`` may be longer: rows behind ``len(numbers)`` belong to later states."""

    numbers: np.ndarray
    matrix: np.ndarray
    alive: np.ndarray


class _Allowed(NamedTuple):
    """What a filter lets through of a state: half-open row ranges, and the rows in them that are alive."""

    state: _State
    allowed: ChunkNumbers | None
    slices: list[tuple[int, int]]
    rows: np.ndarray


class ExactIndex:
    """Brute force over unit rows."""

    name = "exact"

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self._writing = threading.Lock()
        self._last: tuple[_State, np.ndarray, np.ndarray] | None = None
        self._allowed: tuple[_Allowed, ...] = ()
        self._cells: InvertedFile | None = None
        self._state = _State(np.empty(0, np.int64), np.empty((16, dim), np.int16), np.empty(0, bool))

    @classmethod
    def of(cls, dim: int, size: int, blocks: Iterable[tuple[int, np.ndarray]]) -> ExactIndex:
        """Lay blocks of (first number, unit rows) end to end, numbers rising; one block at a time is held twice.

        More or fewer rows than ``size`` only cost memory and time.
        """
        index = cls(dim)
        matrix, numbers, end = np.empty((max(size, 1), dim), np.int16), [np.empty(0, np.int64)], 0
        for first, rows in blocks:
            start, end = end, end + len(rows)
            if end > len(matrix):
                matrix = np.concatenate([matrix[:start], np.empty((end, dim), np.int16)])
            matrix[start:end] = _steps(rows)
            numbers.append(np.arange(first, first + len(rows)))
        held = np.concatenate(numbers)
        index._state = _State(held, matrix, np.ones(len(held), bool))
        return index

    def __len__(self) -> int:
        return int(self._state.alive.sum())

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add unit rows under rising numbers; a number that is there already gets the new row.

        Raises:
            ValueError: the shape does not fit.
        """
        require_shape(numbers, vectors, self.dim)
        if not len(numbers):
            return
        numbers, vectors = np.asarray(numbers, np.int64), _steps(vectors).astype(np.int16)
        with self._writing:
            state, self._last, self._allowed = self._state, None, ()
            if len(state.numbers) and numbers[0] <= state.numbers[-1]:
                self._state, self._cells = _merged(state, numbers, vectors), None
            else:
                self._state = _appended(state, numbers, vectors)

    def delete(self, numbers: ChunkNumbers) -> None:
        """Forget these numbers."""
        with self._writing:
            state, self._last, self._allowed = self._state, None, ()
            alive = state.alive & ~numbers.contains(state.numbers)
            state = _State(state.numbers, state.matrix, alive)
            self._state = _squeezed(state) if alive.sum() < len(alive) * (1 - DEAD_SHARE) else state

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
        """Return the ``k`` best of the allowed chunks by cosine and those equal to the last of them, best first."""
        state, vector = self._state, _steps(vector)
        here = self._rows(state, allowed)
        rows, whole = here.rows, len(here.rows) > WHOLE_SHARE * len(state.numbers)
        products = self._products(state, vector, [(0, len(state.numbers))] if whole else here.slices).take(rows)
        if 0 < k < len(rows):
            keep = np.flatnonzero(products >= _kth(products, k))
            rows, products = rows[keep], products[keep]
        return best(state.numbers[rows], _cosines(products), k)

    def _rows(self, state: _State, allowed: ChunkNumbers | None) -> _Allowed:
        """Return the rows that may answer; a filter that was asked before is the same object."""
        known = next((each for each in self._allowed if each.state is state and each.allowed is allowed), None)
        if known is not None:
            return known
        slices = _slices(state.numbers, allowed) if allowed is not None else [(0, len(state.numbers))]
        here = np.zeros(len(state.numbers), bool)
        for start, end in slices:
            here[start:end] = state.alive[start:end]
        made = _Allowed(state, allowed, slices, np.flatnonzero(here))
        self._allowed = (made, *self._allowed)[:FILTERS_KEPT]
        return made

    def divide(self) -> None:
        """Make an inverted file of the rows as they are, for :meth:`near`; rows added later are always looked at."""
        with self._writing:
            state = self._state
            rows = state.matrix[: len(state.numbers)]
            self._cells = InvertedFile(state.numbers, rows, UNIT) if len(rows) else None

    def near(self, vector: np.ndarray, k: int, allowed: ChunkNumbers) -> ScoredChunks | None:
        """Return what :meth:`search` does, of the cells nearest to the vector alone; None without an inverted file."""
        state, cells, vector = self._state, self._cells, _steps(vector)
        if cells is None:
            return None
        later = state.numbers[np.searchsorted(state.numbers, cells.last, "right") :]
        numbers = np.concatenate([cells.candidates(vector, k, allowed), later[allowed.contains(later)]])
        found, cosines = self._held(state, vector, numbers)
        return best(numbers[found], cosines, k)

    def _products(self, state: _State, vector: np.ndarray, slices: list[tuple[int, int]]) -> np.ndarray:
        """Return the products of all rows, NaN outside of slices that were asked for; those of the last vector are kept.

        One question searches several times: under its province, then the nation's part of it.
        """
        last = self._last
        if fresh := last is None or last[0] is not state or not np.array_equal(last[1], vector):
            self._last = last = state, vector, np.full(len(state.numbers), np.nan, np.float32)
        products, block = last[2], np.empty((BLOCK, self.dim), np.float32)
        for start, end in slices:
            if fresh or np.isnan(products[start:end]).any():
                for at in range(start, end, BLOCK):
                    some = slice(at, min(at + BLOCK, end))
                    rows = block[: some.stop - at]
                    rows[:] = state.matrix[some]
                    np.dot(rows, vector, out=products[some])
        return products

    def cosines(self, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of the numbers are held, as a mask, and the cosines of those that are."""
        return self._held(self._state, _steps(vector), numbers)

    def _held(self, state: _State, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = np.searchsorted(state.numbers, numbers)
        inside = np.minimum(at, max(len(state.numbers) - 1, 0))
        found = np.zeros(len(numbers), bool)
        if len(state.numbers):
            found = (state.numbers[inside] == numbers) & state.alive[inside]
        rows, last = inside[found], self._last
        if last is not None and last[0] is state and np.array_equal(last[1], vector):
            products = last[2].take(rows)
            if not np.isnan(products).any():
                return found, _cosines(products)
        return found, _cosines(state.matrix.take(rows, axis=0).astype(np.float32) @ vector)


def _kth(products: np.ndarray, k: int) -> float:
    """Return the ``k``-th greatest: looked for among what is no less than twice so many of a sample, ten times faster than among all."""
    sample = products[::SAMPLED]
    some = min(len(sample), 2 * k // SAMPLED + 1)
    near = products[products >= np.partition(sample, len(sample) - some)[len(sample) - some]]
    near = near if len(near) >= k else products
    return float(np.partition(near, len(near) - k)[len(near) - k])


def _steps(vectors: np.ndarray) -> np.ndarray:
    return np.rint(vectors * np.float32(UNIT))


def _cosines(products: np.ndarray) -> np.ndarray:
    return products.astype(np.float64) / UNIT**2


def _slices(numbers: np.ndarray, allowed: ChunkNumbers) -> list[tuple[int, int]]:
    """Return the half-open row ranges of the allowed numbers, neighbouring ranges joined."""
    starts = np.searchsorted(numbers, allowed.firsts)
    ends = np.searchsorted(numbers, allowed.firsts + allowed.counts)
    filled = starts < ends
    starts, ends = starts[filled], ends[filled]
    if not len(starts):
        return []
    breaks = np.flatnonzero(starts[1:] != ends[:-1])
    opens = starts[np.concatenate([[0], breaks + 1])]
    closes = ends[np.concatenate([breaks, [len(ends) - 1]])]
    return list(zip(opens.tolist(), closes.tolist(), strict=True))


def _appended(state: _State, numbers: np.ndarray, vectors: np.ndarray) -> _State:
    size, grown = len(state.numbers), len(state.numbers) + len(numbers)
    matrix = state.matrix
    if grown > len(matrix):
        matrix = np.empty((max(grown, 2 * len(matrix)), matrix.shape[1]), np.int16)
        matrix[:size] = state.matrix[:size]
    matrix[size:grown] = vectors
    alive = np.concatenate([state.alive, np.ones(len(numbers), bool)])
    return _State(np.concatenate([state.numbers, numbers]), matrix, alive)


def _merged(state: _State, numbers: np.ndarray, vectors: np.ndarray) -> _State:
    """Rebuild with rows that belong before the end (a regulation embedded late)."""
    keep = state.alive & ~np.isin(state.numbers, numbers)
    joined = np.concatenate([state.numbers[keep], numbers])
    order = np.argsort(joined, kind="stable")
    matrix = np.concatenate([state.matrix[: len(state.numbers)][keep], vectors])[order]
    return _State(joined[order], np.ascontiguousarray(matrix), np.ones(len(joined), bool))


def _squeezed(state: _State) -> _State:
    matrix = state.matrix[: len(state.numbers)][state.alive]
    if not len(matrix):
        matrix = np.empty((16, state.matrix.shape[1]), np.int16)
    numbers = state.numbers[state.alive]
    return _State(numbers, matrix, np.ones(len(numbers), bool))
