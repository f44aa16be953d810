"""Search by meaning through the pieces and vectors that a corpus has of its own, told in the library's chunks (资料集检索).

A window finds every chunk that it overlaps, with its cosine: whatever the pieces, what is ranked and quoted afterwards is
the provision as it is stored.
"""

from collections.abc import Sequence

import numpy as np

from nemo.store.library import Library
from nemo.store.records.corpora import Windows
from nemo.store.search.exact import ExactIndex
from nemo.store.search.vectors import ScoredChunks
from nemo.types import Filters


class WindowSearch:
    """The windows of some corpora over one state of a library."""

    def __init__(self, library: Library, pieces: Sequence[Windows]) -> None:
        """Lay the windows over the chunks; those of a text that changed since count as missing."""
        self._library = library
        held = [p for p in pieces if library.holds(p.regulation_id)]
        held = [p for p in held if library.row(p.regulation_id).text_sha256 == p.text_sha256]
        firsts = np.cumsum([0, *(len(p.rows) for p in held)])
        dim = held[0].rows.shape[1] if held else 1
        rows = ((int(first), p.rows) for first, p in zip(firsts, held, strict=False))
        self._index = ExactIndex.of(dim, int(firsts[-1]), rows)
        self._numbers = np.arange(firsts[-1])
        self._lacking = sorted({row.id for row in library.rows()} - {p.regulation_id for p in held})
        laid = [self._laid(first, p) for first, p in zip(firsts.tolist(), held, strict=False)]
        chunks = np.concatenate([np.empty((0, 3), np.int64), *laid])
        self._chunks = chunks[np.unique(chunks[:, 0], return_index=True)[1]]
        """(n, 3): a chunk's number, rising, and the windows that overlap it, half-open."""

    def _laid(self, first: int, piece: Windows) -> np.ndarray:
        places = self._library.spans(piece.regulation_id)
        low = np.searchsorted(piece.spans[:, 1], places[:, 0], "right")
        high = np.searchsorted(piece.spans[:, 0], places[:, 1], "left")
        numbers = self._library.row(piece.regulation_id).first + np.arange(len(places))
        return np.stack([numbers, first + low, first + high], axis=1)[low < high]

    def _cosines(self, vector: np.ndarray) -> np.ndarray:
        """Return (n,) the cosine of the best window of each chunk."""
        _, cosines = self._index.cosines(vector, self._numbers)
        bounds = self._chunks[:, 1:].ravel()
        return np.maximum.reduceat(np.append(cosines, -np.inf), bounds)[::2] if len(bounds) else np.empty(0)

    def by_meaning(self, vector: np.ndarray, k: int, filters: Filters) -> ScoredChunks:
        """Return at most ``k`` chunk numbers by the cosine of their best window under the filters, best first."""
        inside = self._library.facets.allowed(filters).contains(self._chunks[:, 0])
        found = ScoredChunks(self._chunks[inside, 0], self._cosines(vector)[inside])
        return self._library.view.first(found, k)

    def cosines(self, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which chunks have a window, as a mask, and the cosine of the best window of those that have."""
        held = np.append(self._chunks[:, 0], -1)
        at = np.searchsorted(held[:-1], numbers)
        known = held[at] == numbers
        return known, self._cosines(vector)[at[known]]

    def unembedded(self) -> list[str]:
        """Return the texts without windows."""
        return self._lacking


class ExactSearch:
    """The library's vectors, compared exactly however many there are."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.cosines = library.cosines
        self.unembedded = library.unembedded

    def by_meaning(self, vector: np.ndarray, k: int, filters: Filters) -> ScoredChunks:
        """Return at most ``k`` chunk numbers by cosine under the filters, best first."""
        return self._library.by_meaning(vector, k, filters, exact=True)
