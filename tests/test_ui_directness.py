"""What speaks against relying on an answer is said beside its one word."""

from dataclasses import replace

import pytest

from nemo.types import Answer, AnswerPart, PlaceGroup, Reason, Refusal, Span, Status
from nemo.ui.answer import directness, refusal
from tests.export_samples import answer, law, quote


def sample() -> Answer:
    made = law("演示检修办法", ["每年检修一次。", "检修应当留存记录。"])
    return answer(quote(made, "每年检修一次。"), quote(made, "检修应当留存记录。"))


def _quoted(given: Answer, number: int, **changes: object) -> Answer:
    quotes = list(given.quotes)
    own = {key: value for key, value in changes.items() if key == "group"}
    cited = {key: value for key, value in changes.items() if key != "group"}
    quote = quotes[number]
    quotes[number] = replace(quote, citation=replace(quote.citation, **cited), **own)  # type: ignore[arg-type]
    return replace(given, quotes=tuple(quotes))


@pytest.mark.parametrize(
    ("remark", "changes", "said"),
    [
        ("an unknown status", {"status": Status.UNKNOWN}, "时效性待核"),
        ("an inferred day", {"effective_derived": True}, "施行日期是推定的"),
        ("recognised words", {"recognised": 0.9}, "文字由图像识别而来"),
        ("repealed law", {"status": Status.REPEALED}, "在适用日期不是现行规定"),
    ],
)
def test_reasons(remark: str, changes: dict[str, object], said: str) -> None:
    given = sample()
    alone = replace(given, quotes=given.quotes[:1])
    assert said not in directness.reasons(alone)
    assert said in directness.reasons(_quoted(alone, 0, **changes))


@pytest.mark.parametrize(("chosen", "said"), [("gd", "引文都出自其他地方"), (None, "引文都是地方规定，只适用于当地")])
def test_rules_of_a_place_alone_are_named(chosen: str | None, said: str) -> None:
    given = sample()
    given = replace(given, query=replace(given.query, filters=replace(given.query.filters, province=chosen)))
    assert said not in directness.reasons(given)
    local = _quoted(_quoted(given, 0, group=PlaceGroup.OTHER), 1, group=PlaceGroup.OTHER)
    assert said in directness.reasons(local)


def test_of_several_quotes_the_doubtful_one_is_named() -> None:
    given = _quoted(sample(), 1, effective_derived=True)
    assert "引文②施行日期是推定的" in directness.reasons(given)


def test_what_is_no_law_is_named_in_place_of_a_status() -> None:
    """A draft has no 时效性 that could be unread."""
    given = replace(sample(), quotes=sample().quotes[:1])
    given = _quoted(given, 0, status=Status.UNKNOWN)
    said = directness.reasons(given, {given.quotes[0].regulation_id: "征求意见稿/草案"})
    assert "出自征求意见稿/草案，不是现行规定" in said and "时效性待核" not in said


def test_of_a_text_of_no_known_province_it_is_said_that_nothing_tells_where_it_holds() -> None:
    first = sample().quotes[0]
    said = directness.reasons(replace(sample(), quotes=(first,)), unplaced={first.regulation_id})
    assert "没有读到适用于哪个省份" in said


def test_a_part_without_evidence_is_counted() -> None:
    refused = AnswerPart("谁来罚？", (), Refusal(Reason.NO_EVIDENCE, "没有找到"))
    assert "1 个分问没有找到依据" in directness.reasons(replace(sample(), parts=(refused,)))


def test_a_related_row_stands_under_the_head_of_its_table() -> None:
    """What is near a refused question is cut out of its text, a row never as bare cells between strokes."""
    text = "第一条 检修周期见下表。\n设备 | 周期\n风车 | 每季度\n缆线 | 每年\n"
    made = replace(law("演示检修办法", ["每年检修一次。"]), text=text)
    at = text.index("缆线")
    shown = refusal._words(made, Span(at, at + len("缆线 | 每年")))
    assert "<th" in shown and "<td>缆线</td><td>每年</td>" in shown and "|" not in shown
    assert "检修周期见下表。" in refusal._words(made, Span(0, text.index("\n")))
