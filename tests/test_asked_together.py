"""Questions that are more than one way through the stages, asked of a whole library: nation and province, several in one,
follow-ups, and the same law held from two files."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from nemo import export, settings
from nemo.answer import combined
from nemo.answer.quotes import calibration
from nemo.answer.remembered import RememberedAnswers
from nemo.engine import Engine
from nemo.types import Directness, PlaceGroup
from tests.held_texts import holding

NATION = """演示海上光伏用海管理办法（演示文本）

（2023年11月1日演示海洋局公布 自2024年1月1日起施行）

第一条 为了示范海上光伏用海管理，编写本办法。

第二条 海上光伏项目使用海域的，应当在开工三十日前向海洋主管部门申请海域使用权。

第三条 未取得海域使用权，海上光伏项目占用海域的，由海洋主管部门责令退还海域，处五万元以上十万元以下罚款。

第四条 海缆路由调查应当由具备演示资质的单位承担。

第五条 本办法自2024年1月1日起施行。
"""
PROVINCE = """广东省演示海上光伏用海管理规定（演示文本）

（2024年3月1日广东省演示海洋厅公布 自2024年5月1日起施行）

第一条 为了示范海上光伏用海管理，编写本规定。

第二条 海上光伏项目使用海域的，应当在开工六十日前向省海洋主管部门申请海域使用权。

