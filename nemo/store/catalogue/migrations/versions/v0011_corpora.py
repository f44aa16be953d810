"""Corpora with their members, memories of people, and measures of answers per day (资料集、记忆、每日指标)."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables; a catalogue that was numbered back by hand already has them."""
    known = set(sa.inspect(op.get_bind()).get_table_names())
    for name, parts in {**_corpora(), **_windows(), **_kept()}.items():
        if name not in known:
            op.create_table(name, *parts)
            if name == "members":
                op.create_index("ix_members_regulation_id", "members", ["regulation_id"], unique=False)


def _corpora() -> dict[str, list[sa.Column | sa.Constraint]]:
    return {
        "corpora": [
            sa.Column("id", SERIAL, nullable=False),
            sa.Column("name", sa.String(length=80), nullable=False),
            sa.Column("description", sa.Text(), nullable=False),
            sa.Column("owner", sa.Text(), nullable=True),
            sa.Column("visibility", sa.String(length=16), nullable=False),
            sa.Column("people", sa.Text(), nullable=False),
            sa.Column("embedder", sa.String(length=32), nullable=False),
            sa.Column("store", sa.String(length=32), nullable=False),
            sa.Column("chunking", sa.String(length=16), nullable=False),
            sa.Column("at", MOMENT, nullable=False),
            sa.Column("changed", MOMENT, nullable=False),
            sa.PrimaryKeyConstraint("id", name="pk_corpora"),
            sa.UniqueConstraint("name", name="uq_corpora_name"),
        ],
        "members": [
            sa.Column("corpus_id", sa.BigInteger(), nullable=False),
            sa.Column("regulation_id", sa.String(length=64), nullable=False),
            sa.Column("at", MOMENT, nullable=False),
            sa.Column("by", sa.Text(), nullable=True),
            sa.ForeignKeyConstraint(["corpus_id"], ["corpora.id"], name="fk_members_corpus_id", ondelete="CASCADE"),
            sa.PrimaryKeyConstraint("corpus_id", "regulation_id", name="pk_members"),
        ],
        "confined": [
            sa.Column("regulation_id", sa.String(length=64), nullable=False),
            sa.Column("at", MOMENT, nullable=False),
            sa.PrimaryKeyConstraint("regulation_id", name="pk_confined"),
        ],
    }


def _windows() -> dict[str, list[sa.Column | sa.Constraint]]:
    return {
        "windows": [
            sa.Column("corpus_id", sa.BigInteger(), nullable=False),
            sa.Column("regulation_id", sa.String(length=64), nullable=False),
            sa.Column("text_sha256", sa.String(length=64), nullable=False),
            sa.Column("embedder", sa.String(length=200), nullable=False),
            sa.Column("dim", sa.Integer(), nullable=False),
            sa.Column("spans", sa.LargeBinary(), nullable=False),
            sa.Column("rows", sa.LargeBinary(), nullable=False),
            sa.ForeignKeyConstraint(["corpus_id"], ["corpora.id"], name="fk_windows_corpus_id", ondelete="CASCADE"),
            sa.ForeignKeyConstraint(
                ["regulation_id"], ["regulations.id"], name="fk_windows_regulation_id", ondelete="CASCADE"
            ),
            sa.PrimaryKeyConstraint("corpus_id", "regulation_id", name="pk_windows"),
        ],
    }


def _kept() -> dict[str, list[sa.Column | sa.Constraint]]:
    return {
        "sessions": [
            sa.Column("id", SERIAL, nullable=False),
            sa.Column("app", sa.String(length=80), nullable=False),
            sa.Column("user", sa.Text(), nullable=True),
            sa.Column("title", sa.Text(), nullable=False),
            sa.Column("text", sa.Text(), nullable=False),
            sa.Column("at", MOMENT, nullable=False),
            sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        ],
        "days": [
            sa.Column("day", sa.Date(), nullable=False),
            sa.Column("measure", sa.String(length=64), nullable=False),
            sa.Column("count", sa.BigInteger(), nullable=False),
            sa.Column("total", sa.Float(), nullable=False),
            sa.PrimaryKeyConstraint("day", "measure", name="pk_days"),
        ],
    }
