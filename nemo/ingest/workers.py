"""A crew of low-priority worker processes that survives what its work does to it.

Heavy pure work (parse, recognise, structure, embed) runs here. A task that crashes its worker, exhausts its memory or
runs past its limit fails alone: the worker is replaced and the next task goes on. ``concurrent.futures`` cannot do
this (one dead worker breaks its whole pool, and a running task cannot be stopped), hence these few lines.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker, spawn
from multiprocessing.connection import Connection, wait
from typing import Any

from nemo.errors import NemoError, UnreadableDocumentError

NICE = 10
"""Added to the worker's niceness, so that answering questions goes first."""

SPAWN = multiprocessing.get_context("spawn")

NAME = "nemo-worker"


def _prepared(name: str, _prepare: Callable[[str], dict[str, Any]] = spawn.get_preparation_data) -> dict[str, Any]:
    """Return what a new process begins with; a worker does not run the script that started it a second time.

    ``multiprocessing`` has every process import the main script anew. A script without ``if __name__ == "__main__"``
    would open the library again in each worker, and no file would be read. What a worker does stands in modules.
    """
    data = _prepare(name)
    return {k: v for k, v in data.items() if name != NAME or not k.startswith("init_main_")}


spawn.get_preparation_data = _prepared


@dataclass(frozen=True, slots=True)
class TaskOutcome:
    """The outcome of one task: a value, or the error that ended it."""

    index: int
    value: Any = None
    error: NemoError | None = None
    dropped: bool = False
    """It was stopped because nobody wants it any more."""
    lost: bool = False
    """Its worker ended before it did."""


class Worker(ABC):
    """One that works on one task at a time; ``run`` gives, waits and takes."""

    def __init__(self) -> None:
        self.task: tuple[int, Any] | None = None
        self.since = 0.0
        self.given = 0

    @property
    def retried(self) -> bool:
        """Whether a task whose worker was lost is given to another one, once: the memory that was full may be that of the
        files before it, without any fault of this one.
        """
        return self.given > 1

    def give(self, index: int, item: Any) -> None:
        """Hand a task over."""
        self.task, self.since = (index, item), time.monotonic()
        self.given += 1
        self.send(item)

    @abstractmethod
    def send(self, item: Any) -> None:
        """Begin with a task; one that is gone says so when its outcome is taken."""

    @abstractmethod
    def take(self) -> tuple[Any, NemoError | None]:
        """Return the outcome of a task that is ready; raises EOFError or OSError when the worker was lost."""

    @abstractmethod
    def alive(self) -> bool:
        """Tell whether it can be given another task."""

    @abstractmethod
    def kill(self) -> None:
        """End it at once."""

    def stop(self) -> None:
        """End it when nothing is left to do."""
        self.kill()

    @staticmethod
    @abstractmethod
    def ready(busy: Sequence[Any]) -> Collection[Any]:
        """Wait half a second at most; return those whose outcome can be taken."""


@contextlib.contextmanager
def _leaving_interrupts() -> Iterator[None]:
    """Start a process that leaves Ctrl+C, which reaches everything a terminal started, to its owner: it inherits the mask."""
    resource_tracker.ensure_running()  # which would lift the mask
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class LocalWorker(Worker):
    """One process of this machine and the pipe to it."""

    def __init__(self, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> None:
        super().__init__()
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=_serve, args=(theirs, work, setup), name=NAME, daemon=True)
        with _leaving_interrupts():
            self.process.start()
        theirs.close()

    def send(self, item: Any) -> None:
        """See :class:`Worker`."""
        with contextlib.suppress(BrokenPipeError):  # killed while idle: reading from the pipe says so in a moment
            self.pipe.send(item)

    def take(self) -> tuple[Any, NemoError | None]:
        """See :class:`Worker`."""
        outcome: tuple[Any, NemoError | None] = self.pipe.recv()
        return outcome

    def alive(self) -> bool:
        """See :class:`Worker`."""
        return self.process.is_alive()

    def kill(self) -> None:
        """See :class:`Worker`."""
        self.process.kill()
        self.process.join()

    def stop(self) -> None:
        """See :class:`Worker`."""
        self.pipe.close()
        self.process.terminate()
        self.process.join(2)
        if self.process.is_alive():
            self.kill()

    @staticmethod
    def ready(busy: Sequence[LocalWorker]) -> Collection[LocalWorker]:
        """See :class:`Worker`."""
        heard = wait([each.pipe for each in busy], timeout=0.5)
        return [each for each in busy if each.pipe in heard]


Hire = Callable[[Callable[[Any], Any], Callable[[], None] | None], Worker]
"""Starts a worker for some work, which it sets up for first."""


