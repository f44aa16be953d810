"""Where the numbers of the answering rules bite (界限): each row grows one thing until the decision turns, and says where."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from nemo import rules as rule_data
from nemo.answer.judgement import paper_likelihood, prior_answers
from nemo.answer.judgement.no_rule import _named_alike
from nemo.answer.question import decomposition, followup, scope
from nemo.answer.quotes import calibration, validation
from nemo.answer.rendering import written
from nemo.errors import NotFoundError
from nemo.lawview.standards import COLUMNS, read_table
from nemo.rerank import opinion, verdict
from nemo.rerank.plain import PlainReranker
from nemo.settings import load
from nemo.types import Chunk, Filters, Hit, Level, Span
from tests.bounds import Bounds, Decide, refused, turns

RULES = rule_data.load(load().rules)
NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉戌亥" * 9


def hits(*scores: float) -> list[Hit]:
    return [
        Hit(Chunk(f"r:{i}-{i + 1}", "r", str(i), Span(i, i + 1), "样例"), score, {"probability": score})
        for i, score in enumerate(scores)
    ]


def rendered(length: int, sentence: str) -> bool:
    return refused(lambda: written._checked({"renderings": [{"id": 1, "english": "a" * length}]}, [sentence]))


def standards(rows: int) -> bool:
    line = ",".join("GB/T 19964-2012" if name == "编号" else "现行" if name == "状态" else "" for name in COLUMNS)
    return refused(lambda: read_table("\n".join([",".join(COLUMNS), *[line] * rows]).encode()))


def parts(items: int, length: int = 2) -> int:
    things = "、".join(NAMES[i * length : (i + 1) * length] for i in range(items))
    return len(decomposition.split(f"{things}分别怎么办理？", lambda _: False))


def chapters_told(count: int) -> bool:
    """Tell whether a text with so many chapters, asked for one that it has not, names all of them."""
    chapters = [SimpleNamespace(level=Level.CHAPTER, number=f"第{n}章", heading="样例") for n in range(count)]
    with pytest.raises(NotFoundError) as told:
        scope.within_section(None, [], "总则", SimpleNamespace(title="样例办法", walk=lambda: chapters))  # type: ignore[arg-type]
    return f"第{count - 1}章 样例。" in told.value.message


BOUNDS: Bounds = [
    ("没有所指的章，至多列出 20 个章节", chapters_told, (1, 60), 21),
    ("至多要 20 条引文", lambda n: refused(lambda: scope.check_numbers(Filters(top_k=n))), (1, 60), 21),
    ("译文不满 400 字符都可用", lambda n: rendered(n, "样例"), (100, 900), 401),
    ("长句的译文至多是原句的四倍", lambda n: rendered(n, "样" * 200), (500, 3000), 801),
    ("标准表至多两万行", standards, (19_990, 20_010), 20_001),
    ("分别问的至多六项", lambda n: parts(n) == n, (2, 12), 7),
    ("分别问的一项至多 14 字", lambda n: parts(2, n), (3, 30), 15),
    ("与草案标题连续四字相同才算所问", lambda n: _named_alike("甲乙丙丁戊己管理办法", "关于" + "甲乙丙丁戊己"[:n] + "的"), (1, 6), 4),
    ("全文汉字占三成以下提示", lambda n: validation.share_of_chinese("样" * n + "a" * (100 - n)) < validation.CHINESE, (10, 60), 30),
    ("得分不到 0.42 不作答", lambda n: PlainReranker().judge(None, hits(n / 100)).answerable, (10, 90), 42),  # type: ignore[arg-type]
    ("得分不到最高 85% 不留", lambda n: PlainReranker().judge(None, hits(1.0, n / 100)).keep, (10, 99), 85),  # type: ignore[arg-type]
    ("上一答复引过的法规，机会升到四倍", lambda n: prior_answers.leaning([*hits(0.5, n / 100)[:1], other(n / 100)], frozenset(["s"]))[0].chunk.regulation_id, (1, 49), 21),
    ("那…呢 至多 14 字才算没有主语", lambda n: followup.bare("那" + "样" * n + "呢", RULES), (1, 40), 8),
]  # fmt: skip


def other(score: float) -> Hit:
    return Hit(Chunk("s:1-2", "s", "1", Span(1, 2), "样例"), score, {"probability": score})


@pytest.mark.parametrize(("decide", "between", "at"), [row[1:] for row in BOUNDS], ids=[row[0] for row in BOUNDS])
def test_the_decision_turns_here(decide: Decide, between: tuple[int, int], at: int | None) -> None:
    assert turns(decide, *between) == at


@pytest.mark.parametrize(
    ("model", "each"),
    [
        (calibration.STATUTE, (13, 24, 18, 5, 13, 13, 0, 59, 13)),
        (calibration.PAPER, (53, 55, 64, 31, 4, 37, 5, 66, 53)),
        (calibration.JUDGED, (53, 54, 59, 42, 17, 45, 19, 60, 65)),
        (paper_likelihood.HELD, (36, 41, 52, 6, 12, 2, 40, 55, 44, 21, 19, 23, 0, 8, 40, 38, 38)),
        (opinion.PLACED, (17, 22, 7, 83, 13, 30, 26, 28, 0, 9)),
        (opinion.SPOKEN, (23, 32, 11, 70, 40, 24, 36, 36, 4, 20, 42, 18)),
        (opinion.WHOLE, (46, 62, 62, 41, 56, 14)),
    ],
    ids=[
        "quote of a statute",
        "quote of a paper",
        "judged quote of a paper",
        "provision of a paper",
        "order of a second stage",
        "words of a second stage",
        "whole answer",
    ],
)
def test_what_each_sign_adds_to_the_chance(model: verdict.Logistic, each: tuple[int, ...]) -> None:
    """Percent with no sign, then with each sign alone at 1."""
    rows = np.vstack([np.zeros(len(model.weights)), np.eye(len(model.weights))])
    assert tuple(int(chance * 100) for chance in model(rows)) == each


@pytest.mark.parametrize(
    ("remark", "sums", "places"),
    [
        ("one ahead of two: its sum, its share of all, how far ahead", (1.0, 3.0), [(1.0, -2.13, -2.0), (3.0, -0.13, 2.0)]),
        ("alone it is three ahead", (1.0,), [(1.0, 0.0, 3.0)]),
        ("a ranker without trees for papers says nothing", (None, None), [(0.0, 0.0, 0.0)] * 2),
        ("no paper at all", (), []),
    ],
)  # fmt: skip
def test_where_the_trees_for_papers_put_each(
    remark: str, sums: tuple[float | None, ...], places: list[tuple[float, ...]]
) -> None:
    told = [{} if value is None else {"among_papers": value} for value in sums]
    listed = [replace(hit, scores=each) for hit, each in zip(hits(*[0.5] * len(sums)), told, strict=True)]
    found = paper_likelihood.places(listed)
    assert [tuple(found[hit.chunk.id].round(2).tolist()) for hit in listed] == places, remark
