"""How far stated confidence can be believed, drawn (可靠性图): share right over confidence, beside the ideal line."""

from __future__ import annotations

from collections.abc import Sequence

_SIDE, _LEFT, _TOP = 200, 44, 10
"""Pixels of the square, and of the room for words left of and above it."""


def plot(bins: Sequence[Sequence[float]]) -> str:
    """Return the plot as HTML.

    Args:
        bins: (mean confidence, share right, count) of each bin that is not empty.
    """
    most = max(count for _, _, count in bins)
    dots = "".join(_dot(told, right, count, most) for told, right, count in bins)
    ticks = "".join(_tick(step / 4) for step in range(5))
    words = "；".join(f"把握约 {told:.2f} 的 {count:.0f} 题，答对 {right:.0%}" for told, right, count in bins)
    return (
        f'<svg class="reliability" viewBox="0 0 {_LEFT + _SIDE + 12} {_TOP + _SIDE + 40}" role="img" aria-label="可靠性图：{words}">'
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}" class="frame"/>{ticks}'
        f'<line x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}" class="ideal"/>{dots}'
        f'<text x="{_x(0.5)}" y="{_y(0) + 36}" text-anchor="middle">所报把握</text>'
        f'<text x="12" y="{_y(0.5)}" text-anchor="middle" transform="rotate(-90 12 {_y(0.5)})">实际答对</text></svg>'
    )


def _x(value: float) -> float:
    return round(_LEFT + value * _SIDE, 1)


def _y(value: float) -> float:
    return round(_TOP + (1 - value) * _SIDE, 1)


def _tick(at: float) -> str:
    below = f'<text x="{_x(at)}" y="{_y(0) + 16}" text-anchor="middle">{at:.2g}</text>'
    return below + f'<text x="{_LEFT - 6}" y="{_y(at) + 4}" text-anchor="end">{at:.2g}</text>'


def _dot(told: float, right: float, count: float, most: float) -> str:
    radius = round(4 + 7 * (count / most) ** 0.5, 1)
    title = f"<title>把握 {told:.2f}，答对 {right:.0%}，{count:.0f} 题</title>"
    return f'<circle cx="{_x(told)}" cy="{_y(right)}" r="{radius}" class="dot">{title}</circle>'
