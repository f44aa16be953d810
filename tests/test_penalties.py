"""A question that asks for a duty and for what breaking it costs gets both provisions (义务与罚则)."""

from collections.abc import Sequence

import pytest

from nemo.answer.order.penalties import halves_of, with_other_half
from nemo.answer.quotes.compose import FoundQuote
from nemo.text.structure.chunking import chunks
from nemo.text.structure.tree import structure
from nemo.types import Filters, Hit, Query, Regulation, Span, Validity

TEXT = """演示航闸办法（演示文本）

第一章 总则

第一条 航闸夜间应当点灯。

第二条 不得在航闸上停放车辆。

第三条 航闸每年检修一次，检修记录应当保存。

第四条 闸门应当编号。

第二章 法律责任

第五条 违反本办法第一条、第四条规定的，处一百元罚款。

第六条 有下列行为之一的，责令改正，处二百元罚款：
（一）在航闸上停放车辆的；
（二）伪造检修记录的。

第七条 拒绝检查的，给予警告。
"""


@pytest.fixture(scope="module")
def regulation() -> Regulation:
    return Regulation(
        "demo", "演示航闸办法（演示文本）", TEXT, structure(TEXT).provisions, Validity(), "demo.md", "0" * 64
    )


def entry(regulation: Regulation, step: str, score: float) -> FoundQuote:
    at = TEXT.index(f"\n{step} ") + 1
    chunk = next(c for c in chunks("demo", TEXT, regulation.provisions) if c.span.contains(Span(at, at + 2)))
    provision = regulation.unit(chunk.span)
    assert provision is not None
    return FoundQuote(regulation, provision, Hit(chunk, score))


def shared(query: Query, regulation: Regulation, spans: Sequence[Span]) -> list[float]:
    """Score by shared pairs of characters: four of them are likeness 1.0."""
    return [sum(query.text[i : i + 2] in s.of(TEXT) for i in range(len(query.text) - 1)) / 4 for s in spans]


@pytest.mark.parametrize(
    ("remark", "question", "halves"),
    [
        ("two sentences", "航闸夜里要不要点灯？不点罚多少？", "航闸夜里要不要点灯"),
        ("two clauses", "哪些车能停在航闸上，违反了谁来处理", "哪些车能停在航闸上"),
        ("two things are asked of the duty", "闸门由谁编号，几年换一次，不编号怎么处罚？", "闸门由谁编号"),
        ("the penalty alone", "在航闸上停车，会怎么罚？", None),
        ("the duty alone", "航闸多久检修一次，由谁检修？", None),
        ("what only describes the case asks nothing", "记录丢了，没有补，会被罚吗？", None),
        ("a duty behind the penalty is of another matter", "停车罚多少？检修由谁负责安排", None),
    ],
)
def test_which_questions_ask_for_both(remark: str, question: str, halves: str | None) -> None:
    found = halves_of(question)
    assert (found and found[0]) == halves, remark


@pytest.mark.parametrize(
    ("remark", "question", "found", "behind", "expected"),
    [
        ("a duty that a penalty names", "航闸夜间要不要点灯，不点罚多少", [("第一条", 0.9)], [], ["第一条", "第五条"]),
        ("of two that are named the one asked about", "闸门要不要编号，没编号怎么罚", [("第五条", 0.9)], [], ["第五条", "第四条"]),
        ("what is listed", "检修记录要保存吗，伪造的怎么处罚", [("第六条", 0.9), ("第三条", 0.3)], [], ["第六条", "第三条"]),
        ("what is listed behind the evidence", "检修记录要保存吗，伪造的怎么处罚", [("第六条", 0.9)], [("第三条", 0.2)], ["第六条", "第三条"]),
        ("not what is hardly likely", "检修要记吗，伪造的怎么处罚", [("第六条", 0.9)], [("第四条", 0.05)], ["第六条"]),
        ("else what says the same", "航闸上能不能停放车辆，停放车辆罚多少", [("第六条", 0.9)], [], ["第六条", "第二条"]),
        ("not what says something else", "水位由谁观测，不观测怎么罚", [("第七条", 0.9)], [], ["第七条"]),
        ("a question for the penalty alone", "停放车辆罚多少", [("第六条", 0.9)], [("第二条", 0.5)], ["第六条"]),
        ("each provision once", "航闸上能停放车辆吗，停了罚多少", [("第六条", 0.9), ("第二条", 0.8)], [], ["第六条", "第二条"]),
    ],
)  # fmt: skip
def test_the_other_half_stands_behind_the_first(
    regulation: Regulation,
    remark: str,
    question: str,
    found: list[tuple[str, float]],
    behind: list[tuple[str, float]],
    expected: list[str],
) -> None:
    given, rest = ([entry(regulation, *each) for each in some] for some in (found, behind))
    out = with_other_half(Query(question, Filters()), given, rest, shared)
    assert [each.provision.step for each in out] == expected, remark
    assert all(each.hit.score == given[0].hit.score for each in out[:2] if each not in given), remark
