"""资料集: named subsets of the library, who sees them, how they are searched, and their figures."""

from nemo.ui.library import corpora
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("资料集", "把资料分组：谁能看到、怎样检索、覆盖多少；提问时可限定资料集")
corpora.draw()
