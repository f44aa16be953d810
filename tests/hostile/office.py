"""Word, Excel, OpenDocument and OFD files with swollen, endless, crossed or damaged parts (办公文件)."""

import random
from collections.abc import Mapping

from tests.hostile.containers import LAW, MEBI, by_hand, packed, swollen
from tests.parse_samples import ofd

XML = '<?xml version="1.0"?>'
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_X = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

LAUGHS = "<!DOCTYPE d [" + '<!ENTITY a "aaaaaaaaaa">' + "".join(
    f'<!ENTITY {chr(98 + i)} "{("&" + chr(97 + i) + ";") * 10}">' for i in range(9)
) + "]>"  # fmt: skip
"""Ten to the tenth characters of ``&j;``."""

QUADRATIC = f'<!DOCTYPE d [<!ENTITY a "{"a" * 90_000}">]>'


def docx(body: str, before: str = "", **parts: bytes) -> bytes:
    """Return a Word file of a body; ``parts`` are further ones under ``word/``."""
    document = f"{XML}{before}<w:document {W}><w:body>{body}</w:body></w:document>"
    members = {"[Content_Types].xml": b"<Types/>", "word/document.xml": document.encode()}
    return packed([*members.items(), *((f"word/{name}.xml", content) for name, content in parts.items())])


