"""Facts that were read with a doubt, worst first, each one click from its place; several are corrected at once (存疑)."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from nemo.errors import BadRequestError, NemoError
from nemo.ingest import corrections
from nemo.ingest.doubts import Doubt, doubts_of
from nemo.ui.library import fact_form
from nemo.ui.shared import frame, login, tables

_MOST = 200
"""Regulations looked at, the newest."""

_COLUMNS = {
    "位置": st.column_config.LinkColumn(display_text="打开", width=60), "程度": 60, "信息": 90, "读作": 150, "原因": 300, "法规": 220,
}  # fmt: skip

_TOGETHER = (
    "nature", "issuer", "province", "level", "doc_class", "assets", "promulgated", "effective_date", "valid_until",
)  # fmt: skip
"""Facts that several regulations may share; titles and numbers are each regulation's own."""


def draw(held: Iterable[str]) -> None:
    """Draw the doubtful facts of the regulations ``held``, and the form that corrects the chosen ones."""
    held = tuple(held)
    rows = _rows(held[:_MOST], hash(frame.engine().state))
    if not rows:
        return
    among = f"前 {_MOST} 部（共 {len(held)} 部）中的 " if len(held) > _MOST else ""
    st.html(
        f'<h2 class="section-head">存疑的信息<span>{among}{len(rows)} 项是推定的、缺失的、读自不可靠的页面或删去较多的，最要紧的在前</span></h2>'
    )
    shown = [{name: value for name, value in row.items() if name != "id"} for row in rows]
    picked = tables.grid(shown, "doubts", "存疑的信息", _COLUMNS, rows, "原因")
    chosen = list(dict.fromkeys(rows[n]["id"] for n in picked))
    if chosen and login.may("edit"):
        _form(chosen)


@st.cache_data(max_entries=4, show_spinner=False)
def _rows(ids: Sequence[str], state: int) -> list[dict[str, Any]]:
    """Return a row for each doubt of each regulation, worst first; ``state`` only keys the cache."""
    found: list[tuple[int, dict[str, Any]]] = []
    for each in ids:
        try:
            regulation = frame.engine().regulation(each)
        except NemoError:
            continue  # taken out of the library since
        found += [
            (doubt.weight, _row(regulation.title, regulation.file, each, doubt)) for doubt in doubts_of(regulation)
        ]
    return [row for _, row in sorted(found, key=lambda pair: -pair[0])]


def _row(title: str, file: str, regulation_id: str, doubt: Doubt) -> dict[str, Any]:
    where = {"r": regulation_id} | ({"label": doubt.label} if doubt.label else {})
    return {
        "id": regulation_id, "程度": "高" if doubt.weight >= 4 else "中" if doubt.weight == 3 else "低",
        "位置": f"library?{urlencode(where)}", "信息": doubt.name, "读作": _read_as(doubt), "原因": doubt.message,
        "法规": title, "文件": file,
    }  # fmt: skip


def _read_as(doubt: Doubt) -> str:
    """Return what was read as a person says it; a dash where nothing was."""
    if doubt.fact == "nature":
        return fact_form.fixed_values("nature").get(doubt.value, doubt.value)
    return doubt.value or "—"


def _form(chosen: Sequence[str]) -> None:
    """Draw the form that states one fact for all chosen regulations."""
    with st.container(border=True, key="doubts_form"):
        name = st.selectbox(
            f"对所选 {len(chosen)} 部法规统一填写", _TOGETHER, format_func=corrections.FIELDS.__getitem__, key="doubts_field",
        )  # fmt: skip
        value = fact_form.field(name, [] if name == "assets" else None, f"doubts_value_{name}")
        reason = st.text_input("理由", key="doubts_reason", placeholder="例如：依据通知首页更正发布机关")
        st.button(
            "全部改正", type="primary", icon=":material/done_all:", key="doubts_save",
            on_click=frame.order, args=("doubts_save",),
        )  # fmt: skip
        frame.fulfil("doubts_save", f"正在改正 {len(chosen)} 部法规…", partial(_save, chosen, name, value, reason))


def _save(chosen: Sequence[str], name: str, value: Any, reason: str) -> None:
    if value in (None, "", []) or not reason.strip():
        raise BadRequestError("未保存：请填写新值，并写明理由，以便日后核对。")
    outcomes = frame.engine().intake.edit_all(chosen, {name: value}, login.user(), reason).outcomes
    failed = [one for one in outcomes if one.state == "failed"]
    if changed := len(outcomes) - len(failed):
        frame.say("good", f"已改正 {changed} 部法规的{corrections.FIELDS[name]}，新旧值和理由已记入审计记录")
    if same := len(chosen) - len(outcomes):
        frame.say("info", f"{same} 部法规的{corrections.FIELDS[name]}原已如此，未作改动")
    for one in failed:
        frame.say("bad", f"“{one.name}”未改", one.reason or "")
