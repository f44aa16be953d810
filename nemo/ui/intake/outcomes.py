"""What became of the files that were handed over, and those that wait for a person (结果、失败队列)."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.types import CHINA
from nemo.ui.library import fact_form
from nemo.ui.shared import choices, frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.ingest import FileOutcome
    from nemo.ingest.jobs import BatchView
    from nemo.store.catalogue.rows import RegulationRow

_SHOWN = 10
"""Batches listed, the newest; only the first shows its files unasked."""

_OUTCOMES = {"stored": "已入库", "replaced": "已替换", "unchanged": "未变化", "failed": "失败"}

_COLUMNS = {"结果": 70, "文件": 190, "说明": 320, "法规": 260, "文件性质": 90, "格式": 90}


def results() -> None:
    """Draw what became of the newest settled batches, newest first; each can be tried again or cleared."""
    finished = [batch for batch in frame.engine().intake.batches(newest=_SHOWN) if not batch.active]
    if not finished:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<h2 class="section-head">入库结果</h2>')
        st.button(
            "清空列表", type="tertiary", icon=":material/clear_all:", on_click=_clear, key="clear",
            args=(tuple(batch.id for batch in finished),), help="只清列表，不动资料库与失败队列",
        )  # fmt: skip
    waiting = {(failure.name, failure.message) for failure in frame.engine().intake.failures()}
    for number, batch in enumerate(finished):
        _result(batch, waiting, opened=number == 0)


def _result(batch: BatchView, waiting: Container[tuple[str, str | None]], opened: bool) -> None:
    """Draw one batch; what failed and is ``waiting`` stands in the queue, with what can be done about it, and not twice."""
    outcomes = batch.outcomes
    cancelled = [file for file in batch.files if file.state == "cancelled"]
    undone = len(cancelled) + sum(file.state == "failed" for file in batch.files)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"result_head_{batch.id}"):
        when = f"{batch.created.astimezone(CHINA):%m-%d %H:%M}"
        line = f"{when} · {counted(batch)} · 用时 {batch.seconds:.1f} 秒"
        st.html(f'<p class="cite"><b>{safe.name(batch.title)}</b> <span>{safe.text(line)}</span></p>')
        if undone:
            st.button(
                f"重试失败或取消的 {undone} 个文件", type="tertiary", icon=":material/refresh:", on_click=_retry_batch,
                args=(batch.id,), key=f"retry_{batch.id}",
            )  # fmt: skip
        listed = opened or st.toggle("列出文件", key=f"list_{batch.id}")
    held = {row.id: row for row in frame.engine().regulations()} if listed else {}
    told = [o for o in outcomes if o.state != "failed" or (o.name, o.reason) not in waiting]
    rows = [_row(outcome, held) for state in reversed(_OUTCOMES) for outcome in told if outcome.state == state]
    rows += [{"结果": "已取消", "文件": file.name} for file in cancelled]
    if rows and listed:
        tables.grid(rows, f"result_{batch.id}", "入库结果", _COLUMNS, wrap="说明")


def counted(batch: BatchView) -> str:
    """Return the figures of a batch so that they add up: files handed over, and what became of each text in them."""
    outcomes, files = batch.outcomes, len(batch.files)
    counts = {words: sum(o.state == state for o in outcomes) for state, words in _OUTCOMES.items()}
    counts["已取消"] = sum(file.state == "cancelled" for file in batch.files)
    shown = " · ".join(f"{words} {count}" for words, count in counts.items() if count)
    inside = sum(o.state == "failed" for file in batch.files if file.state == "done" for o in file.outcomes)
    total = sum(counts.values())
    several = f"，含压缩包内共 {total} 份" if total > files else ""
    within = f"（其中 {inside} 份在压缩包内，在“待处理的文件”中重试）" if inside else ""
    return f"{files} 个文件{several}：{shown}{within}"


def _row(outcome: FileOutcome, held: Mapping[str, RegulationRow]) -> dict[str, str]:
    own = [held[each] for each in outcome.regulation_ids if each in held]
    natures = fact_form.fixed_values("nature")
    return {
        "结果": _OUTCOMES[outcome.state], "文件": outcome.name, "说明": _why(outcome), "法规": "、".join(outcome.titles),
        "文件性质": "、".join(dict.fromkeys(natures.get(row.nature, row.nature) for row in own)),
        "格式": "、".join(dict.fromkeys(choices.format_name(row.parser) for row in own)),
    }  # fmt: skip


def _why(outcome: FileOutcome) -> str:
    if outcome.reason:
        return "".join((outcome.reason, *outcome.tips))
    return f"有 {outcome.faults} 条读取提示，见法规页" if outcome.faults else ""


def _retry_batch(batch: str) -> None:
    frame.act(lambda: frame.engine().intake.jobs.retry(batch))


def _clear(batches: tuple[str, ...]) -> None:
    frame.act_all(partial(frame.engine().intake.jobs.dismiss, batch) for batch in batches)


def _retry(ids: list[int]) -> None:
    frame.act(lambda: frame.engine().intake.retry_later(ids, user=login.user()), f"{len(ids)} 个文件已排队重试")


def _dismiss(ids: list[int]) -> None:
    frame.act_all((partial(frame.engine().intake.dismiss, one, login.user()) for one in ids), "已忽略 {} 个文件")


def failures() -> None:
    """Draw the queue of files that could not be read; each can be tried again or dismissed."""
    waiting = frame.engine().intake.failures()
    if not waiting:
        return
    st.html(
        f'<h2 class="section-head">待处理的文件<span>{len(waiting)} 个文件未能入库，内容相同的只列一个，原件已保留</span></h2>'
    )
    rows = [{"文件": f.name, "原因": "".join((f.message, *f.tips))} for f in waiting]
    picked = tables.grid(
        rows, "failures", "未能入库的文件", {"文件": 180, "原因": 640}, [f.id for f in waiting], "原因"
    )
    chosen = [waiting[row].id for row in picked]
    words = f"所选 {len(chosen)} 个" if chosen else "全部"
    ids = chosen or [failure.id for failure in waiting]
    with st.container(horizontal=True, gap="small"):
        st.button(f"重试{words}", icon=":material/refresh:", on_click=_retry, args=(ids,), key="retry")
        st.button(
            "忽略所选", icon=":material/delete:", on_click=_dismiss, args=(chosen,), key="dismiss", disabled=not chosen
        )
