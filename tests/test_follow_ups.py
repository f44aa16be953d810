"""What a question behind another is answered from: the reading that its evidence carries (追问); all texts are 演示文本."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from nemo import settings
from nemo.answer import combined
from nemo.engine import Engine
from nemo.types import Answer, Filters, Span
from tests.held_texts import holding

CAVERN = """演示储气库管理办法（演示文本）

第一条 为了示范储气库追问，编写本办法。

第二条 储气库使用金可以按照规定一次缴纳，也可以按年度逐年缴纳。

第三条 下列储气库，免缴储气库使用金：（一）应急储气库；（二）教学储气库。

第四条 建设单位应当在储气库投运三十日前申请储气库验收。职工自己可以在六十日内申请验收。

第五条 演示主管部门应当自受理储气库验收申请之日起十五个工作日内作出决定。

申请人可以在决定作出前三个工作日内撤回申请。

第六条 撤销储气库许可的，应当公告，公告期为三十日。

第七条 逾期不缴纳储气库使用金的，每日加收千分之三的违约金；超过六十日的，可以停止供气。

第八条 储气库停运检修应当提前七日通知用户；储气库因突发故障检修的，应当提前一日通知用户。

第九条 储气库单位未按照规定把储气库使用金列入成本的，处十一万元以上十九万元以下的罚款，并对直接负责的主管人员处一万元以下的罚款。

第十条 储气库单位不缴储气库使用金的，处二万元以上五万元以下的罚款；对直接负责的主管人员处五千元以下的罚款。

第十一条 任何单位不得在储气库上方钻探、爆破、取土。

第十二条 违反本办法规定，在储气库上方钻探、爆破、取土的，责令改正，处一万元以上三万元以下的罚款。

第十三条 本办法自2024年1月1日起施行。

第十四条 出借储气库标牌的，处一万元以下的罚款。

第十五条 伪造储气库标牌的，处四万元以下的罚款。

