"""Reads when a text was promulgated, when it and this version of it came into force, and when it ends (时效)."""

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from nemo.text.law.commencement import SINCE_MONTH, ApplicationTerm, Clause, clauses, main_clause, term_of
from nemo.text.law.history import EventKind, HistoryEvent, history
from nemo.text.law.mentions import aliased_titles
from nemo.text.law.scopes import covers_all, scopes
from nemo.text.law.stated import stated_day, with_known
from nemo.text.letter.card import EFFECTIVE, ENDS, POSTED, SIGNED, first_of
from nemo.text.letter.docnumber import number_of
from nemo.text.letter.form import lines, title_of
from nemo.text.letter.signature import signature_of
from nemo.text.letter.titles import is_letter, marks
from nemo.text.words.days import DATE, plus_days, plus_months, plus_years, to_day
from nemo.text.words.flat import FlatText, flatten
from nemo.types import Day, Evidence, Origin, Provision, Scope, Span, Status, Validity
from nemo.types.validity import ISSUED_WITHIN

_PUBLIC = frozenset(("公布", "发布", "颁布", "颁发", "公告", "登报"))
"""Acts whose day is the day of publication; 印发, 批准 and 通过 have days of their own."""
_ISSUES = frozenset(("印发", "发布", "公布", "下发", "颁布"))
"""Acts by which a paper is issued, on or about the day it is signed."""


@dataclass(frozen=True)
class _Reading:
    """What one text says about its days, before the manifest is asked."""

    flat: FlatText
    provisions: Sequence[Provision]
    events: tuple[HistoryEvent, ...]
    signed: tuple[Day, Evidence] | None
    """Day of signing, and the words it was read from."""
    ordered: bool
    """It was published by an order (令), whose day of signing is the day of publication."""
    found: tuple[Clause, ...] = ()
    clause: Clause | None = None
    posted: tuple[Day, Evidence] | None = None
    """Day of publication (发布日期) on the index card, derived: a site may have put the text up anew."""
    evidence: list[Evidence] = field(default_factory=list)

    def note(self, fact: str, span: Span, origin: Origin = Origin.TEXT) -> None:
        self.evidence.append(Evidence(fact, span.of(self.flat.source), origin, span))

    def last_amendment(self) -> HistoryEvent | None:
        return max((e for e in self.events if e.amends), key=lambda e: e.day, default=None)


def read_validity(
    text: str,
    provisions: Sequence[Provision],
    *,
    known: Mapping[str, object] = {},
    letter: str = "",
) -> Validity:
    """Return the validity of a text as its own words and the known facts tell it.

    Every day carries the words it was read from. A day that no words state is None, with the rule as evidence where
    there is one (自印发之日起施行 without a day of issue). What is known wins over what is read; both are kept.

    Args:
        text: The regulation's text.
        provisions: Its structure; used for clauses that start single articles or chapters.
        known: Facts from a manifest or a person: promulgated, effective_date, in_force_from, version_date, valid_until,
            superseded_by, superseded_on, repealed_by, repealed_on; days as dates or ISO strings.
        letter: The covering notice that the text was split from: it tells the day of signing, and the commencement
            where the text itself names no day.
    """
    reading = _read(text, provisions, letter)
    promulgated = _promulgated(reading)
    published = _stated_publication(reading, known)
    parts = scopes(reading.flat, reading.found, reading.clause, provisions, partial(_day_of, reading, published))
    first = _first_effective(reading, published) if reading.clause else _first_of(reading, parts, published)
    version, amended = _version_effective(reading, first)
    term = term_of(reading.flat, reading.clause)
    read = Validity(promulgated=promulgated, first_effective=first, version_effective=version, amended=amended)
    read = _with_term(reading, read, term)
    read = replace(read, scopes=parts, evidence=tuple(reading.evidence))
    if letter and first is None and (reading.clause is None or _named_day(letter) is not None):
        read = _with_letter(read, letter)
    elif letter and amended:
        read = _with_order(read, reading, letter)
    read = _with_card(read, text, letter)
    return with_known(replace(read, evidence=tuple(_valued(read, e) for e in read.evidence)), known)


