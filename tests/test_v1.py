"""Version 1 of the interface at its addresses: questions, jobs, the law over time, proof, state (接口第一版)."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import Mount

import nemo
from nemo import settings
from nemo.engine import Engine
from nemo.errors import ConfigError
from nemo.web import api, metrics
from nemo.web.guard import Guard
from tests import law_samples
from tests.test_api import TEXT, guarded

ASKED = "并网申请几个工作日内答复"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("v1")
    files, manifest = law_samples.write(folder / "texts")
    (folder / "办法.md").write_text(TEXT, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0, commit="abc123")) as opened:
        opened.intake.ingest([*files, folder / "办法.md"], manifest=manifest)
        metrics.watch(opened)
        yield opened


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    return guarded(engine, engine.access.tokens.first())


def test_several_questions_are_answered_each_in_its_place(client: TestClient) -> None:
    questions = [{"id": 7, "question": ASKED}, {"id": "b", "question": "并网", "province": "zz"}, {"question": " "}]
    answers = client.post("/v1/batch", json={"questions": questions}).json()["answers"]
    assert [a["id"] for a in answers] == [7, "b", None]
    assert answers[0]["citations"][0]["direct_quote"] in TEXT
    assert answers[1]["error"] is True and answers[2]["refused"] is True
    assert client.post("/v1/batch", json={"questions": []}).status_code == 422


@pytest.mark.parametrize(
    ("method", "path", "given", "words"),
    [
        ("POST", "/v1/query", {"json": {"question": ASKED, "provine": "gd"}}, "是否应为 province"),
        ("POST", "/query", {"json": {"question": ASKED, "colour": "red"}}, "“colour”"),
        ("POST", "/v1/batch", {"json": {"questions": [{"question": ASKED, "asof": "2024-01-01"}]}}, "是否应为 as_of"),
        ("POST", "/v1/corpora", {"json": {"name": "甲", "visibilty": "private"}}, "是否应为 visibility"),
        ("GET", "/v1/search", {"params": {"question": ASKED, "provine": "gd"}}, "是否应为 province"),
        ("GET", "/v1/graph/duties", {"params": {"autority": "x"}}, "是否应为 authority"),
        ("GET", "/v1/stale", {"params": {"day": "2024-01-01"}}, "不接受任何参数"),
        ("POST", "/v1/audit", {"data": {"text": "甲", "asof": "2024-01-01"}}, "是否应为 as_of"),
        ("POST", "/v1/ingest", {"data": {"fact": "{}"}, "files": {"files": ("a.md", b"x")}}, "是否应为 facts"),
    ],
)
def test_what_is_not_known_is_refused_with_what_may_be_meant(
    client: TestClient, method: str, path: str, given: dict[str, Any], words: str
) -> None:
    """A misspelt filter would be answered for the whole nation."""
    refused = client.request(method, path, **given)
    assert refused.status_code == 422 and words in refused.json()["message"]


def test_an_unknown_section_is_told_with_those_there_are(client: TestClient) -> None:
    law = "演示并网接口办法（演示文本）"
    given = {"question": ASKED, "section": "第九十九章", "regulation": law}
    refused = client.get("/v1/search", params=given)
    assert refused.status_code == 404 and "第九十九章" in refused.json()["message"] and law in refused.json()["message"]


def test_provisions_are_ranked_within_k_and_above_the_threshold(client: TestClient) -> None:
    found = client.get("/v1/search", params={"question": ASKED, "k": 3}).json()["results"]
    assert 1 <= len(found) <= 3 and "十二个工作日" in found[0]["text"]
    assert [r["score"] for r in found] == sorted((r["score"] for r in found), reverse=True)
    bar = found[0]["score"]
    above = client.get("/v1/search", params={"question": ASKED, "k": 100, "threshold": bar}).json()["results"]
    assert above and all(r["score"] >= bar for r in above)
    assert client.get("/v1/search", params={"question": ASKED, "province": "zz"}).status_code == 400


def test_a_job_tells_its_progress_and_result_and_can_be_cancelled(client: TestClient) -> None:
    text = TEXT.replace("接口办法", "任务办法").replace("十二个", "十八个")
    files = [("files", ("任务.md", text.encode(), "text/markdown")), ("files", ("空.md", b"", "text/plain"))]
    stated = json.dumps({"file": "任务.md", "issuer": "演示机关"}, ensure_ascii=False)
    sent = client.post("/v1/ingest", files=files, data={"facts": '{"province": "gd"}', "manifest": stated})
    assert sent.status_code == 202
    job, until = sent.json(), time.monotonic() + 180
    while job["active"] and time.monotonic() < until:
        time.sleep(0.05)
        job = client.get(f"/v1/jobs/{job['job']}").json()
    assert (job["done"], job["total"]) == (2, 2)
    assert sorted(o["state"] for f in job["files"] for o in f["outcomes"]) == ["failed", "stored"]
    rows = {r["file"]: r for r in client.get("/v1/regulations").json()["regulations"]}
    assert (rows["任务.md"]["province"], rows["任务.md"]["issuer"]) == ("gd", "演示机关")
    assert job["job"] in {j["job"] for j in client.get("/v1/jobs").json()["jobs"]}
    assert client.post(f"/v1/jobs/{job['job']}/cancel").json()["cancelled"] == 0
    assert client.get("/v1/jobs/none").status_code == 404
    assert client.post("/v1/ingest", files=files[:1], data={"facts": "[]"}).status_code == 422
    assert client.post("/v1/ingest", data={"facts": "{}"}).status_code == 400


NUMBERED = [
    ("get", "papers/{}", None),
    ("post", "papers/{}/dismiss", {"reason": "演示"}),
    ("post", "watch/{}/pause", {}),
    ("post", "graph/proposals/{}", {"approved": True}),
    ("delete", "graph/runs/{}", None),
]


@pytest.mark.parametrize("number", [-1, 2**31, 2**63, 10**40])
def test_what_has_no_such_number_is_not_found(client: TestClient, number: int) -> None:
    """Also a number that the catalogue's columns cannot hold."""
    for verb, address, body in NUMBERED:
        found = client.request(verb, "/v1/" + address.format(number), json=body)
        assert found.status_code == 404, (address, found.text)


