"""Where the numbers of the reading rules bite (界限): each row grows one thing until the decision turns, and says where."""

from types import SimpleNamespace

import pytest

from nemo import rules as rule_data
from nemo.settings import load
from nemo.text.facts.issuer import issuers_of
from nemo.text.facts.topic import assets_of
from nemo.text.law.addresses import address_at
from nemo.text.law.clearance_tables import repealed
from nemo.text.law.history import history
from nemo.text.law.mentions import aliased_titles
from nemo.text.law.references import relations
from nemo.text.law.scopes import labels_of
from nemo.text.letter.card import card_of
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import title_of
from nemo.text.letter.nature import nature_of
from nemo.text.letter.unnamed import derived_title
from nemo.text.structure.chunking import chunks
from nemo.text.structure.lines import footnotes
from nemo.text.structure.tables import tables
from nemo.text.structure.tree import structure
from nemo.text.versions.edits import edits
from nemo.text.versions.matching import match
from nemo.text.words.english import English
from nemo.text.words.homophones import Homophones, sound
from nemo.text.words.linebreaks import line_wraps
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import quantities
from nemo.types import Level
from tests.bounds import Bounds, Decide, turns

RUNNING = "样例电站应当按照规定完成备案并且公开信息，"
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9
ROWS = "| 样例甲 | 3 |\n| 样例乙 | 4 |\n"
DUTY = "样例电站应当备案。\n"


