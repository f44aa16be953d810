"""Plain text and Markdown (纯文本): encoding found, text kept untouched.

Offsets into a clean text file must stay offsets into the stored text, so nothing is trimmed or re-wrapped. Only a
dump of something else is cleaned, with a fault that says so: PDF text with page marks and printed page numbers loses
its furniture, web text with navigation lines loses those. Rows of a table that was copied with tabs get bars.
"""

import codecs
import re
import unicodedata
from dataclasses import replace
from itertools import groupby

from nemo.errors import UnreadableDocumentError
from nemo.parse import furniture, lines
from nemo.parse.lines import PrintedLine
from nemo.parse.other import mail, sheets
from nemo.parse.sniff import FOREIGN
from nemo.parse.web import surroundings
from nemo.settings import Settings
from nemo.types import Fault, Page, ParsedDocument, RawDocument

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_PAGE_MARK = re.compile(r"^\[第 ?\d+ ?页\]$")
_MD_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_MD_STRONG = re.compile(r"\*\*([^*\n]{1,300})\*\*")
"""Bold words of Markdown: its marks are no characters of the paper."""
_FRONT_TITLE = re.compile(r"\A---\r?\n(?:[^\n]*\n)*?title:([^\r\n]+)\r?\n", re.IGNORECASE)

