"""What leaves Nemo as JSON has the described forms: no field more, none missing, none of another kind (接口数据形式)."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel, ValidationError

import nemo
from nemo import export, settings
from nemo.cli import main
from nemo.engine import Engine
from nemo.errors import BadRequestError
from nemo.export.schemas import answers as schema
from nemo.export.schemas import corpora as own_forms
from nemo.export.schemas import graph as graph_forms
from nemo.export.schemas import library as held
from nemo.export.schemas import watch as schema_watch
from nemo.store.files import lock
from nemo.text.words.days import day_of
from nemo.tools import replies
from nemo.types import Span
from nemo.types.graph import GraphEdge
from tests.local_server import Answer as Reply
from tests.local_server import serving
from tests.page_library import copied
from tests.test_api import TEXT, guarded

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def engine(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("schema")
    (folder / "办法.md").write_text(TEXT, "utf-8")
    library = copied(demonstration, folder / "library")
    with Engine.open(settings.load(library=library, workers=0, discovery=True)) as opened:
        opened.intake.ingest([folder / "办法.md"])
        yield opened


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    return guarded(engine, engine.access.tokens.first())


def strictly(form: type[BaseModel], told: Any) -> None:
    """Hold what is sent against its form, as JSON: a fault names the field."""
    form.model_validate_json(json.dumps(told, ensure_ascii=False))


def questions() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for file in sorted((ROOT / "data" / "golden").glob("*.jsonl")):
        rows += [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return rows


def test_real_answers_and_refusals_have_the_form(engine: Engine) -> None:
    """Every question of the sample set, and the kinds that it lacks: several in one, a follow-up, a comparison."""
    kinds = set()
    for row in questions():
        answer = engine.ask(row["question"], **{name: row.get(name) for name in ("province", "asset", "doc_class")})
        strictly(schema.AnswerForm, export.answer_json(answer))
        kinds.add(answer.refusal is None)
    assert kinds == {True, False}
    two = engine.ask("并网申请几个工作日内答复？接口办法何时施行？")
    after = engine.ask("那期限从哪天起算？", context=two.trace_id)
    for answer in (two, after, engine.ask("x" * 5000)):
        strictly(schema.AnswerForm, export.answer_json(answer))


ASKED = {"question": "并网申请几个工作日内答复"}
LAW = "演示省光伏并网办法（演示文本）"


def collected(client: TestClient, engine: Engine, folder: Path) -> Iterator[tuple[str, type[BaseModel], Any]]:
    """Watch a folder and decide on what it brings, with a sheet that changes something and one that does not."""
    (folder / "甲.md").write_text(TEXT.replace("十二个", "三个").replace("2024", "2026"), "utf-8")
    (folder / "乙.md").write_text(TEXT.replace("并网接口", "储能调度"), "utf-8")
    yield "post /v1/watch", schema_watch.WatchesForm, client.post("/v1/watch", json={"subject": str(folder)}).json()
    yield "get /v1/watch", schema_watch.WatchesForm, client.get("/v1/watch").json()
    yield "post /v1/watch/{watch}/run", schema_watch.QueuedForm, client.post("/v1/watch/1/run").json()
    engine.watch.work()
    yield "get /v1/watch", schema_watch.WatchesForm, client.get("/v1/watch").json()
    yield "post /v1/watch/{watch}/pause", schema_watch.WatchesForm, client.post("/v1/watch/1/pause", json={}).json()
    found = client.get("/v1/papers").json()
    assert sorted(paper["needs_signature"] for paper in found["papers"]) == [False, True]
    yield "get /v1/papers", schema_watch.PapersForm, found
    one, other = (f"/v1/papers/{paper['id']}" for paper in found["papers"])
    yield "get /v1/papers/{paper}", schema_watch.SheetForm, client.get(one).json()
    yield "post /v1/papers/{paper}/accept", schema_watch.SheetForm, client.post(f"{one}/accept", json={}).json()
    yield "get /v1/gaps", schema_watch.ShortfallsForm, client.get("/v1/gaps").json()
    yield "get /v1/changes", schema_watch.ChangesForm, client.get("/v1/changes").json()
    yield "get /v1/standards", schema_watch.StandardsForm, client.get("/v1/standards").json()
    yield "post /v1/papers/{paper}/dismiss", schema_watch.SheetForm, client.post(f"{other}/dismiss", json={}).json()
    engine.intake.jobs.wait(60)


def proposed(client: TestClient, engine: Engine, key: str) -> Iterator[tuple[str, type[BaseModel], Any]]:
    """Ask a service that proposes nothing of use, and decide on a proposal that another one made."""
    runs, text = engine.answers.proposals, engine.regulation(key).text
    with serving() as service:
        service.routes["*"] = Reply.of({"name": "models/demo"})
        given = {"proposer": "gemini", "gemini_api_key": "k" * 20, "gemini_base_url": service.url, "service_seconds": 1}
        runs._settings = settings.load(library=engine.settings.library, **given)
        run = client.post("/v1/graph/runs", json={"regulations": [key]}).json()
        yield "post /v1/graph/runs", graph_forms.ProposalRunForm, run
        while runs.a_run(run["number"]).active:
            time.sleep(0.02)
    edge = GraphEdge("exempts", "", "", "provision", "", "", Span(0, 6), "proposed", 1.0)
    engine.library.proposals.add(run["number"], key, "gemini/demo", [(edge, text[:6])])
    yield "get /v1/graph/proposals", graph_forms.ProposalsForm, client.get("/v1/graph/proposals").json()
    decided = client.post("/v1/graph/proposals/1", json={"approved": False, "reason": "演示"})
    yield "post /v1/graph/proposals/{number}", graph_forms.ProposalForm, decided.json()
    yield "get /v1/graph/runs", graph_forms.ProposalRunsForm, client.get("/v1/graph/runs").json()
    stopped = client.delete(f"/v1/graph/runs/{run['number']}").json()
    yield "delete /v1/graph/runs/{number}", graph_forms.ProposalRunForm, stopped


def test_the_forms_hold_at_every_address(client: TestClient, engine: Engine, tmp_path: Path) -> None:
    """Every address of the description that answers with JSON, by the path under which it is described."""
    answer = client.post("/v1/query", json=ASKED).json()
    trace = answer["trace_id"]
    held_ = client.get("/v1/regulations").json()
    key = next(row["id"] for row in held_["regulations"] if row["articles"])
    bundle = client.get(f"/v1/export/{trace}")
    files = [("files", ("空.md", b"", "text/plain")), ("files", ("一.md", TEXT.encode(), "text/plain"))]
    job = client.post("/v1/ingest", files=files)
    told = [
        ("post /v1/query", schema.AnswerForm, answer),
        ("post /query", schema.AnswerForm, client.post("/query", json=ASKED).json()),
        ("get /v1/answers/{trace_id}", schema.AnswerForm, client.get(f"/v1/answers/{trace}").json()),
        ("get /v1/stale", held.StaleForm, client.get("/v1/stale").json()),
        ("get /answers/{trace_id}", schema.AnswerForm, client.get(f"/answers/{trace}").json()),
        ("post /v1/batch", schema.BatchForm, client.post("/v1/batch", json={"questions": [ASKED, {**ASKED, "asset": "zz"}]}).json()),
        ("get /v1/search", schema.SearchForm, client.get("/v1/search", params=ASKED).json()),
        ("get /v1/health", schema.HealthForm, client.get("/v1/health").json()),
        ("get /health", held.PlainHealthForm, client.get("/health").json()),
        ("post /v1/verify", schema.VerificationForm, client.post("/v1/verify").json()),
        ("post /v1/verify", schema.BundleReportForm, client.post("/v1/verify", files={"bundle": bundle.content}).json()),
        ("get /v1/export/{trace_id}", held.BundleForm, bundle.json()),
        ("post /v1/ingest", schema.JobForm, job.json()),
        ("get /v1/jobs", schema.JobsForm, client.get("/v1/jobs").json()),
        ("get /v1/jobs/{job}", schema.JobForm, client.get(f"/v1/jobs/{job.json()['job']}").json()),
        ("post /v1/jobs/{job}/cancel", schema.CancelledForm, client.post(f"/v1/jobs/{job.json()['job']}/cancel").json()),
        ("post /v1/ingest", schema.IngestForm, client.post("/v1/ingest", files=files, data={"wait": "true"}).json()),
        ("post /ingest", schema.IngestForm, client.post("/ingest", files=files).json()),
        ("get /v1/regulations", held.ListingForm, held_),
        ("get /regulations", held.ListingForm, client.get("/regulations").json()),
        ("get /v1/regulations/{key}", held.RegulationForm, client.get(f"/v1/regulations/{key}").json()),
        ("get /regulations/{key}", held.RegulationForm, client.get(f"/regulations/{key}").json()),
        ("get /v1/figures", schema.FiguresForm, client.get("/v1/figures", params={"regulation": key}).json()),
        ("get /v1/versions", held.VersionsForm, client.get("/v1/versions", params={"regulation": key}).json()),
        ("get /v1/relations", held.LinksForm, client.get("/v1/relations", params={"regulation": key}).json()),
        ("get /v1/timeline", held.TimelineForm, client.get("/v1/timeline", params={"regulation": key}).json()),
        ("get /v1/graph/search", graph_forms.GraphNodesForm, client.get("/v1/graph/search", params={"words": "电网"}).json()),
        ("get /v1/graph/around", graph_forms.NeighbourhoodForm, client.get("/v1/graph/around", params={"node": key}).json()),
        ("get /v1/graph/path", graph_forms.NeighbourhoodForm, client.get("/v1/graph/path", params={"first": key, "last": "电网企业"}).json()),
        ("get /v1/graph/duties", schema.CountedForm, client.get("/v1/graph/duties", params={"about": "应当"}).json()),
        ("post /v1/query", schema.AnswerForm, client.post("/v1/query", json={**ASKED, "mode": "mix"}).json()),
        ("get /v1/diff", held.ComparisonForm, client.get("/v1/diff", params=revised(held_)).json()),
        *proposed(client, engine, key),
        *corpora(client, held_),
        ("post /audit", held.MemoAuditForm, client.post("/audit", data={"text": f"依据《{LAW}》第二条，应当答复。"}).json()),
        ("post /v1/audit", held.MemoAuditForm, client.post("/v1/audit", data={"text": f"依据《{LAW}》第二条，应当答复。"}).json()),
        *collected(client, engine, tmp_path),
    ]  # fmt: skip
    for _, form, value in told:
        strictly(form, value)
    described = {
        f"{method} {path}"
        for path, methods in client.get("/openapi.json").json()["paths"].items()
        for method, about in methods.items()
        if any(
            "application/json" in reply.get("content", {})
            for code, reply in about["responses"].items()
            if code[0] == "2"
        )
    }
    assert described == {address for address, _, _ in told}
    strictly(schema.ErrorForm, client.post("/v1/query", json={**ASKED, "asset": "zz"}).json())


def corpora(client: TestClient, listing: dict[str, Any]) -> list[tuple[str, type[BaseModel], Any]]:
    """What the addresses of corpora tell, from making one to deleting it."""
    at, text = "/v1/corpora", listing["regulations"][0]["id"]
    (made, sent) = (
        client.post(at, json={"name": "形式", "chunking": "400"}),
        {"facts": json.dumps({"corpora": ["形式"]})},
    )
    closed = client.post(
        "/v1/ingest",
        data={**sent, "wait": "true"},
        files=[
            (
                "files",
                ("私.md", b"\xe7\xac\xac\xe4\xb8\x80\xe6\x9d\xa1 \xe6\xbc\x94\xe7\xa4\xba\xe3\x80\x82", "text/plain"),
            )
        ],
    )
    own = closed.json()["files"][0]["regulation_ids"][0]
    return [
        ("post /v1/corpora", own_forms.CorpusForm, made.json()),
        ("post /v1/corpora/{key}/texts", own_forms.ChangedTextsForm, client.post(f"{at}/形式/texts", json={"regulations": [text]}).json()),
        ("get /v1/corpora", own_forms.CorporaForm, client.get(at).json()),
        ("get /v1/corpora/{key}", own_forms.CorpusTextsForm, client.get(f"{at}/形式").json()),
        ("patch /v1/corpora/{key}", own_forms.CorpusForm, client.patch(f"{at}/形式", json={"description": "演示"}).json()),
        ("delete /v1/corpora/{key}/texts/{regulation}", own_forms.ChangedTextsForm, client.delete(f"{at}/形式/texts/{text}").json()),
        ("post /v1/release/{regulation}", own_forms.ReleasedForm, client.post(f"/v1/release/{own}").json()),
        ("get /v1/quality", own_forms.QualityForm, client.get("/v1/quality").json()),
        ("post /v1/memory", own_forms.MemoryForm, client.post("/v1/memory", json={"title": "演示", "text": "并网的事"}).json()),
        ("get /v1/memory", own_forms.MemoriesForm, client.get("/v1/memory", params={"query": "并网"}).json()),
        ("delete /v1/memory/{kind}/{key}", own_forms.ForgottenForm, client.delete("/v1/memory/session/1").json()),
        ("delete /v1/corpora/{key}", own_forms.DeletedCorpusForm, client.delete(f"{at}/形式").json()),
    ]  # fmt: skip


def revised(listing: dict[str, Any]) -> dict[str, str]:
    """Return two texts that may be compared: the samples hold versions of one."""
    by_title: dict[str, list[str]] = {}
    for row in listing["regulations"]:
        by_title.setdefault(row["title"], []).append(row["id"])
    old, new, *_ = next(ids for ids in by_title.values() if len(ids) > 1)
    return {"old": old, "new": new}


COMMANDS: list[tuple[type[BaseModel], tuple[str, ...]]] = [
    (schema.IngestForm, ("ingest", "{folder}/办法.md")),
    (schema.AnswerForm, ("ask", "并网申请几个工作日内答复")),
    (schema.ErrorForm, ("ask", "并网", "--asset", "zz")),
    (held.ListingForm, ("list",)),
    (held.RegulationForm, ("show", "办法.md")),
    (held.RegulationForm, ("show", "办法.md", "--article", "第二条")),
    (schema.FiguresForm, ("figures", "办法.md")),
    (held.VersionsForm, ("versions", "办法.md")),
    (held.ComparisonForm, ("diff", "办法.md", "新办法.md")),
    (held.LinksForm, ("relations", "办法.md")),
    (held.TimelineForm, ("timeline", "办法.md")),
    (schema.AnswerForm, ("ask", "哪些部门负责并网", "--mode", "hybrid")),
    (graph_forms.GraphNodesForm, ("graph", "search", "电网")),
    (graph_forms.NeighbourhoodForm, ("graph", "around", "办法.md")),
    (graph_forms.NeighbourhoodForm, ("graph", "path", "办法.md", "电网企业")),
    (schema.CountedForm, ("graph", "duties", "--about", "应当")),
    (graph_forms.WrittenGraphForm, ("graph", "export", "办法.md", "{folder}/图.graphml")),
    (graph_forms.ProposalsForm, ("graph", "proposals")),
    (schema.ErrorForm, ("graph", "decide", "1", "驳回")),
    (schema.ErrorForm, ("graph", "propose", "办法.md")),
    (held.StaleForm, ("stale",)),
    (held.GapsForm, ("cited",)),
    (held.UndatedForm, ("undated",)),
    (held.MemoAuditForm, ("audit", "{folder}/文稿.txt")),
    (held.EvaluationForm, ("evaluate", "{folder}/golden")),
    (schema.SearchForm, ("search", ASKED["question"])),
    (own_forms.CorpusForm, ("corpus", "create", "形式", "--chunking", "600/100")),
    (own_forms.ChangedTextsForm, ("corpus", "add", "形式", "{id}")),
    (own_forms.CorporaForm, ("corpus", "list")),
    (own_forms.CorpusTextsForm, ("corpus", "show", "形式")),
    (schema.AnswerForm, ("ask", ASKED["question"], "--corpus", "形式", "--top-k", "1", "--threshold", "0.9")),
    (own_forms.CorpusForm, ("corpus", "update", "形式", "--description", "演示")),
    (own_forms.ChangedTextsForm, ("corpus", "withdraw", "形式", "{id}")),
    (own_forms.DeletedCorpusForm, ("corpus", "delete", "形式")),
    (own_forms.MemoriesForm, ("memory", "search", "并网")),
    (own_forms.MemoriesForm, ("memory", "list")),
    (own_forms.ForgottenForm, ("memory", "forget", "question", "{newest}")),
    (own_forms.QualityForm, ("quality",)),
    (schema.VerificationForm, ("verify",)),
    (held.ChainForm, ("chain",)),
    (held.BackupForm, ("backup", "{folder}/nemo.zip")),
    (held.RestoredForm, ("restore", "{folder}/nemo.zip", "--library", "{folder}/again")),
    (held.IndexedForm, ("reindex",)),
    (held.FirstTokenForm, ("token", "show")),
    (held.MadeTokenForm, ("token", "make", "夜间入库", "--role", "analyst")),
    (held.TokensForm, ("token", "list")),
    (held.RevokedTokenForm, ("token", "revoke", "夜间入库")),
    (schema_watch.ShortfallsForm, ("gaps",)),
    (schema_watch.ImportedForm, ("standards", "import", "{folder}/标准.csv")),
    (schema_watch.StandardsForm, ("standards", "list")),
    (schema_watch.WatchesForm, ("watch", "add", "{folder}/golden")),
    (schema_watch.WatchesForm, ("watch", "list")),
    (schema_watch.QueuedForm, ("watch", "run")),
    (schema_watch.WatchesForm, ("watch", "pause", "1")),
    (held.RemovedModelsForm, ("train", "--reset")),
    (held.RemovedForm, ("remove", "{id}")),
    (schema.AnswerForm, ("demo",)),
]
"""Every command that prints JSON with the form of what it prints, on one library, one after the other."""
ELSEWHERE = {"discover", "migrate-library"}
"""The first reads official sites (test_leads_have_the_form), the second needs a server (tests/test_store_transfer.py)."""


def test_the_command_line_prints_the_same_forms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = Engine.close
    monkeypatch.setenv("NEMO_WORKERS", "0")
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    (tmp_path / "新办法.md").write_text(TEXT.replace("十个", "五个").replace("2024", "2025"), "utf-8")
    (tmp_path / "文稿.txt").write_text(f"依据《{LAW}》第二条，电网企业应当答复。", "utf-8")
    (tmp_path / "标准.csv").write_text("编号,状态\nGB/T 99001-2012,废止\n", "utf-8")
    (tmp_path / "golden").mkdir()
    (tmp_path / "golden" / "golden.jsonl").write_text(
        json.dumps({"id": "1", "question": ASKED["question"], "gold": [{"file": "办法.md", "article": "第二条"}]}),
        "utf-8",
    )

    opening, kept = Engine.open.__func__, []  # type: ignore[attr-defined]

    def once(cls: type[Engine], given: settings.Settings, **how: bool) -> Engine:
        """The engine of the library stays open from one command to the next: what is held is the form of what they print."""
        if given.library != tmp_path / "library":
            return opening(cls, given, **how)
        kept[:] = kept or [opening(cls, given)]
        return kept[0]

    monkeypatch.setattr(Engine, "open", classmethod(once))
    monkeypatch.setattr(Engine, "close", lambda engine: None if engine in kept else closing(engine))
    monkeypatch.setattr(lock, "answering", lambda _: None)

    def told(*arguments: str) -> Any:
        capsys.readouterr()
        library = () if "--library" in arguments else ("--library", str(tmp_path / "library"))
        main([*arguments, "--json", *library])
        return json.loads(capsys.readouterr().out)

    told("ingest", str(tmp_path / "新办法.md"))
    for form, arguments in COMMANDS:
        if "{id}" in arguments:
            known = {"id": told("list")["regulations"][0]["id"], "folder": tmp_path}
        elif "{newest}" in arguments:
            known = {"newest": told("memory", "list")["memories"][0]["key"]}
        else:
            known = {"folder": tmp_path}
        value = told(*(argument.format(**known) for argument in arguments))
        if form is not schema.ErrorForm:
            assert not (isinstance(value, dict) and value.get("error")), (arguments, value)
        strictly(form, value)
    closing(kept.pop())


def test_no_command_that_prints_json_is_without_a_form() -> None:
    import typer

    from nemo.cli.frame import app

    def printing(group: Any, name: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        for each, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from printing(command, (*name, each))
            elif any("--json" in parameter.opts for parameter in command.params):
                yield (*name, each)

    listed = {tuple(a for a in arguments if a.isascii() and a.isalpha())[:2] for _, arguments in COMMANDS}
    without = [
        command
        for command in printing(typer.main.get_command(app))
        if command[0] not in ELSEWHERE and not any(entry[: len(command)] == command for entry in listed)
    ]
    assert without == []


def test_a_field_too_many_or_of_another_kind_is_a_fault() -> None:
    good = export.error_json(BadRequestError("请改正。"), "nemo-1")
    strictly(schema.ErrorForm, good)
    for bad in ({**good, "more": 1}, {**good, "code": 7}, {k: v for k, v in good.items() if k != "tips"}):
        with pytest.raises(ValidationError):
            strictly(schema.ErrorForm, bad)


def test_the_description_names_every_field(client: TestClient) -> None:
    """No reply is described as any object at all; what may hold anything (the notes of a manifest) says so."""
    told = client.get("/openapi.json").json()
    assert told["openapi"].startswith("3.1") and told["info"]["version"] == nemo.__version__
    assert list(unnamed(told)) == []
    for path, methods in told["paths"].items():
        for method, about in methods.items():
            error = about["responses"]["default"]["content"]["application/json"]["schema"]
            assert error == {"$ref": "#/components/schemas/ErrorForm"} and "422" not in about["responses"], path
            for reply in about["responses"].values():
                if "application/json" in reply.get("content", {}):
                    assert reply["content"]["application/json"]["schema"], (method, path)
    for path, method in (("/v1/export/{trace_id}", "get"), ("/v1/audit", "post")):
        assert {export.FORMS["docx"], export.FORMS["xlsx"]} < set(
            told["paths"][path][method]["responses"]["200"]["content"]
        )
    forms = told["components"]["schemas"]
    assert set(forms["AnswerForm"]["properties"]) == set(schema.AnswerForm.model_fields)
    assert forms["AnswerForm"]["additionalProperties"] is False


def unnamed(value: Any, path: str = "") -> Iterator[str]:
    """Yield the places where any property at all is allowed."""
    if isinstance(value, dict):
        if value.get("additionalProperties") is True:
            yield path
        for key, each in value.items():
            yield from unnamed(each, f"{path}/{key}")
    elif isinstance(value, list):
        for each in value:
            yield from unnamed(each, path)


def test_agents_are_told_the_same_forms(engine: Engine) -> None:
    """An agent's reply is the common form with a word for how it went, in pages where it is long."""
    for question in ("并网申请几个工作日内答复", "水电站怎么报建"):
        reply = replies.answer(engine.ask(question))
        assert reply.pop("status") in ("found", "not_found", "not_held")
        assert isinstance(reply.pop("omitted", []), list)
        strictly(schema.AnswerForm, reply)
    page = replies.paged({}, "regulations", engine.listing(), None)
    strictly(held.ListingForm, {"regulations": page["regulations"]})
    key = page["regulations"][0]["id"]
    view = replies.regulation(engine, key, None, None, None)
    strictly(
        held.RegulationForm,
        {k: v for k, v in view.items() if k not in ("total", "next_cursor", "status_on_day")}
        | {"status": view["status_on_day"]},
    )
    wrong = replies.guarded(lambda: replies.regulation(engine, key, None, day_of("gestern"), None))()
    assert wrong.pop("status") == "not_checkable"
    strictly(schema.ErrorForm, wrong)


def test_leads_have_the_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from types import SimpleNamespace

    from nemo.discover.finder import Finder
    from nemo.types import Lead

    site = SimpleNamespace(code="nea", name="演示局")
    survey = SimpleNamespace(
        leads=(Lead("https://a.gov.cn/1", "通知", "crawler:nea"),), problems=((site, "没有应答。"),)
    )
    monkeypatch.setattr(Finder, "leads", lambda self, codes: survey)
    monkeypatch.setenv("NEMO_DISCOVERY", "1")
    assert main(["discover", "--json", "--library", str(tmp_path)]) == 0
    strictly(held.LeadsForm, json.loads(capsys.readouterr().out))
