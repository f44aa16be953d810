"""Where the numbers of the rules of law bite (界限): terms, repeals, subjects, acts; each row grows one thing until it turns."""

import math
import re
from types import SimpleNamespace

import numpy as np
import pytest

from nemo.rules import Category
from nemo.text.facts import topic
from nemo.text.law import acts, edges
from nemo.text.law.commencement import clauses, main_clause, term_of
from nemo.text.law.mentions import cross_references
from nemo.text.law.repeals import repeals
from nemo.text.law.subjects import SubjectReader
from nemo.text.letter import enclosed
from nemo.text.structure import bodies, contents, figures, headings, paragraphs, tree
from nemo.text.structure.lines import read_lines
from nemo.text.structure.tree import structure
from nemo.text.versions.edits import edits
from nemo.text.versions.matching import _alike, match
from nemo.text.words.flat import flatten
from nemo.text.words.normalise import normalise
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import quantities
from nemo.types import Level, Span
from tests.bounds import Bounds, turns

NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9
LETTERS = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"
VARIED = "".join(map(chr, range(0x5000, 0x5900)))
"""Characters of which no two are alike."""
KIND = Category("probe", "样例", strong=("甲乙", "丙丁", "戊己", "庚辛"), source="")
SUBJECTS = SubjectReader({"heads": ["部门"], "parties": ["企业"], "openers": ["负责"]})
NINTH = "第九条 丙应当丁。\n"


def nodes(text: str) -> list[tuple[Level, str, str]]:
    return [(p.level, p.number, p.heading) for top in structure(text).provisions for p in top.walk()]


def rules_of(*kinds: Category) -> SimpleNamespace:
    return SimpleNamespace(doc_classes=kinds)


def term(words: str) -> object:
    flat = flatten(f"本办法自2030年1月1日起施行，{words}。")
    found = term_of(flat, main_clause(clauses(flat)))
    return (found.years, found.months) if found else None


def punished(shared: int, besides: int = 0) -> str | None:
    """Return the article of an act that shares so many of 20 pairs with article 1, and so many with article 2."""
    pairs = sorted(acts._pairs(NAMES[:21]))
    held = {pair: [0] * (i < shared) + [1] * (i < besides) for i, pair in enumerate(pairs)}
    duties = [SimpleNamespace(article="1"), SimpleNamespace(article="2")]
    return acts._punished(NAMES[:21], duties, held, dict.fromkeys(pairs, math.log(3)))  # type: ignore[arg-type]


def said(length: int) -> int:
    """Return how many characters of a sentence are read of a provision of one sentence."""
    text = "样" * (length - 1) + "。"
    node = SimpleNamespace(level=Level.PARAGRAPH, span=Span(0, length), children=(), number="", label="")
    regulation = SimpleNamespace(provisions=[node])
    return len(next(edges._sentences(regulation, flatten(text))).text)  # type: ignore[arg-type]


def delegated(length: int) -> int:
    sentence = "样" * length + "由样例局制定。"
    made = re.search("(?P<t>样例局)制定", sentence)
    return len(edges._delegated(sentence, made))  # type: ignore[arg-type]


def repealed(count: int) -> int:
    """Return how many texts of a list are repealed, of which each takes a hundred characters."""
    listed = "".join(f"《{'样' * 91}{i:04}办法》，" for i in range(count))
    return len(list(repeals(flatten(f"决定废止下列文件：{listed[:-1]}。"))))


def stated(subject: str, mark: str = "") -> int:
    return len(list(SUBJECTS.statements(f"{subject}{mark}应当备案。")))


