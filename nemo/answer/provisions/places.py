"""Finds in one regulation what an address means (条款定位)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nemo.text.words.normalise import squash
from nemo.text.words.numerals import NUMERAL, parse_article, parse_number
from nemo.types import HEADINGS, Address, AddressRange, AddressStep, Level, Provision, Regulation

_TOP = (*HEADINGS, Level.ANNEX, Level.PREAMBLE)
_STANDING = ("附则", "总则", "分则", "罚则")
"""Headings that are asked for without 章; any other heading must be one of the text to count as an address."""
_CALLED = {"罚则": "法律责任"}
"""The chapter on penalties goes by either name."""
_NUMBER = re.compile(rf"[{NUMERAL}]+")


@dataclass(frozen=True, slots=True)
class ResolvedAddress:
    """What one address means."""

    provisions: tuple[Provision, ...] = ()
    """In text order; articles where a chapter or a range is asked for."""
    missing: Address | None = None
    """No such provision."""
    several: tuple[Provision, ...] = ()
    """More than one by this number (第三章 of every 编)."""
    container: Provision | None = None
    """The one chapter whose articles these are."""


def find(regulation: Regulation, asked: AddressRange) -> ResolvedAddress:
    """Return the provisions that ``asked`` means in a regulation."""
    first = locate(regulation, asked.first)
    if len(first) != 1:
        return _unclear(asked.first, first)
    if asked.last is None:
        return _whole(first[0])
    last = locate(regulation, asked.last, clipped=True)
    if len(last) != 1:
        return _unclear(asked.last, last)
    return (
        ResolvedAddress(tuple(_between(regulation, first[0], last[0])))
        if first[0].span <= last[0].span
        else ResolvedAddress(missing=asked.last)
    )


def by_heading_only(regulation: Regulation, asked: AddressRange) -> bool:
    """Tell whether an address is a heading that this text does not have: words of the question, no address."""
    steps = asked.first.steps
    known = ("", *_STANDING, "序言", "前言", "题注")
    of_it = steps[0].heading not in known and _within_its_part(regulation, steps) is steps
    return of_it and not locate(regulation, asked.first)


def locate(regulation: Regulation, address: Address, *, clipped: bool = False) -> list[Provision]:
    """Return every provision by this address; several only where numbers begin anew in each part.

    ``clipped``: a number beyond the last one means the last one.
    """
    found: list[Provision] = []
    inside: Sequence[Provision] = regulation.provisions
    for index, step in enumerate(_within_its_part(regulation, address.steps)):
        found = _step(inside, step, outermost=index == 0)
        if not found and clipped and step.number > 0:
            found = _step(inside, AddressStep(step.level, -1), outermost=index == 0)[-1:]
        inside = found
    return found


def _within_its_part(regulation: Regulation, steps: Sequence[AddressStep]) -> Sequence[AddressStep]:
    """Return an address without the part (编) that a text of a code is: codes are held part by part (民法典物权编).

    The text is called by the part; its number stands nowhere, yet articles are numbered through the whole code.
    """
    first, *rest = steps
    if first.level is not Level.PART or not rest or any(p.level is Level.PART for p in regulation.walk()):
        return steps
    is_it = regulation.short_title == f"{first.heading}编"
    return rest if is_it or (not first.heading and rest[0].level is Level.ARTICLE) else steps


def _step(inside: Sequence[Provision], step: AddressStep, *, outermost: bool) -> list[Provision]:
    units = [p for top in inside for p in top.walk() if outermost or p is not top]
    if step.heading:
        return _headed(units, step)
    level = [p for p in units if p.level is step.level]
    if step.level is Level.OUTLINE or (step.level is Level.ARTICLE and not level):
        level = _outline([p for p in units if p.level is Level.OUTLINE], step.number)
    if step.number < 0:
        row = _last_row(level, step.level)
        return list(row)[step.number :][:1] if len(row) >= -step.number else []
    if step.level is Level.ANNEX and step.number == 0:
        return level
    if step.level is Level.PARAGRAPH:
        return [p for top in inside for p in _paragraphs(top)[step.number - 1 : step.number]]
    if not level and step.level is Level.ITEM and not outermost:  # 第二部分第（三）项 of a paper without articles
        level = [p for top in inside for p in top.children if p.level is Level.OUTLINE]
    found = [p for p in level if _numbered(p) == (step.number, step.insertion)]
    if step.level in (Level.ITEM, Level.SUBITEM):
        return found[:1]
    if step.level is Level.ANNEX and not found and step.number == 1:
        return level if len(level) == 1 else []
    return _not_in_annexes(found)


def _outline(points: Sequence[Provision], number: int) -> list[Provision]:
    """Return the points of a paper without articles that a number may mean: the outermost, else those below where it is theirs alone.

    The points of many papers are numbered through all of its parts: 三、（六）.
    """
    for depth in sorted({p.label.count("-") for p in points}):
        row = [p for p in points if p.label.count("-") == depth]
        if number < 0 or any(_numbered(p)[0] == number for p in row):
            return row
    return []


def _headed(units: Sequence[Provision], step: AddressStep) -> list[Provision]:
    if step.level is Level.PREAMBLE:
        return [p for p in units if p.level is Level.PREAMBLE][:1]
    headings = {squash(step.heading), _CALLED.get(step.heading)}
    named = [p for p in units if p.level in _TOP and squash(p.heading or p.number) in headings]
    return named[-1:] if step.heading == "附则" else named


def _last_row(level: Sequence[Provision], kind: Level) -> Sequence[Provision]:
    """Return the row that 最后 counts in: chapters of the last part only, articles of the text and not of an annex."""
    return _not_in_annexes(level) if kind is Level.ARTICLE else level


def _not_in_annexes(found: Sequence[Provision]) -> list[Provision]:
    """Return those of the text itself where an annex numbers its own articles too."""
    own = [p for p in found if not p.prefix.startswith("附件")]
    return own or list(found)


def _paragraphs(top: Provision) -> list[Provision]:
    own = [p for p in top.children if p.level is Level.PARAGRAPH]
    return own or ([top] if top.level is Level.ARTICLE else [])


def _numbered(provision: Provision) -> tuple[int, int]:
    """Return the number of a provision and its insertion (第十二条之一)."""
    if provision.level is Level.ARTICLE and (both := parse_article(provision.number)):
        return both
    match = _NUMBER.search(provision.number)
    return (parse_number(match[0]) or 0 if match else 0), 0


def _unclear(address: Address, found: Sequence[Provision]) -> ResolvedAddress:
    if address.steps[-1].level is Level.ANNEX and found:
        return ResolvedAddress(tuple(found))
    return ResolvedAddress(several=tuple(found)) if found else ResolvedAddress(missing=address)


def _whole(provision: Provision) -> ResolvedAddress:
    """Return a provision, or the articles of a chapter."""
    if provision.level not in HEADINGS:
        return ResolvedAddress((provision,))
    articles = tuple(p for p in provision.walk() if p.level is Level.ARTICLE)
    return ResolvedAddress(articles or (provision,), container=provision)


def _between(regulation: Regulation, first: Provision, last: Provision) -> list[Provision]:
    """Return what lies from one provision to another: units of the first one's kind, of a chapter its articles."""
    kind = Level.ARTICLE if first.level in HEADINGS else first.level
    ends = [p for p in regulation.walk() if p.level is kind]
    row = [p for p in ends if p.span.start >= first.span.start and p.span.end <= last.span.end]
    return row if last.level is kind or last.level in HEADINGS else [*row, last]
