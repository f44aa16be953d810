"""From a question to an answer once per question and library state, and the check that its quotes still stand."""

from collections.abc import Iterable

import streamlit as st

from nemo.errors import NotFoundError
from nemo.types import Answer, Quote, Regulation, today
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import frame, login

_KEPT = "_answers"
_MOST = 12
"""Answers kept per session; redrawing a page must not ask, and record, the same question again."""


def answer(asked: QuestionForm) -> Answer:
    """Return the answer to ``asked``, made anew when the library, a corpus it names, a review or the day changed."""
    engine = frame.engine()
    narrowed = tuple((each.id, each.changed) for each in engine.corpora.named(asked.chosen.corpora, engine.person))
    key = (asked, today(), engine.state, engine.library.reviews.version, narrowed)
    kept: dict[object, Answer] = st.session_state.setdefault(_KEPT, {})
    if key not in kept:
        engine.access.rates.spend(login.name(), st.context.ip_address)
        with engine.access.admission.turn():
            kept[key] = engine.ask(
                asked.question, asked.chosen.filters(), user=login.name(), context=asked.context or None
            )
        while len(kept) > _MOST:
            del kept[next(iter(kept))]
    return kept[key]


def told_otherwise(asked: QuestionForm, now: Answer) -> None:
    """Say that the answer is another one than this session saw last, where the library changed in between; with the way to that one."""
    made = [one for key, one in st.session_state[_KEPT].items() if key[0] == asked and one is not now]
    if made and _said(made[-1]) != _said(now):
        frame.notice("warn", "资料库有变化，答复已重新作出", "与此前看到的不同。")
        if frame.settings().keep_answers:
            frame.link("查看此前的答复", "ask", "history", {"a": made[-1].trace_id})


def _said(answer: Answer) -> list[tuple[str, str]]:
    return [(quote.regulation_id, quote.text) for quote in answer.quotes]


def held(quotes: Iterable[Quote]) -> dict[str, Regulation]:
    """Return the quoted regulations that the library holds now, by id."""
    found: dict[str, Regulation] = {}
    for regulation_id in dict.fromkeys(quote.regulation_id for quote in quotes):
        try:
            found[regulation_id] = frame.engine().regulation(regulation_id)
        except NotFoundError:
            continue  # its quotes are shown as no longer standing
    return found


def intact(quote: Quote, regulations: dict[str, Regulation]) -> bool:
    """Tell whether the stored text has exactly the quoted characters at the quoted place."""
    regulation = regulations.get(quote.regulation_id)
    return regulation is not None and quote.span.of(regulation.text) == quote.text
