"""评测: the golden set against the library as it is now."""

from nemo.ui.intake import samples
from nemo.ui.review import evaluation
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("evaluate")
frame.header("评测", "用金标集检验当前资料库的命中、引文与拒答")
if not samples.start_card():
    evaluation.draw()
