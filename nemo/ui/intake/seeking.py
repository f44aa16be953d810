"""From a question without an answer to a text that holds one: leads, fetched, read, let in, asked again (为这个问题找依据)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st

from nemo.types import today
from nemo.ui.answer import citation
from nemo.ui.intake.sheets import STATES
from nemo.ui.shared import choices, frame, login, safe
from nemo.watch.sheet import summary

if TYPE_CHECKING:
    from nemo.types import Lead

_FOUND = "_seek_found"
_BY = {"listed": "栏目", "custom_search": "Google", "perplexity": "Perplexity"}


def draw() -> None:
    """Draw the four steps; what is known of the question stands in the address."""
    st.html('<h2 class="section-head">为一个问题找依据</h2>')
    places = choices.names(frame.engine().rules, "province")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        question = st.text_input(
            "问题或文件名", st.query_params.get("q", ""), key="seek_words", width=520, max_chars=300
        )
        st.selectbox(
            "省份", list(places), format_func=places.__getitem__, index=None, key="seek_place", placeholder="全国",
            width=160,
        )  # fmt: skip
        newest = today().year
        st.selectbox("年份", range(newest, newest - 10, -1), index=None, key="seek_year", placeholder="不限", width=110)
        off = not frame.settings().discovery
        st.button(
            "查找线索", type="primary", icon=":material/travel_explore:", key="seek", disabled=off, on_click=_seek,
        )  # fmt: skip
    if off and "q" in st.query_params:
        frame.notice(
            "info", "联网采集未开启", "不能在官方网站上查找；需要时请管理员开启“联网采集”。手头有文件的，可直接上传。"
        )
        frame.link("上传入库", "intake", "upload_file")
    asked, leads, notes = st.session_state.get(_FOUND, ("", [], []))
    if asked and asked == question:
        st.html(f'<p class="quiet">{safe.text("；".join(notes))}。线索只是网址与标题，取回并阅读后才知道内容。</p>')
        if leads:
            _leads(leads, question)
    _brought(question)


def _brought(question: str) -> None:
    """Draw what was fetched for a question, and the way back to it once something was let in."""
    waiting = [p for p in frame.engine().watch.store.papers(limit=200) if question and p.question == question]
    for paper in waiting:
        read = paper.sheet if paper.state == "waiting" else None
        became = summary(read) if read else STATES.get(paper.state, paper.state)
        name = safe.name(paper.title or paper.name)
        with frame.line(
            f"{citation.badge('已取回', 'good')} {name} <span>{safe.text(became)}</span>", f"sought_{paper.id}"
        ):
            frame.link("查看并确认", "watch", "difference", {"p": str(paper.id)})
    if any(paper.state == "accepted" for paper in waiting):
        frame.link("再问一次", "ask", "search", {"q": question})


def _seek() -> None:
    question, state = frame.typed("seek_words"), st.session_state
    if not question:
        return frame.say("info", "还没有问题", "请写下问题或文件名。")

    def act() -> None:
        leads, notes = frame.engine().watch.seek(question, state["seek_place"], state["seek_year"])
        st.session_state[_FOUND] = (question, leads, notes)

    st.query_params["q"] = question
    frame.act(act)


def _leads(leads: Sequence[Lead], question: str) -> None:
    chosen = []
    for number, lead in enumerate(leads):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"lead_{number}"):
            if st.checkbox(safe.label(lead.title or lead.url), key=f"seek_lead_{number}"):
                chosen.append(lead)
            origin = f"{_BY.get(lead.found_by, lead.found_by)} · {urlsplit(lead.url).hostname or ''}"
            st.html(f'<p class="cite"><span>{safe.text(origin)}</span> {safe.link(lead.url, "打开")}</p>')
    st.button(
        f"取回并阅读所选 {len(chosen)} 条" if chosen else "取回并阅读所选", disabled=not chosen, key="seek_bring",
        on_click=_bring, args=(tuple(chosen), question),
    )  # fmt: skip


def _bring(leads: Sequence[Lead], question: str) -> None:
    def act() -> None:
        results = frame.engine().watch.bring(leads, question, login.user())
        for one in results:
            if one["problem"]:
                frame.say("warn", "未能取回", f"{one['lead'].url}：{one['problem']}")

    frame.act(act)
