"""Single values that a library notes of itself, each under a key of the table ``meta``."""

import sqlalchemy as sa

from nemo.store.catalogue.schema import meta


def noted(connection: sa.Connection, key: str) -> str | None:
    """Return what is noted under a key, None when nothing is."""
    value: str | None = connection.execute(sa.select(meta.c.value).where(meta.c.key == key)).scalar()
    return value


def note(connection: sa.Connection, key: str, value: str | None) -> None:
    """Note a value under a key in the place of an earlier one; None forgets it."""
    mine = meta.c.key == key
    if value is None:
        connection.execute(meta.delete().where(mine))
    elif not connection.execute(meta.update().where(mine).values(value=value)).rowcount:
        connection.execute(meta.insert().values(key=key, value=value))
