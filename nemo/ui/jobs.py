"""Long work beside the pages: one runner per process, its state readable by every session (后台任务).

A page hands work over and shows what :func:`Runner.batches` says; the runner's thread never touches Streamlit. The
thread is light: parsing happens in the engine's own worker processes.
"""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import streamlit as st

from nemo.ui import frame, inbox, safe

if TYPE_CHECKING:
    from nemo.engine import Engine
    from nemo.ingest import Progress, Report

State = Literal["waiting", "running", "done", "broken"]
Work = Callable[[Callable[["Progress"], None]], "Report | None"]
"""Does a piece of work, tells its progress, returns a report if the work is an ingestion."""

_KEPT_BATCHES = 20


@dataclass(frozen=True)
class Batch:
    """What one piece of work looked like at one moment; times are seconds since the epoch."""

    number: int
    title: str
    files: int
    """How many files were handed over; 0 when the work is not about files."""
    state: State = "waiting"
    progress: Progress | None = None
    report: Report | None = None
    problem: frame.Problem | None = None
    began: float = 0.0
    ended: float = 0.0

    @property
    def active(self) -> bool:
        """Whether it waits or runs."""
        return self.state in ("waiting", "running")


class Runner:
    """Does one batch after another in one background thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._batches: dict[int, Batch] = {}
        self._numbers = itertools.count(1)
        self._queue: queue.SimpleQueue[tuple[int, Work]] = queue.SimpleQueue()
        threading.Thread(target=self._loop, name="nemo-runner", daemon=True).start()
        for letter in inbox.left_over(self.folder):
            self.take_in(letter, "继续上次未完成的入库")

    @property
    def folder(self) -> Path:
        """Folder of uploaded files that are not in the library yet."""
        return self._engine.settings.library / "inbox"

    def take_in(self, letter: inbox.Letter, title: str) -> None:
        """Ingest uploaded files."""

        def work(tell: Callable[[Progress], None]) -> Report:
            report = self._engine.ingest_raw(letter.documents(), facts=dict(letter.facts), progress=tell)
            letter.discard()
            return report

        self.submit(title, len(letter.names), work)

    def submit(self, title: str, files: int, work: Work) -> None:
        """Queue any other work: the samples, a retry, a rebuild."""
        with self._lock:
            number = next(self._numbers)
            self._batches[number] = Batch(number, title, files)
            for old in [n for n, b in self._batches.items() if not b.active][:-_KEPT_BATCHES]:
                del self._batches[old]
        self._queue.put((number, work))

    def batches(self) -> list[Batch]:
        """Return what is known of each batch, newest first."""
        with self._lock:
            return sorted(self._batches.values(), key=lambda b: -b.number)

    def clear(self) -> None:
        """Forget finished batches; the library and the queue of failures keep what they did."""
        with self._lock:
            self._batches = {n: b for n, b in self._batches.items() if b.active}

    def _set(self, number: int, **changes: object) -> None:
        with self._lock:
            self._batches[number] = replace(self._batches[number], **changes)  # type: ignore[arg-type]

    def _loop(self) -> None:
        while True:
            number, work = self._queue.get()
            self._set(number, state="running", began=time.time())
            problem = frame.attempt(lambda n=number, w=work: self._do(n, w))  # type: ignore[misc]
            self._set(number, state="broken" if problem else "done", problem=problem, ended=time.time())

    def _do(self, number: int, work: Work) -> None:
        report = work(lambda progress: self._set(number, progress=progress))
        self._set(number, report=report)


@st.cache_resource(show_spinner=False)
def runner() -> Runner:
    """Return the one runner of this process."""
    return Runner(frame.engine())


def progress_view() -> None:
    """Show running work; redraws itself every second while there is some, and the whole page once it ends."""
    active = any(batch.active for batch in runner().batches())
    st.fragment(run_every=1.0 if active else None)(_running)(active)


def _running(was_active: bool) -> None:
    batches = [batch for batch in runner().batches() if batch.active]
    if was_active and not batches:
        st.rerun()
    for batch in reversed(batches):
        with st.container(border=True, gap="xsmall", key=f"batch_{batch.number}"):
            _bar(batch)


def _bar(batch: Batch) -> None:
    done = batch.progress
    if batch.state == "waiting":
        st.progress(0.0, text=f"{batch.title} · 排队中 · {batch.files} 个文件")
    elif done is None:
        st.progress(0.0, text=f"{batch.title} · 正在准备")
    else:
        share = min(done.done / done.total, 1.0) if done.total else 0.0
        st.progress(share, text=f"{batch.title} · {done.done} / {done.total} · {pace(done)}")
        if done.name:
            st.html(f'<p class="quiet">{safe.name(done.name)}</p>')


def pace(done: Progress) -> str:
    """Return 条文数, rate and time left of a progress in words."""
    rate = done.chunks / done.seconds if done.seconds else 0.0
    words = f"{done.chunks} 个片段 · {rate:.0f} 个/秒"
    if 0 < done.done < done.total:
        left = done.seconds / done.done * (done.total - done.done)
        words += f" · 约剩 {left:.0f} 秒" if left < 90 else f" · 约剩 {left / 60:.0f} 分钟"
    return words
