"""Files to take away (导出): Word, Excel, and a bundle that can be checked again; written when they are asked for."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from nemo.export import FORMS

_WORDS = {
    "docx": ("Word", ":material/description:"),
    "xlsx": ("Excel", ":material/table_view:"),
    "json": ("可复验的数据包", ":material/verified:"),
}


def menu(name: str, write: Callable[[str], bytes], *, key: str) -> None:
    """Draw a menu of file forms.

    Args:
        name: File name without its ending, ours.
        write: Returns the file in a form, a key of ``nemo.export.FORMS``; every quote is proven anew.
        key: Unique on the page.
    """
    with st.popover("导出", type="tertiary", icon=":material/download:", key=f"act_{key}"):
        for form, media in FORMS.items():
            words, icon = _WORDS[form]
            st.download_button(
                words,
                lambda form=form: write(form),  # type: ignore[misc]
                f"{name}.{form}",
                media,
                on_click="ignore",
                type="tertiary",
                icon=icon,
                key=f"{key}_{form}",
            )
