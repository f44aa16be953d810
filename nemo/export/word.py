"""A report as a Word file: quotes without the print's line breaks, each with its source in a real footnote (Word 导出)."""

import io
from collections.abc import Sequence

from docx import Document
from docx.document import Document as WordDocument
from docx.enum.section import WD_ORIENT
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.styles.style import ParagraphStyle
from docx.table import Table, _Cell, _Row
from docx.text.paragraph import Paragraph

from nemo.export.figures import figure_words
from nemo.export.footnotes import Footnotes, fill
from nemo.export.proof import ProofOutcome
from nemo.export.report import NATION, UNPLACED, ExportReport, Group, ReportPassage, fields, shown, source, statement
from nemo.text.letter.titles import in_marks
from nemo.types import QuotedRow, ShownFigure

QUOTE, BESIDE, MARKS = "Nemo 引文", "Nemo 旁文", "Nemo 标记"
"""Names of the paragraph styles; a quote is the first run of a paragraph in the style ``QUOTE`` and nothing else."""

SONG, HEI = "宋体", "黑体"
GREY, RED = RGBColor(0x59, 0x59, 0x59), RGBColor(0xB0, 0x1E, 0x1E)
GONE, CAME = RED, RGBColor(0x14, 0x66, 0x3B)
"""Of words that only one of two texts has."""
PAGE = (Cm(21.0), Cm(29.7))
MARGIN = Cm(2.4)
PICTURE = Cm(12)
"""Width of a picture beside a quote."""


def write(report: ExportReport) -> bytes:
    """Return the report as the bytes of a .docx file."""
    document = Document()
    set_up(document, report.title, f"{report.made_at:%Y-%m-%d}", landscape=report.kind == "matrix")
    notes = Footnotes(document)
    say(document.add_heading(level=0), report.title)
    draw_facts(document, report.facts)
    if report.kind == "matrix":
        _side_by_side(document, report, notes)
    else:
        for group in report.groups:
            _group(document, group, notes)
    say(document.add_heading(level=1), "核验声明")
    for line in statement(report):
        say(document.add_paragraph(style="List Bullet"), line)
    notes.attach()
    return saved(document)


def saved(document: WordDocument) -> bytes:
    """Return a document as the bytes of a .docx file."""
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def say(paragraph: Paragraph, text: str, colour: RGBColor | None = None) -> Paragraph:
    """Add a run with exactly this text; what went is struck through, what came underlined, for print in grey too."""
    run = paragraph.add_run()
    fill(run._r, text)
    if colour is not None:
        run.font.color.rgb, run.font.strike, run.font.underline = colour, colour == GONE, colour == CAME
    return paragraph


# --- the parts


def draw(where: WordDocument | _Cell, rows: Sequence[Sequence[str]], heads: int = 0) -> Table:
    """Draw rows of words as a table, the first of them as heads."""
    table = where.add_table(len(rows), max(map(len, rows)))
    table.style = "Table Grid"
    for number, (line, words) in enumerate(zip(table.rows, rows, strict=True)):
        for cell, text in zip(line.cells, words, strict=False):
            say(cell.paragraphs[0], text).runs[0].bold = number < heads or None
        if number < heads:
            repeat(line)
    return table


def repeat(row: _Row) -> None:
    """Let a row of heads stand on every page that its table goes on to."""
    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def draw_facts(document: WordDocument, facts: Sequence[Sequence[str]]) -> None:
    """Draw names with their values."""
    for row in draw(document, facts).rows:
        row.cells[0].width, row.cells[1].width = Cm(3.2), Cm(13)


def _group(document: WordDocument, group: Group, notes: Footnotes) -> None:
    say(document.add_heading(level=1), group.heading)
    for note in group.notes:
        say(document.add_paragraph(), note)
    for passage in group.passages:
        _passage(document, passage, notes)


def _side_by_side(document: WordDocument, report: ExportReport, notes: Footnotes) -> None:
    """What stands beside the provinces first, then one column for each of them."""
    groups = list(report.groups)
    while groups and groups[0].heading in (NATION, UNPLACED):
        _group(document, groups.pop(0), notes)
    if not groups:
        return
    table = document.add_table(rows=2, cols=len(groups), style="Table Grid")
    repeat(table.rows[0])
    for cell, group in zip(table.rows[0].cells, groups, strict=True):
        say(cell.paragraphs[0], group.heading).runs[0].bold = True
    for cell, group in zip(table.rows[1].cells, groups, strict=True):
        for note in group.notes:
            say(cell.add_paragraph(), note)
        for passage in group.passages:
            _passage(cell, passage, notes)
        first = cell.paragraphs[0]  # a new cell comes with an empty line
        if len(cell.paragraphs) > 1:
            first._p.getparent().remove(first._p)