def test_the_law_over_time_is_told_as_the_command_line_tells_it(client: TestClient, engine: Engine) -> None:
    works = [engine.law.versions(r.id) for r in engine.regulations()]
    old, new = next(rows for rows in works if len(rows) == 2)
    versions = client.get("/v1/versions", params={"regulation": new.id}).json()["versions"]
    assert [v["id"] for v in versions] == [old.id, new.id]
    diff = client.get("/v1/diff", params={"old": old.id, "new": new.id, "only_changes": True}).json()
    assert sum(diff["counts"].values()) >= len(diff["pairs"]) > 0
    for place in ("relations", "timeline"):
        told = client.get(f"/v1/{place}", params={"regulation": new.id, "as_of": "2026-11-20"}).json()
        assert (told["title"], told["as_of"]) == (new.title, "2026-11-20")


def test_an_answer_is_exported_and_its_bundle_checked(client: TestClient) -> None:
    trace = client.post("/v1/query", json={"question": ASKED}).json()["trace_id"]
    bundle = client.get(f"/v1/export/{trace}")
    assert bundle.headers["content-type"] == "application/json"
    checked = client.post("/v1/verify", files={"bundle": ("b.json", bundle.content)}).json()
    assert checked["ok"] is True and checked["counts"]["共"] >= 1
    assert client.get(f"/v1/export/{trace}", params={"form": "docx"}).content[:2] == b"PK"
    assert client.get(f"/v1/export/{trace}", params={"form": "gif"}).status_code == 400
    whole = client.post("/v1/verify").json()
    assert (whole["ok"], whole["differences"]) == (True, []) and sum(whole["checked"].values()) > 0


