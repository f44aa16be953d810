"""Finds candidate chunks for a query: lexical and dense search under the same filters, fused (混合检索).

Fusion is linear, ``(1 - w) * lexical / max(lexical) + w * cosine``: with scores of one library it measured better than
reciprocal ranks (docs/retrieval.md, fusion).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from nemo.embed import Embedder
from nemo.errors import BadRequestError, ServiceError
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.store.search.number_sets import distinct
from nemo.store.search.vectors import ScoredChunks
from nemo.text.structure.chunking import chunk_of
from nemo.types import Filters, Hit, Provision, Query, Regulation

POOL = 3
"""Each search brings this many times the candidates that are kept, so that fusion sees both scores of most."""


EMBEDDED = 16
"""Vectors of the newest questions are kept: one question searches under several filters."""


class MeaningSearch(Protocol):
    """Finds the chunks of a library by meaning."""

    def by_meaning(self, vector: np.ndarray, k: int, filters: Filters) -> ScoredChunks:
        """Return at most ``k`` chunk numbers by cosine under the filters, best first."""
        ...

    def cosines(self, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of some chunk numbers have a cosine, as a mask, and the cosines of those that have."""
        ...

    def unembedded(self) -> list[str]:
        """Return the texts that it does not find."""
        ...


class Retriever:
    """Searches one library."""

    def __init__(
        self, library: Library, embedder: Embedder, settings: Settings, meaning: MeaningSearch | None = None
    ) -> None:
        """Keep what is needed; ``meaning`` searches by meaning in place of the library."""
        self.library = library
        self.embedder = embedder
        self.settings = settings
        self._embedded = lru_cache(EMBEDDED)(lambda text: embedder.embed([text])[0])
        self.meaning: MeaningSearch = meaning or library

    def retrieve(self, query: Query, named: Sequence[str] = ()) -> tuple[list[Hit], list[str]]:
        """Search once for a query; only in the texts that it names, when there are any ``named``.

        Returns:
            The candidates, best first, and in Chinese the stages that did not take part.
        """
        pool = self.settings.candidates * POOL
        lexical = self.library.by_words(query.terms, pool, query.filters)
        vector, degraded = self._vector(query)
        if vector is not None and (without := len(self.meaning.unembedded())):
            degraded.append(f"{without} 部法规还没有向量，对它们仅用字面检索（重建索引后补齐）")
        found = self._both(lexical, vector, pool, query.filters, named)
        if named:
            found = found.those(self.library.view.numbers(named).contains(found.numbers))
        if (limit := query.filters.threshold) is not None:
            found = found.those(found.near & (1 - found.dense <= limit))
        return self._fused(found), degraded

    def _vector(self, query: Query) -> tuple[np.ndarray | None, list[str]]:
        try:
            return self._embedded(query.text), []
        except BadRequestError:
            return None, ["问题中没有向量模型认识的字词，仅用字面检索"]
        except ServiceError as error:
            return None, [f"向量服务不可用，仅用字面检索（{error.message}）"]

    def _both(
        self, lexical: ScoredChunks, vector: np.ndarray | None, pool: int, filters: Filters, named: Sequence[str]
    ) -> FoundChunks:
        """Return what either search brought, each with the scores of both."""
        numbers = lexical.numbers
        if vector is not None:
            dense = self.meaning.by_meaning(vector, pool, filters)
            own = [self.library.view.numbers([self.library.row(each).id]).each() for each in named]
            numbers = np.concatenate([dense.numbers, numbers, *own])
        found = FoundChunks.of(distinct(numbers))
        found.lexical[np.searchsorted(found.numbers, lexical.numbers)] = lexical.scores
        if vector is not None:
            at = np.searchsorted(found.numbers, dense.numbers)
            found.near[at], found.dense[at] = True, dense.scores
            rest = np.flatnonzero(~found.near)
            known, cosines = self.meaning.cosines(vector, found.numbers[rest])
            found.near[rest[known]], found.dense[rest[known]] = True, cosines
        return found

    def _fused(self, found: FoundChunks) -> list[Hit]:
        weight = self.settings.dense_weight if found.near.any() else 0.0
        top = float(found.lexical.max(initial=0.0)) or 1.0
        scores = (1 - weight) * found.lexical / top + weight * found.dense
        best = self.library.view.first(ScoredChunks(found.numbers, scores), self.settings.candidates)
        at = np.searchsorted(found.numbers, best.numbers)
        rows = zip(
            best.numbers.tolist(),
            best.scores.tolist(),
            found.lexical[at].tolist(),
            found.dense[at].tolist(),
            strict=True,
        )
        hits = []
        for number, score, lexical, dense in rows:
            chunk = self.library.chunk_at(number)
            if chunk is not None:  # an index entry the catalogue does not know is not believed
                hits.append(Hit(chunk, score, {"lexical": lexical, "dense": dense, "fused": score}))
        if (best.scores[1:] == best.scores[:-1]).any():  # else they are in order
            hits.sort(key=lambda hit: (-hit.score, hit.chunk.id))
        return hits


@dataclass(frozen=True, slots=True)
class FoundChunks:
    """What the searches brought, by rising chunk number."""

    numbers: np.ndarray
    lexical: np.ndarray
    """BM25, 0 where the words were not found."""
    dense: np.ndarray
    """Cosine, 0 where there is none."""
    near: np.ndarray
    """Whether there is one."""

    @classmethod
    def of(cls, numbers: np.ndarray) -> FoundChunks:
        """Return chunks without scores."""
        return cls(numbers, np.zeros(len(numbers)), np.zeros(len(numbers)), np.zeros(len(numbers), bool))

    def those(self, mask: np.ndarray) -> FoundChunks:
        """Return some of them."""
        return FoundChunks(self.numbers[mask], self.lexical[mask], self.dense[mask], self.near[mask])


def outright(regulation: Regulation, provision: Provision) -> Hit:
    """Return a whole provision as a hit that no search had to find."""
    return Hit(chunk_of(regulation.id, regulation.text, provision.span, provision.label), 1.0, {"named": 1.0})
