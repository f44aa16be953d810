"""One field that leads to pages, regulations and stored answers, by keyboard from everywhere (快速打开)."""

from collections.abc import Iterator
from pathlib import Path

import streamlit as st

from nemo.ui.shared import choices, frame, login, safe

_MOST = 6
"""Lines of each kind."""
_HISTORY = 300
"""Newest answers looked through."""

_KEYS = st.components.v2.component(
    "nemo_keys",
    html="<i></i>",
    js=Path(__file__).with_name("palette.js").read_text("utf-8"),
)
"""Puts the keyboard into the field of a dialog that opens; the arrows go along its lines, Enter opens the first one.

The words of the field go in, no markup comes out.
"""

_Target = tuple[str, str, str, dict[str, str]]
"""Icon, words, page, address."""


def draw() -> None:
    """Draw the button that opens the field; on a keyboard Ctrl or ⌘ with K."""
    with st.sidebar:
        if st.button(
            "快速打开", icon=":material/keyboard_command_key:", type="tertiary", shortcut="Mod+K", key="palette"
        ):
            st.session_state.pop("palette_words", None)
            _field()


@st.dialog("快速打开", width="medium")
def _field() -> None:
    words = st.text_input(
        "法规、页面或问过的问题", type="search", live=True, key="palette_words", icon=":material/search:",
        placeholder="法规名、文号、页面，或直接写问题", label_visibility="collapsed",
    )  # fmt: skip
    for icon, label, page, params in _targets((words or "").strip()):
        st.page_link(frame.page_path(page), label=safe.label(label, 60), icon=icon, query_params=params)
    _KEYS(key="palette_keys", data={"words": (words or "").strip()})


def _targets(words: str) -> Iterator[_Target]:
    """Yield where the words lead: pages, regulations, stored answers, and last the question itself."""
    parts = words.casefold().split()
    for stem, title, icon in frame.titles():
        if all(part in title for part in parts):
            yield icon, title, stem, {}
    if not parts:
        return
    engine = frame.engine()
    held = [row for row in engine.regulations() if _says((row.title, row.document_number, row.file), parts)]
    shown = choices.ordered(held, engine.rules)[:_MOST]
    named = [choices.called(row) for row in shown]
    for row, label in zip(shown, named, strict=True):
        from_file = f" {row.file}" if named.count(label) > 1 else ""  # several files of one version
        yield ":material/menu_book:", label + from_file, "library", {"r": row.id}
    asked = {row.question: row.trace_id for row in reversed(engine.library.answers.recent(_HISTORY, login.name()))}
    for question in [q for q in reversed(asked) if _says((q,), parts)][:_MOST]:
        yield ":material/history:", question, "ask", {"a": asked[question]}
    yield ":material/search:", f"查询“{words}”", "ask", {"q": words}


def _says(fields: tuple[str | None, ...], parts: list[str]) -> bool:
    text = " ".join(filter(None, fields)).casefold()
    return all(part in text for part in parts)
