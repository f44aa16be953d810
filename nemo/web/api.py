"""The HTTP interface: the engine's verbs as JSON, for programs (接口).

Answers and errors have the forms of docs/architecture.md (contracts); FastAPI publishes the description at ``/api/docs``. With
``NEMO_API_TOKEN`` set, every call but ``/health`` must carry it as ``Authorization: Bearer …``.
"""

from __future__ import annotations

import datetime as dt
import hmac
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import IO, Annotated, Any

from fastapi import Depends, FastAPI, Header, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, Field

from nemo import export
from nemo.accounts import NotPermittedError
from nemo.engine import Engine
from nemo.errors import BadRequestError, NemoError
from nemo.types import RawDocument, new_trace_id, today

log = logging.getLogger(__name__)


class Question(BaseModel):
    """One question with its filters."""

    question: str = Field(description="要查的问题")
    province: str | None = Field(None, description="省份代码")
    asset: str | None = Field(None, description="资产代码")
    doc_class: str | None = Field(None, description="类别代码")
    as_of: dt.date | None = Field(None, description="按哪一天判断效力；默认今天")
    context: str | None = Field(None, description="上一答复的编号：本问是它的追问")


def create(engine_of: Callable[[], Engine]) -> FastAPI:
    """Return the application.

    Args:
        engine_of: Returns the engine of this process; called on every request, so that starting stays quick.
    """
    api = FastAPI(title="Nemo", description="中国能源项目法规逐字引文问答", docs_url="/docs", redoc_url=None)
    api.add_exception_handler(NemoError, _refused)
    api.add_exception_handler(RequestValidationError, _malformed)
    api.add_exception_handler(Exception, _unexpected)
    guard = [Depends(_guard(engine_of))]
    _questions(api, engine_of, guard)
    _library(api, engine_of, guard)
    _upkeep(api, engine_of, guard)
    return api


def _questions(api: FastAPI, engine_of: Callable[[], Engine], guard: Sequence[Any]) -> None:
    """Add what asks."""

    @api.get("/health")
    def health() -> dict[str, Any]:
        """Return the state of every part."""
        checks = engine_of().health()
        return {"ok": all(c.ok for c in checks), "checks": [asdict(c) for c in checks]}

    @api.post("/query", dependencies=guard)
    def query(body: Question) -> dict[str, Any]:
        """Answer one question with verbatim quotes, or refuse."""
        answer = engine_of().ask(
            body.question,
            province=body.province,
            asset=body.asset,
            doc_class=body.doc_class,
            day=body.as_of,
            context=body.context,
        )
        return export.answer_json(answer)

    @api.get("/answers/{trace_id}", dependencies=guard)
    def stored(trace_id: str) -> dict[str, Any]:
        """Return a stored answer as it was given."""
        return export.answer_json(engine_of().answer(trace_id))


def _library(api: FastAPI, engine_of: Callable[[], Engine], guard: Sequence[Any]) -> None:
    """Add what fills and shows the library."""

    @api.post("/ingest", dependencies=guard)
    def ingest(files: list[UploadFile]) -> dict[str, Any]:
        """Ingest uploaded files; each is reported, none stops the others."""
        raws = [RawDocument.of(f.file.read(), _name(f), media_type=f.content_type) for f in files]
        return engine_of().intake.ingest_raw(raws).as_json()

    @api.get("/regulations", dependencies=guard)
    def regulations(as_of: dt.date | None = None) -> dict[str, Any]:
        """Return one row for every held regulation."""
        return {"regulations": engine_of().listing(as_of)}

    @api.get("/regulations/{key}", dependencies=guard)
    def regulation(key: str, article: str | None = None, as_of: dt.date | None = None) -> dict[str, Any]:
        """Return a regulation, or one article of it, with its status on a day."""
        return engine_of().show(key, article=article, day=as_of)


def _upkeep(api: FastAPI, engine_of: Callable[[], Engine], guard: Sequence[Any]) -> None:
    """Add what keeps the library safe."""

    @api.get("/backup", dependencies=guard, response_class=StreamingResponse)
    def backup() -> StreamingResponse:
        """Return the whole library as one file, while it is used; ``python -m nemo restore`` puts it back."""
        engine = engine_of()
        if engine.settings.api_token is None and engine.users is not None:
            raise NotPermittedError("下载备份需要接口令牌。请管理员设置 NEMO_API_TOKEN 后重新启动。")
        made = engine.open_backup()
        size = made.seek(0, os.SEEK_END)
        made.seek(0)
        name = f"nemo-{today():%Y%m%d}.zip"
        headers = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingResponse(_pieces(made), media_type="application/zip", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(1 << 20):
            yield piece


def _name(file: UploadFile) -> str:
    """Return the bare file name: whatever path a client sends is cut off."""
    return (file.filename or "未命名").replace("\\", "/").rsplit("/", 1)[-1]


def _guard(engine_of: Callable[[], Engine]) -> Callable[[str], None]:
    def check(authorization: Annotated[str, Header()] = "") -> None:
        token = engine_of().settings.api_token
        if token is None:
            return
        given = authorization.removeprefix("Bearer ").encode()
        if not hmac.compare_digest(given, token.get_secret_value().encode()):
            raise BadRequestError("接口令牌无效。请在请求头中携带 Authorization: Bearer <NEMO_API_TOKEN>。")

    return check


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, NemoError)
    return JSONResponse(export.error_json(error, new_trace_id()), error.http_status)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fields = "、".join(".".join(map(str, e["loc"][1:])) or "请求体" for e in error.errors())
    wrong = BadRequestError(f"请求有误：{fields}。请对照 /api/docs 改正后重试。")
    return JSONResponse(export.error_json(wrong, new_trace_id()), wrong.http_status)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    """Answer what nobody foresaw: one of the four borders. The log keeps the traceback, the caller gets the number."""
    trace_id = new_trace_id()
    log.error("unexpected error, trace %s", trace_id, exc_info=error)
    wrong = NemoError(f"内部错误（编号 {trace_id}）。请把编号告知管理员。")
    return JSONResponse(export.error_json(wrong, trace_id), wrong.http_status)
