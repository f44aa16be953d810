"""How much of a question is worded as questions of the field are (生词率): small talk, cooking and software are not.

A question is strange by the share of its pairs of Han characters and its Latin words that stand neither in the 12,584
questions and 27,317 pairs of wording the ranker learned from nor in the provisions found for it. It tells a question
of another field that carries one word of this one (电饭煲, 光伏 ETF) from a lay question, which is worded plainly too.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from nemo.errors import ConfigError
from nemo.rerank.terms import fold

FILE = "asked.npz"
RUNS = re.compile(r"[\u3400-\u9fff]+|[a-z]{2,}")
NEAREST = 10
"""In so many provisions, from the best, a word of the question is looked for."""


class QuestionVocabulary:
    """The pairs and words that questions of the field are worded in. Immutable."""

    def __init__(self, keys: np.ndarray) -> None:
        """Keep (n,) sorted uint32 CRC-32 of the units."""
        self._keys = keys

    @classmethod
    def read(cls, folder: Path) -> QuestionVocabulary:
        """Read a model folder; raises ConfigError when the file is missing or damaged."""
        try:
            with np.load(folder / FILE, allow_pickle=False) as files:
                return cls(np.cumsum(files["steps"], dtype=np.uint32))
        except (OSError, KeyError, ValueError, EOFError) as error:
            raise ConfigError(
                f"重排模型不完整：{folder / FILE}。请从安装包恢复该文件夹，或检查 NEMO_MODELS。"
            ) from error

    def strangeness(self, question: str, found: Sequence[str]) -> float:
        """Return the share, 0 to 1, of a question's units that neither its field nor the provisions found know."""
        units = units_of(question)
        if not units:
            return 0.0
        keys = np.fromiter(map(_key, units), np.uint32, len(units))
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        new = [unit for unit, known in zip(units, (self._keys[at] == keys).tolist(), strict=True) if not known]
        near = "\n".join(map(fold, found[:NEAREST])) if new else ""
        return sum(unit not in near for unit in new) / len(units)


def write(folder: Path, texts: Iterable[str]) -> None:
    """Write the units of ``texts`` into a model folder, as steps from one sorted key to the next."""
    keys = np.unique(np.fromiter({_key(unit) for text in texts for unit in units_of(text)}, np.uint32))
    np.savez_compressed(folder / FILE, steps=np.diff(keys, prepend=np.uint32(0)))


def units_of(text: str) -> list[str]:
    """Return the neighbouring pairs of Han characters and the Latin words of a text, in order."""
    runs = RUNS.findall(fold(text))
    return [u for run in runs for u in ([run] if run.isascii() else map("".join, pairwise(run)))]


def _key(unit: str) -> int:
    return zlib.crc32(unit.encode())
