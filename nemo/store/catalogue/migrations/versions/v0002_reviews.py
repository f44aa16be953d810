"""Quotes of stored answers, what reviewers decided on them, saved searches.

Answers were not stored by the program before this step, so there are no older quotes to list.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of quotes, decisions and searches."""
    op.add_column("answers", sa.Column("filters", sa.Text(), nullable=True))
    _quotes()
    _decisions()
    op.create_table(
        "searches",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("user", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("filters", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_searches"),
    )


def _quotes() -> None:
    op.create_table(
        "quotes",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("start", sa.BigInteger(), nullable=False),
        sa.Column("end", sa.BigInteger(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_quotes"),
        sa.UniqueConstraint("regulation_id", "start", "end", name="uq_quotes_regulation_id"),
    )
    op.create_table(
        "quoted",
        sa.Column("trace_id", sa.String(length=128), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("quote_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("asked", sa.Date(), nullable=False),
        sa.ForeignKeyConstraint(["trace_id"], ["answers.trace_id"], name="fk_quoted_trace_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["quote_id"], ["quotes.id"], name="fk_quoted_quote_id"),
        sa.PrimaryKeyConstraint("trace_id", "position", name="pk_quoted"),
    )
    op.create_index("ix_quoted_quote_id", "quoted", ["quote_id"], unique=False)


def _decisions() -> None:
    op.create_table(
        "decisions",
        sa.Column("number", SERIAL, nullable=False),
        sa.Column("quote_id", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["quote_id"], ["quotes.id"], name="fk_decisions_quote_id"),
        sa.PrimaryKeyConstraint("number", name="pk_decisions"),
    )
    op.create_index("ix_decisions_quote_id", "decisions", ["quote_id"], unique=False)
