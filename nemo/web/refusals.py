"""Every refusal over HTTP in the one form of our errors (docs/architecture.md), with the headers that go with it."""

import logging
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from nemo import export
from nemo.errors import (
    BadRequestError,
    MalformedRequestError,
    MethodNotAllowedError,
    NemoError,
    NotFoundError,
    NotSignedInError,
    TooLargeError,
    TooManyTriesError,
)
from nemo.types import new_trace_id
from nemo.web import headers

_log = logging.getLogger(__name__)


def response(error: NemoError, trace_id: str = "", more: dict[str, str] | None = None) -> JSONResponse:
    """Return an error as an answer, with the number under which the log has it or a new one."""
    found = {**headers.of("/api", ""), **(more or {})}
    if isinstance(error, NotSignedInError):
        found["WWW-Authenticate"] = 'Bearer realm="Nemo"'
    if isinstance(error, TooManyTriesError):
        found["Retry-After"] = str(error.seconds)
    if error.http_status == HTTPStatus.SERVICE_UNAVAILABLE:
        found["Retry-After"] = "1"
    return JSONResponse(export.error_json(error, trace_id or new_trace_id()), error.http_status, headers=found)


async def refused(request: Request, error: Exception) -> JSONResponse:
    """Answer an error of ours."""
    assert isinstance(error, NemoError)
    return response(error)


async def unrouted(request: Request, error: Exception) -> JSONResponse:
    """Answer what the router or the framework refuses: no such address, no such method, an unreadable body."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"]  # not the URL, which a Host header may write
    known: dict[int, NemoError] = {
        HTTPStatus.BAD_REQUEST: MalformedRequestError("请求体无法读取。请对照 /api/docs 改正后重试。"),
        HTTPStatus.NOT_FOUND: NotFoundError(f"没有 {path} 这个地址。接口说明见 /api/docs。"),
        HTTPStatus.METHOD_NOT_ALLOWED: MethodNotAllowedError(f"{path} 不支持 {request.method}。接口说明见 /api/docs。"),
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLargeError("请求内容过大。请分次发送。"),
    }
    wrong = known.get(error.status_code, BadRequestError("请求有误。请对照 /api/docs 改正后重试。"))
    answer = response(wrong, more=dict(error.headers or {}))
    if error.status_code not in known:
        answer.status_code = error.status_code
    return answer


async def unexpected(request: Request, error: Exception) -> JSONResponse:
    """Answer what nobody foresaw: one of the four borders. The log keeps the traceback, the caller gets the number."""
    trace_id = new_trace_id()
    _log.error("unexpected error, trace %s", trace_id, exc_info=error, extra={"trace_id": trace_id})
    return response(NemoError(f"内部错误（编号 {trace_id}）。请把编号告知管理员。"), trace_id)


HANDLERS: dict[Any, Any] = {NemoError: refused, HTTPException: unrouted, Exception: unexpected}
"""For every application behind the one address."""
