"""The question and its filters, tied to the address: what stands in the controls stands in ``/?q=…`` and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from nemo.answer.question.numbered import squeeze
from nemo.answer.question.scope import MOST_QUOTES
from nemo.text.words.normalise import normalise
from nemo.types import Filters
from nemo.ui.shared import choices, frame, login, safe
from nemo.ui.shared.choices import ChosenFilters

if TYPE_CHECKING:
    from nemo.rules import Rules
    from nemo.store.catalogue.rows import AnswerRow, RegulationRow
    from nemo.types import Answer

_PREFIX = "ask"
_QUESTION = "ask_question"
_FOLLOWS = "_ask_follows"
"""The last follow-up and the answer it follows; another question in the form stands alone again."""
_WRITTEN = "_ask_written"
"""The address this session wrote last; another one came from outside (a link, 后退) and wins over the controls."""
_RECENT = "_ask_recent"
_MOST_RECENT = 8
LONGEST_NAME = 40
"""Characters of the name of a kept question."""


@dataclass(frozen=True)
class QuestionForm:
    """What the analyst asked and under which filters."""

    question: str
    chosen: ChosenFilters
    context: str = ""
    """Trace id of the answer that this question follows; empty for one that stands alone."""

    def params(self) -> dict[str, str]:
        """Return the address of this question."""
        asked = {"q": self.question} if self.question.strip() else {}
        return asked | ({"context": self.context} if asked and self.context else {}) | self.chosen.params()

    def link(self) -> str:
        """Return the permanent link, relative to the app."""
        return "./?" + urlencode(self.params())


def form(rules: Rules, rows: Sequence[RegulationRow]) -> tuple[QuestionForm, list[str]]:
    """Draw the question form; only choices that lead somewhere in what the library holds are offered.

    Returns:
        What is asked, and what was wrong with the address it was read from.
    """
    wrong = _follow(rules)
    with st.container(border=True, key="filters", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="question_row"):
            st.text_input(
                "问题", key=_QUESTION, type="search", icon=":material/search:",
                placeholder="例如：光伏项目并网验收需要哪些资料？也可以直接写《法规名》第几条", label_visibility="collapsed", width="stretch",
                on_change=_write,
            )  # fmt: skip
            choices.draw_day(_PREFIX, on_change=_write)
            st.button("查询", type="primary", width="content", on_click=_search)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filter_row"):
            choices.draw(_PREFIX, rules, rows, on_change=_write)
            _narrow()
    return _asked(), wrong


def _narrow() -> None:
    """Draw what a question may be narrowed to beside the filters: corpora, how many quotes, how far by meaning."""
    engine, chosen = frame.engine(), choices.get(_PREFIX)
    known = [corpus.name for corpus in engine.corpora.seen(engine.person)]
    count = bool(chosen.corpora) + (chosen.top_k is not None) + (chosen.threshold is not None)
    with st.popover(f"检索范围（{count}）" if count else "检索范围", icon=":material/tune:", key="narrow"):
        st.multiselect(
            "资料集", sorted({*known, *chosen.corpora}), format_func=safe.label, key=f"{_PREFIX}_corpora", on_change=_write,
            placeholder="全部资料" if known else "还没有资料集",
        )  # fmt: skip
        st.number_input(
            "引文条数上限", 1, MOST_QUOTES, None, key=f"{_PREFIX}_top_k", placeholder="自动", on_change=_write
        )
        st.number_input(
            "向量距离上限", 0.0, 2.0, None, 0.05, key=f"{_PREFIX}_threshold", placeholder="不限", on_change=_write,
            help="1 减余弦：0 为意思相同，1 为无关。超过此距离的条文不参与作答。",
        )  # fmt: skip


def set_question(asked: QuestionForm) -> None:
    """Put a ready question into the form: an example, a recent one. Use as a callback."""
    st.session_state[_QUESTION] = asked.question
    choices.put(_PREFIX, asked.chosen)
    _write()


def saved(asked: QuestionForm | None) -> None:
    """Draw the searches a person keeps in the sidebar, and the button that keeps the one on the page."""
    engine, user = frame.engine(), login.name()
    kept = engine.library.searches.all(user)
    if not kept and asked is None:
        return
    with st.sidebar:
        if kept:
            st.caption("保存的查询")
        with st.container(gap=None, key="saved"):
            for search in kept:
                with st.container(horizontal=True, vertical_alignment="center", gap=None, key=f"saved_row_{search.id}"):
                    one = QuestionForm(search.question, chosen_of(search.filters))
                    words = safe.label(search.name, 15)
                    st.button(words, type="tertiary", key=f"saved_{search.id}", on_click=set_question, args=(one,))
                    st.space("stretch")
                    st.button(
                        "删除", type="tertiary", icon=":material/close:", key=f"bare_forget_{search.id}",
                        on_click=frame.press, args=(partial(engine.library.searches.forget, search.id, user),),
                    )  # fmt: skip
        if asked is not None and asked.question.strip() not in {search.question for search in kept}:
            st.button(
                "保存本次查询", icon=":material/bookmark_add:", type="tertiary", key="save", on_click=frame.press,
                args=(partial(keep, asked),),
            )  # fmt: skip


def keep(asked: QuestionForm, folder: str = "") -> None:
    """Keep a question for who asks it, in a folder or in none."""
    question, searches = asked.question.strip(), frame.engine().library.searches
    searches.save(question[:LONGEST_NAME], question, asked.chosen.filters(), login.name(), folder)


def chosen_of(filters: Filters) -> ChosenFilters:
    """Return stored filters as those of a form."""
    narrowed = (filters.corpora, filters.top_k, filters.threshold)
    return ChosenFilters(filters.province, filters.asset, filters.doc_class, filters.day, *narrowed)


def recent(rules: Rules) -> None:
    """Draw the last questions in the sidebar: a person's own where people sign in, else those of the session."""
    asked: list[QuestionForm] = st.session_state.get(_RECENT, [])
    if user := login.name():
        rows = frame.engine().library.answers.recent(3 * _MOST_RECENT, user)
        asked = newest([again(row) for row in rows])
    if not asked:
        return
    with st.sidebar:
        st.caption("最近查询")
        with st.container(gap=None, key="recent"):
            for number, one in enumerate(asked):
                words = safe.label(one.question, 17)
                about = safe.label("；".join(filter(None, (one.question, conditions(one.chosen, rules)))))
                st.button(
                    words, type="tertiary", key=f"recent_{number}", help=about, on_click=set_question, args=(one,)
                )


