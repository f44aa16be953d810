"""The one description of what leaves Nemo as JSON (接口数据形式): answers, errors, reports, bundles.

Command line, HTTP interface, agents' tools and exports write these forms; the description at ``/api/docs`` and
``openapi.json`` is made of them. A field that is not here is a fault: tests hold real answers against them strictly.
Days are ISO 8601 (``2026-11-20``), places are code points of the stored text, half-open.
"""

from types import GenericAlias
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

Chance = Annotated[float, Field(ge=0, le=1)]
IsoDay = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Moment = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T")]
Place = Annotated[int, Field(ge=0)]


class Form(BaseModel):
    """What every form shares: no field more, none of another kind."""

    model_config = ConfigDict(extra="forbid", strict=True)


def of_few(name: str, about: str, /, **fields: object) -> type[Form]:
    """Return a form of a few fields that always stand; of a form in brackets there are many."""
    kinds = {field: GenericAlias(list, tuple(k)) if isinstance(k, list) else k for field, k in fields.items()}
    given: dict[str, Any] = {field: (kind, ...) for field, kind in kinds.items()}
    return create_model(name, __base__=Form, __doc__=about, **given)


class ErrorForm(Form):
    """An error (错误)."""

    error: Literal[True]
    code: str = Field(description="错误类别")
    message: str = Field(description="原因与下一步")
    trace_id: str
    timestamp: Moment
    tips: list[str]


class FiltersForm(Form):
    """What a question was limited to."""

    province: str | None
    asset: str | None
    doc_class: str | None
    as_of: IsoDay
    corpora: list[str] = Field([], description="所限资料集；空为全部")
    top_k: int | None = Field(None, description="引文与条文的条数上限")
    threshold: float | None = Field(None, description="向量距离（1 减余弦）上限")


class RefusalForm(Form):
    """Why there is no answer (拒答)."""

    reason: str
    message: str
    tips: list[str]


class PlacedForm(Form):
    """A place in a stored text."""

    start: Place
    end: Place


class PieceForm(PlacedForm):
    """Words of a text with their place."""

    text: str


class TablePieceForm(PieceForm):
    """A piece of a table with its place."""


class TableForm(Form):
    """What a quoted table row stands under."""

    caption: TablePieceForm | None
    unit: TablePieceForm | None
    header: TablePieceForm | None
    row: TablePieceForm | None


class BeganForm(Form):
    """Whether the start of a version is inferred (推定), and the days between which it then lies."""

    effective_derived: bool = Field(description="施行日期为推定")
    effective_earliest: IsoDay | None = Field(description="施行日期为推定时，最早的一日")
    effective_latest: IsoDay | None = Field(description="施行日期为推定时，最迟的一日")


class FigureForm(PlacedForm):
    """A picture, table or formula of a text (图表)."""

    figure: int = Field(ge=1, description="在该法规图表中的编号；图片由 /api/v1/figures/image 取得")
    kind: Literal["图", "表", "公式"]
    name: str | None = Field(description="文中的称呼，如 图1、附表2、式（3）")
    section_reference: str
    page_numbers: list[int]
    caption: TablePieceForm | None
    text: TablePieceForm | None = Field(description="图中识别出的文字、公式或表的各行；未能读出的为空")
    notes: TablePieceForm | None = Field(description="公式的“式中”说明，或表注")
    recognised: Chance | None = Field(description="图中文字的识别置信度")
    unread: bool = Field(description="有未能读出之处，不可引用")
    sha256: str | None = Field(description="图片在原件中的字节的校验值")


FiguresForm = of_few("FiguresForm", "Every figure of a text.", regulation_id=str, title=str, figures=list[FigureForm])


class ReviewForm(Form):
    """What a reviewer said of a quote (复核)."""

    state: str
    by: str | None
    at: Moment
    reason: str


class ShownCitationForm(Form):
    """What a part of an answer shows of a citation."""

    citation_id: str
    file: str
    title: str
    article: str | None
    label: str
    direct_quote: str = Field(description="逐字引文：库存文本的一段")
    context_before: str | None
    context_after: str | None


class TermPairForm(Form):
    """A term and its English name."""

    chinese: str
    english: str


class RenderedSentenceForm(PlacedForm):
    """A sentence of the stored text in English, made by a machine."""

    english: str


