"""Search services as finders of leads: official sites only, titles and addresses only, keys never shown."""

import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partialmethod
from pathlib import Path

import pytest

from nemo.discover import finder as official
from nemo.discover.finder import search_words
from nemo.discover.searching import CustomSearch, Perplexity
from nemo.engine import Engine
from nemo.errors import ConfigError, NemoError, ServiceError
from nemo.rules import OfficialSource
from nemo.settings import load
from nemo.store.records.watching import SeenAddress
from nemo.types import Lead
from nemo.watch.service import WatchService
from nemo.watch.touched import everybodys
from tests.local_server import Answer, LocalServer, Request
from tests.official_site import site, switched_on

KEY = "search-key-0123456789"
Finder = CustomSearch | Perplexity


@pytest.fixture
def sources(server: LocalServer) -> list[OfficialSource]:
    return [
        site(server, "nea", allow="nea.gov.cn", province="cn"),
        site(server, "gd", allow="drc.gd.gov.cn", province="gd"),
        site(server, "sd", allow="nyj.shandong.gov.cn", province="sd"),
    ]


def google(server: LocalServer, sources: list[OfficialSource]) -> CustomSearch:
    settings = switched_on(google_search_api_key=KEY, google_search_engine_id="cx1")
    return CustomSearch(settings, sources, endpoint=server.url + "/search", loopback=True)


def perplexity(server: LocalServer, sources: list[OfficialSource]) -> Perplexity:
    settings = switched_on(perplexity_api_key=KEY)
    return Perplexity(settings, sources, endpoint=server.url + "/search", loopback=True)


def results(finder: type, *addresses: str) -> Answer:
    field, address = ("items", "link") if finder is CustomSearch else ("results", "url")
    return Answer.of(
        {field: [{address: a, "title": f" 演示\n标题{i} ", "snippet": "正文不读"} for i, a in enumerate(addresses)]}
    )


BOTH = pytest.mark.parametrize(("make", "kind"), [(google, CustomSearch), (perplexity, Perplexity)])
Make = Callable[[LocalServer, list[OfficialSource]], Finder]


@BOTH
def test_only_official_sites_come_through(
    server: LocalServer, sources: list[OfficialSource], make: Make, kind: type
) -> None:
    server.routes["/search"] = results(
        kind,
        "https://www.nea.gov.cn/a.html",
        "https://fakenea.gov.cn/a.html",
        "https://nea.gov.cn@evil.com/",
        "https://drc.gd.gov.cn/b.html",
        "https://www.nea.gov.cn/a.html",
        "http://127.0.0.1/secret",
    )
    found = make(server, sources).search("光伏并网")
    assert [lead.url for lead in found] == ["https://www.nea.gov.cn/a.html", "https://drc.gd.gov.cn/b.html"]
    assert found[0] == Lead("https://www.nea.gov.cn/a.html", "演示 标题0", kind.name)


@BOTH
def test_finding_nothing_is_no_error(
    server: LocalServer, sources: list[OfficialSource], make: Make, kind: type
) -> None:
    server.routes["/search"] = Answer.of({})
    assert make(server, sources).search("光伏并网") == []


