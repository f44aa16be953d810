"""An honest no on the page: the reason, what to try, and the nearest provisions, plainly not an answer (拒答)."""

import streamlit as st

from nemo.export import report
from nemo.store.records.answers import LACKING
from nemo.text.letter.titles import in_marks
from nemo.text.structure.tables import row_at
from nemo.types import Answer, Provision, QuotedRow, Refusal, Regulation, Span, status_of
from nemo.ui.answer import citation, feedback, view
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import frame, login, safe


def draw(answer: Answer, refusal: Refusal, asked: QuestionForm) -> None:
    """Draw a refused answer."""
    title, message = answer.headline
    tips = "".join(f"<li>{safe.advice(tip)}</li>" for tip in refusal.tips)
    head = (
        '<section class="refusal" role="status">'
        f"<h2>{title}</h2><p>{safe.text(message)}</p>"
        + (f'<p class="quiet">可以尝试</p><ul>{tips}</ul>' if tips else "")
        + f'<p class="quiet">没有原文依据，不作答复 · 按 {answer.day} 的时效性 · 编号 {safe.text(answer.trace_id)}</p></section>'
    )
    view.acts(answer, asked, head, "")
    if answer.understood:
        frame.notice("info", "问题的理解", answer.understood)
    view.notices(answer)
    view.next_question(answer)
    for number, near in enumerate(report.nearest(refusal, frame.engine().library)):
        if not number:
            st.html(f'<h3 class="side-head">{report.NEAREST}</h3>')
        _related(*near, number, answer)
    view.why(answer)
    if refusal.reason in LACKING and login.may("ingest"):
        frame.link("为这个问题找依据", "watch", "travel_explore", {"q": answer.asked})
    feedback.draw(answer)


def _related(regulation: Regulation, provision: Provision | None, span: Span, number: int, answer: Answer) -> None:
    label, path = (provision.label, provision.path()) if provision else ("", "")
    with st.container(border=True, gap="xsmall", key=f"related_{number}"):
        other = frame.engine().rules.not_law(regulation.nature)
        status = citation.status_badge(status_of(regulation, answer.day, label))
        mark = citation.badge(other, "warn", "不是现行规定") if other else status
        with frame.line(f"<b>{safe.name(in_marks(regulation.title))}{safe.text(path)}</b> {mark}"):
            view.library_link("原文", regulation.id, label, answer.day)
        st.html(_words(regulation, span))


def _words(regulation: Regulation, span: Span) -> str:
    """Return what was found, cut out of its text; a row of a table under its head."""
    if row := row_at(regulation.text, span):
        return citation.table_block(QuotedRow.of(*row, regulation.text))
    return f'<div class="verbatim related" tabindex="0">{safe.paragraph(span.of(regulation.text))}</div>'
