"""One question put to several provinces side by side (对照): national text once, each province its own column.

Every cell is a verbatim quote or says plainly that there is none; nothing is merged or summed up.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from nemo import review
from nemo.answer.question.followup import without_places
from nemo.export import ReportColumn, report
from nemo.store.search.facets import NATIONAL
from nemo.types import Quote, Span, today
from nemo.ui.answer import amounts, asking, citation, download, form, many, view
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import choices, clipboard, frame, safe
from nemo.ui.shared.choices import ChosenFilters

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import RegulationRow

_PREFIX = "matrix"
_QUESTION = "matrix_question"
_PROVINCES = "matrix_provinces"
_WRITTEN = "_matrix_written"
_MOST = 4
"""Columns that can be read side by side."""


def draw() -> None:
    """Draw the form and the comparison. A place in the question is left out of it: each column is asked for its own."""
    rules, rows = frame.engine().rules, frame.engine().regulations()
    known = {c: n for c, n in choices.offered(rules, rows)["province"].items() if c != NATIONAL}
    wrong = _follow(known)
    _form(rows, known)
    question, provinces = (st.session_state[_QUESTION] or "").strip(), st.session_state[_PROVINCES]
    if known and not wrong:
        many.draw(known, choices.get(_PREFIX), provinces)
    if wrong:
        frame.notice("bad", "链接中的筛选条件有误", "改选条件后重新对照。", tuple(wrong))
    elif not known:
        frame.notice("info", "资料库中没有省级法规", "请先入库至少一个省份的法规。")
    elif question and provinces:
        if left := provinces[_MOST:]:
            named = "、".join(known[code] for code in left)
            frame.notice("info", f"并列的省份至多 {_MOST} 个", f"未列出{named}；先取消一个再选。")
        _compare(question, *_columns(question, provinces[:_MOST]), choices.get(_PREFIX).day or today())
    elif not many.asked():
        st.html('<p class="quiet">写下问题并选择省份。从“法规查询”过来时，那里的问题和筛选条件已经填好。</p>')


def _form(rows: Sequence[RegulationRow], known: dict[str, str]) -> None:
    with st.container(border=True, key="filters", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="question_row"):
            st.text_input(
                "问题", key=_QUESTION, type="search", icon=":material/search:", label_visibility="collapsed",
                placeholder="同一个问题，各省分别怎么规定？", width="stretch", on_change=_write,
            )  # fmt: skip
            choices.draw_day(_PREFIX, _write)
            st.button("对照", type="primary", on_click=_write)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="filter_row"):
            st.pills(
                f"省份（至多 {_MOST} 个）", list(known), selection_mode="multi", format_func=known.__getitem__,
                key=_PROVINCES, on_change=_write, wrap=True,
            )  # fmt: skip
            choices.draw(_PREFIX, frame.engine().rules, rows, _write, without="province")


def _follow(known: dict[str, str]) -> list[str]:
    """Set the controls from the address when it did not come from them."""
    given, state = st.query_params.to_dict(), st.session_state
    if _QUESTION in state and given == state.get(_WRITTEN):
        return []
    if not given and _QUESTION not in state:
        given = _carried(known)
    chosen, wrong = choices.read(given, frame.engine().rules)
    wanted = [code for code in given.get("provinces", "").split(",") if code]
    wrong += [f"省份代码“{code}”无效或没有入库的法规。" for code in wanted if code not in known]
    state[_QUESTION] = given.get("q", "")
    state[_PROVINCES] = [code for code in wanted if code in known] or list(known)[:3]
    choices.put(_PREFIX, chosen)
    state[_WRITTEN] = given
    st.query_params.from_dict(given)
    return wrong


def _carried(known: Mapping[str, str]) -> dict[str, str]:
    """Return what was compared last in this session, or what was asked last, as an address of this page."""
    state = st.session_state
    if _WRITTEN in state:
        return dict(state[_WRITTEN])
    asked = form.last_address()
    province = asked.pop("province", "")
    asked.pop("context", None)
    return asked | (
        {"provinces": ",".join([province, *(c for c in known if c != province)][:3])} if province in known else {}
    )


def _write() -> None:
    state = st.session_state
    params = {"q": state[_QUESTION], "provinces": ",".join(state[_PROVINCES])} | choices.get(_PREFIX).params()
    state[_WRITTEN] = {key: value for key, value in params.items() if value}
    st.query_params.from_dict(state[_WRITTEN])


def _columns(question: str, provinces: list[str]) -> tuple[list[ReportColumn], dict[str, list[Quote]]]:
    """Return a column for each province, and what stands beside them, by its heading."""
    engine, c = frame.engine(), choices.get(_PREFIX)
    question = without_places(question, engine.rules) or question
    asked = {province: replace(c, province=province) for province in provinces}
    answers = {province: asking.answer(QuestionForm(question, chosen)) for province, chosen in asked.items()}
    home = report.homes((quote for answer in answers.values() for quote in answer.quotes), engine.library)
    found = []
    for province, answer in answers.items():
        own = tuple(quote for quote in answer.quotes if home[quote.regulation_id] == province)
        near = () if own else _near(question, asked[province], hash(engine.state))
        found.append(ReportColumn(province, answer, own, near))
    return weighed(found, home), report.beside(found, home)


def weighed(columns: Sequence[ReportColumn], home: Mapping[str, str]) -> list[ReportColumn]:
    """Return the columns, own quotes near only where a national rule that holds there answers far more surely.

    Such a rule was found for another province of the comparison: of the province's own text only the words are alike.
    """
    surest = max((q.score for c in columns for q in c.answer.quotes if home[q.regulation_id] == NATIONAL), default=0.0)
    unsure = [bool(c.own) and max(quote.score for quote in c.own) < surest - _SURER for c in columns]
    return [replace(c, own=(), near=c.own) if less else c for c, less in zip(columns, unsure, strict=True)]


@st.cache_data(max_entries=64, show_spinner=False)
def _near(question: str, chosen: ChosenFilters, state: int) -> tuple[Quote, ...]:
    """Return the nearest provisions of a province's own texts, behind whatever national ones; ``state`` keys the cache.

    An answer quotes a few provisions, so that a province's own may have no room beside the nation's.
    """
    engine = frame.engine()
    held = {row.id: row for row in engine.regulations()}
    day = chosen.day or today()
    ranked = engine.search(question, chosen.filters(), _DEEP, _LEAST)
    own = [one for one in ranked if one.regulation_id in held and held[one.regulation_id].province == chosen.province][
        :_NEAR
    ]
    own = [one for one in own if one.score >= own[0].score / 2]
    quotes = [Quote.cut(engine.regulation(one.regulation_id), one.span, day, score=one.score) for one in own]
    kinds = [engine.rules.not_law(held[one.regulation_id].nature) for one in own]
    named = [replace(q, citation=replace(q.citation, not_law=kind)) for q, kind in zip(quotes, kinds, strict=True)]
    return tuple(review.screened(named, engine.library.reviews))


_SURER = 0.1
_DEEP, _NEAR = 50, 2
"""Provisions looked through, and shown."""
_LEAST = 0.05
"""Chance to hold what is asked, below which a provision is not near."""


def _compare(question: str, columns: list[ReportColumn], shared: Mapping[str, list[Quote]], day: dt.date) -> None:
    names = choices.names(frame.engine().rules, "province")
    caption = f"问题：{question}　省份：{'、'.join(names[column.province] for column in columns)}　适用日期：{day}"
    head = f'<h2 class="answer-head">{safe.name(question)}<span>{len(columns)} 个省份 · 按 {day} 的时效性</span></h2>'
    link = "./matrix?" + urlencode(st.query_params.to_dict() | {"as_of": str(day)})
    write = frame.engine().answers.export_matrix
    file = (download.file_name("各省对照", question, str(day)), lambda form: write(question, columns, form))
    links = {"链接": (link, "复制链接：打开时按同样条件重新对照")}
    view.toolbar(head, caption, _paste(columns, shared, names), links, file)
    asked = columns[0].answer.query.original
    if asked != question:
        frame.notice("info", f"问题中的地名不参与对照，各省均按“{asked}”检索。")
    alone = amounts.own({column.province: [quote.text for quote in column.own] for column in columns})
    if any(alone.values()):
        st.html(
            '<p class="quiet"><mark class="found">底色</mark> 标出只见于一省引文的数值（期限、容量、比例、金额等）。</p>'
        )
    for place, column in zip(st.columns(len(columns), gap="small"), columns, strict=True):
        with place:
            _column(column, names[column.province], alone.get(column.province, frozenset()))
    for heading, quotes in shared.items():
        st.html(f'<h3 class="side-head">{heading}</h3>')
        for quote in quotes:
            _cell(quote, f"shared_{quote.regulation_id}_{quote.span.start}")


def _column(column: ReportColumn, name: str, alone: frozenset[str]) -> None:
    st.html(f'<h3 class="side-head">{safe.text(name)}</h3>')
    if column.near:
        st.html(f'<p class="quiet">{column.remark}</p>')
    elif column.remark:
        words = f"<h2>未找到本省规定</h2><p>{safe.text(column.remark)}</p>"
        st.html(f'<section class="refusal">{words}</section>')
    for number, quote in enumerate(column.own or column.near):
        _cell(quote, f"{column.province}_{number}", amounts.places(quote.text, alone))


def _cell(quote: Quote, key: str, marks: Sequence[Span] = ()) -> None:
    c = quote.citation
    held = asking.held([quote])
    source, intact = held.get(quote.regulation_id), asking.intact(quote, held)
    with st.container(border=True, gap="xsmall", key=f"quote_{key}"):
        labels = citation.badges(quote, intact, *view.whose(source))
        st.html(citation.quote_block(quote, marks=marks) + citation.line(c) + labels)
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"acts_{key}"):
            view.library_link("原文", quote.regulation_id, c.label, c.day)
            clipboard.button("复制", citation.paste(quote), key=f"copy_{key}")


def _paste(columns: list[ReportColumn], shared: Mapping[str, list[Quote]], names: Mapping[str, str]) -> str:
    parts = [(heading, "", quotes) for heading, quotes in shared.items()]
    parts += [(names[c.province], c.remark, list(c.own or c.near)) for c in columns]
    return "\n\n".join("\n".join(filter(None, (f"【{h}】", said, *map(citation.paste, q)))) for h, said, q in parts)
