"""What runs in the background, seen by every session: batches of files, and upkeep (后台任务).

Batches live in the catalogue, so they are still here after leaving the page, in another browser and after a restart.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.ui.admin import maintenance
from nemo.ui.admin.maintenance import MaintenanceTask
from nemo.ui.shared import frame, login, safe, tables

if TYPE_CHECKING:
    from nemo.ingest.jobs import BatchView, FileView
    from nemo.types import Progress

STATES = {"queued": "排队中", "running": "处理中", "done": "完成", "failed": "失败", "cancelled": "已取消"}

_COLUMNS = {"大小": st.column_config.NumberColumn(format="bytes", width=90), "状态": 80, "说明": 320}
_NAMED = 3
"""Names of files at work that are shown."""


def busy() -> bool:
    """Tell whether anything is queued or runs."""
    return frame.engine().library.jobs.busy() or maintenance.runner().at_work is not None


def progress_view(details: bool = False) -> None:
    """Show running work (``details``: its files); redraws itself while there is some, and the page once it ends."""
    active = busy()
    frame.fragment(partial(_running, active, details), 1.0 if active else None)


def _running(was_active: bool, details: bool) -> None:
    engine = frame.engine()
    batches = (
        engine.intake.batches(active=True) if engine.library.jobs.busy() else []
    )  # most pages never need the intake
    task = maintenance.runner().at_work
    if was_active and not (batches or task):
        st.rerun()
    for batch in reversed(batches):
        with st.container(border=True, gap="xsmall", key=f"batch_{batch.id}"):
            _batch(batch, details)
    if task:
        with st.container(border=True, gap="xsmall", key="task"):
            _task(task)


def _batch(batch: BatchView, details: bool) -> None:
    st.progress(
        batch.done / batch.total,
        text=safe.label(f"{batch.title} · {batch.done} / {batch.total} · {_pace(batch)}"),
    )
    names = [safe.name(file.name) for file in batch.files if file.state == "running"]
    if names:
        more = f" 等 {len(names)} 个" if len(names) > _NAMED else ""
        st.html(f'<p class="quiet">正在处理：{"、".join(names[:_NAMED])}{more}</p>')
    if batch.problem:
        frame.notice("warn", "入库已暂停", batch.problem)
    if not login.may("ingest"):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        listed = details and st.toggle("逐个文件", key=f"files_{batch.id}")
        if batch.problem:
            st.button(
                "立即重试", icon=":material/refresh:", on_click=frame.press, args=(frame.engine().intake.jobs.resume,),
                key=f"resume_{batch.id}",
            )  # fmt: skip
        st.button(
            "取消", icon=":material/cancel:", type="tertiary", on_click=_cancel, args=(batch.id,),
            key=f"cancel_{batch.id}", help="已入库的文件保留，其余不再处理",
        )  # fmt: skip
    if listed:
        _files(batch)


def _cancel(batch: str, files: tuple[int, ...] = ()) -> None:
    """Cancel a batch or some files of it; one that is forgotten by now needs nothing."""
    frame.act_all(partial(frame.engine().intake.jobs.cancel, batch, file) for file in files or (None,))


def _files(batch: BatchView) -> None:
    """Draw every file of a running batch; chosen ones can be cancelled."""
    rows = [file_row(file) for file in batch.files]
    picked = tables.grid(rows, f"table_{batch.id}", "这一批的文件", _COLUMNS, [f.id for f in batch.files], "说明")
    chosen = tuple(batch.files[row].id for row in picked)
    st.button(
        f"取消所选 {len(chosen)} 个" if chosen else "取消所选", on_click=_cancel, args=(batch.id, chosen),
        disabled=not chosen, key=f"cancel_files_{batch.id}", icon=":material/cancel:",
    )  # fmt: skip


def file_row(file: FileView) -> dict[str, object]:
    """Return one file as a row of a table."""
    reasons = [f"{o.name}：{o.reason}" if len(file.outcomes) > 1 else o.reason for o in file.outcomes if o.reason]
    return {"文件": file.name, "大小": file.size, "状态": STATES[file.state], "说明": "；".join(reasons)}


def _pace(work: BatchView | Progress) -> str:
    """Return how fast something goes and how long it may take, in words."""
    words, left = f"{work.chunks} 个片段" if work.chunks else "正在准备", work.seconds_left or 0
    if work.chunks and work.seconds:
        words += f" · {work.chunks / work.seconds:.0f} 个/秒"
    if left <= 0:
        return words
    return words + (f" · 约剩 {left:.0f} 秒" if left < 90 else f" · 约剩 {left / 60:.0f} 分钟")


def _task(task: MaintenanceTask) -> None:
    done = task.progress
    if done is None:
        st.progress(0.0, text=f"{task.title} · 正在准备")
        return
    share = min(done.done / done.total, 1.0) if done.total else 0.0
    st.progress(share, text=f"{task.title} · {done.done} / {done.total} · {_pace(done)}")
