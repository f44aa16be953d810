"""One process that owns the library and serves everything: the app at ``/``, programs at ``/api``, agents at ``/mcp``.

Started by ``make run`` and ``python -m nemo serve``; Streamlit runs this file and finds ``app`` in it. The app answers
its first browser while the library is still being opened behind it.
"""

import asyncio
import functools
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from nemo.accounts import kept
from nemo.services import logs, tracing
from nemo.settings import PROJECT, load
from nemo.ui.shared import frame, process
from nemo.web import refusals
from nemo.web.first_page import FirstPage
from nemo.web.guard import Guard, Served

_log = logging.getLogger(__name__)

engine_of = functools.cache(frame.opened)
"""The engine, without Streamlit's look into its cache at every request; an error is not kept."""


Built = tuple[dict[str, Served], AbstractAsyncContextManager[None]]
"""Ways to what was built, by name, and what must stay open as long as they are used."""


class LazyInterface:
    """Something behind the app, built at its first request: most people only ever look at the app."""

    def __init__(self, build: Callable[[], Built]) -> None:
        self._build = build
        self._wanted, self._ready = asyncio.Event(), asyncio.Event()
        self._served: dict[str, Served] = {}

    def at(self, name: str) -> Served:
        """Return the way to one part."""

        async def serve(scope: Any, receive: Any, send: Any) -> None:
            self._wanted.set()
            await self._ready.wait()
            await self._served[name](scope, receive, send)

        return serve

    async def keep(self) -> None:
        """Build it when it is wanted, and keep it open until this task is cancelled."""
        await self._wanted.wait()
        self._served, running = await asyncio.to_thread(self._build)
        async with running:
            self._ready.set()
            await asyncio.Event().wait()


def _for_programs() -> Built:
    from nemo.web import api, asking  # a second

    programs = api.create(engine_of)
    return {"api": programs, "query": asking.QuestionEndpoint(programs, engine_of)}, nullcontext()


def _for_agents() -> Built:
    from nemo.web import mcp_server  # another one, and 40 MiB

    tools = mcp_server.create(engine_of)
    return {"mcp": mcp_server.application(tools)}, tools.session_manager.run()


SELDOM = (5_000, 20, 10)
"""A question leaves one or two objects of a circle behind: looking through all that is held, each 70,000 made, finds nothing."""


def _prepare() -> None:
    """Open the library; at its first start it gets a token, by which commands on this machine reach it too."""
    gc.set_threshold(*SELDOM)
    logs.configure(frame.settings())
    tracing.configure(frame.settings())
    engine = frame.opened()
    engine.access.tokens.first()
    from nemo.web import metrics, readers  # what is counted is counted from the first question on

    metrics.watch(engine)
    if (url := _own_address()) is not None:
        engine.library.announce(url)
    readers.beside(engine)


def _prepared() -> None:
    """Prepare, and say in the log what is in the way: the page says it only to who looks."""
    if (wrong := frame.attempt(_prepare)) is not None:
        _log.error("%s：%s", wrong.title, "".join((wrong.words, *wrong.tips)))


def _own_address() -> str | None:
    """Return where this machine reaches the process; None where it speaks TLS, whose certificate names another host."""
    if st.get_option("server.sslCertFile"):
        return None
    host = str(st.get_option("server.address") or "127.0.0.1")
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "localhost": "127.0.0.1"}.get(host, host)  # noqa: S104  (compared)
    return f"http://{f'[{host}]' if ':' in host and host[0] != '[' else host}:{st.get_option('server.port')}{ROOT}"


STOP_SECONDS = 8.0
"""Requests that are at work may take so long once the process is told to end; then their connections are cut."""


def _stop_on_signal() -> None:
    """Let what ingests end first when the process is told to: the server waits for every request, an ingest for its files.

    The server is asked to end by its own switches, not by handing the signal on: it would raise it again once all is
    closed, and a clean stop would look like a death.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    server: Any = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)

    def stop(number: int, at: Any) -> None:
        if number == signal.SIGINT:
            server.force_exit = server.should_exit  # asked a second time
            os.write(2, "正在停止：正在回答的问题至多再等 8 秒；再按一次 Ctrl+C 立即结束。\n".encode())
        server.should_exit = True
        threading.Thread(target=frame.attempt, args=(lambda: frame.opened().stop_ingesting(),), daemon=True).start()

    if hasattr(server, "should_exit"):
        server.config.timeout_graceful_shutdown = STOP_SECONDS
        for asked in (signal.SIGTERM, signal.SIGINT):
            signal.signal(asked, stop)


async def keep_signed_in(request: Request) -> Response:
    """Exchange the code of a page for the cookie by which its browser is known again; nothing without one that waits."""
    engine = await asyncio.to_thread(engine_of)
    key = engine.access.kept.exchange(request.headers.get("x-nemo-code", ""))
    told = Response(status_code=204 if key else 403)
    if key:
        secure = request.headers.get("x-forwarded-proto", request.url.scheme) == "https"
        told.set_cookie(
            kept.COOKIE, key, int(kept.LASTS), path=ROOT or "/", secure=secure, httponly=True, samesite="strict"
        )
    return told


_base = str(st.get_option("server.baseUrlPath") or "").strip("/")
ROOT = f"/{_base}" if _base else ""
"""Address under which everything stands."""

programs, agents = LazyInterface(_for_programs), LazyInterface(_for_agents)


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Open the library while the app already answers its first browser; at the end close it cleanly."""
    _stop_on_signal()
    building = [asyncio.create_task(each.keep()) for each in (programs, agents)]
    opened = asyncio.create_task(asyncio.to_thread(_prepared))
    yield
    for each in building:
        each.cancel()
        with suppress(asyncio.CancelledError):
            await each
    await opened
    frame.attempt(lambda: frame.opened().close())
    tracing.close()


# Streamlit puts the folder of the file it runs first on the path, and every worker process inherits the path: a module
# here would hide a package of the same name from all of them.
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != Path(__file__).resolve().parent]
process.without_component_packages()
# The library is opened before anybody looks at a page: that no page is drawn is nothing to warn of.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
    lambda record: "missing ScriptRunContext" not in record.getMessage()
)
app = st.App(
    str(PROJECT / "app.py"),
    lifespan=lifespan,
    routes=[
        Mount("/api", programs.at("api")),
        Mount("/mcp", agents.at("mcp")),
        Route("/signed-in", keep_signed_in, methods=["POST"]),
    ],
    middleware=[
        Middleware(
            Guard,
            settings_of=functools.cache(load),
            engine_of=engine_of,
            root=ROOT,
            straight={"/api/v1/query": programs.at("query")},
        ),
        Middleware(FirstPage, name=frame.PRODUCT, paths=frame.addresses()),
    ],
    exception_handlers=refusals.HANDLERS,
)
