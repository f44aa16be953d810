"""A brake on guessing (口令尝试限速): after some wrong tries every further one waits, longer each time.

Counted by account and by address apart: one address that tries many names is slowed down, and so are many addresses
that try one name. Counts live in memory and end with the process; the audit log keeps what happened.
"""

import math
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from cachetools import LRUCache

from nemo.errors import TooManyTriesError

FREE_BY_ACCOUNT, FREE_BY_ADDRESS = 5, 20
"""Wrong tries without a wait: people mistype; behind one address many people may sit."""

LONGEST = 300.0
"""Seconds: an attacker who keeps an account busy must not keep its owner out for a day."""

FORGOTTEN = 3600.0
"""Seconds after the last wrong try, when the count starts anew."""

KEPT = 10_000
"""Accounts and addresses remembered; who is tried longest ago goes first."""


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    last: float = -math.inf


class LoginBrake:
    """Counts wrong tries. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tries: LRUCache[Hashable, _Tries] = LRUCache(KEPT)
        self._lock = threading.Lock()

    def attempt(self, account: str | None, address: str | None) -> int:
        """Count a try as wrong before it is looked at, so that many at once do not slip through together.

        ``account`` is None for tokens, which carry none, ``address`` where it is not known.

        Returns:
            How many wrong tries that makes, by whichever of both has more.

        Raises:
            TooManyTriesError: it is too early; the try must not be looked at, and is not counted.
        """
        with self._lock:
            now, keys = self._clock(), _keys(account, address)
            left = max(self._left(key, free, now) for key, free in keys)
            if left > 0:
                seconds = math.ceil(left)
                raise TooManyTriesError(f"尝试次数过多。请等待 {seconds} 秒后再试；忘记口令请找管理员重设。", seconds)
            return max(self._count(key, now) for key, _ in keys)

    def _count(self, key: Hashable, now: float) -> int:
        tries = self._tries.setdefault(key, _Tries())
        tries.wrong = 1 if now - tries.last > FORGOTTEN else tries.wrong + 1
        tries.last = now
        return tries.wrong

    def right(self, account: str, address: str | None) -> None:
        """Take a try back that turned out right: the account starts anew, the address loses this one only."""
        with self._lock:
            self._tries.pop(_account(account), None)
            if tries := self._tries.get(_address(address)):
                tries.wrong -= 1

    def _left(self, key: Hashable, free: int, now: float) -> float:
        """Seconds to wait: none for the free tries, then 1, 2, 4 … up to ``LONGEST``."""
        tries = self._tries.get(key)
        if tries is None or tries.wrong < free:
            return 0.0
        return max(0.0, tries.last + min(LONGEST, 2.0 ** min(tries.wrong - free, 20)) - now)


def _keys(account: str | None, address: str | None) -> list[tuple[Hashable, int]]:
    by_address = (_address(address), FREE_BY_ADDRESS)
    return [by_address] if account is None else [(_account(account), FREE_BY_ACCOUNT), by_address]


def _account(name: str) -> Hashable:
    return ("account", name.strip().casefold())


def _address(address: str | None) -> Hashable:
    return ("address", address or "")
