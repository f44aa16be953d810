"""The forms an answer leaves Nemo in: the answer JSON and the error JSON (DESIGN.md section 5), and plain text."""

from __future__ import annotations

import datetime as dt
from typing import Any

from nemo.errors import NemoError
from nemo.types import Answer, Quote, Ranked

SIGNS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
VERBATIM = "逐字核验通过"


def sign(index: int) -> str:
    """Return the superscript of the quote at ``index`` (from 0)."""
    return SIGNS[index] if index < len(SIGNS) else f"[{index + 1}]"


def verification(quote: Quote) -> str:
    """Say how the quote was verified; recognised text is never called verbatim."""
    confidence = quote.citation.recognised
    return VERBATIM if confidence is None else f"识别文本，置信度 {confidence:.2f}，请对照原页"


def source_line(quote: Quote) -> str:
    """Return ``《…》第二章第六条第一款，第8页，生效：2024-06-01`` for one quote."""
    citation = quote.citation
    parts = [f"《{citation.title}》{citation.path}"]
    if citation.pages:
        parts.append("第" + "、".join(map(str, citation.pages)) + "页")
    parts.append(f"生效：{citation.effective or '未知'}")
    if citation.status.value != "现行有效":
        parts.append(citation.status.value)
    return "，".join(parts)


def answer_zh(answer: Answer) -> str:
    """Return the answer as plain Chinese text with its citations; a refusal says why and what to try."""
    if answer.refusal is not None:
        tips = "".join(f"\n • {tip}" for tip in answer.refusal.tips)
        return answer.refusal.message + (f"\n- 可以尝试：{tips}" if tips else "")
    lines = [answer.heading, "- 相关规定："]
    for index, quote in enumerate(answer.quotes):
        lines.append(f" • {quote.text}{sign(index)}〔{source_line(quote)}〕")
    return "\n".join(lines)


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the answer in the contract form of DESIGN.md section 5."""
    filters = answer.query.filters
    refusal = answer.refusal
    return {
        "mode": answer.mode,
        "trace_id": answer.trace_id,
        "elapsed_ms": round(answer.elapsed_ms, 1),
        "question": answer.query.original,
        "filters": {
            "province": filters.province,
            "asset": filters.asset,
            "doc_class": filters.doc_class,
            "as_of": answer.day.isoformat(),
        },
        "refused": refusal is not None,
        "refusal": None
        if refusal is None
        else {"reason": refusal.reason.value, "message": refusal.message, "tips": list(refusal.tips)},
        "answer_zh": answer_zh(answer),
        "citations": [_citation(q, i) for i, q in enumerate(answer.quotes)],
        "ranked": [_ranked(r) for r in answer.ranked],
        "related": [_related(h) for h in refusal.related] if refusal else [],
        "confidence": {
            "overall": _round(answer.confidence.overall),
            "retrieval": _round(answer.confidence.retrieval),
            "rerank": _round(answer.confidence.rerank),
            "source": _round(answer.confidence.source),
        },
        "read_from_question": [{"fact": e.fact, "words": e.words} for e in answer.query.read],
        "expansions": [{"term": x.term, "added": list(x.added), "source": x.source} for x in answer.query.synonyms],
        "degraded": list(answer.degraded),
        "tips": list(answer.tips),
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _iso(day: dt.date | None) -> str | None:
    return None if day is None else day.isoformat()


def _citation(quote: Quote, index: int) -> dict[str, Any]:
    c = quote.citation
    link = c.url if not (c.url and c.pages) else f"{c.url}#page={c.pages[0]}"
    return {
        "citation_id": sign(index),
        "regulation_id": c.regulation_id,
        "file": c.file,
        "title": c.title,
        "document_number": c.document_number,
        "issuer": c.issuer,
        "level": c.level,
        "section_reference": c.path,
        "article": c.article,
        "label": c.label,
        "page_numbers": list(c.pages),
        "direct_quote": quote.text,
        "start": quote.span.start,
        "end": quote.span.end,
        "context_before": quote.before_text,
        "context_after": quote.after_text,
        "promulgated": _iso(c.promulgated),
        "effective_date": _iso(c.effective),
        "effective_basis": c.effective_basis,
        "version_date": _iso(c.version_date),
        "status": c.status.value,
        "status_evidence": c.status_evidence,
        "url": c.url,
        "direct_link": link,
        "verification_status": verification(quote),
        "last_checked": c.day.isoformat(),
        "score": round(quote.score, 4),
    }


def _ranked(item: Ranked) -> dict[str, Any]:
    return {
        "regulation_id": item.regulation_id,
        "file": item.file,
        "title": item.title,
        "article": item.article,
        "label": item.label,
        "start": item.span.start,
        "end": item.span.end,
        "text": item.text,
        "score": round(item.score, 4),
    }


def _related(hit: Any) -> dict[str, Any]:
    return {"regulation_id": hit.chunk.regulation_id, "label": hit.chunk.label, "text": hit.chunk.text}


def error_json(error: NemoError, trace_id: str) -> dict[str, Any]:
    """Return the error in the contract form of DESIGN.md section 5."""
    return {
        "error": True,
        "code": error.code,
        "message": error.message,
        "trace_id": trace_id,
        "timestamp": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "tips": list(error.tips),
    }
