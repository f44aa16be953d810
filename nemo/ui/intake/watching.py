"""Sources that are looked at on a schedule: how each is, and the buttons to add, visit, pause and remove (采集来源)."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from nemo.types import CHINA
from nemo.ui.answer import citation
from nemo.ui.shared import frame, login, safe, tables

_TONES = {"正常": "good", "有告警": "warn", "采集失败": "bad", "已暂停": "unknown", "尚未采集": "info"}
PLANS = {"daily": "每日", "weekly": "每周"}


def draw() -> None:
    """Draw every source, and the form to add one; redraws itself while a visit is under way."""
    if not frame.settings().discovery:
        frame.notice("info", "联网采集未开启", "需要时请管理员在设置中开启“联网采集”。已采集的文件仍可确认。")
    found = frame.engine().watch.overview()
    state = _state(found)
    frame.fragment(partial(_sources, state), 3.0 if state[0] else 15.0)
    if frame.settings().discovery:
        _form({one["subject"] for one in found})


def _state(found: Sequence[Mapping[str, Any]]) -> tuple[bool, list[Any]]:
    """Tell whether something is under way, and what the page looks different after: how visits ended, whether all is read."""
    newest = [(one["id"], v["state"], v["ended"]) for one in found for v in one["visits"][:1]]
    unread = bool(frame.engine().watch.store.papers("unread", limit=1))
    going = any(
        one["visits"][0]["state"] in ("queued", "running") for one in found if one["visits"] and not one["paused"]
    )
    return unread or going, [unread, *newest]


def _sources(drawn: tuple[bool, list[Any]]) -> None:
    found = frame.engine().watch.overview()
    if _state(found) != drawn:
        st.rerun()
    if not found:
        st.html('<p class="quiet">还没有采集来源。</p>')
    for one in found:
        _source(one)


def _source(one: Mapping[str, Any]) -> None:
    with st.container(border=True, gap="xsmall", key=f"watch_{one['id']}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            plan = PLANS.get(one["schedule"], one["schedule"])
            due = "" if one["paused"] else f" · 下次 {one['next'].astimezone(CHINA):%m-%d %H:%M}"
            when = f" · 上次成功 {one['last_success'].astimezone(CHINA):%m-%d %H:%M}" if one["last_success"] else ""
            entries = f" · 条目 {one['entries']}" if one["entries"] is not None else ""
            states = () if one["paused"] else ("queued", "running")
            at_work = next((v["state"] for v in one["visits"] if v["state"] in states), None)
            going = citation.badge({"queued": "排队", "running": "采集中"}[at_work], "info") if at_work else ""
            badge = citation.badge(one["health"], _TONES[one["health"]])
            line = f"{plan}{due}{when}{entries}"
            st.html(
                f'<p class="cite"><b>{safe.name(one["name"])}</b> {badge} {going} <span>{safe.text(line)}</span></p>'
            )
            _buttons(one)
        if one["remark"]:
            st.html(f'<p class="quiet">{safe.text(one["remark"])}</p>')
        for visit in one["visits"][:1]:
            for words in dict.fromkeys([*visit["alarms"], visit["problem"]]):
                if words:
                    st.html(f'<p class="quiet">{safe.text(words)}</p>')
        if len(one["visits"]) > 1:
            with st.expander("历史"):
                _history(one)


def _buttons(one: Mapping[str, Any]) -> None:
    number = one["id"]
    if frame.settings().discovery and not one["paused"]:
        st.button(
            "立即采集", type="tertiary", icon=":material/play_arrow:", key=f"run_{number}", on_click=_do,
            args=("run", number),
        )  # fmt: skip
    word, icon = ("恢复", ":material/resume:") if one["paused"] else ("暂停", ":material/pause:")
    st.button(
        word, type="tertiary", icon=icon, key=f"pause_{number}", on_click=_do, args=("pause", number, not one["paused"])
    )
    with st.popover("移除", type="tertiary", icon=":material/delete:", key=f"remove_{number}"):
        st.html('<p class="quiet">不再查看这一来源；已采集的文件保留。</p>')
        st.button("确定移除", key=f"removed_{number}", on_click=_do, args=("remove", number))


def _do(what: str, *given: Any) -> None:
    def act() -> None:
        service = frame.engine().watch
        if what == "pause":
            service.pause(given[0], given[1], login.user())
        else:
            getattr(service, what)(*given, login.user())
        service.start()

    frame.act(act)


def _add() -> None:
    """Add what was chosen or typed."""
    if subject := st.session_state["watch_site"] or frame.typed("watch_folder"):
        _do("add", subject, frame.typed("watch_plan") or "daily")
    else:
        frame.say("info", "还没有来源", "请选择官方来源，或写下文件夹的路径。")


def _history(one: Mapping[str, Any]) -> None:
    """Draw entries seen and new files of each visit; the table beneath says the same."""
    rows = [
        {
            "时间": v["ended"].astimezone(CHINA).strftime("%m-%d %H:%M"), "条目": v["counts"].get("entries", 0),
            "新增": v["counts"].get("new", 0), "变动": v["counts"].get("changed", 0), "失败": v["counts"].get("failed", 0),
            "流量": v["counts"].get("bytes", 0), "告警": "；".join(v["alarms"]) or v["problem"],
        }
        for v in reversed(one["visits"])
        if v["ended"]
    ]  # fmt: skip
    if not rows:
        return
    kinds = ("条目", "新增", "变动", "失败")
    long = [
        {"次": n, "时间": row["时间"], "项目": kind, "数量": row[kind]} for n, row in enumerate(rows) for kind in kinds
    ]
    turn = {"field": "次", "type": "ordinal", "axis": {"labels": False, "ticks": False}}
    number = {"field": "数量", "type": "quantitative"}
    tables.plot(
        long, "line", (turn, number, {"field": "项目", "type": "nominal"}), f"history_{one['id']}", "历次采集的数量", 140,
    )  # fmt: skip
    tables.grid(rows, f"visits_{one['id']}", "历次采集", {"流量": st.column_config.NumberColumn(format="bytes")})


def _form(known: set[str]) -> None:
    sites = {s.code: s.name for s in frame.engine().rules.sources if s.mode == "list" and s.code not in known}
    with st.expander("新增来源", icon=":material/add:", expanded=not known):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.selectbox(
                "官方来源", list(sites), format_func=sites.__getitem__, index=None, key="watch_site", placeholder="选择网站",
                width=320,
            )  # fmt: skip
            if login.may("system"):
                st.text_input(
                    "或服务器上的文件夹、对象存储", key="watch_folder", placeholder="/mnt/shared/法规 或 s3://桶/前缀", width=280,
                )  # fmt: skip
            st.selectbox(
                "计划", list(PLANS), format_func=lambda code: PLANS.get(code, code), key="watch_plan", width=160,
                accept_new_options=True, help="每日、每周，或写五段 cron，如 30 5 * * 1-5（工作日 5:30）",
            )  # fmt: skip
            st.button("开始采集", type="primary", key="watch_add", on_click=_add)
        manual = "、".join(s.name for s in frame.engine().rules.sources if s.mode != "list")
        by_hand = f"以下来源不许自动采集，请在浏览器中下载后上传：{safe.text(manual)}。" if manual else ""
        st.html(f'<p class="quiet">只访问名单内的官方网站，遵守 robots.txt 与访问间隔。{by_hand}</p>')
