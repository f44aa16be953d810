"""When a text is law, and who says so (时效与依据)."""

import datetime as dt
import enum
from dataclasses import dataclass

from nemo.types.places import Day, Span

DERIVED_START_WITHIN = dt.timedelta(days=365)
"""How long after its adoption an amended version may come into force at the latest (修正的施行日期).

No provision of law sets a bound. Of 162 amended statutes with a day in the official database the longest delay was 188
days; a year is the working assumption, said wherever such a day is shown (推定).
"""
ISSUED_WITHIN = dt.timedelta(days=40)
"""How long after its signing a paper that names no commencement is in force at the latest (规范性文件未载明施行日期).

What is for the public is published within 20 working days of its making (政府信息公开条例第二十六条); with the longest
holidays these are 38 days.
"""


class Origin(enum.StrEnum):
    """Who says so. A later member wins over an earlier one."""

    DERIVED = "推定"
    TEXT = "文本"
    MANIFEST = "清单"
    RELATION = "关联法规"
    ANALYST = "人工"


STATED = (Origin.MANIFEST, Origin.ANALYST)
"""Not read from a text: somebody says so."""

STRENGTH = {origin: at for at, origin in enumerate(Origin)}
"""Whose word counts more: the greater number."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words a fact was read from, and where."""

    fact: str
    """Name of the field it supports, e.g. ``first_effective``."""
    words: str
    """Verbatim words; for what was stated, Chinese words that name the field and its value."""
    origin: Origin
    span: Span | None = None
    """Place in the regulation's own text; None when the words stand elsewhere."""
    field: str = ""
    """Field of a manifest or form that states it, e.g. ``effective_date``; empty for what was read."""
    value: str = ""
    """What that field holds, as given: codes, days in ISO form, lists joined by 、. Of a commencement that was read, its day."""


