"""Is a text layer fit to quote (文字层质量)? Private-use characters, replacement marks, radicals in place of characters."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from nemo.parse.lines import PrintedLine
from nemo.parse.radicals import RADICALS
from nemo.types import Fault, Page, Span
from nemo.types.quality import is_unusable

GARBLED_SHARE = 0.05
"""A page with more unusable characters than this is read by OCR instead."""


def unusable_share(text: str) -> float:
    """Share of unusable characters among those that are not white space; 0 for an empty text."""
    solid = [c for c in text if not c.isspace()]
    return sum(map(is_unusable, solid)) / len(solid) if solid else 0.0


def line_faults(pages: Sequence[Sequence[PrintedLine]], text: str) -> Iterator[Fault]:
    """Lines of formulas whose characters mean nothing outside their font: each with its place, none fit to quote."""
    at = 0
    for line in (line for page in pages for line in page):
        found = text.find(line.text, at)
        at = found + len(line.text) if found >= 0 else at
        if found >= 0 and any(map(is_unusable, line.text)):
            message = f"第{line.page}页有字符（多为公式）无法读出，此处文字不可引用，请以原件为准。"
            yield Fault("formula_unreadable", message, Span(found, at))


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


# --- does a text read like Chinese law?

_LEAST_HAN = 50
"""Han characters below which a text is not judged."""
_LEAST_LETTERS, _HAN_SHARE = 200, 0.05
"""Letters from which a text can be told to be foreign, and the share of Han among them that Chinese with formulas has."""
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U0003ffff]")
_WORDS = re.compile(r"[^\W\d_\u3400-\u9fff\U00020000-\U0003ffff]+")
_EXPECTED = re.compile(r"[A-Za-z\u0370-\u03ff\u2100-\u218b\u3005-\u30ff\u3100-\u312f\uff21-\uff5a\u00aa\u00b5\u00ba]")
"""Letters that Chinese regulation text uses beside Han: Latin, Greek, letterlike signs and units, kana of names."""
LOW_WORD_SHARE = 0.45
"""Share of Han characters inside words of two and more below which a page is no running Chinese."""
_RARE_SHARE = 0.5
_SHOWN = 5


def is_of_wrong_table(text: str) -> bool:
    """Whether most Han characters of a page are of Extension A, hardly one of which is written today: a font's table is wrong."""
    han = _HAN.findall(text)
    return len(han) >= _LEAST_HAN and sum(char < "\u4e00" for char in han) > _RARE_SHARE * len(han)


def strange_words(text: str) -> list[Span]:
    """Return the runs of letters that no Chinese regulation is written in, such as ``ÉÊ`` for 时限.

    A damaged or wrong character table of a font gives valid characters of other scripts. A word that is mostly Latin
    (José) is a name and is left out; so is a text that is not Chinese.
    """
    han = len(_HAN.findall(text))
    if han < _LEAST_HAN or not any(
        c > "\u00bf" and not _HAN.match(c) and not _EXPECTED.match(c) and c.isalpha() for c in set(text)
    ):
        return []
    found = [m for m in _WORDS.finditer(text) if _is_strange(m.group())]
    letters = sum(len(m.group()) for m in found)
    return [Span(m.start(), m.end()) for m in found] if letters < han else []


def _is_strange(word: str) -> bool:
    return sum(1 for c in word if _EXPECTED.match(c)) * 2 < len(word)


def word_share(text: str) -> float | None:
    """Return the share of Han characters that stand in words of two and more; None where there is too little to judge.

    Running Chinese has about three in four; characters put together by a wrong table next to none.
    """
    han = len(_HAN.findall(text))
    if han < _LEAST_HAN:
        return None
    from nemo.text.words import tokenise  # loads a dictionary: importing a reader must stay cheap

    inside = sum(len(_HAN.findall(word)) for word in tokenise.words(text) if len(word) > 1)
    return inside / han


def is_foreign(text: str) -> bool:
    """Whether a text is next to nothing but letters of other scripts: a program, a log, a book in English."""
    letters = sum(map(str.isalpha, text))
    return letters >= _LEAST_LETTERS and len(_HAN.findall(text)) < _HAN_SHARE * letters


def doubts(text: str, pages: Sequence[Page]) -> list[Fault]:
    """Return a fault for every page, or text without pages, that is likely not what is printed, with its place."""
    parts = [page.span for page in pages] or [Span(0, len(text))]
    strange = strange_words(text)
    found = []
    for part in parts:
        where = _where(pages, part)
        places = [at for at in strange if part.contains(at)]
        if places:
            shown = "、".join(dict.fromkeys(f"“{at.of(text)[:8]}”" for at in places[:_SHOWN]))
            around = Span(places[0].start, places[-1].end)
            words = f"{where}有 {len(places)} 处正文不会使用的字符，如{shown}，文字层可能已损坏，请核对原件。"
            found.append(Fault("strange_characters", words, around))
        share = word_share(part.of(text))
        if share is not None and share < LOW_WORD_SHARE:
            found.append(Fault("few_words", f"{where}的文字很少成词，可能不是原文，请核对原件。", part))
    return found


def _where(pages: Sequence[Page], span: Span) -> str:
    number = next((page.number for page in pages if page.span.overlaps(span)), None)
    return f"第{number}页" if number else "文中"
