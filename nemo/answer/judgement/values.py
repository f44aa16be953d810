"""Whether evidence states the value that a question asks for, in its unit and of the very thing (所问数值).

Each check returns in Chinese what the evidence does not state, None when it states it or nothing of the kind is asked.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from nemo.answer.judgement import coverage
from nemo.answer.judgement.surroundings import EvidenceText, tight
from nemo.answer.judgement.tables import FIGURE
from nemo.rerank import quantities
from nemo.rerank.terms import fold, words_of
from nemo.types import Query

HAN = "[\u4e00-\u9fff]"
MONEY = re.compile(
    r"多少(?:万|千|百)?(?:元|块|钱|资金)|几(?:毛|块|分|角)?钱|(?:单价|报价)(?=[^，。？]{0,4}(?:多少|几何|[?？]?$))"
    r"|(?:价格?|费用?|电价|补偿|津贴|保证金|租金|押金|使用金|罚款?|均价|滞纳金|违约金)(?:标准|金额|上限|下限)?[^，。？]{0,4}(?:多少|几)(?![天日年倍分个期次月周季户家名级类种项批折成小号点份张])"
)
"""Asks for a sum of money without doubt."""
PAYS = re.compile(
    r"[交缴付收出存](?:多少|几)(?:[^，。？]{0,8}[费金税款]|钱?[?？]?$)|(?:补贴|补助|奖补|奖励|资助)[^，。？率例]{0,6}多少(?:[?？]?$|元|钱|万)|多少万[?？]?$"
)
MOST_ASKED = re.compile("上限|最高|至多|最多|封顶")
LEAST_ASKED = re.compile("下限|最低|至少|最少")
MOST_SUM = re.compile("(?:最高|上限|最多|封顶)[^，。？]{0,6}多少(?:万|千|百)?元")
MOST_STATED = re.compile(
    "上下?限|(?:不|(?<!不)(?<!不得)(?<!不应)(?<!不宜)(?<!不能))(?:得|应|宜|能)?(?:超过|高于|大于|多于|超出)|最[高多大长迟晚]|至多|以[内下]|封顶|限[价额]|[±≤<]|[前内]"
)
FIGURED = re.compile(r"[\d%]|[一二三四五六七八九十百千万两半][个倍成年月日天级档类种项家人名次元]")
"""A value in figures or words."""
DEFERRING = re.compile(
    "由[^。；]{0,30}(?:确定|核定|规定|制定|约定|协商|决定|设[置定])|[按依][^。；]{0,30}(?:执行|确定|核定)|为准|不(?:再)?(?:设|限)"
)
"""Says by whom or by what a value is set."""
LEAST_STATED = re.compile("下限|不(?:得|应|宜|能)?(?:低于|少于|小于)|最[低少小短](?!单位)|至少|以上|[±≥>]|保底|底线|满")
"""How a greatest and a least value are asked for and stated."""
COUNTED = re.compile(
    r"(?<![哪那这])(?:几|多少)个?(?P<unit>小时|分钟|秒|赫兹|分贝|千伏|学时|课时|工作日|天|公里|兆瓦时|倍|年(?!级)|月(?![几多]?[日号份])|周|台|座|辆|户|份|张|株|吨|分(?![钱之摊])|[万亿千百]?元(?=[每/一]))"
)
DAYS = r"工作日|(?<![月\d])\d{1,3}[天日]|(?<![月一二三四五六七八九十])[一二三四五六七八九十]{1,3}[天日]"
"""A number of days; the day of a month (10月1日) is none."""
WITHIN_DAYS = rf"{DAYS}|个月|小时|[周年月][内前末底]|[当次同每隔即]日|当[天场]|立即|即时|及时"
TERM = r"(?:(?<!最后)(?<!第)[一二三四五六七八九十百半两\d]个?|[当次同每])(?:以?内)?(?:工作日|[日天月年周]|小时)|当场|立即|即时|及时|永久|长期"
DATE = re.compile(r"(?<![至到止])(?:19|20)\d{2}年(?:\d{1,2}月(?:\d{1,2}日)?)?")
"""A day or a year that is no end of a term: it says not how long."""
LIMIT_ASKED, AT_ONCE = re.compile("期限|时限|周期"), re.compile("立即|即时|及时")
"""Asks for a term by its name, and says that something has none."""
SCORE = r"[\d一二三四五六七八九十百]分(?![钟钱之摊])"
MARK = re.compile(r"(?:多少|几)分(?:以[上下]|才|就|可以|及格|合格)|(?:低于|不足|不到|达到|超过|高于|满)(?:多少|几)分")
MARK_STATED = re.compile(
    rf"{SCORE}[(（]?(?:以[上下]|及|含)|(?:低于|高于|不足|不到|达到?|满|超过|少于|大于|小于|[≥≤<>])\d{{1,3}}分"
)
"""Asks for the mark (分数线) from which something follows, and states one."""
DATE_ASKED = re.compile(
    r"几月几?[日号]|每[年月季]几[日号]|几[日号]之?前|截[止至到][^，。？]{0,6}几[日号]|(?P<any>截止日(?!前)|(?:最[晚迟]|截[止至到])[^，。？]{0,6}哪一?天|哪一?天(?:之?前|截止))"
)
DATE_STATED = re.compile(
    rf"{quantities.N}月(?:{quantities.N}|[底末初份前])|[每次当下上]个?[月季年][^。；，]{{0,6}}?{quantities.N}[日号]|[年月季][底末初]|季度(?:结束|终了|首|末)|(?:首|第一|最后一)个?(?:工作)?日|当[日天]"
)
FROM_EVENT = re.compile(rf"{quantities.N}个?(?:工作日|[日天月年])(?:之?[内前]|以内)")
"""Asks for a day of the calendar by which something is done (or for ``any`` day), and states one, or how long before or after an event."""
UNIT_WORDS = {
    **dict.fromkeys("年月周", TERM),
    "小时": rf"小时|分钟|\d\s*(?:h|min)(?![a-z])|{DAYS}",
    "工作日": WITHIN_DAYS,
    "天": WITHIN_DAYS,
    "分钟": r"分钟|小时|秒|\d\s*(?:h|min|s)(?![a-z])",
    "赫兹": "赫|hz",
    "分贝": "分贝|db",
    "千伏": "伏|kv",
    **dict.fromkeys(("学时", "课时"), "学时|课时|小时"),
    "秒": r"秒|分钟|\d\s*(?:ms|s)(?![a-z])",
    "公里": r"公里|千米|[\d一二三四五六七八九十]米|km",
    "兆瓦时": r"兆瓦时|千瓦时|mwh|kwh|度",
    "倍": r"倍|[%％]|百分之",
    **{unit: rf"[\d一二三四五六七八九十百千万亿两]{unit}" for unit in "台座辆户份张株"},
    "吨": "吨|公斤|千克",
    "分": SCORE,
    "元": r"元|[\d一二三四五六七八九十][角分](?!之)",
}
"""Units that are asked for, with those that a text may state the same in."""
TIMES = frozenset(("小时", "分钟", "秒", "工作日", "天", "年", "月", "周"))
"""Units that no share of anything (各承担一半) is stated in."""
DEGREES_ASKED, DEGREES = re.compile("温度|室温|[几多]少?度(?!电)"), re.compile("℃|°c|摄氏")
"""Asks for a temperature, and states one."""
COUNTED_DEGREES, ANGLE = re.compile("(?:几|多少)度(?!电)"), re.compile(rf"{quantities.N}度(?!电)")
"""Asks for degrees, and states some that are no temperature (二十五度以上陡坡)."""
PARTS = re.compile(r"[千万]分之|‰")
"""What is paid may be stated in parts of another sum (电费总额的1‰至3‰)."""
SHARE = re.compile(r"\d[%％‰]|[百千万]分之")
"""A part of a sum: what is paid may be stated so."""
FRACTION = re.compile(r"分之|[\d一二三四五六七八九]成|半(?!年|径|导|岛)|倍|(?<![\d:])\d{1,2}:\d(?!\d)")
TERM_OF = re.compile(
    rf"(?P<thing>{HAN}{{2,40}}?)的?有效(?:(?:期限|期|时间)(?:一般|都|是|为|有)*(?:几|多久|多长|多少|[?]?$)|(?:几|多久|多长|多少))"
)
"""Asks how long something is valid."""
TEXT_KIND = re.compile(
    "(?:办法|通知|规定|细则|规则|条例|方案|意见|文件|政策|公告|规划|目录|标准|规范|指南|指引|法|文)$"
)
HELD_FOR = rf"(?:{quantities.SPAN_OF_TIME}|长期|永久)"
TERM_STATED = re.compile(
    rf"(?:有效期限?|有效(?!期))(?!限|届满|期满|满|到期|[内前])[^。；;]{{0,16}}?{HELD_FOR}|(?:期限|年限|时效)(?:一般|最[长高]|为|是|不得?超过)*{HELD_FOR}"
    rf"|{HELD_FOR}内?有效|(?:批准|核准|审批|批复|颁发|签发|核发|取得|领取|发证|生效)之日起[^。；;]{{0,6}}?{HELD_FOR}|有效期[^。；;]{{0,12}}(?:至|截止|一致|相同)"
)
"""States how long something is valid; what must be done before the end of it states no term."""
OWN_TERM = re.compile(
    r"(?:^|(?<=[。；;]))[^。；;]*(?:本(?:办法|通知|规定|细则|规则|条例|方案|意见|规范|标准|公告|文件|目录|指引|指南)|(?:施行|实施|执行|生效))[^。；;]{0,24}有效期[^。；;]*"
)
"""A sentence in which a text says how long it is itself in force (本办法自…起施行，有效期五年)."""
LICENCE = re.compile(rf"({HAN}{{2,6}})(?<![类局厅委])许可证")
NO_LICENCE = re.compile(
    "业务|经营|东西|[哪何]种|什么|取得|申[请领]|办理|领取|持有|颁发|核发|发放|变更|延续|注销|吊销|撤[销回]|未经|行政|相应|有关|相关|规定|实施|准予|审批|同意|依法|以及|或者|没有|具有|获得|所需|各类"
)
"""What stands before 许可 and says not what the licence is for."""
NONE_STATED = re.compile("免[征收缴交费]|不(?:再)?(?:设|收取?|征收?|限制?)|不作[^。；，]{0,6}(?:要求|限制)|无需|取消")
"""Says that there is no sum or bound of the kind."""
EXCEPTED = re.compile(f"{NONE_STATED.pattern}|不(?:设|在|执行|适用|参与|纳入|享受|予)|免于")
"""Says that nothing of the kind holds of something: an answer too."""
SETS = re.compile(
    r"(?:谁|(?:哪|什么|几个?)[^，。？]{0,6}(?:部门|单位|机关|政府|部委|级))(?:一起|共同|来|负责|说了)*(?:定|制定|规定|公布|划|批|核[定准]|确定|算)"
)
"""Asks who sets a value or a list: it need not be stated."""
LIMITED = re.compile("有(?:没有)?[^，。？]{0,4}(?:限制|限高)|受[^，。？]{0,10}限制")
"""Asks whether there is a bound, not which."""
HOW_LONG = re.compile("(?:多久|多长时间)(?!.{0,8}[一1]次)")
KIND = {kind.name: at for at, kind in enumerate(quantities.KINDS)}
EXACT = ("fee", "fine", "length", "area", "share", "power", "people")
"""Kinds of value that a provision states in figures or not at all."""
PENAL = re.compile(
    r"有下列[^。；]{2,40}(?:处|罚款|处罚)|(?:违反|未)[^。]{4,120}(?:处[^。，；]{0,14}罚款|予以?处罚|依法给予处分)|责令[^。]{0,60}罚款"
)
"""A provision that says what breaking a rule costs."""
TELLS_BREACH = re.compile("没(?!有规定)|未|不[让办交装报做按肯]|擅自|私自|拒|堵|弄虚|造假|会被|能管")
"""Tells what somebody did or left undone: what follows from it is asked, though no penalty is named."""


DEFERRED = re.compile(
    r"(?:另行|另外?|再)(?:规定|制定|印发|公布|发布|下达|通知|明确|确定|核定|研究)|(?:见|按照?)附[件表录]"
)
"""Leaves a matter to a text that is still to come, or that is another one."""
LIST_ASKED = re.compile("有?哪(?:些|几[个类种项家])|清单|名单|名录")
_PER = r"(?:每(?:一|个)?|(?<=[元分角])[/／])"
_UNITS = {
    "area": "公顷|亩|平方公里|平方米|平米|㎡|m2",
    "power": "[万亿]?千瓦(?!时)|兆瓦(?!时)|kw(?!h)|mw(?!h)|瓦(?!时)",
    "energy": "[万亿]?千瓦时|兆瓦时|kwh|mwh|度(?!电价)",
    "weight": "吨|千克|公斤",
    "time": "年|月|季度?|[日天](?!然)|小时|分钟|次",
    "thing": "张|个|台|套|座|桩|枪|户|人|辆|车|家|份|笔|株|棵",
}
"""What a sum may be for each of; units of one kind may be converted."""
PER_ASKED = re.compile(
    "|".join(rf"(?P<{name}>(?:{_PER}|(?:多少|几)[元块角]?钱?一)(?:{words}))" for name, words in _UNITS.items())
)
PER_STATED = re.compile("|".join(rf"(?P<{name}>{_PER}(?:{words}))" for name, words in _UNITS.items()))
OF_TIME = "time"
SUM_STATED = re.compile(rf"{quantities.N}(?:[万千百]?元|角|分(?!之))|免[征收缴交费]")
"""Only a sum of money says what is paid for each of something, a share of a price (下浮65%) does not."""
LEAST_LISTED = 60
"""Characters beside what is left to another text that may be the list itself."""


def _named_in(clauses: Sequence[str], words: Sequence[str]) -> int:
    """Return how many words of a question stand in that clause which holds most of them."""
    return max((sum(word in clause for word in words) for clause in clauses), default=0)


def deferred(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """Words that leave the asked value or list to another text (比例另行规定、清单另行印发) state none."""
    if not DEFERRED.search(evidence.own):
        return None
    asked, listed = quantities.wanted(text), LIST_ASKED.search(text) is not None
    clauses = re.split("[。；;，,()（）]", evidence.own)
    left, own = ([s for s in clauses if bool(DEFERRED.search(s)) is it] for it in (True, False))
    rest, said = "。".join(own), [word for word in words_of(text) if len(word) > 1]
    elsewhere = _named_in(left, said) > _named_in(own, said) + 1  # of all that it says, this is left to another text
    kept = (asked & (quantities.stated(rest) > 0)).any()
    states = kept or not (asked.any() or listed) or (not asked.any() and len(rest.strip()) > LEAST_LISTED)
    return "所问的内容（条文写明另行规定）" if elsewhere or not states else None


def rate(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A sum for each hectare is none for each megawatt: what a sum is asked for each of, the words have or no such sum."""
    asked = PER_ASKED.search(text)
    if asked is None or asked.lastgroup == OF_TIME or not quantities.wanted(text)[KIND["fee"]]:
        return None
    stated = {found.lastgroup for found in PER_STATED.finditer(evidence.own)} - {OF_TIME}
    of_another = bool(stated) and asked.lastgroup not in stated
    return f"“{asked[0]}”的金额" if of_another or not SUM_STATED.search(evidence.own) else None


