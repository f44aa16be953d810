"""What became of a work over time: its versions as stretches, and every dated event with the words it was read from (沿革)."""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from nemo.text.law.history import history
from nemo.types import Day, Evidence, Origin, Regulation, Status, status_of

_ENDS = {
    Status.AMENDED: "被新版本取代",
    Status.REPEALED: "废止",
    Status.EXPIRED: "有效期届满",
    Status.UNKNOWN: "效力待核",
}
_PARTIAL = "部分条款施行"
_DERIVED = "推定本版本施行"
_MOVES = {"postponed": "推迟施行", "extended": "有效期延长"}
"""What a notice did to the days of a text, by the fact that its evidence states."""
_ORDER = (
    "通过", "批准", "公布", "印发", *_MOVES.values(), "施行", "修正", "修订", "本版本施行", _DERIVED, _PARTIAL,
    *_ENDS.values(),
)  # fmt: skip
"""Events of one day, in the order in which they happen."""


@dataclass(frozen=True, slots=True)
class TimelineEvent:
    """Something that happened on a day."""

    day: Day
    kind: str
    """通过, 批准, 公布, 印发, 施行, 修正, 修订, 本版本施行, 推定本版本施行, 部分条款施行, 推迟施行, 有效期延长, 被新版本取代, 废止, 有效期届满, 效力待核."""
    words: str
    """What it was read from."""
    origin: Origin
    regulation_id: str
    """The version that says so, or that it happened to."""
    detail: str = ""
    """The amending decision, the articles concerned, or what ended it."""


@dataclass(frozen=True, slots=True)
class InForcePeriod:
    """When one version is law: half-open, None where nobody knows."""

    regulation_id: str
    title: str
    version_date: Day | None
    start: Day | None
    end: Day | None
    ended_as: Status | None
    status: Status
    """On the day asked."""
    derived: bool = False
    """The start is inferred (推定): it lies between ``start`` and ``certain``."""
    certain: Day | None = None
    end_derived: bool = False
    """The end was counted from a day that was inferred (推定)."""

    @property
    def words(self) -> str:
        """From when to when it is law as a reader sees it (起止), with 推定 where a day was inferred."""
        since = f"{self.start} 起{'（推定）' * self.derived}" if self.start else "施行日期不明"
        until = f"至 {self.last} 止{'（推定）' * self.end_derived}" if self.last else "没有读到终止日期"
        return f"{since}，{until}"

    @property
    def last(self) -> Day | None:
        """Its last day as law; None when no end is known."""
        return self.end - dt.timedelta(1) if self.end else None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The stretches, oldest first, and the events in order."""

    title: str
    day: Day
    stretches: tuple[InForcePeriod, ...]
    events: tuple[TimelineEvent, ...]


def timeline(versions: Sequence[Regulation], day: Day, title_of: Callable[[str], str | None]) -> Timeline:
    """Tell the history of a work by its held versions, oldest first, at least one.

    ``title_of`` gives the title of a held regulation by its id or file, None for other words.
    """
    found: dict[tuple[Day, str, str], TimelineEvent] = {}
    for version in reversed(versions):  # the newest note is the fullest
        for event in _events(version, title_of):
            found.setdefault((event.day, event.kind, event.detail if event.kind == _PARTIAL else ""), event)
    busy = {e.day for e in found.values() if e.origin is Origin.TEXT and e.kind != "公布"}
    kept = [e for e in found.values() if not (e.kind == "公布" and e.origin is Origin.DERIVED and e.day in busy)]
    events = sorted(kept, key=lambda e: (e.day, _ORDER.index(e.kind)))
    return Timeline(versions[-1].title, day, tuple(_stretch(v, day) for v in versions), tuple(events))


def _stretch(version: Regulation, day: Day) -> InForcePeriod:
    known = version.validity
    days = known.effective, known.ends, known.ended_as, status_of(version, day), known.derived, known.certain_from
    return InForcePeriod(version.id, version.title, version.version_date, *days, known.ends_derived)


def _events(version: Regulation, title_of: Callable[[str], str | None]) -> Iterator[TimelineEvent]:
    known = version.validity
    for event in history(version.text):
        yield TimelineEvent(event.day, event.kind.value, event.words, Origin.TEXT, version.id, event.decision or "")
    yield from _dated(version, known.promulgated, "公布", known.why("promulgated"))
    yield from _dated(version, known.first_effective, "施行", known.why("first_effective"))
    if known.version_effective != known.first_effective:
        yield from _dated(
            version,
            known.version_effective,
            _DERIVED if known.derived else "本版本施行",
            known.why("version_effective"),
        )
    for moved in (e for e in known.evidence if e.fact in _MOVES):
        yield from _dated(version, dt.date.fromisoformat(moved.value), _MOVES[moved.fact], moved)
    for scope in known.scopes:
        yield from _dated(version, scope.effective, _PARTIAL, scope.evidence, named_units(version, scope.labels))
    if known.ends is not None:
        by = known.ended_by or ""
        kind = _ENDS[known.ended_as or Status.UNKNOWN]
        yield from _dated(version, known.ends, kind, known.why("ends"), title_of(by) or by)


def named_units(version: Regulation, labels: Sequence[str]) -> str:
    """Name provisions without their chapters: 第三条、第七条第二款."""
    found = [version.find(label) for label in labels]
    paths = [p.path() if p else label for p, label in zip(found, labels, strict=True)]
    return "、".join(re.sub(r"^(?:第[^第条]{1,8}(?:分编|编|章|节))+(?=第)", "", path) for path in paths)


def _dated(
    version: Regulation, day: Day | None, kind: str, evidence: Evidence | None, detail: str = ""
) -> Iterator[TimelineEvent]:
    if day is not None:
        words, origin = (evidence.words, evidence.origin) if evidence else ("", Origin.DERIVED)
        yield TimelineEvent(day, kind, words, origin, version.id, detail)
