"""List pages of official sites read for leads (栏目采集): addresses and titles, nothing else.

Links stand as ordinary anchors, or, on sites of one widespread system, inside CDATA records of a data island that a
script turns into anchors; both are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from nemo.discover.fetch import Visitor
from nemo.errors import BadRequestError, NemoError
from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.types import Lead

_RECORD = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_BESIDE = re.compile(r"^[·•\s]+|\s*[\[(（]?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[\])）]?\s*$")
_HAN = re.compile(r"[㐀-鿿]")
LONGEST = 2_000
"""Characters of an address; longer ones are traps, and no index holds them."""
LEAST_TITLE = 6
"""Chinese characters of a title; shorter ones are navigation (首页, 更多, 政策文件)."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a round over several sources brought."""

    leads: tuple[Lead, ...]
    problems: tuple[tuple[OfficialSource, str], ...]
    """Sources that could not be read, each with the reason in Chinese."""


def survey(
    visitor: Visitor,
    sources: Iterable[OfficialSource],
    *,
    pages: int = 1,
    progress: Callable[[OfficialSource], None] | None = None,
) -> Survey:
    """Read the list pages of every source; one that fails is reported and the others go on.

    Args:
        visitor: pays the visits.
        sources: which sites.
        pages: how many pages of each list.
        progress: told of each source before it is visited.
    """
    found: dict[str, Lead] = {}
    problems: list[tuple[OfficialSource, str]] = []
    for source in sources:
        if progress is not None:
            progress(source)
        try:
            for lead in leads(visitor, source, pages=pages):
                found.setdefault(lead.url, lead)
        except NemoError as error:
            problems.append((source, error.message))
    return Survey(tuple(found.values()), tuple(problems))


def leads(visitor: Visitor, source: OfficialSource, *, pages: int = 1) -> Iterator[Lead]:
    """Yield what the list pages of ``source`` link to, in their order, each address once.

    Raises:
        BadRequestError: the source must not be collected from.
        ServiceError: a list page cannot be read.
    """
    if source.mode != "list":
        raise BadRequestError(f"{source.name}不允许自动采集。请在浏览器中打开 {source.url}，下载后上传入库。")
    seen: set[str] = set()
    for first in source.list_pages or (source.url,):
        for reply in _list_pages(visitor, source, first, pages):
            for entry in entries(page_text(reply), reply.url, source):
                if entry.url not in seen and entry.url != reply.url and is_of(entry.url, source, visitor):
                    seen.add(entry.url)
                    yield Lead(entry.url, entry.title, f"crawler:{source.code}")


def is_of(url: str, source: OfficialSource, visitor: Visitor) -> bool:
    """Tell whether an address lies on the site of a source, and on the list."""
    host = urlsplit(url).hostname or ""
    return visitor.door.allows(url) and (host == source.allow or host.endswith("." + source.allow))


def _list_pages(visitor: Visitor, source: OfficialSource, first: str, pages: int) -> Iterator[Reply]:
    url: str | None = first
    visited: set[str] = set()
    for number in range(pages):
        if url is None or url in visited:
            return
        visited.add(url)
        reply = visitor.get(url)
        yield reply
        url = next_page(page_text(reply), reply.url, first, number + 1, source)


def page_text(reply: Reply) -> str:
    """Decode a page by what it declares; gb2312 and gbk are read as gb18030, which holds both."""
    declared = _CHARSET.search(reply.headers.get("content-type", "").encode()) or _CHARSET.search(reply.content[:4096])
    name = declared.group(1).decode().lower() if declared else "utf-8"
    return reply.content.decode("gb18030" if name in ("gb2312", "gbk", "gb18030") else "utf-8", "replace")


@dataclass(frozen=True, slots=True)
class ListEntry:
    """What a page links to: a page of one text, or a file."""

    url: str
    title: str
    is_file: bool
    listed: str
    """The day beside it, as printed; empty when there is none."""
    place: str
    """Where it stands: the elements around it, from the outermost (``ul.list>li>a``)."""


def entries(html: str, base: str, source: OfficialSource, least: int = LEAST_TITLE) -> list[ListEntry]:
    """Return every link to a document or to a page of one text, each address once, by the patterns of a source.

    Args:
        html: a list page, or the page of a text for what is attached to it.
        base: its address.
        source: says what addresses look like.
        least: Chinese characters that a title has.
    """
    found: dict[str, ListEntry] = {}
    for soup in _islands(html):
        stated = soup.find("base", href=True)
        root = urljoin(base, str(stated["href"])) if isinstance(stated, Tag) else base
        for anchor in soup.find_all("a", href=True):
            url = urldefrag(urljoin(root, str(anchor["href"]).strip())).url
            parts, title = urlsplit(url), _title(anchor)
            is_file = bool(source.attachment.search(parts.path))
            if parts.scheme not in ("http", "https") or len(url) > LONGEST or len(_HAN.findall(title)) < least:
                continue
            if is_file or source.item.search(parts.path):
                day = source.date.search((anchor.parent or anchor).get_text(" "))
                entry = ListEntry(url, title, is_file, day[0] if day else "", _place(anchor))
                found.setdefault(url, entry)
    return list(found.values())


def _place(anchor: Tag) -> str:
    """Name the three elements around a link with their classes; ids and styles vary from row to row."""
    around = [parent for parent in anchor.parents if parent.name not in ("[document]", "html", "body")][:3]
    named = [".".join([one.name, *map(str, one.get_attribute_list("class")[:1])]) for one in around if one.name]
    return ">".join([*reversed(named), "a"])


def layout(found: Iterable[ListEntry]) -> str:
    """Return where most entries of a list page stand; empty without entries."""
    counted = Counter(entry.place for entry in found)
    return min(counted, key=lambda place: (-counted[place], place)) if counted else ""


def _islands(html: str) -> Iterator[BeautifulSoup]:
    yield BeautifulSoup(html, "lxml")
    records = "\n".join(_RECORD.findall(html))
    if records:
        yield BeautifulSoup(records, "lxml")


def _title(anchor: Tag) -> str:
    """Return the longer of the ``title`` attribute and the text, which lists often cut short, without a date."""
    shown = " ".join(anchor.get_text(" ").split())
    stated = " ".join(str(anchor.get("title") or "").split())
    best = stated if len(stated) >= len(shown) or (stated and shown.endswith(("…", "..."))) else shown
    return _BESIDE.sub("", best).strip()


def next_page(html: str, base: str, first: str, number: int, source: OfficialSource) -> str | None:
    """Return the address of page ``number`` (from 0) of a list, None when there is none.

    Args:
        html: the page before it.
        base: address of that page.
        first: address of page 0.
        number: which page.
        source: says how its lists go on.
    """
    if pager := source.pager.search(html):
        total, stem, ending = int(pager["total"]), pager["stem"], pager["ending"]
        return urljoin(first, f"{stem}_{number}.{ending}") if number < total else None
    for anchor in BeautifulSoup(html, "lxml").find_all("a", href=True):
        href = str(anchor["href"]).strip()
        words = anchor.get_text(strip=True)
        if words.startswith(source.next_words) and not href.lower().startswith(("javascript:", "#")):
            return urljoin(base, href)
    return None
