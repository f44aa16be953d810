"""PDF: text with places, page images with a quote boxed. All calls of PDFium.

PDFium is not thread-safe: without a lock a server that renders from several sessions dies. Every call goes through
``_LOCK``, those of ``actual_text`` too; only plain values (``Sheet``) leave it.
"""

import ctypes
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from nemo.errors import UnreadableDocumentError
from nemo.parse import furniture, garble
from nemo.parse.furniture import CleanedPages, removal_faults
from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.pdf import actual_text, drawn, pictures, places, ruled_tables, sample, two_up, upright, webprint
from nemo.parse.pdf.drawn import WHOLE_PAGE, DrawnPage
from nemo.parse.pdf.places import PageImage
from nemo.parse.web.surroundings import absent, named_files, require_body
from nemo.settings import Settings
from nemo.types import Fault, Page, ParsedDocument, RawDocument

_LOCK = threading.RLock()
_MAX_GLYPHS = 20_000_000
"""Characters of one file; a regulation of 3,000 dense pages has about five million."""
_MAX_PAGE_GLYPHS = 50_000
"""Characters of one page; the densest table on A3 has some ten thousand."""
_CHINESE = re.compile("[\u4e00-\u9fff]")
_SENTENCE = 8
"""A line with this many Chinese characters is part of a sentence, not of a formula."""
_SCAN_COVER = 0.5
"""A picture over this share of the page, with next to no text, is a scanned page."""
_STAMP = 50
"""Characters that may stand on a scan without being its text."""
_SCAN_DPI = 200
_MAX_PIXELS = 60_000_000
_HYPHENS = (0x2, 0xFFFE)
"""What PDFium gives for a printed hyphen at the end of a line; it leaves out the line break after it."""
_FEW = 60
"""Characters a page, below which a file with lost characters holds no text worth keeping."""
_WINDOW = 2
"""Sheets read on either side of a page to find a quote that runs over its edge."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a PDF: text layer where it is fit to quote, OCR for the other pages.

    Raises:
        UnreadableDocumentError: damaged, encrypted, too many pages, or without any text.
        MissingDependencyError: pages need OCR and it is not installed.
    """
    sheets = read_sheets(raw.content, settings.max_pages)
    need_ocr = [s.number for s in sheets if needs_ocr(s)]
    faults = list(_sheet_faults(sheets))
    found = {s.number: lines_of(s) for s in sheets if s.number not in need_ocr}
    confidence: float | None = None
    if need_ocr:
        from nemo.parse.pdf import scan  # heavy: only for pages that need it

        images = ((n, page_bitmap(raw.content, n)) for n in need_ocr)
        recognised = scan.read_pages(images, len(need_ocr), settings.parse_seconds)
        found |= _richer(sheets, recognised.lines)
        confidence = recognised.confidence
        faults += (*recognised.faults, *_lost_faults(sheets, found))
    cleaned = _cleaned(sheets, found)
    written = [sheet for sheet in sheets if sheet.number not in need_ocr and sheet.image < WHOLE_PAGE]
    figures = pictures.FiguresOfPages(written, cleaned, settings.parse_seconds, lambda n: page_bitmap(raw.content, n))
    text, pages = cleaned.joined([sheet.width for sheet in sheets])
    _require_text(sheets, text, bool(need_ocr))
    faults += figures.faults(met := figures.placed(text))
    rows = text.split("\n")
    leads = named_files((*cleaned.removed, *(rows if cleaned.site_title is not None else ())))
    if cleaned.site_title is not None:
        require_body(rows, cleaned.site_title, leads)
    faults += (*absent(leads), *garble.line_faults(cleaned.pages, text))
    faults += webprint.cut_fault(cleaned.pages, max(s.width for s in sheets))
    faults += removal_faults(cleaned.removed, len(text), cleaned.linked)
    parsed = ParsedDocument(
        text,
        pages,
        "pdf/ocr" if len(need_ocr) == len(sheets) else "pdf/pdfium",
        confidence,
        tuple(faults),
        margin=(*cleaned.margin, *dict.fromkeys(s.watermark for s in sheets if s.watermark)),
        removed=cleaned.removed,
        pictures=met,
    )
    doubts = sample.compared(parsed, lambda number: page_bitmap(raw.content, number))
    return replace(parsed, faults=(*parsed.faults, *doubts))


