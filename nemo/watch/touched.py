"""What rests on held texts that are about to stand otherwise: answers, saved questions, reviews, memos (影响范围)."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from nemo.answer.decision import AskedQuestion
from nemo.answer.question.scope import QuestionScope
from nemo.ingest.service import IntakeService
from nemo.lawview.overview import LawOverview
from nemo.review.service import AnswerService
from nemo.rules import Rules
from nemo.store.library import Library
from nemo.store.records.marks import MarkPurpose
from nemo.text.words.normalise import title_key
from nemo.types import CHINA, Answer, Day, Filters, today


class LawView(Protocol):
    """The library as everybody sees it: what one person alone may see is told to nobody else."""

    library: Library
    rules: Rules
    law: LawOverview

    @property
    def answers(self) -> AnswerService:
        """The stored answers of these texts."""
        ...

    def compose(self, question: AskedQuestion, day: Day) -> Answer:
        """Answer a question; nothing is kept."""
        ...


class WholeEngine(LawView, Protocol):
    """The engine of all that is held."""

    @property
    def intake(self) -> IntakeService:
        """What reads files and takes them in."""
        ...

    def scoped(self, scope: QuestionScope) -> LawView:
        """Return the engine over a part of it."""
        ...


def everybodys(engine: WholeEngine) -> LawView:
    """Return the view of what everybody may see."""
    return engine.scoped(QuestionScope(engine.library.corpora.confined()))


def quoting(view: LawView, question: str, filters: Filters) -> set[str]:
    """Return the ids of the regulations that the answer to a question quotes today."""
    return {quote.regulation_id for quote in view.compose(AskedQuestion(question, filters), today()).quotes}


Altered = Callable[[str, str], bool]
"""Tells whether the words of a provision (regulation, label) change, and not only the status of its text."""


def altered(compared: Sequence[Mapping[str, Any]]) -> Altered:
    """Return what tells it, from the comparisons of a sheet; of a text that was not compared everything changes."""
    changed = {c["old"]["id"]: {p["old"]["label"] for p in c["pairs"] if p["old"]} for c in compared}

    def asked(regulation_id: str, label: str) -> bool:
        known = changed.get(regulation_id)
        return known is None or any(f"{label}-".startswith(f"{k}-") or f"{k}-".startswith(f"{label}-") for k in known)

    return asked


def touched(view: LawView, ids: set[str], alters: Altered) -> dict[str, list[dict[str, Any]]]:
    """Return what rests on the regulations ``ids``, by kind."""
    library = view.library
    works: dict[str, list[str]] = {}
    for i in ids:
        works.setdefault(title_key(library.row(i).title), []).append(i)
    searches = library.searches.of_everybody() if ids else []
    memos = library.marks.of(MarkPurpose.MEMO) if ids else []
    return {
        "answers": _answers(library, ids, alters) if ids else [],
        "searches": [
            {"id": one.id, "name": one.name, "question": one.question, "user": one.user}
            for one in searches
            if ids & quoting(view, one.question, one.filters)
        ],
        "reviews": [
            {"quote": q.id, "title": q.title, "path": q.path, "state": q.standing.state.value}
            | {"altered": alters(q.regulation_id, q.label)}
            for q in (library.reviews.rows() if ids else ())
            if q.regulation_id in ids and q.standing.newest is not None
        ],
        "memos": [
            {**json.loads(mark.note), "user": mark.user}
            | {"altered": any(alters(i, mark.label) for i in works[mark.subject])}
            for mark in memos
            if mark.subject in works
        ],
    }


def _answers(library: Library, ids: set[str], alters: Altered) -> list[dict[str, Any]]:
    traces: dict[str, bool] = {}
    for use in library.answers.uses():
        if use.regulation_id in ids:
            for trace in library.answers.using(use):
                traces[trace] = traces.get(trace, False) or alters(use.regulation_id, use.label)
    return [
        {"trace_id": row.trace_id, "question": row.question}
        | {"at": row.at.astimezone(CHINA).date(), "altered": traces[row.trace_id]}
        for row in library.answers.rows(list(traces))
    ]
