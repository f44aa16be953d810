"""What happened to the law since an answer was given: the basis of the alarm for stale answers (答复失效提醒).

An answer given for the day it was asked is compared with today; one asked about another day is compared with what the
library now knows of that day.
"""

import enum
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nemo.errors import NotFoundError
from nemo.lawview.basis import Caution
from nemo.store.catalogue.rows import AnswerRow, QuoteRow, QuoteUse, RegulationRow
from nemo.store.library import Library
from nemo.text.words.normalise import title_key
from nemo.text.words.sentences import trim
from nemo.types import CHINA, Citation, Day, Level, Quote, Regulation, Span, Verdict, cite, status_of
from nemo.types.plain import picked


class ChangeKind(enum.StrEnum):
    """What happened to a quoted stretch of text."""

    REMOVED = "法规已移出资料库"
    TEXT = "文本已变"
    STATUS = "时效已变"
    BASIS = "所依据的法律已废止"
    REJECTED = "引文已驳回"
    FACTS = "出处信息已更正"


@dataclass(frozen=True, slots=True)
class LawChange:
    """One thing that is no longer as a stored answer says."""

    kind: ChangeKind
    position: int
    """Which quote of the answer, from 0."""
    regulation_id: str
    title: str
    message: str
    """One Chinese sentence."""
    before: str
    """The provision as the old text has it; the quote alone when the old text is gone."""
    after: str | None = None
    """The provision of the same number in the text that took its place, None when there is none."""
    successor: str | None = None
    """Id of the text that took its place, when it is held."""
    label: str = ""
    """Label of the provision in the successor."""


@dataclass(frozen=True, slots=True)
class StaleAnswer:
    """A stored answer that no longer holds in every point."""

    answer: AnswerRow
    kinds: tuple[ChangeKind, ...]

    def plain(self) -> dict[str, Any]:
        """Return it as its JSON says it."""
        answer = picked(self.answer, "trace_id question as_of=day answered_at=at")
        return answer | picked(self, "kinds")


Gone = Callable[[str, str, Day], Sequence[Caution]]
"""Returns the repealed laws that the words of a quote, or its regulation (by id), rest on on a day."""


def changes_since(library: Library, trace_id: str, today: Day, gone: Gone) -> list[LawChange]:
    """Return what changed since a stored answer was given, in the order of its quotes."""
    answer = library.answers.get(trace_id)
    uses = library.answers.uses_of(trace_id)
    return [
        change
        for position, quote in enumerate(answer.quotes)
        for change in (
            *_changes(library, quote, uses[position], position, today),
            *_bases(library, uses[position], quote, position, today, gone),
        )
    ]


Judged = dict[QuoteUse, tuple[ChangeKind | None, bool]]
"""What changed of a quoted stretch of text, and whether a law it rests on is gone."""


def stale(library: Library, today: Day, gone: Gone, judged: Judged | None = None) -> list[StaleAnswer]:
    """Return the stored answers whose quotes are no longer as they say, newest first.

    ``judged`` is what was found before on the same library, with the same decisions, on the same day; it grows.
    """
    kinds: dict[str, list[ChangeKind]] = defaultdict(list)
    judged = {} if judged is None else judged
    for use in library.answers.uses():
        if use not in judged:
            kind = what_changed(library, use, today)
            rests = kind is None and gone(use.words, use.regulation_id, _reference(use, today))
            judged[use] = kind, bool(rests)
        kind, without_basis = judged[use]
        if kind is not None:
            for trace_id in library.answers.using(use):
                kinds[trace_id].append(kind)
        elif without_basis:
            for trace_id in library.answers.using(use):
                quotes = [q for q in library.answers.get(trace_id).quotes if q.text == use.words]
                if any(_bases(library, use, quote, 0, today, gone) for quote in quotes):
                    kinds[trace_id].append(ChangeKind.BASIS)
    return [StaleAnswer(row, tuple(dict.fromkeys(kinds[row.trace_id]))) for row in library.answers.rows(list(kinds))]


@dataclass(frozen=True, slots=True)
class StaleAlert:
    """A question whose stored answers no longer hold (提醒)."""

    newest: StaleAnswer
    count: int
    """How many stored answers of this question are stale."""


def alarms(found: Sequence[StaleAnswer], answers: Sequence[AnswerRow]) -> list[StaleAlert]:
    """Return each question of stale answers once, without those asked again since that hold; both come newest first."""
    stale_ids = {one.answer.trace_id for one in found}
    newest: dict[object, AnswerRow] = {}
    for row in answers:
        newest.setdefault(_asked(row), row)
    groups: dict[object, list[StaleAnswer]] = defaultdict(list)
    for one in found:
        groups[_asked(one.answer)].append(one)
    return [
        StaleAlert(group[0], len(group))
        for asked, group in groups.items()
        if asked not in newest or newest[asked].trace_id in stale_ids
    ]


def _asked(row: AnswerRow) -> object:
    f = row.filters
    own_day = None if row.day == row.at.astimezone(CHINA).date() else row.day
    return "".join(row.question.split()), f.province, f.asset, f.doc_class, own_day


def what_changed(library: Library, used: QuoteUse | QuoteRow, today: Day) -> ChangeKind | None:
    """Return the gravest change of a quoted stretch of text, None when it stands; reads no text unless it changed."""
    row = _row(library, used.regulation_id)
    if row is None:
        return ChangeKind.REMOVED
    if row.text_sha256 != used.text_sha256:
        text = library.regulation(row.id).text
        if used.span.of(text) != used.words:
            return ChangeKind.TEXT
    if status_of(row, _reference(used, today), used.label) is not used.status:
        return ChangeKind.STATUS
    rejected = library.reviews.standing(used.regulation_id, used.span).state is Verdict.REJECTED
    return ChangeKind.REJECTED if rejected else None


