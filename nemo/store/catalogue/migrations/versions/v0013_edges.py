"""What the words of a text tie together: the edges of the graph of the law (图谱)."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables; a catalogue that was numbered back by hand already has them."""
    known = sa.inspect(op.get_bind())
    if known.has_table("edges"):
        return
    text = [sa.Column(name, sa.Text(), nullable=False) for name in ("label", "source")]
    more = [sa.Column(name, sa.Text(), nullable=False) for name in ("target", "target_label")]
    op.create_table(
        "edges",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        *text,
        sa.Column("target_kind", sa.String(length=16), nullable=False),
        *more,
        sa.Column("begins", sa.Integer(), nullable=False),
        sa.Column("ends", sa.Integer(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_edges_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_edges"),
    )
    op.create_index("ix_edges_kind", "edges", ["kind"], unique=False)
    op.create_index("ix_edges_regulation_id", "edges", ["regulation_id"], unique=False)
    op.create_table(
        "edge_readings",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("reader", sa.String(length=64), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_edge_readings_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("regulation_id", name="pk_edge_readings"),
    )
