"""Finds candidate chunks for a query: lexical and dense search under the same filters, fused (混合检索).

Fusion is linear, ``(1 - w) * lexical / max(lexical) + w * cosine``: with scores of one library it measured better than
reciprocal ranks (docs/retrieval.md, fusion).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from nemo.embed import Embedder
from nemo.errors import BadRequestError, ServiceError
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.text.structure.chunking import chunk_of
from nemo.types import Filters, Hit, Provision, Query, Regulation

POOL = 3
"""Each search brings this many times the candidates that are kept, so that fusion sees both scores of most."""


class MeaningSearch(Protocol):
    """Finds the chunks of a library by meaning."""

    def dense(self, vector: np.ndarray, k: int, filters: Filters) -> list[tuple[str, float]]:
        """Return at most ``k`` chunks by cosine under the filters, best first."""
        ...

    def cosines(self, vector: np.ndarray, ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine of each chunk that has one."""
        ...

    def unembedded(self) -> list[str]:
        """Return the texts that it does not find."""
        ...


class Retriever:
    """Searches one library."""

    def __init__(
        self, library: Library, embedder: Embedder, settings: Settings, meaning: MeaningSearch | None = None
    ) -> None:
        """Keep what is needed.

        Args:
            library: What is searched.
            embedder: Of its vectors.
            settings: Weights and numbers.
            meaning: Searches by meaning in place of the library.
        """
        self.library = library
        self.embedder = embedder
        self.settings = settings
        self.meaning: MeaningSearch = meaning or library

    def retrieve(self, query: Query, named: Sequence[str] = ()) -> tuple[list[Hit], list[str]]:
        """Search once for a query.

        Args:
            query: The question with its filters.
            named: Regulations that the question names; only their text is searched, when there are any.

        Returns:
            The candidates, best first, and in Chinese the stages that did not take part.
        """
        pool = self.settings.candidates * POOL
        lexical = dict(self.library.lexical(query.terms, pool, query.filters))
        dense, vector, degraded = self._dense(query, pool)
        if vector is not None and (without := len(self.meaning.unembedded())):
            degraded.append(f"{without} 部法规还没有向量，对它们仅用字面检索（运行 reindex 补齐）")
        if vector is not None:
            wanted = [*lexical, *(i for r in named for i in self.library.chunk_ids(r))]
            dense.update(self.meaning.cosines(vector, [i for i in wanted if i not in dense]))
        if named:
            lexical, dense = _only(lexical, named), _only(dense, named)
        if (limit := query.filters.threshold) is not None:
            near = {i for i, cosine in dense.items() if 1 - cosine <= limit}
            lexical, dense = _those(lexical, near), _those(dense, near)
        return self._fused(lexical, dense), degraded

    def _dense(self, query: Query, pool: int) -> tuple[dict[str, float], np.ndarray | None, list[str]]:
        try:
            vector = self.embedder.embed([query.text])[0]
        except BadRequestError:
            return {}, None, ["问题中没有向量模型认识的字词，仅用字面检索"]
        except ServiceError as error:
            return {}, None, [f"向量服务不可用，仅用字面检索（{error.message}）"]
        return dict(self.meaning.dense(vector, pool, query.filters)), vector, []

    def _fused(self, lexical: dict[str, float], dense: dict[str, float]) -> list[Hit]:
        weight = self.settings.dense_weight if dense else 0.0
        top = max(lexical.values(), default=0.0) or 1.0
        scored = [
            (i, (1 - weight) * lexical.get(i, 0.0) / top + weight * dense.get(i, 0.0)) for i in {**lexical, **dense}
        ]
        scored.sort(key=lambda s: (-s[1], s[0]))
        hits = []
        for chunk_id, score in scored[: self.settings.candidates]:
            chunk = self.library.chunk(chunk_id)
            if chunk is None:
                continue  # an index entry the catalogue does not know is not believed
            scores = {"lexical": lexical.get(chunk_id, 0.0), "dense": dense.get(chunk_id, 0.0), "fused": score}
            hits.append(Hit(chunk, score, scores))
        return hits


def _those(scores: dict[str, float], kept: set[str]) -> dict[str, float]:
    return {i: s for i, s in scores.items() if i in kept}


def _only(scores: dict[str, float], regulation_ids: Sequence[str]) -> dict[str, float]:
    return {i: s for i, s in scores.items() if i.partition(":")[0] in regulation_ids}


def outright(regulation: Regulation, provision: Provision) -> Hit:
    """Return a whole provision as a hit that no search had to find."""
    return Hit(chunk_of(regulation.id, regulation.text, provision.span, provision.label), 1.0, {"named": 1.0})
