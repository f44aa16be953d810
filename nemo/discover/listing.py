"""What stands on a list page of an official site (栏目页): its entries, and where the list goes on.

Sites write lists in few ways, and all are read: anchors in lists, tables or anywhere; rows whose address stands in a
script (``onclick``); CDATA records of a data island; objects and arrays in a script; and data of an interface (JSON).
What differs between sites is data (``data/rules/sources.toml``).
"""

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.types import CHINA
from nemo.types.plain import read_json

_RECORD = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_BESIDE = re.compile(r"^[·•\s]+|\s*[\[(（]?\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[\])）]?\s*$")
_HAN = re.compile(r"[㐀-鿿]")
_IN_SCRIPT = re.compile(r"[\"']([^\"'\s()]{4,300})[\"']")
_RECORD_IN_SCRIPT = re.compile(r"\{[^{}]{8,4000}\}|\[[^\[\]{}]{8,4000}\]")
_VALUE_IN_SCRIPT = re.compile(
    r"(?:[\"']?(\w{1,40})[\"']?\s*:\s*)?(?:\"((?:[^\"\\]|\\.){0,2000})\"|'((?:[^'\\]|\\.){0,2000})'|(\d{10,13})\b)"
)
_NUMBERS = re.compile(r"\d+")
LONGEST = 2_000
"""Characters of an address; longer ones are traps, and no index holds them."""
LEAST_TITLE = 6
"""Chinese characters of a title; shorter ones are navigation (首页, 更多, 政策文件)."""
GONE = (404, 410)
"""What a site says of a page that is not there; of an address that was only counted up it is the end of the list."""
DEEPEST = 12
"""Levels of an interface's data that are looked into."""


def page_text(reply: Reply) -> str:
    """Decode a page by what it declares; gb2312 and gbk are read as gb18030, which holds both."""
    declared = _CHARSET.search(reply.headers.get("content-type", "").encode()) or _CHARSET.search(reply.content[:4096])
    name = declared.group(1).decode().lower() if declared else "utf-8"
    return reply.content.decode("gb18030" if name in ("gb2312", "gbk", "gb18030") else "utf-8-sig", "replace")


@dataclass(frozen=True, slots=True)
class ListEntry:
    """What a page links to: a page of one text, or a file."""

    url: str
    title: str
    is_file: bool
    listed: str
    """The day beside it (2026-01-05); empty when none is printed."""
    place: str
    """Where it stands: the elements around it, from the outermost (``ul.list>li>a``), or ``script``, ``json``."""


def entries(text: str, base: str, source: OfficialSource, least: int = LEAST_TITLE) -> list[ListEntry]:
    """Return every link to a document or to a page of one text, each address once, by the patterns of a source.

    ``text`` is a list page, data of an interface, or the page of a text for what is attached to it; a title has
    ``least`` Chinese characters.
    """
    listing = _Listing(base, source, least)
    data = _data(text)
    read = listing.of_data(data) if data is not None else listing.of_page(text)
    found: dict[str, ListEntry] = {}
    for entry in read:
        found.setdefault(entry.url, entry)
    return list(found.values())


