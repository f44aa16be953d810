"""What a line of regulation text opens (层次序数): a heading 第N条, a list number 一、（一）1.（1）①, a clause, an annex.

The one answer for every reader: the parsers that mend broken lines, the tree of provisions, the cutting of sentences.
Whether 第N条 is a heading where it stands is decided by ``nemo.text.structure.headings`` with what is around it; here
only the words of the line count.
"""

import enum
import re
from dataclasses import dataclass

from nemo.text.words.numerals import NUMERAL, article_name, parse_number, to_chinese
from nemo.types import Level

_NUM = f"[{NUMERAL}]"
_HEAD = re.compile(
    rf"[*_]{{0,2}}第[\s\u3000]{{0,2}}(?P<n>{_NUM}(?:[\s\u3000]{{0,2}}{_NUM}){{0,8}})[\s\u3000]{{0,2}}"
    rf"(?P<unit>分[\s\u3000]?编|编|篇|部分|章|节|条)(?:[\s\u3000]?之[\s\u3000]?(?P<sub>{_NUM}{{1,3}})(?![款项{NUMERAL}]))?[*_]{{0,2}}"
)
_SEPARATED = re.compile(r"[\s\u3000\u200b]|$|【|［|\[|[:：](?=[^\s])")
_REFERRING = re.compile(
    rf"[\s\u3000]*(?:的(?!士)|规定|之规定|所(?:列|称|规定|述|指|涉)|第{_NUM}+[款项条章节目]|[（(]{_NUM}+[）)][、项和]"
    r"|[、，,。；;)）》〉」”.]|[:：]$|和第|及第|与第|或第|至第|到第|或者第|以及第?|和本|及本|中的|中规定"
    r"|相应改为|改为|修改为|修改成|增加[一二三四五两]?[款项]|删去|删除|作为第|移至|合并)"
)
_TITLE_LIMIT = 30
_NO_TITLE = re.compile(r"[。；，,;]")
_LEVELS = {
    "编": Level.PART, "篇": Level.PART, "部分": Level.PART, "分编": Level.SUBPART, "章": Level.CHAPTER,
    "节": Level.SECTION, "条": Level.ARTICLE,
}  # fmt: skip
_CN = "一二三四五六七八九十百"
_COUNTED = "(?:一、二|二、三|三、四|四、五)[次级类档等期]"
"""Two neighbours counted by one word (一、二次设备) open nothing: a wrapped line begins with them."""
_MARK = re.compile(
    rf"(?!{_COUNTED})(?P<cn>[{_CN}]{{1,4}})[\s\u3000]?、"
    rf"|[（(][\s\u3000]?(?P<cn_bracket>[{_CN}]{{1,4}})[\s\u3000]?[）)]"
    r"|[（(][\s\u3000]?(?P<digit_bracket>[0-9０-９]{1,2})[\s\u3000]?[）)]"
    r"|(?P<digit_paren>[0-9]{1,2})[）)]"
    r"|(?P<circled>[①-⑳⑴-⒇㈠-㈩])"
    r"|(?P<digit>[0-9０-９]{1,2})[\s\u3000]?(?:[．、]|\.(?![0-9]|$)|\.(?=[0-9]{1,4}(?:年|千伏|千瓦|kV)))"
    r"|(?P<letter>[a-z])[）)]"
    r"|(?P<upper>[A-Z])[\s\u3000]?[．.、](?=[\s\u3000]*[\u4e00-\u9fa5])"
)
_DOTTED = re.compile(
    r"(?P<n>(?:[A-Z]|[0-9]{1,2})(?:\.[0-9]{1,3}){1,5}(?=[\s\u3000]|$)|"
    r"(?:[A-Z]|[0-9]{1,2})(?:\.[0-9]{1,3}){2,5}(?=[\u4e00-\u9fa5《“]))[\s\u3000]*"
)
"""Two parts need a blank behind them, or they are a quantity; three are a clause's number without it."""
_DOTTED_ARTICLE = re.compile(r"第[\s\u3000]?(?P<n>[0-9]{1,2}(?:\.[0-9]{1,3}){1,5})[\s\u3000]?条")
"""第2.3.27条, as market rules number their articles."""
_LETTERED = re.compile(r"(?P<n>[A-Z])[．.、][\s\u3000]*(?=[\u4e00-\u9fa5][^。；，：]*$)")
_WHOLE = re.compile(r"(?P<n>[0-9]{1,2})[\s\u3000]+(?=[^\s\d.…])")
_UNPROVED = re.compile(
    r"(?P<n>[0-9]{1,2}(?:\.[ \u3000]?[0-9]{1,3}){0,5})(?:[．.](?![0-9]))?[\s\u3000]*(?=[\u4e00-\u9fa5《“（(])"
)
"""1总则, 1.总则, 2.1市场成员, 1. 8. 2 培训: what a file leaves of 1 总则 and 2.1 市场成员. Also how a quantity begins."""
_ITEM_REFERRING = re.compile(
    rf"[\s\u3000]*(?:项(?!目)|款(?!项)|[、和或及至][\s\u3000]?[（(第][{_CN}0-9]|、[）)]|规定|所列|[。；，])"
)
_DOTTED_REFERRING = re.compile(
    r"[\s\u3000]*(?:的|中|规定|所|和|及|、|，|～|~|—|条|至|给出|要求|应|表|图|式|[%％]|[a-zA-Z]{1,3}(?![a-zA-Z]))"
)
_CLAUSE_TITLE_LIMIT = 30


