"""What differs between the databases a catalogue may lie in, and nowhere else (数据库方言).

SQLite is a file in the library's folder that one process owns. PostgreSQL is shared: any number of processes have the
library open, advisory locks stand in place of the folder's lock and end with the connection that holds them.
"""

import datetime as dt
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DataError, DBAPIError

from nemo.errors import BadRequestError, ConfigError, MissingDependencyError, NotFoundError
from nemo.store.catalogue.noted import note, noted
from nemo.store.catalogue.schema import now
from nemo.store.files.disk import DiskRefusalError, refusal


class Dialect:
    """One kind of database; without more, one whose folder a single process owns."""

    shared = False
    """Several processes may write, each in its turn."""
    options: Mapping[str, Any] = {}
    """For ``sqlalchemy.create_engine``."""
    reading: Mapping[str, Any] = {}
    """Execution options of a connection that sees one state throughout."""
    place = "instr"
    """The function that tells where in a text another one begins, 0 for nowhere."""

    def prepare(self, engine: sa.Engine, *, read_only: bool) -> None:
        """Set up what every new connection needs."""

    def wait_for_turn(self, connection: sa.Connection) -> None:
        """Wait, at the start of a transaction, until no other process is inside one that writes."""

    def alone(self, engine: sa.Engine) -> Any:
        """A context in which no other process changes files and texts of the library."""
        return nullcontext()

    def first(self, engine: sa.Engine, key: int) -> Any:
        """A context that tells whether this process is the only one inside, of those that name this key; nobody waits."""
        return nullcontext(True)

    def company(self, engine: sa.Engine) -> int:
        """Return how many other connections to the database there are."""
        return 0

    def clock(self) -> Any:
        """What stands for this moment in a statement: one clock for everybody who compares it."""
        return now()

    def holds(self, column: sa.ColumnElement[str], words: str) -> sa.ColumnElement[bool]:
        """Return the condition that a text has some words in it, small Latin letters taken for capital ones; of any
        length, which a pattern (LIKE) is not.
        """
        place = getattr(sa.func, self.place)
        return place(sa.func.lower(column), sa.func.lower(words)) > 0

    def explained(self, error: Exception, folder: Path) -> Exception | None:
        """Return the error for a person that a refusal of the database means, None for a fault of the program."""
        return None


class SqliteDialect(Dialect):
    """A file in WAL mode. ``synchronous=FULL`` because a commit that a power cut takes back would leave the indexes
    ahead of the truth; it costs one fsync per regulation.
    """

    pragmas = (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=10000",
        "secure_delete=ON",  # what is removed or forgotten does not stay in free pages
    )
    looking = ("query_only=ON", "busy_timeout=10000")
    refusals = (
        ("disk is full", "磁盘空间已用完"),
        ("readonly database", "没有写权限，或所在磁盘是只读的"),
        ("unable to open", "数据库文件打不开（权限或路径有误）"),
        ("disk i/o error", "磁盘读写出错或已满"),
        ("locked", "数据库正被另一个程序占用"),
    )
    damaged = ("malformed", "not a database")

    def prepare(self, engine: sa.Engine, *, read_only: bool) -> None:
        """Leave transactions to SQLAlchemy: the driver would not begin one before a SELECT or DDL."""
        pragmas = self.looking if read_only else self.pragmas

        def connected(connection: sqlite3.Connection, _record: Any) -> None:
            connection.isolation_level = None
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")

        def begun(connection: sa.Connection) -> None:  # a reader that turns writer is refused when another wrote since
            writes = connection.get_execution_options().get("nemo_writes", False)
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")  # the first waits for its turn

        sa.event.listen(engine, "connect", connected)
        sa.event.listen(engine, "begin", begun)

    def explained(self, error: Exception, folder: Path) -> Exception | None:
        """See :class:`Dialect`."""
        words = str(error).lower()
        if isinstance(error, OverflowError):  # a number somebody typed, beyond any that a row can have
            return NotFoundError("没有这个编号。请核对编号。") if "sqlite" in words else None
        if any(sign in words for sign in self.damaged):
            return ConfigError(
                f"资料库 {folder} 的目录数据库已损坏。请从备份恢复 catalogue.sqlite；"
                "没有备份时，换一个空文件夹，从 raw 文件夹中的原始文件重新入库。"
            )
        reason = next((reason for sign, reason in self.refusals if sign in words), None)
        return None if reason is None else refusal(reason, folder)


TURN, FOLDER, VECTORS, COLLECTED = 0x4E656D6F01, 0x4E656D6F02, 0x4E656D6F03, 0x4E656D6F04
"""Keys of the advisory locks: of a transaction that writes, of whoever changes files and texts together, of whoever brings
the vectors of a server up to date, of whoever reads what was collected and tells of it. Nobody waits for the second inside
the first, and nobody ever waits for the last two."""

LOCK_SECONDS, HANGING_SECONDS = 60, 60
"""So long a writer waits for the others, and so long a transaction that writes may stand still before the server ends it."""


class UnreachableDatabaseError(DiskRefusalError):
    """The server of the catalogue cannot be reached or refuses: what waits to be written is kept and tried again."""

    code = "database_unreachable"
    http_status = 503


class NoTextError(BadRequestError, ValueError):
    """A character that no text column takes; who keeps many things at once leaves out the one that has it."""

    def __init__(self) -> None:
        super().__init__("文字中有空字符（U+0000），数据库不收。请去掉后重试。")


