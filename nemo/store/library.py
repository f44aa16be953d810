"""The library: the catalogue and everything derived from it, as one thing that never contradicts itself (资料库).

Any number of threads read while one writes. A write is one catalogue transaction; the indexes follow at the latest
after ``FLUSH_SECONDS`` of a running batch and at :meth:`Library.flush`. Every index hit is joined to the present state
before it leaves here, so a text that was removed or replaced is never returned.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from nemo.errors import NemoError, TooLargeError
from nemo.settings import MEBI, Settings
from nemo.store import transfer
from nemo.store.catalogue import history, originals
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.database import Database, sqlite_url
from nemo.store.catalogue.entry import FeatureNotes, StoredEntry
from nemo.store.catalogue.rows import Arrival, AuditTrail, Revision
from nemo.store.files import backup as backups
from nemo.store.files import disk
from nemo.store.files.disk import DiskRefusalError
from nemo.store.files.lock import Ownership, Visit
from nemo.store.files.raw import RawFolder
from nemo.store.files.staging import Staging
from nemo.store.following import FollowingLibrary
from nemo.store.records import audit, chain, standards
from nemo.store.records.answers import Answers, PendingAnswer
from nemo.store.records.corpora import Corpora
from nemo.store.records.edges import Edges
from nemo.store.records.evaluations import Evaluations, Feedbacks
from nemo.store.records.failures import Failures
from nemo.store.records.jobs import JobStore
from nemo.store.records.marks import Marks, Searches, Sessions
from nemo.store.records.proposals import Proposals
from nemo.store.records.reviews import Reviews
from nemo.store.records.tokens import TokenStore
from nemo.store.records.watching import SeenAddress, WatchStore
from nemo.store.search.indexes import Indexes
from nemo.store.search.read_only import ReadOnlyIndexes
from nemo.store.search.view import View
from nemo.store.sharing import Follower, require_same, seat
from nemo.store.verify import Difference, IntegrityCheck, Verification
from nemo.text.versions.succession import RememberedSuccession
from nemo.types import Answer, Progress, RawDocument, Regulation

logger = logging.getLogger(__name__)


READ_ONLY = "资料库以只读方式打开：可以提问，答复不留存，不能入库与复核。请检查磁盘空间和文件夹权限，再重新启动。"


@dataclass(frozen=True, slots=True)
class LibraryEvent:
    """Something the person who runs Nemo should see."""

    at: dt.datetime
    code: str
    message: str


ARRIVAL_SECONDS = 3600.0
"""Where several processes take files in, staged bytes are left alone for so long: a row may be about to name them."""


class Library(FollowingLibrary):
    """One open library folder. Made by :meth:`open`; a context manager."""

    def __init__(
        self,
        settings: Settings,
        ownership: Ownership | Visit,
        catalogue: Catalogue,
    ) -> None:
        self.settings = settings
        self._ownership = ownership
        self._deleting = threading.RLock()
        """Taken before ``_writing`` by whoever deletes raw files, and by a backup while it copies them."""
        self._closed = False
        self._events: deque[LibraryEvent] = deque(maxlen=200)
        self.failure_queue = Failures(catalogue.database)
        self.answers = Answers(catalogue.database, lambda message: self._note("answers", message))
        self.reviews = Reviews(catalogue.database, settings.review_two_persons)
        self.edges = Edges(catalogue.database)
        self.proposals = Proposals(catalogue.database)
        self.searches = Searches(catalogue.database)
        self.marks = Marks(catalogue.database)
        self.corpora = Corpora(catalogue.database)
        self.sessions = Sessions(catalogue.database)
        self.feedback = Feedbacks(catalogue.database)
        self.evaluations = Evaluations(catalogue.database)
        self.tokens = TokenStore(catalogue.database)
        self.watching = WatchStore(catalogue.database)
        self.standards = standards.StandardStore(catalogue.database)
        generation = catalogue.database.seen(history.newest)[0]
        spans = catalogue.spans()
        rows = [row for row in catalogue.rows() if row.id in spans]  # what others store meanwhile is followed
        view = View(generation, rows, spans, RememberedSuccession().validity)
        self.read_only = isinstance(ownership, Visit)
        indexes = (ReadOnlyIndexes if self.read_only else Indexes)(settings, catalogue, self._note)
        raw = RawFolder(settings.raw_path)
        self._staging = Staging(settings.raw_path, ARRIVAL_SECONDS if catalogue.database.shared else 0.0)
        self.jobs = JobStore(catalogue.database, raw, self._staging)
        super().__init__(catalogue, raw, indexes, view)

    @classmethod
    def open(cls, settings: Settings, embedder: str, dim: int, *, read_only: bool = False) -> Library:
        """Open or create the library of ``settings``, finishing what a crash left half done.

        Read-only, nothing is created, mended or changed, and it makes no difference whether another process owns
        the folder or the disk takes nothing: what is held can be read, asked and verified. ``embedder`` names whose
        vectors, of length ``dim``, are used.

        Raises:
            NotFoundError: there is no library to look at.
            ConfigError: the catalogue is gone while files or indexes are there, another process owns the folder, it was made by a newer program, or the disk refuses.
        """
        settings, ownership = seat(settings, read_only=read_only)
        database = None
        try:
            database = Database.of(settings, read_only=read_only)
            if not read_only:
                with database.write() as connection:
                    chain.begin(connection)
                    head = chain.head(connection)
                if database.shared and head is not None:
                    require_same(settings.library, head.chain)
            catalogue = Catalogue(database, embedder, dim)
            library = cls(settings, ownership, catalogue)
            if not read_only:
                library._recover()
        except BaseException:
            if database is not None:
                database.close()
            ownership.release(clean=database is None and not ownership.unclean)
            raise
        return library

    def _recover(self) -> None:
        if self._ownership.unclean:
            self._note("unclean", "上次没有正常关闭，已检查并补齐未完成的写入。")
        with self._changing():
            self._raw.recover(self._is_recorded)
        if waiting := self.jobs.recover():
            self._note("jobs", f"上次退出时有 {waiting} 个文件正在入库，已重新排队。")
        self._catch_up(approximate=False)
        if self._catalogue.database.shared:
            self._indexes.tidy(self._view)
            self._behind = self._indexes.dense.approximate.served
            self._follower = Follower(self._keep_up)

    def _is_recorded(self, sha256: str) -> bool:
        return self._catalogue.database.seen(originals.is_recorded, sha256)

    def announce(self, url: str) -> None:
        """Tell other programs on this machine where the owner of this library answers."""
        if isinstance(self._ownership, Ownership):
            self._ownership.announce(url)

    def close(self) -> None:
        """Finish the indexes, close everything and give the folder back; closing again does nothing.

        On a disk that takes nothing what could not be written is told, and the next start looks after it.
        """
        if self._closed:
            return
        self._closed, clean = True, False
        self.proposals.close()
        if self._follower is not None:
            self._follower.close()
        try:
            try:
                self.answers.queue.close()
            except DiskRefusalError as refused:
                self._note("answers", f"{len(self.answers.queue.waiting())} 份答复没有留存：{refused.message}")
            finally:
                self._catch_up(approximate=False)
                self._indexes.close()
            if not self.read_only:
                backups.finish(self.settings.library)
            clean = True
        except DiskRefusalError as refused:
            self._note("unclean", f"没有正常关闭：{refused.message}")
        finally:
            self._catalogue.database.close()
            self._ownership.release(clean=clean)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, code: str, message: str) -> None:
        logger.warning("%s: %s", code, message)
        self._events.append(LibraryEvent(dt.datetime.now(dt.UTC), code, message))

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """What a reader of an answer must know of the state of the library, in Chinese; empty when all is well."""
        if isinstance(self._indexes, ReadOnlyIndexes):
            gap = self._indexes.gap(self._view)
            behind = f"字面索引尚未跟上 {len(gap.touched)} 部法规" if len(gap.touched) else None
            return (READ_ONLY, *(notice for notice in (gap.trouble, behind) if notice))
        if not self.settings.keep_answers:
            return ()
        trouble = self.answers.queue.trouble or disk.trouble(self.settings.library)
        notice = f"答复暂未留存：{(trouble or '').rstrip('。')}。提问不受影响；磁盘恢复后，等待中的答复会补写。"
        return (notice,) if trouble else ()

    @property
    def events(self) -> tuple[LibraryEvent, ...]:
        """What happened to the library since it was opened that a person should see, oldest first."""
        return tuple(self._events)

    # --- writing

    def commit(
        self,
        entries: Sequence[StoredEntry],
        raw: RawDocument,
        *,
        fingerprint: str = "",
        user: str | None = None,
        corpora: Sequence[int] = (),
    ) -> list[str]:
        """Store the regulations of one file, all or nothing, in place of what this file gave before.

        ``fingerprint`` is what the result depends on, see :meth:`held`; through no ``corpora`` it comes in for
        everybody.

        Returns:
            The ids of the regulations that were replaced: the same id, the same file, or the same title and version
            date from a file of the same name.

        Raises:
            UnreadableDocumentError: the text cannot be kept.
            ValueError: chunks or vectors are not those of the regulation.
        """
        return self._store(entries, raw, fingerprint, Arrival(user, tuple(corpora)))

    def revise(self, entries: Sequence[StoredEntry], raw: RawDocument, revision: Revision) -> list[str]:
        """Store the regulations of a held file with other facts; as :meth:`commit`, and what changed is in the audit log.

        The file keeps its fingerprint: handed over again it counts as unchanged, and what a person stated stays.

        Raises:
            NotFoundError: the regulation was removed meanwhile.
        """
        with self._changing():
            self.row(revision.regulation_id)
            mark = self._catalogue.fingerprint(revision.regulation_id)
            return self._store(entries, raw, mark, revision)

    def _store(
        self, entries: Sequence[StoredEntry], raw: RawDocument, fingerprint: str, by: Arrival | Revision
    ) -> list[str]:
        self._require_writable()
        for entry in entries:
            entry.check(self._catalogue.dim)
        with self._changing():
            through = by.corpora if isinstance(by, Arrival) else None
            replaced = self.would_replace([entry.regulation for entry in entries], raw, through)
            self._raw.put(raw.sha256, raw.content)
            self._catalogue.store(entries, raw, fingerprint, replaced, by)
            self._raw.settle(raw.sha256)
            self._follow(replaced, entries)
            self._flush_if_due()
        if replaced:
            self.on_removal(self.generation)
        return replaced

    def _require_writable(self) -> None:
        if self.read_only:
            raise disk.refusal("以只读方式打开", self.settings.library)

    def would_replace(
        self, regulations: Sequence[Regulation], raw: RawDocument, through: Sequence[int] | None = ()
    ) -> list[str]:
        """Return the ids of what a file with these regulations takes the place of when it is stored."""
        ids = {regulation.id for regulation in regulations}
        strange = self.corpora.strange_to(through, next(iter(ids), ""))
        versions = {(regulation.title, regulation.version_date) for regulation in regulations}
        return [
            row.id
            for row in self._view.as_read
            if row.id in ids
            or (
                not strange(row.id)
                and row.file == raw.name
                and (row.sha256 == raw.sha256 or (row.title, row.version_date) in versions)
            )
        ]

    def remove(self, regulation_id: str, user: str | None = None) -> None:
        """Remove a regulation with every trace; its raw file too, unless something else needs it."""
        self._require_writable()
        with self._deleting, self._changing():
            self.row(regulation_id)
            hashes = self._catalogue.database.seen(originals.needed_only_by, regulation_id)
            try:
                for sha256 in hashes:
                    self._raw.withdraw(sha256)
                self._catalogue.remove(regulation_id, user)
            except NemoError:
                for sha256 in hashes:
                    self._raw.settle(sha256)
                raise
            for sha256 in hashes:
                self._raw.discard(sha256)
            self._follow([regulation_id], [])
            self.flush()
        self.on_removal(self.generation)

    def add_vectors(self, regulation_id: str, vectors: np.ndarray) -> None:
        """Store the vectors of a regulation that had none of this embedder.

        Raises:
            ValueError: they are not one unit row per chunk.
        """
        with self._changing():
            row = self.row(regulation_id)
            self._catalogue.add_vectors(row, vectors)
            spans = self._view.spans[regulation_id]
            new = [(each, spans) for each in self._catalogue.rows([regulation_id])]
            self._view = self._view.changed(self._newest(), (), new)
            self._indexes.dense.changed(self._view.numbers([regulation_id]), [(row.first, vectors)])
            self._flush_if_due()

    def add_feature_notes(self, regulation_id: str, made: FeatureNotes) -> None:
        """Keep what a ranker noted of the chunks of a regulation.

        Raises:
            ValueError: they are not one per chunk.
        """
        row = self.row(regulation_id)
        if len(made.pieces) != row.count:
            raise ValueError(f"expected {row.count} feature notes, got {len(made.pieces)}")
        with self._writing:
            self._catalogue.add_feature_notes(row, made)
            self._feature_notes.cache_clear()

    def without_feature_notes(self, ranker: str) -> list[str]:
        """Return the ids of regulations of which a ranker noted nothing."""
        return self._catalogue.without_feature_notes(ranker)

    def unembedded(self) -> list[str]:
        """Return the ids of regulations without vectors of this embedder: dense search does not find them."""
        return self._view.unembedded

    def _follow(self, gone: Sequence[str], entries: Sequence[StoredEntry]) -> None:
        """Bring the view and the matrix to what was just committed."""
        left = self._view.numbers(gone)
        new = self._catalogue.rows([entry.regulation.id for entry in entries]) if entries else []
        vectors = {entry.regulation.id: entry.vectors for entry in entries}
        spans = {entry.regulation.id: entry.spans for entry in entries}
        self._view = self._view.changed(self._newest(), gone, [(row, spans[row.id]) for row in new])
        self._indexes.dense.changed(left, [(row.first, vectors[row.id]) for row in new])
        self._waiting += sum(row.count for row in new)

    def _newest(self) -> int:
        return self._catalogue.database.seen(history.newest)[0]

    def reindex(self, progress: Callable[[Progress], None] | None = None) -> int:
        """Build every index anew from the catalogue; return the number of chunks."""
        with self._writing:
            self._indexes.rebuild(self._view, progress)
        return self._view.chunks

    def backup(self, file: Path) -> backups.Backup:
        """Write the whole library into one file, as it is at one moment; others may ask and ingest meanwhile.

        Raises:
            BadRequestError: the file exists, or lies in the library's folder.
            ConfigError: an original file is missing or damaged, or the disk refuses; no file was written.
        """
        with backups.place_for(file, self.settings.library) as folder, self._deleting, self.jobs.holding():
            with self._writing:
                self.answers.flush()
                self._snapshot(folder)
            return backups.write(file, folder, self._raw, self._staging, self.settings.own_models)

    def _snapshot(self, folder: Path) -> None:
        if self._catalogue.database.shared:
            copied = Database(folder, sqlite_url(folder / backups.CATALOGUE))
            try:
                transfer.copy(self._catalogue.database, copied)
            finally:
                copied.close()
        else:
            backups.snapshot(self.settings.catalogue_path, folder)

    def inspect(self) -> Verification:
        """Compare every text, chunk, vector, index entry, raw file, stored quote and audit entry with the catalogue."""
        with self._changing() if not self.read_only else self._writing:
            self._catch_up(approximate=False)
            return IntegrityCheck(self._catalogue, self._raw, self._indexes, self.answers, self._view).inspect()

    def verify(self) -> list[Difference]:
        """Return what :meth:`inspect` found different."""
        return self.inspect().differences

    def audit_trail(self, limit: int = 200) -> AuditTrail:
        """Return the newest entries of the audit log, and whether its chain of hashes holds."""
        return self._catalogue.database.seen(audit.trail, limit)

    def chain_head(self) -> chain.ChainHead | None:
        """Return the head of the chain of records; None before anything was written."""
        return self._catalogue.database.seen(chain.head)

    def chain_holds(self, number: int, digest: str) -> bool:
        """Tell whether a head that was carried away is still a link of the chain."""
        return self._catalogue.database.seen(chain.holds, number, digest)

    def registered(self, regulation_id: str) -> chain.ChainLink | None:
        """Return the link that says what a held regulation was stored with."""
        return self._catalogue.database.seen(chain.newest, "regulation", regulation_id)

    def note(self, action: str, subject: str, detail: Mapping[str, object], user: str | None = None) -> None:
        """Write into the audit log what changed nothing in the library, such as a refused sign-in."""
        with self._catalogue.database.write() as connection:
            audit.append(connection, action, subject, detail, user)

    # --- failures and answers

    def check_room(self, size: int) -> None:
        """Refuse what the library may not hold any more.

        Raises:
            TooLargeError: with ``size`` bytes more the originals would pass the limit that is set.
        """
        most = self.settings.max_library_mb
        if most and self.failure_queue.size_of_originals() + size > most * MEBI:
            raise TooLargeError(
                f"资料库的原件已接近 {most} MiB 的上限，容不下这个文件（{size / MEBI:.1f} MiB）。"
                "请先移除不用的法规或忽略失败的文件，或由管理员调高 NEMO_MAX_LIBRARY_MB。"
            )

    def record_failure(self, raw: RawDocument, error: NemoError, facts: Mapping[str, object] | None = None) -> int:
        """Keep a file that could not become a regulation, with the reason; return the failure's number.

        Beyond the limit for failed files only the name and the reason are kept, and the entry says so.
        """
        self._require_writable()
        most = self.settings.max_failed_mb
        full = bool(raw.content) and self.failure_queue.size_with(raw) > most * MEBI
        kept = replace(raw, content=b"") if full else raw
        more = (f"失败文件的留存已满 {most} MiB，原件没有留下；请处理失败队列后重新上传。",) if full else ()
        with self._changing():
            if kept.content:
                self._raw.put(raw.sha256, raw.content)
            number = self.failure_queue.record(kept, error, facts or {}, more)
            self._raw.settle(raw.sha256)
        return number

    def collect(self, raw: RawDocument, about: Mapping[str, object], at: Sequence[SeenAddress] = ()) -> int | None:
        """Keep a file that was collected together with the addresses it was met at; None when its bytes were known.

        Raises:
            TooLargeError: the library may not hold it.
        """
        self.check_room(len(raw.content))
        with self._writing:
            self._raw.put(raw.sha256, raw.content)
            number = self.watching.keep(raw, about, at)
            self._raw.settle(raw.sha256)
        return number

    def let_go(self, sha256: str) -> None:
        """Delete the bytes of a file unless a regulation, a failure, a job or a collected file that waits needs them."""
        with self._deleting, self._writing:
            if self.failure_queue.needed_by_nobody(sha256):
                self._raw.withdraw(sha256)
                self.failure_queue.forget_original(sha256)
                self._raw.discard(sha256)

    def dismiss_failure(self, failure_id: int, user: str | None = None) -> None:
        """Close a failure without another try; the original goes with it unless something else needs it."""
        with self._deleting, self._changing():
            sha256 = self.failure_queue.get(failure_id).sha256
            self.failure_queue.dismiss(failure_id, user)
            if sha256 is not None:
                self.let_go(sha256)

    def save_answer(self, answer: Answer, user: str | None = None, measures: Mapping[str, float] | None = None) -> None:
        """Keep an answer with the hashes of the texts it quotes, and what was measured of it for the day's figures.

        It is on disk a moment later, at the latest on close.
        """
        if self.read_only:
            return
        view = self._view
        ids = {quote.regulation_id for quote in answer.quotes}
        texts = {i: view.by_id[i].text_sha256 for i in ids if i in view.by_id}
        self.answers.queue.put(PendingAnswer(answer, texts, user, view.generation, measures=measures or {}))
