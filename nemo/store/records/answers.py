"""Answers as they were given, so that each can be opened and checked again later (答复留存).

Saving only puts the answer in a queue (``write_behind.py``); every reading method first writes what waits, so whoever saved
an answer can open it at once.
"""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.rows import AnswerRow, QuoteUse
from nemo.store.catalogue.schema import answers, decisions, feedback, now, quoted, quotes
from nemo.store.files.disk import DiskRefusalError
from nemo.store.records import audit, chain, days
from nemo.store.records.write_behind import WriteBehindQueue
from nemo.types import CHINA, Answer, Filters, Quote, Reason, Refusal, Span, Status

AT_ONCE = 500
"""Stretches of text looked up by one statement."""

LIGHT = ("trace_id", "question", "day", "refused", "generation", "at", "user", "filters")
NEWEST_FIRST = sa.select(*(answers.c[name] for name in LIGHT)).order_by(answers.c.at.desc(), answers.c.trace_id)


class QuotedWords(NamedTuple):
    """Words that an answer quoted, with their place."""

    regulation_id: str
    title: str
    path: str
    words: str


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """An answer on its way to the catalogue."""

    answer: Answer
    texts: Mapping[str, str]
    """The hash of the text of each regulation it quotes."""
    user: str | None = None
    """Who asked."""
    generation: int = 0
    """State of the library it was given from."""
    at: dt.datetime = field(default_factory=now)
    measures: Mapping[str, float] = field(default_factory=dict)
    """What was measured of it, for the figures of its day."""


