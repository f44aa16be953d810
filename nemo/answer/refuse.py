"""What the question itself names, and the refusals that follow from it before anything is searched.

A named regulation that is not held, an article that does not exist and a text that was not law on the day are facts
about the library, not matters of similarity (拒答).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType

from nemo.answer import not_in_force
from nemo.answer.question import rare_words
from nemo.answer.question.numbered import recorded
from nemo.answer.question.titles import STANDS
from nemo.answer.retrieve import outright
from nemo.errors import BadRequestError
from nemo.rerank import quantities
from nemo.rules import Rules
from nemo.rules.entries import Category
from nemo.store.library import Library
from nemo.text.letter.titles import in_marks
from nemo.text.words.normalise import normalise, title_key
from nemo.text.words.tokenise import cut
from nemo.types import (
    CORPORA,
    Answer,
    Day,
    Filters,
    Hit,
    Level,
    Mention,
    Query,
    Reason,
    Refusal,
    Regulation,
    Relation,
    RelationKind,
)

NEAREST = 3
"""At most this many provisions are shown as related, and titles as not held."""

COMMENCES = re.compile(
    r"(?:什么时候|何时|哪一?天|几时|几号|多久)[^,。?]{0,6}(?:施行|生效|实施|执行|废止|失效|到期)|(?:施行|生效|失效|废止)(?:日期|时间)"
)
"""Asks when a text itself commences or ends."""
ENDS = re.compile("废止|失效|到期")

NAMED_DAY = re.compile(r"\d{4}\s?年\s?\d{1,2}\s?月|[〇零一二三四五六七八九]{4}年")
OF_THE_NOTICE = re.compile(
    f"{COMMENCES.pattern}|通知|印发|生效|施行|实施|执行|适用|有效|失效|废止|作废|还能用|代替|替代|过渡|联系|文号|谁发|哪个部门发"
)
"""Asks for what a notice says about the rule that it issues."""
ISSUES = re.compile("印发|发布|公布|颁布|征求")

SAYS_ABOUT = re.compile("印发|发布|公布|颁布|征求|修改|修订|修正|调整|补充|解读|废止|落实")
"""What a title that holds another one does with it."""
ASKS_FORCE = re.compile(
    f"{STANDS.pattern}|停止执行|继续执行|还执行|修改|延[长续期]|推迟|暂缓|还能用|有效期|到期|清理结果|为(?:什么|何)[^，。？]{{0,4}}(?:废止|失效)"
)
"""How a question asks whether a text still holds, and what ended or changed it."""
ACTING = (RelationKind.REPEALS, RelationKind.AMENDS, RelationKind.EXTENDS, RelationKind.POSTPONES)
"""What a held text may do to one that is not held."""
SHORT_NUMBER = re.compile(r"(?P<number>\d{1,5})号文")
DATES = re.compile("件?(?:出台|发布|印发|实施|执行|生效|下发)?(?:之|以)?[前后]")
"""A number by which a text is called among those who know it (633号文), and says of it only before or behind it something is (633号文以后开工的)."""
DATED_WORDS, DATED_NEAR = 2, 60
"""By so many words of a question what it dates is known; so near to the number a text names it."""
MEANT_LEAST = 4
"""Characters of the matter of a name that is compared with a title which a held text acts on."""
SAME_LEAST = 2
"""Characters of the matter by which a text of a place is meant though another form of it is named."""
ABOUT_LEAST = 6
"""Characters of a name that is looked for inside titles."""

NEAR_NAME, NEAR_LEAST = 0.5, 3
"""Likeness of what two names are on, and characters running, from which one may be meant by the other."""
FORM = re.compile(
    r"[（(][^（()）]*[）)]|(?:实施|管理|暂行|试行)?(?:细则|办法|规则|规定|方案|意见|通知|条例|规范|指引|指南)|基本|关于|公开征求|印发|[《》〈〉]"
)
"""What a title says of the form of a text and not of its matter."""

REJECTED = "能够回答这个问题的引文已被复核人员驳回，暂不引用。"
"""Refuses where people took back what answers: nothing else answers in its place."""

FOREIGN = 0.02
"""Probability of an answer below which a question without any word of the field lies outside it."""
PLAIN = 0.15
"""A question no stranger than this is worded as those of the field are, however little is held of it (电工证谁发)."""
SUM, PAID = "金额", re.compile("[费价贴补款薪金钱元税]")
"""A value that a standard (标准) may be of, and what a question says that asks for it."""
RULED = 0.8
"""Confidence of an answer from which held law rules a matter that is none of the field's by its words (快递里夹带危险化学品)."""
STRANGE = 0.3
"""Share of a question's words that are none of the field's from which it lies outside it, though it carries one of them."""


