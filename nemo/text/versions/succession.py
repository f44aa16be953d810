"""How held texts change each other's validity: newer versions end older ones, repeals end their targets (版本与废止).

Pure: everything follows from light headers, so a regulation that is removed gives back what it had ended.
:class:`RememberedSuccession` works out anew only what texts that came or went can touch; the result is that of :func:`succeed`.
What a manifest or a person states about an end is never overruled; of several derived ends the earliest counts.

Versions
    Statutes and rules are versions of one work when their title and province agree, normative documents when the
    issuers agree too; covering notices when they issue the same rules. Plain letters (关于做好…的通知) are no versions of
    each other, however alike their titles. The older version ends on the day the next one comes into force.
Repeals
    A binding text repeals on its commencement day, or the day the clause names, every held version of the target that
    is older than that day. Amending decisions end the versions they amended.
Moved days
    A newer text prolongs (延长有效期) a term that the target set itself, from its old end where it counts years, and puts off
    (推迟施行) a start that had not come; without a new day the target stays 尚未施行. What it stays (暂停执行) after it began
    is 效力待核 from that day on.
Unknown days
    A text whose successor or repealer is held but has no known commencement becomes 效力待核 from the day that one was
    promulgated: it may have ended, and nobody here can tell.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from nemo.text.words.days import counted, names_a_day, plus_days, plus_months, plus_years
from nemo.text.words.normalise import title_key
from nemo.types import CITABLE, STATED, Day, Evidence, Origin, Relation, RelationKind, Status, Validity, as_law
from nemo.types.regulation import HeldText

_LETTER = re.compile(r"(?:通知|意见|函|公告|通告|通报|批复|决定|纪要|答复|复函)(?:[（(][^（）()]*[）)])*$")
_DECISION = re.compile(r"关于(?:修改|修正|修订).*(?:决定|决议)$|修正案(?:[（(][^（）()]*[）)])?$")
MOST_CHANGED = 0.25
"""Where more than this share of the texts is another one, all is worked out anew."""
_Place = tuple[str, object]
"""Kind of look-up and key: (\"title\", 星河条例)."""
_NORMATIVE = frozenset(("规范性文件", "行政规范性文件", None))


@dataclass(frozen=True, slots=True)
class _End:
    """One reason why a text ends."""

    day: Day
    status: Status
    by: str
    words: str
    certain: Day | None = None
    """From when on the end is certain, where what ends the text has a derived start."""

    def order(self) -> tuple[Day, int]:
        """Earliest first; a repeal, which has words of its own, before a mere newer version."""
        return self.day, (Status.REPEALED, Status.AMENDED, Status.UNKNOWN).index(self.status)


def succeed(headers: Sequence[HeldText]) -> dict[str, Validity]:
    """Return the validity of every held regulation as it follows from all of them, by id."""
    return _succeeded(headers, _Library.of(headers))


def _succeeded(headers: Sequence[HeldText], library: _Library) -> dict[str, Validity]:
    validity = {h.id: _as_moved(h, library) for h in headers}
    ends: dict[str, list[_End]] = defaultdict(list)
    for work in library.works():
        for older, end in _version_ends(work, lambda newer: validity[newer.id]):
            ends[older.id].append(end)
    for header in sorted((h for h in headers if h.nature in CITABLE), key=_id):
        for target, end in _relation_ends(header, validity[header.id], library):
            ends[target.id].append(end)
    for header_id, reasons in ends.items():
        validity[header_id] = _ended(validity[header_id], min(reasons, key=_End.order))
    return validity


# --- the library as look-ups ------------------------------------------------------------------------------------------


@lru_cache(maxsize=65_536)
def _key(title: str) -> str:
    return title_key(title).replace("、", "")  # 中共中央、国务院关于… is 中共中央国务院关于…


@lru_cache(maxsize=65_536)
def _number_key(number: str) -> str:
    return re.sub(r"[\s〔〕﹝﹞\[\]（）()【】第]|中华人民共和国", "", number)


def _order(header: HeldText) -> Day | None:
    """Return the day by which versions of one work are ordered."""
    known = header.validity
    return header.version_date or known.promulgated or known.effective or known.first_effective


class _Library:
    """The held headers by title, number and work, and by what they name. Immutable."""

    def __init__(self, found: Mapping[_Place, tuple[HeldText, ...]]) -> None:
        """Args: the headers of each place, in order of id."""
        self._found = found

    @classmethod
    def of(cls, headers: Sequence[HeldText]) -> _Library:
        """Lay headers out."""
        found: dict[_Place, list[HeldText]] = defaultdict(list)
        for header in sorted(headers, key=_id):  # which of equals comes first must not depend on which was stored first
            for place in _places(header):
                found[place].append(header)
        return cls({place: tuple(headers) for place, headers in found.items()})

    def changed(self, gone: Sequence[HeldText], new: Sequence[HeldText]) -> _Library:
        """Return the library after some headers went and others came."""
        found = dict(self._found)
        for header in gone:
            for place in _places(header):
                found[place] = tuple(h for h in found[place] if h.id != header.id)
        for header in new:
            for place in _places(header):
                found[place] = tuple(sorted((*found.get(place, ()), header), key=_id))
        return _Library(found)

    def works(self) -> Iterator[tuple[HeldText, ...]]:
        """Yield the versions of each work."""
        return (headers for (kind, _), headers in self._found.items() if kind == "work")

    def of_work(self, header: HeldText) -> tuple[HeldText, ...]:
        """Return the versions of the work of a header."""
        return self._found.get(("work", _work(header)), ())

    def naming(self, header: HeldText) -> list[HeldText]:
        """Return the headers that may end this one or move its days, in order of id."""
        return self._those(("names", kind, key) for kind, key in _names(header))

    def awaiting(self, header: HeldText) -> list[HeldText]:
        """Return the amended versions that may take their start from this one."""
        decision = _decision_key(header.title) if _DECISION.search(header.title) else None
        return self._those((("awaits", "title", _key(header.title)), ("awaits", "decision", decision)))

    def _those(self, places: Iterable[tuple[str, str, object]]) -> list[HeldText]:
        unique = {h.id: h for kind, by, key in places for h in self._found.get((kind, (by, key)), ())}
        return sorted(unique.values(), key=_id)

    def resolve(self, title: str, number: str | None, *, but: HeldText | None = None) -> tuple[HeldText, ...]:
        """Return the texts of a title or number, newest first, without ``but``."""
        found: list[HeldText] = []
        if number:
            found = list(self._found.get(("number", _number_key(number)), ()))
        if not found and title:
            held = (h for key in _keys(title) for h in self._found.get(("title", key), ()))
            found = [h for h in held if not _other_number(h, number)]
        unique = {h.id: h for h in found if but is None or h.id != but.id}
        return tuple(sorted(unique.values(), key=lambda h: str(_order(h) or ""), reverse=True))

    def decision(self, title: str) -> HeldText | None:
        """Return the held amending decision of this title."""
        named = self._found.get(("title", _key(title))) or self._found.get(("decision", _decision_key(title)))
        return next(iter(named or ()), None)


def _id(header: HeldText) -> str:
    return header.id


def _names(header: HeldText) -> list[tuple[str, str]]:
    """Return the kinds of name that a text is found by, with their keys."""
    number = [("number", _number_key(header.document_number))] if header.document_number else []
    return [("title", _key(header.title)), *number]


def _places(header: HeldText) -> Iterator[_Place]:
    """Yield where a header stands in :class:`_Library`, each place once."""
    if (last := _last_amended(header)) is not None:
        yield "awaits", ("title", _key(last.target_title))
        yield "awaits", ("decision", _decision_key(last.target_title))
    if header.nature not in CITABLE:
        return
    yield from _names(header)
    if _DECISION.search(header.title):
        yield "decision", _decision_key(header.title)
    if (work := _work(header)) is not None:
        yield "work", work
    acting = [*_ending(header), *_moving(header)]
    named = [("title", key) for r in acting for key in _keys(r.target_title)]
    named += [("number", _number_key(r.target_number)) for r in acting if r.target_number]
    yield from (("names", name) for name in dict.fromkeys(named))


def _ending(header: HeldText) -> list[Relation]:
    """Return the relations by which a text ends others."""
    amending = _DECISION.search(header.title) is not None
    ending = {RelationKind.REPEALS, RelationKind.AMENDS} if amending else {RelationKind.REPEALS}
    return [relation for relation in header.relations if relation.kind in ending]


def _moving(header: HeldText) -> list[Relation]:
    """Return the relations by which a text moves the days of others."""
    return [r for r in header.relations if r.moves_days]


def _last_amended(header: HeldText) -> Relation | None:
    amended = (r for r in header.relations if r.kind is RelationKind.AMENDED_BY and r.from_day)
    return max(amended, key=_from_day, default=None)


class RememberedResolver:
    """A look-up of the held texts that a title, or a document number, names, newest version first; changed where texts
    came or went. A number decides where both are known: the same title under another number is another text. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, HeldText] = {}
        self._library = _Library({})

    def __call__(self, headers: Sequence[HeldText]) -> Callable[[str, str | None], tuple[HeldText, ...]]:
        """Return the look-up. A header that is another object than at the last call counts as changed."""
        with self._lock:
            self._follow(headers)
            return self._library.resolve

    def _follow(self, headers: Sequence[HeldText]) -> list[HeldText] | None:
        """Lay the headers out; return those that came or went, None where there are so many that all count as new."""
        held = {header.id: header for header in headers}
        gone = [header for header in self._held.values() if held.get(header.id) is not header]
        new = [header for header in headers if self._held.get(header.id) is not header]
        self._held = held
        if len(gone) + len(new) > MOST_CHANGED * len(held):
            self._library = _Library.of(headers)
            return None
        self._library = self._library.changed(gone, new)
        return [*gone, *new]


class RememberedSuccession(RememberedResolver):
    """The validity of held texts, worked out anew where texts that came or went can touch it. Thread-safe."""

    def __init__(self) -> None:
        super().__init__()
        self._validity: dict[str, Validity] = {}

    def validity(self, headers: Sequence[HeldText]) -> dict[str, Validity]:
        """Return what :func:`succeed` does."""
        with self._lock:
            before, changed = self._library, self._follow(headers)
            if changed is None:
                self._validity = _succeeded(headers, self._library)
            else:
                touched = _touched(changed, before, self._library) & self._held.keys()
                kept = {i: known for i, known in self._validity.items() if i in self._held}
                self._validity = kept | {i: _validity_of(self._held[i], self._library) for i in touched}
            return dict(self._validity)


def _touched(changed: Sequence[HeldText], before: _Library, after: _Library) -> set[str]:
    """Return the ids of the texts whose validity may be another one after some came or went.

    A text touches the other versions of its work, what it ends or moves, and the versions that start with it (修改决定); those
    touch the other versions of theirs and what they end. What names it may mean another text without it.
    """
    both = (before, after)
    moved = [*changed, *(h for each in changed for library in both for h in library.awaiting(each))]
    naming = [h for each in changed for library in both for h in library.naming(each)]
    moved += [
        target
        for header in {id(each): each for each in (*moved, *naming)}.values()
        for relation in _moving(header)
        for library in both
        for target in library.resolve(relation.target_title, relation.target_number)
    ]
    found = {mate.id for each in moved for library in both for mate in library.of_work(each)}
    for header in {
        id(each): each for each in (*moved, *naming)
    }.values():  # what was replaced has the id of the new one
        for relation in _ending(header):
            targets = (library.resolve(relation.target_title, relation.target_number) for library in both)
            found.update(target.id for held in targets for target in held)
    return found | {each.id for each in moved}


def _validity_of(header: HeldText, library: _Library) -> Validity:
    """Return the validity of one text; the ends are weighed in the order of :func:`_succeeded`."""
    known = _as_moved(header, library)
    if header.nature not in CITABLE:
        return known
    ends = [
        end
        for older, end in _version_ends(library.of_work(header), lambda newer: _as_moved(newer, library))
        if older.id == header.id
    ]
    for ending in library.naming(header):
        found = _relation_ends(ending, _as_moved(ending, library), library)
        ends.extend(end for target, end in found if target.id == header.id)
    return _ended(known, min(ends, key=_End.order)) if ends else known


def _decision_key(title: str) -> str:
    """Return the key of an amending decision without the organ before 关于: notes under titles leave it out."""
    return _key(re.sub(r"^[^《〈]*?(?=关于(?:修改|修正|修订))", "", title))


def _keys(title: str) -> Iterator[str]:
    """Yield the keys a title may be held under: its own, and the rule inside 关于印发〈X〉的通知."""
    yield _key(title)
    inner = re.search(r"关于(?:印发|发布|公布|颁发|下发)[《〈<＜](.{1,300})[》〉>＞]的(?:通知|公告)", title)
    if inner is not None:
        yield _key(inner[1])


def _other_number(header: HeldText, number: str | None) -> bool:
    """Tell whether a text is known under another number than the one that was named."""
    return bool(number and header.document_number) and _number_key(number) != _number_key(header.document_number or "")


def _work(header: HeldText) -> object | None:
    """Return what versions of one work have in common; None for texts that have no versions."""
    forwarded = frozenset(_key(r.target_title) for r in header.relations if r.kind is RelationKind.FORWARDS)
    if forwarded:
        return "forwards", forwarded, header.province, _lead(header.issuer)
    if _LETTER.search(header.title) and header.level in _NORMATIVE:
        return None
    issuer = _lead(header.issuer) if header.level in _NORMATIVE else ""
    return "text", _key(header.title), header.province, issuer


def _lead(issuer: str | None) -> str:
    """Return the first of several issuers, in the short form of commissions."""
    return (issuer or "").split("、")[0].replace("发展和改革委员会", "发展改革委").replace("人民政府", "政府")


# --- ends -------------------------------------------------------------------------------------------------------------


def _version_ends(work: Sequence[HeldText], known: Callable[[HeldText], Validity]) -> Iterator[tuple[HeldText, _End]]:
    """Yield the end of every version that has a newer one; texts of one day are copies of one version."""
    dated = sorted(((day, h) for h in work if (day := _order(h)) is not None), key=lambda pair: (pair[0], pair[1].id))
    newer: tuple[Day, HeldText] | None = None
    for index in range(len(dated) - 2, -1, -1):
        (day, older), following = dated[index], dated[index + 1]
        newer = following if following[0] > day else newer
        if newer is not None:
            yield older, _end_by(newer[1], known(newer[1]), Status.AMENDED, newer[0])


def _end_by(header: HeldText, known: Validity, status: Status, promulgated: Day) -> _End:
    basis = known.why("version_effective") or known.why("first_effective")
    words = f"《{header.title}》{basis.words if basis else promulgated.isoformat()}"
    if known.effective is not None:
        return _End(known.effective, status, header.id, words, known.certain_from if known.derived else None)
    return _End(promulgated, Status.UNKNOWN, header.id, f"{words}（施行日期不明，待核）")


def _relation_ends(header: HeldText, known: Validity, library: _Library) -> Iterator[tuple[HeldText, _End]]:
    """Yield the ends of what a text repeals, and of the versions that an amending decision amended."""
    for relation in _ending(header):
        status = Status.REPEALED if relation.kind is RelationKind.REPEALS else Status.AMENDED
        end = _relation_end(header, known, relation, status)
        if end is None:
            continue
        for target in library.resolve(relation.target_title, relation.target_number, but=header):
            if _is_older(target, header, end.day) and not _knows(target, header):
                yield target, end


def _relation_end(header: HeldText, known: Validity, relation: Relation, status: Status) -> _End | None:
    """Return when a relation takes effect.

    The clause stands with the commencement clause, so the text's first commencement counts: an amended law repeats an
    old repeal, it does not repeal anew.
    """
    day = relation.from_day or known.first_effective or (None if known.amended else known.effective)
    if day is not None:
        return _End(day, status, header.id, relation.words)
    since = known.promulgated if not known.amended else None
    return _End(since, Status.UNKNOWN, header.id, f"{relation.words}（施行日期不明，待核）") if since else None


def _is_older(target: HeldText, header: HeldText, day: Day) -> bool:
    """Tell whether a target was there before the text that ends it took effect."""
    order = _order(target)
    if order is None:
        return _work(target) != _work(header)
    return order < day


def _knows(target: HeldText, decision: HeldText) -> bool:
    """Tell whether a target already contains an amendment: its note names the decision, or it is as new."""
    order, made = _order(target), _order(decision)
    if _DECISION.search(decision.title) is None:
        return False
    named = any(
        _key(r.target_title) == _key(decision.title) for r in target.relations if r.kind is RelationKind.AMENDED_BY
    )
    return named or order is None or made is None or order >= made


def _with_decision(header: HeldText, library: _Library) -> Validity:
    """Take the commencement of an amended version from the amending decision when that is held."""
    known = header.validity
    basis = known.why("version_effective")
    if not known.amended or basis is None or basis.origin is not Origin.DERIVED:
        return known
    last = _last_amended(header)
    decision = library.decision(last.target_title) if last else None
    if (
        last is None
        or decision is None
        or decision.validity.effective is None
        or known.version_effective != last.from_day
    ):
        return known
    start = decision.validity.effective
    reason = decision.validity.why("version_effective") or decision.validity.why("first_effective")
    words = f"《{decision.title}》{reason.words if reason else start.isoformat()}"
    evidence = (*known.evidence, Evidence("version_effective", words, Origin.RELATION))
    return replace(known, version_effective=start, evidence=evidence)


def _as_moved(header: HeldText, library: _Library) -> Validity:
    """Return when a text is law by its own words, the decision that amended it and the notices that moved its days."""
    if header.nature not in CITABLE:
        return as_law(header)
    known = _with_decision(header, library)
    notices = ((made, n) for n in library.naming(header) if n.nature in CITABLE and (made := _order(n)) is not None)
    for made, notice in sorted(notices, key=lambda pair: (pair[0], pair[1].id)):
        for relation in _moving(notice):
            targets = library.resolve(relation.target_title, relation.target_number, but=notice)
            if _later(made, relation, header) and any(t.id == header.id for t in targets):
                known = _moved(known, relation, f"《{notice.title}》{relation.words}", made, header.validity.effective)
    return known


def _later(made: Day, relation: Relation, header: HeldText) -> bool:
    """Tell whether a notice of a day speaks of this version: a start is put off before it comes, a term when it runs."""
    promulgated = header.version_date or header.validity.promulgated
    if promulgated is None and relation.kind is RelationKind.POSTPONES:
        return True
    order = promulgated or _order(header)
    return order is not None and order <= made


def _moved(known: Validity, relation: Relation, words: str, made: Day, stated: Day | None) -> Validity:
    """Return a validity as a notice of a day moves it; what cannot be moved (no term, a stated end) stays.

    ``words`` are the notice's title and what it says; the term of what was stayed ran from the start that the text states.
    """
    start = known.effective
    if relation.kind is RelationKind.EXTENDS and not (start is not None and start > made and known.ends is None):
        return _prolonged(known, relation, words, made)
    day, count = relation.from_day, counted(relation.words)
    if "恢复" in relation.words and not known.stayed:
        return known  # of a text that has begun, what it was not law for cannot be told from the words
    if "恢复" in relation.words and day is None:
        day = made
    if day is None and start is not None and count is not None:
        day = plus_months(plus_years(start, count[0]), count[1])
    if start is not None and start <= made and day and known.ended_as is Status.EXPIRED and "延" in relation.words:
        last = replace(relation, from_day=plus_days(day, 1))  # 延期至 said of a text that has begun is of its term
        return _prolonged(known, last, words, made)
    if start is not None and start <= made:
        began = Evidence("ends", f"{words}（暂缓或推迟，效力待核）", Origin.RELATION)
        if known.ends is not None and known.ends <= made:
            return known
        return replace(
            known,
            ends=made,
            ended_as=Status.UNKNOWN,
            ends_certain=None,
            evidence=(*known.evidence, began, _note("postponed", words, made)),
        )
    facts = ("version_effective", "first_effective") if not known.amended else ("version_effective",)
    first = day if not known.amended else known.first_effective
    proof = tuple(Evidence(fact, words, Origin.RELATION) for fact in facts)
    older = (e for e in known.evidence if not (e.origin is Origin.RELATION and e.fact in facts))
    evidence = (*older, *proof, _note("postponed", words, made))
    later = replace(known, first_effective=first, version_effective=day, stayed=day is None, evidence=evidence)
    term = known.why("ends")
    since = start or stated
    if known.ends is None or day is None or since is None or (term is not None and names_a_day(term.words)):
        return later
    return replace(later, ends=plus_days(known.ends, (day - since).days), ends_certain=None)


def _prolonged(known: Validity, relation: Relation, words: str, made: Day) -> Validity:
    """Return a validity whose own term a notice prolongs: to a day, by years, or without an end (继续有效)."""
    basis, end = known.why("ends"), relation.from_day
    if known.ends is None or known.ended_as is not Status.EXPIRED or (basis is not None and basis.origin in STATED):
        return known
    count = counted(relation.words) if end is None else None
    if count is not None:
        since = known.ends if "继续" not in relation.words else max(known.ends, made)
        end = plus_months(plus_years(since, count[0]), count[1])
    if end is None and known.ends > made and "继续有效" in relation.words and "届满" not in relation.words:
        return known  # a list that says what is law today leaves the term as it is
    if end is not None and end <= known.ends:
        return known
    evidence = (*known.evidence, Evidence("ends", words, Origin.RELATION), _note("extended", words, made))
    spread = known.ends_certain - known.ends if count and known.ends_certain else None
    certain = end + spread if end and spread else None
    ended_as = Status.EXPIRED if end else None
    return replace(known, ends=end, ended_as=ended_as, evidence=evidence, ends_certain=certain)


def _note(fact: str, words: str, made: Day) -> Evidence:
    """Return that a notice of a day moved another text, for its timeline."""
    return Evidence(fact, words, Origin.RELATION, value=made.isoformat())


def _from_day(relation: Relation) -> Day:
    assert relation.from_day is not None, "only relations with a day are compared"
    return relation.from_day


def _ended(known: Validity, end: _End) -> Validity:
    """Return a validity with its end, unless one is stated, or an earlier one is known."""
    stated = known.why("ends")
    if known.ends is not None and stated is not None and stated.origin in STATED:
        return known
    if known.ends is not None and known.ends <= end.day:
        return known
    evidence = (*known.evidence, Evidence("ends", end.words, Origin.RELATION))
    return replace(
        known, ends=end.day, ended_as=end.status, ended_by=end.by, evidence=evidence, ends_certain=end.certain
    )
