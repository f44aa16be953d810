"""What the app's process needs (进程): memory kept together, a SQLite that is new enough, a start without detours.

glibc gives every thread a heap of its own, and Streamlit a thread to every visitor. Measured with the 597 texts and
twenty asking threads: 520 MiB resident without the two calls below, 440 with them.
"""

import ctypes
import gc
import platform
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


@contextmanager
def start() -> Iterator[None]:
    """Look for no garbage while modules and models are loaded, and never again through what was loaded.

    Nearly everything made then stays; the collections of this stretch took 0.13 s of processor time.
    """
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            gc.freeze()
        gc.enable()


def without_component_packages() -> None:
    """Keep Streamlit from reading the papers of every installed package in search of components (0.15 s; we use none)."""
    from streamlit.components.v2 import manifest_scanner

    manifest_scanner.scan_component_manifests = _no_components


def _no_components(max_workers: int | None = None) -> list[Any]:
    return []


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let no rerun that arrives meanwhile break off what this thread does for a reader; it follows afterwards.

    Streamlit breaks a script off at every look into its session's state as well, in the middle of a callback too: the
    rerun goes on, the work of the button does not.
    """
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    runner: Any = getattr(context.yield_check, "__self__", None) if context else None
    if runner is None or not runner._execing:
        yield
        return
    runner._execing = False
    try:
        yield
    finally:
        runner._execing = True


def whole_callbacks() -> None:
    """Let Streamlit take over what a reader did, and call the callbacks, without a break (:func:`uninterrupted`)."""
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    taken_over = SafeSessionState.on_script_will_rerun
    if not hasattr(taken_over, "__wrapped__"):
        SafeSessionState.on_script_will_rerun = uninterrupted()(taken_over)  # type: ignore[method-assign]


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