class Status(enum.StrEnum):
    """时效性 of a regulation or provision on one day."""

    UNKNOWN = "效力待核"
    PENDING = "尚未施行"
    IN_FORCE = "现行有效"
    AMENDED = "已被修改"
    REPEALED = "已废止"
    EXPIRED = "有效期届满"

    @property
    def may_answer(self) -> bool:
        """Whether a text of this status may be quoted as law of the day; unknown may, with its label."""
        return self in (Status.IN_FORCE, Status.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Scope:
    """A commencement of its own for some articles (第三条、第五条自…起施行)."""

    labels: tuple[str, ...]
    """Labels of articles, paragraphs or items, e.g. ``("3", "5-2")``; what lies below a label goes with it."""
    effective: Day | None
    """None when the text leaves the day open (除第三条外；施行日期另行规定)."""
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Validity:
    """When a text is law. Status is computed from it for a day and never stored.

    ``first_effective`` is the commencement clause of the text; ``version_effective`` the day this version came into
    force. A 修正 keeps the old clause, so the two differ for most amended texts.
    """

    promulgated: Day | None = None
    first_effective: Day | None = None
    version_effective: Day | None = None
    ends: Day | None = None
    """First day on which this text is no longer law."""
    ended_as: Status | None = None
    """AMENDED, REPEALED or EXPIRED; UNKNOWN when what ends it has no known commencement. Set exactly when ``ends`` is."""
    ended_by: str | None = None
    """Id or title of the regulation that ended it."""
    evidence: tuple[Evidence, ...] = ()
    scopes: tuple[Scope, ...] = ()
    amended: bool = False
    """The text is a later version (修正/修订) of an earlier one, so its clause date need not be this version's."""
    ends_certain: Day | None = None
    """From this day on the end is certain; from ``ends`` until then the status is UNKNOWN. None: ``ends`` is certain."""
    stayed: bool = False
    """A later notice put its commencement off and named no new day (暂缓施行)."""

    @property
    def last_day(self) -> Day | None:
        """The last day on which this text is law: what 有效至 names."""
        return None if self.ends is None else self.ends - dt.timedelta(days=1)

    @property
    def ends_derived(self) -> bool:
        """Whether the end was counted from a day that was inferred, not stated (推定)."""
        basis = self.why("ends")
        return basis is not None and basis.origin is Origin.DERIVED

    @property
    def until(self) -> str:
        """The last day on which this text is law as a reader sees it (有效至), with 推定 where it was inferred; empty without an end."""
        return f"{'推定' * self.ends_derived}有效至 {self.last_day}" if self.ends else ""

    @property
    def effective(self) -> Day | None:
        """The day this version came into force; the clause date only when the text was never amended."""
        if self.version_effective is not None:
            return self.version_effective
        return None if self.amended else self.first_effective

    @property
    def derived(self) -> bool:
        """Whether the day this version came into force was inferred from its adoption or issue, not stated (推定)."""
        basis = self.why("version_effective") if self.version_effective is not None else None
        return basis is not None and basis.origin is Origin.DERIVED

    @property
    def began(self) -> str:
        """The day this version came into force as a reader sees it, with 推定 where it was inferred."""
        if self.effective is None:
            return "暂缓施行" if self.stayed else "施行日期未知"
        return f"推定 {self.effective} 至 {self.certain_from} 间施行" if self.derived else f"{self.effective} 施行"

    @property
    def certain_from(self) -> Day | None:
        """First day on which this version surely is in force: its start, or of a derived start the end of the range."""
        start = self.effective
        if start is None or not self.derived:
            return start
        return start + (DERIVED_START_WITHIN if self.amended else ISSUED_WITHIN)

    def on(self, day: Day, label: str | None = None) -> Status:
        """Return the status on ``day``, of the whole text or of the provision ``label``.

        An end is believed before a start is asked for: a text known to be repealed is repealed even if nobody knows
        when it began. With no start at all the status is UNKNOWN, never a guess, but PENDING before its promulgation.
        Where the start is derived (推定) it is UNKNOWN from the adoption until the start is certain.
        UNKNOWN too where parts of the provision start on different days and these do not agree.
        """
        if self.ends is not None and day >= self.ends:
            doubtful = self.ends_certain is not None and day < self.ends_certain
            return Status.UNKNOWN if doubtful else self.ended_as or Status.UNKNOWN
        found = {self._since(self.start_of(label), day)}
        if label is not None:
            found |= {self._since(self._no_earlier(part.effective), day) for part in self._inside(label)}
        return found.pop() if len(found) == 1 else Status.UNKNOWN

    def _since(self, start: Day | None, day: Day) -> Status:
        if start is None:
            known = self.first_effective or self.promulgated
            if self.stayed:
                return Status.PENDING
            return Status.PENDING if known is not None and day < known else Status.UNKNOWN
        if day < start:
            return Status.PENDING
        doubtful = self.derived and (certain := self.certain_from) is not None and day < certain
        return Status.UNKNOWN if doubtful else Status.IN_FORCE

    def start_of(self, label: str | None) -> Day | None:
        """Return the day the provision ``label`` (None: the text) came into force in this version."""
        scope = self.scope_of(label) if label else None
        return self.effective if scope is None else self._no_earlier(scope.effective)

    def scope_of(self, label: str) -> Scope | None:
        """Return the commencement of its own that covers a provision, the most particular of several."""
        covering = [(len(unit), s) for s in self.scopes for unit in s.labels if f"{label}-".startswith(f"{unit}-")]
        return max(covering, key=lambda found: found[0])[1] if covering else None

    def proof(self, day: Day, label: str = "") -> str | None:
        """Return the words that the status of a provision (empty: of the text) on ``day`` rests on.

        Of an UNKNOWN status they are the reason in Chinese (效力待核的原因).
        """
        ended = self.why("ends") if self.ends is not None and day >= self.ends else None
        if ended is not None:
            return ended.words
        unknown = self.on(day, label or None) is Status.UNKNOWN
        scope = self.scope_of(label) or (next(iter(self._inside(label)), None) if unknown and label else None)
        if scope is not None:
            return f"{scope.evidence.words}（施行日期未定，或各款不一）" if unknown else scope.evidence.words
        if unknown:
            return self._doubt()
        basis = self.why("version_effective") or (None if self.amended else self.why("first_effective"))
        unstated = self.derived and self.first_effective is None and not self.amended
        why = f"（没有写明这一日期，按 {self.effective} 推定）" if unstated else ""
        return f"{basis.words}{why}" if basis else None

    def _doubt(self) -> str:
        if self.derived and self.certain_from is not None:
            done = "通过或修改" if self.amended else "成文"
            return f"本版本于 {self.effective} {done}，施行日期未载明（推定不晚于 {self.certain_from}）"
        if self.amended:
            return "没有读到本版本的施行日期，原施行日期不能代替"
        basis = self.why("first_effective")
        since = f"，公布或成文日期 {self.promulgated}" if self.promulgated else ""
        return f"{basis.words}（文中没有写明这一日期{since}）" if basis else f"文中没有写明施行日期{since}"

    def _inside(self, label: str) -> list[Scope]:
        """Return the commencements of parts below a provision."""
        return [s for s in self.scopes if any(unit.startswith(f"{label}-") for unit in s.labels)]

    def _no_earlier(self, start: Day | None) -> Day | None:
        """Return a start that is not before this version: an amended text keeps the days of its first one."""
        if not self.amended or self.version_effective == self.first_effective:
            return start
        return None if start is None or self.effective is None else max(start, self.effective)

    def why(self, fact: str) -> Evidence | None:
        """Return the strongest evidence for a field, None when there is none.

        Where the text says the same as a stronger statement, its own words are the better proof.
        """
        found = [e for e in self.evidence if e.fact == fact]
        strongest = max(found, key=lambda e: STRENGTH[e.origin], default=None)
        if strongest is None or not strongest.field:
            return strongest
        agreeing = (e for e in found if e.origin is Origin.TEXT and e.value == strongest.value)
        return next(agreeing, strongest)
