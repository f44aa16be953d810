"""Reads words written by their sound: whole questions in pinyin (拼音) and characters replaced by homophones (同音错字).

Only words of a given vocabulary are ever put in, and only where what was typed occurs nowhere in the library, so a
rare but right word is never overwritten.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from nemo.text.words.tokenise import plain_words

HAN = re.compile(r"[\u4e00-\u9fff]+")
LATIN = re.compile(r"[a-zA-ZüÜ']+")
LONGEST = 6
"""Characters of the longest word that is looked up by sound."""
SHORTEST = 8
"""Letters of the shortest question that is taken for pinyin."""
GRAMMAR = frozenset(
    "谁哪几多少么吗呢吧啊不没未别就都也才再还又很更最要能会可得给被把将让使用对和与及或在从到往向于由自为是有做搞弄拿的地了着过这那此每各上下里外前后内中进出来去好新老大小该应须与并且而但因所以"
)
"""Characters that stand alone by right."""
COMMON = 20
"""A homophone must stand in at least this many chunks to replace what was typed."""

Frequency = Callable[[Iterable[str]], Mapping[str, int]]
"""In how many chunks each word stands."""


@lru_cache(maxsize=65_536)
def sound(word: str) -> tuple[str, ...]:
    """Return the syllables of a word without tones, one for each character."""
    from pypinyin import lazy_pinyin  # 0.3 s to import, and most questions never need it

    return tuple(lazy_pinyin(word))


class SpokenWords:
    """A vocabulary by its sound; the same for every library of a process."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self.words = frozenset(w for w in vocabulary if HAN.fullmatch(w) and len(w) <= LONGEST)

    @cached_property
    def by_sound(self) -> dict[str, list[str]]:
        """Words by their syllables written together: 电网 under ``dianwang``."""
        found: dict[str, list[str]] = defaultdict(list)
        for word in self.words:
            found["".join(sound(word))].append(word)
        return found

    @cached_property
    def by_character(self) -> dict[tuple[int, int, str], list[str]]:
        """Words by (length, position, character)."""
        found: dict[tuple[int, int, str], list[str]] = defaultdict(list)
        for word in self.words:
            for place, character in enumerate(word):
                found[len(word), place, character].append(word)
        return found


@lru_cache(maxsize=4)
def _spoken(vocabulary: tuple[str, ...]) -> SpokenWords:
    return SpokenWords(vocabulary)


class Homophones:
    """Finds words by their sound in one vocabulary, weighed by how often one library uses them."""

    def __init__(self, vocabulary: Iterable[str], frequency: Frequency) -> None:
        self._spoken = _spoken(tuple(vocabulary))
        self._frequency = frequency

    def from_pinyin(self, text: str) -> str | None:
        """Return the Chinese of a question written in pinyin, None when it is not pinyin.

        The best path takes few, frequent words: each costs 8 and earns the logarithm of its frequency. A letter that
        no word explains costs more, and one in ten at the most may stay unexplained.
        """
        letters = "".join(LATIN.findall(text)).lower()
        if HAN.search(text) or len(letters) < SHORTEST:
            return None
        at = {i: self._starting(letters, i) for i in range(len(letters))}
        counts = self._frequency({word for found in at.values() for word, _ in found})
        path, covered = _best(len(letters), at, counts)
        return "".join(path) if covered >= 0.9 * len(letters) else None

    def _starting(self, letters: str, start: int) -> list[tuple[str, int]]:
        """Return (word, letters it takes) for the words whose sound begins at ``start``."""
        ends = range(start + 1, min(len(letters), start + LONGEST * 6) + 1)
        return [(w, end - start) for end in ends for w in self._spoken.by_sound.get(letters[start:end], ())]

    def mend(self, text: str) -> list[tuple[str, str]]:
        """Return pairs (what was typed, what was meant) for words that occur nowhere but sound like frequent ones."""
        suspects = [p for p in _suspects(text) if p not in self._spoken.words]
        typed = self._frequency(suspects)
        out = []
        for piece in dict.fromkeys(suspects):
            if typed.get(piece, 0):
                continue
            meant = self._same_sound(piece)
            if meant is not None:
                out.append((piece, meant))
        return out

    def _same_sound(self, piece: str) -> str | None:
        """Return the most frequent word that sounds like ``piece`` and shares a character with it in its place."""
        near = {w for i, c in enumerate(piece) for w in self._spoken.by_character.get((len(piece), i, c), ())}
        alike = [w for w in sorted(near) if sound(w) == sound(piece)]
        counts = self._frequency(alike)
        best = max(alike, key=lambda w: counts.get(w, 0), default=None)
        return best if best is not None and counts.get(best, 0) >= COMMON else None


def _suspects(text: str) -> list[str]:
    """Return neighbours that a dictionary leaves single and that no grammar word explains (保正金, 宝持, 法款), threes first."""
    words = plain_words(text)
    runs = [words[at : at + size] for size in (3, 2) for at in range(len(words) - size + 1)]
    return [
        "".join(run)
        for run in runs
        if all(len(word) == 1 and HAN.fullmatch(word) and word not in GRAMMAR for word in run) and run[-1] != "罚"
    ]


def _best(length: int, at: Mapping[int, Sequence[tuple[str, int]]], counts: Mapping[str, int]) -> tuple[list[str], int]:
    """Return the words of the cheapest path through the letters, and how many letters they explain."""
    cost = [0.0] + [math.inf] * length
    via: list[tuple[int, str]] = [(0, "")] * (length + 1)
    for start in range(length):
        steps = [(1, 12.0, ""), *((w, 8.0 - math.log1p(counts[t]), t) for t, w in at[start] if counts.get(t))]
        for width, price, word in steps:
            if cost[start] + price < cost[start + width]:
                cost[start + width], via[start + width] = cost[start] + price, (start, word)
    path, place, covered = [], length, 0
    while place:
        start, word = via[place]
        covered += (place - start) if word else 0
        path.append(word)
        place = start
    return [w for w in reversed(path) if w], covered
