"""Who a sentence is about: the subject of 应当, 不得, 可以 (行为主体).

A Chinese legal sentence names its subject at the head of a clause (电网企业应当…) or once for several (…人发现…的，应当…).
Where the head of the clause says nobody, the nearest clause before it in the same sentence is asked, and no other sentence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

MODALS = "应当|必须|不得|禁止(?![^，。；]{0,6}(?:目录|名录|清单|区域)|(?<=国家禁止)[^，。；]{1,16}的)|严禁|可以|(?<![所占持享共])有权(?![属利益限机威人])|(?<![只负])有(?:义务|责任)(?![的人心感])|(?<![双各对一多购售甲乙丙买卖供需])(?<!电)方可|(?<![必无毋])须(?![知要臾])"
"""立法技术规范: words of duty, prohibition and permission."""
SHORT = (
    "(?<![相适反响供对顺因呼感效])应(?![当急用收付税邀允届力变聘试诉征战考激])(?!对(?![^，。；：]{1,40}(?:负责|进行|实施|开展|出具|作出|给予|予以|提供|加强|建立|采取|制定|承担|说明)))"
    "(?!(?:单独|共同)?(?:缴|交|得|获|承担|分摊|负|发|计|享|扣|补|退|给)[^，。；：]{0,6}(?:的|部分))"
    "|(?<![必需重主次紧首概纲摘只就将若须])要(?![求点素件害么约道塞闻领务员地旨])"
    "|(?<![许认宁不])可(?!以|再生|靠|能|行|持续|见|燃|控|调(?!整)|用|信|视|追|观|分为|理解|表示|回收|变|供|逆|研|查|谓|否|溯|比|疑|降解|开放容|利用|采|移动|溶|中断|公开的|上网|测|操作|接受|交易|复制|推广|达|容纳|支配|重复|循环|预|避免)"
)
"""What official papers (公文) write for 应当 and 可以: one character, of which many other words are made."""
_ANY = re.compile(f"{MODALS}|{SHORT}")
_NO_NAME = re.compile(f"{MODALS}|{SHORT}|需要|涉及")
"""Never part of a name: what stands before it says what is needed of whom (事项需要两个以上单位承办的)."""
_MODAL = re.compile(MODALS)
_TO_SHORT = re.compile(
    "(?:$|也|还|均|都|亦|不|针对|同时|共同|一律|原则上|依法|及时|定期|每年|每月|自行|根据|按照?|依照|依据|在|对|自|于|结合|会同|商|因|为|通过|与|就|将|向|经)"
)
"""What may open the words between a subject and a short modal word: never a verb of its own (制定可落地的方案)."""
_LONGEST = 160
_DESCRIBED = 30
"""Characters from the last 的 of a described subject to its end."""
_CONNECTIVE = re.compile(
    r"^(?:但是?|即|如果|如(?![下何期实])|若|同时|并且|因此|其中|此外|原则上|必要时|情况紧急时|届时|事后|确需|需要|属于(?!.*(?:单位|企业|机构|部门)$)|确保|保障)?[，]?"
)
_NO_SUBJECT = re.compile(
    r"(?:在|对(?!外(?:贸易|经济|投资|承包))|除|自(?!然资源|然人)|向|根据|按照|依照|依据|违反|有(?!关)|未|因|为|经(?!济|营|贸)|当|凡|如|若|除|前|符合|需|发生|超过|逾期|情节|构成|造成|本|由|将|向|给|维护|遵守|履行|尊重|危害|损害|妨碍|破坏|放开|大力|促进|提升|增强|强令|推进|推动|加快|完善|健全|强化|优化|落实|鼓励|支持|仅?允许|助力|引导|开展|接受|"
    r"[一二三四五六七八九十两\d]+个?(?:工作)?(?:年|月|日|小时)[内后前]|(?:或者|并|且|以及)?(?:发现|认为|收到|接到|协助|配合|督促|接待|委托(?!人|单位|方)|申请(?!人|单位|企业|方)|拒不|拒绝|擅自|要求|确需|未经|通过|进行|采取|取得|不|没有|可能|已经|仍|经过))"
)
_ADVERB = re.compile(r"(?:还|也|均|都|亦|仍|只|一般|原则上|至少|随时|每年|每月|每季度)$")
"""Stands between a subject and its modal word and says nothing of either."""
_IS = re.compile("(?<!特别)(?<!尤其)是(?!否)")
_BANNED = ("禁止", "严禁")
_JUDGED = re.compile(r"认定为|从[重宽轻]|减轻|不起诉|依照刑法|以[^，。；]{1,12}论处|数罪并罚|(?:予以|不予|予)支持")
"""What a court does: a sentence of a judicial interpretation names the accused, not who must judge."""
_WITHIN = re.compile(r"^在[^，。；：]{1,24}[内中下]$")
_IN_CHARGE = re.compile("对[^，]{1,30}(?:负有|负责)[^，]{1,20}的")
_AGENT = "(?<=[一-龥]{2})人(?![员民工口身力才类为数均物事文防造体士生大家群种])|(?<=[一-龥]{2})(?<!或)者(?!的)|大会(?!议)|(?<=[一-龥])户(?![外籍口均主型数内])"
"""People and bodies named after what they do (汇交人, 使用者), of which no list is complete."""
_ASIDE = re.compile("[将把由给]|对(?!外(?:贸易|经济|投资|承包))")
"""Opens a clause whose first noun is not its subject."""
_NOTE = re.compile(r"（(?:以下|下|包括|含)[^（）]*）")
_NOBODY = re.compile(
    r"(?:不(?!动产|特定)|未(?!成年))[^的]*$|.*是指|(?:申请(?!人|单位|企业|方)|请求|通知|并(?!网|轨|购|联)|报|与|积极|责令|应当|.*(?<!自)由|经(?![济贸信营]))|.{0,20}[前后并且]经(?![济贸信营])"
)
"""No subject though it ends in one: who is told, asked, or has to agree (不一次告知申请人, 起诉前经人民政府)."""
_TOLD = re.compile(r".{1,20}(?<![预通申举情电汇日周晚填上])报(?![告社刊纸检关业名警废道价])")
"""Ends in who is told (实施方案报能源局)."""
_THING = re.compile(
    r"(?:^|的)[^，的按据依照以经]{0,16}(?:价格|电价|电费|费用|收入|成本|电量|容量|结果|内容|参数|规模|比例|数据|信息)$"
)
"""Ends in a thing that a rule is about, whoever is named before it (电网输电价格应当…, 机构备案的结果应当…)."""
_QUOTING = re.compile(r"^(?:《[^《》]{1,60}》[^，的《》]{0,16}?)?(?:明确)?(?:提出|规定了?|明确了?|要求)(?=.{2,}$)")
"""Who or what says it, before the name of who must act (《意见》提出各地要…, 要求售电公司必须…)."""
_BEFOREHAND = re.compile(r"^[^，、的]{2,12}(?<!目)前(?![款条置期沿端海述两往]|项(?!目))(?=.{2,}$)")
"""When somebody acts, said before the name without a comma (开工前建设单位应当…)."""
_OF_IT = ("应当", "必须", "可以")
"""Modal words before which a clause may first name what something is done to (对移送的案件应当及时处理)."""
_WHO_DOES = re.compile("(?:从事|承担|使用|取得|具有|具备|参加|经营)[^，的]{2,30}的")
"""Goes on with a name by what its bearer does (保险公司从事销售的人员)."""
_NOT_HIS = re.compile("由|用于|投入(?:使用|生产|运行)")
"""What the subject of an earlier clause does not do: another does it, or it is said of a thing (不符合标准的，不得用于…)."""
_DECIDED = re.compile(
    "(?:当场|依法|直接|及时|立即){0,2}(?:作出[^，。；]{0,12}(?:许可|审批|批准|登记)[^，。；]{0,6}决定|准予|(?:予以|不予)(?:批准|登记|核准|许可)|颁发|核发|发给)"
)
"""What an authority does for the one that an earlier clause names (申请人…符合条件的，应当准予登记)."""
_ATTRIBUTE = re.compile(
    r"(?:对不?|将|把|(?<!行)为|是|的|认为|规定|要求|责令|属于|包括|其他?|以及|(?<!单位)(?<!部门)(?<!企业)(?<!机构)(?<!人员)等|是否)$"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A modal word with its subject, places in the sentence."""

    actor: str
    modal: str
    start: int
    """Where the subject begins."""
    end: int
    """Where the clause group ends."""


