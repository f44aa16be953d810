"""Word documents (.docx): paragraphs and tables in place, numbering restored, the text as it stands after all changes.

Reads the XML itself, because what regulations need is what Word shows: automatic numbers (``w:numPr``), text boxes,
footnotes, inserted text in and deleted text out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from posixpath import dirname, join, normpath
from zipfile import ZipFile

from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse.furniture import page_number
from nemo.parse.lines import unbroken, unwrapped
from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.parse.other.markup import MACROS, local, parse_xml
from nemo.parse.pictures import faults as picture_faults
from nemo.parse.word import formulas
from nemo.parse.word.numbering import Numbering
from nemo.parse.word.pictures import Pictures
from nemo.settings import Settings
from nemo.types import Fault, ParsedDocument, Picture, RawDocument

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = "{http://purl.oclc.org/ooxml/wordprocessingml/main}"
_MAX_DEPTH = 40
"""Tables in tables in text boxes; deeper is an attack."""
_MOST_COLUMNS = 64
"""A cell that claims to be wider is damaged or an attack."""
_GONE = {"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "rt", "Fallback", "sectPr", "tblPr", "trPr", "tcPr"}
_MARKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "softHyphen": ""}
_BOXES = {"A3": "□", "A8": "□", "6F": "□", "FE": "☑", "52": "☑", "FC": "√"}
"""Boxes of forms, by the last byte of their place in the symbol fonts (Wingdings)."""
_TITLE_STYLES = {"title", "标题", "文档标题"}


@dataclass
class _DocxReader:
    """What one pass over a document needs and finds."""

    numbering: Numbering
    notes: dict[str, etree._Element]
    style_names: dict[str, str]
    pictures: Pictures
    rows: list[str] = field(default_factory=list)
    """The rows of the text so far."""
    title: str | None = None
    formulas: int = 0
    open_notes: list[str] = field(default_factory=list)


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read a Word document.

    Raises:
        UnreadableDocumentError: damaged, not a Word document inside, or without text.
    """
    budget = Budget(settings.max_document_bytes, settings.max_archive_files)
    with open_zip(raw.content) as container:
        main = _main_part(container, budget)
        body, styles, numbering, *notes = (_part(container, name, budget) for name in _part_names(main))
        macros = any(name.lower().endswith("vbaproject.bin") for name in container.namelist())
        if body is None:
            raise UnreadableDocumentError(
                "Word 文档缺少正文部分，无法读取。", ("请用 Word 或 WPS 打开后另存为 .docx 再上传。",)
            )
        pictures = Pictures.of(container, main, budget, settings.parse_seconds)
        reader = _DocxReader(Numbering.of(numbering, styles), _notes(*notes), _style_names(styles), pictures)
        _join_deleted_ends(body)
        _drop_page_numbers(body)
        rows = reader.rows
        for row in filter(_visible, _blocks(body, reader, 0)):
            rows.append(row)  # one by one: a picture is told how many stand above it
    rows += list(_footnotes(reader))
    if not rows:
        raise UnreadableDocumentError("Word 文档里没有文字。", _empty_tips(reader))
    text = "\n".join(unwrapped(rows))
    met = pictures.reader.placed(text, rows)
    faults = (*_faults(reader, text, met), *((MACROS,) if macros else ()))
    return ParsedDocument(text, (), "docx", faults=faults, title=reader.title, pictures=met)


def _empty_tips(reader: _DocxReader) -> tuple[str, ...]:
    if reader.pictures.reader.dropped:
        return ("文档内容是图片：请将图片或扫描件另存为 PDF 后上传，系统会进行文字识别。",)
    return ("请确认文件内容后重新上传。",)


def _faults(reader: _DocxReader, text: str, met: Sequence[Picture]) -> Iterator[Fault]:
    yield from picture_faults(met, reader.pictures.reader.dropped)
    if reader.formulas:
        yield Fault(
            "formulas_linear", f"文档中有 {reader.formulas} 处公式，已写成一行（分式、根式、上下标），请核对原件。"
        )
    yield from formulas.unreadable(text)


def _visible(row: str) -> bool:
    return any(not c.isspace() and c not in "\u200b\u200c\u200d\ufeff" for c in row)


# --- parts of the container ------------------------------------------------------------------------------------------


def _part(container: ZipFile, name: str, budget: Budget) -> etree._Element | None:
    content = read_member(container, name, budget)
    return None if content is None else _transitional(parse_xml(content))


def _transitional(root: etree._Element) -> etree._Element:
    """Rename the strict variant's namespace, which LibreOffice and new Word may write."""
    if root.tag.startswith(_STRICT):
        for element in root.iter(f"{_STRICT}*"):
            element.tag = W + local(element)
            for name, value in list(element.attrib.items()):
                if name.startswith(_STRICT):
                    element.set(W + name.removeprefix(_STRICT), value)
    return root