def _richer(sheets: Sequence[DrawnPage], recognised: Mapping[int, list[PrintedLine]]) -> dict[int, list[PrintedLine]]:
    """What OCR found; of a page with lost characters what its text layer still holds when OCR found less."""
    kept = dict(recognised)
    for sheet in sheets:
        if sheet.lost and sum(len(line.text) for line in kept[sheet.number]) < _solid(sheet.glyphs):
            kept[sheet.number] = lines_of(sheet)
    return kept


def _lost_faults(sheets: Sequence[DrawnPage], found: Mapping[int, list[PrintedLine]]) -> Iterator[Fault]:
    read = {number: sum(len(line.text) for line in page) for number, page in found.items()}
    lost = [s.number for s in sheets if actual_text.is_lost(read[s.number], s.lost)]
    if lost:
        yield Fault("text_lost", f"第{places.listing(lost)}页的文字因字体缺失未能读出，图像上也看不到，请换一份文件。")


def _require_text(sheets: Sequence[DrawnPage], text: str, by_ocr: bool) -> None:
    """Refuse a file without text, or with so little beside lost characters that nothing can be quoted."""
    solid = sum(not char.isspace() for char in text)
    if not solid:
        why = "图像识别也没有结果" if by_ocr else "页面是空白的"
        raise UnreadableDocumentError(f"PDF 里没有可读文字，{why}。", ("请上传清晰的扫描件或有文字层的 PDF。",))
    if any(sheet.lost for sheet in sheets) and solid < _FEW * len(sheets):
        raise UnreadableDocumentError(
            f"PDF 的字体缺失，{len(sheets)} 页只读出 {solid} 个字，页面图像上也看不到。",
            ("请从原网页重新打印（先安装中文字体），或上传原始文件。",),
        )


def _cleaned(sheets: Sequence[DrawnPage], found: Mapping[int, list[PrintedLine]]) -> CleanedPages:
    """Take the furniture of every sheet out, and the boilerplate of the site when the file is a web page printed."""
    links = sum(len(sheet.links) for sheet in sheets)
    return two_up.cleaned(
        sheets, [list(found[s.number]) for s in sheets], lambda pages: _without_furniture(pages, links)
    )


def _without_furniture(pages: list[list[PrintedLine]], links: int) -> CleanedPages:
    stamps, printed = webprint.take_stamps(pages)
    around: list[PrintedLine] = []
    cards: tuple[str, ...] = ()
    title = None
    if webprint.is_print(pages, stamps, links):
        title = webprint.page_title(stamps, pages[0])
        pages, cards, around = webprint.without_boilerplate(pages, title)
    cleaned = furniture.strip(pages)
    numbers = [own or stamped for own, stamped in zip(cleaned.printed, printed, strict=True)]
    removed = (*stamps, *(line.text for line in around), *cleaned.removed)
    linked = webprint.links_among(around)
    return CleanedPages(cleaned.pages, numbers, (*cards, *cleaned.margin), removed, linked, title)


def needs_ocr(sheet: DrawnPage) -> bool:
    """Whether a page's text layer is missing or garbled. An empty page without a picture needs nothing."""
    if sheet.lost:
        return True  # its fonts are no help, its glyphs may be
    text = "".join(g.char for g in sheet.glyphs)
    solid = _solid(sheet.glyphs)
    if solid < 12:
        return sheet.picture >= _SCAN_COVER
    if solid <= _STAMP and sheet.image >= WHOLE_PAGE:
        return True  # a stamp or a register number put over a scan
    return _garbled(text)


