"""Puts files into one library, one after the other: unpacked, handed to workers, and what comes back committed (入库)."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from nemo import embed
from nemo.embed import Embedder
from nemo.errors import (
    ConfigError,
    MissingDependencyError,
    NemoError,
    NotFoundError,
    TooLargeError,
    UnreadableDocumentError,
)
from nemo.ingest.files import QueuedFile, SentFile, read_file
from nemo.ingest.manifest import KnownFacts, StatedFacts, stated_of
from nemo.ingest.preparing import Task, fingerprint, prepare, set_up
from nemo.ingest.report import FileOutcome, IngestReport
from nemo.ingest.workers import Hire, LocalWorker, TaskOutcome, run
from nemo.parse import Member, unpacked
from nemo.rules import Rules
from nemo.settings import Settings
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.files.disk import storage_errors
from nemo.text.structure.passage import passage
from nemo.types import Progress, RawDocument, Regulation, new_trace_id

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import Revision
    from nemo.store.library import Library  # workers import this package, and need no library: a third of a second

log = logging.getLogger(__name__)

IN_MEMORY = 1 << 20
"""Bytes of a file that may wait in memory; a larger one is handed to its worker by its place on the disk."""

GivenFile = Path | SentFile | RawDocument | QueuedFile


@dataclass(frozen=True, slots=True)
class IngestSource:
    """One file that is to be ingested."""

    key: int
    """Tells the sources of one run apart."""
    file: GivenFile
    common: KnownFacts
    """Stated about it and everything in it."""
    by_name: Mapping[str, KnownFacts] = field(default_factory=dict)
    """Stated about single files, which wins."""
    user: str | None = None
    """Who brings it, for the audit log."""

    def stated(self, name: str) -> KnownFacts:
        """Return everything stated about a file of this name."""
        return self.by_name.get(name, KnownFacts()).over(self.common)


@dataclass(frozen=True, slots=True)
class SettledFile:
    """What became of one file of a source."""

    key: int
    outcome: FileOutcome
    chunks: int
    """How many were stored."""
    files: int
    """How many the source holds: more than one when it is an archive."""


@dataclass(slots=True)
class _Run:
    """State of one run."""

    sources: Iterable[IngestSource]
    settled: Callable[[SettledFile], None]
    unwanted: Callable[[int], bool]
    at_work: dict[int, tuple[IngestSource, Task, int]] = field(default_factory=dict)
    """What the workers have, by the order of handing over: source, file, how many files the source holds."""


@dataclass(frozen=True, slots=True)
class RevisedFacts:
    """A held file about which a person states something new."""

    raw: RawDocument
    """As it is held."""
    stated: Mapping[str, StatedFacts]
    """By id, for every regulation that is held of it; those that were removed before stay removed."""
    revision: Revision
    """What changes, for the audit log."""


class Ingestion:
    """Puts files into one library."""

    def __init__(self, library: Library, embedder: Embedder, rules: Rules, settings: Settings) -> None:
        self.library = library
        self.embedder = embedder
        self.rules = rules
        self.settings = settings
        self.stopping = threading.Event()
        """Set when the process is about to end: batches that are waited for end within a second."""

    def batch(
        self,
        sources: Sequence[Path | SentFile | RawDocument],
        facts: Mapping[str, KnownFacts],
        common: KnownFacts,
        progress: Callable[[Progress], None] | None = None,
        user: str | None = None,
    ) -> IngestReport:
        """Ingest files or raw documents, paths one by one; ``facts`` by file name win over the ``common`` ones.

        Raises:
            ConfigError: the disk refuses, or the process is about to end; what was stored before stays.
        """
        began = time.monotonic()
        outcomes: list[FileOutcome] = []
        files = dict.fromkeys(range(len(sources)), 1)
        stored = 0

        def settled(one: SettledFile) -> None:
            nonlocal stored
            outcomes.append(one.outcome)
            files[one.key] = one.files
            stored += one.chunks
            if progress is not None:
                seconds = time.monotonic() - began
                progress(Progress(len(outcomes), sum(files.values()), one.outcome.name, stored, seconds))

        feed = (IngestSource(key, file, common, facts, user) for key, file in enumerate(sources))
        self.process(feed, settled, count=len(sources), unwanted=lambda _: self.stopping.is_set())
        if self.stopping.is_set() and len(outcomes) < len(sources):
            raise ConfigError("程序正在停止，这一批没有全部入库。请在重新启动后再次入库；已入库的会跳过。")
        self.library.flush()
        unknown = sorted({name for f in (*facts.values(), common) for name in f.unknown})
        return IngestReport(tuple(outcomes), stored, time.monotonic() - began, tuple(unknown))

    def process(
        self,
        sources: Iterable[IngestSource],
        settled: Callable[[SettledFile], None],
        *,
        count: int,
        unwanted: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """Ingest sources as they come; the caller brings the indexes up with ``library.flush`` afterwards.

        ``settled`` is called once for every file of every source, in order of completion, unless its source became
        ``unwanted``: that is asked about each key at work at least twice a second, and True ends its work. No more
        workers than ``count``, the sources there may be, are started.

        Raises:
            ConfigError: the disk refuses; what was stored before stays.
        """
        state = _Run(sources, settled, unwanted)
        tasks = self._tasks(state)
        crew = self._crew(tasks, count, lambda index: unwanted(state.at_work[index][0].key), self._hire())
        with contextlib.closing(tasks), contextlib.closing(crew):
            try:
                for done in crew:
                    self._take(done, state)
            finally:
                for _, task, _ in state.at_work.values():
                    self._unpark(task)

    def _hire(self) -> Hire:
        """Return what starts workers: on this machine, or on the cluster that is set.

        Raises:
            ConfigError: there is no such cluster.
            MissingDependencyError: its client is not installed.
        """
        if not self.settings.ray:
            return LocalWorker
        if find_spec("ray") is None:
            raise MissingDependencyError("使用 Ray 需要安装 requirements-scale.txt 中的组件。请安装后重新启动。")
        from nemo.ingest import cluster  # its client takes seconds to import

        return cluster.connected(self.settings.ray)

    def _take(self, done: TaskOutcome, state: _Run) -> None:
        """Store what a worker made of a file."""
        source, task, files = state.at_work[done.index]
        if not (done.dropped or state.unwanted(source.key)):
            state.settled(SettledFile(source.key, *self._finished(task, done, source.user), files))
        del state.at_work[done.index]
        self._unpark(task)

    def _tasks(self, state: _Run) -> Generator[Task]:
        """Yield what needs work; unchanged and unreadable files are settled here."""
        numbers = itertools.count()
        for source in state.sources:
            with contextlib.ExitStack() as until_done:
                members, count = self._members(source, state, until_done)
                for task in self._wanted(source, members, count, state):
                    state.at_work[next(numbers)] = (source, task, count)
                    yield task

    def _wanted(self, source: IngestSource, members: Iterator[Member], count: int, state: _Run) -> Iterator[Task]:
        """Yield the files of a source that need work; what is large lies on the disk and not in memory from here on."""
        while not state.unwanted(source.key) and (member := next(members, None)) is not None:
            name = member.raw.name
            task = Task(member.raw, source.stated(name), listed=name in source.by_name)
            known = self._known(task, member.error, source.user)
            if known is None:
                task = self._parked(task)
            del member  # its bytes, while this waits
            if known is None:
                yield task
            else:
                state.settled(SettledFile(source.key, known, 0, count))

    def _parked(self, task: Task) -> Task:
        if len(task.raw.content) <= IN_MEMORY:
            return task
        return replace(task, raw=replace(task.raw, content=b""), place=self.library.jobs.park(task.raw))

    def _unpark(self, task: Task) -> None:
        if task.place is not None:
            self.library.jobs.unpark(task.raw.sha256)

    def _members(
        self, source: IngestSource, state: _Run, until_done: contextlib.ExitStack
    ) -> tuple[Iterator[Member], int]:
        """Return the files of a source, one in memory at a time, and how many; what cannot be opened is settled here."""
        raw = RawDocument.of(b"", source.file.name)
        try:
            raw = self._read(source.file)
            with storage_errors(self.settings.library):
                files = until_done.enter_context(unpacked(raw, self.settings, self.settings.library))
            return iter(files), len(files)
        except ConfigError:  # the disk's fault, not the file's
            raise
        except NemoError as error:
            wrong = error
        except Exception as error:  # noqa: BLE001  (one of the four borders: the per-document loop)
            wrong = _unforeseen(raw.name, error)
        state.settled(SettledFile(source.key, self._failed(raw, source.stated(raw.name), wrong), 0, 1))
        return iter(()), 0

    def _read(self, file: GivenFile) -> RawDocument:
        if isinstance(file, QueuedFile):
            return file.read()
        return file if isinstance(file, RawDocument) else read_file(file, self.settings.max_file_bytes)

    def _known(self, task: Task, error: NemoError | None, user: str | None) -> FileOutcome | None:
        """Return the outcome of a file that needs no work, None for any other."""
        if error is not None:
            return self._failed(task.raw, task.facts, error)
        try:
            if (same := self._unchanged(task, user)) is not None:
                return same
            self.library.check_room(len(task.raw.content))
        except NotFoundError as gone:
            return self._failed(task.raw, task.facts, gone)
        except TooLargeError as full:
            return self._failed(replace(task.raw, content=b""), task.facts, full)
        return None

    def _through(self, facts: KnownFacts) -> list[int]:
        """Return the corpora a file comes in through.

        Raises:
            NotFoundError: one was deleted meanwhile; the file then comes in for nobody, never for everybody.
        """
        return [self.library.corpora.get(int(number)).id for number in facts.corpora or ()]

    def _unchanged(self, task: Task, user: str | None) -> FileOutcome | None:
        """Return the outcome of a file that was stored just like this before, whatever its name, None for any other."""
        for name, mark in self._marks(task):
            held = self.library.held(mark)
            if not held:
                continue
            titles = {row.id: row.title for row in self.library.headers()}
            if all(each in titles for each in held):  # else removed a moment ago
                why = None if name == task.raw.name else f"与已入库的“{name}”内容相同"
                held_titles = tuple(titles[each] for each in held)
                self._placed(held, self._through(task.facts), user)
                return FileOutcome(task.raw.name, "unchanged", tuple(held), held_titles, reason=why)
        return None

    def _marks(self, task: Task) -> Iterator[tuple[str, str]]:
        """Yield each name that a file may be held under, with what it would be known by."""
        for name in dict.fromkeys((task.raw.name, *self.library.names_of(task.raw.sha256))):
            raw = replace(task.raw, name=name)
            yield name, fingerprint(raw, task.facts.said)
            if not task.listed and not task.facts.said:  # who states nothing takes nothing back
                same = {row.id for row in self.library.headers() if (row.sha256, row.file) == (raw.sha256, name)}
                for stated in self._stated(same).values():
                    yield name, fingerprint(raw, stated.of_files())

    def _placed(self, held: Sequence[str], through: Sequence[int], user: str | None) -> None:
        """Give held texts the places that they come in through again; what comes in for everybody is for everybody."""
        corpora, closed = self.library.corpora, self.library.corpora.confined()
        for number in through:
            corpora.add(corpora.get(number), held, user)
        for each in held:
            if not through and each in closed:
                corpora.release(each, self.library.row(each).title, user)

    def _finished(self, task: Task, done: TaskOutcome, user: str | None) -> tuple[FileOutcome, int]:
        """Commit what a worker returned, or record why there is nothing to commit; return the number of chunks too."""
        if done.error is not None:
            return self._failed(task.file(), task.facts, done.error), 0
        try:
            return self._commit(task, done.value, user)
        except ConfigError:  # not this file's fault: the run ends, and whoever runs Nemo is told once
            raise
        except NemoError as error:
            return self._failed(task.file(), task.facts, error), 0
        except Exception as error:  # noqa: BLE001  (one of the four borders: the per-document loop)
            return self._failed(task.file(), task.facts, _unforeseen(task.raw.name, error)), 0

    def _commit(self, task: Task, prepared: Sequence[StoredEntry], user: str | None) -> tuple[FileOutcome, int]:
        if (same := self._unchanged(task, user)) is not None:  # its double came in while this one was read
            return same, 0
        mark = fingerprint(task.raw, task.facts.said)
        if stands := self._still_stated(task, prepared):
            prepared = self._prepared(replace(task, edited=stands))
        entries, through = [self._embedded(p) for p in prepared], self._through(task.facts)
        replaced = self.library.commit(entries, task.file(), fingerprint=mark, user=user, corpora=through)
        ids = tuple(p.regulation.id for p in prepared)
        titles = tuple(p.regulation.title for p in prepared)
        faults = sum(len(p.regulation.faults) for p in prepared)
        state = "replaced" if replaced else "stored"
        return FileOutcome(task.raw.name, state, ids, titles, faults=faults), sum(len(p.chunks) for p in prepared)

    def revise(self, revised: Sequence[RevisedFacts]) -> Iterator[tuple[RevisedFacts, list[Regulation] | NemoError]]:
        """Prepare held files again with what is now stated about their regulations, and store each in place.

        The workers start once for all of them, and the indexes are brought up once at the end.

        Yields:
            Each file with its regulations, in order of completion, or with why it stays as it was: it no longer gives
            these texts, or its regulation is gone.

        Raises:
            ConfigError: the disk refuses; what was stored before stays.
        """
        tasks = [Task(each.raw, KnownFacts(), edited=each.stated) for each in revised]
        with contextlib.closing(self._crew(tasks, len(tasks))) as crew:
            for done in crew:
                each = revised[done.index]
                try:
                    yield each, self._revised(each, done)
                except ConfigError:
                    raise
                except NemoError as error:
                    yield each, error
        self.library.flush()

    def _revised(self, each: RevisedFacts, done: TaskOutcome) -> list[Regulation]:
        if done.error is not None:
            raise done.error
        prepared = [p for p in done.value if p.regulation.id in each.stated]
        if len(prepared) < len(each.stated):
            raise UnreadableDocumentError(
                "程序更新后，从原件读出的文本与入库时不同，不能直接修改信息。请重新上传该文件后再改。"
            )
        self.library.revise([self._embedded(p) for p in prepared], each.raw, each.revision)
        return [p.regulation for p in prepared]

    def _prepared(self, task: Task) -> list[StoredEntry]:
        """Prepare one file in a worker of its own."""
        with contextlib.closing(self._crew([task], 1)) as crew:
            done = next(crew)
        if done.error is not None:
            raise done.error
        return list(done.value)

    def _crew(
        self,
        tasks: Iterable[Task],
        count: int,
        unwanted: Callable[[int], bool] = lambda _: False,
        hire: Hire = LocalWorker,
    ) -> Generator[TaskOutcome]:
        """Prepare files in at most ``count`` workers that nobody else uses."""
        given = self.settings if hire is LocalWorker else self.settings.without_secrets()
        seconds, setup = given.parse_seconds, functools.partial(set_up, given)
        most = min(given.workers, count)
        return run(prepare, tasks, count=most, seconds=seconds, setup=setup, unwanted=unwanted, hire=hire)

    def read(self, files: Iterable[RawDocument]) -> Iterator[tuple[int, list[Regulation] | NemoError]]:
        """Read files, taken one by one, without storing anything: for each file inside, archives unpacked, the
        position of its source and what it holds.
        """
        owners: list[int] = []
        wrong: list[tuple[int, NemoError]] = []
        tasks = self._read_tasks(files, owners, wrong)
        crew = self._crew(tasks, 1, lambda _: self.stopping.is_set())
        with contextlib.closing(tasks), contextlib.closing(crew):
            for done in crew:
                if not done.dropped:
                    yield owners[done.index], done.error or [p.regulation for p in done.value]
        yield from wrong

    def _read_tasks(
        self, files: Iterable[RawDocument], owners: list[int], wrong: list[tuple[int, NemoError]]
    ) -> Generator[Task]:
        for number, raw in enumerate(files):
            try:
                with (
                    storage_errors(self.settings.library),
                    unpacked(raw, self.settings, self.settings.library) as inside,
                ):
                    for member in inside:
                        if member.error is not None:
                            wrong.append((number, member.error))
                            continue
                        owners.append(number)
                        yield Task(member.raw, KnownFacts())
            except ConfigError:  # the disk's fault, not the file's
                raise
            except NemoError as error:
                wrong.append((number, error))

    def _still_stated(self, task: Task, prepared: Sequence[StoredEntry]) -> dict[str, StatedFacts]:
        """Return what was stated about those texts that are held already and still stands; a file that comes again cannot undo it."""
        given = None if task.listed else task.facts.over(KnownFacts(url=task.raw.url))
        held = self._stated({p.regulation.id for p in prepared})
        stands = {each: stated.beside(given) for each, stated in held.items()}
        return {each: stated for each, stated in stands.items() if stated.facts.said}

    def _stated(self, ids: set[str]) -> dict[str, StatedFacts]:
        """Return what is stated about those of some texts that are held.

        Headers, not rows: who is still in force costs a look at the whole library, and nobody asks that here.
        """
        found: dict[str, StatedFacts] = {}
        for each in ids.intersection(row.id for row in self.library.headers()):
            with contextlib.suppress(NotFoundError):  # removed a moment ago
                found[each] = stated_of(self.library.regulation(each))
        return found

    def _embedded(self, made: StoredEntry) -> StoredEntry:
        """Return a text with its vectors; an embedder that is not built in embeds here."""
        if made.vectors is not None:
            return made
        return replace(made, vectors=embed.passages(self.embedder, [passage(made.regulation, c) for c in made.chunks]))

    def _failed(self, raw: RawDocument, facts: KnownFacts, error: NemoError) -> FileOutcome:
        self.library.record_failure(raw, error, facts.kept())
        return FileOutcome(raw.name, "failed", reason=error.message, tips=error.tips)


def _unforeseen(name: str, error: Exception) -> UnreadableDocumentError:
    """Log what nobody foresaw and return the error that names it to a person."""
    trace_id = new_trace_id()
    log.error("unexpected error while storing %r, trace %s", name, trace_id, exc_info=error)
    return UnreadableDocumentError(f"内部错误（编号 {trace_id}），该文件未入库。请把编号与文件告知管理员。")
