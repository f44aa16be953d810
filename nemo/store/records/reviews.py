"""Quotes of stored answers and what reviewers decided on them (引文复核).

Decisions are only ever added; where a quote stands follows from all of them. That is kept in memory as one immutable
state, so that answering can ask about every quote without the database: :attr:`Reviews.version` rises with each
decision. Every decision goes into the audit log in the same transaction.
"""

import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sqlalchemy as sa

from nemo.errors import BadRequestError, ConflictError, NotFoundError
from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.entry import text_hash
from nemo.store.catalogue.rows import QuoteRow, ReviewDecision, ReviewStanding
from nemo.store.catalogue.schema import answers, decisions, now, quoted, quotes
from nemo.store.records import audit, chain
from nemo.types import Review, Span, Status, Verdict

Key = tuple[str, Span]

UNDECIDED = ReviewStanding()

SAME = ("id", "regulation_id", "label", "title", "path", "words", "text_sha256", "trace_id", "position", "day", "asked")
"""What a quote has from its columns as it is."""


@dataclass(frozen=True, slots=True)
class ReviewState:
    """Where every quote stands that anybody decided on."""

    version: int = 0
    standings: Mapping[Key, ReviewStanding] = field(default_factory=dict)
    rejected: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)


def newest_decision(connection: sa.Connection) -> int:
    """Return the number of the newest decision, 0 where there is none."""
    return int(connection.execute(sa.select(sa.func.max(decisions.c.number))).scalar() or 0)


class Reviews:
    """The quotes of one library's answers."""

    def __init__(self, database: Database, two_persons: bool) -> None:
        self._database = database
        self.two_persons = two_persons
        self._deciding = threading.Lock()
        self._state = self._load()

    # --- what answering asks

    @property
    def version(self) -> int:
        """Number of the newest decision; rises with each."""
        return self._state.version

    def follow(self, version: int) -> None:
        """Read what another process decided, unless ``version`` is what is known already."""
        if version != self._state.version:
            self._state = self._load()

    def rejected(self, regulation_id: str) -> tuple[Span, ...]:
        """Return the rejected stretches of one regulation; no database is asked."""
        return self._state.rejected.get(regulation_id, ())

    def standing(self, regulation_id: str, span: Span) -> ReviewStanding:
        """Return where a stretch of text stands; no database is asked."""
        return self._state.standings.get((regulation_id, span), UNDECIDED)

    # --- deciding

    def decide(
        self, quote_id: int, state: Verdict, reason: str = "", by: str | None = None, seen: int | None = None
    ) -> ReviewStanding:
        """Write down a decision; it counts at once. PENDING takes earlier ones back.

        ``seen`` is ``ReviewStanding.version`` of what the reviewer looked at; None decides whatever came meanwhile.

        Raises:
            ConflictError: somebody decided since; nothing was decided.
        """
        values = {"quote_id": quote_id, "state": state.name, "reason": reason, "by": by}
        return self._add(values, {"state": state.value, "reason": reason}, seen)

    def undo(self, quote_id: int, by: str | None = None, seen: int | None = None) -> ReviewStanding:
        """Take one's own newest decision back: the quote stands where it stood before.

        Raises:
            BadRequestError: nobody decided, or the newest decision is somebody else's.
            ConflictError: somebody decided since; nothing was changed.
        """
        standing = _effective(made := self.decisions(quote_id))
        if not standing or standing[-1].by != by:
            raise BadRequestError("只能撤销自己的、且是最近的一次决定。请刷新后再看。")
        last = standing[-1]
        detail = {"state": f"撤销“{last.state.value}”", "reason": ""}
        values = {"quote_id": quote_id, "state": Verdict.PENDING.name, "reason": "", "by": by, "undoes": last.number}
        # what others decided meanwhile and took back again is nothing to stop at
        return self._add(values, detail, made[-1].number if seen in (None, last.number) else seen)

    def _add(self, values: Mapping[str, Any], detail: Mapping[str, str], seen: int | None) -> ReviewStanding:
        quote_id = values["quote_id"]
        with self._deciding:
            with self._database.write() as connection:
                quote = connection.execute(sa.select(quotes).where(quotes.c.id == quote_id)).one_or_none()
                if quote is None:
                    raise NotFoundError(f"没有编号为 {quote_id} 的引文。请刷新复核列表。")
                _require_seen(connection, quote_id, seen)
                chain.seal(connection, "decision", added(connection, decisions, {**values, "at": now()}))
                place = f"{quote.regulation_id}:{quote.start}-{quote.end}"
                about = {"title": quote.title, "path": quote.path, "quote_sha256": text_hash(quote.words)}
                audit.append(connection, "review", place, {**detail, **about}, values["by"])
            standing = standing_of(made := self.decisions(quote_id), self.two_persons)
            key = (quote.regulation_id, Span(quote.start, quote.end))
            self._state = _state(made[-1].number, {**self._state.standings, key: standing})
        return standing

    def decisions(self, quote_id: int | None = None) -> list[ReviewDecision]:
        """Return the decisions on one quote, or on all, oldest first."""
        query = sa.select(decisions).order_by(decisions.c.number)
        if quote_id is not None:
            query = query.where(decisions.c.quote_id == quote_id)
        return [_decision(row) for row in self._database.rows(query)]

    def _load(self) -> ReviewState:
        query = sa.select(decisions, quotes.c.regulation_id, quotes.c.start, quotes.c.end)
        by_quote: dict[Key, list[ReviewDecision]] = defaultdict(list)
        version = 0
        for row in self._database.rows(query.join_from(decisions, quotes).order_by(decisions.c.number)):
            by_quote[row.regulation_id, Span(row.start, row.end)].append(_decision(row))
            version = row.number
        return _state(version, {key: standing_of(made, self.two_persons) for key, made in by_quote.items()})

    # --- the quotes

    def rows(self, ids: Sequence[int] | None = None) -> list[QuoteRow]:
        """Return every quote of the stored answers, or some, in order of their first use."""
        newest = _newest_use()
        query = sa.select(quotes, newest).join_from(quotes, newest, newest.c.quote_id == quotes.c.id)
        query = query.where(newest.c.place == 1).order_by(quotes.c.id)
        if ids is not None:
            query = query.where(quotes.c.id.in_(ids))
        return [self._row(row) for row in self._database.rows(query)]

    def row(self, quote_id: int) -> QuoteRow:
        """Return one quote."""
        found = self.rows([quote_id])
        if not found:
            raise NotFoundError(f"没有编号为 {quote_id} 的引文。请刷新复核列表。")
        return found[0]

    def _row(self, row: sa.Row[Any]) -> QuoteRow:
        span = Span(row.start, row.end)
        standing, status = self.standing(row.regulation_id, span), Status[row.status]
        as_they_are = {name: getattr(row, name) for name in SAME}
        return QuoteRow(**as_they_are, span=span, answers=row.uses, status=status, standing=standing)


