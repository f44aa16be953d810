"""A library beside others (跟随): a reader follows its owner, and where several share one catalogue each follows the rest."""

import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from nemo.settings import Settings
from nemo.store.catalogue import history
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.rows import LibraryChange
from nemo.store.files.raw import RawFolder
from nemo.store.reading import LibraryReader
from nemo.store.records.jobs import JobState, JobStore
from nemo.store.records.reviews import Reviews, newest_decision
from nemo.store.search.indexes import Indexes
from nemo.store.search.read_only import ReadOnlyIndexes
from nemo.store.search.view import View
from nemo.store.sharing import EXPIRE_EVERY, SWEEP_EVERY, Follower

FLUSH_CHUNKS = 4_000
FLUSH_SECONDS = 2.0
"""In a batch the indexes follow when this many chunks wait or this much time went by since the last time."""


class LibraryState(NamedTuple):
    """What another process must have seen before it answers for this library."""

    generation: int
    commit: int
    """Of the lexical index, which follows the generation a moment later."""
    reviews: int
    """Number of the newest decision."""


FOLLOWED = 500
"""Changes that are followed at once."""


class FollowingLibrary(LibraryReader):
    """What of a library has to do with other processes."""

    settings: Settings
    jobs: JobStore
    reviews: Reviews
    read_only: bool

    def __init__(self, catalogue: Catalogue, raw: RawFolder, indexes: Indexes, view: View) -> None:
        super().__init__(catalogue, raw, indexes, view)
        self._writing = threading.RLock()
        self._alone = False
        self._behind = False
        """Others changed something since the indexes were last brought up."""
        self._follower: Follower | None = None
        self._waiting = 0
        self._flushed = time.monotonic()
        self.on_jobs: Callable[[], None] = lambda: None
        """Called where several processes share the library and files wait to be ingested."""
        self.on_removal: Callable[[int], None] = lambda generation: None
        """Called after texts went away or were replaced; returns when nobody answers from an older generation."""

    @abstractmethod
    def _note(self, code: str, message: str) -> None: ...

    @property
    def state(self) -> LibraryState:
        """Where the library stands."""
        return LibraryState(self.generation, self._indexes.lexical.commit, self.reviews.version)

    def follow(self, state: LibraryState | None = None) -> int:
        """Catch up with what the owner did since; nothing to do for the owner itself. Not for several threads.

        Without ``state``, where the owner stands, only the catalogue is looked at.

        Returns:
            How many changes of texts there were.

        Raises:
            DamagedIndexError: the lexical index cannot be opened.
        """
        if self._catalogue.database.shared and not self.read_only:
            return self._follow_others()
        if not isinstance(self._indexes, ReadOnlyIndexes):
            return 0
        if state is not None:
            self.reviews.follow(state.reviews)
            self._indexes.follow(state.commit)
            if state.generation <= self.generation:
                return 0
        return len(self._taken_over())

    def _taken_over(self) -> list[LibraryChange]:
        with self._catalogue.database.read() as connection:
            changes = history.after(connection, self.generation)
        for at in range(0, len(changes), FOLLOWED):
            part = changes[at : at + FOLLOWED]
            self._take_over(part[-1].generation, list({change.regulation_id for change in part}))
        return changes

    def _follow_others(self) -> int:
        """Take over what other processes committed; the indexes that are files follow in :meth:`_keep_up`."""
        with self._catalogue.database.read() as connection:
            generation, reviews = history.newest(connection)[0], newest_decision(connection)
        self.reviews.follow(reviews)
        if generation <= self.generation:
            return 0
        with self._writing:
            changes = self._taken_over()
            self._behind |= bool(changes)
        if any(change.kind == "removed" for change in changes):
            self.on_removal(self.generation)
        return len(changes)

    def _keep_up(self, number: int) -> None:
        """One look at what the others do: theirs is taken over, jobs of a process that is gone are queued again."""
        moved = self.follow()
        if self._behind:
            with self._writing:
                self._flush_if_due()
            if not moved:  # they paused
                self.flush()
                self._behind = self._indexes.dense.approximate.waits
        if number % EXPIRE_EVERY == 0 and (expired := self.jobs.expire()):
            self._note("jobs", f"{expired} 个文件的处理进程已不在，已重新排队。")
        if number % SWEEP_EVERY == 0:
            self.jobs.sweep()
        if self.jobs.count(JobState.QUEUED):
            self.on_jobs()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """The right to change texts and files, alone among all that share the library, and up to date with them."""
        with self._writing:
            if self._alone:
                yield
                return
            with self._catalogue.database.alone():
                self._alone = True
                try:
                    self.follow()
                    yield
                finally:
                    self._alone = False

    def settle(self) -> None:
        """Wait until a write that is at work is done, so that what is found and what is held agree again."""
        with self._writing:
            return

    def disconnect(self) -> None:
        """Close what two processes may not share before a fork: connections to the database. The next look opens one."""
        self._catalogue.database.close()

    def reconnect(self) -> None:
        """Open the lexical index anew after a fork: the other process has threads that watch it.

        Raises:
            DamagedIndexError: it cannot be opened.
        """
        if isinstance(self._indexes, ReadOnlyIndexes):
            self._indexes.reopen()

    def _take_over(self, generation: int, touched: Sequence[str]) -> None:
        """Read anew what was touched; what is gone again meanwhile comes up with a later change."""
        spans, vectors = self._catalogue.spans(touched), dict(self._catalogue.vectors(touched))
        new = [(row, spans[row.id]) for row in self._catalogue.rows(touched) if row.id in spans]
        left = self._view.numbers(touched)
        self._view = self._view.changed(generation, touched, new)
        self._indexes.dense.changed(left, [(row.first, vectors.get(row.first)) for row, _ in new])

    def _flush_if_due(self) -> None:
        if self._waiting >= FLUSH_CHUNKS or time.monotonic() - self._flushed >= FLUSH_SECONDS:
            self._catch_up(approximate=False)

    def flush(self) -> None:
        """Bring every index to what is committed, as if nothing else had ever been; called at the end of a batch.

        Raises:
            ConfigError: the disk refuses; what is committed stays, and the next flush or start catches up.
        """
        approximate = self._indexes.dense.approximate
        with self._writing:
            self._catch_up(approximate=not approximate.served)
            self._indexes.tidy(self._view)
        if approximate.served:  # nobody waits for a server
            approximate.catch_up(self._view)

    def _catch_up(self, *, approximate: bool) -> None:
        with self._writing:
            self._indexes.catch_up(self._view, approximate=approximate)
            self._waiting = 0
            self._flushed = time.monotonic()
