"""A backup is the whole library at one moment, and comes back byte for byte or not at all."""

import dataclasses
import json
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nemo import export
from nemo.cli import main
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, NemoError, NotFoundError
from nemo.store.files import backup as backups
from nemo.types import RawDocument
from tests.jobs_samples import archive, raw, text
from tests.page_library import opened

QUESTIONS = (
    "光伏电站运行登记要几个工作日",
    "青石市光伏电站运行登记办法第0号第二条",
    "检验记录由谁提交",
    "海上风电收益分成",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a library that holds texts, a failure, answers and a queued file, and its backup."""
    folder = tmp_path_factory.mktemp("backup")
    with opened(folder / "lib") as engine:
        engine.intake.ingest_raw([raw(seed) for seed in range(6)], facts={"province": "gd"})
        engine.intake.ingest_raw([archive("包.zip", {"甲.md": text(8)}), RawDocument.of(b"\x00\x01", "坏.pdf")])
        for question in QUESTIONS:
            engine.ask(question)
        engine.library.jobs.add("0" * 16, "等待", [(raw(9), {})])
        engine.library.backup(folder / "backup.zip")
    return folder


def told(engine: Engine) -> list[object]:
    """Return everything that must be the same after a restore."""
    answers = [export.answer_json(engine.ask(question)) for question in QUESTIONS]
    for answer in answers:
        for name in ("trace_id", "elapsed_ms"):
            del answer[name]
    failures = [dataclasses.replace(failure, id=0) for failure in engine.intake.failures()]
    return [answers, engine.listing(), failures]


def test_a_restored_library_answers_alike(made: Path, tmp_path: Path) -> None:
    """To the last digit like the library with new indexes: a score depends in the fourth digit on an index's past."""
    with opened(made / "lib") as engine:
        texts = [export.answer_zh(engine.ask(question)) for question in QUESTIONS]
        engine.intake.reindex()
        before = told(engine)
        stored = {row.trace_id for row in engine.library.answers.recent()}
    report = backups.restore(made / "backup.zip", tmp_path / "new")
    assert report.regulations == 7
    with opened(tmp_path / "new") as engine:
        assert {row.trace_id for row in engine.library.answers.recent()} <= stored
        assert len(engine.library.answers.recent()) == len(QUESTIONS)
        assert [export.answer_zh(engine.ask(question)) for question in QUESTIONS] == texts
        for now, then in zip(told(engine), before, strict=True):
            assert now == then
        assert engine.library.verify() == []
        for row in engine.regulations():
            assert engine.library.raw(row.sha256).sha256 == row.sha256
        engine.resume()
        assert engine.intake.jobs.wait(60)
        assert [file.state for batch in engine.intake.batches() for file in batch.files] == ["done"]
    assert not (tmp_path / "new" / backups.UNFINISHED).exists()


def test_by_command(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "b.zip"), "--library", str(made / "lib"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["regulations"] == 7
    assert main(["restore", str(tmp_path / "b.zip"), "--library", str(tmp_path / "new"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["restore", str(tmp_path / "b.zip"), "--library", str(tmp_path / "new")]) == 2
    assert "不是空的" in capsys.readouterr().err


def test_the_manifest_names_every_member(made: Path) -> None:
    with zipfile.ZipFile(made / "backup.zip") as container:
        about = json.loads(container.read("manifest.json"))
        names = {name for name in container.namelist() if name != "manifest.json"}
    assert set(about["members"]) == names
    assert {name.split("/")[0] for name in names} == {"catalogue.sqlite", "raw"}
    assert sum("staged" in name for name in names) == 1


# --- while it is used


def test_a_backup_while_others_ingest_ask_and_delete(tmp_path: Path) -> None:
    """Each is one state of the library: complete and clean once restored."""
    with opened(tmp_path / "lib") as engine:
        engine.intake.ingest_raw([raw(seed) for seed in range(3)])
        stop, errors = threading.Event(), []

        def busy() -> None:
            try:
                for seed in range(3, 1000):
                    if stop.is_set():
                        return
                    engine.intake.ingest_raw([raw(seed)])
                    engine.intake.remove(engine.regulations()[0].id)
                    engine.intake.enqueue([raw(2000 + seed)])
                    engine.ask(QUESTIONS[0])
            except NemoError as error:
                errors.append(error)

        thread = threading.Thread(target=busy)
        thread.start()
        try:
            for number in range(3):
                engine.library.backup(tmp_path / f"{number}.zip")
        finally:
            stop.set()
            thread.join()
        assert errors == []
        assert engine.intake.jobs.wait(60)
        assert engine.library.verify() == []
        assert not list((tmp_path / "lib" / "raw" / "staged").iterdir())
    for number in range(3):
        backups.restore(tmp_path / f"{number}.zip", tmp_path / f"new{number}")
        with opened(tmp_path / f"new{number}") as engine:
            assert len(engine.regulations()) >= 3
            engine.resume()
            assert engine.intake.jobs.wait(60)
            assert {file.state for batch in engine.intake.batches() for file in batch.files} <= {"done"}
            assert engine.library.verify() == []


# --- what is refused


def test_places_that_are_refused(made: Path, tmp_path: Path) -> None:
    with opened(made / "lib") as engine:
        with pytest.raises(BadRequestError, match="已存在"):
            engine.library.backup(made / "backup.zip")
        with pytest.raises(BadRequestError, match="别处"):
            engine.library.backup(made / "lib" / "raw" / "backup.zip")
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(ConfigError, match="写不成"):
            engine.library.backup(tmp_path / "file" / "backup.zip")
        assert engine.library.verify() == []


def test_a_backup_that_is_sent_is_kept_whole_or_not_at_all(made: Path, tmp_path: Path) -> None:
    """What the running owner sends is what it wrote; a line that breaks leaves no file."""
    sent, file = (made / "backup.zip").read_bytes(), tmp_path / "到.zip"
    for broken in (sent[: len(sent) // 2], b"", b"<html>"):
        with pytest.raises(ConfigError, match="已损坏"):
            backups.kept(file, made / "lib", [broken])
        assert not list(tmp_path.iterdir())
    assert backups.kept(file, made / "lib", [sent[:1000], sent[1000:]]).regulations == 7
    assert file.read_bytes() == sent
    with pytest.raises(BadRequestError, match="已存在"):
        backups.kept(file, made / "lib", [sent])


def test_a_damaged_original_is_named_and_nothing_is_written(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "lib", tmp_path / "lib")
    with opened(tmp_path / "lib") as engine:
        sha256 = engine.regulations()[0].sha256
        (tmp_path / "lib" / "raw" / sha256[:2] / sha256).write_bytes(b"other")
        with pytest.raises(ConfigError, match=sha256):
            engine.library.backup(tmp_path / "backup.zip")
    assert [path.name for path in tmp_path.iterdir()] == ["lib"]


def rewritten(change: Callable[[str, bytes], bytes | None], extra: str | None = None) -> Callable[[Path], None]:
    def spoil(file: Path) -> None:
        with zipfile.ZipFile(file) as old:
            members = [(name, old.read(name)) for name in old.namelist()]
        with zipfile.ZipFile(file, "w") as new:
            for name, content in members:
                if (changed := change(name, content)) is not None:
                    new.writestr(name, changed)
            if extra:
                new.writestr(extra, b"x")

    return spoil


def manifest(**changes: object) -> Callable[[Path], None]:
    def change(name: str, content: bytes) -> bytes:
        return json.dumps({**json.loads(content), **changes}).encode() if name == "manifest.json" else content

    return rewritten(change)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-2000])


def garbled(file: Path) -> None:
    content = bytearray(file.read_bytes())
    middle = len(content) // 3
    content[middle : middle + 500] = b"\x55" * 500
    file.write_bytes(content)


SPOILT: list[tuple[str, Callable[[Path], None], type[NemoError]]] = [
    ("cut off", cut, ConfigError),
    ("garbled inside", garbled, ConfigError),
    ("empty", lambda file: file.write_bytes(b"") and None, ConfigError),
    ("some other file", lambda file: file.write_bytes(b"PK or not, this is text") and None, ConfigError),
    ("a member changed", rewritten(lambda n, c: c[:-1] + b"?" if n.startswith("raw/") else c), ConfigError),
    ("a member longer", rewritten(lambda n, c: c + b"?" if n == "catalogue.sqlite" else c), ConfigError),
    ("a member missing", rewritten(lambda n, c: None if n == "catalogue.sqlite" else c), BadRequestError),
    ("a member too many", rewritten(lambda n, c: c, "raw/extra"), BadRequestError),
    ("a path out of the folder", rewritten(lambda n, c: c, "../evil"), BadRequestError),
    ("another zip", rewritten(lambda n, c: None if n == "manifest.json" else c), BadRequestError),
    ("a newer format", manifest(format=99), ConfigError),
    ("a newer schema", manifest(schema="9999"), ConfigError),
    ("a manifest of nonsense", manifest(members=[1, 2]), BadRequestError),
]


@pytest.mark.parametrize(("remark", "spoil", "kind"), SPOILT, ids=[s[0] for s in SPOILT])
def test_a_spoilt_backup_leaves_the_folder_empty(
    made: Path, tmp_path: Path, remark: str, spoil: Callable[[Path], None], kind: type[NemoError]
) -> None:
    file = tmp_path / "backup.zip"
    shutil.copy(made / "backup.zip", file)
    spoil(file)
    with pytest.raises(kind) as caught:
        backups.restore(file, tmp_path / "new")
    assert str(file) in caught.value.message
    left = {path.name for path in (tmp_path / "new").glob("*")}
    assert left <= {"owner.lock"}, left
    backups.restore(made / "backup.zip", tmp_path / "new")


def test_no_such_backup(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        backups.restore(tmp_path / "nothing.zip", tmp_path / "new")


def test_a_folder_that_is_not_empty_is_left_as_it_is(made: Path, tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(BadRequestError, match="不是空的"):
        backups.restore(made / "backup.zip", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"]


def test_a_restore_that_was_cut_short_is_no_library_and_starts_again(made: Path, tmp_path: Path) -> None:
    """Killed in the middle: the mark is there, some files too."""
    (tmp_path / "raw" / "ab").mkdir(parents=True)
    (tmp_path / "raw" / "ab" / ("ab" + "0" * 62)).write_bytes(b"half")
    (tmp_path / backups.UNFINISHED).write_bytes(b"")
    with pytest.raises(ConfigError, match="restore"):
        opened(tmp_path)
    backups.restore(made / "backup.zip", tmp_path)
    with opened(tmp_path) as engine:
        assert engine.library.verify() == []


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of its own, where the machine lets us mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_keeps_no_half_backup_and_no_half_library(made: Path, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "64k") as disk:
        with opened(made / "lib") as engine, pytest.raises(ConfigError, match=r"写不成：[^a-z]*。"):
            engine.library.backup(disk / "backup.zip")
        assert list(disk.iterdir()) == []
        with pytest.raises(ConfigError, match="磁盘空间已用完"):
            backups.restore(made / "backup.zip", disk / "new")
        assert {path.name for path in (disk / "new").iterdir()} <= {"owner.lock"}
