"""Dense search: chooses the exact product or a shortcut for a question (向量检索)."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.search.approximate.lifecycle import Approximate
from nemo.store.search.exact import ExactIndex
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, best
from nemo.store.search.view import View

SPARE = 50
"""So many more are asked of an approximate index: its cosines are rounded otherwise than the exact ones (up to 2e-4 apart)."""


class DenseIndexes:
    """The exact matrix, loaded at the first need, and beside it an approximate index when there is one."""

    def __init__(self, catalogue: Catalogue, approximate: Approximate[Any], exact_rows: int) -> None:
        self._catalogue = catalogue
        self._exact_rows = exact_rows
        self._exact: ExactIndex | None = None
        self._loading = threading.Lock()
        self.approximate = approximate
        self.answered = ""
        """Name of the store that answered the last search."""

    @property
    def exact(self) -> ExactIndex:
        """The exact index, loaded from the catalogue when it is first asked for."""
        if self._exact is None:
            with self._loading:
                if self._exact is None:
                    self._exact = ExactIndex.of(
                        self._catalogue.dim, self._catalogue.vector_count(), self._catalogue.vectors()
                    )
        return self._exact

    def prepare(self) -> None:
        """Load the matrix, and divide it where questions would else be compared with very many rows.

        For a process that opens no approximate index of its own, before the first question.
        """
        if len(self.exact) > self._exact_rows and self.approximate.name == "chroma":
            self.exact.divide()

    def changed(self, gone: ChunkNumbers, new: Sequence[tuple[int, np.ndarray | None]]) -> None:
        """Follow a commit: forget ``gone``, add (first number, rows); nothing to do before the first load."""
        with self._loading:
            if self._exact is None:
                return
            self._exact.delete(gone)
            for first, rows in new:
                if rows is not None:
                    self._exact.add(np.arange(first, first + len(rows)), rows)

    def forget(self) -> None:
        """Drop the matrix; it is loaded again when needed."""
        with self._loading:
            self._exact = None

    def search(
        self, vector: np.ndarray, k: int, allowed: ChunkNumbers, view: View, *, exact: bool = False
    ) -> ScoredChunks:
        """Return the ``k`` best of the allowed chunks by cosine: from the exact product where few are allowed, or the others
        have no whole answer. Whoever finds them, the cosines are those of the exact product, to the last digit.
        """
        if not exact and allowed.total > self._exact_rows:
            shortcuts = (
                (self.approximate.name, lambda: self._multiplied(vector, k, allowed, view)),
                ("inverted", lambda: self.exact.near(vector, k, allowed)),
            )
            for self.answered, search in shortcuts:
                if (found := search()) is not None and len(found) >= min(k, allowed.total):
                    return found
        self.answered = "exact"
        return self.exact.search(vector, k, allowed)

    def _multiplied(self, vector: np.ndarray, k: int, allowed: ChunkNumbers, view: View) -> ScoredChunks | None:
        found = self.approximate.search(vector, k + SPARE, allowed, view.generation)
        if found is None:
            return None
        held, cosines = self.exact.cosines(vector, found.numbers)
        return best(found.numbers[held], cosines, k)
