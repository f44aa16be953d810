"""What every page stands in: the one engine, the navigation, the dress, and the border where errors become messages."""

from __future__ import annotations

import atexit
import logging
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from nemo.errors import NemoError
from nemo.settings import PROJECT, Settings, load
from nemo.ui.shared import process, safe

if TYPE_CHECKING:
    from nemo.engine import Engine
    from nemo.types import Fault

PRODUCT = "Nemo 能源法规"
HERE = Path(__file__).parent
FAVICON = str(HERE / "static" / "favicon.png")

_log = logging.getLogger(__name__)

# Without the shell of nemo/web/server.py Streamlit writes lang="en" into the page: browsers then offer to translate it, and screen readers spell it out.
_CHINESE = "<script>document.documentElement.lang='zh-CN'</script>"

_TITLES = {
    "bad_request": "请修改后重试", "not_signed_in": "需要登录", "not_permitted": "没有权限", "too_large": "内容过大",
    "too_many_tries": "尝试次数过多", "too_many_requests": "请求过多", "busy": "请稍候", "not_found": "没有找到", "conflict": "他人已先处理",
    "unreadable_document": "文件无法读取", "missing_dependency": "缺少组件", "config": "资料库未能打开",
    "database_unreachable": "数据库暂时连不上", "service": "外部服务失败",
}  # fmt: skip

_PAGES = (
    ("工作台", "ask", "法规查询", ":material/search:", "ask"), ("工作台", "matrix", "各省对照", ":material/view_column:", "ask"),
    ("工作台", "audit", "文稿审校", ":material/spellcheck:", "ask"), ("工作台", "review", "引文复核", ":material/fact_check:", "review"),
    ("资料", "library", "法规库", ":material/library_books:", "ask"), ("资料", "graph", "图谱", ":material/hub:", "ask"),
    ("资料", "corpora", "资料集", ":material/folder_special:", "ask"), ("资料", "intake", "上传入库", ":material/upload_file:", "ingest"),
    ("资料", "gaps", "缺口", ":material/rule_folder:", "ask"), ("资料", "watch", "采集", ":material/travel_explore:", "ingest"),
    ("管理", "evaluation", "评测", ":material/rule:", "evaluate"), ("管理", "system", "系统", ":material/monitor_heart:", "system"),
)  # fmt: skip


@st.cache_resource(show_spinner="正在打开资料库…")
def opened() -> Engine:
    """Return the one engine of this process, opened on first use: all of it, for the process itself.

    Raises:
        ConfigError: a setting is wrong, or another process owns the library; not cached, so the next run tries again.
    """
    process.renew_sqlite()
    process.keep_memory_together()
    with process.start():
        from nemo.engine import Engine  # heavy: only the first page that needs the library pays for it

        engine = Engine.open(settings())
    engine.resume()  # what an earlier process left in the queue goes on
    atexit.register(engine.close)  # a library that is not closed is checked at length at the next start
    process.give_back_memory()
    return engine


PERSON = "_person"
"""Where a session keeps who is in front of it; the gate sets it before any page."""


def engine() -> Engine:
    """Return the engine as who is in front of the screen sees it: the only way a page has.

    Raises:
        ConfigError: as :func:`opened`.
    """
    return opened().seen_by(st.session_state.get(PERSON))


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Return the settings of this process.

    Raises:
        ConfigError: one of them is wrong.
    """
    return load()


def pages() -> dict[str, list[Any]]:
    """Return the pages by section, for ``st.navigation``; the first one is the default and lives at ``/``."""
    sections: dict[str, list[Any]] = {}
    for section, stem, title, icon, action in _PAGES:
        address: dict[str, Any] = {"default": True} if stem == "ask" else {"url_path": stem}
        shown: Any = "visible" if _open_to(action) else "hidden"
        page = st.Page(page_path(stem), title=title, icon=icon, visibility=shown, **address)
        sections.setdefault(section, []).append(page)
    return sections


def _open_to(action: str) -> bool:
    """Tell whether who signed in may use a page, so that no menu leads where it only says so; the page itself asks again."""
    person = st.session_state.get(PERSON)
    return person is None or person.may(action)


def addresses() -> list[str]:
    """Return the pages' addresses without slashes; that of the first one is empty."""
    return ["" if stem == "ask" else stem for _, stem, *_ in _PAGES]


