"""List pages of official sites read for leads (栏目采集): addresses and titles, nothing else.

Links stand as ordinary anchors, or, on sites of one widespread system, inside CDATA records of a data island that a
script turns into anchors; both are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from nemo.discover.fetch import Visitor
from nemo.errors import BadRequestError, NemoError
from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.types import Lead

_DOCUMENT = re.compile(r"\.(?:pdf|docx?|wps|ofd|zip)$", re.IGNORECASE)
# Pages of one text carry a date or a long number in their address: t20240102_123456.html, post_4312345.html, c_131…htm
_PAGE = re.compile(r"^(?=.*\.(?:s?html?|jsp|aspx?)$).*?(?:\d{6}|[0-9a-f]{32})|/\d{6,}/?$", re.IGNORECASE)
_RECORD = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_BESIDE = re.compile(r"^[·•\s]+|\s*[\[(（]?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[\])）]?\s*$")
_HAN = re.compile(r"[㐀-鿿]")
# createPageHTML(total, current, "index", "html"): the pages are index.html, index_1.html, index_2.html …
_PAGER = re.compile(r"createPageHTML\(\s*(\d+)\s*,\s*\d+\s*,\s*[\"'](\w+)[\"']\s*,\s*[\"'](\w+)[\"']")
_NEXT_WORDS = ("下一页", "下页", "后一页")
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
        for reply in _list_pages(visitor, first, pages):
            for url, title in links(_text(reply), reply.url):
                if url not in seen and url != reply.url and visitor.door.allows(url) and _inside(url, source):
                    seen.add(url)
                    yield Lead(url, title, f"crawler:{source.code}")


def _inside(url: str, source: OfficialSource) -> bool:
    host = urlsplit(url).hostname or ""
    return host == source.allow or host.endswith("." + source.allow)


def _list_pages(visitor: Visitor, first: str, pages: int) -> Iterator[Reply]:
    url: str | None = first
    visited: set[str] = set()
    for number in range(pages):
        if url is None or url in visited:
            return
        visited.add(url)
        reply = visitor.get(url)
        yield reply
        url = next_page(_text(reply), reply.url, first, number + 1)


def _text(reply: Reply) -> str:
    """Decode a page by what it declares; gb2312 and gbk are read as gb18030, which holds both."""
    declared = _CHARSET.search(reply.headers.get("content-type", "").encode()) or _CHARSET.search(reply.content[:4096])
    name = declared.group(1).decode().lower() if declared else "utf-8"
    return reply.content.decode("gb18030" if name in ("gb2312", "gbk", "gb18030") else "utf-8", "replace")


def links(html: str, base: str) -> list[tuple[str, str]]:
    """Return (address, title) of every link to a document or to a page of one text."""
    found: dict[str, str] = {}
    for soup in _islands(html):
        stated = soup.find("base", href=True)
        root = urljoin(base, str(stated["href"])) if isinstance(stated, Tag) else base
        for anchor in soup.find_all("a", href=True):
            url = urldefrag(urljoin(root, str(anchor["href"]).strip())).url
            title = _title(anchor)
            if _is_document(url) and len(_HAN.findall(title)) >= LEAST_TITLE:
                found.setdefault(url, title)
    return list(found.items())


def _islands(html: str) -> Iterator[BeautifulSoup]:
    yield BeautifulSoup(html, "lxml")
    records = "\n".join(_RECORD.findall(html))
    if records:
        yield BeautifulSoup(records, "lxml")


def _is_document(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in ("http", "https") and bool(_DOCUMENT.search(parts.path) or _PAGE.search(parts.path))


def _title(anchor: Tag) -> str:
    """Return the longer of the ``title`` attribute and the text, which lists often cut short, without a date."""
    shown = " ".join(anchor.get_text(" ").split())
    stated = " ".join(str(anchor.get("title") or "").split())
    best = stated if len(stated) >= len(shown) or (stated and shown.endswith(("…", "..."))) else shown
    return _BESIDE.sub("", best).strip()


def next_page(html: str, base: str, first: str, number: int) -> str | None:
    """Return the address of page ``number`` (from 0) of a list, None when there is none.

    Args:
        html: the page before it.
        base: address of that page.
        first: address of page 0.
        number: which page.
    """
    pager = _PAGER.search(html)
    if pager:
        total, stem, ending = int(pager.group(1)), pager.group(2), pager.group(3)
        return urljoin(first, f"{stem}_{number}.{ending}") if number < total else None
    for anchor in BeautifulSoup(html, "lxml").find_all("a", href=True):
        href = str(anchor["href"]).strip()
        if anchor.get_text(strip=True).startswith(_NEXT_WORDS) and not href.lower().startswith(("javascript:", "#")):
            return urljoin(base, href)
    return None
