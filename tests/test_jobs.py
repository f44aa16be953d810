"""Files handed over are ingested in the background; nothing is lost, whoever stops it and whenever."""

import datetime as dt
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, NotFoundError, UnreadableDocumentError
from nemo.ingest import ingestion, jobs
from nemo.ingest.preparing import Task
from nemo.store.catalogue.entry import StoredEntry
from nemo.store.files import disk
from nemo.store.records.jobs import IngestJob, JobState
from nemo.types import RawDocument
from tests.jobs_samples import archive, raw, text
from tests.page_library import opened


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with opened(tmp_path / "lib") as found:
        yield found


def staged(engine: Engine) -> list[str]:
    folder = engine.settings.raw_path / "staged"
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def states(engine: Engine) -> list[str]:
    return [file.state for batch in engine.intake.batches() for file in batch.files]


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every file waits here, in the owner's thread, before it is read."""
    event, real = threading.Event(), ingestion.prepare

    def slow(task: Task) -> list[StoredEntry]:
        assert event.wait(30)
        return real(task)

    monkeypatch.setattr(ingestion, "prepare", slow)
    yield event
    event.set()


# --- the way of a batch


def test_a_batch_is_ingested_and_every_session_sees_it(engine: Engine) -> None:
    batch = engine.intake.enqueue([raw(1), raw(2), RawDocument.of(b"\x00\x01", "坏.pdf")], {"province": "gd"}, "测试")
    assert engine.intake.jobs.wait(60)
    (view,) = engine.intake.batches()
    assert (view.id, view.title, view.active, view.done, view.total) == (batch, "测试", False, 3, 3)
    assert [file.state for file in view.files] == ["done", "done", "failed"]
    assert [o.state for o in view.outcomes] == ["stored", "stored", "failed"]
    assert view.outcomes[2].reason and view.chunks > 0 and view.seconds >= 0
    assert {row.province for row in engine.regulations()} == {"gd"}
    assert [f.name for f in engine.intake.failures()] == ["坏.pdf"]
    assert staged(engine) == []
    assert engine.library.verify() == []


def test_an_archive_is_one_file_with_many_outcomes(engine: Engine) -> None:
    engine.intake.enqueue([archive("包.zip", {"甲.md": text(1), "乙.md": text(2), "空.md": ""})])
    assert engine.intake.jobs.wait(60)
    (file,) = engine.intake.batches()[0].files
    assert file.state is JobState.DONE
    assert sorted(o.state for o in file.outcomes) == ["failed", "stored", "stored"]


def test_a_manifest_speaks_of_files_inside_an_archive_too(engine: Engine) -> None:
    """What is stated of a file by name holds wherever it lies; what is stated of all holds where nothing else is."""
    lines = '{"file": "甲.md", "issuer": "演示甲厅"}\n{"file": "包.zip", "issuer": "演示乙厅"}'
    engine.intake.enqueue([archive("包.zip", {"甲.md": text(1), "乙.md": text(2)})], manifest=lines)
    assert engine.intake.jobs.wait(60)
    assert {row.file: row.issuer for row in engine.regulations()} == {"甲.md": "演示甲厅", "乙.md": "演示乙厅"}


def test_the_same_files_again_are_unchanged(engine: Engine) -> None:
    for _ in range(2):
        engine.intake.enqueue([raw(1), raw(2)])
        assert engine.intake.jobs.wait(60)
    newest, oldest = engine.intake.batches()
    assert [o.state for o in newest.outcomes] == ["unchanged", "unchanged"]
    assert [o.state for o in oldest.outcomes] == ["stored", "stored"]
    assert staged(engine) == []


def test_wrong_facts_take_nothing_in(engine: Engine) -> None:
    with pytest.raises(BadRequestError):
        engine.intake.enqueue([raw(1)], {"province": "nowhere"})
    assert engine.intake.batches() == [] and staged(engine) == []


def test_no_files_no_batch(engine: Engine) -> None:
    assert engine.intake.enqueue([]) is None
    assert engine.intake.jobs.wait(0)


def test_files_are_taken_one_by_one(engine: Engine, gate: threading.Event) -> None:
    """A batch need not be in memory at once, and it is on disk when the call returns."""
    seen: list[int] = []

    def files() -> Iterator[RawDocument]:
        for seed in range(3):
            seen.append(len(staged(engine)))
            yield raw(seed)

    engine.intake.enqueue(files())
    assert seen == [0, 1, 2]
    assert staged(engine) == sorted(raw(seed).sha256 for seed in range(3))


def test_progress_while_it_runs(engine: Engine, gate: threading.Event) -> None:
    engine.intake.enqueue([raw(1), raw(2)])
    engine.intake.enqueue([raw(3)])
    until(lambda: "running" in states(engine))
    newest, oldest = engine.intake.batches(active=True)
    assert newest.active and newest.seconds_left is None
    assert [file.state for file in oldest.files] == ["running", "queued"]
    assert engine.library.jobs.all()[0].heartbeat is not None
    gate.set()
    assert engine.intake.jobs.wait(60)
    assert engine.intake.batches(active=True) == []
    assert len(engine.regulations()) == 3


