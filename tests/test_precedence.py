"""Which of several provisions on one matter comes first (nemo.answer.order.precedence); all texts are 演示文本."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from nemo.answer.decision import Decision
from nemo.answer.order import places, precedence
from nemo.rerank import Judgement
from nemo.text.structure.tree import structure
from nemo.text.words import ranges
from nemo.types import Chunk, Expansion, Filters, Hit, Query, Regulation, Span, Validity


def hit(text: str, score: float) -> Hit:
    return Hit(Chunk("c", "demo", "1", Span(0, len(text)), text), score)


def way(question: str, **parts: Any) -> Any:
    return SimpleNamespace(query=Query(question, Filters(), question), **parts)


DUTY = "航闸使用人应当向航闸管理单位交纳押金，押金不得超过估算价的百分之二。"
PENALTY = "航闸管理单位超过规定的比例向航闸使用人收取押金的，责令改正，处五万元以下的罚款。"
OTHER = "在闸区放养牲畜的，责令改正，处五百元以下的罚款。"


CITY = "下列项目用闸，由市人民政府审批：（一）人工构造物用闸十公顷以上不满六十公顷的。"
PROVINCE = "下列项目用闸，由省人民政府审批：（一）人工构造物用闸六十公顷以上不满一百公顷的。"


@pytest.mark.parametrize(
    ("remark", "question", "first"),
    [
        ("the range that holds the amount", "人工构造物用闸80公顷谁批", PROVINCE),
        ("written in words", "人工构造物用闸八十公顷谁批", PROVINCE),
        ("in another unit", "人工构造物用闸0.8平方公里谁批", PROVINCE),
        ("the first one holds it", "人工构造物用闸20公顷谁批", CITY),
        ("no range holds it", "人工构造物用闸900公顷谁批", CITY),
        ("no amount is named", "人工构造物用闸谁批", CITY),
        ("another unit is no range of it", "人工构造物用闸80米谁批", CITY),
    ],
)
def test_the_range_that_holds_the_amount(remark: str, question: str, first: str) -> None:
    found = precedence._in_range_first(way(question), [hit(CITY, 0.9), hit(PROVINCE, 0.4)])
    assert found[0].chunk.text == first, remark


GRADED = "闸事故分为：（一）大事故，死亡10人以上；（二）中事故，死亡3人以上10人以下；（三）小事故，死亡3人以下。"


@pytest.mark.parametrize(
    ("remark", "question", "first"),
    [
        ("the provision that tells the grades", "闸上死了两个人算几级事故", GRADED),
        ("in figures", "闸上死亡12人是什么级别的事故", GRADED),
        ("no amount is named", "闸上死了人算几级事故", DUTY),
        ("no grade is asked", "闸上死了两个人谁来调查", DUTY),
        ("the level of a body", "闸上死了两个人报哪级政府", DUTY),
        ("nobody is counted", "闸上漏了2吨算几级事故", DUTY),
    ],
)
def test_the_grades_of_the_amount_that_is_asked_of(remark: str, question: str, first: str) -> None:
    found = precedence._in_range_first(way(question), [hit(DUTY, 0.9), hit(GRADED, 0.2)])
    assert found[0].chunk.text == first, remark


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("十人以上五十人以下的", [(10, 50, "人")]),
        ("不足三吨或者超过九吨的", [(float("-inf"), 3, "吨"), (9, float("inf"), "吨")]),
        ("不少于五米", [(5, float("inf"), "米")]),
        ("不超过五米", [(float("-inf"), 5, "米")]),
        ("每年检修二次", []),
    ],
)
def test_ranges(text: str, found: list[tuple[float, float, str]]) -> None:
    assert [tuple(each) for each in ranges.ranges(text)] == found


MENTIONS = "依照本办法需要进行闸基安全评价的，应当执行技术规范。"
REPORT = "闸基安全评价报告应当包括下列内容：（一）概况；（二）结论。"
LISTS = "下列工程必须进行闸基安全评价：（一）大闸；（二）双闸。"
EXEMPT = "下列工程不需要进行闸基安全评价：（一）小闸。"


@pytest.mark.parametrize(
    ("remark", "question", "first"),
    [
        ("the list of what must", "哪几类工程必须做闸评", LISTS),
        ("the list of what need not", "哪些工程不用做闸评", EXEMPT),
        ("no things are asked for", "闸评必须怎么做", MENTIONS),
        ("nothing is said of them", "哪些人懂闸评", MENTIONS),
        ("another thing is listed", "哪些工程必须安装闸灯", MENTIONS),
    ],
)
def test_what_lists_the_things_asked_for(remark: str, question: str, first: str) -> None:
    query = Query(question, Filters(), question, synonyms=(Expansion("闸评", ("闸基安全评价",), "demo"),))
    found = [hit(MENTIONS, 0.9), hit(REPORT, 0.4), hit(EXEMPT, 0.2), hit(LISTS, 0.1)]
    asked = SimpleNamespace(query=query, leans_on=(), parts=SimpleNamespace(stages=()))
    ordered = precedence.listing_first(asked, found)  # type: ignore[arg-type]
    assert ordered[0].chunk.text == first, remark
    assert [each.score for each in ordered] == [0.9, 0.4, 0.2, 0.1], remark


BY_ITSELF = "闸门申请经审批机关批准，申请人方可建设。"
BY_WHOM = "建设闸门由市人民政府审批；跨市的由省人民政府审批。"
TRANSFER = "转让灯具由市人民政府审批。"


@pytest.mark.parametrize(
    ("remark", "question", "found", "first"),
    [
        ("by whom, not by who approves", "闸门谁审批", (BY_ITSELF, TRANSFER, BY_WHOM), BY_WHOM),
        ("asked by the kind of body", "闸门由哪个部门审批", (BY_ITSELF, TRANSFER, BY_WHOM), BY_WHOM),
        ("the first one names it", "闸门谁审批", (TRANSFER, BY_ITSELF, BY_WHOM), TRANSFER),
        ("another act is asked", "闸门谁核发", (BY_ITSELF, TRANSFER, BY_WHOM), BY_ITSELF),
        ("no body is asked", "闸门审批要几天", (BY_ITSELF, TRANSFER, BY_WHOM), BY_ITSELF),
        ("none names it of this thing", "水尺谁审批", (BY_ITSELF, TRANSFER, BY_WHOM), BY_ITSELF),
    ],
)
def test_who_decides_is_named(remark: str, question: str, found: tuple[str, ...], first: str) -> None:
    asked = SimpleNamespace(query=Query(question, Filters(), question), leans_on=(), parts=SimpleNamespace(stages=()))
    hits = [hit(text, score) for text, score in zip(found, (0.9, 0.4, 0.1), strict=True)]
    ordered = precedence.listing_first(asked, hits)  # type: ignore[arg-type]
    assert ordered[0].chunk.text == first, remark
    assert [each.score for each in ordered] == [0.9, 0.4, 0.1], remark


SUES = "依法应当先申请航闸复核、对复核决定不服的，可以自收到之日起十五日内，依法提起诉讼。"
SENDS = "复核机关应当自受理之日起三日内，将复核申请书副本发送被申请人。"
STUDIED = "研究人员应当自放闸之日起三十日内提交放闸研究报告。"
TOLD = "值班人员发现航闸失灵的，应当于一小时内向航闸管理机构报告。"
YEARS = "自放闸之日起超过五年提出的复核申请，不予受理。"
APPLIES = "认为放闸侵犯其权益的，可以自知道之日起六十日内提出复核申请；另有规定的除外。"


@pytest.mark.parametrize(
    ("remark", "question", "first"),
    [
        ("the time of the act, not that of another", "几天内可以申请复核", APPLIES),
        ("in the other order", "多少日内要提出复核申请", APPLIES),
        ("in another unit", "几个月内可以申请复核", SUES),
        ("an act of one word is that of many", "几天内可以申请", SUES),
        ("of no act", "复核要几天", SUES),
        ("its words apart are another act", "几日内要报告放闸", SUES),
        ("what the title says is left out", "几小时内要报告航闸", TOLD),
    ],
)
def test_what_sets_the_time_for_the_act_asked_about(remark: str, question: str, first: str) -> None:
    held = SimpleNamespace(row=lambda _: SimpleNamespace(title="演示航闸条例"))
    parts = SimpleNamespace(stages=(), library=held)
    asked = SimpleNamespace(query=Query(question, Filters(), question), leans_on=(), parts=parts)
    hits = [hit(SUES, 0.8), hit(SENDS, 0.3), hit(YEARS, 0.2), hit(STUDIED, 0.1), hit(TOLD, 0.1), hit(APPLIES, 0.02)]
    assert precedence.listing_first(asked, hits)[0].chunk.text == first, remark  # type: ignore[arg-type]


LAW = "演示航闸法（演示文本）\n\n第七条 未经批准占用航闸的，处罚款。\n\n第八条 拒不交出航闸的，处罚款。\n"
BY_EIGHT = "依照《演示航闸法》第八条的规定处以罚款的，罚款额为每平方米五元以上九元以下。"
BY_SEVEN = "依照《演示航闸法》第七条的规定处以罚款的，罚款额为每平方米五元以上二十元以下。"


@pytest.mark.parametrize(
    ("question", "first"),
    [("未经批准占用航闸每平方米罚多少", BY_SEVEN), ("拒不交出航闸每平方米罚多少", BY_EIGHT)],
)
@pytest.mark.parametrize("found", [(BY_EIGHT, BY_SEVEN), (BY_SEVEN, BY_EIGHT)])
def test_what_the_referred_articles_say(question: str, first: str, found: tuple[str, str]) -> None:
    law = Regulation("law", "演示航闸法（演示文本）", LAW, structure(LAW).provisions, Validity(), "law.md", "0" * 64)
    held = SimpleNamespace(
        regulation=lambda _: law, view=SimpleNamespace(status=lambda *_: SimpleNamespace(may_answer=True))
    )

    def shared(query: Query, regulation: Regulation, spans: list[Span]) -> list[float]:
        return [float(sum(character in query.text for character in set(span.of(regulation.text)))) for span in spans]

    asked = way(
        question,
        day=None,
        parts=SimpleNamespace(library=held, reranker=SimpleNamespace(score_spans=shared)),
        reader=SimpleNamespace(names=SimpleNamespace(ids=lambda key: ("law",) if key == "演示航闸法" else ())),
    )
    ordered = precedence._referred_first(asked, [hit(found[0], 0.9), hit(found[1], 0.4)])
    assert ordered[0].chunk.text == first


@pytest.mark.parametrize("other", ["", "押金", PENALTY, OTHER, DUTY, f"{DUTY}{OTHER}", "abc 123"])
def test_likeness_is_the_share_of_the_shorter_texts_triples(other: str) -> None:
    def triples(text: str) -> set[str]:
        han = precedence.HAN.sub("", text)
        return {han[at : at + 3] for at in range(len(han) - 2)}

    both, shorter = triples(DUTY) & triples(other), min(len(triples(DUTY)), len(triples(other)))
    assert precedence.alike(DUTY, other) == precedence.alike(other, DUTY) == len(both) / max(1, shorter)
    assert precedence.likenesses(DUTY, [OTHER, other]).tolist()[1] == precedence.alike(DUTY, other)


@pytest.mark.parametrize(
    ("remark", "local", "national", "first"),
    [
        ("a doubtful rule of a place stands behind", 0.7, 0.6, "nation"),
        ("the nation's is hardly likely", 0.7, 0.4, "place"),
        ("the nation's is much less likely", 0.85, 0.5, "place"),
        ("the rule of the place surely answers", 0.95, 0.9, "place"),
        ("it carries the nation's out by name", 0.4, 0.2, "nation"),
        ("what it carries out rules something else", 0.4, 0.1, "place"),
    ],
)
def test_where_no_place_is_asked_for(
    remark: str, local: float, national: float, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    title = "广东省实施《演示闸区法》办法" if "carries" in remark else "广东省演示闸区条例"
    rows = {
        "place": SimpleNamespace(province="gd", title=title),
        "nation": SimpleNamespace(province="cn", title="演示闸区法"),
    }
    found = [
        Hit(Chunk("l", "place", "1", Span(0, len(DUTY)), DUTY), local),
        Hit(Chunk("n", "nation", "1", Span(0, len(OTHER)), OTHER), national),
    ]
    parts: Any = SimpleNamespace(library=SimpleNamespace(row=rows.__getitem__), rules=None)
    reader: Any = None
    question = Query("闸区里能不能放羊", Filters(), "闸区里能不能放羊")
    judged = Judgement(True, 1, national, 0.5)
    decision = replace(Decision(parts, reader, question, dt.date(2026, 1, 1), ""), hits=(found[0],), judgement=judged)
    monkeypatch.setattr(places.evidence, "carries", lambda *_: True)
    monkeypatch.setattr(places, "ordered", lambda _, hits: list(hits))
    answered = places.with_nation(decision, lambda _: found[1:], lambda _, hits: (hits, judged))
    assert answered.hits[0].chunk.regulation_id == first, remark


def test_that_no_penalty_follows_answers_whether_one_does() -> None:
    lapsed, fined = hit("占用航闸满二年未被发现的，不再给予行政处罚。", 0.9), hit("占用航闸的，处五百元罚款。", 0.4)
    assert precedence._penalty_first(way("占用航闸过了两年还能罚吗"), [lapsed, fined])[0] is lapsed


SAID_AGAIN = "航闸使用人应当向航闸管理单位交纳押金，押金不得超过估算价的百分之三。"
TOLD_OTHERWISE = "航闸使用人应当向航闸管理单位交纳的押金，由主管部门按照闸室大小和停泊天数核定。"
TITLES = ("演示航闸法", "演示航闸法实施条例", "演示船闸条例")


def of_text(regulation: str, text: str, score: float) -> Hit:
    return Hit(Chunk("c", regulation, "1", Span(0, len(text)), text), score)


def held(years: tuple[int, int, int]) -> Any:
    """Return what holds a law, the rule that carries it out and another rule, each of its year, all of the nation."""
    levels = [SimpleNamespace(name="法律", rank=2), SimpleNamespace(name="行政法规", rank=3)]
    rows = {
        title: SimpleNamespace(title=title, level=level, province="cn", version_date=dt.date(year, 1, 1))
        for title, level, year in zip(TITLES, ("法律", "行政法规", "行政法规"), years, strict=True)
    }
    return SimpleNamespace(library=SimpleNamespace(row=rows.__getitem__), rules=SimpleNamespace(levels=levels))


@pytest.mark.parametrize(
    ("remark", "rule", "years", "text", "score", "first"),
    [
        ("a law before the rule that says the same", 2, (2020, 2021, 2021), SAID_AGAIN, 0.6, 0),
        ("a rule before a law that is less likely", 2, (2020, 2021, 2021), SAID_AGAIN, 0.3, 2),
        ("a rule that says what the law leaves open", 1, (2020, 2021, 2021), TOLD_OTHERWISE, 0.9, 1),
        ("a rule older than the law that it carries out", 1, (2022, 2021, 2021), TOLD_OTHERWISE, 0.9, 0),
        ("an older rule of another name", 2, (2022, 2021, 2021), TOLD_OTHERWISE, 0.9, 2),
    ],
)
def test_a_law_before_the_rule_below_it(
    remark: str, rule: int, years: tuple[int, int, int], text: str, score: float, first: int
) -> None:
    found = [of_text(TITLES[rule], text, 1.0), of_text(TITLES[0], DUTY, score)]
    ordered = precedence._law_first(way("押金多大", parts=held(years)), found)
    assert ordered[0].chunk.regulation_id == TITLES[first], remark


@pytest.mark.parametrize(
    ("remark", "special", "general", "text", "first"),
    [
        ("a special rule behind the general law", 2, 0, OTHER, 0),
        ("a special law not behind a general rule", 0, 2, OTHER, 0),
        ("of one force the special one applies", 1, 2, OTHER, 1),
        ("unless both say the same", 1, 2, SAID_AGAIN, 2),
    ],
)
def test_what_a_text_of_another_field_gives_way_to(
    remark: str, special: int, general: int, text: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(precedence, "_rarity", lambda _, each: 5.0 * (each.chunk.regulation_id == TITLES[special]))
    found = [of_text(TITLES[special], DUTY, 1.0), of_text(TITLES[general], text, 0.8)]
    ordered = precedence._by_field(way("押金多大", parts=held((2020, 2021, 2021))), found)
    assert ordered[0].chunk.regulation_id == TITLES[first], remark


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("未批先建的处罚", True),
        ("超标排污罚款？", True),
        ("行政处罚的期限", False),
        ("扣着押金不退，怎么收拾他", True),
        ("罚款缴到哪里", False),
    ],
)
def test_a_question_that_ends_in_the_penalty_asks_for_it(question: str, asks: bool) -> None:
    assert bool(precedence.ASKS_PENALTY.search(question)) is asks


@pytest.mark.parametrize(
    ("remark", "title", "confined"),
    [
        ("words of procedure confine a text to no field", "演示事故报告和调查处理条例", False),
        ("a thing that is not asked about does", "演示缆车事故应急处置条例", True),
    ],
)
def test_a_text_of_another_field(remark: str, title: str, confined: bool) -> None:
    rows = [SimpleNamespace(title=title), *(SimpleNamespace(title=f"演示第{n}办法") for n in range(9))]
    library = SimpleNamespace(row=lambda _: rows[0], view=SimpleNamespace(once=lambda made: made(rows)))
    parts = SimpleNamespace(library=library, rules=SimpleNamespace(place_names=re.compile("(?!)")))
    assert (precedence._rarity(way("演示事故由谁调查", parts=parts), hit(DUTY, 0.9)) > 0) is confined, remark
