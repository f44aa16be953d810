"""A whole catalogue from one database into another, proven row by row (搬迁).

Both sides are read through the same tables, so what is compared is what the program sees: every row's values, whatever the
database makes of them inside.
"""

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from nemo.errors import ConfigError
from nemo.settings import Settings
from nemo.store.catalogue.database import Database, sqlite_url
from nemo.store.catalogue.dialects import count_on
from nemo.store.catalogue.graph_tables import metadata
from nemo.store.catalogue.noted import note
from nemo.store.catalogue.schema import SERVED_VECTORS, meta
from nemo.store.files.lock import Ownership
from nemo.store.records import chain

ROWS = 100
"""Carried at once; a row may hold a whole text."""

HERE = "sqlite"
"""As an address: the file in the library's folder."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """What was carried over, and the same on both sides."""

    rows: Mapping[str, int]
    """By table."""
    chain: str | None
    """Head of the chain of records."""


def copy(source: Database, target: Database) -> Transfer:
    """Copy every row of one state of a catalogue into an empty one, all or nothing, and compare both.

    Raises:
        ConfigError: the target holds something, refuses, or holds something else afterwards.
    """
    sums: dict[str, tuple[int, int]] = {}
    with source.read() as connection, target.write() as into:
        given = meta.c.key.startswith("newest_", autoescape=True)  # what making a catalogue wrote of no row yet
        into.execute(meta.delete().where(given, meta.c.value == "0"))
        if any(into.execute(sa.select(table).limit(1)).first() for table in metadata.sorted_tables):
            raise ConfigError("目标数据库里已有内容，没有写入任何东西。请给一个空的数据库。")
        for table in metadata.sorted_tables:
            sums[table.name] = _carried(connection, into, table)
        head = chain.head(connection)
    with target.read() as connection:
        found = {table.name: _carried(connection, None, table) for table in metadata.sorted_tables}
        if found != sums or chain.head(connection) != head:
            wrong = "、".join(name for name, value in sums.items() if found[name] != value) or "链首"
            raise ConfigError(f"搬迁后两边不一致：{wrong}。原资料库没有改动，请保留原库并报告这个问题。")
    with target.write() as into:  # a copy builds an index of its own
        note(into, SERVED_VECTORS, None)
    return Transfer({name: count for name, (count, _) in sums.items()}, str(head) if head else None)


def _carried(connection: sa.Connection, into: sa.Connection | None, table: sa.Table) -> tuple[int, int]:
    """Read a table, writing it where ``into`` is given; return its rows and the sum of their hashes, whatever the order."""
    count = total = 0
    order = [column for column in table.primary_key.columns if isinstance(column.type, sa.Integer)]
    query = sa.select(table).order_by(*order).execution_options(yield_per=ROWS)
    for part in connection.execute(query).mappings().partitions():
        rows = [dict(row) for row in part]
        count += len(rows)
        total += sum(int(hashlib.sha256(repr(sorted(row.items())).encode()).hexdigest(), 16) for row in rows)
        if into is not None:
            into.execute(table.insert(), rows)
    if into is not None:
        count_on(into, table)
    return count, total % 2**256


def migrate(settings: Settings, to: str) -> Transfer:
    """Move the catalogue into another, empty database (an address, or ``sqlite``); the files stay where they are.

    A file that was the catalogue is kept under another name, a database that was stays as it is.

    Raises:
        ConfigError: somebody has the library open, the target is not empty or refuses, or the two differ afterwards.
    """
    target_url = sqlite_url(settings.catalogue_path) if to == HERE else to
    if (settings.database_url or HERE) == to or (to == HERE and settings.catalogue_path.exists()):
        raise ConfigError(
            "目标就是现在的目录库，或文件夹里已有 catalogue.sqlite。请核对 --to、NEMO_DATABASE 与资料库文件夹。"
        )
    ownership = Ownership(settings.library)
    try:
        source = Database.of(settings)
        try:
            source.require_alone()
            target = Database(settings.library, target_url, key=settings.chain_key)
            try:
                done = copy(source, target)
            finally:
                target.close()
        finally:
            source.close()
        if settings.database_url is None:
            stamp = dt.datetime.now(dt.UTC).strftime("%Y%m%d-%H%M%S")
            settings.catalogue_path.rename(settings.catalogue_path.with_suffix(f".sqlite.moved-{stamp}"))
    finally:
        ownership.release(clean=not ownership.unclean)
    return done
