"""What the bytes are (格式识别): magic bytes first, the name only to tell Markdown from plain text."""

import enum
import io
import re
import zipfile

from nemo.types import RawDocument


class FileKind(enum.Enum):
    """Formats that Nemo tells apart."""

    PDF = "pdf"
    DOCX = "docx"
    OFD = "ofd"
    OLE = "ole"
    RTF = "rtf"
    IMAGE = "image"
    HTML = "html"
    XML = "xml"
    TEXT = "text"
    ARCHIVE = "archive"
    FOREIGN_ARCHIVE = "foreign_archive"
    SPREADSHEET = "spreadsheet"
    ODT = "odt"
    SLIDES = "slides"
    EMPTY = "empty"
    BINARY = "binary"


_MAGIC: tuple[tuple[bytes, FileKind], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileKind.OLE), (b"{\\rtf", FileKind.RTF),
    (b"\x89PNG\r\n\x1a\n", FileKind.IMAGE), (b"\xff\xd8\xff", FileKind.IMAGE), (b"II*\x00", FileKind.IMAGE),
    (b"MM\x00*", FileKind.IMAGE), (b"GIF8", FileKind.IMAGE), (b"Rar!\x1a\x07", FileKind.FOREIGN_ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", FileKind.FOREIGN_ARCHIVE), (b"\x1f\x8b\x08", FileKind.FOREIGN_ARCHIVE),
)  # fmt: skip

_HTML_START = re.compile(
    r"^\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|meta|title|div|table|p|span|script)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_TAGS = re.compile(r"<(?:html|head|body|div|td)\b", re.IGNORECASE)
_MAIL = re.compile(
    r"^(?:[A-Za-z][A-Za-z-]{1,40}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?Content-Type:\s*(?:multipart/|text/(?:html|plain))",
    re.IGNORECASE,
)
"""Headers of a page saved whole by a browser or by Word (.mht), or of a mail (.eml)."""
BLANK = (
    "文件是空的，或在压缩包里已损坏、加密，没有可读内容。",
    ("请重新下载或导出该文件后再上传。",),
)
"""What is said of a file without a single sign."""
FOREIGN = (
    "无法识别的文件格式（如程序、音视频、图纸、数据库），不是文本、PDF、Word、Excel、OFD、网页或图片。",
    ("程序、音视频等文件不能入库，可以忽略；确是法规文件的，请重新下载，或另存为 PDF、Word 后上传。",),
)
"""What is said of the bytes of a program."""
SOLID = re.compile(rb"[^\x00\t\n\r\x0c ]")
_PACKAGES = {
    b"application/vnd.oasis.opendocument.spreadsheet": FileKind.SPREADSHEET,
    b"application/vnd.oasis.opendocument.text": FileKind.ODT,
    b"application/vnd.oasis.opendocument.presentation": FileKind.SLIDES,
}
"""What a zip with a member ``mimetype`` is (OpenDocument 1.3, part 2, 3.3); with any other it is some program's file."""
_PROGRAMS = {"meta-inf/manifest.mf", "androidmanifest.xml"}
"""Members that only packages of programs have."""
_PDF_PREFIX = 1024
"""PDF readers accept the header anywhere in the first 1,024 bytes."""


def kind_of(raw: RawDocument) -> FileKind:
    """Return what the bytes are; ``BINARY`` when nothing known fits."""
    content = raw.content
    if not SOLID.search(content):
        return FileKind.EMPTY
    for magic, kind in _MAGIC:
        if content.startswith(magic):
            return _ole_kind(content) if kind is FileKind.OLE else kind
    if content.startswith(b"PK\x03\x04") or content.startswith(b"PK\x05\x06"):
        return _zip_kind(content)
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return FileKind.IMAGE
    if content.startswith(b"BM") and len(content) > 26 and content[6:10] == b"\x00\x00\x00\x00":
        return FileKind.IMAGE
    if _is_pdf(content):
        return FileKind.PDF
    return _text_kind(content, raw.name)


def _is_pdf(content: bytes) -> bool:
    """A header at the very start, or after junk that is not itself a web page."""
    at = content.find(b"%PDF-", 0, _PDF_PREFIX)
    return at == 0 or (at > 0 and not _HTML_START.match(content[:at].decode("latin-1")))


def _ole_kind(content: bytes) -> FileKind:
    """A workbook (xls, et) by the name of its stream; Word, WPS and all else by the reader for those."""
    names = {name: name.encode("utf-16-le") + b"\x00\x00" in content for name in ("WordDocument", "Workbook", "Book")}
    sheet = (names["Workbook"] or names["Book"]) and not names["WordDocument"]
    return FileKind.SPREADSHEET if sheet else FileKind.OLE


def _zip_kind(content: bytes) -> FileKind:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = {name.lower() for name in archive.namelist()}
            if "mimetype" in archive.namelist():
                return _PACKAGES.get(archive.open("mimetype").read(80).strip(), FileKind.BINARY)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        # a damaged office file still carries its member names in the local headers
        return _damaged_zip_kind(content)
    return _office_kind(names) or FileKind.ARCHIVE


def _office_kind(names: set[str]) -> FileKind | None:
    if "ofd.xml" in names:
        return FileKind.OFD
    if names & _PROGRAMS:
        return FileKind.BINARY
    if "[content_types].xml" not in names:
        return None
    for folder, kind in (("word/", FileKind.DOCX), ("xl/", FileKind.SPREADSHEET), ("ppt/", FileKind.SLIDES)):
        if any(name.startswith(folder) for name in names):
            return kind
    return FileKind.BINARY


def _damaged_zip_kind(content: bytes) -> FileKind:
    head = content[:65536]
    if b"word/" in head:
        return FileKind.DOCX
    if b"OFD.xml" in head:
        return FileKind.OFD
    return FileKind.ARCHIVE


def _text_kind(content: bytes, name: str) -> FileKind:
    # the first characters, good enough to see ASCII markup in any encoding of a web page
    head = content[:4096].lstrip(b"\xff\xfe\xef\xbb\xbf\x00").decode("latin-1").replace("\x00", "")
    if _HTML_START.match(head):
        return FileKind.HTML
    if _MAIL.match(head.replace("\r\n", "\n")):
        return FileKind.HTML
    if re.match(r"\s*<\?xml", head):
        return FileKind.XML
    suffix = name.lower().rsplit(".", 1)[-1]
    if suffix in ("html", "htm", "shtml", "xhtml") and _HTML_TAGS.search(content[:65536].decode("latin-1")):
        return FileKind.HTML
    return FileKind.TEXT
