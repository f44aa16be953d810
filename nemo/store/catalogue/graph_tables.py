"""The catalogue's tables of the graph: edges read by rules, and what a model proposes beside them (图谱的表)."""

from typing import Any

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Integer, Row, String

from nemo.store.catalogue.schema import SERIAL, Json, Moment, Text, keys, optional, required, table
from nemo.store.catalogue.watch_tables import metadata
from nemo.types import Span
from nemo.types.graph import GraphEdge

__all__ = ["edge_of", "edge_readings", "edge_row", "edges", "metadata", "proposal_runs", "proposals"]

_NAMES = ("kind", "label", "source", "target_kind", "target", "target_label", "rule")


def edge_row(edge: GraphEdge) -> dict[str, Any]:
    """Return what a row of either table holds of an edge, but for its confidence."""
    return {name: getattr(edge, name) for name in _NAMES} | {"begins": edge.span.start, "ends": edge.span.end}


def edge_of(row: Row[Any], confidence: float) -> GraphEdge:
    """Return the edge that a row of either table holds."""
    return GraphEdge(
        **{name: getattr(row, name) for name in _NAMES}, span=Span(row.begins, row.ends), confidence=confidence
    )


def _edge_columns(*, indexed: bool) -> list[Column[Any]]:
    return [
        Column("kind", String(16), nullable=False, index=indexed),
        *required(target_kind=String(16), label=Text, source=Text, target=Text, target_label=Text, rule=Text),
        *required(begins=Integer, ends=Integer),
    ]


edges = table(
    "edges",
    *keys(id=SERIAL),
    Column("regulation_id", String(64), ForeignKey("regulations.id", ondelete="CASCADE"), nullable=False, index=True),
    *_edge_columns(indexed=True),
    *required(confidence=Float),
)
"""What the words of a text tie together, one row a tie; made from the text, and made anew when the reader changes."""

edge_readings = table(
    "edge_readings",
    Column("regulation_id", String(64), ForeignKey("regulations.id", ondelete="CASCADE"), primary_key=True),
    *required(reader=String(64), count=Integer),
)
"""Which reader found the edges of a text, and how many; without a row the text was not read for edges yet."""

proposal_runs = table(
    "proposal_runs",
    *keys(id=SERIAL),
    *required(at=Moment, beat=Moment, options=Json(), dropped=Json(), problem=Text, state=String(16)),
    *required(texts=Integer, pieces=Integer, done=Integer, found=Integer, sent=BigInteger, received=BigInteger),
    *optional(by=Text),
)
"""Times that a model was asked for edges: by whom, with which options, how far it came and what it cost in tokens. ``beat``
is its last sign of life: who reads it knows a run that a crash cut short."""

proposals = table(
    "proposals",
    *keys(id=SERIAL),
    Column("run_id", BigInteger, ForeignKey("proposal_runs.id"), nullable=False),
    Column("regulation_id", String(64), nullable=False, index=True),
    *_edge_columns(indexed=False),
    Column("state", String(16), nullable=False, index=True),
    *required(words=Text, model=Text, reason=Text, at=Moment),
    *optional(by=Text, decided=Moment),
)
"""Edges that a model proposes, with the words of the text they rest on; the graph has those alone that a person approved.
They outlive a reading anew of the same words and go with their text, by the hand of who removes it: hence no foreign key."""
