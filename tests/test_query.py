"""What a question says about itself: names, articles, numbers, days, places."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo import rules as rule_data
from nemo.answer.question.days import day_in
from nemo.answer.question.query import QuestionReader
from nemo.answer.question.titles import TitleFinder
from nemo.errors import BadRequestError
from nemo.settings import PROJECT
from nemo.types import Filters, Query

ANYWHERE = Filters()
TODAY = dt.date(2026, 11, 20)
RULES = rule_data.load(PROJECT / "data" / "rules")
HELD = [
    ("law-2018", ["中华人民共和国演示电力法", "演示电力法"]),
    ("gd-reg", ["广东省演示用电条例（演示文本）"]),
    ("labour", ["演示劳动合同法"]),
    ("notice", ["关于演示并网服务的通知"]),
    ("air", ["中华人民共和国样板大气污染防治法", "样板大气污染防治法"]),
    ("recycling", ["演示资源回收条例", "演示回收条例"]),
    ("heat", ["样板省供热管理办法"]),
    ("heat-city", ["样板市供热收费办法"]),
    ("pipe-cn", ["演示管道保护条例"]),
    ("pipe-sd", ["山东省演示管道保护条例", "演示管道保护条例"]),
    ("pipe-old", ["演示管道保护条例（2019年修正）"]),
    ("judges-2", ["法院关于审理演示施工合同案件适用法律问题的解释（一）"]),
    ("judges-1", ["法院关于审理演示施工合同案件适用法律问题的解释"]),
    ("ore-new", ["中华人民共和国矿石样板法", "矿石样板法"]),
    ("ore-old", ["中华人民共和国矿石样板法", "矿石样板法"]),
    ("mine", ["中华人民共和国矿井样板法", "矿井样板法"]),
]
NUMBERS = [
    ("notice", "粤演能〔2024〕12号"),
    ("pipe-cn", "国务院令第907号"),
    ("law-2018", "主席令第九十三号"),
    ("recycling", "国家发展和改革委员会令2031年第92号"),
    ("heat", "财政部令第93号"),
]


def read(question: str, filters: Filters = ANYWHERE) -> Query:
    reader = QuestionReader(RULES, TitleFinder(HELD, ["演示合同法", "演示环境法"], places=["广东省", "广东"]), NUMBERS)
    return reader.read(question, filters, TODAY, 2000)


@pytest.mark.parametrize(
    ("remark", "question", "ids", "article"),
    [
        ("title in brackets", "《演示电力法》第二十五条怎么说", ("law-2018",), "25"),
        ("without brackets", "演示电力法第二十五条", ("law-2018",), "25"),
        ("Arabic digits", "演示电力法第25条", ("law-2018",), "25"),
        ("no 第", "演示电力法25条", ("law-2018",), "25"),
        ("full-width digits", "演示电力法第２５条", ("law-2018",), "25"),
        ("spaces and 的", "演示电力法 的 第 25 条", ("law-2018",), "25"),
        ("条之一", "演示电力法第十二条之一", ("law-2018",), "12.1"),
        ("full title", "中华人民共和国演示电力法第三条", ("law-2018",), "3"),
        ("title without its place", "《演示用电条例》第三条", ("gd-reg",), "3"),
        ("an abridged title", "广东演示用电条例第三条", ("gd-reg",), "3"),
        ("the rule that implements a law is another text", "演示电力法实施条例第三条", (), "3"),
        ("no article", "演示电力法对窃电怎么规定", ("law-2018",), None),
        (
            "a text of this very title wins over another place's of that name",
            "演示管道保护条例第三条",
            ("pipe-cn", "pipe-old"),
            "3",
        ),
        ("so in brackets", "《演示管道保护条例》第三条", ("pipe-cn", "pipe-old"), "3"),
        ("the place's own", "山东省演示管道保护条例第三条", ("pipe-sd",), "3"),
        ("a longer known name hides a shorter one", "演示劳动合同法第三条", ("labour",), "3"),
        ("a law that is known but not held", "演示环境法第三条", (), "3"),
        ("a province's text is not the national one of that name", "样板省演示回收条例第二条", (), "2"),
        ("nor without 省", "广东演示回收条例第二条", (), "2"),
        ("the national one", "演示回收条例第二条", ("recycling",), "2"),
        ("a short name that fits one held title", "样板大气法第四十二条原文", ("air",), "42"),
        ("a short name without an article", "样板大气法里对扬尘怎么说", ("air",), None),
        ("an interpretation by its matter", "演示施工合同解释第三条", ("judges-2", "judges-1"), "3"),
        ("司法解释 too", "演示施工合同司法解释对利息怎么说", ("judges-2", "judges-1"), None),
        ("the law of which versions are held by one character", "老矿法第三条", ("ore-new", "ore-old"), "3"),
        ("an unknown name that is asked for an article", "请问甲乙回收办法第一条", (), "1"),
        ("a number of lines is no article", "演示电力法规定三条线路怎么办", ("law-2018",), None),
        (
            "an article the question invents elsewhere is not bound",
            "演示电力法第二条，另编“第九十九条 免费”",
            ("law-2018",),
            "2",
        ),
    ],
)
def test_mentions(remark: str, question: str, ids: tuple[str, ...], article: str | None) -> None:
    mentions = [m for m in read(question).mentions if m.title]
    assert mentions, remark
    assert (mentions[0].regulation_ids, mentions[0].article) == (ids, article), remark


@pytest.mark.parametrize(
    ("remark", "question"),
    [
        ("a short name that fits two held titles", "样板供热办法第三条怎么说"),
        ("one character without 新 or 老 names no law", "采矿法怎么说"),
        ("an explanation is no judicial interpretation", "对这个问题的解释是什么"),
        ("办法 is no law", "并网难有什么办法"),
        ("违法 names no law", "未批先建是不是违法第三条说的"),
        ("the text at hand", "本办法第三条是什么意思"),
        ("the tail of another law's name", "演示道路样板大气法规定怎么罚"),
        ("words of the question before what is built like a title", "锅炉和管道都归样板容器条例管吗"),
        ("asked whether it is one", "拆旧锅炉房算不算样板安全条例管的工程"),
        ("a duty to keep to it", "在海域施工，也要遵守样板管理规定吗"),
    ],
)
def test_no_name_where_none_is_certain(remark: str, question: str) -> None:
    assert not [m for m in read(question).mentions if m.title], remark


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("道路交通安全法规定酒驾罚多少", "道路交通安全法"),
        ("民事诉讼法起诉期限", "民事诉讼法"),
        ("刑法里污染环境罪怎么判", "刑法"),
    ],
)
def test_laws_of_the_country_are_names_though_none_is_held(question: str, title: str) -> None:
    names = TitleFinder(HELD, [known.title for known in RULES.known])
    (mention,) = QuestionReader(RULES, names).read(question, ANYWHERE, TODAY, 500).mentions
    assert (mention.title, mention.regulation_ids) == (title, ())


def test_a_title_without_chinese_characters_is_no_name() -> None:
    """A paper whose title could not be read is called by the stem of its file, 20.pdf."""
    names = TitleFinder([("stem", ["20"]), ("scan", ["IMG0012"])], [])
    assert names.find("2030年装机目标是多少") == []
    assert names.find("IMG0012里写了什么") == []


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("12号文怎么规定", ("notice",)),
        ("112号文怎么规定", ()),
        ("粤演能〔2024〕12号对并网怎么规定", ("notice",)),
        ("粤演能[2024]12号", ("notice",)),
        ("粤演能〔2025〕999号怎么规定", ()),
    ],
)
def test_document_numbers(question: str, ids: tuple[str, ...]) -> None:
    mention = next(m for m in read(question).mentions if m.document_number)
    assert mention.regulation_ids == ids


@pytest.mark.parametrize(
    ("question", "ids", "article"),
    [
        ("国务院令第907号第三条", ("pipe-cn",), "3"),
        ("中华人民共和国国务院令第907号第三条", ("pipe-cn",), "3"),
        ("依据国务院令907号，管道要多宽", ("pipe-cn",), None),
        ("国务院第907号令对管道怎么规定", ("pipe-cn",), None),
        ("907号令对管道怎么规定", ("pipe-cn",), None),
        ("主席令第93号第二条", ("law-2018",), "2"),
        ("主席令第九十三号第二条", ("law-2018",), "2"),
        ("国家发改委令第92号", ("recycling",), None),
        ("国家发展改革委2031年第92号令第二条", ("recycling",), "2"),
        ("国家发展改革委令2030年第92号", (), None),
        ("93号令", ("law-2018", "heat"), None),
        ("财政部令第93号", ("heat",), None),
        ("财政部令第907号", (), None),
        ("国务院令第90号", (), None),
        ("国务院令第1907号第三条", (), "3"),
    ],
)
def test_an_order_names_the_text_that_it_issued(question: str, ids: tuple[str, ...], article: str | None) -> None:
    mention = next(m for m in read(question).mentions if m.document_number)
    assert (mention.regulation_ids, mention.article) == (ids, article)


def test_a_standard_is_named() -> None:
    (mention,) = read("GB/T 19964对低电压穿越的要求").mentions
    assert (mention.words, mention.regulation_ids) == ("GB/T19964", ())


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("2020年时海上风电的环评报哪个部门", dt.date(2020, 7, 1)),
        ("2019年8月有个项目未验收就投运", dt.date(2019, 8, 1)),
        ("2019年8月15日投运的项目", dt.date(2019, 8, 15)),
        ("2023年底没有清缴怎么罚", dt.date(2023, 12, 31)),
        ("去年并网的项目", dt.date(2025, 11, 20)),
        ("2024年以前的备案规定", dt.date(2023, 12, 31)),
        ("2024年3月以前申请期限是几天", dt.date(2024, 2, 29)),
        ("2019年之前呢", dt.date(2018, 12, 31)),
        ("以前年份的电量能不能调", None),
        ("2024年以前的电量怎么结算", None),
        ("2024年以前投产的机组怎么结算", None),
        ("2025年机制电价竞价的上限", None),
        ("政府核准的投资项目目录2016年本", None),
        ("2024年修订后的条款", None),
        ("自2024年1月1日起施行的办法", None),
        ("粤演能〔2024〕12号", None),
        ("并网要多少天", None),
    ],
)
def test_days(question: str, expected: dt.date | None) -> None:
    found = day_in(question, TODAY)
    assert (found[0] if found else None) == expected


CHOSEN = dt.date(2024, 3, 1)


@pytest.mark.parametrize(
    ("remark", "question", "chosen", "day", "period", "facts"),
    [
        ("a year is a range", "2018年时谁审批", {}, dt.date(2018, 7, 1), ("2018-01-01", "2018-12-31"), ["day"]),
        ("a month is one", "2019年2月谁审批", {}, dt.date(2019, 2, 1), ("2019-02-01", "2019-02-28"), ["day"]),
        ("the end of a year", "2023年底怎么罚", {}, dt.date(2023, 12, 31), ("2023-12-01", "2023-12-31"), ["day"]),
        ("a day is none", "2019年8月15日时谁审批", {}, dt.date(2019, 8, 15), None, ["day"]),
        ("a bare year is said, not taken", "2018年谁审批", {}, None, None, ["year"]),
        ("a year to come is what is asked about", "2030年谁审批", {}, None, None, []),
        ("the words win over a chosen day", "2018年时谁审批", {"day": CHOSEN}, dt.date(2018, 7, 1), ("2018-01-01", "2018-12-31"), ["day", "conflict"]),
        ("a chosen day in the range is more exact", "2024年时谁审批", {"day": CHOSEN}, CHOSEN, None, []),
        ("when something happened is no contradiction", "2018年5月投产的项目", {"day": CHOSEN}, CHOSEN, None, []),
    ],
)  # fmt: skip
def test_a_range_of_days(
    remark: str, question: str, chosen: dict, day: dt.date | None, period: tuple[str, str] | None, facts: list[str]
) -> None:
    query = read(question, Filters(**chosen))
    assert query.filters.day == day, remark
    found = query.period and (query.period.first.isoformat(), query.period.last.isoformat())
    assert found == period, remark
    assert [e.fact for e in query.read] == facts, remark


@pytest.mark.parametrize(
    ("remark", "question", "chosen", "asset", "facts"),
    [
        ("the words win", "风电场怎么验收", "solar", "wind", ["conflict"]),
        ("the chosen one is named too", "光伏和风电怎么验收", "solar", "solar", []),
        ("none is named", "怎么验收", "solar", "solar", []),
        ("several others are named", "风电和煤电怎么验收", "solar", None, ["conflict"]),
        ("nothing is chosen", "风电场怎么验收", None, None, []),
        ("a comparison is not what is asked about", "绿电比火电贵的部分谁承担", "solar", "solar", []),
    ],
)
def test_words_win_over_a_chosen_kind_of_plant(
    remark: str, question: str, chosen: str | None, asset: str | None, facts: list[str]
) -> None:
    query = read(question, Filters(asset=chosen))
    assert (query.filters.asset, [e.fact for e in query.read]) == (asset, facts), remark


def test_a_place_sets_the_province_visibly_and_wins_over_a_choice() -> None:
    query = read("山东的光伏并网要几天")
    assert query.filters.province == "sd"
    assert [e.fact for e in query.read] == ["province"]
    chosen = read("山东的光伏并网要几天", Filters(province="gd"))
    assert chosen.filters.province == "sd"
    assert [e.fact for e in chosen.read] == ["province", "conflict"]


@pytest.mark.parametrize(
    ("remark", "question", "text"),
    [
        ("at the head", "淄博的光伏并网要几天", "山东的光伏并网要几天"),
        ("with its kind", "在淄博市光伏并网要几天", "在山东光伏并网要几天"),
        ("behind 请问", "想装光伏请问淄博并网要几天", "想装光伏请问山东并网要几天"),
        ("a thing of its own", "秦皇岛港煤价是多少", "秦皇岛港煤价是多少"),
        ("a fact of that city", "我们公司在阳江的项目批了吗", "我们公司在阳江的项目批了吗"),
        ("within a name", "按《淄博市演示条例》要几天", "按《淄博市演示条例》要几天"),
        ("a province", "山东的光伏并网要几天", "山东的光伏并网要几天"),
    ],
)
def test_a_city_without_a_text_of_its_own_is_read_as_its_province(remark: str, question: str, text: str) -> None:
    query = read(question)
    assert query.text == text, remark
    assert any("自己的规定" in e.words for e in query.read) == (query.text != question), remark


def test_a_city_that_a_held_title_bears_stays() -> None:
    names = TitleFinder([("a1", ["淄博市演示条例"])], [])
    assert names.bears("淄博") and not names.bears("济南")


@pytest.mark.parametrize("question", ["", "   \n\t　 ", "？？！", "🌬️", "<b></b>"])
def test_an_empty_question_is_refused(question: str) -> None:
    with pytest.raises(BadRequestError, match="问题"):
        read(question)


def test_a_question_of_ten_thousand_characters_is_refused() -> None:
    with pytest.raises(BadRequestError, match="过长"):
        read("并网" * 5000)


def test_synonyms_are_shown_and_confusable_words_never_added() -> None:
    query = read("接网要什么材料")
    added = {word for x in query.synonyms for word in x.added}
    confusable = {word for g in RULES.synonyms if any(t in query.text for t in g.terms) for word in g.confusable}
    assert "并网" in added
    assert not added & confusable


def test_markup_in_a_question_is_no_text() -> None:
    assert "script" not in read("<script>alert(1)</script>并网验收要几天").text


def test_a_question_in_english_is_read_as_chinese_and_says_so() -> None:
    query = read("What does Article 25 of the Electric Power Law say about electricity theft in Guangdong?")
    assert query.text == "电力法第25条 窃电 广东"
    assert query.original.startswith("What does")
    assert [e.words for e in query.read if e.fact == "question"] == ["按英文理解为“电力法第25条 窃电 广东”"]
    assert query.filters.province == "gd"


def test_english_words_of_a_chinese_question_are_added() -> None:
    query = read("山东curtailment怎么补偿，110kV送出受限也算吗")
    assert query.text == "山东curtailment怎么补偿,110kV送出受限也算吗 110千伏 限电 弃电"
    assert [e.words for e in query.read if e.fact == "question"] == [
        "“110kV”按“110千伏”理解",
        "“curtailment”按“限电 弃电”理解",
    ]


@pytest.mark.parametrize(
    "question", ["AGC投入率低于多少考核", "SVG容量怎么配", "110kV线路保护区多宽", "100MW光伏要配储吗"]
)
def test_abbreviations_of_chinese_questions_stay(question: str) -> None:
    assert read(question).text.startswith(question)


@pytest.mark.parametrize(
    ("remark", "asked", "found"),
    [
        ("six characters before its end", "演示海洋环保法第三条", True),
        ("seven", "演示海洋生环保法第三条", False),
        ("three", "演海保法第三条", True),
    ],
)
def test_a_short_name_has_at_most_six_characters_before_its_end(remark: str, asked: str, found: bool) -> None:
    names = TitleFinder([("sea", ["演示海洋生态环境保护法"])], [])
    assert any(name.ids for name in names.find(asked)) == found


SHARED = ["演示水法", "演示水法（2020年修正）", "演示水条例", "广东省演示水条例", "演示供水办法", "甲水", "20"]


@given(st.data())
def test_names_learned_text_by_text_are_those_learned_at_once(data: st.DataObject) -> None:
    """Whatever is stored, replaced and removed in whatever order."""
    known, held = ["演示水法", "演示海法"], dict[str, list[str]]()
    names = TitleFinder([], known)
    for key in data.draw(st.lists(st.sampled_from("abcdef"), max_size=20)):
        gone = {key: held.pop(key)} if key in held else {}
        new = (
            {} if gone and data.draw(st.booleans()) else {key: data.draw(st.lists(st.sampled_from(SHARED), min_size=1))}
        )
        held |= new
        names = names.changed(gone, new, lambda name: name)
        anew = TitleFinder(sorted(held.items(), reverse=True), known)
        for words in ("，".join(SHARED), *SHARED, "演示水条", "演示供水办法第三条", "演示海法第三条"):
            assert names.find(words) == anew.find(words)
            assert names.ids(words) == anew.ids(words) and names.bears(words) == anew.bears(words)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("喂，你好，我想问下哈，就是那个升压站几个月内要验收来着", "那个升压站几个月内要验收"),
        ("老师麻烦问一下并网要哪些材料啊，急", "并网要哪些材料啊"),
        ("领导让我查一下，储能站多久检修一次，谢谢您", "储能站多久检修一次"),
        ("你好 在吗 是这样的 我问个事 并网要哪些材料", "并网要哪些材料"),
        ("您好", "您好"),
        ("演示电力法啥时候施行的", "演示电力法什么时候施行的"),
        ("未批先建咋罚", "未批先建怎么罚"),
        ("你好，你是谁", "你好,你是谁"),
        ("领导责任怎么追究", "领导责任怎么追究"),
        ("我们想要备案", "我们想要备案"),
        ("风电场要不要应急", "风电场要不要应急"),
    ],
)
def test_courtesies_around_a_question_are_no_part_of_it(typed: str, asked: str) -> None:
    query = QuestionReader(RULES, TitleFinder(HELD, [])).read(typed, ANYWHERE, TODAY, 500)
    assert (query.text, query.original) == (asked, typed)
