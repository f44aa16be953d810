"""Automatic numbers of Word (自动编号) as text: 第一条, （一）, 1. — lost by converters that read only the runs.

Levels, formats, restarts and overrides follow ECMA-376 part 1, 17.9.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lxml import etree

from nemo.text.words.numerals import to_chinese

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_DEPTH = 9
_STEPS = 12
"""Longest chain of styles followed; real ones are two or three long."""
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_DIGITS = "〇一二三四五六七八九"
_STEMS = "甲乙丙丁戊己庚辛壬癸"


@dataclass(frozen=True, slots=True)
class NumberingLevel:
    """One level of a list."""

    start: int
    format: str
    pattern: str
    suffix: str
    restart: int
    """Level whose step restarts this one; 0 never."""
    arabic: bool
    """``isLgl``: higher levels are shown in Arabic digits."""


@dataclass
class Numbering:
    """Running numbers of one document."""

    lists: dict[str, dict[int, NumberingLevel]]
    """numId → levels."""
    kin: dict[str, str]
    """numId → abstract list; lists of one abstract list count on together."""
    styles: dict[str, tuple[str | None, str | None, int | None]]
    """styleId → (based on, numId, level)."""
    overridden: set[tuple[str, int]]
    """(numId, level) with a start of their own: they begin anew where first used."""
    counters: dict[str, list[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, numbering: etree._Element | None, styles: etree._Element | None) -> Numbering:
        """Read ``numbering.xml`` and ``styles.xml``; either may be missing."""
        lists: dict[str, dict[int, NumberingLevel]] = {}
        kin: dict[str, str] = {}
        overridden: set[tuple[str, int]] = set()
        if numbering is not None:
            abstract = {a.get(W + "abstractNumId", ""): a for a in numbering.iter(W + "abstractNum")}
            for num in numbering.iter(W + "num"):
                key, target = num.get(W + "numId", ""), _val(num.find(W + "abstractNumId")) or ""
                if target in abstract:
                    lists[key] = _levels(abstract[target], num)
                    kin[key] = target
                    overridden |= {(key, depth) for depth in _starts(num)}
        return cls(lists, kin, _styles(styles), overridden)

    def label(self, paragraph: etree._Element) -> str:
        """Count a paragraph and return its number as shown, empty when it has none."""
        key, depth = self._place(paragraph)
        levels = self.lists.get(key or "", {})
        if key is None or depth not in levels:
            return ""
        level = levels[depth]
        counts = self._step(key, depth, levels)
        shown = _shown(level, levels, counts)
        return shown + _gap(level, shown) if shown else ""

    def _place(self, paragraph: etree._Element) -> tuple[str | None, int]:
        """NumId and level, from the paragraph, else from its style and the styles that one is based on."""
        key, depth = _numbered(paragraph)
        style: str | None = _val(paragraph.find(f"{W}pPr/{W}pStyle"))
        for _ in range(_STEPS):
            if style is None or style not in self.styles or (key is not None and depth is not None):
                break
            base, style_key, style_depth = self.styles[style]
            key = key if key is not None else style_key
            depth = depth if depth is not None else style_depth
            style = base
        return (None if key in (None, "0") else key), min(max(depth or 0, 0), _DEPTH - 1)

    def _step(self, key: str, depth: int, levels: dict[int, NumberingLevel]) -> list[int]:
        family = self.kin[key]
        fresh = [levels[i].start if i in levels else 1 for i in range(_DEPTH)]
        counts = self.counters.setdefault(family, [n - 1 for n in fresh])
        if (key, depth) in self.overridden:
            self.overridden.discard((key, depth))
            counts[depth] = fresh[depth] - 1
        for higher in range(depth):
            counts[higher] = max(counts[higher], fresh[higher])
        counts[depth] += 1
        for deeper in range(depth + 1, _DEPTH):
            if deeper not in levels or levels[deeper].restart > depth:
                counts[deeper] = fresh[deeper] - 1
        return list(counts)


def _val(element: etree._Element | None) -> str | None:
    return None if element is None else element.get(W + "val")


def _int(text: str | None, default: int | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"-?\d{1,6}", text) else default


def _numbered(element: etree._Element) -> tuple[str | None, int | None]:
    """Return the numId and the level that a paragraph or a style states."""
    own = element.find(f"{W}pPr/{W}numPr")
    return (None, None) if own is None else (_val(own.find(W + "numId")), _int(_val(own.find(W + "ilvl")), None))


def _styles(root: etree._Element | None) -> dict[str, tuple[str | None, str | None, int | None]]:
    every = root.iter(W + "style") if root is not None else ()
    return {style.get(W + "styleId", ""): (_val(style.find(W + "basedOn")), *_numbered(style)) for style in every}


def _levels(abstract: etree._Element, num: etree._Element) -> dict[int, NumberingLevel]:
    levels = {}
    for element in (*abstract.iter(W + "lvl"), *num.iter(W + "lvl")):
        depth = _int(element.get(W + "ilvl"), None)
        if depth is not None and 0 <= depth < _DEPTH:
            levels[depth] = _level(element, depth)
    for depth, start in _starts(num).items():
        if depth in levels:
            levels[depth] = replace(levels[depth], start=start)
    return levels


def _starts(num: etree._Element) -> dict[int, int]:
    """Levels of a list that start at a number of their own."""
    starts = {}
    for override in num.iter(W + "lvlOverride"):
        depth = _int(override.get(W + "ilvl"), None)
        start = _int(_val(override.find(W + "startOverride")), None)
        if depth is not None and start is not None:
            starts[depth] = start
    return starts


def _level(element: etree._Element, depth: int) -> NumberingLevel:
    lgl = element.find(W + "isLgl")
    return NumberingLevel(
        start=_int(_val(element.find(W + "start")), 1) or 0,
        format=_val(element.find(W + "numFmt")) or "decimal",
        pattern=_val(element.find(W + "lvlText")) or "",
        suffix=_val(element.find(W + "suff")) or "tab",
        restart=_int(_val(element.find(W + "lvlRestart")), depth) if depth else 0,  # type: ignore[arg-type]
        arabic=lgl is not None and _val(lgl) not in ("0", "false"),
    )


def _shown(level: NumberingLevel, levels: dict[int, NumberingLevel], counts: list[int]) -> str:
    if level.format in ("bullet", "none"):
        return "" if level.format == "none" or _private(level.pattern) else level.pattern

    def number(found: re.Match[str]) -> str:
        at = int(found.group(1)) - 1
        own = levels.get(at, level)
        return format_number(counts[at], "decimal" if level.arabic and own is not level else own.format)

    return re.sub(r"%([1-9])", number, level.pattern)


def _private(pattern: str) -> bool:
    """Bullets of symbol fonts are private-use characters without meaning outside the font."""
    return all("\ue000" <= c <= "\uf8ff" for c in pattern)


def _gap(level: NumberingLevel, shown: str) -> str:
    """What stands between number and text: nothing after 、）. where Chinese sets none, else one space."""
    if level.suffix == "nothing" or shown[-1] in "、）)．.。：":
        return ""
    return " "


def _roman(number: int) -> str:
    out = ""
    for value, text in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    ):
        out += text * (number // value)
        number %= value
    return out


def _letter(number: int) -> str:
    return chr(64 + (number - 1) % 26 + 1) * ((number - 1) // 26 + 1)


def _circled(number: int) -> str:
    return _CIRCLED[number - 1] if number <= len(_CIRCLED) else str(number)


def _by_digits(number: int) -> str:
    return "".join(_DIGITS[int(c)] for c in str(number))


_FORMATS: dict[str, Callable[[int], str]] = {
    "decimalZero": lambda n: f"{n:02d}",
    "decimalFullWidth": lambda n: "".join(chr(ord(c) + 0xFEE0) for c in str(n)),
    **dict.fromkeys(("decimalEnclosedCircle", "decimalEnclosedCircleChinese"), _circled),
    **dict.fromkeys(("chineseCounting", "chineseCountingThousand", "chineseLegalSimplified"), to_chinese),
    **dict.fromkeys(("japaneseCounting", "taiwaneseCounting", "taiwaneseCountingThousand"), to_chinese),
    **dict.fromkeys(("ideographDigital", "japaneseDigitalTenThousand"), _by_digits),
    "ideographTraditional": lambda n: _STEMS[(n - 1) % 10],
    "upperRoman": _roman,
    "lowerRoman": lambda n: _roman(n).lower(),
    "upperLetter": _letter,
    "lowerLetter": lambda n: _letter(n).lower(),
}


def format_number(number: int, form: str) -> str:
    """Return a number in one of Word's formats; unknown formats are shown as digits."""
    if number < 1 or number > 9999:
        return str(number)
    return _FORMATS.get(form, str)(number)
