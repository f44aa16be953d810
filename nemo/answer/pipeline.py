"""One question from reading to answer: the only place where the stages of the way out meet (答复流程).

A :class:`Decision` runs through ``read → resolve → retrieve → judge → compose``; the first stage that answers or
refuses ends the way. What answers without a search (a comparison of versions …) stands in ``OUTRIGHT``.
"""

import functools
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from nemo import lawview, review
from nemo.answer import about, combined, provisions, refuse, revisions
from nemo.answer.completed import completed
from nemo.answer.decision import AnswerParts, AskedQuestion, Decision, Stage
from nemo.answer.judgement import evidence, no_rule, prior_answers, tables
from nemo.answer.judgement.coverage import of_paper
from nemo.answer.judgement.statements import says_nothing
from nemo.answer.order import definitions, penalties, places, precedence
from nemo.answer.question import days, exam, followup, rare_words, rewriting, time_bounds
from nemo.answer.question.query import QuestionReader, unreadable
from nemo.answer.quotes import calibration, compose, figures
from nemo.answer.quotes.heading import heading
from nemo.answer.rendering import english
from nemo.errors import BadRequestError, ServiceError
from nemo.rerank import Judgement, opinion
from nemo.services import tracing
from nemo.store.library import Library
from nemo.text.words.tokenise import terms
from nemo.types import (
    Answer,
    Confidence,
    Day,
    Directness,
    Hit,
    PlaceGroup,
    Query,
    Quote,
    Ranked,
    Refusal,
    Regulation,
    Span,
    StageTime,
)

NAMED_ENOUGH = 0.3
"""Probability of the first hit that suffices when the question names the regulation it is from."""

LEAST_ASKED = 4
"""Characters of a question beside the number it names, from which they alone are looked for."""


def answer(
    parts: AnswerParts,
    reader: QuestionReader,
    question: AskedQuestion,
    today: Day,
    trace_id: str,
) -> Answer:
    """Answer what somebody asks, or refuse with the reason and what to try."""
    return english.beside(refuse.scoped(_composed(parts, reader, question, today, trace_id)), parts)


def _composed(parts: AnswerParts, reader: QuestionReader, question: AskedQuestion, today: Day, trace_id: str) -> Answer:
    first = Decision(parts, reader, Query("", question.filters, question.text), today, trace_id)
    until = time.monotonic() + parts.settings.question_seconds
    first = replace(first, day=question.filters.day or today, until=until)
    if len(question.text) > parts.settings.max_question_chars:
        return _ended(_reworded(first, question.text.strip()))
    readings = exam.readings(question.text.strip())
    answers = [_by_itself_or_behind(_reworded(first, text), question) for text in readings]
    return max(answers, key=lambda each: (each.refusal is None, each.confidence.overall))


def _by_itself_or_behind(first: Decision, question: AskedQuestion) -> Answer:
    if question.before is not None:
        return combined.following(first, question.before, _ended)
    named = followup.PROVISION.search(question.text) and combined.named_in(first)
    if not named and followup.bare(question.text, first.parts.rules) and unreadable(question.text) is None:
        of_a_text = followup.ARTICLE.search(question.text) is not None
        return _answer_of(first.refused(refuse.nothing_by_itself(of_a_text=of_a_text)))
    return time_bounds.of_its_year(
        combined.answered(first, _ended),
        lambda text: combined.answered(_reworded(first, text), _ended),
        first.parts.library,
    )


def _reworded(first: Decision, text: str) -> Decision:
    return replace(first, query=replace(first.query, text=text))


def search(
    parts: AnswerParts, reader: QuestionReader, question: AskedQuestion, today: Day, limit: int, threshold: float
) -> list[Ranked]:
    """Return provisions by their chances to hold what is asked, whether or not they are evidence (检索条文).

    ``threshold`` is the least score, 0 to 1.

    Raises:
        BadRequestError: the question is empty or too long.
    """
    asked = Query(exam.readings(question.text.strip())[0], question.filters, question.text)
    day = question.filters.day or today
    query = reader.read(asked.text, asked.filters, day, parts.settings.max_question_chars)
    query = replace(query, filters=replace(query.filters, day=query.filters.day or day))
    decision = Decision(parts, reader, query, query.filters.day or day, "")
    candidates = _lawful(parts.library, parts.retriever.retrieve(query)[0], decision.day)
    hits = [h for h in _ordered(decision, query, candidates).hits if h.score >= threshold]
    return [compose.ranked(one) for one in compose.group(hits, parts.library.regulation)[:limit]]


