"""Finds known words in a text (词表匹配)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")

SHORT, REMEMBERED = 1_000, 512
"""What stands in so many texts of at most so many characters is remembered."""


class WordMatcher(Generic[T]):
    """Finds known words in a text: leftmost first, the longest at each place, never overlapping.

    Latin letters match in either case and only as whole words (PV, not PVC).
    """

    def __init__(self, words: Iterable[tuple[str, T]]) -> None:
        self._values: dict[str, T] = {word.lower(): value for word, value in words}
        self._by_head: dict[str, list[str]] = {}
        self._listed = lru_cache(REMEMBERED)(lambda text: tuple(self.find(text)))
        for word in sorted(self._values, key=len, reverse=True):
            self._by_head.setdefault(word[0], []).append(word)

    def find(self, text: str) -> Iterator[tuple[int, str, T]]:
        """Yield (offset in ``text``, the words as written, value)."""
        low = text.lower() if len(text.lower()) == len(text) else text  # İ lowers to two characters
        end = 0
        for place, head in enumerate(low):
            if place < end or head not in self._by_head:
                continue
            fits = (w for w in self._by_head[head] if low.startswith(w, place) and _whole(low, place, place + len(w)))
            if word := next(fits, ""):
                yield place, text[place : place + len(word)], self._values[word]
                end = place + len(word)

    def listed(self, text: str) -> tuple[tuple[int, str, T], ...]:
        """Return what :meth:`find` yields; of a short text it is remembered: a question is read by many rules."""
        return self._listed(text) if len(text) <= SHORT else tuple(self.find(text))


def _whole(text: str, *edges: int) -> bool:
    """Tell whether none of the edges of a match cuts a Latin word or a number in two."""
    pairs = (text[edge - 1 : edge + 1] for edge in edges if 0 < edge < len(text))
    return not any(pair.isascii() and pair.isalnum() for pair in pairs)