def test_health_names_every_part_and_says_503_when_one_fails(
    client: TestClient, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    well = client.get("/v1/health")
    told = well.json()
    assert (well.status_code, told["version"], told["commit"]) == (200, nemo.__version__, "abc123")
    assert {"catalogue", "vectors", "reranker", "failures"} <= set(told["index"])
    assert set(guarded(engine).get("/v1/health").json()) == {"status", "timestamp", "version", "commit"}
    monkeypatch.setattr(engine.library, "unembedded", lambda: ["x"])
    ill = client.get("/v1/health")
    assert (ill.status_code, ill.json()["status"], ill.json()["index"]["vectors"]["ok"]) == (503, "failed", False)


@pytest.mark.parametrize("shown", [{}, {"Authorization": "Bearer of-the-settings"}, {"Authorization": "Bearer kept"}])
def test_health_says_why_when_the_library_cannot_be_opened(shown: dict[str, str]) -> None:
    def closed() -> Engine:
        raise ConfigError("资料库由另一个程序打开。")

    app = Starlette(routes=[Mount("/api", api.create(closed))])
    chosen = settings.load(api_token="of-the-settings")
    client = TestClient(Guard(app, lambda: chosen, closed), "http://localhost/api", headers=shown)
    told = client.get("/v1/health")
    assert (told.status_code, told.json()["status"]) == (503, "failed") and "另一个程序" in told.json()["message"]


def test_the_figures_count_what_happened(client: TestClient, engine: Engine) -> None:
    """Questions by outcome, seconds by stage, hits of the cache, sizes, jobs; only for administrators."""
    before = figures(client)
    for _ in range(2):
        client.post("/v1/query", json={"question": f"{ASKED}呢"})
    client.post("/v1/query", json={"question": "火星基地的氧气配额"})
    after = figures(client)

    def grew(name: str) -> float:
        return after[name] - before.get(name, 0)

    answered = sum(grew(name) for name in after if name.startswith("nemo_questions_total"))
    assert answered == 3
    assert (grew('nemo_answer_cache_total{result="hit"}'), grew('nemo_answer_cache_total{result="miss"}')) == (1, 2)
    assert grew('nemo_stage_seconds_count{stage="read"}') >= 2
    assert after["nemo_regulations"] == len(engine.regulations())
    assert after['nemo_part_ok{part="catalogue"}'] == 1 and after['nemo_jobs{state="queued"}'] == 0
    assert guarded(engine).get("/v1/metrics").status_code == 401


def test_every_figure_of_the_dashboard_is_one_that_is_told(client: TestClient) -> None:
    """deploy/grafana.json asks for nothing that does not exist, and leaves out nothing that does."""
    client.post("/v1/query", json={"question": ASKED})
    told = {re.split(r"[{ ]", name)[0] for name in figures(client)}
    board = json.loads((Path(__file__).resolve().parent.parent / "deploy" / "grafana.json").read_text("utf-8"))
    asked = {name for p in board["panels"] for t in p["targets"] for name in re.findall(r"\bnemo_\w+", t["expr"])}
    assert asked <= told
    assert {re.sub(r"_(bucket|sum|count|total|created)$", "", name) for name in told} == {
        re.sub(r"_(bucket|sum|count|total)$", "", name) for name in asked
    }
    places = [(p["gridPos"]["x"], p["gridPos"]["y"]) for p in board["panels"]]
    assert len(set(places)) == len(places) == len({p["id"] for p in board["panels"]})


def test_a_memo_is_audited_at_both_addresses(client: TestClient) -> None:
    memo = f"根据《{TEXT.splitlines()[0]}》第二条，应当在十五个工作日内书面答复。"
    told = client.post("/v1/audit", data={"text": memo}).json()
    assert [finding["verdict"] for finding in told["findings"]] and told == client.post(
        "/audit", data={"text": memo}
    ).json()
    word = client.post("/v1/audit", data={"form": "xlsx"}, files={"file": ("文稿.txt", memo.encode())})
    assert word.status_code == 200 and word.content.startswith(b"PK")
    assert client.post("/v1/audit").status_code == 400


def figures(client: TestClient) -> dict[str, float]:
    reply = client.get("/v1/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = [line for line in reply.text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}
