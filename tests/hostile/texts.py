"""Texts and web pages without end, depth, sense or encoding; names that lie (文本与网页)."""

import random


def _page(body: str) -> bytes:
    return f"<html><meta charset=utf-8><title>演示</title><body>{body}</body></html>".encode()


def _rtf(body: str) -> bytes:
    return b"{\\rtf1\\ansi " + body.encode("ascii") + b"}"


FILES = {
    "四万行.txt": lambda: "\n".join(f"演示内容第{n}行，应当登记。" for n in range(40_000)).encode(),
    "五万条.txt": lambda: "\n".join(f"第{n}条 演示单位应当登记。" for n in range(1, 50_001)).encode(),
    "二十兆一行.txt": lambda: ("演示单位应当登记" * 900_000).encode(),
    "两万个一点.txt": lambda: ("1." * 20_000 + "演示").encode(),
    "十万括号.txt": lambda: ("（" * 100_000 + "演示" + "）" * 100_000).encode(),
    "百万数字.txt": lambda: ("第" + "1" * 1_000_000 + "条 演示应当登记。").encode(),
    "五万层级.txt": lambda: "\n".join(f"{'编章节条'[n % 4]}".join(("第一", " 演示")) for n in range(50_000)).encode(),
    "万列表.md": lambda: ("|限" * 100_000 + "|\n" + "|-" * 100_000 + "|\n" + "|1" * 100_000 + "|").encode(),
    "控制字符.txt": lambda: ("第一条 \u202e演示\u2066应当\0登记\x1b[2J。\n" * 3000).encode(),
    "随机字节.txt": lambda: random.Random(1).randbytes(3_000_000),
    "十万层标签.html": lambda: _page("<div>" * 100_000 + "第一条 演示应当登记。" + "</div>" * 100_000),
    "二十兆尖括号.html": lambda: _page("<" * 20_000_000),
    "跨度十亿.html": lambda: _page(
        "<table>"
        + "<tr><td rowspan=1000000000 colspan=1000000000>限值</td></tr>" * 50
        + "</table><p>第一条 演示应当登记。</p>"
    ),
    "五十万属性.html": lambda: _page(
        "<p " + " ".join(f"a{n}=1" for n in range(500_000)) + ">第一条 演示应当登记。</p>"
    ),
    "嵌套组.rtf": lambda: _rtf("{" * 200_000 + "demo" + "}" * 200_000),
}
