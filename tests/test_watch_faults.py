"""What goes wrong on sites and in files, one table each: every fault stops itself alone and says what it is (采集故障表)."""

import datetime as dt
import io
import ssl
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from nemo.discover.fetch import SiteFetcher
from nemo.engine import Engine
from nemo.services.outbound import Limits
from nemo.watch.service import WatchService
from nemo.watch.touched import everybodys
from tests.local_server import Answer, LocalServer, serving
from tests.official_site import switched_on
from tests.parse_samples import ofd, pdf
from tests.test_watch import docx_of
from tests.watched_web import InventedSite, paper, serve

LINES = [f"第{n}条 演示附件的第{n}项规定由演示省能源局负责解释，自公布之日起三十日后施行。" for n in ("一", "二", "三")]
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 504


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    given = switched_on(library=tmp_path / "library", workers=0, crawl_delay=0.0, crawl_pages=9)
    with Engine.open(given) as opened:
        yield opened


@pytest.fixture(scope="module")
def untrusted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(now).not_valid_after(now + dt.timedelta(days=1))
    chain = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    chain += key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file = tmp_path_factory.mktemp("tls") / "chain.pem"
    file.write_bytes(chain)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    with serving() as local:
        local._server.socket = context.wrap_socket(local._server.socket, server_side=True)
        local.url = local.url.replace("http://", "https://")
        yield local


def collected(engine: Engine, server: LocalServer, invented: InventedSite, visits: int = 1) -> WatchService:
    serve(server, invented)
    sources = (invented.source(server),)
    made = WatchService(
        engine.library, lambda: engine.intake, replace(engine.rules, sources=sources), lambda: everybodys(engine)
    )
    visitor = SiteFetcher(engine.settings, sources, loopback=True, sleep=lambda _: None)
    visitor.client.limits = Limits(seconds=2.0, attempts=2, pause=0.0, size=50_000)
    made._visitor = visitor
    watch = made.add(invented.code)
    for _ in range(visits):
        made.store.queue(watch.id)
        made.work()
    return made


def away(url: str, status: int = 302) -> Answer:
    return Answer(status=status, headers={"Location": url})


FAULTS: list[tuple[str, Callable[[LocalServer, LocalServer, str], Answer], str]] = [
    ("gone", lambda *_: Answer(status=404), "404"),
    ("gone for good", lambda *_: Answer(status=410), "410"),
    ("turned away as a robot", lambda *_: Answer(status=412), "拒绝自动访问（412）"),
    ("forbidden", lambda *_: Answer(status=403), "403"),
    ("its server is broken", lambda *_: Answer(status=500), "500"),
    ("its server is overloaded for an hour", lambda *_: Answer(status=503, headers={"Retry-After": "3600"}), "503"),
    ("empty", lambda *_: Answer(b""), "空文件"),
    ("cut short", lambda *_: Answer(b"x" * 4000, cut=True), "中断"),
    ("slower than anybody waits", lambda *_: Answer(b"x" * 400, drip=0.1), "2 秒"),
    ("larger than is taken", lambda *_: Answer(b"x" * 60_000), "MiB"),
    ("led off the list", lambda *_: away("https://other.example.cn/a.html"), "名单外"),
    ("led into this machine", lambda *_: away("http://169.254.169.254/latest"), "名单外"),
    ("led to a file of this machine", lambda *_: away("file:///etc/passwd"), "名单外"),
    ("led in a circle", lambda _, __, path: away(path), "重定向次数过多"),
    ("a certificate that nobody vouches for", lambda _, bad, path: away(bad.url + path, 301), "证书不可信"),
]


