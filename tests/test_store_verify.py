"""The integrity check finds every kind of damage, and names it; a sound library gives it nothing to say."""

import datetime as dt
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from store_samples import numbers_of

from nemo.store.catalogue.entry import FeatureNotes
from nemo.store.library import Library
from nemo.store.search.approximate import probe
from nemo.types import Answer, Confidence, Filters, Query, Quote
from tests.store_samples import chunks_of, entry, fill, opened, raw_of, regulation, unit_rows

DAY = dt.date(2026, 11, 20)
HELD = [regulation(seed) for seed in range(3)]


def sql(statement: str, *values: object) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        connection = sqlite3.connect(folder / "catalogue.sqlite")
        with connection:
            assert connection.execute(statement, values).rowcount == 1
        connection.close()

    return damage


def home(folder: Path) -> Path:
    return folder / "raw" / HELD[0].sha256[:2] / HELD[0].sha256


def change_raw(folder: Path) -> None:
    home(folder).write_bytes(home(folder).read_bytes() + b" ")


def lose_raw(folder: Path) -> None:
    home(folder).unlink()


def add_raw(folder: Path) -> None:
    (folder / "raw" / "ab").mkdir(exist_ok=True)
    (folder / "raw" / "ab" / ("ab" * 32)).write_bytes(b"x")


ID = HELD[0].id
DAMAGES: list[tuple[str, Callable[[Path], None], str, str]] = [
    (
        "a text changed",
        sql("UPDATE texts SET text=replace(text,'登记','登机') WHERE regulation_id=?", ID),
        "catalogue",
        ID,
    ),
    ("a text cut", sql("UPDATE texts SET text=substr(text,1,30) WHERE regulation_id=?", ID), "catalogue", ID),
    ("chunk places lost", sql("UPDATE chunks SET spans=substr(spans,1,8) WHERE regulation_id=?", ID), "catalogue", ID),
    ("chunk labels unreadable", sql("UPDATE chunks SET labels='[' WHERE regulation_id=?", ID), "catalogue", ID),
    ("structure unreadable", sql("UPDATE texts SET provisions=x'00' WHERE regulation_id=?", ID), "catalogue", ID),
    ("vectors cut", sql("UPDATE vectors SET rows=substr(rows,1,64) WHERE regulation_id=?", ID), "vectors", ID),
    ("vectors zero", sql("UPDATE vectors SET rows=zeroblob(256) WHERE regulation_id=?", ID), "vectors", ID),
    ("a raw file changed", change_raw, "raw", HELD[0].sha256),
    ("a raw file lost", lose_raw, "raw", HELD[0].sha256),
    ("a raw file nobody recorded", add_raw, "raw", "ab" * 32),
    ("an audit entry changed", sql("UPDATE audit SET action='other' WHERE number=2"), "audit", "2"),
    ("an audit entry deleted", sql("DELETE FROM audit WHERE number=3"), "audit", "3"),
    ("a stored quote changed", sql("UPDATE answers SET body=replace(body,'登记','登机')"), "answers", "t-1"),
]


@pytest.mark.parametrize(("remark", "damage", "place", "subject"), DAMAGES, ids=[d[0] for d in DAMAGES])
def test_damage_on_disk_is_found(
    tmp_path: Path, remark: str, damage: Callable[[Path], None], place: str, subject: str
) -> None:
    with opened(tmp_path) as library:
        fill(library, 3)
        quote = Quote.cut(HELD[1], chunks_of(HELD[1])[0].span, DAY)
        library.save_answer(Answer(Query("问", Filters()), DAY, (quote,), None, Confidence(1.0), "t-1"))
        assert library.verify() == []
    damage(tmp_path)
    with opened(tmp_path) as library:
        found = library.verify()
    assert (place, subject) in {(d.place, d.subject) for d in found}
    assert all(str(d).startswith(f"[{d.place}] {d.subject}：") for d in found)


def test_damaged_notes_of_a_ranker_are_found_and_made_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as library:
        for made in fill(library, 3):
            library.add_feature_notes(made.id, FeatureNotes("some-ranker", (b"note",) * 4))
        assert library.verify() == [] and library.without_feature_notes("some-ranker") == []
    sql("UPDATE sketches SET pieces=substr(pieces,1,9) WHERE regulation_id=?", ID)(tmp_path)
    with opened(tmp_path) as library:
        assert [(d.place, d.subject) for d in library.verify()] == [("sketches", ID)]
        assert library.without_feature_notes("some-ranker") == [ID]
        library.add_feature_notes(ID, FeatureNotes("some-ranker", (b"note",) * 4))
        assert library.verify() == [] and library.without_feature_notes("some-ranker") == []
        assert library.without_feature_notes("another") == [made.id for made in HELD]


