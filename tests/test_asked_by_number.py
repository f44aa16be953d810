"""What is asked by number is given whole and in order; what is asked of a text itself is answered with its proof."""

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.export import answer_json
from nemo.types import Answer, Reason
from tests import asked_samples
from tests.held_texts import holding

DAY = dt.date(2026, 11, 20)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder: Path = tmp_path_factory.mktemp("asked")
    files, manifest = asked_samples.write(folder / "in")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest(files, manifest=manifest)
        yield opened


def ask(engine: Engine, question: str) -> Answer:
    return engine.ask(question, day=DAY)


def labels(answer: Answer) -> list[str]:
    return [quote.citation.label for quote in answer.quotes]


BY_NUMBER = [
    ("an article", "演示航道法典第三条", ["3"]),
    ("an article with a list", "演示航道法典第4条", ["4"]),
    ("an inserted article", "演示航道法典第五条之一", ["5.1"]),
    ("a 款", "演示航道法典第三条第二款", ["3-2"]),
    ("an item", "演示航道法典第四条第一款第二项", ["4-1-2"]),
    ("an item without its 款", "演示航道法典第四条第（三）项", ["4-1-3"]),
    ("an item without its unit", "演示航道法典4条（一）", ["4-1-1"]),
    ("a range", "演示航道法典第二条至第四条", ["2", "3", "4"]),
    ("to the last", "演示航道法典第五条至最后", ["5", "5.1", "6", "7"]),
    ("from one on", "演示航道法典第六条以后的条文", ["6", "7"]),
    ("up to one", "演示航道法典第二条以前的条文", ["1", "2"]),
    ("the bare number", "演示航道法典 3", ["3"]),
    ("the bare number of a 款", "演示航道法典3-2", ["3-2"]),
    ("a bare range", "演示航道法典2~4", ["2", "3", "4"]),
    ("the whole text", "闸法全文", ["1", "2", "3", "4", "5", "6"]),
    ("a list", "演示航道法典第一、三条", ["1", "3"]),
    ("two articles", "演示航道法典第一条和第六条", ["1", "6"]),
    ("a part", "演示航道法典第二编", ["3", "4", "5", "5.1"]),
    ("a chapter of a part", "演示航道法典第二编第二章", ["5", "5.1"]),
    ("a chapter that only one part has", "演示航道法典第二章全文", ["5", "5.1"]),
    ("closing provisions without a number", "演示航道法典附则", ["7"]),
    ("an article of the closing provisions", "演示航道法典第七条", ["7"]),
    ("items in brackets", "演示航道法典第四条（一）、（三）", ["4-1-1", "4-1-3"]),
    ("a name that 呢 stands behind", "闸法2条呢", ["2"]),
    ("the last article", "演示航道法典最后一条", ["7"]),
    ("the last but one", "演示航道法典倒数第二条是什么", ["6"]),
    ("a chapter by its heading", "演示航道法典施工这一章", ["5", "5.1"]),
    ("traditional", "演示航道法典第三條", ["3"]),
    ("full width", "演示航道法典第３条", ["3"]),
    ("a name of two characters", "闸法第二条", ["2"]),
    ("with its full title", "《中华人民共和国闸法》第二条", ["2"]),
    ("without brackets", "中华人民共和国闸法第二条", ["2"]),
    ("in a sentence", "请问根据闸法第四条怎么规定", ["4"]),
    ("the number first", "第三条，闸法", ["3"]),
    ("the number first, only a blank between", "第3条 闸法", ["3"]),
    ("as a footnote writes it", "闸法 art. 3", ["3"]),
    ("with a footnote's 款", "演示航道法典 Art.3(2)", ["3-2"]),
    ("with the sign of an article", "闸法§2", ["2"]),
    ("款 and 项 in brackets", "演示航道法典4(1)(二)", ["4-1-2"]),
    ("a chapter by its heading alone", "演示航道法典施工", ["5", "5.1"]),
    ("a chapter", "闸法第二章", ["2", "3", "4"]),
    ("closing provisions", "闸法的附则写了什么", ["5", "6"]),
    ("an annex", "演示省过闸办法附件2", ["x2"]),
    ("two texts", "闸法第二条和演示省过闸办法第二条", ["2", "2"]),
    ("one number for both texts", "闸法和演示省过闸办法第二条", ["2", "2"]),
    ("one number for three texts", "闸法、演示航道法典和演示省过闸办法第一条", ["1", "1", "1"]),
    ("one number for names in brackets side by side", "《闸法》《演示航道法典》第二条", ["2", "2"]),
    ("a chapter with its heading beside its number", "闸法第二章用闸全文发我", ["2", "3", "4"]),
    ("a chapter, to be listed", "闸法第二章都有哪些条款，全列给我", ["2", "3", "4"]),
    ("how many articles a chapter has", "闸法第二章有哪几条", ["2", "3", "4"]),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "question", "expected"), BY_NUMBER)
