"""The life of an approximate index that a server keeps: every process searches it, whoever is first brings it up to date.

What it stands for is written in the catalogue, with the name of its table or collection. A server that lost it, or a
catalogue that was moved, has it built anew under another name. Writing it again changes nothing, so a process that ends in
the middle leaves work for the next one and no damage.
"""

import json
import secrets
import threading
from dataclasses import asdict
from typing import Protocol

import numpy as np
import sqlalchemy as sa

from nemo.errors import ConfigError, NemoError
from nemo.settings import Settings
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.dialects import VECTORS
from nemo.store.catalogue.schema import SERVED_VECTORS, meta
from nemo.store.search.approximate.chroma import Stand
from nemo.store.search.approximate.lifecycle import Approximate
from nemo.store.search.approximate.probe import Examination
from nemo.store.search.number_sets import Numbers
from nemo.store.search.replay import IndexState, Note, missed
from nemo.store.search.vectors import ScoredChunks, VectorStore
from nemo.store.search.view import View

SERVED = ("pgvector", "milvus")


class ServedStore(VectorStore, Protocol):
    """A table or collection on a server."""

    def numbers(self) -> np.ndarray:
        """Return every chunk number in it, rising."""

    def drop(self) -> None:
        """Throw it away."""

    def close(self) -> None:
        """Let go of the server."""


