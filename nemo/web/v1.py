"""Version 1 of the HTTP interface, at ``/api/v1``: everything that can be asked of a library, as JSON (接口第一版).

The forms of answers and errors are those of :mod:`nemo.export.schemas.answers`; older addresses directly below ``/api`` stay.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, Field

import nemo
from nemo import export
from nemo.accounts import TokenBearer, User
from nemo.answer.question.narrowing import SearchPlace
from nemo.audit.again import earlier
from nemo.engine import Engine
from nemo.errors import BadRequestError, MalformedRequestError, NemoError, NotFoundError
from nemo.export.schemas import answers as schema
from nemo.export.schemas import graph as graph_forms
from nemo.export.schemas import library as held
from nemo.graph import GraphScope, duties, formats
from nemo.ingest import read_file
from nemo.lawview import holdings, plain
from nemo.types import Filters, RawDocument, new_trace_id, today
from nemo.types.plain import picked
from nemo.web import metrics, personal, uploads
from nemo.web.callers import Administrator, Analyst, Reader, name_of
from nemo.web.docs_page import responses
from nemo.web.guard import CALLER

VERSION = nemo.__version__

MOST_QUESTIONS = 100
"""Questions of one batch."""

As_of = Annotated[dt.date | None, Query(description="按哪一天判断；默认今天")]
Mode = Literal["naive", "local", "global", "hybrid", "mix"]
Named = Annotated[str, Query(description="法规编号、文件名或名称；可写成 名称@2017-11-04 指明版本")]


def _text(value: str) -> str:
    value.encode()  # half a surrogate is no text: a UnicodeEncodeError is a ValueError
    return value


class Question(BaseModel):
    """One question with its filters."""

    question: Annotated[str, AfterValidator(_text)] = Field(description="要查的问题")
    province: str | None = Field(None, description="省份代码")
    asset: str | None = Field(None, description="能源类型代码")
    doc_class: str | None = Field(None, description="类别代码")
    as_of: dt.date | None = Field(None, description="按哪一天判断效力；默认今天")
    context: str | None = Field(None, description="上一答复的编号：本问是它的追问")
    mode: Mode = Field(
        "naive", description="检索方式：naive 只作答；local 加关联条款；global 加全库统计；hybrid、mix 两者都加"
    )
    corpora: list[str] = Field([], max_length=50, description="只在这些资料集中查找：名称或编号")
    top_k: int | None = Field(None, ge=1, le=20, description="引文与条文的条数上限")
    threshold: float | None = Field(None, ge=0, le=2, description="向量距离（1 减余弦）上限")
    summary: bool = Field(False, description="在引文下附机器小结，逐句与引文核对；须先设置 NEMO_SUMMARY")

    def filters(self) -> Filters:
        """Return what the question is narrowed to."""
        return Filters(
            self.province, self.asset, self.doc_class, self.as_of, tuple(self.corpora), self.top_k, self.threshold
        )


class BatchQuestion(Question):
    """One question of many."""

    id: str | int | None = Field(None, description="原样带回")
    previous: str | None = Field(None, description="上一问：本问是它的追问")


class Batch(BaseModel):
    """Several questions at once."""

    questions: list[BatchQuestion] = Field(min_length=1, max_length=MOST_QUESTIONS, description="问题，至多 100 个")


def router(engine_of: Callable[[], Engine]) -> APIRouter:
    """Return everything below ``/v1``."""
    v1 = APIRouter(prefix="/v1", responses={"default": {"model": schema.ErrorForm, "description": "错误"}})
    _questions(v1, engine_of)
    _intake(v1, engine_of)
    _jobs(v1, engine_of)
    add_regulations(v1, engine_of)
    _figures(v1, engine_of)
    _answers(v1, engine_of)
    _law(v1, engine_of)
    _graph(v1, engine_of)
    _graph_tables(v1, engine_of)
    _proof(v1, engine_of)
    add_audit(v1, engine_of)
    personal.add(v1, engine_of)
    _state(v1, engine_of)
    return v1


def _questions(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what asks."""
    add_query(v1, engine_of)

    @v1.post("/batch", responses=responses(schema.BatchForm))
    def batch(body: Batch, caller: Reader) -> JSONResponse:
        """依次回答至多 100 个问题；一个问题有误，只在它那一项说明。"""
        engine, who = engine_of(), name_of(caller)
        return PlainResponse({"answers": [_line(engine, question, who) for question in body.questions]})

    @v1.get("/search", responses=responses(schema.SearchForm))
    def search(
        caller: Reader,
        question: Annotated[str, Query(min_length=1, description="要找的内容")],
        k: Annotated[int, Query(ge=1, le=100, description="最多返回多少条")] = 10,
        threshold: Annotated[float, Query(ge=0, le=1, description="相关概率的下限")] = 0.0,
        province: str | None = None,
        asset: str | None = None,
        doc_class: str | None = None,
        as_of: As_of = None,
        corpora: Annotated[list[str] | None, Query(description="只在这些资料集中查找")] = None,
        regulation: Annotated[str | None, Query(description="只在这一部法规中查找")] = None,
        section: Annotated[str | None, Query(description="只在这一章、节中查找，如 第二章")] = None,
        mine: Annotated[bool, Query(description="只在自己的资料集中查找")] = False,
    ) -> JSONResponse:
        """按相关概率列出条文，不判断是否足以作答。"""
        filters, place = (
            Filters(province, asset, doc_class, as_of, tuple(corpora or ())),
            SearchPlace(regulation, section, mine),
        )
        found = engine_of().search(question, filters, k, threshold, place)
        return PlainResponse({"results": [export.ranked_json(one) for one in found]})


