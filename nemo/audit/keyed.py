"""Words as they are compared: without punctuation and blanks, with the way back (比对形式)."""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property, lru_cache

from nemo.text.words.normalise import normalise
from nemo.types import Span

_KEPT = re.compile(r"[\w%‰±≤≥<>=℃°Ω]|(?<=\d)[./](?=\d)")
_SHORTEST_BLOCK = 2


@dataclass(frozen=True)
class KeyedText:
    """A stretch of text in the form of comparison."""

    key: str
    offsets: tuple[int, ...]
    """Where each character of ``key`` stands in the source."""

    @cached_property
    def pairs(self) -> frozenset[str]:
        """Pairs of neighbouring characters."""
        return frozenset(self.key[i : i + 2] for i in range(len(self.key) - 1))

    def covers(self, other: KeyedText) -> float:
        """Return which share of the pairs of ``other`` stands here."""
        row = [other.key[i : i + 2] for i in range(len(other.key) - 1)]
        return sum(pair in self.pairs for pair in row) / len(row) if row else 0.0

    def span(self, start: int, end: int) -> Span:
        """Return the place in the source of a stretch of the key that is not empty."""
        return Span(self.offsets[start], self.offsets[end - 1] + 1)

    def place(self, offset: int) -> int:
        """Return the first place of the key at or after an offset of the source."""
        return bisect_left(self.offsets, offset)


def keyed(text: str, span: Span | None = None) -> KeyedText:
    """Return a stretch of ``text`` in the form of comparison."""
    whole = span or Span(0, len(text))
    form = normalise(whole.of(text))
    kept = [m.start() for m in _KEPT.finditer(form.text)]
    return KeyedText("".join(form.text[i] for i in kept).lower(), tuple(form.offsets[i] + whole.start for i in kept))


_PARTICLES, _LETTERS = frozenset("的了应当须由向报经可以在其"), 0.6

_FUNCTION = frozenset(
    "的了应当须由向报经可以在其不得予无需并及和或与等对于为是自之日起内按照依据根规定此该本也均都一二两三四五六七八九十"
)


def letters(text: str) -> frozenset[str]:
    """Return the characters of a text that carry what it speaks of, each once."""
    return frozenset(re.findall("[\u4e00-\u9fa5]", text)) - _FUNCTION


def share(said: frozenset[str], held: frozenset[str]) -> float:
    """Return which share of some characters, or pairs of them, is among others; 0 of none."""
    return len(said & held) / len(said) if said else 0.0


@dataclass(frozen=True, slots=True)
class Topic:
    """What some words speak of, wherever they stand: their pairs of characters and the characters that carry it."""

    pairs: frozenset[str]
    letters: frozenset[str]

    def within(self, other: Topic) -> float:
        """Return how much of this another speaks of, in one's own words or in nearly those (0 to 1)."""
        loose = share(self.letters, other.letters) if self.letters else share(self.pairs, other.pairs)
        return (share(self.pairs, other.pairs) + loose) / 2 if self.pairs else loose


@lru_cache(maxsize=8192)
def topic(text: str) -> Topic:
    """Return what words speak of."""
    return Topic(keyed(text).pairs, letters(text))


def in_order(short: str, full: str) -> bool:
    """Tell whether a name leaves characters out of another, as short names do."""
    rest = iter(full)
    return all(char in rest for char in short)


def speaks_of(paragraph: str, sentence: str, rest: KeyedText, need: float) -> bool:
    """Tell whether a sentence speaks of what a clause retells: by its pairs, or its paragraph by nearly all characters."""
    letters = set(rest.key) - _PARTICLES
    share = len(letters & set(keyed(paragraph).key)) / max(1, len(letters))
    return keyed(sentence).covers(rest) >= need or share >= _LETTERS


def likeness(words: str, place: str) -> float:
    """Return which share of ``words`` stands in ``place`` in the same order, in runs of two characters or more."""
    if not words:
        return 0.0
    matcher = difflib.SequenceMatcher(None, place, words, autojunk=False)
    return sum(b.size for b in matcher.get_matching_blocks() if b.size >= _SHORTEST_BLOCK) / len(words)


def window(words: str, place: str) -> Span:
    """Return the stretch of ``place`` that ``words`` most likely rewrite."""
    matcher = difflib.SequenceMatcher(None, place, words, autojunk=False)
    blocks = [b for b in matcher.get_matching_blocks() if b.size >= _SHORTEST_BLOCK]
    if not blocks:
        return Span(0, 0)
    start = max(0, blocks[0].a - blocks[0].b)
    last = blocks[-1]
    return Span(start, min(len(place), last.a + last.size + (len(words) - last.b - last.size)))
