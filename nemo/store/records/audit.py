"""The audit log: append-only, each entry chained to the one before it by its hash (审计日志)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import sqlalchemy as sa

from nemo.store.catalogue.noted import note
from nemo.store.catalogue.rows import AuditRow, AuditTrail
from nemo.store.catalogue.schema import audit, now
from nemo.store.records import chain

HEAD_KEY = "audit_head"
"""In ``meta``: ``number:hash`` of the last entry, so that a cut-off tail shows."""

UNNAMED = "未登录"
"""Who did it where nobody has to sign in: an entry without an actor would leave open whether one was forgotten."""


def append(
    connection: sa.Connection, action: str, subject: str, detail: Mapping[str, object], user: str | None = None
) -> None:
    """Add one entry inside the caller's transaction, so that what is done and what is logged cannot part."""
    user = user or UNNAMED
    number, previous = _head(connection)
    body = json.dumps(detail, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    entry = AuditRow(number + 1, now().isoformat(timespec="milliseconds"), user, action, subject, body, previous, "")
    digest = _hash(entry)
    connection.execute(audit.insert().values({**asdict(entry), "hash": digest}))
    chain.append(connection, "audit", str(entry.number), {"hash": chain.part(digest)})
    note(connection, HEAD_KEY, f"{entry.number}:{digest}")


def entries(connection: sa.Connection, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
    """Yield entries in order, from the one after number ``after``."""
    rows = connection.execute(sa.select(audit).where(audit.c.number > after).order_by(audit.c.number).limit(limit))
    for row in rows:
        yield AuditRow(*row)


def count(connection: sa.Connection) -> int:
    """Return how many entries there are."""
    return connection.execute(sa.select(sa.func.count()).select_from(audit)).scalar_one()


def trail(connection: sa.Connection, limit: int) -> AuditTrail:
    """Return the newest entries, newest first, and whether the whole chain holds."""
    newest = _head(connection)[0]
    found = tuple(entries(connection, after=max(0, newest - limit)))[::-1]
    return AuditTrail(found, count(connection), broken_at(connection))


def broken_at(connection: sa.Connection) -> int | None:
    """Return the number of the first entry that does not fit the chain, None when all fit."""
    number, previous = 0, chain.GENESIS
    for entry in entries(connection):
        if entry.number != number + 1 or entry.previous != previous or _hash(entry) != entry.hash:
            return entry.number
        number, previous = entry.number, entry.hash
    return None if (number, previous) == _head(connection) else number + 1


def _head(connection: sa.Connection) -> tuple[int, str]:
    return chain.noted_head(connection, HEAD_KEY) or (0, chain.GENESIS)


def _hash(entry: AuditRow) -> str:
    return chain.digest_of(
        entry.number, entry.at, entry.user, entry.action, entry.subject, entry.detail, entry.previous
    )
