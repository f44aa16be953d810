"""Orders hits and judges whether they answer (重排). Which reranker is used is ``Settings.reranker``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemo.errors import ConfigError
from nemo.rerank.contract import Judgement, Reranker, SecondReranker
from nemo.rerank.stages import RankingStage
from nemo.settings import Settings

if TYPE_CHECKING:
    from nemo.rerank.domain import FeatureStore
    from nemo.rerank.feature_notes import FeatureEncoder

__all__ = [
    "Judgement",
    "RankingStage",
    "Reranker",
    "feature_encoder",
    "load",
    "load_stages",
]


OUTSIDE = ("cross_encoder", "gemini")
"""Rerankers that may stand behind the built-in one, each once, in the order in which they are named."""


def load(settings: Settings, notes: FeatureStore) -> Reranker:
    """Return the reranker the settings name.

    Raises:
        ConfigError: the name is unknown, or its model cannot be loaded.
    """
    if _built_in(settings):
        from nemo.rerank import domain

        return domain.load(settings, notes)
    if settings.reranker == "none":
        from nemo.rerank.plain import PlainReranker

        return PlainReranker()
    raise ConfigError(
        f"NEMO_RERANKER 的值“{settings.reranker}”无效。请改为 domain、cross_encoder、gemini、cross_encoder,gemini 或 none 后重新启动。"
    )


def feature_encoder(settings: Settings) -> FeatureEncoder | None:
    """Return what notes passages beforehand for the reranker the settings name, None when it wants none.

    Raises:
        ConfigError: its model cannot be loaded.
    """
    if not _built_in(settings):
        return None
    from nemo.rerank.feature_notes import MODEL, FeatureEncoder

    return FeatureEncoder.of(settings.model(MODEL))


def load_stages(settings: Settings) -> tuple[RankingStage, ...]:
    """Return the stages behind the built-in reranker, none when only that one is wanted.

    Raises:
        ConfigError: one is not configured, or its model cannot be loaded.
        MissingDependencyError: a package it needs is not installed.
    """
    names = _stages(settings) if _built_in(settings) else []
    return tuple(RankingStage(_outside(name, settings)) for name in names)


def _stages(settings: Settings) -> list[str]:
    """Return the names of the stages that are set; ``domain`` before them may be left out."""
    names = [name.strip() for name in settings.reranker.split(",")]
    return names[names[0] == "domain" :]


def _built_in(settings: Settings) -> bool:
    names = _stages(settings)
    return set(names) <= set(OUTSIDE) and len(set(names)) == len(names)


def _outside(name: str, settings: Settings) -> SecondReranker:
    if name == "cross_encoder":
        from nemo.rerank.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(settings)
    from nemo.rerank.gemini import GeminiReranker

    return GeminiReranker(settings)
