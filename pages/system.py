"""系统: health of every part, checks, rebuilds, settings in force."""

import streamlit as st

from nemo.ui.admin import audit, backup, quality, system, tokens
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("system")
frame.header("系统", "各部分状态、核验与设置")
left, right = st.columns([1.6, 1], gap="medium")
with left:
    system.health()
    system.upkeep()
with right:
    system.statistics()
    backup.draw()
quality.draw()
tokens.draw()
audit.jobs()
audit.trail()
system.settings()
