"""Tokens of programs, and who handed a file over."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table of tokens and add the column; a catalogue that was numbered back by hand already has them."""
    known = sa.inspect(op.get_bind())
    if not known.has_table("tokens"):
        op.create_table(
            "tokens",
            sa.Column("number", SERIAL, nullable=False),
            sa.Column("name", sa.Text(), nullable=False),
            sa.Column("role", sa.String(length=16), nullable=False),
            sa.Column("digest", sa.String(length=64), nullable=False),
            sa.Column("by", sa.Text(), nullable=False),
            sa.Column("at", sa.DateTime(timezone=True), nullable=False),
            sa.Column("ends", sa.DateTime(timezone=True), nullable=True),
            sa.Column("revoked_by", sa.Text(), nullable=True),
            sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
            sa.PrimaryKeyConstraint("number", name="pk_tokens"),
            sa.UniqueConstraint("digest", name="uq_tokens_digest"),
        )
    if "by" not in {column["name"] for column in known.get_columns("jobs")}:
        op.add_column("jobs", sa.Column("by", sa.Text(), nullable=True))
