"""The built-in embedder: a table of terms, summed (data/models/static-zh-256, its card says how it was made).

A text is a bag of words and Han characters; its vector is ``Σ (1 + ln count) × row`` scaled to length 1. Everything
per feature is done on arrays: one look-up table from code points to rows for the characters, one dictionary for words.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache
from itertools import chain, pairwise, repeat
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from nemo.embed.contract import UnembeddableError
from nemo.errors import ConfigError
from nemo.settings import Settings
from nemo.text.words import probe, tokenise
from nemo.types.fixed_point import fixed, length

MODEL = "static-zh-256"

CARD = "model.json"
"""Name of the space, and the hash of the probe's vectors."""

FROM_PACKAGE = "请从安装包恢复该文件夹，或检查 NEMO_MODELS。"

WAY_BACK = "请运行 python -m nemo train --reset 恢复内置模型，再重新训练。"

BATCH = 512
"""Texts counted at once: enough to make the array calls cheap, few enough to stay in the cache."""

RUN = re.compile(r"[a-z0-9.%]+")
HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
CODES = 0x11_0000
"""Number of Unicode code points."""


class BuiltinEmbedder:
    """Static bag-of-features embedder; safe to share between threads, its tables never change."""

    def __init__(self, folder: Path, way_back: str = FROM_PACKAGE) -> None:
        """Read the model of ``folder``; ``way_back`` says what to do when it is damaged."""
        self.name, made_for = _card(folder, way_back)
        self._take(*_read(folder, way_back))
        if made_for != self.probe():
            raise ConfigError(f"向量模型与程序不配套（特征不同）：{folder}。{way_back}")

    @classmethod
    def of(cls, terms: Sequence[str], table: np.ndarray, scale: np.ndarray | None = None) -> BuiltinEmbedder:
        """Return an embedder over a table in memory, while it is being made."""
        made = cls.__new__(cls)
        made.name = MODEL
        made._take(terms, table, np.ones(len(table), np.float32) if scale is None else scale)
        return made

    def _take(self, terms: Sequence[str], table: np.ndarray, scale: np.ndarray) -> None:
        self.terms, self._table, self._scale = tuple(terms), table, scale
        self.dim = int(table.shape[1])
        characters = {t: i for i, t in enumerate(terms) if HAN.fullmatch(t)}
        self._words = {t: i for i, t in enumerate(terms) if t not in characters}
        self._characters = np.full(CODES, -1, np.int32)
        self._characters[[ord(c) for c in characters]] = list(characters.values())

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return one unit row per text, (n, dim) float32.

        Raises:
            UnembeddableError: a text holds no known term.
        """
        rows = np.empty((len(texts), self.dim), np.float32)
        for start in range(0, len(texts), BATCH):
            batch = [text.lower() for text in texts[start : start + BATCH]]
            sums = np.stack(list(self._sums(batch)))
            lengths = length(sums)
            if not lengths.all():
                raise UnembeddableError(start + int(np.argmin(lengths > 0)))
            rows[start : start + BATCH] = sums / lengths[:, None]
        return rows

    def probe(self) -> str:
        """Return the hash of the vectors of a fixed body of texts: what the card says, or the texts are read otherwise."""
        rows = self.embed([f"{p.title}\n{p.chapter}\n{p.text}" for p in probe.passages()])
        return hashlib.sha256(rows.tobytes()).hexdigest()[:16]

    def with_table(self, table: np.ndarray) -> BuiltinEmbedder:
        """Return the same embedder with other rows, while they are being tuned."""
        other = copy(self)
        other._table, other._scale = table, np.ones(len(table), np.float32)
        return other

    @property
    def table(self) -> np.ndarray:
        """(terms, dim) float32 rows."""
        return self._table.astype(np.float32) * self._scale[:, None]

    def _sums(self, texts: Sequence[str]) -> Iterator[np.ndarray]:
        """Yield the exact weighted sum of rows of each lower-case text; zeros where no term is known."""
        for rows, weights in self._bags(texts):
            yield fixed(weights * self._scale[rows]) @ self._table[rows].astype(np.float64)

    def bags(self, texts: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield what each text is made of: rows of the table, rising, and their weights ``1 + ln count``."""
        for start in range(0, len(texts), BATCH):
            yield from self._bags([text.lower() for text in texts[start : start + BATCH]])

    def _bags(self, texts: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        owners, terms = self._features(texts)
        keys, counts = np.unique(owners * len(self._table) + terms, return_counts=True)
        weights = (1.0 + np.log(counts)).astype(np.float32)
        rows = keys % len(self._table)
        bounds = np.searchsorted(keys, np.arange(len(texts) + 1) * len(self._table))
        for start, end in pairwise(bounds):
            yield rows[start:end], weights[start:end]

    def _features(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """Return (text index, table row) of every known occurrence in the batch."""
        found = [list(map(self._words.get, _tokens(text), repeat(-1))) for text in texts]
        words = np.fromiter(chain.from_iterable(found), np.int64)
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
        rows = np.concatenate([words, self._characters[codes]])
        lengths = [len(rows) for rows in found] + [len(text) for text in texts]
        owners = np.repeat(np.tile(np.arange(len(texts)), 2), lengths)
        known = rows >= 0
        return owners[known], rows[known]


def load(settings: Settings) -> BuiltinEmbedder:
    """Return the embedder of a library; engines of one process share it as long as its files stay as they are.

    Raises:
        ConfigError: the model is missing or damaged.
    """
    folder = settings.model(MODEL)
    files = tuple((f.name, f.stat().st_size, f.stat().st_mtime_ns) for f in sorted(folder.glob("*")))
    return _read_once(folder, settings.own_models == folder.parent, files)


@lru_cache(maxsize=2)
def _read_once(folder: Path, own: bool, _files: tuple[tuple[str, int, int], ...]) -> BuiltinEmbedder:
    return BuiltinEmbedder(folder, WAY_BACK if own else FROM_PACKAGE)


def _tokens(text: str) -> list[str]:
    """Return the words of a lower-case text and the Latin runs that are not words of their own."""
    words = tokenise.words(text)
    runs = RUN.findall(text)
    if not runs:
        return words
    seen = set(words)
    return words + [run for run in runs if run not in seen]


def _card(folder: Path, way_back: str) -> tuple[str, str]:
    """Return the name of the space (a tuned table has its own, so that its vectors never meet others) and the probe's hash.

    Raises:
        ConfigError: the card is missing or damaged.
    """
    try:
        card = json.loads((folder / CARD).read_text("utf-8"))
        return str(card["name"]), str(card["probe"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"向量模型不完整：{folder}。{way_back}") from error


def write(folder: Path, terms: Sequence[str], table: np.ndarray) -> str:
    """Write a table, one byte per weight with a scale per row, and return the probe's hash for its card."""
    folder.mkdir(parents=True, exist_ok=True)
    scale = (np.maximum(np.abs(table).max(axis=1), 1e-12) / 127).astype(np.float32)
    weights = np.rint(table / scale[:, None]).astype(np.int8)
    (folder / "vocabulary.txt").write_text("".join(f"{term}\n" for term in terms), "utf-8")
    np.savez(folder / "table.npz", weights=weights, scale=scale)
    return BuiltinEmbedder.of(terms, weights, scale).probe()


def _read(folder: Path, way_back: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Read the terms of a model folder, their rows as bytes, a quarter of the memory, and the scale of each row.

    Raises:
        ConfigError: a file is missing, damaged, or the two do not belong together.
    """
    try:
        terms = (folder / "vocabulary.txt").read_text("utf-8").splitlines()
        with np.load(folder / "table.npz", allow_pickle=False) as files:
            table, scale = files["weights"], files["scale"]
    except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
        raise ConfigError(f"向量模型不完整：{folder}。{way_back}") from error
    if not len(terms) == len(table) == len(scale):
        raise ConfigError(f"向量模型的词表与数据不一致：{folder}。{way_back}")
    return terms, table, scale
