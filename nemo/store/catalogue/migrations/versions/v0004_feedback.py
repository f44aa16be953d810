"""What readers say of answers."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table of feedback."""
    op.create_table(
        "feedback",
        sa.Column("number", SERIAL, nullable=False),
        sa.Column("trace_id", sa.String(length=128), nullable=False),
        sa.Column("useful", sa.Boolean(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_feedback"),
    )
    op.create_index("ix_feedback_trace_id", "feedback", ["trace_id"], unique=False)
