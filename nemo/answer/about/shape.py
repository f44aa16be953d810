"""Recognises a question about a regulation itself by its shape: a named text, a property of it, and nothing else (问法识别).

Whatever else a question says makes it one about what the text rules, which is for the search.
"""

from __future__ import annotations

import datetime as dt
import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import normalise, title_key
from nemo.types import Day, Query, Relation, RelationKind, Status

SUBJECT = "§"
"""Stands in the rest of a question where the regulation is named."""
_WHEN = r"(?:(?:是?在?从|自|到|于)?(?:什么时候|什么时间|何时|何日|何年|哪一?[天日年]|几时|几月几[号日]|多久|啥时候?|哪个?(?:日子|时间)|日期|时间|日子))"
_WHAT = r"(?:哪些|哪几[个部件条]?|哪[个部件项条]?|什么|何|多少|几[个部件]|有没有|有无|谁)"
_TEXTS = r"(?:法律法规|法律|法规|规章|规定|条例|办法|文件|文本|上位法|下位法|法|令|决定|东西)"
_MAKES = r"(?:公布|发布|颁布|制定|制订|印发|通过|出台|批准|签发|颁发|下发)"
_STARTS = r"(?:施行|实施|生效|执行|起效|开始有效|起用)"
_STOPS = r"(?:废止|失效|作废|终止|为止|届满|到期|停止|不再有效|有效期|过期)"
_ENDS_IT = r"(?:废止|取代|替代|代替|取消|废除|替换)"
_AMENDS = r"(?:修正|修改|修订|修)"
_ASKS_IF = r"(?:吗|是否|是不是|有没有|还|仍|没有|没[?？]?$|么[?？]?$)"


class Matter(enum.Enum):
    """What is asked of a regulation; the value names it in the answer."""

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
    VERSION = "版本"


_SHAPES: dict[Matter, re.Pattern[str]] = {
    Matter.CITED_BY: re.compile(
        rf"{_WHAT}.{{0,10}}(?:引用|援引|提到|提及|参照|涉及|引述)了?(?:到|过)?{SUBJECT}|{SUBJECT}(?:都)?(?:被|受){_WHAT}.{{0,10}}(?:引用|援引|提到|提及|参照)"
        rf"|{_WHAT}.{{0,10}}(?:根据|依据|依照|按照|以){SUBJECT}(?:为依据|为基础)?(?:来)?{_MAKES}|(?:引用|援引|提到|依据|根据)了?{SUBJECT}的.{{0,6}}{_WHAT}"
        rf"|{SUBJECT}.{{0,4}}(?:的)?(?:配套|下位){_TEXTS}?|{SUBJECT}的?(?:被)?引用情况|{_WHAT}.{{0,6}}(?:是)?(?:实施|落实|细化)了?{SUBJECT}"
    ),
    Matter.REPEALS: re.compile(
        rf"{SUBJECT}(?:施行后|实施后|同时)?{_ENDS_IT}(?:了|掉了?|过)?{_WHAT}|{_WHAT}.{{0,8}}被{SUBJECT}{_ENDS_IT}"
    ),
    Matter.REPEALED_BY: re.compile(
        rf"(?:被|由|因|让|给){_WHAT}.{{0,10}}{_ENDS_IT}|{_WHAT}.{{0,10}}{_ENDS_IT}了?{SUBJECT}|废止依据|(?:被)?{_ENDS_IT}的(?:依据|原因)"
    ),
    Matter.BASIS: re.compile(
        rf"(?:根据|依据|依照|按照|按|以|依){_WHAT}.{{0,8}}(?:{_MAKES}|为依据|来的|的|$)|(?:制定|立法|法律|上位|{SUBJECT})的?依据|上位法"
    ),
    Matter.NUMBER: re.compile(r"文号|第?(?:几|多少|哪)(?:号|号令)|令号|编号|几号文"),
    Matter.AMENDMENTS: re.compile(
        rf"{_AMENDS}(?:过|了)?(?:几|多少|哪几)[次回]|第?(?:几|多少)次的?{_AMENDS}|(?:几|多少)次{_AMENDS}|{_WHAT}(?:的|过)?{_AMENDS}|{_AMENDS}(?:过|了)(?:吗|没|什么|哪)"
        rf"|{_AMENDS}(?:的)?(?:历史|历程|情况|记录|沿革|经过)|沿革|历次{_AMENDS}?|{_WHEN}.{{0,4}}{_AMENDS}|{_AMENDS}.{{0,6}}{_WHEN}|(?:有没有|是否)(?:被)?{_AMENDS}过?"
    ),
    Matter.END: re.compile(
        rf"(?:{_WHEN}|到哪|截止|截至|何|多长).{{0,8}}{_STOPS}|{_STOPS}.{{0,4}}(?:{_WHEN}|多[久长]|到哪|几年)"
    ),
    Matter.COMMENCEMENT: re.compile(rf"{_WHEN}.{{0,6}}{_STARTS}|{_STARTS}(?:的|是)?.{{0,3}}{_WHEN}"),
    Matter.IN_FORCE: re.compile(
        rf"{_ASKS_IF}.{{0,6}}(?:有效|现行|适用|生效|作废|废止|失效|过期|管用|能用|可用|在用|好用|效力|施行|执行)|"
        rf"(?:有效|现行|适用|生效|作废|废止|失效|过期|管用|能用|可用|效力|废除)(?:了|的)*{_ASKS_IF}|时效性|效力状态"
    ),
    Matter.ISSUER: re.compile(
        rf"(?:谁|{_WHAT}(?:机关|部门|单位|机构|地方|级|部委|政府|人大)).{{0,6}}{_MAKES}|{_MAKES}.{{0,3}}(?:机关|部门|单位|机构|主体|者)(?:是|$|[?？]|有)|{_MAKES}(?:的|它)?(?:是|者是)(?:谁|哪)|(?:由|是)谁{_MAKES}"
    ),
    Matter.PUBLISHED: re.compile(rf"{_WHEN}.{{0,6}}{_MAKES}|{_MAKES}(?:的|是)?.{{0,3}}{_WHEN}"),
    Matter.LEVEL: re.compile(
        r"(?:效力|法律)(?:级别|层级|位阶|等级|地位)|(?:是|属于|算)(?:什么|哪[种类级一]*|何种).{0,4}(?:法律|法规|规章|文件|级别|层级|性质|位阶)|是(?:法律|行政法规|地方性法规|部门规章|规范性文件)(?:吗|还是)"
    ),
    Matter.EXTENT: re.compile(r"(?:多少|几)个?[条章节编](?!款?规定)|(?:总共|一共|共)有?(?:多少|几)"),
    Matter.VERSION: re.compile(
        rf"(?:最新|最近|现行|目前|现在|当前|新|哪一?[个版年]|几个|哪些|什么|多少个).{{0,4}}版本?|版本.{{0,6}}(?:{_WHAT}|{_WHEN}|多少|几)|哪一?年的?版|版本(?:是|有|号|情况|历史)?$|最新(?:的)?(?:是)?{_WHEN}"
    ),
}

