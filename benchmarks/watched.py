"""Collecting measured on an invented web, and change sheets on seeded changes (采集与变更影响单的度量).

``python -m benchmarks.watched --sites 40 --papers 300`` serves so many invented sites on this machine, with faults:
404 and 412 pages, redirects off the list, links to other sites, papers under two addresses, lists in GB 18030, closed
folders, attachments, answers cut short and slow ones. It says how much of what can be reached was collected and how
often, what was touched that must not be, what a second visit fetched, whether visits that were killed go on without
loss or doubles, whether a changed layout raises the alarm, and how right change sheets are.
"""

import argparse
import datetime as dt
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from nemo.discover.fetch import SiteFetcher
from nemo.engine import Engine
from nemo.services.outbound import Limits
from nemo.text.words.numerals import to_chinese as chinese
from nemo.types import RawDocument
from nemo.watch.service import WatchService
from nemo.watch.sheet import SheetMaker
from nemo.watch.touched import everybodys
from tests.local_server import Answer, LocalServer, serving
from tests.official_site import switched_on
from tests.watched_web import InventedSite, serve

CLOSED = "/{code}/closed_"
KILLS = 20
CHANGES = 60


def web(sites: int, papers: int, elsewhere: str) -> list[InventedSite]:
    """Return invented sites, each with the faults that its number gives it."""
    made = []
    for number in range(sites):
        one = InventedSite.of(f"s{number}", f"演示{number}省", papers, encoding=("utf-8", "gb18030")[number % 2])
        paths = list(one.papers)
        one.robots = f"Disallow: {CLOSED.format(code=one.code)}"
        _fault(one, paths, number, elsewhere)
        made.append(one)
    made[0].robots = "User-agent: *\n" + made[0].robots
    return made


def _fault(one: InventedSite, paths: list[str], number: int, elsewhere: str) -> None:
    one.special[paths[1]] = Answer(status=404)
    one.special[paths[2]] = Answer(status=412)
    one.special[paths[3]] = Answer(status=302, headers={"Location": "https://other.example.cn/a.html"})
    one.special[paths[4]] = Answer(b"x" * 4000, cut=True)
    one.special[paths[5]] = Answer(one.papers[paths[5]].encode(), headers={"Content-Type": "text/html"}, delay=0.2)
    double = f"/{one.code}/t20260101_{900000 + number}.html"
    one.papers[double], one.titles[double] = one.papers[paths[6]], one.titles[paths[6]]
    one.attach(paths[7], "fj1.pdf", f"%PDF-1.4 demo {number}".encode())
    closed = f"{CLOSED.format(code=one.code)}202601.html"
    one.papers[closed], one.titles[closed] = one.papers[paths[8]] + "closed", one.titles[paths[8]]
    one.titles[f"{elsewhere}/{one.code}/t20260101_1.html"] = "关于别处演示光伏项目的通知"
    one.titles[f"/{one.code}/away.html"] = "名单外的首页演示链接文字"


def reachable(one: InventedSite) -> set[str]:
    """Return the texts of a site that a polite visitor can have, each once."""
    bad = {
        path
        for path, answer in one.special.items()
        if isinstance(answer, Answer) and (answer.status != 200 or answer.cut)
    }
    open_ = {p for p in one.papers if p not in bad and "closed_" not in p}
    return {one.papers[p] for p in open_} | {content.decode() for content in one.attached.values()}


def service(engine: Engine, server: LocalServer, sites: list[InventedSite]) -> WatchService:
    """Return a service that knows the invented sites and reads nothing: here the web is measured."""
    sources = tuple(one.source(server) for one in sites)
    made = WatchService(
        engine.library, lambda: engine.intake, replace(engine.rules, sources=sources), lambda: everybodys(engine)
    )
    made._visitor = SiteFetcher(engine.settings, sources, loopback=True, sleep=lambda _: None)
    made._visitor.client.limits = Limits(seconds=10.0, attempts=2, pause=0.0)
    made.read = lambda: 0  # type: ignore[method-assign]
    return made


def settings_of(folder: Path) -> Any:
    """Return settings that wait for nobody: the web is on this machine."""
    return switched_on(library=folder, workers=0, crawl_delay=0.0, crawl_pages=50)


