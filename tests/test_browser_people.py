"""In the real app: what is a person's own (资料集, 记忆) opens for who may see it, and what a machine adds is marked (小结, 机器翻译)."""

import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page

from nemo import access, accounts, settings
from tests.browser import INGESTED, ROOT, Server, opened, settle, visit
from tests.local_server import Answer, LocalServer, Request
from tests.page_library import copied, one_text
from tests.steady import expect
from tests.test_memory import REWORDED, RULES
from tests.tiny_models import stand_in

QUESTION, OTHERWISE = REWORDED[1]
ANALYSTS, REVIEWERS = ("甲", "乙", "戊"), ("丙", "丁")
OTHERS = ("己", "庚")
"""Analysts of whom nothing is remembered but what one test does."""
WORDS = "correct horse"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of one text, about which somebody asked."""
    return one_text(tmp_path_factory.mktemp("people"), RULES, QUESTION)


@pytest.fixture(scope="module")
def app(library: Path) -> Iterator[Server]:
    """The app with two analysts and two reviewers."""
    users, roles = library.parent / "users.toml", accounts.Role
    people = [
        *((name, roles.ANALYST) for name in (*ANALYSTS, *OTHERS)),
        *((name, roles.REVIEWER) for name in REVIEWERS),
    ]
    users.write_text("".join(accounts.entry(name, role, WORDS) for name, role in people), "utf-8")
    own = copied(library, library.parent / "own")
    with access.token_service(settings.load(library=own)) as service:
        TOKENS[str(own)] = service.make("程序", roles.ANALYST, accounts.OPERATOR)
    served = Server(own, library.parent / "app.log", users=users, env={"NEMO_WORKERS": "0"})
    TOKENS[served.url] = TOKENS[str(own)]
    yield served
    served.stop()


TOKENS: dict[str, str] = {}
"""By address of an app, the token of a program."""


def sign_in(page: Page, app: Server, name: str, role: str = "分析员") -> None:
    page.goto(app.url)
    page.get_by_label("用户名").fill(name)
    page.get_by_label("口令").fill(WORDS)
    page.get_by_role("button", name="登录").click()
    page.get_by_text(f"{name} · {role}").wait_for()
    settle(page)


def go(page: Page, app: Server, title: str) -> None:
    """Open a page from the menu: an address would begin a new session."""
    page.get_by_role("link", name=title, exact=True).click()
    page.locator(".page-title", has_text=title).wait_for()
    settle(page)


def ask(page: Page, words: str) -> None:
    page.locator(".st-key-question_row input").first.fill(words)
    page.get_by_role("button", name="查询", exact=True).click()
    page.locator(".quote").first.wait_for()
    settle(page)


def remember(page: Page, words: str, expected: int) -> None:
    """Look for something among one's own questions."""
    page.get_by_role("tab", name="我的问题").click()
    settle(page)
    page.locator(".st-key-mine_words input").fill(words)
    page.get_by_text(f"有关的 {expected} 条").wait_for()


def make_corpus(page: Page, app: Server, name: str, pieces: str = "") -> None:
    """Make a corpus; the form is folded as soon as somebody made one that this person sees."""
    go(page, app, "资料集")
    if page.get_by_text("新建资料集").count() and not page.get_by_role("textbox", name="名称").is_visible():
        page.get_by_text("新建资料集").click()
    page.get_by_role("textbox", name="名称").fill(name)
    page.get_by_role("textbox", name="切块").fill(pieces)
    page.get_by_role("button", name="新建", exact=True).click()
    page.get_by_text("资料集已建立").wait_for()


def test_a_corpus_and_a_memory_are_one_persons(browser: Browser, app: Server) -> None:
    """What one account makes, asks and forgets the other never sees; another wording finds the question."""
    with visit(browser) as first, visit(browser) as second:
        sign_in(first, app, OTHERS[0])
        make_corpus(first, app, "己项目", "400")
        go(first, app, "法规查询")
        ask(first, QUESTION)
        opened(first, app, "/")  # another day
        remember(first, OTHERWISE, 1)
        expect(first.locator(".st-key-memory_0")).to_contain_text(QUESTION)
        sign_in(second, app, OTHERS[1])
        go(second, app, "资料集")
        second.get_by_text("还没有资料集").wait_for()
        go(second, app, "法规查询")
        second.get_by_role("tab", name="我的问题").click()
        second.get_by_text("还没有问过问题").wait_for()
        first.get_by_role("button", name="忘记").click()
        first.get_by_text("有关的 0 条").or_(first.get_by_text("还没有问过问题")).first.wait_for()


