"""The way out: from a question to quotes or a refusal."""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from nemo.types.figures import ShownFigure
from nemo.types.places import Day, DayRange, Span
from nemo.types.provisions import AddressRange, article_in
from nemo.types.regulation import CITABLE, Chunk, Filters, Regulation, as_law, status_of
from nemo.types.tables import QuotedRow
from nemo.types.validity import Evidence, Status


@dataclass(frozen=True, slots=True)
class Mention:
    """A regulation and provision that the question itself names (电力法第二十五条)."""

    words: str
    title: str | None = None
    document_number: str | None = None
    article: str | None = None
    """Article label without paragraphs, e.g. ``25`` or ``12.1``."""
    paragraph: int | None = None
    asked: tuple[AddressRange, ...] = ()
    """Every provision that is asked for beside the name, in the order of the words (第三、五条; 第六章; 附则)."""
    regulation_ids: tuple[str, ...] = ()
    """Held versions that match, newest first; empty when the regulation is not held."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """Why something came up: a term of the question and what it was widened to."""

    term: str
    added: tuple[str, ...]
    source: str
    """Id of the rule that added them, e.g. a synonym group."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question after analysis (查询)."""

    text: str
    """Normalised question."""
    filters: Filters
    original: str = ""
    terms: tuple[str, ...] = ()
    synonyms: tuple[Expansion, ...] = ()
    intents: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    read: tuple[Evidence, ...] = ()
    """Filters read from the question itself (淄博 → sd, 2020年时 → day), shown on the answer."""
    period: DayRange | None = None
    """The range of days that its words leave open (2018年时), of which ``filters.day`` is one; None for a single day."""
    english: bool = False
    """It was asked in English; ``text`` is what it was understood as."""
    cities: tuple[str, ...] = ()
    """Cities it names, for which ``text`` has their province, whose rules bind there: a row of another city is no answer."""


@dataclass(slots=True)
class Hit:
    """A chunk that retrieval brought up (召回结果). Never changed; not frozen, since a question makes 400, each then four times as dear."""

    chunk: Chunk
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    """What each stage gave: lexical, dense, fused, rerank …"""


@dataclass(frozen=True, slots=True)
class Citation:
    """Everything a reader needs to open a quote's source (出处)."""

    regulation_id: str
    file: str
    title: str
    document_number: str | None
    issuer: str | None
    level: str | None
    path: str
    """第二章第六条第一款, or an outline path."""
    article: str
    """第六条, or an outline path such as ``三（二）``."""
    label: str
    pages: tuple[int, ...]
    promulgated: Day | None
    effective: Day | None
    effective_basis: str | None
    version_date: Day | None
    status: Status
    status_evidence: str | None
    day: Day
    """The day the status was computed for."""
    url: str | None
    recognised: float | None = None
    """OCR confidence when the words were recognised from an image."""
    effective_derived: bool = False
    """The day was inferred from the adoption of this version (推定): it lies between ``effective`` and ``effective_latest``."""
    effective_latest: Day | None = None
    """Of a derived day the latest that is assumed; None where the day is stated."""
    warnings: tuple[str, ...] = ()
    """In Chinese what a reader must know before relying on the quote: rests on repealed law, recognised from a scan …"""
    not_law: str = ""
    """What its text is where that is no law on any day (征求意见稿…); empty for law."""

    @property
    def standing(self) -> str:
        """What it is on its day as a reader sees it: 时效性, or what a text is that has none."""
        return self.not_law or self.status.value

    @property
    def began(self) -> str:
        """The day it came into force as a reader sees it, with 推定 where it was inferred."""
        if self.effective is None:
            return "施行日期未知"
        if not self.effective_derived:
            return f"{self.effective} 施行"
        return f"推定 {self.effective} 至 {self.effective_latest} 间施行"


class Verdict(enum.StrEnum):
    """What reviewers say about a quote (复核结论)."""

    PENDING = "待复核"
    APPROVED = "已复核"
    REJECTED = "已驳回"
    UNSURE = "存疑"


@dataclass(frozen=True, slots=True)
class Review:
    """The standing decision on a quote, who made it and when (复核)."""

    state: Verdict
    by: str | None
    """Name of the reviewer; None when nobody signs in."""
    at: dt.datetime
    reason: str = ""


class PlaceGroup(enum.StrEnum):
    """Whose rule a quote is, seen from the place the question is asked for (适用地域)."""

    NATION = "全国"
    OWN = "本省"
    OTHER = "其他地方"


@dataclass(frozen=True, slots=True)
class TermPair:
    """A term of a quote and what it is called in English."""

    chinese: str
    english: str


@dataclass(frozen=True, slots=True)
class RenderedSentence:
    """A sentence of a quote in English, made by a machine (机器翻译)."""

    span: Span
    """Place of the Chinese sentence in the stored text."""
    english: str


