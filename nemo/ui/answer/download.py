"""Files to take away (导出): Word, Excel, PDF, and a bundle that can be checked again; written when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from nemo.export import FORMS
from nemo.ui.shared import safe

if TYPE_CHECKING:
    from nemo.export.charts import Chart

_WORDS = {
    "docx": ("Word", ":material/description:"), "xlsx": ("Excel", ":material/table_view:"),
    "pdf": ("PDF", ":material/picture_as_pdf:"), "json": ("核验包", ":material/verified:"),
}  # fmt: skip


_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f\\/:*?\"<>|\s]+")
_LONGEST = 40


def file_name(*parts: str) -> str:
    """Return what a file says it is, made of parts that may be foreign: no system refuses it, no part is too long."""
    fit = (_NOT_IN_NAMES.sub("", safe.visible(part))[:_LONGEST].strip(".") for part in parts if part.strip())
    return "-".join(part for part in fit if part) or "Nemo"


def menu(name: str, write: Callable[[str], bytes], *, key: str) -> None:
    """Draw a menu of file forms; ``write`` returns the file in one of ``nemo.export.FORMS``, every quote proven anew."""
    with st.popover("导出", type="tertiary", icon=":material/download:", key=f"act_{key}"):
        for form, media in FORMS.items():
            words, icon = _WORDS[form]
            st.download_button(
                words,
                lambda form=form: write(form),  # type: ignore[misc]
                f"{name}-核验包.json" if form == "json" else f"{name}.{form}",
                media,
                on_click="ignore",
                type="tertiary",
                icon=icon,
                key=f"{key}_{form}",
            )


def pictures(name: str, chart: Chart, *, key: str) -> None:
    """Draw the buttons that give a chart as a picture, written when one is pressed."""
    from nemo.export import charts  # only who opens a chart pays for it

    with st.container(horizontal=True, gap="xsmall", key=f"pictures_{key}"):
        for form in charts.forms():
            st.download_button(
                f"图片（{form.upper()}）", lambda form=form: charts.write(chart, form), f"{name}.{form}", charts.MEDIA[form],  # type: ignore[misc]
                on_click="ignore", type="tertiary", icon=":material/image:", key=f"picture_{key}_{form}",
            )  # fmt: skip