def _valued(read: Validity, evidence: Evidence) -> Evidence:
    """Return the evidence of a start with its day, so that a statement of the same day can be told to agree."""
    days = {"first_effective": read.first_effective, "version_effective": read.version_effective}
    day = days.get(evidence.fact)
    return evidence if day is None else replace(evidence, value=day.isoformat())


def _read(text: str, provisions: Sequence[Provision], letter: str) -> _Reading:
    flat = flatten(text)
    found = clauses(flat, _own_names(text))
    number = number_of(text) or (number_of(letter) if letter else None)
    ordered = number is not None and "令" in number.words
    title = title_of(text)
    events = history(text)
    if title is not None and is_letter(title.words):
        events = tuple(e for e in events if e.kind is EventKind.ISSUED)
    signed, posted = _signed(text, letter), _carded(POSTED, text, letter, Origin.DERIVED)
    return _Reading(flat, provisions, events, signed, ordered, found, main_clause(found), posted)


def _signed(text: str, letter: str) -> tuple[Day, Evidence] | None:
    """Return the day of signing: under the text or its notice, under the title in brackets, on the index card.

    For want of all of them the day of printing (印发日期) at the foot of the letter, derived.
    """
    for source, outside in ((text, False), (letter, True)):
        signature = signature_of(source) if source else None
        if signature is not None and signature.day is not None:
            words, span = signature.span.of(source), None if outside else signature.span
            return signature.day, Evidence("promulgated", words, Origin.TEXT, span)
    headed = _dated_under_title(text)
    if headed is not None:
        return headed
    return _carded(SIGNED, text, letter, Origin.TEXT) or _printed(text, letter)


def _carded(kind: str, text: str, letter: str, origin: Origin) -> tuple[Day, Evidence] | None:
    """Return a day on the index card in or beside the text."""
    for source, outside in ((text, False), (letter, True)):
        entry = first_of(source, kind)
        day = entry.day() if entry else None
        if entry is not None and day is not None:
            return day, Evidence("promulgated", entry.span.of(source), origin, None if outside else entry.span)
    return None


def _dated_under_title(text: str) -> tuple[Day, Evidence] | None:
    """（2031年3月15日） alone on the line under the title, or the day beside the number of an issue (第12期　2031年3月15日),
    which may stand above it.
    """
    title = title_of(text)
    if title is None:
        return None
    beside = [
        *list(lines(text, 0, title.span.start))[-1:],
        *list(lines(text, title.span.end, title.span.end + 200))[:1],
    ]
    for line in beside:
        found = _HEAD_DAY.fullmatch(flatten(line.text).text)
        day = to_day(found["a"] or found["b"]) if found else None
        if day is not None:
            return day, Evidence("promulgated", line.text, Origin.TEXT, line.span)
    return None


_PRINTED = re.compile(rf"(?P<d>{DATE})印发")
_HEAD_DAY = re.compile(rf"（(?P<a>{DATE})）|(?:〔\d{{4}}〕)?第?[\d一二三四五六七八九十]+[期号次][|｜]?(?P<b>{DATE})")


def _printed(text: str, letter: str) -> tuple[Day, Evidence] | None:
    for source, outside in ((text, False), (letter, True)):
        flat = flatten(source)
        for match in _PRINTED.finditer(flat.text):
            day = to_day(match["d"])
            if day is not None and flat.ends_line(match.end()):
                span = flat.span(*match.span())
                return day, Evidence("promulgated", span.of(source), Origin.DERIVED, None if outside else span)
    return None