class EnglishLineForm(Form):
    """The source of a quote in English; null where there is no official term."""

    title: str | None
    issuer: str | None
    level: str | None
    status: str | None
    section: str | None
    effective: str | None
    terms: list[TermPairForm]
    rendering: list[RenderedSentenceForm]
    rendering_note: str | None


class CitationForm(ShownCitationForm, BeganForm, PlacedForm):
    """A quote with everything that is known of it (引文)."""

    regulation_id: str
    document_number: str | None
    issuer: str | None
    level: str | None
    section_reference: str
    page_numbers: list[int]
    table: TableForm | None
    promulgated: IsoDay | None
    effective_date: IsoDay | None
    effective_basis: str | None
    version_date: IsoDay | None
    warnings: list[str]
    status: str
    status_evidence: str | None
    url: str | None
    direct_link: str | None
    verification_status: str
    review: ReviewForm | None
    last_checked: IsoDay
    group: str | None = Field(description="全国、本省或其他地方")
    score: float
    nature: str | None = Field(None, description="不是法规的文本是什么（征求意见稿等），此时没有时效性；法规没有此项")
    figures: list[FigureForm] = Field([], description="引文所指、所出或所问的图表")
    english: EnglishLineForm | None = Field(None, description="英文题名与术语；以英文提问时才有")


class RankedForm(PieceForm):
    """A provision as stored, in the order of the evidence."""

    regulation_id: str
    file: str
    title: str
    article: str | None
    label: str
    score: float


class RelatedForm(Form):
    """A provision near a question that was refused; no answer."""

    regulation_id: str
    label: str
    text: str


class ConfidenceForm(Form):
    """How sure each step is; null where it was not measured (把握)."""

    overall: Chance
    retrieval: Chance | None
    rerank: Chance | None
    source: Chance | None
    origin: Chance | None = Field(description="来源可信度：官方网址、已知的发布机关、发文字号；不是概率")


class SummarySentenceForm(Form):
    """A sentence of a summary with the quotes it rests on."""

    text: str
    citations: list[str] = Field(min_length=1)


class SummaryForm(Form):
    """What the quotes say, written by a machine and held against them (小结)."""

    sentences: list[SummarySentenceForm]
    refused: str | None
    by: str
    note: str


class AnswerPartForm(Form):
    """One of several questions in one."""

    heading: str
    said: str | None = Field(description="问的是法规本身（是否有效、何时施行）时，一句话的回答")
    refused: bool
    refusal: RefusalForm | None
    citations: list[ShownCitationForm]
    confidence: Chance


class LevelNoteForm(Form):
    """The rank of two quoted texts (位阶提示)."""

    first: str
    second: str
    first_titles: list[str]
    second_titles: list[str]
    basis: str
    words: str


class ReadFactForm(Form):
    """What was read from the question."""

    fact: str
    words: str


class ExpansionForm(Form):
    """A term that was looked for under other names too."""

    term: str
    added: list[str]
    source: str


class VouchedAnswerForm(Form):
    """The part of an answer that a bundle vouches for."""

    mode: str
    trace_id: str
    question: str
    filters: FiltersForm
    refused: bool
    refusal: RefusalForm | None
    answer_zh: str
    citations: list[CitationForm]
    confidence: ConfidenceForm
    verdict: str | None
    understood: str | None = Field(description="追问如何理解")
    parts: list[AnswerPartForm]
    hierarchy: list[LevelNoteForm]
    read_from_question: list[ReadFactForm]
    degraded: list[str] = Field(description="没有参与的步骤与原因")
    tips: list[str]


class StageForm(Form):
    """What a stage behind the built-in reranker took (重排用时); the last one decided."""

    name: str
    elapsed_ms: Annotated[float, Field(ge=0)]
    remembered: bool


class GraphPlaceForm(PlacedForm):
    """Where some words stand."""

    regulation_id: str
    title: str
    province: str
    article: str | None
    label: str | None


class GraphEdgeForm(GraphPlaceForm):
    """An edge with the words that prove it (边)."""

    kind: str
    kind_name: str
    source: str
    target: str
    words: str = Field(description="证明这条边的原文")
    sentence: str = Field(description="原文所在的句子")
    rule: str
    confidence: Chance
    approved_by: str | None = Field(description="由模型提出、经人核准的边：核准人；由规则读出的为空")


class CountedRowForm(GraphPlaceForm):
    """One row of a counted table; its words are a slice of the stored text."""

    kind: str
    kind_name: str
    name: str | None
    text: str


