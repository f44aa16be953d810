"""Which held text and which provisions a citation means, also one that points back (引用消解)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from nemo.audit.citations import CitationReader, MemoCitation
from nemo.audit.claims import TextClaim, day_spoken_of, text_claims
from nemo.audit.holdings import HeldTexts
from nemo.audit.keyed import in_order, keyed
from nemo.store.catalogue.rows import RegulationRow
from nemo.text.words.normalise import title_key
from nemo.text.words.numerals import to_chinese
from nemo.types import Address, AddressRange, AddressStep, Day, Level, Provision

_ANY = frozenset(("文件", "要求", "规定"))
_NEAR = 7
"""Characters on one side by which retold words are known."""
_PARTS = frozenset("条款项")
_GENERIC, _NAMED = re.compile("管理|实施|监督|暂行|试行|工作|办法|条例|细则|规定|规则|通知|意见|方案"), 2
"""What says nothing of the subject of a title; characters of its subject by which a short form is known."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a citation means."""

    citation: MemoCitation
    title: str
    rows: tuple[RegulationRow, ...]
    """Every held version, newest first; empty where nothing is held."""
    known: bool
    """False where what it points back to was not found."""
    asked: tuple[AddressRange, ...] = ()
    path: str = ""
    row: RegulationRow | None = None
    """The version meant."""
    named: bool = False
    """The memo names the version: by its number, year or day."""
    day: Day | None = None
    """Where the memo speaks of another day than its own."""
    stated: tuple[TextClaim, ...] = ()
    provisions: tuple[Provision, ...] = ()
    missing: bool = False
    """At least one of the provisions does not exist in this version."""


