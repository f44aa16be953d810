"""Charts as pictures: every word stands in the SVG, foreign words are no markup, the PNG is a picture of the same size."""

import datetime as dt
import io

import pytest
from lxml import etree
from PIL import Image

from nemo.export import charts, typeface

DAY = dt.date(2026, 11, 20)
BARS = [
    {"版本": "1. 2020-01-01", "自": dt.date(2020, 1, 1), "至": dt.date(2023, 6, 1), "时效性": "已被修改", "起止": "2020-01-01 起"},
    {"版本": "2. 2023-06-01", "自": dt.date(2023, 6, 1), "至": dt.date(2027, 1, 1), "时效性": "现行有效", "起止": "2023-06-01 起"},
]  # fmt: skip
ALL = {
    "grid": charts.grid("覆盖<b>", ["甲省", "乙省"], ["电网", "许可"], [[1, 0], [12, 130]], (1, 3, 10, 30, 100)),
    "shares": charts.shares("时效性<b>", [("现行有效", 7, "#2E8B57"), ("已废止", 1, "#B4483F")]),
    "spans": charts.spans("时间轴<b>", BARS, {"已被修改": "#B58A3C", "现行有效": "#2E8B57"}, DAY),
}


@pytest.mark.parametrize("name", ALL)
def test_a_chart_is_a_picture(name: str) -> None:
    chart = ALL[name]
    root = etree.fromstring(charts.write(chart, "svg"))
    told = [e.text for e in root.iter("{*}text")]
    assert told == [s.text or None for s in chart.shapes if isinstance(s, charts.ChartWords)]
    assert chart.title in told and "<b>" in chart.title, "a foreign word is no markup"
    for shape in chart.shapes:
        assert 0 <= shape.x <= chart.width and 0 <= shape.y <= chart.height
    if "png" in charts.forms():
        picture = Image.open(io.BytesIO(charts.write(chart, "png")))
        assert picture.size == (round(chart.width * 2), round(chart.height * 2))
        assert len(picture.getcolors(1 << 20) or ()) > 3


def test_darker_is_more() -> None:
    boxes = [s.colour for s in ALL["grid"].shapes if isinstance(s, charts.ChartBox)]
    assert len(set(boxes)) == 4 and boxes[1] == "#FFFFFF", "nothing held is left white"


def test_a_bar_stands_where_its_days_are() -> None:
    bars = [s for s in ALL["spans"].shapes if isinstance(s, charts.ChartBox)][:2]
    assert bars[0].x + bars[0].width == pytest.approx(bars[1].x)
    assert bars[0].width < bars[1].width + 30


def test_without_a_typeface_there_is_no_png(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typeface, "held", lambda: False)
    assert charts.forms() == ("svg",)
