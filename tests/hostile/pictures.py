"""Pictures with impossible sizes, many frames, or damage (图片)."""

import io
import struct
import zlib


def png(width: int, height: int, *, grey: bool = True, more: bytes = b"") -> bytes:
    """Return a white PNG of one bit a pixel, made row by row; ``more`` are further chunks."""

    def part(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">L", len(content)) + kind + content + struct.pack(">L", zlib.crc32(kind + content))

    pack, row = zlib.compressobj(9), b"\0" + b"\xff" * ((width + 7) // 8)
    data = b"".join([*(pack.compress(row) for _ in range(height)), pack.flush()])
    head = struct.pack(">LLBBBBB", width, height, 1, 0 if grey else 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + more + part(b"IDAT", data) + part(b"IEND", b"")


def comment(mebi: int) -> bytes:
    """Return a chunk of packed text that grows to so many MiB."""
    content = b"zTXt" + b"a\0\0" + zlib.compress(b" " * (mebi << 20), 9)
    return struct.pack(">L", len(content) - 4) + content + struct.pack(">L", zlib.crc32(content))


def frames(count: int, size: tuple[int, int], form: str = "TIFF") -> bytes:
    """Return one picture file of many frames."""
    from PIL import Image

    out = io.BytesIO()
    first, *rest = [Image.new("1" if form == "TIFF" else "P", size, n % 2) for n in range(count)]
    how = {"compression": "group4"} if form == "TIFF" else {}
    first.save(out, form, save_all=True, append_images=rest, **how)
    return out.getvalue()


def _jpeg() -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.effect_noise((2000, 1500), 80).convert("L").save(out, "JPEG")
    return out.getvalue()


FILES = {
    "三万乘八.png": lambda: png(30_000, 8),
    "八乘三万.png": lambda: png(8, 30_000),
    "九亿像素.png": lambda: png(30_000, 30_000),
    "谎报尺寸.png": lambda: png(12_000, 12_000)[:900],
    "注释一吉.png": lambda: png(60, 40, more=comment(1000)),
    "三百帧.tiff": lambda: frames(300, (3400, 2400)),
    "五千帧.gif": lambda: frames(5000, (30, 20), "GIF"),
    "截断.jpg": lambda: _jpeg()[:200_000],
    "噪声.jpg": _jpeg,
    "巨幅.bmp": lambda: (
        b"BM" + struct.pack("<LLLLllHHLLllLL", 99, 0, 54, 40, 2**31 - 1, -(2**31), 1, 24, 0, 0, 0, 0, 0, 0)
    ),
}
