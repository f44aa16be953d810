"""Whatever the bytes, a parser returns a document or raises one of its two errors, with a Chinese message and a next step."""

import functools
import io
import subprocess
import sys
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parse_samples import NOTICE, expand, ofd, page_trs, pdf
from test_parse_ofd import sheets

from nemo.errors import MissingDependencyError, UnreadableDocumentError
from nemo.ingest import read_file
from nemo.ingest.workers import limit_memory, run
from nemo.parse import parse
from nemo.parse.pdf import scan
from nemo.parse.sniff import FileKind, kind_of
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

LIMITS = Settings(max_archive_mb=4, max_pages=50)


def tried(content: bytes, name: str = "示例") -> ParsedDocument | None:
    """The document, or None after one of the two errors; anything else fails the test."""
    try:
        parsed = parse(RawDocument.of(content, name), LIMITS)
    except (UnreadableDocumentError, MissingDependencyError) as error:
        assert any("\u4e00" <= c <= "\u9fff" for c in error.message)
        assert error.tips
        return None
    assert parsed.text.strip()
    assert all(0 <= p.span.start <= p.span.end <= len(parsed.text) for p in parsed.pages)
    return parsed


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


@lru_cache
def word() -> bytes:
    import docx

    document = docx.Document()
    for row in NOTICE:
        document.add_paragraph(row)
    document.add_table(2, 2).cell(0, 0).text = "限值"
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@lru_cache
def sample(kind: str) -> bytes:
    """A sound file of each kind."""
    from PIL import Image

    image = io.BytesIO()
    Image.new("L", (40, 30), 255).save(image, "PNG")
    return {
        "pdf": lambda: pdf(NOTICE, ["标题"]),
        "docx": word,
        "ofd": lambda: ofd(sheets(list(NOTICE[:4]))),
        "html": page_trs,
        "plain": lambda: "\n".join(NOTICE).encode(),
        "gbk": lambda: "\n".join(NOTICE).encode("gb18030"),
        "image": image.getvalue,
        "doc": lambda: (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 500 + "WordDocument".encode("utf-16-le") + b"\x01" * 600
        ),
    }[kind]()


KINDS = ("pdf", "docx", "ofd", "html", "plain", "gbk", "image", "doc")