def _garbled(text: str) -> bool:
    """Whether the text layer is unfit: its sentences are damaged. Letters of formulas that no font explains are not meant.

    A page of sound sentences between formulas keeps its text layer; recognising it anew would put errors into them.
    """
    if garble.unusable_share(text) <= garble.GARBLED_SHARE:
        return garble.is_of_wrong_table(text)
    sentences = [line for line in re.split(r"[\r\n]+", text) if len(_CHINESE.findall(line)) >= _SENTENCE]
    return not sentences or garble.unusable_share("".join(sentences)) > garble.GARBLED_SHARE


def lines_of(sheet: DrawnPage) -> list[PrintedLine]:
    """Return a page's lines in reading order, tables as rows, each with the share of it that is links."""
    halves = (ruled_tables.with_tables(half.glyphs, half.rules, half.number) for half in two_up.halves(sheet))
    found = [line for half in halves for line in half]
    return webprint.with_links(found, sheet.links) if sheet.links else found


def _sheet_faults(sheets: Sequence[DrawnPage]) -> Iterator[Fault]:
    broken = [s.number for s in sheets if s.broken]
    if broken:
        yield Fault("pages_unreadable", f"第{places.listing(broken)}页已损坏，未能读取。")
    repaired = sum(s.repaired for s in sheets)
    if repaired:
        yield Fault(
            "radicals_repaired", f"文字层中有 {repaired} 个字被编码为部首（如“⻛”），已还原为对应汉字，请核对原件。"
        )
    stated = [s.number for s in sheets if s.stated]
    if stated:
        yield Fault(
            "glyphs_missing",
            f"第{places.listing(stated)}页的字体缺字，文字取自文件内的替代文本，图像上看不到，请核对原件。",
        )
    hidden = [s.number for s in sheets if s.picture >= WHOLE_PAGE and not needs_ocr(s) and len(s.glyphs) > _STAMP]
    if hidden:
        yield Fault(
            "scanned_text_layer",
            f"第{places.listing(hidden)}页是扫描图像，文字层由他人识别生成，可能有误，请核对原件。",
        )


def locate(
    content: bytes, page: int, quote: str, before: str | None = None, known: Sequence[Page] = ()
) -> tuple[Box, ...]:
    """Return where a quote stands on a page, one box per printed line, in points from the top left corner.

    The quote is compared without white space, over line and page breaks, with page furniture left out. A quote that
    occurs more than once is placed only if the text ``before`` it decides which one is meant (``""`` for the opening of
    the document). On pages that OCR read the boxes are estimated from the lines in ``known``.

    Returns:
        Empty when the quote is not found or not unique: a wrong box is worse than none.

    Raises:
        UnreadableDocumentError: the file cannot be opened or has no such page.
    """
    with _open(content) as document:
        count = len(document)
        places.require_page(page, count)
        numbers = range(max(1, page - _WINDOW), min(count, page + _WINDOW) + 1)
        sheets = two_up.marked([_read_sheet(document, n) for n in numbers])
    read = {each.number: each for each in known if each.recognised}
    cleaned = _cleaned(sheets, {s.number: [] if s.number in read or needs_ocr(s) else lines_of(s) for s in sheets})
    for sheet, printed in zip(sheets, cleaned.pages, strict=True):
        if sheet.number in read:
            printed[:] = places.recognised_lines(read[sheet.number], sheet.width, sheet.height)
    for pages in (cleaned.pages, furniture.without_repeated(cleaned.pages)):
        if found := places.boxes_of([line for sheet in pages for line in sheet], page, quote, before):
            return found
    return ()


def render(
    content: bytes, page: int, quote: str | None = None, scale: float = 2.0, before: str | None = None,
    known: Sequence[Page] = (),
) -> PageImage:  # fmt: skip
    """Render a page as PNG, the quote boxed where it was found; what is given is as for :func:`nemo.parse.render`.

    Raises:
        UnreadableDocumentError: the file cannot be opened or has no such page.
    """
    found = locate(content, page, quote, before, known) if quote else ()
    image, count, scale = _bitmap(content, page, scale)
    boxes = tuple(Box(*(v * scale for v in box)) for box in found)
    estimated = bool(boxes) and any(each.recognised for each in known if each.number == page)
    return PageImage(places.boxed_png(image, boxes), boxes, count, estimated)


