"""What kind of value a question asks for, and which kinds a provision states (数量).

A how-much question is answered by a provision that states an amount of that kind; one that does not is likely only
about the same subject. A fine is no fee: the sums of penalties count only when the question is about consequences.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from nemo.rerank.terms import fold, words_of
from nemo.text.words.quantities import AREAS, LENGTHS
from nemo.text.words.tokenise import tagged

N = r"(?:[一二三四五六七八九十百千万亿两半零〇\d]|\d[,.]{1,3})"
"""The end of a number: whether one stands there shows in its last sign, and looking at no more of it keeps every
pattern linear in the text."""

HOW_MANY = r"(?:(?<!哪)几|多少)"


class Quantity(NamedTuple):
    """One kind of value."""

    name: str
    said: str
    """In Chinese."""
    asked: re.Pattern[str]
    stated: re.Pattern[str]


def _kind(name: str, said: str, asked: str, stated: str) -> Quantity:
    return Quantity(name, said, re.compile(asked), re.compile(stated))


MONEY = rf"{N}(?:[万千百]?元|倍|角|分钱)"
SUM = rf"{MONEY}|百分之|{N}%"
PAID = "[费金价款]"
RATE = rf"{MONEY}|(?:百分之|{N}%)[^,。;]{{0,12}}{PAID}|{PAID}[^,。;]{{0,15}}(?:百分之|{N}%)"
"""A share says what is paid only beside the payment: 按照工资的百分之八缴费, not 电量比例不低于百分之五十."""

PRICED = "收费|补贴|补偿|征收|计征|电价|价格|收取|缴|交"

FEE, FINE = "fee", "fine"

KINDS = (
    _kind(
        FEE,
        "金额",
        rf"{HOW_MANY}个?(?:块|毛|角|分?钱|元|万元|千元|[欧美日]元|万块)|几万|几千块|(?:费|(?<![评竞])价)(?![^,。?]{{0,8}}浮)[^,。?]{{0,8}}{HOW_MANY}(?![号点份张])"
        rf"|(?:{PRICED})[^,。?]{{0,6}}(?:标准|金额|数额|上限|下限|限价)"
        rf"|(?:标准|金额|数额|价格|电价|限价|利率|税率)(?:是多少|多少|为多少|$)",
        RATE,
    ),
    _kind(
        FINE,
        "罚款数额",
        rf"罚[^,。?]{{0,4}}{HOW_MANY}(?!个?(?:工作日|小时|[天日月年周次]))|罚款(?:幅度|金额|数额|标准)|{HOW_MANY}个?(?:块|钱|元|万元)",
        SUM,
    ),
    _kind(
        "time",
        "时间",
        rf"多久|多长时间|{HOW_MANY}个?(?:天|日|月|年|小时|分钟|工作日|周|毫秒|秒)|期限|时限"
        r"|(?:周期|工作日|时间)(?:上限|最长|多长)",
        rf"{N}个?(?:以?内)?(?:工作日|日|天|月|年|小时|分钟|秒|毫秒|周)|即时|立即|当日|当场|同时|定期",
    ),
    _kind("day", "日期", r"几月几日|几号|哪一?天|截止日|哪年|哪一年|几月份", rf"{N}月|{N}日|年度"),
    _kind(
        "length",
        "长度或距离",
        rf"几(?:公)?里|几[十百]?米|多少(?:公里|米|厘米|毫米)|多[远高宽深]"
        rf"|(?:间距|净距|半径|高度|距离|宽度)[^,。?]{{0,8}}(?:{HOW_MANY}|要求|最小|最少|$)",
        rf"{N}(?:{LENGTHS})",
    ),
    _kind("area", "面积", rf"{HOW_MANY}(?:公顷|亩|平方米|平米)", rf"{N}(?:{AREAS})"),
    _kind(
        "share",
        "比例",
        r"百分之[几多]|几成|浮动?[^,。?]{0,4}(?:多少|几)(?![元分毛])|多少个?百分|比例|占比|(?:几|多少)个(?:百分)?点(?!钟)|[效率]率[^,。?]{0,6}(?:多少|几|要求|不低于)",
        rf"百分之|{N}%|{N}成|比例",
    ),
    _kind(
        "power",
        "技术数值",
        rf"{HOW_MANY}万?(?:千瓦|兆瓦|度(?=电)|伏|千伏|赫兹|吨|公斤|分贝|毫克|千克)"
        r"|(?:限值|基准值|缺省值|死区|容量)(?:是多少|多少|$|mg)|mg|赫兹|分贝",
        rf"{N}万?(?:千瓦|兆瓦|度|伏|千伏|赫兹|吨|公斤|分贝|毫克|千克)",
    ),
    _kind(
        "people",
        "人数",
        rf"{HOW_MANY}个?人|{HOW_MANY}名|(?:少|多|要|有|够|请|找|于){HOW_MANY}家|{HOW_MANY}家(?:$|[,。?才以及够单企公机])",
        rf"{N}[名人家]",
    ),
    _kind(
        "count",
        "次数或等级",
        rf"{HOW_MANY}次|几[级类种档倍]|几个(?!工作日|月|小时|(?:百分)?点)",
        rf"{N}[次级类种档倍个款项]|[（(][一二三四五六七八九十]+[）)]|第[一二三四五六七八九十]+[级类]",
    ),
    _kind(
        "fact",
        "具体事项",
        r"文号|批复(?!(?:下来|文件)?[后的]?(?:有效|几|多久))|编号|编码|电话|网址|官网|名单|有哪些企业|企业有哪些|哪几家|业主(?:是|叫|为|单位是)|谁[^,。?]{0,4}业主|董事长|负责人是谁|在运行|进展|最新"
        r"|现在多少|今天|明天|昨天|目前",
        r"编号|编码|电话|名单",
    ),
    _kind(
        "formula",
        "计算方法",
        r"公式|系数|怎么算(?!违|是)|如何计算|计算方法|怎么计算|缺省值|基准值|怎么取",
        r"公式|计算|系数|乘以|除以|[×÷]",
    ),
)
"""Texts are folded (``nemo.rerank.terms.fold``): lower case, half width."""

NAMES = tuple(kind.name for kind in KINDS)

CONSEQUENCES = re.compile("罚|处分|违|没收|后果|责任|赔|偷|盗|被[抓查逮]|抓[到住]")
ASKS_VALUE = re.compile(rf"{HOW_MANY}|百分之几|多[久长大高远宽]|最[低高长短多少大小]|上限|下限|期限|时限|怎么算")
NO_THING = re.compile(
    r"\d{0,4}年[底末初]|月[底末初]|底线|红线|不少于|水平|目标|要求|规定|标准|比例|范围|金额|数额|幅度|不得|至少|应当?|可以|分别|一般|申报|执行|设置|需要?|提前|什么|哪[些种个]|何种|不行|不?允许"
)
"""Words around a value that do not name what it is of."""
NO_NOUN = frozenset("urdtmfcpy")
"""Parts of speech of a dictionary word that names nothing: particle, pronoun, adverb, time, number, place."""
ASKS_TERM = re.compile("(?:有效期|期限|时限|时间|年限|日期|工期)[^,。?]{0,3}(?:怎么|如何|怎样)(?:计)?算")
AFTER = re.compile(r"^个?(?:工作日|自然日|小时|天|日|月|年)?(?:之?[内前]|以内)?(?:要|应|就|须)?|[吗呢啊?。].*$")
"""What stands between the asking word and the act that is asked about (几天内转送)."""
UNIT = re.compile(rf"{HOW_MANY}个?(万?元|万?千瓦时?|兆瓦时?|千伏|公里|公顷|平方米|亩|吨|倍|小时|米|年(?!级))")
"""The unit that a question asks for a value in."""
BEFORE, BEHIND = 20, 24
"""Characters around a name in which its value is stated."""
SENTENCE = re.compile(r"[^。;]+")
SPAN_OF_TIME = r"[一二三四五六七八九十百千万亿两半零〇\d]{1,6}个?(?:工作日|日|天|月|年|小时|分钟|周)"
"""A number with a unit of time."""
SPANS_ASKED = rf"{HOW_MANY}个?(?:工作日|日|天|月|年|小时|分钟|周)"
TIME = re.compile(rf"多久|多长时间|{SPANS_ASKED}")
"""Asks how long."""
WITHIN = re.compile(
    rf"(?:多久|多长时间|{HOW_MANY}个?(?:工作)?(?P<unit>日|天|月|年|小时|分钟|周))之?(?:内|以内|前)(?P<act>[^,;:?。]*)"
)
"""Asks within what time something is to be done, and what."""
DONE = re.compile(rf"(?P<time>{SPAN_OF_TIME})(?:之?内|以内|前)?,?(?P<act>[^,。;:]{{2,60}})")
"""A time and what is done in it, up to the next stop."""
START = re.compile(rf"[^,。;:]{{1,40}}(?:起|后|届满|期满|前)的?(?={SPAN_OF_TIME})")
"""The event that a time runs from or to."""
PENALTY = re.compile(r"罚|处[^,。]{0,6}款")


@lru_cache(256)
def asked(text: str) -> np.ndarray:
    """Return (kinds,) 0 or 1, read-only: which values a folded question asks for."""
    found = {kind.name: kind.asked.search(text) is not None for kind in KINDS}
    about_consequences = CONSEQUENCES.search(text) is not None
    found[FINE] = found[FINE] and about_consequences
    found[FEE] = found[FEE] and not about_consequences
    return _shared(found)


def lacking(question: str, provisions: Sequence[str]) -> list[str]:
    """Return in Chinese which values a question asks for that none of the provisions states."""
    found = [stated(fold(text)) for text in provisions]
    wanted = asked(fold(question)).tolist()
    return [kind.said for at, kind in enumerate(KINDS) if wanted[at] and not any(f[at] for f in found)]


def wanted(text: str) -> np.ndarray:
    """Return (kinds,) which values a folded question wants: like ``asked``, but how a term runs (有效期怎么算) is a time.

    A rate is a share, whatever it is a rate of (价格的收益率是多少), a deposit (保证金交多少) a sum of money.
    """
    kinds, thing = asked(text) > 0, named(text)
    if thing.endswith(("率", "比例", "比重", "占比")):
        kinds[NAMES.index(FEE)], kinds[NAMES.index("share")] = False, True
    elif thing.endswith(("金", "费", "款", "税", "额")) and not kinds.any():
        kinds[NAMES.index(FEE)] = True
    if ASKS_TERM.search(text):
        kinds[NAMES.index("formula")], kinds[NAMES.index("time")] = False, True
    return kinds


def named(text: str) -> str:
    """Return the thing whose value a folded question asks for (公示 of 公示多少天), empty when it names none or asks for a penalty."""
    found = ASKS_VALUE.search(text)
    if found is None or CONSEQUENCES.search(text):
        return ""
    before = re.sub("(?:属于?|算|是|为)$", "", re.split("[,;:]", text[: found.start()])[-1])
    return _first([*reversed(words_of(NO_THING.sub(" ", before))), *_behind(text[found.end() :])])


def act(text: str) -> str:
    """Return the act for which a folded question asks the time (答复 of 政府信息公开多少天答复), empty when it names none or several."""
    asked = list(TIME.finditer(text))
    if len(asked) != 1 or CONSEQUENCES.search(text):
        return ""
    return _first(_behind(re.split("[,;:?]", text[asked[0].end() :])[0].replace("必须", "")))


def act_within(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the unit in which a folded question asks for the time of an act (empty: any) and the words of the act (几天内可以申请复议: 天; 申请, 复议)."""
    asked = list(WITHIN.finditer(text))
    if len(asked) != 1:
        return "", ()
    words = _behind(asked[0]["act"].replace("必须", ""))
    return (asked[0]["unit"] or "").replace("天", "日"), tuple(word for word in words if len(word) > 1)