def _state(version: int, standings: Mapping[Key, ReviewStanding]) -> ReviewState:
    rejected: dict[str, tuple[Span, ...]] = {}
    for (regulation_id, span), standing in standings.items():
        if standing.state is Verdict.REJECTED:
            rejected[regulation_id] = (*rejected.get(regulation_id, ()), span)
    return ReviewState(version, standings, rejected)


def _newest_use() -> sa.Subquery:
    """Return, for each quote, its uses numbered from the newest answer, with how many there are."""
    newest_first = (answers.c.at.desc(), quoted.c.trace_id)
    order = sa.func.row_number().over(partition_by=quoted.c.quote_id, order_by=newest_first)
    count = sa.func.count().over(partition_by=quoted.c.quote_id)
    return sa.select(quoted, order.label("place"), count.label("uses")).join_from(quoted, answers).subquery()


def standing_of(made: Iterable[ReviewDecision], two_persons: bool) -> ReviewStanding:
    """Work out where a quote stands from its decisions, oldest first.

    One rejection rejects and one doubt doubts, whatever was decided before: a wrong quote must leave at once. Under the
    rule of two persons an approval counts when two different persons gave it since anybody decided otherwise.
    """
    approvals: list[str | None] = []
    people: list[str | None] = []
    newest: ReviewDecision | None = None
    every = list(made)
    version = every[-1].number if every else 0
    for decision in _effective(every):
        newest = decision
        if decision.by not in people:
            people.append(decision.by)
        if decision.state is not Verdict.APPROVED:
            approvals = []
        elif decision.by not in approvals:
            approvals.append(decision.by)
    if newest is None:
        return replace(UNDECIDED, version=version)
    waits = newest.state is Verdict.APPROVED and two_persons and len(approvals) < 2
    state = Verdict.PENDING if waits else newest.state
    review = Review(newest.state, newest.by, newest.at, newest.reason)
    return ReviewStanding(state, review, tuple(approvals), tuple(people), version)


def _effective(made: Sequence[ReviewDecision]) -> list[ReviewDecision]:
    """Return the decisions that count: without those taken back, and without the taking back."""
    undone = {decision.undoes for decision in made}
    return [decision for decision in made if decision.undoes is None and decision.number not in undone]


def _require_seen(connection: sa.Connection, quote_id: int, seen: int | None) -> None:
    """Refuse a decision on what the reviewer did not see.

    Raises:
        ConflictError: a newer decision came meanwhile.
    """
    query = sa.select(decisions).where(decisions.c.quote_id == quote_id).order_by(decisions.c.number.desc()).limit(1)
    newest = connection.execute(query).one_or_none()
    if seen is None or seen == (newest.number if newest else 0):
        return
    who = (newest.by if newest else None) or "另一位复核员"
    did = f"判为“{Verdict[newest.state].value}”" if newest and newest.undoes is None else "撤销了先前的决定"
    raise ConflictError(f"您查看之后，{who}已{did}。您的决定没有记录，请看过对方的意见再决定。")


def _decision(row: sa.Row[Any]) -> ReviewDecision:
    return ReviewDecision(row.number, row.quote_id, Verdict[row.state], row.reason, row.by, row.at, row.undoes)
