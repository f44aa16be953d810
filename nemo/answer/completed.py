"""What an answer or a refusal is completed with before anybody reads it (答复补注): what changed, what it rests on, figures, origin."""

from dataclasses import replace

from nemo.answer.decision import AnswerParts
from nemo.answer.order import definitions, places
from nemo.answer.question import time_bounds
from nemo.answer.quotes import amended, calibration, figures
from nemo.types import Answer, Day, Quote, Reason


def completed(answer: Answer, parts: AnswerParts) -> Answer:
    """Return what the stages made with what its reader must know of it."""
    library = parts.library
    answer = amended.with_changes(time_bounds.with_earlier(answer, library), parts)
    answer = _corresponding(_warned(answer, parts), parts)
    answer = figures.with_figures(answer, library)
    answer = calibration.with_origin(places.of_a_place_only(answer, library), parts.rules)
    return time_bounds.contradicted(time_bounds.within(_defining(answer, parts), library))


def _warned(answer: Answer, parts: AnswerParts) -> Answer:
    """Return the answer with what a reader of each quote must know: it rests on law that is repealed (上位法已废止)."""
    return replace(answer, quotes=tuple(_with_warnings(q, answer.day, parts) for q in answer.quotes))


def _corresponding(answer: Answer, parts: AnswerParts) -> Answer:
    """Return a refusal over a text that is no longer law with what the new law says in place of the article asked for."""
    refusal = answer.refusal
    if refusal is None or refusal.reason is not Reason.NOT_IN_FORCE_ON_DAY:
        return answer
    asked = [(i, m.article) for m in answer.query.mentions for i in m.regulation_ids if m.article]
    found = [c for i, article in asked if (c := parts.law.counterpart(i, article)) is not None]
    tips = tuple(dict.fromkeys((*(f"{c.said}。" for c in found), *refusal.tips)))
    return replace(answer, refusal=replace(refusal, tips=tips))


def _defining(answer: Answer, parts: AnswerParts) -> Answer:
    """Return a refusal to what a term means with what is lacking: its definition."""
    refusal = answer.refusal
    if refusal is None or refusal.reason not in (Reason.NO_EVIDENCE, Reason.OUT_OF_DOMAIN):
        return answer
    undefined = definitions.undefined(answer.query, (), parts.rules)
    return replace(answer, refusal=replace(undefined, related=refusal.related)) if undefined else answer


def _with_warnings(quote: Quote, day: Day, parts: AnswerParts) -> Quote:
    words = "\n".join(filter(None, (quote.before_text, quote.text, quote.after_text)))
    gone = parts.law.repealed_bases(words, quote.regulation_id, day)
    not_law = parts.rules.not_law(parts.library.row(quote.regulation_id).nature)
    known = (f"这是{not_law}，不是现行规定，不能作为合规依据。",) if not_law else ()
    warnings = tuple(dict.fromkeys((*known, *quote.citation.warnings, *(basis.message for basis in gone))))
    return replace(quote, citation=replace(quote.citation, warnings=warnings, not_law=not_law)) if warnings else quote
