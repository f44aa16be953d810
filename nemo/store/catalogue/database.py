"""The connection to the catalogue's database: transactions and migrations. What differs stands in ``dialects.py``."""

from __future__ import annotations

import copy
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, NoSuchTableError

from nemo.errors import ConfigError, NotFoundError
from nemo.settings import Settings
from nemo.store.catalogue.dialects import dialect_of, fresh_number, server
from nemo.store.catalogue.schema import HEAD, metadata
from nemo.store.files.disk import looking_address, refusal, storage_errors

MIGRATIONS = Path(__file__).resolve().parent / "migrations"

COMPLETED = {f"{number:04}" for number in range(1, 15)}
"""Revisions before the first migration: it adds what they lack, and takes them for a catalogue of none."""

CONNECTIONS = 40
"""Readers at once; a waiting reader gets an error after ``POOL_SECONDS``."""
POOL_SECONDS = 30


T = TypeVar("T")


class Database:
    """One catalogue database, open; many readers, one writer at a time."""

    def __init__(
        self, folder: Path, url: str, *, read_only: bool = False, key: bytes | None = None, create: bool = True
    ) -> None:
        """Open or create the database and bring it to the newest schema; read-only, it is only opened, and every
        transaction is refused.

        ``key`` stamps links of the chain of records; with ``create`` an empty database is taken for a new library.

        Raises:
            ConfigError: the database is newer than this program, damaged, or cannot be written.
        """
        self._folder = folder
        self.read_only = read_only
        self._create = create
        self.key = key
        self._writing = threading.RLock()
        self.writes = 0
        """Transactions that this process ended, but those of kept answers: what was read before the last of them may be another thing now."""
        address, self.dialect = dialect_of(url)
        self.engine = sa.create_engine(
            address,
            pool_size=8,
            max_overflow=CONNECTIONS - 8,
            pool_timeout=POOL_SECONDS,
            pool_use_lifo=True,
            **self.dialect.options,
        )
        self.dialect.prepare(self.engine, read_only=read_only)
        self._reading = self.engine.execution_options(**self.dialect.reading)
        try:
            self._migrate()
        except ConfigError:
            self.close()
            raise

    @classmethod
    def of(cls, settings: Settings, *, read_only: bool = False) -> Database:
        """Open the catalogue that the settings name; see ``__init__``."""
        if settings.database_url is not None:
            url = server(settings.database_url)
            create = next(settings.raw_path.glob("[0-9a-f][0-9a-f]/*"), None) is None
        else:
            url, create = (looking_url if read_only else sqlite_url)(settings.catalogue_path), True
        return cls(settings.library, url, read_only=read_only, key=settings.chain_key, create=create)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A connection that sees one state of the database throughout."""
        with self._errors(), self._reading.connect() as connection:
            yield connection

    def rows(self, query: sa.Select[*tuple[Any, ...]]) -> Sequence[Any]:
        """Return every row that a query finds."""
        with self.read() as connection:
            return connection.execute(query).all()

    def row(self, query: sa.Select[*tuple[Any, ...]]) -> Any:
        """Return the one row that a query finds, None without one."""
        with self.read() as connection:
            return connection.execute(query).one_or_none()

    def found(self, kind: Callable[..., T], query: sa.Select[*tuple[Any, ...]]) -> list[T]:
        """Return what a query finds as nouns whose fields are its columns."""
        return [kind(**row._mapping) for row in self.rows(query)]

    def one(self, kind: Callable[..., T], query: sa.Select[*tuple[Any, ...]], missing: str) -> T:
        """Return the one thing that a query finds, as :meth:`found`.

        Raises:
            NotFoundError: it finds nothing; with the words ``missing``.
        """
        for row in self.rows(query):
            return kind(**row._mapping)
        raise NotFoundError(missing)

    def values(self, query: sa.Select[*tuple[Any, ...]]) -> list[Any]:
        """Return the first column of what a query finds."""
        return [row[0] for row in self.rows(query)]

    def value(self, query: sa.Select[*tuple[Any, ...]]) -> Any:
        """Return the first column of the one row that a query finds, None without one."""
        row = self.row(query)
        return None if row is None else row[0]

    def seen(self, read: Callable[..., T], *what: object) -> T:
        """Return what ``read`` finds over a connection, in one state of the database."""
        with self.read() as connection:
            return read(connection, *what)

    def changed(self, statement: sa.Update | sa.Delete, *, ordered: bool = True) -> int:
        """Carry out one statement in a transaction of its own; return how many rows it concerned."""
        with self.write(ordered=ordered) as connection:
            return int(connection.execute(statement).rowcount)

    @contextmanager
    def write(self, *, ordered: bool = True, counted: bool = True) -> Iterator[sa.Connection]:
        """A transaction: all of it is kept, or none.

        ``ordered`` writers wait for each other, in every process: for what is numbered or chained. False only where
        rows are locked one by one. ``counted`` writes raise :attr:`writes`; False where nothing changes that is remembered by it.

        Raises:
            ConfigError: the disk refuses; nothing was changed.
        """
        if self.read_only:
            raise refusal("以只读方式打开", self._folder)
        writing = self.engine.execution_options(nemo_writes=True, nemo_key=self.key)
        try:
            with self._writing, self._errors(), writing.begin() as connection:
                if ordered:
                    self.dialect.wait_for_turn(connection)
                yield connection
        finally:
            self.writes += counted

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While this is open no other process changes files and texts of the library; taken before :meth:`write`."""
        with self._errors(), self.dialect.alone(self.engine):
            yield

    @property
    def shared(self) -> bool:
        """Several processes have the library open."""
        return self.dialect.shared

    def require_alone(self) -> None:
        """Refuse where somebody else has the database open.

        Raises:
            ConfigError: somebody has.
        """
        with self._errors():
            others = self.dialect.company(self.engine)
        if others:
            raise ConfigError(f"还有 {others} 个连接打开着目录数据库。请先停止使用它的所有进程再重试。")

    def close(self) -> None:
        """Close every connection; SQLite folds its journal into the file."""
        self.engine.dispose()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the database's refusals into an error with the next step."""
        try:
            with storage_errors(self._folder):
                yield
        except (DBAPIError, sqlite3.Error, NoSuchTableError, OverflowError) as error:
            if (explained := self.dialect.explained(error, self._folder)) is None:
                raise
            raise explained from error

    @contextmanager
    def first(self, key: int) -> Iterator[bool]:
        """Tell whether this process is the only one at what a key stands for (``dialects``); nobody waits."""
        with self._errors(), self.dialect.first(self.engine, key) as mine:
            yield mine

    def _migrate(self) -> None:
        found = self._revision()
        if found == HEAD:
            return
        if found is None and not self._create:
            raise ConfigError(
                "NEMO_DATABASE 指向的数据库是空的，资料库文件夹里却已有原始文件，不能当作空库使用，也没有改动它们。"
                "请核对地址；要把现有资料库搬过去，请运行 python -m nemo migrate-library --to 地址。"
            )
        if self.read_only:
            raise ConfigError(
                f"资料库 {self._folder} 的结构版本是 {found or '空'}，本程序的是 {HEAD}，只读时不能升级。"
                "请先在可写的磁盘上用本程序打开一次，再重试。"
            )
        steps = scripts()
        if found is not None and found not in COMPLETED | {script.revision for script in steps.walk_revisions()}:
            raise ConfigError(
                f"资料库 {self._folder} 由更新版本的 Nemo 建立（结构版本 {found}），本程序不能打开，也没有改动它。"
                "请升级 Nemo 后重试。"
            )
        with self.write() as connection:
            if found in COMPLETED:
                connection.execute(sa.delete(sa.table("alembic_version")))
            upgrade(connection, steps)

    def _revision(self) -> str | None:
        """Return the schema revision the database says it has, None for an empty database."""
        table = sa.table("alembic_version", sa.column("version_num"))
        with self.read() as connection:
            if not sa.inspect(connection).has_table(table.name):
                return None
            return connection.execute(sa.select(table.c.version_num)).scalar()


