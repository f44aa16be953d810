"""How far a page may be quoted, and which facts are shown as doubtful (演示文本)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

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
    RecognisedLine,
    Regulation,
    Span,
    TextQuality,
    Validity,
    cite,
)

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
]


@pytest.mark.parametrize(("remark", "origins", "expected"), DOUBTS, ids=[d[0] for d in DOUBTS])
def test_doubtful_facts_worst_first(remark: str, origins: dict[str, Origin | None], expected: list[str]) -> None:
    names = ("title", "nature", "document_number", "issuer")
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


def test_news_lacks_nothing() -> None:
    assert [d.fact for d in doubts_of(regulation(nature="news"))] == []
