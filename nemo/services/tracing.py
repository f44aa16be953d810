"""Spans of questions and their stages for a collector of OpenTelemetry (链路追踪), when one is configured.

A span carries its name, its times and, where there is one, the trace id of the answer: no question, quote, name or token.
A collector that does not answer delays and changes nothing; what it missed is lost.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from nemo.errors import MissingDependencyError
from nemo.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span

_provider: TracerProvider | None = None


def configure(settings: Settings) -> None:
    """Send spans from now on where the settings say, if they say so; called once by a process that serves.

    Raises:
        MissingDependencyError: the packages for it are not installed.
    """
    global _provider
    if not settings.otlp_endpoint or _provider is not None:
        return
    try:
        import requests
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            "设置了 NEMO_OTLP_ENDPOINT，但没有安装 OpenTelemetry。请 pip install -r requirements-otel.txt，或去掉该设置。"
        ) from error
    session = requests.Session()
    session.trust_env = False  # the collector is named by the administrator: no proxy of the environment stands between
    address = f"{settings.otlp_endpoint.rstrip('/')}/v1/traces"
    exporter = OTLPSpanExporter(endpoint=address, timeout=settings.service_seconds, session=session)
    provider = TracerProvider(resource=Resource({"service.name": "nemo"}))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _provider = provider


def close() -> None:
    """Send what waits, and send no more."""
    global _provider
    if _provider is not None:
        _provider.shutdown()
        _provider = None


def span(name: str) -> AbstractContextManager[Span | None]:
    """Time what is done inside, as a part of the span that is open around it; None when nothing is sent."""
    return nullcontext() if _provider is None else _provider.get_tracer("nemo").start_as_current_span(name)


def past(name: str, seconds: float, ended: int) -> None:
    """Add what another process did as a part of the span that is open; ``ended`` in nanoseconds since 1970."""
    if _provider is not None:
        began = ended - int(seconds * 1e9)
        _provider.get_tracer("nemo").start_span(name, start_time=began).end(ended)


def named(opened: Span | None, trace_id: str, outcome: str) -> None:
    """Note on the span of a question under which trace id it was answered, and how."""
    if opened is not None:
        opened.set_attribute("nemo.trace_id", trace_id)
        opened.set_attribute("nemo.outcome", outcome)
