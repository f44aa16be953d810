"""Processes that answer beside the owner: the same answers, nothing that was removed, none lost (回答进程)."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from nemo import settings
from nemo.answer.remembered import RememberedAnswers
from nemo.engine import Engine
from nemo.errors import BadRequestError, ServiceError
from nemo.types import Answer, Filters, Verdict
from nemo.web import readers
from nemo.web.readers import ReaderPool

GRID = """演示省光伏并网办法（演示文本）

第一条 本办法为演示文本。

第二条 电网企业应当自受理并网申请之日起十个工作日内答复。

第三条 本办法自2024年5月1日起施行。
"""
COAL = """演示省煤电排放规定（演示文本）

第一条 燃煤机组烟尘排放浓度不得超过五毫克每立方米。

第二条 本规定自2023年1月1日起施行。
"""
STORAGE = """演示省储能接入规定（演示文本）

第一条 储能电站接入电网应当配置一次调频装置。

第二条 本规定自2022年1月1日起施行。
"""
ASKED = "受理并网申请后几个工作日内答复"
ASKED_COAL = "烟尘排放浓度不得超过多少"
ASKED_STORAGE = "储能电站接入电网应当配置什么装置"


def eventually(holds: Callable[[], bool]) -> None:
    """Wait until something holds that surely will, however busy the machine."""
    for _ in range(6_000):
        if holds():
            return
        time.sleep(0.02)
    raise AssertionError("it never came")


def put(engine: Engine, folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, "utf-8")
    report = engine.ingest([folder / f"{name}.md" for name in texts])
    assert report.as_json()["counts"]["failed"] == 0


@contextmanager
def opened(folder: Path) -> Iterator[Engine]:
    """Open a library of two texts with two readers beside it."""
    with Engine.open(settings.load(library=folder / "library", readers=2, workers=0)) as engine:
        put(engine, folder, grid=GRID, coal=COAL)
        readers.beside(engine)
        eventually(lambda: pool_of(engine).alive == 2)
        yield engine


@pytest.fixture(scope="module")
def lent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Engine, Path]]:
    """One library for most tests of this file: its seed and its readers take longer to start than what is asked of them."""
    folder = tmp_path_factory.mktemp("lent")
    with opened(folder) as engine:
        yield engine, folder


@pytest.fixture
def engine(lent: tuple[Engine, Path]) -> Iterator[Engine]:
    """The library as it was lent: the next test finds its two texts and two readers again."""
    engine, folder = lent
    pool = pool_of(engine)
    pool.deaths = 0
    yield engine
    for row in engine.regulations():
        if row.file not in ("grid.md", "coal.md"):
            engine.intake.remove(row.id, None)
    put(engine, folder, grid=GRID, coal=COAL)
    engine._remembered = RememberedAnswers()
    eventually(lambda: pool.alive == 2)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Engine]:
    """A library that a test may leave as it likes: without readers, or closed."""
    with opened(tmp_path) as engine:
        yield engine


def pool_of(engine: Engine) -> ReaderPool:
    assert isinstance(engine.elsewhere, ReaderPool)
    return engine.elsewhere


def seed_of(pool: ReaderPool) -> psutil.Process:
    assert pool._seed is not None
    return psutil.Process(pool._seed._process.pid)


def of_readers(engine: Engine) -> list[psutil.Process]:
    return [p for p in seed_of(pool_of(engine)).children() if p.status() != psutil.STATUS_ZOMBIE]


def gone(processes: list[psutil.Process]) -> bool:
    return not any(p.is_running() and p.status() != psutil.STATUS_ZOMBIE for p in processes)


def words(answer: Answer) -> list[str]:
    return [quote.text for quote in answer.quotes]


def alone(engine: Engine, question: str) -> Answer:
    """Return what the owner itself answers."""
    pool, engine.elsewhere = engine.elsewhere, None
    engine._remembered = RememberedAnswers()
    try:
        return engine.ask(question)
    finally:
        engine.elsewhere = pool
        engine._remembered = RememberedAnswers()


@pytest.mark.parametrize("question", [ASKED, ASKED_COAL, "今天天气怎么样", "", "问" * 5_000])
def test_a_reader_answers_what_the_owner_would(engine: Engine, question: str) -> None:
    one, other = alone(engine, question), engine.ask(question)
    assert (one.quotes, one.refusal, one.confidence, one.ranked) == (
        other.quotes,
        other.refusal,
        other.confidence,
        other.ranked,
    )
    assert engine.library.answers.get(other.trace_id).quotes == other.quotes  # the owner keeps it


def test_a_search_goes_the_same_way(engine: Engine) -> None:
    found = engine.search(ASKED, Filters())
    assert found
    pool, engine.elsewhere = engine.elsewhere, None
    assert engine.search(ASKED, Filters()) == found
    engine.elsewhere = pool
    with pytest.raises(BadRequestError, match="省份"):
        engine.search(ASKED, Filters(province="xx"))


def test_what_was_stored_a_moment_ago_is_answered(engine: Engine, tmp_path: Path) -> None:
    assert engine.ask(ASKED_STORAGE).refusal is not None
    put(engine, tmp_path, storage=STORAGE)
    assert "一次调频" in words(engine.ask(ASKED_STORAGE))[0]
    assert pool_of(engine).deaths == 0


def test_what_a_reviewer_rejected_is_not_quoted(engine: Engine) -> None:
    answer = engine.ask(ASKED_COAL)
    (use, *_) = engine.library.answers.uses_of(answer.trace_id).values()
    engine.library.reviews.decide(use.quote_id, Verdict.REJECTED, "演示")
    assert use.words not in words(engine.ask(ASKED_COAL))


def test_a_removed_text_is_gone_for_every_reader(engine: Engine) -> None:
    (gone,) = {quote.regulation_id for quote in engine.ask(ASKED).quotes}
    engine.intake.remove(gone, None)
    for _ in range(6):
        engine._remembered = RememberedAnswers()
        assert not [quote for quote in engine.ask(ASKED).quotes if quote.regulation_id == gone]


def test_removing_waits_for_whoever_was_asked_before(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that does not come back is ended, and its question is answered from what is held then."""
    monkeypatch.setattr(readers, "CONFIRM_SECONDS", 0.3)
    (gone,) = {quote.regulation_id for quote in engine.ask(ASKED).quotes}
    engine._remembered = RememberedAnswers()
    for reader in of_readers(engine):
        reader.suspend()
    answers: list[Answer] = []
    asking = threading.Thread(target=lambda: answers.append(engine.ask(ASKED)))
    asking.start()
    eventually(lambda: any(r.waiting for r in pool_of(engine)._readers))
    engine.intake.remove(gone, None)
    now = engine.library.generation
    assert all(w.task.state.generation >= now for r in pool_of(engine)._readers for w in list(r.waiting))
    for reader in of_readers(engine):
        reader.resume()
    asking.join()
    assert gone not in {quote.regulation_id for quote in answers[0].quotes}
    eventually(lambda: pool_of(engine).alive == 2)


