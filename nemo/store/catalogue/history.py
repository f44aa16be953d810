"""The library's history: one numbered, stamped row per change, from which the indexes know what they missed.

The stamp is random: a catalogue restored from a backup may reach the same number again with other content, never with
the same stamp.
"""

import uuid

import sqlalchemy as sa

from nemo.store.catalogue.database import added
from nemo.store.catalogue.rows import LibraryChange
from nemo.store.catalogue.schema import changes, now


def record(connection: sa.Connection, kind: str, regulation_id: str, first: int, count: int) -> int:
    """Write down a change inside the caller's transaction and return its generation."""
    values = {"kind": kind, "regulation_id": regulation_id, "first": first, "count": count}
    return added(connection, changes, {"stamp": uuid.uuid4().hex, "at": now(), **values})


def newest(connection: sa.Connection, up_to: int | None = None) -> tuple[int, str]:
    """Return the generation and stamp of the library as it is, or was at ``up_to``; (0, "") before the first change."""
    query = sa.select(changes.c.generation, changes.c.stamp).order_by(changes.c.generation.desc()).limit(1)
    if up_to is not None:
        query = query.where(changes.c.generation <= up_to)
    found = connection.execute(query).one_or_none()
    return (0, "") if found is None else (found.generation, found.stamp)


def happened(connection: sa.Connection, generation: int, stamp: str) -> bool:
    """Tell whether this very library was once at this generation."""
    if generation == 0:
        return True
    found = connection.execute(sa.select(changes.c.stamp).where(changes.c.generation == generation)).scalar()
    return found == stamp


def after(connection: sa.Connection, generation: int, up_to: int | None = None) -> list[LibraryChange]:
    """Return the changes after a generation, oldest first, all of them or those up to another one."""
    fields = (changes.c.generation, changes.c.kind, changes.c.regulation_id, changes.c.first, changes.c.count)
    query = sa.select(*fields).where(changes.c.generation > generation).order_by(changes.c.generation)
    if up_to is not None:
        query = query.where(changes.c.generation <= up_to)
    return [LibraryChange(*row) for row in connection.execute(query)]
