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

def refuse():
    raise BadRequestError("理由没有写。")

def page():
    frame.require_frame(f"pages/{st.session_state.get('at', 'system')}.py")
    st.button("好", key="good", on_click=frame.press, args=(lambda: None, "已做完"))
    st.button("坏", key="bad", on_click=frame.press, args=(refuse,))
    st.button("静", key="still", on_click=frame.press, args=(lambda: None,))
    st.button("多", key="many", on_click=frame.act_all, args=([lambda: None, refuse, lambda: None, refuse], "已记 {} 条"))
    if st.session_state.pop("superseded", False):
        st.rerun()
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
