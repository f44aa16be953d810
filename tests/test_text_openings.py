"""What a line opens: list numbers, clauses, provisions, annexes. All sample lines are invented."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nemo.text.words.openings import MarkKind, is_dotted, is_headline, opens_unit, read_clause, read_mark

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
    ("two neighbours counted by one word", "一、二次设备的定值"),
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


UNITS = [
    ("article with space", "第十二条 电网企业", True),
    ("article with full-width space", "第十二条　电网企业", True),
    ("inserted article", "第十二条之一 电网企业", True),
    ("article without space", "第十二条电网企业", True),
    ("words of a reference behind a blank are the article's own", "第十二条 规定样例的", True),
    ("chapter alone on its line", "第二章", True),
    ("reference: 的", "第十二条的规定办理", False),
    ("reference: 第一款", "第十二条第一款规定", False),
    ("reference: comma", "第十二条、第十三条规定", False),
    ("reference: 至", "第十二条至第十五条", False),
    ("item", "（一）条件", True),
    ("item of a reference", "（一）项所列样例", False),
    ("item in plain brackets", "(二)条件", True),
    ("item in digits", "1.条件", True),
    ("a year behind the item's number", "2.2030年前完成", True),
    ("full-width stop", "1．条件", True),
    ("circled", "①条件", True),
    ("the end of a sentence in brackets", "1）。", False),
    ("letter", "a) 条件", True),
    ("outline", "一、条件", True),
    ("annex", "附件1", True),
    ("annex with its title", "附表2 样例参数", True),
    ("annex of a reference", "附件2的要求", False),
    ("annex at the end of a sentence", "附件二。", False),
    ("note", "注：条件", True),
    ("decimal", "1.5兆瓦", False),
    ("quantity", "10千伏", False),
    ("word", "一般项目", False),
    ("formula", "（D+1）日", False),
    ("share", "35%", False),
    ("nothing", "", False),
]


@pytest.mark.parametrize(("remark", "text", "expected"), UNITS, ids=[u[0] for u in UNITS])
def test_lines_that_open_a_unit(remark: str, text: str, expected: bool) -> None:
    assert opens_unit(text) is expected, remark


HEADLINES = [
    ("outline", "一、样例安排", True),
    ("article with its heading", "第三条 样例范围", True),
    ("clause of a standard", "4.1 样例要求", True),
    ("clause without a blank", "4.1样例要求", True),
    ("a sentence", "（一）样例应当备案，并且公开。", False),
    ("more than a heading holds", "一、" + "样例" * 10, False),
    ("no number", "样例安排", False),
]


@pytest.mark.parametrize(("remark", "text", "expected"), HEADLINES, ids=[h[0] for h in HEADLINES])
def test_headlines(remark: str, text: str, expected: bool) -> None:
    assert is_headline(text) is expected, remark