def _serve(pipe: Connection, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> None:
    """Body of a worker: answer each task with (value, error) until the pipe closes."""
    os.nice(NICE)
    if setup is not None:
        setup()
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(outcome_of(work, item))
        except BrokenPipeError:  # the owner was killed
            return


def outcome_of(work: Callable[[Any], Any], item: Any) -> tuple[Any, NemoError | None]:
    """Return the value of a task, or the error that a person must know."""
    try:
        return work(item), None
    except NemoError as error:
        return None, error
    except MemoryError:
        return None, UnreadableDocumentError("处理该文件所需内存超出上限。请拆分文件后重试。")


def limit_memory(mebi: int) -> None:
    """Let this worker take at most so much memory of its own, in MiB, so that one file cannot take the machine's.

    Past it, allocating fails: Python raises ``MemoryError``, a native library ends the process; either way the one file
    has failed. The owner is never limited, nor is a system that knows no such limit.
    """
    if multiprocessing.parent_process() is None or sys.platform != "linux":
        return
    import resource  # only Unix has it

    resource.setrlimit(resource.RLIMIT_DATA, (mebi << 20, mebi << 20))


def run(
    work: Callable[[Any], Any],
    items: Iterable[Any],
    *,
    count: int,
    seconds: float,
    setup: Callable[[], None] | None = None,
    unwanted: Callable[[int], bool] = lambda _: False,
    hire: Hire = LocalWorker,
) -> Generator[TaskOutcome]:
    """Run ``work`` on every item in ``count`` processes and yield outcomes as they come.

    Args:
        work: A function of one argument, importable by name; raises ``NemoError`` for what a person must know.
        items: Picklable tasks, taken one by one as workers become free.
        count: Most processes, one is started when there is a task for it; 0 runs everything here, without protection.
        seconds: Limit of one task; a task past it is killed and reported.
        setup: Called once in each new worker.
        unwanted: Asked about the index of every running task at least twice a second; True has it stopped.
        hire: Starts a worker: processes of this machine, or of a cluster.

    Yields:
        One ``Done`` per item, in order of completion; ``index`` is the item's position.
    """
    if count == 0:
        yield from _here(work, items, setup)
        return
    crew: list[Worker] = []
    tasks = enumerate(items)
    lost: set[int] = set()
    try:
        for _, task in zip(range(count), tasks, strict=False):
            crew.append(hire(work, setup))
            crew[-1].give(*task)
        while busy := [w for w in crew if w.task is not None]:
            ready = busy[0].ready(busy)
            for worker in busy:
                done = _finished(worker, worker in ready, seconds) or _dropped(worker, unwanted)
                if done is None:
                    continue
                again = done.lost and worker.retried and done.index not in lost
                following, worker.task = worker.task if again else next(tasks, None), None
                if following is not None:
                    if done.value is None and not worker.alive():
                        worker.stop()
                        crew[crew.index(worker)] = worker = hire(work, setup)
                    worker.give(*following)
                if again:
                    lost.add(done.index)
                else:
                    yield done
    finally:
        for worker in crew:
            worker.stop()


def _here(work: Callable[[Any], Any], items: Iterable[Any], setup: Callable[[], None] | None) -> Iterator[TaskOutcome]:
    if setup is not None:
        setup()
    for index, item in enumerate(items):
        try:
            yield TaskOutcome(index, work(item))
        except NemoError as error:
            yield TaskOutcome(index, error=error)


def _dropped(worker: Worker, unwanted: Callable[[int], bool]) -> TaskOutcome | None:
    """Stop a worker's task when nobody wants it any more."""
    assert worker.task is not None
    if not unwanted(worker.task[0]):
        return None
    worker.kill()
    return TaskOutcome(worker.task[0], dropped=True)


def _finished(worker: Worker, ready: bool, seconds: float) -> TaskOutcome | None:
    """Return the outcome of a worker's task, None while it is still at it; a dead or late worker's task has failed."""
    assert worker.task is not None
    index = worker.task[0]
    if ready:
        try:
            value, error = worker.take()
        except (EOFError, OSError):  # closed by its end, or reset before its first word
            worker.kill()
            gone = UnreadableDocumentError("解析进程意外退出，该文件未入库。请检查文件是否损坏后重试。")
            return TaskOutcome(index, error=gone, lost=True)
        return TaskOutcome(index, value, error)
    if time.monotonic() - worker.since > seconds:
        worker.kill()
        late = UnreadableDocumentError(f"解析超过 {seconds:g} 秒仍未完成，已停止。请拆分文件后重试。")
        return TaskOutcome(index, error=late)
    return None
