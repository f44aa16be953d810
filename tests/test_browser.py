"""The real app in Chromium, as a new user meets it: first start, first answer, upload, library, deep links, phones."""

import json
import re
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Locator, Page
from playwright.sync_api import TimeoutError as PageTimeoutError

from tests.browser import ENTRY, INGESTED, ROOT, Server, settle, visit
from tests.oidc_server import Provider
from tests.steady import expect, shortcut

QUESTION = "分布式光伏并网要提交哪些资料？"
PAGES = {
    "": "法规查询",
    "matrix": "各省对照",
    "audit": "文稿审校",
    "review": "引文复核",
    "evaluation": "评测",
    "library": "法规库",
    "intake": "上传入库",
    "system": "系统",
    "graph": "图谱",
    "corpora": "资料集",
    "watch": "采集",
    "gaps": "缺口",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("library") / "var"


@pytest.fixture(scope="module")
def server(browser: Browser, library: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on a library that a visitor filled by the button of the first start."""
    running = Server(library, tmp_path_factory.mktemp("log") / "app.log", env={"NEMO_WORKERS": "1"})
    with visit(browser) as page:
        page.goto(running.url)
        page.get_by_text("资料库还是空的").wait_for()
        page.get_by_role("button", name="载入演示资料").click()
        page.get_by_text("可以这样问").wait_for(timeout=INGESTED)
    yield running
    running.stop()


def ask(page: Page, server: Server, question: str, **params: str) -> None:
    """Open the permanent link of a question."""
    from urllib.parse import urlencode

    page.goto(f"{server.url}/?{urlencode({'q': question} | params)}")
    page.locator(".quote, .refusal").first.wait_for()
    settle(page)


def test_an_example_leads_to_quotes(page: Page, server: Server) -> None:
    page.goto(server.url)
    settle(page)
    page.locator(".st-key-examples button").first.click()
    page.locator(".quote, .refusal").first.wait_for()
    assert "q" in parse_qs(urlsplit(page.url).query)


def test_question_filters_and_the_way_back(page: Page, server: Server) -> None:
    page.goto(server.url)
    settle(page)
    box = page.get_by_placeholder(re.compile("^例如"))
    box.fill(QUESTION)
    box.press("Enter")
    page.locator(".quote").first.wait_for()
    page.get_by_role("radio", name="广东").click()
    page.wait_for_url(re.compile("province=gd"))
    settle(page)
    assert page.locator(".cite").count() >= 1
    page.go_back()
    page.wait_for_function("() => !location.search.includes('province')")
    expect(page.get_by_role("radio", name="全部省份").first).to_be_checked()
    expect(box).to_have_value(QUESTION)


def copied(page: Page, button: Locator) -> str:
    """Return what a button copies; a press on what a busy page is just drawing anew is lost, and a person presses again."""
    for _ in range(8):
        button.click()
        try:
            page.get_by_text("已复制").wait_for(timeout=8_000)
        except PageTimeoutError:
            continue
        return str(page.evaluate("navigator.clipboard.readText()"))
    raise AssertionError("nothing was copied")


def test_a_citation_is_copied_as_text(page: Page, server: Server) -> None:
    ask(page, server, QUESTION, province="gd")
    quote = page.locator(".quote .verbatim").first.evaluate("e => e.textContent")
    words = copied(page, page.get_by_role("button", name="复制", exact=True).first)
    assert f"“{quote}”〔《" in words and "施行" in words
    page.get_by_text("已复制").wait_for(state="detached")
    link = copied(page, page.get_by_role("button", name=re.compile("^复制链接")))
    params = parse_qs(urlsplit(link).query)
    assert link.startswith(server.url) and params["province"] == ["gd"] and "as_of" in params
    page.goto(link)
    page.locator(".quote").first.wait_for()
    assert page.locator(".quote .verbatim").first.evaluate("e => e.textContent") == quote


def test_a_quote_opens_its_source(page: Page, server: Server) -> None:
    ask(page, server, QUESTION, province="gd")
    page.emulate_media(media="print")  # on paper: what was asked and answered, and nothing to press or to write in
    expect(page.get_by_text(f"问题：{QUESTION}")).to_be_visible()
    expect(page.locator(".quote").first).to_be_visible()
    expect(page.locator("[data-testid=stMain] :is(input, button):visible")).to_have_count(0)
    page.emulate_media(media="screen")
    quote = page.locator(".quote .verbatim").first.evaluate("e => e.textContent")
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law .chosen").first.wait_for()
    law = page.locator(".law:not(.near)").evaluate("e => e.textContent")
    assert quote in law
    page.wait_for_function("() => { const r = document.querySelector('[data-target]').getBoundingClientRect();"
                           " return r.top >= 0 && r.top < innerHeight; }")  # fmt: skip
    page.go_back()
    page.locator(".quote").first.wait_for()


def test_a_page_of_a_pdf_is_shown_with_the_quote_boxed(page: Page, server: Server) -> None:
    for question in golden():
        if not str(question["gold"][0]["file"]).endswith(".pdf"):
            continue
        ask(page, server, question["question"], **{k: question[k] for k in ("province", "asset") if question.get(k)})
        if page.get_by_role("button", name="原页").count():
            break
    page.get_by_role("button", name="原页").first.click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_text(re.compile("已框出引文 [1-9]")).wait_for()
    assert drawer.locator("img").evaluate("e => e.naturalWidth") > 500
    page.keyboard.press("Escape")
    drawer.wait_for(state="hidden")


def golden() -> list[dict]:
    lines = (ROOT / "data" / "golden" / "golden.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row.get("gold")]


def test_an_answer_is_exported(page: Page, server: Server, tmp_path: Path) -> None:
    import docx
    import openpyxl

    ask(page, server, QUESTION, province="gd")
    quote = page.locator(".quote .verbatim").first.evaluate("e => e.textContent")
    files = {}
    for words in ("Word", "Excel", "核验包"):
        page.get_by_role("button", name="导出").click()
        with page.expect_download() as loading:
            page.get_by_role("button", name=re.compile(words)).click()
        files[words] = tmp_path / loading.value.suggested_filename
        loading.value.save_as(files[words])
        page.keyboard.press("Escape")
    text = "\n".join(p.text for p in docx.Document(str(files["Word"])).paragraphs)
    assert quote in text
    cells = [str(c.value) for sheet in openpyxl.load_workbook(files["Excel"]) for row in sheet.rows for c in row]
    assert any(quote in cell for cell in cells)
    assert quote in json.dumps(json.loads(files["核验包"].read_text("utf-8")), ensure_ascii=False)


def test_a_question_without_evidence_is_refused(page: Page, server: Server) -> None:
    ask(page, server, "红烧肉怎么做才好吃")
    assert page.locator(".refusal").is_visible() and page.locator(".quote").count() == 0
    assert page.locator(".refusal li").count() >= 1
    page.get_by_role("button", name="导出").click()
    with page.expect_download() as loading:
        page.get_by_role("button", name="Word").click()
    assert re.fullmatch(
        r"法规查询记录（未作答复）-红烧肉怎么做才好吃-[\d-]{10}\.docx", loading.value.suggested_filename
    )


def test_the_page_says_that_it_is_chinese(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/intake")
    settle(page)
    assert page.evaluate("document.documentElement.lang") == "zh-CN"
    assert "上传入库" in page.title()
    button = page.locator(".st-key-uploader [data-testid=stFileUploaderDropzone] button p")
    assert "选择文件" in button.evaluate("e => getComputedStyle(e, '::after').content")
    page.get_by_label("来源网址").fill("https://")
    page.locator("[data-testid=InputInstructions]").wait_for(state="attached")  # “Press Enter to apply”
    expect(page.get_by_text("Press")).to_be_hidden()


def test_the_first_picture_is_chinese_and_gives_way(page: Page, server: Server) -> None:
    page.goto(server.url)
    settle(page)
    expect(page.locator("#first")).to_be_hidden()
    page.route("**/*.js", lambda route: route.abort())  # as long as Streamlit's bundle has not arrived
    page.goto(f"{server.url}/library", wait_until="commit")
    page.wait_for_selector("text=正在打开资料库…")
    assert page.title() == "Nemo 能源法规"
    assert page.evaluate("document.documentElement.lang") == "zh-CN"


def test_the_browser_is_kept_from_asking_another_machine(browser: Browser, server: Server) -> None:
    """Whatever got into the page: the policy stops it before any request is made."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(server.url)
        stopped = page.evaluate(
            """() => new Promise(done => {
              addEventListener('securitypolicyviolation', told => done(told.blockedURI));
              new Image().src = 'http://outside.example.test/seen.png';
              setTimeout(() => done('asked'), 5000);
            })"""
        )
    finally:
        context.close()
    assert stopped.startswith("http://outside.example.test")


def hostile_files(shared: list[str]) -> list[dict]:
    """Five kinds of file, one of them hostile in name and text, one broken, one empty."""
    lines = "".join(f"第{'一二三四五六七八九十'[i]}条 {text}\n" for i, text in enumerate(shared))
    law = "演示上传办法（演示文本）\n第一条 上传演示。\n第二条 本办法自2025年1月1日起施行。\n"
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("包内办法.md", law.replace("上传办法", "包内办法"))
    articles = "".join(f"第{n}条 网页演示的第{n}项要求应当写明。\n" for n in "三四五六七八九")
    paragraphs = "".join(f"<p>{line}</p>" for line in (law.replace("上传", "网页") + articles).splitlines())
    page = f"<html><head><meta charset=utf-8><title>演示网页办法</title></head><body>{paragraphs}</body></html>"
    given = [
        ("<img src=x onerror=window.__x=1>.md", f"演示恶意样本办法（演示文本）\n{lines}".encode()),
        ("演示上传办法.txt", law.encode("gb18030")),
        ("演示网页办法.html", page.encode()),
        ("打包.zip", archive.getvalue()),
        ("坏文件.pdf", b"%PDF-1.7 broken"),
        ("空文件.md", b""),
    ]
    return [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in given]


PROBES = [
    '<img src=x onerror="window.__x=1">并网验收资料演示',
    "<script>window.__x=1</script>",
    "![t](https://evil.invalid/track.png)",
    "<style>body{outline:9px solid red}</style>",
    "10kV~35kV~的线路，电压 >= 35kV -> 接入",
    "*注：见附件* $5 与 $6 之间 :red[附件]",
    "全角　空格  两个空格 A&amp;B",
]


def test_files_of_many_kinds_are_uploaded_and_stay_text(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/intake")
    settle(page)
    page.locator("input[type=file]").set_input_files(hostile_files(PROBES))
    page.get_by_role("button", name=re.compile("开始入库（6")).click()
    page.get_by_role("link", name="系统").click()  # leaving does not stop it
    page.get_by_role("heading", name="各部分状态", exact=True).wait_for()
    page.get_by_role("link", name="上传入库").click()
    page.get_by_text("入库结果").wait_for(timeout=INGESTED)
    page.get_by_text(re.compile("失败 2")).wait_for(timeout=INGESTED)
    page.get_by_text(re.compile("待处理的文件")).wait_for()
    page.goto(f"{server.url}/?q=恶意样本办法第一条")
    page.locator(".quote, .refusal").first.wait_for()
    page.get_by_role("link", name="原文").first.click()
    page.locator(".law:not(.near)").wait_for()
    law = page.locator(".law").evaluate("e => e.textContent")
    for probe in PROBES:
        assert probe in law
    assert page.evaluate("window.__x") is None
    assert page.locator(".law img, .law script, .law style").count() == 0


def test_the_list_opens_a_regulation(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/library")
    settle(page)
    page.get_by_placeholder(re.compile("^标题")).fill("光伏")
    page.get_by_text(re.compile(r"^[1-9]\d? / \d+ 部法规")).wait_for()
    settle(page)
    page.locator("[data-testid=stDataFrame]").click(position={"x": 60, "y": 53})
    page.locator(".law:not(.near)").wait_for()
    assert "r=" in page.url
    page.get_by_role("tab", name="版本与关系").click()
    page.get_by_text("沿革").wait_for()
    page.get_by_role("link", name="返回列表").click()
    page.locator("canvas").first.wait_for()


STREAMLIT_FAULTS = (
    ("list", '<ul data-testid="stSidebarNavItems"'),  # its menu puts section headings straight into the list
    ("listitem", '<li class="st-emotion-cache-'),  # and wraps the entries of a section in a div
)
"""What axe finds in Streamlit 1.67's own markup, by rule and beginning of the element; nothing else may be found."""


def violations(page: Page, rules: object) -> list[Any]:
    """Return what axe finds against some rules; a page into which it was put keeps it until it is left."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    asked = {"runOnly": rules, "resultTypes": ["violations"]}
    return list(page.evaluate("asked => axe.run(asked).then(found => found.violations)", asked))


def barriers(page: Page) -> list[str]:
    """Return what breaks WCAG 2.1 A or AA on the page in light and dark colours, Streamlit's own faults left out.

    By all rules in the colours that it has, by those of contrast in the others; these it keeps.
    """
    settle(page)
    found = violations(page, ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"])
    other = "light" if page.evaluate(SCHEME) == "dark" else "dark"
    page.emulate_media(color_scheme=other)
    page.wait_for_function(f"wanted => ({SCHEME})() === wanted", arg=other)
    settle(page)
    found += violations(page, {"type": "rule", "values": ["color-contrast", "link-in-text-block"]})
    return [
        f"{one['id']}: {node['html'][:160]}"
        for one in found
        for node in one["nodes"]
        if not any(one["id"] == rule and node["html"].startswith(begin) for rule, begin in STREAMLIT_FAULTS)
    ]


SCHEME = "() => getComputedStyle(document.querySelector('.stApp')).colorScheme"
ANSWER, MORE = f"?q={QUESTION}&province=gd", f"matrix?q={QUESTION}&provinces=gd,sd,nm"
PHONE = (360, 740)


def test_no_page_has_barriers(server: Server, browser: Browser) -> None:
    """Every page as it opens, and what opens on it; in a phone's window too, which no page is wider than."""
    found: dict[str, list[str]] = {}
    with visit(browser, (1440, 900)) as page:
        page.goto(server.url)
        for path, title in PAGES.items():  # by the menu: loading the app anew costs twice what a page does
            if path:
                page.locator(f"[data-testid=stSidebarNavItems] a[href$='/{path}']").click()
            page.locator(".page-title", has_text=title).wait_for()
            found[path] = barriers(page) + on_a_phone(page, path)
        for path in ("?q=红烧肉怎么做才好吃", MORE):
            page.goto(f"{server.url}/{path}")
            found[path] = barriers(page) + on_a_phone(page, path)
        page.goto(f"{server.url}/evaluation")
        page.get_by_role("button", name="运行评测").click()
        page.locator(".reliability").first.wait_for(timeout=120_000)
        found["figures"] = barriers(page)
        ask(page, server, QUESTION, province="gd")
        page.get_by_role("button", name="导出").click()
        found["answer and what opens over it"] = barriers(page)
        page.keyboard.press("Escape")
        page.get_by_role("link", name="原文").first.click()
        page.locator(".law:not(.near)").wait_for()
        for tab in ("正文", "事实与依据", "版本与关系", "原件页面", "管理"):
            page.get_by_role("tab", name=tab).click()
            page.wait_for_timeout(300)
            found[tab] = barriers(page)
    assert {path: told for path, told in found.items() if told} == {}


def fits(page: Page, path: str) -> None:
    settle(page)
    assert page.viewport_size is not None
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"], path
    assert page.locator(".notice.bad").count() == 0, path


def on_a_phone(page: Page, path: str) -> list[str]:
    """Put the page that stands into a phone's window and back; return the barriers of one that looks otherwise there."""
    desk = page.viewport_size
    assert desk is not None
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    fits(page, path)
    found = barriers(page) if path in ("", "review", MORE) else []
    page.set_viewport_size(desk)
    settle(page)
    return found


@pytest.mark.parametrize(("size", "dark"), [(PHONE, False), ((1920, 1080), True)], ids=["phone", "wide-dark"])
def test_no_page_is_wider_than_its_window(server: Server, browser: Browser, size: tuple[int, int], dark: bool) -> None:
    """Loaded in that window; and on a phone there are no barriers."""
    found: dict[str, list[str]] = {}
    with visit(browser, size, dark) as page:
        for path in ("library", ANSWER):
            page.goto(f"{server.url}/{path}")
            fits(page, path)
            if dark:
                assert page.evaluate(SCHEME) == "dark"
            else:
                found[path] = barriers(page)
    assert {path: told for path, told in found.items() if told} == {}


@pytest.mark.parametrize(("entry", "path"), [(ENTRY, "library"), ("app.py", "review")])
def test_cold_deep_links_have_their_frame(browser: Browser, tmp_path: Path, entry: str, path: str) -> None:
    """A fresh process whose first request is a deep link must show that page inside the app's frame, address kept.

    That every page asks for its frame before anything else is held in test_ui_pages.
    """
    running = Server(tmp_path / "empty", tmp_path / "cold.log", entry=entry, cold=True)
    try:
        with visit(browser) as tab:
            tab.goto(f"{running.url}/{path}?label=1", wait_until="commit")
            tab.locator(".page-title", has_text=PAGES[path]).wait_for(timeout=120_000)
            assert tab.url == f"{running.url}/{path}?label=1"
            assert tab.get_by_role("link", name="上传入库").count() >= 1
            assert tab.evaluate("document.documentElement.lang") == "zh-CN"
    finally:
        running.stop()


def test_a_stranger_with_a_deep_link_has_to_sign_in(browser: Browser, server: Server, tmp_path: Path) -> None:
    """In a fresh process; the address is kept, so that the page asked for opens after signing in."""
    from nemo import accounts

    users = tmp_path / "users.toml"
    users.write_text(accounts.entry("复核员", accounts.Role.REVIEWER, "correct horse"), "utf-8")
    cold = Server(tmp_path / "empty", tmp_path / "cold.log", users=users)
    try:
        with visit(browser) as page:
            page.goto(f"{cold.url}/review?c=3")
            page.get_by_label("用户名").fill("复核员")
            assert page.locator(".st-key-filters").count() == 0
            page.get_by_label("口令").fill("wrong")
            page.get_by_role("button", name="登录").click()
            page.get_by_text("未能登录").wait_for()
            page.get_by_label("口令").fill("correct horse")
            page.get_by_role("button", name="登录").click()
            page.locator(".page-title", has_text="引文复核").wait_for()
            assert page.url == f"{cold.url}/review?c=3"
            cold.stop()
            page.wait_for_selector("[role=dialog] >> text=连接中断")
            assert page.evaluate("!/[A-Za-z]{4}/.test(document.querySelector('[role=dialog]').innerText)")
    finally:
        cold.stop()


def test_quotes_are_reviewed_by_keyboard(page: Page, server: Server) -> None:
    own = "提出并网申请后电网企业几个工作日内要答复接入条件"  # no other test asks what is rejected here
    ask(page, server, own)
    quote = page.locator(".quote .verbatim").first.evaluate("e => e.textContent")
    page.goto(f"{server.url}/review")
    counter = page.locator(".answer-head")
    counter.wait_for()
    settle(page)
    total = int(counter.inner_text().split("/")[1].split()[0])
    shortcut(page, "ArrowRight")
    page.get_by_text(f"第 2 / {total} 条").wait_for()
    settle(page)
    shortcut(page, "ArrowLeft")
    page.get_by_text(f"第 1 / {total} 条").wait_for()
    while page.locator(".quote .verbatim").first.evaluate("e => e.textContent") != quote:
        before = page.url
        shortcut(page, "ArrowRight")
        page.wait_for_function("u => location.href !== u", arg=before)
        settle(page)
    shortcut(page, "x")
    page.get_by_text("驳回需要写明理由").wait_for()
    note = page.get_by_placeholder(re.compile("^复核意见"))
    note.fill("演示：不应引用")
    note.press("Enter")
    settle(page)
    page.get_by_role("button", name=re.compile("驳回")).click()
    page.get_by_text(re.compile(f"/ {total - 1} 条")).wait_for()
    ask(page, server, own)
    assert quote not in page.locator(".quote .verbatim").evaluate_all("list => list.map(e => e.textContent)")


def test_people_come_in_through_their_identity_provider(browser: Browser, tmp_path: Path) -> None:
    """Discovery, redirect, code, token, signed claims; then the role of the users file, and the page first asked for."""
    users = tmp_path / "users.toml"
    users.write_text('[[user]]\nname = "Reviewer@Example.test"\nrole = "reviewer"\n', "utf-8")
    options = ("--secrets.files", str(tmp_path / "secrets.toml"))
    with Provider(email="reviewer@example.test", email_verified=True) as provider:
        app = Server(
            tmp_path / "var", tmp_path / "sso.log", wait=False, users=users,
            env={"NEMO_SSO": "1", "NEMO_SSO_ROLE": "none"}, options=options,
        )  # fmt: skip
        (tmp_path / "secrets.toml").write_text(provider.secrets_toml(app.url), "utf-8")
        try:
            app.wait()
            with visit(browser) as page:
                page.goto(f"{app.url}/review?c=2")
                page.get_by_role("button", name="统一身份登录").click()
                page.locator(".page-title", has_text="引文复核").wait_for()
                page.wait_for_url(f"{app.url}/review?c=2")
                assert "reviewer@example.test" in page.locator(".st-key-who").inner_text().lower()
                assert "复核员" in page.locator(".st-key-who").inner_text()
                assert page.get_by_role("link", name="系统").count() == 0
                page.goto(f"{app.url}/system")
                page.get_by_text("没有权限").wait_for()
                page.get_by_role("button", name="退出").click()
                page.get_by_role("button", name="统一身份登录").wait_for()
                provider.person = {"email": "stranger@example.test"}
                page.get_by_role("button", name="统一身份登录").click()
                page.get_by_text("账号尚未获准").wait_for()
                assert page.locator(".st-key-who, .st-key-filters").count() == 0
        finally:
            app.stop()


def test_a_library_of_thirty_thousand_articles(browser: Browser, statutes: Path, tmp_path: Path) -> None:
    """The real corpus: asked, searched, read; how fast is measured by ``make bench-browser``."""
    app = Server(statutes, tmp_path / "large.log")
    try:
        with visit(browser) as page:
            page.goto(f"{app.url}/library")
            told = page.get_by_text(re.compile(r"^\d+ / \d+ 部法规 · \d+ 条")).first
            told.wait_for(timeout=120_000)
            held, articles = re.findall(r"\d+", told.inner_text())[1:3]
            assert int(held) > 500 and int(articles) > 30_000
            page.get_by_placeholder(re.compile("^标题")).fill("可再生能源")
            page.get_by_text(re.compile(rf"^[1-9]\d? / {held} 部法规")).wait_for()
            ask(page, app, "偷电被抓到一般罚几倍")
            page.locator(".quote").first.wait_for()
            page.get_by_role("link", name="原文").first.click()
            page.locator(".law .chosen").first.wait_for()
            expect(page.locator(".outline a.chosen")).to_be_in_viewport()  # the outline has scrolled along
            assert page.locator(".notice.bad").count() == 0
    finally:
        app.stop()
