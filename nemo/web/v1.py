"""Version 1 of the HTTP interface, at ``/api/v1``: everything that can be asked of a library, as JSON (接口第一版).

The forms of answers and errors are those of :mod:`nemo.export.schemas.answers`; older addresses directly below ``/api`` stay.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import JSONResponse
from pydantic import Field

import nemo
from nemo import export
from nemo.accounts import TokenBearer, User
from nemo.answer.question.scope import SearchPlace
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
from nemo.types.plain import picked, read_json
from nemo.web import metrics, personal, uploads, watching
from nemo.web.callers import Administrator, Analyst, Reader, Seen, name_of
from nemo.web.docs_page import responses
from nemo.web.guard import CALLER
from nemo.web.known import Body

VERSION = nemo.__version__

MOST_QUESTIONS = 100
"""Questions of one batch."""

As_of = Annotated[dt.date | None, Query(description="按哪一天判断；默认今天")]
Mode = Literal["naive", "local", "global", "hybrid", "mix"]
Named = Annotated[str, Query(description="法规编号、文件名或名称；可写成 名称@2017-11-04 指明版本")]


class Question(Body):
    """One question with its filters."""

    question: str = Field(description="要查的问题")
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


class Batch(Body):
    """Several questions at once."""

    questions: list[BatchQuestion] = Field(min_length=1, max_length=MOST_QUESTIONS, description="问题，至多 100 个")


router = APIRouter(prefix="/v1")
"""Everything below ``/v1``."""
shared = APIRouter()
"""What stands directly below ``/api`` too."""


@router.post("/batch", responses=responses(schema.BatchForm))
def batch(body: Batch, caller: Reader, engine: Seen) -> JSONResponse:
    """依次回答至多 100 个问题；一个问题有误，只在它那一项说明。"""
    who = name_of(caller)
    return PlainResponse({"answers": [_line(engine, question, who) for question in body.questions]})


@router.get("/search", responses=responses(schema.SearchForm))
def search(
    caller: Reader,
    engine: Seen,
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
    filters = Filters(province, asset, doc_class, as_of, tuple(corpora or ()))
    found = engine.search(question, filters, k, threshold, SearchPlace(regulation, section, mine))
    return PlainResponse({"results": [export.ranked_json(one) for one in found]})


@shared.post("/query", responses=responses(schema.AnswerForm))
def query(body: Question, caller: Reader, engine: Seen) -> JSONResponse:
    """用逐字引文回答一个问题，或拒答。"""
    return answered(engine, body, caller)


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


@router.post("/ingest", responses=responses(schema.IngestForm) | responses(schema.JobForm, 202))
def ingest(
    caller: Analyst,
    engine: Seen,
    files: Annotated[list[UploadFile] | None, File(description="文件；压缩包会展开")] = None,
    addresses: Annotated[list[str] | None, Form(description="官方来源名单内的网址；须先设置 NEMO_DISCOVERY=1")] = None,
    facts: Annotated[str, Form(description="整批已知事实，一个 JSON 对象")] = "{}",
    manifest: Annotated[str, Form(description="逐个文件的已知事实，JSONL，每行含 file")] = "",
    wait: Annotated[bool, Form(description="等到全部处理完，返回报告；否则立即返回任务")] = False,
) -> JSONResponse:
    """上传文件入库，一个失败不影响其他。须分析员角色的令牌。默认作为后台任务：进度见 /api/v1/jobs。"""
    intake = engine.intake
    sent = uploads.received(files or (), engine)
    fetched = (intake.finder().fetch(each) for each in addresses or ())
    if wait:
        report = intake.ingest_raw([*fetched, *sent], facts=_object(facts), manifest=manifest, user=caller)
        return PlainResponse(report.as_json())
    raws = itertools.chain(fetched, (read_file(one, engine.settings.max_file_bytes) for one in sent))
    batch = intake.enqueue(raws, _object(facts), "接口入库", caller, manifest=manifest)
    if batch is None:
        raise BadRequestError("没有文件。请在 files 中附上文件。")
    return PlainResponse(_job(_view(engine, batch)), 202)


def _object(text: str) -> dict[str, Any]:
    try:
        value = read_json(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise MalformedRequestError('facts 应为一个 JSON 对象，如 {"province": "gd"}。请改正后重试。')
    return value


@router.get("/jobs", responses=responses(schema.JobsForm))
def jobs(
    caller: Analyst, engine: Seen, active: bool = False, newest: Annotated[int, Query(ge=1, le=200)] = 20
) -> JSONResponse:
    """列出入库任务，新的在前。"""
    return PlainResponse({"jobs": [_job(view) for view in engine.intake.batches(active=active, newest=newest)]})


@router.get("/jobs/{job}", responses=responses(schema.JobForm))
def job(job: str, caller: Analyst, engine: Seen) -> JSONResponse:
    """返回一个入库任务的进度与结果。"""
    return PlainResponse(_job(_view(engine, job)))


@router.post("/jobs/{job}/cancel", responses=responses(schema.CancelledForm))
def cancel(job: str, caller: Analyst, engine: Seen) -> JSONResponse:
    """取消一个任务中尚未完成的文件；已入库的保留。"""
    return PlainResponse({"cancelled": engine.intake.jobs.cancel(job), **_job(_view(engine, job))})


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


@shared.get("/regulations", responses=responses(held.ListingForm))
def regulations(caller: Reader, engine: Seen, as_of: As_of = None) -> JSONResponse:
    """列出库内全部法规。"""
    return PlainResponse({"regulations": engine.listing(as_of)})


@shared.get("/regulations/{key:path}", responses=responses(held.RegulationForm))
def regulation(key: str, caller: Reader, engine: Seen, article: str | None = None, as_of: As_of = None) -> JSONResponse:
    """返回一部法规或其中一条，附某日的时效。"""
    return PlainResponse(engine.show(key, article=article, day=as_of))


@router.get("/figures", responses=responses(schema.FiguresForm))
def figures_of(regulation: Named, caller: Reader, engine: Seen) -> JSONResponse:
    """列出一部法规的图片、表格与公式，附所在条款、页码和位置。"""
    return PlainResponse(export.figures.listed(engine.regulation(regulation)))


@router.get("/figures/image", response_class=Response)
def figure_image(regulation: Named, figure: Annotated[int, Query(ge=1)], caller: Reader, engine: Seen) -> Response:
    """返回一张图片，重新编码为 PNG；编号见 /api/v1/figures。"""
    png = export.figures.image(engine.library, engine.regulation(regulation), figure)
    return Response(png, media_type="image/png", headers={"X-Content-Type-Options": "nosniff"})


@router.get("/answers/{trace_id}", responses=responses(schema.AnswerForm))
def stored(trace_id: str, caller: Reader, engine: Seen) -> JSONResponse:
    """返回已存的答复，与给出时相同；changes 是此后所引法规的变化，空即仍然成立。"""
    changes = [
        {"kind": c.kind.value, "citation": c.position + 1, "title": c.title, "message": c.message}
        for c in engine.answers.changes_since(trace_id)
    ]
    return PlainResponse(export.answer_json(engine.library.answers.get(trace_id)) | {"changes": changes})


@router.get("/stale", responses=responses(held.StaleForm))
def stale(caller: Reader, engine: Seen) -> JSONResponse:
    """列出已失准的答复：所引条文的时效或文本已变，所依据的法律已废止，或引文已被驳回。"""
    return PlainResponse({"stale": [found.plain() for found in engine.answers.stale()]})


@router.get("/export/{trace_id}", responses=responses(held.BundleForm, files=export.FORMS.values()))
def exported(trace_id: str, caller: Reader, engine: Seen, form: str = "json") -> Response:
    """把已存的答复导出为 docx、xlsx 或核验包 json；每条引文重新核验。"""
    file = engine.answers.export_answer(engine.library.answers.get(trace_id), form)
    name = {"Content-Disposition": f'attachment; filename="{trace_id}.{form}"'}
    return Response(file, media_type=export.FORMS[form], headers=name)


@router.get("/versions", responses=responses(held.VersionsForm))
def versions(regulation: Named, caller: Reader, engine: Seen) -> JSONResponse:
    """列出一部法规的库内版本，由旧到新。"""
    rows = engine.law.versions(engine.regulation(regulation).id)
    return PlainResponse({"versions": [holdings.row(row, today()) for row in rows]})


@router.get("/diff", responses=responses(held.ComparisonForm))
def diff(old: Named, caller: Reader, engine: Seen, new: str | None = None, only_changes: bool = False) -> JSONResponse:
    """逐条比较两个版本；不写 new 时与前一版本比较。"""
    before, after, found = engine.law.diff(old, new)
    shown = found.only_changes() if only_changes else found
    return PlainResponse({**plain.comparison(before, after, shown), "counts": found.counts})


@router.get("/relations", responses=responses(held.LinksForm))
def relations(regulation: Named, caller: Reader, engine: Seen, as_of: As_of = None) -> JSONResponse:
    """列出一部法规与其他法规的关系。"""
    return PlainResponse(plain.relations(engine.law.links(regulation, as_of)))


@router.get("/timeline", responses=responses(held.TimelineForm))
def timeline(regulation: Named, caller: Reader, engine: Seen, as_of: As_of = None) -> JSONResponse:
    """列出一部法规的沿革，各附依据原文。"""
    return PlainResponse(plain.history(engine.law.timeline(regulation, as_of)))


Nodes = Annotated[str, Query(min_length=1, description="节点：编号、法规名称（可带 第…条）、机关、主体或术语")]
Within = Annotated[list[str] | None, Query(description="只看这些资料集中的法规：名称或编号")]
Kinds = Annotated[list[str] | None, Query(description="边的类别，如 penalises；默认全部")]


def graph_scope(
    engine: Seen, kinds: Kinds = None, province: str | None = None, as_of: As_of = None, corpora: Within = None
) -> GraphScope:
    """Return which part of the graph a request looks at."""
    engine.rules.check_codes(province=province)
    return GraphScope(tuple(kinds or ()), province, as_of, engine.corpora.texts(corpora or (), engine.person))


Scope = Annotated[GraphScope, Depends(graph_scope)]


@router.get("/graph/search", responses=responses(graph_forms.GraphNodesForm))
def search_graph(
    words: Nodes, caller: Reader, engine: Seen, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> JSONResponse:
    """按名称查找图谱中的节点。"""
    graph = engine.answers.graph
    return PlainResponse({"nodes": [formats.node(graph, node) for node in graph.search(words, limit)]})


@router.get("/graph/around", responses=responses(graph_forms.NeighbourhoodForm))
def around(node: Nodes, caller: Reader, engine: Seen, scope: Scope) -> JSONResponse:
    """列出一个节点的邻域，每条边附证明它的原文。"""
    graph = engine.answers.graph
    centre = graph.named(node)
    return PlainResponse(formats.neighbourhood(graph, graph.around(centre, scope), centre))


@router.get("/graph/path", responses=responses(graph_forms.NeighbourhoodForm))
def path(
    first: Nodes,
    last: Nodes,
    caller: Reader,
    engine: Seen,
    scope: Scope,
    unheld: Annotated[bool, Query(description="也经过只被引用、未入库的法规与标准")] = False,
) -> JSONResponse:
    """列出两个节点之间最短的路径，只经过入库的法规；没有则 edges 为空。"""
    graph, scope = engine.answers.graph, replace(scope, unheld=unheld)
    start = graph.named(first)
    return PlainResponse(formats.neighbourhood(graph, graph.path(start, graph.named(last), scope), start))


@router.get("/graph/duties", responses=responses(schema.CountedForm))
def duties_of(caller: Reader, engine: Seen, scope: Scope, authority: str = "", about: str = "") -> JSONResponse:
    """列出各机关的职权：机关 × 事项 × 省份，每行附原文。"""
    graph = engine.answers.graph
    return PlainResponse(formats.table(graph, duties(graph, authority, about, scope)))


@router.get("/graph/export", response_class=Response)
def export_graph(node: Nodes, caller: Reader, engine: Seen, form: Literal["graphml", "jsonld"] = "graphml") -> Response:
    """把一个节点的邻域导出为 GraphML 或 JSON-LD（ELI、Akoma Ntoso 用语）。"""
    graph = engine.answers.graph
    edges = graph.around(graph.named(node), limit=formats.MOST_EXPORTED)
    media = {"graphml": "application/xml", "jsonld": "application/ld+json"}[form]
    name = {"Content-Disposition": f'attachment; filename="graph.{form}"'}
    return Response(formats.written(graph, edges, form), media_type=media, headers=name)


@router.post("/verify", responses=responses(schema.VerificationForm | schema.BundleReportForm))
def verify(caller: Analyst, engine: Seen, bundle: UploadFile | None = None) -> JSONResponse:
    """核对资料库；附上核验包时，用资料库核对包内引文。须分析员角色的令牌。"""
    if bundle is None:
        return PlainResponse(engine.whole.library.inspect().as_json())
    return PlainResponse(engine.answers.check_bundle(bundle.file.read()).as_json())


@shared.post("/audit", responses=responses(held.MemoAuditForm, files=(export.FORMS[form] for form in ("docx", "xlsx"))))
def audit(
    caller: Reader,
    engine: Seen,
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
    service = engine.audit
    return Response(service.written(service.audit(raw, as_of), raw, form, before), media_type=export.FORMS[form])


@router.get("/health", responses=responses(schema.HealthForm) | responses(schema.HealthForm, 503))
def health(request: Request) -> JSONResponse:
    """运行是否正常：任何一部分失效即 503；携带令牌时附各部分状态。"""
    state: dict[str, Any] = {"timestamp": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), "version": VERSION}
    try:
        engine = request.app.state.engine_of()
    except NemoError as error:
        return PlainResponse({"status": "failed", **state, "commit": None, "index": {}, "message": error.message}, 503)
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


@router.get("/metrics", response_class=Response)
def figures(caller: Administrator, engine: Seen) -> Response:
    """运行指标，Prometheus 文本格式。须管理员角色的令牌。"""
    return Response(metrics.watch(engine.whole).exposition(), media_type=metrics.MEDIA_TYPE)


for part in (shared, personal.router, watching.router):
    router.include_router(part)


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
