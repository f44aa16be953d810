"""What every embedder offers, and the rows of a library's passages, whichever embedder made them (向量模型契约)."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from nemo.errors import BadRequestError


class Embedder(Protocol):
    """What every embedder offers."""

    name: str
    """Written beside the vectors; another name means another space: rebuild, never mix."""
    dim: int
    """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return one unit row per text, (n, dim) float32.

        Raises:
            UnembeddableError: one of the texts has no direction; none is returned.
        """
        ...


class UnembeddableError(BadRequestError):
    """A text in which the embedder knows no term: it has no direction, and zeros would be a lie."""

    def __init__(self, index: int) -> None:
        super().__init__("这段文字里没有模型认识的词语，无法进行语义检索。请换一种说法，写出具体的事项或法规名称。")
        self.index = index
        """Position of the text in the batch that was refused."""


def passages(embedder: Embedder, texts: Sequence[str]) -> np.ndarray:
    """Return one unit row per passage of a library, (n, dim) float32.

    A passage in which the embedder knows no term (a table of prices, a text in another script) has the direction of
    its own character pairs, so that no single one keeps a whole file out. Such a row is near those with the same signs
    and at right angles, but for chance, to all others: words find it, meaning does not.

    Raises:
        UnembeddableError: a passage holds no sign at all.
    """
    try:
        return embedder.embed(texts)
    except UnembeddableError:
        return np.stack([_passage(embedder, text, index) for index, text in enumerate(texts)])


def _passage(embedder: Embedder, text: str, index: int) -> np.ndarray:
    try:
        return np.asarray(embedder.embed([text])[0], np.float32)
    except UnembeddableError as error:
        signs = "".join(text.lower().split())
        if not signs:
            raise UnembeddableError(index) from error
        return _direction(Counter(map("".join, pairwise(f"^{signs}$"))), embedder.dim)


def _direction(pairs: Mapping[str, int], dim: int) -> np.ndarray:
    """Return a unit row: each pair adds its own signs, read off a hash of it, so they are the same on every machine."""
    row = np.zeros(dim, np.int64)
    for pair, count in pairs.items():
        bits = np.frombuffer(hashlib.shake_128(pair.encode("utf-8", "replace")).digest(-(-dim // 8)), np.uint8)
        row += count * (2 * np.unpackbits(bits)[:dim].astype(np.int64) - 1)
    row[0] += not row.any()  # pairs that cancel each other out: never met, and a row must have a direction
    return (row / np.sqrt(float(row @ row))).astype(np.float32)