_BLANK = " \t\r　"
_APART = re.compile(r" \| |[^\s\d][ \t]{4,}(?:[^\s\d]|(?:19|20)\d\d年\d{1,2}月\d{1,2}日$)|[^\s\d][ \t]*　{2,}[^\s\d]")
"""A row of a table, or of names set in columns (two issuers side by side, a body and its day): never part of a sentence."""
_FIRST_LINES = 0.7
"""Share of lines up to which those set in are the first lines of paragraphs; more of them are quoted or set in as a block."""
_CELLS = re.compile(r"[^\t]{1,200}(?:\t[^\t]{0,200}){1,40}")
_GAP = re.compile(r"(?<=\S)[ 　]{2,}(?=\S)")
"""What parts the cells of a table that was set with blanks."""
_LEAST_ROWS = 3
_BAD_TEXT = ("请确认它是文本文件，并另存为 UTF-8 编码后上传。",)


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a text file.

    Raises:
        UnreadableDocumentError: binary content, unknown encoding, no visible character, or a page without a body.
    """
    text, encoding, faults = decode(raw.content)
    if not text.strip():
        raise UnreadableDocumentError("文件里没有可见文字。", ("请重新导出该文件后上传。",))
    if raw.name.lower().endswith((".md", ".markdown")):
        text = _MD_STRONG.sub(r"\1", text)
        return ParsedDocument(text, (), f"markdown/{encoding}", faults=faults, title=_title(text))
    if (table := sheets.parse_separated(text, encoding, faults)) is not None:
        return table
    text = _with_bars(mail.unquoted(text))
    if surroundings.is_dump(text):
        return surroundings.parse_dump(text, raw)
    if _is_pdf_dump(text):
        return _parse_pdf_dump(text, encoding, faults)
    rows = [row.strip(_BLANK) for row in text.split("\n")]
    if "\f" not in text and lines.wrapped(row for row in rows if row):
        return _parse_wrapped(text.split("\n"), encoding, faults)
    pages = form_feed_pages(text)
    if len(pages) > settings.max_pages:
        raise UnreadableDocumentError(f"共 {len(pages)} 页，超过上限 {settings.max_pages} 页。", ("请拆分后上传。",))
    return ParsedDocument(text, pages, f"plain/{encoding}", faults=faults)


def _with_bars(text: str) -> str:
    """Return a text with bars between the cells of its tables, set with tabs or blanks: lines below each other of equally many."""
    found: list[str] = []
    for (gap, size), run in groupby(text.split("\n"), key=_columns):
        own = list(run)
        figures = sum(any(map(str.isdigit, row)) for row in own[1:])  # blanks part names set side by side as well
        table = size and len(own) >= _LEAST_ROWS and (gap == "\t" or 2 * figures >= len(own))
        found += (
            [re.sub(gap, " | ", row.rstrip() if gap == "\t" else row.strip(_BLANK)) for row in own] if table else own
        )
    return "\n".join(found)


def _columns(row: str) -> tuple[str, int]:
    """Return what parts the cells of a row, and how often: tabs, or blanks at two places and more; 0 for a line of text."""
    if _CELLS.fullmatch(row.rstrip()):
        return "\t", row.rstrip().count("\t")
    gaps = 0 if "。" in row else len(_GAP.findall(row.strip(_BLANK)))
    return (_GAP.pattern, gaps) if gaps > 1 else ("", 0)


def _parse_wrapped(rows: list[str], encoding: str, faults: tuple[Fault, ...]) -> ParsedDocument:
    """Read text whose lines were broken at a fixed width: one sentence over many lines becomes one paragraph again."""
    cleaned = furniture.strip([_set_in(rows)])
    body, _ = lines.rejoin(cleaned.pages)
    note = Fault("lines_joined", "原文件按固定宽度断行，已把被截断的句子接成段落，请以原件为准。")
    return ParsedDocument(
        body, (), f"plain-wrapped/{encoding}", faults=(*faults, note), margin=cleaned.margin, removed=cleaned.removed
    )


def _set_in(rows: list[str]) -> list[PrintedLine]:
    """Return the lines that hold words, each with how far it is set in (em) where only some of them are."""
    filled = [row.rstrip(_BLANK) for row in rows if row.strip(_BLANK)]
    leads = [lines.width(row[: len(row) - len(row.lstrip(_BLANK))].replace("\t", "　　")) for row in filled]
    base = min(leads)
    some = sum(lead - base >= lines.INDENTED for lead in leads)
    known = 0 < some <= _FIRST_LINES * len(leads)
    return [
        PrintedLine(
            row.strip(_BLANK),
            1,
            left=lead - base if known else None,
            apart=_APART.search(row.strip(_BLANK)) is not None,
        )
        for row, lead in zip(filled, leads, strict=True)
    ]


def decode(content: bytes) -> tuple[str, str, tuple[Fault, ...]]:
    """Return the text, the encoding's name and faults.

    Raises:
        UnreadableDocumentError: the bytes are no text in UTF-8, UTF-16, UTF-32 or GB18030.
    """
    for bom, name in _BOMS:
        if content.startswith(bom):
            return _checked(*_lenient(content[len(bom) :], name))
    if (wide := _bare_utf32(content) or _bare_utf16(content)) is not None:
        return _checked(*_lenient(content, wide))
    try:
        return _checked(content.decode("utf-8"), "utf-8", ())
    except UnicodeDecodeError:
        pass  # not UTF-8 throughout: the next lines decide between GB18030 and damaged UTF-8
    text = _gb18030(content)
    if text is not None:
        return _checked(text, "gb18030", ())
    if (traditional := _big5(content)) is not None:
        return _checked(traditional, "big5", ())
    return _checked(*_lenient(content, "utf-8"))


def _lenient(content: bytes, encoding: str) -> tuple[str, str, tuple[Fault, ...]]:
    """Decode with a few damaged bytes allowed; each shows as U+FFFD and a fault counts them."""
    text = content.decode(encoding, errors="replace")
    bad = text.count("\ufffd")
    if bad > max(3, len(text) * 0.005):
        if len(_CONTROL.findall(text)) > len(text) * 0.005:
            raise UnreadableDocumentError(*FOREIGN)
        raise UnreadableDocumentError("无法识别文件的文字编码。", _BAD_TEXT)
    faults = (Fault("undecodable_characters", f"有 {bad} 处字符已损坏，显示为“�”，请核对原件。"),) if bad else ()
    return text, encoding, faults


def _checked(text: str, encoding: str, faults: tuple[Fault, ...]) -> tuple[str, str, tuple[Fault, ...]]:
    text = text.removesuffix("\x1a")
    control = len(_CONTROL.findall(text))
    if "\x00" in text or control > len(text) * 0.005:
        raise UnreadableDocumentError(*FOREIGN)
    return text, encoding, faults


def _bare_utf32(content: bytes) -> str | None:
    """UTF-32 without a mark: of every four bytes, two at one end are zero."""
    sample = content[:4096]
    if len(content) < 8 or len(content) % 4:
        return None
    if not any(sample[0::4]) and max(sample[1::4]) <= 0x10:
        return "utf-32-be"
    return "utf-32-le" if not any(sample[3::4]) and max(sample[2::4]) <= 0x10 else None


def _bare_utf16(content: bytes) -> str | None:
    """UTF-16 without a mark: line feeds and spaces are 0x0A00/0x2000 on one side only, and the text is mostly Chinese."""
    if len(content) < 4 or len(content) % 2 or b"\x00" not in content[:4096]:
        return None
    for name in ("utf-16-le", "utf-16-be"):
        sample = content[:4096].decode(name, errors="replace")
        usual = sum(
            1 for c in sample if "\u4e00" <= c <= "\u9fff" or (c.isascii() and (c.isprintable() or c in "\r\n\t"))
        )
        if usual >= 0.7 * len(sample):
            return name
    return None


def _gb18030(content: bytes) -> str | None:
    """Decode as GB18030, None when the result does not look like Chinese: nearly any bytes decode as something."""
    try:
        text = content.decode("gb18030")
    except UnicodeDecodeError as error:
        if error.start < len(content) - 3:
            return None
        text = content[: error.start].decode("gb18030")
    wide = [c for c in text if not c.isascii()]
    common = sum(1 for c in wide if _is_common(c))
    return text if wide and common >= 0.9 * len(wide) else None


def _big5(content: bytes) -> str | None:
    """Decode as Big5, None when the result is not mostly Chinese: its lead bytes overlap those of GBK."""
    try:
        text = content.decode("big5hkscs")
    except UnicodeDecodeError:
        return None
    wide = [c for c in text if not c.isascii()]
    usual = sum(1 for c in wide if "\u4e00" <= c <= "\u9fff" or "\u3000" <= c <= "\u303f" or "\uff00" <= c <= "\uffef")
    return text if wide and usual >= 0.98 * len(wide) else None


def _is_common(char: str) -> bool:
    """First-level characters of GB 2312 (ordered by use) and Chinese punctuation."""
    try:
        code = char.encode("gb2312")
    except UnicodeEncodeError:
        return char in "—～·〔〕﹝﹞〇℃" or unicodedata.category(char) in ("Po", "Ps", "Pe", "Pd")
    return len(code) == 2 and (0xB0 <= code[0] <= 0xD7 or code[0] <= 0xA3)


def form_feed_pages(text: str) -> tuple[Page, ...]:
    """Return one page per form feed and the rest; none when the text has no form feed. A form feed ends its page."""
    if "\f" not in text:
        return ()
    starts = [0, *(i + 1 for i, c in enumerate(text) if c == "\f")]
    if len(starts) > 1 and not text[starts[-1] :].strip():
        starts.pop()
    return lines.page_spans(starts, len(text))


def _title(text: str) -> str | None:
    found = _FRONT_TITLE.match(text) or _MD_TITLE.search(text)
    return found.group(1).strip().strip("\"'") if found else None


def _is_pdf_dump(text: str) -> bool:
    """Text copied out of a PDF with its marks: ``[第 1 页]`` lines, or two or more printed page numbers (— 8 —)."""
    rows = text.splitlines()
    marks = sum(1 for row in rows if _PAGE_MARK.match(row.strip()))
    numbers = sum(1 for row in rows if furniture.page_number(row))
    return marks >= 1 or numbers >= 2


def _parse_pdf_dump(text: str, encoding: str, faults: tuple[Fault, ...]) -> ParsedDocument:
    cleaned = furniture.strip(_dump_sheets(text))
    body, pages = cleaned.joined()
    note = Fault("text_dump", "这是从 PDF 复制出的文本：已去除页码、红头等页面附属并重组断行，请以原件为准。")
    return ParsedDocument(body, pages, f"plain-dump/{encoding}", faults=(*faults, note), margin=cleaned.margin)


def _dump_sheets(text: str) -> list[list[PrintedLine]]:
    """Split a dump at its ``[第 N 页]`` marks, else at form feeds, else before each printed page number."""
    rows = [row.rstrip(_BLANK) for row in re.split(r"\n|(?<=\f)|(?=\f)", text)]
    if any(_PAGE_MARK.match(row.strip()) for row in rows):
        is_break = _PAGE_MARK.match
        rows = [row for row in rows if row != "\f"]
    elif "\f" in rows:
        is_break = re.compile("^\f$").match
    else:
        rows = [part for row in rows for part in (("\f", row) if furniture.page_number(row) else (row,))]
        is_break = re.compile("^\f$").match
    printed = iter(_set_in([row for row in rows if not is_break(row.strip(_BLANK))]))
    sheets: list[list[PrintedLine]] = [[]]
    blank = False
    for row in rows:
        if is_break(row.strip(_BLANK)):
            sheets.append([])
        elif row:
            line = replace(next(printed), page=len(sheets), blank_before=blank and bool(sheets[-1]))
            sheets[-1].append(line)
        blank = not row
    while len(sheets) > 1 and not sheets[-1]:
        sheets.pop()
    return sheets if sheets[0] else sheets[1:]
