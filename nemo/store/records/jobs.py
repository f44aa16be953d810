"""Files handed over for ingestion, one row a file, and their staged bytes (入库任务).

A row goes ``queued`` → ``running`` → ``done``, ``failed`` or ``cancelled``; retrying makes it ``queued`` again. The
bytes are on disk before the row, so what was accepted is never lost; a row is settled after its regulations are
committed, so whatever a crash interrupts is done again, and found unchanged if it had been done.
"""

import datetime as dt
import enum
import os
import secrets
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from nemo.store.catalogue.database import Database, Records
from nemo.store.catalogue.schema import jobs, now, raw_files
from nemo.store.files.raw import RawFolder
from nemo.store.files.staging import Staging, lost
from nemo.types import RawDocument


class JobState(enum.StrEnum):
    """Where a file stands on its way into the library."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ACTIVE = (JobState.QUEUED, JobState.RUNNING)
UNDONE = (JobState.FAILED, JobState.CANCELLED)

LEASE = dt.timedelta(seconds=60)
"""So long a job belongs to a process that gives no sign of life, where several processes work on one queue."""

KEPT_BATCHES = 50
"""Settled batches beyond these are forgotten when a new one comes; the library and the failure queue keep theirs."""


@dataclass(frozen=True, slots=True)
class IngestJob:
    """One file handed over for ingestion."""

    id: int
    batch: str
    title: str
    """Of the batch, for people."""
    name: str
    sha256: str
    size: int
    """Bytes."""
    url: str | None
    media_type: str | None
    fetched_at: dt.datetime | None
    facts: Mapping[str, Any]
    """What is stated about it, as plain data."""
    state: JobState
    outcome: Mapping[str, Any] | None
    """What became of it, as plain data; None before it is settled."""
    tries: int
    owner: int | None
    """Id of the process that works or worked on it."""
    started: dt.datetime | None
    heartbeat: dt.datetime | None
    created: dt.datetime
    updated: dt.datetime
    by: str | None
    """Who handed it over."""


class JobStore(Records):
    """The jobs of one library. Any thread may call anything; one runner at a time claims."""

    def __init__(self, database: Database, raw: RawFolder, staging: Staging) -> None:
        super().__init__(database)
        self._raw = raw
        self._staging = staging
        self._worker = secrets.randbits(62) if database.shared else os.getpid()
        self._lock = threading.Lock()
        self._arriving: Counter[str] = Counter()
        """Hashes whose bytes are staged and whose rows are not yet committed."""
        self._held = 0
        """How many want staged bytes left alone for now."""

    # --- coming in

    def add(
        self, batch: str, title: str, files: Iterable[tuple[RawDocument, Mapping[str, Any]]], by: str | None = None
    ) -> int:
        """Stage files, each with what is stated about it as plain data, and queue them, all or none; taken one by one,
        so that they need not be in memory at once.

        Returns:
            How many files were queued.
        """
        rows: list[dict[str, Any]] = []
        arrived: list[str] = []
        try:
            for raw, facts in files:
                with self._lock:
                    self._arriving[raw.sha256] += 1
                arrived.append(raw.sha256)
                self._staging.put(raw.sha256, raw.content)
                rows.append({**_queued(batch, title, raw, facts), "by": by})
            self._staging.sync()
            if rows:
                with self._database.write() as connection:
                    self._forget_old(connection)
                    connection.execute(jobs.insert(), rows)
        finally:
            with self._lock:
                self._arriving = self._arriving - Counter(arrived)  # drops what is at nought
            self.release(arrived)
        return len(rows)

    def _forget_old(self, connection: sa.Connection) -> None:
        active = sa.select(jobs.c.batch).where(jobs.c.state.in_(ACTIVE))
        newest = sa.func.max(jobs.c.id)
        settled = sa.select(jobs.c.batch).where(jobs.c.batch.not_in(active)).group_by(jobs.c.batch)
        old = connection.execute(settled.order_by(newest.desc()).offset(KEPT_BATCHES).limit(10_000)).scalars().all()
        if old:
            connection.execute(jobs.delete().where(jobs.c.batch.in_(old)))

    # --- working

    def claim(self) -> IngestJob | None:
        """Take the oldest queued job to work on it; None when there is none."""
        first = sa.select(jobs).where(jobs.c.state == JobState.QUEUED).order_by(jobs.c.id).limit(1)
        with self._database.write(ordered=False) as connection:
            found = connection.execute(first.with_for_update(skip_locked=True)).one_or_none()
            if found is None:
                return None
            at = now()
            values = {"state": JobState.RUNNING, "owner": self._worker, "tries": found.tries + 1}
            values |= {"started": at, "updated": at}
            beat = {"heartbeat": self._database.dialect.clock()}
            connection.execute(jobs.update().where(jobs.c.id == found.id).values({**values, **beat}))
        return _job(**{**found._mapping, **values, "heartbeat": at})

    def content(self, job: IngestJob) -> RawDocument:
        """Return the file of a job.

        Raises:
            NotFoundError: its bytes are nowhere.
            ConfigError: they were changed on disk, or the disk refuses.
        """
        content = self._staging.read(job.sha256)
        if content is None:
            if self._database.row(sa.select(raw_files.c.sha256).where(raw_files.c.sha256 == job.sha256)) is None:
                raise lost(job.name)
            content = self._raw.read(job.sha256)
        return RawDocument(content, job.name, job.sha256, job.url, job.media_type, job.fetched_at)

    def settle(self, job: IngestJob, state: JobState, outcome: Mapping[str, Any]) -> None:
        """Write down what became of a job. What was done is done, also when it was cancelled a moment before."""
        allowed = jobs.c.state.in_((JobState.RUNNING, JobState.CANCELLED) if state is JobState.DONE else ACTIVE)
        values = {"state": state, "outcome": outcome, "updated": now()}
        change = jobs.update().where(jobs.c.id == job.id, allowed, *self._mine()).values(values)
        self._database.changed(change, ordered=False)
        self.release([job.sha256])

    def _mine(self) -> tuple[sa.ColumnElement[bool], ...]:
        """Of several processes each settles what it holds the lease of; a single one may settle everything."""
        return (jobs.c.owner == self._worker,) if self._database.shared else ()

    def _requeue(self, *which: sa.ColumnElement[bool]) -> int:
        running = jobs.update().where(jobs.c.state == JobState.RUNNING, *which)
        return self._database.changed(running.values(state=JobState.QUEUED, updated=now()), ordered=False)

    def give_back(self) -> int:
        """Queue what this process claimed again; return how many files that were. It works on them no more."""
        return self._requeue(*self._mine())

    def expire(self) -> int:
        """Queue again what a process holds that gave no sign of life for ``LEASE``; return how many files that were."""
        return self._requeue(jobs.c.heartbeat < self._database.dialect.clock() - LEASE)

    def beat(self, at_work: Iterable[int] = ()) -> list[int]:
        """Renew the leases of this process; return which of those at work are no longer its own: cancelled, or expired."""
        held = (jobs.c.state == JobState.RUNNING, *self._mine())
        with self._database.write(ordered=False) as connection:
            connection.execute(jobs.update().where(*held).values(heartbeat=self._database.dialect.clock()))
            mine = set(connection.execute(sa.select(jobs.c.id).where(*held)).scalars())
        return [job for job in at_work if job not in mine]

    # --- what people do

    def cancel(self, batch: str, job_id: int | None = None) -> list[int]:
        """Cancel what is queued or running in a batch, or one file of it; return the ids that this concerned."""
        return self._move(batch, job_id, ACTIVE, JobState.CANCELLED)

    def retry(self, batch: str, job_id: int | None = None) -> list[int]:
        """Queue what failed or was cancelled in a batch, or one file of it, again; return the ids concerned."""
        return self._move(batch, job_id, UNDONE, JobState.QUEUED)

    def _move(self, batch: str, job_id: int | None, states: Sequence[JobState], to: JobState) -> list[int]:
        which = [jobs.c.batch == batch, jobs.c.state.in_(states)]
        if job_id is not None:
            which.append(jobs.c.id == job_id)
        with self._database.write() as connection:
            ids = list(connection.execute(sa.select(jobs.c.id).where(*which)).scalars())
            connection.execute(jobs.update().where(*which).values(state=to, updated=now()))
        return ids

    def dismiss(self, batch: str) -> int:
        """Forget the settled files of a batch with their staged bytes; return how many."""
        which = (jobs.c.batch == batch, jobs.c.state.not_in(ACTIVE))
        with self._database.write() as connection:
            hashes = list(connection.execute(sa.select(jobs.c.sha256).where(*which)).scalars())
            connection.execute(jobs.delete().where(*which))
        self.release(hashes)
        return len(hashes)

    # --- looking

    def all(self, *, active: bool = False, newest: int | None = None) -> list[IngestJob]:
        """Return every job in the order they came: of batches not settled (``active``), of so many batches (``newest``)."""
        query = sa.select(jobs).order_by(jobs.c.id)
        if active:
            query = query.where(jobs.c.batch.in_(sa.select(jobs.c.batch).where(jobs.c.state.in_(ACTIVE))))
        if newest is not None:
            latest = sa.select(jobs.c.batch).group_by(jobs.c.batch).order_by(sa.func.min(jobs.c.id).desc())
            query = query.where(jobs.c.batch.in_(latest.limit(newest)))
        return self._database.found(_job, query)

    def has(self, batch: str) -> bool:
        """Tell whether there is a batch of this id."""
        return self._database.row(sa.select(jobs.c.id).where(jobs.c.batch == batch).limit(1)) is not None

    def count(self, state: JobState) -> int:
        """Return how many jobs are in a state."""
        query = sa.select(sa.func.count()).select_from(jobs).where(jobs.c.state == state)
        return int(self._database.value(query))

    def busy(self) -> bool:
        """Tell whether anything is queued or running."""
        return self._database.row(sa.select(jobs.c.id).where(jobs.c.state.in_(ACTIVE)).limit(1)) is not None

    # --- staged bytes

    def recover(self) -> int:
        """Finish what a crash left: nobody works on what is running, and bytes without a row go; return the former."""
        shared = self._database.shared
        waiting = self.give_back() if not shared and self.count(JobState.RUNNING) else 0
        self.sweep()
        return waiting

    def sweep(self) -> None:
        """Delete staged bytes that no row needs."""
        self._staging.sweep(self.needed())

    def park(self, raw: RawDocument) -> Path:
        """Lay the bytes of a file that is at work on the disk until :meth:`unpark`; return where."""
        with self._lock:
            self._arriving[raw.sha256] += 1
        try:
            self._staging.put(raw.sha256, raw.content)
        except BaseException:
            self.unpark(raw.sha256)
            raise
        return self._staging.place(raw.sha256)

    def unpark(self, sha256: str) -> None:
        """Let go of what :meth:`park` laid down, once for each time; it goes unless a row needs it."""
        with self._lock:
            self._arriving = self._arriving - Counter([sha256])  # drops what is at nought
        self.release([sha256])

    def needed(self) -> set[str]:
        """Return the hashes of staged bytes that some row needs: unsettled, or not kept among the raw files."""
        return set(self._database.values(_needed()))

    def release(self, hashes: Iterable[str]) -> None:
        """Delete the staged bytes of those hashes that no row needs any more."""
        with self._lock:
            candidates = {h for h in hashes if self._held == 0 and self._arriving[h] <= 0}
            if not candidates:
                return
            needed = set(self._database.values(_needed().where(jobs.c.sha256.in_(candidates))))
            for sha256 in candidates - needed:
                self._staging.discard(sha256)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Keep every staged file where it is as long as this is open."""
        with self._lock:
            self._held += 1
        try:
            yield
        finally:
            with self._lock:
                self._held -= 1
            self.release(self._staging.names())


def _needed() -> sa.Select[Any]:
    kept = sa.exists().where(raw_files.c.sha256 == jobs.c.sha256)
    unsettled = jobs.c.state.in_(ACTIVE)
    return sa.select(jobs.c.sha256).where(sa.or_(unsettled, sa.and_(jobs.c.state.in_(UNDONE), ~kept)))


def _queued(batch: str, title: str, raw: RawDocument, facts: Mapping[str, Any]) -> dict[str, Any]:
    at = now()
    given = {name: getattr(raw, name) for name in ("name", "sha256", "url", "media_type", "fetched_at")}
    times = {"created": at, "updated": at, "tries": 0, "state": JobState.QUEUED}
    return {"batch": batch, "title": title, "size": len(raw.content), "facts": facts, **given, **times}


def _job(state: str, **columns: Any) -> IngestJob:
    return IngestJob(**columns, state=JobState(state))
