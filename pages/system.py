"""系统: health of every part, checks, rebuilds, settings in force."""

import streamlit as st

from nemo.ui import audit_view, backup_view, frame, login, system_view

frame.require_frame(__file__)

login.require("system")
frame.header("系统", "各部分状态、核验与设置")
left, right = st.columns([1.6, 1], gap="medium")
with left:
    system_view.health()
    system_view.upkeep()
with right:
    system_view.statistics()
    backup_view.draw()
system_view.gaps()
audit_view.jobs()
audit_view.trail()
system_view.settings()