@dataclass(frozen=True, slots=True)
class ResolvedNames:
    """What the names in a question lead to."""

    hits: tuple[Hit, ...] = ()
    """Provisions the question names outright."""
    regulation_ids: tuple[str, ...] = ()
    """Regulations it names without a provision, in the version of the day."""
    refusal: Refusal | None = None
    tips: tuple[str, ...] = ()


def resolve(query: Query, library: Library, day: Day, rules: Rules) -> ResolvedNames:
    """Follow every name in the question; refuse when none of them leads to law of the day."""
    hits: list[Hit] = []
    ids: list[str] = []
    refusals: list[Refusal] = []
    tips: list[str] = []
    for mention in query.mentions:
        about = () if mention.regulation_ids else _stands_for(mention, query, library, rules)
        if not (mention.regulation_ids or about):
            refusals.append(not_held(mention, library, rules))
            continue
        versions = [library.regulation(i) for i in mention.regulation_ids or about]
        tips += [
            f"{not_held(mention, library, rules).message[:-1]}；按{in_marks(r.title)}作答。" for r in versions if about
        ]
        current = [r for r in versions if r.validity.on(day, mention.article).may_answer]
        if not current:
            refusals.append(not_in_force.refusal(mention, versions, day, library))
        elif covers := _covers_only(mention, current, query, library):
            refusals.append(_rule_not_held(mention, covers))
        else:
            ids.extend(r.id for r in current)
            ids.extend(_issued_with(current, library))
            hits.extend(hit for r in current for hit in _commencement(query, r))
    if refusals and not hits and not ids:
        return ResolvedNames(refusal=refusals[0])
    hits.sort(key=lambda hit: NAMED_DAY.search(hit.chunk.text) is None)  # a notice names the day, its rule 发布之日
    return ResolvedNames(tuple(hits), tuple(dict.fromkeys(ids)), tips=(*tips, *(r.message for r in refusals)))


def _stands_for(mention: Mention, query: Query, library: Library, rules: Rules) -> tuple[str, ...]:
    """Return the held texts from which a question is answered that names one which is not held; empty when none is."""
    about = _about(mention, library) or _acts_on(mention, query, library, rules) or _dated_by(mention, query, library)
    return about or _of_another_form(mention, query, library, rules)


def _dated_by(mention: Mention, query: Query, library: Library) -> tuple[str, ...]:
    """Return the one held text that dates the same thing by the same short number, where the question only dates something by it.

    What it rules of another thing (抽水蓄能, where 光伏电站 is asked) says nothing of the one asked.
    """
    found = SHORT_NUMBER.search(mention.words)
    at = query.text.find(found[0]) if found else -1
    dates = DATES.match(query.text, at + len(found[0])) if found and at >= 0 else None
    if found is None or dates is None:
        return ()
    rest = query.text[dates.end() :]
    thing = [word for word in cut(rest.partition("的")[2] or rest) if len(word) > 1][:DATED_WORDS]
    bearing = library.texts_with(found["number"], Filters(), rare_words.CHUNKS) or ()
    ids = [each for each in bearing if _says_near(library.regulation(each).text, found[0], thing)]
    return tuple(ids) if len(ids) == 1 else ()


