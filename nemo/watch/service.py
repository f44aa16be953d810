"""Watches, what they bring, and what a person lets into the library (采集服务).

One timer in the process that owns the library: it queues what is due, pays visits to different hosts side by side and
to one host one after the other, tries a failed one three times with growing pauses, and reads what came. Of several
processes on one library each visit is paid by one. Off unless ``NEMO_DISCOVERY`` is set.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nemo import accounts
from nemo.discover.fetch import SiteFetcher, raw_of, require_switched_on
from nemo.discover.finder import search_words
from nemo.errors import BadRequestError, ConflictError, NemoError, NotFoundError, ServiceError
from nemo.ingest.objects import is_object
from nemo.ingest.service import IntakeService
from nemo.lawview.shortfalls import Shortfall, listed_at
from nemo.rules import OfficialSource, Rules
from nemo.settings import Settings
from nemo.store.library import Library
from nemo.store.records.watching import LEASE, CollectedPaper, SiteVisit, Watch, WatchStore
from nemo.text.words.normalise import title_key
from nemo.text.words.tokenise import terms
from nemo.types import CHINA, Lead, RawDocument, Regulation, today
from nemo.watch import plain, schedule
from nemo.watch.collecting import Collector, VisitProgress
from nemo.watch.following import FollowService
from nemo.watch.sheet import SheetMaker, changes_anything, digest, summary, words_of
from nemo.watch.touched import LawView, WholeEngine, everybodys

log = logging.getLogger(__name__)

SITE, FOLDER, OBJECTS = "site", "folder", "objects"
TRIES = 3
"""Times that a visit is tried."""
PAUSES = (dt.timedelta(minutes=5), dt.timedelta(minutes=30))
"""Before the second try and the third."""
SIDE_BY_SIDE = 4
"""Hosts that are visited at a time."""
AT_ONCE = 50
"""Collected files that are read in one go."""
LEAST_SHARED = 3
"""Terms (words and pairs of characters) that a listed title shares with a question."""
MOST_LEADS = 20
RENEWED = LEASE.total_seconds() / 10
"""Seconds between two signs of life on a visit."""
TICK = 20.0
"""Seconds between two looks at what is due."""


class WatchService:
    """Collecting for one library; thread-safe."""

    def __init__(
        self, library: Library, intake: Callable[[], IntakeService], rules: Rules, view: Callable[[], LawView]
    ) -> None:
        self._library, self._intake, self._rules, self._view = library, intake, rules, view
        self._settings: Settings = library.settings
        self._maker = SheetMaker(view)
        self._visitor: SiteFetcher | None = None
        self._closing, self._wake = threading.Event(), threading.Event()
        self._visiting, self._reading, self._starting = threading.Lock(), threading.Lock(), threading.Lock()
        self._thread: threading.Thread | None = None

    @classmethod
    def of(cls, engine: WholeEngine) -> WatchService:
        """Return the service of an engine; files are read by its intake, which is built when it is needed."""
        return cls(engine.library, lambda: engine.intake, engine.rules, lambda: everybodys(engine))

    # --- what people do

    @property
    def store(self) -> WatchStore:
        """Watches, visits, addresses and papers as they are kept."""
        return self._library.watching

    def add(self, subject: str, plan: str = "daily", user: accounts.User | None = None) -> Watch:
        """Look at an official source (its code), a folder (its path) or object storage (``s3://…``) from now on.

        Raises:
            NotPermittedError: people must sign in, and this one may not; folders and storage are for administrators.
            BadRequestError: no such source, one that forbids collecting, a path that is none, or no schedule.
            ConfigError: collecting is switched off.
        """
        require_switched_on(self._settings)
        known = {source.code: source for source in self._rules.sources}
        is_site = subject in known
        accounts.require(user, "ingest" if is_site else "system", self._users)
        if is_site and known[subject].mode != "list":
            raise BadRequestError(f"{known[subject].name}不允许自动采集。请在浏览器中下载后上传入库。")
        is_storage = is_object(subject) and bool(subject.partition("://")[2].strip("/"))
        if not is_site and not is_storage and not (Path(subject).is_absolute() and Path(subject).is_dir()):
            raise BadRequestError(
                f"没有来源“{subject[:80]}”，也没有这个文件夹（须写绝对路径；对象存储写 s3://桶/前缀）。官方来源请在“采集”页的名单中选。"
            )
        schedule.following(plan, dt.datetime.now(dt.UTC))
        kind = SITE if is_site else OBJECTS if is_storage else FOLDER
        watch = self.store.add(kind, subject, plan, dt.datetime.now(dt.UTC), accounts.name_of(user))
        self._wake.set()
        return watch

    def pause(self, watch_id: int, paused: bool = True, user: accounts.User | None = None) -> Watch:
        """Stop a watch at once, or set it going again."""
        accounts.require(user, "ingest", self._users)
        self.store.watch(watch_id)
        self.store.pause(watch_id, paused, accounts.name_of(user))
        self._wake.set()
        return self.store.watch(watch_id)

    def remove(self, watch_id: int, user: accounts.User | None = None) -> None:
        """Forget a watch; what it brought stays."""
        accounts.require(user, "ingest", self._users)
        self.store.watch(watch_id)
        self.store.remove(watch_id, accounts.name_of(user))

    def run(self, watch_id: int, user: accounts.User | None = None, *, wait: bool = False) -> bool:
        """Visit a watch now; tell whether a visit was queued, False when one is under way.

        Raises:
            ConfigError: collecting is switched off.
        """
        require_switched_on(self._settings)
        accounts.require(user, "ingest", self._users)
        self.store.watch(watch_id)
        queued = self.store.queue(watch_id, accounts.name_of(user))
        if wait:
            self.work()
        self._wake.set()
        return queued

    def overview(self) -> list[dict[str, Any]]:
        """Return every watch with its newest visits, as plain data."""
        return [
            plain.watch(w, self.name_of(w), self.store.history(w.id, 20), self._remark(w)) for w in self.store.watches()
        ]

    def _remark(self, watch: Watch) -> str:
        source = self.source(watch.subject) if watch.kind == SITE else None
        if source is None or source.verified:
            return ""
        lists = "" if source.list_pages else "没有已知的栏目网址，从首页读起；"
        return f"{lists}网址与版式依公开资料写成，尚未经人核对：请把首次采集的条目与网页对照。"

    def name_of(self, watch: Watch) -> str:
        """Return what people call a source."""
        source = self.source(watch.subject) if watch.kind == SITE else None
        return source.name if source else watch.subject

    def gaps(self) -> list[tuple[Shortfall, str | None]]:
        """Return every gap of the library with the address under which a list of an official site has what is missing."""
        listed = {title_key(title): url for title, url in self.store.listed()}
        return [(one, listed_at(one, listed)) for one in self._view().law.shortfalls(today())]

    @property
    def _users(self) -> accounts.Users | None:
        return self._intake().users

    # --- the timer

    def start(self) -> None:
        """Set the timer going, once; what a crash cut short is queued again."""
        with self._starting:
            if (
                self._thread is not None
                or self._closing.is_set()
                or (not self._settings.discovery and not self._settings.notifies)
            ):
                return
            self.recover()
            self._thread = threading.Thread(target=self._tick, name="nemo-watch", daemon=True)
            self._thread.start()

    def recover(self) -> None:
        """Queue the visits that a crash cut short again, and hand over what was accepted."""
        self.store.recover()
        for paper in self.store.stranded():
            self._hand_over(paper, None)

    def close(self) -> None:
        """Stop after the request that is at work."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _tick(self) -> None:
        while not self._closing.is_set():
            try:
                if self._settings.discovery:
                    self.due()
                    self.work()
                with self.store.first() as mine:
                    if mine:
                        FollowService(self._view()).send_digests()
            except NemoError as error:  # a disk that refuses, a database that is busy: the next look tries again
                log.warning("collecting waits: %s", error.message)
            self._wake.wait(TICK)
            self._wake.clear()

    def due(self) -> int:
        """Queue every watch whose time has come; return how many."""
        moment = dt.datetime.now(dt.UTC)
        count = 0
        for watch in self.store.watches():
            due = not watch.paused and watch.next <= moment
            if due and self.store.schedule(watch, schedule.following(watch.schedule, moment)):
                count += self.store.queue(watch.id)
        return count

    def work(self, moment: dt.datetime | None = None, *, recheck: bool = False) -> int:
        """Pay the visits that are due, to different hosts side by side, and read what they brought; return how many."""
        count, at_work = 0, set[Future[None]]()
        with self._visiting, ThreadPoolExecutor(SIDE_BY_SIDE, "nemo-visit") as pool:
            while not self._closing.is_set():
                if len(at_work) < SIDE_BY_SIDE:
                    visit = self.store.claim(moment or dt.datetime.now(dt.UTC), self._place)
                    if visit is not None:
                        count += 1
                        at_work.add(pool.submit(self._pay, visit, recheck))
                        continue
                if not at_work:
                    break
                done, at_work = wait(at_work, return_when=FIRST_COMPLETED)
                for each in done:
                    each.result()
        self.read()
        return count

    def _place(self, watch: Watch) -> str:
        """Return what is visited: two sources on one host are never visited at once."""
        source = self.source(watch.subject) if watch.kind == SITE else None
        if source is None:
            return "/".join(watch.subject.split("/")[:3]) if watch.kind == OBJECTS else watch.subject
        return urlsplit((*source.list_pages, source.url)[0]).netloc

    def _pay(self, visit: SiteVisit, recheck: bool) -> None:
        try:
            watch = self.store.watch(visit.watch_id)
        except NotFoundError:
            return  # removed meanwhile, its visits with it
        try:
            gathering = self._gathered(visit, watch, recheck)
        except NemoError as error:
            if visit.tries < TRIES and not isinstance(error, BadRequestError):
                due = dt.datetime.now(dt.UTC) + PAUSES[visit.tries - 1]
                self.store.settle(visit, "queued", due=due, problem=error.message)
            else:
                self.store.settle(visit, "failed", problem=error.message, alarms=[error.message])
            return
        outcome = {"counts": dict(gathering.counts), "alarms": gathering.alarms, "problem": ""}
        if self._stopped(watch):
            self.store.settle(visit, "queued", due=dt.datetime.now(dt.UTC), **outcome)
        else:
            self.store.settle(visit, "done", **outcome)

    def _gathered(self, visit: SiteVisit, watch: Watch, recheck: bool) -> VisitProgress:
        renewed = time.monotonic()

        def stopping() -> bool:
            nonlocal renewed
            if time.monotonic() - renewed > RENEWED:
                renewed = time.monotonic()
                if not self.store.renew(visit):
                    return True  # taken for dead: another process is at it
            return self._stopped(watch)

        collector = Collector(self._library, self.visitor(), stopping, recheck=recheck)
        if watch.kind != SITE:
            return collector.folder(watch) if watch.kind == FOLDER else collector.objects(watch)
        source = self.source(watch.subject)
        if source is None:
            raise BadRequestError(f"规则数据中已没有来源“{watch.subject}”。请移除这一采集来源。")
        return collector.site(watch, source, self._settings.crawl_pages)

    def _stopped(self, watch: Watch) -> bool:
        return self._closing.is_set() or any(w.paused for w in self.store.watches() if w.id == watch.id)

    def visitor(self) -> SiteFetcher:
        """Return who pays visits to official sites.

        Raises:
            ConfigError: collecting is switched off.
        """
        if self._visitor is None:
            self._visitor = self._intake().finder().visitor
            self._visitor.pause_with(self._closing.wait)
        return self._visitor

    def source(self, code: str) -> OfficialSource | None:
        """Return an official source by its code."""
        return next((s for s in self._rules.sources if s.code == code), None)

    # --- reading what came

    def read(self) -> int:
        """Read every collected file that nobody read yet, and write its change sheet; return how many."""
        with self._reading, self.store.first() as mine:
            waiting = self.store.papers("unread", limit=10_000)[::-1] if mine else []
            self._examine(waiting)
            for sha256 in self.store.replaced() if mine else ():
                self._library.let_go(sha256)
            return len(waiting)

    def _examine(self, waiting: Sequence[CollectedPaper]) -> None:
        """Read files, some at a time: what an archive holds comes one after the other."""
        for start in range(0, len(waiting), AT_ONCE):
            part = waiting[start : start + AT_ONCE]
            found: dict[int, list[Regulation]] = {}
            wrong: dict[int, NemoError] = {}
            for number, result in self._intake().read(map(self._raw, part)):
                if isinstance(result, NemoError):
                    wrong[number] = result
                else:
                    found.setdefault(number, []).extend(result)
            if self._closing.is_set():
                return
            for number, paper in enumerate(part):
                self._written_down(paper, found.get(number, ()), wrong.get(number))

    def _raw(self, paper: CollectedPaper) -> RawDocument:
        return replace(self._library.raw(paper.sha256), name=paper.name, url=paper.url or None)

    def _written_down(self, paper: CollectedPaper, found: Sequence[Regulation], wrong: NemoError | None) -> None:
        raw = self._raw(paper)
        if not found:
            message = "".join((wrong.message, *wrong.tips)) if wrong else "文件中没有可引用的正文。"
            self.store.examined(paper.id, state="failed", reason=message)
            return
        words = words_of(found)
        if self._maker.held(found) or self.store.same_words(words, paper.id):
            self.store.examined(paper.id, state="same", words=words, reason="文字与已有的文件相同")
            self._library.let_go(paper.sha256)
            return
        raw = self._apart(raw, found)
        sheet, generation = self._maker.sheet(found, raw), self._library.generation
        self.store.examined(
            paper.id, state="waiting", words=words, sheet=sheet, generation=generation, name=raw.name, reason=""
        )

    def _apart(self, raw: RawDocument, found: Sequence[Regulation]) -> RawDocument:
        """Give a file another name than a held one of the same title that starts on another day: both are kept."""
        starts = {one.validity.effective for one in found}
        held = [self._library.row(i) for i in self._library.would_replace(found, raw)]
        if any(row.sha256 != raw.sha256 and row.validity.effective not in starts for row in held):
            path = Path(raw.name)
            return replace(raw, name=f"{path.stem}-{raw.sha256[:6]}{path.suffix}")
        return raw

    # --- a person decides

    def sheet(self, number: int) -> CollectedPaper:
        """Return a collected file that waits, its sheet as it is by now: texts, answers and reviews may have come since."""
        paper = self.store.paper(number)
        if paper.state == "waiting" and paper.generation != self._library.generation:
            with self._reading:
                self._examine([paper])
            paper = self.store.paper(number)
        if paper.state == "waiting" and paper.sheet is not None:
            rests = self._maker.touched(paper.sheet["effects"], paper.sheet["comparisons"])
            now = json.loads(json.dumps(rests, ensure_ascii=False, default=str))
            if now != paper.sheet["touched"]:
                self.store.examined(number, sheet={**paper.sheet, "touched": now})
                paper = self.store.paper(number)
        return paper

    def word(self, number: int) -> bytes:
        """Return the change sheet of a collected file as a Word file, with who decided and when.

        Raises:
            BadRequestError: it has no sheet.
        """
        from nemo.export.sheet import word  # python-docx: only who takes a sheet away pays for it

        paper = self.sheet(number)
        if paper.sheet is None:
            raise BadRequestError("这份文件没有变更影响单。")
        decided = {"accepted": "确认入库", "dismissed": "不入库"}.get(paper.state)
        when = f"{paper.at.astimezone(CHINA):%Y-%m-%d %H:%M}"
        facts = (
            ("文件", paper.name),
            ("来源", paper.url),
            ("采集时间", f"{paper.fetched_at.astimezone(CHINA):%Y-%m-%d %H:%M}" if paper.fetched_at else ""),
            ("结论", summary(paper.sheet)),
            ("签认", f"{decided}：{paper.by or '未登录'}，{when}" if decided else "待确认"),
            ("说明", paper.reason),
            ("原件校验值", paper.sha256),
            ("影响单校验值", digest(paper.sheet)),
        )
        return word(paper.sheet, facts)

    def accept(
        self, number: int, reason: str = "", user: accounts.User | None = None, seen: str | None = None
    ) -> str | None:
        """Let a collected file into the library under somebody's name; return the batch it goes in with.

        What changes held law is signed by a reviewer. ``seen`` is ``digest`` of the sheet that the person looked
        at; None to accept whatever it says now.

        Raises:
            BadRequestError: it was decided already, or cannot be read.
            ConflictError: the library changed, and the sheet says something else now.
        """
        paper = self.sheet(number)
        if paper.state != "waiting" or paper.sheet is None:
            raise BadRequestError("这份文件不在待确认之列。请刷新列表。")
        accounts.require(user, "review" if changes_anything(paper.sheet) else "ingest", self._users)
        known = digest(paper.sheet)
        if seen is not None and seen != known:
            raise ConflictError("您查看之后资料库已有变化，影响单随之改变。文件没有入库，请看过新的影响单再确认。")
        detail = {"reason": reason, "sheet_sha256": known, "file_sha256": paper.sha256, "kinds": paper.sheet["kinds"]}
        self.store.decide(paper, "accepted", reason, accounts.name_of(user), detail)
        return self._hand_over(paper, user)

    def _hand_over(self, paper: CollectedPaper, user: accounts.User | None) -> str | None:
        batch = self._intake().enqueue_accepted(self._raw(paper), f"采集：{paper.title or paper.name}"[:80], user)
        self.store.handed_over(paper.id, batch)
        return batch

    def dismiss(self, number: int, reason: str, user: accounts.User | None = None) -> None:
        """Keep a collected file out of the library.

        Raises:
            BadRequestError: as in :meth:`accept`.
        """
        accounts.require(user, "ingest", self._users)
        paper = self.store.paper(number)
        self.store.decide(
            paper, "dismissed", reason, accounts.name_of(user), {"reason": reason, "file_sha256": paper.sha256}
        )
        self._library.let_go(paper.sha256)

    def retry(self, numbers: Sequence[int], user: accounts.User | None = None) -> None:
        """Read files of the quarantine again, as after an update or once a reader of their format is there."""
        accounts.require(user, "ingest", self._users)
        for number in numbers:
            if self.store.paper(number).state == "failed":
                self.store.examined(number, state="unread", reason="")
        self.read()

    def refetch(self, watch_id: int, user: accounts.User | None = None) -> int:
        """Visit a watch now for the addresses that were given up, too; return how many.

        Raises:
            ConfigError: collecting is switched off.
        """
        accounts.require(user, "ingest", self._users)
        count = self.store.try_again(watch_id)
        self.run(watch_id, user)
        return count

    # --- for one question

    def seek(self, question: str, province: str | None = None, year: int | None = None) -> tuple[list[Lead], list[str]]:
        """Return leads for a question, and in Chinese where was looked for what: what lists hold, then a search service.

        Raises:
            ConfigError: collecting is switched off.
        """
        require_switched_on(self._settings)
        held = {row.url for row in self._library.headers()}
        wanted = set(terms(question))
        scored = [
            (len(wanted & set(terms(title))), title, url) for title, url in self.store.listed() if url not in held
        ]
        best = sorted((one for one in scored if one[0] >= LEAST_SHARED), key=lambda one: -one[0])[:MOST_LEADS]
        found = {url: Lead(url, title, "listed") for _, title, url in best}
        notes = [f"已采集栏目的 {len(scored)} 个条目中，{len(best)} 个标题与问题相近"]
        try:
            asked = search_words(question, year)
            searched = self._intake().finder().search(asked, MOST_LEADS, province)
            found |= {lead.url: lead for lead in searched if lead.url not in held}
            official = sum((urlsplit(lead.url).hostname or "").endswith(".gov.cn") for lead in searched)
            notes.append(f"搜索服务按“{asked}”在官方来源中找到 {len(searched)} 条，其中政府网站 {official} 条")
        except NemoError as error:
            notes.append(error.message)
        return list(found.values()), notes

    def bring(self, leads: Sequence[Lead], question: str, user: accounts.User | None = None) -> list[dict[str, Any]]:
        """Fetch leads for a question and read them; return for each what became of it, nothing of it in the library yet.

        Raises:
            ConfigError: collecting is switched off, or the disk refuses.
        """
        accounts.require(user, "ingest", self._users)
        results: list[dict[str, Any]] = []
        for lead in leads:
            try:
                raw = raw_of(lead, self.visitor().get(lead.url))
            except (BadRequestError, ServiceError) as error:
                results.append({"lead": lead, "paper": None, "problem": error.message})
                continue
            self._library.collect(raw, {"title": lead.title, "question": question})
            results.append({"lead": lead, "paper": self.store.paper_of(raw.sha256).id, "problem": ""})
        self.read()
        return results
