"""``make models`` on the sample texts: both models are made from nothing, can be read, and come out the same twice."""

import json
from pathlib import Path

import numpy as np
import pytest

from nemo import settings
from nemo.audit import entailment
from nemo.audit.entailment import evidence
from nemo.embed.builtin import MODEL as EMBEDDER
from nemo.embed.builtin import BuiltinEmbedder
from nemo.engine import Engine
from nemo.rerank import terms
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from nemo.rerank.feature_notes import FeatureEncoder
from training import __main__ as training
from training import data, ranking, sayings, tables

ROOT = Path(__file__).resolve().parent.parent
FILES = [f"{RANKER}/{n}" for n in ("terms.npz", "trees.onnx", "model.json", "vocabulary.txt")] + [
    f"{EMBEDDER}/{n}" for n in ("table.npz", "model.json", "vocabulary.txt")
]


def test_both_models_are_made_from_texts_and_questions_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    golden = ROOT / "data" / "golden"
    monkeypatch.setattr(data, "questions", lambda: [golden / "golden.jsonl", golden / "unanswerable.jsonl"])
    pace = tables.Pace(steps=12, batch=64, drop=0.3)
    recipe = training.Recipe(
        mined=pace, asked=pace, trees=ranking.TreeRecipe(7, rounds=12), limit=60, folds=3, processes=1
    )
    sources = training.Sources([ROOT / "data" / "samples"], [], settings.load().models / EMBEDDER)
    made = []
    for name in ("one", "two"):
        (tmp_path / f"work-{name}").mkdir()
        reached = training.build(tmp_path / f"work-{name}", tmp_path / name, sources, recipe)
        made.append([(tmp_path / name / file).read_bytes() for file in FILES])
        assert reached["cross-validated"]["hit@5"] > 0.5, reached
    assert made[0] == made[1]
    model = Model.read(tmp_path / "one" / RANKER)
    assert model.forest.scores(np.zeros((2, len(model.names)), np.float32)).shape == (2,)
    embedder = BuiltinEmbedder(settings.load(), tmp_path / "one" / EMBEDDER)
    assert embedder.probe() == BuiltinEmbedder(settings.load()).probe(), "the embedder is given"


def test_a_build_that_was_cut_off_goes_on_where_it_was(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    assert [tables.once(tmp_path / "step.pickle", make) for _ in range(3)] == [1, 1, 1]
    assert data.run_of({"a": "1"}, "recipe") != data.run_of({"a": "2"}, "recipe") != data.run_of({"a": "2"}, "other")


def test_notes_read_for_another_table_are_those_it_would_have_made(tmp_path: Path) -> None:
    with Engine.open(settings.load(library=tmp_path, workers=0)) as engine:
        engine.intake.ingest([next((ROOT / "data" / "samples").glob("cn-*.md"))])
        library = engine.library
        regulation = library.regulation(library.rows()[0].id)
        kept = terms.read(settings.load().models / RANKER)
        rows = np.random.default_rng(2).standard_normal((len(kept.vocabulary), 16)).astype(np.float32)
        terms.write(tmp_path / "other", kept.vocabulary, rows, kept.idf, kept.pair_idf)
        other = terms.read(tmp_path / "other")
        chunks = [chunk for i in library.chunk_ids(regulation.id) if (chunk := library.chunk(i))]
        notes = ranking.Noted.read(library, kept).under(other)
        assert len(chunks) > 5
        assert [notes.feature_note("", chunk.id) for chunk in chunks] == FeatureEncoder(other, "").notes(
            regulation, chunks
        )


def test_no_file_is_learned_from_that_is_not_listed() -> None:
    """A further file of questions is picked up with its hash, or the build stops."""
    found = {n: h for n, h in data.listed().items() if not n.startswith("shared/")}
    own = {p.relative_to(ROOT).as_posix() for p in data.questions()}
    assert own <= found.keys()
    assert list(data.differences(found | {"data/training/questions_x.jsonl": "0"}, found)) == [
        "data/training/questions_x.jsonl is not listed"
    ]
    assert json.dumps(found) == json.dumps({n: data.digest([ROOT / n]) for n in found}), "python -m training list"


def test_sayings_are_weighed_by_what_sets_left_out_bear_out() -> None:
    """The evidence of a wrong saying weighs for it, the probabilities come from fits on the other sets."""
    place = "电网企业应当自受理申请之日起十个工作日内书面答复项目单位（演示文本）。"
    said = [("电网企业应当在十个工作日内书面答复项目单位", False), ("电网企业可以不答复项目单位", True),
            ("电网企业须自受理之日起十个工作日内书面答复", False), ("项目单位无需申请即可自行并网，电网企业一律不得答复", True)]  # fmt: skip
    pairs = [(each, wrong, name) for name in ("a", "b", "c") for each, wrong in said]
    rows = np.array([list(evidence(each, place).values()) for each, _, _ in pairs])
    wrong, sets = np.array([w for _, w, _ in pairs]), np.array([s for _, _, s in pairs])
    names = list(evidence(said[0][0], place))
    assert set(names) == set(entailment._WEIGHTS)
    likely = sayings.held_out(names, rows, wrong, sets)
    assert likely[wrong].min() > 0.5 > likely[~wrong].max()
    made = sayings.fit(names, rows, wrong)
    assert made.weights["denials"] > 0 > made.weights["whole"]
