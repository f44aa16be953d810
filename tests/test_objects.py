"""Files from object storage, against a server on this machine that speaks S3's protocol (对象存储)."""

import datetime as dt
import json
from collections.abc import Iterator
from email.utils import format_datetime
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from nemo import settings
from nemo.cli import main
from nemo.engine import Engine
from nemo.errors import BadRequestError, ConfigError, NotFoundError
from nemo.ingest import objects
from tests.local_server import Answer, LocalServer, Request, serving
from tests.official_site import switched_on
from tests.test_api import TEXT

pytest.importorskip("obstore", reason="requirements-objects.txt is optional")

WHEN = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
HELD = {
    "laws/办法.md": TEXT.encode(),
    "laws/内/细则.md": TEXT.replace("十二", "十五").replace("办法（", "细则（").encode(),
    "other/旁.md": b"# x",
}


class Bucket:
    """The part of S3 that reading needs: ListObjectsV2, HEAD and GET, signed (AWS Signature Version 4)."""

    def __init__(self, server: LocalServer) -> None:
        self.held, self.signed, self.refuse = dict(HELD), [], False
        server.routes["*"] = self.answer

    def answer(self, request: Request) -> Answer:
        from urllib.parse import unquote

        self.signed.append(request.headers.get("authorization", ""))
        if self.refuse:
            return Answer(b"<Error><Code>AccessDenied</Code></Error>", 403, {"Content-Type": "application/xml"})
        key = unquote(request.path).removeprefix("/bucket").strip("/")
        if "list-type" in request.query or not key:
            return self._listed(request.query.get("prefix", [""])[0])
        if key not in self.held:
            return Answer(b"<Error><Code>NoSuchKey</Code></Error>", 404, {"Content-Type": "application/xml"})
        return self._object(key, request.headers.get("range", ""))

    def _object(self, key: str, asked: str) -> Answer:
        body, headers = self.held[key], {"ETag": '"1"', "Last-Modified": format_datetime(WHEN, usegmt=True)}
        if not asked.startswith("bytes="):
            return Answer(body, 200, headers)
        first, _, last = asked.removeprefix("bytes=").partition("-")
        start, end = int(first), min(int(last or len(body) - 1), len(body) - 1)
        headers["Content-Range"] = f"bytes {start}-{end}/{len(body)}"
        return Answer(body[start : end + 1], 206, headers)

    def _listed(self, prefix: str) -> Answer:
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>{WHEN:%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
            f'<ETag>"1"</ETag><Size>{len(body)}</Size><StorageClass>STANDARD</StorageClass></Contents>'
            for key, body in sorted(self.held.items())
            if key.startswith(prefix)
        )
        text = (
            '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f"<Name>bucket</Name><Prefix>{escape(prefix)}</Prefix><KeyCount>{len(self.held)}</KeyCount><MaxKeys>1000</MaxKeys>"
            f"<IsTruncated>false</IsTruncated>{rows}</ListBucketResult>"
        )
        return Answer(text.encode(), 200, {"Content-Type": "application/xml"})


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with serving() as server:
        for name, value in {
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_ENDPOINT_URL": server.url,
            "AWS_ALLOW_HTTP": "true", "AWS_REGION": "cn-north-1",
        }.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        yield Bucket(server)


def test_a_prefix_is_brought_with_its_folders(bucket: Bucket, tmp_path: Path) -> None:
    files = objects.fetch("s3://bucket/laws", tmp_path, settings.load())
    assert {str(f.relative_to(tmp_path)): f.read_bytes() for f in files} == {
        "办法.md": HELD["laws/办法.md"],
        "内/细则.md": HELD["laws/内/细则.md"],
    }
    assert all(s.startswith("AWS4-HMAC-SHA256 ") for s in bucket.signed)


def test_the_same_from_google_storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its key file may name another address and no sign-in, as its emulators are reached; the XML interface is that of S3."""
    with serving() as server:
        bucket = Bucket(server)
        key = {
            "gcs_base_url": server.url,
            "disable_oauth": True,
            "client_email": "",
            "private_key": "",
            "private_key_id": "",
        }
        (tmp_path / "key.json").write_text(json.dumps(key), "utf-8")
        monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT", str(tmp_path / "key.json"))
        files = objects.fetch("gs://bucket/laws", tmp_path / "in", settings.load())
        assert {f.name: f.read_bytes() for f in files} == {
            "办法.md": HELD["laws/办法.md"],
            "细则.md": HELD["laws/内/细则.md"],
        }
        assert set(objects.stamps("gs://bucket/laws")) == {"gs://bucket/laws/办法.md", "gs://bucket/laws/内/细则.md"}
        bucket.refuse = True
        with pytest.raises(ConfigError, match="拒绝访问"):
            objects.fetch("gs://bucket/laws", tmp_path / "in", settings.load())


def test_one_object_is_brought_by_its_name(bucket: Bucket, tmp_path: Path) -> None:
    (file,) = objects.fetch("s3://bucket/laws/办法.md", tmp_path, settings.load())
    assert file.name == "办法.md" and file.read_bytes() == HELD["laws/办法.md"]


def test_nemo_ingests_it(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NEMO_WORKERS", "0")
    assert main(["ingest", "s3://bucket/laws", "--library", str(tmp_path / "lib"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["counts"]["stored"] == 2 and {f["name"] for f in report["files"]} == {"办法.md", "细则.md"}
    assert not list(Path("/tmp").glob("nemo-objects-*/0/办法.md"))


WRONG = [
    ("没有桶", "s3://", BadRequestError),
    ("没有这样的文件", "s3://bucket/none", NotFoundError),
]


@pytest.mark.parametrize(("what", "address", "error"), WRONG, ids=[w[0] for w in WRONG])
def test_what_cannot_be_brought_is_said(
    bucket: Bucket, tmp_path: Path, what: str, address: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        objects.fetch(address, tmp_path, settings.load())


def test_refused_keys_are_said_and_not_shown(bucket: Bucket, tmp_path: Path) -> None:
    bucket.refuse = True
    with pytest.raises(ConfigError, match="密钥") as refused:
        objects.fetch("s3://bucket/laws", tmp_path, settings.load())
    assert "secret" not in refused.value.message


def test_a_name_never_leads_out_of_the_folder(tmp_path: Path) -> None:
    import fsspec

    memory = fsspec.filesystem("memory")
    memory.pipe("/in/../../x.md", b"1")
    memory.pipe("/in/a.md", b"2")
    into = tmp_path / "into"
    for file in objects.fetch("memory://in", into, settings.load()):
        assert file.resolve().is_relative_to(into.resolve())
    memory.rm("/in", recursive=True)


def test_a_watched_prefix_brings_each_object_once(bucket: Bucket, tmp_path: Path) -> None:
    given = switched_on(library=tmp_path / "library", workers=0)
    with Engine.open(given) as engine:
        watch = engine.watch.add("s3://bucket/laws", "daily")
        engine.watch.run(watch.id, wait=True)
        assert sorted(p.url for p in engine.watch.store.papers("waiting")) == [
            "s3://bucket/laws/内/细则.md", "s3://bucket/laws/办法.md",
        ]  # fmt: skip
        asked = len(bucket.signed)
        engine.watch.run(watch.id, wait=True)
        assert engine.watch.store.history(watch.id)[0].counts == {"entries": 2, "unchanged": 2}
        assert len(bucket.signed) == asked + 1, "one list, no object"
        bucket.refuse = True
        engine.watch.run(watch.id, wait=True)
        problem = engine.watch.store.history(watch.id)[0].problem
        assert "密钥" in problem and "secret" not in problem
