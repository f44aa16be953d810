"""From files to stored regulations (入库): one file never stops a batch, and nothing is half stored.

``prepare`` is the pure part and runs in worker processes: bytes → parsed → regulations → chunks → vectors. The owner
of the library alone commits what it returns. A file that fails is reported by name with its reason and kept for retry.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import json
import logging
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nemo import embed, rerank
from nemo import rules as rule_data
from nemo.assemble import regulations_in
from nemo.errors import BadRequestError, ConfigError, NemoError, NotFoundError, UnreadableDocumentError
from nemo.manifest import Facts, Stated, stated_of
from nemo.parse import Member, parse, unpacked
from nemo.settings import Settings
from nemo.store.disk import storage_errors
from nemo.store.entry import Entry, Sketches
from nemo.text.structure.chunk import chunks
from nemo.text.words.passage import passage
from nemo.types import Chunk, RawDocument, Regulation, new_trace_id
from nemo.workers import Done, limit_memory, run

if TYPE_CHECKING:
    from nemo.store.library import Library  # workers import this module, and need no library: a third of a second
    from nemo.store.rows import Revision

log = logging.getLogger(__name__)

STATES = ("stored", "replaced", "unchanged", "failed")

PIPELINE = 2
"""Raised when parsing or structuring changes so that the same bytes must be read again."""

NOT_REGULATIONS = {".jsonl", ".json", ".toml", ".py", ".ini", ".cfg", ".lock", ".log", ".css", ".js"}
"""Companions of regulations in a folder; named on their own they are still tried."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a batch stands."""

    done: int
    total: int
    name: str
    chunks: int
    """Chunks stored so far."""
    seconds: float
    """Since the batch began."""

    @property
    def seconds_left(self) -> float | None:
        """Expected remaining time, None before the first file is done."""
        return self.seconds / self.done * (self.total - self.done) if self.done else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    name: str
    state: str
    """One of ``STATES``."""
    regulation_ids: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    reason: str | None = None
    tips: tuple[str, ...] = ()
    faults: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a batch."""

    outcomes: tuple[Outcome, ...]
    chunks: int
    seconds: float
    unknown_fields: tuple[str, ...] = ()
    """Manifest fields kept as notes."""

    def of(self, state: str) -> list[Outcome]:
        """Return the outcomes of one state."""
        return [o for o in self.outcomes if o.state == state]

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "counts": {state: len(self.of(state)) for state in STATES},
            "chunks": self.chunks,
            "seconds": round(self.seconds, 2),
            "unknown_fields": list(self.unknown_fields),
            "files": [asdict(o) for o in self.outcomes],
        }


@dataclass(frozen=True, slots=True)
class Task:
    """One file on its way to a worker."""

    raw: RawDocument
    facts: Facts
    edited: Mapping[str, Stated] | None = None
    """Stated about single regulations of it, by id; wins over ``facts``."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """One regulation ready to be committed."""

    regulation: Regulation
    chunks: tuple[Chunk, ...]
    vectors: np.ndarray | None
    """(chunks, dim) float32 unit rows; None when the owner must embed."""
    sketches: Sketches | None = None
    """What the ranker noted of each chunk."""


@dataclass(slots=True)
class _Bench:
    """What a worker keeps between tasks."""

    settings: Settings
    rules: rule_data.Rules
    embedder: embed.Embedder | None
    sketcher: rerank.Sketcher | None


_bench: _Bench | None = None


def set_up(settings: Settings) -> None:
    """Prepare this process for ``prepare``: load the rules and, when it is built in, the embedder."""
    global _bench
    limit_memory(settings.worker_memory_mb)
    built_in = embed.load(settings) if settings.embedder == "builtin" else None
    _bench = _Bench(settings, rule_data.load(settings.rules), built_in, rerank.sketcher(settings))


def prepare(task: Task) -> list[Prepared]:
    """Turn one file into regulations, chunks and vectors; pure, runs in a worker.

    Raises:
        UnreadableDocumentError: the file holds no regulation that can be read.
        MissingDependencyError: reading it needs a program that is not installed.
    """
    assert _bench is not None, "set_up was not called in this process"
    parsed = parse(task.raw, _bench.settings)
    found = regulations_in(task.raw, parsed, task.facts, _bench.rules, task.edited)
    return [_prepared(regulation, _bench) for regulation in found]


def _prepared(regulation: Regulation, bench: _Bench) -> Prepared:
    pieces = tuple(chunks(regulation.id, regulation.text, regulation.provisions))
    if not pieces:
        raise UnreadableDocumentError(f"《{regulation.title}》没有可引用的正文（正文缺失）。请上传含全文的文件。")
    vectors = bench.embedder.embed([passage(regulation, c) for c in pieces]) if bench.embedder else None
    noted = Sketches(bench.sketcher.ranker, bench.sketcher.sketches(regulation, pieces)) if bench.sketcher else None
    return Prepared(regulation, pieces, vectors, noted)


def fingerprint(raw: RawDocument, facts: Facts) -> str:
    """Return a hash of everything the stored result depends on: bytes, name, facts and the pipeline's version."""
    known = json.dumps({**facts.stated(), **facts.unknown}, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(f"{PIPELINE}\n{raw.sha256}\n{raw.name}\n{known}".encode()).hexdigest()


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the files named by ``paths``; folders are searched, hidden files and companions left out.

    Raises:
        NotFoundError: a path does not exist.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found.extend(sorted(p for p in path.rglob("*") if p.is_file() and _wanted(p, path)))
        elif path.exists():
            found.append(path)
        else:
            raise NotFoundError(f"路径不存在：{path}。请检查拼写，或用绝对路径。")
    return found


def _wanted(file: Path, root: Path) -> bool:
    hidden = any(part.startswith((".", "__")) for part in file.relative_to(root).parts)
    return not hidden and file.suffix.lower() not in NOT_REGULATIONS and not file.stem.upper().startswith("README")


def read_file(path: Path, limit: int) -> RawDocument:
    """Read one file whole.

    Raises:
        UnreadableDocumentError: it is larger than ``limit`` bytes, cannot be opened, or changed while it was read.
    """
    try:
        before = path.stat()
        if before.st_size > limit:
            raise UnreadableDocumentError(
                f"文件 {before.st_size / 2**20:.0f} MiB，超过上限 {limit / 2**20:.0f} MiB。请拆分或提高 NEMO_MAX_FILE_MB。"
            )
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableDocumentError(f"文件无法打开（{error.strerror}）。请检查权限后重试。") from error
    if len(content) != before.st_size:
        raise UnreadableDocumentError("文件在读取时发生变化。请等它写完后重试。")
    return RawDocument.of(content, path.name)


@dataclass(frozen=True, slots=True)
class Source:
    """One file that is to be ingested."""

    key: int
    """Tells the sources of one run apart."""
    file: Path | RawDocument
    common: Facts
    """Stated about it and everything in it."""
    by_name: Mapping[str, Facts] = field(default_factory=dict)
    """Stated about single files, which wins."""

    def stated(self, name: str) -> Facts:
        """Return everything stated about a file of this name."""
        return self.by_name.get(name, Facts()).over(self.common)


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of one file of a source."""

    key: int
    outcome: Outcome
    chunks: int
    """How many were stored."""
    files: int
    """How many the source holds: more than one when it is an archive."""


@dataclass(slots=True)
class _Run:
    """State of one run."""

    sources: Iterable[Source]
    settled: Callable[[Settled], None]
    unwanted: Callable[[int], bool]
    at_work: dict[int, tuple[Source, Task, int]] = field(default_factory=dict)
    """What the workers have, by the order of handing over: source, file, how many files the source holds."""


class Ingestion:
    """Puts files into one library."""

    def __init__(self, library: Library, embedder: embed.Embedder, rules: rule_data.Rules, settings: Settings) -> None:
        self.library = library
        self.embedder = embedder
        self.rules = rules
        self.settings = settings

    def batch(
        self,
        sources: Sequence[Path | RawDocument],
        facts: Mapping[str, Facts],
        common: Facts,
        progress: Callable[[Progress], None] | None = None,
    ) -> Report:
        """Ingest files or raw documents.

        Args:
            sources: What to ingest; paths are read one by one.
            facts: Known facts by file name.
            common: Facts stated for the whole batch; those of a file win.
            progress: Called after every file.

        Raises:
            ConfigError: the disk refuses; what was stored before stays.
        """
        began = time.monotonic()
        outcomes: list[Outcome] = []
        files = dict.fromkeys(range(len(sources)), 1)
        stored = 0

        def settled(one: Settled) -> None:
            nonlocal stored
            outcomes.append(one.outcome)
            files[one.key] = one.files
            stored += one.chunks
            if progress is not None:
                seconds = time.monotonic() - began
                progress(Progress(len(outcomes), sum(files.values()), one.outcome.name, stored, seconds))

        feed = (Source(key, file, common, facts) for key, file in enumerate(sources))
        self.process(feed, settled, count=len(sources))
        self.library.flush()
        unknown = sorted({name for f in (*facts.values(), common) for name in f.unknown})
        return Report(tuple(outcomes), stored, time.monotonic() - began, tuple(unknown))

    def process(
        self,
        sources: Iterable[Source],
        settled: Callable[[Settled], None],
        *,
        count: int,
        unwanted: Callable[[int], bool] = lambda _: False,
    ) -> None:
        """Ingest sources as they come; the caller brings the indexes up with ``library.flush`` afterwards.

        Args:
            sources: Taken one by one as workers become free.
            settled: Called once for every file of every source, in order of completion, unless it became unwanted.
            count: How many sources there may be: more workers than that are not started.
            unwanted: Asked about the key of each source at work at least twice a second; True ends its work.

        Raises:
            ConfigError: the disk refuses; what was stored before stays.
        """
        state = _Run(sources, settled, unwanted)
        tasks = self._tasks(state)
        crew = run(
            prepare,
            tasks,
            count=min(self.settings.workers, count),
            seconds=self.settings.parse_seconds,
            setup=functools.partial(set_up, self.settings),
            unwanted=lambda index: unwanted(state.at_work[index][0].key),
        )
        with contextlib.closing(tasks), contextlib.closing(crew):
            for done in crew:
                source, task, files = state.at_work.pop(done.index)
                if done.dropped or unwanted(source.key):
                    continue
                settled(Settled(source.key, *self._finished(task, done), files))

    def _tasks(self, state: _Run) -> Generator[Task]:
        """Yield what needs work; unchanged and unreadable files are settled here."""
        numbers = itertools.count()
        for source in state.sources:
            with contextlib.ExitStack() as until_done:
                members, count = self._members(source, state, until_done)
                for member in members:
                    if state.unwanted(source.key):
                        break
                    task = Task(member.raw, source.stated(member.raw.name))
                    if (known := self._known(task, member.error)) is not None:
                        state.settled(Settled(source.key, known, 0, count))
                        continue
                    state.at_work[next(numbers)] = (source, task, count)
                    yield task

    def _members(self, source: Source, state: _Run, until_done: contextlib.ExitStack) -> tuple[Iterable[Member], int]:
        """Return the files of a source, one in memory at a time, and how many; what cannot be opened is settled here."""
        raw = RawDocument.of(b"", source.file.name)
        try:
            raw = read_file(source.file, self.settings.max_file_bytes) if isinstance(source.file, Path) else source.file
            with storage_errors(self.settings.library):
                files = until_done.enter_context(unpacked(raw, self.settings, self.settings.library))
            return files, len(files)
        except ConfigError:  # the disk's fault, not the file's
            raise
        except NemoError as error:
            state.settled(Settled(source.key, self._failed(raw, source.stated(raw.name), error), 0, 1))
            return (), 0

    def _known(self, task: Task, error: NemoError | None) -> Outcome | None:
        """Return the outcome of a file that needs no work, None for any other."""
        return self._failed(task.raw, task.facts, error) if error else self._unchanged(task)

    def _unchanged(self, task: Task) -> Outcome | None:
        """Return the outcome of a file that was stored just like this before, None for any other."""
        held = self.library.held(fingerprint(task.raw, task.facts))
        if not held:
            return None
        titles = {row.id: row.title for row in self.library.headers()}
        if any(each not in titles for each in held):  # removed a moment ago
            return None
        return Outcome(task.raw.name, "unchanged", tuple(held), tuple(titles[each] for each in held))

    def _finished(self, task: Task, done: Done) -> tuple[Outcome, int]:
        """Commit what a worker returned, or record why there is nothing to commit; return the number of chunks too."""
        if done.error is not None:
            return self._failed(task.raw, task.facts, done.error), 0
        try:
            return self._commit(task, done.value)
        except ConfigError:  # not this file's fault: the run ends, and whoever runs Nemo is told once
            raise
        except NemoError as error:
            return self._failed(task.raw, task.facts, error), 0
        except Exception as error:  # noqa: BLE001  (one of the four borders: the per-document loop)
            return self._failed(task.raw, task.facts, _unforeseen(task.raw.name, error)), 0

    def _commit(self, task: Task, prepared: Sequence[Prepared]) -> tuple[Outcome, int]:
        mark = fingerprint(task.raw, task.facts)
        if by_people := self._stated_by_people(prepared):
            prepared = self._prepared(replace(task, edited=by_people))
        complete = [p if p.vectors is not None else replace(p, vectors=self._embed(p)) for p in prepared]
        replaced = self.library.commit([_entry(p) for p in complete], task.raw, fingerprint=mark)
        ids = tuple(p.regulation.id for p in prepared)
        titles = tuple(p.regulation.title for p in prepared)
        faults = sum(len(p.regulation.faults) for p in prepared)
        state = "replaced" if replaced else "stored"
        return Outcome(task.raw.name, state, ids, titles, faults=faults), sum(len(p.chunks) for p in prepared)

    def revise(self, raw: RawDocument, stated: Mapping[str, Stated], revision: Revision) -> list[Regulation]:
        """Prepare a held file again with what is now stated about each of its regulations, and store it in place.

        Args:
            raw: The file as held.
            stated: By id, for every regulation that is held of it; those that were removed before stay removed.
            revision: What was changed, for the audit log.

        Raises:
            UnreadableDocumentError: the file no longer gives these texts.
            ConfigError: the disk refuses; nothing was changed.
        """
        prepared = [p for p in self._prepared(Task(raw, Facts(), stated)) if p.regulation.id in stated]
        if len(prepared) < len(stated):
            raise UnreadableDocumentError(
                "程序更新后，从原件读出的文本与入库时不同，不能直接修改信息。请重新上传该文件后再改。"
            )
        complete = [p if p.vectors is not None else replace(p, vectors=self._embed(p)) for p in prepared]
        self.library.revise([_entry(p) for p in complete], raw, revision)
        self.library.flush()
        return [p.regulation for p in prepared]

    def _prepared(self, task: Task) -> list[Prepared]:
        """Prepare one file in a worker of its own."""
        crew = run(
            prepare,
            [task],
            count=min(self.settings.workers, 1),
            seconds=self.settings.parse_seconds,
            setup=functools.partial(set_up, self.settings),
        )
        with contextlib.closing(crew):
            done = next(crew)
        if done.error is not None:
            raise done.error
        return list(done.value)

    def _stated_by_people(self, prepared: Sequence[Prepared]) -> dict[str, Stated]:
        """Return what people stated about those texts that are held already; a file that comes again cannot undo it.

        Headers, not rows: who is still in force costs a look at the whole library, and nobody asks that here.
        """
        ids = {p.regulation.id for p in prepared}
        held = {row.id: stated_of(self.library.regulation(row.id)) for row in self.library.headers() if row.id in ids}
        return {each: stated.of_people() for each, stated in held.items() if stated.by_analyst}

    def _embed(self, prepared: Prepared) -> np.ndarray:
        return self.embedder.embed([passage(prepared.regulation, c) for c in prepared.chunks])

    def _failed(self, raw: RawDocument, facts: Facts, error: NemoError) -> Outcome:
        self.library.record_failure(raw, error, {**facts.stated(), **facts.unknown})
        return Outcome(raw.name, "failed", reason=error.message, tips=error.tips)


def _entry(made: Prepared) -> Entry:
    return Entry(made.regulation, made.chunks, made.vectors, made.sketches)


def _unforeseen(name: str, error: Exception) -> UnreadableDocumentError:
    """Log what nobody foresaw and return the error that names it to a person."""
    trace_id = new_trace_id()
    log.error("unexpected error while storing %r, trace %s", name, trace_id, exc_info=error)
    return UnreadableDocumentError(f"内部错误（编号 {trace_id}），该文件未入库。请把编号与文件告知管理员。")


def check_manifest(facts: Mapping[str, Facts], files: Sequence[Path], folder: Path) -> None:
    """Refuse a manifest that names files which are nowhere.

    Raises:
        BadRequestError: a named file is neither among ``files`` nor beside the manifest.
    """
    present = {f.name for f in files}
    missing = [name for name in facts if name not in present and not (folder / name).exists()]
    if missing:
        shown = "、".join(missing[:5]) + ("等" if len(missing) > 5 else "")
        raise BadRequestError(f"清单中有 {len(missing)} 个文件找不到：{shown}。请补齐文件或从清单中删去。")


__all__ = [
    "Ingestion",
    "Outcome",
    "Prepared",
    "Progress",
    "Report",
    "Settled",
    "Source",
    "Task",
    "check_manifest",
    "files_in",
]
