"""Questions for a day on which nothing of the kind was law: said before and after the search (时间范围)."""

import datetime as dt
import re
from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from nemo.answer import about, not_in_force, revisions
from nemo.answer.decision import Decision
from nemo.answer.judgement import evidence, tables
from nemo.answer.question import days, rare_words
from nemo.answer.quotes import calibration
from nemo.rerank import quantities
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.text.words.sentences import trim
from nemo.types import Answer, Confidence, Day, DayRange, Directness, Hit, Quote, Reason, Refusal, Status

ANNUAL = re.compile(r"价|指标|目标|年度|计划|方案|配额|补贴|竞|结果|名单|比例|系数|总量|装机|电量")
"""Asks for what is set anew each year: then the year is what is asked about, and a text has to state it."""


def too_early(decision: Decision) -> Answer | None:
    """Refuse a question for a day before any held text commenced; None when some text had, or none has a known day."""
    first = decision.parts.library.view.once(_first_start)
    named = any(m.regulation_ids for m in decision.query.mentions)  # what became of it says more
    if named or first is None or decision.day >= first[0]:
        return None
    message = f"{decision.day} 早于资料库中任何法规的施行日期（最早的是 {first[0]} 施行的{in_marks(first[1])}）。"
    tips = ("请改选适用日期后重新提问。", "如要查更早的规定，请上传当时的文本。")
    return decision.refused(Refusal(Reason.NO_TEXTS_FOR_FILTER, message, tips)).answer


def _first_start(rows: Sequence[RegulationRow]) -> tuple[Day, str] | None:
    """Return the first day on which any text commenced, and its title."""
    starts = [
        (start, row.title)
        for row in rows
        if (start := row.validity.first_effective or row.validity.effective or row.validity.promulgated) is not None
    ]
    return min(starts, default=None)


def ended(decision: Decision) -> Refusal | None:
    """Return the refusal that names the text which would have answered but ended before the day or begins after it; else None."""
    return _ended_among(decision, decision.named.regulation_ids)


def _ended_among(decision: Decision, ids: Sequence[str]) -> Refusal | None:
    parts, day = decision.parts, decision.day
    query = replace(decision.query, filters=replace(decision.query.filters, day=None))
    found, _ = parts.retriever.retrieve(query, ids)
    over = {hit.chunk.id for hit in found if _is_over(hit, parts.library, day) or _is_to_come(hit, parts.library, day)}
    hits = parts.reranker.rerank(query, found) if over else []  # ranking costs more than finding
    judged = parts.reranker.judge(query, hits) if hits and hits[0].chunk.id in over else None
    if judged is None or not judged.answerable:
        return None
    if not _is_over(hits[0], parts.library, day):
        return _to_come(decision, [h for h in hits[: judged.keep] if _is_to_come(h, parts.library, day)])
    best = parts.library.regulation(hits[0].chunk.regulation_id)
    message = f"回答这个问题的条文已不是当日的法律：{not_in_force.status_of(best, day, parts.library)}。"
    return Refusal(
        Reason.NOT_IN_FORCE_ON_DAY, message, tuple(not_in_force.instead(best, day, parts.library)), (hits[0],)
    )


def to_come(decision: Decision) -> Refusal | None:
    """Return the refusal that names the text which answers from a later day on; None when none does.

    Where the rare words of the question tell such a text best, it alone is looked at.
    """
    later = _later(decision)
    refusal = _ended_among(decision, later) if later else ended(decision)
    coming = refusal is not None and _is_to_come(refusal.related[0], decision.parts.library, decision.day)
    return refusal if coming else None


def with_later(decision: Decision) -> Decision:
    """Return a refused decision with the text of a later day that the question tells best, by its place or surely, answer or not."""
    made, library, day = decision.answer, decision.parts.library, decision.day
    if made is None or made.refusal is None or made.refusal.reason is Reason.NOT_IN_FORCE_ON_DAY:
        return decision
    place = decision.query.filters.province
    meant = [i for i in _later(decision) if library.row(i).province == place or decision.rarity[i] >= rare_words.MARGIN]
    texts = [library.regulation(i) for i in meant]
    tips = [
        f"{not_in_force.status_of(t, day, library)}，也有所问的用词。{not_in_force.instead(t, day, library)[0]}"
        for t in texts
    ]
    return replace(decision, answer=replace(made, refusal=replace(made.refusal, tips=(*tips, *made.refusal.tips))))


def _later(decision: Decision) -> list[str]:
    """Return the texts to come that the rare words of the question tell best of all."""
    row, best = decision.parts.library.row, max(decision.rarity.values(), default=0.0)
    return [i for i, w in decision.rarity.items() if w == best and row(i).validity.on(decision.day) is Status.PENDING]


