"""Trees and judgement, cross-fitted by regulation: nothing is grown on a list whose table had seen the question (排序与判定)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, cast

import numpy as np

from nemo.embed.builtin import BuiltinEmbedder
from nemo.evaluation.golden import of_ranks
from nemo.rerank import features, sketch
from nemo.rerank import terms as vocabulary
from nemo.rerank.domain import Model
from nemo.rerank.forest import Forest
from nemo.rerank.passages import lengths_of
from nemo.rerank.probe import feature_hash
from nemo.rerank.sketch import Sketcher
from nemo.rerank.verdict import Calibration, Logistic, answer_row, chance_rows, sure_row
from nemo.store.library import Library
from nemo.train import embedder, install, judging, trees
from nemo.train.figures import judged
from nemo.train.folds import folds
from nemo.train.judging import Scored
from nemo.train.lists import CandidateLister, ProgressCallback, TrainingCase, TrainingContext
from nemo.train.questions import LabelledQuestion
from training.tables import Ground

FOLDS = 4
"""Parts of the regulations: trees grown on two, stopped by the third, judge the fourth."""

ROUNDS = 900
"""Trees at most."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the ranker knows of terms beside their vectors."""

    terms: Sequence[str]
    idf: np.ndarray
    pair_idf: np.ndarray


@dataclass(frozen=True, slots=True)
class Fitted:
    """Trees and judgement, and what they reached on regulations that neither table nor trees had seen."""

    grown: trees.Grown
    verdict: Calibration
    figures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Kept:
    """Terms of a ranker that stay, and the name under which a library holds its notes of passages."""

    terms: vocabulary.Terms
    ranker: str

    @classmethod
    def read(cls, folder: Path) -> Kept:
        """Read a model folder."""
        return cls(vocabulary.read(folder), Sketcher.of(folder).ranker)


class Noted:
    """A library whose notes of passages are read for another table of the same terms: only the lengths differ."""

    def __init__(self, library: Library, kept: Kept, terms: vocabulary.Terms) -> None:
        self._library = library
        self._ranker = kept.ranker
        self._terms = terms
        self._read: dict[str, bytes | None] = {}

    def __getattr__(self, name: str) -> Any:
        """Everything else is the library's own."""
        return getattr(self._library, name)

    def sketch(self, _: str, chunk_id: str) -> bytes | None:
        """Return what was noted of a chunk, with the lengths of its sums by the other table."""
        if chunk_id not in self._read:
            note = self._library.sketch(self._ranker, chunk_id)
            self._read[chunk_id] = note and self._measured(note)
        return self._read[chunk_id]

    def _measured(self, note: bytes) -> bytes:
        passage = sketch.unpack(self._terms, "", note)
        weights = np.stack([passage.full, passage.text, passage.head])
        return sketch.pack(replace(passage, lengths=lengths_of(self._terms, passage.terms, weights)))


class _Level:
    """No trees yet: every candidate counts the same."""

    def scores(self, rows: np.ndarray) -> np.ndarray:
        return np.zeros(len(rows))


def model(folder: Path, known: Vocabulary, rows: np.ndarray) -> Model:
    """Write the terms of a ranker into a folder and return it without trees, its table in bytes as it would ship."""
    vocabulary.write(folder, known.terms, rows, known.idf, known.pair_idf)
    return Model(vocabulary.read(folder), cast(Forest, _Level()), _untaught(), features.names(), "")


def lists(
    bench: TrainingContext,
    ground: Ground,
    made: Model,
    rows: np.ndarray,
    labelled: Sequence[LabelledQuestion],
    told: ProgressCallback,
    kept: Kept | None = None,
) -> list[TrainingCase]:
    """Return the candidates that retrieval by a table brings up for each question, as rows of features."""
    if kept:
        bench = replace(bench, library=cast(Library, Noted(bench.library, kept, made.terms)))
    own = BuiltinEmbedder.of(ground.embedder.terms, rows)
    numbers = {
        chunk_id: n for n, chunk_id in enumerate(i for r in bench.library.rows() for i in bench.library.chunk_ids(r.id))
    }
    retriever = embedder.Ground(bench, own, numbers, ground.held).retriever(rows)
    return CandidateLister(replace(bench, retriever=retriever), made, numbers).cases(labelled, told)


