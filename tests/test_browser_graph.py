"""The graph, corpora and one's own memory in Chromium: each one journey, at both widths and in both shades (演示文本)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from nemo import settings
from nemo.engine import Engine
from tests.browser import Server, opened, visit
from tests.test_graph import LAW, MEASURE, OTHER, TITLE

QUESTION = "风电场未按期完成涉网试验的如何处罚"


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on three invented texts that hang together, with one answered question."""
    folder = tmp_path_factory.mktemp("graph_pages")
    for name, text in (("办法.md", MEASURE), ("法.md", LAW), ("条例.md", OTHER)):
        (folder / name).write_text(text.replace("（演示文本）", "", 1), "utf-8")
    with Engine.open(settings.load(library=folder / "var", workers=0)) as engine:
        engine.intake.ingest([folder / name for name in ("办法.md", "法.md", "条例.md")])
        engine.ask(QUESTION)
    running = Server(folder / "var", folder / "app.log")
    yield running
    running.stop()


def test_a_walk_through_the_graph(page: Page, server: Server) -> None:
    opened(page, server, "/graph")
    page.get_by_text("下表是所选范围内各类关系的条数").wait_for()
    page.get_by_label("节点").fill(f"{TITLE}第三条")
    page.get_by_label("节点").press("Enter")
    page.locator("[data-testid=stGraphVizChart] svg").wait_for()
    row = page.locator("table.ties tbody tr").filter(has_text="处罚").first
    expect(row).to_contain_text("第三条")
    with page.expect_download() as file:
        page.get_by_role("button", name="导出 graphml").click()
    assert "<graphml" in Path(file.value.path()).read_text("utf-8")
    opened(page, server, f"/graph?node={quote('调度机构')}")
    page.locator("table.ties a").filter(has_text="可以要求发电企业").first.click()
    page.locator("th", has_text="情态").wait_for()
    expect(page.locator("tr").filter(has_text="情态").first).to_contain_text("可以")
    expect(page.locator("tr").filter(has_text="主体").first).to_contain_text("调度机构")


def test_a_way_between_two_provisions_with_its_filters(page: Page, server: Server) -> None:
    where = f"/graph?view=path&node={quote(TITLE + '第五条')}&to={quote('演示电力调度条例第二条')}"
    opened(page, server, where)
    page.locator("table.ties tbody tr").first.wait_for()
    ways = page.locator("table.ties tbody")
    expect(ways).to_contain_text("《演示电力调度条例》第二条")
    page.get_by_text("废止", exact=True).click()
    page.get_by_text("两个节点之间没有路径").wait_for()
    opened(page, server, f"/graph?view=duties&authority={quote('能源主管部门')}")
    expect(page.locator("h2.section-head")).to_contain_text("1 部法规")


def test_a_corpus_is_made_filled_and_looked_into(page: Page, server: Server) -> None:
    opened(page, server, "/corpora")
    page.get_by_label("名称", exact=True).fill("调度（演示）")
    page.get_by_role("textbox", name="切块").fill("600/100")
    page.get_by_role("button", name="新建", exact=True).click()
    page.get_by_text("资料集已建立").wait_for()
    table = page.locator(".st-key-corpora canvas").first
    table.wait_for()
    table.click(position={"x": 12, "y": 52}, force=True)
    page.get_by_label("放入法规").click()
    page.get_by_role("option", name=re.compile("演示电力调度条例")).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="放入（1）").click()
    page.get_by_text("已放入").wait_for()
    opened(page, server, f"/graph?corpora={quote('调度（演示）')}")
    rows = page.locator("table.plain tbody tr")
    expect(rows.filter(has_text="定义").first).to_contain_text("0")
    expect(rows.filter(has_text="义务与权限").first).to_contain_text("1")


def test_what_one_asked_is_found_and_forgotten(page: Page, server: Server) -> None:
    opened(page, server, "/")
    page.get_by_role("tab", name="我的问题").click()
    words = page.locator(".st-key-mine_words input")
    words.fill("涉网试验 处罚")
    page.get_by_text(re.compile("有关的 1 条")).wait_for()
    expect(page.locator(".st-key-memory_0")).to_contain_text(QUESTION)
    page.get_by_role("button", name="忘记").first.click()
    page.get_by_text(re.compile("有关的 0 条|还没有问过问题")).first.wait_for()


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("shade", ["light", "dark"])
def test_nothing_runs_over_the_edge(server: Server, browser: Browser, width: int, shade: str) -> None:
    with visit(browser, (width, 900), dark=shade == "dark") as page:
        for path in (f"/graph?node={quote(TITLE)}", "/corpora"):
            opened(page, server, path)
            page.locator(".page-title").wait_for()
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (path, width, shade)