def _says_near(text: str, number: str, words: Sequence[str]) -> bool:
    """Tell whether a text names a number and, within :data:`DATED_NEAR` characters of it, all of some words."""
    if number not in text:
        return False
    tight = "".join(text.split())
    near = (tight[max(0, m.start() - DATED_NEAR) : m.end() + DATED_NEAR] for m in re.finditer(number, tight))
    return any(all(word in around for word in words) for around in near)


def _of_another_form(mention: Mention, query: Query, library: Library, rules: Rules) -> tuple[str, ...]:
    """Return the one held text of a place on the very matter that a name without marks says (甲市节水管理规定: 甲市节水条例).

    People take 条例, 办法 and 规定 of a place for one another; who names an article or writes 《》 means the text itself.
    """
    name = mention.title or ""
    places, matter = {code for _, code in rules.places_in(name)}, _matter(name, rules)
    if not places or len(matter) < SAME_LEAST or mention.asked or f"《{name}》" in query.original:
        return ()
    named = rules.place_names.search(name)
    rows = [r for r in library.headers() if r.province in places and _matter(r.title, rules) == matter]
    rows = [r for r in rows if named and r.title.startswith(named[0][:2])]
    return tuple(r.id for r in rows) if len({r.title for r in rows}) == 1 else ()


def _about(mention: Mention, library: Library) -> tuple[str, ...]:
    """Return the held texts whose titles say that they issue, change or explain what is named and not held itself."""
    key = title_key(mention.title or "")
    if len(key) < ABOUT_LEAST:
        return ()
    rows = [r for r in library.headers() if key in title_key(r.title) and SAYS_ABOUT.search(r.title)]
    return tuple(r.id for r in rows)


def _acts_on(mention: Mention, query: Query, library: Library, rules: Rules) -> tuple[str, ...]:
    """Return the held texts that repeal, amend or move the days of what is named and not held, when its force is asked."""
    if mention.article or not ASKS_FORCE.search(query.text):
        return ()
    number, name = normalise(mention.document_number or "").text, mention.title or ""

    def named(relation: Relation) -> bool:
        if number:
            return normalise(relation.target_number or "").text == number
        return bool(name) and _means(name, relation.target_title, rules)

    return tuple(row.id for row in library.headers() if any(r.kind in ACTING and named(r) for r in row.relations))


def _means(name: str, title: str, rules: Rules) -> bool:
    """Tell whether somebody who leaves out of a title what is no matter (浙江光伏验收办法) may mean it: the same place, matter and form.

    A title with more of a matter is another text (分布式光伏电站管理办法, of 光伏电站管理办法), and so are detailed rules (实施细则).
    """
    matter = _matter(name, rules)
    if {code for _, code in rules.places_in(name)} != {code for _, code in rules.places_in(title)}:
        return False
    return len(matter) >= MEANT_LEAST and matter == _matter(title, rules) and title_key(title).endswith(name[-2:])


def _covers_only(
    mention: Mention, current: Sequence[Regulation], query: Query, library: Library
) -> Sequence[Regulation]:
    """Return the notices that issue what is named, when the library holds nothing else of it and the rule is in a lost annex.

    What such a notice says itself (when the rule takes effect, what it replaces) may still be asked.
    """
    if mention.title is None or OF_THE_NOTICE.search(query.text):
        return ()
    key = title_key(mention.title)
    if not all(key in title_key(r.title) != key and ISSUES.search(r.title) for r in current):
        return ()
    files = Counter(row.sha256 for row in library.headers())
    lost = all(files[r.sha256] == 1 and any(f.code == "annex_missing" for f in r.faults) for r in current)
    return current if lost else ()


def _issued_with(notices: Sequence[Regulation], library: Library) -> list[str]:
    """Return what named notices issue in the same file: a notice and its annex are one rule to who names the notice."""
    files = {r.sha256 for r in notices if ISSUES.search(r.title)}
    return [row.id for row in library.headers() if row.sha256 in files] if files else []


