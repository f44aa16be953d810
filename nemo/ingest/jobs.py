"""Ingestion in the background: hand files over, go to lunch, come back (后台入库).

What is handed over is on disk before :meth:`Jobs.enqueue_each` returns. One thread per engine feeds the workers with what is
queued; its state is in the catalogue, so every session sees it and a crash forgets nothing: at the next start whatever
was running is queued again. A disk that refuses pauses the queue; nothing fails for it, and it is tried again.
"""

import datetime as dt
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import Any

from nemo.errors import NemoError, NotFoundError
from nemo.ingest import FileOutcome, Ingestion, IngestSource, QueuedFile, SettledFile
from nemo.ingest.manifest import KnownFacts
from nemo.parse.sniff import FileKind, kind_of
from nemo.store.records.jobs import IngestJob, JobState, JobStore
from nemo.types import RawDocument, new_trace_id

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 5.0

RETRY_SECONDS = 30.0
"""A paused queue is tried again after this time, or at once when someone says so."""

TITLE = "入库"

MEMBERS = "@members"
"""Where the plain data of a job holds what is stated about single files of an archive, by name."""


@dataclass(frozen=True, slots=True)
class FileView:
    """One file of a batch."""

    id: int
    name: str
    size: int
    """Bytes."""
    state: JobState
    outcomes: tuple[FileOutcome, ...] = ()
    """What became of it: one entry, or one for each file of an archive."""
    chunks: int = 0
    tries: int = 0
    corpora: frozenset[str] = frozenset()
    """Numbers of the corpora it comes in through."""


@dataclass(frozen=True, slots=True)
class BatchView:
    """One batch as it stands."""

    id: str
    title: str
    created: dt.datetime
    files: tuple[FileView, ...]
    seconds: float
    """At work so far in this process, or all in all once it is settled."""
    seconds_left: float | None = None
    """Expected; None before the first file of this run is done, and when nothing runs."""
    problem: str | None = None
    """Why the queue pauses, in Chinese with the next step; it is tried again by itself."""

    def of(self, *states: JobState) -> list[FileView]:
        """Return the files in some states."""
        return [file for file in self.files if file.state in states]

    @property
    def active(self) -> bool:
        """Whether anything waits or runs."""
        return bool(self.of(JobState.QUEUED, JobState.RUNNING))

    @property
    def done(self) -> int:
        """How many files are settled."""
        return len(self.files) - len(self.of(JobState.QUEUED, JobState.RUNNING))

    @property
    def total(self) -> int:
        """How many files there are."""
        return len(self.files)

    @property
    def chunks(self) -> int:
        """How many chunks were stored."""
        return sum(file.chunks for file in self.files)

    @property
    def outcomes(self) -> list[FileOutcome]:
        """What became of each file so far."""
        return [outcome for file in self.files for outcome in file.outcomes]


@dataclass(slots=True)
class _Pace:
    """How fast a batch goes in this run."""

    began: float = field(default_factory=time.monotonic)
    settled: int = 0


@dataclass(slots=True)
class _Work:
    """A claimed job and what is known of it so far."""

    job: IngestJob
    outcomes: list[FileOutcome] = field(default_factory=list)
    chunks: int = 0


