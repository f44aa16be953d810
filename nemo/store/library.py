"""The library: the catalogue and everything derived from it, as one thing that never contradicts itself (资料库).

Any number of threads read while one writes. A write is one catalogue transaction; the indexes follow at the latest
after ``FLUSH_SECONDS`` of a running batch and at :meth:`Library.flush`. Every index hit is joined to the present state
before it leaves here, so a text that was removed or replaced is never returned.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from nemo.errors import NemoError, NotFoundError
from nemo.settings import Settings
from nemo.store import history, originals
from nemo.store.answers import Answers
from nemo.store.catalogue import Catalogue, not_held
from nemo.store.database import Database, sqlite_url
from nemo.store.dense import Plan
from nemo.store.entry import Entry
from nemo.store.facets import BINDING, FacetTable
from nemo.store.failures import Failures
from nemo.store.indexes import Indexes, Progress
from nemo.store.lexical import Terms
from nemo.store.lock import Ownership
from nemo.store.raw import RawFolder
from nemo.store.rows import Body, Failure, Row
from nemo.store.vectors import Scored
from nemo.store.view import Succession, View
from nemo.text import tokenise
from nemo.types import Answer, Chunk, Filters, RawDocument, Regulation, Validity

logger = logging.getLogger(__name__)

FLUSH_CHUNKS = 4_000
FLUSH_SECONDS = 2.0
"""In a batch the indexes follow when this many chunks wait or this much time went by since the last time."""

REGULATIONS_CACHED = 256
TEXTS_CACHED = 1024
"""How many regulations with their structure, and how many texts, stay in memory."""

Ranked = list[tuple[str, float]]
"""(chunk id, score), best first."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something the person who runs Nemo should see."""

    at: dt.datetime
    code: str
    message: str


def as_read(_rows: Sequence[Row]) -> Mapping[str, Validity]:
    """The succession of a library whose texts do not know of each other: nothing changes."""
    return {}


