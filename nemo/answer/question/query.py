"""Reads a question: what it names, which day and place it means, what it asks for (查询分析).

Everything read here is kept on the ``Query`` and shown on the answer, so that an analyst can see why something came
up. The reader never decides the answer: it only names regulations, articles, days, places, synonyms and intents.
"""

from __future__ import annotations

import copy
import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate

from nemo.answer.question.days import bare_year, day_in
from nemo.answer.question.numbered import NumberFinder, numbers_of
from nemo.answer.question.titles import CUE, TWO, TitleFinder, TitleMention
from nemo.errors import BadRequestError
from nemo.rules import Rules
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.law.addresses import AddressWords, address_at, addresses, after_name
from nemo.text.words.english import HAN, IN_YEAR, English, Reading
from nemo.text.words.homophones import Homophones
from nemo.text.words.normalise import normalise, title_key
from nemo.text.words.tokenise import cut, terms
from nemo.types import Day, DayRange, Evidence, Expansion, Filters, Level, Mention, Origin, Query, Span

BETWEEN = re.compile(
    r"[\s》〉）)]*(?:[（(][^（）()]{1,20}[）)]|\d{4}年\d{1,2}月(?:\d{1,2}日)?时?|\d{4}年(?:的?时候?|当时|那时候?|那会儿?|[底末初])|\d{4}年?的?(?:版本?|修[订正]版?本?)?|20\d\d|[新旧老]版本?|修[订正]之?[前后])?(?:里面|里边|当中|[的里中之对及])?的?[\s，,:]*"
)
"""What may stand between a regulation's name and the article it is asked for."""

AFTER_BARE = re.compile(r" ?(?:$|[,。?、:;的和及与(]|是|怎么|如何|规定|说|讲|写|有|全文|原文|内容|什么)")
"""What follows a number without 第 that is set off from the name (演示法的 25 条怎么说)."""
BEFORE_NAME = re.compile(
    r"[ ,、:(\"“《]*(?:of ?(?:the ?)?)?(?:的?(?:规定|内容|原文|全文|条文))?(?:是|在|属于|出自|见)?[ ,、:(\"“《]*"
)

MADE = re.compile(
    r"(?:(?:应该?|要|是)?(?:由|归)?(?:谁|哪[一个级些]*(?:部门|单位|机关|政府)?|什么(?:部门|单位|机关))(?:负责)?(?:来|去)?(?:制定|制订|编制?|起草|出台?|定|批)"
    r"|(?<=方案|预案|规划|计划)(?:的)?(?:审批|报批|编制|批准|审核|怎么批))"
)
"""Behind a name: who makes what is so called, and how one is approved; it names no text."""
TOGETHER = re.compile(r" ?(?:、|,|和|与|及|跟|以及|还有){0,2} ?")
"""Between names of which the last alone has the number asked for in each (甲法、乙法第一条)."""

AS_ENGLISH = "按英文理解为"
"""Opens what is told of a question that was asked in English."""

LACKS = re.compile(
    r"(?:没有?(?:办理?|拿到?|领到?|取得|申请到?|考到?)?|未(?:办理?|领取?|拿到?)|无)(?P<what>[\u4e00-\u9fa5]{0,10}?(?:许可证|资质证书|资格证书?|执照|登记证|许可(?!管理|事项|条件))|[^\W去改换办领补发续带持看交拿]{2}(?<![认验论保公凭查取举签印听旁佐考见])证(?![据明书件照券人实]))"
)
"""Lay words for being without a permit; the law says 未取得."""

RENEWED = re.compile(
    r"(?P<what>许可证|证书|执照|[\u4e00-\u9fa5]证)(?:要|得|应该|需要|一般)?(?:(?:多久|多长时间|几年|多少年)(?:要|得|就要|需要)?(?:更?换|重新?办|续)(?:领|发|证|一?[次回])*|几年一[换续办])"
)
"""Lay words for how long a permit is valid (多久换一次); the law says 有效期."""

OUTCOME = re.compile(
    r"(?P<term>(?:几|多少)个?(?:工作日|自然日|天|日)|多久|多长时间)(?P<in>之?内|以内)?(?:才?能|就能?|会|可以|给)?[出有]结果"
)
"""Lay words for the term of a decision (几天出结果); the law says 作出决定."""

