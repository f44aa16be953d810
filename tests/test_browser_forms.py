"""Files in the forms in which they come, in Chromium: sent in one go, read, asked, and each quote opened at its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.browser import Server, settle, visit
from tests.raw_carriers import file_of
from tests.raw_papers_forms import GD_LEVELS, GD_TWOUP, NEA_FRAMED, NM_NESTED

FORMS = (NEA_FRAMED, GD_TWOUP, GD_LEVELS, NM_NESTED)
OTHERS = {
    "采购.txt": "周末要买\n鸡蛋两盒\n牛奶三瓶\n给孩子买作业本\n".encode(),
    "程序.txt": b"def walk(path):\n    return [each for each in listing(path)]\n" * 9,
}
"""What is no regulation: held until a person says what it is, and refused."""


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, into which a visitor sent a saved page, a print of two pages a sheet, an xls and a nested table at once."""
    folder = tmp_path_factory.mktemp("forms")
    running = Server(folder / "var", folder / "app.log", env={"NEMO_WORKERS": "1"})
    with browser.new_context() as context:  # it opens the papers from the disk, which no page of the app may
        printer = context.new_page()
        made = {f"收到{n}": file_of(each, printer, folder) for n, each in enumerate(FORMS)}
    files = {name + suffix: content for name, (content, suffix) in made.items()} | OTHERS
    with visit(browser) as page:
        page.goto(f"{running.url}/intake")
        settle(page)
        sent = [FilePayload(name=n, mimeType="application/octet-stream", buffer=c) for n, c in files.items()]
        page.locator("input[type=file]").set_input_files(sent)
        page.get_by_role("button", name=re.compile(f"开始入库（{len(files)}")).click()
        page.get_by_text(re.compile(f"{len(files)} 个文件：已入库 {len(files) - 1} · 失败 1")).wait_for(timeout=240_000)
        page.get_by_text(re.compile("几乎没有汉字")).first.wait_for(state="attached")
    yield running
    running.stop()


def ask(page: Page, server: Server, question: str) -> None:
    page.goto(f"{server.url}/?{urlencode({'q': question, 'as_of': '2026-06-01'})}")
    page.locator(".quote, .refusal").first.wait_for()
    settle(page)


@pytest.mark.parametrize("paper", FORMS, ids=[each.form for each in FORMS])
def test_a_paper_of_this_form_answers_and_its_place_opens(page: Page, server: Server, paper) -> None:  # type: ignore[no-untyped-def]
    question, pieces = paper.asks[0]
    ask(page, server, question)
    card = page.locator(".quote").first
    shown = card.evaluate("e => e.textContent")
    assert all(piece in shown for piece in pieces)
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law .chosen").first.wait_for()
    chosen = "".join(page.locator(".law .chosen").evaluate_all("all => all.map(e => e.textContent)"))
    assert any(piece in chosen for piece in pieces)
    expect(page.locator("[data-target]").first).to_be_in_viewport()


def test_what_is_no_regulation_answers_nothing(page: Page, server: Server) -> None:
    ask(page, server, "鸡蛋要买几盒？")
    assert page.locator(".quote").count() == 0
