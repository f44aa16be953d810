"""Stages behind the built-in reranker: the last one decides, a failing one is left alone for a while, times are told."""

import datetime as dt
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from nemo import export, rerank, settings
from nemo.engine import Engine
from nemo.errors import ConfigError, ServiceError
from nemo.rerank import opinion
from nemo.rerank.stages import RankingStage
from nemo.services.breaker import CircuitBreaker
from nemo.types import Chunk, Filters, Hit, Query, Span
from nemo.web.metrics import watch
from tests.local_server import Answer, LocalServer, Request
from tests.tiny_models import stand_in

DAY = dt.date(2026, 11, 20)
QUESTION = "电网企业怎样答复并网申请"
LAW = """演示省并网服务规定（演示文本）

第一条 为了演示并网服务，制定本规定。

第二条 电网企业应当自受理并网申请之日起十个工作日内书面答复。

第三条 电网企业应当公开并网流程和收费标准。

第四条 并网申请材料不齐全的，电网企业应当一次性告知。

第五条 风电机组叶片退役后应当在三个月内拆除。

第六条 储能电站应当每年开展一次消防检查。

第七条 煤矿企业应当建立安全生产责任制。

第八条 本规定自2024年3月1日起施行。
"""


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def fails() -> str:
    raise ServiceError("服务没有应答。")


STEPS = [
    ("two failures leave it closed", [False, False], [False, False]),
    (
        "a success in between counts anew",
        [False, False, True, False, False, True],
        [False, False, True, False, False, True],
    ),
    (
        "the third in a row opens it: the fourth call is not made",
        [False, False, False, True],
        [False, False, False, None],
    ),
]


@pytest.mark.parametrize(("remark", "given", "expected"), STEPS, ids=[row[0] for row in STEPS])
def test_a_service_that_keeps_failing_is_not_asked(remark: str, given: list[bool], expected: list[bool | None]) -> None:
    """True: answered; False: failed; None: not asked."""
    breaker, found = CircuitBreaker(3, 60, Clock()), []
    for works in given:
        asked: list[int] = []

        def ask(works: bool = works, asked: list[int] = asked) -> str:
            asked.append(1)
            return "好" if works else fails()

        try:
            breaker.call(ask)
            found.append(True)
        except ServiceError as error:
            found.append(False if asked else None)
            assert asked or "暂停" in error.message
    assert found == expected, remark


@pytest.mark.parametrize("works", [True, False])
def test_after_the_pause_one_probe_decides(works: bool) -> None:
    clock = Clock()
    breaker = CircuitBreaker(3, 60, clock)
    for _ in range(3):
        with pytest.raises(ServiceError):
            breaker.call(fails)
    clock.now = 59
    with pytest.raises(ServiceError, match="暂停"):
        breaker.call(lambda: "不会被调用")
    clock.now = 61
    inside: list[str] = []

    def probe() -> str:
        with pytest.raises(ServiceError, match="暂停"):  # while it is probed, nobody else gets through
            breaker.call(lambda: inside.append("第二个"))
        return "好" if works else fails()

    if works:
        assert breaker.call(probe) == "好"
        assert breaker.call(lambda: "又好") == "又好"
    else:
        with pytest.raises(ServiceError, match="没有应答"):
            breaker.call(probe)
        assert breaker.waits == 60
    assert inside == []