def add_query(to: APIRouter | FastAPI, engine_of: Callable[[], Engine]) -> None:
    """Add a question; it stands at ``/api/query`` too."""

    @to.post("/query", responses=responses(schema.AnswerForm))
    def query(body: Question, caller: Reader) -> JSONResponse:
        """用逐字引文回答一个问题，或拒答。"""
        return answered(engine_of(), body, caller)


def answered(engine: Engine, body: Question, caller: User) -> PlainResponse:
    """Answer a question of a request."""
    answer = asked(engine, body, name_of(caller))
    return PlainResponse(export.answer_json(answer) | engine.answers.beside(answer, body.mode))


def asked(engine: Engine, body: Question, who: str | None) -> Any:
    """Return the answer to a question of a request."""
    return engine.ask(body.question, body.filters(), user=who, context=body.context, summarise=body.summary)


def _line(engine: Engine, body: BatchQuestion, who: str | None) -> dict[str, Any]:
    """Answer one question of a batch; what is wrong with it is said in its place."""
    try:
        if body.previous:
            answer = engine.ask_after(body.previous, body.question, body.filters())
        else:
            answer = asked(engine, body, who)
    except (BadRequestError, NotFoundError) as error:
        return {"id": body.id, **export.error_json(error, new_trace_id())}
    return {"id": body.id, **export.answer_json(answer), **engine.answers.beside(answer, body.mode)}


