"""Sub- and superscripts of a formula in a line (上下标), which a PDF places by themselves: K, then i somewhere, then pd.

Left to their own rows they break the sentence and land in another one. They are written behind the letter they stand at,
in the linear form that formulas of Word files take: ``K_i^(pd)``. Figures behind Chinese words are notes, not scripts.
"""

from collections.abc import Sequence
from statistics import median

from nemo.parse.lines import Glyph

_SMALL = 0.72
"""A script is at most this share of the height of the text."""
_FULL = 0.8
"""The letter it stands at has at least this share of it."""
_NEAR = 0.35
"""It begins within this many heights of the text behind the letter, or of the script before it."""
_RISE = 0.6
"""Its middle lies within this many heights of the text above or below the middle of the letter."""
_LEAST = 0.1
"""Less of a rise than this is none."""


def attached(runs: Sequence[list[Glyph]]) -> list[list[Glyph]]:
    """Return the runs of a page with every script behind its letter; the same runs when there is none."""
    heights = [g.box.height for run in runs for g in run if "\u4e00" <= g.char <= "\u9fff"]
    if not heights:
        return list(runs)
    text = median(heights)
    small = [g for run in runs for g in run if _is_small(g, text)]
    if not small:
        return list(runs)
    taken: dict[int, str] = {}
    written: dict[int, list[Glyph]] = {}
    for base in (g for run in runs for g in run if _is_letter(g, text)):
        near = [g for g in small if id(g) not in taken and _beside(base, g, text)]
        for mark, side in (("_", 1), ("^", -1)):
            script = _chain(base, [g for g in near if side * (g.box.down - base.box.down) > _LEAST * text], text)
            if script:
                taken |= dict.fromkeys(map(id, script), mark)
                written.setdefault(id(base), []).extend(_linear(mark, script))
    kept = [[g for g in run if id(g) not in taken] for run in runs]
    return [
        [each for g in run for each in (g, *written.get(id(g), ()))] for run in kept if any(g.char.strip() for g in run)
    ]


def _is_small(glyph: Glyph, text: float) -> bool:
    return glyph.char.isascii() and not glyph.char.isspace() and 0 < glyph.box.height < _SMALL * text


def _is_letter(glyph: Glyph, text: float) -> bool:
    """Whether it is a letter as formulas use them, of the height of the text."""
    latin = glyph.char.isascii() and glyph.char.isalpha()
    return (latin or "\u0370" <= glyph.char <= "\u03ff") and glyph.box.height >= _FULL * text


def _beside(base: Glyph, glyph: Glyph, text: float) -> bool:
    behind = glyph.box.left - base.box.left
    return 0 < behind < 8 * text and abs(glyph.box.down - base.box.down) <= _RISE * text


def _chain(base: Glyph, near: Sequence[Glyph], text: float) -> list[Glyph]:
    """Return the characters that follow one another right behind a letter."""
    chain: list[Glyph] = []
    edge = base.box.right
    for glyph in sorted(near, key=lambda g: g.box.left):
        if abs(glyph.box.left - edge) > _NEAR * text:
            break
        chain.append(glyph)
        edge = glyph.box.right
    return chain


def _linear(mark: str, script: Sequence[Glyph]) -> list[Glyph]:
    """Return a script in linear form; the signs that are not printed stand where it begins or ends."""
    first, last = script[0].box, script[-1].box
    before, after = first._replace(right=first.left), last._replace(left=last.right)
    if mark == "_" and all(glyph.char.isdigit() for glyph in script):
        return list(script)  # K1 and λ3, as everybody writes them
    if len(script) == 1:
        return [Glyph(mark, before), *script]
    return [Glyph(mark, before), Glyph("(", before), *script, Glyph(")", after)]