def out_of_lexical(library: Library) -> None:
    index = library._indexes.lexical
    index.write([1], [], index.state)


def into_approximate(library: Library) -> None:
    library._indexes.dense.approximate._store.add(np.array([99]), unit_rows(1))  # type: ignore[union-attr]


def out_of_approximate(library: Library) -> None:
    library._indexes.dense.approximate._store.delete(numbers_of([(2, 1)]))  # type: ignore[union-attr]


INDEX_DAMAGES: list[tuple[str, Callable[[Library], None], str, str]] = [
    ("a text missing from the lexical index", out_of_lexical, "lexical", "缺少"),
    ("a chunk nobody holds in the approximate index", into_approximate, "approximate", "目录中没有"),
    ("a chunk missing from the approximate index", out_of_approximate, "approximate", "缺少"),
]


@pytest.mark.parametrize(("remark", "damage", "place", "words"), INDEX_DAMAGES, ids=[d[0] for d in INDEX_DAMAGES])
def test_damage_to_an_index_is_found(
    tmp_path: Path, remark: str, damage: Callable[[Library], None], place: str, words: str
) -> None:
    with opened(tmp_path, exact_rows=0) as library:
        fill(library, 3)
        assert library.verify() == []
        damage(library)
        found = library.verify()
        assert {difference.place for difference in found} == {place}
        assert words in found[0].message
        library.reindex()
        assert library.verify() == []


class Answers:
    """An index that answers with what it was given."""

    def __init__(self, *found: tuple[int, float]) -> None:
        self.found = list(found)

    def search(self, vector: np.ndarray, k: int) -> list[tuple[int, float]]:
        return self.found


@pytest.mark.parametrize(
    ("remark", "found", "lost"),
    [
        ("it finds itself", [(7, 1.0), (8, 0.9)], 0),
        ("it finds itself after its twin", [(8, 1.0), (7, 1.0)], 0),
        ("only its twin came up", [(8, 1.0), (9, 0.99)], 1),
        ("a crowd that it is not in", [(100 + n, 1.0) for n in range(60)], 1),
        ("nothing near it", [(8, 0.9), (9, 0.8)], 1),
        ("itself with another vector", [(8, 1.0), (7, 0.9)], 1),
        ("nothing at all", [], 1),
    ],
)
def test_a_chunk_is_found_by_its_vector(remark: str, found: list[tuple[int, float]], lost: int) -> None:
    assert probe.lost(Answers(*found), np.array([7]), unit_rows(1)) == lost, remark  # type: ignore[arg-type]


def test_a_library_of_equal_texts_is_sound(tmp_path: Path) -> None:
    with opened(tmp_path, exact_rows=0) as library:
        for seed in range(40):
            made = regulation(seed)
            twin = entry(made)
            same = np.repeat(unit_rows(1), len(twin.chunks), axis=0)
            library.commit([replace(twin, vectors=same)], raw_of(made.text, made.file), fingerprint=str(seed))
        assert library.verify() == []


def test_everything_is_counted(tmp_path: Path) -> None:
    with opened(tmp_path, exact_rows=0) as library:
        fill(library, 3)
        report = library.inspect()
    assert dict(report.checked) == {
        "法规": 3,
        "片段": 12,
        "向量": 12,
        "字面索引条目": 12,
        "近似索引条目": 12,
        "原始文件": 3,
        "审计记录": 3,
        "记录链": 7,
    }
    assert not report.unchecked


def test_a_crowd_of_likes_is_no_damage() -> None:
    """Of hundreds of chunks that are nearly one, a sound graph leads to some only; what stands apart must be found."""
    likes = unit_rows(1) + 0.01 * unit_rows(80, seed=3)
    likes = (likes / np.linalg.norm(likes, axis=1, keepdims=True)).astype(np.float32)
    apart = unit_rows(1, seed=9)
    numbers, vectors = np.arange(81), np.concatenate([likes, apart])
    assert probe.lost(Answers((999, 0.5)), numbers, vectors) == 1  # type: ignore[arg-type]
