"""Collecting in Chromium against servers on this machine: a question without an answer finds its text; law changes and is told."""

import re
import shutil
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from email import message_from_string
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from docx import Document
from playwright.sync_api import Browser, Page

from nemo import settings
from nemo.engine import Engine
from tests.browser import ROOT, Server, opened
from tests.local_server import Answer, LocalServer, serving
from tests.steady import expect
from tests.test_following import RULE, post_office
from tests.watched_web import InventedSite, serve

QUESTION = "《演示演示省光伏项目并网管理办法之7》第二条规定应当在几个工作日内答复申请人"
SOURCE = """
[[sources]]
code = "demo"
name = "演示省能源局"
province = "gd"
url = "{url}/"
allow = "127.0.0.1"
list_pages = ["{url}/demo/index.html"]
mode = "list"
source = "written for this test"
"""


class Outside:
    """What the app meets: an official site, a search service, a mail server."""

    def __init__(self, site: LocalServer, search: LocalServer, mail: tuple[str, list[str]]) -> None:
        self.site, self.search, (self.post, self.mails) = site, search, mail
        self.invented = InventedSite.of("demo", "演示省", 3)
        self.paper = self.invented.add(7)
        serve(site, self.invented)
        found = [
            {"link": site.url + self.paper, "title": self.invented.titles[self.paper]},
            {"link": "https://blog.example.com/7", "title": "别人的解读"},
        ]
        search.routes["*"] = Answer.of({"items": found})

    def settings(self, folder: Path) -> dict[str, str]:
        shutil.copytree(ROOT / "data" / "rules", folder / "rules")
        (folder / "rules" / "sources.toml").write_text(SOURCE.format(url=self.site.url), "utf-8")
        return {
            "NEMO_DISCOVERY": "1", "NEMO_CRAWL_DELAY": "0", "NEMO_RULES": str(folder / "rules"), "NEMO_TEST_SEARCH": self.search.url + "/v1",
            "NEMO_GOOGLE_SEARCH_API_KEY": "key", "NEMO_GOOGLE_SEARCH_ENGINE_ID": "engine",
            "NEMO_SMTP_URL": f"smtp://{self.post}", "NEMO_MAIL_TO": "a@demo.cn", "NEMO_WORKERS": "0",
        }  # fmt: skip