@dataclass(frozen=True, slots=True)
class NumberedHead:
    """The number at the start of a line: ``第六条``, ``第二章``."""

    level: Level
    number: int
    insertion: int
    """M of 第N条之M, 0 without."""
    printed: str
    """The number as printed, without inner blanks."""
    length: int
    """Characters of the line up to the end of the number."""
    separated: bool
    """A blank, the end of the line or an opening bracket follows."""
    referring: bool
    """Words follow that follow only a cross-reference."""
    spaced: bool = False
    """Blanks stand inside the number (第一百二十八 条)."""

    @property
    def name(self) -> str:
        """The number in its standard form: 第一百二十八条, 第十二条之一."""
        if self.level is Level.ARTICLE:
            return article_name(self.number, self.insertion)
        unit = next((u for u in ("篇", "部分") if self.printed.endswith(u)), self.level.value)
        return f"第{to_chinese(self.number)}{unit}" + (f"之{to_chinese(self.insertion)}" if self.insertion else "")


def read_head(text: str, below: str = "") -> NumberedHead | None:
    """Return the heading number that a line, or with it the one ``below``, seems to begin with; None if none."""
    if text[:1] not in ("第", "*", "_"):
        return None
    match = _HEAD.match(text)
    if match is None:
        return None
    number = parse_number(match["n"])
    insertion = parse_number(match["sub"]) if match["sub"] else 0
    if not number or insertion is None or number > 9999 or insertion > 99:
        return None
    printed = re.sub(r"[\s\u3000*_]", "", match[0])
    rest = text[match.end() :]
    after = rest or below
    level = _LEVELS[re.sub(r"\s", "", match["unit"])]
    separated = _SEPARATED.match(rest) is not None
    spaced = re.search(r"[\s\u3000]", match[0]) is not None
    return NumberedHead(
        level, number, insertion, printed, match.end(), separated, _REFERRING.match(after) is not None, spaced
    )


def has_title(head: NumberedHead, text: str) -> bool:
    """Tell whether what follows the number of a 编, 章 or 节 is a title: short and without sentence marks."""
    title = text[head.length :].strip()
    return len(title) <= _TITLE_LIMIT and not _NO_TITLE.search(title)


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
    if (article := _dotted_article(text)) is not None:
        return article
    match = _MARK.match(text)
    if match is None or _ITEM_REFERRING.match(text, match.end()):
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


