"""From a question to an answer once per question and library state, and the check that its quotes still stand."""

from __future__ import annotations

import streamlit as st

from nemo.errors import NotFoundError
from nemo.types import Answer, Quote, Regulation
from nemo.ui import frame
from nemo.ui.ask_form import Asked

_KEPT = "_ask_answer"


def answer(asked: Asked) -> Answer:
    """Return the answer to ``asked``; redrawing the page does not ask (and record) the same question again."""
    key = (asked, frame.today(), frame.engine().library.generation)
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != key:
        c = asked.chosen
        found = frame.engine().ask(asked.question, province=c.province, asset=c.asset, doc_class=c.doc_class, day=c.day)
        kept = st.session_state[_KEPT] = (key, found)
    return kept[1]


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