def _is_over(hit: Hit, library: Library, day: Day) -> bool:
    ends = library.row(hit.chunk.regulation_id).validity.ends
    return ends is not None and ends <= day


def _is_to_come(hit: Hit, library: Library, day: Day) -> bool:
    """Tell whether the very article of a hit begins after the day."""
    return library.row(hit.chunk.regulation_id).validity.on(day, hit.chunk.label) is Status.PENDING


def _to_come(decision: Decision, hits: Sequence[Hit]) -> Refusal | None:
    """Return the refusal over the first words that are not yet law and hold what is asked; None when none do."""
    parts, query, day = decision.parts, decision.query, decision.day
    fitting, _ = tables.fit(tables.AskedRow.of(query, parts.rules), hits, parts.library.regulation)
    for hit in fitting:
        text = parts.library.regulation(hit.chunk.regulation_id)
        lacks = tables.found_row(text, hit.chunk.span) is None and quantities.lacking(query.text, [hit.chunk.text])
        if not lacks and evidence.carries(query, hit, parts):
            message = (
                f"回答这个问题的条文还没有施行：{not_in_force.status_of(text, day, parts.library, hit.chunk.label)}。"
            )
            tips = tuple(not_in_force.instead(text, day, parts.library, hit.chunk.label))
            return Refusal(Reason.NOT_IN_FORCE_ON_DAY, message, tips, (hit,))
    return None


def in_its_place(decision: Decision, lapse: Refusal) -> Decision | None:
    """Return the decision kept to the text that ended the one a refusal names (契税法 for 契税暂行条例), where it has the first hit."""
    library, own = decision.parts.library, decision.hits[0].chunk.regulation_id
    if library.row(lapse.related[0].chunk.regulation_id).validity.ended_by != library.row(own).title:
        return None
    hits = tuple(hit for hit in decision.hits if hit.chunk.regulation_id == own)
    named = replace(decision.named, tips=(*decision.named.tips, lapse.message))
    return replace(decision, hits=hits, named=named, only=(own,))


def of_its_year(answer: Answer, ask: Callable[[str], Answer], library: Library) -> Answer:
    """Return the answer to a question that opens with a past year, by the law of that year (2018年未批先建罚多少).

    A year that the quotes themselves speak of is what is asked about, no day. The middle of the year is asked
    first, then its end; where neither answers from the same text or surely what today's law leaves in doubt, the law of today stands, named as such, but never of a
    named text that had not begun by then (1990年电力法). ``answer``
    is by the law of today, with the remark ``year`` among what was read; ``ask`` answers another wording.
    """
    remarked = any(e.fact == "year" for e in answer.query.read)
    digits = days.BARE_YEAR.search(answer.query.text) if remarked else None
    if (
        digits is None
        or answer.mode in (about.MODE, revisions.MODE)
        or any(digits[1] in q.text + q.citation.title for q in answer.quotes)
    ):
        return answer
    no = answer.refusal
    lapsed_today = no is not None and no.reason is Reason.NOT_IN_FORCE_ON_DAY
    lacks_year = no is not None and f"写明{digits[1]}年" in no.message and not ANNUAL.search(answer.query.text)
    if no is not None and not lapsed_today and not lacks_year:
        return answer
    year, titles = f"{digits[1]}年", {quote.citation.title for quote in answer.quotes}
    last = dt.date(int(digits[1]), 12, 31)
    if (unborn := _unborn(answer, last, library)) is not None:
        return Answer(answer.query, last, (), unborn, Confidence(1.0), answer.trace_id, degraded=answer.degraded)
    for tail in ("时", "底"):
        found = ask(f"{answer.query.text[: digits.end()]}{tail}{answer.query.text[digits.end() :]}")
        early = found.refusal is not None and found.refusal.reason is Reason.NO_TEXTS_FOR_FILTER
        surer = found.confidence.overall >= calibration.DIRECT > answer.confidence.overall
        same = not found.refusal and _answers(found.quotes[0], titles, asked_by_name=lapsed_today)
        if (early and no) or same or (surer and not found.refusal and not no):
            return found
    later = {q.citation.title: q.citation.effective for q in answer.quotes if (q.citation.effective or last) > last}
    tips = [
        f"{in_marks(title)}的这一版本自 {day} 起施行，{year}时的版本未收录：引文不能作为{year}的依据。"
        for title, day in later.items()
    ]
    verdict = Directness.HUMAN if tips else answer.verdict
    return replace(answer, verdict=verdict, tips=tuple(dict.fromkeys((*tips, *answer.tips))))