def run(text: str) -> str:
    """Return a paragraph."""
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def xlsx(rows: str, strings: bytes = b"", before: str = "", after: str = "") -> bytes:
    """Return an Excel file of one sheet."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    types = f"""{XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>
<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>
<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>"""

    def links(*targets: tuple[str, str]) -> str:
        told = "".join(
            f'<Relationship Id="r{n}" Type="{kind}/{k}" Target="{t}"/>' for n, (k, t) in enumerate(targets, 1)
        )
        return f'{XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{told}</Relationships>'

    parts: dict[str, bytes] = {
        "[Content_Types].xml": types.encode(),
        "_rels/.rels": links(("officeDocument", "xl/workbook.xml")).encode(),
        "xl/workbook.xml": f'{XML}<workbook {_X} {_R}><sheets><sheet name="表" sheetId="1" r:id="r1"/></sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": links(
            ("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")
        ).encode(),
        "xl/worksheets/sheet1.xml": f"{XML}{before}<worksheet {_X}><sheetData>{rows}</sheetData>{after}</worksheet>".encode(),
        "xl/sharedStrings.xml": strings or f"{XML}<sst {_X}/>".encode(),
    }
    return packed(parts.items())


def _cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def _ods(cells: str) -> bytes:
    spaces = " ".join(f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    content = (
        f"{XML}<office:document-content {spaces}><office:body><office:spreadsheet><table:table table:name='表'>{cells}"
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    return packed([("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content.encode())])


def _swollen_docx() -> bytes:
    return by_hand([(b"[Content_Types].xml", swollen(1), MEBI), (b"word/document.xml", swollen(3000), 3000 * MEBI)])


def _laws(count: int) -> str:
    return "".join(run(f"第{n}条 演示单位应当按第{n}号台账登记。") for n in range(1, count))


def _formula(depth: int) -> str:
    space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    return (
        run("第一条 式")
        + f"<w:p><m:oMath {space}>"
        + "<m:f><m:num>" * depth
        + "</m:num></m:f>" * depth
        + "</m:oMath></w:p>"
    )


def _wide_table(rows: int, columns: int) -> str:
    row = "<w:tr>" + f"<w:tc>{run('值')}</w:tc>" * columns + "</w:tr>"
    return run("第一条 见下表。") + "<w:tbl>" + row * rows + "</w:tbl>"


def _spans() -> str:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="999999999"/><w:vMerge w:val="restart"/></w:tcPr>' + run("限值") + "</w:tc>"
    return run("第一条 见下表。") + "<w:tbl>" + f"<w:tr>{cell * 3}</w:tr>" * 20 + "</w:tbl>"


def _numbered() -> str:
    mark = '<w:pPr><w:numPr><w:ilvl w:val="999999999"/><w:numId w:val="-7"/></w:numPr></w:pPr>'
    return f"<w:p>{mark}<w:r><w:t>演示内容</w:t></w:r></w:p>" * 3000


def _noisy(sound: bytes, seed: int, changes: int = 400) -> bytes:
    chance, content = random.Random(seed), bytearray(sound)
    for _ in range(changes):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


def _ole(name: str) -> bytes:
    return _OLE + b"\0" * 500 + name.encode("utf-16-le") + random.Random(3).randbytes(60_000)


def _ofd_parts(parts: Mapping[str, str]) -> bytes:
    return packed((name, text.encode()) for name, text in parts.items())


def _ofd_pages(count: int) -> bytes:
    pages = "".join('<Page BaseLoc="P.xml"/>' for _ in range(count))
    return _ofd_parts({
        "OFD.xml": "<OFD><DocRoot>D.xml</DocRoot></OFD>", "D.xml": f"<D><Pages>{pages}</Pages></D>",
        "P.xml": '<P><TextObject Boundary="0 0 90 9" Size="5"><TextCode X="1" Y="5">第一条 演示。</TextCode></TextObject></P>',
    })  # fmt: skip


def _ofd_steps() -> bytes:
    text = '<P><TextObject Boundary="0 0 1 1" Size="9999999999999999"><TextCode X="1" Y="1e9" DeltaX="g 999999999 1">第</TextCode></TextObject></P>'
    return _ofd_parts({
        "OFD.xml": "<OFD><DocRoot>D.xml</DocRoot></OFD>", "D.xml": '<D><Pages><Page BaseLoc="P.xml"/></Pages></D>', "P.xml": text,
    })  # fmt: skip


FILES = {
    "三吉正文.docx": _swollen_docx,
    "十亿笑.docx": lambda: docx(run("&j;"), LAUGHS),
    "平方实体.docx": lambda: docx(run("&a;" * 90_000), QUADRATIC),
    "外部实体.docx": lambda: docx(run("&x;"), '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    "五千层表.docx": lambda: docx("<w:tbl><w:tr><w:tc>" * 5000 + "</w:tc></w:tr></w:tbl>" * 5000),
    "十万段.docx": lambda: docx(_laws(100_000)),
    "六十万格.docx": lambda: docx(_wide_table(10_000, 60)),
    "跨度十亿.docx": lambda: docx(_spans()),
    "编号越界.docx": lambda: docx(_numbered()),
    "二十兆一段.docx": lambda: docx(run("演示" * 3_500_000)),
    "三千层公式.docx": lambda: docx(_formula(3000)),
    "断在中间.docx": lambda: docx(_laws(200) + "<w:p><w:r><w:t>断")[:-900],
    "没有正文.docx": lambda: packed([("[Content_Types].xml", b"<Types/>"), ("word/styles.xml", b"<x/>")]),
    "字符串一吉.xlsx": lambda: by_hand(
        [
            (b"[Content_Types].xml", swollen(1), MEBI),
            (b"xl/workbook.xml", swollen(1), MEBI),
            (b"xl/sharedStrings.xml", swollen(1500), 0),
        ]
    ),
    "十亿笑.xlsx": lambda: xlsx(_cell("A1", "&j;"), before=LAUGHS),
    "远角一格.xlsx": lambda: xlsx(f'<row r="1048576">{_cell("XFD1048576", "限值")}</row>'),
    "合并全表.xlsx": lambda: xlsx(
        f'<row r="1">{_cell("A1", "限值")}</row>',
        after='<mergeCells count="1"><mergeCell ref="A1:XFD1048576"/></mergeCells>',
    ),
    "三十万行.xlsx": lambda: xlsx(
        "".join(f'<row r="{n}">{_cell(f"A{n}", "限")}{_cell(f"B{n}", str(n))}</row>' for n in range(1, 300_001))
    ),
    "重复十亿.ods": lambda: _ods(
        "<table:table-row table:number-rows-repeated='1000000000'><table:table-cell table:number-columns-repeated='1000000000'><text:p>限值</text:p></table:table-cell></table:table-row>"
    ),
    "乱码.xls": lambda: _ole("Workbook"),
    "乱码.doc": lambda: _ole("WordDocument"),
    "加密.docx": lambda: _ole("EncryptedPackage"),
    "指向自己.ofd": lambda: packed([("OFD.xml", b"<OFD><DocRoot>OFD.xml</DocRoot></OFD>")]),
    "无尽步距.ofd": _ofd_steps,
    "两万页.ofd": lambda: _ofd_pages(20_000),
    "十万字块.ofd": lambda: ofd([[(20.0, 20.0 + n % 200, 4.0, f"第{n}条 演示。") for n in range(50_000)]]),
    "坏字节.ofd": lambda: _noisy(ofd([[(20.0, 20.0, 4.0, line) for line in LAW.splitlines() if line]]), 5),
}