def test_by_number(engine: Engine, remark: str, question: str, expected: list[str]) -> None:
    answer = ask(engine, question)
    assert answer.refusal is None, (remark, answer.refusal)
    got = [label.removesuffix("-1") if want.count("-") < label.count("-") else label for label, want in zip(labels(answer), expected, strict=True)]  # fmt: skip
    assert got == expected, remark


def test_every_character_of_an_article_is_shown_once_and_in_order(engine: Engine) -> None:
    regulation = engine.regulation("演示航道法典")
    whole = regulation.find("4")
    assert whole is not None
    for asked in ("第四条", "第四条第二款", "第四条第一款第二项", "第四条第一款第（一）至（二）项"):
        (quote,) = ask(engine, f"演示航道法典{asked}").quotes
        shown = "".join(filter(None, (quote.before_text, quote.text, quote.after_text)))
        assert "".join(shown.split()) == "".join(whole.span.of(regulation.text).split()), asked


def test_an_article_of_closing_provisions_lies_in_no_part(engine: Engine) -> None:
    (quote,) = ask(engine, "演示航道法典第七条").quotes
    assert quote.citation.path == "附则第七条"


def test_the_asked_item_is_the_quote_and_its_list_stands_around_it(engine: Engine) -> None:
    (quote,) = ask(engine, "演示航道法典第四条第二项").quotes
    assert quote.text == "（二）航道等级调整；"
    assert quote.before_text is not None and quote.before_text.startswith("第四条 有下列情形之一的")
    assert quote.after_text is not None and quote.after_text.startswith("（三）")


def test_a_penalty_asked_for_follows_the_duty(engine: Engine) -> None:
    assert [x.split("-")[0] for x in labels(ask(engine, "违反演示航道法典第五条怎么处罚"))] == ["5", "6"]


def test_a_question_about_something_in_a_chapter_is_searched(engine: Engine) -> None:
    answer = ask(engine, "演示航道法典第二编对水位变化怎么规定")
    assert answer.mode != "provision"


REFUSED = [
    ("no such article", "闸法第九十九条", Reason.ARTICLE_NOT_FOUND, "至第六条止"),
    ("no such 款", "闸法第二条第三款", Reason.ARTICLE_NOT_FOUND, "第二条第三款"),
    ("no such chapter", "闸法第八章", Reason.ARTICLE_NOT_FOUND, "第八章"),
    ("several by this number", "演示航道法典第一章", Reason.ARTICLE_NOT_FOUND, "2 处第一章"),
    ("a text without closing provisions", "演示航道管理条例附则", Reason.NOT_IN_FORCE_ON_DAY, "被《中华人民共和国演示航道法典》废止"),
    ("a law of two characters that is not held", "宪法第三条", Reason.REGULATION_NOT_HELD, "《宪法》"),
    ("and one that nobody knows", "坝法第三条", Reason.REGULATION_NOT_HELD, "《坝法》"),
    ("a law that is not held", "演示海港法第三条怎么规定", Reason.REGULATION_NOT_HELD, "演示海港法"),
    ("a law of more characters that nobody knows", "道法典化法第三条", Reason.REGULATION_NOT_HELD, "道法典化法"),
    ("a version that is not held", "闸法2009年修正的第二条", Reason.REGULATION_NOT_HELD, "闸法（2009年的版本）"),
    ("and one named in brackets", "闸法（2009年版）第二条", Reason.REGULATION_NOT_HELD, "闸法（2009年的版本）"),
    ("whether a law stands that nobody knows", "演示海港法还有效吗", Reason.REGULATION_NOT_HELD, "演示海港法"),
    ("an article by a number beyond any text", "闸法第一百万条", Reason.ARTICLE_NOT_FOUND, "没有第一百万条"),
    ("no annex", "闸法的附件有哪些", Reason.NO_EVIDENCE, "没有载明附件"),
    ("no article zero", "闸法第零条", Reason.ARTICLE_NOT_FOUND, "没有第零条"),
    ("an article of no text", "第五条", Reason.BAD_QUESTION, "没有写是哪部法规"),
    ("nothing but one word", "过闸过闸过闸过闸", Reason.BAD_QUESTION, "没有可以检索的文字"),
    ("nothing but options", "【单选】ABCD", Reason.BAD_QUESTION, "没有可以检索的文字"),
    ("a repealed text", "演示航道管理条例第二条", Reason.NOT_IN_FORCE_ON_DAY, "2021-01-01 失效"),
]  # fmt: skip


