"""Whether a provision names what a value is asked of: the nouns before the asking word, the act behind it (所问之物).

A paper rules many matters of one field: a provision of it that never says 费用, 变压器 or 开工 states nothing of them, though
another provision does. Measured on the development questions that papers answer, a provision that answers lacks none of
the nouns right before the asking word but in one of fifty.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from nemo.answer.question import wording
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.text.words.tokenise import bigrams, tagged
from nemo.types import Query

HAN = "[\u4e00-\u9fff]"
ASKING = re.compile(
    r"(?:[是为有在到由被归按需应须要第给向共]{0,3}(?:不?(?:得|应|宜)?(?:超过|低于|少于|高于|大于|小于|达到?|足))?)"
    r"(?:多少|百分之几|几(?!何|种|类|乎)|多久|多长|谁|哪(?:一?个|些|几个|一?家)?(?:部门|单位|机构|方|家|级)|什么时候|何时|多[高大远宽深])"
)
"""The word that asks for a value, a day or an actor, with what leads to it."""
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
    r"标准|要求|规定|明确|文件|比例|上限|下限|底线|门槛|范围|金额|数额|限值|区间|幅度|最[低高大小少多长短早晚迟]|至少|分别|一般|每(?:户|次|年|月|日|天|个|家|千瓦时?|平方米)?|情况|时候|时间|时段|规模|期限|程度|水平"
)
"""What is asked of a matter, and no matter."""
REACH = 12
"""Characters before the asking word in which a noun belongs to what is asked."""
ENDS = frozenset("fwx")
"""Tags of words before which the matter does not begin: 后, 前, 里, marks."""
NAMING = frozenset(("n", "nz", "vn", "j", "l"))
"""Tags of words that name something; what is only said of it (高出, 争取) is said in other words too."""
ACTOR_ASKED = re.compile("谁|哪")
"""Asks who acts: then the act stands before the asking word too (验收由谁组织)."""
LEADS = frozenset("对按给在由将把与和为被向从")
ACTOR = re.compile("公司|企业|单位|部门|机构|主体|用户|业主|电厂|方|局|委|厅|省|市|区|县|[谁我你它他]")
LIGHT = re.compile(
    "开始|开展|完成|结束|进行|实施|执行|可以|不能|能否|才能|需要|应当|时间|时长|工作|情况|处理|负责|左右|以[上下内前后]"
)
"""Acts that say nothing of their matter."""
UNIT_BEHIND = re.compile(
    r"^个?(?:工作日|自然日|小时|分钟|天|日|月|年|周|[万亿千百]?元|时间|长时间|点|月份|底)*(?:之?[内前后]|以[内前后上下]|左右)?(?:[,，]|才|就|要|应当?|须|需要?|可以?|能|来|去|会|再|重新|不得)*"
)
COMPLEMENTS = "上下出到给入成完好"
"""Ends of a verb that only say that it succeeds (报上)."""


def uncovered(query: Query, words: str) -> str | None:
    """Return the noun or the act that a question asks a value of and ``words`` (folded) never say, None when they do.

    What another wording of the question brought in (AGC as 自动发电控制) is not held against a provision.
    """
    others = {fold(x.term): x.added for x in query.synonyms}
    wanted = [word for word in _asked(fold(wording.matter(query))) if word in fold(query.original or query.text)]
    return next((word for word in wanted if not _said(word, words, others)), None)


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
def _asked(question: str) -> tuple[str, ...]:
    """Return the nouns, nearest first, and the act of which a question asks a value; none where it asks several values or a penalty."""
    text = NAMES.sub(" ", question)
    asked = ASKING.search(text)
    if asked is None or SEVERAL.search(text) or quantities.CONSEQUENCES.search(text):
        return ()
    before = re.split("[,;:，。；：？?]", text[: asked.start()])[-1]
    behind = UNIT_BEHIND.sub("", re.split("[,;:，。；：？?吗呢]", text[asked.end() :])[0])
    nouns = _nouns(before)
    if ACTOR_ASKED.search(asked[0]):
        nouns = [*_act("".join(word for word, _ in tagged(before)[-1:])), *nouns]
    return (*nouns, *_act(behind))


def _said(word: str, words: str, others: Mapping[str, Sequence[str]]) -> bool:
    kin = (w for term, added in others.items() if word in term for w in added)
    return any(pair in words for pair in bigrams(word)) or any(fold(w) in words for w in kin) or _short_for(word, words)


def _short_for(word: str, words: str) -> bool:
    """Tell whether two neighbouring words of a provision are what a short form says: 报价 of 电价申报, 风光 of 风电光伏."""
    held = [w for w in words_of(words) if len(w) > 1] if len(word) == 2 else []
    return any(sorted(word) in (sorted(a[0] + b[0]), sorted(a[-1] + b[-1])) for a, b in pairwise(held))


def _nouns(before: str) -> Sequence[str]:
    """Return the nouns right before the asking word, the nearest first; an actor or 后, 前, 里 ends them."""
    found, left = [], 0
    for word, tag in reversed(tagged(FILLING.sub(" ", before).strip())):
        if left >= REACH or (tag in ENDS and word.strip()) or ACTOR.fullmatch(word):
            break
        if len(word) > 1 and tag in NAMING and word[0] not in LEADS:
            found.append(word)
        left += len(word)
    return found


def _act(behind: str) -> Sequence[str]:
    """Return the act right behind the asking word, if it says anything of the matter."""
    acts = (word.rstrip(COMPLEMENTS) for word, tag in tagged(behind)[:3] if tag[:1] == "v")
    act = next((word for word in acts if len(word) > 1), "")
    return (act,) if act and not LIGHT.search(act) else ()