class CountedNameForm(Form):
    """How often a name stands in a table."""

    name: str
    count: int


class CountedForm(Form):
    """A table counted over the whole library (全库统计)."""

    heading: str
    subject: list[str]
    total: int
    texts: int
    names: list[CountedNameForm]
    rows: list[CountedRowForm]


class RelatedProvisionForm(PieceForm):
    """A provision that belongs to one that was quoted (关联条款)."""

    role: str
    regulation_id: str
    file: str
    title: str
    article: str
    label: str
    status: str
    from_: str = Field(alias="from")
    because: GraphEdgeForm


class BesideForm(Form):
    """What a mode other than ``naive`` puts below an answer."""

    mode: str
    related: list[RelatedProvisionForm]
    counted: CountedForm | None
    unread: int


class ChangeSinceForm(Form):
    """What happened to a quote of a stored answer since (答复之后的变化)."""

    kind: str
    citation: Annotated[int, Field(ge=1)]
    title: str
    message: str


class AnswerForm(VouchedAnswerForm):
    """An answer, or a refusal (答复)."""

    summary: SummaryForm | None = Field(None, description="只在要求小结时有")
    elapsed_ms: Annotated[float, Field(ge=0)]
    stages: list[StageForm]
    ranked: list[RankedForm]
    related: list[RelatedForm]
    expansions: list[ExpansionForm]
    graph: BesideForm | None = Field(None, description="检索方式不是 naive 时：关联条款与全库统计")
    changes: list[ChangeSinceForm] | None = Field(None, description="只在取回已存的答复时有：此后所引法规的变化")


class BatchAnswerForm(AnswerForm):
    """An answer that carries back the id of its question."""

    id: str | int | None


class BatchErrorForm(ErrorForm):
    """An error that carries back the id of its question."""

    id: str | int | None


BatchForm = of_few(
    "BatchForm", "Answers in the order of their questions.", answers=list[BatchAnswerForm | BatchErrorForm]
)
SearchForm = of_few("SearchForm", "Provisions by their chances.", results=list[RankedForm])


class FileOutcomeForm(Form):
    """What became of a file."""

    name: str
    state: Literal["stored", "replaced", "unchanged", "failed"]
    regulation_ids: list[str]
    titles: list[str]
    reason: str | None
    tips: list[str]
    faults: Place


class IngestForm(Form):
    """What became of files that were ingested (入库结果)."""

    counts: dict[Literal["stored", "replaced", "unchanged", "failed"], Place]
    chunks: Place
    seconds: Annotated[float, Field(ge=0)]
    unknown_fields: list[str]
    files: list[FileOutcomeForm]


class JobFileForm(Form):
    """A file of a job."""

    id: int
    name: str
    state: Literal["queued", "running", "done", "failed", "cancelled"]
    outcomes: list[FileOutcomeForm]


class JobForm(Form):
    """A job of ingestion (入库任务)."""

    job: str
    title: str
    created: Moment
    active: bool
    done: Place
    total: Place
    chunks: Place
    seconds: float
    seconds_left: float | None
    problem: str | None
    files: list[JobFileForm]


class CancelledForm(JobForm):
    """A job after it was cancelled."""

    cancelled: Place


JobsForm = of_few("JobsForm", "Jobs, newest first.", jobs=list[JobForm])


class VerificationForm(Form):
    """What a check of the library found (核对结果)."""

    ok: bool
    differences: list[str]
    checked: dict[str, int]
    unchecked: dict[str, int]


class QuoteCheckForm(Form):
    """What became of one quote of a bundle."""

    number: int
    title: str
    path: str
    outcome: str
    differences: list[str]
    notes: list[str]


class BundleReportForm(Form):
    """What a check of a bundle found (核验结果)."""

    ok: bool
    counts: dict[str, int]
    problems: list[str]
    reservation: str | None = Field(description="这次核验没有证明的；用资料库核验时为空")
    quotes: list[QuoteCheckForm]


class PartStateForm(Form):
    """The state of one part."""

    ok: bool
    message: str


class HealthForm(Form):
    """How the process is (运行状态); ``index`` only for callers with a token."""

    status: Literal["ok", "attention", "failed"]
    timestamp: Moment
    version: str
    commit: str | None
    index: dict[str, PartStateForm] = Field(default_factory=dict)
    message: str = ""
