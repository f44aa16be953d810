"""The form in which a person states facts of a held regulation (修改法规信息)."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import streamlit as st

from nemo.errors import BadRequestError
from nemo.ingest import corrections
from nemo.types import Regulation
from nemo.ui.shared import choices, frame, login, safe

_UNKNOWN = "（未识别）"

_LINES = (("title",), ("document_number", "issuer"), ("level", "nature", "province", "doc_class"), ("assets",),
          ("promulgated", "effective_date", "in_force_from", "valid_until"), ("url",))  # fmt: skip
"""Fields that stand in one line."""

_DAYS = frozenset(("promulgated", "effective_date", "in_force_from", "valid_until"))


def draw(regulation: Regulation) -> None:
    """Draw the form, filled with what holds now, for whoever may use it."""
    if not login.may("edit"):
        return
    st.html('<h3 class="side-head">修改法规信息</h3>')
    turn = f"{regulation.id}_{frame.engine().library.generation}"  # a stored change fills the form anew
    before = corrections.values(regulation)
    with st.form(f"facts_{turn}", border=True):
        for line in _LINES:
            for name, column in zip(line, st.columns(len(line), gap="small"), strict=True):
                with column:
                    field(name, before[name], f"edit_{name}_{turn}")
        st.text_input("理由", key=f"edit_reason_{turn}", placeholder="例如：依据公告更正施行日期")
        st.html('<p class="quiet">未改动的项保持原样；清空一项即撤回此前填写的值，恢复为原文读出的值。</p>')
        st.form_submit_button(
            "保存", type="primary", icon=":material/save:", key=f"edit_save_{turn}",
            on_click=_save, args=(regulation.id, before, turn),
        )  # fmt: skip


def _save(regulation_id: str, before: Mapping[str, Any], turn: str) -> None:
    """Store what now stands in the form otherwise than ``before``."""
    given = {name: st.session_state[f"edit_{name}_{turn}"] for line in _LINES for name in line}
    changes = {name: value for name, value in given.items() if (value or None) != (before[name] or None)}
    reason = frame.typed(f"edit_reason_{turn}")

    def save() -> None:
        if changes and not reason:
            raise BadRequestError("未保存：请写明理由，以便日后核对。")
        frame.engine().intake.edit(regulation_id, changes, login.user(), reason)

    frame.act(save, "已保存，优先于文本与清单；新旧值和理由已记入审计记录")


def field(name: str, value: Any, key: str) -> Any:
    """Draw the input of one fact, filled with ``value``; return what a person put in."""
    title = corrections.FIELDS[name]
    if name in _DAYS:
        low, high = min(choices.EARLIEST, value or dt.date.max), max(choices.LATEST, value or dt.date.min)
        return st.date_input(title, value, low, high, key=key, format="YYYY-MM-DD")
    known = fixed_values(name)
    if name == "assets":
        return st.multiselect(title, list(known), value, format_func=_named(known), key=key, placeholder="各类能源")
    if known:
        options = list(known) if value is None or value in known else [*known, value]
        place = options.index(value) if value is not None else None
        return st.selectbox(title, options, place, format_func=_named(known), key=key, placeholder=_UNKNOWN)
    return st.text_input(title, value or "", key=key, placeholder=_UNKNOWN)


def _named(known: Mapping[str, str]) -> Any:
    return lambda code: known.get(code) or safe.visible(code)


def fixed_values(name: str) -> dict[str, str]:
    """Return code → name of a field with fixed values, nothing for the others."""
    rules = frame.engine().rules
    if name == "level":
        return {level.name: level.name for level in rules.levels}
    if name == "nature":
        return {nature.code: nature.name for nature in rules.natures}
    kind = "asset" if name == "assets" else name
    return choices.names(rules, kind) if kind in choices.KINDS else {}
