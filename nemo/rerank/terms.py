"""The ranker's terms (词项): a table of term vectors and how rare each term is, both fixed with the model.

Nothing here depends on the library that is searched, so a score means the same in a library of thirty texts and in
one of three thousand.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile

import numpy as np

from nemo.errors import ConfigError
from nemo.text.words.tokenise import cut
from nemo.types.fixed_point import fixed

CODES = 0x1_0000
"""Code points below this are looked up; the few Han characters above it do not count."""

PAIR_BITS = 17
"""Character pairs share 2^17 places of the table of their rarity."""

LINES = 8192
"""What so many titles and headings are made of is kept with the terms: many passages share one."""

Made = TypeVar("Made")

WIDE = tuple(zip("，：；（）％？！", ",:;()%?!", strict=True))
"""What most texts hold of compatibility forms: without them there is nothing to fold, which is seen five times faster."""

MEANING = re.compile(r"[0-9a-z%\u3400-\u9fff]")


@lru_cache(2048)
def fold(text: str) -> str:
    """Return ``text`` as terms are read from it: compatibility forms folded, lower case."""
    for wide, plain in WIDE:
        text = text.replace(wide, plain)
    return unicodedata.normalize("NFKC", text).lower()


def codes_of(text: str) -> np.ndarray:
    """Return the code points of a folded text as uint16; those above the basic plane become 0."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return np.where(codes < CODES, codes, 0).astype(np.uint16)


HAN = (np.arange(CODES) >= 0x3400) & (np.arange(CODES) <= 0x9FFF)
PLAIN = frozenset("0123456789abcdefghijklmnopqrstuvwxyz%")


def pairs_of(codes: np.ndarray) -> np.ndarray:
    """Return the neighbouring pairs of Han characters as numbers, in text order."""
    both = HAN[codes[:-1]] & HAN[codes[1:]]
    return (codes[:-1].astype(np.int64) * CODES + codes[1:])[both]


