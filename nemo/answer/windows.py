"""Search by meaning through the pieces and vectors that a corpus has of its own, told in the library's chunks (资料集检索).

A window finds every chunk that it overlaps, with its cosine: whatever the pieces, what is ranked and quoted afterwards is
the provision as it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nemo.store.library import Library
from nemo.store.records.corpora import Windows
from nemo.store.search.exact import ExactIndex
from nemo.types import Chunk, Filters, Span


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
        self._laid: list[tuple[str, str, int, int]] = []
        """Chunk, text, and the first and last window that overlap it."""
        for first, piece in zip(firsts.tolist(), held, strict=False):
            self._lay(first, piece)

    def _lay(self, first: int, piece: Windows) -> None:
        starts, ends = piece.spans[:, 0], piece.spans[:, 1]
        for start, end in self._library.spans(piece.regulation_id).tolist():
            low = int(np.searchsorted(ends, start, "right"))
            high = int(np.searchsorted(starts, end, "left"))
            if low < high:
                chunk_id = Chunk.id_of(piece.regulation_id, Span(start, end))
                self._laid.append((chunk_id, piece.regulation_id, first + low, first + high))

    def _cosines(self, vector: np.ndarray) -> dict[str, tuple[str, float]]:
        if not len(self._numbers):
            return {}
        _, cosines = self._index.cosines(vector, self._numbers)
        return {chunk: (text, float(cosines[low:high].max())) for chunk, text, low, high in self._laid}

    def dense(self, vector: np.ndarray, k: int, filters: Filters) -> list[tuple[str, float]]:
        """Return at most ``k`` chunks by the cosine of their best window under the filters, best first."""
        allowed = set(self._library.facets.ids_allowed(filters))
        found = [(chunk, cosine) for chunk, (text, cosine) in self._cosines(vector).items() if text in allowed]
        return sorted(found, key=lambda one: (-one[1], one[0]))[:k]

    def cosines(self, vector: np.ndarray, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine of the best window of each chunk that has one."""
        known = self._cosines(vector)
        return {i: known[i][1] for i in ids if i in known}

    def unembedded(self) -> list[str]:
        """Return the texts without windows."""
        return self._lacking


class ExactSearch:
    """The library's vectors, compared exactly however many there are."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.cosines = library.cosines
        self.unembedded = library.unembedded

    def dense(self, vector: np.ndarray, k: int, filters: Filters) -> list[tuple[str, float]]:
        """Return at most ``k`` chunks by cosine under the filters, best first."""
        return self._library.dense_planned(vector, k, filters, exact=True)[0]
