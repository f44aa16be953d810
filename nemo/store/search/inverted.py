"""An inverted file over the exact matrix (倒排分区): rows by their nearest centre, each with a short sketch of itself.

For processes that only look at a library of very many chunks: it is made in memory of the matrix alone, before they are
forked, and owns no file. A search compares the sketches in the nearest cells, and the caller the best of these exactly:
what is found has its exact cosine, what is missed lay in a far cell or looked unlike in its sketch.
"""

import numpy as np

from nemo.store.search.number_sets import ChunkNumbers
from nemo.types.fixed_point import length

ROUNDS = 3
"""Times the centres are moved to the mean of their rows (Lloyd 1982)."""

SAMPLED = 64
"""Rows per centre that centres and directions are found on."""

SKETCH = 48
"""Directions of a sketch: those in which the rows differ most (principal components)."""

NEAR = 0.3
"""Share of the rows whose sketches a search compares."""

KEPT = 12_000
"""Allowed rows that are left to be compared exactly."""

BLOCK = 16_384
"""Rows that are held against all centres at once."""


class InvertedFile:
    """Cells of chunk numbers with their sketches, fixed at one state of the matrix; what came later is not in it."""

    def __init__(self, numbers: np.ndarray, matrix: np.ndarray, unit: float) -> None:
        """Find about √n centres, the cell of every row and its sketch.

        ``numbers`` (n,) rise; ``matrix`` is (n, dim) int16 of whole steps, ``unit`` of which are the length of a row.
        """
        count = max(1, int(np.sqrt(len(matrix))))
        sample = matrix[:: max(1, len(matrix) // (SAMPLED * count))].astype(np.float32)
        self._centres = sample[:: max(1, len(sample) // count)][:count]
        for _ in range(ROUNDS):
            self._centres = _moved(self._centres, sample, unit)
        cells = _nearest(matrix, self._centres)
        order = np.argsort(cells, kind="stable")
        self._numbers = numbers[order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=len(self._centres)))])
        directions = np.linalg.eigh(sample.T.astype(np.float64) @ sample)[1]
        self._directions = np.ascontiguousarray(directions[:, -SKETCH:], np.float32)
        self._sketches = np.concatenate(
            [matrix[order[at : at + BLOCK]] @ self._directions for at in range(0, len(order), BLOCK)]
        )
        self.last = int(numbers[-1])
        """The last number that is in it."""

    def candidates(self, vector: np.ndarray, k: int, allowed: ChunkNumbers) -> np.ndarray:
        """Return ``k`` or more allowed numbers, if there are so many, that look nearest to a vector ((dim,) whole steps)."""
        order = np.argsort(-np.vecdot(self._centres, vector), kind="stable")
        ends = np.cumsum(np.diff(self._starts)[order])
        looked, kept = NEAR * ends[-1], KEPT * ends[-1] / max(allowed.total, 1)
        sketch = vector @ self._directions
        while True:
            cells = order[: int(np.searchsorted(ends, looked)) + 1]
            ranges = [slice(*self._starts[cell : cell + 2]) for cell in cells]
            likeness = np.concatenate([np.vecdot(self._sketches[each], sketch) for each in ranges])
            near = np.concatenate([self._numbers[each] for each in ranges])
            if int(kept) < len(near):
                near = near[np.argpartition(-likeness, int(kept))[: int(kept)]]
            found = near[allowed.contains(near)]
            if len(found) >= 2 * k or len(near) == len(self._numbers):
                return found
            looked, kept = 4 * looked, 4 * kept


def _nearest(rows: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return (n,) which centre each row is nearest to, the first of equals."""
    return np.concatenate([np.argmax(rows[at : at + BLOCK] @ centres.T, axis=1) for at in range(0, len(rows), BLOCK)])


def _moved(centres: np.ndarray, rows: np.ndarray, unit: float) -> np.ndarray:
    """Return the centres at the mean direction of their rows, in whole steps; one without rows stays."""
    cells = _nearest(rows, centres)
    order = np.argsort(cells, kind="stable")
    held, starts = np.unique(cells[order], return_index=True)
    sums = np.add.reduceat(rows[order].astype(np.float64), starts, axis=0)
    moved = centres.copy()
    moved[held] = np.rint(sums / np.maximum(length(sums), 1.0)[:, None] * unit)
    return moved
