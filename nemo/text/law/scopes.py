"""Commencements of single articles, chapters and paragraphs (部分条款另有施行日期)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from nemo.text.law.addresses import address_at
from nemo.text.law.commencement import Clause, apart
from nemo.text.words.flat import FlatText
from nemo.text.words.normalise import normalise
from nemo.text.words.numerals import article_label, parse_article, unit_label
from nemo.types import AddressRange, Day, Evidence, Level, Origin, Provision, Scope

ARTICLES_AT_MOST = 400
"""Longest run of articles that a scope (第三条至第五条) may open; a longer one is a misreading."""

_PARTED = re.compile("、|，|和|以?及")


def scopes(
    flat: FlatText,
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
    flat: FlatText, found: Iterable[Clause], provisions: Sequence[Provision], day_of: Callable[[Clause], Day | None]
) -> Iterator[Scope]:
    for clause in found:
        labels = tuple(labels_of(clause.units, provisions)) if clause.units else ()
        if labels:
            yield Scope(labels, day_of(clause), _evidence(flat, clause.start - len(clause.units), clause.end))


def _undated(flat: FlatText, main: Clause | None, provisions: Sequence[Provision], taken: set[str]) -> Iterator[Scope]:
    """Yield what the main clause leaves out and nothing gives a day."""
    for left in apart(flat, main) if main is not None else ():
        labels = tuple(label for label in labels_of(left.units, provisions) if label not in taken)
        if labels:
            taken.update(labels)
            yield Scope(labels, None, _evidence(flat, left.start, left.end))


def _evidence(flat: FlatText, start: int, end: int) -> Evidence:
    span = flat.span(start, end)
    return Evidence("scope", span.of(flat.source), Origin.TEXT, span)


def covers_all(parts: Iterable[Scope], provisions: Sequence[Provision]) -> bool:
    """Tell whether every article of a text is in one of the scopes."""
    labels = {label for part in parts for label in part.labels}
    articles = [node.label for node in _nodes(provisions) if node.level is Level.ARTICLE]
    return bool(articles) and labels.issuperset(articles)


def labels_of(units: str, provisions: Sequence[Provision]) -> Iterator[str]:
    """Yield the labels of the units named (第三条至第五条、第二章、第七条第二款)."""
    for words in (address_at(normalise(piece).text, 0) for piece in _PARTED.split(units)):
        for asked in words.asked if words is not None else ():
            yield from _labels(asked, provisions)


def _labels(asked: AddressRange, provisions: Sequence[Provision]) -> Iterator[str]:
    """Yield the labels of what a range of articles names, or of the articles of its chapters."""
    steps, (last, *_) = asked.first.steps, (asked.last or asked.first).steps
    first = steps[0]
    if first.level is Level.CHAPTER:
        for node in _nodes(provisions):
            number = parse_article(node.number.replace("章", "条")) if node.level is Level.CHAPTER else None
            if number is not None and (first.number, first.insertion) <= number <= (last.number, last.insertion):
                yield from (p.label for p in node.walk() if p.level is Level.ARTICLE)
    elif first.level is Level.ARTICLE and asked.last is None:
        within = {step.level: step.number for step in steps[1:]}
        article = article_label(first.number, first.insertion)
        yield unit_label(article, within.get(Level.PARAGRAPH), within.get(Level.ITEM))
    elif first.level is Level.ARTICLE and 0 <= last.number - first.number < ARTICLES_AT_MOST:
        yield from map(article_label, range(first.number, last.number + 1))


def _nodes(provisions: Sequence[Provision]) -> Iterator[Provision]:
    for top in provisions:
        yield from top.walk()
