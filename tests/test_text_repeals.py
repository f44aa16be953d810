"""What a text repeals as a whole (废止), in the forms that decisions and closing provisions write it."""

import pytest

from nemo.text.law.dates import read_validity
from nemo.text.law.references import relations
from nemo.text.structure.tree import structure
from nemo.types import RelationKind

WIND, SUN = "甲省风场管理办法", "甲省光伏管理办法"

REPEALS = [
    (
        "list numbered",
        "某省人民政府关于废止部分规章的决定\n\n经研究，决定废止下列规章：\n一、《甲省风场管理办法》（2001年3月5日省政府令第12号公布）\n二、《甲省光伏管理办法》\n本决定自2024年5月1日起施行。",
        [WIND, SUN],
    ),
    (
        "each item repeals",
        "某省人民政府关于废止部分规章的决定\n\n省人民政府决定：\n一、废止《甲省风场管理办法》（2001年3月5日省政府令第12号公布）。\n二、废止《甲省光伏管理办法》（2003年省政府令第20号公布，自2003年6月1日起施行）。\n本决定自公布之日起施行。",
        [WIND, SUN],
    ),
    (
        "the first item below a title",
        "某省人民政府关于废止部分规章的决定\n（演示文本）\n一、废止《甲省风场管理办法》（2001年3月5日公布）。\n二、将《甲省光伏管理办法》第二条修改为：“略”。",
        [WIND],
    ),
    (
        "cleared away",
        "《甲省风场管理办法》、《甲省光伏管理办法》等2件规范性文件（演示文本），经清理，予以废止，自2022年6月1日起失效。",
        [WIND, SUN],
    ),
    (
        "below rules (一)",
        "决定废止下列规章：\n（一）《甲省风场管理办法》（2001年3月5日公布）；\n（二）《甲省光伏管理办法》；",
        [WIND, SUN],
    ),
    ("number after title", "本办法自2024年1月1日起施行，《甲省风场管理办法》（甲发〔1987〕32号）同时废止。", [WIND]),
    ("no longer applied", "自本办法施行之日起，《甲省风场管理办法》不再适用。", [WIND]),
    ("link in title", "第九条 本办法自2024年1月1日起施行。《[甲省风场管理办法](https://x.cn/a)》同时废止。", [WIND]),
    ("stops being in force", "本办法施行后，《甲省风场管理办法》停止执行。", [WIND]),
    ("previously issued", "原《甲省风场管理办法》（甲发改〔2010〕3号）即行废止。", [WIND]),
    (
        "several by number",
        "甲发改〔2019〕5号、甲发改〔2020〕7号文件同时废止。",
        ["甲发改〔2019〕5号", "甲发改〔2020〕7号"],
    ),
    ("to be void", "《甲省风场管理办法》自2024年3月1日起失效。", [WIND]),
    (
        "announcement",
        "现宣布失效的文件：\n1.甲省风场管理办法（甲发改〔2010〕3号）\n2.甲省光伏管理办法（甲发改〔2011〕4号）",
        [WIND, SUN],
    ),
    (
        "below a heading",
        "现通知如下：\n一、决定废止的文件（2件）\n（一）甲省风场管理办法（甲发改〔2010〕3号）\n（二）《甲省光伏管理办法》（甲发改〔2011〕4号）\n二、继续有效的文件\n《甲省电网管理办法》（甲发改〔2012〕5号）",
        [WIND, SUN],
    ),
    (
        "below a heading of what is kept",
        "现通知如下：\n一、暂不废止的文件（2件）\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [],
    ),
    (
        "below a heading of what is not repealed",
        "现通知如下：\n二、继续有效、不予废止的文件\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [],
    ),
    (
        "below a heading of a plan",
        "现通知如下：\n三、计划废止的规章（2件）\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [],
    ),
    (
        "below a heading of what has to be",
        "现通知如下：\n下一步需要废止的文件\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [],
    ),
    (
        "below a heading of what may be changed only",
        "现通知如下：\n四、废止或者修改的文件\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [],
    ),
    (
        "below a heading of what has lapsed",
        "现通知如下：\n五、已经失效的文件\n1.《甲省风场管理办法》（甲发改〔2010〕3号）\n2.《甲省光伏管理办法》（甲发改〔2011〕4号）",
        [WIND, SUN],
    ),
    ("decided to abolish", "决定对《甲省风场管理办法》予以废止。", [WIND]),
    ("with reason", "因上位法已修改，决定废止2010年3月5日发布的《甲省风场管理办法》。", [WIND]),
    ("list in annex", "现将《甲省风场管理办法》等2件规章予以废止。", [WIND]),
    (
        "list after colon in annex",
        "附件\n决定废止的规章目录\n1.《甲省风场管理办法》（2001年）\n2.《甲省光伏管理办法》（2003年）",
        [WIND, SUN],
    ),
    ("replace", "本办法自印发之日起施行，有效期5年，原甲发改〔2019〕5号文同时废止。", ["甲发改〔2019〕5号"]),
    ("not partial", "《甲省风场管理办法》第三条同时废止。", []),
    ("not supposed", "《甲省风场管理办法》被废止的，依照本条办理。", []),
    ("proposal", "拟废止《甲省风场管理办法》，现公开征求意见。", []),
    ("inconsistent", "此前规定与《甲省风场管理办法》不一致的，以本办法为准。", []),
    ("already repealed", "《甲省风场管理办法》（已废止）所称风场。", []),
    ("since then", "自2024年8月15日起，《甲省风场管理办法》、《甲省光伏管理办法》同时废止。", [WIND, SUN]),
    ("no marks", "本办法自2024年1月1日起施行，2010年印发的甲省风场管理办法同时废止。", [WIND]),
    ("terminated", "《甲省风场管理办法》同时停止施行。", [WIND]),
    (
        "table after a decision",
        "甲省能源局关于废止部分文件的通知\n决定废止下列文件，自2024年7月1日起停止执行。\n废止的文件目录\n序号 | 文件名称 | 文号\n"
        "1 | 甲省风场管理办法 | 甲政发〔2001〕1号\n2 | 关于甲省光伏管理的通知 | 甲政发〔2002〕2号",
        [WIND, "关于甲省光伏管理的通知"],
    ),
    (
        "table whose rows say it",
        "甲省能源局关于文件清理结果的公告\n清理结果目录\n序号 | 文件名称 | 文号 | 清理结果\n"
        "1 | 甲省风场管理办法 | 甲政发〔2001〕1号 | 继续有效\n2 | 甲省光伏管理办法 | 甲政发〔2002〕2号 | 废止\n"
        "3 | 甲省水电管理办法 | 甲政发〔2003〕3号 | 拟废止",
        [SUN],
    ),
    (
        "table of what is only proposed",
        "甲省能源局关于拟废止部分文件的公示\n拟废止的文件目录\n序号 | 文件名称 | 文号\n1 | 甲省风场管理办法 | 甲政发〔2001〕1号",
        [],
    ),
    (
        "table of what stays",
        "甲省能源局关于公布继续有效文件目录的公告\n继续有效的文件目录\n序号 | 文件名称 | 文号\n1 | 甲省风场管理办法 | 甲政发〔2001〕1号",
        [],
    ),
    ("decision table", "| 序号 | 名称 | 文号 |\n| 1 | 甲省风场管理办法 | 甲政发〔2001〕1号 |", []),
]


