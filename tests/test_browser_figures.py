"""Figures in Chromium (图表): uploaded, asked for, shown beside the quote with the page, and listed with their text."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import Server, settle, visit
from tests.steady import expect
from tests.test_figures import drawing, pdf_file, word_file


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app with a Word file and a PDF that a person has uploaded."""
    folder = tmp_path_factory.mktemp("figures")
    running = Server(folder / "var", folder / "app.log", env={"NEMO_WORKERS": "1"})
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    with visit(browser) as page:
        page.goto(f"{running.url}/intake")
        settle(page)
        page.locator("input[type=file]").set_input_files(
            [
                {"name": "并网办法.docx", "mimeType": word, "buffer": word_file()},
                {"name": "储能办法.pdf", "mimeType": "application/pdf", "buffer": pdf_file([drawing(4)])},
            ]
        )
        page.get_by_role("button", name=re.compile("开始入库（2")).click()
        page.get_by_text(re.compile("新入库 2|入库 2")).first.wait_for(timeout=180_000)
    yield running
    running.stop()


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
