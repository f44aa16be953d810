"""What readers say of answers: useful or not, and why (评价). Only ever added to; each goes into the audit log."""

import sqlalchemy as sa

from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Feedback
from nemo.store.catalogue.schema import feedback, now
from nemo.store.records import audit, chain


class Feedbacks:
    """The feedback of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, trace_id: str, question: str, useful: bool, remark: str = "", by: str | None = None) -> int:
        """Write down what somebody says of an answer and return its number."""
        values = {"trace_id": trace_id, "useful": useful, "remark": remark, "by": by, "at": now()}
        detail = {"useful": "有用" if useful else "无用", "remark": remark, "question": question}
        with self._database.write() as connection:
            number = added(connection, feedback, values)
            chain.seal(connection, "feedback", number)
            audit.append(connection, "feedback", trace_id, detail, by)
        return number

    def all(self, trace_id: str | None = None) -> list[Feedback]:
        """Return what was said of one answer, or of all, newest first."""
        query = sa.select(feedback).order_by(feedback.c.number.desc())
        if trace_id is not None:
            query = query.where(feedback.c.trace_id == trace_id)
        return self._database.found(Feedback, query)
