"""Zip archives: every file out, no harm done."""

import io
import stat
import tracemalloc
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from parse_samples import expand

from nemo.errors import UnreadableDocumentError
from nemo.ingest.files import files_in
from nemo.parse import parse, unpacked
from nemo.settings import Settings
from nemo.types import RawDocument


def packed(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)  # dated 1980: the same bytes at every collection
    return out.getvalue()


def opened(content: bytes, **limits: int) -> list[RawDocument]:
    return expand(RawDocument.of(content, "资料.zip"), Settings(**limits))


def test_files_come_out_with_their_bytes_and_hashes() -> None:
    files = opened(packed({"法规/示例省条例.txt": "第一条".encode(), "说明.md": b"# x"}))
    assert [(f.name, f.content) for f in files] == [("示例省条例.txt", "第一条".encode()), ("说明.md", b"# x")]
    assert all(f == RawDocument.of(f.content, f.name) for f in files)


def test_any_other_file_comes_back_alone() -> None:
    raw = RawDocument.of("第一条".encode(), "a.txt")
    assert expand(raw, Settings()) == [raw]


def test_office_files_are_no_archives() -> None:
    raw = RawDocument.of(packed({"[Content_Types].xml": b"<x/>", "word/document.xml": b"<x/>"}), "a.docx")
    assert expand(raw, Settings()) == [raw]


def test_nested_archives_are_opened() -> None:
    inner = packed({"内.txt": b"inner"})
    assert [f.name for f in opened(packed({"外.txt": b"outer", "内.zip": inner}))] == ["外.txt", "内.txt"]


def test_names_written_in_gbk_are_read() -> None:
    content = packed({"AAAA.txt": b"x"}).replace(b"AAAA", "条例".encode("gbk"))
    assert opened(content)[0].name == "条例.txt"


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..\\..\\passwd", "C:\\Windows\\passwd"])
def test_names_lose_their_folders(name: str) -> None:
    assert opened(packed({name: b"x"}))[0].name == "passwd"


def test_a_very_long_name_is_cut_but_keeps_its_suffix() -> None:
    name = opened(packed({"长" * 4000 + ".pdf": b"x"}))[0].name
    assert len(name) == 200
    assert name.endswith(".pdf")


def test_files_of_the_system_are_left_out() -> None:
    files = opened(
        packed({"__MACOSX/._a.txt": b"x", ".DS_Store": b"x", "a.txt": b"x", "Thumbs.db": b"x", "~$a.docx": b"x"})
    )
    assert [f.name for f in files] == ["a.txt"]


def test_what_a_browser_saves_beside_a_page_is_left_out_but_for_its_frames(tmp_path: Path) -> None:
    kept = ["甲_files/正文.pdf", "通知.html", "通知_files/saved_resource.html", "通知_files/附件.pdf"]
    names = [
        *kept,
        "通知_files/a.css",
        "通知_files/b.js.下载",
        "通知_files/saved_resource",
        "通知_files/logo.png",
        "通知.files/image001.png",
    ]
    assert [f.name for f in opened(packed(dict.fromkeys(names, b"x")))] == [name.split("/")[-1] for name in kept]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    assert [f.relative_to(tmp_path).as_posix() for f in files_in([tmp_path])] == sorted(kept)


@pytest.mark.parametrize(
    ("remark", "content", "limits"),
    [
        ("bomb", packed({"a.txt": b"\x00" * 3_000_000}), {"max_archive_mb": 1}),
        ("bomb in an archive", packed({"a.zip": packed({"a.txt": b"\x00" * 3_000_000})}), {"max_archive_mb": 1}),
        ("too many files", packed({f"{i}.txt": b"x" for i in range(12)}), {"max_archive_files": 10}),
        ("nested too deep", packed({"a.zip": packed({"b.zip": packed({"c.zip": packed({"d.txt": b"x"})})})}), {}),
        ("no file in it", packed({}), {}),
        ("cut off", packed({"a.txt": b"x" * 999})[:-30], {}),
    ],
)  # fmt: skip
def test_what_is_refused(remark: str, content: bytes, limits: dict[str, int]) -> None:
    with pytest.raises(UnreadableDocumentError):
        opened(content, **limits)


