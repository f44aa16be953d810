"""The lake: regulations, their relations, and what the indexes keep of them."""

import bisect
import datetime as dt
import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from nemo.types.documents import Page
from nemo.types.figures import Picture
from nemo.types.places import Day, Fault, Span
from nemo.types.provisions import Level, Provision, article_in
from nemo.types.quality import MARKED, UNQUOTABLE, PageQuality, faults_at, quality_of
from nemo.types.validity import Evidence, Origin, Status, Validity


class RelationKind(enum.StrEnum):
    """How one regulation refers to another."""

    BASED_ON = "根据"
    IMPLEMENTS = "实施"
    AMENDS = "修改"
    AMENDED_BY = "被修改"
    REPEALS = "废止"
    EXTENDS = "延长有效期"
    """It lets another text apply beyond its term; ``from_day`` is the first day on which that ends, None when it is counted."""
    POSTPONES = "推迟施行"
    """It puts off the start of another text to ``from_day``, None when it names no day (暂缓施行)."""
    FORWARDS = "印发"
    """A covering notice (通知) and the rule it issues."""


CITABLE = frozenset(("binding", "standard"))
"""Natures (文件性质) of what may be cited as a rule: official papers and technical or vocational standards."""


NATIONAL_LEVELS = frozenset(("宪法", "法律", "行政法规", "监察法规", "司法解释", "部门规章", "强制性国家标准"))
"""Levels of force (效力级别) that only bodies of the nation give (立法法第十条、第七十二条、第九十一条、第一百一十八条、第一百一十九条；标准化法第十条)."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A reference that changes or grounds the law, with the words it was read from."""

    kind: RelationKind
    target_title: str
    words: str
    target_number: str | None = None
    """发文字号 named beside the title."""
    span: Span | None = None
    from_day: Day | None = None
    """First day of the effect, when it differs from the regulation's own commencement."""
    origin: Origin = Origin.TEXT
    """MANIFEST when a manifest states it and the text was not found to say so."""

    @property
    def moves_days(self) -> bool:
        """Whether it moves the start or the end of another text."""
        return self.kind in (RelationKind.EXTENDS, RelationKind.POSTPONES)


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
    """``binding`` or ``standard``, or why it may not be cited as law: draft, interpretation, notice, case_decision, report, news,
    unconfirmed."""
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
    pictures: tuple[Picture, ...] = ()
    """Of its own part of the file; tables and formulas are read from the text."""

    def told(self, fact: str) -> Iterator[Evidence]:
        """Yield what a fact was read from; nothing for one that nothing tells."""
        for evidence in (*self.facts, *self.validity.evidence):
            if evidence.fact.partition(":")[0] == fact or evidence.field == fact:
                yield evidence

    @property
    def unplaced(self) -> bool:
        """Whether nothing tells of which province a text is, nor a level by itself: then it is no rule of the nation's either."""
        by_level = self.issuer is None and self.level in NATIONAL_LEVELS
        return self.province == "cn" and not by_level and not any(self.told("province"))

    @property
    def home(self) -> str:
        """Code of whose rule it is: the nation's or a province's; empty where nothing tells it."""
        return "" if self.unplaced else self.province

    def walk(self) -> Iterator[Provision]:
        """Yield every provision in text order, parents before children."""
        for provision in self.provisions:
            yield from provision.walk()

    def articles(self) -> list[Provision]:
        """Return the articles (条), in text order."""
        return [p for p in self.walk() if p.level is Level.ARTICLE]

    def find(self, label: str) -> Provision | None:
        """Return the provision with this label, None if there is none."""
        return next((p for p in self.walk() if p.label == label), None)

    def chain(self, span: Span) -> tuple[Provision, ...]:
        """Return the provisions that contain ``span``, outermost first; the last is the smallest."""
        found: list[Provision] = []
        level: Sequence[Provision] = self.provisions
        while inside := _around(level, span):
            found.append(inside)
            level = inside.children
        return tuple(found)

    def unit(self, span: Span) -> Provision | None:
        """Return the provision that ``span`` is cited by: its article, or the smallest unit of a text without articles."""
        chain = self.chain(span)
        return article_in(chain) or (chain[-1] if chain else None)

    def page_numbers(self, span: Span) -> tuple[int, ...]:
        """Return the physical pages that ``span`` touches; empty for formats without pages."""
        return tuple(p.number for p in self.pages if p.span.overlaps(span))

    def qualities(self, span: Span | None = None) -> tuple[PageQuality, ...]:
        """Return what the words of each page are worth, or those of the pages and places that ``span`` touches."""
        touched = [page for page in self.pages if span is None or page.span.overlaps(span)]
        return tuple(quality_of(page, self.text, self.faults, span) for page in touched)

    def doubted(self, span: Span) -> tuple[str, ...]:
        """Return the warnings that a quote of ``span`` must carry, for text with pages and text without."""
        weak = [quality for quality in self.qualities(span) if quality.weak]
        said = {quality.why for quality in weak}
        marked = [f.message for f in faults_at(self.faults, span) if f.code in MARKED]
        more = (message for message in marked if message.rstrip("。") not in said)
        return tuple(dict.fromkeys((*(f"第{q.page}页{q.why}，引用前请对照原页。" for q in weak), *more)))

    def unquotable(self, span: Span) -> bool:
        """Whether ``span`` holds something that could not be read, such as a formula."""
        return any(fault.code in UNQUOTABLE for fault in faults_at(self.faults, span))

    def recognised(self, span: Span) -> float | None:
        """Return the mean confidence of the lines that OCR read ``span`` from; None when none of it was recognised.

        A text whose lines were not kept has one confidence for all of it.
        """
        if not any(page.recognised for page in self.pages):
            return self.ocr_confidence
        pages = [page for page in self.pages if page.recognised and page.span.overlaps(span)]
        if not pages:
            return None
        read = [line for page in pages for line in page.lines_of(span, self.text)]
        total = sum(len(line.text) for line in read)
        return sum(line.confidence * len(line.text) for line in read) / total if total else self.ocr_confidence


