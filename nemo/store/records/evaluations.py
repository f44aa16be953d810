"""How good answers were: runs of golden sets (评测记录), and what readers say (评价). Only ever added to; each is in the audit log."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from nemo.store.catalogue.database import Records, added
from nemo.store.catalogue.rows import Evaluation, EvaluationRun, Feedback
from nemo.store.catalogue.schema import evaluations, feedback, now
from nemo.store.records import audit, chain


class Evaluations(Records):
    """The evaluations of one library."""

    def add(self, run: EvaluationRun, result: Mapping[str, Any]) -> int:
        """Keep what came out of a run and return its number."""
        values = {**asdict(run), "at": now(), "result": result}
        with self._database.write() as connection:
            number = added(connection, evaluations, values)
            audit.append(connection, "evaluate", str(number), {"set": run.name}, run.by)
        return number

    def all(self) -> list[Evaluation]:
        """Return every run, newest first."""
        query = sa.select(evaluations).order_by(evaluations.c.number.desc())
        return self._database.found(_evaluation, query)

    def get(self, number: int) -> Evaluation:
        """Return one run."""
        query = sa.select(evaluations).where(evaluations.c.number == number)
        return self._database.one(_evaluation, query, f"没有编号为 {number} 的评测记录。请从列表中选择。")


def _evaluation(number: int, at: dt.datetime, result: Mapping[str, Any], **run: Any) -> Evaluation:
    return Evaluation(number, at, EvaluationRun(**run), result)


class Feedbacks(Records):
    """The feedback of one library."""

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
