"""Any sentence-transformers CrossEncoder as the reranker (重排 cross_encoder), run in a process of its own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from nemo.errors import ServiceError
from nemo.rerank.opinion import STATED
from nemo.services.model_process import ModelJob, ModelProcess
from nemo.settings import Settings
from nemo.types import Hit, Query

MAX_CHARS = 200
"""Characters of a candidate that the model reads. 20 candidates of this length cost a model of bge-reranker-base's size
about 11 s of processor time; the limit of a question is 8 s on all cores together."""


NAMED = {
    "gte": "Alibaba-NLP/gte-multilingual-reranker-base",
    "qwen3": "Qwen/Qwen3-Reranker-0.6B",
    "bge": "BAAI/bge-reranker-base",
}
"""Models by short name; any other name or a folder is taken as it is."""


class CrossEncoderReranker:
    """Reads the question and each candidate together. ``settings.cross_encoder_model`` names a folder or a model."""

    def __init__(self, settings: Settings) -> None:
        """Load the model.

        Raises:
            ConfigError: it cannot be loaded; the message names the setting and the way out.
            MissingDependencyError: sentence-transformers is not installed.
        """
        name = NAMED.get(settings.cross_encoder_model, settings.cross_encoder_model)
        job = ModelJob("score", name, "NEMO_CROSS_ENCODER_MODEL", "NEMO_SERVICE_SECONDS")
        self._process = ModelProcess(job, start_seconds=settings.model_start_seconds)
        self._seconds = settings.service_seconds
        self._depth = settings.rerank_candidates
        self.name = f"cross_encoder/{Path(job.model).name}@{self._process.ready.fingerprint[:16]}"

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        """Return all ``hits``, the first ``rerank_candidates`` of them in the model's order, the others behind.

        Each hit that the model read carries its number in ``scores["cross_encoder"]`` and the chance that it states:
        the number itself, or the logistic of it where a model gives log-odds (Qwen3-Reranker: log p(yes) / p(no)).

        Raises:
            ServiceError: the model failed or took too long; the caller keeps its order and says so.
        """
        head, tail = hits[: self._depth], hits[self._depth :]
        if not head:
            return []
        pairs = [(query.text, hit.chunk.text[:MAX_CHARS]) for hit in head]
        scores = self._process.run(pairs, self._seconds)
        if scores.shape != (len(head),) or not np.all(np.isfinite(scores)):
            raise ServiceError(f"重排模型 {self.name} 给出了无效的得分。请检查模型文件是否完整。")
        order = np.argsort(-scores, kind="stable")  # equal scores keep the order so far
        read = [
            replace(hit, scores={**hit.scores, "cross_encoder": number, STATED: chance})
            for hit, number, chance in zip(head, scores.tolist(), _chances(scores).tolist(), strict=True)
        ]
        return [read[i] for i in order] + list(tail)

    def close(self) -> None:
        """End the model's process."""
        self._process.close()


def _chances(scores: np.ndarray) -> np.ndarray:
    if scores.min() >= 0 and scores.max() <= 1:
        return scores
    out: np.ndarray = 1 / (1 + np.exp(-np.clip(scores.astype(np.float64), -30, 30)))
    return out