class ServedIndex(Approximate):
    """Stands where :class:`Approximate` does when the store is a server."""

    served = True

    def __init__(self, settings: Settings, catalogue: Catalogue, note: Note) -> None:
        """See :class:`Approximate`.

        Raises:
            ConfigError: the store has no address.
        """
        super().__init__(settings, catalogue, note)
        if self.name == "milvus" and not settings.milvus:
            raise ConfigError("NEMO_VECTOR_STORE=milvus 需要 Milvus 的地址。请设置 NEMO_MILVUS，如 http://主机:19530。")
        if self.name == "pgvector" and not catalogue.database.shared:
            raise ConfigError(
                "NEMO_VECTOR_STORE=pgvector 需要 PostgreSQL 目录库。请设置 NEMO_DATABASE，或改用 chroma。"
            )
        self._address = settings.milvus.get_secret_value() if settings.milvus else ""
        self._served: ServedStore | None = None
        self._place = ""
        self._troubled = False
        self._working = threading.Lock()

    def wanted(self, view: View) -> bool:
        """See :class:`Approximate`."""
        return view.chunks > 0

    def search(self, vector: np.ndarray, k: int, allowed: Numbers, generation: int) -> ScoredChunks | None:
        """See :class:`Approximate`. An index ahead of the asking process is right: what is not held is dropped later."""
        store, stand = self._served, self._stand
        if store is None or stand is None or stand.generation < generation:
            return None
        try:
            return store.search(vector, k, allowed)
        except NemoError as error:
            self._stand = None
            self._note("vectors_failed", f"{error.message}改用精确计算，恢复后自动接上。")
            return None

    def catch_up(self, view: View) -> None:
        """Replay what the server's index missed, unless another process is at it: then later."""
        if not self.wanted(view):
            return
        if not self._working.acquire(blocking=False):  # the first build of a large library takes minutes
            self.waits = True
            return
        try:
            self._caught_up(view)
        finally:
            self._working.release()

    def _caught_up(self, view: View) -> None:
        database = self._catalogue.database
        try:
            with database.first(VECTORS) as mine:
                self.waits = not mine
                if mine:
                    self._bring_up(database, view)
        except NemoError as error:
            self._stand, self.waits = None, True
            if not self._troubled:
                self._note("vectors_failed", f"{error.message}改用精确计算，恢复后自动接上。")
            self._troubled = True
        else:
            self._troubled = False

    def _bring_up(self, database: Database, view: View) -> None:
        written = _written(database)
        stand = self._kept(written, view)
        if stand is None:
            self._drop()
            self._place = f"nemo_vectors_{secrets.token_hex(6)}"
            stand = Stand(0, "", self._catalogue.embedder, self._catalogue.dim)
        elif written is not None and written["place"] != self._place:
            self._drop()
            self._place = str(written["place"])
        if self._served is None:
            self._served = self._opened_at(self._place)
        if stand.generation < view.generation:
            due = missed(self._catalogue, IndexState(stand.generation, stand.stamp), view)
            self._put(self._served, due, view)
            stand = Stand(*due.state, stand.embedder, stand.dim)
            _write(database, {"store": self.name, "place": self._place, "stand": asdict(stand)})
        self._stand = stand

    def _kept(self, written: dict[str, object] | None, view: View) -> Stand | None:
        """Return what the index on the server stands for, None when there is none that fits."""
        if written is None or written["store"] != self.name:
            return None
        stand = Stand(**written["stand"])  # type: ignore[arg-type]
        if (stand.embedder, stand.dim) != (self._catalogue.embedder, self._catalogue.dim):
            return None
        state = IndexState(stand.generation, stand.stamp)
        if stand.generation <= view.generation and missed(self._catalogue, state, view).everything:
            return None
        return stand if self._exists(str(written["place"])) else None

    def _exists(self, place: str) -> bool:
        if self.name == "milvus":
            from nemo.store.search.approximate.milvus import MilvusIndex

            return MilvusIndex.exists(self._address, place)
        from nemo.store.search.approximate.pgvector import PgvectorIndex

        return PgvectorIndex.exists(self._catalogue.database, place)

    def _opened_at(self, place: str) -> ServedStore:
        if self.name == "milvus":
            from nemo.store.search.approximate.milvus import MilvusIndex

            return MilvusIndex(self._address, place, self._catalogue.dim)
        from nemo.store.search.approximate.pgvector import PgvectorIndex

        return PgvectorIndex(self._catalogue.database, place, self._catalogue.dim)

    def rebuild(self, view: View) -> None:
        """Throw it away and build it from the catalogue."""
        if self._served is not None:
            self._served.drop()
        self._drop()
        _write(self._catalogue.database, None)
        self.catch_up(view)

    def close(self) -> None:
        """Let go of the server."""
        self._drop()

    def _drop(self) -> None:
        served, self._served, self._stand = self._served, None, None
        if served is not None:
            served.close()

    def numbers(self) -> np.ndarray | None:
        """See :class:`Approximate`."""
        return None if self._served is None else self._served.numbers()

    def damaged_at_rest(self) -> str | None:
        """None: a server looks after its files."""
        return None

    def examined(self, view: View, written: bool) -> Examination:
        """See :class:`Approximate`; a server can be asked by whoever only looks, but nothing is opened here."""
        return Examination(unchecked=f"向量索引在服务器上（{self.name}），由运行中的进程核对")

    def lost(self, view: View) -> tuple[int, int]:
        """See :class:`Approximate`."""
        assert self._served is not None, "it is open"
        return self._lost_in(self._served, view)


def approximate_of(settings: Settings, catalogue: Catalogue, note: Note) -> Approximate:
    """Return the index that the settings name; nothing is opened.

    Raises:
        ConfigError: they name one that this build does not have.
    """
    kind = ServedIndex if settings.vector_store in SERVED else Approximate
    return kind(settings, catalogue, note)


def _written(database: Database) -> dict[str, object] | None:
    with database.read() as connection:
        value = connection.execute(sa.select(meta.c.value).where(meta.c.key == SERVED_VECTORS)).scalar()
    return None if value is None else dict(json.loads(value))


def _write(database: Database, said: dict[str, object] | None) -> None:
    with database.write() as connection:
        connection.execute(meta.delete().where(meta.c.key == SERVED_VECTORS))
        if said is not None:
            connection.execute(meta.insert().values(key=SERVED_VECTORS, value=json.dumps(said)))
