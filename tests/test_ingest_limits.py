"""One odd file never stops the others, and no upload takes more memory or disk than the settings allow."""

import asyncio
import os
import zipfile
from collections.abc import MutableMapping
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from starlette.responses import Response
from test_api import guarded

from nemo import embed, settings
from nemo.errors import ConfigError, TooLargeError
from nemo.ingest import SentFile
from nemo.parse.pdf import scan
from nemo.text.structure.passage import passage
from nemo.types import RawDocument
from nemo.types.documents import readable
from nemo.web.guard import CountedBody, PendingRequests
from tests.jobs_samples import archive, raw, text
from tests.page_library import opened

# --- one odd file


def test_a_table_without_a_known_word_is_stored(tmp_path: Path) -> None:
    rows = f"{'演示文本附表' * 6}\n" + "\n".join(f"ZXQ{n} {n}.50 {n}.75" for n in range(200))
    with opened(tmp_path) as engine:
        report = engine.intake.ingest_raw([RawDocument.of(rows.encode(), "zxq.txt"), raw(1)])
        assert [o.state for o in report.outcomes] == ["stored", "stored"]
        assert engine.library.unembedded() == [] and engine.library.verify() == []
        row = next(row for row in engine.regulations() if row.file == "zxq.txt")
        regulation, ids = engine.library.regulation(row.id), engine.library.chunk_ids(row.id)
        chunk = engine.library.chunk(ids[3])
        assert chunk is not None
        vector = embed.passages(engine.embedder, [passage(regulation, chunk)])[0]
        known, cosines = engine.library.cosines(vector, np.array([engine.library.view.number(chunk.id)]))
        assert known.all() and cosines[0] == pytest.approx(1.0, abs=1e-3)


def test_what_no_word_describes_has_a_direction_of_its_own() -> None:
    embedder = embed.load(settings.load())
    texts = ["电网接入办法", "zxq 17.5 ω", "zxq 17.5 ω", "κλμ 99"]
    rows = embed.passages(embedder, texts)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, rtol=1e-6)
    np.testing.assert_array_equal(rows[:1], embedder.embed(texts[:1]))
    assert rows[1] @ rows[2] == pytest.approx(1.0) and abs(rows[1] @ rows[3]) < 0.5
    with pytest.raises(embed.UnembeddableError):
        embed.passages(embedder, ["电网", " \n "])


@pytest.mark.parametrize(
    ("given", "shown"),
    [("办法.md".encode("gb18030"), "办法.md"), (b"a\xff.md", "a�.md"), ("办法.md".encode(), "办法.md")],
)
def test_a_name_in_another_encoding_becomes_readable(given: bytes, shown: str) -> None:
    assert readable(os.fsdecode(given)) == shown


def test_a_file_name_that_is_not_utf8_stops_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for seed in range(3):
        (folder / f"{seed}.md").write_text(text(seed), "utf-8")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xb0\xec\xb7\xa8\xff.md")).write_text(text(7), "utf-8")
    with opened(tmp_path / "lib") as engine:
        report = engine.intake.ingest([folder])
        assert [o.state for o in report.outcomes] == ["stored"] * 4
        report.as_json()
        assert all(name.encode() for name in (o.name for o in report.outcomes))


def test_a_strip_of_pixels_does_not_blow_up_the_recogniser() -> None:
    for size in ((30_000, 8), (8, 30_000), (3400, 1)):
        padded = scan._padded(Image.new("RGB", size))
        assert min(padded.size) * 4 >= max(padded.size)
        assert padded.size[0] >= size[0] and padded.size[1] >= size[1]
    page = Image.new("RGB", (1700, 2400))
    assert scan._padded(page) is page


