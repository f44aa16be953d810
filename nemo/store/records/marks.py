"""What people keep for themselves: marks beside texts and quotes (标记), questions to ask again (保存的查询), memories (记忆)."""

import enum
import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.database import Records, added
from nemo.store.catalogue.rows import Mark, Search, Session
from nemo.store.catalogue.schema import marks, now, searches, sessions
from nemo.store.records import audit, chain
from nemo.types import Filters


class MarkPurpose(enum.StrEnum):
    """What a mark is, and what its ``subject`` names."""

    NOTE = "note"
    """批注: a regulation's id; ``label`` the provision, ``words`` what is underlaid, ``note`` the remark."""
    FOLLOW = "follow"
    """关注: the key of a title, so that every version of the work counts."""
    ASSIGNED = "assigned"
    """分派: the number of a quote; ``user`` is who shall look at it."""
    FOLLOW_QUESTION = "follow_q"
    """关注一个问题: ``subject`` the question, ``note`` its filters as JSON."""
    FOLLOW_TOPIC = "follow_t"
    """关注一类: ``subject`` ``province/asset/doc_class``, each a code or empty."""
    MEMO = "memo"
    """文稿所引: the key of a title; ``label`` the article, ``words`` the memo's name, ``note`` as JSON the start of its hash
    (``memo``), the ``title`` and the ``provision``. Nothing else of it; its name is told to who audited it alone."""
    READ = "read"
    """已阅: the news of the library up to ``at``."""


class Marks(Records):
    """The marks of one library; ``user`` is None where nobody signs in."""

    def put(self, kind: MarkPurpose, subject: str, user: str | None, **said: str | None) -> int:
        """Add a mark and return its number; ``said`` may give ``label``, ``words``, ``note`` and ``by``."""
        blank = {"label": "", "words": "", "note": "", "by": None}
        values = {**blank, **said, "kind": kind.value, "subject": subject, "user": user, "at": now()}
        with self._database.write() as connection:
            return added(connection, marks, values)

    def replace(self, kind: MarkPurpose, subject: str, user: str | None, **said: str | None) -> int:
        """Add a mark in the place of an earlier one of this kind and subject; an assignment has one holder."""
        same = (marks.c.kind == kind.value, marks.c.subject == subject)
        own = () if kind is MarkPurpose.ASSIGNED else (marks.c.user.is_not_distinct_from(user),)
        self._database.changed(marks.delete().where(*same, *own))
        return self.put(kind, subject, user, **said)

    def replace_all(
        self, kind: MarkPurpose, words: str, user: str | None, rows: Sequence[tuple[str, str, str]]
    ) -> None:
        """Put marks (subject, label, note) of one person under ``words`` in the place of all that stood there."""
        same = (marks.c.kind == kind.value, marks.c.words == words, marks.c.user.is_not_distinct_from(user))
        shared = {"kind": kind.value, "words": words, "user": user, "by": None, "at": now()}
        new = [{**shared, "subject": subject, "label": label, "note": note} for subject, label, note in rows]
        with self._database.write() as connection:
            connection.execute(marks.delete().where(*same))
            for each in new:
                added(connection, marks, each)

    def of(self, kind: MarkPurpose, subject: str | None = None) -> list[Mark]:
        """Return the marks of a kind, of everybody, newest first."""
        query = sa.select(marks).where(marks.c.kind == kind.value).order_by(marks.c.at.desc(), marks.c.id.desc())
        if subject is not None:
            query = query.where(marks.c.subject == subject)
        return self._database.found(Mark, query)

    def mine(self, kind: MarkPurpose, user: str | None) -> list[Mark]:
        """Return the marks of a kind that one person made, newest first."""
        return [mark for mark in self.of(kind) if mark.user == user]

    def forget(self, number: int, user: str | None) -> None:
        """Delete a mark of one person."""
        own = (marks.c.id == number, marks.c.user.is_not_distinct_from(user))
        if not self._database.changed(marks.delete().where(*own)):
            raise NotFoundError("没有这条标记，可能已删除。请刷新页面。")


class Searches(Records):
    """The saved searches of one library."""

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
        if not self._database.changed(searches.delete().where(searches.c.id == search_id, _of(user))):
            raise NotFoundError(f"没有编号为 {search_id} 的已存查询，可能已删除。请刷新列表。")


def _of(user: str | None) -> sa.ColumnElement[bool]:
    return searches.c.user.is_not_distinct_from(user)


def _search(filters: str, **columns: Any) -> Search:
    return Search(**columns, filters=decode(Filters, json.loads(filters)))


class Sessions(Records):
    """The sessions of one library, each of one person and one program; ``user`` is None where nobody signs in."""

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