def _main_part(container: ZipFile, budget: Budget) -> str:
    relations = read_member(container, "_rels/.rels", budget)
    if relations is not None:
        for relation in parse_xml(relations):
            if relation.get("Type", "").endswith("/officeDocument"):
                return relation.get("Target", "").lstrip("/") or "word/document.xml"
    return "word/document.xml"


def _part_names(main: str) -> Iterator[str]:
    yield main
    for name in ("styles", "numbering", "footnotes", "endnotes"):
        yield normpath(join(dirname(main), f"{name}.xml"))


def _notes(*parts: etree._Element | None) -> dict[str, etree._Element]:
    """Return the notes of a document, at the foot of its pages and at its end, by kind and number."""
    notes = [note for root in parts if root is not None for note in root.iter(W + "footnote", W + "endnote")]
    return {f"{local(n)}{n.get(W + 'id', '')}": n for n in notes if n.get(W + "type") in (None, "normal")}


def _style_names(root: etree._Element | None) -> dict[str, str]:
    if root is None:
        return {}
    names = ((s.get(W + "styleId", ""), s.find(W + "name")) for s in root.iter(W + "style"))
    return {key: name.get(W + "val", "") for key, name in names if name is not None}


# --- blocks ----------------------------------------------------------------------------------------------------------


def _blocks(parent: etree._Element, reader: _DocxReader, depth: int) -> Iterator[str]:
    """Yield paragraphs and table rows in document order."""
    if depth > _MAX_DEPTH:
        raise UnreadableDocumentError("Word 文档嵌套过深，无法读取。", ("请用 Word 打开后另存为新文件再上传。",))
    for child in parent:
        name = local(child)
        if name == "p":
            yield from _paragraph(child, reader, depth)
        elif name == "tbl":
            yield from _table(child, reader, depth)
        elif name not in _GONE:
            yield from _blocks(child, reader, depth + 1)


def _join_deleted_ends(body: etree._Element) -> None:
    """Put a paragraph whose end was deleted by a tracked change into the next one, which keeps its own form."""
    for paragraph in list(body.iter(W + "p")):
        following = paragraph.getnext()
        if paragraph.find(f"{W}pPr/{W}rPr/{W}del") is None or following is None or following.tag != W + "p":
            continue
        form = following.find(W + "pPr")
        place = 0 if form is None else following.index(form) + 1
        following[place:place] = [child for child in paragraph if child.tag != W + "pPr"]
        paragraph.getparent().remove(paragraph)


def _drop_page_numbers(body: etree._Element) -> None:
    """Drop the printed page numbers (— 2 —) that a conversion from PDF left as paragraphs: two or more that count on."""
    said = ((each, page_number("".join(each.itertext()))) for each in body.iterfind(f".//{W}body/{W}p"))
    found = [(each, int(number)) for each, number in said if number is not None and number.isdigit()]
    if len(found) > 1 and all(second == first + 1 for (_, first), (_, second) in pairwise(found)):
        for each, _ in found:
            each.getparent().remove(each)


def _paragraph(element: etree._Element, reader: _DocxReader, depth: int) -> Iterator[str]:
    boxes: list[etree._Element] = []
    known = len(reader.pictures.reader.met)
    text = "".join(_inline(element, reader, boxes, 0)).strip(" \t\n　")
    form = element.find(W + "pPr")
    hidden = form is not None and _hidden(form) and not _visible(text)
    number = "" if hidden else reader.numbering.label(element)  # Word counts a paragraph without words too
    if _visible(text):
        for met in reader.pictures.reader.met[known:]:
            met.inside = True
        text = number + text
        if reader.title is None and _style(element, reader).lower() in _TITLE_STYLES:
            reader.title = " ".join(text.split())
        pictured = len(reader.pictures.reader.met) > known
        yield from text.split("\n") if pictured else unbroken(text)
    elif number and _is_cell(element):
        yield number.rstrip()
    for box in boxes:
        yield from _blocks(box, reader, depth + 1)


def _is_cell(paragraph: etree._Element) -> bool:
    """Whether a paragraph is all that a cell holds: its automatic number (序号) is what the cell says."""
    cell = paragraph.getparent()
    return cell is not None and cell.tag == W + "tc" and len(cell.findall(W + "p")) == 1


def _style(element: etree._Element, reader: _DocxReader) -> str:
    style = element.find(f"{W}pPr/{W}pStyle")
    return reader.style_names.get(style.get(W + "val", ""), "") if style is not None else ""


