"""The connection to the catalogue's database: transactions, migrations, and everything that is SQLite's own.

Written for SQLite in WAL mode; with another URL the same statements run on PostgreSQL. ``synchronous=FULL`` because a
commit that a power cut takes back would leave the indexes ahead of the truth; it costs one fsync per regulation.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoSuchTableError

from nemo.errors import ConfigError
from nemo.store.catalogue.schema import HEAD
from nemo.store.files.disk import refusal, storage_errors

MIGRATIONS = Path(__file__).resolve().parent / "migrations"

PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=10000",
    "secure_delete=ON",  # what is removed or forgotten does not stay in free pages
)

CONNECTIONS = 40
"""Readers at once; a waiting reader gets an error after ``POOL_SECONDS``."""
POOL_SECONDS = 30

REFUSALS = (
    ("disk is full", "磁盘空间已用完"),
    ("readonly database", "没有写权限，或所在磁盘是只读的"),
    ("unable to open", "数据库文件打不开（权限或路径有误）"),
    ("disk i/o error", "磁盘读写出错或已满"),
    ("locked", "数据库正被另一个程序占用"),
)
DAMAGED = ("malformed", "not a database")


class Database:
    """One catalogue database, open; many readers, one writer at a time."""

    def __init__(self, folder: Path, url: str, *, read_only: bool = False, key: bytes | None = None) -> None:
        """Open or create the database and bring it to the newest schema; read-only, it is only opened.

        Args:
            folder: The library's folder; errors name it.
            url: SQLAlchemy address.
            key: What links of the chain of records are stamped with.
            read_only: Nothing is created, changed or brought up to date, and every transaction is refused.

        Raises:
            ConfigError: the database is newer than this program, damaged, or cannot be written.
        """
        self._folder = folder
        self._read_only = read_only
        self.key = key
        self._writing = threading.RLock()
        self.engine = sa.create_engine(
            url, pool_size=8, max_overflow=CONNECTIONS - 8, pool_timeout=POOL_SECONDS, pool_use_lifo=True
        )
        if self.engine.dialect.name == "sqlite":
            sa.event.listen(self.engine, "connect", _prepare_for_looking if read_only else _prepare_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)
        try:
            self._migrate()
        except ConfigError:
            self.close()
            raise

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection that sees one state of the database throughout."""
        with _errors(self._folder), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """A transaction: all of it is kept, or none. Writers wait for each other; nesting opens no second one.

        Raises:
            ConfigError: the disk refuses; nothing was changed.
        """
        if self._read_only:
            raise refusal("以只读方式打开", self._folder)
        writing = self.engine.execution_options(nemo_writes=True, nemo_key=self.key)
        with self._writing, _errors(self._folder), writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection; SQLite folds its journal into the file."""
        self.engine.dispose()

    def _migrate(self) -> None:
        found = self._revision()
        if found == HEAD:
            return
        if self._read_only:
            raise ConfigError(
                f"资料库 {self._folder} 的结构版本是 {found or '空'}，本程序的是 {HEAD}，只读时不能升级。"
                "请先在可写的磁盘上用本程序打开一次，再重试。"
            )
        from alembic import command  # only when there is something to do: it takes a sixth of a second
        from alembic.config import Config
        from alembic.script import ScriptDirectory

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        if found is not None and found not in known:
            raise ConfigError(
                f"资料库 {self._folder} 由更新版本的 Nemo 建立（结构版本 {found}），本程序不能打开，也没有改动它。"
                "请升级 Nemo 后重试。"
            )
        with self.write() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _revision(self) -> str | None:
        """Return the schema revision the database says it has, None for an empty database."""
        table = sa.table("alembic_version", sa.column("version_num"))
        with self.read() as connection:
            if not sa.inspect(connection).has_table(table.name):
                return None
            return connection.execute(sa.select(table.c.version_num)).scalar()


def sqlite_url(path: Path) -> str:
    """Return the address of an SQLite file."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


def looking_url(path: Path) -> str:
    """Return the address of an SQLite file that is only read, whether or not another process writes to it.

    Without a journal beside it nobody has it open; then it is read as a file that does not change, which needs no right
    to write beside it. With one, the journal is read too.
    """
    journal = path.with_name(f"{path.name}-wal")
    how = {"mode": "ro", "uri": "true"} | ({} if journal.exists() else {"immutable": "1"})
    return sa.URL.create("sqlite", database=path.resolve().as_uri(), query=how).render_as_string()


def _prepare_for_looking(connection: sqlite3.Connection, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("query_only=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_sqlite(connection: sqlite3.Connection, _record: Any) -> None:
    """Leave transactions to SQLAlchemy (the driver would not begin one before a SELECT or DDL) and set the pragmas."""
    connection.isolation_level = None
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    """Begin; who will write says so at once: a reader that turns writer is refused when another process wrote meanwhile."""
    writes = connection.get_execution_options().get("nemo_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _errors(folder: Path) -> Iterator[None]:
    """Turn the database's refusals into a ConfigError with the next step."""
    try:
        with storage_errors(folder):
            yield
    except (DBAPIError, sqlite3.Error, NoSuchTableError) as error:
        words = str(error).lower()
        if any(sign in words for sign in DAMAGED):
            raise ConfigError(
                f"资料库 {folder} 的目录数据库已损坏。请从备份恢复 catalogue.sqlite；"
                "没有备份时，换一个空文件夹，从 raw 文件夹中的原始文件重新入库。"
            ) from error
        reason = next((reason for sign, reason in REFUSALS if sign in words), None)
        if reason is None:
            raise
        raise refusal(reason, folder) from error
