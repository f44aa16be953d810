"""Questions that are more than one way through the stages: follow-ups, several in one, places compared (多次求解的问题)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from nemo import review
from nemo.answer import about, provisions, refuse, revisions
from nemo.answer.decision import Decision
from nemo.answer.judgement import surroundings
from nemo.answer.order import penalties
from nemo.answer.question import asked_kinds, decomposition, followup
from nemo.answer.quotes import calibration, compose
from nemo.answer.quotes.heading import heading
from nemo.answer.retrieve import outright
from nemo.lawview import hierarchy
from nemo.rerank import quantities
from nemo.rerank.terms import fold
from nemo.text.words.normalise import normalise
from nemo.text.words.sentences import trim
from nemo.types import Answer, AnswerPart, Confidence, Directness, Hit, PlaceGroup, Query, Quote, Ranked, Reason, Span
from nemo.types.answer import LEANS

Ended = Callable[[Decision], Answer]
"""Leads one question through all stages."""

SURER = 0.2
"""A question's own words answer from the text before, or else another's, though less sure by so much; elsewhere only if
surer by so much."""

SURE_ALONE = 0.6
"""A question that stays with the text before answers from it, where no other reading answers, only if as sure as this."""

OWN_SURE = 0.5
"""A question whose own subject stands only in what its own words find is answered from that, if as sure as this."""

NAMED_BY = 3
"""Characters by which a subject names a thing by itself; a known short form (环评) does by fewer."""

AS_GOOD = 0.8
"""Another provision answers one of several questions too from this share of the first one's score."""

EACH = 3
"""At most so many quotes for each of several questions."""

WHOLES = (about.MODE, provisions.MODE, revisions.MODE)
"""Modes of answers that no search made."""

SEARCHED = "hybrid"
"""The mode of answers that a search made, and that are named by what they quote."""

WHOLE_SURE = 0.9
"""What the whole question finds as surely as this answers it, whatever its parts find."""


def following(first: Decision, before: Answer, ended: Ended) -> Answer:
    """Answer a question behind another; one that stands better by itself is answered by itself."""
    if len(_split(first)) > 1:
        return answered(first, ended, before)
    return _behind(first, before, ended)


def answered(first: Decision, ended: Ended, before: Answer | None = None) -> Answer:
    """Answer a question, each of several in one by itself."""
    rules, text = first.parts.rules, first.query.text
    if places := decomposition.compared_places(text, rules, first.reader.names.bears):
        return _compared(first, ended, places)
    asked = _split(first)
    one = ended(first)
    if len(asked) == 1:
        apart = _apart(first, text, one, ended, before)
        return one if len(apart) == 1 else _joined(first, apart, one.ranked)
    if len(asked) == 2 and penalties.answers_both(one, first.parts.library.regulation):
        return one  # a duty and its penalty, each found by the words of the other
    whole = one.ranked
    results: list[tuple[str, Answer]] = []
    for number, question in enumerate(asked):
        if first.late and results:
            return _joined(first.without(f"以下分问没有作答：{'；'.join(asked[number:])}"), results, whole)
        part = replace(_of(first, question), whole=whole)
        known = results[-1][1] if results else before
        found = ended(part) if known is None else _behind(part, known, ended)
        found = _or_open(_of_the_duty(_within(found, part, ended), part, known, ended), results)
        results += _apart(part, question, found, ended, known)
    return _joined(first, results, whole)


def _apart(
    part: Decision, question: str, found: Answer, ended: Ended, before: Answer | None
) -> list[tuple[str, Answer]]:
    """Return a question with its answer; one refused for want of evidence as its clauses, where the first of these is surely answered.

    A clause without a subject of its own stays with the one before it, and what no text states (电话是多少) would take that
    along; by itself it is answered surely, and from the same text, or not at all.
    """
    clauses = decomposition.split(question, lambda _: False)
    if found.refusal is None or found.refusal.reason is not Reason.NO_EVIDENCE or len(clauses) == 1 or part.late:
        return [(question, found)]
    results: list[tuple[str, Answer]] = []
    for clause in clauses:
        by_itself = _of(part, clause)
        answer = ended(by_itself) if before is None else _behind(by_itself, before, ended)
        sure = answer.refusal is None and answer.confidence.overall >= calibration.DIRECT
        if not results and not sure:
            return [(question, found)]
        stays = before is None or not results or _rests_on(answer) == _rests_on(before)
        if sure and stays:
            before = answer
        elif answer.refusal is None:
            answer = replace(found, refusal=refuse.clause_open())
        results.append((clause, answer))
    return results


