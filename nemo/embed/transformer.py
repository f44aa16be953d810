"""Any SentenceTransformer as the embedder (向量模型 transformer), run in a process of its own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nemo.embed.contract import UnembeddableError
from nemo.errors import ServiceError
from nemo.services.model_process import ModelJob, ModelProcess
from nemo.settings import Settings

BATCH = 64
"""Texts of one request: a question waits for at most one of them while a batch of files is embedded."""


class TransformerEmbedder:
    """Vectors of a local model. ``settings.transformer_model`` names a folder or a model on the hub."""

    def __init__(self, settings: Settings) -> None:
        """Load the model.

        Raises:
            ConfigError: it cannot be loaded; the message names the setting and the way out.
            MissingDependencyError: sentence-transformers is not installed.
        """
        job = ModelJob("embed", settings.transformer_model, "NEMO_TRANSFORMER_MODEL", "NEMO_MODEL_SECONDS")
        self._process = ModelProcess(job, start_seconds=settings.model_start_seconds)
        self._seconds = settings.model_seconds
        ready = self._process.ready
        self.dim = ready.dim
        self.name = f"transformer/{Path(job.model).name}@{ready.fingerprint[:16]}"
        """Holds a digest of the model's files: vectors of another model, even of the same name, never mix."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 unit rows of shape (n, dim).

        Raises:
            UnembeddableError: a text is blank.
            ServiceError: the model failed or took too long.
        """
        for index, text in enumerate(texts):
            if not text.strip():
                raise UnembeddableError(index)
        parts = [
            self._process.run(texts[start : start + BATCH], self._seconds) for start in range(0, len(texts), BATCH)
        ]
        rows = np.concatenate(parts) if parts else np.empty((0, self.dim), np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if rows.shape != (len(texts), self.dim) or not np.all(np.isfinite(lengths)) or not np.all(lengths > 1e-6):
            raise ServiceError(f"向量模型 {self.name} 给出了无效的向量。请检查模型文件是否完整，或改用内置模型。")
        return np.asarray(rows / lengths, dtype=np.float32)

    def close(self) -> None:
        """End the model's process."""
        self._process.close()
