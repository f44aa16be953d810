"""法规查询: a question under chosen filters, answered by verbatim quotes or an honest refusal."""

import streamlit as st

from nemo.ui.answer import asking, form, home, refusal, stored, view
from nemo.ui.intake import jobs, samples
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("法规查询", "逐字引用原文，标明条款、页码与当日时效；没有依据就不作答复")
if samples.start_card():
    st.stop()
if trace_id := st.query_params.get("a"):
    stored.draw(trace_id)
    st.stop()

asked, wrong = form.form(frame.engine().rules, frame.engine().regulations())
jobs.progress_view()

if wrong:
    frame.notice("bad", "链接中的筛选条件有误", "改选条件后重新查询。", tuple(wrong))
elif not asked.question.strip():
    home.draw()
else:
    answer = asking.answer(asked)
    form.remember(asked, answer)
    asking.told_otherwise(asked, answer)
    if answer.refusal:
        refusal.draw(answer, answer.refusal, asked)
    else:
        view.draw(answer, asked)
form.saved(asked if asked.question.strip() and not wrong else None)
form.recent(frame.engine().rules)
