"""Versions of one regulation side by side, article by article, and its relations (版本对照)."""

from __future__ import annotations

import datetime as dt
import difflib
import re
from typing import TYPE_CHECKING

import streamlit as st

from nemo.types import Regulation, RelationKind
from nemo.ui import answer_view, citation, frame, safe, text_view

if TYPE_CHECKING:
    from nemo.store.rows import Row

_TOKEN = re.compile(r"\d+(?:\.\d+)?|[A-Za-z]+|[〔《（][^〔《（〕》）]*[〕》）]|.", re.S)
"""Numbers and bracketed references stay whole: 20→10 must not read as 2→1."""

_ENDING = (RelationKind.REPEALS, RelationKind.AMENDS, RelationKind.AMENDED_BY)


def draw(regulation: Regulation, day: dt.date) -> None:
    """Draw the versions, the comparison with a chosen one, and the relations."""
    rows = frame.engine().versions(regulation.id)
    st.html('<h3 class="side-head">版本</h3>')
    for row in reversed(rows):
        _version(row, row.id == regulation.id, day)
    others = {row.id: _told(row) for row in reversed(rows) if row.id != regulation.id}
    if others:
        with_id = st.segmented_control(
            "与此版本对照",
            list(others),
            format_func=lambda key: safe.label(others[key]),
            key=f"with_{regulation.id}",
            default=next(iter(others)),
        )
        if with_id:
            _side_by_side(regulation, frame.engine().regulation(with_id))
    st.html('<h3 class="side-head">与其他法规的关系</h3>')
    _relations(regulation)


def _told(row: Row) -> str:
    return f"{row.version_date or row.validity.effective or '日期未知'} {row.document_number or ''}".strip()


def _version(row: Row, current: bool, day: dt.date) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"version_{row.id}"):
        began = f"{row.validity.effective} 施行" if row.validity.effective else "施行日期未知"
        here = citation.badge("正在查看", "info") if current else ""
        words = (
            f"<b>{safe.name(_told(row))}</b> {citation.status_badge(row.validity.on(day))} <span>{began}</span> {here}"
        )
        st.html(f'<p class="cite">{words}</p>')
        if not current:
            st.page_link(
                frame.page_path("library"), label="打开", icon=":material/menu_book:", query_params={"r": row.id}
            )


def _side_by_side(one: Regulation, other: Regulation) -> None:
    old, new = sorted((one, other), key=lambda r: str(r.version_date or r.validity.effective or ""))
    only_changed = st.toggle("只看有变化的条文", True, key=f"changed_{one.id}")
    before, after = _articles(old), _articles(new)
    order = list(dict.fromkeys([*after, *before]))
    lines = [_row(label, before.get(label), after.get(label), only_changed) for label in order]
    shown = [line for line in lines if line]
    if not shown:
        frame.notice("good", "两个版本的条文完全相同")
        return
    head = f"<div>旧版 {_date(old)}</div><div>新版 {_date(new)}</div>"
    st.html(f'<div class="diff"><div class="pair heads">{head}</div>{"".join(shown)}</div>')


def _date(regulation: Regulation) -> str:
    return safe.text(str(regulation.version_date or regulation.validity.effective or "日期未知"))


def _articles(regulation: Regulation) -> dict[str, str]:
    whole = [block for block in text_view.blocks(regulation) if block.provision and not block.heading]
    return {block.provision.label: block.span.of(regulation.text).strip() for block in whole if block.provision}


def _row(label: str, old: str | None, new: str | None, only_changed: bool) -> str:
    if only_changed and old == new:
        return ""
    if old is None or new is None:
        missing = '<span class="quiet">（无此条）</span>'
        left = missing if old is None else f"<del>{safe.prose(old)}</del>"
        right = missing if new is None else f"<ins>{safe.prose(new)}</ins>"
    else:
        left, right = changes(old, new)
    return f'<div class="pair"><div class="verbatim">{left}</div><div class="verbatim">{right}</div></div>'


def changes(old: str, new: str) -> tuple[str, str]:
    """Return both texts as HTML, what one has and the other has not marked; equal runs of one token are absorbed."""
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    steps = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    left: list[str] = []
    right: list[str] = []
    for number, (kind, i, j, k, m) in enumerate(steps):
        lone = kind == "equal" and j - i < 2 and 0 < number < len(steps) - 1
        was, now = safe.prose("".join(a[i:j])), safe.prose("".join(b[k:m]))
        if kind == "equal" and not lone:
            left.append(was)
            right.append(now)
            continue
        left.append(f"<del>{was}</del>" if was else "")
        right.append(f"<ins>{now}</ins>" if now else "")
    return "".join(left).replace("</del><del>", ""), "".join(right).replace("</ins><ins>", "")


def _relations(regulation: Regulation) -> None:
    """Draw what a regulation refers to, with the words; held targets are links."""
    if not regulation.relations:
        st.caption("没有读到与其他法规的关系。")
    for number, relation in enumerate(regulation.relations):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"relation_{number}"):
            kind = citation.badge(relation.kind.value, "warn" if relation.kind in _ENDING else "")
            number_words = f" {safe.name(relation.target_number)}" if relation.target_number else ""
            title = f"《{safe.name(relation.target_title)}》{number_words}"
            st.html(f'<p class="cite">{kind} {title} <span>{safe.text(relation.words)}</span></p>')
            if relation.target_id:
                answer_view.library_link("打开", relation.target_id)
