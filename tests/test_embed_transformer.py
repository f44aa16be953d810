"""The transformer embedder: a tiny real model in the real format, and a stand-in for the failures."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nemo.embed import UnembeddableError
from nemo.embed.transformer import BATCH, TransformerEmbedder
from nemo.errors import ConfigError, ServiceError
from nemo.services.model_worker import fingerprint
from nemo.settings import Settings, load
from tests import tiny_models
from tests.local_server import Answer, LocalServer, Request, serving
from tests.tiny_models import PROJECT

TEXTS = ("光伏项目并网验收", "风电项目核准", "煤电许可，由电站提交材料")


def settings(model: Path | str, **more: object) -> Settings:
    return load(transformer_model=str(model), **more)


# --- a real model ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.embedder(tmp_path_factory.mktemp("models") / "embedder")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> Iterator[TransformerEmbedder]:
    model = TransformerEmbedder(settings(folder))
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


def test_the_process_of_the_app_never_imports_the_library() -> None:
    code = (
        "import sys, nemo.embed.transformer, nemo.rerank.cross_encoder, nemo.services.model_process;"
        "print({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# --- failures, with a stand-in ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["无向", "非数"])
def test_a_vector_without_direction_is_never_returned(model: Path, text: str) -> None:
    embedder = TransformerEmbedder(settings(model))
    with pytest.raises(ServiceError, match="无效的向量"):
        embedder.embed(["甲", text])
    assert embedder.embed(["甲"]).shape == (1, 3)
    embedder.close()


def test_a_crash_of_the_worker_is_a_service_error(model: Path) -> None:
    embedder = TransformerEmbedder(settings(model))
    assert embedder.embed(["崩溃一次"]).shape == (1, 3)
    with pytest.raises(ServiceError):
        embedder.embed(["总是崩溃"])
    embedder.close()


def test_the_limit_of_a_batch_is_the_setting(model: Path) -> None:
    embedder = TransformerEmbedder(settings(model, model_seconds=0.3))
    with pytest.raises(ServiceError, match=r"0\.3 秒"):
        embedder.embed(["卡死"])
    embedder.close()


# --- the hub ---------------------------------------------------------------------------------------------------------

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def hub(server: LocalServer, files: dict[str, bytes]) -> None:
    """Let ``server`` speak as much of the hub's protocol as a download needs."""

    def answer(request: Request) -> Answer:
        if request.path.startswith("/api/models/someone/tiny"):
            if request.path.endswith(("/tree/main", f"/tree/{COMMIT}")):
                tree = [{"type": "file", "path": n, "size": len(b), "oid": _etag(b)} for n, b in files.items()]
                return Answer.of(tree)
            return Answer.of({"id": "someone/tiny", "sha": COMMIT, "siblings": [{"rfilename": n} for n in files]})
        body = files.get(request.path.split("/")[-1])
        if body is None:
            return Answer(b"", 404)
        return Answer(body, 200, {"ETag": f'"{_etag(body)}"', "X-Repo-Commit": COMMIT})

    server.routes["*"] = answer


def _etag(body: bytes) -> str:
    return hashlib.sha1(body, usedforsecurity=False).hexdigest()


def test_a_name_on_the_hub_is_downloaded_once_and_then_used_offline(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    with serving() as server:
        hub(server, {"config.json": b"{}", "model.onnx": b"not needed"})
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        embedder = TransformerEmbedder(settings("someone/tiny"))
        first = embedder.name
        embedder.close()
        assert first.startswith("transformer/tiny@")
        assert not any(r.path.endswith(".onnx") and r.method == "GET" for r in server.seen)
        asked = len(server.seen)
    again = TransformerEmbedder(settings("someone/tiny"))  # the server is gone
    assert again.name == first and len(server.seen) == asked
    again.close()


def test_a_hub_out_of_reach_names_the_model_and_the_way_out(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(ConfigError, match="someone/tiny") as caught:
        TransformerEmbedder(settings("someone/tiny"))
    assert "NEMO_TRANSFORMER_MODEL" in caught.value.message and "本地模型文件夹" in caught.value.message
