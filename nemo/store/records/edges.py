"""The edges of the graph in the catalogue: written with a text, gone with it (图谱的存放)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import sqlalchemy as sa

from nemo.store.catalogue.database import TextRecords
from nemo.store.catalogue.entry import EdgeNotes
from nemo.store.catalogue.graph_tables import edge_of, edge_readings, edge_row, edges, proposals
from nemo.store.catalogue.schema import regulations, texts
from nemo.store.records.audit import UNNAMED
from nemo.store.records.proposals import ProposalState
from nemo.types.graph import GraphEdge

_COLUMNS = [column.name for column in edges.c if column.name != "confidence"]
_IS_APPROVED = proposals.c.state == ProposalState.APPROVED.value
_APPROVED_BY = sa.func.coalesce(proposals.c.by, UNNAMED).label("approved")
IDS_AT_ONCE = 500
LEAD = 60
"""Characters before a delegation in which the clause it belongs to is looked for."""


class StoredEdge(NamedTuple):
    """An edge and the regulation its words stand in."""

    regulation_id: str
    edge: GraphEdge
    approved: str = ""
    """Who approved it, of one that a model proposed; empty of what was read by rules."""


class Edges(TextRecords):
    """Reads the edges of held texts, and keeps those of texts that were stored without."""

    def of(self, regulation_ids: Sequence[str], kinds: Sequence[str] = ()) -> list[StoredEdge]:
        """Return the edges whose words stand in some texts, of some kinds or of all, in the order of the words."""
        found: list[StoredEdge] = []
        for at in range(0, len(regulation_ids), IDS_AT_ONCE):
            some = regulation_ids[at : at + IDS_AT_ONCE]
            found += self._found(lambda table, some=some: table.c.regulation_id.in_(some), kinds)  # type: ignore[misc]
        return found

    def all(self, kinds: Sequence[str] = (), holding: Sequence[str] = ()) -> list[StoredEdge]:
        """Return every edge of some kinds, of the texts that hold all of some words."""
        held = (self._database.dialect.holds(texts.c.text, words) for words in holding)
        query = sa.select(texts.c.regulation_id).where(*held)
        return self._found(lambda table: table.c.regulation_id.in_(query) if holding else sa.true(), kinds)

    def to(self, targets: Sequence[str], kinds: Sequence[str] = ()) -> list[StoredEdge]:
        """Return the edges that end at one of some names."""
        return self._found(lambda table: table.c.target.in_(targets), kinds)

    def named(self, words: str, kinds: Sequence[str] = (), limit: int | None = 500) -> list[StoredEdge]:
        """Return edges with an end whose name holds some words, at most ``limit``; None: all."""

        def held(table: sa.Table) -> sa.ColumnElement[bool]:
            return sa.or_(*(self._database.dialect.holds(table.c[end], words) for end in ("source", "target")))

        return self._found(held, kinds, limit)

    def _found(
        self, which: Callable[[sa.Table], sa.ColumnElement[bool]], kinds: Sequence[str], limit: int | None = None
    ) -> list[StoredEdge]:
        """Return edges of the rules, and those of a model that a person approved."""
        read, proposed = (
            sa.select(*(table.c[name] for name in _COLUMNS), sure, by).where(
                which(table), table.c.kind.in_(kinds) if kinds else sa.true(), self._shown(table)
            )
            for table, sure, by in (
                (edges, edges.c.confidence, sa.literal("").label("approved")),
                (proposals, sa.literal(1.0).label("confidence"), _APPROVED_BY),
            )
        )
        both = sa.union_all(read, proposed.where(_IS_APPROVED)).subquery()
        query = sa.select(both).order_by(both.c.regulation_id, both.c.begins, both.c.approved, both.c.id).limit(limit)
        found = self._database.rows(query)
        return [StoredEdge(row.regulation_id, edge_of(row, row.confidence), row.approved) for row in found]

    def counts(self, within: Collection[str] | None = None) -> dict[str, int]:
        """Return how many edges of each kind there are, in some texts or in all."""
        found: dict[str, int] = {}
        for table, which in ((edges, sa.true()), (proposals, _IS_APPROVED)):
            columns = (table.c.regulation_id, table.c.kind)
            query = sa.select(*columns, sa.func.count()).where(which, self._shown(table)).group_by(*columns)
            for text, kind, count in self._database.rows(query):
                if within is None or text in within:
                    found[kind] = found.get(kind, 0) + count
        return dict(sorted(found.items()))

    def naming(self) -> list[tuple[str, str, str, int]]:
        """Return what texts cite and are based on: (regulation id, name, rule, how often); ``title_named`` where it ever stands in marks."""
        where = (edges.c.kind.in_(("cites", "based_on")), edges.c.target != "", self._shown(edges))
        columns = (edges.c.regulation_id, edges.c.target, sa.func.max(edges.c.rule), sa.func.count())
        query = sa.select(*columns).where(*where).group_by(edges.c.regulation_id, edges.c.target)
        return [tuple(row) for row in self._database.rows(query.order_by(sa.func.min(edges.c.begins)))]

    def targets(self) -> list[tuple[str, str]]:
        """Return every (regulation id, name of a text or standard at the end of an edge of its), each once."""
        texts_named = edges.c.target_kind.in_(("regulation", "provision", "standard"))
        query = sa.select(edges.c.regulation_id, edges.c.target)
        query = query.where(edges.c.target != "", texts_named, self._shown(edges))
        return [tuple(row) for row in self._database.rows(query.distinct())]

    def delegations(self) -> list[tuple[str, str, str]]:
        """Return what texts leave to others to make: (regulation id, label, words from the clause before)."""
        lead = sa.case((edges.c.begins > LEAD, LEAD), else_=edges.c.begins)
        words = sa.func.substr(texts.c.text, edges.c.begins - lead + 1, edges.c.ends - edges.c.begins + lead)
        query = (
            sa.select(edges.c.regulation_id, edges.c.label, words)
            .join_from(edges, texts, texts.c.regulation_id == edges.c.regulation_id)
            .where(edges.c.kind == "delegates", self._shown(edges))
            .order_by(edges.c.regulation_id, edges.c.begins)
        )
        return [tuple(row) for row in self._database.rows(query)]

    def readings(self) -> Iterator[tuple[str, str | None, int, int]]:
        """Yield (regulation id, reader, edges it stored, edges there are) of every text; no reader: never read."""
        there = sa.select(edges.c.regulation_id, sa.func.count().label("n")).group_by(edges.c.regulation_id).subquery()
        query = (
            sa.select(regulations.c.id, edge_readings.c.reader, edge_readings.c.count, there.c.n)
            .select_from(
                regulations.outerjoin(edge_readings, edge_readings.c.regulation_id == regulations.c.id).outerjoin(
                    there, there.c.regulation_id == regulations.c.id
                )
            )
            .order_by(regulations.c.first)
        )
        for regulation_id, reader, stored, count in self._database.rows(query):
            if regulation_id not in self._hidden:
                yield regulation_id, reader, stored or 0, count or 0

    def keep(self, regulation_id: str, notes: EdgeNotes) -> None:
        """Store the edges of a held text in place of those it had; nothing when it was removed meanwhile."""
        with self._database.write() as connection:
            if connection.execute(sa.select(regulations.c.id).where(regulations.c.id == regulation_id)).scalar():
                insert(connection, regulation_id, notes)

    def unread(self, reader: str) -> list[str]:
        """Return the ids of the texts that this reader has not read, or of which edges are missing."""
        return [i for i, by, stored, there in self.readings() if by != reader or stored != there]


def insert(connection: sa.Connection, regulation_id: str, notes: EdgeNotes) -> None:
    """Store the edges of a text in place of those it had, inside the caller's transaction."""
    connection.execute(edges.delete().where(edges.c.regulation_id == regulation_id))
    connection.execute(edge_readings.delete().where(edge_readings.c.regulation_id == regulation_id))
    rows = [{"regulation_id": regulation_id, **edge_row(e), "confidence": e.confidence} for e in notes.edges]
    if rows:
        connection.execute(edges.insert(), rows)
    connection.execute(edge_readings.insert().values(regulation_id=regulation_id, reader=notes.reader, count=len(rows)))
