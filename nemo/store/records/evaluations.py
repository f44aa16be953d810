"""Runs of golden sets with what came out (评测记录). Only ever added to; each goes into the audit log."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Evaluation, EvaluationRun
from nemo.store.catalogue.schema import evaluations, now
from nemo.store.records import audit


class Evaluations:
    """The evaluations of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
