"""From a question to an answer once per question and library state, and the check that its quotes still stand."""

from __future__ import annotations

import streamlit as st

from nemo.errors import NotFoundError
from nemo.types import Answer, Quote, Regulation, today
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import frame, login

_KEPT = "_answers"
_MOST = 12
"""Answers kept per session; redrawing a page must not ask, and record, the same question again."""


def answer(asked: QuestionForm) -> Answer:
    """Return the answer to ``asked``, made anew when the library, a review or the day changed."""
    engine = frame.engine()
    key = (asked, today(), engine.state, engine.library.reviews.version)
    kept: dict[object, Answer] = st.session_state.setdefault(_KEPT, {})
    if key not in kept:
        c = asked.chosen
        engine.access.rates.spend(login.name(), st.context.ip_address)
        with engine.access.admission.turn():
            kept[key] = engine.ask(
                asked.question,
                province=c.province,
                asset=c.asset,
                doc_class=c.doc_class,
                day=c.day,
                user=login.name(),
                context=asked.context or None,
                corpora=c.corpora,
                top_k=c.top_k,
                threshold=c.threshold,
            )
        while len(kept) > _MOST:
            del kept[next(iter(kept))]
    return kept[key]


def held(answer: Answer) -> dict[str, Regulation]:
    """Return the regulations an answer quotes that the library holds now, by id."""
    found: dict[str, Regulation] = {}
    for regulation_id in dict.fromkeys(quote.regulation_id for quote in answer.quotes):
        try:
            found[regulation_id] = frame.engine().regulation(regulation_id)
        except NotFoundError:
            continue  # its quotes are shown as no longer standing
    return found


def intact(quote: Quote, regulations: dict[str, Regulation]) -> bool:
    """Tell whether the stored text has exactly the quoted characters at the quoted place."""
    regulation = regulations.get(quote.regulation_id)
    return regulation is not None and quote.span.of(regulation.text) == quote.text
