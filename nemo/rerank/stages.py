"""Rerankers behind the built-in one: each guarded, remembered and timed (重排阶段).

How likely each hit is evidence by what a stage said is read in :mod:`nemo.rerank.opinion`.
"""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cachetools import LRUCache

from nemo.rerank.contract import SecondReranker
from nemo.services.breaker import CircuitBreaker
from nemo.types import Hit, Query

CACHED = 512
"""Orders kept in memory; the least recently used goes first."""

Key = tuple[str, tuple[str, ...]]
Opinion = tuple[tuple[str, Mapping[str, float]], ...]
"""The ids of the hits in the stage's order, each with what the stage said of it."""


@dataclass(frozen=True, slots=True)
class StageState:
    """What a stage did since the start (阶段状态)."""

    name: str
    calls: int
    """How often it was asked; what was remembered is no call."""
    failures: int
    seconds: float
    """Of all its calls together."""
    remembered: int
    waits: float
    """Seconds until it is tried again; 0 when it works."""

    @property
    def words(self) -> str:
        """The state in one Chinese sentence."""
        asked = self.calls + self.remembered
        mean = self.seconds / self.calls * 1000 if self.calls else 0.0
        share = self.remembered / asked if asked else 0.0
        line = f"{self.name}：调用 {self.calls} 次，失败 {self.failures} 次，平均 {mean:.0f} 毫秒，缓存命中 {share:.0%}"
        return line + (f"；已暂停，约 {self.waits:.0f} 秒后再试" if self.waits else "")


class RankingStage:
    """One outside reranker as the pipeline uses it. Thread-safe."""

    def __init__(self, part: SecondReranker, breaker: CircuitBreaker | None = None) -> None:
        self.name = part.name
        self._part = part
        self._breaker = breaker or CircuitBreaker()
        self._orders: LRUCache[Key, Opinion] = LRUCache(CACHED)
        self._lock = threading.Lock()
        self._state = StageState(self.name, 0, 0, 0.0, 0, 0.0)

    @property
    def kind(self) -> str:
        """What it is, without the model's name."""
        return self.name.partition("/")[0]

    @property
    def state(self) -> StageState:
        """What it did since the start."""
        with self._lock:
            return replace(self._state, waits=self._breaker.waits)

    def known(self, query: Query, hits: Sequence[Hit]) -> bool:
        """Tell whether this was asked before."""
        with self._lock:
            return _key(query, hits) in self._orders

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return ``hits`` in the stage's order, from memory when this was asked before.

        Raises:
            ServiceError: it failed, or it failed so often that it is not asked for a while.
        """
        key = _key(query, hits)
        with self._lock:
            opinion = self._orders.get(key)
            if opinion is not None:
                self._state = replace(self._state, remembered=self._state.remembered + 1)
        if opinion is None:
            ranked = self._breaker.call(lambda: self._asked(lambda: self._part.rerank(query, hits)))
            said = {hit.chunk.id: hit.scores for hit in hits}
            opinion = tuple(
                (h.chunk.id, {k: v for k, v in h.scores.items() if k not in said[h.chunk.id]}) for h in ranked
            )
            with self._lock:
                self._orders[key] = opinion
        at = {hit.chunk.id: hit for hit in hits}
        return [replace(at[i], scores={**at[i].scores, **scores}) for i, scores in opinion]

    def _asked(self, ask: Callable[[], list[Hit]]) -> list[Hit]:
        began, failed = time.perf_counter(), 1
        try:
            ranked = ask()
            failed = 0
            return ranked
        finally:
            took = time.perf_counter() - began
            with self._lock:
                now = self._state
                self._state = replace(
                    now, calls=now.calls + 1, failures=now.failures + failed, seconds=now.seconds + took
                )

    def close(self) -> None:
        """Give back what the reranker holds."""
        self._part.close()


def _key(query: Query, hits: Sequence[Hit]) -> Key:
    return query.text, tuple(hit.chunk.id for hit in hits)
