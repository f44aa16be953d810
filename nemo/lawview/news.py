"""What happened to the held law since a moment: texts that came in, and statuses that time has turned (变化)."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from nemo.store.catalogue.rows import RegulationRow
from nemo.types import CHINA, Day, Status, status_of


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A text whose status is another than it was."""

    row: RegulationRow
    before: Status
    after: Status


@dataclass(frozen=True, slots=True)
class LawNews:
    """What is new to somebody who last looked at a moment."""

    stored: tuple[RegulationRow, ...]
    """Newest first."""
    turned: tuple[StatusChange, ...]


def news(rows: Iterable[RegulationRow], since: dt.datetime, today: Day) -> LawNews:
    """Return what came in after ``since``, and what of the rest began or ended between that day and ``today``."""
    then = since.astimezone(CHINA).date()
    stored, turned = [], []
    for row in rows:
        if row.stored_at > since:
            stored.append(row)
            continue
        before, after = status_of(row, then), status_of(row, today)
        if before is not after:
            turned.append(StatusChange(row, before, after))
    return LawNews(tuple(sorted(stored, key=lambda row: row.stored_at, reverse=True)), tuple(turned))
