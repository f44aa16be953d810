"""Edges that a model proposes, and the runs that brought them (图谱候选关系)."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
NUMBER = sa.BigInteger()
MOMENT = sa.DateTime(timezone=True)


def _needed(*names: str, type_: Any) -> list[sa.Column[Any]]:
    return [sa.Column(name, type_, nullable=False) for name in names]


def upgrade() -> None:
    """Create the tables; a catalogue that was numbered back by hand already has them."""
    if sa.inspect(op.get_bind()).has_table("proposals"):
        return
    op.create_table(
        "proposal_runs",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("by", sa.Text()),
        *_needed("at", "beat", type_=MOMENT),
        *_needed("options", "dropped", "problem", type_=sa.Text()),
        *_needed("state", type_=sa.String(length=16)),
        *_needed("texts", "pieces", "done", "found", type_=sa.Integer()),
        *_needed("sent", "received", type_=NUMBER),
        sa.PrimaryKeyConstraint("id", name="pk_proposal_runs"),
    )
    names = ("label", "source", "target", "target_label", "rule", "words", "model", "reason")
    op.create_table(
        "proposals",
        sa.Column("id", SERIAL, nullable=False),
        *_needed("run_id", type_=NUMBER),
        *_needed("regulation_id", type_=sa.String(length=64)),
        *_needed("kind", "target_kind", "state", type_=sa.String(length=16)),
        *_needed(*names, type_=sa.Text()),
        *_needed("begins", "ends", type_=sa.Integer()),
        *_needed("at", type_=MOMENT),
        sa.Column("by", sa.Text()),
        sa.Column("decided", MOMENT),
        sa.ForeignKeyConstraint(["run_id"], ["proposal_runs.id"], name="fk_proposals_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_proposals"),
    )
    op.create_index("ix_proposals_regulation_id", "proposals", ["regulation_id"], unique=False)
    op.create_index("ix_proposals_state", "proposals", ["state"], unique=False)
