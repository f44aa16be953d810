"""An honest no on the page: the reason, what to try, and the nearest provisions, plainly not an answer (拒答)."""

import streamlit as st

from nemo.answer.refuse import CORPORA
from nemo.errors import NotFoundError
from nemo.store.records.answers import LACKING
from nemo.text.letter.titles import in_marks
from nemo.text.structure.tables import row_at
from nemo.text.words.sentences import trim
from nemo.types import Answer, Hit, QuotedRow, Reason, Refusal, Regulation, Span, status_of
from nemo.ui.answer import citation, feedback, view
from nemo.ui.shared import choices, frame, login, safe

_TITLES = {
    Reason.NO_EVIDENCE: "资料库中没有足以答复的原文", Reason.REGULATION_NOT_HELD: "资料库未收录所指的法规",
    Reason.ARTICLE_NOT_FOUND: "所指法规中没有这一条", Reason.NOT_IN_FORCE_ON_DAY: "在所选日期没有现行有效的规定",
    Reason.BAD_QUESTION: "无法理解这个问题", Reason.OUT_OF_DOMAIN: "不属于能源项目法规的范围", Reason.NO_TEXTS_FOR_FILTER: "所选范围内没有入库的法规",
}  # fmt: skip


def draw(answer: Answer, refusal: Refusal) -> None:
    """Draw a refused answer."""
    title = _TITLES[refusal.reason]
    if answer.query.filters.corpora:
        title = title.replace("资料库", CORPORA)
    tips = "".join(f"<li>{safe.advice(tip)}</li>" for tip in refusal.tips)
    st.html(
        '<section class="refusal" role="status">'
        f"<h2>{title}</h2><p>{safe.text(refusal.message)}</p>"
        + (f'<p class="quiet">可以尝试</p><ul>{tips}</ul>' if tips else "")
        + f'<p class="quiet">没有原文依据，不作答复 · 按 {answer.day} 的时效性 · 编号 {safe.text(answer.trace_id)}</p></section>'
    )
    if answer.understood:
        frame.notice("info", "问题的理解", answer.understood)
    view.notices(answer)
    view.next_question(answer)
    if refusal.related:
        st.html('<h3 class="side-head">相关条文（不构成答复）</h3>')
        for number, hit in enumerate(refusal.related):
            _related(hit, number, answer)
    view.why(answer)
    if refusal.reason in LACKING and login.may("ingest"):
        frame.link("为这个问题找依据", "watch", "travel_explore", {"q": answer.asked})
    feedback.draw(answer)


def _related(hit: Hit, number: int, answer: Answer) -> None:
    try:
        regulation = frame.engine().regulation(hit.chunk.regulation_id, answer.day)
    except NotFoundError:
        return  # taken out of the library since
    provision = regulation.find(hit.chunk.label)
    path = provision.path() if provision else ""
    with st.container(border=True, gap="xsmall", key=f"related_{number}"):
        other = choices.not_law(regulation, frame.engine().rules)
        status = citation.status_badge(status_of(regulation, answer.day, hit.chunk.label))
        mark = citation.badge(other, "warn", "不是现行规定") if other else status
        with frame.line(f"<b>{safe.name(in_marks(regulation.title))}{safe.text(path)}</b> {mark}"):
            view.library_link("原文", regulation.id, hit.chunk.label, answer.day)
        st.html(_words(regulation, trim(regulation.text, hit.chunk.span)))


def _words(regulation: Regulation, span: Span) -> str:
    """Return what was found, cut out of its text; a row of a table under its head."""
    if row := row_at(regulation.text, span):
        return citation.table_block(QuotedRow.of(*row, regulation.text))
    return f'<div class="verbatim related" tabindex="0">{safe.paragraph(span.of(regulation.text))}</div>'
