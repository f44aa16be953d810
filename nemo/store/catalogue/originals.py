"""Which raw files there are and which regulation came from which (原始文件登记); ``raw.py`` keeps the bytes."""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.schema import failures, now, raw_files, sources
from nemo.store.catalogue.watch_tables import papers
from nemo.types import RawDocument, Regulation

FAILED = sa.select(failures.c.sha256).where(failures.c.sha256.is_not(None), failures.c.state == "open")
"""Raw files that a person has still to settle."""
COLLECTED = sa.select(papers.c.sha256).where(papers.c.state.in_(("unread", "waiting", "failed")))
"""Raw files that were collected and are not let in yet."""


def record(connection: sa.Connection, raw: RawDocument) -> None:
    """Make sure there is a record of a raw file; one that exists stays as it was first seen."""
    if is_recorded(connection, raw.sha256):
        return
    same = {name: getattr(raw, name) for name in ("sha256", "name", "url", "media_type", "fetched_at")}
    connection.execute(raw_files.insert().values(**same, size=len(raw.content), stored_at=now()))


def is_recorded(connection: sa.Connection, sha256: str) -> bool:
    """Tell whether there is a record of a raw file."""
    return connection.execute(sa.select(raw_files.c.sha256).where(raw_files.c.sha256 == sha256)).scalar() is not None


def describe(connection: sa.Connection, sha256: str, content: bytes) -> RawDocument:
    """Return a raw file from its record and its bytes.

    Raises:
        NotFoundError: there is no such record.
    """
    found = connection.execute(sa.select(raw_files).where(raw_files.c.sha256 == sha256)).one_or_none()
    if found is None:
        raise NotFoundError(f"资料库中没有原始文件 {sha256[:12]}…。请重新上传该文件。")
    return RawDocument(content, found.name, sha256, found.url, found.media_type, found.fetched_at)


def sources_of(connection: sa.Connection, ids: Sequence[str]) -> list[sa.Row]:
    """Return (regulation_id, sha256, name, url) of every raw file the regulations were read from."""
    return list(connection.execute(sa.select(sources).where(sources.c.regulation_id.in_(ids))))


def keep_sources(
    connection: sa.Connection, stored: Sequence[Regulation], raw: RawDocument, earlier: Iterable[sa.Row]
) -> None:
    """Write down that ``stored`` came from ``raw``, and that originals of replaced texts are theirs now."""
    ids = [regulation.id for regulation in stored]
    kept = {(i, raw.sha256, raw.name): raw.url for i in ids}
    for row in earlier:
        heir = row.regulation_id if row.regulation_id in ids else ids[0]
        kept.setdefault((heir, row.sha256, row.name), row.url)
    values = [{"regulation_id": i, "sha256": s, "name": n, "url": u} for (i, s, n), u in kept.items()]
    connection.execute(sources.insert(), values)


def needed_only_by(connection: sa.Connection, regulation_id: str) -> list[str]:
    """Return the hashes of raw files that no other regulation, no waiting failure and no collected file needs."""
    others = sa.select(sources.c.sha256).where(sources.c.regulation_id != regulation_id)
    needed = (sources.c.sha256.not_in(need) for need in (others, FAILED, COLLECTED))
    query = sa.select(sources.c.sha256).where(sources.c.regulation_id == regulation_id, *needed)
    return sorted(set(connection.execute(query).scalars()))


def forget(connection: sa.Connection, hashes: Sequence[str]) -> None:
    """Delete the records of raw files, and of settled failures that named them."""
    connection.execute(failures.delete().where(failures.c.sha256.in_(hashes)))
    connection.execute(raw_files.delete().where(raw_files.c.sha256.in_(hashes)))
