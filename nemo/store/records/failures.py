"""Files that could not become regulations, until a person settles them (失败队列)."""

from collections.abc import Mapping

import sqlalchemy as sa

from nemo.errors import NemoError
from nemo.store.catalogue import originals
from nemo.store.catalogue.database import Records, added
from nemo.store.catalogue.rows import Failure
from nemo.store.catalogue.schema import failures, jobs, now, raw_files, sources
from nemo.store.records import audit
from nemo.types import RawDocument


class Failures(Records):
    """The queue of failed files."""

    def record(
        self, raw: RawDocument, error: NemoError, facts: Mapping[str, object], more: tuple[str, ...] = ()
    ) -> int:
        """Write down a failure and return its number; the same file failing again is one more try of the same entry.

        A file without content is one whose bytes are not kept; ``more`` is said beside the error's own advice.
        """
        values = {
            "code": error.code,
            "message": error.message,
            "tips": (*error.tips, *more),
            "facts": facts,
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
            new = {"name": raw.name, "sha256": sha256, "tries": 1, "state": "open", **values}
            return added(connection, failures, new)

    def size_of_originals(self) -> int:
        """Return the bytes of all originals together."""
        return int(self._database.value(sa.select(sa.func.coalesce(sa.func.sum(raw_files.c.size), 0))))

    def size_with(self, raw: RawDocument) -> int:
        """Return the bytes of the originals of open failures, with those of one more file."""
        others = raw_files.c.sha256.in_(originals.FAILED), raw_files.c.sha256 != raw.sha256
        held = self._database.value(sa.select(sa.func.coalesce(sa.func.sum(raw_files.c.size), 0)).where(*others))
        return int(held) + len(raw.content)

    def needed_by_nobody(self, sha256: str) -> bool:
        """Tell whether no regulation, no open failure, no job at work and no collected file that waits needs an original."""
        at_work = sa.select(jobs.c.sha256).where(jobs.c.state.in_(("queued", "running")))
        needs = (sa.select(sources.c.sha256), at_work, originals.FAILED, originals.COLLECTED)
        mine = (need.where(need.selected_columns.sha256 == sha256).limit(1) for need in needs)
        return all(self._database.row(need) is None for need in mine)

    def forget_original(self, sha256: str) -> None:
        """Delete the record of an original; settled failures keep their name and reason."""
        with self._database.write() as connection:
            connection.execute(failures.update().where(failures.c.sha256 == sha256).values(sha256=None))
            connection.execute(raw_files.delete().where(raw_files.c.sha256 == sha256))

    def all(self, state: str | None = "open") -> list[Failure]:
        """Return the failures in one state, or all of them, newest first."""
        query = sa.select(failures).order_by(failures.c.at.desc(), failures.c.id.desc())
        if state is not None:
            query = query.where(failures.c.state == state)
        return self._database.found(Failure, query)

    def get(self, failure_id: int) -> Failure:
        """Return one failure."""
        query = sa.select(failures).where(failures.c.id == failure_id)
        return self._database.one(Failure, query, f"失败记录 {failure_id} 不存在，可能已处理。请刷新列表。")

    def dismiss(self, failure_id: int, user: str | None = None) -> None:
        """Close a failure without another try."""
        failure = self.get(failure_id)
        with self._database.write() as connection:
            connection.execute(failures.update().where(failures.c.id == failure_id).values(state="dismissed"))
            audit.append(connection, "dismiss", failure.name, {"failure": failure_id, "code": failure.code}, user)
