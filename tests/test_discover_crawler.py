"""List pages of official sites read for leads; the pages are invented, in the forms that real sites use."""

import re
from dataclasses import replace

import pytest

from nemo import rules
from nemo.discover.crawler import leads, survey
from nemo.discover.fetch import SiteFetcher
from nemo.discover.listing import entries, layout, next_page
from nemo.errors import BadRequestError, ServiceError
from nemo.rules import OfficialSource
from nemo.settings import load
from tests.local_server import Answer, LocalServer
from tests.official_site import site, switched_on

SOURCE = OfficialSource(
    "demo", "演示市能源局", "written for this test", "gd", "https://nyj.example.cn/", "example.cn", "list"
)
BASE = "https://nyj.example.cn/tzgg/index.html"


@pytest.fixture
def visitor(server: LocalServer) -> SiteFetcher:
    return SiteFetcher(switched_on(), [site(server)], loopback=True, sleep=lambda _: None)


@pytest.mark.parametrize(
    ("remark", "html", "expected"),
    [
        (
            "a relative address and a date beside the title",
            '<li><a href="./202401/t20240102_123.html">关于演示并网管理的通知</a><span>2024-01-02</span></li>',
            [("https://nyj.example.cn/tzgg/202401/t20240102_123.html", "关于演示并网管理的通知")],
        ),
        (
            "the date inside the link, a bullet before it",
            '<a href="/c_1312345678.htm">· 关于演示并网管理的通知 <em>[2024-01-02]</em></a>',
            [("https://nyj.example.cn/c_1312345678.htm", "关于演示并网管理的通知")],
        ),
        (
            "a title cut short, whole in the attribute",
            '<a title="关于印发演示光伏项目管理办法的通知" href="/post_4312345.html">关于印发演示光伏…</a>',
            [("https://nyj.example.cn/post_4312345.html", "关于印发演示光伏项目管理办法的通知")],
        ),
        (
            "the date as eight digits and a page named c.html",
            '<a href="/20250102/0123456789abcdef0123456789abcdef/c.html">关于演示并网管理的公告</a>',
            [("https://nyj.example.cn/20250102/0123456789abcdef0123456789abcdef/c.html", "关于演示并网管理的公告")],
        ),
        (
            "an attachment",
            '<a href="P020240102.pdf">附件：演示项目清单表格</a>',
            [("https://nyj.example.cn/tzgg/P020240102.pdf", "附件：演示项目清单表格")],
        ),
        (
            "records in a data island, as one system writes them",
            '<script type="text/xml"><datastore><recordset><record><![CDATA[<li><a '
            "href='/art/2024/1/2/art_59960_10299999.html' title='关于演示煤电机组改造的通知'>关于演示煤电…</a></li>]]>"
            "</record></recordset></datastore></script>",
            [("https://nyj.example.cn/art/2024/1/2/art_59960_10299999.html", "关于演示煤电机组改造的通知")],
        ),
        (
            "a base address",
            '<base href="https://nyj.example.cn/other/"><a href="t20240102_1.html">关于演示并网管理的通知</a>',
            [("https://nyj.example.cn/other/t20240102_1.html", "关于演示并网管理的通知")],
        ),
        (
            "twice the same, with and without a fragment",
            '<a href="/t20240102_1.html">关于演示并网管理的通知</a><a href="/t20240102_1.html#top">关于演示并网管理的通知</a>',
            [("https://nyj.example.cn/t20240102_1.html", "关于演示并网管理的通知")],
        ),
        (
            "navigation",
            '<a href="/">首页</a><a href="/zwgk/">政务公开信息目录</a><a href="index_2.html">下一页</a>',
            [],
        ),
        (
            "scripts and mail",
            '<a href="javascript:void(0)">关于演示并网管理的通知</a><a href="mailto:a@b.cn">邮箱</a>',
            [],
        ),
        ("no link at all", "<p>关于演示并网管理的通知</p>", []),
        ("an empty page", "", []),
    ],
)
def test_links(remark: str, html: str, expected: list[tuple[str, str]]) -> None:
    assert [(entry.url, entry.title) for entry in entries(html, BASE, SOURCE)] == expected, remark


@pytest.mark.parametrize(
    ("remark", "html", "number", "expected"),
    [
        ("a pager in a script", '<script>createPageHTML(3, 0, "index", "html");</script>', 1, "index_1.html"),
        ("its last page", '<script>createPageHTML(3, 2, "index", "html");</script>', 3, None),
        ("an anchor", '<a href="index_2.html">下一页</a>', 1, "index_2.html"),
        ("an anchor for scripts only", '<a href="javascript:next()">下一页</a>', 1, None),
        ("none", "<p></p>", 1, None),
    ],
)
def test_next_page(remark: str, html: str, number: int, expected: str | None) -> None:
    wanted = expected and "https://nyj.example.cn/tzgg/" + expected
    assert next_page(html, BASE, (BASE, number), SOURCE) == wanted, remark


def item(n: int, host: str = "") -> str:
    return f'<a href="{host}/t20240102_{n}.html">关于演示并网管理的通知之{n}</a>'


