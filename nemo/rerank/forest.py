"""Decision trees over a whole list of candidates at once: a millisecond and a half for a hundred (决策树).

A tree's leaves are bits, in the order of its tests. A test that a candidate fails takes away the leaves behind its true
side; the first that is left at the end is the candidate's (Lucchese and others 2015, QuickScorer). So no candidate walks
a tree, and every step is one operation over all trees and candidates.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from nemo.errors import ConfigError

OPTIONAL, REPEATED = 1, 3
"""Labels of a field."""
FIELDS: dict[str, dict[str, tuple[int, int, Any]]] = {
    "Model": {"graph": (7, OPTIONAL, "Graph")},
    "Graph": {"node": (1, REPEATED, "Node"), "input": (11, REPEATED, "Input")},
    "Node": {"attribute": (5, REPEATED, "Attribute")},
    "Attribute": {
        "name": (1, OPTIONAL, 9),
        "floats": (7, REPEATED, 2),
        "ints": (8, REPEATED, 3),
        "strings": (9, REPEATED, 12),
    },
    "Input": {"type": (2, OPTIONAL, "Type")},
    "Type": {"tensor_type": (1, OPTIONAL, "Tensor")},
    "Tensor": {"shape": (2, OPTIONAL, "Shape")},
    "Shape": {"dim": (1, REPEATED, "Dimension")},
    "Dimension": {"dim_value": (1, OPTIONAL, 3)},
}
"""What is read of an ONNX file (onnx.proto): number, label and type of each field."""

MASKS = (np.uint8, np.uint16, np.uint32, np.uint64)
"""A bit for each leaf."""


class Forest:
    """A sum of trees over one row of numbers per candidate. Safe to share between threads.

    Thresholds are compared, leaves are whole multiples of one step (``nemo.train.trees.exact_leaves``): equal rows give
    equal sums whatever the processor and the order of adding.
    """

    def __init__(self, path: Path, width: int) -> None:
        """Read the trees: ONNX with one input (n, width) and one output (n, 1); further numbers are not theirs.

        Raises:
            ConfigError: the file is missing, damaged, or made for other rows.
        """
        try:
            graph = _message().FromString(path.read_bytes()).graph
            made_for = graph.input[0].type.tensor_type.shape.dim[-1].dim_value
            trees = _trees({a.name: list(a.ints or a.floats or a.strings) for a in graph.node[0].attribute})
        except (OSError, DecodeError, LookupError, ValueError) as error:
            raise ConfigError(f"重排模型不完整：{path}。请从安装包恢复该文件，或检查 NEMO_MODELS。") from error
        if made_for != width:
            raise ConfigError(f"重排模型与程序不配套：{path}。请从安装包恢复该文件。")
        self._tests, self._leaves, self._first = trees

    def scores(self, rows: np.ndarray) -> np.ndarray:
        """Return one float64 score per row of ``rows`` (n, width or more) float32."""
        columns = np.ascontiguousarray(rows.T)
        gone = np.zeros((len(self._first), len(rows)), self._tests[0][2].dtype)
        for features, thresholds, behind in self._tests:
            fails = (columns.take(features, axis=0) > thresholds).astype(gone.dtype)
            fails *= behind
            gone |= fails
        left = ~gone
        leaf = np.bitwise_count((left & -left) - 1) + self._first
        out: np.ndarray = self._leaves.take(leaf).sum(axis=0)
        return out


def _trees(
    columns: dict[str, list[Any]],
) -> tuple[list[tuple[np.ndarray, np.ndarray, np.ndarray]], np.ndarray, np.ndarray]:
    """Return the tests as (feature, threshold, leaves behind the true side) of each tree, its first, its second …; the value
    of each leaf, tree by tree; and where each tree's begin.

    Raises:
        ValueError, LookupError: these are no such trees.
    """
    names = ("treeids", "nodeids", "modes", "featureids", "values", "truenodeids", "falsenodeids")
    rows = zip(*(columns[f"nodes_{name}"] for name in names), strict=True)
    nodes = {(tree, node): rest for tree, node, *rest in rows}
    target = zip(columns["target_treeids"], columns["target_nodeids"], strict=True)
    values = dict(zip(target, columns["target_weights"], strict=True))
    leaves: list[float] = []
    tests: list[list[tuple[int, float, int]]] = []
    first: list[int] = []

    def walk(tree: int, node: int) -> Iterator[tuple[int, float, int]]:
        """Yield the tests below a node, and note its leaves."""
        mode, feature, threshold, true, false = nodes[tree, node]
        if mode == b"LEAF":
            leaves.append(values[tree, node])
            return
        if mode != b"BRANCH_LEQ":
            raise ValueError(mode)
        start = len(leaves) - first[-1]
        below = list(walk(tree, true))
        end = len(leaves) - first[-1]
        yield feature, threshold, (1 << end) - (1 << start)
        yield from below
        yield from walk(tree, false)

    for tree in dict.fromkeys(columns["nodes_treeids"]):
        first.append(len(leaves))
        tests.append(list(walk(tree, 0)))
    most = max(1, *map(len, tests))
    mask = next(each for each in MASKS if np.iinfo(each).bits > most)
    filled = [[*own, *[(0, np.inf, 0)] * (most - len(own))] for own in tests]
    slots = (zip(*slot, strict=True) for slot in zip(*filled, strict=True))
    types = (np.intp, np.float32, mask)
    made = [tuple(np.array(each, t) for each, t in zip(slot, types, strict=True)) for slot in slots]
    tall = [(features, thresholds[:, None], behind[:, None]) for features, thresholds, behind in made]
    return tall, np.array(leaves), np.array(first)[:, None]


@cache
def _message() -> Any:
    """Return the class that reads an ONNX file, as far as :data:`FIELDS` say."""
    file = descriptor_pb2.FileDescriptorProto(name="nemo_onnx.proto", package="nemo_onnx", syntax="proto2")
    for message, fields in FIELDS.items():
        made = file.message_type.add(name=message)
        for name, (number, label, kind) in fields.items():
            field = made.field.add(name=name, number=number, label=label)
            if isinstance(kind, int):
                field.type = kind
            else:
                field.type_name = f".nemo_onnx.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("nemo_onnx.Model"))
