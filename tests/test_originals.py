"""Originals are packed where it pays, and are the same bytes everywhere they are asked for (原件压缩)."""

import gzip
import random
from pathlib import Path

import pytest

from nemo import settings
from nemo.engine import Engine
from nemo.store.files import backup as backups
from nemo.store.files.raw import RawFolder, packed, unpacked
from nemo.store.transfer import migrate
from nemo.types import RawDocument
from tests.postgres_server import DatabaseServer
from tests.test_watch import docx_of
from tests.watched_web import paper

HTML = paper("演示省", 7).encode()
NOISE = random.Random(7).randbytes(4000)

FILES = [
    ("html", HTML, True),
    ("plain text", ("第一条 演示文本。\n" * 90).encode(), True),
    ("word 97, mostly empty", b"\xd0\xcf\x11\xe0" + bytes(20_000) + NOISE[:2000], True),
    ("docx", docx_of(["第一条 演示文本。"]), False),
    ("pdf with packed streams", b"%PDF-1.7\n" + NOISE, False),
    ("a gzip that came as such", gzip.compress(HTML * 3), False),
    ("packed after a long head that is not", random.Random(8).randbytes(300_000) + bytes(900_000), False),
    ("nothing", b"", False),
    ("one byte", b"x", False),
]


@pytest.mark.parametrize(("remark", "content", "pays"), FILES, ids=[f[0] for f in FILES])
def test_what_pays_is_packed_and_comes_back(tmp_path: Path, remark: str, content: bytes, pays: bool) -> None:
    raw, folder = RawDocument.of(content, "x"), RawFolder(tmp_path / "raw")
    folder.put(raw.sha256, content)
    folder.settle(raw.sha256)
    on_disk = (tmp_path / "raw" / raw.sha256[:2] / raw.sha256).read_bytes()
    assert len(on_disk) <= 0.8 * len(content) if pays else on_disk == content, remark
    assert folder.read(raw.sha256) == content and list(folder.names()) == [raw.sha256]


def test_what_was_changed_is_nothing_of_it() -> None:
    raw = RawDocument.of(HTML, "x")
    kept = packed(HTML)
    assert unpacked(raw.sha256, kept) == HTML == unpacked(raw.sha256, HTML)
    for wrong in (kept[:-9], kept + b"x", gzip.compress(HTML + b"x"), b"", HTML[:-1], kept[:20] + b"?" + kept[21:]):
        assert unpacked(raw.sha256, wrong) is None


def test_asked_downloaded_backed_up_verified_and_read_again_without_its_catalogue(tmp_path: Path) -> None:
    given = settings.load(library=tmp_path / "lib", workers=0)
    (tmp_path / "办法.html").write_bytes(HTML)
    with Engine.open(given) as engine:
        engine.ingest([tmp_path / "办法.html"])
        (row,) = engine.regulations()
        place = given.raw_path / row.sha256[:2] / row.sha256
        assert place.stat().st_size < len(HTML) and engine.library.raw(row.sha256).content == HTML
        engine.library.backup(tmp_path / "b.zip")
        assert engine.library.verify() == []
        place.write_bytes(gzip.compress(b"other"))
        assert [d.place for d in engine.library.verify()] == ["raw"]
    backups.restore(tmp_path / "b.zip", tmp_path / "again")
    with Engine.open(settings.load(library=tmp_path / "again", workers=0)) as engine:
        assert engine.library.raw(row.sha256).content == HTML and engine.library.verify() == []
    place.write_bytes(packed(HTML))
    with Engine.open(settings.load(library=tmp_path / "fresh", workers=0)) as engine:
        engine.ingest([given.raw_path])
        assert [r.sha256 for r in engine.regulations()] == [row.sha256]


def test_a_library_that_moves_to_a_server_reads_them(tmp_path: Path, postgres: DatabaseServer) -> None:
    given = settings.load(library=tmp_path / "lib", workers=0)
    (tmp_path / "办法.html").write_bytes(HTML)
    with Engine.open(given) as engine:
        engine.ingest([tmp_path / "办法.html"])
        sha256 = engine.regulations()[0].sha256
    url = postgres.new_database()
    migrate(given, url, lambda moved: None)
    with Engine.open(settings.load(library=tmp_path / "lib", workers=0, database=url)) as engine:
        assert engine.library.raw(sha256).content == HTML and engine.library.verify() == []
