"""Tools for agents over the Model Context Protocol: ask, read, list, check a quotation (智能体接口).

Read-only, and says so. An agent gets the same answer JSON as a person; it can quote, it cannot write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import ToolAnnotations

from nemo.engine import Engine
from nemo.web import refusals, replies


def create(engine_of: Callable[[], Engine]) -> MCPServer:
    """Return the tool server.

    Args:
        engine_of: Returns the engine of this process.
    """
    server = MCPServer(
        "Nemo", instructions="中国能源项目法规逐字引文问答。引文逐字照抄并附出处；refused 为真时不得自行作答。"
    )

    reading = server.tool(annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False))

    @reading
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
        return replies.guarded(
            lambda: replies.answer(engine_of().ask(question, **filters, day=replies.day(as_of), context=context))
        )

    @reading
    def read_regulation(
        regulation: str, article: str | None = None, as_of: str | None = None, cursor: str | None = None
    ) -> dict[str, Any]:
        """读一部法规或其中一条，附某日的时效；长的分页，下一页把 next_cursor 填入 cursor。"""
        return replies.guarded(lambda: replies.regulation(engine_of(), regulation, article, replies.day(as_of), cursor))

    @reading
    def list_regulations(cursor: str | None = None) -> dict[str, Any]:
        """列出资料库中的法规；长的分页，下一页把 next_cursor 填入 cursor。"""
        return replies.guarded(lambda: replies.paged({}, "regulations", engine_of().listing(), cursor))

    @reading
    def check_quotation(regulation: str, quotation: str, as_of: str | None = None) -> dict[str, Any]:
        """核对一段文字是否逐字出自某部法规：found、not_found、not_held（库内没有）、not_checkable（无法核对）。"""
        return replies.guarded(lambda: replies.quotation(engine_of(), regulation, quotation, replies.day(as_of)))

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
