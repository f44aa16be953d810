"""Recognises a question about a regulation itself by its shape: a named text, a property of it, and nothing else (问法识别).

Whatever else a question says makes it one about what the text rules, which is for the search.
"""

import datetime as dt
import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nemo.rules import LawProperty, PropertyWords, Rules
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import normalise, title_key
from nemo.types import Day, Query, Relation, RelationKind, Status

SUBJECT = "§"
"""Stands in the rest of a question where the regulation is named."""


class AskedProperty(enum.Enum):
    """What is asked of a regulation; the value names it in the answer. Its shapes are ``data/rules/properties.toml``."""

    CITED_BY = "被引用"
    REPEALS = "所废止的文件"
    REPEALED_BY = "废止依据"
    BASIS = "制定依据"
    NUMBER = "文号"
    AMENDMENTS = "修改情况"
    END = "失效日期"
    COMMENCEMENT = "施行日期"
    IN_FORCE = "时效"
    ISSUER = "发布机关"
    PUBLISHED = "公布日期"
    LEVEL = "效力级别"
    EXTENT = "篇幅"
    CONTENTS = "目录"
    ANNEXES = "附件"
    VERSION = "版本"


SHORTEST = 5
"""Characters of a title that is found in a question though its text is not held."""

_YEAR = re.compile(
    r"(?<!\d)((?:19|20)\d{2})\s*年?(?:(?:\d{1,2}月)?(?:\d{1,2}日)?)?"
    rf"(?:[^\d,。?]{{0,3}}(?:版本?|修[订正改]本?|通过|公布|制定|颁布|发布|那[一个]?[部版](?:本)?)的?|的(?={SUBJECT}))"
)
_OLD = re.compile(
    rf"(?:旧版?|老|原来?|修[订正改]前|之前|以前|上一版)的?(?:那[部版个])?{SUBJECT}|{SUBJECT}(?:\(?(?:旧|原|修[订正]前)版?\)?)"
)
_NEW = re.compile(rf"(?:新版?|最新|现行|修[订正改]后|新修[订正改])的?(?:那[部版个])?{SUBJECT}")
_CONTENT = re.compile(
    rf"{SUBJECT}(?:中|里|里面|对|就|关于|所|是|怎么|如何)*(?:规定|要求|写|说)|{SUBJECT}(?:适用于|适用范围|适用(?:哪(?!一?[个部]?版)|什么(?!版)))"
    rf"|{SUBJECT}(?:所|中|里|予以|列入)*(?:废止|失效|清理|修改|印发|公布)的[^,。?]{{0,8}}(?:文件|规章|通知|办法|规定|目录)(?=.*(?:什么时候|何时|哪一?天|几时|日期|之日))"
)
"""Asks for what the text rules, or when what it names begins or ends (它废止的文件从什么时候停止执行)."""
_OF_ISSUER = re.compile(
    "的?(?:令|文号|第?(?:几|哪一?个?|多少)号|(?:是?(?:在|于)?(?:什么时候|何时|几时|哪一?[年天]|哪个月)|令?第)?(?:公布|发布|颁布|颁发|印发|出台|通过|批准))"
)
"""Stands behind the name of a body that issued a text."""
_SIGNS = r"[\d,.、;:?!。\"'“”()\[\]《》<>\s-]"
_ENDED = r"有效|现行|适用|失效|作废|过期|[能可管]用|算数|效力"


@dataclass(frozen=True, slots=True)
class AskedRegulation:
    """The regulation that is asked about."""

    versions: tuple[RegulationRow, ...]
    """Its held versions, oldest first; empty when it is only known from the text that repealed it."""
    row: RegulationRow | None
    """The version that is meant."""
    title: str
    repealed_by: tuple[RegulationRow, Relation] | None = None
    """Of a text that is not held: the held one that repealed it."""
    article: str | None = None
    """Label of the article that is meant, when one is."""


@dataclass(frozen=True, slots=True)
class PropertyShapes:
    """The shapes of questions as the rule data give them, compiled."""

    asked: Mapping[AskedProperty, re.Pattern[str]]
    english: Mapping[AskedProperty, re.Pattern[str]]
    """Of an English question, which is read word by word."""
    hides: Mapping[AskedProperty, frozenset[AskedProperty]]
    """Matters whose words another matter's shape holds too."""
    plain: re.Pattern[str]
    """Words that belong to the shape: asking, days, properties. What is left asks for something the text rules."""
    ended: re.Pattern[str]
    """Says or asks that a text is law no more."""


