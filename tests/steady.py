"""Steps of a test in a browser wait until the app stands still (稳步).

While Streamlit runs a script anew, old and new elements stand in the page together: a locator finds two, a click meets
what is about to go, a count is of both, the focus is lost. So every step of a followed page first waits for the run
that the step before it caused. What is awaited is said by the app itself: the messages on its socket, not a time.
"""

import functools
import time
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakKeyDictionary

from playwright import sync_api as playwright
from playwright.sync_api import Error, Keyboard, Locator, Page, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_GRACE = 0.12
"""Seconds in which a click has reached the socket, if it does at all."""
_LONGEST = 20.0
"""Seconds that a step waits for a run of its own accord; what takes longer is awaited by the test in plain words."""
_TRIES = 5
"""How often a step that found two elements is tried anew; two that stay are a fault of the test."""

_STILL = """() => { const app = document.querySelector('[data-test-script-state]');
  return app ? app.dataset.testScriptState === 'notRunning'
    && !document.querySelector('[data-testid=stStatusWidget], [data-stale=true]') : !document.getElementById('root'); }"""

_DOES = ("click", "fill", "press", "type", "focus", "blur", "check", "hover", "set_input_files", "press_sequentially")
_READS = (
    "wait_for", "count", "evaluate", "evaluate_all", "inner_text", "all_inner_texts", "text_content",
    "all_text_contents", "is_visible", "bounding_box", "get_attribute", "input_value",
)  # fmt: skip


class Runs:
    """What a page has asked of the app and what was answered, as its socket says."""

    def __init__(self, page: Page) -> None:
        self.asked = self.began = self.ended = 0
        """Numbers of messages: of the last request to run, of the last start and the last end of a run."""
        self.touched = 0.0
        self._count = 0
        page.on("websocket", self._socket)

    def _socket(self, socket: WebSocket) -> None:
        if "_stcore/stream" not in socket.url:
            return
        self._count += 1
        self.asked = self._count  # a page that opens asks for its first run
        socket.on("framesent", self._sent)
        socket.on("framereceived", self._received)

    def _sent(self, frame: str | bytes) -> None:
        self._count += 1
        if isinstance(frame, bytes) and BackMsg.FromString(frame).WhichOneof("type") == "rerun_script":
            self.asked = self._count

    def _received(self, frame: str | bytes) -> None:
        self._count += 1
        if not isinstance(frame, bytes):
            return
        message = ForwardMsg.FromString(frame)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.began = self._count
        elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            self.ended = self._count

    @property
    def done(self) -> bool:
        """Whether the last run that was asked for has begun and ended, and no step was made a moment ago."""
        return self.asked <= self.began <= self.ended and time.monotonic() - self.touched > _GRACE


_FOLLOWED: WeakKeyDictionary[Page, Runs] = WeakKeyDictionary()
_KEYBOARDS: WeakKeyDictionary[Keyboard, Page] = WeakKeyDictionary()


def follow(page: Page) -> None:
    """Let every step on a page wait until the app stands still."""
    _FOLLOWED[page], _KEYBOARDS[page.keyboard] = Runs(page), page


def still(page: Page, seconds: float = _LONGEST) -> bool:
    """Wait until the app stands still; return False when it did not within ``seconds``."""
    runs, until = _FOLLOWED.get(page), time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if (runs is None or runs.done) and page.evaluate(_STILL):
                return True
        except Error:
            if page.is_closed():
                raise
            # the page is just being left
        page.wait_for_timeout(40)
    return False


def shortcut(page: Page, key: str) -> None:
    """Press a key that the app knows until it has heard of it: a key is bound a moment after its button is drawn."""
    runs = _FOLLOWED[page]
    for _ in range(_TRIES):
        still(page)
        before = runs.asked
        page.keyboard.press(key)
        until = time.monotonic() + 3
        while time.monotonic() < until:
            page.wait_for_timeout(50)
            if runs.asked > before:
                return
    raise AssertionError(f"the app does not hear {key}")


def _step(page: Page, act: Callable[[], Any], does: bool) -> Any:
    """Make one step on a page that stands still; again when it met two elements, of which one was about to go."""
    if page not in _FOLLOWED:
        return act()
    for turn in range(_TRIES):
        still(page)
        try:
            return act()
        except (Error, AssertionError) as error:
            if "strict mode violation" not in str(error) or turn == _TRIES - 1:
                raise
            page.wait_for_timeout(300)
        finally:
            if does:
                _FOLLOWED[page].touched = time.monotonic()
    raise AssertionError


class Expecting:
    """What is expected of a locator, asked as every other step is."""

    def __init__(self, locator: Locator) -> None:
        self._locator = locator

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(playwright.expect(self._locator), name)
        return lambda *given, **named: _step(self._locator.page, lambda: method(*given, **named), False)


expect = Expecting
playwright.expect.set_options(timeout=60_000)


def _install(kind: type, names: Iterable[str], page_of: Callable[[Any], Page | None], does: bool) -> None:
    """Let methods of a class of Playwright be steps, on pages that are followed."""
    for name in names:
        setattr(kind, name, _steady(getattr(kind, name), page_of, does))


def _steady(method: Callable[..., Any], page_of: Callable[[Any], Page | None], does: bool) -> Callable[..., Any]:
    @functools.wraps(method)
    def step(self: Any, *given: Any, **named: Any) -> Any:
        page = page_of(self)
        return (
            method(self, *given, **named) if page is None else _step(page, lambda: method(self, *given, **named), does)
        )

    return step


_install(Locator, _DOES, lambda locator: locator.page, does=True)
_install(Locator, _READS, lambda locator: locator.page, does=False)
_install(Keyboard, ("press", "type"), lambda keys: _KEYBOARDS.get(keys), does=True)
