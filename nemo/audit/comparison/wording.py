"""Whether words say what a provision says: word for word, or its values, duties and bodies (文字比对)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nemo.audit.comparison.values import within
from nemo.audit.keyed import KeyedText, in_order, keyed, window
from nemo.text.versions.edits import Edit, EditKind, edits
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import folded, quantities
from nemo.text.words.tokenise import plain_words
from nemo.types import Span

_WEIGHTY = re.compile(
    r"\d+(?:\.\d+)?|百分之|应当|应|必须|可以|可|不得|禁止|严禁|须|无需|无须|有权|不(?!动产|可抗力)|未|非|免|以上|以下|以内|之前|之后|前|后|超过|低于|高于|少于|"
    r"多于|大于|小于|至少|至多|部门|机构|政府|企业|委员会|[局厅部院委]|业主|单位|机关|全部|部分|任何|每|首(?!先)|最[高低长短大小先后早迟]|"
    r"[一二三四五六七八九十百]{1,6}(?=[年月日])|工作日|自然日|(?<!之)日|月|年|元|倍|千瓦|兆瓦|米|亩|吨|省级|市级|县级|国家(?!规定|标准|有关)|国务院|设区|准予|不予|分级|集中|统一|全额|自愿|强制|有偿|无偿|书面|口头|备案|核准|优先|连带|公开|免费"
)
_BODY_FOLLOWS = re.compile("(?:行政)?(?:主管|监管|管理|监督管理|调度)?(?:部门|机构|机关|局|厅|委员会|政府|企业)")
"""What is replaced before these words is a body: 能源主管部门 for 价格主管部门."""
_LEADS = re.compile("[应可须经由向报]")
"""No name of a body opens with these (须经管理机构批准)."""
_OFFICE = re.compile("(?:行政|主管|监督|管理|监管){0,3}(?:部门|机构|机关|局|厅|委员会|委)$")
"""What a memo may write otherwise in the name of a body (海事局 for 海事管理机构)."""
_TURNS = re.compile("不|未|非|除外|以上|以下|以内")
"""Words that turn a rule when they are left out; a retelling may leave out others."""
_STANDS_FOR = re.compile("[者的方其人]{1,2}|[前后]者|双方|自己")
"""What a retelling writes for any body."""
_GOES_ON = re.compile("(?:逾期|到期)[不未][^，。；的]{1,4}的?$")
"""What 逾期 says by itself (逾期由甲拆)."""
_AT_MOST = re.compile("不得?超过|得?不超过")
_NO_MORE = re.compile("不(?:得|应|能)?(?:超过|高于|多于)|最[多高]为?")
_AT_LEAST = re.compile("不(?:得|应|能)?(?:少于|低于)|最[少低短]")
_LISTED = re.compile("以下(?=情形|条件|事项|内容|材料|行为|方式|情况|要求|规定|原则|信息|几|简?称)")
_WITHIN = re.compile("(?<=范围)[之以]?内")
_AREA = re.compile("的(?:区域|范围)(?=[之以]?内)")
_OURS = re.compile("[我贵你本]")
_ONLY_THEN = re.compile("(?:之?后)?(?:方|才)(?:得|可以?|能够?)")
_NUMBER, _UNITS = r"\d{1,9}(?:\.\d{1,4})?", "万?元|倍|年|个?月|日|米|%|‰"
_FROM_TO = re.compile(
    rf"(?P<low>{_NUMBER})(?P<unit>{_UNITS})以上(?:至|到)?(?P<high>{_NUMBER}(?P=unit))以下|"
    rf"(?P<from>{_NUMBER}|[一二三四五六七八九十百千]{{1,5}})(?P<scale>万)?(?:{_UNITS})?[到至~～—–-]{{1,2}}(?={_NUMBER})"
)
"""All ways of a range: 6倍以上12倍以下, 6到12倍, 5万至10万元."""
_SHARED = re.compile(
    rf"(?P<low>{_NUMBER}|[一二三四五六七八九十百千]{{1,5}})(?P<to>[到至~～—–-]{{1,2}})(?P<high>{_NUMBER}|[一二三四五六七八九十百千]{{1,5}})(?P<unit>[万亿]元)"
)
"""A range whose first end leaves its unit to the second (十至一百万元)."""
_NONE = re.compile("没有|没(?=造成|发生|产生|出现)")
_LAST_YEAR = re.compile("上一(?=年|季|月)")
_BINDS = re.compile(r"[不未非无禁严免可应须必有准]|[省市县]级|国|设区|\d|以[上下内]|前|后|内|至[多少]|[低高少多大小超]")
_EACH_DAY = re.compile("(?:每[一1]?[日天]|[按逐][日天](?=[加计收连罚支累]))")
_ENTITLED = re.compile("(?<!所)有权(?![人机部])")
_DUTY = re.compile("应当|必须|(?<!无)须(?!知)")
_FULL = re.compile(r"满\d")
"""满二十五人 is 二十五人以上."""
_BEFORE = re.compile(r"(?<=[\u4e00-\u9fa5])前(\d{1,4}(?:个?月|工作日|[日天年]|小时))(?![前后内])")
"""开工前60天 is 开工60天前."""
_YEARLY = re.compile(r"每年的?(?=(?:\d{1,2}|[一二三四五六七八九十]{1,2})月)")
_FORBIDS = re.compile("没有|未经|(?<![出沉淹罚])没(?!收)|严?禁止?|不[准许]|不允许|不可以?|不能|不得|未能")
_CASE_ENDS = re.compile("[的时后前外][，,]?$|[：:]$")
_TURNING = re.compile(r"[不未非无除但且仅只免可须应由经向报处前后]|责令|会同|派出|重大|严重|故意|\d|以[上下内]")
"""What turns a sentence when it is left out."""
_TURN = 4
"""Characters of a word that turns a rule; a longer stretch left out is one of several things the rule names."""
_CLAUSE = re.compile(r"[,，。;；:：!?！？\n]+")
_NEAR, _RESTATED = 0.72, 0.5
"""Two clauses this alike are one clause, rewritten, where so much of the provision's stands in the memo's."""
_RANGE = re.compile("以[上下内]")
_MOVED = 3
"""Characters of words that a retelling may put elsewhere; a shorter one (不) turns the rule."""
_UP_TO = frozenset(("可", "可以", "最长", "最多", "最高", "最大", "至多"))
_FREE = re.compile("至少|至多|最[高低长短大小早迟]|全部|每|任何")
_LONG_CLAUSE = 12
"""Characters of a clause in which one other word is no retelling."""
_PARTICLES = frozenset(
    "的地得之其该此各与和及或并且而又也均都应须当向对于在内中里上下将把由被经按依据为是做作等者所以可能须需要同跟所已再"
)
"""One character that a retelling puts for another without saying anything else."""
_WORD = re.compile("(?![但且并或])(?:(?![的了之其所者])[\u4e00-\u9fa5]){2,4}")
_LONGEST_CHANGE = 14
_SHORTEST = 6
_PROVISO = re.compile(
    r"^(?:[\s，,；;]*除(?!尘|湿|冰)[^。；]{2,40}外|[\s，,；;。]*但(?:是)?(?!书)|(?:[\s，,；;]*[^。；除]{0,40}|[\s。]*[^，,。；除]{0,24})(?:除外|另有(?:规定|约定)的?，?(?:从其|[依按]照其|适用其)(?:规定|约定)))"
)
_EXCEPTION_BEFORE = re.compile(r"除[^。；，]{2,40}外，\s*$")


# --- quotations -------------------------------------------------------------------------------------------------------


def pieces(quote: str) -> list[KeyedText]:
    """Return the parts of a quotation between its own marks of omission."""
    parts = re.split(r"(?:…|\.{3,}|。{3,}|[\[(（](?:略|省略|中略)[\])）])+", quote)
    return [k for part in parts if (k := keyed(part)).key]


def found_in(parts: list[KeyedText], place: KeyedText) -> list[Span] | None:
    """Return where the parts of a quotation stand in a place, one after the other; None when one does not."""
    at, out = 0, []
    for part in parts:
        start = place.key.find(part.key, at)
        if start < 0:
            return None
        at = start + len(part.key)
        out.append(place.span(start, at))
    return out


def lost_proviso(text: str, span: Span, unit: Span, said_after: str) -> str:
    """Return the exception that a quotation leaves out; empty when it leaves out none.

    Only a quotation that begins where a sentence begins claims to be the rule: a phrase out of its middle does not.

    Args:
        text: The held text.
        span: What was quoted.
        unit: The 款 or article around it.
        said_after: What the memo writes after the quotation: it may give the exception itself.
    """
    if re.search(r"但|除外|另有规定|(?<!没有)(?<!任何)(?<!无)例外", said_after):
        return ""
    head = text[unit.start : span.start]
    begins = re.search(r"(?:^|[。；：:\n\s]|条[\s\u3000]*|[）)])$", head[-12:]) is not None
    rest = text[span.end : unit.end]
    sentence = re.match(r"[^。]{0,160}。?", rest.lstrip("。”"))
    if (match := _PROVISO.match(rest)) and (begins or match[0].lstrip("，,；;。 \n").startswith("但")):
        return (sentence[0] if sentence else match[0]).strip("，,；;。 \n")
    if (before := _EXCEPTION_BEFORE.search(head)) is not None:
        return before[0].strip()
    return ""


# --- words in the memo's own sentence -----------------------------------------------------------------------------------


def clauses(text: str) -> Iterator[Span]:
    """Yield the clauses of a saying that are long enough to be compared."""
    at = 0
    for match in [*_CLAUSE.finditer(text), None]:
        end = match.start() if match else len(text)
        if len(keyed(text[at:end]).key) >= _SHORTEST:
            yield Span(at, end)
        at = match.end() if match else end


def not_abridged(saying: str, place: str) -> str:
    """Return a saying without the sentences, and the clauses that are no case, that are a provision's with words left out."""
    left = []
    for sentence in filter(None, re.split("[。；;\n]", saying)):
        parts = [p for p in re.split("(?<=[，,：:])", sentence) if len(keyed(p).key) > 1]
        told = [_abridges(p, re.split("[。；;\n，]", place)) for p in parts]
        if not (all(told) or _abridges(sentence, re.split("[。；;\n]", place))):
            left.append("".join(p for p, so in zip(parts, told, strict=True) if _CASE_ENDS.search(p) or not so))
    return "；".join(left)


