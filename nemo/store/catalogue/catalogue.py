"""The catalogue: the only truth about what the library holds (目录库).

A file's regulations are stored in one transaction with their text, structure, chunks, vectors, history and audit
entry. Everything else on disk, except the raw bytes, is derived from here.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import sqlalchemy as sa

from nemo.errors import ConfigError, NotFoundError
from nemo.store.catalogue import history, originals
from nemo.store.catalogue.codec import decode, encode
from nemo.store.catalogue.database import Database
from nemo.store.catalogue.entry import FeatureNotes, StoredEntry, check_vectors, text_hash
from nemo.store.catalogue.noted import note, noted
from nemo.store.catalogue.packing import (
    VECTORS,
    PackedPieces,
    pack_json,
    pack_pieces,
    pack_provisions,
    pack_spans,
    pack_vectors,
    unpack_json,
    unpack_provisions,
    unpack_spans,
    unpack_vectors,
)
from nemo.store.catalogue.rows import Arrival, RegulationBody, RegulationRow, Revision
from nemo.store.catalogue.schema import chunks, failures, feature_notes, now, regulations, texts, vectors
from nemo.store.records import audit, chain, edges, proposals
from nemo.store.records import corpora as membership
from nemo.text.structure.passage import headings
from nemo.types import Evidence, Fault, Page, Picture, RawDocument, Regulation, Relation, Validity

DETAILS: Mapping[str, Any] = {
    "pages": tuple[Page, ...],
    "faults": tuple[Fault, ...],
    "facts": tuple[Evidence, ...],
    "notes": dict,
    "pictures": tuple[Picture, ...],
}
"""Heavy fields of a regulation kept as one compressed blob, with their types."""

NEXT_NUMBER = "next_number"
"""In ``meta``: the first chunk number that was never used."""

STREAMED = 100
"""Regulations whose vectors are fetched at once."""

LIGHT = [c for c in regulations.columns if c.name != "fingerprint"]


class Catalogue:
    """Reads and writes the held regulations."""

    def __init__(self, database: Database, embedder: str, dim: int) -> None:
        self.database = database
        self.embedder = embedder
        self.dim = dim

    # --- reading

    def rows(self, ids: Sequence[str] | None = None) -> list[RegulationRow]:
        """Return regulations without their text, in order of storing, all or some; validity as read from each text."""
        query = (
            sa.select(*LIGHT, vectors.c.dim.is_not(None).label("embedded"), chunks.c.labels.label("points"))
            .select_from(
                regulations.outerjoin(vectors, self._is_ours(regulations.c.id)).outerjoin(
                    chunks, sa.and_(chunks.c.regulation_id == regulations.c.id, regulations.c.articles == 0)
                )
            )
            .order_by(regulations.c.first)
        )
        if ids is not None:
            query = query.where(regulations.c.id.in_(ids))
        return [_row(row._mapping) for row in self.database.rows(query)]

    def _is_ours(self, regulation_id: Any) -> sa.ColumnElement[bool]:
        return sa.and_(vectors.c.regulation_id == regulation_id, vectors.c.embedder == self.embedder)

    def regulation(self, row: RegulationRow, text: str | None = None) -> Regulation:
        """Return the whole regulation of a row, validity as in the row; ``text`` when the caller has it already.

        Raises:
            NotFoundError: it was removed since.
            ConfigError: what is stored is damaged.
        """
        columns = [texts.c.provisions, texts.c.details, *([texts.c.text] if text is None else [])]
        found = self.database.row(sa.select(*columns).where(texts.c.regulation_id == row.id))
        if found is None:
            raise not_held(row.id)
        with _readable(row):
            details = {"pictures": [], **unpack_json(found.details)}  # texts of older programs were stored without
            return Regulation(
                text=found.text if text is None else text,
                provisions=unpack_provisions(found.provisions),
                **{name: decode(kind, details[name]) for name, kind in DETAILS.items()},
                **{name: getattr(row, name) for name in (*SAME, *PACKED)},
            )

    def body(self, row: RegulationRow) -> RegulationBody:
        """Return the text and the chunk places of a row.

        Raises:
            NotFoundError: it was removed since.
            ConfigError: what is stored is damaged.
        """
        same = texts.c.regulation_id == chunks.c.regulation_id
        query = sa.select(texts.c.text, chunks).join_from(texts, chunks, same).where(texts.c.regulation_id == row.id)
        found = self.database.row(query)
        if found is None:
            raise not_held(row.id)
        with _readable(row):
            labels, above = json.loads(found.labels), json.loads(found.headings)
            return RegulationBody(row.id, row.first, found.text, unpack_spans(found.spans), tuple(labels), tuple(above))

    def spans(self, ids: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        """Return the (n, 2) chunk spans of every held regulation, or of some."""
        query = sa.select(chunks.c.regulation_id, chunks.c.spans)
        if ids is not None:
            query = query.where(chunks.c.regulation_id.in_(ids))
        return {regulation_id: unpack_spans(blob) for regulation_id, blob in self.database.rows(query)}

    def vector_count(self) -> int:
        """Return how many rows :meth:`vectors` yields in all, by their sizes."""
        size = sa.func.sum(sa.func.length(vectors.c.rows) // (vectors.c.dim * VECTORS.itemsize))
        query = sa.select(size).join_from(regulations, vectors, self._is_ours(regulations.c.id))
        return int(self.database.value(query) or 0)

    def vectors(self, ids: Sequence[str] | None = None) -> Iterator[tuple[int, np.ndarray]]:
        """Yield (first chunk number, rows) of the library's embedder, in order of storing; of all, or of some ids."""
        query = (
            sa.select(regulations.c.first, vectors.c.dim, vectors.c.rows)
            .join_from(regulations, vectors, self._is_ours(regulations.c.id))
            .order_by(regulations.c.first)
        )
        if ids is not None:
            query = query.where(regulations.c.id.in_(ids))
        with self.database.read() as connection:
            for first, dim, blob in connection.execution_options(yield_per=STREAMED).execute(query):
                yield first, unpack_vectors(blob, dim)

    def feature_notes(self, row: RegulationRow, ranker: str) -> PackedPieces | None:
        """Return what a ranker noted of each chunk of a row, None when it noted nothing.

        Raises:
            ConfigError: what is stored is damaged.
        """
        mine = sa.and_(feature_notes.c.regulation_id == row.id, feature_notes.c.ranker == ranker)
        blob = self.database.value(sa.select(feature_notes.c.pieces).where(mine))
        if blob is None:
            return None
        with _readable(row):
            return PackedPieces(blob)

    def feature_note_counts(self) -> Iterator[tuple[str, str, int | None]]:
        """Yield (regulation id, ranker, chunks noted) of everything rankers noted; None for what is damaged."""
        with self.database.read() as connection:
            query = sa.select(feature_notes.c.regulation_id, feature_notes.c.ranker, feature_notes.c.pieces)
            for regulation_id, ranker, blob in connection.execute(query):
                try:
                    yield regulation_id, ranker, len(PackedPieces(blob))
                except ValueError:
                    yield regulation_id, ranker, None

    def without_feature_notes(self, ranker: str) -> list[str]:
        """Return the ids of regulations of which a ranker noted nothing, or nothing that can be read."""
        sound = {(regulation_id, count) for regulation_id, by, count in self.feature_note_counts() if by == ranker}
        every = self.database.rows(sa.select(regulations.c.id, regulations.c.count).order_by(regulations.c.first))
        return [regulation_id for regulation_id, count in every if (regulation_id, count) not in sound]

    def held(self, fingerprint: str) -> list[str]:
        """Return the ids of the regulations stored under a fingerprint."""
        return self.database.values(sa.select(regulations.c.id).where(regulations.c.fingerprint == fingerprint))

    def mentioning(self, words: str) -> frozenset[str]:
        """Return the ids of the texts that hold some words."""
        query = sa.select(texts.c.regulation_id).where(self.database.dialect.holds(texts.c.text, words))
        return frozenset(self.database.values(query))

    def names_of(self, sha256: str) -> list[str]:
        """Return the file names under which regulations of these bytes are held."""
        return self.database.values(sa.select(regulations.c.file).where(regulations.c.sha256 == sha256).distinct())

    def fingerprint(self, regulation_id: str) -> str:
        """Return the fingerprint a regulation is stored under."""
        query = sa.select(regulations.c.fingerprint).where(regulations.c.id == regulation_id)
        found = self.database.value(query)
        if found is None:
            raise not_held(regulation_id)
        return str(found)

    # --- writing

    def store(
        self,
        entries: Sequence[StoredEntry],
        raw: RawDocument,
        fingerprint: str,
        replaced: Sequence[str],
        by: Arrival | Revision,
    ) -> None:
        """Store a file's regulations in place of ``replaced``, all or nothing; the raw bytes are on disk already.

        ``by`` is who brought it and through which corpora, or a revision of facts, which is logged as such with its old
        and new values.
        """
        with self.database.write() as connection:
            originals.record(connection, raw)
            earlier = originals.sources_of(connection, replaced)
            self._delete(connection, replaced)
            number = self._reserve(connection, sum(len(entry.chunks) for entry in entries))
            for entry in entries:
                self._insert(connection, entry, number, fingerprint)
                number += len(entry.chunks)
            originals.keep_sources(connection, [entry.regulation for entry in entries], raw, earlier)
            connection.execute(
                failures.update()
                .where(failures.c.sha256 == raw.sha256, failures.c.name == raw.name, failures.c.state == "open")
                .values(state="done")
            )
            ids = [entry.regulation.id for entry in entries]
            through = by.corpora if isinstance(by, Arrival) else None
            membership.settle(connection, ids, replaced, through, by.user)
            proposals.settle(connection, {e.regulation.id: e.regulation.text for e in entries}, replaced)
            chain.seal(connection, "regulation", *ids, *(gone for gone in replaced if gone not in ids))
            _log(connection, entries, raw, replaced, by)

    def add_vectors(self, row: RegulationRow, rows: np.ndarray) -> None:
        """Store the vectors of a regulation that had none of this embedder."""
        check_vectors(rows, row.count, self.dim)
        with self.database.write() as connection:
            connection.execute(vectors.delete().where(self._is_ours(row.id)))
            self._insert_vectors(connection, row.id, rows)
            history.record(connection, "embedded", row.id, row.first, row.count)

    def add_feature_notes(self, row: RegulationRow, made: FeatureNotes) -> None:
        """Store what a ranker noted of a held regulation; what rankers noted that are no longer used goes."""
        with self.database.write() as connection:
            held = sa.select(regulations.c.id).where(regulations.c.id == row.id, regulations.c.first == row.first)
            if connection.execute(held).scalar() is None:  # removed or replaced meanwhile
                return
            connection.execute(feature_notes.delete().where(feature_notes.c.regulation_id == row.id))
            _insert_feature_notes(connection, row.id, made)

    def remove(self, regulation_id: str, user: str | None) -> None:
        """Remove a regulation and the rows of raw files that nothing else needs."""
        with self.database.write() as connection:
            found = connection.execute(sa.select(regulations).where(regulations.c.id == regulation_id)).one_or_none()
            if found is None:
                raise not_held(regulation_id)
            unneeded = originals.needed_only_by(connection, regulation_id)
            self._delete(connection, [regulation_id])
            membership.forget(connection, [regulation_id])
            proposals.settle(connection, {}, [regulation_id])
            originals.forget(connection, unneeded)
            chain.seal(connection, "regulation", regulation_id)
            audit.append(connection, "remove", regulation_id, {"title": found.title, "file": found.file}, user)

    def _delete(self, connection: sa.Connection, ids: Sequence[str]) -> None:
        which = regulations.c.id.in_(ids)
        query = sa.select(regulations.c.id, regulations.c.first, regulations.c.count).where(which)
        for regulation_id, first, count in connection.execute(query).all():
            history.record(connection, "removed", regulation_id, first, count)
        connection.execute(regulations.delete().where(which))

    def _insert(self, connection: sa.Connection, entry: StoredEntry, first: int, fingerprint: str) -> None:
        regulation, pieces = entry.regulation, entry.chunks
        change = history.record(connection, "stored", regulation.id, first, len(pieces))
        placed = {"first": first, "count": len(pieces), "change": change, "fingerprint": fingerprint}
        connection.execute(regulations.insert().values(**placed, **_light(regulation)))
        details = {name: encode(getattr(regulation, name)) for name in DETAILS}
        connection.execute(
            texts.insert().values(
                regulation_id=regulation.id,
                text=regulation.text,
                provisions=pack_provisions(regulation.provisions),
                details=pack_json(details),
            )
        )
        connection.execute(
            chunks.insert().values(
                regulation_id=regulation.id,
                spans=pack_spans([piece.span for piece in pieces]),
                labels=_compact([piece.label for piece in pieces]),
                headings=_compact([headings(regulation, piece.span) for piece in pieces]),
            )
        )
        if entry.vectors is not None:
            self._insert_vectors(connection, regulation.id, entry.vectors)
        if entry.feature_notes is not None:
            _insert_feature_notes(connection, regulation.id, entry.feature_notes)
        if entry.edges is not None:
            edges.insert(connection, regulation.id, entry.edges)

    def _insert_vectors(self, connection: sa.Connection, regulation_id: str, rows: np.ndarray) -> None:
        values = {"embedder": self.embedder, "dim": self.dim, "rows": pack_vectors(rows)}
        connection.execute(vectors.insert().values(regulation_id=regulation_id, **values))

    def _reserve(self, connection: sa.Connection, count: int) -> int:
        """Return the first of ``count`` chunk numbers that were never used."""
        number = int(noted(connection, NEXT_NUMBER) or 1)
        note(connection, NEXT_NUMBER, str(number + count))
        return number


