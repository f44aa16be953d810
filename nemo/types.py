"""The nouns of Nemo: the values that travel between its rooms.

Conventions, once for all modules:

- Offsets are code points of ``Regulation.text``; spans are half-open ``[start, end)``.
- Days are calendar days in China (``datetime.date``); intervals of days are half-open.
- Scores rise with relevance; confidences lie in 0..1.
- Every class is frozen: a value says what was true when it was made.

The type of a value tells where in the river it is: ``Lead`` → ``RawDocument`` → ``ParsedDocument`` →
``Regulation`` → ``Chunk`` on the way in, ``Query`` → ``Hit`` → ``Quote`` → ``Answer`` on the way out.
"""

from __future__ import annotations

import datetime as dt
import enum
import hashlib
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from zoneinfo import ZoneInfo

Day = dt.date


CHINA = ZoneInfo("Asia/Shanghai")


def today() -> Day:
    """Return the calendar day in China, which is what 今天 means to the reader."""
    return dt.datetime.now(CHINA).date()


def new_trace_id() -> str:
    """Return a new id that ties an answer or an error to the log: ``nemo-20261120-1a2b3c4d``."""
    return f"nemo-{today():%Y%m%d}-{uuid.uuid4().hex[:8]}"


# --- places in a text ------------------------------------------------------------------------------------------------


class Span(NamedTuple):
    """A half-open range of code points of one text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the slice of ``text`` that this span covers."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Tell whether ``other`` lies inside this span (equal spans contain each other)."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two spans share at least one character."""
        return self.start < other.end and other.start < self.end

    def shift(self, offset: int) -> Span:
        """Return the span moved by ``offset`` characters."""
        return Span(self.start + offset, self.end + offset)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a document that a reader must know: a dropped table, a gap in the article numbers, a garbled page."""

    code: str
    """Short English key, e.g. ``tables_dropped``; the same fault always has the same code."""
    message: str
    """One Chinese sentence for the analyst."""
    span: Span | None = None


# --- the way in ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lead:
    """An address where a regulation may be found; nothing has been fetched (线索)."""

    url: str
    title: str
    found_by: str


@dataclass(frozen=True, slots=True)
class RawDocument:
    """The bytes of one file exactly as they came, kept for ever (原始文件)."""

    content: bytes
    name: str
    """File name as uploaded, without any folder."""
    sha256: str
    """Hex digest of ``content``."""
    url: str | None = None
    media_type: str | None = None
    fetched_at: dt.datetime | None = None

    @classmethod
    def of(
        cls,
        content: bytes,
        name: str,
        *,
        url: str | None = None,
        media_type: str | None = None,
        fetched_at: dt.datetime | None = None,
    ) -> RawDocument:
        """Make a raw document and compute its hash."""
        return cls(content, name, hashlib.sha256(content).hexdigest(), url, media_type, fetched_at)


@dataclass(frozen=True, slots=True)
class Page:
    """One sheet of a paginated file."""

    number: int
    """Physical page from 1; never interpolated."""
    printed: str | None
    """The number on the paper (页脚), None when none was read."""
    span: Span


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A file's text with its pages and everything the parser had to leave out (解析结果)."""

    text: str
    pages: tuple[Page, ...]
    """Empty for formats without pages (HTML, Word, Markdown, plain text without form feeds)."""
    parser: str
    """Name of the parser that read it, e.g. ``pdf/pdfium``."""
    ocr_confidence: float | None = None
    """Mean confidence of recognised text, None when every character came from a text layer."""
    faults: tuple[Fault, ...] = ()
    title: str | None = None
    """Title the container states (HTML title, first Markdown heading, Word title style); a hint only."""
    margin: tuple[str, ...] = ()
    """Page furniture taken out of the text: letterhead (红头), 抄送 and 印发 lines, running heads."""
    leads: tuple[Lead, ...] = ()
    """Attachments named by the page but not contained in the file."""
    url: str | None = None
    """Canonical address stated by the page itself."""


# --- structure -------------------------------------------------------------------------------------------------------


class Level(enum.Enum):
    """Units of a regulation (立法法 第六十五条), outermost first; the value is the Chinese term."""

    PART = "编"
    SUBPART = "分编"
    CHAPTER = "章"
    SECTION = "节"
    ARTICLE = "条"
    PARAGRAPH = "款"
    ITEM = "项"
    SUBITEM = "目"
    ANNEX = "附件"
    OUTLINE = "纲目"
    """一、（一）1. in documents without articles, and dotted clauses of standards."""
    PREAMBLE = "序言"
    """Citable text outside any article: 题注, preamble, covering order, signature block."""


