"""What became of a text, as the note under its title tells it (题注): adopted, approved, published, amended.

The note is read from the flat text before the first article: ``2018年12月29日…会议《关于修改…的决定》第二次修正``.
"""

import dataclasses
import datetime as dt
import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from nemo.text.letter.form import is_organ
from nemo.text.letter.titles import marks, masked, tidy
from nemo.text.words.days import DATE, dates_in, days_of_name, to_day
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Day, Span


class EventKind(enum.StrEnum):
    """What happened on a day."""

    ADOPTED = "通过"
    APPROVED = "批准"
    PUBLISHED = "公布"
    ISSUED = "印发"
    EFFECTIVE = "施行"
    AMENDED = "修正"
    """In part, by a decision; the old commencement clause stays."""
    REVISED = "修订"
    """As a whole; the commencement clause is written anew."""


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One line of a text's history."""

    kind: EventKind
    day: Day
    words: str
    span: Span
    decision: str | None = None
    """Title of the amending decision."""

    @property
    def amends(self) -> bool:
        """Whether it made a new version."""
        return self.kind in (EventKind.AMENDED, EventKind.REVISED)


_BODY = re.compile(r"(?:目录)?(?<!#)#*(?:第[一1][章编条](?!.{0,6}(?:修正|修订))|第一部分)")
_STOP = re.compile(r"。(?!根据|（|\d{4}年|自\d)")
_VERB = re.compile(
    r"(?P<amended>修正(?!案)|修订(?:通过)?|(?:通过|批准)修订|修改(?=[）)]|$|公布|发布))|"
    r"(?P<adopted>通过)|(?P<approved>批准)|(?P<published>公布|发布|颁布)(?!之日)(?!的)|(?P<issued>印发)(?=[）自，]|$)|"
    r"(?P<effective>(?<![为了])(?:施行|实施|生效|试行)|(?<=[日起])执行)"
)
_OPENING = "（(》〉）准过布正订行据的经，、。自施订至#起日改号："
_DECISION = re.compile(r"关于(?:修改|修正|修订|废止|取消|调整|重新公布|部分).{0,200}?(?:决定|决议|修正案)")
_AMENDMENT = re.compile(r"修正案(?:[（(][一二三四五六七八九十]+[）)])?$")
"""Ends the title of an amendment to a code (《刑法修正案（十一）》), which is passed as a text of its own."""
_BRACKET = re.compile("[()（）]")
"""A note in brackets ends with them; behind a bracket that holds the day alone the sentence goes on."""
_NOTE_LIMIT = 3000


_BRACKETED = re.compile(rf"（(?:根据|经)?{DATE}[^）]{{0,80}}?(?:通过|批准|公布|发布|印发|修正|修订|令)")
_PUBLICATION_LINE = re.compile(
    rf"（?(?P<said>(?:公布|颁布|发布)(?:日期|时间)[:：]?)?(?P<day>{DATE}|\d{{4}}[-./]\d\d[-./]\d\d)(?(said)|(?:公布|颁布|发布))）?"
    r"(?P<page>(?:\d\d[:：]\d\d(?:[:：]\d\d)?)?[|｜]?(?:信息|文章|稿件|文件)?(?:来源|作者|浏览|阅读|点击|访问|字[号体]|发布(?:机构|单位)|索引|文号|责任编辑))?"
)
"""A day of publication on a line of its own, in brackets, or before what else a page says of itself (来源：…)."""
_OF_STANDARD = re.compile(r"(?P<p>\d{4}-\d\d-\d\d)发布.{0,20}?(?P<e>\d{4}-\d\d-\d\d)实施")
"""How the cover of a standard states its days."""