def _commencement(query: Query, regulation: Regulation) -> list[Hit]:
    """Return the provision that says when a regulation commences or ends, when that is what the question asks."""
    asked = COMMENCES.search(query.text)
    if asked is None:
        return []
    facts = ("ends",) if ENDS.search(asked.group()) else ("version_effective", "first_effective")
    for fact in facts:
        proof = regulation.validity.why(fact)
        if proof is not None and proof.span is not None:
            chain = regulation.chain(proof.span)
            article = next((p for p in chain if p.level is Level.ARTICLE), chain[-1] if chain else None)
            if article is not None:
                return [outright(regulation, article)]
    return []


def not_held(mention: Mention, library: Library, rules: Rules) -> Refusal:
    """Refuse because a named text is not held, with the held titles that a misremembered name may mean."""
    what = in_marks(mention.title) if mention.title else f"“{mention.document_number or mention.words}”"
    near = "、".join(in_marks(title) for title in _near(mention.title or "", library, rules))
    meant = f"库内名称相近的有{near}；如所指是它，请用它的名称再问。"
    later = (
        f"库内的{in_marks(row.title)}载明“{line}”：收录的是其后的文本{f'（{row.document_number}）' if row.document_number else ''}，请用它的名称再问。"
        for row, line in recorded(mention.document_number or "", library, rules)
    )
    return Refusal(
        Reason.REGULATION_NOT_HELD,
        f"资料库未收录{what}，无法引用其条文。",
        (
            *dict.fromkeys(later),
            *([meant] if near else []),
            f"请上传{what}的正式文本后再问。",
            "如名称有误，请在“法规库”中按名称查找。",
        ),
    )


def by_name(query: Query, library: Library, rules: Rules) -> Refusal | None:
    """Refuse because what may be the name of a text is not held; None where the question has no such words."""
    name = next((e.words for e in query.read if e.fact == "name"), None)
    return not_held(Mention(name, title=name), library, rules) if name else None


def as_matter(query: Query) -> Iterator[str]:
    """Yield what to tell beside an answer to a question with words that may be the name of a text which is not held."""
    for name in dict.fromkeys(e.words for e in query.read if e.fact == "name"):
        yield f"资料库未收录名为“{name}”的文件，已当作事项检索；如所指是一部文件，请用它的全名再问。"


def _near(name: str, library: Library, rules: Rules) -> list[str]:
    """Return the held titles on what a name says, of the place that it says, likest first."""
    place, matter = {code for _, code in rules.places_in(name)}, _matter(name, rules)
    near = []
    for title, province in {row.title: row.province for row in library.headers()}.items():
        of_title = _matter(title, rules)
        if (place and province not in place) or (len(matter) < NEAR_LEAST and matter != of_title):
            continue
        if matter and matter == of_title:  # 供热条例 of each place
            near.append((-1.0, title))
            continue
        alike = SequenceMatcher(None, matter, of_title, autojunk=False)
        if alike.find_longest_match().size >= NEAR_LEAST and alike.ratio() >= NEAR_NAME:
            near.append((-alike.ratio(), title))
    return [title for _, title in sorted(near)[:NEAREST]]


@lru_cache(4096)
def _matter(title: str, rules: Rules) -> str:
    """Return what a title says a text is on: without places and what it says of its form."""
    return FORM.sub("", re.sub("^(?:省|市|自治区)", "", rules.place_names.sub("", title_key(title))))


def _rule_not_held(mention: Mention, covers: Sequence[Regulation]) -> Refusal:
    notices = "、".join(in_marks(r.title) for r in covers)
    return Refusal(
        Reason.REGULATION_NOT_HELD,
        f"资料库只收录了{notices}这份印发通知，未收录作为附件的“{mention.title}”正文，无法引用其内容。",
        (f"请上传附件“{mention.title}”后再问。",),
    )


