"""What an index missed: the difference between the generation it stands for and the library's (补写)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from nemo.store.catalogue import history
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.view import View

Note = Callable[[str, str], None]
"""Makes an event visible: code and Chinese message."""


class IndexState(NamedTuple):
    """Which generation of which library an index stands for."""

    generation: int
    stamp: str


@dataclass(frozen=True, slots=True)
class IndexBacklog:
    """What an index must do to stand for the generation of a view."""

    state: IndexState
    """What it stands for then."""
    counts: dict[int, int]
    """First chunk number and count of each stored text that something happened to, rising."""
    stored: list[RegulationRow]
    """What to put in, in order of storing."""
    everything: bool = False
    """The index has nothing in common with this library: empty it first."""

    @property
    def removed(self) -> list[int]:
        """First chunk numbers of what to take out, also of what is put in again."""
        return list(self.counts)


def missed(catalogue: Catalogue, state: IndexState, view: View) -> IndexBacklog:
    """Compare an index's state with the library's history up to what ``view`` shows: another process may be ahead of it."""
    with catalogue.database.read() as connection:
        newest = IndexState(*history.newest(connection, view.generation))
        if not history.happened(connection, *state):
            return IndexBacklog(newest, {}, list(view.as_read), everything=True)
        changes = history.after(connection, state.generation, view.generation)
    counts = {change.first: change.count for change in sorted(changes, key=lambda change: change.first)}
    stored = [row for first in counts if (row := view.row_of(first)) is not None]
    return IndexBacklog(newest, counts, stored)
