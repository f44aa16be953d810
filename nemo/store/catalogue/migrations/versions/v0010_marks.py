"""What people put beside texts and quotes (批注、关注、分派、已阅), and folders of saved questions."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the table and add the column; a catalogue that was numbered back by hand already has them."""
    known = sa.inspect(op.get_bind())
    if not known.has_table("marks"):
        op.create_table(
            "marks",
            sa.Column("id", SERIAL, nullable=False),
            sa.Column("kind", sa.String(length=16), nullable=False),
            sa.Column("user", sa.Text(), nullable=True),
            sa.Column("subject", sa.Text(), nullable=False),
            sa.Column("label", sa.Text(), nullable=False),
            sa.Column("words", sa.Text(), nullable=False),
            sa.Column("note", sa.Text(), nullable=False),
            sa.Column("by", sa.Text(), nullable=True),
            sa.Column("at", sa.DateTime(timezone=True), nullable=False),
            sa.PrimaryKeyConstraint("id", name="pk_marks"),
        )
        op.create_index("ix_marks_subject", "marks", ["subject"], unique=False)
    if "folder" not in {column["name"] for column in known.get_columns("searches")}:
        op.add_column("searches", sa.Column("folder", sa.Text(), nullable=False, server_default=""))
