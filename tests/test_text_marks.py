"""List numbers and clause numbers at the start of a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.structure.marks import MarkKind, is_dotted, read_clause, read_mark

MARKS = [
    ("一、总体要求", MarkKind.CN, 1, "一、", "一", "一"),
    ("十二、保障", MarkKind.CN, 12, "十二、", "十二", "十二"),
    ("（三）备案", MarkKind.CN_BRACKET, 3, "（三）", "三", "（三）"),
    ("(三)备案", MarkKind.CN_BRACKET, 3, "(三)", "三", "（三）"),
    ("（三)备案", MarkKind.CN_BRACKET, 3, "（三)", "三", "（三）"),
    ("（ 三 ）备案", MarkKind.CN_BRACKET, 3, "（三）", "三", "（三）"),
    ("1.备案", MarkKind.DIGIT, 1, "1.", "1", "1."),
    ("1．备案", MarkKind.DIGIT, 1, "1．", "1", "1."),
    ("１、备案", MarkKind.DIGIT, 1, "１、", "1", "1."),
    ("2.2030年前备案", MarkKind.DIGIT, 2, "2.", "2", "2."),
    ("（1）备案", MarkKind.DIGIT_BRACKET, 1, "（1）", "1", "（1）"),
    ("1）备案", MarkKind.DIGIT_PAREN, 1, "1）", "1", "1）"),
    ("①备案", MarkKind.CIRCLED, 1, "①", "①", "①"),
    ("㈡备案", MarkKind.CIRCLED, 2, "㈡", "㈡", "㈡"),
    ("a) 备案", MarkKind.LETTER, 1, "a)", "a", "a)"),
    ("（一）项目规划", MarkKind.CN_BRACKET, 1, "（一）", "一", "（一）"),
]


@pytest.mark.parametrize(("text", "kind", "number", "printed", "key", "step"), MARKS, ids=[m[0] for m in MARKS])
def test_marks(text: str, kind: MarkKind, number: int, printed: str, key: str, step: str) -> None:
    mark = read_mark(text)
    assert mark is not None
    assert (mark.kind, mark.number, mark.printed, mark.key, mark.step) == (kind, number, printed, key, step)


NO_MARKS = [
    ("item of a reference", "（一）项规定的情形"),
    ("items of a reference", "（一）、（二）项规定的情形"),
    ("paragraph of a reference", "（一）款规定的情形"),
    ("decimal", "1.5倍以下"),
    ("words", "一般规定"),
    ("year", "2030年备案"),
    ("nothing", ""),
]


@pytest.mark.parametrize(("remark", "text"), NO_MARKS, ids=[n[0] for n in NO_MARKS])
def test_no_marks(remark: str, text: str) -> None:
    assert read_mark(text) is None


CLAUSES = [
    ("title", "11.5.14.1 通则", "11.5.14.1"),
    ("sentence", "4.1.2 电站应具备控制能力。", "4.1.2"),
    ("number alone", "3.1", "3.1"),
    ("annex clause", "A.1.2 步骤", "A.1.2"),
    ("whole number with title", "4 有功功率", "4"),
    ("reference: 的", "11.5.14.2的试验适用于样例", None),
    ("reference: 中", "4.1.3 中表1的限值", None),
    ("reference: 和", "4.1 和4.2的要求", None),
    ("quantity", "0.5 kV电压", None),
    ("share", "2.5 %以下", None),
    ("sentence after a whole number", "10 千伏电站应当备案，并且公开。", None),
    ("plain", "样例", None),
]


@pytest.mark.parametrize(("remark", "text", "key"), CLAUSES, ids=[c[0] for c in CLAUSES])
def test_clauses(remark: str, text: str, key: str | None) -> None:
    clause = read_clause(text)
    assert (clause.key if clause else None) == key
    assert not (is_dotted(text) and clause is None)


@given(st.text(max_size=30))
def test_reading_never_raises(text: str) -> None:
    read_mark(text)
    read_clause(text)
