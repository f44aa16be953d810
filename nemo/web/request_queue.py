"""Whose turn it is at ``/api`` and ``/mcp``: requests a minute, and how many wait at once (限流与排队).

Stands behind the guard, which has found out who calls. Handshakes of agents (initialize, ping, lists of tools) cost no
turn, only calls of tools do; health is always told.
"""

from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any

from nemo.accounts import TokenBearer, User
from nemo.engine import Engine
from nemo.errors import NemoError
from nemo.types.plain import read_json
from nemo.web import headers, refusals

FREE = frozenset(
    f"/api{place}" for place in ("/health", "/v1/health", "/v1/metrics", "/docs", "/openapi.json", "/v1/openapi.json")
)


class RequestQueue:
    """Serves a request when its turn has come, or says when to come back."""

    def __init__(self, app: Any, engine_of: Callable[[], Awaitable[Engine]], path: str, caller: User) -> None:
        self._app = app
        self._engine_of = engine_of
        self._path = path
        self._caller = caller

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Hand on, or answer 429 or 503 with the seconds to wait."""
        if self._path in FREE:
            await self._app(scope, receive, send)
            return
        if headers.under(self._path, "/mcp"):
            received, receive = await whole_body(receive)
            if not calls_a_tool(received):
                await self._app(scope, receive, send)
                return
        with ExitStack() as held:
            try:
                access = (await self._engine_of()).access
                access.rates.spend(self._name(), scope["client"][0] if scope.get("client") else None)
                held.enter_context(access.admission.turn())
            except NemoError as error:
                await refusals.response(error)(scope, receive, send)
                return
            await self._app(scope, receive, send)

    def _name(self) -> str | None:
        return self._caller.name if isinstance(self._caller, TokenBearer) else None


async def whole_body(receive: Any) -> tuple[bytes, Any]:
    """Return the body of a request, and a way to receive it once more."""
    messages: list[Any] = []
    while not messages or messages[-1].get("more_body"):
        messages.append(await receive())
    waiting = iter(messages)

    async def again() -> Any:
        return next(waiting, None) or await receive()

    return b"".join(message.get("body", b"") for message in messages), again


def calls_a_tool(body: bytes) -> bool:
    """Tell whether a message of an agent calls a tool; what is no such message is taken for a call, but nothing is none."""
    try:
        parsed = read_json(body or b"[]")
    except ValueError:
        return True
    each = parsed if isinstance(parsed, list) else [parsed]
    return any(not isinstance(one, dict) or one.get("method") == "tools/call" for one in each)
