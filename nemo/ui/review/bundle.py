"""Checking a bundle in the browser (核对核验包): one line per quote, with what differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from nemo.errors import NemoError
from nemo.text.letter.titles import in_marks
from nemo.ui.answer import citation
from nemo.ui.shared import frame, safe, tables

if TYPE_CHECKING:
    from nemo.export.bundle import BundleReport

_TONES = {"通过": "good", "不符": "bad", "无法核对": "warn"}
_WITH, _ALONE = "与资料库核对", "只核对核验包自身"


def draw() -> None:
    """Draw the place for the file, and what came of it."""
    with st.container(border=True, key="bundle"):
        given = st.file_uploader(
            "导出时选“核验包”得到的 JSON 文件", type="json", key="bundle_file", max_upload_size=frame.engine().settings.max_file_mb
        )  # fmt: skip
        how = st.segmented_control(
            "方式", [_WITH, _ALONE], default=_WITH, required=True, key="bundle_how", label_visibility="collapsed"
        )
    if given is None:
        return
    try:
        report = frame.engine().answers.check_bundle(given.getvalue(), alone=how == _ALONE)
    except NemoError as error:
        frame.notice("bad", "不能核对", error.message)
        return
    _result(report)


def _result(report: BundleReport) -> None:
    if report.exit_code == 0:
        frame.notice("good", "核对通过", report.told)
    else:
        frame.notice("bad" if report.exit_code == 1 else "warn", "没有全部通过", report.told, report.problems)
    st.html(safe.facts([(safe.text(name), safe.text(value)) for name, value in report.facts]))
    if report.reservation:
        frame.notice("info", "核对的范围", report.reservation)
    rows = []
    for one in report.quotes:
        mark = citation.badge(one.outcome.value, _TONES[one.outcome.value])
        remarks = "".join(f"<div>{safe.text(words)}</div>" for words in (*one.differences, *one.notes))
        rows.append((one.number, mark, f"{safe.name(in_marks(one.title))}{safe.text(one.path)}", remarks))
    if rows:
        st.html(tables.plain((), rows))
