"""Which chunks have which vector (同一向量的片段).

Provisions of the same words share one vector: 第二条 废止, one form in five hundred notices. A graph that holds such a
vector hundreds of times links the copies to each other and to nothing else, and whoever comes upon one of them finds no
way on. So the graph holds each vector once, under its digest, and this table names the chunks behind it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from nemo.store.files.disk import storage_errors, write_atomically
from nemo.store.search.number_sets import ChunkNumbers

FILE = "members.bin"

ROW = np.dtype([("digest", "<u8"), ("number", "<i8")])


def digests(vectors: np.ndarray) -> np.ndarray:
    """Return the digests, (n,) uint64, of (n, dim) rows: of a million vectors two agree by chance once in 10⁷ libraries."""
    rows = np.ascontiguousarray(vectors, np.float32)
    return np.array(
        [int.from_bytes(hashlib.blake2b(row.tobytes(), digest_size=8).digest(), "little") for row in rows], np.uint64
    )


class Members:
    """The chunk numbers behind every vector of an index; in order of digest, then of number."""

    def __init__(self, rows: np.ndarray | None = None) -> None:
        self._rows = np.empty(0, ROW) if rows is None else rows

    @classmethod
    def read(cls, folder: Path) -> Members:
        """Read them from a folder; none when the file is not there."""
        path = folder / FILE
        with storage_errors(folder):
            return cls(np.frombuffer(path.read_bytes(), ROW) if path.exists() else None)

    def write(self, folder: Path) -> None:
        """Put them beside the index, whole or not at all."""
        with storage_errors(folder):
            write_atomically(folder / FILE, self._rows.tobytes())

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, digest: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Put chunks behind their vectors; return the digests that no chunk stands behind any more."""
        left = self.delete(ChunkNumbers(np.sort(numbers), np.ones(len(numbers), np.int64)))
        new = np.empty(len(numbers), ROW)
        new["digest"], new["number"] = digest, numbers
        rows = np.concatenate([self._rows, new])
        self._rows = rows[np.lexsort((rows["number"], rows["digest"]))]
        return np.setdiff1d(left, digest)

    def delete(self, numbers: ChunkNumbers) -> np.ndarray:
        """Forget chunks; return the digests that no chunk stands behind any more."""
        gone = numbers.contains(self._rows["number"])
        left = np.setdiff1d(self._rows["digest"][gone], self._rows["digest"][~gone])
        self._rows = self._rows[~gone]
        return left

    def behind(self, digest: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the chunks behind vectors, (m,) numbers, with the score of each one's vector; others may add and delete meanwhile."""
        rows = self._rows
        first = np.searchsorted(rows["digest"], digest, "left")
        counts = np.searchsorted(rows["digest"], digest, "right") - first
        return rows["number"][ChunkNumbers(first, counts).each()], np.repeat(scores, counts)
