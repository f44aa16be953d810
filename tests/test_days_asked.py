"""Days, versions and ended texts as a question meets them and programs read them (时效问答), on invented texts (演示文本)."""

import datetime as dt
from collections.abc import Iterator

import pytest

from nemo.engine import Engine
from nemo.lawview import plain
from nemo.types import Answer, Reason, Status
from tests.held_texts import holding

TODAY = dt.date(2026, 11, 23)


def version(title: str, note: str, metres: str, start: str) -> str:
    return f"""{title}
（{note}）
第一条 为了防护（演示文本），制定本条例。
第二条 电力设施保护区外侧{metres}内不得取土。
第三条 本条例自{start}起施行。
"""


GUARD = "演示省电力设施防护条例"
ADOPTED = "2008年5月20日演示省人大常委会通过"
REVISED = f"{ADOPTED} 2017年9月29日演示省人大常委会修订"
AMENDED = f"{REVISED} 根据2022年7月28日演示省人大常委会《关于修改〈{GUARD}〉的决定》修正"
CODE = "中华人民共和国演示线路惩治法"
TEXTS = {
    "guard-2008.txt": version(GUARD, f"{ADOPTED} 自2008年8月1日起施行", "五米", "2008年8月1日"),
    "guard-2017.txt": version(GUARD, f"{REVISED} 自2018年1月1日起施行", "十米", "2018年1月1日"),
    "guard-2022.txt": version(GUARD, AMENDED, "十五米", "2018年1月1日"),
    "gone.txt": """演示省工业余热梯级利用补助细则
（2018年3月1日演示省能源局公布）
第一条 为了规范补助（演示文本），制定本细则。
第二条 工业余热梯级利用项目的补助比例为设备投资额的百分之十二。
第三条 本细则自2018年4月1日起施行。
""",
    "after.txt": """演示省工业节能奖补办法
（2023年3月1日演示省能源局公布）
第一条 为了规范奖补（演示文本），制定本办法。
第二条 奖补资金由设区的市拨付。
第三条 本办法自2023年5月1日起施行。《演示省工业余热梯级利用补助细则》同时废止。
""",
    "code.txt": f"""{CODE}
（1998年3月14日演示人民代表大会通过 根据2006年6月29日《{CODE}修正案》修正 根据2020年12月26日《{CODE}修正案（二）》修正）
第一条 为了惩治损害线路的行为（演示文本），制定本法。
第二条 盗窃线路的，处一千元罚款。
第二条之一 盗窃电缆的，处五千元罚款。
第三条 本法自1998年10月1日起施行。
""",
    "amendment.txt": f"""{CODE}修正案（二）
（2020年12月26日演示人民代表大会常务委员会第二十四次会议通过）
一、在惩治法第二条后增加一条，作为第二条之一：“盗窃电缆的，处五千元罚款。”（演示文本）
二、本修正案自2021年3月1日起施行。
""",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with holding(tmp_path_factory.mktemp("days"), TEXTS) as opened:
        yield opened


def asked(engine: Engine, question: str, day: str | None = None) -> Answer:
    return engine.ask(question, day=dt.date.fromisoformat(day) if day else None)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("电力设施防护条例2012年4月时的版本", "在2012年4月1日有效的是2008年5月20日的版本"),
        ("2020年时有效的电力设施防护条例是哪一版？", "在2020年7月1日有效的是2017年9月29日的版本"),
        (
            "电力设施防护条例2020年适用哪一版",
            "在2020年7月1日有效的是2017年9月29日的版本；库内最新版本为2022年7月28日修正",
        ),
        ("电力设施防护条例2012年4月1日适用哪个版本", "在2012年4月1日有效的是2008年5月20日的版本"),
        ("电力设施防护条例2019年按哪个版", "在2019年7月1日有效的是2017年9月29日的版本"),
        ("电力设施防护条例还有效吗", "自2018年1月1日起施行，2022年7月28日的版本自2022年7月28日起施行（推定）"),
        ("电力设施防护条例1990年时的版本", "库内没有在1990年7月1日有效的版本"),
        ("工业余热梯级利用补助细则被什么废止了", "自2023年5月1日起被《演示省工业节能奖补办法》第三条废止"),
    ],
)
def test_which_version_is_law_on_a_day(engine: Engine, question: str, said: str) -> None:
    answer = asked(engine, question)
    assert answer.refusal is None and said in answer.heading


