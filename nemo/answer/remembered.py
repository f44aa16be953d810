"""Answers given a moment ago, and one at work for all who ask the same at the same time (答复缓存)."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future

from cachetools import LRUCache

from nemo.types import Answer

KEPT = 512
"""Answers kept in memory for as long as the library and the reviews stay what they are."""


class RememberedAnswers:
    """Answers by everything that they depend on. Thread-safe."""

    def __init__(self) -> None:
        self._kept: LRUCache[Hashable, Answer] = LRUCache(KEPT)
        self._at_work: dict[Hashable, Future[Answer]] = {}
        self._lock = threading.Lock()

    def answer(self, key: Hashable, make: Callable[[], Answer]) -> tuple[Answer, bool]:
        """Return the answer of a key (everything that it depends on), and whether somebody asked for it before.

        Who asks while it is made waits for it, and meets what it raises. One with a degraded part is not kept: a
        service that failed may be back for the next question.
        """
        with self._lock:
            known, pending = self._kept.get(key), self._at_work.get(key)
            if known is None and pending is None:
                self._at_work[key] = mine = Future[Answer]()
        if known is not None:
            return known, True
        if pending is not None:
            return pending.result(), True
        try:
            made = make()
        except BaseException as error:
            self._done(key)
            mine.set_exception(error)
            raise
        self._done(key, None if made.degraded else made)
        mine.set_result(made)
        return made, False

    def _done(self, key: Hashable, made: Answer | None = None) -> None:
        with self._lock:
            del self._at_work[key]
            if made is not None:
                self._kept[key] = made
