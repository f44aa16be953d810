"""``make models`` on the sample texts: both models are made from nothing, can be read, and come out the same twice."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from nemo import settings
from nemo.embed.builtin import MODEL as EMBEDDER
from nemo.embed.builtin import BuiltinEmbedder
from nemo.rerank.domain import MODEL as RANKER
from nemo.rerank.domain import Model
from training import __main__ as training
from training import data

ROOT = Path(__file__).resolve().parent.parent
FILES = [f"{RANKER}/{n}" for n in ("terms.npz", "trees.onnx", "model.json", "vocabulary.txt")] + [
    f"{EMBEDDER}/{n}" for n in ("table.npz", "model.json", "vocabulary.txt")
]


def test_both_models_are_made_from_texts_and_questions_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    golden = ROOT / "data" / "golden"
    monkeypatch.setattr(data, "questions", lambda: [golden / "golden.jsonl", golden / "unanswerable.jsonl"])
    recipe = training.Recipe(mined=2, asked=2, rounds=12, limit=60)
    made = []
    for name in ("one", "two"):
        reached = training.build(tmp_path / "work", tmp_path / name, [ROOT / "data" / "samples"], [], recipe)
        made.append([(tmp_path / name / file).read_bytes() for file in FILES])
        assert reached["cross-validated"]["hit@5"] > 0.5, reached
    assert made[0] == made[1]
    model = Model.read(tmp_path / "one" / RANKER)
    assert model.forest.scores(np.zeros((2, len(model.names)), np.float32)).shape == (2,)
    embedder = BuiltinEmbedder(settings.load(), tmp_path / "one" / EMBEDDER)
    assert embedder.name == f"{EMBEDDER}-{embedder.probe()[:8]}", "another table is another space"


def test_no_file_is_learned_from_that_is_not_listed() -> None:
    """A further file of questions is picked up with its hash, or the build stops."""
    found = {n: h for n, h in data.listed().items() if not n.startswith("shared/")}
    own = {p.relative_to(ROOT).as_posix() for p in data.questions()}
    assert own <= found.keys()
    assert list(data.differences(found | {"data/training/questions_x.jsonl": "0"}, found)) == [
        "data/training/questions_x.jsonl is not listed"
    ]
    assert json.dumps(found) == json.dumps({n: data.digest([ROOT / n]) for n in found}), "python -m training list"
