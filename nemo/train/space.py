"""The library under another table of the built-in embedder, without touching its indexes (试算空间)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from nemo.embed.builtin import BuiltinEmbedder
from nemo.store.library import Library
from nemo.store.search.vectors import ScoredChunks
from nemo.text.structure.passage import passage
from nemo.train.lists import ProgressCallback
from nemo.types import Filters

if TYPE_CHECKING:
    from scipy.sparse import csr_array

AT_ONCE = 2048
"""Passages made at once."""


class TermBags:
    """Texts as sparse rows over the embedder's terms. The vectors of any table are one product away."""

    def __init__(self, embedder: BuiltinEmbedder, texts: Sequence[str]) -> None:
        self.rows = _sparse(embedder, iter(texts))

    @classmethod
    def of_library(cls, embedder: BuiltinEmbedder, library: Library, progress: ProgressCallback) -> TermBags:
        """Return the bags of every chunk, in order of storing, as the indexes embed them."""
        made = cls.__new__(cls)
        made.rows = _sparse(embedder, _passages(library, progress))
        return made

    def vectors(self, table: np.ndarray) -> np.ndarray:
        """Return (n, dim) unit rows; zeros where no term is known."""
        sums = np.asarray(self.rows @ table, np.float32)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: np.ndarray = np.divide(sums, lengths, out=sums, where=lengths > 0)
        return unit


def _passages(library: Library, progress: ProgressCallback) -> Iterator[str]:
    rows = library.rows()
    for done, row in enumerate(rows, 1):
        regulation = library.regulation(row.id)
        for chunk_id in library.chunk_ids(row.id):
            chunk = library.chunk(chunk_id)
            yield passage(regulation, chunk) if chunk else ""
        progress("读取条文", done, len(rows))


def _sparse(embedder: BuiltinEmbedder, texts: Iterator[str]) -> csr_array:
    from scipy.sparse import csr_array

    columns, values, lengths = [], [], [0]
    while some := list(islice(texts, AT_ONCE)):
        for terms, weights in embedder.bags(some):
            columns.append(terms.astype(np.int32))
            values.append(weights)
            lengths.append(len(terms))
    bounds = np.cumsum(lengths)
    parts = (np.concatenate(values), np.concatenate(columns), bounds)
    return csr_array(parts, shape=(len(lengths) - 1, len(embedder.terms)))


class TableSearch:
    """Answers what a retriever asks of a library; dense search goes over the vectors of one table, exactly."""

    def __init__(self, library: Library, numbers: dict[str, int], vectors: np.ndarray) -> None:
        """Args: the library, the row of each chunk by id, in order, and (chunks, dim) unit rows."""
        self._library = library
        held = np.array([library.view.number(each) for each in numbers], np.int64)
        order = np.argsort(held)
        self._held, self._vectors = held[order], vectors[order]

    def __getattr__(self, name: str) -> Any:
        """Everything else is the library's own."""
        return getattr(self._library, name)

    def by_meaning(self, vector: np.ndarray, k: int, filters: Filters) -> ScoredChunks:
        """Return at most ``k`` chunk numbers by cosine under the filters, best first."""
        inside = self._library.facets.allowed(filters).contains(self._held)
        found = ScoredChunks(self._held[inside], (self._vectors @ vector)[inside])
        return self._library.view.first(found, k)

    def cosines(self, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which chunks are known, as a mask, and the cosines of those that are."""
        held = np.append(self._held, -1)
        at = np.searchsorted(self._held, numbers)
        known = held[at] == numbers
        return known, self._vectors[at[known]] @ vector
