"""Forms of a library in JSON (接口数据形式：资料库): texts, versions, the law over time, audits, bundles, upkeep.

The other half of :mod:`nemo.export.schemas.answers`, which holds answers and says what both are for.
"""

from typing import Annotated, Literal

from pydantic import Field, JsonValue, RootModel

from nemo.export.schemas.answers import (
    BeganForm,
    Form,
    IsoDay,
    Moment,
    PieceForm,
    Place,
    TableForm,
    TablePieceForm,
    VouchedAnswerForm,
    of_few,
)

Count = Place
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class TextFactsForm(Form):
    """What a text is called, whose it is, where it is filed (归档信息)."""

    title: str
    document_number: str | None
    issuer: str | None
    level: str | None
    province: str | None
    doc_class: str | None
    assets: list[str]
    nature: str
    file: str
    version_date: IsoDay | None


class FiledForm(TextFactsForm, BeganForm):
    """What every view of a held text says of it, with from when it is law."""

    id: str
    promulgated: IsoDay | None
    effective_date: IsoDay | None


class HeldForm(FiledForm):
    """One line of the list of what is held (法规清单)."""

    first_effective: IsoDay | None
    status: str = Field(description="所问之日的时效性")
    articles: Count
    chunks: Count
    parser: str
    faults: Count


ListingForm = of_few("ListingForm", "Every held text.", regulations=list[HeldForm])
VersionsForm = of_few("VersionsForm", "The held versions of one text, oldest first.", versions=list[HeldForm])
UndatedForm = of_few(
    "UndatedForm", "Versions whose start is to be checked (施行日期待核).", total=Count, undated=list[HeldForm]
)


class ReadEvidenceForm(Form):
    """A fact with the words it was read from, or who states it."""

    fact: str
    words: str
    origin: str


class StatedRelationForm(Form):
    """What a text says of another one."""

    kind: str
    title: str
    words: str


class ReadingFaultForm(Form):
    """What was found wrong when a text was read."""

    code: str
    message: str


class ProvisionForm(PieceForm):
    """One provision as stored (条文)."""

    level: str
    label: str
    path: str
    heading: str
    page_numbers: list[int]
    status: str
    effective_date: IsoDay | None
    status_evidence: str | None


class RegulationForm(FiledForm):
    """A held text, or one article of it, with its facts (法规)."""

    url: str | None
    first_effective: IsoDay | None
    ends: IsoDay | None
    ended_by: str | None
    as_of: IsoDay
    status: str
    status_evidence: str | None
    evidence: list[ReadEvidenceForm]
    relations: list[StatedRelationForm]
    faults: list[ReadingFaultForm]
    notes: dict[str, JsonValue] = Field(description="清单中 Nemo 不认识的字段")
    provisions: list[ProvisionForm]


class ComparedVersionForm(BeganForm):
    """One of two versions."""

    id: str
    title: str
    document_number: str | None
    version_date: IsoDay | None
    effective_date: IsoDay | None
    file: str


class ComparedProvisionForm(PieceForm):
    """A provision in one version."""

    label: str
    number: str
    path: str


class EditForm(Form):
    """A stretch that is in one version and not the same in the other."""

    op: str
    old: str
    new: str


class ProvisionPairForm(Form):
    """A provision of the old version with its counterpart."""

    kind: str
    renumbered: bool
    likeness: Annotated[float, Field(ge=0, le=1)]
    old: ComparedProvisionForm | None
    new: ComparedProvisionForm | None
    edits: list[EditForm]
    kin: list[str]


ComparisonForm = of_few(
    "ComparisonForm", "Two versions, article by article (版本比较).", old=ComparedVersionForm, new=ComparedVersionForm,
    counts=dict[str, Count], pairs=list[ProvisionPairForm],
)  # fmt: skip


class LinkForm(Form):
    """A tie between two texts."""

    kind: str
    direction: Literal["in", "out"]
    title: str
    document_number: str | None
    regulation_id: str | None
    status: str | None
    count: Count
    words: str


LinksForm = of_few(
    "LinksForm", "What a text says of others, and others of it (关系).", id=str, title=str, as_of=IsoDay,
    repealed_bases=list[str], relations=list[LinkForm],
)  # fmt: skip