def test_a_fault_nobody_foresaw_in_one_file_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.ingest import ingestion

    real = ingestion.unpacked

    def unpacked(each: RawDocument, *rest: object) -> object:
        if each.name == "bad.md":
            raise RecursionError
        return real(each, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(ingestion, "unpacked", unpacked)
    with opened(tmp_path) as engine:
        report = engine.intake.ingest_raw([RawDocument.of(b"x", "bad.md"), raw(1)])
        assert [o.state for o in report.outcomes] == ["failed", "stored"]
        assert "编号" in str(report.outcomes[0].reason)


# --- limits


def test_blank_files_of_an_archive_are_refused_while_it_is_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "空.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(3):
            archive.writestr(f"{n}.txt", b" " * (5 << 20))
        archive.writestr("好.md", text(1))
    with opened(tmp_path / "lib") as engine:
        report = engine.intake.ingest([file])
        assert sorted(o.state for o in report.outcomes) == ["failed", "failed", "failed", "stored"]
        assert {o.reason for o in report.of("failed")} == {"文件是空的，或在压缩包里已损坏、加密，没有可读内容。"}


def test_failed_files_are_kept_up_to_a_limit_and_go_when_they_are_dismissed(tmp_path: Path) -> None:
    with opened(tmp_path, max_failed_mb=1) as engine:
        bad = [RawDocument.of(b"PK\x03\x04" + bytes([n]) * 700_000, f"{n}.zip") for n in range(3)]
        engine.intake.ingest_raw(bad)
        waiting = sorted(engine.intake.failures(), key=lambda f: f.name)
        assert [f.sha256 is None for f in waiting] == [False, True, True]
        assert any("留存已满 1 MiB" in tip for tip in waiting[1].tips)
        home = engine.settings.raw_path
        assert sum(p.stat().st_size for p in home.rglob("*") if p.is_file()) < 1 << 20
        for each in waiting:
            engine.intake.dismiss(each.id)
        assert [p for p in home.rglob("*") if p.is_file()] == []
        assert engine.library.verify() == [] and engine.intake.failures() == []
        assert len(engine.library.failure_queue.all(None)) == 3


def test_an_original_that_a_regulation_needs_stays_when_its_failure_is_dismissed(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.intake.ingest_raw([raw(1)])
        from nemo.errors import UnreadableDocumentError

        number = engine.library.record_failure(raw(1), UnreadableDocumentError("演示"))
        engine.intake.dismiss(number)
        assert engine.library.verify() == [] and engine.library.raw(raw(1).sha256).content == raw(1).content


def test_a_full_library_takes_nothing_more_and_says_so(tmp_path: Path) -> None:
    with opened(tmp_path, max_library_mb=1) as engine:
        engine.intake.ingest_raw([raw(1)])
        large = RawDocument.of((text(2) + "演" * 400_000).encode(), "大.md")
        report = engine.intake.ingest_raw([large, raw(3), raw(1)])
        assert [o.state for o in report.outcomes] == ["failed", "stored", "unchanged"]
        assert "NEMO_MAX_LIBRARY_MB" in str(report.outcomes[0].reason)
        with pytest.raises(TooLargeError, match="NEMO_MAX_LIBRARY_MB"):
            engine.intake.enqueue([large])
        assert engine.intake.batches() == []


def test_what_is_sent_is_read_when_its_turn_comes_and_too_much_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "lib", max_file_mb=1, max_library_mb=2) as engine:
        read: list[str] = []

        class Sent:
            def __init__(self, name: str) -> None:
                self.name = name

            def read(self) -> bytes:
                read.append(self.name)
                return text(1).encode()

        size = len(text(1).encode())
        gone = SentFile("b.md", Sent("b"), 3 << 20)  # type: ignore[arg-type]
        report = engine.intake.ingest_raw([SentFile("a.md", Sent("a"), size), gone])  # type: ignore[arg-type]
        assert [o.state for o in report.outcomes] == ["stored", "failed"] and read == ["a"]
        client = guarded(engine, engine.access.tokens.first())
        for files, word in (
            ([("files", ("大.md", b"x" * (2 << 20)))], "NEMO_MAX_FILE_MB"),
            ([("files", (f"{n}.md", b"x" * (900 << 10))) for n in range(3)], "NEMO_MAX_LIBRARY_MB"),
        ):
            reply = client.post("/ingest", files=files)
            assert reply.status_code == 413 and reply.json()["code"] == "too_large" and word in reply.json()["message"]


@pytest.mark.parametrize("sent", ["alone", "in an archive", "queued"])
def test_a_large_file_waits_on_the_disk_and_not_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    from nemo.ingest import ingestion

    handed: list[tuple[int, bool]] = []
    real = ingestion.prepare

    def prepare(task: ingestion.Task) -> object:
        handed.append((len(task.raw.content), task.place is not None and task.place.is_file()))
        return real(task)

    monkeypatch.setattr(ingestion, "prepare", prepare)
    monkeypatch.setattr(ingestion, "IN_MEMORY", 100)
    with opened(tmp_path / "lib") as engine:
        staged = engine.settings.raw_path / "staged"
        files = {"alone": raw(1), "in an archive": archive("a.zip", {"办法1.md": text(1)}), "queued": raw(1)}
        if sent == "queued":
            engine.intake.enqueue([files[sent]])
            assert engine.intake.jobs.wait(60)
        else:
            engine.intake.ingest_raw([files[sent]])
        assert handed == [(0, True)] and list(staged.iterdir()) == []
        assert engine.library.raw(raw(1).sha256).content == text(1).encode()
        assert engine.library.verify() == []


def test_bytes_that_change_while_they_wait_are_never_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nemo.ingest import ingestion

    real = ingestion.prepare

    def prepare(task: ingestion.Task) -> object:
        assert task.place is not None
        task.place.write_bytes(text(2).encode())
        return real(task)

    monkeypatch.setattr(ingestion, "prepare", prepare)
    monkeypatch.setattr(ingestion, "IN_MEMORY", 100)
    with opened(tmp_path / "lib") as engine:
        with pytest.raises(ConfigError, match="重新上传"):
            engine.intake.ingest_raw([raw(1)])
        assert engine.regulations() == () and list((engine.settings.raw_path / "staged").iterdir()) == []


@pytest.mark.parametrize("stated", [True, False], ids=["announced", "not announced"])
def test_uploads_at_the_same_time_are_limited_together(stated: bool) -> None:
    """Two uploads of 6 bytes where 10 may be on their way: the second is refused with the reason, and later taken."""
    waiting, arrived, answers = asyncio.Event(), PendingRequests(), []

    async def app(scope: object, receive: object, send: object) -> None:
        await receive()  # type: ignore[operator]
        await waiting.wait()
        await Response("ok")({"type": "http"}, receive, send)  # type: ignore[arg-type]

    async def upload() -> None:
        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b"x" * 6, "more_body": False}

        async def send(message: MutableMapping[str, object]) -> None:
            answers.append(message.get("status") or message.get("body"))

        given = [(b"content-length", b"6")] if stated else []
        await CountedBody(app, 8, arrived, 10)({"type": "http", "headers": given}, receive, send)

    async def play() -> None:
        first = asyncio.create_task(upload())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        second = asyncio.create_task(upload())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.set()
        await asyncio.gather(first, second)
        assert arrived.size == 0
        await upload()

    asyncio.run(play())
    assert answers[0] == 413 and "NEMO_MAX_IN_FLIGHT_MB" in answers[1].decode()
    assert answers[2:] == [200, b"ok", 200, b"ok"]
