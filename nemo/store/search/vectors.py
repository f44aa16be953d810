"""What every vector store offers. Chunks are known to it by number only; who may answer is told with each search."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from nemo.store.search.number_sets import Numbers

Scored = list[tuple[int, float]]
"""(chunk number, score), best first; equal scores in order of number.

Numbers follow the order of storing, which must not decide who comes: a store that is asked for ``k`` also gives those
equal to the last of them, and the library cuts by the ids of the chunks.
"""


class VectorStore(Protocol):
    """Finds the chunks whose vectors lie nearest to a question's."""

    name: str

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add (n, dim) unit rows under n rising numbers; a number that is there already gets the new row."""
        ...

    def delete(self, numbers: Numbers) -> None:
        """Forget these numbers; those that are not there are passed over."""
        ...

    def search(self, vector: np.ndarray, k: int, allowed: Numbers | None = None) -> Scored:
        """Return the ``k`` best of the allowed chunks by cosine, and equals of the last; ``allowed=None`` allows all."""
        ...


def best(numbers: np.ndarray, scores: np.ndarray, k: int) -> Scored:
    """Return the ``k`` best of aligned arrays and those equal to the last of them, equal scores in order of number."""
    if k <= 0 or not len(scores):
        return []
    if k < len(scores):
        kth = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = np.flatnonzero(scores >= kth)
        numbers, scores = numbers[keep], scores[keep]
    order = np.lexsort((numbers, -scores))
    return list(zip(numbers[order].tolist(), scores[order].tolist(), strict=True))