def _insert_feature_notes(connection: sa.Connection, regulation_id: str, made: FeatureNotes) -> None:
    values = {"ranker": made.ranker, "pieces": pack_pieces(made.pieces)}
    connection.execute(feature_notes.insert().values(regulation_id=regulation_id, **values))


def _log(
    connection: sa.Connection,
    entries: Sequence[StoredEntry],
    raw: RawDocument,
    replaced: Sequence[str],
    by: Arrival | Revision,
) -> None:
    if isinstance(by, Revision):
        title = next(e.regulation.title for e in entries if e.regulation.id == by.regulation_id)
        detail = {"title": title, "file": raw.name, "reason": by.reason, "changes": dict(by.changes)}
        audit.append(connection, "edit", by.regulation_id, detail, by.user)
        return
    ids = [entry.regulation.id for entry in entries]
    audit.append(
        connection, "store", raw.sha256, {"file": raw.name, "regulations": ids, "replaced": list(replaced)}, by.user
    )


def not_held(regulation_id: str) -> NotFoundError:
    """Return the error for an id that is not in the library."""
    return NotFoundError(f"资料库中没有编号为 {regulation_id} 的法规，它可能已被删除或替换。请在“法规库”中重新查找。")


@contextmanager
def _readable(row: RegulationRow) -> Iterator[None]:
    """Turn a damaged blob into a ConfigError that names the regulation."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ConfigError(
            f"《{row.title}》的存储内容已损坏，无法读取（{error}）。请从备份恢复资料库，或删除后重新上传该文件。"
        ) from error


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


SAME = (
    *("id", "title", "short_title", "document_number", "issuer", "level", "province", "doc_class", "nature"),
    *("version_date", "url", "file", "sha256", "parser", "ocr_confidence"),
)
"""Fields of a regulation that are columns by the same name."""

PACKED: Mapping[str, Any] = {"assets": tuple[str, ...], "validity": Validity, "relations": tuple[Relation, ...]}
"""Light fields kept as JSON, with their types."""


def _light(regulation: Regulation) -> dict[str, Any]:
    """Return the light columns of a regulation."""
    return {
        **{name: getattr(regulation, name) for name in SAME},
        **{name: _compact(encode(getattr(regulation, name))) for name in PACKED},
        "characters": len(regulation.text),
        "articles": len(regulation.articles()),
        "pages": len(regulation.pages),
        "faults": len(regulation.faults),
        "text_sha256": text_hash(regulation.text),
        "stored_at": now(),
    }


def _row(values: sa.RowMapping) -> RegulationRow:
    packed = {name: decode(kind, json.loads(values[name])) for name, kind in PACKED.items()}
    heads = {_FIRST_ORDER.match(label) for label in json.loads(values["points"] or "[]")}
    points = len({head[0] for head in heads if head})
    return RegulationRow(**{**dict(values), **packed, "embedded": bool(values["embedded"]), "points": points})


_FIRST_ORDER = re.compile(r"[^tx.-][^.-]*")
"""Of a label the number of its point of the first order; what stands outside all points (t) and in annexes (x) has none."""
