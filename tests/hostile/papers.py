"""PDF files with swollen streams, cycles, impossible pages, keys or damage (版式文件)."""

import io
import random
import zlib
from collections.abc import Sequence

from tests.parse_samples import NOTICE, TITLE, pdf


def of(objects: Sequence[bytes], root: int = 1, more: bytes = b"") -> bytes:
    """Return a PDF of numbered objects with a true table of places."""
    out, places = io.BytesIO(), []
    out.write(b"%PDF-1.7\n")
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer<</Root %d 0 R/Size %d%s>>\nstartxref\n%d\n%%%%EOF" % (root, len(objects) + 1, more, start))
    return out.getvalue()


def stream(content: bytes, about: bytes = b"", packed: bool = True) -> bytes:
    """Return a stream object."""
    data = zlib.compress(content, 9) if packed else content
    how = b"/Filter/FlateDecode" if packed else b""
    return b"<<%s%s/Length %d>>\nstream\n%s\nendstream" % (about, how, len(data), data)


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def one_page(
    content: bytes, box: bytes = b"0 0 595 842", resources: bytes = b"/Font<</F 4 0 R>>", *rest: bytes
) -> bytes:
    """Return a PDF of one page; its font is object 4, ``rest`` follow the content as 6, 7, …"""
    return of([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<<%s>>/Contents 5 0 R>>" % (box, resources),
        FONT,
        stream(content),
        *rest,
    ])  # fmt: skip


WORDS = b"BT /F 12 Tf 72 700 Td (Article 1 Demo rule.) Tj ET\n"


def _swollen() -> bytes:
    pack = zlib.compressobj(9)
    content = b"".join([*(pack.compress(b" " * (1 << 20)) for _ in range(1500)), pack.flush()])
    return of([
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>",
        stream(content, b"/Filter/FlateDecode", packed=False),
    ])  # fmt: skip