@dataclass(frozen=True, slots=True)
class Provision:
    """One node of a regulation's structure (条文)."""

    level: Level
    number: str
    """The number as printed: ``第六条``, ``（一）``, ``1.``, ``附件2``; empty for paragraphs (款不编序号) and lost numbers."""
    label: str
    """Unique address inside the regulation: ``6``, ``6-1``, ``12.1-2-3`` (第十二条之一第二款第三项), ``c2``, ``三-二``, ``x1``."""
    heading: str
    """Title text after the number (总则); empty if none."""
    span: Span
    """Covers the number, the heading and every child."""
    children: tuple[Provision, ...] = ()
    prefix: str = ""
    """Legal path of the parent, e.g. ``第二章第六条``."""
    step: str = ""
    """Own part of the legal path; empty where the convention omits it (a sole 第一款, a preamble)."""

    def path(self) -> str:
        """Return the legal citation path, e.g. ``第二章第六条第一款``, or ``三（二）`` in documents without articles."""
        return self.prefix + self.step

    def walk(self) -> Iterator[Provision]:
        """Yield this provision and all below it, in text order."""
        yield self
        for child in self.children:
            yield from child.walk()


# --- facts and their evidence ----------------------------------------------------------------------------------------


class Origin(enum.StrEnum):
    """Who says so. A later member wins over an earlier one."""

    DERIVED = "推定"
    TEXT = "文本"
    MANIFEST = "清单"
    RELATION = "关联法规"
    ANALYST = "人工"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words a fact was read from, and where."""

    fact: str
    """Name of the field it supports, e.g. ``first_effective``."""
    words: str
    """Verbatim words, or for a manifest the field and value."""
    origin: Origin
    span: Span | None = None
    """Place in the regulation's own text; None when the words stand elsewhere."""