def page_bitmap(content: bytes, page: int) -> Any:
    """Return a page as a Pillow image at 200 dpi, for OCR."""
    return _bitmap(content, page, _SCAN_DPI / 72)[0]


# --- PDFium, behind the lock -----------------------------------------------------------------------------------------


@contextmanager
def _open(content: bytes) -> Iterator[pypdfium2.PdfDocument]:
    with _LOCK:
        try:
            document = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError as error:
            raise _unopened(error) from error
        try:
            yield document
        finally:
            document.close()


def _unopened(error: pypdfium2.PdfiumError) -> UnreadableDocumentError:
    if pdfium.FPDF_GetLastError() == pdfium.FPDF_ERR_PASSWORD or "password" in str(error).lower():
        return UnreadableDocumentError("PDF 已加密，需要密码才能打开。", ("请用密码打开后另存为不加密的 PDF 再上传。",))
    return UnreadableDocumentError(
        "PDF 已损坏或不完整，无法打开。", ("请重新下载，或用阅读器打开后“打印为 PDF”再上传。",)
    )


def read_sheets(content: bytes, max_pages: int) -> list[DrawnPage]:
    """Read every page.

    Raises:
        UnreadableDocumentError: damaged, encrypted, no pages, too many pages or characters.
    """
    with _open(content) as document:
        count = len(document)
        if count == 0:
            raise UnreadableDocumentError("PDF 里没有页面。", ("请重新导出或下载该文件后再上传。",))
        if count > max_pages:
            raise UnreadableDocumentError(
                f"PDF 共 {count} 页，超过上限 {max_pages} 页。", ("请拆分后上传，或由管理员调高 NEMO_MAX_PAGES。",)
            )
        sheets: list[DrawnPage] = []
        total = 0
        for number in range(1, count + 1):
            sheets.append(_read_sheet(document, number))
            total += len(sheets[-1].glyphs)
            if total > _MAX_GLYPHS:
                raise UnreadableDocumentError("PDF 文字量异常巨大，已停止读取。", ("请拆分后上传。",))
    if all(sheet.broken for sheet in sheets):
        raise UnreadableDocumentError("PDF 的所有页面都已损坏，无法读取。", ("请重新下载该文件后再上传。",))
    return two_up.marked(sheets)


def _read_sheet(document: pypdfium2.PdfDocument, number: int) -> DrawnPage:
    try:
        page, text, turned = upright.opened(document, number)
    except pypdfium2.PdfiumError:
        return DrawnPage(number, 0, 0, (), (), 0, 0, broken=True)
    try:
        width, height = page.get_size()
        matrix = drawn.matrix_of(page, width, height)
        placed, watermark = _glyphs(text, matrix, turned, upright.holds_forms(page))
        placed, lost, stated = _stated(page, text, matrix, placed)
        found, repaired = _repaired(placed)
        more = drawn.objects(page, matrix, width, height)
        rules, links = ruled_tables.within(more.rules, width, height), tuple(drawn.links(page, matrix))
        return DrawnPage(
            number, width, height, found, rules, max(more.image, more.hidden), repaired, watermark, image=more.image,
            links=links, lost=lost, stated=stated, pictures=more.pictures,
        )  # fmt: skip
    finally:
        text.close()
        page.close()


