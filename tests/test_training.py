"""``make models`` on the sample texts: both models are made from nothing, can be read, and come out the same twice."""

import json
from pathlib import Path

import numpy as np
import pytest

from nemo import settings
from nemo.embed import builtin
from nemo.embed.builtin import MODEL as EMBEDDER
from nemo.embed.builtin import BuiltinEmbedder
from nemo.engine import Engine
from nemo.rerank import terms
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from nemo.rerank.feature_notes import FeatureEncoder
from tests.page_library import copied
from training import __main__ as training
from training import data, ranking, tables

ROOT = Path(__file__).resolve().parent.parent
FILES = [f"{RANKER}/{n}" for n in ("terms.npz", "trees.onnx", "papers.onnx", "model.json", "vocabulary.txt")] + [
    f"{EMBEDDER}/{n}" for n in ("table.npz", "model.json", "vocabulary.txt")
]


def test_both_models_are_made_from_texts_and_questions_alone(
    demonstration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The texts are read already: that they are read alike is proven elsewhere."""
    pytest.importorskip("lightgbm")
    golden = ROOT / "data" / "golden"
    monkeypatch.setattr(data, "questions", lambda: [golden / "golden.jsonl", golden / "unanswerable.jsonl"])
    pace = tables.Pace(steps=12, batch=64, drop=0.3)
    recipe = training.Recipe(
        mined=pace, asked=pace, trees=ranking.TreeRecipe(7, rounds=12), limit=60, folds=2, processes=1
    )
    sources = training.Sources([ROOT / "data" / "samples"], [], settings.load().models / EMBEDDER)
    made = []
    for name in ("one", "two"):
        work = tmp_path / f"work-{name}"
        copied(demonstration, work / "library")
        reached = training.build(work, tmp_path / name, sources, recipe)
        made.append([(tmp_path / name / file).read_bytes() for file in FILES])
        assert reached["cross-validated"]["hit@5"] > 0.5, reached
    assert made[0] == made[1]
    model = Model.read(tmp_path / "one" / RANKER)
    assert model.forest.scores(np.zeros((2, len(model.names)), np.float32)).shape == (2,)
    embedder = BuiltinEmbedder(tmp_path / "one" / EMBEDDER)
    assert embedder.probe() == builtin.load(settings.load()).probe(), "the embedder is given"


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
