"""Dense search: chooses the exact product or the approximate index for a question, and says which and why (检索计划)."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.search.approximate.lifecycle import Approximate
from nemo.store.search.exact import ExactIndex
from nemo.store.search.number_sets import Numbers
from nemo.store.search.vectors import ScoredChunks
from nemo.store.search.view import View


@dataclass(frozen=True, slots=True)
class Plan:
    """How one dense search was done."""

    store: str
    allowed: int
    """Chunks the filters let through."""
    total: int
    """Chunks held."""
    reason: str
    """Why this store, in Chinese."""


class DenseIndexes:
    """The exact matrix, loaded at the first need, and beside it an approximate index when there is one."""

    def __init__(self, catalogue: Catalogue, approximate: Approximate, exact_rows: int) -> None:
        self._catalogue = catalogue
        self._exact_rows = exact_rows
        self._exact: ExactIndex | None = None
        self._loading = threading.Lock()
        self.approximate = approximate
        self.plans: Counter[str] = Counter()
        """How often each store answered, and why."""

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

    def changed(self, gone: Numbers, new: Sequence[tuple[int, np.ndarray | None]]) -> None:
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
        self, vector: np.ndarray, k: int, allowed: Numbers, view: View, *, exact: bool = False
    ) -> tuple[ScoredChunks, Plan]:
        """Return the ``k`` best of the allowed chunks by cosine (``ScoredChunks``), and how they were found."""
        if exact:
            reason = "资料集指定精确计算"
        elif allowed.total <= self._exact_rows:
            reason = "允许的片段不多，精确计算"
        else:
            found = self.approximate.search(vector, k, allowed, view.generation)
            if found is not None and len(found) >= min(k, allowed.total):
                return found, self._planned(self.approximate.name, allowed, view, "允许的片段较多，用近似索引")
            reason = "近似索引未启用或未就绪，改用精确计算" if found is None else "近似索引给出的结果不足，改用精确计算"
            divided = self.exact.near(vector, k, allowed)
            if divided is not None and len(divided) >= min(k, allowed.total):
                return divided, self._planned("inverted", allowed, view, "允许的片段较多，用内存中的倒排分区")
        return self.exact.search(vector, k, allowed), self._planned("exact", allowed, view, reason)

    def _planned(self, store: str, allowed: Numbers, view: View, reason: str) -> Plan:
        self.plans[f"{store}：{reason}"] += 1
        return Plan(store, allowed.total, view.chunks, reason)