def _ended(decision: Decision) -> Answer:
    """Return the answer to one question: the end of its way through the stages."""
    read_so_far = _through(decision, READING)
    found = read_so_far if read_so_far.answer is not None else _or_outside(_or_no_rule(_through(read_so_far, FINDING)))
    return completed(_answer_of(found), found.parts)


def _through(decision: Decision, stages: Sequence[Stage]) -> Decision:
    """Return the decision behind the stages, or behind the first of them that answered or refused."""
    for stage in stages:
        began = time.perf_counter()
        with tracing.span(stage.__name__):
            decision = stage(decision)
        decision.parts.measures.stage(stage.__name__, time.perf_counter() - began)
        if decision.answer is not None:
            break
    return decision


def _or_no_rule(decision: Decision) -> Decision:
    """Return a refused or doubtful decision with what is not yet law, or no rule, and says it; else the decision as it is."""
    if not no_rule.is_looked_for(decision):
        return decision
    if _answer_of(decision).refusal and (to_come := time_bounds.to_come(decision)) is not None:
        return decision.refused(to_come)

    def find(ids: Sequence[str]) -> Sequence[Hit]:
        query = decision.query
        return _ordered(decision, query, _stating(decision, query, ids, cases_too=True)).hits

    papers = no_rule.papers(decision, find)
    return time_bounds.with_later(no_rule.surer(decision, papers and _through(papers, QUOTING)))


def _or_outside(decision: Decision) -> Decision:
    """Return a decision as refused that no held law answers surely, on a matter outside the field or by what may be a name; else as it is."""
    answer, parts = _answer_of(decision), decision.parts
    if decision.named.hits or (answer.refusal and answer.refusal.reason not in no_rule.BEHIND):
        return decision
    surely = 0.0 if answer.refusal else answer.confidence.overall
    named = refuse.by_name(decision.query, parts.library, parts.rules) if surely < calibration.DIRECT else None
    outside = refuse.outside(decision.query, parts.rules, surely) or named
    return decision.refused(outside) if outside else decision


def _answer_of(decision: Decision) -> Answer:
    assert decision.answer is not None, "a refused question has its answer"
    return decision.answer


def read(decision: Decision) -> Decision:
    """Understand the question: words, filters, names and the day it is asked for (读题)."""
    parts, asked = decision.parts, decision.query
    try:
        query = decision.reader.read(asked.text, asked.filters, decision.day, parts.settings.max_question_chars)
    except BadRequestError as error:
        return decision.refused(refuse.bad_question(error))
    translated = asked.original.isascii() and asked.text != asked.original
    query = replace(query, original=asked.original, english=query.english or translated)
    query = revisions.before_revision(query, parts.library)
    day = query.filters.day or decision.day
    return replace(decision, query=replace(query, filters=replace(query.filters, day=day)), day=day)


def resolve(decision: Decision) -> Decision:
    """Answer what needs no search, and follow every name in the question (解析所指)."""
    for way in OUTRIGHT:
        if (found := way(decision)) is not None:
            return decision.ended(found)
    query, library, rules = decision.query, decision.parts.library, decision.parts.rules
    named = refuse.resolve(query, library, decision.day, rules)
    if decision.meant and not named.hits:
        named = replace(named, hits=decision.meant)
    if not (named.hits or named.regulation_ids) and (papers := no_rule.papers_asked(query, library)):
        named = replace(named, regulation_ids=papers, refusal=None)
    rarity = {} if query.mentions or named.hits or named.regulation_ids else rare_words.rarity_weights(query, library)
    named = replace(named, regulation_ids=named.regulation_ids or rare_words.texts_meant(rarity, library, decision.day))
    if named.refusal is not None:
        return decision.refused(named.refusal)
    if not named.hits and (outside := refuse.outside(query, rules, surely=1.0)) is not None:
        return decision.refused(outside)
    conflicts = tuple(e.words for e in query.read if e.fact in ("conflict", "year"))
    remarks = (*conflicts, *revisions.only_one(query, library), *refuse.without_local(query, library, rules))
    named = replace(named, tips=(*named.tips, *remarks))
    return replace(decision, query=_unnumbered(query, library), named=named, rarity=rarity)


