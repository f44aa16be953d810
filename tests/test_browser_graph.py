"""The graph, corpora and one's own memory in Chromium: each one journey, at both widths and in both shades (演示文本)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from nemo import settings
from nemo.engine import Engine
from tests.browser import Server, opened, settle, visit
from tests.local_server import Answer as Reply
from tests.local_server import LocalServer, Request, serving
from tests.steady import expect
from tests.test_graph import LAW, MEASURE, OTHER, TITLE

QUESTION = "风电场未按期完成涉网试验的如何处罚"
GONE = """演示储能消防规定（演示文本）

第一条 储能电站应当每半年演练一次消防。

第二条 本规定自2024年1月1日起施行。
"""
MODEL = "gemini-2.5-flash"
TIE = {"id": 3, "kind": "supervises", "words": "调度机构可以要求发电企业报送资料", "source": "调度机构"}


def gemini(request: Request) -> Reply:
    """Speak Gemini's protocol: know the model, propose one tie that stands in the text and one that does not, sum up."""
    if request.method == "GET":
        return Reply.of({"name": f"models/{MODEL}"})
    data = json.loads(request.json()["contents"][0]["parts"][0]["text"])
    if "provisions" in data:
        said: object = {"ties": [TIE, TIE | {"words": "调度机构监督管理发电企业"}]}
    else:
        said = {"sentences": [{"text": data["quotes"][0]["text"].splitlines()[0], "quotes": [1]}]}
    part = {"content": {"role": "model", "parts": [{"text": json.dumps(said, ensure_ascii=False)}]}}
    used = {"promptTokenCount": 700, "candidatesTokenCount": 50}
    return Reply.of({"candidates": [part | {"finishReason": "STOP"}], "usageMetadata": used})


@pytest.fixture(scope="module")
def service() -> Iterator[LocalServer]:
    with serving() as local:
        local.routes["*"] = gemini
        yield local


