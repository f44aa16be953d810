"""Questions that are more than one way through the stages: follow-ups, several in one, places compared (多次求解的问题)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.answer import followup, several
from nemo.answer.decision import Decision
from nemo.types import Answer, AnswerPart, Confidence, Query, Quote, Ranked

Ended = Callable[[Decision], Answer]
"""Leads one question through all stages."""

SURER = 0.2
"""A question's own words answer from the text before, or else another's, though less sure by so much; elsewhere only if
surer by so much."""

EACH = 3
"""At most so many quotes for each of several questions."""


def following(first: Decision, before: Answer, ended: Ended) -> Answer:
    """Answer a question behind another; one that stands better by itself is answered by itself."""
    if len(_split(first)) > 1:
        return answered(first, ended, before)
    return _behind(first, before, ended)


def answered(first: Decision, ended: Ended, before: Answer | None = None) -> Answer:
    """Answer a question, each of several in one by itself."""
    rules, text = first.parts.rules, first.query.text
    if places := several.compared_places(text, rules):
        return _compared(first, ended, places)
    asked = _split(first)
    if len(asked) == 1:
        return ended(first)
    results: list[Answer] = []
    for number, question in enumerate(asked):
        if first.late and results:
            return _joined(first.without(f"以下分问没有作答：{'；'.join(asked[number:])}"), _answered(results), ended)
        part = _of(first, question)
        known = results[-1] if results else before
        results.append(ended(part) if known is None else _behind(part, known, ended))
    return _joined(first, _answered(results), ended)


def _answered(results: Sequence[Answer]) -> list[tuple[str, Answer]]:
    return [(answer.query.text, answer) for answer in results]


def _split(first: Decision) -> list[str]:
    rules = first.parts.rules
    return several.split(first.query.text, lambda clause: followup.bare(clause, rules))


def _compared(first: Decision, ended: Ended, places: Sequence[tuple[str, str]]) -> Answer:
    results = []
    for words, code in places:
        part = _of(first, several.for_place(first.query.text, words, list(places)))
        part = replace(part, query=replace(part.query, filters=replace(part.query.filters, province=code)))
        results.append((first.parts.rules.province(code).name, ended(part)))
    tip = "各省逐格对照请打开“对照”页面。"
    answer = _joined(first, results, ended)
    return answer if answer.refusal else replace(answer, tips=(*answer.tips, tip))


def _of(first: Decision, text: str) -> Decision:
    return replace(first, query=Query(text, first.query.filters, first.query.original))


def _behind(part: Decision, before: Answer, ended: Ended) -> Answer:
    """Answer a question behind another, as it stands there or by itself, whichever the evidence carries."""
    text, rules = part.query.text, part.parts.rules
    names_a_text = any(name.ids for name in part.reader.names.find(text))
    if names_a_text:
        return ended(part)
    asked = followup.understand(text, part.query.filters, before, rules)
    query = Query(asked.text, asked.filters, part.query.original)
    carried = replace(ended(replace(part, query=query, leans_on=asked.leans_on)), understood=asked.understood)
    if followup.bare(text, rules):
        return carried
    query = Query(asked.own_words, asked.filters, part.query.original)
    alone = ended(replace(part, query=query, leans_on=asked.leans_on))
    return alone if _better(alone, carried, asked.leans_on) else carried


def _better(alone: Answer, carried: Answer, leans_on: frozenset[str]) -> bool:
    """Tell whether a question is better answered by its own words than behind the subject of the one before."""
    if alone.refusal is not None or carried.refusal is not None:
        return carried.refusal is not None
    near = alone.quotes[0].regulation_id in leans_on or carried.quotes[0].regulation_id not in leans_on
    return _ranked_sure(alone) > _ranked_sure(carried) + (-SURER if near else SURER)


def _ranked_sure(answer: Answer) -> float:
    """Return how sure the ranker is of the first provision: whose words are quoted better is not what is compared."""
    found = answer.confidence
    return found.overall if found.rerank is None else found.rerank


def _joined(first: Decision, results: Sequence[tuple[str, Answer]], ended: Ended) -> Answer:
    """Return one answer of several; it is refused when each of them is. What the whole question finds ranks first."""
    given = [answer for _, answer in results if answer.refusal is None]
    if not given:
        query = replace(results[0][1].query, original=first.query.original)
        return replace(results[0][1], query=query, degraded=(*results[0][1].degraded, *first.degraded))
    whole = () if first.late else ended(first).ranked
    quotes: list[Quote] = []
    parts: list[AnswerPart] = []
    for heading, answer in results:
        places = tuple(_place(quotes, quote) for quote in answer.quotes[:EACH])
        parts.append(AnswerPart(heading, places, answer.refusal, answer.confidence.overall))
    least = min(given, key=lambda a: a.confidence.overall)
    open_ = [heading for heading, answer in results if answer.refusal is not None]
    tips = [f"没有找到依据的分问：{'；'.join(open_)}"] if open_ else []
    tips += [tip for answer in given for tip in answer.tips]
    return replace(
        given[0],
        query=replace(given[0].query, original=first.query.original),
        quotes=tuple(quotes),
        ranked=_interleaved([whole, *(a.ranked[: 1 if whole else None] for a in given)]),
        confidence=Confidence(least.confidence.overall, least.confidence.retrieval, least.confidence.rerank),
        degraded=tuple(dict.fromkeys((*(note for a in given for note in a.degraded), *first.degraded))),
        tips=tuple(dict.fromkeys(tips)),
        hierarchy=tuple(dict.fromkeys(note for a in given for note in a.hierarchy)),
        parts=tuple(parts),
        verdict=least.verdict,
        stages=tuple(stage for a in given for stage in a.stages),
        understood="".join(dict.fromkeys(a.understood for _, a in results if a.understood)),
    )


def _place(quotes: list[Quote], quote: Quote) -> int:
    """Return where a quote stands among the quotes; what two parts rest on is quoted once."""
    same = (q.regulation_id == quote.regulation_id and q.span == quote.span for q in quotes)
    at = next((n for n, found in enumerate(same) if found), len(quotes))
    if at == len(quotes):
        quotes.append(quote)
    return at


def _interleaved(lists: Sequence[Sequence[Ranked]], most: int = 5) -> tuple[Ranked, ...]:
    """Return the first of each list, then the second …, each provision once."""
    longest = max(map(len, lists))
    rows = [each[at] for at in range(longest) for each in lists if at < len(each)]
    once: dict[tuple[str, str], Ranked] = {}
    for row in rows:
        once.setdefault((row.regulation_id, row.article or row.label), row)
    return tuple(once.values())[:most]
