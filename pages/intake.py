"""上传入库: files into the library, in the background, with every failure kept and explained."""

from nemo.ui import frame, intake, jobs, login, outcomes, stored_files

frame.require_frame(__file__)

login.require("ingest")
frame.header("上传入库", "可以离开本页，处理在后台继续；同一内容不会重复入库")
intake.upload_form()
jobs.progress_view(details=True)
outcomes.results()
stored_files.draw()
outcomes.failures()
