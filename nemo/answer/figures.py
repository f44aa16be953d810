"""Which pictures, tables and formulas stand beside a quote (引文所附图表): what it was read from, points to, or was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nemo.answer.tables import home
from nemo.store.library import Library
from nemo.text.structure.figures import Pointed, figures, pointed, shown
from nemo.types import Answer, Figure, FigureKind, Quote, Regulation, Span

MOST = 4
"""Beside one quote."""
_ASKED = {
    FigureKind.PICTURE: re.compile(
        r"(?:附|流程|示意|接线|分布|框架|结构|平面|关系|曲线|规划|布局|线路|[哪这那一][张幅个])图|图示|图\s{0,2}\d"
    ),
    FigureKind.FORMULA: re.compile(r"公式|[怎如]么?何?(?:计算|算出?)|计算(?:方法|办法|方式)"),
}
"""Words of a question that ask to see one."""


def with_figures(answer: Answer, library: Library) -> Answer:
    """Return an answer whose quotes carry their figures, each once: beside the first quote it belongs to."""
    quotes: list[Quote] = []
    shown: set[tuple[str, int]] = set()
    for each in answer.quotes:
        quote = with_its(each, library.regulation(each.regulation_id), answer.query.text)
        fresh = tuple(one for one in quote.figures if (quote.regulation_id, one.figure.number) not in shown)
        shown.update((quote.regulation_id, one.figure.number) for one in fresh)
        quotes.append(replace(quote, figures=fresh))
    return replace(answer, quotes=tuple(quotes))


def with_its(quote: Quote, regulation: Regulation, question: str) -> Quote:
    """Return a quote with the figures that belong beside it, in the order of the text."""
    held = figures(regulation) if regulation.pictures or any(sign in regulation.text for sign in "|=＝") else ()
    found = {f.number: f for f in _belonging(quote, regulation, question, held)} if held else {}
    if not found:
        return quote
    return replace(quote, figures=tuple(shown(found[n], regulation) for n in sorted(found)[:MOST]))


def _belonging(quote: Quote, regulation: Regulation, question: str, held: Sequence[Figure]) -> Iterator[Figure]:
    for figure in held:
        if any(place and place.overlaps(quote.span) for place in (figure.span, figure.caption, figure.notes)):
            yield figure
    for words, span in ((quote.text, quote.span), (quote.after_text, quote.after), (quote.before_text, quote.before)):
        if words and span:
            for one in pointed(words):
                yield from _meant(one, one.span.start + span.start, home(regulation, quote.span), held)
    asked = {kind for kind, pattern in _ASKED.items() if pattern.search(question)}
    around = home(regulation, quote.span)
    yield from (f for f in held if f.kind in asked and around.start <= f.span.start <= around.end)


def _meant(one: Pointed, at: int, around: Span, held: Sequence[Figure]) -> Iterator[Figure]:
    """Yield the figures that words at a place mean: those of the name nearest to them, or the next one in the provision."""
    if one.name:
        alike = [
            f for f in held if f.name == one.name or (one.name in ("附图", "附表") and f.name.startswith(one.name))
        ]
        whole = [f for f in alike if f.name != one.name] or sorted(alike, key=lambda f: abs(f.span.start - at))[:1]
        yield from whole
        return
    kinds = (one.kind, FigureKind.PICTURE)  # a formula, or a table, may be a picture
    inside = [f for f in held if f.kind in kinds and around.start <= f.span.start <= around.end]
    before, after = [f for f in inside if f.span.start < at], [f for f in inside if f.span.start >= at]
    yield from before[-1:] if one.back else after[:1]