def bad_question(error: BadRequestError) -> Refusal:
    """Refuse because the question cannot be read."""
    return Refusal(Reason.BAD_QUESTION, error.message, error.tips)


def left_out(words: Sequence[str]) -> str:
    """Return the remark that words of an English question were not understood and left out; empty when none were."""
    said = "、".join(words)
    if not words:
        return ""
    return f"没有读懂“{said}”，按其余词语检索，请判断引文是否适用（Not understood: {', '.join(words)}）。"


def unread(words: Sequence[str], related: Sequence[Hit]) -> Refusal:
    """Refuse an English question whose known words lead nowhere surely."""
    said = "、".join(words)
    tips = (f"Not understood: {', '.join(words)}. Please use terms of Chinese energy law, or ask in Chinese.",)
    return Refusal(
        Reason.BAD_QUESTION, f"没有读懂英文提问中的“{said}”，其余词语不足以作答。", tips, tuple(related[:NEAREST])
    )


def outside(query: Query, rules: Rules, surely: float = 0.0) -> Refusal | None:
    """Refuse what no regulation answers (写诗、选购、股票), by the words that ask for it; None when none of them stands there.

    No provision is near such a question: to list some would offer unrelated law as a lead. A matter (股票), unlike a
    request (写诗), is ruled by a text that the question names, or where a provision answers it as ``surely`` as ``RULED``.
    """
    named = [mention.words for mention in query.mentions if mention.regulation_ids]

    def asked(word: str, matter: bool) -> bool:
        if not _stands(word, query.text):
            return False
        ours = any(f"{word}{name}" not in query.text for name in named)  # 德国可再生能源法 is none of ours
        return not (matter and ours)

    def ruled(kind: Category) -> bool:
        elsewhere = kind.party and not any(word in query.text for word in kind.party)
        return kind.matter and surely >= RULED and not elsewhere

    kinds = [kind for kind in rules.out_of_scope if not ruled(kind)]
    said = ((kind, word) for kind in kinds for word in kind.strong if word in query.text)
    kind = next((kind for kind, word in said if asked(word, kind.matter)), None)
    if kind is None:
        return None
    message = f"这个问题属于“{kind.name}”，法规条文不能回答。"
    return Refusal(Reason.OUT_OF_DOMAIN, message, ("请改问条文规定的条件、程序、期限或责任。",))


_SHORT = re.compile("[\u4e00-\u9fff]{2}")


def _stands(word: str, text: str) -> bool:
    """Tell whether a word stands in a text, one of two characters not as the end of one word and the beginning of the next:
    几个税目 does not say 个税, 应急救援 not 急救. What asks for a bound (卖多少钱以下) asks for what law sets.
    """
    if not _SHORT.fullmatch(word):
        return re.search(f"{re.escape(word)}(?!以[上下内])", text) is not None
    edges = {0, *accumulate(map(len, cut(text)))}
    return any({at, at + 1, at + 2} & edges != {at + 1} for at in (m.start() for m in re.finditer(word, text)))


def lacking(query: Query, missing: Sequence[str], related: Sequence[Hit], annex: str | None = None) -> Refusal:
    """Refuse because the nearest provisions do not hold what the question says.

    ``missing`` says in Chinese what they lack (a year, a zone, the value asked for); ``annex`` names the annex that they
    leave the matter to and the library does not hold.
    """
    what = "、".join(dict.fromkeys(missing))
    tips = [f"请上传写明{what}的文件后再问。"]
    if annex is not None:
        tips.insert(0, f"最接近的条文把有关内容留给{annex}，资料库未收录该附件，请上传后再问。")
    message = f"最接近的条文没有写明{what}，不能据以作答。"
    return Refusal(Reason.NO_EVIDENCE, message, tuple(tips), tuple(related[:NEAREST]))


