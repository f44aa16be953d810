"""Which of the provisions that rule one matter comes first (适用顺序).

The ranker tells how well words answer; what it cannot see is how the texts stand to each other. A penalty is asked for
and another provision of the list sets it; a text confined to a field of its own (危险化学品, 公共机构) is no answer
where the field is not asked about and a general one is held; a law precedes the rule that carries it out (立法法
第九十九条), unless only the rule states the value that is asked for. Thresholds were set on the development questions
and on questions of other regulations (docs/experiments.md, whose rule comes first).
"""

import functools
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from nemo.answer.decision import Decision
from nemo.answer.judgement import surroundings
from nemo.answer.question import rewriting
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.store.catalogue.rows import RegulationRow
from nemo.store.search.facets import NATIONAL
from nemo.store.search.number_sets import distinct
from nemo.text.words import ranges
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import parse_number
from nemo.types import Hit, Query

HAN = re.compile(r"[^\u4e00-\u9fa5]")
ASKS_PENALTY = re.compile(
    r"(?:怎么|怎样|如何|咋|会|要|该|得|被|能)(?:被|受|挨|处|再)?(?:行政)?(?:处)?罚|罚(?:多少|几|款多少|款几|不罚|吗|什么|得)"
    r"|法律责任|什么后果|会怎样|(?:怎么|怎样|如何|咋)(?:处理|处置|惩处|收拾)|罚款(?:标准|幅度|金额|数额)|(?:什么|哪些)处罚|(?:处罚|罚款|罚则)\W*$"
)
"""Asks what follows from breaking a rule."""
SETS_PENALTY = re.compile(
    r"罚款|拘留|处[^。，；]{0,12}元|没收|吊销|警告|不[再予](?:给予)?(?:行政)?处罚|(?:依照|按照|依据)[^。]{2,40}(?:处罚|追究)|责令[^。]{0,60}(?:拆除|停止|关闭|恢复)"
)
GENERAL = re.compile(
    "中华人民共和国|管理|条例|办法|规定|实施|细则|保护|监督|安全生产|安全|防治|促进|若干|处理|暂行|污染|关于|技术|检查|服务|国务院|使用|问题|解释"
    "|报告|调查|应急|处置|应对|预防|生产|保障|维护|审理|适用|法律|案件|纠纷|办理|应用|具体|追究"
)
"""Words of titles that confine a text to no field."""
RARITY = 0.2
"""How much the odds of a hit fall with the rarity of a field its title names and the question does not."""
PENALTY_LEAST = 0.3
"""A penalty comes first from this share of the best score."""
SAME_MATTER, LAW_LEAST = 0.58, 0.37
"""A law comes before a rule below it where this share of the shorter text's character triples is common, so that the two
say the same, and this share times that of the best score is enough. A rule that says it otherwise says what the law leaves open."""
OLDER_RULE, OLDER_LEAST = 0.36, 0.2
"""The same of a law that is newer than the rule that carries it out by name: the rule says what the law said before."""
ASKS_WHICH = re.compile("(?:有|是)?哪(?:些|几[个类种项])(?:是)?|什么样的|(?:什么|何种)(?:情况|情形|条件)(?:下|的)?")
ASKS_WHO_DECIDES = re.compile(
    "(?:[由向报归找]|是)?(?:谁|哪一?[级个]?(?:部门|机关|单位|政府))来?(?P<act>审批|批准|核准|核发|颁发|审核|[批发](?!布|现|生|改|展))"
)
DECIDES = "(?:人民政府|国务院|主管部门|管理机构|管理部门|委员会)(?:负责)?{act}"
"""Asks who decides on an application, and says it by the name of a body."""
DECIDED_BY_ITSELF = re.compile("(?:审批|批准|核准|发证|颁发|登记|审核)(?:管理)?(?:机关|部门|机构)")
"""Names who decides by the deciding alone (经审批机关批准)."""
ACT_WORDS = range(2, 5)
"""How many words an act is known by: 申请 alone is that of many, and no provision says more in a row."""
SAID = {
    "need not": (re.compile("可以不|不(?:用|需要|需|必)(?:办理?|申请|领|做|要)?|无需|免(?:于|办)"), re.compile("不需要?|无需|可以不|免于?|不实行")),
    "may not": (re.compile("不能|不得|不可以?|禁止|不准|不行"), re.compile("不得|禁止|不予")),
    "must": (re.compile("必须|应当?|需要?|一定要|要做"), re.compile("必须|应当|须|需要")),
    "may": (re.compile("可以|能"), re.compile("可以")),
}  # fmt: skip
"""What is said of listed things, in a question and in a lead-in; the first that fits counts."""
LEAD = re.compile("[^。;]{0,60}下列(?P<said>[^。;:]{0,60}):")
"""The words before a list; what is said of the listed things stands behind 下列 (not 报告应当包括下列内容)."""
NO_MATTER = re.compile("工程|项目|情况|情形|事项|活动|单位|企业|行为|时候|进行|的|做|的话|我们|办|有")
"""Words for what is listed: the list itself says which."""
RANGE_LEAST, SAME_RANGE = 0.2, 0.3
ASKS_GRADE = re.compile(
    "(?:[几哪]|什么)一?个?等?级(?!的?(?:政府|人民|部门|单位|机关|主管|行政|发改|能源|调度))(?:别|的)?|(?:算|属于?|是|构成)(?:什么|哪[种类])[^，。？]{0,8}(?:事故|事件|灾害)|[特大中小]型还是"
)
GRADES = 3
"""Asks to which grade something of an amount belongs (死亡5人算什么事故), and from so many ranges on a provision tells grades apart."""
RESTS_ON = re.compile(r"(?:依照|按照|根据)《(?P<title>[^《》]{2,30})》第(?P<article>[一二三四五六七八九十百]{1,7})条")
"""A provision that rules by an article of a law."""
SAME_REFERENCE = 0.5


