"""Reads the day a question is asked for from its words (适用日期)."""

import datetime as dt
import re
from typing import NamedTuple

from nemo.types import Day, DayRange, Origin, Query

WHEN = re.compile(
    r"(?<!\d)(?P<y>(?:1\d|20)\d{2})\s*年(?:\s*(?P<m>1[0-2]|0?[1-9])\s*月(?:份)?)?(?:\s*(?P<d>3[01]|[12]\d|0?[1-9])\s*日)?"
    r"(?P<tail>\s*(?:时|的时候|那时|那会儿?|当时|期间|年?底|年?末|年?初|以前|之前))?"
)
NOT_A_DAY = re.compile(
    r"\s*(?:[)）]|本|那?一?[个部]?版|修[订正改]|公布|发布|印发|通过|起|以后|之后|以来|后|度|至|到|[-—~])|\s*第?\d+号"
)
"""After a year: it names a version, a period or a number, not the day the question is asked for."""

AIMED = re.compile(r"目标|达到|[降升增提]高?[到至]|实现|力争|建成|占比|比重|装机|规模|覆盖|超过|预期|规划")
"""Asks what is to be reached by a year's end: a value of a plan, no day to be asked for."""

OF_AN_ARTICLE = re.compile(r"\s*的?第\s*[一二三四五六七八九十百千零〇\d]+\s*条")
"""An article behind a year (某法2018年第三条): as it stood that year."""

HAPPENED = re.compile(r"[^,，。?？的]{1,12}(?<!法)(?<!条例)(?<!办法)(?<!规定)(?<![细规]则)的")
"""What a day says of a thing (2018年5月3日投产的项目); a name of a text behind it is asked for that day."""

STANDS = re.compile(
    r"(?:还|仍|是否|是不是)(?:现行)?(?:有效|施行|适用|生效)|还?(?:没有?|已经?)(?:施行|生效|实施)(?=[了吧吗呢]|$)|有效(?:吗|么|不)|(?:失效|施行|生效|实施)了?(?:吗|没有?)|[适该得]?[用按]的?是?(?:哪一?[个部]?|什么)版"
)
"""Asks whether a text is law, or which version of it: on the day that the year before it means."""

BEFORE = ("以前", "之前")
OF_THE_RULE = re.compile("[^,，。?？]{0,16}(?:规定|[法版]|条例|细则|标准|要求|政策|[期时]限)|呢?[?？\\s]*$")
"""What is asked of the time before a year is its rule (2024年以前的规定); what stood or began then (2024年以前的电量) is asked about today."""

LAST_YEAR = re.compile(r"(?:(?<!过)去年|(?<![以之此])前年(?![份度]))(?!以来|起)")
"""Not the end of one word and the beginning of the next (以前年份, 之前年度)."""
FOR_A_DAY = re.compile(r"月\s*\d{1,2}\s*日|时$|时候$|那会儿?$|当时$")
"""Ends words that mean a day or time and are no part of what is asked."""
BARE_YEAR = re.compile(
    r"(?:^|[,，。?？;； ])((?:1\d|20)\d{2})年(?!版|本|那?一?[个部]?版|修|公布|发布|通过|起|以|之|后|度|至|到)"
)
"""A year that opens a question or clause and says no more."""


FOUNDED = 1949
"""A year before the People's Republic is the day asked for, unless it is said of a thing that stands since (1936年建成的电站)."""
OF_A_THING = re.compile(r"的|" + HAPPENED.pattern)


class AskedDay(NamedTuple):
    """The day that words mean, and the range they leave open around it."""

    day: Day
    words: str
    range: DayRange
    sure: bool
    """The words say outright that the rule of that time is asked for (…时, 当时, a day that opens the question or stands before an article, 2012年有效吗),
    not only when something happened."""


def day_in(text: str, today: Day) -> AskedDay | None:
    """Return the day a question is asked for and the words that say so, None when it names none.

    A bare year means its middle (1 July), a month its first day, 年底 the last day: a day must be chosen to compute a
    status, and the answer shows which, of which range.
    """
    if match := LAST_YEAR.search(text):
        years = 1 if match.group() == "去年" else 2
        day = today.replace(year=max(today.year - years, dt.MINYEAR), day=min(today.day, 28))
        return AskedDay(day, match.group(), _year(day.year), False)
    for match in WHEN.finditer(text):
        tail = (match["tail"] or "").strip()
        said = tail or match["m"] or match["d"] or "当时" in text or STANDS.search(text, match.end())
        old = int(match["y"]) < FOUNDED and not OF_A_THING.match(text, match.end())
        said = said or OF_AN_ARTICLE.match(text, match.end()) or old
        planned = tail.endswith(("底", "末")) and AIMED.search(text)
        older = tail in BEFORE and not OF_THE_RULE.match(text, match.end())
        if NOT_A_DAY.match(text, match.end()) or not said or planned or older:
            continue
        found = _chosen(match, tail)
        if found is not None:
            sure = tail in ("时", "的时候", "那时", "那会", "那会儿", "当时") or "当时" in text
            opens = match["d"] and not text[: match.start()].strip() and not HAPPENED.match(text, match.end())
            sure = bool(
                sure or opens or old or OF_AN_ARTICLE.match(text, match.end()) or STANDS.match(text, match.end())
            )
            return AskedDay(found[0], match.group().strip(), found[1], sure)
    return None


def without(query: Query) -> str:
    """Return a question without the words that only say for which day it is asked (2026年8月1日, 2019年时)."""
    text = query.text
    for words in (e.words for e in query.read if e.fact == "day" and e.origin is Origin.TEXT):
        if FOR_A_DAY.search(words):
            text = text.replace(words, "", 1)
    return text.strip(" ，,的")


def bare_year(text: str, today: Day) -> str:
    """Return a past year that a question opens with and that is not read as its day, empty when there is none."""
    match = BARE_YEAR.search(text)
    return f"{match[1]}年" if match and int(match[1]) < today.year else ""


def _chosen(match: re.Match[str], tail: str) -> tuple[Day, DayRange] | None:
    year, month, date = (int(match[key]) if match[key] else None for key in ("y", "m", "d"))
    assert year is not None, "WHEN asks for a year"
    try:
        if tail in BEFORE:
            last = dt.date(year, month or 1, date or 1) - dt.timedelta(days=1)
            return last, DayRange(last, last)
        if date is not None:
            day = dt.date(year, month or 7, date)
            return day, DayRange(day, day)
        if month is not None:
            first = dt.date(year, month, 1)
            return first, DayRange(first, (first + dt.timedelta(days=31)).replace(day=1) - dt.timedelta(days=1))
    except ValueError:
        return None
    if tail.endswith(("底", "末")):
        return dt.date(year, 12, 31), DayRange(dt.date(year, 12, 1), dt.date(year, 12, 31))
    if tail.endswith("初"):
        return dt.date(year, 1, 1), DayRange(dt.date(year, 1, 1), dt.date(year, 1, 31))
    return dt.date(year, 7, 1), _year(year)


def _year(year: int) -> DayRange:
    return DayRange(dt.date(year, 1, 1), dt.date(year, 12, 31))