class Resolver:
    """Resolves the citations of one memo in their order."""

    def __init__(self, reader: CitationReader, holdings: HeldTexts, day: Day) -> None:
        self._reader, self._holdings, self._day = reader, holdings, day
        self._before: list[Resolved] = []

    def all(self, row: Sequence[MemoCitation]) -> list[Resolved]:
        """Return what every citation means; what points back follows the order of reading."""
        turn = self._reader.memo.turn
        for index in sorted(range(len(row)), key=lambda i: turn(row[i].span.start)):
            citation = row[index]
            low = row[index - 1].end if index else 0
            high = row[index + 1].start if index + 1 < len(row) else len(self._reader.form.text)
            stated = tuple(text_claims(self._reader, citation, low, high)) if not citation.own else ()
            found = replace(self._named(citation), stated=stated)
            self._before.append(self._placed(found) if found.rows else found)
        return sorted(self._before, key=lambda found: found.citation.start)

    def _named(self, citation: MemoCitation) -> Resolved:
        if citation.kind or citation.own:
            return self._pointing(citation)
        rows: list[RegulationRow] = []
        if citation.ids:
            rows = self._holdings.together([r for i in citation.ids if (r := self._holdings.row(i)) is not None])
        elif citation.title:
            rows = self._holdings.by_title(citation.title)
        if not rows and citation.number:
            rows = self._holdings.together(self._holdings.by_number(citation.number))
        if not rows and citation.title and not citation.number:
            rows = next((list(r.rows) for r in reversed(self._before) if r.rows and _abridges(citation.title, r)), [])
        title = citation.title or (rows[0].title if rows else citation.number or "")
        return Resolved(citation, title, tuple(rows), True, citation.asked, citation.path)

    def _pointing(self, citation: MemoCitation) -> Resolved:
        """Follow 该办法, 同条, 前款 and a bare 第七条 to what was cited before."""
        meant = self._meant(citation)
        if meant is None or not meant.known:
            return Resolved(citation, "", (), False, citation.asked)
        asked, path = citation.asked, citation.path
        if citation.kind in _PARTS and meant.asked:
            base = tuple(
                s for s in meant.asked[-1].first.steps if citation.kind != "条" or s.level is not Level.PARAGRAPH
            )
            asked = (
                self._within(citation, meant, base) if asked or citation.kind == "条" else self._alone(citation, base)
            )
        elif not asked and not path and self._is_provision(citation, meant):
            asked, path = meant.asked, meant.path
        aside = meant.day is not None and meant.citation.start < self._reader.sentence(citation.start).start
        own = meant.row if meant.named and not aside else None  # what held on another day is told in its sentence
        day = None if aside else meant.day
        return Resolved(citation, meant.title, meant.rows, True, asked, path, row=own, named=own is not None, day=day)

    def _within(
        self, citation: MemoCitation, meant: Resolved, base: tuple[AddressStep, ...]
    ) -> tuple[AddressRange, ...]:
        """Return what 同条第二款 or 前款第三项 means: a part of the 款 it points to where that has such, else of the article."""
        paragraph = tuple(s for s in base if s.level not in (Level.ITEM, Level.SUBITEM))
        article = tuple(s for s in paragraph if s.level is not Level.PARAGRAPH)
        inner = self._alone(citation, paragraph) if citation.kind == "款" and meant.row is not None else ()
        for steps in (*(r.first.steps for r in inner), article):
            found = tuple(AddressRange(Address(steps + r.first.steps)) for r in citation.asked)
            if found and all(self._holdings.provisions(meant.row, r) for r in found if meant.row):
                break
        return found or self._alone(citation, article)

    def _alone(self, citation: MemoCitation, base: tuple[AddressStep, ...]) -> tuple[AddressRange, ...]:
        """Return what 同条 or 前款 means; a memo's 前款 is the 款 it cited last or the one before that in the law."""
        last = base[-1]
        here = (AddressRange(Address(base)),)
        if self._reader.form.text[citation.start] not in "前上" or last.level is not Level.PARAGRAPH or last.number < 2:
            return here
        return (AddressRange(Address((*base[:-1], replace(last, number=last.number - 1)))), *here)

    def _meant(self, citation: MemoCitation) -> Resolved | None:
        back = [r for r in reversed(self._before) if r.known and r.title]
        if citation.own or citation.kind == "上":
            return back[0] if back else None
        part = citation.kind in _PARTS
        if citation.span.of(self._reader.memo.text).startswith("本"):
            sentence = self._reader.sentence(citation.start)
            return next((r for r in back if r.citation.start >= sentence.start and (r.asked or not part)), None)
        if part:
            return next((r for r in back if r.asked), None)
        if citation.kind.endswith("号"):
            return next((r for r in back if _numbered(r, citation.kind)), None)
        fits = [r for r in back if _is_kind(r, citation.kind)]
        if fits:
            return fits[0]
        return back[0] if back and citation.kind in _ANY else None

    def _is_provision(self, citation: MemoCitation, meant: Resolved) -> bool:
        """Tell whether 上述规定 means the provision cited before, and not the text."""
        words = citation.span.of(self._reader.memo.text)
        return words.endswith(("规定", "要求", "上", "前", "注")) and not (
            words.startswith("该") and meant.title.rstrip("）)").endswith("规定")
        )

    def retold(self, found: Resolved) -> bool:
        """Tell whether 前款, 本法第八条 or another law's name are words of the provision that the memo retells.

        So it is when the words with those after them, or before them, stand in the text cited beside them.
        """
        citation, text = found.citation, self._reader.form.text
        if not found.known and citation.span.of(self._reader.memo.text).startswith("本"):
            return True  # an article of the memo itself, which is a rule (本办法第五条)
        sentence = self._reader.sentence(citation.start)
        others = [r for r in self._before if r is not found and r.row is not None]
        before = [r for r in others if r.citation.end <= citation.start and r.citation.start >= sentence.start]
        after = [r for r in others if r.citation.start >= citation.end and r.citation.end <= sentence.end]
        right = keyed(text[citation.start : min(sentence.end, citation.end + _NEAR)]).key
        left = keyed(text[max(sentence.start, citation.start - _NEAR) : citation.end]).key
        least = len(keyed(text[citation.start : citation.end]).key) + _NEAR // 2
        windows = [w for w in (right, left) if len(w) >= least]
        texts = (self._holdings.text(r.row).units for r in (*before, *after[:3]) if r.row is not None)
        held = [unit.words.key[1:] for units in texts for unit in units]  # without the head of its own number
        beside = (r for r in (*before, *after) if r.title != found.title)
        named = not found.asked and found.title and any(self._names(r, found.title) for r in beside)
        return bool(named) or any(window in words for words in held for window in windows)

    def _names(self, cited: Resolved, title: str) -> bool:
        """Tell whether the cited provisions themselves name a law (依照土地管理法的规定)."""
        text = self._holdings.text(cited.row).regulation.text if cited.row is not None else ""
        short = title.removeprefix("中华人民共和国")
        return any(short in p.span.of(text) for p in cited.provisions)

    # --- versions

    def _placed(self, found: Resolved) -> Resolved:
        day = found.day or day_spoken_of(self._reader, found.citation)
        rows, named = self._versions(found, day or self._day)
        if not rows:
            return replace(found, rows=found.rows, row=None, day=day)
        best: Resolved | None = None
        for row in rows:
            provisions, missing = self._provisions(row, found)
            placed = replace(found, row=row, named=named, day=day, provisions=provisions, missing=missing)
            if best is None or (best.missing and not missing):
                best = placed
            if not missing and self._holdings.text(row).units and (found.asked or row.articles):
                return placed
        return best if best is not None else found

    def _versions(self, found: Resolved, day: Day) -> tuple[list[RegulationRow], bool]:
        """Return the rows a citation means, the likeliest first, and whether the memo says which version."""
        citation, rows = found.citation, list(found.rows)
        if found.row is not None:
            beside = [r for r in rows if r.sha256 == found.row.sha256 and r.id != found.row.id and found.asked]
            return [found.row, *beside], True
        if citation.number:
            by_number = {r.id for r in self._holdings.by_number(citation.number)}
            if chosen := [r for r in rows if r.id in by_number]:
                together = {r.sha256 for r in chosen if found.asked}  # a notice and the rule it brings
                return [*chosen, *(r for r in rows if r.sha256 in together and r not in chosen)], True
        days = {c.day for c in found.stated if c.day}
        if chosen := [r for r in rows if days & {r.validity.effective, r.validity.promulgated, r.version_date}]:
            return chosen, True
        if citation.year:
            return _of_year(rows, citation.year), True
        current = [r for r in rows if r.validity.on(day).may_answer and r.nature != "draft"]
        begun = [r for r in rows if (start := r.validity.effective) is None or start <= day]
        return (current or begun or rows), False

    def _provisions(self, row: RegulationRow, found: Resolved) -> tuple[tuple[Provision, ...], bool]:
        if found.path:
            hit = self._holdings.by_label(row, found.path)
            if hit or not found.asked:
                return hit, not hit
        out: list[Provision] = []
        missing = False
        for asked in found.asked:
            hit = self._holdings.provisions(row, asked)
            if asked.last is not None and not self._holdings.provisions(row, AddressRange(asked.last)):
                missing = True
            if not hit and not row.articles and (path := _outline(asked)):
                hit = self._holdings.by_label(row, path)
            missing = missing or not hit
            out += hit
        return tuple(dict.fromkeys(out)), missing

    def at(self, row: RegulationRow, found: Resolved) -> tuple[Provision, ...]:
        """Return the provisions of another version under the same numbers; empty where one is missing."""
        provisions, missing = self._provisions(row, found)
        return () if missing else provisions


