"""The queue of quotes and what people decide on them (复核队列).

A rejected quote leaves answers at once, with everything cut from inside it. A longer quote around it may be right (the
short one may have been rejected for being too short), so it stays and says that part of it was rejected.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nemo.errors import BadRequestError
from nemo.review.changes import ChangeKind, what_changed
from nemo.store.catalogue.rows import QuoteRow, ReviewStanding
from nemo.store.library import Library
from nemo.store.records.reviews import Reviews
from nemo.types import Day, Quote, Review, Verdict

LONGEST_REASON = 500
"""Characters."""


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Which quotes to show; None means all."""

    state: Verdict | None = None
    regulation_id: str | None = None
    reviewer: str | None = None
    """Somebody who decided on the quote."""
    stale: bool | None = None

    def facts(self, title: str = "") -> tuple[tuple[str, str], ...]:
        """Return the filters as names and values in Chinese, for the head of a report; ``title`` is of what is found."""
        stale = {None: "不限", True: "仅已变化", False: "仅未变化"}[self.stale]
        return (
            ("状态", self.state.value if self.state else "不限"),
            ("法规", title or self.regulation_id if self.regulation_id else "不限"),
            ("复核人", self.reviewer or "不限"),
            ("变化", stale),
        )


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """One quote in the queue."""

    row: QuoteRow
    changed: ChangeKind | None
    """Why it is stale; stale quotes stand on top."""
    earlier: Review | None
    """What reviewers said of the same words in another text of the same title, for a quote nobody decided on."""

    @property
    def state(self) -> Verdict:
        """Where the quote stands."""
        return self.row.standing.state


ORDER = (Verdict.PENDING, Verdict.UNSURE, Verdict.REJECTED, Verdict.APPROVED)


def queue(library: Library, wanted: ReviewFilter, today: Day) -> list[ReviewEntry]:
    """Return the quotes of the stored answers: stale ones first, then those that wait, the often quoted before others."""
    library.answers.settle()
    rows = library.reviews.rows()
    decided = {(r.title, r.words): r.standing.review for r in rows if r.standing.review is not None}
    entries = []
    for row in rows:
        if _fits(row, wanted):
            earlier = decided.get((row.title, row.words)) if row.standing == ReviewStanding() else None
            entries.append(ReviewEntry(row, what_changed(library, row, today), earlier))
    if wanted.stale is not None:
        entries = [e for e in entries if (e.changed is not None) is wanted.stale]
    return sorted(entries, key=_place)


def _fits(row: QuoteRow, wanted: ReviewFilter) -> bool:
    return (
        wanted.state in (None, row.standing.state)
        and wanted.regulation_id in (None, row.regulation_id)
        and (wanted.reviewer is None or wanted.reviewer in row.standing.people)
    )


def _place(entry: ReviewEntry) -> tuple[bool, int, int, int]:
    stale = entry.changed is not None and entry.changed is not ChangeKind.REJECTED
    return not stale, ORDER.index(entry.state), -entry.row.answers, entry.row.id


def decide(
    library: Library,
    quote_id: int,
    state: Verdict,
    reason: str = "",
    by: str | None = None,
    seen: int | None = None,
) -> ReviewStanding:
    """Write down what a reviewer decided; a newer decision replaces an older one, PENDING takes it back.

    Raises:
        BadRequestError: a rejection without a reason, or two persons are required and it is not clear who this is.
        ConflictError: somebody decided since the reviewer looked (``seen``).
    """
    reason = reason.strip()
    if state is Verdict.REJECTED and not reason:
        raise BadRequestError("驳回需要写明理由。请填写后再驳回。")
    if len(reason) > LONGEST_REASON:
        raise BadRequestError(f"理由超过 {LONGEST_REASON} 字。请写短一些。")
    if state is Verdict.APPROVED and library.reviews.two_persons:
        _check_person(library.reviews.row(quote_id), by)
    return library.reviews.decide(quote_id, state, reason, by, seen)


def _check_person(row: QuoteRow, by: str | None) -> None:
    if by is None:
        raise BadRequestError("已启用双人复核，通过引文前需要知道是谁。请先登录。")
    if row.standing.approvals == (by,):
        raise BadRequestError(f"“{by}”已通过这条引文，双人复核还需要另一位复核员。请交给他人。")


def quotes(library: Library, entries: Sequence[ReviewEntry]) -> list[Quote]:
    """Return the quotes of queue entries as their newest answers gave them, each with its present review."""
    found = (library.answers.get(e.row.trace_id).quotes[e.row.position] for e in entries)
    return [replace(quote, review=e.row.standing.review) for quote, e in zip(found, entries, strict=True)]


def screened(quotes: Sequence[Quote], reviews: Reviews) -> list[Quote]:
    """Return the quotes that may be shown, each with what reviewers said of it."""
    return [
        _marked(quote, reviews)
        for quote in quotes
        if not any(span.contains(quote.span) for span in reviews.rejected(quote.regulation_id))
    ]


def _marked(quote: Quote, reviews: Reviews) -> Quote:
    review = reviews.standing(quote.regulation_id, quote.span).review
    if review is None:
        part = next((s for s in reviews.rejected(quote.regulation_id) if s.overlaps(quote.span)), None)
        said = reviews.standing(quote.regulation_id, part).review if part else None
        review = said and Review(Verdict.UNSURE, said.by, said.at, f"其中一段曾被驳回：{said.reason}")
    return quote if review is None else replace(quote, review=review)