def _within(found: Answer, part: Decision, ended: Ended) -> Answer:
    """Return the answer to a part; one from another text than what surely answers the whole, less sure, stays with that.

    A part leaves out what the whole is about (电力安全事故…？一般事故是几天): its own words lead to any accident. Where that
    text does not answer it, another does only surely.
    """
    best = part.whole[0] if part.whole else None
    if best is None or best.score < WHOLE_SURE or not found.quotes or _ranked_sure(found) >= best.score:
        return found
    first = found.quotes[0]
    if found.mode in WHOLES or first.regulation_id == best.regulation_id or first.group is PlaceGroup.OWN:
        return found
    stays = ended(replace(part, only=(best.regulation_id,)))
    subject = followup.subject_words(part.query.text, part.parts.rules)[:1]
    own = stays.refusal or _said(subject, found, part) > _said(subject, stays, part)
    return found if own and _ranked_sure(found) >= OWN_SURE else stays


def _or_open(found: Answer, results: Sequence[tuple[str, Answer]]) -> Answer:
    """Return the answer to a part; a doubtful one from another text than the surer ones before it is none."""
    before = [a for _, a in results if a.refusal is None and a.confidence.overall >= calibration.DOUBTFUL]
    elsewhere = before and found.quotes and not any(set(_rests_on(a)) & set(_rests_on(found)) for a in before)
    if not elsewhere or found.mode in WHOLES or found.confidence.overall >= calibration.DOUBTFUL:
        return found
    return replace(found, quotes=(), ranked=(), refusal=refuse.clause_open())


def _of_the_duty(found: Answer, part: Decision, known: Answer | None, ended: Ended) -> Answer:
    """Return the answer to a part; what breaking a rule costs (…？没做到赔不赔) is told by the penalty that names the rule just
    quoted, where its text holds one, not by the nearest penalty of another text.
    """
    if known is None or not found.quotes or not quantities.CONSEQUENCES.search(part.query.text):
        return found
    costs = _costs(part, known) if found.quotes[0].regulation_id not in _rests_on(known) else ()
    stays = ended(replace(part, only=_rests_on(known))) if costs else found
    spans = [hit.chunk.span for hit in costs]
    return stays if any(span.overlaps(quote.span) for quote in stays.quotes[:1] for span in spans) else found


def _split(first: Decision) -> list[str]:
    rules = first.parts.rules
    return decomposition.split(first.query.text, lambda clause: followup.without_subject(clause, rules))


def _compared(first: Decision, ended: Ended, places: Sequence[tuple[str, str]]) -> Answer:
    results, rules = [], first.parts.rules
    for words, code in places:
        part = _of(first, decomposition.for_place(first.query.text, words, list(places)))
        part = replace(part, query=replace(part.query, filters=replace(part.query.filters, province=code)))
        results.append((words if rules.inside(words, code) else rules.province(code).name, ended(part)))
    tip = "各省逐格对照请打开“各省对照”页面。"
    answer = _joined(first, results, () if first.late else ended(first).ranked)
    return answer if answer.refusal else replace(answer, tips=(*answer.tips, tip))


def _of(first: Decision, text: str) -> Decision:
    return replace(first, query=Query(text, first.query.filters, first.query.original))


def _behind(part: Decision, before: Answer, ended: Ended) -> Answer:
    """Answer a question behind another, read in the way that the evidence carries best.

    It may mean the subject of the question before, the texts that answered it, or only what it says itself. What is
    said of breaking the rule just quoted leads to the penalty that names that rule.
    """
    text, rules = part.reader.in_chinese(part.query.text), part.parts.rules
    part = replace(part, query=replace(part.query, text=text))
    if (named := _by_name(part, before, ended)) is not None:
        return named
    asked = followup.understand(text, part.query.filters, before, rules)
    part = replace(part, leans_on=asked.leans_on)
    bare = followup.bare(text, rules)

    def way(words: str) -> Decision:
        return replace(part, query=Query(words, asked.filters, part.query.original))

    @cache  # what stands by itself is often what was carried over
    def read(words: str, only: tuple[str, ...] = ()) -> Answer:
        return ended(replace(way(words), only=only))

    if (of_answer := _of_the_answer(part, before, asked, ended)) is not None:
        return of_answer
    carried = replace(read(asked.text), understood=asked.understood)
    if followup.points_back(text) or (bare and not asked.adds) or carried.mode in WHOLES:
        return carried

    @cache
    def stays() -> Answer:
        return replace(read(asked.own_words, only=_rests_on(before)), understood=asked.understood)

    if (again := _from_before(part, before, asked, carried, stays)) is not None:
        return again
    if bare:
        return _on_topic(_best(stays, [carried], before, asked.leans_on), part, before, asked, read)
    alone = read(asked.own_words)
    best = _on_topic(_best(stays, [carried, alone], before, asked.leans_on), part, before, asked, read)
    subject = followup.subject_words(text, rules)
    if alone.refusal is not None:
        return best
    own = _ranked_sure(alone) >= OWN_SURE and _said(subject, alone, part) > _said(subject, best, part)
    return alone if own or _closer(text, alone, best, part) else best


