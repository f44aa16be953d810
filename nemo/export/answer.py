"""The answer JSON and the error JSON (docs/architecture.md, contracts), and the answer as plain text."""

import dataclasses
import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from nemo.errors import NemoError
from nemo.export.figures import figure_json, piece_json
from nemo.text.letter.titles import in_marks
from nemo.text.words.invisible import marked
from nemo.types import (
    CHINA,
    Answer,
    AnswerPart,
    Citation,
    EnglishLine,
    Filters,
    Quote,
    Ranked,
    Refusal,
    Review,
    Status,
    Summary,
    today,
)
from nemo.types.plain import picked, plain

SIGNS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_TRACE_DAY = re.compile(r"nemo-(\d{8})-")
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
    c = quote.citation
    return line_of(
        c.title,
        c.path,
        c.pages,
        effective_words(c.effective, c.effective_derived),
        c.status.value,
        reviewed(quote.review),
        c.not_law,
    )


def line_of(
    title: str, path: str, pages: Sequence[int], effective: str | None, status: str, said: str | None, not_law: str
) -> str:
    """Return the source of a quote from its parts; what is usual (现行有效, nobody reviewed) is left out, and of no law its days."""
    parts = [f"{in_marks(marked(title))}{path}"]
    if pages:
        parts.append("第" + "、".join(map(str, pages)) + "页")
    parts.append(not_law or f"生效：{effective or '未知'}")
    if not not_law and status != Status.IN_FORCE.value:
        parts.append(status)
    if said:
        parts.append(said)
    return "，".join(parts)


def reviewed(review: Review | None) -> str | None:
    """Return ``已复核（王敏，2026-11-20）``, None when nobody reviewed the quote."""
    return None if review is None else review_of(review.state.value, review.by, review.at)


def review_of(state: str, by: str | None, at: dt.datetime) -> str:
    """Return a review in words from its parts; the day is that of China."""
    return f"{state}（{'，'.join(filter(None, (by, china_day(at).isoformat())))}）"


def china_day(moment: dt.datetime) -> dt.date:
    """Return the calendar day in China of a moment."""
    return moment.astimezone(CHINA).date()


def table_json(quote: Quote) -> dict[str, Any] | None:
    """Return caption, unit, header and row of a quoted table row, each with its place; None for any other quote."""
    if quote.table is None:
        return None
    return {name: piece_json(getattr(quote.table, name)) for name in ("caption", "unit", "header", "row")}


def table_words(table: Mapping[str, Any] | None) -> str:
    """Return ``表：…，单位：…，表头：…`` of the form of :func:`table_json`, empty for a quote that is no row."""
    if table is None:
        return ""
    said = {name: " / ".join(table[name]["text"].split("\n")) if table[name] else "" for name in table}
    named = (("表", said["caption"]), ("单位", unit_words(said["unit"])), ("表头", said["header"]))
    return "，".join(f"{name}：{words}" for name, words in named if words)


def unit_words(unit: str) -> str:
    """Return a unit without the word 单位 before it."""
    return re.sub(r"^(?:计量)?单位\s*[:：]\s*", "", unit)


def answer_zh(answer: Answer) -> str:
    """Return the answer as plain Chinese text with its citations; a refusal says why and what to try."""
    if answer.refusal is not None:
        tips = "".join(f"\n • {tip}" for tip in answer.refusal.tips)
        return answer.refusal.message + (f"\n- 可以尝试：{tips}" if tips else "")
    quotes = [(quote.text, source_of_row(source_line(quote), table_json(quote))) for quote in answer.quotes]
    parts = [TextPart(p.heading, p.quotes, p.refusal.message if p.refusal else "", p.said) for p in answer.parts]
    return text_of(answer.heading, quotes, parts)


def source_of_row(source: str, table: Mapping[str, Any] | None) -> str:
    """Return the source of a quote with what a table row stands under."""
    return "；".join(filter(None, (source, table_words(table))))


class TextPart(NamedTuple):
    """One of several questions in the plain text (分问)."""

    heading: str
    places: Sequence[int]
    """Places of its quotes among those of the answer, from 0."""
    refusal: str
    """Why it has none; empty when it has some."""
    said: str = ""
    """What is said of a regulation itself, if that was asked."""


