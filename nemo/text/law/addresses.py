"""Which provisions words ask for: 第二十五条第二款, 第十至十二条, 第三、五条, 附则, 最后一条 (条款项指引).

A grammar over every way of writing a number: Chinese, Arabic, traditional and mixed, with and without 第. ``text`` is the
search form of ``nemo.text.words.normalise``: simplified and half-width. What the words mean in one regulation is for
its reader to find.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nemo.text.words.numerals import parse_number
from nemo.types import Address, AddressRange, AddressStep, Level

_FORMAL = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟", "一二三四五六七八九十百千")
_N = "[0-9零〇○一二三四五六七八九十百千万两廿卅壹贰叁肆伍陆柒捌玖拾佰仟]{1,9}"
_ONE = rf"(?:第 ?)?(?:\({_N}\)|{_N})"
_TO = r"(?:至|到|-{1,2}|~)"
_AND = r"(?:、|,|;|和|及|与|以及|还有|跟|同|或者?|并)"
_UNITS = {
    "编": Level.PART,
    "分编": Level.SUBPART,
    "章": Level.CHAPTER,
    "节": Level.SECTION,
    "条": Level.ARTICLE,
    "条款": Level.ARTICLE,
    "款": Level.PARAGRAPH,
    "项": Level.ITEM,
    "目": Level.SUBITEM,
    "部分": Level.OUTLINE,
    "大点": Level.OUTLINE,
    "点": Level.OUTLINE,
}
_RANK = {
    level: rank
    for rank, levels in enumerate(
        (
            (Level.PART, Level.ANNEX),
            (Level.SUBPART,),
            (Level.CHAPTER,),
            (Level.SECTION,),
            (Level.OUTLINE, Level.ARTICLE, Level.PREAMBLE),
            (Level.PARAGRAPH,),
            (Level.ITEM,),
            (Level.SUBITEM,),
        )
    )
    for level in levels
}
_UNIT = r"(?:分编|编(?![制写号辑])|章(?!程)|节(?![能约水电])|条款?(?![件例约文线幅])|款(?!项)|项(?!目)|目(?![标录的前])|部分|大点|点(?!式))"
_NUMBERED = re.compile(
    rf"(?P<n>{_ONE}(?:(?:{_TO}|{_AND}|(?<=\))(?=\()) ?{_ONE})*) ?(?P<u>{_UNIT})(?: ?之 ?(?P<sub>{_N})(?![款项条章节]))?"
)
_BRACKETED = re.compile(rf"(?:第 ?)?(?P<n>\({_N}\)(?:{_AND}? ?\({_N}\))*)(?! ?{_UNIT})")
"""第三十二条（三）、（四）: items whose unit is left out."""
_ENDMOST = re.compile(
    rf"(?P<back>倒数(?:的)?第?(?P<nth>{_N})个?|最后(?:的)?(?:(?P<count>{_N})个?)?|最末(?:尾)?(?:的)?一?个?|末尾?(?:的)?一?|结尾的?一?)"
    rf" ?(?P<u>{_UNIT})"
)
_FOREMOST = re.compile(rf"(?:(?P<first>首|开头一|头一|最前一)|(?:最?前|开头|头)(?P<count>{_N})) ?(?P<u>{_UNIT})")
_ANNEX = re.compile(rf"附(?:件|表|录|图)(?:第|之)? ?(?P<n>{_N})?(?![的]?(?:条例|办法))")
_NAMED = re.compile(
    r"(?P<h>附则|总则|分则|罚则)(?:这|那|的)?一?(?:章|编|部分)?|(?P<p>序言|前言|题注)"
    r"|(?:中|里|的)?[\"“「《<]?(?P<w>(?![^编章节]{0,6}[几哪多])[\u4e00-\u9fa5、]{2,16}?)[\"”」》>]?(?:这|那)?一?(?P<u>分编|编|(?<![公印签盖图规文])章|节)(?![程制能约])"
)
_TO_THE_END = re.compile(
    rf" ?(?:{_TO} ?(?:最后|末尾|最末|结尾|结束|文末|全文末)(?!的?一?[编章节条款项目])(?:为止)?|(?:以后|往后|之后|以下|起)(?:的|各|所有|全部|其他)*条[文款]?)"
)
"""第五十一条至最后, 第五十条起各条: to the last of their kind; 以后 and 以下 hold the number itself (民法典第一千二百五十九条)."""
_FROM_THE_BEGINNING = re.compile(r" ?(?:以前|之前|以上)(?:的|各|所有|全部)*条[文款]?")
_BARE = re.compile(
    rf"(?:(?:第 ?)?(?P<n>(?!(?:19|20)[0-9]{{2}})[0-9]{{1,4}})|第 ?(?P<h>[一二三四五六七八九十百千]{{1,9}}))(?:(?: ?(?P<to>-{{1,2}}|~|至|到) ?(?P<m>[0-9]{{1,4}}))|(?P<inner>(?: ?\({_N}\)){{1,2}}))?(?= ?(?:$|[,。?、!;]))"
)
"""27, 48-50, 114(1)(二), 第四十九."""
_POINTS = re.compile(r"(?P<n>[一二三四五六七八九十]{1,3})、 ?\((?P<sub>[一二三四五六七八九十]{1,3})\)")
"""三、(十一): a point of a paper as it is printed there."""
_WHOLE = re.compile(r"(?:的|完整)*(?:全文|全部条文|所有条文|完整条文)(?=$|[,。?!;])")
_TO_AT = re.compile(rf" ?{_TO} ?")
_AND_AT = re.compile(rf" ?{_AND}{{1,2}} ?(?:其|它)?的? ?")
_OF = re.compile(r" ?(?:的|中的|里的|中|里|之|,|、)? ?")
_MOST = 200
"""Numbers of one list that are followed; a longer one is no question."""


@dataclass(frozen=True, slots=True)
class AddressWords:
    """What was read at one place of a text."""

    asked: tuple[AddressRange, ...]
    start: int
    end: int
    marked: bool
    """It says 第, or names a provision otherwise than by a bare number (二十五条)."""


@dataclass(frozen=True, slots=True)
class _Chain:
    """Steps that follow each other: 第二十五条第二款; the last may be several or a range."""

    ranges: tuple[AddressRange, ...]
    end: int
    marked: bool


def address_at(text: str, start: int) -> AddressWords | None:
    """Return the provisions that the words at ``start`` of a question's search form ask for, None when they are none."""
    chain = _chain(text, start)
    if chain is None:
        return None
    ranges = list(chain.ranges)
    end, marked = chain.end, chain.marked
    while (found := _further(text, end, ranges)) is not None:
        end = found
    for pattern, last in ((_TO_THE_END, -1), (_FROM_THE_BEGINNING, 1)):
        if ranges[-1].last is None and (match := pattern.match(text, end)):
            asked = ranges[-1].first
            open_ = Address((*asked.steps[:-1], AddressStep(asked.steps[-1].level, last)))
            ranges[-1] = AddressRange(asked, open_) if last < 0 else AddressRange(open_, asked)
            end = match.end()
    return AddressWords(tuple(ranges), start, end, marked)


