"""The views of the law as plain data, for JSON (命令行、接口)."""

from dataclasses import asdict
from typing import Any

from nemo.lawview.comparison import ComparedProvision, ProvisionPair, VersionComparison
from nemo.lawview.ledger import Missing
from nemo.lawview.links import Link, Links
from nemo.lawview.timeline import Timeline
from nemo.store.catalogue.rows import RegulationRow
from nemo.types import Validity


def comparison(old: RegulationRow, new: RegulationRow, found: VersionComparison) -> dict[str, Any]:
    """Return a comparison of two versions."""
    return {
        "old": _version(old),
        "new": _version(new),
        "counts": found.counts,
        "pairs": [_pair(p) for p in found.pairs],
    }


def _version(row: RegulationRow) -> dict[str, Any]:
    named = {name: getattr(row, name) for name in ("id", "title", "document_number", "version_date", "file")}
    return {**named, "effective_date": row.validity.effective, **began(row.validity)}


def began(known: Validity) -> dict[str, Any]:
    """Return whether the start of a version is inferred (推定), and the days between which it then lies."""
    days = (known.effective, known.certain_from) if known.derived else (None, None)
    return {"effective_derived": known.derived, "effective_earliest": days[0], "effective_latest": days[1]}


def _pair(pair: ProvisionPair) -> dict[str, Any]:
    return {
        "kind": pair.kind.value,
        "renumbered": pair.renumbered,
        "likeness": round(pair.likeness, 3),
        "old": _side(pair.old),
        "new": _side(pair.new),
        "edits": [
            {"op": e.op.value, "old": e.old.of(pair.old.text), "new": e.new.of(pair.new.text)}
            for e in pair.edits
            if pair.old is not None and pair.new is not None
        ],
        "kin": list(pair.kin),
    }


def _side(side: ComparedProvision | None) -> dict[str, Any] | None:
    if side is None:
        return None
    named = {name: getattr(side, name) for name in ("label", "number", "path", "text")}
    return {**named, "start": side.span.start, "end": side.span.end}


def history(found: Timeline) -> dict[str, Any]:
    """Return a timeline."""
    return {
        "title": found.title,
        "as_of": found.day,
        "versions": [
            {
                "id": s.regulation_id,
                "title": s.title,
                "version_date": s.version_date,
                "from": s.start,
                "to": s.end,
                "ended_as": s.ended_as.value if s.ended_as else None,
                "status": s.status.value,
                "effective_derived": s.derived,
                "effective_earliest": s.start if s.derived else None,
                "effective_latest": s.certain if s.derived else None,
            }
            for s in found.stretches
        ],
        "events": [asdict(event) for event in found.events],
    }


def relations(found: Links) -> dict[str, Any]:
    """Return the relations of one regulation."""
    return {
        "id": found.regulation_id,
        "title": found.title,
        "as_of": found.day,
        "repealed_bases": [link.title for link in found.repealed_bases],
        "relations": [_link(link) for link in found.links],
    }


def _link(link: Link) -> dict[str, Any]:
    named = {name: getattr(link, name) for name in ("kind", "title", "regulation_id", "status", "count", "words")}
    return {**named, "direction": "in" if link.inward else "out", "document_number": link.number}


def gap(found: Missing) -> dict[str, Any]:
    """Return one line of the ledger of what is referred to and not held."""
    named = {name: getattr(found, name) for name in ("documents", "mentions", "by", "words")}
    return {**named, "title": found.title or None, "document_number": found.number, "roles": dict(found.roles)}
