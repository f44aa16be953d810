"""Orders hits and judges whether they answer (重排). Which reranker is used is ``Settings.reranker``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemo.errors import ConfigError
from nemo.rerank.contract import Judgement, Reranker, SecondReranker
from nemo.settings import Settings

if TYPE_CHECKING:
    from nemo.rerank.domain import FeatureStore
    from nemo.rerank.sketch import Sketcher

__all__ = ["Judgement", "Reranker", "SecondReranker", "load", "load_outside", "sketcher"]


OUTSIDE = ("cross_encoder", "gemini")
"""Rerankers that reorder what the built-in one has ordered and judged."""


def load(settings: Settings, shelf: FeatureStore) -> Reranker:
    """Return the reranker the settings name.

    Raises:
        ConfigError: the name is unknown, or its model cannot be loaded.
    """
    if settings.reranker in ("domain", *OUTSIDE):
        from nemo.rerank import domain

        return domain.load(settings, shelf)
    if settings.reranker == "none":
        from nemo.rerank.plain import PlainReranker

        return PlainReranker()
    raise ConfigError(
        f"NEMO_RERANKER 的值“{settings.reranker}”无效。请改为 domain、cross_encoder、gemini 或 none 后重新启动。"
    )


def sketcher(settings: Settings) -> Sketcher | None:
    """Return what notes passages beforehand for the reranker the settings name, None when it wants none.

    Raises:
        ConfigError: its model cannot be loaded.
    """
    if settings.reranker not in ("domain", *OUTSIDE):
        return None
    from nemo.rerank.sketch import MODEL, Sketcher

    return Sketcher.of(settings.model(MODEL))


def load_outside(settings: Settings) -> SecondReranker | None:
    """Return the optional second reranker, None when only the built-in one is wanted.

    Raises:
        ConfigError: it is not configured, or its model cannot be loaded.
        MissingDependencyError: a package it needs is not installed.
    """
    if settings.reranker == "cross_encoder":
        from nemo.rerank.cross_encoder import CrossEncoderReranker

        return CrossEncoderReranker(settings)
    if settings.reranker == "gemini":
        from nemo.rerank.gemini import GeminiReranker

        return GeminiReranker(settings)
    return None
