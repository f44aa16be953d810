"""法规库: what is held, and each regulation's text, facts, versions and original."""

import streamlit as st

from nemo.ui.intake import samples
from nemo.ui.library import listing, regulation
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
given = st.query_params.to_dict()
if "r" in given:
    before = listing.leave()
    frame.link("返回列表" if before else "全部法规", "library", "arrow_back", before)
    regulation.open_at(given)
else:
    frame.header("法规库", "已入库的全部法规、版本与原件")
    if not samples.start_card():
        listing.draw()
