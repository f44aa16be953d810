"""Everything that looks into the library and changes nothing; any number of threads at once.

Each call works on one state of the library from start to end. Every index hit is joined to that state before it leaves
here, so a text that was removed or replaced is never returned.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nemo.errors import NotFoundError
from nemo.store.catalogue import originals
from nemo.store.catalogue.catalogue import Catalogue, not_held
from nemo.store.catalogue.packing import PackedPieces
from nemo.store.catalogue.rows import RegulationBody, RegulationRow
from nemo.store.files.raw import RawFolder
from nemo.store.records import days
from nemo.store.search.facets import FacetTable
from nemo.store.search.indexes import Indexes
from nemo.store.search.vectors import ScoredChunks
from nemo.store.search.view import View
from nemo.types import CITABLE, Chunk, Filters, RawDocument, Regulation, today

REGULATIONS_CACHED = 1024
TEXTS_CACHED = 1024
FEATURE_NOTES_CACHED = 1024
CHUNKS_CACHED = 16_384
"""How many regulations with their structure (85 KB each), how many texts, what a ranker noted of how many, and how many cut
chunks stay in memory."""

Ranked = list[tuple[str, float]]
"""(chunk id, score), best first; equal scores in order of id."""


class LibraryReader:
    """What of a library can be looked at."""

    def __init__(self, catalogue: Catalogue, raw: RawFolder, indexes: Indexes, view: View) -> None:
        self._catalogue = catalogue
        self._raw = raw
        self._indexes = indexes
        self._view = view
        self._body = lru_cache(TEXTS_CACHED)(self._load_body)
        self._regulation = lru_cache(REGULATIONS_CACHED)(self._load_regulation)
        self._chunk = lru_cache(CHUNKS_CACHED)(self._load_chunk)
        self._feature_notes = lru_cache(FEATURE_NOTES_CACHED)(self._load_feature_notes)

    # --- what is held

    @property
    def generation(self) -> int:
        """Rises with every change of what is held."""
        return self._view.generation

    @property
    def view(self) -> View:
        """The present state."""
        return self._view

    @property
    def facets(self) -> FacetTable:
        """Who may answer, at the present generation."""
        return self._view.facets

    def holds(self, regulation_id: str) -> bool:
        """Tell whether a text is held."""
        return regulation_id in self._view.by_id

    def rows(self) -> tuple[RegulationRow, ...]:
        """Return every held regulation without its text, by title; validity follows from all held texts."""
        return self._view.listed

    def headers(self) -> tuple[RegulationRow, ...]:
        """Return the rows with validity as read from each text alone, in order of storing."""
        return self._view.as_read

    def row(self, regulation_id: str) -> RegulationRow:
        """Return one row."""
        found = self._view.row(regulation_id)
        if found is None:
            raise not_held(regulation_id)
        return found

    def held(self, fingerprint: str) -> list[str]:
        """Return the ids of the regulations stored under a fingerprint."""
        return self._catalogue.held(fingerprint)

    def mentioning(self, words: str) -> frozenset[str]:
        """Return the ids of the texts that hold some words."""
        return self._catalogue.mentioning(words)

    def names_of(self, sha256: str) -> list[str]:
        """Return the file names under which regulations of these bytes are held."""
        return self._catalogue.names_of(sha256)

    def regulation(self, regulation_id: str) -> Regulation:
        """Return a whole regulation; validity follows from all held texts."""
        row = self.row(regulation_id)
        regulation = self._regulation(row.first)
        return regulation if regulation.validity == row.validity else replace(regulation, validity=row.validity)

    def text(self, regulation_id: str) -> str:
        """Return the text of a regulation without reading its structure."""
        return self._body(self.row(regulation_id).first).text

    def _load_regulation(self, first: int) -> Regulation:
        row = self._row_of(first)
        return self._catalogue.regulation(row, self._body(first).text)

    def _load_body(self, first: int) -> RegulationBody:
        return self._catalogue.body(self._row_of(first))

    def _row_of(self, first: int) -> RegulationRow:
        row = self._view.row_of(first)
        if row is None:
            raise not_held(str(first))
        return row

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Return a chunk, None when it is not (or no longer) held."""
        number = self._view.number(chunk_id)
        return None if number is None else self.chunk_at(number)

    def chunk_at(self, number: int) -> Chunk | None:
        """Return a chunk by its number, None when it is no longer held."""
        try:
            return self._chunk(number)
        except NotFoundError:  # removed a moment ago
            return None

    def _load_chunk(self, number: int) -> Chunk:
        first = self._row_of(number).first
        return self._body(first).chunk(number - first)

    def feature_note(self, ranker: str, chunk_id: str) -> memoryview | None:
        """Return what a ranker noted of a chunk, None when it noted nothing or the chunk is not held."""
        view = self._view
        number = view.number(chunk_id)
        row = None if number is None else view.row_of(number)
        if number is None or row is None:
            return None
        pieces = self._feature_notes(row.first, ranker)
        return pieces[number - row.first] if pieces else None

    def _load_feature_notes(self, first: int, ranker: str) -> PackedPieces | None:
        row = self._view.row_of(first)
        return None if row is None else self._catalogue.feature_notes(row, ranker)

    def chunk_ids(self, regulation_id: str) -> list[str]:
        """Return the ids of a regulation's chunks in text order."""
        view = self._view
        row = self.row(regulation_id)
        return [i for n in range(row.first, row.first + row.count) if (i := view.chunk_id(n)) is not None]

    def chunks(self, regulation_id: str) -> list[Chunk]:
        """Return a regulation's chunks in text order."""
        return [chunk for each in self.chunk_ids(regulation_id) if (chunk := self.chunk(each)) is not None]

    def raw(self, sha256: str) -> RawDocument:
        """Return an original file.

        Raises:
            ConfigError: its bytes were changed on disk.
        """
        with self._catalogue.database.read() as connection:
            return originals.describe(connection, sha256, self._raw.read(sha256))

    def preload(self, ranker: str | None) -> None:
        """Load what questions need of every text: the matrix, who may answer, structure, and what a ranker noted."""
        self._indexes.dense.prepare()
        for row in self.rows()[-REGULATIONS_CACHED:]:
            self._regulation(row.first)
            if ranker is not None:
                self._feature_notes(row.first, ranker)

    def quality(self, newest: int) -> list[days.DayMeasure]:
        """Return what was measured of the answers of the newest days, oldest first."""
        return days.since(self._catalogue.database, today() - dt.timedelta(days=newest - 1))

    # --- search

    def dense(self, vector: np.ndarray, k: int, filters: Filters) -> Ranked:
        """Return at most ``k`` chunks by cosine under the filters, best first."""
        return _named(self._view, self.by_meaning(vector, k, filters))

    def by_meaning(
        self,
        vector: np.ndarray,
        k: int,
        filters: Filters,
        *,
        exact: bool = False,
    ) -> ScoredChunks:
        """Return what :meth:`dense` does as chunk numbers; ``exact`` leaves no choice of the store."""
        view = self._view
        allowed = view.facets.allowed(filters)
        return view.first(self._indexes.dense.search(vector, k, allowed, view, exact=exact), k)

    def lexical(
        self, terms: Sequence[str], k: int, filters: Filters, natures: Collection[str] | None = CITABLE
    ) -> Ranked:
        """Return at most ``k`` chunks by BM25 under the filters, best first."""
        return _named(self._view, self.by_words(terms, k, filters, natures))

    def by_words(
        self, terms: Sequence[str], k: int, filters: Filters, natures: Collection[str] | None = CITABLE
    ) -> ScoredChunks:
        """Return what :meth:`lexical` does as chunk numbers."""
        view = self._view
        allowed = view.facets.allowed(filters, natures)
        return view.first(self._indexes.lexical.search(terms, k, allowed, view.indexed), k)

    def texts_with(self, term: str, filters: Filters, most: int) -> list[str] | None:
        """Return the regulations under the filters, of any nature, of which a chunk holds a term; None where more than
        ``most`` chunks do.
        """
        view = self._view
        numbers = self._indexes.lexical.holding(term)
        numbers = numbers[view.held.contains(numbers) & view.facets.allowed(filters, None).contains(numbers)]
        return view.texts(numbers) if len(numbers) <= most else None

    def headings(self, regulation_id: str) -> tuple[str, ...]:
        """Return what each chunk of a held regulation stands under."""
        return self._body(self.row(regulation_id).first).headings

    def spans(self, regulation_id: str) -> np.ndarray:
        """Return the (n, 2) places of the chunks of a held regulation."""
        return self._view.spans[regulation_id]

    def cosines(self, vector: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which of some chunk numbers have a vector, as a mask, and the exact cosines of those that have."""
        return self._indexes.dense.exact.cosines(vector, numbers)

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks each lexical term stands."""
        return self._indexes.lexical.document_frequency(terms)


def _named(view: View, scored: ScoredChunks) -> Ranked:
    """Return what was found by id, equal scores in order of id; numbers of texts that are gone fall out."""
    found = [(-score, i) for number, score in scored if (i := view.chunk_id(number)) is not None]
    found.sort()
    return [(chunk_id, -score) for score, chunk_id in found]
