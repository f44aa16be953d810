"""Standards by their numbers: which are in force, which were replaced, by what (标准的状态).

What people imported counts first; a held standard that says what it takes the place of (代替 GB/T …) counts next; a
newer year of the same number is only said, for a person to check: nobody stated that it replaced the older.
"""

import csv
import datetime as dt
import io
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from nemo.errors import BadRequestError
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.records.standards import Standard
from nemo.text.letter.titles import STANDARD
from nemo.types import Day

COLUMNS = ("编号", "名称", "状态", "实施日期", "废止日期", "被代替", "来源")
"""Of an imported table: number, title, status, from, until (the first day it is no longer), successor, who says so."""
STATUSES = ("现行", "废止", "被代替", "即将实施")
_REPLACES = re.compile(rf"(?:全部|部分)?代替[\s:：]*((?:{STANDARD.pattern}[\s、，,和及]*)+)")
_HEAD = 3000
"""Characters in which a standard says what it replaces: its cover and foreword."""
LONGEST = 20_000
"""Lines of one table."""


@dataclass(frozen=True, slots=True)
class StandardCaution:
    """A standard that some words rest on and that is no longer one, or has a newer edition."""

    title: str
    """Its number as cited."""
    ended: Day | None
    message: str
    """One Chinese sentence for the reader of a quote."""


def key_of(number: str) -> str:
    """Return the normal form of a number: ``GB/T19964-2012``."""
    return re.sub(r"[-—–－]+", "-", re.sub(r"\s", "", number)).upper()


def numbers_in(words: str) -> dict[str, str]:
    """Return the numbers that some words cite, by their keys, as printed."""
    return {key_of(m[0]): " ".join(m[0].split()) for m in STANDARD.finditer(words)}


def _parts(key: str) -> tuple[str, int]:
    """Return a key without its year, and the year."""
    bare, _, year = key.rpartition("-")
    return bare, int(year) + (1900 if int(year) < 100 else 0)


def from_texts(rows: Mapping[str, RegulationRow], text_of: Callable[[str], str]) -> dict[str, Standard]:
    """Return what the held standards say: that they are held, and what they take the place of."""
    found: dict[str, Standard] = {}
    for row in rows.values():
        if not row.document_number or not STANDARD.fullmatch(row.document_number):
            continue
        key, since = key_of(row.document_number), row.validity.effective
        found[key] = Standard(key, row.document_number, row.title, "现行", since, row.validity.ends, "", "库内文本")
        head = text_of(row.id)[:_HEAD]
        for said in _REPLACES.finditer(head):
            for old, printed in numbers_in(said[1]).items():
                if old != key:
                    words = f"《{row.title}》：{' '.join(said[0].split())}"
                    found[old] = Standard(old, printed, "", "被代替", None, since, row.document_number, words)
    return found


def cautions(words: str, own: str | None, known: Mapping[str, Standard], day: Day) -> Iterator[StandardCaution]:
    """Yield what a reader must know, on a day, of the standards that a quote cites or stands in.

    ``words`` is the quote with what is shown beside it, ``own`` the number of the text it stands in.
    """
    cited = numbers_in(words) | (numbers_in(own) if own else {})
    for key, printed in cited.items():
        one = known.get(key)
        if one is not None and one.status in ("废止", "被代替") and (one.ends is None or one.ends <= day):
            yield _ended(printed, one)
            continue
        bare, year = _parts(key)
        newer = [s for k, s in known.items() if _parts(k)[0] == bare and _parts(k)[1] > year]
        newer = [s for s in newer if s.effective is not None and s.effective <= day]
        if newer and (one is None or one.source == "库内文本"):
            last = max(newer, key=lambda s: _parts(s.key)[1])
            message = f"所引标准 {printed} 已有新版 {last.number}（{last.effective} 实施），是否被代替请核对。"
            yield StandardCaution(printed, last.effective, message)


def _ended(printed: str, one: Standard) -> StandardCaution:
    since = f"自 {one.ends} 起" if one.ends else "（日期未知）"
    became = f"由 {one.replaced_by} 代替" if one.replaced_by else one.status
    message = f"所引标准 {printed} {since}已{became}（{one.source}），适用前请核对现行标准。"
    return StandardCaution(printed, one.ends, message)


def read_table(content: bytes) -> list[Standard]:
    """Read a table of standards (CSV with the head ``COLUMNS``; UTF-8 or GB 18030).

    Raises:
        BadRequestError: it is none; the message names the line.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("gb18030", "replace")
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except csv.Error as error:
        raise BadRequestError("标准状态表不是 CSV。请另存为 UTF-8 的 CSV 后重试。") from error
    if not rows or not {"编号", "状态"} <= rows[0].keys():
        raise BadRequestError(f"标准表应为 CSV，首行为：{','.join(COLUMNS)}（编号、状态必填）。请改正后再导入。")
    if len(rows) > LONGEST:
        raise BadRequestError(f"标准表超过 {LONGEST} 行。请分次导入。")
    return [_standard(row, line) for line, row in enumerate(rows, 2)]


def _standard(row: Mapping[str, str | None], line: int) -> Standard:
    cell = {name: (row.get(name) or "").strip() for name in COLUMNS}
    if not STANDARD.fullmatch(cell["编号"]):
        raise BadRequestError(f"第 {line} 行的编号“{cell['编号'][:40]}”不是标准编号，应如 GB/T 19964-2012。没有导入。")
    if cell["状态"] not in STATUSES:
        raise BadRequestError(f"第 {line} 行的状态“{cell['状态'][:20]}”应为{'、'.join(STATUSES)}之一。没有导入。")
    if cell["被代替"] and not STANDARD.fullmatch(cell["被代替"]):
        raise BadRequestError(f"第 {line} 行的“被代替”应为新标准的编号。没有导入。")
    try:
        since, ends = (dt.date.fromisoformat(cell[n]) if cell[n] else None for n in ("实施日期", "废止日期"))
    except ValueError as error:
        raise BadRequestError(f"第 {line} 行的日期应写成 2024-01-31 这样的形式。没有导入。") from error
    key, source = key_of(cell["编号"]), cell["来源"] or "导入的标准表"
    return Standard(key, cell["编号"], cell["名称"], cell["状态"], since, ends, cell["被代替"], source)
