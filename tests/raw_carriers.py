"""The sources of ``raw_papers`` as files: HTML in its encoding, Word, spreadsheets, a print of a browser, copied text."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lxml.html
from playwright.sync_api import Page

from tests.paper_carriers import printed
from tests.raw_papers import Raw

BOX = (
    "<w:r xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' xmlns:v='urn:schemas-microsoft-com:vml'><w:pict>"
    "<v:shape style='width:400pt;height:40pt'><v:textbox><w:txbxContent><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>"
)


def element(paper: Raw) -> Any:
    """The source as a tree."""
    return lxml.html.document_fromstring(paper.source)


def kept(paper: Raw) -> list[str]:
    """Words of the paper, one string for each marked element."""
    return [e.text_content() for e in element(paper).iter() if isinstance(e.tag, str) and "k" in e.attrib]


def sentences(paper: Raw) -> list[str]:
    """Paragraphs of the paper that end a sentence: each must come out in one line, however its lines were broken."""
    whole = [e for e in element(paper).iter("p", "div") if "k" in e.attrib and e.find("br") is None]
    return [words for e in whole if (words := e.text_content().strip()).endswith("。")]


def around(paper: Raw) -> list[str]:
    """Words of the site or the print: text outside marked elements, four characters and more."""
    tree = element(paper)
    for marked in [e for e in tree.iter() if isinstance(e.tag, str) and {"k", "t"} & set(e.attrib)]:
        tail, before = marked.tail, marked.getprevious()
        if tail and before is not None:
            before.tail = (before.tail or "") + tail
        marked.getparent().remove(marked)
    return [t.strip() for t in tree.find("body").itertext() if len(t.strip()) >= 4]


def file_of(paper: Raw, page: Page, folder: Path) -> tuple[bytes, str]:
    """The bytes of the paper and the suffix of its file."""
    html = paper.source.replace(" k>", ">").replace(" k ", " ").replace(" t>", ">").replace(" t ", " ")
    if paper.form == "print":
        return printed(page, html.encode(), folder), ".pdf"
    if paper.form == "pdf":
        page.set_content(html)
        foot = "<div style='font-size:9pt;width:100%;text-align:center'>— <span class='pageNumber'></span> —</div>"
        margin = {"top": "2cm", "bottom": "2cm", "left": "2.6cm", "right": "2.6cm"}
        made = page.pdf(
            format="A4", display_header_footer=True, header_template="<p></p>", footer_template=foot, margin=margin
        )  # type: ignore[arg-type]
        return made, ".pdf"
    if paper.form == "txt":
        return "\r\n".join(element(paper).xpath("//p/text()")).encode(paper.encoding), ".txt"
    made = {"docx": _docx, "xlsx": _xlsx, "xls": _xls}.get(paper.form)
    return (made(element(paper)), f".{paper.form}") if made else (html.encode(paper.encoding), ".html")


def _docx(tree: Any) -> bytes:
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH as ALIGN
    from docx.oxml import parse_xml
    from docx.shared import Pt

    paper, chapter = docx.Document(), 0
    for row in tree.find("body"):
        looks = row.get("class", "")
        if row.tag == "table":
            _docx_table(paper, row)
        elif row.tag == "br":
            paper.add_page_break()
        elif row.tag in ("header", "footer"):
            getattr(paper.sections[0], row.tag).paragraphs[0].text = row.text
        elif row.tag == "box":
            paper.add_paragraph()._p.append(parse_xml(BOX.format(row.text)))
        elif row.tag == "num":
            chapter += 1
            paper.add_paragraph(f"{'一二三四五'[chapter - 1]}、{row.text}").runs[0].bold = True
        else:
            put = paper.add_paragraph()
            put.alignment = {"c": ALIGN.CENTER, "r": ALIGN.RIGHT}.get(looks[:1])
            put.add_run(row.text).font.size = Pt(22 if "big" in looks else 16)
    out = io.BytesIO()
    paper.save(out)
    return out.getvalue()


def _docx_table(paper: Any, source: Any) -> None:
    rows = list(source.iter("tr"))
    table = paper.add_table(len(rows), max(len(r) for r in rows))
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            table.cell(y, x).text = "\n".join(cell.itertext())


def _cells(tree: Any) -> Iterator[tuple[int, int, int, int, str]]:
    """Row, column, last row, last column and words of each cell."""
    taken: set[tuple[int, int]] = set()
    for y, row in enumerate(tree.iter("tr")):
        x = 0
        for cell in row:
            while (y, x) in taken:
                x += 1
            down, across = y + int(cell.get("rowspan", 1)) - 1, x + int(cell.get("colspan", 1)) - 1
            taken |= {(a, b) for a in range(y, down + 1) for b in range(x, across + 1)}
            yield y, x, down, across, cell.text or ""


def _xlsx(tree: Any) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    for y, x, down, across, words in _cells(tree):
        sheet.cell(y + 1, x + 1, words or None)
        if (down, across) != (y, x):
            sheet.merge_cells(start_row=y + 1, start_column=x + 1, end_row=down + 1, end_column=across + 1)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _xls(tree: Any) -> bytes:
    import xlwt

    book = xlwt.Workbook(encoding="utf-8")
    sheet = book.add_sheet("Sheet1")
    for y, x, down, across, words in _cells(tree):
        sheet.write_merge(y, down, x, across, words)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