@pytest.mark.parametrize(("remark", "question", "reason", "words"), REFUSED)
def test_refused(engine: Engine, remark: str, question: str, reason: Reason, words: str) -> None:
    refusal = ask(engine, question).refusal
    assert refusal is not None, remark
    assert refusal.reason is reason, remark
    assert words in refusal.message, remark


ABOUT = [
    ("闸法的目录", "第一章 总则（第一条）；第二章", "第一章 总则"),
    ("演示航道法典有哪些章", "第二编 航道建设；第一章 规划（第三条至第四条）", "第二编 航道建设"),
    ("闸法分几章", "第一章 总则", "第二章"),
    ("闸法什么时候施行的", "2002年10月1日", "自2002年10月1日起施行"),
    ("闸法从几号开始算数", "2002年10月1日", "自2002年10月1日起施行"),
    ("闸法的施行日期", "2016年9月1日", "自2002年10月1日起施行"),
    ("闸法从哪天起施行？", "2002年10月1日", "自2002年10月1日起施行"),
    ("闸法2012年有效吗", "在2012年7月1日施行的是此前的版本，资料库没有收录", "自2002年10月1日起施行"),
    (
        "闸法在2002年9月是不是有效",
        "2016年7月2日的版本在2002年9月1日尚未施行；此前的版本（2002年8月29日通过）资料库没有收录",
        "自2002年10月1日起施行",
    ),
    ("闸法2001年施行了没有", "在2001年7月1日尚未施行", "自2002年10月1日起施行"),
    ("闸法最近是哪年改的", "2016年7月2日第二次修正", "第二次修正"),
    ("闸法修正了几回，最近一回是哪天", "2016年7月2日第二次修正", "第二次修正"),
    ("闸法的上一版是哪年的", "库内只有这一个版本", "第二次修正"),
    ("哪些地方性法规是依据闸法制定的", "《演示省过闸办法》", "根据《中华人民共和国闸法》"),
    ("演示航道管理条例还有没有效力", "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止", "同时废止"),
    ("闸法一共修正过几次", "修正二次", "第二次修正"),
    ("闸法有哪些修改", "2009年8月27日第一次修正", "第一次修正"),
    ("闸法的修改历史", "2016年7月2日第二次修正", "第二次修正"),
    ("闸法的最新版本是什么", "2016年7月2日第二次修正", "第二次修正"),
    ("现行闸法是哪个版本", "2016年7月2日", "第二次修正"),
    ("闸法是谁通过的", "全国人民代表大会常务委员会", "通过"),
    ("闸法哪个机关发布的", "全国人民代表大会常务委员会", "通过"),
    ("闸法是什么时候通过的", "2002年8月29日通过", "2002年8月29日"),
    ("闸法现在还有效吗", "现行有效", "自2002年10月1日起施行"),
    ("闸法是否已经废止", "现行有效", "自2002年10月1日起施行"),
    ("演示航道管理条例还有效吗", "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止", "同时废止"),
    ("演示航道管理条例还有没有效", "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止", "同时废止"),
    ("演示航道管理条例废了吗", "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止", "同时废止"),
    ("演示航道管理条例停用了没", "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止", "同时废止"),
    ("演示航道法典把哪个条例废了", "废止《演示航道管理条例》", "同时废止"),
    ("演示航道管理条例被哪部法律废止了", "《中华人民共和国演示航道法典》第七条", "同时废止"),
    ("演示航道管理条例什么时候失效的", "有效至2020年12月31日", "同时废止"),
    ("演示省过闸暂行规定还能用吗", "被《演示省过闸办法》第三条废止", "同时废止"),
    ("演示省过闸暂行规定是被什么废止的", "被《演示省过闸办法》第三条废止", "同时废止"),
    ("演示省过闸办法根据什么制定", "《中华人民共和国闸法》", "根据《中华人民共和国闸法》"),
    ("演示省过闸办法的制定依据是什么", "《中华人民共和国闸法》", "根据《中华人民共和国闸法》"),
    ("演示航道法典的立法依据", "根据宪法", "根据宪法"),
    ("哪些规定引用了闸法", "《演示省过闸办法》", "根据《中华人民共和国闸法》"),
    ("哪些办法是依据闸法制定的？", "《演示省过闸办法》", "根据《中华人民共和国闸法》"),
    ("演示航道法典废止了哪些文件", "《演示航道管理条例》", "同时废止"),
    ("演示航道法典什么时候施行，废止了哪些文件", "废止《演示航道管理条例》；自2021年1月1日起施行", "同时废止"),
    ("演示航道法典何时施行、废止了哪个文件", "废止《演示航道管理条例》；自2021年1月1日起施行", "同时废止"),
    ("演示航道管理条例何时施行、有效多久", "有效至2020年12月31日", "同时废止"),
    ("演示航道法典一共有多少条", "共8条", "第七条"),
    ("演示省过闸办法属于什么效力级别", "地方政府规章", "演示省人民政府令第30号"),
    ("演示省过闸办法是行政法规还是政府规章", "地方政府规章", "演示省人民政府令第30号"),
    ("闸法上次修正是几几年", "2009年8月27日第一次修正", "第一次修正"),
    ("闸法几号施行", "2002年10月1日", "自2002年10月1日起施行"),
    ("闸法第一次修正是哪年", "2009年8月27日第一次修正", "第一次修正"),
    (
        "演示航道管理条例是什么时候废的，被谁废的",
        "2021年1月1日起被《中华人民共和国演示航道法典》第七条废止",
        "同时废止",
    ),
    ("演示省过闸暂行规定现在还算数吗", "被《演示省过闸办法》第三条废止", "同时废止"),
    ("演示航道管理条例的发文字号", "演示委员会令第12号", "令第12号"),
    ("演示航道管理条例是几号文", "演示委员会令第12号", "令第12号"),
    ("演示航道管理条例是国务院第几号令", "演示委员会令第12号", "令第12号"),
    ("国务院令第几号是演示航道管理条例", "演示委员会令第12号", "令第12号"),
    ("闸法是全国人大常委会什么时候通过的", "2002年8月29日通过", "2002年8月29日"),
    ("演示省过闸办法是哪个部门发的", "演示省人民政府", "演示省人民政府令第30号"),
    ("演示省过闸办法有哪些附件", "共2个：附件1 过闸收费标准；附件2 免收情形", "附件2 免收情形"),
    ("闸法什么时候施行，谁通过的", "2002年10月1日", "通过"),
]


