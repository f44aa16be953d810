"""Pictures, tables and formulas of a text with their captions, and where words point to them (图表).

Where tables stand is known from :mod:`nemo.text.structure.tables`, where pictures stand from the reader of the file;
formulas are lines of their own around an equals sign. Numbers and captions are read by GB/T 1.1-2020 §9.9–9.11: that of a
picture stands below it, that of a table above, that of a formula at the end of its line.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from nemo.text.structure.tables import tables
from nemo.text.words.openings import opens_unit
from nemo.types import Figure, FigureKind, Picture, Regulation, ShownFigure, Span, TablePiece

_NUMBER = r"(?:[A-Z][.．]?)?\d{1,3}(?:[.．\-－—–]\d{1,3}){0,3}"
_NAMED = rf"附?[图表]\s{{0,2}}{_NUMBER}|附[图表]\s{{0,2}}[一二三四五六七八九十]{{0,3}}"
_CAPTION = re.compile(
    rf"(?:续\s{{0,2}})?(?P<name>{_NAMED})(?![\d.．]|所?示|中的|为|是|和|及|与|、|列|给出|规定)(?P<title>[^。；！？]{{0,60}})$"
)
_TABLE_NAME = re.compile(_NAMED)
_FORMULA = re.compile(r"(?P<left>[^=＝。；;！？!?|]{1,80})[=＝](?P<right>[^。；！？|]{1,500})[。；]?$")
_NO_FORMULA = re.compile(
    r"(?:第.{1,9}条|式中|其中|公式|上式|当|若|如果?|即|注|单位)|.{0,80}(?:https?:|[：:]\s*$)|[\u4e00-\u9fff]{25}"
)
_OPERATOR = re.compile(r"[+\-−－＋×÷·*/∑Σ∏√∫<>≤≥^_(（\[｛{∆△Δη]|\d")
_FORMULA_NUMBER = re.compile(r"\s[（(](?P<number>(?:[A-Z][.．\-])?\d{1,3}(?:[.．\-－—–]\d{1,3}){0,2})[）)]$")
_WHERE = re.compile(r"(?:式中|其中|公式中|上式中|式内)\s*[：:，,、—-]?")
_VARIABLE = re.compile(
    r"[^。；，,：:\s]{0,40}?[A-Za-zα-ωΑ-Ω∆△][^。；：:]{0,40}?\s*(?:[:：]|——|—|为|是|表示|指|取|=|＝)"
)
_MOST_VARIABLES = 40
_NEAR = 2
"""Rows between a picture and its caption."""
_POINTS = re.compile(
    rf"(?P<name>{_NAMED})|(?:公式|式)\s{{0,2}}[（(]\s{{0,2}}(?P<formula>[A-Z]?[\d.．\-－—–]{{1,9}})\s{{0,2}}[）)]"
    rf"|(?P<below>[下如上](?P<kind>[图表式])(?!\s{{0,2}}[\d（(A-Z])|(?:下列|如下|以下|下述)(?:计算)?公式|(?:计算)?公式(?:如下|为))"
)


class PointedFigure(NamedTuple):
    """What a stretch of words points to."""

    name: str
    """图1, 附表2, 式（3）; empty for the next one (下图)."""
    kind: FigureKind
    span: Span
    back: bool = False
    """The one before (上图)."""


def pointed(words: str) -> Iterator[PointedFigure]:
    """Yield the figures that words point to, in their order."""
    for match in _POINTS.finditer(words):
        span = Span(*match.span())
        if match["name"]:
            name = named(match["name"])
            yield PointedFigure(name, FigureKind(name.removeprefix("附")[0]), span)
        elif match["formula"]:
            yield PointedFigure(f"式（{plain_number(match['formula'])}）", FigureKind.FORMULA, span)
        else:
            kind = match["kind"] or "式"
            yield PointedFigure("", FigureKind.FORMULA if kind == "式" else FigureKind(kind), span, match[0][0] == "上")


def named(words: str) -> str:
    """Return the name of a picture or table in one form, without blanks."""
    return plain_number("".join(words.split()))


def plain_number(words: str) -> str:
    """Return a number with the signs that prints vary in one form: 3．2－1 as 3.2-1."""
    return re.sub("[－—–]", "-", words.replace("．", "."))


def figures(regulation: Regulation) -> tuple[Figure, ...]:
    """Return the figures of a text in its order, those outside its own provisions left out."""
    own = _own(regulation)
    found = [
        *(_picture(regulation.text, each) for each in regulation.pictures),
        *(f for f in _written(regulation.text) if own.start <= f.span.start < own.end),
    ]
    found.sort(key=lambda f: (f.span, f.kind.value))
    return tuple(
        Figure(
            number, f.kind, f.span, f.name, f.caption, f.notes, _pages(regulation, f), regulation.unquotable(f.span), f.picture
        )
        for number, f in enumerate(found, 1)
    )  # fmt: skip


def shown(figure: Figure, regulation: Regulation) -> ShownFigure:
    """Return a figure with its article and the slices that make it readable; of what could not be read no words."""
    text, start = regulation.text, figure.span.start
    unit = regulation.unit(Span(start, max(start, min(start + 1, figure.span.end))))
    read = figure.kind is not FigureKind.TABLE and figure.span.end > start and not figure.unread
    return ShownFigure(
        figure,
        unit.path() if unit else "",
        unit.label if unit else "",
        TablePiece.of(figure.caption, text),
        TablePiece.of(figure.span if read else None, text),
        TablePiece.of(figure.notes, text),
    )


def cells(figure: Figure, text: str) -> list[list[str]]:
    """Return the rows of a table in order, header first, each with the words of its cells; empty for anything else."""
    found = next((t for t in tables(text) if t.span == figure.span), None) if figure.kind is FigureKind.TABLE else None
    rows = (*found.header, *found.rows) if found else ()
    return [[cell.of(text) for cell in row.cells] for row in rows]


def _own(regulation: Regulation) -> Span:
    provisions = regulation.provisions
    return Span(provisions[0].span.start, provisions[-1].span.end) if provisions else Span(0, 0)


def _pages(regulation: Regulation, figure: Figure) -> tuple[int, ...]:
    if figure.picture is not None and figure.picture.page is not None:
        return (figure.picture.page,)
    return regulation.page_numbers(figure.span)


@lru_cache(maxsize=64)
def _written(text: str) -> tuple[Figure, ...]:
    """Return the tables and formulas that the text itself holds."""
    found = []
    for table in tables(text):
        name = _TABLE_NAME.search(table.caption.of(text)) if table.caption else None
        notes = Span(table.notes[0].start, table.notes[-1].end) if table.notes else None
        found.append(Figure(0, FigureKind.TABLE, table.span, named(name[0]) if name else "", table.caption, notes))
    return (*found, *_formulas(text))


def _picture(text: str, picture: Picture) -> Figure:
    caption = _caption(text, picture.span)
    match = _CAPTION.match(caption.of(text)) if caption else None
    return Figure(0, FigureKind.PICTURE, picture.span, named(match["name"]) if match else "", caption, picture=picture)


def _caption(text: str, span: Span) -> Span | None:
    """Return the caption of a picture: the nearest line below it that is one, else above."""
    below = [line for line in _lines(text, span.end, len(text), _NEAR + 1) if line.start >= span.end]
    above = _lines_above(text, span.start, _NEAR)
    return next((line for line in (*below[:_NEAR], *above) if _CAPTION.match(line.of(text))), None)


def _lines(text: str, start: int, end: int, most: int) -> list[Span]:
    """Return the first rows that are not blank from ``start`` on, without their outer blanks."""
    found: list[Span] = []
    while start < end and len(found) < most:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if row := text[start:stop].strip():
            begin = text.index(row, start)
            found.append(Span(begin, begin + len(row)))
        start = stop + 1
    return found


def _lines_above(text: str, end: int, most: int) -> list[Span]:
    """Return the last rows that are not blank before ``end``, the nearest first."""
    found: list[Span] = []
    while end > 0 and len(found) < most:
        start = text.rfind("\n", 0, end) + 1
        found += _lines(text, start, end, 1)
        end = start - 1
    return found


def _formulas(text: str) -> Iterator[Figure]:
    """Yield the formulas that stand on lines of their own; lines that follow each other are one."""
    if "=" not in text and "＝" not in text:
        return
    rows = [Span(*m.span()) for m in re.finditer(r"[^\n]+", text) if m[0].strip()]
    at = 0
    while at < len(rows):
        first = at
        while at < len(rows) and is_formula(rows[at].of(text)):
            at += 1
        if first == at:
            at += 1
            continue
        group = rows[first:at]
        notes, at = _variables(text, rows, at)
        yield from (_formula(text, row, notes) for row in group)


def is_formula(row: str) -> bool:
    """Whether a row is a formula and nothing else."""
    row = row.strip()
    match = _FORMULA.match(row)
    if match is None or _NO_FORMULA.match(row):
        return False
    return _OPERATOR.search(match["left"] + match["right"]) is not None


def _formula(text: str, row: Span, notes: Span | None) -> Figure:
    words = row.of(text)
    start = row.start + len(words) - len(words.lstrip())
    number = _FORMULA_NUMBER.search(words.rstrip())
    name = f"式（{plain_number(number['number'])}）" if number else ""
    return Figure(0, FigureKind.FORMULA, Span(start, row.start + len(words.rstrip())), name, None, notes)


def _variables(text: str, rows: list[Span], at: int) -> tuple[Span | None, int]:
    """Return the list of variables (式中) that begins at row ``at``, and the row after it."""
    where = _WHERE.match(rows[at].of(text).strip()) if at < len(rows) else None
    if where is None:
        return None, at
    first = last = at
    while last + 1 < len(rows) and last - first < _MOST_VARIABLES:
        below, above = rows[last + 1].of(text).strip(), rows[last].of(text).rstrip()
        if opens_unit(below) or is_formula(below) or below[-1] in "：:":
            break
        if not _VARIABLE.match(below) and above[-1:] not in "；;：:":
            break
        last += 1
    if first == last and where.end() == len(rows[first].of(text).strip()):
        return None, at  # 其中： with more formulas below
    return Span(rows[first].start, rows[last].start + len(rows[last].of(text).rstrip())), last + 1
