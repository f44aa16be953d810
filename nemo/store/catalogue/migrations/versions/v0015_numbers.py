"""The newest numbers that were ever given, so that none is given twice: SQLite gives a deleted newest row's again (编号不复用)."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

COUNTED = {
    "corpora": "id", "sessions": "id", "marks": "id", "searches": "id", "failures": "id", "watches": "id", "papers": "id",
    "tokens": "number", "decisions": "number", "feedback": "number", "evaluations": "number", "proposal_runs": "id",
    "changes": "generation",
}  # fmt: skip


def upgrade() -> None:
    """Write down what stands; only SQLite needs it."""
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    meta = sa.table("meta", sa.column("key"), sa.column("value"))
    known = set(sa.inspect(connection).get_table_names())
    kept = set(connection.execute(sa.select(meta.c.key)).scalars())
    for name, column in COUNTED.items():
        if name in known and (key := f"newest_{name}") not in kept:
            newest = connection.execute(sa.select(sa.func.max(sa.column(column))).select_from(sa.table(name))).scalar()
            connection.execute(meta.insert().values(key=key, value=str(newest or 0)))
