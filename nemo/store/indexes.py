"""Keeps the derived indexes at the catalogue's generation: one way for ordinary writing, recovery and rebuilding.

An index says which generation it stands for. Whatever happened after it is replayed from the library's history; an
index that never belonged to this library, or is damaged, is set aside and built anew from the catalogue, visibly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from nemo.settings import Settings
from nemo.store import history
from nemo.store.catalogue import Catalogue
from nemo.store.dense import DenseIndexes
from nemo.store.disk import set_aside, storage_errors
from nemo.store.lexical import DamagedIndexError, Labelled, LexicalIndex, State, Terms
from nemo.store.rows import Row
from nemo.store.view import View

Note = Callable[[str, str], None]
"""Makes an event visible: code and Chinese message."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a rebuild stands."""

    done: int
    total: int
    name: str
    chunks: int
    seconds: float


Progress = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class Missed:
    """What an index must do to stand for the newest generation."""

    state: State
    """The newest."""
    removed: list[int]
    """First chunk numbers of what to take out."""
    stored: list[Row]
    """What to put in."""
    everything: bool
    """The index has nothing in common with this library: empty it first."""


class Indexes:
    """The lexical and the dense indexes of one library; one writer at a time."""

    def __init__(self, settings: Settings, catalogue: Catalogue, terms: Terms, note: Note) -> None:
        """Open what is there; an index that cannot be opened is set aside and starts empty."""
        self._settings = settings
        self._catalogue = catalogue
        self._terms = terms
        self._note = note
        self.lexical = self._open_lexical()
        self.dense = DenseIndexes(catalogue, settings.exact_rows)

    def _open_lexical(self) -> LexicalIndex:
        folder = self._settings.lexical_path
        try:
            return LexicalIndex(folder, self._terms)
        except DamagedIndexError as error:
            with storage_errors(folder):
                place = set_aside(folder)
            self._note("lexical_rebuilt", f"字面索引已损坏（{error.reason}），移到 {place.name}，正从目录库重建。")
            return LexicalIndex(folder, self._terms)

    def missed(self, state: State, view: View) -> Missed:
        """Compare an index's state with the library's history."""
        with self._catalogue.database.read() as connection:
            newest = State(*history.newest(connection))
            if not history.happened(connection, *state):
                return Missed(newest, [], list(view.as_read), True)
            changes = history.after(connection, state.generation)
        touched = sorted({change.first for change in changes})
        stored = [row for first in touched if (row := view.row_of(first)) is not None]
        return Missed(newest, touched, stored, False)

    def catch_up(self, view: View, progress: Progress | None = None) -> None:
        """Bring the indexes to the library's generation, which ``view`` shows.

        Raises:
            ConfigError: the disk refuses; the next call or the next start goes on from where this one stopped.
        """
        missed = self.missed(self.lexical.state, view)
        if missed.state == self.lexical.state:
            return
        if missed.everything:
            self._note("lexical_rebuilt", "字面索引不属于当前目录库（目录库可能是从备份恢复的），已从目录库重建。")
        self._write_lexical(missed, progress)

    def rebuild(self, view: View, progress: Progress | None = None) -> None:
        """Build every index anew from the catalogue; questions are answered from the old ones meanwhile."""
        state = self.missed(self.lexical.state, view).state
        self._write_lexical(Missed(state, [], list(view.as_read), True), progress)
        self.dense.forget()

    def _write_lexical(self, missed: Missed, progress: Progress | None) -> None:
        stored: Iterable[Labelled] = (
            Labelled(row.short_title or row.title, self._catalogue.body(row)) for row in missed.stored
        )
        if progress is not None:
            stored = _told(stored, missed.stored, progress)
        self.lexical.write(None if missed.everything else missed.removed, stored, missed.state)


def _told(items: Iterable[Labelled], rows: list[Row], progress: Progress) -> Iterator[Labelled]:
    """Pass items on, telling ``progress`` after each."""
    began, chunks = time.monotonic(), 0
    for done, (item, row) in enumerate(zip(items, rows, strict=True), 1):
        yield item
        chunks += row.count
        progress(Step(done, len(rows), row.title, chunks, time.monotonic() - began))
