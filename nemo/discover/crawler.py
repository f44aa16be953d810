"""Official sites gone through for leads (栏目采集): addresses and titles, nothing else."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from nemo.discover.fetch import SiteFetcher
from nemo.discover.listing import GONE, ListPagination, entries, next_page, page_text
from nemo.errors import BadRequestError, NemoError
from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.types import Lead


@dataclass(frozen=True, slots=True)
class DiscoveryRound:
    """What a round over several sources brought."""

    leads: tuple[Lead, ...]
    problems: tuple[tuple[OfficialSource, str], ...]
    """Sources that could not be read, each with the reason in Chinese."""


def survey(
    visitor: SiteFetcher,
    sources: Iterable[OfficialSource],
    *,
    pages: int = 1,
    progress: Callable[[OfficialSource], None] | None = None,
) -> DiscoveryRound:
    """Read the first ``pages`` list pages of every source; one that fails is reported and the others go on."""
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
    return DiscoveryRound(tuple(found.values()), tuple(problems))


def leads(visitor: SiteFetcher, source: OfficialSource, *, pages: int = 1) -> Iterator[Lead]:
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


def is_of(url: str, source: OfficialSource, visitor: SiteFetcher) -> bool:
    """Tell whether an address lies on the site of a source, and on the list."""
    host = urlsplit(url).hostname or ""
    return visitor.client.allows(url) and (host == source.allow or host.endswith("." + source.allow))


def _list_pages(visitor: SiteFetcher, source: OfficialSource, first: str, pages: int) -> Iterator[Reply]:
    turning = ListPagination(source, first, pages)
    while (url := turning.url) is not None:
        reply = visitor.get(url, accept=GONE if turning.guessed else ())
        if reply.status in GONE:
            return
        yield reply
        text = page_text(reply)
        turning.turn(
            [e.url for e in entries(text, reply.url, source)], next_page(text, reply.url, turning.place, source)
        )
