"""OFD (GB/T 33190): the Chinese government's page format. A zip of XML; read directly.

Tags are matched by local name, because writers disagree on the namespace. Characters are placed by each TextCode's
position and steps, so the same line and paragraph rules apply as for PDF.
"""

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from zipfile import ZipFile

from lxml import etree

from nemo.errors import UnreadableDocumentError
from nemo.parse import furniture
from nemo.parse.lines import Box, Glyph, PrintedLine
from nemo.parse.other.archive import Budget, open_zip, read_member
from nemo.parse.other.markup import local, parse_xml
from nemo.parse.pdf import glyphs
from nemo.parse.pdf.ruled_tables import RulingLine, rule_between, with_tables
from nemo.settings import Settings
from nemo.types import Fault, ParsedDocument, RawDocument

_MM = 72 / 25.4
"""Points per millimetre; OFD measures in millimetres."""
_MAX_STEPS = 20_000
_STROKE = re.compile(r"([SML])\s+(-?\d{1,9}(?:\.\d+)?)\s+(-?\d{1,9}(?:\.\d+)?)|(C)")
"""A step of a path: to a point, to it by a straight line, or back to where it began."""
_DAMAGED = ("请重新下载，或用 OFD 阅读器打开后另存为 PDF 再上传。",)


def parse(raw: RawDocument, settings: Settings) -> ParsedDocument:
    """Read an OFD file.

    Raises:
        UnreadableDocumentError: damaged, too many pages, or only pictures.
    """
    budget = Budget(settings.max_document_bytes, settings.max_archive_files)
    with open_zip(raw.content) as container:
        addresses, templates, faults = _pages(container, budget)
        if len(addresses) > settings.max_pages:
            raise UnreadableDocumentError(
                f"OFD 共 {len(addresses)} 页，超过上限 {settings.max_pages} 页。",
                ("请拆分后上传，或调高 NEMO_MAX_PAGES。",),
            )
        sheets = [list(_page_lines(container, a, i, templates, budget)) for i, a in enumerate(addresses, 1)]
    cleaned = furniture.strip(sheets)
    text, pages = cleaned.joined()
    if not text.strip():
        raise UnreadableDocumentError(
            "OFD 里没有文字，内容可能是图片。", ("请用 OFD 阅读器另存为 PDF 后上传，系统会进行文字识别。",)
        )
    return ParsedDocument(text, pages, "ofd", faults=tuple(faults), margin=cleaned.margin)


def _pages(container: ZipFile, budget: Budget) -> tuple[list[str], dict[str, str], list[Fault]]:
    """Addresses of the pages in reading order, of the templates by id, and faults."""
    root = _xml(container, "OFD.xml", budget)
    bodies = [e for e in root.iter() if local(e) == "DocRoot" and e.text]
    if not bodies:
        raise UnreadableDocumentError("OFD 结构不完整，找不到正文。", _DAMAGED)
    addresses: list[str] = []
    templates: dict[str, str] = {}
    for body in bodies:
        place = _resolve("", (body.text or "").strip())
        folder = dirname(place)
        document = _xml(container, place, budget)
        pages = next((e for e in document.iter() if local(e) == "Pages"), None)
        for page in pages if pages is not None else ():
            addresses.append(_resolve(folder, page.get("BaseLoc", "")))
        for template in (e for e in document.iter() if local(e) == "TemplatePage"):
            templates[template.get("ID", "")] = _resolve(folder, template.get("BaseLoc", ""))
    extra = [Fault("several_documents", f"OFD 内含 {len(bodies)} 份文档，已依次读取。")] if len(bodies) > 1 else []
    return addresses, templates, extra


def _resolve(folder: str, place: str) -> str:
    place = place.strip().replace("\\", "/")
    return normpath(place.lstrip("/")) if place.startswith("/") else normpath(join(folder, place))


def _xml(container: ZipFile, name: str, budget: Budget) -> etree._Element:
    content = read_member(container, name, budget)
    if content is None:
        raise UnreadableDocumentError(f"OFD 缺少部件 {name[:80]}，文件不完整。", _DAMAGED)
    return parse_xml(content)


