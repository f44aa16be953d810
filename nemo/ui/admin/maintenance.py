"""Upkeep beside the pages, such as rebuilding the indexes: one at a time, its state readable by every session (维护).

Ingestion does not run here: it has its own queue in the catalogue. A task that a crash cuts short is simply started
again by a person, so nothing is kept on disk.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import streamlit as st

from nemo.ui.shared import frame

if TYPE_CHECKING:
    from nemo.ingest import Progress

State = Literal["waiting", "running", "done", "broken"]
Work = Callable[[Callable[["Progress"], None]], object]
"""Does a piece of work and tells its progress."""

_KEPT = 20


@dataclass(frozen=True)
class MaintenanceTask:
    """What one piece of work looked like at one moment; times are seconds since the epoch."""

    number: int
    title: str
    state: State = "waiting"
    progress: Progress | None = None
    problem: frame.Problem | None = None
    began: float = 0.0
    ended: float = 0.0

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")


class Runner:
    """Does one task after another in one background thread, which never touches Streamlit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tasks: dict[int, MaintenanceTask] = {}
        self._numbers = itertools.count(1)
        self._queue: queue.SimpleQueue[tuple[int, Work]] = queue.SimpleQueue()
        threading.Thread(target=self._loop, name="nemo-tasks", daemon=True).start()

    def submit(self, title: str, work: Work) -> None:
        """Queue a piece of work."""
        with self._lock:
            number = next(self._numbers)
            self._tasks[number] = MaintenanceTask(number, title)
            for old in [n for n, task in self._tasks.items() if not task.active][:-_KEPT]:
                del self._tasks[old]
        self._queue.put((number, work))

    def tasks(self) -> list[MaintenanceTask]:
        """Return what is known of each, newest first."""
        with self._lock:
            return sorted(self._tasks.values(), key=lambda task: -task.number)

    def _set(self, number: int, **changes: object) -> None:
        with self._lock:
            self._tasks[number] = replace(self._tasks[number], **changes)  # type: ignore[arg-type]

    def _loop(self) -> None:
        while True:
            number, work = self._queue.get()
            self._set(number, state="running", began=time.time())
            problem = frame.attempt(lambda n=number, w=work: self._do(n, w))  # type: ignore[misc]
            self._set(number, state="broken" if problem else "done", problem=problem, ended=time.time())

    def _do(self, number: int, work: Work) -> None:
        work(lambda progress: self._set(number, progress=progress))


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """Return the one runner of this process."""
    return Runner()
