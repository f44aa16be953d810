"""An answer on the page: heading, notices, one card per quote, sources, and why these came up (答复)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from nemo import export
from nemo.answer import provisions
from nemo.export import sign
from nemo.text.letter.titles import in_marks
from nemo.types import CITABLE, Answer, PlaceGroup, Quote, Regulation, status_of, today
from nemo.ui.answer import asking, citation, directness, download, feedback, summing_up
from nemo.ui.answer import form as ask_form
from nemo.ui.answer.form import QuestionForm
from nemo.ui.library import figures, source_page, text
from nemo.ui.shared import choices, clipboard, frame, safe

if TYPE_CHECKING:
    from nemo.store.catalogue.rows import RegulationRow

LISTED_OPEN = 3
"""More provisions than this that are asked for by number are listed, each to be opened."""
OPENING = 28
"""Characters of a provision in such a list."""

_READ = {
    "conflict": "条件冲突", "unread": "没有读懂", "question": "问题", "province": "省份", "asset": "能源类型", "doc_class": "文件类别", "day": "适用日期",
    "as_of": "适用日期", "name": "未收录，当作事项检索",
}  # fmt: skip


_MODES = {
    "naive": "仅语义检索", "local": "条文检索", "global": "专题检索", "hybrid": "关键词与语义混合检索", "mix": "综合检索",
    provisions.MODE: "按条号列出", "versions": "版本比较", "about": "法规信息",
}  # fmt: skip


def draw(answer: Answer, asked: QuestionForm) -> None:
    """Draw an answer that holds quotes."""
    regulations = asking.held(answer.quotes)
    main, side = st.columns([2.7, 1], gap="medium")
    with main:
        _toolbar(answer, asked)
        directness.draw(answer, regulations)
        notices(answer)
        if answer.understood:
            frame.notice("info", "问题的理解", answer.understood)
        if answer.parts:
            _parts(answer, regulations)
        else:
            _groups(answer, range(len(answer.quotes)), regulations)
        summing_up.draw(answer)
        _beside(answer)
        next_question(answer)
        why(answer)
        feedback.draw(answer)
    with side:
        _sources(answer, regulations)


def _parts(answer: Answer, regulations: dict[str, Regulation]) -> None:
    """Draw several questions in one, each under its heading; one without an answer says so (分问)."""
    drawn: set[int] = set()
    for part in answer.parts:
        sure = f"<span>置信度 {part.confidence:.2f}</span>" if part.refusal is None else ""
        st.html(f'<h3 class="part-head">{safe.text(part.heading)}{sure}</h3>')
        if part.said:
            st.html(f'<p class="said">{safe.text(part.said)}</p>')
        if part.refusal is not None:
            frame.notice("warn", part.refusal.message, tips=part.refusal.tips)
        _groups(answer, [n for n in part.quotes if n not in drawn], regulations)
        if again := "、".join(sign(n) for n in part.quotes if n in drawn):
            st.caption(f"依据另见上文引文 {again}。")
        drawn.update(part.quotes)


def _groups(answer: Answer, numbers: Iterable[int], regulations: dict[str, Regulation]) -> None:
    """Draw quotes; those of other places are closed where another rule stands before them (适用地域)."""
    shown = list(numbers)
    other = [n for n in shown if answer.quotes[n].group is PlaceGroup.OTHER]
    closed = other if len(other) < len(shown) else []
    for number in (n for n in shown if n not in closed):
        quote = answer.quotes[number]
        if _is_list(answer):
            with st.expander(_entry(quote), key=f"entry_{number}"):
                _card(quote, number, regulations)
        else:
            _card(quote, number, regulations)
    if closed:
        with st.expander(f"{PlaceGroup.OTHER.value}的规定（{len(closed)} 条，仅供对照）", expanded=False):
            for number in closed:
                _card(answer.quotes[number], number, regulations)


def _beside(answer: Answer) -> None:
    """Offer what the graph knows beside the quotes: read only when it is opened (关联条款)."""
    opened = st.expander("关联条款", icon=":material/hub:", key=f"beside_{answer.trace_id}", on_change="rerun")
    if opened.open:
        with opened:
            from nemo.ui.library import graph  # networkx: only who opens it pays

            graph.draw_beside(frame.engine().answers.beside(answer, "hybrid")["graph"])


def next_question(answer: Answer) -> None:
    """Draw the line for a question that follows this answer (追问); needs the answer to be kept."""
    if not frame.settings().keep_answers:
        return
    st.text_input(
        "追问", key=f"follow_{answer.trace_id}", icon=":material/subdirectory_arrow_right:",
        placeholder="追问：那罚多少？山东呢？第二款呢？2019 年的时候呢？", label_visibility="collapsed", on_change=ask_form.follow,
        args=(answer.trace_id,),
    )  # fmt: skip


def _is_list(answer: Answer) -> bool:
    """Tell whether an answer is a list of provisions by number (a chapter), shown folded."""
    return answer.mode == provisions.MODE and len(answer.quotes) > LISTED_OPEN


def _entry(quote: Quote) -> str:
    """Return the line of one provision in a list: its number and how it begins."""
    words = " ".join(quote.text.split()).removeprefix(quote.citation.article).strip()
    return safe.label(
        f"{quote.citation.article or quote.citation.path}　{words[:OPENING]}{'…' if len(words) > OPENING else ''}"
    )


def notices(answer: Answer) -> None:
    """Say what did not take part in the answer and what the reader should know about it."""
    if answer.degraded:
        frame.notice("warn", "本次答复有环节未参与", tips=answer.degraded)
    if answer.tips:
        frame.notice("info", "提示", tips=answer.tips)


def _toolbar(answer: Answer, asked: QuestionForm) -> None:
    """Draw the heading with what can be done with the answer."""
    count = len({quote.regulation_id for quote in answer.quotes})
    facts = f"{len(answer.quotes)} 条引文 · {count} 部法规 · 按 {answer.day} 的时效性 · {_elapsed(answer)}"
    facts += "".join(
        f" · 重排 {s.name.partition('@')[0]} {s.milliseconds:.0f} 毫秒{'（缓存）' * s.remembered}"
        for s in answer.stages
    )
    name, said = answer.headline
    everything = "\n\n".join(citation.paste(q, n) for n, q in enumerate(answer.quotes))
    acts(answer, asked, f'<h2 class="answer-head">{safe.text(name)}<span>{safe.text(facts)}</span></h2>', everything)
    if said and not answer.parts:
        st.html(f'<p class="said">{safe.text(said)}</p>')


def acts(answer: Answer, asked: QuestionForm, head: str, words: str) -> None:
    """Draw, behind a head, what can be done with an answer or a refusal; ``words`` are what is copied, else it says why."""
    paper = f"问题：{answer.query.original}　检索范围：{scope(answer)}　编号：{answer.trace_id}"
    links = {"链接": (ask_form.answered_link(asked, answer.day), "复制链接：打开时按同样条件重新查询")}
    if frame.settings().keep_answers:
        links["存档"] = (f"./?a={answer.trace_id}", "复制存档链接：打开时显示本次答复及此后的变化")
    write = frame.engine().answers.export_answer  # taken now: the file is written outside a run of the page
    file = download.file_name(export.report.title_of(answer), answer.asked, str(answer.day))
    toolbar(
        head, paper, words or f"{paper}\n{export.answer_zh(answer)}", links, (file, lambda form: write(answer, form))
    )


def toolbar(
    head: str, paper: str, words: str, links: Mapping[str, tuple[str, str]], file: tuple[str, Callable[[str], bytes]]
) -> None:
    """Draw a head and what can be done with what stands below it: copy ``words``, copy ``links``, print, take a ``file`` away.

    ``paper`` says on paper what was asked; on the screen the form says so.
    """
    st.container(key="paper").html(f'<p class="paper">{safe.text(paper)}</p>')
    with st.container(horizontal=True, vertical_alignment="center", key="toolbar", gap="xsmall"):
        st.html(head)
        clipboard.button("复制全部", words, key="copy_all")
        for number, (label, (link, hint)) in enumerate(links.items()):
            clipboard.button(label, link, key=f"copy_link_{number}", act="archive" if number else "link", hint=hint)
        clipboard.button("打印", key="print", act="print", hint="打印，或在打印窗口中存为 PDF")
        download.menu(*file, key="export")


def scope(answer: Answer) -> str:
    """Return the filters of an answer in words."""
    chosen = replace(ask_form.chosen_of(answer.query.filters), day=None)
    return (ask_form.conditions(chosen, frame.engine().rules) or "全部") + f"，适用日期 {answer.day}"


def _elapsed(answer: Answer) -> str:
    return f"{max(1, answer.elapsed_ms):.0f} 毫秒" if answer.elapsed_ms < 1000 else f"{answer.elapsed_ms / 1000:.1f} 秒"


def _card(quote: Quote, number: int, regulations: dict[str, Regulation]) -> None:
    c = quote.citation
    source, intact = regulations.get(quote.regulation_id), asking.intact(quote, regulations)
    with st.container(border=True, gap="xsmall", key=f"quote_{number}"):
        st.html(citation.quote_block(quote, number) + citation.line(c) + citation.english_line(quote))
        if source is not None and intact and quote.figures:
            figures.beside(quote, source, f"quote_{number}")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"acts_{number}"):
            st.html(citation.badges(quote, intact, *whose(source)))
            if source is not None and source_page.has_pages(source) and _page_button(number):
                source_page.drawer(source.id, quote.span)
            if source is not None:
                library_link("原文", source.id, c.label, c.day)
            clipboard.button("复制", citation.paste(quote), key=f"copy_{number}")
        st.html((_context(quote, source) if intact else "") + citation.origin(quote, intact))


def whose(source: Regulation | None) -> tuple[str, str]:
    """Return the place of a quoted text, and what it is where it is no law; both empty for one that is not held."""
    rules = frame.engine().rules
    return (choices.place(source, rules), rules.not_law(source.nature)) if source else ("", "")


def _context(quote: Quote, source: Regulation | None) -> str:
    """Return the article around a quote with its neighbours, folded (上下文)."""
    if source is None:
        return ""
    return f'<details class="fold"><summary>上下文</summary>{text.around(source, quote.span)}</details>'


def _page_button(number: int) -> bool:
    return st.button("原页", key=f"page_{number}", type="tertiary", icon=":material/find_in_page:")


def library_link(words: str, regulation_id: str, label: str = "", day: object = None) -> None:
    """Draw a link to a provision in the library."""
    params = {"r": regulation_id} | ({"label": label} if label else {})
    if day is not None and day != today():
        params["as_of"] = str(day)
    frame.link(words, "library", "menu_book", params)


def _sources(answer: Answer, regulations: dict[str, Regulation]) -> None:
    """Draw what the cards of each quoted text do not say: who issued it, until when, in which other versions; of several, of which."""
    told = {each: (_about(answer, one, len(regulations) > 1), _others(one)) for each, one in regulations.items()}
    if not regulations or any(map(any, told.values())):
        st.html('<h3 class="side-head">引用来源</h3>')
    if not regulations:
        st.html('<p class="quiet">所引法规已不在资料库中。</p>')
    with st.container(key="sources", gap="small"):
        for regulation_id, (about, others) in told.items():
            with st.container(gap=None, key=f"source_{regulation_id}"):
                if about:
                    st.html(about)
                for which, row in others:
                    library_link(f"另有{which} · {status_of(row, answer.day).value}", row.id)
    _levels(answer)


def _about(answer: Answer, regulation: Regulation, named: bool) -> str:
    signs = "".join(sign(n) for n, q in enumerate(answer.quotes) if q.regulation_id == regulation.id)
    ends = regulation.validity.until if regulation.nature in CITABLE else ""
    about = " · ".join(safe.name(caption) for caption in (regulation.issuer, ends) if caption)
    title = f'<p class="cite">{signs} {safe.name(in_marks(regulation.title))}</p>' if named else ""
    return title + (f'<p class="quiet">{about}</p>' if about else "")


def _levels(answer: Answer) -> None:
    """Say how the levels of the quoted texts stand to each other, by which provision (位阶提示)."""
    if answer.hierarchy:
        lines = "".join(f'<p class="quiet">{safe.text(n.words)}（{safe.text(n.basis)}）</p>' for n in answer.hierarchy)
        st.html(f'<h3 class="side-head">位阶提示</h3>{lines}')


def _others(regulation: Regulation) -> list[tuple[str, RegulationRow]]:
    """Return the other versions of a text, newest first, with what they are; the letter that came in one file with it is none."""
    own, found = regulation.version_date, []
    for row in reversed(frame.engine().law.versions(regulation.id)):
        version = row.version_date or row.validity.effective
        which = "同一版本的另一原件" if version and version == own else f" {version or '日期未知'} 版"
        if row.sha256 != regulation.sha256:
            found.append((which, row))
    return found


def why(answer: Answer) -> None:
    """Show what was read from the question and what widened it (为何命中); of a refusal, how it was looked for."""
    query = answer.query
    widened = "".join(f"<li>{safe.text(x.term)} → {safe.text('、'.join(x.added))}</li>" for x in query.synonyms)
    read = "".join(f"<li>{_READ.get(e.fact, safe.text(e.fact))}：{safe.text(e.words)}</li>" for e in query.read)
    rows = (
        ("检索范围", safe.text(scope(answer))), ("从问题读出", f"<ul>{read}</ul>" if read else ""),
        ("指名", safe.text("、".join(m.words for m in query.mentions))), ("检索语句", safe.text(query.text)),
        ("同义扩展", f"<ul>{widened}</ul>" if widened else ""), ("问题类型", safe.text("、".join(_intents(query.intents)))),
        ("检索方式", _MODES.get(answer.mode, safe.text(answer.mode))), ("答复编号", safe.text(answer.trace_id)),
    )  # fmt: skip
    head = "检索经过" if answer.refusal else "为何命中"
    st.html(f'<details class="fold why"><summary>{head}</summary>{safe.facts(rows)}</details>')


def _intents(codes: tuple[str, ...]) -> list[str]:
    known = {intent.code: intent.name for intent in frame.engine().rules.intents}
    return [known.get(code, code) for code in codes]