def ordered(decision: Decision, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits as they are to be quoted; scores stay in falling order, those of the old order."""
    if not hits or decision.named.hits or hits[0].chunk.regulation_id in decision.leans_on:
        return list(hits)  # what is named, or stays with the text before, is not put behind another
    scores = [hit.score for hit in hits]
    order = _by_field(decision, list(hits))
    for rule in (_penalty_first, _in_range_first, _referred_first, _law_first):
        order = rule(decision, order)
    return [replace(hit, score=score) for hit, score in zip(order, sorted(scores, reverse=True), strict=True)]


def listing_first(decision: Decision, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, the one first that lists what is asked for (哪几类工程必须评价: 下列建设工程必须进行…评价：).

    Its lead-in has to say the same of the same thing; what only mentions the duty lists nothing. In the same way comes
    first who decides, and what sets the time for the very act that is asked about.
    """
    if not hits or decision.leans_on or decision.parts.stages:
        return list(hits)
    answers = _decides(decision.query, hits[0]) or _times(decision, hits) or _lists(decision.query)
    if answers is None or answers(hits[0]):
        return list(hits)
    first = _first(list(hits), answers)
    return [replace(hit, score=old.score, scores=old.scores) for hit, old in zip(first, hits, strict=True)]


def _decides(query: Query, best: Hit) -> Callable[[Hit], bool] | None:
    """Return what tells of a hit that it names who decides (由某部门审批), None where something else is asked.

    By whom 经审批机关批准 is decided another provision of its text says.
    """
    asked = ASKS_WHO_DECIDES.search(query.text)
    if asked is None or not DECIDED_BY_ITSELF.search(best.chunk.text):
        return None
    things, says = _things(query, ASKS_WHO_DECIDES), re.compile(DECIDES.format(act=asked["act"]))

    def decides(hit: Hit) -> bool:
        text = fold(hit.chunk.text)
        said = all(any(word in text for word in words) for words in things)
        return said and hit.chunk.regulation_id == best.chunk.regulation_id and bool(says.search(text))

    return decides if things else None


def _times(decision: Decision, hits: Sequence[Hit]) -> Callable[[Hit], bool] | None:
    """Return what tells of a hit that it sets the time for the act that is asked about (几天内可以申请复议), None where none is.

    The best may set that of another act (十五日内提起诉讼); another provision of its text is looked for, however it ranks.
    Where none says the whole act, a word of it that the title says may be left out (事故报告条例：一小时内…报告).
    """
    unit, act = quantities.act_within(fold(decision.query.text))
    if len(act) not in ACT_WORDS:
        return None
    own, title = hits[0].chunk.regulation_id, _title(decision, hits[0])

    def times(hit: Hit, act: Sequence[str]) -> bool:
        there = hit.chunk.regulation_id == own
        return there and quantities.done_within(surroundings.tight(fold(hit.chunk.text)), unit, act)

    shorter = [tuple(other for other in act if other is not word) for word in act if word in title]
    said = next((each for each in (act, *shorter) if any(times(hit, each) for hit in hits)), None)
    return functools.partial(times, act=said) if said else None


def _lists(query: Query) -> Callable[[Hit], bool] | None:
    """Return what tells of a hit that it lists what is asked for, None where no list is asked for."""
    wanted = next((code for code, words in SAID.items() if words[0].search(query.text)), None)
    if not ASKS_WHICH.search(query.text) or wanted is None:
        return None
    things = _things(query, ASKS_WHICH)

    def lists(hit: Hit) -> bool:
        lead = LEAD.search(fold(hit.chunk.text))
        if lead is None or next((c for c, words in SAID.items() if words[1].search(lead["said"])), None) != wanted:
            return False
        return bool(things) and all(any(word in lead[0] for word in words) for words in things)

    return lists


def _things(query: Query, asking: re.Pattern[str]) -> list[list[str]]:
    """Return the words of a question beside what asks and what it says of them, each with its synonyms, folded."""
    rest = fold(rewriting.matter(query))
    for words in (asking, *(asks for asks, _ in SAID.values())):
        rest = words.sub(" ", rest)
    out = []
    for each in query.synonyms:
        if fold(each.term) in rest:
            out.append([fold(word) for word in (each.term, *each.added)])
            rest = rest.replace(fold(each.term), " ")
    return out + [[word] for word in words_of(rest) if len(word) > 1 and not NO_MATTER.fullmatch(word)]


def _by_field(decision: Decision, hits: list[Hit]) -> list[Hit]:
    """Put texts of a field that is not asked about behind those of the same chance without it.

    The best gives way only to a text of higher force, or to one that says the same: among texts of one force the special
    one applies (立法法第一百零三条), and the nation's stands before that of a place.
    """
    held = {hit.chunk.regulation_id: hit for hit in hits}
    rare = {regulation: _rarity(decision, hit) for regulation, hit in held.items()}
    order = sorted(hits, key=lambda h: -h.score * math.exp(-RARITY * rare[h.chunk.regulation_id]))
    best, first = hits[0], order[0]
    own, other = _force(decision, best), _force(decision, first)
    gives_way = own is None or (other is not None and other < own)
    return order if gives_way or alike(best.chunk.text, first.chunk.text) >= SAME_MATTER else hits


class TitleWordCounts:
    """The titles of one state of the library, and in how many of them a word stands."""

    def __init__(self, rows: Sequence[RegulationRow]) -> None:
        self.titles = [HAN.sub("", row.title) for row in rows]
        self._counts: dict[str, int] = {}

    def holding(self, word: str) -> int:
        """Return how many titles hold a word."""
        if word not in self._counts:
            self._counts[word] = sum(word in title for title in self.titles)
        return self._counts[word]


@lru_cache(4096)
def _matter_words(title: str, places: re.Pattern[str]) -> tuple[str, ...]:
    """Return the words of a title that say what a text is on, without places."""
    return words_of(GENERAL.sub(" ", fold(places.sub("", HAN.sub("", title)))))


def _rarity(decision: Decision, hit: Hit) -> float:
    """Return how rare among the held titles the rarest word is that a hit's title has and the question has not."""
    titles = decision.parts.library.view.once(TitleWordCounts)
    own = _matter_words(_title(decision, hit), decision.parts.rules.place_names)
    asked = decision.query.text + "".join(word for found in decision.query.synonyms for word in found.added)
    unasked = [word for word in own if word[:2] not in asked]
    count = len(titles.titles)
    return max((math.log(count / (1 + titles.holding(word))) for word in unasked), default=0.0)


def _title(decision: Decision, hit: Hit) -> str:
    return decision.parts.library.row(hit.chunk.regulation_id).title


def _penalty_first(decision: Decision, hits: list[Hit]) -> list[Hit]:
    """Put the first provision that sets a penalty before those that only set the duty, when a penalty is asked for."""
    if not _asks_penalty(decision.query) or SETS_PENALTY.search(hits[0].chunk.text):
        return hits
    return _first(hits, lambda h: h.score >= PENALTY_LEAST * hits[0].score and bool(SETS_PENALTY.search(h.chunk.text)))


def _asks_penalty(query: Query) -> bool:
    return bool(ASKS_PENALTY.search(query.text)) or (query.english and "罚" in query.text)


def _in_range_first(decision: Decision, hits: list[Hit]) -> list[Hit]:
    """Put the first provision whose range (六十公顷以上不满一百公顷) holds the amount asked of before one of other ranges, or of none where its grade is asked."""
    asked, best = decision.query.text, hits[0]
    outside = ranges.outside(asked, best.chunk.text)
    graded = not outside and ASKS_GRADE.search(asked) and not ranges.inside(asked, best.chunk.text)
    if not (graded or outside):
        return hits

    def holds(hit: Hit) -> bool:
        text = hit.chunk.text
        same = len(ranges.ranges(text)) >= GRADES if graded else alike(best.chunk.text, text) >= SAME_RANGE
        return hit.score >= RANGE_LEAST * best.score and same and ranges.inside(asked, text)

    return _first(hits, holds)


def _referred_first(decision: Decision, hits: list[Hit]) -> list[Hit]:
    """Order two provisions of one text that say the same of two articles of a law by what these articles say (依照第八十一条处以罚款)."""
    best = hits[0]
    own = _referred(decision, best)
    if own is None:
        return hits

    def meant(hit: Hit) -> bool:
        same = hit.chunk.regulation_id == best.chunk.regulation_id and hit.score >= RANGE_LEAST * best.score
        other = _referred(decision, hit) if same and alike(best.chunk.text, hit.chunk.text) >= SAME_REFERENCE else None
        return other is not None and other > own

    return _first(hits, meant)


def _referred(decision: Decision, hit: Hit) -> float | None:
    """Return how like the question the first article of a law is that a provision rests on, None where it names none held."""
    found, parts = RESTS_ON.search(hit.chunk.text), decision.parts
    if found is None:
        return None
    for held in decision.reader.names.ids(title_key(found["title"])):
        regulation = parts.library.regulation(held)
        article = regulation.find(str(parse_number(found["article"])))
        if article is not None and parts.library.view.status(held, decision.day).may_answer:
            return max(parts.reranker.score_spans(decision.query, regulation, [article.span]))
    return None


def _law_first(decision: Decision, hits: list[Hit]) -> list[Hit]:
    """Put a national text of higher force before the national one that rules the same below it."""
    best = hits[0]
    own = _force(decision, best)
    if own is None:
        return hits
    wanted = quantities.asked(fold(decision.query.text)) > 0
    stated = quantities.stated(fold(best.chunk.text)) > 0

    def precedes(hit: Hit) -> bool:
        force = _force(decision, hit)
        if force is None or force >= own or (wanted & stated & ~(quantities.stated(fold(hit.chunk.text)) > 0)).any():
            return False
        older = _carried_out_before(decision, hit, best)
        same, least = (OLDER_RULE, OLDER_LEAST) if older else (SAME_MATTER, LAW_LEAST)
        likeness = alike(best.chunk.text, hit.chunk.text)
        return likeness >= same and hit.score * likeness >= least * best.score

    return _first(hits, precedes)


def _carried_out_before(decision: Decision, law: Hit, rule: Hit) -> bool:
    """Tell whether a rule carries out a law by name (实施条例) and is older than the law as it is now."""
    upper, lower = (decision.parts.library.row(hit.chunk.regulation_id) for hit in (law, rule))
    named = title_key(upper.title) in title_key(lower.title)
    now, made = upper.version_date, lower.version_date
    return named and now is not None and made is not None and made < now


def _force(decision: Decision, hit: Hit) -> int | None:
    """Return the rank of a national text's level of force, 1 the highest; None of a local or unranked one."""
    row = decision.parts.library.row(hit.chunk.regulation_id)
    ranks = [level.rank for level in decision.parts.rules.levels if level.name == row.level]
    return ranks[0] if ranks and row.province == NATIONAL else None


def _first(hits: list[Hit], wanted: Callable[[Hit], bool]) -> list[Hit]:
    at = next((n for n, hit in enumerate(hits) if n and wanted(hit)), 0)
    return [hits[at], *hits[:at], *hits[at + 1 :]]


@lru_cache(4096)
def _triples(text: str) -> np.ndarray:
    """Return the runs of three Han characters of a text, each as one number, rising: one text is held against many."""
    codes = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
    codes = codes[(codes >= ord("\u4e00")) & (codes <= ord("\u9fa5"))].astype(np.int64)
    return distinct(codes[:-2] << 32 | codes[1:-1] << 16 | codes[2:])


def likenesses(one: str, others: Sequence[str]) -> np.ndarray:
    """Return for each of the others the share of the shorter text's character triples that both have, 0 to 1."""
    wanted, parts = _triples(one), [_triples(other) for other in others]
    sizes = np.array([len(part) for part in parts], np.int64)
    common = np.zeros(len(parts), np.int64)
    if len(wanted) and parts:
        opens = np.zeros(1 << 16, bool)
        opens[wanted >> 32] = True  # most triples do not even begin with a character of those wanted
        held = np.concatenate(parts)
        near = np.flatnonzero(opens.take(held >> 32))
        known = wanted.take(np.searchsorted(wanted, held[near]), mode="clip") == held[near]
        owners = np.searchsorted(np.cumsum(sizes), near[known], "right")
        common = np.bincount(owners, minlength=len(parts))
    shares: np.ndarray = common / np.maximum(1, np.minimum(len(wanted), sizes))
    return shares


def alike(one: str, other: str) -> float:
    """Return the share of the shorter text's character triples that two texts have in common, 0 to 1."""
    return float(likenesses(one, [other])[0])
