"""In the real app: two reviewers on one quote, the way back, and a bundle checked in the browser."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from nemo import accounts
from tests.browser import ROOT, Server, settle, visit

LAW = "演示双人办法（演示文本）\n第一条 紫色鲸鱼应当登记备案。\n第二条 本办法自2025年1月1日起施行。\n"
NAMES = ("甲", "乙")


@pytest.fixture
def app(browser: Browser, tmp_path: Path) -> Iterator[Server]:
    users = tmp_path / "users.toml"
    users.write_text("".join(accounts.entry(n, accounts.Role.REVIEWER, "correct horse") for n in NAMES), "utf-8")
    law = tmp_path / "演示双人办法.md"
    law.write_text(LAW, "utf-8")
    for command in (["ingest", str(law)], ["ask", "演示双人办法第一条"]):
        given = [sys.executable, "-m", "nemo", *command, "--library", str(tmp_path / "var")]
        subprocess.run(given, cwd=ROOT, check=True, capture_output=True)
    served = Server(tmp_path / "var", tmp_path / "app.log", users=users, wait=False)
    try:
        served.wait(120)
        yield served
    finally:
        served.stop()


def at_the_desk(page: Page, app: Server, name: str) -> None:
    page.goto(f"{app.url}/review")
    page.get_by_label("用户名").fill(name)
    page.get_by_label("口令").fill("correct horse")
    page.get_by_role("button", name="登录").click()
    page.locator(".answer-head").wait_for()
    settle(page)


def test_two_reviewers_on_one_quote(browser: Browser, app: Server, tmp_path: Path) -> None:
    with visit(browser) as first, visit(browser) as second:
        at_the_desk(first, app, NAMES[0])
        at_the_desk(second, app, NAMES[1])
        first.get_by_role("button", name="通过", exact=False).first.click()
        first.get_by_text("已记录").wait_for()
        second.get_by_role("button", name="存疑").click()
        second.get_by_text("您查看之后，甲已判为“已复核”").wait_for()
        first.get_by_role("button", name="撤销").click()
        first.locator(".quote", has_text="紫色鲸鱼").wait_for()
        settle(first)
        bundle_in_the_browser(first, tmp_path)


def bundle_in_the_browser(page: Page, folder: Path) -> None:
    """Export what is reviewed as a bundle, then check it, and a changed copy of it."""
    page.get_by_role("button", name="导出").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="核验包").click()
    waiting.value.save_as(folder / "b.json")
    page.keyboard.press("Escape")
    settle(page)
    page.locator(".st-key-bundle input[type=file]").set_input_files(folder / "b.json")
    page.get_by_text("核对通过").wait_for()
    page.locator(".st-key-bundle").get_by_text("只核对核验包自身").click()
    page.get_by_text("核对的范围").wait_for()
    page.get_by_text("核对通过").wait_for()
    body = json.loads((folder / "b.json").read_text("utf-8"))
    body["quotes"][0]["text"] = body["quotes"][0]["text"].replace("应当", "可以")
    (folder / "c.json").write_text(json.dumps(body), "utf-8")
    page.locator(".st-key-bundle input[type=file]").set_input_files(folder / "c.json")
    page.get_by_text("没有全部通过").wait_for()