@pytest.fixture(scope="module")
def outside() -> Iterator[Outside]:
    with ExitStack() as open_:
        site, search, mail = (open_.enter_context(each) for each in (serving(), serving(), post_office()))
        yield Outside(site, search, mail)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def server(browser: Browser, outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("watch")
    (folder / "办法.md").write_text(RULE, "utf-8")
    with Engine.open(settings.load(library=folder / "var", workers=0)) as engine:
        engine.ingest([folder / "办法.md"])
    running = Server(folder / "var", folder / "app.log", entry="tests/local_app.py", env=outside.settings(folder))
    yield running
    running.stop()


@pytest.fixture
def page(page: Page) -> Page:
    page.set_default_timeout(120_000)  # a visit takes its time
    return page


def test_from_a_question_without_an_answer_to_what_cannot_be_fetched(
    page: Page, server: Server, outside: Outside
) -> None:
    """One site and one story: what is found is what changes, and what is collected then is what cannot be read."""
    finds(page, server, outside)
    is_told(page, server, outside)
    is_settled(page, server, outside)


def finds(page: Page, server: Server, outside: Outside) -> None:
    """Question → leads → fetched → read → let in after a look → answered."""
    opened(page, server, f"/?q={quote(QUESTION)}")
    page.locator(".refusal").wait_for()
    page.get_by_role("link", name="为这个问题找依据").click()
    page.get_by_role("button", name="查找线索").click()
    page.get_by_text("在官方来源中找到 1 条").wait_for()
    assert "site:127.0.0.1" in outside.search.seen[-1].query["q"][0]
    expect(page.get_by_text("别人的解读")).to_have_count(0)
    page.get_by_text(outside.invented.titles[outside.paper]).first.click()
    page.get_by_role("button", name=re.compile("取回并阅读所选 1 条")).click()
    page.get_by_role("link", name="查看并确认").click()
    page.get_by_text("不改变任何已入库法规的时效").wait_for()
    page.get_by_label("说明").fill("已与原网页核对")
    page.get_by_role("button", name="确认入库").click()
    page.get_by_text("已确认入库").wait_for()
    page.get_by_role("link", name="再问一次").click()
    page.locator(".quote", has_text="十个工作日").first.wait_for()


def is_told(page: Page, server: Server, outside: Outside) -> None:
    """A followed question; the site publishes another version; a person signs; home page, feed and one mail tell of it."""
    opened(page, server, "/")
    page.get_by_role("tab", name="关注").click()
    page.get_by_text("关注问题或专题").click()
    page.get_by_label("问题（有关法规变化时提示）").fill(QUESTION)
    page.get_by_label("问题（有关法规变化时提示）").blur()
    page.get_by_role("button", name="关注问题").click()
    page.locator("[class*=st-key-follow_]", has_text=QUESTION).first.wait_for()
    opened(page, server, "/watch")
    outside.invented.add(7, days="五个", since="2026年9月1日")
    box = page.get_by_role("combobox", name="官方来源")
    box.click()
    page.get_by_role("option", name="演示省能源局").click()
    page.get_by_role("button", name="开始采集").click()
    page.get_by_text("尚未经人核对").wait_for()
    page.get_by_text(re.compile("待确认 4 份")).wait_for()
    page.locator("[class*=st-key-paper_]", has_text="新版本").get_by_role("link", name="查看影响").click()
    page.locator(".diff .pair").first.wait_for()
    expect(page.locator(".diff")).to_contain_text("五个工作日")
    page.get_by_text(re.compile("存档答复：.*所引条文有改动")).wait_for()
    page.get_by_label("说明").fill("已逐条核对")
    page.get_by_role("button", name="签认并入库").click()
    page.get_by_text("已确认入库").wait_for()
    with page.expect_download() as got:
        page.get_by_role("button", name="导出 Word").click()
    words = "\n".join(
        cell.text
        for table in Document(BytesIO(Path(got.value.path()).read_bytes())).tables
        for row in table.rows
        for cell in row.cells
    )
    assert "确认入库" in words and "已逐条核对" in words
    title = outside.invented.titles[outside.paper]
    opened(page, server, "/")
    told = page.locator("[class*=st-key-followed_]", has_text=title)
    told.first.get_by_role("link", name="打开").click()
    page.get_by_role("button", name="关注", exact=True).click()
    page.get_by_role("button", name="已关注").wait_for()
    feed = urllib.request.urlopen(f"{server.url}/api/v1/changes.atom", timeout=60).read().decode()
    assert feed.count(f"<title>新入库：{title}</title>") >= 1
    with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=60):
        assert len(outside.mails) == 1, "one digest a day"
    body = message_from_string(outside.mails[0].replace("\r\n", "\n")).get_payload(decode=True)
    assert "新入库：" in body.decode(), "the digest goes out with what had happened by then"  # type: ignore[union-attr]


def is_settled(page: Page, server: Server, outside: Outside) -> None:
    """What cannot be read or fetched is seen, tried again and put away."""
    empty, closed = outside.invented.add(8), outside.invented.add(9)
    outside.invented.papers[empty] = "<html><body></body></html>"
    outside.invented.special[closed] = Answer(status=412)
    opened(page, server, "/watch")
    page.get_by_role("button", name="立即采集").click()
    page.get_by_role("heading", name=re.compile("隔离区")).wait_for()
    row = page.locator("[class*=st-key-failed_]").first
    row.get_by_role("button", name="重读").click()
    row.wait_for()
    row.get_by_role("button", name="丢弃").click()
    expect(page.locator("[class*=st-key-failed_]")).to_have_count(0)
    page.get_by_text(re.compile("1 个地址取不回")).first.click()
    del outside.invented.special[closed]
    page.get_by_role("button", name="再取一次").click()
    expect(page.get_by_text(re.compile("个地址取不回"))).to_have_count(0)
