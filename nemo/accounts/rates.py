"""How much is answered (限流): requests a minute of each address and each known caller, and how many may wait at once."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from nemo.errors import BusyError, TooManyRequestsError

if TYPE_CHECKING:
    from limits.strategies import RateLimiter

ADDRESS, CALLER = 10, 20
"""Requests a minute in the profile of a public demonstration, where no number is set."""


class RateLimits:
    """Counts requests within the last minute. Thread-safe; counts live in memory and end with the process."""

    def __init__(self, address: int, caller: int) -> None:
        """Args: requests a minute of one address without a name, and of one token or account; 0 for any number."""
        self._most = {"address": address, "caller": caller}
        self._counts: RateLimiter | None = None
        if any(self._most.values()):
            from limits.storage import MemoryStorage  # only who counts pays for it
            from limits.strategies import MovingWindowRateLimiter

            self._counts = MovingWindowRateLimiter(MemoryStorage())

    @property
    def active(self) -> bool:
        """Whether anything is limited."""
        return self._counts is not None

    def spend(self, caller: str | None, address: str | None) -> None:
        """Count one request of a known caller, or of an address that sent no name.

        Raises:
            TooManyRequestsError: it is one too many; it is not counted.
        """
        kind, key = ("caller", caller) if caller else ("address", address or "")
        most = self._most[kind]
        if self._counts is None or not most:
            return
        from limits import RateLimitItemPerMinute

        item = RateLimitItemPerMinute(most)
        if not self._counts.hit(item, kind, key):
            seconds = max(1, math.ceil(self._counts.get_window_stats(item, kind, key).reset_time - time.time()))
            raise TooManyRequestsError(f"每分钟至多 {most} 次请求。请等待 {seconds} 秒后再试。", seconds)


class Admission:
    """Lets in so many at once; the rest is told to come back instead of waiting without end (有界队列). Thread-safe."""

    def __init__(self, most: int) -> None:
        """Args: how many may be answered or wait at the same time."""
        self.most = most
        self._inside = 0
        self._lock = Lock()

    @property
    def inside(self) -> int:
        """How many are answered or wait now."""
        return self._inside

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold a place.

        Raises:
            BusyError: there is none.
        """
        with self._lock:
            if self._inside >= self.most:
                raise BusyError(f"同时等候的请求已有 {self.most} 个。请稍候再试。")
            self._inside += 1
        try:
            yield
        finally:
            with self._lock:
                self._inside -= 1
