"""Addresses for what people keep and decide: corpora (资料集), memory (记忆), proposals for the graph (候选关系)."""

import dataclasses
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field

from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.export.schemas import corpora as forms
from nemo.export.schemas import graph as graph_forms
from nemo.review.memory import APP, LONGEST
from nemo.store.records.corpora import Corpus
from nemo.store.records.proposals import ProposalState
from nemo.types import today
from nemo.web.callers import Administrator, Analyst, Reader, Reviewer, Seen, Writer, name_of
from nemo.web.docs_page import responses
from nemo.web.known import Body


class CorpusTextsBody(Body):
    """Texts that go into a corpus."""

    regulations: list[str] = Field(min_length=1, max_length=1000, description="法规编号、文件名或名称")


router = APIRouter()
"""Part of the first version of the interface."""


@router.get("/corpora", responses=responses(forms.CorporaForm), response_model=None)
def corpora(caller: Reader, engine: Seen) -> dict[str, Any]:
    """列出可见的资料集及其统计。"""
    return {"corpora": [_view(engine, one) for one in engine.corpora.seen(engine.person)]}


@router.post("/corpora", responses=responses(forms.CorpusForm), response_model=None)
def create(options: CorpusOptions, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """新建资料集；不能兑现的选项会被拒绝并说明原因。须分析员角色的令牌。"""
    return _view(engine, engine.corpora.create(options, engine.person))


@router.get("/corpora/{key}", responses=responses(forms.CorpusTextsForm), response_model=None)
def corpus(key: str, caller: Reader, engine: Seen) -> dict[str, Any]:
    """返回一个资料集、其统计与法规。"""
    return engine.corpora.shown(engine.corpora.named([key], engine.person)[0], engine.library, engine.person)


@router.patch("/corpora/{key}", responses=responses(forms.CorpusForm), response_model=None)
def change(key: str, options: CorpusOptions, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """修改资料集；只改写明的项目。"""
    return _view(engine, engine.corpora.change(key, options, engine.person))


@router.delete("/corpora/{key}", responses=responses(forms.DeletedCorpusForm), response_model=None)
def delete(
    key: str,
    caller: Analyst,
    engine: Seen,
    with_texts: Annotated[bool, Query(description="连同只在本资料集中的法规一并删除")] = False,
) -> dict[str, Any]:
    """删除资料集；法规留在资料库中。"""
    return {"deleted": key, "removed": engine.corpora.delete(key, engine.person, with_texts=with_texts)}


@router.post("/corpora/{key}/texts", responses=responses(forms.ChangedTextsForm), response_model=None)
def add_texts(key: str, texts: CorpusTextsBody, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """把库内法规放入资料集。"""
    ids = [engine.regulation(each).id for each in texts.regulations]
    return {"changed": engine.corpora.add(key, ids, engine.person)}


@router.delete("/corpora/{key}/texts/{regulation}", responses=responses(forms.ChangedTextsForm), response_model=None)
def withdraw(key: str, regulation: str, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """把一部法规移出资料集；只在本资料集中的不能移出。"""
    return {"changed": engine.corpora.withdraw(key, [engine.regulation(regulation).id], engine.person)}


@router.post("/release/{regulation}", responses=responses(forms.ReleasedForm), response_model=None)
def release(regulation: str, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """把只在资料集中可见的法规公开给所有人。"""
    held = engine.regulation(regulation).id
    return {"released": held, "title": engine.corpora.release(held, engine.person)}


class NewSession(Body):
    """Something to remember."""

    app: str = Field("nemo", min_length=1, max_length=80, description="应用的名称")
    title: str = Field(min_length=1, max_length=200, description="标题")
    text: str = Field(min_length=1, max_length=LONGEST, description="内容")


@router.get("/memory", responses=responses(forms.MemoriesForm), response_model=None)
def memory(
    caller: Reader,
    engine: Seen,
    query: Annotated[str, Query(max_length=2000, description="要找的内容；不写则由新到旧列出")] = "",
    app: str = APP,
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
) -> dict[str, Any]:
    """在调用者自己问过、批注、复核和添加的内容中查找，附日期与法规此后的变化。只见自己的。"""
    found = engine.memory.search(app, name_of(caller), query, today(), limit)
    return {"memories": [one.plain() for one in found]}


@router.post("/memory", responses=responses(forms.MemoryForm), response_model=None)
def remember(session: NewSession, caller: Writer, engine: Seen) -> dict[str, Any]:
    """添加一段自己的记忆，如一次对话。"""
    return engine.memory.add_session(session.app, name_of(caller), session.title, session.text).plain()


@router.delete("/memory/{kind}/{key}", responses=responses(forms.ForgottenForm), response_model=None)
def forget(kind: str, key: str, caller: Writer, engine: Seen) -> dict[str, Any]:
    """删除自己的一条记忆；返回记录链链首，可证明已删除。"""
    return engine.memory.forget(kind, key, name_of(caller))


class ProposalRequest(Body):
    """Texts to ask a model about, and how."""

    regulations: list[str] = Field(min_length=1, max_length=1000, description="法规编号、文件名或名称；全文会发给模型")
    model: str | None = Field(None, description="模型名；不写则用自己上次所用的")
    thinking: int | None = Field(None, description="思考额度")
    most_tokens: int | None = Field(None, description="用量上限，token")
    price_sent: float | None = Field(None, description="发出的单价，每百万 token")
    price_received: float | None = Field(None, description="收到的单价")


class EdgeDecision(Body):
    """What a reviewer decides of a proposal."""

    approved: bool
    reason: str = Field("", max_length=2000, description="理由；驳回时必须写明")


@router.get("/graph/proposals", responses=responses(graph_forms.ProposalsForm), response_model=None)
def proposals(
    caller: Reader, engine: Seen, state: ProposalState | None = None, limit: Annotated[int, Query(ge=1, le=1000)] = 200
) -> dict[str, Any]:
    """列出模型提出的候选关系；核准之前不进入图谱与答复。"""
    return engine.answers.proposals.listing(state, limit)


@router.post("/graph/proposals/{number}", responses=responses(graph_forms.ProposalForm), response_model=None)
def decide_edge(number: int, decision: EdgeDecision, caller: Reviewer, engine: Seen) -> dict[str, Any]:
    """核准或驳回一条候选关系。须复核员角色的令牌。"""
    service = engine.answers.proposals
    return service.plain(service.decide(number, decision.approved, decision.reason, caller))


@router.get("/graph/runs", responses=responses(graph_forms.ProposalRunsForm), response_model=None)
def runs(caller: Reader, engine: Seen) -> dict[str, Any]:
    """列出征询任务：进度、用量、未采用的条数与原因。"""
    return {"runs": engine.answers.proposals.runs()}


@router.post("/graph/runs", responses=responses(graph_forms.ProposalRunForm), response_model=None)
def propose(asked: ProposalRequest, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """把法规全文发给模型，征询规则没有读到的关系，在后台进行。须分析员角色的令牌。"""
    service, ids = engine.answers.proposals, [engine.regulation(each).id for each in asked.regulations]
    given = asked.model_dump(exclude={"regulations"}, exclude_none=True)
    number = service.start(ids, dataclasses.replace(service.options(name_of(caller)), **given), caller)
    return service.plain_run(service.a_run(number))


@router.delete("/graph/runs/{number}", responses=responses(graph_forms.ProposalRunForm), response_model=None)
def stop(number: int, caller: Analyst, engine: Seen) -> dict[str, Any]:
    """在正进行的一次调用之后停止任务。"""
    service = engine.answers.proposals
    service.stop(number, caller)
    return service.plain_run(service.a_run(number))


@router.get("/quality", responses=responses(forms.QualityForm), response_model=None)
def quality(
    caller: Administrator, engine: Seen, days: Annotated[int, Query(ge=1, le=400, description="最近多少天")] = 30
) -> dict[str, Any]:
    """每日答复指标：次数与合计。须管理员角色的令牌。"""
    return {"days": [dataclasses.asdict(one) for one in engine.library.quality(days)]}


def _view(engine: Engine, corpus: Corpus) -> dict[str, Any]:
    return engine.corpora.view(corpus, engine.library, engine.person)
