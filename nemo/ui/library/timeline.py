"""When each version of a work is law, as bars over the years with the chosen day across them (时间轴)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from nemo.text.letter.titles import in_marks
from nemo.types import Status
from nemo.ui.answer import download
from nemo.ui.answer.citation import TONES
from nemo.ui.shared import safe

if TYPE_CHECKING:
    from nemo.lawview import InForcePeriod

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


def draw(title: str, stretches: Sequence[InForcePeriod], day: dt.date, told: Mapping[str, str]) -> None:
    """Draw one bar for every version whose first day is known, called as ``told`` by its id, with the ways to take the chart away."""
    found = bars(stretches, day, told)
    if not found:
        return
    st.html(picture(found, day))
    from nemo.export import charts

    taken = charts.spans(
        f"{in_marks(title)}各版本的施行期间", found, {status.value: colour for status, colour in COLOURS.items()}, day
    )
    download.pictures(download.file_name("时间轴", title, str(day)), taken, key="lifetimes")


def picture(found: Sequence[Mapping[str, Any]], day: dt.date) -> str:
    """Return bars over the years as HTML, the chosen day as a line across them."""
    first, last = min([day, *(bar["自"] for bar in found)]), max([day, *(bar["至"] for bar in found)])

    def place(when: dt.date) -> str:
        return f"{100 * (when - first).days / max((last - first).days, 1):.2f}%"

    lines = "".join(
        f'<tr><td><div class="life"><b class="{TONES[Status(bar["时效性"])]}" '
        f'style="left:{place(bar["自"])};right:calc(100% - {place(bar["至"])})"></b><i style="left:{place(day)}"></i></div>'
        f'{safe.name(bar["版本"])} <span class="quiet">{safe.text(bar["时效性"])}：{safe.text(bar["起止"])}</span></td></tr>'
        for bar in found
    )
    head = f'<caption class="quiet">各版本的施行期间，竖线为 {day}</caption>'
    return f'<table class="plain lives">{head}<tbody>{lines}</tbody></table>'


def bars(stretches: Sequence[InForcePeriod], day: dt.date, told: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return one row for every version whose first day is known, oldest first; ``told`` are their names by id."""
    known = [(s, s.start) for s in stretches if s.start is not None]
    days = [day, *(start for _, start in known), *(s.end for s, _ in known if s.end)]
    last = max(days) + _OPEN
    return [
        {
            "版本": told[stretch.regulation_id],
            "自": start,
            "至": stretch.end or last,
            "时效性": stretch.status.value,
            "起止": stretch.words,
        }
        for stretch, start in known
    ]