@pytest.mark.parametrize(("question", "fact", "proof"), ABOUT)
def test_about_the_text_itself(engine: Engine, question: str, fact: str, proof: str) -> None:
    answer = ask(engine, question)
    assert answer.mode == "about", (answer.mode, answer.heading, answer.refusal)
    assert fact in answer.heading
    shown = [quote.text for quote in answer.quotes]
    assert any(proof in text for text in shown), shown
    for quote in answer.quotes:
        assert quote.text == quote.span.of(engine.regulation(quote.regulation_id).text)


def test_a_text_that_repeals_nothing_says_so(engine: Engine) -> None:
    refusal = ask(engine, "闸法废止了哪些规定").refusal
    assert refusal is not None and "没有载明所废止的文件" in refusal.message


def test_a_year_that_opens_a_question_is_its_day_or_said_to_be_none(engine: Engine) -> None:
    (quote,) = engine.ask("2019年的演示航道管理条例第二条").quotes
    assert quote.citation.label == "2"
    then = engine.ask("2019年船舶过闸要提前几日申请")
    assert then.query.period is not None and then.query.period.last == dt.date(2019, 12, 31)
    assert then.day == dt.date(2019, 7, 1) and "2019-12-31" in then.understood
    before = engine.ask("2010年船舶过闸申请应当载明什么")
    assert before.day > DAY - dt.timedelta(days=365) and any("2010年时的版本未收录" in tip for tip in before.tips)


