"""The tools for agents over the Model Context Protocol (智能体接口): the table of :mod:`nemo.tools`, read-only, and says so."""

import json
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations

import nemo
from nemo import tools
from nemo.engine import Engine
from nemo.tools.table import Toolbox
from nemo.web import refusals
from nemo.web.callers import as_seen

READING = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)


class ToolServer(MCPServer):
    """Answers a call with a name or arguments that do not fit as :mod:`nemo.tools` does: the library passes over what it does not know."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Any = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a function of the table."""
        if refused := tools.refusal(name, arguments):
            text = TextContent(type="text", text=json.dumps(refused, ensure_ascii=False))
            return CallToolResult(content=[text], structured_content=refused)
        return await super().call_tool(name, arguments, context)


def create(engine_of: Callable[[], Engine]) -> MCPServer:
    """Return the tool server."""
    told = "中国能源项目法规逐字引文问答。引文逐字照抄并附出处；refused 为真时不得自行作答。"
    server = ToolServer("Nemo", version=nemo.__version__, instructions=told)
    for function in Toolbox(as_seen(engine_of)).all():
        server.tool(annotations=READING)(function)
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
