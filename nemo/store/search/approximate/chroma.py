"""The approximate vector index: Chroma, embedded, holding numbers and vectors and nothing else (近似检索).

It is derived and it is fragile: a kill while it writes its files destroys them, some damage shows only as a crash of
the process, some not at all. So beside it lies ``state.json``: which generation of the library it stands for, and,
while nothing is being written, the size and time of each of its files. Whoever opens it asks :func:`condition` first.
"""

import contextlib
import enum
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nemo.store.files.disk import file_table, force, refusal, storage_errors, write_atomically
from nemo.store.search.approximate import members
from nemo.store.search.approximate.members import Members, digests
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, best, require_shape

COLLECTION = "chunks"
STATE = "state.json"

EF_SEARCH = 200
"""Recall@10 of 0.999 on 100,000 rows; 100 gives 0.993."""

BATCH = 2_000
"""Rows an upsert; Chroma takes 5,461 at most."""

SYNC_ROWS = 1_000
"""Chroma writes its vector files after this many changed rows; a kill in that moment tears them."""

WAITING_ROWS = 100
"""Rows that wait outside the graph, searched one by one; Chroma wants at most ``SYNC_ROWS``. Both are its defaults."""

MOST_FETCHED = 2_000
"""At most this many neighbours are fetched to be filtered."""


@dataclass(frozen=True, slots=True)
class IndexStamp:
    """What an approximate index stands for."""

    generation: int
    stamp: str
    embedder: str
    dim: int


class IndexCondition(enum.Enum):
    """What is known of an index before it is opened."""

    ABSENT = "absent"
    UNFINISHED = "its first build was interrupted, or an earlier version wrote it: nothing is lost, it is built anew"
    UNCHANGED = "unchanged since it was closed"
    UNCERTAIN = "the last process did not close it, or its files were copied: probe it"
    DAMAGED = "its files changed while nobody should have written, or a kill may have torn them"


def condition(folder: Path) -> tuple[IndexCondition, IndexStamp | None]:
    """Judge an index by its state file alone, and return what it stands for."""
    if not folder.exists():
        return IndexCondition.ABSENT, None
    try:
        state = json.loads((folder / STATE).read_bytes())
        stand = IndexStamp(**state["stand"])
        files: Mapping[str, list[int]] = state["files"]
        writing: bool = state["writing"]
    except (OSError, ValueError, KeyError, TypeError):
        return IndexCondition.DAMAGED, None
    found = _files(folder)
    if members.FILE not in files or (writing and not _vector_files(files)):
        return IndexCondition.UNFINISHED, stand
    if writing:
        # Chroma's database survives a kill, and the table of members is the old one or the new one: what is replayed may
        # be done twice. The vector files do not survive; a torn one may open, answer a probe, and end the process later:
        # so they must be exactly as they were before the write began.
        return (
            IndexCondition.UNCERTAIN if _vector_files(found) == _vector_files(files) else IndexCondition.DAMAGED
        ), stand
    if found == files:
        return IndexCondition.UNCHANGED, stand
    same_sizes = {name: size for name, (size, _) in found.items()} == {name: size for name, (size, _) in files.items()}
    return (IndexCondition.UNCERTAIN if same_sizes else IndexCondition.DAMAGED), stand


def _vector_files(files: Mapping[str, list[int]]) -> dict[str, list[int]]:
    survive = ("chroma.sqlite3", members.FILE)  # Chroma's database, and what is replaced as a whole
    return {name: about for name, about in files.items() if not name.startswith(survive)}


def _files(folder: Path) -> dict[str, list[int]]:
    return file_table(folder, but=STATE)