def _of_the_answer(part: Decision, before: Answer, asked: followup.FollowUp, ended: Ended) -> Answer | None:
    """Answer what is asked of the answer before: on what it rests, what breaking the rule costs; None for any other question."""
    text = part.query.text
    if followup.asks_more(text):
        return _more(part, before, asked, ended)
    if followup.asks_basis(text) and before.quotes and before.mode not in WHOLES:
        again = replace(part, query=Query(before.query.text, asked.filters, part.query.original))
        return _as(ended(again), before, before.query.text)
    if not followup.bare(text, part.parts.rules):
        return None
    costs = penalties_of(part, before)
    if not costs:
        return _punishes_nobody(part, before, asked)
    said = replace(part, query=Query(asked.own_words, asked.filters, part.query.original), meant=costs)
    return replace(ended(said), understood=asked.understood)


def _punishes_nobody(part: Decision, before: Answer, asked: followup.FollowUp) -> Answer | None:
    """Refuse a question for who is responsible beside (那负责人呢) where neither the penalty quoted before nor a rule for each fine
    of its text punishes any; None for any other question.
    """
    if followup.punished(part.query.text) is not followup.RESPONSIBLE or not _costs(part, before):
        return None
    if followup.OF_EACH_FINE.search(part.parts.library.regulation(before.quotes[0].regulation_id).text):
        return None
    answer = (
        replace(part, query=Query(asked.own_words, asked.filters, part.query.original))
        .refused(refuse.punishes_nobody_beside())
        .answer
    )
    return answer and _as(answer, before, asked.text)


def _more(part: Decision, before: Answer, asked: followup.FollowUp, ended: Ended) -> Answer:
    """Answer what else there is (还有别的吗): the question before, from what it did not quote; refused where nothing else answers."""
    query = Query(before.query.text, asked.filters, part.query.original)
    if before.mode not in WHOLES:
        shown = tuple((q.regulation_id, q.span) for q in before.quotes)
        found = ended(replace(part, query=query, shown=shown))
        if found.refusal is None:
            verdict = Directness.RELATED if found.verdict is Directness.DIRECT else found.verdict
            found = replace(found, verdict=verdict, tips=("以下条文上一答复没有引用，是否合用请核对。",))
            return _as(found, before, f"{before.query.text.rstrip('?？')}，还有哪些规定")
    answer = replace(part, query=query).refused(refuse.nothing_more()).answer
    assert answer is not None, "a refused question has its answer"
    return answer


def _by_name(part: Decision, before: Answer, ended: Ended) -> Answer | None:
    """Answer a question that means a text by 它 or names one itself, with what it asks of it; None for any other."""
    text, rules = part.query.text, part.parts.rules
    if (again := followup.named_again(text, before) or _of_the_law(part, before)) is not None:
        answer = ended(replace(part, query=replace(part.query, text=again)))
        if answer.mode in WHOLES:
            return _as(answer, before, again)
    if (named := named_in(part)) is None:
        return None
    other = followup.of_another(text, named, before, rules)
    if other is None:
        return ended(part)
    return _as(ended(replace(part, query=replace(part.query, text=other))), before, other)


def _of_the_law(part: Decision, before: Answer) -> str | None:
    """Return a question about a text itself (什么时候施行, 旧版呢) with the text that the question before named; None for any other."""
    text, rules = part.query.text, part.parts.rules
    named = next((m for m in reversed(before.query.mentions) if m.title and m.regulation_ids), None)
    if named is None or named.title is None or named_in(part) is not None:
        return None
    said = followup.of_the_text(text, named.title, named.article)
    asked = Query(normalise(said).text, part.query.filters, said)
    changed = before.mode == about.MODE and revisions.asks(said)
    numbered = followup.ARTICLE.search(said) and (said.endswith("条") or followup.says_nothing(text, rules))
    return said if changed or numbered or about.matters(asked, [named.title], rules)[0] else None