def _tenfold(levels: int = 9) -> bytes:
    """Forms that draw ten of the next: ten to the ninth words."""
    forms = []
    for level in range(levels):
        own = WORDS if level == levels - 1 else b"/X Do\n" * 10
        links = b"/Font<</F 4 0 R>>/XObject<</X %d 0 R>>" % (7 + level)
        forms.append(stream(own, b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<%s>>" % links))
    return one_page(b"/X Do\n" * 10, b"0 0 595 842", b"/Font<</F 4 0 R>>/XObject<</X 6 0 R>>", *forms)


def _own_form() -> bytes:
    links = b"/Font<</F 4 0 R>>/XObject<</X 6 0 R>>"
    form = stream(WORDS + b"/X Do\n/X Do\n", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<%s>>" % links)
    return one_page(b"/X Do\n", b"0 0 595 842", links, form)


def _scattered(count: int) -> bytes:
    chance = random.Random(11)
    return one_page(b"".join(
        b"BT /F 6 Tf 1 0 0 1 %d %d Tm (ab%d) Tj ET\n" % (chance.randrange(590), chance.randrange(840), n)
        for n in range(count)
    ))  # fmt: skip


def _ruled(count: int) -> bytes:
    chance = random.Random(12)
    lines = (
        b"%d %d m %d %d l S\n" % ((x, 0, x, 842) if n % 2 else (0, x, 595, x))
        for n in range(count)
        for x in [chance.randrange(590)]
    )
    return one_page(b"".join(lines) + WORDS * 50)


def _pages(count: int, box: bytes = b"0 0 595 842", words: bytes = WORDS) -> bytes:
    kids = b" ".join(b"%d 0 R" % (5 + n) for n in range(count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]/Resources<</Font<</F 3 0 R>>>>/Contents 4 0 R>>" % box
    return of([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count), FONT,
               stream(words), *[page] * count])  # fmt: skip


def _picture(width: int, height: int) -> bytes:
    about = b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 1/ColorSpace/DeviceGray" % (width, height)
    pack = zlib.compressobj(9)
    row = b"\xff" * (width // 8)
    data = b"".join([*(pack.compress(row) for _ in range(height)), pack.flush()])
    image = stream(data, about + b"/Filter/FlateDecode", packed=False)
    return one_page(b"595 0 0 842 0 0 cm /I Do\n", b"0 0 595 842", b"/XObject<</I 6 0 R>>", image)


def _encrypted(user: str, owner: str) -> bytes:
    import pypdf

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf(NOTICE, [TITLE + "（加密）"])))
    writer.encrypt(user, owner, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _alive() -> bytes:
    acts = (
        b"/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1:9/'\\))>>/AA<</WC<</S/Launch/F(/bin/sh)>>>>"
    )
    return of([
        b"<</Type/Catalog/Pages 2 0 R%s>>" % acts,
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F 4 0 R>>>>/Contents 5 0 R>>",
        FONT,
        stream(WORDS),
    ])  # fmt: skip


def _damaged(changes: int) -> bytes:
    chance, content = random.Random(13), bytearray(pdf(NOTICE, [TITLE + "（残损）"]))
    for _ in range(changes):
        content[chance.randrange(200, len(content))] = chance.randrange(256)
    return bytes(content)


def _map() -> bytes:
    table = (
        b"/CIDInit /ProcSet findresource begin begincmap\n"
        + b"9999 beginbfrange\n<0000> <FFFF> <0000>\nendbfrange\n" * 20_000
    )
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R>>"
    return one_page(WORDS * 20, b"0 0 595 842", b"/Font<</F 6 0 R>>", font, stream(table))


FILES = {
    "一吉内容.pdf": _swollen,
    "表单逐层十倍.pdf": _tenfold,
    "表单画自己.pdf": _own_form,
    "页树成环.pdf": lambda: of(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 999999999>>"]
    ),
    "页树很深.pdf": lambda: of(
        [b"<</Type/Catalog/Pages 2 0 R>>", *[b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % n for n in range(3, 20_003)]]
    ),
    "一万页.pdf": lambda: _pages(10_000),
    "三千空白页.pdf": lambda: _pages(2_999, words=b" "),
    "巨页.pdf": lambda: one_page(WORDS, b"0 0 1000000000 1000000000"),
    "巨页无字.pdf": lambda: one_page(b"0 0 9 9 re f\n", b"0 0 14400 14400"),
    "负页.pdf": lambda: one_page(WORDS, b"595 842 -99999999 nan"),
    "两百万指令.pdf": lambda: one_page(b"q Q 0 0 m\n" * 700_000 + WORDS),
    "深层状态.pdf": lambda: one_page(b"q " * 900_000 + WORDS),
    "深层数组.pdf": lambda: of(
        [b"<</Type/Catalog/Pages 2 0 R/X %s%s>>" % (b"[" * 200_000, b"]" * 200_000), b"<</Type/Pages/Kids[]/Count 0>>"]
    ),
    "十万碎字.pdf": lambda: _scattered(100_000),
    "十万格线.pdf": lambda: _ruled(100_000),
    "百万字一行.pdf": lambda: one_page(b"BT /F 1 Tf 1 1 Td (" + b"demo " * 400_000 + b") Tj ET\n"),
    "六亿像素图.pdf": lambda: _picture(40_000, 40_000),
    "用户口令.pdf": lambda: _encrypted("开", "主"),
    "只限权限.pdf": lambda: _encrypted("", "主"),
    "会动.pdf": _alive,
    "四十处残损.pdf": lambda: _damaged(40),
    "四千处残损.pdf": lambda: _damaged(4000),
    "前表成环.pdf": lambda: of([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"], more=b"/Prev 9"),
    "字表巨大.pdf": _map,
    "截断.pdf": lambda: pdf(NOTICE, [TITLE])[:1500],
    "只有头.pdf": lambda: b"%PDF-1.7\n%%EOF",
}
