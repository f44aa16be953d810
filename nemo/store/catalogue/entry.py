"""A regulation ready to be stored, and what must be true of it before anything is written."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nemo.errors import UnreadableDocumentError
from nemo.text.words.normalise import simplified
from nemo.types import Chunk, Regulation
from nemo.types.graph import GraphEdge

UNIT_TOLERANCE = 1e-3
"""How far a vector's length may be from 1."""


@dataclass(frozen=True, slots=True)
class FeatureNotes:
    """What a ranker noted of each chunk beforehand (预处理): bytes that only it can read."""

    ranker: str
    """Name and state of the ranker that made them; another one makes its own."""
    pieces: Sequence[bytes]
    """One per chunk."""


@dataclass(frozen=True, slots=True)
class EdgeNotes:
    """What the words of a text tie together, and by which reader that was found (图谱的边)."""

    reader: str
    edges: Sequence[GraphEdge]


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """One regulation ready to be stored."""

    regulation: Regulation
    chunks: Sequence[Chunk]
    vectors: np.ndarray | None
    """(chunks, dim) float32 unit rows; None leaves it without dense search until it is embedded."""
    feature_notes: FeatureNotes | None = None
    """None leaves it to the ranker to read the text anew with each question."""
    edges: EdgeNotes | None = None
    """None leaves the text out of the graph until it is read for it."""

    @property
    def spans(self) -> np.ndarray:
        """The (n, 2) places of the chunks."""
        return np.array([chunk.span for chunk in self.chunks], np.int32).reshape(-1, 2)

    def check(self, dim: int) -> None:
        """Raise ValueError unless the chunks are slices of the text and the vectors are theirs."""
        if not self.chunks:
            raise ValueError(f"{self.regulation.id} has no chunks")
        for chunk in self.chunks:
            if chunk.text != simplified(chunk.span.of(self.regulation.text)) or not chunk.text:
                raise ValueError(f"chunk {chunk.id} is not a slice of its regulation")
            if chunk.id != Chunk.id_of(self.regulation.id, chunk.span):
                raise ValueError(f"chunk {chunk.id} is not named after its place")
        starts = self.spans[:, 0]
        if np.any(starts[1:] <= starts[:-1]):
            raise ValueError(f"{self.regulation.id} has chunks that do not follow each other")
        if self.vectors is not None:
            check_vectors(self.vectors, len(self.chunks), dim)
        if self.edges is not None and any(e.span.end > len(self.regulation.text) for e in self.edges.edges):
            raise ValueError(f"{self.regulation.id} has edges outside its text")
        if self.feature_notes is not None and len(self.feature_notes.pieces) != len(self.chunks):
            raise ValueError(f"expected {len(self.chunks)} feature notes, got {len(self.feature_notes.pieces)}")


def text_hash(text: str) -> str:
    """Return the hash by which a stored text is checked.

    Raises:
        UnreadableDocumentError: the text holds half characters that no file can keep.
    """
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise UnreadableDocumentError(
            "文件中有无法识别的字符（编码损坏）。请用其他软件另存为 PDF、Word 或 UTF-8 文本后重新上传。"
        ) from error


BLOCK = 1024
"""Characters of a text that are hashed together, so that a part of it can be proven without the whole."""


def words_hash(words: str) -> str:
    """Return the SHA-256 of some words of a text; half characters, which no file can keep, are spelt out first."""
    return hashlib.sha256(words.encode("utf-8", "backslashreplace")).hexdigest()


def text_blocks(text: str) -> list[str]:
    """Return the hash of each block of a text, in order."""
    return [words_hash(text[start : start + BLOCK]) for start in range(0, len(text), BLOCK)]


def check_vectors(rows: np.ndarray, count: int, dim: int) -> None:
    """Raise ValueError unless ``rows`` are ``count`` unit vectors of length ``dim``."""
    if rows.shape != (count, dim):
        raise ValueError(f"expected vectors of shape {(count, dim)}, got {rows.shape}")
    lengths = np.linalg.norm(rows, axis=1)
    if not np.all(np.abs(lengths - 1.0) <= UNIT_TOLERANCE):  # also false for NaN
        raise ValueError("vectors must be unit rows")
