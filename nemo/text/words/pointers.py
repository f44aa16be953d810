"""What a quote points back to: 前款, 前两款, 前项, 前条 anywhere in its words (前款所指).

A term that names another unit by its place says nothing without it, so that unit is shown beside the quote.
"""

import re
from collections.abc import Sequence

from nemo.text.words.numerals import parse_number
from nemo.types import Level, Provision, Regulation, Span, article_in

_POINTER = re.compile(r"(?<!目)前(?P<n>[一二两三四五六七八九]?)(?P<unit>款(?!项)|项(?!目)|条(?!件|例|约|文|款))")
_PARTS = {"款": Level.PARAGRAPH, "项": Level.ITEM}


def pointed(regulation: Regulation, span: Span) -> Span | None:
    """Return the place that the words of ``span`` point back to and do not hold themselves, None when they do not.

    One stretch from the first unit meant to the last; where that begins inside ``span`` nothing is missing.
    """
    found = [
        place
        for match in _POINTER.finditer(regulation.text, span.start, span.end)
        if (place := _meant(regulation, match)) is not None and place.start < span.start
    ]
    if not found:
        return None
    return Span(min(p.start for p in found), min(max(p.end for p in found), span.start))


def _meant(regulation: Regulation, match: re.Match[str]) -> Span | None:
    """Return the place of the units that one pointer means."""
    count = parse_number(match["n"].replace("两", "二")) if match["n"] else 1
    chain = regulation.chain(Span(match.start(), match.end()))
    article = article_in(chain)
    if article is None or not count:
        return None
    if match["unit"] == "条":
        return _before(regulation.articles(), article, count)
    own = next((p for p in chain if p.level is _PARTS[match["unit"]]), None)
    parent = next((p for p in chain if own in p.children), None) if own is not None else None
    if own is None or parent is None:
        return None
    return _before([p for p in parent.children if p.level is own.level], own, count)


def _before(row: Sequence[Provision], own: Provision, count: int) -> Span | None:
    """Return the stretch of the ``count`` units before one of a row; fewer where the row begins later."""
    at = next(i for i, p in enumerate(row) if p.span == own.span)
    units = row[max(0, at - count) : at]
    return Span(units[0].span.start, units[-1].span.end) if units else None