def _glyphs(
    text: pypdfium2.PdfTextPage, matrix: tuple[float, ...], turned: bool, in_forms: bool = False
) -> tuple[list[Glyph], str]:
    """Characters of a page in PDFium's order, and the words of slanted watermarks, which are no part of the text.

    On a page that was turned the words that still lie across it, its number and running head, are no part of it either.
    """
    rect = pdfium.FS_RECTF()
    reference, handle = ctypes.byref(rect), text.raw
    unicode_at, box_at = pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox
    found: list[Glyph] = []
    slanted: list[str] = []
    if text.count_chars() > _MAX_PAGE_GLYPHS:
        raise UnreadableDocumentError(
            f"PDF 的一页上有超过 {_MAX_PAGE_GLYPHS} 个字符，不是印得出来的页面，未读取。", ("请重新导出后再上传。",)
        )
    for index in range(text.count_chars()):
        code = unicode_at(handle, index)
        if code == 0 or code > 0x10FFFF:
            continue
        char = "-" if code in _HYPHENS else chr(code)
        if upright.is_aslant(handle, index) or (turned and upright.lies_across(handle, index, matrix)):
            slanted.append(char)
            continue
        box_at(handle, index, reference)
        own = upright.place_in_form(handle, index) if in_forms else None
        box = drawn.shown(matrix, *(own or (rect.left, rect.bottom, rect.right, rect.top)))
        found.append(Glyph(char, box, char == " " and pdfium.FPDFText_IsGenerated(handle, index) == 1))
        if code in _HYPHENS:
            found.append(Glyph("\n", box))
    return _pairs_joined(found), "".join(slanted).strip()


def _stated(
    page: pypdfium2.PdfPage, text: pypdfium2.PdfTextPage, matrix: tuple[float, ...], placed: list[Glyph]
) -> tuple[list[Glyph], int, bool]:
    """Return the characters of a page, how many pieces of them are lost, and whether they are those that the file states instead."""
    pieces = actual_text.pieces_of(page)
    if not actual_text.is_lost(_solid(placed), pieces):
        return placed, 0, False
    said = actual_text.glyphs_of(page, text, lambda *box: drawn.shown(matrix, *box))
    sound = sum(not garble.is_unusable(g.char) for g in said if not g.char.isspace())
    better = sound > _solid(placed) and not actual_text.is_lost(sound, pieces)
    return (said, 0, True) if better else (placed, pieces, False)


def _solid(placed: Sequence[Glyph]) -> int:
    return sum(not g.char.isspace() for g in placed)


def _pairs_joined(found: list[Glyph]) -> list[Glyph]:
    """Join UTF-16 surrogate halves, which PDFium reports one by one."""
    if not any("\ud800" <= g.char <= "\udfff" for g in found):
        return found
    joined: list[Glyph] = []
    for glyph in found:
        high = joined[-1].char if joined else ""
        if "\ud800" <= high <= "\udbff" and "\udc00" <= glyph.char <= "\udfff":
            char = (high + glyph.char).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
            joined[-1] = Glyph(char, joined[-1].box)
        else:
            joined.append(glyph)
    return [g._replace(char="\ufffd") if "\ud800" <= g.char <= "\udfff" else g for g in joined]


def _repaired(found: list[Glyph]) -> tuple[tuple[Glyph, ...], int]:
    text, changed = garble.repair("".join(g.char for g in found))
    if not changed:
        return tuple(found), 0
    return tuple(g._replace(char=c) for g, c in zip(found, text, strict=True)), changed


def _bitmap(content: bytes, page: int, scale: float) -> tuple[Any, int, float]:
    """A page as RGB Pillow image, the number of pages, and the scale used: huge pages are reduced."""
    with _open(content) as document:
        count = len(document)
        places.require_page(page, count)
        try:
            sheet, text, _ = upright.opened(document, page)
            text.close()
            width, height = sheet.get_size()
            limit = (_MAX_PIXELS / max(1.0, width * height)) ** 0.5
            image = sheet.render(scale=min(scale, limit)).to_pil().convert("RGB")
        except (pypdfium2.PdfiumError, MemoryError, ValueError) as error:
            raise UnreadableDocumentError(f"第 {page} 页无法显示。", ("请下载原件查看。",)) from error
    return image, count, image.width / max(1.0, width)