第三条 本规定自2024年5月1日起施行。
"""
DAYS = "海上光伏项目开工前多少日申请海域使用权？"
FINE = "未取得海域使用权，海上光伏项目占用海域罚多少？"
SPORT = "足球比赛每队几个人上场？"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with holding(tmp_path_factory.mktemp("together"), {"nation.txt": NATION, "province.txt": PROVINCE}) as opened:
        yield opened


def test_without_a_place_the_nation_stands_first(engine: Engine) -> None:
    answer = engine.ask(DAYS)
    assert [q.group for q in answer.quotes][:2] == [PlaceGroup.NATION, PlaceGroup.OTHER]
    assert "三十日" in answer.quotes[0].text


def test_a_chosen_province_stands_first_with_the_nation_beside_and_how_they_differ(engine: Engine) -> None:
    answer = engine.ask(DAYS, province="gd")
    assert [q.group for q in answer.quotes][:2] == [PlaceGroup.OWN, PlaceGroup.NATION]
    assert any("六十日" in tip and "三十日" in tip and "更长" in tip for tip in answer.tips)


def test_a_matter_that_the_province_leaves_to_the_nation(engine: Engine) -> None:
    answer = engine.ask(FINE, province="gd")
    assert [q.citation.article for q in answer.quotes] == ["第三条"]
    assert answer.quotes[0].group is PlaceGroup.NATION


def test_each_of_several_questions_is_answered_by_itself_under_its_heading(engine: Engine) -> None:
    answer = engine.ask(f"{DAYS}{FINE}", province="cn")
    assert len(answer.parts) == 2
    articles = [[answer.quotes[at].citation.article for at in part.quotes] for part in answer.parts]
    assert articles == [["第二条"], ["第三条"]]
    lines = export.answer_zh(answer).splitlines()
    heads = [n for n, line in enumerate(lines) if line.startswith("- ")]
    assert len(heads) == 2 and "三十日" in lines[heads[0] + 1] and "五万元" in lines[heads[1] + 1]


def test_the_heading_of_a_part_is_what_was_asked(engine: Engine) -> None:
    asked = ["海上光伏项目开工前多少日申请海域使用权？", "没申请就占用海域会罚多少？"]
    assert [part.heading for part in engine.ask("".join(asked), province="cn").parts] == asked


def test_a_part_without_an_answer_is_refused_and_named(engine: Engine) -> None:
    answer = engine.ask(f"{DAYS}{SPORT}", province="cn")
    assert [part.refusal is None for part in answer.parts] == [True, False]
    assert any("足球" in tip for tip in answer.tips)
    assert answer.parts[1].refusal is not None
    assert answer.parts[1].refusal.message in export.answer_zh(answer)


def test_a_clause_that_no_text_answers_leaves_the_clause_before_it(engine: Engine) -> None:
    answer = engine.ask("海上光伏项目开工前多少日申请海域使用权，电话是多少", province="cn")
    assert [part.refusal is None for part in answer.parts] == [True, False]
    assert "三十日" in answer.quotes[0].text and len(answer.quotes) == 1


def test_a_clause_that_no_text_answers_is_no_reason_to_answer_it(engine: Engine) -> None:
    assert engine.ask("足球比赛每队几个人上场，电话是多少").refusal is not None


def test_a_doubtful_part_from_another_text_than_the_surer_part_before_is_open(engine: Engine) -> None:
    nation, own = engine.ask(DAYS, province="cn"), engine.ask(DAYS, province="gd")
    for sure, before, is_open in ((0.4, nation, True), (0.6, nation, False), (0.4, own, False)):
        found = replace(own, confidence=replace(own.confidence, overall=sure))
        answer = combined._or_open(found, [(DAYS, replace(before, confidence=replace(before.confidence, overall=0.7)))])
        assert ((answer.refusal is not None), not answer.quotes) == (is_open, is_open), (sure, before.heading)


def test_several_questions_without_any_answer_are_refused(engine: Engine) -> None:
    assert engine.ask(f"{SPORT}红烧肉要炖多久？").refusal is not None


def test_what_two_parts_rest_on_is_quoted_once(engine: Engine) -> None:
    answer = engine.ask("海缆路由调查由谁承担？海缆路由调查单位要什么资质？用海申请多少天内批复？", province="cn")
    places = [(quote.regulation_id, quote.span) for quote in answer.quotes]
    assert len(places) == len(set(places))
    assert answer.parts and all(part.quotes for part in answer.parts)


def test_a_part_with_a_subject_of_its_own_is_no_follow_up(engine: Engine) -> None:
    answer = engine.ask("海缆路由调查由谁承担？海上光伏项目开工前多少日申请海域使用权？", province="cn")
    assert [[answer.quotes[at].citation.article for at in part.quotes] for part in answer.parts] == [
        ["第四条"],
        ["第二条"],
    ]


def test_a_rule_that_never_names_what_a_value_is_asked_of_is_said_to_be_for_a_person_to_judge(engine: Engine) -> None:
    named = engine.ask(DAYS, province="cn")
    other = engine.ask("加氢站开工前多少日申请海域使用权？", province="cn")
    assert not any("没有提到" in tip for tip in named.tips)
    assert any("没有提到“加氢站”" in tip for tip in other.tips) and other.verdict is not Directness.DIRECT


def test_a_follow_up_is_answered_behind_its_question_and_never_alone(engine: Engine) -> None:
    first = engine.ask("海上光伏项目没有取得海域使用权能占用海域吗？", province="cn")
    behind = engine.ask("那罚多少？", province="cn", context=first.trace_id)
    assert behind.quotes and behind.quotes[0].citation.article == "第三条"
    assert "那罚多少" not in behind.understood and "海域使用权" in behind.understood
    assert engine.ask("那罚多少？", province="cn").refusal is not None


def test_a_follow_up_changes_the_place(engine: Engine) -> None:
    first = engine.ask(DAYS, province="cn")
    behind = engine.ask("广东呢？", context=first.trace_id)
    assert behind.query.filters.province == "gd"
    assert "六十日" in behind.quotes[0].text


def test_which_of_two_files_of_one_law_answers_does_not_depend_on_their_order(tmp_path: Path) -> None:
    for name, text in (("a.txt", NATION), ("b.txt", f"{NATION}\n附：演示说明。\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = []
    for order in (("a.txt", "b.txt"), ("b.txt", "a.txt")):
        with Engine.open(settings.load(library=tmp_path / order[0][:1], workers=0)) as opened:
            for name in order:  # one batch each: the order of storing is the order of these
                opened.ingest([tmp_path / name])
            asked = [
                opened.ask(question)
                for question in ("《演示海上光伏用海管理办法》第二条", DAYS, "演示海上光伏用海管理办法罚多少")
            ]
            found.append([[(q.regulation_id, q.span, q.score) for q in answer.quotes] for answer in asked])
    assert found[0] == found[1] and found[0][0]


def test_a_provision_of_several_questions_is_ranked_once(engine: Engine) -> None:
    ranked = engine.ask(
        "海缆路由调查由谁承担？海缆路由调查单位要什么资质？用海申请多少天内批复？", province="cn"
    ).ranked
    assert len({(one.regulation_id, one.article) for one in ranked}) == len(ranked) > 1


@pytest.mark.parametrize(
    ("verdict", "more"), [(Directness.DIRECT, False), (Directness.RELATED, False), (Directness.HUMAN, True)]
)
def test_what_a_person_has_to_judge_lists_provisions_behind_the_evidence(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, verdict: Directness, more: bool
) -> None:
    before = engine.ask(DAYS, province="cn")
    monkeypatch.setattr(calibration, "directness", lambda *_, **__: verdict)
    monkeypatch.setattr(engine, "_remembered", RememberedAnswers())
    after = engine.ask(DAYS, province="cn")
    assert after.ranked[: len(before.ranked)] == before.ranked
    assert (len(after.ranked) > len(before.ranked)) is more
    assert len({(one.regulation_id, one.article) for one in after.ranked}) == len(after.ranked) <= 5


CITY = (
    PROVINCE.replace("广东省演示海上", "深圳市演示海上")
    .replace("广东省演示海洋厅", "深圳市演示海洋局")
    .replace("六十日", "九十日")
)


@pytest.mark.parametrize(
    ("question", "first"),
    [(DAYS, "广东省"), (f"深圳的{DAYS}", "深圳市"), (f"深圳市{DAYS}", "深圳市")],
    ids=["no city named", "named", "named with 市"],
)
def test_a_citys_rule_stands_first_only_where_the_city_is_named(tmp_path: Path, question: str, first: str) -> None:
    for name, text in (("province.txt", PROVINCE), ("city.txt", CITY)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as opened:
        opened.ingest([tmp_path / "province.txt", tmp_path / "city.txt"])
        answer = opened.ask(question, province="gd")
        assert answer.quotes[0].citation.title.startswith(first)


LAW = """中华人民共和国演示航闸法（演示文本）

