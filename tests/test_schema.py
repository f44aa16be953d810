"""What leaves Nemo as JSON has the described forms: no field more, none missing, none of another kind (接口数据形式)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from nemo import export, settings
from nemo.cli import main
from nemo.engine import Engine
from nemo.errors import BadRequestError
from nemo.export import schema
from tests.test_api import TEXT, guarded

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("schema")
    (folder / "办法.md").write_text(TEXT, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as opened:
        opened.intake.load_samples()
        opened.intake.ingest([folder / "办法.md"])
        yield opened


@pytest.fixture(scope="module")
def client(engine: Engine) -> TestClient:
    return guarded(engine, engine.access.tokens.first())


def strictly(form: type[schema.Form], told: Any) -> None:
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


def test_the_forms_hold_at_every_address(client: TestClient) -> None:
    asked = {"question": "并网申请几个工作日内答复"}
    answer = client.post("/v1/query", json=asked).json()
    strictly(schema.AnswerForm, answer)
    strictly(schema.AnswerForm, client.post("/query", json=asked).json())
    strictly(schema.AnswerForm, client.get(f"/v1/answers/{answer['trace_id']}").json())
    strictly(schema.BatchForm, client.post("/v1/batch", json={"questions": [asked, {**asked, "asset": "zz"}]}).json())
    strictly(schema.SearchForm, client.get("/v1/search", params=asked).json())
    strictly(schema.ErrorForm, client.post("/v1/query", json={**asked, "asset": "zz"}).json())
    strictly(schema.HealthForm, client.get("/v1/health").json())
    strictly(schema.VerificationForm, client.post("/v1/verify").json())
    bundle = client.get(f"/v1/export/{answer['trace_id']}")
    strictly(schema.BundleReportForm, client.post("/v1/verify", files={"bundle": bundle.content}).json())
    for vouched in bundle.json()["answers"]:
        strictly(schema.VouchedAnswerForm, vouched)
    files = [("files", ("空.md", b"", "text/plain")), ("files", ("一.md", TEXT.encode(), "text/plain"))]
    strictly(schema.IngestForm, client.post("/v1/ingest", files=files, data={"wait": "true"}).json())
    job = client.post("/v1/ingest", files=files).json()
    strictly(schema.JobForm, job)
    strictly(schema.JobsForm, client.get("/v1/jobs").json())
    strictly(schema.CancelledForm, client.post(f"/v1/jobs/{job['job']}/cancel").json())


def test_the_command_line_prints_the_same_forms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEMO_WORKERS", "0")
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")

    def told(*arguments: str) -> Any:
        capsys.readouterr()
        main([*arguments, "--json", "--library", str(tmp_path / "library")])
        return json.loads(capsys.readouterr().out)

    strictly(schema.IngestForm, told("ingest", str(tmp_path / "办法.md")))
    strictly(schema.AnswerForm, told("ask", "并网申请几个工作日内答复"))
    strictly(schema.ErrorForm, told("ask", "并网", "--asset", "zz"))
    strictly(schema.VerificationForm, told("verify"))


def test_a_field_too_many_or_of_another_kind_is_a_fault() -> None:
    good = export.error_json(BadRequestError("请改正。"), "nemo-1")
    strictly(schema.ErrorForm, good)
    for bad in ({**good, "more": 1}, {**good, "code": 7}, {k: v for k, v in good.items() if k != "tips"}):
        with pytest.raises(ValidationError):
            strictly(schema.ErrorForm, bad)


def test_the_description_names_every_field(client: TestClient) -> None:
    """Nothing at /api/v1 that has a form is described as any object at all."""
    told = client.get("/openapi.json").json()
    forms = told["components"]["schemas"]
    for path, method in (("/v1/query", "post"), ("/query", "post"), ("/v1/batch", "post"), ("/v1/jobs", "get")):
        content = told["paths"][path][method]["responses"]["200"]["content"]["application/json"]["schema"]
        form = forms[content["$ref"].rsplit("/", 1)[-1]]
        assert form["additionalProperties"] is False and form["properties"]
    assert set(forms["AnswerForm"]["properties"]) == set(schema.AnswerForm.model_fields)
