"""The lexical index: BM25 over words and character pairs of text, title and headings (字面检索), in tantivy.

Derived from the catalogue. Beside it lies ``state.json``: the generation of the library it stands for, written after
every commit, with the number of that commit. A crash between the two leaves an older state: what it lacks is replayed,
which changes nothing where it was written already. A state of a later commit than the index has is not believed.
The state is no document of the index: one more document, deleted or not, would move every BM25 score.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tantivy
from tantivy import Document, Occur, Query

from nemo.errors import ConfigError
from nemo.store.catalogue.rows import RegulationBody
from nemo.store.files.disk import refusal, storage_errors, write_atomically
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.replay import IndexState
from nemo.store.search.vectors import ScoredChunks, best, enough
from nemo.text.words import tokenise
from nemo.text.words.normalise import simplified

LAYOUT = 3
"""Raised when fields or terms change in a way that asks for a new index."""

BOOSTS = {"text": 1.0, "title": 0.5, "heading": 0.5}

MAX_TERMS = 160
"""Of a longer question only the rarest terms are searched."""

STEP = 1 / 64
"""Scores are whole multiples of it. tantivy adds the terms of a hit up in float32, in an order that depends on how its
segments lie; the differences are some 10,000 times smaller."""

HEAP_BYTES = 64 * 1024 * 1024

BEYOND = 32
"""So many hits more than wanted are looked at, for equals of the last one wanted."""

LOOKED, MARGIN, MANY = 1_000, 4, 0.1
"""Where at least the share ``MANY`` is allowed, at most so many hits are looked at before a filter is built: ``MARGIN`` times
those among which the wanted ones lie when the allowed lie evenly."""

SEGMENTS = 4
"""So many are left as they are. Each term is looked up in each of them: 7, as 597 statutes leave behind, take a search from
0.7 to 1.1 ms."""

PARTS_KEPT = 4_096
"""So many terms are kept with what looks for them: questions are made of the same ones."""

STATE = "state.json"


class LabelledText(NamedTuple):
    """A regulation's text with the title it is searched by."""

    title: str
    body: RegulationBody


