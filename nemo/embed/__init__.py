"""Texts → unit vectors (向量化).

One embedder serves a library at a time. Its name is written beside every vector it made; vectors of two embedders
are never compared. Which one is used is ``Settings.embedder``; the heavy ones are imported only when they are chosen.
"""

from nemo.embed.contract import Embedder, UnembeddableError, passages
from nemo.settings import Settings


def load(settings: Settings) -> Embedder:
    """Return the embedder the settings name.

    Raises:
        ConfigError: the model's files are missing or damaged.
        MissingDependencyError: the chosen embedder needs a package that is not installed.
    """
    if settings.embedder == "builtin":
        from nemo.embed import builtin

        return builtin.load(settings)
    if settings.embedder == "transformer":
        from nemo.embed.transformer import TransformerEmbedder

        return TransformerEmbedder(settings)
    from nemo.embed.gemini import GeminiEmbedder

    return GeminiEmbedder(settings)
