"""A library that tells the truth about itself: what is missing, garbled or not written is said, never passed over."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from nemo.cli import main
from nemo.errors import ConfigError, NotFoundError
from nemo.store.files import backup as backups
from nemo.store.library import READ_ONLY, Library
from nemo.types import Filters
from tests.export_samples import answer
from tests.page_library import copied
from tests.store_samples import DIM, EMBEDDER, fill, opened, put, regulation, settings_for, vector_of

ROOT = Path(__file__).resolve().parent.parent


def looking(folder: Path) -> Library:
    return Library.open(settings_for(folder), EMBEDDER, DIM, read_only=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed library of three regulations with both indexes, and a backup of it."""
    folder = tmp_path_factory.mktemp("truth")
    with opened(folder / "lib") as library:
        fill(library, 3)
        library.backup(folder / "backup.zip")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(made / "lib", tmp_path / "lib")
    yield tmp_path / "lib"


def state(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


# --- the catalogue is gone


@pytest.mark.parametrize("left", ["raw", "lexical", "chroma"])
def test_a_lost_catalogue_is_no_empty_library(folder: Path, left: str) -> None:
    (folder / "catalogue.sqlite").unlink()
    for other in {"raw", "lexical", "chroma"} - {left}:
        shutil.rmtree(folder / other)
    before = state(folder)
    for read_only in (False, True):
        with pytest.raises(ConfigError, match="不见了") as caught:
            Library.open(settings_for(folder), EMBEDDER, DIM, read_only=read_only)
        assert "restore" in caught.value.tips[0] and "ingest" in caught.value.tips[1]
    assert state(folder) == before


def test_an_emptied_catalogue_is_a_lost_one(folder: Path) -> None:
    (folder / "catalogue.sqlite").write_bytes(b"")
    with pytest.raises(ConfigError, match="不见了"):
        opened(folder)


@pytest.mark.parametrize("command", [["list"], ["ask", "多久检修一次？"], ["verify"]])
def test_no_command_takes_a_lost_catalogue_for_an_empty_one(
    folder: Path, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "catalogue.sqlite").unlink()
    assert main([*command, "--library", str(folder)]) == ConfigError.exit_code
    told = capsys.readouterr().err
    assert "restore" in told and "重新入库" in told


def test_verifying_what_is_no_library_creates_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--library", str(tmp_path / "typo")]) == NotFoundError.exit_code
    assert "没有资料库" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# --- looking only


def test_looking_changes_no_byte_and_finds_everything(folder: Path) -> None:
    before = state(folder)
    with looking(folder) as library:
        assert library.verify() == []
        body = library.regulation(library.rows()[0].id)
        assert library.lexical(["由"], 5, Filters()) is not None
        assert library.dense(vector_of(body.text[:5]), 3, Filters())
        for write in (lambda: put(library, regulation(9)), lambda: library.note("a", "b", {}), library.reindex):
            with pytest.raises(ConfigError, match="只读"):
                write()
    assert state(folder) == before


def test_verifying_beside_the_owner(folder: Path) -> None:
    """The owner goes on writing; what it has not put into the indexes yet is counted, not called a difference."""
    with opened(folder) as owner:
        put(owner, regulation(7))
        with looking(folder) as library:
            assert len(library.rows()) == 4
            found = library.inspect()
        assert found.differences == []
        put(owner, regulation(8))
        assert owner.verify() == []


def garbled(path: Path, part: float) -> None:
    """Overwrite a page in the middle, keeping the size."""
    content = bytearray(path.read_bytes())
    at = int(len(content) * part) // 4096 * 4096
    content[at : at + 4096] = b"\x5a" * 4096
    path.write_bytes(bytes(content))


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_a_garbled_vector_database_fails(folder: Path, part: float) -> None:
    garbled(folder / "chroma" / "chroma.sqlite3", part)
    before = state(folder)
    with looking(folder) as library:
        assert [d.place for d in library.verify()] == ["approximate"]
    assert state(folder) == before


def test_a_garbled_lexical_index_fails(folder: Path) -> None:
    (folder / "lexical" / "meta.json").write_bytes(b"{")
    with looking(folder) as library:
        assert [d.place for d in library.verify()] == ["lexical"]
        assert any("字面索引" in told for told in library.shortfalls)


# --- a restore that was cut short


def restore_killed_after(folder: Path, file: Path, members: int) -> None:
    """Restore in a process of its own that kills itself before it writes the next member."""
    program = f"""
    import os, signal, sys
    from pathlib import Path
    from nemo.store.files import backup
    real, done = backup._extract, []
    def extract(*given):
        if len(done) == {members}:
            os.kill(os.getpid(), signal.SIGKILL)
        done.append(real(*given))
    backup._extract = extract
    backup.restore(Path(sys.argv[1]), Path(sys.argv[2]))
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(file), str(folder)]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL


@pytest.mark.parametrize("members", [0, 1, 3])
def test_a_restore_cut_half_way_continues(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, members: int
) -> None:
    new, written = tmp_path / "new", []
    restore_killed_after(new, made / "backup.zip", members)
    restore_killed_after(new, made / "backup.zip", 0)  # and once more at the same point
    with pytest.raises(ConfigError, match="接着"):
        opened(new)
    real = backups._extract
    monkeypatch.setattr(backups, "_extract", lambda *given: (written.append(given[1]), real(*given)))
    backups.restore(made / "backup.zip", new)
    assert len(written) == 4 - members  # the catalogue and three files, without those that were there already
    with opened(new) as library:
        assert library.verify() == []


def test_a_restore_cut_before_its_indexes_were_built_continues(made: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    backups.restore(made / "backup.zip", new)
    (new / "lexical").mkdir()
    (new / "lexical" / "half").write_bytes(b"x")  # killed while the library was opened for the first time
    backups.restore(made / "backup.zip", new)
    with opened(new) as library:
        assert library.verify() == []
    with pytest.raises(ConfigError.__mro__[1], match="不是空的"):  # it is over: now it is somebody's library
        backups.restore(made / "backup.zip", new)


# --- disks that take nothing


def _closed_to_others(path: Path) -> bool:
    return any(not each.stat().st_mode & 0o001 for each in [path, *path.parents])


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory(prefix="nemo-truth-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.name != "posix", reason="rights are another matter there")
@pytest.mark.skipif(
    os.name == "posix" and os.getuid() == 0 and _closed_to_others(ROOT), reason="nobody may read the code"
)
def test_asking_goes_on_where_nothing_can_be_written(demonstration: Path, open_folder: Path) -> None:
    """A process without the right to write anywhere in the folder, whatever user runs the tests."""
    folder = open_folder / "lib"
    program = """
    import os, sys, tempfile
    from pathlib import Path
    from nemo import settings
    from nemo.engine import Engine
    question = "分布式光伏并网应当提交哪些资料？"
    with Engine.open(settings.load(library=Path(sys.argv[1]))) as engine:  # loads all that is Python's own, too
        known = engine.ask(question)
    for path in [*Path(sys.argv[1]).rglob("*"), Path(sys.argv[1])]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    if os.getuid() == 0:
        os.setuid(65534)
    with Engine.open(settings.load(library=Path(sys.argv[1]))) as engine, tempfile.TemporaryDirectory() as elsewhere:
        answer = engine.ask(question)
        print(engine.library.backup(Path(elsewhere, "backup.zip")).regulations)
        print(engine.library.read_only, answer.quotes == known.quotes != (), *answer.degraded)
        print(answer.trace_id in {row.trace_id for row in engine.library.answers.recent()}, [c.message for c in engine.health() if c.name == "留存"])
    """
    copied(demonstration, folder)
    command = [sys.executable, "-c", textwrap.dedent(program), str(folder)]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    folder.chmod(0o755)
    assert child.stdout.splitlines()[1:] == [f"True True {READ_ONLY}", f"False {[READ_ONLY]}"], child.stderr


def test_answers_that_cannot_be_kept_are_given_and_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up while the library is open; when there is room again what waited is written."""
    with opened(folder) as library:
        full = sqlite3.OperationalError("database or disk is full")

        def refuse(batch: object) -> None:
            with library.answers._database.read():
                raise full

        real = library.answers.queue._write
        monkeypatch.setattr(library.answers.queue, "_write", refuse)
        library.save_answer(answer())
        assert library.answers.get("t-1").trace_id == "t-1"
        assert library.answers.recent() == []
        with pytest.raises(ConfigError, match="空间"):
            library.answers.flush()
        monkeypatch.setattr(library.answers.queue, "_write", real)
        library.answers.flush()
        assert [row.trace_id for row in library.answers.recent()] == ["t-1"]
