"""Questions for a day on which nothing of the kind was law: said before and after the search (时间范围)."""

from __future__ import annotations

from dataclasses import replace

from nemo.answer import lapsed
from nemo.answer.decision import Decision
from nemo.text.letter.titles import in_marks
from nemo.types import Answer, Reason, Refusal


def too_early(decision: Decision) -> Answer | None:
    """Refuse a question for a day before any held text commenced; None when some text had, or none has a known day."""
    starts = [
        (start, row.title)
        for row in decision.parts.library.rows()
        if (start := row.validity.first_effective or row.validity.effective or row.validity.promulgated) is not None
    ]
    first = min(starts, default=None)
    named = any(m.regulation_ids for m in decision.query.mentions)  # what became of it says more
    if named or first is None or decision.day >= first[0]:
        return None
    message = f"{decision.day} 早于资料库中任何法规的施行日期（最早的是 {first[0]} 施行的{in_marks(first[1])}）。"
    tips = ("请改选适用日期后重新提问。", "如要查更早的规定，请上传当时的文本。")
    return decision.refused(Refusal(Reason.NO_TEXTS_FOR_FILTER, message, tips)).answer


def ended(decision: Decision) -> Refusal | None:
    """Return the refusal that names the text which would have answered but ended before the day; None when none would."""
    parts, day = decision.parts, decision.day
    query = replace(decision.query, filters=replace(decision.query.filters, day=None))
    found, _ = parts.retriever.retrieve(query, decision.named.regulation_ids)
    hits = parts.reranker.rerank(query, found)
    if not hits or not parts.reranker.judge(query, hits).answerable:
        return None
    best = parts.library.regulation(hits[0].chunk.regulation_id)
    if best.validity.ends is None or day < best.validity.ends:
        return None
    message = f"回答这个问题的条文已不是当日的法律：{lapsed.told_of(best, day, parts.library)}。"
    return Refusal(Reason.NOT_IN_FORCE_ON_DAY, message, tuple(lapsed.instead(best, day, parts.library)), (hits[0],))