@pytest.fixture(autouse=True)
def no_recognition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recognising noise takes seconds and proves nothing here."""
    monkeypatch.setattr(scan, "read_page", lambda image, number: ([], 0.0))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files(kind: str, data: st.DataObject) -> None:
    content = bytearray(sample(kind))
    for _ in range(data.draw(st.integers(0, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.one_of(st.none(), st.integers(0, len(content))))
    tried(bytes(content[:cut]))


def unpacked_parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as container:
        return {name: container.read(name) for name in container.namelist()}


TOKENS = (b"<w:p>", b"</w:p>", b'w:val="999999999999"', b'w:val="-1"', b'w:val=""', b"<w:tbl>", b"&#0;", b"&#x10FFFF;", b"NaN", b"1e309",
          b'Delta="g 99 9"', "\ud7ff".encode(), b"", b"\x00", b"<w:numPr>", b"../" * 9, b"0 0 0 0")  # fmt: skip


@pytest.mark.parametrize("kind", ["docx", "ofd"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_files_that_are_damaged_inside_their_container(kind: str, data: st.DataObject) -> None:
    """Bytes changed inside a zip only break its checksums; here the parts themselves are wrong."""
    parts = unpacked_parts(sample(kind))
    for _ in range(data.draw(st.integers(1, 5))):
        name = data.draw(st.sampled_from(sorted(parts)))
        content = parts[name]
        start = data.draw(st.integers(0, len(content)))
        end = min(len(content), start + data.draw(st.integers(0, 30)))
        parts[name] = (
            content[:start] + data.draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=6))) + content[end:]
        )
    tried(packed(parts))


@pytest.mark.parametrize(
    "magic",
    [
        b"%PDF-1.7\n",
        b"PK\x03\x04",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"\x89PNG\r\n\x1a\n",
        b"II*\x00",
        b"<html>",
        b"{\\rtf1",
        b"BM",
        b"",
    ],
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(max_size=400))
def test_noise_behind_a_magic_number(magic: bytes, noise: bytes) -> None:
    tried(magic + noise)
    try:
        expand(RawDocument.of(magic + noise, "x"), LIMITS)
    except UnreadableDocumentError:
        return


XML = '<?xml version="1.0"?>'
LOL = XML + "<!DOCTYPE d [" + '<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(8)
) + "]>"  # fmt: skip
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def docx_of(document: str) -> bytes:
    return packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": document.encode()})


@pytest.mark.parametrize(
    ("remark", "content"),
    [
        ("entity bomb in Word", docx_of(LOL + f"<w:document {W}><w:body><w:p><w:r><w:t>&i;</w:t></w:r></w:p></w:body></w:document>")),
        ("entity bomb in OFD", packed({"OFD.xml": (LOL + "<OFD>&i;</OFD>").encode()})),
        ("external entity", docx_of(XML + f'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document {W}><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body></w:document>')),
        ("nested without end", docx_of(f"<w:document {W}>" + "<w:tbl><w:tr><w:tc>" * 5000 + "</w:tc></w:tr></w:tbl>" * 5000 + "</w:document>")),
        ("nested in moderation but too deep", docx_of(f"<w:document {W}><w:body>" + "<w:sdt>" * 120 + "</w:sdt>" * 120 + "</w:body></w:document>")),
        ("zip bomb as Word", packed({"[Content_Types].xml": b"<Types/>", "word/document.xml": b" " * 6_000_000})),
        ("OFD that names itself", packed({"OFD.xml": b"<OFD><DocRoot>OFD.xml</DocRoot></OFD>"})),
        ("OFD that climbs out", packed({"OFD.xml": b"<OFD><DocRoot>../../etc/passwd</DocRoot></OFD>"})),
        ("OFD with endless steps", packed({
            "OFD.xml": b"<OFD><DocRoot>D.xml</DocRoot></OFD>", "D.xml": b'<D><Pages><Page BaseLoc="P.xml"/></Pages></D>',
            "P.xml": '<P><TextObject Boundary="0 0 1 1" Size="9999999999999999"><TextCode X="1" Y="1e9" DeltaX="g 999999999 1">\u2460</TextCode></TextObject></P>'.encode()})),
        ("data", b'<?xml version="1.0"?><data><a>1</a></data>'),
        ("spreadsheet", packed({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<x/>"})),
        ("PDF of nothing", b"%PDF-1.7\n%%EOF"),
        ("PDF of one endless page tree", b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R]/Count 9>>endobj trailer<</Root 1 0 R>>"),
        ("zero bytes", b""),
        ("a line of more characters than any code", ("演示单位应当登记" * 70_000).encode()),
        ("a page of brackets", b"<!doctype html><html><body><p>" + b"&lt;" * 600_000),
    ],
)  # fmt: skip
def test_attacks_are_refused(remark: str, content: bytes) -> None:
    parsed = tried(content)
    assert parsed is None or (len(parsed.text) < 1000 and "root:" not in parsed.text), remark


@pytest.mark.parametrize(
    ("remark", "content", "name", "kind"),
    [
        ("Word named PDF", sample("docx"), "a.pdf", FileKind.DOCX),
        ("PDF named Word", sample("pdf"), "a.docx", FileKind.PDF),
        ("web page named text", page_trs(), "a.txt", FileKind.HTML),
        ("text named PDF", "第一条 本办法。".encode(), "a.pdf", FileKind.TEXT),
        ("PDF behind a few bytes of junk", b"\r\n\x00junk" + sample("pdf"), "a.bin", FileKind.PDF),
        ("web page that quotes a PDF header", b"<html><p>%PDF-1.7</p>", "a.pdf", FileKind.HTML),
        ("Word with a PDF header inside", sample("docx") + b"%PDF-1.7", "a.pdf", FileKind.DOCX),
        ("page without html tag", "<div><p>第一条</p></div>".encode(), "a", FileKind.HTML),
        ("text that speaks of tags", "使用 <div> 标签。".encode(), "a.txt", FileKind.TEXT),
        ("UTF-16 web page", "\ufeff<html><p>第一条</p></html>".encode("utf-16-le"), "a", FileKind.HTML),
    ],
)
def test_bytes_decide_not_names(remark: str, content: bytes, name: str, kind: FileKind) -> None:
    assert kind_of(RawDocument.of(content, name)) is kind, remark


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>.txt", "长" * 4000 + ".txt", "../../etc/passwd", "a\x00b.md", ""]
)
def test_any_name_is_taken(name: str) -> None:
    assert tried("第一条 本办法自发布之日起施行。".encode(), name) is not None


def test_a_file_over_the_limit_is_refused_before_reading() -> None:
    with pytest.raises(UnreadableDocumentError, match="超过上限 1 MiB"):
        parse(RawDocument.of(b"%PDF-" + b"x" * 2**20, "a.pdf"), Settings(max_file_mb=1))


def test_macros_are_ignored_and_noted() -> None:
    parts = {
        name: zipfile.ZipFile(io.BytesIO(word())).read(name) for name in zipfile.ZipFile(io.BytesIO(word())).namelist()
    }
    plain, with_macros = tried(word(), "a.docx"), tried(packed(parts | {"word/vbaProject.bin": b"Auto"}), "a.docm")
    assert plain is not None and with_macros is not None and plain.text == with_macros.text
    assert [f.code for f in plain.faults] == [] and [f.code for f in with_macros.faults] == ["macros_ignored"]


def swollen_pdf(mebi: int) -> bytes:
    """A PDF of one page whose content grows to so many MiB when it is unpacked."""
    pack = zlib.compressobj(1)
    stream = b"".join([*(pack.compress(b" " * (1 << 20)) for _ in range(mebi)), pack.flush()])
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body = b"".join(b"%d 0 obj%s endobj\n" % (n, o) for n, o in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


def parsed_in_worker(content: bytes) -> str:
    """What a worker does, without what follows parsing."""
    return parse(RawDocument.of(content, "a.pdf"), LIMITS).text


def test_a_stream_of_a_gibibyte_ends_no_more_than_its_own_file() -> None:
    crew = run(
        parsed_in_worker, [swollen_pdf(1024), "第一条 示例。".encode()], count=1, seconds=600,
        setup=functools.partial(limit_memory, 1024),
    )  # fmt: skip
    swollen, plain = sorted(crew, key=lambda done: done.index)
    assert isinstance(swollen.error, UnreadableDocumentError)
    assert plain.value == "第一条 示例。"


def test_ten_thousand_pages_are_refused_before_they_are_read() -> None:
    import pypdf

    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(595, 842)
    for _ in range(9_999):
        writer.add_page(page)
    out = io.BytesIO()
    writer.write(out)
    with pytest.raises(UnreadableDocumentError, match="10000 页，超过上限 3000 页"):
        parse(RawDocument.of(out.getvalue(), "a.pdf"), Settings())


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.md"
    file.write_bytes(b"x" * 100)
    real = Path.read_bytes

    def growing(path: Path) -> bytes:
        with path.open("ab") as more:
            more.write(b"y")
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", growing)
    with pytest.raises(UnreadableDocumentError, match="发生变化"):
        read_file(file, 1000)


def test_importing_the_package_loads_no_reader() -> None:
    code = "import sys, nemo.parse; print([m for m in ('lxml', 'pypdfium2', 'PIL', 'numpy', 'rapidocr', 'docx') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
