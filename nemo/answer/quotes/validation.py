"""The check that every answer passes before it leaves, and what is measured of it (答复校验与指标)."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from nemo.errors import NotFoundError
from nemo.store.library import Library
from nemo.types import Answer

CHINESE = 0.3
"""At least this share of the characters of a quoted text is Chinese, else it was not read well (标点与空白不计)."""


def faults(answer: Answer, library: Library) -> dict[str, str]:
    """Return what is wrong with an answer, in Chinese by the kind of fault: structure, citation, quote, language."""
    found: dict[str, str] = {}
    for quote in answer.quotes:
        cited = quote.citation
        if not (cited.title and cited.regulation_id == quote.regulation_id and cited.day):
            found["citation"] = "有引文的出处不全，请核对原文。"
        try:
            text = library.text(quote.regulation_id)
        except NotFoundError:
            found["quote"] = "有引文的法规已不在资料库中，请重新提问。"
            continue
        if any(span.of(text) != words for span, words in quote.slices()):
            found["quote"] = "有引文与库内原文不一致，请勿引用，并告知管理员。"
        read = "".join(words for _, words in quote.slices()) if quote.table is not None else quote.text
        if share_of_chinese(read) < CHINESE:  # a row of figures is read with its caption and header
            found["language"] = f"有引文的中文不足 {CHINESE:.0%}，可能是外文、表格数据或未读好的页面，请对照原件。"
    if any(not 0 <= place < len(answer.quotes) for part in answer.parts for place in part.quotes):
        found["structure"] = "分问与引文对不上，请逐条核对。"
    return found


@lru_cache(1024)
def share_of_chinese(text: str) -> float:
    """Return the share of Chinese characters among the letters and digits of a text; 1.0 where there are none."""
    signs = [c for c in text if c.isalnum()]
    return sum("\u3400" <= c <= "\u9fff" for c in signs) / len(signs) if signs else 1.0


def validated(answer: Answer, library: Library) -> tuple[Answer, dict[str, str]]:
    """Return an answer with what its check found named on it, and the faults."""
    found = faults(answer, library)
    if not found:
        return answer, found
    return replace(answer, degraded=tuple(dict.fromkeys((*answer.degraded, *found.values())))), found


def measures(answer: Answer, found: Mapping[str, str], *, cached: bool) -> dict[str, float]:
    """Return what is kept per day of one answer, by name; each is counted, and its values are added up."""
    values: dict[str, float] = {"latency_ms": answer.elapsed_ms, "cached": float(cached)}
    values |= {f"invalid:{kind}": 1.0 for kind in found}
    if answer.refusal is not None:
        return {**values, f"refused:{answer.refusal.reason.value}": 1.0}
    verbatim = sum(quote.citation.recognised is None for quote in answer.quotes)
    texts = len({quote.regulation_id for quote in answer.quotes})
    values["verified"] = 0.0 if "quote" in found else verbatim / len(answer.quotes)
    values["diversity"] = texts / len(answer.quotes)
    return values
