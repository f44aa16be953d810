"""Measures of the answers of each day in China (每日指标): how often, and the sum."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from nemo.store.catalogue.database import Database
from nemo.store.catalogue.schema import days
from nemo.types import CHINA


@dataclass(frozen=True, slots=True)
class DayMeasure:
    """One measure of one day."""

    day: dt.date
    measure: str
    count: int
    total: float


KNOWN = sa.select(days.c.day, days.c.measure).where(days.c.day >= sa.bindparam("first"))
ADDED = (
    days.update()
    .where(days.c.day == sa.bindparam("of"), days.c.measure == sa.bindparam("named"))
    .values(count=days.c.count + sa.bindparam("more"), total=days.c.total + sa.bindparam("sum"))
)


def add(connection: sa.Connection, measured: Iterable[tuple[dt.datetime, Mapping[str, float]]]) -> None:
    """Add what was measured of some answers, inside the transaction that keeps them."""
    sums: dict[tuple[dt.date, str], tuple[int, float]] = {}
    for at, values in measured:
        for name, value in values.items():
            key = (at.astimezone(CHINA).date(), name)
            count, total = sums.get(key, (0, 0.0))
            sums[key] = count + 1, total + value
    if not sums:
        return
    known = set(connection.execute(KNOWN, {"first": min(sums)[0]}).tuples())
    if fresh := [{"day": day, "measure": name, "count": 0, "total": 0.0} for day, name in sums.keys() - known]:
        connection.execute(days.insert(), fresh)
    more = [{"of": day, "named": name, "more": count, "sum": total} for (day, name), (count, total) in sums.items()]
    connection.execute(ADDED, more)


def since(database: Database, first: dt.date) -> list[DayMeasure]:
    """Return the measures of the days from ``first`` on, oldest first."""
    query = sa.select(days).where(days.c.day >= first).order_by(days.c.day, days.c.measure)
    return [DayMeasure(*row) for row in database.rows(query)]