def done_within(text: str, unit: str, act: Sequence[str]) -> bool:
    """Tell whether a folded provision sets a time in ``unit`` for an act: what is done in it ends with its words, in whatever order.

    提出复议申请 is 申请复议, 提交事故调查报告 is not 报告事故; one word alone is an act where a body is told (向主管部门报告).
    """
    orders = "|".join("的?".join(map(re.escape, order)) for order in permutations(act))
    ends = re.compile(f"(?:{orders})的?$" if len(act) > 1 else f"向.*(?:{orders})$")
    times = (found for found in DONE.finditer(text) if unit in found["time"].replace("天", "日"))
    return any(ends.search(found["act"]) for found in times)


def _behind(text: str) -> tuple[str, ...]:
    return words_of(NO_THING.sub(" ", AFTER.sub("", text)))


def _first(words: Sequence[str]) -> str:
    return next((word for word in words if len(word) > 1), "")


def names(word: str) -> bool:
    """Tell whether a word names anything (每月, 最迟, 的话 do not)."""
    return any(tag[0] not in NO_NOUN for _, tag in tagged(word))


def acts_in_time(act: str, text: str) -> bool:
    """Tell whether a folded provision sets a time for an act in a sentence, other than as the event it runs from.

    合同签订后5日内退还保证金 sets one for 退还, none for 签订.
    """
    return any(act in sentence for sentence in _timed(text))


