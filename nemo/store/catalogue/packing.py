"""Large values ↔ blobs: structure trees, chunk places, vectors.

A law of a thousand articles has several thousand provisions, so the tree is stored as one array per field in text
order (children counted, prefixes numbered) and rebuilt from the last node to the first.
"""

import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from nemo.types import Level, Provision, Span

LEVELS = tuple(Level)
PLACES = np.dtype("<i4")
VECTORS = np.dtype("<f4")


def pack_json(value: Any) -> bytes:
    """Return a JSON value as a compressed blob."""
    return zlib.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack_json(blob: bytes) -> Any:
    """Return the value of :func:`pack_json`.

    Raises:
        ValueError: the blob is damaged.
    """
    try:
        return json.loads(zlib.decompress(blob))
    except zlib.error as error:
        raise ValueError(str(error)) from error


def pack_provisions(provisions: Sequence[Provision]) -> bytes:
    """Return a structure tree as a blob."""
    nodes = [node for provision in provisions for node in provision.walk()]
    prefixes = {prefix: i for i, prefix in enumerate(dict.fromkeys(node.prefix for node in nodes))}
    return pack_json(
        {
            "levels": [LEVELS.index(node.level) for node in nodes],
            "numbers": [node.number for node in nodes],
            "labels": [node.label for node in nodes],
            "headings": [node.heading for node in nodes],
            "starts": [node.span.start for node in nodes],
            "ends": [node.span.end for node in nodes],
            "children": [len(node.children) for node in nodes],
            "prefix": [prefixes[node.prefix] for node in nodes],
            "prefixes": list(prefixes),
            "steps": [node.step for node in nodes],
        }
    )


def unpack_provisions(blob: bytes) -> tuple[Provision, ...]:
    """Return the tree of :func:`pack_provisions`."""
    packed = unpack_json(blob)
    prefixes = packed["prefixes"]
    columns = (packed[name] for name in ("levels", "numbers", "labels", "headings", "starts", "ends", "children"))
    rows = list(zip(*columns, packed["prefix"], packed["steps"], strict=True))
    waiting: list[Provision] = []
    for level, number, label, heading, start, end, children, prefix, step in reversed(rows):
        below: tuple[Provision, ...] = ()
        if children:  # the last ones made are this node's children, first child on top
            below = tuple(waiting[: -children - 1 : -1])
            del waiting[-children:]
        waiting.append(
            Provision(LEVELS[level], number, label, heading, Span(start, end), below, prefixes[prefix], step)
        )
    return tuple(reversed(waiting))


def pack_spans(spans: Sequence[Span]) -> bytes:
    """Return spans as little-endian pairs of 32-bit integers."""
    return np.array(spans, PLACES).reshape(len(spans), 2).tobytes()


def unpack_spans(blob: bytes) -> np.ndarray:
    """Return the (n, 2) array of :func:`pack_spans`, read-only."""
    return np.frombuffer(blob, PLACES).reshape(-1, 2)


def pack_pieces(pieces: Sequence[bytes]) -> bytes:
    """Return byte strings as one blob: their number, where each ends, and the strings."""
    ends = np.cumsum([0, *map(len, pieces)], dtype=PLACES)
    return np.array([len(pieces)], PLACES).tobytes() + ends.tobytes() + b"".join(pieces)


class PackedPieces:
    """The byte strings of :func:`pack_pieces`, cut out when they are asked for: forked processes share the one blob."""

    def __init__(self, blob: bytes) -> None:
        """Read where each ends.

        Raises:
            ValueError: the blob is damaged.
        """
        count = int(np.frombuffer(blob, PLACES, 1)[0])
        self._ends = np.frombuffer(blob, PLACES, count + 1, PLACES.itemsize) + PLACES.itemsize * (count + 2)
        self._blob = memoryview(blob)
        if self._ends[-1] != len(blob):
            raise ValueError("pieces do not fill their blob")

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, at: int) -> memoryview:
        if not 0 <= at < len(self):
            raise IndexError(at)
        start, end = self._ends[at : at + 2].tolist()
        return self._blob[start:end]


def pack_vectors(vectors: np.ndarray) -> bytes:
    """Return rows of float32 as a blob."""
    return np.ascontiguousarray(vectors, VECTORS).tobytes()


def unpack_vectors(blob: bytes, dim: int) -> np.ndarray:
    """Return the (n, dim) rows of :func:`pack_vectors`, read-only.

    Raises:
        ValueError: the blob does not hold whole rows.
    """
    return np.frombuffer(blob, VECTORS).reshape(-1, dim)
