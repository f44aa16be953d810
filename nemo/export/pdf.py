"""A report as a PDF file: bookmarks for every heading and quote, quotes underlaid, the source under each (PDF 导出).

The letters in use are embedded from a Chinese typeface of this machine (``nemo.export.typeface``), so that every reader
shows and copies them. On a machine without one they come from the reader's own Song typeface (Adobe-GB1), and the
document says so.
"""

from __future__ import annotations

import functools
import html
import io
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Image, KeepTogether, Paragraph, SimpleDocTemplate, Spacer, Table, paragraph
from reportlab.platypus.doctemplate import NullActionFlowable

from nemo.export import typeface
from nemo.export.characters import visible
from nemo.export.figures import figure_words
from nemo.export.proof import ProofOutcome
from nemo.export.report import ExportReport, ReportPassage, fields, shown, standing, statement
from nemo.text.letter.titles import in_marks
from nemo.types import ShownFigure

FONT, EMBEDDED = "STSong-Light", "NemoSong"
"""Of the reader, where this machine has no typeface to embed."""
NOT_EMBEDDED = "生成本文件的机器没有可嵌入的中文字体，文字用阅读器自带的宋体显示。"


def _styles(font: str) -> dict[str, ParagraphStyle]:
    base = {"fontName": font, "wordWrap": "CJK", "leading": 15, "fontSize": 10}
    small = {**base, "fontSize": 8.5, "leading": 13}
    return {
        "title": ParagraphStyle("title", **{**base, "fontSize": 18, "leading": 26, "spaceAfter": 6}),
        "head": ParagraphStyle("head", **{**base, "fontSize": 13, "leading": 20, "spaceBefore": 10, "spaceAfter": 4}),
        "quote": ParagraphStyle(
            "quote", **{**base, "fontSize": 11, "leading": 18}, backColor=colors.HexColor("#FFF4CC"), leftIndent=8, rightIndent=4,
            borderPadding=(4, 4, 4, 8), spaceBefore=8, spaceAfter=8,
        ),
        "beside": ParagraphStyle("beside", **base, textColor=colors.HexColor("#55606F"), leftIndent=8),
        "small": ParagraphStyle("small", **small, textColor=colors.HexColor("#3B4658")),
        "name": ParagraphStyle("name", **small, textColor=colors.HexColor("#6B7686")),
        "place": ParagraphStyle("place", **base),
        "note": ParagraphStyle("note", **small, spaceAfter=4),
        "wrong": ParagraphStyle("wrong", **small, textColor=colors.HexColor("#B01E1E")),
    }  # fmt: skip


_FACTS = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"), ("LEFTPADDING", (0, 0), (0, -1), 0), ("TOPPADDING", (0, 0), (-1, -1), 1),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
]  # fmt: skip
"""The table at the head begins where the text does, its lines as close as lines of text."""

_ENOUGH = 70 * mm
"""Of a page, to begin a quote that goes on over its end."""

_BREAK = "\x02"
"""Ends a line; no text that is shown holds it."""
_UNIT = re.compile(
    r"[“‘《〈〔【（｛「『\[({]*(?:[!-~]{1,24}|.)[”’》〉〕】）｝」』\])}。？！，、；：％‰℃·—…～?!,.;:% ]*", re.S
)
"""What is not broken: a letter, number or word with the marks before and behind it (GB/T 15834—2011 5.1)."""


def _lines(words: str, widths: Sequence[float], font: str, size: float) -> list[tuple[float, str]]:
    """Break words into lines as Chinese is printed, without empty ones; return each behind the room it leaves.

    The writer's own way knows what begins no line in Japanese, lets opening marks end one, and hangs marks into the margin.
    """
    wide, lines = widths[-1], list[str]()
    for given in filter(str.strip, words.split(_BREAK)):
        line, room = "", wide
        for unit in _UNIT.findall(given):
            for piece in [unit] if stringWidth(unit, font, size) <= wide else unit:
                if (needs := stringWidth(piece.rstrip(), font, size)) > room and line:
                    lines.append(line)
                    line, room = "", wide
                line, room = line + piece, room - needs - stringWidth(piece[len(piece.rstrip()) :], font, size)
        lines.append(line)
    return [(wide - stringWidth(line.strip(), font, size), line.strip()) for line in lines]