@lru_cache(maxsize=2)
def shapes(properties: Sequence[LawProperty], words: Sequence[PropertyWords]) -> PropertyShapes:
    """Compile the tables ``properties`` and ``property_words`` of the rule data."""
    groups = {entry.code: f"(?:{'|'.join(entry.words)})" for entry in words}

    def compiled(forms: Sequence[str]) -> re.Pattern[str]:
        return re.compile(re.sub(r"<([a-z]+)>", lambda m: groups[m[1]], "|".join(forms)))

    single = next(entry.words[0] for entry in words if entry.code == "plain_characters")
    known = "|".join(words for code, words in groups.items() if code != "plain_characters")
    return PropertyShapes(
        {AskedProperty[p.code.upper()]: compiled(p.asked) for p in properties},
        {AskedProperty[p.code.upper()]: compiled(p.english) for p in properties if p.english},
        {AskedProperty[p.code.upper()]: frozenset(AskedProperty[code.upper()] for code in p.hides) for p in properties},
        re.compile(rf"{SUBJECT}|{known}|[{single}]|{_SIGNS}"),
        compiled((_ENDED, "<ends>")),
    )


def _without_issuer(plain: str, rules: Rules) -> str:
    """Return a question without the body that is said to have issued what it asks about (国务院第几号令, 国务院哪年公布的)."""
    for at, said, _ in reversed(list(rules.issuer_words.find(plain))):
        behind = plain[at + len(said) :]
        plain = plain[:at] + behind if _OF_ISSUER.match(behind) else plain
    return plain


def matters(query: Query, words: Sequence[str], rules: Rules) -> tuple[list[AskedProperty], str]:
    """Return the properties a question asks of what ``words`` name, and the question with these words replaced.

    Empty when the question says anything else.
    """
    rest = query.text
    for said in sorted(words, key=len, reverse=True):
        rest = rest.replace(said, SUBJECT)
    rest = re.sub(rf"[《“\"]?{SUBJECT}[》”\"]?(?:\(试行\)|\(暂行\))?", SUBJECT, rest)
    plain = rest
    for evidence in query.read:  # before the years of versions: 2024年4月时的版本 is that of a day
        plain = plain.replace(evidence.words, "") if evidence.fact == "day" else plain
    plain = _without_issuer(_YEAR.sub("", plain), rules)
    known = shapes(rules.properties, rules.property_words)
    if _CONTENT.search(plain) or known.plain.sub("", plain):
        return [], rest
    plain = plain.replace(" ", "")
    found = [matter for matter, shape in known.asked.items() if shape.search(plain)]
    if query.original.isascii():  # words in the order of a search: name, what, question word
        found += [m for m, shape in known.english.items() if m not in found and shape.search(plain)]
    hidden = {other for matter in found for other in known.hides[matter]}
    return [matter for matter in found if matter not in hidden], rest


def subject_of(
    query: Query, rest: str, rows: Sequence[RegulationRow], day: Day, found: Sequence[AskedProperty]
) -> AskedRegulation | None:
    """Return the regulation a question is about and which version of it, None when it names none.

    ``found`` and ``rest`` are what is asked and the question with its names replaced, as ``matters`` returns them. Who
    asks what cites a text may mean one article of it (谁引用了第三条); who asks whether it is law means that of the day.
    """
    of_an_article = found in ([AskedProperty.CITED_BY], [AskedProperty.ANNEXES])
    of_the_day = bool(query.read) or AskedProperty.IN_FORCE in found
    by_id = {row.id: row for row in rows}
    for mention in query.mentions:
        held = [by_id[i] for i in mention.regulation_ids if i in by_id]
        if held and (of_an_article or not mention.asked):
            same = [r for r in held if (r.province, title_key(r.title)) == (held[0].province, title_key(held[0].title))]
            versions = sorted(same, key=_order)
            row = _meant(rest, versions, day, of_the_day=of_the_day)
            return AskedRegulation(tuple(versions), row, row.title, article=mention.article)
    return None


def repealed_subject(query: Query, rows: Sequence[RegulationRow], rules: Rules) -> tuple[AskedRegulation, str] | None:
    """Return a text that is not held but that a held one repealed, and the words that name it."""
    if not shapes(rules.properties, rules.property_words).ended.search(query.text):
        return None
    others = {title_key(mention.title or "") for mention in query.mentions}
    named = {
        name: (row, relation)
        for row in rows
        for relation in row.relations
        if relation.kind is RelationKind.REPEALS
        and len(name := normalise(relation.target_title).text.removeprefix("中华人民共和国")) >= SHORTEST
        and name in query.text
        and not any(other != title_key(name) and other.endswith(name) for other in others)  # of a province
    }
    name = max(named, key=len, default="")
    return (AskedRegulation((), None, named[name][1].target_title, named[name]), name) if name else None


def _order(row: RegulationRow) -> Day:
    return row.version_date or row.validity.effective or dt.date.min


def _meant(rest: str, versions: Sequence[RegulationRow], day: Day, *, of_the_day: bool) -> RegulationRow:
    """Return the version that a year, 新 or 旧 names; else that of the day, else the newest."""
    years = {int(match[1]) for match in _YEAR.finditer(rest)}
    named = [r for r in versions if _order(r).year in years]
    if named:
        return named[-1]
    if _NEW.search(rest):
        return versions[-1]
    if _OLD.search(rest) and len(versions) > 1:
        return versions[-2]
    standing = [r for r in versions if r.validity.on(day) is Status.IN_FORCE]
    if standing and (of_the_day or versions[-1].validity.on(day) is not Status.PENDING):
        return standing[-1]
    return versions[-1]
