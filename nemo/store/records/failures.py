"""Files that could not become regulations, until a person settles them (失败队列)."""

from __future__ import annotations

import json
from collections.abc import Mapping

import sqlalchemy as sa

from nemo.errors import NemoError, NotFoundError
from nemo.store.catalogue import originals
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.rows import Failure
from nemo.store.catalogue.schema import failures, now
from nemo.store.records import audit
from nemo.types import RawDocument


class Failures:
    """The queue of failed files."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record(self, raw: RawDocument, error: NemoError, facts: Mapping[str, object]) -> int:
        """Write down a failure and return its number; the same file failing again is one more try of the same entry."""
        values = {
            "code": error.code,
            "message": error.message,
            "tips": json.dumps(error.tips, ensure_ascii=False),
            "facts": json.dumps(facts, ensure_ascii=False, default=str),
            "at": now(),
        }
        with self._database.write() as connection:
            if raw.content:
                originals.record(connection, raw)
            sha256 = raw.sha256 if originals.is_recorded(connection, raw.sha256) else None
            same = (failures.c.name == raw.name, failures.c.sha256.is_not_distinct_from(sha256))
            query = sa.select(failures.c.id, failures.c.tries).where(*same, failures.c.state == "open")
            found = connection.execute(query).first()
            if found is not None:
                again = failures.update().where(failures.c.id == found.id)
                connection.execute(again.values(tries=found.tries + 1, **values))
                return int(found.id)
            new = failures.insert().values(name=raw.name, sha256=sha256, tries=1, state="open", **values)
            return int(connection.execute(new).inserted_primary_key[0])  # type: ignore[index]  # one row, one key

    def all(self, state: str | None = "open") -> list[Failure]:
        """Return the failures in one state, or all of them, newest first."""
        query = sa.select(failures).order_by(failures.c.at.desc(), failures.c.id.desc())
        if state is not None:
            query = query.where(failures.c.state == state)
        with self._database.read() as connection:
            return [_failure(row) for row in connection.execute(query)]

    def get(self, failure_id: int) -> Failure:
        """Return one failure.

        Raises:
            NotFoundError: no such failure.
        """
        with self._database.read() as connection:
            found = connection.execute(sa.select(failures).where(failures.c.id == failure_id)).one_or_none()
        if found is None:
            raise NotFoundError(f"失败记录 {failure_id} 不存在，可能已处理。请刷新列表。")
        return _failure(found)

    def dismiss(self, failure_id: int, user: str | None = None) -> None:
        """Close a failure without another try.

        Raises:
            NotFoundError: no such failure.
        """
        failure = self.get(failure_id)
        with self._database.write() as connection:
            connection.execute(failures.update().where(failures.c.id == failure_id).values(state="dismissed"))
            audit.append(connection, "dismiss", failure.name, {"failure": failure_id, "code": failure.code}, user)


def _failure(row: sa.Row) -> Failure:
    values = {**row._mapping, "tips": tuple(json.loads(row.tips)), "facts": json.loads(row.facts)}
    return Failure(**values)