class Library:
    """One open library folder. Made by :meth:`open`; a context manager."""

    def __init__(
        self, settings: Settings, ownership: Ownership, catalogue: Catalogue, succession: Succession, terms: Terms
    ) -> None:
        """Use :meth:`open`."""
        self.settings = settings
        self._ownership = ownership
        self._catalogue = catalogue
        self._writing = threading.RLock()
        self._waiting = 0
        self._flushed = time.monotonic()
        self._events: deque[Event] = deque(maxlen=200)
        self._raw = RawFolder(settings.raw_path)
        self.failure_queue = Failures(catalogue.database)
        self.answers = Answers(catalogue.database)
        self._body = lru_cache(TEXTS_CACHED)(self._load_body)
        self._regulation = lru_cache(REGULATIONS_CACHED)(self._load_regulation)
        with catalogue.database.read() as connection:
            generation = history.newest(connection)[0]
        self._view = View(generation, catalogue.rows(), catalogue.spans(), succession)
        self._indexes = Indexes(settings, catalogue, terms, self._note)

    @classmethod
    def open(
        cls,
        settings: Settings,
        embedder: str,
        dim: int,
        *,
        succession: Succession = as_read,
        terms: Terms = tokenise.terms,
    ) -> Library:
        """Open or create the library of ``settings``, finishing what a crash left half done.

        Args:
            settings: Names the folder.
            embedder: Name of the embedder whose vectors are used.
            dim: Length of its vectors.
            succession: Works out how held texts change each other's validity.
            terms: Cuts text into lexical terms.

        Raises:
            ConfigError: another process owns the folder, it was made by a newer program, or the disk refuses.
        """
        ownership = Ownership(settings.library)
        database = None
        try:
            database = Database(settings.library, sqlite_url(settings.catalogue_path))
            library = cls(settings, ownership, Catalogue(database, embedder, dim), succession, terms)
            library._recover()
        except BaseException:
            if database is not None:
                database.close()
            ownership.release(clean=False)
            raise
        return library

    def _recover(self) -> None:
        if self._ownership.unclean:
            self._note("unclean", "上次没有正常关闭，已检查并补齐未完成的写入。")
        self._raw.recover(self._is_recorded)
        self.flush()

    def _is_recorded(self, sha256: str) -> bool:
        with self._catalogue.database.read() as connection:
            return originals.is_recorded(connection, sha256)

    def close(self) -> None:
        """Finish the indexes, close everything and give the folder back."""
        clean = False
        try:
            self.flush()
            clean = True
        finally:
            self._catalogue.database.close()
            self._ownership.release(clean=clean)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _note(self, code: str, message: str) -> None:
        logger.warning("%s: %s", code, message)
        self._events.append(Event(dt.datetime.now(dt.UTC), code, message))

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened to the library since it was opened that a person should see, oldest first."""
        return tuple(self._events)

    # --- what is held

    @property
    def generation(self) -> int:
        """Rises with every change of what is held."""
        return self._view.generation

    @property
    def facets(self) -> FacetTable:
        """Who may answer, at the present generation."""
        return self._view.facets

    def rows(self) -> tuple[Row, ...]:
        """Return every held regulation without its text; validity follows from all held texts."""
        return self._view.rows

    def headers(self) -> tuple[Row, ...]:
        """Return the same rows with validity as read from each text alone."""
        return self._view.as_read

    def row(self, regulation_id: str) -> Row:
        """Return one row.

        Raises:
            NotFoundError: no such regulation.
        """
        view = self._view
        if regulation_id not in view.by_id:
            raise not_held(regulation_id)
        return view.rows[view.facets.places[regulation_id]]

    def held(self, fingerprint: str) -> list[str]:
        """Return the ids of the regulations stored under a fingerprint."""
        return self._catalogue.held(fingerprint)

    def regulation(self, regulation_id: str) -> Regulation:
        """Return a whole regulation; validity follows from all held texts.

        Raises:
            NotFoundError: no such regulation.
        """
        row = self.row(regulation_id)
        regulation = self._regulation(row.first)
        return regulation if regulation.validity == row.validity else replace(regulation, validity=row.validity)

    def _load_regulation(self, first: int) -> Regulation:
        row = self._row_of(first)
        return self._catalogue.regulation(row, self._body(first).text)

    def _load_body(self, first: int) -> Body:
        return self._catalogue.body(self._row_of(first))

    def _row_of(self, first: int) -> Row:
        row = self._view.row_of(first)
        if row is None:
            raise not_held(str(first))
        return row

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Return a chunk, None when it is not (or no longer) held."""
        view = self._view
        number = view.number(chunk_id)
        row = None if number is None else view.row_of(number)
        if number is None or row is None:
            return None
        try:
            return self._body(row.first).chunk(number - row.first)
        except NotFoundError:  # removed a moment ago
            return None

    def chunk_ids(self, regulation_id: str) -> list[str]:
        """Return the ids of a regulation's chunks in text order.

        Raises:
            NotFoundError: no such regulation.
        """
        view = self._view
        row = self.row(regulation_id)
        return [i for n in range(row.first, row.first + row.count) if (i := view.chunk_id(n)) is not None]

    def raw(self, sha256: str) -> RawDocument:
        """Return an original file.

        Raises:
            NotFoundError: no such file.
            ConfigError: its bytes were changed on disk.
        """
        with self._catalogue.database.read() as connection:
            return originals.describe(connection, sha256, self._raw.read(sha256))

    # --- search

    def dense(self, vector: np.ndarray, k: int, filters: Filters, natures: Collection[str] | None = BINDING) -> Ranked:
        """Return at most ``k`` chunks by cosine under the filters, best first."""
        return self.dense_planned(vector, k, filters, natures)[0]

    def dense_planned(
        self, vector: np.ndarray, k: int, filters: Filters, natures: Collection[str] | None = BINDING
    ) -> tuple[Ranked, Plan]:
        """Like :meth:`dense`, with how it was done."""
        view = self._view
        allowed = view.facets.allowed(filters, natures)
        found, plan = self._indexes.dense.search(vector, k, allowed, view.chunks)
        return _named(view, found), plan

    def lexical(
        self, terms: Sequence[str], k: int, filters: Filters, natures: Collection[str] | None = BINDING
    ) -> Ranked:
        """Return at most ``k`` chunks by BM25 under the filters, best first."""
        view = self._view
        allowed = view.facets.allowed(filters, natures)
        return _named(view, self._indexes.lexical.search(terms, k, allowed, view.facets.everything))

    def cosines(self, vector: np.ndarray, ids: Sequence[str]) -> dict[str, float]:
        """Return the exact cosine of each chunk; those without a vector, or not held, are left out."""
        view = self._view
        known = {i: number for i in ids if (number := view.number(i)) is not None}
        found, rows = self._indexes.dense.exact.rows(np.array(list(known.values()), np.int64))
        names = [i for i, there in zip(known, found.tolist(), strict=True) if there]
        return dict(zip(names, np.vecdot(rows, vector).tolist(), strict=True))

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks each lexical term stands."""
        return self._indexes.lexical.document_frequency(terms)

    # --- writing

    def commit(
        self,
        entries: Sequence[tuple[Regulation, Sequence[Chunk], np.ndarray | None]],
        raw: RawDocument,
        *,
        fingerprint: str = "",
        user: str | None = None,
    ) -> list[str]:
        """Store the regulations of one file, all or nothing, in place of what this file gave before.

        Args:
            entries: Regulation, its chunks in text order, their vectors (None: without dense search for now).
            raw: The file.
            fingerprint: What the result depends on; see :meth:`held`.
            user: Who did it, for the audit log.

        Returns:
            The ids of the regulations that were replaced: the same id, the same file, or the same title and version
            date from a file of the same name.

        Raises:
            ConfigError: the disk refuses; nothing was changed.
            UnreadableDocumentError: the text cannot be kept.
            ValueError: chunks or vectors are not those of the regulation.
        """
        checked = [Entry(*entry) for entry in entries]
        for entry in checked:
            entry.check(self._catalogue.dim)
        with self._writing:
            replaced = self._replaced(checked, raw)
            self._raw.put(raw.sha256, raw.content)
            self._catalogue.store(checked, raw, fingerprint, replaced, user)
            self._raw.settle(raw.sha256)
            self._follow(replaced, checked)
            self._flush_if_due()
        return replaced

    def _replaced(self, entries: Sequence[Entry], raw: RawDocument) -> list[str]:
        ids = {entry.regulation.id for entry in entries}
        versions = {(entry.regulation.title, entry.regulation.version_date) for entry in entries}
        return [
            row.id
            for row in self._view.as_read
            if row.id in ids
            or (row.file == raw.name and (row.sha256 == raw.sha256 or (row.title, row.version_date) in versions))
        ]

    def remove(self, regulation_id: str, user: str | None = None) -> None:
        """Remove a regulation with every trace; its raw file too, unless something else needs it.

        Raises:
            NotFoundError: no such regulation.
            ConfigError: the disk refuses; nothing was changed.
        """
        with self._writing:
            self.row(regulation_id)
            with self._catalogue.database.read() as connection:
                hashes = originals.needed_only_by(connection, regulation_id)
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

    def add_vectors(self, regulation_id: str, vectors: np.ndarray) -> None:
        """Store the vectors of a regulation that had none of this embedder.

        Raises:
            NotFoundError: no such regulation.
            ValueError: they are not one unit row per chunk.
        """
        with self._writing:
            row = self.row(regulation_id)
            self._catalogue.add_vectors(row, vectors)
            self._reload()
            self._indexes.dense.changed(self._view.numbers([regulation_id]), [(row.first, vectors)])
            self._flush_if_due()

    def unembedded(self) -> list[str]:
        """Return the ids of regulations without vectors of this embedder: dense search does not find them."""
        return [row.id for row in self._view.as_read if not row.embedded]

    def _follow(self, gone: Sequence[str], entries: Sequence[Entry]) -> None:
        """Bring the view and the matrix to what was just committed."""
        left = self._view.numbers(gone)
        new = self._catalogue.rows([entry.regulation.id for entry in entries]) if entries else []
        vectors = {entry.regulation.id: entry.vectors for entry in entries}
        spans = {entry.regulation.id: entry.spans for entry in entries}
        self._view = self._view.changed(self._newest(), gone, [(row, spans[row.id]) for row in new])
        self._indexes.dense.changed(left, [(row.first, vectors[row.id]) for row in new])
        self._waiting += sum(row.count for row in new)

    def _reload(self) -> None:
        view = self._view
        rows = self._catalogue.rows()
        self._view = view.changed(self._newest(), (), [(row, view.spans[row.id]) for row in rows])

    def _newest(self) -> int:
        with self._catalogue.database.read() as connection:
            return history.newest(connection)[0]

    def _flush_if_due(self) -> None:
        if self._waiting >= FLUSH_CHUNKS or time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Bring the indexes to what is committed.

        Raises:
            ConfigError: the disk refuses; what is committed stays, and the next flush or start catches up.
        """
        with self._writing:
            self._indexes.catch_up(self._view)
            self._waiting = 0
            self._flushed = time.monotonic()

    def reindex(self, progress: Progress | None = None) -> int:
        """Build every index anew from the catalogue; return the number of chunks."""
        with self._writing:
            self._indexes.rebuild(self._view, progress)
        return self._view.chunks

    # --- failures and answers

    def record_failure(self, raw: RawDocument, error: NemoError, facts: Mapping[str, object] | None = None) -> int:
        """Keep a file that could not become a regulation, with the reason; return the failure's number."""
        with self._writing:
            if raw.content:
                self._raw.put(raw.sha256, raw.content)
            number = self.failure_queue.record(raw, error, facts or {})
            self._raw.settle(raw.sha256)
        return number

    def failures(self, state: str | None = "open") -> list[Failure]:
        """Return the files waiting for a person, newest first; ``None`` for settled ones too."""
        return self.failure_queue.all(state)

    def save_answer(self, answer: Answer, user: str | None = None) -> None:
        """Keep an answer with the hashes of the texts it quotes."""
        by_id = self._view.by_id
        quoted = {quote.regulation_id for quote in answer.quotes}
        self.answers.save(answer, {i: by_id[i].text_sha256 for i in quoted if i in by_id}, user)

    def answer(self, trace_id: str) -> Answer:
        """Return a stored answer.

        Raises:
            NotFoundError: no such answer.
        """
        return self.answers.get(trace_id)


def _named(view: View, scored: Scored) -> Ranked:
    """Turn chunk numbers into ids; numbers of texts that are gone fall out."""
    return [(chunk_id, score) for number, score in scored if (chunk_id := view.chunk_id(number)) is not None]
