"""Whether words say what a provision says: word for word, or its values, duties and bodies (文字比对)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nemo.audit.keyed import KeyedText, keyed, letters, share, window
from nemo.text.versions.edits import Edit, Op, edits
from nemo.text.words.numerals import parse_number
from nemo.text.words.quantities import Amount, folded, quantities
from nemo.types import Span

_WEIGHTY = re.compile(
    r"\d+(?:\.\d+)?|百分之|应当|应|必须|可以|可|不得|禁止|严禁|须|无需|无须|有权|不|未|非|免|以上|以下|以内|之前|之后|前|后|内|超过|低于|高于|少于|"
    r"多于|大于|小于|至少|至多|部门|机构|政府|企业|委员会|[局厅部院委]|业主|单位|机关|或者?|全部|部分|任何|每|首|最[高低长短大小先后早迟]|"
    r"[一二三四五六七八九十百]{1,6}(?=[年月日])|工作日|自然日|(?<!之)日|月|年|元|倍|千瓦|兆瓦|米|亩|吨|省级|市级|县级|国家|国务院|设区|准予|不予|分级|集中|统一|全额|自愿|强制|有偿|无偿|书面|口头|备案|核准|优先|连带|公开|免费"
)
_BODY_FOLLOWS = re.compile("(?:行政)?(?:主管|监管|管理|监督管理|调度)?(?:部门|机构|机关|局|厅|委员会|政府|企业)")
"""What is replaced before these words is a body: 能源主管部门 for 价格主管部门."""
_OFFICE = re.compile("(?:行政|主管|监督|管理|监管){0,3}(?:部门|机构|机关|局|厅|委员会|委)$")
"""What a memo may write otherwise in the name of a body (海事局 for 海事管理机构)."""
_TURNS = re.compile("不|未|非|除外|以上|以下|以内")
"""Words that turn a rule when they are left out; a retelling may leave out others."""
_STANDS_FOR = re.compile("[者的方其人]{1,2}")
"""What a retelling writes for any body."""
_AT_MOST = re.compile("不得?超过|得?不超过")
_LISTED = re.compile("以下(?=情形|条件|事项|内容|材料|行为|方式|情况|要求|规定|原则|信息|几|简?称)")
_OURS = re.compile("[我贵你本]")
_DUTY = re.compile("应当|必须|(?<!无)须(?!知)")
_YEARLY = re.compile(r"每年的?(?=(?:\d{1,2}|[一二三四五六七八九十]{1,2})月)")
_FORBIDS = re.compile("严?禁止?|不准|不允许|不可以?|不能|不得|未能")
_TURN = 4
"""Characters of a word that turns a rule; a longer stretch left out is one of several things the rule names."""
_CLAUSE = re.compile(r"[,，。;；:：!?！？\n]+")
_NEAR = 0.72
"""Two clauses this alike are one clause, rewritten."""
_FRAME_WORDS = re.compile(
    r"(?:时限|期限|期间|比例|上限|下限|金额|数额|标准|罚款额|宽度|距离|容量)?(?:是|为|系|即|定为|设定为|规定为|不超过|不得超过|不少于|不得少于|至少|最多|最高|最低|最长|须|要|有)*$"
)
"""What a memo writes between a thing and its value."""
_RANGE = re.compile("以[上下内]")
_OF_ONE = 0.8
"""Two clauses this alike give a value to one thing."""
_CHARACTERS = 0.7
_FRAME = 5
"""More characters than these around two values make them values of one thing."""
_CASE = re.compile(
    r"(?:(?:本|该|此)(?:项目|工程|公司|合同|次|案|所)|我[们司方公单]|贵[司方公单]|目标公司|[甲乙丙]方|拟建)[^,，。;；]{0,8}(?:测算|实测|实际|现[有为]|已|拟|目前|约定|承诺|计划|预计|合计|仅|共)|共(?=\d)"
)
"""The memo speaks of its own case: its values are not those of the law."""
_BARE = re.compile(
    r"(?:超过|低于|大于|小于|等于|少于|高于|为|取)(\d{1,6}(?:\.\d{1,3})?)(?![\d.,%‰℃°/\u4e00-\u9fa5A-Za-z（(〔\[-])"
)
"""A number without a unit (最高不超过1)."""
_SHARED_NUMBER = r"(?:\d{1,6}(?:\.\d{1,3})?|[一二三四五六七八九十百]{1,5})"
_SHARED = re.compile(
    rf"(?<![\d年月第.]){_SHARED_NUMBER}(?:[（()）]?[-—–~～至到（(]{_SHARED_NUMBER}){{0,3}}[（()）]?[-—–~～至到（(]$"
)
"""Numbers in front of one with a unit that is theirs too."""
_CLAUSE_ENDS = re.compile("[。；;，,、：:\n]")
_NEARBY = 40
_BRACKET = re.compile("[（(][^（()）]{0,200}[）)]")
_PENAL = re.compile(r"罚|没收")
_TO_THE_BOUND = re.compile(r"(?:最高|上限|至多|封顶|最低|下限|最多)[^,，。;；]{0,8}$")
_TAIL = 3
_CLOSER = 3
"""More common characters than the memo's own value has that make another the one meant."""
_LABEL = 10
"""Characters of what a value stands for in a cell of a table."""
KINDRED = 0.45
"""From this share on a clause speaks of what the provision speaks of."""
_MOVED = 3
"""Characters of words that a retelling may put elsewhere; a shorter one (不) turns the rule."""
_UP_TO = frozenset(("可", "可以", "最长", "最多", "最高", "最大", "至多"))
_FREE = re.compile("至少|至多|最[高低长短大小早迟]|全部|每|任何")
_LONG_CLAUSE = 12
"""Characters of a clause in which one other word is no retelling."""
_PARTICLES = frozenset(
    "的地得之其该此各与和及或并且而又也均都应须当向对于在内中里上下将把由被经按依据为是做作等者所以可能须需要所已再"
)
"""One character that a retelling puts for another without saying anything else."""
_WORD = re.compile("(?:(?![的了之其所者])[\u4e00-\u9fa5]){2,4}")
_LONGEST_CHANGE = 14
_SHORTEST = 6
_PROVISO = re.compile(
    r"^(?:[\s，,；;]*除(?!尘|湿|冰)[^。；]{2,40}外|[\s，,；;。]*(?:但(?:是)?(?!书)|[^。；除]{0,40}(?:除外|另有(?:规定|约定)的?，?(?:从其|[依按]照其|适用其)(?:规定|约定))))"
)
_TAKEN_OUT = re.compile(
    r"除(?!尘|湿|冰)(?P<what>[^。；，]{4,40}?)(?:以外|之外|外)(?:[，,]|的)|但是?[，,]?(?P<but>[^。；，]{4,40}?)的?除外"
)
_TOO = re.compile("同样|照样|一并|一律|也[应要须]|亦")
_ALL_OF = re.compile(
    r"(?:所有|一切|任何|全部|各类|凡是?)的?(?P<thing>[\u4e00-\u9fa5]{3,8}?)(?=[均都应须]|必须|不得|可以|需)"
)
_ONLY = re.compile("[仅只](?P<verb>包括|限于|适用于|用于)")
_COUNT = re.compile(
    r"(?:共|有|共有|分为|包括|规定了?|列举了?|载明)(?P<n>\d{1,2}|[二两三四五六七八九十]{1,3})(?:种|类|项|个|条|方面)(?=情形|条件|事项|内容|材料|区域|行为|方式|措施|类型|要求|工程|情况|[，,。；;]|$)"
)
_LIST_ITEM = re.compile(r"(?m)(?:^|(?<=[；;]))[ \u3000]{0,8}[（(][一二三四五六七八九十\d]{1,3}[）)]")
_ONE_ALONE = re.compile(r"(?:仅|只)(?:需要?|须|要|由)(?P<x>[\u4e00-\u9fa5]{3,12})")
_BEFORE_THING = 12
_NOT_SO = re.compile(r"除|不|禁止|严禁|未|非|以外|之外|例外")
_NAMED, _SAME_RULE = 4, 0.5
"""Characters by which what is taken out is known; share of the other words that are the rule's."""
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
    if re.search(r"但|除外|另有规定|例外", said_after):
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