def test_a_question_what_the_text_rules_is_searched(engine: Engine) -> None:
    for question in (
        "闸法规定过闸申请什么时候答复",
        "闸法第二条什么时候施行的呢船舶怎么办",
        "演示航道标志多久检查一次",
    ):
        assert ask(engine, question).mode != "about", question


BAD = [
    ("one character a thousand times", "电" * 1000),
    ("punctuation only", "？！……，。、；：“”"),
    ("ten thousand characters", "船舶过闸应当提前几日申请" * 900),
    ("blanks", "   \n　"),
]


@pytest.mark.parametrize(("remark", "question"), BAD)
def test_bad_input_is_refused_with_a_way_out(engine: Engine, remark: str, question: str) -> None:
    answer = ask(engine, question)
    assert answer.refusal is not None, remark
    assert answer.refusal.message, remark
    assert answer.refusal.tips, remark


def test_mixed_scripts_and_many_names(engine: Engine) -> None:
    assert labels(ask(engine, "ＡＢＣ《闸法》第２條 какой")) == ["2"]
    many = ask(engine, "、".join(f"闸法第{n}条" for n in range(1, 7)))
    assert labels(many) == ["1", "2", "3", "4", "5", "6"]


def test_a_place_in_the_question_wins_over_the_chosen_one_and_is_said(engine: Engine) -> None:
    answer = engine.ask("山东过闸收费标准是多少", province="gd", day=DAY)
    assert answer.query.filters.province == "sd"
    assert any("所选省份是广东，问题写的是山东" in e.words for e in answer.query.read)


def test_a_day_before_any_law_is_refused(engine: Engine) -> None:
    refusal = engine.ask("船舶过闸应当提前几日申请", day=dt.date(1950, 1, 1)).refusal
    assert refusal is not None
    assert refusal.reason is Reason.NO_TEXTS_FOR_FILTER
    assert "1950-01-01 早于" in refusal.message
    assert "2002-10-01" in refusal.message


def test_what_would_have_answered_but_ended_is_named(engine: Engine) -> None:
    then = engine.ask("航标灯的电池每年更换几次", day=dt.date(2015, 1, 1))
    assert [q.citation.title for q in then.quotes][:1] == ["演示航道管理条例"]
    refusal = engine.ask("航标灯的电池每年更换几次", day=DAY).refusal
    assert refusal is not None
    assert refusal.reason is Reason.NOT_IN_FORCE_ON_DAY
    assert "演示航道管理条例" in refusal.message
    assert "被《中华人民共和国演示航道法典》废止" in refusal.message


def test_a_page_is_linked_only_in_a_pdf(engine: Engine) -> None:
    answer = ask(engine, "闸法第二条")
    quote = answer.quotes[0]
    for url, linked in (("https://example.org/a.pdf", "https://example.org/a.pdf#page=8"), ("https://example.org/a.html", "https://example.org/a.html")):  # fmt: skip
        cited = replace(quote, citation=replace(quote.citation, url=url, pages=(8,)))
        told = answer_json(replace(answer, quotes=(cited,)))["citations"][0]
        assert told["direct_link"] == linked


def test_last_checked_is_the_day_of_the_answer_not_the_day_asked(engine: Engine) -> None:
    told = answer_json(replace(ask(engine, "闸法第二条"), trace_id="nemo-20261201-00000000"))["citations"][0]
    assert told["last_checked"] == "2026-12-01"


def test_a_repealing_clause_does_not_rest_on_what_it_repeals(engine: Engine) -> None:
    answer = ask(engine, "演示航道管理条例被什么废止了")
    assert "第七条" in answer.heading
    assert [q.citation.warnings for q in answer.quotes] == [()]


def test_the_fact_stands_in_the_text_of_the_answer(engine: Engine) -> None:
    told = answer_json(ask(engine, "演示航道管理条例还有效吗"))
    assert "已废止" in told["answer_zh"].splitlines()[0]
    assert told["mode"] == "about"


