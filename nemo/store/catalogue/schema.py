"""The catalogue's tables. Portable SQL types only; what a database has of its own stands in ``dialects.py``.

Light columns of a regulation (what lists and filters need) are apart from its heavy ones, so that a list never reads
text. Chunks have consecutive numbers inside the library, ``first`` … ``first + count - 1`` for one stored text; a
number is never used twice, so an index entry left over from an older text cannot be mistaken for a newer one.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.types import TypeEngine

HEAD = "0014"
"""The newest migration; a catalogue of any other known revision is upgraded at open."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

SERIAL = BigInteger().with_variant(Integer, "sqlite")
"""Counts up by itself on every database."""


ESCAPE = "\uf8fe"
"""A character of nobody's alphabet."""


class EscapedText(TypeDecorator[str]):
    """Text for a database that takes no U+0000, which people do put into questions: it comes back as it went in."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Write U+0000 as two characters."""
        if value is None or ("\0" not in value and ESCAPE not in value):
            return value
        return value.replace(ESCAPE, ESCAPE * 2).replace("\0", f"{ESCAPE}0")

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """Read it back."""
        if value is None or ESCAPE not in value:
            return value
        return ESCAPE.join(part.replace(f"{ESCAPE}0", "\0") for part in value.split(ESCAPE * 2))


Text = sa.Text().with_variant(EscapedText(), "postgresql")


class Moment(TypeDecorator[dt.datetime]):
    """A moment, kept in UTC: SQLite forgets time zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Any) -> dt.datetime | None:
        """Give the database UTC; a moment without a zone is taken as UTC."""
        return None if value is None else value.replace(tzinfo=value.tzinfo or dt.UTC).astimezone(dt.UTC)

    def process_result_value(self, value: dt.datetime | None, dialect: Any) -> dt.datetime | None:
        """Return the moment with its zone."""
        return None if value is None else value.replace(tzinfo=value.tzinfo or dt.UTC).astimezone(dt.UTC)


class Json(TypeDecorator[Any]):
    """Plain data kept as JSON in a text column; None is an empty column. ``kind`` is what it is read back as."""

    impl = sa.Text
    cache_ok = True

    def __init__(self, kind: Callable[[Any], Any] = lambda value: value) -> None:
        super().__init__()
        self.kind = kind

    def process_bind_param(self, value: Any, dialect: Any) -> str | None:
        """Write it down."""
        return None if value is None else json.dumps(value, ensure_ascii=False, default=str)

    def process_result_value(self, value: str | None, dialect: Any) -> Any:
        """Read it back."""
        return None if value is None else self.kind(json.loads(value))


def now() -> dt.datetime:
    """Return this moment in UTC."""
    return dt.datetime.now(dt.UTC)


def required(kind: TypeEngine[Any] | type[TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Return columns of one type that always hold a value."""
    return [Column(name, kind, nullable=False) for name in names]


def optional(kind: TypeEngine[Any] | type[TypeEngine[Any]], *names: str) -> list[Column[Any]]:
    """Return columns of one type that may be empty."""
    return [Column(name, kind) for name in names]


def _belongs_to_regulation() -> Column[str]:
    return Column("regulation_id", String(64), ForeignKey("regulations.id", ondelete="CASCADE"), primary_key=True)


meta = Table("meta", metadata, Column("key", String(64), primary_key=True), Column("value", Text, nullable=False))

SERVED_VECTORS = "served_vectors"
"""In ``meta``: which index on a server is this library's, and what it stands for. Never copied with the rest."""

raw_files = Table(
    "raw_files",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("stored_at", Moment, nullable=False),
    *optional(Text, "url", "media_type"),
    Column("fetched_at", Moment),
)

regulations = Table(
    "regulations",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("first", BigInteger, nullable=False, unique=True),
    Column("sha256", String(64), ForeignKey("raw_files.sha256"), nullable=False, index=True),
    Column("fingerprint", String(64), nullable=False, index=True),
    *required(Integer, "count", "characters", "articles", "pages", "faults"),
    Column("change", BigInteger, nullable=False),
    *required(Text, "title", "short_title", "assets", "validity", "relations", "file", "parser"),
    Column("province", String(16), nullable=False),
    Column("nature", String(32), nullable=False),
    Column("text_sha256", String(64), nullable=False),
    Column("stored_at", Moment, nullable=False),
    *optional(Text, "document_number", "issuer", "level", "url"),
    Column("doc_class", String(64)),
    Column("version_date", Date),
    Column("ocr_confidence", Float),
)

