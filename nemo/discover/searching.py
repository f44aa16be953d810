"""Search services as finders of leads: titles and addresses on official sites, never text (搜索服务).

Google has closed its Custom Search to new customers and switches it off on 1 January 2027; it serves those who have it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from nemo.discover.fetch import require_switched_on
from nemo.errors import ConfigError, ServiceError
from nemo.rules import OfficialSource
from nemo.services.addresses import networks
from nemo.services.outbound import Limits, OutboundClient, allowed
from nemo.settings import Settings
from nemo.types import Lead

PER_REQUEST = 10
"""The most results of one request to Google; the service gives 100 in all."""
MOST = 20
"""The most results, and the most domains, of one request to Perplexity."""
MOST_SITES = 12
"""A query of Google holds 32 words; each site takes two."""


class SearchService(ABC):
    """What the services share: whom to ask, with which key, and which results are on official sites."""

    name: str
    url: str
    address: str
    """Field of a result that holds its address."""

    def __init__(
        self, settings: Settings, sources: Iterable[OfficialSource], *, endpoint: str = "", loopback: bool = False
    ) -> None:
        """Prepare searches; nothing is sent.

        Raises:
            ConfigError: collecting is switched off, or the service's settings are missing.
        """
        require_switched_on(settings)
        self._settings, self._sources, self._endpoint = settings, tuple(sources), endpoint or self.url
        headers = self._headers(settings)  # the key goes there: addresses are logged by libraries and proxies
        limits = Limits(seconds=settings.service_seconds, size=5 * 1024 * 1024)
        self._client = OutboundClient(
            [urlsplit(self.url).netloc],
            limits=limits,
            headers=headers,
            networks=networks(settings.fetch_networks),
            loopback=loopback,
        )

    @abstractmethod
    def _headers(self, settings: Settings) -> dict[str, str]:
        """Return the headers that carry the key.

        Raises:
            ConfigError: the key is missing.
        """

    def _found(self, items: Iterable[Any]) -> list[Lead]:
        """Return the leads of some results, each address once."""
        leads = (official_lead(item, self.address, self._sources, self.name) for item in items)
        found: dict[str, Lead] = {}
        for lead in filter(None, leads):
            found.setdefault(lead.url, lead)
        return list(found.values())


class CustomSearch(SearchService):
    """Google's, with the engine ``settings.google_search_engine_id``."""

    name, address, url = "custom_search", "link", "https://customsearch.googleapis.com/customsearch/v1"

    def _headers(self, settings: Settings) -> dict[str, str]:
        key = settings.google_search_api_key
        if key is None or not settings.google_search_engine_id:
            raise ConfigError("使用 Google 搜索需要设置 NEMO_GOOGLE_SEARCH_API_KEY 与 NEMO_GOOGLE_SEARCH_ENGINE_ID。")
        return {"x-goog-api-key": key.get_secret_value()}

    def search(self, question: str, *, province: str | None = None, limit: int = PER_REQUEST) -> list[Lead]:
        """Return at most ``limit`` leads on official sites, best first; those of a province and of the nation alone.

        Raises:
            ConfigError: the service refuses the key or the engine.
            ServiceError: no usable answer.
        """
        items: list[Any] = []
        sites = " OR ".join(f"site:{domain}" for domain in domains_of(self._sources, province, MOST_SITES))
        for start in range(1, min(limit, 100) + 1, PER_REQUEST):
            items += (page := self._page(f"{question} ({sites})" if sites else question, start))
            if len(page) < PER_REQUEST:
                break
        return self._found(items)[:limit]

    def _page(self, question: str, start: int) -> list[Any]:
        params = {"cx": str(self._settings.google_search_engine_id), "q": question, "num": str(PER_REQUEST)}
        params |= {"start": str(start), "lr": "lang_zh-CN"}
        reply = self._client.get(self._endpoint, params=params, accept=(200, 400, 401, 403, 404))
        if reply.status != 200:
            raise ConfigError(
                f"Google 搜索不接受请求（{reply.status}）。请核对密钥与搜索引擎 ID；该接口已不对新用户开放，"
                "并将于 2027-01-01 停用，可改用栏目采集或 Perplexity。"
            )
        return result_list(reply.json(), "items")


class Perplexity(SearchService):
    """Perplexity's: the official sites of one province and of the nation."""

    name, address, url = "perplexity", "url", "https://api.perplexity.ai/search"

    def _headers(self, settings: Settings) -> dict[str, str]:
        if settings.perplexity_api_key is None:
            raise ConfigError("使用 Perplexity 搜索需要设置 NEMO_PERPLEXITY_API_KEY。")
        return {"Authorization": f"Bearer {settings.perplexity_api_key.get_secret_value()}"}

    def search(self, question: str, *, province: str | None = None, limit: int = 10) -> list[Lead]:
        """Return at most ``limit`` (≤ 20) leads on official sites, best first.

        Raises:
            ConfigError: the service refuses the key.
            ServiceError: no usable answer.
        """
        body = {
            "query": question,
            "max_results": min(limit, MOST),
            "search_domain_filter": domains_of(self._sources, province, MOST),
            "search_language_filter": ["zh"],
        }
        reply = self._client.post(self._endpoint, body, accept=(200, 400, 401, 403, 422))
        if reply.status != 200:
            raise ConfigError(f"Perplexity 不接受请求（{reply.status}）。请核对 NEMO_PERPLEXITY_API_KEY 与账户额度。")
        return self._found(result_list(reply.json(), "results"))[:limit]


def domains_of(sources: Iterable[OfficialSource], province: str | None, most: int) -> list[str]:
    """Return the domains to search: a province's own first, then the nation's, then, for no province, the others."""
    order = {province: 0, "cn": 1}
    ranked = sorted(sources, key=lambda s: order.get(s.province, 2))
    wanted = [s for s in ranked if province in (None, "cn") or s.province in order]
    return list(dict.fromkeys(s.allow for s in wanted))[:most]


def result_list(reply: Any, key: str) -> list[Any]:
    """Return the list of results in a reply; a reply without one found nothing.

    Raises:
        ServiceError: the reply has another form.
    """
    found = reply.get(key, []) if isinstance(reply, dict) else None
    if not isinstance(found, list):
        raise ServiceError("搜索服务的应答格式不符。请稍后重试。")
    return found


def official_lead(item: Any, address: str, sources: Iterable[OfficialSource], finder: str) -> Lead | None:
    """Return the lead that one result of a search service makes, None when it is not on an official site.

    ``address`` names the field that holds the result's address.

    Raises:
        ServiceError: the result has another form.
    """
    url, title = (item.get(address), item.get("title")) if isinstance(item, dict) else (None, None)
    if not isinstance(url, str) or not isinstance(title, str):
        raise ServiceError("搜索服务的应答格式不符。请稍后重试。")
    if not allowed(url, [source.allow for source in sources]):
        return None
    return Lead(url, " ".join(title.split())[:200], finder)
