"""What the audit of a memo says (审校结果)."""

import enum
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.numerals import parse_article
from nemo.types import Day, Level, Provision, Span


class MemoVerdict(enum.StrEnum):
    """How a citation stands; the order is that of reports."""

    MATCH = "match"
    TEXT_DIFFERS = "text_differs"
    NO_SUCH_PROVISION = "no_such_provision"
    NOT_IN_FORCE = "not_in_force"
    WRONG_PROVISION = "wrong_provision"
    NOT_HELD = "not_held"
    CANNOT_CHECK = "cannot_check"

    @property
    def said(self) -> str:
        """The verdict in Chinese."""
        return _SAID[self]


_SAID = {
    MemoVerdict.MATCH: "相符",
    MemoVerdict.TEXT_DIFFERS: "文字不符",
    MemoVerdict.NO_SUCH_PROVISION: "条款不存在",
    MemoVerdict.NOT_IN_FORCE: "非当日有效",
    MemoVerdict.WRONG_PROVISION: "引用有误",
    MemoVerdict.NOT_HELD: "库内未收",
    MemoVerdict.CANNOT_CHECK: "无法核验",
}


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """What a memo cites, as far as it was found."""

    file: str | None
    articles: tuple[int | str, ...]
    label: str
    """As the memo writes it."""


@dataclass(frozen=True, slots=True)
class TruePlace:
    """What the library holds instead, or as the proof."""

    file: str
    title: str
    articles: tuple[int | str, ...]
    label: str
    wording: str
    """Verbatim."""
    value: str | None = None
    """The value, day, number or authority that is right, where one was stated wrongly."""


@dataclass(frozen=True, slots=True)
class MemoFinding:
    """One citation of a memo with what was found; spans are code points of the memo's text."""

    text: str
    span: Span
    verdict: MemoVerdict
    cited: CitedPlace
    true: TruePlace | None
    claims: tuple[Span, ...]
    message: str
    """One Chinese sentence."""


@dataclass(frozen=True, slots=True)
class MemoAudit:
    """All findings of one memo, in text order."""

    file: str
    text: str
    day: Day
    findings: tuple[MemoFinding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings have each verdict, every verdict named; they add up to all findings."""
        found = Counter(f.verdict for f in self.findings)
        return {verdict.value: found[verdict] for verdict in MemoVerdict}


def number_of(provision: Provision) -> int | str:
    """Return an article's number, or the label of what is no plain article (12.1, 5.2.1, 三-二)."""
    both = parse_article(provision.number) if provision.level is Level.ARTICLE else None
    return both[0] if both and not both[1] else provision.label.split("-")[0] if both else provision.label


def place_in(row: RegulationRow, articles: tuple[Provision, ...], words: str, path: str = "") -> TruePlace:
    """Return a place of a held text; ``path`` is of the smallest unit, else of the articles."""
    label = path or "、".join(_legal(p.path()) for p in articles)
    numbers = tuple(dict.fromkeys(number_of(p) for p in articles))
    return TruePlace(row.file, row.title, numbers, _legal(label), words)


def _legal(path: str) -> str:
    """Cut chapters off a path: 第二章第六条第一款 is cited as 第六条第一款."""
    return re.sub(r"^.*[编章节](?=第[^章节]*条)", "", path)


def plain(audit: MemoAudit) -> dict[str, Any]:
    """Return the audit as plain data (docs/architecture.md, contracts)."""
    return {
        "file": audit.file,
        "as_of": audit.day.isoformat(),
        "findings": [_plain(f, audit.text) for f in audit.findings],
        "counts": audit.counts,
    }


def _plain(finding: MemoFinding, text: str) -> dict[str, Any]:
    cited, true = finding.cited, finding.true
    return {
        "text": finding.text,
        "start": finding.span.start,
        "end": finding.span.end,
        "verdict": finding.verdict.value,
        "cited": {"file": cited.file, "articles": list(cited.articles), "label": cited.label},
        "true": true
        and {
            "file": true.file,
            "title": true.title,
            "articles": list(true.articles),
            "label": true.label,
            "wording": true.wording,
            "value": true.value,
        },
        "claims": [{"text": c.of(text), "start": c.start, "end": c.end} for c in finding.claims],
        "message": finding.message,
    }
