"""Answers as they were given, so that each can be opened and checked again later (答复留存)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.codec import decode, encode
from nemo.store.database import Database
from nemo.store.history import newest
from nemo.store.rows import AnswerRow
from nemo.store.schema import answers, now
from nemo.types import Answer


class Answers:
    """The stored answers of one library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, answer: Answer, texts: Mapping[str, str], user: str | None = None) -> None:
        """Keep an answer; one with the same trace id is replaced.

        Args:
            answer: The answer.
            texts: The hash of the text of each regulation it quotes.
            user: Who asked.
        """
        with self._database.write() as connection:
            connection.execute(answers.delete().where(answers.c.trace_id == answer.trace_id))
            connection.execute(
                answers.insert().values(
                    trace_id=answer.trace_id,
                    question=answer.query.original or answer.query.text,
                    day=answer.day,
                    refused=int(answer.refusal is not None),
                    body=json.dumps(encode(answer), ensure_ascii=False, separators=(",", ":")),
                    texts=json.dumps(texts),
                    generation=newest(connection)[0],
                    at=now(),
                    user=user,
                )
            )

    def get(self, trace_id: str) -> Answer:
        """Return an answer as it was given.

        Raises:
            NotFoundError: no such answer.
        """
        with self._database.read() as connection:
            body = connection.execute(sa.select(answers.c.body).where(answers.c.trace_id == trace_id)).scalar()
        if body is None:
            raise NotFoundError(f"没有编号为 {trace_id} 的答复。请核对编号；未保存的答复不能再次打开。")
        found: Answer = decode(Answer, json.loads(body))
        return found

    def recent(self, limit: int = 100, user: str | None = None) -> list[AnswerRow]:
        """Return the newest answers, of everybody or of one user."""
        fields = ("trace_id", "question", "day", "refused", "generation", "at", "user")
        query = sa.select(*(answers.c[name] for name in fields)).order_by(answers.c.at.desc()).limit(limit)
        if user is not None:
            query = query.where(answers.c.user == user)
        with self._database.read() as connection:
            return [AnswerRow(**{**row._mapping, "refused": bool(row.refused)}) for row in connection.execute(query)]

    def with_texts(self) -> Iterator[tuple[Answer, dict[str, str]]]:
        """Yield every answer with the hashes of the texts it quoted."""
        query = sa.select(answers.c.body, answers.c.texts).order_by(answers.c.at)
        with self._database.read() as connection:
            for row in connection.execute(query):
                yield decode(Answer, json.loads(row.body)), json.loads(row.texts)
