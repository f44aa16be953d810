"""采集: sources that are looked at on a schedule, what they brought, and what a person lets into the library."""

import streamlit as st

from nemo.ui.intake import seeking, sheets, watching
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ingest")
frame.header("采集", "定期查看官方来源与共享文件夹；所得逐份确认后入库")
if "p" in st.query_params:
    st.page_link(frame.page_path("watch"), label="全部待确认", icon=":material/arrow_back:")
    sheets.one(st.query_params["p"])
elif "q" in st.query_params:
    st.page_link(frame.page_path("watch"), label="采集", icon=":material/arrow_back:")
    seeking.draw()
else:
    watching.draw()
    sheets.waiting()
    sheets.quarantine()
    seeking.draw()