def text_of(heading: str, quotes: Sequence[tuple[str, str]], parts: Sequence[TextPart] = ()) -> str:
    """Return the plain text of an answer from its heading, the words and source of each quote, and its parts, if any."""
    entries = [f" • {words}{sign(index)}〔{source}〕" for index, (words, source) in enumerate(quotes)]
    if not parts:
        return "\n".join([heading, "- 相关规定：", *entries])
    lines, said = [heading], set[int]()
    for part in parts:
        lines.append(f"- {part.heading}")
        lines += [f" • {part.said}"] * (part.said not in ("", heading))
        lines += [again(at) if at in said else entries[at] for at in part.places]
        lines += [f" • {part.refusal}"] * bool(part.refusal)
        said.update(part.places)
    return "\n".join(lines)


def again(at: int) -> str:
    """Return the line of a quote that stands further up already, from its place."""
    return f" • 依据另见上文引文{sign(at)}。"


SUMMARY_NOTE = "机器归纳，不是法规原文，已逐句与引文核对；引用请以上方引文为准。"


def summary_json(summary: Summary) -> dict[str, Any]:
    """Return a summary with the signs of the quotes that each sentence rests on."""
    sentences = [{"text": s.text, "citations": [sign(n) for n in s.quotes]} for s in summary.sentences]
    return {"sentences": sentences, "refused": summary.refused or None, "by": summary.by, "note": SUMMARY_NOTE}


