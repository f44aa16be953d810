"""Invented regulations for the store tests: small, distinct, and quick to make."""

import datetime as dt
import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from nemo.settings import Settings, load
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.catalogue.graph_tables import metadata
from nemo.store.library import Library
from nemo.store.search.number_sets import ChunkNumbers
from nemo.types import Chunk, Level, Provision, RawDocument, Regulation, Span, Validity

DIM = 16
EMBEDDER = "test-16"

SUBJECTS = ("风车检修", "光板清洗", "煤场洒水", "储罐巡检", "线路除冰", "电表校验", "护栏刷漆", "道路养护")
PLACES = ("青石镇", "白鹭洲", "落霞岭", "望海屯", "三棵树", "金沙渡", "老君台", "杏花沟")


def numbers_of(ranges: Sequence[tuple[int, int]]) -> ChunkNumbers:
    """Return the set made of (first, count) pairs, given in rising order."""
    pairs = np.array(ranges, np.int64).reshape(-1, 2)
    return ChunkNumbers(pairs[:, 0], pairs[:, 1])


def settings_for(folder: Path, **more: object) -> Settings:
    return load(library=folder, **more)


def opened(folder: Path, **more: object) -> Library:
    """Open a library for 16-dimensional vectors."""
    return Library.open(settings_for(folder, **more), EMBEDDER, DIM)


FIRST_TABLES = {
    "alembic_version", "meta", "raw_files", "regulations", "sources", "texts", "chunks", "vectors", "changes", "audit", "failures",
    "answers",
}  # fmt: skip


def of_the_first_version(folder: Path) -> Path:
    """Make an empty library as the first version made it, with the tables it had; return its catalogue."""
    path = folder / "catalogue.sqlite"
    opened(folder).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        later = {name for name in metadata.tables if name not in FIRST_TABLES}
        for statement in (*(f'DROP TABLE "{name}"' for name in later), "ALTER TABLE answers DROP COLUMN filters"):
            connection.execute(statement)
        connection.execute("DELETE FROM meta WHERE key LIKE 'newest_%'")
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    return path


def regulation(seed: int, articles: int = 4, *, edition: int = 0, **fields: object) -> Regulation:
    """Make a regulation of ``articles`` articles in two chapters; another seed or edition gives other words."""
    subject, place = SUBJECTS[seed % 8], PLACES[seed // 8 % 8]
    title = str(fields.pop("title", f"{place}{subject}规定之{seed}"))
    text = f"{title}\n"
    nodes: list[list[Provision]] = [[], []]
    for n in range(1, articles + 1):
        start = len(text)
        text += f"第{n}条 {place}的{subject}每{seed % 30 + n}日一次，第{edition}版编号{seed}之{n}，由值班员登记。\n"
        half = 0 if n <= articles // 2 else 1
        span = Span(start, len(text) - 1)
        nodes[half].append(Provision(Level.ARTICLE, f"第{n}条", str(n), "", span, (), f"第{half + 1}章", f"第{n}条"))
    chapters = tuple(
        Provision(
            Level.CHAPTER,
            f"第{i}章",
            f"c{i}",
            ("总则", "检查")[i - 1],
            Span(inside[0].span.start, inside[-1].span.end),
            tuple(inside),
            "",
            f"第{i}章",
        )
        for i, inside in enumerate(nodes, 1)
        if inside
    )
    values: dict[str, object] = {
        "id": hashlib.sha256(text.encode()).hexdigest()[:16],
        "file": f"{title}.txt",
        "validity": Validity(version_effective=dt.date(2020, 1, 1)),
        "short_title": title,
        "level": "地方政府规章",
        **fields,
    }
    raw = raw_of(text, str(values["file"]))
    return Regulation(title=title, text=text, provisions=chapters, sha256=raw.sha256, **values)  # type: ignore[arg-type]


def raw_of(text: str, name: str) -> RawDocument:
    return RawDocument.of(text.encode(), name)


def chunks_of(made: Regulation) -> list[Chunk]:
    articles = [p for p in made.walk() if p.level is Level.ARTICLE]
    return [Chunk(Chunk.id_of(made.id, p.span), made.id, p.label, p.span, p.span.of(made.text)) for p in articles]


def vector_of(text: str) -> np.ndarray:
    """A unit vector that depends on the text alone."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).normal(size=DIM)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def entry(made: Regulation) -> StoredEntry:
    pieces = chunks_of(made)
    return StoredEntry(made, pieces, np.stack([vector_of(piece.text) for piece in pieces]))


def put(library: Library, made: Regulation) -> list[str]:
    """Commit one regulation as a file of its own; return what it replaced."""
    return library.commit([entry(made)], raw_of(made.text, made.file), fingerprint=f"mark-{made.id}")


def fill(library: Library, count: int, articles: int = 4) -> list[Regulation]:
    """Commit ``count`` regulations and flush."""
    made = [regulation(seed, articles) for seed in range(count)]
    for each in made:
        put(library, each)
    library.flush()
    return made


def unit_rows(count: int, dim: int = DIM, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def ids(found: Sequence[tuple[str, float]]) -> list[str]:
    return [chunk_id for chunk_id, _ in found]
