"""What every vector store offers. Chunks are known to it by number only; who may answer is told with each search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, overload

import numpy as np

from nemo.store.search.number_sets import ChunkNumbers


class ScoredChunks(Sequence[tuple[int, float]]):
    """(chunk number, score), best first; equal scores in order of number. Kept as two arrays.

    Numbers follow the order of storing, which must not decide who comes: a store that is asked for ``k`` also gives those
    equal to the last of them, and the library cuts by the ids of the chunks.
    """

    __slots__ = ("numbers", "scores")

    def __init__(self, numbers: Sequence[int] | np.ndarray = (), scores: Sequence[float] | np.ndarray = ()) -> None:
        """Args: (n,) chunk numbers and their scores, in order."""
        self.numbers = np.asarray(numbers, np.int64)
        self.scores = np.asarray(scores, np.float64)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> tuple[int, float]: ...

    @overload
    def __getitem__(self, at: slice) -> ScoredChunks: ...

    def __getitem__(self, at: int | slice) -> tuple[int, float] | ScoredChunks:
        if isinstance(at, slice):
            return ScoredChunks(self.numbers[at], self.scores[at])
        return int(self.numbers[at]), float(self.scores[at])

    def __iter__(self) -> Iterator[tuple[int, float]]:
        return zip(self.numbers.tolist(), self.scores.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


class VectorStore(Protocol):
    """Finds the chunks whose vectors lie nearest to a question's."""

    name: str

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add (n, dim) unit rows under n rising numbers; a number that is there already gets the new row."""
        ...

    def delete(self, numbers: ChunkNumbers) -> None:
        """Forget these numbers; those that are not there are passed over."""
        ...

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
        """Return the ``k`` best of the allowed chunks by cosine, and equals of the last; ``allowed=None`` allows all."""
        ...


class PersistentVectorStore(VectorStore, Protocol):
    """A store that outlives the process: a folder, a table or collection on a server."""

    def numbers(self) -> np.ndarray:
        """Return every chunk number in it, rising."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...


def require_shape(numbers: np.ndarray, vectors: np.ndarray, dim: int) -> None:
    """Raise ValueError unless ``vectors`` are one row of length ``dim`` for each number."""
    if vectors.shape != (len(numbers), dim):
        raise ValueError(f"expected {(len(numbers), dim)}, got {vectors.shape}")


def enough(found: ScoredChunks, scores: np.ndarray, k: int, looked: int) -> bool:
    """Tell whether no hit beyond those that were looked at, with these scores, can be among the ``k`` best or equal to the last."""
    return len(scores) < looked or (len(found) >= k and found[-1][1] > scores.min())


def best(numbers: np.ndarray, scores: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
    """Return the ``k`` best of aligned arrays and those equal to the last of them, equal scores in order of number; of all,
    or of the allowed numbers.
    """
    if allowed is not None:
        here = allowed.contains(numbers)
        numbers, scores = numbers[here], scores[here]
    if k <= 0 or not len(scores):
        return ScoredChunks()
    if k < len(scores):
        kth = np.partition(scores, len(scores) - k)[len(scores) - k]
        keep = np.flatnonzero(scores >= kth)
        numbers, scores = numbers[keep], scores[keep]
    order = np.lexsort((numbers, -scores))
    return ScoredChunks(numbers[order], scores[order])
