"""How far the words of a page may be quoted (可引用程度): a sound text layer, recognised by OCR, or damaged."""

import enum
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from nemo.types.documents import Page
from nemo.types.places import Fault, Span

WEAK_CONFIDENCE = 0.9
"""Mean OCR confidence of a page below which wrong characters are likely."""

_HARMLESS = frozenset(
    (
        "annex_missing",
        "article_gap",
        "attachments_elsewhere",
        "item_numbers_lost",
        "outline_gap",
        "page_furniture",
        "removed",
    )
)
"""Codes of faults that leave the words standing beside them whole."""


UNQUOTABLE = frozenset(("formula_unreadable",))
"""Codes of faults whose words must not be offered as an answer while there are better ones."""


MARKED = UNQUOTABLE | {"few_words", "layer_differs", "picture_recognised", "strange_characters"}
"""Codes of faults that say: the words here may not be those of the paper. A quote that touches one carries it."""


class TextQuality(enum.StrEnum):
    """What the words of a page are worth."""

    SOUND = "文字层完好"
    RECOGNISED = "图像识别"
    DAMAGED = "文字受损"


@dataclass(frozen=True, slots=True)
class PageQuality:
    """What the words of one page, or of a stretch of it, are worth."""

    page: int
    quality: TextQuality
    confidence: float | None = None
    """Mean OCR confidence 0..1 of what was recognised."""
    why: str = ""
    """Chinese; empty for a sound page."""
    unsure: str = ""
    """Days, numbers and amounts that OCR read unsurely, joined by 、."""

    @property
    def weak(self) -> bool:
        """Whether a reader must look at the original before quoting."""
        return self.quality is not TextQuality.SOUND

    @property
    def summary(self) -> str:
        """The quality in the words for a reader: 图像识别，置信度 0.87."""
        return self.quality.value + (f"，置信度 {self.confidence:.2f}" if self.confidence is not None else "")


def is_unusable(char: str) -> bool:
    """Whether a character means nothing outside its font: private use, replacement, control, unassigned."""
    return char == "\ufffd" or unicodedata.category(char) in ("Co", "Cc", "Cn", "Cs")


def faults_at(faults: Iterable[Fault], span: Span) -> list[Fault]:
    """Return the faults that touch a stretch of a text and may have harmed its words."""
    return [f for f in faults if f.span and f.span.overlaps(span) and f.code not in _HARMLESS]


def quality_of(page: Page, text: str, faults: Iterable[Fault], within: Span | None = None) -> PageQuality:
    """Judge a page of a text, or the part of it that ``within`` covers; only faults with a place count."""
    part = Span(max(page.span.start, within.start), min(page.span.end, within.end)) if within else page.span
    bad = sum(is_unusable(char) for char in part.of(text) if not char.isspace())
    fault = next(iter(faults_at(faults, part)), None)
    confidence = _confidence(page, part, text)
    if bad or fault is not None:
        why = f"有 {bad} 处字符无法显示" if bad else fault.message.rstrip("。") if fault else ""
        return PageQuality(page.number, TextQuality.DAMAGED, confidence, why)
    if confidence is None:
        return PageQuality(page.number, TextQuality.SOUND)
    unsure = "、".join(dict.fromkeys(line.unsure for line in page.lines_of(part, text) if line.unsure))
    low = "，很可能有错字" if confidence < WEAK_CONFIDENCE else ""
    doubt = f"，“{unsure}”识别存疑" if unsure else ""
    return PageQuality(page.number, TextQuality.RECOGNISED, confidence, f"文字由图像识别而来{low}{doubt}", unsure)


def _confidence(page: Page, part: Span, text: str) -> float | None:
    """Return the mean confidence of the recognised lines of a stretch, None on a page with a text layer."""
    read = page.lines_of(part, text)
    total = sum(len(line.text) for line in read)
    return sum(line.confidence * len(line.text) for line in read) / total if total else None
