"""The sources of ``raw_papers`` as files: HTML in its encoding, Word, spreadsheets, a print of a browser, copied text."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
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
    marked = (e for e in element(paper).iter() if isinstance(e.tag, str) and "k" in e.attrib)
    return [e.get("no", "") + "".join(e.xpath(".//text()[not(ancestor::note)]")) for e in marked]


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
    if paper.form.startswith("txt"):
        return "\r\n".join(_lines(paper)).encode(paper.encoding), ".txt"
    if paper.form in ("mht", "eml"):
        return _mail(paper, html), f".{paper.form}"
    made = {"docx": _docx, "wps": _docx, "xlsx": _xlsx, "xls": _xls}.get(paper.form)
    return (made(element(paper)), f".{paper.form}") if made else (html.encode(paper.encoding), ".html")


def _lines(paper: Raw) -> Iterator[str]:
    """Copied text, broken hard after the number of characters that the form names."""
    width = int(paper.form.partition(":")[2] or 10_000)
    for words in element(paper).xpath("//p/text()"):
        yield from (words[i : i + width] for i in range(0, len(words), width))


def _mail(paper: Raw, html: str) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = (
        "转发文件示例主题",
        "someone@example.com",
        "Mon, 01 Jun 2026 08:00:00 +0800",
    )
    mail["Snapshot-Content-Location"] = "https://example.com/x.html"
    mail.set_content(
        "正文见网页格式示例" if paper.form == "eml" else html,
        "plain" if paper.form == "eml" else "html",
        charset=paper.encoding,
    )
    if paper.form == "eml":
        mail.add_alternative(html, "html", charset=paper.encoding)
        return mail.as_bytes()
    mail.add_related(b"GIF89a", "image", "gif")
    return mail.as_bytes()


NUMBERS = {
    "chap": (1, "chineseCountingThousand", "第%1章　"), "art": (2, "chineseCountingThousand", "第%1条　"), "item": (3, "chineseCounting", "（%1）"),
    "h1": (4, "decimal", "%1"), "h2": (4, "decimal", "%1.%2"), "h3": (4, "decimal", "%1.%2.%3"),
}  # fmt: skip
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _docx(tree: Any) -> bytes:
    import docx
    from docx.enum.text import WD_ALIGN_PARAGRAPH as ALIGN
    from docx.oxml import parse_xml
    from docx.shared import Pt

    paper, chapter = docx.Document(), 0
    _docx_numbering(paper)
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
            put = paper.add_paragraph(style="TOC Heading" if row.tag == "toc" else None)
            put.alignment = {"c": ALIGN.CENTER, "r": ALIGN.RIGHT}.get(looks[:1])
            for piece in _docx_runs(row):
                put._p.append(parse_xml(piece))
            for run in put.runs:
                run.font.size = Pt(22 if "big" in looks else 16)
    out = io.BytesIO()
    paper.save(out)
    return _with_notes(out.getvalue(), [e.text for e in tree.iter("fn")])


def _docx_numbering(paper: Any) -> None:
    """Lists of the paper's own: articles count on through chapters, items anew after each article, clauses in three levels."""
    from docx.oxml import parse_xml

    numbering = paper.part.numbering_part.element
    for number in {one for one, *_ in NUMBERS.values()}:
        levels = [(shape, shown) for one, shape, shown in NUMBERS.values() if one == number]
        inner = "".join(
            f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{shape}"/><w:lvlText w:val="{shown}"/></w:lvl>'
            for at, (shape, shown) in enumerate(levels)
        )
        numbering.insert(0, parse_xml(f'<w:abstractNum {W} w:abstractNumId="{90 + number}">{inner}</w:abstractNum>'))
        numbering.append(
            parse_xml(f'<w:num {W} w:numId="{90 + number}"><w:abstractNumId w:val="{90 + number}"/></w:num>')
        )


def _docx_runs(row: Any) -> Iterator[str]:
    """The paragraph's properties and runs as Word writes them."""
    if kind := row.get("auto"):
        level = int(kind[1]) - 1 if kind[0] == "h" else 0
        yield f'<w:pPr {W}><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{90 + NUMBERS[kind][0]}"/></w:numPr></w:pPr>'
    who, notes = 'w:id="7" w:author="x" w:date="2025-01-01T00:00:00Z"', list(row.getroottree().getroot().iter("fn"))
    for piece in row.iter():
        words, text = piece.text or "", f'<w:t xml:space="preserve">{piece.text or ""}</w:t>'
        if piece.tag == "ins":
            yield f"<w:ins {W} {who}><w:r>{text}</w:r></w:ins>"
        elif piece.tag == "del":
            yield f"<w:del {W} {who}><w:r><w:delText>{words}</w:delText></w:r></w:del>"
        elif piece.tag == "fn":
            yield f'<w:r {W}><w:footnoteReference w:id="{notes.index(piece) + 2}"/></w:r>'
        elif piece.tag != "note" and words:
            yield f"<w:r {W}>{text}</w:r>"


def _with_notes(made: bytes, notes: list[str]) -> bytes:
    """The file with a part for its footnotes."""
    if not notes:
        return made
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    body = "".join(
        f'<w:footnote w:id="{at}"><w:p><w:r><w:t>{words}</w:t></w:r></w:p></w:footnote>'
        for at, words in enumerate(notes, 2)
    )
    more = {
        "[Content_Types].xml": ("</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{kind}"/></Types>'),
        "word/_rels/document.xml.rels": ("</Relationships>", f'<Relationship Id="rId990" Type="{relation}" Target="footnotes.xml"/></Relationships>'),
    }  # fmt: skip
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            new.writestr(name, part.decode().replace(*more[name]) if name in more else part)
        new.writestr("word/footnotes.xml", f"<w:footnotes {W}>{body}</w:footnotes>")
    return out.getvalue()


def _docx_table(paper: Any, source: Any) -> None:
    cells = list(_cells(source))
    table = paper.add_table(1 + max(c[2] for c in cells), 1 + max(c[3] for c in cells))
    for y, x, down, across, words in cells:
        table.cell(y, x).merge(table.cell(down, across)).text = words


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
            yield y, x, down, across, "\n".join(cell.itertext())


def _xlsx(tree: Any) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for one in tree.findall(".//sheet") or [tree]:
        sheet = book.create_sheet(one.get("name"))
        sheet.sheet_state = "hidden" if "hidden" in one.attrib else "visible"
        for y, x, down, across, words in _cells(one):
            sheet.cell(y + 1, x + 1, words or None)
            if (down, across) != (y, x):
                sheet.merge_cells(start_row=y + 1, start_column=x + 1, end_row=down + 1, end_column=across + 1)
        for y, row in enumerate(one.iter("tr"), 1):
            sheet.row_dimensions[y].hidden = "hidden" in row.attrib
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