def _passage(where: WordDocument | _Cell, passage: ReportPassage, notes: Footnotes) -> None:
    quote, said = passage.quote, fields(passage)
    if quote.before_text:
        _beside(where, "前文：", said["前文"])
    words = say(where.add_paragraph(style=QUOTE), shown(quote))
    notes.add(words, _source(said))
    if quote.table is not None:
        _row(where, quote.table)
    if quote.after_text:
        _beside(where, "后文：", said["后文"])
    for figure in quote.figures:
        _figure(where, figure, passage)
    marks = where.add_paragraph(style=MARKS)
    say(marks, f"{said['序号']} {in_marks(said['法规'])}{said['位置']} · {said['时效']}（{said['适用日期']}） · ")
    proof = say(marks, said["核验"]).runs[-1]
    if passage.proof.outcome is not ProofOutcome.PASSED:
        proof.font.color.rgb, proof.bold = RED, True
    if said["注意"]:
        say(marks, f" · 注意：{said['注意']}")
    for line in said.get("英文", "").splitlines():
        say(where.add_paragraph(style=BESIDE), line)
    if quote.review is not None:
        say(marks, " · " + "，".join(filter(None, (said["复核"], said["复核人"], said["复核日"], said["复核意见"]))))


def _row(where: WordDocument | _Cell, quoted: QuotedRow) -> None:
    """Draw a quoted table row under its caption, unit, header and group."""
    for piece in filter(None, (quoted.caption, quoted.unit)):
        say(where.add_paragraph(style=BESIDE), piece.text)
    lines = [[piece.text for piece in line] for line in (*quoted.columns, quoted.cells)]
    draw(where, lines, len(quoted.columns))


def _figure(where: WordDocument | _Cell, shown: ShownFigure, passage: ReportPassage) -> None:
    """Show a picture, a formula with its variables, or the rows of a table that the quote points to."""
    png = passage.image_of(shown)
    if png is not None:
        where.add_paragraph(style=BESIDE).add_run().add_picture(io.BytesIO(png), width=PICTURE)
    _beside(where, "图表：", figure_words(shown))
    rows, pieces = passage.beside(shown)
    if rows:
        draw(where, rows)
    for words in pieces:
        say(where.add_paragraph(style=BESIDE), words)


def _beside(where: WordDocument | _Cell, label: str, text: str) -> None:
    paragraph = where.add_paragraph(style=BESIDE)
    say(paragraph, label).runs[0].bold = True
    say(paragraph, text)


def _source(said: dict[str, str]) -> str:
    """Return the footnote of a quote: where it stands, since when it is law and why, and the hashes to check it by."""
    ended = "" if said["时效依据"] == said["施行日期依据"] else said["时效依据"]
    more = ("级别", "公布", "施行日期依据", "时效依据", "网址", "文件", "引文SHA-256", "文本SHA-256", "原件SHA-256")
    known = {**said, "时效依据": ended}
    place = f"入库文本第{said['起']}至{said['止']}字符"
    return "；".join((source(said), *(f"{name}：{known[name]}" for name in more if known[name]), place)) + "。"


# --- looks


def _styles(document: WordDocument) -> None:
    for name in ("Normal", "Title", "Heading 1", "List Bullet"):
        _font(document.styles[name], HEI if name in ("Title", "Heading 1") else SONG)
    document.styles["Normal"].font.size = Pt(10.5)
    document.styles["Title"].font.size = Pt(18)
    quote = _new(document, QUOTE, 11)
    quote.paragraph_format.left_indent = Cm(0.6)
    quote.paragraph_format.space_before = Pt(8)
    quote.paragraph_format.line_spacing = 1.4
    beside = _new(document, BESIDE, 9)
    beside.paragraph_format.left_indent = Cm(1.2)
    marks = _new(document, MARKS, 9)
    marks.paragraph_format.left_indent = Cm(0.6)
    beside.font.color.rgb = marks.font.color.rgb = GREY


def _new(document: WordDocument, name: str, points: float) -> ParagraphStyle:
    style = document.styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    _font(style, SONG)
    style.font.size = Pt(points)
    style.paragraph_format.space_after = Pt(3)
    return style


def _font(style: ParagraphStyle, name: str) -> None:
    """Set the font for Chinese too, which Word keeps apart from the Latin one."""
    style.font.name = name
    style.font.color.rgb = RGBColor(0, 0, 0)
    fonts = style.element.rPr.rFonts
    for script in ("w:eastAsia", "w:hAnsi", "w:ascii"):
        fonts.set(qn(script), name)
    for theme in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):
        fonts.attrib.pop(qn(theme), None)


def set_up(document: WordDocument, title: str, day: str, *, landscape: bool = False) -> None:
    """Give a new document our typefaces, page, footer and properties."""
    _styles(document)
    section = document.sections[0]
    section.page_width, section.page_height = PAGE
    if landscape:
        section.orientation = WD_ORIENT.LANDSCAPE
        section.page_width, section.page_height = PAGE[1], PAGE[0]
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = MARGIN
    foot = section.footer.paragraphs[0]
    foot.alignment = WD_ALIGN_PARAGRAPH.CENTER
    say(foot, f"{title} · {day} · 第 ")
    _field(foot, "PAGE")
    say(foot, " 页")
    _drop_thumbnail(document)
    document.core_properties.author = "Nemo"
    document.core_properties.title = title
    document.core_properties.comments = ""


def _drop_thumbnail(document: WordDocument) -> None:
    """Take out the preview picture of python-docx's template: it shows another document."""
    rels = document.part.package.rels
    for key in [key for key, rel in rels.items() if rel.reltype.endswith("/thumbnail")]:
        del rels[key]


def _field(paragraph: Paragraph, code: str) -> None:
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), code)
    paragraph._p.append(field)
