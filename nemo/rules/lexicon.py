"""Finds known words in a text (词表匹配)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class WordMatcher(Generic[T]):
    """Finds known words in a text: leftmost first, the longest at each place, never overlapping.

    Latin letters match in either case and only as whole words (PV, not PVC).
    """

    def __init__(self, words: Iterable[tuple[str, T]]) -> None:
        self._values: dict[str, T] = {word.lower(): value for word, value in words}
        self._by_head: dict[str, list[str]] = {}
        for word in sorted(self._values, key=len, reverse=True):
            self._by_head.setdefault(word[0], []).append(word)

    def find(self, text: str) -> Iterator[tuple[int, str, T]]:
        """Yield (offset in ``text``, the words as written, value)."""
        low = text.lower() if len(text.lower()) == len(text) else text  # İ lowers to two characters
        place = 0
        while place < len(low):
            heads = self._by_head.get(low[place], ())
            word = next((w for w in heads if low.startswith(w, place) and _whole(low, place, place + len(w))), "")
            if word:
                yield place, text[place : place + len(word)], self._values[word]
            place += len(word) or 1

    def get(self, word: str) -> T | None:
        """Return the value of exactly this word, None if it is not known."""
        return self._values.get(word.lower())


def _whole(text: str, *edges: int) -> bool:
    """Tell whether none of the edges of a match cuts a Latin word or a number in two."""
    pairs = (text[edge - 1 : edge + 1] for edge in edges if 0 < edge < len(text))
    return not any(pair.isascii() and pair.isalnum() for pair in pairs)
