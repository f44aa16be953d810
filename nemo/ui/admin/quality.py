"""Measures of the answers, day by day, as a chart: refusals by reason, verified share, latency, cache, diversity (每日指标)."""

from collections import defaultdict
from typing import Any

import pandas as pd
import streamlit as st

from nemo.store.records.days import DayMeasure
from nemo.types import Reason
from nemo.ui.shared import frame

DAYS = 60

_SHARES = {
    "verified": "逐字核验",
    "cached": "命中缓存",
    "diversity": "来源多样",
    "refused": "拒答",
    "invalid": "校验有误",
}
_REASONS = {
    Reason.NO_EVIDENCE: "没有依据", Reason.REGULATION_NOT_HELD: "法规未入库", Reason.ARTICLE_NOT_FOUND: "条款不存在",
    Reason.NOT_IN_FORCE_ON_DAY: "当日无效", Reason.BAD_QUESTION: "问题有误", Reason.OUT_OF_DOMAIN: "范围之外",
    Reason.NO_TEXTS_FOR_FILTER: "条件下无法规",
}  # fmt: skip


def draw() -> None:
    """Draw the figures of the newest days; nothing before the first answer."""
    measures = frame.engine().library.quality(DAYS)
    st.html(f'<h2 class="section-head">答复质量<span>最近 {DAYS} 天，每份答复发出前都经校验</span></h2>')
    if not measures:
        st.html('<p class="quiet">还没有留存的答复。</p>')
        return
    import altair as alt  # 0.9 s: only who opens this page pays for it

    shares = pd.DataFrame(_shares(measures), columns=["日期", "指标", "比例"])
    lines = alt.Chart(shares).mark_line(point=True).encode(
        x=alt.X("日期:T", title=None, axis=alt.Axis(format="%m-%d")), y=alt.Y("比例:Q", axis=alt.Axis(format="%"), title=None), color=alt.Color("指标:N", title=None),
        tooltip=["日期:T", "指标:N", alt.Tooltip("比例:Q", format=".1%")],
    )  # fmt: skip
    reasons = pd.DataFrame(_reasons(measures), columns=["日期", "原因", "次数"])
    bars = alt.Chart(reasons).mark_bar().encode(
        x=alt.X("日期:T", title=None, axis=alt.Axis(format="%m-%d")), y=alt.Y("次数:Q", title=None, axis=alt.Axis(format="d", tickMinStep=1)), color=alt.Color("原因:N", title=None),
        tooltip=["日期:T", "原因:N", "次数:Q"],
    )  # fmt: skip
    st.altair_chart(lines, width="stretch", height=220, key="quality_shares", alt="每日的核验、缓存、来源与拒答比例")
    if len(reasons):
        st.altair_chart(bars, width="stretch", height=160, key="quality_reasons", alt="每日拒答次数，按原因")
    count = sum(one.count for one in measures if one.measure == "latency_ms")
    spent = sum(one.total for one in measures if one.measure == "latency_ms")
    st.caption(
        f"{count} 份答复，平均用时 {spent / count:.0f} 毫秒。来源多样：不同法规数与引文数之比。" if count else ""
    )


def _by_day(measures: list[DayMeasure]) -> dict[Any, dict[str, DayMeasure]]:
    found: dict[Any, dict[str, DayMeasure]] = defaultdict(dict)
    for one in measures:
        found[one.day][one.measure] = one
    return found


def _shares(kept: list[DayMeasure]) -> list[tuple[Any, str, float]]:
    """Return day, name and share: of the mean of what is measured, and of all answers for what is counted."""
    rows: list[tuple[Any, str, float]] = []
    for day, measures in _by_day(kept).items():
        answers = measures["latency_ms"].count if "latency_ms" in measures else 0
        for name, label in _SHARES.items():
            if (one := measures.get(name)) is not None:
                rows.append((pd.Timestamp(day), label, one.total / one.count))
            elif name in ("refused", "invalid") and answers:
                counted = sum(m.count for key, m in measures.items() if key.startswith(f"{name}:"))
                rows.append((pd.Timestamp(day), label, counted / answers))
    return rows


def _reasons(measures: list[DayMeasure]) -> list[tuple[Any, str, int]]:
    known = {f"refused:{reason.value}": label for reason, label in _REASONS.items()}
    return [(pd.Timestamp(one.day), known[one.measure], one.count) for one in measures if one.measure in known]
