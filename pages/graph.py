"""图谱: what the law ties together, with the words that prove each tie."""

from nemo.ui.intake import samples
from nemo.ui.library import graph
from nemo.ui.shared import frame, login

frame.require_frame(__file__)

login.require("ask")
frame.header("图谱", "法规、条文、机关、主体与术语之间的关系，每一条都附证明它的原文")
if not samples.start_card():
    graph.draw()
