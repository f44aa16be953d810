"""Sub- and superscripts that a PDF places by themselves are read where they stand, and break no sentence."""

import pytest

from nemo.parse.lines import Box, Glyph, rejoin
from nemo.parse.pdf.glyphs import lines_of

SIZE = 16.0


def run(text: str, left: float, top: float, size: float = SIZE) -> list[Glyph]:
    """A run of characters as a PDF draws it: Chinese ones a square, Latin ones half as wide; a gap is no character."""
    glyphs = []
    for char in text:
        wide = size if ord(char) > 0x2E80 else size / 2
        if char != " ":
            glyphs.append(Glyph(char, Box(left, top, left + wide, top + size)))
        left += wide
    return [*glyphs, Glyph("\n", Box(left, top, left, top + size))]


def text_of(*runs: list[Glyph]) -> str:
    return rejoin([lines_of([glyph for each in runs for glyph in each], 1)])[0]


BODY = "演示机组的综合性能指标"
EDGE = 80 + SIZE * len(BODY)
"""Where the letter behind the words begins."""
BEHIND = EDGE + SIZE / 2
"""Where its scripts begin."""


@pytest.mark.parametrize(
    ("remark", "scripts", "written"),
    [
        ("one below", [run("i", BEHIND, 109, 8)], "K_i"),
        ("one above", [run("t", BEHIND, 98, 8)], "K^t"),
        ("both, the upper one drawn first", [run("pd", BEHIND, 98, 8), run("i", BEHIND, 109, 8)], "K_i^(pd)"),
        ("a figure below, as everybody writes it", [run("3", BEHIND, 109, 8)], "K3"),
        ("of several signs", [run("i,t", BEHIND, 109, 8)], "K_(i,t)"),
    ],
)
def test_a_script_is_written_at_its_letter(remark: str, scripts: list[list[Glyph]], written: str) -> None:
    words = run(BODY + "K", 80, 100), run("应不低于零点九。", BEHIND + 24, 100)
    below = run("演示市场运行期间由演示机构统计并且发布这些指标。", 80, 130)
    read = text_of(*scripts, *words, below)
    assert f"指标{written}应不低于零点九。" in read.replace(" ", ""), remark
    assert "演示市场运行期间" in read, remark


@pytest.mark.parametrize(
    ("remark", "runs", "kept"),
    [
        ("the figure of a note behind a Chinese word", [run(BODY, 80, 100), run("1", EDGE, 98, 8)], f"{BODY}1"),
        ("small print on its own line", [run(BODY, 80, 100), run("note", 80, 140, 8)], "note"),
        ("letters of the text's own size", [run("演示装机MWh。", 80, 100)], "演示装机MWh。"),
    ],
)
def test_what_is_no_script_stays(remark: str, runs: list[list[Glyph]], kept: str) -> None:
    read = text_of(*runs)
    assert kept in read and "_" not in read and "^" not in read, remark