def _note_start(flat: FlatText) -> int:
    """Return where a note in brackets begins below an order (令) that published the text, 0 without one.

    It may stand below the table of contents.
    """
    body = _BODY.search(flat.text, 0, _NOTE_LIMIT)
    ends = [body.start() if body else _NOTE_LIMIT]
    if body is not None and body[0].startswith("目录"):
        ends.append(max(flat.text.find("第一条", body.end(), _NOTE_LIMIT), 0))
    found = (m.start() for end in ends for m in _BRACKETED.finditer(flat.text, 0, end) if flat.opens_line(m.start()))
    return next(found, 0)


def note_end(flat: FlatText, start: int = 0) -> int:
    """Return the flat position where the note under the title ends at the latest."""
    body = _BODY.search(flat.text, start, _NOTE_LIMIT)
    end = body.start() if body else min(len(flat.text), _NOTE_LIMIT)
    stop = _STOP.search(flat.text, start, end)
    return stop.start() if stop else _end_mark(flat, end)


def _end_mark(flat: FlatText, end: int) -> int:
    """Return the place of an end mark that a collector set after a whole note, else ``end``."""
    mark = flat.text.find("〈!--INFOEND--〉", 0, end)
    whole = mark > 0 and re.search(
        r"(?:通过|批准|公布|发布|修正|修订|施行|实施)[）。]?$", flat.text[max(0, mark - 8) : mark]
    )
    return mark if whole else end


@lru_cache(maxsize=16)
def history(text: str) -> tuple[HistoryEvent, ...]:
    """Return the events of the note under the title, in text order; empty when there is none."""
    flat = flatten(text)
    start = _note_start(flat)
    end = note_end(flat, start)
    note = masked(flat, 0, end)
    dates = [d for d in dates_in(flat) if start <= d[0] and d[1] <= end and _opens(flat, note, d[0])]
    events_read = tuple(_second_readings(_events(flat, note, dates))) or tuple(_of_standard(flat))
    if any(event.kind in (EventKind.PUBLISHED, EventKind.ISSUED) for event in events_read):
        return events_read
    return (*events_read, *_publication_line(flat, start, end))


def _publication_line(flat: FlatText, start: int, end: int) -> Iterator[HistoryEvent]:
    """Yield the day of publication that a line of its own states (公布日期：2026-03-12, 2026-03-12 公布)."""
    for match in _PUBLICATION_LINE.finditer(flat.text, start, end):
        ended = flat.ends_line(match.end()) or (match["said"] and match["page"])
        if not (ended and (flat.opens_line(match.start()) or _leads_with_body(flat, match.start()))):
            continue
        day = to_day(match["day"]) or next(iter(days_of_name(match["day"])), None)
        if day is not None:
            span = flat.span(*match.span())
            yield HistoryEvent(EventKind.PUBLISHED, day, span.of(flat.source), span)
            return


def _of_standard(flat: FlatText) -> Iterator[HistoryEvent]:
    """Return the days on the cover of a standard (2024-05-15发布 2024-11-15实施)."""
    match = _OF_STANDARD.search(flat.text, 0, _NOTE_LIMIT)
    if match is None:
        return
    for kind, part in ((EventKind.PUBLISHED, "p"), (EventKind.EFFECTIVE, "e")):
        span = flat.span(match.start(part), match.end(part) + 2)
        try:
            yield HistoryEvent(kind, dt.date.fromisoformat(match[part]), span.of(flat.source), span)
        except ValueError:
            return  # no calendar holds such a day


def _second_readings(events: Iterator[HistoryEvent]) -> Iterator[HistoryEvent]:
    """A court that adopts its interpretation again, a year or more later, has amended it (司法解释第二次通过)."""
    first: HistoryEvent | None = None
    for event in events:
        if event.kind is EventKind.ADOPTED and "最高人民" in event.words:
            if first is not None and (event.day - first.day).days > 365:
                event = dataclasses.replace(event, kind=EventKind.AMENDED)
            first = first or event
        yield event