def _dotted_article(text: str) -> ListMark | None:
    match = _DOTTED_ARTICLE.match(text)
    if match is None or _REFERRING.match(text, match.end()):
        return None
    number = parse_number(match["n"].rpartition(".")[2])
    printed = re.sub(r"[\s\u3000]", "", match[0])
    return None if number is None else ListMark(MarkKind.DOTTED, number, printed, match["n"], match.end())


def is_dotted(text: str) -> bool:
    """Tell whether a line begins with a dotted clause number that is no reference (``4.1.2 通则``)."""
    match = _DOTTED.match(text)
    return match is not None and _DOTTED_REFERRING.match(text, match.end()) is None


def read_clause(text: str, unproved: bool = False) -> ListMark | None:
    """Return the clause number of a standard (``11.5.14.1 通则``, ``4 总则``), None for a reference or a quantity.

    ``unproved``: also where the words alone do not tell (``2.1市场成员``, ``5.1.5应…``): the sequence must.
    """
    if (article := _dotted_article(text)) is not None:
        return article
    lettered = _LETTERED.match(text)
    if lettered is not None and len(text) <= _CLAUSE_TITLE_LIMIT:
        return ListMark(
            MarkKind.DOTTED, _value(MarkKind.UPPER, lettered["n"]), lettered["n"], lettered["n"], lettered.end()
        )
    match = _DOTTED.match(text)
    if match is None:
        match = _WHOLE.match(text)
        title = text[match.end() :] if match else ""
        if match is not None and (len(title) > _CLAUSE_TITLE_LIMIT or re.search(r"[。；，：]", title)):
            match = None
    elif _DOTTED_REFERRING.match(text, match.end()):
        match = None
    match = match or (_UNPROVED.match(text) if unproved else None)
    if match is None:
        return None
    key = re.sub(r"[ \u3000]", "", match["n"])
    number = parse_number(key.rpartition(".")[2])
    return None if number is None else ListMark(MarkKind.DOTTED, number, key, key, match.end("n"))


_APPENDED = re.compile(
    r"注[:：]|附[件表录](?![\s\u3000]*[0-9A-Z一二三四五六七八九十]{0,3}[\s\u3000]*(?:[。，；、）)》]|的|规定|所|中|和|及|至|要求|执行))"
)
"""What opens with a word and no number of the series; 附件二。 ends a sentence."""
_HEADED = frozenset((MarkKind.CN, MarkKind.CN_BRACKET, MarkKind.DIGIT, MarkKind.DOTTED))
"""Numbers that headings carry; behind the others runs a sentence."""
_HEADLINE = re.compile(r"[\s\u3000]*[^，。；：]{0,18}$")
_DOTTED_HEADLINE = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3}){1,5}[\u4e00-\u9fa5][^，。；：]{0,17}$")
"""The number of a clause without a blank behind it, alone on its line with a few words."""
_DOTTED_TITLE = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3}){1,5}[\u4e00-\u9fa5][^，。；：]{0,29}$")


def opens_provision(line: str) -> bool:
    """Tell whether a line opens with 第N条 (章, 节, 编) as a heading and not as a cross-reference, as far as its words tell."""
    head = read_head(line)
    return head is not None and (head.separated or not head.referring)


def opens_unit(line: str) -> bool:
    """Tell whether a line opens a unit of its own: a provision, an item of a list, an annex, a note.

    A clause number of a standard (4.1 样例) may be a quantity: ``read_clause`` tells where a line before has ended.
    """
    return opens_provision(line) or read_mark(line) is not None or _APPENDED.match(line) is not None


def is_clause_title(line: str) -> bool:
    """Tell whether a line may be the title of a clause (5.2省内市场与省间市场的衔接); where it is no full line, it is one."""
    return _DOTTED_TITLE.match(line) is not None


def is_headline(line: str) -> bool:
    """Tell whether a line is a heading as a whole: a number and a few words without a sentence's marks."""
    mark = read_mark(line) or read_clause(line)
    found = mark if mark is not None and mark.kind in _HEADED else read_head(line)
    if found is None:
        return _DOTTED_HEADLINE.match(line) is not None
    return _HEADLINE.match(line, found.length) is not None