OLD_DYKES = """演示市堤防条例（演示文本）

（2010年3月1日演示市人民代表大会常务委员会通过 2010年4月1日演示省人民代表大会常务委员会批准）

第一条 为了示范旧版本的失效日期，制定本条例。

第二条 堤防每年巡查一次。

第三条 本条例自2010年5月1日起施行。
"""
NEW_DYKES = OLD_DYKES.replace(
    "委员会批准）",
    "委员会批准 根据2020年8月1日演示市人民代表大会常务委员会《关于修改〈演示市堤防条例〉的决定》修正）",
).replace("每年巡查一次", "每年巡查二次")


def test_an_end_that_is_inferred_says_so_and_the_body_that_approved_is_no_issuer(tmp_path: Path) -> None:
    with holding(
        tmp_path, {"演示市堤防条例-20100301.txt": OLD_DYKES, "演示市堤防条例-20200801.txt": NEW_DYKES}
    ) as engine:
        ended = ask(engine, "旧版演示市堤防条例什么时候失效")
        assert "推定，不晚于2021年8月1日" in ended.heading, ended.heading
        approved = ask(engine, "演示市堤防条例是谁批准的")
        assert "演示省人民代表大会常务委员会批准" in approved.heading, approved.heading


PROPERTY = """中华人民共和国演示法典
物权编（演示文本）
（2020年5月28日全国人民代表大会通过 2021年1月1日施行）
第二百零五条 本编调整演示的物权关系。
第二百零六条 演示的海域使用权受法律保护。
"""
CONTRACT = """中华人民共和国演示法典
合同编（演示文本）
（2020年5月28日全国人民代表大会通过 2021年1月1日施行）
第一章 供电合同
第四百六十三条 供电人应当按时供电。
第四百六十四条 用电人应当按时交付电费。
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("演示法典物权编第二百零六条", ["206"]),
        ("演示法典合同编第一章", ["463", "464"]),
        ("演示法典第二编第206条第一款", ["206-1"]),
        ("演示法典物权编第四百六十四条", []),
    ],
)
def test_a_code_that_is_held_part_by_part(tmp_path: Path, question: str, expected: list[str]) -> None:
    """Articles are numbered through the whole code; what is asked of one part is not given from another."""
    named = [("物权编.txt", "物权编"), ("合同编.txt", "合同编")]
    facts = [{"file": f, "title": "中华人民共和国演示法典", "short_title": part, "level": "法律"} for f, part in named]
    manifest = "\n".join(json.dumps(fact, ensure_ascii=False) for fact in facts)
    with holding(tmp_path, {"物权编.txt": PROPERTY, "合同编.txt": CONTRACT}, manifest) as engine:
        assert labels(ask(engine, question)) == expected


def test_a_text_that_is_not_held_is_known_by_its_name_without_the_country(tmp_path: Path) -> None:
    texts = {
        "a.txt": OLD_DYKES,
        "b.txt": PROPERTY.replace(
            "第二百零六条 演示的海域使用权受法律保护。", "第二百零六条 《中华人民共和国演示渡口条例》同时废止。"
        ),
    }
    with holding(tmp_path, texts) as engine:
        assert "第二百零六条废止" in ask(engine, "演示渡口条例是哪年失效的").heading
        of_a_province = ask(engine, "广东省演示渡口条例还有效吗").refusal
        assert of_a_province is not None and of_a_province.reason is Reason.REGULATION_NOT_HELD


REVISED = """演示公开条例

2007年4月5日 演示委员会令第92号公布

2019年4月3日 演示委员会令第711号修订

2019年5月15日 施行

第一条 为了公开演示信息，制定本条例。

第二条 本条例自2019年5月15日起施行。1999年2月1日演示委员会令第17号公布的《演示公开暂行规定》同时废止。
"""


@pytest.mark.parametrize(("number", "told"), [("92", True), ("17", False), ("93", False)])
def test_the_number_of_an_earlier_issue_leads_to_the_text_that_records_it(
    tmp_path: Path, number: str, told: bool
) -> None:
    """What a text repeals is no earlier issue of it; the refusal stays, for the articles may be others now."""
    with holding(tmp_path, {"公开.txt": REVISED}) as engine:
        refusal = ask(engine, f"演示委员会令第{number}号第二条").refusal
        assert refusal is not None and refusal.reason is Reason.REGULATION_NOT_HELD
        tip = "库内的《演示公开条例》载明“2007年4月5日 演示委员会令第92号公布”：收录的是其后的文本"
        assert refusal.tips[0].startswith(tip) == told
