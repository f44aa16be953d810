"""Tools for agents over the Model Context Protocol: ask, read a regulation, list what is held (智能体接口).

Read-only. An agent gets the same answer JSON as a person; it can quote, it cannot write.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from nemo import export
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError
from nemo.types import new_trace_id
from nemo.web import refusals


def create(engine_of: Callable[[], Engine]) -> MCPServer:
    """Return the tool server.

    Args:
        engine_of: Returns the engine of this process.
    """
    server = MCPServer(
        "Nemo", instructions="中国能源项目法规逐字引文问答。引文逐字照抄并附出处；refused 为真时不得自行作答。"
    )

    @server.tool()
    def ask_regulation(
        question: str,
        province: str | None = None,
        asset: str | None = None,
        doc_class: str | None = None,
        as_of: str | None = None,
        context: str | None = None,
    ) -> dict[str, Any]:
        """用逐字引文回答一个法规问题，或拒答。as_of 形如 2026-11-20；追问时 context 填上一答复的 trace_id。"""
        filters = {"province": province, "asset": asset, "doc_class": doc_class}
        return _told(lambda: export.answer_json(engine_of().ask(question, **filters, day=_day(as_of), context=context)))

    @server.tool()
    def read_regulation(regulation: str, article: str | None = None, as_of: str | None = None) -> dict[str, Any]:
        """读一部法规或其中一条，附某日的时效。"""
        return _told(lambda: engine_of().show(regulation, article=article, day=_day(as_of)))

    @server.tool()
    def list_regulations() -> dict[str, Any]:
        """列出资料库中的法规。"""
        return _told(lambda: {"regulations": engine_of().listing()})

    return server


def application(server: MCPServer) -> Any:
    """Return what answers at ``/mcp``. Host and Origin are the guard's matter, which knows the hosts of the settings."""
    trusting = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    served = server.streamable_http_app(
        streamable_http_path="/", stateless_http=True, json_response=True, transport_security=trusting
    )
    for kind, handler in refusals.HANDLERS.items():
        served.add_exception_handler(kind, handler)
    return served


def _day(text: str | None) -> dt.date | None:
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadRequestError(f"日期无效：{text}。请写成 2026-11-20 这样的形式。") from error


def _told(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what ``work`` returns, or its error in the form every caller of Nemo knows."""
    try:
        return work()
    except NemoError as error:
        return export.error_json(error, new_trace_id())
