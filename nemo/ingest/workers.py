"""A crew of low-priority worker processes that survives what its work does to it.

Heavy pure work (parse, recognise, structure, embed) runs here. A task that crashes its worker, exhausts its memory or
runs past its limit fails alone: the worker is replaced and the next task goes on. ``concurrent.futures`` cannot do
this (one dead worker breaks its whole pool, and a running task cannot be stopped), hence these few lines.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from nemo.errors import NemoError, UnreadableDocumentError

NICE = 10
"""Added to the worker's niceness, so that answering questions goes first."""

SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of one task: a value, or the error that ended it."""

    index: int
    value: Any = None
    error: NemoError | None = None
    dropped: bool = False
    """It was stopped because nobody wants it any more."""


class _Worker:
    """One process and the pipe to it."""

    def __init__(self, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> None:
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=_serve, args=(theirs, work, setup), daemon=True)
        self.process.start()
        theirs.close()
        self.task: int | None = None
        self.since = 0.0

    def give(self, index: int, item: Any) -> None:
        self.task, self.since = index, time.monotonic()
        with contextlib.suppress(
            BrokenPipeError
        ):  # it was killed while idle: reading from the pipe says so in a moment
            self.pipe.send(item)

    def stop(self) -> None:
        self.pipe.close()
        self.process.terminate()
        self.process.join(2)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


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
        reply: tuple[Any, NemoError | None]
        try:
            reply = (work(item), None)
        except NemoError as error:
            reply = (None, error)
        except MemoryError:
            reply = (None, UnreadableDocumentError("处理该文件所需内存超出上限。请拆分文件后重试。"))
        try:
            pipe.send(reply)
        except BrokenPipeError:  # the owner was killed
            return


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
) -> Generator[Done]:
    """Run ``work`` on every item in ``count`` processes and yield outcomes as they come.

    Args:
        work: A function of one argument, importable by name; raises ``NemoError`` for what a person must know.
        items: Picklable tasks, taken one by one as workers become free.
        count: Number of processes; 0 runs everything here, without protection.
        seconds: Limit of one task; a task past it is killed and reported.
        setup: Called once in each new worker.
        unwanted: Asked about the index of every running task at least twice a second; True has it stopped.

    Yields:
        One ``Done`` per item, in order of completion; ``index`` is the item's position.
    """
    if count == 0:
        yield from _here(work, items, setup)
        return
    crew = [_Worker(work, setup) for _ in range(count)]
    tasks = enumerate(items)
    try:
        for worker in crew:
            _next(worker, tasks)
        while busy := [w for w in crew if w.task is not None]:
            ready = wait([w.pipe for w in busy], timeout=0.5)
            for worker in busy:
                done = _finished(worker, worker.pipe in ready, seconds) or _dropped(worker, unwanted)
                if done is None:
                    continue
                if done.value is None and not worker.process.is_alive():
                    crew[crew.index(worker)] = worker = _replace(worker, work, setup)
                worker.task = None
                _next(worker, tasks)
                yield done
    finally:
        for worker in crew:
            worker.stop()


def _here(work: Callable[[Any], Any], items: Iterable[Any], setup: Callable[[], None] | None) -> Iterator[Done]:
    if setup is not None:
        setup()
    for index, item in enumerate(items):
        try:
            yield Done(index, work(item))
        except NemoError as error:
            yield Done(index, error=error)


def _next(worker: _Worker, tasks: Iterator[tuple[int, Any]]) -> None:
    task = next(tasks, None)
    if task is not None:
        worker.give(*task)


def _replace(worker: _Worker, work: Callable[[Any], Any], setup: Callable[[], None] | None) -> _Worker:
    worker.stop()
    return _Worker(work, setup)


def _dropped(worker: _Worker, unwanted: Callable[[int], bool]) -> Done | None:
    """Stop a worker's task when nobody wants it any more."""
    assert worker.task is not None
    if not unwanted(worker.task):
        return None
    worker.process.kill()
    worker.process.join()
    return Done(worker.task, dropped=True)


def _finished(worker: _Worker, ready: bool, seconds: float) -> Done | None:
    """Return the outcome of a worker's task, None while it is still at it; a dead or late worker's task has failed."""
    assert worker.task is not None
    if ready:
        try:
            value, error = worker.pipe.recv()
        except (EOFError, OSError):  # closed by its end, or reset before its first word
            worker.process.join()
            return Done(
                worker.task, error=UnreadableDocumentError("解析进程意外退出，该文件未入库。请检查文件是否损坏后重试。")
            )
        return Done(worker.task, value, error)
    if time.monotonic() - worker.since > seconds:
        worker.process.kill()
        worker.process.join()
        return Done(
            worker.task, error=UnreadableDocumentError(f"解析超过 {seconds:g} 秒仍未完成，已停止。请拆分文件后重试。")
        )
    return None
