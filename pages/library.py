"""法规库: what is held, and each regulation's text, facts, versions and original."""

import streamlit as st

from nemo.ui import frame, login, reading, samples, shelf

frame.require_frame(__file__)

login.require("ask")
reading.say_what_was_removed()
given = st.query_params.to_dict()
if "r" in given:
    st.page_link(frame.page_path("library"), label="全部法规", icon=":material/arrow_back:")
    reading.open_at(given)
else:
    frame.header("法规库", "已入库的全部法规、版本与原件")
    if not samples.start_card():
        shelf.draw()
