"""A catalogue moves to PostgreSQL and back: the same rows, the same chain, the same answers; otherwise nothing changes hands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from nemo.cli import main
from nemo.errors import ConfigError
from nemo.export.schemas import library as schema_library
from nemo.settings import Settings
from nemo.store import transfer
from nemo.store.catalogue.database import Database, sqlite_url
from nemo.store.catalogue.schema import regulations
from tests.postgres_server import DatabaseServer
from tests.security.served import QUESTION, TEXT
from tests.store_samples import fill, opened, put, regulation, settings_for


def unchecked(_: Settings) -> None:
    """Take what was moved as it is."""


@pytest.fixture
def url(postgres: DatabaseServer) -> str:
    return postgres.new_database()


@pytest.fixture
def pair(tmp_path: Path, url: str) -> Iterator[tuple[Database, Database]]:
    """A filled catalogue in SQLite and an empty one in PostgreSQL."""
    with opened(tmp_path / "library") as library:
        fill(library, 4)
    made = Database(tmp_path, sqlite_url(tmp_path / "library" / "catalogue.sqlite")), Database(tmp_path, url)
    yield made
    for database in made:
        database.close()


def test_every_row_arrives_and_what_comes_next_goes_on_counting(tmp_path: Path, url: str) -> None:
    with opened(tmp_path / "library") as library:
        made = fill(library, 4)
        library.remove(made[0].id)
        head, rows = library.chain_head(), library.rows()
    done = transfer.migrate(settings_for(tmp_path / "library"), url, unchecked)
    assert done.rows["regulations"] == 3 and done.rows["changes"] == 5
    with opened(tmp_path / "library", database=url) as library:
        assert library.rows() == rows
        found = library.chain_head()
        assert head is not None and found is not None and (found.number, found.hash) == (head.number, head.hash)
        put(library, regulation(30))
        assert library.verify() == []
    back = transfer.migrate(settings_for(tmp_path / "library", database=url), transfer.HERE, unchecked)
    assert back.rows["changes"] == 6
    with opened(tmp_path / "library") as library:
        put(library, regulation(31))
        assert library.verify() == [] and len(library.rows()) == 5


def test_the_file_that_was_the_catalogue_is_kept_and_is_no_library(tmp_path: Path, url: str) -> None:
    with opened(tmp_path / "library") as library:
        fill(library, 1)
    transfer.migrate(settings_for(tmp_path / "library"), url, unchecked)
    assert len(list((tmp_path / "library").glob("catalogue.sqlite.moved-*"))) == 1
    with pytest.raises(ConfigError, match="不见了") as refused:
        opened(tmp_path / "library")
    assert "moved-" in refused.value.tips[0] and "NEMO_DATABASE" in refused.value.tips[0]


def test_a_row_that_changes_on_the_way_is_noticed(
    pair: tuple[Database, Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = pair
    read, calls = target.read, []

    def meddled() -> Any:
        if not calls:
            calls.append(1)
            with target.write() as connection:
                connection.execute(regulations.update().values(title="另一个名称"))
        return read()

    monkeypatch.setattr(target, "read", meddled)
    with pytest.raises(ConfigError, match="regulations"):
        transfer.copy(source, target)


def test_a_database_that_holds_something_else_is_not_written(pair: tuple[Database, Database]) -> None:
    source, target = pair
    done = transfer.copy(source, target)
    assert transfer.copy(source, target) == done, "what arrived already is compared alone"
    with target.write() as connection:
        connection.execute(regulations.update().values(title="另一个名称"))
    with pytest.raises(ConfigError, match="已有内容"):
        transfer.copy(source, target)


class Interrupted(BaseException):
    """A power cut, as far as one process can make it."""


def interrupted(*_: object) -> NoReturn:
    raise Interrupted


@pytest.mark.parametrize("moment", ["copying", "comparing", "checking"])
def test_an_interrupted_move_leaves_the_library_and_goes_on_when_called_again(
    tmp_path: Path, url: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    here = settings_for(tmp_path / "library")
    with opened(tmp_path / "library") as library:
        fill(library, 2)
        rows = library.rows()
    served = settings_for(tmp_path / "library", database=url)
    for given, to, place in ((here, url, {"database": url}), (served, transfer.HERE, {})):
        with monkeypatch.context() as changed:
            if moment != "checking":
                changed.setattr(transfer, "count_on" if moment == "copying" else "note", interrupted)
            with pytest.raises(Interrupted):
                transfer.migrate(given, to, interrupted)
        with opened(tmp_path / "library", **({} if given is here else {"database": url})) as library:
            assert library.rows() == rows and library.verify() == []
        transfer.migrate(given, to, unchecked)
        with opened(tmp_path / "library", **place) as library:
            assert library.rows() == rows and library.verify() == []


def test_nothing_moves_while_somebody_has_it_open(tmp_path: Path, url: str) -> None:
    with opened(tmp_path / "library", database=url) as library:
        fill(library, 1)
        with pytest.raises(ConfigError, match="连接打开着"):
            transfer.migrate(settings_for(tmp_path / "library", database=url), transfer.HERE, unchecked)


def test_a_backup_of_a_shared_library_is_restored_as_a_folder(tmp_path: Path, url: str) -> None:
    from nemo.store.files import backup

    with opened(tmp_path / "library", database=url) as library:
        fill(library, 3)
        rows = library.rows()
        library.backup(tmp_path / "backup.zip")
    backup.restore(tmp_path / "backup.zip", tmp_path / "again")
    with opened(tmp_path / "again") as library:
        assert library.rows() == rows and library.verify() == []


def test_the_command_asks_on_both_sides(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEMO_WORKERS", "0")
    (tmp_path / "办法.md").write_text(TEXT, "utf-8")
    library = ("--library", str(tmp_path / "library"), "--json")

    def told(*arguments: str) -> Any:
        capsys.readouterr()
        assert main([*arguments, *library]) == 0
        return json.loads(capsys.readouterr().out)

    told("ingest", str(tmp_path / "办法.md"))
    before = told("ask", QUESTION)
    moved = told("migrate-library", "--to", url)
    schema_library.TransferForm.model_validate(moved, strict=True)
    assert moved["ok"] is True and moved["questions"] == 2 and moved["rows"]["answers"] == 1
    monkeypatch.setenv("NEMO_DATABASE", url)
    assert told("ask", QUESTION)["answer_zh"] == before["answer_zh"]
    told("migrate-library", "--to", "sqlite")
    monkeypatch.delenv("NEMO_DATABASE")
    assert told("ask", QUESTION)["answer_zh"] == before["answer_zh"]
