"""What was read from the files that were just stored: facts with evidence, faults, structure, and the form (入库核对)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from nemo.errors import NotFoundError
from nemo.text.letter.titles import in_marks
from nemo.types import Regulation
from nemo.ui.answer import citation, view
from nemo.ui.intake import doubts
from nemo.ui.library import fact_form, source_page, text
from nemo.ui.library import regulation as reading
from nemo.ui.shared import choices, frame, safe

if TYPE_CHECKING:
    from nemo.ingest.jobs import BatchView

_READ = ("stored", "replaced", "unchanged")

_HEIGHT = 760
"""Pixels of the text beside its page."""

_BATCHES = 5
"""Of so many batches, the newest, the files are offered."""


def draw() -> None:
    """Draw a choice among the regulations of the finished batches, and what was read from the chosen one."""
    held = _held(frame.engine().intake.batches(newest=_BATCHES))
    if not held:
        return
    doubts.draw(held)
    st.html('<h2 class="section-head">核对读出的信息<span>有误的项可当场改正，改正后优先于文本</span></h2>')
    chosen = st.selectbox(
        "法规", list(held), format_func=lambda key: safe.visible(held[key]), index=None, key="stored_file",
        placeholder=f"从已入库的 {len(held)} 部中选择", label_visibility="collapsed",
    )  # fmt: skip
    if not chosen:
        return
    try:
        regulation = frame.engine().regulation(chosen)
    except NotFoundError:
        frame.notice("info", "这部法规已不在资料库中", "它可能已被移出或替换。")
        return
    _one(regulation)


def _held(batches: Iterable[BatchView]) -> dict[str, str]:
    """Return id → title of what some batches put into the library, newest batch first."""
    found: dict[str, str] = {}
    for batch in batches:
        for outcome in batch.outcomes:
            if outcome.state in _READ:
                found |= {k: t for k, t in zip(outcome.regulation_ids, outcome.titles, strict=True) if k not in found}
    return found


def _one(regulation: Regulation) -> None:
    with st.container(border=True, key="stored_facts"):
        with st.container(horizontal=True, vertical_alignment="center", key="stored_head"):
            st.html(f'<p class="cite"><b>{safe.name(in_marks(regulation.title))}</b> {_about(regulation)}</p>')
            view.library_link("打开", regulation.id)
        frame.faults(regulation.faults)
        facts, beside = st.tabs(["读出的信息", "文字与原件对照"], key=f"stored_{regulation.id}", on_change="rerun")
        if facts.open:
            with facts:
                left, right = st.columns([1, 2], gap="medium")
                left.html('<h3 class="side-head">结构</h3>' + text.outline(regulation, away=True))
                right.html('<h3 class="side-head">读出的信息及其依据</h3>' + reading.evidence(regulation))
                fact_form.draw(regulation)
        if beside.open:
            with beside:
                _beside(regulation)


def _beside(regulation: Regulation) -> None:
    """Draw what was read beside the page it was read from."""
    if not source_page.has_pages(regulation):
        st.html(f'<p class="quiet">原件不是 PDF，没有页面图像</p>{text.page(regulation, None)}')
        return
    left, right = st.columns(2, gap="medium")
    with right:
        number = source_page.view(regulation.id, None, key="beside")
    with left.container(height=_HEIGHT):
        st.html(f'<p class="quiet">第 {number} 页读出的文字</p>')
        st.html(
            f'<div class="law"><div class="block">{safe.prose(regulation.pages[number - 1].span.of(regulation.text))}</div></div>'
        )


def _about(regulation: Regulation) -> str:
    rules = frame.engine().rules
    words = (
        choices.place(regulation, rules),
        choices.named(rules, "asset", regulation.assets) or "各类能源",
        choices.named(rules, "doc_class", [regulation.doc_class]), regulation.level, choices.began(regulation, rules),
    )  # fmt: skip
    return " ".join(citation.badge(each) for each in words if each)
