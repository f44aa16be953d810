"""Many who ask: one at work for all who ask the same, and the road past the framework says what the framework says."""

import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from nemo import settings
from nemo.accounts import Role, TokenBearer, User
from nemo.answer.remembered import RememberedAnswers
from nemo.engine import Engine
from nemo.errors import ServiceError
from nemo.types import Answer
from nemo.web import api, asking
from nemo.web.guard import CALLER, NOBODY
from tests.test_api import TEXT

ASKED = "并网申请几个工作日内答复"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("asking")
    (folder / "办法.md").write_text(TEXT, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest([folder / "办法.md"])
        yield opened


@pytest.fixture(scope="module")
def answer(engine: Engine) -> Answer:
    found = engine.ask(ASKED)
    assert found.quotes
    return found


@pytest.fixture(scope="module")
def programs(engine: Engine) -> Any:
    return api.create(lambda: engine)


def test_who_asks_the_same_at_the_same_time_waits_for_one_answer(answer: Answer) -> None:
    remembered, made = RememberedAnswers(), list[int]()
    started, go = threading.Event(), threading.Event()
    got: list[tuple[Answer, bool]] = []

    def make() -> Answer:
        made.append(1)
        started.set()
        go.wait(30)
        return answer

    crew = [threading.Thread(target=lambda: got.append(remembered.answer("key", make))) for _ in range(5)]
    for one in crew:
        one.start()
    started.wait(30)
    assert remembered.answer("another key", lambda: answer) == (answer, False), "another question does not wait"
    go.set()
    for one in crew:
        one.join(30)
    assert len(made) == 1, "one of them made it"
    assert [found for found, _ in got] == [answer] * 5
    assert sorted(known for _, known in got) == [False, True, True, True, True]
    assert remembered.answer("key", make) == (answer, True)
    assert len(made) == 1, "and it is kept"


def test_an_error_reaches_all_who_wait_and_is_not_kept(answer: Answer) -> None:
    remembered = RememberedAnswers()

    def fails() -> Answer:
        raise ServiceError("服务不可用")

    for _ in range(2):
        with pytest.raises(ServiceError):
            remembered.answer("key", fails)
    assert remembered.answer("key", lambda: answer) == (answer, False), "the next one makes it anew"


def test_a_degraded_answer_is_not_kept(answer: Answer) -> None:
    remembered, short = RememberedAnswers(), replace(answer, degraded=("向量服务不可用",))
    assert remembered.answer("key", lambda: short) == (short, False)
    assert remembered.answer("key", lambda: answer) == (answer, False)


def _called(app: Callable[..., Awaitable[None]], caller: User | None) -> Callable[..., Awaitable[None]]:
    async def run(scope: Any, receive: Any, send: Any) -> None:
        await app({**scope, CALLER: caller} if scope["type"] == "http" else scope, receive, send)

    return run


JSON = {"content-type": "application/json"}
REQUESTS = (
    ("an answer", "POST", b'{"question": "%s"}' % ASKED.encode(), JSON),
    ("a mode", "POST", b'{"question": "%s", "mode": "global"}' % ASKED.encode(), JSON),
    ("a refusal", "POST", '{"question": "明天的天气"}'.encode(), JSON),
    ("an unknown code", "POST", b'{"question": "x", "province": "zz"}', JSON),
    ("no question", "POST", b"{}", JSON),
    ("a wrong day", "POST", b'{"question": "x", "as_of": "2024-13-01"}', JSON),
    ("a number beyond its range", "POST", b'{"question": "x", "top_k": 99}', JSON),
    ("a field of another kind", "POST", b'{"question": 5}', JSON),
    ("a list", "POST", b"[]", JSON),
    ("no JSON", "POST", b'{"question":', JSON),
    ("nothing", "POST", b"", JSON),
    ("text", "POST", b'{"question": "x"}', {"content-type": "text/plain"}),
    ("without a kind", "POST", b'{"question": "x"}', {}),
    ("with a charset", "POST", b'{"question": "x"}', {"content-type": "application/json; charset=utf-8"}),
    ("half a surrogate", "POST", b'{"question": "\\ud800"}', JSON),
    ("half a surrogate in a filter", "POST", b'{"question": "x", "province": "\\ud800"}', JSON),
    ("half a surrogate in bytes", "POST", b'{"question": "x", "context": "\xed\xa0\x80"}', JSON),
    ("another method", "GET", b"", {}),
)
VARYING = {"trace_id", "elapsed_ms", "timestamp", "stages"}


@pytest.mark.parametrize(("method", "body", "given"), [r[1:] for r in REQUESTS], ids=[r[0] for r in REQUESTS])
@pytest.mark.parametrize(
    "caller", [NOBODY, TokenBearer("程序", Role.READER), None], ids=["nobody", "token", "unguarded"]
)
def test_the_road_answers_as_the_interface_does(
    engine: Engine, programs: Any, method: str, body: bytes, given: dict[str, str], caller: User | None
) -> None:
    def said(app: Any, root: str = "") -> tuple[int, str, dict[str, Any]]:
        client = TestClient(_called(app, caller), raise_server_exceptions=False, root_path=root)
        found = client.request(method, "/api/v1/query", content=body, headers=given)
        told = {name: value for name, value in found.json().items() if name not in VARYING}
        return found.status_code, found.headers["content-type"], told

    road = asking.QuestionEndpoint(programs, lambda: engine)
    assert said(road) == said(programs, "/api")