（2020年1月1日全国人民代表大会常务委员会通过 自2020年3月1日起施行）

第一条 为了示范航闸管理，制定本法。

第二条 航闸投入使用前，管理单位应当向航闸主管部门申请航闸安全检查。

第三条 航闸管理单位应当在每年汛期前检修航闸，检修完毕后报航闸主管部门备案。

第四条 违反本法规定，航闸未经安全检查擅自投入使用的，由航闸主管部门责令停止使用，处三万元以上十万元以下的罚款。

第五条 违反本法第三条规定，未检修航闸的，由航闸主管部门给予警告，处一万元以下的罚款。

第六条 本法自2020年3月1日起施行。
"""
RULE = """中华人民共和国演示航闸法实施条例（演示文本）

（2021年1月1日国务院公布 自2021年3月1日起施行）

第一条 根据《中华人民共和国演示航闸法》，制定本条例。

第二条 航闸管理单位应当在每年汛期前检修航闸，检修完毕后十日内报航闸主管部门备案。

第三条 本条例自2021年3月1日起施行。
"""
BARGES = """演示危化品驳船航闸条例（演示文本）

（2022年1月1日国务院公布 自2022年3月1日起施行）

第一条 为了示范危化品驳船过闸，制定本条例。

第二条 危化品驳船航闸投入使用前，管理单位应当向航闸主管部门申请航闸安全检查。