def named_in(part: Decision) -> Span | None:
    """Return the name or number of a held text that a question gives, None when it gives none."""
    text, reader = part.query.text, part.reader
    names = reader.names.find(text)
    found = [name.span for name in names if name.ids or name.certain]
    found += [span for span, ids in reader.numbers.find(text, [name.span for name in names]) if ids]
    return found[0] if found else None


def _as(answer: Answer, before: Answer, said: str) -> Answer:
    """Return an answer with what the question behind another was understood to say."""
    told = f"{LEANS}“{followup.typeset(before.query.text)}”，理解为“{followup.typeset(said)}”。"
    return replace(answer, understood=told)


def _repeats(answer: Answer, before: Answer) -> bool:
    """Tell whether an answer is first quoted from the provision that the one before it was first quoted from."""
    if not (answer.quotes and before.quotes):
        return False
    one, other = answer.quotes[0], before.quotes[0]
    return (one.regulation_id, one.citation.article) == (other.regulation_id, other.citation.article)


def _told(part: Decision, before: Answer, asked: followup.FollowUp) -> bool:
    """Tell whether the provision quoted before holds what a question says and states the kind of value that it asks for.

    Never of a penalty: each breach has its own.
    """
    text = fold(asked.own_words)
    if quantities.CONSEQUENCES.search(text):
        return False
    wanted, words = quantities.wanted(text), followup.own_matter(part.query.text, part.parts.rules)
    passage = _evidence(before, part).passage
    stated = bool((wanted & (quantities.stated(passage) > 0)).any()) or (
        asked_kinds.asked(text) and asked_kinds.unstated(text, passage) is None
    )
    return stated and bool(words) and all(word in passage for word in words if len(word) > 1)


def _on_topic(
    best: Answer,
    part: Decision,
    before: Answer,
    asked: followup.FollowUp,
    read: Callable[[str, tuple[str, ...]], Answer],
) -> Answer:
    """Return an answer; one that only repeats the provision before, without a word of the question, gives way.

    What the question before said of its subject (海域使用金可以按年) leads back to where it was answered: then the
    subject alone is asked on.
    """
    words = followup.own_matter(part.query.text, part.parts.rules)
    if not words or not _repeats(best, before) or any(word in _evidence(best, part).words for word in words):
        return best
    other = read(f"{followup.topic(before.query.text)}，{asked.own_words}", _rests_on(before))
    new = other.refusal is None and not _repeats(other, before) and _ranked_sure(other) >= OWN_SURE
    return replace(other, understood=asked.understood) if new else best


def _evidence(answer: Answer, part: Decision) -> surroundings.EvidenceText:
    """Return the provision that an answer is first quoted from."""
    first = answer.quotes[0]
    return surroundings.evidence_of(part.parts.library.regulation(first.regulation_id), first.span)


def _from_before(
    part: Decision, before: Answer, asked: followup.FollowUp, carried: Answer, stays: Callable[[], Answer]
) -> Answer | None:
    """Answer what the provision quoted before tells from that provision, None where it does not tell it."""
    if not _repeats(carried, before) or not _told(part, before, asked):
        return None
    return _in_its_paragraph(stays() if _repeats(stays(), before) else carried, part)  # another 款 may say it


def _in_its_paragraph(found: Answer, part: Decision) -> Answer:
    """Return an answer that quotes the 款 which says what the question adds to the one before (停业呢), where its quotes do not."""
    regulation = part.parts.library.regulation(found.quotes[0].regulation_id)
    words = [word for word in followup.own_matter(part.query.text, part.parts.rules) if len(word) > 1]
    article = regulation.unit(found.quotes[0].span)
    if article is None or all(any(word in fold(quote.text) for quote in found.quotes) for word in words):
        return found
    says = [p for p in article.children if all(word in fold(p.span.of(regulation.text)) for word in words)]
    if len(says) != 1:
        return found
    span = trim(regulation.text, says[0].span)
    before, after = compose.beside(regulation, article, span)
    first = found.quotes[0]
    cut = Quote.cut(regulation, span, found.day, score=first.score, before=before, after=after)
    cut = replace(cut, group=first.group, citation=replace(cut.citation, warnings=first.citation.warnings))
    return replace(found, quotes=(*review.screened([cut], part.parts.library.reviews), *found.quotes))


