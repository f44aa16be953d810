"""Days, ids and places in a text."""

from __future__ import annotations

import datetime as dt
import uuid
from dataclasses import dataclass
from typing import NamedTuple
from zoneinfo import ZoneInfo

Day = dt.date

CHINA = ZoneInfo("Asia/Shanghai")


def today() -> Day:
    """Return the calendar day in China, which is what 今天 means to the reader."""
    return dt.datetime.now(CHINA).date()


def new_trace_id() -> str:
    """Return a new id that ties an answer or an error to the log: ``nemo-20261120-1a2b3c4d``."""
    return f"nemo-{today():%Y%m%d}-{uuid.uuid4().hex[:8]}"


@dataclass(frozen=True, slots=True)
class DayRange:
    """Days from ``first`` to ``last``, both included."""

    first: Day
    last: Day

    def holds(self, day: Day | None) -> bool:
        """Tell whether a day lies in the range."""
        return day is not None and self.first <= day <= self.last


class Span(NamedTuple):
    """A half-open range of code points of one text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the slice of ``text`` that this span covers."""
        return text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Tell whether ``other`` lies inside this span (equal spans contain each other)."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two spans share at least one character."""
        return self.start < other.end and other.start < self.end

    def shift(self, offset: int) -> Span:
        """Return the span moved by ``offset`` characters."""
        return Span(self.start + offset, self.end + offset)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a document that a reader must know: a dropped table, a gap in the article numbers, a garbled page."""

    code: str
    """Short English key, e.g. ``tables_dropped``; the same fault always has the same code."""
    message: str
    """One Chinese sentence for the analyst."""
    span: Span | None = None
