"""系统: health of every part, checks, rebuilds, settings in force; what costs the browser time is drawn when its tab is opened."""

import streamlit as st

from nemo.ui.admin import audit, backup, quality, system, tokens
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("system")
frame.header("系统", "各部分状态、核验与设置")
titles = {"": "状态", "quality": "答复质量", "tokens": "接口令牌", "audit": "审计记录", "settings": "当前设置"}
parts = (quality.draw, tokens.draw, audit.trail, system.settings)
state, *others = frame.tabs(titles, "system")
if state.open:
    with state:
        left, right = st.columns([1.6, 1], gap="medium")
        with left:
            system.health()
            system.upkeep()
        with right:
            system.statistics()
            backup.draw()
        audit.jobs()
for part, tab in zip(parts, others, strict=True):
    if tab.open:
        with tab:
            part()