def excepted(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of the very thing that a provision takes out (除主体部分外, …可以再分包)."""
    for match in _TAKEN_OUT.finditer(place):
        start = place.rfind("。", 0, match.start()) + 1
        rest = keyed(place[start : match.start()] + re.split("。", place[match.end() :], maxsplit=1)[0])
        out = keyed(match["what"] or match["but"])
        for clause in re.split("[，,。；;：:\n]", saying):
            said = keyed(clause)
            same = difflib.SequenceMatcher(None, said.key, out.key, autojunk=False).find_longest_match()
            words = said.key[same.a : same.a + same.size]
            others = KeyedText(said.key.replace(words, "") if words else "", ())
            too = _TOO.search(clause) is not None
            named = min(same.size, len(others.key)) >= _NAMED and words not in rest.key
            if named and not _NOT_SO.search(clause) and (too or rest.covers(others) >= _SAME_RULE):
                return WordingChange(clause.strip(), match[0])
    return None


def of_all(saying: str, place: str) -> WordingChange | None:
    """Return what a saying tells of all things where the provision speaks of some (所有建设项目)."""
    only = _ONLY.search(saying)
    if only and not _ONLY.search(place) and re.search(rf"{only['verb']}[^。；]*(?:、|和|等|以及)", place):
        return WordingChange(only[0], only["verb"])
    if (few := _counted(saying, place) or _only_one(saying, place)) is not None:
        return few
    if _ALL_OF.search(place):
        return None
    for match in (m for m in _ALL_OF.finditer(saying) if m[0] not in place):
        thing = match["thing"]
        here = [m.start() for m in re.finditer(re.escape(thing), place)]
        if here and all(at and re.match("[\u4e00-\u9fa5]", place[at - 1]) for at in here):
            return WordingChange(
                match[0], place[max(0, here[0] - _BEFORE_THING) : here[0] + len(thing)].split("\n")[-1]
            )
    return None


def _counted(saying: str, place: str) -> WordingChange | None:
    """Return how many things a saying counts where the list of the provision has another number (共有五种情形)."""
    said = _COUNT.search(saying)
    number = parse_number(said["n"]) if said and not said["n"].isdecimal() else int(said["n"]) if said else None
    listed = [len(_LIST_ITEM.findall(words)) for words in re.split("[:：]", place)[1:]]
    if said is None or number is None or len(listed) != 1 or listed[0] < 2:
        return None
    rest = "其他" in place  # the item that gathers the rest may be left out of the count
    right = {listed[0], listed[0] - 1} if rest else {listed[0]}
    return None if number in right else WordingChange(said[0], f"{listed[0]}项")


def _only_one(saying: str, place: str) -> WordingChange | None:
    """Return what a saying gives to one alone that the provision gives to several (只需检查人员签字)."""
    match = _ONE_ALONE.search(saying)
    if match is None or re.search("[仅只]", place):
        return None
    for size in range(len(match["x"]), 1, -1):
        one = match["x"][:size]
        if several := re.search(
            rf"{one}(?:和|以及|及|、|与)[^，。；]{{2,20}}|[^，。；]{{2,12}}(?:和|以及|及|与){one}", place
        ):
            return WordingChange(match[0], several[0])
    return None


# --- words in the memo's own sentence -----------------------------------------------------------------------------------


def clauses(text: str) -> Iterator[Span]:
    """Yield the clauses of a saying that are long enough to be compared."""
    at = 0
    for match in [*_CLAUSE.finditer(text), None]:
        end = match.start() if match else len(text)
        if len(keyed(text[at:end]).key) >= _SHORTEST:
            yield Span(at, end)
        at = match.end() if match else end


@dataclass(frozen=True, slots=True)
class WordingChange:
    """A weighty difference between a clause and the provision it rewrites."""

    said: str
    true: str


def difference(clause: str, place: str, *, whole: bool = False) -> WordingChange | None:
    """Return the weighty difference of a clause that rewrites a stretch of ``place``; None when there is none.

    Args:
        clause: The memo's words.
        place: The provision.
        whole: They are a whole sentence: only a word for another counts, for a retelling leaves out and puts in.
    """
    free = {v.folded for v in quantities(clause) if _within(place, v, clause)}
    clause, place = (_DUTY.sub("应", _LISTED.sub("", text)) for text in (clause, place))
    said, held = keyed(folded(clause)), keyed(folded(place))
    if held.key.find(said.key) >= 0:
        return None
    whole_place = held.key
    parts = [keyed(part) for part in re.split("[。；\n]", folded(place))]
    held = max(parts, key=lambda part: part.covers(said))  # the words may recur elsewhere in the article
    at = window(said.key, held.key)
    if at.start >= at.end:
        return None
    here = held.key[at.start : at.end]
    changed = [e for e in edits(here, said.key) if e.op is not Op.EQUAL]
    kept = len(here) - sum(e.old.end - e.old.start for e in changed)
    if kept < _NEAR * max(1, len(said.key)):
        return None
    for edit in changed:
        old, new = edit.old.of(here), edit.new.of(said.key)
        if new in free or (free and _RANGE.search(old)) or (whole and not (_tokens(old) and _tokens(new))):
            continue
        outer = edit.new.start == 0 or edit.new.end == len(said.key)
        named = edit.op is Op.REPLACED and not old.endswith("的")  # 前款规定的企业 names none
        if named and _OFFICE.sub("", old)[-2:] == _OFFICE.sub("", new)[-2:] != "":
            continue
        body = named and min(len(old), len(new)) >= 2 and _BODY_FOLLOWS.match(here, edit.old.end) is not None
        if outer and not body and (edit.op is not Op.REPLACED or not (_tokens(old) and _tokens(new))):
            continue
        if _light(edit, here, said.key) or (edit.op is Op.INSERTED and len(new) >= _MOVED and new in whole_place):
            continue
        if not body and _left_out(old, new):
            continue
        if not body and _said_elsewhere(old, new, said.key, whole_place):
            continue
        if not _STANDS_FOR.fullmatch(new) and (body or _weight(edit, old) != _weight(edit, new)):
            return WordingChange(new, old)
    return _other_word(changed, here, said.key, whole_place)


def _light(edit: Edit, here: str, said: str) -> bool:
    """Tell whether an edit is what any retelling does: it leaves out, speaks of itself, or tells another rule."""
    old, new = edit.old.of(here), edit.new.of(said)
    left_out = len(new) <= 2 < _TURN < len(old) and not _tokens(new)  # but for 向 or 由
    least = edit.op is Op.DELETED and (len(old) > _TURN or not _TURNS.search(old))
    at_most = edit.op is Op.DELETED and _AT_MOST.fullmatch(old) and "最" in here[: edit.old.start][-2:]  # 最长二十日
    return bool(left_out or least or at_most or _OURS.match(new) or max(len(old), len(new)) > _LONGEST_CHANGE)


def _left_out(old: str, new: str) -> bool:
    """Tell whether words only leave out what does not turn the rule (可用保函 for 可以用金融机构保函)."""
    was, now = (set(_tokens(_AT_MOST.sub("", words) if "最" in words else words)) for words in (old, new))
    return bool(new) and now <= was and not any(re.match(r"不|\d|应|可|免|以[上下内]", token) for token in was - now)


def _said_elsewhere(old: str, new: str, said: str, place: str) -> bool:
    """Tell whether words that part two clauses say one thing (可以延长, 最长延长), or stand elsewhere in the other."""
    weighs = {*_tokens(old), *_tokens(new)}
    return (bool(weighs) and weighs <= _UP_TO) or (_elsewhere(new, place) and _elsewhere(old, said))


def _other_word(changed: list[Edit], here: str, said: str, place: str) -> WordingChange | None:
    """Return the one word that a clause puts for another of the provision it otherwise repeats (利润 for 款项)."""
    if len(changed) != 1 or changed[0].op is not Op.REPLACED or len(said) < _LONG_CLAUSE:
        return None
    old, new = changed[0].old.of(here), changed[0].new.of(said)
    tail = _common(old[::-1], new[::-1])
    old, new = old[: len(old) - tail], new[: len(new) - tail]
    if len(old) == len(new) == 1 and changed[0].new.start > 0 and not {old, new} & _PARTICLES:
        return WordingChange(new, old) if new not in place and re.match("[\u4e00-\u9fa5]", new) else None
    words = _WORD.fullmatch(old) and _WORD.fullmatch(new) and changed[0].new.start >= _LONG_CLAUSE // 2
    same = set(old) & set(new) or new in place or _tokens(new)
    return WordingChange(new, old) if words and not same else None


def _elsewhere(words: str, place: str) -> bool:
    """Tell whether all that weighs in some words are such that a retelling puts elsewhere (至少), and stand there."""
    return all(_FREE.fullmatch(token) and token in place for token in _tokens(words))


def _weight(edit: Edit, words: str) -> set[str]:
    """Return what weighs in one side of an edit: 或 beside nothing is a mark of enumeration in words."""
    return set(_tokens(words)) - (set() if edit.op is Op.REPLACED else {"或"})


def _tokens(words: str) -> list[str]:
    """Return what weighs in some words."""
    return sorted(str(parse_number(t) or t) for t in _WEIGHTY.findall(_meaning(words)) if t != "应")


def _meaning(words: str) -> str:
    """Return words without what changes nothing: 应当 is 应, 的 and 了 are none."""
    words = re.sub("也可以?|亦可以?|或者", "或", _YEARLY.sub("", words)).replace("有权", "可")
    return _DUTY.sub("应", _FORBIDS.sub("不", words).replace("未", "不")).translate(
        str.maketrans("", "", "的了其将并在为等")
    )


def wrong_value(saying: str, place: str) -> tuple[Amount, str] | None:
    """Return the value of a saying that a provision states otherwise, with the true words; None when there is none.

    A value counts only where its clause speaks of what the provision's sentence speaks of: a memo states values of its
    own project too. A value that the provision gives to something else is as wrong as one that it does not know.
    """
    held = amounts(place)
    known = {v.same for v in held}
    before = ""
    for match in re.finditer(r"[^,，。;；:：]+", saying):
        values = amounts(match[0])
        for index, value in enumerate(values):
            if _within(place, value, match[0]) or _CASE.search(match[0]) or _kept(held, known, saying, value):
                continue
            if value.same in known:
                near = _misplaced(place, held, value, keyed(_piece(match[0], values, index)))
            else:
                rest = _FRAME_WORDS.sub("", match[0][: value.span.start]) + match[0][value.span.end :]
                near = _kindred(place, held, value, keyed(rest), whole=False, need=KINDRED)
                near = near or _kindred(place, held, value, keyed(before + rest), whole=True, need=0.6)
                near = near or _misplaced(place, held, value, keyed(_piece(match[0], values, index)))
                near = near or _spoken(place, held, value, letters(f"{before}{rest}"), letters(rest))
            near = near or _framed(place, held, match[0], value) or _labelled(place, held, before, match[0], value)
            near = near or _penal(place, held, before, match[0], value)
            if near is not None:
                return value, near.span.of(place)
        before = match[0]
    return None


def _spoken(
    place: str, held: list[Amount], value: Amount, said: frozenset[str], clause: frozenset[str]
) -> Amount | None:
    """Return the value of the sentence that speaks of the same thing in other words: it holds nearly all characters."""
    kind = [v for v in held if v.kind == value.kind and v.kind != "count"]
    same = [v for v in kind if v.unit == value.unit] or kind
    if len(same) == 1 and (share(clause, letters(place)) >= _CHARACTERS or not clause):
        return same[0] if clause or value.unit == same[0].unit else None
    scored = [(share(said, letters(_sentence(place, v.span, whole=True))), v) for v in kind]
    scored += [(share(clause, letters(_sentence(place, v.span, whole=False))), v) for v in kind if len(clause) > 1]
    best = max(scored, key=lambda pair: (pair[0], pair[1].unit == value.unit), default=None)
    return best[1] if best is not None and best[0] >= _CHARACTERS and len(said) > 2 else None


def _kept(held: list[Amount], known: set[tuple[float, str]], saying: str, value: Amount) -> bool:
    """Tell whether a memo sets its own value beside the bound, which it states too (取1.8%，未超过2%)."""
    bound = next(
        (v for v in amounts(saying) if v.same in known and v.same != value.same and v.unit == value.unit), None
    )
    if value.same in known or bound is None:
        return False
    kept = re.search(r"(?:未|不|没有)(?:超过|突破|超出|低于|少于|高于)|符合|满足|以内|小于|低于", saying)
    return kept is not None and value.span != bound.span


def amounts(text: str) -> list[Amount]:
    """Return the values of a text, also those that share the unit of the next one (每3至5年, 110（66）千伏)."""
    found = [Amount(float(m[1]), "", "number", Span(*m.span(1))) for m in _BARE.finditer(text)]
    for value in quantities(text):
        low = max(0, value.span.start - _NEARBY)
        shared = _SHARED.search(text[low : value.span.start])
        for match in re.finditer(_SHARED_NUMBER, shared[0]) if shared else ():
            number = float(match[0]) if match[0][0].isdecimal() else parse_number(match[0])
            start = low + shared.start() + match.start()  # type: ignore[union-attr]
            if number is not None:
                found.append(Amount(float(number), value.unit, value.kind, Span(start, start + len(match[0]))))
        found.append(value)
    return found


def _labelled(place: str, held: list[Amount], before: str, clause: str, value: Amount) -> Amount | None:
    """Return the value that a provision gives right behind a label (有效期 | 3年)."""
    label = _FRAME_WORDS.sub("", clause[: value.span.start]).strip("|｜ \t") or before.strip("|｜ \t")
    if not 2 <= len(label) <= _LABEL or len(clause) - value.span.end > 1:
        return None
    given = [v for v in held if v.kind == value.kind and _FRAME_WORDS.sub("", place[: v.span.start]).endswith(label)]
    if given:
        return given[0] if value.same not in {v.same for v in given} else None
    kind = [v for v in held if v.kind == value.kind and v.unit == value.unit]
    alone = len(quantities(clause)) == 1 and (not before or label == before.strip("|｜ \t"))
    return kind[0] if alone and kind and value.same not in {v.same for v in held} else None


def _penal(place: str, held: list[Amount], before: str, clause: str, value: Amount) -> Amount | None:
    """Return the bound of a fine that a saying states otherwise (最高罚2000元): the one whose clause is the likest."""
    known = [v for v in held if v.kind == value.kind == "money"]
    bounds = _TO_THE_BOUND.search(clause[: value.span.start]) and _PENAL.search(clause) and _PENAL.search(place)
    if not known or not bounds or value.same in {v.same for v in known}:
        return None
    said = keyed(before + clause)
    return max(known, key=lambda v: (keyed(_around(place, v)).covers(said), v.span.start))


def _within(place: str, value: Amount, clause: str) -> bool:
    """Tell whether a value lies in the range that a provision leaves: 处八万元 of 五万元以上十万元以下."""
    if re.match("的?以[上下内]", clause[value.span.end :]):
        return False
    ends = [
        (one.amount, two.amount)
        for one, two in pairwise(quantities(place))
        if one.unit == two.unit == value.unit and place[one.span.end : two.span.start] == "以上"
    ]
    return any(low <= value.amount <= high for low, high in ends)


def _piece(clause: str, values: list[Amount], index: int) -> str:
    """Return what one value of a list is said of: 旅游用海 of 养殖用海十五年、旅游用海二十年."""
    start = values[index - 1].span.end if index else 0
    end = len(clause) if index + 1 == len(values) else values[index].span.end
    return clause[start : values[index].span.start] + clause[values[index].span.end : end]


def _misplaced(place: str, held: list[Amount], value: Amount, rest: KeyedText) -> Amount | None:
    """Return the value that the provision gives to the very thing a memo gives another of its values."""
    kind = [v for v in held if v.kind == value.kind]
    if len(rest.key) < 4 or not kind:
        return None
    scored = [(_of_one(keyed(_beside(place, held, v)), rest), v) for v in kind]
    own = max((score for score, v in scored if v.same == value.same), default=0.0)
    best = max(scored, key=lambda pair: pair[0], default=None)
    if best is None or best[1].same == value.same:
        return None
    mine = next((v for _, v in scored if v.same == value.same), None)
    if (
        mine is not None
        and best[0] >= _SAME_RULE
        and _parallel(_beside(place, held, mine), _beside(place, held, best[1]), rest)
    ):
        return best[1]
    return best[1] if best[0] >= _OF_ONE and best[0] >= own + 0.3 else None


def _parallel(mine: str, other: str, rest: KeyedText) -> bool:
    """Tell whether of two things that are nearly said alike (市区内…, 市区外…) the words are the other's."""
    here, there, said = set(keyed(mine).key), set(keyed(other).key), set(rest.key)
    few = 0 < len(there - here) <= 2 and 0 < len(here - there) <= 2
    return few and there - here <= said and not said & (here - there)


def _framed(place: str, held: list[Amount], clause: str, value: Amount) -> Amount | None:
    """Return the value that stands between the very words between which a memo puts another (期限为…以上)."""

    def frame(other: Amount) -> int:
        start, end = other.span.start, other.span.end
        before = _common(keyed(place[max(0, start - 16) : start]).key[::-1], said_before)
        return before + _common(keyed(place[end : end + 6]).key, said_after) if before >= 3 else 0

    said_before, said_after = keyed(clause[: value.span.start]).key[::-1], keyed(clause[value.span.end :]).key
    own = max((frame(v) for v in held if v.same == value.same), default=0)
    best = max((v for v in held if v.kind == value.kind and v.same != value.same), key=frame, default=None)
    if best is not None and frame(best) > max(own + _CLOSER if own else 0, _FRAME):
        return best
    return _ended(place, held, said_after, value)


def _ended(place: str, held: list[Amount], said_after: str, value: Amount) -> Amount | None:
    """Return the value in front of the very words that follow the memo's (一年内提出 for 两年内提出)."""
    tail = said_after[:_TAIL]
    there = [v for v in held if v.kind == value.kind and keyed(place[v.span.end : v.span.end + 8]).key.startswith(tail)]
    alone = len(tail) == _TAIL and len(there) == 1 and value.same not in {v.same for v in held}
    return there[0] if alone else None


def _common(one: str, other: str) -> int:
    """Return how many characters two words begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _of_one(held: KeyedText, said: KeyedText) -> float:
    """Return how surely a clause with a value and one of the memo speak of one thing: either may say more."""
    return max(held.covers(said), said.covers(held) if len(held.key) >= 5 else 0.0)


def _around(text: str, value: Amount) -> str:
    clause = _sentence(text, value.span, whole=False)
    return clause.replace(value.span.of(text), "", 1)


def _kindred(
    place: str, held: list[Amount], value: Amount, rest: KeyedText, *, whole: bool, need: float
) -> Amount | None:
    """Return the value of the same kind in the sentence that speaks of the same thing."""
    if len(rest.key) < 4:
        return None
    scored = [(keyed(_sentence(place, v.span, whole=whole)).covers(rest), v) for v in held if v.kind == value.kind]
    best = max(scored, key=lambda pair: pair[0], default=None)
    return best[1] if best is not None and best[0] >= need else None


def _beside(text: str, held: list[Amount], value: Amount) -> str:
    """Return the words of a value's clause or bracket between the values around it (市区内…一米、市区外…二米)."""
    for match in _BRACKET.finditer(text):
        if match.start() < value.span.start and value.span.end < match.end():
            return match[0][1:-1].replace(value.span.of(text), "", 1)
    clause = _CLAUSE_ENDS.split(text[: value.span.start])[-1]
    start = max([value.span.start - len(clause), *(v.span.end for v in held if v.span.end <= value.span.start)])
    after = _CLAUSE_ENDS.split(text[value.span.end :])[0]
    end = min([value.span.end + len(after), *(v.span.start for v in held if v.span.start >= value.span.end)])
    return _BRACKET.sub("", text[start : value.span.start] + text[value.span.end : end])


def _sentence(text: str, span: Span, *, whole: bool) -> str:
    """Return the clause or sentence around a value: of a bracket what stands in it, else what stands beside brackets."""
    for match in _BRACKET.finditer(text) if not whole else ():
        if match.start() < span.start and span.end < match.end():
            return match[0][1:-1]
        text = f"{text[: match.start()]}{' ' * len(match[0])}{text[match.end() :]}"
    start = max(text.rfind(mark, 0, span.start) for mark in ("。\n" if whole else "。；\n,，")) + 1
    ends = [e for mark in "。；\n" if (e := text.find(mark, span.end)) >= 0]
    return text[start : min(ends, default=len(text))]
