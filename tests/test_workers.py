"""A task that kills, hangs or exhausts its worker fails alone."""

import functools
import os
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from nemo.errors import UnreadableDocumentError
from nemo.ingest import workers
from nemo.ingest.workers import LocalWorker, TaskOutcome, limit_memory, run

_seen: list[str] = []
"""Tasks that this process has done."""


def work(item: str) -> str:
    """Behave as the item says: the faults a real parser can have, written as tasks; ``hang:FILE`` makes the file first."""
    if item.startswith("hang:"):
        Path(item.removeprefix("hang:")).touch()
        time.sleep(600)
    if item == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if item == "exit":
        os._exit(3)
    if item == "hang":
        time.sleep(600)
    if item == "unreadable":
        raise UnreadableDocumentError("读不了。")
    if item == "left" and _seen:  # ended by what the tasks before it left behind
        os._exit(3)
    _seen.append(item)
    if item == "memory":
        raise MemoryError
    if item == "greedy":
        return str(len(bytearray(3 << 30)))
    return item.upper()


def outcomes(items: list[str], count: int, seconds: float = 30) -> dict[int, TaskOutcome]:
    return {d.index: d for d in run(work, items, count=count, seconds=seconds)}


def test_a_fault_fails_its_file_only() -> None:
    """Each kind of fault in one batch: processes are started once, which takes longer than all they do."""
    done = outcomes(["a", "crash", "b", "exit", "c", "unreadable", "d", "memory", "e"], count=2)
    assert {i: d.value for i, d in done.items() if d.value} == {0: "A", 2: "B", 4: "C", 6: "D", 8: "E"}
    assert all(isinstance(done[i].error, UnreadableDocumentError) for i in (1, 3, 5, 7))


def hanging(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a task that hangs; as soon as it does the clock is put forward: a process may take as long as it likes to start."""
    hangs = folder / "hangs"
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + 1000 * hangs.exists())
    monkeypatch.setattr(workers, "time", clock)
    return f"hang:{hangs}"


def test_a_task_past_its_limit_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = outcomes([hanging(tmp_path, monkeypatch), "a", "b"], count=1, seconds=900)
    assert "900 秒" in done[0].error.message
    assert [done[1].value, done[2].value] == ["A", "B"]


def test_tasks_are_taken_one_by_one_so_that_a_batch_need_not_fit_in_memory() -> None:
    taken = []

    def items() -> object:
        for number in range(20):
            taken.append(number)
            yield str(number)

    first = next(iter(run(work, items(), count=2, seconds=300)))
    assert first.value in {"0", "1"}
    assert len(taken) <= 5


def test_an_interrupt_of_a_terminal_is_left_to_the_owner() -> None:
    """It reaches every process, also one that has not yet begun."""
    with workers._leaving_interrupts():
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    crew = LocalWorker(work, None)
    os.kill(crew.process.pid, signal.SIGINT)
    crew.give(0, "a")
    assert crew.take() == ("A", None)
    os.kill(crew.process.pid, signal.SIGINT)
    crew.give(1, "b")
    assert crew.take() == ("B", None)
    crew.stop()


def test_a_task_that_ends_for_what_others_left_behind_is_done_by_a_new_process() -> None:
    done = outcomes(["a", "left", "b"], count=1)
    assert [done[i].value for i in range(3)] == ["A", "LEFT", "B"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what a process takes for itself")
def test_a_task_that_takes_too_much_memory_fails_alone() -> None:
    setup = functools.partial(limit_memory, 1024)
    done = {d.index: d for d in run(work, ["greedy", "a"], count=1, seconds=300, setup=setup)}
    assert done[0].error is not None and "内存超出上限" in done[0].error.message
    assert done[1].value == "A"


def test_the_owner_is_never_limited() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit_memory(512)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_without_processes_everything_runs_here() -> None:
    assert {d.value for d in run(work, ["a", "b"], count=0, seconds=300)} == {"A", "B"}


def test_no_items_no_outcomes() -> None:
    assert list(run(work, [], count=2, seconds=300)) == []


def test_no_process_is_started_that_has_nothing_to_do() -> None:
    """One task for two, and none for who would stand in for the one that it ended."""
    hired: list[LocalWorker] = []

    def hire(*given: Any) -> LocalWorker:
        hired.append(LocalWorker(*given))
        return hired[-1]

    (done,) = run(work, ["exit"], count=2, seconds=300, hire=hire)
    assert done.error is not None and len(hired) == 1