def unit(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A number of hours, kilometres or times is asked for by its unit, and stated with it or not at all."""
    asked, passage = COUNTED.search(text), DATE.sub(" ", evidence.passage)
    if asked is None or (asked["unit"] not in TIMES and FRACTION.search(passage)):
        return None
    if LIMIT_ASKED.search(text) or asked["unit"] in "年月周":
        passage = AT_ONCE.sub(" ", passage)
    stated = re.search(UNIT_WORDS["元" if asked["unit"].endswith("元") else asked["unit"]], passage)
    return None if stated else f"所问的{asked['unit']}数"


def set_time(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """The time in which something is to be done is none that runs from its being done (合同签订后5日内退还保证金)."""
    act = quantities.act(text)
    return f"“{act}”的期限" if act and quantities.only_starts(act, evidence.passage) else None


def term(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """How long a text is in force says nothing of a licence that it rules, nor the other way round."""
    asked = TERM_OF.search(text)
    if asked is None:
        return None
    kind = TEXT_KIND.search(asked["thing"])
    words = evidence.around or evidence.passage
    if kind and kind[0] in evidence.regulation.title[-12:]:
        stated = OWN_TERM.search(words)
    else:
        stated = TERM_STATED.search(OWN_TERM.sub("", words))
    return None if stated else f"“{asked['thing'].lstrip('年月日')}”的有效期"


def licence(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """One licence is none of another: 排污许可证 is not read from what rules 安全生产许可证."""
    asked, held = _licences(text), _licences(evidence.passage)
    said = "".join(LICENCE.findall(evidence.passage)) if asked and held else ""
    other = next((kind for kind in asked if set(kind).isdisjoint(said)), None)
    return None if not held or other is None or other in evidence.words else f"“{other}许可”"


@lru_cache(2048)
def _licences(text: str) -> tuple[str, ...]:
    """Return what the licences are for that a folded text names: 排污 of 排污许可证; a licence of no kind is not among them."""
    kinds = []
    for name in LICENCE.findall(text):
        word = next(reversed(words_of(name)), "")
        if len(word) > 1 and not NO_LICENCE.fullmatch(word):
            kinds.append(word)
    return tuple(dict.fromkeys(kinds))


def fined_only(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A value that is asked without a breach is none that stands in what breaking the rule costs (保证金交多少: 处五万元罚款)."""
    wanted, passage = quantities.wanted(text), evidence.passage
    breach = quantities.CONSEQUENCES.search(text) or TELLS_BREACH.search(text) or "滞纳金" in text
    if not wanted.any() or breach or not (PENAL.search(passage) or "滞纳金" in passage):
        return None
    passage = "。".join(said for said in re.split("[。；;]", passage) if "滞纳金" not in said)  # what paying late costs
    stated = quantities.stated(quantities.without_penalties(passage)) > 0
    return None if (wanted & stated).any() else "所问的数额"


def mark(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A mark (分数线) is asked for and stated as one."""
    words = evidence.own if evidence.in_table else evidence.passage
    return "所问的分数" if MARK.search(text) and not MARK_STATED.search(words) else None


def clock(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A time of day is asked for and stated of what it is asked of."""
    if coverage.CLOCK_ASKED.search(text) is None:
        return None
    passage = evidence.own if evidence.around else evidence.passage
    return None if coverage.clock_stated(query, passage, evidence.around) else "所问的钟点"


def points(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """Points are asked of a row that has some: in a cell, or in a column of them."""
    asked, row = COUNTED.search(text), evidence.row
    if row is None or asked is None or asked["unit"] != "分":
        return None
    return None if "分" in f"{evidence.own} {row.caption}" else "所问的分数"


def bound(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """Who states only the least says nothing of the most, and the other way round.

    Of a paper that speaks of the thing itself (绿色环境价值最高多少) what it says of it counts.
    """
    for asked, stated, other in ((MOST_ASKED, MOST_STATED, LEAST_STATED), (LEAST_ASKED, LEAST_STATED, MOST_STATED)):
        found = asked.search(text)
        if found is None:
            continue
        if not stated.search(evidence.own) and other.search(evidence.own):
            return f"所问的“{found[0]}”"
        own = coverage.of_paper(evidence.regulation) and not evidence.around
        if own and not (
            FIGURED.search(evidence.own) or stated.search(evidence.passage) or DEFERRING.search(evidence.own)
        ):
            return f"所问的“{found[0]}”"
        of_thing = _clauses_on(text[: found.start()], evidence)
        if other.search(of_thing) and not stated.search(of_thing):
            return f"所问的“{found[0]}”"
    if MOST_SUM.search(text) and not quantities.CONSEQUENCES.search(text) and not MOST_STATED.search(evidence.own):
        return "所问的最高金额"
    return None


def _clauses_on(asked: str, evidence: EvidenceText) -> str:
    """Return what a paper says behind what stands right before 最高 or 最低 in a question; nothing of a statute."""
    own = evidence.regulation
    thing = re.search(rf"{HAN}{{4}}$", asked)
    if thing is None or not coverage.of_paper(own):
        return ""
    return "\n".join(re.findall(rf"{re.escape(thing[0])}[^。；;]*", tight(own.text)))


def figure(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A sum of money is asked of a table that has no figures but the numbers of its rows."""
    if evidence.row is None or not MONEY.search(text):
        return None
    own = evidence.regulation.text
    cells = (cell.of(own).strip() for row in evidence.row.table.rows for cell in row.cells[1:])
    stated = (FIGURE.fullmatch(cell) or quantities.stated(fold(cell))[KIND["fine"]] for cell in cells)
    return None if any(stated) else "所问的金额"


def is_no_answer(text: str) -> bool:
    """Tell whether the values and lists that a folded question names are not what it asks for: who sets them, or whether any does."""
    sets, limited = SETS.search(text), LIMITED.search(text) and not quantities.ASKS_VALUE.search(text)
    return bool(sets or limited)


def value(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A value of an exact kind is asked for and one of that kind is stated."""
    wanted, stated = quantities.asked(text).copy(), quantities.stated(evidence.passage)
    if PAYS.search(text) and not wanted[KIND["fine"]] and "罚款" not in text:
        wanted[KIND["fee"]] = 1
    paper = coverage.of_paper(evidence.regulation)
    if ((wanted[KIND["fine"]] and paper) or "罚款" in text) and not quantities.PENALTY.search(evidence.words):
        return "所问的罚款数额"
    lacking = [k for k, w, s in zip(quantities.KINDS, wanted, stated, strict=True) if w and not s]
    exact = [k for k in lacking if k.name in EXACT and _meant(k.name, text, evidence.passage)]
    if paper and HOW_LONG.search(text) and not (stated[KIND["time"]] or stated[KIND["day"]]):
        exact.append(quantities.KINDS[KIND["time"]])
    met = any(w and s for k, w, s in zip(quantities.KINDS, wanted, stated, strict=True) if k.name in EXACT)
    said = [word for word in words_of(text) if len(word) > 1]
    none = [s for s in re.split("[。；;]", evidence.own) if EXCEPTED.search(s)] if paper else []
    excepted = _named_in(none, said) > coverage.MATTER
    return f"所问的{exact[0].said}" if exact and not met and not excepted else None


def date(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A day of the calendar (几月几日前) is stated, or it is left to whoever sets it."""
    asked = DATE_ASKED.search(text)
    stated = asked is None or DATE_STATED.search(evidence.passage)
    return None if stated or (asked and asked["any"] and FROM_EVENT.search(evidence.passage)) else "所问的日期"


def degrees(text: str, query: Query, evidence: EvidenceText) -> str | None:
    """A temperature or a slope is asked for and stated as one."""
    stated = DEGREES.search(evidence.passage) or ANGLE.search(evidence.passage)
    return "所问的度数" if COUNTED_DEGREES.search(text) and not stated else None


def states(text: str, passage: str) -> bool:
    """Tell whether a passage states a value of a kind that a question asks for; a temperature counts as one."""
    met = (quantities.wanted(text) > 0) & (quantities.stated(passage) > 0)
    return bool(met.any()) or bool(DEGREES_ASKED.search(text) and DEGREES.search(passage))


def _meant(kind: str, text: str, passage: str) -> bool:
    """Tell whether a question surely asks for this kind of value and the passage has no other way to state it."""
    if kind in ("fee", "fine"):
        sum_asked = MONEY.search(text) or (PAYS.search(text) and not SHARE.search(passage))
        return bool(sum_asked) and not PARTS.search(passage)
    return not FRACTION.search(passage) if kind == "share" else "电压" not in text
