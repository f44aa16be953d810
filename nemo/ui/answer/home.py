"""The start of a working day: what changed, one's own questions, what is held and what is missing (工作台首页)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from nemo.lawview.news import news
from nemo.store.records.marks import MarkPurpose
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import CHINA, today
from nemo.ui.answer import citation
from nemo.ui.intake import follows, samples
from nemo.ui.library import coverage
from nemo.ui.shared import choices, frame, login, safe

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import RegulationRow

_SHOWN = 6
"""Lines of each list."""
_TABS = {"": "有何变化", "mine": "我的问题", "follows": "关注", "coverage": "覆盖", "gaps": "缺口"}
"""Tabs by their names in the address."""
_FIRST_LOOK = dt.timedelta(days=30)
"""Whoever never said that they had read the news is shown those of so long."""


def draw() -> None:
    """Draw examples, then the tabs; what costs time is made when its tab is opened."""
    if st.query_params.get("lost"):
        frame.notice("info", "没有这个页面", "网址有误，或页面已改名。已打开首页，请从左侧选择。")
    samples.examples()
    parts: tuple[Callable[[], None], ...] = (_changes, _questions, follows.draw, coverage.draw, _gaps)
    for part, tab in zip(parts, frame.tabs(_TABS, "home"), strict=True):
        if tab.open:
            with tab:
                part()


def _questions() -> None:
    from nemo.ui.answer import questions  # brings pandas, a third of a second that only who opens the tab pays

    questions.draw()


def _changes() -> None:
    _alarms()
    marks, user = frame.engine().library.marks, login.name()
    read = marks.mine(MarkPurpose.READ, user)
    since = read[0].at if read else dt.datetime.now(dt.UTC) - _FIRST_LOOK
    told = follows.news_lines(since)
    found = news(frame.engine().regulations(), since, today())
    followed = {mark.subject for mark in marks.mine(MarkPurpose.FOLLOW, user)}
    when = f"自 {since.astimezone(CHINA):%Y-%m-%d %H:%M} 以来"
    if not found.stored and not found.turned:
        st.html(f'<p class="quiet">{when}，没有新入库的法规，也没有法规的时效性改变。</p>')
        return
    summary = f"新入库 {len(found.stored)} 部，时效性改变 {len(found.turned)} 部"
    with st.container(horizontal=True, vertical_alignment="center", key="news_head"):
        st.html(f'<h3 class="side-head">{when}：{summary}</h3>')
        st.button("全部已阅", type="tertiary", icon=":material/done_all:", key="news_read", on_click=_read)
    lines = [(t.row, citation.badge(f"{t.before.value} → {t.after.value}", "info")) for t in found.turned]
    lines += [(row, "") for row in found.stored]
    lines = [line for line in lines if line[0].id not in told]
    lines.sort(key=lambda line: title_key(line[0].title) not in followed)
    if shown := lines[: 2 * _SHOWN]:
        st.html("".join(_line(row, became, title_key(row.title) in followed) for row, became in shown))
    if (more := len(lines) - 2 * _SHOWN) > 0:
        frame.link(f"另有 {more} 部，见法规库", "library", "library_books")


def _line(row: RegulationRow, became: str, followed: bool) -> str:
    badges = became + (citation.badge("关注", "good") if followed else "")
    title = frame.anchor(safe.name(in_marks(row.title)), "library", {"r": row.id})
    about = safe.text(" · ".join(filter(None, (row.document_number, choices.began(row, frame.engine().rules)))))
    return f'<p class="cite news">{badges} {title} <span>{about}</span></p>'


def _read() -> None:
    frame.act(lambda: frame.engine().library.marks.replace(MarkPurpose.READ, "", login.name()))


def _alarms() -> None:
    """Draw the questions whose stored answers no longer hold, each once."""
    found = frame.engine().answers.alarms()
    if not found:
        return
    st.html(f'<h3 class="side-head">需要复查的存档答复 {citation.badge(f"{len(found)} 个问题", "warn")}</h3>')
    for number, alarm in enumerate(found[:_SHOWN]):
        row = alarm.newest.answer
        kinds = "".join(citation.badge(kind.value, "warn") for kind in alarm.newest.kinds)
        many = f" · 共 {alarm.count} 份存档" if alarm.count > 1 else ""
        line = f"{safe.name(row.question)} <span>{row.at.astimezone(CHINA):%Y-%m-%d}{many}</span>"
        with frame.line(f"{line} {kinds}", f"stale_{number}"):
            frame.link("查看变化", "ask", "difference", {"a": row.trace_id})
    if len(found) > _SHOWN:
        st.caption(f"另有 {len(found) - _SHOWN} 个问题；复查上面的之后依次列出。")


def _gaps() -> None:
    from nemo.ui.library import gaps  # brings pandas, a third of a second that only who opens the tab pays

    gaps.draw(2 * _SHOWN)
    frame.link("全部缺口", "gaps", "rule_folder")