def titles() -> list[tuple[str, str, str]]:
    """Return file name, title and icon of every page that is open to who is in front of the screen."""
    return [(stem, title, icon) for _, stem, title, icon, action in _PAGES if _open_to(action)]


def page_path(stem: str) -> str:
    """Return the file of a page as ``st.page_link`` and ``st.switch_page`` want it."""
    return str(PROJECT / "pages" / f"{stem}.py")


def link(words: str, page: str, icon: str, params: Mapping[str, str] | None = None) -> None:
    """Draw a link to a page of the app; ``words`` are Markdown, ``icon`` is the name of a Material symbol."""
    st.page_link(page_path(page), label=words, icon=f":material/{icon}:", query_params=params)


def anchor(words: str, page: str, params: Mapping[str, str]) -> str:
    """Return the same link as HTML, for what :func:`link` would make a part of its own of each line; ``words`` are HTML."""
    return f'<a href="./{page}?{safe.text(urlencode(params))}" target="_self">{words}</a>'


def require_frame(file: str) -> None:
    """First line of every page: send a visitor who came in past ``app.py`` through it, and back here afterwards; tell what was said.

    With a folder ``pages/`` a fresh server runs a deep-linked page alone, without frame or gate.
    """
    if not st.session_state.get("_frame"):
        st.session_state["_goto"] = (Path(file).stem, st.query_params.to_dict())
        st.switch_page(str(PROJECT / "app.py"))
    _tell(file)


def forward(page: str) -> None:
    """Mark the frame as present, go on to the page that :func:`require_frame` turned back, and keep the address true.

    Streamlit's link from a page to itself runs the page with another address and leaves the browser's as it was: a
    reload, and even the next click, would go back to the old one. So an address of the same ``page`` that is not that
    of the run before is written; the browser takes it for nothing new where it has it already (后退, a choice of ours).
    """
    state = st.session_state
    state["_frame"] = True
    goto = state.pop("_goto", None)
    if goto is not None:
        st.switch_page(page_path(goto[0]), query_params=goto[1])
    at = (page, st.query_params.to_dict())
    before = state.get(_ADDRESS, at)
    state[_ADDRESS] = at
    if before[0] == page and before != at:
        st.query_params.from_dict(at[1])


_ADDRESS = "_address"
"""Page and address of the run before."""


def dress() -> None:
    """Draw what surrounds a page: style sheet, language, logo."""
    st.html(HERE / "style.css")
    st.container(key="lang").html(_CHINESE, unsafe_allow_javascript=True)
    shade = "dark" if st.context.theme.type == "dark" else "light"
    st.logo(str(HERE / "static" / f"logo-{shade}.png"), size="large", icon_image=FAVICON)


@dataclass(frozen=True)
class PageProblem:
    """Why something did not work, in words for the person in front of the screen."""

    title: str
    words: str
    tips: tuple[str, ...] = ()


def attempt(work: Callable[[], object]) -> PageProblem | None:
    """Run ``work`` at the app's border: an error becomes a message, an unforeseen one is logged with its number."""
    try:
        work()
    except NemoError as error:
        return PageProblem(_TITLES.get(error.code, "未能完成"), error.message, error.tips)
    except Exception:  # noqa: BLE001  the border itself: the reader gets a number to report, the log gets the traceback
        number = uuid.uuid4().hex[:12]
        _log.exception("unforeseen error, trace %s", number, extra={"trace_id": number})
        return PageProblem("程序出错", f"已记入日志，编号 {number}。请重试；若再次出现，请把编号告知管理员。")
    return None


class Upload(Protocol):
    """What a file uploader gives."""

    name: str

    def getvalue(self) -> bytes:
        """Return the content."""


@dataclass
class _Said:
    """A notice that stands until it was surely seen: a run that another supersedes may never reach the window."""

    notice: tuple[str, str, str, tuple[str, ...]]
    place: str | None = None
    """The page that drew it."""
    seen: float | None = None
    """When the first run that drew it came to its end, in seconds of the monotonic clock."""