def _with_letter(read: Validity, letter: str) -> Validity:
    """Take commencement and end from the covering notice (现予印发，自…起施行); its words stand outside the text.

    A day that it names goes before what the rule leaves to the day of issue (自发布之日起): that of the notice itself.
    """
    outer = read_validity(letter, ())
    taken = ("first_effective", "version_effective", "ends")
    evidence = tuple(replace(e, span=None) for e in outer.evidence if e.fact in taken)
    if read.ends is None:
        read = replace(read, ends=outer.ends, ended_as=outer.ended_as)
    return replace(
        read,
        first_effective=outer.first_effective,
        version_effective=outer.version_effective,
        evidence=(*evidence, *read.evidence),
    )


def _named_day(letter: str) -> dt.date | None:
    """Return the day from which a covering notice says that its rule applies, None where it names none."""
    clause = main_clause(clauses(flatten(letter)))
    return None if clause is None else clause.day


def _with_card(read: Validity, text: str, letter: str) -> Validity:
    """Take start and end from the index card where the clauses leave them open; derived when the card stands beside the text."""
    starts = None if read.effective or read.amended else _carded(EFFECTIVE, text, letter, Origin.DERIVED)
    if starts is not None:
        day, words = starts
        words = words if words.span is None else replace(words, origin=Origin.TEXT)
        began = tuple(replace(words, fact=fact) for fact in ("first_effective", "version_effective"))
        read = replace(read, first_effective=day, version_effective=day, evidence=(*began, *read.evidence))
    ends = _carded(ENDS, text, letter, Origin.DERIVED) if read.ends is None else None
    if ends is None:
        return read
    day, words = ends
    until = "有效期至" in words.words
    ended = Status.REPEALED if "废止" in words.words else Status.EXPIRED
    return replace(
        read,
        ends=plus_days(day, 1) if until else day,
        ended_as=ended,
        evidence=(*read.evidence, replace(words, fact="ends")),
    )


def _with_order(read: Validity, reading: _Reading, letter: str) -> Validity:
    """Take the commencement of an amended version from the order that published the amendment."""
    amendment = reading.last_amendment()
    clause = main_clause(clauses(flatten(letter)))
    derived = read.why("version_effective")
    if clause is None or clause.day is None or amendment is None or clause.day < amendment.day:
        return read
    if derived is None or derived.origin is not Origin.DERIVED:
        return read
    words = flatten(letter).words(clause.start, clause.end)
    evidence = (*read.evidence, Evidence("version_effective", words, Origin.TEXT))
    return replace(read, version_effective=clause.day, evidence=evidence)


def _own_names(text: str) -> frozenset[str]:
    """Return the titles that the text's own title names (关于印发《X》的通知) and the short names given to them."""
    title = title_of(text)
    if title is None:
        return frozenset()
    issued = {mark.title for mark in marks(flatten(title.words))}
    bare = {_bare(name) for name in issued}
    short = {alias for alias, full in aliased_titles(text).items() if any(_bare(title) in bare for title in full)}
    return frozenset(flatten(name).text for name in issued | short)


def _bare(title: str) -> str:
    return re.sub(r"（[^）]*）", "", flatten(title).text)


# --- promulgated ------------------------------------------------------------------------------------------------------


def _promulgated(reading: _Reading) -> Day | None:
    """Return the day of publication; for want of one the day of signing, or (derived) of the act that made the text."""
    published = [e for e in reading.events if _is_published(e)]
    if published:
        reading.note("promulgated", published[-1].span)
        return published[-1].day
    issued = _issued(reading)
    if issued is not None:
        reading.note("promulgated", issued.span)
        return issued.day
    if reading.signed is not None:
        reading.evidence.append(reading.signed[1])
        return reading.signed[0]
    made = [e for e in reading.events if e.kind is not EventKind.EFFECTIVE]
    if not made and reading.posted is not None:
        reading.evidence.append(reading.posted[1])
    if not made:
        return reading.posted[0] if reading.posted else None
    last = max(made, key=lambda e: e.day)
    reading.note("promulgated", last.span, Origin.DERIVED)
    return last.day


