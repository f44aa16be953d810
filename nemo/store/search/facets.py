"""Who may answer: resolves province, asset, class, day and nature to the regulations that bear on them (过滤).

No index filters by itself. It is told the allowed chunk numbers, which this table finds in microseconds, so a change
of validity (a newer version arrives, an older text ends) reaches every index without touching one.
"""

import datetime as dt
from collections.abc import Collection, Hashable, Sequence

import numpy as np

from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.number_sets import ChunkNumbers
from nemo.types import CITABLE, Filters, Status, Validity

NATIONAL = "cn"
"""Natures that may be cited as law; the others come only when asked for."""

FOREVER = 99991231
"""The end of a text without a known one."""

FILTERS_KEPT = 64
"""Answers to so many filters are kept with a table."""

ENDED = (Status.AMENDED, Status.REPEALED, Status.EXPIRED)


def day_number(day: dt.date) -> int:
    """Return a day as yyyymmdd."""
    return day.year * 10_000 + day.month * 100 + day.day


def days_of(validity: Validity) -> tuple[int, int]:
    """Return from which day a text may answer and from which not any more, as yyyymmdd.

    An unknown start is 0: it does not hide a text, its status says 效力待核. The start is the earliest day on which any of its articles may be quoted, so that an article which commences before
    the rest is found; what of the text is in force on the day is judged later, per article.
    """
    units = [label for scope in validity.scopes for label in scope.labels]
    starts = [begun for label in units if (begun := validity.start_of(label)) is not None]
    start = validity.effective or validity.first_effective
    known = [*starts, start] if start is not None else []
    ended = validity.ends is not None and validity.ended_as in ENDED
    if known and validity.ends is not None and not ended:
        known.append(validity.ends)  # 效力待核 from that day on, whatever its start: it may answer, with its label
    begins = day_number(min(known)) if known else 0
    return begins, day_number(validity.ends_certain or validity.ends) if ended and validity.ends else FOREVER


class FacetTable:
    """The facets of every held regulation, as columns; immutable."""

    def __init__(self, rows: Sequence[RegulationRow], days: Sequence[tuple[int, int]]) -> None:
        """Keep settled rows with the :func:`days_of` each."""
        self.ids = [row.id for row in rows]
        self.everything = ChunkNumbers.of((row.first, row.count) for row in rows)
        self._allowed: dict[Hashable, ChunkNumbers] = {}
        self._provinces = np.array([row.province for row in rows], str)
        self._classes = np.array([row.doc_class or "" for row in rows], str)
        self._natures = np.array([row.nature for row in rows], str)
        self._effective, self._ends = np.array(days, np.int64).reshape(-1, 2).T
        self._any_asset = np.array([not row.assets for row in rows], bool)
        codes = {code for row in rows for code in row.assets}
        self._assets = {code: np.array([code in row.assets for row in rows], bool) for code in codes}

    def mask(self, filters: Filters, natures: Collection[str] | None = CITABLE) -> np.ndarray:
        """Tell for each regulation whether it may answer under the filters and is of these natures (None for all).

        A province brings national texts along, an asset brings texts that bear on every asset; an unknown start or
        an unknown class does not hide a text.
        """
        allowed = np.ones(len(self.ids), bool)
        if natures is not None:
            allowed &= np.isin(self._natures, sorted(natures))
        if filters.province is not None:
            allowed &= (self._provinces == filters.province) | (self._provinces == NATIONAL)
        if filters.asset is not None:
            allowed &= self._any_asset | self._assets.get(filters.asset, np.zeros(len(self.ids), bool))
        if filters.doc_class is not None:
            allowed &= (self._classes == filters.doc_class) | (self._classes == "")
        if filters.day is not None:
            day = min(day_number(filters.day), FOREVER - 1)  # the last day of all is no end
            allowed &= (self._effective <= day) & (day < self._ends)
        return allowed

    def allowed(self, filters: Filters, natures: Collection[str] | None = CITABLE) -> ChunkNumbers:
        """Return the chunk numbers that may answer under the filters; the same ones again where they were asked before."""
        key = filters.province, filters.asset, filters.doc_class, filters.day, natures and frozenset(natures)
        found = self._allowed.get(key)
        if found is None:
            if len(self._allowed) >= FILTERS_KEPT:
                self._allowed.clear()
            found = self._allowed[key] = self.everything.select(self.mask(filters, natures))
        return found

    def ids_allowed(self, filters: Filters, natures: Collection[str] | None = CITABLE) -> list[str]:
        """Return the ids of the regulations that may answer under the filters, in order of storing."""
        return [self.ids[i] for i in np.flatnonzero(self.mask(filters, natures))]
