"""Archives that lie, swell, nest, name places outside, or are no archives (压缩包)."""

import io
import random
import stat
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable

from tests.jobs_samples import text

LAW = """演示夹带办法（演示文本）

第一条 本办法为演示文本，用于检验压缩包。

第二条 演示单位应当自收到演示通知之日起七个工作日内回复。

第三条 本办法自2024年5月1日起施行。
"""
"""A sound text: among hostile ones it must be stored."""

MEBI = 1 << 20


def packed(members: Iterable[tuple[str | zipfile.ZipInfo, bytes]], way: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return out.getvalue()


def swollen(mebi: int, character: bytes = b" ") -> bytes:
    """Return raw deflate data of so many MiB of one character, made from one block again and again."""
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = maker.compress(character * MEBI) + maker.flush(zlib.Z_FULL_FLUSH)
    again = maker.compress(character * MEBI) + maker.flush(zlib.Z_FULL_FLUSH)
    return first + again * (mebi - 1) + maker.flush(zlib.Z_FINISH)


def by_hand(members: Iterable[tuple[bytes, bytes, int]], *, stated: int | None = None, overlap: bool = False) -> bytes:
    """Return a zip written byte by byte: (name, deflated data, unpacked size); one may state what is not so.

    Args:
        members: What it holds.
        stated: A size that every member claims instead of its own.
        overlap: The directory names the first member again and again.
    """
    body, places = io.BytesIO(), []
    for number, (name, data, size) in enumerate(members):
        if not (overlap and number):
            at = body.tell()
            sizes = struct.pack("<LLL", 0, len(data), (size if stated is None else stated) & 0xFFFFFFFF)
            body.write(b"PK\3\4" + struct.pack("<HHHHH", 20, 0, 8, 0, 33) + sizes + struct.pack("<HH", len(name), 0))
            body.write(name + data)
        places.append((at, name, sizes))
    start = body.tell()
    for at, name, sizes in places:
        head = struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 33)
        body.write(b"PK\1\2" + head + sizes + struct.pack("<HHHHHLL", len(name), 0, 0, 0, 0, 0, at) + name)
    size = body.tell() - start
    body.write(b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, len(places), len(places), size, start, 0))
    return body.getvalue()


def with_method(content: bytes, method: int) -> bytes:
    """Return a zip whose members claim another way of packing."""
    content = bytearray(content)
    for mark, at in ((b"PK\3\4", 8), (b"PK\1\2", 10)):
        place = content.find(mark)
        while place >= 0:
            content[place + at : place + at + 2] = struct.pack("<H", method)
            place = content.find(mark, place + 4)
    return bytes(content)


def with_flag(content: bytes, flag: int) -> bytes:
    """Return a zip whose members carry a flag: 1 is encrypted."""
    content = bytearray(content)
    for mark, at in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        place = content.find(mark)
        while place >= 0:
            content[place + at] |= flag
            place = content.find(mark, place + 4)
    return bytes(content)


def _nested(depth: int) -> bytes:
    inner = packed([("内.md", LAW.encode())])
    for level in range(depth):
        inner = packed([(f"{level}.zip", inner)])
    return inner


def _link(name: str, target: str) -> tuple[zipfile.ZipInfo, bytes]:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return info, target.encode()


def _links() -> bytes:
    away = [_link("口令.txt", "/etc/passwd"), _link("上级", "../../.."), _link("自己.md", "自己.md")]
    return packed([*away, ("好.md", LAW.encode())])


def _names() -> bytes:
    names = [
        b"\xb0\xec\xb7\xa8.md",
        b"\xff\xfe\xfd.md",
        b"a\0b.md",
        b"\xe2\x80\xaegnp.md",
        b"\x1b[31m.md",
        b"/" * 90,
        b"..",
    ]
    text = LAW.encode()
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = maker.compress(text) + maker.flush()
    made = bytearray(by_hand([(name, data, len(text)) for name in names]))
    right = struct.pack("<L", zlib.crc32(text))
    for mark, at in ((b"PK\3\4", 14), (b"PK\1\2", 16)):
        place = made.find(mark)
        while place >= 0:
            made[place + at : place + at + 4] = right
            place = made.find(mark, place + 4)
    return bytes(made)