@pytest.mark.parametrize(
    ("question", "chosen", "words"),
    [
        ("电力设施防护条例2012年第二条", None, "五米"),
        ("电力设施防护条例2020年第二条", None, "十米"),
        ("2012年4月1日电力设施防护条例第二条", "2026-01-01", "五米"),
        ("电力设施防护条例2012年4月1日第二条", "2026-01-01", "五米"),
    ],
)
def test_an_article_is_that_of_the_day_in_the_words(
    engine: Engine, question: str, chosen: str | None, words: str
) -> None:
    answer = asked(engine, question, chosen)
    assert words in answer.quotes[0].text
    assert chosen is None or any(chosen in tip for tip in answer.tips), "that the words win is said"


def test_whether_a_text_is_law_is_asked_of_the_chosen_day(engine: Engine) -> None:
    """The version of 2017 was adopted and not yet in force on that day: the one before it was law."""
    heading = asked(engine, "电力设施防护条例还有效吗", "2017-11-01").heading
    assert "现行有效" in heading and "有效至2017年12月31日" in heading


def test_a_text_that_ended_is_named_where_a_current_one_lacks_the_value(engine: Engine) -> None:
    refusal = asked(engine, "工业余热梯级利用项目的补助比例是多少？").refusal
    assert refusal is not None and refusal.reason is Reason.NOT_IN_FORCE_ON_DAY
    assert all(
        words in refusal.message for words in ("演示省工业余热梯级利用补助细则", "2023-05-01", "演示省工业节能奖补办法")
    )


def test_the_earlier_version_stands_beside_one_whose_start_is_inferred(engine: Engine) -> None:
    quotes = asked(engine, "电力设施保护区外侧几米内不得取土？", "2022-09-01").quotes
    assert [("十五米" in q.text, "十米" in q.text) for q in quotes] == [(True, False), (False, True)]
    assert {q.citation.status for q in quotes} == {Status.UNKNOWN}
    assert "2022-07-28 至 2023-07-28" in quotes[0].citation.warnings[0]
    today = asked(engine, "电力设施保护区外侧几米内不得取土？").quotes
    assert len(today) == 1 and not today[0].citation.warnings


@pytest.mark.parametrize(
    ("question", "day", "reason"),
    [
        ("1950年电力设施保护区外侧几米内不得取土？", None, Reason.NO_TEXTS_FOR_FILTER),
        ("电力设施保护区外侧几米内不得取土？", "1800-01-01", Reason.NO_TEXTS_FOR_FILTER),
        ("电力设施保护区外侧几米内不得取土？", "9999-12-31", None),
    ],
)
def test_days_outside_all_law(engine: Engine, question: str, day: str | None, reason: Reason | None) -> None:
    refusal = asked(engine, question, day).refusal
    assert (refusal and refusal.reason) == reason


def test_a_code_begins_with_the_amendment_that_brought_its_wording(engine: Engine) -> None:
    known = engine.regulation("code.txt").validity
    assert known.effective == dt.date(2021, 3, 1) and not known.derived
    assert known.on(dt.date(2018, 1, 1), "2.1") is Status.PENDING


def test_an_inferred_start_is_marked_in_every_list(engine: Engine) -> None:
    key = engine.regulation("guard-2022.txt").id
    history = plain.history(engine.law.timeline(key, TODAY))
    stretch = history["versions"][-1]
    assert stretch["effective_derived"] and stretch["effective_latest"] == "2023-07-28"
    assert "推定本版本施行" in [event["kind"] for event in history["events"]]


def test_an_english_question_about_a_text_that_it_does_not_name_is_refused(engine: Engine) -> None:
    refusal = asked(engine, "Is the regulation about power facilities of our county still in force?").refusal
    assert refusal is not None and refusal.reason is Reason.BAD_QUESTION and "哪一部法规" in refusal.message


def test_an_article_in_english_of_a_text_in_chinese_is_given_whole(engine: Engine) -> None:
    answer = asked(engine, "Article 2 of 电力设施防护条例")
    assert answer.quotes[0].citation.label == "2" and "十五米" in answer.quotes[0].text