def _abridges(saying: str, parts: list[str]) -> bool:
    """Tell whether words are one of some parts of a provision with words left out that turn nothing."""
    said = keyed(_as_compared(saying)).key
    for part in parts if len(said) >= _SHORTEST else ():
        held, gaps = keyed(_as_compared(part)).key, []
        at = len(held)
        for char in reversed(said):
            end, at = at, held.rfind(char, 0, at)
            gaps.append(held[at + 1 : end])
            if at < 0:
                break
        if at >= 0 and not any(_TURNING.search(gap) for gap in (*gaps[1:], held[max(0, at - _MOVED) : at])):
            return True
    return False


@dataclass(frozen=True, slots=True)
class WordingChange:
    """A weighty difference between a clause and the provision it rewrites."""

    said: str
    true: str


def _beyond(edit: Edit, old: str, new: str, place: str) -> bool:
    """Tell whether a change at an end of a clause is what stands beyond it: put in, left out, or said by another clause (…、财政部门制定)."""
    replaced = edit.op is EditKind.REPLACED and _tokens(old) and _tokens(new)
    return not replaced or (len(new) > _TURN and all(w in place for w in plain_words(new) if len(w) > 1))


def difference(clause: str, place: str, *, whole: bool = False) -> WordingChange | None:
    """Return the weighty difference of a clause that rewrites a stretch of ``place``; None when there is none.

    Args:
        clause: The memo's words.
        place: The provision.
        whole: They are a whole sentence: only a word for another counts, for a retelling leaves out and puts in.
    """
    free = {v.folded for v in quantities(clause) if within(place, v, clause)}
    clause = clause if _WITHIN.search(place) else _WITHIN.sub("", clause)
    none = "未" if "未" in place and not re.search("[没无]", place) else "无"
    clause, place = _as_compared(clause, none), _as_compared(place, none)
    said, held = keyed(clause), keyed(place)
    if held.key.find(said.key) >= 0:
        return None
    whole_place = held.key
    here, changed = _rewritten(said, place)
    for edit in changed:
        old, new = _whole_word(here, edit.old), _whole_word(said.key, edit.new)
        if new in free or (free and _RANGE.search(old)) or (whole and not (_tokens(old) and _tokens(new))):
            continue
        outer = edit.new.start == 0 or edit.new.end == len(said.key)
        if whole and (outer or re.search(r"\d", new)):  # its values are compared by themselves
            continue
        replaced = edit.op is EditKind.REPLACED
        named = replaced and not old.endswith("的") and not _LEADS.match(new)  # 前款规定的企业 names none
        fills = not _meaning(old) and new.lstrip("对向由给将") in whole_place  # 处罚款的 for 对企业处罚款
        if fills or (named and _one_name(old, new, here[: edit.old.end])) or _stands_too(edit, said.key, whole_place):
            continue
        body = named and min(len(old), len(new)) >= 2 and _BODY_FOLLOWS.match(here, edit.old.end) is not None
        if outer and not body and _beyond(edit, old, new, whole_place):
            continue
        if _light(edit, here, said.key, whole_place) or (
            edit.op is EditKind.INSERTED and len(new) >= _MOVED and new in whole_place
        ):
            continue
        if not body and (_left_out(old, new) or _both_stand(old, new, said.key, whole_place)):
            continue
        if not body and (
            _said_elsewhere(old, new, said.key, whole_place)
            or (whole and all(t in whole_place for t in _tokens(new)) and all(t in said.key for t in _tokens(old)))
            or (len(new) >= _MOVED and _meaning(new).strip("应") in _meaning(whole_place))
        ):
            continue
        if not _STANDS_FOR.fullmatch(new) and (body or _weight(edit, old) != _weight(edit, new)):
            return WordingChange(new, old)
    return _other_word(changed, here, said.key, whole_place)


