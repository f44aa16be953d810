"""Calendar days written in Chinese (年月日), and sums of days."""

import calendar
import datetime as dt
import re
from functools import lru_cache

from nemo.errors import BadRequestError
from nemo.text.words.flat import FlatText, flatten
from nemo.text.words.numerals import NUMERAL, parse_number
from nemo.types import Day

DATE = (
    r"(?:(?:[12]\d{3}|[〇零一二][OＯ〇零一二三四五六七八九]{3})年"
    r"(?:[1lI][0-2lI]|0?[1-9lI]|十[一二]?|[一二三四五六七八九])月"
    r"(?:3[01lI]|[12lI][\dlI]|0?[1-9lI]|[二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九])(?:日|号(?![机炉线楼文])))"
)
"""A full date in a flat text, with Arabic or Chinese numerals; a letter l or I that was typed or recognised for 1."""

_MONTH, _DAY = r"(?:1[0-2]|0?[1-9])", r"(?:3[01]|[12]\d|0?[1-9])"
FIGURED = rf"(?:(?<![\d.-])[12]\d{{3}}(?:-{_MONTH}-{_DAY}|/{_MONTH}/{_DAY}|\.{_MONTH}\.{_DAY})(?!\d|[.-]\d))"
"""A date in figures alone (2031-05-01, 2031/5/1); read only where a clause speaks of commencement or term."""

LAST_DAY = rf"(?:{DATE}|[12]\d{{3}}年(?:底|末|(?:1[0-2]|0?[1-9])月(?:底|末|份)?))"
"""A day up to which something runs, also written as a month or the end of a year (2031年6月, 2031年底)."""

COUNT = rf"(?:(?P<n>[{NUMERAL}]{{1,9}})(?P<unit>年|个月)|(?P<half>半年))"
"""A number of years or months."""

_MISREAD = str.maketrans("OＯlI", "〇〇11")
_DATE, _ANY_DATE = re.compile(DATE), re.compile(f"{DATE}|{FIGURED}")
_END = re.compile(r"([12]\d{3})年(?:底|末|(\d{1,2})月(?:底|末|份)?)")
_PARTS = re.compile(r"(.{4})(?:年(.{1,3})月(.{1,3})[日号]|([-/.])(\d{1,2})\4(\d{1,2}))")
_OF_NAME = re.compile(r"(?<!\d)((?:19|20)\d{2})[-_.年]?(0[1-9]|1[0-2])[-_.月]?(0[1-9]|[12]\d|3[01])(?!\d)")


def day_of(text: str | None) -> Day | None:
    """Return the day that a person or a program states, None for none.

    Raises:
        BadRequestError: it is no date of the form 2026-11-20.
    """
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError as error:
        raise BadRequestError(f"日期无效：{text}。请写成 2026-11-20 这样的形式。") from error


def to_day(words: str) -> Day | None:
    """Return the day that a match of ``DATE`` or ``FIGURED`` writes, None for one that no calendar holds (2月30日)."""
    parts = _PARTS.fullmatch(words.translate(_MISREAD))
    if parts is None:
        return None
    year, month, day = (parse_number(part or "") for part in (parts[1], parts[2] or parts[5], parts[3] or parts[6]))
    try:
        return dt.date(year or 0, month or 0, day or 0)
    except ValueError:
        return None


def last_day(words: str) -> Day | None:
    """Return the day that a match of ``LAST_DAY`` writes: of a month its last, of a year 31 December; None for other words."""
    end = _END.fullmatch(words)
    if end is None:
        return to_day(words)
    year, month = int(end[1]), int(end[2] or 12)
    return plus_months(dt.date(year, month, 1), 1) - dt.timedelta(1) if 1 <= month <= 12 else None


@lru_cache(maxsize=16)
def dates_in(flat: FlatText, *, figured: bool = False) -> tuple[tuple[int, int, Day], ...]:
    """Return (flat start, flat end, day) of every date in the text, in order; those in figures alone when ``figured``."""
    found = ((m.start(), m.end(), to_day(m[0])) for m in (_ANY_DATE if figured else _DATE).finditer(flat.text))
    return tuple((start, end, day) for start, end, day in found if day is not None)


def days_of_name(name: str) -> list[Day]:
    """Return the days written in a file name (…-20181229.md, …_2022-11-23_2023-01-01.docx), in order."""
    found = (tuple(map(int, m.groups())) for m in _OF_NAME.finditer(name))
    return [dt.date(*day) for day in found if _exists(*day)]


def _exists(year: int, month: int, day: int) -> bool:
    return day <= calendar.monthrange(year, month)[1]


def plus_days(day: Day, days: int) -> Day:
    """Return the day ``days`` later; what lies beyond the last day of the calendar, here and below, is that day."""
    return day + dt.timedelta(min(days, (dt.date.max - day).days))


def plus_years(day: Day, years: int) -> Day:
    """Return the same day ``years`` later; 29 February becomes 1 March, for a term ends with its last full day."""
    if day.year + years > dt.MAXYEAR:
        return dt.date.max
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return dt.date(day.year + years, 3, 1)


def plus_months(day: Day, months: int) -> Day:
    """Return the same day ``months`` later, or the first of the month after where that month is too short."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if year > dt.MAXYEAR:
        return dt.date.max
    if _exists(year, month + 1, day.day):
        return dt.date(year, month + 1, day.day)
    year, month = divmod(year * 12 + month + 1, 12)
    return dt.date(year, month + 1, 1)


def counted(words: str) -> tuple[int, int] | None:
    """Return (years, months) by which words prolong a text or put it off (延长三年, 推迟半年), None when they count none."""
    for found in re.finditer(COUNT, words):
        number = parse_number(found["n"]) if found["n"] else 6
        if number and number <= 50:  # 2031年 is no count
            return (number, 0) if found["unit"] == "年" else (0, number)
    return None


def names_a_day(words: str) -> bool:
    """Tell whether words name a day, the end of a month or of a year."""
    return re.search(f"{LAST_DAY}|{FIGURED}", flatten(words).text) is not None
