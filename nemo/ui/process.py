"""What the app's process needs before it opens a library (进程): memory kept together, a SQLite that is new enough.

glibc gives every thread a heap of its own, and Streamlit a thread to every visitor. Measured with the 597 texts and
twenty asking threads: 520 MiB resident without the two calls below, 440 with them.
"""

from __future__ import annotations

import ctypes
import platform
import sqlite3
import sys
import time

from nemo.errors import MissingDependencyError

OLDEST_SQLITE = (3, 35, 0)
"""What chromadb asks for when it is imported."""

_M_ARENA_MAX = -8
"""``mallopt``'s name for the greatest number of heaps."""

_ARENAS = 2


def renew_sqlite() -> None:
    """Put the SQLite that comes with pysqlite3 in the place of a system's older one; nothing where it is new enough.

    Raises:
        MissingDependencyError: it is too old, and pysqlite3 is not installed.
    """
    if sqlite3.sqlite_version_info >= OLDEST_SQLITE:
        return
    try:
        import pysqlite3
        from pysqlite3 import dbapi2
    except ImportError as error:
        raise MissingDependencyError(
            f"本机的 SQLite {sqlite3.sqlite_version} 太旧。请安装 pysqlite3-binary 后重新启动。"
        ) from error
    sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2


def keep_memory_together() -> None:
    """Let all threads share two heaps; nothing where the C library is not glibc."""
    if libc := _glibc():
        libc.mallopt(_M_ARENA_MAX, _ARENAS)


def give_back_memory() -> None:
    """Return free memory to the system, worth it after opening a library; nothing where the C library is not glibc."""
    if libc := _glibc():
        libc.malloc_trim(0)


_TIDY_SECONDS = 30.0
_tidied = time.monotonic()


def tidy() -> None:
    """Return free memory to the system now and then; called after a page was drawn, costs some 10 ms when it acts."""
    global _tidied
    if time.monotonic() - _tidied > _TIDY_SECONDS:
        _tidied = time.monotonic()
        give_back_memory()


def _glibc() -> ctypes.CDLL | None:
    return ctypes.CDLL(None) if platform.libc_ver()[0] == "glibc" else None
