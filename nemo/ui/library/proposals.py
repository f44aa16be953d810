"""What a model proposes for the graph: asking it, the job with its cost, and the service where people decide (候选关系)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.store.records.proposals import ProposalState
from nemo.types import Span
from nemo.ui.answer import citation
from nemo.ui.library import relations
from nemo.ui.shared import choices, frame, login, safe

if TYPE_CHECKING:
    from nemo.graph.proposals import ProposalService

_SHOWN = 30
_REASON = "proposal_reason_"
_TONES = {"待核": "warn", "已核准": "good", "已驳回": "bad"}


def draw() -> None:
    """Draw the form, the newest run and the proposals of the chosen state."""
    service = frame.engine().answers.proposals
    st.html(
        '<p class="quiet">规则没有读到的关系，可由 Gemini 提出。每条都须有原文逐字证明，否则不采用；核准之前不进入图谱、答复与导出。</p>'
    )
    if not service.configured:
        frame.notice("info", "候选关系未启用", "请管理员在设置中启用 Gemini 提出候选关系并填写密钥，然后重新启动。")
    elif login.may("edit"):
        _form(service)
    _run()
    counts = service.listing(limit=0)["counts"]
    if service.configured or any(counts.values()):
        _list(service, counts)


def _form(service: ProposalService) -> None:
    rows = {row.id: row.title for row in frame.engine().regulations()}
    mine = service.options(login.name())
    with st.expander("征询候选关系", icon=":material/psychology:", key="proposal_form"):
        chosen = st.multiselect(
            "法规", list(rows), format_func=lambda i: safe.label(rows.get(i) or i), key="proposal_texts", placeholder="选择要发送的法规"
        )  # fmt: skip
        with st.container(horizontal=True, gap="small"):
            st.text_input("模型", mine.model, key="proposal_model")
            st.number_input("思考额度", -2, 100_000, mine.thinking, key="proposal_thinking")
            st.number_input("用量上限（词元）", 1_000, 100_000_000, mine.most_tokens, 10_000, key="proposal_most")
            st.number_input("发出单价（每百万）", 0.0, 10_000.0, mine.price_sent, key="proposal_price_sent")
            st.number_input("收到单价（每百万）", 0.0, 10_000.0, mine.price_received, key="proposal_price_received")
        if chosen:
            calls, characters = service.size(chosen)
            st.caption(f"将向 Gemini 发送 {len(chosen)} 部法规的全文，{characters} 字，分 {calls} 次调用。")
        st.button(
            "开始", type="primary", disabled=not chosen, key="proposal_start", icon=":material/play_arrow:",
            on_click=frame.press, args=(partial(_begin, service),),
        )  # fmt: skip


def _begin(service: ProposalService) -> None:
    from nemo.graph.proposals import ProposalOptions

    given = (st.session_state[f"proposal_{name}"] for name in ("thinking", "most", "price_sent", "price_received"))
    options = ProposalOptions(frame.typed("proposal_model"), *given)
    service.start(st.session_state["proposal_texts"], options, login.user())


def _run() -> None:
    """Draw the newest run; while it goes on, again every second."""
    runs = frame.engine().answers.proposals.runs(1)
    if runs:
        frame.fragment(partial(_newest, runs[0]["active"]), 1 if runs[0]["active"] else None)


def _newest(was_active: bool) -> None:
    (run,) = frame.engine().answers.proposals.runs(1)
    if was_active and not run["active"]:
        st.rerun()
    dropped = "，".join(f"{why} {count}" for why, count in run["dropped"].items())
    cost = f"，费用 {run['cost']:.4f}" if run["cost"] is not None else ""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="proposal_run"):
        st.html(
            f'<p class="cite">{citation.badge(run["state"], "info" if run["active"] else "unknown")} <b>{safe.text(run["model"])}</b> '
            f"<span>{run['texts']} 部法规，{run['done']} / {run['pieces']} 次调用，提出 {run['found']} 条"
            f"{f'，未采用 {safe.text(dropped)}' if dropped else ''}；词元发出 {run['sent']}，收到 {run['received']}{cost} · "
            f"{safe.text(run['by'] or '未署名')}</span></p>"
            + (f'<p class="quiet">{safe.text(run["problem"])}</p>' if run["problem"] else "")
        )
        if run["active"] and login.may("edit"):
            st.button("停止", icon=":material/stop:", key="proposal_stop", on_click=_stop, args=(run["number"],))


def _stop(number: int) -> None:
    frame.act(lambda: frame.engine().answers.proposals.stop(number, login.user()))


def _list(service: ProposalService, counts: Mapping[str, int]) -> None:
    states = [state.value for state in ProposalState]
    chosen = st.segmented_control(
        "状态", states, required=True, key="proposal_state", format_func=lambda s: f"{s} {counts[s]}",
        on_change=choices.tied("state", "proposal_state", states, states[0]),
    )  # fmt: skip
    assert chosen is not None, "one is always chosen"
    found = service.listing(ProposalState(chosen), _SHOWN)["proposals"]
    if not found:
        st.html('<p class="quiet">没有这个状态的候选关系。</p>')
    for one in found:
        _proposal(one)
    if (more := counts[chosen] - len(found)) > 0:
        st.caption(f"另有 {more} 条，处理上面的之后依次列出。")


def _proposal(one: Mapping[str, Any]) -> None:
    at = max(0, one["sentence"].find(one["words"]))
    words = safe.marked(one["sentence"], [Span(at, at + len(one["words"]))])
    ends = f"{safe.name(one['source_name'])} —{safe.text(one['kind_name'])}→ {safe.name(one['target_name'])}"
    who = f"{one['state']}：{one['by'] or '未登录'} {one['decided'][:10]} {one['reason']}" if one["decided"] else ""
    with st.container(border=True, gap="xsmall", key=f"proposal_{one['number']}"):
        st.html(
            f'<p class="cite">{citation.badge(one["state"], _TONES[one["state"]])} <b>{ends}</b></p>'
            f'<blockquote class="quote"><span class="verbatim">{words}</span></blockquote><p class="quiet">{relations.source(one)} · {safe.text(one["model"])} 提出'
            f"{f' · {safe.text(who)}' if who else ''}</p>"
        )
        if not login.may("review"):
            return
        number = one["number"]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            st.text_input(
                "理由", key=f"{_REASON}{number}", placeholder="驳回时必须写明理由", label_visibility="collapsed", width=320,
            )  # fmt: skip
            if one["state"] != "已核准":
                st.button("核准", type="primary", key=f"approve_{number}", on_click=_decide, args=(number, True))
            if one["state"] != "已驳回":
                st.button("驳回", key=f"reject_{number}", on_click=_decide, args=(number, False))


def _decide(number: int, approved: bool) -> None:
    reason = st.session_state.get(f"{_REASON}{number}") or ""
    frame.act(
        lambda: frame.engine().answers.proposals.decide(number, approved, reason, login.user()),
        f"候选关系 {number} 已{'核准，进入图谱' if approved else '驳回'}",
    )
