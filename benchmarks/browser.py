"""Speed of the web app as its users meet it: ``make bench-browser``. Prints a Markdown table with machine and load.

Two meters, because a browser on the same two cores costs more than the app it looks at: Chromium measures what one
person sees (first paint, first answer, page switch, filter change), plain WebSocket sessions measure twenty at once.
"""

import argparse
import asyncio
import datetime as dt
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import quote, urlencode

import psutil
import websockets
from playwright.sync_api import Browser, Page, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser import Server, chromium, settle, visit

QUESTIONS = (
    "建设风电场用地要办什么手续", "偷电被抓到一般罚几倍", "未取得电力业务许可证供电如何处罚", "可再生能源发电全额保障性收购",
    "煤矿安全生产许可证需要哪些条件", "农用地转为建设用地由谁审批", "建设项目环境影响评价文件何时报批", "施工单位对质量负什么责任",
    "占用林地要交哪些费用", "电力设施保护区内禁止哪些行为", "电价由谁制定", "未批先建的法律责任",
)  # fmt: skip
MOST_SWITCHES = 21
ROUNDS = 7
SESSIONS = 20
PAUSE = 4.0
"""Seconds a reader looks at an answer before the next question: twenty of them still ask five times a second."""

QUIET_MS = 1200
"""A page that has not changed for so long stands still."""

_CLICK = """async ([select, words, quiet]) => {
  const found = [...document.querySelectorAll(select)].filter(e => e.textContent.includes(words));
  const app = document.querySelector('[data-test-script-state]');
  const began = performance.now();
  let last = null;
  const watch = new MutationObserver(() => { last = performance.now(); });
  watch.observe(document.body, {childList: true, characterData: true, subtree: true});
  found[0].click();
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 50));
    const now = performance.now();
    if (last && now - last > quiet && app.dataset.testScriptState === 'notRunning') break;
    if (now - began > 20000) throw new Error('nothing happened after a click on ' + words);
  }
  watch.disconnect();
  return last - began;
}"""
"""Clicks, waits until the page stands still, and returns the milliseconds from the click to its last change."""


def first(browser: Browser, library: Path, log: Path) -> tuple[float, float]:
    """Return the seconds from the start of the process to the first paint and to the first answer, in an open window."""
    with visit(browser, steady=False) as page:
        began = time.time()
        server = Server(library, log)
        try:
            page.goto(f"{server.url}/?q={quote(QUESTIONS[0])}", wait_until="commit")
            page.locator(".quote, .refusal").first.wait_for(timeout=60_000)
            answered = time.time() - began
            painted = page.evaluate(
                "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime"
            )
        finally:
            server.stop()
    return painted / 1000 - began, answered


def switches(page: Page, server: Server) -> list[float]:
    """Return the milliseconds of switching from page to page by the menu, each page once visited before."""
    titles = ("法规库", "法规查询", "系统", "各省对照", "评测", "引文复核", "上传入库")
    page.goto(server.url)
    settle(page)
    walls = []
    for number in range(MOST_SWITCHES + len(titles)):
        title = titles[number % len(titles)]
        walls.append(page.evaluate(_CLICK, ["[data-testid=stSidebarNavLink]", title, QUIET_MS]))
        assert page.locator(".page-title").first.inner_text().startswith(title)
    return walls[len(titles) :]


def filters(page: Page, server: Server) -> tuple[list[float], list[float]]:
    """Return the milliseconds of a changed filter beside an answer, which is given anew, and in the list."""
    changes: list[list[float]] = []
    for path, group in ((f"?q={quote(QUESTIONS[0])}", "ask_asset"), ("library", "shelf_doc_class")):
        page.goto(f"{server.url}/{path}")
        settle(page)
        select = f".st-key-{group} [role=radio]"
        words = page.locator(select).all_inner_texts()
        wanted = [*words[1:], words[0]]  # the first one is chosen
        walls = [page.evaluate(_CLICK, [select, one, QUIET_MS]) for _ in range(3) for one in wanted]
        changes.append(walls[len(wanted) :])
    return changes[0], changes[1]


async def crowd(server: Server, pause: float) -> tuple[list[float], list[str]]:
    """Let twenty sessions ask four questions each; return the seconds of every answer, and what went wrong."""
    walls: list[float] = []
    wrong: list[str] = []

    async def session(number: int) -> None:
        address = f"ws://localhost:{server.port}/_stcore/stream"
        async with websockets.connect(address, max_size=None, subprotocols=["streamlit"]) as socket:  # type: ignore[list-item]
            for turn in range(5):
                began = time.perf_counter()
                question = f"{QUESTIONS[(number + turn * 5) % len(QUESTIONS)]}（{number}）"
                problem = await _asked(socket, question, f"{number}-{turn}")
                if turn:  # the first one opens the session
                    walls.append(time.perf_counter() - began)
                wrong.extend(problem)
                await asyncio.sleep(pause * (0.5 + (number * 7 % 10) / 10))

    await asyncio.gather(*(session(number) for number in range(SESSIONS)))
    return walls, wrong


