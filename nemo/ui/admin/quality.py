"""Measures of the answers, day by day, as a chart: refusals by reason, verified share, latency, cache, diversity (每日指标)."""

from collections import defaultdict
from typing import Any

import streamlit as st

from nemo.store.records.days import DayMeasure
from nemo.types import Reason
from nemo.ui.shared import frame, tables

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
    day = {"field": "日期", "type": "temporal", "axis": {"format": "%m-%d", "tickCount": "day"}}
    share = {"field": "比例", "type": "quantitative", "axis": {"format": "%"}}
    of = {"field": "指标", "type": "nominal"}
    shares = _shares(measures)
    tables.plot(shares, "line", (day, share, of), "quality_shares", "每日的核验、缓存、来源与拒答比例", 220)
    if reasons := _reasons(measures):
        times = {"field": "次数", "type": "quantitative", "axis": {"format": "d", "tickMinStep": 1}}
        why = {"field": "原因", "type": "nominal"}
        tables.plot(reasons, "bar", (day, times, why), "quality_reasons", "每日拒答次数，按原因", 160)
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


def _shares(kept: list[DayMeasure]) -> list[dict[str, object]]:
    """Return day, name and share: of the mean of what is measured, and of all answers for what is counted."""
    rows: list[tuple[Any, str, float]] = []
    for day, measures in _by_day(kept).items():
        answers = measures["latency_ms"].count if "latency_ms" in measures else 0
        for name, label in _SHARES.items():
            if (one := measures.get(name)) is not None:
                rows.append((f"{day}T00:00", label, one.total / one.count))
            elif name in ("refused", "invalid") and answers:
                counted = sum(m.count for key, m in measures.items() if key.startswith(f"{name}:"))
                rows.append((f"{day}T00:00", label, counted / answers))
    return [dict(zip(("日期", "指标", "比例"), row, strict=True)) for row in rows]


def _reasons(measures: list[DayMeasure]) -> list[dict[str, object]]:
    known = {f"refused:{reason.value}": label for reason, label in _REASONS.items()}
    some = [one for one in measures if one.measure in known]
    return [{"日期": f"{one.day}T00:00", "原因": known[one.measure], "次数": one.count} for one in some]
