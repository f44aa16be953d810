"""Reads how a text refers to others: what it is based on, implements, amends, is amended by, repeals, prolongs and puts off (关联法规).

Every relation carries the words it was read from. What is only proposed (拟废止), denied (不停止执行) or said of single
provisions (《…》第五条同时废止) is no relation between two texts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from nemo.text.law.commencement import SELF, inside_quote, sentence_end
from nemo.text.law.history import history
from nemo.text.law.mentions import aliased_titles
from nemo.text.law.moved_days import moved
from nemo.text.law.repeals import repeals
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import issued_titles, title_of
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import TitleMark, marks, masked
from nemo.text.words.flat import FlatText, flatten
from nemo.text.words.normalise import title_key
from nemo.types import Origin, Provision, Relation, RelationKind

_BASED = re.compile(r"根据|依据|依照|按照|遵照|在(?=《▮*》(?:（[^）]*）)?的?基础上)")
_MADE = re.compile(
    rf"(?:特)?(?:制定|制订|订立|作出|发布|颁布|修订|编制|规定|解释|批复|公布)(?:了)?(?:本|如下|以下|《|〈|[^。；，《]{{2,40}}(?:办法|规定|条例|细则|规则|规程)$)|{SELF}|现(?:就|将|对|组织|转发|印发|下达)|如下|决定"
)
_REQUIRED = re.compile(r"》(?:（[^）]*）)*[^《。；]{0,60}?(?:要求|规定|精神|部署|基础上)")
_IMPLEMENTS = re.compile(
    r"为(?:了)?(?:更好|切实|全面|深入|进一步|认真|有效|加快|规范|做好)*(?:贯彻|落实|实施|执行|贯彻落实|贯彻实施|贯彻执行)+"
)
_AMENDING_TITLE = re.compile(
    r"关于(?:修改|修正|修订)(?:和废止|、废止)?(?P<t>.{1,300}?)(?:部分条款|有关条款)?的(?:决定|决议|通知|令)$"
)
_AMENDMENT_TITLE = re.compile(r"^(?P<t>.+?)修正案(?:（[^）]*）)?(?:草案)?$")
_IMPLEMENTING_TITLE = re.compile(
    r"实施[《〈](?P<t>[^《》〈〉]+)[》〉]|^(?P<u>[^《》]{2,30}(?:法|条例))实施(?:条例|细则|办法|规定)$"
)
_LEAD_LIMIT = 1600
RELATION_FIELDS: Mapping[str, RelationKind] = {
    "based_on": RelationKind.BASED_ON,
    "implements": RelationKind.IMPLEMENTS,
    "amends": RelationKind.AMENDS,
    "repeals": RelationKind.REPEALS,
}
"""Fields of a manifest that state relations."""

_EFFECTS = frozenset((RelationKind.AMENDS, RelationKind.REPEALS))
_TITLE_NUMBER = re.compile(r"^《?(?P<title>.+?)》?(?:[（(](?P<number>[^（()）]*[〔﹝\[]\d{4}[〕﹞\]]第?\d+号)[）)])?$")


def relations(text: str, provisions: Sequence[Provision], title: str, *, binding: bool = True) -> tuple[Relation, ...]:
    """Return the relations of a text to others, without repeats, in the order of kinds and then of the text.

    The first article holds the legal basis; the title speaks, too: 关于修改〈X〉的决定 amends X, 实施〈X〉办法
    implements X. What is not ``binding``, drafts and news, repeals and amends nothing.
    """
    flat = flatten(text)
    found = [*_based_on(flat, provisions), *_implements(flat, title), *_amended_by(text), *_forwards(flat, title)]
    short = aliased_titles(text)
    if binding:
        found += [*_amends(flat, title), *repeals(flat), *moved(flat, title)]
    return tuple(_without_repeats(_in_full(relation, short) for relation in found))


def with_stated(read: Sequence[Relation], known: Mapping[str, object], *, binding: bool = True) -> tuple[Relation, ...]:
    """Return the relations read from a text and those that a manifest states and the text was not found to say.

    Words of a text prove more than a statement, so they stay; what it implements it rests on. ``known`` holds lists
    of titles by field of ``RELATION_FIELDS``, a number in brackets after a title. What drafts and news (not
    ``binding``) are said to amend or repeal stays law.
    """
    given = [
        _stated(kind, str(title))
        for name, kind in RELATION_FIELDS.items()
        if binding or kind not in _EFFECTS
        for title in _titles(known.get(name))
    ]
    grounds = {title_key(r.target_title) for r in read if r.kind is RelationKind.IMPLEMENTS}
    new = [r for r in given if r.kind is not RelationKind.BASED_ON or title_key(r.target_title) not in grounds]
    return tuple(_without_repeats([*read, *new]))


def _titles(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else ()


def _stated(kind: RelationKind, title: str) -> Relation:
    match = _TITLE_NUMBER.match(title.strip())
    bare, number = (match["title"], match["number"]) if match else (title, None)
    number = number and flatten(number).text
    return Relation(kind, bare, f"清单所载：{kind.value}《{bare}》", number, origin=Origin.MANIFEST)


def _in_full(relation: Relation, short: Mapping[str, Sequence[str]]) -> Relation:
    """Replace a short name that the text gave a title (《办法》) by the title."""
    full = short.get(relation.target_title, ())
    return replace(relation, target_title=full[0]) if len(full) == 1 else relation


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


def _relation(flat: FlatText, kind: RelationKind, mark: TitleMark, start: int, end: int) -> Relation:
    span = flat.span(start, end)
    return Relation(kind, mark.title, span.of(flat.source), mark.number, span=span)


# --- based on, implements ---------------------------------------------------------------------------------------------


def _lead_end(flat: FlatText, provisions: Sequence[Provision]) -> int:
    """Return the flat position where the part that states the legal basis ends: after the first article, or the opening."""
    for top in provisions:
        for node in top.walk():
            if node.level.value == "条":
                return min(flat.place(node.span.end), flat.place(node.span.start) + _LEAD_LIMIT)
    return min(len(flat.text), _LEAD_LIMIT)


def _based_on(flat: FlatText, provisions: Sequence[Provision]) -> Iterator[Relation]:
    """Yield the titles between 根据 and 制定本…, or 现…如下 in a letter."""
    limit = _lead_end(flat, provisions)
    shown = masked(flat, 0, min(len(flat.text), limit + 400))
    note = max((flat.place(event.span.end) for event in history(flat.source)), default=0)
    letter_end = _letter_end(flat)
    for match in _BASED.finditer(shown, note, limit):
        if inside_quote(flat, match.start()):
            continue
        stop = sentence_end(flat, match.end())
        after = shown[match.end() : stop]
        made = _MADE.search(after) or (_REQUIRED.search(after) if match.start() < letter_end else None)
        if made is None or re.match(r"[^《]{0,3}各自|职责", after):
            continue
        yield from _titles_of_basis(flat, match.start(), match.end() + made.end(), shown)


def _letter_end(flat: FlatText) -> int:
    """Return where the opening of a letter ends, where 按照《…》要求 names its basis; 0 when the text is no letter."""
    if number_of(flat.source) is None and signature_of(flat.source) is None:
        return 0
    for body in re.finditer(r"第[一1]条|一、", flat.text[:_LEAD_LIMIT]):
        if flat.opens_line(body.start()):
            return body.start()
    return min(len(flat.text), _LEAD_LIMIT)


def _titles_of_basis(flat: FlatText, start: int, end: int, shown: str) -> Iterator[Relation]:
    """Yield the titles of a 根据 phrase that are its objects, not those of a later 为落实《…》 or 我局修订了《…》."""
    reached = start
    for mark in marks(flat):
        if mark.start < start or mark.start >= end:
            continue
        between = shown[reached : mark.start]
        if "制定" in between or (reached > start and not _continues_basis(between)):
            return
        yield _relation(flat, RelationKind.BASED_ON, mark, start, mark.end)
        reached = mark.end


def _continues_basis(between: str) -> bool:
    if re.search(r"。|；|为(?:了)?(?:贯彻|落实|实施)|结合|组织|修订|制定|经|现", between):
        return False
    return len(re.sub(r"（[^）]*）", "", between)) <= 60


def _implements(flat: FlatText, title: str) -> Iterator[Relation]:
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


def _amends(flat: FlatText, title: str) -> Iterator[Relation]:
    """Yield what an amending text amends: named in its title, and one by one in its body when it amends several."""
    line = flatten(title).text
    targets = list(_amended_titles(line))
    if not targets:
        yield from _revised_in_letter(flat)
        return
    place = flat.text.find(line)
    span = flat.span(place, place + len(line)) if place >= 0 else None
    short = aliased_titles(flat.source)
    named = [t for target in targets for name, full in short.items() if name in target for t in full] or targets
    for target in named:
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
        named = re.findall(r"《((?:[^《》]|《[^《》]*》)+)》", decision["t"])
        named = named or re.findall(r"〈((?:[^〈〉]|〈[^〈〉]*〉)+)〉", decision["t"])
        yield from named or [re.sub(r"第[一二三四五六七八九十百]+条.*$", "", decision["t"])]


_BODY_AMENDS = re.compile(
    r"(?:[一二三四五六七八九十]{1,4}、|（[一二三四五六七八九十]{1,4}）|\d{1,4}[.、])(?:修改|对|将)?《"
)


def _amended_in_body(flat: FlatText) -> Iterator[Relation]:
    by_start = {mark.start: mark for mark in marks(flat)}
    for match in _BODY_AMENDS.finditer(flat.text):
        mark = by_start.get(match.end() - 1)
        if mark is None or not flat.opens_line(match.start()):
            continue
        if flat.ends_line(mark.end) or re.match(r"(?:作|作出|做|进行|第|部分|的|中|修改)", flat.text[mark.end :]):
            yield _relation(flat, RelationKind.AMENDS, mark, match.start(), mark.end)


_CHANGED = re.compile(
    r"^(?:（[^）]*）)*(?:的?(?:第[^，。；《》]{1,24}?[条款项章]|附[件表]|中|有关)[^。；《》]{0,40}?(?:修改|调整|修订|更正)为|"
    r"(?:有关)?(?:条款|内容|事项)?作(?:出)?(?:如下|以下)(?:修改|调整|修订|更正))"
)
"""What a letter says behind a title whose provisions it changes itself (将《X》第四条修改为…)."""
_REVISED = re.compile(
    r"^(?:（[^）]*）)*(?:进行了?|作了?|做了?|予以|加以|部分条款(?:进行了?)?|的?部分(?:条款|内容))(?:了)?(?:系统性|全面|部分|相应)?(?:修订|修改|修正)"
)


_CORRECTED = re.compile(
    r"^(?:（[^）]*）)*[^；《》]{0,60}?现(?:予以?|将[^。；《》]{0,16}|作(?:如下)?)?(?:更正|勘误)(?!前|后)"
)
"""What a letter says behind a title in which it mends mistakes (《X》印发后发现差错，现更正如下)."""


def _revised_in_letter(flat: FlatText) -> Iterator[Relation]:
    """Yield the titles a letter says it has revised: 对《A》《B》进行了修订, not the new ones it brings."""
    row = [mark for mark in marks(flat) if mark.start < 3 * _LEAD_LIMIT]
    for index, mark in enumerate(row):
        after = flat.text[mark.end : mark.end + 80]
        corrected = _CORRECTED.search(after) is not None
        if not corrected and _REVISED.search(after[:60]) is None and _CHANGED.search(after) is None:
            continue
        first = index
        while first and re.fullmatch(r"(?:（[^）]*）)*[、和及]?", flat.text[row[first - 1].end : row[first].start]):
            first -= 1
        led = flat.text[max(0, row[first].start - 2) : row[first].start].endswith(("对", "对原", "将", "将原", "原"))
        if led or corrected:
            number = row[index].number
            for target in row[first : index + 1]:
                span = flat.span(row[first].start, mark.end)
                yield Relation(
                    RelationKind.AMENDS, target.title, span.of(flat.source), target.number or number, span=span
                )


def _forwards(flat: FlatText, title: str) -> Iterator[Relation]:
    """Yield the rules that a covering notice issues (关于印发《X》的通知)."""
    if not re.search(r"通知|公告|令|函", title):
        return
    own = title_of(flat.source)
    span = own.span if own is not None and own.words == title else None
    words = span.of(flat.source) if span else title
    for issued in issued_titles(flat.source) or issued_titles(title):
        yield Relation(RelationKind.FORWARDS, issued, words, span=span)
