"""The approximate vector index in PostgreSQL: pgvector's HNSW, one table beside the catalogue (近似检索).

An HNSW index that is asked for ten neighbours under a filter looks at some two hundred and gives those of them that pass: at
7 % it gave 2.7 of 10. So a filter that lets few through is answered without the index, exactly; one that lets many through
has the index go on until there are enough (``hnsw.iterative_scan``), which is set for each transaction.
"""

from collections.abc import Sequence

import numpy as np
import sqlalchemy as sa

from nemo.errors import ConfigError
from nemo.store.catalogue.database import Database
from nemo.store.search.number_sets import ChunkNumbers
from nemo.store.search.vectors import ScoredChunks, best, require_shape

EXACT_ROWS = 20_000
"""Up to so many allowed rows the product with each of them is quicker than an index that walks past the others."""

SETTINGS = {"hnsw.iterative_scan": "strict_order", "hnsw.ef_search": "200", "hnsw.max_scan_tuples": "200000"}

MOST_DIMENSIONS = 2_000
"""pgvector indexes longer vectors only in half precision."""

NEAREST = (
    "SELECT v.number, v.embedding <=> CAST(:asked AS {kind}) AS distance FROM {source} v {where}"
    " ORDER BY distance FETCH FIRST :k ROWS WITH TIES"
)
RANGES = "unnest(CAST(:firsts AS bigint[]), CAST(:pasts AS bigint[])) AS r(first, past)"
NAMED = (
    "WITH named AS MATERIALIZED (SELECT t.number, t.embedding FROM {table} t"
    " JOIN {ranges} ON t.number >= r.first AND t.number < r.past) "
)
"""Fetched before it is put in order: the planner would walk the index all the same, and find a tenth of them."""


class PgvectorIndex:
    """One table of vectors under their chunk numbers."""

    name = "pgvector"

    def __init__(self, database: Database, place: str, dim: int) -> None:
        """Open or create the table in the shared catalogue.

        Raises:
            ConfigError: the server has no pgvector, or an older one than 0.8, or cannot be reached.
        """
        self.dim = dim
        self._database = database
        self._table = sa.sql.quoted_name(place, quote=True)
        self._kind = f"{'vector' if dim <= MOST_DIMENSIONS else 'halfvec'}({dim})"
        with database.write() as connection:
            _require_extension(connection)
            connection.exec_driver_sql(
                f"CREATE TABLE IF NOT EXISTS {place} (number bigint PRIMARY KEY, embedding {self._kind} NOT NULL)"
            )
            connection.exec_driver_sql(
                f"CREATE INDEX IF NOT EXISTS {place}_hnsw ON {place} USING hnsw"
                f" (embedding {self._kind.partition('(')[0]}_cosine_ops)"
            )

    @staticmethod
    def exists(database: Database, place: str) -> bool:
        """Tell whether there is such a table."""
        with database.read() as connection:
            return sa.inspect(connection).has_table(place)

    def drop(self) -> None:
        """Throw the table away."""
        with self._database.write() as connection:
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS {self._table}")

    def close(self) -> None:
        """Nothing: connections are the catalogue's."""

    def add(self, numbers: np.ndarray, vectors: np.ndarray) -> None:
        """Add unit rows under their numbers; a number that is there already gets the new row.

        Raises:
            ValueError: the shape does not fit.
            ConfigError: the server refuses.
        """
        require_shape(numbers, vectors, self.dim)
        # one statement for all rows: the server unpacks two arrays
        insert = sa.text(
            f"INSERT INTO {self._table} (number, embedding) SELECT unnest(CAST(:numbers AS bigint[])),"
            f" CAST(unnest(CAST(:rows AS text[])) AS {self._kind})"
            " ON CONFLICT (number) DO UPDATE SET embedding = excluded.embedding"
        )
        with self._database.write(ordered=False) as connection:
            connection.execute(insert, {"numbers": numbers.tolist(), "rows": [_written(row) for row in vectors]})

    def delete(self, numbers: ChunkNumbers) -> None:
        """Forget these numbers; those that are not there are passed over."""
        gone = sa.text(
            f"DELETE FROM {self._table} v USING {RANGES} WHERE v.number >= r.first AND v.number < r.past"  # noqa: S608
        )
        with self._database.write(ordered=False) as connection:
            connection.execute(gone, _ranges(numbers))

    def search(self, vector: np.ndarray, k: int, allowed: ChunkNumbers | None = None) -> ScoredChunks:
        """Return at most ``k`` of the allowed chunks by cosine, best first, and equals of the last."""
        if k <= 0 or (allowed is not None and not allowed.total):
            return ScoredChunks()
        given: dict[str, object] = {"asked": _written(vector), "k": k}
        before, source, where = "", str(self._table), ""
        exact = allowed is not None and allowed.total <= EXACT_ROWS
        if allowed is not None and exact:
            before, source = NAMED.format(table=self._table, ranges=RANGES), "named"
            given |= _ranges(allowed)
        elif allowed is not None:
            where = "WHERE v.number <@ CAST(:within AS int8multirange)"
            given["within"] = "{" + ",".join(f"[{first},{past})" for first, past in _pairs(allowed)) + "}"
        query = sa.text(before + NEAREST.format(kind=self._kind, source=source, where=where))
        with self._database.read() as connection:
            if not exact:
                chosen = [sa.func.set_config(name, value, True) for name, value in SETTINGS.items()]
                connection.execute(sa.select(*chosen))
            rows = connection.execute(query, given).all()
        numbers = np.array([row.number for row in rows], np.int64)
        return best(numbers, 1.0 - np.array([row.distance for row in rows], np.float64), k)

    def numbers(self) -> np.ndarray:
        """Return every chunk number in the index, rising."""
        with self._database.read() as connection:
            found = connection.execute(sa.text(f"SELECT number FROM {self._table} ORDER BY number"))  # noqa: S608
            return np.array(found.scalars().all(), np.int64)


def _pairs(numbers: ChunkNumbers) -> list[tuple[int, int]]:
    return list(zip(numbers.firsts.tolist(), (numbers.firsts + numbers.counts).tolist(), strict=True))


def _ranges(numbers: ChunkNumbers) -> dict[str, Sequence[int]]:
    return {"firsts": numbers.firsts.tolist(), "pasts": (numbers.firsts + numbers.counts).tolist()}


def _written(vector: np.ndarray) -> str:
    """Return a vector as pgvector reads it; the shortest digits that give the same float32 back."""
    return "[" + ",".join(map(str, np.asarray(vector, np.float32))) + "]"


def _require_extension(connection: sa.Connection) -> None:
    found = "SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'"
    row = connection.exec_driver_sql(found).one_or_none()
    version = row and (row.installed_version or row.default_version)
    if not version or tuple(map(int, version.split(".")[:2])) < (0, 8):
        raise ConfigError(
            f"数据库服务器的 pgvector 版本是 {version or '（没有安装）'}，需要 0.8 以上。"
            "请安装 pgvector 后重启，或把 NEMO_VECTOR_STORE 改为 chroma 或 exact。"
        )
    if row is not None and not row.installed_version:
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
