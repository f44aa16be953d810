"""The transformer embedder: a stand-in for the failures, and the hub. A real model is asked in test_real_models."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from nemo.embed.transformer import TransformerEmbedder
from nemo.errors import ConfigError, ServiceError
from nemo.settings import Settings, load
from tests.local_server import Answer, LocalServer, Request, serving
from tests.tiny_models import PROJECT


def settings(model: Path | str, **more: object) -> Settings:
    return load(transformer_model=str(model), **more)


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