@dataclass(frozen=True)
class _Listing:
    base: str
    source: OfficialSource
    least: int

    def of_page(self, html: str) -> Iterator[ListEntry]:
        for soup in _islands(html):
            stated = soup.find("base", href=True)
            root = urljoin(self.base, str(stated["href"])) if isinstance(stated, Tag) else self.base
            parts = soup.select(self.source.area) if self.source.area else [soup]
            for anchor in (each for part in parts for each in part.find_all(_is_link)):
                yield from self._entry(
                    root, self._address(anchor), _title(anchor), self._beside(anchor), _place(anchor)
                )
            if not self.source.area:
                for script in soup.find_all("script"):
                    yield from self._of_script(script.get_text())

    def of_data(self, data: Any, depth: int = 0) -> Iterator[ListEntry]:
        """Yield the entries of an interface's data: every object that has an address and a title."""
        if isinstance(data, dict):
            yield from self._of_record({str(k): v for k, v in data.items()}, "json")
        if isinstance(data, dict | list) and depth < DEEPEST:
            for each in data.values() if isinstance(data, dict) else data:
                yield from self.of_data(each, depth + 1)

    def _of_script(self, script: str) -> Iterator[ListEntry]:
        for record in _RECORD_IN_SCRIPT.finditer(script):
            values: dict[str, Any] = {}
            for number, found in enumerate(_VALUE_IN_SCRIPT.finditer(record[0])):
                name, double, single, digits = found.groups()
                words = double if double is not None else single if single is not None else digits
                values[name or str(number)] = re.sub(r"\\(.)", r"\1", words)
            yield from self._of_record(values, "script")

    def _of_record(self, values: Mapping[str, Any], place: str) -> Iterator[ListEntry]:
        """Yield the entry that a record of data is: by the names of its values, else by what they look like."""
        words = {name.lower(): value.strip() for name, value in values.items() if isinstance(value, str)}
        title = next((words[n] for n in self.source.title_names if words.get(n)), "")
        if not title and not any(name.isalpha() for name in words):
            title = max(words.values(), key=lambda w: len(_HAN.findall(w)), default="")
        anchor = BeautifulSoup(title, "lxml").find("a", href=True) if "<a" in title else None
        addresses = [words[n] for n in self.source.address_names if n in words] or list(words.values())
        if isinstance(anchor, Tag):
            addresses, title = [str(anchor["href"]), *addresses], _title(anchor)
        elif "<" in title:
            title = BeautifulSoup(title, "lxml").get_text()
        printed = " ".join(_moment(value) for value in values.values())
        named = (_moment(values[n]) for n in values if n.lower() in self.source.day_names)
        day = next(filter(None, (_day(each, self.source) for each in named)), "") or _day(printed, self.source)
        for address in addresses:
            if found := list(self._entry(self.base, address, _BESIDE.sub("", title).strip(), day, place)):
                yield found[0]
                return

    def _beside(self, anchor: Tag) -> str:
        """Return the day printed beside a link, or else in its row."""
        around = (anchor.parent, anchor.find_parent(("tr", "li", "dl")))
        return next(filter(None, (_day(each.get_text(" "), self.source) for each in around if each)), "")

    def _address(self, anchor: Tag) -> str:
        """Return where a link leads, if only by a script: the address in it."""
        stated = str(anchor.get("href") or anchor.get("src") or anchor.get("data") or "").strip()
        if stated and not stated.lower().startswith(("javascript:", "#")):
            return stated
        spoken = _IN_SCRIPT.findall(f"{stated} {anchor.get('onclick') or ''}")
        return next((each for each in spoken if self._kind(urljoin(self.base, each)) is not None), "")

    def _kind(self, url: str) -> bool | None:
        """Tell whether an address is a file (True), a page of a text (False), or nothing of interest (None)."""
        parts = urlsplit(url)
        names = [parts.path, *(value for _, value in parse_qsl(parts.query))]
        if any(map(self.source.attachment.search, names)):
            return True
        return False if self.source.item.search(parts.path) else None

    def _entry(self, root: str, address: str, title: str, day: str, place: str) -> Iterator[ListEntry]:
        try:
            url = urldefrag(urljoin(root, address)).url if address else ""
            web = urlsplit(url).scheme in ("http", "https")
        except ValueError:  # brackets that are no IPv6 address
            return
        if not web or len(url) > LONGEST or len(_HAN.findall(title)) < self.least:
            return
        is_file = self._kind(url)
        if is_file is not None:
            yield ListEntry(url, title, is_file, day, place)


def _is_link(tag: Tag) -> bool:
    if tag.name == "a":
        return tag.has_attr("href") or tag.has_attr("onclick")
    return (tag.name in ("iframe", "embed") and tag.has_attr("src")) or (tag.name == "object" and tag.has_attr("data"))


