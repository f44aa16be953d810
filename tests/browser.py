"""The real app in a real browser: a server of its own process, Debian's Chromium, and a log of what leaves the machine."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect

from tests import app_starter
from tests.steady import follow, still

ROOT = Path(__file__).resolve().parent.parent

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # nothing is drawn by a card: a process and threads of its own only cost
    "--num-raster-threads=1",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

COMPILED_LATE = (
    "--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000"
    " --invocation-count-for-early-optimization=4000"
)
"""Scripts are made faster only where they run ten times as often: a page that is left at once has no use of it."""

expect.set_options(timeout=60_000)  # as long as a window waits for anything else: a busy machine takes its time

INGESTED = 600_000
"""Milliseconds that a window waits for what workers read: they give way to everything else (nice), and a machine may be busy."""

READY = ".page-title, .law-head, .notice"
"""What every page shows first."""


ENTRY = "nemo/web/server.py"
"""What ``make run`` starts; Streamlit Community Cloud starts ``app.py``."""


class Server:
    """The app in a process of its own."""

    def __init__(
        self,
        library: Path,
        log: Path,
        *,
        wait: bool = True,
        users: Path | None = None,
        entry: str = ENTRY,
        env: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
        cold: bool = False,
    ) -> None:
        """Start it: by its command line where it shall be ``cold``, else forked from a process that has loaded the program."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = log
        arguments = ["run", entry, "--server.port", str(self.port), *options, "--server.headless", "true"]
        given = {"NEMO_LIBRARY": str(library)} | ({"NEMO_USERS_FILE": str(users)} if users else {})
        environment = os.environ | given | dict(env or {})
        if cold or sys.platform != "linux":
            command = [sys.executable, "-m", "streamlit", *arguments]
            with log.open("wb") as out:
                self._process: subprocess.Popen[bytes] | app_starter.Started = subprocess.Popen(
                    command, cwd=ROOT, env=environment, stdout=out, stderr=subprocess.STDOUT
                )
        else:
            self._process = app_starter.Started(app_starter.Order(arguments, environment, str(log)))
        if wait:
            try:
                self.wait()
            except AssertionError:
                self.stop()  # nobody else can: there is no server to hand out
                raise

    @property
    def url(self) -> str:
        """Address of the app, without a slash at the end."""
        return f"http://localhost:{self.port}"

    @property
    def pid(self) -> int:
        """Number of the app's process."""
        return self._process.pid

    def wait(self, seconds: float = 180) -> None:
        """Wait until it answers; a busy machine takes its time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise AssertionError(f"the app ended at its start:\n{self.log.read_text('utf-8')[-2000:]}")
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2):
                return
            time.sleep(0.05)
        raise AssertionError("the app did not start")

    def end(self) -> None:
        """Ask the process to end."""
        self._process.terminate()

    def stop(self) -> None:
        """End the process and wait for it."""
        self.end()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)


def chromium(playwright: Playwright, *more: str) -> Browser:
    """Start Debian's Chromium; where there is none, skip, or fail where CI says that nothing may be skipped.

    Without a window it costs half the processor time (``chromium-headless-shell``).
    """
    path = os.environ.get("NEMO_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        reason = "no chromium here; install chromium-headless-shell or set NEMO_CHROMIUM"
        if os.environ.get("NEMO_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return playwright.chromium.launch(executable_path=path, args=[*FLAGS, *more])


SIZE = (1440, 900)
"""Of a window, unless a test wants another."""

MOTIONLESS = """const rule = new CSSStyleSheet(); document.adoptedStyleSheets = [rule]; rule.replaceSync(
'*, *::before, *:not(.st-key-filter_row)::after { animation: none !important; transition: none !important }')"""
"""Nothing glides or turns by itself: each of its pictures is drawn by the processor, and what is found hangs on the moment.

The arrow at the end of the filters moves with them alone.
"""


@contextlib.contextmanager
def visit(browser: Browser, size: tuple[int, int] = SIZE, dark: bool = False, steady: bool = True) -> Iterator[Page]:
    """Open a visitor's window and fail if it asked, or was kept from asking, anything of another machine.

    A visitor finds the app's scripts loaded and compiled by the one before, which takes longer than to show a page, and
    nothing else of theirs; who comes while another is there has a profile of their own.

    Args:
        browser: Chromium.
        size: Of the window.
        dark: Shade.
        steady: Let every step in its pages wait until the app stands still, and nothing move; not where time is measured:
            nothing is loaded.
    """
    left = (one for one in browser.contexts if steady and not one.pages)
    context = next(left, None) or _profile(browser, steady)
    outside: list[str] = []
    heard: dict[Any, Callable[[Any], None]] = {
        "request": lambda r: None if is_local(r.url) else outside.append(r.url),
        "console": lambda said: outside.append(said.text) if "Content Security Policy" in said.text else None,
        "page": follow if steady else lambda _: None,
    }
    for event, hear in heard.items():
        context.on(event, hear)
    page = context.new_page()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if dark else "light")
    try:
        yield page
    finally:
        _forget(context)
        for event, hear in heard.items():
            context.remove_listener(event, hear)
        if not steady:
            context.close()
    assert outside == [], f"the page asked other machines: {outside}"


def _profile(browser: Browser, steady: bool) -> BrowserContext:
    context = browser.new_context(viewport={"width": SIZE[0], "height": SIZE[1]}, locale="zh-CN")
    if steady:
        context.add_init_script(MOTIONLESS)
    context.set_default_timeout(60_000)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context


def _forget(context: BrowserContext) -> None:
    """Close every window of a profile and delete what a site keeps in it; the scripts it loaded stay."""
    for page in context.pages:
        with contextlib.suppress(Error):  # a page that shows nothing has no storage
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.close()
    context.clear_cookies()


def is_local(url: str) -> bool:
    """Tell whether a request stays on this machine."""
    return url.startswith(("http://localhost:", "ws://localhost:", "data:", "blob:"))


def settle(page: Page) -> None:
    """Wait until the app has finished its run, however long that takes, and has drawn it."""
    page.wait_for_selector(READY)
    assert still(page, 120), "the app does not come to rest"
    page.wait_for_timeout(150)


def opened(page: Page, server: Server, path: str) -> None:
    """Go to an address of the app and wait until it stands."""
    page.goto(server.url + path)
    settle(page)