def _bases(library: Library, use: QuoteUse, quote: Quote, position: int, today: Day, gone: Gone) -> list[LawChange]:
    """Return the laws that a quote rests on and that are repealed without its answer having said so.

    What was not told then came into the library later, or into force: either way the answer no longer holds.
    """
    row = _row(library, use.regulation_id)
    if row is None:
        return []
    told = "\n".join(quote.citation.warnings)
    now = gone(use.words, use.regulation_id, _reference(use, today))
    new = (basis for basis in now if f"《{basis.title}》" not in told)
    return [LawChange(ChangeKind.BASIS, position, row.id, row.title, basis.message, use.words) for basis in new]


def _row(library: Library, regulation_id: str) -> RegulationRow | None:
    try:
        return library.row(regulation_id)
    except NotFoundError:
        return None


def _reference(used: QuoteUse | QuoteRow, today: Day) -> Day:
    """The day whose status counts: a question about its own day is a question about now."""
    return today if used.day == used.asked else used.day


def _changes(library: Library, quote: Quote, use: QuoteUse, position: int, today: Day) -> Iterator[LawChange]:
    kind = what_changed(library, use, today)
    row = _row(library, quote.regulation_id)
    c = quote.citation
    if row is None:
        yield _followed(
            library, None, quote, position, ChangeKind.REMOVED, f"《{c.title}》已移出资料库，引文无法再核对。"
        )
        return
    if kind is ChangeKind.TEXT:
        message = f"《{c.title}》的文本已变，原处不再是所引的文字。"
        yield _followed(library, row, quote, position, kind, message)
        return
    if kind is ChangeKind.STATUS:
        day = _reference(use, today)
        status = status_of(row, day, use.label)
        message = f"《{c.title}》{c.path}：答复时为“{use.status}”，按 {day} 判断为“{status}”。"
        yield _followed(library, row, quote, position, kind, message)
    yield from _small(library, row, quote, position)


def _small(library: Library, row: RegulationRow, quote: Quote, position: int) -> Iterator[LawChange]:
    """What changed beside text and status: the review, and facts of the citation."""
    c = quote.citation
    review = library.reviews.standing(quote.regulation_id, quote.span).review
    if review is not None and review.state is Verdict.REJECTED:
        when, by = review.at.astimezone(CHINA).date(), review.by or "复核人员"
        message = f"《{c.title}》{c.path}的引文已于 {when} 被{by}驳回：{review.reason}"
        yield LawChange(ChangeKind.REJECTED, position, row.id, c.title, message, quote.text)
    corrected = _corrected(c, cite(library.regulation(row.id), quote.span, c.day))
    if corrected:
        yield LawChange(
            ChangeKind.FACTS, position, row.id, c.title, f"《{c.title}》{'；'.join(corrected)}。", quote.text
        )


FACTS = {
    "title": "名称", "document_number": "文号", "issuer": "发布机关", "level": "级别", "path": "位置", "pages": "页",
    "promulgated": "公布日期", "effective": "施行日期",
}  # fmt: skip
"""Fields of a citation that are compared, with their Chinese names."""


def _corrected(then: Citation, now: Citation) -> list[str]:
    pairs = ((name, getattr(then, field), getattr(now, field)) for field, name in FACTS.items())
    return [f"{name}由“{_shown(old)}”更正为“{_shown(new)}”" for name, old, new in pairs if old != new]


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return "、".join(map(str, value)) or "无"
    return "未知" if value in (None, "") else str(value)


# --- what took its place


def _followed(
    library: Library, row: RegulationRow | None, quote: Quote, position: int, kind: ChangeKind, message: str
) -> LawChange:
    """Return the change with the provision as it was and as the successor has it."""
    c = quote.citation
    old = library.regulation(row.id) if row and kind is ChangeKind.STATUS else None
    before = (_provision(old, c.label)[1] if old else None) or quote.text
    heir = _successor(library, row, kind, c)
    if heir is None:
        return LawChange(kind, position, c.regulation_id, c.title, message, before)
    place = heir.text.find(quote.text)
    chain = heir.chain(Span(place, place + len(quote.text))) if place >= 0 else ()
    label, after = _provision(heir, chain[-1].label if chain else c.label)
    still = "引文原句仍在其中" if place >= 0 else "其中已没有引文原句"
    words = f"{message}现有《{heir.title}》（{heir.version_date or heir.validity.effective or '日期未知'}），{still}。"
    return LawChange(kind, position, c.regulation_id, c.title, words, before, after, heir.id, label)


def _successor(library: Library, row: RegulationRow | None, kind: ChangeKind, citation: Citation) -> Regulation | None:
    """Return the held text that took the place of a quoted one: what ended it, or what came under the same name."""
    rows = {r.id: r for r in library.rows()}
    if row is not None:
        heir = row.id if kind is ChangeKind.TEXT else row.validity.ended_by
        return library.regulation(heir) if heir in rows else None
    work = title_key(citation.title)
    named = [r for r in rows.values() if r.file == citation.file or title_key(r.title) == work]
    newest = max(named, key=lambda r: (r.version_date or r.validity.effective or Day.min, r.first), default=None)
    return library.regulation(newest.id) if newest else None


def _provision(regulation: Regulation, label: str) -> tuple[str, str | None]:
    """Return label and text of the article with a label, or of the smallest unit of a text without articles."""
    article = regulation.find(label.split("-")[0])
    found = article if article is not None and article.level is Level.ARTICLE else regulation.find(label)
    if found is None:
        return "", None
    return found.label, trim(regulation.text, found.span).of(regulation.text)