def _data(text: str) -> Any:
    """Return the data that a text is, None when it is a page."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return read_json(text)
    except ValueError:
        return None


def _moment(value: Any) -> str:
    """Return a value as it would be printed: a number of ten or thirteen digits is a moment of the Unix clock."""
    digits = str(value)
    if not isinstance(value, bool) and digits.isdecimal() and len(digits) in (10, 13):
        return f"{dt.datetime.fromtimestamp(int(digits[:10]), CHINA):%Y-%m-%d}"
    return value if isinstance(value, str) else ""


def _day(printed: str, source: OfficialSource) -> str:
    """Return the day in some words as 2026-01-05, however it is printed; empty when there is none."""
    found = source.date.search(printed)
    numbers = [int(n) for n in _NUMBERS.findall(found[0])] if found else []
    return "{:04}-{:02}-{:02}".format(*numbers) if len(numbers) == 3 else found[0] if found else ""


def day_in(url: str, source: OfficialSource) -> str:
    """Return the day that an address itself holds (t20260105_123.html, /2026/1/5/), empty when it holds none."""
    found = source.dated.search(urlsplit(url).path)
    return "{:04}-{:02}-{:02}".format(*(int(n) for n in found.groups() if n)) if found else ""


def _place(anchor: Tag) -> str:
    """Name the three elements around a link with their classes; ids and styles vary from row to row."""
    around = [parent for parent in anchor.parents if parent.name not in ("[document]", "html", "body")][:3]
    named = [".".join([one.name, *map(str, one.get_attribute_list("class")[:1])]) for one in around if one.name]
    return ">".join([*reversed(named), anchor.name])


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


# --- where a list goes on


def next_page(text: str, base: str, place: tuple[str, int], source: OfficialSource) -> str | None:
    """Return the address of the next page of a list, None when there is none.

    ``place`` is the address of the first page, and which page is sought (from 0).
    """
    first, number = place
    if source.feed is not None and (named := source.feed.search(text)):
        return urljoin(base, source.feed_form.format(*named.groups()))
    if pager := source.pager.search(text):
        total, stem, ending = int(pager["total"]), pager["stem"], pager["ending"]
        return urljoin(first, f"{stem}_{number}.{ending}") if number < total else None
    if (stated := source.next_link) is not None:
        return urljoin(base, found[1].replace("&amp;", "&")) if (found := stated.search(text)) else None
    if source.numbered:
        return urljoin(first, source.numbered.format(n=number + source.counted_from))
    if _data(text) is not None:
        return None
    for anchor in BeautifulSoup(text, "lxml").find_all("a", href=True):
        href = str(anchor["href"]).strip()
        words = (anchor.get_text(strip=True), str(anchor.get("title") or ""))
        if any(w.startswith(source.next_words) for w in words) and not href.lower().startswith(("javascript:", "#")):
            return urljoin(base, href)
    return None


class ListPagination:
    """The way through the pages of one list: at most so many, none twice, and no further than there is something new."""

    def __init__(self, source: OfficialSource, first: str, pages: int) -> None:
        self._source, self._first = source, first
        self._pages = pages + (source.feed is not None)  # the page that only names its data is none of them
        self._number, self._visited = 0, {first}
        self._seen: set[str] = set()
        self.url: str | None = first
        """What is to be read now; None at the end."""

    @property
    def place(self) -> tuple[str, int]:
        """Address of the first page, and the number of the next."""
        return self._first, self._number + 1

    @property
    def guessed(self) -> bool:
        """Whether the address that is to be read is only counted up, so that none of it means the end of the list."""
        return self._number > 0 and bool(self._source.numbered)

    def turn(self, found: Iterable[str], following: str | None) -> None:
        """Go on after a page with these entries to the next; stay away from one that would bring nothing."""
        fresh = set(found) - self._seen
        self._seen |= fresh
        self._number += 1
        more = following is not None and following not in self._visited and self._number < self._pages
        self.url = following if more and (fresh or not self._source.numbered) else None
        if self.url is not None:
            self._visited.add(self.url)
