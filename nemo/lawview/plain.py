"""The views of the law as plain data, for JSON (命令行、接口)."""

from __future__ import annotations

from typing import Any

from nemo.lawview.comparison import ComparedProvision, ProvisionPair, VersionComparison
from nemo.lawview.ledger import Missing
from nemo.lawview.links import Link, Links
from nemo.lawview.timeline import Timeline
from nemo.store.catalogue.rows import RegulationRow


def comparison(old: RegulationRow, new: RegulationRow, found: VersionComparison) -> dict[str, Any]:
    """Return a comparison of two versions."""
    return {
        "old": _version(old),
        "new": _version(new),
        "counts": found.counts,
        "pairs": [_pair(p) for p in found.pairs],
    }


def _version(row: RegulationRow) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "document_number": row.document_number,
        "version_date": row.version_date,
        "effective_date": row.validity.effective,
        "file": row.file,
    }


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
    return {
        "label": side.label,
        "number": side.number,
        "path": side.path,
        "start": side.span.start,
        "end": side.span.end,
        "text": side.text,
    }


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
            }
            for s in found.stretches
        ],
        "events": [
            {
                "day": e.day,
                "kind": e.kind,
                "detail": e.detail,
                "words": e.words,
                "origin": e.origin.value,
                "regulation_id": e.regulation_id,
            }
            for e in found.events
        ],
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
    return {
        "kind": link.kind,
        "direction": "in" if link.inward else "out",
        "title": link.title,
        "document_number": link.number,
        "regulation_id": link.regulation_id,
        "status": link.status.value if link.status else None,
        "count": link.count,
        "words": link.words,
    }


def gap(found: Missing) -> dict[str, Any]:
    """Return one line of the ledger of what is referred to and not held."""
    return {
        "title": found.title or None,
        "document_number": found.number,
        "documents": found.documents,
        "mentions": found.mentions,
        "roles": dict(found.roles),
        "by": list(found.by),
        "words": found.words,
    }
