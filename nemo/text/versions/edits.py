"""What changed between two wordings, in pieces a reader can follow (逐词对照).

Numbers, dates, article references and titles are one piece each: 20→10 must not read as 2→1. Differences of width,
blanks and line breaks are no differences. Short equal runs between two changes belong to the change.
"""

import difflib
import enum
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nemo.text.words.normalise import Normalised, normalise
from nemo.text.words.tokenise import plain_words
from nemo.types import Span

_NUMERAL = "零〇一二三四五六七八九十百千万亿两"
_WHOLE = re.compile(
    r"《[^《》]{1,60}》"
    r"|\[\d{4}\]第?\d+号"
    rf"|\([{_NUMERAL}\d]{{1,4}}\)"
    rf"|第[{_NUMERAL}\d]+[编章节条款项目](?:之[一二三四五六七八九十]+)?"
    r"|\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?"
    rf"|百分之[{_NUMERAL}\d.]+|\d+(?:[.,:]\d+)*%?|[A-Za-z]+"
    rf"|[{_NUMERAL}]{{2,}}"
)
"""What is never cut: a title, a number of a document, an item, a reference, a date, a figure, a Latin word."""

_ABSORBED = 5
"""An equal run of at most this many characters disappears in changes that are at least as long on both sides."""
_TOO_LONG = 2_000
"""From this many pieces on each side, whole sentences are compared first: the time grows with the square."""


class EditKind(enum.StrEnum):
    """What happened to a stretch."""

    EQUAL = "同"
    REPLACED = "改"
    INSERTED = "增"
    DELETED = "删"


@dataclass(frozen=True, slots=True)
class Edit:
    """One stretch of both wordings; the stretches of all edits join to both texts, white space at piece ends included."""

    op: EditKind
    old: Span
    new: Span


def stretches(old: str, new: str, found: Iterable[Edit]) -> Iterator[tuple[str, str, bool]]:
    """Yield what both wordings have in each stretch, and whether it is the same."""
    return ((edit.old.of(old), edit.new.of(new), edit.op is EditKind.EQUAL) for edit in found)


def edits(old: str, new: str) -> tuple[Edit, ...]:
    """Return how ``old`` became ``new``."""
    left, right = _pieces(old), _pieces(new)
    if not (left.words and right.words):
        return (Edit(_op(old == new, whole := Span(0, len(old)), other := Span(0, len(new))), whole, other),)
    steps = _absorbed(_steps(left, right), left, right)
    return tuple(_placed(steps, left, right))


@dataclass(frozen=True, slots=True)
class _Pieces:
    """A text cut into comparable pieces."""

    words: tuple[str, ...]
    ends: tuple[int, ...]
    """Where each piece ends in the original; blanks belong to the piece before them."""
    length: int

    def place(self, index: int) -> int:
        """Return where piece ``index`` begins in the original."""
        if index == 0:
            return 0
        return self.length if index >= len(self.ends) else self.ends[index - 1]


def _pieces(text: str) -> _Pieces:
    form = normalise(text)
    words = [word for word in _cut(form.text) if word.strip()]
    return _Pieces(tuple(words), tuple(_ends(form, words)), len(text))


def _cut(text: str) -> Iterator[str]:
    at = 0
    for match in _WHOLE.finditer(text):
        yield from plain_words(text[at : match.start()])
        yield match[0]
        at = match.end()
    yield from plain_words(text[at:])


def _ends(form: Normalised, words: Sequence[str]) -> Iterator[int]:
    """Yield the original end of each word: where the next one begins."""
    at = 0
    for word in words:
        at = form.text.index(word, at) + len(word)
        yield form.offsets[at - 1] + 1 if at == len(form.text) else form.offsets[at]


_Step = tuple[bool, int, int, int, int]
"""(equal, old start, old end, new start, new end) in pieces."""


def _steps(left: _Pieces, right: _Pieces) -> list[_Step]:
    if max(len(left.words), len(right.words)) <= _TOO_LONG:
        return list(_matched(left.words, right.words, 0, 0))
    a, b = _sentences(left.words), _sentences(right.words)
    out: list[_Step] = []
    for equal, i, j, k, m in _matched([s for s, _ in a], [s for s, _ in b], 0, 0):
        start, end = _range(a, i, j, len(left.words))
        first, last = _range(b, k, m, len(right.words))
        if equal or min(end - start, last - first) == 0 or max(end - start, last - first) > _TOO_LONG:
            out.append((equal, start, end, first, last))
        else:
            out.extend(_matched(left.words[start:end], right.words[first:last], start, first))
    return out


def _matched(a: Sequence[object], b: Sequence[object], start: int, first: int) -> Iterator[_Step]:
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        yield kind == "equal", start + i, start + j, first + k, first + m


def _sentences(words: Sequence[str]) -> list[tuple[tuple[str, ...], int]]:
    """Return the sentences of a long text with the index of their first piece."""
    out: list[tuple[tuple[str, ...], int]] = []
    begin = 0
    for index, word in enumerate(words, 1):
        if word in "。;；!?" or index == len(words):
            out.append((tuple(words[begin:index]), begin))
            begin = index
    return out


def _range(sentences: Sequence[tuple[tuple[str, ...], int]], i: int, j: int, total: int) -> tuple[int, int]:
    start = sentences[i][1] if i < len(sentences) else total
    return start, sentences[j][1] if j < len(sentences) else total


def _absorbed(steps: Sequence[_Step], left: _Pieces, right: _Pieces) -> list[_Step]:
    """Join changes that only a short equal run parts, when both are at least as long as the run."""
    out: list[_Step] = []
    for index, step in enumerate(steps):
        inner = step[0] and out and index + 1 < len(steps)
        if inner and _is_short(step, out[-1], steps[index + 1], left, right):
            step = (False, *step[1:])
        if out and not out[-1][0] and not step[0]:
            before = out.pop()
            step = (False, before[1], step[2], before[3], step[4])
        out.append(step)
    return out


def _is_short(step: _Step, before: _Step, after: _Step, left: _Pieces, right: _Pieces) -> bool:
    length = sum(map(len, left.words[step[1] : step[2]]))
    if length > _ABSORBED:
        return False
    return length == 1 or all(
        length <= max(sum(map(len, left.words[s[1] : s[2]])), sum(map(len, right.words[s[3] : s[4]])))
        for s in (before, after)
    )


def _placed(steps: Sequence[_Step], left: _Pieces, right: _Pieces) -> Iterator[Edit]:
    for equal, i, j, k, m in steps:
        old = Span(left.place(i), left.place(j))
        new = Span(right.place(k), right.place(m))
        yield Edit(_op(equal, old, new), old, new)


def _op(equal: bool, old: Span, new: Span) -> EditKind:
    if equal:
        return EditKind.EQUAL
    if old.start == old.end:
        return EditKind.INSERTED
    return EditKind.DELETED if new.start == new.end else EditKind.REPLACED