def _page_lines(
    container: ZipFile, address: str, number: int, templates: dict[str, str], budget: Budget
) -> Iterator[PrintedLine]:
    page = _xml(container, address, budget)
    used = [e.get("TemplateID", "") for e in page.iter() if local(e) == "Template"]
    sheets = [*(_xml(container, templates[key], budget) for key in used if key in templates), page]
    found = [glyph for sheet in sheets for glyph in _glyphs(sheet)]
    rules = [rule for sheet in sheets for rule in _rules(sheet)]
    yield from with_tables(found, rules, number)


def _glyphs(page: etree._Element) -> Iterator[Glyph]:
    """Characters of every TextObject, placed; each TextCode ends with a break."""
    for element in page.iter():
        if local(element) != "TextObject":
            continue
        left, top = (*_numbers(element.get("Boundary")), 0.0, 0.0)[:2]
        size = (_numbers(element.get("Size")) or [3.5])[0]
        matrix = _numbers(element.get("CTM"))
        matrix = matrix if len(matrix) == 6 else [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
        x = y = 0.0
        for code in (e for e in element if local(e) == "TextCode"):
            x = (_numbers(code.get("X")) or [x])[0]
            y = (_numbers(code.get("Y")) or [y])[0]
            yield from _placed(code, (x, y), (left, top), size, matrix)


def _rules(page: etree._Element) -> Iterator[RulingLine]:
    """Yield the straight strokes of every PathObject that run along an edge of the page: the rules of tables."""
    for element in (e for e in page.iter() if local(e) == "PathObject"):
        left, top = (*_numbers(element.get("Boundary")), 0.0, 0.0)[:2]
        drawn = " ".join(e.text or "" for e in element if local(e) == "AbbreviatedData")
        first = last = Box(0, 0, 0, 0)
        for step, across, down, closed in _STROKE.findall(drawn)[:_MAX_STEPS]:
            x, y = first[:2] if closed else ((left + float(across)) * _MM, (top + float(down)) * _MM)
            point = Box(x, y, x, y)
            if closed or step == "L":
                yield from rule_between(last, point)
            else:
                first = point
            last = point


def _placed(
    code: etree._Element, start: tuple[float, float], origin: tuple[float, float], size: float, matrix: list[float]
) -> Iterator[Glyph]:
    text = "".join(code.itertext()).strip("\r\n")
    steps_x, steps_y = _steps(code.get("DeltaX")), _steps(code.get("DeltaY"))
    x, y = start
    a, b, c, d, e, f = matrix
    for index, char in enumerate(text):
        px, py = a * x + c * y + e + origin[0], b * x + d * y + f + origin[1]
        em_x, em_y = size * (abs(a) + abs(c) or 1), size * (abs(d) + abs(b) or 1)
        wide = em_x if glyphs.wide(char) else em_x * 0.5
        box = Box(px * _MM, (py - 0.86 * em_y) * _MM, (px + wide) * _MM, (py + 0.14 * em_y) * _MM)
        yield Glyph(" " if char in "\r\n\t" else char, box)
        x += steps_x[index] if index < len(steps_x) else (0.0 if steps_y else (size if glyphs.wide(char) else size / 2))
        y += steps_y[index] if index < len(steps_y) else 0.0
    yield Glyph("\n", Box(0, 0, 0, 0))


def _steps(text: str | None) -> list[float]:
    """Distances between characters; ``g 3 4.5`` stands for three times 4.5."""
    parts = (text or "").split()
    out: list[float] = []
    index = 0
    while index < len(parts) and len(out) < _MAX_STEPS:
        if parts[index] == "g" and index + 2 < len(parts):
            count, step = _numbers(parts[index + 1]), _numbers(parts[index + 2])
            if count and step:
                out += step[:1] * min(max(0, int(count[0])), _MAX_STEPS)
            index += 3
        else:
            out += _numbers(parts[index])
            index += 1
    return out[:_MAX_STEPS]


def _numbers(text: str | None) -> list[float]:
    return [float(n) for n in re.findall(r"-?\d{1,9}(?:\.\d+)?(?:[eE]-?\d{1,2})?", text or "")]