def _is_published(event: HistoryEvent) -> bool:
    """Tell whether an event is a publication: of the text, or of a revision of the whole by an order (令第N号修订)."""
    if event.kind is EventKind.REVISED:
        return (
            re.search(
                r"令[^《》，。]{0,8}第?[\d一二三四五六七八九十百〇零]+号[^《》，。]{0,4}修订", flatten(event.words).text
            )
            is not None
        )
    return event.kind is EventKind.PUBLISHED


def _issued(reading: _Reading) -> HistoryEvent | None:
    """Return the day of issue that the note under the title states (印发)."""
    return next((e for e in reversed(reading.events) if e.kind is EventKind.ISSUED), None)


def _stated_publication(reading: _Reading, known: Mapping[str, object]) -> Day | None:
    """Return the day of publication that words, source metadata or the index card state; never the day of signing.

    A card is believed when its day lies behind the signing no further than publishing takes.
    """
    revised = max((e.day for e in reading.events if e.kind is EventKind.REVISED), default=None)
    published = [e.day for e in reading.events if _is_published(e)]
    stated = [day for day in published if revised is None or day >= revised]
    if stated:
        return stated[-1]
    if reading.ordered and reading.signed is not None:
        return reading.signed[0]
    if published:
        return None
    known_day = None if reading.signed is not None else stated_day(known.get("promulgated"))
    return known_day or _posted(reading)


def _posted(reading: _Reading) -> Day | None:
    if reading.posted is None:
        return None
    day, signed = reading.posted[0], reading.signed[0] if reading.signed else reading.posted[0]
    return day if signed <= day <= signed + ISSUED_WITHIN else None


# --- commencement -----------------------------------------------------------------------------------------------------


def _first_effective(reading: _Reading, published: Day | None) -> Day | None:
    """Return the day the commencement clause names or leads to; None with the rule as evidence when it leads nowhere."""
    clause = reading.clause
    noted = _noted_commencement(reading)
    if clause is not None and not (noted is not None and clause.strength == 1):
        day = _day_of(reading, published, clause)
        carded = day is not None and clause.trigger in _PUBLIC and published == _posted(reading)
        words = reading.flat.text[clause.start : clause.end]
        origin = Origin.DERIVED if carded or SINCE_MONTH.search(words) else Origin.TEXT
        reading.note("first_effective", reading.flat.span(clause.start, clause.end), origin)
        if day is not None:
            return day
    if noted is None:
        return None
    reading.note("first_effective", noted.span)
    return noted.day


def _first_of(reading: _Reading, parts: Sequence[Scope], published: Day | None) -> Day | None:
    """Return the earliest day of a text all of whose articles have days of their own; else what the note says."""
    days = [part for part in parts if part.effective is not None]
    if not days or not covers_all(days, reading.provisions):
        return _first_effective(reading, published)
    first = min(days, key=lambda part: part.effective or dt.date.max)
    reading.evidence.append(replace(first.evidence, fact="first_effective"))
    return first.effective


def _day_of(reading: _Reading, published: Day | None, clause: Clause) -> Day | None:
    """Return the day a clause names or counts to."""
    if clause.day is not None:
        return clause.day
    issued = _issued(reading) if clause.trigger == "印发" else None
    if issued is not None:
        return _after(clause, issued.day)
    return None if published is None or clause.trigger not in _PUBLIC else _after(clause, published)


def _noted_commencement(reading: _Reading) -> HistoryEvent | None:
    """Return the commencement of the note under the title (2021年3月1日 施行), unless it is that of an amendment."""
    for event in reading.events:
        if event.amends:
            return None
        if event.kind is EventKind.EFFECTIVE:
            return event
    return None


def _after(clause: Clause, day: Day) -> Day | None:
    """Return the day that a clause counts from the day of its trigger; None for working days, which no rule counts."""
    if clause.unit.startswith("次"):
        first = day.replace(month=1, day=1) if clause.unit == "次年" else day.replace(day=1)
        return {"次日": plus_days(day, 1), "次月": plus_months(first, 1)}.get(clause.unit, plus_years(first, 1))
    if not clause.after:
        return day
    if clause.unit == "年":
        return plus_years(day, clause.after)
    if clause.unit == "个月":
        return plus_months(day, clause.after)
    return None if "工作日" in clause.unit else plus_days(day, clause.after)


