"""Remarks on provisions, and works that somebody follows (批注、关注)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.errors import BadRequestError
from nemo.store.records.marks import MarkPurpose
from nemo.text.words.normalise import title_key
from nemo.types import Regulation
from nemo.ui.library import text
from nemo.ui.shared import frame, login, safe

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import Mark

_LONGEST = 500
"""Characters of a remark."""


def of(regulation: Regulation) -> list[Mark]:
    """Return everybody's remarks on a text, newest first."""
    return frame.engine().library.marks.of(MarkPurpose.NOTE, regulation.id)


def follow_button(regulation: Regulation) -> None:
    """Draw the button that follows a work in all its versions, or ends that."""
    work, marks = title_key(regulation.title), frame.engine().library.marks
    held = next((mark for mark in marks.mine(MarkPurpose.FOLLOW, login.name()) if mark.subject == work), None)
    st.button(
        "已关注" if held else "关注", icon=":material/notifications_active:" if held else ":material/notification_add:",
        type="tertiary", key="follow", on_click=_follow, args=(work, regulation.title, held.id if held else None),
        help="新版本入库或时效性改变时，在首页“有何变化”中排在最前；所关注的列在首页“关注”中",
    )  # fmt: skip


def _follow(work: str, title: str, held: int | None) -> None:
    marks, user = frame.engine().library.marks, login.name()
    if held is None:
        frame.act(lambda: marks.replace(MarkPurpose.FOLLOW, work, user, label=title))
    else:
        frame.act(lambda: marks.forget(held, user))


def editor(regulation: Regulation, label: str) -> None:
    """Draw the form for a remark and the list of one's own; they stand beside the text, which stays as it is."""
    mine = [mark for mark in of(regulation) if mark.user == login.name()]
    units = _places(regulation)
    with st.popover(f"批注 {len(mine)}" if mine else "批注", icon=":material/edit_note:", type="tertiary", key="notes"):
        turn = len(mine)  # a stored remark empties the form
        with st.form("note", border=False):
            here = label if label in units else _unit(regulation, label)
            at = list(units).index(here) if here in units else None
            st.selectbox(
                "条款", list(units), index=at, format_func=units.__getitem__, placeholder="选择条款", key=f"note_label_{turn}"
            )  # fmt: skip
            st.text_input("标出的文字（可不填，须与原文一字不差）", key=f"note_words_{turn}")
            st.text_area("批注", key=f"note_said_{turn}", max_chars=_LONGEST, height=90)
            st.form_submit_button(
                "保存",
                type="primary",
                icon=":material/save:",
                on_click=frame.press,
                args=(partial(_save, regulation, turn),),
            )
        for mark in mine:
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                where = units.get(mark.label, mark.label)
                st.html(f'<p class="quiet"><b>{safe.text(where)}</b> {safe.text(mark.note)}</p>')
                st.button(
                    "删除", icon=":material/close:", type="tertiary", key=f"bare_note_gone_{mark.id}",
                    on_click=_forget, args=(mark.id,),
                )  # fmt: skip


def _places(regulation: Regulation) -> dict[str, str]:
    """Return label → name of what may be remarked on; in a text without numbers, its paragraphs by how they begin."""
    numbered = {p.label: p.path() for p in regulation.walk() if p.step}
    blocks = [] if numbered else text.blocks(regulation)
    return numbered or {b.provision.label: text.named(b, regulation) for b in blocks if b.provision}


def _save(regulation: Regulation, turn: int) -> None:
    label: str | None = st.session_state[f"note_label_{turn}"]
    words, said = frame.typed(f"note_words_{turn}"), frame.typed(f"note_said_{turn}")
    provision = regulation.find(label) if label else None
    if provision is None or not (said or words):
        raise BadRequestError("未保存：请选择条款，并写下批注或要标出的文字。")
    if words and not text.occurrences(provision.span.of(regulation.text), words):
        raise BadRequestError("未保存：这一条中没有与所填完全一致的文字，请从正文复制。")
    at = _unit(regulation, provision.label)
    frame.engine().library.marks.put(MarkPurpose.NOTE, regulation.id, login.name(), label=at, words=words, note=said)


def _unit(regulation: Regulation, label: str) -> str:
    """Return the label of the block that shows a provision: its article, or itself."""
    article = label.split("-")[0]
    return article if regulation.find(article) is not None else label


def _forget(number: int) -> None:
    frame.act(lambda: frame.engine().library.marks.forget(number, login.name()))
