"""The search form of a text, with a map back to the characters it came from (规范化).

Only for matching: nothing that is shown or quoted ever passes through here.
"""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from nemo.types import Span

_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_WHITE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
_SINGLE = str.maketrans(
    {
        **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
        **dict.fromkeys(_WHITE + "\u2028\u2029\u202f\u205f\u3000", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u2022\u30fb\u2027", "\u00b7"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u300c\u300d\u300e\u300f", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u201b", "'"),
        **dict.fromkeys("\u3010\u3014\ufe5d", "["),
        **dict.fromkeys("\u3011\u3015\ufe5e", "]"),
        **dict(zip("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "0123456789", strict=True)),
        **{chr(0x2080 + i): str(i) for i in range(10)},
        "\u3008": "<",
        "\u3009": ">",
        "\u2126": "Ω",
    }
)
"""One character for one: widths, punctuation, white space, raised and lowered digits."""
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_LONGER = {
    "\u2103": "°C", "\u33a1": "m2", "\u33a5": "m3", "\u338f": "kg", "\u339e": "km",
    **{chr(0x2160 + i): name for i, name in enumerate(_ROMAN)},
}  # fmt: skip
"""Characters that become two or more."""
_EDIT = re.compile(rf"[ {_INVISIBLE}]+|[{''.join(_LONGER)}]")
_BLANK = re.compile(rf"[\s\u3000{_INVISIBLE}]+")
_BOOK_MARKS = str.maketrans({"〈": "", "〉": "", "《": "", "》": "", "<": "", ">": "", "(": "", ")": ""})
_TITLE_TAIL = re.compile(r"\((?:试行|暂行|修订|修正|修订稿|修正本|修订版|\d{4}年?(?:修订|修正|版|本|修正本|修订本)?)\)")


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
    source = simplified(text).translate(_SINGLE)
    pieces: list[str] = []
    offsets: list[int] = []
    done = 0
    last = ""
    for match in _EDIT.finditer(source):
        start, end = match.span()
        if start > done:
            last = source[start - 1]
        form = _LONGER.get(match[0]) or (" " if " " in match[0] and _parts(last, source[end : end + 1]) else "")
        pieces += (source[done:start], form)
        offsets.extend(range(done, start))
        offsets.extend([start] * len(form))
        last = form[-1:] if form.strip() else last
        done = end
    pieces.append(source[done:])
    offsets.extend(range(done, len(text) + 1))
    return Normalised("".join(pieces), tuple(offsets))


def _parts(before: str, after: str) -> bool:
    """Whether a blank between two characters parts two words or two numbers."""
    if not before or not after:
        return False
    after = _LONGER.get(after, after)[0]
    if _is_han(before) or _is_han(after):
        return False
    return (before.isalpha() and after.isalpha()) or (before.isdigit() and after.isdigit())


def _is_han(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or char >= "\U00020000"


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


@functools.lru_cache(maxsize=16_384)
def title_key(title: str) -> str:
    """Return the form under which titles are compared (标题匹配键).

    Blanks and brackets do not count, nor does 中华人民共和国, nor a （试行）, （暂行） or （2023年修订） mark.
    """
    plain = squash(normalise(title).text)
    plain = re.sub(r"\.(?:md|txt|docx?|pdf|html?|ofd)$", "", plain, flags=re.IGNORECASE)
    without = _TITLE_TAIL.sub("", plain) or plain
    return without.replace("中华人民共和国", "").translate(_BOOK_MARKS).replace("[", "").replace("]", "").lower()
