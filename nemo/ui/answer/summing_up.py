"""What the quotes say in a few sentences by a machine, below them and marked, on demand (小结)."""

from functools import partial

import streamlit as st

from nemo.answer.rendering import summary
from nemo.answer.rendering.written import GeminiSummariser
from nemo.export import sign
from nemo.export.answer import SUMMARY_NOTE
from nemo.types import Answer
from nemo.ui.shared import frame, safe

_MADE = "_summaries"
_MOST = 12
"""Answers kept per session with their summary."""


def draw(answer: Answer) -> None:
    """Draw the button, or the summary; nothing where none is configured."""
    summariser = frame.engine().parts.summariser
    if summariser is None or not answer.quotes:
        return
    made: dict[str, Answer] = st.session_state.setdefault(_MADE, {})
    if answer.trace_id not in made:
        label, key = "生成小结（由 Gemini 归纳，逐句与引文核对）", f"sum_{answer.trace_id}"
        st.button(label, icon=":material/summarize:", type="tertiary", key=key, on_click=frame.order, args=(key,))
        frame.fulfil(key, "正在归纳并核对…", partial(_make, answer, summariser, made))
        return
    _show(made[answer.trace_id], answer)


def _make(answer: Answer, summariser: GeminiSummariser, made: dict[str, Answer]) -> None:
    made[answer.trace_id] = summary.with_summary(answer, summariser)
    while len(made) > _MOST:
        del made[next(iter(made))]


def _show(summed: Answer, answer: Answer) -> None:
    found = summed.summary
    if found is None:
        frame.notice("warn", "没有小结", tips=tuple(n for n in summed.degraded if n not in answer.degraded))
    elif found.refused:
        frame.notice("warn", "小结未予显示", found.refused)
    else:
        lines = "".join(f"<li>{safe.text(s.text)} {''.join(sign(n) for n in s.quotes)}</li>" for s in found.sentences)
        st.html(
            f'<section class="notice info" role="note"><strong>小结 · {safe.text(found.by)}</strong> '
            f"<span>{safe.text(SUMMARY_NOTE)}</span><ul>{lines}</ul></section>"
        )
