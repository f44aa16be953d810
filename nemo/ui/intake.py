"""Upload, results and the queue of failures (上传、结果、失败队列)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from nemo.ui import choices, frame, inbox, jobs, safe
from nemo.ui.jobs import Batch

if TYPE_CHECKING:
    from nemo.ingest import Outcome, Report

_ROUND = "_intake_round"
"""Rises after each hand-over: a new widget key makes Streamlit let go of the uploaded bytes."""

_MODES = {"files": "文件", "folder": "整个文件夹"}

_OUTCOMES = (("stored", "已入库"), ("replaced", "已替换"), ("unchanged", "未变化"), ("failed", "失败"))


def upload_form() -> None:
    """Draw the uploader with the facts that hold for the whole batch."""
    with st.container(border=True, key="uploader", gap="small"):
        folder = st.segmented_control(
            "选择方式", list(_MODES), format_func=_MODES.__getitem__, default="files",
            required=True, label_visibility="collapsed", key="intake_mode",
        )  # fmt: skip
        uploads = _uploader(folder == "folder")
        facts, wrong = _facts()
        for words in wrong:
            st.html(f'<p class="quiet bad">{safe.text(words)}</p>')
        start = st.button(
            f"开始入库（{len(uploads)} 个文件）" if uploads else "开始入库", type="primary", key="intake_start",
            icon=":material/play_arrow:", disabled=not uploads or bool(wrong),
        )  # fmt: skip
    if start:
        _hand_over(uploads, facts)


def _uploader(folder: bool) -> Sequence[inbox.Upload]:
    turn = st.session_state.setdefault(_ROUND, 0)
    limit = frame.engine().settings.max_file_mb
    uploads = st.file_uploader(
        "文件", accept_multiple_files="directory" if folder else True, max_upload_size=limit,
        label_visibility="collapsed", key=f"intake_files_{folder}_{turn}",
    )  # fmt: skip
    st.html(
        f'<p class="quiet">PDF、Word（.docx）、网页、Markdown、纯文本及其 zip 包，单个不超过 {limit} MB。'
        "格式按内容识别，与扩展名无关；读不了的文件连同原因保留在下方，其余照常入库。</p>"
    )
    return uploads or []


def _facts() -> tuple[dict[str, object], list[str]]:
    """Draw the optional facts; return those that were given and what is wrong with them."""
    rules = frame.engine().rules
    facts: dict[str, object] = {}
    with st.container(horizontal=True, gap="small", key="batch_facts"):
        for kind, title in choices.KINDS.items():
            known = choices.names(rules, kind)
            given = st.selectbox(
                title,
                list(known),
                index=None,
                format_func=known.__getitem__,
                placeholder="自动识别",
                key=f"fact_{kind}",
                width=150,
            )
            if given:
                facts["assets" if kind == "asset" else kind] = [given] if kind == "asset" else given
        url = (st.text_input("来源网址", placeholder="https://", key="fact_url", width=320) or "").strip()
    st.html('<p class="quiet">以上各项可不填，留空时从文本中读取；填写后对本批全部文件生效，并优先于文本。</p>')
    if url:
        facts["url"] = url
    return facts, ["来源网址须以 http:// 或 https:// 开头。"] if url and not safe.link(url, url).startswith(
        "<a"
    ) else []


def _hand_over(uploads: Sequence[inbox.Upload], facts: dict[str, object]) -> None:
    runner = jobs.runner()
    runner.take_in(inbox.store(runner.folder, uploads, facts), "入库")
    st.session_state[_ROUND] += 1
    st.rerun()


def results() -> None:
    """Draw what became of the finished batches, newest first."""
    finished = [batch for batch in jobs.runner().batches() if not batch.active]
    if not finished:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<h2 class="section-head">本次运行的结果</h2>')
        st.button("清空列表", type="tertiary", icon=":material/clear_all:", on_click=jobs.runner().clear, key="clear")
    for batch in finished:
        _result(batch)


def _result(batch: Batch) -> None:
    if batch.problem:
        frame.notice("bad", f"{batch.title}：{batch.problem.title}", batch.problem.words, batch.problem.tips)
        return
    took = batch.ended - batch.began
    report = batch.report
    if report is None:
        frame.notice("good", f"{batch.title}：完成", f"用时 {took:.1f} 秒")
        return
    counts = " · ".join(f"{words} {len(report.of(state))}" for state, words in _OUTCOMES)
    st.html(f'<p class="cite"><b>{safe.text(batch.title)}</b> <span>{counts} · 用时 {took:.1f} 秒</span></p>')
    rows = [_row(words, outcome) for state, words in reversed(_OUTCOMES) for outcome in report.of(state)]
    if rows:
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            key=f"result_{batch.number}",
            placeholder="",
            alt="入库结果",
            column_config={
                "结果": st.column_config.TextColumn(width=80),
                "说明": st.column_config.TextColumn(width=320),
            },
        )
    if report.unknown_fields:
        frame.notice("info", "清单中有未识别的字段，已原样保留为备注", "、".join(map(str, report.unknown_fields)))


def _row(words: str, outcome: Outcome) -> dict[str, str]:
    return {
        "结果": words,
        "文件": safe.visible(outcome.name),
        "法规": "、".join(outcome.titles),
        "说明": _why(outcome),
    }


def _why(outcome: Outcome) -> str:
    if outcome.reason:
        return "".join((outcome.reason, *outcome.tips))
    return f"有 {outcome.faults} 处解析问题，见法规页" if outcome.faults else ""


def failures() -> None:
    """Draw the queue of files that could not be read; each can be tried again or dismissed."""
    waiting = frame.engine().failures()
    if not waiting:
        return
    st.html(f'<h2 class="section-head">待处理的文件<span>{len(waiting)} 个文件未能入库，原件已保留</span></h2>')
    rows = [{"文件": safe.visible(f.name), "原因": "".join((f.message, *f.tips))} for f in waiting]
    picked = st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        key="failures",
        on_select="rerun",
        selection_mode="multi-row",
        placeholder="",
        alt="未能入库的文件",
        column_config={"原因": st.column_config.TextColumn(width=520)},
    )
    chosen = [waiting[row].id for row in picked.selection.rows if row < len(waiting)]
    words = f"所选 {len(chosen)} 个" if chosen else "全部"
    ids = chosen or [failure.id for failure in waiting]
    with st.container(horizontal=True, gap="small"):
        st.button(f"重试{words}", icon=":material/refresh:", on_click=_retry, args=(ids,), key="retry")
        st.button(
            "忽略所选", icon=":material/delete:", on_click=_dismiss, args=(chosen,), key="dismiss", disabled=not chosen
        )


def _retry(ids: list[int]) -> None:
    engine = frame.engine()

    def work(_: object) -> Report:
        reports = [engine.retry(one) for one in ids]
        outcomes = tuple(outcome for report in reports for outcome in report.outcomes)
        return replace(reports[0], outcomes=outcomes)

    jobs.runner().submit("重试", len(ids), work)


def _dismiss(ids: list[int]) -> None:
    for one in ids:
        frame.engine().dismiss(one)
