"""What took the place of repealed law: the text that repealed it, its clause, and the new provision for an old one (新旧条文对应).

Provisions correspond by what they say, never by their numbers; how alike they are is always told.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nemo.lawview import comparison
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import title_key
from nemo.types import Level, Regulation, RelationKind, Status, Validity, article_in

CORRESPONDS = 0.3
"""Likeness from which a provision of the new text is offered for one of the old."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """A provision of the new text that corresponds to one of the repealed text."""

    old: str
    """The old provision in words: 第三十条."""
    new_title: str
    label: str
    article: str
    likeness: float

    @property
    def said(self) -> str:
        """For the reader of a quote or a refusal."""
        return f"{self.old}在新法中的相应条文：{in_marks(self.new_title)}{self.article}（文字相近 {self.likeness:.0%}），请核对后引用"


def ender(validity: Validity, rows: Sequence[RegulationRow]) -> RegulationRow | None:
    """Return the held text that ended another, None when it is not held or none did."""
    by = validity.ended_by
    if not by:
        return None
    found = next((r for r in rows if by in (r.id, r.file)), None)
    return found or next((r for r in rows if title_key(r.title) == title_key(by)), None)


def pairs(old: Regulation, new: Regulation) -> dict[str, Counterpart]:
    """Return for the label of each old article the article of ``new`` that says what it said, where one is alike enough."""
    return {
        pair.old.label: Counterpart(pair.old.number, new.title, pair.new.label, pair.new.number, pair.likeness)
        for pair in comparison.diff(old, new).pairs
        if pair.old is not None and pair.new is not None and pair.old.level is pair.new.level is Level.ARTICLE
        if pair.likeness >= CORRESPONDS
    }


def ended_how(regulation: Regulation, rows: Sequence[RegulationRow], held: Callable[[str], Regulation]) -> str:
    """Return by which text and clause a text was repealed: 被《演示法》第九十条废止; empty when nobody knows."""
    known = regulation.validity
    if known.ended_as is not Status.REPEALED or not known.ended_by:
        return ""
    row = ender(known, rows)
    if row is None:
        return f"被{in_marks(known.ended_by)}废止"
    other, key = held(row.id), title_key(regulation.title)
    spans = [r.span for r in other.relations if r.kind is RelationKind.REPEALS and title_key(r.target_title) == key]
    article = article_in(other.chain(spans[0])) if spans and spans[0] is not None else None
    return f"被{in_marks(row.title)}{article.step if article else ''}废止"
