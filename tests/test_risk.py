"""The risk–coverage curve: the bound against values worked out by hand, and what counts as wrong."""

import json
from pathlib import Path

import pytest

pytest.importorskip("scipy")
from benchmarks import risk

BOUNDS = [
    ("nothing wrong in 87: 1 - .05^(1/87)", 0, 87, 1 - 0.05 ** (1 / 87)),
    ("nothing wrong in one", 0, 1, 0.95),
    ("half of two: the root of p^2 = .95", 1, 2, 0.95**0.5),
    ("all wrong", 3, 3, 1.0),
    ("nothing was answered", 0, 0, 1.0),
]


@pytest.mark.parametrize(("remark", "wrong", "of", "bound"), BOUNDS, ids=[row[0] for row in BOUNDS])
def test_the_bound_is_that_of_clopper_and_pearson(remark: str, wrong: int, of: int, bound: float) -> None:
    assert risk.upper(wrong, of) == pytest.approx(bound), remark


def test_the_curve_counts_answers_that_are_wrong_and_those_that_should_not_be() -> None:
    told = [
        risk.Told(0.99, True, False, True),
        risk.Told(0.96, False, False, False),  # to be refused, and answered
        risk.Told(0.60, False, False, True),
        risk.Told(0.90, False, True, True),  # refused: no answer at any level
    ]
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:5] for line in risk.curve(told)[2:]}
    assert rows["0.97"] == ["1", "0.333", "0", "0.000"]
    assert rows["0.95"] == ["2", "0.333", "1", "0.500"]
    assert rows["0.00"] == ["3", "0.667", "2", "0.667"]


def test_only_questions_with_words_to_be_quoted_and_refusals_are_counted(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "gold": [{"must_quote": "甲"}]},
        {"id": 2, "gold": [{"file": "x"}]},
        {"id": 3, "expect": "refuse"},
        {"id": 4, "answerable": False},
    ]
    file = tmp_path / "set.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    assert [(row["id"], row["refuses"]) for row in risk.rows_of(file)] == [(1, False), (3, True), (4, True)]
