"""The catalogue's tables. Portable SQL types only; what a database has of its own stands in ``dialects.py``.

Light columns of a regulation (what lists and filters need) are apart from its heavy ones, so that a list never reads
text. Chunks have consecutive numbers inside the library, ``first`` … ``first + count - 1`` for one stored text; a
number is never used twice, so an index entry left over from an older text cannot be mistaken for a newer one.
"""

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
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

HEAD = "0015"
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


def table(name: str, *parts: SchemaItem) -> Table:
    """Return one table of the catalogue."""
    return Table(name, metadata, *parts)


def required(**kinds: TypeEngine[Any] | type[TypeEngine[Any]]) -> list[Column[Any]]:
    """Return columns that always hold a value, each by its type."""
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


def optional(**kinds: TypeEngine[Any] | type[TypeEngine[Any]]) -> list[Column[Any]]:
    """Return columns that may be empty, each by its type."""
    return [Column(name, kind) for name, kind in kinds.items()]


def keys(**kinds: TypeEngine[Any] | type[TypeEngine[Any]]) -> list[Column[Any]]:
    """Return the columns that a row is known by, each by its type."""
    return [Column(name, kind, primary_key=True) for name, kind in kinds.items()]


def _belongs_to_regulation() -> Column[str]:
    return Column("regulation_id", String(64), ForeignKey("regulations.id", ondelete="CASCADE"), primary_key=True)


meta = table("meta", *keys(key=String(64)), *required(value=Text))

SERVED_VECTORS = "served_vectors"
"""In ``meta``: which index on a server is this library's, and what it stands for. Never copied with the rest."""

raw_files = table(
    "raw_files",
    *keys(sha256=String(64)),
    *required(name=Text, size=BigInteger, stored_at=Moment),
    *optional(url=Text, media_type=Text, fetched_at=Moment),
)

regulations = table(
    "regulations",
    *keys(id=String(64)),
    Column("first", BigInteger, nullable=False, unique=True),
    Column("sha256", String(64), ForeignKey("raw_files.sha256"), nullable=False, index=True),
    Column("fingerprint", String(64), nullable=False, index=True),
    *required(count=Integer, characters=Integer, articles=Integer, pages=Integer, faults=Integer, change=BigInteger),
    *required(title=Text, short_title=Text, assets=Text, validity=Text, relations=Text, file=Text, parser=Text),
    *required(province=String(16), nature=String(32), text_sha256=String(64), stored_at=Moment),
    *optional(document_number=Text, issuer=Text, level=Text, url=Text),
    *optional(doc_class=String(64), version_date=Date, ocr_confidence=Float),
)

sources = table(
    "sources",
    _belongs_to_regulation(),
    Column("sha256", String(64), ForeignKey("raw_files.sha256"), primary_key=True),
    *keys(name=Text),
    *optional(url=Text),
)
"""Every raw file a regulation was ever read from: replaced originals are kept as long as their regulation is held."""

texts = table("texts", _belongs_to_regulation(), *required(text=Text, provisions=LargeBinary, details=LargeBinary))

chunks = table("chunks", _belongs_to_regulation(), *required(spans=LargeBinary, labels=Text, headings=Text))
"""One row per regulation: n spans, n labels, n headings (what stands above each chunk), in text order."""

vectors = table(
    "vectors", _belongs_to_regulation(), *keys(embedder=String(200)), *required(dim=Integer, rows=LargeBinary)
)

feature_notes = table("sketches", _belongs_to_regulation(), *keys(ranker=String(200)), *required(pieces=LargeBinary))
"""What a ranker noted of each chunk; may be missing, and is then made when it is needed."""

changes = table(
    "changes",
    *keys(generation=SERIAL),
    *required(stamp=String(32), kind=String(16), regulation_id=String(64), first=BigInteger, count=Integer, at=Moment),
)
"""What happened to the library, one row a change: the indexes replay it from where they stopped."""

failures = table(
    "failures",
    *keys(id=SERIAL),
    Column("sha256", String(64), ForeignKey("raw_files.sha256")),
    Column("state", String(16), nullable=False, index=True),
    *required(name=Text, message=Text, tips=Json(tuple), facts=Json(), code=String(64), tries=Integer, at=Moment),
)

answers = table(
    "answers",
    *keys(trace_id=String(128)),
    Column("at", Moment, nullable=False, index=True),
    *required(question=Text, body=Text, texts=Text, day=Date, refused=Integer, generation=BigInteger),
    *optional(user=Text, filters=Text),
)
"""``texts``: the hash of each quoted regulation's text, so that a later difference is known as change or as damage."""

quotes = table(
    "quotes",
    *keys(id=SERIAL),
    *required(regulation_id=String(64), text_sha256=String(64), start=BigInteger, end=BigInteger),
    *required(label=Text, title=Text, path=Text, words=Text),
    UniqueConstraint("regulation_id", "start", "end", name="uq_quotes_regulation_id"),
)
"""Every stretch of text that a stored answer ever quoted, once; it outlives its regulation, which is why it is copied."""

quoted = table(
    "quoted",
    Column("trace_id", String(128), ForeignKey("answers.trace_id", ondelete="CASCADE"), primary_key=True),
    *keys(position=Integer),
    Column("quote_id", BigInteger, ForeignKey("quotes.id"), nullable=False, index=True),
    *required(day=Date, status=String(16), asked=Date),
)
"""Which answer quoted what: the status it stated for ``day``, and the day in China on which it was given."""

