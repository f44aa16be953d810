"""What a provision is read with when it is held against a question: its headings, its table and its notes (条文所在)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nemo.answer.judgement.tables import FoundRow, found_row
from nemo.rerank.terms import fold
from nemo.text.structure.passage import headings
from nemo.text.structure.tables import tables
from nemo.text.words.normalise import normalise
from nemo.types import Level, Regulation, Span, Table

TABLE = 1_500
"""So many characters before a row of a table may name its columns."""
LEAD_IN = 120
"""So many characters before a table may say what its figures are."""
SHORT = 80
"""A provision of fewer characters is read together with the one it belongs to."""
OPENING = re.compile(r"[^。；：\n]{1,30}(?=[。\n])")
"""The sentence in which a unit of a paper opens, where it is as short as a heading (（二）完善抽水蓄能容量电价机制。)."""
Likeness = Callable[[str, str], float]
"""How near in meaning the nearest word of a folded text is to a word."""


def unlike(word: str, text: str) -> float:
    """Know nothing of the meaning of words."""
    return 0.0


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """A provision with all that says what it is about."""

    passage: str
    """Folded text of the provision."""
    under: str
    """Folded title of its text and the headings it stands under."""
    regulation: Regulation
    row: FoundRow | None = None
    """The row of a table that it is."""
    in_table: bool = False
    own: str = ""
    """Folded text of the unit that was found, where the provision is read with the one it belongs to."""
    article: str = ""
    """Folded text of the article alone, of the provision where there is none."""
    around: str = ""
    """Folded text of a row or a note with what stands around its table; empty for any other."""
    likeness: Likeness = unlike

    @property
    def frame(self) -> str:
        """Folded words that may name what it states a value of: itself, what it stands under and its title."""
        return f"{fold(self.regulation.title)} {self.under} {self.around or self.passage}"

    def means(self, word: str, least: float) -> bool:
        """Tell whether it has a word that is at least so near in meaning (停机 and 停运)."""
        return self.likeness(word, self.around or self.passage) >= least

    @property
    def words(self) -> str:
        """Everything it says of itself."""
        return self.under + self.passage


@lru_cache(1024)
def tight(text: str) -> str:
    """Return folded words without the blanks and breaks that papers have between figures and their units (30 日)."""
    return fold(normalise(text).text)


def evidence_of(regulation: Regulation, span: Span, likeness: Likeness = unlike) -> EvidenceText:
    """Return the provision around a stretch of a regulation as evidence, with what it stands under."""
    chain = regulation.chain(span)
    article = next((p for p in reversed(chain) if p.level is Level.ARTICLE), None)
    units = [article] if article else [p for p in reversed(chain) if p.span.end - p.span.start <= TABLE]
    unit = next((p.span for p in units if p.span.end - p.span.start >= SHORT), units[-1].span if units else span)
    passage = unit.of(regulation.text)
    in_table = "|" in span.of(regulation.text)
    if in_table:
        passage = regulation.text[max(0, unit.start - TABLE) : unit.end]
    alone = tight(article.span.of(regulation.text) if article else passage)
    row = found_row(regulation, span)
    under = fold(f"{regulation.title} {headings(regulation, span)}")
    in_table = in_table or row is not None
    own = span.of(regulation.text)
    table = row.table if row else _noted(regulation, span)
    around = tight(f"{own} {row.label if row else ''} {_around(table, regulation)}") if table else ""
    return EvidenceText(tight(passage), under, regulation, row, in_table, tight(own), alone, around, likeness)


def quoted(regulation: Regulation, span: Span, beside: Sequence[Span | None], likeness: Likeness) -> EvidenceText:
    """Return the words of a quote, with what stands beside it, as evidence: they alone are what its reader sees."""
    places = sorted((place for place in (span, *beside) if place is not None), key=lambda place: place.start)
    said = tight("\n".join(place.of(regulation.text) for place in places))
    under = fold(f"{regulation.title} {headings(regulation, span)} {_opening(regulation, span)}")
    whole = evidence_of(regulation, span)
    own = tight(span.of(regulation.text))
    return EvidenceText(said, under, regulation, None, False, own, whole.article, whole.around, likeness)


def _opening(regulation: Regulation, span: Span) -> str:
    """Return the short sentences that open the units of a paper above a stretch and name their matter as a heading does."""
    units = (unit.span.of(regulation.text) for unit in regulation.chain(span) if unit.level is Level.OUTLINE)
    opened = (OPENING.match(text) for text in units)
    return " ".join(found[0] for found in opened if found)


def _noted(regulation: Regulation, span: Span) -> Table | None:
    """Return the table that words stand below as its notes."""
    held = tables(regulation.text)
    return next((t for t in held if any(note.overlaps(span) for note in t.notes)), None)


def _around(table: Table, regulation: Regulation) -> str:
    """Return what leads to a table, its caption, unit, columns and notes."""
    places = [p for p in (table.caption, table.unit, table.head, *table.notes) if p is not None]
    top = min(p.start for p in (*places, table.span))
    line = regulation.text.rfind("\n", 0, len(regulation.text[:top].rstrip())) + 1
    lead = Span(max(line, top - LEAD_IN), table.span.start)
    return " ".join(place.of(regulation.text) for place in (lead, *places))
