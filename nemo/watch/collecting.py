"""One visit to a watch: its lists are read, what is new is fetched with what is attached to it (一次采集).

Everything met is in the catalogue before it is fetched, and what is fetched is kept in one transaction with its
address: a visit that a crash cuts short goes on where it was. A site that says what it has of a page (ETag,
Last-Modified) is asked with it, so that what is unchanged is not sent again.
"""

import datetime as dt
import hashlib
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from nemo.discover import crawler, listing
from nemo.discover.fetch import SiteFetcher, raw_of
from nemo.errors import BadRequestError, ConfigError, NemoError, ServiceError, TooLargeError
from nemo.ingest import files_in, objects, read_file
from nemo.ingest.files import wanted
from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.store.library import Library
from nemo.store.records.watching import SeenAddress, Watch
from nemo.types import Lead, RawDocument

TRIES = 3
"""Visits in which an address may fail before it is given up."""
RECHECK = dt.timedelta(days=7)
"""A page that was fetched is looked at again after this time: its server says whether it changed."""
RECHECK_WHOLE = dt.timedelta(days=30)
"""The same for a page whose server does not say: it is fetched whole."""
MARKUP = ("text/html", "application/xhtml+xml")


@dataclass
class VisitProgress:
    """What a visit brought so far."""

    counts: Counter[str] = field(default_factory=Counter)
    """``lists``, ``entries``, ``requests``, ``bytes``, ``new``, ``changed``, ``unchanged``, ``failed``."""
    alarms: list[str] = field(default_factory=list)
    """In Chinese: what somebody should look at."""


HeldPlace = tuple[str, str, Callable[[], RawDocument]]
"""Address of a file of a folder or storage, what changes with its content, and what reads it."""


