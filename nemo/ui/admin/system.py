"""Health of the parts, the library's figures, checks and rebuilds, and the settings in force (系统)."""

from __future__ import annotations

import streamlit as st

from nemo.settings import Settings
from nemo.ui.admin import maintenance
from nemo.ui.answer import citation
from nemo.ui.intake import jobs
from nemo.ui.shared import choices, frame, safe, tables

_DIFFERENCES = "_system_differences"


def health() -> None:
    """Draw the state of each part."""
    good, look, bad = (citation.badge(*mark) for mark in (("正常", "good"), ("请留意", "warn"), ("异常", "bad")))
    rows = [
        (safe.text(c.name), good if c.ok else bad if c.vital else look, safe.advice(c.message))
        for c in frame.engine().health()
    ]
    st.html('<h2 class="section-head">各部分状态</h2>' + tables.plain((), rows))


def statistics() -> None:
    """Draw the library's figures."""
    held = frame.engine().regulations()
    rows = (("法规", str(len(held))), ("条文", choices.provisions(held)), ("片段", str(sum(row.count for row in held))))
    st.html('<h2 class="section-head">资料库</h2>' + safe.facts(rows))


def upkeep() -> None:
    """Draw the check and the rebuild of the indexes."""
    st.html('<h2 class="section-head">核验与重建</h2>')
    with st.container(horizontal=True, gap="small"):
        st.button(
            "核验资料库", icon=":material/verified:", key="verify", help="重切每条引文、核对索引与原件指纹",
            on_click=frame.order, args=("verify",),
        )  # fmt: skip
        st.button(
            "重建索引", icon=":material/construction:", key="reindex", on_click=_reindex, help="从目录库重建两个检索索引",
        )  # fmt: skip
    frame.fulfil("verify", "正在核验…", _verify)
    found = st.session_state.get(_DIFFERENCES)
    if found == []:
        frame.notice("good", "核验通过", "引文、索引与原件指纹全部一致。")
    elif found:
        frame.notice("bad", f"发现 {len(found)} 处不一致", "请先重建索引，再核验一次。")
        st.html(tables.plain((), ([safe.advice(str(one))] for one in found)))
    jobs.progress_view()
    if (task := maintenance.runner().newest) and task.problem:
        frame.notice("bad", f"{task.title}：{task.problem.title}", task.problem.words, task.problem.tips)


def _verify() -> None:
    st.session_state[_DIFFERENCES] = frame.engine().whole.library.verify()


def _reindex() -> None:
    engine = frame.engine()
    st.session_state.pop(_DIFFERENCES, None)
    maintenance.runner().begin("重建索引", lambda tell: engine.intake.reindex(progress=tell))


def settings() -> None:
    """Draw the settings in force; a secret only says whether it is set."""
    given = frame.engine().settings
    rows = []
    for name, field in Settings.model_fields.items():
        shown = _shown(getattr(given, name), secret="SecretStr" in str(field.annotation))
        rows.append({"设置": field.description or name, "当前值": shown, "环境变量": f"NEMO_{name.upper()}"})
    st.html('<h2 class="section-head">当前设置<span>由环境变量给出，改后重新启动生效</span></h2>')
    tables.grid(rows, "settings", "当前设置", {"设置": 520, "当前值": 320, "环境变量": 240}, wrap="设置")


def _shown(value: object, *, secret: bool) -> str:
    if secret:
        return "已设置" if value else "未设置"
    if isinstance(value, bool):
        return "是" if value else "否"
    return "未设置" if value in (None, "", ()) else str(value)
