"""What people put beside texts and quotes: notes, follows, assignments, and up to when they have read (标记)."""

import enum
from collections.abc import Sequence

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Mark
from nemo.store.catalogue.schema import marks, now


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


class Marks:
    """The marks of one library; ``user`` is None where nobody signs in."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        with self._database.write() as connection:
            connection.execute(marks.delete().where(*same, *own))
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
        with self._database.write() as connection:
            found = connection.execute(marks.delete().where(*own))
        if not found.rowcount:
            raise NotFoundError("没有这条标记，可能已删除。请刷新页面。")