def test_who_signed_in_is_known_until_signing_out(browser: Browser, app: Server) -> None:
    """After a reload and in another tab, by a cookie that no script reads; signing out in one ends it in all."""
    with visit(browser) as page:
        sign_in(page, app, ANALYSTS[2])
        for _ in range(600):
            if kept := [one for one in page.context.cookies() if one["name"] == "nemo_signed_in"]:
                break
            page.wait_for_timeout(100)
        assert [(one["httpOnly"], one["sameSite"]) for one in kept] == [(True, "Strict")]
        page.reload()
        expect(page.locator(".st-key-who")).to_contain_text(ANALYSTS[2])
        other = page.context.new_page()
        opened(other, app, "/graph")
        expect(other.locator(".st-key-who")).to_contain_text(ANALYSTS[2])
        page.locator(".st-key-ask_question input").click()
        page.keyboard.type("没有提交的问题")
        drafts = "() => sessionStorage.getItem('nemo-drafts').includes('没有提交的问题')"
        assert page.evaluate(drafts)
        page.get_by_role("button", name="退出").click()
        page.get_by_label("用户名").wait_for()
        assert not page.evaluate(drafts), "nobody else finds it in this tab"
        page.reload()
        page.get_by_label("用户名").wait_for()
        other.get_by_label("节点").fill("演示")
        other.get_by_label("节点").press("Enter")
        other.get_by_label("用户名").wait_for()
        sent = "async () => (await fetch('./signed-in', {method: 'POST', headers: {'X-Nemo-Code': 'x'}})).status"
        assert page.evaluate(sent) == 403


CLOSED = "演示风机内部验收细则"
CLOSED_TEXT = f"""{CLOSED}（演示文本）

第一条 风机基础验收应当提交玄武岩检测报告。

第二条 本细则自2024年1月1日起施行。
"""
ABOUT = "风机基础验收提交什么检测报告？"
WORD = "玄武岩"