@BOTH
@pytest.mark.parametrize(
    "reply",
    [
        Answer(b"<html>"),
        Answer.of([]),
        Answer.of({"items": "x", "results": "x"}),
        Answer.of({"items": [1], "results": [1]}),
        Answer.of({"items": [{"title": 1}], "results": [{"title": 1}]}),
        Answer(status=500),
    ],
)
def test_bad_replies_are_service_errors(
    server: LocalServer,
    sources: list[OfficialSource],
    make: Make,
    kind: type,
    reply: Answer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server.routes["/search"] = reply
    finder = make(server, sources)
    finder._client.sleep = lambda _: None
    with pytest.raises(ServiceError):
        finder.search("光伏并网")


@BOTH
@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_refused_key_is_for_a_person_to_mend(
    server: LocalServer, sources: list[OfficialSource], make: Make, kind: type, status: int
) -> None:
    server.routes["/search"] = Answer.of({"error": {"message": f"bad {KEY}"}}, status)
    with pytest.raises(ConfigError) as caught:
        make(server, sources).search("光伏并网")
    assert KEY not in str(caught.value) and len(server.seen) == 1


@BOTH
def test_keys_stay_out_of_addresses_and_logs(
    server: LocalServer, sources: list[OfficialSource], make: Make, kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.routes["/search"] = Answer(status=500)
    finder = make(server, sources)
    finder._client.sleep = lambda _: None
    with pytest.raises(NemoError) as caught:
        finder.search("光伏并网")
    sent = server.seen[0]
    assert KEY in "".join(sent.headers.values())
    assert KEY not in sent.path + str(sent.query) + sent.body.decode()
    assert KEY not in caplog.text + str(caught.value)


def test_google_is_asked_page_by_page(server: LocalServer, sources: list[OfficialSource]) -> None:
    def answer(request: Request) -> Answer:
        start = int(request.query["start"][0])
        count = 10 if start < 20 else 3
        return results(CustomSearch, *(f"https://www.nea.gov.cn/{start + i}.html" for i in range(count)))

    server.routes["/search"] = answer
    assert len(google(server, sources).search("光伏", limit=25)) == 23
    assert [r.query["start"][0] for r in server.seen] == ["1", "11", "21"]
    assert server.seen[0].query["cx"] == ["cx1"] and server.seen[0].headers["x-goog-api-key"] == KEY


def test_perplexity_is_told_which_sites(server: LocalServer, sources: list[OfficialSource]) -> None:
    server.routes["/search"] = Answer.of({"results": []})
    perplexity(server, sources).search("光伏", province="sd", limit=50)
    body = server.seen[0].json()
    assert body["search_domain_filter"] == ["nyj.shandong.gov.cn", "nea.gov.cn"]
    assert (body["query"], body["max_results"]) == ("光伏", 20)
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"


def test_without_key_or_switch_nothing_starts(sources: list[OfficialSource]) -> None:
    for finder in (CustomSearch, Perplexity):
        with pytest.raises(ConfigError, match="NEMO_"):
            finder(switched_on(), sources)
        with pytest.raises(ConfigError, match="NEMO_DISCOVERY"):
            finder(load(google_search_api_key=KEY, google_search_engine_id="c", perplexity_api_key=KEY), sources)


def test_google_is_asked_for_the_sites_of_the_province_and_the_nation(
    server: LocalServer, sources: list[OfficialSource]
) -> None:
    server.routes["/search"] = results(CustomSearch)
    google(server, sources).search("演示并网 2024", province="gd")
    assert server.seen[-1].query["q"] == ["演示并网 2024 (site:drc.gd.gov.cn OR site:nea.gov.cn)"]


@pytest.mark.parametrize(
    ("question", "year", "expected"),
    [
        ("第7批演示项目并网申请几个工作日内答复", None, "演示 项目 并网 申请 几个 工作日内 答复"),
        ("《演示并网管理办法》第五条怎么规定", 2026, '"演示并网管理办法" 第五条 怎么 规定 2026年'),
        ("并网 并网 并网", None, "并网"),
        ("？", None, "？"),
        ("光伏" * 400, None, " ".join(["光伏"])),
    ],
)
def test_what_is_searched_for(question: str, year: int | None, expected: str) -> None:
    assert search_words(question, year) == expected


def test_leads_for_a_question_come_from_lists_and_a_search_and_government_sites_are_counted(
    server: LocalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = (
        site(server, "gd", allow="drc.gd.gov.cn", province="gd"),
        site(server, "csg", allow="csg.cn", province="gd"),
    )
    monkeypatch.setattr(
        CustomSearch, "__init__", partialmethod(CustomSearch.__init__, endpoint=server.url + "/search", loopback=True)
    )
    server.routes["/search"] = results(
        CustomSearch,
        "https://drc.gd.gov.cn/1.html",
        "https://www.csg.cn/2.html",
        "https://elsewhere.example.com/3.html",
    )
    given = switched_on(
        library=tmp_path / "library", workers=0, google_search_api_key=KEY, google_search_engine_id="cx1"
    )
    with Engine.open(given) as engine:
        made = replace(engine.rules, sources=sources)
        service = WatchService(engine.library, lambda: engine.intake, made, lambda: everybodys(engine))
        monkeypatch.setattr(engine.intake, "finder", lambda: official.Finder(given, sources))
        watch = service.add("gd")
        url = "https://drc.gd.gov.cn/t20260101_1.html"
        service.store.note([SeenAddress(watch.id, url, "item", "new", "关于演示光伏并网申请答复的通知")])
        leads, told = service.seek("演示光伏项目并网申请几个工作日内答复", "gd", 2026)
        assert [lead.found_by for lead in leads] == ["listed", "custom_search", "custom_search"]
        assert "1 个标题与问题相近" in told[0] and "找到 2 条，其中政府网站 1 条" in told[1] and "2026年" in told[1]
        assert server.seen[-1].query["q"][0].endswith("2026年 (site:drc.gd.gov.cn OR site:csg.cn)")
        assert engine.regulations() == () and service.store.papers() == [], "leads only"
