"""Where in a stored text a fact about it stands (依据所在)."""

from dataclasses import dataclass

from nemo.lawview.concordance import ender
from nemo.store.library import Library
from nemo.text.law.history import history
from nemo.text.words.normalise import title_key
from nemo.text.words.sentences import safe, trim
from nemo.types import Evidence, Level, Regulation, RelationKind, Span

WHOLE = 260
"""An article of at most this many characters is quoted whole as a proof."""


@dataclass(frozen=True)
class ProofPlace:
    """A stretch of a stored text that proves a fact."""

    regulation: Regulation
    span: Span

    def __hash__(self) -> int:
        return hash((self.regulation.id, self.span))


@dataclass(frozen=True, slots=True)
class LawFact:
    """A fact in one Chinese phrase and what proves it."""

    words: str
    proofs: tuple[ProofPlace, ...]
    tips: tuple[str, ...] = ()
    inferred: bool = False
    """It is worked out (推定): the proof does not state it."""


def around(regulation: Regulation, span: Span) -> ProofPlace:
    """Return the whole sentences around a span, a short article whole, a note under the title as it stands."""
    provision = regulation.unit(span)
    if provision is None:
        return ProofPlace(regulation, trim(regulation.text, span))
    if provision.level is Level.PREAMBLE:
        said = trim(regulation.text, safe(regulation.text, provision, span))
        sentence = said.end - said.start <= WHOLE and regulation.text[said.end - 1] == "。"
        return ProofPlace(regulation, said if sentence else trim(regulation.text, span))
    whole = trim(regulation.text, provision.span)
    if whole.end - whole.start <= WHOLE:
        return ProofPlace(regulation, whole)
    return ProofPlace(regulation, trim(regulation.text, safe(regulation.text, provision, span)))


def by_evidence(regulation: Regulation, evidence: Evidence | None) -> tuple[ProofPlace, ...]:
    """Return the place of a fact's own words, nothing when they stand elsewhere."""
    if evidence is None or evidence.span is None:
        return ()
    return (around(regulation, evidence.span),)


def by_fact(regulation: Regulation, *facts: str) -> tuple[ProofPlace, ...]:
    """Return the place where one of the facts about a text (issuer, document_number …) was read from."""
    for fact in facts:
        for evidence in regulation.facts:
            if evidence.fact == fact and evidence.span is not None:
                return (around(regulation, evidence.span),)
    return ()


def note(regulation: Regulation) -> tuple[ProofPlace, ...]:
    """Return the note under the title (题注), from its first event to its last."""
    spans = [event.span for event in history(regulation.text)]
    whole = Span(min(span.start for span in spans), max(span.end for span in spans)) if spans else None
    return (ProofPlace(regulation, whole),) if whole else ()


def moved(evidence: Evidence | None, library: Library) -> tuple[ProofPlace, ...]:
    """Return the words of the notice that moved a day (推迟施行、延长有效期); nothing where a day is none that was moved."""
    if evidence is None or evidence.span is not None:
        return ()
    for row in library.rows():
        for relation in row.relations:
            said = evidence.words.startswith(f"《{row.title}》{relation.words}")
            if relation.moves_days and relation.span and said:
                return (around(library.regulation(row.id), relation.span),)
    return ()


def commencement(regulation: Regulation, library: Library) -> tuple[ProofPlace, ...]:
    """Return the commencement clause, or what the start of this version was read from; the notice that put it off first."""
    known = regulation.validity
    found = moved(known.why("version_effective"), library)
    found += by_evidence(regulation, known.why("first_effective")) + by_evidence(
        regulation, known.why("version_effective")
    )
    return tuple(dict.fromkeys(found)) or _read_elsewhere(regulation)


def _read_elsewhere(regulation: Regulation) -> tuple[ProofPlace, ...]:
    """Return the place of words that a stronger statement outweighs, or the note under the title."""
    spans = [e.span for e in regulation.validity.evidence if e.span is not None and e.fact.endswith("effective")]
    return (around(regulation, spans[0]),) if spans else note(regulation)


def ending(regulation: Regulation, library: Library) -> tuple[ProofPlace, ...]:
    """Return the clause that ended a text: its own, that of the text that repealed it, or its next version's start."""
    evidence = regulation.validity.why("ends")
    if evidence is None or (evidence.span is not None and not regulation.validity.ended_by):
        return by_evidence(regulation, evidence)
    row = ender(regulation.validity, library.rows())
    if row is None:
        return moved(evidence, library) or by_evidence(regulation, evidence)
    other = library.regulation(row.id)
    for relation in other.relations:
        same = title_key(relation.target_title) == title_key(regulation.title)
        if relation.kind is RelationKind.REPEALS and same and relation.span is not None:
            return (around(other, relation.span),)
    place = other.text.find(evidence.words)
    if place >= 0:
        return (around(other, Span(place, place + len(evidence.words))),)
    return commencement(other, library)