PLACED = r"(?:^|[，。；、？]|请问)在?(?P<place>{}市?)(?![港站厂线局湾河江湖岛区县])"
"""A city where a rule is asked for; 秦皇岛港 or 南沙区 is a thing of its own, 我们公司在阳江的项目 a fact of that city."""

ABBREVIATED = re.compile(
    r"(?<![A-Za-z])(?:art(?:icle)?s?(?![A-Za-z])\.?|§{1,2}) ?(?P<n>\d{1,4})(?: ?\((?P<sub>\d{1,2})\))?", re.IGNORECASE
)
"""An article as footnotes write it beside a Chinese name: 水法 art. 48(2), §48."""

GREETING = re.compile(
    r"^(?:(?:[您你]好|在[吗么]|哈[喽啰]|请问(?:一?下)?|打扰(?:一?下)?了?|不好意思|麻烦[您你]?问?一?下|是这样[的子]?|就是吧|我?问个事儿?"
    r"|我们?(?:就|是)?[想要]来?(?:咨询|问问?|请教|打听|了解|知道)(?:一?[下个])?(?:事情?|问题)?"
    r"|(?:领导|老板|客户|同事)[让叫要]我来?[问查](?:一?下)?"
    r"|喂|(?:那个|就是说?|老师|师傅|同志)(?=[啊呀哈呢 ,，、。!！~]|麻烦|请|[您你]好|我|那个))[啊呀哈呢吧 ,，、。!！~]{0,6}){1,6}"
)
THANKS = re.compile(r"(?:来着|谢谢[您你了啦]{0,2}|在线等|(?<=[ ,，。!！?？])急{1,3}|拜托了?|麻烦了)[啊呀啦哈]?$")
CLOSES = " ,，。!！?？~"
"""What people say around a question on the telephone (客套话); a question that is nothing else stays as it is."""
LEAST_LEFT = 4
USUAL_ASKING = {"有没有效": "是否有效", "啥": "什么", "咋": "怎么", "多会儿": "什么时候", "几时": "什么时候"}
DIALECT = re.compile("|".join(f"{said}(?![力果])" for said in USUAL_ASKING))

STATUS_ASKED = re.compile(
    r"^\W*(?:is|are|was|were|has|have|when|by what|what)\b.{0,200}\b(?:in force|in effect|still valid|repealed|abolished|replaced|superseded)\W*$",
    re.IGNORECASE,
)
"""An English question about a text itself, like one for an article: without its name there is nothing to say, whatever provision comes near."""