def _inline(parent: etree._Element, reader: _DocxReader, boxes: list[etree._Element], depth: int) -> Iterator[str]:
    """Yield the shown text of a paragraph; text boxes are put aside."""
    if depth > _MAX_DEPTH:
        return
    for child in parent:
        name = local(child)
        if name == "t":
            yield raised(child.text or "") if _is_raised(child) else child.text or ""
        elif name == "sym":
            yield _BOXES.get(child.get(W + "char", "")[-2:].upper(), "")
        elif name in _MARKS:
            yield "" if child.get(W + "type") == "page" else _MARKS[name]
        elif name in ("footnoteReference", "endnoteReference"):
            reader.open_notes.append(f"{name.removesuffix('Reference')}{child.get(W + 'id', '')}")
        elif name == "oMath":
            yield _formula(child, reader)
        elif name == "object" and _is_equation(child):
            yield formulas.UNREAD
        elif name == "txbxContent":
            boxes.append(child)
        elif name not in _GONE and not (name == "r" and _hidden(child)):
            met = reader.pictures.met(child, len(reader.rows)) if name in ("blip", "imagedata") else None
            yield from (f"\n{line}" for line in met.words) if met else ()
            yield "\n" if met and met.words else ""
            yield from _inline(child, reader, boxes, depth + 1)


_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def _is_raised(text: etree._Element) -> bool:
    """Whether a run is set as a superscript: 10³ is not 103."""
    run = text.getparent()
    mark = run.find(f"{W}rPr/{W}vertAlign") if run is not None else None
    return mark is not None and mark.get(W + "val") == "superscript"


def raised(words: str) -> str:
    """Return an exponent in raised digits; any other raised word as it is."""
    return words.translate(_RAISED) if words and set(words) <= set("0123456789+-") else words


def _formula(element: etree._Element, reader: _DocxReader) -> str:
    written = formulas.linear(element)
    reader.formulas += written is not None
    return formulas.UNREAD if written is None else written


def _is_equation(element: etree._Element) -> bool:
    """Whether an embedded object is a formula of an equation editor, of which only a picture can be seen."""
    objects = (child.get("ProgID", "") for child in element.iter() if local(child) == "OLEObject")
    return any(name.startswith(("Equation", "MathType")) for name in objects)


def _hidden(run: etree._Element) -> bool:
    mark = run.find(f"{W}rPr/{W}vanish")
    return mark is not None and mark.get(W + "val") not in ("0", "false", "off")


def _table(element: etree._Element, reader: _DocxReader, depth: int) -> Iterator[str]:
    """Yield one line a row, cells separated by `` | ``; a table of one column is a frame around paragraphs.

    A cell that reaches right or down (合并单元格) leaves its places empty, so that every row has the table's columns. A table
    in a cell follows the row that holds it.
    """
    own_rows = [row for row in element.iter(W + "tr") if _owner(row) is element]
    rows = [_row_cells(row) for row in own_rows]
    if not _is_data(element):
        for cells in rows:
            for cell in cells:
                yield from _blocks(cell, reader, depth + 1)
        return
    for row, cells in zip(own_rows, rows, strict=True):
        texts = [""] * _number_of(row.find(f"{W}trPr/{W}gridBefore"), 0)
        inner: list[str] = []
        for cell in cells:
            for table in [each for each in cell.iter(W + "tbl") if _is_data(each) and _owner(each) is element]:
                inner += _table(table, reader, depth + 1)
                table.getparent().remove(table)
            own = " ".join(r for r in _blocks(cell, reader, depth + 1) if _visible(r))
            texts += [own, *[""] * (_columns(cell) - 1 if len(cells) > 1 else 0)]
        if any(texts):
            yield " | ".join(texts).strip(" ")
        yield from inner


def _is_data(table: etree._Element) -> bool:
    """Whether a table has rows of several cells; one of single cells is a frame."""
    return any(len(_row_cells(row)) > 1 for row in table.iter(W + "tr") if _owner(row) is table)


def _columns(cell: etree._Element) -> int:
    """Return how many columns a cell reaches over (``w:gridSpan``)."""
    return max(_number_of(cell.find(f"{W}tcPr/{W}gridSpan"), 1), 1)


def _number_of(element: etree._Element | None, default: int) -> int:
    """Return how many columns an element names, ``default`` when it names none."""
    said = element.get(W + "val", "") if element is not None else ""
    return min(int(said), _MOST_COLUMNS) if said.isdecimal() else default


def _owner(row: etree._Element) -> etree._Element | None:
    return next((a for a in row.iterancestors(W + "tbl")), None)


def _row_cells(row: etree._Element) -> list[etree._Element]:
    if row.find(f"{W}trPr/{W}del") is not None:
        return []
    return [cell for cell in row.iter(W + "tc") if next(cell.iterancestors(W + "tr"), None) is row]


def _footnotes(reader: _DocxReader) -> Iterator[str]:
    """Notes after the text, each with its number."""
    for number, key in enumerate(dict.fromkeys(reader.open_notes), 1):
        if key in reader.notes:
            text = " ".join(row for row in _blocks(reader.notes[key], reader, 0) if _visible(row))
            if text:
                yield f"注{number}：{text}"
