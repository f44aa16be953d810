"""A working day in Chromium: the start page, the quick field, remarks, a queue of reviewers, many questions, a memo."""

import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Browser, FilePayload, Locator, Page, TimeoutError

from tests.browser import Server, opened, settle, visit
from tests.page_library import copied
from tests.steady import expect, shortcut

QUESTION = "分布式光伏并网要提交哪些资料？"


@pytest.fixture(scope="module")
def server(browser: Browser, demonstration: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on the demonstration texts, with one answered question."""
    folder = tmp_path_factory.mktemp("work")
    running = Server(copied(demonstration, folder / "var"), folder / "app.log")
    with visit(browser) as page:
        page.goto(f"{running.url}/?q={quote(QUESTION)}&province=gd")
        page.locator(".quote").first.wait_for(timeout=60_000)
    yield running
    running.stop()


def to_page(page: Page, path: str) -> None:
    """Go to a page by the menu: loading the app anew costs twice what a page does."""
    page.locator(f"[data-testid=stSidebarNavItems] a[href$='/{path}']").click()
    page.wait_for_url(re.compile(f"/{path}"))
    settle(page)


def test_the_start_page_tells_news_questions_and_coverage(page: Page, server: Server) -> None:
    opened(page, server, "/")
    page.get_by_text(re.compile("新入库 [0-9]+ 部")).wait_for()
    page.get_by_role("button", name="全部已阅").click()
    page.get_by_text("没有新入库的法规").wait_for()
    page.get_by_role("tab", name="覆盖").click()
    page.locator(".heat").wait_for()
    assert page.locator(".heat tbody tr").count() >= 3
    page.get_by_role("tab", name="我的问题").click()
    page.locator(".st-key-mine_words input").wait_for()
    page.locator(".st-key-mine canvas").first.wait_for()


_SPOKEN = """() => {
  const said = [], ours = '.stHtml, canvas, [data-testid=stIconMaterial], [data-testid=stExpanderIcon], noscript, script, style, pre, [data-testid=stDateInputFieldsScroller]';
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode;
    if (!node.parentElement.closest(ours)) said.push(node.nodeValue.trim());
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
    for (const each of document.querySelectorAll(`[${name}]`)) said.push(each.getAttribute(name));
  return said.filter(word => /[A-Za-z]{3}/.test(word) && !/[\u4e00-\u9fff]/.test(word));
}"""
_NAMES = re.compile("Ctrl \\+ K|https://|Word|Excel|PDF|Gemini|· [A-Z, ]+")
"""What may stand in Latin letters alone: keys, formats, the name of a product."""


def test_what_streamlit_says_itself_is_said_in_chinese(page: Page, server: Server) -> None:
    """Labels, hints and menus of its own parts, the opened ones too; of ours, nothing is in English either."""
    opened(page, server, "/")
    english = {}
    for path in ("", "review", "library", "intake", "system", "audit"):
        if path:
            to_page(page, path)
        english[path] = spoken_in_english(page)
        for field in page.locator("[data-testid=stSelectbox] input, [data-testid=stDateInput] button").all()[:3]:
            open_menu(page, field)
            english[path] += spoken_in_english(page)
            page.keyboard.press("Escape")
    assert {path: words for path, words in english.items() if words} == {}


def open_menu(page: Page, field: Locator) -> None:
    """Open what a field lets choose from; a page that draws itself anew meanwhile closes it again."""
    menu = page.locator("[role=listbox], [data-testid=stDateInputCalendar]").first
    for _ in range(10):
        field.click()
        with suppress(TimeoutError):
            menu.wait_for(timeout=5000)
            return
    raise AssertionError(f"nothing opens under {field}")


def spoken_in_english(page: Page) -> list[str]:
    """Return what still stands in English on the page; the part that writes our words may come a moment late."""
    for _ in range(300):
        if not (english := [word for word in page.evaluate(_SPOKEN) if not _NAMES.fullmatch(word)]):
            break
        page.wait_for_timeout(200)
    return english


@pytest.mark.parametrize("width", [360, 1440])
def test_a_line_of_a_list_keeps_its_button_beside_its_words(browser: Browser, server: Server, width: int) -> None:
    with visit(browser, (width, 900)) as page:
        opened(page, server, "/gaps")
        line = page.locator(".gap").filter(has_text="找依据").first
        words, button = line.locator(".cite").bounding_box(), line.get_by_role("link", name="找依据").bounding_box()
        assert words is not None and button is not None
        assert words["x"] + words["width"] <= button["x"] and button["x"] + button["width"] <= width
        assert button["y"] < words["y"] + words["height"], "not below the words"


def test_on_a_phone_the_menu_closes_behind_a_choice(browser: Browser, server: Server) -> None:
    with visit(browser, (360, 740)) as page:
        opened(page, server, "/")
        page.get_by_test_id("stExpandSidebarButton").click()
        page.get_by_role("link", name="图谱", exact=True).click()
        page.locator(".page-title", has_text="图谱").wait_for()
        expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()


def test_the_quick_field_leads_to_a_regulation(page: Page, server: Server) -> None:
    opened(page, server, "/system")
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").locator("input").fill("并网")
    page.get_by_role("dialog").get_by_role("link", name=re.compile("^《.*并网")).first.click()
    page.locator(".law").wait_for()
    assert "r=" in page.url


def test_a_key_pressed_before_the_page_stands_is_kept(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/system", wait_until="commit")
    page.wait_for_function("() => document.readyState !== 'loading'")
    page.keyboard.press("Control+k")
    page.get_by_role("dialog").locator("input").wait_for()
    page.evaluate("document.activeElement.blur()")  # as before its field has the keyboard
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")


def test_back_leads_past_what_the_app_itself_wrote_into_an_address(page: Page, server: Server) -> None:
    """The quote in hand, the version that stands beside: the reader took one step to the page."""
    opened(page, server, "/gaps")
    page.get_by_role("link", name="引文复核").click()
    page.wait_for_url(re.compile(r"/review\?c="))
    page.go_back()
    page.wait_for_url(re.compile("/gaps$"))


def test_who_comes_back_finds_the_page_as_it_was(page: Page, server: Server) -> None:
    """The words of the list, one step however they were typed, and the tab of the start page, which stand in the address."""
    opened(page, server, "/library")
    words = page.get_by_placeholder(re.compile("^标题"))
    words.press_sequentially("并网", delay=400)
    page.wait_for_url(re.compile(f"words={quote('并网')}"))
    few = page.get_by_text(re.compile(r"^[0-9]+ / [0-9]+ 部法规")).first
    page.wait_for_function(
        "() => document.body.innerText.match(/(\\d+) \\/ (\\d+) 部法规/)?.slice(1).map(Number).reduce((a, b) => a < b)"
    )
    listed = few.inner_text()
    page.locator(".dvn-scroller").first.click(position={"x": 80, "y": 52})
    page.locator(".law").first.wait_for()
    page.go_back()
    expect(words).to_have_value("并网")
    expect(few).to_have_text(listed)
    page.get_by_role("combobox", name="时效性").click()
    page.get_by_role("option", name="现行有效").click()
    page.wait_for_url(re.compile("words=.*status="))
    page.reload()
    expect(words).to_have_value("并网")
    for place in ("words=", "/library$"):
        page.go_back()
        page.wait_for_url(re.compile(place))
    expect(words).to_have_value("")
    opened(page, server, "/")
    page.get_by_role("tab", name="覆盖").click()
    page.wait_for_url("**tab=coverage")
    page.locator(".heat a").first.click()
    page.wait_for_url("**/library?**")
    page.go_back()
    page.locator(".heat").wait_for()
    page.get_by_role("tab", name="我的问题").click()
    page.get_by_role("tab", name="我的问题", selected=True).wait_for()


def test_a_link_from_a_page_to_itself_stands_in_the_address(page: Page, server: Server) -> None:
    """A reload, the next click and 后退 find what the link led to, and not what stood there before."""
    opened(page, server, f"/?q={quote('新能源电站并网运行管理办法第七条')}")
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law").wait_for()
    page.get_by_role("tab", name="版本与关系").click()
    page.wait_for_url(re.compile("tab=versions"))
    first = page.url
    page.locator("[class*=st-key-version_] a").first.click()
    page.wait_for_url(lambda address: "r=" in address and address.partition("&")[0] != first.partition("&")[0])
    other, number = page.url, page.locator(".law-head .quiet").first.inner_text()
    page.get_by_role("tab", name="事实与依据").click()
    page.get_by_text("读出的事实及其依据").wait_for()
    expect(page.locator(".law-head .quiet").first).to_have_text(number)
    page.reload()
    expect(page.locator(".law-head .quiet").first).to_have_text(number)
    back = page.get_by_role("link", name="全部法规")
    assert back.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)", "no page that one is on"
    back.click()
    page.wait_for_url(f"{server.url}/library")
    page.go_back()
    page.wait_for_url(re.compile(re.escape(other.partition("&")[0])))
    expect(page.locator(".law-head .quiet").first).to_have_text(number)
    page.get_by_role("link", name="法规库").click()  # the menu's entry of the open page leads to its beginning
    page.wait_for_url(f"{server.url}/library")
    page.locator("canvas").first.wait_for()
    page.go_back()
    expect(page.locator(".law-head .quiet").first).to_have_text(number)


def test_on_a_phone_a_row_that_goes_on_says_so(browser: Browser, server: Server) -> None:
    with visit(browser, (360, 740)) as page:
        opened(page, server, "/")
        row = page.locator(".st-key-filter_row")
        arrow = "e => Number(getComputedStyle(e, '::after').opacity)"
        assert row.evaluate(arrow) == 1
        row.evaluate("e => { e.scrollLeft = e.scrollWidth; }")
        page.wait_for_timeout(300)
        assert row.evaluate(arrow) < 0.1
        opened(page, server, f"/?q={quote(QUESTION)}&province=gd")
        words = page.locator(".st-key-filters").evaluate("e => getComputedStyle(e, '::after').content")
        assert "省份" in words and not row.is_visible()


def test_a_verdict_stands_over_the_quotes_and_its_figures_are_on_demand(page: Page, server: Server) -> None:
    opened(page, server, f"/?q={quote(QUESTION)}&province=gd")
    verdict = page.locator(".verdict")
    page.locator(".verdict", has_text=re.compile("直接规定|相关规定|需人工判断")).wait_for()
    expect(verdict.locator(".meters")).not_to_be_visible()
    verdict.locator("summary").click()
    expect(verdict.locator(".meters")).to_be_visible()


def test_a_remark_stands_under_its_provision(page: Page, server: Server) -> None:
    opened(page, server, f"/?q={quote(QUESTION)}&province=gd")
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law .chosen").first.wait_for()
    page.get_by_role("button", name="关注", exact=False).first.click()
    page.get_by_role("button", name="已关注").wait_for()
    page.get_by_role("button", name="批注").click()
    page.get_by_label("批注", exact=True).last.fill("与合同第二条对照")
    page.get_by_role("button", name="保存").click()
    page.locator(".law .note", has_text="与合同第二条对照").wait_for()


def test_one_tab_after_the_other_is_opened(page: Page, server: Server) -> None:
    """Every click opens its tab, not every second one; the address follows, and a look from elsewhere begins anew."""
    opened(page, server, f"/?q={quote('新能源电站并网运行管理办法第七条')}")
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law").wait_for()
    for name, code in (
        ("事实与依据", "facts"),
        ("版本与关系", "versions"),
        ("管理", "manage"),
        ("版本与关系", "versions"),
    ):
        page.get_by_role("tab", name=name).click()
        page.wait_for_url(re.compile(f"tab={code}"))
        page.get_by_role("tab", name=name, selected=True).wait_for()
    page.wait_for_url(re.compile("tab=versions.*with=|with=.*tab=versions"))
    page.reload()
    page.locator(".diff").wait_for()
    page.get_by_role("tab", name="正文").click()
    page.locator(".law").wait_for()
    page.wait_for_function("() => !location.search.includes('tab=')")


def test_the_question_stands_beside_the_quote_and_many_are_decided_at_once(page: Page, server: Server) -> None:
    opened(page, server, "/review")
    quote = page.locator(".st-key-review_quote", has_text=QUESTION)
    for _ in range(50):  # what other tests asked may stand before it
        if quote.count():
            break
        page.get_by_role("button", name=re.compile("^下一条")).click()
    quote.wait_for()
    page.locator(".st-key-review_quote blockquote").evaluate("quote => { quote.style.height = '3000px' }")
    expect(page.locator(".st-key-review_desk")).to_be_in_viewport()
    page.get_by_text(re.compile("^批量处理")).click()
    page.locator(".st-key-review_list canvas").first.wait_for()
    page.locator(".st-key-review_list .dvn-scroller").click(position={"x": 18, "y": 18})
    page.get_by_role("button", name=re.compile("^通过所选 [0-9]+ 条")).click()
    page.get_by_text(re.compile("已记录 [0-9]+ 条：已复核")).wait_for()
    page.get_by_role("button", name="撤销").click()  # one step takes back what one step did
    page.get_by_text(re.compile("已撤销 [2-9] 条")).wait_for()
    page.locator(".st-key-review_quote").wait_for()


@pytest.mark.parametrize("size", [(360, 700), (1440, 900)], ids=["phone", "desk"])
def test_what_a_button_came_to_is_in_view_where_the_button_stands(
    browser: Browser, server: Server, size: tuple[int, int]
) -> None:
    """Far down a page too; it stays while the page is drawn anew, and goes when it is closed."""
    with visit(browser, size) as page:
        opened(page, server, f"/?q={quote('新能源电站并网运行管理办法第七条')}")
        page.get_by_role("link", name="原文").first.click()
        page.locator(".law").wait_for()
        page.get_by_role("tab", name="管理").click()
        page.get_by_role("button", name="保存").click()
        said = page.locator(".st-key-told .notice", has_text="没有任何改动")
        said.wait_for()
        page.get_by_text("我确认要把本法规移出资料库").click()
        expect(said).to_be_in_viewport()
        box = said.bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.evaluate("([x, y]) => !!document.elementFromPoint(x, y).closest('.st-key-told')", middle), "on top"
        page.locator(".st-key-told_close button").click()
        expect(said).to_have_count(0)


def test_many_questions_come_as_a_table_and_a_file(page: Page, server: Server) -> None:
    opened(page, server, "/matrix?provinces=gd,sd")
    page.get_by_text("一次对照多个问题").click()
    page.get_by_label("问题，每行一个").fill(f"{QUESTION}\n红烧肉怎么做才好吃")
    page.get_by_label("问题，每行一个").blur()
    page.get_by_role("button", name="逐题查询（2）").click()
    page.locator("table.many").wait_for()
    assert page.locator("table.many tbody tr").count() == 2
    with page.expect_download() as got:
        page.get_by_role("button", name=re.compile("^下载 Excel")).click()
    book = load_workbook(BytesIO(Path(got.value.path()).read_bytes()))
    assert book.sheetnames == ["逐题", "引文", "说明"]
    assert book["逐题"].max_row == 5, "two questions, two provinces, one head"
    assert got.value.suggested_filename.startswith("批量查询答复-")
    assert book["逐题"]["H2"].value.startswith("nemo-"), "each answer is found again by its number"
    page.locator("table.many a", has_text="拒答").first.click()
    page.locator(".refusal").wait_for()
    assert "a=nemo-" in page.url
    page.go_back()
    expect(page.locator("table.many tbody tr")).to_have_count(2)
    assert page.get_by_label("问题，每行一个").input_value().startswith(QUESTION), "what was typed is still there"


def test_a_memo_is_audited(page: Page, server: Server) -> None:
    opened(page, server, f"/?q={quote(QUESTION)}&province=gd")
    cite = page.locator(".cite b").first.text_content() or ""
    title = cite[: cite.index("》") + 1]
    opened(page, server, "/audit")
    page.get_by_label("或粘贴文稿").fill(f"根据{title}第九百九十九条，应当提交申请。另见{title}第一条。")
    page.get_by_label("或粘贴文稿").blur()
    page.get_by_role("button", name="审校", exact=True).click()
    page.locator("mark.audit").first.wait_for()
    page.locator(".finding", has_text="条款不存在").first.wait_for()
    expect(page.locator(".verdict")).to_have_text("须改 1 处不符或非当日有效；1 处相符。")
    page.locator(
        ".claim.no_such_provision", has_text="应当提交申请"
    ).click()  # what the memo tells leads to its finding
    page.wait_for_url(re.compile("#f1$"))
    page.locator("mark.audit a").nth(1).click()
    page.wait_for_url(re.compile("#f2$"))
    expect(page.locator(".finding").nth(1).locator(".facts a")).to_have_attribute(
        "href", re.compile(r"\./library\?r=[0-9a-f]+&label=1$")
    )
    with page.expect_download() as got:
        page.get_by_role("button", name="Word（带批注）").click()
    assert got.value.suggested_filename.endswith(".docx")
    kept = FilePayload(name="文稿.txt", mimeType="text/plain", buffer=f"根据{title}第一条。".encode())
    page.locator(".st-key-memo_form input[type=file]").set_input_files(kept)
    with page.expect_download() as got:
        page.get_by_role("button", name="JSON").click()
    page.get_by_role("button", name="与上次审校对照").click()
    before = FilePayload(name="上次.json", mimeType="application/json", buffer=Path(got.value.path()).read_bytes())
    page.get_by_test_id("stPopoverBody").locator("input[type=file]").set_input_files(before)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="与上次审校对照（已选）").wait_for()
    page.get_by_role("button", name="审校", exact=True).click()
    page.get_by_text("审校的是“文稿.txt”").wait_for()  # the file, not what was pasted before: no second guess
    page.get_by_text("与上次审校相比").wait_for()
    page.locator(".finding .facts a").last.click()
    page.locator(".law").wait_for()
    page.go_back()
    page.locator(".finding").first.wait_for()
    expect(page.get_by_label("或粘贴文稿")).to_have_value(re.compile("第九百九十九条"))


def test_what_was_typed_and_not_sent_is_back_after_a_reload(page: Page, server: Server) -> None:
    """A question, many, a memo, a remark; once sent it does not come back."""
    opened(page, server, "/")
    question = page.locator(".st-key-ask_question input")
    question.click()
    page.keyboard.type("红烧肉怎么做才好吃")
    page.get_by_role("link", name="文稿审校").click()  # leaving does not ask it, and it waits
    memo = page.get_by_label("或粘贴文稿")
    memo.wait_for()
    page.get_by_role("link", name="法规查询").click()
    expect(question).to_have_value("红烧肉怎么做才好吃")
    expect(page.locator(".refusal")).to_have_count(0)
    opened(page, server, "/audit")
    memo.fill("根据某办法第一条")
    page.get_by_role(
        "link", name="各省对照", exact=True
    ).click()  # of a finger or a quick hand, while the words are not sent
    page.locator(".page-title", has_text="各省对照").wait_for()
    page.get_by_text("一次对照多个问题").click()
    page.get_by_label("问题，每行一个").fill("甲\n乙")
    page.reload()
    settle(page)
    page.get_by_text("一次对照多个问题").click()
    page.get_by_role("button", name="逐题查询（2）").wait_for()
    opened(page, server, "/audit")
    expect(memo).to_have_value("根据某办法第一条")
    opened(page, server, "/")
    expect(question).to_have_value("红烧肉怎么做才好吃")
    page.get_by_role("button", name="查询", exact=True).click()
    page.locator(".refusal").wait_for()
    opened(page, server, "/library")
    page.locator(".dvn-scroller").first.click(position={"x": 80, "y": 52})
    page.locator(".law").first.wait_for()
    page.get_by_role("button", name=re.compile("^批注")).click()
    remark = page.get_by_label("批注", exact=True).last
    remark.fill("与合同核对")
    page.reload()
    settle(page)
    page.get_by_role("button", name=re.compile("^批注")).click()
    expect(remark).to_have_value("与合同核对")
    page.get_by_test_id("stPopoverBody").locator("[data-testid=stSelectbox] input").click()
    page.get_by_role("option").first.click()
    page.get_by_role("button", name="保存").click()
    page.locator(".law .note", has_text="与合同核对").wait_for()
    expect(remark).to_have_value("")
    page.wait_for_function("() => !sessionStorage.getItem('nemo-drafts').includes('与合同核对')")
    opened(page, server, "/")
    page.wait_for_timeout(600)
    expect(question).to_have_value("")


def reach(page: Page, wanted: Locator, most: int = 120) -> None:
    """Press Tab until something has the focus; while the page is drawn anew, old and new stand in it together."""
    wanted.first.wait_for()
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate_all("all => all.some(e => e.contains(document.activeElement))"):
            return
    raise AssertionError(f"Tab does not reach {wanted}")


def test_the_app_is_walked_by_keyboard_alone(page: Page, server: Server) -> None:
    """The quick field opens, closes and leads; a question is asked; its source is opened; the tabs change."""
    opened(page, server, "/")
    field = page.get_by_role("dialog")
    shortcut(page, "Control+k")
    field.locator("input").wait_for()
    page.keyboard.press("Escape")
    field.wait_for(state="hidden")
    shortcut(page, "Control+k")
    expect(field.locator("input")).to_be_focused()
    page.keyboard.type("缺口")
    page.keyboard.press("Enter")  # opens the first line of what was typed, also before it is drawn
    page.wait_for_url("**/gaps")
    page.locator(".page-title", has_text="缺口").wait_for()
    shortcut(page, "Control+k")
    expect(field.locator("input")).to_be_focused()
    page.keyboard.type(QUESTION)
    expect(field.get_by_role("link", name=re.compile("查询“"))).to_be_visible()
    for _ in range(field.get_by_role("link").count()):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".verdict").wait_for()
    settle(page)
    page.get_by_role("button", name="导出").first.focus()
    page.keyboard.press("Enter")
    word = page.get_by_role("button", name="Word")
    expect(word).to_be_visible()
    page.keyboard.press("Tab")  # what opens over the page comes next, though it hangs at its end
    expect(word).to_be_focused()
    page.keyboard.press("Escape")
    expect(word).to_have_count(0)
    reach(page, page.get_by_role("link", name="原文").first)
    page.keyboard.press("Enter")
    page.locator(".law").first.wait_for()
    settle(page)
    first = page.get_by_role("tab").first
    first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab").nth(1)).to_have_attribute("aria-selected", "true")
    opened(page, server, "/library")
    page.locator(".st-key-list_table canvas").first.wait_for()
    reach(page, page.get_by_role("button", name="全屏：法规列表"))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    settle(page)
    assert "r=" not in page.url, "a grid that is passed opens nothing"


def test_charts_are_taken_away_as_pictures(page: Page, server: Server) -> None:
    opened(page, server, "/")
    page.get_by_role("tab", name="覆盖").click()
    page.locator(".heat").wait_for()
    with page.expect_download() as taken:
        page.locator(".st-key-pictures_coverage").get_by_role("button", name="图片（SVG）").click()
    assert taken.value.suggested_filename.startswith("覆盖-全部-") and "部数" in Path(taken.value.path()).read_text(
        "utf-8"
    )
    with page.expect_download() as taken:
        page.locator(".st-key-pictures_statuses").get_by_role("button", name="图片（SVG）").click()
    assert "现行有效" in Path(taken.value.path()).read_text("utf-8")
