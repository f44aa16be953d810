"""文稿审校: the citations of a memo, each judged beside the text."""

from nemo.ui.intake import samples
from nemo.ui.review import memo_audit
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("文稿审校", "逐处核对文稿所引法规、条款、引文、数值、日期和机关；文稿不保存")
if not samples.start_card():
    memo_audit.draw()
