"""A text without white space, and the way back (连排文本).

Dates, document numbers and titles break over lines and pages ("202⏎6⏎年"), and digits and brackets come in several
widths. The readers of this package therefore match on the flat form, one character for one character, and map every
match back to the place in the original it was read from.
"""

from bisect import bisect_left
from functools import lru_cache

from nemo.types import Span

DROPPED = frozenset(
    " \t\n\r\f\v\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\u00ad\u200e\u200f"
    + "".join(map(chr, range(0x2000, 0x200E)))
)
"""White space and invisible characters."""

_FORMS: dict[int, str | None] = {
    **{ord(char): None for char in DROPPED}, **{0xFF10 + digit: str(digit) for digit in range(10)},
    **dict.fromkeys(map(ord, "﹝［[【"), "〔"), **dict.fromkeys(map(ord, "﹞］]】"), "〕"),
    **dict.fromkeys(map(ord, "<＜"), "〈"), **dict.fromkeys(map(ord, ">＞"), "〉"), ord("("): "（", ord(")"): "）",
    ord(":"): "：", ord(";"): "；", ord(","): "，", ord("﹒"): ".", ord("．"): ".", ord("－"): "-",
    **dict.fromkeys(map(ord, "○◯Ｏ"), "〇"),
}  # fmt: skip


class FlatText:
    """The flat form of one text.

    ``text`` holds the original's characters in order, without white space, with one form for digits, brackets and
    Chinese punctuation. Positions in it are called flat; ``span`` and ``place`` translate.
    """

    __slots__ = ("_offsets", "source", "text")

    def __init__(self, source: str) -> None:
        self.source = source
        self.text = source.translate(_FORMS)
        self._offsets: list[int] | None = None

    @property
    def offsets(self) -> list[int]:
        """``offsets[i]`` is the place of ``text[i]`` in the original; made on first need."""
        if self._offsets is None:
            self._offsets = [i for i, char in enumerate(self.source) if char not in DROPPED]
        return self._offsets

    def span(self, start: int, end: int) -> Span:
        """Return the place in the original of the non-empty flat range ``[start, end)``."""
        return Span(self.offsets[start], self.offsets[end - 1] + 1)

    def words(self, start: int, end: int) -> str:
        """Return the original's words of a flat range, verbatim, with the white space inside them."""
        return self.span(start, end).of(self.source)

    def place(self, offset: int) -> int:
        """Return the flat position of the first kept character at or after ``offset`` of the original."""
        return bisect_left(self.offsets, offset)

    def opens_line(self, start: int) -> bool:
        """Tell whether only white space stands before a flat position on its line of the original."""
        if start == 0:
            return True
        between = self.source[self.offsets[start - 1] + 1 : self.offsets[start]]
        return "\n" in between or "\f" in between

    def ends_line(self, end: int) -> bool:
        """Tell whether only white space follows the flat range that ends at ``end`` on its line."""
        return end >= len(self.text) or self.opens_line(end)


@lru_cache(maxsize=16)
def flatten(text: str) -> FlatText:
    """Return the flat form of ``text``; the last few are remembered, for several readers ask for the same text."""
    return FlatText(text)
