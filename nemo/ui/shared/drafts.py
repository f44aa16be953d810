"""What was typed and not sent comes back after a reload (草稿): kept by the browser, in its tab, for who typed it."""

from pathlib import Path

import streamlit as st

from nemo.ui.shared import frame

_DRAFTS = st.components.v2.component(
    "nemo_drafts",
    html="<i></i>",
    js=Path(__file__).with_name("drafts.js").read_text("utf-8"),
)
"""Keeps what stands in a field otherwise than the app put it there, by address and key of the field, at most 50 fields
and a million letters; it goes when the field is emptied, when the app took it (the address or a new page shows it) or a button
did its work, when somebody else signs in, and with the tab.

Passwords are never kept; nothing leaves the browser but by the field itself, as if it were typed.
"""


def draw() -> None:
    """Watch the fields of the page for as long as it is open."""
    with st.sidebar:
        _DRAFTS(
            data={"person": getattr(st.session_state.get(frame.PERSON), "name", ""), "sent": frame.acts_done()},
            key="drafts",
        )