@dataclass(frozen=True, slots=True)
class EnglishLine:
    """What the rule data call a quote's source and the things it names in English; empty where they have no term."""

    title: str
    issuer: str
    level: str
    status: str
    section: str
    """``Chapter 2, Article 25, Paragraph 2``."""
    effective: str
    terms: tuple[TermPair, ...] = ()
    rendering: tuple[RenderedSentence, ...] = ()
    """Only with a service configured; never the text."""
    rendered_by: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """A slice of a stored regulation with its citation. ``Quote.cut`` is the only way to make one (引文)."""

    regulation_id: str
    span: Span
    text: str
    citation: Citation
    score: float = 0.0
    before: Span | None = None
    """Text shown beside the quote because it depends on it (前款, 其, list lead-in)."""
    after: Span | None = None
    before_text: str | None = None
    after_text: str | None = None
    review: Review | None = None
    """What reviewers said when the answer was given; None when nobody had looked at it."""
    group: PlaceGroup | None = None
    """Set when the answer is put together; None where places play no part (a comparison of versions)."""
    table: QuotedRow | None = None
    """For a row of a table: what makes it readable."""
    english: EnglishLine | None = None
    """Only where the question was asked in English."""
    figures: tuple[ShownFigure, ...] = ()
    """What it points to (见图1, 按下式), what it was read from, and what the question asks to see."""

    def slices(self) -> Iterator[tuple[Span, str]]:
        """Yield every slice of the text that is shown: the quote, what stands beside it, its table, its figures."""
        yield self.span, self.text
        for span, words in ((self.before, self.before_text), (self.after, self.after_text)):
            if span is not None:
                yield span, words or ""
        for shown in (self.table, *self.figures):
            if shown is not None:
                yield from ((piece.span, piece.text) for piece in shown.pieces())

    @classmethod
    def cut(
        cls,
        regulation: Regulation,
        span: Span,
        day: Day,
        *,
        score: float = 0.0,
        before: Span | None = None,
        after: Span | None = None,
    ) -> Quote:
        """Cut ``span`` out of ``regulation`` and cite it for ``day``.

        Raises:
            ValueError: the span is empty or lies outside the text.
        """
        if not 0 <= span.start < span.end <= len(regulation.text):
            raise ValueError(f"span {span!r} does not lie in a text of {len(regulation.text)} characters")
        return cls(
            regulation.id,
            span,
            span.of(regulation.text),
            cite(regulation, span, day),
            score,
            before,
            after,
            before.of(regulation.text) if before else None,
            after.of(regulation.text) if after else None,
        )


def cite(regulation: Regulation, span: Span, day: Day) -> Citation:
    """Return the citation of ``span`` of a regulation, with its status on ``day``; what is no law begins on no day."""
    chain = regulation.chain(span)
    unit = article_in(chain)
    last = chain[-1] if chain else None
    validity = as_law(regulation)
    label = last.label if last else ""
    basis = validity.why("version_effective") or (None if validity.amended else validity.why("first_effective"))
    scope = validity.scope_of(label)
    return Citation(
        regulation_id=regulation.id,
        file=regulation.file,
        title=regulation.title,
        document_number=regulation.document_number,
        issuer=regulation.issuer,
        level=regulation.level,
        path=last.path() if last else "",
        article=unit.step if unit else (last.path() if last else ""),
        label=label,
        pages=regulation.page_numbers(span),
        promulgated=validity.promulgated,
        effective=validity.start_of(label),
        effective_basis=scope.evidence.words if scope else (basis.words if basis else None),
        effective_derived=validity.derived,
        effective_latest=validity.certain_from if validity.derived else None,
        version_date=regulation.version_date,
        status=status_of(regulation, day, label),
        status_evidence=validity.proof(day, label) if regulation.nature in CITABLE else None,
        day=day,
        url=regulation.url,
        recognised=regulation.recognised(span),
        warnings=regulation.doubted(span),
    )


class Reason(enum.StrEnum):
    """Why Nemo refuses to answer (拒答原因)."""

    NO_EVIDENCE = "no_evidence"
    REGULATION_NOT_HELD = "regulation_not_held"
    ARTICLE_NOT_FOUND = "article_not_found"
    NOT_IN_FORCE_ON_DAY = "not_in_force_on_day"
    BAD_QUESTION = "bad_question"
    OUT_OF_DOMAIN = "out_of_domain"
    NO_TEXTS_FOR_FILTER = "no_texts_for_filter"


