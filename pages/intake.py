"""上传入库: files into the library, in the background, with every failure kept and explained."""

from nemo.ui.intake import jobs, outcomes, stored_files, upload
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ingest")
frame.header("上传入库", "可以离开本页，处理在后台继续；同一内容不会重复入库")
upload.upload_form()
jobs.progress_view(details=True)
outcomes.results()
outcomes.failures()
stored_files.draw()
