"""Line breaks that only the print made (版面换行): where the words of a paragraph run on over the edge of a line.

A stored text keeps them, because quotes are cut from it character by character; a reader wants the paragraph. Only
breaks that are certain count: the line before is as full as the fullest, ends inside a sentence, and the next one
opens no item.
"""

import re
import unicodedata

from nemo.text.words.openings import opens_unit

_BREAK = re.compile(r"(?<![\n\f \t])[ \t]{0,8}\r?\n\f?(?![ \t]{0,8}\r?\n)")
_BLANK = re.compile(r"(?<=\n)(?:[ \t]{0,80}\r?\n){1,80}")
"""Blank lines between paragraphs, which a file of marked-up text needs and a page of the law does not have."""
_APART = re.compile(r"[ \t]*(?:\u3000|$|[•·●■◆—-])")
"""What begins a paragraph without a number, or nothing at all."""

_ENDS = frozenset("。；：！？;:!?”」』…")
_SHORTEST = 28
"""Half-width units; a shorter line was not broken by the edge of a page."""
_INDENT = 4
"""Half-width units by which the first line of a paragraph is shorter; who read the page may have left its blanks out."""
_FULL = 0.82
"""Of the widest line: the first of all is indented, a last character may not fit."""


def line_wraps(text: str) -> list[tuple[int, int]]:
    """Return where breaks of the print and blank lines stand, as half-open places of white space, in order."""
    found, blank = list(_BREAK.finditer(text)), [m.span() for m in _BLANK.finditer(text)]
    if not found:
        return blank
    starts = [0, *(m.end() for m in found)]
    ends = [*(m.start() for m in found), len(text)]
    widths = [_width(text[a:b].strip()) for a, b in zip(starts, ends, strict=True)]
    least = max(_SHORTEST, _FULL * max(widths))
    for at, m in enumerate(found, 1):
        widths[at] += _INDENT * (text[m.start() - 1] in _ENDS)
    if widths[0] < least <= widths[1]:
        widths[0] = widths[1]  # a quote may begin within a line: what is left of it says nothing
    wraps = (
        m.span()
        for at, m in enumerate(found)
        if widths[at] >= least and text[m.start() - 1] not in _ENDS and not _begins(text, m.end())
    )
    return sorted([*wraps, *blank])


def _begins(text: str, at: int) -> bool:
    """Whether the line at ``at`` begins a paragraph, an item or nothing at all."""
    return _APART.match(text, at) is not None or opens_unit(text[at : at + 60].partition("\n")[0].strip())


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def joined(text: str) -> str:
    """Return ``text`` as paragraphs: breaks of the print are left out, or a blank between Latin words."""
    parts, at = [], 0
    for start, end in line_wraps(text):
        parts += [text[at:start], " " if between_words(text, start, end) else ""]
        at = end
    return "".join([*parts, text[at:]])


def between_words(text: str, start: int, end: int) -> bool:
    """Tell whether a break stands between two Latin words or numbers, which must not grow together."""
    return bool(text[start - 1 : start].strip()) and text[start - 1 : start].isascii() and text[end : end + 1].isascii()