class LexicalIndex:
    """One tantivy folder; any number of threads search while one writes."""

    def __init__(self, folder: Path) -> None:
        """Open or create the index.

        Raises:
            DamagedIndexError: the folder holds something else or is damaged: set it aside and build a new one.
        """
        self.folder = folder
        self._schema = _schema()
        self.sound = True
        """False once a search or a write met damage."""
        self._last: _Unfiltered | None = None
        self._untidy = True
        with storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with self._damage():
            written = self._written_state()  # before the index: whoever only looks must not see a state ahead of it
            self._index = tantivy.Index(self._schema, path=str(folder))
            self._index.config_reader("manual")
            self._searcher = self._fresh()
            self.commit, self.state = self._believed(written)

    def _fresh(self) -> tantivy.Searcher:
        self._index.reload()
        searcher = self._index.searcher()
        self._parts = lru_cache(PARTS_KEPT)(partial(self._parts_of, searcher))
        self._holding = lru_cache(PARTS_KEPT)(partial(self._numbers_with, searcher))
        return searcher

    def _written_state(self) -> bytes:
        """Return what the file of the state holds; nothing when there is none."""
        try:
            return (self.folder / STATE).read_bytes()
        except OSError:
            return b""

    def _believed(self, written: bytes) -> tuple[int, IndexState]:
        """Return the number of the last commit and what it stands for.

        Raises:
            DamagedIndexError: the index does not say what it stands for.
        """
        nothing = 0, IndexState(0, "")
        empty = not self._searcher.num_docs
        try:
            layout, commit, *state = json.loads(written)
            known = json.loads((self.folder / "meta.json").read_bytes())["opstamp"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            if empty:
                return nothing
            raise DamagedIndexError("the index has no state") from error
        if layout == LAYOUT and commit <= known:
            return commit, IndexState(*state)
        if empty:
            return nothing
        raise DamagedIndexError(f"state of layout {layout}, commit {commit}; index of layout {LAYOUT}, commit {known}")

    @contextmanager
    def _panics(self) -> Iterator[None]:
        """Turn a panic of the Rust library, which is no ``Exception``, into what it means: a damaged index."""
        try:
            yield
        except BaseException as error:  # the border to the Rust library, whose panics are no Exception
            if type(error).__module__ != "pyo3_runtime":
                raise
            self.sound = False
            raise DamagedIndexError(str(error)) from error

    @contextmanager
    def _damage(self) -> Iterator[None]:
        """Turn what the library says of files that it cannot read into what it means."""
        try:
            with self._panics():
                yield
        except ValueError as error:  # the only exception tantivy knows
            self.sound = False
            raise DamagedIndexError(str(error)) from error

    # --- writing

    def write(self, removed: Iterable[int] | None, stored: Iterable[LabelledText], state: IndexState) -> None:
        """Take out and put in regulations and stand for ``state`` from now on: all of it or nothing.

        ``removed`` holds the first chunk number of each regulation to take out, also of those put in again; None:
        everything.

        Raises:
            DamagedIndexError: what was there cannot be read.
        """
        try:
            writer = self._index.writer(HEAP_BYTES, 1)
            try:
                with self._panics():
                    if self._untidy:  # files of a commit that was cut off would be in the way of the next one
                        writer.garbage_collect_files()
                    self._untidy = True
                    self._change(writer, removed, stored)
                    commit = writer.commit()
            finally:  # an uncommitted writer rolls back; waiting also gives the folder's writer lock back
                writer.wait_merging_threads()
            with storage_errors(self.folder):
                write_atomically(self.folder / STATE, json.dumps([LAYOUT, commit, *state]).encode())
            self._searcher = self._fresh()
            self._untidy = False
        except ValueError as error:
            raise refusal(f"字面索引写入失败（{error}）", self.folder) from error
        self.commit, self.state = commit, state

    def _change(
        self, writer: tantivy.IndexWriter, removed: Iterable[int] | None, stored: Iterable[LabelledText]
    ) -> None:
        if removed is None:
            writer.delete_all_documents()
        elif firsts := list(removed):  # by query: deleting by term silently passes over numbers
            writer.delete_documents_by_query(Query.term_set_query(self._schema, "regulation", firsts))
        for labelled in stored:
            self._add(writer, labelled)

    def _add(self, writer: tantivy.IndexWriter, labelled: LabelledText) -> None:
        body = labelled.body
        joined = lru_cache(maxsize=None)(lambda text: " ".join(tokenise.terms(text)))
        for index, (start, end) in enumerate(body.spans.tolist()):
            document = Document()
            document.add_text("text", " ".join(tokenise.terms(simplified(body.text[start:end]))))
            document.add_text("title", joined(labelled.title))
            document.add_text("heading", joined(body.headings[index]))
            document.add_unsigned("number", body.first + index)
            document.add_unsigned("regulation", body.first)
            writer.add_document(document)

    # --- reading

    def search(
        self, terms: Sequence[str], k: int, allowed: ChunkNumbers | None = None, everything: ChunkNumbers | None = None
    ) -> ScoredChunks:
        """Return the ``k`` best of the allowed chunks (None for all) by BM25 and those equal to the last of them, best
        first.

        A repeated term counts more; ``everything``, all held chunks, lets the index leave out the few when the
        allowed are the many.

        Raises:
            DamagedIndexError: the files on disk were changed by something else.
        """
        searcher = self._searcher
        with self._damage():
            query = self._query(searcher, terms)
        if query is None or k <= 0 or (allowed is not None and not len(allowed.firsts)):
            return ScoredChunks()
        limit = k + BEYOND
        if allowed is not None and everything is not None and allowed.total >= MANY * everything.total:
            # cheaper than a filter, and the same best serve the question's next search under another one
            looked = max(limit, min(LOOKED, BEYOND + MARGIN * k * everything.total // allowed.total))
            scores, numbers = self._best_of_all(searcher, tuple(terms), query, looked)
            found = best(numbers, scores, k, allowed)
            if enough(found, scores, k, looked):
                return found
        if allowed is not None:
            query = self._filtered(query, allowed, everything)
        while True:
            scores, numbers = self._top(searcher, query, limit)
            found = best(numbers, scores, k, allowed)
            if enough(found, scores, k, limit):
                return found
            limit *= 4  # entries of texts that are gone took the places, or equals of the last go on

    def _best_of_all(
        self, searcher: tantivy.Searcher, terms: tuple[str, ...], query: Query, limit: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and chunk numbers of the best hits without a filter; those of the last question are kept."""
        last = self._last
        if last is None or last.searcher is not searcher or last.terms != terms or last.limit < limit:
            self._last = last = _Unfiltered(searcher, terms, limit, *self._top(searcher, query, limit))
        return last.scores, last.numbers

    def _top(self, searcher: tantivy.Searcher, query: Query, limit: int) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and chunk numbers of the best hits."""
        with self._damage():
            hits = searcher.search(query, limit, count=False).hits
            numbers = searcher.fast_field_values("number", [at for _, at in hits])
        scores = np.array([score for score, _ in hits], np.float64)
        return np.rint(scores / STEP) * STEP, np.array(numbers, np.int64)

    def _query(self, searcher: tantivy.Searcher, terms: Sequence[str]) -> Query | None:
        counts = Counter(terms)
        chosen = list(counts)
        if len(chosen) > MAX_TERMS:
            known = {term: searcher.doc_freq("text", term) for term in chosen}
            chosen = sorted((t for t in chosen if known[t]), key=lambda term: (known[term], term))[:MAX_TERMS]
        parts = [(Occur.Should, part) for term in chosen for part in self._parts(term, counts[term])]
        return Query.boolean_query(parts) if parts else None

    def _parts_of(self, searcher: tantivy.Searcher, term: str, count: int) -> list[Query]:
        """Return what looks for a term of a query in each field that has it: of three fields few have all."""
        return [
            Query.boost_query(Query.term_query(self._schema, field, term, "freq"), boost * count)
            for field, boost in BOOSTS.items()
            if searcher.doc_freq(field, term)
        ]

    def _filtered(self, query: Query, allowed: ChunkNumbers, everything: ChunkNumbers | None) -> Query:
        """Narrow a query to the allowed regulations, or keep the others out when they are fewer."""
        if everything is not None:
            others = everything.firsts[~allowed.contains(everything.firsts)]
            if not len(others):
                return query
            if len(others) < len(allowed.firsts):
                return Query.boolean_query([(Occur.Must, query), (Occur.MustNot, self._any_of(others))])
        only = Query.const_score_query(self._any_of(allowed.firsts), 0.0)
        return Query.boolean_query([(Occur.Must, query), (Occur.Must, only)])

    def _any_of(self, firsts: np.ndarray) -> Query:
        return Query.term_set_query(self._schema, "regulation", firsts.tolist())

    @property
    def buried(self) -> int:
        """How many deleted documents the statistics behind every score still count."""
        return sum((each.get("deletes") or {}).get("num_deleted_docs", 0) for each in self._segments())

    @property
    def scattered(self) -> float:
        """What share of the documents lies outside the largest segment, 0 where there are no more than ``SEGMENTS``."""
        sizes = [each["max_doc"] for each in self._segments()]
        return 1 - max(sizes) / sum(sizes) if len(sizes) > SEGMENTS else 0.0

    def _segments(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((self.folder / "meta.json").read_bytes())["segments"]
        return found

    def document_frequency(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks each term stands; texts just removed may still be counted."""
        searcher = self._searcher
        with self._damage():
            return {term: searcher.doc_freq("text", term) for term in set(terms)}

    def holding(self, term: str) -> np.ndarray:
        """Return the chunk numbers of every text, title and heading with a term, rising; texts just removed may be among
        them.
        """
        return self._holding(term)

    def _numbers_with(self, searcher: tantivy.Searcher, term: str) -> np.ndarray:
        query = self._query(searcher, [term])
        most = max(1, sum(searcher.doc_freq(field, term) for field in BOOSTS))
        return np.empty(0, np.int64) if query is None else np.sort(self._top(searcher, query, most)[1])

    def finds(self, body: RegulationBody, index: int) -> bool:
        """Tell whether a chunk comes up for its own words inside its own regulation."""
        start, end = body.spans[index].tolist()
        terms = list(dict.fromkeys(tokenise.terms(simplified(body.text[start:end]))))
        if not terms:
            return True  # a chunk of signs only has nothing to be found by
        own = ChunkNumbers(np.array([body.first]), np.array([len(body.spans)]))
        return any(number == body.first + index for number, _ in self.search(terms, len(body.spans), own))

    def numbers(self) -> np.ndarray:
        """Return every chunk number in the index, rising; doubles show."""
        searcher = self._searcher
        query = Query.range_query(self._schema, "number", tantivy.FieldType.Unsigned, 0, 2**62)
        return np.sort(self._top(searcher, query, max(searcher.num_docs, 1))[1])


@dataclass(frozen=True, slots=True)
class _Unfiltered:
    """The best hits of some terms before any filter."""

    searcher: tantivy.Searcher
    terms: tuple[str, ...]
    limit: int
    scores: np.ndarray
    numbers: np.ndarray


class DamagedIndexError(ConfigError):
    """An index that cannot be used as it is; the library sets it aside and builds it anew from the catalogue."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"索引已损坏或由另一版本写成（{reason}）。请运行 python -m nemo reindex 重建索引。")
        self.reason = reason


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in BOOSTS:
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", indexed=True, fast=True)
    builder.add_unsigned_field("regulation", indexed=True)
    return builder.build()