class StretchForm(BeganForm):
    """The time in which a version is the text."""

    id: str
    title: str
    version_date: IsoDay | None
    from_: IsoDay | None = Field(alias="from")
    to: IsoDay | None
    to_derived: bool = Field(description="终止日期由推定的日期推算")
    ended_as: str | None
    status: str


class EventForm(Form):
    """Something dated that happened to a text."""

    day: IsoDay
    kind: str
    detail: str
    words: str
    origin: str
    regulation_id: str


TimelineForm = of_few(
    "TimelineForm", "Versions and events of a text (沿革).", title=str, as_of=IsoDay, versions=list[StretchForm],
    events=list[EventForm],
)  # fmt: skip
GapForm = of_few(
    "GapForm", "A text that is referred to and not held.", title=str | None, document_number=str | None,
    documents=Count, mentions=Count, roles=dict[str, Count], by=list[str], words=str,
)  # fmt: skip
GapsForm = of_few("GapsForm", "What is referred to and not held (引用而未入库).", total=Count, missing=[GapForm])


StaleAnswerForm = of_few(
    "StaleAnswerForm", "A stored answer whose law has changed since.", trace_id=str, question=str, as_of=IsoDay,
    answered_at=Moment, kinds=list[str],
)  # fmt: skip
StaleForm = of_few("StaleForm", "Stored answers that must be asked again (失准的答复).", stale=[StaleAnswerForm])


class CitedPlaceForm(Form):
    """What a memo cites."""

    file: str | None
    articles: list[int | str]
    label: str


class TruePlaceForm(Form):
    """Where it stands, verbatim."""

    file: str
    title: str
    articles: list[int | str]
    label: str
    wording: str
    value: str | None


class FindingForm(PieceForm):
    """How one citation of a memo stands."""

    verdict: Literal[
        "match", "text_differs", "no_such_provision", "not_in_force", "wrong_provision", "not_held", "cannot_check"
    ]
    cited: CitedPlaceForm
    true: TruePlaceForm | None
    claims: list[TablePieceForm]
    message: str


class AuditChangeForm(Form):
    """One citation that stands otherwise than in an earlier audit; ``before`` is null for a new one."""

    number: Place
    text: str
    before: str | None
    after: str
    worse: bool
    message: str


class MemoAuditForm(Form):
    """An audited memo (文稿审校); ``changes`` only beside an earlier audit, what became wrong first."""

    file: str
    as_of: IsoDay
    findings: list[FindingForm]
    counts: dict[str, Count]
    changes: list[AuditChangeForm] = Field(default_factory=list)


class ChainHeadForm(Form):
    """The newest link of the chain of records (链首)."""

    chain: str
    number: Count
    hash: Sha256
    at: str
    keyed: bool


class CarriedHeadForm(ChainHeadForm):
    """The newest link, with what is carried away of it."""

    head: str


ChainForm = of_few("ChainForm", "Whether the chain of records stands.", ok=bool, chain=CarriedHeadForm | None)


class BundleReviewForm(Form):
    """What a reviewer said of a quote in a bundle."""

    state: str
    by: str | None
    reason: str


class BundleQuoteForm(PieceForm):
    """A quote that a bundle vouches for."""

    group: str
    regulation_id: str
    sha256: Sha256
    before: TablePieceForm | None
    after: TablePieceForm | None
    table: TableForm | None
    title: str
    document_number: str | None
    path: str
    label: str
    pages: list[int]
    effective: IsoDay | None
    day: IsoDay
    status: str
    recognised: float | None = Field(description="文字识别的置信度；不是识别所得为空")
    warnings: list[str]
    outcome: str
    review: BundleReviewForm | None


class PlacedEvidenceForm(ReadEvidenceForm):
    """A fact with the place of its words; null where it is stated elsewhere."""

    start: Place | None
    end: Place | None


class ScopeForm(Form):
    """Provisions that begin on a day of their own."""

    labels: list[str]
    effective: IsoDay | None
    evidence: PlacedEvidenceForm


class ValidityForm(Form):
    """The days of a text with what they were read from (效力)."""

    promulgated: IsoDay | None
    first_effective: IsoDay | None
    version_effective: IsoDay | None
    effective: IsoDay | None
    ends: IsoDay | None
    ended_as: str | None
    ended_by: str | None
    amended: bool
    evidence: list[PlacedEvidenceForm]
    scopes: list[ScopeForm]


