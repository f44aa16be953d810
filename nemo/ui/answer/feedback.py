"""Whether an answer was useful, in the reader's words (评价)."""

import streamlit as st

from nemo.types import Answer
from nemo.ui.shared import frame, login

_RATED = "_rated"
_MOST = 500
"""Characters of a remark."""


def draw(answer: Answer) -> None:
    """Draw 有用 and 无用 with room for a remark, once for each answer; nothing where answers are not kept."""
    if not frame.settings().keep_answers:
        return
    if answer.trace_id in st.session_state.setdefault(_RATED, set()):
        frame.notice("good", "评价已记录", "管理员可在审计记录中看到，并据此改进。")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="opinion"):
        st.html('<span class="quiet">这份答复</span>', width="content")
        for words, useful, icon in (("有用", True, ":material/thumb_up:"), ("无用", False, ":material/thumb_down:")):
            st.button(words, icon=icon, key=f"opinion_{useful}", on_click=_say, args=(answer.trace_id, useful))
        st.text_input(
            "说明", key=_remark(answer.trace_id), placeholder="可先写说明，例如：漏了本省的实施细则", label_visibility="collapsed",
            max_chars=_MOST,
        )  # fmt: skip


def _remark(trace_id: str) -> str:
    return f"opinion_remark_{trace_id}"


def _say(trace_id: str, useful: bool) -> None:
    remark = (st.session_state.get(_remark(trace_id)) or "").strip()
    if frame.act(lambda: frame.engine().answers.rate(trace_id, useful, remark, login.user())):
        st.session_state[_RATED].add(trace_id)
