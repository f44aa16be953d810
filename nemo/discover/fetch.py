"""Polite visits to official sites (采集), and a lead turned into the bytes of a file.

Every visit asks the site's robots.txt first and keeps a pause between two visits. Sites that forbid automated
collection (``mode = "manual"`` in the rules) are not visited at all: a person downloads there and uploads the file.
"""

import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from email.message import Message
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from protego import Protego

from nemo.errors import BadRequestError, ConfigError, ServiceError
from nemo.rules import OfficialSource
from nemo.services.addresses import networks
from nemo.services.outbound import ROBOT, Limits, OutboundClient, Reply
from nemo.settings import Settings
from nemo.types import Lead, RawDocument

LONGEST_DELAY = 60.0
"""Seconds between visits; a site that asks for more does not want to be collected from."""
ROBOTS_AGE = 24 * 3600.0
"""Seconds after which a robots.txt is read anew (RFC 9309, 2.4)."""
ROBOTS_SIZE = 500 * 1024
"""Bytes of a robots.txt that are read (RFC 9309 asks for at least this much)."""
MAX_NAME = 120
_MARKUP = re.compile(r"\A\s{0,99}<(?:!doctype|html|script|head|\?xml)", re.IGNORECASE)

EXTENSIONS = {
    "text/html": ".html", "application/xhtml+xml": ".html", "application/pdf": ".pdf", "application/msword": ".doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx", "application/ofd": ".ofd",
    "application/zip": ".zip", "text/plain": ".txt",
}  # fmt: skip
DOCUMENTS = frozenset(
    {".pdf", ".doc", ".docx", ".wps", ".ofd", ".txt", ".zip", ".md", ".rtf", ".odt", ".xls", ".xlsx", ".et", ".ods"}
)
"""Endings that are believed when they stand in an address."""