def until(reached: object, seconds: float = 180) -> None:
    end = time.monotonic() + seconds
    while not reached():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not come to this"
        time.sleep(0.02)


def test_what_waited_between_two_tries_was_no_work() -> None:
    def job(started: int | None, ended: int) -> IngestJob:
        first = dt.datetime(2026, 1, 1, 10)
        at = None if started is None else first + dt.timedelta(minutes=started)
        return cast(IngestJob, SimpleNamespace(started=at, updated=first + dt.timedelta(minutes=ended)))

    assert jobs._span([job(0, 2), job(1, 4), job(30, 31), job(None, 9)]) == 5 * 60
    assert jobs._span([job(None, 9)]) == 0


# --- cancel, retry, dismiss


def test_what_is_cancelled_is_not_stored_and_can_be_taken_up_again(engine: Engine, gate: threading.Event) -> None:
    batch = engine.intake.enqueue([raw(1), raw(2), raw(3)])
    assert batch is not None
    until(lambda: "running" in states(engine))
    assert engine.intake.jobs.cancel(batch, engine.intake.batches()[0].files[2].id) == 1
    assert states(engine) == ["running", "queued", "cancelled"]
    assert engine.intake.jobs.cancel(batch) == 2
    gate.set()
    assert engine.intake.jobs.wait(60)
    assert states(engine) == ["cancelled"] * 3 and engine.regulations() == ()
    assert len(staged(engine)) == 3
    assert engine.intake.jobs.retry(batch) == 3
    assert engine.intake.jobs.wait(60)
    assert states(engine) == ["done"] * 3 and len(engine.regulations()) == 3
    assert engine.intake.jobs.dismiss(batch) == 3
    assert engine.intake.batches() == [] and staged(engine) == []


def test_a_running_file_is_stopped_within_a_moment(tmp_path: Path) -> None:
    """With worker processes the worker is ended, however long its file would take; the next file goes on."""
    with opened(tmp_path / "lib", workers=1) as engine:
        batch = engine.intake.enqueue([raw(1, articles=60_000), raw(2)])
        assert batch is not None
        until(lambda: states(engine)[0] == "running", 60)
        began = time.monotonic()
        engine.intake.jobs.cancel(batch, engine.intake.batches()[0].files[0].id)
        assert engine.intake.jobs.wait(120)
        assert states(engine) == ["cancelled", "done"], time.monotonic() - began


def test_dismissing_a_cancelled_batch_frees_its_bytes(engine: Engine, gate: threading.Event) -> None:
    batch = engine.intake.enqueue([raw(1), raw(2)])
    assert batch is not None
    engine.intake.jobs.cancel(batch)
    gate.set()
    assert engine.intake.jobs.wait(60)
    engine.intake.jobs.dismiss(batch)
    assert staged(engine) == []


