"""Light records of the catalogue: what lists, filters and the succession of versions need, never the text."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nemo.text.structure.chunking import chunk_of
from nemo.types import Chunk, Day, Filters, Review, Span, Status, Verdict
from nemo.types.regulation import RegulationRow as RegulationRow


@dataclass(frozen=True, slots=True)
class RegulationBody:
    """The text of one regulation and the places of its chunks."""

    regulation_id: str
    first: int
    text: str
    spans: np.ndarray
    """(n, 2) int32, in text order."""
    labels: tuple[str, ...]
    headings: tuple[str, ...]
    """What stands above each chunk: chapter and section titles."""

    def chunk(self, index: int) -> Chunk:
        """Return the chunk at a position in text order."""
        return chunk_of(self.regulation_id, self.text, Span(*self.spans[index].tolist()), self.labels[index])


@dataclass(frozen=True, slots=True)
class LibraryChange:
    """One step of the library's history."""

    generation: int
    kind: str
    """``stored``, ``removed`` or ``embedded``."""
    regulation_id: str
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not become a regulation, waiting for a person (失败文件)."""

    id: int
    name: str
    sha256: str | None
    """None when not even the bytes could be had."""
    code: str
    message: str
    tips: tuple[str, ...]
    facts: dict[str, object]
    """What the analyst had stated about the file, for the next try."""
    tries: int
    state: str
    """``open``, ``dismissed`` or ``done``."""
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One stored answer without its quotes."""

    trace_id: str
    question: str
    day: Day
    refused: bool
    generation: int
    at: dt.datetime
    user: str | None
    filters: Filters = field(default_factory=Filters)


@dataclass(frozen=True, slots=True)
class QuoteUse:
    """One way in which stored answers quoted a stretch of text: for which day, with which status, asked when."""

    quote_id: int
    regulation_id: str
    span: Span
    label: str
    words: str
    text_sha256: str
    """Hash of the whole text when the stretch was first quoted; empty when the regulation was gone by then."""
    day: Day
    status: Status
    asked: Day
    """Day in China."""


@dataclass(frozen=True, slots=True)
class ReviewStanding:
    """What all decisions on a quote come to (复核状态)."""

    state: Verdict = Verdict.PENDING
    """Where the quote stands; under the rule of two persons it still waits after the first approval."""
    newest: Review | None = None
    """The newest decision; None when there is none."""
    approvals: tuple[str | None, ...] = ()
    """Who approved it since anybody decided otherwise, in order, each person once."""
    people: tuple[str | None, ...] = ()
    """Everybody who ever decided on it, in order of their first decision."""
    version: int = field(default=0, compare=False)
    """Number of the newest decision, or of the one that took it back; 0 when there is none."""

    @property
    def review(self) -> Review | None:
        """What an answer says about the quote; None while it waits."""
        if self.newest is None or self.state is Verdict.PENDING:
            return None
        named = [name for name in self.approvals if name]
        by = "、".join(named) if self.state is Verdict.APPROVED and named else self.newest.by
        return Review(self.state, by, self.newest.at, self.newest.reason)


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A stretch of text that stored answers quoted, with what reviewers said (待复核引文)."""

    id: int
    regulation_id: str
    span: Span
    label: str
    title: str
    path: str
    words: str
    text_sha256: str
    answers: int
    """How many stored answers quote it."""
    trace_id: str
    """The newest of them, and the place of the quote in it."""
    position: int
    day: Day
    status: Status
    """As stated by that answer for ``day``."""
    asked: Day
    standing: ReviewStanding


@dataclass(frozen=True, slots=True)
class ReviewDecision:
    """What one person decided on a quote at one time."""

    number: int
    quote_id: int
    state: Verdict
    reason: str
    by: str | None
    at: dt.datetime
    undoes: int | None = None
    """Number of the decision that this one takes back, as if it had never been."""


@dataclass(frozen=True, slots=True)
class Search:
    """A question somebody keeps to ask again (保存的查询)."""

    id: int
    user: str | None
    name: str
    question: str
    filters: Filters
    at: dt.datetime
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What somebody put beside a text or a quote, see ``nemo.store.records.marks`` (标记)."""

    id: int
    kind: str
    user: str | None
    subject: str
    label: str
    words: str
    note: str
    by: str | None
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Feedback:
    """What somebody said of an answer (评价)."""

    number: int
    trace_id: str
    useful: bool
    remark: str
    by: str | None
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """Under what a golden set was run (评测条件)."""

    name: str
    """Of the set."""
    by: str | None
    generation: int
    """Of the library."""
    regulations: int
    """How many were held."""
    parts: str
    """Names of the embedder and the rankers."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One run of a golden set (评测记录)."""

    number: int
    at: dt.datetime
    run: EvaluationRun
    result: Mapping[str, Mapping[str, Any]]
    """One block of measures for each file of the set, see ``nemo.evaluation.golden.run``."""


@dataclass(frozen=True, slots=True)
class Session:
    """What somebody added to their memory (记忆)."""

    id: int
    app: str
    """The program that added it."""
    user: str | None
    title: str
    text: str
    at: dt.datetime


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who brought a file, and through which corpora (入库来源)."""

    user: str | None = None
    corpora: tuple[int, ...] = ()
    """Numbers of corpora; none: it came in for everybody."""


@dataclass(frozen=True, slots=True)
class Revision:
    """A change of a regulation's facts by a person (修改)."""

    regulation_id: str
    changes: Mapping[str, tuple[object, object]]
    """Old and new value by field."""
    reason: str = ""
    user: str | None = None


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One token of a program as it is kept: everything but the token (接口令牌)."""

    number: int
    name: str
    role: str
    """Name of a role in small letters."""
    by: str
    """Who made it."""
    at: dt.datetime
    ends: dt.datetime | None
    revoked_by: str | None
    revoked_at: dt.datetime | None

    def valid(self, moment: dt.datetime) -> bool:
        """Tell whether the token opens anything at a moment (aware)."""
        return self.revoked_at is None and (self.ends is None or moment < self.ends)


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One entry of the audit log (审计记录)."""

    number: int
    at: str
    user: str | None
    action: str
    subject: str
    detail: str
    """JSON."""
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """The newest part of the audit log, and whether the whole of it is sound."""

    entries: tuple[AuditRow, ...]
    """Newest first."""
    count: int
    """Of the whole log."""
    broken_at: int | None
    """Number of the first entry that does not fit the chain; None when all fit."""
