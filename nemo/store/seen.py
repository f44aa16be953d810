"""A library as one person, or one question, sees it: the same library without some of its texts (所见资料库).

Whatever looks at texts looks at one of these: rows, names, validity, search, relations and stored answers follow from the
rows that are left, so nothing has to be asked twice whether it may be seen.
"""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from nemo.errors import NotFoundError
from nemo.store.catalogue.rows import AnswerRow, QuoteRow, QuoteUse, ReviewDecision, ReviewStanding
from nemo.store.catalogue.schema import answers, quoted, quotes
from nemo.store.following import LibraryState
from nemo.store.library import Library
from nemo.store.records.answers import Answers, QuotedWords
from nemo.store.records.reviews import Reviews, ReviewState
from nemo.store.search.view import View
from nemo.types import Answer, RawDocument


class SeenLibrary(Library):
    """Looks at a library through a narrower view. What is kept beside the law is written through it; texts never are."""

    def __init__(self, whole: Library, view: View, hidden: frozenset[str] = frozenset()) -> None:
        self.__dict__.update(vars(whole))
        self._whole = whole
        self._view = view
        if hidden:
            names = {row.title for row in whole.rows() if row.id in hidden} - {row.title for row in view.as_read}
            self.edges = whole.edges.without(hidden)
            self.proposals = whole.proposals.without(hidden)
            self.answers = SeenAnswers(whole.answers, hidden, names)
            self.reviews = SeenReviews(whole.reviews, hidden)

    def _require_writable(self) -> None:
        raise AssertionError("texts are written through the whole library")

    def follow(self, state: LibraryState | None = None) -> int:
        """Have the whole library follow: this is one state of it."""
        return self._whole.follow(state)

    @property
    def shortfalls(self) -> tuple[str, ...]:
        """See :class:`Library`."""
        return self._whole.shortfalls

    def raw(self, sha256: str) -> RawDocument:
        """Return an original file.

        Raises:
            NotFoundError: no such file, or only of texts that are not seen here.
        """
        holders = {row.id for row in self._whole.rows() if row.sha256 == sha256}
        if holders and not any(self.holds(each) for each in holders):
            raise NotFoundError("没有这个原件，或您无权查看。请核对。")
        return self._whole.raw(sha256)

    def save_answer(self, answer: Answer, user: str | None = None, measures: Mapping[str, float] | None = None) -> None:
        """Keep an answer; see :class:`Library`."""
        self._whole.save_answer(answer, user, measures)


class SeenAnswers(Answers):
    """Stored answers without those that show a text which may not be seen."""

    def __init__(self, whole: Answers, hidden: frozenset[str], names: set[str]) -> None:
        self.__dict__.update(vars(whole))
        self._hidden = hidden
        self._telling = (*hidden, *names)

    def given(self, trace_id: str) -> tuple[Answer, dict[str, str], dt.datetime]:
        """Return an answer; see :class:`Answers`.

        Raises:
            NotFoundError: no such answer, or it shows what may not be seen.
        """
        found = super().given(trace_id)
        if self._tells(found[0]):
            raise NotFoundError(f"没有编号为 {trace_id} 的答复。请核对编号；未保存的答复不能再次打开。")
        return found

    def _tells(self, answer: Answer) -> bool:
        """Tell whether an answer shows or names a hidden text anywhere: quotes, what is related, tips."""
        words = repr(answer)
        return any(each in words for each in self._telling)

    def _may_be_told(self, answer: Answer) -> bool:
        return not self._tells(answer)

    def _rows(self, query: sa.Select[Any]) -> list[AnswerRow]:
        shown = sa.select(quoted.c.trace_id).join_from(quoted, quotes).where(quotes.c.regulation_id.in_(self._hidden))
        return super()._rows(query.where(answers.c.trace_id.not_in(shown)))

    def with_texts(self) -> Iterator[tuple[Answer, dict[str, str]]]:
        """Yield every answer that may be seen; see :class:`Answers`."""
        return ((answer, texts) for answer, texts in super().with_texts() if not self._tells(answer))

    def words(self, trace_ids: Sequence[str]) -> dict[str, list[QuotedWords]]:
        """Return quoted words that may be seen; see :class:`Answers`."""
        found = super().words(trace_ids)
        return {i: [w for w in words if w.regulation_id not in self._hidden] for i, words in found.items()}

    def uses(self) -> list[QuoteUse]:
        """Return the uses of texts that may be seen; see :class:`Answers`."""
        return [use for use in super().uses() if use.regulation_id not in self._hidden]


class SeenReviews(Reviews):
    """The quotes of stored answers without those of texts that may not be seen; decisions are the same for everybody."""

    def __init__(self, whole: Reviews, hidden: frozenset[str]) -> None:
        vars(self).update({name: value for name, value in vars(whole).items() if name != "_state"})
        self._whole = whole
        self._hidden = hidden

    @property
    def _state(self) -> ReviewState:
        return self._whole._state

    @_state.setter
    def _state(self, state: ReviewState) -> None:
        self._whole._state = state

    def rows(self, ids: Sequence[int] | None = None) -> list[QuoteRow]:
        """Return quotes; see :class:`Reviews`."""
        return [row for row in super().rows(ids) if row.regulation_id not in self._hidden]

    def decisions(self, quote_id: int | None = None) -> list[ReviewDecision]:
        """Return decisions; see :class:`Reviews`."""
        found = super().decisions(quote_id)
        seen = {row.id for row in self.rows(sorted({each.quote_id for each in found}))}
        return [each for each in found if each.quote_id in seen]

    def _add(self, values: Mapping[str, Any], detail: Mapping[str, str], seen: int | None) -> ReviewStanding:
        self.row(values["quote_id"])
        return super()._add(values, detail, seen)
