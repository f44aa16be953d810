"""How the quotes stand to the question, in one word with its reasons; the figures behind it on demand (答复性质)."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

import streamlit as st

from nemo.answer.quotes.calibration import origin_signs
from nemo.export import sign
from nemo.types import Answer, Directness, PlaceGroup, Quote, Regulation, Status
from nemo.ui.shared import frame, safe

_SAID = {
    Directness.DIRECT: "引文直接规定所问事项", Directness.RELATED: "引文与所问事项有关，是否正是所问，请对照原文", Directness.HUMAN: "引文能否作为依据，须由人判断",
}  # fmt: skip
_TONES = {Directness.DIRECT: "good", Directness.RELATED: "info", Directness.HUMAN: "warn"}

_EVEN = 0.5
"""Below, quotes like these were wrong more often than right."""


def draw(answer: Answer, regulations: Mapping[str, Regulation]) -> None:
    """Draw the verdict of an answer from held ``regulations``; nothing for one that has none: a refusal, one stored long ago."""
    verdict = answer.verdict
    if verdict is None:
        return
    rules = frame.engine().rules
    kinds = {i: kind for i, r in regulations.items() if (kind := rules.not_law(r.nature))}
    unplaced = {i for i, r in regulations.items() if answer.query.filters.province and not r.home}
    verdict_line = "；".join((_SAID[verdict], *reasons(answer, kinds, unplaced)))
    c = answer.confidence
    rows = (
        ("总体", _meter(c.overall, "引文含有所问内容的可能，按评测结果校准")), ("检索", _meter(c.retrieval, "问题与资料库文字相合的程度")),
        ("重排", _meter(c.rerank, "首条所在条文正是所问条文的可能；问题已指名法规时不参与")), ("来源", _meter(c.source, "文字读取的可靠程度，图像识别的低于 1")),
        ("出处", _meter(c.origin, _origin(answer))),
    )  # fmt: skip
    figures = (
        f'<details><summary>置信度 {c.overall:.2f}</summary><div class="meters">{safe.facts(rows)}</div></details>'
    )
    st.html(
        f'<section class="verdict {_TONES[verdict]}" role="status"><p><strong>{verdict.value}</strong> '
        f"{safe.text(verdict_line)}。</p>{figures}</section>"
    )


def _origin(answer: Answer) -> str:
    """Say which signs of its origin the least proven quote lacks."""
    rules = frame.engine().rules
    lacks = [[name for name, yes in origin_signs(q.citation, rules).items() if not yes] for q in answer.quotes]
    worst = max(lacks, key=len, default=[])
    return f"未见{'、'.join(worst)}" if worst else "官方网址、发布机关与文号齐备"


def reasons(
    answer: Answer, not_law: Mapping[str, str] = MappingProxyType({}), unplaced: Collection[str] = ()
) -> list[str]:
    """Return in Chinese what speaks against relying on an answer as it stands.

    ``not_law`` is what texts that are none are, by id; ``unplaced`` are those that nothing tells the province of.
    """
    quotes, kinds = answer.quotes, [not_law.get(q.regulation_id, "") for q in answer.quotes]
    local = "引文都出自其他地方" if answer.query.filters.province else "引文都是地方规定，只适用于当地"
    found = [
        "时效性待核" if quotes[0].citation.status is Status.UNKNOWN and not kinds[0] else "",
        *(
            _of(quotes, [k == kind for k in kinds], f"出自{kind}，不是现行规定")
            for kind in dict.fromkeys(kinds)
            if kind
        ),
        "置信度不足一半" if answer.confidence.overall < _EVEN else "",
        _of(quotes, [q.regulation_id in unplaced for q in quotes], "没有读到适用于哪个省份"),
        local if all(q.group is PlaceGroup.OTHER for q in quotes) else "",
        _of(quotes, [q.citation.effective_derived for q in quotes], "施行日期是推定的"),
        _of(quotes, [q.citation.recognised is not None for q in quotes], "文字由图像识别而来"),
        _of(quotes, [q.citation.status in _GONE for q in quotes], "在适用日期不是现行规定"),
    ]
    refused = sum(part.refusal is not None for part in answer.parts)
    return [words for words in (*found, f"{refused} 个分问没有找到依据" if refused else "") if words]


_GONE = frozenset((Status.PENDING, Status.AMENDED, Status.REPEALED, Status.EXPIRED))


def _of(quotes: tuple[Quote, ...], which: list[bool], words: str) -> str:
    """Return ``words`` with the signs of the quotes they are true of; nothing where they are true of none."""
    if not any(which):
        return ""
    return words if len(quotes) == 1 else f"引文{''.join(sign(n) for n, yes in enumerate(which) if yes)}{words}"


def _meter(value: float | None, hover: str) -> str:
    if value is None:
        return "未参与"
    share = round(max(0.0, min(1.0, value)) * 100)
    return (
        f'<span class="meter"><span style="width:{share}%"></span></span>{value:.2f} <span class="quiet">{hover}</span>'
    )