class TextProofForm(Form):
    """Parts of a text by which each quote can be cut again without the library."""

    blocks: list[str]
    slices: dict[str, str]
    link: dict[str, JsonValue] | None = Field(description="记录链中登记这部文本的一环")


class BundleRegulationForm(TextFactsForm):
    """A quoted text as it stood when the bundle was made."""

    url: str | None
    parser: str
    ocr_confidence: float | None
    characters: Count
    text_sha256: Sha256
    raw_sha256: Sha256
    validity: ValidityForm
    proof: TextProofForm


BundleForm = of_few(
    "BundleForm", "Answers with everything that proves their quotes (核验包).", format=str, version=int, made_by=str,
    made_at=Moment, kind=str, title=str, facts=list[list[str]], answers=list[VouchedAnswerForm],
    quotes=list[BundleQuoteForm], regulations=dict[str, BundleRegulationForm], chain=ChainHeadForm | None,
    statement=list[str], sha256=Sha256,
)  # fmt: skip
RemovedForm = of_few("RemovedForm", "A text that was taken out.", removed=str, title=str)
IndexedForm = of_few("IndexedForm", "Indexes that were rebuilt.", chunks=Count)


class BackupForm(Form):
    """A backup of a library (备份)."""

    file: str
    created: Moment
    schema_: str = Field(alias="schema")
    files: Count
    regulations: Count
    size: Count


class TransferForm(Form):
    """A catalogue that was moved into another database, proven on both sides (搬迁)."""

    ok: bool
    rows: dict[str, int]
    """By table."""
    chain: str | None
    """Head of the chain of records, the same on both sides."""
    questions: int
    """Asked on both sides, with the same answers."""


class RestoredForm(BackupForm):
    """A library that was restored, and whether it holds together."""

    library: str
    ok: bool
    differences: list[str]


FirstTokenForm = of_few(
    "FirstTokenForm",
    "The token that the first start made; null when it can no longer be shown (首个令牌).",
    token=str | None,
)
MadeTokenForm = of_few("MadeTokenForm", "A token that was made; shown this once.", name=str, role=str, token=str)


TokenForm = of_few(
    "TokenForm", "A token as it is kept: everything but the token.", number=Count, name=str, role=str, by=str,
    at=Moment, ends=Moment | None, revoked_by=str | None, revoked_at=Moment | None, state=str,
)  # fmt: skip
TokensForm = of_few("TokensForm", "Every token.", tokens=[TokenForm])
RevokedTokenForm = of_few("RevokedTokenForm", "A token that opens nothing any more.", revoked=Count, name=str)


class LeadForm(Form):
    """An address where a text may be found (线索)."""

    url: str
    title: str
    found_by: str


class SilentSiteForm(Form):
    """A site that could not be read."""

    source: str
    name: str
    reason: str


class LeadsForm(Form):
    """What official sites list and the library does not hold."""

    leads: list[LeadForm]
    held: Count
    government_sources: Count = Field(description="线索中政府网站（gov.cn）的个数")
    problems: list[SilentSiteForm]


class EvaluationForm(RootModel[dict[str, dict[str, JsonValue]]]):
    """Measures of a golden set, one block for each of its files (评测)."""


class TrainingComparisonForm(Form):
    """A model before and after training."""

    part: str
    questions: Count
    refusable: Count
    before: dict[str, float]
    after: dict[str, float]
    likely: float | None
    likely_judging: float | None
    better: bool
    against: list[str]


TrainingForm = of_few(
    "TrainingForm", "What training brought (训练).", questions=Count, refusable=Count, regulations=Count,
    from_opinions=Count, known=Count, known_measured=Count, passed=Count, simulated_refusals=bool,
    installed=list[str], comparisons=list[TrainingComparisonForm], embedded_chunks=Count,
)  # fmt: skip
RemovedModelsForm = of_few("RemovedModelsForm", "Trained models that were taken back.", removed=list[str])


class PartsCheckForm(Form):
    """The state of one part, by the first version of the interface."""

    name: str
    ok: bool
    message: str


class PlainHealthForm(Form):
    """How the process is, by the first version of the interface; ``checks`` only for callers with a token."""

    ok: bool
    checks: list[PartsCheckForm] = Field(default_factory=list)