def fit(cases: Sequence[TrainingCase], seed: int, rounds: int = ROUNDS) -> Fitted:
    """Grow trees without each fold of the regulations, judge that fold by them, and grow those that ship on everything."""
    fold = folds([c.labelled.group for c in cases], FOLDS)
    scored: list[Scored] = []
    counts = []
    for held in range(int(fold.max()) + 1):
        watch = (held + 1) % (int(fold.max()) + 1)
        sides = list(zip(cases, fold.tolist(), strict=True))
        learn = [c for c, f in sides if f not in (held, watch)] or [c for c, f in sides if f != held]
        grown = trees.grow(learn, [c for c, f in sides if f == watch], seed, rounds)
        counts.append(grown.rounds)
        scored += [Scored.of(c, grown.sums(c)) for c, f in sides if f == held]
    at = {name: column for column, name in enumerate(features.names())}
    held_out = [s for s in scored if s.case.answerable]
    none = [s for s in scored if not s.case.answerable]
    verdict = judging.fit(held_out, none, _untaught(), at)
    found = judged([(s, verdict) for s in held_out], [(s, verdict) for s in none], at).figures
    final = trees.grow(cases, (), seed, max(1, int(median(counts))))
    return Fitted(final, verdict, found)


def write(folder: Path, fitted: Fitted, about: Mapping[str, Any]) -> None:
    """Write trees and card beside the terms that are in the folder already."""
    blank = folder / "trees.onnx"
    _blank(blank)
    trees.write(blank, fitted.grown, blank, len(features.names()))
    card = {
        "features": list(features.names()),
        "probe": feature_hash(vocabulary.read(folder)),
        "verdict": install.as_json(fitted.verdict),
        "trained": {**about, "cross-validated": dict(fitted.figures)},
    }
    (folder / "model.json").write_text(json.dumps(card, ensure_ascii=False, indent=1) + "\n", "utf-8")


def reached(made: Model, cases: Sequence[TrainingCase]) -> Mapping[str, float]:
    """Return what a finished model reaches on other questions, by order alone."""
    ranks = [Scored.of(c, made.forest.scores(c.rows)).rank for c in cases if c.answerable]
    return of_ranks(ranks)


def _untaught() -> Calibration:
    """Return a judgement that says even chances of everything."""
    rows, sums = np.zeros((1, len(features.names()))), np.zeros(1)
    at = {name: column for column, name in enumerate(features.names())}
    sizes = (chance_rows(sums).shape[1], len(answer_row(rows, sums, at)), len(sure_row(0.5, 0.5)))
    chance, answer, sure = (Logistic(np.zeros(size), 0.0) for size in sizes)
    return Calibration(chance, answer, sure, threshold=0.5, least=0.15)


def _blank(path: Path) -> None:
    """Write one tree of one leaf that says 0, in the form in which trees ship."""
    import onnx
    from onnx import TensorProto, helper

    node = {
        "treeids": [0], "nodeids": [0], "featureids": [0], "modes": ["LEAF"], "values": [0.0],
        "truenodeids": [0], "falsenodeids": [0], "missing_value_tracks_true": [0],
    }  # fmt: skip
    target = {"treeids": [0], "nodeids": [0], "ids": [0], "weights": [0.0]}
    columns = {f"nodes_{k}": v for k, v in node.items()} | {f"target_{k}": v for k, v in target.items()}
    settings = {"n_targets": 1, "aggregate_function": "SUM", "post_transform": "NONE"}
    tree = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **columns, **settings)
    width = len(features.names())
    graph = helper.make_graph(
        [tree],
        "ranker",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 1])],
    )
    versions = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=versions, ir_version=8), str(path))
