"""OpenDocument texts (.odt): paragraphs, lists and tables of ``content.xml``, the text as it stands after all changes.

What a tracked change deleted lies apart from the text (OpenDocument 1.3, part 3, 5.5.1) and is left out; numbers of lists
are restored, for the file holds only their styles (19.880, 16.31).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse.lines import unbroken, unwrapped
from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.parse.other.markup import local, parse_xml
from nemo.parse.pictures import faults as picture_faults
from nemo.parse.word import formulas
from nemo.parse.word.docx import raised
from nemo.parse.word.numbering import format_number
from nemo.settings import Settings
from nemo.types import ParsedDocument, RawDocument

_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_MAX_DEPTH = 60
"""Lists in tables in frames; deeper is an attack."""
_MOST_BLANKS = 200
_BLANKS = re.compile(r"[ \t\r\n]+")
"""White space of the XML, which stands for one blank (6.1.2)."""
_GONE = frozenset(
    ("tracked-changes", "annotation", "annotation-end", "ruby-text", "note-citation", "hidden-text", "forms", "sequence-decls",
     "bookmark", "page-number", "page-count")
)  # fmt: skip
_BLOCKS = frozenset(("p", "h", "list", "table"))
_FORMS = {
    "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
    "一, 二, 三, ...": "chineseCounting", "①, ②, ③, ...": "decimalEnclosedCircle", "甲, 乙, 丙, ...": "ideographTraditional",
    "１, ２, ３, ...": "decimalFullWidth",
}  # fmt: skip
"""Formats of numbers (style:num-format) by the names that Word has for them."""


class _ListLevel(NamedTuple):
    """How one level of a list is numbered."""

    prefix: str
    suffix: str
    form: str
    """Empty for a bullet."""
    start: int
    shown: int
    """How many levels a number shows (1.2.3)."""


@dataclass
class _OdtReader:
    """What one pass over a text needs and finds."""

    styles: dict[str, dict[int, _ListLevel]]
    high: frozenset[str]
    """Styles of superscripts: 10³ is not 103."""
    counts: dict[str, list[int]] = field(default_factory=dict)
    """Running numbers of each list style, by level."""
    label: str = ""
    """Number that the next paragraph carries."""
    notes: list[str] = field(default_factory=list)
    dropped: int = 0
    """Pictures whose content was not read."""


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read an OpenDocument text.

    Raises:
        UnreadableDocumentError: damaged, encrypted, or without text.
    """
    budget = Budget(settings.max_document_bytes, settings.max_archive_files)
    with open_zip(raw.content) as container:
        if b"encryption-data" in (read_member(container, "META-INF/manifest.xml", budget) or b""):
            raise UnreadableDocumentError("文件已加密，需要密码才能打开。", ("请解除密码后重新上传。",))
        parts = [read_member(container, name, budget) for name in ("content.xml", "styles.xml")]
    content, styles = (parse_xml(part) if part is not None else None for part in parts)
    body = content.find(f".//{_OFFICE}text") if content is not None else None
    if body is None:
        raise UnreadableDocumentError(
            "ODT 文档缺少正文部分，无法读取。", ("请用 WPS 或 LibreOffice 打开后另存为 .docx 再上传。",)
        )
    reader = _OdtReader({**_list_styles(styles), **_list_styles(content)}, _high_styles(content))
    rows = [row for row in _blocks(body, reader, 0) if row.strip()]
    rows += [f"注{number}：{note}" for number, note in enumerate(reader.notes, 1)]
    if not rows:
        raise UnreadableDocumentError(
            "ODT 文档里没有文字。", ("如内容是图片，请另存为 PDF 后上传，系统会进行文字识别。",)
        )
    text = "\n".join(unwrapped(rows))
    faults = (*picture_faults((), reader.dropped), *formulas.unreadable(text))
    return ParsedDocument(text, (), "odt", faults=faults)