def newest(asked: Sequence[QuestionForm]) -> list[QuestionForm]:
    """Return the first of some questions, each once: brackets, marks and blanks make no other one (〔2024〕, [2024])."""
    once: dict[tuple[str, ChosenFilters], QuestionForm] = {}
    for one in asked:
        once.setdefault((squeeze(normalise(one.question).text), one.chosen), one)
    return list(once.values())[:_MOST_RECENT]


def again(row: AnswerRow) -> QuestionForm:
    """Return the question of a stored answer, to be asked about today."""
    chosen = chosen_of(row.filters)
    return QuestionForm(row.question, replace(chosen, day=None) if chosen.day == row.day else chosen)


def remember(asked: QuestionForm, answer: Answer) -> None:
    """Keep a question among the last ones of this session; one that leans on another as it was read."""
    if asked.context:
        found = answer.query.filters
        asked = QuestionForm(answer.asked, replace(chosen_of(found), day=asked.chosen.day))
    st.session_state[_RECENT] = newest([asked, *st.session_state.get(_RECENT, [])])


def conditions(chosen: ChosenFilters, rules: Rules) -> str:
    """Return filters in words."""
    codes = [choices.named(rules, kind, [getattr(chosen, kind)]) for kind in choices.KINDS]
    narrowed = ["、".join(chosen.corpora), f"至多 {chosen.top_k} 条" if chosen.top_k else ""]
    narrowed.append("" if chosen.threshold is None else f"距离 ≤ {chosen.threshold:g}")
    return " / ".join(filter(None, [*codes, str(chosen.day or ""), *narrowed]))


def _asked() -> QuestionForm:
    question = st.session_state.get(_QUESTION) or ""
    followed, context = st.session_state.get(_FOLLOWS, ("", ""))
    return QuestionForm(question, choices.get(_PREFIX), context if question == followed else "")


def follow(trace_id: str) -> None:
    """Put the question typed under an answer into the form, behind that answer. Use as a callback."""
    if typed := (st.session_state.get(f"follow_{trace_id}") or "").strip():
        st.session_state[_FOLLOWS] = (typed, trace_id)
        st.session_state[_QUESTION] = typed
        _write()


def _follow(rules: Rules) -> list[str]:
    """Set the controls from the address when it did not come from them."""
    given = st.query_params.to_dict()
    state = st.session_state
    fresh = _QUESTION not in state
    if fresh and not given and _WRITTEN in state:
        given = state[_WRITTEN]  # back from another page: the question is still wanted
        st.query_params.from_dict(given)
    if not fresh and given == state.get(_WRITTEN):
        return state.get("_ask_wrong", [])
    chosen, wrong = choices.read(given, rules)
    state[_QUESTION] = given.get("q", "")
    state[_FOLLOWS] = (given.get("q", ""), given.get("context", ""))
    choices.put(_PREFIX, chosen)
    state[_WRITTEN], state["_ask_wrong"] = given, wrong
    return wrong


def _search() -> None:
    """Do what 查询 does: without a question nothing can be found, which is said."""
    if not _asked().question.strip():
        frame.say("info", "还没有问题", "请写下问题，或点一个例子。")
    _write()


def _write() -> None:
    params = _asked().params()
    if "q" not in params and (tab := st.query_params.get("tab")):
        params["tab"] = tab  # of the start page
    st.session_state[_WRITTEN], st.session_state["_ask_wrong"] = dict(params), []
    st.query_params.from_dict(params)


def last_address() -> dict[str, str]:
    """Return the address of what was asked last in this session, for pages that take it up."""
    return dict(st.session_state.get(_WRITTEN, {}))


def answered_link(asked: QuestionForm, day: object) -> str:
    """Return the permanent link with the day the answer was given for, so that it tells the same story next year."""
    return asked.link() + ("" if asked.chosen.day else f"&as_of={day}")
