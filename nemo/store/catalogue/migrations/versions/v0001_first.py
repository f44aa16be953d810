"""The first catalogue: raw files, regulations with their parts, changes, failures, answers, audit."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create every table."""
    _files()
    _regulations()
    _parts()
    _vectors()
    _history()
    _people()


def _files() -> None:
    op.create_table(
        "meta",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_meta"),
    )
    op.create_table(
        "raw_files",
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("media_type", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_raw_files"),
    )


def _regulations() -> None:
    op.create_table(
        "regulations",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("short_title", sa.Text(), nullable=False),
        sa.Column("document_number", sa.Text(), nullable=True),
        sa.Column("issuer", sa.Text(), nullable=True),
        sa.Column("level", sa.Text(), nullable=True),
        sa.Column("province", sa.String(length=16), nullable=False),
        sa.Column("doc_class", sa.String(length=64), nullable=True),
        sa.Column("assets", sa.Text(), nullable=False),
        sa.Column("nature", sa.String(length=32), nullable=False),
        sa.Column("version_date", sa.Date(), nullable=True),
        sa.Column("validity", sa.Text(), nullable=False),
        sa.Column("relations", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("parser", sa.Text(), nullable=False),
        sa.Column("ocr_confidence", sa.Float(), nullable=True),
        sa.Column("characters", sa.Integer(), nullable=False),
        sa.Column("articles", sa.Integer(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("text_sha256", sa.String(length=64), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["sha256"], ["raw_files.sha256"], name="fk_regulations_sha256"),
        sa.PrimaryKeyConstraint("id", name="pk_regulations"),
        sa.UniqueConstraint("first", name="uq_regulations_first"),
    )
    op.create_index("ix_regulations_fingerprint", "regulations", ["fingerprint"], unique=False)
    op.create_index("ix_regulations_sha256", "regulations", ["sha256"], unique=False)


def _parts() -> None:
    op.create_table(
        "sources",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_sources_regulation_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["sha256"], ["raw_files.sha256"], name="fk_sources_sha256"),
        sa.PrimaryKeyConstraint("regulation_id", "sha256", "name", name="pk_sources"),
    )
    op.create_table(
        "texts",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("provisions", sa.LargeBinary(), nullable=False),
        sa.Column("details", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_texts_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("regulation_id", name="pk_texts"),
    )
    op.create_table(
        "chunks",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("spans", sa.LargeBinary(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("headings", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_chunks_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("regulation_id", name="pk_chunks"),
    )


def _vectors() -> None:
    op.create_table(
        "vectors",
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("embedder", sa.String(length=200), nullable=False),
        sa.Column("dim", sa.Integer(), nullable=False),
        sa.Column("rows", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["regulation_id"], ["regulations.id"], name="fk_vectors_regulation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("regulation_id", "embedder", name="pk_vectors"),
    )


def _history() -> None:
    op.create_table(
        "changes",
        sa.Column("generation", SERIAL, nullable=False),
        sa.Column("stamp", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("regulation_id", sa.String(length=64), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("generation", name="pk_changes"),
    )
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.String(length=40), nullable=False),
        sa.Column("user", sa.Text(), nullable=True),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("previous", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )


def _people() -> None:
    op.create_table(
        "failures",
        sa.Column("id", SERIAL, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("tips", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["sha256"], ["raw_files.sha256"], name="fk_failures_sha256"),
        sa.PrimaryKeyConstraint("id", name="pk_failures"),
    )
    op.create_index("ix_failures_state", "failures", ["state"], unique=False)
    op.create_table(
        "answers",
        sa.Column("trace_id", sa.String(length=128), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("texts", sa.Text(), nullable=False),
        sa.Column("generation", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("trace_id", name="pk_answers"),
    )
    op.create_index("ix_answers_at", "answers", ["at"], unique=False)
