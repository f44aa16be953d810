"""How far stated confidence can be believed, drawn (可靠性图): share right over confidence, beside the ideal line.

Plain boxes, placed by percent: Streamlit cuts SVG out of HTML, and a chart library would weigh 26 MiB.
"""

from collections.abc import Sequence

_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def plot(bins: Sequence[Sequence[float]]) -> str:
    """Return the plot of (mean confidence, share right, count) of each bin that is not empty, as HTML."""
    most = max(count for _, _, count in bins)
    dots = "".join(_dot(stated, right, count, most) for stated, right, count in bins)
    below = "".join(f'<span class="x" style="left:{tick:.0%}">{tick:g}</span>' for tick in _TICKS)
    beside = "".join(f'<span class="y" style="bottom:{tick:.0%}">{tick:g}</span>' for tick in _TICKS)
    words = "；".join(f"置信度约 {stated:.2f} 的 {count:.0f} 题，答对 {right:.0%}" for stated, right, count in bins)
    return (
        f'<div class="reliability" role="img" aria-label="可靠性图：{words}"><div class="field">{dots}{below}{beside}</div>'
        '<span class="under">所报置信度</span><span class="side">实际答对</span></div>'
    )


def _dot(stated: float, right: float, count: float, most: float) -> str:
    size = 8 + 12 * (count / most) ** 0.5
    place = f"left:{stated:.1%};bottom:{right:.1%};width:{size:.0f}px;height:{size:.0f}px"
    return f'<i style="{place}" title="置信度 {stated:.2f}，答对 {right:.0%}，{count:.0f} 题"></i>'