def _as_compared(text: str, none: str = "无") -> str:
    """Return a text with one form of what memos and laws write in several: numbers, ranges, 没有 (``none``), 应当 and 应."""
    text = _LISTED.sub("", _LAST_YEAR.sub("上", _AREA.sub("", _NONE.sub(none, text))))
    text = _EACH_DAY.sub("每日", text).replace("设区的市级", "设区的市")
    text = _DUTY.sub("应", _ENTITLED.sub("可以", text))
    return _BEFORE.sub(r"\1前", _FROM_TO.sub(_range, folded(_ONLY_THEN.sub("方可", _SHARED.sub(_each_end, text)))))


def _one_name(old: str, new: str, before: str) -> bool:
    """Tell whether two names may be one: the same office, or characters left out (林草, of 林业草原), of what stands in front too (社保)."""
    same = _OFFICE.sub("", old)[-2:] == _OFFICE.sub("", new)[-2:] != ""
    return same or in_order(new, old) or (min(len(old), len(new)) > 1 and in_order(new, before[-len(old) - _TURN :]))


def _stands_too(edit: Edit, said: str, place: str) -> bool:
    """Tell whether the words of an edit stand elsewhere in a provision, with what follows them."""
    start, end = edit.new.start, edit.new.end
    return end - start > 1 and end < len(said) and said[start : end + _TURN] in place