def test_a_failed_file_is_retried_from_what_the_library_kept(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ingestion.prepare
    monkeypatch.setattr(ingestion, "prepare", _unreadable)
    batch = engine.intake.enqueue([raw(1)])
    assert engine.intake.jobs.wait(60) and batch is not None
    assert states(engine) == ["failed"] and staged(engine) == []
    monkeypatch.setattr(ingestion, "prepare", real)
    engine.intake.jobs.retry(batch)
    assert engine.intake.jobs.wait(60)
    assert states(engine) == ["done"] and engine.intake.failures() == []


def _unreadable(task: Task) -> list[StoredEntry]:
    raise UnreadableDocumentError("读不了。请换一个文件。")


def test_failures_are_tried_again_in_the_background(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ingestion.prepare
    monkeypatch.setattr(ingestion, "prepare", _unreadable)
    engine.intake.ingest_raw([raw(1), raw(2)], facts={"province": "sd"})
    monkeypatch.setattr(ingestion, "prepare", real)
    engine.intake.retry_later([failure.id for failure in engine.intake.failures()])
    assert engine.intake.jobs.wait(60)
    assert engine.intake.failures() == [] and {row.province for row in engine.regulations()} == {"sd"}
    with pytest.raises(NotFoundError):
        engine.intake.retry_later([99])


def test_a_failure_without_content_does_not_hold_up_the_others(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = ingestion.prepare
    monkeypatch.setattr(ingestion, "prepare", _unreadable)
    engine.intake.ingest_raw([raw(1)])
    monkeypatch.setattr(ingestion, "prepare", real)
    lost = RawDocument.of(b"", "只有名字.pdf")
    engine.library.failure_queue.record(lost, UnreadableDocumentError("没有收到内容。"), {})
    with pytest.raises(NotFoundError, match=r"“只有名字.pdf”的内容没有留存.*其余 1 个已重新排队"):
        engine.intake.retry_later([failure.id for failure in engine.intake.failures()])
    assert engine.intake.jobs.wait(60)
    assert [failure.name for failure in engine.intake.failures()] == ["只有名字.pdf"]
    assert len(engine.regulations()) == 1


def test_an_unknown_batch_is_named(engine: Engine) -> None:
    for act in (engine.intake.jobs.cancel, engine.intake.jobs.retry, engine.intake.jobs.dismiss):
        with pytest.raises(NotFoundError):
            act("nothing")


# --- restarts


def test_closing_in_the_middle_loses_nothing(tmp_path: Path, gate: threading.Event) -> None:
    engine = opened(tmp_path / "lib")
    engine.intake.enqueue([raw(seed) for seed in range(4)], {"province": "sd"})
    until(lambda: "running" in states(engine))
    threading.Timer(0.2, gate.set).start()
    engine.close()
    with opened(tmp_path / "lib") as engine:
        assert "running" not in states(engine)
        assert engine.intake.jobs.wait(0), "nothing runs by itself"
        engine.resume()
        assert engine.intake.jobs.wait(60)
        assert states(engine) == ["done"] * 4
        assert {row.province for row in engine.regulations()} == {"sd"}
        assert engine.library.verify() == []


def test_closing_waits_for_no_worker(tmp_path: Path) -> None:
    """A file that takes long is given up within seconds and queued for the next start."""
    engine = opened(tmp_path / "lib", workers=1)
    engine.intake.enqueue([raw(1, articles=60_000), raw(2)])
    until(lambda: "running" in states(engine), 60)
    engine.close()
    with opened(tmp_path / "lib") as engine:
        assert states(engine) == ["queued", "queued"]
        assert engine.intake.batches()[0].files[0].tries == 1


def test_bytes_without_a_row_are_removed_at_the_start(tmp_path: Path) -> None:
    opened(tmp_path / "lib").close()
    folder = tmp_path / "lib" / "raw" / "staged"
    folder.mkdir(parents=True)
    (folder / raw(1).sha256).write_bytes(b"half")
    (folder / f"{raw(2).sha256}.77.partial").write_bytes(b"half")
    with opened(tmp_path / "lib"):
        assert list(folder.iterdir()) == []


def test_a_job_without_bytes_fails_alone(tmp_path: Path, gate: threading.Event) -> None:
    with opened(tmp_path / "lib") as engine:
        engine.intake.enqueue([raw(1), raw(2), raw(3)])
        until(lambda: "running" in states(engine))
        (engine.settings.raw_path / "staged" / raw(2).sha256).unlink()
        gate.set()
        assert engine.intake.jobs.wait(60)
        assert states(engine) == ["done", "failed", "done"]
        assert "重新上传" in (engine.intake.batches()[0].outcomes[1].reason or "")


# --- faults


def test_a_disk_that_is_full_takes_nothing_in(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nemo.store.files.staging.sync_folder", full)
    with pytest.raises(ConfigError, match="磁盘空间已用完"):
        engine.intake.enqueue([raw(1), raw(2)])
    assert engine.intake.batches() == [] and staged(engine) == []


def test_a_disk_that_fills_up_pauses_the_queue_and_fails_no_file(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, refused = disk.write_durably, threading.Event()

    def full(path: Path, content: bytes) -> None:
        refused.set()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nemo.store.files.raw.write_durably", full)
    engine.intake.enqueue([raw(seed) for seed in range(3)])
    assert refused.wait(60)
    until(lambda: engine.intake.batches()[0].problem)
    view = engine.intake.batches()[0]
    assert "腾出空间" in (view.problem or "") and states(engine) == ["queued"] * 3
    assert engine.intake.failures() == [] and len(staged(engine)) == 3
    monkeypatch.setattr("nemo.store.files.raw.write_durably", real)
    engine.resume()
    assert engine.intake.jobs.wait(60)
    assert states(engine) == ["done"] * 3 and engine.intake.batches()[0].problem is None
    assert engine.library.verify() == []


def test_what_nobody_foresaw_fails_its_file_only(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    real = engine.library.commit

    def odd(entries: object, document: RawDocument, **more: object) -> list[str]:
        if document.name == raw(2).name:
            raise ValueError("odd")
        return real(entries, document, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.library, "commit", odd)
    engine.intake.enqueue([raw(1), raw(2), raw(3)])
    assert engine.intake.jobs.wait(60)
    assert states(engine) == ["done", "failed", "done"]
    assert "编号" in (engine.intake.batches()[0].outcomes[1].reason or "")


def test_old_batches_are_forgotten(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nemo.store.records.jobs.KEPT_BATCHES", 2)
    for seed in range(4):
        engine.intake.enqueue([raw(seed)], title=str(seed))
        assert engine.intake.jobs.wait(60)
    assert [batch.title for batch in engine.intake.batches()] == ["3", "2", "1"]
