"""Charts as pictures: a grid of counts, shares of one bar, bars over years, each as SVG or PNG (图表图片).

A chart is a list of shapes; SVG is written from them as they are, PNG is drawn with the Chinese typeface of this machine.
"""

import datetime as dt
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nemo.errors import MissingDependencyError
from nemo.export import typeface
from nemo.export.characters import escaped, visible

_INK, _QUIET, _LINE = "#1B2430", "#55606F", "#C9D1DB"
_SHADES = ("#FFFFFF", "#E3EEF9", "#C2DBF2", "#93BFE6", "#5B9BD5", "#2F6FB0")
_SIZE, _PAD, _ROW = 14, 20, 30
"""Pixels of a letter, of the margin, of a line."""
_CELL, _GAP, _HEAD = 84, 16, 150
"""Pixels of a column at least, around its name, and of the names on the left."""
_WIDE = 760
"""Pixels of a bar over years or shares."""
_TWICE = 2
"""Pixels of a PNG for each of the chart."""


@dataclass(frozen=True, slots=True)
class ChartBox:
    """A filled rectangle, in pixels from the upper left."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True, slots=True)
class ChartWords:
    """A line of text; ``x`` and ``y`` are of its middle on the left, or of its middle."""

    x: float
    y: float
    text: str
    colour: str = _INK
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn, with its size in pixels."""

    title: str
    width: float
    height: float
    shapes: tuple[ChartBox | ChartWords, ...]


def grid(
    title: str, rows: Sequence[str], columns: Sequence[str], counts: Sequence[Sequence[int]], tiers: Sequence[int]
) -> Chart:
    """Return counts by row and column, darker from each of the ``tiers`` on."""
    shapes: list[ChartBox | ChartWords] = [ChartWords(_PAD, _PAD + _ROW / 2, title)]
    top = _PAD + 2 * _ROW
    cell = max([_CELL, *(len(name) * _SIZE + _GAP for name in columns)])
    for at, name in enumerate(columns):
        shapes.append(ChartWords(_HEAD + (at + 0.5) * cell, top - _ROW / 2, name, _QUIET, centred=True))
    for line, (name, row) in enumerate(zip(rows, counts, strict=True)):
        y = top + line * _ROW
        shapes.append(ChartWords(_PAD, y + _ROW / 2, name, _QUIET))
        for at, count in enumerate(row):
            tier = min(sum(count >= least for least in tiers), len(_SHADES) - 1)
            x = _HEAD + at * cell
            shapes.append(ChartBox(x + 1, y + 1, cell - 2, _ROW - 2, _SHADES[tier]))
            ink = "#FFFFFF" if tier >= len(_SHADES) - 2 else _INK
            shapes.append(ChartWords(x + cell / 2, y + _ROW / 2, str(count or ""), ink, centred=True))
    width = max(_HEAD + len(columns) * cell, len(title) * _SIZE + _PAD) + _PAD
    return Chart(title, width, top + len(rows) * _ROW + _PAD, tuple(shapes))


def shares(title: str, parts: Sequence[tuple[str, int, str]]) -> Chart:
    """Return one bar cut by counts: (name, count, colour)."""
    shapes: list[ChartBox | ChartWords] = [ChartWords(_PAD, _PAD + _ROW / 2, title)]
    total, x, y = sum(count for _, count, _ in parts) or 1, float(_PAD), float(_PAD + _ROW)
    for line, (name, count, colour) in enumerate(parts):
        width = _WIDE * count / total
        shapes.append(ChartBox(x, y, width, _ROW, colour))
        x += width
        shapes.append(ChartBox(_PAD, y + _ROW * (line + 1.5) + 9, 12, 12, colour))
        shapes.append(ChartWords(_PAD + 20, y + _ROW * (line + 2), f"{name}　{count}"))
    return Chart(title, _WIDE + 2 * _PAD, y + _ROW * (len(parts) + 2) + _PAD, tuple(shapes))


def spans(title: str, bars: Sequence[Mapping[str, object]], colours: Mapping[str, str], day: dt.date) -> Chart:
    """Return bars over the years (版本, 自, 至, 时效性, 起止) with a line on a day; at least one bar."""
    starts = [bar["自"] for bar in bars]
    ends = [bar["至"] for bar in bars]
    first, last = min([*starts, day]), max([*ends, day])  # type: ignore[type-var]
    days = max((last - first).days, 1)  # type: ignore[operator]
    left = _PAD

    def place(when: object) -> float:
        return left + _WIDE * (when - first).days / days  # type: ignore[operator]

    shapes: list[ChartBox | ChartWords] = [ChartWords(_PAD, _PAD + _ROW / 2, title)]
    top = _PAD + _ROW * 1.5
    for line, bar in enumerate(bars):
        y = top + line * 2 * _ROW
        shapes.append(
            ChartBox(
                place(bar["自"]), y + 4, place(bar["至"]) - place(bar["自"]), _ROW - 8, colours[str(bar["时效性"])]
            )
        )
        shapes.append(ChartWords(left, y + _ROW * 1.3, f"{bar['版本']}　{bar['时效性']}：{bar['起止']}", _QUIET))
    bottom = top + len(bars) * 2 * _ROW
    shapes.append(ChartBox(place(day), top - 6, 2, bottom - top + 6, _INK))
    shapes.append(ChartWords(place(day), bottom + _ROW / 2, str(day), centred=True))
    return Chart(title, left + _WIDE + 3 * _PAD, bottom + _ROW + _PAD, tuple(shapes))


def forms() -> tuple[str, ...]:
    """Return the forms a chart can be written in on this machine: PNG needs a Chinese typeface."""
    return ("png", "svg") if typeface.held() else ("svg",)


def write(chart: Chart, form: str) -> bytes:
    """Return a chart as the bytes of a picture in one of the :func:`forms`."""
    return "".join(_svg(chart)).encode() if form == "svg" else _png(chart)


def _svg(chart: Chart) -> Iterator[str]:
    size = f'width="{chart.width:g}" height="{chart.height:g}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escaped(chart.title)}</title>'
    yield f'<rect {size} fill="#FFFFFF"/>'
    for shape in chart.shapes:
        if isinstance(shape, ChartBox):
            where = f'x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            yield f'<rect {where} fill="{shape.colour}" stroke="{_LINE}" stroke-width="0.5"/>'
        else:
            anchor = "middle" if shape.centred else "start"
            where = f'x="{shape.x:g}" y="{shape.y:g}" text-anchor="{anchor}" dominant-baseline="central"'
            face = f'font-size="{_SIZE}" font-family="Noto Sans CJK SC, Microsoft YaHei, PingFang SC, sans-serif"'
            yield f'<text {where} {face} fill="{shape.colour}">{escaped(shape.text)}</text>'
    yield "</svg>"


def _png(chart: Chart) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    found = typeface.installed()
    if found is None:
        raise MissingDependencyError("本机的中文字体不能用来画图。请改下载 SVG 图片。")
    font = ImageFont.truetype(str(found[0]), _SIZE * _TWICE, index=found[1])
    picture = Image.new("RGB", (round(chart.width * _TWICE), round(chart.height * _TWICE)), "#FFFFFF")
    pen = ImageDraw.Draw(picture)
    for shape in chart.shapes:
        x, y = shape.x * _TWICE, shape.y * _TWICE
        if isinstance(shape, ChartBox):
            pen.rectangle((x, y, x + shape.width * _TWICE, y + shape.height * _TWICE), fill=shape.colour, outline=_LINE)
        else:
            pen.text((x, y), visible(shape.text), font=font, fill=shape.colour, anchor="mm" if shape.centred else "lm")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()
