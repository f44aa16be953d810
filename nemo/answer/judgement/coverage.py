"""Whether a provision names what a paper is asked of: the words before the asking word, the act behind it (所问之物).

A paper rules many matters of one field: a provision of it that never says 费用, 变压器 or 开工 states nothing of them, though
another provision does. A word is named by itself, by a short form (报价 of 电价申报), by a synonym, or by a word that the
ranker learned to be near in meaning (停机 and 停运); people ask in other words than papers use.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from nemo.answer.judgement.surroundings import EvidenceText, tight
from nemo.answer.question import rewriting
from nemo.rerank import quantities
from nemo.rerank.passages import STATUTES
from nemo.rerank.terms import fold, words_of
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.tokenise import bigrams, plain_words, tagged
from nemo.types import Query, Regulation

HAN = "[\u4e00-\u9fff]"
VALUE = (
    r"(?:多少|百分之几|(?<![的好这那])几(?!何|种|类|乎)|多久|多长|谁|哪(?:一?个|些|几个|一?家)?(?:部门|单位|机构|方|家|级)"
    r"|什么时候|何时|哪一?[年天月日](?!起)|多[高大远宽深])"
)
ASKING = re.compile(
    rf"(?:[是为有在到由被归按需应须要第给向共]{{0,3}}(?:不?(?:得|应|宜)?(?:超过|低于|少于|高于|大于|小于|达到?|足))?)(?:(?P<value>{VALUE})|(?:怎么|如何)(?=配置|确定|计算|收取|分担|规定|要求|[算收扣补])|(?<=[是为按])什么)"
)
"""The word that asks for a value, a day or an actor, or how something is ruled, with what leads to it."""
SAID_OTHERWISE = re.compile(
    r"[吗嘛呢吧]|(?P<said>[\u4e00-\u9fff])[不没](?P=said)|[能可会]否|是否|怎|如何|什么|[哪谁啥几多咋]|为何|算|[\s,，。；;、]"
)
END = re.compile(
    r"(?:(?<=[率费量值价金额数度力距例段期速])|(?<=补偿|补贴|奖励|门槛|指标|间隔))(?:要求|标准|规定|限值|上限|下限)?[?？]?$"
)
"""How else it is asked; a question that says nothing of the kind ends in the quantity that it asks (抽凝机组最小技术出力)."""
MATERIALS = re.compile(
    "(?:[都还需要应得须当]|提交|提供|报送|上报|递交|准备|带|附|交){0,4}(?:哪些|什么|哪几[样种份])(?:申[请报])?(?:材料|资料|文件)"
)
"""Asks for the papers of a matter: what stands before is what they are for (立体确权要提交哪些材料)."""
MATTER = 2
"""So many words name such a matter (立体确权); one alone is said in many ways."""
SEVERAL = re.compile("各|分别")
"""Asks for several values at once: each of its matters may stand in a provision of its own."""
CLOCK_ASKED = re.compile("几点(?!几|要求|规定|内容|意见|措施)|几时|钟点")
CLOCK = re.compile(r"[\d一二三四五六七八九十零〇](?::|点|时(?!间|长|段|限))")
"""Asks for a time of day, and states one."""
NAMES = re.compile(
    rf"《[^《》]{{0,80}}》|{HAN}{{0,16}}[〔\[(]\d{{4}}[〕\])]第?\d{{1,5}}号|(?<!\d)\d{{1,9}}(?:[年月日]|{HAN}{{1,2}})"
)
"""Names of texts, and amounts: they name no matter."""
FILLING = re.compile(
    r"等于|相当于|折合|全国|信息|结果|标准|要求|规定|明确|文件|比例|上限|下限|底线|门槛|范围|金额|数额|限值|区间|幅度|最[低高大小少多长短早晚迟]|至少|分别|一般|每(?:户|次|年|月|日|天|个|家|千瓦时?|平方米)?|情况|时候|时间|时段|规模|期限|程度|水平|目标|问题|总共|一共|截止|截至|封顶|提前|预计|大[概约]|[今去明]年(?:[春夏秋冬][天季]?)?"
)
"""What is asked of a matter, and no matter."""
COUNTING = re.compile("多少|几")
"""Counts what stands right behind it (几个高级职称, 多少注册资本): the provision itself has to name it."""
REACH = 14
"""Characters before the asking word in which a word belongs to what is asked."""
ENDS = frozenset("fwx")
"""Tags of words before which the matter does not begin: 后, 前, 里, marks."""
NAMING = frozenset(("n", "nr", "nz", "nt", "vn", "j", "l"))
"""Tags of words that name something; what is only said of it (高出, 争取) may be said elsewhere in the paper."""
NAMED_BEHIND = NAMING | {"b"}
"""Tags of what an act is done to (报告省级)."""
LATIN = re.compile("(?!kwh|mwh|gwh|kva|mva)[a-z]{3,8}")
"""A name in Latin letters (AVC)."""
ACTOR_ASKED = re.compile("谁|哪")
"""Asks who acts: then the act stands before the asking word too (验收由谁组织)."""
LEADS = frozenset("占对按给在由将把与和为被向从")
ACTOR = re.compile(
    f"公司|企业|单位|部门|机构|主体|用户|业主|电厂|方|{HAN}{{0,5}}(?:(?<![布格全结])局|委|厅)|省|市|区域?|县|[谁我你它他]"
)
LIGHT = re.compile(
    "没有|不[用必需要]|无需|[出掏]钱|买单|[批办审签拿][得完]?下|[上下进出回过起][来去]|出(?:证|结果)|开始|开展|完成|结束|进行|实施|执行|可以|不能|能否|才能|需要|应当|时间|时长|工作|情况|处理|负责|组织|牵头|左右|以[上下内前后]"
)
"""Acts that say nothing of their matter."""
UNIT_BEHIND = re.compile(
    r"^个?(?:工作日|自然日|小时|分钟|天|日|月|年|周|分|[万亿千百]?元|时间|长时间|点|月份|底)*(?:之?[内前后]|以[内前后上下]|左右)?(?:[,，]|才|就|要|应当?|须|需要?|可以?|能|来|去|会|再|重新|不得)*"
)
LEADS_TO = re.compile("(?:[要满能可须应得]|一?[年月次]|期限|时限){0,4}$")
"""Stands between the act before the asking word and this (转让要满几年)."""
COMPLEMENTS = "上下出到给入成完好"
"""Ends of a verb that only say that it succeeds (报上)."""
KIN = 0.5
"""Likeness from which a word of the provision says what a word of the question does. Of 797 questions of papers 29 asked in
words that their provision has not; 10 of these have such a kin there, and of 120 near misses 3, all caught otherwise."""
PAYING = re.compile("承担|负担|分担|分摊|均摊|分享|支付|出资|缴纳|交纳")
"""Ways to say who bears a sum."""
GRANTING = re.compile("补贴|奖补|补助|奖励|资助")
"""Words for what is paid to somebody."""
REACHES = ("到", "达")
"""Begins what a value rises or falls to: the verb before it says no more (争取到多少)."""
FILLED = "·"
"""Stands for :data:`FILLING`."""
MEASURED = re.compile("[率费量值价金额数]$")
"""Ends the name of a quantity."""
QUANTITY, NEAREST = re.compile("[率费量值金数]$|(?:零售|批发|出厂|市场|交易|成交)价$"), 3
"""What a statute too says by its name, among so many words before the asking word."""
PART = 0.3
"""Share of the pairs of a name of a quantity that says it."""
SINGLES = "single"
"""Tag of a word that the dictionary knows only the characters of."""
NO_PART = re.compile(
    "[省市县区州盟旗厅局委稿签完能会要得可打用做把被让给有是为到最更仅只收交付报发扣罚补算按离每该应须才就都还再又不没多少大小高低年月日时元钱个种类项级]"
)
"""Single characters that are words by themselves."""


class RequiredWord(NamedTuple):
    """A word of a question that its answer has to name."""

    word: str
    here: bool = True
    """Whether in the provision itself; else anywhere in the paper."""


def uncovered(query: Query, evidence: EvidenceText) -> str | None:
    """Return the word that a question asks of and a provision never names, None when it names each.

    A statute says in general words what is asked in particular ones: of it only the quantity itself (滞纳金) counts.
    What another wording of the question brought in (AGC as 自动发电控制) is not held against a provision.
    """
    typed = fold(query.original or query.text)
    papers = [each for each in _papers_of(fold(rewriting.matter(query))) if each.word in typed]
    if len(papers) == MATTER and not any(named(each._replace(here=True), query, evidence) for each in papers):
        return papers[0].word
    wanted = [each for each in _asked(fold(rewriting.matter(query))) if each.word in typed]
    if not of_paper(evidence.regulation):
        asked = ASKING.search(fold(rewriting.matter(query)))
        actor = asked is not None and ACTOR_ASKED.search(asked[0])  # who sets it (谁定用量的上限) is no value of it
        quantity = next((each.word for each in wanted[:NEAREST] if QUANTITY.search(each.word)), None)
        return None if actor or quantity is None or _stands(quantity, query, evidence) else quantity
    return next((each.word for each in wanted if not named(each, query, evidence)), None)


def of_paper(regulation: Regulation | RegulationRow) -> bool:
    """Tell whether a text is a paper: no statute, which rules in general words."""
    return regulation.level not in STATUTES


def _stands(quantity: str, query: Query, evidence: EvidenceText) -> bool:
    """Tell whether a quantity stands as it is, or as a synonym: a near word (功率) is another quantity (功率因数)."""
    others = [fold(w) for x in query.synonyms if quantity in fold(x.term) for w in x.added]
    return any(w in evidence.frame for w in (quantity, *others))


def named(wanted: RequiredWord, query: Query, evidence: EvidenceText, words: str = "") -> bool:
    """Tell whether a provision, its headings or its title name a word: by itself, in full, as a synonym or a near word.

    ``words`` are looked at in place of these where they are given.
    """
    frame, own = words or evidence.frame, evidence.regulation
    others = [fold(w) for x in query.synonyms if wanted.word in fold(x.term) for w in x.added]
    texts = [frame] if wanted.here else [frame, tight(own.title + own.text)]
    said = (_says(text, wanted.word) or any(w in text for w in others) for text in texts)
    if any(group.fullmatch(wanted.word) and group.search(frame) for group in (PAYING, GRANTING)):
        return True
    if any(said) or short_for(wanted.word, frame) or evidence.means(wanted.word, KIN):
        return True
    return _miscut(wanted.word, query.text, tight(own.title + own.text))


def _miscut(word: str, text: str, whole: str) -> bool:
    """Tell whether a word is the end of one and the beginning of another that a paper names (不扣发电计划: 不扣, 发电)."""
    at, end = text.find(word), text.find(word) + len(word)
    sides = (text[at - 1 : at + 1], text[end - 1 : end + 1])
    if at <= 0 or not all(len(side) == 2 and side in whole for side in sides):
        return False
    return word not in words_of(whole)  # else it is a word of the paper, only not of this provision


def _says(text: str, word: str) -> bool:
    """Tell whether a text says a word or a part of it; of a long name of a quantity (资产负债率) more than one pair of characters."""
    pairs = bigrams(word)
    share = sum(pair in text for pair in pairs) / max(len(pairs), 1)
    return share >= PART if MEASURED.search(word) else share > 0


def clock_stated(query: Query, passage: str, around: str = "") -> bool:
    """Tell whether a folded provision gives a time of day behind the noun that it is asked of (谷段为23:00至次日8:00).

    ``around`` is what a row stands under: its columns may name the noun.
    """
    asked = FILLING.sub("", re.split("[,;:，。；：]", fold(query.text).partition("几")[0].rstrip("是在为从于"))[-1])
    head = asked[-2:]
    if len(head) < 2 or head not in passage or head in around:
        return CLOCK.search(passage) is not None
    behind = (sentence.partition(head)[2] for sentence in re.split("[。;；]", passage))
    return any(CLOCK.search(words) for words in behind)


@lru_cache(256)
def _asked(question: str) -> tuple[RequiredWord, ...]:
    """Return what a question asks of: the words before the asking word, nearest first, and the act; none where it asks several values."""
    text = NAMES.sub(" ", question)
    asked = ASKING.search(text)
    if asked is None and not SAID_OTHERWISE.search(question.strip()):
        return _at_its_end(text.rstrip())
    if asked is None or SEVERAL.search(text) or quantities.CONSEQUENCES.search(text.replace("违约金", "")):
        return ()
    before = re.split("[,;:，。；：？?]", text[: asked.start()])[-1]
    who = ACTOR_ASKED.search(asked[0]) is not None
    wanted = list(_before(before, who))
    if asked["value"] is None:  # how it is ruled is said in many words
        return tuple(each._replace(here=False) for each in wanted)
    behind = UNIT_BEHIND.sub("", re.split("[,;:，。；：？?吗呢]", text[asked.end() :])[0])
    acts = list(_act(behind))
    if who or (not acts and not asked[0].startswith(REACHES)):
        acts += _act("".join(word for word, _ in tagged(FILLING.sub(FILLED, LEADS_TO.sub("", before)))[-1:]))
    objects = [word for word, tag in tagged(behind) if tag in NAMED_BEHIND and len(word) > 1]
    counted = (
        set(objects[:1]) if COUNTING.fullmatch(asked["value"]) and behind.startswith(tuple(objects[:1])) else set()
    )
    named = (RequiredWord(word, here=word in counted) for word in objects if not ACTOR.fullmatch(word))
    return (*wanted, *map(RequiredWord, acts), *named)


@lru_cache(256)
def _papers_of(question: str) -> tuple[RequiredWord, ...]:
    """Return the words for the matter whose papers (材料) a question asks for, of which one at least is named."""
    text = NAMES.sub(" ", question)
    asked = MATERIALS.search(text)
    return tuple(islice(_before(text[: asked.start()] + FILLED, who=False), MATTER)) if asked else ()


def _at_its_end(text: str) -> tuple[RequiredWord, ...]:
    """Return the quantity that a question without an asking word ends in."""
    named = END.search(text)
    return tuple(_before(text[: named.start()], who=False)) if named else ()


def short_for(word: str, words: str) -> bool:
    """Tell whether a provision says in full what a short form says: 报价 of 电价申报, 风光 of 风电光伏, 工业 of 工商业, 水电 of 水力发电."""
    if any(pair[0] in words and pair[1] in words and pair in _apart(words) for pair in bigrams(word)):
        return True
    if len(word) != 2 or word[0] not in words or word[1] not in words:
        return False
    held = [w for w in words_of(words) if len(w) > 1]
    if held and f"{word[0]}力发{word[1]}" in words:  # 水电 of 水力发电
        return True
    either = (word, word[::-1])
    return any(short in either for a, b in pairwise(held) for short in (a[0] + b[0], a[-1] + b[-1], a[0] + b[-1]))


@lru_cache(64)
def _apart(words: str) -> frozenset[str]:
    """Return the pairs of characters that stand around a Han character, in one string each."""
    runs = zip(words, words[1:], words[2:], strict=False)
    return frozenset(one + other for one, middle, other in runs if "\u4e00" <= middle <= "\u9fff")


def _before(before: str, who: bool) -> Iterator[RequiredWord]:
    """Return the words right before the asking word, the nearest first, up to 后, 前, 里 or a mark.

    Of what stands before an actor (售电公司的…) the nouns count, and a verb that no noun follows (争取到多少) says nothing of the
    matter. Whose role is asked (业主单位是谁) is an actor too.
    """
    left, here, behind = 0, True, ""
    for said, tag in reversed(joined(halved(tagged(FILLING.sub(FILLED, before).strip())))):
        word = said.rstrip(COMPLEMENTS) if tag[:1] == "v" else said
        if left >= REACH or (tag in ENDS and word.strip(f" {FILLED}")):
            break
        led = behind == FILLED or behind in NAMING
        if ACTOR.fullmatch(word) and (here or not who):
            here = False
        elif len(word) > 1 and word[0] not in LEADS and not LIGHT.search(word):
            if (
                tag in NAMING
                or LATIN.fullmatch(word)
                or tag == "b"
                or (tag[:1] == "a" and led)
                or (tag == SINGLES and (led or MEASURED.search(word)))
            ):
                yield RequiredWord(word, here or tag != SINGLES)
            elif tag[:1] == "v" and led:
                yield RequiredWord(word, here=False)
        verbal = "vn" if tag == "v" and led else tag  # what a led verb is led by (草光 of 草光互补组件) leads too
        left, behind = left + len(said), FILLED if word == FILLED else verbal


def halved(words: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    """Return tagged words with a noun of two words (通信线路, 钢铁行业) as these."""
    for word, tag in words:
        halves = (word[:2], word[2:])
        if len(word) == 4 and tag[:1] in "nl" and all(plain_words(half) == [half] for half in halves):
            yield from ((half, "n") for half in halves)
        else:
            yield word, tag


def joined(words: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return tagged words with neighbouring single characters, which the dictionary does not know as a word, in one (线损率)."""
    out: list[tuple[str, str]] = []
    for word, tag in words:
        last, before = out[-1] if out else ("", "")
        if len(word) == 1 and MEASURED.match(word) and before[:1] == "v" and len(last) > 1:
            out[-1] = (last + word, SINGLES)  # what the dictionary knows is a part of a name (使用金)
        elif all(map(_single, (word, last[-1:]), (tag, before))) and (len(last) == 1 or before == SINGLES):
            out[-1] = (last + word, SINGLES)
        else:
            out.append((word, tag))
    return out


def _single(word: str, tag: str) -> bool:
    return len(word) == 1 and (tag == SINGLES or tag[:1] in set("nvazgbjq")) and not NO_PART.match(word)


def _act(behind: str) -> Iterable[str]:
    """Return the act right behind the asking word, if it says anything of the matter."""
    acts = (word.rstrip(COMPLEMENTS) for word, tag in tagged(behind)[:3] if tag[:1] == "v")
    act = next((word for word in acts if len(word) > 1), "")
    return (act,) if act and not LIGHT.search(act) else ()