_WORDWISE = {
    Matter.CITED_BY: re.compile(rf"{SUBJECT}.{{0,80}}引用"),
    Matter.REPEALED_BY: re.compile(rf"{SUBJECT}.{{0,80}}(?:{_ENDS_IT}.{{0,80}}什么规定|什么规定.{{0,80}}{_ENDS_IT})"),
    Matter.IN_FORCE: re.compile(rf"^{SUBJECT}(?:仍)?(?:{_ENDS_IT}|有效|失效)$"),
    Matter.ISSUER: re.compile(rf"{SUBJECT}.{{0,80}}{_MAKES}.{{0,80}}(?:谁|部门)"),
    Matter.BASIS: re.compile(rf"{SUBJECT}.{{0,80}}(?:依据|根据).{{0,80}}什么规定"),
    Matter.AMENDMENTS: re.compile(rf"^{SUBJECT}.*{_AMENDS}$"),
}
"""Shapes of an English question, which is read word by word."""
_ENDED = re.compile(rf"有效|现行|适用|失效|作废|过期|[能可管]用|{_ENDS_IT}")
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
    rf"{SUBJECT}(?:中|里|里面|对|就|关于|所|是|怎么|如何)*(?:规定|要求|写|说)|{SUBJECT}(?:适用于|适用范围|适用(?:哪|什么))"
)
"""Asks for what the text rules."""
_LONG = (
    "请问|帮我|麻烦|告诉我|我们|想知道|知道|了解|一下|库里|库内|资料库|到底|究竟|目前|现在|如今|当前|今天|当时|那天|那时|截至|截止|为止|开始|正式|首次|第一次|最近|最新|上次|"
    "一次|最后|最早|一共|总共|按照|根据|依据|依照|仍然|依然|是否|是不是|有没有|能不能|可不可以|可以|已经|没有|同时|分别|怎么|如何|情况|历史|历程|状态|效力|级别|层级|位阶|等级|地位|性质|"
    "机关|机构|单位|部门|主体|地方|部委|政府|人大|法律法规|法律|法规|规章|规定|文件|文本|条例|办法|上位法|下位法|决定|基础|配套|文号|编号|号令|令号|改动|变化|历次|沿革|记录|经过|"
    "现行有效|有效期|有效|现行|适用|管用|能用|可用|在用|使用|过期|时效性|引用|援引|提到|提及|参照|涉及|引述|落实|细化|内容|多少|多久|多长|名称|全称|属于|来源|立法|上位"
)
_SHORT = "请我查这那该本它其共都被把由从自到至在于以按还仍能就才了过的得地吗呢么啊吧呀没有无是否不再会和与及或来去掉给让因改次回几第年月日天版新旧老原前后用章条节编款个部件项哪谁何长为期并也又一上下里中内之者此所叫法令号已想问起止"
_PLAIN = re.compile(
    rf"{SUBJECT}|{_LONG}|{_WHEN}|{_MAKES}|{_STARTS}|{_STOPS}|{_ENDS_IT}|{_AMENDS}|{_WHAT}|[{_SHORT}]|"
    r"[\d,.、;:?!。\"'“”()\[\]《》<>\s-]"
)
"""Words that belong to the shape: asking, days, properties. What is left asks for something the text rules."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The regulation that is asked about."""

    versions: tuple[RegulationRow, ...]
    """Its held versions, oldest first; empty when it is only known from the text that repealed it."""
    row: RegulationRow | None
    """The version that is meant."""
    title: str
    repealed_by: tuple[RegulationRow, Relation] | None = None
    """Of a text that is not held: the held one that repealed it."""