def after_name(text: str, start: int) -> AddressWords | None:
    """Return the articles that words just behind a name ask for without saying 条: 27, 48-1 (条-款), 48~50, 全文."""
    article = Level.ARTICLE
    if match := _WHOLE.match(text, start):
        ends = AddressRange(Address((AddressStep(article, 1),)), Address((AddressStep(article, -1),)))
        return AddressWords((ends,), start, match.end(), True)
    if match := _POINTS.match(text, start):
        steps = AddressStep(Level.OUTLINE, _value(match["n"]) or 0), AddressStep(Level.ITEM, _value(match["sub"]) or 0)
        return AddressWords((AddressRange(Address(steps)),), start, match.end(), True)
    match = _BARE.match(text, start)
    number = _value(match["n"] or match["h"]) if match and not (match["n"] or "").startswith("0") else None
    if match is None or not number:
        return None
    first, other = AddressStep(article, number), int(match["m"] or 0)
    if match["inner"]:
        asked = AddressRange(Address((first, *_inner(re.findall(_N, match["inner"])))))
        return AddressWords((asked,), start, match.end(), True)
    if other > first.number:
        asked = AddressRange(Address((first,)), Address((AddressStep(article, other),)))
    elif other and match["to"] == "-":
        asked = AddressRange(Address((first, AddressStep(Level.PARAGRAPH, other))))
    else:
        asked = AddressRange(Address((first,)))
    return AddressWords((asked,), start, match.end(), not other or other > first.number or match["to"] == "-")