@lru_cache(64)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a folded text that carry meaning by themselves: two characters or more, or Latin.

    One question holds each of its words against the same few texts.
    """
    return tuple(w for w in cut(text) if (MEANING.search(w) if len(w) > 1 else w in PLAIN))


class Terms:
    """The vocabulary of one ranker model. Immutable; safe to share between threads."""

    def __init__(
        self,
        vocabulary: Sequence[str],
        table: np.ndarray,
        idf: np.ndarray,
        pair_idf: np.ndarray,
        *,
        scale: np.ndarray | None = None,
        mark: str = "",
    ) -> None:
        """Keep the model's arrays.

        Args:
            vocabulary: Terms; one of a single Han character stands for that character anywhere.
            table: (terms, dim) of any type; kept as it is, a byte per weight takes a quarter of the memory.
            idf: (terms,) rarity of each term.
            pair_idf: (2^PAIR_BITS,) rarity of character pairs by hash.
            scale: (terms,) what each row of the table is to be multiplied with; nothing when absent.
            mark: Tells these terms from any others.
        """
        self.mark = mark
        self.vocabulary = tuple(vocabulary)
        squares = np.einsum("ij,ij->i", table, table, dtype=np.int32 if table.dtype == np.int8 else table.dtype)
        self._made = lru_cache(LINES)(self._make)
        self._to_unit = (1 / np.maximum(np.sqrt(squares), 1e-9)).astype(np.float32)
        self.scale = np.ones(len(table), np.float32) if scale is None else scale
        """(terms,) what each row is to be multiplied with."""
        self._table = table
        self.idf = idf.astype(np.float32)
        self.pair_idf = pair_idf.astype(np.float32)
        self.rarest = float(max(idf.max(), pair_idf.max()))
        """Rarity of a word the model never saw."""
        self._numbers = {term: i for i, term in enumerate(vocabulary)}
        self._characters = np.full(CODES, -1, np.int32)
        for term, number in self._numbers.items():
            if len(term) == 1 and ord(term) < CODES:
                self._characters[ord(term)] = number

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Return (n, dim) float32 rows of the table, before ``scale``; whole numbers in a table of bytes."""
        rows: np.ndarray = self._table.take(numbers, axis=0).astype(np.float32)
        return rows

    def once(self, make: Callable[[Terms, str], Made], text: str) -> Made:
        """Return what a function makes of a text by these terms; kept with them and gone with them."""
        made: Made = self._made(make, text)
        return made

    def _make(self, make: Callable[[Terms, str], Any], text: str) -> Any:
        return make(self, text)

    def cosines(self, numbers: np.ndarray, others: np.ndarray, products: np.ndarray) -> np.ndarray:
        """Return (m, n) float32 cosines of others with terms from the products of their ``rows``, in place.

        Products of two rows of bytes stay below 2^24 up to 1,040 dimensions: nothing is rounded before the end.
        """
        products *= self._to_unit[numbers]
        products *= self._to_unit[others][:, None]
        return products

    def likeness(self, word: str, text: str) -> float:
        """Return how near in meaning the nearest word of a folded text is to a word; 0 where one of them is not known."""
        asked = self.numbers([word])
        held = self.numbers(tuple(set(words_of(text))))
        held = held[held >= 0]
        if asked[0] < 0 or not len(held):
            return 0.0
        return float(self.cosines(asked, held, self.rows(held) @ self.rows(asked).T).max())

    def sums(self, weights: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return (…, dim) exact sums of term vectors; ``weights`` is (…, n)."""
        out: np.ndarray = fixed(weights * self.scale[numbers]) @ self._table[numbers].astype(np.float64)
        return out

    def numbers(self, words: Sequence[str]) -> np.ndarray:
        """Return the number of each word, -1 where the model does not know it."""
        return np.fromiter(map(self._numbers.get, words, repeat(-1)), np.int32, len(words))

    def characters(self, codes: np.ndarray) -> np.ndarray:
        """Return the number of each known character."""
        found = self._characters[codes]
        return found[found >= 0]

    def rarity(self, numbers: np.ndarray) -> np.ndarray:
        """Return the rarity of terms by number; -1 counts as the rarest."""
        return np.where(numbers < 0, self.rarest, self.idf[numbers])

    def pair_rarity(self, pairs: np.ndarray) -> np.ndarray:
        """Return the rarity of character pairs."""
        return self.pair_idf[pair_places(pairs)]

    def found_words(self, text: str) -> np.ndarray:
        """Return the known words of a folded text, or its known characters when it has none."""
        words = self.numbers(words_of(text))
        words = words[words >= 0]
        return words if len(words) else self.characters(codes_of(text))

    def found(self, text: str, codes: np.ndarray) -> np.ndarray:
        """Return every occurrence of a known term in a folded text: its words, then its characters."""
        words = self.numbers(words_of(text))
        return np.concatenate([words[words >= 0], self.characters(codes)])


def pair_places(pairs: np.ndarray) -> np.ndarray:
    """Return the place of each character pair in the table of rarities."""
    return (pairs * 2654435761 >> 7) % (1 << PAIR_BITS)


FILES = ("vocabulary.txt", "terms.npz")


def read(folder: Path) -> Terms:
    """Read the terms of a model folder, once in a process as long as its files stay as they are.

    Raises:
        ConfigError: a file is missing, damaged, or the files do not belong together.
    """
    try:
        seen = [(folder / name).stat() for name in FILES]
        return _read(folder, tuple((file.st_size, file.st_mtime_ns) for file in seen))
    except (OSError, KeyError, ValueError, EOFError, BadZipFile) as error:
        raise ConfigError(f"重排模型不完整：{folder}。请从安装包恢复该文件夹，或检查 NEMO_MODELS。") from error


@lru_cache(maxsize=2)
def _read(folder: Path, _files: tuple[tuple[int, int], ...]) -> Terms:
    words, data = (folder / name for name in FILES)
    vocabulary = words.read_text("utf-8").splitlines()
    mark = hashlib.sha256(words.read_bytes() + data.read_bytes())
    with np.load(data, allow_pickle=False) as files:
        table, scale, idf, pair_idf = (files[name] for name in ("weights", "scale", "idf", "pair_idf"))
    if not len(vocabulary) == len(table) == len(scale) == len(idf) or len(pair_idf) != 1 << PAIR_BITS:
        raise ConfigError(f"重排模型的词表与数据不一致：{folder}。请从安装包恢复该文件夹。")
    return Terms(vocabulary, table, idf, pair_idf, scale=scale, mark=mark.hexdigest()[:12])


def write(folder: Path, vocabulary: Sequence[str], table: np.ndarray, idf: np.ndarray, pair_idf: np.ndarray) -> None:
    """Write the terms of a model folder: one byte per weight with a scale per row, which loses nothing measurable."""
    folder.mkdir(parents=True, exist_ok=True)
    scale = np.maximum(np.abs(table).max(axis=1), 1e-12) / 127
    weights = np.rint(table / scale[:, None]).astype(np.int8)
    (folder / "vocabulary.txt").write_text("".join(f"{term}\n" for term in vocabulary), "utf-8")
    np.savez(
        folder / "terms.npz",
        weights=weights,
        scale=scale.astype(np.float32),
        idf=idf.astype(np.float16),
        pair_idf=pair_idf.astype(np.float16),
    )


def statistics(texts: Iterable[str], vocabulary: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the rarity of terms and of character pairs over a body of texts (逆文档频率)."""
    blank = Terms(vocabulary, np.ones((len(vocabulary), 1), np.float32), np.zeros(len(vocabulary)), np.zeros(1))
    seen = np.zeros(len(vocabulary))
    pairs = np.zeros(1 << PAIR_BITS)
    total = 0
    for text in map(fold, texts):
        codes = codes_of(text)
        seen[np.unique(blank.found(text, codes))] += 1
        pairs[np.unique(pair_places(pairs_of(codes)))] += 1
        total += 1
    return _idf(seen, total), _idf(pairs, total)


def _idf(counts: np.ndarray, total: int) -> np.ndarray:
    return np.log(1 + (total - counts + 0.5) / (counts + 0.5)).astype(np.float32)


__all__ = ["Terms", "codes_of", "fold", "pairs_of", "read", "statistics", "words_of", "write"]