UNITS = {"kv": "千伏", "mw": "兆瓦", "kw": "千瓦", "kwh": "千瓦时", "mwh": "兆瓦时"}
UNIT = re.compile(rf"(?<![\d.a-zA-Z])(\d{{1,6}}(?:\.\d{{1,4}})?)\s?({'|'.join(UNITS)})(?![a-zA-Z])", re.IGNORECASE)
"""An amount in a unit that the law writes in Chinese."""
ISSUED = re.compile(
    r"(?:印发|发布|公布)[《〈]?([^《》〈〉、]{6,60}?(?:办法|条例|规定|细则|规则|方案|意见|指引|指南)(?:[（(][^（）()]{2,8}[）)])?)[》〉]?的(?:通知|公告|通告)$"
)
"""A notice with the rule that it issues (关于印发某办法的通知)."""
TAG = re.compile(r"<[^<>]{1,200}>")
NO_NUMBER = re.compile("第 ?(?:(?:[-−－]|负)[0-9一二三四五六七八九十百]{1,5}|[A-Za-z]{1,12}) ?[条款]")
"""A number that no provision has."""
OPTIONS = frozenset("ABCDEFGH")
"""Letters of options (试题选项) without a question before them."""
SAID_OVER = re.compile(r"(.{1,6}?)\1{2,}")
"""Nothing but one word over and over, or one character."""
OTHER_SCRIPTS = re.compile(r"[\u0400-\u052f\u0590-\u074f\u0900-\u0eff\u1100-\u11ff\u3041-\u30fa\uac00-\ud7af]")
MOST_OTHER = 0.15
"""Letters of Russian, Arabic, Hindi, Thai, Japanese and Korean, and their share of a question from which it is asked in one."""
INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Control and direction characters: they hide words from a search and from the reader alike."""


class QuestionReader:
    """Turns a question into a ``Query`` with the rules and the names of one state of the library."""

    def __init__(
        self,
        rules: Rules,
        names: TitleFinder,
        numbers: Iterable[tuple[str, str]] = (),
        homophones: Homophones | None = None,
    ) -> None:
        """Keep what reading needs.

        ``numbers`` are pairs (regulation id, document number) of what is held, newest first; without ``homophones``
        words written by their sound stay as typed.
        """
        self.rules = rules
        self.names = names
        self.homophones = homophones
        self.english = English(rules.glossary, [city for p in rules.provinces for city in p.cities])
        self.numbers = NumberFinder(rules, numbers)
        self._synonyms = [(group, {term[0] for term in (*group.terms, *group.short)}) for group in rules.synonyms]

    def read(self, question: str, filters: Filters, today: Day, max_chars: int) -> Query:
        """Analyse one question.

        Raises:
            BadRequestError: the question is empty or too long, or English of which too little is understood.
        """
        typed = INVISIBLE.sub("", TAG.sub(" ", question))
        clean = normalise(typed).text.strip()
        if len(question) > max_chars:
            raise BadRequestError(
                f"问题过长（{len(question)} 字符，上限 {max_chars}）。", ("请只保留要问的一两句话后重试。",)
            )
        named = any(name.ids for name in self.names.find(clean))
        if (error := misnumbered(clean) if named else unreadable(clean)) is not None:
            raise error
        if HAN.search(clean):
            clean = ABBREVIATED.sub(lambda m: f"第{m['n']}条" + (f"第{m['sub']}款" if m["sub"] else ""), clean)
        said = self.rules.places_in(clean)
        clean, heard = self._heard(clean, typed)
        clean = plain(clean)
        filters, period, read = self._filters(clean, filters, today)
        mentioned = list(self._mentions(clean, typed))
        return Query(
            text=clean,
            filters=filters,
            original=question,
            terms=tuple(dict.fromkeys(terms(clean))),
            synonyms=self._expand(clean),
            intents=self._intents(clean),
            mentions=tuple(m for m, sure in mentioned if sure),
            read=(*heard, *read, *(Evidence("name", m.words, Origin.DERIVED) for m, sure in mentioned if not sure)),
            period=period,
            english=any(e.words.startswith(AS_ENGLISH) for e in heard),
            cities=tuple(city for city, _ in said if city not in clean),
        )

    def in_chinese(self, text: str) -> str:
        """Return an English question that leans on the one before it in Chinese, any other as it is: it need name no subject."""
        meant = self.english.read(IN_YEAR.sub("as of ", text))
        return meant.said if meant is not None and meant.said and not meant.decisive else text

    def _heard(self, text: str, typed: str) -> tuple[str, list[Evidence]]:
        """Return the question in Chinese, with words written by their sound put right, and what was changed.

        ``typed`` has the blanks between its words and figures still, which English needs.
        """
        meant = self.english.read(typed)
        of_a_text = meant is not None and (STATUS_ASKED.search(typed) or re.search(r"第\d+条", meant.said))
        if meant is not None and of_a_text and not self.names.find(meant.said):
            raise BadRequestError(
                "没有读出英文提问中所问的是哪一部法规，不作答复。",
                (f"已读懂：{meant.said or '无'}。", "请写出法规的中文名称（Please give the title in Chinese）。"),
            )
        if meant is not None and meant.enough:
            left = f"（未识别：{'、'.join(meant.unknown)}）" if meant.unknown else ""
            unread = [Evidence("unread", word, Origin.DERIVED) for word in meant.subjects]
            return meant.said, [Evidence("question", f"{AS_ENGLISH}“{meant.said}”{left}", Origin.DERIVED), *unread]
        if self.homophones is not None and (said := self.homophones.from_pinyin(text)):
            return said, [Evidence("question", f"按拼音理解为“{said}”", Origin.DERIVED)]
        if meant is not None:
            raise not_understood(meant)
        text, changes = self._mended(text)
        text, placed = self._placed(text)
        changes += placed
        added = [*((m.group(), f"{m[1]}{UNITS[m[2].lower()]}") for m in UNIT.finditer(text)), *self.english.added(text)]
        for typed, chinese in added if HAN.search(text) else ():
            text = f"{text} {chinese}"
            changes.append(Evidence("question", f"“{typed}”按“{chinese}”理解", Origin.DERIVED))
        return text, changes

    def _mended(self, text: str) -> tuple[str, list[Evidence]]:
        changes = []
        if (lacks := LACKS.search(text)) and not text[: lacks.start()].endswith(("有", "是否", "规定")):
            said = f"未取得{lacks['what']}"
            text = f"{text[: lacks.start()]}{said}{text[lacks.end() :]}"
            changes.append(Evidence("question", f"“{lacks.group()}”按“{said}”理解", Origin.DERIVED))
        if renewed := RENEWED.search(text):
            said = f"{renewed['what']}有效期多久"
            text = f"{text[: renewed.start()]}{said}{text[renewed.end() :]}"
            changes.append(Evidence("question", f"“{renewed.group()}”按“{said}”理解", Origin.DERIVED))
        if (outcome := OUTCOME.search(text)) and "作出" not in text:
            said = f"{outcome['term']}{outcome['in'] or ''}作出决定"
            text = f"{text[: outcome.start()]}{said}{text[outcome.end() :]}"
            changes.append(Evidence("question", f"“{outcome.group()}”按“{said}”理解", Origin.DERIVED))
        slips = self.homophones.mend(text) if self.homophones else []
        # 固废法 is a name, no slip for another word
        named = [name.title for name in self.names.find(text) if name.ids] if slips else []
        for typed, meant in slips:
            if any(typed in title for title in named):
                continue
            if re.search(
                rf"[哪几何每上下前后]{re.escape(typed)}", text
            ):  # 哪天起, 前一版: its first character belongs to what asks
                continue
            text = text.replace(typed, meant)
            changes.append(Evidence("question", f"“{typed}”按“{meant}”理解", Origin.DERIVED))
        return text, changes

    def _placed(self, text: str) -> tuple[str, list[Evidence]]:
        """Read a city of which no text is held as its province, whose rules bind there; a name of a text stays whole."""
        changes = []
        places = self.rules.places_in(text)
        spans = [name.span for name in self.names.find(text)] if places else []
        for city, code in places:
            province, stands = self.rules.province(code), re.search(PLACED.format(re.escape(city)), text)
            if stands is None or city not in province.cities or self.names.bears(city):
                continue
            typed = stands["place"]
            if any(span.start < stands.end() and stands.start("place") < span.end for span in spans):
                continue
            text = f"{text[: stands.start('place')]}{province.name}{text[stands.end('place') :]}"
            said = f"没有收录“{typed}”自己的规定，按“{province.name}”检索"
            changes.append(Evidence("question", said, Origin.DERIVED))
        return text, changes

    def _filters(self, text: str, filters: Filters, today: Day) -> tuple[Filters, DayRange | None, list[Evidence]]:
        """Fill the filters from words of the question; what it names wins over what is chosen, and that is said."""
        read = []
        chosen, code = filters.province, self.rules.province_in(text)
        if code is not None and code != chosen:
            filters = replace(filters, province=code)
            read.append(Evidence("province", self.rules.province(code).name, Origin.TEXT))
            if chosen not in (None, "cn"):
                names = self.rules.province(chosen).name, self.rules.province(code).name
                said = f"所选省份是{names[0]}，问题写的是{names[1]}：按问题中的{names[1]}检索。"
                read.append(Evidence("conflict", said, Origin.DERIVED))
        filters, period, evidence = self._day(text, filters, today)
        filters, more = self._asset(text, filters)
        return filters, period, [*read, *evidence, *more]

    def _day(self, text: str, filters: Filters, today: Day) -> tuple[Filters, DayRange | None, list[Evidence]]:
        """Take the day from the words; it wins over a chosen one outside it, and that is said."""
        asked, chosen = day_in(text, today), filters.day
        if asked is None:
            year = bare_year(text, today)
            year = "" if chosen is not None and year == f"{chosen.year}年" else year
            said = f"问题中的“{year}”没有当作适用日期，按 {today} 的规定作答；要查当时的规定，请写“{year}时”或选择适用日期。"
            return filters, None, [Evidence("year", said, Origin.DERIVED)] if year else []
        if chosen is not None and (asked.range.holds(chosen) or not asked.sure):
            return filters, None, []
        evidence = [Evidence("day", asked.words, Origin.TEXT)]
        if chosen is not None:
            said = f"所选适用日期是 {chosen}，问题写的是{asked.words}：按 {asked.day} 判断时效。"
            evidence.append(Evidence("conflict", said, Origin.DERIVED))
        period = asked.range if asked.range.first < asked.range.last else None
        return replace(filters, day=asked.day), period, evidence

    def _asset(self, text: str, filters: Filters) -> tuple[Filters, list[Evidence]]:
        """Let the kind of plant that the words name win over another one that is chosen, and say so."""
        if filters.asset is None:
            return filters, []
        named = [
            a
            for a in self.rules.assets
            if any(w in text and re.search(f"(?<![比像]){re.escape(w)}", text) for w in a.strong)
        ]
        if not named or any(a.code == filters.asset for a in named):
            return filters, []
        chosen = next(a.name for a in self.rules.assets if a.code == filters.asset)
        words = "、".join(a.name for a in named)
        said = f"所选能源类型是{chosen}，问题写的是{words}：按问题中的{words}检索。"
        asset = named[0].code if len(named) == 1 else None
        return replace(filters, asset=asset), [Evidence("conflict", said, Origin.DERIVED)]

    def _mentions(self, text: str, typed: str) -> Iterable[tuple[Mention, bool]]:
        """Return what a question names, and whether it surely does: what is not held may be no name where it is typed as
        several words (节水 管理办法) or is still to be made (监控办法由谁来定).
        """
        names, parts = self.names.find(text), [normalise(part).text for part in typed.split()]
        found: list[tuple[TitleMention, AddressWords | None]] = []
        for name in names:
            asked = _asked_after(text, name.span.end)
            told = name.certain and re.match(CUE, text[name.span.end :])  # 刑法里…, 宪法规定…
            unsure = not name.certain or (len(name.title) == TWO and not told)
            if unsure and not name.ids and asked is None and len(name.title) < 8:
                continue
            found.append((name, asked))
        for at in range(len(found) - 2, -1, -1):
            (name, asked), (behind, shared) = found[at], found[at + 1]
            if asked is None and TOGETHER.fullmatch(text, name.span.end, behind.span.start):
                found[at] = (name, shared)
        if len(found) == 1 and found[0][1] is None:
            found = [(found[0][0], _asked_before(text, found[0][0].span))]
        for name, asked in found:
            words = name.span.of(text)
            whole = len(parts) == 1 or words.startswith("《") or any(words in part for part in parts)
            sure = name.ids or asked is not None or (whole and MADE.match(text, name.span.end) is None)
            yield _mention(text, name, asked), bool(sure)
        for span, ids in self.numbers.find(text, [name.span for name in names if name.ids]):
            yield _numbered(text, span, ids), True
        yield from ((standard, True) for standard in self.numbers.standards(text))

    def _expand(self, text: str) -> tuple[Expansion, ...]:
        """Widen the question's words by synonym groups; confusable terms are never added."""
        out = []
        ends = frozenset(accumulate(map(len, cut(text))))
        signs = set(text)
        for group, heads in self._synonyms:
            if heads.isdisjoint(signs):
                continue
            said = (t for t in (*group.terms, *group.short) if t in text and _whole(t, text, ends))
            term = max(said, key=len, default=None)
            if term is not None:
                added = tuple(t for t in group.terms if t not in text)
                if added:
                    out.append(Expansion(term, added, group.id))
        return tuple(out)

    def _intents(self, text: str) -> tuple[str, ...]:
        """Score every intent (3 for a strong word, 1 for a trigger) and keep the best three with 2 points or more."""
        scored = []
        for intent in self.rules.intents:
            score = 3 * sum(w in text for w in intent.strong) + sum(w in text for w in intent.trigger)
            if score >= 2:
                scored.append((score, intent.code))
        return tuple(code for _, code in sorted(scored, key=lambda s: -s[0])[:3])


