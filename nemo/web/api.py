"""The HTTP interface: the engine's verbs as JSON, for programs (接口).

Answers and errors have the forms of docs/architecture.md (contracts); the description stands at ``/api/docs``. Who calls
is found out by the guard before it (``nemo.web.guard``); what a caller needs stands at each address. Nothing opens
without the guard.
"""

import os
from collections.abc import Callable, Iterator
from typing import IO, Any

from fastapi import APIRouter, FastAPI, Request, UploadFile
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse

from nemo import export
from nemo.accounts import TokenBearer
from nemo.engine import Engine
from nemo.errors import MalformedRequestError
from nemo.export.schemas import answers as schema
from nemo.export.schemas import library as held
from nemo.types import today
from nemo.web import docs_page, known, refusals, uploads, v1
from nemo.web.callers import Administrator, Analyst, Reader, Seen, as_seen
from nemo.web.guard import CALLER

router = APIRouter()


def create(engine_of: Callable[[], Engine]) -> FastAPI:
    """Return the application; ``engine_of`` is called on every request, so that starting stays quick."""
    api = FastAPI(
        title="Nemo",
        description="中国能源项目法规逐字引文问答",
        version=v1.VERSION,
        docs_url=None,
        redoc_url=None,
        responses={"default": {"model": schema.ErrorForm, "description": "错误"}},
    )
    api.state.engine_of = as_seen(engine_of)
    for kind, handler in {**refusals.HANDLERS, RequestValidationError: _malformed}.items():
        api.add_exception_handler(kind, handler)
    for part in (router, v1.router, v1.shared):
        api.include_router(part)
    return api


@router.get("/health", responses={200: {"model": held.PlainHealthForm}}, response_model=None)
def health(request: Request, engine: Seen) -> dict[str, Any]:
    """运行是否正常；携带令牌时附各部分状态。"""
    checks = engine.health()
    state: dict[str, Any] = {"ok": all(c.ok for c in checks)}
    if isinstance(request.scope.get(CALLER), TokenBearer):
        state["checks"] = [{"name": c.name, "ok": c.ok, "message": c.message} for c in checks]
    return state


@router.get("/docs", include_in_schema=False, response_class=HTMLResponse)
def docs(request: Request, caller: Reader) -> str:
    """Return this description as a page."""
    return docs_page.page(request.app.openapi(), "/api")


@router.get("/answers/{trace_id}", responses={200: {"model": schema.AnswerForm}})
def stored(trace_id: str, caller: Reader, engine: Seen) -> JSONResponse:
    """返回已存的答复，与给出时相同。"""
    return JSONResponse(export.answer_json(engine.library.answers.get(trace_id)))


@router.post("/ingest", responses={200: {"model": schema.IngestForm}}, response_model=None)
def ingest(files: list[UploadFile], caller: Analyst, engine: Seen) -> dict[str, Any]:
    """上传文件入库；逐个报告结果，一个失败不影响其他。须分析员角色的令牌。"""
    return engine.intake.ingest_raw(uploads.received(files, engine), user=caller).as_json()


@router.get("/backup", response_class=StreamingResponse)
def backup(caller: Administrator, engine: Seen) -> StreamingResponse:
    """下载整个资料库的备份文件；用 python -m nemo restore 恢复。须管理员角色的令牌。"""
    made = engine.open_backup(caller.name)
    size = made.seek(0, os.SEEK_END)
    made.seek(0)
    name = f"nemo-{today():%Y%m%d}.zip"
    headers = {"Content-Length": str(size), "Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_pieces(made), media_type="application/zip", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while piece := file.read(1 << 20):
            yield piece


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    wrong = error.errors()
    if any(e["type"] == "json_invalid" for e in wrong):
        return refusals.response(MalformedRequestError("请求体不是有效的 JSON。请改正后重试。"))
    if words := known.strange_fields(request, wrong):
        return refusals.response(MalformedRequestError(words))
    fields = "、".join(".".join(map(str, e["loc"][1:])) or "请求体" for e in wrong)
    return refusals.response(MalformedRequestError(f"请求有误：{fields}。请对照 /api/docs 改正后重试。"))
