"""A Chinese typeface of this machine as a small TrueType file of the letters that a document needs (嵌入字体).

Most free Chinese typefaces hold PostScript outlines, which PDF writers do not take. So the outlines of the letters in use
are redrawn as TrueType curves (a thousandth of an em apart at most) and only these are put into the document.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

_FOLDERS = (
    "/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts",
    "/System/Library/Fonts", "/Library/Fonts", "C:/Windows/Fonts",
)  # fmt: skip
_FILES = (
    "NotoSerifCJK-Regular.ttc", "NotoSerifCJKsc-Regular.otf", "NotoSerifSC-Regular.otf", "SourceHanSerifSC-Regular.otf",
    "NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "NotoSansSC-Regular.otf", "SourceHanSansSC-Regular.otf",
    "simsun.ttc", "Songti.ttc", "wqy-zenhei.ttc", "wqy-microhei.ttc", "uming.ttc",
)  # fmt: skip
"""Typefaces with the letters of mainland China, the best first."""
_OF_CHINA = ("SC", "CN", "Simplified")
_NEEDED = "法规条款〔〕"
_MAY_NOT_EMBED = 0x0002
"""Bit of OS/2 fsType: the licence of the typeface forbids it."""
_FAULT = 1.0
"""Units of the em by which a redrawn curve may differ."""


@lru_cache(maxsize=1)
def installed() -> tuple[Path, int] | None:
    """Return the typeface of this machine that documents are set in, with its number in its file; None without one."""
    return next(((path, number) for path in files() if (number := _usable(path)) is not None), None)


@lru_cache(maxsize=1)
def held() -> bool:
    """Tell whether this machine has a file of such a typeface; what is in it is read when it is used."""
    return next(files(), None) is not None


def files() -> Iterator[Path]:
    """Yield the files of this machine that may hold such a typeface, the best first; none of them is opened."""
    for name in _FILES:
        for folder in _FOLDERS:
            yield from sorted(Path(folder).expanduser().glob(f"**/{name}"))


def _usable(path: Path) -> int | None:
    """Return the number of the face of a file that has our letters and may be embedded; None without one."""
    from fontTools.ttLib import TTCollection, TTFont  # an eighth of a second that only who takes a file away pays

    faces = TTCollection(str(path), lazy=True).fonts if path.suffix == ".ttc" else [TTFont(str(path), lazy=True)]
    names = [str(face["name"].getDebugName(4) or "") for face in faces]
    order = sorted((not any(sign in name for sign in _OF_CHINA) or "Mono" in name, at) for at, name in enumerate(names))
    for _, number in order:  # the letters of one face alone are read: they take a twentieth of a second each
        letters = faces[number].getBestCmap() or {}
        if all(ord(c) in letters for c in _NEEDED) and not faces[number]["OS/2"].fsType & _MAY_NOT_EMBED:
            return number
    return None


@lru_cache(maxsize=1)
def _face(path: Path, number: int) -> TTFont:
    from fontTools.ttLib import TTFont

    return TTFont(str(path), fontNumber=number, lazy=True)


def letters(words: Iterable[str]) -> frozenset[str]:
    """Return those letters of some words that the typeface has; empty without a typeface."""
    found = installed()
    known = _face(*found).getBestCmap() if found else {}
    return frozenset(c for text in words for c in text if ord(c) in known)


def drawn(needed: Iterable[str], name: str) -> bytes | None:
    """Return a TrueType file of those letters that the typeface has; None without a typeface."""
    from fontTools.fontBuilder import FontBuilder

    found = installed()
    if found is None:
        return None
    face = _face(*found)
    known = face.getBestCmap()
    cmap = {ord(c): known[ord(c)] for c in sorted(set(needed) | {" ", "?"}) if ord(c) in known}
    order = [".notdef", *dict.fromkeys(g for g in cmap.values() if g != ".notdef")]
    glyphs, widths = face.getGlyphSet(), face["hmtx"].metrics
    builder = FontBuilder(face["head"].unitsPerEm, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(cmap)
    outlines = dict(_outlines(glyphs, order))
    builder.setupGlyf(outlines)
    builder.setupHorizontalMetrics({g: (widths[g][0], getattr(outlines[g], "xMin", 0)) for g in order})
    top, bottom = face["hhea"].ascent, face["hhea"].descent
    builder.setupHorizontalHeader(ascent=top, descent=bottom)
    builder.setupNameTable({"familyName": name, "styleName": "Regular", "psName": name})
    builder.setupOS2(sTypoAscender=top, sTypoDescender=bottom, usWinAscent=top, usWinDescent=-bottom)
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()


def _outlines(glyphs: object, order: Iterable[str]) -> Iterator[tuple[str, object]]:
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    for name in order:
        recorded = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(recorded)  # type: ignore[index]
        pen = TTGlyphPen(None)
        recorded.replay(Cu2QuPen(pen, _FAULT, reverse_direction=True))
        made = pen.glyph()
        made.recalcBounds(None)
        yield name, made
