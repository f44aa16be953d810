"""The whole library as one file to take away, while the app runs (下载备份)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nemo.types import today
from nemo.ui.shared import frame, login

if TYPE_CHECKING:
    from nemo.engine import Engine


def draw() -> None:
    """Draw the button; the file is made when it is pressed, and none stays on the server."""
    st.html('<h2 class="section-head">备份</h2>')
    st.download_button(
        "下载备份", partial(_made, frame.engine(), login.name()), f"Nemo资料库备份-{today()}.zip", "application/zip", on_click="ignore", key="backup",
        icon=":material/archive:", help="目录库与全部原件，逐项带校验值；索引在恢复时重建",
    )  # fmt: skip
    st.html(
        '<p class="quiet">含全部法规、原件、答复、复核与审计记录，请妥善保管。恢复须在服务器上进行，步骤见运行手册“备份与恢复”。</p>'
    )


def _made(engine: Engine, user: str | None) -> bytes:
    with engine.open_backup(user) as file:
        return file.read()