sources = Table(
    "sources",
    metadata,
    _belongs_to_regulation(),
    Column("sha256", String(64), ForeignKey("raw_files.sha256"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("url", Text),
)
"""Every raw file a regulation was ever read from: replaced originals are kept as long as their regulation is held."""

texts = Table(
    "texts",
    metadata,
    _belongs_to_regulation(),
    Column("text", Text, nullable=False),
    *required(LargeBinary, "provisions", "details"),
)

chunks = Table(
    "chunks",
    metadata,
    _belongs_to_regulation(),
    Column("spans", LargeBinary, nullable=False),
    *required(Text, "labels", "headings"),
)
"""One row per regulation: n spans, n labels, n headings (what stands above each chunk), in text order."""

vectors = Table(
    "vectors",
    metadata,
    _belongs_to_regulation(),
    Column("embedder", String(200), primary_key=True),
    Column("dim", Integer, nullable=False),
    Column("rows", LargeBinary, nullable=False),
)

feature_notes = Table(
    "sketches",
    metadata,
    _belongs_to_regulation(),
    Column("ranker", String(200), primary_key=True),
    Column("pieces", LargeBinary, nullable=False),
)
"""What a ranker noted of each chunk; may be missing, and is then made when it is needed."""

changes = Table(
    "changes",
    metadata,
    Column("generation", SERIAL, primary_key=True),
    Column("stamp", String(32), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("regulation_id", String(64), nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("count", Integer, nullable=False),
    Column("at", Moment, nullable=False),
)
"""What happened to the library, one row a change: the indexes replay it from where they stopped."""

failures = Table(
    "failures",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("sha256", String(64), ForeignKey("raw_files.sha256")),
    Column("state", String(16), nullable=False, index=True),
    *required(Text, "name", "message"),
    Column("tips", Json(tuple), nullable=False),
    Column("facts", Json(), nullable=False),
    Column("code", String(64), nullable=False),
    Column("tries", Integer, nullable=False),
    Column("at", Moment, nullable=False),
)

answers = Table(
    "answers",
    metadata,
    Column("trace_id", String(128), primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    *required(Text, "question", "body", "texts"),
    Column("day", Date, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("generation", BigInteger, nullable=False),
    *optional(Text, "user", "filters"),
)
"""``texts``: the hash of each quoted regulation's text, so that a later difference is known as change or as damage."""

quotes = Table(
    "quotes",
    metadata,
    Column("id", SERIAL, primary_key=True),
    *required(String(64), "regulation_id", "text_sha256"),
    *required(BigInteger, "start", "end"),
    *required(Text, "label", "title", "path", "words"),
    UniqueConstraint("regulation_id", "start", "end", name="uq_quotes_regulation_id"),
)
"""Every stretch of text that a stored answer ever quoted, once; it outlives its regulation, which is why it is copied."""

quoted = Table(
    "quoted",
    metadata,
    Column("trace_id", String(128), ForeignKey("answers.trace_id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("quote_id", BigInteger, ForeignKey("quotes.id"), nullable=False, index=True),
    Column("day", Date, nullable=False),
    Column("status", String(16), nullable=False),
    Column("asked", Date, nullable=False),
)
"""Which answer quoted what: the status it stated for ``day``, and the day in China on which it was given."""

decisions = Table(
    "decisions",
    metadata,
    Column("number", SERIAL, primary_key=True),
    Column("quote_id", BigInteger, ForeignKey("quotes.id"), nullable=False, index=True),
    Column("state", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", Text),
    Column("undoes", BigInteger),
)
"""What reviewers decided, in order; nothing is ever changed here, a newer decision replaces an older one."""

searches = Table(
    "searches",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("folder", Text, nullable=False, server_default=""),
    *required(Text, "name", "question", "filters"),
    Column("at", Moment, nullable=False),
    Column("user", Text),
)
"""Questions that people keep to ask again."""

marks = Table(
    "marks",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("subject", Text, nullable=False, index=True),
    Column("kind", String(16), nullable=False),
    *required(Text, "label", "words", "note"),
    Column("at", Moment, nullable=False),
    *optional(Text, "user", "by"),
)
"""What people put beside texts and quotes; what ``subject`` names is told by ``nemo.store.records.marks.MarkKind``."""

corpora = Table(
    "corpora",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("description", Text, nullable=False),
    Column("people", Json(tuple), nullable=False),
    *required(String(16), "visibility", "chunking"),
    *required(String(32), "embedder", "store"),
    *required(Moment, "at", "changed"),
    Column("owner", Text),
)
"""Named subsets of the library (资料集), each with an owner, who may see it, and how it is searched by meaning."""

members = Table(
    "members",
    metadata,
    Column("corpus_id", BigInteger, ForeignKey("corpora.id", ondelete="CASCADE"), primary_key=True),
    Column("regulation_id", String(64), primary_key=True, index=True),
    Column("at", Moment, nullable=False),
    Column("by", Text),
)
"""Which texts belong to a corpus. A text that is read anew keeps its places; one that is removed loses them."""

confined = Table(
    "confined",
    metadata,
    Column("regulation_id", String(64), primary_key=True),
    Column("at", Moment, nullable=False),
)
"""Texts that came in through a corpus alone: who sees none of their corpora does not see them. Outlives the text, so
that stored answers which quote it stay closed too."""

windows = Table(
    "windows",
    metadata,
    Column("corpus_id", BigInteger, ForeignKey("corpora.id", ondelete="CASCADE"), primary_key=True),
    _belongs_to_regulation(),
    Column("text_sha256", String(64), nullable=False),
    Column("embedder", String(200), nullable=False),
    Column("dim", Integer, nullable=False),
    *required(LargeBinary, "spans", "rows"),
)
"""The pieces a corpus of its own chunking or embedder is searched by, and their vectors; derived, made when missing."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("app", String(80), nullable=False),
    *required(Text, "title", "text"),
    Column("at", Moment, nullable=False),
    Column("user", Text),
)
"""What programs and people add to the memory of a person (记忆); seen by that person alone."""

days = Table(
    "days",
    metadata,
    Column("day", Date, primary_key=True),
    Column("measure", String(64), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("total", Float, nullable=False),
)
"""Measures of the answers of one day in China: how often, and the sum of what was measured."""

feedback = Table(
    "feedback",
    metadata,
    Column("number", SERIAL, primary_key=True),
    Column("trace_id", String(128), nullable=False, index=True),
    Column("useful", Boolean, nullable=False),
    Column("remark", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("by", Text),
)
"""What readers say of answers; kept without the answer too, which is written a moment later than it is shown."""

evaluations = Table(
    "evaluations",
    metadata,
    Column("number", SERIAL, primary_key=True),
    *required(Text, "name", "parts"),
    Column("result", Json(), nullable=False),
    Column("at", Moment, nullable=False),
    Column("generation", BigInteger, nullable=False),
    Column("regulations", Integer, nullable=False),
    Column("by", Text),
)
"""Runs of golden sets. ``result`` is the JSON of ``nemo.evaluation.golden.run``."""

jobs = Table(
    "jobs",
    metadata,
    Column("id", SERIAL, primary_key=True),
    Column("batch", String(32), nullable=False, index=True),
    Column("sha256", String(64), nullable=False, index=True),
    Column("state", String(16), nullable=False, index=True),
    *required(Text, "title", "name"),
    Column("facts", Json(), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    *required(Moment, "created", "updated"),
    *optional(Text, "url", "media_type", "by"),
    Column("outcome", Json()),
    *optional(Moment, "fetched_at", "started", "heartbeat"),
    Column("owner", BigInteger),
)
"""Files handed over for ingestion, one row a file; ``by`` is who did. ``owner`` is the process id of the one who works on it, for people:
who may work at all is decided by the folder's lock, so times may be wrong without harm."""

tokens = Table(
    "tokens",
    metadata,
    Column("number", SERIAL, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    *required(Text, "name", "by"),
    Column("role", String(16), nullable=False),
    Column("at", Moment, nullable=False),
    *optional(Moment, "ends", "revoked_at"),
    Column("revoked_by", Text),
)
"""Tokens of programs: only their hashes. A revoked one stays, so that the audit log's names keep their meaning."""

audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("user", Text),
    Column("action", String(64), nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)
"""Append-only; each row's hash covers the row and the hash before it."""

links = Table(
    "links",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("at", String(40), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False, index=True),
    Column("parts", Text, nullable=False),
    Column("previous", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("mac", String(64)),
)
"""The chain over everything that is relied on; see ``nemo.store.records.chain``."""
