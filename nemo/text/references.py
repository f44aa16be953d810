"""Reads how a text refers to others: what it is based on, implements, amends, is amended by and repeals (关联法规).

Every relation carries the words it was read from. What is only proposed (拟废止), denied (不停止执行) or said of single
provisions (《…》第五条同时废止) is no relation between two texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from nemo.text.commencement import SELF, inside_quote, sentence_end, sentence_start
from nemo.text.days import DATE, to_day
from nemo.text.flat import Flat, flatten
from nemo.text.history import history
from nemo.text.letter import issued_titles
from nemo.text.mentions import CrossReference, aliases, cross_references
from nemo.text.normalise import title_key
from nemo.text.titles import NUMBER, Cited, Mark, marks, masked, titles_cited
from nemo.types import Provision, Relation, RelationKind

__all__ = ["Cited", "CrossReference", "aliases", "cross_references", "relations", "titles_cited"]

_BASED = re.compile(r"根据|依据|依照|按照|遵照")
_MADE = re.compile(
    rf"(?:特)?(?:制定|制订|订立|作出|发布|颁布|修订|编制|规定|解释|批复|公布)(?:了)?(?:本|如下|以下|《|〈|[^。；，《]{{2,40}}(?:办法|规定|条例|细则|规则|规程)$)|{SELF}|现(?:就|将|对)|如下|决定"
)
_IMPLEMENTS = re.compile(
    r"为(?:了)?(?:更好|切实|全面|深入|进一步|认真|有效|加快|规范|做好)*(?:贯彻|落实|实施|执行|贯彻落实|贯彻实施|贯彻执行)+"
)
_END_OF_LEAD = re.compile(
    r"[。；]|[^，。；]*(?:的(?:要求|规定|精神|部署)|等(?:文件|法律|法规|有关|规定|相关)|要求|精神|规定)"
)
_REPEAL = re.compile(r"废止|停止执行|不再执行|停止使用|停止施行|失效|作废")
_NO_REPEAL = re.compile(
    r"拟$|(?:拟|建议|征求|申请|研究|考虑)[^，。；]{0,12}$|不$|未$|(?:被|已|已经|依法|明令)$|(?:修改|修订|修正|或者|和|、)$"
)
_HYPOTHETICAL = re.compile(
    r"(?:废止|失效|作废|停止执行)(?:的|后|之日|时|前|、|或|和|及|期|日期|程序|意见|情况|建议|情形|条件|决定|记录)"
)
_JOINS_REPEAL = re.compile(
    r"（[^）]*）|[，、]|等[^，。；《》]{0,30}?(?=同时|即行|自|予以|均|一律|也|一并|相应|$)|同时|即行|即|自动|自行|自然|"
    rf"自[^，。；]{{0,30}}?[起日]|从{DATE}起|从即日起|于{DATE}|届时|予以|均|一律|也|亦|便|相应|一并|随之|全文|全部|明令|正式|立即|宣布"
)
"""What may stand between a row of titles and 废止; eaten piece by piece."""
_PARTIAL = re.compile(
    r"^(?:（[^）]*）)*(?:中|里|内)?(?:的)?(?:第[一二三四五六七八九十百\d]+[条章款项]|(?:中|内)?(?:有关|关于|涉及|与))"
)
_LISTED = re.compile(r"(?:下列|以下|附件[^，。；]{0,6}|所列)[^。；]{0,30}$")
_COORDINATED = re.compile(
    r"（[^）]*）|以及|[、，；和及与]|\d+[.、]|[一二三四五六七八九十]+、|原(?=《|[\u4e00-\u9fa5])|同时(?=《)|"
    r"[\u4e00-\u9fa5\d]{1,40}?(?:发布|公布|印发|批准|制定|下发|转发|颁布|通过|修订|修正)(?:施行|实施|试行)?的?"
)
"""What may stand between two titles of one row; eaten piece by piece."""
_AMENDING_TITLE = re.compile(
    r"关于(?:修改|修正|修订)(?:和废止|、废止)?(?P<t>.+?)(?:部分条款|有关条款)?的(?:决定|决议|通知|令)$"
)
_AMENDMENT_TITLE = re.compile(r"^(?P<t>.+?)修正案(?:（[^）]*）)?(?:草案)?$")
_IMPLEMENTING_TITLE = re.compile(
    r"实施[《〈](?P<t>[^《》〈〉]+)[》〉]|^(?P<u>[^《》]{2,30}(?:法|条例))实施(?:条例|细则|办法|规定)$"
)
_LEAD_LIMIT = 1600


def relations(text: str, provisions: Sequence[Provision], title: str, *, binding: bool = True) -> tuple[Relation, ...]:
    """Return the relations of a text to others, without repeats, in the order of kinds and then of the text.

    Args:
        text: The regulation's text.
        provisions: Its structure; the first article holds the legal basis.
        title: Its title: 关于修改〈X〉的决定 amends X, 实施〈X〉办法 implements X.
        binding: False for drafts and news, which repeal and amend nothing.
    """
    flat = flatten(text)
    found = [*_based_on(flat, provisions), *_implements(flat, title), *_amended_by(text), *_forwards(flat, title)]
    if binding:
        found += [*_amends(flat, title), *_repeals(flat)]
    return tuple(_without_repeats(found))


def _without_repeats(found: Iterable[Relation]) -> Iterator[Relation]:
    seen: set[tuple[RelationKind, str, str | None]] = set()
    for relation in found:
        key = (
            relation.kind,
            title_key(relation.target_title),
            relation.target_number if not relation.target_title else None,
        )
        if key not in seen:
            seen.add(key)
            yield relation


def _relation(flat: Flat, kind: RelationKind, mark: Mark, start: int, end: int) -> Relation:
    span = flat.span(start, end)
    return Relation(kind, mark.title, span.of(flat.source), mark.number, span=span)


# --- based on, implements ---------------------------------------------------------------------------------------------


def _lead_end(flat: Flat, provisions: Sequence[Provision]) -> int:
    """Return the flat position where the part that states the legal basis ends: after the first article, or the opening."""
    for top in provisions:
        for node in top.walk():
            if node.level.value == "条":
                return min(flat.place(node.span.end), flat.place(node.span.start) + _LEAD_LIMIT)
    return min(len(flat.text), _LEAD_LIMIT)


def _based_on(flat: Flat, provisions: Sequence[Provision]) -> Iterator[Relation]:
    """Yield the titles between 根据 and 制定本…, or 现…如下 in a letter."""
    limit = _lead_end(flat, provisions)
    shown = masked(flat, 0, min(len(flat.text), limit + 400))
    note = max((flat.place(event.span.end) for event in history(flat.source)), default=0)
    for match in _BASED.finditer(shown, note, limit):
        if inside_quote(flat, match.start()):
            continue
        stop = sentence_end(flat, match.end())
        after = shown[match.end() : stop]
        made = _MADE.search(after)
        if made is None or re.match(r"[^《]{0,3}各自|职责", after):
            continue
        yield from _titles_of_basis(flat, match.start(), match.end() + made.start(), shown)


def _titles_of_basis(flat: Flat, start: int, end: int, shown: str) -> Iterator[Relation]:
    """Yield the titles of a 根据 phrase that are its objects, not those of a later 为落实《…》 or 我局修订了《…》."""
    reached = start
    for mark in marks(flat):
        if mark.start < start or mark.start >= end:
            continue
        between = shown[reached : mark.start]
        if reached > start and not _continues_basis(between):
            return
        yield _relation(flat, RelationKind.BASED_ON, mark, start, mark.end)
        reached = mark.end


def _continues_basis(between: str) -> bool:
    if re.search(r"。|；|为(?:了)?(?:贯彻|落实|实施)|结合|组织|修订|制定|经|现", between):
        return False
    return len(re.sub(r"（[^）]*）", "", between)) <= 60


def _implements(flat: Flat, title: str) -> Iterator[Relation]:
    """Yield what the title implements (实施《X》办法, X实施条例) and what a letter carries out (为贯彻落实《X》)."""
    named = _IMPLEMENTING_TITLE.search(flatten(title).text)
    if named is not None:
        place = flat.text.find(flatten(title).text)
        span = flat.span(place, place + len(flatten(title).text)) if place >= 0 else None
        yield Relation(RelationKind.IMPLEMENTS, named["t"] or named["u"], title, span=span)
    shown = masked(flat, 0, _LEAD_LIMIT)
    for match in _IMPLEMENTS.finditer(shown):
        reached = match.end()
        for mark in marks(flat):
            if mark.start < reached or mark.start >= _LEAD_LIMIT:
                continue
            if mark.start - reached > 60 or not re.fullmatch(r"(?:[^，。；《》]|，$)*", shown[reached : mark.start]):
                break
            yield _relation(flat, RelationKind.IMPLEMENTS, mark, match.start(), mark.end)
            reached = mark.end


# --- amendments -------------------------------------------------------------------------------------------------------


def _amended_by(text: str) -> Iterator[Relation]:
    """Yield the decisions that the note under the title names."""
    for event in history(text):
        if event.amends and event.decision:
            yield Relation(RelationKind.AMENDED_BY, event.decision, event.words, span=event.span, from_day=event.day)


def _amends(flat: Flat, title: str) -> Iterator[Relation]:
    """Yield what an amending text amends: named in its title, and one by one in its body when it amends several."""
    line = flatten(title).text
    targets = list(_amended_titles(line))
    if not targets:
        yield from _revised_in_letter(flat)
        return
    place = flat.text.find(line)
    span = flat.span(place, place + len(line)) if place >= 0 else None
    for target in targets:
        if not re.match(r"部分|本市|本省|若干|有关|\d|一批", target):
            yield Relation(RelationKind.AMENDS, target, title, span=span)
    yield from _amended_in_body(flat)


def _amended_titles(line: str) -> Iterator[str]:
    """Yield what the title of an amending text names: in marks where it has them, else between 修改 and 的决定."""
    amendment = _AMENDMENT_TITLE.search(line)
    if amendment is not None:
        yield amendment["t"].strip("《〈》〉")
    decision = _AMENDING_TITLE.search(line)
    if decision is not None:
        named = re.findall(r"《((?:[^《》]|《[^《》]*》)+)》", decision["t"]) or _inner_titles(decision["t"])
        yield from named or [re.sub(r"第[一二三四五六七八九十百]+条.*$", "", decision["t"])]


def _inner_titles(words: str) -> list[str]:
    return re.findall(r"〈((?:[^〈〉]|〈[^〈〉]*〉)+)〉", words)


_BODY_AMENDS = re.compile(r"(?:[一二三四五六七八九十]+、|（[一二三四五六七八九十]+）|\d+[.、])(?:修改|对|将)?《")


def _amended_in_body(flat: Flat) -> Iterator[Relation]:
    by_start = {mark.start: mark for mark in marks(flat)}
    for match in _BODY_AMENDS.finditer(flat.text):
        mark = by_start.get(match.end() - 1)
        if mark is None or not flat.opens_line(match.start()):
            continue
        if flat.ends_line(mark.end) or re.match(r"(?:作|作出|做|进行|第|部分|的|中|修改)", flat.text[mark.end :]):
            yield _relation(flat, RelationKind.AMENDS, mark, match.start(), mark.end)


_REVISED = re.compile(
    r"^(?:（[^）]*）)*(?:进行了?|作了?|做了?|予以|加以|部分条款(?:进行了?)?|的?部分(?:条款|内容))(?:了)?(?:系统性|全面|部分|相应)?(?:修订|修改|修正)"
)


def _revised_in_letter(flat: Flat) -> Iterator[Relation]:
    """Yield the titles a letter says it has revised: 对《A》《B》进行了修订, not the new ones it brings."""
    row = [mark for mark in marks(flat) if mark.start < 3 * _LEAD_LIMIT]
    for index, mark in enumerate(row):
        if _REVISED.search(flat.text[mark.end : mark.end + 60]) is None:
            continue
        first = index
        while first and re.fullmatch(r"(?:（[^）]*）)*[、和及]?", flat.text[row[first - 1].end : row[first].start]):
            first -= 1
        if flat.text[max(0, row[first].start - 2) : row[first].start].endswith(("对", "对原", "将", "将原", "原")):
            number = row[index].number
            for target in row[first : index + 1]:
                span = flat.span(row[first].start, mark.end)
                yield Relation(
                    RelationKind.AMENDS, target.title, span.of(flat.source), target.number or number, span=span
                )


def _forwards(flat: Flat, title: str) -> Iterator[Relation]:
    """Yield the rules that a covering notice issues (关于印发《X》的通知)."""
    if not re.search(r"通知|公告|令|函", title):
        return
    span = next((flat.span(m.start, m.end) for m in marks(flat) if m.title in title), None)
    for issued in issued_titles(title):
        yield Relation(RelationKind.FORWARDS, issued, title, span=span)


# --- repeals ----------------------------------------------------------------------------------------------------------


def _repeals(flat: Flat) -> Iterator[Relation]:
    """Yield what the text repeals as a whole."""
    if not _REPEAL.search(flat.text):
        return
    shown = masked(flat)
    for match in _REPEAL.finditer(shown):
        if _HYPOTHETICAL.match(shown, match.start()) or _NO_REPEAL.search(
            shown[max(0, match.start() - 16) : match.start()]
        ):
            continue
        yield from _repealed_before(flat, shown, match)
        yield from _repealed_after(flat, shown, match)


def _repealed_before(flat: Flat, shown: str, verb: re.Match[str]) -> Iterator[Relation]:
    """《A》、《B》同时废止: the row of titles that ends right before the verb."""
    opening = sentence_start_of(shown, verb.start())
    row = [mark for mark in marks(flat) if opening <= mark.start and mark.end <= verb.start()]
    if not row:
        yield from _numbers_before(flat, shown, opening, verb)
        return
    tail = shown[row[-1].end : verb.start()]
    if (
        _PARTIAL.search(tail)
        or not _made_of(tail, _JOINS_REPEAL)
        or re.search(r"拟|征求|建议", shown[opening : row[0].start])
    ):
        return
    stop = verb.end()
    kept: list[Mark] = []
    for mark in reversed(row):
        if kept and not _made_of(shown[mark.end : kept[0].start], _COORDINATED):
            break
        kept.insert(0, mark)
    for mark in kept:
        yield _repeal(flat, mark, kept[0].start, stop, tail)


def _made_of(words: str, pieces: re.Pattern[str]) -> bool:
    """Tell whether words consist of such pieces only; each is eaten once, so that no text can make this slow."""
    at = 0
    while at < len(words):
        piece = pieces.match(words, at)
        if piece is None or piece.end() == at:
            return False
        at = piece.end()
    return True


def sentence_start_of(shown: str, at: int) -> int:
    """Return the position after the last 。 before ``at``; lists of repealed titles may be long and hold ；."""
    return max(shown.rfind("。", max(0, at - 3000), at), max(0, at - 3000) - 1) + 1


def _numbers_before(flat: Flat, shown: str, opening: int, verb: re.Match[str]) -> Iterator[Relation]:
    """粤发改〔2019〕5号文同时废止: a number without a title."""
    match = re.search(
        rf"(?P<n>{NUMBER})(?:文件?)?(?:同时|即行|予以|自[^，。；]{{0,30}}?起)$", shown[opening : verb.start()]
    )
    if match is not None:
        number = re.sub(r"^.*?(?:原|的|和|、|日起|，)", "", match["n"]) if len(match["n"]) > 18 else match["n"]
        span = flat.span(opening + match.start("n"), verb.end())
        yield Relation(RelationKind.REPEALS, "", span.of(flat.source), number, span=span)


def _repealed_after(flat: Flat, shown: str, verb: re.Match[str]) -> Iterator[Relation]:
    """废止《A》、《B》, or 下列文件予以废止：1.《A》2.《B》."""
    if verb[0] not in ("废止", "停止执行", "停止施行"):
        return
    opening = sentence_start(flat, verb.start())
    lead = shown[opening : verb.start()]
    if re.search(r"拟|征求|建议|关于$|授权|报请|有权|可以|应当", lead[-40:]):
        return
    row = [mark for mark in marks(flat) if verb.end() <= mark.start]
    direct = re.match(
        r"(?:了)?(?:原|[\u4e00-\u9fa5\d]{0,40}?(?:发布|公布|印发|批准)的?)?《", shown[verb.end() : verb.end() + 60]
    )
    listed = re.match(r"[^。；《]{0,20}：", shown[verb.end() : verb.end() + 24]) and _LISTED.search(lead)
    if not (direct or listed):
        return
    reached = verb.end()
    for index, mark in enumerate(row):
        gap = shown[reached : mark.start]
        if index and not (
            _made_of(gap, _COORDINATED)
            or (listed and len(gap) <= 60 and not re.search(r"第[一二三四五六七八九十]+条", gap))
        ):
            break
        if _PARTIAL.search(shown[mark.end : mark.end + 12]):
            break
        yield _repeal(flat, mark, verb.start(), mark.end, "")
        reached = mark.end


def _repeal(flat: Flat, mark: Mark, start: int, end: int, tail: str) -> Relation:
    day = re.search(DATE, tail)
    span = flat.span(start, end)
    from_day = to_day(day[0]) if day else None
    return Relation(RelationKind.REPEALS, mark.title, span.of(flat.source), mark.number, span=span, from_day=from_day)