class SubjectReader:
    """Reads subjects with one set of word lists; thread-safe."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        heads = "|".join(sorted({*words["heads"], *words["parties"]}, key=len, reverse=True))
        opener = "|".join(sorted(words["openers"], key=len, reverse=True))
        party = rf"(?:(?<!或)(?:{heads}|{_AGENT}))(?:（[^（）]{{1,100}}）)?"
        more = rf"(?>(?:、|和|及其?|与|或者?|以及)[^，。；：]{{0,30}}?{party}){{0,15}}+"
        self._before = re.compile(
            rf"^(?P<a>[^，。；：]{{0,120}}?{party}{more}(?:(?:以及|和|及|、|或者?)其他[^，。；：的、]{{2,8}})?)"
            rf"(?:(?:{opener})(?!的)|{MODALS}|{SHORT}|等?$)"
        )
        self._lists = re.compile(
            rf"^(?P<a>(?:[^，。；：]{{0,30}}的)?[^，。；：的]{{0,30}}?{party}{more})(?:(?=应当|必须|可以)|享有|具有|履行|承担|行使|负有)"
            rf"(?![^。]*(?:行为|情形|处罚|罚款))[^。；：]{{0,60}}(?:下列|以下|如下)[^。；：]{{0,30}}：$"
        )
        self._short = re.compile(
            rf"(?:{heads}|{_AGENT})（(?:以下|下称?)(?:统称|简称|称)?为?[“《]?(?P<n>[^”》（），。；]{{2,20}})[”》]?）"
        )
        self._ends = re.compile(f"(?:{heads}|{_AGENT})$")
        self._organ = re.compile(f"(?:{'|'.join(words['heads'])})$")
        self._last = re.compile(rf"^(?P<a>[^，。；：的]{{0,60}}(?:{heads}|{_AGENT}))(?=[^，。；：的][^，。；：])")
        self._acting = re.compile(rf"(?:{heads}|{_AGENT})(?:{opener})")
        self._opening = re.compile(rf"^(?P<a>(?:[^，。；：的]{{2,20}}的)?[^，。；：的]{{0,30}}?{party}{more})(?!的)")

    def names(self, text: str) -> tuple[str, ...]:
        """Return the short names that a text gives to parties (…调度中心（以下简称“总调”）), the longest first."""
        return tuple(sorted({m["n"] for m in self._short.finditer(text)}, key=lambda n: (-len(n), n)))

    def statements(self, sentence: str, names: Sequence[str] = (), lead: str = "") -> Iterator[Statement]:
        """Yield what a sentence in its flat form obliges, forbids and allows whom.

        ``names`` are of further parties; ``lead`` opens the list that the sentence is an item of (…有下列权利：).
        """
        for match in _ANY.finditer(sentence):
            found = self._subject(sentence, match, names, lead)
            if found is not None and not _NOBODY.match(found[1]) and not _JUDGED.match(sentence, match.end()):
                stop = re.compile("[；。：]").search(sentence, match.end())
                actor = _QUOTING.sub("", _BEFOREHAND.sub("", _NOTE.sub("", found[1])))
                actor = next((part for part in _IS.split(actor, maxsplit=1) if self._ends.search(part)), actor)
                yield Statement(actor, match[0], found[0], stop.start() if stop else len(sentence))

    def _subject(self, sentence: str, modal: re.Match[str], names: Sequence[str], lead: str) -> tuple[int, str] | None:
        start = max(sentence.rfind(mark, 0, modal.start()) for mark in "，；：") + 1
        clause = _ADVERB.sub("", sentence[start : modal.start()])
        banned = sentence.startswith(_BANNED, modal.start()) and _MODAL.search(clause) is not None
        if banned or _ATTRIBUTE.search(clause) or _THING.search(clause) or len(clause) > _LONGEST:
            return None
        skipped = _CONNECTIVE.match(clause)
        opens = skipped.end() if skipped else 0
        found = self._before.match(clause[opens:])
        name = next((n for n in names if clause.startswith(n, opens)), "") if found is None else found["a"]
        if name and (not _ASIDE.match(clause, opens) or _IN_CHARGE.match(clause, opens)):
            if _WHO_DOES.match(clause, opens + len(name)) and self._ends.search(clause):
                name = clause[opens:]
            near = (found and _MODAL.match(modal[0])) or _TO_SHORT.match(clause[opens + len(name) :])
            return (start + opens, name) if near else None
        excepted = clause.startswith("除", opens) and "外" not in clause  # 除可以依照…处罚的以外
        of_it = clause.startswith("对", opens) and modal[0] in _OF_IT
        if excepted or (_ASIDE.match(clause, opens) and not of_it):
            return None
        elsewhere = clause[opens:] and not _NO_SUBJECT.match(clause, opens)
        if elsewhere or _NOT_HIS.match(sentence, modal.end()):
            return None
        earlier = self._earlier(sentence, start - 1, lead)
        decided = earlier and not self._organ.search(earlier[1]) and _DECIDED.match(sentence, modal.end())
        return None if decided else earlier

    def _earlier(self, sentence: str, end: int, opening: str = "") -> tuple[int, str] | None:
        """Look for the subject in the clauses before, the nearest first; last in the line that opens the list."""
        while end > 0:
            start = max(sentence.rfind(mark, 0, end) for mark in "，；：") + 1
            clause = sentence[start:end]
            skipped = _CONNECTIVE.match(clause)
            lead = skipped.end() if skipped else 0
            if sentence.startswith("；", end) and _THING.search(clause):
                end = start - 1
                continue
            if clause.startswith("由") or (_THING.search(clause) and not self._takes(clause)):
                return None
            if clause.startswith(("确保", "保障")):
                end = start - 1
                continue
            if self._described(clause, lead):
                return start + lead, clause[lead:]
            if not _NO_SUBJECT.match(clause, lead):
                found = self._before.match(clause[lead:]) or self._conditional(clause, lead)
                if found is not None and not (_NO_NAME.search(found["a"]) or _TOLD.match(found["a"])):
                    return start + lead, found["a"]
                opening = ""  # somebody or something else may be spoken of
            end = start - 1
        led = self._lists.match(opening)
        return (0, led["a"]) if led else None

    def _takes(self, clause: str) -> bool:
        """Tell whether a clause that ends in a thing names before it who takes it up (…机构对检查的结果，可以…)."""
        found = self._before.match(clause)
        return found is not None and clause.startswith(("对", "将", "就"), found.end("a"))

    def _described(self, clause: str, lead: int) -> bool:
        """Tell whether a clause is nothing but a subject with what it is known by (负有职责的部门，应当…)."""
        of = clause.rfind("的", lead)
        aside = (_ASIDE.match(clause, lead) and not _IN_CHARGE.match(clause, lead)) or clause.startswith(_BANNED, lead)
        near = of >= 0 and len(clause) - of <= _DESCRIBED and not aside and clause[lead] not in "为是"
        return near and self._ends.search(clause, of) is not None

    def _conditional(self, clause: str, lead: int) -> re.Match[str] | None:
        """Read the subject of a condition (职工发生…的，应当…), of which no list of verbs is complete."""
        if clause.endswith(("的", "时", "后", "前")):
            return self._opening.match(clause[lead:])
        last = None if "的" in clause else self._last.match(clause[lead:])
        return None if last is None or self._acting.search(last["a"]) else last

    def before(self, sentence: str, place: int) -> str:
        """Return who does what a sentence states without a modal word (…部门依照…，对…实施监督检查); empty: nobody named."""
        start = max(sentence.rfind(mark, 0, place) for mark in "，；：") + 1
        clause = _WITHIN.sub("", sentence[start:place])
        skipped = _CONNECTIVE.match(clause)
        lead = skipped.end() if skipped else 0
        found = self._before.match(clause[lead:]) if not _ASIDE.match(clause, lead) else None
        if found is None and not clause[lead:]:
            earlier = self._earlier(sentence, start - 1)
            return _NOTE.sub("", earlier[1]) if earlier else ""
        return _NOTE.sub("", found["a"]) if found else ""