@pytest.mark.parametrize(("remark", "fault", "words"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_fault_stops_itself_alone_and_is_named(
    engine: Engine,
    server: LocalServer,
    untrusted: LocalServer,
    remark: str,
    fault: Callable[[LocalServer, LocalServer, str], Answer],
    words: str,
) -> None:
    invented = InventedSite.of("demo", "演示省", 3)
    path = next(iter(invented.papers))
    invented.special[path] = fault(server, untrusted, path)
    made = collected(engine, server, invented)
    assert [p.state for p in made.store.papers()] == ["waiting"] * 2, remark
    (one,) = made.store.unreached()
    assert words in one.problem and one.url == server.url + path, one.problem
    visit = made.store.history()[0]
    assert (visit.state, visit.counts["failed"]) == ("done", 1)
    assert untrusted.seen == []


ALIKE = [
    ("under two addresses", lambda p, again: {again: p}, 1),
    ("with other line breaks and classes", lambda p, again: {again: p.replace("<p>", '<p class="x">\n')}, 1),
    ("with another day of commencement", lambda p, again: {again: p.replace("2026年1月1日", "2026年2月1日")}, 2),
]


@pytest.mark.parametrize(("remark", "more", "count"), ALIKE, ids=[a[0] for a in ALIKE])
def test_doubles_are_one(
    engine: Engine, server: LocalServer, remark: str, more: Callable[[str, str], dict[str, str]], count: int
) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    (path,), again = list(invented.papers), "/demo/t20260102_777.html"
    invented.papers |= more(invented.papers[path], again)
    invented.titles[again] = invented.titles[path]
    made = collected(engine, server, invented)
    assert len(made.store.papers("waiting")) == count, remark
    assert all(a.state == "kept" for a in made.store.met(1).values())


def test_a_paper_that_moved_is_kept_where_it_is_listed(engine: Engine, server: LocalServer) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    (path,) = invented.papers
    moved = "/demo/moved.html"
    invented.special[path], invented.special[moved] = away(moved, 301), Answer.html(invented.papers[path])
    made = collected(engine, server, invented, visits=2)
    (one,) = made.store.papers("waiting")
    assert one.url == server.url + moved
    assert sum(r.path == moved for r in server.seen) == 1, "the second visit fetches it no more"


def test_a_paper_in_an_old_encoding_is_read_in_it(engine: Engine, server: LocalServer) -> None:
    invented = InventedSite.of("demo", "演示镕省", 1)
    (path,) = invented.papers
    body = invented.papers[path].replace("<html>", '<html><meta charset="gb2312">').encode("gb18030")
    invented.special[path] = Answer(body, headers={"Content-Type": "text/html"})
    made = collected(engine, server, invented)
    (one,) = made.store.papers("waiting")
    assert one.sheet is not None and "镕" in one.sheet["texts"][0]["title"]


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        container.writestr("附件1/实施细则.html", paper("内", 3))
        container.writestr("附件2.docx", docx_of(LINES))
    return out.getvalue()


PLACED = [[(25.0, 40.0 + 9.0 * i, 5.0, line) for i, line in enumerate(LINES)]]
ATTACHED = [
    ("fj.pdf", pdf(LINES, ["演示附件办法"]), "waiting", ""),
    ("P020260102.docx", docx_of(["演示附件办法", *LINES]), "waiting", ""),
    ("fj.ofd", ofd(PLACED), "waiting", ""),
    ("fj.zip", zipped(), "waiting", ""),
    ("fj.doc", OLE + "WordDocument".encode("utf-16-le") + b"\xff" * 4000, "failed", "。"),
    ("fj.wps", OLE + "EncryptedPackage".encode("utf-16-le"), "failed", "加密"),
    ("leer.ofd", ofd([[]]), "failed", "。"),
    ("kaputt.zip", zipped()[:200], "failed", "。"),
    ("bild.pdf", pdf([], numbers=False), "failed", "。"),
]


@pytest.mark.parametrize(("name", "content", "state", "words"), ATTACHED, ids=[a[0] for a in ATTACHED])
def test_attachments_of_every_kind_are_read_or_kept_apart_with_the_reason(
    engine: Engine, server: LocalServer, name: str, content: bytes, state: str, words: str
) -> None:
    invented = InventedSite.of("demo", "演示省", 1)
    (path,) = invented.papers
    invented.attach(path, f"./{name}", content)
    invented.attached = {f"/demo/{name}": content}
    made = collected(engine, server, invented)
    one = next(p for p in made.store.papers() if p.name.startswith(name.partition(".")[0]))
    assert (one.state, engine.library.raw(one.sha256).content) == (state, content)
    assert words in one.reason and bool(one.reason) is (state == "failed")
    assert len(made.store.papers("waiting")) == 1 + (state == "waiting")
