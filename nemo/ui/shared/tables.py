"""The two ways to draw a table: rows of HTML to be read, and a grid to be sorted and chosen from (表格)."""

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from nemo.ui.shared import safe


def plain(heads: Sequence[str], rows: Iterable[Iterable[object]], kind: str = "") -> str:
    """Return a table; heads are ours, cells are HTML or numbers, ``kind`` is a constant class. Without heads it has no head."""
    head = "".join(f"<th>{words}</th>" for words in heads)
    lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{lines}</tbody>"
    return f'<div class="scroll"><table class="plain {kind}">{table}</table></div>'


def verbatim(words: str) -> str:
    """Return a cell with words of a text."""
    return f'<span class="verbatim">{safe.text(words)}</span>'


def grid(
    rows: Sequence[Mapping[str, Any]],
    key: str,
    alt: str,
    columns: Mapping[str, Any] | None = None,
    choose: Sequence[object] | None = None,
    wrap: str = "",
) -> list[int]:
    """Draw rows that can be sorted; their words are foreign.

    Args:
        rows: A value for each column; what a row lacks stays empty.
        key: Of the grid.
        alt: What the grid holds, for who does not see it.
        columns: Width in pixels of a column, or what Streamlit shall make of it.
        choose: What each row stands for, where rows may be chosen. A choice holds as long as the rows stand for the same:
            Streamlit keeps it by number, and in a list that moved on the same number is another row.
        wrap: The column whose cells are shown whole, over several lines.

    Returns:
        The numbers of the chosen rows.
    """
    import pandas as pd  # a third of a second: a page that only may draw a grid does not pay for it

    shown = [{name: safe.visible(v) if isinstance(v, str) and v else v for name, v in row.items()} for row in rows]
    shown = [row | {wrap: _SPACED.sub("\u00a0", row[wrap])} if row.get(wrap) else row for row in shown]
    given = {n: st.column_config.TextColumn(width=c) if isinstance(c, int) else c for n, c in (columns or {}).items()}
    selecting: dict[str, Any] = {}
    if choose is not None:
        selecting = {"on_select": "rerun", "selection_mode": "multi-row"}
    width = columns.get(wrap) if columns else None
    picked = st.container(key=key).dataframe(
        pd.DataFrame(shown).fillna(""), hide_index=True, key=f"{key}_{zlib.crc32(repr(choose).encode()):x}", alt=alt,
        placeholder="", column_config=given,
        row_height=row_height((str(row.get(wrap) or "") for row in rows), width // _LETTER) if width else None,
        **selecting,
    )  # fmt: skip
    return list(picked.selection.rows) if choose is not None else []


_SPACED = re.compile("(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])")
"""A blank beside a Chinese character: the grid takes it for the only place where its line may break."""
_LETTER, _WRAPS, _MOST_LINES = 15, 62, 8
"""Pixels of a letter; Streamlit breaks lines in rows of more than four rem; and no row is higher than so many lines."""


def row_height(cells: Iterable[str], letters: int) -> int | None:
    """Return the height in pixels of rows that show the longest cell whole, None where one line does."""
    lines = -(-max(map(len, cells), default=0) // letters)
    return max(_WRAPS, 8 + 20 * min(lines, _MOST_LINES)) if lines > 1 else None


def plot(
    rows: Sequence[Mapping[str, Any]], mark: str, axes: Sequence[Mapping[str, Any]], key: str, alt: str, height: int
) -> None:
    """Draw rows as a chart of ``line`` or ``bar``; ``axes`` say what goes along, up and by colour, in the words of Vega-Lite.

    Written as it goes to the browser: the library that writes such words takes most of a second to load.
    """
    import pandas as pd

    named = dict(zip(("x", "y", "color"), ({"title": None, **one} for one in axes), strict=True))
    shown = {"type": mark, "point": mark == "line", "tooltip": True}
    st.vega_lite_chart(
        pd.DataFrame(rows), {"mark": shown, "encoding": named}, width="stretch", height=height, key=key, alt=alt
    )
