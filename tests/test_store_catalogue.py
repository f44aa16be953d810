"""The catalogue gives back exactly what it was given, in one piece or not at all."""

import datetime as dt
import hashlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from hypothesis import given, settings
from hypothesis import strategies as st

from nemo.errors import ConfigError, NotFoundError, UnreadableDocumentError
from nemo.store.catalogue import history
from nemo.store.catalogue.catalogue import Catalogue
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.database import Database, sqlite_url
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.catalogue.packing import pack_provisions, unpack_provisions
from nemo.store.catalogue.rows import Arrival
from nemo.store.catalogue.schema import HEAD, changes, metadata, regulations
from nemo.store.records import audit
from nemo.types import (
    Answer,
    Chunk,
    Confidence,
    Evidence,
    Fault,
    Filters,
    Level,
    Origin,
    Page,
    Provision,
    Query,
    Quote,
    Reason,
    Refusal,
    Regulation,
    Relation,
    RelationKind,
    Scope,
    Span,
    Status,
    Validity,
)
from tests.store_samples import DIM, EMBEDDER, entry, raw_of, regulation

DAY = dt.date(2024, 2, 29)
PROOF = Evidence("first_effective", "自2024年3月1日起施行", Origin.TEXT, Span(3, 9))

FULL = regulation(
    3,
    document_number="青发改〔2024〕3号",
    issuer="青石镇人民政府",
    province="sd",
    doc_class="grid",
    assets=("solar", "wind"),
    nature="draft",
    version_date=DAY,
    validity=Validity(
        DAY, DAY, DAY, dt.date(2030, 1, 1), Status.REPEALED, "x", (PROOF,), (Scope(("1", "2"), DAY, PROOF),), True
    ),
    relations=(
        Relation(RelationKind.REPEALS, "旧规定", "原《旧规定》同时废止", "青〔2010〕1号", Span(0, 4), DAY),
        Relation(RelationKind.BASED_ON, "电力法", "根据《电力法》"),
    ),
    url="http://example.invalid/a?b=1",
    pages=(Page(1, "— 1 —", Span(0, 20)), Page(2, None, Span(20, 60))),
    parser="pdf/pdfium",
    ocr_confidence=0.93,
    faults=(Fault("tables_dropped", "有表格未能读出", Span(1, 2)), Fault("gap", "缺条")),
    facts=(PROOF, Evidence("title", "规定", Origin.MANIFEST)),
    notes={"来源": ["a", 1, None], "n": {"深": 2.5}},
)


@pytest.fixture
def catalogue(tmp_path: Path) -> Catalogue:
    return Catalogue(Database(tmp_path, sqlite_url(tmp_path / "c.sqlite")), EMBEDDER, DIM)


def store(catalogue: Catalogue, made: Regulation, replaced: tuple[str, ...] = ()) -> None:
    catalogue.store([entry(made)], raw_of(made.text, made.file), "mark", replaced, Arrival("甲"))


def held(catalogue: Catalogue) -> Regulation:
    return catalogue.regulation(catalogue.rows()[0])


def test_every_field_comes_back(catalogue: Catalogue) -> None:
    store(catalogue, FULL)
    assert held(catalogue) == FULL
    row = catalogue.rows()[0]
    assert (row.articles, row.count, row.pages, row.faults, row.embedded) == (4, 4, 2, 2, True)
    assert row.text_sha256 == hashlib.sha256(FULL.text.encode()).hexdigest()
    assert row.stored_at.tzinfo is not None


ODD = [
    "\r\n\t",
    "\u3000\ufeff\u200b",
    "\x00\x07",
    "\U00020089㐀",
    "e\u0301é",
    "‘’“”—…",
    "'; DROP TABLE texts; --",
    "a" * 50,
]


