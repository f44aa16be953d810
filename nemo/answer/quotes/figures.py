"""Which pictures, tables and formulas stand beside a quote (引文所附图表): what it was read from, points to, or was asked for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nemo import review
from nemo.answer import not_in_force, refuse
from nemo.answer.decision import Decision
from nemo.answer.judgement.tables import home
from nemo.answer.provisions import MODE
from nemo.answer.provisions.given import rest_of
from nemo.answer.quotes import calibration
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.text.structure.figures import PointedFigure, figures, pointed, shown
from nemo.types import Answer, Confidence, Figure, FigureKind, Quote, Reason, Refusal, Regulation, Span

MOST = 4
"""Beside one quote."""
_ASKED = {
    FigureKind.PICTURE: re.compile(
        r"(?:附|流程|示意|接线|分布|框架|结构|平面|关系|曲线|规划|布局|线路|[哪这那一][张幅个])图|图示|图\s{0,2}\d"
    ),
    FigureKind.FORMULA: re.compile(r"公式|[怎如]么?何?(?:计算|算出?)|计算(?:方法|办法|方式)"),
}
"""Words of a question that ask to see one."""


def by_name(decision: Decision) -> Answer | None:
    """Answer a question for pictures or formulas of a held text by their names, and for nothing else, with their captions
    (图1-3, 式（2）); the rows of a table are for the search.
    """
    query, library, day = decision.query, decision.parts.library, decision.day
    asked = [one for one in pointed(query.text) if one.name and one.kind is not FigureKind.TABLE]
    bare = query.text
    for one in asked:
        bare = bare.replace(one.span.of(query.text), " ")
    texts = [library.regulation(i) for mention in query.mentions for i in mention.regulation_ids]
    if not asked or not texts or rest_of(replace(query, text=bare)):
        return None
    current = [text for text in texts if text.validity.on(day).may_answer]
    if not current:
        return decision.refused(not_in_force.refusal(query.mentions[0], texts, day, library)).answer
    names = [one.name for one in asked]
    kept = [(text, figure) for text in current for figure in figures(text) if figure.name in names and _words(figure)]
    if not kept:
        return decision.refused(_no_such(current[0], names)).answer
    quotes = review.screened([Quote.cut(t, _words(f) or f.span, day, score=1.0) for t, f in kept], library.reviews)
    if not quotes:
        return decision.refused(refuse.all_rejected()).answer
    sure = Confidence(
        1.0, source=min((q.citation.recognised for q in quotes if q.citation.recognised is not None), default=1.0)
    )
    heading = f"图表（{in_marks(kept[0][0].title)}{'、'.join(names)}）"
    verdict = calibration.directness(sure, quotes[0])
    return Answer(query, day, tuple(quotes), None, sure, decision.trace_id, heading=heading, mode=MODE, verdict=verdict)


def _words(figure: Figure) -> Span | None:
    """Return what may be quoted of a figure: its caption, else its own words; None when it has none that could be read."""
    own = figure.span if figure.span.end > figure.span.start and not figure.unread else None
    return figure.caption or own


def _no_such(regulation: Regulation, names: Sequence[str]) -> Refusal:
    held = Counter(figure.kind.value for figure in figures(regulation))
    extent = "、".join(f"{kind} {count} 个" for kind, count in held.items()) or "没有读到图表"
    message = f"{in_marks(regulation.title)}中没有{'、'.join(names)}（该文本{extent}）。"
    return Refusal(Reason.ARTICLE_NOT_FOUND, message, ("请核对图表编号，或在“法规库”打开该文本的“图表”页。",))


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


def _meant(one: PointedFigure, at: int, around: Span, held: Sequence[Figure]) -> Iterator[Figure]:
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
