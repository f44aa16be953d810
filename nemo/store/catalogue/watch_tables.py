"""The catalogue's tables of collecting: what is watched, what was met and collected, what was sent, standards (采集的表)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, ForeignKey, Integer, String, Table, UniqueConstraint

from nemo.store.catalogue.schema import SERIAL, Json, Moment, Text, metadata, optional, required

__all__ = ["addresses", "deliveries", "metadata", "papers", "standards", "visits", "watches"]

watches = Table(
    "watches",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("kind", String(16), nullable=False),
    *required(Text, "subject", "schedule"),
    Column("paused", Boolean, nullable=False),
    *required(Moment, "next", "at"),
    Column("by", Text),
    UniqueConstraint("kind", "subject", name="uq_watches_kind"),
)
"""What is looked at again and again: an official site (``subject`` its code) or a folder (its path)."""

visits = Table(
    "visits",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("state", String(16), nullable=False, index=True),
    Column("due", Moment, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("counts", Json(), nullable=False),
    Column("alarms", Json(tuple), nullable=False),
    Column("problem", Text, nullable=False),
    *optional(Moment, "began", "ended"),
    Column("by", Text),
)
"""Looks that were taken or wait to be; of one watch at most one is unfinished."""

addresses = Table(
    "addresses",
    metadata,
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="CASCADE"), primary_key=True),
    Column("url", Text, primary_key=True),
    *required(String(16), "kind", "state"),
    *required(Text, "title", "listed", "parent", "etag", "modified", "layout", "problem"),
    Column("links", Json(tuple), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("seen", Moment, nullable=False),
    Column("fetched", Moment),
)
"""Every address that a watch ever met, with what its server said of its state: what is unchanged is not sent again."""

papers = Table(
    "papers",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="SET NULL"), index=True),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("state", String(16), nullable=False, index=True),
    Column("words", String(64), nullable=False, index=True),
    *required(Text, "question", "url", "title", "name", "reason"),
    Column("generation", BigInteger, nullable=False),
    Column("at", Moment, nullable=False),
    *optional(Text, "media_type", "by"),
    Column("sheet", Json()),
    Column("fetched_at", Moment),
    Column("batch", String(32)),
)
"""What was collected, each once by its bytes; nothing of it is in the library before a person, or a rule of theirs, lets it in."""

deliveries = Table(
    "deliveries",
    metadata,
    Column("target", Text, primary_key=True),
    Column("event", Text, primary_key=True),
    Column("at", Moment, nullable=False),
)
"""Which news went where: everything is sent once."""

standards = Table(
    "standards",
    metadata,
    Column("key", String(64), primary_key=True),
    *required(Text, "number", "title", "replaced_by", "source"),
    Column("status", String(16), nullable=False),
    Column("at", Moment, nullable=False),
    *optional(Date, "effective", "ends"),
    Column("by", Text),
)
"""What is known of standards (标准状态), as people imported it."""
