"""The views of the law as plain data, for JSON (命令行、接口)."""

from typing import Any, Final

from nemo.lawview.comparison import ComparedProvision, ProvisionPair, VersionComparison
from nemo.lawview.ledger import MissingReference
from nemo.lawview.links import Links
from nemo.lawview.timeline import Timeline
from nemo.store.catalogue.rows import RegulationRow
from nemo.types import Validity
from nemo.types.plain import picked, plain


def comparison(old: RegulationRow, new: RegulationRow, found: VersionComparison) -> dict[str, Any]:
    """Return a comparison of two versions."""
    pairs = [_pair(pair) for pair in found.pairs]
    return {"old": _version(old), "new": _version(new), "counts": found.counts, "pairs": pairs}


def _version(row: RegulationRow) -> dict[str, Any]:
    kept = picked(row, "id title document_number version_date file effective_date=validity.effective")
    return kept | began(row.validity)


def began(known: Validity) -> dict[str, Any]:
    """Return whether the start of a version is inferred (推定), and the days between which it then lies."""
    days = plain((known.effective, known.certain_from) if known.derived else (None, None))
    return {"effective_derived": known.derived, "effective_earliest": days[0], "effective_latest": days[1]}


def _pair(pair: ProvisionPair) -> dict[str, Any]:
    old, new = pair.old, pair.new
    edits = [
        {"op": e.op.value, "old": e.old.of(old.text), "new": e.new.of(new.text)}
        for e in pair.edits
        if old is not None and new is not None
    ]
    sides = {"likeness": round(pair.likeness, 3), "old": _side(old), "new": _side(new), "edits": edits}
    return picked(pair, "kind renumbered") | sides | {"kin": list(pair.kin)}


def _side(side: ComparedProvision | None) -> dict[str, Any] | None:
    return None if side is None else picked(side, "label number path text start=span.start end=span.end")


def history(found: Timeline) -> dict[str, Any]:
    """Return a timeline."""
    same: Final = "id=regulation_id title version_date from=start to=end ended_as status effective_derived=derived to_derived=end_derived"
    versions = [
        picked(stretch, same)
        | {"effective_earliest": plain(stretch.start) if stretch.derived else None}
        | {"effective_latest": plain(stretch.certain) if stretch.derived else None}
        for stretch in found.stretches
    ]
    events = [picked(event, "day kind words origin regulation_id detail") for event in found.events]
    return {**picked(found, "title as_of=day"), "versions": versions, "events": events}


def relations(found: Links) -> dict[str, Any]:
    """Return the relations of one regulation."""
    same: Final = "kind title regulation_id status count words"
    links = [
        picked(link, same) | {"direction": "in" if link.inward else "out", "document_number": link.number}
        for link in found.links
    ]
    bases = [link.title for link in found.repealed_bases]
    return {**picked(found, "id=regulation_id title as_of=day"), "repealed_bases": bases, "relations": links}


def gap(found: MissingReference) -> dict[str, Any]:
    """Return one line of the ledger of what is referred to and not held."""
    kept = picked(found, "documents mentions by words")
    return kept | {"title": found.title or None, "document_number": found.number, "roles": dict(found.roles)}
