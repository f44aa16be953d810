"""The chain over everything that is relied on, and decisions of reviewers that take an earlier one back.

The chain begins, with a link for every record that is there, at the first writing of the program that knows it.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table of links and add the column; a catalogue that was numbered back by hand already has them."""
    known = sa.inspect(op.get_bind())
    if not known.has_table("links"):
        op.create_table(
            "links",
            sa.Column("number", sa.BigInteger(), nullable=False, autoincrement=False),
            sa.Column("at", sa.String(length=40), nullable=False),
            sa.Column("kind", sa.String(length=16), nullable=False),
            sa.Column("subject", sa.Text(), nullable=False),
            sa.Column("parts", sa.Text(), nullable=False),
            sa.Column("previous", sa.String(length=64), nullable=False),
            sa.Column("hash", sa.String(length=64), nullable=False),
            sa.Column("mac", sa.String(length=64), nullable=True),
            sa.PrimaryKeyConstraint("number", name="pk_links"),
        )
        op.create_index("ix_links_subject", "links", ["subject"], unique=False)
    if "undoes" not in {column["name"] for column in known.get_columns("decisions")}:
        op.add_column("decisions", sa.Column("undoes", sa.BigInteger(), nullable=True))
