"""Bytes → ``ParsedDocument`` (解析). The format is decided by what the bytes are, never by the file's name.

``parse`` reads one file; ``unpacked`` turns a zip archive into its files first. Both return a value or raise
``UnreadableDocumentError`` (the person who has the file must act) or ``MissingDependencyError`` (a program must be
installed), each with a Chinese message and the next step. Importing this package is cheap: every reader and its
libraries load on first use.
"""

import hashlib
import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from nemo.errors import UnreadableDocumentError
from nemo.parse import garble
from nemo.parse.other.archive import Budget, Member, unpacked
from nemo.parse.pdf.places import PageImage
from nemo.parse.sniff import BLANK, FOREIGN, FileKind, kind_of
from nemo.settings import Settings
from nemo.types import Fault, Page, ParsedDocument, Picture, RawDocument

_READERS = {
    FileKind.PDF: "pdf.reader", FileKind.DOCX: "word.docx", FileKind.OFD: "other.ofd", FileKind.OLE: "word.office",
    FileKind.RTF: "word.rtf", FileKind.IMAGE: "pdf.scan", FileKind.HTML: "web.page", FileKind.TEXT: "other.plain",
    FileKind.SPREADSHEET: "other.sheets", FileKind.ODT: "word.odt",
}  # fmt: skip

_REFUSED = {
    FileKind.EMPTY: BLANK,
    FileKind.ARCHIVE: ("这是压缩包，不是单个文件。", ("请通过“上传”导入压缩包（会自动展开），或解压后逐个上传。",)),
    FileKind.FOREIGN_ARCHIVE: (
        "这是 RAR、7z 或 gzip 压缩包，不能展开。",
        ("请解压后重新打包为 ZIP，或逐个上传其中的文件。",),
    ),
    FileKind.SLIDES: ("这是演示文稿，不是法规文本。", ("如其中有法规正文，请另存为 PDF 或 Word 文档后上传。",)),
    FileKind.XML: (
        "这是 XML 数据文件，不是法规文本。",
        ("如由 Word 另存而来，请用 Word 打开后另存为 .docx 再上传。",),
    ),
    FileKind.BINARY: FOREIGN,
}


MOST_LINE = 500_000
"""Characters of a line. The longest code set as a single line has a fifth of them; a dump of data has any number, and
every later step would go over all of it."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read one file; its name only serves messages and tells Markdown from plain text.

    Raises:
        UnreadableDocumentError: damaged, encrypted, empty, too large, or without a regulation's body.
        MissingDependencyError: an optional program is needed for this format.
    """
    if len(raw.content) > settings.max_file_bytes:
        size = len(raw.content) / 2**20
        raise UnreadableDocumentError(
            f"文件 {size:.1f} MiB，超过上限 {settings.max_file_mb} MiB。",
            ("请拆分文件，或由管理员调高 NEMO_MAX_FILE_MB。",),
        )
    kind = kind_of(raw)
    if kind is FileKind.ARCHIVE:
        with unpacked(raw, settings):
            pass  # opening says what is wrong with an archive that cannot be opened
    if kind in _REFUSED:
        message, tips = _REFUSED[kind]
        raise UnreadableDocumentError(message, tips)
    reader: Callable[[RawDocument, Settings], ParsedDocument] = importlib.import_module(
        f"nemo.parse.{_READERS[kind]}"
    ).parse
    parsed = reader(raw, settings)
    if (longest := max(map(len, parsed.text.split("\n")))) > MOST_LINE:
        raise UnreadableDocumentError(
            f"文中有一行长达 {longest:,} 个字符，不是法规正文的样子，没有入库。",
            ("请核对文件；确是正文的，请按条、款分行后重新上传。",),
        )
    if garble.is_foreign(parsed.text):
        raise UnreadableDocumentError(
            "文中几乎没有汉字，不是中文的法规或政策文件，没有入库。",
            ("请上传中文文本；外文译本不能作为依据逐字引用。",),
        )
    parsed = _repaired(parsed)
    return replace(parsed, faults=(*parsed.faults, *garble.doubts(parsed.text, parsed.pages)))


def _repaired(parsed: ParsedDocument) -> ParsedDocument:
    """Resolve radicals and compatibility forms that stand for characters (⻛ → 风), whatever format brought them.

    Each is one character for one, so that every place in the text stays where it is.
    """
    text, changed = garble.repair(parsed.text)
    if not changed:
        return parsed
    message = f"文中有 {changed} 个字被编码为部首或兼容字符（如“⻛”），已还原为对应汉字，请核对原件。"
    title = garble.repair(parsed.title)[0] if parsed.title else None
    margin = tuple(garble.repair(line)[0] for line in parsed.margin)
    fault = Fault("radicals_repaired", message)
    return replace(parsed, text=text, title=title, margin=margin, faults=(*parsed.faults, fault))


def picture_image(raw: RawDocument, picture: Picture, settings: Settings) -> bytes:
    """Return a picture of a file as a new PNG; of a page the stretch under it, as it is printed.

    Raises:
        UnreadableDocumentError: the file holds no such picture any more, or it cannot be decoded.
    """
    from nemo.parse import pictures

    if picture.page is not None:
        from nemo.parse.pdf import pictures as figures
        from nemo.parse.pdf import reader as pdf

        return pictures.png(figures.cropped(pdf.page_bitmap(raw.content, picture.page), picture.box))
    if kind_of(raw) is FileKind.DOCX:
        from nemo.parse.word.pictures import content_of

        content = content_of(
            raw.content, picture.source, Budget(settings.max_document_bytes, settings.max_archive_files)
        )
    else:
        from nemo.parse.web import embedded, page

        content = embedded.content_of(page.source_of(raw.content)[0], picture.source)
    if content is None or hashlib.sha256(content).hexdigest() != picture.sha256:
        raise UnreadableDocumentError("原件中没有这张图片。", ("请重新上传该文件，或下载原件查看。",))
    return pictures.png(pictures.decoded(content))


def render(
    raw: RawDocument, page: int, quote: str | None = None, scale: float = 2.0, before: str | None = None,
    known: Sequence[Page] = (),
) -> PageImage:  # fmt: skip
    """Render a page of a PDF or picture as PNG, the quote boxed where it was found.

    Args:
        raw: the file as it came.
        page: sheet from 1.
        quote: words to box; None for a plain page.
        scale: pixels per point for a PDF, 1 is 72 dpi; pictures come as they are.
        before: text before the quote, to tell repeated ones apart; None when unknown.
        known: the pages as they were read; those that OCR read can only be boxed with them, and only roughly.

    Raises:
        UnreadableDocumentError: the format has no pages, the file cannot be opened, or has no such page.
    """
    kind = kind_of(raw)
    if kind is FileKind.PDF:
        from nemo.parse.pdf import reader as pdf

        return pdf.render(raw.content, page, quote, scale, before, known)
    if kind is FileKind.IMAGE:
        from nemo.parse.pdf import scan

        return scan.render(raw.content, page, quote, before, known)
    raise UnreadableDocumentError("该文件格式没有页面图像。", ("请下载原件查看。",))
