"""Trees and judgement, cross-fitted by regulation: nothing is grown on a list whose table had seen the question (排序与判定)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np

from nemo.evaluation.golden import of_ranks
from nemo.rerank import feature_notes, features, strangeness
from nemo.rerank import terms as vocabulary
from nemo.rerank.domain import PAPERS, Model
from nemo.rerank.feature_notes import FeatureEncoder
from nemo.rerank.forest import Forest
from nemo.rerank.passages import lengths_of, weigh
from nemo.rerank.probe import feature_hash
from nemo.rerank.verdict import Calibration, Logistic, answer_row, chance_rows, sure_row
from nemo.store.library import Library
from nemo.train import install, judging, trees
from nemo.train.figures import judged
from nemo.train.folds import folds
from nemo.train.judging import ScoredCase
from nemo.train.lists import CandidateLister, ProgressCallback, TrainingCase, TrainingContext, numbered
from nemo.train.questions import LabelledQuestion
from training import data
from training.tables import Known

FOLDS = 4
"""Parts of the regulations: trees grown without one judge it."""


@dataclass(frozen=True, slots=True)
class TreeRecipe:
    """How trees are grown."""

    seed: int
    rounds: int = 600
    """Trees of a forest at most."""
    forests: int = 2
    """Forests by other seeds whose sums are added."""


def progress(what: str, done: int, total: int) -> None:
    """Say how far it is."""
    if done == total or not done % max(1, total // 10):
        print(f"{time.strftime('%H:%M:%S')} {what} {done}/{total}", flush=True)


def columns() -> dict[str, int]:
    """Return in which column of the rows each feature stands."""
    return {name: column for column, name in enumerate(features.names())}


@dataclass(frozen=True, slots=True)
class Fitted:
    """Trees and judgement, and what they reached on regulations that neither table nor trees had seen."""

    forests: Sequence[trees.AddedTrees]
    verdict: Calibration
    figures: Mapping[str, float]


class Noted:
    """A library with what is noted of every passage, read for any table of the same terms: only the lengths differ."""

    def __init__(self, library: Library, terms: vocabulary.Terms, notes: Mapping[str, bytes]) -> None:
        """Keep what :meth:`read` noted."""
        self._library, self._terms, self._notes = library, terms, notes
        self._read: dict[str, bytes] = {}

    @classmethod
    def read(cls, library: Library, terms: vocabulary.Terms) -> Noted:
        """Read every passage once."""
        encoder, notes = FeatureEncoder(terms, ""), {}
        for row in library.rows():
            chunks = library.chunks(row.id)
            made = encoder.notes(library.regulation(row.id), chunks)
            notes.update((c.id, note) for c, note in zip(chunks, made, strict=True))
        return cls(library, terms, notes)

    def __getattr__(self, name: str) -> Any:
        """Everything else is the library's own."""
        return getattr(self._library, name)

    def under(self, terms: vocabulary.Terms) -> Noted:
        """Return the same notes for another table of the same terms."""
        return Noted(self._library, terms, self._notes)

    def feature_note(self, _: str, chunk_id: str) -> bytes:
        """Return what was noted of a chunk, with the lengths of its sums by the table."""
        if chunk_id not in self._read:
            passage = feature_notes.unpack(self._terms, "", self._notes[chunk_id])
            weights = np.stack(weigh(passage.own, passage.above))
            lengths = lengths_of(self._terms, passage.terms, weights)
            self._read[chunk_id] = feature_notes.pack(replace(passage, lengths=lengths))
        return self._read[chunk_id]


class _Level:
    """No trees yet: every candidate counts the same."""

    def scores(self, rows: np.ndarray) -> np.ndarray:
        return np.zeros(len(rows))


@cache
def _asked_words() -> bytes:
    """Return how questions are worded as a model keeps it: the same for every model of a build."""
    with tempfile.TemporaryDirectory() as made:
        strangeness.write(Path(made), data.wordings())
        return (Path(made) / strangeness.FILE).read_bytes()


def model(folder: Path, given: Known, rows: np.ndarray) -> Model:
    """Write the terms of a ranker into a folder and return it without trees, its table in bytes as it would ship."""
    own = given.terms
    vocabulary.write(folder, own.vocabulary, rows, own.idf, own.pair_idf)
    (folder / strangeness.FILE).write_bytes(_asked_words())
    return Model(
        vocabulary.read(folder),
        strangeness.QuestionVocabulary.read(folder),
        cast(Forest, _Level()),
        cast(Forest, _Level()),
        _untaught(),
        features.names(),
        "",
    )