def issued(lines: int) -> bool:
    """Whether an enclosed text is found whose title takes so many lines."""
    title = "样例电站运行管理暂行办法"
    step = -(-len(title) // lines)
    rows = "\n".join(title[i : i + step] for i in range(0, len(title), step))
    return bool(list(enclosed._starts(f"{rows}\n第一条 甲应当乙。\n第二条 丙应当丁。\n", 0, {title})))


def picture(rows: int) -> bool:
    text = "图\n" + "样例\n" * rows + "图1 样例\n"
    return figures._caption(text, Span(0, 1)) is not None


def variables(count: int) -> int:
    rows = ["式中：", *[f"P{i}——样例功率；" for i in range(count)]]
    text = "\n".join(rows)
    starts = [sum(len(row) + 1 for row in rows[:i]) for i in range(len(rows))]
    return figures._variables(text, [Span(at, at + len(row)) for at, row in zip(starts, rows, strict=True)], 0)[1]


def jumps(gap: int) -> bool:
    seen = headings.Sequence({Level.ARTICLE: (1, 0)})
    return seen.jumps(SimpleNamespace(level=Level.ARTICLE, number=1 + gap, insertion=0))  # type: ignore[arg-type]


def ends_early(measure: int) -> bool:
    """Whether an unnumbered line of a run 80 wide begins a paragraph below a first line so wide."""
    reader = SimpleNamespace(_title_open=lambda: False, _lines=[None])
    above = SimpleNamespace(measure=measure, indent=0, ended=True)
    line = SimpleNamespace(width=80, after_blank=False, indented_run=False, text="样例。", ended=True, measure=6)
    return paragraphs._ParagraphReader._begins(reader, above, line)  # type: ignore[arg-type]


def is_row(measure: int) -> bool:
    """Whether a line with a figure, so wide, is a row below an item without an end."""
    reader = SimpleNamespace(_open=True, _last=SimpleNamespace(ended=False), _text="")
    unit = SimpleNamespace(words=lambda _: "样例 3", ended=False, measure=lambda _: measure)
    return bodies._Body._is_row(reader, unit)  # type: ignore[arg-type]


def telling(length: int) -> int:
    """Return how many provisions match when the old one, so long, stands whole in a long new one."""
    return len(match([NAMES[:length]], [NAMES[:length] + LETTERS * 2])[0])


BOUNDS: Bounds = [
    # 文件类别
    ("开头有三个词才定类别", lambda n: topic.doc_class_of("，".join(KIND.strong[:n]), "", rules_of(KIND))[0], (1, 4), 3),  # type: ignore[arg-type]
    ("名称以该词结尾，另加三分", lambda n: topic._score(KIND, "样例甲乙", "") >= n, (1, 40), 9),
    # 施行与有效期
    ("有效期至多 50 年", lambda n: term(f"有效期{n}年") is None, (1, 90), 51),
    ("试行至多 600 个月", lambda n: term(f"试行{n}个月") is None, (1, 900), 601),
    # 废止
    ("废止清单至多两万字", lambda n: repealed(n) == n, (150, 250), 200),
    # 主体
    ("并列的主体至多 160 字", lambda n: stated("、".join([f"{'样' * 18}企业"] * n)), (1, 12), 8),
    ("的字之后 30 字以内的是主体", lambda n: stated(f"未备案的{'样' * (n - 3)}部门", "，"), (4, 90), 31),
    # 违法行为对应的义务
    ("半数字对相同，才是所罚的行为", lambda n: punished(n), (1, 19), 10),
    ("比次一条多出一成，才是所罚的行为", lambda n: punished(20, n), (1, 20), 18),
    ("三成字对相同，才算说的是它", lambda n: acts.most_alike(NAMES[:21], [NAMES[:n] + LETTERS[: 21 - n]]), (2, 21), 7),
    # 关系图
    ("一句至多读 1200 字", lambda n: said(n) == n, (1000, 1500), 1201),
    ("授权事项至多 60 字", lambda n: delegated(n) == n, (10, 90), 61),
    # 所附文件
    ("附件清单在落款之后 1500 字以内", lambda n: len(enclosed._listed("样" * n + "\n附件：样例电站管理办法\n", Span(0, 0))), (1000, 1600), 1497),
    ("所附文件的题名至多五行", issued, (1, 6), 6),
    ("所附文件至少 200 字", lambda n: enclosed._has_body("第一条 样。\n第二条 例。\n" + "样" * n), (10, 400), 190),
    # 结构
    ("目录的引点在行末 80 字以内", lambda n: len(contents.without_contents(read_lines("第一章 总则" + "." * 9 + " " * n + "12"))), (1, 200), 76),
    ("图题离图至多两行", picture, (0, 5), 2),
    ("式中说明至多 40 项", lambda n: variables(n) == n + 1, (5, 90), 41),
    ("后面四个条号之内有下一号", lambda n: paragraphs._HeadingsAhead(read_lines(f"第一条 甲应当乙。\n{NINTH * n}第二条 丙应当丁。\n")).confirmed(0), (1, 9), 4),
    ("满行之后的行不另起一段", ends_early, (20, 90), 75),
    ("宽于 90 的行不是题名", lambda n: tree._is_title(SimpleNamespace(head=None, mark=None, ended=False, measure=lambda _: n), ""), (9, 200), 91),  # type: ignore[arg-type]
    ("数字行窄于 30 是上一项的表", is_row, (1, 90), 30),
    ("条号至多跳五号", jumps, (1, 20), 6),
    # 新旧对照
    ("长于 2000 字的先按句比较", lambda n: len(edits(VARIED[:n] + "甲。", VARIED[:n] + "乙。")), (1900, 2100), 2009),
    ("至少十个字对才按包含关系认定", telling, (3, 30), 11),
    ("半数相同，才是换了位置的同一条", lambda n: len(_alike([], np.array([[n / 100]]))), (10, 90), 50),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: object, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at  # type: ignore[arg-type]


def test_a_part_holds_chapters_and_a_chapter_sections() -> None:
    rows = "第一编 甲", "第一分编 乙", "第一章 丙", "第一节 丁", "第一条 样例电站应当备案。", "第二节 戊", "第二章 己", "第二分编 庚", "第二编 辛"  # fmt: skip

    def depths(nodes: object, depth: int = 0) -> list[str]:
        return [each for node in nodes for each in (f"{depth} {node.heading}", *depths(node.children, depth + 1))]  # type: ignore[attr-defined]

    found = depths(structure("\n".join(rows) + "\n第二条 样例电站应当公开。\n").provisions)
    assert [each for each in found if each[2:]] == ["0 甲", "1 乙", "2 丙", "3 丁", "3 戊", "2 己", "1 庚", "0 辛"]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("〇", 0), ("零", 0), ("两", 2), ("九", 9), ("2", 2), ("９", 9), ("０", 0), ("十", 10), ("廿三", 23), ("卅", 30),
        ("一百零五", 105), ("两千", 2000), ("三万", 30_000), ("一亿零二十", 100_000_020), ("二〇三〇", 2030), ("：", None), ("○", 0),
    ],
)  # fmt: skip
def test_numerals(written: str, number: int | None) -> None:
    assert parse_number(written) == number