_SAID = "_said"
_STANDS = 10.0
"""Seconds in which later runs of the same page draw a seen notice again."""


def say(kind: str, title: str, words: str = "", tips: tuple[str, ...] = ()) -> None:
    """Draw a notice, as :func:`notice` takes it, above this page or the next until it was surely seen; what was seen before gives way to it."""
    one = _Said((kind, title, words, tips))
    _said()[:] = [*(s for s in _said() if s.seen is None and s.notice != one.notice), one]


def _said() -> list[_Said]:
    """Return what was said and not told for good: one list for the whole session."""
    said: list[_Said] = st.session_state.setdefault(_SAID, [])
    return said


def typed(key: str) -> str:
    """Return what stands in a field, for a callback: its button may be older than the words, which come with the click."""
    return (st.session_state.get(key) or "").strip()


def act(work: Callable[[], object], done: str = "") -> bool:
    """Run ``work`` for a button and say how it went: what failed is never silent.

    Returns:
        Whether it went well.
    """
    return act_all([work], done) == 1


def press(work: Callable[[], object], done: str = "") -> None:
    """Do what :func:`act` does; for the ``on_click`` of a button."""
    act(work, done)


def act_all(steps: Iterable[Callable[[], object]], done: str = "") -> int:
    """Run one after the other for a button; say ``done`` with the number of those done in place of ``{}``, and why the others were not.

    Returns:
        How many went well.
    """
    _said()[:] = [one for one in _said() if one.seen is None]
    problems = [attempt(step) for step in steps]
    well = problems.count(None)
    st.session_state[_DONE] = acts_done() + well
    if done and well:
        say("good", done.replace("{}", str(well)))
    for problem, times in Counter(filter(None, problems)).items():
        say("bad", problem.title + (f"（{times} 项）" if times > 1 else ""), problem.words, problem.tips)
    return well


_DONE = "_acts_done"


def acts_done() -> int:
    """Return how many things that buttons do went well in this session."""
    return int(st.session_state.get(_DONE, 0))


def order(key: str) -> None:
    """Ask for work that takes a while, for the ``on_click`` of a button: the page does it where :func:`fulfil` stands."""
    _orders().add(key)


def fulfil(key: str, words: str, work: Callable[[], object]) -> None:
    """Do what a button ordered under this ``key``, with ``words`` beside a wheel, and draw the page anew.

    A click whose run is superseded before this line is done by the next; what is begun is done once and to its end.
    """
    if key in _orders():
        with st.spinner(words), process.uninterrupted():
            _orders().discard(key)
            act(work)
        st.rerun()


def _orders() -> set[str]:
    """Return what was ordered and not yet begun: one set for the whole session."""
    orders: set[str] = st.session_state.setdefault("_ordered", set())
    return orders


def _tell(page: str) -> None:
    """Draw what was said and not surely seen above the page, in view wherever it is scrolled to."""
    said, now = _said(), time.monotonic()
    said[:] = [one for one in said if one.seen is None or (one.place == page and now - one.seen < _STANDS)]
    with st.container(key="told"):  # always: what follows keeps its place
        if not said:
            return
        with st.container(horizontal=True, vertical_alignment="top", gap="xsmall"):
            with st.container(gap="xsmall"):
                for one in said:
                    one.place = page
                    notice(*one.notice)
            st.button("关闭", icon=":material/close:", type="tertiary", key="told_close", on_click=said.clear)


def fragment(work: Callable[[], object], every: float | None) -> None:
    """Draw a part that runs anew by itself ``every`` so many seconds; what its buttons say is told by the whole page."""
    again = False

    def part() -> None:
        nonlocal again
        if again and any(one.place is None for one in _said()):
            st.rerun()
        again = True
        work()

    st.fragment(run_every=every)(part)()


def run(*steps: Callable[[], object]) -> None:
    """Do one after the other: the gate, the page. What goes wrong is shown where the page would stand."""
    process.whole_callbacks()
    said = _said()  # a script that stops itself may not ask for it afterwards
    try:
        for step in steps:
            if problem := attempt(step):
                notice("bad", problem.title, problem.words, problem.tips)
                break
    except StopException:
        _seen(said)
        raise
    _seen(said)
    process.tidy()


