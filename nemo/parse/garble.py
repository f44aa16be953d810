"""Is a text layer fit to quote (文字层质量)? Private-use characters, replacement marks, radicals in place of characters."""

from __future__ import annotations

import unicodedata

from nemo.parse.radicals import RADICALS
from nemo.types.quality import is_unusable

GARBLED_SHARE = 0.05
"""A page with more unusable characters than this is read by OCR instead."""


def unusable_share(text: str) -> float:
    """Share of unusable characters among those that are not white space; 0 for an empty text."""
    solid = [c for c in text if not c.isspace()]
    return sum(map(is_unusable, solid)) / len(solid) if solid else 0.0


def is_radical(char: str) -> bool:
    """Whether a character is a Kangxi or CJK radical (⻛ for 风) or a compatibility ideograph: a decoding fault in text."""
    return "\u2e80" <= char <= "\u2fdf" or "\uf900" <= char <= "\ufaff"


def repair(text: str) -> tuple[str, int]:
    """Replace radicals by the characters they stand for, one for one.

    Returns:
        The text, of the same length, and the number of characters replaced.
    """
    if not any(map(is_radical, text)):
        return text, 0
    changed = "".join(_character(c) if is_radical(c) else c for c in text)
    return changed, sum(1 for a, b in zip(text, changed, strict=True) if a != b)


def _character(radical: str) -> str:
    mapped = RADICALS.get(radical) or unicodedata.normalize("NFKC", radical)
    return mapped if len(mapped) == 1 else radical
