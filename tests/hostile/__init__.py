"""99 files that somebody made to hurt, by name: what they are made of, and what may become of them (恶意文件).

Each is made on the spot, from a few lines of code and a fixed seed; none is kept. Every text is invented (演示文本).
``python -m benchmarks.hostile`` sends all of them to a running server, ``tests/test_hostile.py`` twelve.
"""

from collections.abc import Callable, Mapping

from tests.hostile import containers, office, papers, pictures, texts

Maker = Callable[[], bytes]

FILES: Mapping[str, Maker] = {
    **containers.FILES,
    **office.FILES,
    **papers.FILES,
    **pictures.FILES,
    **texts.FILES,
}
"""Maker of each file by the name that it is sent under."""

SOME = (
    "零三段九十兆.zip",
    "链接.zip",
    "重叠成员.zip",
    "十亿笑.docx",
    "合并全表.xlsx",
    "表单逐层十倍.pdf",
    "页树成环.pdf",
    "三万乘八.png",
    "五千帧.gif",
    "随机字节.txt",
    "跨度十亿.html",
    "控制字符.txt",
)
"""Those of the tests: of every kind, none of which costs more than some seconds."""