def _seen(said: Iterable[_Said]) -> None:
    for one in said:
        if one.seen is None and one.place is not None:
            one.seen = time.monotonic()


CLOUD = Path("/mount/src")
"""Where Streamlit Community Cloud puts a repository; its disk is emptied at every restart."""


def warn_of_loss() -> None:
    """Say on every page that nothing stays, where that is so."""
    if settings().temporary or PROJECT.is_relative_to(CLOUD):
        notice("warn", "演示环境", "重启后，上传的法规、答复与复核记录都会清空。要保留的内容请及时到“系统”页下载备份。")


def warn_of_refusal() -> None:
    """Say on every page that nothing can be written, where that is so: an upload is not to fail at its end."""
    if opened().library.read_only:
        from nemo.store.library import READ_ONLY

        notice("warn", "资料库只读", READ_ONLY)


def header(title: str, about: str = "") -> Any:
    """Draw the one-line heading that all pages have and return its row, so that a page can add actions."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="page_header")
    row.html(f'<h1 class="page-title">{safe.name(title)}<span>{safe.text(about)}</span></h1>')
    return row


def line(words: str, key: str | None = None) -> Any:
    """Draw a line of HTML and return its row, so that a page can add what may be done with it."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key)
    row.html(f'<p class="cite">{words}</p>')
    return row


_TAB = "_tab"
"""Key of the tabs last drawn, the one they began with, and the one that is open."""


def tabs(titles: Mapping[str, str], key: str) -> list[Any]:
    """Draw tabs, code → title, the open one in the address as ``tab``, but the first, whose code is empty.

    Streamlit is told to begin with the same one as long as only clicks lead from tab to tab: one that changed would undo
    the reader's next click. A link to another tab, or a new look, begins anew.
    """
    key, given = f"tabs_{key}", st.query_params.get("tab", "")
    first = given if given in titles else ""
    known, begun, at = st.session_state.get(_TAB, ("", "", ""))
    if not (known == key and at == first and begun in titles and key in st.session_state):
        begun = first
    drawn = st.tabs(list(titles.values()), default=titles[begun], key=key, on_change="rerun")
    for code, tab in zip(titles, drawn, strict=True):
        if tab.open:
            st.session_state[_TAB] = (key, begun, code)
            if code:
                st.query_params["tab"] = code
            else:
                st.query_params.pop("tab", None)
    return list(drawn)


def notice(kind: str, title: str, words: str = "", tips: tuple[str, ...] = ()) -> None:
    """Draw a message; kinds are ``info``, ``warn``, ``bad``, ``good``. Everything in it is escaped."""
    role = "alert" if kind == "bad" else "status"
    if len(tips) == 1 and not words:
        words, tips = tips[0], ()
    lines = "".join(f"<li>{safe.advice(tip)}</li>" for tip in tips)
    body = (f" <span>{safe.advice(words)}</span>" if words else "") + (f"<ul>{lines}</ul>" if lines else "")
    st.html(f'<div class="notice {kind}" role="{role}"><strong>{safe.text(title)}</strong>{body}</div>')


def faults(found: Sequence[Fault]) -> None:
    """Draw what was found wrong when a text was read, what is said twice once; nothing when nothing was."""
    counts = Counter(fault.message.split("\n", 1)[0] for fault in found)
    lines = [words if times == 1 else f"{words}（{times} 处）" for words, times in counts.items()]
    if lines:
        notice("warn", "解析时发现的问题", tips=tuple(lines[:_MOST_FAULTS]))
    if more := lines[_MOST_FAULTS:]:
        with st.expander(f"另有 {len(more)} 项"):
            st.text("\n".join(more))
    for fault in found:
        summary, _, rows = fault.message.partition("\n")
        if rows:
            with st.expander(f"查看：{summary.split('，')[0].rstrip('。')}"):
                st.text(rows)


_MOST_FAULTS = 4
"""Faults that are told unfolded."""
