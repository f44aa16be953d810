"""What one text cites in passing, counted (引用)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nemo.text.law.mentions import aliases
from nemo.text.letter.titles import is_number, marks, titles_cited
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import squash, title_key

_SHORTEST = 4
"""Characters of a title that names something beyond its own document; 《办法》 and 《规定》 do not."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A title, number or standard that a text cites."""

    key: str
    """Normal form under which the same reference of other texts is found."""
    title: str
    """Empty for a number or standard without a title."""
    number: str | None
    count: int
    """How often in this text."""
    words: str
    """The first mention."""


def references(text: str) -> tuple[Reference, ...]:
    """Return what a text cites, each once, in the order of first mention."""
    return tuple(_references(text))


def _references(text: str) -> Iterator[Reference]:
    names = {title_key(short): full for short, full in aliases(text).items()}
    titles = Counter(title_key(names.get(title_key(mark.title), mark.title)) for mark in marks(flatten(text)))
    seen: set[str] = set()
    for cited in titles_cited(text):
        title = names.get(title_key(cited.title), cited.title) if cited.title else ""
        key = title_key(title) if title else squash(cited.number or "").upper()
        if len(key) < _SHORTEST or key in seen:
            continue
        seen.add(key)
        words = cited.span.of(text)
        count = titles[key] if title else text.count(words)
        yield Reference(key, title, cited.number, max(1, count), words)


def named(rows: Iterable[tuple[str, str, str, int]]) -> dict[str, list[Reference]]:
    """Return what each text cites, from the edges of the graph: (regulation id, name, rule, how often).

    A law named without marks (水法) counts however short its name is; 《办法》 names nothing beyond its own document.
    """
    found: dict[str, list[Reference]] = {}
    for regulation_id, name, rule, count in rows:
        number = name if is_number(name) else None
        key = squash(name).upper() if number else title_key(name)
        in_book_marks = rule == "title_named"
        if len(key) >= (_SHORTEST if in_book_marks or not name.endswith("法") else 2):
            words = f"《{name}》" if in_book_marks and not number else name
            found.setdefault(regulation_id, []).append(Reference(key, "" if number else name, number, count, words))
    return found