@pytest.mark.parametrize(
    ("written", "amount", "unit"),
    [
        ("百分之三", 3, "%"), ("千分之三", 0.3, "%"), ("万分之三", 0.03, "%"), ("3‰", 0.3, "%"),
        ("三万千瓦", 30_000, "千瓦"), ("三亿元", 300_000_000, "元"), ("1.5亿千瓦时", 150_000_000, "千瓦时"), ("1.5万吨", 15_000, "吨"),
        ("1.5千元", 1500, "元"), ("三百万元", 3_000_000, "元"),
    ],
)  # fmt: skip
def test_scales_of_amounts(written: str, amount: float, unit: str) -> None:
    found = next(iter(quantities(written)))
    assert (float(found.amount), found.unit) == (amount, unit)


@pytest.mark.parametrize(
    ("char", "read"),
    [
        ("！", "!"),
        ("～", "~"),
        ("Ａ", "A"),
        ("０", "0"),
        ("₀", "0"),
        ("₉", "9"),
        ("￥", "￥"),
        ("｟", "｟"),
        ("ₐ", "ₐ"),
        ("₍", "₍"),
        ("Ⅰ", "I"),
        ("Ⅻ", "XII"),
    ],
)
def test_search_forms_of_signs(char: str, read: str) -> None:
    assert normalise(f"样{char}例").text == f"样{read}例"


@pytest.mark.parametrize("blank", ["\u2000", "\u200b", "\u200d", "\u3000", "\ufeff"])
def test_blanks_without_width_leave_the_flat_form(blank: str) -> None:
    assert flatten(f"样{blank}例０９").text == "样例09"


@pytest.mark.parametrize("joined", ["、", "和", "及", "与", "或者", "或", "以及", "至", "到"])
def test_articles_that_are_joined_share_the_name_before_them(joined: str) -> None:
    text = f"违反《样例法》第三条{joined}第四条规定的，由样例局责令改正。"
    assert [(each.title, each.label) for each in cross_references(text, Span(0, len(text)))] == [
        ("样例法", "3"),
        ("样例法", "4"),
    ]
