"""Where the measures of the parsers bite (界限): each row moves or grows one thing until the decision turns, and says where."""

from dataclasses import replace

import pytest

from nemo.parse import furniture, garble
from nemo.parse.boilerplate import _footers, _whole_cards
from nemo.parse.furniture import is_letterhead, removal_faults
from nemo.parse.lines import Box, Glyph, PrintedLine, Shape, rejoin, starts_new, wrapped
from nemo.parse.other.archive import _base
from nemo.parse.other.plain import _with_bars
from nemo.parse.other.sheets import _separated
from nemo.parse.pdf import columns, ruled_tables, scripts
from tests.bounds import Bounds, Decide, turns

RUNNING = "样例电站应当按照规定完成备案并且公开信息"


def line(text: str, **more: object) -> PrintedLine:
    return PrintedLine(text, 1, **{"left": 0.0, "right": 100.0, **more})  # type: ignore[arg-type]


def opens(
    above: str, below: str, slack: float, indent: float | None = 0.0, scale: float = 1.0, short: bool = False
) -> bool:
    return starts_new(line(above), line(below), Shape(0.0, slack, short=short), Shape(indent, 0.0, scale=scale))


def glyph(char: str, left: float, top: float, size: float = 10.0) -> Glyph:
    return Glyph(char, Box(left, top, left + size, top + size))


def script(size: float = 5.0, down: float = 6.0, gap: float = 0.0) -> str:
    """Return how a small sign behind a letter is read: size and place in points, the text is 10 points high."""
    base, sign = glyph("E", 10, 100), glyph("m", 20 + gap, 100 + down, size)
    return "".join(g.char for run in scripts.attached([[glyph("样", 0, 100), base, sign]]) for g in run)


def rows(count: int, left: float, wide: int, at: float) -> list[list[Glyph]]:
    return [[glyph("样", left + 10 * i, at + 20 * row) for i in range(wide)] for row in range(count)]


