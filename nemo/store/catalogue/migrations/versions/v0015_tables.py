"""Every table and column that a catalogue lacks: all of them in a new library, the later ones in one of an earlier revision.

Revisions before this one only added, and none was published; this step stands for them all. It looks at what is there,
and so does every step after it: a catalogue may have been given a column here that a later step adds.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

from nemo.store.catalogue.graph_tables import metadata

revision = "0015"
down_revision = None
branch_labels = None
depends_on = None

LABELS = {
    "promulgated": "公布日期",
    "effective_date": "施行日期",
    "in_force_from": "本版本施行日期",
    "valid_until": "有效期至",
    "superseded_on": "被新版本取代日期",
    "repealed_on": "废止日期",
    "version_date": "版本日期",
}
WHO = {"MANIFEST": "清单所载：", "ANALYST": "人工填写："}

COUNTED = {
    "corpora": "id", "sessions": "id", "marks": "id", "searches": "id", "failures": "id", "watches": "id", "papers": "id",
    "tokens": "number", "decisions": "number", "feedback": "number", "evaluations": "number", "proposal_runs": "id",
    "changes": "generation",
}  # fmt: skip


def upgrade() -> None:
    """Add what is missing, then bring what earlier revisions wrote into today's form."""
    connection = op.get_bind()
    known = sa.inspect(connection)
    held = set(known.get_table_names()) & set(metadata.tables)
    metadata.create_all(
        connection, [table for name, table in metadata.tables.items() if name not in held], checkfirst=False
    )
    for name in held:
        there = {column["name"] for column in known.get_columns(name)}
        for column in metadata.tables[name].columns:
            if column.name not in there:
                op.add_column(name, column)
    _name_stated_fields(connection)
    if connection.dialect.name == "sqlite":
        _note_newest_numbers(connection)


def _name_stated_fields(connection: sa.Connection) -> None:
    """Turn words like effective_date=2024-08-01 into 清单所载：施行日期 2024-08-01, the field apart from what a reader sees."""
    regulations = sa.table("regulations", sa.column("id", sa.String), sa.column("validity", sa.Text))
    for key, text in connection.execute(sa.select(regulations.c.id, regulations.c.validity)).all():
        validity = json.loads(text)
        if sum(_mend(evidence) for evidence in validity.get("evidence", ())):
            mended = json.dumps(validity, ensure_ascii=False, separators=(",", ":"))
            connection.execute(regulations.update().where(regulations.c.id == key).values(validity=mended))


def _mend(evidence: dict[str, Any]) -> bool:
    name, equals, value = evidence["words"].partition("=")
    if not equals or name not in LABELS or evidence["origin"] == "TEXT":
        return False
    evidence["words"] = f"{WHO.get(evidence['origin'], WHO['MANIFEST'])}{LABELS[name]} {value}"
    if evidence["origin"] in WHO:
        evidence.update(field=name, value=value)
    return True


def _note_newest_numbers(connection: sa.Connection) -> None:
    """Write down the newest numbers ever given (编号不复用): SQLite gives the number of a deleted newest row again."""
    meta = sa.table("meta", sa.column("key"), sa.column("value"))
    kept = set(connection.execute(sa.select(meta.c.key)).scalars())
    for name, column in COUNTED.items():
        if (key := f"newest_{name}") not in kept:
            newest = connection.execute(sa.select(sa.func.max(sa.column(column))).select_from(sa.table(name))).scalar()
            connection.execute(meta.insert().values(key=key, value=str(newest or 0)))
