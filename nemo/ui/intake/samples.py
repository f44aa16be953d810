"""The first start: an empty library offers the demonstration texts, and a full one offers questions on them (演示资料)."""

import datetime as dt
from typing import Any

import streamlit as st

from nemo.text.letter.titles import in_marks
from nemo.types import CITABLE, Level, Regulation, Status, today
from nemo.ui.answer import form
from nemo.ui.answer.form import QuestionForm
from nemo.ui.intake import jobs
from nemo.ui.shared import choices, frame, login, safe
from nemo.ui.shared.choices import ChosenFilters

_SHOWN = 6
"""Example questions on an empty page."""

_LONGEST = 30
"""Characters of an example, or of the title in it."""

_TOPIC = 12
"""Characters of a chapter's heading in an example."""

_GENERAL = frozenset(("总则", "附则", "法律责任", "罚则", "一般规定", "总体要求", "术语和定义", "范围"))
"""Chapters that every text has."""


def start_card() -> bool:
    """Draw the way out of an empty library.

    Returns:
        Whether the library is empty, so that a page has nothing else to show.
    """
    if frame.engine().regulations():
        return False
    if jobs.busy():
        st.html('<section class="start"><h2>正在入库</h2><p>完成后本页自动刷新。</p></section>')
        jobs.progress_view()
        return True
    may = login.may("ingest")
    about = (
        "上传法规文件，或先载入随附的演示资料试用。演示资料均为虚构文本，标有“演示文本”，可随时移出。"
        if may
        else "您的角色不能上传。请分析员或管理员上传法规后再来。"
    )
    st.html(f'<section class="start"><h2>资料库还是空的</h2><p>{about}</p></section>')
    if not may:
        return True
    with st.container(horizontal=True, gap="small"):
        st.button("载入演示资料", type="primary", icon=":material/library_add:", on_click=load, key="load_samples")
        frame.link("上传法规文件", "intake", "upload_file")
    return True


def load() -> None:
    """Queue the demonstration texts for ingestion."""
    frame.act(lambda: frame.engine().intake.enqueue_samples(login.user()))


def examples() -> None:
    """Draw clickable questions on what is held: on the demonstration texts where those are loaded, else on its chapters."""
    engine = frame.engine()
    rows = engine.regulations()
    st.html(
        f'<p class="quiet">资料库现有 {len(rows)} 部法规，{choices.provisions(rows)}。答复只引用原文；每条引文都可打开原件核对。</p>'
    )
    samples = {path.name for path in engine.settings.samples.rglob("*")}
    if any(row.file in samples for row in rows):
        title, asked = "可以这样问（演示资料）", _spread(engine.evaluation.sample_questions())
    else:
        title, asked = "可以这样问", [QuestionForm(one, ChosenFilters()) for one in _drawn(hash(engine.state))]
    if not asked:
        return
    st.html(f'<h3 class="side-head">{title}</h3>')
    with st.container(horizontal=True, gap="small", key="examples"):
        for number, one in enumerate(asked):
            st.button(safe.label(one.question), key=f"example_{number}", on_click=form.set_question, args=(one,))


def _spread(questions: list[dict[str, Any]]) -> list[QuestionForm]:
    """Pick short questions from as many provinces and assets as possible."""
    picked: dict[tuple[object, ...], QuestionForm] = {}
    for one in questions:
        codes: dict[str, Any] = {kind: one.get(kind) for kind in choices.KINDS}
        if len(one["question"]) <= _LONGEST:
            picked.setdefault(
                (codes["province"], codes["asset"]), QuestionForm(one["question"], ChosenFilters(**codes))
            )
    return list(picked.values())[:_SHOWN]


@st.cache_data(max_entries=4, show_spinner=False)
def _drawn(state: int) -> list[str]:
    """Return questions on chapters of held texts in force, each of another province and class; ``state`` keys the cache."""
    engine = frame.engine()
    newest = sorted(engine.regulations(), key=lambda r: r.validity.effective or dt.date.min, reverse=True)
    picked: dict[tuple[str, str | None], str] = {}
    for row in newest:
        place = (row.province, row.doc_class)
        fits = row.nature in CITABLE and row.validity.on(today()) is Status.IN_FORCE and row.articles > 0
        if place in picked or not fits or len(row.title) > _LONGEST or len(picked) == _SHOWN:
            continue
        if heading := _chapter(engine.regulation(row.id)):
            picked[place] = f"{in_marks(row.title)}对{heading}是怎么规定的？"
    return list(picked.values())


def _chapter(regulation: Regulation) -> str:
    """Return what a chapter is about, empty where there is none but general and closing ones."""
    found = ("".join(p.heading.split()) for p in regulation.provisions if p.level is Level.CHAPTER)
    return next((words for words in found if words and len(words) <= _TOPIC and words not in _GENERAL), "")
