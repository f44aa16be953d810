"""What a ranker noted of each chunk."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of sketches."""
    op.create_table(
        "sketches",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("ranker", sa.String(length=200), nullable=False),
        sa.Column("pieces", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_sketches_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("regulation_id", "ranker", name="pk_sketches"),
    )
