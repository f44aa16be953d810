"""Questions that people keep to ask again, each with its filters (保存的查询)."""

import json
from typing import Any

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Search
from nemo.store.catalogue.schema import now, searches
from nemo.types import Filters


class Searches:
    """The saved searches of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, name: str, question: str, filters: Filters, user: str | None = None, folder: str = "") -> int:
        """Keep a search and return its number; one of the same name and user is replaced."""
        values = {"user": user, "name": name, "question": question, "folder": folder, "at": now()}
        values["filters"] = json.dumps(encode(filters))
        with self._database.write() as connection:
            connection.execute(searches.delete().where(searches.c.name == name, _of(user)))
            return added(connection, searches, values)

    def all(self, user: str | None = None) -> list[Search]:
        """Return the searches of one user, or those saved without signing in, newest first."""
        query = sa.select(searches).where(_of(user)).order_by(searches.c.at.desc(), searches.c.id.desc())
        return self._database.found(_search, query)

    def of_everybody(self) -> list[Search]:
        """Return the searches of all users, newest first."""
        return self._database.found(_search, sa.select(searches).order_by(searches.c.at.desc()))

    def forget(self, search_id: int, user: str | None = None) -> None:
        """Delete a search of one user."""
        with self._database.write() as connection:
            found = connection.execute(searches.delete().where(searches.c.id == search_id, _of(user)))
        if not found.rowcount:
            raise NotFoundError(f"没有编号为 {search_id} 的已存查询，可能已删除。请刷新列表。")


def _of(user: str | None) -> sa.ColumnElement[bool]:
    return searches.c.user.is_not_distinct_from(user)


def _search(filters: str, **columns: Any) -> Search:
    return Search(**columns, filters=decode(Filters, json.loads(filters)))