def words(count: int, end: str = "。") -> str:
    """Return running text of so many characters."""
    return (RUNNING * (count // len(RUNNING) + 1))[: count - len(end)] + end


def nodes(text: str) -> list[tuple[Level, str, str]]:
    return [(p.level, p.number, p.heading) for top in structure(text).provisions for p in top.walk()]


def levels(text: str) -> tuple[Level, ...]:
    return tuple(level for level, _, _ in nodes(text))


def clauses(text: str) -> bool:
    return any("." in number for _, number, _ in nodes(text))


def cut(text: str) -> int:
    return len(chunks("r", text, structure(text).provisions))


def captions(text: str) -> tuple[bool, ...]:
    return tuple(table.caption is not None for table in tables(text))


def labels(text: str) -> tuple[int, ...]:
    """Return how many labels stand over each row."""
    return tuple(len(row.above) for table in tables(text) for row in table.rows)


def headers(text: str) -> tuple[int, ...]:
    return tuple(len(table.header) for table in tables(text))


def numbered(template: str, numbers: range) -> str:
    return "".join(template.format(number) + DUTY for number in numbers)


def matched(old: str, new: str) -> int:
    return len(match([old], [new])[0])


RULES = rule_data.load(load().rules)
ENGLISH = English(RULES.glossary)
LONG_LINE = "样例电站的其他事项按照有关规定办理完成。\n"

BOUNDS: Bounds = [
    # 片段
    ("一条的两款合计超过 800 字，按款切分", lambda n: cut(f"第一条 {words(n // 2 - 4)}\n{words(n - n // 2 - 1)}"), (700, 900), 801),
    ("单独一款超过 1200 字，按句切分", lambda n: cut(f"第一条 {words(n - 4)}"), (1100, 1300), 1201),
    ("条文之外不满 60 字的短行并为一段", lambda n: cut(f"样例办法\n{words(n, '电站')}\n第一条 {words(50)}"), (30, 90), 60),
    # 结构
    ("多数条文带标题，才都读作标题", lambda n: any(h for _, _, h in nodes("".join(f"第{i}条 {'样例标题' if i <= n else '样例电站应当公开。'}\n{DUTY}" for i in range(1, 11)))), (3, 10), 6),
    ("三条起才看条标题", lambda n: any(h for _, _, h in nodes(numbered("第{}条 样例标题\n", range(1, n + 1)))), (1, 9), 3),
    ("组名宽于 80 不是组名", lambda n: levels(f"第一条 甲应当乙。\n一、样例组\n第二条 丙应当丁。\n二、{NAMES[:n]}\n第三条 丙应当丁。\n"), (10, 80), 39),
    ("附件标题宽于 100 不是标题", lambda n: Level.ANNEX in levels(f"第一条 甲应当乙。\n附件：{NAMES[:n]}\n第一条 丙应当丁。\n"), (30, 90), 48),
    ("目录首条之后 500 行内再现，才是目录", lambda n: len(nodes("样例办法\n目录\n第一章 总则\n" + "样例行\n" * n + "第一章 总则\n第一条 甲应当乙。\n")) < 9, (400, 600), 499),
    ("附件清单之后超过 400 字，不算附件缺失", lambda n: any(f.code == "annex_missing" for f in structure(f"各有关单位：\n一、甲应当乙。\n二、丙应当丁。\n附件：样例清单\n样例局\n2030年1月1日\n{words(n)}").faults), (200, 600), 386),
    ("宽于 128 的行各是一段", lambda n: len(nodes("第一条 " + "\n".join(["样" * (n // 2)] * 6) + "。")), (120, 140), 122),
    ("大纲标题宽于 80 不是标题", lambda n: bool(nodes(f"一、{NAMES[:n]}\n{DUTY}二、样例\n{DUTY}")[0][2]), (20, 60), 39),
    ("规范的章名宽于 44 不是章名", lambda n: any(number == "2" for _, number, _ in nodes(f"1总则\n1.1样例应当备案。\n1.2样例应当备案。\n2{NAMES[:n]}\n2.1样例应当备案。\n2.2样例应当公开。")), (10, 40), 22),
    ("一问一答至少两组", lambda n: Level.OUTLINE in levels("".join(f"问：样例{i}如何办理？\n答：按规定办理。\n" for i in range(n))), (1, 6), 2),
    ("规范至少三个条款号", lambda n: clauses(numbered("1.{} ", range(1, n + 1))), (1, 9), 3),
    ("附录至少两个条款号", lambda n: clauses(numbered("A.{} ", range(1, n + 1))), (1, 9), 2),
    ("从中间起的规范至少十个条款号", lambda n: clauses(numbered("7.{} ", range(2, n + 2))), (4, 25), 10),
    # 表
    ("表题不超过 45 字", lambda n: captions(f"{'样' * n}价格\n| 名称 | 价格 |\n{ROWS}"), (20, 80), 44),
    ("通栏组名不超过 40 字", lambda n: len(labels(f"| 名称 | 价格 |\n| 样例甲 | 3 |\n{'样' * n}\n| 样例乙 | 4 |\n")), (20, 80), 41),
    ("表内组名不超过 40 字", lambda n: labels(f"| 名称 | 价格 | 备注 |\n| {NAMES[:n]} | | |\n| 样例甲 | 3 | 无 |\n| 样例乙 | 4 | 无 |\n"), (10, 80), 41),
    ("下级表头不超过 40 字", lambda n: headers(f"| 名称 | 价格 | 价格 |\n| 名称 | {NAMES[:n]} | 乙 |\n| 样例甲 | 3 | 4 |\n| 样例乙 | 4 | 5 |\n"), (10, 80), 41),
    # 词句
    ("脚注的记号在前 60 行以内", lambda n: bool(list(footnotes([SimpleNamespace(text=each, table=False, span=None) for each in ("样例①", *["样例行"] * n, "①样例注")]))), (1, 200), 60),  # type: ignore[arg-type]
    ("清理文件的题名在前 400 字以内", lambda n: bool(list(repealed(f"{'样' * n}关于废止样例文件\n附件\n| 文件名称 | 文号 |\n| 关于样例的通知 | 样发〔2030〕1号 |\n"))), (10, 900), 397),
    ("数字超过 24 位不读", lambda n: parse_number("1" * n) is None, (20, 40), 25),
    ("不满 28 格的行不是排版换行", lambda n: len(line_wraps("样" * n + "\n样例。")), (5, 30), 14),
    ("满行的 82% 起才是排版换行", lambda n: len(line_wraps("样" * 50 + "\n" + "样" * n + "\n样例。")), (20, 50), 41),
    ("年份自 1900 年起不是期限", lambda n: len(quantities(f"{n}年")), (1890, 1950), 1900),
    ("年份到 2100 年为止", lambda n: len(quantities(f"{n}年")), (2050, 2150), 2101),
    ("八个字母起才读拼音", lambda n: Homophones(("电网",), lambda found: dict.fromkeys(found, 50)).from_pinyin(("dianwang" * 3)[:n]) is not None, (6, 8), 8),
    # 引用与修改
    ("一个简称至多代二十件", lambda n: len(aliased_titles("依据" + "、".join(f"《样例{i}号办法》" for i in range(n)) + "（以下简称样例规定），制定。")["样例规定"]) == n, (2, 60), 21),
    ("连读不超过 400 条", lambda n: bool(list(labels_of(f"第一条至第{n}条", ()))), (300, 500), 401),
    ("五个字以上的相同处分开两处修改", lambda n: len(edits(f"甲乙丙丁{NAMES[30:30 + n]}子丑寅卯辰巳", f"东西南北中外{NAMES[30:30 + n]}春夏秋冬早晚")), (2, 12), 6),
    ("标准号在封面 1500 字以内", lambda n: number_of("样例\n" + "样例\n" * n + "GB/T 99999-2030\n样例。") is None, (100, 600), 495),
    ("卡片各项相距不超过 160 字", lambda n: len(card_of(f"索引号：A1\n{'样' * n}\n发文日期：2030年1月1日\n文号：样发〔2030〕1号\n")), (20, 400), 158),
    ("字符对都不同的两条不是一条", lambda n: matched("甲乙丙丁戊己庚辛壬癸子丑", NAMES[: n] + "东西南北中发白春夏秋冬"[: 12 - n]), (0, 12), 5),
    ("短条不按包含关系认定", lambda n: matched(NAMES[:n], NAMES[:n] + "东西南北中发白春夏秋冬梅兰竹菊琴棋书画诗酒花茶" * 3), (3, 20), 8),
    ("发布机关在前 1500 字以内", lambda n: bool(issuers_of("封面\n" * n + "样例省能源局 发布\n第一条 甲应当乙。", "样例办法", None, "", RULES)), (300, 700), 498),
    ("附件标题至多看十二段", lambda n: Level.ANNEX in levels("第一条 甲应当乙。\n附件：样例目录表\n" + "".join(f"样例第{NAMES[i]}行\n" for i in range(n)) + "第一条 丙应当丁。\n"), (2, 20), 12),
    ("丢了编号的列表至少两项", lambda n: Level.ITEM in levels("第一条 下列情形应当备案：\n" + "".join(f"样例{NAMES[i]}；\n" for i in range(n)) + "样例完。\n"), (0, 4), 1),
    ("表头至多三行", lambda n: headers("| 名称 | 价格 | 价格 |\n" + "".join(f"| 名称 | 分{NAMES[i]} | 分{NAMES[i]} |\n" for i in range(n)) + "| 样例甲 | 3 | 4 |\n| 样例乙 | 4 | 5 |\n"), (2, 6), None),
    ("同音的词要见于 20 个片段", lambda n: bool(Homophones(("电网", "点网"), lambda found: {w: n if w == "电网" else 0 for w in found}).mend("颠网宝持")), (1, 60), 20),
    ("六个字以内的词按音查", lambda n: Homophones((NAMES[:n],), lambda found: dict.fromkeys(found, 5000)).from_pinyin("".join(sound(NAMES[:n]))) is None, (4, 9), 7),
    ("英文词占 30% 以上才是英文问题", lambda n: ENGLISH.read("wind power permit " + "qwert " * n) is None, (1, 40), 5),
    ("公布的说明在前 3000 字以内", lambda n: len(history("样例办法\n" + "样例行\n" * n + "（2030年1月1日样例局公布）\n第一条 甲应当乙。")), (500, 1500), 994),
    ("依据在开头 1600 字以内", lambda n: len(relations("各单位：\n" + LONG_LINE * n + "根据《样例管理法》，制定本办法。", (), "样例办法")), (40, 120), 80),
    ("无题的文本在前 3000 字找名称", lambda n: derived_title("样例行\n" * n + "为规范样例储能项目管理，根据有关规定，制定本办法。\n第一条 甲应当乙。\n第二条 丙应当丁。") is not None, (500, 1500), 993),
    ("性质看开头 700 字", lambda n: nature_of("样例行说明\n" * n + "现公开征求意见，请于2030年1月1日前反馈。\n", "样例的说明", "a.txt").fact, (50, 400), 139),
    ("标题至多六行", lambda n: (found := title_of("关于进一步\n" + "加强样例项目\n" * n + "管理的通知\n各单位：\n样例应当备案。\n")) is not None and found.span.start, (1, 5), 5),
    ("标题在前 70 行以内", lambda n: title_of("\n".join(["1"] * n) + "\n关于样例管理的通知\n各单位：\n样例应当备案。\n") is not None, (10, 90), 70),
    ("两百个以内的列举一并读", lambda n: address_at("第" + "、".join(f"{i}" for i in range(1, n + 1)) + "条", 0) is not None, (100, 300), 202),
    ("正文提到三次才算涉及", lambda n: bool(assets_of(words(700) + "光伏" * n, "样例办法", RULES)[0]), (0, 9), 3),
    ("开头 600 字里的新能源才算涉及", lambda n: bool(assets_of(words(n) + "新能源。" + words(100) + "新能源" * 2, "样例办法", RULES)[0]), (500, 700), 598),
    ("条标题不超过 20 字", lambda n: bool(nodes("".join(f"第{i}条 {'样例' if i > 1 else NAMES[:n]}\n\n{DUTY}\n" for i in range(1, 6)))[0][2]), (10, 30), 21),
]  # fmt: skip


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: Decide, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at
