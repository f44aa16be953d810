"""Who signed in with a password, known again in another tab and after a reload (登录保持).

A browser keeps a random key in a cookie that no script reads; its hash lies in a file beside the library, so that it
opens every process of the library, and one that was started anew. Since a page speaks over a socket, on which no cookie
is set, it is handed a code and exchanges that for the key once.
"""

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from nemo.accounts.tokens import RANDOM_BYTES, digest

_log = logging.getLogger(__name__)

COOKIE = "nemo_signed_in"
FILE = "signed-in.json"
"""In the library's folder, readable by its owner alone. No backup has it."""
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
    """The sign-ins of a library, by the hash of their codes. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.time, file: Path | None = None, people: str = "") -> None:
        """Take up what is kept.

        Args:
            clock: returns the time in seconds.
            file: what other processes read too; None keeps all in memory.
            people: a hash of those who may come in: what was kept for others, or under an older password, is over.
        """
        self._clock, self._file, self._people = clock, file, people
        self._kept: dict[str, _Kept] = {}
        self._read = 0
        self._lock = threading.Lock()

    def begin(self, name: str) -> str:
        """Return the code that the page of who just signed in exchanges."""
        code = secrets.token_urlsafe(RANDOM_BYTES)
        with self._lock:
            self._kept[digest(code)] = _Kept(name, self._clock() + EXCHANGED)
        return code

    def waits(self, code: str) -> bool:
        """Tell whether a code has not been exchanged yet."""
        with self._lock:
            one = self._kept.get(digest(code))
            return one is not None and not one.key and one.ends > self._clock()

    def exchange(self, code: str) -> str | None:
        """Return the key for a code, once."""
        with self._lock:
            self._follow()
            one = self._kept.get(digest(code))
            if one is None or one.key or one.ends <= self._clock():
                return None
            key = secrets.token_urlsafe(RANDOM_BYTES)
            one.key, one.ends = digest(key), self._clock() + LASTS
            self._write()
            return key

    def name(self, key: str) -> str | None:
        """Return who holds a key."""
        wanted = digest(key)
        with self._lock:
            self._follow()
            return next((k.name for k in self._kept.values() if k.key == wanted and k.ends > self._clock()), None)

    def end(self, code: str | None, key: str | None) -> None:
        """Forget the sign-in of a code or a key."""
        gone = {digest(one) for one in (code, key) if one}
        with self._lock:
            self._follow()
            self._kept = {at: one for at, one in self._kept.items() if at not in gone and one.key not in gone}
            self._write()

    def _follow(self) -> None:
        """Take over what another process wrote; codes that wait are this one's own."""
        try:
            written = self._file.stat().st_mtime_ns if self._file else 0
            if self._file is None or written == self._read:
                return
            held = json.loads(self._file.read_text("utf-8"))
            found = {at: _Kept(*one) for at, one in held["kept"].items()} if held["people"] == self._people else {}
        except FileNotFoundError:
            return
        except (OSError, ValueError, LookupError, TypeError) as error:
            _log.warning("kept sign-ins cannot be read: %s", error)
            return
        self._read = written
        self._kept = {at: one for at, one in self._kept.items() if not one.key} | found

    def _write(self) -> None:
        """Write what is kept; a disk that takes nothing leaves it in memory."""
        now = self._clock()
        self._kept = {at: one for at, one in self._kept.items() if one.ends > now}
        if self._file is None:
            return
        kept = {at: (one.name, one.ends, one.key) for at, one in self._kept.items() if one.key}
        partial = self._file.with_name(f"{FILE}.{os.getpid()}.partial")
        try:
            with os.fdopen(
                os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as out:
                json.dump({"people": self._people, "kept": kept}, out, ensure_ascii=False)
            partial.replace(self._file)
            self._read = self._file.stat().st_mtime_ns
        except OSError as refused:
            _log.warning("kept sign-ins stay in memory: %s", refused)