def _climbing() -> bytes:
    names = [
        "../../../etc/cron.d/x.md",
        "/etc/passwd.md",
        "C:\\Windows\\x.md",
        "a/../../b.md",
        "catalogue.sqlite",
        "owner.lock",
    ]
    return packed((name, LAW.replace("夹带", f"夹带{at}号").encode()) for at, name in enumerate(names))


def _same_name(count: int) -> bytes:
    with warnings.catch_warnings(action="ignore"):  # zipfile says that the name is there already: it is meant to be
        return packed(("同名.md", text(n).encode()) for n in range(count))


def _noise(size: int, seed: int = 7) -> bytes:
    return random.Random(seed).randbytes(size)


def _zip64() -> bytes:
    content = packed([("a.md", LAW.encode())])
    end = content.rfind(b"PK\5\6")
    far = b"PK\6\6" + struct.pack("<QHHLLQQQQ", 44, 45, 45, 0, 0, 2**40, 2**40, 2**50, 2**50)
    locator = b"PK\6\7" + struct.pack("<LQL", 0, end, 1)
    return content[:end] + far + locator + b"PK\5\6" + b"\xff" * 16 + b"\0\0"


def _overlapping() -> bytes:
    data = swollen(10, b"a")
    return by_hand([(b"%d.txt" % n, data, 10 * MEBI) for n in range(1900)], overlap=True)


def _mixed() -> bytes:
    bad = [
        ("坏.docx", b"PK\3\4" + _noise(900)),
        ("坏.pdf", b"%PDF-1.7\n" + _noise(900)),
        ("坏.png", b"\x89PNG\r\n\x1a\n" + _noise(99)),
    ]
    return packed([*bad, ("好.md", LAW.encode()), ("空.txt", b""), ("噪.bin", _noise(4000))])


FILES = {
    "十吉空白.zip": lambda: by_hand([(b"a.txt", swollen(10_240), 10_240 * MEBI)]),
    "十吉零.zip": lambda: by_hand([(b"a.txt", swollen(10_240, b"\0"), 0)], stated=9),
    "零三段九十兆.zip": lambda: packed((f"{n}.txt", b" " * (90 * MEBI)) for n in range(3)),
    "重叠成员.zip": _overlapping,
    "嵌套七层.zip": lambda: _nested(7),
    "两万空成员.zip": lambda: packed((f"{n}.md", b"") for n in range(20_000)),
    "百包各百件.zip": lambda: packed((f"{n}.zip", packed((f"{m}.md", b"x") for m in range(100))) for n in range(100)),
    "谎报大小.zip": lambda: by_hand([(b"a.txt", swollen(150, b"a"), 0)], stated=10),
    "加密.zip": lambda: with_flag(packed([("密.md", LAW.encode())]), 1),
    "外逃路径.zip": _climbing,
    "链接.zip": _links,
    "异名.zip": _names,
    "同名五百.zip": lambda: _same_name(500),
    "截断.zip": lambda: packed([("a.md", _noise(90_000))])[:50_000],
    "目录乱码.zip": lambda: packed([("a.md", LAW.encode())])[:-40] + _noise(40),
    "六四谎.zip": _zip64,
    "未知压缩.zip": lambda: with_method(packed([("a.md", LAW.encode())]), 99),
    "长名.zip": lambda: packed([("长" * 20_000 + ".md", LAW.encode())]),
    "前后垃圾.zip": lambda: _noise(70_000) + packed([("a.md", LAW.encode())]) + b"\0" * 60_000,
    "好坏混装.zip": _mixed,
    "不是包.7z": lambda: b"7z\xbc\xaf\x27\x1c" + _noise(5000),
}
