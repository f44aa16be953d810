"""Reads what a text repeals as a whole (废止): 《A》、《B》同时废止, 废止《A》, lists of repealed texts.

What is only proposed (拟废止), denied (不停止执行), supposed (被废止的) or said of single provisions is no repeal.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace

from nemo.text.law import clearance_tables
from nemo.text.law.commencement import sentence_start
from nemo.text.letter.titles import NUMBER, TitleMark, looks_like_title, marks, masked, tidy
from nemo.text.words.days import DATE, to_day
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Relation, RelationKind, Span

LIST_AT_MOST = 20_000
"""Characters that a list of repealed texts may fill."""
_REPEAL = re.compile(r"废止|停止执行|不再执行|停止使用|停止施行|失效|作废|不再适用(?!于)")
_NO_REPEAL = re.compile(
    r"拟$|(?:拟|建议|征求|申请|研究|考虑)[^，。；]{0,12}$|不$|未$|(?:被|已|已经|依法|明令)$|"
    r"(?:修改|修订|修正|或者|和|(?<![：。；][一二三四五六七八九十])(?<![：。；][一二三四五六七八九十]{2})(?<![：。；]\d)、)$"
)
_HYPOTHETICAL = re.compile(
    r"(?:废止|失效|作废|停止执行)(?:的|后|之日|时|前|、|或|和|及|期|日期|程序|意见|情况|建议|情形|条件|决定|记录)"
)
_JOINS_REPEAL = re.compile(
    r"（[^）]*）|[，、]|等[^，。；《》（]{0,30}?(?=同时|即行|自|予以|均|一律|也|一并|相应|[，（]|$)|同时|即行|即|自动|自行|自然|"
    r"(?:经|因|由于|鉴于|已|现已)[^，。；《》]{1,40}，|，?现(?:决定)?(?=同时|予以|废止|停止|全文|$)|"
    rf"自[^，。；]{{0,30}}?(?:日?起|日(?!起))|从{DATE}起|从即日起|于{DATE}|届时|予以|均|一律|也|亦|便|相应|一并|随之|全文|全部|明令|正式|立即|宣布"
)
"""What may stand between a row of titles and 废止; eaten piece by piece."""
_PARTIAL = re.compile(
    r"^(?:（[^）]*）)*(?:中|里|内)?(?:的)?(?:第[一二三四五六七八九十百\d]+[条章款项]|(?:中|内)?(?:有关|关于|涉及|与))"
)
_ASKED = re.compile(r"(?:（[^）]*）)?[^。；《]{0,12}(?:征求|公开征集|意见)")
_LISTED = re.compile(r"(?:下列|以下|附件[^，。；]{0,6}|所列)[^。；]{0,30}$")
_STARTS = re.compile(r"(?:（[^）]{0,60}）)?(?:同时|也)?(?:自|从)[^，。；《》]{0,24}起(?:正式)?(?:施行|实施|生效)")
_AMENDED_ONE = re.compile(r"(?:（[^）]*）)?(?:第[一二三四五六七八九十]+次)?(?:修正|修订)")
_LIST_OPENS = re.compile(r"[^。；《]{0,20}：(?:[（]?[一二三四五六七八九十\d]{1,3}[）、.]{0,2})?《")
COORDINATED = re.compile(
    rf"{DATE}(?=《|$)|"
    r"（[^）]*）|以及|[、，；和及与]|\d{1,4}[.、]|[一二三四五六七八九十]{1,4}、|原(?=《|$|[\u4e00-\u9fa5])|同时(?=《|$)|"
    r"[\u4e00-\u9fa5\d]{1,40}?(?:发布|公布|印发|批准|制定|下发|转发|颁布|通过|修订|修正)(?:施行|实施|试行)?的?"
)
"""What may stand between two titles of one row; eaten piece by piece."""


ITEM_OPENS = re.compile(r"(?:[（(]?[一二三四五六七八九十\d]{1,3}[）)]?[、.．]?)$")
_SINCE = re.compile(rf"(?:自|从)({DATE})(?:零时)?起，?(?:决定)?(?:对|将)?$")
_SINCE_LISTED = re.compile(
    rf"(?:自|从)({DATE})(?:零时)?起，?(?:决定|宣布|予以|对|将|全文|一律|即行)*(?:下列|以下|废止|失效|停止|不再|：)"
)
_THEN = re.compile(
    rf"，?(?:并|均|一律)?(?:自|从)({DATE})(?:零时)?起，?(?:即行|自动|自行)?(?:失效|废止|停止执行|停止施行|不再执行|作废)"
)
"""The day of a repeal before its first title, before the list it opens, and behind its verb or titles (予以废止，自…起失效)."""
_NUMBERED, AFTER = re.compile(r"(?:（[^）]{0,60}）)?(?:等[^，。；《》]{0,16})?"), 80
"""What follows the last title of a row, and so many characters behind it hold the day from which the row ends."""
_LIST_LEAD = re.compile(
    r"(?:废止|失效|停止执行|不再执行)[^。；《》]{0,40}：$|(?:下列|以下)[^。《》]{0,60}(?:废止|失效|停止执行|不再执行)[^。；《》]{0,20}：$|"
    r"^(?:附件[\d一二三四五六七八九十]*[：:]?)?[^，。；：《》]{0,20}(?:废止|失效)的?[^，。；：《》]{0,16}(?:目录|清单|文件|规章)(?:（[^（）]{1,12}件）)?$"
)
"""A line that opens a list of repealed texts: a sentence that ends in a colon, or the heading of a list (废止的规章目录, 一、废止下列文件)."""
_NO_LIST = re.compile(
    r"拟|征求|建议|申请|程序|暂[不缓]|[不未][再予作做得宜]?(?:废止|失效)|(?:计划|研究|考虑|需要?|应当?)[^，。；决]{0,6}(?:废止|失效)(?!.{0,40}(?:决定|予以|宣布))|"
    r"(?:修改|修订)(?:和|、|或者?)|(?:废止|失效)(?:和|及|、|或者?)(?:修改|修订)"
)
"""A list of what is not repealed, or not yet, or of what is changed too (暂不废止的文件, 计划废止的规章, 废止或者修改的文件)."""
_LIST_NUMBER = re.compile(r"(?:第?[（(]?[一二三四五六七八九十百\d]{1,4}[）)]?[、．.，]?)?(?:废止)?原?")
_LIST_TITLE = re.compile(r"《▮+》|[^，。；：《》（(|]{4,60}(?=[（(；。|]|$)")
_BARE = re.compile(
    r"(?:印发|发布|公布|颁布|施行|实施|制定)的(?P<t>(?!有关|相关|其他|原有)[\u4e00-\u9fa5〈〉、（）]{4,40}?"
    r"(?:办法|规定|细则|规则|条例|通知|意见|标准|方案))(?:（[^）]*）)?(?:同时|即行|予以|一并)$"
)
"""A title without book marks before the verb (2010年印发的…管理办法同时废止)."""


def repeals(flat: FlatText) -> Iterator[Relation]:
    """Yield what the text repeals as a whole."""
    if not _REPEAL.search(flat.text):
        return
    yield from _listed(flat)
    yield from clearance_tables.repealed(flat.source)
    shown = masked(flat)
    for match in _REPEAL.finditer(shown):
        before = shown[max(0, match.start() - 16) : match.start()]
        item = ITEM_OPENS.search(before)
        if item is not None and flat.opens_line(match.start() - len(item[0])):
            before = ""  # 一、废止《A》 is an item of a decision, 修改、废止《A》 a plan
        if _HYPOTHETICAL.match(shown, match.start()) or _NO_REPEAL.search(before):
            continue
        yield from _repealed_before(flat, shown, match)
        yield from _repealed_after(flat, shown, match)


def _repealed_before(flat: FlatText, shown: str, verb: re.Match[str]) -> Iterator[Relation]:
    """《A》、《B》同时废止: the row of titles that ends right before the verb."""
    opening = _sentence_start(shown, verb.start())
    row = _between(flat, opening, verb.start())
    if not row:
        yield from _numbers_before(flat, shown, max(opening, verb.start() - 120), verb)
        bare = _BARE.search(shown, max(opening, verb.start() - 120), verb.start())
        if bare is not None and verb[0] == "废止":
            span = flat.span(bare.start("t"), verb.end())
            yield Relation(RelationKind.REPEALS, tidy(flat.words(*bare.span("t"))), span.of(flat.source), span=span)
        return
    tail = shown[row[-1].end : verb.start()]
    if (
        _PARTIAL.search(tail)
        or not made_of(tail, _JOINS_REPEAL)
        or re.search(r"拟|征求|建议", shown[opening : row[0].start])
    ):
        return
    stop = verb.end()
    kept: list[TitleMark] = []
    for mark in reversed(row):
        gap = shown[mark.end : kept[0].start] if kept else ""
        if kept and (_AMENDED_ONE.match(gap) or not made_of(gap, COORDINATED)):
            break
        kept.insert(0, mark)
    for mark in kept:
        yield _repeal(flat, mark, Span(kept[0].start, stop), (tail, shown[opening : kept[0].start], shown[stop:]))


def _listed(flat: FlatText) -> Iterator[Relation]:
    """Yield the items of lists of repealed texts: 决定废止下列规章：（一）《A》；…, 废止的规章目录 1. 《A》(文号)."""
    for lead, item in listed_items(flat.source, _LIST_LEAD):
        if _NO_LIST.search(lead):
            continue
        opening = flatten(lead).text
        since = _SINCE_LISTED.search(opening) or _THEN.search(opening)
        yield replace(item, from_day=to_day(since[1]) if since else None)


def listed_items(source: str, opens: re.Pattern[str]) -> Iterator[tuple[str, Relation]]:
    """Yield (line that opens the list, item) of every list of texts below a line that ``opens`` finds."""
    lead: str | None = None
    at = 0
    for line in source.splitlines(keepends=True):
        start, at = at, at + len(line)
        plain = "".join(line.split())
        if not plain:
            continue
        if opens.search(plain):
            lead = plain
            continue
        if lead is None:
            continue
        items = list(_items(Span(start, start + len(line.rstrip())), source))
        yield from ((lead, item) for item in items)
        lead = lead if items else None


def _items(line: Span, source: str) -> Iterator[Relation]:
    """Yield the texts that the items of one line name; several items of a line are parted by ；."""
    for piece in re.finditer(r"[^；;\n]+", line.of(source)):
        flat = flatten(piece[0])
        shown = masked(flat)
        number = _LIST_NUMBER.match(shown)
        named = _LIST_TITLE.match(shown, number.end() if number else 0)
        if named is None or _PARTIAL.match(shown, named.end()):
            return
        title = tidy(flat.words(*named.span()).strip("《》"))
        if "《" not in named[0] and not looks_like_title(title):
            return
        stated = _ITEM_NUMBER.search(flat.text, named.end())
        span = Span(line.start + piece.start(), line.start + piece.end())
        yield Relation(RelationKind.REPEALS, title, span.of(source), stated[0] if stated else None, span=span)


_ITEM_NUMBER = re.compile(NUMBER)


def _between(flat: FlatText, start: int, end: int) -> list[TitleMark]:
    """Return the titles of a flat range."""
    row = marks(flat)
    first = bisect_left(row, start, key=lambda mark: mark.start)
    last = bisect_right(row, end, key=lambda mark: mark.end)
    return list(row[first:last])


def made_of(words: str, pieces: re.Pattern[str]) -> bool:
    """Tell whether words consist of such pieces only; each is eaten once, so that no text can make this slow."""
    at = 0
    while at < len(words):
        piece = pieces.match(words, at)
        if piece is None or piece.end() == at:
            return False
        at = piece.end()
    return True


def _sentence_start(shown: str, at: int) -> int:
    """Return the position after the last 。 before ``at``; lists of repealed titles may be long and hold ；."""
    return max(shown.rfind("。", max(0, at - 3000), at), max(0, at - 3000) - 1) + 1


def _numbers_before(flat: FlatText, shown: str, opening: int, verb: re.Match[str]) -> Iterator[Relation]:
    """粤发改〔2019〕5号文同时废止: a number without a title."""
    row = re.search(
        rf"(?:{NUMBER}(?:文件?)?[、和及与]?){{1,40}}(?:同时|即行|予以|自[^，。；]{{0,30}}?起)$",
        shown[opening : verb.start()],
    )
    if row is None:
        return
    for match in re.finditer(NUMBER, row[0]):
        number = re.sub(r"^.*(?:条|原|的|和|及|起|将|、)(?=.{2,40}[〔（])", "", match[0])
        span = flat.span(opening + row.start() + match.start(), verb.end())
        yield Relation(RelationKind.REPEALS, "", span.of(flat.source), number, span=span)


def _repealed_after(flat: FlatText, shown: str, verb: re.Match[str]) -> Iterator[Relation]:
    """废止《A》、《B》, or 下列文件予以废止：1.《A》2.《B》."""
    if verb[0] not in ("废止", "停止执行", "停止施行"):
        return
    opening = sentence_start(flat, verb.start())
    lead = shown[opening : verb.start()]
    if re.search(r"拟|征求|建议|关于$|授权|报请|有权|可以|应当", lead[-40:]):
        return
    direct = re.match(
        r"(?:了)?(?:原|[\u4e00-\u9fa5\d]{0,40}?(?:发布|公布|印发|批准)的?)?《", shown[verb.end() : verb.end() + 60]
    )
    opens = _LIST_OPENS.match(shown, verb.end())
    listed = opens and (_LISTED.search(lead) or re.search(r"下列|以下", opens[0]))
    if not (direct or listed):
        return
    reached, row = verb.end(), []
    for index, mark in enumerate(_between(flat, verb.end(), verb.end() + LIST_AT_MOST)):
        gap = shown[reached : mark.start]
        if index and not (
            made_of(gap, COORDINATED)
            or (listed and len(gap) <= 60 and not re.search(r"第[一二三四五六七八九十]+条", gap))
        ):
            break
        if (
            _PARTIAL.search(shown[mark.end : mark.end + 12])
            or _ASKED.match(shown, mark.end)
            or _STARTS.match(shown, mark.end)
        ):
            break
        row.append(mark)
        reached = mark.end
    behind = _NUMBERED.match(shown, reached)
    after = shown[behind.end() if behind else reached :][:AFTER]
    yield from (_repeal(flat, mark, Span(verb.start(), mark.end), ("", lead, after)) for mark in row)


def _repeal(flat: FlatText, mark: TitleMark, place: Span, around: tuple[str, str, str]) -> Relation:
    """Return the repeal of one title with the day that its sentence names.

    ``place`` is the flat range of the words that repeal it; ``around`` is what stands between the last title and
    the verb, before the first title (自…起，), and behind the verb.
    """
    tail, lead, after = around
    day = re.search(rf"({DATE})", tail) or _SINCE.search(lead) or _THEN.match(after)
    span = flat.span(place.start, place.end)
    from_day = to_day(day[1]) if day else None
    return Relation(RelationKind.REPEALS, mark.title, span.of(flat.source), mark.number, span=span, from_day=from_day)
