"""Questions about a stretch of time: the day taken is said, and every version that was law within it is named."""

import datetime as dt
from collections.abc import Iterator

import pytest

from nemo import rules as rule_data
from nemo import settings
from nemo.answer.question import days
from nemo.engine import Engine
from nemo.text.words.english import English
from nemo.types import Answer, Evidence, Filters, Origin, Query, Reason
from tests.held_texts import holding

OLD = """演示塔架管理办法（演示文本）

第一条 为了演示时段提问，制定本办法。

第二条 塔架基础埋深不得小于二米，由演示主管部门验收。

第三条 本办法自2012年1月1日起施行。
"""
NEW = """演示塔架管理规定（演示文本）

第一条 为了演示时段提问，制定本规定。

第二条 塔架基础埋深不得小于三米，由演示主管部门验收。

第三条 本规定自2018年9月1日起施行。《演示塔架管理办法（演示文本）》同时废止。
"""
LOCAL = """山东省演示塔架检修条例

（2015年3月1日山东省演示委员会通过）

第一条 为了演示同名文本，制定本条例。

第二条 塔架检修应当每年一次。

第三条 本条例自2015年6月1日起施行。
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    texts = {"old.txt": OLD, "new.txt": NEW, "local.txt": LOCAL}
    with holding(tmp_path_factory.mktemp("days"), texts, keep_answers=False) as opened:
        yield opened


def tips(answer: Answer) -> str:
    return "；".join((*answer.tips, *(answer.refusal.tips if answer.refusal else ())))


@pytest.mark.parametrize(
    ("remark", "question", "understood", "said", "unsaid"),
    [
        ("both versions of the year", "2018年时演示塔架管理办法第二条", "2018-01-01 至 2018-12-31，按其中的 2018-07-01", ("2018-09-01 为止", "演示塔架管理规定"), ()),
        ("one version all year", "2015年时演示塔架管理办法第二条", "2015-01-01 至 2015-12-31", ("写明日期或选择适用日期",), ("为止",)),
        ("the year it began", "2018年时演示塔架管理规定第二条", "2018-07-01", ("2018-09-01 施行的版本",), ()),
        ("a day is no range", "2015年3月1日时演示塔架管理办法第二条", "", (), ("写明日期",)),
        ("a bare year is not taken silently", "2016年，演示塔架管理规定第二条", "", (), ("按其中的",)),
    ],
)  # fmt: skip
def test_a_stretch_of_time(
    engine: Engine, remark: str, question: str, understood: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    answer = engine.ask(question)
    assert understood in answer.understood and bool(answer.understood) == bool(understood), remark
    assert all(words in tips(answer) for words in said), (remark, tips(answer))
    assert not any(words in tips(answer) for words in unsaid), (remark, tips(answer))


@pytest.mark.parametrize(
    ("text", "day", "searched"),
    [
        ("2026年8月1日塔架埋深要几米", "2026-08-01", "塔架埋深要几米"),
        ("2018年时，塔架埋深要几米", "2018-07-01", "塔架埋深要几米"),
        ("2018年3月塔架埋深要几米", "2018-03-01", "2018年3月塔架埋深要几米"),
        ("1900年塔架埋深要几米", "1900-07-01", "1900年塔架埋深要几米"),
        ("1936年建成的塔架埋深要几米", None, "1936年建成的塔架埋深要几米"),
        ("1958年塔架埋深要几米", None, "1958年塔架埋深要几米"),
        ("到2030年底塔架数量的目标是多少", None, "到2030年底塔架数量的目标是多少"),
    ],
)
def test_the_day_of_a_question_is_no_word_of_its_search(text: str, day: str | None, searched: str) -> None:
    found = days.day_in(text, dt.date(2026, 11, 20))
    read = (Evidence("day", found.words, Origin.TEXT),) if found else ()
    assert (str(found.day) if found else None) == day
    assert days.day_in(f"去年{text}", dt.date.min), "no calendar holds the year before the first"
    assert days.without(Query(text, Filters(), text, read=read)) == searched


@pytest.mark.parametrize(
    ("remark", "question", "refused"),
    [
        ("it had not begun", "2016年的演示塔架管理规定第二条", True),
        ("it had not begun, the year in front", "1990年演示塔架管理规定第二条", True),
        ("of its matter, without a number", "1990年演示塔架管理规定怎么规定埋深", True),
        ("it began that year", "2018年演示塔架管理规定第二条", False),
        ("it had begun", "2020年演示塔架管理规定第二条", False),
        ("no year", "演示塔架管理规定第二条", False),
    ],
)
def test_a_named_text_is_no_law_of_a_year_before_it_began(
    engine: Engine, remark: str, question: str, refused: bool
) -> None:
    answer = engine.ask(question)
    assert (answer.refusal is not None) is refused, remark
    assert not refused or answer.refusal.reason is Reason.NOT_IN_FORCE_ON_DAY, remark


@pytest.mark.parametrize(
    ("remark", "question", "told"),
    [
        ("a name without its place", "演示塔架检修条例第二条", True),
        ("the place's own name", "山东省演示塔架检修条例第二条", False),
        ("the place stands elsewhere in the question", "在山东，演示塔架检修条例第二条怎么说", False),
    ],
)
def test_a_text_of_a_place_under_a_name_without_it(engine: Engine, remark: str, question: str, told: bool) -> None:
    answer = engine.ask(question)
    assert answer.quotes and ("为全名的文本" in tips(answer)) is told, (remark, tips(answer))


@pytest.mark.parametrize(
    ("remark", "question", "subjects", "decisive"),
    [
        ("all is known", "What is the penalty for stealing electricity?", (), False),
        ("at its end", "What is the fine for illegal occupation of sea areas for zumba?", ("zumba",), False),
        ("who acts", "Must the obliterator report a production safety accident?", ("obliterator",), False),
        ("of which kind", "What is the zumba procedure for coal mine workers?", ("zumba",), True),
        ("what is asked first", "Which zumba is needed by a coal mine?", ("zumba",), True),
        ("several", "Can a coal mine keep zumba and llamas?", ("llamas", "zumba"), True),
        ("a name", "What permit does a wind farm need in Texas?", ("Texas",), True),
        ("hardly anything is known", "How are permits for zumba?", ("zumba",), True),
    ],
)
def test_whether_unknown_words_decide_what_is_asked(
    remark: str, question: str, subjects: tuple[str, ...], decisive: bool
) -> None:
    found = English(rule_data.load(settings.load().rules).glossary).read(question)
    assert found is not None
    assert (tuple(sorted(found.subjects)), found.decisive) == (tuple(sorted(subjects)), decisive), (remark, found)


@pytest.mark.parametrize(
    ("question", "unknown"),
    [("What is the fine for towers in Texas?", "Texas"), ("rules for casino towers", "casino")],
)
def test_english_that_is_not_understood_is_refused_by_its_words(engine: Engine, question: str, unknown: str) -> None:
    answer = engine.ask(question)
    assert answer.refusal is not None and unknown in answer.refusal.message
    assert any("已读懂" in tip for tip in answer.refusal.tips)
