"""The catalogue's tables of collecting: what is watched, what was met and collected, what was sent, standards (采集的表)."""

from sqlalchemy import BigInteger, Boolean, Column, Date, ForeignKey, Integer, String, UniqueConstraint

from nemo.store.catalogue.schema import SERIAL, Json, Moment, Text, keys, metadata, optional, required, table

__all__ = ["addresses", "deliveries", "metadata", "papers", "standards", "visits", "watches"]

watches = table(
    "watches",
    *keys(id=SERIAL),
    *required(kind=String(16), subject=Text, schedule=Text, paused=Boolean, next=Moment, at=Moment),
    *optional(by=Text),
    UniqueConstraint("kind", "subject", name="uq_watches_kind"),
)
"""What is looked at again and again: an official site (``subject`` its code) or a folder (its path)."""

visits = table(
    "visits",
    *keys(id=SERIAL),
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("state", String(16), nullable=False, index=True),
    *required(due=Moment, tries=Integer, counts=Json(), alarms=Json(tuple), problem=Text),
    *optional(began=Moment, ended=Moment, by=Text),
)
"""Looks that were taken or wait to be; of one watch at most one is unfinished."""

addresses = table(
    "addresses",
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="CASCADE"), primary_key=True),
    *keys(url=Text),
    *required(kind=String(16), state=String(16), title=Text, listed=Text, parent=Text, etag=Text, modified=Text),
    *required(layout=Text, problem=Text, links=Json(tuple), digest=String(64), tries=Integer, seen=Moment),
    *optional(fetched=Moment),
)
"""Every address that a watch ever met, with what its server said of its state: what is unchanged is not sent again."""

papers = table(
    "papers",
    *keys(id=SERIAL),
    Column("watch_id", BigInteger, ForeignKey("watches.id", ondelete="SET NULL"), index=True),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("state", String(16), nullable=False, index=True),
    Column("words", String(64), nullable=False, index=True),
    *required(question=Text, url=Text, title=Text, name=Text, reason=Text, generation=BigInteger, at=Moment),
    *optional(media_type=Text, by=Text, sheet=Json(), fetched_at=Moment, batch=String(32)),
)
"""What was collected, each once by its bytes; nothing of it is in the library before a person, or a rule of theirs, lets it in."""

deliveries = table("deliveries", *keys(target=Text, event=Text), *required(at=Moment))
"""Which news went where: everything is sent once."""

standards = table(
    "standards",
    *keys(key=String(64)),
    *required(number=Text, title=Text, replaced_by=Text, source=Text, status=String(16), at=Moment),
    *optional(effective=Date, ends=Date, by=Text),
)
"""What is known of standards (标准状态), as people imported it."""