paragraph.wordSplit = _lines  # of every paragraph in one style that is broken as CJK

_SETTING = threading.Lock()
"""The writer knows a typeface by its name alone: one document at a time registers its own."""
_TOTAL = "pages"
_ALWAYS = "第页共/ 0123456789ABCDEFU+〔〕"
"""Letters of the foot and of codes."""
_WIDEST = "\uffff"
"""Characters beyond have no place in what these typefaces are written as."""


def write(report: ExportReport) -> bytes:
    """Return the report as the bytes of a .pdf file."""
    with _SETTING:
        pdfmetrics.registerFont(UnicodeCIDFont(FONT))
        tried = _Setting(FONT)
        list(tried.story(report))  # which letters are in use
        made = typeface.drawn(tried.used | set(_ALWAYS), EMBEDDED)
        if made is None:
            return _built(report, tried)
        _register(TTFont(EMBEDDED, io.BytesIO(made)))
        return _built(report, _Setting(EMBEDDED, typeface.letters(tried.used)))


def _register(font: TTFont) -> None:
    """Register the letters of one document in place of those of the document before."""
    for known in (pdfmetrics._fonts, pdfmetrics._dynFaceNames):
        for key in [key for key, held in known.items() if held.fontName == font.fontName]:
            del known[key]
    pdfmetrics.registerFont(font)


def _built(report: ExportReport, setting: _Setting) -> bytes:
    out = io.BytesIO()
    document = _Document(
        out, pagesize=A4, leftMargin=22 * mm, rightMargin=22 * mm, topMargin=20 * mm, bottomMargin=20 * mm,
        title=report.title, subject=report.facts[0][1], author="Nemo", creator="Nemo",
    )  # fmt: skip
    pages = functools.partial(_Pages, setting.font)
    document.build(list(setting.story(report)), onFirstPage=setting.foot, onLaterPages=setting.foot, canvasmaker=pages)
    return out.getvalue()


