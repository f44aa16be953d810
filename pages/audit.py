"""文稿审校: the citations of a memo, each judged beside the text; a bundle, checked again."""

from nemo.ui.intake import samples
from nemo.ui.review import bundle, memo_audit
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("文稿审校", "逐处核对文稿所引法规、条款、引文、数值、日期和机关；文稿不保存")
memo, exported = frame.tabs({"": "文稿", "bundle": "核验包"}, "audit")
if exported.open:
    with exported:
        bundle.draw()
elif not samples.start_card():
    with memo:
        memo_audit.draw()
