"""各省对照: one question over several provinces side by side."""

from nemo.ui.answer import matrix
from nemo.ui.intake import samples
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("各省对照", "同一个问题，各省原文并列；没有规定的明确写出")
if not samples.start_card():
    matrix.draw()