class Collector:
    """Pays the visits of one library."""

    def __init__(
        self,
        library: Library,
        visitor: SiteFetcher,
        stopping: Callable[[], bool] = lambda: False,
        *,
        recheck: bool = False,
    ) -> None:
        """Keep what is needed.

        ``stopping`` is asked before every request: a visit that stops goes on at the next. ``recheck`` looks again
        at everything that was fetched, however short ago.
        """
        self._library, self._visitor, self._stopping, self._recheck = library, visitor, stopping, recheck

    # --- a site

    def site(self, watch: Watch, source: OfficialSource, pages: int) -> VisitProgress:
        """Visit an official site.

        Raises:
            BadRequestError: nothing may be collected from it.
            ServiceError: none of its lists can be read.
        """
        if source.mode != "list":
            raise BadRequestError(f"{source.name}不允许自动采集。请在浏览器中打开 {source.url}，下载后上传入库。")
        gathering, met = VisitProgress(), self._library.watching.met(watch.id)
        failed = []
        firsts = source.list_pages or (source.url,)
        for first in firsts:
            try:
                self._list(watch, source, first, pages, gathering, met)
            except ServiceError as error:
                failed.append(error)
                gathering.alarms.append(f"栏目 {first} 未能读取：{error.message}")
        if len(failed) == len(firsts):
            raise failed[0]
        if not gathering.counts["entries"] and not self._stopping():
            gathering.alarms.append("没有读到任何条目：网站可能已改版，请在浏览器中核对栏目网址。")
        for address in self._wanted(met):
            if self._stopping():
                break
            self._fetch(address, source, gathering, met)
        return gathering

    def _list(
        self, watch: Watch, source: OfficialSource, first: str, pages: int, gathering: VisitProgress, met: dict[str, SeenAddress]
    ) -> None:  # fmt: skip
        turning = listing.ListPagination(source, first, pages)
        while (url := turning.url) is not None and not self._stopping():
            known = met.get(url) or SeenAddress(watch.id, url, "list", "new")
            links, following = self._list_page(known, source, turning, gathering, met)
            turning.turn(links, following)

    def _list_page(
        self, known: SeenAddress, source: OfficialSource, turning: listing.ListPagination, gathering: VisitProgress, met: dict[str, SeenAddress]
    ) -> tuple[Sequence[str], str | None]:  # fmt: skip
        """Read one page of a list, write down what it holds; return that, and the address of the next."""
        reply = self._asked(known, gathering, listing.GONE if turning.guessed else ())
        if reply.status in listing.GONE:
            return (), None
        gathering.counts["lists"] += 1
        digest = hashlib.sha256(reply.content).hexdigest()
        if reply.status == 304 or digest == known.digest:
            gathering.counts["entries"] += len(known.links)
            self._library.watching.note([replace(known, **_validators(reply, known), seen=reply.fetched_at)])
            return known.links, known.parent or None
        text = listing.page_text(reply)
        found = [e for e in listing.entries(text, reply.url, source) if crawler.is_of(e.url, source, self._visitor)]
        gathering.counts["entries"] += len(found)
        layout = listing.layout(found)
        if known.links and not found:
            gathering.alarms.append(
                f"栏目 {known.url} 原有 {len(known.links)} 条，现在一条也没有读到：网站可能已改版。"
            )
        elif known.layout and layout != known.layout:
            gathering.alarms.append(f"栏目 {known.url} 的版式已改变，请核对所采集的条目是否齐全。")
        following = listing.next_page(text, reply.url, turning.place, source)
        page = replace(
            known, state="kept", digest=digest, layout=layout or known.layout, parent=following or "",
            links=tuple(e.url for e in found), seen=reply.fetched_at, fetched=reply.fetched_at, **_validators(reply, known),
        )  # fmt: skip
        fresh = [item for e in found if (item := _item(known.watch_id, e, met.get(e.url), source)) is not None]
        self._library.watching.note([page, *fresh])
        met.update({one.url: one for one in (page, *fresh)})
        return page.links, following

    def _wanted(self, met: Mapping[str, SeenAddress]) -> Iterator[SeenAddress]:
        """Yield what is to be fetched: what is new, the newest first, then what was not looked at for long; files after their pages."""
        for kind in ("item", "file"):
            new = [one for one in met.values() if one.kind == kind and one.state == "new"]
            yield from sorted(new, key=lambda one: one.listed, reverse=True)
        now = dt.datetime.now(dt.UTC)
        for one in [one for one in met.values() if one.kind != "list" and one.state == "kept" and one.fetched]:
            age = now - (one.fetched or now)
            if self._recheck or age > (RECHECK if one.validators else RECHECK_WHOLE):
                yield one

    def _fetch(
        self, known: SeenAddress, source: OfficialSource, gathering: VisitProgress, met: dict[str, SeenAddress]
    ) -> None:
        try:
            reply = self._asked(known, gathering)
            if reply.status != 304 and not reply.content:
                raise ServiceError("网站返回了空文件。")
        except (ConfigError, TooLargeError):
            raise
        except NemoError as error:
            gathering.counts["failed"] += 1
            over = known.tries + 1 >= TRIES or isinstance(error, BadRequestError)
            state = known.state if known.state == "kept" else "failed" if over else "new"
            failed = replace(known, state=state, tries=known.tries + 1, problem=error.message)
            met[known.url] = failed
            self._library.watching.note([failed])
            return
        digest = hashlib.sha256(reply.content).hexdigest() if reply.status != 304 else known.digest
        kept = replace(
            known, state="kept", digest=digest, tries=0, problem="", seen=reply.fetched_at, fetched=reply.fetched_at,
            **_validators(reply, known),
        )  # fmt: skip
        if digest == known.digest:
            gathering.counts["unchanged"] += 1
            self._library.watching.note([kept])
            return
        attached = [] if known.kind == "file" else self._attached(kept, reply, source, met)
        raw = raw_of(Lead(known.url, known.title, ""), reply)
        about = {"watch_id": known.watch_id, "title": known.title}
        number = self._library.collect(raw, about, [kept, *attached])
        gathering.counts["unchanged" if number is None else "changed" if known.digest else "new"] += 1
        for one in attached:
            met[one.url] = one
            self._fetch(one, source, gathering, met)

    def _attached(
        self, page: SeenAddress, reply: Reply, source: OfficialSource, met: Mapping[str, SeenAddress]
    ) -> list[SeenAddress]:
        """Return the files that a page links to and that were not met before."""
        if reply.media_type not in MARKUP:
            return []
        found = listing.entries(listing.page_text(reply), reply.url, replace(source, area=""), least=0)
        return [
            SeenAddress(page.watch_id, e.url, "file", "new", e.title or page.title, parent=page.url)
            for e in found
            if e.is_file and e.url not in met and crawler.is_of(e.url, source, self._visitor)
        ]

    def _asked(self, known: SeenAddress, gathering: VisitProgress, accept: Collection[int] = ()) -> Reply:
        gathering.counts["requests"] += 1
        reply = self._visitor.get(known.url, known.validators if known.digest else None, accept)
        gathering.counts["bytes"] += len(reply.content)
        return reply

    # --- a folder

    def folder(self, watch: Watch) -> VisitProgress:
        """Look through a folder: what is new there, or has another size or time than before, is kept.

        Raises:
            ServiceError: it is not there, as when a share is not mounted.
        """
        root = Path(watch.subject)
        if not root.is_dir():
            raise ServiceError(f"文件夹 {root} 不存在或没有挂载。请检查后重试。")
        own, most = self._library.settings.library.resolve(), self._library.settings.max_file_bytes
        inside = (file for file in files_in([root]) if file.resolve().is_relative_to(root.resolve()))
        held = ((str(file), file.stat(), file) for file in inside if not file.resolve().is_relative_to(own))
        places = ((name, f"{at.st_mtime_ns}:{at.st_size}", partial(read_file, file, most)) for name, at, file in held)
        return self._gone_through(watch, places, f"文件夹 {root} 原有文件，现在是空的：请检查共享是否已挂载。")

    def objects(self, watch: Watch) -> VisitProgress:
        """Look through object storage: what is new there, or has another tag than before, is brought and kept.

        Raises:
            NotFoundError, ServiceError, MissingDependencyError: as :func:`nemo.ingest.objects.fetch` has it.
            ConfigError: the storage does not accept the keys, or the disk refuses.
        """
        given = self._library.settings

        def read(address: str) -> RawDocument:
            with tempfile.TemporaryDirectory(prefix="nemo-objects-") as folder:
                (file,) = objects.fetch(address, Path(folder), given)
                return replace(read_file(file, given.max_file_bytes), url=address)

        named = objects.stamps(watch.subject).items()
        kept = ((a, stamp) for a, stamp in named if wanted(PurePosixPath(a.removeprefix(watch.subject))))
        places = ((address, stamp, partial(read, address)) for address, stamp in kept)
        return self._gone_through(watch, places, f"{watch.subject} 下原有文件，现在一个也没有：请核对桶与路径。")

    def _gone_through(self, watch: Watch, places: Iterable[HeldPlace], emptied: str) -> VisitProgress:
        """Look at every place of a folder or storage; ``emptied`` is the alarm where there were files and are none."""
        gathering, met = VisitProgress(), self._library.watching.met(watch.id)
        for place in places:
            if self._stopping():
                break
            gathering.counts["entries"] += 1
            self._held_file(watch, place, gathering, met.get(place[0]))
        if met and not gathering.counts["entries"]:
            gathering.alarms.append(emptied)
        return gathering

    def _held_file(self, watch: Watch, place: HeldPlace, gathering: VisitProgress, known: SeenAddress | None) -> None:
        """Keep a file of a folder or storage unless its stamp is the known one."""
        address, stamp, read = place
        if known is not None and known.modified == stamp and known.state != "new":
            gathering.counts["unchanged"] += 1
            return
        before = known or SeenAddress(watch.id, address, "file", "new", PurePosixPath(address).stem)
        try:
            raw = read()
        except (ConfigError, TooLargeError):
            raise
        except NemoError as error:
            gathering.counts["failed"] += 1
            self._library.watching.note([replace(before, state="failed", modified=stamp, problem=error.message)])
            return
        gathering.counts["bytes"] += len(raw.content)
        raw = replace(raw, fetched_at=dt.datetime.now(dt.UTC))
        kept = replace(before, state="kept", modified=stamp, digest=raw.sha256, fetched=raw.fetched_at)
        number = self._library.collect(raw, {"watch_id": watch.id, "title": before.title}, [kept])
        gathering.counts["unchanged" if number is None else "changed" if known else "new"] += 1


def _validators(reply: Reply, known: SeenAddress) -> dict[str, Any]:
    """Return what a server says of the state of a page; a 304 may leave out what it said before."""
    same = reply.status == 304
    return {
        "etag": reply.headers.get("etag", known.etag if same else ""),
        "modified": reply.headers.get("last-modified", known.modified if same else ""),
    }


def _item(
    watch_id: int, entry: listing.ListEntry, known: SeenAddress | None, source: OfficialSource
) -> SeenAddress | None:
    """Return an entry of a list as an address to be fetched; None when it is known and stands as it stood."""
    if known is None:
        kind, day = "file" if entry.is_file else "item", entry.listed or listing.day_in(entry.url, source)
        return SeenAddress(watch_id, entry.url, kind, "new", entry.title, day)
    # Listed in two columns with and without its day: what was printed stays.
    day = entry.listed or known.listed
    if (known.title, known.listed) == (entry.title, day):
        return None
    renewed = replace(known, title=entry.title, listed=day, seen=None)
    # Another day under the same address is another text, and that one is fetched too.
    return replace(renewed, state="new", tries=0) if known.listed and known.listed != day else None
