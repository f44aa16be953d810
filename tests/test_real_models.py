"""Tiny real models in the real formats, an embedder and a cross-encoder: in one file, for their library takes longest to load."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nemo import settings
from nemo.embed import UnembeddableError
from nemo.embed.transformer import BATCH, TransformerEmbedder
from nemo.rerank.cross_encoder import CrossEncoderReranker
from nemo.services.model_worker import fingerprint
from tests import tiny_models
from tests.test_rerank_cross_encoder import QUERY, hits

TEXTS = ("光伏项目并网验收", "风电项目核准", "煤电许可，由电站提交材料")


# --- the embedder ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.embedder(tmp_path_factory.mktemp("models") / "embedder")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> Iterator[TransformerEmbedder]:
    model = TransformerEmbedder(settings.load(transformer_model=str(folder)))
    yield model
    model.close()


def test_rows_are_unit_float32_and_in_order(embedder: TransformerEmbedder) -> None:
    rows = embedder.embed(TEXTS)
    assert rows.shape == (3, embedder.dim) == (3, 32)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for row, text in zip(rows, TEXTS, strict=True):
        np.testing.assert_allclose(embedder.embed([text])[0], row, atol=1e-4)
    assert not np.allclose(rows[0], rows[1], atol=1e-3)


def test_more_texts_than_one_request_takes(embedder: TransformerEmbedder) -> None:
    texts = [TEXTS[i % 3] + str(i % 10) for i in range(BATCH + 5)]
    rows = embedder.embed(texts)
    assert rows.shape == (BATCH + 5, 32)
    np.testing.assert_allclose(rows[BATCH + 1], embedder.embed([texts[BATCH + 1]])[0], atol=1e-4)


def test_no_texts_give_no_rows(embedder: TransformerEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 32)


def test_a_text_longer_than_the_model_reads_is_embedded(embedder: TransformerEmbedder) -> None:
    assert embedder.embed(["光伏" * 500]).shape == (1, 32)


def test_a_blank_text_is_named_by_its_place(embedder: TransformerEmbedder) -> None:
    with pytest.raises(UnembeddableError) as caught:
        embedder.embed(["光伏", " \n　"])
    assert caught.value.index == 1


def test_the_name_tells_models_apart(embedder: TransformerEmbedder, folder: Path, tmp_path: Path) -> None:
    assert embedder.name == f"transformer/embedder@{fingerprint(folder)[:16]}"
    moved = tmp_path / "embedder"
    shutil.copytree(folder, moved)
    assert fingerprint(moved) == fingerprint(folder)  # where it lies does not matter
    (moved / "README.md").write_text("another card", encoding="utf-8")
    assert fingerprint(moved) == fingerprint(folder)
    weights = bytearray((moved / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (moved / "model.safetensors").write_bytes(weights)
    assert fingerprint(moved) != fingerprint(folder)  # same name, same size, other weights


# --- the cross-encoder ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ranker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CrossEncoderReranker]:
    folder = tiny_models.ranker(tmp_path_factory.mktemp("models") / "ranker")
    model = CrossEncoderReranker(settings.load(cross_encoder_model=str(folder), service_seconds=60))
    yield model
    model.close()


def test_a_real_model_orders_by_its_own_numbers(ranker: CrossEncoderReranker) -> None:
    given = hits("光伏并网", "风电核准", "煤电许可", "项目备案应当提交材料", "年月日")
    ranked = ranker.rerank(QUERY, given)
    numbers = [hit.scores["cross_encoder"] for hit in ranked]
    assert sorted(numbers, reverse=True) == numbers and len(set(numbers)) > 1
    assert sorted(h.chunk.id for h in ranked) == sorted(h.chunk.id for h in given)
    assert all(0 <= n <= 1 for n in numbers)
    assert ranker.name.startswith("cross_encoder/ranker@")


def test_long_candidates_are_read_from_their_beginning(ranker: CrossEncoderReranker) -> None:
    assert len(ranker.rerank(QUERY, hits("光伏" * 1000, "并网" * 1000))) == 2


def test_nothing_to_order(ranker: CrossEncoderReranker) -> None:
    assert ranker.rerank(QUERY, []) == []