@pytest.mark.parametrize("odd", ODD)
def test_text_is_kept_to_the_character(catalogue: Catalogue, odd: str) -> None:
    text = f"前{odd}后\n第一条 {odd}一。\n"
    span = Span(text.index("第一条"), len(text))
    made = Regulation(
        "r1",
        "题",
        text,
        (Provision(Level.ARTICLE, "第一条", "1", odd, span, (), odd, "第一条"),),
        Validity(),
        "f.txt",
        raw_of(text, "f.txt").sha256,
    )
    chunk = Chunk(Chunk.id_of("r1", span), "r1", "1", span, span.of(text))
    catalogue.store([StoredEntry(made, [chunk], None)], raw_of(text, "f.txt"), "", (), Arrival())
    assert held(catalogue) == made
    assert catalogue.body(catalogue.rows()[0]).chunk(0) == chunk


def test_half_a_character_is_refused_before_anything_is_written(catalogue: Catalogue) -> None:
    text = "第一条 \ud800。"
    made = Regulation("r1", "题", text, (), Validity(), "f", "0" * 64)
    chunk = Chunk("r1:0-6", "r1", "1", Span(0, 6), text[:6])
    raw = raw_of("x", "f")
    with pytest.raises(UnreadableDocumentError):
        catalogue.store([StoredEntry(made, [chunk], None)], raw, "", (), Arrival())
    assert catalogue.rows() == []


def test_a_failing_transaction_leaves_nothing(catalogue: Catalogue) -> None:
    good, bad = regulation(1), regulation(2)
    broken = StoredEntry(replace(bad, validity=None), entry(bad).chunks, None)  # type: ignore[arg-type]
    object.__setattr__(broken.regulation, "title", None)  # NOT NULL in the database
    with pytest.raises(sa.exc.IntegrityError):
        catalogue.store([entry(good), broken], raw_of("x", "x"), "", (), Arrival())
    assert catalogue.rows() == []
    with catalogue.database.read() as connection:
        assert history.newest(connection) == (0, "")
        assert audit.count(connection) == 0


WRONG: list[tuple[str, object]] = [
    ("a chunk that is no slice", lambda c: [replace(c[0], text="别的"), *c[1:]]),
    ("a chunk of another name", lambda c: [replace(c[0], id="x:0-1"), *c[1:]]),
    ("chunks out of order", lambda c: [c[1], c[0], *c[2:]]),
    ("the same chunk twice", lambda c: [c[0], c[0], *c[1:]]),
    ("no chunks", lambda c: []),
]


@pytest.mark.parametrize(("remark", "spoil"), WRONG, ids=[w[0] for w in WRONG])
def test_chunks_must_be_the_text(remark: str, spoil) -> None:
    given = entry(regulation(1))
    made, pieces = given.regulation, given.chunks
    with pytest.raises(ValueError, match="chunk"):
        StoredEntry(made, spoil(pieces), None).check(DIM)


@pytest.mark.parametrize(
    "spoil", [lambda v: v[:-1], lambda v: v * 2, lambda v: v * np.nan, lambda v: v[:, :3], lambda v: v * 0]
)
def test_vectors_must_be_unit_rows(spoil) -> None:
    given = entry(regulation(1))
    made, pieces, rows = given.regulation, given.chunks, given.vectors
    with pytest.raises(ValueError, match=r"vectors|shape"):
        StoredEntry(made, pieces, spoil(rows)).check(DIM)


def test_numbers_are_never_used_twice(catalogue: Catalogue) -> None:
    store(catalogue, regulation(1))
    first = catalogue.rows()[0].first
    catalogue.remove(catalogue.rows()[0].id, None)
    store(catalogue, regulation(1))
    assert catalogue.rows()[0].first == first + 4


def test_history_tells_what_happened(catalogue: Catalogue) -> None:
    made = regulation(1)
    store(catalogue, made)
    store(catalogue, made, (made.id,))
    catalogue.remove(made.id, None)
    with catalogue.database.read() as connection:
        steps = history.after(connection, 0)
        number, stamp = history.newest(connection)
        assert history.happened(connection, number, stamp)
        assert not history.happened(connection, number, "another")
        assert not history.happened(connection, number + 1, stamp)
    assert [(s.kind, s.first) for s in steps] == [("stored", 1), ("removed", 1), ("stored", 5), ("removed", 5)]


