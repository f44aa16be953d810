"""A whole catalogue from one database into another, proven row by row (搬迁).

Both sides are read through the same tables, so what is compared is what the program sees: every row's values, whatever the
database makes of them inside.
"""

import datetime as dt
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa
from pydantic import SecretStr

from nemo.errors import ConfigError
from nemo.settings import Settings
from nemo.store.catalogue.database import Database, sqlite_url
from nemo.store.catalogue.dialects import count_on, server
from nemo.store.catalogue.graph_tables import metadata
from nemo.store.catalogue.noted import note
from nemo.store.catalogue.schema import SERVED_VECTORS, meta
from nemo.store.files.backup import MOVED
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

    A target that holds the same already, because an earlier move was interrupted after copying, is compared alone.

    Raises:
        ConfigError: the target holds something else, refuses, or holds something else afterwards.
    """
    given = meta.c.key.startswith("newest_", autoescape=True)  # what making a catalogue wrote of no row yet
    made = sa.and_(given, meta.c.value == "0")
    tables = metadata.sorted_tables
    with source.read() as connection, target.write() as into:
        rows = {table: sa.select(table).where(~made if table is meta else sa.true()) for table in tables}
        arrived = any(into.execute(query.limit(1)).first() for query in rows.values())
        if not arrived:
            into.execute(meta.delete().where(made))
        sums = {table.name: _carried(connection, None if arrived else into, table) for table in tables}
        head = chain.head(connection)
    with target.read() as connection:
        found = {table.name: _carried(connection, None, table) for table in tables}
        differ = [name for name, value in sums.items() if found[name] != value]
        if chain.head(connection) != head:
            differ.append("链首")
    if arrived and differ not in ([], [meta.name]):  # what processes note for themselves goes on changing
        raise ConfigError("目标数据库里已有内容，没有写入任何东西。请给一个空的数据库。")
    if differ and not arrived:
        raise ConfigError(f"搬迁后两边不一致：{'、'.join(differ)}。原资料库没有改动，请保留原库并报告这个问题。")
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


def migrate(settings: Settings, to: str, check: Callable[[Settings], None]) -> Transfer:
    """Move the catalogue into another, empty database (an address, or ``sqlite``); the files stay where they are.

    ``check`` is called with the settings of the moved library, and refuses it by raising. Only then is a file that was the
    catalogue put aside under another name; a database that was stays as it is. Interrupted, the same call goes on.

    Raises:
        ConfigError: somebody has the library open, the target is not empty or refuses, or the two differ afterwards.
    """
    if (settings.database_url or HERE) == to:
        raise ConfigError("目标就是现在的目录库。请核对 --to、NEMO_DATABASE 与资料库文件夹。")
    moved = settings.model_copy(update={"database": None if to == HERE else SecretStr(to)})
    ownership = Ownership(settings.library)
    try:
        done = _copied(settings, sqlite_url(settings.catalogue_path) if to == HERE else server(to))
        if settings.database_url is None:
            check(moved)
            stamp = dt.datetime.now(dt.UTC).strftime("%Y%m%d-%H%M%S")
            settings.catalogue_path.rename(settings.catalogue_path.with_name(f"{MOVED}{stamp}"))
    finally:
        ownership.release(clean=not ownership.unclean)
    if settings.database_url is not None:  # the folder is free for its new owner
        check(moved)
    return done


def _copied(settings: Settings, url: str) -> Transfer:
    source = Database.of(settings)
    try:
        source.require_alone()
        target = Database(settings.library, url, key=settings.chain_key)
        try:
            return copy(source, target)
        finally:
            target.close()
    finally:
        source.close()
