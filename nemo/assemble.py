"""ParsedDocument → Regulation: structure, facts and relations of each text in a file, with what the analyst states.

A notice (通知) with an attached rule is one file with two regulations. Both keep the text of the whole file, so that
every offset is an offset into the file; their provisions cover their own part only.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import replace

from nemo.manifest import Facts
from nemo.rules import Rules
from nemo.text.enclosed import split_enclosed
from nemo.text.metadata import Description, describe
from nemo.text.references import relations
from nemo.text.structure import structure
from nemo.types import (
    Evidence,
    Fault,
    Origin,
    ParsedDocument,
    Provision,
    RawDocument,
    Regulation,
    Relation,
    RelationKind,
    Scope,
    Status,
    Validity,
)

STATED = ("title", "short_title", "document_number", "issuer", "level", "province", "doc_class", "nature", "url")
"""Facts that go into the regulation as they are stated."""


def regulations_in(raw: RawDocument, parsed: ParsedDocument, facts: Facts, rules: Rules) -> list[Regulation]:
    """Return the regulations of one file; stated facts belong to the main one (the attached rule, else the only one)."""
    parts = split_enclosed(parsed)
    found = []
    for part in parts:
        offset = parsed.text.find(part.text)
        found.append(_regulation(raw, parsed, part, max(offset, 0), rules))
    main = next((i for i, r in enumerate(found) if not _forwards(r)), 0) if len(found) > 1 else 0
    return [_stated(r, facts, rules) if i == main else r for i, r in enumerate(found)]


def _forwards(regulation: Regulation) -> bool:
    return any(r.kind is RelationKind.FORWARDS for r in regulation.relations)


def _regulation(
    raw: RawDocument, parsed: ParsedDocument, part: ParsedDocument, offset: int, rules: Rules
) -> Regulation:
    tree = structure(part.text, part.pages)
    about = describe(part, raw.name, tree, rules)
    whole = part.text == parsed.text
    digest = hashlib.sha256((parsed.text if whole else f"{offset}\n{part.text}").encode()).hexdigest()
    return Regulation(
        id=digest[:16],
        title=about.title,
        short_title=about.short_title,
        text=parsed.text,
        provisions=tuple(_moved(p, offset) for p in tree.provisions),
        validity=_moved_validity(about.validity, offset),
        file=raw.name,
        sha256=raw.sha256,
        document_number=about.document_number,
        issuer=about.issuer,
        level=about.level,
        province=about.province or "cn",
        doc_class=about.doc_class,
        assets=about.assets,
        nature=about.nature,
        version_date=about.version_date,
        relations=_relations(part, tree.provisions, about, offset),
        url=raw.url or parsed.url,
        pages=parsed.pages,
        parser=parsed.parser,
        ocr_confidence=parsed.ocr_confidence,
        faults=parsed.faults + tuple(_moved_fault(f, offset) for f in tree.faults),
        facts=tuple(_moved_evidence(e, offset) for e in about.facts),
    )


def _relations(
    part: ParsedDocument, provisions: Sequence[Provision], about: Description, offset: int
) -> tuple[Relation, ...]:
    found = relations(part.text, provisions, about.title)
    return tuple(replace(r, span=r.span.shift(offset) if r.span else None) for r in found)


# --- moving a part to its place in the file --------------------------------------------------------------------------


def _moved(provision: Provision, offset: int) -> Provision:
    if not offset:
        return provision
    children = tuple(_moved(c, offset) for c in provision.children)
    return replace(provision, span=provision.span.shift(offset), children=children)


def _moved_evidence(evidence: Evidence, offset: int) -> Evidence:
    return replace(evidence, span=evidence.span.shift(offset)) if offset and evidence.span else evidence


def _moved_fault(fault: Fault, offset: int) -> Fault:
    return replace(fault, span=fault.span.shift(offset)) if offset and fault.span else fault


def _moved_validity(validity: Validity, offset: int) -> Validity:
    if not offset:
        return validity
    evidence = tuple(_moved_evidence(e, offset) for e in validity.evidence)
    scopes = tuple(Scope(s.labels, s.effective, _moved_evidence(s.evidence, offset)) for s in validity.scopes)
    return replace(validity, evidence=evidence, scopes=scopes)


# --- what the analyst states -----------------------------------------------------------------------------------------


def _stated(regulation: Regulation, facts: Facts, rules: Rules) -> Regulation:
    """Return the regulation with the stated facts; what was read stays among its ``facts`` as evidence."""
    given = facts.stated()
    if not given and not facts.unknown:
        return regulation
    changes = {name: given[name] for name in STATED if name in given}
    if "nature" in changes:
        changes["nature"] = rules.nature(changes["nature"])
    if "title" in changes and "short_title" not in changes:
        changes["short_title"] = changes["title"].removeprefix("中华人民共和国")
    evidence = tuple(Evidence(name, str(value), Origin.MANIFEST) for name, value in changes.items())
    if facts.assets is not None:
        every = {a.code for a in rules.assets if a.code != "general"}
        changes["assets"] = () if set(facts.assets) >= every else tuple(facts.assets)
        evidence += (Evidence("assets", "、".join(facts.assets), Origin.MANIFEST),)
    return replace(
        regulation,
        **changes,
        version_date=facts.version_date or regulation.version_date,
        validity=_stated_validity(regulation.validity, facts),
        facts=regulation.facts + evidence,
        notes=facts.unknown,
    )


def _stated_validity(validity: Validity, facts: Facts) -> Validity:
    days: dict[str, dt.date | None] = {
        "promulgated": facts.promulgated,
        "first_effective": facts.effective_date,
        "version_effective": facts.in_force_from,
    }
    known = {name: day for name, day in days.items() if day is not None}
    evidence = [Evidence(name, f"清单：{day.isoformat()}", Origin.MANIFEST) for name, day in known.items()]
    changed = replace(validity, **known)
    end = _stated_end(facts)
    if end is not None:
        day, status, by, words = end
        changed = replace(changed, ends=day, ended_as=status, ended_by=by)
        evidence.append(Evidence("ends", words, Origin.MANIFEST))
    return replace(changed, evidence=validity.evidence + tuple(evidence))


def _stated_end(facts: Facts) -> tuple[dt.date, Status, str | None, str] | None:
    if facts.repealed_on is not None:
        return facts.repealed_on, Status.REPEALED, None, f"清单：{facts.repealed_on} 废止"
    if facts.superseded_on is not None:
        by = facts.superseded_by
        return facts.superseded_on, Status.AMENDED, by, f"清单：{facts.superseded_on} 起由 {by or '新版本'} 取代"
    if facts.valid_until is not None:
        after = facts.valid_until + dt.timedelta(days=1)
        return after, Status.EXPIRED, None, f"清单：有效期至 {facts.valid_until}"
    return None


__all__ = ["regulations_in"]
