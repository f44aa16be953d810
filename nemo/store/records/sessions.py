"""What programs and people add to the memory of a person: conversations, remarks (记忆). Seen by that person alone."""

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Session
from nemo.store.catalogue.schema import now, sessions
from nemo.store.records import audit, chain


class Sessions:
    """The sessions of one library, each of one person and one program; ``user`` is None where nobody signs in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, app: str, user: str | None, title: str, text: str) -> Session:
        """Keep a session."""
        at = now()
        values = {"app": app, "user": user, "title": title, "text": text, "at": at}
        with self._database.write() as connection:
            number = added(connection, sessions, values)
            chain.seal(connection, "session", number)
        return Session(number, app, user, title, text, at)

    def own(self, user: str | None, app: str | None = None) -> list[Session]:
        """Return the sessions of one person, of one program or of all, newest first."""
        query = sa.select(sessions).where(sessions.c.user.is_not_distinct_from(user))
        if app is not None:
            query = query.where(sessions.c.app == app)
        return self._database.found(Session, query.order_by(sessions.c.at.desc(), sessions.c.id.desc()))

    def forget(self, number: int, user: str | None) -> None:
        """Delete a session of one person; the chain of records keeps that it is gone, and nothing of what it said."""
        own = (sessions.c.id == number, sessions.c.user.is_not_distinct_from(user))
        with self._database.write() as connection:
            if not connection.execute(sessions.delete().where(*own)).rowcount:
                raise NotFoundError("没有这条记忆，可能已删除。请刷新页面。")
            chain.seal(connection, "session", number)
            audit.append(connection, "forgotten", str(number), {"kind": "session"}, user)
