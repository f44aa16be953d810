"""What was read of a regulation with a doubt (存疑): inferred, missing where it ought to stand, read from a weak page, or a
text of which much was taken out.

What a person or a manifest states is not doubted. The weights order the list a person works through: a wrong title or
nature misleads every answer, a missing day of promulgation few.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nemo.text.letter.titles import is_letter
from nemo.types import CITABLE, STATED, Evidence, Origin, Regulation

_WEIGHTS = {"title": 5, "nature": 5, "document_number": 4, "first_effective": 3, "issuer": 3, "promulgated": 2}
"""Facts that are looked at, and how much a wrong one harms."""
_NAMES = {
    "title": "标题", "nature": "文件性质", "document_number": "文号", "first_effective": "施行日期",
    "issuer": "发布机关", "promulgated": "公布日期",
}  # fmt: skip

_SURELY_READ, _LIGHTER = 0.9, 2
"""Confidence from which on what was recognised in a picture is seldom wrong, and how much less it then weighs."""
_LOST = frozenset(("much_removed", "sentence_cut", "right_edge_cut"))
"""Faults of a file whose text may lack words."""
_NUMBERED = re.compile(r"[〔（]((?:19|20)\d{2})[〕）]")
_UNCONFIRMED = "没有发布机关、文号、条文等法规特征，不作为依据引用；确是法规的，请填写性质"
_UNPLACED = "没有读到适用于哪个省份，暂按全国收录"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One fact that a person should look at."""

    fact: str
    name: str
    """Chinese name of the fact."""
    value: str
    """What was read; empty when nothing was."""
    message: str
    """One Chinese clause: why it is doubted."""
    weight: int
    """1–5, the worst is 5."""
    label: str = ""
    """Provision its words stand in; empty when they stand in none."""


def doubts_of(regulation: Regulation) -> tuple[Doubt, ...]:
    """Return the doubtful facts of a regulation, worst first."""
    found = (_doubt(regulation, fact) for fact in _WEIGHTS)
    unplaced = (
        [Doubt("province", "省份", "全国", _UNPLACED, 4)]
        if regulation.unplaced and regulation.nature in CITABLE
        else []
    )
    return tuple(
        sorted((*_of_text(regulation), *unplaced, *(d for d in found if d is not None)), key=lambda d: -d.weight)
    )


def _of_text(regulation: Regulation) -> Iterator[Doubt]:
    """Yield what somebody must look at because words of the text may have gone."""
    for fault in regulation.faults:
        if fault.code in _LOST:
            chain = regulation.chain(fault.span) if fault.span else ()
            label = chain[-1].label if chain else ""
            yield Doubt("text", "正文", "", fault.message.partition("\n")[0], 5, label)


def _doubt(regulation: Regulation, fact: str) -> Doubt | None:
    known = list(regulation.told(fact))
    if any(e.origin in STATED for e in known):
        return None
    value = _value(regulation, fact)
    if fact == "nature" and value == "unconfirmed":
        return Doubt(fact, _NAMES[fact], value, _UNCONFIRMED, _WEIGHTS[fact])
    why, sure = (_missing(regulation, fact), False) if not value else _weak(regulation, known)
    if fact == "promulgated" and not why:
        why = _of_another_year(regulation)
    if not why:
        return None
    span = next((e.span for e in known if e.span), None)
    chain = regulation.chain(span) if span else ()
    weight = max(1, _WEIGHTS[fact] - _LIGHTER * sure)
    return Doubt(fact, _NAMES[fact], value, why, weight, chain[-1].label if chain else "")


def _value(regulation: Regulation, fact: str) -> str:
    if fact in ("first_effective", "promulgated"):
        known = regulation.validity
        day = known.effective if fact == "first_effective" else known.promulgated
        return day.isoformat() if day else ""
    return str(getattr(regulation, fact) or "")


def _missing(regulation: Regulation, fact: str) -> str:
    """Say what is missing, where the kind of text ought to have it."""
    if regulation.nature not in CITABLE:
        return ""
    if fact == "document_number" and not is_letter(regulation.title):
        return ""
    return f"没有读到{_NAMES[fact]}"


def _of_another_year(regulation: Regulation) -> str:
    """Say that the day is not of the year in the document number, nor of the next one: one of both was misread or misprinted."""
    named, day = _NUMBERED.search(regulation.document_number or ""), regulation.validity.promulgated
    apart = named is not None and day is not None and not 0 <= day.year - int(named[1]) <= 1
    return f"与文号的年份（{named[1]}）不一致" if named and apart else ""


def _weak(regulation: Regulation, known: list[Evidence]) -> tuple[str, bool]:
    """Return why a fact is doubted, empty where it is not, and whether its page was surely read all the same."""
    if known and all(e.origin is Origin.DERIVED for e in known):
        return "推定，原文没有直接写明", False
    span = next((e.span for e in known if e.span), None)
    page = next((q for q in regulation.qualities(span) if q.weak), None) if span else None
    if page is None:
        return "", False
    unsure = f"，其中“{page.unsure}”识别存疑" if page.unsure else ""
    return f"依据在第 {page.page} 页，{page.summary}{unsure}", not unsure and (page.confidence or 0.0) >= _SURELY_READ
