"""Versions of one regulation side by side, article by article, and its relations (版本对照)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from nemo.lawview import comparison
from nemo.lawview.timeline import named_units
from nemo.text.letter.titles import in_marks
from nemo.text.versions.edits import Op
from nemo.types import Regulation
from nemo.ui.answer import citation, view
from nemo.ui.library import relations, timeline
from nemo.ui.shared import frame, safe

if TYPE_CHECKING:
    from nemo.lawview import Link, TimelineEvent
    from nemo.store.catalogue.rows import RegulationRow

_TONES = {
    comparison.ProvisionChange.CHANGED: "warn",
    comparison.ProvisionChange.MOVED: "info",
    comparison.ProvisionChange.ADDED: "good",
    comparison.ProvisionChange.REMOVED: "bad",
}


def draw(regulation: Regulation, day: dt.date) -> None:
    """Draw the versions, the comparison with a chosen one, and the relations."""
    rows = frame.engine().versions(regulation.id)
    st.html('<h3 class="side-head">版本</h3>')
    for row in reversed(rows):
        _version(row, row.id == regulation.id, day)
    timeline_of = frame.engine().timeline(regulation.id, day)
    timeline.draw(timeline_of.stretches, day)
    _parts(regulation, day)
    others = {row.id: _label(row) for row in reversed(rows) if row.id != regulation.id}
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
    _events(timeline_of.events)
    _relations(regulation, day)


def _label(row: RegulationRow) -> str:
    return f"{row.version_date or row.validity.effective or '日期未知'} {row.document_number or ''}".strip()


def _version(row: RegulationRow, current: bool, day: dt.date) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"version_{row.id}"):
        began = row.validity.began
        here = citation.badge("正在查看", "info") if current else ""
        words = (
            f"<b>{safe.name(_label(row))}</b> {citation.status_badge(row.validity.on(day))} <span>{began}</span> {here}"
        )
        st.html(f'<p class="cite">{words}</p>')
        if not current:
            st.page_link(
                frame.page_path("library"), label="打开", icon=":material/menu_book:", query_params={"r": row.id}
            )


def _parts(regulation: Regulation, day: dt.date) -> None:
    """Draw what of the text starts on a day of its own, with its status on the chosen day."""
    known = regulation.validity
    if not known.scopes:
        return
    st.html('<h3 class="side-head">另有施行日期的条款</h3>')
    lines = "".join(
        f"<tr><td>{safe.text(named_units(regulation, scope.labels))}</td><td>{scope.effective or '未定'}</td>"
        f"<td>{citation.status_badge(known.on(day, scope.labels[0]))}</td>"
        f'<td class="verbatim">{safe.text(scope.evidence.words)}</td></tr>'
        for scope in known.scopes
    )
    head = "<thead><tr><th>条款</th><th>施行</th><th>时效</th><th>依据</th></tr></thead>"
    st.html(f'<div class="scroll"><table class="plain">{head}<tbody>{lines}</tbody></table></div>')


def _side_by_side(one: Regulation, other: Regulation) -> None:
    old, new = sorted((one, other), key=lambda r: str(r.version_date or r.validity.effective or ""))
    found = comparison.diff(old, new)
    with st.container(horizontal=True, vertical_alignment="center", key="diff_bar"):
        only_changed = st.toggle("只看有变化的条文", True, key=f"changed_{one.id}")
        st.caption(" · ".join(f"{kind} {count}" for kind, count in found.counts.items() if count))
    pairs = found.only_changes().pairs if only_changed else found.pairs
    if not pairs:
        frame.notice("good", "两个版本的条文完全相同")
        return
    head = f"<div>旧版 {_date(old)}</div><div>新版 {_date(new)}</div>"
    st.html(f'<div class="diff"><div class="pair heads">{head}</div>{"".join(map(_line, pairs))}</div>')


def _date(regulation: Regulation) -> str:
    return safe.text(str(regulation.version_date or regulation.validity.effective or "日期未知"))


def _line(pair: comparison.ProvisionPair) -> str:
    left, right = changes(pair)
    kind = (
        citation.badge(pair.kind.value, _TONES[pair.kind]) if pair.kind is not comparison.ProvisionChange.SAME else ""
    )
    if pair.renumbered and pair.old and pair.new:
        kind += f' <span class="quiet">原{safe.text(pair.old.name)} → 现{safe.text(pair.new.name)}</span>'
    timeline_of = f'<div class="what">{kind}</div>' if kind else ""
    return f'<div class="pair">{timeline_of}<div class="verbatim">{left}</div><div class="verbatim">{right}</div></div>'


def changes(pair: comparison.ProvisionPair) -> tuple[str, str]:
    """Return both sides of a line as HTML, what only one of them says marked; every character of both is there."""
    missing = '<span class="quiet">（无）</span>'
    if pair.old is None or pair.new is None:
        left = f"<del>{safe.prose(pair.old.text)}</del>" if pair.old else missing
        return left, f"<ins>{safe.prose(pair.new.text)}</ins>" if pair.new else missing
    if not pair.edits:
        return safe.prose(pair.old.text), safe.prose(pair.new.text)
    left = "".join(_edit(edit.old.of(pair.old.text), "del", edit.op is Op.EQUAL) for edit in pair.edits)
    return left, "".join(_edit(edit.new.of(pair.new.text), "ins", edit.op is Op.EQUAL) for edit in pair.edits)


def _edit(words: str, tag: str, equal: bool) -> str:
    if equal or not words:
        return safe.prose(words)
    return f"<{tag}>{safe.prose(words)}</{tag}>"


def _relations(regulation: Regulation, day: dt.date) -> None:
    found = frame.engine().relations(regulation.id, day)
    for link in found.repealed_bases:
        frame.notice("warn", "上位法已废止，待核", f"本文所依据的《{link.title}》已废止。")
    if found.links:
        st.html('<h3 class="side-head">关系图</h3>')
        relations.draw(regulation, found.links)
    for title, inward in (("本文所指", False), ("指向本文", True)):
        some = [link for link in found.links if link.inward is inward]
        if some:
            st.html(f'<h3 class="side-head">{title}</h3>')
        for number, link in enumerate(some):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"tie_{inward}_{number}"):
                st.html(_tie(link))
                if link.regulation_id:
                    view.library_link("打开", link.regulation_id)
    if not found.links:
        st.caption("没有读到与其他法规的关系。")


def _tie(link: Link) -> str:
    kind = citation.badge(link.kind, "warn" if "废止" in link.kind or "修改" in link.kind else "")
    held = citation.status_badge(link.status) if link.status else citation.badge("未入库", "unknown")
    number = f" {safe.name(link.number)}" if link.number and link.number != link.title else ""
    times = f" · {link.count} 次" if link.count > 1 else ""
    return f'<p class="cite">{kind} {safe.name(in_marks(link.title))}{number} {held} <span>{safe.text(link.words)}{times}</span></p>'


def _events(events: Sequence[TimelineEvent]) -> None:
    """Draw the dated events of all versions as a list."""
    if not events:
        return
    st.html('<h3 class="side-head">沿革</h3>')
    lines = "".join(
        f"<tr><td>{event.day}</td><td>{safe.text(event.kind)}{_detail(event)}</td>"
        f'<td class="verbatim">{safe.text(event.words)}</td><td>{event.origin.value}</td></tr>'
        for event in events
    )
    head = "<thead><tr><th>日期</th><th>事项</th><th>依据</th><th>来源</th></tr></thead>"
    st.html(f'<div class="scroll"><table class="plain">{head}<tbody>{lines}</tbody></table></div>')


def _detail(event: TimelineEvent) -> str:
    """Return the articles concerned as they are, the name of a text in book marks; safe to show."""
    if not event.detail:
        return ""
    return " " + safe.name(event.detail if event.detail.startswith("第") else in_marks(event.detail))
