"""What is looked at on a schedule, what was met there, and what was collected (采集的来源、访问、地址、文件).

A visit goes ``queued`` → ``running`` → ``done`` or ``failed``; of one watch at most one is unfinished. An address is
written down as ``new`` with the list page it stands on, and becomes ``kept`` in the same transaction that keeps its
bytes: whatever a crash interrupts is found again as ``new``, and nothing is kept twice.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from typing import Any

import sqlalchemy as sa

from nemo.errors import BadRequestError
from nemo.store.catalogue import originals
from nemo.store.catalogue.database import Records, added
from nemo.store.catalogue.dialects import COLLECTED
from nemo.store.catalogue.schema import now, raw_files
from nemo.store.catalogue.watch_tables import addresses, deliveries, papers, visits, watches
from nemo.store.records import audit
from nemo.types import RawDocument

OPEN = ("queued", "running")
LEASE = dt.timedelta(minutes=10)
"""Of several processes one that gave no sign of life on a visit for so long is taken for dead: longer than any request."""
UNDECIDED = ("unread", "waiting")
"""States of papers that somebody, or a reader, still has to look at."""
REPLACED = "来源处的文件又有改动，请处理后来的一份。"
"""Why nobody decides on a replaced paper."""


@dataclass(frozen=True, slots=True)
class Watch:
    """Something that is looked at again and again (采集来源)."""

    id: int
    kind: str
    """``site``: ``subject`` is the code of an official source; ``folder``: its path; ``objects``: their address."""
    subject: str
    schedule: str
    paused: bool
    next: dt.datetime
    by: str | None
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class SiteVisit:
    """One look at a watch (一次采集)."""

    id: int
    watch_id: int
    state: str
    due: dt.datetime
    """When it may begin; once it runs, until when it belongs to who is at it."""
    tries: int
    began: dt.datetime | None
    ended: dt.datetime | None
    counts: Mapping[str, int]
    alarms: tuple[str, ...]
    problem: str
    by: str | None


@dataclass(frozen=True, slots=True)
class SeenAddress:
    """An address that a watch met."""

    watch_id: int
    url: str
    kind: str
    """``list``, ``item`` (a page of one text) or ``file``."""
    state: str
    """``new``: to be fetched; ``kept``; ``failed`` after its last try, with ``problem``."""
    title: str = ""
    listed: str = ""
    """What the list says beside the title, its date among it: another one means another text."""
    parent: str = ""
    etag: str = ""
    modified: str = ""
    digest: str = ""
    layout: str = ""
    """Of a list page: where in the page its entries stand."""
    links: tuple[str, ...] = ()
    """Of a list page: the addresses it holds."""
    tries: int = 0
    problem: str = ""
    seen: dt.datetime | None = None
    fetched: dt.datetime | None = None

    @property
    def validators(self) -> dict[str, str]:
        """What a server is asked with, so that it sends only what changed (RFC 9110)."""
        return {n: v for n, v in (("If-None-Match", self.etag), ("If-Modified-Since", self.modified)) if v}


@dataclass(frozen=True, slots=True)
class CollectedPaper:
    """A file that was collected (采集所得)."""

    id: int
    watch_id: int | None
    question: str
    """For which it was fetched; empty on a schedule."""
    url: str
    title: str
    name: str
    sha256: str
    media_type: str | None
    fetched_at: dt.datetime | None
    state: str
    """``unread``, ``waiting`` for a person, ``accepted``, ``dismissed``, ``same`` as what is held, ``failed``, or ``replaced``."""
    words: str
    """Hash of its normalised words; empty before it is read."""
    sheet: Mapping[str, Any] | None
    """The change sheet as plain data, see ``nemo.watch.sheet``."""
    generation: int
    """Of the library it was compared with."""
    reason: str
    batch: str | None
    by: str | None
    at: dt.datetime


class WatchStore(Records):
    """The watches of one library with everything they brought."""

    # --- watches

    def add(self, kind: str, subject: str, schedule: str, due: dt.datetime, by: str | None) -> Watch:
        """Add a watch, or give one that stands another schedule and set it going."""
        same = (watches.c.kind == kind, watches.c.subject == subject)
        values = {"schedule": schedule, "paused": False, "next": due, "by": by, "at": now()}
        with self._database.write() as connection:
            if not connection.execute(watches.update().where(*same).values(values)).rowcount:
                added(connection, watches, {"kind": kind, "subject": subject, **values})
            audit.append(connection, "watch", subject, {"schedule": schedule}, by)
        return next(w for w in self.watches() if (w.kind, w.subject) == (kind, subject))

    def watches(self) -> list[Watch]:
        """Return every watch in the order they came."""
        return self._database.found(Watch, sa.select(watches).order_by(watches.c.id))

    def watch(self, watch_id: int) -> Watch:
        """Return one watch."""
        query = sa.select(watches).where(watches.c.id == watch_id)
        missing = f"没有编号为 {watch_id} 的采集来源。请用 python -m nemo watch list 查看。"
        return self._database.one(Watch, query, missing)

    def pause(self, watch_id: int, paused: bool, by: str | None) -> None:
        """Stop a watch, or set it going again; what was queued of a stopped one is taken back."""
        values = {"paused": paused} if paused else {"paused": False, "next": now()}
        with self._database.write() as connection:
            connection.execute(watches.update().where(watches.c.id == watch_id).values(values))
            if paused:
                waiting = visits.delete().where(visits.c.watch_id == watch_id, visits.c.state == "queued")
                connection.execute(waiting)
            audit.append(connection, "watch", str(watch_id), {"paused": paused}, by)

    def schedule(self, watch: Watch, following: dt.datetime) -> bool:
        """Write down when a watch is due again; False when another process did so a moment before."""
        same = (watches.c.id == watch.id, watches.c.next == watch.next)
        return bool(self._database.changed(watches.update().where(*same).values(next=following)))

    def remove(self, watch_id: int, by: str | None) -> None:
        """Forget a watch with what it met; what it brought stays."""
        with self._database.write() as connection:
            connection.execute(papers.update().where(papers.c.watch_id == watch_id).values(watch_id=None))
            for table in (addresses, visits):
                connection.execute(table.delete().where(table.c.watch_id == watch_id))
            connection.execute(watches.delete().where(watches.c.id == watch_id))
            audit.append(connection, "watch", str(watch_id), {"removed": True}, by)

    # --- visits

    def queue(self, watch_id: int, by: str | None = None) -> bool:
        """Queue a visit unless one is unfinished; tell whether one was queued."""
        unfinished = sa.select(visits.c.id).where(visits.c.watch_id == watch_id, visits.c.state.in_(OPEN))
        blank = {"state": "queued", "tries": 0, "counts": {}, "alarms": [], "problem": "", "due": now(), "by": by}
        with self._database.write() as connection:
            if connection.execute(unfinished.limit(1)).first() is not None:
                return False
            connection.execute(visits.insert().values(watch_id=watch_id, **blank))
            return True

    def claim(self, moment: dt.datetime, place_of: Callable[[Watch], str]) -> SiteVisit | None:
        """Take the oldest visit that is due, of a watch not paused whose place (a host, a folder) nobody is at.

        Returns:
            The visit, this process's own until it is settled or the lease ends; None when there is none.
        """
        query = sa.select(visits).where(visits.c.state.in_(OPEN)).order_by(visits.c.due, visits.c.id)
        with self._database.write() as connection:
            at = self._clock(connection)
            watched = {row["id"]: Watch(**row) for row in connection.execute(sa.select(watches)).mappings()}
            rows = [dict(row) for row in connection.execute(query).mappings()]
            dead = [r for r in rows if r["state"] == "running" and self._database.shared and r["due"] <= at]
            alive = [r for r in rows if r["state"] == "running" and r not in dead]
            taken = {place_of(watched[r["watch_id"]]) for r in alive}
            free = [*dead, *(r for r in rows if r["state"] == "queued" and r["due"] <= moment)]
            open_ = (r for r in free if not (w := watched[r["watch_id"]]).paused and place_of(w) not in taken)
            if (found := next(open_, None)) is None:
                return None
            values = {"state": "running", "tries": found["tries"] + 1, "began": at, "due": at + LEASE}
            connection.execute(visits.update().where(visits.c.id == found["id"]).values(values))
        return SiteVisit(**{**found, **values})

    def _clock(self, connection: sa.Connection) -> dt.datetime:
        """Return this moment by the one clock of everybody who has the catalogue open."""
        clock = self._database.dialect.clock()
        return clock if isinstance(clock, dt.datetime) else connection.execute(sa.select(clock)).scalar_one()

    def renew(self, visit: SiteVisit) -> bool:
        """Give a sign of life on a visit; False when it belongs to another by now, or to nobody."""
        with self._database.write() as connection:
            until = self._clock(connection) + LEASE
            return bool(connection.execute(_own(visit).values(due=until)).rowcount)

    def settle(self, visit: SiteVisit, state: str, **values: Any) -> None:
        """Write down how a visit ended, or ``queued`` with another ``due``; who lost the lease settles nothing."""
        ended = None if state == "queued" else now()
        self._database.changed(_own(visit).values(state=state, ended=ended, **values))

    def recover(self) -> int:
        """Queue the visits that a crash cut short again; return how many. Of several processes each claims them later."""
        if self._database.shared:
            return 0
        running = visits.update().where(visits.c.state == "running")
        return self._database.changed(running.values(state="queued", due=now()))

    def first(self) -> AbstractContextManager[bool]:
        """Tell whether this process is the only one that reads what came and tells of it; nobody waits."""
        return self._database.first(COLLECTED)

    def history(self, watch_id: int | None = None, limit: int = 200) -> list[SiteVisit]:
        """Return the newest visits, newest first."""
        query = sa.select(visits).order_by(visits.c.id.desc()).limit(limit)
        if watch_id is not None:
            query = query.where(visits.c.watch_id == watch_id)
        return self._database.found(SiteVisit, query)

    # --- addresses

    def met(self, watch_id: int) -> dict[str, SeenAddress]:
        """Return every address of a watch."""
        query = sa.select(addresses).where(addresses.c.watch_id == watch_id)
        return {each.url: each for each in self._database.found(SeenAddress, query)}

    def listed(self) -> list[tuple[str, str]]:
        """Return title and address of everything that a list ever held."""
        query = sa.select(addresses.c.title, addresses.c.url).where(addresses.c.kind != "list", addresses.c.title != "")
        return [(row.title, row.url) for row in self._database.rows(query)]

    def note(self, found: Iterable[SeenAddress]) -> None:
        """Write addresses down, all or none, each in the place of what was known of it."""
        with self._database.write() as connection:
            _note(connection, found)

    def unreached(self) -> list[SeenAddress]:
        """Return the addresses that could not be fetched at their last try."""
        query = sa.select(addresses).where(addresses.c.problem != "").order_by(addresses.c.seen.desc())
        return self._database.found(SeenAddress, query)

    def try_again(self, watch_id: int) -> int:
        """Have the addresses of a watch that were given up fetched at its next visit; return how many."""
        given_up = (addresses.c.watch_id == watch_id, addresses.c.state == "failed")
        return self._database.changed(addresses.update().where(*given_up).values(state="new", tries=0))

    # --- papers

    def keep(self, raw: RawDocument, about: Mapping[str, Any], where: Sequence[SeenAddress]) -> int | None:
        """Write down a file that was collected, with where it was met; return its number, None when it was known.

        What stood there before and nobody decided on is replaced; when it stands there again, it is read anew. The bytes
        must be safe already, see ``Library.collect``.
        """
        with self._database.write() as connection:
            originals.record(connection, raw)
            _replace(connection, raw.sha256, where)
            same = sa.select(papers.c.id, papers.c.state).where(papers.c.sha256 == raw.sha256)
            number = None
            if (known := connection.execute(same).first()) is not None and known.state == "replaced":
                number = known.id
                connection.execute(papers.update().where(papers.c.id == number).values(state="unread", reason=""))
            elif known is None:
                values = {"name": raw.name, "sha256": raw.sha256, "url": raw.url or "", "media_type": raw.media_type}
                blank = {"state": "unread", "words": "", "generation": 0, "reason": "", "at": now(), "question": ""}
                row = {**blank, **values, "fetched_at": raw.fetched_at, **about}
                number = added(connection, papers, row)
            _note(connection, where)
            return number

    def replaced(self) -> list[str]:
        """Return the hashes of the replaced files whose bytes are still kept."""
        kept = sa.select(papers.c.sha256).join(raw_files, raw_files.c.sha256 == papers.c.sha256)
        return self._database.values(kept.where(papers.c.state == "replaced"))

    def papers(self, *states: str, limit: int = 500) -> list[CollectedPaper]:
        """Return what was collected, newest first, or only what stands in some states."""
        query = sa.select(papers).order_by(papers.c.id.desc()).limit(limit)
        if states:
            query = query.where(papers.c.state.in_(states))
        return self._database.found(CollectedPaper, query)

    def paper(self, number: int) -> CollectedPaper:
        """Return one collected file."""
        missing = f"没有编号为 {number} 的待确认文件，可能已处理。请刷新列表。"
        return self._database.one(CollectedPaper, sa.select(papers).where(papers.c.id == number), missing)

    def paper_of(self, sha256: str) -> CollectedPaper:
        """Return the collected file of these bytes."""
        return self._database.one(
            CollectedPaper, sa.select(papers).where(papers.c.sha256 == sha256), "没有采集过这个文件。"
        )

    def same_words(self, words: str, but: int) -> bool:
        """Tell whether another collected file, not dismissed, has the same words."""
        query = sa.select(papers.c.id).where(papers.c.words == words, papers.c.id != but)
        query = query.where(papers.c.state.in_(("waiting", "accepted", "same")))
        return self._database.row(query.limit(1)) is not None

    def examined(self, number: int, **values: Any) -> None:
        """Write down what was read of a collected file: ``state``, ``words``, ``sheet``, ``generation``, ``reason``."""
        undecided = papers.c.state.in_((*UNDECIDED, "failed"))
        self._database.changed(papers.update().where(papers.c.id == number, undecided).values(values))

    def decide(
        self, paper: CollectedPaper, state: str, reason: str, by: str | None, detail: Mapping[str, object]
    ) -> None:
        """Write down what a person decided on a collected file, signed in the audit log.

        Raises:
            BadRequestError: somebody decided already.
        """
        with self._database.write() as connection:
            waits = (papers.c.id == paper.id, papers.c.state.in_((*UNDECIDED, "failed")))
            change = papers.update().where(*waits).values(state=state, reason=reason, by=by, at=now())
            if not connection.execute(change).rowcount:
                raise BadRequestError("这份文件已有人处理。请刷新列表。")
            audit.append(connection, "change_sheet", paper.title or paper.name, {"decision": state, **detail}, by)

    def handed_over(self, number: int, batch: str | None) -> None:
        """Write down with which batch an accepted file went into the library."""
        self._database.changed(papers.update().where(papers.c.id == number).values(batch=batch))

    def stranded(self) -> list[CollectedPaper]:
        """Return what was accepted and, by a crash, never handed over."""
        return [paper for paper in self.papers("accepted") if paper.batch is None]

    # --- what was sent

    def unsent(self, target: str, events: Sequence[str]) -> list[str]:
        """Return the events that were not yet sent to a target."""
        query = sa.select(deliveries.c.event).where(deliveries.c.target == target)
        sent = set(self._database.values(query))
        return [event for event in dict.fromkeys(events) if event not in sent]

    def note_sent(self, target: str, events: Sequence[str]) -> None:
        """Write down that events were sent to a target."""
        fresh = self.unsent(target, events)
        if fresh:
            with self._database.write() as connection:
                at = now()
                connection.execute(deliveries.insert(), [{"target": target, "event": e, "at": at} for e in fresh])

    def last_sent(self, target: str) -> dt.datetime | None:
        """Return when anything was last sent to a target."""
        query = sa.select(sa.func.max(deliveries.c.at)).where(deliveries.c.target == target)
        return self._database.value(query)


def _own(visit: SiteVisit) -> sa.Update:
    """Change a visit as long as it belongs to who claimed it: another claim has another number."""
    return visits.update().where(visits.c.id == visit.id, visits.c.state == "running", visits.c.tries == visit.tries)


def _replace(connection: sa.Connection, sha256: str, where: Sequence[SeenAddress]) -> None:
    """Have nobody decide on what stood at these addresses before other bytes came, unless it stands elsewhere too."""
    for one in where:
        here = sa.and_(addresses.c.watch_id == one.watch_id, addresses.c.url == one.url)
        before = connection.execute(sa.select(addresses.c.digest).where(here)).scalar()
        elsewhere = sa.select(addresses.c.url).where(addresses.c.digest == before, sa.not_(here))
        if before and before != sha256 and connection.execute(elsewhere.limit(1)).first() is None:
            old = sa.and_(papers.c.sha256 == before, papers.c.state.in_((*UNDECIDED, "failed")))
            connection.execute(papers.update().where(old).values(state="replaced", reason=REPLACED))


def _note(connection: sa.Connection, found: Iterable[SeenAddress]) -> None:
    for one in found:
        values = {f.name: getattr(one, f.name) for f in fields(one)}
        values |= {"seen": one.seen or now()}
        same = (addresses.c.watch_id == one.watch_id, addresses.c.url == one.url)
        if not connection.execute(addresses.update().where(*same).values(values)).rowcount:
            connection.execute(addresses.insert().values(values))