第三条 本条例自2022年3月1日起施行。
"""


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    texts = {"law.txt": (LAW, "法律"), "rule.txt": (RULE, "行政法规"), "barges.txt": (BARGES, "行政法规")}
    lines = [json.dumps({"file": name, "level": level}, ensure_ascii=False) for name, (_, level) in texts.items()]
    words = {name: text for name, (text, _) in texts.items()}
    with holding(tmp_path_factory.mktemp("ranked"), words, "\n".join(lines)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("remark", "question", "title", "article"),
    [
        ("a law before the rule that carries it out", "航闸检修完毕要向谁备案？", "航闸法", "第三条"),
        ("the rule where it alone states the value", "航闸检修完毕后几日内备案？", "航闸法实施条例", "第二条"),
        ("no special field unless it is asked about", "航闸投入使用前要申请安全检查吗？", "航闸法", "第二条"),
        ("the penalty where a penalty is asked for", "航闸没有安全检查就投入使用怎么处罚？", "航闸法", "第四条"),
    ],
)
def test_which_of_several_provisions_of_one_matter_comes_first(
    ranked: Engine, remark: str, question: str, title: str, article: str
) -> None:
    first = ranked.ask(question).quotes[0].citation
    assert first.title.removesuffix("（演示文本）").endswith(title), remark
    assert first.article == article, remark


@pytest.mark.parametrize(
    ("remark", "question", "articles"),
    [
        ("two sentences", "航闸投入使用前要申请安全检查吗？没检查就投入使用怎么处罚？", {"第二条", "第四条"}),
        ("two clauses", "航闸投入使用前要不要申请安全检查，没检查就投入使用罚多少？", {"第二条", "第四条"}),
    ],
)
def test_a_duty_and_its_penalty_are_one_answer(ranked: Engine, remark: str, question: str, articles: set[str]) -> None:
    answer = ranked.ask(question)
    quoted = [
        (q.citation.title, q.citation.article)
        for q in answer.quotes
        if q.regulation_id == answer.quotes[0].regulation_id
    ]
    assert {article for _, article in quoted} == articles, remark
    assert not answer.parts, remark


@pytest.mark.parametrize(
    ("remark", "before", "question", "article"),
    [
        ("what breaking the article just given costs", "演示航闸法第三条", "违反了怎么罚？", "第五条"),
        ("the same in other words", "演示航闸法第三条", "违规干了罚多少？", "第五条"),
        ("a further question stays with the text", "航闸投入使用前要申请安全检查吗？", "没检查就用罚多少？", "第四条"),
        ("它 is the text before", "演示航闸法第三条", "它什么时候施行的？", "第六条"),
        ("what was quoted sets the penalty itself", "航闸没检查就投入使用怎么处罚？", "那罚多少？", "第四条"),
    ],
)
def test_a_follow_up_stays_with_what_was_quoted(
    ranked: Engine, remark: str, before: str, question: str, article: str
) -> None:
    first = ranked.ask(before)
    behind = ranked.ask(question, context=first.trace_id)
    assert behind.quotes[0].citation.article == article, remark
    assert behind.understood.startswith("承接上一问")


CAMP = """演示旅游促进条例
（2020年3月1日公布，自2020年5月1日起施行）
第一条 为了促进旅游业发展，制定本条例。
第二条 县级以上地方人民政府应当将旅游业纳入国民经济和社会发展规划。
第三条 在升压站围墙外五十米内设置露营地的，由县级人民政府能源主管部门责令限期拆除，处二万元以上五万元以下的罚款。
第四条 演示旅游主管部门负责旅游投诉的受理，自收到投诉之日起七个工作日内作出答复。
"""


@pytest.mark.parametrize(
    ("of", "question", "verdict"),
    [
        ("旅游促进", "升压站围墙外五十米内设置露营地罚多少？", Directness.RELATED),
        ("旅游促进", "旅游投诉几个工作日内答复？", Directness.DIRECT),
        ("升压站保护", "升压站围墙外五十米内设置露营地罚多少？", Directness.DIRECT),
        ("升压站保护", "旅游投诉几个工作日内答复？", Directness.RELATED),
    ],
)
def test_a_sure_rule_under_a_title_of_another_matter_is_a_related_one(
    tmp_path: Path, of: str, question: str, verdict: Directness
) -> None:
    with holding(tmp_path, {"a.txt": CAMP.replace("旅游促进", of, 1)}) as opened:
        answer = opened.ask(question)
    assert answer.confidence.overall > 0.9 and answer.verdict is verdict
    assert any("专门规定可能没有收入" in tip for tip in answer.tips) is (verdict is Directness.RELATED)


BONDS = """演示招标办法（演示文本）
第一条 招标文件要求中标人提交履约保证金的，履约保证金不得超过中标合同金额的百分之十。
第二条 招标人要求投标人提交投标保证金的，投标保证金不得超过估算价的百分之二。
第三条 本办法自2020年1月1日起施行。
"""


@pytest.mark.parametrize(
    ("asked", "closer"), [("投标保证金最多多少", True), ("保证金最多多少", False), ("到期前几天", False)]
)
def test_what_alone_says_the_thing_asked_of_is_closer(tmp_path: Path, asked: str, closer: bool) -> None:
    """履约保证金 is no 投标保证金: of two readings of a part the one whose provision says the thing in full answers."""
    with holding(tmp_path, {"bonds.txt": BONDS}) as engine:
        bid, performance = (engine.ask(f"演示招标办法第{n}条") for n in "二一")
        part = SimpleNamespace(parts=SimpleNamespace(library=engine.library))
        assert combined._closer(asked, bid, performance, part) is closer  # type: ignore[arg-type]
