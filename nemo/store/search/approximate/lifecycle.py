"""The approximate index's life: opened when needed, probed when in doubt, brought up to date, rebuilt when damaged.

It is only ever a shortcut: while it is absent, behind or in doubt, the exact product answers and the plan says so.
"""

from __future__ import annotations

import random
import shutil
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

import numpy as np

from nemo.settings import Settings
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.files.disk import set_aside, storage_errors
from nemo.store.search.approximate import probe
from nemo.store.search.approximate.chroma import ChromaIndex, IndexCondition, IndexStamp, condition, trouble
from nemo.store.search.approximate.probe import Examination
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.replay import IndexBacklog, IndexState, Note, missed
from nemo.store.search.vectors import PersistentVectorStore, ScoredChunks, VectorStore
from nemo.store.search.view import View

CHANGED = "近似向量索引的文件缺失、被改动，或写入被中断。"

BLOCK = 4_000
"""Rows handed over at once."""


Kept = TypeVar("Kept", bound=PersistentVectorStore)


class Approximate(ABC, Generic[Kept]):
    """The approximate index of one library, wherever it is kept."""

    served = False
    """A server keeps it, ready for a process that starts."""

    def __init__(self, settings: Settings, catalogue: Catalogue, note: Note) -> None:
        """Look at the settings only; nothing is opened."""
        self._settings = settings
        self._catalogue = catalogue
        self._note = note
        self._using = threading.Lock()
        self._store: Kept | None = None
        self._stand: IndexStamp | None = None
        self.waits = False
        """It could not be brought up to date the last time; who follows others tries again."""

    @property
    def name(self) -> str:
        """Name of the store."""
        return self._settings.vector_store

    @abstractmethod
    def wanted(self, view: View) -> bool:
        """Tell whether this library keeps one: every library that holds something, so that growing needs no new build."""

    @abstractmethod
    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers, generation: int) -> ScoredChunks | None:
        """Search it, or return None when it does not stand for this generation or fails; a failure is noted."""

    @abstractmethod
    def catch_up(self, view: View) -> None:
        """Open it if it is wanted, and replay what it missed.

        Raises:
            ConfigError: the disk refuses; questions are answered by the exact product.
        """

    @abstractmethod
    def rebuild(self, view: View) -> None:
        """Throw it away and build it from the catalogue."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it, whole."""

    @abstractmethod
    def damaged_at_rest(self) -> str | None:
        """Return what is wrong with the files of an index that is not open, before opening would mend it."""

    @abstractmethod
    def examined(self, view: View, written: bool) -> Examination:
        """Look at the index without opening or mending it.

        ``written``: another process may be writing to it at this moment; then a torn copy is no damage.
        """

    def numbers(self) -> np.ndarray | None:
        """Return every chunk number in it, None when it is not open."""
        return None if self._store is None else self._store.numbers()

    def lost(self, view: View) -> tuple[int, int]:
        """Return how many of a sample do not find themselves, and how many were asked for."""
        assert self._store is not None, "it is open"
        numbers, vectors = self._some(view.as_read)
        return probe.lost(self._store, numbers, vectors), len(numbers)

    def _drop(self) -> None:
        with self._using:
            store, self._store, self._stand = self._store, None, None
            if store is not None:
                store.close()

    # --- what it stands for, and what it missed

    def _nothing(self) -> IndexStamp:
        """What a new one stands for."""
        return IndexStamp(0, "", self._catalogue.embedder, self._catalogue.dim)

    def _fits(self, stand: IndexStamp) -> bool:
        """Tell whether an index holds vectors of the library's embedder."""
        return (stand.embedder, stand.dim) == (self._catalogue.embedder, self._catalogue.dim)

    def _due(self, stand: IndexStamp, view: View) -> IndexBacklog:
        return missed(self._catalogue, IndexState(stand.generation, stand.stamp), view)

    def _put(self, store: VectorStore, due: IndexBacklog, view: View) -> None:
        store.delete(ChunkNumbers.of(each for each in due.counts.items() if view.row_of(each[0]) is None))
        for numbers, vectors in self._blocks(due):
            store.add(numbers, vectors)

    def _blocks(self, due: IndexBacklog) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield numbers and vectors of what is to be put in, in blocks of about ``BLOCK`` rows."""
        numbers: list[np.ndarray] = []
        vectors: list[np.ndarray] = []
        for first, rows in self._catalogue.vectors([row.id for row in due.stored]):
            numbers.append(np.arange(first, first + len(rows)))
            vectors.append(rows)
            if sum(map(len, vectors)) >= BLOCK:
                yield np.concatenate(numbers), np.concatenate(vectors)
                numbers, vectors = [], []
        if numbers:
            yield np.concatenate(numbers), np.concatenate(vectors)

    def _some(self, rows: Sequence[RegulationRow]) -> tuple[np.ndarray, np.ndarray]:
        """Return numbers and vectors of a sample of chunks, spread over the regulations and their texts."""
        known = [row for row in rows if row.embedded]
        chosen = random.Random(len(known)).sample(known, min(len(known), probe.SAMPLE))  # noqa: S311  # a sample
        each = max(1, probe.SAMPLE // max(len(chosen), 1))
        numbers, vectors = [np.empty(0, np.int64)], [np.empty((0, self._catalogue.dim), np.float32)]
        for first, block in self._catalogue.vectors([row.id for row in chosen]):
            places = np.unique(np.linspace(0, len(block) - 1, each).astype(np.int64))
            numbers.append(first + places)
            vectors.append(block[places])
        return np.concatenate(numbers), np.concatenate(vectors)


class ChromaFolder(Approximate[ChromaIndex]):
    """Owns the Chroma folder of one library; with another store than Chroma, wants none."""

    def __init__(self, settings: Settings, catalogue: Catalogue, note: Note) -> None:
        super().__init__(settings, catalogue, note)
        self._folder = settings.chroma_path

    def wanted(self, view: View) -> bool:
        """See :class:`Approximate`."""
        return self.name == "chroma" and view.chunks > 0

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers, generation: int) -> ScoredChunks | None:
        """See :class:`Approximate`."""
        store, stand = self._store, self._stand
        if store is None or stand is None or stand.generation != generation:
            return None
        try:
            return store.search(vector, k, allowed)
        except trouble() as error:
            self._store = None
            self._note(
                "vectors_failed", f"近似向量索引检索出错（{error}），已停用；改用精确计算，下次启动时检查并重建。"
            )
            return None

    # --- keeping it at the library's generation

    def catch_up(self, view: View) -> None:
        """See :class:`Approximate`."""
        if not self.wanted(view):
            return
        if self._stand is None:
            self._drop()
            self._store, self._stand = self._opened(view)
        try:
            self._replay(view)
        except trouble() as error:
            self._drop()
            self._set_aside(str(error))
            self._store, self._stand = self._opened(view)
            self._replay(view)

    def rebuild(self, view: View) -> None:
        """See :class:`Approximate`."""
        self._drop()
        if self._folder.exists():
            with storage_errors(self._folder):
                shutil.rmtree(self._folder)
        self.catch_up(view)

    def close(self) -> None:
        """Close it and say on disk that it is whole."""
        store, stand = self._store, self._stand
        self._drop()
        if store is not None and stand is not None:
            store.settle(stand)

    def _opened(self, view: View) -> tuple[ChromaIndex, IndexStamp]:
        stand = self._trusted(view)
        try:
            store = ChromaIndex(self._folder, self._catalogue.dim)
        except trouble() as error:
            self._set_aside(str(error))
            stand, store = None, ChromaIndex(self._folder, self._catalogue.dim)
        stand = stand or self._nothing()
        store.settle(stand)
        return store, stand

    def _trusted(self, view: View) -> IndexStamp | None:
        """Return what the index on disk stands for when it may be opened; else move it away and return None."""
        found, stand = condition(self._folder)
        if found is IndexCondition.ABSENT or stand is None:
            if found is not IndexCondition.ABSENT:
                self._set_aside("状态文件缺失或无法读取")
            return None
        if found is IndexCondition.UNFINISHED:
            self._throw_away("没有建完，或由以前的版本写成")
            return None
        if not self._fits(stand):
            self._throw_away(f"向量模型已由 {stand.embedder} 换成 {self._catalogue.embedder}")
            return None
        if self._due(stand, view).everything:
            self._throw_away("不属于当前目录库（目录库可能是从备份恢复的）")
            return None
        wrong = "文件在关闭后被改动" if found is IndexCondition.DAMAGED else None
        if found is IndexCondition.UNCERTAIN:
            wrong = self._probed(stand, view)
        if wrong is not None:
            self._set_aside(wrong)
            return None
        return stand

    def _probed(self, stand: IndexStamp, view: View) -> str | None:
        """Ask a child process for chunks that the index must know; return what is wrong."""
        touched = set(self._due(stand, view).removed)
        return probe.asked(self._folder, *self._some([row for row in view.as_read if row.first not in touched])).wrong

    def damaged_at_rest(self) -> str | None:
        """See :class:`Approximate`."""
        if self._store is not None or self._stand is not None:
            return None
        return CHANGED if condition(self._folder)[0] is IndexCondition.DAMAGED else None

    def examined(self, view: View, written: bool) -> Examination:
        """See :class:`Approximate`; a copy of the files is opened in a child process."""
        if not self.wanted(view):
            return Examination()
        found, stand = condition(self._folder)
        if found is IndexCondition.ABSENT:
            return Examination(unchecked="近似向量索引尚未建立")
        if found is IndexCondition.UNFINISHED:
            return Examination(unchecked="近似向量索引没有建完，或由以前的版本写成，下次启动时重建")
        if stand is None or (found is IndexCondition.DAMAGED and not written):
            return Examination(wrong=CHANGED)
        due = self._due(stand, view)
        if due.everything or not self._fits(stand):
            return Examination(wrong="近似向量索引不属于当前目录库或向量模型。")
        touched = set(due.removed)
        looked = probe.examine(self._folder, *self._some([row for row in view.as_read if row.first not in touched]))
        if looked.wrong is not None and written:
            return Examination(unchecked="近似向量索引正被另一个程序写入")
        return replace(looked, touched=tuple(touched))

    def _set_aside(self, reason: str) -> None:
        with storage_errors(self._folder):
            place = set_aside(self._folder)
        self._note("vectors_rebuilt", f"近似向量索引不可用（{reason}），移到 {place.name}，正从目录库重建。")

    def _throw_away(self, reason: str) -> None:
        with storage_errors(self._folder):
            shutil.rmtree(self._folder)
        self._note("vectors_rebuilt", f"近似向量索引已过时（{reason}），正从目录库重建。")

    def _replay(self, view: View) -> None:
        store, stand = self._store, self._stand
        assert store is not None and stand is not None, "replay follows opening"
        due = self._due(stand, view)
        if due.state == IndexState(stand.generation, stand.stamp):
            return
        self._stand = None  # not to be searched while it is between two generations
        store.begin(stand)
        self._put(store, due, view)
        stand = replace(stand, generation=due.state.generation, stamp=due.state.stamp)
        store.settle(stand)
        self._stand = stand
