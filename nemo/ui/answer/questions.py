"""A person's own questions: all that were asked, searched and put into folders (我的问题)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from nemo.review.memory import APP, Memory
from nemo.store.catalogue.rows import AnswerRow
from nemo.types import CHINA, today
from nemo.ui.answer import citation, form
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import choices, frame, login, safe, tables

_MOST = 500
"""Newest answers looked through."""

_ALL, _LOOSE = "全部", "未归入"


@dataclass(frozen=True)
class _Asked:
    """One question with its filters, however often it was asked."""

    form: QuestionForm
    when: str
    became: str
    trace_id: str
    folder: str


def draw() -> None:
    """Draw the search, the folders and the list; chosen questions are asked again, opened or put into a folder."""
    every = _every()
    if not every:
        st.html(
            '<p class="quiet">还没有问过问题。问过的问题会留在这里，可以搜索、归入文件夹、按今天的资料库重新查询。</p>'
        )
        return
    known = [_ALL, *sorted({one.folder for one in every if one.folder}), _LOOSE]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="mine_bar"):
        words = st.text_input(
            "搜索我的问题", type="search", live=True, key="mine_words", icon=":material/search:", width=280,
            placeholder="搜索我的问题", label_visibility="collapsed", on_change=choices.tied("words", "mine_words", default=""),
        )  # fmt: skip
        folder = st.pills(
            "文件夹", known, key="mine_folder", label_visibility="collapsed", format_func=safe.label, required=True,
            on_change=choices.tied("folder", "mine_folder", known, _ALL),
        )  # fmt: skip
    shown = [one for one in every if _fits(one, words or "", folder or _ALL)]
    rules = frame.engine().rules
    rows = [
        {
            "问题": one.form.question, "条件": form.conditions(one.form.chosen, rules), "文件夹": one.folder,
            "最近一次": one.when, "结果": one.became,
        }
        for one in shown
    ]  # fmt: skip
    if rows:
        _table(rows, shown)
    else:
        st.html('<p class="quiet">没有含有这些字的问题。</p>')
    if len((words or "").strip()) > 1:
        _remembered((words or "").strip())


def _table(rows: list[dict[str, str]], shown: Sequence[_Asked]) -> None:
    picked = tables.grid(rows, "mine", "我的问题", {"问题": 420}, [one.form for one in shown])
    _actions([shown[n] for n in picked])


def _remembered(words: str) -> None:
    """Draw what this person was told, noted, decided and added that fits the words by sense, with what changed since."""
    found = frame.engine().memory.search(APP, login.name(), words, today(), _REMEMBERED)
    st.html(f'<h3 class="side-head">我的记忆中与“{safe.text(words)}”有关的 {len(found)} 条</h3>')
    for number, one in enumerate(found):
        badges = citation.badge(_KINDS[one.kind], "info") + "".join(citation.badge(c, "warn") for c in one.changed)
        line = f"{safe.name(one.title)} <span>{one.at.astimezone(CHINA):%Y-%m-%d}</span>"
        with frame.line(f"{badges} {line}<br><span>{safe.name(one.text[:_OPENING])}</span>", f"memory_{number}"):
            if one.kind == "question":
                frame.link("打开", "ask", "article", {"a": one.key})
            if one.kind != "review":
                st.button(
                    "忘记", type="tertiary", icon=":material/delete:", key=f"forget_memory_{number}", on_click=_forget, args=(one,),
                    help="从资料库中彻底删除；记录链只保留“已删除”这一事实",
                )  # fmt: skip


def _forget(one: Memory) -> None:
    frame.act(
        lambda: frame.engine().memory.forget(one.kind, one.key, login.name()), f"已忘记“{safe.visible(one.title)}”"
    )


_KINDS = {"question": "提问", "note": "批注", "review": "复核", "session": "会话"}
_REMEMBERED, _OPENING = 8, 120
"""Memories shown, and characters of each."""


def _every() -> list[_Asked]:
    """Return what this person asked or keeps, newest first, each once."""
    library, user = frame.engine().library, login.name()
    kept = {QuestionForm(s.question, form.chosen_of(s.filters)): s.folder for s in library.searches.all(user)}
    rows: dict[QuestionForm, AnswerRow] = {}
    for row in library.answers.recent(_MOST, user):
        rows.setdefault(form.again(row), row)
    found = []
    for again, row in rows.items():
        own = again if again in kept else next((k for k in kept if k not in rows and _is_read_of(k, again)), None)
        became, when = "拒答" if row.refused else "有答复", f"{row.at.astimezone(CHINA):%Y-%m-%d %H:%M}"
        found.append(_Asked(again, when, became, row.trace_id, kept.pop(own) if own else ""))
    return [*found, *(_Asked(asked, "", "", "", folder) for asked, folder in kept.items())]


def _is_read_of(kept: QuestionForm, asked: QuestionForm) -> bool:
    """Tell whether a question is a kept one with what was read from its words (湖北省…) among its filters."""
    fields = vars(kept.chosen).items()
    return kept.question == asked.question and all(v in (None, (), getattr(asked.chosen, k)) for k, v in fields)


def _fits(one: _Asked, words: str, folder: str) -> bool:
    placed = folder == _ALL or one.folder == ("" if folder == _LOOSE else folder)
    return placed and all(word in one.form.question.casefold() for word in words.casefold().split())


def _actions(chosen: Sequence[_Asked]) -> None:
    one = chosen[0] if len(chosen) == 1 else None
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="mine_acts"):
        st.button(
            "重新查询", icon=":material/refresh:", disabled=one is None, key="mine_ask", on_click=form.set_question,
            args=(one.form,) if one else (),
        )  # fmt: skip
        if one and one.trace_id:
            frame.link("打开存档", "ask", "article", {"a": one.trace_id})
        st.text_input(
            "文件夹名", key="mine_name", placeholder="文件夹名，如 某某项目", label_visibility="collapsed", width=200, max_chars=40
        )  # fmt: skip
        st.button(
            f"归入（{len(chosen)}）" if chosen else "归入", icon=":material/create_new_folder:", key="mine_put",
            disabled=not chosen, on_click=_put, args=(tuple(chosen),),
        )  # fmt: skip


def _put(chosen: Sequence[_Asked]) -> None:
    folder = frame.typed("mine_name")
    frame.act_all(
        (partial(form.keep, one.form, folder) for one in chosen),
        f"{{}} 个问题已归入“{folder}”" if folder else "{} 个问题已移出文件夹",
    )
