"""Many questions at once, each put to the chosen provinces: a table of what came of them, and the file (批量提问)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from nemo import export
from nemo.text.letter.titles import in_marks
from nemo.types import Answer, today
from nemo.ui.answer import asking, citation, download
from nemo.ui.answer.form import QuestionForm
from nemo.ui.shared import frame, safe, tables
from nemo.ui.shared.choices import ChosenFilters

_WORDS, _DONE = "many_questions", "_many_done"
_MOST = 100
"""Questions asked in one go."""


def draw(known: Mapping[str, str], chosen: ChosenFilters, provinces: Sequence[str]) -> None:
    """Draw the field for questions, one a line, and what came of those asked last."""
    with st.expander(  # who comes back from one of the answers finds them all
        "一次对照多个问题", asked(), icon=":material/playlist_add:", key="many", on_change="rerun"
    ) as opened:
        if not opened.open:
            return
        words = st.text_area(
            "问题，每行一个", key=_WORDS, height=140, persist_state="session",
            placeholder="可从 Excel 的一列直接粘贴；省份与其他条件沿用上方所选，不选省份则在全部地域中查询",
        )  # fmt: skip
        questions = _questions(words)
        if len(questions) > _MOST:
            frame.notice("warn", f"一次最多 {_MOST} 个问题", f"只处理前 {_MOST} 个。")
        label = f"逐题查询（{len(questions[:_MOST])}）" if questions else "逐题查询"
        st.button(label, type="primary", key="many_go", on_click=_begin, args=(chosen, list(provinces) or [""]))
        if asked():
            _ask(st.session_state[_DONE])
            _results(st.session_state[_DONE].found, known)


def asked() -> bool:
    """Tell whether many questions were put in this session."""
    return _DONE in st.session_state


def _questions(words: str | None) -> list[str]:
    return list(dict.fromkeys(filter(None, map(str.strip, (words or "").splitlines()))))


@dataclass
class _QuestionRun:
    """Questions put one after the other; a run that is superseded leaves the rest to the next."""

    questions: list[str]
    chosen: ChosenFilters
    provinces: Sequence[str]
    found: list[tuple[str, list[tuple[str, Answer]]]] = field(default_factory=list)


def _begin(chosen: ChosenFilters, provinces: Sequence[str]) -> None:
    if questions := _questions(frame.typed(_WORDS)):
        st.session_state[_DONE] = _QuestionRun(questions[:_MOST], chosen, provinces)
    else:
        frame.say("info", "还没有问题", "请在上面写下问题，每行一个。")


def _ask(asked: _QuestionRun) -> None:
    """Put the questions that are left, in view of the reader."""
    left, most = asked.questions[len(asked.found) :], len(asked.questions)
    if not left:
        return
    bar = st.progress(0.0)
    for question in left:
        bar.progress(len(asked.found) / most, f"正在逐题查询… {len(asked.found)} / {most}")
        asked.found.append((question, [(p, a) for p in asked.provinces if (a := _answer(question, p, asked.chosen))]))
    st.rerun()


def _answer(question: str, province: str, chosen: ChosenFilters) -> Answer | None:
    found: list[Answer] = []
    form = QuestionForm(question, replace(chosen, province=province or None))
    if problem := frame.attempt(lambda: found.append(asking.answer(form))):
        frame.say("bad", f"{safe.visible(question)}：{problem.title}", problem.words, problem.tips)
    return found[0] if found else None


def _results(done: Sequence[tuple[str, list[tuple[str, Answer]]]], known: Mapping[str, str]) -> None:
    places = list(dict.fromkeys(province for _, answers in done for province, _ in answers))
    rows = [(safe.name(question), *(_cell(dict(a).get(place)) for place in places)) for question, a in done]
    st.html(tables.plain(("问题", *(safe.text(known.get(place, "全部地域")) for place in places)), rows, "many"))
    asked = [(question, [export.ReportColumn(p, answer) for p, answer in answers]) for question, answers in done]
    write = partial(frame.engine().answers.export_many, asked)
    st.download_button(
        "下载 Excel（每题的全部引文）", partial(write, "xlsx"), f"{download.file_name('批量查询答复', str(today()))}.xlsx",
        export.FORMS["xlsx"], on_click="ignore", icon=":material/table_view:", key="many_xlsx",
    )  # fmt: skip


def _cell(answer: Answer | None) -> str:
    """Return what one question came to: the word for it, and the first source, which open the answer; all foreign is escaped."""
    if answer is None:
        return ""
    kept = frame.settings().keep_answers
    opened = (f'<a href="./?a={answer.trace_id}" target="_self">{{}}</a>' if kept else "{}").format
    if answer.refusal is not None:
        return opened(f"{citation.badge('拒答', 'unknown')} {safe.text(answer.refusal.message)}")
    first = answer.quotes[0].citation
    more = f" 等 {len(answer.quotes)} 条" if len(answer.quotes) > 1 else ""
    word = citation.badge(answer.verdict.value, "info") if answer.verdict else ""
    return opened(f"{word} {safe.name(in_marks(first.title))}{safe.text(first.article or first.path)}{more}")
