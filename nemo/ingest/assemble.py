"""ParsedDocument → Regulation: structure, facts and relations of each text in a file, with what the analyst states.

A notice (通知) with an attached rule is one file with two regulations. Both keep the text of the whole file, so that
every offset is an offset into the file; their provisions cover their own part only.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from nemo.ingest.manifest import KnownFacts, StatedFacts
from nemo.rules import Rules
from nemo.text.facts.description import NATIONAL, Description, describe
from nemo.text.law.references import relations, with_stated
from nemo.text.law.stated import signed, statement
from nemo.text.letter.enclosed import is_enclosed, split_enclosed
from nemo.text.structure.tree import structure
from nemo.text.words.normalise import simplified
from nemo.types import (
    CITABLE,
    Evidence,
    Fault,
    Origin,
    ParsedDocument,
    Provision,
    RawDocument,
    Regulation,
    Relation,
    Scope,
    Span,
    Validity,
)

Placed = TypeVar("Placed", Evidence, Fault, Relation)


def regulations_in(
    raw: RawDocument,
    parsed: ParsedDocument,
    facts: KnownFacts,
    rules: Rules,
    edited: Mapping[str, StatedFacts] | None = None,
) -> list[Regulation]:
    """Return the regulations of one file.

    ``facts`` are stated about its main regulation (the attached rule, else the only one); what was ``edited``, by
    the ids of regulations, wins over them.
    """
    read = _simplified(parsed)
    parts = split_enclosed(read)
    main = next((at for at, part in enumerate(parts) if is_enclosed(part, parts[0])), 0)
    found = []
    for number, part in enumerate(parts):
        given = facts if number == main else KnownFacts()
        place = Span(offset := read.text.find(part.text), offset + len(part.text))
        own = id_of(parsed.text, place)
        stated = edited.get(own, StatedFacts()) if edited else StatedFacts()
        regulation = _regulation(raw, read, part, stated.over(given), rules)
        if any(is_enclosed(other, part) for other in parts):
            here = tuple(fault for fault in regulation.faults if fault.code != "annex_missing")
            regulation = replace(regulation, faults=here)
        found.append(replace(_verbatim(regulation, parsed.text), id=own))
    return found


def _simplified(parsed: ParsedDocument) -> ParsedDocument:
    """The file as it is read: with simplified for traditional characters, one for one, so that every place stays."""
    title = simplified(parsed.title) if parsed.title else parsed.title
    margin = tuple(map(simplified, parsed.margin))
    return replace(parsed, text=simplified(parsed.text), title=title, margin=margin)


def _verbatim(regulation: Regulation, text: str) -> Regulation:
    """Give a regulation the text of its file, and what it was read from the words that stand there."""
    if regulation.text == text:
        return regulation

    def said(evidence: Evidence) -> Evidence:
        return replace(evidence, words=_words(evidence, regulation.text, text))

    days = tuple(map(said, regulation.validity.evidence))
    return replace(
        regulation,
        text=text,
        facts=tuple(map(said, regulation.facts)),
        validity=replace(regulation.validity, evidence=days),
        relations=tuple(replace(r, words=_words(r, regulation.text, text)) for r in regulation.relations),
    )


def _words(found: Evidence | Relation, read: str, text: str) -> str:
    here = found.span is not None and found.span.of(read) == found.words
    return found.span.of(text) if found.span is not None and here else found.words


def id_of(text: str, place: Span) -> str:
    """Return the id of the regulation that a part of a file's text is; it depends on the text alone."""
    whole = place == Span(0, len(text))
    own = text if whole else f"{place.start}\n{place.of(text)}"
    return hashlib.sha256(own.encode()).hexdigest()[:16]


def _regulation(
    raw: RawDocument, parsed: ParsedDocument, part: ParsedDocument, stated: StatedFacts, rules: Rules
) -> Regulation:
    facts = stated.facts
    offset = parsed.text.find(part.text)
    pictures = tuple(p for p in parsed.pictures if _is_own(p.span, offset, offset + len(part.text)))
    read = [p.span.shift(-offset) for p in pictures if p.span.start < p.span.end]
    tree = structure(part.text, part.pages, read)
    about = describe(part, raw.name, tree, rules, known=facts.stated())
    signed = _signed(about, stated.by_analyst, facts.url)
    return Regulation(
        id="",
        title=about.title,
        short_title=about.short_title,
        text=parsed.text,
        provisions=tuple(_moved(p, offset) for p in tree.provisions),
        validity=_moved_validity(signed.validity, offset),
        file=raw.name,
        sha256=raw.sha256,
        document_number=about.document_number,
        issuer=about.issuer,
        level=about.level,
        province=about.province or NATIONAL,
        doc_class=about.doc_class,
        assets=about.assets,
        nature=about.nature,
        version_date=about.version_date,
        relations=_relations(part, tree.provisions, about, offset, facts),
        url=facts.url or raw.url or parsed.url,
        pages=parsed.pages,
        parser=parsed.parser,
        ocr_confidence=parsed.ocr_confidence,
        faults=parsed.faults + tuple(_shifted(f, offset) for f in tree.faults),
        facts=tuple(_shifted(e, offset) for e in signed.facts),
        notes=facts.unknown | _without_effect(facts, about),
        pictures=pictures,
    )


def _is_own(place: Span, start: int, end: int) -> bool:
    """Whether a picture at a place belongs to the part; between two it belongs to the one above it."""
    return start < place.start <= end if start else place.start <= end


def _signed(about: Description, names: Collection[str], url: str | None) -> Description:
    """Return a description whose evidence for the facts ``names`` says that a person stated them (人工)."""
    if not names:
        return about

    def sign(evidence: Evidence) -> Evidence:
        by_person = evidence.field in names and evidence.origin is Origin.MANIFEST
        return signed(evidence) if by_person else evidence

    facts = tuple(map(sign, about.facts))
    if url and "url" in names:
        facts += (signed(statement("url", "url", url)),)
    days = tuple(map(sign, about.validity.evidence))
    return replace(about, facts=facts, validity=replace(about.validity, evidence=days))


def _relations(
    part: ParsedDocument, provisions: Sequence[Provision], about: Description, offset: int, facts: KnownFacts
) -> tuple[Relation, ...]:
    binding = about.nature in CITABLE
    found = relations(part.text, provisions, about.title, binding=binding)
    moved = [_shifted(r, offset) for r in found]
    return with_stated(moved, facts.stated(), binding=binding)


def _without_effect(facts: KnownFacts, about: Description) -> dict[str, object]:
    """Return what a manifest says that a draft amends and repeals; kept as notes, for nothing ends by it."""
    if about.nature in CITABLE:
        return {}
    return {name: titles for name, titles in facts.stated().items() if name in ("amends", "repeals") and titles}


# --- moving a part to its place in the file --------------------------------------------------------------------------


def _moved(provision: Provision, offset: int) -> Provision:
    if not offset:
        return provision
    children = tuple(_moved(c, offset) for c in provision.children)
    return replace(provision, span=provision.span.shift(offset), children=children)


def _shifted(one: Placed, offset: int) -> Placed:
    return replace(one, span=one.span.shift(offset)) if offset and one.span else one


def _moved_validity(validity: Validity, offset: int) -> Validity:
    if not offset:
        return validity
    evidence = tuple(_shifted(e, offset) for e in validity.evidence)
    scopes = tuple(Scope(s.labels, s.effective, _shifted(s.evidence, offset)) for s in validity.scopes)
    return replace(validity, evidence=evidence, scopes=scopes)
