"""The search form of a text, with a map back to the characters it came from (规范化).

Only for matching: nothing that is shown or quoted ever passes through here.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nemo.types import Span

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SPECIAL = re.compile(
    rf"[{_INVISIBLE}]+|[\s\u3000]+|[\uff01-\uff5e\u2010-\u2015\u2212\u00b7\u2022\u30fb\u2027"
    r"\u3008\u3009\u3010\u3011\u3014\u3015\ufe5d\ufe5e\u300c-\u300f\u201c-\u201f\u2018-\u201b\u2103\u33a1\u338f\u2126]"
)
_PUNCTUATION = {
    **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
    **dict.fromkeys("\u2022\u30fb\u2027", "\u00b7"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
    **dict.fromkeys("\u3010\u3014\ufe5d", "["),
    **dict.fromkeys("\u3011\u3015\ufe5e", "]"),
    "\u3008": "<",
    "\u3009": ">",
    "\u2103": "°C",
    "\u33a1": "m2",
    "\u338f": "kg",
    "\u2126": "Ω",
    "\u00b7": "\u00b7",
}
_BLANK = re.compile(rf"[\s\u3000{_INVISIBLE}]+")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_BOOK_MARKS = str.maketrans({"〈": "", "〉": "", "《": "", "》": "", "<": "", ">": "", "(": "", ")": ""})
_TITLE_TAIL = re.compile(
    r"\((?:试行|暂行|修订|修正|修订稿|修正本|修订版|\d{4}年?(?:修订|修正|版|本|修正本|修订本)?|征求意见稿|草案)\)"
)


@dataclass(frozen=True, slots=True)
class Normalised:
    """A search form and where each of its characters stands in the original."""

    text: str
    offsets: tuple[int, ...]
    """``offsets[i]`` is the place of ``text[i]`` in the original; one more entry gives the original's length."""

    def original(self, span: Span) -> Span:
        """Return the place in the original of a non-empty ``span`` of the search form."""
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1)


def normalise(text: str) -> Normalised:
    """Return the search form: half-width, simplified, without zero-width characters and needless blanks.

    A blank survives only between two letters or two digits. Idempotent; the offsets rise monotonically.
    """
    source = simplified(text)
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    for match in _SPECIAL.finditer(source):
        start, end = match.span()
        pieces.append(source[done:start])
        offsets.extend(range(done, start))
        form = _form_of(match[0])
        pieces.append(form)
        offsets.extend([start] * len(form))
        done = end
    pieces.append(source[done:])
    offsets.extend(range(done, len(source)))
    return _without_needless_blanks("".join(pieces), offsets, len(text))


def _form_of(found: str) -> str:
    """Return what a run of special characters becomes."""
    if found in _PUNCTUATION:
        return _PUNCTUATION[found]
    return " " if found.isspace() else ""


def _without_needless_blanks(text: str, offsets: list[int], length: int) -> Normalised:
    """Drop blanks unless they part two letters or two digits."""
    kept: list[str] = []
    places: list[int] = []
    done = 0
    for match in re.finditer(r" +", text):
        start, end = match.span()
        kept.append(text[done:start])
        places.extend(offsets[done:start])
        if start and end < len(text) and _parts_words(text[start - 1], text[end]):
            kept.append(" ")
            places.append(offsets[start])
        done = end
    kept.append(text[done:])
    places.extend(offsets[done:])
    places.append(length)
    return Normalised("".join(kept), tuple(places))


def _parts_words(before: str, after: str) -> bool:
    if _HAN.match(before) or _HAN.match(after):
        return False
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())


def simplified(text: str) -> str:
    """Return ``text`` with traditional characters replaced one for one by simplified ones (繁转简)."""
    try:
        text.encode("gb2312")
    except UnicodeEncodeError:
        return text.translate(_traditional())
    return text


@functools.cache
def _traditional() -> dict[int, str]:
    """Return traditional → simplified characters; read on first need because most texts hold none."""
    import opencc

    folder = Path(opencc.__file__).parent / "dictionary"
    table: dict[int, str] = {}
    for line in (folder / "TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        old, _, new = line.partition("\t")
        first = new.split(" ")[0]
        if len(old) == 1 and len(first) == 1 and old != first:
            table[ord(old)] = first
    return _settled(table)


def _settled(table: dict[int, str]) -> dict[int, str]:
    """Follow chains so that translating twice changes nothing."""
    settled: dict[int, str] = {}
    for code, char in table.items():
        seen = {chr(code)}
        while ord(char) in table and char not in seen:
            seen.add(char)
            char = table[ord(char)]
        settled[code] = char
    return {code: char for code, char in settled.items() if chr(code) != char}


def squash(text: str) -> str:
    """Return ``text`` without white space, line breaks and zero-width characters."""
    return _BLANK.sub("", text)


def title_key(title: str) -> str:
    """Return the form under which titles are compared (标题匹配键).

    Blanks and brackets do not count, nor does 中华人民共和国, nor a （试行）, （暂行） or （2023年修订） mark.
    """
    plain = squash(normalise(title).text)
    plain = re.sub(r"\.(?:md|txt|docx?|pdf|html?|ofd)$", "", plain, flags=re.IGNORECASE)
    without = _TITLE_TAIL.sub("", plain) or plain
    return without.replace("中华人民共和国", "").translate(_BOOK_MARKS).replace("[", "").replace("]", "").lower()


def search_form(texts: Sequence[str]) -> list[str]:
    """Return the search forms of several texts without their offsets."""
    return [normalise(text).text for text in texts]