class Status(enum.StrEnum):
    """时效性 of a regulation or provision on one day."""

    UNKNOWN = "效力待核"
    PENDING = "尚未施行"
    IN_FORCE = "现行有效"
    AMENDED = "已被修改"
    REPEALED = "已废止"
    EXPIRED = "有效期届满"

    @property
    def may_answer(self) -> bool:
        """Whether a text of this status may be quoted as law of the day; unknown may, with its label."""
        return self in (Status.IN_FORCE, Status.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Scope:
    """A commencement of its own for some articles (第三条、第五条自…起施行)."""

    labels: tuple[str, ...]
    """Article labels, e.g. ``("3", "5")``."""
    effective: Day
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Validity:
    """When a text is law. Status is computed from it for a day and never stored.

    ``first_effective`` is the commencement clause of the text; ``version_effective`` the day this version came into
    force. A 修正 keeps the old clause, so the two differ for most amended texts.
    """

    promulgated: Day | None = None
    first_effective: Day | None = None
    version_effective: Day | None = None
    ends: Day | None = None
    """First day on which this text is no longer law."""
    ended_as: Status | None = None
    """AMENDED, REPEALED or EXPIRED; UNKNOWN when what ends it has no known commencement. Set exactly when ``ends`` is."""
    ended_by: str | None = None
    """Id or title of the regulation that ended it."""
    evidence: tuple[Evidence, ...] = ()
    scopes: tuple[Scope, ...] = ()
    amended: bool = False
    """The text is a later version (修正/修订) of an earlier one, so its clause date need not be this version's."""

    @property
    def effective(self) -> Day | None:
        """The day this version came into force; the clause date only when the text was never amended."""
        if self.version_effective is not None:
            return self.version_effective
        return None if self.amended else self.first_effective

    def on(self, day: Day, label: str | None = None) -> Status:
        """Return the status on ``day``, of the whole text or of the article ``label``.

        An end is believed before a start is asked for: a text known to be repealed is repealed even if nobody knows
        when it began. With no start at all the status is UNKNOWN, never a guess, but PENDING before its promulgation.
        """
        if self.ends is not None and day >= self.ends:
            return self.ended_as or Status.UNKNOWN
        start = self._start_of(label)
        if start is None:
            known = self.first_effective or self.promulgated
            return Status.PENDING if known is not None and day < known else Status.UNKNOWN
        return Status.PENDING if day < start else Status.IN_FORCE

    def _start_of(self, label: str | None) -> Day | None:
        if label is not None:
            article = label.split("-")[0]
            for scope in self.scopes:
                if article in scope.labels:
                    return scope.effective
        return self.effective

    def why(self, fact: str) -> Evidence | None:
        """Return the strongest evidence for a field, None when there is none."""
        found = [e for e in self.evidence if e.fact == fact]
        return max(found, key=lambda e: list(Origin).index(e.origin), default=None)


class RelationKind(enum.StrEnum):
    """How one regulation refers to another."""

    BASED_ON = "根据"
    IMPLEMENTS = "实施"
    AMENDS = "修改"
    AMENDED_BY = "被修改"
    REPEALS = "废止"
    FORWARDS = "印发"
    """A covering notice (通知) and the rule it issues."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A reference that changes or grounds the law, with the words it was read from."""

    kind: RelationKind
    target_title: str
    words: str
    target_number: str | None = None
    """发文字号 named beside the title."""
    target_id: str | None = None
    """Set when the target is held."""
    span: Span | None = None
    from_day: Day | None = None
    """First day of the effect, when it differs from the regulation's own commencement."""


# --- the lake --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Regulation:
    """One text of one regulation: two sites with the same text are one; same title and issuer are versions (法规)."""

    id: str
    title: str
    text: str
    provisions: tuple[Provision, ...]
    """Top-level nodes in text order."""
    validity: Validity
    file: str
    """Name of the file as uploaded."""
    sha256: str
    """Hash of the raw file the text was read from."""
    short_title: str = ""
    document_number: str | None = None
    issuer: str | None = None
    level: str | None = None
    """效力级别 by its Chinese name, e.g. ``地方性法规``."""
    province: str = "cn"
    doc_class: str | None = None
    assets: tuple[str, ...] = ()
    """Empty means: bears on every asset."""
    nature: str = "binding"
    """``binding``, or why it may not be cited as law: draft, interpretation, notice, case_decision, news."""
    version_date: Day | None = None
    relations: tuple[Relation, ...] = ()
    url: str | None = None
    pages: tuple[Page, ...] = ()
    parser: str = ""
    ocr_confidence: float | None = None
    faults: tuple[Fault, ...] = ()
    facts: tuple[Evidence, ...] = ()
    """Where title, number, issuer, level, province, class … were read from; both readings when two disagree."""
    notes: Mapping[str, object] = field(default_factory=dict)
    """Manifest fields that Nemo does not know."""

    def walk(self) -> Iterator[Provision]:
        """Yield every provision in text order, parents before children."""
        for provision in self.provisions:
            yield from provision.walk()

    def find(self, label: str) -> Provision | None:
        """Return the provision with this label, None if there is none."""
        return next((p for p in self.walk() if p.label == label), None)

    def chain(self, span: Span) -> tuple[Provision, ...]:
        """Return the provisions that contain ``span``, outermost first; the last is the smallest."""
        found: list[Provision] = []
        level: Sequence[Provision] = self.provisions
        while inside := next((p for p in level if p.span.contains(span)), None):
            found.append(inside)
            level = inside.children
        return tuple(found)

    def page_numbers(self, span: Span) -> tuple[int, ...]:
        """Return the physical pages that ``span`` touches; empty for formats without pages."""
        return tuple(p.number for p in self.pages if p.span.overlaps(span))


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable slice: one article, or a 款/项 group of a long one (片段). ``text == span.of(regulation.text)``."""

    id: str
    """``{regulation_id}:{start}-{end}``."""
    regulation_id: str
    label: str
    """Label of the provision it belongs to."""
    span: Span
    text: str

    @staticmethod
    def id_of(regulation_id: str, span: Span) -> str:
        """Return the id of the chunk that ``span`` of this regulation makes."""
        return f"{regulation_id}:{span.start}-{span.end}"


FOREVER = 99991231
"""``Facets.ends`` of a text without a known end."""


@dataclass(frozen=True, slots=True)
class Facets:
    """All an index keeps beside an id; days as yyyymmdd integers."""

    regulation_id: str
    province: str
    doc_class: str
    assets: tuple[str, ...]
    effective: int
    """0 when unknown: an unknown start does not hide a text, its status says 效力待核."""
    ends: int = FOREVER


@dataclass(frozen=True, slots=True)
class Filters:
    """What the analyst narrowed the question to; None means anywhere.

    A province always brings national texts along, an asset always brings texts that bear on every asset.
    """

    province: str | None = None
    asset: str | None = None
    doc_class: str | None = None
    day: Day | None = None


# --- the way out -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mention:
    """A regulation and provision that the question itself names (电力法第二十五条)."""

    words: str
    title: str | None = None
    document_number: str | None = None
    standard: str | None = None
    article: str | None = None
    """Article label without paragraphs, e.g. ``25`` or ``12.1``."""
    paragraph: int | None = None
    item: int | None = None
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


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that retrieval brought up (召回结果)."""

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
    """Return the citation of ``span`` of a regulation, with its status on ``day``."""
    chain = regulation.chain(span)
    unit = next((p for p in reversed(chain) if p.level is Level.ARTICLE), None)
    last = chain[-1] if chain else None
    validity = regulation.validity
    label = last.label if last else ""
    basis = validity.why("version_effective") or (None if validity.amended else validity.why("first_effective"))
    scope = next((s for s in validity.scopes if unit is not None and unit.label in s.labels), None)
    status = validity.on(day, label)
    ended = validity.why("ends") if validity.ends is not None and day >= validity.ends else None
    status_basis = ended or (scope.evidence if scope else basis)
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
        effective=scope.effective if scope else validity.effective,
        effective_basis=scope.evidence.words if scope else (basis.words if basis else None),
        version_date=regulation.version_date,
        status=status,
        status_evidence=status_basis.words if status_basis else None,
        day=day,
        url=regulation.url,
        recognised=regulation.ocr_confidence,
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

    def __post_init__(self) -> None:
        if bool(self.quotes) == (self.refusal is not None):
            raise ValueError("an answer holds quotes or a refusal, never both and never neither")
