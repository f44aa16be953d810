"""A page of another origin in a real browser: whatever it tries, the library stays as it was and tells it nothing."""

import json
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Frame, Page, sync_playwright

from tests.browser import INGESTED, chromium, settle, visit
from tests.local_server import Answer, LocalServer
from tests.local_server import serving as outside
from tests.security.served import TEXT, Target, serving

FOREIGN = "<!doctype html><meta charset=utf-8><body>外来网页</body>"

# What the page at evil.test can do with a visitor's browser; each returns what it learnt.
TRIES = {
    "a question": """async u => { const r = await fetch(u + '/api/query', {method: 'POST',
        headers: {'content-type': 'application/json'}, body: '{"question":"x"}'}); return await r.text() }""",
    "the list": "async u => await (await fetch(u + '/api/regulations')).text()",
    "the backup": "async u => await (await fetch(u + '/api/backup')).text()",
    "health of the app": "async u => await (await fetch(u + '/_stcore/health')).text()",
    "an agent's call": """async u => { const r = await fetch(u + '/mcp/', {method: 'POST',
        headers: {'content-type': 'application/json', 'accept': 'application/json, text/event-stream'},
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'}); return await r.text() }""",
    "the socket of the app": """u => new Promise((yes, no) => { const s = new WebSocket(u.replace('http', 'ws')
        + '/_stcore/stream', ['streamlit']); s.onopen = () => yes('open'); s.onerror = () => no('closed') })""",
}

BLIND = {
    "a form with a file, unseen": """async u => { const f = new FormData(); f.append('files', new Blob([TEXT]), '外来.md');
        await fetch(u + '/api/ingest', {method: 'POST', mode: 'no-cors', body: f}); }""",
    "an upload into the app": """async u => { const f = new FormData(); f.append('file', new Blob([TEXT]), '外来.md');
        await fetch(u + '/_stcore/upload_file/a/b', {method: 'POST', mode: 'no-cors', body: f}); }""",
}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    with serving(tmp_path_factory.mktemp("page")) as running:
        yield running


@pytest.fixture(scope="module")
def foreign() -> Iterator[LocalServer]:
    with outside() as server:
        server.routes["*"] = Answer.html(FOREIGN)
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = chromium(playwright, "--host-resolver-rules=MAP evil.test 127.0.0.1")
        yield started
        started.close()


@pytest.fixture(scope="module")
def page(browser: Browser, foreign: LocalServer) -> Page:
    tab = browser.new_page()
    tab.goto(foreign.url)
    return tab


def held(target: Target) -> int:
    return len(json.loads(target.send("GET", "/api/regulations").body)["regulations"])


@pytest.mark.parametrize("name", TRIES)
def test_a_foreign_page_learns_nothing(page: Page, target: Target, name: str) -> None:
    script = f"async u => {{ try {{ return await ({TRIES[name]})(u) }} catch (e) {{ return 'nothing' }} }}"
    assert page.evaluate(script, f"http://localhost:{target.port}") == "nothing"


@pytest.mark.parametrize("name", BLIND)
def test_a_foreign_page_changes_nothing(page: Page, target: Target, name: str) -> None:
    text = json.dumps(TEXT.replace("门卫办法", "外来办法"))
    script = BLIND[name].replace("TEXT", text)
    page.evaluate(f"async u => {{ try {{ await ({script})(u) }} catch (e) {{ }} }}", f"http://localhost:{target.port}")
    assert held(target) == 1


def test_a_form_that_leads_here_changes_nothing(page: Page, target: Target, foreign: LocalServer) -> None:
    page.evaluate(
        """u => { document.body.innerHTML = `<form method=post enctype="multipart/form-data" action="${u}/api/ingest">
        <input name=files value=x></form>`; document.forms[0].submit() }""",
        f"http://localhost:{target.port}",
    )
    page.wait_for_url("**/api/ingest")
    assert json.loads(page.inner_text("body"))["code"] == "not_permitted"
    page.goto(foreign.url)
    assert held(target) == 1


@pytest.mark.parametrize("path", ["/", "/ask", "/library", "/api/docs"])
def test_no_page_of_ours_stands_in_a_foreign_frame(page: Page, target: Target, path: str) -> None:
    page.evaluate(
        """u => new Promise(done => { document.body.innerHTML = ''; const f = document.createElement('iframe');
        f.onload = f.onerror = () => done(); f.src = u; document.body.append(f); setTimeout(done, 3000) })""",
        f"http://localhost:{target.port}{path}",
    )
    inside = [shown(frame) for frame in page.frames if frame != page.main_frame]
    assert not any("/api/query" in text or 'id="root"' in text for text in inside)


def shown(frame: Frame) -> str:
    """What stands in a frame; nothing when the browser took the refused page away while it was looked at."""
    try:
        return frame.content()
    except Error as error:
        assert "closed" in str(error) or "detached" in str(error), error
        return ""


@pytest.mark.parametrize("path", ["/", "/api/regulations", "/api/backup", "/_stcore/health"])
def test_a_name_pointed_at_this_machine_gets_nothing(browser: Browser, target: Target, path: str) -> None:
    """DNS rebinding: the browser believes that it talks to evil.test, and the page there is of the same origin."""
    tab = browser.new_page()
    tab.goto(f"http://evil.test:{target.port}{path}")
    assert json.loads(tab.inner_text("body"))["code"] == "not_permitted"
    tab.close()


def test_the_app_itself_goes_on_working(browser: Browser, target: Target) -> None:
    """Socket, uploads, downloads: everything that the guard lets through in a visitor's own page."""
    with visit(browser) as tab:
        tab.goto(f"http://localhost:{target.port}/intake")
        settle(tab)
        text = TEXT.replace("门卫办法", "上传门卫办法").replace("十二个", "二十个").encode()
        tab.set_input_files("input[type=file]", {"name": "上传.md", "mimeType": "text/plain", "buffer": text})
        tab.get_by_role("button", name="开始入库（1 个文件）").click()
        tab.get_by_text(re.compile("已入库 1")).first.wait_for(timeout=INGESTED)
        until = time.monotonic() + 60
        while held(target) < 2 and time.monotonic() < until:  # it is ingested beside the page
            time.sleep(0.2)
        tab.goto(f"http://localhost:{target.port}/system")
        settle(tab)
        tab.get_by_role("tab", name="接口令牌").click()
        tab.get_by_text("查看首个令牌").click()
        tab.wait_for_function("() => document.body.innerText.includes('nemo_')")
        tab.get_by_role("tab", name="状态").click()
        with tab.expect_download() as saved:
            tab.get_by_role("button", name="下载备份").click()
        assert saved.value.path().read_bytes()[:2] == b"PK"
    assert held(target) == 2