def not_stated(title: str, matters: Sequence[str], made: str = "") -> Refusal:
    """Refuse because a held text does not say what is asked about it itself (文号, 发布机关).

    ``made`` is what its level of force tells of who made it: no proof from the text, so a tip and no answer.
    """
    what = "、".join(matters)
    tips = filter(None, (made, "请上传载有发布令或题注的文本，或在“法规库”补录后再问。"))
    return Refusal(Reason.NO_EVIDENCE, f"{in_marks(title)}的文本没有载明{what}。", tuple(tips))


def made_by(level: str, rules: Rules) -> str:
    """Return in Chinese who makes texts of a level, where one body alone does (行政法规：立法法第七十二条); else nothing."""
    known = rules.level(level)
    return f"它归入{level}，{level}由{known.issuers[0]}制定。" if known and len(known.issuers) == 1 else ""


def undefined(term: str) -> Refusal:
    """Refuse what a term means: no held text defines it."""
    tips = (f"请上传给“{term}”下定义的文件（条例、办法、标准）后再问。", "或改问法规对它规定了什么。")
    return Refusal(Reason.NO_EVIDENCE, f"所查的文本没有给“{term}”下定义。", tips)


def clause_open() -> Refusal:
    """Refuse one clause of a question that nothing answers surely."""
    tip = "前一分问的引文可能也写到它，请判断；或把这一分问单独写成完整的问题再问。"
    return Refusal(Reason.NO_EVIDENCE, "没有找到确有把握回答这一分问的条文。", (tip,))


def punishes_nobody_beside() -> Refusal:
    """Refuse because the penalty just quoted names no one responsible beside (双罚)."""
    return Refusal(
        Reason.NO_EVIDENCE,
        "上一答复所引的罚则没有写明对负责人或者责任人员的处罚。",
        ("同一法规的其他条文可能另有规定，请写明违法行为与所问的人员后再问。",),
    )


def nothing_more() -> Refusal:
    """Refuse a question for more behind an answer that quoted all that was found (还有别的吗)."""
    return Refusal(
        Reason.NO_EVIDENCE,
        "上一答复已经引用了找到的全部依据，没有找到其他能够作答的条文。",
        ("如要查相关的其他事项，请写明事项后再问。",),
    )


def nothing_by_itself(*, of_a_text: bool) -> Refusal:
    """Refuse a follow-up without the question it follows (山东呢？); ``of_a_text``: a provision of no text (第五条)."""
    message, whole = (
        "这句话像是接着上一问问的，单独看不出所问的事项，不作答复。",
        "或写成完整的问题：事项、对象和地点。",
    )
    if of_a_text:
        message, whole = "只写了条款，没有写是哪部法规，不作答复。", "请写明法规名称，例如：电力法第二十五条。"
    behind = "请在上一答复下方的“追问”里提出。"
    return Refusal(Reason.BAD_QUESTION, message, (whole, f"如是接着上一问，{behind}") if of_a_text else (behind, whole))


def all_rejected() -> Refusal:
    """Refuse because reviewers rejected every quote that would answer."""
    return Refusal(
        Reason.NO_EVIDENCE,
        REJECTED,
        ("请到“引文复核”查看驳回的原因。", "请直接在“法规库”阅读原文，或换一种问法。"),
    )


def no_such_row(title: str, table: str, related: Sequence[Hit]) -> Refusal:
    """Refuse because the table that comes nearest has no row or column for the place, voltage, year, kind or name asked."""
    named = f"“{table}”" if table else "最接近的表"
    return Refusal(
        Reason.NO_EVIDENCE,
        f"{in_marks(title)}的{named}中没有所问的一行（地区、电压等级、年份、类别或名称不同）。",
        (
            "请核对所问的地区、电压等级、年份和名称，或打开原文查看整张表。",
            "如另有载明该行的文件或附件，请上传后再问。",
        ),
        tuple(related[:NEAREST]),
    )


