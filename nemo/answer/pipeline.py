"""One question from reading to answer: the only place where the stages of the way out meet (答复流程)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from nemo import lawview, review
from nemo.answer import compose, provisions, refuse, revisions
from nemo.answer.query import QuestionReader
from nemo.answer.retrieve import Retriever
from nemo.errors import BadRequestError, ServiceError
from nemo.rerank import Judgement, Reranker, SecondReranker
from nemo.rules import Rules
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.types import Answer, Confidence, Day, Filters, Hit, Query, Quote, Reason, Refusal, Regulation

NAMED_ENOUGH = 0.3
"""Probability of the first hit that suffices when the question names the regulation it is from."""

LISTED = 5
"""At most this many provisions are listed as ranked."""


@dataclass(frozen=True, slots=True)
class AnswerParts:
    """What answering needs."""

    library: Library
    retriever: Retriever
    reranker: Reranker
    rules: Rules
    settings: Settings
    not_held: Callable[[str], Sequence[str]]
    """Returns the titles that some words cite and the library does not hold."""
    second: SecondReranker | None = None
    """Reorders after the built-in reranker, when one is configured."""

    @property
    def rankers(self) -> tuple[str, ...]:
        """Names of what puts hits in order, the first one first."""
        return tuple(part.name for part in (self.reranker, self.second) if part)


def answer(
    parts: AnswerParts, reader: QuestionReader, question: str, filters: Filters, today: Day, trace_id: str
) -> Answer:
    """Answer one question, or refuse with the reason and what to try."""
    try:
        query = reader.read(question, filters, today, parts.settings.max_question_chars)
    except BadRequestError as error:
        query = Query(question.strip(), filters, question)
        refusal = Refusal(Reason.BAD_QUESTION, error.message, error.tips)
        return _refused(query, filters.day or today, refusal, trace_id)
    query = revisions.before_revision(query, parts.library)
    day = query.filters.day or today
    query = replace(query, filters=replace(query.filters, day=day))
    if (compared := _compared(parts, query, trace_id)) is not None:
        return compared
    if (given := provisions.answered(query, parts.library, day, trace_id)) is not None:
        return given
    named = refuse.resolve(query, parts.library, day)
    if named.refusal is not None:
        return _refused(query, day, named.refusal, trace_id)
    remarks = (*revisions.only_one(query, parts.library), *refuse.without_local(query, parts.library, parts.rules))
    named = replace(named, tips=(*named.tips, *remarks))
    answered = _searched(parts, query, named, day, trace_id)
    if answered.refusal is None:
        return answered
    tips = dict.fromkeys((*named.tips, *answered.refusal.tips))
    return replace(answered, refusal=replace(answered.refusal, tips=tuple(tips)))


def _compared(parts: AnswerParts, query: Query, trace_id: str) -> Answer | None:
    """Answer a question about what changed with both wordings; None when it is no such question."""
    versions = revisions.asked(query, parts.library)
    if versions is None:
        return None
    keep = functools.partial(review.screened, reviews=parts.library.reviews)

    def search(subject: Query, ids: Sequence[str]) -> Sequence[Hit]:
        return parts.retriever.retrieve(subject, ids)[0]

    return revisions.versions_answer(query, versions, trace_id, search, keep, parts.settings.max_quotes)


def _searched(parts: AnswerParts, query: Query, named: refuse.Named, day: Day, trace_id: str) -> Answer:
    found, degraded = parts.retriever.retrieve(query, named.regulation_ids)
    hits = [h for h in found if _may_answer(parts.library, h, day)]
    if not hits and not named.hits:
        anything = parts.library.facets.ids_allowed(query.filters)
        refusal = (
            refuse.too_weak(query, (), parts.rules, parts.not_held) if anything else refuse.nothing_for_filters(query)
        )
        return _refused(query, day, refusal, trace_id, degraded)
    hits = parts.reranker.rerank(query, hits)
    if parts.second is not None:
        try:
            hits = parts.second.rerank(query, hits)
        except ServiceError as error:
            degraded.append(f"重排服务 {parts.second.name} 不可用，按内置重排的次序（{error.message}）")
    judgement = parts.reranker.judge(query, hits)
    if named.hits:
        return _composed(parts, query, list(named.hits), named, day, trace_id, degraded, judgement)
    if not judgement.answerable and not (named.regulation_ids and judgement.confidence >= NAMED_ENOUGH):
        weak = refuse.too_weak(query, hits, parts.rules, parts.not_held)
        return _refused(query, day, weak, trace_id, degraded, judgement)
    return _composed(parts, query, hits[: judgement.keep], named, day, trace_id, degraded, judgement)


def _may_answer(library: Library, hit: Hit, day: Day) -> bool:
    """Tell whether the very article of a hit is law on the day: articles of one text may commence on different days."""
    return library.row(hit.chunk.regulation_id).validity.on(day, hit.chunk.label).may_answer


def _composed(
    parts: AnswerParts,
    query: Query,
    hits: Sequence[Hit],
    named: refuse.Named,
    day: Day,
    trace_id: str,
    degraded: Sequence[str],
    judgement: Judgement,
) -> Answer:
    found = compose.with_penalties(query, compose.group(hits, parts.library.regulation)[:LISTED])
    cut = compose.merge(_cut(parts, query, day, compose.worth_quoting(found)))
    quotes = review.screened(cut, parts.library.reviews)
    # Only for what stands: where reviewers rejected a quote, what it leaned on is no answer by itself.
    also = _cut(parts, query, day, compose.leaned_on(quotes, found))
    quotes = [*quotes, *review.screened(also, parts.library.reviews)][: parts.settings.max_quotes]
    if cut and not quotes:
        return _refused(query, day, review.ALL_REJECTED, trace_id, degraded, judgement)
    if not quotes:
        weak = refuse.too_weak(query, hits, parts.rules, parts.not_held)
        return _refused(query, day, weak, trace_id, degraded, judgement)
    return Answer(
        query=query,
        day=day,
        quotes=tuple(quotes),
        refusal=None,
        confidence=_confidence(judgement, quotes, bool(named.hits)),
        trace_id=trace_id,
        heading=compose.heading(query, parts.rules, found[0].regulation.doc_class),
        ranked=tuple(compose.ranked(f) for f in found[:LISTED]),
        degraded=tuple(degraded),
        tips=named.tips,
        hierarchy=lawview.hierarchy(_quoted(quotes, found), parts.rules),
    )


def _cut(parts: AnswerParts, query: Query, day: Day, chosen: Sequence[compose.FoundQuote]) -> list[Quote]:
    return [quote for entry in chosen for quote in compose.cut(query, entry, day, parts.reranker.score_spans)]


def _quoted(quotes: Sequence[Quote], found: Sequence[compose.FoundQuote]) -> list[Regulation]:
    """Return the regulations that are quoted, each once."""
    ids = {q.regulation_id for q in quotes}
    return list({f.regulation.id: f.regulation for f in found if f.regulation.id in ids}.values())


def _confidence(judgement: Judgement, quotes: Sequence[Quote], named: bool) -> Confidence:
    """A provision the question names outright is certain; otherwise the calibrated judgement stands."""
    source = min((q.citation.recognised for q in quotes if q.citation.recognised is not None), default=1.0)
    overall = (1.0 if named else judgement.confidence) * source
    return Confidence(overall, judgement.retrieval, None if named else judgement.confidence, source)


def _refused(
    query: Query,
    day: Day,
    refusal: Refusal,
    trace_id: str,
    degraded: Sequence[str] = (),
    judgement: Judgement | None = None,
) -> Answer:
    confidence = Confidence(1.0 - judgement.confidence, judgement.retrieval) if judgement else Confidence(1.0)
    return Answer(query, day, (), refusal, confidence, trace_id, degraded=tuple(degraded))


def timed(answer: Answer, milliseconds: float) -> Answer:
    """Return the answer with the time it took."""
    return replace(answer, elapsed_ms=milliseconds)