def _intake(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what fills the library."""

    @v1.post("/ingest", responses=responses(schema.IngestForm) | responses(schema.JobForm, 202))
    def ingest(
        caller: Analyst,
        files: Annotated[list[UploadFile] | None, File(description="文件；压缩包会展开")] = None,
        addresses: Annotated[
            list[str] | None, Form(description="官方来源名单内的网址；须先设置 NEMO_DISCOVERY=1")
        ] = None,
        facts: Annotated[str, Form(description="整批已知事实，一个 JSON 对象")] = "{}",
        manifest: Annotated[str, Form(description="逐个文件的已知事实，JSONL，每行含 file")] = "",
        wait: Annotated[bool, Form(description="等到全部处理完，返回报告；否则立即返回任务")] = False,
    ) -> JSONResponse:
        """上传文件入库，一个失败不影响其他。须分析员角色的令牌。默认作为后台任务：进度见 /api/v1/jobs。"""
        intake = engine_of().intake
        sent = uploads.received(files or (), engine_of())
        fetched = (intake.finder().fetch(each) for each in addresses or ())
        if wait:
            report = intake.ingest_raw([*fetched, *sent], facts=_object(facts), manifest=manifest, user=caller)
            return PlainResponse(report.as_json())
        raws = itertools.chain(fetched, (read_file(one, engine_of().settings.max_file_bytes) for one in sent))
        batch = intake.enqueue(raws, _object(facts), "接口入库", caller, manifest=manifest)
        if batch is None:
            raise BadRequestError("没有文件。请在 files 中附上文件。")
        return PlainResponse(_job(_view(engine_of(), batch)), 202)


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise MalformedRequestError('facts 应为一个 JSON 对象，如 {"province": "gd"}。请改正后重试。')
    return value


def _jobs(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what tells of ingestion in the background."""

    @v1.get("/jobs", responses=responses(schema.JobsForm))
    def jobs(caller: Analyst, active: bool = False, newest: Annotated[int, Query(ge=1, le=200)] = 20) -> JSONResponse:
        """列出入库任务，新的在前。"""
        return PlainResponse(
            {"jobs": [_job(view) for view in engine_of().intake.batches(active=active, newest=newest)]}
        )

    @v1.get("/jobs/{job}", responses=responses(schema.JobForm))
    def job(job: str, caller: Analyst) -> JSONResponse:
        """返回一个入库任务的进度与结果。"""
        return PlainResponse(_job(_view(engine_of(), job)))

    @v1.post("/jobs/{job}/cancel", responses=responses(schema.CancelledForm))
    def cancel(job: str, caller: Analyst) -> JSONResponse:
        """取消一个任务中尚未完成的文件；已入库的保留。"""
        return PlainResponse({"cancelled": engine_of().intake.jobs.cancel(job), **_job(_view(engine_of(), job))})


def _view(engine: Engine, batch: str) -> Any:
    found = [view for view in engine.intake.batches() if view.id == batch]
    if not found:
        raise NotFoundError(f"没有任务 {batch}，可能已清除。请用 /api/v1/jobs 查看。")
    return found[0]


def _job(view: Any) -> dict[str, Any]:
    left = view.seconds_left
    return {
        **picked(view, "job=id title created active done total chunks problem"),
        "seconds": round(view.seconds, 2),
        "seconds_left": None if left is None else round(left, 1),
        "files": [picked(f, "id name state") | {"outcomes": [asdict(o) for o in f.outcomes]} for f in view.files],
    }


def add_regulations(to: APIRouter | FastAPI, engine_of: Callable[[], Engine]) -> None:
    """Add the held texts; they stand below ``/api`` too."""

    @to.get("/regulations", responses=responses(held.ListingForm))
    def regulations(caller: Reader, as_of: As_of = None) -> JSONResponse:
        """列出库内全部法规。"""
        return PlainResponse({"regulations": engine_of().listing(as_of)})

    @to.get("/regulations/{key:path}", responses=responses(held.RegulationForm))
    def regulation(key: str, caller: Reader, article: str | None = None, as_of: As_of = None) -> JSONResponse:
        """返回一部法规或其中一条，附某日的时效。"""
        return PlainResponse(engine_of().show(key, article=article, day=as_of))


def _figures(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add the pictures, tables and formulas of a text."""

    @v1.get("/figures", responses=responses(schema.FiguresForm))
    def figures_of(regulation: Named, caller: Reader) -> JSONResponse:
        """列出一部法规的图片、表格与公式，附所在条款、页码和位置。"""
        return PlainResponse(export.figures.listed(engine_of().regulation(regulation)))

    @v1.get("/figures/image", response_class=Response)
    def figure_image(regulation: Named, figure: Annotated[int, Query(ge=1)], caller: Reader) -> Response:
        """返回一张图片，重新编码为 PNG；编号见 /api/v1/figures。"""
        engine = engine_of()
        png = export.figures.image(engine.library, engine.regulation(regulation), figure)
        return Response(png, media_type="image/png", headers={"X-Content-Type-Options": "nosniff"})


def _answers(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add stored answers and what became of them."""

    @v1.get("/answers/{trace_id}", responses=responses(schema.AnswerForm))
    def stored(trace_id: str, caller: Reader) -> JSONResponse:
        """返回已存的答复，与给出时相同；changes 是此后所引法规的变化，空即仍然成立。"""
        engine = engine_of()
        changes = [
            {"kind": c.kind.value, "citation": c.position + 1, "title": c.title, "message": c.message}
            for c in engine.answers.changes_since(trace_id)
        ]
        return PlainResponse(export.answer_json(engine.library.answers.get(trace_id)) | {"changes": changes})

    @v1.get("/stale", responses=responses(held.StaleForm))
    def stale(caller: Reader) -> JSONResponse:
        """列出已失准的答复：所引条文的时效或文本已变，所依据的法律已废止，或引文已被驳回。"""
        return PlainResponse({"stale": [found.plain() for found in engine_of().answers.stale()]})

    @v1.get("/export/{trace_id}", responses=responses(held.BundleForm))
    def exported(trace_id: str, caller: Reader, form: str = "json") -> Response:
        """把已存的答复导出为 docx、xlsx 或核验包 json；每条引文重新核验。"""
        engine = engine_of()
        file = engine.answers.export_answer(engine.library.answers.get(trace_id), form)
        name = {"Content-Disposition": f'attachment; filename="{trace_id}.{form}"'}
        return Response(file, media_type=export.FORMS[form], headers=name)


def _law(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add the law over time."""

    @v1.get("/versions", responses=responses(held.VersionsForm))
    def versions(regulation: Named, caller: Reader) -> JSONResponse:
        """列出一部法规的库内版本，由旧到新。"""
        engine = engine_of()
        rows = engine.law.versions(engine.regulation(regulation).id)
        return PlainResponse({"versions": [holdings.row(row, today()) for row in rows]})

    @v1.get("/diff", responses=responses(held.ComparisonForm))
    def diff(old: Named, caller: Reader, new: str | None = None, only_changes: bool = False) -> JSONResponse:
        """逐条比较两个版本；不写 new 时与前一版本比较。"""
        before, after, found = engine_of().law.diff(old, new)
        shown = found.only_changes() if only_changes else found
        return PlainResponse({**plain.comparison(before, after, shown), "counts": found.counts})

    @v1.get("/relations", responses=responses(held.LinksForm))
    def relations(regulation: Named, caller: Reader, as_of: As_of = None) -> JSONResponse:
        """列出一部法规与其他法规的关系。"""
        return PlainResponse(plain.relations(engine_of().law.links(regulation, as_of)))

    @v1.get("/timeline", responses=responses(held.TimelineForm))
    def timeline(regulation: Named, caller: Reader, as_of: As_of = None) -> JSONResponse:
        """列出一部法规的沿革，各附依据原文。"""
        return PlainResponse(plain.history(engine_of().law.timeline(regulation, as_of)))


Nodes = Annotated[str, Query(min_length=1, description="节点：编号、法规名称（可带 第…条）、机关、主体或术语")]
Within = Annotated[list[str] | None, Query(description="只看这些资料集中的法规：名称或编号")]
Kinds = Annotated[list[str] | None, Query(description="边的类别，如 penalises；默认全部")]


def _graph(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add the graph of the law."""
    scope_of = _scope_of(engine_of)

    @v1.get("/graph/search", responses=responses(graph_forms.GraphNodesForm))
    def search_graph(words: Nodes, caller: Reader, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> JSONResponse:
        """按名称查找图谱中的节点。"""
        graph = engine_of().answers.graph
        return PlainResponse({"nodes": [formats.node(graph, node) for node in graph.search(words, limit)]})

    @v1.get("/graph/around", responses=responses(graph_forms.NeighbourhoodForm))
    def around(
        node: Nodes,
        caller: Reader,
        scope: GraphScope = Depends(scope_of),  # noqa: B008  (FastAPI's way)
    ) -> JSONResponse:
        """列出一个节点的邻域，每条边附证明它的原文。"""
        graph = engine_of().answers.graph
        centre = graph.named(node)
        return PlainResponse(formats.neighbourhood(graph, graph.around(centre, scope), centre))

    @v1.get("/graph/path", responses=responses(graph_forms.NeighbourhoodForm))
    def path(
        first: Nodes,
        last: Nodes,
        caller: Reader,
        scope: GraphScope = Depends(scope_of),  # noqa: B008  (FastAPI's way)
        unheld: Annotated[bool, Query(description="也经过只被引用、未入库的法规与标准")] = False,
    ) -> JSONResponse:
        """列出两个节点之间最短的路径，只经过入库的法规；没有则 edges 为空。"""
        graph, scope = engine_of().answers.graph, replace(scope, unheld=unheld)
        start = graph.named(first)
        return PlainResponse(formats.neighbourhood(graph, graph.path(start, graph.named(last), scope), start))


def _graph_tables(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what is listed and written of the graph."""
    scope_of = _scope_of(engine_of)

    @v1.get("/graph/duties", responses=responses(schema.CountedForm))
    def duties_of(
        caller: Reader,
        authority: str = "",
        about: str = "",
        scope: GraphScope = Depends(scope_of),  # noqa: B008  (FastAPI's way)
    ) -> JSONResponse:
        """列出各机关的职权：机关 × 事项 × 省份，每行附原文。"""
        graph = engine_of().answers.graph
        return PlainResponse(formats.table(graph, duties(graph, authority, about, scope)))

    @v1.get("/graph/export", response_class=Response)
    def export_graph(node: Nodes, caller: Reader, form: Literal["graphml", "jsonld"] = "graphml") -> Response:
        """把一个节点的邻域导出为 GraphML 或 JSON-LD（ELI、Akoma Ntoso 用语）。"""
        graph = engine_of().answers.graph
        edges = graph.around(graph.named(node), limit=formats.MOST_EXPORTED)
        media = {"graphml": "application/xml", "jsonld": "application/ld+json"}[form]
        name = {"Content-Disposition": f'attachment; filename="graph.{form}"'}
        return Response(formats.written(graph, edges, form), media_type=media, headers=name)


def _scope_of(engine_of: Callable[[], Engine]) -> Callable[..., GraphScope]:
    """Return what reads from a request which part of the graph it looks at."""

    def scope(
        kinds: Kinds = None, province: str | None = None, as_of: As_of = None, corpora: Within = None
    ) -> GraphScope:
        engine = engine_of()
        engine.rules.check_codes(province=province)
        return GraphScope(tuple(kinds or ()), province, as_of, engine.corpora.texts(corpora or (), engine.person))

    return scope


def _proof(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what checks."""

    @v1.post("/verify", responses=responses(schema.VerificationForm | schema.BundleReportForm))
    def verify(caller: Analyst, bundle: UploadFile | None = None) -> JSONResponse:
        """核对资料库；附上核验包时，用资料库核对包内引文。须分析员角色的令牌。"""
        engine = engine_of()
        if bundle is None:
            return PlainResponse(engine.whole.library.inspect().as_json())
        return PlainResponse(engine.answers.check_bundle(bundle.file.read()).as_json())


def add_audit(to: APIRouter | FastAPI, engine_of: Callable[[], Engine]) -> None:
    """Add the audit of memos; it stands at ``/api/audit`` too."""

    @to.post("/audit", responses=responses(held.MemoAuditForm))
    def audit(
        caller: Reader,
        file: UploadFile | None = None,
        text: Annotated[str | None, Form(description="粘贴的文稿；与文件二选一")] = None,
        as_of: Annotated[dt.date | None, Form(description="按哪一天判断；默认文稿落款日，没有则今天")] = None,
        form: Annotated[Literal["json", "docx", "xlsx"], Form(description="json，或带批注的 docx、清单 xlsx")] = "json",
        since: Annotated[str | None, Form(description="上次的审校结果（JSON），另列此后结论有变的引用")] = None,
    ) -> Response:
        """审校一份文稿：逐处核对所引法规、条款、引文、数值、日期和机关。文稿不保存。"""
        if (file is None) is (text is None):
            raise BadRequestError("请上传一个文件（file），或在 text 中给出文稿全文，二者选一。")
        content = file.file.read() if file is not None else (text or "").encode()
        raw = RawDocument.of(content, uploads.bare_name(file) if file is not None else "粘贴文稿.txt")
        before = earlier(since.encode()) if since else None
        service = engine_of().audit
        return Response(service.written(service.audit(raw, as_of), raw, form, before), media_type=export.FORMS[form])


def _state(v1: APIRouter, engine_of: Callable[[], Engine]) -> None:
    """Add what tells how the process is."""

    @v1.get("/health", responses=responses(schema.HealthForm) | responses(schema.HealthForm, 503))
    def health(request: Request) -> JSONResponse:
        """运行是否正常：任何一部分失效即 503；携带令牌时附各部分状态。"""
        state: dict[str, Any] = {"timestamp": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), "version": VERSION}
        try:
            engine = engine_of()
        except NemoError as error:
            return PlainResponse(
                {"status": "failed", **state, "commit": None, "index": {}, "message": error.message}, 503
            )
        checks = engine.health()
        failed = any(check.vital and not check.ok for check in checks)
        status = "failed" if failed else "ok" if all(check.ok for check in checks) else "attention"
        state = {"status": status, **state, "commit": engine.settings.commit}
        if isinstance(request.scope.get(CALLER), TokenBearer):
            state["index"] = {
                code: {"ok": all(c.ok for c in of), "message": "；".join(c.message for c in of)}
                for code in dict.fromkeys(check.code for check in checks)
                if (of := [check for check in checks if check.code == code])
            }
        return PlainResponse(state, 503 if failed else 200)

    @v1.get("/metrics", response_class=Response)
    def figures(caller: Administrator) -> Response:
        """运行指标，Prometheus 文本格式。须管理员角色的令牌。"""
        return Response(metrics.watch(engine_of().whole).exposition(), media_type=metrics.MEDIA_TYPE)


class PlainResponse(JSONResponse):
    """Plain data as it is: days and moments in ISO 8601, no field added or left out."""

    def render(self, content: Any) -> bytes:
        """Write it once."""
        compact = (",", ":")
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=compact, default=_iso).encode()


def _iso(value: Any) -> str:
    if isinstance(value, dt.date):
        return value.isoformat()
    raise NemoError(f"{type(value).__name__} has no form in JSON")
