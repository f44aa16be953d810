"""Hit@k and MRR@5 are what the field's own package computes (ir_measures)."""

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, Qrel, ScoredDoc, Success

from benchmarks import cells
from nemo.evaluation.golden import of_ranks

RANKS = st.lists(st.one_of(st.none(), st.integers(1, 9)), min_size=1, max_size=12)


def by_the_package(ranks: list[int | None]) -> dict[str, float]:
    measures = {"hit@1": Success @ 1, "hit@3": Success @ 3, "hit@5": Success @ 5, "mrr@5": RR @ 5}
    qrels = [Qrel(str(i), "gold", 1) for i in range(len(ranks))]
    scored = [ScoredDoc(str(i), "gold" if rank else "none", 1.0 / (rank or 1)) for i, rank in enumerate(ranks)]
    scored += [ScoredDoc(str(i), f"x{k}", 1.0 / k) for i, rank in enumerate(ranks) for k in range(1, rank or 1)]
    found = ir_measures.calc_aggregate(list(measures.values()), qrels, scored)
    return {name: found.get(measure, 0.0) for name, measure in measures.items()}


@given(RANKS)
def test_the_measures_agree(ranks: list[int | None]) -> None:
    assert of_ranks(ranks) == pytest.approx(by_the_package(ranks), abs=1e-6)


def test_nothing_measured_is_zero() -> None:
    assert set(of_ranks([]).values()) == {0.0}


def test_a_cell_gets_ten_questions_of_its_texts_each_once() -> None:
    texts = [
        {"file": "a.md", "province": "sd", "assets": ["wind", "solar"], "doc_class": "permit"},
        {"file": "b.md", "province": "sd", "assets": ["wind"], "doc_class": "permit"},
        {"file": "old.md", "province": "sd", "assets": ["coal"], "doc_class": "permit", "superseded_by": "b.md"},
    ]
    asked = [{"question": f"{file} {n}", "file": file} for file in ("a.md", "b.md", "old.md") for n in range(30)]
    found = cells.chosen(texts, asked)
    assert {cell: len(mine) for cell, mine in found.items()} == {
        ("sd", "wind", "permit"): 10,
        ("sd", "solar", "permit"): 10,  # five of its own, and five that are asked of wind too: it would stay short
    }
    for mine in found.values():
        assert len({each["question"] for each in mine}) == len(mine)
