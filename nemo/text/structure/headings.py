"""Heading or cross-reference at the start of a line (条文标题与引用的区分).

``第九条规定的…`` opens many lines of a wrapped page; taking it for a heading puts a wrong article number on the text
below it. The rules are those measured in docs/law.md (headings): separator after the number, words that only follow a reference,
whether the line before ended a paragraph, and the number's place in the sequence.
"""

import re
from dataclasses import dataclass, field

from nemo.text.words.openings import NumberedHead, has_title
from nemo.types import Level

_BEFORE_REFERENCE = re.compile(
    r"(?:[》）)、和与及至到或照据反按由因在对除如合受依]|[适引援]用|本?(?:法|法典|条例|规定|办法|细则|规则|解释)|本|以及|或者)$"
)
"""How a line ends that runs on into a cross-reference at the start of the next."""
_OPENING = re.compile(r"[\s\u3000]*(?:为了?|根据|依据|依照|按照)")
"""How the first article of a Chinese rule begins."""
_GAP = 5
"""How far a number may jump and still count as the sequence going on."""


@dataclass(slots=True)
class Sequence:
    """The last number seen on every level; what comes next is judged by it."""

    last: dict[Level, tuple[int, int]] = field(default_factory=dict)

    def follows(self, head: NumberedHead) -> bool:
        """Whether the number is the next one: N+1, or the same N with the next insertion."""
        last = self.last.get(head.level)
        if last is None:
            return head.number == 1
        if head.insertion:
            return head.number == last[0] and head.insertion == last[1] + 1
        return head.number == last[0] + 1

    def jumps(self, head: NumberedHead) -> bool:
        """Whether the number goes on after a small gap."""
        last = self.last.get(head.level)
        return last is not None and last[0] < head.number <= last[0] + _GAP

    def begins(self, head: NumberedHead) -> bool:
        """Whether nothing of this level was seen yet."""
        return head.level not in self.last

    def take(self, head: NumberedHead) -> None:
        """Remember an accepted heading; sections restart under everything above them."""
        self.last[head.level] = (head.number, head.insertion)
        if head.level not in (Level.ARTICLE, Level.SECTION):
            self.last.pop(Level.SECTION, None)


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


def is_heading(head: NumberedHead, text: str, around: Surroundings, sequence: Sequence) -> bool:
    """Decide whether a line that begins with ``head`` is that heading and not a cross-reference.

    ``around`` is what stands before and after it, ``sequence`` the numbers accepted so far.
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
    return head.separated and not _BEFORE_REFERENCE.search(around.before)


def _begins_midway(head: NumberedHead, text: str, around: Surroundings, known: bool) -> bool:
    """Decide for the next article in order when the line before is full and without an end.

    A 题注 often ends so before 第一条; then its opening words tell, or that no law is named just before.
    """
    if known:
        return head.separated and not _BEFORE_REFERENCE.search(around.before)
    if opens_rule(head, text) or (head.number == 1 and _is_note(around.before.strip())):
        return True
    return (head.separated or around.confirmed) and not _BEFORE_REFERENCE.search(around.before)


def _is_note(line: str) -> bool:
    """Whether a line is one note in brackets (题注): nothing runs on from it."""
    return line[:1] in ("（", "(") and line[-1:] in ("）", ")")


def _is_upper(head: NumberedHead, text: str, around: Surroundings, sequence: Sequence) -> bool:
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
        return in_order and around.next_number is not None and (first or not _BEFORE_REFERENCE.search(around.before))
    return head.separated or in_order or around.confirmed or around.next_number is not None


def opens_rule(head: NumberedHead, text: str) -> bool:
    """Tell whether a line reads like the first article of a rule: 第一条 为了…, 第一条 根据…."""
    return head.number == 1 and _OPENING.match(text, head.length) is not None
