"""Which words are quoted, and what stands beside them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

import pytest

from nemo import rules as rule_data
from nemo.answer.judgement.prior_answers import supported
from nemo.answer.quotes import compose
from nemo.answer.quotes.compose import (
    FoundQuote,
    beside,
    cut,
    group,
    leaned_on,
    ranked,
    stating_first,
    worth_quoting,
)
from nemo.settings import PROJECT
from nemo.text.structure.chunking import chunks
from nemo.text.structure.tree import structure
from nemo.types import Evidence, Fault, Filters, Hit, Origin, Query, Regulation, Scope, Span, Validity

RULES = rule_data.load(PROJECT / "data" / "rules")
DAY = dt.date(2026, 11, 20)

TEXT = """演示光伏并网服务办法（演示文本）

第一章 总则

第一条 为示范并网服务流程，编写本演示办法。

第二章 并网服务

第二条 演示电网企业应当自受理申请之日起十个工作日内答复。但需要现场勘查的，可以延长五个工作日。

前款规定的期限不含补正材料的时间。

第三条 申请演示并网的，应当提交下列材料：
（一）项目备案证明；
（二）设备合格证；
（三）检测报告。

第四条 违反本办法第三条规定的，由演示主管部门责令改正。
"""


@pytest.fixture
def regulation() -> Regulation:
    tree = structure(TEXT)
    return Regulation(
        "demo", "演示光伏并网服务办法（演示文本）", TEXT, tree.provisions, Validity(), "demo.md", "0" * 64
    )


def hit(regulation: Regulation, words: str, score: float = 1.0) -> Hit:
    at = regulation.text.index(words)
    pieces = chunks(regulation.id, regulation.text, regulation.provisions)
    return Hit(next(c for c in pieces if c.span.contains(Span(at, at + len(words)))), score)


def by_words(*words: str) -> object:
    """Score a span by how many of the words it holds, as a stand-in for the learned scorer."""

    def score(query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        return [sum(w in s.of(regulation.text) for w in words) for s in spans]

    return score


def quotes(regulation: Regulation, words: str, *wanted: str) -> list[str]:
    found = group([hit(regulation, words)], lambda _: regulation)[0]
    return [q.text for q in cut(Query("", Filters()), found, DAY, by_words(*wanted))]


def test_a_quote_keeps_its_proviso(regulation: Regulation) -> None:
    first = quotes(regulation, "十个工作日", "十个工作日")[0]
    assert first == "演示电网企业应当自受理申请之日起十个工作日内答复。但需要现场勘查的，可以延长五个工作日。"


def test_a_sentence_with_an_unread_formula_is_not_offered_while_there_is_another(regulation: Regulation) -> None:
    at = TEXT.index("演示电网企业应当自受理")
    damaged = replace(regulation, faults=(Fault("formula_unreadable", "公式未能读出。", Span(at, at + 9)),))
    assert "演示电网企业应当自受理" in quotes(regulation, "十个工作日", "工作日")[0]
    assert not any("演示电网企业应当自受理" in words for words in quotes(damaged, "十个工作日", "工作日"))


def test_the_stretch_that_states_the_asked_value_is_quoted(regulation: Regulation) -> None:
    found = group([hit(regulation, "十个工作日")], lambda _: regulation)[0]
    equal = by_words("的")
    asked = Query("补正之外几个工作日答复", Filters())
    assert "十个工作日" in cut(asked, found, DAY, equal)[0].text


@pytest.mark.parametrize(("second", "quoted"), [(0.9, 2), (0.8, 1)])
def test_a_second_stretch_is_quoted_when_it_is_nearly_as_like(
    regulation: Regulation, second: float, quoted: int
) -> None:
    found = group([hit(regulation, "十个工作日")], lambda _: regulation)[0]

    def score(query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        return [1.0 if "十个工作日" in s.of(regulation.text) else second for s in spans]

    assert len(cut(Query("", Filters()), found, DAY, score)) == quoted


PAPER = """演示试点通知（演示文本）
一、组织
（一）试点申报。申报单一方向的，由演示主管部门组织。申报综合试点的，须有演示总部的支持函。
各地广泛征集演示项目，做好评审。
（二）试点评审。演示主管部门委托机构评审。
"""


CASES = """演示航闸办法（演示文本）