def lists(
    context: TrainingContext,
    noted: Noted,
    made: Model,
    labelled: Sequence[LabelledQuestion],
    progress: ProgressCallback,
) -> list[TrainingCase]:
    """Return the candidates that retrieval brings up for each question, as rows of features by a table."""
    context = replace(context, library=cast(Library, noted.under(made.terms)))
    return CandidateLister(context, made, numbered(context.library)).cases(labelled, progress)


def fit(cases: Sequence[TrainingCase], recipe: TreeRecipe) -> Fitted:
    """Grow trees without each fold of the regulations, judge that fold by them, and grow those that ship on everything.

    How many trees serve best is asked once, of the last fold, by trees that saw neither it nor the first.
    """
    fold = folds([c.labelled.group for c in cases], FOLDS)
    last = int(fold.max())
    sides = list(zip(cases, fold.tolist(), strict=True))
    watch = [c for c, f in sides if f == last]
    learn = [c for c, f in sides if f not in (0, last)] or watch
    rounds = max(1, trees.grow(learn, watch, recipe.seed, recipe.rounds).rounds)
    progress("number of trees", 1, 1)
    verdict, found = judged_by_turns(cases, recipe, rounds)[1:]
    final = [trees.grow(cases, (), recipe.seed + n, rounds) for n in range(recipe.forests)]
    return Fitted(final, verdict, found)


def judged_by_turns(
    cases: Sequence[TrainingCase], recipe: TreeRecipe, rounds: int
) -> tuple[list[ScoredCase], Calibration, Mapping[str, float]]:
    """Return every case with the sums of trees that had not seen its regulation, the judgement fitted on them, and figures."""
    fold = folds([c.labelled.group for c in cases], FOLDS)
    last = int(fold.max())
    sides = list(zip(cases, fold.tolist(), strict=True))
    scored: list[ScoredCase] = []
    for held in range(last + 1):
        grown = trees.grow([c for c, f in sides if f != held or not last], (), recipe.seed, rounds)
        scored += [ScoredCase.of(c, recipe.forests * grown.sums(c)) for c, f in sides if f == held]
        progress("trees of a fold", held + 1, last + 1)
    at = columns()
    held_out = [s for s in scored if s.case.answerable]
    none = [s for s in scored if not s.case.answerable]
    verdict = judging.fit(held_out, none, _untaught(), at)
    return scored, verdict, judged([(s, verdict) for s in held_out], [(s, verdict) for s in none], at).figures


def write(folder: Path, fitted: Fitted, about: Mapping[str, Any]) -> None:
    """Write trees and card beside the terms that are in the folder already."""
    file = folder / "trees.onnx"
    blank(file)
    blank(folder / PAPERS)
    for grown in fitted.forests:
        trees.write(file, grown, file)
    card = {
        "features": list(features.names()),
        "probe": feature_hash(vocabulary.read(folder)),
        "verdict": install.as_json(fitted.verdict),
        "trained": {**about, "cross-validated": dict(fitted.figures)},
    }
    install.write_card(folder, card)


def reached(made: Model, cases: Sequence[TrainingCase]) -> Mapping[str, float]:
    """Return what a finished model reaches on other questions, by order alone."""
    ranks = [ScoredCase.of(c, made.forest.scores(c.rows)).rank for c in cases if c.answerable]
    return of_ranks(ranks)


def _untaught() -> Calibration:
    """Return a judgement that says even chances of everything."""
    rows, sums = np.zeros((1, len(features.names()))), np.zeros(1)
    at = columns()
    sizes = (chance_rows(sums).shape[1], len(answer_row(rows, sums, at)), len(sure_row(0.5, 0.5)))
    chance, answer, sure = (Logistic(np.zeros(size), 0.0) for size in sizes)
    return Calibration(chance, answer, sure, threshold=0.5, least=0.15)


def blank(path: Path) -> None:
    """Write one tree of one leaf that says 0, in the form in which trees ship."""
    import onnx
    from onnx import TensorProto, helper

    node = {
        "treeids": [0], "nodeids": [0], "featureids": [0], "modes": ["LEAF"], "values": [0.0],
        "truenodeids": [0], "falsenodeids": [0], "missing_value_tracks_true": [0],
    }  # fmt: skip
    target = {"treeids": [0], "nodeids": [0], "ids": [0], "weights": [0.0]}
    attributes = {f"nodes_{k}": v for k, v in node.items()} | {f"target_{k}": v for k, v in target.items()}
    settings = {"n_targets": 1, "aggregate_function": "SUM", "post_transform": "NONE"}
    tree = helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes, **settings)
    width = len(features.names())
    graph = helper.make_graph(
        [tree],
        "ranker",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [None, width])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [None, 1])],
    )
    versions = [helper.make_opsetid("ai.onnx.ml", 3), helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=versions, ir_version=8), str(path))
