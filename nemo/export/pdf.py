"""A report as a PDF file: bookmarks for every heading and quote, quotes underlaid, the source under each (PDF 导出).

The letters come from the reader's own Song typeface (Adobe-GB1): no font is carried along.
"""

from __future__ import annotations

import html
import io
from collections.abc import Iterator

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Image, Paragraph, SimpleDocTemplate, Spacer, Table

from nemo.export.characters import visible
from nemo.export.figures import figure_words
from nemo.export.proof import ProofOutcome
from nemo.export.report import ExportReport, ReportPassage, fields, shown, statement
from nemo.text.structure.figures import cells
from nemo.types import FigureKind, ShownFigure

FONT = "STSong-Light"
_BASE = {"fontName": FONT, "wordWrap": "CJK", "leading": 15, "fontSize": 10}
_STYLES = {
    "title": ParagraphStyle("title", **{**_BASE, "fontSize": 18, "leading": 26, "spaceAfter": 6}),
    "head": ParagraphStyle("head", **{**_BASE, "fontSize": 13, "leading": 20, "spaceBefore": 10, "spaceAfter": 4}),
    "quote": ParagraphStyle(
        "quote", **{**_BASE, "fontSize": 11, "leading": 18}, backColor=colors.HexColor("#FFF4CC"), leftIndent=8, rightIndent=4,
        borderPadding=(4, 4, 4, 8), spaceBefore=8, spaceAfter=8,
    ),
    "beside": ParagraphStyle("beside", **_BASE, textColor=colors.HexColor("#55606F"), leftIndent=8),
    "small": ParagraphStyle("small", **{**_BASE, "fontSize": 8.5, "leading": 13}, textColor=colors.HexColor("#3B4658")),
}  # fmt: skip
MOST_ROWS = 60
"""Rows of a table that are repeated beside a quote."""
_WIDEST = "\uffff"
"""Characters beyond have no place in the typeface."""


def write(report: ExportReport) -> bytes:
    """Return the report as the bytes of a .pdf file."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    out = io.BytesIO()
    document = _Document(
        out, pagesize=A4, leftMargin=22 * mm, rightMargin=22 * mm, topMargin=20 * mm, bottomMargin=20 * mm,
        title=report.title, author="Nemo", creator="Nemo",
    )  # fmt: skip
    document.build(list(_story(report)), onFirstPage=_foot, onLaterPages=_foot)
    return out.getvalue()


class _Marked(Paragraph):
    """A paragraph that the reader's side bar of bookmarks leads to."""

    def __init__(self, text: str, style: ParagraphStyle, entry: str, level: int) -> None:
        super().__init__(text, style)
        self.entry, self.level = entry, level


class _Document(SimpleDocTemplate):
    """Writes a bookmark wherever a marked paragraph comes to stand."""

    def afterFlowable(self, flowable: Flowable) -> None:
        if isinstance(flowable, _Marked):
            key = f"b{id(flowable)}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.entry, key, flowable.level, closed=False)


def _story(report: ExportReport) -> Iterator[Flowable]:
    yield _Marked(_safe(report.title), _STYLES["title"], report.title, 0)
    rows = [[_line(name, "small"), _line(value, "small")] for name, value in report.facts]
    yield Table(rows, colWidths=(24 * mm, None), style=[("VALIGN", (0, 0), (-1, -1), "TOP")], hAlign="LEFT")
    for group in report.groups:
        yield _Marked(_safe(group.heading), _STYLES["head"], visible(group.heading), 0)
        for passage in group.passages:
            yield from _passage(passage)
        for note in group.notes:
            yield _line(note, "small")
    yield _Marked("核验声明", _STYLES["head"], "核验声明", 0)
    for line in statement(report):
        yield _line(f"· {line}", "small")


def _passage(passage: ReportPassage) -> Iterator[Flowable]:
    quote, said = passage.quote, fields(passage)
    if quote.before_text:
        yield _line(f"前文：{said['前文']}", "beside")
    place = f"{said['序号']} 《{said['法规']}》{said['位置']}"
    yield _Marked(_safe(shown(quote)), _STYLES["quote"], place, 1)
    if said["表"]:
        yield _line(said["表"], "beside")
    if quote.after_text:
        yield _line(f"后文：{said['后文']}", "beside")
    for figure in quote.figures:
        yield from _figure(figure, passage)
    if "英文" in said:
        yield _line(said["英文"], "small")
    page = f"第{said['页']}页" if said["页"] else ""
    facts = (said["文号"], page, said["发布机关"], f"生效：{said['生效']}", f"{said['时效']}（{said['适用日期']}）")
    yield _line(" · ".join(filter(None, (place, *facts))), "small")
    wrong = passage.proof.outcome is not ProofOutcome.PASSED
    checked = f'<font color="#B01E1E">{_safe(said["核验"])}</font>' if wrong else _safe(said["核验"])
    review = "，".join(filter(None, (said["复核"], said["复核人"], said["复核日"])))
    notice = f" · 注意：{_safe(said['注意'])}" if said["注意"] else ""
    yield Paragraph(f"{checked} · {_safe(review)}{notice}", _STYLES["small"])
    yield Spacer(1, 6)


def _figure(shown: ShownFigure, passage: ReportPassage) -> Iterator[Flowable]:
    """Show a picture, a formula with its variables, or the rows of a table that the quote points to."""
    png = passage.image_of(shown)
    if png is not None:
        yield Image(io.BytesIO(png), width=120 * mm, height=150 * mm, kind="proportional", hAlign="LEFT")
    yield _line(f"图表：{figure_words(shown)}", "small")
    rows = cells(shown.figure, passage.proof.text or "") if passage.quote.table is None else []
    formula = shown.text if shown.figure.kind is FigureKind.FORMULA else None
    lines = [" | ".join(row) for row in rows[:MOST_ROWS]]
    lines += [piece.text for piece in (formula, shown.notes) if piece is not None]
    yield from (_line(words, "beside") for words in lines)


def _line(words: str, style: str) -> Paragraph:
    return Paragraph(_safe(words), _STYLES[style])


def _safe(words: str) -> str:
    """Return text as the markup of a paragraph: escaped, lines kept, letters beyond the typeface told by their code."""
    shown = "".join(c if c <= _WIDEST else f"〔U+{ord(c):X}〕" for c in visible(words))
    return html.escape(shown).replace("\n", "<br/>")


def _foot(canvas: Canvas, document: SimpleDocTemplate) -> None:
    canvas.setFont(FONT, 8)
    canvas.drawCentredString(A4[0] / 2, 12 * mm, f"第 {document.page} 页")
