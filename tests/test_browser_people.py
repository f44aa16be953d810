"""In the real app: what is a person's own (资料集, 记忆) opens for that person, and what a machine adds is marked (小结, 机器翻译)."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Locator, Page

from nemo import accounts
from tests.browser import ROOT, Server, opened, settle, visit
from tests.local_server import Answer, LocalServer, Request
from tests.page_library import copied, one_text
from tests.steady import expect
from tests.test_memory import REWORDED, RULES
from tests.tiny_models import stand_in

QUESTION, OTHERWISE = REWORDED[1]
ANALYSTS, REVIEWERS = ("甲", "乙"), ("丙", "丁")
WORDS = "correct horse"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of one text, about which somebody asked."""
    return one_text(tmp_path_factory.mktemp("people"), RULES, QUESTION)


@pytest.fixture(scope="module")
def app(library: Path) -> Iterator[Server]:
    """The app with two analysts and two reviewers."""
    users, roles = library.parent / "users.toml", accounts.Role
    people = [*((name, roles.ANALYST) for name in ANALYSTS), *((name, roles.REVIEWER) for name in REVIEWERS)]
    users.write_text("".join(accounts.entry(name, role, WORDS) for name, role in people), "utf-8")
    served = Server(copied(library, library.parent / "own"), library.parent / "app.log", users=users)
    yield served
    served.stop()


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


def test_a_corpus_and_a_memory_are_one_persons(browser: Browser, app: Server) -> None:
    """What one account makes, asks and forgets the other never sees; another wording finds the question."""
    with visit(browser) as first, visit(browser) as second:
        sign_in(first, app, ANALYSTS[0])
        go(first, app, "资料集")
        first.get_by_role("textbox", name="名称").fill("甲项目")
        first.get_by_role("textbox", name="切块").fill("400")
        first.get_by_role("button", name="新建", exact=True).click()
        first.get_by_text("资料集已建立").wait_for()
        go(first, app, "法规查询")
        ask(first, QUESTION)
        sign_in(first, app, ANALYSTS[0])  # another day
        remember(first, OTHERWISE, 1)
        expect(first.locator(".st-key-memory_0")).to_contain_text(QUESTION)
        sign_in(second, app, ANALYSTS[1])
        go(second, app, "资料集")
        second.get_by_text("还没有资料集").wait_for()
        go(second, app, "法规查询")
        second.get_by_role("tab", name="我的问题").click()
        second.get_by_text("还没有问过问题").wait_for()
        first.get_by_role("button", name="忘记").click()
        first.get_by_text("有关的 0 条").or_(first.get_by_text("还没有问过问题")).first.wait_for()


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