class Answers:
    """The stored answers of one library."""

    def __init__(self, database: Database, report: Callable[[str], None]) -> None:
        self._database = database
        self.queue: WriteBehindQueue[PendingAnswer] = WriteBehindQueue(self._write, report)
        """Where answers are put to be kept; one with the same trace id is replaced."""

    # --- writing

    def settle(self) -> None:
        """Write what waits, if the disk lets us: who only reads is not refused for it."""
        with suppress(DiskRefusalError):  # told by ``trouble`` and to the person who runs Nemo
            self.queue.flush()

    def flush(self) -> None:
        """Return when every saved answer is on disk.

        Raises:
            ConfigError: the disk refuses; the answers are kept for the next try.
        """
        self.queue.flush()

    def _write(self, batch: Sequence[PendingAnswer]) -> None:
        newest = {given.answer.trace_id: given for given in batch}
        with self._database.write(counted=False) as connection:  # who sees which texts is not read anew for it
            connection.execute(answers.delete().where(answers.c.trace_id.in_(list(newest))))
            connection.execute(answers.insert(), [_columns(given) for given in newest.values()])
            last = connection.execute(sa.select(sa.func.max(quotes.c.id))).scalar() or 0
            if uses := _uses(connection, list(newest.values())):
                connection.execute(quoted.insert(), uses)
            fresh = connection.execute(sa.select(quotes.c.id).where(quotes.c.id > last).order_by(quotes.c.id)).scalars()
            chain.seal(connection, "quote", *fresh.all())
            chain.seal(connection, "answer", *newest)
            days.add(connection, [(given.at, given.measures) for given in batch])

    # --- reading

    def get(self, trace_id: str) -> Answer:
        """Return an answer as it was given."""
        return self.given(trace_id)[0]

    def given(self, trace_id: str) -> tuple[Answer, dict[str, str], dt.datetime]:
        """Return an answer, the hashes of the texts it quoted, and when it was given."""
        self.settle()
        query = sa.select(answers.c.body, answers.c.texts, answers.c.at).where(answers.c.trace_id == trace_id)
        row = self._database.row(query)
        if row is None:
            for given in self.queue.waiting():
                if given.answer.trace_id == trace_id:
                    return given.answer, dict(given.texts), given.at
            raise NotFoundError(f"没有编号为 {trace_id} 的答复。请核对编号；未保存的答复不能再次打开。")
        return decode(Answer, json.loads(row.body)), json.loads(row.texts), row.at

    def recent(self, limit: int = 100, user: str | None = None, offset: int = 0) -> list[AnswerRow]:
        """Return the newest answers, of everybody or of one user."""
        query = NEWEST_FIRST if user is None else NEWEST_FIRST.where(answers.c.user == user)
        return self._rows(query.limit(limit).offset(offset))

    def own(self, user: str | None, limit: int) -> list[AnswerRow]:
        """Return the newest answers of one person; None: those that nobody signed in for."""
        return self._rows(NEWEST_FIRST.where(answers.c.user.is_not_distinct_from(user)).limit(limit))

    def forget(self, trace_id: str, user: str | None) -> None:
        """Delete an answer of one person with what was said of it, and the quotes that nothing else needs."""
        self.flush()
        own = (answers.c.trace_id == trace_id, answers.c.user.is_not_distinct_from(user))
        said = sa.select(feedback.c.number).where(feedback.c.trace_id == trace_id)
        used = sa.select(quoted.c.quote_id).where(quoted.c.trace_id == trace_id)
        with self._database.write() as connection:
            quotes_of, remarks = connection.scalars(used).all(), connection.scalars(said).all()
            if not connection.execute(answers.delete().where(*own)).rowcount:
                raise NotFoundError("没有这份答复，可能已删除，或不是您的提问。请刷新页面。")
            connection.execute(quoted.delete().where(quoted.c.trace_id == trace_id))
            connection.execute(feedback.delete().where(feedback.c.trace_id == trace_id))
            needed = sa.union(sa.select(quoted.c.quote_id), sa.select(decisions.c.quote_id))
            alone = sorted(set(quotes_of) - set(connection.execute(needed).scalars()))
            connection.execute(quotes.delete().where(quotes.c.id.in_(alone)))
            chain.seal(connection, "answer", trace_id)
            chain.seal(connection, "feedback", *remarks)
            chain.seal(connection, "quote", *alone)
            audit.append(connection, "forgotten", trace_id, {"kind": "question"}, user)

    def words(self, trace_ids: Sequence[str]) -> dict[str, list[QuotedWords]]:
        """Return what some answers quoted, in order, by trace id."""
        columns = (quoted.c.trace_id, quotes.c.regulation_id, quotes.c.title, quotes.c.path, quotes.c.words)
        query = sa.select(*columns).join_from(quoted, quotes).where(quoted.c.trace_id.in_(trace_ids))
        found: dict[str, list[QuotedWords]] = {}
        for trace_id, *rest in self._database.rows(query.order_by(quoted.c.trace_id, quoted.c.position)):
            found.setdefault(trace_id, []).append(QuotedWords(*rest))
        return found

    def rows(self, trace_ids: Sequence[str]) -> list[AnswerRow]:
        """Return the given answers, newest first; unknown ids are passed over."""
        return self._rows(NEWEST_FIRST.where(answers.c.trace_id.in_(trace_ids)))

    def _rows(self, query: sa.Select[Any]) -> list[AnswerRow]:
        self.settle()
        return [_row(row) for row in self._database.rows(query)]

    def _may_be_told(self, answer: Answer) -> bool:
        return True

    def refused_for_lack(self) -> list[tuple[str, Refusal]]:
        """Return every question that was refused because no text was held, newest first, as often as it was asked."""
        self.settle()
        query = (
            sa.select(answers.c.question, answers.c.body).where(answers.c.refused == 1).order_by(answers.c.at.desc())
        )
        found = []
        for row in self._database.rows(query.limit(REFUSED_LOOKED_AT)):
            answer = decode(Answer, json.loads(row.body))
            if answer.refusal is not None and answer.refusal.reason in LACKING and self._may_be_told(answer):
                found.append((" ".join(row.question.split()), answer.refusal))
        return found

    def with_texts(self) -> Iterator[tuple[Answer, dict[str, str]]]:
        """Yield every answer with the hashes of the texts it quoted."""
        self.settle()
        query = sa.select(answers.c.body, answers.c.texts).order_by(answers.c.at)
        with self._database.read() as connection:  # one after the other: all together may be more than memory holds
            for row in connection.execute(query):
                yield decode(Answer, json.loads(row.body)), json.loads(row.texts)

    def uses(self) -> list[QuoteUse]:
        """Return every way in which stored answers quoted a stretch of text, each once, whatever the answers."""
        self.settle()
        return [_used(row) for row in self._database.rows(sa.select(*USE).join_from(quoted, quotes).distinct())]

    def uses_of(self, trace_id: str) -> dict[int, QuoteUse]:
        """Return what one answer quoted, by the position of the quote in it."""
        self.settle()
        query = sa.select(quoted.c.position, *USE).join_from(quoted, quotes).where(quoted.c.trace_id == trace_id)
        return {row.position: _used(row) for row in self._database.rows(query)}

    def using(self, use: QuoteUse) -> list[str]:
        """Return the trace ids of the answers that quoted a stretch of text in one way."""
        same = (quoted.c.quote_id == use.quote_id, quoted.c.day == use.day, quoted.c.asked == use.asked)
        query = sa.select(quoted.c.trace_id).where(*same, quoted.c.status == use.status.name)
        return self._database.values(query)