def test_a_removal_does_not_wait_for_the_next_reader(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It returns when the late reader is gone, however long another one takes to come."""
    monkeypatch.setattr(readers, "CONFIRM_SECONDS", 0.3)
    (gone,) = {quote.regulation_id for quote in engine.ask(ASKED).quotes}
    engine._remembered = RememberedAnswers()
    for reader in of_readers(engine):
        reader.suspend()
    asking = threading.Thread(target=lambda: engine.ask(ASKED))
    with pool_of(engine)._seeding:  # nobody can make a reader
        asking.start()
        eventually(lambda: any(r.waiting for r in pool_of(engine)._readers))
        removing = threading.Thread(target=lambda: engine.intake.remove(gone, None))
        removing.start()
        removing.join(60)
        assert not removing.is_alive()
    asking.join()
    assert engine.ask(ASKED).refusal is not None


@pytest.mark.parametrize("fault", ["a reply that cannot be read", "no thread for the next reader"])
def test_nobody_waits_for_a_reader_that_nobody_hears(own: Engine, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """Whatever goes wrong beside a reader, its question is answered or refused, and never hangs."""
    monkeypatch.setattr(threading, "excepthook", lambda _: None)  # it is told in the log
    victim, *_ = reversed(pool_of(own)._readers)  # the one that is asked first

    def fails(*_: object) -> None:
        raise RuntimeError(fault)

    if fault == "a reply that cannot be read":
        monkeypatch.setattr(victim._line, "recv", fails)
    else:
        monkeypatch.setattr(victim, "_on_end", fails)
        victim.kill()
    asking = threading.Thread(target=lambda: own.ask(ASKED))
    asking.start()
    asking.join(60)
    assert not asking.is_alive()


def test_a_search_shows_nothing_that_was_removed_while_it_was_made(engine: Engine) -> None:
    pool = pool_of(engine)

    class Late:
        """Readers that find the text, which is removed before they say so."""

        def run(self, verb: str, given: tuple[object, ...], here: Callable[..., Any]) -> object:
            found = pool.run(verb, given, here)
            engine.intake.remove(found[0].regulation_id, None)
            return found

    engine.elsewhere = Late()  # type: ignore[assignment]
    try:
        found = engine.search(ASKED, Filters())
        assert all(engine.library.holds(one.regulation_id) for one in found)
    finally:
        engine.elsewhere = pool


def test_a_reader_that_is_made_while_the_engine_closes_ends_too(own: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    pool, making, go_on = pool_of(own), threading.Event(), threading.Event()
    assert pool._seed is not None
    make = pool._seed.reader

    def slowly(*given: object) -> readers.Reader:
        making.set()
        assert go_on.wait(60)
        return make(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(pool._seed, "reader", slowly)
    pool._readers[0].kill()
    assert making.wait(60)
    started = [seed_of(pool), *of_readers(own)]
    closing = threading.Thread(target=pool.close)
    closing.start()
    eventually(lambda: pool._closed)
    go_on.set()
    closing.join(60)
    assert not pool.alive
    eventually(lambda: gone(started))


@pytest.mark.parametrize("when", ["idle", "asked"])
def test_a_reader_that_dies_is_replaced_and_its_question_asked_again(engine: Engine, when: str) -> None:
    expected = words(alone(engine, ASKED))
    victims = of_readers(engine)
    answers: list[Answer] = []
    asking = threading.Thread(target=lambda: answers.append(engine.ask(ASKED)))
    if when == "asked":
        for reader in victims:
            reader.suspend()
        asking.start()
        eventually(lambda: any(r.waiting for r in pool_of(engine)._readers))
    os.kill(victims[0].pid, signal.SIGKILL)
    os.kill(victims[1].pid, signal.SIGKILL)
    if when == "idle":
        asking.start()
    asking.join()
    assert words(answers[0]) == expected
    eventually(lambda: pool_of(engine).alive == 2)
    assert not {p.pid for p in of_readers(engine)} & {victim.pid for victim in victims}


def test_a_question_that_ends_every_reader_is_given_up(engine: Engine) -> None:
    with pytest.raises(ServiceError, match="意外退出"):
        pool_of(engine).run("no such verb", (), engine.find)
    assert words(engine.ask(ASKED))


def test_without_the_seed_the_readers_go_on_and_the_owner_stands_in(own: Engine) -> None:
    expected = words(alone(own, ASKED))
    before = of_readers(own)
    seed_of(pool_of(own)).kill()
    assert words(own.ask(ASKED)) == expected
    for reader in before:
        reader.kill()
    psutil.wait_procs(before, timeout=60)  # one that still dies while it is asked counts as killed by the question
    own._remembered = RememberedAnswers()
    for _ in range(3):
        assert words(own.ask(ASKED)) == expected
        own._remembered = RememberedAnswers()


def test_a_reader_that_followed_much_is_replaced(own: Engine, tmp_path: Path) -> None:
    before = {p.pid for p in of_readers(own)}
    many = {f"more{n}": STORAGE.replace("储能接入", f"储能{n}号接入") for n in range(105)}
    put(own, tmp_path, **many)
    for _ in range(4):
        own._remembered = RememberedAnswers()
        assert words(own.ask(ASKED))
    assert before - {p.pid for p in of_readers(own)}
    assert pool_of(own).deaths == 0


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with Engine.open(settings.load(library=tmp_path / "library", readers=1)) as engine:
        readers.beside(engine)
        eventually(lambda: pool_of(engine).alive == 1)
        started = [seed_of(pool_of(engine)), *of_readers(engine)]
        assert len(started) == 2
    eventually(lambda: gone(started))


def test_a_lonely_question_starts_no_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with Engine.open(settings.load(library=tmp_path / "library")) as engine:
        readers.beside(engine)
        engine.ask(ASKED)
        assert (pool_of(engine).alive, pool_of(engine)._starting) == (0, None)


def test_a_question_asked_while_the_owner_answers_another_starts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No reader is there yet: what the owner is at counts as well."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    with Engine.open(settings.load(library=tmp_path / "library")) as engine:
        readers.beside(engine)
        pool, started = pool_of(engine), []
        monkeypatch.setattr(pool, "start", lambda: started.append(True))
        first = pool.run("compose", (), lambda: (started.copy(), pool.run("compose", (), lambda: "second")))
        assert first == ([], "second") and started == [True]


@pytest.mark.parametrize(
    ("remark", "given", "cores", "many"),
    [
        ("one for every core", {}, 4, 4),
        ("one core gains nothing", {}, 1, 0),
        ("as set", {"readers": 3}, 1, 3),
        ("switched off", {"readers": 0}, 8, 0),
        ("a demonstration has little memory", {"temporary": True}, 4, 0),
        ("a service answers for the embedder", {"embedder": "gemini", "readers": 2}, 4, 0),
        ("a model process is the owner's", {"reranker": "cross_encoder"}, 4, 0),
        ("without a reranker", {"reranker": "none"}, 2, 2),
    ],
)
def test_how_many(
    remark: str, given: dict[str, object], cores: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    assert readers.wanted(settings.load(**given)) == many, remark


def test_whoever_stops_does_not_wait_for_a_seed_that_still_opens_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readers, "SEED", "import time; time.sleep(600)  # reader_process")
    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        pool = ReaderPool(engine, 2)
        pool.start()
        eventually(lambda: pool._seed is not None)
        started = seed_of(pool)
        pool.close()
        assert gone([started])
