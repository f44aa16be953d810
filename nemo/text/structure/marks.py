"""List numbers at the start of a line: 一、（一）1.（1）① and the dotted clauses of standards (层次序数)."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from nemo.text.words.numerals import parse_number

_CN = "一二三四五六七八九十百"
_MARK = re.compile(
    rf"(?P<cn>[{_CN}]{{1,4}})[\s\u3000]?、"
    rf"|[（(][\s\u3000]?(?P<cn_bracket>[{_CN}]{{1,4}})[\s\u3000]?[）)]"
    r"|[（(][\s\u3000]?(?P<digit_bracket>[0-9０-９]{1,2})[\s\u3000]?[）)]"
    r"|(?P<digit_paren>[0-9]{1,2})[）)]"
    r"|(?P<circled>[①-⑳⑴-⒇㈠-㈩])"
    r"|(?P<digit>[0-9０-９]{1,2})[\s\u3000]?(?:[．、]|\.(?![0-9]|$)|\.(?=[0-9]{1,4}(?:年|千伏|千瓦|kV)))"
    r"|(?P<letter>[a-z])[）)]"
    r"|(?P<upper>[A-Z])[\s\u3000]?[．.、](?=[\s\u3000]*[\u4e00-\u9fa5])"
)
_DOTTED = re.compile(r"(?P<n>(?:[A-Z]|[0-9]{1,2})(?:\.[0-9]{1,3}){1,5})(?P<sep>[\s\u3000]+(?=\S)|$)")
_LETTERED = re.compile(r"(?P<n>[A-Z])[．.、][\s\u3000]*(?=[\u4e00-\u9fa5][^。；，：]*$)")
_WHOLE = re.compile(r"(?P<n>[0-9]{1,2})[\s\u3000]+(?=[^\s\d.…])")
_REFERRING = re.compile(rf"[\s\u3000]*(?:项(?!目)|款(?!项)|[、和或及至][\s\u3000]?[（(第][{_CN}0-9]|、[）)]|规定|所列)")
_DOTTED_REFERRING = re.compile(
    r"[\s\u3000]*(?:的|中|规定|所|和|及|、|，|～|~|—|条|至|给出|要求|应|表|图|式|[%％]|[a-zA-Z]{1,3}(?![a-zA-Z]))"
)
_CLAUSE_TITLE_LIMIT = 30


class MarkKind(enum.Enum):
    """The written form of a list number; the value is a key for the stack of open lists."""

    CN = "一、"
    CN_BRACKET = "（一）"
    DIGIT = "1."
    DIGIT_BRACKET = "（1）"
    DIGIT_PAREN = "1）"
    CIRCLED = "①"
    LETTER = "a)"
    UPPER = "A."
    DOTTED = "1.1"


@dataclass(frozen=True, slots=True)
class ListMark:
    """A list number at the start of a line."""

    kind: MarkKind
    number: int
    printed: str
    """As printed, without inner blanks: ``一、``, ``（一）``, ``1.``."""
    key: str
    """The bare number for labels: ``一``, ``1``, ``11.5.14``."""
    length: int
    """Characters of the line up to the end of the number."""

    @property
    def step(self) -> str:
        """Own part of an outline path: ``三``, ``（二）``, ``1.``, ``（1）``."""
        if self.kind is MarkKind.CN:
            return self.key
        if self.kind is MarkKind.CN_BRACKET:
            return f"（{self.key}）"
        if self.kind in (MarkKind.DIGIT, MarkKind.UPPER):
            return f"{self.key}."
        return self.printed


def read_mark(text: str) -> ListMark | None:
    """Return the list number that ``text`` begins with; None when there is none or it is part of a reference."""
    match = _MARK.match(text)
    if match is None or _REFERRING.match(text, match.end()):
        return None
    kind = MarkKind[(match.lastgroup or "").upper()]
    key = match[kind.name.lower()]
    number = _value(kind, key)
    if not number:
        return None
    printed = re.sub(r"[\s\u3000]", "", match[0])
    if kind in (MarkKind.DIGIT, MarkKind.DIGIT_BRACKET):
        key = str(number)
    return ListMark(kind, number, printed, key, match.end())


def _value(kind: MarkKind, key: str) -> int:
    if kind is MarkKind.CIRCLED:
        for first in "①⑴㈠":
            if ord(first) <= ord(key) < ord(first) + 20:
                return ord(key) - ord(first) + 1
        return 0
    if kind in (MarkKind.LETTER, MarkKind.UPPER):
        return ord(key.lower()) - ord("a") + 1
    return parse_number(key) or 0


def is_dotted(text: str) -> bool:
    """Tell whether a line begins with a dotted clause number that is no reference (``4.1.2 通则``)."""
    match = _DOTTED.match(text)
    return match is not None and _DOTTED_REFERRING.match(text, match.end()) is None


def read_clause(text: str) -> ListMark | None:
    """Return the clause number of a standard (``11.5.14.1 通则``, ``4 总则``), None for a reference or a quantity."""
    lettered = _LETTERED.match(text)
    if lettered is not None and len(text) <= _CLAUSE_TITLE_LIMIT:
        return ListMark(
            MarkKind.DOTTED, _value(MarkKind.UPPER, lettered["n"]), lettered["n"], lettered["n"], lettered.end()
        )
    match = _DOTTED.match(text)
    if match is None:
        match = _WHOLE.match(text)
        title = text[match.end() :] if match else ""
        if match is None or len(title) > _CLAUSE_TITLE_LIMIT or re.search(r"[。；，：]", title):
            return None
    elif _DOTTED_REFERRING.match(text, match.end()):
        return None
    parts = match["n"].split(".")
    number = parse_number(parts[-1])
    return None if number is None else ListMark(MarkKind.DOTTED, number, match["n"], match["n"], match.end("n"))
