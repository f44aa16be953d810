"""Heading or cross-reference at the start of a line (条文标题与引用的区分).

``第九条规定的…`` opens many lines of a wrapped page; taking it for a heading puts a wrong article number on the text
below it. The rules are those measured in docs/law.md (headings): separator after the number, words that only follow a reference,
whether the line before ended a paragraph, and the number's place in the sequence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

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
_LEADS_IN = re.compile(
    r"(?:[》）)、和与及至到或照据反按由因在对除如合受依]|[适引援]用|本?(?:法|法典|条例|规定|办法|细则|规则|解释)|本|以及|或者)$"
)
"""How a line ends that runs on into a cross-reference at the start of the next."""
_OPENING = re.compile(r"[\s\u3000]*(?:为了?|根据|依据|依照|按照)")
"""How the first article of a Chinese rule begins."""
_TITLE_LIMIT = 30
_NO_TITLE = re.compile(r"[。；，,;]")
_LEVELS = {
    "编": Level.PART,
    "篇": Level.PART,
    "部分": Level.PART,
    "分编": Level.SUBPART,
    "章": Level.CHAPTER,
    "节": Level.SECTION,
    "条": Level.ARTICLE,
}
_GAP = 5
"""How far a number may jump and still count as the sequence going on."""


@dataclass(frozen=True, slots=True)
class Head:
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


def read_head(text: str, below: str = "") -> Head | None:
    """Return the heading number that ``text`` seems to begin with, None if there is none.

    Args:
        text: a line.
        below: the next line, which tells when the number stands alone on its own.
    """
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
    return Head(level, number, insertion, printed, match.end(), separated, _REFERRING.match(after) is not None, spaced)


@dataclass(slots=True)
class Sequence:
    """The last number seen on every level; what comes next is judged by it."""

    last: dict[Level, tuple[int, int]] = field(default_factory=dict)

    def follows(self, head: Head) -> bool:
        """Whether the number is the next one: N+1, or the same N with the next insertion."""
        last = self.last.get(head.level)
        if last is None:
            return head.number == 1
        if head.insertion:
            return head.number == last[0] and head.insertion == last[1] + 1
        return head.number == last[0] + 1

    def jumps(self, head: Head) -> bool:
        """Whether the number goes on after a small gap."""
        last = self.last.get(head.level)
        return last is not None and last[0] < head.number <= last[0] + _GAP

    def begins(self, head: Head) -> bool:
        """Whether nothing of this level was seen yet."""
        return head.level not in self.last

    def take(self, head: Head) -> None:
        """Remember an accepted heading; sections restart under everything above them."""
        self.last[head.level] = (head.number, head.insertion)
        if head.level not in (Level.ARTICLE, Level.SECTION):
            self.last.pop(Level.SECTION, None)

    def restart(self) -> None:
        """Forget everything: another text begins (附件, enclosed 办法)."""
        self.last.clear()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a line that begins with a number."""

    before: str = ""
    """The line before; empty at the start of the text."""
    after_end: bool = True
    """The line before ended a paragraph."""
    next_number: int | None = None
    """Number of the next line that seems to begin an article, if it stands directly below."""
    confirmed: bool = False
    """One of the next candidates of this level carries the next number."""
    marked: bool = False
    """The file itself marks the line as a heading."""
    quoted: bool = False
    """A quotation is open, as in the wording an amending decision inserts."""


def is_heading(head: Head, text: str, around: Surroundings, sequence: Sequence) -> bool:
    """Decide whether a line that begins with ``head`` is that heading and not a cross-reference.

    Args:
        head: the number at the start of the line.
        text: the whole line.
        around: what stands before and after the line.
        sequence: the numbers accepted so far.
    """
    if head.level is not Level.ARTICLE:
        return _is_upper(head, text, around, sequence)
    follows = sequence.follows(head)
    if around.marked:
        return not head.referring or follows
    known = not sequence.begins(head)
    if around.quoted and not (follows and known and around.after_end):
        return False
    if head.referring:
        return around.after_end and head.separated and follows
    if not around.after_end:
        return follows and _begins_midway(head, text, around, known)
    if follows or around.confirmed or sequence.jumps(head) or head.number == 1:
        return True
    return head.separated and not _LEADS_IN.search(around.before)


def _begins_midway(head: Head, text: str, around: Surroundings, known: bool) -> bool:
    """Decide for the next article in order when the line before is full and without an end.

    A 题注 often ends so before 第一条; then its opening words tell, or that no law is named just before.
    """
    if known:
        return head.separated and not _LEADS_IN.search(around.before)
    if opens_rule(head, text):
        return True
    return (head.separated or around.confirmed) and not _LEADS_IN.search(around.before)


def _is_upper(head: Head, text: str, around: Surroundings, sequence: Sequence) -> bool:
    """Decide for 编, 章 and 节: a short title without sentence marks."""
    if not has_title(head, text) or head.referring:
        return False
    if head.printed.endswith("部分") and not around.confirmed and not (sequence.follows(head) and head.number > 1):
        return False
    if around.marked:
        return True
    in_order = sequence.follows(head) or sequence.jumps(head) or head.number == 1
    if not around.after_end:
        first = head.number == 1 and around.next_number == 1
        return in_order and around.next_number is not None and (first or not _LEADS_IN.search(around.before))
    return head.separated or in_order or around.confirmed or around.next_number is not None


def has_title(head: Head, text: str) -> bool:
    """Tell whether what follows the number of a 编, 章 or 节 is a title: short and without sentence marks."""
    title = text[head.length :].strip()
    return len(title) <= _TITLE_LIMIT and not _NO_TITLE.search(title)


def opens_rule(head: Head, text: str) -> bool:
    """Tell whether a line reads like the first article of a rule: 第一条 为了…, 第一条 根据…."""
    return head.number == 1 and _OPENING.match(text, head.length) is not None