def test_encrypted_archives_are_refused_by_name() -> None:
    content = bytearray(packed({"a.txt": b"x"}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + at] |= 1
    with pytest.raises(UnreadableDocumentError, match="加密"):
        opened(bytes(content))


def test_one_damaged_file_does_not_stop_the_others() -> None:
    content = bytearray(packed({"a.txt": "第一条".encode(), "b.txt": b"BBBBBBBB" * 9}, zipfile.ZIP_STORED))
    content[content.index(b"BBBBBBBB")] ^= 1
    files = opened(bytes(content))
    assert [(f.name, f.content) for f in files] == [("a.txt", "第一条".encode()), ("b.txt", b"")]
    with pytest.raises(UnreadableDocumentError, match="损坏"):
        parse(files[1], Settings())


def test_a_damaged_inner_archive_is_refused_by_name() -> None:
    inner = packed({"x.txt": b"x" * 50}, zipfile.ZIP_STORED)[:-30]
    files = opened(packed({"a.txt": "第一条".encode(), "b.zip": inner}))
    assert [f.name for f in files] == ["a.txt", "b.zip"]
    with pytest.raises(UnreadableDocumentError, match="损坏"):
        parse(files[1], Settings())


def test_a_declared_size_is_not_believed() -> None:
    content = bytearray(packed({"a.txt": b"\x00" * 3_000_000}))
    at = content.index(b"PK\x01\x02")
    content[at + 24 : at + 28] = (10).to_bytes(4, "little")
    with pytest.raises(UnreadableDocumentError):
        opened(bytes(content), max_archive_mb=1)


def test_parse_sends_archives_to_expand() -> None:
    with pytest.raises(UnreadableDocumentError, match="压缩包"):
        parse(RawDocument.of(packed({"a.txt": b"x"}), "a.zip"), Settings())


def test_files_come_one_by_one_from_a_file_without_a_name(tmp_path: Path) -> None:
    raw = RawDocument.of(packed({"甲.txt": b"1", "乙.txt": b"22"}), "a.zip")
    with unpacked(raw, Settings(), tmp_path) as files:
        assert len(files) == 2 and list(tmp_path.iterdir()) == []
        assert [m.raw.content for m in files] == [b"1", b"22"] == [m.raw.content for m in files]


def test_one_file_over_the_limit_is_named_and_the_others_go_on() -> None:
    raw = RawDocument.of(packed({"大.txt": b"x" * (1 << 20) * 2, "小.txt": b"y"}), "a.zip")
    with unpacked(raw, Settings(max_file_mb=1)) as files:
        large, small = files
    assert large.error and "上限 1 MiB" in large.error.message and large.raw.content == b""
    assert small.error is None and small.raw.content == b"y"


def test_an_archive_is_never_in_memory_as_a_whole() -> None:
    """Sixty members of a mebibyte each, of which at most a few may be held at once."""
    raw = RawDocument.of(packed({f"{n}.txt": bytes([n + 48]) * (1 << 20) for n in range(60)}), "a.zip")
    tracemalloc.start()
    try:
        with unpacked(raw, Settings()) as files:
            assert sum(len(member.raw.content) for member in files) == 60 << 20
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_link_is_no_file() -> None:
    """What a link of an archive holds is a path of its sender's machine; it must not become a text."""
    link = zipfile.ZipInfo("口令.txt")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("好.md", "第一条 演示。")
    with unpacked(RawDocument.of(out.getvalue(), "链接.zip"), Settings()) as files:
        told = {member.raw.name: member.error.message if member.error else None for member in files}
    assert told == {"口令.txt": "压缩包里的这一项是链接，不是文件，没有读取。", "好.md": None}


def mailed(text: str, files: dict[str, bytes]) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = "转发示例文件", "a@example.com", "b@example.com"
    mail.set_content(text)
    for name, content in files.items():
        mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return mail.as_bytes()


def test_a_mail_comes_with_the_files_it_carries() -> None:
    inner = packed({"细则.txt": "第一条 演示".encode()})
    content = mailed(
        "各单位：请遵照执行。", {"办法.txt": "第一条 演示文本".encode(), "附表.zip": inner, "签名.png": b"x"}
    )
    files = expand(RawDocument.of(content, "转发.eml"), Settings())
    assert [f.name for f in files] == ["转发.eml", "办法.txt", "细则.txt"]
    assert files[0].content == content


def test_a_mail_that_carries_too_many_files_gives_nothing() -> None:
    content = mailed("正文", {f"{n}.txt": b"x" for n in range(5)})
    with pytest.raises(UnreadableDocumentError, match="附件过多"):
        expand(RawDocument.of(content, "转发.eml"), Settings(max_archive_files=3))


def test_a_mail_without_files_comes_back_alone() -> None:
    raw = RawDocument.of(mailed("正文", {"签名.png": b"x"}), "转发.eml")
    assert expand(raw, Settings()) == [raw]
