"""Two texts side by side as a file: Word, or one HTML page that needs nothing else (对照导出)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docx import Document
from docx.document import Document as WordDocument
from docx.shared import Cm

from nemo.export.characters import escaped
from nemo.export.word import CAME, GONE, repeat, saved, say, set_up
from nemo.text.versions.edits import stretches
from nemo.text.words.linebreaks import joined
from nemo.types import today

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
    """A provision on both sides; ``pieces`` are stretches of both and whether they are the same, only where they differ."""

    kind: str
    old: str | None
    new: str | None
    pieces: tuple[tuple[str, str, bool], ...] = ()

    def sides(self) -> tuple[list[Piece], list[Piece]]:
        """Return both sides as stretches, without the line breaks of the print."""
        if self.old is None or self.new is None or not self.pieces:
            alone = self.old is None or self.new is None
            return tuple([(joined(text), alone)] if text else [] for text in (self.old, self.new))  # type: ignore[return-value]
        cut = self.pieces
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

    @classmethod
    def of(
        cls, title: str, heads: tuple[str, str], pairs: Sequence[Any], between: Mapping[Any, str] | None = None
    ) -> ComparedTexts:
        """Return pairs of provisions (``lawview.comparison``); ``between`` names what differs in two different rules."""
        lines = tuple(
            ComparedLine(
                between[p.kind] if between else p.kind.value, old := p.old and p.old.text, new := p.new and p.new.text,
                tuple(stretches(old or "", new or "", p.edits)),
            )
            for p in pairs
        )  # fmt: skip
        note = f"{heads[0]} ↔ {heads[1]}，{len(lines)} 处；{today()} 由 Nemo 对照，以两侧入库文本为准。"
        return cls(title, note, heads, lines, between is None)

    @property
    def what(self) -> str:
        """Head of the column that says how the sides stand to each other."""
        return "变化" if self.versions else "异同"


def write(texts: ComparedTexts, form: str) -> bytes:
    """Return the comparison as a file: ``docx`` or ``html``."""
    return _word(texts) if form == "docx" else _html(texts).encode()


def _html(texts: ComparedTexts) -> str:
    tags = ("del", "ins") if texts.versions else ("mark", "mark")
    rows = "".join(
        f"<tr><td>{escaped(line.kind)}</td>"
        + "".join(f"<td>{_marked(side, tag)}</td>" for side, tag in zip(line.sides(), tags, strict=True))
        + "</tr>"
        for line in texts.lines
    )
    left, right = map(escaped, texts.heads)
    return _PAGE.format(
        title=escaped(texts.title), note=escaped(texts.note), what=texts.what, left=left, right=right, rows=rows
    )


def _marked(side: list[Piece], tag: str) -> str:
    return "".join(f"<{tag}>{escaped(words)}</{tag}>" if alone else escaped(words) for words, alone in side) or "（无）"


def _word(texts: ComparedTexts) -> bytes:
    document = Document()
    set_up(document, texts.title, f"{today():%Y-%m-%d}", landscape=True)
    say(document.add_heading(level=1), texts.title)
    say(document.add_paragraph(), texts.note)
    draw_compared(document, texts, 24.8)
    return saved(document)


def draw_compared(document: WordDocument, texts: ComparedTexts, width: float) -> None:
    """Draw both sides as a table, so many centimetres wide: what the other has not is struck through or underlined."""
    heads = ([(words, False)] for words in (texts.what, *texts.heads))
    lines = [heads, *(([(line.kind, False)], *line.sides()) for line in texts.lines)]
    table = document.add_table(len(lines), 3, style="Table Grid")
    widths, colours = (2.2, (width - 2.2) / 2, (width - 2.2) / 2), (None, GONE if texts.versions else CAME, CAME)
    for made, sides in zip(table.rows, lines, strict=True):
        for cell, side, wide, colour in zip(made.cells, sides, widths, colours, strict=True):
            cell.width = Cm(wide)
            for words, alone in side or [("（无）", False)]:
                say(cell.paragraphs[0], words, colour if alone else None)
    repeat(table.rows[0])
