"""Spans of a question and its stages reach a collector, hold nothing of what was asked, and change nothing without one."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from nemo import settings
from nemo.answer.pipeline import STAGES
from nemo.engine import Engine
from nemo.services import tracing
from nemo.web import readers
from tests.local_server import Answer, LocalServer, serving
from tests.test_api import TEXT
from tests.test_readers import eventually

QUESTION = "并网申请几个工作日内答复"


@pytest.fixture
def collector() -> Iterator[LocalServer]:
    with serving() as local:
        local.routes["/v1/traces"] = Answer(b"")
        yield local
    tracing.close()


def spans(collector: LocalServer) -> list[Span]:
    found = []
    for request in collector.seen:
        body = gzip.decompress(request.body) if request.headers.get("content-encoding") == "gzip" else request.body
        sent = ExportTraceServiceRequest.FromString(body)
        found += [span for resource in sent.resource_spans for scope in resource.scope_spans for span in scope.spans]
    return found


def asked(folder: Path, endpoint: str, beside: int = 0, seconds: float = 60) -> str:
    (folder / "办法.md").write_text(TEXT, "utf-8")
    chosen = settings.load(
        library=folder / "library", workers=0, otlp_endpoint=endpoint, service_seconds=seconds, readers=beside
    )
    with Engine.open(chosen) as engine:
        engine.intake.ingest([folder / "办法.md"])
        readers.beside(engine)
        eventually(lambda: engine.elsewhere is None or engine.elsewhere.alive == beside)
        tracing.configure(chosen)
        answer = engine.ask(QUESTION)
        assert answer.quotes
    tracing.close()
    return answer.trace_id


@pytest.mark.parametrize("beside", [0, 1])
def test_a_question_is_one_trace_of_its_stages(collector: LocalServer, tmp_path: Path, beside: int) -> None:
    """Whoever answers it: the owner or a reader."""
    trace_id = asked(tmp_path, collector.url, beside)
    found = spans(collector)
    (question,) = [span for span in found if span.name == "question"]
    told = {each.key: each.value.string_value for each in question.attributes}
    assert told == {"nemo.trace_id": trace_id, "nemo.outcome": "answered"}
    stages = [span for span in found if span.parent_span_id == question.span_id]
    assert [span.name for span in stages] == [stage.__name__ for stage in STAGES]
    assert {span.trace_id for span in found} == {question.trace_id}
    assert all(question.start_time_unix_nano <= span.start_time_unix_nano for span in stages)
    assert all(span.end_time_unix_nano <= question.end_time_unix_nano for span in stages)
    for request in collector.seen:
        assert QUESTION.encode() not in request.body and "工作日".encode() not in request.body


def test_a_collector_that_is_not_there_changes_no_answer(tmp_path: Path) -> None:
    assert asked(tmp_path, "http://127.0.0.1:9", seconds=2)


def test_nothing_is_sent_unless_it_is_configured(collector: LocalServer, tmp_path: Path) -> None:
    asked(tmp_path, "")
    assert collector.seen == []
