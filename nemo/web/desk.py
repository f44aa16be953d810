"""Addresses for what is somebody's own: corpora (资料集)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from nemo.corpora import CorpusOptions
from nemo.engine import Engine
from nemo.export import schema_corpora as forms
from nemo.store.records.corpora import Corpus
from nemo.web.callers import Analyst, Reader


class Texts(BaseModel):
    """Texts that go into a corpus."""

    regulations: list[str] = Field(min_length=1, max_length=1000, description="法规编号、文件名或名称")


def add(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add every address."""
    _corpora(v1, engine_of)
    _texts(v1, engine_of)


def _corpora(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    @v1.get("/corpora", responses={200: {"model": forms.CorporaForm}}, response_model=None)
    def corpora(caller: Reader) -> dict[str, Any]:
        """列出可见的资料集及其统计。"""
        engine = engine_of()
        return {"corpora": [_view(engine, one) for one in engine.corpora.seen(engine.person)]}

    @v1.post("/corpora", responses={200: {"model": forms.CorpusForm}}, response_model=None)
    def create(options: CorpusOptions, caller: Analyst) -> dict[str, Any]:
        """新建资料集；不能兑现的选项会被拒绝并说明原因。须分析员角色的令牌。"""
        engine = engine_of()
        return _view(engine, engine.corpora.create(options, engine.person))

    @v1.get("/corpora/{key}", responses={200: {"model": forms.CorpusTextsForm}}, response_model=None)
    def corpus(key: str, caller: Reader) -> dict[str, Any]:
        """返回一个资料集、其统计与法规。"""
        engine = engine_of()
        return engine.corpora.shown(engine.corpora.named([key], engine.person)[0], engine.library, engine.person)

    @v1.patch("/corpora/{key}", responses={200: {"model": forms.CorpusForm}}, response_model=None)
    def change(key: str, options: CorpusOptions, caller: Analyst) -> dict[str, Any]:
        """修改资料集；只改写明的项目。"""
        engine = engine_of()
        return _view(engine, engine.corpora.change(key, options, engine.person))

    @v1.delete("/corpora/{key}", responses={200: {"model": forms.DeletedCorpusForm}}, response_model=None)
    def delete(
        key: str,
        caller: Analyst,
        with_texts: Annotated[bool, Query(description="连同只在本资料集中的法规一并删除")] = False,
    ) -> dict[str, Any]:
        """删除资料集；法规留在资料库中。"""
        engine = engine_of()
        return {"deleted": key, "removed": engine.corpora.delete(key, engine.person, with_texts=with_texts)}


def _texts(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    @v1.post("/corpora/{key}/texts", responses={200: {"model": forms.ChangedTextsForm}}, response_model=None)
    def add_texts(key: str, texts: Texts, caller: Analyst) -> dict[str, Any]:
        """把库内法规放入资料集。"""
        engine = engine_of()
        ids = [engine.regulation(each).id for each in texts.regulations]
        return {"changed": engine.corpora.add(key, ids, engine.person)}

    @v1.delete(
        "/corpora/{key}/texts/{regulation}", responses={200: {"model": forms.ChangedTextsForm}}, response_model=None
    )
    def withdraw(key: str, regulation: str, caller: Analyst) -> dict[str, Any]:
        """把一部法规移出资料集；只在本资料集中的不能移出。"""
        engine = engine_of()
        return {"changed": engine.corpora.withdraw(key, [engine.regulation(regulation).id], engine.person)}

    @v1.post("/release/{regulation}", responses={200: {"model": forms.ReleasedForm}}, response_model=None)
    def release(regulation: str, caller: Analyst) -> dict[str, Any]:
        """把只在资料集中可见的法规公开给所有人。"""
        engine = engine_of()
        held = engine.regulation(regulation).id
        return {"released": held, "title": engine.corpora.release(held, engine.person)}


def _view(engine: Engine, corpus: Corpus) -> dict[str, Any]:
    return engine.corpora.view(corpus, engine.library, engine.person)
