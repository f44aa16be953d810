"""The one guard before everything that is served: who is asked, from where, by whom, and how much (门卫).

Host and Origin are checked on every request, so that no foreign web page can act through a visitor's browser, also not
by a name that it points at this machine (DNS rebinding). Programs at ``/api`` and agents at ``/mcp`` show a token:
always for writing, and for reading too where people sign in. What an address itself asks for is checked there, against
the :data:`CALLER` that this guard has put beside the request; without the guard there is none, and nothing opens.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from nemo.accounts import NOBODY, User, tokens
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError, NotPermittedError, NotSignedInError, TooLargeError
from nemo.settings import MEBI, Settings
from nemo.web import headers, refusals
from nemo.web.request_queue import RequestQueue

CALLER = "nemo.caller"
"""Where a request carries who sent it."""

CALLING: ContextVar[User | None] = ContextVar("nemo_calling", default=None)
"""Who sent the request that is at work, for whatever it reaches; None is who showed no token."""

HEALTH = frozenset({"/api/health", "/api/v1/health"})
METRICS = "/_stcore/metrics"
FILES = frozenset({"/api/ingest", "/api/v1/ingest", "/api/v1/verify", "/api/audit", "/api/v1/audit"})
"""Where files are sent."""

SMALL = MEBI
"""Bytes of a request that carries no files."""

HERE = frozenset({"localhost", "127.0.0.1", "::1"})

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Served = Callable[[Any, Any, Any], Awaitable[None]]


AGENTS = "/mcp"


class Guard:
    """ASGI middleware, the outermost."""

    def __init__(
        self,
        app: Served,
        settings_of: Callable[[], Settings],
        engine_of: Callable[[], Engine],
        root: str = "",
        straight: Mapping[str, Served] = MappingProxyType({}),
    ) -> None:
        """Stand before ``app``, below the address ``root`` (such as ``/law``).

        Wrong settings close everything; the answer says which. The engine is asked only when somebody shows a
        token, in a thread. What is ``straight`` answers some addresses of programs itself, without what ``app`` puts
        between.
        """
        self._app = app
        self._settings_of = settings_of
        self._engine_of = engine_of
        self._root = root.rstrip("/")
        self._straight = straight
        self._arrived = PendingRequests()
        self._opened = False

    async def _engine(self) -> Engine:
        """Return the engine; only who opens it waits in a thread."""
        if not self._opened:
            await asyncio.to_thread(self._engine_of)
            self._opened = True
        return self._engine_of()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request pass, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        path = scope["path"].removeprefix(self._root) or "/"
        if path == AGENTS:  # as people write it into their agents; what is mounted there lies below it
            scope = {**scope, "path": f"{scope['path']}/", "raw_path": scope["path"].encode() + b"/"}
        given = Headers(scope=scope)
        dressed = _dressed(send, headers.of(path, given.get("host", "")))
        if scope.get("method") == "HEAD" and headers.under(path, "/api"):
            # answered as GET is; the server sends no body
            scope = {**scope, "method": "GET"}
        try:
            settings = self._settings_of()
            if ".." in path.split("/") or "\\" in path or "\0" in path:
                raise BadRequestError("地址中不能有上级目录或反斜杠。请改正地址。")
            check_place(scope, given, named(settings.hosts))
            if headers.under(path, "/api", "/mcp", METRICS):
                scope[CALLER] = caller = await self._caller(path, scope, given, settings)
                CALLING.set(None if caller is NOBODY else caller)
        except NemoError as error:
            await _refuse(error, scope, receive, dressed)
            return
        if scope["type"] == "http" and headers.under(path, "/api", "/mcp"):
            files = path in FILES
            most, arrived = (settings.max_archive_mb * MEBI, self._arrived) if files else (SMALL, PendingRequests())
            turns = RequestQueue(self._straight.get(path, self._app), self._engine, path, scope[CALLER])
            await CountedBody(turns, most, arrived, settings.max_in_flight_mb * MEBI)(scope, receive, dressed)
        else:
            await self._app(scope, receive, dressed)

    async def _caller(self, path: str, scope: Scope, given: Headers, settings: Settings) -> User:
        """Return who sent the request.

        Raises:
            NotSignedInError: a wrong token, or none where one is needed.
            NotPermittedError: the figures of the process are for administrators.
            TooManyTriesError: too many wrong tokens came from this address.
        """
        shown, figures = given.get("authorization"), headers.under(path, METRICS)
        if shown is None:
            if figures or (path not in HEALTH and is_closed(settings)):
                raise NotSignedInError(
                    "需要接口令牌。请在请求头中携带 Authorization: Bearer <令牌>；令牌见“系统”页或 python -m nemo token show。"
                )
            return NOBODY
        address = scope["client"][0] if scope.get("client") else None
        scheme, _, token = shown.partition(" ")
        token = token.strip() if scheme.lower() == "bearer" else ""
        own = settings.api_token
        caller = tokens.configured(token, own.get_secret_value() if own else None)
        if caller is None:
            try:
                access = (await self._engine()).access
            except NemoError:
                if path in HEALTH:  # which tells what is wrong
                    return NOBODY
                raise
            caller = await asyncio.to_thread(access.bearer, token, address)
        if figures and not caller.may("system"):
            raise NotPermittedError("运行指标需要管理员角色的令牌。")
        return caller


def is_closed(settings: Settings) -> bool:
    """Tell whether reading needs a token: people sign in here, or whoever runs it has set one."""
    return settings.sso or settings.users_file is not None or settings.api_token is not None


# --- from where


def named(hosts: str) -> frozenset[str]:
    """Return the host names of the setting, in small letters, without ports."""
    return frozenset(_name(host) for host in hosts.replace("，", ",").split(",") if host.strip())


def check_place(scope: Scope, given: Headers, hosts: frozenset[str]) -> None:
    """Let pass what was asked of a host that is ours, by no page of another one.

    ``hosts`` are names that whoever runs this has allowed, of any port and scheme: a proxy may stand before us.

    Raises:
        NotPermittedError: the host is not ours, or the request comes from a page of another origin.
    """
    asked = given.getlist("host")
    if len(asked) != 1 or not _ours(_name(asked[0]), scope, hosts):
        raise NotPermittedError(
            f"不接受以“{_short(asked)}”为地址的访问。请使用本机地址；经域名或代理访问的，请管理员把域名写入 NEMO_HOSTS 后重新启动。"
        )
    origins = given.getlist("origin")
    if any(not _same(origin, asked[0], hosts) for origin in origins):
        raise NotPermittedError(f"不接受来自其他网站（{_short(origins)}）的请求。请在 Nemo 自己的页面中操作。")
    # Browsers say where a request comes from even when it has no Origin, as pictures and frames have none.
    if (
        scope["type"] == "http"
        and given.get("sec-fetch-site") in ("cross-site", "same-site")
        and not _visit(scope, given)
    ):
        raise NotPermittedError("不接受其他网站的页面发出的请求。请直接打开 Nemo 的地址。")


def _ours(name: str, scope: Scope, hosts: frozenset[str]) -> bool:
    """Tell whether a host is this machine: by name, by the address that the connection came in on, or as allowed."""
    if name in HERE or name in hosts or name == socket.gethostname().lower():
        return True
    server = (scope.get("server") or ("",))[0]
    return (address := _address(name)) is not None and address == _address(server)


def _same(origin: str, host: str, hosts: frozenset[str]) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return False
    return parts.netloc.lower() == host.lower() or parts.hostname.rstrip(".") in hosts


def _visit(scope: Scope, given: Headers) -> bool:
    """Tell whether a person follows a link: the browser shows the answer on its own, and the other page sees nothing."""
    navigates = given.get("sec-fetch-mode") == "navigate" and given.get("sec-fetch-dest") == "document"
    return scope["method"] in ("GET", "HEAD") and navigates


def _name(host: str) -> str:
    """Return a host without its port and brackets, in small letters; empty for what is no host."""
    try:
        parts = urlsplit(f"//{host.strip()}")
        return "" if parts.username is not None or parts.path else (parts.hostname or "").rstrip(".")
    except ValueError:
        return ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _short(values: list[str]) -> str:
    return "、".join(values)[:100] or "空"


# --- how much


@dataclass(slots=True)
class PendingRequests:
    """What requests hold that are not answered yet; on one event loop, so that no lock is needed."""

    size: int = 0
    """Bytes that were announced or have come, whichever is more."""


class CountedBody:
    """Hands a request on and counts its body; what is too large is refused as soon as that is known."""

    def __init__(self, app: Served, most: int, arrived: PendingRequests, in_flight: int) -> None:
        """Args: what is behind; bytes that it may be sent; what others hold; bytes that all of them may hold."""
        self._app = app
        self._most = most
        self._arrived = arrived
        self._in_flight = in_flight

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on, or answer 413."""
        stated = Headers(scope=scope).get("content-length", "0")
        if not stated.isdigit() or int(stated) > self._most:
            await self._too_large()(scope, receive, send)
        elif self._arrived.size + int(stated) > self._in_flight:
            await self._too_many()(scope, receive, send)
        else:
            await self._counted(int(stated), scope, receive, send)

    async def _counted(self, stated: int, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand on a request that announces ``stated`` bytes, and refuse it when it sends more than it may."""
        got, held, over, begun = 0, stated, False, False
        self._arrived.size += held

        async def counted() -> Message:
            nonlocal got, held, over
            message = await receive()
            got += len(message.get("body", b""))
            self._arrived.size += max(got - held, 0)
            held = max(got, held)
            if got <= self._most and self._arrived.size <= self._in_flight:
                return message
            if not over and not begun:
                await (self._too_large() if got > self._most else self._too_many())(scope, receive, send)
            over = True
            return {"type": "http.disconnect"}

        async def unless_over(message: Message) -> None:
            nonlocal begun
            begun = True
            if not over:
                await send(message)

        try:
            await self._app(scope, counted, unless_over)
        except ClientDisconnect:
            if not over:  # what was cut off here was answered already
                raise
        finally:
            self._arrived.size -= held

    def _too_large(self) -> Response:
        return refusals.response(TooLargeError(f"请求内容超过 {self._most / MEBI:.0f} MiB 上限。请分次发送。"))

    def _too_many(self) -> Response:
        most = f"{self._in_flight / MEBI:.0f} MiB"
        return refusals.response(
            TooLargeError(
                f"正在接收的上传合计将超过 {most} 上限，本次未入库。请等其他上传结束后重试，或由管理员调高 NEMO_MAX_IN_FLIGHT_MB。"
            )
        )


# --- answering


def _dressed(send: Send, always: dict[str, str]) -> Send:
    """Return a way to answer that adds the headers which the answer has not set itself."""

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            found = MutableHeaders(scope=message)
            for name, value in always.items():
                found.setdefault(name, value)
        await send(message)

    return add


async def _refuse(error: NemoError, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": "foreign"})
        return
    await refusals.response(error)(scope, receive, send)