class PostgresDialect(Dialect):
    """A server that many processes use."""

    shared = True
    place = "strpos"
    options: Mapping[str, Any] = {
        "pool_pre_ping": True,
        "connect_args": {
            "connect_timeout": 10,
            "keepalives_idle": 30,
            "options": f"-c timezone=UTC -c lock_timeout={LOCK_SECONDS * 1000}",
        },
    }
    reading: Mapping[str, Any] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    refusals: Mapping[str, str] = {
        "53100": "数据库服务器的磁盘空间已用完",
        "25006": "数据库只允许读",
        "42501": "账号没有写权限",
        "55P03": f"等候另一个进程的写入超过 {LOCK_SECONDS} 秒",
        "28": "账号或口令不对",
        "3D000": "没有这个数据库",
        "53300": "数据库的连接数已满",
    }

    def wait_for_turn(self, connection: sa.Connection) -> None:
        """See :class:`Dialect`. Every statement after it sees what the others committed (READ COMMITTED)."""
        hanging = sa.func.set_config("idle_in_transaction_session_timeout", str(HANGING_SECONDS * 1000), True)
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(TURN), hanging))

    @contextmanager
    def _held(self, engine: sa.Engine, lock: sa.Function[Any], key: int) -> Iterator[bool]:
        with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
            taken = connection.execute(sa.select(lock)).scalar() is not False
            try:
                yield taken
            finally:
                try:
                    if taken:
                        connection.execute(sa.select(sa.func.pg_advisory_unlock(key)))
                except DBAPIError:  # the connection is gone, and the lock with it
                    connection.invalidate()

    def alone(self, engine: sa.Engine) -> Any:
        """See :class:`Dialect`."""
        return self._held(engine, sa.func.pg_advisory_lock(FOLDER), FOLDER)

    def first(self, engine: sa.Engine, key: int) -> Any:
        """See :class:`Dialect`."""
        return self._held(engine, sa.func.pg_try_advisory_lock(key), key)

    def company(self, engine: sa.Engine) -> int:
        """See :class:`Dialect`."""
        others = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        engine.dispose()
        with engine.connect() as connection:
            return int(connection.exec_driver_sql(others).scalar_one())

    def clock(self) -> sa.ColumnElement[dt.datetime]:
        """The server's: clocks of machines differ."""
        return sa.func.now()

    def explained(self, error: Exception, folder: Path) -> Exception | None:
        """See :class:`Dialect`."""
        state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
        if isinstance(error, DataError):
            beyond = state == "22003"  # a number that somebody typed
            return NotFoundError("没有这个编号。请核对编号。") if beyond else NoTextError()
        reason = next((reason for code, reason in self.refusals.items() if state.startswith(code)), None)
        if reason is None and (getattr(error, "connection_invalidated", False) or state[:2] in ("08", "57", "25")):
            reason = "连接中断"
        if reason is None and isinstance(error, sa.exc.OperationalError):
            reason = "连接不上"
        if reason is None:
            return None
        return UnreachableDatabaseError(
            f"目录数据库（NEMO_DATABASE）无法使用：{reason}。已入库的内容不受影响，等待写入的会在恢复后补写；"
            "请检查数据库服务器、网络与账号后重试。"
        )


def count_on(connection: sa.Connection, table: sa.Table) -> None:
    """Have a column that counts up by itself go on behind rows that came with their numbers; SQLite does."""
    column = table.autoincrement_column
    if column is not None and connection.dialect.name == "postgresql":
        name = sa.func.pg_get_serial_sequence(table.name, column.name)
        newest = sa.select(sa.func.max(column)).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(name, newest)).where(newest.is_not(None)))


def fresh_number(connection: sa.Connection, table: sa.Table) -> dict[str, int]:
    """Return the number of a new row as values to insert; nothing where the database counts by itself.

    SQLite would give the newest row's number again once that row is deleted, and whoever still names it would reach another.
    """
    column = table.autoincrement_column
    if column is None or connection.dialect.name != "sqlite":
        return {}
    key, newest = f"newest_{table.name}", connection.execute(sa.select(sa.func.max(column))).scalar() or 0
    number = max(newest, int(noted(connection, key) or 0)) + 1
    note(connection, key, str(number))
    return {column.name: number}


def dialect_of(url: str) -> tuple[sa.URL, Dialect]:
    """Return the address as SQLAlchemy takes it, and its kind.

    Raises:
        ConfigError: it is no address of a database that can be used.
        MissingDependencyError: the driver is not installed.
    """
    try:
        address = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):  # its own words would show a password
        raise ConfigError("NEMO_DATABASE 不是数据库地址。请写作 postgresql://用户:口令@主机/库名。") from None
    kind = address.get_backend_name()
    if kind == "sqlite":
        return address, SqliteDialect()
    if kind not in ("postgresql", "postgres"):
        raise ConfigError(f"NEMO_DATABASE 的数据库“{kind}”不受支持。请用 postgresql://…，或留空使用 SQLite。")
    try:
        import psycopg  # noqa: F401  # only who has set an address pays for it
    except ImportError as error:
        raise MissingDependencyError(
            "没有安装 PostgreSQL 的驱动。请运行 pip install -r requirements-scale.txt 后重试。"
        ) from error
    return address.set(drivername="postgresql+psycopg"), PostgresDialect()


def server(url: str) -> str:
    """Return the address of a database that several processes may share, as it is.

    Raises:
        ConfigError: it names a file, which one process must own, or is no address.
        MissingDependencyError: the driver is not installed.
    """
    if isinstance(dialect_of(url)[1], SqliteDialect):
        raise ConfigError("NEMO_DATABASE 不能是 SQLite 文件：几个进程不能共用它。请用 postgresql://…，或留空。")
    return url