def collected(sites: int, papers: int) -> dict[str, Any]:
    """Visit the web, then again after a few changes, then once with other layouts."""
    with serving() as server, serving() as elsewhere, tempfile.TemporaryDirectory() as folder:
        invented = web(sites, papers, elsewhere.url.replace("127.0.0.1", "localhost"))
        serve(server, *invented)
        with Engine.open(settings_of(Path(folder))) as engine:
            made = service(engine, server, invented)
            watches = [made.add(one.code) for one in invented]
            began = time.perf_counter()
            _visit(made, watches)
            seconds = time.perf_counter() - began
            got = Counter(engine.library.raw(p.sha256).content.decode() for p in made.store.papers(limit=10**6))
            wanted = {text for one in invented for text in reachable(one)}
            first = _bytes(made, watches)
            again = _again(made, watches, invented)
            return {
                "sites": sites, "papers": sum(len(one.papers) for one in invented), "reachable": len(wanted),
                "collected_per_mille": round(1000 * len(wanted & got.keys()) / len(wanted), 2),
                "doubles": sum(n - 1 for n in got.values()), "beyond": len(got.keys() - wanted),
                "outside_the_list": len(elsewhere.seen), "closed_by_robots": sum("closed_" in r.path for r in server.seen),
                "requests": len(server.seen), "seconds": round(seconds, 1), "bytes_first": first, **again,
                "layout_alarms": _layouts(made, watches, invented),
            }  # fmt: skip


def _visit(made: WatchService, watches: list[Any], *, recheck: bool = False) -> None:
    for watch in watches:
        made.store.queue(watch.id)
    made.work(recheck=recheck)


def _bytes(made: WatchService, watches: list[Any]) -> int:
    return sum(made.store.history(watch.id, 1)[0].counts.get("bytes", 0) for watch in watches)


def _again(made: WatchService, watches: list[Any], invented: list[InventedSite]) -> dict[str, Any]:
    """Publish one paper more and change one on every tenth site, and look at everything again."""
    changed = invented[::10]
    for one in changed:
        one.add(800001)
        one.papers[list(one.papers)[9]] += "<p>第四条 演示增加的一条。</p>"
    before = len(made.store.papers(limit=10**6))
    _visit(made, watches, recheck=True)
    second = _bytes(made, watches)
    return {
        "bytes_second": second,
        "changes": 2 * len(changed),
        "changes_found": len(made.store.papers(limit=10**6)) - before,
    }


def _layouts(made: WatchService, watches: list[Any], invented: list[InventedSite]) -> str:
    rows = ('<table><tr><td><a href="{url}">{title}</a></td></tr></table>', "<div>{title}</div>")
    for number, one in enumerate(invented):
        one.row = rows[number % 2]
    _visit(made, watches)
    told = sum(bool(made.store.history(watch.id, 1)[0].alarms) for watch in watches)
    return f"{told}/{len(watches)}"


# --- killed and started again


def killed(times: int, papers: int = 60) -> dict[str, Any]:
    """Kill a collecting process at random moments; the next one goes on."""
    dice = random.Random(7)
    right = 0
    with serving() as server:
        invented = InventedSite.of("s0", "演示省", papers)
        serve(server, invented)
        for _ in range(times):
            with tempfile.TemporaryDirectory() as folder:
                right += _killed_once(server, invented, Path(folder), dice)
    return {"kills": times, "resumed": right}


