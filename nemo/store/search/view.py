"""One state of the library in memory: rows, chunk places, and who may answer. Immutable, so readers never wait.

What follows from all held texts together (a newer version ends an older one) is worked out at the first look after a
change, once.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.facets import FacetTable, days_of
from nemo.store.search.number_sets import ChunkNumbers, distinct
from nemo.store.search.vectors import ScoredChunks
from nemo.types import Chunk, Day, Span, Status, Validity

Succession = Callable[[Sequence[RegulationRow]], Mapping[str, Validity]]
"""From all rows with validity as read to validity in the library, by id; a row left out keeps its own."""


STATUSES = 20_000
"""So many texts on days are remembered with their status."""

Made = TypeVar("Made")


class SettledRow(NamedTuple):
    """A text as it was read, with the validity that follows from all texts, and the days on which it may answer."""

    as_read: RegulationRow
    settled: RegulationRow
    days: tuple[int, int]


class View:
    """What the library holds at one generation."""

    def __init__(
        self,
        generation: int,
        rows: Iterable[RegulationRow],
        spans: Mapping[str, np.ndarray],
        succession: Succession,
        indexed: ChunkNumbers | None = None,
    ) -> None:
        """Keep one state: rows in order of storing, spans of the chunks by id.

        ``indexed`` is every chunk that the indexes hold; None where these rows are all.
        """
        self.generation = generation
        self.as_read = tuple(rows)
        """Rows with validity as read from each text alone."""
        self.by_id = {row.id: row for row in self.as_read}
        self.spans = spans
        self._firsts = [row.first for row in self.as_read]
        self._places = np.array(self._firsts, np.int64)
        self._names: dict[str, tuple[list[str], dict[str, int]]] = {}
        self._succession = succession
        self._indexed = indexed
        self._working = threading.Lock()
        self._settled: tuple[dict[str, RegulationRow], FacetTable] | None = None
        self._listed: tuple[RegulationRow, ...] | None = None
        self._kept: Mapping[str, SettledRow] = {}
        """Of the state before; a text that nothing touched stays the same object."""
        self._statuses: dict[tuple[str, Day], Status] = {}
        self._made: dict[Callable[[Sequence[RegulationRow]], Any], Any] = {}

    def changed(self, generation: int, gone: Iterable[str], new: Sequence[tuple[RegulationRow, np.ndarray]]) -> View:
        """Return the state after some regulations went and others came; new ones are numbered after all others."""
        dropped = set(gone) | {row.id for row, _ in new}
        rows = [row for row in self.as_read if row.id not in dropped] + [row for row, _ in new]
        rows.sort(key=lambda row: row.first)
        spans = {regulation_id: s for regulation_id, s in self.spans.items() if regulation_id not in dropped}
        spans.update({row.id: s for row, s in new})
        after = View(generation, rows, spans, self._succession)
        after._kept = self._kept
        after._names = {regulation_id: n for regulation_id, n in self._names.items() if regulation_id not in dropped}
        return after

    def once(self, make: Callable[[Sequence[RegulationRow]], Made]) -> Made:
        """Return what a function makes of :attr:`listed`, made once for this state; the function is its name."""
        if make not in self._made:
            self._made[make] = make(self.listed)
        made: Made = self._made[make]
        return made

    # --- a part of it

    @property
    def indexed(self) -> ChunkNumbers:
        """Every chunk that the indexes hold, these and those that are not seen here."""
        return self._indexed if self._indexed is not None else self.facets.everything

    def without(self, hidden: Collection[str]) -> View:
        """Return the state as it is for who may not see some texts: they change no other text's validity either."""
        rows = [row for row in self.as_read if row.id not in hidden]
        seen = View(self.generation, rows, self.spans, self._succession, self.indexed)
        seen._kept = self._kept
        return seen

    def only(self, ids: Collection[str]) -> View:
        """Return the state with some texts only; what they are worth still follows from all the others."""
        rows = [row for row in self.rows if row.id in ids]
        return View(self.generation, rows, self.spans, lambda _: {}, self.indexed)

    # --- validity in the library

    @property
    def rows(self) -> tuple[RegulationRow, ...]:
        """Rows with the validity that follows from all held texts, in order of storing."""
        return tuple(self._settle()[0].values())

    @property
    def listed(self) -> tuple[RegulationRow, ...]:
        """The same rows in an order that the order of storing does not touch: whatever takes the first of equals does so."""
        if self._listed is None:
            self._listed = tuple(sorted(self.rows, key=_place))
        return self._listed

    @property
    def facets(self) -> FacetTable:
        """Who may answer."""
        return self._settle()[1]

    def row(self, regulation_id: str) -> RegulationRow | None:
        """Return one of :attr:`rows`, None when it is not held."""
        return self._settle()[0].get(regulation_id)

    def status(self, regulation_id: str, day: Day) -> Status:
        """Return the status of one of :attr:`rows` as a whole on a day; worked out once."""
        found = self._statuses.get((regulation_id, day))
        if found is None:
            if len(self._statuses) >= STATUSES:
                self._statuses.clear()
            found = self._settle()[0][regulation_id].validity.on(day)
            self._statuses[regulation_id, day] = found
        return found

    def _settle(self) -> tuple[dict[str, RegulationRow], FacetTable]:
        if self._settled is None:
            with self._working:
                if self._settled is None:
                    changed = self._succession(self.as_read)
                    kept = {row.id: self._row(row, changed.get(row.id, row.validity)) for row in self.as_read}
                    rows = {i: each.settled for i, each in kept.items()}
                    self._kept = kept
                    self._settled = rows, FacetTable(list(rows.values()), [each.days for each in kept.values()])
        return self._settled

    def _row(self, row: RegulationRow, validity: Validity) -> SettledRow:
        known = self._kept.get(row.id)
        if known is not None and known.as_read is row and known.settled.validity == validity:
            return known
        settled = row if validity == row.validity else replace(row, validity=validity)
        return SettledRow(row, settled, days_of(validity))

    # --- numbers and ids

    @cached_property
    def chunks(self) -> int:
        """How many chunks are held."""
        return int(sum(row.count for row in self.as_read))

    @cached_property
    def unembedded(self) -> list[str]:
        """The ids of the texts without vectors of this embedder."""
        return [row.id for row in self.as_read if not row.embedded]

    def row_of(self, number: int) -> RegulationRow | None:
        """Return the regulation a chunk number belongs to, None when it is gone."""
        at = bisect_right(self._firsts, number) - 1
        if at < 0:
            return None
        row = self.as_read[at]
        return row if number < row.first + row.count else None

    def texts(self, numbers: np.ndarray) -> list[str]:
        """Return the ids of the regulations that held chunks belong to, each once, by rising numbers."""
        return [self.as_read[at].id for at in distinct(np.searchsorted(self._places, numbers, "right") - 1)]

    def chunk_id(self, number: int) -> str | None:
        """Return the id of a chunk, None when its regulation is gone or its places are damaged."""
        row = self.row_of(number)
        if row is None:
            return None
        ids = self._named(row)[0]
        return ids[number - row.first] if number - row.first < len(ids) else None

    @cached_property
    def held(self) -> ChunkNumbers:
        """The numbers of all chunks whose places are known."""
        counts = [min(row.count, len(self.spans[row.id])) for row in self.as_read]
        return ChunkNumbers(self._places, np.array(counts, np.int64))

    def first(self, scored: ScoredChunks, k: int) -> ScoredChunks:
        """Return the ``k`` best of the chunks that are held; which of equals comes is told by their ids, not by storing."""
        here = self.held.contains(scored.numbers)
        numbers, scores = scored.numbers[here], scored.scores[here]
        order = np.argsort(-scores, kind="stable")
        numbers, scores = numbers[order], scores[order]
        if len(scores) > k > 0 and scores[k] == scores[k - 1]:
            equal = np.flatnonzero(scores == scores[k])
            numbers[equal] = sorted(numbers[equal].tolist(), key=lambda number: self.chunk_id(number) or "")
        return ScoredChunks(numbers[:k], scores[:k])

    def number(self, chunk_id: str) -> int | None:
        """Return the number of a chunk, None when there is no such chunk."""
        row = self.by_id.get(chunk_id.rpartition(":")[0])
        return None if row is None else self._named(row)[1].get(chunk_id)

    def _named(self, row: RegulationRow) -> tuple[list[str], dict[str, int]]:
        """Return the ids of a regulation's chunks in order, and their numbers; made at the first look."""
        found = self._names.get(row.id)
        if found is None:
            ids = [Chunk.id_of(row.id, Span(start, end)) for start, end in self.spans[row.id].tolist()]
            found = self._names[row.id] = ids, {each: row.first + at for at, each in enumerate(ids)}
        return found

    def numbers(self, ids: Iterable[str]) -> ChunkNumbers:
        """Return the chunk numbers of some regulations; ids that are not held are passed over."""
        rows = sorted((self.by_id[i] for i in set(ids) if i in self.by_id), key=lambda row: row.first)
        return ChunkNumbers.of((row.first, row.count) for row in rows)


def _place(row: RegulationRow) -> tuple[str, str, str]:
    """Return what rows are listed by: versions of one title lie together, oldest first."""
    return row.title, row.version_date.isoformat() if row.version_date else "", row.id
