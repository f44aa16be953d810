"""Perplexity's search interface as a finder of leads: titles and addresses on official sites, never its text."""

from __future__ import annotations

from collections.abc import Iterable

from nemo.discover.custom_search import domains_of, official_lead, result_list
from nemo.discover.fetch import require_switched_on
from nemo.errors import ConfigError
from nemo.rules import OfficialSource
from nemo.services.addresses import networks
from nemo.services.outbound import Limits, OutboundClient
from nemo.settings import Settings
from nemo.types import Lead

HOST = "api.perplexity.ai"
ENDPOINT = f"https://{HOST}/search"
MOST = 20
"""The most results, and the most domains, of one request."""


class Perplexity:
    """Searches the official sites of one province and of the nation."""

    name = "perplexity"

    def __init__(
        self, settings: Settings, sources: Iterable[OfficialSource], *, endpoint: str = ENDPOINT, loopback: bool = False
    ) -> None:
        """Prepare searches; nothing is sent.

        Raises:
            ConfigError: collecting is switched off, or no key is set.
        """
        require_switched_on(settings)
        if settings.perplexity_api_key is None:
            raise ConfigError("使用 Perplexity 搜索需要设置 NEMO_PERPLEXITY_API_KEY。")
        self._sources = tuple(sources)
        self._endpoint = endpoint
        headers = {"Authorization": f"Bearer {settings.perplexity_api_key.get_secret_value()}"}
        limits = Limits(seconds=settings.service_seconds, size=5 * 1024 * 1024)
        self._client = OutboundClient(
            [HOST], limits=limits, headers=headers, networks=networks(settings.fetch_networks), loopback=loopback
        )

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
        found: dict[str, Lead] = {}
        for item in result_list(reply.json(), "results"):
            lead = official_lead(item, "url", self._sources, self.name)
            if lead is not None:
                found.setdefault(lead.url, lead)
        return list(found.values())[:limit]