def only_starts(act: str, text: str) -> bool:
    """Tell whether times run from an act, in whatever order its characters stand (签合同), and none is set for it."""
    signs, text = set(act), re.sub(rf"{re.escape(act)}(?=[人者])", "", text)  # 申请人 applies for nothing here
    starts = any(signs <= set(found[0]) for found in START.finditer(text))
    return starts and not any(signs <= set(sentence) for sentence in _timed(text))


def stated_of(name: str, text: str, wanted: np.ndarray, unit: str = "") -> bool:
    """Tell whether a folded provision says ``name`` and, close to it in one sentence, a value of a wanted kind in ``unit``.

    What opens a list (税额如下：) is said of all that stands in it.
    """
    if lead := re.search(rf"{re.escape(name)}[^。;:]{{0,12}}:", text):
        listed = text[lead.end() :]
        return unit in listed and bool((wanted & (stated(listed) > 0)).any())
    for sentence in SENTENCE.findall(text):
        for found in re.finditer(re.escape(name), sentence) if name in sentence else ():
            around = sentence[max(0, found.start() - BEFORE) : found.end() + BEHIND]
            if unit in around and (wanted & (stated(around) > 0)).any():
                return True
    return False


def _timed(text: str) -> list[str]:
    """Return the sentences that set a time, without the events from which it runs."""
    time = KINDS[NAMES.index("time")].stated
    return [s for sentence in SENTENCE.findall(text) if time.search(s := START.sub("", sentence))]


@lru_cache(2048)
def stated(text: str) -> np.ndarray:
    """Return (kinds,) 0 or 1, read-only: which values a folded provision states."""
    found = {kind.name: kind.stated.search(text) is not None for kind in KINDS}
    if found[FEE]:
        found[FEE] = re.search(RATE, without_penalties(text)) is not None
    return _shared(found)


def _shared(found: Mapping[str, bool]) -> np.ndarray:
    """Return (kinds,) 0 or 1, read-only: whoever asks of the same text is given the same."""
    flags = np.array(list(found.values()), np.float32)
    flags.setflags(write=False)
    return flags


def without_penalties(text: str) -> str:
    """Return a text without the sentences that speak of fines."""
    return SENTENCE.sub(lambda found: "" if PENALTY.search(found[0]) else found[0], text)