def two_columns(count: int = 12, wide: int = 14, gutter: float = 30.0, across: int = 0) -> bool:
    left = rows(count, 0, wide, 0)
    right = rows(count, 10 * wide + gutter, wide, 0)
    return columns.bands([*left, *right, *rows(across, 0, 2 * wide + int(gutter // 10), 20 * count + 20)]) is not None


def grid(gap: float = 0.0, length: float = 100.0) -> int:
    """Return how many tables three upright and two flat rules draw; the flat ones end ``gap`` short of the last."""
    upright = [ruled_tables.RulingLine(False, x, 0.0, length) for x in (0.0, 50.0, 100.0)]
    flat = [ruled_tables.RulingLine(True, y, 0.0, 100.0 - gap) for y in (0.0, length)]
    return sum(len(each.xs) for each in ruled_tables.grids_of([*upright, *flat]))


def rows_of_grid(open_end: float) -> int:
    """Return how many rows three upright rules make that reach ``open_end`` above the first of two flat ones (跨页表格)."""
    upright = [ruled_tables.RulingLine(False, x, 50.0 - open_end, 100.0) for x in (0.0, 50.0, 100.0)]
    flat = [ruled_tables.RulingLine(True, y, 0.0, 100.0) for y in (50.0, 100.0)]
    return len(ruled_tables.grids_of([*upright, *flat])[0].ys) - 1


def measured(*rights: float, size: float = 10.0, **last: object) -> str:
    """Return the text of full lines of 300 points and lines that end at these places."""
    lines = [*[300.0] * 8, *rights, 300.0]
    found = [line(RUNNING, right=right, size=size, top=20.0 * i) for i, right in enumerate(lines)]
    return rejoin([[*found[:-1], replace(found[-1], **last)]])[0]  # type: ignore[arg-type]


def sheet(count: int = 9, gap: float = 20.0, size: float = 10.0) -> list[PrintedLine]:
    """Return a sheet whose last line stands so far below the others and has this size."""
    tops = [20.0 * i for i in range(count)]
    found = [line("样例", top=top, size=10.0) for top in tops]
    return [*found[:-1], replace(found[-1], top=tops[-2] + gap, size=size)]


def copies(lines: int) -> int:
    """Return how many lines leave a sheet that ends in a block of copies."""
    block = ["抄送：样例局，", *["样例处，"] * (lines - 2), "样例局办公室 2030年1月1日印发"]
    return len(furniture._copies([line(text) for text in ["第一条 样例。", *block]])[1]) > 0


BOUNDS: Bounds = [
    # 断行
    ("逗号结尾而右边空 6 字以上，不算没写完", lambda n: opens(RUNNING + "，", "样例", n / 10, short=True), (10, 90), 60),
    ("首行缩进 1.2 字起另起一段", lambda n: opens(RUNNING + "。", "样例应当备案", 0.0, n / 10), (5, 20), 12),
    ("字号差 15% 以上另起一段", lambda n: opens(RUNNING, "样例", 0.0, scale=1 + n / 100), (5, 40), 16),
    ("四行断在句中，才是按宽度断行", lambda n: wrapped([RUNNING * 2] * n), (1, 9), 4),
    ("半数长行断在句中，才是按宽度断行", lambda n: wrapped([RUNNING * 2] * n + [RUNNING * 2 + "。"] * (20 - n)), (4, 16), 10),
    ("右边空 1.6 字以上是短行", lambda n: "\n" in measured(300 - n / 10), (1, 200), 161),
    ("没有版面时，完整的短行比通常短 2.6 字", lambda n: len(rejoin([[line(text, left=None, right=None) for text in [*[RUNNING] * 6, RUNNING[:20 - n] + "。", RUNNING]]])[0].split("\n")), (0, 12), 4),
    ("没有版面时，没写完的短行不到通常宽的 75%", lambda n: len(rejoin([[line(text, left=None, right=None) for text in [*["样" * 40] * 6, "样" * n, "例" * 40]]])[0].split("\n")), (10, 40), 30),
    ("宽度相差 3.5 字以内才是按宽度断行", lambda n: wrapped(["样" * 40] * 4 + ["样" * (40 - n)] * 5), (0, 20), 4),
    # 红头、附属
    ("抄送至多 14 行", copies, (3, 60), 15),
    ("五行起的页才看行距", lambda n: furniture._apart(sheet(n), -1), (2, 9), 5),
    ("行距大 1.25 倍以上才是页脚", lambda n: furniture._apart(sheet(gap=n / 10), -1), (200, 600), 251),
    ("字号差 8% 以上才是页脚", lambda n: furniture._apart(sheet(size=n / 100), -1), (1000, 1900), 1080),
    ("去除的行至多列出 4000 字", lambda n: removal_faults(["样" * n], 10**6)[0].message.count("样") == n, (1000, 9000), 4001),
    ("红头不超过 40 字", lambda n: is_letterhead(line(" ".join("样" * n + "局文件"))), (10, 60), 38),
    ("红头字号为正文 1.5 倍", lambda n: is_letterhead(line("样例省样例局文件", size=float(n)), 10.0), (11, 20), 15),
    ("去除超过 15% 的，提请核对", lambda n: removal_faults(["样例电站的其他相关内容说明文字"] * n, 850)[0].code, (1, 40), 11),
    ("四个字以内的残片不提请核对", lambda n: removal_faults(["甲乙丙丁戊己庚辛"[:n]] * 50, 100)[0].code, (2, 8), 5),
    ("过半的行有索引卡标签，整张表才是索引卡", lambda n: _whole_cards([*["文号 | 样例"] * n, *["样例 | 样例"] * (9 - n)], [False] * 9)[0], (1, 9), 5),
    ("三行以上用制表符隔开、格数相同，才是表格", lambda n: "|" in _with_bars("\n".join(["甲\t乙"] * n)), (1, 6), 3),
    ("页脚各行相距不超过六行", lambda n: len(_footers(["主办单位：样例局", *["样例"] * n, "版权所有 样例局"], [False] * (n + 2))) > 0, (0, 12), 6),
    # 乱码
    ("不满 50 个汉字的页不判断成词", lambda n: garble.word_share("样" * n) is None, (20, 90), 50),
    ("奇怪的字至多举五处", lambda n: garble.doubts("规定" * 60 + "，".join(f"{c}{c}" for c in "ÉÊËÌÍÎÏÐÑ"[:n]), ())[0].message.count("“") == n, (1, 9), 6),
    ("成词的字不到 45%，提请核对", lambda n: len(garble.doubts("规定" * n + "瓯攥齉龘" * (50 - n), ())), (5, 45), 32),
    # 表格
    ("九成的行格数相同，才是表格", lambda n: _separated("甲,乙\n" * n + "甲,乙,丙\n" * (20 - n), ",") is not None, (10, 20), 18),
    # 压缩包
    ("文件名至多 200 字", lambda n: len(_base("样" * n + ".txt")) == n + 4, (150, 300), 197),
    # 版面
    ("下标不高于正文的 72%", lambda n: "_" in script(n / 10), (40, 90), 72),
    ("上下标离字母不超过 0.35 字", lambda n: "_" in script(gap=n / 10), (0, 80), 36),
    ("低于中线 0.1 字起是下标", lambda n: "_" in script(down=2.5 + n / 10), (1, 30), 11),
    ("偏离中线 0.6 字以内是上下标", lambda n: "_" in script(down=2.5 + n / 10), (30, 99), 61),
    ("每栏至少四行，才是分栏", lambda n: two_columns(count=n), (2, 12), 4),
    ("每栏至少十字宽，才是分栏", lambda n: two_columns(wide=n), (5, 16), 10),
    ("栏间至少 1.2 字，才是分栏", lambda n: two_columns(gutter=float(n)), (4, 30), 12),
    ("跨栏的行不超过四分之一", lambda n: two_columns(count=12, across=n), (0, 30), 9),
    ("表线差 3 点以内算相接", lambda n: grid(gap=n / 10), (0, 90), 31),
    ("三条竖线高出横线 8 点，其间是跨页断开的一行", lambda n: rows_of_grid(n / 10) == 2, (0, 300), 81),
    ("短于 8 点的线不是表线", lambda n: len(ruled_tables.rule_of(Box(0, 0, float(n), 1))), (2, 20), 8),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: Decide, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at
