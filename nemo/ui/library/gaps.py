"""What the library lacks, ranked, each with where to get it; and the table of standards (缺口、标准状态)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import streamlit as st

from nemo.lawview.shortfalls import KINDS, NOT_HELD, REFUSED
from nemo.lawview.standards import COLUMNS
from nemo.types import today
from nemo.ui.answer import citation
from nemo.ui.shared import choices, frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.lawview.shortfalls import Shortfall

_SHOWN = 20
_MORE = "_gaps_more"
"""Lines listed beyond the first ones."""


def draw(most: int = _SHOWN) -> None:
    """Draw the gaps of the chosen kinds."""
    engine = frame.engine()
    newest = [row.trace_id for row in engine.library.answers.recent(1)]
    with st.spinner("正在统计缺口…"):
        found = _counted(login.name(), str(engine.settings.library), hash(engine.state), newest, today())
    counts = Counter(one.kind for one, _ in found)
    if not found:
        st.html('<p class="quiet">没有发现缺口。</p>')
        return
    kinds = [kind for kind in KINDS if counts[kind]]
    chosen = st.pills(
        "种类", kinds, selection_mode="multi", key="gap_kinds", format_func=lambda k: f"{k} {counts[k]}", label_visibility="collapsed",
        on_change=choices.tied("kinds", "gap_kinds", kinds, []),
    )  # fmt: skip
    shown = [(one, url) for one, url in found if not chosen or one.kind in chosen]
    listed = shown[: most + st.session_state.get(_MORE, 0)]
    mixed = len({one.kind for one, _ in listed}) > 1
    st.html("".join(_line(one, url, mixed) for one, url in listed))
    if (more := len(shown) - len(listed)) > 0:
        st.button(f"再列 {min(more, _SHOWN)} 项（还有 {more} 项）", key="gap_more", on_click=_list_more)


@st.cache_resource(max_entries=8, ttl=60, show_spinner=False)
def _counted(*seen: object) -> list[tuple[Shortfall, str | None]]:
    """Return the gaps as one person sees them; they change with what ``seen`` keys: the library, the newest answer, the day.

    Counting takes an eighth of a second, and every click on the page draws it anew.
    """
    return frame.engine().watch.gaps()


def _list_more() -> None:
    st.session_state[_MORE] = st.session_state.get(_MORE, 0) + _SHOWN


def _line(one: Shortfall, url: str | None, mixed: bool) -> str:
    """Return a gap: what is missing or, as a link, the held text that has it; and the way to get it."""
    badge = citation.badge(one.kind, "warn" if one.kind in (NOT_HELD, REFUSED) else "info") if mixed else ""
    title, way = f"<b>{safe.name(one.title)}</b>", ""
    if one.regulation_id and one.kind != NOT_HELD:
        title = frame.anchor(title, "library", {"r": one.regulation_id} | ({"label": one.label} if one.label else {}))
    if login.may("ingest"):
        way = safe.link(url, "官网已列出") + frame.anchor("找依据", "watch", {"q": one.search[:200]})
    return f'<div class="gap"><p class="cite">{title} {badge} <span>{safe.text(one.why)}</span></p>{way}</div>'


def standards() -> None:
    """Draw the table of standards with the form to import one."""
    st.html('<h2 class="section-head">标准状态</h2>')
    found = frame.engine().law.standards()
    if found:
        rows = [
            {
                "编号": one.number, "名称": one.title or "", "状态": one.status,
                "废止": str(one.ends or ""), "被代替": one.replaced_by, "来源": one.source,
            }
            for one in found.values()
        ]  # fmt: skip
        tables.grid(rows, "standards", "标准及其状态")
    st.html(
        '<p class="quiet">引文提到已废止或被代替的标准时，答复会注明并指出现行标准。表格为 CSV，首行：'
        f"{safe.text('、'.join(COLUMNS))}；状态为现行、废止、被代替、即将实施之一。</p>"
    )
    if login.may("edit"):
        most = frame.engine().settings.max_file_mb
        file = st.file_uploader("导入标准状态表", type="csv", key="standards_file", max_upload_size=most)
        if file is not None:
            st.button(
                "导入", key="standards_import", type="primary", on_click=_import, args=(file.getvalue(), file.name)
            )


def _import(content: bytes, name: str) -> None:
    def work() -> None:
        frame.say("good", f"已导入 {frame.engine().law.import_standards(content, name, login.name())} 项标准")

    frame.act(work)
