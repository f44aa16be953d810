"""Collecting on a schedule: an invented site is visited, what is new waits for a person, nothing is fetched twice."""

import datetime as dt
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nemo.discover.fetch import SiteFetcher
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, ConflictError, NemoError
from nemo.services.outbound import Limits
from nemo.watch import schedule
from nemo.watch.service import WatchService
from nemo.watch.touched import everybodys
from tests.local_server import Answer, LocalServer
from tests.official_site import switched_on
from tests.watched_web import InventedSite, paper, serve

Made = Callable[..., WatchService]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    settings = switched_on(library=tmp_path / "library", workers=0, crawl_delay=0.0, crawl_pages=9)
    with Engine.open(settings) as opened:
        yield opened


@pytest.fixture
def made(engine: Engine, server: LocalServer) -> Made:
    """Return what makes the service for some invented sites."""

    def make(*sites: InventedSite) -> WatchService:
        serve(server, *sites)
        sources = tuple(one.source(server) for one in sites)
        watching = WatchService(
            engine.library, lambda: engine.intake, replace(engine.rules, sources=sources), lambda: everybodys(engine)
        )
        visitor = SiteFetcher(engine.settings, sources, loopback=True, sleep=lambda _: None)
        visitor.client.limits = Limits(seconds=30.0, attempts=2, pause=0.0)
        watching._visitor = visitor
        return watching

    return make


def accept_all(engine: Engine, watching: WatchService) -> None:
    for one in watching.store.papers("waiting"):
        watching.accept(one.id, "已核对")
    assert engine.intake.jobs.wait(60)


def test_everything_on_the_lists_is_collected_once_and_waits(engine: Engine, server: LocalServer, made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 45)
    watching = made(invented)
    watch = watching.add("demo", "daily")
    assert watching.due() == 1 and watching.work() == 1
    visit = watching.store.history(watch.id)[0]
    assert (visit.state, visit.counts["entries"], visit.counts["new"], visit.alarms) == ("done", 45, 45, ())
    assert {p.state for p in watching.store.papers()} == {"waiting"} and len(watching.store.papers()) == 45
    assert engine.regulations() == (), "nothing is let in before a person looked"
    assert sum(r.path in invented.papers for r in server.seen) == 45
    assert all(r.headers["user-agent"].startswith("Nemo/") for r in server.seen)


def test_a_second_visit_asks_and_fetches_nothing(server: LocalServer, made: Made) -> None:
    watching = made(invented := InventedSite.of("demo", "演示省", 25))
    watch = watching.add("demo", "daily")
    watching.due()
    watching.work()
    first, count = watching.store.history(watch.id)[0].counts["bytes"], len(server.seen)
    invented.add(99)
    path = invented.add(3, days="五个")
    watching.run(watch.id, wait=True)
    assert watching.store.history(watch.id)[0].counts["new"] == 1
    asked = {r.path for r in server.seen[count:]}
    assert path not in asked, "what its list does not mark as changed is looked at again after a week"
    watching.store.queue(watch.id)
    watching.work(recheck=True)
    again = watching.store.history(watch.id)[0]
    assert again.counts["changed"] == 1 and again.counts["unchanged"] == 25
    assert again.counts["bytes"] < first / 10


def test_attachments_come_with_their_page_and_doubles_once(made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 3)
    paths = list(invented.papers)
    invented.attach(
        paths[0], "fj1.docx", docx_of(["附件演示表（演示文本）", "第一条 附件所列项目应当在三十日内备案。"])
    )
    invented.attach(paths[0], "fj2.xyz", b"not a document")
    double = "/demo/t20260101_777.html"
    invented.papers[double], invented.titles[double] = invented.papers[paths[1]], invented.titles[paths[1]]
    watching = made(invented)
    watching.add("demo")
    watching.due()
    watching.work()
    names = sorted(one.name for one in watching.store.papers())
    assert "fj1.docx" in names and "fj2.xyz" not in names and len(names) == 4
    assert watching.store.met(watching.store.watches()[0].id)[_url(watching, double)].state == "kept"


def _url(watching: WatchService, path: str) -> str:
    return next(u for u in watching.store.met(watching.store.watches()[0].id) if u.endswith(path))