def nothing_for_filters(query: Query) -> Refusal:
    """Refuse because no text passes the filters."""
    return Refusal(
        Reason.NO_TEXTS_FOR_FILTER,
        "在所选省份、能源类型、类别与日期下，资料库没有任何法规。",
        ("请放宽一个筛选条件（例如类别选“全部”）。", "或上传该省、该类别的法规后再问。"),
    )


def without_local(query: Query, library: Library, rules: Rules) -> tuple[str, ...]:
    """Return the remark that no text of the chosen province is held, so that only national ones were searched."""
    code = query.filters.province
    if code is None or any(row.province == code for row in library.headers()):
        return ()
    return (f"资料库没有{rules.province(code).name}的地方规定，只检索了全国性规定。",)


def scoped(answer: Answer) -> Answer:
    """Return a refusal to a question that was narrowed to corpora or a distance with what that left out.

    Of corpora it says no more than was looked at: that they lack something says nothing of the library.
    """
    filters, refusal = answer.query.filters, answer.refusal
    if refusal is None or not (filters.corpora or filters.threshold is not None):
        return answer
    tips, message = [], refusal.message
    if filters.corpora:
        message = message.replace("资料库", CORPORA)
        tips.append(f"只在资料集{'、'.join(f'“{name}”' for name in filters.corpora)}中查找；可不限资料集再问。")
    if filters.threshold is not None:
        tips.append(f"只看向量距离不超过 {filters.threshold:g} 的条文；可放宽距离上限再问。")
    return replace(answer, refusal=replace(refusal, message=message, tips=(*tips, *refusal.tips)))


def too_weak(
    query: Query,
    related: Sequence[Hit],
    rules: Rules,
    not_held: Callable[[str], Sequence[str]],
    told: Mapping[str, float] = MappingProxyType({}),
) -> Refusal:
    """Refuse because the best evidence does not carry an answer; ``not_held`` finds titles cited and not held.

    What held text the question tells by rare words (``rare_words.rarity_weights``) it is on, however it is worded.
    """
    nearest = tuple(related[:NEAREST])
    if max(told.values(), default=0.0) < rare_words.MARGIN and _foreign(query, related):
        message = "这个问题的主要用词在所收法规中没有出现，看来不属于资料库的范围。"
        return Refusal(Reason.OUT_OF_DOMAIN, message, ("请写明项目类型、地点和要查的事项后再问。",))
    message, tips = "资料库中没有找到能够回答这个问题的条文。", ["请换一种问法，写明事项、对象和要查的数字或期限。"]
    words = [hit.chunk.text for hit in nearest]
    # 适用什么标准 asks for no sum
    values = [v for v in quantities.lacking(query.text, words) if v != SUM or PAID.search(query.text)]
    if nearest and values:
        message += f"最接近的条文没有写明所问的{'、'.join(values)}。"
    if query.filters.doc_class or query.filters.asset:
        tips.append("可把类别或能源类型改为“全部”再试。")
    cited = list(dict.fromkeys(title for each in words for title in not_held(each)))[:NEAREST]
    if cited:
        titles = "、".join(f"《{title}》" for title in cited)
        tips.append(f"最接近的条文引用了资料库未收录的{titles}，上传后可再问。")
    else:
        tips.append("如应有专门文件（通知、办法、标准），请上传后再问。")
    return Refusal(Reason.NO_EVIDENCE, message, tuple(tips), nearest)


def _foreign(query: Query, related: Sequence[Hit]) -> bool:
    """Tell whether a question is worded as none of the field, or has no word of it and nothing near it is held."""
    scores = related[0].scores if related else {"answerable": 0.0}
    if scores.get("strange", 0.0) >= STRANGE and not query.mentions:
        return True
    if (
        query.filters.corpora or query.filters.threshold is not None
    ):  # what is near may lie outside of what was searched
        return False
    plain = scores.get("strange", 1.0) <= PLAIN
    return scores.get("answerable", 1.0) < FOREIGN and not (plain or query.synonyms or query.intents or query.mentions)
