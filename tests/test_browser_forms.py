"""Files in the forms in which they come, in Chromium: sent in one go, read, asked, each quote opened at its place, with its figures (图表)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
from playwright.sync_api import Browser, FilePayload, Page

from tests.browser import INGESTED, Server, settle, visit
from tests.raw_carriers import file_of
from tests.raw_papers_forms import GD_LEVELS, GD_TWOUP, NEA_FRAMED, NM_NESTED
from tests.steady import expect
from tests.test_figures import drawing, pdf_file, word_file

FORMS = (NEA_FRAMED, GD_TWOUP, GD_LEVELS, NM_NESTED)
OTHERS = {
    "采购.txt": "周末要买\n鸡蛋两盒\n牛奶三瓶\n给孩子买作业本\n".encode(),
    "程序.txt": b"def walk(path):\n    return [each for each in listing(path)]\n" * 9,
}
"""What is no regulation: held until a person says what it is, and refused."""


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app, into which a visitor sent at once a saved page, a print of two pages a sheet, an xls, a nested table, and two texts with figures."""
    folder = tmp_path_factory.mktemp("forms")
    running = Server(folder / "var", folder / "app.log", env={"NEMO_WORKERS": "0"})
    with browser.new_context() as context:  # it opens the papers from the disk, which no page of the app may
        printer = context.new_page()
        made = {f"收到{n}": file_of(each, printer, folder) for n, each in enumerate(FORMS)}
    files = {name + suffix: content for name, (content, suffix) in made.items()} | OTHERS
    files |= {"并网办法.docx": word_file(), "储能办法.pdf": pdf_file([drawing(4)])}
    with visit(browser) as page:
        page.goto(f"{running.url}/intake")
        settle(page)
        sent = [FilePayload(name=n, mimeType="application/octet-stream", buffer=c) for n, c in files.items()]
        page.locator("input[type=file]").set_input_files(sent)
        page.get_by_role("button", name=re.compile(f"开始入库（{len(files)}")).click()
        page.get_by_text(re.compile(f"{len(files)} 个文件：已入库 {len(files) - 1} · 失败 1")).wait_for(
            timeout=INGESTED
        )
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


def loaded(page: Page, where: str) -> list[int]:
    """Widths of the pictures below a place that the browser could decode."""
    page.locator(f"{where} img").first.wait_for()
    settle(page)
    return page.locator(f"{where} img").evaluate_all("all => all.map(each => each.complete ? each.naturalWidth : 0)")


def test_an_answer_shows_the_picture_its_quote_points_to(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/?q={quote('储能电站接入系统的方式应当符合什么')}")
    page.locator(".quote").first.wait_for()
    assert loaded(page, ".st-key-quote_0")[0] > 300
    card = page.locator(".st-key-quote_0")
    expect(card.get_by_text(re.compile("附图1 储能接入示意 · 第三条 · 第2页"))).to_be_visible()
    card.get_by_role("button", name="第 2 页").click()
    page.get_by_role("dialog").get_by_text(re.compile("第 2 / 3 页.*已框出图片")).wait_for()


def test_an_answer_shows_the_formula_with_its_variables(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/?q={quote('上网电费按照什么公式计算')}")
    page.locator(".formula").first.wait_for()
    assert page.locator(".formula").first.inner_text() == "上网电费＝上网电量×上网电价"
    expect(page.locator(".formula + .verbatim").first).to_have_text("式中：上网电量为当月抄见电量；")


def test_the_figures_of_a_text_stand_in_a_tab_of_their_own(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/?q={quote('并网服务费用标准按什么结算')}")
    page.locator(".quote").first.wait_for()
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law:not(.near)").wait_for()
    page.get_by_role("tab", name="图表").click()
    assert loaded(page, ".st-key-figure_1")[0] == 360
    assert "tab=figures" in page.url
    expect(page.locator(".st-key-figure_2 td")).to_have_text(
        ["电压等级", "费用（元）", "380伏", "120", "10千伏", "860"]
    )
    page.get_by_text("公式 1").click()
    expect(page.locator(".st-key-figure_1")).to_have_count(0)
    page.reload()
    page.get_by_role("tab", name="图表", selected=True).wait_for()
