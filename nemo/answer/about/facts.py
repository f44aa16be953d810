"""Each property of a regulation in words with its proof (逐项事实)."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nemo.answer.about import proofs
from nemo.answer.about.citing import CITING, citing_article
from nemo.answer.about.proofs import LawFact, ProofPlace
from nemo.answer.about.shape import AskedProperty, AskedRegulation
from nemo.answer.decision import Decision
from nemo.lawview.concordance import ender
from nemo.lawview.links import CITED_BY, TOWARDS, Link
from nemo.text.law.history import EventKind, HistoryEvent, history
from nemo.text.letter.titles import in_marks
from nemo.text.structure.annexes import listed_annexes
from nemo.text.words.normalise import squash
from nemo.text.words.numerals import to_chinese
from nemo.text.words.sentences import trim
from nemo.types import HEADINGS, Day, Level, Regulation, RelationKind, Span, Status

_BASIS = re.compile(r"((?:根据|依据|依照|按照)[^。；]{2,160}?)[，、]?制[定订]")
_LEANS = (CITED_BY, TOWARDS[RelationKind.BASED_ON], TOWARDS[RelationKind.IMPLEMENTS])


@dataclass(frozen=True, slots=True)
class PropertyQuestion:
    """What is asked about: the question, its subject and the rest of its words."""

    decision: Decision
    subject: AskedRegulation
    rest: str

    @property
    def regulation(self) -> Regulation:
        """The version that is meant, of a text that is held."""
        assert self.subject.row is not None, "of what is not held nothing but its end is known"
        return self.decision.parts.library.regulation(self.subject.row.id)


def chinese(day: Day) -> str:
    """Write a day as the law writes it: 2024年5月1日."""
    return f"{day.year}年{day.month}月{day.day}日"


# --- days and force ---------------------------------------------------------------------------------------------------


def _commencement(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    known = regulation.validity
    start, first = known.effective, known.first_effective
    if start is None and first is None:
        return _unstated_commencement(asked, regulation)
    if first is not None and (start is None or start == first):
        words = f"自{chinese(first)}起施行"
    elif start is not None and (first is None or "本" in asked.rest):
        clause = known.why("first_effective")  # counted from its issue
        unstated = f"{clause.words}，没有写明这一日期，" if clause else "没有载明施行日期，"
        of_version = _version(regulation) if known.amended and first is None else ""
        words = f"{of_version or ('' if first else unstated)}自{chinese(start)}起施行"
    else:
        assert start is not None and first is not None
        words = f"自{chinese(first)}起首次施行，{_version(regulation)}自{chinese(start)}起施行"
    if known.derived:
        words += f"（推定，不晚于{chinese(known.certain_from)}）" if known.certain_from else "（推定）"
    day = asked.decision.day
    if known.on(day) is Status.PENDING:
        words += _not_yet(asked, regulation, day)
    found = _begun(asked, regulation)
    return LawFact(words, found, inferred=known.derived) if found else None


def _not_yet(asked: PropertyQuestion, regulation: Regulation, day: Day) -> str:
    """Say what a day lies before: the start of the text, or that of this version alone, the text being in force or made earlier."""
    known, held = regulation.validity, "" if len(asked.subject.versions) > 1 else "，资料库没有收录"
    if known.amended and known.first_effective is not None and known.first_effective <= day:
        return f"，在{chinese(day)}施行的是此前的版本{held}"
    made = next((e for e in _made(regulation) if known.amended and e.day <= day), None)
    if made is None:
        return f"，在{chinese(day)}尚未施行"
    return f"，{_version(regulation)}在{chinese(day)}尚未施行；此前的版本（{chinese(made.day)}{made.kind.value}）{held.strip('，') or '另有收录'}"


def _begun(asked: PropertyQuestion, regulation: Regulation) -> tuple[ProofPlace, ...]:
    """Return what the start of a text was read from; of a binding one that names none its signature, else its title."""
    found = proofs.commencement(regulation, asked.decision.parts.library)
    if found or regulation.nature != "binding":
        return found
    signed = proofs.by_evidence(regulation, regulation.validity.why("promulgated"))
    return signed or proofs.by_fact(regulation, "title", "document_number")


def _unstated_commencement(asked: PropertyQuestion, regulation: Regulation) -> LawFact | None:
    """Say that a text names no day of commencement, with the day it was issued."""
    known = regulation.validity
    if known.stayed:
        put_off = proofs.moved(known.why("version_effective"), asked.decision.parts.library)
        return LawFact("已暂缓施行，没有读到新的施行日期", put_off) if put_off else None
    clause = known.why("first_effective")
    words = f"{clause.words}，没有写明这一日期" if clause else "没有写明施行日期"
    words += f"，公布或成文日期为{chinese(known.promulgated)}" if known.promulgated else ""
    found = _begun(asked, regulation)
    return LawFact(words, found) if found else None


def _version(regulation: Regulation) -> str:
    return f"{chinese(regulation.version_date)}的版本" if regulation.version_date else "本版本"


def _ended(asked: PropertyQuestion) -> tuple[str, tuple[ProofPlace, ...]] | None:
    """Return how a text ended or will end, with the clause; None when nothing ends it."""
    regulation, library = asked.regulation, asked.decision.parts.library
    known = regulation.validity
    if known.ends is None:
        return None
    found = proofs.ending(regulation, library)
    row = ender(known, library.rows())
    title = row.title if row is not None else (known.ended_by or "")
    since = f"自{chinese(known.ends)}起"
    if known.ended_as is Status.EXPIRED:
        words = f"{since}有效期届满"
    elif row is not None and known.ended_as is Status.AMENDED:
        words = f"{since}被{_version(library.regulation(row.id))}取代"
    elif title:
        words = f"{since}被{in_marks(title)}{_article(found, row.id if row else '')}废止"
    else:
        words = f"{since}{(known.ended_as or Status.UNKNOWN).value}"
    if known.ends_certain is not None:
        words += f"（推定，不晚于{chinese(known.ends_certain)}）"
    return words, found or proofs.commencement(regulation, library)


def _article(found: Sequence[ProofPlace], regulation_id: str) -> str:
    """Return the article of the repealing text that says so."""
    for proof in found:
        home = proof.regulation.unit(proof.span)
        if proof.regulation.id == regulation_id and home is not None and home.level is Level.ARTICLE:
            return home.step
    return ""


def repealed_unheld(asked: PropertyQuestion) -> LawFact | None:
    """Return what ended a text that is not held: all that is known of it."""
    by = asked.subject.repealed_by
    if by is None:
        return None
    row, relation = by
    other = asked.decision.parts.library.regulation(row.id)
    place = relation.span or Span(max(0, other.text.find(relation.words)), 0)
    if place.end <= place.start:
        return None
    proof = proofs.around(other, place)
    day = relation.from_day or other.validity.first_effective or other.validity.effective
    since = f"自{chinese(day)}起" if day else ""
    words = f"已废止，{since}被{in_marks(row.title)}{_article((proof,), row.id)}废止"
    return LawFact(words, (proof,), (f"资料库未收录{in_marks(asked.subject.title)}的文本。",))


def _end(asked: PropertyQuestion) -> LawFact | None:
    ended = _ended(asked)
    regulation = asked.regulation
    if ended is not None and (last := regulation.validity.last_day) is not None:
        doubtful = regulation.validity.ends_certain is not None
        return LawFact(f"有效至{chinese(last)}，{ended[0]}", ended[1], inferred=doubtful)
    return _term(regulation) or (None if "有效期" in asked.rest else _standing(asked))


def _term(regulation: Regulation) -> LawFact | None:
    """Say how long a text is valid that does not state the day from which that is counted; None where it states no term."""
    known = regulation.validity
    clause, began = known.why("ends"), known.why("first_effective")
    if clause is None or known.ends is not None:
        return None
    words = "，".join(e.words for e in (began, clause) if e is not None)
    words += "；文本没有载明起算的日期，未推定到期日"
    words += f"（公布或成文日期为{chinese(known.promulgated)}）" if known.promulgated else ""
    found = proofs.by_evidence(regulation, clause)
    return LawFact(words, found, inferred=True) if found else None


def _in_force(asked: PropertyQuestion) -> LawFact | None:
    known, day, ended = asked.regulation.validity, asked.decision.day, _ended(asked)
    status = known.on(day)
    if ended is None:
        return _standing(asked)
    if status.may_answer and (last := known.last_day) is not None:
        return LawFact(f"在{chinese(day)}{status.value}，有效至{chinese(last)}（{ended[0]}）", ended[1])
    begins = _commencement(asked) if status is Status.PENDING else None
    if begins is not None:
        return LawFact(f"{begins.words}，{ended[0]}", tuple(dict.fromkeys((*begins.proofs, *ended[1]))))
    return LawFact(f"在{chinese(day)}{status.value}，{ended[0]}", ended[1])


def _standing(asked: PropertyQuestion) -> LawFact | None:
    regulation, day = asked.regulation, asked.decision.day
    status = regulation.validity.on(day)
    if status is Status.PENDING and not regulation.validity.stayed:
        return _commencement(asked)
    since = _since(regulation)
    found = _begun(asked, regulation)
    prolonged = proofs.moved(regulation.validity.why("extended"), asked.decision.parts.library)
    found = (*prolonged, *found)
    went_on = f"，{in_marks(prolonged[0].regulation.title)}规定继续有效" if prolonged else ""
    words = f"在{chinese(day)}{status.value}{since}{went_on}，资料库中没有读到废止它的规定"
    return LawFact(words, found) if found else None


def _since(regulation: Regulation) -> str:
    """Say since when a text stands; of a later version its own day too, which the clause on commencement does not name."""
    known = regulation.validity
    first, start = known.first_effective, known.effective
    words = f"，自{chinese(first)}起施行" if first else ""
    if start is not None and start != first:
        words += f"，{_version(regulation) if known.amended else ''}自{chinese(start)}起施行"
    return words + ("（推定）" if start is not None and known.derived else "")


def _repealed_by(asked: PropertyQuestion) -> LawFact | None:
    ended = _ended(asked)
    return LawFact(*ended) if ended is not None else _standing(asked)


def _repeals(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    named = [r for r in regulation.relations if r.kind is RelationKind.REPEALS and r.span is not None]
    titles = "、".join(in_marks(r.target_title or r.target_number or "") for r in named)
    found = tuple(dict.fromkeys(proofs.around(regulation, r.span) for r in named if r.span is not None))
    return LawFact(f"废止{titles}", found) if found else None


# --- who, what and on what ground -------------------------------------------------------------------------------------


def _issuer(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    made = _made(regulation)[:1]
    approved = [e for e in history(regulation.text) if e.kind is EventKind.APPROVED]
    if approved and "批准" in asked.rest:
        return LawFact("；".join(e.words for e in approved), (ProofPlace(regulation, _over(regulation, approved)),))
    if not regulation.issuer:
        return LawFact(made[0].words, (ProofPlace(regulation, _over(regulation, made)),)) if made else None
    found = (
        proofs.by_fact(regulation, "issuer")
        or proofs.note(regulation)
        or proofs.commencement(regulation, asked.decision.parts.library)
    )
    return LawFact(regulation.issuer, found) if found else None


def _made(regulation: Regulation) -> list[HistoryEvent]:
    """Return the events that brought a text about."""
    kinds = (EventKind.ADOPTED, EventKind.APPROVED, EventKind.PUBLISHED, EventKind.ISSUED)
    return [e for e in history(regulation.text) if e.kind in kinds]


def _published(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    if events := _made(regulation):
        words = "，".join(f"{chinese(e.day)}{e.kind.value}" for e in events)
        return LawFact(words, (ProofPlace(regulation, _over(regulation, events)),))
    known = regulation.validity
    day, stated = known.promulgated, [e for e in known.evidence if e.fact == "promulgated"]
    found = proofs.by_evidence(regulation, known.why("promulgated"))
    if day is not None and not found:  # a list states it too, and counts for more
        said = (e for e in stated if chinese(day) in squash(e.words))
        found = next(filter(None, (proofs.by_evidence(regulation, e) for e in said)), ())
    return LawFact(f"{chinese(day)}公布", found) if day is not None and found else None


def _basis(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    kinds = (RelationKind.BASED_ON, RelationKind.IMPLEMENTS)
    named = [r for r in regulation.relations if r.kind in kinds and r.span is not None]
    based = [r for r in named if r.kind is RelationKind.BASED_ON] or named
    if based:
        titles = "、".join(dict.fromkeys(in_marks(r.target_title or r.target_number or "") for r in based))
        found = tuple(dict.fromkeys(proofs.around(regulation, r.span) for r in based if r.span is not None))
        first = _first_article(regulation)
        return LawFact(f"依据{titles}", found if first is None or first in found else (*found, first))
    first = _first_article(regulation)
    if first is None:
        return None
    said = _BASIS.search(first.span.of(regulation.text))
    words = said[1] if said else "第一条没有写明所依据的法律、法规"
    return LawFact(words, (first,))


def _first_article(regulation: Regulation) -> ProofPlace | None:
    first = next((p for p in regulation.walk() if p.level is Level.ARTICLE), None)
    return ProofPlace(regulation, trim(regulation.text, first.span)) if first is not None else None


def _number(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    if not regulation.document_number:
        return None
    library = asked.decision.parts.library  # what a notice issues bears its number
    same = [
        r for r in library.rows() if (r.sha256, r.document_number) == (regulation.sha256, regulation.document_number)
    ]
    proven = (proofs.by_fact(library.regulation(row.id), "document_number") for row in same)
    found = proofs.by_fact(regulation, "document_number") or next(filter(None, proven), ())
    return LawFact(regulation.document_number, found) if found else None


def _level(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    if not regulation.level:
        return None
    found = (
        proofs.by_fact(regulation, "level", "issuer")
        or proofs.note(regulation)
        or proofs.commencement(regulation, asked.decision.parts.library)
    )
    issuer = f"（{regulation.issuer}）" if regulation.issuer else ""
    return LawFact(f"{regulation.level}{issuer}", found) if found else None


def _extent(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    articles = [p for p in regulation.walk() if p.level is Level.ARTICLE]
    chapters = sum(p.level is Level.CHAPTER for p in regulation.walk())
    if not articles:
        return None
    words = f"共{len(articles)}条" + (f"，分{chapters}章" if chapters else "，不分章") + f"，至{articles[-1].step}止"
    return LawFact(words, (ProofPlace(regulation, trim(regulation.text, articles[-1].span)),))


def _contents(asked: PropertyQuestion) -> LawFact | None:
    """Return the parts and chapters of a text, each with its heading as proof and its articles in words."""
    regulation = asked.regulation
    headed = [p for p in regulation.walk() if p.level in HEADINGS[:-1]]
    if not headed:
        return _extent(asked)
    said, found = [], []
    for unit in headed:
        articles = [p for p in unit.walk() if p.level is Level.ARTICLE]
        chapter = unit.level is Level.CHAPTER and articles
        extent = f"（{articles[0].step}至{articles[-1].step}）" if chapter and len(articles) > 1 else ""
        said.append(
            f"{unit.number} {unit.heading}".strip() + (extent or (f"（{articles[0].step}）" if chapter else ""))
        )
        found.append(ProofPlace(regulation, trim(regulation.text, _headline(regulation.text, unit.span))))
    whole = sum(p.level is Level.ARTICLE for p in regulation.walk())
    return LawFact("；".join(said) + (f"；共{whole}条" if whole else ""), tuple(found))


def _annexes(asked: PropertyQuestion) -> LawFact | None:
    """Return the annexes of a text: those that it lists at its end (附件：1.…), else those that it holds."""
    regulation = asked.regulation
    text, listed = regulation.text, listed_annexes(regulation.text)
    if listed:
        places = list(listed.values())
        start = text.rfind("附", 0, places[0].start)
        named = [f"{number}{'.' if number else ''}{place.of(text)}" for number, place in listed.items()]
        found: tuple[ProofPlace, ...] = (ProofPlace(regulation, trim(text, Span(start, places[-1].end))),)
    else:
        held = [p for p in regulation.walk() if p.level is Level.ANNEX]
        named = [f"{p.number} {p.heading}".strip() for p in held]
        found = tuple(ProofPlace(regulation, trim(text, _headline(text, p.span))) for p in held)
    return LawFact(f"共{len(named)}个：{'；'.join(named)}", found) if found else None


def _headline(text: str, span: Span) -> Span:
    """Return the first line of a part of a text."""
    line = text.find("\n", span.start, span.end)
    return Span(span.start, line if line > 0 else span.end)


# --- versions and ties ------------------------------------------------------------------------------------------------


def _amendments(asked: PropertyQuestion) -> LawFact | None:
    regulation = asked.regulation
    events = [e for e in history(regulation.text) if e.amends]
    if not events:
        found = proofs.note(regulation) or proofs.commencement(regulation, asked.decision.parts.library)
        made = regulation.validity.promulgated
        later = regulation.version_date is not None and made is not None and regulation.version_date > made
        words = "题注中没有修正或修订的记载" + (f"，所收的是{_version(regulation)}" if later else "")
        return LawFact(words, found) if found else None
    words = f"{_counted(events)}（{'、'.join(chinese(e.day) + _nth(e) for e in events)}）"
    return LawFact(words, (ProofPlace(regulation, _over(regulation, events)),))


def _counted(events: Sequence[HistoryEvent]) -> str:
    kinds = Counter(_nth(event)[-2:] for event in events)
    counted = "、".join(f"{kind}{to_chinese(count)}次" for kind, count in sorted(kinds.items()))
    return counted if len(kinds) == 1 else f"共修改{to_chinese(len(events))}次（{counted}）"


def _nth(event: HistoryEvent) -> str:
    """Return how the text itself calls a change of it: 第二次修正, 修订."""
    said = re.findall(r"(?:第[一二三四五六七八九十]+次)?修[正订]", event.words)
    return said[-1] if said else event.kind.value


def _over(regulation: Regulation, events: Sequence[HistoryEvent]) -> Span:
    return trim(regulation.text, Span(min(e.span.start for e in events), max(e.span.end for e in events)))


def _newest(asked: PropertyQuestion) -> LawFact | None:
    library, day = asked.decision.parts.library, asked.decision.day
    newest = library.regulation(asked.subject.versions[-1].id)
    known = newest.validity
    last = [e for e in history(newest.text) if e.amends][-1:]
    made = f"{chinese(last[0].day)}{_nth(last[0])}" if last else _version(newest)
    start = f"，自{chinese(known.effective)}起施行" if known.effective else ""
    start += "（推定）" if known.derived else ""
    others = [r for r in asked.subject.versions if r.id != newest.id]
    standing = next((r for r in others if r.validity.on(day) is Status.IN_FORCE), None)
    held = [_of(r.version_date) for r in others if r is not standing]
    more = f"；库内另有{'、'.join(held)}" if held else "" if others else "；库内只有这一个版本"
    status = f"在{chinese(day)}尚未施行" if (pending := known.on(day) is Status.PENDING) else known.on(day).value
    words = f"库内最新版本为{made}{start}，{status}{more}"
    proof = (ProofPlace(newest, last[0].span),) if last else ()
    if pending and all(r.validity.on(day) is Status.PENDING for r in others):
        words = f"库内没有在{chinese(day)}有效的版本；{words}"
    if standing is not None:  # the newest is not the law of the day that is asked
        of_day = library.regulation(standing.id)
        words = f"在{chinese(day)}有效的是{_version(of_day)}；{words}"
        proof = (*proofs.commencement(of_day, library), *proof)
    found = tuple(dict.fromkeys((*proof, *proofs.commencement(newest, library))))
    return LawFact(words, found) if found else None


def _of(day: Day | None) -> str:
    return f"{chinese(day)}的版本" if day else "日期不明的版本"


def _cited_by(asked: PropertyQuestion) -> LawFact | None:
    parts, day = asked.decision.parts, asked.decision.day
    found: dict[str, Link] = {}
    for version in reversed(asked.subject.versions):
        for link in parts.law.links(version.id, day).links:
            if link.inward and link.kind in _LEANS and link.regulation_id and _stands(link):
                found.setdefault(link.title, link)
    if asked.subject.article is not None:
        citing = [link.regulation_id for link in found.values() if link.regulation_id]
        return citing_article(parts.library, asked.regulation, asked.subject.article, citing)
    links = sorted(found.values(), key=lambda x: (x.kind == CITED_BY, -x.count, x.title))
    quoted = [proof for link in links if (proof := _citing(asked, link)) is not None][:CITING]
    if not quoted:
        return None
    counted = "、".join(dict.fromkeys(in_marks(p.regulation.title) for p in quoted))
    rest = [in_marks(link.title) for link in links if link.title not in {p.regulation.title for p in quoted}]
    standing = "现行有效或效力待核" if any(link.status is Status.UNKNOWN for link in links) else "现行有效"
    words = f"库内{standing}的文本中有 {len(links)} 部引用它或以它为依据：{counted}" + ("等" if rest else "")
    return LawFact(words, tuple(quoted), ("其余：" + "、".join(rest),) if rest else ())


def _stands(link: Link) -> bool:
    return link.status is not None and link.status.may_answer


def _citing(asked: PropertyQuestion, link: Link) -> ProofPlace | None:
    """Return the sentence of the other text that names the one asked about."""
    other = asked.decision.parts.library.regulation(link.regulation_id or "")
    place = other.text.find(link.words)
    return proofs.around(other, Span(place, place + len(link.words))) if place >= 0 and link.words else None


FACTS: Mapping[AskedProperty, Callable[[PropertyQuestion], LawFact | None]] = {
    AskedProperty.CITED_BY: _cited_by,
    AskedProperty.REPEALS: _repeals,
    AskedProperty.REPEALED_BY: _repealed_by,
    AskedProperty.BASIS: _basis,
    AskedProperty.NUMBER: _number,
    AskedProperty.AMENDMENTS: _amendments,
    AskedProperty.END: _end,
    AskedProperty.COMMENCEMENT: _commencement,
    AskedProperty.IN_FORCE: _in_force,
    AskedProperty.ISSUER: _issuer,
    AskedProperty.PUBLISHED: _published,
    AskedProperty.LEVEL: _level,
    AskedProperty.EXTENT: _extent,
    AskedProperty.CONTENTS: _contents,
    AskedProperty.ANNEXES: _annexes,
    AskedProperty.VERSION: _newest,
}
"""How each property is stated; None where nothing in the library proves it."""
