"""Stops asking a service that keeps failing, and tries it again after a while (熔断).

Closed: every call goes through. After some failures in a row it opens: calls are refused at once. After a pause it is
half open: one call goes through as a probe, and what becomes of it closes or opens it (Nygard, Release It!, 2007).
The known packages hold a lock while they call, so that one slow question would make all others wait.
"""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from nemo.errors import ServiceError

FAILURES = 3
"""So many in a row open it."""
PAUSE = 60.0
"""Seconds until the probe."""

T = TypeVar("T")


class CircuitBreaker:
    """Guards the calls of one service. Thread-safe; calls run side by side."""

    def __init__(
        self, failures: int = FAILURES, pause: float = PAUSE, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Args: failures in a row that open it, seconds until the probe, and what tells the time."""
        self._most, self._pause, self._clock = failures, pause, clock
        self._lock = threading.Lock()
        self._failed = 0
        self._opened = 0.0
        self._probing = False

    @property
    def waits(self) -> float:
        """Seconds until the next probe; 0 when calls go through."""
        with self._lock:
            return self._waits()

    def call(self, ask: Callable[[], T]) -> T:
        """Return what ``ask`` returns.

        Raises:
            ServiceError: it failed, or it failed so often that it is not asked.
        """
        with self._lock:
            waits = self._waits()
            if waits > 0 or self._probing:
                raise ServiceError(f"连续 {self._failed} 次失败，暂停调用，约 {max(1.0, waits):.0f} 秒后再试。")
            self._probing = self._failed >= self._most
        failed = True
        try:
            found = ask()
            failed = False
            return found
        finally:
            self._learn(failed)

    def _waits(self) -> float:
        return max(0.0, self._opened + self._pause - self._clock()) if self._failed >= self._most else 0.0

    def _learn(self, failed: bool) -> None:
        with self._lock:
            self._probing = False
            self._failed = self._failed + 1 if failed else 0
            self._opened = self._clock()
