"""Upkeep beside the pages, such as rebuilding the indexes: one piece at a time, its state readable by every session (维护).

Ingestion does not run here: it has its own queue in the catalogue. A task that a crash cuts short is simply started
again by a person, so nothing is kept on disk.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from nemo.ui.shared import frame

if TYPE_CHECKING:
    from nemo.types import Progress

Work = Callable[[Callable[["Progress"], None]], object]
"""Does a piece of work and tells its progress."""


@dataclass
class MaintenanceTask:
    """One piece of work and how far it is; its own thread writes, every session reads."""

    title: str
    progress: Progress | None = None
    problem: frame.PageProblem | None = None
    active: bool = True

    def tell(self, progress: Progress) -> None:
        """Note how far it is."""
        self.progress = progress

    def do(self, work: Work) -> None:
        """Work to the end, whatever comes of it."""
        self.problem = frame.attempt(lambda: work(self.tell))
        self.active = False


class Runner:
    """Does one task at a time in a background thread, which never touches Streamlit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.newest: MaintenanceTask | None = None

    @property
    def at_work(self) -> MaintenanceTask | None:
        """The task that runs now."""
        return self.newest if self.newest is not None and self.newest.active else None

    def begin(self, title: str, work: Work) -> None:
        """Begin a piece of work, unless one is under way."""
        with self._lock:
            if self.at_work is None:
                self.newest = task = MaintenanceTask(title)
                threading.Thread(target=task.do, args=(work,), name="nemo-tasks", daemon=True).start()


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """Return the one runner of this process."""
    return Runner()
