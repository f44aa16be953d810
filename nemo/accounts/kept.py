"""Who signed in with a password, known again in another tab and after a reload (登录保持).

A browser keeps a random key in a cookie that no script reads; the process keeps its hash, and forgets it at its end.
Since a page speaks over a socket, on which no cookie is set, it is handed a code and exchanges that for the key once.
"""

import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from nemo.accounts.tokens import RANDOM_BYTES, digest

COOKIE = "nemo_signed_in"
LASTS = 12 * 3600.0
"""Seconds: a working day. NIST SP 800-63B section 4.2.3 wants a new sign-in after 12 hours."""
EXCHANGED = 60.0
"""Seconds in which a code is exchanged."""


@dataclass(slots=True)
class _Kept:
    name: str
    ends: float
    key: str = ""
    """Hash of the key; empty until the code was exchanged."""


class KeptSignIns:
    """The sign-ins of one process, by the hash of their codes. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Args: returns seconds that never go back."""
        self._clock = clock
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def begin(self, name: str) -> str:
        """Return the code that the page of who just signed in exchanges."""
        code, now = secrets.token_urlsafe(RANDOM_BYTES), self._clock()
        with self._lock:
            self._kept = {code: one for code, one in self._kept.items() if one.ends > now}
            self._kept[digest(code)] = _Kept(name, now + EXCHANGED)
        return code

    def waits(self, code: str) -> bool:
        """Tell whether a code has not been exchanged yet."""
        with self._lock:
            one = self._kept.get(digest(code))
            return one is not None and not one.key and one.ends > self._clock()

    def exchange(self, code: str) -> str | None:
        """Return the key for a code, once."""
        with self._lock:
            one = self._kept.get(digest(code))
            if one is None or one.key or one.ends <= self._clock():
                return None
            key = secrets.token_urlsafe(RANDOM_BYTES)
            one.key, one.ends = digest(key), self._clock() + LASTS
            return key

    def name(self, key: str) -> str | None:
        """Return who holds a key."""
        wanted = digest(key)
        with self._lock:
            return next((k.name for k in self._kept.values() if k.key == wanted and k.ends > self._clock()), None)

    def end(self, code: str | None, key: str | None) -> None:
        """Forget the sign-in of a code or a key."""
        gone = {digest(one) for one in (code, key) if one}
        with self._lock:
            self._kept = {at: one for at, one in self._kept.items() if at not in gone and one.key not in gone}
