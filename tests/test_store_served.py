"""Indexes of vectors that a server keeps: brought up by whoever is first, searched by all, built anew when they are lost."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from nemo.errors import ConfigError
from nemo.store.catalogue.schema import SERVED_VECTORS, meta
from nemo.store.library import Library
from nemo.store.search.approximate.milvus import MilvusIndex
from nemo.types import Filters
from tests.postgres_server import DatabaseServer
from tests.store_samples import DIM, fill, opened, put, regulation, settings_for, vector_of

ANY = Filters()
STORES = ["pgvector", "milvus"]


@pytest.fixture(params=STORES)
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """pgvector beside a shared catalogue, Milvus beside the SQLite file: exact search is never wide enough here."""
    common = {"vector_store": request.param, "exact_rows": 0}
    if request.param == "milvus":
        return {**common, "milvus": str(tmp_path / "milvus.db")}
    server: DatabaseServer = request.getfixturevalue("postgres")
    return {**common, "database": server.new_database()}


@pytest.fixture
def library(tmp_path: Path, settings: dict[str, Any]) -> Iterator[Library]:
    with opened(tmp_path / "library", **settings) as made:
        yield made


def asked(library: Library, words: str = "问", k: int = 5) -> tuple[dict[str, float], str]:
    found = library.by_meaning(vector_of(words), k, ANY)
    return {str(library.view.chunk_id(number)): score for number, score in found}, library._indexes.dense.answered


def agrees(library: Library, store: str) -> None:
    """What the server finds is what the exact product finds, to the last digit of a cosine, once it is brought up: another
    thread may be at it.
    """
    for _ in range(1800):
        if asked(library)[1] == store:
            break
        time.sleep(0.1)
        library.flush()
    for words in ("问", "答", "哪里"):
        found, store_used = asked(library, words)
        exact = library._indexes.dense.exact.search(vector_of(words), 5, library.facets.allowed(ANY))[:5]
        assert store_used == store
        assert list(found.items()) == [(library._view.chunk_id(number), score) for number, score in exact]


def test_the_server_answers_as_the_exact_product_does(library: Library, settings: dict[str, Any]) -> None:
    made = fill(library, 6)
    agrees(library, settings["vector_store"])
    library.remove(made[0].id)
    agrees(library, settings["vector_store"])
    assert not any(chunk.startswith(made[0].id) for chunk in asked(library, k=100)[0])
    assert library.verify() == []


def test_until_the_server_is_up_to_date_the_exact_product_answers(library: Library, settings: dict[str, Any]) -> None:
    if library._follower is not None:
        library._follower.close()
    fill(library, 2)
    put(library, regulation(9))
    assert asked(library)[1] == "exact"
    with library._indexes.dense.approximate._working:  # type: ignore[attr-defined]
        found = library.inspect()
    assert found.differences == [] and [each for each in found.unchecked if "正在建立" in each], (
        "half an index is no damage"
    )
    agrees(library, settings["vector_store"])


def test_it_is_found_again_at_the_next_start(tmp_path: Path, settings: dict[str, Any]) -> None:
    with opened(tmp_path / "library", **settings) as library:
        fill(library, 3)
        place = library._indexes.dense.approximate._place  # type: ignore[attr-defined]
    with opened(tmp_path / "library", **settings) as library:
        library.flush()
        agrees(library, settings["vector_store"])
        assert library._indexes.dense.approximate._place == place  # type: ignore[attr-defined]


def test_one_that_the_server_lost_is_built_anew(tmp_path: Path, settings: dict[str, Any]) -> None:
    with opened(tmp_path / "library", **settings) as library:
        fill(library, 3)
        library._indexes.dense.approximate._store.drop()  # type: ignore[attr-defined]
    with opened(tmp_path / "library", **settings) as library:
        library.flush()
        agrees(library, settings["vector_store"])
        assert library.verify() == []


def test_another_embedder_gets_an_index_of_its_own(tmp_path: Path, settings: dict[str, Any]) -> None:
    with opened(tmp_path / "library", **settings) as library:
        fill(library, 3)
        agrees(library, settings["vector_store"])
        place = library._indexes.dense.approximate._place  # type: ignore[attr-defined]
    with Library.open(settings_for(tmp_path / "library", **settings), "other-16", DIM) as other:
        for _ in range(1800):
            other.flush()
            if own := other._indexes.dense.approximate._place:  # type: ignore[attr-defined]
                break
            time.sleep(0.1)
        assert own and own != place
        assert asked(other)[0] == {}


def test_rebuilding_leaves_one_index(library: Library, settings: dict[str, Any]) -> None:
    fill(library, 3)
    library.reindex()
    agrees(library, settings["vector_store"])


def test_two_processes_use_one_table(tmp_path: Path, postgres: DatabaseServer) -> None:
    shared = {"vector_store": "pgvector", "exact_rows": 0, "database": postgres.new_database()}
    with opened(tmp_path / "library", **shared) as one, opened(tmp_path / "library", **shared) as other:
        fill(one, 3)
        other.follow()
        other.flush()
        agrees(other, "pgvector")
        put(other, regulation(20))
        other.flush()
        one.follow()
        one.flush()
        agrees(one, "pgvector")
        with one.jobs._database.read() as connection:
            tables = [name for name in sa.inspect(connection).get_table_names() if name.startswith("nemo_vectors")]
        assert len(tables) == 1


def test_a_process_that_starts_uses_what_the_server_has(tmp_path: Path, postgres: DatabaseServer) -> None:
    shared = {"vector_store": "pgvector", "exact_rows": 0, "database": postgres.new_database()}
    with opened(tmp_path / "library", **shared) as one:
        fill(one, 3)
        with opened(tmp_path / "library", **shared) as other:
            other._keep_up(1)
            agrees(other, "pgvector")


def test_a_milvus_that_is_away_costs_no_answer(tmp_path: Path) -> None:
    away = {"vector_store": "milvus", "exact_rows": 0, "milvus": "http://127.0.0.1:9"}
    with opened(tmp_path / "library", **away) as library:
        fill(library, 2)
        found, store_used = asked(library)
        assert len(found) == 5 and store_used == "exact"
        assert {event.code for event in library.events} == {"vectors_failed"}


def test_a_copy_of_the_catalogue_does_not_use_the_index_of_the_original(tmp_path: Path) -> None:
    own = {"vector_store": "milvus", "exact_rows": 0, "milvus": str(tmp_path / "milvus.db")}
    with opened(tmp_path / "library", **own) as library:
        fill(library, 2)
        library.backup(tmp_path / "backup.zip")
        with library.jobs._database.read() as connection:
            assert connection.execute(sa.select(meta.c.value).where(meta.c.key == SERVED_VECTORS)).scalar()
    from nemo.store.files import backup

    backup.restore(tmp_path / "backup.zip", tmp_path / "copy")
    with opened(tmp_path / "copy") as library, library.jobs._database.read() as connection:
        assert connection.execute(sa.select(meta.c.value).where(meta.c.key == SERVED_VECTORS)).scalar() is None


MISSING = [
    ("Milvus without an address", {"vector_store": "milvus"}, "NEMO_MILVUS"),
    ("pgvector without PostgreSQL", {"vector_store": "pgvector"}, "NEMO_DATABASE"),
]


@pytest.mark.parametrize(("remark", "given", "told"), MISSING, ids=[m[0] for m in MISSING])
def test_a_store_without_its_address_is_told_at_the_start(
    tmp_path: Path, remark: str, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        opened(tmp_path / "library", **given)


def test_a_file_of_milvus_is_one_collection(tmp_path: Path) -> None:
    index = MilvusIndex(str(tmp_path / "m.db"), "a", DIM)
    assert MilvusIndex.exists(str(tmp_path / "m.db"), "a")
    index.drop()
    index.close()
    assert not MilvusIndex.exists(str(tmp_path / "m.db"), "a")
