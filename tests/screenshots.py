"""Takes the pictures of README and docs: ``python -m tests.screenshots [FOLDER]`` (default ``docs/screenshots``).

Starts the real app on a fresh library with the demonstration texts and photographs every page, light, dark and on a
phone. Nothing is arranged for the camera but the question.
"""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import ROOT, Server, chromium, settle, visit

QUESTION = "分布式光伏并网要提交哪些资料？"
ASK = f"/?q={quote(QUESTION)}&province=gd&asset=solar"
PHONE = (390, 844)
WIDE = (1440, 900)

PICTURES = (
    ("ask", ASK),
    ("start", "/"),
    ("refusal", f"/?q={quote('红烧肉怎么做才好吃')}"),
    ("matrix", f"/matrix?q={quote(QUESTION)}&provinces=gd,sd,nm&asset=solar"),
    ("library", "/library"),
    ("intake", "/intake"),
    ("system", "/system"),
)


def fill(browser: Browser, server: Server) -> None:
    """Load the demonstration texts as a visitor would."""
    with visit(browser) as page:
        page.goto(server.url)
        page.get_by_role("button", name="载入演示资料").click()
        page.get_by_text("可以这样问").wait_for(timeout=60_000)


def photograph(page: Page, target: Path, whole: bool = True) -> None:
    """Take one picture, as high as the page is, up to a limit."""
    settle(page)
    width = page.viewport_size["width"] if page.viewport_size else WIDE[0]
    if whole:
        high = page.evaluate("() => (document.querySelector('[data-testid=stMain]') || document.body).scrollHeight")
        page.set_viewport_size({"width": width, "height": max(600, min(int(high), 2400))})
        page.wait_for_timeout(400)
    page.screenshot(path=target)
    print(target)


def open_regulation(page: Page, server: Server) -> None:
    """Open the source of the first quote."""
    page.goto(server.url + ASK)
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law").wait_for()


def open_versions(page: Page, server: Server) -> None:
    """Open the comparison of a regulation with its earlier version."""
    page.goto(f"{server.url}/?q={quote('新能源电站并网运行管理办法第七条')}")
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law").wait_for()
    page.get_by_role("tab", name="版本与关系").click()
    page.locator(".diff").wait_for()


def open_page_image(page: Page, server: Server) -> None:
    """Open the boxed page of a PDF beside its quote."""
    page.goto(f"{server.url}/?q={quote('分布式光伏并网服务管理办法第八条')}")
    page.get_by_role("button", name="原页").first.click()
    page.get_by_role("dialog").locator("img").wait_for()
    page.wait_for_timeout(600)


def open_evaluation(page: Page, server: Server) -> None:
    """Run the golden set."""
    page.goto(f"{server.url}/evaluation")
    page.get_by_role("button", name="运行评测").click()
    page.locator(".reliability").first.wait_for(timeout=60_000)


def open_review(page: Page, server: Server) -> None:
    """Open the form of the reviewer on a quote of a PDF."""
    page.goto(f"{server.url}/review")
    settle(page)
    for _ in range(20):
        if page.locator(".st-key-review_page img").count():
            break
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(700)


STEPS: tuple[tuple[str, Callable[[Page, Server], None], bool], ...] = (
    ("regulation", open_regulation, False),
    ("versions", open_versions, True),
    ("page", open_page_image, False),
    ("review", open_review, False),
    ("evaluation", open_evaluation, True),
)


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        browser = chromium(playwright)
        server = Server(Path(scratch) / "library", Path(scratch) / "app.log")
        try:
            fill(browser, server)
            for name, path in PICTURES:
                with visit(browser, WIDE) as page:
                    page.goto(server.url + path)
                    photograph(page, folder / f"{name}.png")
            for name, steps, whole in STEPS:
                with visit(browser, WIDE) as page:
                    steps(page, server)
                    photograph(page, folder / f"{name}.png", whole)
            for name, size, dark in (("ask-dark", WIDE, True), ("ask-phone", PHONE, False)):
                with visit(browser, size, dark) as page:
                    page.goto(server.url + ASK)
                    photograph(page, folder / f"{name}.png")
        finally:
            server.stop()
            browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots")
