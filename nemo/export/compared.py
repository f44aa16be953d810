"""Two texts side by side as a file: Word, or one HTML page that needs nothing else (对照导出)."""

import html
import io
from collections.abc import Iterator
from dataclasses import dataclass

from docx import Document
from docx.enum.section import WD_ORIENT
from docx.shared import Cm, RGBColor
from docx.text.paragraph import Paragraph

from nemo.export.characters import visible
from nemo.export.word import CAME, GONE, MARGIN, PAGE, say
from nemo.text.versions.edits import Edit, stretches
from nemo.text.words.linebreaks import joined

FORMS = {"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "html": "text/html"}
Piece = tuple[str, bool]
"""A stretch of one side, and whether the other side has it not."""

_PAGE = """<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>{title}</title><style>
body{{font-family:'Songti SC','SimSun','Noto Serif CJK SC',serif;line-height:1.8;max-width:75rem;margin:2rem auto;padding:0 1rem}}
table{{border-collapse:collapse;width:100%}}th,td{{border:1px solid #bbb;padding:.4rem .7rem;vertical-align:top;width:46%;text-align:left}}
th:first-child,td:first-child{{width:8%}}td+td{{white-space:pre-wrap}}
del{{color:#B01E1E}}ins{{color:#14663B;text-decoration:underline}}mark{{background:#CFE3FF}}tr{{break-inside:avoid}}
</style><h1>{title}</h1><p>{note}</p><table><thead><tr><th>{what}</th><th>{left}</th><th>{right}</th></tr></thead><tbody>{rows}</tbody></table></html>"""


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """A provision on both sides; ``edits`` only where both have it and differ."""

    kind: str
    old: str | None
    new: str | None
    edits: tuple[Edit, ...] = ()

    def sides(self) -> tuple[list[Piece], list[Piece]]:
        """Return both sides as stretches, without the line breaks of the print."""
        if self.old is None or self.new is None or not self.edits:
            alone = self.old is None or self.new is None
            return tuple([(joined(text), alone)] if text else [] for text in (self.old, self.new))  # type: ignore[return-value]
        cut = list(stretches(self.old, self.new, self.edits))
        return [(a, not same) for a, _, same in cut if a], [(b, not same) for _, b, same in cut if b]


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """What is set side by side."""

    title: str
    note: str
    """Counts, day, and what the comparison is."""
    heads: tuple[str, str]
    lines: tuple[ComparedLine, ...]
    versions: bool = True
    """Whether they are two versions; of two different rules nothing was deleted, so nothing is struck through."""

    @property
    def what(self) -> str:
        """Head of the column that says how the sides stand to each other."""
        return "变化" if self.versions else "异同"


def write(texts: ComparedTexts, form: str) -> bytes:
    """Return the comparison as a file of one of the ``FORMS``."""
    return _word(texts) if form == "docx" else _html(texts).encode()


def _html(texts: ComparedTexts) -> str:
    tags = ("del", "ins") if texts.versions else ("mark", "mark")
    rows = "".join(
        f"<tr><td>{_safe(line.kind)}</td>"
        + "".join(f"<td>{_marked(side, tag)}</td>" for side, tag in zip(line.sides(), tags, strict=True))
        + "</tr>"
        for line in texts.lines
    )
    left, right = map(_safe, texts.heads)
    return _PAGE.format(
        title=_safe(texts.title), note=_safe(texts.note), what=texts.what, left=left, right=right, rows=rows
    )


def _marked(side: list[Piece], tag: str) -> str:
    return "".join(f"<{tag}>{_safe(words)}</{tag}>" if alone else _safe(words) for words, alone in side) or "（无）"


def _safe(words: str) -> str:
    return html.escape(visible(words))


def _word(texts: ComparedTexts) -> bytes:
    document = Document()
    section = document.sections[0]
    section.orientation, section.page_width, section.page_height = WD_ORIENT.LANDSCAPE, PAGE[1], PAGE[0]
    section.left_margin = section.right_margin = MARGIN
    document.add_heading(visible(texts.title), level=1)
    document.add_paragraph(visible(texts.note))
    table = document.add_table(rows=1, cols=3, style="Table Grid")
    widths, colours = (Cm(2.2), Cm(11.3), Cm(11.3)), (None, GONE if texts.versions else CAME, CAME)
    for cells, row in _cells(texts):
        made = table.rows[0] if row is None else table.add_row()
        for cell, side, width, colour in zip(made.cells, cells, widths, colours, strict=True):
            cell.width = width
            _fill(cell.paragraphs[0], side, colour if row is not None else None)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _cells(texts: ComparedTexts) -> Iterator[tuple[tuple[list[Piece], ...], ComparedLine | None]]:
    yield ([(texts.what, False)], *([(head, False)] for head in texts.heads)), None
    for line in texts.lines:
        yield ([(line.kind, False)], *line.sides()), line


def _fill(paragraph: Paragraph, side: list[Piece], colour: RGBColor | None) -> None:
    """Write one side: what the other has not in ``colour``, which says whether it is struck through or underlined."""
    for words, alone in side or [("（无）", False)]:
        say(paragraph, words, colour if alone else None)