async def _asked(socket: websockets.ClientConnection, question: str, name: str) -> list[str]:
    message = BackMsg()
    message.rerun_script.query_string = urlencode({"q": question})
    await socket.send(message.SerializeToString())
    shown = ""
    while True:
        told = ForwardMsg.FromString(bytes(await asyncio.wait_for(socket.recv(decode=False), 60)))
        kind = told.WhichOneof("type")
        if kind == "delta":
            shown += told.delta.new_element.html.body
            if told.delta.new_element.HasField("exception"):
                return [f"{name}: {told.delta.new_element.exception.message}"]
        elif kind == "script_finished":
            if told.script_finished != ForwardMsg.FINISHED_SUCCESSFULLY:
                continue
            return [] if 'class="quote"' in shown or 'class="refusal"' in shown else [f"{name}: no answer"]


def memory(server: Server) -> tuple[float, float]:
    """Return the resident MiB of the app's process, and of its children."""
    process = psutil.Process(server.pid)
    children = sum(child.memory_info().rss for child in process.children(recursive=True))
    return process.memory_info().rss / 2**20, children / 2**20


def measure(library: Path, scratch: Path) -> list[tuple[str, str, str]]:
    """Return (what, figure, goal) of everything."""
    with sync_playwright() as playwright:
        browser = chromium(playwright)
        starts = [(*first(browser, library, scratch / "first.log"), core()) for _ in range(ROUNDS)]
    server = Server(library, scratch / "app.log")
    try:
        with sync_playwright() as playwright, visit(chromium(playwright), steady=False) as page:
            moved = switches(page, server)
            asked, listed = filters(page, server)
            one, children = memory(server)
        crowded, wrong = asyncio.run(crowd(server, PAUSE))
        burst, wrong_too = asyncio.run(crowd(server, 0.0))
        many, _ = memory(server)
    finally:
        server.stop()
    for problem in (wrong + wrong_too)[:10]:
        print(problem, file=sys.stderr)
    painted, answered, speed = zip(*starts, strict=True)
    return [
        (f"进程启动到首次绘制（秒，{ROUNDS} 次中位，最短–最长）", _middle(painted), "≤ 2"),
        (f"进程启动到首个答复（秒，{ROUNDS} 次中位，最短–最长）", _middle(answered), "≤ 3"),
        ("其间的单核速度：一千万次加法（秒）", _middle(speed), "–"),
        ("切换页面 p50 / p95（毫秒）", _two(moved), "p50 ≤ 350"),
        ("改变筛选并重新作答 p50 / p95（毫秒）", _two(asked), "p50 ≤ 350"),
        ("法规列表改变筛选 p50 / p95（毫秒）", _two(listed), "p50 ≤ 350"),
        ("应用进程常驻内存，一人用过全部页面（MiB）", f"{one:.0f}（子进程 {children:.0f}）", "≤ 450"),
        ("应用进程常驻内存，二十人之后（MiB）", f"{many:.0f}", "≤ 450"),
        (f"{SESSIONS} 个会话，阅读 {PAUSE:.0f} 秒再问：答复 p50 / p95（秒）", _two(crowded, "{:.2f}"), "p95 ≤ 1.5"),
        (f"{SESSIONS} 个会话，一刻不停地问：答复 p50 / p95（秒）", _two(burst, "{:.2f}"), "–"),
        ("上两行中的错误", str(len(wrong) + len(wrong_too)), "0"),
    ]


def core() -> float:
    """Return the seconds of one core for ten million additions: how fast the machine is just now."""
    began = time.process_time()
    total = 0
    for number in range(10_000_000):
        total += number
    return time.process_time() - began


def _middle(values: Sequence[float]) -> str:
    return f"{median(values):.2f}（{min(values):.2f}–{max(values):.2f}）"


def _two(values: Sequence[float], form: str = "{:.0f}") -> str:
    return f"{form.format(median(values))} / {form.format(quantiles(values, n=20)[-1])}"


def machine() -> str:
    """Return the machine and its load in words."""
    cores, ram = os.cpu_count(), psutil.virtual_memory().total / 2**30
    load = " / ".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{platform.machine()}，{cores} 核，{ram:.0f} GiB，Python {platform.python_version()}，负载 {load}"


def main() -> None:
    """Measure on a copy of a library, or on one made of the corpus, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"), help="folder with corpus/")
    parser.add_argument("--library", type=Path, help="a ready library of the corpus; it is copied, not written to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        library = Path(scratch) / "library"
        if given.library:
            shutil.copytree(given.library, library)
        else:
            corpus = given.shared / "corpus"
            command = ["ingest", str(corpus), "--manifest", str(corpus / "manifest.jsonl"), "--library", str(library)]
            subprocess.run([sys.executable, "-m", "nemo", *command], check=True, stdout=subprocess.DEVNULL)
        before = machine()
        rows = measure(library, Path(scratch))
    print(f"`make bench-browser`，{dt.date.today()}，{before}；结束时{machine().rsplit('，', 1)[1]}\n")
    print("| 项目 | 数值 | 目标 |\n|---|---|---|")
    print("\n".join(f"| {what} | {figure} | {goal} |" for what, figure, goal in rows))


if __name__ == "__main__":
    main()