def _unnumbered(query: Query, library: Library) -> Query:
    """Return the query without the document numbers that led to held texts and without the day it is asked for.

    Else the head of a paper, which carries the number, or a clause on commencement is found in place of what is asked.
    A number by itself asks for its text, as the title does.
    """
    rest = days.without(query)
    numbered = [m for m in query.mentions if m.document_number and m.regulation_ids]
    for mention in numbered:
        series = re.split(r"[〔\[(（]", library.row(mention.regulation_ids[0]).document_number or "")[0]
        rest = rest.replace(f"{series}{mention.words}", "").replace(mention.words, "")
    if len(rest) < LEAST_ASKED and numbered:
        rest = library.row(numbered[0].regulation_ids[0]).title
    if rest == query.text or len(rest) < LEAST_ASKED:
        return query
    return replace(query, text=rest, terms=tuple(dict.fromkeys(terms(rest))))


def retrieve(decision: Decision) -> Decision:
    """Find candidates that are law on the day (检索); a short word that no held text uses is written out where that is surer."""
    written = rewriting.as_held(decision.query, decision.parts.library)
    typed = _retrieved(decision, decision.query)
    if written is decision.query or _best_score(typed) >= rewriting.ENOUGH:
        return typed
    full = _retrieved(decision, written)
    return full if _best_score(full) >= rewriting.ENOUGH else typed


def _best_score(decision: Decision) -> float:
    return max((hit.score for hit in decision.parts.reranker.rerank(decision.query, decision.hits)), default=0.0)


def _retrieved(decision: Decision, query: Query) -> Decision:
    parts, named = decision.parts, decision.named
    found, degraded = parts.retriever.retrieve(replace(query, terms=(*query.terms, *query.cities)), decision.searched)
    query = places.with_cities(query, found, parts.rules)
    decision = replace(decision, query=query)
    found = definitions.with_defining(decision, query, found)
    lawful = _lawful(parts.library, found, decision.day, decision.shown)
    hits = tuple(evidence.ruling(query, lawful, parts.library, cases_too=bool(decision.searched)))
    decision = replace(decision, hits=hits, degraded=tuple(degraded))
    if hits or named.hits:
        return decision
    if parts.library.facets.ids_allowed(query.filters):
        return decision.refused(refuse.too_weak(query, (), parts.rules, parts.law.not_held))
    return decision.refused(time_bounds.ended(decision) or refuse.nothing_for_filters(query))


def judge(decision: Decision) -> Decision:
    """Put the candidates in order and decide how far they are evidence (判定)."""
    parts, query, named = decision.parts, decision.query, decision.named
    order = functools.partial(_ordered, decision)
    hits, missed, stages = order(query, decision.hits)
    hits = definitions.defining_first(decision, precedence.listing_first(decision, hits))
    judgement = parts.reranker.judge(query, hits)
    named_text = named.hits or (decision.searched and not decision.rarity)
    ordered = named_text or stages or decision.leans_on or decision.whole or definitions.is_defined(query, hits)
    if not ordered:  # else the order that they made stands
        hits = evidence.by_chance(decision, hits, judgement.keep, cut_from)
    degraded = tuple(dict.fromkeys((*decision.degraded, *missed)))
    decision = replace(decision, hits=tuple(hits), degraded=degraded, judgement=judgement, stages=tuple(stages))
    if named.hits:
        return replace(decision, hits=named.hits)
    meant = decision.searched and not (named.regulation_ids and decision.rarity)  # words that tell a text are no name
    named_enough = meant and judgement.confidence >= NAMED_ENOUGH
    if not (judgement.answerable or named_enough or evidence.surely_held(hits)):
        lapse = time_bounds.ended(decision)
        instead = time_bounds.in_its_place(decision, lapse) if lapse and judgement.confidence >= NAMED_ENOUGH else None
        if instead is None:
            return decision.refused(
                lapse or refuse.too_weak(query, hits, parts.rules, parts.law.not_held, decision.rarity)
            )
        decision, hits = instead, list(instead.hits)
    decision = replace(decision, further=tuple(hits[judgement.keep :][: compose.LISTED]))
    kept = hits[: judgement.keep]
    if not definitions.is_defined(decision.query, kept):
        kept = precedence.ordered(decision, kept)
    decision = evidence.holding(replace(decision, hits=tuple(kept)), time_bounds.ended)
    settled = decision.searched or definitions.is_defined(query, decision.hits)
    if settled or decision.answer is not None or decision.judgement is not judgement:
        return decision

    def ranked(other: Query, found: Sequence[Hit]) -> tuple[Sequence[Hit], Judgement]:
        hits_there = order(other, found).hits
        return hits_there, parts.reranker.judge(other, hits_there)

    if decision.late:
        return decision.without("没有再查全国规定")
    return places.with_nation(decision, functools.partial(_stating, decision), ranked, hits)


