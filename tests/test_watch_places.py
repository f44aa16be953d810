"""Where visits go, who pays them and when: hosts side by side, one host by one visit, one visit by one process, and storage."""

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from nemo.discover.fetch import SiteFetcher
from nemo.engine import Engine
from nemo.errors import BadRequestError
from nemo.services.outbound import Limits
from nemo.store.catalogue.watch_tables import visits
from nemo.store.records.watching import LEASE
from nemo.watch.service import WatchService
from nemo.watch.touched import everybodys
from tests.local_server import Answer, LocalServer, Request, serving
from tests.official_site import switched_on
from tests.postgres_server import DatabaseServer
from tests.watched_web import InventedSite, paper, serve


def watching(engine: Engine, sites: dict[LocalServer, list[InventedSite]]) -> WatchService:
    sources = tuple(one.source(server) for server, found in sites.items() for one in found)
    made = WatchService(
        engine.library, lambda: engine.intake, replace(engine.rules, sources=sources), lambda: everybodys(engine)
    )
    visitor = SiteFetcher(engine.settings, sources, loopback=True, sleep=lambda _: None)
    visitor.client.limits = Limits(seconds=30.0, attempts=1, pause=0.0)
    made._visitor = visitor
    return made


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    given = switched_on(library=tmp_path / "library", workers=0, crawl_delay=0.0, crawl_pages=9)
    with Engine.open(given) as opened:
        yield opened


def slowed(server: LocalServer, before: Callable[[Request], None]) -> None:
    answer = server.routes["*"]
    assert callable(answer)

    def route(request: Request) -> Answer:
        before(request)
        return answer(request)

    server.routes["*"] = route


def test_two_hosts_are_visited_side_by_side(engine: Engine) -> None:
    """Each list answers only when the other is asked for at the same time."""
    both = threading.Barrier(2, timeout=30)
    with serving() as one, serving() as other:
        sites = {one: [InventedSite.of("a", "甲省", 2)], other: [InventedSite.of("b", "乙省", 2)]}
        for server, found in sites.items():
            serve(server, *found)
            slowed(server, lambda r: both.wait() and None if r.path.endswith("/index.html") else None)
        made = watching(engine, sites)
        made._visitor.client.limits = Limits(seconds=30.0, attempts=1)  # type: ignore[union-attr]
        for code in "ab":
            made.add(code)
        assert made.due() == 2 and made.work() == 2
    assert len(made.store.papers()) == 4 and not both.broken


def test_one_host_is_never_asked_twice_at_once(engine: Engine) -> None:
    inside, most, lock = 0, 0, threading.Lock()

    def count(request: Request) -> None:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        time.sleep(0.01)
        with lock:
            inside -= 1

    with serving() as server:
        sites = {server: [InventedSite.of(code, f"{code}省", 3) for code in "abc"]}
        serve(server, *sites[server])
        slowed(server, count)
        made = watching(engine, sites)
        for code in "abc":
            made.add(code)
        made.due()
        first = made.store.claim(dt.datetime.now(dt.UTC), made._place)
        assert first is not None and made.store.claim(dt.datetime.now(dt.UTC), made._place) is None
        made.store.settle(first, "queued", due=dt.datetime.now(dt.UTC))
        threads = [threading.Thread(target=made._visitor.get, args=(f"{server.url}/a/index.html",)) for _ in range(4)]  # type: ignore[union-attr]
        for thread in threads:
            thread.start()
        made.work()
        for thread in threads:
            thread.join()
    assert most == 1 and len(made.store.papers()) == 9


def test_a_pause_ends_a_visit_and_it_goes_on_where_it_was(engine: Engine) -> None:
    with serving() as server:
        sites = {server: [InventedSite.of("a", "甲省", 12)]}
        serve(server, *sites[server])
        made = watching(engine, sites)
        watch = made.add("a")
        slowed(server, lambda r: made.pause(watch.id) and None if r.path.endswith("_5.html") else None)
        made.due()
        assert made.work() == 1, "a paused visit is not claimed again and again"
        halfway = len(made.store.papers())
        assert 0 < halfway < 12 and made.work() == 0
        server.routes["*"], asked = None, len(server.seen)  # type: ignore[assignment]
        serve(server, *sites[server])
        made.pause(watch.id, False)
        made.due()
        made.work()
        assert (
            len(made.store.papers()) == 12
            and len({r.path for r in server.seen[asked:] if "_" in r.path}) == 12 - halfway
        )