class SiteFetcher:
    """Visits official sites politely. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        sources: Iterable[OfficialSource],
        *,
        loopback: bool = False,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Prepare visits to ``sources``; ``loopback`` also allows this machine, for tests only.

        Raises:
            ConfigError: collecting is switched off.
        """
        require_switched_on(settings)
        self.sources = tuple(sources)
        limits = Limits(seconds=settings.fetch_seconds, size=settings.max_file_bytes)
        domains = [s.allow for s in self.sources]
        extra = networks(settings.fetch_networks)
        self.client = OutboundClient(domains, limits=limits, networks=extra, loopback=loopback, sleep=sleep)
        self._robots_client = OutboundClient(
            domains, limits=replace(limits, size=ROBOTS_SIZE), networks=extra, loopback=loopback, sleep=sleep
        )
        self.client.follows = self._may_visit
        self._delay = settings.crawl_delay
        self._sleep = sleep
        self._lock = threading.Lock()
        self._hosts: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        """Held while a host is asked: it is never asked twice at once."""
        self._robots: dict[str, tuple[float, Protego]] = {}
        self._next_visit: dict[str, float] = {}

    def pause_with(self, sleep: Callable[[float], object]) -> None:
        """Wait between visits and attempts with ``sleep`` from now on: with one that ends early when all is to stop."""
        self._sleep = self.client.sleep = self._robots_client.sleep = sleep

    def get(self, url: str, unless: Mapping[str, str] | None = None, accept: Collection[int] = ()) -> Reply:
        """Visit ``url`` when the list, the source and the site's robots.txt allow it.

        ``unless`` holds validators of what is known (If-None-Match, If-Modified-Since): with them the reply may be
        304. Statuses to ``accept`` are an answer as 200 is.

        Raises:
            BadRequestError: one of them does not.
            ServiceError: the site does not answer.
        """
        if not self.client.allows(url):
            raise BadRequestError(f"不采集名单外的网站：{url[:200]}。请在浏览器中下载后上传入库。")
        source = source_of(url, self.sources)
        if source is not None and source.mode != "list":
            raise BadRequestError(f"{source.name}不允许自动采集。请在浏览器中打开 {url[:200]}，下载后上传入库。")
        with self._lock:
            host = self._hosts[urlsplit(url).netloc]
        with host:
            robots = self._robots_of(url)
            if not robots.can_fetch(url, ROBOT):
                raise BadRequestError(
                    f"{urlsplit(url).hostname} 的 robots.txt 不允许自动访问此地址，或以网页代替。请下载后上传入库。"
                )
            self._wait_turn(url, float(robots.crawl_delay(ROBOT) or 0))
            return self.client.get(url, unless=unless, accept={200, *accept} | ({304} if unless else set()))

    def _may_visit(self, url: str) -> bool:
        source = source_of(url, self.sources)
        return (source is None or source.mode == "list") and self._robots_of(url).can_fetch(url, ROBOT)

    def _robots_of(self, url: str) -> Protego:
        """Return the site's rules, read once a day; a site that hides them (401, 403, 412, a page in their place) or fails wants no visits."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            read, known = self._robots.get(site, (0.0, None))
            if known is not None and time.monotonic() - read < ROBOTS_AGE:
                return known
        self._wait_turn(url, 0)
        reply = self._robots_client.get(site + "/robots.txt", accept=(200, 401, 403, 404, 410, 412))
        text = reply.content.decode("utf-8-sig", "replace") if reply.status == 200 else ""
        # A page in place of the rules is a challenge, or nobody can tell that it is none: then nobody may come.
        hidden = reply.status in (401, 403, 412) or reply.media_type == "text/html" or _MARKUP.match(text)
        rules = Protego.parse("User-agent: *\nDisallow: /" if hidden and reply.status != 404 else text)
        with self._lock:
            self._robots[site] = (time.monotonic(), rules)
        return rules

    def _wait_turn(self, url: str, asked: float) -> None:
        host = urlsplit(url).netloc
        if asked > LONGEST_DELAY:
            raise BadRequestError(f"{host} 要求每次访问间隔 {asked:g} 秒，不宜自动采集。请下载后上传入库。")
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next_visit.get(host, now))
            self._next_visit[host] = turn + max(asked, self._delay)
        if turn > now:
            self._sleep(turn - now)


def require_switched_on(settings: Settings) -> None:
    """Raise ConfigError unless collecting is switched on."""
    if not settings.discovery:
        raise ConfigError("联网采集未开启。确认可以访问外网后，设置 NEMO_DISCOVERY=1 并重新启动；也可以直接上传文件。")


def source_of(url: str, sources: Iterable[OfficialSource]) -> OfficialSource | None:
    """Return the source whose domain is the narrowest that holds ``url``; of two alike, one that may be read."""
    host = urlsplit(url).hostname or ""
    held = [s for s in sources if host == s.allow or host.endswith("." + s.allow)]
    return max(held, key=lambda s: (len(s.allow), s.mode == "list"), default=None)


def fetch(lead: Lead, visitor: SiteFetcher) -> RawDocument:
    """Return the file behind a lead, with where and when it was fetched.

    Raises:
        BadRequestError: the address must not be visited.
        ServiceError: the site does not answer, or answers with nothing.
    """
    reply = visitor.get(lead.url)
    if not reply.content:
        raise ServiceError(f"{urlsplit(reply.url).hostname} 返回了空文件。请在浏览器中核对后上传入库。")
    return raw_of(lead, reply)


def raw_of(lead: Lead, reply: Reply) -> RawDocument:
    """Return the file that a reply is, with where and when it was fetched."""
    return RawDocument.of(
        reply.content, file_name(lead, reply), url=reply.url, media_type=reply.media_type, fetched_at=reply.fetched_at
    )


def file_name(lead: Lead, reply: Reply) -> str:
    """Return a file name: the one the server states, else the address's, else the lead's title with an ending."""
    stated = _stated_name(reply.headers.get("content-disposition", ""))
    if stated:
        return stated
    in_address = _clean(PurePosixPath(unquote(urlsplit(reply.url).path)).name)
    if PurePosixPath(in_address).suffix.lower() in DOCUMENTS:
        return in_address
    ending = EXTENSIONS.get(reply.media_type or "", PurePosixPath(in_address).suffix)
    stem = _clean(lead.title) or PurePosixPath(in_address).stem or urlsplit(reply.url).hostname or "file"
    return stem + (ending if len(ending) <= 6 else "")


def _stated_name(disposition: str) -> str:
    message = Message()
    message["Content-Disposition"] = disposition
    name = message.get_filename() or ""
    return _clean(unquote(_as_chinese(name)))


def _as_chinese(name: str) -> str:
    """Undo the Latin-1 reading of a header whose bytes are UTF-8 or GBK, as many sites send them."""
    try:
        raw = name.encode("latin-1")
    except UnicodeEncodeError:
        return name
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name


def _clean(name: str) -> str:
    """Return the last part of a path, without characters that file systems refuse, not too long."""
    last = re.split(r"[/\\]", name.strip())[-1]
    safe = re.sub(r'[\x00-\x1f\x7f<>:"|?*]', "", last).strip(". ")
    path = PurePosixPath(safe)
    return path.stem[:MAX_NAME] + path.suffix[:10] if safe else ""
