"""Runs of golden sets with what came out (评测记录). Only ever added to; each goes into the audit log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.database import Database, added
from nemo.store.catalogue.rows import Evaluation, EvaluationRun
from nemo.store.catalogue.schema import evaluations, now
from nemo.store.records import audit


class Evaluations:
    """The evaluations of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, run: EvaluationRun, result: Mapping[str, Any]) -> int:
        """Keep what came out of a run and return its number.

        Raises:
            ConfigError: the disk refuses.
        """
        values = {**asdict(run), "at": now(), "result": json.dumps(result, ensure_ascii=False)}
        with self._database.write() as connection:
            number = added(connection, evaluations, values)
            audit.append(connection, "evaluate", str(number), {"set": run.name}, run.by)
        return number

    def all(self) -> list[Evaluation]:
        """Return every run, newest first."""
        query = sa.select(evaluations).order_by(evaluations.c.number.desc())
        return [_evaluation(row) for row in self._database.rows(query)]

    def get(self, number: int) -> Evaluation:
        """Return one run.

        Raises:
            NotFoundError: there is no such run.
        """
        query = sa.select(evaluations).where(evaluations.c.number == number)
        row = self._database.row(query)
        if row is None:
            raise NotFoundError(f"没有编号为 {number} 的评测记录。请从列表中选择。")
        return _evaluation(row)


def _evaluation(row: sa.Row[Any]) -> Evaluation:
    known = row._mapping
    run = EvaluationRun(**{name: known[name] for name in ("name", "by", "generation", "regulations", "parts")})
    return Evaluation(row.number, row.at, run, json.loads(row.result))