def _list_styles(root: etree._Element | None) -> dict[str, dict[int, _ListLevel]]:
    """Return the levels of every list style of a part, and of the headings (outline) under an empty name."""
    found: dict[str, dict[int, _ListLevel]] = {}
    for style in root.iter(f"{_TEXT}list-style", f"{_TEXT}outline-style") if root is not None else ():
        name = style.get(f"{_STYLE}name", "") if local(style) == "list-style" else ""  # "": every list without one
        found[name] = {
            _int(level.get(f"{_TEXT}level"), 1): _level(level) for level in style if isinstance(level.tag, str)
        }
    return found


def _high_styles(content: etree._Element | None) -> frozenset[str]:
    places = content.iter(f"{_STYLE}text-properties") if content is not None else ()
    high = (each.getparent() for each in places if each.get(f"{_STYLE}text-position", "").startswith("super"))
    return frozenset(style.get(f"{_STYLE}name", "") for style in high)


def _level(level: etree._Element) -> _ListLevel:
    prefix, suffix, form = (level.get(f"{_STYLE}num-{name}", "") for name in ("prefix", "suffix", "format"))
    start, shown = (_int(level.get(f"{_TEXT}{name}"), 1) for name in ("start-value", "display-levels"))
    return _ListLevel(prefix, suffix, _FORMS.get(form, "decimal") if form else "", start, shown)


def _int(text: str | None, default: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) <= 4 else default


def _too_deep() -> UnreadableDocumentError:
    return UnreadableDocumentError("ODT 文档嵌套过深，无法读取。", ("请用 WPS 打开后另存为新文件再上传。",))


def _blocks(parent: Iterable[etree._Element], reader: _OdtReader, depth: int) -> Iterator[str]:
    """Yield paragraphs and table rows in document order."""
    if depth > _MAX_DEPTH:
        raise _too_deep()
    for child in parent:
        name = local(child)
        if name in ("p", "h"):
            yield from _paragraph(child, reader, depth)
        elif name == "list":
            yield from _list(child, reader, depth, "", 1)
        elif name == "table":
            yield from _table(child, reader, depth)
        elif name not in _GONE:
            yield from _blocks(child, reader, depth + 1)


def _list(element: etree._Element, reader: _OdtReader, depth: int, outer: str, level: int) -> Iterator[str]:
    """Yield the items of a list; one inside another is its next level and has the same style unless it names one.

    An item that holds nothing but a list is only the way to the next level and is not counted.
    """
    if depth > _MAX_DEPTH:
        raise _too_deep()
    style = element.get(f"{_TEXT}style-name") or outer
    style = style if style in reader.styles else ""
    counts, levels = reader.counts.setdefault(style, []), reader.styles.get(style, {})
    if level == 1 and not _goes_on(element):
        counts.clear()
    for item in element:
        blocks = (
            [child for child in item if local(child) in _BLOCKS] if local(item) in ("list-item", "list-header") else []
        )
        if blocks and local(item) == "list-item" and local(blocks[0]) in ("p", "h"):
            _count(counts, level, levels, item.get(f"{_TEXT}start-value"))
            reader.label = _shown(levels, counts, level)
        for block in blocks:
            inner = local(block) == "list"
            yield from (
                _list(block, reader, depth + 1, style, level + 1) if inner else _blocks([block], reader, depth + 1)
            )
        reader.label = ""


def _goes_on(element: etree._Element) -> bool:
    """Tell whether a list counts on from an earlier one."""
    return element.get(f"{_TEXT}continue-numbering") == "true" or element.get(f"{_TEXT}continue-list") is not None


def _count(counts: list[int], level: int, levels: dict[int, _ListLevel], start: str | None) -> None:
    """Step the number of a level; the levels below it begin anew."""
    while len(counts) < level:
        counts.append(levels[len(counts) + 1].start - 1 if len(counts) + 1 in levels else 0)
    counts[level - 1] = _int(start, counts[level - 1] + 1)
    del counts[level:]