def _stating(decision: Decision, query: Query, ids: Sequence[str] = (), *, cases_too: bool = False) -> list[Hit]:
    """Return what is found for a query in some texts, all when empty, and states something that is law on the day."""
    library = decision.parts.library
    found = _lawful(library, decision.parts.retriever.retrieve(query, ids)[0], decision.day, decision.shown)
    return evidence.ruling(query, found, library, cases_too=cases_too)


class Ordering(NamedTuple):
    """The hits by every stage of ranking."""

    hits: list[Hit]
    missed: list[str]
    """In Chinese the stages that did not take part."""
    stages: list[StageTime]
    """Those that did, behind the built-in one."""


def _ordered(decision: Decision, query: Query, hits: Sequence[Hit]) -> Ordering:
    """Put the hits in order; how likely each is evidence follows from the last stage that took part."""
    rank = (
        functools.partial(rewriting.ranked, decision.parts.reranker)
        if decision.searched
        else decision.parts.reranker.rerank
    )
    made = Ordering(rank(query, hits), [], [])
    for stage in decision.parts.stages if hits else ():
        if decision.late:
            made.missed.extend(decision.without(f"没有用重排服务 {stage.name}，按此前的次序").degraded[-1:])
            continue
        known, began = stage.known(query, made.hits), time.perf_counter()
        try:
            made.hits[:] = opinion.after(made.hits, stage.rerank(query, made.hits))
        except ServiceError as error:
            made.missed.append(f"重排服务 {stage.name} 不可用，按此前的次序（{error.message}）")
        else:
            made.stages.append(StageTime(stage.name, (time.perf_counter() - began) * 1000, known))
    made.hits[:] = evidence.stating(query, made.hits)
    if decision.leans_on:
        made.hits[:] = prior_answers.leaning(made.hits, decision.leans_on)
    if decision.whole:
        made.hits[:] = prior_answers.supported(made.hits, decision.whole)
    return made


def choose_rows(decision: Decision) -> Decision:
    """Let the row that the question asks for stand for its table; refuse when the table has none (选表行)."""
    parts = decision.parts
    asked = tables.AskedRow.of(decision.query, parts.rules)
    hits, missed = tables.fit(asked, decision.hits, parts.library.regulation)
    if missed is not None and not decision.named.hits:
        return decision.refused(refuse.no_such_row(missed.regulation.title, missed.title, decision.hits))
    return replace(decision, hits=tuple(hits))


