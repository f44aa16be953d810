"""The structure of a regulation (条文结构)."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nemo.types.places import Span


class Level(enum.Enum):
    """Units of a regulation (立法法 第六十五条), outermost first; the value is the Chinese term."""

    PART = "编"
    SUBPART = "分编"
    CHAPTER = "章"
    SECTION = "节"
    ARTICLE = "条"
    PARAGRAPH = "款"
    ITEM = "项"
    SUBITEM = "目"
    ANNEX = "附件"
    OUTLINE = "纲目"
    """一、（一）1. in documents without articles, and dotted clauses of standards."""
    PREAMBLE = "序言"
    """Citable text outside any article: 题注, preamble, covering order, signature block."""


HEADINGS = (Level.PART, Level.SUBPART, Level.CHAPTER, Level.SECTION)
"""Units that only hold others."""


@dataclass(frozen=True, slots=True)
class Provision:
    """One node of a regulation's structure (条文)."""

    level: Level
    number: str
    """The number as printed: ``第六条``, ``（一）``, ``1.``, ``附件2``; empty for paragraphs (款不编序号) and lost numbers."""
    label: str
    """Unique address inside the regulation: ``6``, ``6-1``, ``12.1-2-3`` (第十二条之一第二款第三项), ``c2``, ``三-二``, ``x1``."""
    heading: str
    """Title text after the number (总则); empty if none."""
    span: Span
    """Covers the number, the heading and every child."""
    children: tuple[Provision, ...] = ()
    prefix: str = ""
    """Legal path of the parent, e.g. ``第二章第六条``."""
    step: str = ""
    """Own part of the legal path; empty where the convention omits it (a sole 第一款, a preamble)."""

    def path(self) -> str:
        """Return the legal citation path, e.g. ``第二章第六条第一款``, or ``三（二）`` in documents without articles."""
        return self.prefix + self.step

    def walk(self) -> Iterator[Provision]:
        """Yield this provision and all below it, in text order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class AddressStep:
    """One step on the way to a provision: 第二十五条之一, 第（三）项, 最后一条, 附则."""

    level: Level
    number: int = 0
    """Its number; -1 for the last one, -2 for the last but one …; 0 for one that is called by its heading, or any annex."""
    insertion: int = 0
    """1 in 第二十五条之一."""
    heading: str = ""
    """附则, 法律责任."""


@dataclass(frozen=True, slots=True)
class Address:
    """The way to one provision as words tell it, outermost step first (条款项指引)."""

    steps: tuple[AddressStep, ...]


@dataclass(frozen=True, slots=True)
class AddressRange:
    """One provision, or all from the first to the last (第十条至第十二条)."""

    first: Address
    last: Address | None = None


def article_in(chain: Sequence[Provision]) -> Provision | None:
    """Return the article (条) among provisions that lie in one another, outermost first; None where there is none."""
    return next((p for p in reversed(chain) if p.level is Level.ARTICLE), None)
