"""``python -m nemo train`` on the demonstration library: what is better is installed and used, what is not leaves no trace."""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nemo import settings, train
from nemo.cli import main
from nemo.embed import builtin
from nemo.embed.builtin import BuiltinEmbedder
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, MissingDependencyError
from nemo.rerank.domain import DomainReranker, Model
from nemo.rerank.forest import Forest
from nemo.rerank.verdict import Logistic
from nemo.settings import Settings
from nemo.store.files import backup as backups
from nemo.train import judging, trees
from nemo.train.figures import TrainingMeasures, compare
from nemo.train.judging import ScoredCase, logistic
from nemo.train.lists import CandidateLister, TrainingCase, candidates, numbered
from nemo.train.questions import read, resolve
from nemo.types import Filters, Level, today
from tests.page_library import copied

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "data" / "golden" / "golden.jsonl"

TOLD = ("{}从哪天起算数", "{}打哪天开始管用")
"""Ways to ask when a text commences that the shipped models do not understand."""


@pytest.fixture(scope="module")
def filled(demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a demonstration library; tests work on copies."""
    return copied(demonstration, tmp_path_factory.mktemp("filled") / "library")


@pytest.fixture
def library(filled: Path, tmp_path: Path) -> Path:
    return copied(filled, tmp_path / "library")


def _settings(library: Path) -> Settings:
    return settings.load(library=library, workers=0, vector_store="exact")


@pytest.fixture(scope="module")
def odd(filled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return questions that are put in words the shipped models do not know; the last article of a text answers."""
    rows = []
    with Engine.open(_settings(filled)) as engine:
        for row in engine.regulations():
            regulation = engine.library.regulation(row.id)
            articles = [p for p in regulation.walk() if p.level is Level.ARTICLE]
            if articles and row.validity.on(today()).may_answer and "起施行" in articles[-1].span.of(regulation.text):
                gold = {"file": row.file, "article": articles[-1].step}
                about = re.sub(r"管理|暂行|若干|办法|条例|规定|通知|（演示文本）|关于|的$", "", row.title)
                rows += [{"question": told.format(about), **gold} for told in TOLD]
    file = tmp_path_factory.mktemp("odd") / "odd.jsonl"
    file.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    return file


@pytest.fixture(scope="module")
def trained(filled: Path, odd: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, train.TrainingReport]:
    """Return a library that learned the odd questions, and what training said."""
    library = copied(filled, tmp_path_factory.mktemp("trained") / "library")
    return library, _train(library, odd)


def _train(library: Path, *files: Path, **wanted: Any) -> train.TrainingReport:
    with Engine.open(_settings(library)) as engine:
        return engine.training.train(files, train.TrainingOptions(**wanted))


# --- what is better


def test_better_models_are_installed_and_used(trained: tuple[Path, train.TrainingReport], odd: Path) -> None:
    library, report = trained
    ranked, retrieved = report.comparisons
    assert ranked.after["hit@1"] > ranked.before["hit@1"] + 0.3
    assert retrieved.after["mrr@5"] > retrieved.before["mrr@5"]
    assert set(report.installed) == {"ranker-zh", "static-zh-256"}
    shipped = json.loads((_settings(library).models / "ranker-zh" / "model.json").read_text("utf-8"))
    assert "trained" not in shipped, "what ships is not touched"
    with Engine.open(_settings(library)) as engine:
        assert engine.embedder.name.startswith("static-zh-256+")
        assert re.fullmatch("ranker-zh@[0-9a-f]{8}", engine.parts.reranker.name)
        assert engine.library.unembedded(), "vectors of the shipped table are not used by the tuned one"
        assert engine.library.dense(engine.embedder.embed(["并网"])[0], 5, Filters()) == []
        assert engine.intake.embed_missing() == engine.statistics().chunks
        assert engine.library.dense(engine.embedder.embed(["并网"])[0], 5, Filters())
        rows = [json.loads(line) for line in odd.read_text("utf-8").splitlines()]
        right = 0
        for row in rows[::2]:
            answer = engine.ask(row["question"])
            right += bool(answer.ranked) and answer.ranked[0].article == row["article"]
        assert right > 0.6 * len(rows[::2]), "answers come from the trained ranker"


def test_the_card_says_what_it_learned_from(trained: tuple[Path, train.TrainingReport], odd: Path) -> None:
    library, report = trained
    for name in report.installed:
        folder = library / "models" / name
        told = json.loads((folder / "model.json").read_text("utf-8"))["trained"]
        assert told["files"] == [odd.name]
        assert told["questions"] == report.questions
        assert told["day"] == today().isoformat()
        assert told["after"]["mrr@5"] > told["before"]["mrr@5"]
        assert "| Hit@1 |" in (folder / "README.md").read_text("utf-8")


def test_the_same_questions_give_the_same_models(
    trained: tuple[Path, train.TrainingReport], library: Path, odd: Path
) -> None:
    again = _train(library, odd)
    first, report = trained
    assert again == report
    for name in ("ranker-zh/trees.onnx", "ranker-zh/model.json", "static-zh-256/model.json"):
        assert (library / "models" / name).read_bytes() == (first / "models" / name).read_bytes(), name


def test_training_again_starts_from_what_ships_and_a_dry_run_installs_nothing(
    trained: tuple[Path, train.TrainingReport], odd: Path
) -> None:
    library, report = trained
    before = {path: path.read_bytes() for path in (library / "models").rglob("*.*")}
    again = _train(library, odd, dry=True)
    assert again.comparisons[0].better and again.installed == ()
    assert {path: path.read_bytes() for path in (library / "models").rglob("*.*")} == before
    for now, then in zip(again.comparisons, report.comparisons, strict=True):  # indexes written anew may differ in ties
        assert now.before["mrr@5"] == pytest.approx(then.before["mrr@5"], abs=0.05)
        assert now.after["mrr@5"] > now.before["mrr@5"] + 0.2


def test_reset_brings_back_what_ships(trained: tuple[Path, train.TrainingReport], tmp_path: Path, capsys: Any) -> None:
    library = Path(shutil.copytree(trained[0], tmp_path / "library"))
    assert main(["train", "--reset", "--library", str(library), "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["removed"]) == {"ranker-zh", "static-zh-256"}
    with Engine.open(_settings(library)) as engine:
        assert engine.embedder.name == "static-zh-256"
        assert engine.parts.reranker.name == "ranker-zh"
        assert engine.library.unembedded() == []
    assert main(["train", "--reset", "--library", str(library), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"removed": []}


def test_a_backup_holds_the_trained_models(trained: tuple[Path, train.TrainingReport], tmp_path: Path) -> None:
    first = trained[0]
    with Engine.open(_settings(first)) as engine:
        made = engine.library.backup(tmp_path / "backup.zip")
    back = _settings(tmp_path / "back")
    assert backups.restore(tmp_path / "backup.zip", back.library).files == made.files
    for path in (first / "models").rglob("*.*"):
        assert (back.library / path.relative_to(first)).read_bytes() == path.read_bytes()
    with Engine.open(back) as engine:
        assert engine.embedder.name.startswith("static-zh-256+")
        assert re.fullmatch("ranker-zh@[0-9a-f]{8}", engine.parts.reranker.name)


def test_a_damaged_model_names_the_way_back(trained: tuple[Path, train.TrainingReport], tmp_path: Path) -> None:
    library = Path(shutil.copytree(trained[0], tmp_path / "library"))
    damaged = [("ranker-zh", "model.json"), ("static-zh-256", "table.npz"), ("static-zh-256", "model.json")]
    kept = library / "models"
    for name, file in damaged:
        whole = (kept / name / file).read_bytes()
        (kept / name / file).write_bytes(whole[:1])
        with pytest.raises(ConfigError, match="train --reset"):
            Engine.open(_settings(library))
        (kept / name / file).write_bytes(whole)


# --- what is not


def test_what_is_not_better_leaves_no_trace(library: Path) -> None:
    report = _train(library, GOLDEN)
    assert report.installed == ()
    assert not any(c.better for c in report.comparisons)
    assert all(c.against for c in report.comparisons)
    assert not (library / "models").exists()


def test_what_the_shipped_models_were_told_proves_nothing(library: Path, odd: Path, tmp_path: Path) -> None:
    """With the odd questions among those of data/training nothing is installed, however much better it looks."""
    texts = Path(shutil.copytree(ROOT / "data" / "samples", tmp_path / "data" / "samples"))
    (tmp_path / "data" / "training").mkdir()
    shutil.copy(odd, tmp_path / "data" / "training" / "questions.jsonl")
    with Engine.open(_settings(library).model_copy(update={"samples": texts})) as engine:
        report = engine.training.train([odd], train.TrainingOptions())
    assert report.known == report.questions
    assert report.comparisons[0].likely > 0.9
    assert all("学过这些题" in c.against[0] for c in report.comparisons)
    assert report.installed == ()


def test_too_few_questions_are_refused(library: Path, odd: Path, tmp_path: Path) -> None:
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(odd.read_text("utf-8").splitlines()[:29]), "utf-8")
    with pytest.raises(BadRequestError, match="只有 29 个，至少要 30 个"):
        _train(library, few)
    with pytest.raises(BadRequestError, match="只有 0 个"):
        _train(library)


def test_questions_about_one_work_are_refused(library: Path, odd: Path, tmp_path: Path) -> None:
    one = json.loads(odd.read_text("utf-8").splitlines()[0])
    rows = [{**one, "question": f"{one['question']}{n}"} for n in range(40)]
    file = tmp_path / "one.jsonl"
    file.write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in rows), "utf-8")
    with pytest.raises(BadRequestError, match="只涉及 1 部法规"):
        _train(library, file)


def test_a_missing_package_is_named_before_any_work(library: Path, odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(MissingDependencyError, match=r"requirements-dev\.txt"):
        _train(library, odd)


def test_the_command_says_what_it_did(library: Path, capsys: Any) -> None:
    arguments = [
        "train",
        "--library",
        str(library),
        "--questions",
        str(GOLDEN),
        str(GOLDEN.parent / "unanswerable.jsonl"),
    ]
    assert main([*arguments, "--no-embedder", "--limit", "60"]) == 0
    said = capsys.readouterr().out
    assert "| Hit@1 |" in said
    assert "没有装入任何模型" in said
    assert main(["train", "--library", str(library), "--reset", str(GOLDEN)]) == BadRequestError.exit_code


# --- the parts


@pytest.fixture(scope="module")
def cases(filled: Path) -> Iterator[tuple[Engine, list[TrainingCase], Model]]:
    with Engine.open(_settings(filled)) as engine:
        model = Model.read(engine.settings.models / "ranker-zh")
        bench = engine.training.context()
        lister = CandidateLister(bench, model, numbered(engine.library))
        found = resolve(read([GOLDEN, GOLDEN.parent / "unanswerable.jsonl"]), engine.library)
        yield engine, lister.cases(found.questions, lambda *_: None), model


def test_training_judges_as_answering_does(cases: tuple[Engine, list[TrainingCase], Model]) -> None:
    engine, made, model = cases
    at = {name: column for column, name in enumerate(model.names)}
    ranker = DomainReranker(model, engine.library)
    for case in made:
        hits = ranker.rerank(case.query, candidates(engine.parts.retriever, case.query, case.named))
        judgement = ranker.judge(case.query, hits)
        scored = ScoredCase.of(case, case.base)
        assert [numbered_id(hit.chunk.id, engine) for hit in hits] == scored.case.chunks.tolist()
        assert judging.answers(model.verdict, scored, at) == judgement.answerable
        assert judging.confidence(model.verdict, scored, at) == pytest.approx(judgement.confidence)


def numbered_id(chunk_id: str, engine: Engine) -> int:
    return numbered(engine.library)[chunk_id]


def test_the_written_trees_add_what_was_grown(cases: tuple[Engine, list[TrainingCase], Model], tmp_path: Path) -> None:
    engine, made, model = cases
    shipped = engine.settings.models / "ranker-zh" / "trees.onnx"
    grown = trees.grow(made[:60], (), seed=3, rounds=12)
    assert grown.rounds == 12
    trees.write(shipped, grown, tmp_path / "trees.onnx")
    both = Forest(tmp_path / "trees.onnx", len(model.names))
    for case in made:
        assert both.scores(case.rows) == pytest.approx(grown.sums(case), abs=1e-4)
    assert any(np.abs(grown.sums(c) - c.base).max() > 0.01 for c in made)


def test_a_fit_without_evidence_stays_where_it_was() -> None:
    prior = Logistic(np.array([0.5, -1.0]), 0.2)
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(4000, 2))
    same = logistic(rows[:2], np.array([True, False]), np.full(2, 1e-9), prior)
    assert same.weights == pytest.approx(prior.weights, abs=1e-6)
    chance = 1 / (1 + np.exp(-(rows @ [2.0, 1.0] - 0.5)))
    learned = logistic(rows, rng.random(4000) < chance, np.ones(4000), prior)
    assert learned.weights == pytest.approx([2.0, 1.0], abs=0.25)
    assert learned.bias == pytest.approx(-0.5, abs=0.2)


TRADES = [
    ("a better order", [3, 2, 2, 2] * 10, [1, 1, 1, 1] * 10, True),
    ("the same", [1, 2, 3, 4] * 10, [1, 2, 3, 4] * 10, False),
    ("one question of forty", [1, 1, 1, 2] + [1] * 36, [1, 1, 1, 1] + [1] * 36, False),
    ("worse", [1, 1, 1, 1] * 10, [1, 1, 1, 2] * 10, False),
    ("first hits lost for others", [1, 1, 5, 5, 5] * 8, [2, 2, 2, 2, 2] * 8, False),
]


@pytest.mark.parametrize(("before", "after", "better"), [t[1:] for t in TRADES], ids=[t[0] for t in TRADES])
def test_better_means_more_than_chance(before: list[int | None], after: list[int | None], better: bool) -> None:
    def side(ranks: list[int | None]) -> TrainingMeasures:
        return TrainingMeasures({"hit@1": sum(r == 1 for r in ranks) / len(ranks)}, ranks)

    assert compare("次序", side(before), side(after)).better is better


def test_a_tuned_table_is_read_as_written(trained: tuple[Path, train.TrainingReport]) -> None:
    made = builtin.load(_settings(trained[0]))
    shipped = BuiltinEmbedder(_settings(trained[0]).models / "static-zh-256")
    assert made.terms == shipped.terms
    assert made.name != shipped.name == "static-zh-256"
    one, other = made.embed(["并网验收"])[0], shipped.embed(["并网验收"])[0]
    assert 0.3 < float(one @ other) < 0.9999