def _unborn(answer: Answer, last: Day, library: Library) -> Refusal | None:
    """Return the refusal where texts are named and each of them began after a day, None where one had begun or none is named."""
    named = [m for m in answer.query.mentions if m.regulation_ids]
    versions = [library.regulation(i) for m in named for i in m.regulation_ids]
    starts = [v.validity.first_effective or v.validity.effective for v in versions]
    if not starts or any(start is None or start <= last for start in starts):
        return None
    return not_in_force.refusal(named[0], versions, last, library)


def _answers(quote: Quote, titles: Set[str], *, asked_by_name: bool) -> bool:
    """Tell whether a quote by the law of a year is of the texts that answer today, or where none does, an article."""
    cited = quote.citation
    return asked_by_name or cited.title in titles or (not titles and (cited.article or "").endswith("条"))


def within(answer: Answer, library: Library) -> Answer:
    """Return the answer to a question about a range of days (2018年时) with the day taken and every change in the range."""
    asked = answer.query.period
    if asked is None:
        return answer
    words = next((e.words for e in answer.query.read if e.fact == "day"), "所问时间")
    notes = f"“{words}”是 {asked.first} 至 {asked.last}，按其中的 {answer.day} 判断时效。"
    ids = [q.regulation_id for q in answer.quotes]
    ids += [i for m in answer.query.mentions for i in m.regulation_ids]
    rows = [library.row(i) for i in dict.fromkeys(ids)]
    tips = tuple(dict.fromkeys(tip for row in rows for tip in _changes(row, asked, answer.day, library.rows())))
    tips = tips or ("如要查其中某一天的规定，请写明日期或选择适用日期。",)
    refusal = answer.refusal and replace(answer.refusal, tips=(notes, *tips, *answer.refusal.tips))
    kept = answer.tips if refusal else (*tips, *answer.tips)
    return replace(answer, understood=answer.understood + notes, refusal=refusal, tips=kept)


def contradicted(answer: Answer) -> Answer:
    """Return the answer with what its words overruled of the chosen filters (所选与所问不一致), where it does not say so yet."""
    words = tuple(e.words for e in answer.query.read if e.fact == "conflict" and e.words not in answer.tips)
    if not words:
        return answer
    if answer.refusal is not None:
        told = tuple(dict.fromkeys((*words, *answer.refusal.tips)))
        return replace(answer, refusal=replace(answer.refusal, tips=told))
    return replace(answer, tips=(*words, *answer.tips))


def with_earlier(answer: Answer, library: Library) -> Answer:
    """Return the answer with the version before beside each quote that is not surely law yet, its start being derived (推定)."""
    if answer.refusal or not any(_doubtful(q) for q in answer.quotes):
        return answer
    quotes, told = [], {q.regulation_id for q in answer.quotes}
    for quote in answer.quotes:
        cited = quote.citation
        by = (quote.regulation_id, cited.file)
        held = (r for r in library.rows() if _doubtful(quote) and r.validity.ended_by in by)
        row = next((r for r in held if r.validity.on(answer.day).may_answer), None)
        if row is None:
            quotes.append(quote)
            continue
        said = f"施行日期推定在 {cited.effective} 至 {cited.effective_latest} 之间，{answer.day} 时可能尚未施行；此前的{_version(row)}可能仍然有效。"
        quotes.append(replace(quote, citation=replace(cited, warnings=(*cited.warnings, said))))
        before = library.regulation(row.id)
        same = before.find(cited.label)
        if row.id not in told and same is not None:
            quotes.append(Quote.cut(before, trim(before.text, same.span), answer.day, score=quote.score))
    return replace(answer, quotes=tuple(quotes))


def _doubtful(quote: Quote) -> bool:
    return quote.citation.status is Status.UNKNOWN and quote.citation.effective_derived


def _changes(row: RegulationRow, asked: DayRange, day: Day, rows: Sequence[RegulationRow]) -> list[str]:
    """Name both versions where one text took the place of another in the range."""
    start, end = row.validity.effective, row.validity.ends
    notes = []
    if end is not None and asked.first < end <= asked.last:
        later = next((r for r in rows if row.validity.ended_by in (r.id, r.file)), None)
        then = f"此后是{_version(later)}" if later else "此后不再有效"
        notes.append(f"{_version(row)}到 {end} 为止，{then}；引文按 {day} 取。")
    if start is not None and asked.first < start <= asked.last:
        earlier = next((r for r in rows if r.id != row.id and r.validity.ended_by in (row.id, row.file)), None)
        if earlier is not None:
            notes.append(
                f"{_version(earlier)}到 {earlier.validity.ends} 为止，此后是{_version(row)}；引文按 {day} 取。"
            )
        else:
            notes.append(f"{_version(row)}也在所问时间之内；此前的版本未收录。")
    return notes


def _version(row: RegulationRow) -> str:
    return f"{in_marks(row.title)}（{row.validity.began}的版本）"