def _shown(levels: dict[int, _ListLevel], counts: list[int], level: int) -> str:
    own = levels.get(level)
    if own is None or not own.form:
        return ""
    first = max(1, level - own.shown + 1)
    numbers = [
        format_number(counts[at - 1], levels[at].form or "decimal") for at in range(first, level + 1) if at in levels
    ]
    shown = own.prefix + ".".join(numbers) + own.suffix
    return shown if shown[-1] in "、）)．.。：" else f"{shown}　"


def _paragraph(element: etree._Element, reader: _OdtReader, depth: int) -> Iterator[str]:
    label, reader.label = reader.label or _outline(element, reader), ""
    frames: list[etree._Element] = []
    text = "".join(_inline(element, reader, frames, 0)).strip(" \t\n　")
    if text:
        yield from unbroken(label + text)
    for frame in frames:
        yield from _blocks(frame, reader, depth + 1)


def _outline(element: etree._Element, reader: _OdtReader) -> str:
    """Return the number of a heading that the outline counts, empty for any other paragraph."""
    level = _int(element.get(f"{_TEXT}outline-level"), 0) if local(element) == "h" else 0
    levels = reader.styles.get("", {})
    if level not in levels or not levels[level].form or element.get(f"{_TEXT}is-list-header") == "true":
        return ""
    counts = reader.counts.setdefault("", [])
    _count(counts, level, levels, None)
    return _shown(levels, counts, level)


def _inline(parent: etree._Element, reader: _OdtReader, frames: list[etree._Element], depth: int) -> Iterator[str]:
    """Yield the shown text of a paragraph; frames that hold blocks are put aside."""
    if depth > _MAX_DEPTH:
        return
    yield _BLANKS.sub(" ", parent.text or "")
    for child in parent:
        name = local(child)
        if name == "s":
            yield " " * min(_int(child.get(f"{_TEXT}c"), 1), _MOST_BLANKS)
        elif name in ("tab", "line-break"):
            yield "\t" if name == "tab" else "\n"
        elif name == "note":
            reader.notes += [" ".join(_blocks(child, reader, depth + 1)).strip()]
        elif name == "text-box":
            frames.append(child)
        elif name == "image":
            reader.dropped += 1
        elif name == "object":
            yield formulas.UNREAD
        elif name not in _GONE:
            words = "".join(_inline(child, reader, frames, depth + 1))
            yield raised(words) if child.get(f"{_TEXT}style-name") in reader.high else words
        yield _BLANKS.sub(" ", child.tail or "")


def _table(element: etree._Element, reader: _OdtReader, depth: int) -> Iterator[str]:
    """Yield one line a row, cells separated by `` | ``; a table of one column is a frame around paragraphs.

    What a merged cell covers stays empty, so that every row has the table's columns. A table in a cell follows its row.
    """
    rows = [[cell for cell in row if local(cell) in ("table-cell", "covered-table-cell")] for row in _rows(element)]
    framed = all(len(cells) < 2 for cells in rows)
    for cells in rows:
        inner = [
            list(_table(t, reader, depth + 1)) for cell in cells for t in cell if local(t) == "table" and not framed
        ]
        texts = []
        for cell in cells:
            blocks = [each for each in cell if framed or local(each) != "table"]
            own = list(_blocks(blocks, reader, depth + 1))
            yield from own if framed else ()
            texts.append(" ".join(row.strip() for row in own if row.strip()))
        if any(texts) and not framed:
            yield " | ".join(texts).strip(" ")
        yield from (row for rows_within in inner for row in rows_within)


def _rows(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the rows of a table, those in groups of rows and of the header among them."""
    for child in element:
        name = local(child)
        if name == "table-row":
            yield child
        elif name in ("table-header-rows", "table-row-group", "table-rows"):
            yield from _rows(child)
