"""Chinese, Arabic and full-width numerals (数字)."""

import re

NUMERAL = "〇○零一二三四五六七八九十百千万亿两廿卅0-9０-９"
"""Characters a numeral may hold, for use inside a regex class."""

_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2}
_DIGITS |= {str(i): i for i in range(10)} | {chr(0xFF10 + i): i for i in range(10)}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_GROUPS = {"万": 10**4, "亿": 10**8}
_TENS = {"廿": 20, "卅": 30}
_NAMES = "零一二三四五六七八九"
_ARTICLE = re.compile(rf"第?([{NUMERAL}]+)条?(?:之([{NUMERAL}]+))?")
_MAX_LENGTH = 24


def parse_number(text: str) -> int | None:
    """Return the value of a whole numeral, None when ``text`` is not one.

    Reads 一百二十, 十二, 二〇二五, 廿三, 两千, 12, １２ and mixtures such as 3千; blanks inside are ignored.
    """
    squashed = "".join(text.split())
    if not squashed or len(squashed) > _MAX_LENGTH:
        return None
    if all(c in _DIGITS for c in squashed):
        return int("".join(str(_DIGITS[c]) for c in squashed))
    return _parse_units(squashed)


def _parse_units(text: str) -> int | None:
    """Read a numeral with 十百千万亿 as multipliers."""
    total = group = 0
    pending: int | None = None
    for char in text:
        if char in _DIGITS:
            pending = (pending or 0) * 10 + _DIGITS[char]
        elif char in _TENS:
            group, pending = group + _TENS[char], None
        elif char in _UNITS:
            # 零 before a unit is a gap, no factor: 一万零十
            group, pending = group + (pending or 1) * _UNITS[char], None
        elif char in _GROUPS:
            total, group, pending = (total + group + (pending or 0)) * _GROUPS[char], 0, None
        else:
            return None
    return total + group + (pending or 0)


def to_chinese(number: int) -> str:
    """Write a number the way articles are numbered: 十, 二十一, 一百零五, 一千二百六十.

    Raises:
        ValueError: the number is negative or not below 100,000,000.
    """
    if not 0 <= number < 10**8:
        raise ValueError(f"cannot write {number} as an article number")
    if number >= 10**4:
        high, low = divmod(number, 10**4)
        gap = "零" if 0 < low < 1000 else ""
        return to_chinese(high) + "万" + gap + (to_chinese(low) if low else "")
    written = _below_ten_thousand(number)
    return written[1:] if written.startswith("一十") else written


def _below_ten_thousand(number: int) -> str:
    if number < 10:
        return _NAMES[number]
    for unit, name in ((1000, "千"), (100, "百"), (10, "十")):
        if number >= unit:
            head, rest = divmod(number, unit)
            gap = "零" if 0 < rest < unit // 10 else ""
            return _NAMES[head] + name + gap + (_below_ten_thousand(rest) if rest else "")
    raise AssertionError("unreachable: number is at least ten")


def parse_article(text: str) -> tuple[int, int] | None:
    """Return ``(number, insertion)`` of an article name: 第一百二十条之一 → ``(120, 1)``, 第6条 → ``(6, 0)``."""
    match = _ARTICLE.fullmatch("".join(text.split()))
    if match is None:
        return None
    number, insertion = parse_number(match[1]), parse_number(match[2]) if match[2] else 0
    return None if number is None or insertion is None else (number, insertion)


def article_label(number: int, insertion: int = 0) -> str:
    """Return the label of an article: ``6``, or ``12.1`` for 第十二条之一."""
    return f"{number}.{insertion}" if insertion else str(number)


def article_name(number: int, insertion: int = 0) -> str:
    """Return an article's name in its standard form: 第六条, 第十二条之一."""
    return f"第{to_chinese(number)}条" + (f"之{to_chinese(insertion)}" if insertion else "")


def unit_label(article: str, paragraph: int | None, item: int | None) -> str:
    """Return the label of a 款 or 项 of an article, ``25-2``, ``25-1-3``; the article's where neither is named."""
    if paragraph is None and item is None:
        return article
    return f"{article}-{paragraph or 1}" + (f"-{item}" if item is not None else "")


_LEADING_ARTICLE = re.compile(rf"\s*(?:第\s*)?([{NUMERAL}]+\s*条(?:\s*之\s*[一二三四五六七八九十]+)?)")


def article_key(name: str) -> str:
    """Return what two ways of naming one article share: ``25`` for 第二十五条, 第25条第一款 and 25条.

    An outline path loses its punctuation: ``三二`` for 三（二） and 三、（二）.
    """
    match = _LEADING_ARTICLE.match(name)
    parsed = parse_article("第" + match[1]) if match else None
    return article_label(*parsed) if parsed else re.sub(r"[^\w]", "", name)
