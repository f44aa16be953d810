"""Recognises a question about what changed, and the two versions it means (变化类问题)."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nemo import lawview
from nemo.store.library import Library
from nemo.types import Day, Evidence, Mention, Origin, Query, Regulation

_NAMED = r"[新旧老][\u4e00-\u9fa5]{0,8}(?:法|条例|办法|规定|解释)"
_VERSION = rf"(?:版|新旧|修[订改正]|{_NAMED}|以前|之前|(?:19|20)\d{{2}}年)"
_ASKS = re.compile(
    r"新旧(?!动能)|修[订改正]前后|修[订改正](?:对照|要点|说明|内容)"
    r"|(?:修[订改正]|修改|调整|改)了(?:什么|哪些|几(?![次回]))"
    r"|(?:有|哪些|什么|何种?|主要|具体)(?:的)?(?:修改|修订)|(?:变化|变动|改动)(?:[吗呢]?[？?。]?$|是什么|在哪|有哪些|何在)"
    rf"|{_VERSION}.{{0,30}}(?:区别|差别|差在|不同|不一样|差异|对比|比较|对照|变化|怎么变|变了)|(?:区别|差别|不同|不一样|差异|对比|比较|对照).{{0,12}}{_VERSION}"
)
_COMPARES = re.compile(r"区别|差别|差在|不同|不一样|差异|对比|比较|对照|变化")
"""Enough when a question names a text and the one whose place it took."""
_BEFORE = re.compile(r"修[订改正]之?前(?![后置提])|[旧老]版|原版|旧法|旧条例|旧办法|旧规定|上一版|前一版")
_OLD = re.compile(r"(?:旧|老|(?:原来|以前|过去|原先)的)的?[《〈]?$")
"""Before the name of a text: its version before the present one is asked for (老矿法)."""
_YEAR_BEFORE = re.compile(r"(?<!\d)((?:19|20)\d{2})年?的?[《〈]?$")
_IN_FORCE = re.compile(r"有效|失效|废止|生效|施行|作废|过期|[还能可管]用|适用吗")
"""A question about the old version that asks whether it is law is asked for today."""
YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})\s*年?(?:版|修[订正]本?|本)?")
"""A year that names a version."""
_OF_YEAR = re.compile(r"(?<!\d)((?:19|20)\d{2})年?(?:的?版本?|修[订正](?:版|本|后|的)*)(?![案决前])")
"""The version of a year (2017年修正的, 2017年版), which alone is asked for."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Two held versions of one work that a question asks to compare."""

    old: Regulation
    new: Regulation
    mention: Mention


def asks(text: str) -> bool:
    """Tell whether words ask what changed."""
    return _ASKS.search(text) is not None


def asked(query: Query, library: Library) -> Versions | None:
    """Return the two versions a question asks to compare, None when it asks no such thing or holds no two versions.

    Years in the question choose the versions; otherwise they are the newest and the one before it.
    """
    compares = _COMPARES.search(query.text) is not None and len(query.mentions) > 1
    if not compares and _ASKS.search(query.text) is None:
        return None
    for mention in query.mentions:
        versions = _versions(mention, library)
        if compares and not _ASKS.search(query.text):
            others = {i for m in query.mentions if m is not mention for i in m.regulation_ids}
            versions = [r for r in versions if r.id in others | set(mention.regulation_ids)]
            if not others & {r.id for r in versions}:
                continue
        if len(versions) > 1:
            old, new = _chosen(query.text, versions)
            return Versions(old, new, mention)
    return None


