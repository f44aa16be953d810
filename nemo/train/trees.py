"""Grows further trees on those that ship (续训), and writes both as one ONNX file.

The trees that ship were grown on 9,200 questions. A library's own questions are few, so they do not start anew: the new
trees correct the old sum where these questions show it wrong. With nothing to correct, none is added.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from nemo.errors import MissingDependencyError
from nemo.train.lists import TrainingCase

INSTALL = "pip install -r requirements-dev.txt"

HARDEST = 50
"""Wrong candidates kept of each list, those that the shipped trees rank highest: the rest teaches nothing."""

MOST = 200
"""Trees added at most."""
PATIENCE = 30
RATE = 0.03


@dataclass(frozen=True, slots=True)
class AddedTrees:
    """Trees that are added to those that ship."""

    booster: Any
    rounds: int
    """How many of the booster's trees count; 0 leaves the order as it is."""

    def sums(self, case: TrainingCase) -> np.ndarray:
        """Return the new sums of a case's candidates."""
        if not self.rounds:
            return case.base
        added: np.ndarray = self.booster.predict(case.rows, num_iteration=self.rounds, num_threads=1)
        return case.base + added


def lightgbm() -> ModuleType:
    """Return the library that grows trees.

    Raises:
        MissingDependencyError: it, or the one that writes them, is not installed.
    """
    try:
        import lightgbm as library
        import onnx  # noqa: F401  # asked for now: not after minutes of work
    except ImportError as error:
        raise MissingDependencyError(f"训练需要 lightgbm 与 onnx。请运行 {INSTALL} 后重试。") from error
    return library


def grow(cases: Sequence[TrainingCase], watch: Sequence[TrainingCase], seed: int, rounds: int = MOST) -> AddedTrees:
    """Grow at most ``rounds`` trees on some cases, and keep as many as serve others best.

    Questions without an answer among the candidates are passed over. ``watch`` are questions of other works that
    say when to stop; without them exactly ``rounds`` are grown.
    """
    learn = [_hard(c) for c in cases if c.gold.any()]
    if not learn or not rounds:
        return AddedTrees(None, 0)
    library = lightgbm()
    data = _dataset(library, learn)
    answered = [c for c in watch if c.gold.any()]
    valid = [_dataset(library, answered, data)] if answered else []
    stop = [library.early_stopping(PATIENCE, verbose=False)] if answered else []
    booster = library.train(_settings(len(learn), seed), data, rounds, valid_sets=valid, callbacks=stop)
    return AddedTrees(booster, booster.best_iteration if answered else rounds)


def _settings(questions: int, seed: int) -> dict[str, Any]:
    """Fewer questions, smaller trees."""
    leaves = 5 if questions < 300 else 11 if questions < 2000 else 23
    return {
        "objective": "lambdarank",
        "metric": "ndcg",
        "eval_at": [5],
        "lambdarank_truncation_level": 10,
        "learning_rate": RATE,
        "num_leaves": leaves,
        "min_data_in_leaf": 20 if questions < 300 else 40,
        "feature_fraction": 0.5,
        "bagging_fraction": 0.8,
        "bagging_freq": 1,
        "lambda_l2": 5.0,
        "max_bin": 127,
        "seed": seed,
        "deterministic": True,
        "force_row_wise": True,
        "num_threads": 1,
        "verbose": -1,
    }


def _hard(case: TrainingCase) -> TrainingCase:
    """Leave out the candidates that no order near the best would bring up."""
    wrong = np.flatnonzero(~case.gold)
    hardest = wrong[np.argsort(-case.base[wrong], kind="stable")[:HARDEST]]
    return case.without(np.sort(np.concatenate([np.flatnonzero(case.gold), hardest])))


def _dataset(library: ModuleType, cases: Sequence[TrainingCase], like: Any = None) -> Any:
    return library.Dataset(
        np.concatenate([c.rows for c in cases]),
        np.concatenate([c.gold for c in cases]).astype(np.int32),
        group=[len(c.gold) for c in cases],
        init_score=np.concatenate([c.base for c in cases]),
        params={"max_bin": 127, "verbose": -1},
        reference=like,
    )


# --- as one file


def write(shipped: Path, grown: AddedTrees, target: Path) -> None:
    """Write the shipped trees and the grown ones as one ONNX file of the shipped form."""
    import onnx

    model = onnx.load(str(shipped))
    node = model.graph.node[0]
    kept = [a for a in node.attribute if a.name.startswith(("nodes_", "target_"))]
    columns = {a.name: list(onnx.helper.get_attribute_value(a)) for a in kept}
    first = max(columns["nodes_treeids"]) + 1
    trees = grown.booster.dump_model(num_iteration=grown.rounds)["tree_info"] if grown.rounds else []
    for number, tree in enumerate(trees, first):
        _append(columns, number, tree["tree_structure"])
    columns["target_weights"] = exact_leaves(columns["target_treeids"], columns["target_weights"])
    for attribute in list(node.attribute):
        if attribute.name in columns:
            node.attribute.remove(attribute)
    node.attribute.extend(onnx.helper.make_attribute(name, values) for name, values in columns.items())
    if grown.rounds:  # they may look at features that those which ship do not know
        model.graph.input[0].type.tensor_type.shape.dim[1].dim_value = grown.booster.num_feature()
    onnx.save(model, str(target))


def exact_leaves(trees: Sequence[int], weights: Sequence[float]) -> list[float]:
    """Return the leaves' values as multiples of one power of two, so small that every sum of one leaf a tree is exact.

    float32 holds 2^24 steps; whatever the order in which trees are added, nothing is rounded.
    """
    largest = np.zeros(max(trees) + 1)
    np.maximum.at(largest, np.asarray(trees), np.abs(weights))
    step = 2.0 ** (np.ceil(np.log2(largest.sum())) - 24)
    out: list[float] = (np.rint(np.asarray(weights) / step) * step).tolist()
    return out


def _append(columns: dict[str, list[Any]], tree: int, root: dict[str, Any]) -> None:
    """Add one tree, its nodes numbered as they are met."""
    waiting, count = [(root, 0)], 1
    while waiting:
        node, number = waiting.pop()
        leaf = "leaf_value" in node
        low, high = (0, 0) if leaf else (count, count + 1)
        values = {
            "nodes_treeids": tree,
            "nodes_nodeids": number,
            "nodes_featureids": 0 if leaf else node["split_feature"],
            "nodes_modes": b"LEAF" if leaf else b"BRANCH_LEQ",
            "nodes_values": 0.0 if leaf else _floor(node["threshold"]),
            "nodes_truenodeids": low,
            "nodes_falsenodeids": high,
            "nodes_missing_value_tracks_true": 0,
        }
        for name, value in values.items():
            columns[name].append(value)
        if leaf:
            target = {"treeids": tree, "nodeids": number, "ids": 0, "weights": float(node["leaf_value"])}
            for name, value in target.items():
                columns[f"target_{name}"].append(value)
        else:
            waiting += [(node["left_child"], low), (node["right_child"], high)]
            count += 2


def _floor(threshold: float) -> float:
    """Return the highest float32 that is not above: a float32 feature is below the one when it is below the other."""
    near = np.float32(threshold)
    return float(near) if float(near) <= threshold else float(np.nextafter(near, np.float32(-np.inf)))
