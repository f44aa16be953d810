"""An answer as it was given, under its permanent link, with what changed since (存档答复)."""

import streamlit as st

from nemo.errors import NotFoundError
from nemo.text.versions.edits import edits, stretches
from nemo.types import Answer
from nemo.ui.answer import citation, refusal, view
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import frame, safe
from nemo.ui.shared.choices import ChosenFilters


def draw(trace_id: str) -> None:
    """Draw a stored answer; it is not asked again."""
    try:
        answer = frame.engine().library.answers.get(trace_id)
    except NotFoundError as error:
        frame.notice("warn", "没有这份存档答复", error.message, error.tips)
        return
    asked = _asked(answer)
    frame.link("按今天的资料库重新查询", "ask", "refresh", asked.params())
    st.html(f'<h2 class="section-head">{safe.text(answer.asked)}</h2>')
    st.html(
        f'<p class="quiet">存档答复 · 按 {answer.day} 的时效性 · 编号 {safe.text(answer.trace_id)} · 以下为当时的内容</p>'
    )
    if answer.refusal:  # it quotes nothing that could have changed; what came in since may answer
        refusal.draw(answer, answer.refusal, asked)
    else:
        _changes(trace_id)
        view.draw(answer, asked)


def _asked(answer: Answer) -> QuestionForm:
    f = answer.query.filters
    return QuestionForm(
        answer.asked, ChosenFilters(f.province, f.asset, f.doc_class, None, f.corpora, f.top_k, f.threshold)
    )


def _changes(trace_id: str) -> None:
    found = frame.engine().answers.changes_since(trace_id)
    if not found:
        frame.notice("good", "答复之后没有变化", "所引原文、时效与出处和当时一致。")
        return
    frame.notice("warn", f"答复之后有 {len(found)} 处变化", "引用前请核对下面的说明。")
    for number, change in enumerate(found):
        with st.container(border=True, gap="xsmall", key=f"change_{number}"):
            kind = citation.badge(change.kind.value, "warn")
            with frame.line(f"{kind} <b>引文{citation.sign(change.position)}</b> {safe.text(change.message)}"):
                if change.successor:
                    view.library_link("现有文本", change.successor, change.label)
            if change.after is not None and change.after != change.before:
                before, after = change.before, change.after
                then, now = safe.both(before, after, stretches(before, after, edits(before, after)))
                st.html(
                    '<div class="diff"><div class="pair heads"><div>当时</div><div>现在</div></div><div class="pair">'
                    f'<div class="verbatim">{then}</div><div class="verbatim">{now}</div></div></div>'
                )
