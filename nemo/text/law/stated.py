"""Puts what a manifest or a person states about days over what was read (清单、人工优先); both are kept."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

from nemo.text.words.days import names_a_day, plus_days
from nemo.types import Day, Evidence, Origin, Status, Validity
from nemo.types.validity import ISSUED_WITHIN

LABELS: Mapping[str, str] = {
    "title": "标题",
    "short_title": "简称",
    "document_number": "文号",
    "issuer": "发布机关",
    "level": "效力级别",
    "province": "省份",
    "doc_class": "文件类别",
    "assets": "能源类型",
    "nature": "文件性质",
    "version_date": "版本日期",
    "promulgated": "公布日期",
    "effective_date": "施行日期",
    "in_force_from": "本版本施行日期",
    "valid_until": "有效期至",
    "superseded_on": "被新版本取代日期",
    "repealed_on": "废止日期",
    "url": "来源网址",
}
"""Fields that a manifest or a person states, with Chinese names."""

_WHO = {Origin.MANIFEST: "清单所载：", Origin.ANALYST: "人工填写："}


def stated_words(name: str, shown: object) -> str:
    """Return a statement as a reader sees it: 清单所载：施行日期 2024-08-01."""
    return f"{_WHO[Origin.MANIFEST]}{LABELS[name]} {shown}"


def statement(fact: str, name: str, value: object, shown: str = "") -> Evidence:
    """Return the evidence of a stated fact; ``name`` is a key of ``LABELS``, ``shown`` a code in Chinese."""
    return Evidence(fact, stated_words(name, shown or value), Origin.MANIFEST, field=name, value=str(value))


def signed(evidence: Evidence) -> Evidence:
    """Return a manifest's statement as that of a person (人工)."""
    words = _WHO[Origin.ANALYST] + evidence.words.removeprefix(_WHO[Origin.MANIFEST])
    return replace(evidence, words=words, origin=Origin.ANALYST)


def stated_day(value: object) -> Day | None:
    """Return a day given as a date or as ISO text.

    Raises:
        ValueError: a text that is no ISO date.
    """
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date) or value is None:
        return value
    return dt.date.fromisoformat(str(value)) if value else None


def with_known(read: Validity, known: Mapping[str, object]) -> Validity:
    """Put known facts over what was read; both stay in the evidence."""
    result = read
    stated = {name: stated_day(known.get(name)) for name in ("promulgated", "in_force_from", "version_date")}
    effective = stated_day(known.get("effective_date") or known.get("effective"))
    evidence: list[Evidence] = []

    def state(fact: str, name: str, value: object) -> None:
        evidence.append(statement(fact, name, value))

    if stated["promulgated"]:
        result = replace(result, promulgated=stated["promulgated"])
        state("promulgated", "promulgated", stated["promulgated"])
    if effective:
        of_version = stated["in_force_from"] is None and _is_of_version(read, effective, stated["version_date"])
        if not of_version:
            result = replace(result, first_effective=effective)
            state("first_effective", "effective_date", effective)
        if stated["in_force_from"] is None and (of_version or not read.amended):
            result = replace(result, version_effective=effective, amended=read.amended or of_version)
            state("version_effective", "effective_date", effective)
    if stated["in_force_from"]:
        later = result.first_effective is not None and stated["in_force_from"] > result.first_effective
        result = replace(result, version_effective=stated["in_force_from"], amended=read.amended or later)
        state("version_effective", "in_force_from", stated["in_force_from"])
    elif effective is None:
        result = later_version(result, stated["version_date"], stated_words("version_date", stated["version_date"]))
    result = replace(result, evidence=(*result.evidence, *evidence))
    return _with_end(_with_moved_term(read, result), known)


def _is_of_version(read: Validity, effective: Day, version: Day | None) -> bool:
    """Tell whether a stated effective day is this version's: of an amended text whose own clause is older, or, where that is
    the stated day of the version, of a text whose own note does not know that it was amended.
    """
    first = read.first_effective
    if first is None or effective <= first:
        return False
    return read.amended or (effective == version and effective > first + ISSUED_WITHIN)


def later_version(read: Validity, version: Day | None, words: str) -> Validity:
    """Return the validity of a version later than the text's own note knows: such notes are often incomplete.

    The version is taken to be in force from its own day, marked as derived from ``words``.
    """
    start = read.effective
    if version is None or start is None or version <= start:
        return read
    kept = tuple(e for e in read.evidence if e.fact != "version_effective")
    derived = Evidence("version_effective", words, Origin.DERIVED)
    return replace(read, version_effective=version, amended=True, evidence=(*kept, derived))


def _with_moved_term(read: Validity, result: Validity) -> Validity:
    """Move a counted end (有效期三年) along with a start that is known better; a day that is named stays."""
    since = read.effective or (read.promulgated if read.ends_derived else None)
    if read.ends is None or since is None or result.effective is None or result.effective == read.effective:
        return result
    named = read.why("ends")
    if named is not None and names_a_day(named.words):
        return result
    return replace(result, ends=read.ends + (result.effective - since), ends_certain=None)


def _with_end(read: Validity, known: Mapping[str, object]) -> Validity:
    """Set the earliest end that is known; it wins over the text's own."""
    until = stated_day(known.get("valid_until"))
    ends: list[tuple[Day, Status, object, Evidence]] = []
    for name, by, status in (
        ("superseded_on", "superseded_by", Status.AMENDED),
        ("repealed_on", "repealed_by", Status.REPEALED),
    ):
        day = stated_day(known.get(name))
        if day is not None:
            ends.append((day, status, known.get(by), statement("ends", name, day)))
    if until is not None:
        ends.append((plus_days(until, 1), Status.EXPIRED, None, statement("ends", "valid_until", until)))
    if not ends:
        return read
    ends.sort(key=lambda end: end[0])
    day, status, by_whom, _ = ends[0]
    ended_by = str(by_whom) if by_whom else None
    evidence = (*read.evidence, *(words for *_, words in ends))
    return replace(read, ends=day, ended_as=status, ended_by=ended_by, evidence=evidence, ends_certain=None)
