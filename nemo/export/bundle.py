"""The bundle that can be checked again (核验包): quotes with places and hashes, regulations with their facts, as JSON.

A bundle says what was quoted and why it was believed; :func:`check` asks a library, on any machine, whether it still
agrees. Only what can be checked is in it: the wider list of provisions an answer was chosen from is left out.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from nemo.export.answer import answer_json, table_json
from nemo.export.check import BundleReport, QuoteCheck, inspect
from nemo.export.form import FORMAT, VERSION, read
from nemo.export.report import ExportReport, ReportPassage, statement
from nemo.store.catalogue.entry import BLOCK, text_blocks, words_hash
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.library import Library
from nemo.types import Evidence, Span, Validity
from nemo.types.plain import picked

__all__ = ["BundleReport", "QuoteCheck", "check", "check_alone", "content", "write"]

LEFT_OUT = ("ranked", "related", "expansions", "elapsed_ms", "stages")
"""Parts of an answer's JSON that a bundle does not vouch for."""


def write(report: ExportReport) -> bytes:
    """Return a report as the bytes of a bundle file."""
    return json.dumps(content(report), ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def content(report: ExportReport) -> dict[str, Any]:
    """Return a report as a bundle, sealed with the hash of all it holds."""
    passages = list(report.passages)
    body: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": "nemo",
        "made_at": report.made_at.isoformat(timespec="seconds"),
        "kind": report.kind,
        "title": report.title,
        "facts": [list(fact) for fact in report.facts],
        "answers": [
            {key: value for key, value in answer_json(answer).items() if key not in LEFT_OUT}
            for answer in report.answers
        ],
        "quotes": [_quote(passage) for passage in passages],
        "regulations": _regulations(passages),
        "chain": asdict(report.chain) if report.chain else None,
        "statement": list(statement(report)),
    }
    return {**body, "sha256": seal(body)}


def seal(body: Mapping[str, Any]) -> str:
    """Return the hash of a bundle without its own seal; the same whatever the spacing and the order of keys."""
    plain = {key: value for key, value in body.items() if key != "sha256"}
    words = json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(words.encode()).hexdigest()


def check(bundle: Path | bytes | Mapping[str, Any], library: Library) -> BundleReport:
    """Compare a bundle with a library: cut every quote again, compare hashes, facts and the status of the day.

    Raises:
        BadRequestError: it is no bundle, or one of a newer form.
    """
    body = read(bundle)
    return inspect(body, seal(body) == body["sha256"], library)


def check_alone(bundle: Path | bytes | Mapping[str, Any], key: bytes | None = None) -> BundleReport:
    """Check a bundle by itself, on a machine without the library; see ``nemo.export.alone``.

    ``key`` is that of the library that wrote it, where there is one and it is known.

    Raises:
        BadRequestError: it is no bundle, or one of a newer form.
    """
    from nemo.export.alone import inspect_alone

    body = read(bundle)
    return inspect_alone(body, seal(body) == body["sha256"], key)


def _quote(passage: ReportPassage) -> dict[str, Any]:
    quote, c = passage.quote, passage.quote.citation
    return {
        "group": passage.group,
        **picked(quote, "regulation_id start=span.start end=span.end text"),
        "sha256": words_hash(quote.text),
        "before": _beside(quote.before, quote.before_text),
        "after": _beside(quote.after, quote.after_text),
        "table": table_json(quote),
        **picked(c, "title document_number path label pages effective day status recognised warnings"),
        "outcome": passage.proof.outcome.value,
        "review": quote.review and picked(quote.review, "state by reason"),
    }


def _beside(span: Span | None, words: str | None) -> dict[str, Any] | None:
    return None if span is None else {"start": span.start, "end": span.end, "text": words}


def _regulations(passages: list[ReportPassage]) -> dict[str, Any]:
    """Return the facts of each quoted regulation with the parts of its text that all its quotes need."""
    found: dict[str, Any] = {}
    for passage in passages:
        proof = passage.proof
        if proof.row is None or proof.text is None:
            continue
        about = found.setdefault(proof.row.id, _regulation(proof.row))
        spans = [span for span, _ in passage.quote.slices()]
        spans += [e.span for e in proof.row.validity.evidence if e.span is not None]
        held = about.setdefault(
            "proof",
            {"blocks": text_blocks(proof.text), "slices": {}, "link": asdict(proof.link) if proof.link else None},
        )
        for number in sorted({n for s in spans for n in range(s.start // BLOCK, (s.end - 1) // BLOCK + 1)}):
            held["slices"][str(number)] = proof.text[number * BLOCK : (number + 1) * BLOCK]
    return found


def _regulation(row: RegulationRow) -> dict[str, Any]:
    same: Final = "title document_number issuer level province doc_class nature file url parser assets version_date"
    facts = picked(row, same) | picked(row, "ocr_confidence characters text_sha256 raw_sha256=sha256")
    return facts | {"validity": _validity(row.validity)}


def _validity(validity: Validity) -> dict[str, Any]:
    days: Final = "promulgated first_effective version_effective effective ends ended_as ended_by amended"
    return {
        **picked(validity, days),
        "evidence": [_evidence(e) for e in validity.evidence],
        "scopes": [picked(s, "labels effective") | {"evidence": _evidence(s.evidence)} for s in validity.scopes],
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    start, end = evidence.span or (None, None)
    return picked(evidence, "fact words origin") | {"start": start, "end": end}