def test_vectors_of_another_embedder_are_not_seen(catalogue: Catalogue) -> None:
    store(catalogue, regulation(1))
    other = Catalogue(catalogue.database, "other", 8)
    assert list(other.vectors()) == []
    assert not other.rows()[0].embedded
    with pytest.raises(NotFoundError):
        catalogue.remove("nobody", None)


# --- audit


def test_the_audit_chain_breaks_where_it_is_touched(catalogue: Catalogue) -> None:
    for seed in range(4):
        store(catalogue, regulation(seed))
    with catalogue.database.read() as connection:
        assert audit.broken_at(connection) is None
    for statement, at in (
        ("UPDATE audit SET user='乙' WHERE number=2", 2),
        ("DELETE FROM audit WHERE number=3", 2),
        ("DELETE FROM audit WHERE number=4", 2),
    ):
        with catalogue.database.write() as connection:
            connection.execute(sa.text(statement))
        with catalogue.database.read() as connection:
            assert audit.broken_at(connection) == at


def test_a_cut_off_audit_tail_shows(catalogue: Catalogue) -> None:
    for seed in range(3):
        store(catalogue, regulation(seed))
    with catalogue.database.write() as connection:
        connection.execute(sa.text("DELETE FROM audit WHERE number=3"))
    with catalogue.database.read() as connection:
        assert audit.broken_at(connection) == 3


# --- schema


def test_migrations_make_the_schema(catalogue: Catalogue) -> None:
    with catalogue.database.read() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == HEAD


def test_a_newer_library_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    Database(tmp_path, sqlite_url(path)).close()
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("UPDATE alembic_version SET version_num='9999'")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="9999"):
        Database(tmp_path, sqlite_url(path))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is no database, whatever its name says" * 40, b"SQLite format 3\0" + b"\xff" * 4000]
)
def test_a_file_that_is_no_database_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.sqlite").write_bytes(content)
    with pytest.raises(ConfigError, match="损坏"):
        Database(tmp_path, sqlite_url(tmp_path / "c.sqlite"))


def test_statements_are_portable() -> None:
    """Every table can be made on PostgreSQL, too."""
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.schema import CreateTable

    for table in metadata.sorted_tables:
        assert str(CreateTable(table).compile(dialect=postgresql.dialect()))
    assert changes.c.generation.primary_key and regulations.c.first.unique


# --- values


def test_an_answer_comes_back() -> None:
    quote = Quote.cut(FULL, Span(20, 40), DAY, score=0.5, before=Span(0, 3), after=None)
    query = Query("并网", Filters("sd", None, "grid", DAY), "并网？", ("并网",), intents=("how",), read=(PROOF,))
    answer = Answer(
        query, DAY, (quote,), None, Confidence(0.9, source=1.0), "t-1", "要点", degraded=("x",), mode="exact"
    )
    assert decode(Answer, encode(answer)) == answer
    refused = Answer(query, DAY, (), Refusal(Reason.NO_EVIDENCE, "没有", ("换个说法",)), Confidence(0.1), "t-2")
    assert decode(Answer, encode(refused)) == refused


LEAF = st.builds(
    Provision,
    st.sampled_from(list(Level)),
    st.text(max_size=4),
    st.text(max_size=6),
    st.text(max_size=8),
    st.builds(Span, st.integers(0, 10**6), st.integers(0, 10**6)),
    st.just(()),
    st.sampled_from(["", "第一章", "第二章第六条"]),
    st.text(max_size=5),
)
TREE = st.recursive(
    LEAF,
    lambda below: st.builds(lambda p, c: replace(p, children=tuple(c)), LEAF, st.lists(below, max_size=4)),
    max_leaves=30,
)


@settings(max_examples=60)
@given(st.lists(TREE, max_size=4))
def test_structure_trees_come_back(trees: list[Provision]) -> None:
    assert unpack_provisions(pack_provisions(trees)) == tuple(trees)