_REFUSED = {
    Reason.NO_EVIDENCE: "资料库中没有足以答复的原文", Reason.REGULATION_NOT_HELD: "资料库未收录所指的法规",
    Reason.ARTICLE_NOT_FOUND: "所指法规中没有这一条", Reason.NOT_IN_FORCE_ON_DAY: "在所选日期没有现行有效的规定",
    Reason.BAD_QUESTION: "无法理解这个问题", Reason.OUT_OF_DOMAIN: "不属于能源项目法规的范围", Reason.NO_TEXTS_FOR_FILTER: "所选范围内没有入库的法规",
}  # fmt: skip
CORPORA = "所选资料集"
"""What stands for the library in a question to some corpora."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An honest no: the reason, in words, and what to try next (拒答)."""

    reason: Reason
    message: str
    tips: tuple[str, ...] = ()
    related: tuple[Hit, ...] = ()
    """Nearest provisions, shown as related and never as an answer."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure Nemo is, each part 0..1 or None when it was not measured."""

    overall: float
    retrieval: float | None = None
    rerank: float | None = None
    source: float | None = None
    origin: float | None = None
    """How well the origin of the least proven quote is proven, a tally of signs and no probability (来源可信度)."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A provision in the order of the evidence, as stored."""

    regulation_id: str
    file: str
    title: str
    article: str
    label: str
    span: Span
    text: str
    score: float


@dataclass(frozen=True, slots=True)
class LevelNote:
    """Two levels of force among the quoted texts and the provision on their rank; a fact, never a verdict (位阶提示)."""

    first: str
    """Chinese name of a level; of two unequal ones the higher."""
    second: str
    first_titles: tuple[str, ...]
    second_titles: tuple[str, ...]
    basis: str
    """The governing provision, e.g. ``立法法第九十九条第一款``."""
    words: str
    """One Chinese sentence."""


class Directness(enum.StrEnum):
    """How the quotes stand to the question (答复性质)."""

    DIRECT = "直接规定"
    RELATED = "相关规定"
    HUMAN = "需人工判断"


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """One of several questions asked in one, found, answered or refused by itself (分问)."""

    heading: str
    """The question of this part as it was understood."""
    quotes: tuple[int, ...] = ()
    """Places of its quotes in ``Answer.quotes``; empty when it is refused."""
    refusal: Refusal | None = None
    confidence: float = 0.0
    said: str = ""
    """What is said in one sentence of a regulation itself (还有效吗): the quotes prove it; empty for any other question."""


@dataclass(frozen=True, slots=True)
class StageTime:
    """What a stage behind the built-in reranker took for one question (重排用时)."""

    name: str
    milliseconds: float
    remembered: bool
    """It had been asked before: its order came from memory."""


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary and the quotes it rests on."""

    text: str
    quotes: tuple[int, ...]
    """Places in ``Answer.quotes``."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What the quotes say, written by a machine and held against them; never in their place (小结)."""

    sentences: tuple[SummarySentence, ...]
    by: str
    refused: str = ""
    """Why it is not shown, in Chinese; empty when it is."""


LEANS = "承接上一问"
"""How :attr:`Answer.understood` begins where a question was read behind another."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Quotes or a refusal, never both, never neither (答复)."""

    query: Query
    day: Day
    """The day the question was answered for."""
    quotes: tuple[Quote, ...]
    refusal: Refusal | None
    confidence: Confidence
    trace_id: str
    heading: str = ""
    """First line of the answer, e.g. ``并网要点（广东 / 光伏）``."""
    ranked: tuple[Ranked, ...] = ()
    degraded: tuple[str, ...] = ()
    elapsed_ms: float = 0.0
    mode: str = "hybrid"
    tips: tuple[str, ...] = ()
    hierarchy: tuple[LevelNote, ...] = ()
    """Where texts of several levels, or of the nation and a province, are quoted side by side."""
    parts: tuple[AnswerPart, ...] = ()
    """Several questions asked in one, each with its own result; empty for a single question."""
    understood: str = ""
    """How a question that leans on the one before it was read, one Chinese sentence; empty when it stands alone."""
    verdict: Directness | None = None
    """None on a refusal."""
    stages: tuple[StageTime, ...] = ()
    """The stages that put the candidates in order behind the built-in reranker; the last one decided."""

    summary: Summary | None = None
    """Only where one was asked for."""

    def __post_init__(self) -> None:
        if bool(self.quotes) == (self.refusal is not None):
            raise ValueError("an answer holds quotes or a refusal, never both and never neither")

    @property
    def asked(self) -> str:
        """The question as it stands alone: one that leans on another (山东呢？) as it was read, for lists in which the other is far."""
        if self.understood.startswith(LEANS) and not self.parts:
            return self.query.text.replace("?", "？").replace(",", "，")
        return self.query.original or self.query.text

    @property
    def headline(self) -> tuple[str, str]:
        """The heading's name, and the sentence behind it where a regulation itself was asked about (时效（《X》）：在…有效); of a
        refusal its reason and its message.
        """
        if self.refusal is not None:
            name = _REFUSED[self.refusal.reason]
            return name.replace("资料库", CORPORA) if self.query.filters.corpora else name, self.refusal.message
        name, mark, said = self.heading.partition("》）：")
        return (f"{name}》）", said) if mark else (name, "")