def by_program(app: Server, held: str) -> dict[str, str]:
    """Return what a program with a token is told of the text, by interface and as a tool of agents."""
    told = {"name": "read_regulation", "arguments": {"regulation": held}}
    sent = {
        "/api/v1/query": {"question": ABOUT}, f"/api/v1/regulations/{held}": None,
        "/mcp/": {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": told},
    }  # fmt: skip
    return {path: said(app, path, body) for path, body in sent.items()}


def said(app: Server, path: str, body: object) -> str:
    """Return what an address of the app says to the token of the program."""
    head = {
        "Authorization": f"Bearer {TOKENS[app.url]}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(app.url + path, data, head), timeout=60) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as refused:
        return str(refused.read().decode())


def looked_at(page: Page, app: Server, name: str, held: str, sees: bool) -> None:
    """Look for a text by every way a person has in the app: all of them lead to it, or none does."""
    go(page, app, "资料集")
    expect(page.get_by_role("link", name=name)).to_have_count(int(sees))
    go(page, app, "法规库")
    page.get_by_placeholder(re.compile("^标题")).fill(CLOSED)
    page.get_by_text(re.compile(f"^{int(sees)} / {1 + sees} 部法规")).wait_for()
    go(page, app, "法规查询")
    page.locator(".st-key-question_row input").first.fill(ABOUT)
    page.get_by_role("button", name="查询", exact=True).click()
    page.locator(".verdict, .refusal").first.wait_for()
    expect(page.locator(".quote", has_text=WORD)).to_have_count(int(sees))
    page.get_by_role("button", name="检索范围").click()
    page.get_by_role("combobox", name="资料集").click()
    option = page.get_by_role("option", name=name)
    expect(option).to_have_count(int(sees))
    if sees:
        option.click()  # the question is put to the corpus alone
        page.wait_for_url(re.compile("corpora="))
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    if sees:
        expect(page.locator(".quote", has_text=WORD)).to_have_count(1)
        page.get_by_role("link", name="原文").first.click()
        page.locator(".law .chosen", has_text=WORD).wait_for()
        page.get_by_placeholder("在本文中查找").fill(WORD)
        page.get_by_text("找到 1 处").wait_for()


def shown_to(page: Page, app: Server, name: str, visibility: str, people: str = "") -> None:
    """Let the owner say who sees the corpus."""
    go(page, app, "资料集")
    page.get_by_role("link", name=name).click()
    page.locator("h2", has_text=name).wait_for()
    form = page.locator("[data-testid=stForm]").first
    if not form.get_by_role("combobox", name="可见范围").is_visible():
        page.get_by_text("修改", exact=True).click()
    choose(page, form.get_by_role("combobox", name="可见范围"), visibility)
    form.get_by_role("textbox", name="团队人员").fill(people)
    form.get_by_role("button", name="保存").click()
    page.locator(".st-key-told", has_text="已保存").wait_for()


def test_a_corpus_shows_its_texts_to_those_it_is_open_to(browser: Browser, app: Server) -> None:
    """Private, of a team, public, private again: the owner, one of the team, another analyst and a program, by every way in."""
    name = "甲的项目"
    with visit(browser) as own, visit(browser) as mate, visit(browser) as other:
        for page, who in zip((own, mate, other), ANALYSTS, strict=True):
            sign_in(page, app, who)
        make_corpus(own, app, name)
        go(own, app, "上传入库")
        choose(own, own.get_by_role("combobox", name="放入资料集"), name)
        own.keyboard.press("Escape")
        own.locator("input[type=file]").set_input_files(
            [{"name": "细则.md", "mimeType": "text/markdown", "buffer": CLOSED_TEXT.encode()}]
        )
        own.get_by_role("button", name=re.compile("开始入库（1")).click()
        own.get_by_text("已入库 1").first.wait_for(timeout=INGESTED)
        go(own, app, "资料集")
        own.get_by_role("link", name=name).click()
        own.evaluate("window.nemoStays = true")
        own.get_by_role("link", name=CLOSED).click()
        own.locator(".law").wait_for()
        assert own.evaluate("window.nemoStays"), "a link of ours is followed in the session, and loads no page anew"
        held = re.search("r=([^&]+)", own.url).group(1)  # type: ignore[union-attr]
        for visibility, people, seen in (("私有", "", 1), ("团队", ANALYSTS[1], 2), ("公开", "", 3)):
            shown_to(own, app, name, visibility, people)
            for number, page in ((0, own), (1, mate), (2, other))[seen - 1 : seen + 1]:  # who sees it now, and the next
                looked_at(page, app, name, held, number < seen)
            for path, words in by_program(app, held).items():
                assert (WORD in words) is (seen == 3), (path, visibility, words[:300])
        shown_to(own, app, name, "私有")
        settle(other)  # the regulation is still on the screen of who may not see it any more
        other.get_by_placeholder("在本文中查找").fill("检测")
        other.get_by_text("资料库中没有这部法规").wait_for()
        expect(other.locator(".law")).to_have_count(0)


def reply(value: object) -> Answer:
    part = {
        "content": {"role": "model", "parts": [{"text": json.dumps(value, ensure_ascii=False)}]},
        "finishReason": "STOP",
    }
    return Answer.of({"candidates": [part]})


def obedient(request: Request) -> Answer:
    """Render every sentence that was sent; sum up with the words of the first quote, or with a number of one's own."""
    sent = json.loads(request.json()["contents"][0]["parts"][0]["text"])
    if "sentences" in sent:
        return reply({"renderings": [{"id": s["id"], "english": f"Sentence {s['id']}."} for s in sent["sentences"]]})
    shown = str(sent["quotes"][0].get("text") or sent["quotes"][0].get("words"))
    changes = {"安许证": ("三年", "九年"), "种树": ("不得", "可以")}
    told = next((shown.replace(*change) for word, change in changes.items() if word in sent["question"]), shown)
    return reply({"sentences": [{"text": told[:100], "quotes": [1]}]})


@pytest.fixture
def helped(library: Path, tmp_path: Path, server: LocalServer) -> Iterator[Server]:
    """The app with a cross-encoder that decides the order, and a service that sums up and renders."""
    server.routes["*"] = obedient
    env = {
        "NEMO_SUMMARY": "gemini", "NEMO_RENDERER": "gemini", "NEMO_GEMINI_API_KEY": "k" * 30, "NEMO_GEMINI_BASE_URL": server.url,
        "NEMO_RERANKER": "cross_encoder", "NEMO_CROSS_ENCODER_MODEL": str(stand_in(tmp_path)),
        "PYTHONPATH": os.pathsep.join((str(tmp_path / "library"), str(ROOT))),
    }  # fmt: skip
    served = Server(copied(library, tmp_path / "var"), tmp_path / "helped.log", env=env)
    yield served
    served.stop()


def test_what_a_machine_adds_stands_below_the_quotes_and_is_marked(browser: Browser, helped: Server) -> None:
    """A summary of the quote's own words is shown; one with another number or another duty is refused; English is tied to its words."""
    with visit(browser) as page:
        opened(page, helped, f"/?q={quote(QUESTION)}")
        page.get_by_role("button", name="生成小结").click()
        note = page.get_by_role("note").filter(has_text="小结")
        expect(note).to_contain_text("不是法规原文")
        assert page.locator(".quote").first.bounding_box()["y"] < note.bounding_box()["y"]  # type: ignore[index]
        opened(page, helped, f"/?q={quote(OTHERWISE)}")
        page.get_by_role("button", name="生成小结").click()
        page.get_by_text("小结未予显示").wait_for()
        opened(page, helped, f"/?q={quote(REWORDED[2][0])}")
        page.get_by_role("button", name="生成小结").click()
        page.get_by_text("小结未予显示").wait_for()
        page.get_by_text("“可以”不在所依据的引文中").wait_for()
        opened(page, helped, f"/?q={quote('How long is the work safety permit valid?')}")
        page.get_by_text("机器翻译").first.click()
        expect(page.locator("td[lang=en]").first).to_contain_text("Sentence 1.")
        words = page.locator("tr:has(td[lang=en]) td").first.text_content() or "?"
        assert words in RULES, "each sentence stands beside the words it renders"


def test_a_quote_is_given_to_a_reviewer_whose_progress_shows(browser: Browser, app: Server) -> None:
    """One reviewer gives a quote to another; the other finds it under their own name, decides, and is counted."""
    with visit(browser) as first, visit(browser) as second:
        for page, name in ((first, REVIEWERS[0]), (second, REVIEWERS[1])):
            sign_in(page, app, name, "复核员")
            go(page, app, "引文复核")
        choose(first, first.locator('[class*="st-key-assign_"] input'), REVIEWERS[1])
        first.get_by_text(f"已分派给{REVIEWERS[1]}").wait_for()
        first.locator(".st-key-review_state button", has_text="已驳回").click()  # another selection, the same work
        first.get_by_text("各复核员进度").click()
        expect(first.locator("tr", has_text=REVIEWERS[1]).locator("td").nth(1)).to_have_text("1")
        go(second, app, "法规库")
        go(second, app, "引文复核")
        choose(second, second.locator(".st-key-filter_row").get_by_label("分派给"), REVIEWERS[1])
        second.get_by_role("button", name="通过").first.click()
        second.get_by_text("已记录").wait_for()
        go(first, app, "法规库")
        go(first, app, "引文复核")
        first.get_by_text("各复核员进度").click()
        row = first.locator("tr", has_text=REVIEWERS[1])
        assert [cell.inner_text() for cell in row.locator("td").all()] == [REVIEWERS[1], "0", "1", "0", "0", "1"]


def choose(page: Page, field: Locator, option: str) -> None:
    """Pick an option of a drop-down."""
    field.first.click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)
