"""Commencements of single articles, chapters and paragraphs (部分条款另有施行日期)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from nemo.text.law.commencement import Clause, apart
from nemo.text.words.flat import Flat
from nemo.text.words.numerals import NUMERAL, article_label, parse_article, parse_number
from nemo.types import Day, Evidence, Level, Origin, Provision, Scope

ARTICLES_AT_MOST = 400
"""Longest run of articles that a scope (第三条至第五条) may open; a longer one is a misreading."""

_PART = re.compile(
    rf"(?P<unit>第[{NUMERAL}]+[条章](?:之[{NUMERAL}]+)?)(?:第(?P<paragraph>[{NUMERAL}]+)款)?"
    rf"(?:第?（?(?P<item>[{NUMERAL}]+)）?项)?(?P<to>至|到)?"
)


def scopes(
    flat: Flat,
    found: Iterable[Clause],
    main: Clause | None,
    provisions: Sequence[Provision],
    day_of: Callable[[Clause], Day | None],
) -> tuple[Scope, ...]:
    """Return the commencements of parts of a text, in the order of its words.

    ``main`` is the clause of the whole text, or of the rest of it; ``day_of`` gives the day that a clause names or
    counts to, None when nobody can tell.
    """
    dated = list(_dated(flat, found, provisions, day_of))
    taken = {label for scope in dated for label in scope.labels}
    return (*dated, *_undated(flat, main, provisions, taken))


def _dated(
    flat: Flat, found: Iterable[Clause], provisions: Sequence[Provision], day_of: Callable[[Clause], Day | None]
) -> Iterator[Scope]:
    for clause in found:
        labels = tuple(labels_of(clause.units, provisions)) if clause.units else ()
        if labels:
            yield Scope(labels, day_of(clause), _evidence(flat, clause.start - len(clause.units), clause.end))


def _undated(flat: Flat, main: Clause | None, provisions: Sequence[Provision], taken: set[str]) -> Iterator[Scope]:
    """Yield what the main clause leaves out and nothing gives a day."""
    for left in apart(flat, main) if main is not None else ():
        labels = tuple(label for label in labels_of(left.units, provisions) if label not in taken)
        if labels:
            taken.update(labels)
            yield Scope(labels, None, _evidence(flat, left.start, left.end))


def _evidence(flat: Flat, start: int, end: int) -> Evidence:
    span = flat.span(start, end)
    return Evidence("scope", span.of(flat.source), Origin.TEXT, span)


def covers_all(parts: Iterable[Scope], provisions: Sequence[Provision]) -> bool:
    """Tell whether every article of a text is in one of the scopes."""
    labels = {label for part in parts for label in part.labels}
    articles = [node.label for node in _nodes(provisions) if node.level is Level.ARTICLE]
    return bool(articles) and labels.issuperset(articles)


def labels_of(units: str, provisions: Sequence[Provision]) -> Iterator[str]:
    """Yield the labels of the units named (第三条至第五条、第二章、第七条第二款)."""
    previous = ""
    for part in _PART.finditer(units):
        unit = part["unit"]
        if previous:
            yield from _run(previous, unit, provisions)
        elif not part["to"]:
            yield from _chapter(unit, unit, provisions) if unit.endswith("章") else _one(part)
        previous = unit if part["to"] else ""


def _one(part: re.Match[str]) -> Iterator[str]:
    article = parse_article(part["unit"])
    if article is None:
        return
    paragraph = parse_number(part["paragraph"]) if part["paragraph"] else None
    item = parse_number(part["item"]) if part["item"] else None
    label = article_label(*article)
    if paragraph is not None or item is not None:
        label += f"-{paragraph or 1}" + (f"-{item}" if item is not None else "")
    yield label


def _run(first: str, last: str, provisions: Sequence[Provision]) -> Iterator[str]:
    if first.endswith("章"):
        yield from _chapter(first, last, provisions)
        return
    start, end = parse_article(first), parse_article(last)
    if start and end and 0 <= end[0] - start[0] < ARTICLES_AT_MOST:
        yield from (article_label(number) for number in range(start[0], end[0] + 1))


def _chapter(first: str, last: str, provisions: Sequence[Provision]) -> Iterator[str]:
    """Yield the articles of the chapters from ``first`` to ``last``."""
    low, high = (parse_article(unit.replace("章", "条")) for unit in (first, last))
    for node in _nodes(provisions):
        number = parse_article(node.number.replace("章", "条")) if node.level is Level.CHAPTER else None
        if number is not None and low is not None and high is not None and low <= number <= high:
            yield from (p.label for p in node.walk() if p.level is Level.ARTICLE)


def _nodes(provisions: Sequence[Provision]) -> Iterator[Provision]:
    for top in provisions:
        yield from top.walk()
