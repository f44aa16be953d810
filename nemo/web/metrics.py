"""The figures of the served process in the text form of Prometheus (运行指标)."""

from collections.abc import Iterator
from dataclasses import replace

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from nemo.answer.metrics import QuestionMetrics
from nemo.engine import Engine
from nemo.store.records.jobs import JobState

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class CountedMeasures(QuestionMetrics):
    """Counts for one process."""

    def __init__(self, engine: Engine) -> None:
        self._registry = CollectorRegistry()
        self._questions = Counter(
            "nemo_questions", "Questions: answered, or the reason of the refusal", ["outcome"], registry=self._registry
        )
        self._stages = Histogram(
            "nemo_stage_seconds",
            "Seconds of a stage of answering",
            ["stage"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._cache = Counter(
            "nemo_answer_cache",
            "Questions asked before on the same library, or not",
            ["result"],
            registry=self._registry,
        )
        self._registry.register(PresentState(engine))

    def question(self, outcome: str) -> None:
        """See :class:`QuestionMetrics`."""
        self._questions.labels(outcome).inc()

    def stage(self, name: str, seconds: float) -> None:
        """See :class:`QuestionMetrics`."""
        self._stages.labels(name).observe(seconds)

    def cached(self, hit: bool) -> None:
        """See :class:`QuestionMetrics`."""
        self._cache.labels("hit" if hit else "miss").inc()

    def exposition(self) -> bytes:
        """Return every figure."""
        return generate_latest(self._registry)


class PresentState(Collector):
    """What is so at the moment somebody looks: sizes, queues, failures, the state of every part."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def describe(self) -> list[GaugeMetricFamily]:
        """Nothing is looked at before it is asked for."""
        return []

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        """Yield the figures."""
        engine, library = self._engine, self._engine.library
        held, beside = engine.statistics(), engine.elsewhere
        plain = {
            "nemo_regulations": ("Regulations held", held.regulations),
            "nemo_chunks": ("Chunks held and indexed", held.chunks),
            "nemo_regulations_without_vectors": ("Regulations that have no vectors yet", len(library.unembedded())),
            "nemo_failed_files": ("Files that wait for a person", len(library.failure_queue.all())),
            "nemo_requests_inside": ("Requests that are answered or wait", engine.access.admission.inside),
            "nemo_requests_most": ("How many may be answered or wait", engine.access.admission.most),
            "nemo_readers": ("Processes that answer beside this one", beside.alive if beside else 0),
            "nemo_reader_deaths": ("Readers that were replaced because they had died", beside.deaths if beside else 0),
            "nemo_library_generation": ("Number of the last change", library.generation),
        }
        for name, (about, value) in plain.items():
            yield GaugeMetricFamily(name, about, value)
        jobs = GaugeMetricFamily("nemo_jobs", "Files of ingestion in the background", labels=["state"])
        for state in JobState:
            jobs.add_metric([state.value], library.jobs.count(state))
        yield jobs
        yield from _stages(engine)
        parts = GaugeMetricFamily("nemo_part_ok", "1 when a part works", labels=["part"])
        checks = engine.health()
        for code in dict.fromkeys(check.code for check in checks):
            parts.add_metric([code], float(all(check.ok for check in checks if check.code == code)))
        yield parts


def _stages(engine: Engine) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
    """Yield what the stages of ranking behind the built-in one did since the start."""
    states = [stage.state for stage in engine.parts.stages]
    counted = {
        "nemo_rerank_calls": ("Calls of a stage of ranking", lambda s: s.calls),
        "nemo_rerank_failures": ("Calls that failed", lambda s: s.failures),
        "nemo_rerank_seconds": ("Seconds of all calls together", lambda s: s.seconds),
        "nemo_rerank_remembered": ("Questions that needed no call", lambda s: s.remembered),
    }
    for name, (about, value) in counted.items():
        family = CounterMetricFamily(name, about, labels=["stage"])
        for state in states:
            family.add_metric([state.name], value(state))
        yield family
    paused = GaugeMetricFamily("nemo_rerank_paused", "1 while a stage is not asked", labels=["stage"])
    for state in states:
        paused.add_metric([state.name], float(state.waits > 0))
    yield paused


def watch(engine: Engine) -> CountedMeasures:
    """Count what an engine does from now on; an engine that is counted already keeps its counts."""
    if not isinstance(engine.parts.measures, CountedMeasures):
        engine.parts = replace(engine.parts, measures=CountedMeasures(engine))
    counted = engine.parts.measures
    assert isinstance(counted, CountedMeasures), "it was put there above"
    return counted
