"""One process that owns the library and serves everything: the app at ``/``, programs at ``/api``, agents at ``/mcp``.

Started by ``python -m nemo serve``; Streamlit runs this file and finds ``app`` in it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.routing import Mount

from nemo import api, mcp_server
from nemo.settings import PROJECT
from nemo.ui import frame

tools = mcp_server.create(frame.engine)
agents = tools.streamable_http_app(streamable_http_path="/", stateless_http=True, json_response=True)


@asynccontextmanager
async def lifespan(_: Any) -> AsyncIterator[None]:
    """Run the agents' sessions as long as the server runs, then close the library cleanly."""
    async with tools.session_manager.run():
        yield
    frame.engine().close()


app = st.App(
    str(PROJECT / "app.py"),
    lifespan=lifespan,
    routes=[Mount("/api", api.create(frame.engine)), Mount("/mcp", agents)],
)
