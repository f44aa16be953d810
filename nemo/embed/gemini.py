"""Gemini as the embedder (向量模型 gemini)."""

from collections.abc import Sequence

import numpy as np

from nemo.embed.contract import UnembeddableError
from nemo.errors import ServiceError
from nemo.services.gemini import Gemini
from nemo.settings import Settings

BATCH = 100
"""The most texts that the service takes in one request."""
BATCH_SECONDS = 90.0
BATCH_ATTEMPTS = 6
"""Ingestion can wait for a busy service; a question cannot, and keeps to ``settings.service_seconds``."""


class GeminiEmbedder:
    """Vectors of ``settings.gemini_embedding_model``. Regulation text and questions are sent to the service."""

    def __init__(self, settings: Settings) -> None:
        """Embed one word, to learn the length of a vector and that key and model are good.

        Raises:
            ConfigError: no usable key or address, or the service does not offer the model.
            ServiceError: the service cannot be reached.
        """
        self._service = Gemini(settings, settings.gemini_embedding_model, "NEMO_GEMINI_EMBEDDING_MODEL")
        self._seconds = settings.service_seconds
        probe = self._service.embed(["并网"], seconds=self._seconds, attempts=3, starting=True)
        self.dim = len(probe[0])
        self.name = f"gemini/{settings.gemini_embedding_model}@{self.dim}"

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return float32 unit rows of shape (n, dim).

        Raises:
            UnembeddableError: a text is blank.
            ServiceError: no usable answer in time.
        """
        for index, text in enumerate(texts):
            if not text.strip():
                raise UnembeddableError(index)
        seconds, attempts = (self._seconds, 3) if len(texts) == 1 else (BATCH_SECONDS, BATCH_ATTEMPTS)
        vectors: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            vectors += self._service.embed(texts[start : start + BATCH], seconds=seconds, attempts=attempts)
        return self._rows(vectors)

    def close(self) -> None:
        """Close the connections."""
        self._service.close()

    def _rows(self, vectors: list[list[float]]) -> np.ndarray:
        if any(len(vector) != self.dim for vector in vectors):
            raise ServiceError(f"Gemini 返回的向量长度不是 {self.dim}。请重新启动程序并重建索引。")
        rows = np.array(vectors, dtype=np.float64).reshape(len(vectors), self.dim)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if not np.all(np.isfinite(lengths)) or not np.all(lengths > 1e-9):
            raise ServiceError("Gemini 返回了无效的向量。请稍后重试。")
        return (rows / lengths).astype(np.float32)
