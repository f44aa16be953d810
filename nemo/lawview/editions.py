"""Which version of which regulation is meant: an id, a file, a title, or one of these with a day (版本选择)."""

import datetime as dt
import difflib
from collections.abc import Callable, Sequence

from nemo.errors import BadRequestError, NotFoundError
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import title_key
from nemo.types import Day, Status

Named = Callable[[str], Sequence[str]]
"""From the normal form of a title to the ids of its held versions, newest first."""


def split(key: str) -> tuple[str, Day | None]:
    """Split ``海洋环境保护法@2017-11-04`` into the name and the day; a name without a day keeps its ``@``."""
    name, mark, words = key.rpartition("@")
    day = _day(words.strip()) if mark else None
    return (key, None) if day is None else (name, day)


def edition(key: str, rows: Sequence[RegulationRow], named: Named, day: Day) -> RegulationRow:
    """Return the version that ``key`` means: an id, file name or title; with ``@day`` the version of that date, else
    the one in force on ``day``, else the newest.

    Raises:
        NotFoundError: nothing by that name is held, or no version of it existed on the day.
    """
    name, asked = split(key)
    exact = next((r for r in rows if name in (r.id, r.file)), None)
    if exact is not None and asked is None:
        return exact
    versions = work_of(exact, rows) if exact is not None else _by_title(name, rows, named)
    if not versions:
        raise NotFoundError(f"资料库没有“{name}”。可用 python -m nemo list 查看库内法规。", _nearest(name, rows))
    if asked is not None:
        return _of_day(versions, asked)
    return next((r for r in reversed(versions) if r.validity.on(day).may_answer), versions[-1])


def pair(
    old: str, new: str | None, rows: Sequence[RegulationRow], named: Named, day: Day
) -> tuple[RegulationRow, RegulationRow]:
    """Return the two versions that a comparison names, see :func:`edition`.

    The only one named means it and the version before it, or the text it took the place of; a bare day as the new
    one means the version of the same work on that day.

    Raises:
        BadRequestError: both names mean the same text, or a work has only one version.
    """
    if new is None:
        return _with_the_one_before(edition(old, rows, named, day), rows)
    first = edition(old, rows, named, day)
    second = edition(f"{split(old)[0]}@{new}" if _day(new) else new, rows, named, day)
    if first.id == second.id:
        raise BadRequestError(
            f"“{old}”与“{new}”是同一文本（{version_label(first)}），无法比较。请用“名称@日期”指明两个版本。",
            tuple(f"库内版本：{version_label(r)}" for r in work_of(first, rows)),
        )
    return first, second


def work_of(row: RegulationRow, rows: Sequence[RegulationRow]) -> list[RegulationRow]:
    """Return the held versions of one work, oldest first."""
    work = (title_key(row.title), row.province)
    return in_order([r for r in rows if (title_key(r.title), r.province) == work])


def predecessors(row: RegulationRow, rows: Sequence[RegulationRow]) -> list[RegulationRow]:
    """Return the texts of another title whose place this one took; none when it ended several (a code, 法典)."""
    ended = [r for r in rows if r.id != row.id and r.validity.ended_by in (row.id, row.file)]
    works = {title_key(r.title) for r in ended} - {title_key(row.title)}
    return in_order([r for r in ended if title_key(r.title) in works]) if len(works) == 1 else []


def in_order(rows: Sequence[RegulationRow]) -> list[RegulationRow]:
    """Return versions, oldest first."""
    return sorted(rows, key=lambda r: r.version_date or r.validity.effective or dt.date.min)


def version_label(row: RegulationRow) -> str:
    """Name one version: ``《海洋环境保护法》2023-10-24``."""
    day = row.version_date or row.validity.effective
    return f"《{row.title}》{day or '日期不明'}"


def _by_title(name: str, rows: Sequence[RegulationRow], named: Named) -> list[RegulationRow]:
    by_id = {r.id: r for r in rows}
    return in_order([by_id[i] for i in named(title_key(name)) if i in by_id])


def _of_day(versions: Sequence[RegulationRow], day: Day) -> RegulationRow:
    """Return the version of this very date, else the one in force on it, else the newest that had begun."""
    dated = [r for r in versions if r.version_date == day]
    in_force = [r for r in versions if r.validity.on(day) is Status.IN_FORCE]
    begun = [r for r in versions if (start := r.validity.effective or r.version_date) is not None and start <= day]
    for found in (dated, in_force, begun):
        if found:
            return found[-1]
    raise NotFoundError(
        f"{day} 时《{versions[0].title}》还没有库内版本。", tuple(f"库内版本：{version_label(r)}" for r in versions)
    )


def _with_the_one_before(row: RegulationRow, rows: Sequence[RegulationRow]) -> tuple[RegulationRow, RegulationRow]:
    versions = work_of(row, rows)
    if len(versions) < 2:
        versions = [*predecessors(row, rows), *versions]
    if len(versions) < 2:
        raise BadRequestError(
            f"资料库只有{version_label(row)}一个版本，无法比较。请先上传另一版本，或写明要比较的另一部法规。"
        )
    at = max(1, [r.id for r in versions].index(row.id))
    return versions[at - 1], versions[at]


def _day(words: str) -> Day | None:
    try:
        return dt.date.fromisoformat(words)
    except ValueError:
        return None


def _nearest(name: str, rows: Sequence[RegulationRow]) -> tuple[str, ...]:
    titles = difflib.get_close_matches(name, [r.title for r in rows], n=3, cutoff=0.3)
    return tuple(f"相近的法规：《{t}》" for t in titles)
