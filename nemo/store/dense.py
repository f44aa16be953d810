"""Dense search: chooses the exact product or the approximate index for a question, and says which and why (检索计划)."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nemo.store.catalogue import Catalogue
from nemo.store.exact import ExactIndex
from nemo.store.numbers import Numbers
from nemo.store.vectors import Scored, VectorStore


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

    def __init__(self, catalogue: Catalogue, exact_rows: int) -> None:
        """Args: where the vectors come from, and up to how many allowed rows the exact product answers."""
        self._catalogue = catalogue
        self._exact_rows = exact_rows
        self._exact: ExactIndex | None = None
        self._loading = threading.Lock()
        self.approximate: VectorStore | None = None
        """Set while it stands for the library's present generation, else None."""
        self.plans: Counter[str] = Counter()
        """How often each store answered, and each reason for falling back."""

    @property
    def exact(self) -> ExactIndex:
        """The exact index, loaded from the catalogue when it is first asked for."""
        if self._exact is None:
            with self._loading:
                if self._exact is None:
                    self._exact = _loaded(self._catalogue)
        return self._exact

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

    def search(self, vector: np.ndarray, k: int, allowed: Numbers, total: int) -> tuple[Scored, Plan]:
        """Return at most ``k`` of the allowed chunks by cosine, and how they were found."""
        approximate = self.approximate
        if allowed.total <= self._exact_rows:
            plan = Plan("exact", allowed.total, total, "允许的片段不多，精确计算")
        elif approximate is None:
            plan = Plan("exact", allowed.total, total, "近似索引未启用或未就绪，改用精确计算")
        else:
            found = approximate.search(vector, k, allowed)
            if len(found) >= min(k, allowed.total):
                plan = Plan(approximate.name, allowed.total, total, "允许的片段较多，用近似索引")
                self.plans[plan.store] += 1
                return found, plan
            plan = Plan("exact", allowed.total, total, "近似索引给出的结果不足，改用精确计算")
        self.plans[f"{plan.store}：{plan.reason}"] += 1
        return self.exact.search(vector, k, allowed), plan


def _loaded(catalogue: Catalogue) -> ExactIndex:
    blocks = list(catalogue.vectors())
    index = ExactIndex(catalogue.dim, sum(len(rows) for _, rows in blocks))
    if blocks:
        numbers = np.concatenate([np.arange(first, first + len(rows)) for first, rows in blocks])
        index.add(numbers, np.concatenate([rows for _, rows in blocks]))
    return index