def _whole(term: str, text: str, ends: frozenset[int]) -> bool:
    """Tell whether a term stands somewhere in a text with one edge between its words: 水保 of 防水保修 is none."""
    at = text.find(term)
    while at >= 0:
        if not at or at in ends or at + len(term) in ends:
            return True
        at = text.find(term, at + len(term))
    return False


def unreadable(text: str) -> BadRequestError | None:
    """Return why a question cannot be read: marks, figures or one character only, or another script; None when it can."""
    if (error := misnumbered(text)) is not None:
        return error
    letters = re.findall(r"[^\W\d_]", text)
    if len(letters) < 2 or set(letters) <= OPTIONS or SAID_OVER.fullmatch("".join(letters)):
        return BadRequestError(
            "问题为空或没有可以检索的文字。", ("请用一句话写出要查的事项，例如：并网验收需要哪些材料？",)
        )
    if len(OTHER_SCRIPTS.findall(text)) > MOST_OTHER * len(letters):
        return BadRequestError("只能用中文或英文提问。", ("请用中文写出要查的事项。Please ask in Chinese or English.",))
    return None


def misnumbered(text: str) -> BadRequestError | None:
    """Return why a provision cannot be meant: no text numbers one 第-1条 or 第x条; None where nothing is written so."""
    wrong = NO_NUMBER.search(text)
    if wrong is None:
        return None
    return BadRequestError(f"“{wrong[0]}”不是条款的编号。", ("请写明条号，例如：第二十五条、第25条第2款。",))


