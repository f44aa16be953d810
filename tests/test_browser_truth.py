"""In the real app: two reviewers on one quote, the way back, and a bundle checked in the browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from nemo import accounts
from tests.browser import Server, settle, visit
from tests.page_library import one_text
from tests.steady import shortcut

LAW = "演示双人办法（演示文本）\n第一条 紫色鲸鱼应当登记备案。\n第二条 本办法自2025年1月1日起施行。\n"
NAMES = ("甲", "乙")


@pytest.fixture
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """The app on one answered question, with two reviewers; the parameter says whether both must approve."""
    users = tmp_path / "users.toml"
    users.write_text("".join(accounts.entry(n, accounts.Role.REVIEWER, "correct horse") for n in NAMES), "utf-8")
    library = one_text(tmp_path, LAW, "演示双人办法第一条")
    rule = {"NEMO_REVIEW_TWO_PERSONS": "1"} if request.param else {}
    served = Server(library, tmp_path / "app.log", users=users, env=rule)
    yield served
    served.stop()


def sign_in(page: Page, app: Server, name: str) -> None:
    page.goto(f"{app.url}/review")
    page.get_by_label("用户名").fill(name)
    page.get_by_label("口令").fill("correct horse")
    page.get_by_role("button", name="登录").click()
    page.locator(".answer-head, .quote").first.wait_for()
    settle(page)


@pytest.mark.parametrize("app", [False], indirect=True)
def test_two_reviewers_on_one_quote(browser: Browser, app: Server, tmp_path: Path) -> None:
    """Who comes second is told and changes nothing; a decision is taken back, and the history says by whom."""
    with visit(browser) as first, visit(browser) as second:
        sign_in(first, app, NAMES[0])
        sign_in(second, app, NAMES[1])
        shortcut(first, "a")
        first.get_by_text("已记录").wait_for()
        second.locator(".st-key-review_note input").fill("第一条没有写明期限")
        second.get_by_role("button", name="存疑").click()
        second.get_by_text("第一条：您查看之后，甲已判为“已复核”").or_(
            second.get_by_text("现为“已复核”")
        ).first.wait_for()
        second.locator(".st-key-review_quote", has_text="甲 · 已复核").wait_for()
        assert second.locator(".st-key-review_note input").input_value() == "第一条没有写明期限"
        second.get_by_role("button", name="存疑").click()
        second.get_by_text("已记录").wait_for()
        second.get_by_role("button", name="撤销").click()
        second.get_by_text("乙 · 存疑 第一条没有写明期限").wait_for()
        first.get_by_role("button", name="撤销").click()
        first.get_by_text(re.compile("甲 · 撤销前一决定")).wait_for()
        first.locator(".quote", has_text="紫色鲸鱼").wait_for()
        settle(first)
        bundle_in_the_browser(first, tmp_path)


@pytest.mark.parametrize("app", [True], indirect=True)
def test_two_reviewers_are_needed_where_the_rule_says_so(browser: Browser, app: Server) -> None:
    """The first approval waits for another person; then the answer names both."""
    with visit(browser) as page:
        sign_in(page, app, NAMES[0])
        shortcut(page, "a")
        page.get_by_text("已有 1 人通过，还需另一位复核员通过").wait_for()
        settle(page)
        shortcut(page, "a")
        page.get_by_text("双人复核还需要另一位复核员").wait_for()
    with visit(browser) as page:
        sign_in(page, app, NAMES[1])
        shortcut(page, "a")
        page.get_by_text("没有符合条件的引文").wait_for()
        page.goto(f"{app.url}/?q=演示双人办法第一条")
        page.get_by_text(re.compile("已复核 甲、乙")).first.wait_for()


def bundle_in_the_browser(page: Page, folder: Path) -> None:
    """Export what is reviewed as a bundle, then check it, and a changed copy of it."""
    page.get_by_role("button", name="导出").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="核验包").click()
    waiting.value.save_as(folder / "b.json")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="文稿审校").click()
    page.get_by_role("tab", name="核验包").click()
    page.locator(".st-key-bundle input[type=file]").set_input_files(folder / "b.json")
    page.get_by_text("核对通过").wait_for()
    expect(page.locator(".facts", has_text="导出时间")).to_be_visible()
    page.locator(".st-key-bundle").get_by_text("只核对核验包自身").click()
    page.get_by_text("核对的范围").wait_for()
    page.get_by_text("核对通过").wait_for()
    body = json.loads((folder / "b.json").read_text("utf-8"))
    body["quotes"][0]["text"] = body["quotes"][0]["text"].replace("应当", "可以")
    (folder / "c.json").write_text(json.dumps(body), "utf-8")
    page.locator(".st-key-bundle input[type=file]").set_input_files(folder / "c.json")
    page.get_by_text("没有全部通过").wait_for()
