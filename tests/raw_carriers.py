"""The sources of ``raw_papers`` as files: HTML in its encoding, Word, spreadsheets, a print of a browser, copied text."""

import io
import re
import zipfile
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import lxml.html
import pypdfium2
import pypdfium2.raw as pdfium
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
    own = ".//text()[not(ancestor::note)][count(ancestor::*[@k]) = $depth]"
    return [e.get("no", "") + "".join(e.xpath(own, depth=1 + len(e.xpath("ancestor::*[@k]")))) for e in marked]


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
    if paper.form == "2up":
        return _two_on_a_sheet(printed(page, html.encode(), folder)), ".pdf"
    if paper.form == "mhtml":
        return _saved(page, html, paper.encoding, folder), ".mhtml"
    if paper.form.startswith("pdf"):
        page.set_content(html)
        foot = "<div style='font-size:9pt;width:100%;text-align:center'>— <span class='pageNumber'></span> —</div>"
        margin = {"top": "2cm", "bottom": "2cm", "left": "2.6cm", "right": "2.6cm"}
        made = page.pdf(
            format="A4",
            prefer_css_page_size=True,
            display_header_footer=True,
            header_template="<p></p>",
            footer_template=foot,
            margin=margin,
        )  # type: ignore[arg-type]
        return (_two_on_a_sheet(made) if paper.form == "pdf:2" else made), ".pdf"
    if paper.form.startswith("txt"):
        return "\r\n".join(_lines(paper)).encode(paper.encoding), ".txt"
    if paper.form in ("mht", "eml"):
        return _mail(paper, html), f".{paper.form}"
    made = {"docx": _docx, "wps": _docx, "xlsx": _xlsx, "xls": _xls, "et": _xls}.get(paper.form)
    return (made(element(paper)), f".{paper.form}") if made else (html.encode(paper.encoding), ".html")


def _two_on_a_sheet(content: bytes) -> bytes:
    """Two pages side by side on each sheet, as a printer's driver sets them."""
    made = pypdfium2.PdfDocument(content)
    sheets = pypdfium2.PdfDocument(pdfium.FPDF_ImportNPagesToOne(made.raw, 842, 595, 2, 1))
    out = io.BytesIO()
    sheets.save(out)
    return out.getvalue()


def _saved(page: Page, html: str, encoding: str, folder: Path) -> bytes:
    """A page as Chromium saves it whole, what stands in ``inner`` in a frame of its own."""
    before, opens, rest = html.partition("<inner>")
    inner, _, after = rest.partition("</inner>")
    framed = f"{before}<iframe src='inner.html' width='90%' height='900'></iframe>{after}" if opens else html
    (folder / "inner.html").write_bytes(f"<meta charset='{encoding}'><body>{inner}</body>".encode(encoding))
    (folder / "saved.html").write_bytes(framed.encode(encoding))
    page.goto((folder / "saved.html").as_uri())
    return str(page.context.new_cdp_session(page).send("Page.captureSnapshot")["data"]).encode()


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
    for y, x, down, across, words, inner in cells:
        cell = table.cell(y, x).merge(table.cell(down, across))
        cell.text = words
        for each in inner:
            held = list(_cells(each))
            put = cell.add_table(1 + max(c[2] for c in held), 1 + max(c[3] for c in held))
            for row, column, _, _, said, _ in held:
                put.cell(row, column).text = said
            cell.add_paragraph()


def _cells(tree: Any) -> Iterator[tuple[int, int, int, int, str, list[Any]]]:
    """Row, column, last row, last column, words and inner tables of each cell."""
    taken: set[tuple[int, int]] = set()
    top = tree if tree.tag == "table" else tree.find(".//table")
    for y, row in enumerate(row for row in top.iter("tr") if next(row.iterancestors("table")) is top):
        x = 0
        for cell in row:
            while (y, x) in taken:
                x += 1
            down, across = y + int(cell.get("rowspan", 1)) - 1, x + int(cell.get("colspan", 1)) - 1
            taken |= {(a, b) for a in range(y, down + 1) for b in range(x, across + 1)}
            depth = len(cell.xpath("ancestor::table"))
            words = cell.xpath(".//text()[count(ancestor::table) = $depth]", depth=depth)
            yield y, x, down, across, "\n".join(words), cell.findall("table")


def _typed(words: str, form: str) -> tuple[object, str]:
    """The number that a cell shows in a format; other words as they are."""
    plain = words.replace(",", "").rstrip("%")
    if not form:
        return (float(plain) if "." in plain else int(plain)) if re.fullmatch(
            r"-?\d+(\.\d+)?", plain
        ) else words, "General"
    return (float(plain) / 100 if words.endswith("%") else float(plain)), form


def _sheets(tree: Any) -> Iterator[tuple[Any, list[bool], list[bool]]]:
    """The sheets of a workbook, with which rows and columns of each are hidden."""
    for one in tree.findall(".//sheet") or [tree]:
        yield (
            one,
            ["hidden" in row.attrib for row in one.iter("tr")],
            ["hidden" in col.attrib for col in one.iter("col")],
        )


def _xlsx(tree: Any) -> bytes:
    import openpyxl
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    book.remove(book.active)
    for one, rows, columns in _sheets(tree):
        sheet = book.create_sheet(one.get("name"))
        sheet.sheet_state = "hidden" if "hidden" in one.attrib else "visible"
        formats = _formats(one)
        for y, x, down, across, words, _ in _cells(one):
            value, form = _typed(words, formats[y, x]) if (y, x) in formats else (words or None, "General")
            sheet.cell(y + 1, x + 1, value).number_format = form
            if (down, across) != (y, x):
                sheet.merge_cells(start_row=y + 1, start_column=x + 1, end_row=down + 1, end_column=across + 1)
        for y, away in enumerate(rows, 1):
            sheet.row_dimensions[y].hidden = away
        for x, away in enumerate(columns, 1):
            sheet.column_dimensions[get_column_letter(x)].hidden = away
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _formats(one: Any) -> dict[tuple[int, int], str]:
    """The number formats of cells, by row and column."""
    found = {}
    places = iter(list(_cells(one)))
    top = one.find(".//table")
    for row in top.iter("tr"):
        for cell in row:
            y, x, *_ = next(places)
            if cell.get("fmt"):
                found[y, x] = cell.get("fmt")
    return found


def _xls(tree: Any) -> bytes:
    import xlwt

    book = xlwt.Workbook(encoding="utf-8")
    for at, (one, rows, columns) in enumerate(_sheets(tree)):
        sheet = book.add_sheet(one.get("name") or f"Sheet{at + 1}")
        sheet.visibility = int("hidden" in one.attrib)
        formats = _formats(one)
        for y, x, down, across, words, _ in _cells(one):
            value, form = _typed(words, formats[y, x]) if (y, x) in formats else (words, "General")
            sheet.write_merge(y, down, x, across, value, xlwt.easyxf(num_format_str=form))
        for y, away in enumerate(rows):
            sheet.row(y).hidden = away
        for x, away in enumerate(columns):
            sheet.col(x).hidden = away
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