def _each_end(match: re.Match[str]) -> str:
    low, high = (float(n) if n[0].isdecimal() else parse_number(n) or 0 for n in (match["low"], match["high"]))
    return f"{match['low']}{match['unit'] if low <= high else ''}{match['to']}{match['high']}{match['unit']}"


def _range(match: re.Match[str]) -> str:
    if match["low"]:
        return f"{match['low']}至{match['high']}"
    number = match["from"] if match["from"][0].isdecimal() else parse_number(match["from"])
    return f"{float(number or 0) * (10**4 if match['scale'] else 1):.10g}至"


def _rewritten(said: KeyedText, place: str) -> tuple[str, list[Edit]]:
    """Return the stretch of a provision that a clause rewrites, with what is changed of it; no change where none is rewritten."""
    parts = [keyed(part) for part in re.split("[。；\n]", place)]
    held = max(parts, key=lambda part: part.covers(said))  # the words may recur elsewhere in the article
    at = window(said.key, held.key)
    here = held.key[at.start : at.end]
    changed = [e for e in edits(here, said.key) if e.op is not EditKind.EQUAL] if here else []
    kept = len(here) - sum(e.old.end - e.old.start for e in changed)
    alike = kept >= max(1, _NEAR * len(said.key), _RESTATED * len(here))
    return here, changed if alike else []


def _whole_word(text: str, span: Span) -> str:
    """Return a stretch without the 可 of 许可, which allows nothing."""
    words = span.of(text)
    return words[1:] if words[:1] == "可" and text[span.start - 1 : span.start] in ("许", "认") else words


def _light(edit: Edit, here: str, said: str, place: str) -> bool:
    """Tell whether an edit is what any retelling does: it leaves out, speaks of itself, or tells another rule."""
    old, new = edit.old.of(here), edit.new.of(said)
    left_out = len(new) <= 2 < _TURN < len(old) and not _tokens(new)  # but for 向 or 由
    deleted = edit.op is EditKind.DELETED
    goes_on = _GOES_ON.search(here[: edit.old.end]) is not None
    least = deleted and (len(old) > _TURN or not _TURNS.search(old) or goes_on)
    at_most = deleted and _AT_MOST.fullmatch(old) and "最" in here[: edit.old.start][-2:]  # 最长二十日
    old, new = _whole_word(here, edit.old), _whole_word(said, edit.new)
    forbids = _tokens(new) == ["不"] and not _tokens(old) and _FORBIDS.search(place)  # 没有…的，不得 for 禁止无…
    forbids = forbids or (_tokens(old) == ["不"] and not _tokens(new) and _FORBIDS.match(said))  # 禁止…, of …不得
    cased = edit.new.start == 0 and re.fullmatch("未[\u4e00-\u9fa5]{1,2}", new) and "未" in place  # 未批不得开工
    full = ("以上" in old and _FULL.search(said)) or (deleted and old == "以上")  # a case of the rule
    then = re.match("后(?!不)", new) and _tokens(new) == ["后"] and not _tokens(old)  # 同意后再办 for 同意，依法办理
    return bool(
        forbids
        or cased
        or full
        or then
        or left_out
        or least
        or at_most
        or _OURS.match(new)
        or max(len(old), len(new)) > _LONGEST_CHANGE
    )


