"""What the library holds as pictures: a heat map of provinces and classes, and a bar of statuses (覆盖)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from nemo.types import CITABLE, Status, status_of, today
from nemo.ui.answer import download
from nemo.ui.answer.citation import TONES
from nemo.ui.library.timeline import COLOURS
from nemo.ui.shared import choices, frame, safe

if TYPE_CHECKING:
    from nemo.export.charts import Chart
    from nemo.store.catalogue.rows import RegulationRow

_TIERS = (1, 3, 10, 30, 100)
"""Texts from which on a cell is darker."""


def draw() -> None:
    """Draw the bar of statuses and the heat map for the chosen kind of energy; a choice opens the list."""
    rules, rows = frame.engine().rules, frame.engine().regulations()
    known = {choices.ANY: "全部"} | choices.offered(rules, rows, listed=True)["asset"]
    asset = st.segmented_control(
        "能源类型", list(known), format_func=known.__getitem__, required=True, key="coverage_asset",
        on_change=choices.tied("energy", "coverage_asset", known, choices.ANY),
    )  # fmt: skip
    some = [row for row in rows if choices.of_kind(row, asset or None, None)]
    st.html(statuses(some))
    matter = known[asset or choices.ANY]
    download.pictures(download.file_name("时效性", matter, str(today())), _shares(some), key="statuses")
    st.html(heat_map(some, asset or ""))
    download.pictures(download.file_name("覆盖", matter, str(today())), _grid(some, matter), key="coverage")


def _shares(rows: Sequence[RegulationRow]) -> Chart:
    from nemo.export import charts

    counts = _standings(rows)
    colours = {status.value: colour for status, colour in COLOURS.items()} | {NOT_LAW: _PALE}
    return charts.shares(
        f"时效性（{today()}，共 {len(rows)} 部）",
        [(words, counts[words], colours[words]) for words in colours if counts[words]],
    )


NOT_LAW = "不是现行规定（征求意见稿、解读等）"
_PALE = "#B9C1CC"


def _standings(rows: Iterable[RegulationRow]) -> Counter[str]:
    """Return how many texts are of each 时效性, as the list counts them; what is no law has none."""
    return Counter(status_of(row, today()).value if row.nature in CITABLE else NOT_LAW for row in rows)


def _grid(rows: Sequence[RegulationRow], asset: str) -> Chart:
    from nemo.export import charts

    held = choices.offered(frame.engine().rules, rows, listed=True)
    counts = _counted(rows)
    cells = [[counts[province, each] for each in held["doc_class"]] for province in held["province"]]
    title = f"各省各类文件的部数（{asset}，{today()}）"
    return charts.grid(title, list(held["province"].values()), list(held["doc_class"].values()), cells, _TIERS)


def _counted(rows: Sequence[RegulationRow]) -> Counter[tuple[str, str]]:
    homes = choices.homes(rows)
    return Counter((homes[row.id], row.doc_class or choices.NONE) for row in rows)


def statuses(rows: Sequence[RegulationRow]) -> str:
    """Return how many texts are in force, ended, to come … today, as one bar."""
    counts = _standings(rows)
    tones = {status.value: TONES[status] for status in sorted(Status, key=lambda s: s is not Status.IN_FORCE)}
    shown = {words: tone for words, tone in (tones | {NOT_LAW: "none"}).items() if counts[words]}
    parts = "".join(
        f'<span class="{tone}" style="flex-grow:{counts[words]}" title="{words} {counts[words]} 部"></span>'
        for words, tone in shown.items()
    )
    line = " · ".join(f"{words} {counts[words]}" for words in shown)
    legend = " · ".join(f'<i class="{tone}"></i>{words} {counts[words]}' for words, tone in shown.items())
    bar = f'<div class="shares" role="img" aria-label="时效性：{line}">{parts}</div>'
    return f'{bar}<p class="quiet key">{legend}</p>'


def heat_map(rows: Sequence[RegulationRow], asset: str = "") -> str:
    """Return how many texts there are of each province and class, as a table; nothing held is left empty.

    The lists that its cells lead to are narrowed to ``asset`` besides.
    """
    rules = frame.engine().rules
    held = choices.offered(rules, rows, listed=True)
    counts, classes = _counted(rows), held["doc_class"]
    head = "".join(f'<th scope="col">{safe.text(name)}</th>' for name in classes.values())
    lines = "".join(
        f'<tr><th scope="row">{safe.text(name)}</th>'
        + "".join(
            _cell(
                counts[province, each], f"{name} · {words}", {"province": province, "doc_class": each, "asset": asset}
            )
            for each, words in classes.items()
        )
        + "</tr>"
        for province, name in held["province"].items()
    )
    return (
        '<div class="scroll"><table class="heat" aria-label="各省各类文件的部数">'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
        '<p class="quiet">格内为部数，颜色越浓越多；空格表示没有入库，不表示没有规定；点数字看清单。</p>'
    )


def _cell(count: int, name: str, filters: Mapping[str, str]) -> str:
    """Return a cell that opens the list of its texts."""
    tier = sum(count >= least for least in _TIERS)
    label = f"{safe.text(name)}：{count} 部"
    where = urlencode({kind: code for kind, code in filters.items() if code})
    words = str(count or "")
    link = f'<a href="library?{where}" target="_self" aria-label="{label}">{words}</a>' if count else words
    return f'<td class="t{tier}" title="{label}">{link}</td>'
