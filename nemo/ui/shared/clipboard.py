"""Buttons that act in the browser alone: copy a text, copy a permanent link, print. No rerun, no foreign script."""

from pathlib import Path
from typing import Literal

import streamlit as st

_HTML = """<button type="button" aria-label="复制"><svg viewBox="0 -960 960 960" width="17" height="17" fill="currentColor"
aria-hidden="true"><path/></svg><span aria-live="polite"></span></button>"""

_CSS = """button{display:inline-flex;gap:.3rem;align-items:center;white-space:nowrap;font-family:var(--st-font);
font-size:.875rem;line-height:1.4;color:var(--st-text-color);background:transparent;border:0;cursor:pointer;
border-radius:var(--st-button-radius);padding:.25rem .45rem;min-height:2rem}
button:hover{color:var(--st-primary-color)}button:focus-visible{outline:2px solid var(--st-primary-color)}"""

# The text arrives through ``data`` and is only ever assigned to textContent or to the clipboard.
_JS = Path(__file__).with_name("clipboard.js").read_text("utf-8")

_BUTTON = st.components.v2.component("nemo_browser_button", html=_HTML, css=_CSS, js=_JS)


def button(
    label: str, text: str = "", *, key: str, act: Literal["copy", "link", "archive", "print"] = "copy", hint: str = ""
) -> None:
    """Draw a button that copies ``text`` exactly, copies the address ``text`` (relative to the app, of what is asked anew
    or of what is archived) made absolute, or prints the page.

    ``hint`` says what it does in full, where the label is short; both are ours.
    """
    _BUTTON(data={"label": label, "text": text, "act": act, "hint": hint or label}, key=key, width="content")