def _inner(numbers: Sequence[str]) -> Iterator[AddressStep]:
    """Yield what numbers in brackets behind an article mean: 款 in Arabic figures, 项 in Chinese or behind a 款."""
    for at, number in enumerate(numbers):
        yield AddressStep(Level.ITEM if at or not number.isdecimal() else Level.PARAGRAPH, _value(number) or 0)


def addresses(text: str) -> Iterator[AddressWords]:
    """Yield every address with a mark (第三条, 附则) in ``text``, from left to right."""
    position = 0
    while position < len(text):
        found = address_at(text, position) if text[position] in "第最倒末首附总分罚序" else None
        if found is not None and found.marked:
            yield found
        position = found.end if found is not None else position + 1


def _further(text: str, end: int, ranges: list[AddressRange]) -> int | None:
    """Read what is joined by 至 or 和 to what was read; return where it ends, None when nothing is joined."""
    before = (ranges[-1].last or ranges[-1].first).steps
    for joint, is_range in ((_TO_AT, True), (_AND_AT, False)):
        match = joint.match(text, end)
        chain = _chain(text, match.end()) if match else None
        if chain is None or not (chain.marked or _level(chain) is before[-1].level):
            continue
        more = [_inherited(r, before) for r in chain.ranges]
        if is_range and ranges[-1].last is None and more[0].last is None:
            ranges[-1] = AddressRange(ranges[-1].first, more[0].first)
            more = more[1:]
        ranges.extend(more)
        return chain.end
    return None


def _level(chain: _Chain) -> Level:
    return chain.ranges[0].first.steps[0].level


def _inherited(asked: AddressRange, before: Sequence[AddressStep]) -> AddressRange:
    """Put the outer steps of what was read before in front: 第十条第一款和第三款."""
    rank = _RANK[asked.first.steps[0].level]
    outer = tuple(step for step in before if _RANK[step.level] < rank)
    if asked.first.steps[0].level is Level.ARTICLE:  # numbered through the whole text: its chapter adds nothing
        outer = tuple(step for step in outer if step.level in (Level.PART, Level.ANNEX))
    last = Address(outer + asked.last.steps) if asked.last else None
    return AddressRange(Address(outer + asked.first.steps), last)


def _chain(text: str, start: int) -> _Chain | None:
    steps: tuple[AddressStep, ...] = ()
    end, marked = start, False
    while True:
        place = _OF.match(text, end).end() if steps else end  # type: ignore[union-attr]
        found = _step(text, place, steps)
        if found is None:
            break
        several, after, with_mark = found
        if steps and not with_mark and (place > end or re.match("[要内规制措指工具]", text[after : after + 1])):
            break
        marked = marked or (with_mark and not steps)
        end = after
        if len(several) > 1 or several[0][1] is not None:
            return _Chain(tuple(_joined(steps, low, high) for low, high in several), end, marked)
        steps = (*steps, several[0][0])
    return _Chain((AddressRange(Address(steps)),), end, marked) if steps else None