第十六条 77号文件出台后建成的储气库，验收费由省级主管部门每三年核定一次。
"""
STATION = (
    CAVERN.replace("储气库", "加氢站")
    .replace("三十日前", "四十日前")
    .replace("十五个工作日", "二十个工作日")
    .replace("77号文", "79号文")
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    texts = {"cavern.txt": CAVERN, "station.txt": STATION}
    with holding(tmp_path_factory.mktemp("follow"), texts, keep_answers=False) as opened:
        yield opened


def first(answer: Answer) -> str:
    return f"{answer.quotes[0].citation.title[2:5]} {answer.quotes[0].citation.article}" if answer.quotes else "refused"


@pytest.mark.parametrize(
    ("remark", "previous", "question", "place"),
    [
        ("something new of the subject alone", "储气库使用金可以按年缴纳吗？", "哪些可以免？", "储气库 第三条"),
        (
            "what the provision before states",
            "储气库投运前多少日申请验收？",
            "职工自己多久内可以申请？",
            "储气库 第四条",
        ),
        ("another breach", "储气库使用金没列入成本罚多少？", "不缴使用金罚多少？", "储气库 第十条"),
        ("whom the penalty punishes beside", "不缴储气库使用金罚多少？", "那直接负责的人呢？", "储气库 第十条"),
        ("whom no penalty punishes", "伪造储气库标牌罚多少？", "负责人呢？", "refused"),
        ("another case of the same", "储气库停运检修提前几日通知用户？", "突发故障检修呢？", "储气库 第八条"),
        ("what this points to", "撤销储气库许可要公告吗？", "这个公告期是多久？", "储气库 第六条"),
        ("another text", "演示储气库管理办法规定投运前多少日申请验收？", "《演示加氢站管理办法》呢？", "加氢站 第四条"),
        (
            "a text and an article of its own",
            "储气库投运前多少日申请验收？",
            "演示加氢站管理办法第六条怎么说？",
            "加氢站 第六条",
        ),
        (
            "the penalty of the same act that names no article",
            "演示储气库管理办法第十一条",
            "违反了罚多少？",
            "储气库 第十二条",
        ),
        ("on what the answer rests", "储气库停运检修提前几日通知用户？", "那是哪一条规定的？", "储气库 第八条"),
        ("the text itself", "演示储气库管理办法规定投运前多少日申请验收？", "什么时候施行的？", "储气库 第十三条"),
        ("an article of it", "演示储气库管理办法什么时候施行？", "第六条怎么说？", "储气库 第六条"),
        ("who says only that it is broken", "演示储气库管理办法第十一条", "违反了呢？", "储气库 第十二条"),
        ("the next article", "演示储气库管理办法第三条", "下一条呢？", "储气库 第四条"),
        ("the article before it", "演示储气库管理办法第三条", "前面一条呢", "储气库 第二条"),
        ("the article before what was quoted", "储气库投运前多少日申请验收？", "上一条呢？", "储气库 第三条"),
        ("another case in another 款", "储气库验收申请几日内决定？", "撤回的呢？", "储气库 第五条"),
        ("what is not done", "储气库停运检修提前几日通知用户？", "不缴储气库使用金呢？", "储气库 第十条"),
        ("another act on the same thing", "出借储气库标牌罚多少？", "伪造的呢？", "储气库 第十五条"),
        (
            "what the text says, not when it began",
            "演示储气库管理办法什么时候施行？",
            "伪造标牌罚多少？",
            "储气库 第十五条",
        ),
        ("what else there is", "演示储气库管理办法第三条", "还有别的吗？", "refused"),
        ("what else there is of a matter", "储气库投运前多少日申请验收？", "还有其他规定吗", "储气库 第五条"),
        ("none stands before the first", "演示储气库管理办法第一条", "上一条呢？", "refused"),
    ],
)
def test_what_a_question_behind_another_is_answered_from(
    engine: Engine, remark: str, previous: str, question: str, place: str
) -> None:
    assert first(engine.ask_after(previous, question, Filters())) == place, remark


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("77号文以后建成的储气库，验收费谁核定？", "储气库 第十六条"),
        ("77号文出台前建成的储气库，验收费多久核定一次？", "储气库 第十六条"),
        ("78号文以后建成的储气库，验收费谁核定？", "refused"),
        ("77号文怎么规定储气库验收费？", "refused"),
        ("77号文以后建成的高炉机组，验收费谁核定？", "refused"),
    ],
)
def test_a_number_that_only_dates_something_is_not_asked_for_itself(engine: Engine, question: str, place: str) -> None:
    answer = engine.ask(question)
    assert first(answer) == place
    assert any("77号文" in tip for tip in answer.tips) is bool(answer.quotes)


def test_the_paragraph_that_says_the_other_case_is_quoted_first(engine: Engine) -> None:
    answer = engine.ask_after("储气库验收申请几日内决定？", "撤回的呢？", Filters())
    assert "撤回" in answer.quotes[0].text


def test_the_surest_part_ranks_first(engine: Engine) -> None:
    answer = engine.ask("储气库停运检修提前几日通知用户？逾期不缴纳储气库使用金每日加收多少违约金？")
    assert [part.refusal for part in answer.parts] == [None, None]
    assert {r.article for r in answer.ranked[:2]} == {"第七条", "第八条"}


def test_a_duty_asked_by_number_has_the_penalty_of_the_same_act_beside_it(engine: Engine) -> None:
    answer = engine.ask("演示储气库管理办法第十一条，违反了怎么罚？")
    assert [quote.citation.article for quote in answer.quotes] == ["第十一条", "第十二条"]
    answer = engine.ask("演示储气库管理办法第十一条怎么规定？")
    assert [quote.citation.article for quote in answer.quotes] == ["第十一条"]


def test_a_part_that_names_another_thing_is_not_answered_from_the_provision_before(engine: Engine) -> None:
    answer = engine.ask("储气库投运前多少日申请验收，补给船单位多久申请验收")
    assert [part.refusal is None for part in answer.parts] == [True, False]


def test_a_part_with_a_subject_of_its_own_is_answered_by_what_names_it(demonstration: Path, tmp_path: Path) -> None:
    with Engine.open(settings.load(library=shutil.copytree(demonstration, tmp_path / "library"))) as engine:
        answer = engine.ask("海上风电用海谁批？水保谁审批？")
    assert [part.quotes for part in answer.parts] == [(0,), (1,)]
    assert "水行政主管部门审批" in answer.quotes[1].text, "水保 is 水土保持, of which the rule on 核准 says nothing"


@pytest.mark.parametrize(
    ("remark", "question", "named", "answered", "within", "chosen"),
    [
        ("another text's penalty gives way to the one that names the rule quoted", "没收够赔不赔", (40, 60), "other", 40, "own"),
        ("nothing is asked of breaking it", "收购价是多少", (40, 60), "other", 40, "other"),
        ("the text holds no penalty that names it", "没收够赔不赔", None, "other", 40, "other"),
        ("the own text answers from elsewhere", "没收够赔不赔", (40, 60), "other", 90, "other"),
        ("the text quoted before answers already", "没收够赔不赔", (40, 60), "own", 90, "own"),
    ],
)  # fmt: skip
def test_what_breaking_a_rule_costs_is_told_by_the_penalty_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
    remark: str,
    question: str,
    named: tuple[int, int] | None,
    answered: str,
    within: int,
    chosen: str,
) -> None:
    def answer(of: str, start: int) -> SimpleNamespace:
        return SimpleNamespace(quotes=[SimpleNamespace(regulation_id=of, span=Span(start, start + 5))], ranked=())

    costs = () if named is None else (SimpleNamespace(chunk=SimpleNamespace(span=Span(*named))),)
    monkeypatch.setattr(combined, "_costs", lambda *_: costs)
    monkeypatch.setattr(combined, "_rests_on", lambda _: ("own",))
    monkeypatch.setattr(combined, "replace", lambda part, **_: part)
    part = SimpleNamespace(query=SimpleNamespace(text=question))
    told = combined._of_the_duty(
        answer(answered, within),  # type: ignore[arg-type]
        part,  # type: ignore[arg-type]
        answer("own", 0),  # type: ignore[arg-type]
        lambda _: answer("own", within),  # type: ignore[arg-type, return-value]
    )
    assert told.quotes[0].regulation_id == chosen, remark
