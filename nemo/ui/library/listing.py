"""The list of held regulations with facets and search (法规列表)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from nemo.types import CITABLE, Status, today
from nemo.ui.shared import choices, frame, safe
from nemo.ui.shared.choices import ChosenFilters

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import RegulationRow

_PREFIX = "list"
_WRITTEN, _WRONG, _LEFT = "_list_written", "_list_wrong", "_list_left"
"""The address of the controls, what was wrong with it, and whether another page was looked at since."""
_OWN = {"words": "list_words", "status": "list_时效性", "level": "list_效力级别"}
"""Controls of the list beside the common filters, by their names in the address."""
_SHORT = 18
"""Rows that are shown without a scroll bar of their own."""


def draw() -> None:
    """Draw the filters and the table; choosing a row opens the regulation."""
    engine = frame.engine()
    rows = choices.ordered(engine.regulations(), engine.rules)
    wanted, words, status, level = _filters(rows)
    homes = choices.homes(rows)
    kept = [row for row in rows if wanted.province in (None, homes[row.id])]
    found = [row for row in kept if _fits(row, wanted, status, level) and _says(row, words)]
    for problem in st.session_state.get(_WRONG, ()):
        frame.notice("warn", "链接中的条件有误", problem)
    if not found:
        st.caption(f"0 / {len(rows)} 部法规")
        frame.notice("info", "没有符合条件的法规", "请放宽筛选条件，或在“上传入库”中补充文件。")
        return
    by_name = _by_name(found, len(rows))
    picked = st.dataframe(
        _table(found, wanted.day or today()), hide_index=True, key="list_table", on_select="rerun",
        selection_mode="single-cell", placeholder="", height="content" if len(found) < _SHORT else 667, alt="法规列表",
        column_config=_COLUMNS,
    )  # fmt: skip
    if picked.selection.cells or by_name is not None:
        chosen = found[picked.selection.cells[0][0] if by_name is None else by_name]
        st.switch_page(frame.page_path("library"), query_params={"r": chosen.id} | _on(wanted.day))


def _by_name(found: Sequence[RegulationRow], held: int) -> int | None:
    """Draw how many there are, and the choice of one by its name: a cell opens as soon as it has the keyboard, so the grid has none."""
    with st.container(horizontal=True, vertical_alignment="center", key="list_bar"):
        st.caption(f"{len(found)} / {held} 部法规 · {choices.provisions(found)} · 点任意一格打开", width="stretch")
        return st.selectbox(
            "按名称打开", range(len(found)), index=None, key="list_open", placeholder="按名称打开", width=300,
            format_func=lambda at: choices.called(found[at]), label_visibility="collapsed",
        )  # fmt: skip


def _filters(rows: Sequence[RegulationRow]) -> tuple[ChosenFilters, str, str | None, str | None]:
    _follow()
    with st.container(border=True, key="filters", gap="small"):
        day = choices.get(_PREFIX).day or today()
        held = {row.validity.on(day).value for row in rows if row.nature in CITABLE}
        with st.container(horizontal=True, gap="small", key="question_row"):
            words = st.text_input(
                "搜索", type="search", live=True, key=_OWN["words"], icon=":material/search:", label_visibility="collapsed",
                on_change=_write, placeholder="标题、文号、发布机关或文件名，可用空格分开多个词", width="stretch",
            )  # fmt: skip
            status = _pick("时效性", [status.value for status in Status if status.value in held])
            level = _pick("效力级别", sorted({row.level for row in rows if row.level}))
            choices.draw_day(_PREFIX, _write)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filter_row"):
            choices.draw(_PREFIX, frame.engine().rules, rows, _write, listed=True)
    return choices.get(_PREFIX), words or "", status, level


def _follow() -> None:
    """Set the controls from an address that did not come from them (a link, 后退, a cell of the map of coverage)."""
    given, state = st.query_params.to_dict(), st.session_state
    left = state.pop(_LEFT, False)
    if f"{_PREFIX}_day" in state and given == state.get(_WRITTEN, {}) and not left:
        return
    chosen, state[_WRONG] = choices.read(given, frame.engine().rules, listed=True)
    choices.put(_PREFIX, chosen)
    state.update({key: given.get(name) for name, key in _OWN.items()})
    state[_WRITTEN] = given


def _write() -> None:
    state = st.session_state
    own = {name: state.get(key) or "" for name, key in _OWN.items()}
    state[_WRONG], state[_WRITTEN] = [], {n: v for n, v in own.items() if v} | choices.get(_PREFIX).params()
    st.query_params.from_dict(state[_WRITTEN])


def leave() -> dict[str, str]:
    """Return the address of the list as it was last looked at; who comes back finds its controls set from there.

    They are set anew even where the session still has their values: the browser forgets those of a page that was left.
    """
    st.session_state[_LEFT] = True
    return dict(st.session_state.get(_WRITTEN, {}))


def _pick(title: str, known: list[str]) -> str | None:
    chosen = st.session_state.get(key := f"list_{title}")
    return st.selectbox(
        title, list(dict.fromkeys([*known, *filter(None, [chosen])])), index=None, placeholder=f"{title}：全部", key=key,
        width=160, label_visibility="collapsed", on_change=_write,
    )  # fmt: skip


def _on(day: dt.date | None) -> dict[str, str]:
    return {"as_of": day.isoformat()} if day else {}


def _fits(row: RegulationRow, wanted: ChosenFilters, status: str | None, level: str | None) -> bool:
    return (
        choices.of_kind(row, wanted.asset, wanted.doc_class)
        and (status is None or (row.nature in CITABLE and row.validity.on(wanted.day or today()).value == status))
        and (level is None or row.level == level)
    )


def _says(row: RegulationRow, words: str) -> bool:
    searched = " ".join(filter(None, (row.title, row.document_number, row.issuer, row.file))).casefold()
    return all(word in searched for word in words.casefold().split())


_COLUMNS = {
    "标题": st.column_config.TextColumn(width=290), "时效性": st.column_config.TextColumn(width=118),
    "省份": st.column_config.TextColumn(width=70), "级别": st.column_config.TextColumn(width=110),
    "文号": st.column_config.TextColumn(width=150), "发布机关": st.column_config.TextColumn(width=260),
    "施行日期": st.column_config.DateColumn(format="YYYY-MM-DD", width=100),
    "条（点）": st.column_config.NumberColumn(width=80, help="不分条的文件，按“一、二、三”等要点计"),
    "缺陷": st.column_config.NumberColumn(width=60, help="解析时发现、读者应当知道的问题数"),
    "片段": st.column_config.NumberColumn(width=60), "文件": st.column_config.TextColumn(width=200),
}  # fmt: skip


def _table(rows: Sequence[RegulationRow], day: dt.date) -> pd.DataFrame:
    rules, homes = frame.engine().rules, choices.homes(rows)
    return pd.DataFrame(
        {
            # First, for on a phone what stands behind the title is cut
            "时效性": choices.standing(row, day, rules).partition("（")[0],
            "标题": safe.visible(row.title),
            "施行日期": row.validity.effective,
            "省份": choices.named(rules, "province", [homes[row.id]]),
            "能源类型": choices.named(rules, "asset", row.assets) or choices.WITHOUT["asset"],
            "文件类别": choices.named(rules, "doc_class", [row.doc_class]) or choices.WITHOUT["doc_class"],
            "级别": row.level or "",
            "发布机关": row.issuer or "",
            "文号": row.document_number or "",
            "条（点）": row.articles or row.points,
            "片段": row.count,
            "缺陷": row.faults,
            "文件": safe.visible(row.file),
        }
        for row in rows
    )
