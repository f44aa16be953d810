"""What Gemini writes beside an answer, as configured: a summary below the quotes on demand (小结), an English rendering."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nemo.errors import ConfigError, ServiceError
from nemo.settings import Settings
from nemo.types import Answer

if TYPE_CHECKING:
    from nemo.answer.rendering.written import GeminiRenderer, GeminiSummariser


def with_summary(answer: Answer, summariser: GeminiSummariser | None) -> Answer:
    """Return an answer with a summary below its quotes; what hindered it is told among what did not take part.

    Raises:
        ConfigError: a summary was asked for and none is configured.
    """
    if summariser is None:
        raise ConfigError("小结未启用。请设置 NEMO_SUMMARY=gemini 与 NEMO_GEMINI_API_KEY 后重新启动，或不要小结再问。")
    if not answer.quotes:
        return answer
    try:
        return replace(answer, summary=summariser.summarise(answer.query.original or answer.query.text, answer.quotes))
    except ServiceError as error:
        return replace(answer, degraded=(*answer.degraded, f"没有小结（{error.message}）"))


def configured(settings: Settings) -> tuple[GeminiRenderer | None, GeminiSummariser | None]:
    """Return what renders quotes into English and what sums them up, each as configured.

    Raises:
        ConfigError: Gemini has no usable key or address.
    """

    def of(value: str, name: str) -> Any:
        if value == "none":
            return None
        from nemo.answer.rendering import written

        return getattr(written, name)(settings)

    summariser = of(settings.summary, "GeminiSummariser")
    return of(settings.renderer, "GeminiRenderer"), summariser
