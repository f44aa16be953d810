"""How far a page may be quoted, and which facts are shown as doubtful (演示文本)."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.ingest.doubts import doubts_of
from nemo.types import (
    Day,
    Evidence,
    Fault,
    Level,
    Origin,
    Page,
    PageQuality,
    Provision,
    RawDocument,
    RecognisedLine,
    Regulation,
    Span,
    TextQuality,
    Validity,
    cite,
)
from tests.jobs_samples import text

FIRST, SECOND, THIRD = "第一条 电站应当检修。\n", "第二条 检修后报告。\n", "第三条 公式为\ue000。\n"
TEXT = FIRST + SECOND + THIRD
DAY: Day = dt.date(2031, 5, 6)


def regulation(**changes: object) -> Regulation:
    at, pages, provisions = 0, [], []
    for number, words in enumerate((FIRST, SECOND, THIRD), 1):
        span = Span(at, at + len(words))
        read = (RecognisedLine(words.strip(), 0, 0, 1, 1, 0.8),) if number == 2 else ()
        pages.append(Page(number, None, span, read))
        provisions.append(Provision(Level.ARTICLE, words[:3], str(number), "", span))
        at = span.end
    made = Regulation(
        id="r", title="关于检修的通知", text=TEXT, provisions=tuple(provisions), validity=Validity(), file="a.pdf", sha256="0", pages=tuple(pages)
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def test_each_page_says_what_its_words_are_worth() -> None:
    sound, read, damaged = regulation().qualities()
    assert sound == PageQuality(1, TextQuality.SOUND)
    assert (read.quality, read.confidence) == (TextQuality.RECOGNISED, pytest.approx(0.8))
    assert "错字" in read.why
    assert damaged.quality is TextQuality.DAMAGED


def test_a_fault_damages_only_the_page_it_stands_on() -> None:
    held = regulation(faults=(Fault("formula", "公式未能读出。", Span(2, 4)), Fault("formula", "没有位置。")))
    assert [q.weak for q in held.qualities()] == [True, True, True]
    assert [q.weak for q in held.qualities(Span(len(FIRST) - 3, len(FIRST)))] == [False]


WARNED = [
    ("sound page", Span(0, len(FIRST)), ()),
    ("recognised", Span(len(FIRST), len(FIRST) + len(SECOND)), ("第2页",)),
    ("over two weak pages", Span(len(FIRST), len(TEXT)), ("第2页", "第3页")),
]


@pytest.mark.parametrize(("remark", "span", "pages"), WARNED, ids=[w[0] for w in WARNED])
def test_a_quote_from_a_weak_page_says_so(remark: str, span: Span, pages: tuple[str, ...]) -> None:
    told = cite(regulation(), span, DAY).warnings
    assert [words[:3] for words in told] == list(pages), remark


DOUBTED = ["strange_characters", "few_words", "layer_differs", "formula_unreadable"]


@pytest.mark.parametrize("paged", [True, False], ids=["with pages", "without pages"])
@pytest.mark.parametrize("code", DOUBTED)
def test_a_quote_that_touches_doubtful_words_says_so(code: str, paged: bool) -> None:
    fault = Fault(code, "此处文字可疑，请核对原件。", Span(4, 8))
    held = regulation(faults=(Fault("removed", "删去页眉。", Span(4, 8)), fault))
    held = held if paged else replace(held, pages=())
    assert cite(held, Span(6, len(FIRST)), DAY).warnings == (
        ("第1页此处文字可疑，请核对原件，引用前请对照原页。",) if paged else (fault.message,)
    )
    assert cite(held, Span(0, 4), DAY).warnings == ()


def test_every_doubt_about_the_same_words_is_told() -> None:
    faults = [Fault(code, f"可疑之{n}。", Span(0, 8)) for n, code in enumerate(DOUBTED)]
    told = cite(regulation(faults=(Fault("formula", "公式未能读出。", Span(0, 2)), *faults)), Span(0, 8), DAY).warnings
    assert told == ("第1页公式未能读出，引用前请对照原页。", *(f.message for f in faults))


def test_doubtful_words_of_an_uploaded_text_reach_the_citation(tmp_path: Path) -> None:
    """From the bytes to the answer: a text without pages whose characters a wrong table has changed in one article."""
    words = text(3).replace("第3条 ", "第3条 жджджд ")
    with Engine.open(settings.load(library=tmp_path, workers=0)) as engine:
        engine.intake.ingest_raw([RawDocument.of(words.encode(), "办法.md")])
        held = engine.library.regulation(engine.regulations()[0].id)
        spans = {p.label: p.span for p in held.walk() if p.level is Level.ARTICLE}
        assert any("жджджд" in told for told in cite(held, spans["3"], DAY).warnings)
        assert cite(held, spans["2"], DAY).warnings == ()


FORMULA = Span(len(FIRST), len(FIRST) + len(SECOND))
UNPAGED = [
    ("before the formula", Span(0, len(FIRST)), False),
    ("the formula itself", FORMULA, True),
    ("all of it", Span(0, len(TEXT)), True),
]


@pytest.mark.parametrize(("remark", "span", "told"), UNPAGED, ids=[u[0] for u in UNPAGED])
def test_a_text_without_pages_says_where_a_formula_is_unread(remark: str, span: Span, told: bool) -> None:
    held = regulation(pages=(), faults=(Fault("formula_unreadable", "此处有公式未能读出。", FORMULA),))
    assert held.unquotable(span) is told, remark
    assert cite(held, span, DAY).warnings == (("此处有公式未能读出。",) if told else ())


def fact(name: str, origin: Origin, span: Span | None = None) -> Evidence:
    return Evidence(name, "依据", origin, span)


SOUND = Span(0, 3)
DOUBTS = [
    ("all read from sound words", {}, []),
    ("title taken from the name", {"title": Origin.DERIVED}, ["title"]),
    ("worst first", {"issuer": Origin.DERIVED, "nature": Origin.DERIVED}, ["nature", "issuer"]),
    ("a person's word is not doubted", {"title": Origin.ANALYST}, []),
    ("missing number of a letter", {"document_number": None}, ["document_number"]),
    ("missing issuer", {"issuer": None}, ["issuer"]),
    ("an issuer of a place that no province is known for", {"province": None}, ["province"]),
]


@pytest.mark.parametrize(("remark", "origins", "expected"), DOUBTS, ids=[d[0] for d in DOUBTS])
def test_doubtful_facts_worst_first(remark: str, origins: dict[str, Origin | None], expected: list[str]) -> None:
    names = ("title", "nature", "document_number", "issuer", "province")
    facts = tuple(fact(n, o, SOUND) for n in names if (o := origins.get(n, Origin.TEXT)) is not None)
    days = tuple(fact(n, Origin.TEXT, SOUND) for n in ("first_effective", "version_effective", "promulgated"))
    known = Validity(promulgated=DAY, first_effective=DAY, version_effective=DAY, evidence=days)
    values = {n: "值" for n in ("document_number", "issuer") if origins.get(n, Origin.TEXT) is not None}
    held = regulation(facts=facts, validity=known, **values)
    assert [d.fact for d in doubts_of(held)] == expected, remark


def test_a_fact_read_from_a_recognised_page_is_doubted_and_leads_to_its_place() -> None:
    place = Span(len(FIRST) + 4, len(FIRST) + 8)
    held = regulation(facts=(fact("issuer", Origin.TEXT, place),), issuer="星河省能源局")
    doubt = next(d for d in doubts_of(held) if d.fact == "issuer")
    assert "第 2 页" in doubt.message
    assert doubt.label == "2"


@pytest.mark.parametrize(("confidence", "unsure", "weight"), [(0.8, "", 3), (0.97, "", 1), (0.97, "2035年", 3)])
def test_what_was_surely_recognised_stands_lower_among_the_doubts(confidence: float, unsure: str, weight: int) -> None:
    place = Span(len(FIRST) + 4, len(FIRST) + 8)
    held = regulation(facts=(fact("issuer", Origin.TEXT, place),), issuer="星河省能源局")
    read = [
        replace(p, recognised=tuple(r._replace(confidence=confidence, unsure=unsure) for r in p.recognised))
        for p in held.pages
    ]
    held = replace(held, pages=tuple(read))
    found = {d.fact: d for d in doubts_of(held)}
    assert found["issuer"].weight == weight
    assert all(unsure in words for words in (found["issuer"].message, *held.doubted(place)))


@pytest.mark.parametrize(
    ("number", "told"), [("示发改〔2023〕8号", []), ("示发改〔2019〕8号", ["promulgated"]), (None, [])]
)
def test_a_day_of_another_year_than_the_number_is_doubted(number: str | None, told: list[str]) -> None:
    days = tuple(fact(n, Origin.TEXT, SOUND) for n in ("first_effective", "promulgated"))
    known = Validity(promulgated=dt.date(2024, 1, 9), first_effective=DAY, version_effective=DAY, evidence=days)
    facts = tuple(fact(n, Origin.TEXT, SOUND) for n in ("title", "nature", "document_number"))
    held = regulation(facts=facts, validity=known, document_number=number)
    assert [d.fact for d in doubts_of(held) if d.fact == "promulgated"] == told


@pytest.mark.parametrize(
    ("code", "told"),
    [("much_removed", True), ("sentence_cut", True), ("right_edge_cut", True), ("furniture_removed", False)],
)
def test_a_text_that_may_lack_words_is_doubted_before_all_facts(code: str, told: bool) -> None:
    held = regulation(nature="news", faults=(Fault(code, "已去除 9 行，请核对。\n一行\n另一行"),))
    assert [(d.name, d.message, d.weight) for d in doubts_of(held)] == [("正文", "已去除 9 行，请核对。", 5)] * told


def test_news_lacks_nothing() -> None:
    assert [d.fact for d in doubts_of(regulation(nature="news"))] == []
