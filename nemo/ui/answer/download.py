"""Files to take away (导出): Word, Excel, PDF, and a bundle that can be checked again; written when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.export import FORMS
from nemo.ui.shared import safe

if TYPE_CHECKING:
    from nemo.export.charts import Chart

_REPORTS = {
    "docx": ("Word", ":material/description:"), "xlsx": ("Excel", ":material/table_view:"),
    "pdf": ("PDF", ":material/picture_as_pdf:"),
}  # fmt: skip
_BUNDLE = {"json": ("核验包", ":material/verified:")}
_WHAT = "引文连同位置与校验值的 JSON 文件；收到的人可在“文稿审校”页核对导出后有无改动、与资料库是否一致"
_OTHERS = {
    "html": "text/html",
    "graphml": "application/xml",
    "jsonld": "application/ld+json",
    "png": "image/png",
    "svg": "image/svg+xml",
}


_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\x7f\\/:*?\"<>|\s]+")
_LONGEST = 40


def file_name(*parts: str) -> str:
    """Return what a file says it is, made of parts that may be foreign: no system refuses it, no part is too long."""
    fit = (_NOT_IN_NAMES.sub("", safe.visible(part))[:_LONGEST].strip(".") for part in parts if part.strip())
    return "-".join(part for part in fit if part) or "Nemo"


def files(
    name: str,
    write: Callable[[str], bytes | str],
    forms: Mapping[str, tuple[str, str]],
    *,
    key: str,
    hint: str | None = None,
) -> None:
    """Draw a button for each form, by its words and its icon; ``write`` returns the file when one is pressed."""
    for form, (words, icon) in forms.items():
        st.download_button(
            words, partial(write, form), f"{name}.{form}", (FORMS | _OTHERS)[form], on_click="ignore", type="tertiary",
            icon=icon, key=f"{key}_{form}", help=hint,
        )  # fmt: skip


def menu(name: str, write: Callable[[str], bytes], *, key: str) -> None:
    """Draw a menu of file forms; ``write`` returns the file in one of ``nemo.export.FORMS``, every quote proven anew."""
    with st.popover("导出", type="tertiary", icon=":material/download:", key=f"act_{key}"), st.container(gap=None):
        files(name, write, _REPORTS, key=key)
        files(f"{name}-核验包", write, _BUNDLE, key=key, hint=_WHAT)


def pictures(name: str, chart: Chart, *, key: str) -> None:
    """Draw the buttons that give a chart as a picture, written when one is pressed."""
    from nemo.export import charts  # only who opens a chart pays for it

    forms = {form: (f"图片（{form.upper()}）", ":material/image:") for form in charts.forms()}
    with st.container(horizontal=True, gap="xsmall", key=f"pictures_{key}"):
        files(name, partial(charts.write, chart), forms, key=f"picture_{key}")
