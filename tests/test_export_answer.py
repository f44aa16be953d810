"""The answer as JSON and text: what stands there is what was quoted, and a review says who and when."""

import datetime as dt
import json
from dataclasses import replace

import pytest

from nemo import export
from nemo.errors import BadRequestError, NotFoundError
from nemo.types import AnswerPart, Reason, Refusal, Review, Status, Validity, Verdict
from tests.export_samples import BEGAN, DAY, FORBIDDEN, NASTY, answer, law, quote

LAW = law("青石镇风车检修规定", [*NASTY, *FORBIDDEN])
AT = dt.datetime(2026, 11, 19, 16, 30, tzinfo=dt.UTC)
"""Half past midnight of the 20th in China."""


@pytest.mark.parametrize("words", [*NASTY, *FORBIDDEN])
def test_quotes_pass_through_json_unchanged(words: str) -> None:
    told = json.loads(json.dumps(export.answer_json(answer(quote(LAW, words))), ensure_ascii=False))
    (cited,) = told["citations"]
    assert cited["direct_quote"] == words == LAW.text[cited["start"] : cited["end"]]
    assert f" • {words}①〔" in told["answer_zh"]


def test_the_fields_of_the_contract() -> None:
    told = export.answer_json(replace(answer(quote(LAW, NASTY[0])), trace_id="nemo-20261120-1a2b3c4d"))
    assert told["filters"] == {"province": "gd", "asset": "wind", "doc_class": None, "as_of": DAY.isoformat()}
    (cited,) = told["citations"]
    assert (cited["effective_date"], cited["effective_basis"]) == (BEGAN.isoformat(), "自2021年3月1日起施行")
    assert (cited["status"], cited["verification_status"], cited["review"]) == ("现行有效", "逐字核验通过", None)
    assert (cited["article"], cited["document_number"], cited["last_checked"]) == ("第1条", "演示令第3号", "2026-11-20")


@pytest.mark.parametrize(
    ("remark", "review", "words"),
    [
        ("approved", Review(Verdict.APPROVED, "王敏", AT), "，已复核（王敏，2026-11-20）〕"),
        ("nobody signs in", Review(Verdict.APPROVED, None, AT), "，已复核（2026-11-20）〕"),
        ("in doubt", Review(Verdict.UNSURE, "李强", AT, "存在异文"), "，存疑（李强，2026-11-20）〕"),
        ("not reviewed", None, "，生效：2021-03-01〕"),
    ],
)
def test_a_review_stands_beside_the_source(remark: str, review: Review | None, words: str) -> None:
    given = answer(replace(quote(LAW, NASTY[0]), review=review))
    assert export.answer_zh(given).endswith(words), remark
    said = export.answer_json(given)["citations"][0]["review"]
    assert (said and said["state"]) == (review and review.state.value)


def test_unusual_status_and_unknown_dates_are_said() -> None:
    text = law("旧规定", ["条文。"], validity=Validity(ends=DAY, ended_as=Status.REPEALED))
    line = export.source_line(quote(text, "条文。"))
    assert line == "《旧规定》第1条，生效：未知，已废止"


def test_recognised_text_is_not_called_verbatim() -> None:
    said = export.verification(quote(law("扫描件", ["条文。"], ocr_confidence=0.87), "条文。"))
    assert "逐字" not in said and "0.87" in said


def test_a_refusal_says_why_and_what_to_try() -> None:
    told = export.answer_json(answer())
    assert told["refused"] and told["citations"] == []
    assert told["answer_zh"] == "没有找到。\n- 可以尝试：\n • 换一种问法。"


def test_the_error_form() -> None:
    told = export.error_json(NotFoundError("没有。", ("试试看",)), "t-1")
    assert (told["code"], told["message"], told["trace_id"], told["tips"]) == ("not_found", "没有。", "t-1", ["试试看"])
    assert export.sign(19) == "⑳" and export.sign(20) == "[21]"


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(BadRequestError, match="docx"):
        export.write(None, "odt")  # type: ignore[arg-type]


def test_the_parts_of_several_questions_stand_under_their_headings() -> None:
    one, two = quote(LAW, NASTY[0]), quote(LAW, NASTY[1])
    refused = Refusal(Reason.NO_EVIDENCE, "没有找到。")
    parts = (AnswerPart("多久检修？", (0, 1)), AnswerPart("谁来检修？", (1,)), AnswerPart("怎么罚？", (), refused))
    lines = export.answer_zh(replace(answer(one, two), parts=parts)).splitlines()
    assert [line for line in lines if line.startswith("- ")] == ["- 多久检修？", "- 谁来检修？", "- 怎么罚？"]
    assert lines[-3:] == [" • 依据另见上文引文②。", "- 怎么罚？", " • 没有找到。"]