def test_calls_run_side_by_side() -> None:
    breaker, both = CircuitBreaker(), threading.Barrier(2, timeout=20)
    threads = [threading.Thread(target=breaker.call, args=(both.wait,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert not both.broken


class Stage:
    """A further reranker as a test wants it."""

    def __init__(self, key: Callable[[Hit], float], stated: Callable[[Hit], float] | None = None) -> None:
        self.name, self.asked, self.broken = "演示/模型", 0, False
        self._key, self._stated = key, stated

    def rerank(self, query: Query, hits: Sequence[Hit]) -> list[Hit]:
        self.asked += 1
        if self.broken:
            raise ServiceError("服务没有应答。")
        ranked = sorted(hits, key=self._key)
        if self._stated is None:
            return ranked
        return [replace(h, scores={**h.scores, opinion.STATED: self._stated(h)}) for h in ranked]

    def close(self) -> None:
        """Hold nothing."""


def judged(*chances: float, whole: float = 0.9) -> list[Hit]:
    """Hits as the stage before left them."""
    return [
        Hit(
            Chunk(f"r:{i}-{i + 1}", "r", str(i), Span(i, i + 1), f"第{i}条"), c, {"probability": c, "answerable": whole}
        )
        for i, c in enumerate(chances)
    ]


FALLING = [0.9, 0.3, 0.1, *(0.05 / n for n in range(1, 18))]


def after(order: Sequence[int], stated: Sequence[float] | None = None, chances: Sequence[float] = FALLING) -> list[Hit]:
    before = judged(*chances)
    ranked = [before[i] for i in order]
    if stated is not None:
        ranked = [replace(h, scores={**h.scores, opinion.STATED: s}) for h, s in zip(ranked, stated, strict=True)]
    return opinion.after(before, ranked)


def test_an_order_that_agrees_changes_nothing() -> None:
    assert after(range(20)) == judged(*FALLING)
    assert opinion.after([], []) == []


ORDERS = [
    ("reversed", list(reversed(range(20)))),
    ("the last one lifted", [19, *range(19)]),
    ("the second one lifted", [1, 0, *range(2, 20)]),
    ("halves changed", [*range(10, 20), *range(10)]),
]


@pytest.mark.parametrize(("remark", "order"), ORDERS, ids=[row[0] for row in ORDERS])
@pytest.mark.parametrize("states", [False, True])
def test_hits_stay_and_probabilities_never_rise(remark: str, order: list[int], states: bool) -> None:
    found = after(order, [0.5] * 20 if states else None)
    assert [h.chunk.label for h in found] == [str(i) for i in order], remark
    chances = [h.score for h in found]
    assert all(a >= b for a, b in pairwise(chances)) and all(0 <= c <= 1 for c in chances)
    assert [h.scores["probability"] for h in found] == chances
    assert all(opinion.STATED not in h.scores for h in found)  # the next stage speaks for itself


def test_what_is_lifted_over_likely_hits_is_believed_and_a_turned_list_is_not() -> None:
    lifted, turned = after([5, *range(5), *range(6, 20)]), after(list(reversed(range(20))))
    assert judged(*FALLING)[5].score < 0.02 < 0.3 < lifted[0].score
    assert turned[0].score < 0.05 and turned[0].scores["answerable"] < 0.1 < 0.5 < lifted[0].scores["answerable"]


def test_what_a_stage_states_counts() -> None:
    sure = after([1, 0, *range(2, 20)], [0.97, *[0.03] * 19])
    unsure = after([1, 0, *range(2, 20)], [0.03] * 20)
    assert sure[0].score > 0.8 > 0.4 > unsure[0].score
    assert sure[1].score < 0.5, "what it states of the others ends the list"
    assert sure[0].scores["answerable"] > 0.5 > unsure[0].scores["answerable"]


def test_a_stage_remembers_and_tells_what_it_did() -> None:
    part = Stage(lambda hit: -int(hit.chunk.label), lambda hit: 0.25)
    stage = RankingStage(part, CircuitBreaker(2, 60, Clock()))
    query, hits = Query(QUESTION, Filters()), judged(0.5, 0.4)
    first, again = stage.rerank(query, hits), stage.rerank(query, hits)
    assert first == again and [h.scores[opinion.STATED] for h in first] == [0.25, 0.25]
    assert [h.chunk.label for h in first] == ["1", "0"]
    part.broken = True
    for _ in range(3):
        with pytest.raises(ServiceError):
            stage.rerank(Query("另一个问题", Filters()), hits)
    state = stage.state
    assert (part.asked, state.calls, state.failures, state.remembered, state.waits) == (3, 3, 2, 1, 60)
    assert "失败 2 次" in state.words and "缓存命中 25%" in state.words and "已暂停" in state.words
    assert stage.rerank(query, hits) == first, "what it said before it failed still holds"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("stages")
    (folder / "规定.md").write_text(LAW, "utf-8")
    with Engine.open(settings.load(library=folder / "library", workers=0)) as engine:
        engine.intake.ingest([folder / "规定.md"])
    yield folder / "library"


def staged(library: Path, *parts: Stage) -> Engine:
    engine = Engine.open(settings.load(library=library, workers=0, keep_answers=False))
    engine.parts = replace(engine.parts, stages=tuple(RankingStage(p) for p in parts))
    return engine


def test_the_last_stage_decides_first_quote_cut_and_refusal(library: Path) -> None:
    third = lambda hit: (hit.chunk.label != "3", -hit.score)  # noqa: E731
    with staged(library, Stage(third)) as engine:
        assert engine.ask(QUESTION, day=DAY).quotes[0].citation.article == "第三条"
    with staged(library, Stage(third), Stage(lambda hit: hit.chunk.label != "4")) as engine:
        answer = engine.ask(QUESTION, day=DAY)
        assert answer.quotes[0].citation.article == "第四条"
        assert [s.name for s in answer.stages] == ["演示/模型"] * 2
    with staged(library, Stage(lambda hit: hit.score)) as engine:
        turned = engine.ask(QUESTION, day=DAY)
        assert turned.refusal is not None or turned.confidence.overall < 0.5
    found = []
    for stated in (0.99, 0.01):
        with staged(library, Stage(lambda hit: -hit.score, lambda hit, s=stated: s)) as engine:
            answer = engine.ask(QUESTION, day=DAY)
            found.append(answer.confidence.overall if answer.quotes else 0.0)
    assert found[0] > 0.8 and found[1] < found[0] - 0.2


def test_times_and_failures_are_told(library: Path) -> None:
    """In the answer, on the system page and for Prometheus; a stage that fails leaves the order before it."""
    part = Stage(lambda hit: -hit.score)
    with staged(library, part) as engine:
        plain = engine.ask(QUESTION, day=DAY)
        told = export.answer_json(plain)["stages"]
        assert [(s["name"], s["remembered"]) for s in told] == [("演示/模型", False)] and told[0]["elapsed_ms"] >= 0
        part.broken = True
        for n in range(4):
            broken = engine.ask(f"{QUESTION}，第{n}次问", day=DAY)
            assert broken.quotes and not broken.stages and "演示/模型" in broken.degraded[0]
        assert part.asked == 4 and "暂停" in broken.degraded[0]
        check = next(c for c in engine.health() if c.code == "rerank_stage")
        assert not check.ok and not check.vital and "失败 3 次" in check.message
        families = text_string_to_metric_families(watch(engine).exposition().decode())
        figures = {s.name: s.value for f in families for s in f.samples if s.labels.get("stage") == "演示/模型"}
        assert (figures["nemo_rerank_calls_total"], figures["nemo_rerank_failures_total"]) == (4, 3)
        assert figures["nemo_rerank_paused"] == 1


NAMES = [
    ("domain", []),
    ("none", []),
    ("cross_encoder", ["cross_encoder"]),
    ("gemini", ["gemini"]),
    ("domain,gemini", ["gemini"]),
    ("cross_encoder, gemini", ["cross_encoder", "gemini"]),
    ("gemini,cross_encoder", ["gemini", "cross_encoder"]),
]


@pytest.mark.parametrize(("name", "expected"), NAMES, ids=[row[0] for row in NAMES])
def test_stages_stand_in_the_order_in_which_they_are_named(
    name: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "library"))
    given = settings.load(reranker=name, cross_encoder_model=str(stand_in(tmp_path)), gemini_api_key="k" * 30)
    stages = rerank.load_stages(given)
    assert [stage.kind for stage in stages] == expected
    for stage in stages:
        stage.close()


@pytest.mark.parametrize("name", ["", "gemini,gemini", "none,gemini", "gemini,domain", "bert"])
def test_a_name_that_means_nothing_stops_the_start(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="NEMO_RERANKER"):
        Engine.open(settings.load(reranker=name, library=tmp_path))


def test_a_cross_encoder_then_gemini(
    library: Path, server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both really run: the model in its process, the service behind its protocol; what the service grades decides."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "library"))

    def graded(request: Request) -> Answer:
        texts = [c["text"] for c in json.loads(request.json()["contents"][0]["parts"][0]["text"])["candidates"]]
        order = sorted(range(len(texts)), key=lambda i: "一次性告知" not in texts[i])
        text = json.dumps({"order": [i + 1 for i in order], "grades": [3, *[0] * (len(texts) - 1)]})
        part = {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": "STOP", "index": 0}
        return Answer.of({"candidates": [part], "modelVersion": "x"})

    server.routes["/v1beta/models/gemini-2.5-flash:generateContent"] = graded
    given = settings.load(
        library=library,
        workers=0,
        reranker="cross_encoder,gemini",
        cross_encoder_model=str(stand_in(tmp_path)),
        gemini_api_key="test-key-AIza0123456789",
        gemini_base_url=server.url,
        service_seconds=20,
    )
    with Engine.open(given) as engine:
        answer = engine.ask(QUESTION, day=DAY)
        assert answer.degraded == ()
        assert [s.name.partition("/")[0] for s in answer.stages] == ["cross_encoder", "gemini"]
        assert answer.quotes[0].citation.article == "第四条"
        assert len(answer.quotes) == 1, "the others were graded as irrelevant"
