"""Polite visits to official sites, and leads turned into files."""

from collections.abc import Callable
from urllib.parse import quote

import pytest

from nemo.discover.fetch import SiteFetcher, fetch, file_name, source_of
from nemo.errors import BadRequestError, ConfigError, ServiceError
from nemo.services.outbound import Reply
from nemo.settings import load
from nemo.types import Lead
from tests.local_server import Answer, LocalServer, Request
from tests.official_site import site, switched_on


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def visitor(server: LocalServer, pauses: list[float]) -> SiteFetcher:
    return SiteFetcher(switched_on(), [site(server)], loopback=True, sleep=pauses.append)


def lead(url: str, title: str = "关于演示项目并网的通知") -> Lead:
    return Lead(url, title, "test")


def test_collecting_is_off_unless_switched_on(server: LocalServer) -> None:
    with pytest.raises(ConfigError, match="NEMO_DISCOVERY"):
        SiteFetcher(load(), [site(server)])


def test_a_lead_becomes_the_bytes_with_place_and_time(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/a/t20240102_1.html"] = Answer.html("<p>第一条</p>")
    raw = fetch(lead(server.url + "/a/t20240102_1.html"), visitor)
    assert raw.content == "<p>第一条</p>".encode()
    assert (raw.name, raw.media_type) == ("关于演示项目并网的通知.html", "text/html")
    assert raw.url == server.url + "/a/t20240102_1.html"
    assert raw.fetched_at is not None and len(raw.sha256) == 64


def test_the_address_after_a_redirect_is_kept(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/old.html"] = Answer(status=301, headers={"Location": "/new.pdf"})
    server.routes["/new.pdf"] = Answer(b"%PDF-", headers={"Content-Type": "application/pdf"})
    raw = fetch(lead(server.url + "/old.html"), visitor)
    assert (raw.url, raw.name) == (server.url + "/new.pdf", "new.pdf")


def test_a_redirect_to_what_the_rules_close_is_not_followed(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/robots.txt"] = Answer(b"User-agent: *\nDisallow: /secret/")
    server.routes["/old.html"] = Answer(status=302, headers={"Location": "/secret/a.html"})
    server.routes["/secret/a.html"] = Answer.html("<p>第一条</p>")
    with pytest.raises(ServiceError, match=r"robots\.txt"):
        fetch(lead(server.url + "/old.html"), visitor)
    assert "/secret/a.html" not in {r.path for r in server.seen}


def test_what_is_unchanged_is_not_sent_again(server: LocalServer, visitor: SiteFetcher) -> None:
    def page(request: Request) -> Answer:
        known = request.headers.get("if-none-match") == '"1"'
        return Answer(status=304) if known else Answer(b"<p>x</p>", headers={"ETag": '"1"'})

    server.routes["/a.html"] = page
    first = visitor.get(server.url + "/a.html")
    again = visitor.get(server.url + "/a.html", {"If-None-Match": first.headers["etag"]})
    assert (first.status, again.status, again.content) == (200, 304, b"")


def test_an_empty_file_is_not_a_document(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/a.pdf"] = Answer(b"")
    with pytest.raises(ServiceError, match="空文件"):
        fetch(lead(server.url + "/a.pdf"), visitor)


def test_sites_off_the_list_are_not_visited(visitor: SiteFetcher) -> None:
    with pytest.raises(BadRequestError, match="名单外"):
        visitor.get("https://fakegov.cn/a.html")


def test_a_site_that_forbids_collection_is_left_to_a_person(server: LocalServer) -> None:
    closed = SiteFetcher(switched_on(), [site(server, mode="manual")], loopback=True, sleep=lambda _: None)
    with pytest.raises(BadRequestError, match="不允许自动采集"):
        fetch(lead(server.url + "/a.html"), closed)
    assert server.seen == []


@pytest.mark.parametrize(
    ("remark", "robots", "path", "open_"),
    [
        ("no file at all", Answer(b"", 404), "/a.html", True),
        ("an empty file", Answer(b""), "/a.html", True),
        ("all may come", Answer(b"User-agent: *\nDisallow:"), "/a.html", True),
        ("nobody may come", Answer(b"User-agent: *\nDisallow: /"), "/a.html", False),
        ("a folder is closed", Answer(b"User-agent: *\nDisallow: /secret/"), "/secret/a.html", False),
        ("another folder is closed", Answer(b"User-agent: *\nDisallow: /secret/"), "/a.html", True),
        ("we are named", Answer(b"User-agent: Nemo\nDisallow: /\n\nUser-agent: *\nDisallow:"), "/a.html", False),
        ("others are named", Answer(b"User-agent: Other\nDisallow: /"), "/a.html", True),
        ("with a byte order mark", Answer(b"\xef\xbb\xbfUser-agent: *\nDisallow: /"), "/a.html", False),
        ("a page instead of rules", Answer.html("<html><body>页面不存在</body></html>"), "/a.html", False),
        ("a challenge sent as text", Answer(b"<script>location.reload()</script>"), "/a.html", False),
        ("a page that says 404", Answer(b"<html>404</html>", 404, {"Content-Type": "text/html"}), "/a.html", True),
        ("a pattern with a star", Answer(b"User-agent: *\nDisallow: /*.html$"), "/a.html", False),
        ("the rules are hidden", Answer(b"", 403), "/a.html", False),
        ("robots are turned away", Answer(b"", 412), "/a.html", False),
    ],
)
def test_the_sites_own_rules_are_kept(
    server: LocalServer, visitor: SiteFetcher, remark: str, robots: Answer, path: str, open_: bool
) -> None:
    server.routes["/robots.txt"] = robots
    server.routes[path] = Answer.html("甲")
    if open_:
        assert visitor.get(server.url + path).content, remark
        return
    with pytest.raises(BadRequestError, match=r"robots\.txt"):
        visitor.get(server.url + path)
    assert [r.path for r in server.seen] == ["/robots.txt"], remark


def test_rules_that_cannot_be_read_stop_the_visit(server: LocalServer, visitor: SiteFetcher) -> None:
    server.routes["/robots.txt"] = Answer(status=500)
    with pytest.raises(ServiceError):
        visitor.get(server.url + "/a.html")
    assert {r.path for r in server.seen} == {"/robots.txt"}


def test_visits_keep_their_pause_and_rules_are_read_once(
    server: LocalServer, visitor: SiteFetcher, pauses: list[float]
) -> None:
    server.routes["/a.html"] = Answer.html("甲")
    for _ in range(3):
        visitor.get(server.url + "/a.html")
    assert [r.path for r in server.seen] == ["/robots.txt", "/a.html", "/a.html", "/a.html"]
    # The sleep of the test does not pass time, so each turn is two seconds after the one before.
    assert [round(p) for p in pauses] == [2, 4, 6]


def test_a_longer_pause_that_the_site_asks_for_is_kept(
    server: LocalServer, visitor: SiteFetcher, pauses: list[float]
) -> None:
    server.routes["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 10\nDisallow: /x")
    server.routes["/a.html"] = Answer.html("甲")
    for _ in range(2):
        visitor.get(server.url + "/a.html")
    assert [round(p) for p in pauses] == [2, 12]


def test_a_site_that_wants_a_minute_between_visits_is_left_to_a_person(
    server: LocalServer, visitor: SiteFetcher
) -> None:
    server.routes["/robots.txt"] = Answer(b"User-agent: *\nCrawl-delay: 3600\nDisallow: /x")
    with pytest.raises(BadRequestError, match="3600"):
        visitor.get(server.url + "/a.html")


def test_the_narrowest_source_decides(server: LocalServer) -> None:
    wide = site(server, "wide", allow="nea.gov.cn")
    narrow = site(server, "narrow", allow="flk.nea.gov.cn", mode="manual")
    sources = [wide, narrow]
    assert source_of("https://flk.nea.gov.cn/a", sources) == narrow
    assert source_of("https://www.nea.gov.cn/a", sources) == wide
    assert source_of("https://fakenea.gov.cn/a", sources) is None


def reply(url: str, media: str | None = None, disposition: str | None = None) -> Reply:
    headers = {"content-type": media or "", "content-disposition": disposition or ""}
    return Reply(url, 200, b"x", {k: v for k, v in headers.items() if v})


GBK_AS_LATIN = "演示办法.doc".encode("gb18030").decode("latin-1")
UTF8_AS_LATIN = "演示办法.docx".encode().decode("latin-1")


@pytest.mark.parametrize(
    ("remark", "given", "expected"),
    [
        ("a page takes the title", reply("https://a.cn/t1.html", "text/html; charset=utf-8"), "演示通知.html"),
        ("a page without an ending", reply("https://a.cn/show?id=1", "text/html"), "演示通知.html"),
        ("a file keeps its name", reply("https://a.cn/P02024.pdf", "application/pdf"), "P02024.pdf"),
        ("a Chinese name in the address", reply("https://a.cn/" + quote("演示.docx")), "演示.docx"),
        ("a file behind a script", reply("https://a.cn/down.jsp", "application/pdf"), "演示通知.pdf"),
        ("an unknown kind", reply("https://a.cn/down", "application/octet-stream"), "演示通知"),
        ("a stated name", reply("https://a.cn/x", None, 'attachment; filename="b.pdf"'), "b.pdf"),
        (
            "a stated name, encoded",
            reply("https://a.cn/x", None, "attachment; filename*=UTF-8''" + quote("演示办法.pdf")),
            "演示办法.pdf",
        ),
        (
            "a stated name, percent signs",
            reply("https://a.cn/x", None, f'attachment; filename="{quote("演示办法.pdf")}"'),
            "演示办法.pdf",
        ),
        ("raw UTF-8", reply("https://a.cn/x", None, f'attachment; filename="{UTF8_AS_LATIN}"'), "演示办法.docx"),
        ("raw GBK", reply("https://a.cn/x", None, f'attachment; filename="{GBK_AS_LATIN}"'), "演示办法.doc"),
        ("a path in the name", reply("https://a.cn/x", None, 'attachment; filename="../../etc/passwd"'), "passwd"),
        ("a Windows path", reply("https://a.cn/x", None, 'attachment; filename="c:\\\\d\\\\b.pdf"'), "b.pdf"),
    ],
)
def test_file_names(remark: str, given: Reply, expected: str) -> None:
    assert file_name(lead("https://a.cn/", "演示通知"), given) == expected, remark


def test_names_stay_short_and_usable() -> None:
    name = file_name(
        lead("https://a.cn/", '关于<演示>:"项目"？' + "长" * 500), reply("https://a.cn/t.html", "text/html")
    )
    assert len(name) < 130 and name.endswith(".html") and not set(name) & set('<>:"/\\|?*')


def test_a_file_over_the_limit_is_refused(server: LocalServer, pauses: list[float]) -> None:
    server.routes["/a.pdf"] = Answer(b"x" * (1024 * 1024 + 1))
    small = SiteFetcher(switched_on(max_file_mb=1), [site(server)], loopback=True, sleep=pauses.append)
    with pytest.raises(ServiceError, match="1 MiB"):
        fetch(lead(server.url + "/a.pdf"), small)


def test_the_real_list_lets_official_sites_in(rules_sources: Callable[[], list]) -> None:
    """Every source of the rules that may be read can be visited as far as the list decides."""
    sources = rules_sources()
    visitor = SiteFetcher(switched_on(), sources)
    for source in sources:
        assert visitor.client.allows(source.url), source.code
        for page in source.list_pages:
            assert visitor.client.allows(page) and source_of(page, sources).mode == "list", page


@pytest.fixture
def rules_sources() -> Callable[[], list]:
    from nemo.rules import load as load_rules

    return lambda: list(load_rules(load().rules).sources)