class ChromaIndex:
    """One Chroma folder, owned by this process."""

    name = "chroma"

    def __init__(self, folder: Path, dim: int) -> None:
        """Open or create the index. Ask :func:`condition` and the probe first: damage can end the process.

        Raises:
            chromadb.errors.ChromaError: the index is damaged; see :data:`TROUBLE`.
        """
        self.dim = dim
        self._folder = folder
        with storage_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        import chromadb  # half a second: only who needs it pays
        from chromadb.config import Settings as ChromaSettings

        client: Any = chromadb.PersistentClient(str(folder), settings=ChromaSettings(anonymized_telemetry=False))
        hnsw = {"space": "cosine", "ef_search": EF_SEARCH, "sync_threshold": SYNC_ROWS, "batch_size": WAITING_ROWS}
        self._client = client
        self._collection = client.get_or_create_collection(
            COLLECTION, embedding_function=None, configuration={"hnsw": hnsw}
        )
        self._members = Members.read(folder)

    @property
    def count(self) -> int:
        """How many chunks it knows."""
        return len(self._members)

    def close(self) -> None:
        """Let go of the folder."""
        self._client.close()

    # --- what it stands for

    def begin(self, stand: IndexStamp) -> None:
        """Say, on disk, that from now on files are written, and what the index stood for before."""
        self._write_state(stand, writing=True)

    def settle(self, stand: IndexStamp) -> None:
        """Say, on disk, that nothing is being written and what the index stands for; its files are forced to disk."""
        with storage_errors(self._folder):
            for name in _files(self._folder):
                with contextlib.suppress(FileNotFoundError):  # a journal that was folded in since
                    force(self._folder / name)
            self._members.write(self._folder)
            self._write_state(stand, writing=False)

    def _write_state(self, stand: IndexStamp, *, writing: bool) -> None:
        with storage_errors(self._folder):
            state = {"stand": asdict(stand), "writing": writing, "files": _files(self._folder)}
            write_atomically(self._folder / STATE, json.dumps(state).encode())

    # --- the contract of every vector store

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add unit rows under their numbers; a number that is there already gets the new row.

        Raises:
            ValueError: the shape does not fit.
        """
        require_shape(numbers, vectors, self.dim)
        digest = digests(vectors)
        self._forget(self._members.add(digest, numbers))
        digest, rows = np.unique(digest, return_index=True)
        for ids, block in zip(_batches(digest), _batches(rows), strict=True):
            self._write(self._collection.upsert, ids=_named(ids), embeddings=vectors[block])

    def delete(self, numbers: ChunkNumbers) -> None:
        """Forget these numbers; those that are not there are passed over."""
        self._forget(self._members.delete(numbers))

    def _forget(self, digest: np.ndarray) -> None:
        for ids in _batches(digest):
            self._write(self._collection.delete, ids=_named(ids))

    def _write(self, work: Any, **arguments: Any) -> None:
        try:
            work(**arguments)
        except trouble() as error:
            raise refusal(f"向量索引写入失败（{error}）", self._folder) from error

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
        """Return at most ``k`` of the allowed chunks by cosine, best first; fewer when the filter leaves fewer.

        More neighbours are fetched than asked for and those that are not allowed are dropped, because Chroma's own
        filter costs a hundred times the search.
        """
        if not self.count or k <= 0:
            return ScoredChunks()
        wanted = k
        if allowed is not None:
            share = min(1.0, max(allowed.total, 1) / self.count)
            wanted = min(int(k / share * 1.3) + 50, max(k, MOST_FETCHED))
        found = self._collection.query(
            query_embeddings=np.asarray(vector, np.float32)[None, :], n_results=wanted, include=["distances"]
        )
        digest = np.array([int(each, 16) for each in found["ids"][0]], np.uint64)
        numbers, scores = self._members.behind(digest, 1.0 - np.array(found["distances"][0], np.float64))
        return best(numbers, scores, k, allowed)

    def numbers(self) -> np.ndarray:
        """Return every chunk number in the index, rising."""
        held = np.array([int(each, 16) for each in self._collection.get(include=[])["ids"]], np.uint64)
        return np.sort(self._members.behind(held, np.zeros(len(held)))[0])


def _named(digest: np.ndarray) -> list[str]:
    return [f"{each:016x}" for each in digest.tolist()]


def _batches(rows: np.ndarray) -> Iterator[np.ndarray]:
    return (rows[start : start + BATCH] for start in range(0, len(rows), BATCH))


def trouble() -> type[Exception]:
    """Return the class of Chroma's own errors."""
    from chromadb.errors import ChromaError

    return ChromaError