def compose_answer(decision: Decision) -> Decision:
    """Cut the quotes, with what must stand beside them, and name the answer (成文)."""
    parts, query = decision.parts, decision.query
    found = _provisions(decision)
    cut, missing = _holding(decision, compose.merge(_cut(decision, compose.worth_quoting(found))))
    if missing and not cut:
        return decision.refused(evidence.lacking_words(decision, missing))
    quotes = review.screened(cut, parts.library.reviews)
    # Only for what stands: where reviewers rejected a quote, what it leaned on is no answer by itself.
    also = _cut(decision, compose.leaned_on(quotes, found))
    quotes = [*quotes, *review.screened(also, parts.library.reviews)]
    quotes = quotes[: query.filters.top_k or parts.settings.max_quotes]
    if not quotes:
        weak = refuse.too_weak(query, decision.hits, parts.rules, parts.law.not_held, decision.rarity)
        return decision.refused(refuse.all_rejected() if cut else weak)
    of = {q.regulation_id: parts.library.regulation(q.regulation_id).home for q in quotes}
    quotes = [replace(q, group=places.group_of(of[q.regulation_id], query.filters.province)) for q in quotes]
    quotes = places.nation_among_the_first(quotes)
    near = [of[q.regulation_id] for q in quotes if q.group is not PlaceGroup.OTHER]
    confidence = _confidence(decision, quotes)
    unread = [e.words for e in query.read if e.fact == "unread"]
    if (doubt := _doubt(decision, confidence, quotes, unread)) is not None:
        return decision.refused(doubt)
    remarks = (evidence.only_related(decision, quotes[0]), refuse.left_out(unread))
    verdict = calibration.directness(confidence, quotes[0], only_related="".join(filter(None, remarks)))
    return decision.ended(
        Answer(
            query=query,
            day=decision.day,
            quotes=tuple(quotes),
            refusal=None,
            confidence=confidence,
            trace_id=decision.trace_id,
            heading=heading(query, parts.rules, found[0].regulation.doc_class, quotes, near or list(of.values())),
            ranked=_listed(decision, found, verdict),
            degraded=decision.degraded,
            tips=(*decision.named.tips, *refuse.as_matter(query), *filter(None, remarks), *places.stricter(quotes)),
            hierarchy=lawview.hierarchy(_quoted(quotes, found), parts.rules),
            verdict=verdict,
            stages=decision.stages,
        )
    )


def _doubt(decision: Decision, sure: Confidence, quotes: Sequence[Quote], unread: Sequence[str]) -> Refusal | None:
    """Return the refusal where quotes are only the nearest text, or of an English question what few words lead to; None else."""
    paper = of_paper(decision.parts.library.row(quotes[0].regulation_id))
    if not decision.named.hits and calibration.beside_the_point(decision.query, sure, paper=paper):
        parts = decision.parts
        return refuse.too_weak(decision.query, decision.hits, parts.rules, parts.law.not_held, decision.rarity)
    if unread and sure.overall < calibration.UNREAD_LEAST:
        return refuse.unread(unread, decision.hits)
    return None if decision.named.hits else definitions.undefined(decision.query, quotes, decision.parts.rules)


def _provisions(decision: Decision) -> list[compose.FoundQuote]:
    """Return the provisions that the evidence stands in, each with what applies together with it, best first."""
    query, parts = decision.query, decision.parts
    found = compose.group(decision.hits, parts.library.regulation)[: max(compose.LISTED, query.filters.top_k or 0)]
    found = penalties.with_penalties(query, compose.stating_first(query, found), parts.library.edges)
    behind = compose.group(decision.further, parts.library.regulation)
    return penalties.with_other_half(query, found, behind, parts.reranker.score_spans)


def _listed(decision: Decision, found: Sequence[compose.FoundQuote], verdict: Directness) -> tuple[Ranked, ...]:
    """Return the provisions as they are listed; where a person has to judge, those behind the evidence too."""
    if verdict is Directness.HUMAN:
        found = compose.further(found, compose.group(decision.further, decision.parts.library.regulation))
    return tuple(compose.ranked(f) for f in found[: decision.query.filters.top_k or compose.LISTED])


READING: tuple[Stage, ...] = (read, resolve)
QUOTING: tuple[Stage, ...] = (choose_rows, compose_answer)
FINDING: tuple[Stage, ...] = (retrieve, judge, *QUOTING)
STAGES = (*READING, *FINDING)


def _compared(decision: Decision) -> Answer | None:
    """Answer a question about what changed with both wordings; None when it is no such question."""
    parts, query = decision.parts, decision.query
    versions = revisions.asked(query, parts.library)
    if versions is None:
        return None
    keep = functools.partial(review.screened, reviews=parts.library.reviews)

    def search(subject: Query, ids: Sequence[str]) -> Sequence[Hit]:
        return parts.reranker.rerank(subject, parts.retriever.retrieve(subject, ids)[0])

    return revisions.versions_answer(query, versions, decision.trace_id, search, keep, parts.settings.max_quotes)


OUTRIGHT: tuple[Callable[[Decision], Answer | None], ...] = (
    time_bounds.too_early,
    _compared,
    about.answered,
    provisions.answered,
    figures.by_name,
)
"""Ways to answer what the read question asks without a search, tried in order; None leaves it to the next."""