def _said(subject: Sequence[str], answer: Answer, part: Decision) -> int:
    """Return how many words of a question's own subject the first provision quoted holds: with its own it is no follow-up."""
    words = _evidence(answer, part).words if subject and answer.quotes else ""
    return sum(word in words for word in subject)


def _closer(text: str, alone: Answer, other: Answer, part: Decision) -> bool:
    """Tell whether only what answers a question by itself says its subject as it asks it, or in full (环评, 投标保证金 and not 履约保证金)."""
    topic = fold(followup.topic(text))
    full = [
        topic.replace(each.term, form) for each in alone.query.synonyms for form in each.added if each.term in topic
    ]
    thing = (full or len(topic) >= NAMED_BY) and not topic.endswith(("前", "后"))  # 到期前 is a time
    if not thing or not alone.quotes or not other.quotes:
        return False
    own, others = _evidence(alone, part).words, _evidence(other, part).words
    return any(form in own for form in (topic, *full)) and not any(form in others for form in (topic, *full))


def _rests_on(before: Answer) -> tuple[str, ...]:
    """Return the text that an answer rests on: that of its first quote."""
    return tuple(quote.regulation_id for quote in before.quotes[:1])


def penalties_of(part: Decision, before: Answer) -> tuple[Hit, ...]:
    """Return the penalties for breaking what was quoted, or the quoted one itself, when the question asks for them and says no more.

    Who says only that it is broken (违反了呢) asks for them too, and of a penalty who asks for whom it punishes beside (那负责人呢).
    """
    text = part.query.text
    if penalties.ASKS_PENALTY.search(before.query.text) and (punished := followup.punished(text)) is not None:
        return tuple(hit for hit in _costs(part, before) if punished.search(hit.chunk.text))
    return _costs(part, before) if penalties.ASKS_PENALTY.search(text) or followup.BROKEN.match(text) else ()


def _costs(part: Decision, before: Answer) -> tuple[Hit, ...]:
    if not before.quotes:
        return ()
    regulation = part.parts.library.regulation(before.quotes[0].regulation_id)
    duty = regulation.unit(before.quotes[0].span)
    if duty is None:
        return ()
    if "罚款" in duty.span.of(regulation.text):
        return (outright(regulation, duty),)
    entry = compose.FoundQuote(regulation, duty, outright(regulation, duty))
    edges = part.parts.library.edges
    found = penalties.with_penalties(replace(part.query, text="罚"), [entry], edges)[1:]
    return tuple(outright(regulation, each.provision) for each in found)


def _best(staying: Callable[[], Answer], others: Sequence[Answer], before: Answer, leans_on: frozenset[str]) -> Answer:
    """Return the reading that the evidence carries: what stays with the text before where another reading leads there too.

    That one is only worked out where it may be chosen.
    """
    carried, alone = others[0], others[-1]
    chosen = alone if len(others) > 1 and _better(alone, carried, leans_on) else carried
    enough = SURE_ALONE
    if chosen.refusal is None:
        if not any(q.regulation_id in leans_on for a in others for q in a.quotes):
            return chosen
        enough = _ranked_sure(chosen) - (0.0 if len(others) == 1 and not _repeats(chosen, before) else SURER)
    stays = staying()
    return stays if stays.refusal is None and _ranked_sure(stays) >= enough else chosen


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


