"""Google Custom Search as a finder of leads: titles and addresses on official sites, never text.

Google has closed this interface to new customers and switches it off on 1 January 2027; it serves those who have it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from nemo.discover.fetch import require_switched_on
from nemo.errors import ConfigError, ServiceError
from nemo.rules import OfficialSource
from nemo.services.addresses import networks
from nemo.services.outbound import Limits, OutboundClient, allowed
from nemo.settings import Settings
from nemo.types import Lead

HOST = "customsearch.googleapis.com"
ENDPOINT = f"https://{HOST}/customsearch/v1"
PER_REQUEST = 10
"""The most results of one request; the service gives 100 in all."""


class CustomSearch:
    """Searches with the engine ``settings.google_search_engine_id``."""

    name = "custom_search"

    def __init__(
        self, settings: Settings, sources: Iterable[OfficialSource], *, endpoint: str = ENDPOINT, loopback: bool = False
    ) -> None:
        """Prepare searches; nothing is sent.

        Raises:
            ConfigError: collecting is switched off, or key or engine are not set.
        """
        require_switched_on(settings)
        key = settings.google_search_api_key
        if key is None or not settings.google_search_engine_id:
            raise ConfigError("使用 Google 搜索需要设置 NEMO_GOOGLE_SEARCH_API_KEY 与 NEMO_GOOGLE_SEARCH_ENGINE_ID。")
        self._engine = settings.google_search_engine_id
        self._sources = tuple(sources)
        self._endpoint = endpoint
        # The key goes into a header: addresses are logged by libraries and proxies.
        headers = {"x-goog-api-key": key.get_secret_value()}
        limits = Limits(seconds=settings.service_seconds, size=5 * 1024 * 1024)
        self._client = OutboundClient(
            [HOST], limits=limits, headers=headers, networks=networks(settings.fetch_networks), loopback=loopback
        )

    def search(self, question: str, *, province: str | None = None, limit: int = PER_REQUEST) -> list[Lead]:
        """Return at most ``limit`` leads on official sites, best first; those of a province and of the nation alone.

        Raises:
            ConfigError: the service refuses the key or the engine.
            ServiceError: no usable answer.
        """
        leads: dict[str, Lead] = {}
        question = site_query(question, self._sources, province)
        for start in range(1, min(limit, 100) + 1, PER_REQUEST):
            items = self._page(question, start)
            for item in items:
                lead = official_lead(item, "link", self._sources, self.name)
                if lead is not None:
                    leads.setdefault(lead.url, lead)
            if len(items) < PER_REQUEST:
                break
        return list(leads.values())[:limit]

    def _page(self, question: str, start: int) -> list[Any]:
        params = {"cx": self._engine, "q": question, "num": str(PER_REQUEST), "start": str(start), "lr": "lang_zh-CN"}
        reply = self._client.get(self._endpoint, params=params, accept=(200, 400, 401, 403, 404))
        if reply.status != 200:
            raise ConfigError(
                f"Google 搜索不接受请求（{reply.status}）。请核对密钥与搜索引擎 ID；该接口已不对新用户开放，"
                "并将于 2027-01-01 停用，可改用栏目采集或 Perplexity。"
            )
        return result_list(reply.json(), "items")


def domains_of(sources: Iterable[OfficialSource], province: str | None, most: int) -> list[str]:
    """Return the domains to search: a province's own first, then the nation's, then, for no province, the others."""
    order = {province: 0, "cn": 1}
    ranked = sorted(sources, key=lambda s: order.get(s.province, 2))
    wanted = [s for s in ranked if province in (None, "cn") or s.province in order]
    return list(dict.fromkeys(s.allow for s in wanted))[:most]


MOST_SITES = 12
"""A query of Google holds 32 words; each site takes two."""


def site_query(question: str, sources: Iterable[OfficialSource], province: str | None) -> str:
    """Return a query that asks the official sites of a province and of the nation alone (site:a OR site:b)."""
    sites = " OR ".join(f"site:{domain}" for domain in domains_of(sources, province, MOST_SITES))
    return f"{question} ({sites})" if sites else question


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
    """Return the lead that one result makes, None when it is not on an official site.

    Args:
        item: one result of a search service; only its address and title are read.
        address: name of the field that holds the address.
        sources: the official sites.
        finder: who found it.

    Raises:
        ServiceError: the result has another form.
    """
    url, title = (item.get(address), item.get("title")) if isinstance(item, dict) else (None, None)
    if not isinstance(url, str) or not isinstance(title, str):
        raise ServiceError("搜索服务的应答格式不符。请稍后重试。")
    if not allowed(url, [source.allow for source in sources]):
        return None
    return Lead(url, " ".join(title.split())[:200], finder)
