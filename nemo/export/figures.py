"""Figures as they leave Nemo (图表): listed, told in a line, and pictures as images made anew from checked bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemo.errors import NotFoundError
from nemo.text.letter.titles import in_marks
from nemo.text.structure.figures import figures, shown
from nemo.types import Figure, FigureKind, Regulation, ShownFigure, TablePiece
from nemo.types.plain import picked

if TYPE_CHECKING:
    from nemo.store.library import Library


def figure_json(shown: ShownFigure) -> dict[str, Any]:
    """Return a figure beside a quote; ``figure`` is its number in the text, by which its image is fetched."""
    picture = shown.figure.picture
    return {
        **picked(shown.figure, "figure=number kind"),
        "name": shown.figure.name or None,
        "section_reference": shown.path,
        **picked(shown.figure, "page_numbers=pages start=span.start end=span.end"),
        **{name: piece_json(getattr(shown, name)) for name in ("caption", "text", "notes")},
        "recognised": picture and picture.confidence,
        "unread": shown.figure.unread,
        "sha256": picture and picture.sha256,
    }


def piece_json(piece: TablePiece | None) -> dict[str, Any] | None:
    """Return words of a text with their place."""
    return None if piece is None else picked(piece, "text start=span.start end=span.end")


def figure_words(shown: ShownFigure) -> str:
    """Return how a figure is called in a line: its caption or name, and its page."""
    pages = "第" + "、".join(map(str, shown.figure.pages)) + "页" if shown.figure.pages else ""
    caption = " ".join(shown.caption.text.split()) if shown.caption else shown.figure.name or shown.figure.kind.value
    read = shown.figure.picture.confidence if shown.figure.picture else None
    doubt = f"图中文字为识别所得，置信度 {read:.2f}" if read is not None else "未能读出，请看原件" * shown.figure.unread
    return " · ".join(filter(None, (caption, shown.path, pages, doubt)))


def listed(regulation: Regulation) -> dict[str, Any]:
    """Return every figure of a text; a table with its rows as they are stored."""
    rows = []
    for figure in figures(regulation):
        row = figure_json(shown(figure, regulation))
        if figure.kind is FigureKind.TABLE:
            row["text"] = {"text": figure.span.of(regulation.text), "start": figure.span.start, "end": figure.span.end}
        rows.append(row)
    return {"regulation_id": regulation.id, "title": regulation.title, "figures": rows}


def image(library: Library, regulation: Regulation, number: int) -> bytes:
    """Return the picture of this number as a PNG.

    Raises:
        NotFoundError: the text has no figure of this number, or it is no picture.
        UnreadableDocumentError: the original holds it no more, or it cannot be decoded.
    """
    figure = next((f for f in figures(regulation) if f.number == number), None)
    if figure is None or figure.picture is None:
        why = "没有这个编号的图表" if figure is None else f"第 {number} 个图表是{figure.kind}，不是图片"
        raise NotFoundError(f"{in_marks(regulation.title)}{why}。请先列出该法规的图表，再按编号取图片。")
    return image_of(library, regulation, figure)


def image_of(library: Library, regulation: Regulation, figure: Figure) -> bytes:
    """Return a figure that is a picture as a PNG.

    Raises:
        NotFoundError: the original is not held.
        UnreadableDocumentError: it holds the picture no more, or it cannot be decoded.
    """
    from nemo.parse import picture_image  # only who looks at a picture pays for it

    assert figure.picture is not None, "only pictures have bytes of their own"
    return picture_image(library.raw(regulation.sha256), figure.picture, library.settings)


def still_held(figure: Figure, regulation: Regulation) -> bool:
    """Tell whether a stored answer's figure is still the one of its number in the text as held."""
    return any(f.number == figure.number and f.picture == figure.picture for f in figures(regulation))