def _joined(steps: tuple[AddressStep, ...], low: AddressStep, high: AddressStep | None) -> AddressRange:
    return AddressRange(Address((*steps, low)), Address((*steps, high)) if high else None)


_Several = list[tuple[AddressStep, AddressStep | None]]


def _step(text: str, start: int, outer: tuple[AddressStep, ...]) -> tuple[_Several, int, bool] | None:
    """Read one step: what it names (each with the end of its range), where it ends, and whether it is marked."""
    found = _numbered(text, start) or _from_an_end(text, start) or _bracketed(text, start, outer)
    if found is None and not outer:
        found = _named(text, start)
    if found is not None and outer and _RANK[found[0][0][0].level] <= _RANK[outer[-1].level]:
        return None
    return found


def _numbered(text: str, start: int) -> tuple[_Several, int, bool] | None:
    match = _NUMBERED.match(text, start)
    if match is None:
        return None
    several = _listed(match["n"], _UNITS[match["u"]])
    if several and match["sub"]:
        low, high = several[-1]
        last = replace(high or low, insertion=_value(match["sub"]) or 0)
        several[-1] = (low, last) if high else (last, None)
    return (several, match.end(), match["n"].startswith(("第", "("))) if several else None


def _listed(words: str, level: Level) -> _Several:
    """Return the numbers of 三、五至七 as steps, 零 too, which no text has; empty when one is no number."""
    out: _Several = []
    ranged = False
    for piece in re.split(rf"({_TO})|{_AND}|(?<=\))(?=\()", words):
        if piece is None:
            continue
        if re.fullmatch(_TO, piece):
            ranged = True
            continue
        number = _value(piece)
        if number is None or len(out) > _MOST:
            return []
        step = AddressStep(level, number)
        if ranged and out and out[-1][1] is None:
            out[-1] = (out[-1][0], step)
        else:
            out.append((step, None))
        ranged = False
    return out


def _value(words: str) -> int | None:
    return parse_number(words.translate(_FORMAL).strip("第() "))


def _from_an_end(text: str, start: int) -> tuple[_Several, int, bool] | None:
    """最后一条, 倒数第二条, 最后两章, 首条, 前三条."""
    if match := _ENDMOST.match(text, start):
        level = _UNITS[match["u"]]
        nth, count = _value(match["nth"] or "1") or 1, _value(match["count"] or "1") or 1
        high = AddressStep(level, -1) if count > 1 else None
        return [(AddressStep(level, -max(nth, count)), high)], match.end(), True
    if match := _FOREMOST.match(text, start):
        level = _UNITS[match["u"]]
        count = _value(match["count"] or "1") or 1
        return [(AddressStep(level, 1), AddressStep(level, count) if count > 1 else None)], match.end(), True
    return None


def _bracketed(text: str, start: int, outer: tuple[AddressStep, ...]) -> tuple[_Several, int, bool] | None:
    if not outer or outer[-1].level not in (Level.ARTICLE, Level.PARAGRAPH):
        return None
    match = _BRACKETED.match(text, start)
    several = _listed(match["n"], Level.ITEM) if match else []
    return (several, match.end(), True) if match and several and several[0][0].number else None


def _named(text: str, start: int) -> tuple[_Several, int, bool] | None:
    """附件2, 附则, 法律责任一章."""
    if match := _ANNEX.match(text, start):
        return [(AddressStep(Level.ANNEX, _value(match["n"] or "") or 0), None)], match.end(), True
    match = _NAMED.match(text, start)
    if match is None:
        return None
    if match["p"]:
        return [(AddressStep(Level.PREAMBLE, heading=match["p"]), None)], match.end(), True
    level = _UNITS[match["u"]] if match["u"] else Level.CHAPTER
    return [(AddressStep(level, heading=match["h"] or match["w"]), None)], match.end(), True