def docx_of(lines: list[str]) -> bytes:
    import io

    from docx import Document

    document = Document()
    for line in lines:
        document.add_paragraph(line)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def test_the_same_words_under_other_markup_are_no_new_text(engine: Engine, made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 2)
    watching = made(invented)
    watch = watching.add("demo")
    watching.due()
    watching.work()
    accept_all(engine, watching)
    assert len(engine.regulations()) == 2
    path = next(iter(invented.papers))
    invented.papers[path] = invented.papers[path].replace("<p>", '<p class="x">\n').replace("，", "， ")
    watching.store.queue(watch.id)
    watching.work(recheck=True)
    assert [p.state for p in watching.store.papers()].count("same") == 1
    assert watching.store.papers("waiting") == []


@pytest.mark.parametrize(
    ("remark", "answer", "tries"),
    [
        ("gone", Answer(status=404), 1),
        ("turned away", Answer(status=412), 1),
        ("empty", Answer(b""), 1),
        ("cut short", Answer(b"x" * 4000, cut=True), 1),
        ("led off the list", Answer(status=302, headers={"Location": "https://other.example.cn/a.html"}), 1),
        ("led in a circle", Answer(status=302, headers={"Location": "/demo/t20260101_0.html"}), 1),
    ],
)
def test_one_paper_that_fails_stops_no_other(made: Made, remark: str, answer: Answer, tries: int) -> None:
    invented = InventedSite.of("demo", "演示省", 4)
    path = next(iter(invented.papers))
    invented.special[path] = answer
    watching = made(invented)
    watch = watching.add("demo")
    for _ in range(4):
        watching.store.queue(watch.id)
        watching.work()
    met = watching.store.met(watch.id)[_url(watching, path)]
    assert (met.state, met.tries) == ("failed", 3) and met.problem, remark
    assert len(watching.store.papers("waiting")) == 3, remark