@pytest.fixture(scope="module")
def server(browser: Browser, service: LocalServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on three invented texts that hang together, with one answered question."""
    folder = tmp_path_factory.mktemp("graph_pages")
    for name, text in (("办法.md", MEASURE), ("法.md", LAW), ("条例.md", OTHER)):
        (folder / name).write_text(text.replace("（演示文本）", "", 1), "utf-8")
    with Engine.open(settings.load(library=folder / "var", workers=0)) as engine:
        engine.intake.ingest([folder / name for name in ("办法.md", "法.md", "条例.md")])
        engine.ask(QUESTION)
        (folder / "暂行.md").write_text(GONE, "utf-8")
        engine.intake.ingest([folder / "暂行.md"])
        engine.ask("储能电站多久演练一次消防")
        engine.library.remove(engine.regulation("暂行.md").id)
    key = {"NEMO_GEMINI_API_KEY": "k" * 20, "NEMO_GEMINI_BASE_URL": service.url}
    env = key | {"NEMO_PROPOSER": "gemini", "NEMO_SUMMARY": "gemini"}
    running = Server(folder / "var", folder / "app.log", env=env)
    yield running
    running.stop()


def test_a_walk_through_the_graph(page: Page, server: Server) -> None:
    opened(page, server, "/graph")
    page.get_by_text("写下一个节点开始。所选范围内共").wait_for()
    page.get_by_label("节点").fill(f"{TITLE}第三条")
    page.get_by_label("节点").press("Enter")
    page.locator("[data-testid=stGraphVizChart] svg").wait_for()
    row = page.locator("table.ties tbody tr").filter(has_text="处罚").first
    expect(row).to_contain_text("第三条")
    with page.expect_download() as file:
        page.get_by_role("button", name="导出 GraphML").click()
    assert "<graphml" in Path(file.value.path()).read_text("utf-8")
    opened(page, server, f"/graph?node={quote('调度机构')}")
    page.locator("table.ties a").filter(has_text="可以要求发电企业").first.click()
    page.locator("td", has_text="情态").wait_for()
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
    page.get_by_role("link", name="调度（演示）").click()
    page.get_by_text("还没有放入法规").wait_for()
    page.get_by_label("放入法规").click()
    page.get_by_role("option", name=re.compile("演示电力调度条例")).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="放入（1）").click()
    page.get_by_text("已放入").wait_for()
    page.locator("table.plain a", has_text="演示电力调度条例").wait_for()
    page.get_by_role("link", name="在图谱中查看").click()
    page.wait_for_url(re.compile("/graph.corpora="))
    page.get_by_text(re.compile("定义 0 · .*义务与权限 1")).wait_for()


def test_what_one_asked_is_found_and_forgotten(page: Page, server: Server) -> None:
    opened(page, server, "/")
    page.get_by_role("tab", name="我的问题").click()
    words = page.locator(".st-key-mine_words input")
    words.fill("涉网试验 处罚")
    page.get_by_text(re.compile("有关的 1 条")).wait_for()
    expect(page.locator(".st-key-memory_0")).to_contain_text(QUESTION)
    words.fill("储能 消防演练")
    row = page.locator("[class*=st-key-memory_]").filter(has_text="储能电站多久演练一次消防").first
    expect(row).to_contain_text("法规已移出资料库")
    words.fill("涉网试验 处罚")
    expect(page.locator(".st-key-memory_0")).to_contain_text(QUESTION)
    page.get_by_role("button", name="忘记").first.click()
    page.get_by_text(re.compile("有关的 0 条|还没有问过问题")).first.wait_for()


def test_a_proposal_is_asked_for_rejected_and_approved(page: Page, server: Server) -> None:
    opened(page, server, "/graph?view=proposals")
    page.get_by_text("征询候选关系").click()
    settle(page)  # opening the form draws the page anew
    page.get_by_label("法规", exact=True).click()
    page.keyboard.type("调度")
    page.get_by_role("option", name=re.compile("演示电力调度条例")).click()
    page.keyboard.press("Escape")
    page.get_by_text("将向 Gemini 发送 1 部法规的全文").wait_for()
    page.get_by_role("button", name="开始").click()
    run = page.locator(".st-key-proposal_run")
    expect(run).to_contain_text("提出 1 条，未采用 原文中没有这段文字 1；词元发出 700，收到 50")
    one = page.locator(".st-key-proposal_1")
    expect(one.locator("mark")).to_have_text(TIE["words"])
    one.get_by_role("button", name="驳回").click()
    page.get_by_text("驳回候选关系须写明理由").wait_for()
    one.get_by_placeholder("驳回时必须写明理由").fill("要求报送不是监督管理")
    one.get_by_role("button", name="驳回").click()
    page.get_by_text("候选关系 1 已驳回").wait_for()
    page.get_by_text("已驳回 1").click()
    one.get_by_role("button", name="核准").click()
    page.get_by_text("候选关系 1 已核准，进入图谱").wait_for()
    opened(page, server, f"/graph?node={quote('调度机构')}")
    row = page.locator("table.ties tbody tr").filter(has_text="核准")
    expect(row).to_contain_text("监督管理")
    expect(row).to_contain_text("模型提出，未登录 核准")


def test_a_summary_stands_below_the_quotes(page: Page, server: Server) -> None:
    opened(page, server, f"/?q={quote(QUESTION)}")
    page.get_by_role("button", name=re.compile("生成小结")).click()
    summed = page.locator("section.notice").filter(has_text="小结 · gemini/")
    expect(summed).to_contain_text("不是法规原文")
    first, last = page.locator("blockquote.quote").first.bounding_box(), summed.bounding_box()
    assert first is not None and last is not None and first["y"] < last["y"]


def test_every_cell_of_the_counted_table_opens_its_provision(page: Page, server: Server) -> None:
    opened(page, server, f"/graph?view=duties&about={quote('涉网试验')}")
    links = page.locator("table.ties tbody tr a")
    links.first.wait_for()
    for number in range(links.count()):
        opened(page, server, f"/graph?view=duties&about={quote('涉网试验')}")
        row = page.locator("table.ties tbody tr").nth(number)
        row.wait_for()
        words = row.locator("td .verbatim").inner_text().strip()
        row.locator("a").last.click()
        page.locator(".law-head").wait_for()
        settle(page)
        shown = "".join(page.locator(".stMain").inner_text().split())
        assert "".join(words.split()) in shown, words


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("shade", ["light", "dark"])
def test_nothing_runs_over_the_edge(server: Server, browser: Browser, width: int, shade: str) -> None:
    with visit(browser, (width, 900), dark=shade == "dark") as page:
        for path in (f"/graph?node={quote(TITLE)}", "/graph?view=proposals", "/corpora"):
            opened(page, server, path)
            page.locator(".page-title").wait_for()
            assert page.evaluate("document.scrollingElement.scrollWidth") <= width, (path, width, shade)
