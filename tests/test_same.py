"""The same question on the same texts gets the same answer on every processor, whatever the order of adding and storing.

The order in which a processor adds is the order of the dimensions: shuffling them must not move one bit. The whole way is
asked in processes that take themselves for other processors; ``make same`` asks every development question so.
"""

from pathlib import Path

import numpy as np
import pytest

from benchmarks import same
from nemo import settings
from nemo.embed import builtin
from nemo.rerank import features
from nemo.rerank.domain import MODEL, PAPERS
from nemo.rerank.forest import Forest
from nemo.rerank.passages import Heading, ask, prepare
from nemo.rerank.terms import Terms, read
from nemo.rerank.verdict import Logistic
from nemo.store.search.exact import ExactIndex
from nemo.types.fixed_point import fixed, length
from tests.page_library import copied

ROOT = Path(__file__).resolve().parent.parent
SHUFFLED = np.random.default_rng(5).permutation(256)
TEXTS = [
    "电网企业应当自收到并网申请之日起十五个工作日内书面答复，逾期不答复的，由能源主管部门责令改正。",
    "光伏电站未取得电力业务许可证不得投入运行；违反前条规定的，处五万元以上二十万元以下罚款。",
    "本办法自二〇二六年一月一日起施行。",
]
QUESTIONS = ["光伏并网电网企业几天内要答复", "没有许可证就发电会怎么罚", "什么时候开始施行"]


def test_sums_on_a_grid_do_not_depend_on_their_order() -> None:
    chance = np.random.default_rng(3)
    weights, values = chance.random(4000) * 9, chance.standard_normal(4000)
    order = chance.permutation(4000)
    assert fixed(values).sum() == fixed(values)[order].sum() == sum(fixed(values)[order].tolist())
    assert length(values) == length(values[order]) == pytest.approx(float(np.linalg.norm(values)), rel=1e-6)
    odds = Logistic(weights, 0.5)
    assert odds(values[None] / 50) == Logistic(weights[order], 0.5)(values[order][None] / 50)


def test_a_length_is_the_same_for_zeros_and_for_rows_together() -> None:
    rows = np.array([[0.0, 0.0], [3.0, 4.0], [-3e-9, 4e-9]])
    np.testing.assert_allclose(length(rows), [0.0, 5.0, 5e-9], rtol=1e-6)


@pytest.fixture(scope="module")
def folder() -> Path:
    return settings.load().models / MODEL


def test_features_do_not_depend_on_the_order_of_adding(folder: Path) -> None:
    terms = read(folder)
    other = Terms(
        terms.vocabulary,
        np.ascontiguousarray(terms._table[:, SHUFFLED]),
        terms.idf,
        terms.pair_idf,
        scale=terms.scale,
    )
    heading = Heading("光伏电站管理办法", "第二章 并网", "部门规章", True, "7", 0.4)
    for question in QUESTIONS:
        both = [
            features.matrix(
                t, ask(t, question, [("并网", ("接入电网",))]), [prepare(t, "r", heading, text) for text in TEXTS]
            )
            for t in (terms, other)
        ]
        np.testing.assert_array_equal(both[0], both[1])


def test_vectors_do_not_depend_on_the_order_of_adding() -> None:
    embedder = builtin.load(settings.load())
    other = embedder.with_table(np.ascontiguousarray(embedder._table[:, SHUFFLED]))
    other._scale = embedder._scale
    np.testing.assert_array_equal(embedder.embed(TEXTS)[:, SHUFFLED], other.embed(TEXTS))
    index, shuffled = ExactIndex(256), ExactIndex(256)
    index.add(np.arange(1, 4), embedder.embed(TEXTS))
    shuffled.add(np.arange(1, 4), other.embed(TEXTS))
    for question in QUESTIONS:
        assert index.search(embedder.embed([question])[0], 3) == shuffled.search(other.embed([question])[0], 3)


@pytest.mark.parametrize("file", ["trees.onnx", PAPERS])
def test_sums_of_trees_are_whole_steps(folder: Path, file: str) -> None:
    """Leaves of the shipped trees lie on one grid, and no sum of one leaf a tree leaves float32."""
    onnx = pytest.importorskip("onnx")
    node = onnx.load(str(folder / file)).graph.node[0]
    columns = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    leaves = np.array(columns["target_weights"])
    highest = np.zeros(max(columns["target_treeids"]) + 1)
    np.maximum.at(highest, np.array(columns["target_treeids"]), np.abs(leaves))
    steps = leaves * 2.0 ** (24 - np.ceil(np.log2(highest.sum())))
    assert (steps == np.rint(steps)).all()
    rows = np.random.default_rng(1).random((40, len(features.names()))).astype(np.float32)
    forest = Forest(folder / file, len(features.names()))
    assert forest.scores(rows).tolist() == [float(forest.scores(row[None])[0]) for row in rows]


def test_other_processors_and_another_order_of_storing_give_the_same_answers(
    demonstration: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bounded form of ``make same``: three kinds of processor, one thread and two; the one without vector units on the other order."""
    monkeypatch.setenv("NEMO_WORKERS", "0")  # each batch would start its own
    texts = ROOT / "data" / "samples"
    libraries = [copied(demonstration, tmp_path / "by name"), same.fill(tmp_path / "mixed", [texts], True)]
    kinds = same.processors(("Haswell", "SkylakeX"))  # without vector units it is Prescott, too
    assert {kind.get("OMP_NUM_THREADS") for kind in kinds.values()} == {None, "1", "2"}
    first = same.ask(libraries[0], same.samples(tmp_path / "questions.jsonl", every=4), {})
    assert sum(not answer["refused"] for answer in first) > 10
    others = [kind for kind in kinds.values() if kind]
    for library, kind in zip([*[libraries[0]] * (len(others) - 1), libraries[1]], others, strict=True):
        assert same.differences(first, same.ask(library, tmp_path / "questions.jsonl", kind)) == ([], []), kind