@dataclass(frozen=True, slots=True)
class RegulationRow:
    """One held regulation without its text (法规目录行)."""

    id: str
    first: int
    """Number of its first chunk; unique in the library for all time."""
    count: int
    """How many chunks it has."""
    change: int
    """Generation in which this text was stored."""
    title: str
    short_title: str
    document_number: str | None
    issuer: str | None
    level: str | None
    province: str
    doc_class: str | None
    assets: tuple[str, ...]
    nature: str
    version_date: Day | None
    validity: Validity
    """As read from the text; with the other held texts when it comes from ``Library.rows``."""
    relations: tuple[Relation, ...]
    url: str | None
    file: str
    sha256: str
    parser: str
    ocr_confidence: float | None
    characters: int
    articles: int
    pages: int
    faults: int
    text_sha256: str
    stored_at: dt.datetime
    embedded: bool
    """It has vectors of the library's embedder; without them only lexical search finds it."""
    points: int = 0
    """Of a text without articles, how many points (一、二、) of the first order it has."""


HeldText = Regulation | RegulationRow


def as_law(held: HeldText) -> Validity:
    """Return when a text is law: what is none (a draft, a report) begins on no day, whatever days it names."""
    return held.validity if held.nature in CITABLE else Validity(promulgated=held.validity.promulgated)


def status_of(held: HeldText, day: Day, label: str | None = None) -> Status:
    """Return what a text, or one provision of it, is on a day; what is no law has no status."""
    return held.validity.on(day, label) if held.nature in CITABLE else Status.UNKNOWN


_START = attrgetter("span.start")


def _around(level: Sequence[Provision], span: Span) -> Provision | None:
    """Return the first provision of one level that contains ``span``; they stand in text order and do not overlap."""
    at = bisect.bisect_right(level, span.start, key=_START) - 1
    if at > 0 and level[at - 1].span.contains(span):  # an empty span on the border of two belongs to the first
        at -= 1
    return level[at] if at >= 0 and level[at].span.contains(span) else None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A retrievable slice: one article, or a 款/项 group of a long one (片段).

    ``text`` is what rules and indexes read: ``span.of(regulation.text)``, with simplified for traditional characters, one
    for one. What is shown is always cut out of the regulation.
    """

    id: str
    """``{regulation_id}:{start}-{end}``."""
    regulation_id: str
    label: str
    """Label of the provision it belongs to."""
    span: Span
    text: str

    def __hash__(self) -> int:
        """Chunks that are equal have one id."""
        return hash(self.id)

    @staticmethod
    def id_of(regulation_id: str, span: Span) -> str:
        """Return the id of the chunk that ``span`` of this regulation makes."""
        return f"{regulation_id}:{span.start}-{span.end}"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the analyst narrowed the question to; None means anywhere.

    A province always brings national texts along, an asset always brings texts that bear on every asset.
    """

    province: str | None = None
    asset: str | None = None
    doc_class: str | None = None
    day: Day | None = None
    corpora: tuple[str, ...] = ()
    """Names of the corpora that alone are searched (资料集); none: everything that the person may see."""
    top_k: int | None = None
    """At most so many quotes and ranked provisions."""
    threshold: float | None = None
    """Greatest distance by meaning, one minus the cosine, that a candidate may have."""
