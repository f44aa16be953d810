"""The HTTP interface and the agents' tools give the same answers and errors as the command line."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Mount

from nemo import settings
from nemo.engine import Engine
from nemo.store.files import backup as backups
from nemo.web import api, mcp_server
from nemo.web.guard import Guard

TEXT = """演示并网接口办法（演示文本）

第一条 本办法为演示文本，用于检验接口。

第二条 演示电网企业应当自受理并网申请之日起十二个工作日内书面答复。

第三条 本办法自2024年3月1日起施行。
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("api")
    file = folder / "办法.md"
    file.write_text(TEXT, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.ingest([file])
        yield opened


def guarded(engine: Engine, token: str | None = None) -> TestClient:
    """The interface as it is served: behind the guard, at its address."""
    app = Starlette(routes=[Mount("/api", api.create(lambda: engine))])
    shown = {"Authorization": f"Bearer {token}"} if token else {}
    served = Guard(app, lambda: engine.settings, lambda: engine)
    return TestClient(served, "http://localhost/api", raise_server_exceptions=False, headers=shown)


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    return guarded(engine, engine.access.tokens.first())


def test_a_question_is_answered_with_a_verbatim_quote(client: TestClient) -> None:
    answer = client.post("/query", json={"question": "并网申请几个工作日内答复", "as_of": "2026-11-20"}).json()
    assert not answer["refused"]
    citation = answer["citations"][0]
    assert citation["direct_quote"] in TEXT
    assert (citation["article"], citation["status"], citation["effective_date"]) == ("第二条", "现行有效", "2024-03-01")


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"question": "并网", "province": "zz"}, 400, "zz"),
        ({"question": "并网", "as_of": "2024-13-01"}, 422, "as_of"),
        ({}, 422, "question"),
        ({"question": "并网", "province": "\ud800"}, 422, "不成文字"),
        ({"question": "并网", "province": "z" * 100_000}, 400, "省份代码"),
    ],
)
def test_errors_have_one_form(client: TestClient, body: dict[str, str], status: int, words: str) -> None:
    reply = client.post("/query", content=json.dumps(body), headers={"content-type": "application/json"})
    assert reply.status_code == status
    error = reply.json()
    assert error["message"].endswith("。") and len(error["message"]) <= 2000, "whatever it repeats"
    assert error["error"] is True
    assert error["code"] == {400: "bad_request", 422: "malformed"}[status]
    assert words in error["message"]


def test_an_unknown_regulation_is_not_found(client: TestClient) -> None:
    assert client.get("/regulations/没有这部").status_code == 404


def test_uploads_are_ingested_and_hostile_names_lose_their_path(client: TestClient, engine: Engine) -> None:
    other = TEXT.replace("接口办法", "上传办法").replace("十二个", "十五个")
    files = [("files", ("../../etc/上传.md", other.encode(), "text/markdown")), ("files", ("空.md", b"", "text/plain"))]
    report = client.post("/ingest", files=files).json()
    assert report["counts"] == {"stored": 1, "replaced": 0, "unchanged": 0, "failed": 1}
    assert report["files"][0]["name"] == "上传.md"
    assert any(r["title"].startswith("演示并网上传办法") for r in client.get("/regulations").json()["regulations"])


def test_health_tells_of_failed_files(client: TestClient) -> None:
    assert {"name", "ok", "message"} <= set(client.get("/health").json()["checks"][0])


def test_a_token_is_asked_for_when_one_is_set(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    given = settings.load(library=engine.settings.library, api_token="geheim")
    monkeypatch.setattr(engine, "settings", given)
    monkeypatch.setattr(engine.access, "_settings", given)
    assert set(guarded(engine).get("/health").json()) == {"ok"}
    assert guarded(engine).post("/query", json={"question": "并网"}).status_code == 401
    asked = guarded(engine, "geheim").post("/query", json={"question": "并网申请几个工作日内答复"})
    assert asked.status_code == 200


def test_agents_get_the_same_answer(engine: Engine) -> None:
    server = mcp_server.create(lambda: engine)
    found = asyncio.run(server.call_tool("ask_regulation", {"question": "并网申请几个工作日内答复"}))
    assert "十二个工作日" in json.dumps(_plain(found), ensure_ascii=False)
    wrong = asyncio.run(server.call_tool("ask_regulation", {"question": "并网", "as_of": "gestern"}))
    assert "日期无效" in json.dumps(_plain(wrong), ensure_ascii=False)


def _plain(result: object) -> object:
    """Return what a tool call gave as plain data, whatever the protocol wraps around it."""
    return json.loads(result.model_dump_json()) if hasattr(result, "model_dump_json") else str(result)


def test_the_whole_library_is_downloaded_and_restored(client: TestClient, engine: Engine, tmp_path: Path) -> None:
    reply = client.get("/backup")
    assert reply.status_code == 200 and int(reply.headers["content-length"]) == len(reply.content)
    file = tmp_path / "down.zip"
    file.write_bytes(reply.content)
    restored = settings.load(library=tmp_path / "again", workers=0)
    assert backups.restore(file, restored.library).regulations == len(engine.regulations())
    with Engine.open(restored) as again:
        assert again.library.verify() == [] and [r.id for r in again.regulations()] == [
            r.id for r in engine.regulations()
        ]


def test_the_library_is_verified_whatever_kind_the_empty_body_has(client: TestClient) -> None:
    for kind in ("application/json", "application/octet-stream"):
        assert client.post("/v1/verify", content=b"", headers={"content-type": kind}).json()["ok"] is True


def test_a_memo_is_audited_pasted_or_uploaded(client: TestClient) -> None:
    text = "依据《演示并网接口办法》第二条，应当自受理并网申请之日起三十个工作日内书面答复。"
    pasted = client.post("/audit", data={"text": text, "as_of": "2026-11-20"})
    uploaded = client.post(
        "/audit", files={"file": ("../memo.md", text.encode(), "text/plain")}, data={"as_of": "2026-11-20"}
    )
    assert pasted.status_code == uploaded.status_code == 200
    assert uploaded.json()["file"] == "memo.md"
    for told in (pasted.json(), uploaded.json()):
        assert [f["verdict"] for f in told["findings"]] == ["text_differs"]
        assert told["findings"][0]["true"]["value"] == "十二个工作日"
    assert client.post("/audit").status_code == 400
