"""Pictures, tables and formulas as a reader sees them: beside a quote, and all of a text in one list (图表)."""

from collections import Counter

import streamlit as st

from nemo import export
from nemo.errors import NemoError
from nemo.text.structure.figures import cells, figures, shown
from nemo.types import FigureKind, Quote, Regulation, ShownFigure
from nemo.ui.library import source_page
from nemo.ui.shared import choices, frame, safe

_AT_ONCE = 12
"""Figures of one page of the list."""
_ROWS = 200
"""Rows of a table that are shown."""
_THUMBNAIL, _BESIDE = 360, 520
"""Width of a picture in pixels, in the list and beside a quote."""


def has_figures(regulation: Regulation) -> bool:
    """Tell whether a text has any."""
    return bool(figures(regulation))


def beside(quote: Quote, regulation: Regulation, key: str) -> None:
    """Draw the figures of a quote of which the text as held still has the words; ``key`` is unique on the page."""
    for one in quote.figures:
        if export.figures.still_held(one.figure, regulation):
            _draw(one, regulation, f"{key}_{one.figure.number}", table=quote.table is None)


def draw(regulation: Regulation) -> None:
    """Draw the list of a text's figures, one kind or all."""
    held = figures(regulation)
    counts = Counter(figure.kind.value for figure in held)
    kinds, key = [kind.value for kind in FigureKind if counts[kind.value]], f"figure_kind_{regulation.id}"
    chosen = st.pills(
        "种类", kinds, format_func=lambda kind: f"{kind} {counts[kind]}", key=key, label_visibility="collapsed",
        on_change=choices.tied("kind", key, kinds),
    )  # fmt: skip
    listed = [figure for figure in held if chosen in (None, figure.kind.value)]
    pages = -(-len(listed) // _AT_ONCE)
    at = st.pagination(pages, key=f"figure_page_{regulation.id}_{chosen}") - 1 if pages > 1 else 0
    for figure in listed[at * _AT_ONCE : (at + 1) * _AT_ONCE]:
        with st.container(border=True, gap="xsmall", key=f"figure_{figure.number}"):
            _draw(shown(figure, regulation), regulation, f"listed_{figure.number}", wide=_THUMBNAIL)


def _draw(one: ShownFigure, regulation: Regulation, key: str, *, table: bool = True, wide: int = _BESIDE) -> None:
    figure = one.figure
    if figure.picture is not None:
        _image(regulation, figure.number, wide, one)
    st.html(
        f'<p class="cite">{safe.name(export.figures.figure_words(one))}</p>{_words(one)}'
        + (_table(cells(figure, regulation.text)) if table else "")
    )
    if figure.pages and source_page.has_pages(regulation):
        words = f"第 {figure.pages[0]} 页"
        if st.button(words, key=f"at_{key}", type="tertiary", icon=":material/find_in_page:", help="打开原件的这一页"):
            box = figure.picture.box if figure.picture is not None else ()
            words_of = None if box or figure.span.end <= figure.span.start else figure.span
            source_page.drawer(regulation.id, words_of, figure.pages[0], box)


def _image(regulation: Regulation, number: int, wide: int, one: ShownFigure) -> None:
    try:
        png = _png(regulation.id, regulation.sha256, number)
    except NemoError as error:
        frame.notice("warn", "图片无法显示", error.message, error.tips)
        return
    st.image(png, width=wide, alt=safe.visible(one.caption.text if one.caption else f"图片 {number}"))


@st.cache_data(max_entries=128, show_spinner=False)
def _png(regulation_id: str, sha256: str, number: int) -> bytes:
    """Return a picture as a PNG; ``sha256`` only keys the cache."""
    engine = frame.engine()
    return export.figures.image(engine.library, engine.regulation(regulation_id), number)


def _words(one: ShownFigure) -> str:
    """Return the words of a picture, or a formula and its variables."""
    if one.figure.kind is FigureKind.PICTURE:
        if one.text is None:
            return ""
        body = f'<div class="verbatim">{safe.prose(one.text.text)}</div>'
        return f'<details class="fold"><summary>图中文字（识别所得）</summary>{body}</details>'
    formula = f'<div class="formula verbatim">{safe.text(one.text.text)}</div>' if one.text else ""
    notes = f'<div class="quiet verbatim">{safe.prose(one.notes.text)}</div>' if one.notes else ""
    return formula + notes


def _table(rows: list[list[str]]) -> str:
    if not rows:
        return ""
    body = "".join("<tr>" + "".join(f"<td>{safe.text(cell)}</td>" for cell in row) + "</tr>" for row in rows[:_ROWS])
    more = f'<p class="quiet">其余 {len(rows) - _ROWS} 行见正文。</p>' if len(rows) > _ROWS else ""
    return f'<div class="row-table"><table><tbody>{body}</tbody></table></div>{more}'