def _killed_once(server: LocalServer, invented: InventedSite, folder: Path, dice: random.Random) -> bool:
    command = [
        sys.executable,
        "-m",
        "benchmarks.watched",
        "--child",
        str(folder),
        "--at",
        server.url,
        "--papers",
        str(len(invented.papers)),
    ]
    server.seen.clear()
    child = subprocess.Popen(command)
    moment = dice.randrange(1, len(invented.papers))
    while len(server.seen) < moment and child.poll() is None:
        time.sleep(0.005)
    time.sleep(dice.random() * 0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    subprocess.run(command, check=True)
    with Engine.open(settings_of(folder)) as engine:
        kept = engine.library.watching.papers(limit=10**6)
        texts = [engine.library.raw(p.sha256).content.decode() for p in kept]
        return sorted(texts) == sorted(invented.papers.values()) and not engine.library.verify()


def child(folder: Path, url: str, papers: int) -> None:
    """Collect from a site that another process serves."""

    class Elsewhere:
        def __init__(self) -> None:
            self.url = url

    invented = [InventedSite.of("s0", "演示省", papers)]
    with Engine.open(settings_of(folder)) as engine:
        made = service(engine, Elsewhere(), invented)  # type: ignore[arg-type]
        made.recover()
        watch = made.add("s0")
        made.store.queue(watch.id)
        made.work()


# --- change sheets


def rule(number: int, articles: list[str], since: str, annex: str = "") -> str:
    """Return an invented rule."""
    lines = [
        f"演示第{number}号光伏项目管理办法（演示文本）",
        f"（{since[:4]}年1月10日演示省能源局公布 自{since}起施行）",
    ]
    lines += [f"第{chinese(i)}条 {text}" for i, text in enumerate(articles, 1)]
    lines += [f"第{chinese(len(articles) + 1)}条 本办法自{since}起施行。"]
    return "\n\n".join(lines) + (f"\n\n附件1\n\n{annex}\n" if annex else "\n")


def articles_of(number: int) -> list[str]:
    """Return ten articles, each about something of its own."""
    subjects = ("选址", "备案", "接入", "验收", "调度", "计量", "结算", "检修", "消防", "退役")
    return [
        f"演示项目的{what}由第{number}号演示机构办理，{what}材料应当在{(n * 7 + number) % 40 + 5}日内报送，{what}记录至少保存{n + 2}年。"
        for n, what in enumerate(subjects)
    ]


SINCE, LATER = "2024年3月1日", "2026年9月1日"


def seeded(number: int) -> tuple[str, str, set[tuple[str, str]]]:
    """Return an old text, what became of it, and the changes that a sheet must name."""
    dice, old = random.Random(number), articles_of(number)
    kind = number % 6
    held = rule(number, old, SINCE)
    version = {("已被修改", ""), ("修改", "正文"), ("修改", f"第{chinese(11)}条")}
    if kind == 0:
        chosen = sorted(dice.sample(range(10), dice.randint(1, 3)))
        new = [f"{text[:-1]}，逾期的不予受理。" if i in chosen else text for i, text in enumerate(old)]
        return held, rule(number, new, LATER), version | {("修改", f"第{chinese(i + 1)}条") for i in chosen}
    if kind == 1:
        text = rule(1000 + number, ["演示新设机构统一办理演示事项，原有规定不再执行。"], LATER)
        clause = f"本办法自{LATER}起施行。《演示第{number}号光伏项目管理办法（演示文本）》同时废止。"
        return held, text.replace(f"本办法自{LATER}起施行。", clause), {("已废止", "")}
    if kind == 2:
        return held, rule(number, old, LATER, "演示设备清单：逆变器、变压器、开关柜。"), version | {("新增", "附件1")}
    if kind == 3:
        at = dice.randrange(1, 9)
        new = [*old[:at], "演示项目应当每年开展一次演示安全评估，评估报告向社会公开。", *old[at:]]
        moved = {("移动", f"第{chinese(i + 1)}条") for i in range(at, 10)} | {("新增", f"第{chinese(at + 1)}条")}
        return held, rule(number, new, LATER), version | moved
    if kind == 4:
        return held, rule(number, old, LATER), version
    return held, "\n" + held.replace("，", "， ").replace("\n\n", "\n \n\n"), set()


def sheets(changes: int) -> dict[str, Any]:
    """Return precision and recall of change sheets over seeded changes."""
    right = named = wanted = 0
    wrong: list[Any] = []
    with tempfile.TemporaryDirectory() as folder, Engine.open(settings_of(Path(folder))) as engine:
        cases = [seeded(n) for n in range(changes)]
        files = [RawDocument.of(held.encode(), f"办法{n}.md") for n, (held, _, _) in enumerate(cases)]
        engine.intake.ingest_raw(files)
        maker = SheetMaker(lambda: everybodys(engine))
        for number, (_, text, expected) in enumerate(cases):
            raw = RawDocument.of(text.encode(), f"新{number}.md")
            ((_, found),) = engine.intake.read([raw])
            assert isinstance(found, list), found
            told = set() if maker.held(found) else set(_items(maker.sheet(found, raw)))
            right, named, wanted = right + len(told & expected), named + len(told), wanted + len(expected)
            if told != expected:
                wrong.append((number, sorted(told - expected), sorted(expected - told)))
    return {
        "changes": changes,
        "items": wanted,
        "precision": round(right / named, 4),
        "recall": round(right / wanted, 4),
        "wrong": wrong[:10],
    }


def _items(sheet: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for effect in sheet["effects"]:
        yield effect["change"], ""
    for compared in sheet["comparisons"]:
        if compared["why"] == "取代":
            continue
        for pair in compared["pairs"]:
            side = pair["new"] if pair["kind"] == "新增" else pair["old"]
            yield pair["kind"], re.sub(r"^附件1.*", "附件1", side["name"] or "正文")


def main() -> None:
    """Measure what is asked for and print it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=40)
    parser.add_argument("--papers", type=int, default=300)
    parser.add_argument("--part", choices=("web", "kills", "sheets", "all"), default="all")
    parser.add_argument("--child", type=Path)
    parser.add_argument("--at", default="")
    given = parser.parse_args()
    if given.child:
        child(given.child, given.at, given.papers)
        return
    told: dict[str, Any] = {"at": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), "cores": os.cpu_count()}
    if given.part in ("sheets", "all"):
        told["sheets"] = sheets(CHANGES)
    if given.part in ("kills", "all"):
        told["kills"] = killed(KILLS)
    if given.part in ("web", "all"):
        told["web"] = collected(given.sites, given.papers)
    print(json.dumps(told, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