def plain(text: str) -> str:
    """Return a question without the courtesies around it (喂你好，我想咨询一下，…，谢谢), its dialect words (啥, 咋) as usual."""
    asked = DIALECT.sub(lambda said: USUAL_ASKING[said[0]], GREETING.sub("", text))
    left = THANKS.sub("", asked.rstrip(CLOSES))
    left = asked if left == asked.rstrip(CLOSES) else left.rstrip(CLOSES)
    return left if len(left) >= LEAST_LEFT else text


def not_understood(meant: Reading) -> BadRequestError:
    """Return the error that says which words of an English question were understood and which were not."""
    known = "；".join(f"{english} → {chinese}" if chinese else english for english, chinese in meant.known) or "无"
    unknown = "、".join(meant.subjects)
    what = f"没有读懂英文提问中的“{unknown}”" if unknown else "英文提问中没有读出要查的事项"
    tips = [f"已读懂：{known}。", "请改用法规用语，或用中文提问。"]
    if unknown:
        tips.append(
            f"Not understood: {', '.join(meant.subjects)}. Please use terms of Chinese energy law, or ask in Chinese."
        )
    return BadRequestError(f"{what}，不作答复。", tuple(tips))


def _asked_after(text: str, end: int) -> AddressWords | None:
    """Return the provisions asked for behind a name; a number without 第 must follow at once, or end the phrase."""
    place = BETWEEN.match(text, end).end()  # type: ignore[union-attr]
    asked = address_at(text, place) or after_name(text, place)
    if asked is None or asked.marked or place == end or AFTER_BARE.match(text, asked.end):
        return asked
    return None


