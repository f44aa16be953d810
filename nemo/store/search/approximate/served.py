"""The life of an approximate index that a server keeps: every process searches it, whoever is first brings it up to date.

What it stands for is written in the catalogue, with the name of its table or collection. A server that lost it, or a
catalogue that was moved, has it built anew under another name. Writing it again changes nothing, so a process that ends in
the middle leaves work for the next one and no damage.
"""

import json
import secrets
import threading
from dataclasses import asdict
from typing import Any, Protocol

import numpy as np

from nemo.errors import ConfigError, NemoError
from nemo.settings import Settings
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.dialects import VECTORS
from nemo.store.catalogue.noted import note as noting
from nemo.store.catalogue.noted import noted
from nemo.store.catalogue.schema import SERVED_VECTORS
from nemo.store.search.approximate.chroma import IndexStamp
from nemo.store.search.approximate.lifecycle import Approximate, ChromaFolder
from nemo.store.search.approximate.probe import Examination
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.replay import Note
from nemo.store.search.vectors import PersistentVectorStore, ScoredChunks
from nemo.store.search.view import View

SERVED = ("pgvector", "milvus")


class ServedStore(PersistentVectorStore, Protocol):
    """A table or collection on a server."""

    def drop(self) -> None:
        """Throw it away."""


class ServedIndex(Approximate[ServedStore]):
    """An index on a server."""

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
        self._place = ""
        self._troubled = False
        self._working = threading.Lock()

    def wanted(self, view: View) -> bool:
        """See :class:`Approximate`."""
        return view.chunks > 0

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers, generation: int) -> ScoredChunks | None:
        """See :class:`Approximate`. An index ahead of the asking process is right: what is not held is dropped later."""
        store, stand = self._store, self._stand
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
            stand = self._nothing()
        elif written is not None and written["place"] != self._place:
            self._drop()
            self._place = str(written["place"])
        if self._store is None:
            kind, server = self._server
            self._store = kind(server, self._place, self._catalogue.dim)
        if stand.generation < view.generation:
            due = self._due(stand, view)
            self._put(self._store, due, view)
            stand = IndexStamp(*due.state, stand.embedder, stand.dim)
            _write(database, {"store": self.name, "place": self._place, "stand": asdict(stand)})
        self._stand = stand

    def _kept(self, written: dict[str, object] | None, view: View) -> IndexStamp | None:
        """Return what the index on the server stands for, None when there is none that fits."""
        if written is None or written["store"] != self.name:
            return None
        stand = IndexStamp(**written["stand"])  # type: ignore[arg-type]
        if not self._fits(stand) or (stand.generation <= view.generation and self._due(stand, view).everything):
            return None
        kind, server = self._server
        return stand if kind.exists(server, str(written["place"])) else None

    @property
    def _server(self) -> tuple[Any, Any]:
        """The class of the store, and the server that it is made with."""
        if self.name == "milvus":
            from nemo.store.search.approximate.milvus import MilvusIndex

            return MilvusIndex, self._address
        from nemo.store.search.approximate.pgvector import PgvectorIndex

        return PgvectorIndex, self._catalogue.database

    def rebuild(self, view: View) -> None:
        """See :class:`Approximate`."""
        if self._store is not None:
            self._store.drop()
        self._drop()
        _write(self._catalogue.database, None)
        self.catch_up(view)

    def close(self) -> None:
        """Let go of the server."""
        self._drop()

    def damaged_at_rest(self) -> str | None:
        """None: a server looks after its files."""
        return None

    def examined(self, view: View, written: bool) -> Examination:
        """See :class:`Approximate`; a server can be asked by whoever only looks, but nothing is opened here."""
        return Examination(unchecked=f"向量索引在服务器上（{self.name}），由运行中的进程核对")


def approximate_of(settings: Settings, catalogue: Catalogue, note: Note) -> Approximate[Any]:
    """Return the index that the settings name; nothing is opened.

    Raises:
        ConfigError: they name one that this build does not have.
    """
    kind: type[Approximate[Any]] = ServedIndex if settings.vector_store in SERVED else ChromaFolder
    return kind(settings, catalogue, note)


def _written(database: Database) -> dict[str, object] | None:
    value = database.seen(noted, SERVED_VECTORS)
    return None if value is None else dict(json.loads(value))


def _write(database: Database, said: dict[str, object] | None) -> None:
    with database.write() as connection:
        noting(connection, SERVED_VECTORS, None if said is None else json.dumps(said))
