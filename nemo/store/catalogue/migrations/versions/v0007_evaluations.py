"""Runs of golden sets are kept, so that two of them can be compared."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table of evaluations; a catalogue that was numbered back by hand already has it."""
    if sa.inspect(op.get_bind()).has_table("evaluations"):
        return
    op.create_table(
        "evaluations",
        sa.Column("number", SERIAL, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("regulations", sa.Integer(), nullable=False),
        sa.Column("parts", sa.Text(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_evaluations"),
    )