def _asked_before(text: str, name: Span) -> AddressWords | None:
    """Return the provisions asked for in front of the only name of a question (第十四条，演示法)."""
    found = [a for a in addresses(text[: name.start]) if BEFORE_NAME.fullmatch(text, a.end, name.start)]
    return found[-1] if found else None


def _numbered(text: str, number: Span, ids: tuple[str, ...]) -> Mention:
    """Return the text of a number with the provisions asked for behind it (国务院令第302号第二条)."""
    asked = _asked_after(text, number.end)
    if asked is not None and not any(s.level in (Level.ARTICLE, Level.OUTLINE) for s in asked.asked[0].first.steps):
        asked = None  # its annex is a text of its own
    name = TitleMention(number, "", ids, certain=True)
    return replace(_mention(text, name, asked), title=None, document_number=number.of(text))


def _mention(text: str, name: TitleMention, asked: AddressWords | None) -> Mention:
    if asked is None:
        return Mention(name.span.of(text), title=name.title, regulation_ids=name.ids)
    steps = {step.level: step for step in reversed(asked.asked[0].first.steps) if step.number > 0}
    article, paragraph = (steps.get(level) for level in (Level.ARTICLE, Level.PARAGRAPH))
    label = (
        f"{article.number}.{article.insertion}" if article and article.insertion else article and str(article.number)
    )
    return Mention(
        text[min(name.span.start, asked.start) : max(name.span.end, asked.end)],
        title=name.title,
        article=label or None,
        paragraph=paragraph.number if paragraph and label else None,
        asked=asked.asked,
        regulation_ids=name.ids,
    )