def _joined(first: Decision, results: Sequence[tuple[str, Answer]], whole: Sequence[Ranked]) -> Answer:
    """Return one answer of several; it is refused when each of them is.

    What the whole question finds ranks first, unless it is in doubt and no part is answered from it; then the surest part.
    """
    given = [answer for _, answer in results if answer.refusal is None]
    if not given:
        query = replace(results[0][1].query, original=first.query.original)
        return replace(results[0][1], query=query, degraded=(*results[0][1].degraded, *first.degraded))
    quotes: list[Quote] = []
    parts: list[AnswerPart] = []
    for question, answer in results:
        places = tuple(_place(quotes, quote) for quote in _nearest(answer.quotes, first))
        said = answer.heading if answer.mode == about.MODE and answer.refusal is None else ""
        parts.append(AnswerPart(question, places, answer.refusal, answer.confidence.overall, said))
    least = min(given, key=lambda a: a.confidence.overall)
    surest = sorted(given, key=lambda a: -_ranked_sure(a))
    open_ = [question for question, answer in results if answer.refusal is not None]
    tips = [f"没有找到依据的分问：{'；'.join(open_)}"] if open_ else []
    tips += [tip for answer in given for tip in answer.tips]
    return replace(
        given[0],
        query=replace(given[0].query, original=first.query.original),
        quotes=tuple(quotes),
        ranked=_interleaved(_in_order(whole, surest, quotes)),
        confidence=Confidence(least.confidence.overall, least.confidence.retrieval, least.confidence.rerank),
        degraded=tuple(dict.fromkeys((*(note for a in given for note in a.degraded), *first.degraded))),
        tips=tuple(dict.fromkeys(tips)),
        **_named(first, given, quotes),
        parts=tuple(parts),
        verdict=least.verdict,
        stages=tuple(stage for a in given for stage in a.stages),
        understood="".join(dict.fromkeys(a.understood for _, a in results if a.understood)),
    )


def _named(first: Decision, given: Sequence[Answer], quotes: Sequence[Quote]) -> dict[str, Any]:
    """Return the heading of one answer of several and the ranks of its texts: of what it quotes, not of what was left out."""
    library, rules, found = first.parts.library, first.parts.rules, given[0]
    texts = {q.regulation_id: library.row(q.regulation_id) for q in quotes}
    notes = {"hierarchy": hierarchy(texts.values(), rules)}
    if found.mode != SEARCHED:
        return notes  # the heading is the answer
    asked = {a.query.filters.province for a in given}
    query = (
        found.query if len(asked) == 1 else replace(found.query, filters=replace(found.query.filters, province=None))
    )
    of = texts[quotes[0].regulation_id].doc_class
    return notes | {"heading": heading(query, rules, of, quotes, [row.province for row in texts.values()])}


def _nearest(quotes: Sequence[Quote], decision: Decision) -> Sequence[Quote]:
    """Return what one of several questions is answered with: the first provision, and the nation's beside a local one, the
    law's beside a rule below it (立法法第九十九条).
    """
    first = quotes[0] if quotes else None
    same = [
        q
        for q in quotes
        if first and (q.regulation_id, q.citation.article) == (first.regulation_id, first.citation.article)
    ]
    beside = [q for q in quotes if first and q.group is PlaceGroup.NATION and first.group is not PlaceGroup.NATION]
    ranks = {level.name: level.rank for level in decision.parts.rules.levels}
    above = [
        q for q in quotes if first and ranks.get(q.citation.level or "", 9) < ranks.get(first.citation.level or "", 0)
    ]
    above = [q for q in above if first and q.group is first.group is PlaceGroup.NATION]
    several = [q for q in quotes if first and q.score >= AS_GOOD * first.score]
    return list(dict.fromkeys((*same, *beside[:1], *above[:1], *several)))[:EACH]


def _place(quotes: list[Quote], quote: Quote) -> int:
    """Return where a quote stands among the quotes; what two parts rest on is quoted once."""
    same = (q.regulation_id == quote.regulation_id and q.span == quote.span for q in quotes)
    at = next((n for n, found in enumerate(same) if found), len(quotes))
    if at == len(quotes):
        quotes.append(quote)
    return at


def _in_order(whole: Sequence[Ranked], surest: Sequence[Answer], quotes: Sequence[Quote]) -> list[Sequence[Ranked]]:
    """Return what the whole question finds before what its parts find, unless it is in doubt, or not quoted and less sure than a part."""
    parts = [answer.ranked[: 1 if whole else None] for answer in surest]
    best = whole[0] if whole else None
    quoted = best and any(q.regulation_id == best.regulation_id and q.span.overlaps(best.span) for q in quotes)
    sure = best and best.score >= min(WHOLE_SURE, _ranked_sure(surest[0]) - SURER if quoted else WHOLE_SURE)
    return [whole, *parts] if sure else [*parts, whole]


def _interleaved(lists: Sequence[Sequence[Ranked]]) -> tuple[Ranked, ...]:
    """Return the first of each list, then the second …, each provision once, five in all."""
    longest = max(map(len, lists))
    rows = [each[at] for at in range(longest) for each in lists if at < len(each)]
    once: dict[tuple[str, str], Ranked] = {}
    for row in rows:
        once.setdefault((row.regulation_id, row.article or row.label), row)
    return tuple(once.values())[:5]
