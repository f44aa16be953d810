"""How much is answered: requests a minute, how many wait at once, how long a question may take (限流、排队、时限)."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nemo import settings
from nemo.accounts import rates
from nemo.engine import Engine
from nemo.errors import BusyError, TooManyRequestsError
from nemo.rerank import RankingStage
from tests.browser import Server
from tests.security.served import QUESTION, TEXT, Reply, Target, filled

JSON = ("Content-Type", "application/json")
BOTH = ("Accept", "application/json, text/event-stream")


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A public demonstration: 10 requests a minute of an address, 20 of a token."""
    library = tmp_path_factory.mktemp("limits") / "library"
    tokens = filled(library)
    server = Server(library, library.parent / "log", env={"NEMO_WORKERS": "0", "NEMO_TEMPORARY": "1"})
    try:
        yield Target(server.port, library, tokens)
    finally:
        server.stop()


def ask(target: Target, *headers: tuple[str, str]) -> Reply:
    return target.send("POST", "/api/v1/query", [JSON, *headers], json.dumps({"question": QUESTION}).encode())


def told(target: Target, method: str, params: dict[str, Any]) -> Reply:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return target.send("POST", "/mcp/", [JSON, BOTH], json.dumps(message).encode())


def test_a_public_demonstration_answers_so_many_a_minute(public: Target) -> None:
    """The limit tells when to come back; tokens have one of their own; health and handshakes cost nothing."""
    assert [ask(public).status for _ in range(10)] == [200] * 10
    over = ask(public)
    assert (over.status, over.error["code"]) == (429, "too_many_requests")
    assert 1 <= int(over.headers["retry-after"]) <= 60
    assert f"等待 {over.headers['retry-after']} 秒" in over.error["message"]
    assert public.send("GET", "/api/v1/health").status == 200
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert [told(public, "initialize", hello).status for _ in range(12)] == [200] * 12
    assert told(public, "tools/list", {}).status == 200
    called = {"name": "ask_regulation", "arguments": {"question": QUESTION}}
    assert told(public, "tools/call", called).status == 429
    reader, analyst = public.bearing("reader"), public.bearing("analyst")
    assert [ask(public, reader).status for _ in range(21)] == [200] * 20 + [429]
    assert ask(public, analyst).status == 200, "every token has its own count"


def test_nothing_is_counted_unless_it_is_set(tmp_path: Path) -> None:
    plain = rates.RateLimits(0, 0)
    for _ in range(1000):
        plain.spend(None, "127.0.0.1")
    assert not plain.active


def test_an_address_and_a_caller_are_counted_apart() -> None:
    both = rates.RateLimits(2, 1)
    both.spend(None, "192.0.2.1")
    both.spend(None, "192.0.2.1")
    both.spend(None, "192.0.2.2")
    both.spend("王敏", "192.0.2.1")
    for caller, address in ((None, "192.0.2.1"), ("王敏", "192.0.2.9")):
        with pytest.raises(TooManyRequestsError) as refused:
            both.spend(caller, address)
        assert 0 < refused.value.seconds <= 61 and f" {refused.value.seconds} 秒" in refused.value.message


def test_who_finds_no_place_is_sent_away_and_a_place_is_given_back() -> None:
    admission = rates.Admission(2)
    with admission.turn(), admission.turn():
        assert admission.inside == 2
        with pytest.raises(BusyError), admission.turn():
            pass
        assert admission.inside == 2, "who was sent away holds no place"
    with pytest.raises(ZeroDivisionError), admission.turn():
        _ = 1 / 0
    assert admission.inside == 0


def test_more_requests_than_may_wait_are_answered_503(tmp_path: Path) -> None:
    """The queue has an end, over HTTP as in the app."""
    from tests.test_api import guarded

    with Engine.open(settings.load(library=tmp_path / "library", workers=0, waiting=1)) as engine:
        client = guarded(engine)
        with engine.access.admission.turn():
            full = client.post("/v1/query", json={"question": QUESTION})
            assert (full.status_code, full.json()["code"], full.headers["retry-after"]) == (503, "busy", "1")
            assert client.get("/health").status_code == 200
        assert client.post("/v1/query", json={"question": QUESTION}).status_code == 200


def test_a_question_out_of_time_says_what_was_left_out(tmp_path: Path) -> None:
    """What stands is still quoted word for word; a question in two parts names the part that was not answered."""
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    given = settings.load(library=tmp_path / "library", workers=0, question_seconds=1e-6)
    with Engine.open(given) as engine:
        engine.intake.ingest([tmp_path / "办法.md"])
        engine.parts = replace(engine.parts, stages=(RankingStage(Reverser()),))
        answer = engine.ask(QUESTION)
        assert [q.text in TEXT for q in answer.quotes] and all(q.text in TEXT for q in answer.quotes)
        assert any("时限" in note and "reverser" in note for note in answer.degraded)
        two = engine.ask(f"{QUESTION}？本办法何时施行？")
        assert any("分问没有作答" in note and "施行" in note for note in two.degraded)


class Reverser:
    """A second reranker that must not be asked once the time is over."""

    name = "reverser"

    def rerank(self, query: object, hits: object) -> list[Any]:
        raise AssertionError("asked after the time was over")

    def close(self) -> None:
        """Hold nothing."""