decisions = table(
    "decisions",
    *keys(number=SERIAL),
    Column("quote_id", BigInteger, ForeignKey("quotes.id"), nullable=False, index=True),
    *required(state=String(16), reason=Text, at=Moment),
    *optional(by=Text, undoes=BigInteger),
)
"""What reviewers decided, in order; nothing is ever changed here, a newer decision replaces an older one."""

searches = table(
    "searches",
    *keys(id=SERIAL),
    Column("folder", Text, nullable=False, server_default=""),
    *required(name=Text, question=Text, filters=Text, at=Moment),
    *optional(user=Text),
)
"""Questions that people keep to ask again."""

marks = table(
    "marks",
    *keys(id=SERIAL),
    Column("subject", Text, nullable=False, index=True),
    *required(kind=String(16), label=Text, words=Text, note=Text, at=Moment),
    *optional(user=Text, by=Text),
)
"""What people put beside texts and quotes; what ``subject`` names is told by ``nemo.store.records.marks.MarkKind``."""

corpora = table(
    "corpora",
    *keys(id=SERIAL),
    Column("name", String(80), nullable=False, unique=True),
    *required(description=Text, people=Json(tuple), visibility=String(16), chunking=String(16)),
    *required(embedder=String(32), store=String(32), at=Moment, changed=Moment),
    *optional(owner=Text),
)
"""Named subsets of the library (资料集), each with an owner, who may see it, and how it is searched by meaning."""

members = table(
    "members",
    Column("corpus_id", BigInteger, ForeignKey("corpora.id", ondelete="CASCADE"), primary_key=True),
    Column("regulation_id", String(64), primary_key=True, index=True),
    *required(at=Moment),
    *optional(by=Text),
)
"""Which texts belong to a corpus. A text that is read anew keeps its places; one that is removed loses them."""

confined = table("confined", *keys(regulation_id=String(64)), *required(at=Moment))
"""Texts that came in through a corpus alone: who sees none of their corpora does not see them. Outlives the text, so
that stored answers which quote it stay closed too."""

windows = table(
    "windows",
    Column("corpus_id", BigInteger, ForeignKey("corpora.id", ondelete="CASCADE"), primary_key=True),
    _belongs_to_regulation(),
    *required(text_sha256=String(64), embedder=String(200), dim=Integer, spans=LargeBinary, rows=LargeBinary),
)
"""The pieces a corpus of its own chunking or embedder is searched by, and their vectors; derived, made when missing."""

sessions = table(
    "sessions", *keys(id=SERIAL), *required(app=String(80), title=Text, text=Text, at=Moment), *optional(user=Text)
)
"""What programs and people add to the memory of a person (记忆); seen by that person alone."""

days = table("days", *keys(day=Date, measure=String(64)), *required(count=BigInteger, total=Float))
"""Measures of the answers of one day in China: how often, and the sum of what was measured."""

feedback = table(
    "feedback",
    *keys(number=SERIAL),
    Column("trace_id", String(128), nullable=False, index=True),
    *required(useful=Boolean, remark=Text, at=Moment),
    *optional(by=Text),
)
"""What readers say of answers; kept without the answer too, which is written a moment later than it is shown."""

evaluations = table(
    "evaluations",
    *keys(number=SERIAL),
    *required(name=Text, parts=Text, result=Json(), at=Moment, generation=BigInteger, regulations=Integer),
    *optional(by=Text),
)
"""Runs of golden sets. ``result`` is the JSON of ``nemo.evaluation.golden.run``."""

jobs = table(
    "jobs",
    *keys(id=SERIAL),
    Column("batch", String(32), nullable=False, index=True),
    Column("sha256", String(64), nullable=False, index=True),
    Column("state", String(16), nullable=False, index=True),
    *required(title=Text, name=Text, facts=Json(), size=BigInteger, tries=Integer, created=Moment, updated=Moment),
    *optional(url=Text, media_type=Text, by=Text, outcome=Json()),
    *optional(fetched_at=Moment, started=Moment, heartbeat=Moment, owner=BigInteger),
)
"""Files handed over for ingestion, one row a file; ``by`` is who did. ``owner`` is the process id of the one who works on it, for people:
who may work at all is decided by the folder's lock, so times may be wrong without harm."""

tokens = table(
    "tokens",
    *keys(number=SERIAL),
    Column("digest", String(64), nullable=False, unique=True),
    *required(name=Text, by=Text, role=String(16), at=Moment),
    *optional(ends=Moment, revoked_at=Moment, revoked_by=Text),
)
"""Tokens of programs: only their hashes. A revoked one stays, so that the audit log's names keep their meaning."""

audit = table(
    "audit",
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    *required(at=String(40)),
    *optional(user=Text),
    *required(action=String(64), subject=Text, detail=Text, previous=String(64), hash=String(64)),
)
"""Append-only; each row's hash covers the row and the hash before it."""

links = table(
    "links",
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    *required(at=String(40), kind=String(16)),
    Column("subject", Text, nullable=False, index=True),
    *required(parts=Text, previous=String(64), hash=String(64)),
    *optional(mac=String(64)),
)
"""The chain over everything that is relied on; see ``nemo.store.records.chain``."""
