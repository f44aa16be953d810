"""What a button came to is told until it was surely seen (提示), whatever run supersedes the one that drew it first."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nemo.ui.shared import frame

ROOT = Path(__file__).resolve().parent.parent
UI = sorted((ROOT / "nemo" / "ui").rglob("*.py"))

_PAGE = """
import streamlit as st
from nemo.errors import BadRequestError
from nemo.ui.shared import frame
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

def refuse():
    raise BadRequestError("理由没有写。")

def another():
    get_script_run_ctx().script_requests.request_rerun(RerunData())

def done(state):
    another()
    state["times"] = state.get("times", 0) + 1

def raced(state):
    another()
    frame.press(lambda: done(state), "已抢到")

def page():
    frame.require_frame(f"pages/{st.session_state.get('at', 'system')}.py")
    st.button("好", key="good", on_click=frame.press, args=(lambda: None, "已做完"))
    st.button("坏", key="bad", on_click=frame.press, args=(refuse,))
    st.button("静", key="still", on_click=frame.press, args=(lambda: None,))
    st.button("抢", key="raced", on_click=raced, args=(st.session_state,))
    st.button("久", key="long", on_click=frame.order, args=("long",))
    if st.session_state.pop("superseded", False):
        st.rerun()
    frame.fulfil("long", "正在做…", lambda: done(st.session_state))
    st.button("多", key="many", on_click=frame.act_all, args=([lambda: None, refuse, lambda: None, refuse], "已记 {} 条"))
    if st.session_state.get("stops"):
        st.stop()

st.session_state["_frame"] = True
frame.run(page)
"""


@pytest.fixture
def at() -> AppTest:
    """Give a page with buttons."""
    return AppTest.from_string(_PAGE, default_timeout=60).run()


def said(at: AppTest) -> str:
    return "\n".join(str(html.value) for html in at.html)


def test_what_was_done_and_what_failed_is_told(at: AppTest) -> None:
    assert said(at) == ""
    assert "已做完" in said(at.button(key="good").click().run())
    failed = said(at.button(key="bad").click().run())
    assert "理由没有写" in failed and "已做完" not in failed, "what was seen gives way to the next"


def test_a_superseded_run_swallows_nothing(at: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the run that was cut short had stood, only one that came to its end counts as seen."""
    monkeypatch.setattr(frame, "_STANDS", -1.0)
    at.session_state["superseded"] = True
    assert "已做完" in said(at.button(key="good").click().run())
    assert "已做完" not in said(at.run())


@pytest.mark.parametrize("key", ["raced", "long"])
def test_a_rerun_that_arrives_meanwhile_breaks_off_no_work(at: AppTest, key: str) -> None:
    """Reruns arrive while a callback is at work, and while a run does what was ordered: it is done, once."""
    at.button(key=key).click().run()
    assert at.session_state["times"] == 1
    assert ("已抢到" in said(at)) is (key == "raced")
    assert at.run().session_state["times"] == 1


def test_an_order_outlives_the_run_that_took_it(at: AppTest) -> None:
    at.session_state["superseded"] = True
    assert at.button(key="long").click().run().session_state["times"] == 1


@pytest.mark.parametrize("stops", [False, True], ids=["to its last line", "stopped by itself"])
def test_a_notice_stands_a_while_and_goes(at: AppTest, monkeypatch: pytest.MonkeyPatch, stops: bool) -> None:
    at.session_state["stops"] = stops
    at.button(key="good").click().run()
    assert "已做完" in said(at.run()), "a click elsewhere does not take it away at once"
    monkeypatch.setattr(frame, "_STANDS", -1.0)
    assert "已做完" not in said(at.run())


def test_a_notice_is_of_its_page_and_is_closed(at: AppTest) -> None:
    at.button(key="good").click().run()
    at.session_state["at"] = "intake"
    assert "已做完" not in said(at.run())
    at.button(key="bad").click().run()
    assert "理由没有写" not in said(at.button(key="told_close").click().run())


def test_a_button_that_says_nothing_takes_the_old_failure_away(at: AppTest) -> None:
    at.button(key="bad").click().run()
    assert "理由没有写" not in said(at.button(key="still").click().run())


