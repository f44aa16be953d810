"""The catalogue's tables of collecting: what is watched, what was met and collected, what was told, standards (采集的表)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Date, ForeignKey, Integer, String, Table, Text, UniqueConstraint

from nemo.store.catalogue.schema import SERIAL, Moment, metadata

__all__ = ["addresses", "deliveries", "metadata", "papers", "standards", "visits", "watches"]

watches = Table(
    "watches",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False),
    Column("schedule", Text, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("next", Moment, nullable=False),
    Column("by", Text),
    Column("at", Moment, nullable=False),
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
    Column("began", Moment),
    Column("ended", Moment),
    Column("counts", Text, nullable=False),
    Column("alarms", Text, nullable=False),
    Column("problem", Text, nullable=False),
    Column("by", Text),
)
"""Looks that were taken or wait to be; of one watch at most one is unfinished."""

addresses = Table(
    "addresses",
    metadata,
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="CASCADE"), primary_key=True),
    Column("url", Text, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("listed", Text, nullable=False),
    Column("parent", Text, nullable=False),
    Column("etag", Text, nullable=False),
    Column("modified", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("layout", Text, nullable=False),
    Column("links", Text, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("problem", Text, nullable=False),
    Column("seen", Moment, nullable=False),
    Column("fetched", Moment),
)
"""Every address that a watch ever met, with what its server said of its state: what is unchanged is not sent again."""

papers = Table(
    "papers",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="SET NULL"), index=True),
    Column("question", Text, nullable=False),
    Column("url", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("media_type", Text),
    Column("fetched_at", Moment),
    Column("state", String(16), nullable=False, index=True),
    Column("words", String(64), nullable=False, index=True),
    Column("sheet", Text),
    Column("generation", BigInteger, nullable=False),
    Column("reason", Text, nullable=False),
    Column("batch", String(32)),
    Column("by", Text),
    Column("at", Moment, nullable=False),
)
"""What was collected, each once by its bytes; nothing of it is in the library before a person, or a rule of theirs, lets it in."""

deliveries = Table(
    "deliveries",
    metadata,
    Column("target", Text, primary_key=True),
    Column("event", Text, primary_key=True),
    Column("at", Moment, nullable=False),
)
"""Which news went where: everything is told once."""

standards = Table(
    "standards",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("number", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("status", String(16), nullable=False),
    Column("effective", Date),
    Column("ends", Date),
    Column("replaced_by", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("by", Text),
    Column("at", Moment, nullable=False),
)
"""What is known of standards (标准状态), as people imported it."""