def test_what_cannot_be_read_waits_with_its_reason(engine: Engine, made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    invented.papers[next(iter(invented.papers))] = "<html><body></body></html>"
    watching = made(invented)
    watching.add("demo")
    watching.due()
    watching.work()
    (one,) = watching.store.papers()
    assert one.state == "failed" and one.reason and engine.library.failure_queue.all() == []
    assert engine.library.raw(one.sha256).content, "its bytes are kept"
    watching.retry([one.id])
    assert watching.store.paper(one.id).state == "failed"
    watching.dismiss(one.id, "网页只有图片")
    assert watching.store.paper(one.id).state == "dismissed"
    with pytest.raises(NemoError):
        engine.library.raw(one.sha256)


def test_what_was_given_up_is_fetched_again_when_a_person_says_so(made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 2)
    path = next(iter(invented.papers))
    invented.special[path] = Answer(status=412)
    watching = made(invented)
    watch = watching.add("demo")
    for _ in range(4):
        watching.store.queue(watch.id)
        watching.work()
    (one,) = watching.store.unreached()
    assert one.url.endswith(path) and "412" in one.problem and one.state == "failed"
    del invented.special[path]
    assert watching.refetch(watch.id) == 1 and watching.work() == 1
    assert watching.store.unreached() == [] and len(watching.store.papers("waiting")) == 2


def test_a_list_in_an_old_encoding_and_closed_folders(server: LocalServer, made: Made) -> None:
    invented = InventedSite.of(
        "demo", "演示省", 3, encoding="gb18030", robots="User-agent: *\nDisallow: /demo/t20260102_"
    )
    watching = made(invented)
    watching.add("demo")
    watching.due()
    watching.work()
    assert (
        sorted(p.title[-8] for p in watching.store.papers("waiting")) == ["0", "2"] or len(watching.store.papers()) == 2
    )
    assert "/demo/t20260102_1.html" not in {r.path for r in server.seen}


def test_a_changed_layout_raises_the_alarm_within_one_visit(made: Made) -> None:
    watching = made(invented := InventedSite.of("demo", "演示省", 5))
    watch = watching.add("demo")
    for row, words in (
        (invented.row, None),
        ('<table class="new"><tr><td><a href="{url}">{title}</a></td></tr></table>', "版式已改变"),
        ('<div data-url="{url}">{title}</div>', "一条也没有读到"),
    ):
        invented.row = row
        watching.store.queue(watch.id)
        watching.work()
        alarms = watching.store.history(watch.id)[0].alarms
        assert (not alarms) if words is None else any(words in alarm for alarm in alarms), alarms


def test_a_visit_that_fails_is_tried_three_times_with_growing_pauses(made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    invented.special["/demo/index.html"] = Answer(status=412)
    watching = made(invented)
    watch = watching.add("demo")
    watching.due()
    moment, pauses = dt.datetime.now(dt.UTC), []
    for _ in range(2):
        assert watching.work(moment) == 1
        visit = watching.store.history(watch.id)[0]
        assert visit.state == "queued" and "412" in visit.problem
        pauses.append(visit.due - dt.datetime.now(dt.UTC))
        assert watching.work(moment) == 0, "before its time nothing happens"
        moment = visit.due + dt.timedelta(seconds=1)
    watching.work(moment)
    assert watching.store.history(watch.id)[0].state == "failed" and pauses[0] < pauses[1]


def test_of_one_source_one_visit_at_a_time(made: Made) -> None:
    watching = made(InventedSite.of("demo", "演示省", 1))
    watch = watching.add("demo")
    assert watching.store.queue(watch.id) and not watching.store.queue(watch.id)
    claimed = watching.store.claim(dt.datetime.now(dt.UTC), watching._place)
    assert claimed is not None and not watching.store.queue(watch.id)
    assert watching.store.recover() == 1 and watching.store.claim(dt.datetime.now(dt.UTC), watching._place) is not None


def test_a_paused_source_is_left_alone_and_goes_on_later(server: LocalServer, made: Made) -> None:
    watching = made(InventedSite.of("demo", "演示省", 1))
    watch = watching.add("demo")
    watching.pause(watch.id)
    assert watching.due() == 0 and watching.work() == 0 and server.seen == []
    watching.pause(watch.id, False)
    assert watching.due() == 1 and watching.work() == 1 and len(watching.store.papers()) == 1


def test_crashes_lose_and_double_nothing(engine: Engine, server: LocalServer, made: Made) -> None:
    """The process dies after each of the first requests in turn; the next start goes on."""
    invented = InventedSite.of("demo", "演示省", 12)
    watching = made(invented)
    watch = watching.add("demo")
    watching.store.queue(watch.id)

    class Dead(BaseException):
        pass

    get = watching.visitor().get
    for survived in (0, 1, 2, 3, 1, 2):
        left = iter(range(survived))

        def dying(url: str, unless: object = None, accept: object = (), left: Iterator[int] = left) -> object:
            if next(left, None) is None:
                raise Dead
            return get(url, unless, accept)  # type: ignore[arg-type]

        watching.visitor().get = dying  # type: ignore[method-assign,assignment]
        with pytest.raises(Dead):
            watching.work()
        watching.recover()
    watching.visitor().get = get  # type: ignore[method-assign]
    watching.work()
    assert len(watching.store.papers("waiting")) == 12
    assert sum(r.path in invented.papers for r in server.seen) == 12


def test_a_new_version_waits_for_a_signature_and_the_sheet_says_what_it_touches(engine: Engine, made: Made) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    watching = made(invented)
    watch = watching.add("demo")
    watching.due()
    watching.work()
    accept_all(engine, watching)
    asked = engine.ask("第0批演示光伏项目的并网申请几个工作日内答复？")
    assert asked.quotes and "十个工作日" in asked.quotes[0].text
    engine.library.searches.save("并网答复", "第0批演示光伏项目的并网申请几个工作日内答复？", asked.query.filters)
    invented.add(0, days="五个", since="2026年9月1日")
    watching.store.queue(watch.id)
    watching.work(recheck=True)
    (one,) = watching.store.papers("waiting")
    sheet = watching.sheet(one.id).sheet
    assert sheet is not None
    assert "新版本" in sheet["kinds"]
    changed = [(p["kind"], p["old"]["name"]) for p in sheet["comparisons"][0]["pairs"]]
    assert changed == [("修改", "第二条"), ("修改", "第三条")]
    assert [a["trace_id"] for a in sheet["touched"]["answers"]] == [asked.trace_id]
    assert [s["name"] for s in sheet["touched"]["searches"]] == ["并网答复"]
    assert sheet["texts"][0]["began"] == "2026-09-01 施行"
    assert "十个工作日" in engine.ask("第0批演示光伏项目的并网申请几个工作日内答复？").quotes[0].text
    with pytest.raises(ConflictError):
        watching.accept(one.id, "已核对", seen="0" * 64)
    watching.accept(one.id, "已与原网页核对")
    assert engine.intake.jobs.wait(60)
    assert len(engine.regulations()) == 2
    trail = [e for e in engine.library.audit_trail().entries if e.action == "change_sheet"]
    assert "已与原网页核对" in trail[0].detail and "sheet_sha256" in trail[0].detail
    with pytest.raises(BadRequestError):
        watching.accept(one.id)


def test_what_a_person_keeps_out_stays_out(engine: Engine, made: Made) -> None:
    watching = made(invented := InventedSite.of("demo", "演示省", 1))
    watch = watching.add("demo")
    watching.due()
    watching.work()
    (one,) = watching.store.papers("waiting")
    watching.dismiss(one.id, "与业务无关")
    watching.store.queue(watch.id)
    watching.work(recheck=True)
    assert watching.store.papers("waiting") == [] and engine.regulations() == ()
    with pytest.raises(NemoError):
        engine.library.raw(one.sha256)
    assert invented.papers


def test_a_folder_is_looked_through(engine: Engine, made: Made, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "甲办法.html").write_text(paper("甲省", 1), "utf-8")
    watching = made(InventedSite.of("demo", "演示省", 0))
    watch = watching.add(str(shared), "weekly")
    watching.due()
    watching.work()
    (one,) = watching.store.papers("waiting")
    assert one.name == "甲办法.html" and one.fetched_at is not None  # the sheet says when it was collected
    watching.store.queue(watch.id)
    watching.work()
    assert watching.store.history(watch.id)[0].counts == {"entries": 1, "unchanged": 1}
    for text in (paper("甲省", 1, "三个"), paper("甲省", 1)):  # changed, and changed back: the last one waits
        (shared / "甲办法.html").write_text(text, "utf-8")
        watching.store.queue(watch.id)
        watching.work()
        (now,) = watching.store.papers("waiting")
        (before,) = watching.store.papers("replaced")
        assert engine.library.raw(now.sha256).content == text.encode() and "后来的一份" in before.reason
        with pytest.raises(NemoError):
            engine.library.raw(before.sha256)
        with pytest.raises(BadRequestError):
            watching.accept(before.id)
    (shared / "乙办法.html").write_text(paper("乙省", 2), "utf-8")
    (shared / "外").symlink_to(tmp_path / "elsewhere.html")
    (tmp_path / "elsewhere.html").write_text(paper("丙省", 3), "utf-8")
    watching.store.queue(watch.id)
    watching.work()
    assert sorted(p.name for p in watching.store.papers("waiting")) == ["乙办法.html", "甲办法.html"]
    shutil.rmtree(shared)
    watching.store.queue(watch.id)
    watching.work()
    assert "没有挂载" in watching.store.history(watch.id)[0].problem


def test_collecting_is_off_and_says_so(tmp_path: Path) -> None:
    from nemo import settings

    with Engine.open(settings.load(library=tmp_path / "library", workers=0)) as engine:
        with pytest.raises(ConfigError, match="NEMO_DISCOVERY"):
            engine.watch.add("nea")
        engine.watch.start()
        assert engine.watch._thread is None


@pytest.mark.parametrize("wrong", ["每天", "* * * * *", "0 0 30 2 *", "61 1 * * *", ""])
def test_plans_that_are_none_or_too_dense(wrong: str) -> None:
    with pytest.raises(BadRequestError):
        schedule.following(wrong, dt.datetime.now(dt.UTC))


def test_plans_run_by_the_clock_of_china() -> None:
    at = dt.datetime(2026, 11, 22, 12, 0, tzinfo=dt.UTC)
    assert schedule.following("daily", at) == dt.datetime(2026, 11, 22, 21, 30, tzinfo=dt.UTC)
    assert schedule.following("weekly", at) == dt.datetime(2026, 11, 22, 21, 30, tzinfo=dt.UTC)
    assert schedule.following("0 9 * * 1-5", at) == dt.datetime(2026, 11, 23, 1, 0, tzinfo=dt.UTC)
