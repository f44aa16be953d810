"""Lists as official sites write them, each kind with pages of our own in the same structure, read over a local server."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from nemo import rules
from nemo.discover import crawler
from nemo.discover.fetch import SiteFetcher
from nemo.discover.listing import day_in, entries, next_page, page_text
from nemo.rules import OfficialSource
from nemo.services.outbound import Reply
from nemo.settings import load
from tests.local_server import Answer, Request, serving
from tests.official_site import site, switched_on

TITLE = "关于演示光伏项目并网管理的通知之{n}（演示文本）"


@dataclass
class Shape:
    """How one kind of site writes its lists: its pages by address, and what is on them."""

    remark: str
    pages: dict[str, str]
    found: list[tuple[str, str]]
    """Path and printed day, in the order of the list."""
    source: dict[str, Any] = field(default_factory=dict)
    first: str = "/tzgg/index.html"
    asked: list[str] | None = None
    """Paths that may be asked for, in order; None: those of ``pages``."""


def title(n: int) -> str:
    return TITLE.format(n=n)


def cut(n: int) -> str:
    return title(n)[:12] + "…"


def records(numbers: range) -> str:
    rows = "".join(
        f"<record><![CDATA[<li><a href='/art/2026/1/{n}/art_59960_{10300000 + n}.html' title='{title(n)}'>{cut(n)}</a><span>2026-01-{n:02}</span></li>]]></record>"
        for n in numbers
    )
    return rows


SHAPES = [
    Shape(
        "ul/li, addresses with a dot, titles cut short, days in a span, pager in a script",
        {
            "/tzgg/index.html": "<ul class='u-list'>"
            + "".join(
                f'<li><a href="./202601/t202601{n:02}_{n}00.html" title="{title(n)}" target="_blank">{cut(n)}</a><span>2026/01/{n:02}</span></li>'
                for n in (1, 2)
            )
            + '</ul><script>createPageHTML(2, 0, "index", "html");</script>',
            "/tzgg/index_1.html": f'<ul class="u-list"><li><a href="./202601/t20260103_300.html">{title(3)}</a><span>2026-1-3</span></li></ul>'
            '<script>createPageHTML(2, 1, "index", "html");</script>',
        },
        [(f"/tzgg/202601/t202601{n:02}_{n}00.html", f"2026-01-{n:02}") for n in (1, 2, 3)],
    ),
    Shape(
        "a pager in a script that names its place first and another ending",
        {
            "/tzgg/index.html": f'<li><a href="../zcfb/t20260101_1.shtml">{title(1)}</a></li><script>createPageHTML("pages", 2, 0, "index", "shtml", 30);</script>',
            "/tzgg/index_1.shtml": f'<li><a href="../zcfb/t20260102_2.shtml">{title(2)}</a></li>',
        },
        [("/zcfb/t20260101_1.shtml", ""), ("/zcfb/t20260102_2.shtml", "")],
    ),
    Shape(
        "rows of a table, the second page the site's index_2, a link to it with no words but a title",
        {
            "/tzgg/index.html": f'<table><tr><td>1</td><td><a href="/ywtz/content/post_4312345.html">{title(1)}</a></td><td>2026年1月2日</td></tr></table><a href="/tzgg/index_2.html" title="下一页">&gt;</a>',
            "/tzgg/index_2.html": f'<table><tr><td>2</td><td><a href="/ywtz/content/post_4312346.html">{title(2)}</a></td><td>2026年1月3日</td></tr></table>',
        },
        [("/ywtz/content/post_4312345.html", "2026-01-02"), ("/ywtz/content/post_4312346.html", "2026-01-03")],
    ),
    Shape(
        "records in a data island, further ones from an interface that the island names",
        {
            "/col/col1/index.html": f'<script type="text/xml"><datastore><nextgroup><![CDATA[<a href="/module/web/jpage/dataproxy.jsp?page=2&amp;columnid=1"></a>]]></nextgroup><recordset>{records(range(1, 3))}</recordset></datastore></script>',
            "/module/web/jpage/dataproxy.jsp": f"<datastore><recordset>{records(range(3, 5))}</recordset></datastore>",
        },
        [(f"/art/2026/1/{n}/art_59960_{10300000 + n}.html", f"2026-01-{n:02}") for n in range(1, 5)],
        {"next_link": re.compile(r'<nextgroup><!\[CDATA\[<a href="([^"]+)"')},
        first="/col/col1/index.html",
    ),
    Shape(
        "a page that only names its data; titles there are links, their addresses go upwards",
        {
            "/policy/zxwj.htm": f'<div data="datasource:{"0a" * 16}" preview="ds_"></div>',
            f"/policy/ds_{'0a' * 16}.json": json.dumps(
                {
                    "datasource": [
                        {"title": f"<a href='../2026010{n}/{'b' * 31}{n}/c.html'>{title(n)}</a>", "publishTime": f"2026-01-0{n} 09:30:00", "summary": "演示文本的内容提要，比标题更长，长得多，但它不是标题，也不应当被当作标题。"}
                        for n in (1, 2)
                    ]
                },
                ensure_ascii=False,
            ),
        },
        [(f"/2026010{n}/{'b' * 31}{n}/c.html", f"2026-01-0{n}") for n in (1, 2)],
        {"feed": re.compile(r"datasource:([0-9a-f]{32})"), "feed_form": "ds_{}.json"},
        first="/policy/zxwj.htm",
    ),
    Shape(
        "a whole list as data, names in capitals",
        {
            "/zuixin/NEWEST.json": json.dumps(
                [{"TITLE": title(n), "SUB_TITLE": "", "URL": f"{{host}}/zhengce/content/202601/content_700000{n}.htm", "DOCRELPUBTIME": f"2026-01-0{n}"} for n in (1, 2)],
                ensure_ascii=False,
            )
        },
        [(f"/zhengce/content/202601/content_700000{n}.htm", f"2026-01-0{n}") for n in (1, 2)],
        first="/zuixin/NEWEST.json",
    ),
    Shape(
        "an interface with counted pages, days as moments of the Unix clock, an end without entries",
        {
            "/api/all/5": json.dumps(
                {"total": 2, "articles": [{"id": 7, "title": title(1), "url": "{host}/gkmlpt/content/4/4312/post_4312001.html", "create_time": 1767225600, "date": 1767312000}]},
                ensure_ascii=False,
            ),
            "/api/all/5?page=2": json.dumps({"total": 2, "articles": []}),
        },
        [("/gkmlpt/content/4/4312/post_4312001.html", "2026-01-02")],
        {"numbered": "?page={n}&sid=2", "counted_from": 1},
        first="/api/all/5?page=1&sid=2",
        asked=["/api/all/5", "/api/all/5"],
    ),
    Shape(
        "objects in a script, names without quotation marks",
        {
            "/list.html": "<script>var docs = [" + ",".join(f"{{id: {n}, title: '{title(n)}', url: './202601/t2026010{n}_{n}.html', date: \"2026-01-0{n}\"}}" for n in (1, 2)) + "];</script>"
        },
        [(f"/202601/t2026010{n}_{n}.html", f"2026-01-0{n}") for n in (1, 2)],
        first="/list.html",
    ),
    Shape(
        "arrays in a script",
        {"/list.html": f"<script>list.push(['{title(1)}', '/202601/t20260101_1.html', '2026.1.1']);</script>"},
        [("/202601/t20260101_1.html", "2026-01-01")],
        first="/list.html",
    ),
    Shape(
        "links that a script opens, the day in the address only",
        {"/list.html": f"<li><a href=\"javascript:void(0)\" onclick=\"window.open('./202601/t20260101_1.html')\">{title(1)}</a></li>"},
        [("/202601/t20260101_1.html", "")],
        first="/list.html",
    ),
    Shape(
        "counted pages that nothing names, the last one is not there",
        {
            "/tzgg/index.html": f'<li><a href="t20260101_1.html">{title(1)}</a></li>',
            "/tzgg/index_2.html": f'<li><a href="t20260102_2.html">{title(2)}</a></li>',
        },
        [("/tzgg/t20260101_1.html", ""), ("/tzgg/t20260102_2.html", "")],
        {"numbered": "index_{n}.html", "counted_from": 1},
        asked=["/tzgg/index.html", "/tzgg/index_2.html", "/tzgg/index_3.html"],
    ),
    Shape(
        "entries in one part of the page, other texts beside it; a file listed by a download script",
        {
            "/list.html": f'<div class="hot"><a href="/t20200101_9.html">{title(9)}</a></div><div id="main"><p><a href="/t20260101_1.html">{title(1)}</a> [2026-01-01]</p>'
            f'<p><a href="/module/download/down.jsp?i_ID=5&amp;filename=P020260102.pdf">{title(2)}</a></p></div>'
        },
        [("/t20260101_1.html", "2026-01-01"), ("/module/download/down.jsp", "")],
        {"area": "#main"},
        first="/list.html",
    ),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=lambda s: s.remark)
def test_lists_of_every_kind_are_read_to_their_end(shape: Shape) -> None:
    with serving() as server:

        def answer(request: Request) -> Answer:
            number = request.query.get("page", ["1"])[0]
            body = shape.pages.get(f"{request.path}?page={number}", shape.pages.get(request.path))
            if body is None:
                return Answer(status=404)
            return Answer(
                body.replace("{host}", server.url).encode(), headers={"Content-Type": "text/html; charset=utf-8"}
            )

        server.routes["*"] = answer
        server.routes["/robots.txt"] = Answer(status=404)
        source = site(server, list_pages=(server.url + shape.first,), **shape.source)
        visitor = SiteFetcher(switched_on(crawl_delay=0.0), [source], loopback=True, sleep=lambda _: None)
        found = list(crawler.leads(visitor, source, pages=9))
        assert [lead.url.removeprefix(server.url).partition("?")[0] for lead in found] == [p for p, _ in shape.found]
        assert all(lead.title.startswith("关于演示光伏项目并网管理的通知之") for lead in found)
        asked = [r.path for r in server.seen if r.path != "/robots.txt"]
        assert asked == (shape.asked or [path.partition("?")[0] for path in shape.pages])
        bodies = {path: body.replace("{host}", server.url) for path, body in shape.pages.items()}
        read = [e for path, body in bodies.items() for e in entries(body, server.url + path, source)]
        days = {e.url.removeprefix(server.url).partition("?")[0]: e.listed for e in read}
        assert {path: days[path] for path, _ in shape.found} == dict(shape.found)


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/tzgg/202601/t20260105_123.html", "2026-01-05"),
        ("/20260105/0123456789abcdef0123456789abcdef/c.html", "2026-01-05"),
        ("/2026-01/05/c_1310001.htm", "2026-01-05"),
        ("/art/2026/1/5/art_59960_10299999.html", "2026-01-05"),
        ("/ywtz/content/post_4312345.html", ""),
    ],
)
def test_the_day_in_an_address(path: str, day: str) -> None:
    source = next(s for s in rules.load(load().rules).sources if s.code == "ndrc")
    assert day_in(f"https://www.example.cn{path}", source) == day


def test_what_no_source_says_is_checked_is_not_shown_as_checked() -> None:
    """No list page was visited when the rule data were written: all of them say so."""
    sources = rules.load(load().rules).sources
    assert all(not s.verified for s in sources if s.mode == "list")
    assert all(s.list_pages or s.url for s in sources)


def test_data_that_are_none_are_a_page() -> None:
    source: OfficialSource = next(s for s in rules.load(load().rules).sources if s.code == "nea")
    for text in ("{broken", "[" * 5000, '{"a": {"b": [1, null, true, 17000000000]}}', "[[[[]]]]"):
        assert entries(text, "https://www.nea.gov.cn/policy/zxwj.htm", source) == []
        assert next_page(text, "https://www.nea.gov.cn/policy/zxwj.htm", ("https://www.nea.gov.cn/", 1), source) is None
    assert page_text(Reply("https://a.cn/", 200, "\ufeff[]".encode())) == "[]"