def _version_effective(reading: _Reading, first: Day | None) -> tuple[Day | None, bool]:
    """Return (day this version came into force, whether it is an amended one).

    修订 rewrites the clause, so a clause later than the last amendment speaks of this version. 修正 keeps the old one:
    then the amendment's own commencement counts, and for want of it the day of the decision, marked as derived.
    """
    amendment = reading.last_amendment()
    if amendment is None:
        _repeat(reading, "first_effective")
        return first, False
    if first is not None and first >= amendment.day:
        _repeat(reading, "first_effective")
        return first, True
    ordered = [c for c in reading.found if c.strength == 2 and c.day is not None and c.day >= amendment.day]
    if ordered:
        reading.note("version_effective", reading.flat.span(ordered[-1].start, ordered[-1].end))
        return ordered[-1].day, True
    later = [e for e in reading.events if e.kind is EventKind.EFFECTIVE and e.day >= amendment.day]
    if later:
        reading.note("version_effective", later[-1].span)
        return later[-1].day, True
    reading.note("version_effective", amendment.span, Origin.DERIVED)
    return amendment.day, True


def _repeat(reading: _Reading, fact: str) -> None:
    """Let the words of the commencement clause stand for this version too."""
    for found in [e for e in reading.evidence if e.fact == fact]:
        reading.evidence.append(replace(found, fact="version_effective"))


def begun_on_issue(validity: Validity, *, issues: bool) -> Validity:
    """Derive the start of a paper that names none, or counts from its issue, from the day it was signed (推定).

    A notice that ``issues`` a rule and names no day itself leaves it to the rule, which may be another text.
    """
    clause, signed = validity.why("first_effective"), validity.why("promulgated")
    if validity.effective is not None or validity.amended or signed is None or signed.origin is Origin.DERIVED:
        return validity
    begins = next(iter(clauses(flatten(clause.words))), None) if clause else None
    counted = begins is not None and begins.trigger in _ISSUES and not begins.units and validity.promulgated
    if issues if clause is None else not counted:
        return validity
    day = _after(begins, validity.promulgated) if begins and validity.promulgated else validity.promulgated
    start = replace(clause or signed, fact="version_effective", origin=Origin.DERIVED)
    kept = tuple(e for e in validity.evidence if e.fact != start.fact)  # the clause alone states no day
    return replace(validity, version_effective=day, evidence=(*kept, start)) if day else validity


# --- end --------------------------------------------------------------------------------------------------------------


def _with_term(reading: _Reading, read: Validity, term: ApplicationTerm | None) -> Validity:
    """Set the end that the text sets itself; counted from the day of signing (derived) when it began on its issue.

    What is counted from a derived start ends on a day of a range as long as that of the start.
    """
    if term is None:
        return read
    span = reading.flat.span(*term.span)
    if term.last is not None:
        reading.note("ends", span)
        return replace(read, ends=plus_days(term.last, 1), ended_as=Status.EXPIRED)
    start, origin = read.effective, Origin.TEXT
    clause = reading.clause
    if start is None and reading.signed is not None and (clause is None or clause.trigger):
        start, origin = _after(clause, reading.signed[0]) if clause else reading.signed[0], Origin.DERIVED
        reading.evidence.extend([replace(reading.signed[1], fact="ends", origin=origin)] if start else ())
    reading.evidence.insert(0, Evidence("ends", span.of(reading.flat.source), origin, span))
    if start is None:
        return read
    surely = start + ISSUED_WITHIN if origin is Origin.DERIVED else read.certain_from or start
    ends, certain = (plus_months(plus_years(day, term.years), term.months) for day in (start, surely))
    return replace(read, ends=ends, ended_as=Status.EXPIRED, ends_certain=certain if certain > ends else None)
