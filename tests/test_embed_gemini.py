"""The Gemini embedder against a local server that speaks the service's protocol, well and badly."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

import nemo.embed.gemini as module
from nemo.embed import UnembeddableError
from nemo.embed.gemini import GeminiEmbedder
from nemo.errors import ConfigError, ServiceError
from nemo.settings import Settings, load
from tests.local_server import Answer, LocalServer, Request, serving

KEY = "test-key-AIza0123456789"


def vector(text: str) -> list[float]:
    """A vector that is not of unit length and tells texts apart."""
    return [float(len(text)), float(ord(text[0]) % 50), 3.0, 4.0]


def texts_of(request: Request) -> list[str]:
    return [entry["content"]["parts"][0]["text"] for entry in request.json()["requests"]]


def embeds(request: Request) -> Answer:
    return Answer.of({"embeddings": [{"values": vector(text)} for text in texts_of(request)]})


def fault(code: int, message: str) -> Answer:
    return Answer.of({"error": {"code": code, "message": message, "status": "X"}}, code)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with serving() as local:
        local.routes["*"] = embeds
        yield local


def settings(server: LocalServer, **more: object) -> Settings:
    return load(**{"gemini_api_key": KEY, "gemini_base_url": server.url, "service_seconds": 60, **more})


@pytest.mark.parametrize("model", ["gemini-embedding-001", "gemini-embedding-2"])
def test_one_unit_row_per_text(server: LocalServer, model: str) -> None:
    embedder = GeminiEmbedder(settings(server, gemini_embedding_model=model))
    rows = embedder.embed(["光伏并网", "风电", "煤电核准"])
    assert rows.shape == (3, 4) and rows.dtype == np.float32 and embedder.dim == 4
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    expected = np.array(vector("风电")) / math.sqrt(sum(x * x for x in vector("风电")))
    np.testing.assert_allclose(rows[1], expected, atol=1e-6)
    assert embedder.name == f"gemini/{model}@4"
    assert embedder.embed([]).shape == (0, 4)
    assert all(r.path == f"/v1beta/models/{model}:batchEmbedContents" for r in server.seen)
    embedder.close()


def test_at_most_a_hundred_texts_a_request(server: LocalServer) -> None:
    embedder = GeminiEmbedder(settings(server))
    texts = ["光" * (n % 30 + 1) for n in range(230)]
    rows = embedder.embed(texts)
    assert [len(texts_of(r)) for r in server.seen] == [1, 100, 100, 30]
    np.testing.assert_allclose(rows[215], embedder.embed([texts[215]])[0], atol=1e-6)


def test_a_blank_text_is_named_and_nothing_is_sent(server: LocalServer) -> None:
    embedder = GeminiEmbedder(settings(server))
    with pytest.raises(UnembeddableError) as caught:
        embedder.embed(["光", " "])
    assert caught.value.index == 1 and len(server.seen) == 1


def test_a_busy_service_is_asked_again(server: LocalServer) -> None:
    embedder = GeminiEmbedder(settings(server))
    answers = [fault(429, "quota"), fault(500, "internal")]
    server.routes["*"] = lambda request: answers.pop(0) if answers else embeds(request)
    assert embedder.embed(["光", "风"]).shape == (2, 4)
    assert len(server.seen) == 4


@pytest.mark.parametrize(
    ("remark", "values", "words"),
    [
        ("a vector too few", [[1.0, 0, 0, 0]], "1 个向量"),
        ("another length", [[1.0, 0, 0], [1.0, 0, 0]], "长度"),
        ("no direction", [[0.0, 0, 0, 0], [1.0, 0, 0, 0]], "无效"),
        ("an empty vector", [[], []], "长度"),
    ],
)
def test_bad_vectors_are_never_returned(
    server: LocalServer, remark: str, values: list[list[float]], words: str
) -> None:
    embedder = GeminiEmbedder(settings(server))
    server.routes["*"] = Answer.of({"embeddings": [{"values": v} for v in values]})
    with pytest.raises(ServiceError, match=words):
        embedder.embed(["光", "风"])


@pytest.mark.parametrize(
    ("remark", "reply"),
    [
        ("not JSON", Answer(b"<html>", 200)),
        ("another form", Answer.of({"embeddings": "none"})),
        ("empty", Answer.of({})),
        ("a key withdrawn while running", fault(403, "forbidden")),
        ("always busy", fault(503, "overloaded")),
        ("too slow", Answer(b"{}", delay=600)),
    ],
)
def test_failures_while_running_are_service_errors(
    server: LocalServer, monkeypatch: pytest.MonkeyPatch, remark: str, reply: Answer
) -> None:
    monkeypatch.setattr(module, "BATCH_SECONDS", 0.6)
    embedder = GeminiEmbedder(settings(server))
    server.routes["*"] = reply
    with pytest.raises(ServiceError) as caught:
        embedder.embed(["光", "风"])
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("remark", "reply", "words"),
    [
        ("a retired model", fault(404, "models/x is not found"), "NEMO_GEMINI_EMBEDDING_MODEL"),
        ("a wrong key", fault(400, "API key not valid."), "NEMO_GEMINI_API_KEY"),
    ],
)
def test_what_a_person_can_mend_stops_the_start(server: LocalServer, remark: str, reply: Answer, words: str) -> None:
    server.routes["*"] = reply
    with pytest.raises(ConfigError, match=words):
        GeminiEmbedder(settings(server))


def test_a_service_out_of_reach_stops_the_start(server: LocalServer) -> None:
    with serving() as gone:
        url = gone.url
    with pytest.raises(ServiceError, match="无法连接"):
        GeminiEmbedder(settings(server, gemini_base_url=url, service_seconds=0.5))