def test_of_two_processes_one_pays_a_visit(tmp_path: Path, postgres: DatabaseServer) -> None:
    """Both look at the same moment; every paper is asked for once, read once, told once."""
    url = postgres.new_database()
    given = switched_on(library=tmp_path / "library", workers=0, crawl_delay=0.0, crawl_pages=9, database=url)
    with ExitStack() as open_:
        server = open_.enter_context(serving())
        invented = [InventedSite.of(code, f"{code}省", 8) for code in "ab"]
        serve(server, *invented)
        engines = [open_.enter_context(Engine.open(given)) for _ in range(2)]
        both = [watching(each, {server: invented}) for each in engines]
        watches = [both[0].add(code) for code in "ab"]
        together = threading.Barrier(2)

        def look(made: WatchService) -> None:
            together.wait()
            made.due()
            made.work()

        threads = [threading.Thread(target=look, args=(made,)) for made in both]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        asked = [r.path for r in server.seen if any(r.path in one.papers for one in invented)]
        assert sorted(asked) == sorted(p for one in invented for p in one.papers)
        assert [len(both[1].store.history(w.id)) for w in watches] == [1, 1]
        both[0].read()
        assert {p.state for p in both[1].store.papers()} == {"waiting"}
        with both[0].store.first() as mine, both[1].store.first() as theirs:
            assert mine and not theirs, "of those who read and tell there is one"


def test_a_visit_of_a_process_that_died_goes_to_another(tmp_path: Path, postgres: DatabaseServer) -> None:
    url = postgres.new_database()
    given = switched_on(library=tmp_path / "library", workers=0, crawl_delay=0.0, crawl_pages=9, database=url)
    with serving() as server, Engine.open(given) as one, Engine.open(given) as other:
        invented = InventedSite.of("a", "甲省", 3)
        serve(server, invented)
        dead, alive = (watching(each, {server: [invented]}) for each in (one, other))
        watch = dead.add("a")
        dead.due()
        lost = dead.store.claim(dt.datetime.now(dt.UTC), dead._place)
        assert lost is not None and alive.work() == 0 and dead.store.renew(lost), "it lives"
        with other.library.watching._database.write() as connection:
            connection.execute(visits.update().values(due=dt.datetime.now(dt.UTC) - LEASE))
        assert alive.work() == 1 and len(alive.store.papers()) == 3
        assert not dead.store.renew(lost)
        dead.store.settle(lost, "failed", problem="too late")
        with other.library.watching._database.read() as connection:
            assert connection.execute(sa.select(visits.c.state)).scalars().all() == ["done"]
        assert len(alive.store.history(watch.id)) == 1


def test_storage_is_looked_through_and_only_what_changed_is_brought(engine: Engine) -> None:
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/watched/法规/甲.html", paper("甲省", 1).encode())
    memory.pipe("/watched/.hidden.html", b"x")
    memory.pipe("/watched/manifest.jsonl", b"{}")
    try:
        made = watching(engine, {})
        with pytest.raises(BadRequestError):
            made.add("memory://")
        watch = made.add("memory://watched", "weekly")
        assert watch.kind == "objects"
        made.due()
        made.work()
        (one,) = made.store.papers("waiting")
        assert (one.name, one.url) == ("甲.html", "memory://watched/法规/甲.html")
        made.store.queue(watch.id)
        made.work()
        assert made.store.history(watch.id)[0].counts == {"entries": 1, "unchanged": 1}
        memory.pipe("/watched/乙.html", paper("乙省", 2).encode())
        memory.pipe("/watched/法规/甲.html", paper("甲省", 1, days="五个").encode())
        made.store.queue(watch.id)
        made.work()
        assert made.store.history(watch.id)[0].counts["new"] == made.store.history(watch.id)[0].counts["changed"] == 1
        for path in memory.find("/watched"):
            memory.rm(path)
        made.store.queue(watch.id)
        made.work()
        assert "核对桶与路径" in "".join(made.store.history(watch.id)[0].alarms)
    finally:
        for path in memory.find("/watched"):
            memory.rm(path)