def test_of_several_each_reason_is_told_once_with_the_number_done(at: AppTest) -> None:
    html = said(at.button(key="many").click().run())
    assert "已记 2 条" in html and html.count("理由没有写") == 1 and "（2 项）" in html


def _calls(tree: ast.AST, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in names:
            yield node


def test_nothing_is_drawn_for_one_run_only() -> None:
    """A value that is popped to be drawn is gone when that run is superseded."""
    for path in UI:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            source = node.value if isinstance(node, ast.NamedExpr) else node.iter if isinstance(node, ast.For) else None
            assert source is None or not list(_calls(source, "pop")), f"{path.name}:{getattr(node, 'lineno', 0)}"


def test_a_button_that_asks_the_engine_cannot_fail_silently() -> None:
    """What ``on_click`` and ``on_change`` call reaches the engine through ``frame.act`` alone."""
    assert [f"{path.name}:{line}" for path in UI for line in _silent(ast.parse(path.read_text("utf-8")))] == []


def _silent(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of buttons and fields whose work asks the engine and cannot tell what came of it."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    for call in _calls(tree, "button", "selectbox", "form_submit_button", "checkbox", "toggle", "multiselect"):
        for given in call.keywords:
            if given.arg not in ("on_click", "on_change"):
                continue
            work = functions.get(given.value.id) if isinstance(given.value, ast.Name) else given.value
            asks = work is not None and list(_calls(work, "engine", "opened"))
            told = work is not None and list(_calls(work, "act", "act_all", "attempt", "begin"))
            if asks and not told:
                yield call.lineno


def test_a_button_acts_before_the_page_is_drawn() -> None:
    """A click told by the value of the button is lost when a rerun arrives before its line; a window that opens may wait for another."""
    assert [f"{path.name}:{line}" for path in UI for line in _in_the_run(ast.parse(path.read_text("utf-8")))] == []


def _in_the_run(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of buttons that call nothing and open no window of a page."""
    opens = [
        node.test for node in ast.walk(tree) if isinstance(node, ast.If) and list(_calls(node, "drawer", "_field"))
    ]
    windows = {id(call) for test in opens for call in _calls(test, "button", "_page_button")}
    asked = [f for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.name == "_page_button"]
    windows |= {id(call) for one in asked for call in _calls(one, "button")}
    for call in _calls(tree, "button", "form_submit_button"):
        of_streamlit = getattr(getattr(call.func, "value", None), "id", "") != "clipboard"
        if of_streamlit and id(call) not in windows and "on_click" not in {given.arg for given in call.keywords}:
            yield call.lineno


def test_a_file_is_made_when_it_is_asked_for() -> None:
    """What a download hands over is a function: made in the run, it would be made for everybody and be lost with the run."""
    for path in UI:
        for call in _calls(ast.parse(path.read_text("utf-8")), "download_button"):
            made = call.args[1] if len(call.args) > 1 else next(g.value for g in call.keywords if g.arg == "data")
            assert isinstance(made, ast.Lambda) or list(_calls(made, "partial")), f"{path.name}:{call.lineno}"


def test_a_callback_reads_what_was_typed_itself() -> None:
    """Words and click arrive together, and ``args`` are those of the run before: an empty or an earlier text would be taken."""
    assert [f"{path.name}:{line}" for path in UI for line in _stale(ast.parse(path.read_text("utf-8")))] == []


def _stale(tree: ast.Module) -> Iterator[int]:
    """Yield the lines of buttons that hand on what a field of theirs held when they were drawn."""
    for part in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        fields = (
            n for n in ast.walk(part) if isinstance(n, ast.Assign) and list(_calls(n.value, "text_input", "text_area"))
        )
        typed = {target.id for one in fields for target in one.targets if isinstance(target, ast.Name)}
        for call in _calls(part, "button"):
            given = (n for k in call.keywords if k.arg in ("args", "on_click", "disabled") for n in ast.walk(k.value))
            if typed & {n.id for n in given if isinstance(n, ast.Name)}:
                yield call.lineno
