"""A summary below the quotes: every sentence held against the quotes it names, refused otherwise (小结)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo import export, settings
from nemo.answer.rendering.grounding import faults_of
from nemo.engine import Engine
from nemo.errors import ConfigError
from nemo.export.schemas import answers as schema
from nemo.types import Answer, RawDocument, SummarySentence
from tests.local_server import Answer as Reply
from tests.local_server import LocalServer, serving
from tests.test_api import TEXT

QUESTION = "并网申请几个工作日内答复"


@pytest.fixture(scope="module")
def service() -> Iterator[LocalServer]:
    with serving() as server:
        yield server


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, service: LocalServer) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("summary")
    given = settings.load(
        library=folder, workers=0, summary="gemini", gemini_api_key="k" * 20, gemini_base_url=service.url
    )
    with Engine.open(given) as opened:
        opened.intake.ingest_raw([RawDocument.of(TEXT.encode(), "办法.md")])
        yield opened


def says(service: LocalServer, *sentences: tuple[str, list[int]]) -> None:
    text = json.dumps({"sentences": [{"text": t, "quotes": q} for t, q in sentences]}, ensure_ascii=False)
    content = {"role": "model", "parts": [{"text": text}]}
    service.routes["*"] = Reply.of({"candidates": [{"content": content, "finishReason": "STOP"}]})


def test_it_stands_below_the_quotes_and_changes_none(engine: Engine, service: LocalServer) -> None:
    plain = engine.ask(QUESTION)
    says(service, (plain.quotes[0].text, [1]))
    summed = engine.ask(QUESTION, summarise=True)
    assert summed.quotes == plain.quotes and summed.confidence == plain.confidence
    told = export.answer_json(summed)
    schema.AnswerForm.model_validate_json(json.dumps(told, ensure_ascii=False))
    assert told["summary"]["sentences"] == [{"text": plain.quotes[0].text, "citations": ["①"]}]
    assert "不是法规原文" in told["summary"]["note"] and "summary" not in export.answer_json(plain)
    assert engine.library.answers.get(summed.trace_id).summary == summed.summary


FAULTS = [
    ("数字", "电网企业应当在三十个工作日内答复。"),
    ("阿拉伯数字", "电网企业应当在30个工作日内答复。"),
    ("应当写成可以", "电网企业可以在十二个工作日内答复。"),
    ("应当写成必须", "电网企业必须在十二个工作日内答复。"),
    ("另一机关", "国家能源主管部门应当在十二个工作日内答复。"),
    ("另一法规", "依照《别的办法》，电网企业应当在十二个工作日内答复。"),
    ("引文没有的事", "逾期不答复的视为同意并处以高额罚款，负责人另行追究责任。"),
]


@pytest.mark.parametrize(("what", "sentence"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_sentence_that_says_more_than_its_quote_is_refused(
    engine: Engine, service: LocalServer, what: str, sentence: str
) -> None:
    says(service, (sentence, [1]))
    summed = engine.ask(QUESTION, summarise=True)
    assert summed.summary is not None and not summed.summary.sentences, what
    assert "未通过" in summed.summary.refused and summed.quotes


def test_the_same_number_in_another_form_is_the_same(engine: Engine) -> None:
    answer: Answer = engine.ask(QUESTION)
    quote = answer.quotes[0]
    assert "十二个工作日" in quote.text
    sentence = SummarySentence(quote.text.replace("十二", "12"), (0,))
    assert faults_of(sentence, answer.quotes) == []
    assert faults_of(replace(sentence, text=quote.text.replace("十二", "13")), answer.quotes)


SHAPES = [
    ("没有引文编号", json.dumps({"sentences": [{"text": "电网企业应当答复。", "quotes": []}]})),
    ("不存在的引文", json.dumps({"sentences": [{"text": "电网企业应当答复。", "quotes": [9]}]})),
    ("没有句子", json.dumps({"sentences": []})),
    ("不是 JSON", "好的，以下是小结"),
]


@pytest.mark.parametrize(("what", "text"), SHAPES, ids=[s[0] for s in SHAPES])
def test_a_reply_of_another_form_is_no_summary(engine: Engine, service: LocalServer, what: str, text: str) -> None:
    content = {"role": "model", "parts": [{"text": text}]}
    service.routes["*"] = Reply.of({"candidates": [{"content": content, "finishReason": "STOP"}]})
    summed = engine.ask(QUESTION, summarise=True)
    assert summed.summary is None and any("没有小结" in each for each in summed.degraded), what


def test_it_is_off_unless_configured_and_asked_for(tmp_path: Path, engine: Engine, service: LocalServer) -> None:
    service.seen.clear()
    engine.ask(QUESTION)
    assert service.seen == []
    with Engine.open(settings.load(library=tmp_path / "other", workers=0)) as plain:
        plain.intake.ingest_raw([RawDocument.of(TEXT.encode(), "办法.md")])
        with pytest.raises(ConfigError, match="NEMO_SUMMARY"):
            plain.ask(QUESTION, summarise=True)