LACKING = (Reason.NO_EVIDENCE, Reason.REGULATION_NOT_HELD, Reason.NO_TEXTS_FOR_FILTER)
"""Reasons of a refusal that another text may take away."""
REFUSED_LOOKED_AT = 500
"""Newest refusals that are counted."""

USE = [quotes.c[name] for name in ("id", "regulation_id", "start", "end", "label", "words", "text_sha256")]
USE += [quoted.c[name] for name in ("day", "status", "asked")]


def _used(row: Any) -> QuoteUse:
    same = {name: getattr(row, name) for name in ("regulation_id", "label", "words", "text_sha256", "day", "asked")}
    return QuoteUse(**same, quote_id=row.id, span=Span(row.start, row.end), status=Status[row.status])


def _columns(given: PendingAnswer) -> dict[str, Any]:
    answer = given.answer
    body = json.dumps(encode(answer), ensure_ascii=False, separators=(",", ":"))
    return {
        "trace_id": answer.trace_id,
        "question": answer.asked,
        "day": answer.day,
        "refused": int(answer.refusal is not None),
        "body": body,
        "texts": json.dumps(given.texts),
        "generation": given.generation,
        "at": given.at,
        "user": given.user,
        "filters": json.dumps(encode(answer.query.filters)),
    }


def _uses(connection: sa.Connection, batch: Sequence[PendingAnswer]) -> list[dict[str, Any]]:
    """Return what the answers quote, giving a number to each stretch of text that is quoted for the first time."""
    stretches: dict[tuple[str, int, int], dict[str, Any]] = {}
    for given in batch:
        for quote in given.answer.quotes:
            stretches.setdefault(
                (quote.regulation_id, *quote.span), _stretch(quote, given.texts.get(quote.regulation_id, ""))
            )
    numbers = _numbers(connection, list(stretches))
    if fresh := [values for key, values in stretches.items() if key not in numbers]:
        connection.execute(quotes.insert(), fresh)
        numbers = _numbers(connection, list(stretches))
    return [
        {
            "trace_id": given.answer.trace_id,
            "position": position,
            "quote_id": numbers[quote.regulation_id, *quote.span],
            "day": quote.citation.day,
            "status": quote.citation.status.name,
            "asked": given.at.astimezone(CHINA).date(),
        }
        for given in batch
        for position, quote in enumerate(given.answer.quotes)
    ]


def _stretch(quote: Quote, text_sha256: str) -> dict[str, Any]:
    place = {"regulation_id": quote.regulation_id, "start": quote.span.start, "end": quote.span.end}
    cited = {name: getattr(quote.citation, name) for name in ("label", "title", "path")}
    return {**place, **cited, "words": quote.text, "text_sha256": text_sha256}


def _numbers(connection: sa.Connection, wanted: Sequence[tuple[str, int, int]]) -> dict[tuple[str, int, int], int]:
    """Return the numbers of those stretches (text, start, end) that were quoted before."""
    place = quotes.c.regulation_id, quotes.c.start, quotes.c.end
    found: dict[tuple[str, int, int], int] = {}
    for at in range(0, len(wanted), AT_ONCE):
        query = sa.select(quotes.c.id, *place).where(sa.tuple_(*place).in_(wanted[at : at + AT_ONCE]))
        found |= {(text, start, end): number for number, text, start, end in connection.execute(query)}
    return found


def _row(row: sa.Row[Any]) -> AnswerRow:
    filters = decode(Filters, json.loads(row.filters)) if row.filters else Filters(day=row.day)
    return AnswerRow(**{**row._mapping, "refused": bool(row.refused), "filters": filters})
