"""Texts → unit vectors (向量化).

One embedder serves a library at a time. Its name is written beside every vector it made; vectors of two embedders
are never compared. Which one is used is ``Settings.embedder``; the heavy ones are imported only when they are chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from nemo.errors import BadRequestError, ConfigError
from nemo.settings import Settings


class Embedder(Protocol):
    """What every embedder offers."""

    name: str
    """Written beside the vectors; another name means another space: rebuild, never mix."""
    dim: int
    """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return one unit row per text, (n, dim) float32.

        Raises:
            UnembeddableError: one of the texts has no direction; none is returned.
        """
        ...


class UnembeddableError(BadRequestError):
    """A text in which the embedder knows no term: it has no direction, and zeros would be a lie."""

    def __init__(self, index: int) -> None:
        super().__init__("这段文字里没有模型认识的词语，无法进行语义检索。请换一种说法，写出具体的事项或法规名称。")
        self.index = index
        """Position of the text in the batch that was refused."""


def load(settings: Settings) -> Embedder:
    """Return the embedder the settings name.

    Raises:
        ConfigError: the name is unknown, or the model's files are missing or damaged.
        MissingDependencyError: the chosen embedder needs a package that is not installed.
    """
    if settings.embedder == "builtin":
        from nemo.embed.builtin import BuiltinEmbedder

        return BuiltinEmbedder(settings)
    if settings.embedder == "transformer":
        from nemo.embed.transformer import TransformerEmbedder

        return TransformerEmbedder(settings)
    if settings.embedder == "gemini":
        from nemo.embed.gemini import GeminiEmbedder

        return GeminiEmbedder(settings)
    raise ConfigError(
        f"NEMO_EMBEDDER 的值“{settings.embedder}”无效。请改为 builtin、transformer 或 gemini 后重新启动。"
    )
