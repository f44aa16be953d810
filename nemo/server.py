"""One process that owns the library and serves everything: the app at ``/``, programs at ``/api``, agents at ``/mcp``.

Started by ``make run`` and ``python -m nemo serve``; Streamlit runs this file and finds ``app`` in it. The app answers
its first browser while the library is still being opened and the programs' doors are still being built behind it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import streamlit as st
from starlette.routing import Mount

from nemo.settings import PROJECT
from nemo.ui import frame

Served = Callable[[Any, Any, Any], Awaitable[None]]


class Door:
    """A part of the server that is built after the start; who comes earlier waits for it."""

    def __init__(self) -> None:
        self._ready = asyncio.Event()
        self._served: Served | None = None

    def open(self, served: Served) -> None:
        """Let everybody in."""
        self._served = served
        self._ready.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request."""
        await self._ready.wait()
        assert self._served is not None
        await self._served(scope, receive, send)


programs, agents = Door(), Door()


async def _behind(ended: asyncio.Event) -> None:
    """Open the library, then the doors, and keep the agents' sessions until the server ends."""
    await asyncio.to_thread(frame.attempt, frame.engine)  # what goes wrong is told to whoever asks for the library

    def built() -> tuple[Any, Any]:
        from nemo import api, mcp_server

        return api.create(frame.engine), mcp_server.create(frame.engine)

    served, tools = await asyncio.to_thread(built)
    async with AsyncExitStack() as stack:
        agents.open(tools.streamable_http_app(streamable_http_path="/", stateless_http=True, json_response=True))
        await stack.enter_async_context(tools.session_manager.run())
        programs.open(served)
        await ended.wait()


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Build what stands behind the app while it is served; at the end close the library cleanly."""
    ended = asyncio.Event()
    behind = asyncio.create_task(_behind(ended))
    yield
    ended.set()
    await behind
    frame.attempt(lambda: frame.engine().close())


app = st.App(str(PROJECT / "app.py"), lifespan=lifespan, routes=[Mount("/api", programs), Mount("/mcp", agents)])