def _opens(flat: FlatText, note: str, start: int) -> bool:
    """Tell whether a date opens an event, and is no date inside a sentence or a title."""
    if note[start] == "▮" or note[:start].endswith(("》（", "》(")):
        return False  # inside a title, or said of the text that a title before it names
    if re.match(rf"{DATE}星期", flat.text[start : start + 20]):
        return False  # the day a page was looked at
    return flat.opens_line(start) or note[start - 1] in _OPENING or _leads_with_body(flat, start)


def _leads_with_body(flat: FlatText, start: int) -> bool:
    """Tell whether only the body that acted stands before a date on its line (某省发展改革委2031年12月20日公布)."""
    at = flat.offsets[start]
    return is_organ(tidy(flat.source[flat.source.rfind("\n", 0, at) + 1 : at]))


def _events(flat: FlatText, note: str, dates: list[tuple[int, int, Day]]) -> Iterator[HistoryEvent]:
    """Join dates to what happened on them: a date without a verb of its own belongs to the next (通过并经…批准的…修正)."""
    open_dates: list[tuple[int, Day]] = []
    for index, (start, end, day) in enumerate(dates):
        until = dates[index + 1][0] if index + 1 < len(dates) else len(note)
        open_dates.append((start, day))
        cell = note.find("|", end, until)  # what a date in a table is followed by in other cells is not said of it
        until = cell if cell >= 0 else until
        bracket = _BRACKET.search(note, end, until)
        until = bracket.end() if bracket and bracket[0] in ")）" and bracket.start() > end else until
        ordered = note.find("现予", end, until)
        verbs = list(_VERB.finditer(note, end, ordered if ordered >= 0 else until))
        more = index + 1 < len(dates)
        amended = next((v for v in reversed(verbs) if v["amended"]), None)
        if amended is not None:
            yield _amendment(flat, open_dates, amended, amended.end())
            verbs = [v for v in verbs if v.start() > amended.start()]
        elif more and (not verbs or _leans_on(note, verbs[-1], until)):
            continue
        for verb in verbs:
            yield _event(flat, _kind(verb), (open_dates[0][0], day), verb.end())
        open_dates = []


def _leans_on(note: str, verb: re.Match[str], until: int) -> bool:
    """Tell whether what follows a verb carries the sentence on to the next date."""
    return re.fullmatch(r"(?:，)?(?:并经|的|经)", note[verb.end() : until]) is not None


def _amendment(flat: FlatText, open_dates: list[tuple[int, Day]], verb: re.Match[str], end: int) -> HistoryEvent:
    """An amendment; of several days (adopted, then approved) the last is the one that counts."""
    start = open_dates[0][0]
    decision = _decision(flat, start, verb.start())
    partial = decision is not None or verb["amended"] == "修正"
    kind = EventKind.AMENDED if partial else EventKind.REVISED
    words = flat.span(start, end)
    return HistoryEvent(kind, max(day for _, day in open_dates), words.of(flat.source), words, decision)


def _decision(flat: FlatText, start: int, end: int) -> str | None:
    """Return the title of the decision that a stretch of the note names, with or without book marks."""
    within = [m.title for m in marks(flat) if start <= m.start < end]
    named = [title for title in within if _DECISION.search(title) or _AMENDMENT.search(title)]
    if named:
        return named[-1]
    bare = _DECISION.search(flat.text, start, end)
    if bare is None:
        return None
    ends = [m.end() for m in re.finditer(r"决定|决议|修正案", flat.text[bare.start() : end])]
    return tidy(flat.words(bare.start(), bare.start() + ends[-1]))


def _kind(verb: re.Match[str]) -> EventKind:
    if verb["adopted"]:
        return EventKind.ADOPTED
    if verb["published"]:
        return EventKind.PUBLISHED
    if verb["issued"]:
        return EventKind.ISSUED
    return EventKind.EFFECTIVE if verb["effective"] else EventKind.APPROVED


def _event(flat: FlatText, kind: EventKind, date: tuple[int, Day], end: int) -> HistoryEvent:
    span = flat.span(date[0], end)
    return HistoryEvent(kind, date[1], span.of(flat.source), span)