def _outline(asked: AddressRange) -> str:
    """Return the label of a place in an outline: 一-二-1 for 第一部分第（二）项第1点."""
    numbers = [step.number for step in asked.first.steps]
    if asked.last is not None or not all(n > 0 for n in numbers):
        return ""
    return "-".join([*(to_chinese(n) for n in numbers[:2]), *map(str, numbers[2:])])


_DAYS = tuple(attrgetter(name) for name in ("version_date", "validity.effective", "validity.promulgated"))


def _of_year(rows: Sequence[RegulationRow], year: int) -> list[RegulationRow]:
    """Return the versions of a year: an amended text keeps the promulgation of its first one, so that counts last."""
    for read in _DAYS:
        if found := [r for r in rows if (day := read(r)) is not None and day.year == year]:
            return found[-1:] if read is _DAYS[-1] and len({r.province for r in found}) == 1 else found
    return []


def _abridges(short: str, found: Resolved) -> bool:
    """Tell whether a title leaves words out of one cited before (《征收补偿条例》 of 《…房屋征收与补偿条例》)."""
    key = title_key(short)
    fulls = (title_key(title) for title in {found.title, *(r.title for r in found.rows)})
    return len(_GENERIC.sub("", key)) >= _NAMED and any(full[-2:] == key[-2:] and in_order(key, full) for full in fulls)


def _numbered(found: Resolved, last: str) -> bool:
    """Tell whether a text has a number that ends in 〕688号."""
    numbers = (found.citation.number, *(r.document_number for r in found.rows))
    return any(re.search(rf"(?<!\d){last}$", number) for number in numbers if number)


def _is_kind(found: Resolved, kind: str) -> bool:
    names = {found.title, *(r.title for r in found.rows)}
    names |= {
        inner for name in names for inner in re.findall("[《〈]([^《》〈〉]+)[》〉]", name)
    }  # what a notice brings
    ends = tuple({kind, "法典"}) if kind == "法" else (kind,)
    bare = [re.sub(r"[（(][^（）()]*[）)]$", "", n.strip()).rstrip("》") for n in names]
    if any(n.endswith(ends) and not (kind == "法" and n.endswith("办法")) for n in bare):
        return True
    return kind == "文件" or (
        kind in ("标准", "规范", "规程") and bool(found.citation.number) and not found.citation.title
    )
