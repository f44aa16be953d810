"""The cross-encoder reranker: a stand-in for order and failures. A real model is asked in test_real_models."""

from pathlib import Path

import pytest

from nemo.errors import ServiceError
from nemo.rerank.cross_encoder import CrossEncoderReranker
from nemo.settings import Settings, load
from nemo.types import Chunk, Filters, Hit, Query, Span

QUERY = Query("光伏项目并网", Filters())


def hits(*texts: str) -> list[Hit]:
    """Candidates in the order so far; their scores fall."""
    return [
        Hit(Chunk(f"r:{i}-{i + 1}", "r", str(i), Span(i, i + 1), text), 1 - i / 100, {"fused": 1 - i / 100})
        for i, text in enumerate(texts)
    ]


def settings(model: Path, **more: object) -> Settings:
    return load(cross_encoder_model=str(model), **more)


def test_only_the_head_is_read_and_the_rest_follows_in_its_order(model: Path) -> None:
    ranker = CrossEncoderReranker(settings(model, rerank_candidates=3))
    given = hits("煤", "光", "光伏项目", "光伏项目并网", "光伏")
    ranked = ranker.rerank(QUERY, given)
    assert [h.chunk.label for h in ranked] == ["2", "1", "0", "3", "4"]
    assert ["cross_encoder" in h.scores for h in ranked] == [True, True, True, False, False]
    assert [h.score for h in ranked[3:]] == [h.score for h in given[3:]]
    assert all(h.score == given[int(h.chunk.label)].score for h in ranked)  # what was calibrated stays comparable
    assert all("fused" in h.scores for h in ranked)
    ranker.close()


def test_equal_numbers_keep_the_order_so_far(model: Path) -> None:
    ranker = CrossEncoderReranker(settings(model))
    assert [h.chunk.label for h in ranker.rerank(QUERY, hits("煤", "煤", "煤"))] == ["0", "1", "2"]
    ranker.close()


@pytest.mark.parametrize("text", ["卡死", "坏", "总是崩溃"])
def test_every_failure_is_a_service_error(model: Path, text: str) -> None:
    ranker = CrossEncoderReranker(settings(model, service_seconds=5 if text == "总是崩溃" else 0.5))
    with pytest.raises(ServiceError):
        ranker.rerank(QUERY, hits("光伏", text))
    ranker.close()
