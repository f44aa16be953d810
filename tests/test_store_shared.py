"""One library, several processes: PostgreSQL as catalogue, each process with indexes of its own.

What a single owner promises holds here too: nothing is lost, nothing is doubled, what was removed never comes again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from nemo.errors import ConfigError
from nemo.store.catalogue.schema import jobs
from nemo.store.library import Library
from nemo.store.records.jobs import LEASE, JobState
from nemo.types import Filters
from tests.jobs_samples import raw
from tests.postgres_server import DatabaseServer
from tests.store_samples import fill, opened, put, raw_of, regulation, vector_of


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DatabaseServer]:
    made = DatabaseServer(tmp_path_factory.mktemp("postgres"))
    yield made
    made.close()


@pytest.fixture
def url(server: DatabaseServer) -> str:
    return server.new_database()


@pytest.fixture
def pair(tmp_path: Path, url: str) -> Iterator[tuple[Library, Library]]:
    """Two that have one library open."""
    with opened(tmp_path / "library", database=url) as one, opened(tmp_path / "library", database=url) as other:
        yield one, other


def titles(library: Library) -> set[str]:
    library.follow()
    return {row.title for row in library.rows()}


def test_what_one_stores_the_other_finds(pair: tuple[Library, Library]) -> None:
    one, other = pair
    made = fill(one, 5)
    assert titles(other) == {each.title for each in made}
    text = made[2].text[made[2].provisions[0].children[0].span.start :][:30]
    other.flush()
    for library in pair:
        assert library.regulation(made[2].id).text == made[2].text
        words = made[2].provisions[0].children[0].span.of(made[2].text)
        assert library.dense(vector_of(words), 1, Filters(day=dt.date(2024, 1, 1)))[0][0].startswith(made[2].id), text
    assert one.verify() == [] == other.verify()


def test_what_one_removes_the_other_never_returns(pair: tuple[Library, Library]) -> None:
    one, other = pair
    made = fill(one, 3)
    other.follow()
    other.remove(made[0].id)
    one.follow()
    assert not one.holds(made[0].id)
    assert all(not found.startswith(made[0].id) for found, _ in one.dense(vector_of("x"), 50, Filters()))
