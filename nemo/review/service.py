"""What people do with answers: find them again, rate, review and export them, and learn what changed since (工作台)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nemo import accounts, export, review
from nemo.export import bundle as bundles
from nemo.export.bundle import BundleReport
from nemo.lawview.overview import LawOverview
from nemo.rules import Rules
from nemo.store.catalogue.rows import ReviewStanding
from nemo.store.library import Library
from nemo.store.records.marks import MarkPurpose
from nemo.types import Answer, Verdict, today

if TYPE_CHECKING:
    from nemo.graph import LawGraph
    from nemo.graph.proposals import ProposalService
    from nemo.review.changes import Judged

_LOOKED_AT = 1000
"""Of the newest answers, when it is asked whether a question was asked again."""


class AnswerService:
    """The stored answers of one library and what was said of them; thread-safe."""

    def __init__(self, library: Library, rules: Rules, users: accounts.Users | None, law: LawOverview) -> None:
        self._library = library
        self._rules = rules
        self._users = users
        self._law = law
        self._judged: tuple[object, Judged] = (None, {})

    # --- what stands beside them

    @functools.cached_property
    def graph(self) -> LawGraph:
        """The graph of the law, over what is seen here."""
        from nemo.graph import LawGraph  # networkx: only who looks at the graph pays for it

        return LawGraph(self._library, self._rules, self._law)

    @functools.cached_property
    def proposals(self) -> ProposalService:
        """Edges that a model proposes, over what is seen here."""
        from nemo.graph.proposals import (
            ProposalService,  # the service's library: only who looks at proposals pays for it
        )

        return ProposalService(self.graph, self._users)

    def beside(self, answer: Answer, mode: str | None) -> dict[str, Any]:
        """Return the field ``graph`` of an answer in a mode; nothing for ``naive``.

        Raises:
            BadRequestError: there is no such mode.
        """
        if mode in (None, "naive"):
            return {}
        from nemo.graph import beside

        return beside(self.graph, answer, mode)

    # --- judged

    def rate(self, trace_id: str, useful: bool, remark: str = "", user: accounts.User | None = None) -> int:
        """Write down whether a stored answer was useful; return the number of the entry.

        Raises:
            NotPermittedError: people must sign in, and this one did not.
        """
        accounts.require(user, "ask", self._users)
        question = self._library.answers.get(trace_id).query.original
        return self._library.feedback.add(trace_id, question, useful, remark, accounts.name_of(user))

    def changes_since(self, trace_id: str) -> list[review.LawChange]:
        """Return what changed since a stored answer was given."""
        return review.changes_since(self._library, trace_id, today(), self._law.repealed_bases)

    def stale(self) -> list[review.StaleAnswer]:
        """Return the stored answers that no longer hold in every point, newest first."""
        of = (self._library.generation, self._library.reviews.version, today())
        kept, judged = self._judged
        if kept != of:
            self._judged = of, (judged := {})
        return review.stale(self._library, today(), self._law.repealed_bases, judged)

    def alarms(self) -> list[review.StaleAlert]:
        """Return what to look at again: each question once, and none that was asked again since."""
        found = self.stale()
        return review.alarms(found, self._library.answers.recent(_LOOKED_AT)) if found else []

    def assign(self, quote_ids: Sequence[int], to: str, by: accounts.User | None) -> None:
        """Give quotes to a reviewer; whoever had them before has them no more."""
        accounts.require(by, "review", self._users)
        for quote_id in quote_ids:
            self._library.marks.replace(MarkPurpose.ASSIGNED, str(quote_id), to, by=accounts.name_of(by))

    def review_queue(self, wanted: review.ReviewFilter | None = None) -> list[review.ReviewEntry]:
        """Return the quotes of stored answers with where they stand; stale ones first."""
        return review.queue(self._library, wanted or review.ReviewFilter(), today())

    def decide(
        self,
        quote_id: int,
        state: Verdict,
        reason: str = "",
        user: accounts.User | None = None,
        seen: int | None = None,
    ) -> ReviewStanding:
        """Write down a reviewer's decision on a quote; it counts at once.

        ``seen`` is the ``version`` of the standing that the reviewer looked at.

        Raises:
            BadRequestError: a rejection without a reason, or a second person is needed.
            ConflictError: somebody else decided since.
        """
        accounts.require(user, "review", self._users)
        return review.decide(self._library, quote_id, state, reason, accounts.name_of(user), seen)

    def undo(self, quote_id: int, user: accounts.User | None = None, seen: int | None = None) -> ReviewStanding:
        """Take a reviewer's own newest decision back; the quote stands where it stood before.

        Raises:
            BadRequestError: there is no decision of theirs that is the newest; ConflictError: somebody decided since.
        """
        accounts.require(user, "review", self._users)
        return self._library.reviews.undo(quote_id, accounts.name_of(user), seen)

    # --- taken along

    def export_answer(self, answer: Answer, form: str) -> bytes:
        """Return an answer as a file: ``docx``, ``xlsx`` or ``json`` (a bundle); every quote is proven anew.

        Raises:
            BadRequestError: there is no such form.
        """
        return export.write(export.of_answer(answer, self._library, self._rules), form)

    def export_matrix(self, question: str, columns: Sequence[export.ReportColumn], form: str) -> bytes:
        """Return one question put to several provinces as a file; forms as in :meth:`export_answer`.

        Raises:
            BadRequestError: there is no such form, or no column.
        """
        return export.write(export.of_matrix(question, columns, self._library, self._rules), form)

    def export_many(self, asked: Sequence[tuple[str, Sequence[export.ReportColumn]]], form: str) -> bytes:
        """Return several questions, each put to several provinces, as a file; forms as in :meth:`export_answer`.

        Raises:
            BadRequestError: there is no such form, or no question.
        """
        return export.write(export.of_many(asked, self._library, self._rules), form)

    def export_review(self, wanted: review.ReviewFilter, entries: Sequence[review.ReviewEntry], form: str) -> bytes:
        """Return quotes of the review queue, those that are ``wanted``, as a file; forms as in :meth:`export_answer`.

        Raises:
            BadRequestError: there is no such form.
        """
        facts = wanted.facts(entries[0].row.title if entries else "")
        return export.write(export.of_review(review.quotes(self._library, entries), facts, self._library), form)

    def check_bundle(self, bundle: Path | bytes, *, alone: bool = False) -> BundleReport:
        """Compare a bundle with the library, or with itself alone.

        Raises:
            BadRequestError: it is no bundle.
        """
        if alone:
            return bundles.check_alone(bundle, self._library.settings.chain_key)
        return bundles.check(bundle, self._library)
