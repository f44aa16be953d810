"""When each version of a work is law, as bars over the years with the chosen day across them (时间轴)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.text.letter.titles import in_marks
from nemo.types import Status
from nemo.ui.answer import download

if TYPE_CHECKING:
    from nemo.lawview import Stretch

COLOURS = {
    Status.IN_FORCE: "#2E8B57",
    Status.PENDING: "#C9822B",
    Status.AMENDED: "#B58A3C",
    Status.REPEALED: "#B4483F",
    Status.EXPIRED: "#8C5A78",
    Status.UNKNOWN: "#7C8698",
}
_OPEN = dt.timedelta(days=365)
"""How far a bar without a known end reaches beyond the last day in the picture."""
_BAR = 34
"""Height of one bar with its gap, in pixels."""
_AROUND = 80
"""Height of the years below and the colours above."""


def draw(title: str, stretches: Sequence[Stretch], day: dt.date) -> None:
    """Draw one bar for every version whose first day is known, with the ways to take the chart away."""
    found = bars(stretches, day)
    if not found:
        return
    import altair as alt  # 0.9 s: only whoever opens this tab pays for it
    import pandas as pd

    shown = [status for status in COLOURS if status.value in {bar["时效性"] for bar in found}]
    colour = alt.Scale(domain=[s.value for s in shown], range=[COLOURS[s] for s in shown])
    frame = pd.DataFrame(found).assign(**{key: lambda t, k=key: pd.to_datetime(t[k]) for key in ("自", "至")})
    bar = (
        alt.Chart(frame)
        .mark_bar(height=16, cornerRadius=3)
        .encode(
            x=alt.X("自:T", title=None, axis=alt.Axis(format="%Y", tickCount="year")),
            x2="至:T",
            y=alt.Y("版本:N", title=None, sort=None),
            color=alt.Color("时效性:N", scale=colour, legend=alt.Legend(orient="top", title=None)),
            tooltip=["版本", "时效性", "起止"],
        )
    )
    rule = alt.Chart(pd.DataFrame({"日": [pd.Timestamp(day)]})).mark_rule(strokeDash=[4, 3]).encode(x="日:T")
    height = _BAR * len(found) + _AROUND
    st.altair_chart(bar + rule, width="stretch", height=height, key="lifetimes", alt=f"各版本的施行期间，竖线为 {day}")
    from nemo.export import charts

    taken = charts.spans(
        f"{in_marks(title)}各版本的施行期间", found, {status.value: colour for status, colour in COLOURS.items()}, day
    )
    download.pictures(download.file_name("时间轴", title, str(day)), taken, key="lifetimes")


def bars(stretches: Sequence[Stretch], day: dt.date) -> list[dict[str, Any]]:
    """Return one row for every version whose first day is known, oldest first; labels are days and numbers of ours."""
    known = [(number, s, s.start) for number, s in enumerate(stretches, 1) if s.start is not None]
    days = [day, *(start for _, _, start in known), *(s.end for _, s, _ in known if s.end)]
    last = max(days) + _OPEN
    return [
        {
            "版本": f"{number}. {stretch.version_date or start}",
            "自": start,
            "至": stretch.end or last,
            "时效性": stretch.status.value,
            "起止": f"{start} 起"
            + ("（推定）" if stretch.derived else "")
            + (f"，至 {stretch.last} 止" if stretch.last else "，没有读到终止日期"),
        }
        for number, stretch, start in known
    ]
