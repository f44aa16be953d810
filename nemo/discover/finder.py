"""Everything that collecting offers (采集): lists of official sites, searches, downloads."""

import re
from collections.abc import Callable, Sequence

from nemo.discover.crawler import DiscoveryRound, survey
from nemo.discover.fetch import SiteFetcher, fetch
from nemo.discover.searching import CustomSearch, Perplexity
from nemo.errors import BadRequestError, ConfigError
from nemo.rules import OfficialSource
from nemo.settings import Settings
from nemo.text.words.tokenise import words
from nemo.types import Lead, RawDocument

MOST_WORDS = 16
"""Of a question that are searched for; a query of Google holds 32, its sites among them."""
_TITLE = re.compile("《([^《》]{2,80})》")


def search_words(question: str, year: int | None = None) -> str:
    """Return what to search for: the titles that a question names, each as one phrase, its words of two characters and more, a year."""
    titles = _TITLE.findall(question)
    said = [word for word in words(_TITLE.sub(" ", question)) if len(word) > 1]
    asked = [*(f'"{title}"' for title in titles), *said][:MOST_WORDS]
    return " ".join(dict.fromkeys([*asked, *([f"{year}年"] if year else [])])) or question.strip()


class Finder:
    """Finds and fetches for one library. Thread-safe."""

    def __init__(
        self, settings: Settings, sources: Sequence[OfficialSource], visitor: SiteFetcher | None = None
    ) -> None:
        """Prepare visits; nothing is sent.

        Raises:
            ConfigError: collecting is switched off.
        """
        self._settings = settings
        self._sources = tuple(sources)
        self.visitor = visitor or SiteFetcher(settings, sources)
        """Pays the visits; keeps the pauses between them."""

    def fetch(self, url: str) -> RawDocument:
        """Download one page or file.

        Raises:
            BadRequestError: the address is not on the list of official sites, or the site does not allow it.
            ServiceError: the site does not answer within the limits.
        """
        return fetch(Lead(url, "", "analyst"), self.visitor)

    def leads(
        self, codes: Sequence[str] = (), progress: Callable[[OfficialSource], None] | None = None
    ) -> DiscoveryRound:
        """Read the list pages of some sources, or of all that allow it; a site that fails is named and the others go on.

        Raises:
            BadRequestError: there is no such source.
        """
        known = {source.code: source for source in self._sources}
        if wrong := [code for code in codes if code not in known]:
            listed = "、".join(f"{s.code}（{s.name}）" for s in self._sources if s.mode == "list")
            raise BadRequestError(f"没有来源“{'、'.join(wrong)}”。可用：{listed}。")
        wanted = [known[code] for code in codes] or [source for source in self._sources if source.mode == "list"]
        return survey(self.visitor, wanted, pages=self._settings.crawl_pages, progress=progress)

    def search(self, question: str, limit: int = 10, province: str | None = None) -> list[Lead]:
        """Return what a configured search service finds on the official sites of a province and the nation, best first.

        Raises:
            ConfigError: none is configured, or it refuses the key.
            ServiceError: no usable answer.
        """
        if self._settings.google_search_api_key is not None:
            return CustomSearch(self._settings, self._sources).search(question, province=province, limit=limit)
        if self._settings.perplexity_api_key is not None:
            return Perplexity(self._settings, self._sources).search(question, province=province, limit=limit)
        raise ConfigError(
            "没有配置搜索服务。请设置 NEMO_PERPLEXITY_API_KEY，或 NEMO_GOOGLE_SEARCH_API_KEY 与 "
            "NEMO_GOOGLE_SEARCH_ENGINE_ID；也可以不带搜索词，直接读取官方网站的栏目。"
        )