class Jobs:
    """The queue of one engine and the thread that works on it."""

    def __init__(self, ingestion: Ingestion) -> None:
        self._ingestion = ingestion
        self._store: JobStore = ingestion.library.jobs
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._problem: NemoError | None = None
        self._stranded = False
        """Jobs nobody works on are still marked as running, because the disk refused the mark."""
        self._cancelled: set[int] = set()
        self._pace: dict[str, _Pace] = {}
        self._beaten = 0.0

    # --- what people do

    def enqueue_each(
        self,
        files: Iterable[tuple[RawDocument, KnownFacts]],
        title: str = TITLE,
        user: str | None = None,
        members: Mapping[str, KnownFacts] | None = None,
    ) -> str | None:
        """Take files in, one by one (they need not be in memory at once), each with its own facts; ``members`` are of
        files in archives, by name. They are safe on disk when this returns.

        Returns:
            Id of the batch, None when there were no files.

        Raises:
            BadRequestError: the library may not hold so much; nothing was taken in.
        """
        batch = secrets.token_hex(8)
        inner = {MEMBERS: {name: facts.kept() for name, facts in members.items()}} if members else {}
        stated = (
            (raw, {**facts.kept(), **(inner if kind_of(raw) is FileKind.ARCHIVE else {})})
            for raw, facts in self._with_room(files)
        )
        if not self._store.add(batch, title, stated, user):
            return None
        self.resume()
        return batch

    def _with_room(self, files: Iterable[tuple[RawDocument, KnownFacts]]) -> Iterator[tuple[RawDocument, KnownFacts]]:
        """Hand files on for as long as the library may hold them.

        Raises:
            TooLargeError: it may not hold one more.
        """
        size = 0
        for raw, facts in files:
            size += len(raw.content)
            self._ingestion.library.check_room(size)
            yield raw, facts

    def resume(self) -> None:
        """Work on whatever is queued, also what an earlier process left; a paused queue is tried again at once."""
        with self._lock:
            if self._closing.is_set() or not (self._stranded or self._store.count(JobState.QUEUED)):
                return
            self._idle.clear()
            self._problem = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="nemo-jobs", daemon=True)
                self._thread.start()
            self._wake.set()

    def cancel(self, batch: str, file: int | None = None) -> int:
        """Cancel what is not settled in a batch, or one file of it; return how many files that were.

        Files that are being read are stopped within a second; what was stored stays.
        """
        self._require(batch)
        ids = self._store.cancel(batch, file)
        self._cancelled.update(ids)
        return len(ids)

    def retry(self, batch: str, file: int | None = None) -> int:
        """Queue what failed or was cancelled in a batch, or one file of it, again; return how many files that were."""
        self._require(batch)
        ids = self._store.retry(batch, file)
        self._pace.pop(batch, None)
        self.resume()
        return len(ids)

    def dismiss(self, batch: str) -> int:
        """Forget what is settled in a batch; the library and the failure queue keep theirs. Return how many files."""
        self._require(batch)
        return self._store.dismiss(batch)

    def _require(self, batch: str) -> None:
        if not self._store.has(batch):
            raise NotFoundError("没有这一批入库任务，可能已清除。请刷新页面。")

    def wait(self, seconds: float | None = None) -> bool:
        """Return True once nothing is queued or running, False after ``seconds``."""
        return self._idle.wait(seconds)

    def close(self) -> None:
        """Stop the thread and its workers; what was at work is queued again for the next start."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()
        self._idle.set()

    # --- looking

    def batches(self, *, active: bool = False, newest: int | None = None) -> list[BatchView]:
        """Return every batch, or only those that are not settled, or so many of the ``newest``; newest first."""
        found = sorted(self._store.all(active=active, newest=newest), key=lambda job: job.batch)
        views = [
            (group[0].id, self._view(group)) for _, jobs in groupby(found, lambda j: j.batch) if (group := list(jobs))
        ]
        return [view for _, view in sorted(views, key=lambda pair: -pair[0])]

    def _view(self, jobs: list[IngestJob]) -> BatchView:
        files = tuple(map(_file_view, jobs))
        view = BatchView(jobs[0].batch, jobs[0].title, jobs[0].created, files, _span(jobs))
        if not view.active:
            return view
        pace = self._pace.get(view.id)
        seconds = time.monotonic() - pace.began if pace else 0.0
        left = seconds / pace.settled * (view.total - view.done) if pace and pace.settled else None
        problem = "".join((self._problem.message, *self._problem.tips)) if self._problem else None
        return replace(view, seconds=seconds, seconds_left=left, problem=problem)

    # --- the thread

    def _run(self) -> None:
        while not self._closing.is_set():
            self._wake.wait(RETRY_SECONDS if self._problem else None)
            self._wake.clear()
            self._work_off()
            with self._lock:
                if self._problem is None and not self._wake.is_set():
                    self._idle.set()

    def _work_off(self) -> None:
        """Work on what is queued until nothing is, or until something is wrong that is no single file's fault."""
        at_work: dict[int, _Work] = {}
        try:
            self._problem = None
            if self._stranded:
                self._give_back()
            while not self._closing.is_set() and (waiting := self._store.count(JobState.QUEUED)):
                self._ingestion.process(
                    self._feed(at_work),
                    lambda settled: self._settle(at_work, settled),
                    count=waiting,
                    unwanted=partial(self._unwanted, at_work),
                )
                if (
                    not self._closing.is_set()
                ):  # closing brings the small indexes up; the large one is for a process that stays
                    self._ingestion.library.flush()
                if at_work:
                    self._give_back()
                    at_work.clear()
        except NemoError as error:
            log.warning("ingestion pauses: %s", error.message)
            self._pause(error)
        except Exception as error:  # one of the four borders: the per-document loop
            trace_id = new_trace_id()
            log.error("ingestion pauses, trace %s", trace_id, exc_info=error)
            self._pause(NemoError(f"入库因内部错误暂停（编号 {trace_id}），稍后自动重试。请把编号告知管理员。"))

    def _give_back(self) -> None:
        """Queue again what was claimed and not settled; what was cancelled stays so."""
        self._stranded = True
        self._store.give_back()
        self._stranded = False

    def _pause(self, problem: NemoError) -> None:
        """Queue again what was at work and say why it stopped; a disk may refuse the former until the next try."""
        try:
            self._give_back()
        except NemoError as error:
            log.warning("jobs stay marked as running: %s", error.message)
        self._problem = problem

    def _feed(self, at_work: dict[int, _Work]) -> Iterator[IngestSource]:
        """Claim one job after another for the workers."""
        while not self._closing.is_set() and (job := self._store.claim()) is not None:
            self._cancelled.discard(job.id)
            self._pace.setdefault(job.batch, _Pace())
            at_work[job.id] = _Work(job)
            file = QueuedFile(job.name, partial(self._store.content, job))
            stated = dict(job.facts)
            members = {name: KnownFacts(**facts) for name, facts in stated.pop(MEMBERS, {}).items()}
            yield IngestSource(job.id, file, KnownFacts(**stated), members, job.by)

    def _settle(self, at_work: dict[int, _Work], settled: SettledFile) -> None:
        """Note what became of a file; the job is settled with its last one."""
        work = at_work.get(settled.key)
        if work is None:  # cancelled, retried and done a second time meanwhile
            return
        work.outcomes.append(settled.outcome)
        work.chunks += settled.chunks
        if len(work.outcomes) < settled.files:
            return
        failed = all(outcome.state == "failed" for outcome in work.outcomes)
        stored = {"files": [asdict(outcome) for outcome in work.outcomes], "chunks": work.chunks}
        self._store.settle(work.job, JobState.FAILED if failed else JobState.DONE, stored)
        self._pace.setdefault(work.job.batch, _Pace()).settled += 1
        del at_work[settled.key]

    def _unwanted(self, at_work: Mapping[int, _Work], job_id: int) -> bool:
        """Tell whether a job at work should be stopped. Asked twice a second and more: the heart beats here too."""
        if time.monotonic() - self._beaten >= HEARTBEAT_SECONDS:
            self._beaten = time.monotonic()
            self._cancelled.update(self._store.beat(at_work))
        return self._closing.is_set() or job_id in self._cancelled


def _file_view(job: IngestJob) -> FileView:
    stored = job.outcome or {}
    outcomes = tuple(map(_outcome, stored.get("files", ())))
    return FileView(
        job.id, job.name, job.size, job.state, outcomes, stored.get("chunks", 0), job.tries, corpora_of(job.facts)
    )


def corpora_of(facts: Mapping[str, Any]) -> frozenset[str]:
    """Return the numbers of the corpora that a file is on its way into, from what is kept about it while it waits."""
    return frozenset(facts.get("corpora") or ())


def _outcome(stored: Mapping[str, Any]) -> FileOutcome:
    lists: dict[str, Callable[[Any], Any]] = {"regulation_ids": tuple, "titles": tuple, "tips": tuple}
    return FileOutcome(**{name: lists[name](value) if name in lists else value for name, value in stored.items()})


def _span(jobs: list[IngestJob]) -> float:
    """Return the seconds by the clock in which any file was at work: what is tried again next day has not taken a day."""
    seconds, known = 0.0, None
    for start, end in sorted((job.started, job.updated) for job in jobs if job.started):
        begun = start if known is None else max(start, known)
        seconds += max(0.0, (end - begun).total_seconds())
        known = end if known is None else max(known, end)
    return seconds