def narrowed(filters: Filters) -> dict[str, Any]:
    """Return what a question was narrowed to beside the filters that every answer names; nothing of what was not given."""
    given = {"corpora": list(filters.corpora), "top_k": filters.top_k, "threshold": filters.threshold}
    return {name: value for name, value in given.items() if value not in ([], None)}


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return the answer in the contract form of docs/architecture.md, contracts."""
    filters = answer.query.filters
    refusal = answer.refusal
    return {
        **picked(answer, "mode trace_id"),
        "elapsed_ms": round(answer.elapsed_ms, 1),
        "question": answer.query.original,
        "filters": picked(filters, "province asset doc_class") | {"as_of": iso(answer.day)} | narrowed(filters),
        "refused": refusal is not None,
        "refusal": _refusal(refusal),
        "answer_zh": answer_zh(answer),
        "citations": [_citation(q, i, checked_on(answer)) for i, q in enumerate(answer.quotes)],
        "ranked": [ranked_json(r) for r in answer.ranked],
        "related": [picked(h.chunk, "regulation_id label text") for h in refusal.related] if refusal else [],
        "confidence": {name: _round(value) for name, value in dataclasses.asdict(answer.confidence).items()},
        "verdict": plain(answer.verdict),
        "understood": answer.understood or None,
        "parts": [_part(part, answer.quotes) for part in answer.parts],
        "hierarchy": [dataclasses.asdict(note) for note in answer.hierarchy],
        "read_from_question": [picked(e, "fact words") for e in answer.query.read],
        "expansions": [picked(x, "term added source") for x in answer.query.synonyms],
        "degraded": list(answer.degraded),
        "stages": [
            {"name": s.name, "elapsed_ms": round(s.milliseconds, 1), "remembered": s.remembered} for s in answer.stages
        ],
        "tips": list(answer.tips),
        **({"summary": summary_json(answer.summary)} if answer.summary else {}),
    }


def _part(part: AnswerPart, quotes: Sequence[Quote]) -> dict[str, Any]:
    """One of several questions; its citations are told by their sign, with what they show."""
    return {
        "heading": part.heading,
        "said": part.said or None,
        "refused": part.refusal is not None,
        "refusal": _refusal(part.refusal),
        "citations": [_shown(_citation(quotes[at], at, today())) for at in part.quotes],
        "confidence": _round(part.confidence),
    }


def _shown(citation: dict[str, Any]) -> dict[str, Any]:
    kept = ("citation_id", "file", "title", "article", "label", "direct_quote", "context_before", "context_after")
    return {name: citation[name] for name in kept}


def _refusal(refusal: Refusal | None) -> dict[str, Any] | None:
    return None if refusal is None else picked(refusal, "reason message tips")


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def effective_words(effective: dt.date | str | None, derived: bool) -> str | None:
    """Return the day a version came into force as a reader sees it, with 推定 where it was inferred."""
    return None if effective is None else f"{effective}（推定）" if derived else str(effective)


def iso(day: dt.date | None) -> str | None:
    """Return a day as JSON says it."""
    return None if day is None else day.isoformat()


def checked_on(answer: Answer) -> dt.date:
    """Return the day on which the quotes of an answer were cut from the stored texts: the day of its trace id."""
    made = _TRACE_DAY.match(answer.trace_id)
    return dt.date.fromisoformat(made[1]) if made else today()


def direct_link(c: Citation) -> str | None:
    """Return the address of a source, of a PDF at the quoted page; other addresses know no pages."""
    paged = c.url and c.pages and urlsplit(c.url).path.lower().endswith(".pdf")
    return f"{c.url}#page={c.pages[0]}" if paged else c.url


def _citation(quote: Quote, index: int, checked: dt.date) -> dict[str, Any]:
    c = quote.citation
    return {
        "citation_id": sign(index),
        **picked(c, "regulation_id file title document_number issuer level section_reference=path article label"),
        **picked(quote, "page_numbers=citation.pages direct_quote=text start=span.start end=span.end"),
        **picked(quote, "context_before=before_text context_after=after_text"),
        "table": table_json(quote),
        **picked(c, "promulgated effective_date=effective effective_basis effective_derived"),
        "effective_earliest": iso(c.effective) if c.effective_derived else None,
        **picked(c, "effective_latest version_date warnings status status_evidence url"),
        **({"nature": c.not_law} if c.not_law else {}),
        "direct_link": direct_link(c),
        "verification_status": verification(quote),
        "review": _review(quote.review),
        "last_checked": checked.isoformat(),
        "group": plain(quote.group),
        "score": round(quote.score, 4),
        **({"figures": [figure_json(one) for one in quote.figures]} if quote.figures else {}),
        **({"english": _english(quote.english)} if quote.english else {}),
    }


def _english(line: EnglishLine) -> dict[str, Any]:
    """Return the English line of a quote (docs/architecture.md, contracts); what has no official term is null."""
    named = picked(line, "title issuer level status section effective")
    rendering = [picked(sentence, "start=span.start end=span.end english") for sentence in line.rendering]
    return {
        **{name: words or None for name, words in named.items()},
        "terms": [picked(term, "chinese english") for term in line.terms],
        "rendering": rendering,
        "rendering_note": f"机器翻译（{line.rendered_by}）" if rendering else None,
    }


def english_words(quote: Quote) -> str:
    """Return the English line of a quote as text for a file: source, terms, and a machine's rendering marked as one."""
    line = quote.english
    if line is None:
        return ""
    source = " · ".join(filter(None, (line.title, line.section, line.issuer, line.level, line.effective, line.status)))
    terms = "；".join(f"{t.chinese} {t.english}" for t in line.terms)
    made = [f"机器翻译（{line.rendered_by}），非官方译文，以中文原文为准："] if line.rendering else []
    made += [f"{s.span.shift(-quote.span.start).of(quote.text)} → {s.english}" for s in line.rendering]
    return "\n".join(filter(None, (source, f"术语对照：{terms}" if terms else "", *made)))


def _review(review: Review | None) -> dict[str, Any] | None:
    if review is None:
        return None
    return picked(review, "state by") | {"at": review.at.isoformat(timespec="seconds"), "reason": review.reason}


def ranked_json(item: Ranked) -> dict[str, Any]:
    """Return a provision in the order of the evidence, as stored."""
    kept = picked(item, "regulation_id file title article label start=span.start end=span.end text")
    return kept | {"score": round(item.score, 4)}


def error_json(error: NemoError, trace_id: str) -> dict[str, Any]:
    """Return the error in the contract form of docs/architecture.md, contracts."""
    return {
        "error": True,
        "code": error.code,
        "message": error.message,
        "trace_id": trace_id,
        "timestamp": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "tips": list(error.tips),
    }