class Records:
    """What is kept in some tables of a database; each kind of it reads and writes its own."""

    def __init__(self, database: Database) -> None:
        self._database = database


class TextRecords(Records):
    """What is kept of held texts; a copy may leave out some of the texts."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._hidden: frozenset[str] = frozenset()

    def without(self, hidden: frozenset[str]) -> Self:
        """Return the same but for what is kept of some texts."""
        seen = copy.copy(self)
        seen._hidden = hidden
        return seen

    def _shown(self, table: sa.Table) -> sa.ColumnElement[bool]:
        return table.c.regulation_id.not_in(self._hidden) if self._hidden else sa.true()


def scripts() -> Any:
    """Return the migrations, an alembic ``ScriptDirectory``; only when there is something to do: the import takes long."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS))


def upgrade(connection: sa.Connection, migrations: Any) -> None:
    """Bring a database up to the newest of the ``migrations`` in the transaction of ``connection``."""
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext

    def steps(current: Any, _: Any) -> Any:
        return migrations._upgrade_revs("head", current)

    with EnvironmentContext(Config(), migrations) as environment:
        environment.configure(
            connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True, fn=steps
        )
        with environment.begin_transaction():
            environment.run_migrations()


def added(connection: sa.Connection, table: sa.Table, values: Mapping[str, Any]) -> int:
    """Insert one row and return the number that it got, which no row of the table had before."""
    key = connection.execute(table.insert().values({**fresh_number(connection, table), **values})).inserted_primary_key
    return int(key[0])  # type: ignore[index]  # an insert of one row always has a key


def sqlite_url(path: Path) -> str:
    """Return the address of an SQLite file."""
    return sa.URL.create("sqlite", database=str(path)).render_as_string()


def looking_url(path: Path) -> str:
    """Return the address of an SQLite file that is only read; see :func:`looking_address`."""
    return f"sqlite:///{looking_address(path)}&uri=true"
