"""Papers as they come, in Chromium: uploaded on the intake page, what was taken out, doubtful facts corrected together."""

import contextlib
import re
import sqlite3
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import Workbook
from playwright.sync_api import Browser, FilePayload, Page

from tests.browser import INGESTED, Server, opened, settle, visit
from tests.raw_carriers import file_of
from tests.raw_papers import NM_LIST, NM_OFFICE, SD_AGENT_PRICES, Raw

PAPERS = (NM_OFFICE, SD_AGENT_PRICES, NM_LIST)
LIBRARIES: dict[str, Path] = {}


@pytest.fixture(scope="module")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on a library into which the papers were uploaded."""
    folder = tmp_path_factory.mktemp("intake")
    running = Server(folder / "var", folder / "app.log", env={"NEMO_WORKERS": "0"})
    LIBRARIES[running.url] = folder / "var"
    with visit(browser) as page:
        page.goto(f"{running.url}/intake")
        settle(page)
        page.locator("input[type=file]").set_input_files([payload(each, page, folder) for each in PAPERS])
        page.get_by_role("button", name=re.compile(f"开始入库（{len(PAPERS)}")).click()
        page.get_by_text("存疑的信息").first.wait_for(timeout=INGESTED)
        page.get_by_text(f"已入库 {len(PAPERS)}").first.wait_for(timeout=INGESTED)
    yield running
    running.stop()


def held(server: Server, title: str) -> str:
    """Return the id of the text whose title ends so."""
    with contextlib.closing(
        sqlite3.connect(f"file:{LIBRARIES[server.url]}/catalogue.sqlite?mode=ro", uri=True)
    ) as read:
        return str(read.execute("select id from regulations where title like ?", [f"%{title}"]).fetchone()[0])


def payload(paper: Raw, page: Page, folder: Path) -> FilePayload:
    content, suffix = file_of(paper, page, folder)
    return FilePayload(name=f"下载{PAPERS.index(paper)}{suffix}", mimeType="application/octet-stream", buffer=content)


def test_what_was_taken_out_of_a_page_is_listed_over_its_text(page: Page, server: Server) -> None:
    opened(page, server, f"/library?r={held(server, '实施办法')}")
    page.locator(".law").first.wait_for()
    law = page.locator(".law").first.evaluate("e => e.textContent")
    assert "单个项目装机容量不得超过5万千瓦" in law
    assert "蒙公网安备" not in law and "手机扫码看本文" not in law
    page.get_by_text(re.compile("^查看：已去除 [0-9]+ 行")).click()
    removed = page.locator("[data-testid=stExpanderDetails]", has_text="蒙公网安备")
    removed.wait_for()
    assert "手机扫码看本文" in removed.inner_text()


def test_a_doubtful_fact_of_several_texts_is_corrected_at_once(page: Page, server: Server) -> None:
    opened(page, server, "/intake")
    page.locator(".st-key-doubts canvas").first.wait_for()
    page.locator(".st-key-doubts .dvn-scroller").click(position={"x": 18, "y": 18})
    page.locator(".st-key-doubts_form", has_text=re.compile("对所选 [2-9] 部法规统一填写")).wait_for()
    settle(page)
    field = page.get_by_role("combobox", name=re.compile("对所选"))
    field.click()
    field.press("ArrowDown")
    page.get_by_role("option", name="发布机关", exact=True).click()
    page.locator(".st-key-doubts_value_issuer input").fill("演示机关")
    page.locator(".st-key-doubts_value_issuer input").press("Tab")
    page.locator(".st-key-doubts_reason input").fill("依据原通知首页")
    page.locator(".st-key-doubts_reason input").press("Tab")
    settle(page)
    page.get_by_role("button", name="全部改正").click()
    page.get_by_text(re.compile("已改正 [2-9] 部法规的发布机关")).wait_for()
    opened(page, server, f"/library?r={held(server, '项目清单（演示文本）')}&tab=facts")
    row = page.locator("tr", has_text="演示机关")
    row.first.wait_for()
    assert "人工" in row.first.inner_text()


def own_files() -> dict[str, bytes]:
    """A page, a sheet, a text under two names, and what is no document."""
    rows = "".join(
        f"<p>第{n}条　演示电站应当按照要求办理{what}手续。</p>" for n, what in zip("一二三", "购并验", strict=True)
    )
    rule = "演示同文办法（演示文本）\n第一条 演示机组应当登记备案。\n第二条 本办法自2025年1月1日起施行。\n".encode()
    book, out = Workbook(), BytesIO()
    book.active.append(["演示收费标准（演示文本）"])
    for row in [("项目", "标准"), *((f"演示服务{n}", n) for n in range(6))]:
        book.active.append(row)
    book.save(out)
    page = f"<html><head><title>演示网页办法（演示文本）_示例网</title></head><body><h1>演示网页办法（演示文本）</h1>{rows}</body></html>"
    return {
        "a1.html": page.encode(), "b2.xlsx": out.getvalue(), "c3.md": rule, "c4.md": rule, "d5.pdf": b"%PDF-1.4 broken",
    }  # fmt: skip


def test_counts_add_up_and_the_same_bytes_change_nothing(page: Page, server: Server, tmp_path: Path) -> None:
    """Titles come from the text, and not from the name of the file; a folder is taken as a whole, but what a system left there."""
    files = own_files()
    opened(page, server, "/intake")
    given = [FilePayload(name=n, mimeType="application/octet-stream", buffer=files[n]) for n in files if n != "c4.md"]
    lock = FilePayload(name="~$a1.docx", mimeType="application/octet-stream", buffer=b"lock")
    page.locator("input[type=file]").set_input_files([*given, lock])
    page.get_by_text("略过系统或程序留下的 1 个文件：~$a1.docx").wait_for()
    page.get_by_role("button", name=re.compile("开始入库（4")).click()
    page.get_by_text(re.compile("4 个文件：已入库 3 · 失败 1")).wait_for(timeout=INGESTED)
    page.get_by_role("button", name=re.compile("重试失败或取消的 1 个文件")).wait_for()
    for name in ("c4.md", "a1.html"):
        (tmp_path / name).write_bytes(files[name])
    (tmp_path / "desktop.ini").write_text("[.ShellClassInfo]")
    opened(page, server, "/intake")
    page.get_by_text("整个文件夹").click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(tmp_path)
    page.get_by_text("略过系统或程序留下的 1 个文件：desktop.ini").wait_for()
    page.get_by_role("button", name=re.compile("开始入库（2")).click()
    page.get_by_text(re.compile("2 个文件：未变化 2")).wait_for(timeout=INGESTED)
    assert held(server, "演示网页办法（演示文本）")
