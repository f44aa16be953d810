"""缺口: what the library lacks, those that hurt most first, each with where to get it; standards and their status."""

from nemo.ui.intake import samples
from nemo.ui.library import gaps
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("缺口", "资料库还缺什么，按妨碍答复的多少排列")
if not samples.start_card():
    gaps.draw()
    gaps.standards()
