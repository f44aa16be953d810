"""What is known of standards: number, title, status with its day and source, successor (标准状态)."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict, dataclass

import sqlalchemy as sa

from nemo.store.catalogue.database import Database, Records
from nemo.store.catalogue.schema import now
from nemo.store.catalogue.watch_tables import standards
from nemo.store.records import audit
from nemo.types import Day


@dataclass(frozen=True, slots=True)
class Standard:
    """One standard (标准)."""

    key: str
    """Normal form of its number."""
    number: str
    """As printed: GB/T 19964-2012."""
    title: str
    status: str
    """现行, 废止, 被代替 or 即将实施."""
    effective: Day | None
    ends: Day | None
    """First day on which it is no longer the standard."""
    replaced_by: str
    """Number of its successor; empty when there is none."""
    source: str
    """Who says so."""
    by: str | None = None
    at: dt.datetime | None = None


class StandardStore(Records):
    """The standards of one library."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.version = 0
        """Rises with every table that this process takes in: what was answered before it is answered anew."""

    def all(self) -> dict[str, Standard]:
        """Return every standard by its key."""
        query = sa.select(standards).order_by(standards.c.number)
        return {row.key: Standard(**row._mapping) for row in self._database.rows(query)}

    def put(self, found: Iterable[Standard], source: str, by: str | None = None) -> int:
        """Write standards down, each in the place of what was known of it; return how many."""
        rows = [{**asdict(one), "by": by, "at": now()} for one in found]
        with self._database.write() as connection:
            for row in rows:
                connection.execute(standards.delete().where(standards.c.key == row["key"]))
                connection.execute(standards.insert().values(row))
            audit.append(connection, "standards", source, {"count": len(rows)}, by)
        self.version += 1
        return len(rows)
