"""What a browser gets before the app's first run (外壳), against the Streamlit that is installed."""

import logging
import re

import pytest
import streamlit as st
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from nemo.ui.shared import frame, process
from nemo.web import first_page, headers
from nemo.web.guard import Guard

BEHIND = "from behind"
THEIRS = (first_page.STREAMLIT / "index.html").read_text("utf-8")
SCRIPT = re.findall(r'src="\.(/static/js/index[^"]+)"', THEIRS)[0]


@pytest.fixture
def client() -> TestClient:
    shell = first_page.FirstPage(PlainTextResponse(BEHIND), frame.PRODUCT, frame.addresses())
    guarded = Guard(shell, frame.settings, frame.opened)
    return TestClient(guarded, "http://localhost:8501")


def test_no_rule_makes_every_change_cost_a_look_at_the_whole_page() -> None:
    """What stands behind ``:has()`` is named by a class: else each file of five hundred that arrives restyles the page."""
    rules = (frame.HERE / "style.css").read_text("utf-8")
    assert re.findall(r":has\([^{},]*\)\s*>\s*(?:[*\[:]|[a-z])[^{]*", rules) == []


def test_the_page_is_ours_and_still_streamlits(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        ours = first_page.page(THEIRS, "产品<1>")
    assert caplog.messages == []
    assert '<html lang="zh-CN">' in ours
    assert "<title>产品&lt;1&gt;</title>" in ours
    assert "正在打开资料库" in ours
    assert "You need to" not in ours
    assert "agent" not in ours.split("<body>")[1]
    assert not re.findall(r"\b(?:NAME|LIGHT|DARK)\b", ours)
    for line in re.findall(r'<script type="module"[^>]*>|<link rel="stylesheet"[^>]*>|<div id="root"></div>', THEIRS):
        assert line in ours
    assert "://" not in ours.replace("http://www.apache.org/licenses/LICENSE-2.0", "")


def test_another_streamlit_is_told_in_the_log_and_serves_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert first_page.page("<html>nothing known</html>", "Nemo") == "<html>nothing known</html>"
    assert len(caplog.messages) == 6


def test_every_early_part_is_there_and_is_asked_for_once() -> None:
    found = first_page.early(THEIRS)
    for part in first_page.EARLY:
        assert [name for name in found if name.startswith(f"{part}.")], part
    assert len(set(found)) == len(found)
    assert [
        name for name in found if not (first_page.STREAMLIT / "static" / "js" / name).is_file() or name in THEIRS
    ] == []


@pytest.mark.parametrize("path", ["/", "/library", "/review?c=3", "/?q=%E5%B9%B6%E7%BD%91"])
def test_pages_come_with_a_policy_that_keeps_them_at_home(client: TestClient, path: str) -> None:
    told = client.get(path)
    assert '<div id="first"' in told.text
    assert told.headers["content-type"] == "text/html; charset=utf-8"
    policy = told.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "*" not in policy and "http" not in policy
    assert set(re.findall(r"wss?:[^\s;]*", policy)) == {"ws://localhost:8501", "wss://localhost:8501"}


@pytest.mark.parametrize(
    ("host", "sockets"),
    [
        ("localhost:8501", "ws://localhost:8501 wss://localhost:8501"),
        ("[::1]:8501", "ws://[::1]:8501 wss://[::1]:8501"),
        ("law.example.test", "ws://law.example.test wss://law.example.test"),
        ("x.test; script-src *", ""),
        ("*", ""),
        ("", ""),
    ],
)
def test_a_policy_names_the_host_that_was_asked_and_nothing_else(host: str, sockets: str) -> None:
    told = headers.of("/", host)["Content-Security-Policy"]
    assert f"connect-src 'self' data: blob: {sockets};" in told


def test_files_come_whole_and_for_good(client: TestClient) -> None:
    told = client.get(SCRIPT)
    assert told.content == (first_page.STREAMLIT / SCRIPT[1:]).read_bytes()
    assert told.headers["content-type"].split(";")[0].endswith("/javascript")
    assert "immutable" in told.headers["cache-control"]


@pytest.mark.parametrize(
    ("method", "path", "headers"),
    [
        ("POST", "/", {}),
        ("GET", "/api/health", {}),
        ("GET", "/_stcore/health", {}),
        ("GET", "/static/js/none.js", {}),
        ("GET", "/static//etc/passwd", {}),
        ("GET", "/libraryx", {}),
        ("GET", SCRIPT, {"range": "bytes=0-9"}),
    ],
)
def test_everything_else_is_handed_on(client: TestClient, method: str, path: str, headers: dict[str, str]) -> None:
    assert client.request(method, path, headers=headers).text == BEHIND


def test_pages_under_an_address_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", {"server.baseUrlPath": "/law/"}.get)
    client = TestClient(first_page.FirstPage(PlainTextResponse(BEHIND), "Nemo", ["", "library"]))
    assert '<div id="first"' in client.get("/law/library").text
    assert client.get(f"/law{SCRIPT}").content == (first_page.STREAMLIT / SCRIPT[1:]).read_bytes()
    assert client.get("/library").text == BEHIND


def test_streamlit_is_kept_from_a_search_that_still_exists(monkeypatch: pytest.MonkeyPatch) -> None:
    from streamlit.components.v2 import manifest_scanner

    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", manifest_scanner.scan_component_manifests)
    process.without_component_packages()
    assert manifest_scanner.scan_component_manifests() == []


@pytest.mark.parametrize(("path", "accept", "lost"), [
    ("/nosuch", "text/html,*/*", True), ("/nosuch", "*/*", False), ("/library", "text/html", False),
    ("/api", "text/html", False), ("/api/nosuch", "text/html", False), ("/nosuch.txt", "text/html", False),
    ("/nosuch/deep", "text/html", True), ("/library/nosuch", "text/html", True), ("/法规", "text/html", True),
    ("/oauth2callback", "text/html", False), ("/auth/login", "text/html", False), ("/_stcore/health", "text/html", False), ("/static/nosuch.js", "text/html", False),
])  # fmt: skip
def test_an_address_of_no_page_leads_home(client: TestClient, path: str, accept: str, lost: bool) -> None:
    got = client.get(path, headers={"accept": accept}, follow_redirects=False)
    assert (got.status_code == 307 and got.headers["location"] == "/?lost=1") is lost
