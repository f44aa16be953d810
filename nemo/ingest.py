"""From files to stored regulations (入库): one file never stops a batch, and nothing is half stored.

``prepare`` is the pure part and runs in worker processes: bytes → parsed → regulations → chunks → vectors. The owner
of the library alone commits what it returns. A file that fails is reported by name with its reason and kept for retry.
"""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from nemo import embed
from nemo import rules as rule_data
from nemo.assemble import regulations_in
from nemo.errors import BadRequestError, NemoError, NotFoundError, UnreadableDocumentError
from nemo.manifest import Facts
from nemo.parse import expand, parse
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.text.chunk import chunks
from nemo.text.passage import passage
from nemo.types import Chunk, RawDocument, Regulation
from nemo.workers import Done, run

STATES = ("stored", "replaced", "unchanged", "failed")

PIPELINE = 1
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


@dataclass(frozen=True, slots=True)
class Prepared:
    """One regulation ready to be committed."""

    regulation: Regulation
    chunks: tuple[Chunk, ...]
    vectors: np.ndarray | None
    """(chunks, dim) float32 unit rows; None when the owner must embed."""


@dataclass(slots=True)
class _Bench:
    """What a worker keeps between tasks."""

    settings: Settings
    rules: rule_data.Rules
    embedder: embed.Embedder | None


_bench: _Bench | None = None


def set_up(settings: Settings) -> None:
    """Prepare this process for ``prepare``: load the rules and, when it is built in, the embedder."""
    global _bench
    built_in = embed.load(settings) if settings.embedder == "builtin" else None
    _bench = _Bench(settings, rule_data.load(settings.rules), built_in)


def prepare(task: Task) -> list[Prepared]:
    """Turn one file into regulations, chunks and vectors; pure, runs in a worker.

    Raises:
        UnreadableDocumentError: the file holds no regulation that can be read.
        MissingDependencyError: reading it needs a program that is not installed.
    """
    assert _bench is not None, "set_up was not called in this process"
    parsed = parse(task.raw, _bench.settings)
    found = regulations_in(task.raw, parsed, task.facts, _bench.rules)
    return [_prepared(regulation, _bench.embedder) for regulation in found]


def _prepared(regulation: Regulation, embedder: embed.Embedder | None) -> Prepared:
    pieces = tuple(chunks(regulation.id, regulation.text, regulation.provisions))
    if not pieces:
        raise UnreadableDocumentError(f"《{regulation.title}》没有可引用的正文（正文缺失）。请上传含全文的文件。")
    vectors = embedder.embed([passage(regulation, c) for c in pieces]) if embedder else None
    return Prepared(regulation, pieces, vectors)


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


@dataclass(slots=True)
class _Batch:
    """State of one batch while it runs."""

    total: int
    began: float
    outcomes: list[Outcome] = field(default_factory=list)
    stored_chunks: int = 0


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
        """
        state = _Batch(len(sources), time.monotonic())
        tasks: list[Task] = []
        feed = self._tasks(sources, facts, common, state, tasks)
        count = min(self.settings.workers, len(sources))
        setup = functools.partial(set_up, self.settings)
        for done in run(prepare, feed, count=count, seconds=self.settings.parse_seconds, setup=setup):
            task = tasks[done.index]
            self._finish(task, done, state)
            tasks[done.index] = _released(task)
            if progress is not None:
                progress(self._progress(state, task.raw.name))
        self.library.flush()
        used = {**facts, "": common}
        unknown = sorted({name for f in used.values() for name in f.unknown})
        return Report(tuple(state.outcomes), state.stored_chunks, time.monotonic() - state.began, tuple(unknown))

    def _tasks(
        self,
        sources: Sequence[Path | RawDocument],
        facts: Mapping[str, Facts],
        common: Facts,
        state: _Batch,
        tasks: list[Task],
    ) -> Iterator[Task]:
        """Yield what needs work; unchanged and unreadable files are settled here."""
        for source in sources:
            name = source.name
            try:
                raw = read_file(source, self.settings.max_file_bytes) if isinstance(source, Path) else source
                members = expand(raw, self.settings)
            except NemoError as error:
                state.outcomes.append(self._failed(RawDocument.of(b"", name), Facts(), error))
                continue
            state.total += len(members) - 1
            for member in members:
                stated = facts.get(member.name, Facts()).over(common)
                if held := self.library.held(fingerprint(member, stated)):
                    titles = tuple(self.library.row(i).title for i in held)
                    state.outcomes.append(Outcome(member.name, "unchanged", tuple(held), titles))
                    continue
                tasks.append(Task(member, stated))
                yield tasks[-1]

    def _finish(self, task: Task, done: Done, state: _Batch) -> None:
        """Commit what a worker returned, or record why there is nothing to commit."""
        if done.error is not None:
            state.outcomes.append(self._failed(task.raw, task.facts, done.error))
            return
        try:
            outcome, count = self._commit(task, done.value)
        except NemoError as error:
            state.outcomes.append(self._failed(task.raw, task.facts, error))
            return
        state.outcomes.append(outcome)
        state.stored_chunks += count

    def _commit(self, task: Task, prepared: Sequence[Prepared]) -> tuple[Outcome, int]:
        mark = fingerprint(task.raw, task.facts)
        complete = [p if p.vectors is not None else replace(p, vectors=self._embed(p)) for p in prepared]
        replaced = self.library.commit(
            [(p.regulation, p.chunks, p.vectors) for p in complete], task.raw, fingerprint=mark
        )
        ids = tuple(p.regulation.id for p in prepared)
        titles = tuple(p.regulation.title for p in prepared)
        faults = sum(len(p.regulation.faults) for p in prepared)
        state = "replaced" if replaced else "stored"
        return Outcome(task.raw.name, state, ids, titles, faults=faults), sum(len(p.chunks) for p in prepared)

    def _embed(self, prepared: Prepared) -> np.ndarray:
        return self.embedder.embed([passage(prepared.regulation, c) for c in prepared.chunks])

    def _failed(self, raw: RawDocument, facts: Facts, error: NemoError) -> Outcome:
        self.library.record_failure(raw, error, {**facts.stated(), **facts.unknown})
        return Outcome(raw.name, "failed", reason=error.message, tips=error.tips)

    def _progress(self, state: _Batch, name: str) -> Progress:
        return Progress(len(state.outcomes), state.total, name, state.stored_chunks, time.monotonic() - state.began)


def _released(task: Task) -> Task:
    """Return the task without its bytes, so that a long batch does not keep every file in memory."""
    return replace(task, raw=replace(task.raw, content=b""))


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


__all__ = ["Ingestion", "Outcome", "Prepared", "Progress", "Report", "Task", "check_manifest", "files_in"]