def test_leads_of_a_source(server: LocalServer, visitor: SiteFetcher) -> None:
    page = item(1) + item(2) + item(1) + item(3, "https://other.example.cn")
    server.routes["/tzgg/"] = Answer.html(page)
    found = list(leads(visitor, site(server)))
    assert [(lead.url, lead.title) for lead in found] == [
        (f"{server.url}/t20240102_{n}.html", f"关于演示并网管理的通知之{n}") for n in (1, 2)
    ]
    assert {lead.found_by for lead in found} == {"crawler:demo"}
    assert [r.path for r in server.seen] == ["/robots.txt", "/tzgg/"]  # no document is fetched


def test_a_page_in_an_old_encoding(server: LocalServer, visitor: SiteFetcher) -> None:
    html = f'<html><head><meta charset="gb2312"></head><body>{item(1)}镕</body></html>'
    server.routes["/tzgg/"] = Answer(html.encode("gb18030"), headers={"Content-Type": "text/html"})
    assert next(leads(visitor, site(server))).title == "关于演示并网管理的通知之1"


def test_as_many_pages_as_asked_for(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/tzgg/"] = Answer.html(item(1) + '<script>createPageHTML(9, 0, "index", "html")</script>')
    server.routes["/tzgg/index_1.html"] = Answer.html(item(2) + '<a href="/tzgg/">下一页</a>')
    source = site(server)
    assert len(list(leads(visitor, source, pages=1))) == 1
    assert len(list(leads(visitor, source, pages=2))) == 2
    assert len(list(leads(visitor, source, pages=9))) == 2  # a list that leads back to its beginning ends


def test_a_manual_source_is_not_read(server: LocalServer, visitor: SiteFetcher) -> None:
    with pytest.raises(BadRequestError, match="不允许自动采集"):
        list(leads(visitor, site(server, mode="manual")))
    assert server.seen == []


def test_a_source_without_list_pages_is_read_at_its_address(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/"] = Answer.html(item(1))
    assert len(list(leads(visitor, site(server, list_pages=())))) == 1


def test_a_failing_source_is_named_and_the_others_go_on(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/good/"] = Answer.html(item(1))
    server.routes["/bad/"] = Answer(status=412)
    bad = site(server, "bad", list_pages=(server.url + "/bad/",))
    good = site(server, "good", list_pages=(server.url + "/good/",))
    asked: list[str] = []
    result = survey(visitor, [bad, good], progress=lambda s: asked.append(s.code))
    assert [lead.url for lead in result.leads] == [server.url + "/t20240102_1.html"]
    assert [(source.code, "412" in words) for source, words in result.problems] == [("bad", True)]
    assert asked == ["bad", "good"]


def test_a_page_that_is_not_there_is_an_error_and_not_an_empty_list(server: LocalServer, visitor: SiteFetcher) -> None:
    with pytest.raises(ServiceError, match="404"):
        list(leads(visitor, site(server)))


def test_patterns_of_a_source_decide_what_its_items_are() -> None:
    own = replace(SOURCE, item=re.compile(r"/show/\d+$"), next_words=("后页",), attachment=re.compile(r"\.pdf$"))
    html = '<a href="/show/7">关于演示并网管理的通知</a><a href="/t20240102_1.html">关于演示并网管理的公告</a>'
    html += '<a href="/list/2">后页</a><a href="/list/3">下一页</a>'
    assert [entry.url for entry in entries(html, BASE, own)] == ["https://nyj.example.cn/show/7"]
    assert next_page(html, BASE, (BASE, 1), own) == "https://nyj.example.cn/list/2"


def test_an_entry_tells_its_day_and_where_it_stands() -> None:
    row = '<ul class="list"><li><a href="t20240102_{n}.html">关于演示并网管理的通知{n}</a><span>2024-01-02</span></li></ul>'
    found = entries(row.format(n=1) + row.format(n=2), BASE, SOURCE)
    assert [(entry.listed, entry.place) for entry in found] == [("2024-01-02", "ul.list>li>a")] * 2
    assert layout(found) == "ul.list>li>a"
    table = entries(
        '<table><tr><td><a href="t20240102_1.html">关于演示并网管理的通知</a></td></tr></table>', BASE, SOURCE
    )
    assert layout(table) != layout(found)
    assert layout([]) == ""


def test_the_sites_of_the_rules_read_the_addresses_they_state() -> None:
    """Addresses in the form that the rule data say the site has."""
    known = {source.code: source for source in rules.load(load().rules).sources}
    for code, path in (
        ("nea", "/20250102/0123456789abcdef0123456789abcdef/c.html"),
        ("nea", "/2024-01/02/c_1310001.htm"),
        ("nea_zfxxgk", "/2024-01/02/c_1310001.htm"),
        ("ndrc", "/xxgk/zcfb/tz/202401/t20240102_1361234.html"),
        ("gd_drc", "/ywtz/content/post_4312345.html"),
        ("sd_energy", "/art/2024/1/2/art_59960_10299999.html"),
        ("nm_energy", "/tzgg/202401/t20240102_2431234.html"),
    ):
        assert known[code].item.search(path), (code, path)
        assert not known[code].item.search("/tzgg/index.html"), code