第一条 新建、扩建航闸，应当达到防撞设防要求。

大型航闸应当按照经审定的演示防撞报告所确定的防撞要求设防，并由演示机构对防撞报告负责。

前款以外的航闸，应当按照演示区划图所确定的防撞要求设防，采取措施增强航闸的防撞能力。
"""


@pytest.mark.parametrize(
    ("question", "general"),
    [
        ("航闸要不要按防撞要求设防", True),
        ("航闸按防撞要求设防吗", True),
        ("航闸怎么设防", False),
        ("航闸能不能拆除", False),
    ],
)
def test_the_general_rule_stands_beside_its_cases_where_it_is_asked_whether(question: str, general: bool) -> None:
    text = Regulation("demo", "演示航闸办法", CASES, structure(CASES).provisions, Validity(), "demo.md", "0" * 64)
    [entry] = group([hit(text, "大型航闸")], lambda _: text)

    def scorer(query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
        return [1.0 if "区划图" in span.of(CASES) else 0.9 if "大型" in span.of(CASES) else 0.2 for span in spans]

    quotes = cut(Query(question, Filters(), question), entry, DAY, scorer)
    assert any("新建、扩建" in quote.text for quote in quotes) is general


def test_what_an_entry_says_beside_its_number_is_quotable() -> None:
    paper = Regulation("demo", "演示试点通知", PAPER, structure(PAPER).provisions, Validity(), "demo.md", "0" * 64)
    assert "须有演示总部的支持函" in quotes(paper, "各地广泛征集", "支持函")[0]


def test_of_one_text_the_provision_that_states_the_asked_value_comes_first(regulation: Regulation) -> None:
    hits = [hit(regulation, "责令改正", 0.7), hit(regulation, "十个工作日", 0.4), hit(regulation, "项目备案", 0.3)]
    found = group(hits, lambda _: regulation)
    first = stating_first(Query("演示并网申请多少个工作日内答复", Filters()), found)
    assert [f.provision.label for f in first] == ["2", "4", "3"]
    assert stating_first(Query("违反规定由谁责令改正", Filters()), found) == found


def test_what_states_the_value_of_the_very_thing_asked_comes_first() -> None:
    law = law_of(
        "第一条 演示用海的审批决定应当自受理之日起三十日内作出。公示的时间不计算在内。\n\n第二条 演示用海申请应当公示，公示不少于二十日。"
    )
    found = group([hit(law, "审批决定", 0.9), hit(law, "不少于", 0.3)], lambda _: law)
    asked = [
        stating_first(Query(text, Filters()), found)[0].provision.label
        for text in ("用海申请公示多少天", "审批决定多少天")
    ]
    assert asked == ["2", "1"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("演示信息公开多少天答复", "机关不能当场答复的，应当自收到演示申请之日起二十个工作日内答复。"),
        ("演示信息公开申请要提前几天补正", "申请人应当自收到公开申请补正通知之日起七日内补正。"),
    ],
)
def test_of_the_paragraphs_that_state_a_time_the_one_that_sets_it_for_the_act_is_quoted(
    question: str, first: str
) -> None:
    made = law_of(
        "第一条 收到演示信息公开申请后五日内送承办机构。\n\n机关不能当场答复的，应当自收到演示申请之日起二十个工作日内答复。"
        "\n\n申请人应当自收到公开申请补正通知之日起七日内补正。"
    )
    entry = group([hit(made, "五日内")], lambda _: made)[0]

    def likeness(query: Query, regulation: Regulation, spans: Sequence[Span]) -> Sequence[float]:
        return [1.0, 0.9, 0.9]

    assert [q.text for q in cut(Query(question, Filters()), entry, DAY, likeness, most=1)] == [first]


def test_a_text_held_from_two_files_is_one_entry(regulation: Regulation) -> None:
    again = replace(regulation, id="again", file="again.pdf")
    other = replace(regulation, id="other", title="演示光伏并网服务实施办法（演示文本）")
    held = {each.id: each for each in (regulation, again, other)}
    hits = [
        replace(found, chunk=replace(found.chunk, regulation_id=i))
        for i in held
        for found in [hit(regulation, "十个工作日")]
    ]
    assert [entry.regulation.id for entry in group(hits, held.__getitem__)] == [regulation.id, "other"]


def test_a_provision_that_is_a_table_and_no_more_has_no_stretch_to_quote(
    regulation: Regulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = group([hit(regulation, "并网")], lambda _: regulation)[0]
    monkeypatch.setattr(compose, "prose", lambda *_: [])
    assert compose.spans_of(Query("并网", Filters()), found, lambda *_: [], 2, lambda *_: 1.0) == []


def test_a_list_is_quoted_whole(regulation: Regulation) -> None:
    assert quotes(regulation, "设备合格证", "设备合格证")[0].startswith("申请演示并网的")
    assert quotes(regulation, "设备合格证", "设备合格证")[0].endswith("（三）检测报告。")


def sentence(number: int, length: int = 50) -> str:
    return f"演示内容之{number}".ljust(length - 1, "甲") + "。"


@pytest.mark.parametrize(("sentences", "quoted"), [(3, 150), (4, 150)])
def test_a_long_paragraph_is_cut_where_sentences_joined_would_be_too_long(sentences: int, quoted: int) -> None:
    """Up to SHORT characters a 款 is one quote; of a longer one neighbours are joined up to as many."""
    long = law_of("第一条 " + "".join(sentence(n) for n in range(sentences)))
    assert [len(text) for text in quotes(long, "之0", "之0")] == [quoted]


@pytest.mark.parametrize(("items", "whole"), [(12, True), (14, False)])
def test_a_list_is_cut_only_where_it_is_long(items: int, whole: bool) -> None:
    """Up to LIST characters a list is quoted with its lead-in; of a longer one the item that is asked for."""
    numbers = "一二三四五六七八九十"
    names = [*numbers, *(f"十{n}" for n in numbers)]
    lines = [f"（{names[n]}）{sentence(n)[:-1]}；" for n in range(items)]
    found = quotes(law_of("第一条 应当提交下列演示材料：\n" + "\n".join(lines)), "之3甲", "之3甲")[0]
    assert "之3甲" in found and found.startswith("应当提交") == whole
    assert (len(found) > 600) == whole


def law_of(articles: str) -> Regulation:
    text = f"演示长文办法（演示文本）\n\n{articles}\n"
    return Regulation("long", "演示长文办法", text, structure(text).provisions, Validity(), "long.md", "0" * 64)


def test_a_paragraph_that_points_back_has_its_referent_beside_it(regulation: Regulation) -> None:
    found = group([hit(regulation, "前款规定")], lambda _: regulation)[0]
    quote = cut(Query("", Filters()), found, DAY, by_words("前款规定"))[0]
    assert quote.text.startswith("前款规定")
    assert quote.before_text is not None
    assert "十个工作日" in quote.before_text


def test_an_item_has_its_lead_in_beside_it(regulation: Regulation) -> None:
    at = TEXT.index("（二）设备合格证；")
    span = Span(at, at + len("（二）设备合格证；"))
    provision = regulation.unit(span)
    assert provision is not None
    before, _ = beside(regulation, provision, span)
    assert before is not None
    assert before.of(TEXT).endswith("下列材料：")


def test_citations_name_the_paragraph(regulation: Regulation) -> None:
    found = group([hit(regulation, "前款规定")], lambda _: regulation)[0]
    citation = cut(Query("", Filters()), found, DAY, by_words("前款规定"))[0].citation
    assert (citation.path, citation.article, citation.label) == ("第二章第二条第二款", "第二条", "2-2")


PREVIOUS = """演示材料办法（演示文本）