def issued(title: str) -> tuple[str, ...]:
    """Return the name of the rule that a notice issues, by which people ask for it; empty for any other title."""
    found = ISSUED.search(title)
    return (found[1],) if found else ()


MOST_CHANGED = 0.25
"""Where more than this share of the texts is another one, the look-ups are built anew."""


class HeldQuestionReader(QuestionReader):
    """Reads questions for the texts of one state of a library."""

    def __init__(self, rules: Rules, homophones: Homophones, names: TitleFinder, rows: Sequence[RegulationRow]) -> None:
        """Args: the rule data; what reads pinyin; names of the texts; their rows, newest first."""
        super().__init__(rules, names, ((r.id, n) for r in rows for n in numbers_of(r)), homophones)
        self._sounds = homophones
        self.rows = {row.id: row for row in rows}

    @classmethod
    def of(cls, held: Sequence[RegulationRow], rules: Rules, homophones: Homophones) -> HeldQuestionReader:
        """Build it."""
        rows = sorted(held, key=_place, reverse=True)
        known = [name for a in rules.aliases for name in (a.title, *a.aliases)]
        full = {short: a.title for a in rules.aliases for short in a.aliases}
        places = [word for p in rules.provinces if p.code != "cn" for word in (*p.full, p.name)]
        called = _called(rules)
        names = TitleFinder([(r.id, called(r)) for r in rows], [*known, *(k.title for k in rules.known)], full, places)
        return cls(rules, homophones, names, rows)

    def following(self, held: Sequence[RegulationRow]) -> HeldQuestionReader:
        """Return the reader for another state of the library: only what came or went is looked at."""
        now, called = {row.id: row for row in held}, _called(self.rules)
        gone = {i: called(row) for i, row in self.rows.items() if now.get(i) is not row}
        new = {i: called(row) for i, row in now.items() if self.rows.get(i) is not row}
        if len(gone) + len(new) > MOST_CHANGED * len(now):
            return self.of(held, self.rules, self._sounds)
        made = copy.copy(self)
        made.names = self.names.changed(gone, new, lambda i: _place(now[i]))
        made.rows = {row.id: row for row in sorted(held, key=_place, reverse=True)}
        made.numbers = self.numbers.following(
            (i, None if i in self.rows and i not in new else numbers_of(row)) for i, row in made.rows.items()
        )
        return made


def _place(row: RegulationRow) -> tuple[dt.date, int, str]:
    """Return what texts are ordered by, newest last; of one text from two files the one with pages: not the first stored."""
    return row.version_date or dt.date.min, row.pages, row.id


def _called(rules: Rules) -> Callable[[RegulationRow], list[str]]:
    """Return what tells how a text is called: its title first."""
    aliases = {title_key(a.title): a.aliases for a in rules.aliases}
    return lambda row: [row.title, row.short_title, *issued(row.title), *aliases.get(title_key(row.title), ())]


def reader_of(
    held: Sequence[RegulationRow], rules: Rules, homophones: Homophones, last: HeldQuestionReader | None = None
) -> HeldQuestionReader:
    """Return the question reader for a library that holds these texts; ``last`` was made for another state of it."""
    return last.following(held) if last else HeldQuestionReader.of(held, rules, homophones)