def before_revision(query: Query, library: Library) -> Query:
    """Return a question about an older wording (修订前, 2017年版) with its day, the last one of that version."""
    text = query.text
    if _ASKS.search(text) or _IN_FORCE.search(text):
        return query
    if year := _OF_YEAR.search(text):
        return _of_year(query, int(year[1]), library)
    for mention in query.mentions:
        if (year := _YEAR_BEFORE.search(_before(mention, text))) and _of_that_year(mention, int(year[1]), library):
            return _of_year(query, int(year[1]), library)
    if query.filters.day is not None:
        return query
    for mention in query.mentions:
        if not (_BEFORE.search(text) or _OLD.search(_before(mention, text))):
            continue
        versions = _versions(mention, library)
        start = versions[-1].validity.effective if len(versions) > 1 else None
        if start is not None:
            day = start - dt.timedelta(days=1)
            read = Evidence("day", f"修订前，按 {day}", Origin.DERIVED)
            return replace(query, filters=replace(query.filters, day=day), read=(*query.read, read))
    return query


def _before(mention: Mention, text: str) -> str:
    return text[: max(0, text.find(mention.words))]


def _of_that_year(mention: Mention, year: int, library: Library) -> bool:
    """Tell whether an older version of a text that a question names is of the year before its name (2004年施工合同解释)."""
    return any(_order(r).year == year for r in _versions(mention, library)[:-1])


def _of_year(query: Query, year: int, library: Library) -> Query:
    """Return a question for the version of a year with a day on which it was law; a version that is not held has no text."""
    for mention in query.mentions:
        versions = _versions(mention, library)
        if not versions or any(r.version_date is None and r.validity.effective is None for r in versions):
            continue
        meant = [r for r in versions if year in (_order(r).year, (r.validity.effective or dt.date.min).year)]
        if not meant:
            named = replace(mention, title=f"{mention.title}（{year}年的版本）", regulation_ids=())
            return replace(query, mentions=tuple(named if m is mention else m for m in query.mentions))
        end, chosen = meant[-1].validity.ends, query.filters.day
        if end is not None and (chosen is None or chosen >= end):
            day = end - dt.timedelta(days=1)
            read = [Evidence("day", f"{year}年的版本，按 {day}", Origin.DERIVED)]
            if chosen is not None:
                said = f"所选适用日期是 {chosen}，问题写的是{year}年的版本：按 {day} 判断时效。"
                read.append(Evidence("conflict", said, Origin.DERIVED))
            known = [each for each in query.read if each.fact != "year"]  # the year is that of the version
            return replace(query, filters=replace(query.filters, day=day), read=(*known, *read))
    return query


def _versions(mention: Mention, library: Library) -> list[Regulation]:
    """Return the versions of the first work a mention means, oldest first; what it took the place of counts as one."""
    rows = [library.row(i) for i in mention.regulation_ids]
    same = [r for r in rows if (r.province, r.level) == (rows[0].province, rows[0].level)]
    if len(same) == 1:
        same += lawview.predecessors(same[0], library.rows())
    return sorted((library.regulation(r.id) for r in same), key=_order)


def _order(regulation: Regulation) -> Day:
    return regulation.version_date or regulation.validity.effective or dt.date.min


def _chosen(text: str, versions: Sequence[Regulation]) -> tuple[Regulation, Regulation]:
    years = {int(match[1]) for match in YEAR.finditer(text)}
    named = [r for r in versions if _order(r).year in years or (r.validity.effective or dt.date.min).year in years]
    if len(named) == 1:
        at = max(1, versions.index(named[0]))
        return versions[at - 1], versions[at]
    chosen = named if len(named) > 1 else versions
    return (chosen[0], chosen[-1]) if len(named) > 1 else (chosen[-2], chosen[-1])


def only_one(query: Query, library: Library) -> tuple[str, ...]:
    """Return a tip when a question asks for changes of a regulation of which only one version is held."""
    compares = _ASKS.search(query.text) is not None
    asked = [m for m in query.mentions if compares or _OLD.search(_before(m, query.text))]
    single = [m for m in asked if len(m.regulation_ids) == 1]
    titles = [library.row(m.regulation_ids[0]).title for m in single]
    return tuple(f"资料库只有《{t}》的一个版本，无法比较新旧；请上传另一版本后再问。" for t in dict.fromkeys(titles))