@pytest.mark.parametrize(("remark", "text", "expected"), REPEALS, ids=[case[0] for case in REPEALS])
def test_what_is_repealed(remark: str, text: str, expected: list[str]) -> None:
    found = [r for r in relations(text, (), "x") if r.kind is RelationKind.REPEALS]
    assert list(dict.fromkeys(r.target_title or r.target_number for r in found)) == expected, remark
    assert all(r.span is None or r.span.of(text) == r.words for r in found)


def test_days_of_repealed_texts_are_not_those_of_the_decision() -> None:
    text = (
        "某省人民政府关于废止部分规章的决定\n\n省人民政府决定：\n"
        f"一、废止《{WIND}》（2001年3月5日省政府令第12号公布）。\n"
        f"二、废止《{SUN}》（2003年省政府令第20号公布，自2003年6月1日起施行）。\n"
        "本决定自2024年5月1日起施行。"
    )
    read = read_validity(text, structure(text).provisions)
    assert read.promulgated is None
    assert read.first_effective is not None and read.first_effective.isoformat() == "2024-05-01"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("自2022年10月1日起，《甲省风场管理办法》不再执行。", "2022-10-01"),
        ("《甲省风场管理办法》予以废止，自2022年6月1日起失效。", "2022-06-01"),
        ("《甲省风场管理办法》自2022年6月1日起废止。", "2022-06-01"),
        ("决定自2023年7月1日起废止下列规章：\n（一）《甲省风场管理办法》（2001年3月5日公布）；", "2023-07-01"),
        ("下列规章予以废止：\n（一）《甲省风场管理办法》（自2001年3月5日起施行）；", None),
    ],
)
def test_the_day_that_the_sentence_of_a_repeal_names(text: str, day: str | None) -> None:
    found = [r for r in relations(text, structure(text).provisions, "某通知") if r.kind is RelationKind.REPEALS]
    assert [r.from_day and r.from_day.isoformat() for r in found] == [day]


@pytest.mark.parametrize(
    "line",
    [
        "发布日期：2024-03-12",
        "2024-03-12 公布",
        "公布日期：2024年3月12日",
        "（2024-03-12 公布）",
        "发布日期：2024-03-12 来源：演示省能源局",
        "演示省能源局 2024-03-12 公布",
        "发布时间：2024-03-12 10:22 浏览次数：35",
    ],
)
def test_a_line_of_publication_is_read(line: str) -> None:
    text = f"甲省风电管理办法\n\n{line}\n\n第一条 为了规范，制定本办法。\n第二条 本办法自公布之日起施行。"
    read = read_validity(text, structure(text).provisions)
    assert str(read.promulgated) == str(read.first_effective) == "2024-03-12"


@pytest.mark.parametrize(
    ("text", "since"),
    [
        (f"现决定废止《{WIND}》（甲能发〔2026〕2号），自2026年10月1日起停止执行。", ["2026-10-01"]),
        (f"决定废止《{WIND}》《{SUN}》等2件文件，均自2026年10月1日起失效。", ["2026-10-01"] * 2),
        (f"现决定废止下列文件，自2026年10月1日起停止执行：\n1.《{WIND}》（甲能发〔2026〕2号）", ["2026-10-01"]),
        (f"自2026年10月1日起，废止《{WIND}》。", ["2026-10-01"]),
        (f"决定废止《{WIND}》。新办法自2026年10月1日起施行。", ["None"]),
        (f"决定废止《{WIND}》，《{SUN}》自2026年10月1日起施行。", ["None"]),
    ],
)
def test_a_repeal_holds_from_the_day_that_its_sentence_names(text: str, since: list[str]) -> None:
    found = [r for r in relations(text, (), "x") if r.kind is RelationKind.REPEALS]
    assert [str(r.from_day) for r in found] == since