第一条 自然人申请演示并网的，提交身份证明。

第二条 法人除提交前条规定的材料外，还应当提交屋顶使用协议。

第三条 演示电网企业应当核对材料。
"""


@pytest.mark.parametrize(
    ("quoted", "listed", "also"),
    [
        ("屋顶使用协议", ("屋顶使用协议", "身份证明", "核对材料"), ["1"]),
        ("屋顶使用协议", ("屋顶使用协议", "核对材料"), []),
        ("核对材料", ("核对材料", "屋顶使用协议", "身份证明"), []),
    ],
    ids=["what it leans on is listed", "is not listed", "it leans on nothing"],
)
def test_what_a_quote_leans_on_is_quoted_too(
    regulation: Regulation, quoted: str, listed: tuple[str, ...], also: list[str]
) -> None:
    text = replace(regulation, text=PREVIOUS, provisions=structure(PREVIOUS).provisions)
    found = group([hit(text, words, 1 - n / 10) for n, words in enumerate(listed)], lambda _: text)
    first = next(f for f in found if quoted in f.provision.span.of(PREVIOUS))
    quotes = cut(Query("", Filters()), first, DAY, by_words(quoted))
    assert [f.provision.label for f in leaned_on(quotes, found)] == also
    again = [*quotes, *(q for f in leaned_on(quotes, found) for q in cut(Query("", Filters()), f, DAY, by_words("")))]
    assert leaned_on(again, found) == []


def test_chunks_of_one_article_are_one_entry(regulation: Regulation) -> None:
    hits = [hit(regulation, "前款规定", 0.9), hit(regulation, "十个工作日", 0.8), hit(regulation, "责令改正", 0.7)]
    assert [f.provision.label for f in group(hits, lambda _: regulation)] == ["2", "4"]


def test_a_paragraph_that_is_not_law_yet_is_not_quoted(regulation: Regulation) -> None:
    late = Scope(("2-2",), dt.date(2030, 1, 1), Evidence("scope", "第二条第二款自2030年1月1日起施行", Origin.TEXT))
    start = dt.date(2024, 1, 1)
    held = replace(regulation, validity=Validity(first_effective=start, version_effective=start, scopes=(late,)))
    found = group([hit(held, "前款规定")], lambda _: held)[0]
    for day, wanted in ((DAY, False), (dt.date(2030, 1, 1), True)):
        quotes = cut(Query("", Filters()), found, day, by_words("前款规定", "答复"))
        assert any(q.text.startswith("前款规定") for q in quotes) is wanted
        assert any("十个工作日" in q.text for q in quotes)


@pytest.mark.parametrize(
    ("remark", "scores", "quoted"),
    [
        ("another article of the first one's text is quoted when nearly as likely", [("a", 0.9), ("a", 0.8)], 2),
        ("and only listed when another answers better", [("a", 0.9), ("a", 0.6)], 1),
        ("another text rules the matter again", [("a", 0.9), ("b", 0.6)], 2),
        ("but not when it is less likely", [("a", 0.9), ("b", 0.5)], 1),
        ("the nation beside a less likely rule of the place", [("a", 0.6), ("b", 0.9)], 2),
    ],
)
def test_how_many_provisions_are_quoted(
    regulation: Regulation, remark: str, scores: list[tuple[str, float]], quoted: int
) -> None:
    found = [
        FoundQuote(replace(regulation, id=text), each.provision, replace(each.hit, score=score))
        for (text, score), each in zip(scores, group([hit(regulation, "十个工作日"), hit(regulation, "责令")], lambda _: regulation), strict=True)
    ]  # fmt: skip
    assert len(worth_quoting(found)) == quoted, remark


@pytest.mark.parametrize(
    ("remark", "whole", "first"),
    [
        ("nothing is known of the whole", None, "十个工作日"),
        ("what answers the whole stands first when it is nearly as likely", 0.9, "责令"),
        ("not when it hardly answers the whole", 0.1, "十个工作日"),
    ],
)
def test_a_part_is_likelier_answered_from_what_answers_the_whole(
    regulation: Regulation, remark: str, whole: float | None, first: str
) -> None:
    hits = [hit(regulation, "十个工作日", 0.8), hit(regulation, "责令", 0.7)]
    (entry,) = group([replace(hits[1], score=whole or 0.0)], lambda _: regulation)
    found = supported(hits, [ranked(entry)] if whole else [])
    assert first in found[0].chunk.text, remark
    assert [each.score for each in found] == [0.8, 0.7], "how likely the part is answered at all stays"


@pytest.mark.parametrize(
    ("question", "words", "states"),
    [
        ("演示验收几天办完", "当场办结", False),
        ("演示验收多久办完", "当场办结", True),
        ("演示验收几天办完", "应当在十五日内办结", True),
        ("演示验收几天办完", "应当办结", False),
    ],
)
def test_at_once_is_no_number_of_days(question: str, words: str, states: bool) -> None:
    assert compose._states(Query(question, Filters()), words) is states
