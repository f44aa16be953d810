"""What the list pages of official sites offer, to be chosen for download (线索)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from nemo.ui.shared import frame, tables

if TYPE_CHECKING:
    from nemo.types import Lead

_FOUND = "_intake_leads"


def browse(field: str, most: int) -> None:
    """Draw the choice of sites, their lists, and the button that fills the field of this key, which is drawn later."""
    sites = {source.code: source.name for source in frame.engine().rules.sources if source.mode == "list"}
    with st.expander("从官方网站的栏目中选", icon=":material/travel_explore:"):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            chosen = st.multiselect(
                "来源", list(sites), format_func=sites.__getitem__, key="lead_sites", width=420,
                placeholder="请选择一个或多个来源",
            )  # fmt: skip
            st.button("列出文件", on_click=_list, args=(tuple(chosen),), disabled=not chosen, key="list_leads")
        if leads := st.session_state.get(_FOUND):
            _table(leads, field, most)


def _list(codes: Sequence[str]) -> None:
    """Read the lists; each visit waits for its turn, so this takes seconds."""

    def read() -> None:
        engine = frame.engine()
        survey = engine.intake.finder().leads(codes)
        held = {row.url for row in engine.regulations()}
        st.session_state[_FOUND] = [lead for lead in survey.leads if lead.url not in held]
        for place, words in survey.problems:
            frame.say("warn", f"未能读取{place.name}", words)
        if not st.session_state[_FOUND] and not survey.problems:
            frame.say("info", "没有新文件", "这些栏目上的文件都已在库中，或栏目里没有可识别的文件链接。")

    frame.act(read)


def _table(leads: Sequence[Lead], field: str, most: int) -> None:
    rows = [{"标题": lead.title, "网址": lead.url} for lead in leads]
    picked = tables.grid(rows, "leads", "栏目中的文件", {"标题": 420, "网址": 320}, leads)
    addresses = [leads[row].url for row in picked][:most]
    st.button(
        f"填入所选 {len(addresses)} 个网址" if addresses else "填入所选", on_click=_fill, args=(field, addresses),
        disabled=not addresses, key="fill_leads", help=f"一次最多 {most} 个",
    )  # fmt: skip


def _fill(field: str, addresses: Sequence[str]) -> None:
    st.session_state[field] = "\n".join(addresses)