def _both_stand(old: str, new: str, said: str, place: str) -> bool:
    """Tell whether all that weighs in words which part two clauses stands in both texts, and nothing of it binds, frees or denies."""
    mine, theirs = _tokens(new), _tokens(old)
    if any(_BINDS.match(token) for token in (*mine, *theirs)):
        return False
    return all(token in _meaning(place) for token in mine) and all(token in _meaning(said) for token in theirs)


def _left_out(old: str, new: str) -> bool:
    """Tell whether words only leave out what does not turn the rule (可用保函 for 可以用金融机构保函)."""
    was, now = (
        set(_tokens(re.sub("[也亦](?=可)", "", _AT_MOST.sub("", words) if "最" in words else words)))
        for words in (old, new)
    )
    return bool(new) and now <= was and not any(re.match(r"不|\d|应|可|免|以[上下内]", token) for token in was - now)


def _said_elsewhere(old: str, new: str, said: str, place: str) -> bool:
    """Tell whether words that part two clauses say one thing (可以延长, 最长延长), or stand elsewhere in the other."""
    weighs = {*_tokens(old), *_tokens(new)}
    if any("应" in one and other.startswith("可") for one, other in ((old, new), (new, old))):
        return False
    if weighs == {"或", "可"} and "可" in place:  # 可由乙做 for 可以做，或者委托乙做
        return True
    return (bool(weighs) and weighs <= _UP_TO) or (_elsewhere(new, place) and _elsewhere(old, said))


def _other_word(changed: list[Edit], here: str, said: str, place: str) -> WordingChange | None:
    """Return the one word that a clause puts for another of the provision it otherwise repeats (利润 for 款项)."""
    if len(changed) != 1 or changed[0].op is not EditKind.REPLACED or len(said) < _LONG_CLAUSE:
        return None
    old, new = changed[0].old.of(here), changed[0].new.of(said)
    pairs = zip(old[::-1], new[::-1], strict=False)
    tail = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    old, new = old[: len(old) - tail], new[: len(new) - tail]
    if len(old) == len(new) == 1 and changed[0].new.start > 0 and not {old, new} & _PARTICLES:
        return WordingChange(new, old) if new not in place and re.match("[\u4e00-\u9fa5]", new) else None
    words = (
        changed[0].new.end < len(said)
        and _WORD.fullmatch(old)
        and _WORD.fullmatch(new)
        and changed[0].new.start >= _LONG_CLAUSE // 2
    )
    same = set(old) & set(new) or new in place or _tokens(new) or _PARTICLES.issuperset(new)
    return WordingChange(new, old) if words and not same else None


def _elsewhere(words: str, place: str) -> bool:
    """Tell whether all that weighs in some words are such that a retelling puts elsewhere (至少), and stand there."""
    return all(_FREE.fullmatch(token) and token in place for token in _tokens(words))


def _weight(edit: Edit, words: str) -> set[str]:
    """Return what weighs in one side of an edit: 或 beside nothing is a mark of enumeration in words."""
    return set(_tokens(words)) - (set() if edit.op is EditKind.REPLACED else {"或"})


def _tokens(words: str) -> list[str]:
    """Return what weighs in some words."""
    return sorted(str(parse_number(t) or t) for t in _WEIGHTY.findall(_meaning(words)) if t != "应")


def _meaning(words: str) -> str:
    """Return words without what changes nothing: 应当 is 应, 的 and 了 are none."""
    words = re.sub("之日(?:起|开始)|以后|之后", "后", re.sub("之前|以前", "前", words))
    words = re.sub("也可以?|亦可以?|或者", "或", _YEARLY.sub("", words))
    words = re.sub("无(?:法|力|权)", "不", words)
    words = _NO_MORE.sub("至多", _AT_LEAST.sub("至少", words))
    return _DUTY.sub("应", _FORBIDS.sub("不", words).replace("未", "不")).translate(
        str.maketrans("", "", "的了其将并在为等")
    )
