"""引文复核: every quote that was given in an answer, with its article and its original page, for a second pair of eyes."""

from nemo.ui.review import reviewing
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("review")
frame.header("引文复核", "A 通过 · X 驳回 · Q 存疑 · ←→ 切换；驳回的引文立即退出答复")
reviewing.draw()
