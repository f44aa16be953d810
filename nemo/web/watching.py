"""Collecting and changes, for programs: sources, collected files, change sheets (采集接口)."""

import datetime as dt
from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from nemo.export.schemas import watch as schema_watch
from nemo.watch import plain
from nemo.watch.following import FollowService
from nemo.web.callers import Analyst, Reader, Seen
from nemo.web.docs_page import responses
from nemo.web.known import Body


class WatchBody(Body):
    """A source to be watched."""

    subject: str = Field(description="官方来源代码，或服务器上的文件夹（管理员）")
    schedule: str = Field("daily", description="daily、weekly 或五段 cron")


class PauseBody(Body):
    """Whether a source is stopped."""

    paused: bool = Field(True, description="false 为恢复")


class DecisionBody(Body):
    """What a person decided on a collected file."""

    reason: str = Field("", description="说明")
    digest: str | None = Field(None, description="所看影响单的 digest；已变化则不入库")


router = APIRouter()
"""Part of the first version of the interface."""


@router.get("/watch", responses=responses(schema_watch.WatchesForm), response_model=None)
def watches(caller: Analyst, engine: Seen) -> dict[str, Any]:
    """列出采集来源与近况。"""
    return {"watches": engine.watch.overview()}


@router.post("/watch", responses=responses(schema_watch.WatchesForm), response_model=None)
def add(body: WatchBody, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """新增采集来源，或改其计划；须先设置 NEMO_DISCOVERY=1。"""
    engine.watch.add(body.subject, body.schedule, caller)
    return {"watches": engine.watch.overview()}


@router.post("/watch/{watch}/run", responses=responses(schema_watch.QueuedForm), response_model=None)
def run(watch: int, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """立即采集一个来源，在后台进行。"""
    queued = engine.watch.run(watch, caller)
    return {"queued": int(queued), "watches": engine.watch.overview()}


@router.post("/watch/{watch}/pause", responses=responses(schema_watch.WatchesForm), response_model=None)
def pause(watch: int, body: PauseBody, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """暂停或恢复一个来源；正在进行的立即停下。"""
    engine.watch.pause(watch, body.paused, caller)
    return {"watches": engine.watch.overview()}


@router.get("/papers", responses=responses(schema_watch.PapersForm), response_model=None)
def papers(caller: Analyst, engine: Seen, state: str = "waiting") -> dict[str, Any]:
    """列出采集所得；默认只列待确认的。"""
    return {"papers": [plain.paper(one) for one in engine.watch.store.papers(state)]}


@router.get("/papers/{paper}", responses=responses(schema_watch.SheetForm), response_model=None)
def sheet(paper: int, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """返回一份采集所得及其变更影响单。"""
    return plain.paper(engine.watch.sheet(paper), whole=True)


@router.post("/papers/{paper}/accept", responses=responses(schema_watch.SheetForm), response_model=None)
def accept(paper: int, body: DecisionBody, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """确认入库并署名；改变已有法规的须复核员。"""
    engine.watch.accept(paper, body.reason, caller, body.digest)
    return plain.paper(engine.watch.store.paper(paper), whole=True)


@router.post("/papers/{paper}/dismiss", responses=responses(schema_watch.SheetForm), response_model=None)
def dismiss(paper: int, body: DecisionBody, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """不入库，并说明理由。"""
    engine.watch.dismiss(paper, body.reason, caller)
    return plain.paper(engine.watch.store.paper(paper), whole=True)


@router.get("/gaps", responses=responses(schema_watch.ShortfallsForm), response_model=None)
def gaps(caller: Reader, engine: Seen, limit: Annotated[int, Query(ge=0, le=10_000)] = 100) -> dict[str, Any]:
    """列出缺口：引用而未入库、附件、授权另定、上位法已修改、施行日期推定、有效期届满、因无文本而拒答；0 为全部。"""
    return plain.gaps(engine.watch.gaps(), limit)


@router.get("/changes", responses=responses(schema_watch.ChangesForm), response_model=None)
def changes(caller: Reader, engine: Seen, since: dt.datetime | None = None) -> dict[str, Any]:
    """列出法规动态：新入库、时效改变、待确认的变更、采集告警、需要复查的答复；默认近 35 天。"""
    moment = since.replace(tzinfo=since.tzinfo or dt.UTC) if since else None
    return {"changes": [asdict(event) for event in FollowService(engine).events(moment)]}


@router.get("/changes.atom", response_class=Response)
def feed(caller: Reader, engine: Seen, request: Request) -> Response:
    """以 Atom 订阅法规动态；启用登录时，阅读器须带令牌请求头。"""
    base = str(request.base_url).removesuffix("/").removesuffix("/api")
    return Response(FollowService(engine).atom(base), media_type="application/atom+xml")


@router.get("/standards", responses=responses(schema_watch.StandardsForm), response_model=None)
def standards(caller: Reader, engine: Seen) -> dict[str, Any]:
    """列出已知的标准及其状态。"""
    return {"standards": [asdict(one) for one in engine.law.standards().values()]}