def matters(query: Query, words: Sequence[str]) -> tuple[list[Matter], str]:
    """Return the properties a question asks of what ``words`` name, and the question with these words replaced.

    Empty when the question says anything else.
    """
    rest = query.text
    for said in sorted(words, key=len, reverse=True):
        rest = rest.replace(said, SUBJECT)
    rest = re.sub(rf"[《“\"]?{SUBJECT}[》”\"]?(?:\(试行\)|\(暂行\))?", SUBJECT, rest)
    plain = _YEAR.sub("", rest)
    for evidence in query.read:
        plain = plain.replace(evidence.words, "") if evidence.fact == "day" else plain
    if _CONTENT.search(plain) or _PLAIN.sub("", plain):
        return [], rest
    plain = plain.replace(" ", "")
    found = [matter for matter, shape in _SHAPES.items() if shape.search(plain)]
    if query.original.isascii():  # words in the order of a search: name, what, question word
        found += [m for m, shape in _WORDWISE.items() if m not in found and shape.search(plain)]
    return _without_shadows(found), rest


_SHADOWS = {
    Matter.REPEALED_BY: (Matter.IN_FORCE, Matter.END, Matter.ISSUER),
    Matter.CITED_BY: (Matter.BASIS, Matter.ISSUER, Matter.REPEALED_BY),
    Matter.REPEALS: (Matter.REPEALED_BY, Matter.IN_FORCE),
    Matter.BASIS: (Matter.ISSUER,),
    Matter.AMENDMENTS: (Matter.VERSION,),
    Matter.END: (Matter.IN_FORCE,),
    Matter.COMMENCEMENT: (Matter.IN_FORCE, Matter.VERSION),
    Matter.ISSUER: (Matter.PUBLISHED,),
}
"""Matters whose words another matter's shape holds too; only ``IN_FORCE`` beside ``REPEALED_BY`` says more."""


def _without_shadows(found: list[Matter]) -> list[Matter]:
    hidden = {other for matter in found for other in _SHADOWS.get(matter, ())}
    return [matter for matter in found if matter not in hidden]


def subject_of(query: Query, rest: str, rows: Sequence[RegulationRow], day: Day) -> Subject | None:
    """Return the regulation a question is about and which version of it, None when it names none.

    Args:
        query: The question.
        rest: The question with its names replaced, as ``matters`` returns it.
        rows: Everything held.
        day: The day asked.
    """
    by_id = {row.id: row for row in rows}
    for mention in query.mentions:
        held = [by_id[i] for i in mention.regulation_ids if i in by_id]
        if held and not mention.asked:
            same = [r for r in held if (r.province, title_key(r.title)) == (held[0].province, title_key(held[0].title))]
            versions = sorted(same, key=_order)
            row = _meant(rest, versions, day, by_words=bool(query.read))
            return Subject(tuple(versions), row, row.title)
    return None


def repealed_subject(query: Query, rows: Sequence[RegulationRow]) -> tuple[Subject, str] | None:
    """Return a text that is not held but that a held one repealed, and the words that name it."""
    if not _ENDED.search(query.text):
        return None
    named = {
        name: (row, relation)
        for row in rows
        for relation in row.relations
        if relation.kind is RelationKind.REPEALS
        and len(relation.target_title) >= SHORTEST
        and (name := normalise(relation.target_title).text) in query.text
    }
    name = max(named, key=len, default="")
    return (Subject((), None, named[name][1].target_title, named[name]), name) if name else None


def _order(row: RegulationRow) -> Day:
    return row.version_date or row.validity.effective or dt.date.min


def _meant(rest: str, versions: Sequence[RegulationRow], day: Day, *, by_words: bool) -> RegulationRow:
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
    if standing and (by_words or versions[-1].validity.on(day) is not Status.PENDING):
        return standing[-1]
    return versions[-1]
