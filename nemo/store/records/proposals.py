"""Edges that a model proposes (候选关系), kept apart from those of the rules until a person approves them, and its runs.

A proposal rests on words of a held text. It stays through a reading anew that leaves these words where they are, and goes
with its text; what was rejected stays too, so that it is not proposed again.
"""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from nemo.errors import ConflictError, NotFoundError
from nemo.store.catalogue.database import Database, TextRecords, added
from nemo.store.catalogue.graph_tables import edge_of, edge_row, proposal_runs, proposals
from nemo.store.catalogue.schema import now, texts
from nemo.store.records import audit
from nemo.types.graph import GraphEdge

SILENCE = dt.timedelta(minutes=5)
"""A run that gives no sign of life for so long was cut short; one call to a service is given up sooner."""
_SHOWN = 200
_NEWEST = sa.select(proposal_runs).order_by(proposal_runs.c.id.desc())


class ProposalState(enum.StrEnum):
    """Where a proposal stands."""

    PENDING = "待核"
    APPROVED = "已核准"
    REJECTED = "已驳回"


class RunState(enum.StrEnum):
    """Where a run stands."""

    RUNNING = "进行中"
    STOPPING = "正在停止"
    DONE = "已完成"
    STOPPED = "已停止"
    LIMIT = "已达用量上限"
    FAILED = "失败"
    CUT_SHORT = "已中断"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An edge that a model proposes."""

    id: int
    run_id: int
    regulation_id: str
    edge: GraphEdge
    words: str
    """What the text says at the place of the edge."""
    model: str
    at: dt.datetime
    state: ProposalState
    by: str | None
    """Who decided."""
    decided: dt.datetime | None
    reason: str


@dataclass(frozen=True, slots=True)
class ProposalRun:
    """One time that a model was asked."""

    id: int
    by: str | None
    at: dt.datetime
    options: Mapping[str, Any]
    state: RunState
    texts: int
    pieces: int
    """Calls that are to be made."""
    done: int
    found: int
    dropped: Mapping[str, int]
    """How many proposals were not kept, by reason in Chinese."""
    sent: int
    """Tokens."""
    received: int
    problem: str

    @property
    def active(self) -> bool:
        """Whether somebody is at work on it."""
        return self.state in (RunState.RUNNING, RunState.STOPPING)


class Proposals(TextRecords):
    """The proposals of one library. Any thread may call anything; one run at a time writes to its own row."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._at_work: list[threading.Thread] = []
        self.closing = threading.Event()
        """Set when the library closes: a run ends after the call that is under way."""

    def close(self) -> None:
        """Have every run of this process end, and wait for it."""
        self.closing.set()
        for thread in self._at_work:
            thread.join()

    # --- runs

    def begin(self, by: str | None, options: Mapping[str, Any], asked: Sequence[str], pieces: int) -> int:
        """Write down that a model is going to be asked, with what leaves the machine, and return the number of the run.

        Raises:
            ConflictError: a run is under way; one at a time, so that costs are seen.
        """
        at = now()
        with self._database.write() as connection:
            if any(_run(**row._mapping).active for row in connection.execute(_NEWEST.limit(5))):
                raise ConflictError("已有一次候选关系任务在进行。请等它完成，或先停止它。")
            values = {"by": by, "at": at, "options": options, "state": RunState.RUNNING.value, "beat": at}
            numbers = {"texts": len(asked), "pieces": pieces, "done": 0, "found": 0, "sent": 0, "received": 0}
            number = added(connection, proposal_runs, {**values, **numbers, "dropped": {}, "problem": ""})
            detail = {"run": number, "model": options.get("model"), "texts": list(asked)[:_SHOWN], "count": len(asked)}
            audit.append(connection, "propose", str(number), detail, by)
        return number

    def work(self, thread: threading.Thread) -> None:
        """Start a thread that asks; it is waited for when the library closes."""
        self._at_work[:] = [each for each in self._at_work if each.is_alive()]
        self._at_work.append(thread)
        thread.start()

    def record_progress(self, number: int, **changes: object) -> bool:
        """Write down how far a run came; return whether it shall go on."""
        mine = proposal_runs.c.id == number
        with self._database.write() as connection:
            connection.execute(proposal_runs.update().where(mine).values(**changes, beat=now()))
            state = connection.execute(sa.select(proposal_runs.c.state).where(mine)).scalar()
        return state == RunState.RUNNING and not self.closing.is_set()

    def stop(self, number: int) -> None:
        """Ask a run to end after the call that is under way."""
        mine = (proposal_runs.c.id == number, proposal_runs.c.state == RunState.RUNNING.value)
        self._database.changed(proposal_runs.update().where(*mine).values(state=RunState.STOPPING.value))

    def runs(self, limit: int = 20) -> list[ProposalRun]:
        """Return the newest runs."""
        return self._database.found(_run, _NEWEST.limit(limit))

    def a_run(self, number: int) -> ProposalRun:
        """Return one run."""
        query = _NEWEST.where(proposal_runs.c.id == number)
        return self._database.one(_run, query, f"没有编号为 {number} 的任务。请刷新列表。")

    def last_of(self, by: str | None) -> ProposalRun | None:
        """Return the newest run of a person."""
        return next(iter(self._database.found(_run, _NEWEST.where(proposal_runs.c.by == by).limit(1))), None)

    # --- proposals

    def add(self, run_id: int, regulation_id: str, model: str, found: Sequence[tuple[GraphEdge, str]]) -> None:
        """Keep proposals (edge, its words) as 待核; none of a text that was removed, or of words that changed, meanwhile."""
        shared = {"run_id": run_id, "regulation_id": regulation_id, "model": model, "at": now(), "reason": ""}
        rows = [
            {**shared, **edge_row(edge), "words": words, "state": ProposalState.PENDING.value} for edge, words in found
        ]
        with self._database.write() as connection:
            held = sa.select(texts.c.text).where(texts.c.regulation_id == regulation_id)
            text = connection.execute(held).scalar() or ""
            rows = [row for row in rows if text[row["begins"] : row["ends"]] == row["words"]]
            if rows:
                connection.execute(proposals.insert(), rows)

    def of(self, regulation_id: str) -> list[Proposal]:
        """Return everything that was ever proposed of a text."""
        return self._found(proposals.c.regulation_id == regulation_id)

    def all(self, state: ProposalState | None = None, limit: int = _SHOWN) -> list[Proposal]:
        """Return the proposals of a state, oldest first."""
        return self._found(proposals.c.state == state.value if state else sa.true(), limit)

    def one(self, number: int) -> Proposal:
        """Return one proposal.

        Raises:
            NotFoundError: there is none of this number, or it is not seen here.
        """
        found = self._found(proposals.c.id == number)
        if not found:
            raise NotFoundError(f"没有编号为 {number} 的候选关系，它所在的法规可能已被删除。请刷新列表。")
        return found[0]

    def _found(self, which: sa.ColumnElement[bool], limit: int | None = None) -> list[Proposal]:
        query = sa.select(proposals).where(which, self._shown(proposals)).order_by(proposals.c.id).limit(limit)
        return [_proposal(row) for row in self._database.rows(query)]

    def counts(self) -> dict[str, int]:
        """Return how many there are in each state."""
        query = sa.select(proposals.c.state, sa.func.count()).where(self._shown(proposals)).group_by(proposals.c.state)
        known = {str(state): int(count) for state, count in self._database.rows(query)}
        return {state.value: known.get(state.value, 0) for state in ProposalState}

    def version(self) -> tuple[int, dt.datetime | None]:
        """Return what changes with every decision: whoever keeps something made of approved edges keeps it under this."""
        query = sa.select(sa.func.count(proposals.c.decided), sa.func.max(proposals.c.decided))
        count, newest = self._database.row(query)
        return int(count), newest

    def decide(self, number: int, state: ProposalState, reason: str, by: str | None) -> Proposal:
        """Approve or reject a proposal, or put it back; in the audit log with its words."""
        one = self.one(number)
        values = {"state": state.value, "by": by, "decided": now(), "reason": reason}
        detail = {
            "proposal": number, "kind": one.edge.kind, "source": one.edge.source, "target": one.edge.target, "words": one.words,
            "start": one.edge.span.start, "end": one.edge.span.end, "model": one.model, "was": one.state.value, "now": state.value,
            "reason": reason,
        }  # fmt: skip
        with self._database.write() as connection:
            connection.execute(proposals.update().where(proposals.c.id == number).values(values))
            audit.append(connection, "decide_edge", one.regulation_id, detail, by)
        return self.one(number)

    def by_text(self) -> Iterator[tuple[str, list[Proposal]]]:
        """Yield every text of which something was proposed, with all of it."""
        every = sorted(self._found(sa.true()), key=lambda one: one.regulation_id)
        for regulation_id, found in itertools.groupby(every, lambda one: one.regulation_id):
            yield regulation_id, list(found)


def settle(connection: sa.Connection, stored: Mapping[str, str], replaced: Sequence[str]) -> None:
    """Keep what was proposed of texts (by id) that were read anew where the words are the same; the rest goes."""
    which = proposals.c.regulation_id.in_([*stored, *replaced])
    for row in connection.execute(sa.select(proposals).where(which)).all():
        if stored.get(row.regulation_id, "")[row.begins : row.ends] != row.words:
            connection.execute(proposals.delete().where(proposals.c.id == row.id))


def _proposal(row: sa.Row[Any]) -> Proposal:
    names = ("id", "run_id", "regulation_id", "words", "model", "at", "by", "decided", "reason")
    kept = {name: getattr(row, name) for name in names}
    return Proposal(**kept, edge=edge_of(row, 1.0), state=ProposalState(row.state))


def _run(state: str, beat: dt.datetime, **columns: Any) -> ProposalRun:
    run = ProposalRun(**columns, state=RunState(state))
    return replace(run, state=RunState.CUT_SHORT) if run.active and now() - beat > SILENCE else run
