"""Collecting on a schedule (采集、待确认), what was told to whom, and standards (标准状态)."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def _text(*names: str) -> list[sa.Column[Any]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _watch(ondelete: str, **how: Any) -> sa.Column[Any]:
    return sa.Column("watch_id", sa.BigInteger(), sa.ForeignKey("watches.id", ondelete=ondelete), **how)


TABLES: dict[str, list[Any]] = {
    "watches": [
        sa.Column("id", SERIAL, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        *_text("subject", "schedule"),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("next", MOMENT, nullable=False),
        sa.Column("by", sa.Text()),
        sa.Column("at", MOMENT, nullable=False),
        sa.UniqueConstraint("kind", "subject", name="uq_watches_kind"),
    ],
    "visits": [
        sa.Column("id", SERIAL, primary_key=True),
        _watch("CASCADE", nullable=False, index=True),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("due", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("began", MOMENT),
        sa.Column("ended", MOMENT),
        *_text("counts", "alarms", "problem"),
        sa.Column("by", sa.Text()),
    ],
    "addresses": [
        _watch("CASCADE", primary_key=True),
        sa.Column("url", sa.Text(), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        *_text("title", "listed", "parent", "etag", "modified"),
        sa.Column("digest", sa.String(64), nullable=False),
        *_text("layout", "links"),
        sa.Column("tries", sa.Integer(), nullable=False),
        *_text("problem"),
        sa.Column("seen", MOMENT, nullable=False),
        sa.Column("fetched", MOMENT),
    ],
    "papers": [
        sa.Column("id", SERIAL, primary_key=True),
        _watch("SET NULL", index=True),
        *_text("question", "url", "title", "name"),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("media_type", sa.Text()),
        sa.Column("fetched_at", MOMENT),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("words", sa.String(64), nullable=False, index=True),
        sa.Column("sheet", sa.Text()),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        *_text("reason"),
        sa.Column("batch", sa.String(32)),
        sa.UniqueConstraint("sha256", name="uq_papers_sha256"),
        sa.Column("by", sa.Text()),
        sa.Column("at", MOMENT, nullable=False),
    ],
    "deliveries": [
        sa.Column("target", sa.Text(), primary_key=True),
        sa.Column("event", sa.Text(), primary_key=True),
        sa.Column("at", MOMENT, nullable=False),
    ],
    "standards": [
        sa.Column("key", sa.String(64), primary_key=True),
        *_text("number", "title"),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("effective", sa.Date()),
        sa.Column("ends", sa.Date()),
        *_text("replaced_by", "source"),
        sa.Column("by", sa.Text()),
        sa.Column("at", MOMENT, nullable=False),
    ],
}


def upgrade() -> None:
    """Create the tables; a catalogue that was numbered back by hand already has them."""
    known = sa.inspect(op.get_bind())
    for name, columns in TABLES.items():
        if not known.has_table(name):
            op.create_table(name, *columns)