def _lawful(library: Library, hits: Sequence[Hit], day: Day, shown: Sequence[tuple[str, Span]] = ()) -> list[Hit]:
    """Return the hits that state something and whose very article is law on the day: articles of a text commence one by one.

    What was ``shown`` before is left out.
    """
    known: dict[tuple[str, str | None], bool] = {}
    kept = []
    for hit in hits:
        row = library.row(hit.chunk.regulation_id)
        again = shown and any(hit.chunk.regulation_id == i and hit.chunk.span.overlaps(span) for i, span in shown)
        if again or says_nothing(hit.chunk.text, row.title):
            continue
        validity = row.validity
        where = (hit.chunk.regulation_id, hit.chunk.label if validity.scopes else None)
        if where not in known:
            status = validity.on(day, where[1]) if where[1] else library.view.status(where[0], day)
            known[where] = status.may_answer
        if known[where]:
            kept.append(hit)
    return kept


def _holding(decision: Decision, cut: list[Quote]) -> tuple[list[Quote], list[str]]:
    """Return the quotes that hold what the question says, and in Chinese what the others lack; all where it names a provision."""
    if decision.named.hits:
        return cut, []
    lacks = [evidence.quote_lacks(decision, quote, named=True) for quote in cut]
    kept = [q for q, lack in zip(cut, lacks, strict=True) if not lack]
    if not kept:  # what is asked of is named by none: the first that lacks nothing else was found likely enough
        kept = [q for q in cut if not evidence.quote_lacks(decision, q, named=False)][:1]
    return kept, list(chain.from_iterable(lacks))


def _holds(decision: Decision) -> compose.Holds:
    """Return what tells how much of what the question says a stretch holds; where its term is defined, whether it defines it."""
    defined = definitions.is_defined(decision.query, decision.hits)

    def holds(regulation: Regulation, span: Span, beside: Sequence[Span | None]) -> float:
        if defined:
            return float(definitions.says(decision.query, span.of(regulation.text)))
        return evidence.holding_share(decision.query, regulation, span, beside, decision.parts)

    return holds


def _cut(decision: Decision, chosen: Sequence[compose.FoundQuote]) -> list[Quote]:
    scorer = decision.parts.reranker.score_spans
    asked = tables.AskedRow.of(decision.query, decision.parts.rules)
    holds = None if decision.named.hits else _holds(decision)
    quotes: list[Quote] = []
    for entry in chosen:
        row = tables.found_row(entry.regulation, entry.hit.chunk.span)
        if row is None:
            quotes += compose.cut(decision.query, entry, decision.day, scorer, holds=holds)
        else:
            quotes += tables.cut(asked, row, decision.day, entry.hit.score)
    return quotes


def cut_from(decision: Decision, hit: Hit) -> list[Quote]:
    """Return what would be quoted from one hit alone, of a table the row that is asked for."""
    library, rules = decision.parts.library, decision.parts.rules
    hits, _ = tables.fit(tables.AskedRow.of(decision.query, rules), [hit], library.regulation)
    return _cut(decision, compose.group(hits, library.regulation)[:1])


def _quoted(quotes: Sequence[Quote], found: Sequence[compose.FoundQuote]) -> list[Regulation]:
    """Return the regulations that are quoted, each once."""
    ids = {q.regulation_id for q in quotes}
    return list({f.regulation.id: f.regulation for f in found if f.regulation.id in ids}.values())


def _confidence(decision: Decision, quotes: Sequence[Quote]) -> Confidence:
    """What the question names outright is surely the right provision; otherwise the ranker's probability stands."""
    assert decision.judgement is not None, "candidates are judged before they are quoted"
    judged = decision.judgement
    named = bool(decision.named.hits)
    source = min((q.citation.recognised for q in quotes if q.citation.recognised is not None), default=1.0)
    said = calibration.NAMED if named else evidence.said_of(decision, quotes[0])
    chances = (1.0, 1.0) if named else (judged.confidence, judged.retrieval)
    overall = calibration.confidence(decision.query, chances, quotes, said) * source
    return Confidence(overall, judged.retrieval, None if named else judged.confidence, source)


def timed(answer: Answer, milliseconds: float) -> Answer:
    """Return the answer with the time it took."""
    return replace(answer, elapsed_ms=milliseconds)