class _Pages(Canvas):
    """Writes at the end how many pages there are, where the foot of each has left room for it."""

    def __init__(self, font: str, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._font = font

    def save(self) -> None:
        last = self.getPageNumber() - 1
        self.beginForm(_TOTAL, 0, 0, *A4)
        self.setFont(self._font, 8)
        self.drawString(A4[0] / 2, 12 * mm, f" / 共 {last} 页")
        self.endForm()
        super().save()


class _Marked(Paragraph):
    """A paragraph that the reader's side bar of bookmarks leads to."""

    entry, level = "", 0
    """What is read there; empty of what goes on from the page before."""

    @classmethod
    def of(cls, text: str, style: ParagraphStyle, entry: str, level: int) -> _Marked:
        """Return a paragraph with its bookmark."""
        made = cls(text, style)
        made.entry, made.level = entry, level
        return made

    def split(self, width: float, height: float) -> list[Paragraph]:
        """Return the parts of a paragraph that goes on over the page; the writer makes them anew, without the bookmark."""
        parts: list[Paragraph] = super().split(width, height)
        if parts:
            parts[0].entry, parts[0].level = self.entry, self.level
        return parts


class _Together(KeepTogether):
    """A quote with its heading and its source: on one page, unless enough of a page is left to begin it there."""

    def split(self, width: float, height: float) -> list[Flowable]:
        here = self._H > height >= _ENOUGH
        parts: list[Flowable] = [NullActionFlowable(), *self._content] if here else super().split(width, height)
        return parts


class _Document(SimpleDocTemplate):
    """Writes a bookmark wherever a marked paragraph comes to stand."""

    marks = 0
    """Written so far; each is known by its number: two of one name would both be called what the later is."""

    def afterFlowable(self, flowable: Flowable) -> None:
        if isinstance(flowable, _Marked) and flowable.entry:
            self.marks += 1
            key = f"b{self.marks}"
            self.canv.bookmarkPage(key)
            self.canv.addOutlineEntry(flowable.entry, key, flowable.level, closed=False)


@dataclass
class _Setting:
    """Sets a report in one typeface."""

    font: str
    letters: frozenset[str] | None = None
    """Of the embedded typeface; None where the reader's own is used."""
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.styles = _styles(self.font)

    def story(self, report: ExportReport) -> Iterator[Flowable]:
        """Yield the paragraphs of a report."""
        yield _Marked.of(self.safe(report.title), self.styles["title"], report.title, 0)
        rows = [[self.line(name, "name"), self.line(value, "small")] for name, value in report.facts]
        yield Table(rows, colWidths=(20 * mm, None), style=_FACTS, hAlign="LEFT")
        for group in report.groups:
            lead: list[Flowable] = [
                _Marked.of(self.safe(group.heading), self.styles["head"], visible(group.heading), 0)
            ]
            lead += [self.line(note, "note") for note in group.notes]
            for passage in group.passages:
                yield _Together([*lead, *self._passage(passage)])
                lead = []
            yield from lead
        yield _Marked.of(self.safe("核验声明"), self.styles["head"], "核验声明", 0)
        for line in (*statement(report), *((NOT_EMBEDDED,) if self.font == FONT else ())):
            yield self.line(f"· {line}", "small")

    def _passage(self, passage: ReportPassage) -> Iterator[Flowable]:
        quote, said = passage.quote, fields(passage)
        if quote.before_text:
            yield self.line(f"前文：{said['前文']}", "beside")
        place = f"{said['序号']} {in_marks(said['法规'])}{said['位置']}"
        yield _Marked.of(self.safe(shown(quote)), self.styles["quote"], place, 1)
        if said["表"]:
            yield self.line(said["表"], "beside")
        if quote.after_text:
            yield self.line(f"后文：{said['后文']}", "beside")
        for figure in quote.figures:
            yield from self._figure(figure, passage)
        if "英文" in said:
            yield self.line(said["英文"], "small")
        yield self.line(place, "place")
        yield self.line(standing(said), "small")
        review = "，".join(filter(None, (said["复核"], said["复核人"], said["复核日"], said["复核意见"])))
        notice = f"注意：{said['注意']}" if said["注意"] else ""
        looks = "small" if passage.proof.outcome is ProofOutcome.PASSED else "wrong"
        yield self.line(" · ".join(filter(None, (said["核验"], review, notice))), looks)
        yield Spacer(1, 6)

    def _figure(self, shown: ShownFigure, passage: ReportPassage) -> Iterator[Flowable]:
        """Show a picture, a formula with its variables, or the rows of a table that the quote points to."""
        png = passage.image_of(shown)
        if png is not None:
            yield Image(io.BytesIO(png), width=120 * mm, height=150 * mm, kind="proportional", hAlign="LEFT")
        yield self.line(f"图表：{figure_words(shown)}", "small")
        rows, pieces = passage.beside(shown)
        yield from (self.line(words, "beside") for words in (*map(" | ".join, rows), *pieces))

    def line(self, words: str, style: str) -> Paragraph:
        """Return a paragraph of plain words."""
        return Paragraph(self.safe(words), self.styles[style])

    def safe(self, words: str) -> str:
        """Return text as the markup of a paragraph: escaped, lines kept, letters beyond the typeface told by their code."""
        shown = "".join(c if self._has(c) else f"〔U+{ord(c):X}〕" for c in visible(words))
        self.used |= set(shown)
        return html.escape(shown).replace("\n", _BREAK)

    def _has(self, letter: str) -> bool:
        return letter <= _WIDEST and (self.letters is None or letter in self.letters or letter.isspace())

    def foot(self, canvas: Canvas, document: SimpleDocTemplate) -> None:
        """Draw the number of a page."""
        canvas.setFont(self.font, 8)
        canvas.drawRightString(A4[0] / 2, 12 * mm, f"第 {document.page} 页")
        canvas.doForm(_TOTAL)
