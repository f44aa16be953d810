"""Disks that fill up or turn read-only, clocks that go back, deletions while others ask: said clearly, nothing lost."""

import datetime as dt
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from nemo.engine import Engine
from nemo.errors import ConfigError
from nemo.store.catalogue import schema
from nemo.types import RawDocument
from tests.jobs_samples import raw, text
from tests.page_library import opened


def until(reached: Callable[[], object], seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "it did not come to this"
        time.sleep(0.02)


# --- disks


class Disk:
    """A small file system of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def change(self, options: str) -> None:
        command = ["mount", "-o", f"remount,{options}", str(self.folder)]
        subprocess.run(command, check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)]
    if not sys.platform.startswith("linux") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def used(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024


def test_a_disk_that_fills_up_while_files_come_in(disk: Disk) -> None:
    """What was accepted waits, what was refused was told; with room again everything is there."""
    library = disk.folder / "lib"
    with opened(library) as engine:
        engine.intake.ingest_raw([raw(seed) for seed in range(3)])
        disk.change(f"size={used(disk.folder) + 200}k")
        accepted = refused = 0
        for seed in range(3, 60):
            try:
                engine.intake.enqueue([raw(seed, articles=40)])
                accepted += 1
            except ConfigError as error:
                assert str(library) in error.message and "腾出空间" in error.message
                refused += 1
                break
        assert refused and accepted
        assert len(engine.regulations()) >= 3
        engine.ask("光伏电站登记")
        disk.change("size=64m")
        engine.resume()
        assert engine.intake.jobs.wait(60)
        assert {file.state for batch in engine.intake.batches() for file in batch.files} == {"done"}
        assert engine.intake.failures() == []
        assert len(engine.regulations()) == 3 + accepted
        assert engine.library.verify() == []
    with opened(library) as engine:
        assert len(engine.regulations()) == 3 + accepted
        assert engine.library.verify() == []


def test_a_library_that_turns_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are answered, writes are refused by name; writable again, all is as before."""

    def refuse(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    def read_only(connection: Any, *_: object) -> None:
        connection.execute("PRAGMA query_only = ON")

    with opened(tmp_path, keep_answers=False) as engine:
        engine.intake.ingest_raw([raw(seed) for seed in range(3)])
        pool = engine.library._catalogue.database.engine
        event.listen(pool, "checkout", read_only)
        with monkeypatch.context() as patch:
            patch.setattr("nemo.store.files.disk.os.fsync", refuse)
            assert engine.ask("青石市光伏电站运行登记办法第0号第二条").quotes
            acts = (
                lambda: engine.intake.enqueue([raw(9)]),
                lambda: engine.intake.ingest_raw([raw(9)]),
                _remove_first(engine),
            )
            for act in acts:
                with pytest.raises(ConfigError, match="只读") as caught:
                    act()
                assert str(tmp_path) in caught.value.message
        event.remove(pool, "checkout", read_only)
        pool.dispose()
        assert len(engine.regulations()) == 3
        engine.intake.enqueue([raw(9)])
        assert engine.intake.jobs.wait(60)
        assert len(engine.regulations()) == 4
        assert engine.library.verify() == []


def _remove_first(engine: Engine) -> Callable[[], object]:
    return lambda: engine.intake.remove(engine.regulations()[0].id)


def test_a_read_only_library_answers_and_a_new_one_is_not_made(disk: Disk) -> None:
    library = disk.folder / "lib"
    opened(library).close()
    disk.change("ro")
    with opened(library) as engine:
        assert engine.library.read_only
        assert engine.ask("并网验收要提交哪些材料").degraded, "that nothing is kept is said"
    with pytest.raises(ConfigError, match="只读"):
        opened(disk.folder / "new")


# --- clocks


@contextmanager
def clock(offset: dt.timedelta) -> Iterator[None]:
    """Everything that writes times down sees this clock."""
    real = schema.now
    patch = pytest.MonkeyPatch()
    for name, module in list(sys.modules.items()):
        if name.startswith("nemo.store") and getattr(module, "now", None) is real:
            patch.setattr(module, "now", lambda: real() + offset)
    try:
        yield
    finally:
        patch.undo()


def test_a_clock_that_goes_back_changes_no_order(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.intake.enqueue([raw(1), raw(2)], title="先")
        assert engine.intake.jobs.wait(60)
        with clock(dt.timedelta(days=-400)):
            engine.intake.enqueue([raw(1, edition=1), raw(3), RawDocument.of(b"\x00\x01", "坏.pdf")], title="后")
            assert engine.intake.jobs.wait(60)
            engine.ask("青石市登记")
            engine.library.flush()
        assert [batch.title for batch in engine.intake.batches()] == ["后", "先"]
        assert all(batch.seconds >= 0 for batch in engine.intake.batches())
        assert engine.library.verify() == []
    with clock(dt.timedelta(days=-800)), opened(tmp_path) as engine:
        assert engine.library.verify() == []
        engine.intake.jobs.retry(engine.intake.batches()[0].id)
        assert engine.intake.jobs.wait(60)
        assert [file.tries for file in engine.intake.batches()[0].files] == [1, 1, 2]
        engine.intake.ingest_raw([raw(1, edition=2)])
        assert any("第1之1项" in engine.regulation(row.id).text for row in engine.regulations())
        assert text(1, edition=2).split("\n")[2] in engine.regulation(raw(1).name).text
        assert engine.library.verify() == []


# --- many who ask


def test_deleting_and_replacing_while_eight_ask(tmp_path: Path) -> None:
    """No error, and every quote is cut from a text that was held when it was asked for or a moment later."""
    with opened(tmp_path, exact_rows=0, keep_answers=False) as engine:
        engine.intake.ingest_raw([raw(seed) for seed in range(16)])
        texts = {text(seed, edition=edition) for seed in range(16) for edition in range(5)}
        stop, errors, asked = threading.Event(), [], []

        def ask(seed: int) -> None:
            chance = random.Random(seed)
            while not stop.wait(0.02):
                subject = text(chance.randrange(16)).split("\n")
                question = chance.choice([subject[0] + "第二条", subject[2][4:24], "几个工作日内办理登记"])
                try:
                    answer = engine.ask(question)
                    for quote in answer.quotes:
                        assert any(quote.text in each for each in texts), quote.text
                    asked.append(len(answer.quotes))
                except Exception as error:  # noqa: BLE001  # whatever it is, the test must hear of it
                    errors.append(error)
                    return

        threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
        for thread in threads:
            thread.start()
        chance = random.Random(3)
        try:
            for edition in range(1, 5):
                engine.intake.enqueue([raw(seed, edition=edition) for seed in chance.sample(range(16), 3)])
                engine.intake.remove(chance.choice(engine.regulations()).id)
                assert engine.intake.jobs.wait(60)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert errors == []
        assert sum(asked) > 0
        assert {file.state for batch in engine.intake.batches() for file in batch.files} == {"done"}
        assert engine.library.verify() == []
